#!/bin/sh
# scripts/slurm/shard.sh FOLDER SHARD -- one shard of the campaign in FOLDER, to its end or until SIGTERM. Knows
# nothing of Slurm: any scheduler that starts it again where it was stopped will do.
#
# It works on the node's own disk. Each `interval` seconds halfulp is asked to stop, its journal, which is whole
# then, is copied into FOLDER/shards/SHARD under another name and renamed, and halfulp goes on. So what lies there
# is at all times a journal that can be merged, and who starts this shard next, anywhere, goes on from it.
#
# Settings are FOLDER/settings, as settings.awk prints them.
# Exit status: 0 the shard is done, 2 wrong settings, 3 given up, 75 stopped, or nothing could be run here: start it
# again.
# shellcheck disable=SC2154 # settings are read from a file
set -u
[ $# -eq 2 ] || { echo "usage: shard.sh FOLDER SHARD" >&2; exit 2; }
folder=$1 shard=$2
say() { echo "shard $shard: $(date -u +%Y-%m-%dT%H:%M:%SZ) $(uname -n) ${SLURMD_NODENAME:-}: $*"; }
[ -r "$folder/settings" ] || { say "$folder/settings: cannot be read; is the folder on this node?" >&2; exit 3; }
# shellcheck source=/dev/null
. "$folder/settings"
home=$folder/shards/$shard
me=$(uname -n):$$:$(date +%s):${SLURM_JOB_ID:-}:${SLURM_RESTART_COUNT:-0}
log=$home/log
base=${set_local:-${SLURM_TMPDIR:-${TMPDIR:-/tmp}}}
stop="" child=""

mkdir -p "$home" || exit 3
[ ! -e "$home/done" ] || { say "is done already"; exit 0; }

# What status.sh shows: state, cases, findings, node, seconds that were run, times that it was begun.
n_cases=0 n_findings=0 n_begun=0 n_failed=0
if [ -r "$home/state" ]; then
    read -r word n_cases n_findings _ n_begun n_failed <"$home/state"
    [ "$word" != failed ] || n_failed=0 # it was submitted again
fi
n_begun=$((n_begun + 1)) n_published=0

# WORD: leave the shard's state, in one piece.
tell_state() {
    echo "$1 $n_cases $n_findings ${SLURMD_NODENAME:-$(uname -n)} $n_begun $n_failed" >"$home/state.$$" &&
        mv -f "$home/state.$$" "$home/state"
}

# A newer start of this shard makes an older one, of a node that was taken for dead, stop writing.
take_over() {
    echo "$me" >"$home/owner.$$" && mv -f "$home/owner.$$" "$home/owner"
}
is_mine() {
    [ "$(cat "$home/owner" 2>/dev/null)" = "$me" ]
}

# The signal is passed on once; a second one would have halfulp drop the cases that it still waits for.
# shellcheck disable=SC2016
trap '[ -n "$stop" ] || { stop=yes; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null; }' TERM INT

# COMMAND...: run it to its end, also when a signal interrupts the wait.
run() {
    [ -z "$stop" ] || return 143
    "$@" &
    child=$!
    [ -z "$stop" ] || kill -TERM "$child" 2>/dev/null
    while :; do
        wait "$child"
        status=$?
        kill -0 "$child" 2>/dev/null || break
    done
    child=""
    return "$status"
}

has_room() {
    free=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
    [ -d "$1" ] && [ -w "$1" ] && [ "${free:-0}" -ge "$set_local_mib" ]
}

# The disk to work on, and the lock that keeps an earlier start of this shard on this node away from it.
choose_disk() {
    work=$base/halfulp-$(id -u)-$(echo "$folder" | cksum | cut -d ' ' -f 1)-$shard
    if [ -n "${is_full:-}" ] || ! has_room "$base"; then
        say "$base: not $set_local_mib MiB free there; working in $home"
        rm -rf "$work"
        work=$home/work
    fi
    mkdir -p "$work/tmp" || return
    exec 9>"$work/lock" || return
    flock -w 60 9 || { say "$work: another start of this shard is still there"; return 1; }
    # What an earlier one left behind when it was killed; drivers' own files as well.
    rm -rf "$work/tmp" && mkdir "$work/tmp" || return
    TMPDIR=$work/tmp
    export TMPDIR
}

# What lies on this disk is at least as far as what was copied, if it went on from that.
fetch() {
    version=$(cat "$home/version" 2>/dev/null)
    if [ -e "$work/run/journal.sqlite" ] && [ "$(cat "$work/version" 2>/dev/null)" = "$version" ]; then
        say "going on in $work"
        return 0
    fi
    rm -rf "$work/run"
    [ -e "$home/journal.sqlite" ] || { rm -f "$work/version"; return 0; }
    mkdir "$work/run" && cp "$home/journal.sqlite" "$work/run/journal.sqlite" || return
    echo "$version" >"$work/version"
    say "going on from $home/journal.sqlite"
}

take_place() {
    choose_disk && fetch
}

# Copy the journal, which nobody writes now, and which is whole: SQLite removes its log when it is closed.
publish() {
    [ -e "$work/run/journal.sqlite" ] && [ ! -s "$work/run/journal.sqlite-wal" ] || return 1
    is_mine || { say "another start of this shard has taken over"; exit 0; }
    new=$home/journal.new.$$
    if ! { cp "$work/run/journal.sqlite" "$new" && sync "$new" && mv -f "$new" "$home/journal.sqlite"; }; then
        rm -f "$new"
        say "$home: cannot be written to; trying again after the next interval"
        return 1
    fi
    n_published=$((n_published + 1))
    echo "$me:$n_published" >"$work/version"
    cp "$work/version" "$home/version.$$" && mv -f "$home/version.$$" "$home/version"
    say "copied $(wc -c <"$home/journal.sqlite") bytes: $n_cases cases, $n_findings findings"
}

# What the program printed last has a row a target: name, cases, skipped, judged, findings, rate.
count() {
    # shellcheck disable=SC2046
    set -- $(awk '$1 == "target" && $2 == "cases" { n = 0; f = 0; is_table = 1; next }
        is_table && NF == 6 && $2 ~ /^[0-9]+$/ { n += $2; f += $5; next }
        { is_table = 0 }
        END { print n + 0, f + 0 }' "$log.$$")
    [ "$1" = 0 ] || { n_cases=$1 n_findings=$2; }
}

slice() {
    if [ -e "$work/run/journal.sqlite" ]; then
        set -- --resume
    else
        set -- --shard "$shard/$set_shards" --seed "$set_seed" --targets "$set_targets" --profile "$set_profile" \
            ${set_cases:+--cases "$set_cases"} ${set_hours:+--for "$set_hours"} ${set_mutate:+--mutate "$set_mutate"}
    fi
    # Words as they are in a command line.
    # shellcheck disable=SC2086
    run timeout --foreground -s TERM -k 120 "$step" "$set_halfulp" run -q --disk-cap "$set_disk_cap" "$@" \
        ${set_targets_file:+--targets-file "$set_targets_file"} ${set_known:+--known "$set_known"} $set_options \
        -o "$work/run" </dev/null >"$log.$$" 2>&1 9>&-
    status=$?
    cat "$log.$$" >>"$log"
    count
    return $status
}

leave() {
    tell_state "$1"
    rm -f "$log.$$"
    exit "$2"
}

# WHY: nothing could be run here. The node is held for a while, as it would take one shard after the other and
# fail them all.
fail_here() {
    [ ! -e "$log.$$" ] || sed 's/^/    /' "$log.$$"
    n_failed=$((n_failed + 1))
    if [ "$n_failed" -ge "$set_tries" ]; then
        say "given up after $n_failed tries; see $log"
        leave failed 3
    fi
    say "$1; holding this node for $set_pause s, then once more ($n_failed of $set_tries)"
    tell_state waiting
    run sleep "$set_pause"
    leave waiting 75
}

take_over || exit 3
take_place || fail_here "no place to work in"
tell_state running
n_killed=0
# Shards that begin together copy at different times.
step=$(((set_interval * (shard % 8 + 1) + 7) / 8))
while :; do
    n_before=$n_cases
    slice
    status=$?
    case $status in
    0 | 1 | 4)
        # The end, or a stop by a signal, ours or somebody's.
        n_killed=0
        publish
        is_copied=$?
        [ -z "$stop" ] || leave stopped 75
        ! grep -q "did not start or failed too often" "$log.$$" || fail_here "a target was given up"
        if [ "$status" -ne 4 ] && [ "$is_copied" = 0 ]; then
            break
        fi
        [ "$is_copied" = 0 ] || run sleep "$set_pause"
        ;;
    124) # an interval has passed
        n_failed=0 n_killed=0
        # A case that takes longer than that begins anew each time: it gets twice the time.
        if [ "$n_cases" -gt "$n_before" ]; then step=$set_interval; else step=$((step * 2)); fi
        publish
        tell_state running
        ;;
    2) fail_here "halfulp did not take its options" ;;
    3)
        # A disk that is full is another place to work in, from what was copied.
        [ -z "$stop" ] || leave stopped 75
        if [ "$work" != "$home/work" ] && ! has_room "$base"; then
            say "$base has become full"
            is_full=yes
            take_place || fail_here "no place to work in"
        else
            fail_here "nothing could be run"
        fi
        ;;
    *) # killed, by somebody or for memory
        [ -z "$stop" ] || { publish; leave stopped 75; }
        n_killed=$((n_killed + 1))
        [ "$n_killed" -lt 3 ] || fail_here "halfulp was killed three times, the last time with status $status"
        ;;
    esac
    [ -z "$stop" ] || leave stopped 75
done
touch "$home/done"
rm -rf "$work"
say "done: $n_cases cases, $n_findings findings"
leave "done" 0
