#!/bin/sh
# scripts/kernels.sh B TARGET,... [NAME...] -- the kernels of corpora/kernels (or these of them), which the generator did
# not make: compiles them, leaves bundles in build/kernels, gives them to the targets and compares halfulp's verdict with
# the table's and the values with a reference. Exit status: 0 all as expected or known, 1 not, 3 a target is missing, 77
# a compiler is missing.
set -u
cd "$(dirname "$0")/.." || exit 3
if [ $# -lt 2 ]; then
    echo "usage: scripts/kernels.sh B TARGET,... [NAME...]" >&2
    exit 3
fi
for tool in "${CLANG:-clang}" "${LLVM_SPIRV:-llvm-spirv-14}" "${GLSLANG:-glslangValidator}" spirv-as spirv-dis spirv-val python3; do
    if ! command -v "$tool" >/dev/null; then
        echo "kernels: $tool is not here: apt-get install clang llvm-spirv-14 glslang-tools spirv-tools python3"
        exit 77
    fi
done
exec python3 -B scripts/kernels/run.py "$@"
