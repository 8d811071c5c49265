/* oracle/num/ulp.h -- computes the size of a unit in the last place at an exact value (Harrison's definition), and
 * which encodings lie within n of them. */
#pragma once

#include "oracle/num/arith.h"
#include "oracle/num/set.h"

/*
 * log2 of the ulp of an exact x with floor(log2 |x|) = exponent; is_power: |x| = 2^exponent.
 * Harrison's definition ("closest straddling pair"), capped at the finite exponents; OpenCL,
 * Vulkan and SPV_INTEL_fp_max_error share it. For x = 0 ask with exponent INT_MIN.
 */
int ulp_get_exponent(const struct float_format *f, int exponent, int is_power);

/* What ulp_add_quotient may add. */
struct ulp_quotient {
    uint64_t x, y;          /* finite, not zero */
    double bound_ulp;       /* > 0, finite */
    enum rounding rounding; /* decides what "correctly rounded" is at an overflow */
    int overflow_lax;       /* where the range passes the largest finite, that and infinity */
    enum flush flush_out;   /* by |x/y| < smallest normal + bound * smallest subnormal */
};
/*
 * Add to `out` every encoding within bound_ulp ulps of the exact x/y; both zeros where the range
 * reaches zero. Infinity where 2^(emax+1) is within the bound or it is the correct rounding. Where
 * a bound below 0.5 leaves no encoding, the correct roundings. Certified: each end is one directed
 * division of a numerator that is exact, or rounded outward at MP_MAX_PREC_BITS.
 */
void ulp_add_quotient(const struct ulp_quotient *quotient, struct set *out);

/* |got - of| in ulps of `of`, both finite encodings: for people. */
double ulp_get_distance(const struct float_format *f, uint64_t of, uint64_t got);
