/* oracle/reference/reference_op.h -- operations on numbers of REFERENCE_PREC_BITS bits. */
#pragma once

#include <gmp.h>
#include <mpfr.h>

#include "base/base.h"
#include "base/format.h"

enum {
    REFERENCE_LIMBS = 4,
    REFERENCE_MAX_ARGS = 32
};
/* A number that may be copied: sign, exponent and limbs as MPFR has them, without its pointer. */
struct reference_number {
    mpfr_sign_t sign;
    mpfr_exp_t exponent;
    mp_limb_t limb[REFERENCE_LIMBS];
};
struct reference_call {
    uint32_t op; /* OP_NUMBER */
    uint32_t n;
    struct reference_number arg[REFERENCE_MAX_ARGS];
};

void reference_set_float(struct reference_number *x, const struct float_format *f, uint64_t bits);
void reference_set_int(struct reference_number *x, uint64_t bits, unsigned n_bits, bool is_signed);
/* Does the instruction take all components of its operands, as a dot product? */
bool reference_takes_vectors(uint32_t op);
/* The result; false: no rule is here. */
bool reference_evaluate(const struct reference_call *call, struct reference_number *out);
/* Rounds to nearest even of the format. */
void reference_round(struct reference_number *x, const struct float_format *f);
double reference_to_double(const struct reference_number *x);
/* |got - x|, in ulps of the format at x, or as it is. Infinite where one of both is no finite number and the other is; 0 where both
 * are the same infinity or NaN. */
double reference_ulps(const struct reference_number *x, const struct float_format *f, uint64_t got);
double reference_distance(const struct reference_number *x, const struct float_format *f,
                          uint64_t got);
double reference_ulps_between(const struct reference_number *x, const struct reference_number *y,
                              const struct float_format *f);
