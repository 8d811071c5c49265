/* fuzz/pool/front_end.h -- cases that are source text, compiled to a module before a target is given them. */
#pragma once

#include "fuzz/process/child.h"
#include "fuzz/targets/targets.h"

/*
 * The case as the target runs it: of one with a front end, the module that glslang makes of tc's text, with its entry
 * point; of any other the case itself. *is_built false: glslang refused the text, or died of it, and *ob says how.
 * RES_IO: it does not start.
 */
MUST_USE enum res front_end_build(const struct target *t, const struct testcase *tc,
                                  struct arena *a, struct testcase *out, struct observation *ob,
                                  bool *is_built, struct err *e);
/* A case on a simulated target: sim_run, behind the target's front end if it has one. */
MUST_USE enum res front_end_run_sim(const struct target *t, const struct testcase *tc,
                                    uint64_t seed, const char *facts, struct arena *a,
                                    struct observation *ob, struct err *e);
