#!/bin/sh
# scripts/slurm/status.sh FOLDER -- how far the campaign in FOLDER is. Reads small files, no journal.
# Exit status: 0 all shards are done, 1 not yet, 2 no campaign is there.
# shellcheck disable=SC2154 # settings are read from a file
set -u
[ $# -eq 1 ] || { echo "usage: status.sh FOLDER" >&2; exit 2; }
if [ -s "$1/groups" ]; then
    worst=0
    while read -r folder; do
        "$0" "$folder" || worst=$?
    done <"$1/groups"
    exit $worst
fi
[ -r "$1/settings" ] || { echo "status: $1: no campaign is there; submit.sh begins one" >&2; exit 2; }
folder=$(cd "$1" && pwd)
# shellcheck source=/dev/null
. "$folder/settings"
echo "$folder: seed $set_seed, $set_shards shards of $set_targets"
find "$folder/shards" -mindepth 2 -maxdepth 2 -name state -exec awk '
    { path = FILENAME; sub(/\/state$/, "", path); sub(/.*\//, "", path); print path, $0 }' {} + | sort -n |
    awk -v shards="$set_shards" -v cases="$set_cases" -v targets="$set_targets" '
        { n[$2]++; n_cases += $3; n_findings += $4; n_begun += $6; n_seen++ }
        $2 == "failed" { print "shard " $1 ": given up on " $5 "; see shards/" $1 "/log" }
        $2 == "waiting" { print "shard " $1 ": nothing could be run on " $5 ", " $7 " times; see shards/" $1 "/log" }
        END {
            printf "shards: %d done, %d running, %d to go on, %d given up, %d not begun; begun %d times\n", n["done"],
                n["running"], n["stopped"] + n["waiting"], n["failed"], shards - n_seen, n_begun
            printf "cases: %.0f", n_cases
            if (cases != "") printf " of %.0f", cases * split(targets, each, ",")
            printf ", findings: %.0f\n", n_findings
        }'
if [ -s "$folder/jobs" ] && command -v squeue >/dev/null; then
    squeue -h -o "%j %T %r" -j "$(paste -s -d , "$folder/jobs")" 2>/dev/null | sort | uniq -c |
        sed 's/^ *\([0-9]*\) /jobs: \1 /'
fi
[ ! -e "$folder/merged/journal.sqlite" ] || echo "merged: $folder/merged"
[ ! -e "$folder/merged/report.html" ] || echo "report: $folder/merged/report.html"
n_done=$(find "$folder/shards" -mindepth 2 -maxdepth 2 -name "done" | wc -l)
[ "$n_done" -eq "$set_shards" ]
