# shellcheck shell=bash
# Builds of the generated workloads beside kustomize (P2 to P10): outputs are compared first. BENCH_LONG=1 adds those for which
# kustomize needs minutes.
set -u
work=$BENCH_INPUTS/build
kustomize=$BENCH_TOP/out/cluster/bin/kustomize # on the path it is a name of ours
generator=$BENCH_DATA/gen_kustomize.py
mkdir -p "$work"

# make_one KIND RESOURCES DEPTH: prints the folder to build.
make_one() {
    local name=$1-$2-d$3
    [ -e "$work/$name/MANIFEST.json" ] ||
        python3 "$generator" one "$work/$name" --kind "$1" --resources "$2" --depth "$3" >/dev/null
    echo "$work/$name/top"
}

# against NAME BAR KIND RESOURCES DEPTH [OPTION...]: beside kustomize.
against() {
    local name=$1 bar=$2 dir
    dir=$(make_one "$3" "$4" "$5")
    shift 5
    if ! cmp -s <(grapnel build "$dir" 2>/dev/null) <("$kustomize" build "$dir" 2>/dev/null); then
        echo "bench/build/$name against kustomize: UNEQUAL"
        return
    fi
    commands_bench --name "build/$name against kustomize" --bar "$bar" "$@" --ours "grapnel build $dir" \
        --theirs "$kustomize build $dir"
}

# own NAME KIND RESOURCES DEPTH OPTION...: our own time and memory, beside a program that only reads and prints the same bytes.
own() {
    local name=$1 dir files=$work/$2-$3-d$4.yaml
    dir=$(make_one "$2" "$3" "$4")
    grapnel build "$dir" >"$files" 2>/dev/null
    shift 4
    commands_bench --name "build/$name against reading and printing the same bytes" "$@" --ours "grapnel build $dir" \
        --theirs "emit_bench $files"
}

against plain-10-d1 20 plain 10 1 --times 5
against full-10-d1 40 full 10 1 --times 3
against full-100-d3 200 full 100 3
against plain-1000-d1 150 plain 1000 1
own plain-1000-d1 plain 1000 1 --at-most 3 --times 5
own plain-5000-d1 plain 5000 1 --cpu-ms 40 --rss 25
own full-5000-d1 full 5000 1 --cpu-ms 150 --rss 40
against crds-20 80 crds 20 1

for kind in plain labels prefix namespace images patches cmgen replacements full tree; do
    commands_bench --name "build/growth of $kind, 5,000 against 1,000" --at-most 5.8 --times 3 \
        --ours "grapnel build $(make_one $kind 5000 1)" --theirs "grapnel build $(make_one $kind 1000 1)" 2>/dev/null
done

commands_bench --name "build/plain-5000-d1 against reading and printing by Go's yaml.v3" --bar 15 \
    --ours "grapnel build $(make_one plain 5000 1)" --theirs "yaml-v3 $work/plain-5000-d1.yaml"

one=$work/one
mkdir -p "$one"
printf 'configMapGenerator:\n- name: a\n  literals: [k=v]\n' >"$one/kustomization.yaml"
commands_bench --name "build/one ConfigMap against an empty program" --at-most 4 --times 50 --ours "grapnel build $one" \
    --theirs empty_bench

[ -z "${BENCH_LONG:-}" ] || {
    against full-1000-d1 350 full 1000 1
    against full-1000-d5 500 full 1000 5
}
