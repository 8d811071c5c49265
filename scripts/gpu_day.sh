#!/bin/sh
# scripts/gpu_day.sh [MINUTES [FOLDER]] -- test all Vulkan and OpenCL devices of this machine in MINUTES (20): facts, a sanity case,
# a campaign of each profile, an audit of the f32 functions, triage. Everything is written to FOLDER (gpu-day-HOST-TIME), which is
# packed as FOLDER.tar.xz and holds at most GPU_DAY_MAX_MB (50). FOLDER/log.txt says what was done and what failed; a step that
# fails, hangs or is killed does not end the others.
#
# Settings, by environment:
#   HALFULP           the program                 (beside this script, else of this checkout)
#   GPU_DAY_TARGETS   names, with spaces          (all devices that `halfulp devices` finds)
#   GPU_DAY_PROFILES  profiles, with spaces       (atomics groups arith maxerror programs all)
#   GPU_DAY_WORKERS   driver processes per target (2)
#   GPU_DAY_MAX_MB    the largest folder          (50)
#
# Exit status: 0 no new bug, 1 new bugs, 2 wrong usage, 3 no device could be tested, 4 a step failed: the rest is whole.
set -u
here=$(cd "$(dirname "$0")" && pwd)
minutes=${1:-20}
case $minutes in
"" | *[!0-9]* | 0) echo "gpu_day: MINUTES \"$minutes\": a number above 0 is needed" >&2; exit 2 ;;
esac
out=${2:-gpu-day-$(uname -n)-$(date -u +%Y%m%d-%H%M%S)}
halfulp=${HALFULP:-}
for candidate in "$here/halfulp" "$here/../build/opt/halfulp"; do
    [ -n "$halfulp" ] || { [ -x "$candidate" ] && halfulp=$candidate; }
done
command -v "${halfulp:-none}" >/dev/null || { echo "gpu_day: HALFULP: no program \"$halfulp\"" >&2; exit 2; }
halfulp=$(realpath "$(command -v "$halfulp")")
PATH=$PATH:$(dirname "$halfulp")/../lib/halfulp/tools
profiles=${GPU_DAY_PROFILES:-atomics groups arith maxerror programs all}
workers=${GPU_DAY_WORKERS:-2}
max_kb=$((${GPU_DAY_MAX_MB:-50} * 1024))
STOP_SECONDS=60      # a driver that hangs keeps a command so long behind its time
LEAST_FREE_KB=16384  # a step begins with that much disk
LEAST_SECONDS=5      # shorter campaigns show nothing
begun=$(date +%s)
end=$((begun + minutes * 60))
failed=0
is_new=0

[ ! -e "$out" ] || { echo "gpu_day: $out exists; name another FOLDER" >&2; exit 2; }
mkdir -p "$out/sanity" "$out/campaigns" "$out/audits" || exit 2
cd "$out" || exit 2

say() {
    line="$(printf '%5d s  %s' $(($(date +%s) - begun)) "$*")"
    echo "$line"
    echo "$line" >>log.txt 2>/dev/null || echo "gpu_day: log.txt cannot be written"
}

# fail TEXT: what is not whole, for the end.
fail() {
    failed=$((failed + 1))
    say "FAILED: $*"
}

left() {
    echo $((end - $(date +%s)))
}

free_kb() {
    df -Pk . 2>/dev/null | awk 'NR == 2 { print $4 }'
}

# step SECONDS NAME COMMAND...: at most that long and a little; its output in NAME.txt. Gives the command's status: 124 or 137
# it was stopped, above 128 a signal ended it. Status 99: it was not begun.
step() {
    limit=$1 step_name=$2
    shift 2
    free=$(free_kb)
    if [ "${free:-0}" -lt $LEAST_FREE_KB ]; then
        fail "$step_name: not begun, the disk is full ($free kB free)"
        return 99
    fi
    timeout -k 30 "$((limit + STOP_SECONDS))" "$@" >"$step_name.txt" 2>&1 </dev/null
    status=$?
    case $status in
    0 | 1 | 4) ;;
    124 | 137) fail "$step_name: stopped after $((limit + STOP_SECONDS)) s: a hang, or a kill from outside" ;;
    *)
        if grep -q 'disk is full\|No space left' "$step_name.txt" 2>/dev/null; then
            fail "$step_name: the disk is full"
        elif [ $status -gt 128 ]; then
            fail "$step_name: killed by signal $((status - 128))"
        else
            fail "$step_name: status $status: $(tail -n 1 "$step_name.txt" 2>/dev/null)"
        fi
        ;;
    esac
    return $status
}

describe_machine() {
    uname -a
    sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2>/dev/null
    "$halfulp" --version
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c
    head -n 1 /proc/meminfo
    df -Pk . | tail -n 1
    ls -l /dev/dri /dev/kfd /dev/nvidia* /dev/accel 2>/dev/null
    for variable in VK_DRIVER_FILES VK_ICD_FILENAMES OCL_ICD_VENDORS LD_LIBRARY_PATH; do
        eval "echo \"$variable=\${$variable-}\""
    done
    ls /usr/share/vulkan/icd.d /etc/vulkan/icd.d /etc/OpenCL/vendors 2>/dev/null
    if command -v nvidia-smi >/dev/null; then
        timeout 20 nvidia-smi
    fi
}

# Names of the devices that run what they are given, in the order of the program.
find_targets() {
    awk '/^[^ ].* \((vulkan|opencl), / { name = $1 } /^  values +the device/ { print name }' devices.txt
}

# A target that runs a case and shows a planted fault is tested.
check_sanity() {
    target=$1
    step 60 "sanity/$target" "$halfulp" run --targets "$target" --profile arith --seed 1 --cases 2 -q -o "sanity/$target"
    [ $? -le 1 ] || { say "$target: runs no case: left out"; return 1; }
    found=0
    timeout -k 30 120 "$halfulp" run --targets "$target:SUB_FOR_ADD" --profile arith --seed 1 --cases 4 -q \
        -o "sanity/$target-fault" >"sanity/$target-fault.txt" 2>&1 </dev/null || found=$?
    case $found in
    0) say "$target: a planted fault is not found in 4 cases" ;;
    1) ;;
    2) say "$target: no fault can be planted (the target is given no SPIR-V)" ;;
    *) fail "$target: the run with a planted fault ends with status $found" ;;
    esac
    rm -rf "sanity/$target" "sanity/$target-fault"
    say "$target: runs a case"
}

# How many seconds each of N steps gets of the time up to the moment UNTIL.
share_of() {
    seconds=$((($2 - $(date +%s)) / $1))
    [ $seconds -gt 0 ] || seconds=0
    echo $seconds
}

# run_campaign TARGET PROFILE SECONDS
run_campaign() {
    name=campaigns/$1-$2
    if [ "$3" -lt $LEAST_SECONDS ]; then
        fail "$name: no time left"
        return
    fi
    step "$3" "$name" "$halfulp" run --targets "$1" --profile "$2" --seed "$begun" --for "${3}s" --workers "$workers" \
        --mutate 0 --known known.tsv --disk-cap "${cap_kb}K" -q -o "$name"
    status=$?
    rm -rf "$name/corpus" # the journal has the tapes, too
    [ $status -gt 4 ] || say "$name: $(sed -n '/^target /{n;p;q}' "$name.txt" | tr -s ' ')"
}

# report_campaign FOLDER SECONDS: look into its bugs, then write the report as it can be read anywhere.
report_campaign() {
    [ -s "$1/journal.sqlite" ] || return
    if [ "$2" -ge $LEAST_SECONDS ]; then
        step "$2" "$1.triage" "$halfulp" report -q --triage-time "${2}s" --reduce-time 20s --workers "$workers" --suppress known.tsv "$1"
        [ $? -ne 1 ] || is_new=1
    else
        say "$1: no time for triage; later: halfulp report $1"
    fi
    step 60 "$1.report" "$halfulp" report -q --no-triage --suppress known.tsv "$1"
    [ $? -ne 1 ] || is_new=1
}

# The folder within its size: the largest campaign is left out, until the rest fits.
fit_size() {
    while [ "$(du -sk . | cut -f 1)" -gt $max_kb ]; do
        largest=$(du -sk campaigns/*/ audits/*/ 2>/dev/null | sort -n | tail -n 1 | cut -f 2)
        [ -n "$largest" ] || return
        fail "$largest: left out, as the folder has more than $((max_kb / 1024)) MB"
        rm -rf "$largest"
    done
}

print_summary() {
    echo "gpu_day: $minutes minutes on $(uname -n), $(date -u '+%Y-%m-%d %H:%M') UTC"
    for target in $targets; do
        echo
        sed -n "/^$target (/,/^  version/p" devices.txt
        for file in campaigns/"$target"-*.txt; do
            case $file in *.triage.txt | *.report.txt) continue ;; esac
            [ -s "$file" ] && sed -n "/^target /{n;s|^[^ ]*|  $(basename "$file" .txt)|p;q}" "$file"
        done
        [ ! -s "audits/$target.txt" ] || sed 's/^/  /' "audits/$target.txt" | tail -n 3
    done
    echo
    grep 'FAILED' log.txt || echo "every step is whole"
}

say "$("$halfulp" --version)"
known=$(dirname "$halfulp")/../share/halfulp/corpora/known.tsv
[ -s "$known" ] || known=$here/../corpora/known.tsv
cp "$known" known.tsv || : >known.tsv
describe_machine >machine.txt 2>&1
step 60 devices "$halfulp" devices --facts
targets=""
for target in ${GPU_DAY_TARGETS:-$(find_targets)}; do
    check_sanity "$target" && targets="$targets $target"
done
if [ -z "$targets" ]; then
    fail "no device could be tested; devices.txt says what was found"
    exit 3
fi
n_targets=$(echo "$targets" | wc -w)
n_campaigns=$((n_targets * $(echo "$profiles" | wc -w)))
# A sixth of the folder for passing cases: findings, which come beyond the cap, and reports need the rest.
cap_kb=$((max_kb / 6 / n_campaigns + 1))

# Of what is left: half for campaigns, a quarter for audits, a fifth for triage; the rest for reports and the archive.
now=$(date +%s)
until_campaigns=$((now + (end - now) * 50 / 100))
until_audits=$((now + (end - now) * 75 / 100))
until_triage=$((now + (end - now) * 95 / 100))
n=$n_campaigns
for profile in $profiles; do
    for target in $targets; do
        run_campaign "$target" "$profile" "$(share_of "$n" "$until_campaigns")"
        n=$((n - 1))
    done
done
n=$n_targets
for target in $targets; do
    seconds=$(share_of "$n" "$until_audits")
    if [ "$seconds" -ge $LEAST_SECONDS ]; then
        step "$seconds" "audits/$target" "$halfulp" audit --target "$target" --ops all --types f32 --for "${seconds}s" -q -o "audits/$target"
        [ $? -gt 4 ] || say "audits/$target: $(tail -n 1 "audits/$target.txt")"
    else
        fail "audits/$target: no time left"
    fi
    n=$((n - 1))
done
n=$n_campaigns
for folder in campaigns/*/; do
    report_campaign "${folder%/}" "$(share_of "$n" "$until_triage")"
    n=$((n > 1 ? n - 1 : 1))
done
fit_size
print_summary >summary.txt 2>&1 || fail "summary.txt: the disk is full"
say "$(left) s left; $failed steps failed"
cd .. || exit 3
name=$(basename "$out")
if tar -C . --exclude='lock' -cf - "$name" 2>/dev/null | xz -T0 >"$name.tar.xz.new" && mv "$name.tar.xz.new" "$name.tar.xz"; then
    echo "gpu_day: $PWD/$name.tar.xz, $(wc -c <"$name.tar.xz") bytes"
else
    rm -f "$name.tar.xz.new"
    echo "gpu_day: no archive could be written; the results are in $PWD/$name"
    failed=$((failed + 1))
fi
echo "gpu_day: $PWD/$name/summary.txt"
[ $failed -eq 0 ] || exit 4
exit $is_new
