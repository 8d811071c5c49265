#!/bin/sh
# scripts/nightly/nightly.sh -- one night: a campaign, its triage and report against the night before,
# and the removal of old nights. Meant for cron or the timer beside it; a second start while one runs
# ends at once.
#
# Settings, by environment:
#   HALFULP          the program                    (halfulp of this checkout or installation, else from PATH)
#   NIGHTLY_DIR      where the nights are kept      (~/.local/share/halfulp/nightly)
#   NIGHTLY_GUIDED   yes: a guided campaign, "fuzz" in place of "run"; it needs AFL++   (no)
#   NIGHTLY_FOR      length of the campaign         (6h)
#   NIGHTLY_CASES    its cases on each target       (as many as that length allows)
#   NIGHTLY_SEED     of the cases                   (the day)
#   NIGHTLY_TRIAGE   time for triage                (1h)
#   NIGHTLY_TARGETS  names, with commas             (all that are found)
#   NIGHTLY_PROFILE  of the cases                   (all)
#   NIGHTLY_SUPPRESS file of expected findings      (NIGHTLY_DIR/suppress.tsv if it is there)
#   NIGHTLY_STATES   file of how bugs stand         (NIGHTLY_DIR/states.tsv if it is there)
#   NIGHTLY_STALE    nights in which a row of that file has fitted nothing, when it is told of (7)
#   NIGHTLY_KEEP     nights that are kept           (14)
# Which night had which bugs is kept for good, in NIGHTLY_DIR/history.tsv.
#
# Its last line on standard output says what came of it: "nightly: 2 new, 1 fixed, 5 still there".
# Exit status: 0 nothing new, 1 new findings, 2 wrong settings, 3 the harness failed.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
dir=${NIGHTLY_DIR:-$HOME/.local/share/halfulp/nightly}
keep=${NIGHTLY_KEEP:-14}
stale=${NIGHTLY_STALE:-7}
halfulp=${HALFULP:-}
[ -n "$halfulp" ] || { [ -x "$here/build/opt/halfulp" ] && halfulp=$here/build/opt/halfulp; }
[ -n "$halfulp" ] || { [ -x "$(dirname "$0")/halfulp" ] && halfulp=$(dirname "$0")/halfulp; }
halfulp=${halfulp:-halfulp}
command -v "$halfulp" >/dev/null || { echo "nightly: HALFULP: no program \"$halfulp\"" >&2; exit 2; }
case $keep in
"" | *[!0-9]* | 0) echo "nightly: NIGHTLY_KEEP=$keep: a number above 0 is needed" >&2; exit 2 ;;
esac
case ${NIGHTLY_GUIDED:-no} in
no) campaign=run ;;
yes) campaign=fuzz ;;
*) echo "nightly: NIGHTLY_GUIDED=$NIGHTLY_GUIDED: yes or no is needed" >&2; exit 2 ;;
esac
case $stale in
"" | *[!0-9]* | 0) echo "nightly: NIGHTLY_STALE=$stale: a number above 0 is needed" >&2; exit 2 ;;
esac
mkdir -p "$dir" || exit 3
exec 9>"$dir/lock"
flock -n 9 || { echo "nightly: another night is under way in $dir" >&2; exit 0; }

# Nights are folders named by their day, a later one of that day by its time as well. In their order by name, then, and
# without what is behind it: "/" would come after "-".
list_nights() {
    find "$dir" -mindepth 2 -maxdepth 2 -name finished | sed 's|/finished$||' | LC_ALL=C sort
}

# The newest finished one is the baseline.
last=$(list_nights | tail -n 1)
night=$dir/$(date -u +%Y-%m-%d)
[ ! -e "$night/finished" ] || night=$night-$(date -u +%H%M%S)
suppress=${NIGHTLY_SUPPRESS:-}
[ -n "$suppress" ] || { [ -f "$dir/suppress.tsv" ] && suppress=$dir/suppress.tsv; }
states=${NIGHTLY_STATES:-}
[ -n "$states" ] || { [ -f "$dir/states.tsv" ] && states=$dir/states.tsv; }

# A night that was cut off goes on where it stopped.
resume=""
[ ! -f "$night/journal.sqlite" ] || resume=--resume
seed=${NIGHTLY_SEED:-$(date -u +%Y%m%d)}
# shellcheck disable=SC2086 # $resume is one word or none
"$halfulp" $campaign --for "${NIGHTLY_FOR:-6h}" --profile "${NIGHTLY_PROFILE:-all}" --seed "$seed" $resume \
    ${NIGHTLY_CASES:+--cases "$NIGHTLY_CASES"} ${NIGHTLY_TARGETS:+--targets "$NIGHTLY_TARGETS"} -o "$night" </dev/null >"$night.log" 2>&1
status=$?
if [ $status -gt 1 ]; then
    cat "$night.log" >&2
    exit 3
fi
"$halfulp" report --triage-time "${NIGHTLY_TRIAGE:-1h}" ${last:+--baseline "$last"} \
    ${suppress:+--suppress "$suppress"} ${states:+--states "$states"} --history "$dir/history.tsv" "$night" </dev/null >>"$night.log" 2>&1
status=$?
if [ $status -gt 1 ]; then
    tail -n 20 "$night.log" >&2
    exit 3
fi
mv "$night.log" "$night/nightly.log"
touch "$night/finished"
echo "nightly: $night/report.html"

# A row that has fitted nothing in the last $stale nights: is its bug gone?
nights=$(list_nights | tail -n "$stale")
if [ "$(echo "$nights" | wc -l)" -eq "$stale" ]; then
    for one in $nights; do
        awk -F'": "' '/"state": "unused"/ { is_unused = 1 }
            is_unused && /"target": / { target = $2 }
            is_unused && /"signature": / { print target $2; is_unused = 0 }' "$one/report.json"
    done | sort | uniq -c | awk -v stale="$stale" '$1 == stale {
        sub(/^ *[0-9]+ /, "")
        gsub(/",/, " ")
        print "nightly: fits nothing for " stale " nights: " $0
    }'
fi

# Only whole nights are removed, the oldest first.
list_nights | head -n "-$keep" |
    while read -r old; do
        rm -rf "$old"
    done
news=$(sed -n 's/^findings: \([0-9]* new\)/\1/p' "$night/nightly.log" | tail -n 1)
echo "nightly: ${news:-no figures, $night/nightly.log says more}"
exit $status
