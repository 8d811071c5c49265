#!/bin/sh
# scripts/slurm/efficiency.sh [TARGETS [CASES]] -- what a second node brings, and how much of its time the array is idle.
#
# Two nodes with a core each run the two shards of a campaign of CASES (800) on TARGETS (sim-ieee), first one behind the
# other, then both at once: the same tapes, so the same work. Prints cases a second of wall time and of CPU time for each,
# from the shards' journals, their ratio (1: two do twice as much as one), and the share of the jobs' time in which
# no case was run. Wall times mean something on an idle machine only; nice it (nice -n -20) on another.
set -u
cd "$(dirname "$0")/../.." || exit 3
B=${B:-build/opt}
targets=${1:-sim-ieee} cases=${2:-800}
work=$PWD/build/efficiency
cluster=$work/slurm
here=scripts/slurm
export SLURM_CONF="$cluster/slurm.conf"
command -v slurmctld >/dev/null || [ -x /usr/sbin/slurmctld ] || scripts/setup.sh slurm
if [ -e "$SLURM_CONF" ]; then $here/test_cluster.sh down "$cluster"; fi
rm -rf "$work"
mkdir -p "$work"
trap '$here/test_cluster.sh down "$cluster"' EXIT
trap 'exit 143' TERM INT
CLUSTER_PIN=yes timeout 120 $here/test_cluster.sh up "$cluster" 2 || exit 77

# AT_ONCE: the campaign with so many of its two shards at the same time, in a folder of that name.
run_campaign() {
    cat >"$work/settings" <<END
folder = $work/$1
halfulp = $PWD/$B/halfulp
targets = $targets
seed = 1
shards = 2
cases = $cases
mutate = 0
memory = 2G
at_once = $1
local_mib = 1
triage_shards = 0
END
    $here/submit.sh "$work/settings" 2>/dev/null || exit 1
    while [ -n "$(squeue -h -n halfulp-shard -o %A 2>/dev/null)" ]; do
        sleep 1
    done
    $here/status.sh "$work/$1" >/dev/null || { $here/status.sh "$work/$1"; exit 1; }
    cp "$cluster/jobs.txt" "$work/$1/jobs.txt"
    : >"$cluster/jobs.txt"
}
run_campaign 1
run_campaign 2
python3 -B - "$work" <<'END'
import datetime, re, sqlite3, sys

def shard(folder):
    journal = sqlite3.connect("file:%s/journal.sqlite?mode=ro" % folder, uri=True)
    (n_runs,) = journal.execute("SELECT sum(n_runs) FROM targets").fetchone()
    wall, harness, worker = journal.execute("SELECT wall_ns, harness_cpu_ns, worker_cpu_ns FROM times").fetchone()
    return n_runs, wall / 1e9, (harness + worker) / 1e9

def jobs(path):
    seconds = 0
    for line in open(path):
        if "Name=halfulp-shard" in line:
            begin, end = (datetime.datetime.fromisoformat(re.search(k + "=(\\S+)", line).group(1))
                          for k in ("StartTime", "EndTime"))
            seconds += (end - begin).total_seconds()
    return seconds

rates = {}
for at_once in "1", "2":
    folder = "%s/%s" % (sys.argv[1], at_once)
    shards = [shard("%s/shards/%d" % (folder, i)) for i in (1, 2)]
    rates[at_once] = [sum(s[0] / s[k] for s in shards) for k in (1, 2)]
    walls, of_jobs = sum(s[1] for s in shards), jobs(folder + "/jobs.txt")
    print("%s at once: %d runs, %.1f + %.1f s wall, %.1f + %.1f s CPU; %.2f runs/s of both by wall, %.2f by CPU;"
          " jobs %.0f s, idle %.1f %%" % (at_once, sum(s[0] for s in shards), shards[0][1], shards[1][1], shards[0][2],
                                         shards[1][2], *rates[at_once], of_jobs, 100 * (1 - walls / of_jobs)))
print("efficiency of two shards: %.3f by wall, %.3f by CPU" %
      tuple(rates["2"][k] / rates["1"][k] for k in (0, 1)))
END
