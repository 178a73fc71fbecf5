# shellcheck shell=bash
# examples/bootstrap from nothing to a shop that runs, a second run with nothing to do, a change, and back to nothing.
spec=$EXAMPLES/bootstrap/bootstrap.yaml
flags=(-f "$spec" --base-dir "$EXAMPLES/..")
trap 'kubectl delete namespace shop --ignore-not-found --wait=false >/dev/null 2>&1' RETURN

succeeds "the spec is valid" grapnel validate "${flags[@]}"
succeeds "a plan of an empty cluster" grapnel plan "${flags[@]}" --diff
says "creates namespace/shop"
says "cannot assess catalog/spring"
says "+  name: shop"
says "+  banner: Welcome" # in the namespace that is not there yet
ends_with 3 "changes are told by the exit status" grapnel plan "${flags[@]}" --exit-code

succeeds "the first run" grapnel apply "${flags[@]}"
says "pods-ready"
equals "the web server is available" 2 "$(kubectl -n shop get deployment/web -o 'jsonpath={.status.availableReplicas}')"
equals "the custom resource is there, defaulted" spring "$(kubectl -n shop get catalog/spring -o 'jsonpath={.spec.season}')"
equals "the patch was sent" true "$(kubectl -n shop get configmap/shop -o 'jsonpath={.metadata.annotations.shop\.example\.com/open}')"
equals "the migration has run" True "$(kubectl -n shop get job/migrate -o 'jsonpath={.status.conditions[?(@.type=="Complete")].status}')"

succeeds "the record is shown" grapnel status "${flags[@]}"
says "khook-state-shop"
succeeds "a plan with nothing to do" grapnel plan "${flags[@]}"
says "nothing to do"
ends_with 0 "nothing would change" grapnel plan "${flags[@]}" --exit-code
uid=$(kubectl -n shop get job/migrate -o 'jsonpath={.metadata.uid}')
succeeds "a second run does nothing" grapnel apply "${flags[@]}"
says "unchanged since it succeeded in a previous run"
equals "the migration did not run again" "$uid" "$(kubectl -n shop get job/migrate -o 'jsonpath={.metadata.uid}')"

succeeds "a change is planned" grapnel plan "${flags[@]}" --set VERSION=2 --diff
says '+  version: "2"'
succeeds "a change is applied" grapnel apply "${flags[@]}" --set VERSION=2 -o json
says '"status":"ok"'
equals "the configuration is new" 2 "$(kubectl -n shop get configmap/shop -o 'jsonpath={.data.version}')"

succeeds "everything goes away" grapnel destroy "${flags[@]}" --set VERSION=2
ends_with 1 "the namespace is gone" kubectl get namespace shop
ends_with 1 "the CRD is gone" kubectl get crd catalogs.shop.example.com
ends_with 1 "the record is gone" kubectl get secret khook-state-shop
succeeds "destroying again is fine" grapnel destroy "${flags[@]}" --set VERSION=2
succeeds "no record is no error" grapnel status "${flags[@]}"
