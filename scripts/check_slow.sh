#!/bin/sh
# scripts/check_slow.sh -- the long tests, part by part with the time of each; at most an hour on
# two cores. HALFULP_SLOW=1 makes the tests that know it take their large sizes.
set -u
cd "$(dirname "$0")/.." || exit 3
bad=""

part() {
    name=$1
    start=$(date +%s)
    shift
    echo "check-slow: $name"
    "$@" || bad="$bad $name"
    echo "check-slow: $name took $(($(date +%s) - start)) s"
}

part test env HALFULP_SLOW=1 make --no-print-directory test
part paranoid make --no-print-directory paranoid
part asan make --no-print-directory asan
part ubsan make --no-print-directory ubsan
part selftest make --no-print-directory selftest
part mutants scripts/mutants.sh 60
part fuzz make --no-print-directory fuzz
part drivers env CASES=10000 scripts/check_drivers.sh
[ -z "$bad" ] || { echo "check-slow: failed:$bad"; exit 1; }
