#!/bin/sh
# scripts/bench.sh BUILD PROGRAM... -- run the benchmarks one after the other; each prints lines of
# name, value and unit, separated by tabs. Last, for atomics and for groups, the share of the CPU time
# that the harness itself takes of a campaign of BENCH_SECONDS (20) on lavapipe.
set -u
build=$1
export HALFULP_BUILD="$build" HALFULP_WORKER="$build/halfulp-worker"
shift
[ $# -gt 0 ] || { echo "bench: there are no benchmarks" >&2; exit 1; }
bad=0
for program in "$@"; do
    "$program" || { echo "bench: $program failed" >&2; bad=1; }
done

for profile in atomics groups; do
    out=$build/bench-campaign-$profile
    rm -rf "$out"
    "$build/halfulp" run --for "${BENCH_SECONDS:-20}s" --seed 1 --profile "$profile" \
        --targets lavapipe -q -o "$out" >"$out.log" 2>&1 </dev/null
    case $? in
    0 | 1)
        "$build/halfulp" report --format json "$out" | awk -F '[:,] *' -v profile="$profile" '
            /^  "harness_cpu_share"/ { printf "harness_cpu_share_%s_lavapipe\t%.1f\t%%\n", profile, 100 * $2 }
            /^  "wall_ns"/ { wall_ns = $2 }
            /^  "n_cases"/ { printf "campaign_%s_lavapipe\t%.1f\tcases/s\n", profile, $2 / (wall_ns / 1e9); n++ }
            END { exit n != 1 }' || bad=1
        ;;
    2) echo "bench: lavapipe is not here: no campaign" >&2 ;;
    *)
        tail -n 5 "$out.log" >&2
        bad=1
        ;;
    esac
done
exit $bad
