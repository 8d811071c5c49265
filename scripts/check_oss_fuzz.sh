#!/bin/sh
# scripts/check_oss_fuzz.sh -- oss-fuzz/build.sh on Debian, with the variables that OSS-Fuzz sets: each target is built for the
# engine of $LIB_FUZZING_ENGINE, runs its seeds without a finding, and needs no library but the C library's and those in $OUT/lib.
# Status 77: a program is missing.
set -u
cd "$(dirname "$0")/.." || exit 3
for program in clang clang++ zip; do
    command -v $program >/dev/null || { echo "check_oss_fuzz: there is no $program"; exit 77; }
done
work=build/oss-fuzz-check
bad=0
rm -rf "$work/out"
mkdir -p "$work/out"
export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer CFLAGS='-O1 -fsanitize=address,fuzzer-no-link'
export CXXFLAGS="$CFLAGS" WORK="$PWD/$work" OUT="$PWD/$work/out" SRC="$PWD"
oss-fuzz/build.sh >"$work/log" 2>&1 || { tail -n 20 "$work/log"; echo "check_oss_fuzz: oss-fuzz/build.sh failed"; exit 1; }
n=0
for source in tests/fuzzers/target_*.c; do
    target=$(basename "$source" .c)
    [ -x "$OUT/$target" ] || { echo "check_oss_fuzz: $target was not built"; bad=1; continue; }
    [ -s "$OUT/${target}_seed_corpus.zip" ] || { echo "check_oss_fuzz: $target has no seeds"; bad=1; }
    # libFuzzer runs each seed, and then new inputs, which it adds to the folder.
    rm -rf "$work/run"
    cp -R "corpora/fuzz/$target" "$work/run"
    ASAN_OPTIONS=detect_leaks=0 timeout 300 "$OUT/$target" -runs=200 -rss_limit_mb=4096 -artifact_prefix="$work/" "$work/run" \
        >"$work/$target.log" 2>&1 </dev/null ||
        { tail -n 5 "$work/$target.log"; echo "check_oss_fuzz: $target failed on its seeds"; bad=1; }
    foreign=$(ldd "$OUT/$target" | awk -v lib="$OUT/lib/" '$2 == "=>" && $1 !~ /^(libc|libm|libdl|librt|libpthread|libresolv)\.so/ &&
        index($3, lib) != 1 { print $1 }')
    [ -z "$foreign" ] || { echo "check_oss_fuzz: $target uses $foreign of the machine"; bad=1; }
    n=$((n + 1))
done
[ $n -gt 0 ] || bad=1
echo "check_oss_fuzz: $n targets"
exit $bad
