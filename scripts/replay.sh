#!/bin/sh
# scripts/replay.sh BUILD TARGET... -- run each fuzz target on the inputs kept in
# corpora/fuzz/TARGET, with a plain main. Fails when one fails or has no inputs, or inputs have no target.
set -u
build=$1
shift
bad=0
[ $# -gt 0 ] || { echo "replay: there are no fuzz targets" >&2; exit 1; }
for target in "$@"; do
    [ -n "$(ls "corpora/fuzz/$target" 2>/dev/null)" ] || { echo "replay: no inputs for $target"; bad=1; continue; }
    "$build/tests/fuzzers/$target" "corpora/fuzz/$target"/* || { echo "replay: $target failed"; bad=1; }
done
for folder in corpora/fuzz/*; do
    [ -e "$build/tests/fuzzers/${folder##*/}" ] || { echo "replay: $folder: there is no such target"; bad=1; }
done
echo "replay: $# targets, $(find corpora/fuzz -type f | wc -l) inputs"
exit $bad
