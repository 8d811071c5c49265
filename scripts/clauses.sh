#!/bin/sh
# scripts/clauses.sh -- docs/clauses.md from the tables clause.def, document.def, quote.def and quote_table.def of oracle/tables and the tests that
# name clauses with COVERS(ID): on standard output.
set -u
cd "$(dirname "$0")/.." || exit 3

# Strings and bare columns of one row of a .def, parted by tabs.
columns() {
    sed -n "s/^$1(//p" "$2" | sed 's/)$//' | awk '{
        out = ""; in_string = 0
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            if (c == "\\") { i++; out = out substr($0, i, 1) }
            else if (c == "\"") { in_string = !in_string }
            else if (c == "," && !in_string) { out = out "\t" }
            else if (c == " " && !in_string && out ~ /(^|\t)$/) { }
            else { out = out c }
        }
        gsub(/ +\t/, "\t", out)
        print out
    }'
}

# "ID function file" for each COVERS.
covers() {
    grep -rnE '^static void [a-z0-9_]+\(void \*\*state\)|COVERS\([A-Z0-9_]+\)' base gen oracle fuzz \
        reports tests --include='test_*.c' | awk -F: '{
            if ($3 ~ /^static void/) { name = $3; sub(/^static void /, "", name); sub(/\(.*/, "", name) }
            else { id = $3; sub(/.*COVERS\(/, "", id); sub(/\).*/, "", id); print id "\t" name "\t" $1 }
        }' | LC_ALL=C sort -u
}

cat <<'TEXT'
# The rules

Each verdict cites one of these. A row can be disputed without the code: it names the text that it was read
from, from which version on it binds, the verdict that cites it, and the tests that have a case on each side of
its edge. Violation: the rule forbids the result. Divergence: the result is unusual, and the row is why no text
forbids it; what the row does not explain is judged by the others. Undefined: nothing is judged. Where several
fit, an undefined value comes first, then a divergence. `make docs` makes this page of `oracle/tables/clause.def`,
`oracle/tables/document.def`, `oracle/tables/quote.def`, `oracle/math/binding.def`, `oracle/math/option.def` and the tests; the bounds in ulps are columns of
`oracle/math/accuracy.def`.

| rule | where it stands | binds since | verdict | in our words | tests |
| --- | --- | --- | --- | --- | --- |
TEXT
covers >"${TMPDIR:-/tmp}/covers.$$"
columns CLAUSE oracle/tables/clause.def | while IFS='	' read -r id code since grade text; do
    tests=$(awk -F'\t' -v id="$id" '$1 == id { printf "%s`%s` (%s)", sep, $2, $3; sep = ", " }' \
        "${TMPDIR:-/tmp}/covers.$$")
    printf '| %s | %s | %s | %s | %s | %s |\n' "$id" "$code" "$since" \
        "$(printf %s "$grade" | tr '[:upper:]' '[:lower:]')" "$text" "$tests"
done
rm -f "${TMPDIR:-/tmp}/covers.$$"
cat <<'TEXT'

## The documents

| short | document | version it was read in | address |
| --- | --- | --- | --- |
TEXT
columns DOCUMENT oracle/tables/document.def | while IFS='	' read -r short _ title version address; do
    printf '| %s | %s | %s | %s |\n' "$short" "$title" "$version" "$address"
done
cat <<'TEXT'

## The sentences

What the rules were read from, word for word (`oracle/tables/quote.def`). A report quotes those of its rule, environment and
instruction; of a refusal, those of what the kernel needs. "-": also where none names the instruction.

| rule | where it binds | instructions | sentence | document and section |
| --- | --- | --- | --- | --- |
TEXT
{
    columns DOCUMENT oracle/tables/document.def
    echo
    columns SENTENCE oracle/tables/quote.def
} | awk -F'\t' '
    !NF { is_sentence = 1; next }
    !is_sentence { address[$1] = $5; next }
    {
        env = $3 == "CL" ? "OpenCL" : $3 == "VK" ? "Vulkan" : "both"
        gsub(/\|/, "\\|", $7)
        link = address[$2] ($6 ? "#" $6 : "")
        print "| " $1 " | " env " | " $4 " | " $7 " | [" $2 " " $5 "](" link ") |"
    }'
cat <<'TEXT'

The tables of accuracies are in `oracle/tables/quote_table.def`, cell by cell:

| table | instructions | types | text |
| --- | --- | --- | --- |
TEXT
columns CELL oracle/tables/quote_table.def | awk -F'\t' '{
    gsub(/\|/, "\\|", $4)
    print "| " $1 " | " $2 " | " ($3 ? $3 : "all") " | " $4 " |"
}'
cat <<'TEXT'

## Vulkan's modes

The version (its last number) from which on an execution mode binds an instruction; a driver is held to the
version that it claims, and in an older one a result that a mode would forbid is a divergence. The classes: arith is
FAdd, FSub, FMul, FNegate, FConvert; divide FDiv; remainder FRem, FMod; product VectorTimesScalar, Dot; compare the
relational instructions; convert those from and to integers and QuantizeToF16; math extended instructions, of which
some keep subnormals where asked to and some are free of both modes; atomic atomic add, min, max; move loads, stores
and selects, of an atomic or a group too; group sum, minmax and equal are sums and products, min and max, and
AllEqual over a group.

| instructions | SignedZeroInfNanPreserve | DenormFlushToZero | DenormPreserve |
| --- | --- | --- | --- |
TEXT
columns BINDING oracle/math/binding.def | while IFS='	' read -r class special flush keep _; do
    printf '| %s | %s | %s | %s |\n' "$class" "$special" "$flush" "$keep" | tr '[:upper:]' '[:lower:]' |
        tr _ ' '
done
cat <<'TEXT'

## OpenCL's build options

What an option takes back, of which instructions and formats.

| option | effect | instructions | formats | in our words |
| --- | --- | --- | --- | --- |
TEXT
lower() {
    printf %s "$1" | sed 's/ | /, /g' | tr '[:upper:]' '[:lower:]' | tr _ ' '
}
columns OPTION oracle/math/option.def | while IFS='	' read -r option effect kinds widths text; do
    # shellcheck disable=SC2016
    printf '| `%s` | %s | %s | %s | %s |\n' "$option" "$(lower "$effect")" "$(lower "$kinds")" \
        "$(lower "$widths")" "$text"
done
