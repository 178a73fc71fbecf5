# shellcheck shell=bash
# The commands that README.md shows, one after the other as they stand there, but in the scenario's namespace: a user's first minute.
top=$(dirname "$EXAMPLES")
kubectl config view --raw >config
KUBECONFIG=$PWD/config kubectl config set-context --current --namespace "$NS" >/dev/null
trap 'kubectl delete namespace shop --ignore-not-found --wait=false >/dev/null 2>&1' RETURN

mapfile -t lines < <(sed -n 's/^    \(grapnel .*\)/\1/p' "$top/README.md" | grep -v '^grapnel sandbox ')
[ "${#lines[@]}" -gt 10 ] || fail "README.md shows commands" "${lines[@]}"
for line in "${lines[@]}"; do
    status=0
    [[ $line != *' build --diff '* ]] || status=3 # there is a difference
    ends_with "$status" "${line%%  *}" env KUBECONFIG="$PWD/config" bash -o pipefail -c "cd '$top' && $line"
done
