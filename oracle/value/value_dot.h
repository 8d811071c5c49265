/* oracle/value/value_dot.h -- computes dot products of integers, of four bytes packed in a word or of vectors,
 * exactly and with saturation. */
#pragma once

#include "oracle/value/value_set.h"

/* By OP_NUMBER: OpSDot to OpSUDotAccSat. */
bool value_is_dot(uint32_t op);
/* Whose result is a sum that saturates. */
bool value_is_dot_sum(uint32_t op);
/* The result, exactly; unknown where an operand is, or where a sum of products leaves the width of one that
 * saturates: it is undefined then. 1 done, 0 x->stop, -1: not a form that is interpreted. */
int value_dot(struct exec *x, const struct invocation *inv, const struct mod_inst *in,
              struct val *out);
