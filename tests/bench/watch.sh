# shellcheck shell=bash
# What an event of a watch costs, from the socket to the tree.
watch_bench "$BENCH_INPUTS/pods.json"
