# shellcheck shell=bash
# State: a run that was killed is taken up, a Job is not run twice, two runs at once are told apart.
cat >spec.yaml <<EOF
apiVersion: khook.io/v1
kind: Khook
metadata: {name: resumed}
state: {namespace: $NS}
defaults: {timeout: 180s}
steps:
- name: first
  apply:
    namespace: $NS
    manifests: [{inline: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"first"}}'}]
- name: mig
  needs: [first]
  job: {image: example/tool:1, namespace: $NS}
- name: signal
  needs: [mig]
  wait: {for: "jsonpath={.data.go}=yes", on: configmap/first, namespace: $NS}
- name: last
  needs: [signal]
  apply:
    namespace: $NS
    manifests: [{inline: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"last"}}'}]
EOF

grapnel apply -f spec.yaml >run.out 2>run.err &
run=$!
eventually "the run waits for its signal" grep -q 'step=signal' run.err
ends_with 1 "a second run is refused" grapnel apply -f spec.yaml
says "another run holds this spec: $(hostname)/$run/"
kill -9 "$run"
wait "$run" 2>/dev/null
uid=$(field job/mig '.metadata.uid')
succeeds "the record says what was done" grapnel status -f spec.yaml
says "running"

k annotate secret khook-state-resumed khook.io/renewed=2020-01-01T00:00:00Z --overwrite >/dev/null
k patch configmap first --type merge -p '{"data":{"go":"yes"}}' >/dev/null
succeeds "the next run takes it up" grapnel apply -f spec.yaml
says "taking over the lease"
says "unchanged since it succeeded in a previous run"
equals "the Job was not run again" "$uid" "$(field job/mig '.metadata.uid')"
equals "the last step ran" last "$(field configmap/last '.metadata.name')"
equals "the lease is given up" "" "$(field secret/khook-state-resumed '.metadata.annotations.khook\.io/holder')"

sed -i 's/go}=yes/go}=now/' spec.yaml
grapnel apply -f spec.yaml >again.out 2>again.err &
run=$!
eventually "the changed step runs alone" grep -q 'step=signal type=wait' again.err
began=$SECONDS
kill -TERM "$run" # a shell's background job ignores SIGINT
wait "$run"
equals "an interrupted run fails" 1 $?
equals "long before the step's time is over" yes "$([ $((SECONDS - began)) -le 60 ] && echo yes)"
equals "and says so" 1 "$(grep -c 'Error: run canceled' again.err)"
equals "the record is finished" failed "$(grapnel status -f spec.yaml -o json | sed 's/.*"runStatus":"\([a-z]*\)".*/\1/')"
succeeds "destroy removes the record too" grapnel destroy -f spec.yaml
equals "no record" "" "$(field secret/khook-state-resumed '.metadata.name')"
