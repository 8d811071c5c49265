/* oracle/value/value_convert.h -- computes the permitted results of conversions to floats and of negation, under
 * rounding directions and max-error decorations. */
#pragma once

#include "oracle/value/value_set.h"

/* The direction that a decoration names, or -1: that of the environment. */
int value_find_direction(const struct mod_id *id);
struct val value_convert(const struct value_site *site);
