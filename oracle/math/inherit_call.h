/* oracle/math/inherit_call.h -- applies a function to sets, as a step of a formula: member by member, or by the
 * ends of ranges where it is monotonic; rounded outward. */
#pragma once

#include "oracle/math/inherit_program.h"

/* A function on sets: the results for all their members, outward. */
int inherit_call(const struct inherit_work *work, enum inherit_word word, const struct set *args,
                 struct set *out);
