# shellcheck shell=bash
# The template engine alone: 10,000 maps, 1 MB of output.
python3 - "$BENCH_INPUTS/items.json" <<'END'
import json, sys
items = [{"name": f"app-{i}", "image": f"registry.example/team/app:{i % 9}.{i % 100}",
          "tier": "backend" if i % 2 else 'front"end'} for i in range(10000)]
json.dump({"items": items}, open(sys.argv[1], "w"))
END
template_bench "$BENCH_TOP/tests/bench/template.tmpl" "$BENCH_INPUTS/items.json"
