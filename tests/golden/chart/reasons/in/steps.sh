# shellcheck shell=bash
step() { # COMMAND...: what it prints and its status, when that is not 0
    echo "$ $*"
    "$@" 2>&1 | sed -E 's/(time|duration)=[^ ]* //; s/[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} 20[0-9]{2}/TIME/; s/ [0-9.]+s +/ TIME /; s/(pod.[a-z]*)-[-a-z0-9]*/\1-*/'
    local status=${PIPESTATUS[0]}
    [ "$status" = 0 ] || echo "status $status"
}
chart() { step grapnel chart "$@" --log-level warn; }

chart install crash ./web --set fate=crash --wait --timeout 2s
chart install pull ./web --set fate=pull --wait=legacy --timeout 2s
chart install gone ./web --set fate=pull --atomic --timeout 2s
step grapnel apply -f spec.yaml
