#!/bin/sh
# scripts/bench.sh BUILD PROGRAM... -- run the benchmarks one after the other; each prints lines of
# name, value and unit, separated by tabs.
set -u
export HALFULP_BUILD="$1"
shift
[ $# -gt 0 ] || { echo "bench: there are no benchmarks" >&2; exit 1; }
bad=0
for program in "$@"; do
    "$program" || { echo "bench: $program failed" >&2; bad=1; }
done
exit $bad
