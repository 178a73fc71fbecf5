# shellcheck shell=bash
# Five times the work takes five times as long.
growth_bench "$BENCH_INPUTS/apps.yaml"
