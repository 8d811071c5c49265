/* oracle/num/mp.c -- the door to MPFR: sole owner of its exponent range, flags and caches. */
#include "oracle/num/mp.h"

#include <assert.h>
#include <string.h>

_Static_assert(GMP_NUMB_BITS == MP_LIMB_BITS, "encodings are placed in one 64-bit limb");
_Static_assert(sizeof(mp_limb_t) == sizeof(uint64_t), "encodings are placed in one 64-bit limb");

void mp_init(struct mp_num *x, unsigned prec_bits)
{
    assert(prec_bits >= 1 && prec_bits <= MP_WIDE_PREC_BITS);
    mpfr_custom_init(x->limbs, (mpfr_prec_t)prec_bits);
    mpfr_custom_init_set(x->v, MPFR_NAN_KIND, 0, (mpfr_prec_t)prec_bits, x->limbs);
}

/* Gives x the value of the encoding enc by writing the limbs of MPFR's number, least significant
 * first: the last limb holds the 64 bits of the significand, all others are zero. Zeros,
 * infinities and NaNs have a kind and no digits. */
void mp_set_enc(struct mp_num *x, const struct float_format *f, uint64_t enc)
{
    int const sign = (enc & f->sign) != 0 ? -1 : 1;
    mpfr_prec_t const prec = mpfr_get_prec(x->v);
    size_t const n_limbs = ((size_t)prec + MP_LIMB_BITS - 1) / MP_LIMB_BITS;
    int kind = MPFR_NAN_KIND;
    mpfr_exp_t exp = 0;
    switch (format_classify(f, enc)) {
    case FP_CLASS_ZERO:
        kind = MPFR_ZERO_KIND;
        break;
    case FP_CLASS_SUBNORMAL:
    case FP_CLASS_NORMAL: {
        struct real const r = real_of(f, enc);
        for (size_t i = 0; i + 1 < n_limbs; i++) {
            x->limbs[i] = 0;
        }
        x->limbs[n_limbs - 1] = r.sig;
        assert(prec >= 64 || r.sig << prec == 0); /* the value must fit */
        kind = MPFR_REGULAR_KIND;
        exp = r.exp + 64; /* r is sig * 2^exp, of MPFR 0.sig * 2^exp */
        break;
    }
    case FP_CLASS_INF:
        kind = MPFR_INF_KIND;
        break;
    case FP_CLASS_QNAN:
    case FP_CLASS_SNAN:
        break;
    }
    mpfr_custom_init_set(x->v, sign * kind, exp, prec, x->limbs);
}

void mp_init_double(struct mp_num *x, double value)
{
    uint64_t enc;
    memcpy(&enc, &value, sizeof(enc));
    mp_init(x, MP_LIMB_BITS);
    mp_set_enc(x, &float_formats[FMT_F64], enc);
}

/* The encoding of x, which is a value of f. */
static uint64_t get_enc(const struct float_format *f, const struct mp_num *x)
{
    if (mpfr_nan_p(x->v)) {
        return f->exp | f->quiet;
    }
    uint64_t const sign = mpfr_signbit(x->v) ? f->sign : 0;
    if (mpfr_inf_p(x->v)) {
        return sign | f->exp;
    }
    if (mpfr_zero_p(x->v)) {
        return sign;
    }
    int const exponent = (int)mpfr_get_exp(x->v) - 1; /* floor(log2) */
    int const scale = exponent > f->emin ? exponent : f->emin;
    unsigned const shift = (unsigned)(scale - (int)f->prec_bits + 1 - (exponent - 63));
    assert(shift < 64 && exponent <= f->emax);
    uint64_t const kept = x->limbs[0] >> shift; /* prec <= 53: one limb */
    return sign | (((uint64_t)(scale - f->emin) << (f->prec_bits - 1)) + kept);
}

mpfr_rnd_t mp_direction(enum real_mode mode)
{
    static const mpfr_rnd_t directions[] = {[REAL_NEAREST] = MPFR_RNDN,
                                            [REAL_ZERO] = MPFR_RNDZ,
                                            [REAL_DOWN] = MPFR_RNDD,
                                            [REAL_UP] = MPFR_RNDU};
    return directions[mode];
}

uint64_t mp_finish(const struct float_format *f, struct mp_num *x, int ternary, enum real_mode mode)
{
    mpfr_exp_t const emin = mpfr_get_emin();
    mpfr_exp_t const emax = mpfr_get_emax();
    mpfr_rnd_t const direction = mp_direction(mode);
    assert(mpfr_get_prec(x->v) == (mpfr_prec_t)f->prec_bits);
    /* 2^(emin - p + 1), the smallest subnormal, is 0.1 * 2^(emin - p + 2) */
    (void)mpfr_set_emin(f->emin - (int)f->prec_bits + 2);
    (void)mpfr_set_emax(f->emax + 1);
    ternary = mpfr_check_range(x->v, ternary, direction);
    (void)mpfr_subnormalize(x->v, ternary, direction);
    (void)mpfr_set_emin(emin);
    (void)mpfr_set_emax(emax);
    return get_enc(f, x);
}

uint64_t mp_round(const struct float_format *f, mpfr_srcptr x, enum real_mode mode)
{
    struct mp_num y;
    mp_init(&y, f->prec_bits);
    int const ternary = mpfr_set(y.v, x, mp_direction(mode));
    return mp_finish(f, &y, ternary, mode);
}

/* y = op(args), rounded in `direction` to y's precision with MPFR's default exponent range, so that
 * nothing overflows. Gives the ternary value: the sign of y - exact result. */
static int apply(struct mp_num *y, enum arith_op op, const struct float_format *f,
                 const uint64_t *args, mpfr_rnd_t direction)
{
    struct mp_num x[3];
    for (unsigned i = 0; i < (op == ARITH_FMA ? 3U : 2U); i++) {
        mp_init(&x[i], f->prec_bits);
        mp_set_enc(&x[i], f, args[i]);
    }
    switch (op) {
    case ARITH_ADD:
        return mpfr_add(y->v, x[0].v, x[1].v, direction);
    case ARITH_SUB:
        return mpfr_sub(y->v, x[0].v, x[1].v, direction);
    case ARITH_MUL:
        return mpfr_mul(y->v, x[0].v, x[1].v, direction);
    case ARITH_DIV:
        return mpfr_div(y->v, x[0].v, x[1].v, direction);
    case ARITH_FMA:
        return mpfr_fma(y->v, x[0].v, x[1].v, x[2].v, direction);
    }
    assert(0 && "arith_op out of range");
    return 0;
}

uint64_t mp_apply(enum arith_op op, const struct float_format *f, const uint64_t *args,
                  enum real_mode mode)
{
    struct mp_num y;
    mp_init(&y, f->prec_bits);
    int const ternary = apply(&y, op, f, args, mp_direction(mode));
    return mp_finish(f, &y, ternary, mode);
}

int mp_is_tiny(enum arith_op op, const struct float_format *f, const uint64_t *args)
{
    struct mp_num y;
    mp_init(&y, f->prec_bits);
    (void)apply(&y, op, f, args, MPFR_RNDZ);
    /* 2^emin has one bit, so cutting bits off cannot pass it; the default exponent range is far
     * from any product or quotient of these formats, so zero is exact. */
    return mpfr_regular_p(y.v) && mpfr_get_exp(y.v) - 1 < f->emin;
}

const char *mp_get_version(void)
{
    return mpfr_get_version();
}

void mp_release(void)
{
    mpfr_free_cache();
}
