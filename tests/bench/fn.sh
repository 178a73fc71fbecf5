# shellcheck shell=bash
# KRM functions over 1,000 resources (P12).
fn_bench
