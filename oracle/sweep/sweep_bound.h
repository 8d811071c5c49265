/* oracle/sweep/sweep_bound.h -- what a form's bound and its rules make of the filter. */
#pragma once

#include "oracle/sweep/sweep_state.h"

/* A bound that no error passes: a double over the smallest ulp is below it. */
#define SWEEP_UNBOUNDED 0x1p900
/* What is the same for every lane. */
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
