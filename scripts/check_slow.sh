#!/bin/sh
# scripts/check_slow.sh [PART...] -- the long tests (or these of them), with the time of each; at most
# an hour on two cores. Parts that keep one core busy run two at a time, each output in one piece.
# MUTANTS (8) says how many of the oracle's mutants are tried, CONTROL_CASES (2500) how many honest
# cases of each profile: 20000 for the figures that a release states. APPLY (30, a third of it where a
# case takes long, four times in atomics, where a stale load shows in one of 30) is how often each fault is
# planted.
set -u
cd "$(dirname "$0")/.." || exit 3
logs=build/slow-logs
wanted=" $* "
begun=$(date +%s)
apply=${APPLY:-30}
rm -rf "$logs"
mkdir -p "$logs"

# NAME COMMAND...: leaves NAME.log, and NAME.bad when it failed. In a shell of its own: its CPU time.
run_part() (
    name=$1
    start=$(date +%s)
    shift
    "$@" >"$logs/$name.log" 2>&1 </dev/null || touch "$logs/$name.bad"
    times >"$logs/$name.times"
    echo "check-slow: $name"
    cat "$logs/$name.log"
    [ ! -e "$logs/$name.bad" ] || echo "check-slow: $name failed"
    echo "check-slow: $name took $(($(date +%s) - start)) s, CPU $(tail -n 1 "$logs/$name.times")"
)

is_wanted() {
    case $wanted in
    "  ") return 0 ;;
    *" $1 "*) return 0 ;;
    *) return 1 ;;
    esac
}

part() {
    is_wanted "$1" || return 0
    wait
    run_part "$@"
}

# Beside another of its kind: started when one of two ends.
half() {
    is_wanted "$1" || return 0
    while [ "$(find "$logs" -name '*.running' | wc -l)" -ge 2 ]; do
        sleep 1
    done
    touch "$logs/$1.running"
    {
        run_part "$@" >"$logs/$1.out" 2>&1
        cat "$logs/$1.out"
        rm "$logs/$1.running"
    } &
}

# 20,000 modules of a profile, half of each environment.
validity() {
    build/opt/halfulp gen --validate 10000 --seed 2 --profile "$1"
}

# No alarm in the same programs as source text: the text is the driver's, the judge has the module.
control_source() {
    rm -rf build/control-source
    build/opt/halfulp run --cases "${CONTROL_CASES:-2500}" --seed 1 --profile all \
        --targets sim-any-opencl-c,sim-ieee-opencl-c -q -o build/control-source
}

# No alarm in honest cases of each strategy, in percent: of the contended cells of atomics under 1 inconclusive; of the runs of
# groups, and of programs, which have group operations, under 2 inconclusive; under 10 of the contended cells or of the float
# reductions only bounded; of arith's and maxerror's runs under 0.1 inconclusive, and no divergence either, but
# for bounds that no encoding meets.
control() {
    rm -rf "build/control-$1"
    build/opt/halfulp run --cases "${CONTROL_CASES:-2500}" --seed 1 --profile "$1" --targets sim-any,sim-ieee -q \
        -o "build/control-$1" || return
    build/opt/halfulp report --format json "build/control-$1" | awk -F '[:,] *' -v profile="$1" '
        function limit(what, part, of, most) {
            share = of > 0 ? 100 * part / of : 100
            printf "%s: %.3f%% of %d, less than %s%% wanted\n", what, share, of, most
            bad = bad || share >= most
        }
        /^   "n_runs"/ { runs = $2 }
        /^    "inconclusive"/ { unsure_runs = $2 }
        /^   "n_inconclusive"/ { unsure = $2 }
        /^   "n_bounded"/ { bounded = $2 }
        /^   "n_contended"/ { contended = $2 }
        /^   "n_reductions"/ { reductions = $2 }
        /^   "n_reductions_bounded"/ { # the last figure of a target
            n++
            if (profile == "atomics") {
                limit("contended cells inconclusive", unsure, contended, 1)
                limit("contended cells bounded", bounded, contended, 10)
            } else if (profile == "programs") {
                limit("runs inconclusive", unsure_runs, runs, 2)
                limit("contended cells bounded", bounded, contended, 10)
            } else if (profile == "groups") {
                limit("runs inconclusive", unsure_runs, runs, 2)
                limit("float reductions bounded", $2, reductions, 10)
            } else {
                limit("runs inconclusive", unsure_runs, runs, 0.1)
            }
        }
        /^ "/ { in_divergences = /^ "divergences_by_clause"/ }
        in_divergences && /^    "id"/ && $2 != "\"MAX_ERROR_UNSATISFIABLE\"" &&
            (profile == "arith" || profile == "maxerror") { print "divergence by " $2; bad = 1 }
        END { exit bad || n != 2 }'
}

# The archive, and a campaign of one minute in bare roots.
archive=build/halfulp-$(build/opt/halfulp --version | sed 's/^halfulp \([^, ]*\).*/\1/')-x86_64.tar.xz
bundle() {
    make --no-print-directory bundle || return
    where_possible scripts/check_bundle.sh "$archive"
}

# COMMAND...: one that ends with 77 says why it cannot be done on this machine.
where_possible() {
    "$@"
    code=$?
    [ "$code" -ne 77 ] || { echo "skip: $*"; code=0; }
    return "$code"
}

for shard in 0 1 2 3; do
    half "sweep-$shard" env HALFULP_SLOW=1 HALFULP_SHARD="$shard/4" build/opt/tests/test_sweep
done
for test in sweep_two sweep_double audit_faults shrink variant seeds known_groups sim owner kill kill_any misbehaviour hostile_journal \
    journal_mutants; do
    half "$test" env HALFULP_SLOW=1 "build/opt/tests/test_$test"
done
half control-atomics control atomics
half control-groups control groups
half control-arith control arith
half control-maxerror control maxerror
half control-programs control programs
half control-opencl-c control_source
half front-end scripts/front_end.sh
half refusals scripts/refusals.sh
half kernels where_possible scripts/kernels.sh build/opt intel-cpu,lavapipe
half selftest-atomics build/opt/halfulp selftest --apply "$((apply * 4))" --profile atomics
half selftest-groups build/opt/halfulp selftest --apply "$apply" --profile groups
half selftest-arith build/opt/halfulp selftest --apply "$((apply / 3))" --profile arith
half selftest-programs build/opt/halfulp selftest --apply "$((apply / 3))" --profile programs
half selftest-maxerror build/opt/halfulp selftest --apply "$((apply / 3))" --profile maxerror
half reduce env HALFULP_SLOW=1 build/opt/tests/test_reduce
half buckets env HALFULP_SLOW=1 build/opt/tests/test_buckets
half validity-atomics validity atomics
half validity-groups validity groups
half validity-arith validity arith
half validity-maxerror validity maxerror
half validity-programs validity programs
half validity-all validity all
half paranoid make --no-print-directory paranoid
half mutants scripts/mutants.sh "${MUTANTS:-8}"
half reproducers env HALFULP_SLOW=1 build/opt/tests/test_reproducer
half browser scripts/browser.sh
half cluster where_possible scripts/slurm/test.sh
half kubernetes where_possible scripts/kubernetes/check.sh
part bundle bundle
part gpu-day where_possible scripts/check_gpu_day.sh "$archive"
part runners scripts/check_runners.sh build/opt
part oss-fuzz where_possible scripts/check_oss_fuzz.sh
part sanitizers make --no-print-directory sanitizers
part fuzz env FUZZ_SECONDS="${FUZZ_SECONDS:-10}" make --no-print-directory fuzz
part drivers env CASES=1200 scripts/check_drivers.sh
wait
bad=$(cd "$logs" && echo *.bad)
echo "check-slow: all took $(($(date +%s) - begun)) s"
[ "$bad" = "*.bad" ] || { echo "check-slow: failed: $bad"; exit 1; }
