/* oracle/judge_values/probe.h -- from the value that a probe stores back to the instruction that made it. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* The instruction that made a value, through what a probe does to it; NULL for a
 * constant. */
const struct mod_inst *probe_find_root(const struct judge *j, uint32_t id);
/* What the function that a call goes to returns; 0 for nothing. */
uint32_t probe_find_returned(const struct judge *j, const struct mod_inst *call);
/* A value was observed to be another than the one permitted: go on from what was observed, from either
 * where they are zeros of different signs, so that one wrong result is one finding. */
void probe_rebind(struct judge *j, struct invocation *inv, uint32_t id, uint64_t got);
