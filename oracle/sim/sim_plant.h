/* oracle/sim/sim_plant.h -- lets the planted fault act on a group instruction of the simulated device where the
 * judge would notice it. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/sim/sim_take.h"

/* Let the planted fault act on the results if this is its site. false: x.stop. */
bool sim_plant(struct sim *s, const struct sim_part *p, uint64_t *results);
/* May the fault, one of decorations, act at this group instruction? */
bool sim_may_plant_decoration(const struct module *m, const struct mod_inst *in, enum fault_id id);
