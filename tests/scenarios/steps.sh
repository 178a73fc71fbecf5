# shellcheck shell=bash
# Each type of step against the server: what it does, what it says when it cannot.
spec() { # writes spec.yaml with the steps from standard input
    { printf 'apiVersion: khook.io/v1\nkind: Khook\nmetadata: {name: t}\ndefaults: {timeout: 180s}\nsteps:\n' && cat; } >spec.yaml
}

spec <<EOF
- name: maps
  apply:
    namespace: $NS
    manifests:
    - inline: |
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: one}
        data: {a: "1", b: "2"}
        ---
        apiVersion: v1
        kind: List
        items:
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: two, labels: {app: x}}, data: {a: "1"}}
        - {apiVersion: v1, kind: ConfigMap, metadata: {name: three, labels: {app: x}}}
EOF
succeeds "objects are created" grapnel apply -f spec.yaml
equals "one is there" 2 "$(field configmap/one '.data.b')"
sed -i 's/a: "1", b: "2"/a: "5"/' spec.yaml
succeeds "objects are merged" grapnel apply -f spec.yaml
equals "what changed" 5 "$(field configmap/one '.data.a')"
equals "what was dropped stays" 2 "$(field configmap/one '.data.b')"

spec <<EOF
- name: patch
  patch:
    target: cm/one
    namespace: $NS
    patch: {data: {b: null, c: "3"}}
- name: json
  needs: [patch]
  patch:
    target: configmap/two
    namespace: $NS
    type: json
    patch: [{op: add, path: /data/z, value: "9"}]
- name: gone
  needs: [json]
  delete: {resource: configmaps, namespace: $NS, selector: app=x}
- name: none
  needs: [gone]
  wait: {for: delete, on: configmaps, namespace: $NS, selector: app=x}
EOF
succeeds "patches and deletes" grapnel apply -f spec.yaml
equals "patched" 3 "$(field configmap/one '.data.c')"
equals "a null took it away" "" "$(field configmap/one '.data.b')"
equals "the selected are gone" "" "$(field configmap/two '.metadata.name')"

spec <<EOF
- name: patch
  patch: {target: configmap/absent, namespace: $NS, type: merge, patch: {data: {a: b}}}
EOF
ends_with 1 "a patch needs its target" grapnel apply -f spec.yaml
says "must exist by the time this step runs"

spec <<EOF
- name: web
  apply:
    namespace: $NS
    serverSide: true
    manifests:
    - inline: |
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec:
          replicas: 1
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {containers: [{name: web, image: example/web:1}]}
    waitFor: condition=Available
- name: restart
  needs: [web]
  rollout: {restart: deployment/web, namespace: $NS}
- name: rolled
  needs: [restart]
  rollout: {status: deployment/web, namespace: $NS}
- name: either
  needs: [rolled]
  wait:
    anyOf: [condition=Ready, "jsonpath={.status.phase}=Succeeded"]
    on: pods
    namespace: $NS
    selector: app=web
EOF
succeeds "a Deployment rolls out, restarts and rolls out again" grapnel apply -f spec.yaml
equals "it was restarted" 1 "$(field deployment/web '.spec.template.metadata.annotations' | grep -c restartedAt)"

spec <<EOF
- name: crash
  apply:
    namespace: $NS
    manifests:
    - inline: |
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: crash}
        spec:
          selector: {matchLabels: {app: crash}}
          template:
            metadata: {labels: {app: crash, fate: crash}, annotations: {fate/message: no configuration}}
            spec: {containers: [{name: crash, image: example/web:1}]}
- name: wait
  needs: [crash]
  wait: {for: condition=Available, on: deployment/crash, namespace: $NS, failFast: true}
EOF
ends_with 1 "a crash loop ends a wait that fails fast" grapnel apply -f spec.yaml
says "CrashLoopBackOff"

spec <<EOF
- name: mig
  job: {image: example/tool:1, namespace: $NS, command: [sh], env: {B: "2", A: "1"}}
EOF
succeeds "a Job runs" grapnel apply -f spec.yaml
uid=$(field job/mig '.metadata.uid')
equals "its environment is sorted" "A B" "$(field job/mig '.spec.template.spec.containers[0].env[*].name')"
succeeds "it runs again" grapnel apply -f spec.yaml
if [ "$uid" = "$(field job/mig .metadata.uid)" ]; then fail "a second run makes a new Job"; else pass; fi
sed -i "s/namespace: $NS,/namespace: $NS, skipIf: succeeded,/" spec.yaml
uid=$(field job/mig '.metadata.uid')
succeeds "skipIf leaves it alone" grapnel apply -f spec.yaml -o json
says "skipIf: succeeded"
equals "the same Job" "$uid" "$(field job/mig '.metadata.uid')"
succeeds "destroy takes it away" grapnel destroy -f spec.yaml
equals "the Job is gone" "" "$(field job/mig '.metadata.name')"

spec <<EOF
- name: late
  timeout: 6s
  wait: {for: condition=Ready, on: widgets.absent.example.com}
EOF
ends_with 1 "a type that never comes times out" grapnel apply -f spec.yaml
says "timed out after 6s"
says "does not serve"

mkdir -p kust/base kust/prod
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: built}\ndata: {a: "1"}\n' >kust/base/map.yaml
printf 'resources: [map.yaml]\n' >kust/base/kustomization.yaml
printf 'resources: [../base]\nnameSuffix: -prod\nnamespace: %s\n' "$NS" >kust/prod/kustomization.yaml
spec <<EOF
- name: built
  apply:
    manifests:
    - kustomize: ./kust/prod
EOF
succeeds "a kustomization is built and applied" grapnel apply -f spec.yaml
equals "as its overlay says" 1 "$(field configmap/built-prod '.data.a')"
printf 'resources: ["https://host.invalid/org/repo//base"]\n' >kust/prod/kustomization.yaml
ends_with 1 "a remote base is refused" grapnel apply -f spec.yaml
says "only local bases work here"

spec <<EOF
- name: kept
  timeout: 6s
  apply:
    serverSide: true
    manifests: [{inline: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kept","namespace":"$NS","finalizers":["example.com/hold"],"labels":{"is":"kept"}}}'}]
EOF
succeeds "an object with a finalizer" grapnel apply -f spec.yaml
ends_with 1 "a finalizer nobody takes away holds destroy up" grapnel destroy -f spec.yaml
says "still outstanding: configmap/kept@$NS, being deleted since 20"
says "held by the finalizer example.com/hold; the controller that set a finalizer must remove it"
says "kubectl patch configmaps kept -n $NS --type=merge"
spec <<EOF
- name: kept
  timeout: 6s
  delete: {resource: configmaps, selector: is=kept, namespace: $NS}
EOF
ends_with 1 "and a step that deletes by a selector" grapnel apply -f spec.yaml
says "1 object(s) still present: configmap/kept@$NS (being deleted since 20"
says "kubectl patch configmaps kept -n $NS --type=merge"
spec <<EOF
- name: kept
  timeout: 2s
  wait: {on: configmaps, selector: is=kept, namespace: $NS, for: delete}
EOF
ends_with 1 "and a step that waits until it is gone" grapnel apply -f spec.yaml
says "1 object(s) still present: configmap/kept@$NS (being deleted since 20"
says "held by the finalizer example.com/hold); the controller that set a finalizer must remove it"
says "kubectl patch configmaps kept -n $NS --type=merge"
k patch configmap kept --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null
succeeds "taken away, the step ends" grapnel apply -f spec.yaml

mkdir -p held/templates
printf 'apiVersion: v2\nname: held\nversion: 1.0.0\n' >held/Chart.yaml
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.com/hold]}\n' >held/templates/cm.yaml
spec <<EOF
- name: held
  timeout: 4s
  helm: {release: held, chart: ./held, namespace: $NS}
EOF
succeeds "a chart with a finalizer" grapnel apply -f spec.yaml
ends_with 1 "holds destroy up" grapnel destroy -f spec.yaml
says "still outstanding: ConfigMap/$NS/held"
says "held by the finalizer example.com/hold; the controller that set a finalizer must remove it"
k patch configmap held --type=merge -p '{"metadata":{"finalizers":null}}' >/dev/null
succeeds "taken away, the release goes" grapnel destroy -f spec.yaml
