/* oracle/math/inherit_set.h -- what a formula's steps may give, as sets, outward. */
#pragma once

#include "oracle/math/inherit_program.h"

/* What the formula may give, outward. 0: not certain. */
int inherit_run_sets(const struct inherit_work *w, struct set *out);
