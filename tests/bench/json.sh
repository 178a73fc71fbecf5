# shellcheck shell=bash
# Reading and writing a JSON PodList of 5 MB.
json_bench "$BENCH_INPUTS/pods.json"
