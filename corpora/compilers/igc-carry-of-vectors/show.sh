#!/bin/sh
# Exit status 1 while the bug is there: the compiler ends by a signal, or says that it had to end.
ocloc compile -spirv_input -file module.spv -device "${1:-tgl}" -output out -q >log 2>&1
status=$?
[ "$status" = 0 ] && exit 0
[ "$status" -gt 128 ] || grep -q 'internal compiler error' log && exit 1
exit 2
