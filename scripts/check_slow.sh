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

# No alarm in 20,000 honest cases of each chooser. Of atomics: of the contended cells under 1%
# inconclusive and under 10% only bounded. Of groups: under 2% of the runs inconclusive, under 10% of
# the float reductions only bounded.
control() {
    rm -rf "build/control-$1"
    build/opt/halfulp run --cases 20000 --seed 1 --profile "$1" --targets sim-any,sim-ieee -q \
        -o "build/control-$1" || return
    build/opt/halfulp report --format json "build/control-$1" | awk -F '[:,] *' -v profile="$1" '
        /^   "n_runs"/ { runs = $2 }
        /^    "inconclusive"/ { unsure_runs = $2 }
        /^   "n_inconclusive"/ { unsure = $2 }
        /^   "n_bounded"/ { bounded = $2 }
        /^   "n_contended"/ {
            if (profile != "atomics") next
            n++
            printf "contended cells: %d, inconclusive %.2f%%, bounded %.2f%%\n", $2,
                100 * unsure / $2, 100 * bounded / $2
            bad = bad || !($2 > 0) || unsure / $2 >= 0.01 || bounded / $2 >= 0.1
        }
        /^   "n_reductions"/ { reductions = $2 }
        /^   "n_reductions_bounded"/ {
            if (profile != "groups") next
            n++
            printf "runs: %d, inconclusive %.2f%%; float reductions: %d, bounded %.2f%%\n", runs,
                100 * unsure_runs / runs, reductions, 100 * $2 / reductions
            bad = bad || !(reductions > 0) || unsure_runs / runs >= 0.02 || $2 / reductions >= 0.1
        }
        END { exit bad || n != 2 }'
}

part test make --no-print-directory test
part validity-atomics validity atomics
part validity-groups validity groups
part validity-all validity all
part control-atomics control atomics
part control-groups control groups
part selftest build/opt/halfulp selftest --apply 500
part paranoid make --no-print-directory paranoid
part asan make --no-print-directory asan
part ubsan make --no-print-directory ubsan
part mutants scripts/mutants.sh "${MUTANTS:-30}"
part fuzz make --no-print-directory fuzz
part drivers env CASES=5000 scripts/check_drivers.sh
echo "check-slow: all took $(($(date +%s) - begun)) s"
[ -z "$bad" ] || { echo "check-slow: failed:$bad"; exit 1; }
