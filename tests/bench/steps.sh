# shellcheck shell=bash
# The step engine: what a step costs that does nothing, and how near a run comes to its critical path.
steps_bench
