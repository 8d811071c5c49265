/* oracle/judge/feature_flow.h -- where instructions stand: in loops, on sides of branches, in functions. */
#pragma once

#include "oracle/judge/judge_state.h"

/* enum feature_flow of an instruction. */
uint8_t feature_get_flow(struct judge *j, const struct mod_inst *in);
