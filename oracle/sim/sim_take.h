/* oracle/sim/sim_take.h -- reads the operands of one group instruction from the registers of the invocations that
 * execute it. */
#pragma once

#include "oracle/group/group.h"
#include "oracle/sim/sim_state.h"

/* Operands of n invocations of one instruction, in the arena. 0: x.stop. */
int sim_take_call(struct sim *s, const struct mod_inst *in, struct invocation *const *who,
                  uint32_t n, struct group_call *out);

/* One part that executes an instruction, and who else is in its work-group. */
struct sim_part {
    const struct mod_inst *in;
    struct invocation **who; /* [call.n] */
    struct invocation *inv;  /* [n_inv] of the work-group */
    uint32_t n_inv;
    struct group_call call;
    uint64_t seed; /* of its choices */
};
