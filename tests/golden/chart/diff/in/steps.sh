# shellcheck shell=bash
step() { # COMMAND...: what it prints and its status, when that is not 0
    echo "$ $*"
    "$@" 2>&1
    local status=$?
    [ $status = 0 ] || echo "status $status"
}
diff_of() { step grapnel chart diff "$@"; }
quietly() { grapnel chart "$@" --log-level warn >/dev/null; }

diff_of web ./web --set extra=false --exit-code
grapnel chart list -q
quietly install web ./web
diff_of web ./web --exit-code
diff_of web ./web --set color=blue,extra=false,password=swordfish --exit-code
diff_of web ./web --set color=blue --no-hooks --dry-run=client
diff_of web ./web --set mistaken=true --no-hooks
diff_of web ./web --dry-run=none
quietly upgrade web ./web --set color=blue,password=swordfish
diff_of web ./web --set size=large --no-hooks
diff_of web ./web --set size=large --no-hooks --reuse-values
diff_of web ./web --no-hooks
diff_of web ./web --no-hooks --reset-values
diff_of web --from 1 --exit-code
diff_of web --from 1 --to 2 --no-hooks
diff_of web --to 1 --no-hooks
diff_of web --from 2 --exit-code
diff_of web --from 7
diff_of nobody --from 1
diff_of web ./web --from 1
diff_of web
grapnel chart history web -o json | grep -o '"revision":[0-9]*'
