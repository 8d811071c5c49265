#!/bin/sh
# scripts/seeds.sh BUILD [PROFILE]... -- make corpora/seeds anew, two profiles at a time: per profile at most
# 250 small tapes that together set most of the features of oracle/feature/feature.h and of its pairs, but for those
# that fewer than 5 of all tapes set: the pairs of which there are most, and a chosen tape has few of. They
# come from SEED_CASES (2500) cases of a campaign, half of them mutated, of which AFL++'s afl-cmin leaves
# what its map needs, and from SEED_RANDOM random tapes; "halfulp corpus" chooses of both and makes them
# small. All of it runs on the simulated device, without a fault.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
if [ ! -x "$build/halfulp-afl" ] || ! command -v afl-cmin >/dev/null; then
    echo "seeds: AFL++ is not here; scripts/setup.sh installs it" >&2
    exit 1
fi
build=$(cd "$build" && pwd)
work=$build/seeds
export AFL_ALLOW_TMP=1 AFL_SKIP_BIN_CHECK=1 AFL_NO_AFFINITY=1 AFL_MAP_SIZE=1048576
export AFL_TMPDIR="$work" HALFULP_AFL_TARGET=sim-ieee

make_one() {
    profile=$1
    campaign=$work/$profile
    "$build/halfulp" run --targets sim-ieee --profile "$profile" --seed 1 --mutate 50 \
        --cases "${SEED_CASES:-2500}" -q -o "$campaign" >"$campaign.log" 2>&1 ||
        { cat "$campaign.log" >&2; return 1; }
    mkdir -p "$campaign/instances"
    HALFULP_AFL_CAMPAIGN=$campaign afl-cmin -i "$campaign/corpus" -o "$campaign/minimal" \
        -- "$work/target" >>"$campaign.log" 2>&1 || { tail "$campaign.log" >&2; return 1; }
    case $profile in
    arith | maxerror) random=8000 ;; # a case of theirs takes some times as long, and shows as much more
    *) random=20000 ;;
    esac
    "$build/halfulp" corpus --profile "$profile" --random "${SEED_RANDOM:-$random}" --seed 2 \
        --least 5 --trials 6 --max-tapes 250 --max-size 1M \
        -o "$campaign/seeds" "$campaign/minimal" || return 1
    rm -rf "corpora/seeds/$profile"
    mkdir -p corpora/seeds && mv "$campaign/seeds" "corpora/seeds/$profile" || return 1
    rm -rf "$campaign"
}

if [ "${1:-}" = one ]; then
    make_one "$2"
    exit
fi
[ $# -gt 0 ] || set -- maxerror all arith groups atomics
rm -rf "$work"
mkdir -p "$work" || exit 1
# The runtime of AFL++ answers the question for the size of the map before main sets it: afl-cmin must
# not ask. So it gets a script, which it cannot look into.
printf '#!/bin/sh\nexec "%s/halfulp-afl"\n' "$build" >"$work/target"
chmod +x "$work/target"
printf '%s\n' "$@" | xargs -P 2 -n 1 "$here/seeds.sh" "$build" one
