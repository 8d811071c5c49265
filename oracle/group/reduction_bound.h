/* oracle/group/reduction_bound.h -- counts terms by kind, and bounds their sum or product in any order in fixed
 * point: (n - 1) half ulps of the sum of magnitudes, with overflow and flushing. */
#pragma once

#include "oracle/group/reduction_terms.h"

/*
 * Terms by kind. A live one is finite, not zero and, in a product, not of magnitude one: the others
 * never round, and only a flush may change what stands next to them.
 */
struct reduction_view {
    const struct float_format *f;
    unsigned nan_flags; /* enum set_flags of the NaNs among the terms */
    uint32_t n_plus_inf, n_minus_inf, n_plus_zero, n_minus_zero, n_live;
    int negative;  /* the sign of a product */
    int unit;      /* live terms are multiples of 2^unit */
    int top;       /* and below 2^(top + 1) */
    int may_flush; /* the rules let something flush, and a result or operand may be subnormal */
};
void reduction_look(const struct reduction *r, struct reduction_view *out);
/* May the live terms above zero, or those below, sum up to an infinity; may those of a product
 * above one? */
int reduction_may_overflow(const struct reduction *r, const struct reduction_view *view,
                           int negative);
/* May a product of live terms below one become subnormal or zero? */
int reduction_may_vanish(const struct reduction *r, const struct reduction_view *view);
/* What the bound permits of the live terms, two at least. The sign of a zero at an end says
 * nothing; lo above hi: no order gives a finite number. */
struct reduction_hull {
    uint64_t lo, hi; /* encodings; of a product, magnitudes */
    int has_plus_inf, has_minus_inf, has_nan;
};
void reduction_bound(const struct reduction *r, const struct reduction_view *view,
                     struct reduction_hull *out);
