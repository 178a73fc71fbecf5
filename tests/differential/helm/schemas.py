"""Random schemas of values and values that meet them or not: what is compared are helm's words for what is wrong."""
import json
import re

DRAFTS = ["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#", "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema", None, None]
NAMES = ["a", "b", "c", "d"]
WORDS = ["", "x", "abc", "a@b.c", "2024-01-01", "10.0.0.1", "http://h/p", "-", "é日本", "longer than ten"]


class Maker:
    def __init__(self, r):
        self.r = r

    def value(self, depth):
        r = self.r
        sort = r.randint(0, 7 if depth else 5)
        if sort == 6:
            return {n: self.value(depth - 1) for n in r.sample(NAMES, r.randint(0, 3))}
        if sort == 7:
            return [self.value(depth - 1) for _ in range(r.randint(0, 3))]
        return [None, True, r.randint(-3, 12), r.choice([1.5, 0.1, 1e21, -2.5, 3.0]), r.choice(WORDS), r.choice(WORDS)][sort]

    def type(self):
        return self.r.choice(["string", "number", "integer", "boolean", "null", "array", "object", ["string", "null"], ["array", "object"]])

    def schema(self, depth):
        r, out = self.r, {}
        if r.random() < 0.06:
            return r.random() < 0.6
        makers = {"type": self.type, "enum": lambda: [self.value(1) for _ in range(r.randint(1, 3))], "const": lambda: self.value(1), "minimum": lambda: r.randint(-2, 5), "maximum": lambda: r.randint(0, 8),
                  "multipleOf": lambda: r.choice([2, 0.1, 3]), "minLength": lambda: r.randint(0, 4), "maxLength": lambda: r.randint(0, 6), "pattern": lambda: r.choice(["^a", "[0-9]+", "b$", "^.{2}$"]),
                  "minItems": lambda: r.randint(0, 3), "maxItems": lambda: r.randint(0, 2), "uniqueItems": lambda: True, "minProperties": lambda: r.randint(0, 3), "maxProperties": lambda: r.randint(0, 2),
                  "required": lambda: r.sample(NAMES, r.randint(1, 2)), "format": lambda: r.choice(["email", "date", "ipv4", "uri", "uri-reference", "regex", "date-time", "hostname", "duration", "ipv6", "uuid", "json-pointer"])}
        if depth:
            below = lambda: self.schema(depth - 1)
            makers.update({"properties": lambda: {n: below() for n in r.sample(NAMES, r.randint(1, 3))}, "additionalProperties": lambda: r.choice([False, below()]), "items": below, "not": below, "allOf": lambda: [below(), below()],
                           "anyOf": lambda: [below(), below()], "oneOf": lambda: [below(), below()], "if": below, "then": below, "else": below, "patternProperties": lambda: {r.choice(["^a", "b", "[cd]"]): below()},
                           "propertyNames": below, "contains": below, "dependencies": lambda: {r.choice(NAMES): r.choice([["b"], below()])}, "$ref": lambda: r.choice(["#/definitions/one", "#/$defs/two", "#"] if r.random() < 0.9 else ["#/nope"])})
        for name in r.sample(list(makers), r.randint(1, 3)):
            out[name] = makers[name]()
        return out


def canonical(text):
    """A message in one order: helm goes through maps, so its problems come in another order each time."""
    above, lines = [], []
    for line in text.split("\n"):
        extra = re.search("additional properties (.*) not allowed", line)
        if extra:
            line = line.replace(extra[1], ", ".join(sorted(extra[1].split(", "))))
        depth = (len(line) - len(line.lstrip())) // 2
        above = above[:depth] + [line]
        lines.append(tuple(above))
    return sorted(lines)


def make(r):
    m = Maker(r)
    values = {n: m.value(2) for n in r.sample(NAMES, r.randint(0, 4))}
    schema = {"type": "object", "properties": {n: m.schema(2) for n in r.sample(NAMES, r.randint(1, 4))}, "definitions": {"one": m.schema(1)}, "$defs": {"two": m.schema(1)}}
    if r.random() < 0.3:
        schema["additionalProperties"] = False
    if r.random() < 0.4:
        schema["required"] = r.sample(NAMES, r.randint(1, 2))
    draft = r.choice(DRAFTS)
    if draft:
        schema["$schema"] = draft
    files = {"Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n", "values.yaml": json.dumps(values), "values.schema.json": json.dumps(schema), "templates/x.yaml": "x: {{ .Values | toJson | quote }}\n"}
    return files, []
