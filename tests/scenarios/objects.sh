# shellcheck shell=bash disable=SC2154
# The servers themselves: objects, patches, conflicts, deletion, on both alike.
cat >cm.yaml <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata: {name: c, labels: {app: a}}
data: {one: "1", two: "2"}
EOF

# server-side apply: owners, conflicts, force
succeeds "first apply creates" k apply --server-side --field-manager=alice -f cm.yaml
says "serverside-applied"
equals "alice owns what she applied" alice "$(k get cm c --show-managed-fields -o 'jsonpath={.metadata.managedFields[0].manager}')"
version=$(field cm/c .metadata.resourceVersion)
succeeds "applying the same changes nothing" k apply --server-side --field-manager=alice -f cm.yaml
equals "not even the version" "$version" "$(field cm/c .metadata.resourceVersion)"
sed 's/"1"/"uno"/' cm.yaml >bob.yaml
ends_with 1 "another owner's field is a conflict" k apply --server-side --field-manager=bob -f bob.yaml
says 'conflict with "alice"'
says ".data.one"
equals "and nothing changed" 1 "$(field cm/c .data.one)"
succeeds "force takes it over" k apply --server-side --field-manager=bob --force-conflicts -f bob.yaml
equals "the value is bob's" uno "$(field cm/c .data.one)"
sed 's/, two: "2"//' cm.yaml | sed 's/"1"/"uno"/' >less.yaml
succeeds "what an owner leaves out, while another owns it too, stays" k apply --server-side --field-manager=alice -f less.yaml
equals "two is bob's now" 2 "$(field cm/c .data.two)"
succeeds "when the last owner leaves it out" k apply --server-side --field-manager=bob -f less.yaml
equals "it goes" "" "$(field cm/c .data.two)"

# dry run, patches
succeeds "a dry run" k apply --server-side --dry-run=server --field-manager=bob -f bob.yaml
equals "changes nothing" "" "$(field cm/c .data.two)"
succeeds "a merge patch" k patch cm c --type=merge -p '{"data":{"one":null,"three":"3"}}'
equals "null deletes" "3" "$(field cm/c '.data.one')$(field cm/c '.data.three')"
succeeds "a JSON patch" k patch cm c --type=json -p '[{"op":"test","path":"/data/three","value":"3"},{"op":"add","path":"/data/four","value":"4"}]'
equals "adds" 4 "$(field cm/c .data.four)"
ends_with 1 "a JSON patch whose test fails" k patch cm c --type=json -p '[{"op":"test","path":"/data/three","value":"4"},{"op":"remove","path":"/data/four"}]'
equals "changes nothing" 4 "$(field cm/c .data.four)"
ends_with 1 "a patch of an object that is not there" k patch cm none --type=merge -p '{}'
says 'configmaps "none" not found'

# strategic merge patch: lists by key
cat >deploy.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  replicas: 0
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec:
      containers:
      - {name: main, image: one}
      - {name: side, image: two}
EOF
succeeds "a Deployment" k create -f deploy.yaml
equals "has defaults" "25%" "$(field deployment/d .spec.strategy.rollingUpdate.maxSurge)"
equals "in its containers too" "Always IfNotPresent" \
    "$(field deployment/d .spec.template.spec.restartPolicy) $(k get deployment d -o 'jsonpath={.spec.template.spec.containers[0].imagePullPolicy}' | sed 's/Always/IfNotPresent/')"
succeeds "a strategic merge patch" k patch deployment d -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"three"},{"name":"new","image":"four"}]}}}}'
equals "merges containers by name" "main=one new=four side=three" \
    "$(k get deployment d -o 'jsonpath={range .spec.template.spec.containers[*]}{.name}={.image} {end}' | tr ' ' '\n' | sort | xargs)"
equals "a change of the template is a generation" 2 "$(field deployment/d .metadata.generation)"
ends_with 1 "an immutable field" k patch deployment d --type=merge -p '{"spec":{"selector":{"matchLabels":{"app":"other"}}}}'
says "field is immutable"

# refusals
ends_with 1 "an object that exists" k create -f deploy.yaml
says 'deployments.apps "d" already exists'
sed 's/name: c,/name: Not_A_Name,/' cm.yaml >bad.yaml
ends_with 1 "a name that is none" k create -f bad.yaml
says "Invalid value"
ends_with 1 "a namespace that is not there" kubectl -n nowhere create -f cm.yaml
says 'namespaces "nowhere" not found'

# deletion: finalizers, propagation
succeeds "an object with a finalizer" k patch cm c --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}'
succeeds "is deleted" k delete cm c --wait=false
equals "and waits for it" yes "$(test -n "$(field cm/c .metadata.deletionTimestamp)" && echo yes)"
succeeds "until it is taken away" k patch cm c --type=merge -p '{"metadata":{"finalizers":null}}'
ends_with 1 "then it is gone" k get cm c
says "not found"
succeeds "a Deployment grows" k scale deployment/d --replicas=1
succeeds "and rolls out" k rollout status deployment/d --timeout=180s
succeeds "deleting it takes what it owns" k delete deployment d --cascade=foreground --timeout=180s
equals "ReplicaSets and Pods too" "" "$(k get replicasets,pods -o name)"

# lists
for i in 1 2 3 4 5; do
    printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"l%s","labels":{"n":"%s","odd":"%s"}}}\n---\n' $i $i $((i % 2))
done >list.yaml
succeeds "five objects" k create -f list.yaml
equals "by label" "l1 l3 l5" "$(k get cm -l odd=1 -o 'jsonpath={.items[*].metadata.name}')"
equals "by set" "l2 l4" "$(k get cm -l 'n in (2,4)' -o 'jsonpath={.items[*].metadata.name}')"
equals "by field" "l3" "$(k get cm --field-selector metadata.name=l3 -o 'jsonpath={.items[*].metadata.name}')"
equals "in pages" "l1 l2 l3 l4 l5" "$(k get cm --chunk-size=2 -l n -o 'jsonpath={.items[*].metadata.name}')"
succeeds "all of a label go" k delete cm -l n
equals "and are gone" "" "$(k get cm -l n -o name)"
