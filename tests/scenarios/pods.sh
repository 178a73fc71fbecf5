# shellcheck shell=bash disable=SC2154
# The servers themselves: how Pods fare, on both alike. No command of ours but the server.
pod() { # NAME FATE
    printf '{apiVersion: v1, kind: Pod, metadata: {name: %s, labels: {fate: %s}, annotations: {fate/message: "last words"}}, spec: {containers: [{name: c, image: none}]}}\n---\n' "$1" "$2"
}
job() { # NAME FATE
    cat <<EOF
apiVersion: batch/v1
kind: Job
metadata: {name: $1}
spec:
  backoffLimit: 0
  template:
    metadata: {labels: {fate: "$2"}, annotations: {fate/message: "last words"}}
    spec: {restartPolicy: Never, containers: [{name: c, image: none}]}
---
EOF
}
deployment() { # NAME FATE
    cat <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1}
spec:
  replicas: 2
  selector: {matchLabels: {app: $1}}
  template:
    metadata: {labels: {app: $1, fate: "$2"}}
    spec: {containers: [{name: c, image: none}]}
---
EOF
}
{
    pod crash crash
    pod pull pull
    job done ""
    job dies fail
    deployment web ""
    deployment broken crash
} >all.yaml
pods_say "last words"

succeeds "objects of every fate are applied" k apply --server-side -f all.yaml
succeeds "a Deployment rolls out" k rollout status deployment/web --timeout=180s
succeeds "a Job completes" k wait --for=condition=Complete job/done --timeout=180s
succeeds "a Job fails" k wait --for=condition=Failed job/dies --timeout=180s
equals "a failed Job says why" BackoffLimitExceeded "$(field job/dies '.status.conditions[?(@.type=="Failed")].reason')"
equals "its Pod keeps the last words" "last words" \
    "$(k get pod -l job-name=dies -o 'jsonpath={.items[0].status.containerStatuses[0].state.terminated.message}')"
succeeds "its log can be read" k logs job/dies
says "last words"
is_restarted() { [ "$(field pod/crash '.status.containerStatuses[0].restartCount')" -ge 1 ]; }
eventually "a crashing Pod is restarted" is_restarted
waits_for() { [ "$(field "pod/$1" '.status.containerStatuses[0].state.waiting.reason')" = "$2" ]; }
eventually "a crashing Pod waits in a loop" waits_for crash CrashLoopBackOff
eventually "an image cannot be pulled" waits_for pull ImagePullBackOff
ends_with 1 "a broken Deployment does not roll out" k rollout status deployment/broken --timeout=2s
succeeds "a Deployment is scaled" k scale deployment/web --replicas=3
succeeds "and rolls out again" k rollout status deployment/web --timeout=180s
equals "with as many Pods" 3 "$(field deployment/web .status.readyReplicas)"
