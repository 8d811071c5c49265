/* oracle/math/inherit_dot.h -- sums of products in any order, outward. */
#pragma once

#include "oracle/math/inherit_program.h"

/* Sum of products of n pairs of sets, in any order. */
void inherit_dot(const struct inherit_work *w, const struct set *x, const struct set *y,
                 struct set *out);
