/* oracle/sim/sim_facts.h -- makes the facts (capabilities) that a simulated device reports. */
#pragma once

#include "base/testcase.h"

/* Facts of a device that supports everything its environment offers; seed varies what may vary. Its
 * sub-groups have at least 4 lanes. */
const char *sim_facts(enum env env, uint64_t seed, struct arena *a);
/* The same for one case: sub-groups of 1 or 2 too where the case has no clusters. */
const char *sim_facts_for(const struct testcase *tc, uint64_t seed, struct arena *a);
