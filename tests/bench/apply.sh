# shellcheck shell=bash
# 1,000 objects (100 application units) by server-side apply: on a server that takes 5 ms for each answer, and on a real control
# plane; beside kubectl, and beside a bare client that only sends. Then the sandbox beside the real server.
set -u
dir=$(mktemp -d)
stop() { "$BENCH_TOP/tests/cluster/control-plane" stop "$dir/cluster" >/dev/null 2>&1; rm -rf "$dir"; }
trap stop EXIT
awk '/^---$/ {n++} n < 1000' "$BENCH_INPUTS/apps.yaml" >"$dir/apps.yaml"
cat >"$dir/spec.yaml" <<EOF
apiVersion: khook.io/v1
kind: Khook
metadata: {name: bulk}
steps:
- name: all
  timeout: 3m
  apply: {serverSide: true, namespace: bulk, createNamespace: true, manifests: [{file: $dir/apps.yaml}]}
EOF
ours="grapnel apply -f $dir/spec.yaml --log-level error"
kubectl="kubectl apply --server-side --force-conflicts --field-manager=khook --validate=false -n bulk -f $dir/apps.yaml"

cat >"$dir/slow" <<EOF
$ours >/dev/null
commands_bench --name "apply/1,000 objects, 5 ms server, against kubectl" --bar 12 --ours "$ours" --theirs "$kubectl"
EOF
grapnel sandbox --latency 5ms --no-controllers -- bash "$dir/slow"

mkdir "$dir/cluster"
"$BENCH_TOP/tests/cluster/build" >/dev/null && "$BENCH_TOP/tests/cluster/control-plane" start "$dir/cluster" >/dev/null || exit 2
export KUBECONFIG=$dir/cluster/kubeconfig
$ours >/dev/null
kubectl -n bulk delete deployments --all --wait=false >/dev/null # no Pods: the server's own work is compared
commands_bench --name "apply/1,000 objects, real server, against kubectl" --bar 1.7 --cpu 5 --rss 20 --ours "$ours" --theirs "$kubectl"
commands_bench --name "apply/1,000 objects, real server, against a bare client" --at-most 1.25 --ours "$ours" \
    --theirs "bare_bench $KUBECONFIG $dir/apps.yaml bulk"

sed "s|$dir/apps.yaml|$BENCH_INPUTS/apps.yaml|" "$dir/spec.yaml" >"$dir/all.yaml"
all="grapnel apply -f $dir/all.yaml --log-level error"
cat >"$dir/growth" <<EOF
$all >/dev/null
commands_bench --name "growth/apply, 5,000 against 1,000" --cpu 0.181818 --ours "$all" --theirs "$ours"
EOF
grapnel sandbox --no-controllers -- bash "$dir/growth"

cat >"$dir/fast" <<EOF
$ours >/dev/null
commands_bench --name "sandbox/1,000 server-side applies against the real server" --bar 5 \
    --ours "bare_bench \$KUBECONFIG $dir/apps.yaml bulk" --theirs "bare_bench $KUBECONFIG $dir/apps.yaml bulk"
EOF
grapnel sandbox --no-controllers -- bash "$dir/fast"
