/* oracle/math/inherit_set.h -- computes what the steps of a formula may give, as sets that are rounded outward. */
#pragma once

#include "oracle/math/inherit_program.h"

/* What the formula may give, outward. 0: not certain. */
int inherit_run_sets(const struct inherit_work *work, struct set *out);
