# shellcheck shell=bash
# How soon a wait sees what it waits for.
wait_bench
