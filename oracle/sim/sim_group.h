/* oracle/sim/sim_group.h -- executes group instructions of the simulated device: gathers the invocations that have
 * converged and runs them together. */
#pragma once

#include "oracle/interp/tangle.h"
#include "oracle/sim/sim_state.h"

/* Execute a group instruction for the invocations at a site of the work-group at `inv`, which has
 * n_inv, and write its results. 0: x.stop says why. */
int sim_run_site(struct sim *s, struct invocation *inv, uint32_t n_inv,
                 const struct tangle_site *site);
