/* oracle/value/terms.h -- bounds the error of any evaluation of a real expression. The expression is a sum of
 * products in intervals of MPFR; the bound grows by one rounding for each addition and multiplication that any
 * order may need. */
#pragma once

#include "oracle/num/mp.h"
#include "oracle/num/set.h"

/*
 * The expression multiplied out, x (y + z) as x y + x z, over operands that lie in intervals. Every
 * equal expression, however it is factored and whatever the order of its steps, is a sum of the same
 * products. In each evaluation a product undergoes at most n_terms - 1 additions and degree - 1
 * multiplications, so that with u the relative error of one rounding the result is within
 *     sum * ((1 + u)^(n_terms + degree - 2) * growth - 1)
 * of the exact value, and where steps may lose a subnormal, n_steps times the smallest normal times
 * `reach` farther. Numbers are rounded up but for `exact`, which is an interval.
 */
struct terms {
    struct mp_num exact[2]; /* low and high end of the exact value */
    struct mp_num sum;      /* of the magnitudes of the products */
    struct mp_num reach;    /* the same with each factor below 1 taken for 1: no step is larger */
    struct mp_num growth;   /* of errors of what is no sum or product: divisors, conversions */
    uint64_t n_terms, degree, n_steps;
    enum fmt_id coarsest; /* format on the way whose roundings are largest */
    enum fmt_id shortest; /* format on the way whose range is shortest */
};

/* One operand of format s->fmt, a finite number between the smallest and the largest member of s. false: s
 * holds a NaN or an infinity, or anything, or nothing. */
bool terms_of_set(struct terms *out, const struct set *s);
void terms_copy(struct terms *out, const struct terms *from);
/* x + y, x y, -x, in place. false: too many terms. */
bool terms_add(struct terms *x, const struct terms *y);
bool terms_multiply(struct terms *x, const struct terms *y);
void terms_negate(struct terms *x);
/* x / y, each division within bound_ulp of its quotient, or by way of the reciprocal. false: y may be
 * zero, or so near to it that flushing makes it zero. */
bool terms_divide(struct terms *x, const struct terms *y, double bound_ulp);
/* x in format fmt, rounded once more on the way. */
void terms_convert(struct terms *x, enum fmt_id fmt);
/* Where every evaluation that keeps within range lies, outward, as encodings of fmt. may_flush:
 * subnormals may be lost at any step. false: a step may overflow on the way. */
bool terms_enclose(const struct terms *x, enum fmt_id fmt, bool may_flush, struct set *out);
