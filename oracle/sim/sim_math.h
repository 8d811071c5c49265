/* oracle/sim/sim_math.h -- executes float instructions of the simulated device by its strategy, and lets planted
 * faults of arithmetic act on the results. */
#pragma once

#include "oracle/sim/sim_state.h"

/* Execute a float instruction, the planted fault acting if this is its site; `pick` decides between what
 * is permitted. 1; 0: x.stop or not one that is interpreted. */
int sim_run_math(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick);
/* The same of a decorated phi, load or call, whose result is in its register as it was propagated. */
int sim_propagate(struct sim *s, struct invocation *inv, const struct mod_inst *in, uint64_t pick);
/* Lets the planted faults act on what an instruction of PART_NUMBER gave. */
void sim_plant_number(struct exec *x, struct invocation *inv, const struct mod_inst *in);
