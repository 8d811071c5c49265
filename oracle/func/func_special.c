/* oracle/func/func_special.c -- what C99 section F.9, OpenCL C and GLSL.std.450 prescribe, exactly. */
#include "oracle/func/func_special.h"

#include <assert.h>

#include "base/format.h"
#include "oracle/func/func_number.h"
#include "oracle/num/mp.h"
#include "oracle/num/real.h"

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
/* The arguments of one call, classified, and where its prescribed results go. Each give_ and special_ function
 * below answers true when it gave some; false: none are prescribed, the value is to be computed. */
struct call {
    const struct float_format *f;
    enum func_id id;
    uint64_t x, y, z;  /* encodings */
    uint64_t mx, my;   /* magnitudes: ordered as the values are */
    uint64_t one, inf; /* encodings of 1 and of +infinity */
    int32_t n;
    bool minus_x, minus_y; /* signs */
    struct set *out;
};

static bool give(const struct call *c, uint64_t enc)
{
    set_add(c->out, enc);
    return true;
}

/* Adds the encoding of a prescribed value; for V_EITHER_INF both infinities. false: V_NUM, nothing is
 * prescribed. */
static bool give_value(const struct call *c, enum value v)
{
    struct float_format const *f = c->f;
    uint64_t const encodings[] = {
        [V_P0] = 0,
        [V_M0] = f->sign,
        [V_HALF] = func_power(f, -1),
        [V_MHALF] = f->sign | func_power(f, -1),
        [V_P1] = c->one,
        [V_M1] = f->sign | c->one,
        [V_P2] = func_power(f, 1),
        [V_PINF] = f->exp,
        [V_MINF] = f->sign | f->exp,
        [V_EITHER_INF] = f->exp,
        [V_NAN] = f->exp | f->quiet,
    };
    if (v == V_NUM) {
        return false;
    }
    if (v == V_EITHER_INF) {
        (void)give(c, f->sign | f->exp);
    }
    return give(c, encodings[v]);
}

static bool give_nan_if(const struct call *c, bool condition)
{
    return condition && give_value(c, V_NAN);
}

/* A zero of x's sign. */
static bool give_zero_if(const struct call *c, bool condition)
{
    return condition && give(c, c->x & c->f->sign);
}

/* A magnitude with x's sign. */
static bool give_signed(const struct call *c, uint64_t magnitude)
{
    return give(c, (c->x & c->f->sign) | magnitude);
}

static enum func_kind kind_of(const struct call *c, uint64_t enc)
{
    return func_get_kind(c->f, enc);
}

static bool is_integer(const struct call *c, uint64_t enc)
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

/* --- one argument that is finite and not zero --- */

static bool special_gamma(const struct call *c)
{
    if (c->minus_x && is_integer(c, c->x)) {
        return give_value(c, c->id == FUNC_TGAMMA ? V_NAN : V_PINF);
    }
    bool const is_one_or_two = c->x == c->one || c->x == func_power(c->f, 1);
    return c->id == FUNC_LGAMMA && is_one_or_two && give_value(c, V_P0);
}

/* sinpi, cospi and tanpi of x are prescribed at multiples of 1/2, else computed (false). OpenCL C, of
 * tanpi: a zero at an integer, of x's sign at an even one and of the other at an odd one; at n + 0.5 +inf
 * for even n, -inf for odd n. */
static bool special_of_pi(const struct call *c)
{
    enum func_kind const k = kind_of(c, c->x);
    if (k == FUNC_FRACTION) {
        return false;
    }
    bool const is_whole = k == FUNC_EVEN || k == FUNC_ODD;
    if (c->id == FUNC_SINPI) {
        return give_zero_if(c, is_whole);
    }
    if (c->id == FUNC_COSPI) {
        return !is_whole && give_value(c, V_P0);
    }
    if (is_whole) { /* tanpi from here on */
        return give(c, (c->x & c->f->sign) ^ (k == FUNC_ODD ? c->f->sign : 0));
    }
    /* k tells the parity of floor(|x|); for x < 0, n = floor(x) = -(floor(|x|) + 1) has the other */
    bool const is_n_even = (k == FUNC_HALF_EVEN) != c->minus_x;
    return give_value(c, is_n_even ? V_PINF : V_MINF);
}

/* Gives the result that is prescribed for a number x other than zero, for a function of one
 * argument. Returns false where nothing is prescribed and the value is computed, as for every
 * function that is not listed. */
static bool special_number(const struct call *c)
{
    bool const is_one = c->x == c->one;
    bool const is_above_one = c->mx > c->one; /* in magnitude */
    bool const is_below_one = c->mx < c->one;
    uint64_t const half = func_power(c->f, -1);
    switch ((int)c->id) {
    case FUNC_ACOS:
    case FUNC_ACOSPI:
        return is_one ? give_value(c, V_P0) : give_nan_if(c, is_above_one);
    case FUNC_ASIN:
    case FUNC_ASINPI:
        return give_nan_if(c, is_above_one);
    case FUNC_ACOSH:
        return is_one ? give_value(c, V_P0) : give_nan_if(c, c->minus_x || is_below_one);
    case FUNC_ATANH:
        return c->mx == c->one ? give_signed(c, c->inf) : give_nan_if(c, is_above_one);
    case FUNC_LOG:
    case FUNC_LOG2:
    case FUNC_LOG10:
        return is_one ? give_value(c, V_P0) : give_nan_if(c, c->minus_x);
    case FUNC_LOG1P:
        return c->minus_x && c->mx == c->one ? give_value(c, V_MINF)
                                             : give_nan_if(c, c->minus_x && is_above_one);
    case FUNC_SQRT:
    case FUNC_RSQRT:
        return give_nan_if(c, c->minus_x);
    case FUNC_LGAMMA:
    case FUNC_TGAMMA:
        return special_gamma(c);
    case FUNC_SINPI:
    case FUNC_COSPI:
    case FUNC_TANPI:
        return special_of_pi(c);
    case FUNC_CEIL:
        return give_zero_if(c, c->minus_x && is_below_one);
    case FUNC_FLOOR:
        return give_zero_if(c, !c->minus_x && is_below_one);
    case FUNC_TRUNC:
        return give_zero_if(c, is_below_one);
    case FUNC_RINT:
        return give_zero_if(c, c->mx <= half);
    case FUNC_ROUND:
        return give_zero_if(c, c->mx < half);
    case FUNC_SIGN:
        return give_signed(c, c->one);
    case FUNC_FRACT:
        return is_integer(c, c->x) && give_value(c, V_P0);
    }
    return false;
}

static bool special_one(const struct call *c)
{
    struct row const *r = &rows[c->id];
    if (c->mx == 0) {
        return give_value(c, (enum value)(c->minus_x ? r->minus_zero : r->plus_zero));
    }
    if (c->mx == c->inf) {
        return give_value(c, (enum value)(c->minus_x ? r->minus_inf : r->plus_inf));
    }
    return special_number(c);
}

/* --- powers --- */

/* x^n or x^(1/n) at a zero or an infinity: large if the result is. */
static bool give_power(const struct call *c, bool is_large, bool is_odd)
{
    uint64_t const sign = is_odd ? c->x & c->f->sign : 0;
    return give(c, sign | (is_large ? c->inf : 0));
}

/* x^n or rootn(x, n), x^(1/n), of zeros and infinities, n = 0, and an even root of a negative number. */
static bool special_integer_power(const struct call *c)
{
    bool const is_odd = c->n % 2 != 0;
    bool const is_negative = c->n < 0;
    if (c->n == 0) {
        return give_value(c, c->id == FUNC_ROOTN ? V_NAN : V_P1);
    }
    if (c->mx == 0) {
        return give_power(c, is_negative, is_odd);
    }
    if (c->id == FUNC_ROOTN && c->minus_x && !is_odd) {
        return give_value(c, V_NAN);
    }
    if (c->mx == c->inf) {
        return give_power(c, !is_negative, is_odd);
    }
    return false;
}

/* pow(x, +-inf), x not +1 */
static bool give_to_infinity(const struct call *c)
{
    bool const is_large = (c->mx > c->one) != c->minus_y;
    return give(c, is_large ? c->inf : 0);
}

/* pow(x, y) of zeros and infinities, of y = 0 and x = 1, which give 1, and of a negative x whose power is
 * no integer. */
static bool special_pow(const struct call *c)
{
    if (c->my == 0 || c->x == c->one) {
        return give_value(c, V_P1);
    }
    if (c->my == c->inf) {
        if (c->mx == c->one) {
            return give_value(c, V_P1); /* pow(-1, +-inf) */
        }
        return give_to_infinity(c);
    }
    enum func_kind const k = kind_of(c, c->y);
    if (c->mx == 0 || c->mx == c->inf) {
        return give_power(c, (c->mx != 0) != c->minus_y, k == FUNC_ODD);
    }
    return give_nan_if(c, c->minus_x && k != FUNC_EVEN && k != FUNC_ODD);
}

static bool special_powr(const struct call *c)
{
    if (c->minus_x && c->mx != 0) {
        return give_value(c, V_NAN);
    }
    if (c->my == 0) {
        return give_value(c, c->mx == 0 || c->mx == c->inf ? V_NAN : V_P1);
    }
    if (c->mx == c->one) {
        return give_value(c, c->my == c->inf ? V_NAN : V_P1);
    }
    if (c->mx == 0 || c->mx == c->inf) {
        return give_power(c, (c->mx != 0) != c->minus_y, false);
    }
    return c->my == c->inf && give_to_infinity(c);
}

/* --- others of several arguments --- */

/*
 * The angle of the point (second, first): the first argument of atan2(y, x) is the vertical coordinate, so
 * that here c->x is its y, and c->y its x. Only angles that are encodings are prescribed: 0, and in
 * atan2pi, which divides by pi, those on the axes and diagonals of zeros and infinities. false: the angle
 * is computed.
 */
static bool special_atan2(const struct call *c)
{
    bool const is_first_inf = c->mx == c->inf, is_second_inf = c->my == c->inf;
    bool const is_horizontal = c->mx == 0 || (is_second_inf && !is_first_inf);
    bool const is_vertical = c->my == 0 || (is_first_inf && !is_second_inf);
    uint64_t const half = func_power(c->f, -1), quarter = func_power(c->f, -2);
    uint64_t const three_quarters = half | ((c->f->frac + 1) >> 1);
    if (is_horizontal && !c->minus_y) {
        return give_signed(c, 0);
    }
    if (c->id != FUNC_ATAN2PI) {
        return false; /* a multiple of pi, to be rounded */
    }
    if (is_horizontal) {
        return give_signed(c, c->one);
    }
    if (is_vertical) {
        return give_signed(c, half);
    }
    if (is_first_inf && is_second_inf) {
        return give_signed(c, c->minus_y ? three_quarters : quarter);
    }
    return false;
}

static bool special_remainder(const struct call *c)
{
    if (c->mx == c->inf || c->my == 0) {
        return give_value(c, V_NAN);
    }
    if (c->mx == 0 || c->my == c->inf) {
        return !format_is_subnormal(c->f, c->x) && give(c, c->x);
    }
    return false;
}

/* OpFRem and OpFMod of SPIR-V: undefined for a divisor of zero; only a result that is not zero has
 * a sign; infinities are not spoken of, except that x is a remainder of x / inf. */
static bool special_spirv_remainder(const struct call *c)
{
    bool const is_inf = c->my == c->inf;
    if (c->my == 0 || c->mx == c->inf ||
        (is_inf && c->id == FUNC_FMODULO && c->minus_x != c->minus_y)) {
        set_any(c->out, (enum fmt_id)c->out->fmt);
        return true;
    }
    if (c->mx == 0) {
        set_add_range(c->out, -1, 0);
        return true;
    }
    return false;
}

static bool special_hypot(const struct call *c)
{
    if (c->mx == c->inf || c->my == c->inf) {
        return give_value(c, V_PINF);
    }
    uint64_t const other = c->mx == 0 ? c->my : c->mx;
    if ((c->mx != 0 && c->my != 0) || format_is_subnormal(c->f, other)) {
        return false;
    }
    return give(c, other); /* hypot(x, +-0) is fabs(x) */
}

static bool special_fdim(const struct call *c)
{
    int64_t const kx = format_to_key(c->f, c->x), ky = format_to_key(c->f, c->y);
    if (kx <= ky || (c->mx == 0 && c->my == 0)) {
        return give_value(c, V_P0);
    }
    return (c->mx == c->inf || c->my == c->inf) && give_value(c, V_PINF);
}

static bool special_select(const struct call *c)
{
    if (c->mx == 0 && c->my == 0) {
        (void)give(c, c->x);
        return give(c, c->y);
    }
    uint64_t const got = func_select(c->id, c->f, c->x, c->y);
    uint64_t const m = func_magnitude(c->f, got);
    return (m == 0 || m == c->inf) && give(c, got);
}

static bool special_next_after(const struct call *c)
{
    if (c->mx == 0 && c->my == 0) {
        (void)give(c, c->x);
        return give(c, c->y);
    }
    if (c->x == c->y) {
        return func_is_inf(c->f, c->x) && give(c, c->x);
    }
    uint64_t const got = func_next_after(c->f, c->x, c->y);
    return (func_is_inf(c->f, got) || format_is_zero(c->f, got)) && give(c, got);
}

static bool special_step(const struct call *c)
{
    int64_t const edge = format_to_key(c->f, c->x), x = format_to_key(c->f, c->y);
    bool const is_below = x < edge && !(c->mx == 0 && c->my == 0);
    return give_value(c, is_below ? V_P0 : V_P1);
}

/* Sums, products and quotients that are exact for an infinity or a zero. */
static bool give_exact_if(const struct call *c, enum arith_op op, bool condition)
{
    uint64_t const args[] = {c->x, c->y, c->z};
    return condition && give(c, mp_apply(op, c->f, args, REAL_NEAREST));
}

/* Gives the result that is prescribed for several arguments, none of them a NaN; c->n is the
 * integer of ldexp, pown and rootn. Returns false where nothing is prescribed and the value is
 * computed. Every function of several arguments is listed. */
static bool special_several(const struct call *c)
{
    bool const has_zero = c->mx == 0 || c->my == 0;
    bool const has_inf = c->mx == c->inf || c->my == c->inf || func_is_inf(c->f, c->z);
    bool const is_x_number = c->mx != 0 && c->mx != c->inf; /* neither zero nor an infinity */
    switch ((int)c->id) {
    case FUNC_FADD:
        return give_exact_if(c, ARITH_ADD, has_inf);
    case FUNC_FSUB:
        return give_exact_if(c, ARITH_SUB, has_inf);
    case FUNC_FMUL:
        return give_exact_if(c, ARITH_MUL, has_inf || has_zero);
    case FUNC_DIVIDE:
        return give_exact_if(c, ARITH_DIV, has_inf || has_zero);
    case FUNC_FMA:
        return give_exact_if(c, ARITH_FMA, has_inf);
    case FUNC_LDEXP: /* C99 F.9.3.6: ldexp of a zero or an infinity, or by 0, is x */
        return (!is_x_number || c->n == 0) && give(c, c->x);
    case FUNC_COPYSIGN:
        return !is_x_number && give(c, c->mx | (c->y & c->f->sign));
    case FUNC_POWN:
    case FUNC_ROOTN:
        return special_integer_power(c);
    case FUNC_POW:
        return special_pow(c);
    case FUNC_POWR:
        return special_powr(c);
    case FUNC_ATAN2:
    case FUNC_ATAN2PI:
        return special_atan2(c);
    case FUNC_FMOD:
    case FUNC_REMAINDER:
        return special_remainder(c);
    case FUNC_FREM:
    case FUNC_FMODULO:
        return special_spirv_remainder(c);
    case FUNC_HYPOT:
        return special_hypot(c);
    case FUNC_FDIM:
        return special_fdim(c);
    case FUNC_FMAX:
    case FUNC_FMIN:
    case FUNC_MAXMAG:
    case FUNC_MINMAG:
        return special_select(c);
    case FUNC_NEXTAFTER:
        return special_next_after(c);
    case FUNC_STEP:
        return special_step(c);
    }
    assert(0 && "a function of several arguments has no special values");
    return false;
}

/* --- NaN --- */

/* Adds the value that the function has although an argument is a NaN, as pow(1, NaN) is 1. false: it has
 * none but a NaN. */
static bool survives_nan(const struct call *c)
{
    bool const is_x_nan = format_is_nan(c->f, c->x), is_y_nan = format_is_nan(c->f, c->y);
    switch ((int)c->id) {
    case FUNC_POW:
        return (c->x == c->one || c->my == 0) && give_value(c, V_P1);
    case FUNC_POWN:
        return c->n == 0 && give_value(c, V_P1);
    case FUNC_HYPOT:
        return (c->mx == c->inf || c->my == c->inf) && give_value(c, V_PINF);
    case FUNC_FMAX:
    case FUNC_FMIN:
    case FUNC_MAXMAG:
    case FUNC_MINMAG:
        return !(is_x_nan && is_y_nan) && give(c, is_x_nan ? c->y : c->x);
    case FUNC_SIGN:
        return give_value(c, V_P0);
    case FUNC_STEP:
        return give_value(c, V_P1); /* x < edge does not hold */
    case FUNC_COPYSIGN:             /* nothing keeps the sign of a NaN */
        return !is_x_nan && give(c, c->mx) && give(c, c->f->sign | c->mx);
    }
    return false;
}

static bool special_nan(const struct call *c)
{
    struct float_format const *f = c->f;
    if (!survives_nan(c)) {
        c->out->flags |= SET_QNAN;
    }
    if (format_is_snan(f, c->x) || format_is_snan(f, c->y) || format_is_snan(f, c->z)) {
        c->out->flags |= SET_QNAN | SET_SNAN;
    }
    return true;
}

static bool has_nan(const struct call *c)
{
    return format_is_nan(c->f, c->x) || format_is_nan(c->f, c->y) || format_is_nan(c->f, c->z);
}

static bool get_special_cl(const struct call *c)
{
    if (has_nan(c)) {
        return special_nan(c);
    }
    bool const is_of_one = func_rows[c->id].n_args == 1 && !func_rows[c->id].has_int;
    return is_of_one ? special_one(c) : special_several(c);
}

/* --- GLSL.std.450 --- */

/* It says little of infinities and nothing of NaN outside FMin to NClamp: undefined here except for
 * arithmetic, which follows IEEE 754 where the modes in force preserve such values. */

/* Functions of the set that are computed where nothing is said; others are OpenCL's. */
static const uint8_t is_glsl[FUNC_N] = {
    [FUNC_ROUND] = 1, [FUNC_RINT] = 1,    [FUNC_TRUNC] = 1,   [FUNC_FLOOR] = 1, [FUNC_CEIL] = 1,
    [FUNC_FRACT] = 1, [FUNC_RADIANS] = 1, [FUNC_DEGREES] = 1, [FUNC_SIN] = 1,   [FUNC_COS] = 1,
    [FUNC_TAN] = 1,   [FUNC_ASIN] = 1,    [FUNC_ACOS] = 1,    [FUNC_ATAN] = 1,  [FUNC_SINH] = 1,
    [FUNC_COSH] = 1,  [FUNC_TANH] = 1,    [FUNC_ASINH] = 1,   [FUNC_ACOSH] = 1, [FUNC_ATANH] = 1,
    [FUNC_ATAN2] = 1, [FUNC_POW] = 1,     [FUNC_EXP] = 1,     [FUNC_LOG] = 1,   [FUNC_EXP2] = 1,
    [FUNC_LOG2] = 1,  [FUNC_SQRT] = 1,    [FUNC_RSQRT] = 1,   [FUNC_LDEXP] = 1,
};

static bool give_any(const struct call *c)
{
    set_any(c->out, (enum fmt_id)c->out->fmt);
    return true;
}

/* GLSL's Round: "the fraction 0.5 will round in a direction chosen by the implementation", so that both
 * integers beside a tie, an x of n + 1/2, are given, and where one of them is zero, both zeros. false: x
 * is no tie. */
static bool round_tie(const struct call *c)
{
    enum func_kind const k = kind_of(c, c->x);
    if (k != FUNC_HALF_EVEN && k != FUNC_HALF_ODD) {
        return false;
    }
    struct mp_num value, whole;
    mp_init(&value, c->f->prec_bits);
    mp_set_enc(&value, c->f, c->x);
    for (unsigned i = 0; i < 2; i++) {
        mp_init(&whole, c->f->prec_bits);
        (void)mpfr_rint(whole.v, value.v, i == 0 ? MPFR_RNDD : MPFR_RNDU); /* exact: below 2^p */
        uint64_t const enc = mp_round(c->f, whole.v, REAL_NEAREST);
        (void)give(c, enc);
        if (format_is_zero(c->f, enc)) {
            (void)give(c, enc ^ c->f->sign);
        }
    }
    return true;
}

/* Ldexp: "too large to be represented", or exp above 128 in f32, 1024 in f64, 16 in f16. */
static bool is_bad_scale(const struct call *c)
{
    if (c->n > c->f->emax + 1) {
        return true;
    }
    return c->mx != 0 && c->n > c->f->emax - real_exponent(real_of(c->f, c->x));
}

/* Does GLSL.std.450 leave the result undefined for these finite arguments? */
static bool is_undefined(const struct call *c)
{
    bool const is_below_zero = c->minus_x && c->mx != 0;
    switch ((int)c->id) {
    case FUNC_ASIN:
    case FUNC_ACOS:
        return c->mx > c->one;
    case FUNC_ACOSH:
        return c->minus_x || c->mx < c->one;
    case FUNC_ATANH:
        return c->mx >= c->one;
    case FUNC_ATAN2:
        return c->mx == 0 && c->my == 0;
    case FUNC_POW:
        return is_below_zero || (c->mx == 0 && (c->minus_y || c->my == 0));
    case FUNC_LOG:
    case FUNC_LOG2:
    case FUNC_RSQRT:
        return c->minus_x || c->mx == 0;
    case FUNC_SQRT:
        return is_below_zero;
    case FUNC_LDEXP:
        return is_bad_scale(c);
    }
    return false;
}

/* Gives the result that Vulkan prescribes. Arithmetic and functions that GLSL.std.450 lacks
 * (is_glsl) are as in OpenCL. For the others a NaN gives anything. Step, FMin and FMax of numbers
 * are as in OpenCL, and Sign is handled here. Infinities, and arguments that the text excludes,
 * give anything. The rest is computed (false), except for ties of Round. */
static bool get_special_vk(const struct call *c)
{
    bool const is_opencl_but_for_nan =
        c->id == FUNC_STEP || c->id == FUNC_FMAX || c->id == FUNC_FMIN;
    if (!is_glsl[c->id] && c->id != FUNC_SIGN && !is_opencl_but_for_nan) {
        return get_special_cl(c);
    }
    if (has_nan(c)) {
        return give_any(c);
    }
    if (is_opencl_but_for_nan) {
        return get_special_cl(c);
    }
    if (c->id == FUNC_SIGN && c->mx == 0) {
        return give(c, 0) && give(c, c->f->sign);
    }
    if (c->id == FUNC_SIGN) {
        return give_signed(c, c->one);
    }
    bool const has_inf = c->mx == c->inf || c->my == c->inf;
    if (has_inf || is_undefined(c)) {
        return give_any(c);
    }
    return c->id == FUNC_ROUND && c->mx != 0 && round_tie(c);
}

/* 1 and in *out the results that the environment prescribes for these arguments, exactly; 0: none, the
 * value is to be computed. The arguments are classified for the tables first; one that the function does
 * not have counts as +0. */
int func_get_special(enum func_id id, enum env env, const struct func_args *a, struct set *out)
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
                           .inf = f->exp,
                           .n = a->n,
                           .minus_x = (a->enc[0] & f->sign) != 0,
                           .minus_y = (y & f->sign) != 0,
                           .out = out};
    set_clear(out, a->fmt);
    return env == ENV_VK ? get_special_vk(&c) : get_special_cl(&c);
}
