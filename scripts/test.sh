#!/bin/sh
# scripts/test.sh BUILD TEST... -- run the test programs in this order, one more at a time than there are cores, as many
# wait for a driver to hang; each output in one piece. One that takes TEST_SECONDS (3600) hangs: beside four busy loops
# the longest takes a quarter of that.
# Ends with one line of counts; fails when a test fails or when there are none.
set -u
build=$1
shift
[ $# -gt 0 ] || { echo "test: there are no tests" >&2; exit 1; }
export HALFULP_BUILD="$build"
logs=$build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
# shellcheck disable=SC2016
printf '%s\n' "$@" | xargs -P $(($(nproc 2>/dev/null || echo 2) + 1)) -I '{}' sh -c '
    log=$2/$(basename "$1").log
    timeout "${TEST_SECONDS:-3600}" "$1" >"$log" 2>&1
    status=$?
    [ $status -eq 0 ] || echo "test: $1 failed with status $status" >>"$log"
    cat "$log"' sh '{}' "$logs"
n_failed=$(cat "$logs"/*.log | grep -c '^test: .* failed with status')
n_tests=$(awk '/^\[  PASSED  \]/ { n += $4 } END { print n + 0 }' "$logs"/*.log)
n_skipped=$(awk '/^\[  SKIPPED \].* listed below/ { n += $4 } END { print n + 0 }' "$logs"/*.log)
echo "test: $# programs, $n_tests tests passed, $n_skipped skipped, $n_failed programs failed"
if [ "$n_failed" -gt 0 ]; then
    cat "$logs"/*.log | grep '^test: .* failed with status'
    exit 1
fi
[ "$n_tests" -gt 0 ]
