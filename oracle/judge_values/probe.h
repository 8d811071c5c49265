/* oracle/judge_values/probe.h -- from the value that a probe stores back to the instruction that computed it: a probe
 * converts and copies the value before it stores the value. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* The instruction that computed the value of the id, before the conversions of a probe; NULL for a constant. */
const struct mod_inst *probe_find_root(const struct judge *j, uint32_t id);
/* The id that the called function returns; 0: none. */
uint32_t probe_find_returned(const struct judge *j, const struct mod_inst *call);
/* The id was observed to have the wrong value `got`. From then on its registers, and those it was converted from,
 * have the value that was observed (of zeros of different signs either), so that one wrong result is one finding. */
void probe_rebind(struct judge *j, struct invocation *inv, uint32_t id, uint64_t got);
