#!/bin/sh
# scripts/front_end.sh [CASES [SEED]] -- the OpenCL C of CASES (300) cases of each profile, given to clang's front end: how
# many it takes. Fails when it refuses one for anything but a function that this clang is too old for.
set -u
cd "$(dirname "$0")/.." || exit 3
cases=${1:-300}
seed=${2:-1}
program=${B:-build/opt}/halfulp
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT INT TERM
command -v clang >/dev/null || { echo "front end: clang is missing"; exit 2; }

# Everything that a device may list, so that what is refused is refused for its words.
features=+all
macros=
for bits in 16 32 64; do
    for space in global local; do
        for class in load_store add min_max; do
            features=$features,+__opencl_c_ext_fp${bits}_${space}_atomic_$class
        done
    done
done
for feature in atomic_order_acq_rel atomic_order_seq_cst atomic_scope_device atomic_scope_all_devices \
    generic_address_space work_group_collective_functions subgroups fp64 int64; do
    features=$features,+__opencl_c_$feature
    macros="$macros -D__opencl_c_$feature=1" # those that are not of the language are of the header alone
done

# One case: a line with what became of it.
cat >"$work/one.sh" <<'EOF'
program=$1 seed=$2 features=$3 macros=$4 work=$5 profile=$6 index=$7
folder=$work/$profile-$index
compile() {
    clang -cc1 $macros -triple spir64-unknown-unknown -cl-std=CL3.0 -finclude-default-header "$@" \
        "-cl-ext=$features" -fsyntax-only "$folder/kernel.cl"
}
if ! "$program" gen --profile "$profile" --seed "$seed" --index "$index" --language opencl-c -o "$folder" \
    >"$work/$profile-$index.log" 2>&1; then
    grep -q 'has no words for' "$work/$profile-$index.log" && echo "no words" || echo "not made: $profile $index"
elif compile -fdeclare-opencl-builtins >"$work/$profile-$index.log" 2>&1 ||
    compile >"$work/$profile-$index.log" 2>&1; then # the slower header has more: atomics of half in clang 14
    echo accepted
else
    missing=$(grep ' error: ' "$work/$profile-$index.log" |
        grep -v "implicit declaration of function '[a-z_]*\(_rotate\|_mul\|_and\|_or\|_xor\)'" | head -n 1)
    if [ -z "$missing" ]; then
        echo "too new for this clang"
    else
        echo "refused: gen --profile $profile --seed $seed --index $index --language opencl-c: $missing"
    fi
fi
rm -rf "$folder" "$work/$profile-$index.log"
EOF
for profile in ${PROFILES:-atomics groups all arith maxerror programs}; do
    seq "$cases" | sed "s/^/$profile /"
done | xargs -P 2 -L 1 sh "$work/one.sh" "$program" "$seed" "$features" "$macros" "$work" >"$work/all"
sed 's/^refused.*/refused/' "$work/all" | sort | uniq -c
grep -v '^accepted$\|^no words$\|^too new' "$work/all" | head -n 20
! grep -q '^refused\|^not made' "$work/all"
