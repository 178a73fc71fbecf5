# shellcheck shell=bash
# CEL and JSON Schema: a condition of five operators; a schema of a chart's size on 1 MB of values.
python3 - "$BENCH_INPUTS/schema.json" "$BENCH_INPUTS/schema-values.json" <<'END'
import json, sys
port = {"type": "object", "required": ["name", "port"], "additionalProperties": False, "properties": {
    "name": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$", "maxLength": 15},
    "port": {"type": "integer", "minimum": 1, "maximum": 65535},
    "protocol": {"enum": ["TCP", "UDP", "SCTP"]}}}
resources = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {
    "type": ["string", "number"]}}}
app = {"type": "object", "required": ["image", "replicas"], "properties": {
    "image": {"type": "object", "required": ["repository"], "properties": {
        "repository": {"type": "string", "minLength": 1}, "tag": {"type": ["string", "null"]},
        "pullPolicy": {"enum": ["Always", "IfNotPresent", "Never"]}}},
    "replicas": {"type": "integer", "minimum": 0},
    "ports": {"type": "array", "items": {"$ref": "#/$defs/port"}, "uniqueItems": True},
    "resources": {"$ref": "#/$defs/resources"},
    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    "strategy": {"oneOf": [{"type": "string"}, {"type": "object", "required": ["type"]}]}}}
schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"port": port, "resources": resources, "app": app},
          "type": "object", "properties": {"apps": {"type": "object", "additionalProperties": {"$ref": "#/$defs/app"}}}}
json.dump(schema, open(sys.argv[1], "w"))
apps = {}
while True:
    i = len(apps)
    apps[f"app-{i}"] = {
        "image": {"repository": f"registry.example/team/app-{i}", "tag": None if i % 3 else f"1.{i}", "pullPolicy": "Always"},
        "replicas": i % 7, "labels": {"app": f"app-{i}", "tier": "backend", "team": "shop"},
        "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}, {"name": "metrics", "port": 9090}],
        "resources": {"limits": {"cpu": "500m", "memory": "1Gi"}, "requests": {"cpu": 0.1, "memory": "64Mi"}},
        "strategy": {"type": "Recreate"} if i % 2 else "RollingUpdate"}
    if i % 100 == 0 and len(json.dumps({"apps": apps})) >= 1000000:
        break
json.dump({"apps": apps}, open(sys.argv[2], "w"))
END
expr_bench "$BENCH_INPUTS/schema.json" "$BENCH_INPUTS/schema-values.json"
