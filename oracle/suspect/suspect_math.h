/* oracle/suspect/suspect_math.h -- float instructions of a device that is taken to have a fault. */
#pragma once

#include "oracle/suspect/suspect.h"
#include "oracle/value/value.h"

/* Widens each component of what a float instruction may give (of value_apply) by what the fault makes of it,
 * where its operands are known. The registers of inv still hold these. */
void suspect_math(const struct suspicion *s, struct exec *x, const struct ruleset *rs,
                  struct invocation *inv, const struct mod_inst *in, struct value_result *r);
