#!/bin/sh
# scripts/mutants.sh [N] -- changes one comparison or constant of oracle/ at a time, N (100) of them
# evenly spread, and runs the tests of the oracle, which should fail. Prints those that live. SEED=n: other ones.
set -u
cd "$(dirname "$0")/.." || exit 3
n_wanted=${1:-100}
tree=build/mutants
rm -rf "$tree"
mkdir -p "$tree/build"
cp -pR Makefile base gen oracle fuzz reports tests corpora scripts "$tree"
[ ! -d build/opt ] || cp -pR build/opt "$tree/build" # with their times: what is built stays built
cd "$tree" || exit 3

# One line per site: file, line, and the sed command that changes it.
for file in oracle/*/*.c; do
    case $file in */test_*) continue ;; esac
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

# The longest comes last.
# shellcheck disable=SC2046
tests=$(basename -s .c $(find tests/oracle -name 'test_*.c' ! -name test_sim.c | LC_ALL=C sort) oracle/*/test_*.c \
    tests/oracle/test_sim.c | sed 's|^|build/opt/tests/|')
# shellcheck disable=SC2086
make -s -j2 $tests >log 2>&1 || { cat log; exit 3; }

# Does a test fail with the file as it is now? Its own is asked first. A mutant that does not compile or
# does not end is caught as well.
is_caught() {
    own=test_$(basename "$1" .c)
    [ -e "${1%/*}/$own.c" ] && own=build/opt/tests/$own || own=
    for test in $own $tests; do
        { make -s "$test" CFLAGS=-w && TEST_SECONDS=120 scripts/test.sh build/opt "$test"; } >log 2>&1 ||
            return 0
    done
    return 1
}

n_sites=$(wc -l <sites)
[ "$n_sites" -gt 0 ] || { echo "mutants: no sites"; exit 1; }
step=$(((n_sites + n_wanted - 1) / n_wanted))
awk -v step="$step" -v seed="${SEED:-0}" 'NR % step == seed % step' sites >chosen
n_caught=0
n_tried=0
while read -r file line change; do
    cp "$file" original.c
    sed -i "${line}$change" "$file"
    n_tried=$((n_tried + 1))
    if is_caught "$file"; then
        n_caught=$((n_caught + 1))
    else
        echo "mutants: lives: $file:$line: $change"
    fi
    cp original.c "$file"
done <chosen
echo "mutants: $n_caught of $n_tried caught ($n_sites sites)"
[ "$n_caught" -gt 0 ]
