/* oracle/value/value_math.h -- computes the permitted results of mathematical instructions whose operands may be
 * sets, by trying all combinations of members, up to a budget. */
#pragma once

#include "oracle/value/value_set.h"

/* Instructions of the mathematical sets, FRem, FMod, Dot, and arithmetic under
 * a max-error decoration. -1: not one that is interpreted. through: what goes to the variable that a
 * pointer operand names. */
int value_math(const struct value_site *site, struct val *out, struct val *through);
/* The n components of such an instruction on whole vectors, which has no such pointer. */
int value_math_vector(const struct value_site *site, uint32_t n, struct val *out);
