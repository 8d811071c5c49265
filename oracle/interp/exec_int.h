/* oracle/interp/exec_int.h -- executes integer, logical, bit and composite instructions of the interpreter, by
 * base/integer.def. Where an operand is unknown, so is the result. */
#pragma once

#include "oracle/interp/exec.h"

/* An instruction of PART_BINARY. 1 done, 0 x->stop set. */
int exec_binary(struct exec *x, struct invocation *inv, const struct mod_inst *in);
/* The same of PART_NUMBER: what else integer.def has. */
int exec_number(struct exec *x, struct invocation *inv, const struct mod_inst *in);
/* An instruction of PART_INTEGER: bits, composites, selects. -1: a select of floats. */
int exec_integer(struct exec *x, struct invocation *inv, const struct mod_inst *in);
