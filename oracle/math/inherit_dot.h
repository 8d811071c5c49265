/* oracle/math/inherit_dot.h -- encloses sums of products in any order: the exact interval, widened by the bound of
 * the roundings. */
#pragma once

#include "oracle/math/inherit_program.h"

/* Sum of products of n pairs of sets, in any order. */
void inherit_dot(const struct inherit_work *work, const struct set *x, const struct set *y,
                 struct set *out);
