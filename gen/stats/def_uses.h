/* gen/stats/def_uses.h -- how many cases hold which def-use pair of gen/piece/def_use.def on which type, and which instruction
 * with a constant as which operand; for `gen --stats`. */
#pragma once

#include <stdio.h>

#include "base/ops.h"
#include "base/testcase.h"
#include "gen/piece/def_use_rows.h"

enum {
    DEF_USE_TYPES = 8,  /* bits of enum op_types */
    DEF_USE_SIDES = 2,  /* the first operand, the second */
    DEF_USE_LEAST = 20, /* cases ... */
    DEF_USE_OF = 20000  /* of so many that are to hold each pair */
};
/* What one case holds, or how many cases hold it. */
struct def_use_counts {
    uint64_t row[DEF_USE_N];
    uint64_t pair[DEF_USE_N][DEF_USE_TYPES];
    uint64_t constant[OP_N][DEF_USE_SIDES][DEF_USE_TYPES]; /* row of base/ops.def */
};
struct def_use_stats {
    uint64_t n_cases[ENV_N];
    struct def_use_counts with[ENV_N];
};
/* Counts the case: each pair once. RES_NOMEM: `scratch` is full. */
MUST_USE enum res def_uses_add(struct def_use_stats *s, const struct testcase *tc,
                               struct arena *scratch, struct err *e);
/* Is it an instruction on two integers or two floats, on that type in the environment? */
bool def_uses_takes_constant(enum env env, enum op_id op, int type);
/* Of the pairs with their types that are possible in the environment: how many, and how many of these less than DEF_USE_LEAST
 * of DEF_USE_OF cases hold. */
void def_uses_count(const struct def_use_stats *s, enum env env, uint32_t *n_possible,
                    uint32_t *n_seldom);
/* A table: each pair that is possible. */
void def_uses_write(const struct def_use_stats *s, FILE *f);
