#!/bin/sh
# scripts/seeds.sh BUILD [PROFILE]... -- make corpora/seeds anew: per profile at most 250 small tapes that
# together set the features which SEED_CASES (5000) cases of a campaign set, half of them mutated. The
# campaign runs on the simulated device, without a fault; AFL++'s afl-cmin, by the map of halfulp-afl, leaves
# the tapes that a feature needs; "halfulp corpus" chooses of these and makes them small.
set -u
build=$1
shift
[ $# -gt 0 ] || set -- atomics groups arith maxerror all
if [ ! -x "$build/halfulp-afl" ] || ! command -v afl-cmin >/dev/null; then
    echo "seeds: AFL++ is not here; scripts/setup.sh installs it" >&2
    exit 1
fi
build=$(cd "$build" && pwd)
work=$build/seeds
rm -rf "$work"
mkdir -p "$work" || exit 1

# The runtime of AFL++ answers the question for the size of the map before main sets it: afl-cmin must
# not ask. So it gets a script, which it cannot look into.
printf '#!/bin/sh\nexec "%s/halfulp-afl"\n' "$build" >"$work/target"
chmod +x "$work/target"
export AFL_ALLOW_TMP=1 AFL_SKIP_BIN_CHECK=1 AFL_NO_AFFINITY=1 AFL_MAP_SIZE=1048576
export HALFULP_AFL_TARGET=sim-ieee

for profile; do
    campaign=$work/$profile
    "$build/halfulp" run --targets sim-ieee --profile "$profile" --seed 1 --mutate 50 \
        --cases "${SEED_CASES:-5000}" -q -o "$campaign" >"$campaign.log" 2>&1 ||
        { cat "$campaign.log" >&2; exit 1; }
    mkdir -p "$campaign/instances"
    HALFULP_AFL_CAMPAIGN=$campaign afl-cmin -i "$campaign/corpus" -o "$campaign/minimal" \
        -- "$work/target" >>"$campaign.log" 2>&1 || { tail "$campaign.log" >&2; exit 1; }
    "$build/halfulp" corpus --trials "${SEED_TRIALS:-100}" --max-tapes 250 --max-size 500K \
        -o "$campaign/seeds" "$campaign/minimal" || exit 1
    rm -rf "corpora/seeds/$profile"
    mkdir -p corpora/seeds && mv "$campaign/seeds" "corpora/seeds/$profile" || exit 1
    rm -rf "$campaign"
done
