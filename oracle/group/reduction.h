/* oracle/group/reduction.h -- computes the permitted results of a float sum or product over a group: those of any
 * binary tree over any order of its terms, each step rounded. Exact where no order rounds, else the extremes of
 * all trees for few terms, else a proven bound (Rump 2012). */
#pragma once

#include "oracle/group/reduction_terms.h"
#include "oracle/group/reduction_tree.h"
#include "oracle/num/set.h"

enum {
    REDUCTION_MAX_QUICK = 8 /* terms whose extremes take microseconds and are always computed */
};

/* How the permitted set was found. */
enum reduction_proof {
    REDUCTION_EXACT,    /* every order gives this: a single value, or a class of NaN */
    REDUCTION_EXTREMES, /* from the smallest to the largest value of any tree */
    REDUCTION_BOUND     /* the proven bound of any order: the count "bounded" */
};

/* Does every order give the same (a sum of multiples of one unit that fits, a product whose odd
 * parts fit, one term, two that are rounded in one way, or infinities and NaNs that decide)? Then
 * *out is it, with zero signs as rules: where they leave the sign free, both zeros. */
int reduction_is_exact(const struct reduction *r, struct set *out);
/*
 * The permitted set over all orders and trees of the terms alone, with identities as leaves only
 * as far as a value next to one may be flushed. Zeros and, in a product, ones do not count as terms
 * in what follows. may_search: extremes may be computed for up to REDUCTION_MAX_TREE terms (costs
 * up to 50 ms), else the bound is taken where the sum is not exact and there are more than
 * REDUCTION_MAX_QUICK. Also the bound where the arena is full.
 */
enum reduction_proof reduction_permitted(const struct reduction *r, int may_search, struct arena *a,
                                         struct set *out);
/* Is `got` no result of the terms alone, but the zero that an identity of the other sign among
 * them gives: +0 of a sum of -0, -0 where nobody takes part? CLAUSE_GROUP_ZERO_SEED. */
int reduction_is_zero_seed(const struct reduction *r, uint64_t got);
/* Is `got` what some method of the type's precision may give, each step rounded in either direction: exact
 * where every order is, else within the proven bound of all orders? */
int reduction_keeps_precision(const struct reduction *r, uint64_t got);
/* Is `got` a neighbour of the exact sum or product, as where the steps are computed wider than the
 * type and only the result is rounded? CLAUSE_GROUP_METHOD. */
int reduction_is_wider(const struct reduction *r, uint64_t got);
