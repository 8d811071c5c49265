/* oracle/sweep/sweep_bound.h -- makes the filter of a form from its bound and rules, and judges one value by it in
 * double, without branches so that loops are vectorized. */
#pragma once

#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/sweep_state.h"

/* A bound that no error passes: a double over the smallest ulp is below it. */
#define SWEEP_UNBOUNDED 0x1p900
/* What is the same for every value. */
struct filter {
    double slack, low_factor, high_factor; /* of the value */
    double margin_ulp;                     /* the slack in ulps, at most */
    double ok_ulp, broken_ulp;             /* |error| up to this is permitted; above this is not */
    double absolute;                       /* or -1 */
    double overflow;                       /* magnitudes from here on round to infinity */
    double min_normal;
    double must_flush;                 /* magnitudes below have to be flushed */
    double max_flush;                  /* magnitudes below may be */
    uint64_t min_field, inverse_field; /* exponent fields of a double */
    uint64_t max_field;                /* of values of the piece */
    uint64_t overflow_enc;             /* encoding of overflow - 1 */
    double tie_limit;     /* of an error that is decided whichever binade the value is in */
    int is_quick;         /* judge_quickly may see it; then is_plain: */
    int is_plain;         /* what it says is broken is: a bound in ulps and nothing else */
    uint64_t crossing;    /* nonzero: all but exact results are in doubt */
    uint64_t no_overflow; /* nonzero: infinities are in doubt */
    int may_tie;          /* the even neighbour of a midpoint is permitted */
};

/* The filter of a form; slack is that of the evaluator. */
struct filter sweep_make_filter(const struct sweep *s, uint32_t form, double slack,
                                int may_flush_inputs);

/* Codes of judged results: a bin of the histogram, SWEEP_BROKEN added outside the bound, or: */
enum {
    SWEEP_BROKEN = 64,
    SWEEP_RIGHT = 128,     /* a special value, and the right one */
    SWEEP_FLUSHED = 129,   /* zero for a subnormal result, as is permitted */
    SWEEP_EVEN = 130,      /* the even neighbour of an exact midpoint */
    SWEEP_UNDECIDED = 256, /* MPFR has to say */
    SWEEP_CODES = 257
};

/* Rounding of an error in double: far more than the few operations that compute it. */
#define ERROR_NOISE 0x1p-48

/* Returns the code (SWEEP_...) of one result, `got`, compared with the evaluator's value, and in
 * *error its error in ulps (0 where it is no number). The ulp is that of the binade of the value
 * less the slack. Where the value plus the slack reaches the next binade, only a very small error
 * is decided here. Written without branches, so that compilers vectorize it. */
EVALUATOR_INLINE int64_t judge_value(const struct filter *f, double value, double got,
                                     double *error)
{
    double const value_size = magnitude_of(value), got_size = magnitude_of(got);
    double const low = value_size * f->low_factor, high = value_size * f->high_factor;
    uint64_t const low_bits = bits_of(low) >> 52, high_bits = bits_of(high) >> 52;
    uint64_t const field = low_bits > f->min_field ? low_bits : f->min_field;
    uint64_t const below_max = high_bits < f->max_field ? high_bits : f->max_field;
    uint64_t const high_field = below_max > f->min_field ? below_max : f->min_field;
    double const inverse_ulp = double_of((f->inverse_field - field) << 52);
    double const difference = got - value;
    double const e = difference * inverse_ulp;
    double const error_size = magnitude_of(e), distance = magnitude_of(difference);
    double const margin = error_size * ERROR_NOISE + f->margin_ulp;
    double const least = error_size - margin, most = error_size + margin;

    int const is_crossing = ((high_field ^ field) | f->crossing) != 0;
    int const is_number = (value_size > 0) & (high < f->overflow) & (got_size < f->overflow);
    int const is_zero = got_size <= 0;
    int const same_sign = (int64_t)(bits_of(value) ^ bits_of(got)) >= 0;
    double const nearest = distance * (1 - ERROR_NOISE) - value_size * f->slack;
    double const farthest = distance * (1 + ERROR_NOISE) + value_size * f->slack;
    int const is_ok = (most <= f->ok_ulp) | (farthest <= f->absolute);
    int const is_broken = (least > f->broken_ulp) & (nearest > f->absolute);
    int const is_unsure = ((most >= 0.5) & (least <= 0.5)) | (is_crossing & (most >= 0x1p-6)) |
                          !(is_ok | is_broken) | (value_size < f->must_flush) |
                          ((got_size < f->must_flush) & (got_size > 0));
    int const is_lost = is_zero & ((most >= 1) | !same_sign | is_broken);
    int const is_flushed = is_lost & (least >= 1) & (high < f->max_flush) & !is_crossing;

    int64_t const unclamped_bin =
        (int64_t)(bits_of(error_size) - SWEEP_FIRST_BIN) >> SWEEP_BIN_SHIFT;
    int64_t const nonnegative_bin = unclamped_bin > 0 ? unclamped_bin : 0;
    int64_t const bin = nonnegative_bin < SWEEP_BINS ? nonnegative_bin : SWEEP_BINS - 1;
    int64_t const plain = bin + (is_broken ? SWEEP_BROKEN : 0);
    int64_t const number =
        (is_lost | is_unsure) ? (is_flushed ? SWEEP_FLUSHED : SWEEP_UNDECIDED) : plain;

    int const is_nan = !(value_size >= 0) & !(got_size >= 0);
    int const is_huge =
        (low >= f->overflow) & (got_size > 0x1p1010) & same_sign & (f->no_overflow == 0);
    int const is_exact_zero = (value_size <= 0) & is_zero & same_sign;
    int64_t const special =
        is_exact_zero ? 0 : ((is_nan | is_huge) ? SWEEP_RIGHT : SWEEP_UNDECIDED);
    int64_t const code = is_number ? number : special;
    *error = (is_number & (code < SWEEP_RIGHT)) ? e : 0;
    return code;
}

/* Does the same as judge_value with fewer operations, which is enough for most results: zeros and
 * all that is not a number stay undecided (SWEEP_UNDECIDED). A result called broken is above the
 * bound in ulps; an absolute bound or a rule may still permit it. */
EVALUATOR_INLINE int64_t judge_quickly(const struct filter *f, double value, double got,
                                       double *error)
{
    double const value_size = magnitude_of(value);
    uint64_t const got_size = bits_of(got) & ~((uint64_t)1 << 63);
    uint64_t const low = bits_of(value_size * f->low_factor),
                   high = bits_of(value_size * f->high_factor);
    uint64_t const field = low >> 52 > f->min_field ? low >> 52 : f->min_field;
    uint64_t const below_max = high >> 52 < f->max_field ? high >> 52 : f->max_field;
    uint64_t const high_field = below_max > f->min_field ? below_max : f->min_field;
    double const e = (got - value) * double_of((f->inverse_field - field) << 52);
    double const error_size = magnitude_of(e);
    double const margin = error_size * ERROR_NOISE + f->margin_ulp;
    double const from_half = magnitude_of(error_size - 0.5),
                 from_bound = magnitude_of(error_size - f->ok_ulp);
    double const nearest = from_half < from_bound ? from_half : from_bound;

    int64_t const unclamped_bin =
        (int64_t)(bits_of(error_size) - SWEEP_FIRST_BIN) >> SWEEP_BIN_SHIFT;
    int64_t const nonnegative_bin = unclamped_bin > 0 ? unclamped_bin : 0;
    int64_t const bin = nonnegative_bin < SWEEP_BINS ? nonnegative_bin : SWEEP_BINS - 1;
    int64_t const plain = error_size > f->ok_ulp ? bin + SWEEP_BROKEN : bin;
    /* for a very small error the slack counts the same in either binade */
    double const limit = field == high_field ? 0x1p1000 : f->tie_limit;
    int64_t const sure = nearest > margin ? plain : SWEEP_UNDECIDED;
    int64_t const whole = error_size < limit ? sure : SWEEP_UNDECIDED;
    /* zero wraps around to the largest integer: out of range like infinities and NaNs */
    uint64_t const value_or_got = high - 1 > got_size - 1 ? high - 1 : got_size - 1;
    int64_t const code = value_or_got < f->overflow_enc ? whole : SWEEP_UNDECIDED;
    *error = code < SWEEP_RIGHT ? e : 0;
    return code;
}
