/* oracle/group/reduction_wider.h -- a sum or product that was kept wider than its type. */
#pragma once

#include "oracle/group/reduction_terms.h"

/* Is `got` a neighbour of the exact sum or product, as where the steps are computed wider than the
 * type and only the result is rounded? CLAUSE_GROUP_METHOD. */
int reduction_is_wider(const struct reduction *r, uint64_t got);
