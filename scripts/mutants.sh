#!/bin/sh
# scripts/mutants.sh [N] -- changes one comparison or constant of oracle/ at a time, N (100) of them
# evenly spread, and runs the tests of the oracle, which should fail. Prints those that live.
set -u
cd "$(dirname "$0")/.." || exit 3
n_wanted=${1:-100}
tree=build/mutants
rm -rf "$tree"
mkdir -p "$tree"
cp -R Makefile base gen oracle fuzz reports tests corpora scripts "$tree"
cd "$tree" || exit 3

# One line per site: file, line, and the sed command that changes it.
for file in oracle/*.c; do
    case $file in oracle/test_* | oracle/bench_* | oracle/prove_*) continue ;; esac
    awk -v file="$file" '
        /^ *(\/\*|\*|#)/ || /assert\(/ { next }
        / < /  { print file, FNR, "s/ < / <= /" }
        / <= / { print file, FNR, "s/ <= / < /" }
        / > /  { print file, FNR, "s/ > / >= /" }
        / == / { print file, FNR, "s/ == / != /" }
        / && / { print file, FNR, "s/ \\&\\& / || /" }
        / \+ 1[^0-9]/ { print file, FNR, "s/ + 1\\([^0-9]\\)/ + 2\\1/" }
        / - 1[^0-9]/  { print file, FNR, "s/ - 1\\([^0-9]\\)/ - 0\\1/" }' "$file"
done >sites

tests=$(printf 'build/opt/%s\n' oracle/test_*.c tests/test_judge.c tests/test_sim.c | sed 's/\.c$//')
# shellcheck disable=SC2086
make -s -j2 $tests >log 2>&1 || { cat log; exit 3; }
n_sites=$(wc -l <sites)
[ "$n_sites" -gt 0 ] || { echo "mutants: no sites"; exit 1; }
step=$(((n_sites + n_wanted - 1) / n_wanted))
awk -v step="$step" 'NR % step == 0' sites >chosen
n_caught=0
n_tried=0
while read -r file line change; do
    cp "$file" original.c
    sed -i "${line}$change" "$file"
    n_tried=$((n_tried + 1))
    # A mutant that does not compile or does not end is caught as well.
    # shellcheck disable=SC2086
    if make -s -j2 $tests CFLAGS=-w >log 2>&1 && timeout 120 scripts/test.sh build/opt $tests >log 2>&1; then
        echo "mutants: lives: $file:$line: $change"
    else
        n_caught=$((n_caught + 1))
    fi
    cp original.c "$file"
done <chosen
echo "mutants: $n_caught of $n_tried caught ($n_sites sites)"
[ "$n_caught" -gt 0 ]
