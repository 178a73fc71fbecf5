# shellcheck shell=bash
# Secrets planted wherever a user has them, through every command that reads a spec, in every output and verbosity: none shows
# anywhere but in the object it is meant for (khook spec 2.6, 25).
export TMPDIR=$PWD/tmp
mkdir tmp

# ---- the canaries, each in a variable of its own name
in_data=canary-Dvr1bTzQ in_string_data=canary-Sx2NqLwe
kubeconfig_token=canary-Tk3VhYpa exec_token=canary-Ex4MgRuc
url_password=canary-Ur5CjKbd auth_password=canary-Au6FtWne
env_plain=canary-Pl7HsZmf env_short=q7z
env_lines=$'canary-Ln8first\ncanary-Ln8second'
env_odd=$'canary-"Od9\\/<&> \t%\xc3\xa9'
job_env=canary-Jb0XdGyk
set_value=canary-St1EiPvl token_flag=canary-Fl2BoAqs
file_value=canary-Vf3UcJxr
export KHOOK_SECRET_PLAIN=$env_plain KHOOK_SECRET_SHORT=$env_short KHOOK_SECRET_LINES=$env_lines
export KHOOK_SECRET_ODD=$env_odd KHOOK_SECRET_JOB=$job_env
export KHOOK_SECRET_SET=overridden-on-the-command-line KHOOK_SECRET_FILE=overridden-by-the-file
key_line=$(kubectl config view --raw --minify -o 'jsonpath={.users[0].user.client-key-data}' | base64 -d | sed -n 2p)

# Every spelling of each, a line each.
percent() { # TEXT
    local i c text=$1
    local LC_ALL=C
    for ((i = 0; i < ${#text}; i++)); do
        c=${text:i:1}
        case $c in
        [A-Za-z0-9._~-]) printf '%s' "$c" ;;
        *) printf '%%%02X' "'$c" ;;
        esac
    done
}
spell() { # TEXT
    local encoded
    printf '%s\n' "$1" # each line of it
    encoded=$(printf '%s' "$1" | base64 -w0)
    printf '%s\n%s\n' "$encoded" "${encoded%%=*}"
    percent "$1"
    echo
    printf '%s' "$1" | sed 's/["\\]/\\&/g; s/\t/\\t/g' | sed ':a;N;$!ba;s/\n/\\n/g'
    echo
}
for text in "$in_data" "$in_string_data" "$kubeconfig_token" "$exec_token" "$url_password" "$auth_password" "$env_plain" \
    "$env_lines" "$env_odd" "$job_env" "$file_value" "$key_line"; do
    spell "$text"
done >spellings
printf '%s\n' "$env_short" >>spellings
cp spellings untyped # what no command line may have
spell "$set_value" >>spellings
spell "$token_flag" >>spellings
sort -u -o spellings spellings
equals "as many canaries as promised" yes "$([ "$(wc -l <spellings)" -ge 34 ] && echo yes)"

# ---- where they are planted
cat >good.yaml <<END
apiVersion: khook.io/v1
kind: Khook
metadata: {name: canaries}
state: {namespace: $NS}
defaults: {timeout: 180s}
steps:
- name: keys
  apply:
    namespace: $NS
    manifests:
    - inline: |
        apiVersion: v1
        kind: Secret
        metadata: {name: keys}
        data: {a: "$(printf '%s' "$in_data" | base64 -w0)"}
        stringData:
          b: "$in_string_data"
          c: "\${PLAIN}"
          d: "\${SHORT}"
          f: "\${SET}"
          g: "\${FILE}"
- name: more
  apply:
    namespace: $NS
    serverSide: true
    manifests: [{file: more.yaml}]
- name: use
  needs: [keys]
  job: {image: example/tool:1, namespace: $NS, env: {PASSWORD: "\${JOB}"}}
END
cat >more.yaml <<END
apiVersion: v1
kind: Secret
metadata: {name: more}
stringData: {b: "$in_string_data"}
END
cat >bad.yaml <<END
apiVersion: khook.io/v1
kind: Khook
metadata: {name: leaks}
state: {namespace: $NS}
defaults: {timeout: 5s, onError: continue}
steps:
- name: from-url
  apply: {namespace: $NS, manifests: [{url: "http://user:$url_password@127.0.0.1:1/x.yaml"}]}
- name: wrong-type
  apply:
    namespace: $NS
    manifests:
    - inline: |
        {"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":"\${PLAIN}"}]}}
- name: wrong-data
  apply:
    namespace: $NS
    manifests:
    - inline: |
        {"apiVersion":"v1","kind":"Secret","metadata":{"name":"wrong"},"data":{"a":"$in_data"}}
- name: wrong-name
  apply:
    namespace: $NS
    manifests:
    - inline: |
        {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\${JOB}"},"data":{"short":"x"}}
- name: wrong-patch
  patch: {target: deployment/none, namespace: $NS, patch: {spec: {replicas: "\${SHORT}"}}}
- name: last-words
  timeout: 180s
  apply:
    namespace: $NS
    waitFor: condition=Complete
    manifests:
    - inline: |
        apiVersion: batch/v1
        kind: Job
        metadata: {name: dies}
        spec:
          backoffLimit: 0
          template:
            metadata: {labels: {fate: fail}, annotations: {fate/message: "cannot log in with \${PLAIN}"}}
            spec: {restartPolicy: Never, containers: [{name: tool, image: "example/tool:1"}]}
END
cat >chart.yaml <<END
apiVersion: khook.io/v1
kind: Khook
metadata: {name: chart}
steps:
- name: chart
  helm:
    chart: web
    repo: http://127.0.0.1:1/charts
    version: 1.0.0
    auth: {username: me, password: $auth_password}
END
cat >odd.yaml <<END
apiVersion: khook.io/v1
kind: Khook
metadata: {name: odd}
steps:
- name: odd
  wait: {for: "jsonpath={.data.x}=\${LINES}", on: configmap/none, namespace: $NS, timeout: "\${ODD}"}
END
printf 'FILE: %s\n' "$file_value" >vars.yaml

context=$(kubectl config current-context)
kubectl config view --raw --minify >with-token
user=$(kubectl config view --minify -o 'jsonpath={.users[0].name}')
kubectl --kubeconfig with-token config set-credentials "$user" --token "$kubeconfig_token" >/dev/null
cat >plugin <<END
#!/bin/sh
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"$exec_token"}}'
END
chmod +x plugin
cp with-token with-plugin
kubectl --kubeconfig with-plugin config set-credentials exec --exec-api-version client.authentication.k8s.io/v1 \
    --exec-command "$PWD/plugin" --exec-interactive-mode Never >/dev/null
kubectl --kubeconfig with-plugin config set-context "$context" --user exec >/dev/null
mkdir planted
cp good.yaml bad.yaml chart.yaml odd.yaml more.yaml vars.yaml with-token with-plugin plugin untyped spellings planted/

# ---- every command
while :; do
    cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' '
    sleep 0.03
done >seen.cmdlines &
watcher=$!

# shows_none COMMAND...: whatever its end, nothing of it shows a canary.
shows_none() {
    capture "$@"
    if grep -nFf spellings .out .err >found; then
        fail "no canary in: $*" "$(cat found)"
    else
        pass
    fi
}
verbosities=("" "-o json" "--log-level debug" "--log-level debug --log-format json -o json")
every() { # COMMAND SPEC FLAGS...
    local flags words
    for flags in "${verbosities[@]}"; do
        read -ra words <<<"$flags"
        shows_none grapnel "$1" -f "$2" --var-file vars.yaml "${@:3}" "${words[@]}"
    done
}
for spec in good bad chart odd; do
    every validate $spec.yaml
    every plan $spec.yaml --offline
    every plan $spec.yaml --diff --kubeconfig with-token
    shows_none grapnel graph -f $spec.yaml --var-file vars.yaml --format mermaid
    shows_none grapnel graph -f $spec.yaml --var-file vars.yaml --format dot --log-level debug
done
pods_say "cannot log in with $env_plain"
every apply bad.yaml --kubeconfig with-token
ends_with 1 "a run fails" grapnel apply -f bad.yaml --var-file vars.yaml
says "cannot log in with ***"
every status bad.yaml --kubeconfig with-token
every plan bad.yaml --diff --kubeconfig with-plugin # refused by the server, which knows no such token
every apply chart.yaml --kubeconfig with-token
shows_none grapnel apply -f good.yaml --var-file vars.yaml --set "SET=$set_value" --kubeconfig with-token --log-level debug
says "the secret SET was given with --set"
sed -i "s/$in_string_data/${in_string_data}-changed/" good.yaml more.yaml
every plan good.yaml --diff --kubeconfig with-token
every apply good.yaml --kubeconfig with-token
every status good.yaml --kubeconfig with-token
says '"runStatus":"ok"'
shows_none grapnel status -f good.yaml --token "$token_flag" --log-level debug
shows_none grapnel status -f good.yaml --token "$token_flag" --server https://127.0.0.1:1 -o json

kill "$watcher"
wait "$watcher" 2>/dev/null
equals "the process list" "" "$(grep -aoFf untyped seen.cmdlines | sort -u)"

# ---- charts, builds and functions: passwords of repositories, registries and URLs, typed or kept
more() { # WORDS...
    HOME=$PWD/planted/home shows_none grapnel "$@" --log-level debug
    HOME=$PWD/planted/home shows_none grapnel "$@"
}
mkdir -p planted/home/.config/helm/registry planted/{needs,secret/templates,base,file}
away=http://me:$url_password@127.0.0.1:1
cat >planted/home/.config/helm/repositories.yaml <<END
apiVersion: ""
repositories:
- {name: named, url: "http://127.0.0.1:1/c", username: me, password: $auth_password}
- {name: inurl, url: "$away/c"}
END
printf '{"auths":{"127.0.0.1:1":{"auth":"%s"}}}' "$(printf '%s' "me:$auth_password" | base64 -w0)" >planted/home/.config/helm/registry/config.json
printf '%s' "me:$auth_password" | base64 -w0 >>spellings
echo >>spellings
cat >planted/needs/Chart.yaml <<END
{apiVersion: v2, name: needs, version: 1.0.0, dependencies: [{name: a, version: 1.x, repository: "$away/c"},
  {name: b, version: 1.x, repository: "@named"}, {name: c, version: 1.x, repository: "oci://127.0.0.1:1/c"}]}
END
echo '{apiVersion: v2, name: secret, version: 1.0.0}' >planted/secret/Chart.yaml
echo '{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {p: "{{ .Values.p }}"}}' >planted/secret/templates/s.yaml
echo "resources: [\"https://me:$url_password@127.0.0.1:1/x//y?timeout=2s\"]" >planted/base/kustomization.yaml
echo "resources: [\"$away/x.yaml\"]" >planted/file/kustomization.yaml
for command in "chart repo list" "chart repo list -o json" "chart repo update" "chart search repo x" "chart pull named/x" "chart pull inurl/x" \
    "chart pull oci://127.0.0.1:1/c/x" "chart pull $away/x.tgz" "chart show all inurl/x" "chart dependency list planted/needs" \
    "chart dependency update planted/needs" "chart template x planted/needs" "chart lint planted/needs" "chart package planted/needs" \
    "chart repo add n $away/c" "chart repo add n http://127.0.0.1:1/c --username me --password $auth_password" \
    "chart registry login 127.0.0.1:1 -u me -p $auth_password" "chart template x --repo $away/c y" "chart env" \
    "chart template x planted/secret -f $away/x.yaml" "build planted/base" "build planted/file" "localize planted/file tmp/l" \
    "fn eval planted/file -i set-labels -- a=b" "fn render planted/file" "cfg tree planted" "edit add resource $away/y.yaml" \
    "plan -f $away/x.yaml" "eval cel x" "version"; do
    read -ra words <<<"$command"
    more "${words[@]}"
done
HOME=$PWD/planted/home
for command in "install s planted/secret --dry-run=client --hide-secret" "install s planted/secret" "diff s planted/secret --set q=1" \
    "status s" "history s" "upgrade s planted/secret --set q=1" "get notes s" "list -o json" "rollback s" "uninstall s"; do
    read -ra words <<<"$command"
    [[ $command != *planted/secret* ]] || words+=(--set "p=$in_data")
    shows_none grapnel chart "${words[@]}" -n "$NS" --log-level debug
done
HOME=$PWD

# ---- what is left where
rm -f seen.cmdlines found .out .err pods.log
equals "files" "" "$(grep -rlFf spellings . --exclude-dir=planted | grep -vE '^\./(good|bad|chart|odd|more|vars)\.yaml$|^\./(with-token|with-plugin|plugin|untyped|spellings)$')"
equals "temporary files" "" "$(find tmp -type f)"
kubectl get configmaps,services,deployments,jobs,pods,events --namespace "$NS" -o json |
    sed "s/\"value\": \"$job_env\"//; /cannot log in with/d" >objects
equals "objects that are no Secrets" "" "$(grep -oFf spellings objects | sort -u)"
for name in canaries leaks; do
    field "secret/khook-state-$name" '.data.record\.json' | base64 -d
done >records
equals "the records are there" 2 "$(grep -o '"runStatus"' records | wc -l)"
equals "the records" "" "$(grep -oFf spellings records | sort -u)"
equals "the object it is meant for has it" "$env_plain" "$(field secret/keys '.data.c' | base64 -d)"
every destroy good.yaml --kubeconfig with-token
every destroy bad.yaml --kubeconfig with-token
