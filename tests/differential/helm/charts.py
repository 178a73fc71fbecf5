"""Random charts: subcharts with aliases, conditions, tags and imported values, globals, nulls, every way to give values, hooks, ignore files."""
import json

KEYS = ["a", "b", "c", "sub", "x", "enabled", "global", "data", "list", "al", "two"]
SUBS = ["sub", "two", "al", "third"]
SCALARS = ["null", "1", "0", "-5", "1.5", "true", "false", "text", '""', '"quoted: text"', "~", "12345678901", "1e3", "0x10", "010", "yes", "2001-01-01", "'it''s'", '"1"', "1_000", ".5"]
KINDS = ["ConfigMap", "Secret", "Service", "Deployment", "Namespace", "Job", "Pod", "CustomThing", "ServiceAccount", "ClusterRole", "Ingress", "CronJob", "PriorityClass"]
HOOKS = ["pre-install", "post-install", "pre-upgrade,post-upgrade", "test", "pre-delete", "post-install, pre-install", "bogus", "test-success", "crd-install"]
SETS = ["a=1", "a.b=text", "list[0]=x", "list[2].y=z", "a=null", "sub.a=null", "a={x,y,1}", "a={}", "b=true,c=false", "global.g=1", "sub.enabled=false", "tags.front=true", "a\\.b=1", "a=x\\,y", "two.list[1]=5", "a[0][1]=2", "x=1e3", "x=012", "x=",
        "a", "=1", "a[=1", "a[-1]=1", "a.b[0].c=deep,a.b[1].c=more", "data.k=v", "data=null", "c=0x10", "al.a=from-set", "enabled=true", "b=\"q\"", "sub.global.g=2", "list=null", "x=9007199254740993", "a=true ", " a=1", "a={1,null,true}", "a.=1", "sub={a,b}"]
JSONS = ["a={\"k\":[1,2.5,null]}", "list[1]=[1]", "a=3", "sub.a=\"s\"", "{\"a\":1,\"sub\":{\"b\":null}}", "a={", "b=null", "a=1,b=2", "x=[{\"y\":1}]", "global={\"g\":\"json\"}", "[1]", "c=12345678901234567890"]
LITERALS = ["a=x,y{}", "sub.a=null", "b=[1]", "x=a\\b"]
IGNORES = ["*.txt", "/files/b.txt", "files/", "!files/a.txt", "# note", "", "templates/extra*", "**/c", "[ab].txt", "./files", "files/**", "*.md", "dir/", "charts/two", " *.bak ", "NOTES.txt", "a?txt"]


class Maker:
    def __init__(self, r):
        self.r = r

    def some(self, chance):
        return self.r.random() < chance

    def value(self, depth):
        sort = self.r.random()
        if depth > 0 and sort < 0.4:
            return {k: self.value(depth - 1) for k in self.r.sample(KEYS, self.r.randint(0, 3))}
        if depth > 0 and sort < 0.55:
            return [self.value(depth - 1) for _ in range(self.r.randint(0, 3))]
        return Raw(self.r.choice(SCALARS))

    def values(self, subs):
        out = {k: self.value(2) for k in self.r.sample(KEYS, self.r.randint(0, 6))}
        for name in subs:
            if self.some(0.5):
                out[name] = self.value(2) if self.some(0.15) else {k: self.value(1) for k in self.r.sample(KEYS, self.r.randint(0, 3))}
                if isinstance(out[name], dict) and self.some(0.4):
                    out[name]["enabled"] = Raw(self.r.choice(["true", "false", "null", "1", '"true"']))
        if self.some(0.4):
            out["global"] = self.value(2) if self.some(0.2) else {k: self.value(1) for k in self.r.sample(["g", "a", "h", "sub"], self.r.randint(0, 3))}
        if self.some(0.3):
            out["tags"] = {k: Raw(self.r.choice(["true", "false", "null", "1"])) for k in self.r.sample(["front", "back"], self.r.randint(1, 2))}
        if self.some(0.3):
            out["exports"] = {"e": {k: self.value(1) for k in self.r.sample(KEYS, 2)}, "f": self.value(1)}
        return out

    def template(self, name):
        r = self.r
        if self.some(0.07):
            return r.choice(["", "\n", "# only a comment\n", "---\n---\n", "{{ fail \"refused\" }}", "{{- required \"need it\" .Values.nope }}", "a: [\n", "- list\n", "text", "{{ .Values.a.b.c }}\n", "kind: ConfigMap\n  bad: 1\n", "{{ include \"absent\" . }}", "{{ .Values.global.g.h }}"])
        docs = []
        for i in range(r.randint(1, 3)):
            notes = []
            if self.some(0.3):
                notes.append('helm.sh/hook: "%s"' % r.choice(HOOKS))
                if self.some(0.5):
                    notes.append('helm.sh/hook-weight: "%s"' % r.choice(["1", "-5", "0", "10", "x", ""]))
                if self.some(0.3):
                    notes.append("helm.sh/hook-delete-policy: " + r.choice(["before-hook-creation", "hook-succeeded,hook-failed", "bogus"]))
            if self.some(0.1):
                notes.append("helm.sh/resource-policy: keep")
            body = r.choice(["values: {{ .Values | toJson | quote }}", "values:\n{{ toYaml .Values | indent 2 }}", "values: {{ toJson .Values.global | quote }}\nsub: {{ .Values.sub | quote }}", "chart: {{ .Chart.Name }}-{{ .Chart.Version }} {{ .Chart.IsRoot }}",
                             "name: {{ include \"name\" . }}", "subs: {{ keys .Subcharts | sortAlpha | join \",\" }}", "file: {{ .Files.Get \"files/a.txt\" | quote }}\nall: {{ range $p, $_ := .Files.Glob \"**\" }}{{ $p }},{{ end }}", "{{- with .Values.a }}\na: {{ . | toJson }}\n{{- end }}",
                             "release: {{ .Release | toJson }}", "template: {{ .Template.Name }} {{ .Template.BasePath }}", "caps: {{ .Capabilities.KubeVersion }} {{ .Capabilities.KubeVersion.Minor }} {{ .Capabilities.APIVersions.Has \"apps/v9\" }}",
                             "tpl: {{ tpl \"{{ .Values.x | quote }}\" . }}", "raw: {{ .Values.x }}", "{{ range $k, $v := .Values }}{{ $k }}: {{ typeOf $v }}\n{{ end }}", "meta: {{ toYaml .Chart.Dependencies | quote }}", "sub: {{ range .Subcharts }}{{ .Values | toJson | quote }}{{ break }}{{ end }}"])
            docs.append("apiVersion: v1\nkind: %s\nmetadata:\n  name: %s-%s-%d\n%s%s" % (r.choice(KINDS), r.choice(["n", "{{ .Release.Name }}", "m"]), name, i, "  annotations:\n" + "".join("    %s\n" % n for n in notes) if notes else "", body.lstrip() if not body.startswith("{{-") else body))
        return r.choice(["", "---\n", "# head\n", "\n\n"]) + r.choice(["\n---\n", "\n---\n# between\n", "\n--- \n", "\n---\n\n---\n"]).join(docs) + r.choice(["", "\n", "\n\n", "\n---\n", "\n..."])

    def dependency(self, name):
        r = self.r
        d = {"name": name, "version": r.choice(["0.1.0", "0.1.0", "*", "^0.1", ">=0.1.0", "2.x", "0.1.x"])}
        if self.some(0.4):
            d["repository"] = r.choice(["https://example.com/charts", "", "file://../" + name])
        if self.some(0.4):
            d["condition"] = r.choice([name + ".enabled", "enabled", "a.b," + name + ".enabled", "global.g", "nope.x", name + ".enabled,tags.front", " " + name + ".enabled"])
        if self.some(0.3):
            d["tags"] = r.sample(["front", "back", "other"], r.randint(1, 2))
        if self.some(0.3):
            d["alias"] = r.choice(["al", "alias-" + name, name])
        if self.some(0.3):
            d["import-values"] = r.choice([["e"], ["e", "f"], [{"child": "a", "parent": "data"}], [{"child": "data", "parent": "."}], [{"child": "global", "parent": "x"}], ["nope"], [{"child": "exports.e", "parent": "a.b"}], [{"child": "x", "parent": "x"}]])
        return d

    def chart(self, name, depth):
        """The files of a chart, paths within it."""
        r, files = self.r, {}
        subs = r.sample([s for s in SUBS if s != name], r.choice([0, 1, 1, 2, 2, 3])) if depth else []
        meta = {"apiVersion": "v2" if self.some(0.9) else "v1", "name": name, "version": r.choice(["0.1.0"] * 8 + ["0.1.0+b.1", "1.2.3-rc.1", "v0.1.0"])}
        if self.some(0.3):
            meta["appVersion"] = r.choice(["1.16", "v2"])
        if self.some(0.1):
            meta["type"] = r.choice(["application", "library"])
        if self.some(0.1):
            meta["kubeVersion"] = r.choice([">=1.20.0-0", ">=1.99", "1.x", "~1.30"])
        if self.some(0.2):
            meta["description"] = "About " + name
        listed = [s for s in subs if self.some(0.85)]
        if listed or self.some(0.03):
            meta["dependencies"] = [self.dependency(s) for s in listed + (r.sample(listed, 1) if listed and self.some(0.15) else [])] or [self.dependency("absent")]
        files["Chart.yaml"] = yaml_of(meta)
        names = subs + [d["alias"] for d in meta.get("dependencies", []) if "alias" in d]
        if self.some(0.95):
            files["values.yaml"] = yaml_of(self.values(names)) if self.some(0.98) else r.choice(["", "a: [", "- x", "# none\n", "null", "a: 1\na: 2\n"])
        for i in range(r.randint(1, 2) if depth < 2 or self.some(0.9) else 0):
            files["templates/%s%d.yaml" % (r.choice(["t", "z", "extra", "sub/n"]), i)] = self.template(name)
        files["templates/_h.tpl"] = '{{ define "name" }}' + name + '{{ end }}'
        if self.some(0.4):
            files["templates/NOTES.txt"] = "Notes of {{ .Chart.Name }} {{ .Values.a }}"
        if self.some(0.3):
            files["crds/c.yaml"] = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: c-%s\n" % name + r.choice(["", "---\nkind: X\n", "# end"])
        if self.some(0.5):
            for path in r.sample(["files/a.txt", "files/b.txt", "files/c", "README.md", "dir/x.txt", "a.txt", "files/sub/a.txt"], r.randint(1, 5)):
                files[path] = "content of " + path + r.choice(["", "\n", "\n\xe9\n"])
        if self.some(0.3):
            files[".helmignore"] = "\n".join(r.sample(IGNORES, r.randint(1, 4))) + "\n"
        if self.some(0.04):
            files["values.schema.json"] = json.dumps({"type": "object", "properties": {"a": {"type": r.choice(["string", "number", "object", "null"])}}, "required": r.sample(KEYS, 1)})
        for s in subs:
            for path, content in self.chart(s, depth - 1).items():
                files["charts/%s/%s" % (s, path)] = content
        return files

    def arguments(self, files):
        r, args = self.r, []
        for _ in range(r.choice([0, 0, 1, 1, 2, 3])):
            sort = r.choice(["set", "set", "set", "set-string", "set-json", "set-file", "set-literal", "values", "values"])
            if sort == "values":
                path = "values-%d.yaml" % len(args)
                files["../given/" + path] = yaml_of(self.values(SUBS)) if self.some(0.97) else r.choice(["", "a: [", "- x"])
                args += ["-f", "FOLDER/../given/" + path]
            elif sort == "set-file":
                files["../given/file.txt"] = r.choice(["text", "a,b\n", ""])
                args += ["--set-file", r.choice(["a", "a.b", "list[0]", "sub.a"]) + "=FOLDER/../given/" + r.choice(["file.txt", "file.txt", "file.txt", "absent"])]
            else:
                args += ["--" + sort, r.choice({"set": SETS, "set-string": SETS, "set-json": JSONS, "set-literal": LITERALS}[sort])]
        for flag in ["--include-crds", "--no-hooks", "--skip-tests", "--is-upgrade", "--skip-crds", "--dependency-update", "--skip-schema-validation", "--debug"]:
            if flag not in ("--dependency-update", "--debug") and self.some(0.06):
                args.append(flag)
        if self.some(0.1):
            args += ["--show-only", r.choice(["templates/t0.yaml", "templates/*.yaml", "templates/NOTES.txt", "charts/sub/templates/t0.yaml", "nope", "templates/sub/*"])]
        if self.some(0.1):
            args += ["--kube-version", r.choice(["1.30.0", "v1.25", "1.31.2-gke.5", "x", "1.34+"])]
        if self.some(0.05):
            args += ["--api-versions", "apps/v9"]
        return args


class Raw(str):
    """A scalar as it is written."""


def yaml_of(value, indent=0):
    pad = "  " * indent
    if isinstance(value, dict):
        out = ""
        for k, v in value.items():
            if isinstance(v, (dict, list)) and v:
                out += pad + k + ":\n" + yaml_of(v, indent + 1)
            else:
                out += pad + k + ": " + scalar(v) + "\n"
        return out or pad + "{}\n"
    out = ""
    for v in value:
        if isinstance(v, (dict, list)) and v:
            out += pad + "-\n" + yaml_of(v, indent + 1)
        else:
            out += pad + "- " + scalar(v) + "\n"
    return out or pad + "[]\n"


def scalar(v):
    return v if isinstance(v, Raw) else "{}" if v == {} else "[]" if v == [] else json.dumps(v)


def make(r):
    m = Maker(r)
    files = m.chart("root", 2)
    return files, m.arguments(files)
