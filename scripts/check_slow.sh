#!/bin/sh
# scripts/check_slow.sh -- the long tests, part by part with the time of each; at most an hour on
# two cores. MUTANTS (30) says how many of the oracle's mutants are tried.
set -u
cd "$(dirname "$0")/.." || exit 3
bad=""
begun=$(date +%s)

part() {
    name=$1
    start=$(date +%s)
    shift
    echo "check-slow: $name"
    "$@" || bad="$bad $name"
    echo "check-slow: $name took $(($(date +%s) - start)) s"
}

# 20,000 modules of a profile, half of each environment.
validity() {
    build/opt/halfulp gen --validate 10000 --seed 2 --profile "$1"
}

# No alarm in 20,000 honest cases of each chooser, in percent: of atomics' and arith's contended cells
# under 1 inconclusive and under 10 only bounded; of groups' runs under 2 inconclusive, of their float
# reductions under 10 bounded; of maxerror's runs under 0.1 inconclusive. In arith and maxerror no
# divergence either, but for bounds that no encoding meets.
control() {
    rm -rf "build/control-$1"
    build/opt/halfulp run --cases 20000 --seed 1 --profile "$1" --targets sim-any,sim-ieee -q \
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
            if (profile == "atomics" || profile == "arith") {
                limit("contended cells inconclusive", unsure, contended, 1)
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

part test make --no-print-directory test
part validity-atomics validity atomics
part validity-groups validity groups
part validity-arith validity arith
part validity-maxerror validity maxerror
part validity-all validity all
part control-atomics control atomics
part control-groups control groups
part control-arith control arith
part control-maxerror control maxerror
part sweep env HALFULP_SLOW=1 build/opt/oracle/test_sweep
part buckets env HALFULP_SLOW=1 build/opt/tests/test_buckets
part reduce env HALFULP_SLOW=1 build/opt/tests/test_reduce
part browser scripts/browser.sh
part selftest-atomics build/opt/halfulp selftest --apply 500 --profile atomics
part selftest-groups build/opt/halfulp selftest --apply 500 --profile groups
part selftest-arith build/opt/halfulp selftest --apply 50 --profile arith
part selftest-maxerror build/opt/halfulp selftest --apply 50 --profile maxerror
part paranoid make --no-print-directory paranoid
part asan make --no-print-directory asan
part ubsan make --no-print-directory ubsan
part mutants scripts/mutants.sh "${MUTANTS:-30}"
part fuzz make --no-print-directory fuzz
part drivers env CASES=5000 scripts/check_drivers.sh
echo "check-slow: all took $(($(date +%s) - begun)) s"
[ -z "$bad" ] || { echo "check-slow: failed:$bad"; exit 1; }
