#!/bin/sh
# scripts/slurm/job.sh shard|merge|triage|report FOLDER [LIST] -- what Slurm runs; submit.sh submits it.
#
#   shard    the shard that line SLURM_ARRAY_TASK_ID of LIST names
#   merge    all shards that are there into FOLDER/merged
#   triage   part SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT of the bugs, into FOLDER/triage/PART
#   report   what triage found out into FOLDER/merged, and its pages
# shellcheck disable=SC2154 # settings are read from a file
set -u
what=$1 folder=$2
say() { echo "$what: $(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }
# shellcheck source=/dev/null
. "$folder/settings" || exit 3

# A job that was stopped for its time limit goes on in a next one, of the same number. One that somebody cancels is
# no longer running by then, and stays as it is; one that is preempted is requeued by Slurm.
go_on_later() {
    # SLURM_JOB_ID of one of an array's jobs is the number of the array.
    job=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}
    [ "$(squeue -h -j "$job" -o %T 2>/dev/null)" = RUNNING ] || return 0
    say "to go on in a next job"
    trap '' TERM
    scontrol requeue "$job"
    sleep 60 # until Slurm ends this one
}

# COMMAND...: passes SIGTERM on and waits for its end.
run() {
    child="" stop=""
    # shellcheck disable=SC2016
    trap 'stop=yes; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM
    "$@" &
    child=$!
    while :; do
        wait "$child"
        status=$?
        kill -0 "$child" 2>/dev/null || return "$status"
    done
}

# Groups of 1000, as a command line has an end; what is merged already stays in, and the result is the same.
merge() {
    rm -f "$folder"/merged.todo.*
    find "$folder/$1" -mindepth 2 -maxdepth 2 -name journal.sqlite | sed 's|/journal.sqlite$||' |
        LC_ALL=C sort | split -a 4 -l 1000 - "$folder/merged.todo."
    for todo in "$folder"/merged.todo.*; do
        [ -s "$todo" ] || { say "$folder/$1 has no journal"; return 3; }
        set -- "$folder/merged"
        while read -r one; do
            set -- "$@" "$one"
        done <"$todo"
        "$set_halfulp" merge "$@" || return
    done
    rm -f "$folder"/merged.todo.*
}

# On the node's own disk, as a shard; what an earlier job found out stays. PART.
triage() {
    part=$folder/triage/$1
    work=$(mktemp -d "${set_local:-${SLURM_TMPDIR:-${TMPDIR:-/tmp}}}/halfulp-triage-XXXXXX") || return 3
    mkdir -p "$part" "$work/part" || return 3
    [ ! -e "$part/journal.sqlite" ] || cp "$part/journal.sqlite" "$work/part" || return 3
    run "$set_halfulp" report -q --triage-only --shard "$1/$SLURM_ARRAY_TASK_COUNT" --triage-time "$set_triage_time" \
        ${set_suppress:+--suppress "$set_suppress"} -o "$work/part" "$folder/merged"
    # 2: some cases are run with --trust only, and were not.
    if [ "$status" -le 2 ] && cp "$work/part/journal.sqlite" "$part/journal.new" && sync "$part/journal.new" &&
        mv -f "$part/journal.new" "$part/journal.sqlite"; then
        status=0
    fi
    rm -rf "$work"
    return "$status"
}

case $what in
shard)
    shard=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$3")
    [ -n "$shard" ] || { say "$3: has no line ${SLURM_ARRAY_TASK_ID}"; exit 3; }
    run "$folder/shard.sh" "$folder" "$shard"
    status=$?
    case $status in
    75 | 1[2-9][0-9]) go_on_later ;; # stopped, or killed by somebody
    esac
    exit "$status"
    ;;
merge)
    merge shards
    ;;
triage)
    triage "$SLURM_ARRAY_TASK_ID"
    status=$?
    [ -z "$stop" ] || go_on_later
    exit "$status"
    ;;
report)
    [ ! -d "$folder/triage" ] || merge triage || exit
    "$set_halfulp" report --no-triage ${set_suppress:+--suppress "$set_suppress"} "$folder/merged"
    status=$?
    [ "$status" -le 1 ] || exit "$status"
    ;;
esac
