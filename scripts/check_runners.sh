#!/bin/sh
# scripts/check_runners.sh BUILD -- `halfulp cases` under tests/deqp_runner.py, which stands in for deqp-runner: 500 cases on a
# simulated device with a planted fault, with the lists of expected results; a driver that crashes, and one that fails by chance;
# the lists that `halfulp report --expectations` writes, and the same lists read by `halfulp cases`.
set -u
cd "$(dirname "$0")/.." || exit 3
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
suite="$build/halfulp cases --target sim-ieee:SUB_FOR_ADD --profile all --env vulkan"
few="$suite --cases 50"

complain() {
    echo "check_runners: $1"
    bad=1
    tail -n 5 "$dir/said"
}

# run STATUS NAME OPTIONS -- COMMAND: the runner ends with that status; what it says is in said.
run() {
    wanted=$1 name=$2
    shift 2
    python3 -B tests/deqp_runner.py --output "$dir/$name" "$@" >"$dir/said" 2>&1
    status=$?
    [ $status -eq "$wanted" ] || complain "$name: status $status, expected $wanted"
    echo "check_runners: $name: $(tail -n 1 "$dir/said")"
}

# How many tests have that result.
count() {
    awk -F, -v word="$2" '$2 == word { n++ } END { print n + 0 }' "$dir/$1/results.csv"
}

# shellcheck disable=SC2086 # the suite is words
{
    run 1 first -- $suite
    [ "$(wc -l <"$dir/first/results.csv")" -eq 500 ] || complain "first: not 500 tests"
    n=$(count first Fail)
    [ "$n" -ge 5 ] || complain "first: the fault shows in $n tests only"
    run 0 expected --baseline "$dir/first/failures.csv" -- $suite
    [ "$(count expected ExpectedFail)" -eq "$n" ] || complain "expected: not all failures are expected"
    run 1 few --group 7 -- $few
    head -n 50 "$dir/first/results.csv" | diff - "$dir/few/results.csv" >"$dir/said" || complain "results depend on the groups"

    # One failure that the list lacks, one that has ended, one that is skipped, one that is a flake.
    sed 1d "$dir/few/failures.csv" >"$dir/short"
    run 1 unexpected --baseline "$dir/short" -- $few
    [ "$(count unexpected Fail)" -eq 1 ] || complain "unexpected: a failure beyond the list is not told"
    passing=$(sed -n 's/,Pass$//p' "$dir/few/results.csv" | head -n 1)
    { cat "$dir/few/failures.csv"; echo "$passing,Fail"; } >"$dir/long"
    run 1 improved --baseline "$dir/long" -- $few
    [ "$(count improved 'UnexpectedImprovement(Pass)')" -eq 1 ] || complain "improved: an unexpected pass is not told"
    sed -n '1s/,.*/$/p' "$dir/few/failures.csv" >"$dir/one"
    run 0 skipped --baseline "$dir/short" --skips "$dir/one" -- $few
    run 0 flakes --baseline "$dir/short" --flakes "$dir/one" -- $few
    [ "$(count flakes KnownFlake)" -eq 1 ] || complain "flakes: a known flake is not told"

    # The program itself reads the same lists, for those that have no deqp-runner.
    for rest in "0 few/failures.csv" "1 short" "1 long"; do
        $few --fails "$dir/${rest#? }" >"$dir/said"
        [ $? -eq "${rest%% *}" ] || complain "--fails ${rest#? }: another status than ${rest%% *}"
    done
    for option in skips flakes; do
        $few --fails "$dir/short" --$option "$dir/one" >"$dir/said" || complain "--$option is not honoured"
    done
}

# Of a campaign with the same cases.
"$build/halfulp" run --targets sim-ieee:SUB_FOR_ADD --device all-vulkan --profile all --seed 1 --cases 500 -q -o "$dir/campaign" >"$dir/said" 2>&1
"$build/halfulp" report -q --no-triage --expectations "$dir/list" "$dir/campaign" >"$dir/said" 2>&1
grep -v '^#' "$dir/list-fails.txt" | sort >"$dir/of-campaign"
sort "$dir/first/failures.csv" | diff - "$dir/of-campaign" >"$dir/said" || complain "report --expectations gives other failures"
# shellcheck disable=SC2086
run 0 of-report --baseline "$dir/list-fails.txt" --flakes "$dir/list-flakes.txt" --skips "$dir/list-skips.txt" -- $few
"$build/halfulp" run --targets sim-ieee --profile arith --seed 1 --cases 2 -q -o "$dir/unnamed" >"$dir/said" 2>&1
"$build/halfulp" report -q --no-triage --expectations "$dir/none" "$dir/unnamed" >"$dir/said" 2>&1
[ $? -eq 2 ] || complain "a campaign whose cases have no names gets lists"

# Drivers that misbehave.
real=$PWD/drivers/intel-cpu/lib/libintelocl.so
[ -r "$real" ] || { echo "check_runners: drivers that misbehave: no intel-cpu here"; exit $bad; }
realpath "$build/libbadocl.so" >"$dir/bad.icd"
for mode in segfault-run exit0 lost hang-run; do
    printf '[bad-%s]\napi = opencl\ndeadline_ms = 4000\nenv.HALFULP_BAD = %s\nenv.OCL_ICD_VENDORS = %s\n' "$mode" "$mode" "$dir"
    printf 'env.LD_LIBRARY_PATH = %s\nenv.HALFULP_BAD_REAL = %s\n' "${real%/*}" "$real"
done >"$dir/targets.ini"
for mode in segfault-run exit0 lost; do
    run 1 "$mode" -- "$build/halfulp" cases --targets-file "$dir/targets.ini" --target "bad-$mode" --profile arith --device embedded --cases 4
    [ "$(count "$mode" Crash)" -ge 1 ] || complain "$mode: no crash is told"
    run 0 "$mode-expected" --baseline "$dir/$mode/failures.csv" -- \
        "$build/halfulp" cases --targets-file "$dir/targets.ini" --target "bad-$mode" --profile arith --device embedded --cases 4
done
run 1 hang-run -- "$build/halfulp" cases --targets-file "$dir/targets.ini" --target bad-hang-run --profile arith --device embedded --cases 2
[ "$(count hang-run Fail)" -ge 1 ] || complain "hang-run: a hang is no failure"
run 1 timeout --timeout 1 -- "$build/halfulp" cases --targets-file "$dir/targets.ini" --target bad-hang-run --profile arith --device embedded --cases 2
[ "$(count timeout Timeout)" -ge 1 ] || complain "timeout: the runner's own time limit does not end a hang"
"$build/halfulp" cases --targets-file "$dir/targets.ini" --target bad-segfault-run --profile arith --device embedded --cases 4 --keep-going >"$dir/said" 2>&1
grep -q '^\[----------\] 4 tests from .* total)' "$dir/said" || complain "--keep-going does not go on"
exit $bad
