#!/bin/sh
# scripts/check_gpu_day.sh ARCHIVE [MINUTES] -- gpu_day.sh of the archive, in a bare root with lavapipe and PoCL: a campaign is
# killed in the middle, one target loses its device and one hangs. The rest must be whole, and the folder must give the same
# reports to the byte when the program of this checkout reads it elsewhere. Then the same on a disk that becomes full. Status 77:
# there is no root.
set -u
cd "$(dirname "$0")/.." || exit 3
archive=$1
minutes=${2:-6}
[ -d drivers/roots/sid/usr ] || { echo "check_gpu_day: there is no root sid (make drivers)"; exit 77; }
program=$PWD/build/opt/halfulp
bad=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

complain() {
    echo "check_gpu_day: $1"
    bad=1
}

# PoCL behind a twin that misbehaves from the sixth case of a process on.
write_bad_target() {
    printf '[%s]\napi = opencl\ndeadline_ms = 4000\nenv.HALFULP_BAD = %s\nenv.HALFULP_BAD_SKIP = 5\n' "$1" "$2"
    printf 'env.OCL_ICD_VENDORS = /home/bad\nenv.HALFULP_BAD_REAL = %s\n' "$pocl"
}

mkdir "$dir/home"
xz -dc "$archive" | scripts/bare.sh sid "$dir/home" tar x
top=$(basename "$archive" .tar.xz)
cp build/opt/libbadocl.so "$dir/home"
mkdir "$dir/home/bad"
echo /home/libbadocl.so >"$dir/home/bad/bad.icd"
pocl=$(head -n 1 drivers/roots/sid/etc/OpenCL/vendors/pocl.icd)
case $pocl in /*) ;; *) pocl=/usr/lib/x86_64-linux-gnu/$pocl ;; esac
{ write_bad_target loses lost; write_bad_target hangs hang-run; } >"$dir/home/$top/bin/targets.ini"

# The first campaign of the profile that follows is killed from outside, as soon as it runs.
kill_one() {
    while :; do
        for pid in $(pgrep -f "halfulp run --targets $1 .*-o campaigns/$1-$2"); do
            # of bwrap's, sh's and timeout's lines only the program's own ends in this name
            [ "$(basename "$(readlink "/proc/$pid/exe")")" != halfulp ] || { sleep 1; kill -9 "$pid"; return; }
        done
        [ -e "$dir/over" ] && return
        sleep 0.2
    done
}
kill_one lavapipe atomics &
killer=$!
begun=$(date +%s)
scripts/bare.sh sid "$dir/home" env GPU_DAY_PROFILES="atomics all" "$top/bin/gpu_day.sh" "$minutes" day \
    >"$dir/said" 2>&1
status=$?
taken=$(($(date +%s) - begun))
touch "$dir/over"
wait $killer
day=$dir/home/day
echo "check_gpu_day: $taken s for $minutes minutes, status $status; folder $(du -sk "$day" | cut -f 1) kB, archive $(wc -c <"$day.tar.xz") bytes"
[ $status -eq 4 ] || complain "status $status, but a campaign was killed"
[ $taken -le $((minutes * 60 + 180)) ] || complain "it took $taken s"
grep -q 'FAILED: campaigns/lavapipe-atomics: killed by signal 9\|FAILED: campaigns/lavapipe-atomics: stopped' "$day/log.txt" ||
    complain "the killed campaign is not told"
[ "$(du -sk "$day" | cut -f 1)" -le 51200 ] || complain "the folder has more than 50 MB"
for name in lavapipe-atomics lavapipe-all loses-all hangs-all; do
    [ -s "$day/campaigns/$name/report.html" ] || complain "$name has no report"
done
for pattern in lavapipe 'portable-computing.*'; do
    find "$day/audits" -name audit.json -path "*/$pattern*" 2>/dev/null | grep -q . ||
        find "$day/audits" -name audit.json | grep -q "/$pattern/" || complain "no audit of $pattern"
done
grep -q 'device-lost' "$day/campaigns/loses-all/report.json" || complain "a lost device is not told"
grep -q '"hang"' "$day/campaigns/hangs-all/report.json" || complain "a hang is not told"
[ $bad -eq 0 ] || cat "$day/log.txt"

# Read elsewhere, from the archive.
mkdir "$dir/elsewhere"
xz -dc "$day.tar.xz" | tar -C "$dir/elsewhere" -x
n=0
for folder in "$dir"/elsewhere/day/campaigns/*/; do
    folder=${folder%/}
    name=campaigns/$(basename "$folder")
    (cd "$dir/elsewhere/day" && "$program" report -q --no-triage --suppress known.tsv "$name") >"$dir/said" 2>&1
    [ $? -le 1 ] || complain "$name cannot be read elsewhere: $(tail -n 1 "$dir/said")"
    for file in "$folder"/report*; do
        cmp -s "$file" "$day/$name/$(basename "$file")" || complain "$name/$(basename "$file") is another elsewhere"
        n=$((n + 1))
    done
done
[ $n -ge 14 ] || complain "only $n files were compared"
echo "check_gpu_day: $n files of reports are the same elsewhere"
for place in "$day" "$dir/elsewhere/day"; do
    # shellcheck disable=SC2046 # folders without blanks
    (cd "$place" && "$program" audit --report $(find audits -name audit.json | sort | sed 's|/audit.json||') -o table -q) >"$dir/said" 2>&1
    case $? in 0 | 1 | 4) ;; *) complain "audit --report: $(tail -n 1 "$dir/said")" ;; esac
done
diff -r -x lock "$day/table" "$dir/elsewhere/day/table" >/dev/null || complain "audit --report gives another table elsewhere"
[ -s "$day/table/table.csv" ] || complain "audit --report wrote no table"

# A disk of 30 MB that somebody else fills: campaigns fail, the script ends and says why.
# shellcheck disable=SC2016 # of the inner shell
bwrap --dev-bind / / --size 30000000 --tmpfs /mnt sh -c '
    ("$1/bin/gpu_day.sh" 1 /mnt/day; echo "status $?") & sleep 15; head -c 25000000 /dev/zero >/mnt/filled; wait
    cat /mnt/day/log.txt' sh "$dir/home/$top" >"$dir/said" 2>&1
grep -q 'FAILED: .*disk is full' "$dir/said" || { complain "a full disk is not told"; tail -n 5 "$dir/said"; }
grep -q '^status 4' "$dir/said" || complain "a full disk: another status than 4: $(grep '^status' "$dir/said")"
exit $bad
