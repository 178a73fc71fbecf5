# shellcheck shell=bash
# The client against a stand-in for the API server: a watch of 20,000 events (92 MB), 1,000 applies.
kube_bench "$BENCH_INPUTS/watch.ndjson"
