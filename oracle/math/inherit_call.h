/* oracle/math/inherit_call.h -- functions on sets: each member's permitted results, outward. */
#pragma once

#include "oracle/math/inherit_program.h"

/* A function on sets: the results for all their members, outward. */
int inherit_call(const struct inherit_work *w, enum inherit_word word, const struct set *args,
                 struct set *out);
