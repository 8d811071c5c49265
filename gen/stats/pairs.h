/* gen/stats/pairs.h -- how many cases hold which instruction on which type, for `gen --stats`. */
#pragma once

#include <stdio.h>

#include "base/ops.h"
#include "base/testcase.h"

enum {
    PAIR_TYPES = 8, /* bits of enum op_types */
    PAIR_SELDOM_PERCENT = 1
};
struct pair_stats {
    uint64_t n_cases[ENV_N];
    uint64_t with[ENV_N][OP_N][PAIR_TYPES]; /* row of base/ops.def, bit of its types */
};
/* Counts the case: each pair of an instruction and the type it works on once; a broken module has none. RES_NOMEM:
 * `scratch` is full. */
MUST_USE enum res pairs_add(struct pair_stats *s, const struct testcase *tc, struct arena *scratch,
                            struct err *e);
/* Of the pairs that gen/plan/math.def and number.def have in the environment: how many, and how many of these less than
 * PAIR_SELDOM_PERCENT of its cases hold. */
void pairs_count(const struct pair_stats *s, enum env env, uint32_t *n_possible,
                 uint32_t *n_seldom);
/* A table: each pair that is possible or that some case holds. */
void pairs_write(const struct pair_stats *s, FILE *f);
