# shellcheck shell=bash
# The embedded API server by itself; apply.sh has it beside a real one.
sandbox_bench
