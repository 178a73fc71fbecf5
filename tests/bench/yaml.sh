# shellcheck shell=bash
# Reading and writing manifests: 5 MB of Pods, 2.7 MB of applications.
yaml_bench "$BENCH_INPUTS/pods.yaml" pods
yaml_bench "$BENCH_INPUTS/apps.yaml" apps
