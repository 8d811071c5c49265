/* fuzz/targets/switches.h -- a target with a part of its driver's compiler turned off (switches.def): whether a bug
 * is still there tells in which part it sits. */
#pragma once

#include "fuzz/targets/targets.h"

/* A case on a target with one switch. */
struct switched {
    struct target target;
    struct testcase tc;
    const char *word; /* as a user would write it: "ACO_DEBUG=noopt", "-cl-opt-disable" */
};
/*
 * The case with switch i of the target whose facts these are. Strings in `a`, and those of t and tc shared.
 * 1: made; 0: not for this driver or environment, or it is set already, or there is no room; -1: there is no
 * switch i, nor any behind it.
 */
int switches_make(uint32_t i, const char *facts, const struct target *t, const struct testcase *tc,
                  struct arena *a, struct switched *out);
