/* fuzz/targets/targets_sim.h -- simulated targets by their names: chooser, environment, and what is wrong. */
#pragma once

#include "fuzz/targets/targets.h"

/* The simulated target of a name that begins with "sim-". RES_USAGE says what the name should be. */
MUST_USE enum res targets_make_sim(const char *name, struct target *t, struct arena *a,
                                   struct err *e);
