#!/usr/bin/env python3
"""Writes src/sandbox/protobuf/gen_protobuf.c: the wire numbers of the built-in kinds' fields.

    tools/gen-protobuf.py "$(go list -m -f '{{.Dir}}' k8s.io/api)" \
        "$(go list -m -f '{{.Dir}}' k8s.io/apimachinery)" > src/sandbox/protobuf/gen_protobuf.c

Reads the generated.proto files of both modules (Apache-2.0), and from types.go which fields are
inlined in JSON or have another name there.
"""
import os
import re
import sys

GROUPS = ["core/v1", "apps/v1", "authentication/v1", "authorization/v1", "autoscaling/v1",
          "autoscaling/v2", "batch/v1", "coordination/v1", "networking/v1", "policy/v1", "rbac/v1",
          "scheduling/v1", "storage/v1"]
NAMES = {"core": "", "apps": "apps", "authentication": "authentication.k8s.io",
         "authorization": "authorization.k8s.io", "autoscaling": "autoscaling", "batch": "batch",
         "coordination": "coordination.k8s.io", "networking": "networking.k8s.io",
         "policy": "policy", "rbac": "rbac.authorization.k8s.io",
         "scheduling": "scheduling.k8s.io", "storage": "storage.k8s.io"}
SPECIAL = {"Quantity": "QUANTITY", "Time": "TIME", "MicroTime": "TIME", "IntOrString": "INT_OR_STRING",
           "RawExtension": "RAW", "FieldsV1": "RAW", "Duration": "DURATION"}
SCALARS = {"bool": "BOOL", "int32": "INT", "int64": "INT", "uint32": "INT", "string": "STRING",
           "bytes": "BYTES"}


def read_protos(paths):
    messages = {}
    for path in paths:
        text = re.sub(r"//[^\n]*", "", open(path).read())
        package = re.search(r"package ([\w.]+);", text).group(1)
        for name, body in re.findall(r"message (\w+) \{(.*?)\n\}", text, re.S):
            fields = []
            for kind, type_name, field, number in re.findall(
                    r"(optional|repeated|map)\s*(<[^>]*>|[\w.]+)\s+(\w+) = (\d+)", body):
                fields.append((kind, type_name, field, int(number)))
            messages[package + "." + name] = (package, fields)
    return messages


def read_tags(paths):
    """(struct, protobuf name) -> (JSON name, "" for inlined ones; whether it is a pointer)."""
    tags = {}
    for path in paths:
        struct = None
        for line in open(path):
            opened = re.match(r"type (\w+) struct", line)
            if opened:
                struct = opened.group(1)
            tag = re.search(r'^\s+(?:\w+\s+)?(\*)?[\w.\[\]]+\s+`json:"([^",]*)[^"]*" '
                            r'protobuf:"[^"]*name=(\w+)', line)
            if tag:
                tags[(os.path.dirname(path), struct, tag.group(3))] = (tag.group(2), tag.group(1))
    return tags


def main():
    api, machinery = sys.argv[1], sys.argv[2]
    meta = machinery + "/pkg/apis/meta/v1"
    folders = {"k8s.io.api." + g.replace("/", "."): api + "/" + g for g in GROUPS}
    folders["k8s.io.apimachinery.pkg.apis.meta.v1"] = meta
    extra = [machinery + "/pkg/" + d for d in ("api/resource", "util/intstr", "runtime")]
    messages = read_protos([d + "/generated.proto" for d in list(folders.values()) + extra])
    tags = read_tags([os.path.join(d, f) for d in folders.values() for f in os.listdir(d)
                      if f.endswith("types.go") or f == "types.go"])
    roots = []
    for g in GROUPS:
        package = "k8s.io.api." + g.replace("/", ".")
        group, version = g.split("/")
        for name, (pkg, fields) in sorted(messages.items()):
            short = name.rsplit(".", 1)[1]
            if pkg == package and fields and fields[0][2] == "metadata" and not short.endswith("List"):
                roots.append((NAMES[group], version, short, name))
    roots.append(("", "v1", "DeleteOptions", "k8s.io.apimachinery.pkg.apis.meta.v1.DeleteOptions"))
    order, index, words, offsets = [], {}, [], {}

    def word(text):
        if text not in offsets:
            offsets[text] = sum(len(w) + 1 for w in words)
            words.append(text)
        return offsets[text]

    def resolve(package, name):
        name = name.lstrip(".")
        return name if "." in name else package + "." + name

    def visit(name):
        if name in index or name not in messages:
            return
        index[name] = len(order)
        order.append(name)
        package, fields = messages[name]
        for kind, type_name, _, _ in fields:
            value = type_name.strip("<>").split(",")[-1].strip()
            if value not in SCALARS and value != "double" and resolve(package, value).rsplit(".", 1)[1] not in SPECIAL:
                visit(resolve(package, value))

    for root in roots:
        visit(root[3])
    fields_out, messages_out = [], []
    for name in order:
        package, fields = messages[name]
        short = name.rsplit(".", 1)[1]
        first = len(fields_out)
        for kind, type_name, field, number in sorted(fields, key=lambda f: f[3]):
            value = type_name.strip("<>").split(",")[-1].strip()
            json, pointer = tags.get((folders.get(package), short, field), (field, None))
            how = {"optional": "SB_PB_PLAIN", "repeated": "SB_PB_REPEATED", "map": "SB_PB_MAP"}[kind]
            below = 0
            if value in SCALARS:
                what = SCALARS[value]
            else:
                full = resolve(package, value)
                last = full.rsplit(".", 1)[1]
                what = SPECIAL.get(last, "MESSAGE")
                if what == "MESSAGE":
                    if full not in index:
                        continue
                    below = index[full]
            if json == "":
                how = "SB_PB_INLINE"
            elif pointer:
                how = "SB_PB_POINTER"
            fields_out.append("{%d, %d, %d, SB_PB_%s, %s}" % (word(json), below, number, what, how))
        messages_out.append("{%d, %d}" % (first, len(fields_out) - first))
    print("/* Generated by tools/gen-protobuf.py from k8s.io/api v0.34.3 and k8s.io/apimachinery; see NOTICE. */")
    print('#include "sandbox/protobuf/protobuf_priv.h"\n')
    print("const struct sb_pb_root sb_pb_roots[] = {")
    for group, version, kind, name in sorted(roots, key=lambda r: (r[2], r[0], r[1])):
        print("    {%d, %d, %d, %d}, /* %s/%s %s */" % (word(group), word(version), word(kind), index[name], group, version, kind))
    print("};\nconst size_t sb_pb_root_count = ARRAY_LEN(sb_pb_roots);\n")
    print("const struct sb_pb_message sb_pb_messages[] = {")
    for m in messages_out:
        print("    %s," % m)
    print("};\n\nconst struct sb_pb_field sb_pb_fields[] = {")
    for f in fields_out:
        print("    %s," % f)
    print("};\n\nconst char sb_pb_words[] =")
    for w in words:
        print('    "%s\\0"' % w)
    print("    ;")


main()
