#!/bin/sh
# Exit status 1 while the bug is there: the binary calls a function that nothing defines.
ocloc compile -spirv_input -file module.spv -device "${1:-bmg}" -output out -q || exit 2
strings -a out_*.bin | grep -E '__ocl_svml_[a-z]*_(ha|ep)$|^_spirv_ocl_powr' && exit 1
exit 0
