# shellcheck shell=bash
# Starting: against kubectl, and against a program that does nothing.
commands_bench --name "start/version against kubectl" --bar 30 --rss 3 --times 5 --ours "grapnel version" \
    --theirs "kubectl version --client"
commands_bench --name "start/version against an empty program" --at-most 2.5 --times 100 --ours "grapnel version" \
    --theirs "empty_bench"
