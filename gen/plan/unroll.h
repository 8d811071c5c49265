/* gen/plan/unroll.h -- how much a loop with the hint Unroll may become. */
#pragma once

#include "gen/ir/ir.h"

/*
 * Instructions of all iterations together. Mesa's compilers RADV and NVK unroll whatever the hint asks for: a loop of 1998
 * iterations of some instructions takes them minutes and 4 GB. UNROLL_MOST is chosen to be well below that, and is not
 * measured. A loop of one in 16 hints may become larger, so that such loops are tested too.
 */
enum {
    UNROLL_MOST = 4096,
    UNROLL_MOST_LARGE = 16384
};
/* Takes the hint Unroll away from each loop of the program that would become larger; loops within are unrolled first. Returns the
 * instructions of the whole program when its loops are unrolled so. */
uint64_t unroll_limit(struct ir_program *p);
