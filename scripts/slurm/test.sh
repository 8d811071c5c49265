#!/bin/sh
# scripts/slurm/test.sh -- a campaign over the test cluster, disturbed 20 times, is the campaign that one machine runs
# without any trouble: no case is lost, none is doubled, and no table differs.
#
# Three nodes: n2's clock is three hours ahead, n3's local disk has 3 MB and becomes full. Killed by turns: halfulp,
# the script of a shard, all of a job by the end of its time, by the administrator (requeue) and by kill -9; a node,
# with a start again at once or after it was taken for dead; the controller. KILLS (20), CASES (1200) and SEED (1) by environment,
# B names the build. Everything is in build/cluster. Exit status 77: no cluster can be made here.
set -u
cd "$(dirname "$0")/../.." || exit 3
B=${B:-build/opt}
kills=${KILLS:-20} cases=${CASES:-1200} seed=${SEED:-1}
work=$PWD/build/cluster
cluster=$work/slurm
here=scripts/slurm
export SLURM_CONF="$cluster/slurm.conf"
say() { echo "cluster: $*"; }
command -v slurmctld >/dev/null || [ -x /usr/sbin/slurmctld ] || scripts/setup.sh slurm
if [ -e "$SLURM_CONF" ]; then $here/test_cluster.sh down "$cluster"; fi
rm -rf "$work"
mkdir -p "$work"
trap '$here/test_cluster.sh down "$cluster"' EXIT
trap 'exit 143' TERM INT
CLUSTER_FULL=n3 CLUSTER_CLOCK=n2 timeout 120 $here/test_cluster.sh up "$cluster" || exit 77

targets="sim-any,sim-ieee,sim-ieee:SUM_OFF_ULP"
[ ! -e "/usr/share/vulkan/icd.d/lvp_icd.$(uname -m).json" ] || targets=$targets,lavapipe
cat >"$work/settings" <<END
folder = $work/campaign
halfulp = $PWD/$B/halfulp
targets = $targets
seed = $seed
shards = 8
cases = $cases
mutate = 0
memory = 2G
time = 60
local_mib = 1
interval = 1
pause = 2
tries = 50
triage_shards = ${TRIAGE:-2}
triage_time = 30s
END
$here/submit.sh "$work/settings" || exit 1

# One number below $1, the same each time.
draw_state=$seed
draw() {
    draw_state=$(((draw_state * 1103515245 + 12345) % 2147483648))
    drawn=$((draw_state / 65536 % $1))
}

# A word of the lines of standard input.
pick() {
    lines=$(cat)
    n=$(echo "$lines" | wc -w)
    [ "$n" -gt 0 ] || return 1
    draw "$n"
    echo "$lines" | tr ' ' '\n' | sed -n "$((drawn + 1))p"
}

running_task() {
    squeue -h -r -t R -n halfulp-shard -o %i 2>/dev/null | pick
}

# Processes of this test whose command line has $1.
find_processes() {
    ps -e -o pid=,args= | awk -v what="$1" -v work="$work/" '
        index($0, work) && $0 ~ "^ *[0-9]+ [^ ]*" what { print $1 }'
}

disturb() {
    case $1 in
    0) what="halfulp killed" && find_processes 'halfulp run' | pick | xargs -r kill -KILL ;;
    1) what="end of a job's time" && task=$(running_task) && scancel --batch --signal=TERM "$task" ;;
    2) what="node killed, back at once" && draw 2 && $here/test_cluster.sh kill "$cluster" "n$((2 * drawn + 1))" &&
        sleep 1 && $here/test_cluster.sh start "$cluster" "n$((2 * drawn + 1))" ;;
    3) what="script of a shard killed" && find_processes 'sh [^ ]*shard.sh' | pick | xargs -r kill -KILL ;;
    4) what="controller killed" && $here/test_cluster.sh kill "$cluster" controller && sleep 2 &&
        $here/test_cluster.sh start "$cluster" controller ;;
    5) what="requeued" && task=$(running_task) && scontrol requeue "$task" ;;
    6) what="job killed" && task=$(running_task) && scancel --full --signal=KILL "$task" ;;
    7)
        what="node killed, back later"
        wait # it may still be away
        $here/test_cluster.sh kill "$cluster" n2
        # By then it is taken for dead.
        { sleep 14 && $here/test_cluster.sh start "$cluster" n2; } &
        ;;
    esac
}

is_over() {
    [ -z "$(squeue -h -n halfulp-shard -o %A 2>/dev/null)" ]
}

# Kill N comes when that part of all cases is done, so that the last comes before the end, however fast the machine is.
n_targets=$(echo "$targets" | tr , '\n' | wc -l)
await_progress() {
    wanted=$((cases * n_targets * $1 * 3 / (kills * 4)))
    until [ "$(cat "$work"/campaign/shards/*/state 2>/dev/null | awk '{ n += $2 } END { print n + 0 }')" -ge "$wanted" ] ||
        is_over; do
        sleep 1
    done
}

n=0
while [ "$n" -lt "$kills" ] && ! is_over; do
    await_progress "$n"
    if disturb $((n % 8)); then
        n=$((n + 1))
        say "$n: $what"
    else
        sleep 1 # nothing runs yet
    fi
done

wait_for_end() {
    while [ -n "$(squeue -h -o %A 2>/dev/null)" ]; do
        sleep 2
    done
}
wait
wait_for_end
$here/status.sh "$work/campaign"
if [ "$(find "$work/campaign/shards" -name "done" | wc -l)" -lt 8 ]; then
    say "some shards were ended for good; submit.sh --resume"
    $here/submit.sh --resume "$work/campaign" || exit 1
    wait_for_end
    $here/status.sh "$work/campaign" || exit 1
fi
say "undisturbed"
"$B/halfulp" run -q --shard 1/1 --seed "$seed" --cases "$cases" --mutate 0 --targets "$targets" -o "$work/whole" >"$work/whole.log" 2>&1
[ $? -le 1 ] || { cat "$work/whole.log"; exit 1; }
python3 -B $here/compare.py "$work/campaign" "$work/whole" "$cases" || { say "differs"; exit 1; }
say "$n kills; on a full disk: $(cat "$work"/campaign/logs/*.out | grep -c 'has become full\|not 1 MiB free')," \
    "by the wrong clock: $(grep -l ' n2: ' "$work"/campaign/logs/*shard*.out | wc -l) shards"
[ "$n" -eq "$kills" ] || { say "the campaign ended before kill $((n + 1)); more CASES are needed"; exit 1; }
