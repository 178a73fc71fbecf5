"""What kustomizations speak of: generators, patches, replacements, vars; mostly about what is there."""
import json

from objects import NAMES, SPACES, TEXTS
from text import emit

APIS = {"Deployment": "apps/v1", "Thing": "example.com/v1"}


class Parts:
    """Needs r, there, file() and the objects."""

    def known(self, kinds):
        """A resource of one of the kinds: (kind, apiVersion, name, object). Now and then nobody's."""
        found = [d for d in self.there if d["kind"] in kinds]
        if found and self.maybe(0.99):
            d = self.pick(found)
            return d["kind"], d["apiVersion"], d["metadata"]["name"], d
        if self.maybe(0.97):
            return None
        kind = self.pick(kinds)
        return kind, APIS.get(kind, "v1"), self.name(), {}

    def space_of(self, obj):
        return obj.get("metadata", {}).get("namespace")

    # ---- generators

    def sources(self):
        """Literals, files and env files without a key twice, mostly."""
        keys = self.r.sample(["k", "l", "m", "n.txt"], self.r.randint(1, 3))
        made = {}
        for key in keys:
            sort = self.pick(["literals", "literals", "files", "envs"])
            text = self.text()
            if sort == "files":
                made.setdefault("files", []).append(f"{key}=" + self.file(f"f-{key}", text) if self.maybe(0.7) else self.file(key, text))
            elif sort == "envs":
                line = text.replace("\n", "|")
                made.setdefault("envs", []).append(self.file(f"e-{key}.env", f"# {key}\n\n{key}={line}\n"))
            else:
                text = text.replace("\n", "|")
                made.setdefault("literals", []).append(f"{key}=" + self.pick([text, text, f"'{text}'", f'"{text}"']))
        return made

    def generator(self, secret):
        kind = "Secret" if secret else "ConfigMap"
        g = {"name": self.name()}
        if self.maybe(0.2):
            g["namespace"] = self.pick(SPACES)
        old = self.known([kind]) if self.maybe(0.4) else None
        if old:
            g["name"] = old[2]
            g.pop("namespace", None)
            if self.space_of(old[3]):
                g["namespace"] = self.space_of(old[3])
        same = [d for d in self.there if d["kind"] == kind and d["metadata"]["name"] == g["name"]]
        exact = [d for d in same if (self.space_of(d) or "default") == g.get("namespace", "default")]
        if exact or (same and self.maybe(0.2)):
            g["behavior"] = self.pick(["merge", "merge", "replace"])
        elif self.maybe(0.03):
            g["behavior"] = self.pick(["create", "merge"])
        g.update(self.sources())
        if not exact:
            self.there.append({"kind": kind, "apiVersion": "v1", "metadata": {k: g[k] for k in ("name", "namespace") if k in g}, "data": {"k": ""}})
        if self.maybe(0.2):
            g["options"] = self.options()
        if secret and self.maybe(0.2):
            g["type"] = "example.com/x"
        return g

    def options(self):
        return {"disableNameSuffixHash": self.maybe(0.5), "labels": self.pairs(), "annotations": self.pairs(), "immutable": self.maybe(0.3)}

    # ---- patches

    def target(self):
        t = {"kind": self.pick(["Deployment", "ConfigMap", "Service", "Thing", "Secret", "Pod", "(Deployment|StatefulSet)", ".*Set"])}
        if self.maybe(0.5):
            t["name"] = self.pick(NAMES + ["w.*", ".*"])
        if self.maybe(0.1):
            t["labelSelector"] = self.pick(["app", "app=a", "tier in (a, b)", "!team", "app!=a,tier"])
        if self.maybe(0.1):
            t["annotationSelector"] = self.pick(["team", "tier=80"])
        if self.maybe(0.1):
            t["namespace"] = self.pick(SPACES + ["d.*"])
        if self.maybe(0.1):
            t.update(self.pick([{"version": "v1"}, {"group": "apps"}, {"group": ""}]))
        return t

    def exact(self, found):
        t = {"kind": found[0], "name": found[2]}
        if self.space_of(found[3]) and self.maybe(0.7):
            t["namespace"] = self.space_of(found[3])
        return t

    def pointer_of(self, obj):
        """A JSON pointer to something that is there."""
        return "/" + self.field_of(obj, lambda key: str(key).replace("~", "~0").replace("/", "~1"), "/")

    def operation(self, obj):
        path = self.pointer_of(obj)
        top = path.count("/") == 1 or path in ("/metadata/name", "/metadata/namespace", "/kind", "/apiVersion")
        value = self.pick([self.text(), 1, True, {"a": "b"}, ["q"], None])
        return self.pick([
            {"op": "add", "path": "/metadata/labels", "value": {"p": self.text()}},
            {"op": "add", "path": "/metadata/annotations", "value": {"a.b/c": self.text()}},
            {"op": "add", "path": "/metadata/finalizers", "value": ["q"]},
            {"op": "replace", "path": "/metadata/name", "value": self.name() + "2"},
            {"op": "replace" if top else self.pick(["replace", "add"]), "path": "/metadata/name" if top else path, "value": self.name() if top else value},
            {"op": "test", "path": path, "value": self.at(obj, path)},
            {"op": "add", "path": "/spec/x", "value": value} if "spec" in obj else {"op": "add", "path": "/x", "value": value},
            {"op": "test", "path": path, "value": value} if self.maybe(0.03) else {"op": "add", "path": "/metadata/annotations", "value": {}},
            *self.list_operations(obj, value),
            *([] if top else [{"op": "remove", "path": path}, {"op": "copy", "from": path, "path": "/metadata/copied"},
                              {"op": "move", "from": path, "path": "/metadata/moved"}]),
        ])

    def list_operations(self, obj, value):
        """At the ends of a list that is there, and beyond them."""
        lists = [(f"/{key}", part) for key, part in obj.items() if isinstance(part, list)]
        lists += [(f"/spec/{key}", part) for key, part in (obj.get("spec") or {}).items() if isinstance(part, list)] if isinstance(obj.get("spec"), dict) else []
        if not lists:
            return []
        path, part = self.pick(lists)
        index = self.pick(["-", "0", str(len(part)), "-1", str(len(part) - 1)])
        return [{"op": "add", "path": f"{path}/{index}", "value": value}, {"op": self.pick(["remove", "replace"]), "path": f"{path}/0", "value": value},
                {"op": "copy", "from": f"{path}/0", "path": f"{path}/-"}, {"op": "move", "from": f"{path}/0", "path": f"{path}/-"}]

    @staticmethod
    def at(obj, pointer):
        for step in pointer[1:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            obj = obj[int(step)] if isinstance(obj, list) else obj[step]
        return obj

    def json_patch(self):
        """Operations and the target they are for."""
        found = self.known(["Deployment", "StatefulSet", "ConfigMap", "Thing", "Service", "Ingress", "Secret", "Pod"])
        if not found or not found[3].get("metadata") or self.maybe(0.1):
            return self.target(), [{"op": "add", "path": "/metadata/labels", "value": {"p": "1"}}]
        return self.exact(found), [self.operation(found[3]) for _ in range(self.r.randint(1, 2))]

    def merge_patch(self):
        """A strategic merge patch for something that is there."""
        kind, api, name, old = self.known(["Deployment", "StatefulSet", "DaemonSet", "ConfigMap", "Thing", "Service", "Ingress", "Secret"]) or (None,) * 4
        if not name:
            return None
        body = {"apiVersion": api, "kind": kind, "metadata": {"name": name}}
        if self.space_of(old):
            body["metadata"]["namespace"] = self.space_of(old)
        if self.maybe(0.05):
            return {**body, "$patch": "delete"}
        if self.maybe(0.03):
            return {**body, "$patch": "replace", "x": self.text()}
        if self.maybe(0.1):
            body["metadata"]["$deleteFromPrimitiveList/finalizers"] = ["q"]
        if self.maybe(0.5):
            body["metadata"]["labels"] = {"p": self.pick(TEXTS[:4]), "app": None}
        if self.maybe(0.3):
            body["metadata"]["annotations"] = {**self.pairs(), **({"tier": self.number()} if self.maybe(0.2) else {}), **({"$patch": "replace"} if self.maybe(0.2) else {})}
        if kind in ("Deployment", "StatefulSet", "DaemonSet") and self.maybe(0.8):
            body["spec"] = {"template": {"spec": self.pod_patch()}, **({"replicas": self.pick([1, 5, None])} if self.maybe(0.3) else {})}
        elif kind in ("ConfigMap", "Secret") and self.maybe(0.9):
            body["data"] = {"k": self.text() if self.maybe(0.7) else self.number(), "l": None}
        elif kind == "Thing":
            body["spec"] = self.pick([{"list": [{"name": "a", "v": 2}]}, {"list": [{"name": "a", "$patch": "delete"}]}, {"name": None}, {"$patch": "replace", "z": 1}])
        elif kind == "Service":
            body["spec"] = {"ports": [{"port": self.pick([80, 81, 82]), **self.pick([{"targetPort": "z"}, {"protocol": "UDP"}, {"$patch": "delete"}])}]}
        return body

    def number(self):
        """Without quotes, where a text may stand."""
        return self.pick([5, 0, -1, 1.5, True, False])

    def pod_patch(self):
        container = {"name": self.pick(["main", "side", "new"])}
        container.update(self.pick([{"image": "p:1"}, {"env": [self.env(0)]}, {"env": [{"name": "E0", "$patch": "delete"}]}, {"$patch": "delete"},
                                    {"ports": [{"containerPort": 80, "name": "http"}]}, {"args": ["one"]}, {"image": "p:2", "env": [self.env(1)], "command": None},
                                    {"env": [{"name": "E0", "value": self.number()}]}, {"image": "p:3", "$patch": "replace"},
                                    {"volumeMounts": [{"mountPath": "/a", "name": "v9"}]}]))
        spec = {"containers": [container]}
        if self.maybe(0.1):
            spec["containers"].insert(self.r.randint(0, 1), {"$patch": "replace"})
        if self.maybe(0.2):
            spec["volumes"] = [self.pick([{"name": "v0", "$patch": "delete"}, {"name": "v0", "emptyDir": {}}, {"name": "n", "configMap": {"name": self.name()}}])]
        if self.maybe(0.1):
            spec["$retainKeys"] = ["containers"]
        if self.maybe(0.1):
            spec["$setElementOrder/containers"] = [{"name": n} for n in self.r.sample(["main", "side", "new", "other"], 2)]
        if self.maybe(0.1):
            spec["tolerations"] = [{"key": self.name(), "operator": "Exists"}]
            container["$deleteFromPrimitiveList/args"] = [self.text()]
        return spec

    def with_text(self, entry, text, name):
        """The patch beside its target, or in a file."""
        if self.maybe(0.3):
            return {**entry, "path": self.file(f"{name}{len(self.files)}.yaml", text)}
        return {**entry, "patch": text}

    def patch_options(self):
        return {"options": self.r.choice([{"allowNameChange": self.maybe(0.5)}, {"allowKindChange": self.maybe(0.5)}, {}])} if self.maybe(0.3) else {}

    def any_patch(self):
        """For whatever kind its target selects."""
        body = {"apiVersion": "v1", "kind": self.pick(["Any", "ConfigMap"]), "metadata": {"name": self.pick(["any", "db"])}}
        body["metadata"].update(self.pick([{"labels": self.pairs()}, {"annotations": {**self.pairs(), "tier": None}}, {"labels": None}, {"namespace": self.pick(SPACES)}]))
        if self.maybe(0.3):
            body["data"] = {self.pick(["k", "l"]): self.pick([self.text(), None])}
        return body

    def patch(self):
        if self.maybe(0.4):
            target, ops = self.json_patch()
            return self.with_text({"target": target}, json.dumps(ops) if self.maybe(0.5) else emit(ops), "json")
        if self.maybe(0.1):
            return self.with_text({"target": self.target(), **self.patch_options()}, emit(self.any_patch()), "any")
        body = self.merge_patch()
        if not body:
            return {"target": self.target(), "patch": "[]"}
        entry = {}
        if self.maybe(0.4):
            entry["target"] = {"kind": body["kind"]} if self.maybe(0.5) else {"name": ".*", "kind": body["kind"]}
            if self.maybe(0.3):
                body["metadata"]["name"] = "other"
                entry["options"] = self.pick([{"allowNameChange": True}, {"allowKindChange": True}])
        return self.with_text(entry, emit(body), "merge")

    def strategic(self):
        body = self.merge_patch()
        if not body:
            return []
        return [self.file("strategic.yaml", [body]) if self.maybe(0.5) else emit(body)]

    def json6902(self):
        found = self.known(["Deployment", "ConfigMap", "Service"])
        if not found:
            return []
        group, _, version = found[1].rpartition("/")
        target = {**({"group": group} if group else {}), "version": version, "kind": found[0], "name": found[2]}
        ops = [{"op": "add", "path": "/metadata/labels", "value": {"p": self.text()}}]
        return [self.with_text({"target": target}, json.dumps(ops), "old")]

    # ---- replacements and vars

    def field_of(self, obj, write=lambda key: str(key).replace(".", "\\."), separator="."):
        """A path that is there, mostly."""
        steps, n = [], obj
        while isinstance(n, (dict, list)) and n:
            key = self.pick(list(n)) if isinstance(n, dict) else self.r.randrange(len(n))
            steps.append(write(key))
            n = n[key]
            if len(steps) > 1 and steps[0] != "metadata" and self.maybe(0.15):
                break
        return separator.join(steps)

    def replacement(self):
        paths = ["metadata.name", "metadata.labels.app", "spec.replicas", "data.k", "spec.template.spec.containers.0.image", "spec.list.[name=a].v",
                 "spec.ports.0.port", "metadata.annotations.a\\.b/c", "spec.name", "spec.template.spec.containers.*.name", "metadata.namespace",
                 "spec.template.spec.containers.[name=main].env.[name=E0].value", "spec.new.deep.[name=n].v", "spec.list.-", "spec.list.0.new",
                 "spec.template.spec.containers.*.env.*.value", "metadata.labels.[app]", "data.j\\.son.a", "subjects.*.namespace", "spec.ports.*.name",
                 "spec.list.*.name", "spec.template.spec.volumes.[name=v0].configMap.name", "rules.0.resourceNames.1"]
        source = self.known(["Deployment", "ConfigMap", "Thing", "Service", "Secret", "Role"])
        r = {"sourceValue": self.text()}
        if source and self.maybe(0.85):
            path = self.field_of(source[3]) if source[3] and self.maybe(0.7) else "metadata.name"
            r = {"source": {**self.exact(source), "fieldPath": path}}
            if self.space_of(source[3]):
                r["source"]["namespace"] = self.space_of(source[3])
            if self.maybe(0.15):
                r["source"]["options"] = {"delimiter": self.pick(["/", ":", "-"]), "index": int(self.maybe(0.2))}
        return {**r, "targets": [self.replaced(paths) for _ in range(self.pick([1, 1, 2]))]}

    def replaced(self, paths):
        found = self.known(["Deployment", "ConfigMap", "Thing", "Service", "Pod", "Ingress"])
        t = {"select": self.target(), "fieldPaths": [self.pick(paths)], "options": {"create": self.maybe(0.9)}}
        if found:
            t["select"] = self.exact(found)
            if found[3] and self.maybe(0.9):
                t["fieldPaths"] = [self.field_of({k: v for k, v in found[3].items() if k not in ("kind", "apiVersion")}) or "metadata.name"]
        if self.maybe(0.2):
            t["options"].update({"delimiter": self.pick(["/", ":", "."]), "index": self.r.randint(-1, 3)})
        if self.maybe(0.2):
            t["reject"] = [self.target()]
        return t

    def replacements(self):
        made = [self.replacement() for _ in range(self.r.randint(1, 2))]
        if self.maybe(0.2):
            made[0] = {"path": self.file("replacement.yaml", made[0] if self.maybe(0.5) else emit(made[:1]))}
        return made

    def vars(self):
        return [self.var(name) for name in ("NAME", "PORT")[: self.r.randint(1, 2)]]

    def var(self, name):
        found = self.known(["Service", "ConfigMap", "Deployment"]) or ("Service", "v1", self.name(), {})
        v = {"name": name + (str(len(self.files)) if self.maybe(0.3) else ""), "objref": {"apiVersion": found[1], "kind": found[0], "name": found[2]}}
        if self.space_of(found[3]):
            v["objref"]["namespace"] = self.space_of(found[3])
        path = {"Service": "spec.ports[0].port", "ConfigMap": "data.k", "Deployment": "spec.template.spec.containers[0].image"}[found[0]]
        if self.maybe(0.5):
            v["fieldref"] = {"fieldPath": self.pick([path, "metadata.name"])}
        return v

    def images(self):
        new = [{"newTag": "1.0"}, {"newName": "reg:1/x", "digest": "sha256:" + "3" * 64}, {"newName": "a/b:2"}, {"newTag": "9"}, {"newName": "other/n"}, {"digest": "sha256:" + "1" * 64}, {"newTag": "1", "digest": "sha256:" + "2" * 64}, {"tagSuffix": "-x"}, {"newTag": "1e3"}]
        names = self.r.sample(["nginx", "redis", "reg.io:5000/a/b", "n.*", "other/n"], self.r.randint(1, 2))
        return [{"name": name, **self.pick(new)} for name in names]

    def replicas(self):
        found = self.known(["Deployment", "StatefulSet"])
        return [{"name": found[2], "count": self.r.randint(0, 5)} for _ in range(self.r.randint(1, 2))] if found else []
