# shellcheck shell=bash
# Releases: grapnel and the helm CLI go on with each other's, and tell the same history after each step.
helm=$(dirname "$(command -v kubectl)")/helm # the peer: the one on the PATH is a name of ours
succeeds "the helm CLI is built (make peers)" "$helm" version

mkdir -p web/templates
cat >web/Chart.yaml <<EOF
apiVersion: v2
name: web
version: 0.1.0
appVersion: "1.2"
EOF
cat >web/values.yaml <<EOF
color: red
replicas: 1
extra: true
fate: ok
EOF
cat >web/templates/all.yaml <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-cm"}
data: {color: "{{ .Values.color }}", revision: "{{ .Release.Revision }}"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: "{{ .Release.Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Release.Name }}", fate: "{{ .Values.fate }}"}}
    spec: {containers: [{name: c, image: nginx}]}
{{- if .Values.extra }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-extra"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-kept", annotations: {helm.sh/resource-policy: keep}}
{{- end }}
EOF
cat >web/templates/hooks.yaml <<'EOF'
apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-migrate"
  annotations:
    helm.sh/hook: pre-install,pre-upgrade,pre-rollback
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: "{{ .Release.Name }}-last"
  annotations: {helm.sh/hook: post-delete, helm.sh/hook-delete-policy: hook-succeeded}
---
apiVersion: batch/v1
kind: Job
metadata: {name: "{{ .Release.Name }}-test", annotations: {helm.sh/hook: test}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx}]}}}
EOF
echo 'Thank you for {{ .Chart.Name }}.' >web/templates/NOTES.txt

ours() { grapnel chart "$@" -n "$NS" --log-level warn; }
theirs() { "$helm" "$@" -n "$NS"; }
agree() { # NAME STATUSES
    equals "both tell the same history of $1" "$(theirs history "$1")" "$(ours history "$1")"
    equals "both give the same manifest" "$(theirs get manifest "$1")" "$(ours get manifest "$1")"
    equals "both give the same values" "$(theirs get values "$1" -o json)" "$(ours get values "$1" -o json)"
    equals "the states of $1" "$2" \
        "$(theirs history "$1" -o json | grep -o '"status":"[a-z-]*"' | cut -d'"' -f4 | paste -sd' ')"
}
color() { field "configmap/$1-cm" .data.color; }

# turn NAME FIRST SECOND: a life, each step by the other tool.
turn() {
    local name=$1 a=$2 b=$3
    succeeds "$a installs" "$a" install "$name" web --wait --timeout 180s
    says "Thank you for web."
    agree "$name" "deployed"
    succeeds "$b upgrades" "$b" upgrade "$name" web --set color=blue,extra=false --wait --timeout 180s
    agree "$name" "superseded deployed"
    equals "the object changed" blue "$(color "$name")"
    equals "what is no longer in the chart is gone" "" "$(field "configmap/$name-extra" .metadata.name)"
    equals "what is to be kept is there" "$name-kept" "$(field "configmap/$name-kept" .metadata.name)"
    succeeds "$a rolls back" "$a" rollback "$name" --wait --timeout 180s
    agree "$name" "superseded superseded deployed"
    equals "the object is back" red "$(color "$name")"
    equals "the deleted one is back" "$name-extra" "$(field "configmap/$name-extra" .metadata.name)"
    succeeds "$b tests" "$b" test "$name" --timeout 180s
    succeeds "$a upgrades with a client's patches" "$a" upgrade "$name" web --set color=green --server-side=false
    agree "$name" "superseded superseded superseded deployed"
    succeeds "$b goes on with the server's" "$b" upgrade "$name" web --set color=brown --server-side=true
    agree "$name" "superseded superseded superseded superseded deployed"
    equals "applied once more" brown "$(color "$name")"
    ends_with 1 "$a fails" "$a" upgrade "$name" web --set fate=pull --wait --timeout 6s
    says "UPGRADE FAILED: resource Deployment/$NS/$name not ready. status: InProgress"
    agree "$name" "superseded superseded superseded superseded deployed failed"
    ends_with 1 "$b fails and goes back" "$b" upgrade "$name" web --set fate=pull --rollback-on-failure --timeout 10s
    says "release $name failed, and has been rolled back due to rollback-on-failure being set"
    agree "$name" "superseded superseded superseded superseded superseded failed failed deployed"
    succeeds "$a uninstalls" "$a" uninstall "$name" --wait --timeout 180s
    says "[ConfigMap] $name-kept"
    equals "no record is left" "" "$(k get secret -l "owner=helm,name=$name" -o name)"
    equals "no object is left" "" "$(field "deployment/$name" .metadata.name)"
}
turn one ours theirs
turn two theirs ours

# What is not ours stays as it is.
k create configmap three-cm --from-literal=color=mine >/dev/null
ends_with 1 "somebody's object" ours install three web
says 'ConfigMap "three-cm" in namespace "'"$NS"'" exists and cannot be imported into the current release: invalid ownership metadata'
equals "nothing was recorded" "" "$(k get secret -l owner=helm,name=three -o name)"
succeeds "unless it is taken over" ours install three web --take-ownership --force-conflicts
ends_with 1 "a name is taken once" ours install three web
says "cannot reuse a name that is still in use"
succeeds "history can stay" ours uninstall three --keep-history
agree three "uninstalled"
succeeds "and the name be used again" theirs install three web --replace
agree three "superseded deployed"
succeeds "three ends" ours uninstall three

# A dry run changes nothing; a post-renderer may change everything; a failed install goes away.
printf '#!/bin/sh\nsed s/red/rendered/\n' >render && chmod +x render
succeeds "a dry run" ours install four web --dry-run=server
says 'color: "red"'
equals "left nothing" "" "$(k get secret,deployment -o name | grep four)"
succeeds "a post-renderer" ours install four web --post-renderer "$PWD/render"
equals "rendered" rendered "$(color four)"
agree four "deployed"
succeeds "four ends" theirs uninstall four
ends_with 1 "an install that fails" ours install five web --set fate=pull --atomic --timeout 10s
says "release five failed, and has been uninstalled due to rollback-on-failure being set"
equals "left nothing" "" "$(k get deployment five -o name 2>/dev/null)"

# What is held up says by what.
succeeds "a release" ours install held web
k patch configmap held-extra --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}' >/dev/null
ends_with 1 "a finalizer nobody takes away holds uninstall up" ours uninstall held --wait --timeout 2s
says "resource ConfigMap/$NS/held-extra still exists. status: Terminating"
says "ConfigMap/$NS/held-extra: being deleted since 20"
says "held by the finalizer example.com/hold; the controller that set a finalizer must remove it"
says "kubectl patch configmaps held-extra -n $NS --type=merge"
k patch configmap held-extra --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null
succeeds "taken away, it ends" ours uninstall held --wait --timeout 180s

# An interrupt marks the record before the program ends.
grapnel chart install six web -n "$NS" --set fate=pull --wait >run.out 2>run.err &
run=$!
eventually "the objects are there" k get deployment six
kill -TERM "$run" # a shell's background job ignores SIGINT
wait "$run"
equals "it fails" 1 $?
agree six "failed"
succeeds "and can be repaired" theirs upgrade six web --set fate=ok --wait --timeout 180s
agree six "superseded deployed"
ends_with 1 "the other way round" theirs install seven web --set fate=pull --wait --timeout 2s
succeeds "and can be repaired" ours upgrade seven web --set fate=ok --wait --timeout 180s
agree seven "superseded deployed"
succeeds "seven ends" theirs uninstall seven
succeeds "six ends" ours uninstall six

# What one object refuses stops none of the others.
echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: eight-cm}, data: {color: theirs}}' >taken.yaml
for tool in ours theirs; do
    succeeds "$tool installs eight" "$tool" install eight web
    succeeds "another takes its color" k apply --server-side --force-conflicts --field-manager=other -f taken.yaml
    ends_with 1 "$tool meets a conflict" "$tool" upgrade eight web --set color=pink,replicas=2
    says "UPGRADE FAILED: conflict occurred while applying object $NS/eight-cm /v1, Kind=ConfigMap"
    equals "the color is the other's" theirs "$(color eight)"
    equals "the Deployment was scaled" 2 "$(field deployment/eight .spec.replicas)"
    succeeds "eight ends" "$tool" uninstall eight
    k delete configmap eight-kept >/dev/null
done
