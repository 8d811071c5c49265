#!/bin/sh
# scripts/validity.sh [CASES [SEED]] -- the modules of CASES (500) cases of each profile and environment, given to the newest
# spirv-val, that of the driver root sid: each must be valid, but those of cases that are illegal on purpose. What the
# spirv-val of this machine says is `halfulp gen --validate`. Prints the figures, and fails where one is invalid.
set -u
cd "$(dirname "$0")/.." || exit 3
cases=${1:-500}
seed=${2:-1}
program=${B:-build/opt}/halfulp
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT INT TERM
scripts/inside_sid.sh "$work" spirv-val --version >"$work/version" ||
    { echo "validity: skipped: no driver root sid, which make drivers makes"; exit 0; }

# One case: its module in a file that names its class and environment.
cat >"$work/one" <<'END'
program=$1 seed=$2 work=$3 profile=$4 env=$5 index=$6
folder=$work/$profile-$env-$index
"$program" gen --profile "$profile" --env "$env" --seed "$seed" --index "$index" -o "$folder" >/dev/null 2>&1 || exit 1
class=$(sed -n 's/.*"class": "\([a-z]*\)".*/\1/p' "$folder/case.json")
mv "$folder/module.spv" "$work/modules/$class.$profile-$index.$env.spv"
rm -rf "$folder"
END
# All of them: "valid FILE" or "invalid FILE"; "unlisted FILE" where Vulkan has no such capability, so that no device lists
# what the case needs; "unknown FILE" where this spirv-val does not know the extension, as SPV_INTEL_16bit_atomics
# (capabilities 6255 to 6266), so that it judges nothing. OpenCL's own targets know no extension, and so no 64-bit atomics: the target is SPIR-V's.
cat >"$work/validate" <<'END'
cd /tmp/given/modules || exit 3
for file in *.spv; do
    target=vulkan1.2
    case $file in
    *.opencl.spv) target=spv1.3 ;;
    esac
    if text=$(spirv-val --target-env "$target" --allow-localsizeid "$file" 2>&1); then
        echo "valid $file"
    else
        case $text in
        *"Capability Groups is not allowed by Vulkan"*) echo "unlisted $file" ;;
        *"Invalid capability operand: 62"[56]*) echo "unknown $file" ;;
        *) echo "invalid $file" ;;
        esac
    fi
done
END
mkdir "$work/modules"
for profile in atomics groups arith maxerror programs all; do
    for env in opencl vulkan; do
        seq "$cases" | sed "s/^/$profile $env /"
    done
done | xargs -P 2 -L 1 sh "$work/one" "$program" "$seed" "$work"
scripts/inside_sid.sh "$work" sh /tmp/given/validate >"$work/answers"
awk -F '[ .]' '
    { n[$2 " " $1]++ }
    $1 == "invalid" && $2 != "illegal" { print "invalid: " $0; bad = 1 }
    END {
        for (key in n) { printf "validity: %d %s\n", n[key], key }
        exit bad || n["legal valid"] == 0
    }' "$work/answers"
