#!/bin/sh
# scripts/guidance.sh PROGRAM-FOLDER -- does guidance find faults sooner than chance? Each hard fault
# (oracle/sim/hard_fault.def) is looked for by random tapes (halfulp run --mutate 0) and by guided campaigns
# (halfulp fuzz) from the seed corpus and from none, once for each of SEEDS ("1 2 3 4 5"), until the first
# violation or for CPU_SECONDS (120) of all processes of the run. FAULTS and METHODS ("random seeded empty")
# choose among them. Two runs at a time; one that is done on these very programs is not repeated. Leaves
# build/guidance/guidance.tsv and .md; a run that found nothing counts as one that found it at the limit.
set -u
cd "$(dirname "$0")/.." || exit 3
programs=$1
limit=${CPU_SECONDS:-120}
out=build/guidance
known=$(sed -n 's/^HARD(\([A-Z0-9_]*\), *\([a-z]*\),.*/\1 \2/p' oracle/sim/hard_fault.def)
runs=$out/runs/$(cat "$programs"/halfulp "$programs"/halfulp-afl "$programs"/libhalfulp-mutator.so |
    cksum | tr ' ' '-')-$limit

profile_of() {
    echo "$known" | sed -n "s/^$1 //p"
}

# CPU seconds of a process and of all below it, with those that they have reaped.
measure_cpu() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v root="$1" -v hz="$(getconf CLK_TCK)" '
        { pid = $1; sub(/^.*\) /, ""); parent[pid] = $2; ticks[pid] = $12 + $13 + $14 + $15 }
        END {
            for (pid in ticks) {
                n = 0
                for (p = pid; p != root && p in parent && n < 64; p = parent[p]) {
                    n++
                }
                sum += p == root ? ticks[pid] : 0
            }
            printf "%.2f\n", sum / hz
        }'
}

# Wait for process $1, whose output is $2/log: once it tells of a violation or is over the limit it is asked
# to end, and killed when it has not after half a minute. Leaves the CPU seconds until then in $2/cpu; the
# report that is written at the end is not in them.
watch() {
    asked=0
    echo 0 >"$2/cpu"
    while kill -0 "$1" 2>/dev/null; do
        sleep 0.2
        if [ "$asked" -gt 0 ]; then
            asked=$((asked + 1))
            [ "$asked" -ne 150 ] || pkill -KILL -P "$1"
            continue
        elif grep -qs '^[0-9]* executions on' "$2/log"; then
            continue
        fi
        measure_cpu "$1" >"$2/now"
        ! awk '{ exit !($1 > 0) }' "$2/now" || mv "$2/now" "$2/cpu"
        if grep -qs '"violation":true' "$2/log" ||
            awk -v limit="$limit" '{ exit !($1 >= limit) }' "$2/cpu"; then
            pkill -TERM -P "$1"
            asked=1
        fi
    done
}

# One run: leaves a line of fault, method, seed, found (0 or 1), executions, CPU seconds.
run_one() {
    fault=$1 method=$2 seed=$3
    result=$runs/$fault.$method.$seed
    [ ! -e "$result" ] || return 0
    work=$runs/$fault.$method.$seed.work
    rm -rf "$work"
    mkdir -p "$work/none" || return 1
    set -- --targets "sim-ieee:$fault" --profile "$(profile_of "$fault")" --seed "$seed" -q \
        -o "$work/campaign"
    case $method in
    random) set -- "$programs/halfulp" run --mutate 0 --json "$@" ;;
    seeded) set -- "$programs/halfulp" fuzz --stop-at-first "$@" ;;
    *) set -- "$programs/halfulp" fuzz --stop-at-first --corpus "$work/none" "$@" ;;
    esac
    # shellcheck disable=SC2016
    sh -c '"$@" >"$0/log" 2>&1; echo $? >"$0/status"' "$work" "$@" &
    shell=$!
    trap 'pkill -TERM -P "$shell"; wait; exit 255' INT TERM # 255: xargs starts no more
    watch "$shell" "$work"
    wait
    status=$(cat "$work/status")
    if [ "$status" -gt 1 ]; then
        echo "guidance: $fault by $method, seed $seed: exit status $status" >&2
        tail -n 3 "$work/log" >&2
        return 1
    fi
    if [ "$method" = random ]; then # cases count from 0
        n=$(awk -F '[:,]' '/"event":"finding"/ && /"violation":true/ {
                for (i = 1; i < NF; i++) { if ($i == "\"case\"") { print $(i + 1) + 1; exit } } }' "$work/log")
        n=${n:-$(sed -n 's/.*"cases":\([0-9]*\).*/\1/p' "$work/log" | tail -n 1)}
    else
        n=$(sed -n 's/^\([0-9]*\) executions on.*/\1/p' "$work/log")
    fi
    echo "$fault $method $seed $status ${n:-0} $(cat "$work/cpu")" >"$work/result"
    mv "$work/result" "$result" && rm -rf "$work"
    echo "guidance: $(cat "$result")"
}

# Median and quartiles of each fault and method, and the ratios to random tapes.
make_tables() {
    for fault in $(echo "$known" | sed 's/ .*//'); do
        for method in random seeded empty; do
            cat "$runs/$fault.$method".[0-9] "$runs/$fault.$method".[0-9][0-9] 2>/dev/null
        done
    done | awk -v limit="$limit" -v tsv="$out/guidance.tsv" -v md="$out/guidance.md" -f scripts/guidance.awk
}

if [ "${2:-}" = one ]; then
    shift 2
    run_one "$@"
    exit
fi

mkdir -p "$runs" || exit 3
methods=${METHODS:-random seeded empty}
for fault in ${FAULTS:-$(echo "$known" | sed 's/ .*//')}; do
    profile=$(profile_of "$fault")
    [ -n "$profile" ] || { echo "guidance: no hard fault $fault" >&2; exit 2; }
    for method in $methods; do
        if [ "$method" = seeded ] && [ ! -d "corpora/seeds/$profile" ]; then
            echo "guidance: no corpora/seeds/$profile: $fault is not looked for from there" >&2
            continue
        fi
        for seed in ${SEEDS:-1 2 3 4 5}; do
            echo "$fault $method $seed"
        done
    done
done | xargs -r -P 2 -n 3 "$0" "$programs" one
bad=$?
make_tables
exit $((bad != 0))
