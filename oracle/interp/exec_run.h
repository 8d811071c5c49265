/* oracle/interp/exec_run.h -- the interpreter's main loop: executes the instructions of one invocation until it
 * ends, waits or has done its share. */
#pragma once

#include "oracle/interp/exec.h"

/* Run until the invocation is done, waits at a barrier, or has executed n_atomics atomics
 * (0: no limit). Returns 0 when x->stop is set. */
int exec_run(struct exec *x, struct invocation *inv, uint32_t n_atomics);
