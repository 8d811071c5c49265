#!/bin/sh
# scripts/bench.sh BUILD PROGRAM... -- run the benchmarks one after the other; each prints lines of
# name, value and unit, separated by tabs. Then the share of the CPU time that the harness itself takes of a
# campaign of BENCH_SECONDS (20): on lavapipe for atomics and for groups, and on a compiler without a device, where
# a case is built in 1.5 ms and not run; last a guided campaign.
set -u
build=$1
export HALFULP_BUILD="$build" HALFULP_WORKER="$build/halfulp-worker"
shift
[ $# -gt 0 ] || { echo "bench: there are no benchmarks" >&2; exit 1; }
bad=0
for program in "$@"; do
    "$program" || { echo "bench: $program failed" >&2; bad=1; }
done

# bench_campaign PROFILE TARGET
bench_campaign() {
    out=$build/bench-campaign-$1-$2
    rm -rf "$out"
    "$build/halfulp" run --for "${BENCH_SECONDS:-20}s" --seed 1 --profile "$1" \
        --targets "$2" -q -o "$out" >"$out.log" 2>&1 </dev/null
    case $? in
    0 | 1)
        "$build/halfulp" report --format json "$out" | awk -F '[:,] *' -v name="$1_$2" '
            /^  "harness_cpu_share"/ { printf "harness_cpu_share_%s\t%.1f\t%%\n", name, 100 * $2 }
            /^  "wall_ns"/ { wall_ns = $2 }
            /^  "n_cases"/ { printf "campaign_%s\t%.1f\tcases/s\n", name, $2 / (wall_ns / 1e9); n++ }
            END { exit n != 1 }' || bad=1
        ;;
    2) echo "bench: $2 is not here: no campaign" >&2 ;;
    *)
        tail -n 5 "$out.log" >&2
        bad=1
        ;;
    esac
}
bench_campaign atomics lavapipe
bench_campaign groups lavapipe
bench_campaign all radv-navi31

# A guided campaign on the simulated device: executions per second of CPU time, all processes taken
# together, against generating, simulating and judging alone (to be at least 0.7).
if [ -x "$build/halfulp-afl" ] && command -v afl-fuzz >/dev/null; then
    out=$build/bench-campaign-guided
    rm -rf "$out"
    "$build/halfulp" fuzz --for "${BENCH_SECONDS:-20}s" --seed 1 --profile atomics --targets sim-ieee \
        -q -o "$out" >"$out.log" 2>&1 </dev/null
    { "$build/tests/bench/bench_guided"; cat "$out.log"; } | awk '
        $1 == "guided_execute_share" { alone = $2 }
        / executions on / { n = $1 }
        / of CPU time, of that AFL[+][+] / {
            for (i = 2; i <= NF; i++) {
                if ($i == "of" && $(i + 1) == "CPU") cpu = $(i - 2)
                if ($i == "AFL++") afl = $(i + 1) + 0
            }
        }
        END {
            if (!(n > 0 && cpu > 0 && alone > 0)) exit 1
            printf "guided_sim\t%.0f\texecutions/s of CPU time\n", n / cpu
            printf "guided_sim_ratio\t%.3f\tof generating, simulating and judging alone\n", alone * (1 - afl / 100)
        }' || { tail -n 5 "$out.log" >&2; bad=1; }
else
    echo "bench: AFL++ is not here: no guided campaign" >&2
fi
exit $bad
