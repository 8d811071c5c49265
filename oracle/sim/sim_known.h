/* oracle/sim/sim_known.h -- decides whether the judge can know the operands at a fault's site, so that the fault
 * must be found. */
#pragma once

#include "oracle/sim/sim_state.h"

/* Is what a decorated phi, load, call or selection propagates known to the judge, and not a set that would hold what
 * a fault makes of it? */
bool sim_propagates_known(const struct sim *s, const struct mod_inst *in);
/* Is an operand of the instruction, or what that is made of, undefined by the text, as what a function without a
 * bound gives? The judge binds such a value to no observation, as each use may see another: it then permits
 * anything. False also where the walk over what computes the operands has become long. */
bool sim_rests_on_undefined(struct sim *s, const struct invocation *inv, const struct mod_inst *in);
