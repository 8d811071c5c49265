/* oracle/sim/sim_hard.h -- collects what the conditions of a hard fault are about at a site of the simulated
 * device, and checks them. */
#pragma once

#include "oracle/fault/faults_atomic.h"
#include "oracle/fault/faults_group.h"
#include "oracle/fault/faults_site.h"
#include "oracle/sim/sim_take.h"

/* Do the conditions of the plan hold at this site? Always where it has none. */
int sim_hard_atomic(const struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                    const struct fault_site *site, uint64_t result);
int sim_hard_group(const struct sim *s, const struct sim_part *p,
                   const struct fault_group_site *site);
int sim_hard_math(const struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                  const struct fault_math_site *site);
