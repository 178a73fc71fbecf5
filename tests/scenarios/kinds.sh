# shellcheck shell=bash disable=SC2154
# The servers themselves: kinds that appear while they run, on both alike.
group=$NS.example.com
cat >crd.yaml <<EOF
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.$group}
spec:
  group: $group
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1}
              colour: {type: string, enum: [red, green], default: red}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
          status: {type: object, properties: {phase: {type: string}}}
EOF
widget() { printf '{"apiVersion":"%s/v1","kind":"Widget","metadata":{"name":"%s"},"spec":%s}\n' "$group" "$1" "$2"; }
printf '{"apiVersion":"%s/v1","kind":"Widget","metadata":{"name":"w"}}\n' "$group" >early.json
ends_with 1 "an object before its CRD" k apply -f early.json
says "ensure CRDs are installed first"
succeeds "a CRD" kubectl create -f crd.yaml
succeeds "is established" kubectl wait --for=condition=Established --timeout=180s "crd/widgets.$group"
eventually "its kind is served" k get "widgets.$group"

widget w '{"size":2,"lost":true,"free":{"kept":1}}' >w.json
succeeds "an object of it" k create --validate=false -f w.json
equals "defaults" red "$(field "widgets.$group/w" .spec.colour)"
equals "unknown fields are pruned" "" "$(field "widgets.$group/w" .spec.lost)"
equals "where the schema does not keep them" 1 "$(field "widgets.$group/w" .spec.free.kept)"
succeeds "short names" k get "wd.v1.$group" w
says "SIZE"
widget bad '{"size":0}' >bad.json
ends_with 1 "a value the schema refuses" k create -f bad.json
says "spec.size"
widget bad '{"size":1,"colour":"blue"}' >bad.json
ends_with 1 "a word that is none of the enum" k create -f bad.json
says "supported values"
widget bad '{}' >bad.json
ends_with 1 "a field that is missing" k create -f bad.json
says "Required value"
widget bad '{"size":1,"lost":1}' >bad.json
ends_with 1 "strict validation names unknown fields" k create -f bad.json
says 'unknown field "spec.lost"'

succeeds "status is its own" k patch "widgets.$group" w --type=merge -p '{"status":{"phase":"Lost"}}'
equals "and not written with the rest" "" "$(field "widgets.$group/w" .status.phase)"
succeeds "but below /status" k patch "widgets.$group" w --subresource=status --type=merge -p '{"status":{"phase":"Ready"},"spec":{"size":9}}'
equals "it is" Ready "$(field "widgets.$group/w" .status.phase)"
equals "and nothing else is" 2 "$(field "widgets.$group/w" .spec.size)"
ends_with 1 "strategic merge is for built-in kinds" k patch "widgets.$group" w --type=strategic -p '{"spec":{"size":3}}'
succeeds "a wait on a field" k wait "widgets.$group/w" --for=jsonpath='{.status.phase}'=Ready --timeout=180s

ends_with 1 "server-side apply refuses what the schema does not have" k apply --server-side --validate=false -f w.json
says ".spec.lost: field not declared in schema"
widget w '{"size":4}' >w.json
succeeds "server-side apply of a new kind" k apply --server-side -f w.json --force-conflicts
equals "applies" 4 "$(field "widgets.$group/w" .spec.size)"
succeeds "the CRD goes" kubectl delete crd "widgets.$group" --timeout=180s
eventually "and its objects with it" bash -c "! kubectl -n '$NS' get 'widgets.$group' 2>/dev/null"
