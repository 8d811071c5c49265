#!/bin/sh
# scripts/rooms.sh OBJECTS -- are the rooms in order? Each has a README that names the rooms it uses, neither rooms nor
# files go in circles, none holds more than 40 C files, a file declares what its own .c defines, and who calls a
# function includes its header itself. OBJECTS is a folder of compiled sources. Prints the figures.
set -u
cd "$(dirname "$0")/.." || exit 3
export LC_ALL=C
objects=$1
work=build/rooms
bad=0
rm -rf "$work"
mkdir -p "$work"

complain() {
    echo "$1"
    bad=1
}

# Programs of their own: nobody includes them.
is_program='/test_\|[/_]main\.c'

find base gen oracle fuzz reports tests -name '*.[ch]' | sort >"$work/all"
grep -v "$is_program" "$work/all" | grep -v '^tests/' >"$work/sources"

# ---- folders ----

sed 's|/[^/]*$||' "$work/all" | sort | uniq -c | sort -rn >"$work/sizes"
awk '$1 > 40 { print $2 ": " $1 " C files, 40 may be"; bad = 1 } END { exit bad }' "$work/sizes" || bad=1
[ -z "$(find . -path ./build -prune -o -name '*_parts.h' -print)" ] || complain "*_parts.h: a module that was cut"

# "room room": the one includes a header of the other.
xargs grep -H '^ *# *include "' <"$work/sources" | sed 's|\(.*\)/[^/]*:[^"]*"\(.*\)/[^/"]*".*|\1 \2|' |
    awk '$1 != $2' | sort -u >"$work/room-pairs"
sed 's|/[^/]*$||' "$work/sources" | sort -u | while read -r room; do
    wanted=$(awk -v r="$room" '$1 == r { print $2 }' "$work/room-pairs" | sort | xargs)
    told=$(sed -n 's/^- Uses: //p' "$room/README.md" 2>/dev/null | tr -d ',' | xargs -n 1 | sort | xargs)
    [ "${wanted:-nothing}" = "$told" ] ||
        echo "$room/README.md: \"Uses\" is $told, and its files include ${wanted:-nothing}"
    sed -n 's/^- Manual: //p' "$room/README.md" | grep -o '[a-z0-9_]*\.\(h\|def\)' | while read -r header; do
        [ -e "$room/$header" ] || echo "$room/README.md: there is no $header"
    done
done >"$work/readmes"
[ ! -s "$work/readmes" ] || complain "$(cat "$work/readmes")"
grep '^oracle/judge[a-z_]* oracle/\(fault\|explain\)$' "$work/room-pairs" >"$work/judge" &&
    complain "the judge knows of no fault and no hypothesis: $(xargs <"$work/judge")"
tsort "$work/room-pairs" >/dev/null 2>"$work/room-loops" || complain "rooms in a circle: $(cat "$work/room-loops")"

# ---- files ----

# "file symbol" of what is defined and of what is used.
grep '\.c$' "$work/sources" | sed "s|^\(.*\)\.c$|$objects/\1.o|" | xargs ls 2>/dev/null | xargs nm -gA |
    sed "s|^$objects/\(.*\)\.o:|\1.c |" |
    awk 'NF == 4 { print "defines", $1, $4 } NF == 3 { print "uses", $1, $3 }' >"$work/symbols"
[ -s "$work/symbols" ] || complain "$objects: no objects"
awk '$1 == "defines" { owner[$3] = $2 } $1 == "uses" { file[++n] = $2; symbol[n] = $3 }
    END { for (i = 1; i <= n; i++) if (symbol[i] in owner && owner[symbol[i]] != file[i])
              print file[i], owner[symbol[i]], symbol[i] }' "$work/symbols" >"$work/calls"
cut -d ' ' -f 1,2 "$work/calls" | sort -u >"$work/file-pairs"
tsort "$work/file-pairs" >/dev/null 2>"$work/file-loops" || complain "files in a circle: $(cat "$work/file-loops")"

# What is declared where; a file's own header counts as included with what it includes itself, and base/base.h
# is everywhere.
grep '\.h$' "$work/sources" | xargs grep -H '^[a-zA-Z]' | grep -v ':\(static\|typedef\)' |
    sed -n 's/^\([^:]*\):[^([;]*[ *]\([a-z][a-z0-9_]*\)[([;].*/\2 \1/p' | sort -u >"$work/declared"
xargs grep -H '^ *# *include "' <"$work/sources" | sed 's/^\([^:]*\):[^"]*"\([^"]*\)".*/\1 \2/' >"$work/includes"
awk -v work="$work" '
    FILENAME == work "/declared" { where[$1] = where[$1] " " $2; next }
    FILENAME == work "/includes" { has[$1, $2] = 1; next }
    {
        own = $1
        sub(/\.c$/, ".h", own)
        n = split(where[$3], headers, " ")
        found = n == 0 || where[$3] ~ /base\/base\.h/ # none: a table that is declared where it is used
        for (i = 1; i <= n; i++) {
            found = found || headers[i] == own || has[$1, headers[i]] || has[own, headers[i]]
        }
        if (!found) {
            print $1 ": calls " $3 " and does not include" where[$3]
            bad = 1
        }
    }
    END { exit bad }' "$work/declared" "$work/includes" "$work/calls" >"$work/indirect" || complain "$(cat "$work/indirect")"

# Commands are all declared by commands.h, and the parts of a policy by explain_policy.h.
grep '\.c$' "$work/sources" | grep -v '^fuzz/cli/cmd_\|^oracle/explain/\(explain\|flow\)_' | while read -r file; do
    [ -e "${file%.c}.h" ] || echo "$file"
done >"$work/without"
n_without=$(wc -l <"$work/without")
[ "$n_without" -lt 10 ] || complain "without a header of their own: $(xargs <"$work/without")"

echo "rooms: $(cut -d ' ' -f 1 "$work/room-pairs" | sort -u | wc -l) rooms," \
    "the fullest $(awk 'NR == 1 { print $2 " with " $1 " C files" }' "$work/sizes")," \
    "$(wc -l <"$work/file-pairs") calls between files, $n_without files without a header of their own"
exit $bad
