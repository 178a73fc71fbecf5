# shellcheck shell=bash
# A chart of 200 objects of ten kinds installed on a real control plane, no wait: beside helm, and beside a bare client that
# sends the same requests (record_bench.c): the two of discovery, the release's records, the server's version, a list of each
# kind (what is there, and whose), the release's record, the objects kind after kind, the record once more. helm looks at each
# object by its name and reads five OpenAPI documents.
set -u
dir=$(mktemp -d)
stop() { "$BENCH_TOP/tests/cluster/control-plane" stop "$dir/cluster" >/dev/null 2>&1; rm -rf "$dir"; }
trap stop EXIT
helm=$BENCH_TOP/out/cluster/bin/helm # on the path it is a name of ours
export HELM_CACHE_HOME=$dir/cache HELM_CONFIG_HOME=$dir/config HELM_DATA_HOME=$dir/data

mkdir -p "$dir/chart/templates" "$dir/cluster"
printf 'apiVersion: v2\nname: many\nversion: 1.0.0\n' >"$dir/chart/Chart.yaml"
echo 'count: 20' >"$dir/chart/values.yaml"
cat >"$dir/chart/templates/all.yaml" <<'EOC'
{{- range $i := until (int .Values.count) }}
{{- $name := printf "%s-%d" $.Release.Name $i }}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: {{ $name }}}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ $name }}}
stringData: {token: {{ $name | quote }}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ $name }}}
data: {name: {{ $name | quote }}, settings: "log=info threads={{ $i }}"}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: {{ $name }}}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: {{ $name }}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ $name }}}
subjects: [{kind: ServiceAccount, name: {{ $name }}, namespace: {{ $.Release.Namespace }}}]
---
apiVersion: v1
kind: Service
metadata: {name: {{ $name }}}
spec: {selector: {app: {{ $name }}}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ $name }}}
spec:
  replicas: 0 # no Pods: the server's own work is compared
  selector: {matchLabels: {app: {{ $name }}}}
  template:
    metadata: {labels: {app: {{ $name }}}}
    spec:
      serviceAccountName: {{ $name }}
      containers:
      - name: app
        image: registry.example/app:1
        envFrom: [{configMapRef: {name: {{ $name }}}}]
        resources: {limits: {cpu: 100m, memory: 64Mi}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: {{ $name }}}
spec:
  schedule: "0 0 * * *"
  suspend: true
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "registry.example/a:1"}]}}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: {{ $name }}}
spec: {podSelector: {matchLabels: {app: {{ $name }}}}, policyTypes: [Ingress]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: {{ $name }}}
spec:
  rules:
  - host: {{ $name }}.example.com
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: {{ $name }}, port: {number: 80}}}}]}
{{- end }}
EOC

"$BENCH_TOP/tests/cluster/build" >/dev/null && "$BENCH_TOP/tests/cluster/control-plane" start "$dir/cluster" >/dev/null || exit 2
export KUBECONFIG=$dir/cluster/kubeconfig

cat >"$dir/reset" <<'EOR'
grapnel chart uninstall x -n default --wait --log-level error >/dev/null 2>&1
until [ -z "$(kubectl get replicasets -n default -o name)" ]; do sleep 0.1; done
EOR
# What lies in the cluster, without what the server chose and what controllers write later.
kinds=serviceaccounts,secrets,configmaps,roles,rolebindings,services,deployments,cronjobs,networkpolicies,ingresses
objects() {
    kubectl get "$kinds" -n default -l app.kubernetes.io/managed-by=Helm -o go-template='{{range .items}}{{.kind}} {{.metadata.name}} {{.metadata.labels}} {{index .metadata.annotations "meta.helm.sh/release-name"}} {{.spec}} {{.data}} {{.rules}} {{.roleRef}} {{.subjects}}{{"\n"}}{{end}}' |
        sed -E 's/10\.0\.[0-9]+\.[0-9]+/IP/g'
}
install="chart install x $dir/chart -n default"
record_bench "$KUBECONFIG" "$dir/requests" grapnel $install --log-level error
objects >"$dir/ours"
bash "$dir/reset"
"$helm" ${install#chart } >/dev/null
objects >"$dir/helms"
bash "$dir/reset"
bare_bench "$KUBECONFIG" "$dir/requests"
objects >"$dir/bares"
echo "bench/install: $(wc -l <"$dir/ours") objects, $(grep -acE '^[0-9]+ (GET|POST|PATCH|PUT|DELETE) /' "$dir/requests") requests in $(grep -aE '^[0-9]+ (GET|POST|PATCH|PUT|DELETE) /' "$dir/requests" | cut -d' ' -f1 | uniq | wc -l) groups"
if ! cmp -s "$dir/ours" "$dir/helms" || ! cmp -s "$dir/ours" "$dir/bares" || [ "$(wc -l <"$dir/ours")" != 200 ]; then
    echo "bench/install/what lies in the cluster: UNEQUAL"
    exit
fi
commands_bench --name "install/200 objects, real server, against helm" --bar 2 --before "bash $dir/reset" \
    --ours "grapnel $install --log-level error" --theirs "$helm ${install#chart }"
commands_bench --name "install/200 objects, real server, against a bare client" --at-most 1.3 --before "bash $dir/reset" \
    --ours "grapnel $install --log-level error" --theirs "bare_bench $KUBECONFIG $dir/requests"
