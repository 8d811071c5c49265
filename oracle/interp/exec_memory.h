/* oracle/interp/exec_memory.h -- executes the interpreter's pointers, loads, stores and atomics: computes memory
 * locations, checks bounds, and passes each scalar to the hooks. */
#pragma once

#include "oracle/interp/exec.h"

/* Loads, stores, atomics, pointers. 1 done, 0 x->stop set. */
int exec_load(struct exec *x, struct invocation *inv, const struct mod_inst *in);
int exec_store(struct exec *x, struct invocation *inv, const struct mod_inst *in);
int exec_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in);
int exec_access_chain(struct exec *x, struct invocation *inv, const struct mod_inst *in);
/* Bytes, or scalars, of what p lies in; 0: it is in nothing that is known. */
uint32_t exec_get_extent(const struct exec *x, struct location p);
int exec_memory(struct exec *x, struct invocation *inv, const struct mod_inst *in);
/* Slots that a pointer operand to a Function variable names, one per component. 0: x->stop. */
int exec_pointer_slots(struct exec *x, const struct invocation *inv, uint32_t pointer,
                       struct val **out, uint32_t *n);
