#!/bin/sh
# scripts/check_install.sh BUILD -- install into a fresh folder, go to / and do there what a user does: run, report, check,
# reduce and audit, with a simulated device and with each default driver that is here, and `make run` in a bug's folder.
set -u
cd "$(dirname "$0")/.." || exit 3
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
unset HALFULP_DRIVERS HALFULP_WORKER
export HOME="$dir/home" XDG_CONFIG_HOME="$dir/home/.config"
mkdir -p "$HOME"

# expect STATUS COMMAND...: it ends with that status, else what it said is shown.
expect() {
    wanted=$1
    shift
    "$@" >"$dir/said" 2>&1 </dev/null
    status=$?
    [ $status -eq "$wanted" ] && return
    bad=1
    echo "check_install: status $status, expected $wanted: $*"
    tail -n 5 "$dir/said"
}

expect 0 make --no-print-directory install B="$build" PREFIX="$dir/a place"
halfulp="$dir/a place/bin/halfulp"
cd / || exit 3
for file in bin/halfulp-nightly share/man/man1/halfulp.1 share/bash-completion/completions/halfulp \
    share/halfulp/corpora/seeds/all share/halfulp/corpora/worst; do
    [ -e "$dir/a place/$file" ] || { echo "check_install: no $file is installed"; bad=1; }
done
expect 0 "$halfulp" --version

# jobs TARGET: a campaign in which a fault is planted, so that there is a bug, and what is done with one.
jobs() {
    target=$1
    campaign="$dir/$target"
    expect 1 "$halfulp" run --targets "$target:SUB_FOR_ADD" --profile arith --seed 1 --cases 8 -q -o "$campaign"
    expect 1 "$halfulp" report -q --triage-time 15s --reduce-time 3s "$campaign"
    expect 1 "$halfulp" check "$campaign#1"
    expect 0 "$halfulp" reduce -q --for 3s "$campaign#1" -o "$dir/small-$target"
    expect 0 "$halfulp" audit -q --target "$target" --ops exp --types f16 --forms full -o "$dir/audit-$target"
    for bug in "$campaign"/bugs/*/; do
        expect 1 "$halfulp" check "$bug"
        expect 2 env PATH="$dir/a place/bin:$PATH" make --no-print-directory -C "$bug" run
        grep -q 'run\] Error 1$' "$dir/said" || { bad=1; echo "check_install: $bug: make run does not show it"; cat "$dir/said"; }
        return
    done
    echo "check_install: $target: no folder of a bug"
    bad=1
}

expect 0 "$halfulp" run --targets sim-ieee --cases 5 -q -o "$dir/sim"
expect 0 "$halfulp" report -q "$dir/sim"
expect 0 "$halfulp" fuzz --targets sim-ieee --cases 5 -q -o "$dir/guided"
for target in lavapipe intel-cpu; do
    if "$halfulp" devices --targets $target >"$dir/devices" 2>&1; then
        jobs $target
    else
        echo "check_install: $target is not here"
    fi
done
[ $bad -eq 0 ] && echo "check_install: run, report, check, reduce, audit and make run work from /"
exit $bad
