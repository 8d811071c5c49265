/* oracle/group/reduction_parts.h -- what the files of the reduction share. */
#pragma once

#include "oracle/group/reduction.h"

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

/* sig * 2^exp of a finite encoding, sig below 2^p. */
struct reduction_part {
    uint64_t sig;
    int exp;
};
static inline struct reduction_part reduction_split(const struct float_format *f, uint64_t enc)
{
    uint64_t const magnitude = enc & (f->exp | f->frac);
    int const field = (int)(magnitude >> (f->prec_bits - 1));
    uint64_t const hidden = field != 0 ? f->frac + 1 : 0;
    int const lowest = f->emin - (int)f->prec_bits + 1;
    return (struct reduction_part){(magnitude & f->frac) | hidden,
                                   lowest + (field != 0 ? field - 1 : 0)};
}
static inline int reduction_is_live(const struct reduction *r, const struct float_format *f,
                                    uint64_t enc)
{
    uint64_t const magnitude = enc & ~f->sign, one = (f->exp >> 1) & f->exp;
    return magnitude != 0 && magnitude < f->exp && !(r->is_product && magnitude == one);
}

/* --- reduction_tree.c: all orders, by dynamic programming over subsets --- */

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

/* --- reduction_bound.c: numerics 2 --- */

/* May the live terms above zero, or those below, sum up to an infinity; may those of a product
 * above one? */
int reduction_may_overflow(const struct reduction *r, const struct reduction_view *v, int negative);
/* May a product of live terms below one become subnormal or zero? */
int reduction_may_vanish(const struct reduction *r, const struct reduction_view *v);
/* What the bound permits of the live terms, two at least. The sign of a zero at an end says
 * nothing; lo above hi: no order gives a finite number. */
struct reduction_hull {
    uint64_t lo, hi; /* encodings; of a product, magnitudes */
    int has_plus_inf, has_minus_inf, has_nan;
};
void reduction_bound(const struct reduction *r, const struct reduction_view *v,
                     struct reduction_hull *out);
