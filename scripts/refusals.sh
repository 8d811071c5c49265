#!/bin/sh
# scripts/refusals.sh [VALIDATOR] -- what the newest spirv-val makes of the modules of gen/illegal/illegal.def: each legal
# one must be valid; of those that break a rule the ones that it accepts must be those of corpora/spirv-val-gaps.tsv,
# its rows of the newest. VALIDATOR is a spirv-val of this machine; without it
# that of the driver root sid. Prints each difference and the figures.
set -u
cd "$(dirname "$0")/.." || exit 3
gaps=corpora/spirv-val-gaps.tsv
work=build/refusals
rm -rf "$work"
mkdir -p "$work"
build/opt/halfulp refusals -o "$work/modules" || exit 3

# Each module: "accepted FILE" or "refused FILE". OpenCL has a target up to SPIR-V 1.2.
cat >"$work/validate" <<'END'
validator=$1
cd "$2" || exit 3
for file in *.spv legal/*.spv; do
    target=vulkan1.1
    case $file in
    *.opencl.spv)
        target=opencl2.2
        [ "$(od -An -tu1 -j5 -N1 "$file")" -le 2 ] || target=spv1.3
        ;;
    esac
    if "$validator" --target-env "$target" "$file" >/dev/null 2>&1; then
        echo "accepted $file"
    else
        echo "refused $file"
    fi
done
END
if [ $# -gt 0 ]; then
    version=$("$1" --version | head -n 1)
    sh "$work/validate" "$1" "$work/modules" >"$work/answers"
elif version=$(scripts/inside_sid.sh "$work" spirv-val --version); then
    version=$(echo "$version" | head -n 1)
    scripts/inside_sid.sh "$work" sh /tmp/given/validate spirv-val /tmp/given/modules >"$work/answers"
else
    echo "refusals: skipped: no driver root sid, which make drivers makes"
    exit 0
fi
echo "refusals: $version"
awk -F '[ \t]' -v gaps="$gaps" '
    FILENAME == gaps { if ($3 == "newest") { listed[$1 "." $2 ".spv"] = 1; n_listed++ } next }
    { n++ }
    $2 ~ /^legal\// { n_legal++; if ($1 == "refused") { print "refused, and legal: " $2; bad = 1 } next }
    $1 == "accepted" {
        n_accepted++
        if (!($2 in listed)) { print "accepted, and not in " gaps ": " $2; bad = 1 }
        seen[$2] = 1
    }
    END {
        for (file in listed) {
            if (!(file in seen)) { print gaps ": " file " is refused, or there is no such rule"; bad = 1 }
        }
        printf "refusals: %d legal modules, %d that break a rule, %d of them accepted, %d listed\n",
            n_legal, n - n_legal, n_accepted, n_listed
        exit bad || n_legal == 0
    }' "$gaps" "$work/answers"
