#!/bin/sh
# scripts/check_drivers.sh [TARGET...] -- the same CASES (240) cases of profile `all` on each default driver, an eighth of
# them as OpenCL C, with the instruction sets of corpora/check.ini; what they find must be listed in corpora/known.tsv.
# Fails when nothing was judged, and says why. The program is that of the build B (build/opt).
set -u
cd "$(dirname "$0")/.." || exit 3
[ $# -gt 0 ] || set -- intel-cpu lavapipe intel-cpu-c
out=build/check
program=${B:-build/opt}/halfulp
n_passed=0
bad=0
rm -rf "$out"
mkdir -p "$out"
grep -qw avx2 /proc/cpuinfo || echo "check: this machine has no AVX2, for which corpora/check.ini compiles"
# One campaign each, side by side; what they say comes in one piece.
for target in "$@"; do
    cases=${CASES:-240}
    case $target in *-c) cases=$((cases / 8)) ;; esac # its front end takes as long as all the rest
    {
        "$program" run --cases "$cases" --seed 2 --profile all --targets "$target" \
            --targets-file corpora/check.ini --known corpora/known.tsv -o "$out/$target" \
            </dev/null >"$out/$target.log" 2>&1
        echo $? >"$out/$target.status"
    } &
done
wait
for target in "$@"; do
    cat "$out/$target.log"
    case $(cat "$out/$target.status") in
    0) n_passed=$((n_passed + 1)) ;;
    1)
        echo "check: $target: findings that corpora/known.tsv does not list; see above. One is run again with"
        echo "check:   $program check --targets-file corpora/check.ini $out/$target#ID"
        bad=1
        ;;
    2) echo "check: $target: not here" ;;
    *)
        echo "check: $target: the campaign failed"
        bad=1
        ;;
    esac
done
if [ "$n_passed" -eq 0 ] && [ "$bad" -eq 0 ]; then
    echo "check: no driver is here, so no case was judged; scripts/setup.sh installs intel-cpu and lavapipe"
    exit 1
fi
if [ "${CI:-}" = true ] && [ "$n_passed" -lt 2 ]; then
    echo "check: $n_passed drivers passed; with CI=true two must"
    exit 1
fi
exit $bad
