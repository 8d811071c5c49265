#!/bin/sh
# scripts/prove_sentences.sh BUILD FOLDER -- each edit of tests/documents/mutants.tsv breaks what a row of sentences.def shows: the
# row's evidence must fail. `make prove PART=sentences`; resumes, and writes FOLDER/sentences.tsv.
set -u
cd "$(dirname "$0")/.." || exit 3
build=$1
result=$PWD/$2/sentences.tsv
tree=build/sentences
tab=$(printf '\t')
mkdir -p "$tree" "$2"
# A tree of its own, with the objects and their times: what is built stays built.
for part in Makefile base gen oracle fuzz reports tests corpora scripts docs; do
    rm -rf "${tree:?}/$part"
    cp -pR "$part" "$tree"
done
[ ! -d drivers ] || ln -sfn "$PWD/drivers" "$tree/drivers"
rm -rf "$tree/build/opt"
mkdir -p "$tree/build"
cp -pR "$build" "$tree/build/opt"
touch "$result"
cd "$tree" || exit 3

build_test() {
    make -s -j2 "build/opt/tests/$1" CFLAGS=-w >log 2>&1
}

run_test() { # TEST ROW
    ROW=$2 timeout 600 "build/opt/tests/$1" >log 2>&1
}

# Does the log tell of the test that failed, or of the row?
is_told() { # SIGN
    grep -qE "(FAILED *\] |, |ERROR: )$1(\$|[ :])" log
}

bad=0
n_seen=0
n=0
while IFS=$tab read -r row test sign file edit; do
    case $row in '' | '#'*) continue ;; esac
    n=$((n + 1))
    line="$row$tab$test$tab$sign$tab$file$tab$edit"
    if grep -qxF "$line${tab}seen" "$result"; then
        n_seen=$((n_seen + 1))
        continue
    fi
    if ! build_test "$test" || ! run_test "$test" "$row"; then
        echo "sentences: $row: $test fails as it is"
        bad=1
        continue
    fi
    cp "$file" original
    sed -i "$edit" "$file"
    if cmp -s original "$file"; then
        how="edits nothing"
    elif ! build_test "$test"; then
        how="does not build"
    elif run_test "$test" "$row"; then
        how=lives
    elif is_told "$sign"; then
        how=seen
        n_seen=$((n_seen + 1))
        grep -vF "$line$tab" "$result" >sorted
        cp sorted "$result"
        printf '%s\t%s\n' "$line" "$how" >>"$result"
    else
        how="fails, but not as $sign"
    fi
    cp original "$file"
    [ "$how" = seen ] || bad=1
    echo "sentences: $row: $how: $file: $edit"
done <tests/documents/mutants.tsv
echo "sentences: $n_seen of $n seen"
cd ../.. && rm -rf "$tree"
exit "$bad"
