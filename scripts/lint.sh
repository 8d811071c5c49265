#!/bin/sh
# scripts/lint.sh [PART...] -- every check that needs no run, or these parts: compilers, layout, includes, rooms, analysers.
# Prints what is wrong and fails; parts that lack their tool say so and fail as well.
# shellcheck disable=SC2317 # part calls the functions
set -u
cd "$(dirname "$0")/.." || exit 3
DIRS="base gen oracle fuzz reports"
bad=0
wanted=" $* "
work=build/lint
objects=build/check-gcc
mkdir -p "$work"

# part NAME COMMAND...: show the command's output only when it fails.
part() {
    case $wanted in
    "  " | *" $1 "*) ;;
    *) return ;;
    esac
    name=$1
    shift
    if "$@" >"$work/$name.log" 2>&1; then
        echo "lint: $name ok"
        [ "$name" != rooms ] || cat "$work/$name.log"
    else
        cat "$work/$name.log"
        echo "lint: $name FAILED"
        bad=1
    fi
}

# shellcheck disable=SC2086
sources=$(find $DIRS tests -name '*.[ch]' | LC_ALL=C sort)
units=$(echo "$sources" | grep '\.c$')

# gcc has some warnings only where it optimises, so it compiles everything. `make check` tests these same objects.
compile() {
    make --no-print-directory -s -k -j2 objects CC=gcc B="$objects" CFLAGS=-Werror
}

layout() {
    command -v clang-format >/dev/null || { echo "clang-format is missing"; return 1; }
    echo "$sources" | xargs -P 2 -n 40 clang-format --dry-run -Werror || { echo "make format lays it out"; return 1; }
}

# One parse for both: clang's own warnings, of which none needs optimisation, are checks of clang-tidy as well.
tidy() {
    command -v clang-tidy >/dev/null || { echo "clang-tidy is missing"; return 1; }
    flags=$(make --no-print-directory -s flags CC=clang)
    # shellcheck disable=SC2086,SC2016
    echo "$units" | xargs -P 2 -n 40 sh -c 'flags=$1; shift; clang-tidy --quiet "$@" -- $flags 2>/dev/null' sh "$flags"
}

# Both compilers shift signed numbers arithmetically; unknown macros are those of cmocka; compound
# literals as arguments are mistaken for side effects.
analyse() {
    # shellcheck disable=SC2086
    cppcheck -q -j 2 --std=c11 --error-exitcode=1 --inline-suppr -I. -D_POSIX_C_SOURCE=200809L \
        --enable=warning,portability --suppress=missingIncludeSystem --suppress=unknownMacro \
        --suppress=shiftTooManyBitsSigned --suppress=unknownEvaluationOrder --max-configs=4 $DIRS tests
}

shells() {
    shellcheck scripts/*.sh scripts/nightly/*.sh scripts/slurm/*.sh scripts/kubernetes/*.sh oss-fuzz/*.sh .ci/run
}

# Which folder may include what: ARCHITECTURE.md has the table and its reasons.
includes() {
    # shellcheck disable=SC2086
    grep -Hn '^ *# *include' $sources | awk -f scripts/includes.awk
}

heads() {
    # shellcheck disable=SC2086
    awk 'FNR == 1 && $0 !~ "^/\\* " FILENAME " -- .*" {
             print FILENAME ":1: the first line is not /* " FILENAME " -- what it is"; bad = 1 }
         /TODO|FIXME/ { print FILENAME ":" FNR ": a note to do something"; bad = 1 }
         END { exit bad }' $sources
    code=$?
    twice=$(for f in $sources; do basename "$f"; done | sort | uniq -d)
    [ -z "$twice" ] || { echo "file names used twice: $twice"; return 1; }
    return "$code"
}

# Files are opened in base/file.c, but for those of /proc and SQLite's.
opened() {
    # shellcheck disable=SC2086
    found=$(grep -rnE '(^|[^a-z_])(fopen|freopen|creat|rename)\(' $DIRS --include='*.c' | grep -v \
        -e /test_ -e base/file.c -e fuzz/journal/journal.c -e fuzz/io/db.c -e '"/proc/' -e ': *"')
    [ -z "$found" ] || { echo "$found"; echo "use base/file.h"; return 1; }
}

# The library has no state: nothing in .data or .bss (constant tables of pointers are .data.rel.ro).
state() {
    library=$(find "$objects" -name '*.o' | grep -v -e '/test_' -e "^$objects/tests/")
    [ -n "$library" ] || { echo "no objects"; return 1; }
    # shellcheck disable=SC2086
    size -A $library | awk '
        /:$/ || / :$/ { name = $1 }
        $1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {
            print name ": " $2 " bytes in " $1; bad = 1 }
        END { exit bad }'
}

# The page of clauses is that of the tables, and each clause but "none" has a test.
clauses() {
    scripts/clauses.sh | diff docs/clauses.md - >&2 || {
        echo "docs/clauses.md is old: make docs" >&2
        return 1
    }
    # shellcheck disable=SC2086
    sed -n 's/^CLAUSE(\([A-Z0-9_]*\),.*/\1/p' oracle/tables/clause.def | {
        untested=0
        while read -r id; do
            [ "$id" = NONE ] || grep -rqs "COVERS($id)" $DIRS tests --include='test_*.c' || {
                echo "oracle/tables/clause.def: no test names $id" >&2
                untested=1
            }
        done
        return "$untested"
    }
}

# What each model of a known bug lets pass, for the eyes of a reviewer; no row ends in a wildcard.
models() {
    program=tests/prove/prove_models
    make --no-print-directory -s CC=gcc B="$objects" CFLAGS=-Werror "$objects/$program" && "$objects/$program" corpora/known.tsv
}

part gcc compile
part clang tidy
part format layout
part cppcheck analyse
part shellcheck shells
part includes includes
part rooms scripts/rooms.sh "$objects"
part heads heads
part opened opened
part state state
part clauses clauses
part models models
exit $bad
