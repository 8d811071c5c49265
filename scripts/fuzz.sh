#!/bin/sh
# scripts/fuzz.sh TARGET... -- AFL++ on each target for FUZZ_SECONDS (60), two at a time, from the inputs of
# corpora/fuzz/TARGET. What finished its time on this very program is not run again, so that a long run that
# was stopped goes on; FUZZ_AGAIN=1 runs all anew. Ends with a table and fails when an input crashes or
# hangs a target, naming the files, or when a target was not run.
set -u
cd "$(dirname "$0")/.." || exit 3
command -v afl-clang-fast >/dev/null || { echo "fuzz: afl-clang-fast is missing (Debian: afl++)"; exit 3; }
[ $# -gt 0 ] || { echo "fuzz: there are no fuzz targets" >&2; exit 1; }
seconds=${FUZZ_SECONDS:-60}
out=build/afl/out
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1
export AFL_QUIET=1

# Targets that read files make them in memory where they can.
memory=$(mktemp -d -p /dev/shm halfulp-fuzz-XXXXXX 2>/dev/null || mktemp -d) || exit 3
trap 'rm -rf "$memory"' EXIT
# A shell's children in the background do not hear SIGINT.
trap 'trap - INT TERM; kill $(cat "$memory"/*.pid 2>/dev/null) 2>/dev/null; wait; exit 130' INT TERM

mkdir -p "$out"
printf 'build/afl/afl/%s\n' "$@" |
    xargs make --no-print-directory -s -j2 B=build/afl CC=afl-clang-fast >build/fuzz-build.log 2>&1 || { cat build/fuzz-build.log; exit 3; }

# What a finished run is of: seconds and program.
name_run() {
    echo "$seconds $(cksum <"build/afl/afl/$1")"
}

# Has it run at least as long on this program?
is_finished() {
    [ -z "${FUZZ_AGAIN:-}" ] && [ -e "$out/$1/finished" ] &&
        [ "$(sed 's/^[^ ]* //' "$out/$1/finished")" = "$(name_run "$1" | sed 's/^[^ ]* //')" ] &&
        [ "$(sed 's/ .*//' "$out/$1/finished")" -ge "$seconds" ]
}

stat_of() {
    awk -v key="$2" '$1 == key { print $3; found = 1 } END { if (!found) print 0 }' \
        "$out/$1/default/fuzzer_stats" 2>/dev/null || echo 0
}

fuzz() {
    rm -rf "${out:?}/$1"
    mkdir -p "$out/$1" "$memory/$1"
    TMPDIR=$memory/$1 afl-fuzz -V "$seconds" -t 2000 -i "corpora/fuzz/$1" -o "$out/$1" -- \
        "build/afl/afl/$1" >"$out/$1/log" 2>&1 &
    echo $! >"$memory/$1.pid"
    wait $! || { echo "fuzz: $1: afl-fuzz failed"; tail -n 5 "$out/$1/log"; return; }
    rm -f "$memory/$1.pid"
    # On a busy machine an input may be slow once: a hang is one that hangs again, alone.
    for f in "$out/$1"/default/hangs/id:*; do
        if [ -e "$f" ] && timeout 20 "build/afl/afl/$1" "$f" >/dev/null 2>&1; then
            rm "$f"
        fi
    done
    name_run "$1" >"$out/$1/finished"
    echo "fuzz: $1: $(stat_of "$1" execs_done) executions"
}

n_started=0
for target in "$@"; do
    ! is_finished "$target" || continue
    fuzz "$target" & # two at a time
    n_started=$((n_started + 1))
    [ $((n_started % 2)) -ne 0 ] || wait
done
wait

bad=0
printf '%-22s %12s %8s %8s %8s %6s\n' target executions seconds per-s crashes hangs
for target in "$@"; do
    n=$(stat_of "$target" execs_done)
    time=$(stat_of "$target" run_time)
    crashes=$(find "$out/$target/default/crashes" -name 'id:*' 2>/dev/null)
    hangs=$(find "$out/$target/default/hangs" -name 'id:*' 2>/dev/null)
    printf '%-22s %12s %8s %8s %8s %6s\n' "$target" "$n" "$time" $((n / (time > 0 ? time : 1))) \
        "$(printf '%s' "$crashes" | grep -c .)" "$(printf '%s' "$hangs" | grep -c .)"
    if [ ! -e "$out/$target/finished" ] || [ "$n" -eq 0 ]; then
        echo "fuzz: $target was not run to its end"
        bad=1
    fi
    if [ -n "$crashes$hangs" ]; then
        printf '%s\n' "$crashes" "$hangs" | grep .
        bad=1
    fi
done
exit $bad
