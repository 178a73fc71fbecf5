# shellcheck shell=bash
# What the world outside refuses: one message with the object, the server's reason and what to do about it, exit status 1.
cat >spec.yaml <<END
apiVersion: khook.io/v1
kind: Khook
metadata: {name: refused}
state: {namespace: $NS}
defaults: {timeout: 20s}
steps:
- name: before
  apply:
    namespace: $NS
    manifests: [{inline: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"before"}}'}]
- name: settings
  needs: [before]
  apply:
    namespace: $NS
    serverSide: true
    manifests: [{inline: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"n":"$RANDOM"}}'}]
END

# refuses ACTION PART...: the command ends with 1 and one error that has each part.
refuses() {
    local action=$1 part
    shift
    ends_with 1 "$action fails" "${command[@]}"
    for part in "$@"; do says "$part"; done
    equals "$action: one error" 1 "$(grep -c '^Error: ' .err)"
}

# server_says STATUS MESSAGE: how the next request for the ConfigMap settings ends. The sandbox is told; for the real control
# plane the scenario has arranged that it says so by itself.
server_says() {
    [ "$BACKEND" = sandbox ] || return 0
    printf '{"fault": "conflict", "method": "PATCH", "path": "*/%s/configmaps/settings", "status": %s, "message": "%s"}' \
        "$NS" "$1" "$2" >fault.json
    kubectl create --raw /sandbox/faults -f fault.json >/dev/null
}

# ---- on the way to the server
server=$(kubectl config view --raw --minify -o 'jsonpath={.clusters[0].cluster.server}')
command=(env -u KUBECONFIG -u KUBERNETES_SERVICE_HOST HOME=/nonexistent grapnel apply -f spec.yaml)
refuses "no kubeconfig" "no kubeconfig" "KUBECONFIG"
command=(grapnel apply -f spec.yaml --server https://127.0.0.1:1)
refuses "a refused connection" "https://127.0.0.1:1: connection refused" "is the server running"

openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=other 2>/dev/null
kubectl config view --raw --minify >other.config
kubectl --kubeconfig other.config config set-cluster \
    "$(kubectl config view --minify -o 'jsonpath={.clusters[0].name}')" --certificate-authority other.pem --embed-certs \
    >/dev/null
command=(grapnel apply -f spec.yaml --kubeconfig other.config)
refuses "a wrong authority" "$server: TLS: the server's certificate is not signed by an authority that is trusted here"

cat >ca.conf <<'END'
[ca]
default_ca = it
[it]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = ext
[any]
commonName = supplied
[ext]
subjectAltName = IP:127.0.0.1
END
touch index
echo 01 >serial
openssl req -new -key other.key -subj /CN=old -out old.csr
openssl ca -batch -config ca.conf -selfsign -keyfile other.key -in old.csr -out old.pem \
    -startdate 20200101000000Z -enddate 20200102000000Z -notext 2>/dev/null
openssl s_server -accept 127.0.0.1:0 -key other.key -cert old.pem -www >server.log 2>&1 &
old_server=$!
eventually "the server with the old certificate listens" grep -q '^ACCEPT 127.0.0.1:[0-9]' server.log
port=$(sed -n 's/^ACCEPT 127.0.0.1://p' server.log)
command=(grapnel apply -f spec.yaml --server "https://127.0.0.1:$port" --certificate-authority old.pem)
refuses "an expired certificate" "TLS: the server's certificate has expired" "is the clock right?"
kill "$old_server"
wait "$old_server" 2>/dev/null

# ---- by the server
kubectl config view --raw --minify >nobody.config
kubectl --kubeconfig nobody.config config set-credentials nobody --token not-a-token-of-this-server >/dev/null
command=(grapnel apply -f spec.yaml --kubeconfig nobody.config --user nobody)
refuses "an unknown token" "Unauthorized" "these credentials: they may have expired"
never_says "not-a-token-of-this-server"

kubectl --kubeconfig nobody.config config set users.nobody.tokenFile "$PWD/absent.token" >/dev/null
kubectl --kubeconfig nobody.config config unset users.nobody.token >/dev/null
printf '%s\n' 'apiVersion: khook.io/v1' 'kind: Khook' 'metadata: {name: gone}' 'steps:' '- name: gone' \
    "  delete: {resource: configmap/absent, namespace: $NS}" >gone.yaml
command=(grapnel apply -f gone.yaml --kubeconfig nobody.config --user nobody)
refuses "a token file that is not there, though what is to be deleted is not there either" "absent.token"

command=(grapnel apply -f spec.yaml)
if [ "$BACKEND" = cluster ]; then # the namespace has kube-root-ca.crt already
    kubectl create quota few --hard=count/configmaps=2 --namespace "$NS" >/dev/null
    eventually "the quota is counted" kubectl wait quota/few --namespace "$NS" --for 'jsonpath={.status.used.count/configmaps}=1'
fi
server_says 403 "configmaps \\\"settings\\\" is forbidden: exceeded quota: few, requested: count/configmaps=1, used: 0, limited: 0"
refuses "a quota" "configmap/settings@$NS" "exceeded quota: few" "have the quota raised"
succeeds "the record has what was done" grapnel status -f spec.yaml
says "before"
says "failed"
[ "$BACKEND" = sandbox ] || k delete quota few >/dev/null

if [ "$BACKEND" = cluster ]; then
    kubectl apply --server-side -f - >/dev/null <<END
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: $NS}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
  validations: [{expression: "object.metadata.name != 'settings'", message: settings are frozen}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: $NS}
spec:
  policyName: $NS
  validationActions: [Deny]
  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: $NS}}}
END
    eventually "the policy is in force" sh -c "! kubectl create configmap settings --namespace '$NS' --dry-run=server"
fi
server_says 422 "configmaps \\\"settings\\\" is forbidden: ValidatingAdmissionPolicy 'x' with binding 'x' denied request: settings are frozen"
refuses "an admission policy" "configmap/settings@$NS" "settings are frozen" "an admission policy of the cluster forbids this"
if [ "$BACKEND" = cluster ]; then
    kubectl delete validatingadmissionpolicybinding,validatingadmissionpolicy "$NS" >/dev/null
    eventually "the policy is no longer in force" kubectl create configmap settings --namespace "$NS" --dry-run=server
fi

if [ "$BACKEND" = cluster ]; then
    kubectl create serviceaccount weak --namespace "$NS" >/dev/null
    kubectl create role weak --verb='*' --resource=secrets --namespace "$NS" >/dev/null
    kubectl create rolebinding weak --role=weak --serviceaccount="$NS:weak" --namespace "$NS" >/dev/null
    command+=(--as "system:serviceaccount:$NS:weak")
fi
server_says 403 "configmaps \\\"settings\\\" is forbidden: User \\\"weak\\\" cannot patch resource \\\"configmaps\\\" in API group"
refuses "a missing right" "configmap/settings@$NS" "cannot patch resource \"configmaps\"" "grant the right with a Role"

cat >other.yaml <<END
apiVersion: khook.io/v1
kind: Khook
metadata: {name: other}
steps:
- name: thing
  apply:
    namespace: $NS
    manifests: [{inline: '{"apiVersion":"nowhere.example.com/v1","kind":"Thing","metadata":{"name":"one"}}'}]
END
command=(grapnel apply -f other.yaml)
refuses "a missing CRD" "thing/one" 'the cluster does not serve kind "Thing" of "nowhere.example.com/v1"' "\`needs\`"

succeeds "without obstacles it runs" grapnel apply -f spec.yaml
cat >other.yaml <<END
apiVersion: khook.io/v1
kind: Khook
metadata: {name: other}
steps:
- name: old
  patch:
    target: configmap/settings
    namespace: $NS
    type: merge
    patch: {metadata: {resourceVersion: "1"}, data: {n: "0"}}
END
refuses "a conflict" "configmap/settings@$NS" "the object has been modified" "try again"
