#!/bin/sh
# oss-fuzz/build.sh -- every fuzz target for the engine of $LIB_FUZZING_ENGINE, with its seeds, in $OUT.
# The variables are OSS-Fuzz's. Run from the root of the source without them it builds for libFuzzer in
# build/oss-fuzz/out.
set -eu
: "${CC:=clang}" "${CXX:=clang++}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
: "${CFLAGS:=-fsanitize=address,fuzzer-no-link}" "${CXXFLAGS:=$CFLAGS}"
: "${WORK:=$PWD/build/oss-fuzz}" "${OUT:=$WORK/out}"
libraries="$(pkg-config --libs SPIRV-Tools sqlite3 jansson inih) -lmpfr -lgmp -lm"
objects=$WORK/objects
mkdir -p "$OUT/lib"

for source in tests/fuzzers/target_*.c; do
    target=$(basename "$source" .c)
    echo "$objects/tests/fuzzers/$target.o"
done | xargs make -j"$(nproc)" B="$objects" CC="$CC" CFLAGS="$CFLAGS" "$objects/libhalfulp.a"

for source in tests/fuzzers/target_*.c; do
    target=$(basename "$source" .c)
    # shellcheck disable=SC2086 # flags are words
    $CXX $CXXFLAGS -o "$OUT/$target" "$objects/tests/fuzzers/$target.o" "$objects/libhalfulp.a" \
        $LIB_FUZZING_ENGINE $libraries -lstdc++ -Wl,-rpath,"\$ORIGIN/lib"
    rm -f "$OUT/${target}_seed_corpus.zip"
    zip -q -j -r "$OUT/${target}_seed_corpus.zip" "corpora/fuzz/$target"
done

# The machine that runs them has no libraries but the C library's.
for program in "$OUT"/target_*; do
    case $program in *.zip) continue ;; esac
    ldd "$program" | awk '$2 == "=>" && $1 !~ /^(libc|libm|libdl|librt|libpthread)\.so/ { print $3 }'
done | sort -u | xargs -I '{}' cp -L '{}' "$OUT/lib"
