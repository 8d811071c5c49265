/* oracle/value/value_compare.h -- comparisons of floats: what they say of values that may be sets. */
#pragma once

#include "oracle/value/value_set.h"

struct val value_compare(const struct value_site *t);
