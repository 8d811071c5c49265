/* oracle/group/reduction_tree.h -- finds the least and the greatest result of all orders by dynamic programming
 * over subsets: rounding is monotonic, so that the extremes of a set come from the extremes of its parts. Costs
 * O(3^n) for trees, O(n 2^n) for sequences. */
#pragma once

#include "base/format.h"
#include "oracle/num/arith.h"

enum {
    REDUCTION_MAX_SEQUENTIAL = 20 /* the extremes over all sequential orders */
};

struct reduction_search {
    enum fmt_id fmt;
    int is_product; /* terms are magnitudes */
    int is_sequential;
    enum rounding rounding;
    int may_flush, must_flush;
    unsigned n;                            /* 1..REDUCTION_MAX_SEQUENTIAL */
    double term[REDUCTION_MAX_SEQUENTIAL]; /* finite, not zero */
};
struct reduction_extremes {
    double lo, hi; /* lo > hi: no order gives a number */
    int may_be_nan;
};
/* 0: the arena is full. */
int reduction_find_extremes(const struct reduction_search *s, struct arena *a,
                            struct reduction_extremes *out);
