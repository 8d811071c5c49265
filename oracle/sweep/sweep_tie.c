/* oracle/sweep/sweep_tie.c -- sums and products that are exactly half way between two numbers of the format:
 * often so, and no slack can tell them from others. */
#include "oracle/sweep/evaluator_parts.h"
#include "oracle/sweep/evaluator_two.h"
#include "oracle/sweep/sweep_parts.h"

/*
 * The error in ulps, 1/2 or -1/2, where got is the even neighbour of a value that is certainly exact and
 * half way; else 0. With the ulp 2^(e - p + 1) of the value's binade: got and the value are within a
 * factor of two, so their difference is exact; a value that is no power of two, half an ulp from a
 * number, is half way. Neighbours below the smallest normal number are left to MPFR.
 */
double sweep_get_tie(const struct filter *f, enum func_id func, const double *arg, double value,
                     double got, uint64_t got_enc)
{
    double const a = magnitude_of(value), difference = got - value;
    if (!f->may_tie || (got_enc & 1) != 0 || !(a > f->min_normal) || !(a < f->overflow) ||
        !(magnitude_of(got) < f->overflow) || (bits_of(a) << 12) == 0) {
        return 0;
    }
    double const e = difference * double_of((f->inverse_field - (bits_of(a) >> 52)) << 52);
    if (magnitude_of(e) < 0.5 || magnitude_of(e) > 0.5 ||
        !evaluator_two_is_whole(func, arg[0], arg[1], value)) {
        return 0;
    }
    return e;
}
