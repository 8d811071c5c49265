/* oracle/func/func_mp.c -- functions enclosed by MPFR at a given precision. */
#include "oracle/func/func_mp.h"

#include <assert.h>

#include "base/format.h"
#include "base/func_row.h"
#include "oracle/func/func_number.h"
#include "oracle/num/mp.h"

enum {
    /* 2^4000 is beyond any format, 2^-4000 below: what lies farther out needs no digits. */
    FAR = 4000,
    POWER_EXACT_LIMIT = 1 << 13, /* |y log2 x| from which x^y is far out */
    SMALL_EXPONENT = 64,         /* |y| up to which x^y stays within MPFR's range */
    EXP_LIMIT = 1 << 13,
    GAMMA_LIMIT = 200,
    NO_SUM = -1 /* beside enum arith_op */
};

/* MPFR rounds each of these once and correctly: rounded down, with the ternary value, it encloses. */
static int (*const one_argument[FUNC_N])(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t) = {
    [FUNC_ACOS] = mpfr_acos,   [FUNC_ACOSH] = mpfr_acosh,  [FUNC_ACOSPI] = mpfr_acospi,
    [FUNC_ASIN] = mpfr_asin,   [FUNC_ASINH] = mpfr_asinh,  [FUNC_ASINPI] = mpfr_asinpi,
    [FUNC_ATAN] = mpfr_atan,   [FUNC_ATANH] = mpfr_atanh,  [FUNC_ATANPI] = mpfr_atanpi,
    [FUNC_CBRT] = mpfr_cbrt,   [FUNC_COS] = mpfr_cos,      [FUNC_COSH] = mpfr_cosh,
    [FUNC_COSPI] = mpfr_cospi, [FUNC_ERFC] = mpfr_erfc,    [FUNC_ERF] = mpfr_erf,
    [FUNC_EXP] = mpfr_exp,     [FUNC_EXP2] = mpfr_exp2,    [FUNC_EXP10] = mpfr_exp10,
    [FUNC_EXPM1] = mpfr_expm1, [FUNC_LOG] = mpfr_log,      [FUNC_LOG2] = mpfr_log2,
    [FUNC_LOG10] = mpfr_log10, [FUNC_LOG1P] = mpfr_log1p,  [FUNC_RSQRT] = mpfr_rec_sqrt,
    [FUNC_SIN] = mpfr_sin,     [FUNC_SINH] = mpfr_sinh,    [FUNC_SINPI] = mpfr_sinpi,
    [FUNC_SQRT] = mpfr_sqrt,   [FUNC_TAN] = mpfr_tan,      [FUNC_TANH] = mpfr_tanh,
    [FUNC_TANPI] = mpfr_tanpi, [FUNC_TGAMMA] = mpfr_gamma,
};
static int (*const two_arguments[FUNC_N])(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t) = {
    [FUNC_ATAN2] = mpfr_atan2, [FUNC_ATAN2PI] = mpfr_atan2pi,
    [FUNC_FMOD] = mpfr_fmod,   [FUNC_REMAINDER] = mpfr_remainder,
    [FUNC_HYPOT] = mpfr_hypot, [FUNC_POW] = mpfr_pow,
    [FUNC_POWR] = mpfr_pow,    [FUNC_FADD] = mpfr_add,
    [FUNC_FSUB] = mpfr_sub,    [FUNC_FMUL] = mpfr_mul,
    [FUNC_DIVIDE] = mpfr_div,  [FUNC_FREM] = mpfr_fmod,
    [FUNC_FDIM] = mpfr_sub,
};

unsigned func_get_precision(const struct float_format *f, unsigned step)
{
    static const unsigned bits[2][FUNC_N_PRECISIONS] = {
        {62, 126, 250, 512},
        {90, 160, 320, 512}
    };
    assert(step < FUNC_N_PRECISIONS);
    return bits[f->prec_bits > 32][step];
}

/* The operation that is being enclosed. */
struct work {
    const struct float_format *f;
    enum func_id id;
    const struct func_args *a;
    struct mp_num x[3];
    struct func_span *out;
};

/* Makes a span of s->end[0], which holds the value rounded down: ternary 0 says that it is the value
 * itself, else the value lies between it and the next number. A span holds magnitudes, so of a negative
 * value the ends are turned, and the second is the lower one (s->low). */
static void close_span(struct func_span *s, int ternary)
{
    mpfr_ptr const first = s->end[0].v, second = s->end[1].v;
    assert(!mpfr_nan_p(first));
    s->low = 0;
    s->is_exact = ternary == 0;
    if (s->is_exact) {
        s->negative = mpfr_signbit(first) != 0;
        (void)mpfr_abs(first, first, MPFR_RNDN);
        return;
    }
    (void)mpfr_set(second, first, MPFR_RNDN);
    mpfr_nextabove(second);
    /* down from below zero leaves it at -0 or below: the sign is that of the lower end */
    s->negative = mpfr_sgn(first) < 0;
    if (s->negative) {
        (void)mpfr_abs(first, first, MPFR_RNDN);
        (void)mpfr_abs(second, second, MPFR_RNDN);
        s->low = 1;
    }
}

/* Between 0 and 2^-FAR, or 2^FAR and infinity. */
static void far_span(struct func_span *s, int is_large, int negative)
{
    s->low = 0;
    s->is_exact = 0;
    s->negative = negative;
    if (is_large) {
        (void)mpfr_set_ui_2exp(s->end[0].v, 1, FAR, MPFR_RNDN);
        mpfr_set_inf(s->end[1].v, 1);
    } else {
        mpfr_set_zero(s->end[0].v, 1);
        (void)mpfr_set_ui_2exp(s->end[1].v, 1, -FAR, MPFR_RNDN);
    }
}

/* --- powers and gamma far outside every format --- */

/*
 * Is |y log2 |x|| beyond POWER_EXACT_LIMIT? -1 then for a tiny power, 1 for a huge one. MPFR 4.2.0
 * estimates the error of x^y wrongly where y log|x| overflows on the way, so it is not asked.
 */
static int power_is_far(mpfr_srcptr x, mpfr_srcptr y)
{
    struct mp_num product;
    if (mpfr_zero_p(x) || mpfr_cmpabs_ui(y, SMALL_EXPONENT) < 0) {
        return 0;
    }
    mp_init(&product, MP_LIMB_BITS);
    (void)mpfr_abs(product.v, x, MPFR_RNDN);
    (void)mpfr_log2(product.v, product.v, MPFR_RNDZ); /* toward zero, and so is the product */
    (void)mpfr_mul(product.v, product.v, y, MPFR_RNDZ);
    return mpfr_cmpabs_ui(product.v, POWER_EXACT_LIMIT) > 0 ? mpfr_sgn(product.v) : 0;
}

static bool is_odd(mpfr_srcptr x)
{
    struct mp_num half;
    mp_init(&half, (unsigned)mpfr_get_prec(x));
    (void)mpfr_div_2ui(half.v, x, 1, MPFR_RNDN);
    return mpfr_integer_p(x) && !mpfr_integer_p(half.v);
}

static bool try_far_power(const struct work *work)
{
    struct mp_num n;
    mpfr_srcptr y = work->x[1].v;
    if (func_rows[work->id].has_int) {
        mp_init(&n, MP_LIMB_BITS);
        (void)mpfr_set_si(n.v, work->a->n, MPFR_RNDN);
        y = n.v;
    }
    int const far = power_is_far(work->x[0].v, y);
    if (far != 0) {
        far_span(work->out, far > 0, mpfr_signbit(work->x[0].v) && is_odd(y));
    }
    return far != 0;
}

/* exp, exp2 and exp10 grow at least as 2^x. */
static bool try_far_exponential(const struct work *work)
{
    bool const is_far = mpfr_cmpabs_ui(work->x[0].v, EXP_LIMIT) > 0;
    if (is_far) {
        far_span(work->out, mpfr_sgn(work->x[0].v) > 0, 0);
    }
    return is_far;
}

/*
 * Gamma(200) > 2^1240; and for x < -200, |Gamma(x)| = pi / (|sin(pi x)| Gamma(1 - x)) with
 * |sin(pi x)| >= 2 |x - n| >= 2^-44 (p = 53, |x| >= 128) and Gamma(1 - x) > 2^1240. Both are
 * outside every format, if not by 2^FAR.
 */
static bool try_far_gamma(const struct work *work)
{
    mpfr_srcptr const x = work->x[0].v;
    if (mpfr_cmpabs_ui(x, GAMMA_LIMIT) <= 0) {
        return false;
    }
    struct mp_num whole;
    mp_init(&whole, work->f->prec_bits);
    (void)mpfr_floor(whole.v, x);
    far_span(work->out, mpfr_sgn(x) > 0, mpfr_sgn(x) < 0 && is_odd(whole.v));
    if (mpfr_sgn(x) > 0) {
        (void)mpfr_set_ui_2exp(work->out->end[0].v, 1, 1240, MPFR_RNDN);
    } else {
        (void)mpfr_set_ui_2exp(work->out->end[1].v, 1, -1190, MPFR_RNDN);
    }
    return true;
}

/* Is the value far outside every format? Then out is the span that is known without computing it. */
static bool try_far(const struct work *work)
{
    switch ((int)work->id) {
    case FUNC_POW:
    case FUNC_POWR:
    case FUNC_POWN:
        return try_far_power(work);
    case FUNC_EXP:
    case FUNC_EXP2:
    case FUNC_EXP10:
        return try_far_exponential(work);
    case FUNC_TGAMMA:
        return try_far_gamma(work);
    }
    return false;
}

/* --- values --- */

static int compute_fract(mpfr_ptr end, const struct work *work)
{
    struct mp_num whole;
    mp_init(&whole, work->f->prec_bits);
    (void)mpfr_floor(whole.v, work->x[0].v); /* exact */
    return mpfr_sub(end, work->x[0].v, whole.v, MPFR_RNDD);
}

/* x - y floor(x / y): fmod, and one more y where the signs differ. */
static int compute_fmodulo(mpfr_ptr end, const struct work *work)
{
    struct mp_num rest;
    mp_init(&rest, work->f->prec_bits);
    (void)mpfr_fmod(rest.v, work->x[0].v, work->x[1].v, MPFR_RNDN); /* exact */
    bool const is_done =
        mpfr_zero_p(rest.v) || (mpfr_sgn(rest.v) < 0) == (mpfr_sgn(work->x[1].v) < 0);
    return is_done ? mpfr_set(end, rest.v, MPFR_RNDD)
                   : mpfr_add(end, rest.v, work->x[1].v, MPFR_RNDD);
}

/* Puts into `end` the integer that w's function rounds x to: ceil, floor, trunc, rint or round. */
static void compute_integer(mpfr_ptr end, const struct work *work)
{
    mpfr_srcptr const x = work->x[0].v;
    switch ((int)work->id) {
    case FUNC_CEIL:
        (void)mpfr_ceil(end, x);
        return;
    case FUNC_FLOOR:
        (void)mpfr_floor(end, x);
        return;
    case FUNC_TRUNC:
        (void)mpfr_trunc(end, x);
        return;
    case FUNC_RINT:
        (void)mpfr_rint(end, x, MPFR_RNDN);
        return;
    default:
        assert(work->id == FUNC_ROUND);
        (void)mpfr_round(end, x);
    }
}

/* The encoding that a function gives which only selects or changes one. */
static uint64_t compute_encoding(const struct work *work)
{
    uint64_t const x = work->a->enc[0], y = work->a->enc[1], sign = work->f->sign;
    switch ((int)work->id) {
    case FUNC_FABS:
        return x & ~sign;
    case FUNC_FNEGATE:
        return x ^ sign;
    case FUNC_COPYSIGN:
        return (x & ~sign) | (y & sign);
    case FUNC_NEXTAFTER:
        return x == y ? x : func_next_after(work->f, x, y);
    default:
        return func_select(work->id, work->f, x, y);
    }
}

/* Rounds the function's value down into out->end[0], by one function of MPFR where there is one. Returns the
 * ternary value of that rounding: 0 where it was exact, otherwise the value lies above. */
static int compute(const struct work *work)
{
    mpfr_ptr const end = work->out->end[0].v;
    mpfr_srcptr const x = work->x[0].v, y = work->x[1].v;
    int sign; /* of gamma: lgamma is of its magnitude */
    switch ((int)work->id) {
    case FUNC_LGAMMA:
        return mpfr_lgamma(end, &sign, x, MPFR_RNDD);
    case FUNC_LDEXP:
        return mpfr_mul_2si(end, x, work->a->n, MPFR_RNDD);
    case FUNC_POWN:
        return mpfr_pow_si(end, x, work->a->n, MPFR_RNDD);
    case FUNC_ROOTN:
        return mpfr_rootn_si(end, x, work->a->n, MPFR_RNDD);
    case FUNC_RECIP:
        return mpfr_ui_div(end, 1, x, MPFR_RNDD);
    case FUNC_FMA:
        return mpfr_fma(end, x, y, work->x[2].v, MPFR_RNDD);
    case FUNC_FRACT:
        return compute_fract(end, work);
    case FUNC_FMODULO:
        return compute_fmodulo(end, work);
    case FUNC_LOGB: /* a significand of MPFR is in [1/2, 1), one of logb in [1, 2) */
        return mpfr_set_si(end, mpfr_get_exp(x) - 1, MPFR_RNDD);
    case FUNC_CEIL:
    case FUNC_FLOOR:
    case FUNC_TRUNC:
    case FUNC_RINT:
    case FUNC_ROUND:
        compute_integer(end, work);
        return 0;
    case FUNC_FABS:
    case FUNC_FNEGATE:
    case FUNC_COPYSIGN:
    case FUNC_FMAX:
    case FUNC_FMIN:
    case FUNC_MAXMAG:
    case FUNC_MINMAG:
    case FUNC_NEXTAFTER:
        mp_set_enc(&work->out->end[0], work->f, compute_encoding(work));
        return 0;
    }
    if (one_argument[work->id]) {
        return one_argument[work->id](end, x, MPFR_RNDD);
    }
    assert(two_arguments[work->id]);
    return two_arguments[work->id](end, x, y, MPFR_RNDD);
}

/* Encloses degrees, |x| 180 / pi, or radians, |x| pi / 180, by an enclosure of pi. The lower end
 * (i = 0) is rounded down, the upper one up, and pi itself in the other direction where it is the
 * divisor. No such value is representable except for x = 0, which is exact. */
static void enclose_angle(const struct work *work)
{
    struct func_span *s = work->out;
    bool const is_product = work->id == FUNC_RADIANS;
    struct mp_num pi, x;
    mp_init(&pi, (unsigned)mpfr_get_prec(s->end[0].v));
    mp_init(&x, work->f->prec_bits + 8); /* 180 has 8 bits */
    s->low = 0;
    s->is_exact = mpfr_zero_p(work->x[0].v) != 0;
    s->negative = mpfr_signbit(work->x[0].v) != 0;
    for (unsigned i = 0; i < 2; i++) {
        mpfr_rnd_t const outward = i == 0 ? MPFR_RNDD : MPFR_RNDU;
        mpfr_rnd_t const inward = i == 0 ? MPFR_RNDU : MPFR_RNDD;
        mpfr_ptr const end = s->end[i].v;
        (void)mpfr_abs(x.v, work->x[0].v, MPFR_RNDN);
        (void)mpfr_const_pi(pi.v, is_product ? outward : inward);
        if (is_product) {
            (void)mpfr_mul(end, x.v, pi.v, outward);
            (void)mpfr_div_ui(end, end, 180, outward);
        } else {
            (void)mpfr_mul_ui(x.v, x.v, 180, MPFR_RNDN);
            (void)mpfr_div(end, x.v, pi.v, outward);
        }
    }
}

static int find_sum(enum func_id id)
{
    switch ((int)id) {
    case FUNC_FADD:
        return ARITH_ADD;
    case FUNC_FSUB:
        return ARITH_SUB;
    case FUNC_FMA:
        return ARITH_FMA;
    }
    return NO_SUM;
}

/* Gives an exact zero its sign. One that comes of a sum has that of rounding to nearest here, a remainder
 * that of x. */
static void fix_zero(const struct work *work)
{
    struct func_span *s = work->out;
    int const op = find_sum(work->id);
    if (!func_is_zero(s)) {
        return;
    }
    if (op != NO_SUM) {
        uint64_t const nearest = mp_apply((enum arith_op)op, work->f, work->a->enc, REAL_NEAREST);
        uint64_t const down = mp_apply((enum arith_op)op, work->f, work->a->enc, REAL_DOWN);
        s->negative = (nearest & work->f->sign) != 0;
        s->is_cancelled = nearest != down;
    } else if (work->id == FUNC_FRACT || work->id == FUNC_FDIM) {
        s->negative = 0;
    } else if (work->id == FUNC_FMOD || work->id == FUNC_REMAINDER || work->id == FUNC_FREM) {
        s->negative = (work->a->enc[0] & work->f->sign) != 0;
    }
}

/*
 * Puts into *out an enclosure of the function's exact value, with prec_bits. A value far outside every
 * format is not computed; angles come of an enclosure of pi; else MPFR rounds the value down, which
 * encloses it, and an exact zero gets its sign. The arguments have no prescribed result
 * (func_get_special).
 */
void func_enclose(enum func_id id, const struct func_args *a, unsigned prec_bits,
                  struct func_span *out)
{
    struct work work = {.f = &float_formats[a->fmt], .id = id, .a = a, .out = out};
    for (unsigned i = 0; i < func_rows[id].n_args; i++) {
        mp_init(&work.x[i], work.f->prec_bits);
        mp_set_enc(&work.x[i], work.f, a->enc[i]);
    }
    mp_init(&out->end[0], prec_bits);
    mp_init(&out->end[1], prec_bits);
    out->is_cancelled = 0;
    if (try_far(&work)) {
        return;
    }
    if (id == FUNC_DEGREES || id == FUNC_RADIANS) {
        enclose_angle(&work);
        return;
    }
    close_span(out, compute(&work));
    fix_zero(&work);
}
