/* oracle/num/mp.h -- the only interface to MPFR, which owns its exponent range, flags and caches. */
#pragma once

#include <gmp.h>
#include <mpfr.h>

#include "base/format.h"
#include "oracle/num/arith.h"
#include "oracle/num/real.h"

enum {
    MP_MAX_PREC_BITS = 512,    /* of functions */
    MP_WIDE_PREC_BITS = 16384, /* of sums and products: the exponents of f64 are 2098 apart */
    MP_LIMB_BITS = 64,
    MP_LIMBS = MP_WIDE_PREC_BITS / MP_LIMB_BITS
};

/* A number of fixed precision that lives where it is declared: no allocation, no clear, and it
 * must not be copied or moved. Between calls of this file MPFR's exponent range is its default. */
struct mp_num {
    mpfr_t v;
    mp_limb_t limbs[MP_LIMBS];
};
/* NaN of prec_bits <= MP_WIDE_PREC_BITS. */
void mp_init(struct mp_num *x, unsigned prec_bits);
/* The value of an encoding, exactly, by integers; prec_bits must hold it. A NaN's payload and a
 * NaN's sign are lost. */
void mp_set_enc(struct mp_num *x, const struct float_format *f, uint64_t enc);
/* A number of MP_LIMB_BITS, and the value of a double. */
void mp_init_double(struct mp_num *x, double value);

/*
 * The encoding of a result that was computed at precision f->prec_bits with direction `mode` and
 * gave `ternary`, in f with its subnormals and overflow: one rounding in all (mpfr_check_range and
 * mpfr_subnormalize). Changes x. NaN gives the default quiet NaN.
 */
uint64_t mp_finish(const struct float_format *f, struct mp_num *x, int ternary,
                   enum real_mode mode);
mpfr_rnd_t mp_direction(enum real_mode mode);
/* The encoding of x rounded once to f. */
uint64_t mp_round(const struct float_format *f, mpfr_srcptr x, enum real_mode mode);

/* op on encodings (2, FMA 3), correctly rounded to f; signs of zeros, infinities and NaN as in
 * IEEE 754. */
uint64_t mp_apply(enum arith_op op, const struct float_format *f, const uint64_t *args,
                  enum real_mode mode);
/* Is the exact result nonzero and below the smallest normal? */
int mp_is_tiny(enum arith_op op, const struct float_format *f, const uint64_t *args);

/* Of the library that is loaded, "4.2.0". */
const char *mp_get_version(void);

/* Give back what MPFR keeps between calls; for the end of a process under a leak check. */
void mp_release(void);
