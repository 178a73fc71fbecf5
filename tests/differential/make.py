"""Random kustomizations: a tree of files from a seed. Values are drawn from small pools, so that names meet."""
import random

from objects import SPACES, Objects
from parts import Parts
from settings import Settings


class Maker(Objects, Parts, Settings):
    def __init__(self, seed, left_out):
        self.r = random.Random(seed)
        self.left_out = left_out
        self.files = {}
        self.path = ""   # of the level at work
        self.there = []  # what the level at work has so far

    def file(self, name, content):
        """Adds a file beside the kustomization and returns its name."""
        self.files[self.path + name] = content
        return name

    FIELDS = [  # name, chance, how it is made; generators first, what follows speaks of them
        ("configMapGenerator", 0.45, lambda m: [m.generator(False) for _ in range(m.r.randint(1, 2))]),
        ("secretGenerator", 0.3, lambda m: [m.generator(True)]),
        ("generators", 0.05, lambda m: [m.made()]),
        ("namePrefix", 0.35, lambda m: m.pick(["p-", "q-"])),
        ("nameSuffix", 0.25, lambda m: m.pick(["-s", "-t"])),
        ("namespace", 0.3, lambda m: m.pick(SPACES)),
        ("generatorOptions", 0.15, lambda m: m.options()),
        ("labels", 0.3, lambda m: m.labels()),
        ("commonLabels", 0.1, lambda m: m.pairs()),
        ("commonAnnotations", 0.2, lambda m: m.pairs()),
        ("patches", 0.35, lambda m: [m.patch() for _ in range(m.r.randint(1, 2))]),
        ("patchesStrategicMerge", 0.08, lambda m: m.strategic()),
        ("patchesJson6902", 0.05, lambda m: m.json6902()),
        ("images", 0.2, lambda m: m.images()),
        ("imageTags", 0.02, lambda m: m.images()[:1]),
        ("replicas", 0.1, lambda m: m.replicas()),
        ("replacements", 0.25, lambda m: m.replacements()),
        ("vars", 0.08, lambda m: m.vars()),
        ("transformers", 0.12, lambda m: [m.transformer() for _ in range(m.r.randint(1, 2))]),
        ("configurations", 0.1, lambda m: m.configurations()),
        ("crds", 0.05, lambda m: m.crds()),
        ("openapi", 0.05, lambda m: m.openapi()),
        ("sortOptions", 0.3, lambda m: m.sorting()),
        ("buildMetadata", 0.15, lambda m: m.r.sample(["originAnnotations", "transformerAnnotations", "managedByLabel"], m.r.randint(1, 3))),
        ("validators", 0.003, lambda m: [m.transformer()]),
        ("metadata", 0.03, lambda m: {"name": "here", "annotations": m.pairs()}),
    ]

    def fields(self, share):
        return {name: make(self) for name, chance, make in self.FIELDS if self.maybe(chance * share) and name not in self.left_out}

    def born(self, docs):
        """The resources among documents: a List stands for its items."""
        return [item for doc in docs for item in (doc["items"] if doc["kind"] == "List" else [doc])]

    def documents(self):
        """A file of resources without an id twice."""
        seen, docs = set(), []
        for doc in (self.resource() for _ in range(self.r.randint(1, 6))):
            ids = {(d["kind"], d["metadata"]["name"], d["metadata"].get("namespace", "default")) for d in self.born([doc])}
            if not ids & seen:
                seen |= ids
                docs.append(doc)
        return docs

    def component(self, path, name):
        """A part that other levels share: fields, and now and then resources of its own."""
        self.path = path + name + "/"
        content = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", "namePrefix": "", **self.fields(0.7)}
        if self.maybe(0.2):
            docs = self.documents()
            content["resources"] = [self.file("r.yaml", docs)]
            self.there += self.born(docs)
        self.file("kustomization.yaml", content)
        return name

    def level(self, path, depth):
        """Makes the files of a level and returns what its build holds, by the names it was born with."""
        k, entries, there = {}, [], []
        if depth and self.maybe(0.85):
            for i in range(self.r.randint(1, 2)):
                entries.append(f"b{i}")
                there += self.level(f"{path}b{i}/", depth - 1)
        self.path, self.there = path, there
        if not entries or self.maybe(0.4):
            docs = self.documents()
            entries.append(self.file("r.yaml", docs))
            there += self.born(docs)
        if self.maybe(0.02):
            k["bases"] = [e for e in entries if e != "r.yaml"]
            entries = [e for e in entries if e == "r.yaml"]
        k["resources"] = entries
        k.update(self.fields(1.0))
        if self.maybe(0.25):
            k["components"] = [self.component(path, name) for name in ("c", "d")[: self.pick([1, 1, 2])]]
            self.path = path
        self.file("kustomization.yaml", k)
        return self.there


def make(seed, left_out=()):
    """path -> content: a mapping, a list of documents, or text. left_out: fields no kustomization has."""
    m = Maker(seed, left_out)
    m.level("", m.pick([0, 0, 1, 1, 2, 3]))
    return m.files
