/* fuzz/worker/drv_ocloc.h -- Intel's offline compiler for OpenCL, a compiler without a device. */
#pragma once

#include "fuzz/worker/drv.h"

/*
 * libocloc.so, in this process: modules in, device binaries out. `select` of open is the device as ocloc names it
 * ("bmg"); facts are what `ocloc query` says of it. run builds, whatever the job is: RUN_BUILT, with the log
 * that ocloc writes. A crash is that of this process: ocloc's own handler, which would go on after one, is kept
 * away. A binary that calls a function which is nowhere is refused: it cannot be loaded. There are no streams.
 *
 * With the variable HALFULP_WORKER_CODE set the log of a build begins with a line about the kernel's code, which is
 * disassembled for it: "code: HASH N instructions, math.exp x2, math.inv x1"; the hash is of all its text.
 */
extern const struct drv_api drv_ocloc;

/* What the log of such a refusal says, before the name. */
#define OCLOC_CALLS_MISSING "the binary calls "
