/* oracle/interp/exec_run.h -- the interpreter's engine: an invocation goes on by its instructions. */
#pragma once

#include "oracle/interp/exec.h"

/* Run until the invocation is done, waits at a barrier, or has executed n_atomics atomics
 * (0: no limit). Returns 0 when x->stop is set. */
int exec_run(struct exec *x, struct invocation *inv, uint32_t n_atomics);
