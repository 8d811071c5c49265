#!/bin/sh
# scripts/fuzz.sh TARGET... -- AFL++ on each target for FUZZ_SECONDS (60), from the inputs of
# corpora/fuzz/TARGET. Fails when an input crashes or hangs a target, and names the files.
set -u
cd "$(dirname "$0")/.." || exit 3
command -v afl-clang-fast >/dev/null || { echo "fuzz: afl-clang-fast is missing (Debian: afl++)"; exit 3; }
[ $# -gt 0 ] || { echo "fuzz: there are no fuzz targets" >&2; exit 1; }
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1

for target in "$@"; do
    make --no-print-directory -s "build/afl/afl/$target" B=build/afl CC=afl-clang-fast >build/fuzz-build.log 2>&1 ||
        { cat build/fuzz-build.log; exit 3; }
done

# One target; leaves a file FAILED when an input crashes or hangs it, or none was run.
fuzz() {
    out=build/afl/out/$1
    rm -rf "$out"
    mkdir -p "$out"
    afl-fuzz -V "${FUZZ_SECONDS:-60}" -t 2000 -i "corpora/fuzz/$1" -o "$out" -- \
        "build/afl/afl/$1" >"$out/log" 2>&1 || { tail -n 5 "$out/log"; touch "$out/FAILED"; }
    n=$(awk '$1 == "execs_done" { print $3 }' "$out/default/fuzzer_stats" 2>/dev/null)
    found=$(find "$out/default/crashes" "$out/default/hangs" -name 'id:*' 2>/dev/null)
    echo "fuzz: $1: ${n:-0} executions"
    [ -z "$found" ] || { echo "fuzz: $1 fails on:"; echo "$found"; touch "$out/FAILED"; }
    [ "${n:-0}" -gt 0 ] || touch "$out/FAILED"
}

mkdir -p build/afl/out
rm -f build/afl/out/*/FAILED
n_started=0
for target in "$@"; do
    fuzz "$target" & # two at a time
    n_started=$((n_started + 1))
    [ $((n_started % 2)) -ne 0 ] || wait
done
wait
[ -z "$(find build/afl/out -name FAILED)" ]
