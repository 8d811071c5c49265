/* gen/stats/drawn.h -- which combinations of an instruction with a type, a memory, a scope, an order or an operation cases
 * hold, of float atomics, AMD's group operations and max errors; for `gen --stats`. */
#pragma once

#include <stdio.h>

#include "base/ops.h"
#include "base/testcase.h"

enum {
    DRAWN_LEAST = 20, /* cases ... */
    DRAWN_OF = 20000, /* of so many that are to hold each combination */
    DRAWN_ATOMICS = 6,
    DRAWN_FORMS = 5,
    DRAWN_MEMORIES = 6,
    DRAWN_SCOPES = 6,
    DRAWN_ORDERS = 5,
    DRAWN_REDUCTIONS = 16,
    DRAWN_NUMBERS = 7,
    DRAWN_OPERATIONS = 3,
    DRAWN_SETS = 4,
    DRAWN_LANE_BITS = 5,
    DRAWN_OFFSETS = 16,
    DRAWN_FLOATS = 3,
    DRAWN_MOVES = 11
};
/* Combinations, a table after the other. */
enum {
    DRAWN_BY_MEMORY = 0, /* atomics, type, memory */
    DRAWN_BY_SCOPE =
        DRAWN_BY_MEMORY + DRAWN_ATOMICS * DRAWN_FORMS * DRAWN_MEMORIES, /* atomics, scope */
    DRAWN_BY_ORDER = DRAWN_BY_SCOPE + DRAWN_ATOMICS * DRAWN_SCOPES,     /* atomics, order */
    DRAWN_BY_OPERATION =
        DRAWN_BY_ORDER + DRAWN_ATOMICS * DRAWN_ORDERS, /* reductions, type, operation */
    DRAWN_OF_SET = DRAWN_BY_OPERATION + DRAWN_REDUCTIONS * DRAWN_NUMBERS *
                                            DRAWN_OPERATIONS, /* set, type, scalar or vector */
    DRAWN_BY_LANE =
        DRAWN_OF_SET + DRAWN_SETS * DRAWN_NUMBERS * 2,     /* and, or, xor, bit of the lane */
    DRAWN_BY_OFFSET = DRAWN_BY_LANE + 3 * DRAWN_LANE_BITS, /* lane of four, offset */
    DRAWN_BY_ERROR =
        DRAWN_BY_OFFSET + DRAWN_OFFSETS, /* decorated: row of ops.def, or what moves values; type */
    DRAWN_N = DRAWN_BY_ERROR + (OP_N + DRAWN_MOVES) * DRAWN_FLOATS
};
struct drawn_stats {
    uint64_t n_cases[ENV_N];
    uint64_t with[ENV_N][DRAWN_N];
};

/* Counts each combination that the case holds once. What a module that is illegal on purpose has is not counted, nor AMD's
 * instructions where it does not declare their extension. RES_NOMEM: `scratch` is full. */
MUST_USE enum res drawn_add(struct drawn_stats *s, const struct testcase *tc, struct arena *scratch,
                            struct err *e);
/* Is the combination a legal one in the environment? */
bool drawn_is_possible(enum env env, uint32_t at);
/* Of those: how many there are, and how many less than DRAWN_LEAST of DRAWN_OF cases hold. */
void drawn_count(const struct drawn_stats *s, enum env env, uint32_t *n_possible,
                 uint32_t *n_seldom);
/* A table: each combination that is possible or that some case holds. */
void drawn_write(const struct drawn_stats *s, FILE *f);
