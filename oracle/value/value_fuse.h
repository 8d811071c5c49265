/* oracle/value/value_fuse.h -- computes the values that a sum has when it is fused with a product that is its
 * operand: one rounding in place of two. */
#pragma once

#include "oracle/func/func.h"
#include "oracle/value/value_set.h"

/* Add what a fused multiply-add may give, for operand `which` of a sum or difference, within bound
 * ulps of the exact value (0: correctly rounded). */
void value_add_fused(const struct value_site *site, const struct rules *r, int which,
                     const struct func_bound *bound, struct set *out);
