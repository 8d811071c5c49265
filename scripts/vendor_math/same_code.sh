#!/bin/sh
# scripts/vendor_math/same_code.sh NAME NAME -- prints the functions of two libraries of drivers/vendor-math that have different
# instructions, and whether the libraries have the same constants. Exit status 1 if a function differs.
set -u
cd "$(dirname "$0")/../.." || exit 3
folder=$(mktemp -d) || exit 3
trap 'rm -rf "$folder"' EXIT
if [ $# -ne 2 ]; then
    echo "usage: scripts/vendor_math/same_code.sh NAME NAME" >&2
    exit 2
fi

# FUNCTION INSTRUCTION for each instruction, without addresses: these depend on what else is in the library.
list_code() {
    objdump -d --no-show-raw-insn "$1" | awk '
        />:$/ { name = substr($2, 2, length($2) - 3) }
        /\t/ {
            sub(/^[^\t]*\t/, "")
            gsub(/-?0x[0-9a-f]+\(%rip\)|#.*|[0-9a-f]+ </, "")
            print name, $0
        }' | grep '^hu_'
}

for side in 1 2; do
    library=drivers/vendor-math/$1/library.so
    if [ ! -e "$library" ]; then
        echo "same_code: no $library: make vendor-math" >&2
        exit 2
    fi
    list_code "$library" >"$folder/code.$side"
    objcopy -O binary --only-section=.rodata "$library" "$folder/constants.$side"
    cut -d' ' -f1 "$folder/code.$side" | sort -u >"$folder/names.$side"
    shift
done
echo "functions in both: $(comm -12 "$folder/names.1" "$folder/names.2" | wc -l)"
if cmp -s "$folder/constants.1" "$folder/constants.2"; then
    echo "constants: the same"
else
    echo "constants: different"
fi
diff "$folder/code.1" "$folder/code.2" | sed -n 's/^[<>] \([^ ]*\) .*/\1/p' | sort -u >"$folder/other"
comm -12 "$folder/names.1" "$folder/names.2" | comm -12 - "$folder/other" >"$folder/differ"
cat "$folder/differ"
[ ! -s "$folder/differ" ]
