#!/bin/sh
# scripts/slurm/submit.sh -- one campaign over a cluster, from one command.
#
#   submit.sh [--dry-run] SETTINGS           begins the campaign that the file describes; settings.example has all
#   submit.sh [--dry-run] --resume FOLDER    goes on with it: the shards that are not done, and what comes behind them
#
# Submits an array of shards, a merge when all have ended, an array that looks into the bugs, and a last job that
# joins both and writes the report: FOLDER/merged/report.html. Targets that need other nodes (gres.NAME and so on)
# are a campaign of their own in FOLDER/TARGETS. status.sh FOLDER says how far all is. --dry-run makes the folder, and
# prints what it would submit.
# Exit status: 0 submitted, 2 wrong usage or settings, 3 Slurm did not take it.
# shellcheck disable=SC2154 # settings are read from a file
set -u
here=$(cd "$(dirname "$0")" && pwd)
say() { echo "submit: $*" >&2; }
usage() {
    sed -n 's/^#   \(submit\.sh .*\)/usage: \1/p' "$0" >&2
    exit 2
}

is_dry="" is_resume=""
while [ $# -gt 0 ]; do
    case $1 in
    --dry-run) is_dry=yes ;;
    --resume) is_resume=yes ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
[ $# -eq 1 ] || usage

# Submit a job and print its number.
submit() {
    if [ -n "$is_dry" ]; then
        echo "sbatch $*" >&2
        echo "N"
        return
    fi
    number=$(sbatch --parsable "$@") || return
    number=${number%%;*}
    echo "$number" >>"$folder/jobs"
    echo "$number"
}

# What all jobs have. What a name of a job or of a log needs is there for whoever looks at squeue.
submit_job() {
    name=$1 time=$2
    shift 2
    # shellcheck disable=SC2086 # words of the user's
    submit --job-name="$name" --time="$time" --mem="$set_memory" --ntasks=1 --requeue --open-mode=append \
        --output="$folder/logs/$name.%A.%a.out" --kill-on-invalid-dep=yes \
        ${set_partition:+--partition="$set_partition"} $set_sbatch "$@"
}

# Shards that are not done, in lists as long as an array may be.
write_lists() {
    most=$(scontrol show config 2>/dev/null | awk '$1 == "MaxArraySize" { print $3 - 1 }')
    rm -f "$folder"/todo.*
    shard=1
    while [ "$shard" -le "$set_shards" ]; do
        [ -e "$folder/shards/$shard/done" ] || echo "$shard"
        shard=$((shard + 1))
    done | split -a 4 -l "${most:-1000}" - "$folder/todo."
}

# The chain of jobs of the campaign in $folder.
submit_campaign() {
    # shellcheck source=/dev/null
    . "$folder/settings"
    after=""
    write_lists
    for list in "$folder"/todo.*; do
        [ -s "$list" ] || continue
        n=$(wc -l <"$list")
        job=$(submit_job halfulp-shard "$set_time" --cpus-per-task="$set_cpus" --signal=B:TERM@60 \
            ${set_constraint:+--constraint="$set_constraint"} ${set_gres:+--gres="$set_gres"} \
            --array="1-$n${set_at_once:+%$set_at_once}" "$folder/job.sh" shard "$folder" "$list") || return
        after=$after:$job
        say "job $job: $n shards of $set_targets"
    done
    job=$(submit_job halfulp-merge "$set_time" ${after:+--dependency="afterany$after"} "$folder/job.sh" merge "$folder") ||
        return
    say "job $job: merge into $folder/merged"
    after=afterok:$job
    if [ "$set_triage_shards" -gt 0 ]; then
        job=$(submit_job halfulp-triage "$set_time" --cpus-per-task="$set_cpus" --signal=B:TERM@60 \
            ${set_constraint:+--constraint="$set_constraint"} ${set_gres:+--gres="$set_gres"} --dependency="$after" \
            --array="1-$set_triage_shards" "$folder/job.sh" triage "$folder") || return
        say "job $job: triage by $set_triage_shards"
        after=afterany:$job
    fi
    job=$(submit_job halfulp-report "$set_time" --dependency="$after" "$folder/job.sh" report "$folder") || return
    say "job $job: $folder/merged/report.html"
}

# A folder for the campaign, with all that its jobs read: nothing that is changed elsewhere later changes them.
# TARGETS GRES CONSTRAINT PARTITION are of this group.
make_folder() {
    mkdir -p "$folder/shards" "$folder/logs" || exit 2
    cp "$here/job.sh" "$here/shard.sh" "$folder" || exit 2
    {
        echo "$settings"
        echo "set_folder='$folder'"
        echo "set_targets='$1'"
        echo "set_gres='$2'"
        echo "set_constraint='$3'"
        echo "set_partition='$4'"
    } >"$folder/settings"
}

begin() {
    [ -r "$1" ] || { say "$1: no such file; copy $here/settings.example and change it"; exit 2; }
    settings=$(awk -f "$here/settings.awk" "$1") || exit 2
    eval "$settings"
    top=$set_folder
    [ -x "$set_halfulp" ] || { say "$1: halfulp = $set_halfulp: no such program"; exit 2; }
    [ -d "$(dirname "$top")" ] || { say "$1: folder = $top: there is no $(dirname "$top")"; exit 2; }
    for file in "$set_targets_file" "$set_known" "$set_suppress"; do
        [ -z "$file" ] || [ -r "$file" ] || { say "$1: $file: cannot be read"; exit 2; }
    done
    if [ -e "$top/settings" ] || [ -e "$top/groups" ]; then
        say "$top: has a campaign already; submit.sh --resume $top goes on with it, another folder begins one"
        exit 2
    fi
    groups=$(echo "$settings" | sed -n 's/^# group //p')
    if [ "$(echo "$groups" | wc -l)" -eq 1 ]; then
        folder=$top
        eval "make_folder $groups"
        submit_campaign
        return
    fi
    while read -r group; do
        eval "set -- $group"
        folder=$top/$(echo "$1" | tr -c "A-Za-z0-9_.,\n-" _)
        make_folder "$@"
        echo "$folder" >>"$top/groups"
        submit_campaign || return
    done <<END
$groups
END
}

# What is still in the queue would write beside the new jobs.
refuse_running() {
    [ -s "$folder/jobs" ] || return 0
    running=$(squeue -h -o %A -j "$(paste -s -d , "$folder/jobs")" 2>/dev/null | sort -u | paste -s -d ' ')
    [ -z "$running" ] || {
        say "$folder: its jobs are still in the queue; wait for them, or: scancel $running"
        exit 2
    }
}

resume() {
    if [ -s "$1/groups" ]; then
        while read -r folder; do
            refuse_running
            rm -f "$folder/jobs"
            submit_campaign || return
        done <"$1/groups"
        return
    fi
    [ -r "$1/settings" ] || { say "$1: no campaign is there; submit.sh SETTINGS begins one"; exit 2; }
    folder=$1
    refuse_running
    rm -f "$folder/jobs"
    submit_campaign
}

for tool in sbatch squeue scontrol; do
    [ -n "$is_dry" ] || command -v "$tool" >/dev/null || {
        say "no $tool here: this is for a node of a Slurm cluster that jobs are submitted from"
        exit 2
    }
done
if [ -n "$is_resume" ]; then
    resume "$(cd "$1" 2>/dev/null && pwd || echo "$1")"
else
    begin "$1"
fi || { say "Slurm did not take a job, see above; what was submitted: ${folder:-}/jobs"; exit 3; }
