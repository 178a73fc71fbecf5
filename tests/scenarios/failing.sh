# shellcheck shell=bash
# A Job that fails: the run fails and its message has the Pod's last words.
trap 'kubectl delete namespace shop-failing --ignore-not-found --wait=false >/dev/null 2>&1' RETURN

ends_with 1 "the run fails" grapnel apply -f "$EXAMPLES/bootstrap/failing.yaml"
says "cannot reach the database: connection refused"
says "job/migrate@shop-failing"
says "Error: 1 of 2 step(s) failed"
succeeds "and can be taken away" grapnel destroy -f "$EXAMPLES/bootstrap/failing.yaml"
