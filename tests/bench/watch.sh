# shellcheck shell=bash
# How soon a saved file shows in the output of `build --watch`: a fleet of 500 applications with one file for each resource; a flat
# list with transformers over all of it.
set -u
work=$BENCH_INPUTS/build
mkdir -p "$work"
for kind in tree patches; do
    [ -e "$work/$kind-5000-d1/MANIFEST.json" ] ||
        python3 "$BENCH_DATA/gen_kustomize.py" one "$work/$kind-5000-d1" --kind $kind --resources 5000 --depth 1 >/dev/null
done
watch_bench grapnel "$work/tree-5000-d1/top" "$work/tree-5000-d1/base/team-003/app-00061/deployment.yaml" "watch/tree-5000-d1"
watch_bench grapnel "$work/patches-5000-d1/top" "$work/patches-5000-d1/base/app-00061.yaml" "watch/patches-5000-d1"
