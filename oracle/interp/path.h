/* oracle/interp/path.h -- numbers the path that each invocation took (the sequence of its branch targets) and the
 * context that it is in (call sites and loop iterations), so that equal paths and contexts have equal numbers. */
#pragma once

#include "oracle/interp/exec.h"

/* The path that goes on from `from` by (a, b), as a number that is equal for equal
 * histories; 0 and x->stop on a full arena. */
uint32_t path_step(struct exec *x, uint32_t from, uint32_t a, uint32_t b);
/* A header's merge instruction, or a call, is executed. 0 and x->stop when it cannot be followed. */
int path_enter(struct exec *x, struct invocation *inv, const struct mod_inst *in);
int path_call(struct exec *x, struct invocation *inv);
void path_return(struct invocation *inv);
/* The invocation comes to this label: 1 when it ends a construct, which is left and stays in
 * construct[n_constructs]. */
int path_leave(struct invocation *inv, uint32_t label);
