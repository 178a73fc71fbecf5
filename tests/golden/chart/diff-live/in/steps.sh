# shellcheck shell=bash
step() { # COMMAND...: what it prints and its status, when that is not 0
    echo "$ $*"
    "$@" 2>&1 | sed 's/^time=[^ ]* //'
    local status=${PIPESTATUS[0]}
    [ "$status" = 0 ] || echo "status $status"
}
diff_of() { step grapnel chart diff "$@"; }

# The kinds of the chart's own CRDs are not there yet.
diff_of web ./web -o json
diff_of web ./web --live -C 1
diff_of web ./web --set version=v0
diff_of web ./web --skip-crds
grapnel chart install web ./web --log-level warn >/dev/null
diff_of web ./web --live --exit-code
diff_of web --live --exit-code -o yaml

grapnel apply -f change.yaml --log-level error >/dev/null 2>&1 || echo "change.yaml failed"
diff_of web ./web --exit-code
diff_of web ./web --live --exit-code
diff_of web --live --exit-code -C 0 --force-conflicts
diff_of web --live --exit-code -o json
diff_of web ./web --live --set size=4,small=true --server-side=false --exit-code -C 1

grapnel chart upgrade web ./web --set small=true --force-conflicts --log-level warn >/dev/null
diff_of web --live --exit-code
diff_of web --live --to 1 -C 1
diff_of web --live --to 7
diff_of web --live --from 1
diff_of web ./web --live --dry-run=client
diff_of nobody --live
diff_of web ./web -o table
