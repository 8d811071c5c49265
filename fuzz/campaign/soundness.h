/* fuzz/campaign/soundness.h -- do cases have defined behaviour? Seen by an interpreter that runs them, and
 * not by the generator that made them so. */
#pragma once

#include <stdio.h>

#include "base/testcase.h"
#include "oracle/tables/tables.h"

struct soundness {
    uint64_t n_cases;
    uint64_t n_undefined[UNDEFINED_N]; /* cases; [UNDEFINED_NONE]: those with defined behaviour */
    uint64_t n_unknown;                /* of these, not followed to their end */
    uint64_t n_conversions, n_out_of_range; /* floats to integers, and of them out of range */
    bool has_first;                         /* the first case without defined behaviour */
    uint64_t first;                         /* its index */
    enum env first_env;
};

/* Adds a case, which is number `index`: runs it honestly in the process with a simulated device's facts, and
 * judges it. */
MUST_USE enum res soundness_add(struct soundness *s, const struct testcase *tc, uint64_t index,
                                struct arena *a, struct err *e);
/* A line per kind, also of those that no case has. */
void soundness_write(const struct soundness *s, FILE *f);
