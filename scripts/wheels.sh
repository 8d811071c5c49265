#!/bin/sh
# scripts/wheels.sh LIST FOLDER -- is each file of FOLDER the one that LIST, lines of sha256sum, names? Fails
# after the first that is not, or when there are none.
set -u
list=$1 folder=$2 n=0
for file in "$folder"/*; do
    [ -f "$file" ] || continue
    name=${file##*/}
    want=$(awk -v name="$name" '$2 == name { print $1 }' "$list")
    got=$(sha256sum <"$file" | cut -d ' ' -f 1)
    if [ "$want" != "$got" ]; then
        echo "wheels: $name: its sha256 is $got, $list has ${want:-no such file}: not used" >&2
        exit 1
    fi
    n=$((n + 1))
done
[ "$n" -gt 0 ] || { echo "wheels: $folder: holds no file" >&2; exit 1; }
