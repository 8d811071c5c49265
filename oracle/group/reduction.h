/* oracle/group/reduction.h -- what a float sum or product over a group may be: some binary tree over some
 * order of its terms, each step rounded. Numerics 2, semantics B4. */
#pragma once

#include "oracle/num/arith.h"
#include "oracle/num/set.h"

enum {
    REDUCTION_MAX_TREE = 16,       /* terms whose extremes over all trees are computed */
    REDUCTION_MAX_QUICK = 8,       /* the same in microseconds: always computed */
    REDUCTION_MAX_SEQUENTIAL = 20, /* the extremes over all sequential orders */
    REDUCTION_MAX_USUAL = 64       /* values of the usual orders */
};

/* Terms of one result. Borrowed. */
struct reduction {
    enum fmt_id fmt;
    int is_product;
    uint32_t n;            /* terms; 0: the identity alone */
    const uint64_t *term;  /* [n] encodings, ascending by index */
    const uint32_t *index; /* [n] position in the group: trees leave gaps for who is not here */
    uint32_t size;         /* positions of the group, or of the cluster from index[0] on */
    struct fp_rules rules;
};

/* How the permitted set was found. */
enum reduction_proof {
    REDUCTION_EXACT,    /* every order gives this: a single value, or a class of NaN */
    REDUCTION_EXTREMES, /* from the smallest to the largest value of any tree */
    REDUCTION_BOUND     /* the proven bound of any order: the count "bounded" */
};

/* Values of the usual orders, computed once for all who share the terms. */
struct reduction_usual {
    uint32_t n;
    uint64_t value[REDUCTION_MAX_USUAL];
};
/*
 * Linear and reverse; pairwise of neighbours and of halves, with and without gaps for positions
 * that do not take part, which are butterflies too; aligned to the last position as in a scan by
 * doubling steps; aligned blocks added from either end; 4, 8 or 16 lanes first and then across, or
 * across and then the lanes; with operands or steps flushed as the rules may; rounded to nearest
 * and, where the rules allow either neighbour, toward zero. A start from an identity changes none
 * of them but the sign of zero: see reduction_is_zero_seed. No more than REDUCTION_MAX_USUAL.
 */
void reduction_get_usual(const struct reduction *r, struct reduction_usual *out);
int reduction_is_usual(const struct reduction_usual *u, enum fmt_id fmt, uint64_t got);

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
/* Hull of all sequential orders, in `out`: a subset of what is permitted. 0: too many terms, or the
 * arena is full. */
int reduction_sequential(const struct reduction *r, struct arena *a, struct set *out);
/* Is `got` no result of the terms alone, but the zero that an identity of the other sign among
 * them gives: +0 of a sum of -0, -0 where nobody takes part? CLAUSE_GROUP_ZERO_SEED. */
int reduction_is_zero_seed(const struct reduction *r, uint64_t got);
/* Is `got` what some method of the type's precision may give, each step rounded in either direction: exact
 * where every order is, else within the proven bound of all orders? */
int reduction_keeps_precision(const struct reduction *r, uint64_t got);
/* Is `got` a neighbour of the exact sum or product, as where the steps are computed wider than the
 * type and only the result is rounded? CLAUSE_GROUP_METHOD. */
int reduction_is_wider(const struct reduction *r, uint64_t got);
