# shellcheck shell=bash
# examples/platform: charts, conditions, secrets, a CRD before its objects; killed on the way, failed, resumed, changed, removed.
export KHOOK_SECRET_DB_PASSWORD=correct-horse-battery
flags=(-f "$EXAMPLES/platform/platform.yaml" --base-dir spec)
shop=platform-shop
trap 'kubectl delete namespace $shop platform-system --ignore-not-found --wait=false >/dev/null 2>&1
    kubectl delete crd tenants.platform.example.com --ignore-not-found --wait=false >/dev/null 2>&1' RETURN
theirs() { "$PEER_HELM" --namespace $shop "$@"; }
age() { # NAMESPACE OBJECT ANNOTATION
    kubectl -n "$1" annotate "$2" "$3=2020-01-01T00:00:00Z" --overwrite >/dev/null
}

succeeds "the spec is valid" grapnel validate "${flags[@]}"
succeeds "a plan of an empty cluster" grapnel plan "${flags[@]}" --diff
says 'release "shop": ./charts/service'
says "when condition is false"
says "image: registry.example.com/platform/db:15"
never_says correct-horse

# killed while the shop's Pods do not come up
grapnel apply "${flags[@]}" --set FATE=crash >run.out 2>run.err &
run=$!
is_installing() { theirs history shop -o json | grep -q '"status":"pending-install"'; }
eventually "the shop is being installed" is_installing
kill -9 "$run"
wait "$run" 2>/dev/null
succeeds "helm sees what was installed before" theirs status database
keep_alive default secret/khook-state-platform khook.io/renewed
ends_with 1 "the lease of the run is alive" grapnel apply "${flags[@]}"
says "another run holds this spec"
age default secret/khook-state-platform khook.io/renewed
age $shop secret/sh.helm.release.v1.shop.v1 grapnel.dev/renewed

# taken up, but the shop is broken still
ends_with 1 "a broken shop fails" grapnel apply "${flags[@]}" --set FATE=crash --set SHOP_TIMEOUT=15s
says "unchanged since it succeeded in a previous run"
says 'Deployment/platform-shop/shop'
never_says correct-horse

# mended
succeeds "the mended shop comes up" grapnel apply "${flags[@]}"
says "unchanged since it succeeded in a previous run"
equals "the shop is available" 2 "$(kubectl -n $shop get deployment/shop -o 'jsonpath={.status.availableReplicas}')"
equals "the custom resource is there" standard "$(kubectl -n $shop get tenant/shop -o 'jsonpath={.spec.tier}')"
equals "it is open" true "$(kubectl -n $shop get configmap/shop -o 'jsonpath={.metadata.annotations.platform\.example\.com/open}')"
succeeds "helm tests it" theirs test shop
equals "both list the same" "$(theirs list -o json)" "$(helm -n $shop list -o json)"
succeeds "nothing is left to do" grapnel plan "${flags[@]}" --exit-code
says "nothing to do"

# changed
succeeds "a change is planned" grapnel plan "${flags[@]}" --set VERSION=2 --diff
says "image: registry.example.com/platform/shop:2"
succeeds "a change is applied" grapnel apply "${flags[@]}" --set VERSION=2
equals "the shop is new" registry.example.com/platform/shop:2 \
    "$(kubectl -n $shop get deployment/shop -o 'jsonpath={.spec.template.spec.containers[0].image}')"
succeeds "helm goes back" theirs rollback shop
succeeds "everything goes away" grapnel destroy "${flags[@]}"
equals "no release is left" "[]" "$(theirs list -A -o json)"
ends_with 1 "the namespace is gone" kubectl get namespace $shop
