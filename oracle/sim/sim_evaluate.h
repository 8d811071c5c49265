/* oracle/sim/sim_evaluate.h -- what each gets of a group instruction of the simulated device. */
#pragma once

#include "oracle/group/group.h"
#include "oracle/sim/sim_state.h"

/* The results of a call by the chooser: [n * n_results]. 0: x.stop. */
int sim_evaluate(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                 uint64_t seed, uint64_t *out);
/* Rules of the call, if it is on floats. */
struct rules sim_get_rules(const struct sim *s, const struct mod_inst *in,
                           const struct group_call *c);
