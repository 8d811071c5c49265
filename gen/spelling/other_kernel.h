/* gen/spelling/other_kernel.h -- adds entry points beside the one that runs, by the tape: at most IR_MAX_KERNELS, of
 * stores and calls that never run. */
#pragma once

#include "gen/ir/ir.h"
#include "gen/tape/tape.h"

/*
 * Adds none to IR_MAX_KERNELS of them, by the next three decisions of t: zeros add none. They are not to run: each would
 * store constants where the one that runs stores results. They have its variables, call its functions, and have a
 * work-group and modes of their own. Returns how many there are.
 */
uint32_t other_kernel_add(struct ir_program *p, struct tape *t);
