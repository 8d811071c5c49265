/* oracle/value/value_compare.h -- computes float comparisons of values that may be sets: true or false where all
 * members agree, else either. */
#pragma once

#include "oracle/value/value_set.h"

struct val value_compare(const struct value_site *site);
