/* oracle/interp/lower.h -- loads and stores of OpenCL.std as instructions of the core. */
#pragma once

#include "oracle/interp/module.h"

enum {
    LOWER_MAX_IDS = 7, /* types and values that one instruction needs besides */
    LOWER_MAX_CODE = 5 /* instructions that it becomes */
};

/* Is the instruction of OpenCL.std with that number a load or store: vloadn, vstoren, vload_half and its kin? */
bool lower_is_access(uint32_t number);
/*
 * Appends to m->code what the OpExtInst does: a pointer to so many elements behind one another, the offset-th of them, its load
 * or store, and for half the conversion with the rounding that it names. *next_id: the next id that no word of the module
 * has, of which there must be LOWER_MAX_IDS left. What has another form sets m->unsupported.
 */
MUST_USE enum res lower_access(struct module *m, const struct spv_inst *in, uint32_t *next_id,
                               struct arena *a, struct err *e);
