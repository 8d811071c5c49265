/* oracle/group/reduction_tree.h -- finds the least and the greatest result of all orders by dynamic programming
 * over subsets: rounding is monotonic, so that the extremes of a set come from the extremes of its parts. Costs
 * O(3^n). */
#pragma once

#include "base/format.h"
#include "oracle/num/arith.h"

enum {
    REDUCTION_MAX_TREE = 16 /* terms whose extremes over all trees are computed */
};

struct reduction_search {
    enum fmt_id fmt;
    int is_product; /* terms are magnitudes */
    enum rounding rounding;
    int may_flush, must_flush;
    unsigned n;                      /* 1..REDUCTION_MAX_TREE */
    double term[REDUCTION_MAX_TREE]; /* finite, not zero */
};
struct reduction_extremes {
    double lo, hi; /* lo > hi: no order gives a number */
    int may_be_nan;
};
/* 0: the arena is full. */
int reduction_find_extremes(const struct reduction_search *s, struct arena *a,
                            struct reduction_extremes *out);
