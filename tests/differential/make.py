"""Random kustomizations: a tree of files from a seed. Values are drawn from small pools, so that names meet."""
import json
import random
import re

PLAIN = re.compile(r"^[A-Za-z][A-Za-z0-9._/-]*$")
WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
NAMES = ["web", "db", "cfg", "app", "x1"]
SPACES = ["one", "two", "default"]
TEXTS = ["a", "v1.2", "80", "true", "x: y", "a/b/c", "", "two words", "$(NAME)", "1e3", "é", "line\nline\n", "$(PORT)-x"]


def scalar(value):
    if not isinstance(value, str):
        return json.dumps(value)
    if PLAIN.match(value) and value.lower() not in WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


def emit(value, indent=0):
    """A value as YAML, in blocks."""
    pad = "  " * indent
    if isinstance(value, dict) and value:
        out = ""
        for key, item in value.items():
            nested = isinstance(item, (dict, list)) and item
            out += f"{pad}{scalar(key)}:" + ("\n" + emit(item, indent + 1) if nested else f" {emit(item)}\n")
        return out
    if isinstance(value, list) and value:
        out = ""
        for item in value:
            nested = isinstance(item, (dict, list)) and item
            out += f"{pad}-" + ("\n" + emit(item, indent + 1) if nested else f" {emit(item)}\n")
        return out
    return scalar(value) if not isinstance(value, (dict, list)) else json.dumps(value)


def text_of(content):
    """A file: documents, a mapping, or text as it is."""
    if isinstance(content, str):
        return content
    return "---\n".join(emit(d) for d in content) if isinstance(content, list) else emit(content)


class Maker:
    def __init__(self, seed, left_out):
        self.r = random.Random(seed)
        self.left_out = left_out
        self.files = {}
        self.there = []  # what the level at work has so far

    def maybe(self, chance):
        return self.r.random() < chance

    def name(self):
        return self.r.choice(NAMES)

    def pick(self, items):
        return self.r.choice(items)

    def pairs(self, most=2):
        return {self.pick(["app", "tier", "team", "a.b/c"]): self.pick(TEXTS[:5]) for _ in range(self.r.randint(1, most))}

    # ---- resources

    def meta(self, spaced=True):
        meta = {"name": self.name()}
        if spaced and self.maybe(0.3):
            meta["namespace"] = self.pick(SPACES)
        for key in ("labels", "annotations"):
            if self.maybe(0.3):
                meta[key] = self.pairs()
        return meta

    def container(self):
        c = {"name": self.pick(["main", "side"]), "image": self.pick(["nginx", "nginx:1.7", "reg.io:5000/a/b@sha256:" + "0" * 64, "redis:6"])}
        if self.maybe(0.5):
            c["env"] = [self.env(i) for i in range(self.r.randint(1, 3))]
        if self.maybe(0.4):
            c["envFrom"] = [{self.pick(["configMapRef", "secretRef"]): {"name": self.name()}}]
        if self.maybe(0.4):
            c["args"] = [self.pick(TEXTS) for _ in range(2)]
        if self.maybe(0.4):
            c["ports"] = [{"containerPort": p} for p in self.r.sample([80, 81, 443], self.r.randint(1, 2))]
        return c

    def env(self, i):
        if self.maybe(0.5):
            return {"name": f"E{i}", "value": self.pick(TEXTS)}
        return {"name": f"E{i}", "valueFrom": {self.pick(["configMapKeyRef", "secretKeyRef"]): {"name": self.name(), "key": "k"}}}

    def pod(self):
        spec = {"containers": [self.container() for _ in range(self.r.randint(1, 2))]}
        if len(spec["containers"]) == 2:
            spec["containers"][1]["name"] = "other"
        if self.maybe(0.5):
            spec["volumes"] = [self.volume(i) for i in range(self.r.randint(1, 3))]
        for key in ("serviceAccountName", "priorityClassName"):
            if self.maybe(0.3):
                spec[key] = self.name()
        if self.maybe(0.2):
            spec["imagePullSecrets"] = [{"name": self.name()}]
        return spec

    def volume(self, i):
        kind = self.pick(["configMap", "secret", "persistentVolumeClaim", "projected"])
        body = {"configMap": {"name": self.name()}, "secret": {"secretName": self.name()},
                "persistentVolumeClaim": {"claimName": self.name()},
                "projected": {"sources": [{"configMap": {"name": self.name()}}, {"secret": {"name": self.name()}}]}}[kind]
        return {"name": f"v{i}", kind: body}

    def template(self):
        t = {"spec": self.pod()}
        if self.maybe(0.6):
            t["metadata"] = {"labels": self.pairs()}
        return t

    def resource(self):
        kind = self.pick(["Deployment", "Deployment", "StatefulSet", "Pod", "CronJob", "Service", "ConfigMap", "ConfigMap", "Secret", "ServiceAccount",
                          "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "Ingress", "HorizontalPodAutoscaler", "Namespace",
                          "PersistentVolumeClaim", "Thing", "IngressClass"])
        return getattr(self, "make_" + kind, self.make_other)(kind)

    def head(self, api, kind, **more):
        return {"apiVersion": api, "kind": kind, "metadata": self.meta(kind not in ("ClusterRole", "ClusterRoleBinding", "Namespace", "IngressClass")), **more}

    def make_Deployment(self, kind):
        spec = {"template": self.template()}
        if self.maybe(0.5):
            spec["replicas"] = self.r.randint(1, 3)
        if self.maybe(0.5):
            spec["selector"] = {"matchLabels": self.pairs()}
        if kind == "StatefulSet":
            spec["serviceName"] = self.name()
        return self.head("apps/v1", kind, spec=spec)

    make_StatefulSet = make_Deployment

    def make_Pod(self, kind):
        return self.head("v1", kind, spec=self.pod())

    def make_CronJob(self, kind):
        return self.head("batch/v1", kind, spec={"jobTemplate": {"spec": {"template": self.template()}}})

    def make_Service(self, kind):
        return self.head("v1", kind, spec={"ports": [{"port": self.pick([80, 81]), "targetPort": self.pick([80, "http"])}], "selector": self.pairs()})

    def make_ConfigMap(self, kind):
        return self.head("v1", kind, data={self.pick(["k", "l"]): self.pick(TEXTS) for _ in range(2)})

    def make_Secret(self, kind):
        if self.maybe(0.3):
            return self.head("v1", kind, stringData={"k": self.pick(TEXTS)})
        return self.head("v1", kind, type="Opaque", data={"k": "YQ=="})

    def make_Role(self, kind):
        return self.head("rbac.authorization.k8s.io/v1", kind, rules=[{"resources": ["configmaps"], "resourceNames": [self.name(), self.name()]}])

    make_ClusterRole = make_Role

    def make_RoleBinding(self, kind):
        subjects = []
        for _ in range(self.r.randint(1, 2)):
            subject = {"kind": "ServiceAccount", "name": self.pick(NAMES + ["default"])}
            if self.maybe(0.5):
                subject["namespace"] = self.pick(SPACES)
            subjects.append(subject)
        role = self.pick(["Role", "ClusterRole"]) if kind == "RoleBinding" else "ClusterRole"
        ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": role, "name": self.name()}
        return self.head("rbac.authorization.k8s.io/v1", kind, roleRef=ref, subjects=subjects)

    make_ClusterRoleBinding = make_RoleBinding

    def make_Ingress(self, kind):
        spec = {"rules": [{"host": "h.io", "http": {"paths": [{"path": "/", "backend": {"service": {"name": self.name(), "port": {"number": 80}}}}]}}]}
        if self.maybe(0.5):
            spec["tls"] = [{"hosts": ["h.io"], "secretName": self.name()}]
        if self.maybe(0.4):
            spec["ingressClassName"] = self.name()
        return self.head("networking.k8s.io/v1", kind, spec=spec)

    def make_HorizontalPodAutoscaler(self, kind):
        return self.head("autoscaling/v2", kind, spec={"scaleTargetRef": {"kind": self.pick(["Deployment", "StatefulSet"]), "name": self.name()}})

    def make_Thing(self, kind):
        return self.head("example.com/v1", kind, spec={"name": self.name(), "list": [{"name": "a", "v": 1}, {"name": "b", "v": self.pick(TEXTS)}], "n": None})

    def make_other(self, kind):
        api = {"IngressClass": "networking.k8s.io/v1"}.get(kind, "v1")
        return self.head(api, kind)

    # ---- fields of a kustomization; mostly about what is there

    def known(self, kinds):
        """A resource of one of the kinds: (kind, apiVersion, name, object). Now and then nobody's."""
        found = [d for d in self.there if d["kind"] in kinds]
        if found and self.maybe(0.97):
            d = self.pick(found)
            return d["kind"], d["apiVersion"], d["metadata"]["name"], d
        if self.maybe(0.9):
            return None
        kind = self.pick(kinds)
        return kind, {"Deployment": "apps/v1", "Thing": "example.com/v1"}.get(kind, "v1"), self.name(), {}

    def generator(self, secret):
        g = {"name": self.name(), "literals": [f"{k}={self.pick(TEXTS)}".replace("\n", "|") for k in self.r.sample(["k", "l", "m"], self.r.randint(1, 2))]}
        kind = "Secret" if secret else "ConfigMap"
        if self.maybe(0.2):
            g["namespace"] = self.pick(SPACES)
        old = self.known([kind]) if self.maybe(0.4) else None
        if old:
            g["name"] = old[2]
            g.pop("namespace", None)
            if old[3].get("metadata", {}).get("namespace"):
                g["namespace"] = old[3]["metadata"]["namespace"]
        if any(d["kind"] == kind and d["metadata"]["name"] == g["name"] for d in self.there):
            g["behavior"] = self.pick(["merge", "merge", "replace"])
        elif self.maybe(0.1):
            g["behavior"] = self.pick(["create", "merge"])
        self.there.append({"kind": kind, "apiVersion": "v1", "metadata": {k: g[v] for k, v in (("name", "name"), ("namespace", "namespace")) if v in g}, "data": {"k": ""}})
        if self.maybe(0.2):
            g["options"] = {"disableNameSuffixHash": self.maybe(0.5), "labels": self.pairs(), "immutable": self.maybe(0.3)}
        if secret and self.maybe(0.2):
            g["type"] = "example.com/x"
        return g

    def target(self):
        t = {"kind": self.pick(["Deployment", "ConfigMap", "Service", "Thing", "Secret", "Pod"])}
        if self.maybe(0.5):
            t["name"] = self.pick(NAMES + ["w.*", ".*"])
        if self.maybe(0.1):
            t["labelSelector"] = "app"
        return t

    def patch(self):
        if self.maybe(0.5):
            op = self.pick([[{"op": "add", "path": "/metadata/labels", "value": {"p": "1"}}],
                            [{"op": "replace", "path": "/metadata/name", "value": self.name() + "2"}],
                            [{"op": "add", "path": "/metadata/finalizers", "value": ["q"]}]])
            return {"target": self.target(), "patch": json.dumps(op)}
        kind, api, name, old = self.known(["Deployment", "ConfigMap", "Thing", "Service"]) or ("ConfigMap", "v1", None, {})
        if not name:
            return {"target": self.target(), "patch": "[]"}
        body = {"apiVersion": api, "kind": kind, "metadata": {"name": name}}
        if old.get("metadata", {}).get("namespace"):
            body["metadata"]["namespace"] = old["metadata"]["namespace"]
        if self.maybe(0.5):
            body["metadata"]["labels"] = {"p": self.pick(TEXTS[:4]), "app": None}
        if kind == "Deployment" and self.maybe(0.7):
            body["spec"] = {"template": {"spec": {"containers": [{"name": self.pick(["main", "new"]), "image": "p:1", "env": [self.env(0)]}]}}}
        if kind == "ConfigMap":
            body["data"] = {"k": self.pick(TEXTS), "l": None}
        if kind == "Thing":
            body["spec"] = {"list": [{"name": "a", "v": 2}]}
        p = {"patch": emit(body)}
        if self.maybe(0.5):
            p["target"] = {"kind": kind}
        return p

    def field_of(self, obj):
        """A path that is there, mostly."""
        steps, n = [], obj
        while isinstance(n, (dict, list)) and n:
            key = self.pick(list(n)) if isinstance(n, dict) else self.r.randrange(len(n))
            steps.append(str(key).replace(".", "\\."))
            n = n[key]
            if len(steps) > 1 and steps[0] != "metadata" and self.maybe(0.15):
                break
        return ".".join(steps)

    def replacement(self):
        paths = ["metadata.name", "metadata.labels.app", "spec.replicas", "data.k", "spec.template.spec.containers.0.image", "spec.list.[name=a].v",
                 "spec.ports.0.port", "metadata.annotations.a\\.b/c", "spec.name", "spec.template.spec.containers.*.name", "metadata.namespace"]
        source = self.known(["Deployment", "ConfigMap", "Thing", "Service", "Secret", "Role"])
        r = {"sourceValue": self.pick(TEXTS)}
        if source and self.maybe(0.85):
            path = self.field_of(source[3]) if source[3] and self.maybe(0.7) else "metadata.name"
            r = {"source": {"kind": source[0], "name": source[2], "fieldPath": path}}
            if source[3].get("metadata", {}).get("namespace"):
                r["source"]["namespace"] = source[3]["metadata"]["namespace"]
            if self.maybe(0.2):
                r["source"]["options"] = {"delimiter": self.pick(["/", ":", "-"]), "index": int(self.maybe(0.2))}
        target = self.known(["Deployment", "ConfigMap", "Thing", "Service", "Pod", "Ingress"])
        t = {"select": self.target(), "fieldPaths": [self.pick(paths)], "options": {"create": self.maybe(0.8)}}
        if target:
            t["select"] = {"kind": target[0], "name": target[2]}
            if target[3] and self.maybe(0.6):
                t["fieldPaths"] = [self.field_of({k: v for k, v in target[3].items() if k not in ("kind", "apiVersion")}) or "metadata.name"]
        t["select"].pop("labelSelector", None)
        if self.maybe(0.2):
            t["options"].update({"delimiter": self.pick(["/", ":", "."]), "index": self.r.randint(-1, 3)})
        if self.maybe(0.2):
            t["reject"] = [self.target()]
        return {**r, "targets": [t]}

    def var(self, i):
        found = self.known(["Service", "ConfigMap", "Deployment"]) or ("Service", "v1", self.name(), {})
        v = {"name": f"{['NAME', 'PORT'][i]}", "objref": {"apiVersion": found[1], "kind": found[0], "name": found[2]}}
        if self.maybe(0.5):
            path = {"Service": "spec.ports[0].port", "ConfigMap": "data.k", "Deployment": "spec.template.spec.containers[0].image"}[found[0]]
            v["fieldref"] = {"fieldPath": self.pick([path, "metadata.name"])}
        return v

    def replica(self):
        found = self.known(["Deployment", "StatefulSet"])
        return [{"name": found[2], "count": self.r.randint(0, 5)}] if found else []

    FIELDS = [  # name, chance, how it is made; generators first, what follows speaks of them
        ("configMapGenerator", 0.45, lambda m: [m.generator(False) for _ in range(m.r.randint(1, 2))]),
        ("secretGenerator", 0.3, lambda m: [m.generator(True)]),
        ("namePrefix", 0.35, lambda m: m.pick(["p-", "q-"])),
        ("nameSuffix", 0.25, lambda m: m.pick(["-s", "-t"])),
        ("namespace", 0.3, lambda m: m.pick(SPACES)),
        ("generatorOptions", 0.15, lambda m: {"labels": m.pairs(), "disableNameSuffixHash": m.maybe(0.5)}),
        ("labels", 0.3, lambda m: [{"pairs": m.pairs(), **({m.pick(["includeSelectors", "includeTemplates"]): True} if m.maybe(0.5) else {})}]),
        ("commonLabels", 0.1, lambda m: m.pairs()),
        ("commonAnnotations", 0.2, lambda m: m.pairs()),
        ("patches", 0.3, lambda m: [m.patch() for _ in range(m.r.randint(1, 2))]),
        ("images", 0.2, lambda m: [{"name": m.pick(["nginx", "redis"]), **m.pick([{"newTag": "9"}, {"newName": "other/n"}, {"digest": "sha256:" + "1" * 64}])}]),
        ("replicas", 0.1, lambda m: m.replica()),
        ("replacements", 0.3, lambda m: [m.replacement() for _ in range(m.r.randint(1, 2))]),
        ("vars", 0.1, lambda m: [m.var(i) for i in range(m.r.randint(1, 2))]),
        ("sortOptions", 0.3, lambda m: {"order": m.pick(["fifo", "legacy"])}),
        ("buildMetadata", 0.1, lambda m: m.r.sample(["originAnnotations", "transformerAnnotations"], m.r.randint(1, 2))),
    ]

    def fields(self, share):
        return {name: make(self) for name, chance, make in self.FIELDS if self.maybe(chance * share) and name not in self.left_out}

    def level(self, path, depth):
        """Makes the files of a level and returns what its build holds, by the names it was born with."""
        k, entries, there = {}, [], []
        if depth and self.maybe(0.85):
            for i in range(self.r.randint(1, 2)):
                entries.append(f"b{i}")
                there += self.level(f"{path}b{i}/", depth - 1)
        if not entries or self.maybe(0.4):
            docs = {(d["kind"], d["metadata"]["name"], d["metadata"].get("namespace", "default")): d
                    for d in (self.resource() for _ in range(self.r.randint(1, 6)))}
            self.files[path + "r.yaml"] = list(docs.values())
            entries.append("r.yaml")
            there += docs.values()
        self.there = there
        k["resources"] = entries
        k.update(self.fields(1.0))
        if depth and self.maybe(0.15):
            k["components"] = ["c"]
            self.files[path + "c/kustomization.yaml"] = {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", **self.fields(0.7)}
        self.files[path + "kustomization.yaml"] = k
        return self.there


def make(seed, left_out=()):
    """path -> content: a mapping, a list of documents, or text. left_out: fields no kustomization has."""
    m = Maker(seed, left_out)
    m.level("", m.r.randint(0, 2))
    return m.files
