#!/bin/sh
# scripts/slurm/test_cluster.sh -- a Slurm cluster on this one machine, for tests and for a first look.
#
#   test_cluster.sh up FOLDER [NODES]      starts munged, slurmctld and NODES (3) nodes, n1, n2, ...
#   test_cluster.sh down FOLDER            ends them; the folder stays, for its logs
#   test_cluster.sh kill FOLDER WHAT       n2: node 2 loses its power, with all that runs there; controller: kill -9
#   test_cluster.sh start FOLDER WHAT      the same comes back
#
# All lies in FOLDER: key, sockets, configuration, state and logs. Nothing of the system's own Slurm is touched.
# `export SLURM_CONF=FOLDER/slurm.conf` has sbatch, squeue and the others use it. A node is a slurmd in process and
# mount namespaces of its own, so its processes die with it, as those of a machine do; this needs root. Its local
# disk is FOLDER/nN/tmp, and jobs find that in TMPDIR.
#
# Settings, by environment:
#   CLUSTER_PORT    first of the ports, on 127.0.0.1 only               (16817)
#   CLUSTER_CPUS    cores of a node, as Slurm is told                    (1)
#   CLUSTER_PIN     yes: node N runs on core N - 1 alone                 (no)
#   CLUSTER_FULL    a node whose local disk has 3 MB                     (none)
#   CLUSTER_CLOCK   a node whose jobs have a clock three hours ahead     (none; needs libfaketime)
# Exit status: 0 done, 2 wrong usage, 3 it does not work here; a sentence says why.
set -u
say() { echo "test_cluster: $*" >&2; }
usage() {
    sed -n 's/^#   \(test_cluster\.sh [a-z]* FOLDER.*\)/usage: \1/p' "$0" >&2
    exit 2
}

[ $# -ge 2 ] || usage
action=$1
mkdir -p "$2" || exit 3
cluster=$(cd "$2" && pwd)
conf=$cluster/slurm.conf
export SLURM_CONF="$conf"
PATH=$PATH:/usr/sbin:/sbin

need_tools() {
    for tool in munged slurmctld slurmd sbatch unshare; do
        command -v "$tool" >/dev/null || {
            say "no $tool here; on Debian: apt-get install slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge"
            exit 3
        }
    done
    [ "$(id -u)" -eq 0 ] || { say "only root can make nodes with processes of their own"; exit 3; }
    unshare --pid --fork --mount-proc true 2>/dev/null || { say "unshare --pid does not work here"; exit 3; }
}

# What jobs are to see of their node: a line of TaskProlog's output is set in the task's environment.
write_prolog() {
    cat >"$cluster/prolog" <<END
#!/bin/sh
echo "export TMPDIR=$cluster/\$SLURMD_NODENAME/tmp"
[ "\$SLURMD_NODENAME" != "${CLUSTER_CLOCK:-}" ] || {
    echo "export LD_PRELOAD=$(find /usr/lib -name libfaketime.so.1 2>/dev/null | head -n 1)"
    echo "export FAKETIME=+3h"
    echo "export FAKETIME_DONT_FAKE_MONOTONIC=1"
}
END
    chmod 755 "$cluster/prolog"
}

# A requeued job waits for the lifetime of its old credential (cred_expire), two minutes if nothing is said.
write_conf() {
    host=$(hostname -s)
    port=${CLUSTER_PORT:-16817}
    user=$(id -un)
    cat >"$conf" <<END
ClusterName=halfulp
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdSpoolDir=$cluster/%n/spool
SlurmdPidFile=$cluster/%n/slurmd.pid
SlurmdLogFile=$cluster/%n/slurmd.log
SlurmdParameters=config_overrides
TaskProlog=$cluster/prolog
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=5,bf_interval=5
ReturnToService=2
SlurmdTimeout=10
KillWait=10
MinJobAge=3600
JobCompType=jobcomp/filetxt
JobCompLoc=$cluster/jobs.txt
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    n=1
    while [ "$n" -le "$1" ]; do
        echo "NodeName=n$n NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + n)) CPUs=${CLUSTER_CPUS:-1}" \
            "RealMemory=8000 Feature=cpu State=UNKNOWN"
        n=$((n + 1))
    done >>"$conf"
}

# The first process of the namespaces reaps what its node's daemons leave behind.
start_node() {
    if [ -e "$cluster/$1/outer.pid" ] && kill -0 "$(cat "$cluster/$1/outer.pid")" 2>/dev/null; then
        say "$1 is up already"
        return
    fi
    mkdir -p "$cluster/$1/spool" "$cluster/$1/tmp"
    pin=""
    [ "${CLUSTER_PIN:-no}" = no ] || pin="taskset -c $((${1#n} - 1))"
    # shellcheck disable=SC2086,SC2016 # $pin is words; the script within is another shell's
    $pin setsid unshare --mount --pid --fork --mount-proc --propagation private sh -c '
        [ "$3" != "$1" ] || mount -t tmpfs -o size=3m none "$2/$1/tmp" || exit
        slurmd -D -N "$1" & wait' sh "$1" "$cluster" "${CLUSTER_FULL:-}" </dev/null >>"$cluster/$1/out.log" 2>&1 &
    echo $! >"$cluster/$1/outer.pid"
}

kill_node() {
    outer=$(cat "$cluster/$1/outer.pid" 2>/dev/null) || return 0
    # The first process of a PID namespace takes all others of it along.
    { tr ' ' '\n' <"/proc/$outer/task/$outer/children"; } 2>/dev/null | while read -r inner; do
        kill -KILL "$inner"
    done
    rm -f "$cluster/$1/outer.pid"
}

end_by_file() {
    [ -f "$1" ] || return 0
    kill "-${2:-TERM}" "$(cat "$1")" 2>/dev/null
    rm -f "$1"
}

wait_for() {
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -le 120 ] || { say "still not: $*"; return 1; }
        sleep 0.5
    done
}

all_idle() {
    [ "$(sinfo -h -N -o %t | sort -u)" = idle ]
}

up() {
    need_tools
    nodes=${1:-3}
    case $nodes in
    "" | *[!0-9]* | 0) say "NODES is \"$nodes\": a number from 1 is needed"; exit 2 ;;
    esac
    [ ! -e "$cluster/slurmctld.pid" ] || { say "$cluster: a cluster is up there"; exit 2; }
    rm -rf "$cluster/state"
    mkdir -p "$cluster/state" "$cluster/munge"
    chmod 755 "$cluster" "$cluster/munge"
    (umask 077 && dd if=/dev/urandom of="$cluster/munge/key" bs=128 count=1 2>/dev/null)
    write_prolog
    write_conf "$nodes"
    # By force: a checkout that its group may write is fine for a key that is good for nothing else.
    munged --force --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" --pid-file="$cluster/munge/pid" \
        --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed" || exit 3
    slurmctld -c || exit 3
    n=1
    while [ "$n" -le "$nodes" ]; do
        start_node "n$n"
        n=$((n + 1))
    done
    wait_for all_idle || { say "see $cluster/slurmctld.log and $cluster/n1/slurmd.log"; exit 3; }
    say "$nodes nodes are up; export SLURM_CONF=$conf"
}

down() {
    for outer in "$cluster"/n*/outer.pid; do
        [ ! -e "$outer" ] || kill_node "$(basename "$(dirname "$outer")")"
    done
    end_by_file "$cluster/slurmctld.pid"
    end_by_file "$cluster/munge/pid"
}

case $action in
up) up "${3:-}" ;;
down) down ;;
kill | start)
    case $action-${3:-} in
    kill-controller) end_by_file "$cluster/slurmctld.pid" KILL ;;
    start-controller) slurmctld && wait_for scontrol ping ;;
    kill-n[1-9]*) kill_node "$3" ;;
    start-n[1-9]*) start_node "$3" ;;
    *) usage ;;
    esac
    ;;
*) usage ;;
esac
