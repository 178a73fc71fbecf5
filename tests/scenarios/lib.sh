# shellcheck shell=bash
# What scenarios are told in. A scenario is a script tests/scenarios/NAME.sh, sourced by ./run in a process and a fresh folder
# of its own, once against the sandbox and once against a real control plane, with the same expectations. It has
#
#   $NS        a namespace of its own, which exists and is removed afterwards
#   $BACKEND   sandbox or cluster, for messages: expectations do not ask for it
#   KUBECONFIG of the API server; grapnel, its other names and kubectl are on the PATH
#   $PEER_HELM the helm CLI
#
# A failing check prints what it saw, counts, and the scenario goes on; a scenario that ends early has failed.
checks_passed=0 checks_failed=0

# capture COMMAND...: runs it; its outputs and status are in $out, $err, $rc afterwards.
capture() {
    rc=0
    "$@" >.out 2>.err </dev/null || rc=$?
    out=$(cat .out) err=$(cat .err)
}

pass() { checks_passed=$((checks_passed + 1)); }
fail() { # SENTENCE DETAIL...
    checks_failed=$((checks_failed + 1))
    printf 'FAILED %s on %s: %s\n' "$SCENARIO" "$BACKEND" "$1"
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/    /'
}

# succeeds SENTENCE COMMAND...
succeeds() {
    local sentence=$1
    shift
    capture "$@"
    if [ "$rc" -eq 0 ]; then pass; else fail "$sentence" "\$ $*" "exit status $rc" "$out" "$err"; fi
}

# ends_with STATUS SENTENCE COMMAND...
ends_with() {
    local status=$1 sentence=$2
    shift 2
    capture "$@"
    if [ "$rc" -eq "$status" ]; then pass; else fail "$sentence" "\$ $*" "exit status $rc instead of $status" "$out" "$err"; fi
}

# What the last captured command printed holds the text (a fixed string), on either output.
says() {
    if grep -qF -- "$1" .out .err; then pass; else fail "says: $1" "$out" "$err"; fi
}
never_says() {
    if grep -qF -- "$1" .out .err; then fail "never says: $1" "$out" "$err"; else pass; fi
}

# equals SENTENCE WANT GOT
equals() {
    if [ "$2" = "$3" ]; then pass; else fail "$1" "wanted: $2" "got:    $3"; fi
}

# eventually SENTENCE COMMAND...: until the command succeeds. Only what never comes takes all that time.
eventually() {
    local deadline=$((SECONDS + 180)) sentence=$1
    shift
    until "$@" >.out 2>.err </dev/null; do
        if [ "$SECONDS" -ge "$deadline" ]; then
            fail "$sentence" "\$ $*" "$(cat .out .err)"
            return
        fi
        sleep 0.05
    done
    pass
}

# k ARGUMENTS...: kubectl in the scenario's namespace.
k() { kubectl --namespace "$NS" "$@"; }
# field KIND/NAME JSONPATH: a field of an object, empty when either is missing.
field() { k get "$1" -o "jsonpath={$2}" 2>/dev/null; }

# keep_alive NAMESPACE OBJECT ANNOTATION: the lease of somebody who was killed was renewed just now, and stays so for an hour: on a
# loaded machine it would grow old before the next command looks.
keep_alive() { kubectl -n "$1" annotate "$2" "$3=$(date -ud '+1 hour' +%FT%TZ)" --overwrite >/dev/null; }

# pods_say TEXT: what the Pods of the namespace have in their logs from now on. The sandbox takes it from each Pod's
# annotation fate/message; the real control plane's Pods are played by kwok, which is told where the text lies.
pods_say() {
    [ "$BACKEND" = cluster ] || return 0
    printf '%s\n' "$1" | sed 's/^/2026-01-01T10:00:01.000000000Z stdout F /' >pods.log
    kubectl apply --server-side -f - >/dev/null <<EOF
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterLogs
metadata: {name: "$NS"}
spec: {selector: {matchNamespaces: ["$NS"]}, logs: [{logsFile: "$PWD/pods.log"}]}
EOF
}
