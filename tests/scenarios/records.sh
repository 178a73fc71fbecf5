# shellcheck shell=bash
# Release records beside the helm CLI: what the commands print of each other's releases is the same to the byte, in both storages;
# an operation that was killed is told apart from one that runs.
theirs() { "$PEER_HELM" --namespace "$NS" "$@"; }
ours() { helm --namespace "$NS" "$@"; }

# agree COMMAND...: both print the same.
agree() {
    local ours theirs
    ours=$(ours "$@" 2>&1) theirs=$(theirs "$@" 2>&1)
    equals "the same for: helm $*" "$theirs" "$ours"
}
agree_on() { # RELEASE
    agree history "$1"
    agree get all "$1"
    agree get metadata "$1"
}
agree_on_all() { # RELEASE
    local format
    agree_on "$1"
    for format in json yaml; do
        agree list -o $format
        agree history "$1" -o $format
        agree get values "$1" --all -o $format
        agree get metadata "$1" -o $format
        agree status "$1" -o $format
    done
    agree list
    agree get values "$1"
    agree get manifest "$1"
    agree get hooks "$1"
    agree get notes "$1"
}
statuses() { theirs history "$1" -o json | grep -o '"status":"[a-z-]*"' | cut -d'"' -f4 | paste -sd' '; }

mkdir -p web/templates web/charts/sub/templates
cat >web/Chart.yaml <<'EOF'
apiVersion: v2
name: web
version: 0.1.0
appVersion: "7"
dependencies: [{name: sub, version: ">=0.1.0", alias: store, condition: store.on, import-values: [data]}]
EOF
printf 'apiVersion: v2\nname: sub\nversion: 0.1.0\n' >web/charts/sub/Chart.yaml
printf 'size: 1\nexports: {data: {imported: 3}}\n' >web/charts/sub/values.yaml
printf 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: {{ .Release.Name }}-store}\ndata: {size: "{{ .Values.size }}"}\n' \
    >web/charts/sub/templates/cm.yaml
printf 'replicas: 1\nratio: 1.50\nnested: {a: x, b: null}\n' >web/values.yaml
printf '{"type": "object"}\n' >web/values.schema.json
printf 'read <me> & more\n' >web/README.md
printf 'Thank you for {{ .Release.Name }}, revision {{ .Release.Revision }}.\n' >web/templates/NOTES.txt
printf 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: {{ .Release.Name }}}\ndata: {replicas: "{{ .Values.replicas }}"}\n' \
    >web/templates/cm.yaml
cat >web/templates/hook.yaml <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-hook
  annotations: {helm.sh/hook: "pre-install,pre-upgrade,pre-rollback", helm.sh/hook-weight: "2", helm.sh/hook-delete-policy: hook-succeeded}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-test
  annotations: {helm.sh/hook: test}
EOF

# ---- ours first
succeeds "we install" ours install a web --set replicas=2,nested.a='<y>' --labels team=x
agree_on_all a
succeeds "helm upgrades it" theirs upgrade a web --set replicas=3,big=1234567,store.size=2
agree_on a
succeeds "we roll back" ours rollback a 1
agree_on a
equals "what was rolled back is there" 2 "$(field configmap/a .data.replicas)"
succeeds "helm tests it" theirs test a
agree_on a
equals "statuses" "superseded superseded deployed" "$(statuses a)"
succeeds "helm removes it" theirs uninstall a --keep-history
agree history a
agree list --uninstalled -o json
succeeds "and its history" theirs uninstall a
equals "nothing is left" "" "$(k get secret -l owner=helm -o name)"

# ---- helm first
succeeds "helm installs" theirs install b web -f web/values.yaml --labels team=y
agree_on_all b
succeeds "we upgrade it" ours upgrade b web --set replicas=4 --reset-values --timeout 180s
agree_on b
succeeds "helm rolls back" theirs rollback b 1
agree_on b
succeeds "we test it" ours test b
agree_on b
agree list -l team=y -o json
agree list -f '^b' -q
succeeds "we remove it" ours uninstall b
equals "nothing is left" "" "$(k get secret -l owner=helm -o name)"

# ---- the other storage
export HELM_DRIVER=configmap
succeeds "we install into a ConfigMap" ours install c web
agree_on c
succeeds "helm removes it" theirs uninstall c
unset HELM_DRIVER

# ---- killed on the way: the hook's Pod never ends
mkdir -p stuck/templates
printf 'apiVersion: v2\nname: stuck\nversion: 0.1.0\n' >stuck/Chart.yaml
printf 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: {{ .Release.Name }}}\n' >stuck/templates/cm.yaml
cat >stuck/templates/hook.yaml <<'EOF'
{{- if .Values.hangs }}
apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-hook
  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}
spec: {restartPolicy: Never, containers: [{name: c, image: example/tool:1}]}
{{- end }}
EOF
is_pending() { [ "$(statuses "$1")" = pending-install ]; }
helm --namespace "$NS" install d stuck --set hangs=true >run.out 2>&1 &
run=$!
eventually "the installation is under way" is_pending d
ends_with 1 "a second operation is refused" ours upgrade d stuck --reset-values --timeout 180s
says "$(hostname)/$run/"
kill -9 "$run"
wait "$run" 2>/dev/null
secret=secret/sh.helm.release.v1.d.v1
keep_alive "$NS" $secret grapnel.dev/renewed
ends_with 1 "its lease is alive still" ours unlock d
k annotate "$secret" grapnel.dev/renewed=2020-01-01T00:00:00Z --overwrite >/dev/null
succeeds "the next one takes it over" ours upgrade d stuck --reset-values --timeout 180s
equals "statuses" "superseded deployed" "$(statuses d)"
agree_on d
succeeds "helm goes on" theirs upgrade d stuck --reset-values --timeout 180s
succeeds "helm removes it" theirs uninstall d

"$PEER_HELM" --namespace "$NS" install f stuck --set hangs=true >run.out 2>&1 &
run=$!
eventually "helm's installation is under way" is_pending f
kill -9 "$run"
wait "$run" 2>/dev/null
ends_with 1 "a young record of helm's is not touched" ours upgrade f stuck --reset-values --timeout 180s
says "unlock f"
succeeds "it is unlocked on demand" ours unlock f
equals "statuses" "failed" "$(statuses f)"
succeeds "and goes on" ours upgrade f stuck --reset-values --timeout 180s
agree history f
succeeds "we remove it" ours uninstall f
