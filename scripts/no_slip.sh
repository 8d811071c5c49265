#!/bin/sh
# scripts/no_slip.sh BUILD SECONDS MOST CAMPAIGN... -- does a reduction keep the bug that it began with? Of each core of
# each campaign at most MOST findings are made smaller, each for so many seconds; the first case and the smallest are run,
# and both must show the very core. Without the program sqlite3 it is one of each core. TARGETS names a file of targets, SLIP_MOST (0: no limit) ends after so many reductions.
# Cases that do not show it at their first run (a bug by chance, a campaign of another driver) are counted apart. Fails
# when one slipped, or none was made.
set -u
cd "$(dirname "$0")/.." || exit 3
[ $# -ge 4 ] || { echo "no_slip: BUILD SECONDS MOST CAMPAIGN..." >&2; exit 2; }
halfulp=$1/halfulp
seconds=$2
most=$3
shift 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
limit=${SLIP_MOST:-0}
n=0
n_slipped=0
n_absent=0

with_targets() {
    command=$1
    shift
    "$halfulp" "$command" ${TARGETS:+--targets-file "$TARGETS"} "$@"
}

# "ID TARGET CORE" with tabs: the first finding of each core that the report shows.
list_shown() {
    "$halfulp" report "$1" --no-triage --format json 2>/dev/null | awk '
        /^ *"findings": \[/ { is_in = 1 }
        !is_in { next }
        /^ *"target": / { target = $2; gsub(/[",]/, "", target) }
        /^ *"id": [0-9]/ { id = $2; sub(/,/, "", id) }
        /^ *"core": / {
            core = $0
            sub(/^ *"core": "/, "", core)
            sub(/",$/, "", core)
            gsub(/\\"/, "\"", core)
            if (core !~ /\\/ && !seen[target, core]++) print id "\t" target "\t" core
        }'
}

# The same of all findings, in turn of each core, where there is a program that reads the journal.
list_findings() {
    list_shown "$1" >"$work/shown"
    if ! command -v sqlite3 >/dev/null; then
        cat "$work/shown"
        return
    fi
    sqlite3 -readonly -separator "$(printf '\t')" "$1/journal.sqlite" "select f.id, t.name, f.signature
        from findings f join targets t on t.id = f.target_id order by f.id" |
        awk -F '\t' -v most="$most" '
        NR == FNR { n_cores++; target[n_cores] = $2; core[n_cores] = $3; next }
        {
            for (i = 1; i <= n_cores; i++)
                if (target[i] == $2 && index($3, core[i]) == 1 && n[i] < most &&
                    substr($3 " ", length(core[i]) + 1, 1) ~ /[ ;]/) { n[i]++; print n[i] "\t" $1 "\t" $2 "\t" core[i] }
        }' "$work/shown" - | sort -s -n -k 1,1 | cut -f 2-
}

# Does the case show a finding whose signature, as it is printed, begins with the core? What may follow begins with a
# blank or, of frames, a semicolon.
shows() {
    core=$1
    shift
    with_targets check "$@" -v 2>/dev/null | sed -n 's/^[a-z-]*: \([a-z-]* [A-Z_]* .*\)/\1/p' |
        CORE=$core awk 'BEGIN { core = ENVIRON["CORE"] }
            index($0, core) == 1 && substr($0 " ", length(core) + 1, 1) ~ /[ ;]/ { found = 1 }
            END { exit !found }'
}

one() {
    campaign=$1
    id=$2
    target=$3
    core=$4
    if ! shows "$core" "$campaign" --finding "$id"; then
        n_absent=$((n_absent + 1))
        echo "absent   $campaign $id $target: $core"
        return
    fi
    rm -rf "$work/small"
    if ! with_targets reduce "$campaign" --finding "$id" --for "${seconds}s" -q -o "$work/small" \
        >"$work/log" 2>&1; then
        n_absent=$((n_absent + 1))
        echo "absent   $campaign $id $target: $core: $(tail -n 1 "$work/log")"
        return
    fi
    n=$((n + 1))
    # A bug by chance has a few runs to show itself. The case is our own: what is refused may not be fit to run.
    for run in 1 2 3 4 5; do
        if shows "$core" "$work/small" --targets "$target" --trust; then
            echo "kept     $campaign $id $target: $core ($(sed -n 's/^.*: \([0-9]*\) instructions, before \([0-9]*\);.*/\2 to \1/p' "$work/log"))"
            return
        fi
    done
    n_slipped=$((n_slipped + 1))
    echo "slipped in $run runs: $campaign $id $target: $core"
    with_targets check "$work/small" --targets "$target" --trust -v | sed -n 's/^[a-z-]*: [a-z-]* [A-Z_]* /    &/p'
}

for campaign in "$@"; do
    list_findings "$campaign" >"$work/list"
    while IFS="$(printf '\t')" read -r id target core; do
        [ "$limit" -eq 0 ] || [ "$n" -lt "$limit" ] || break
        one "$campaign" "$id" "$target" "$core" </dev/null
    done <"$work/list"
done
echo "no_slip: $((n - n_slipped)) of $n reductions kept their core, $n_absent cases did not show it at first"
[ "$n" -gt 0 ] && [ "$n_slipped" -eq 0 ]
