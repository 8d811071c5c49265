/* oracle/host/host_group.h -- computes group instructions in plain host loops, for the simulator's strategy
 * `ieee`. */
#pragma once

#include "oracle/group/group.h"
#include "oracle/host/host_number.h"

/* What participant i of a group instruction gets, n_results elements of `out`, in linear order; `pick`:
 * the bits of what is undefined. 1; -1: no group instruction. */
int host_group(const struct host_modes *modes, const struct group_call *c, uint32_t i,
               uint64_t pick, uint64_t *out);
