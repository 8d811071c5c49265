/* gen/stats/stats.h -- counts over many random cases how often they have which shape and instruction, and writes
 * tables of it. */
#pragma once

#include <stdio.h>

#include "gen/case/gen.h"
#include "gen/shape/shape.h"

enum {
    STATS_ANY_ENV = -1,
    STATS_MAX_BOUNDS = 64
};

/* Counted over cases; memory comes from the arena that stats_init was given. */
struct stats {
    uint64_t n_cases, n_distinct;
    uint64_t n_wide; /* of these, at least 2 work-groups and 64 items */
    uint64_t n_by_env[ENV_N];
    uint64_t n_items; /* sum */
    uint64_t with_shape[SHAPE_N];
    uint64_t with_kind[ATOMIC_KIND_N];
    uint64_t with_pair[SHAPE_N][ATOMIC_KIND_N];
    uint64_t with_group_shape[GROUP_SHAPE_N];
    uint64_t with_math_shape[MATH_SHAPE_N];
    uint64_t with_row[OP_N];      /* of group instructions */
    uint64_t with_math_row[OP_N]; /* of mathematical ones */
    uint64_t with_bound[STATS_MAX_BOUNDS];
    uint64_t n_math, n_decorated;  /* mathematical instructions; of these, with a max error */
    uint64_t n_instructions;       /* within functions, sum */
    uint64_t n_to_integer;         /* conversions of floats to integers */
    uint64_t n_groups, n_partial;  /* group operations; of these, where some may be absent */
    uint64_t n_sums, n_exact_sums; /* float sums and products; those the same in any order */
    uint64_t by_length[4096]; /* cases by instructions within functions; the last: that and more */
    uint64_t *hashes;         /* of the modules seen: open addressing, 0 is free */
    uint64_t n_slots;
};

/* n_most: how many cases there will be. RES_NOMEM: the arena is full. */
MUST_USE enum res stats_init(struct stats *s, uint64_t n_most, struct arena *a, struct err *e);
void stats_add(struct stats *s, const struct testcase *tc, const struct gen_info *info);
uint64_t stats_get_median_length(const struct stats *s);
/* n_with as a share, in percent, of the cases of those environments where the row is possible. */
double stats_get_percent(const struct stats *s, const struct shape_row *row, uint64_t n_with);
/* Group instructions that no case had, of those in the environments seen. */
uint64_t stats_count_missing_rows(const struct stats *s);
/* The same of mathematical instructions, and bounds of decorations that no case had. */
uint64_t stats_count_missing_math(const struct stats *s);
uint64_t stats_count_missing_bounds(const struct stats *s);
/* Pairs (shape, kind of atomic) that no case had, of those possible in the environments seen. */
uint64_t stats_count_missing_pairs(const struct stats *s);

struct stats_of {
    enum profile profile;
    int env_or_any; /* an environment, or both alternately (STATS_ANY_ENV) */
    uint64_t n, seed;
    const struct needs *allowed; /* that the cases may have; NULL: all */
};
/* Describe n random cases as tables. */
MUST_USE enum res gen_write_stats(const struct stats_of *of, FILE *f, struct err *e);
