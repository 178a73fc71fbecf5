# shellcheck shell=bash
# Charts beside helm (P25): four in wide use from folders and archives, tpl in a loop of 5,000, 100 subcharts, 2,000 overrides.
# Outputs are compared first, without the lines that are random. The real charts lie beside the repository's data.
set -u
work=$BENCH_INPUTS/chart
helm=$BENCH_TOP/out/cluster/bin/helm # on the path it is a name of ours
real=$BENCH_DATA/../conformance/helm/charts/real
export HELM_CACHE_HOME=$work/cache HELM_CONFIG_HOME=$work/config HELM_DATA_HOME=$work/data
mkdir -p "$work"

# rendered PROGRAM... : what it prints, without what differs from run to run: passwords, certificates, times.
rendered() {
    "$@" 2>/dev/null | sed -E 's/[A-Za-z0-9+\/=]{10,}/B/g; s/password: .*/password/; s/[0-9]{4}-[0-9]{2}-[0-9]{2}[T0-9:.Z-]*/T/'
}

# against NAME BAR CHART [OPTION...]: `template` of both; words behind -- are arguments.
against() {
    local name=$1 bar=$2 chart=$3 options=() rss
    shift 3
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    [ $# -eq 0 ] || shift
    if ! cmp -s <(rendered grapnel chart template x "$chart" "$@") <(rendered "$helm" template x "$chart" "$@"); then
        echo "bench/chart/$name against helm: UNEQUAL"
        return
    fi
    rss=$(command -v time >/dev/null && command time -f %M "$helm" template x "$chart" "$@" 2>&1 >/dev/null | tail -1)
    [ -z "$rss" ] || options+=(--rss "$((rss / 4 / 1024))")
    commands_bench --name "chart/$name against helm" --bar "$bar" "${options[@]}" \
        --ours "grapnel chart template x $chart $*" --theirs "$helm template x $chart $*"
}

# unpacked NAME: the folder of an archive.
unpacked() {
    [ -d "$work/$1" ] || { mkdir -p "$work/$1" && tar -xzf "$real/$1".tgz -C "$work/$1" --strip-components 1; }
    echo "$work/$1"
}

chart_yaml() { printf 'apiVersion: v2\nname: %s\nversion: 1.0.0\n' "$1"; }

# many_tpl COUNT: a template that calls tpl COUNT times.
many_tpl() {
    mkdir -p "$work/tpl-$1/templates"
    chart_yaml "tpl-$1" >"$work/tpl-$1/Chart.yaml"
    printf 'text: "{{ .Release.Name }}-{{ .Values.suffix | upper }}"\nsuffix: abc\n' >"$work/tpl-$1/values.yaml"
    printf 'kind: ConfigMap\nmetadata: {name: x}\ndata:\n{{- range $i := until %s }}\n  k{{ $i }}: {{ tpl $.Values.text $ }}\n{{- end }}\n' \
        "$1" >"$work/tpl-$1/templates/a.yaml"
    echo "$work/tpl-$1"
}

# many_charts COUNT: a chart with that many subcharts.
many_charts() {
    local i sub
    for i in $(seq "$1"); do
        sub=$work/sub-$1/charts/s$i
        [ -d "$sub" ] && continue
        mkdir -p "$sub/templates"
        chart_yaml "s$i" >"$sub/Chart.yaml"
        printf 'a: %s\nb: {c: [1, 2, 3]}\n' "$i" >"$sub/values.yaml"
        printf '{{ define "s%s.name" }}n-{{ .Values.a }}{{ end }}kind: ConfigMap\nmetadata: {name: {{ include "s%s.name" . }}}\ndata:\n  b: {{ toJson .Values.b | quote }}\n' \
            "$i" "$i" >"$sub/templates/a.yaml"
    done
    chart_yaml "sub-$1" >"$work/sub-$1/Chart.yaml"
    echo "$work/sub-$1"
}

# many_values COUNT: a chart with that many defaults and a file that overrides each.
many_values() {
    mkdir -p "$work/values-$1/templates"
    chart_yaml "values-$1" >"$work/values-$1/Chart.yaml"
    for i in $(seq "$1"); do printf 'k%s: {a: {b: %s, c: x}}\n' "$i" "$i"; done >"$work/values-$1/values.yaml"
    for i in $(seq "$1"); do printf 'k%s: {a: {c: y, d: [%s]}}\n' "$i" "$i"; done >"$work/over-$1.yaml"
    printf 'kind: ConfigMap\nmetadata: {name: x}\ndata:\n  all: {{ toJson .Values | quote }}\n' >"$work/values-$1/templates/a.yaml"
    echo "$work/values-$1"
}

if [ -d "$real" ]; then
    against kube-prometheus-stack 12 "$(unpacked kube-prometheus-stack-88.5.3)"
    against argo-cd 10 "$(unpacked argo-cd-10.1.1)"
    against redis 15 "$(unpacked redis-23.1.1)" --times 3
    against ingress-nginx 15 "$real/ingress-nginx" --times 3
    against kube-prometheus-stack.tgz 8 "$real/kube-prometheus-stack-88.5.3.tgz"
    against argo-cd.tgz 8 "$real/argo-cd-10.1.1.tgz"
    against redis.tgz 10 "$real/redis-23.1.1.tgz" --times 3
fi
against tpl-5000 20 "$(many_tpl 5000)" --times 3
against subcharts-100 20 "$(many_charts 100)" --times 3
against overrides-2000 20 "$(many_values 2000)" --times 3 -- -f "$work/over-2000.yaml"

# growth NAME SMALL LARGE: ten times the work takes at most eleven times as long, and a start.
growth() {
    commands_bench --name "chart/$1: ten times the work" --at-most 11 --times 1 --ours "grapnel chart template x $3" \
        --theirs "grapnel chart template x $2"
}
growth tpl "$(many_tpl 2000)" "$(many_tpl 20000)"
