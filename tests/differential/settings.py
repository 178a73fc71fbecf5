"""How kustomizations change the engine: configurations, crds, openapi, built-in transformers as objects, sort orders."""
import json

from objects import SPACES
from text import emit

THING = {"group": "example.com", "version": "v1", "kind": "Thing"}


class Settings:
    """Needs r, there, file(), the objects and parts."""

    def spec(self, path, **more):
        return {"path": path, **more}

    def labels(self):
        return [self.label() for _ in range(self.pick([1, 1, 2]))]

    def label(self):
        entry = {"pairs": self.pairs()}
        for name in ("includeSelectors", "includeTemplates", "includeVolumeClaimTemplates"):
            if self.maybe(0.25):
                entry[name] = self.maybe(0.8)
        if self.maybe(0.2):
            entry["fields"] = [self.pick([self.spec("spec/labels", kind="Thing", create=True), self.spec("spec/selector/matchLabels", kind="Deployment"),
                                          self.spec("metadata/more", create=False), self.spec("spec/list[]/labels", kind="Thing", create=True)])]
        return entry

    def configurations(self):
        sections = {
            "namePrefix": [self.spec("spec/name", kind="Thing")],
            "nameSuffix": [self.spec("spec/list/v", group="example.com")],
            "namespace": [self.spec("spec/space", kind="Thing", create=True)],
            "commonLabels": [self.spec("spec/labels", create=self.maybe(0.5), kind="Thing")],
            "labels": [self.spec("spec/more", create=True, kind="Thing")],
            "templateLabels": [self.spec("spec/template/labels", create=True, kind="Thing")],
            "commonAnnotations": [self.spec("spec/annotations", create=True, kind="Thing")],
            "images": [self.spec("spec/list/v", kind="Thing")],
            "replicas": [self.spec("spec/n", kind="Thing", create=True)],
            "nameReference": [{"kind": self.pick(["ConfigMap", "Secret", "Service", "Thing"]), **({"version": "v1"} if self.maybe(0.5) else {}),
                               "fieldSpecs": [self.pick([self.spec("spec/name", kind="Thing"), self.spec("spec/list/v", **THING), self.spec("data/k", kind="ConfigMap"),
                                                         self.spec("metadata/annotations/app")])]}],
            "varReference": [self.spec("spec/list/v", kind="Thing"), self.spec("data/k", kind="ConfigMap")],
        }
        return [self.file("configuration.yaml", {name: sections[name] for name in self.r.sample(sorted(sections), self.r.randint(1, 3))})]

    def crds(self):
        ref = {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": self.pick(["ConfigMap", "Secret", "Service"])}
        if self.maybe(0.3):
            ref["x-kubernetes-object-ref-name-key"] = "name"
        mark = self.pick(["x-kubernetes-annotation", "x-kubernetes-label-selector", "x-kubernetes-identity"])
        schema = {"properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
                                 "spec": {"$ref": "./pkg/v1.ThingSpec"}}, "type": "object"}
        spec = {"properties": {"name": {"type": "string", **ref}, "marked": {"type": "object", mark: ""}}, "type": "object"}
        return [self.file("crd.json", json.dumps({"./pkg/v1.Thing": {"Schema": schema}, "./pkg/v1.ThingSpec": {"Schema": spec}}))]

    def openapi(self):
        item = {"type": "object", "properties": {"name": {"type": "string"}, "v": {}}}
        spec = {"type": "object", "properties": {"list": {"type": "array", "items": item, "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}
        thing = {"type": "object", "properties": {"spec": spec}, "x-kubernetes-group-version-kind": [THING]}
        return {"path": self.file("schema.json", json.dumps({"definitions": {"com.example.v1.Thing": thing}}))}

    def transformer(self):
        """A built-in one as an object of its own."""
        found = self.known(["Deployment", "ConfigMap", "Thing", "Service"])
        names = [self.spec("metadata/name")]
        body = self.merge_patch() or {"kind": "ConfigMap", "metadata": {"name": "x"}}
        choices = [
            {"kind": "PrefixTransformer", "prefix": "z-", "fieldSpecs": names},
            {"kind": "SuffixTransformer", "suffix": "-z", "fieldSpecs": names},
            {"kind": "NamespaceTransformer", "metadata": {"name": "t", "namespace": self.pick(SPACES)}, "unsetOnly": self.maybe(0.5),
             "setRoleBindingSubjects": self.pick(["defaultOnly", "allServiceAccounts", "none"]), "fieldSpecs": [self.spec("metadata/namespace", create=True)]},
            {"kind": "LabelTransformer", "labels": self.pairs(), "fieldSpecs": [self.spec("metadata/labels", create=True)]},
            {"kind": "AnnotationsTransformer", "annotations": self.pairs(), "fieldSpecs": [self.spec("metadata/annotations", create=True)]},
            {"kind": "ImageTagTransformer", "imageTag": {"name": "nginx", "newTag": "7"}, "fieldSpecs": [self.spec("spec/list/v", kind="Thing")]},
            {"kind": "ReplicaCountTransformer", "replica": {"name": found[2] if found else self.name(), "count": 3},
             "fieldSpecs": [self.spec("spec/replicas", kind=self.pick(["Deployment", "Thing"]), create=True)]},
            {"kind": "PatchTransformer", "patch": emit(body), **({"target": {"kind": body["kind"]}} if self.maybe(0.5) else {})},
            {"kind": "PatchJson6902Transformer", "target": {"kind": found[0], "name": found[2]} if found else {"name": "x"},
             "jsonOp": json.dumps([{"op": "add", "path": "/metadata/labels", "value": {"p": "1"}}])},
            {"kind": "PatchStrategicMergeTransformer", "patches": emit(body)},
            {"kind": "ReplacementTransformer", "replacements": [self.replacement()]},
            {"kind": "ValueAddTransformer", "value": self.text(), "targets": [{"fieldPath": self.pick(["metadata/name", "metadata/namespace", "spec/n", "spec/added"]),
                                                                               "filePathPosition": 0}]},
            {"kind": "HashTransformer"},
        ]
        return self.plugin(self.pick(choices))

    def made(self):
        """A built-in generator as an object of its own."""
        kind = self.pick(["ConfigMapGenerator", "SecretGenerator"])
        return self.plugin({"kind": kind, "metadata": {"name": self.name() + "-g"}, "literals": [f"k={self.text()}".replace("\n", "|")]})

    def plugin(self, body):
        content = {"apiVersion": "builtin", "metadata": {"name": "t"}, **body}
        return self.file(f"plugin{len(self.files)}.yaml", content) if self.maybe(0.6) else emit(content)

    def sorting(self):
        made = {"order": self.pick(["fifo", "legacy"])}
        if made["order"] == "legacy" and self.maybe(0.3):
            kinds = ["Deployment", "ConfigMap", "Service", "Secret", "Thing", "Namespace"]
            self.r.shuffle(kinds)
            made["legacySortOptions"] = {"orderFirst": kinds[:2], "orderLast": kinds[2:4]}
        return made
