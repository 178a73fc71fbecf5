# shellcheck shell=bash
# Releases whose install, upgrade or rollback is killed at any of its steps: the next command goes on, and the helm CLI can
# still manage them. The lease of the dead is made old, so that nobody waits for it to lapse.
helm=$(dirname "$(command -v kubectl)")/helm # the peer: the one on the PATH is a name of ours
succeeds "the helm CLI is built (make peers)" "$helm" version

mkdir -p web/templates
printf 'apiVersion: v2\nname: web\nversion: 0.1.0\n' >web/Chart.yaml
cat >web/values.yaml <<EOF
color: red
EOF
cat >web/templates/all.yaml <<'EOF'
{{- range until 6 }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ $.Release.Name }}-{{ . }}"}
data: {color: "{{ $.Values.color }}"}
{{- end }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  selector: {matchLabels: {app: "{{ .Release.Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Release.Name }}", fate: slow}, annotations: {fate/after: 300ms, color: "{{ .Values.color }}"}}
    spec: {containers: [{name: c, image: nginx}]}
EOF
cat >web/templates/hooks.yaml <<'EOF'
apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-before"
  annotations: {helm.sh/hook: "pre-install,pre-upgrade,pre-rollback", helm.sh/hook-delete-policy: before-hook-creation}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: "{{ .Release.Name }}-after"
  annotations: {helm.sh/hook: "post-install,post-upgrade,post-rollback"}
EOF

ours() { grapnel chart "$@" -n "$NS" --log-level warn; }
theirs() { "$helm" "$@" -n "$NS"; }
color() { field "configmap/$1-5" .data.color; }
states() { theirs history "$1" -o json | grep -o '"status":"[a-z-]*"' | cut -d'"' -f4 | sort | uniq -c | awk '{print $2 "=" $1}' | paste -sd' '; }

# kill_at MILLISECONDS COMMAND...: starts it and kills it after that time, if it is still running.
kill_at() {
    local pid ms=$1
    shift
    grapnel chart "$@" -n "$NS" --wait --timeout 180s >/dev/null 2>&1 &
    pid=$!
    sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
    ! kill -9 "$pid" 2>/dev/null || touch "killed.$1.$ms"
    wait "$pid" 2>/dev/null
}

# bury NAME: the lease of its last operation, if any is left, was not renewed for long.
bury() {
    local secret
    for secret in $(k get secret -l "owner=helm,name=$1" -o name); do
        [ -z "$(field "$secret" '.metadata.annotations.grapnel\.dev/holder')" ] ||
            k annotate "$secret" grapnel.dev/renewed=2020-01-01T00:00:00Z --overwrite >/dev/null
    done
}

points="30 100 200 400 1100"
at_all_points() { # VERB ARGUMENTS...: killed at every point at once
    local verb=$1 ms
    shift
    for ms in $points; do
        (kill_at "$ms" "$verb" "r$ms" "$@") 2>/dev/null & # the shell tells of each
    done
    wait
    equals "most of them were killed" yes "$(find . -name "killed.$verb.*" | wc -l | awk '$1 >= 2 {print "yes"}')"
    rm -f killed.*
}

at_all_points install web
for ms in $points; do
    bury "r$ms"
    succeeds "the install killed after $ms ms is done again" ours upgrade --install "r$ms" web --wait --timeout 180s
    equals "its objects are there" red "$(color "r$ms")"
    equals "one revision is deployed" 1 "$(states "r$ms" | grep -o 'deployed=[0-9]*' | cut -d= -f2)"
    equals "none is pending" "" "$(states "r$ms" | grep -o 'pending[a-z-]*')"
done

at_all_points upgrade web --set color=blue
for ms in $points; do
    bury "r$ms"
    succeeds "the upgrade killed after $ms ms is done again" ours upgrade "r$ms" web --set color=green --wait --timeout 180s
    equals "its objects are there" green "$(color "r$ms")"
    equals "one revision is deployed" 1 "$(states "r$ms" | grep -o 'deployed=[0-9]*' | cut -d= -f2)"
    equals "none is pending" "" "$(states "r$ms" | grep -o 'pending[a-z-]*')"
done

at_all_points rollback 1
for ms in $points; do
    bury "r$ms"
    succeeds "the rollback killed after $ms ms is taken back" ours rollback "r$ms" 1 --wait --timeout 180s
    equals "one revision is deployed" 1 "$(states "r$ms" | grep -o 'deployed=[0-9]*' | cut -d= -f2)"
    equals "none is pending" "" "$(states "r$ms" | grep -o 'pending[a-z-]*')"
done
for ms in 30 400; do
    succeeds "helm goes on with it" theirs upgrade "r$ms" web --set color=brown
    equals "as if nothing had been" brown "$(color "r$ms")"
done

# Killed once more, and the next command is helm's: it sees a pending revision until ours gives it up.
at_all_points upgrade web --set color=black
for ms in $points; do
    bury "r$ms"
    succeeds "unlocked" ours unlock "r$ms"
done
for ms in 100 200; do
    succeeds "helm upgrades" theirs upgrade "r$ms" web --set color=white
    equals "the release of ours" white "$(color "r$ms")"
done
for ms in $points; do
    succeeds "helm or ours removes it" ours uninstall "r$ms"
    equals "no record is left" "" "$(k get secret -l "owner=helm,name=r$ms" -o name)"
done
equals "no object is left" "" "$(k get deployment -o name)"
