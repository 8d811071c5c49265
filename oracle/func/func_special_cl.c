/* oracle/func/func_special_cl.c -- what C99 section F.9 and OpenCL C prescribe, exactly. */
#include "oracle/func/func_special_cl.h"

#include <assert.h>

#include "base/format.h"
#include "oracle/func/func_number.h"
#include "oracle/num/mp.h"

/* --- one call, and the ways to answer --- */

/* Prescribed values; V_NUM: none, it is computed. */
enum value {
    V_NUM,
    V_P0,
    V_M0,
    V_HALF,
    V_MHALF,
    V_P1,
    V_M1,
    V_P2,
    V_PINF,
    V_MINF,
    V_EITHER_INF,
    V_NAN
};
/* The arguments of one call, classified. */
struct call {
    const struct float_format *f;
    enum func_id id;
    uint64_t x, y, z; /* encodings */
    uint64_t mx, my;  /* magnitudes: ordered as the values are */
    uint64_t one;     /* encoding of 1 */
    int32_t n;
    int minus_x, minus_y; /* signs */
    struct set *out;
};

static int give(const struct call *c, uint64_t enc)
{
    set_add(c->out, enc);
    return 1;
}

static int give_value(const struct call *c, enum value v)
{
    struct float_format const *f = c->f;
    switch (v) {
    case V_NUM:
        return 0;
    case V_P0:
        return give(c, 0);
    case V_M0:
        return give(c, f->sign);
    case V_HALF:
        return give(c, func_power(f, -1));
    case V_MHALF:
        return give(c, f->sign | func_power(f, -1));
    case V_P1:
        return give(c, c->one);
    case V_M1:
        return give(c, f->sign | c->one);
    case V_P2:
        return give(c, func_power(f, 1));
    case V_PINF:
        return give(c, f->exp);
    case V_MINF:
        return give(c, f->sign | f->exp);
    case V_EITHER_INF:
        (void)give(c, f->exp);
        return give(c, f->sign | f->exp);
    case V_NAN:
        return give(c, f->exp | f->quiet);
    }
    assert(0 && "value out of range");
    return 0;
}

static int give_nan_if(const struct call *c, int condition)
{
    return condition ? give_value(c, V_NAN) : 0;
}

/* A zero of x's sign. */
static int give_zero_if(const struct call *c, int condition)
{
    return condition ? give(c, c->x & c->f->sign) : 0;
}

/* A magnitude with x's sign. */
static int give_signed(const struct call *c, uint64_t magnitude)
{
    return give(c, (c->x & c->f->sign) | magnitude);
}

static enum func_kind kind_of(const struct call *c, uint64_t enc)
{
    return func_get_kind(c->f, enc);
}

static int is_integer(const struct call *c, uint64_t enc)
{
    enum func_kind const k = kind_of(c, enc);
    return k == FUNC_EVEN || k == FUNC_ODD;
}

/* --- one argument --- */

struct row {
    uint8_t plus_zero, minus_zero, plus_inf, minus_inf;
};

/* C99 (TC2) F.9 and "Additional Requirements Beyond ISO/IEC 9899:TC2". rsqrt(-0) is prescribed
 * nowhere: 1 / sqrt(-0) is -inf, the limit +inf. Neither are degrees and radians of a zero: what is within
 * their 2 ulps of it, of either sign. */
static const struct row rows[FUNC_N] = {
    [FUNC_ACOS] = {V_NUM,  V_NUM,        V_NAN,  V_NAN  },
    [FUNC_ACOSH] = {V_NAN,  V_NAN,        V_PINF, V_NAN  },
    [FUNC_ACOSPI] = {V_NUM,  V_NUM,        V_NAN,  V_NAN  },
    [FUNC_ASIN] = {V_P0,   V_M0,         V_NAN,  V_NAN  },
    [FUNC_ASINH] = {V_P0,   V_M0,         V_PINF, V_MINF },
    [FUNC_ASINPI] = {V_P0,   V_M0,         V_NAN,  V_NAN  },
    [FUNC_ATAN] = {V_P0,   V_M0,         V_NUM,  V_NUM  },
    [FUNC_ATANH] = {V_P0,   V_M0,         V_NAN,  V_NAN  },
    [FUNC_ATANPI] = {V_P0,   V_M0,         V_HALF, V_MHALF},
    [FUNC_CBRT] = {V_P0,   V_M0,         V_PINF, V_MINF },
    [FUNC_CEIL] = {V_P0,   V_M0,         V_PINF, V_MINF },
    [FUNC_COS] = {V_P1,   V_P1,         V_NAN,  V_NAN  },
    [FUNC_COSH] = {V_P1,   V_P1,         V_PINF, V_PINF },
    [FUNC_COSPI] = {V_P1,   V_P1,         V_NAN,  V_NAN  },
    [FUNC_ERFC] = {V_NUM,  V_NUM,        V_P0,   V_P2   },
    [FUNC_ERF] = {V_P0,   V_M0,         V_P1,   V_M1   },
    [FUNC_EXP] = {V_P1,   V_P1,         V_PINF, V_P0   },
    [FUNC_EXP2] = {V_P1,   V_P1,         V_PINF, V_P0   },
    [FUNC_EXP10] = {V_P1,   V_P1,         V_PINF, V_P0   },
    [FUNC_EXPM1] = {V_P0,   V_M0,         V_PINF, V_M1   },
    [FUNC_FABS] = {V_P0,   V_P0,         V_PINF, V_PINF },
    [FUNC_FLOOR] = {V_P0,   V_M0,         V_PINF, V_MINF },
    [FUNC_FRACT] = {V_P0,   V_M0,         V_P0,   V_M0   },
    [FUNC_LGAMMA] = {V_PINF, V_PINF,       V_PINF, V_PINF },
    [FUNC_LOG] = {V_MINF, V_MINF,       V_PINF, V_NAN  },
    [FUNC_LOG2] = {V_MINF, V_MINF,       V_PINF, V_NAN  },
    [FUNC_LOG10] = {V_MINF, V_MINF,       V_PINF, V_NAN  },
    [FUNC_LOG1P] = {V_P0,   V_M0,         V_PINF, V_NAN  },
    [FUNC_LOGB] = {V_MINF, V_MINF,       V_PINF, V_PINF },
    [FUNC_RINT] = {V_P0,   V_M0,         V_PINF, V_MINF },
    [FUNC_ROUND] = {V_P0,   V_M0,         V_PINF, V_MINF },
    [FUNC_RSQRT] = {V_PINF, V_EITHER_INF, V_P0,   V_NAN  },
    [FUNC_SIN] = {V_P0,   V_M0,         V_NAN,  V_NAN  },
    [FUNC_SINH] = {V_P0,   V_M0,         V_PINF, V_MINF },
    [FUNC_SINPI] = {V_P0,   V_M0,         V_NAN,  V_NAN  },
    [FUNC_SQRT] = {V_P0,   V_M0,         V_PINF, V_NAN  },
    [FUNC_TAN] = {V_P0,   V_M0,         V_NAN,  V_NAN  },
    [FUNC_TANH] = {V_P0,   V_M0,         V_P1,   V_M1   },
    [FUNC_TANPI] = {V_P0,   V_M0,         V_NAN,  V_NAN  },
    [FUNC_TGAMMA] = {V_PINF, V_MINF,       V_PINF, V_NAN  },
    [FUNC_TRUNC] = {V_P0,   V_M0,         V_PINF, V_MINF },
    [FUNC_DEGREES] = {V_NUM,  V_NUM,        V_PINF, V_MINF },
    [FUNC_RADIANS] = {V_NUM,  V_NUM,        V_PINF, V_MINF },
    [FUNC_SIGN] = {V_P0,   V_M0,         V_P1,   V_M1   },
    [FUNC_RECIP] = {V_PINF, V_MINF,       V_P0,   V_M0   },
    [FUNC_FNEGATE] = {V_M0,   V_P0,         V_MINF, V_PINF },
};

/* Finite and not zero: */

static int special_logarithm(const struct call *c)
{
    if (c->x == c->one) {
        return give_value(c, V_P0);
    }
    return give_nan_if(c, c->minus_x);
}

static int special_gamma(const struct call *c)
{
    if (c->minus_x && is_integer(c, c->x)) {
        return give_value(c, c->id == FUNC_TGAMMA ? V_NAN : V_PINF);
    }
    if (c->id == FUNC_LGAMMA && (c->x == c->one || c->x == func_power(c->f, 1))) {
        return give_value(c, V_P0);
    }
    return 0;
}

static int special_of_pi(const struct call *c)
{
    enum func_kind const k = kind_of(c, c->x);
    if (k == FUNC_FRACTION) {
        return 0;
    }
    int const is_whole = k == FUNC_EVEN || k == FUNC_ODD;
    if (c->id == FUNC_SINPI) {
        return give_zero_if(c, is_whole);
    }
    if (c->id == FUNC_COSPI) {
        return is_whole ? 0 : give_value(c, V_P0);
    }
    if (is_whole) { /* tanpi */
        return give(c, (c->x & c->f->sign) ^ (k == FUNC_ODD ? c->f->sign : 0));
    }
    /* n + 0.5 with n = floor(x): for x < 0 that is -(floor(|x|) + 1), of the other parity */
    int const is_even = (k == FUNC_HALF_EVEN) != c->minus_x;
    return give_value(c, is_even ? V_PINF : V_MINF);
}

static int special_ceil(const struct call *c)
{
    return give_zero_if(c, c->minus_x && c->mx < c->one);
}

static int special_floor(const struct call *c)
{
    return give_zero_if(c, !c->minus_x && c->mx < c->one);
}

static int special_trunc(const struct call *c)
{
    return give_zero_if(c, c->mx < c->one);
}

static int special_rint(const struct call *c)
{
    return give_zero_if(c, c->mx <= func_power(c->f, -1));
}

static int special_round(const struct call *c)
{
    return give_zero_if(c, c->mx < func_power(c->f, -1));
}

static int special_arc_cosine(const struct call *c)
{
    return c->x == c->one ? give_value(c, V_P0) : give_nan_if(c, c->mx > c->one);
}

static int special_arc_sine(const struct call *c)
{
    return give_nan_if(c, c->mx > c->one);
}

static int special_atanh(const struct call *c)
{
    return c->mx == c->one ? give_signed(c, c->f->exp) : give_nan_if(c, c->mx > c->one);
}

static int special_acosh(const struct call *c)
{
    return c->x == c->one ? give_value(c, V_P0) : give_nan_if(c, c->minus_x || c->mx < c->one);
}

static int special_log1p(const struct call *c)
{
    return c->minus_x && c->mx == c->one ? give_value(c, V_MINF)
                                         : give_nan_if(c, c->minus_x && c->mx > c->one);
}

static int special_root(const struct call *c)
{
    return give_nan_if(c, c->minus_x);
}

static int special_sign(const struct call *c)
{
    return give_signed(c, c->one);
}

static int special_fract(const struct call *c)
{
    return is_integer(c, c->x) ? give_value(c, V_P0) : 0;
}

/* By function; none: always computed. */
static int (*const finite[FUNC_N])(const struct call *) = {
    [FUNC_ACOS] = special_arc_cosine, [FUNC_ACOSPI] = special_arc_cosine,
    [FUNC_ASIN] = special_arc_sine,   [FUNC_ASINPI] = special_arc_sine,
    [FUNC_ATANH] = special_atanh,     [FUNC_ACOSH] = special_acosh,
    [FUNC_LOG] = special_logarithm,   [FUNC_LOG2] = special_logarithm,
    [FUNC_LOG10] = special_logarithm, [FUNC_LOG1P] = special_log1p,
    [FUNC_SQRT] = special_root,       [FUNC_RSQRT] = special_root,
    [FUNC_LGAMMA] = special_gamma,    [FUNC_TGAMMA] = special_gamma,
    [FUNC_SINPI] = special_of_pi,     [FUNC_COSPI] = special_of_pi,
    [FUNC_TANPI] = special_of_pi,     [FUNC_CEIL] = special_ceil,
    [FUNC_FLOOR] = special_floor,     [FUNC_TRUNC] = special_trunc,
    [FUNC_RINT] = special_rint,       [FUNC_ROUND] = special_round,
    [FUNC_SIGN] = special_sign,       [FUNC_FRACT] = special_fract,
};

static int special_one(const struct call *c)
{
    struct row const *r = &rows[c->id];
    if (c->mx == 0) {
        return give_value(c, (enum value)(c->minus_x ? r->minus_zero : r->plus_zero));
    }
    if (c->mx == c->f->exp) {
        return give_value(c, (enum value)(c->minus_x ? r->minus_inf : r->plus_inf));
    }
    return finite[c->id] ? finite[c->id](c) : 0;
}

/* --- powers --- */

/* x^n or x^(1/n) at a zero or an infinity: large if the result is. */
static int give_power(const struct call *c, int is_large, int is_odd)
{
    uint64_t const sign = is_odd ? c->x & c->f->sign : 0;
    return give(c, sign | (is_large ? c->f->exp : 0));
}

static int special_integer_power(const struct call *c)
{
    int const is_odd = c->n % 2 != 0;
    int const is_negative = c->n < 0;
    if (c->n == 0) {
        return give_value(c, c->id == FUNC_ROOTN ? V_NAN : V_P1);
    }
    if (c->mx == 0) {
        return give_power(c, is_negative, is_odd);
    }
    if (c->id == FUNC_ROOTN && c->minus_x && !is_odd) {
        return give_value(c, V_NAN);
    }
    if (c->mx == c->f->exp) {
        return give_power(c, !is_negative, is_odd);
    }
    return 0;
}

/* pow(x, +-inf), x not +1 */
static int give_to_infinity(const struct call *c)
{
    int const is_large = (c->mx > c->one) != c->minus_y;
    return give(c, is_large ? c->f->exp : 0);
}

static int special_pow(const struct call *c)
{
    if (c->my == 0 || c->x == c->one) {
        return give_value(c, V_P1);
    }
    if (c->my == c->f->exp) {
        if (c->mx == c->one) {
            return give_value(c, V_P1); /* pow(-1, +-inf) */
        }
        return give_to_infinity(c);
    }
    enum func_kind const k = kind_of(c, c->y);
    if (c->mx == 0 || c->mx == c->f->exp) {
        return give_power(c, (c->mx != 0) != c->minus_y, k == FUNC_ODD);
    }
    return give_nan_if(c, c->minus_x && k != FUNC_EVEN && k != FUNC_ODD);
}

static int special_powr(const struct call *c)
{
    if (c->minus_x && c->mx != 0) {
        return give_value(c, V_NAN);
    }
    if (c->my == 0) {
        return give_value(c, c->mx == 0 || c->mx == c->f->exp ? V_NAN : V_P1);
    }
    if (c->mx == c->one) {
        return give_value(c, c->my == c->f->exp ? V_NAN : V_P1);
    }
    if (c->mx == 0 || c->mx == c->f->exp) {
        return give_power(c, (c->mx != 0) != c->minus_y, 0);
    }
    return c->my == c->f->exp ? give_to_infinity(c) : 0;
}

/* --- others of several arguments --- */

/* x is the first argument, y of atan2(y, x). */
static int special_atan2(const struct call *c)
{
    int const of_pi = c->id == FUNC_ATAN2PI;
    uint64_t const half = func_power(c->f, -1), quarter = func_power(c->f, -2);
    int const is_inf[] = {c->mx == c->f->exp, c->my == c->f->exp};
    if ((c->mx == 0 || (is_inf[1] && !is_inf[0])) && !c->minus_y) {
        return give_signed(c, 0);
    }
    if (!of_pi) {
        return 0; /* a multiple of pi, to be rounded */
    }
    if (c->mx == 0 || (is_inf[1] && !is_inf[0])) {
        return give_signed(c, c->one);
    }
    if (c->my == 0 || (is_inf[0] && !is_inf[1])) {
        return give_signed(c, half);
    }
    if (is_inf[0] && is_inf[1]) { /* 3/4 or 1/4 */
        return give_signed(c, c->minus_y ? half | ((c->f->frac + 1) >> 1) : quarter);
    }
    return 0;
}

static int special_remainder(const struct call *c)
{
    if (c->mx == c->f->exp || c->my == 0) {
        return give_value(c, V_NAN);
    }
    if (c->mx == 0 || c->my == c->f->exp) {
        return c->mx != 0 && format_is_subnormal(c->f, c->x) ? 0 : give(c, c->x);
    }
    return 0;
}

/* OpFRem and OpFMod of SPIR-V: undefined for a divisor of zero; only a result that is not zero has
 * a sign; infinities are not spoken of, except that x is a remainder of x / inf. */
static int special_spirv_remainder(const struct call *c)
{
    int const is_inf = c->my == c->f->exp;
    if (c->my == 0 || c->mx == c->f->exp ||
        (is_inf && c->id == FUNC_FMODULO && c->minus_x != c->minus_y)) {
        set_any(c->out, (enum fmt_id)c->out->fmt);
        return 1;
    }
    if (c->mx == 0) {
        set_add_range(c->out, -1, 0);
        return 1;
    }
    return 0;
}

static int special_hypot(const struct call *c)
{
    if (c->mx == c->f->exp || c->my == c->f->exp) {
        return give_value(c, V_PINF);
    }
    uint64_t const other = c->mx == 0 ? c->my : c->mx;
    if ((c->mx != 0 && c->my != 0) || format_is_subnormal(c->f, other)) {
        return 0;
    }
    return give(c, other); /* hypot(x, +-0) is fabs(x) */
}

static int special_fdim(const struct call *c)
{
    int64_t const kx = format_to_key(c->f, c->x), ky = format_to_key(c->f, c->y);
    if (kx <= ky || (c->mx == 0 && c->my == 0)) {
        return give_value(c, V_P0);
    }
    return c->mx == c->f->exp || c->my == c->f->exp ? give_value(c, V_PINF) : 0;
}

static int special_select(const struct call *c)
{
    if (c->mx == 0 && c->my == 0) {
        (void)give(c, c->x);
        return give(c, c->y);
    }
    uint64_t const got = func_select(c->id, c->f, c->x, c->y);
    uint64_t const m = func_magnitude(c->f, got);
    return m == 0 || m == c->f->exp ? give(c, got) : 0;
}

static int special_next_after(const struct call *c)
{
    if (c->mx == 0 && c->my == 0) {
        (void)give(c, c->x);
        return give(c, c->y);
    }
    if (c->x == c->y) {
        return func_is_inf(c->f, c->x) ? give(c, c->x) : 0;
    }
    uint64_t const got = func_next_after(c->f, c->x, c->y);
    return func_is_inf(c->f, got) || format_is_zero(c->f, got) ? give(c, got) : 0;
}

static int special_step(const struct call *c)
{
    int64_t const edge = format_to_key(c->f, c->x), x = format_to_key(c->f, c->y);
    int const is_below = x < edge && !(c->mx == 0 && c->my == 0);
    return give_value(c, is_below ? V_P0 : V_P1);
}

static int special_copysign(const struct call *c)
{
    return c->mx == 0 || c->mx == c->f->exp ? give(c, c->mx | (c->y & c->f->sign)) : 0;
}

/* Sums, products and quotients that are exact for an infinity or a zero. */
static int give_exact_if(const struct call *c, enum arith_op op, int condition)
{
    uint64_t const args[] = {c->x, c->y, c->z};
    return condition ? give(c, mp_apply(op, c->f, args, REAL_NEAREST)) : 0;
}

static int has_inf(const struct call *c)
{
    return c->mx == c->f->exp || c->my == c->f->exp || func_is_inf(c->f, c->z);
}

static int special_add(const struct call *c)
{
    return give_exact_if(c, ARITH_ADD, has_inf(c));
}

static int special_sub(const struct call *c)
{
    return give_exact_if(c, ARITH_SUB, has_inf(c));
}

static int special_mul(const struct call *c)
{
    return give_exact_if(c, ARITH_MUL, has_inf(c) || c->mx == 0 || c->my == 0);
}

static int special_div(const struct call *c)
{
    return give_exact_if(c, ARITH_DIV, has_inf(c) || c->mx == 0 || c->my == 0);
}

static int special_fma(const struct call *c)
{
    return give_exact_if(c, ARITH_FMA, has_inf(c));
}

static int special_ldexp(const struct call *c)
{
    return c->mx == 0 || c->mx == c->f->exp || c->n == 0 ? give(c, c->x) : 0;
}

static int (*const several[FUNC_N])(const struct call *) = {
    [FUNC_LDEXP] = special_ldexp,
    [FUNC_POWN] = special_integer_power,
    [FUNC_ROOTN] = special_integer_power,
    [FUNC_POW] = special_pow,
    [FUNC_POWR] = special_powr,
    [FUNC_ATAN2] = special_atan2,
    [FUNC_ATAN2PI] = special_atan2,
    [FUNC_FMOD] = special_remainder,
    [FUNC_REMAINDER] = special_remainder,
    [FUNC_FREM] = special_spirv_remainder,
    [FUNC_FMODULO] = special_spirv_remainder,
    [FUNC_HYPOT] = special_hypot,
    [FUNC_FDIM] = special_fdim,
    [FUNC_FMAX] = special_select,
    [FUNC_FMIN] = special_select,
    [FUNC_MAXMAG] = special_select,
    [FUNC_MINMAG] = special_select,
    [FUNC_NEXTAFTER] = special_next_after,
    [FUNC_COPYSIGN] = special_copysign,
    [FUNC_STEP] = special_step,
    [FUNC_FADD] = special_add,
    [FUNC_FSUB] = special_sub,
    [FUNC_FMUL] = special_mul,
    [FUNC_DIVIDE] = special_div,
    [FUNC_FMA] = special_fma,
};

/* --- NaN --- */

/* Both signs of a magnitude: copysign from a NaN, whose sign nothing keeps. */
static int give_both_signs(const struct call *c, uint64_t magnitude)
{
    (void)give(c, magnitude);
    return give(c, c->f->sign | magnitude);
}

static int nan_pow(const struct call *c)
{
    return c->x == c->one || c->my == 0 ? give_value(c, V_P1) : 0;
}

static int nan_pown(const struct call *c)
{
    return c->n == 0 ? give_value(c, V_P1) : 0;
}

static int nan_hypot(const struct call *c)
{
    return c->mx == c->f->exp || c->my == c->f->exp ? give_value(c, V_PINF) : 0;
}

static int nan_select(const struct call *c)
{
    int const nan_x = format_is_nan(c->f, c->x), nan_y = format_is_nan(c->f, c->y);
    return nan_x && nan_y ? 0 : give(c, nan_x ? c->y : c->x);
}

static int nan_sign(const struct call *c)
{
    return give_value(c, V_P0);
}

static int nan_step(const struct call *c)
{
    return give_value(c, V_P1); /* x < edge does not hold */
}

static int nan_copysign(const struct call *c)
{
    return format_is_nan(c->f, c->x) ? 0 : give_both_signs(c, c->mx);
}

/* Values that a NaN argument does not turn into NaN. */
static int (*const survives_nan[FUNC_N])(const struct call *) = {
    [FUNC_POW] = nan_pow,           [FUNC_POWN] = nan_pown,     [FUNC_HYPOT] = nan_hypot,
    [FUNC_FMAX] = nan_select,       [FUNC_FMIN] = nan_select,   [FUNC_MAXMAG] = nan_select,
    [FUNC_SIGN] = nan_sign,         [FUNC_MINMAG] = nan_select, [FUNC_STEP] = nan_step,
    [FUNC_COPYSIGN] = nan_copysign,
};

static int special_nan(const struct call *c)
{
    struct float_format const *f = c->f;
    if (!survives_nan[c->id] || !survives_nan[c->id](c)) {
        c->out->flags |= SET_QNAN;
    }
    if (format_is_snan(f, c->x) || format_is_snan(f, c->y) || format_is_snan(f, c->z)) {
        c->out->flags |= SET_QNAN | SET_SNAN;
    }
    return 1;
}

int func_get_special_cl(enum func_id id, const struct func_args *a, struct set *out)
{
    struct func_row const *row = &func_rows[id];
    struct float_format const *f = &float_formats[a->fmt];
    uint64_t const y = row->n_args > 1 ? a->enc[1] : 0;
    uint64_t const z = row->n_args > 2 ? a->enc[2] : 0;
    struct call const c = {.f = f,
                           .id = id,
                           .x = a->enc[0],
                           .y = y,
                           .z = z,
                           .mx = func_magnitude(f, a->enc[0]),
                           .my = func_magnitude(f, y),
                           .one = func_power(f, 0),
                           .n = a->n,
                           .minus_x = (a->enc[0] & f->sign) != 0,
                           .minus_y = (y & f->sign) != 0,
                           .out = out};
    set_clear(out, a->fmt);
    if (format_is_nan(f, c.x) || format_is_nan(f, y) || format_is_nan(f, z)) {
        return special_nan(&c);
    }
    return row->n_args > 1 || row->has_int ? several[id](&c) : special_one(&c);
}
