/* fuzz/targets/targets_sim.h -- simulated targets by their names: strategy, environment, and what is wrong. */
#pragma once

#include "fuzz/targets/targets.h"

/* A fault and where it is, of "SUM_OFF_ULP:AtomicFAddEXT:f32:workgroup": a row of faults.def or hard_fault.def, then up to
 * three words, of which "*" stands for any. It acts everywhere there. Behind a "+" another one follows, in the arena.
 * RES_USAGE says which word is none. */
MUST_USE enum res targets_read_plan(const char *text, struct fault_plan *out, struct arena *a,
                                    struct err *e);
/* The simulated target of a name that begins with "sim-". RES_USAGE says what the name should be. */
MUST_USE enum res targets_make_sim(const char *name, struct target *t, struct arena *a,
                                   struct err *e);
