/* oracle/interp/loops.h -- finds the natural loops of a module that has barriers of a work-group, and for each
 * block the loops that contain it. */
#pragma once

#include "oracle/interp/module.h"

/*
 * Fills m->loops_of, by the id of a block's label: bit l, the block is in loop l, a natural loop of the control flow, whether
 * it has a merge instruction or, as in OpenCL, none. NULL: the module has no barrier, or no loop. Loops beyond the first
 * MOD_MAX_LOOPS are left out. RES_NOMEM: the arena is full.
 */
MUST_USE enum res loops_find(struct module *m, struct arena *a, struct err *e);
