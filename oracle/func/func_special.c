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

static bool give(const struct call *call, uint64_t enc)
{
    set_add(call->out, enc);
    return true;
}

/* Adds the encoding of a prescribed value; for V_EITHER_INF both infinities. false: V_NUM, nothing is
 * prescribed. */
static bool give_value(const struct call *call, enum value v)
{
    struct float_format const *f = call->f;
    uint64_t const encodings[] = {
        [V_P0] = 0,
        [V_M0] = f->sign,
        [V_HALF] = func_power(f, -1),
        [V_MHALF] = f->sign | func_power(f, -1),
        [V_P1] = call->one,
        [V_M1] = f->sign | call->one,
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
        (void)give(call, f->sign | f->exp);
    }
    return give(call, encodings[v]);
}

static bool give_nan_if(const struct call *call, bool condition)
{
    return condition && give_value(call, V_NAN);
}

/* A zero of x's sign. */
static bool give_zero_if(const struct call *call, bool condition)
{
    return condition && give(call, call->x & call->f->sign);
}

/* A magnitude with x's sign. */
static bool give_signed(const struct call *call, uint64_t magnitude)
{
    return give(call, (call->x & call->f->sign) | magnitude);
}

static enum func_kind kind_of(const struct call *call, uint64_t enc)
{
    return func_get_kind(call->f, enc);
}

static bool is_integer(const struct call *call, uint64_t enc)
{
    enum func_kind const k = kind_of(call, enc);
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

static bool special_gamma(const struct call *call)
{
    if (call->minus_x && is_integer(call, call->x)) {
        return give_value(call, call->id == FUNC_TGAMMA ? V_NAN : V_PINF);
    }
    bool const is_one_or_two = call->x == call->one || call->x == func_power(call->f, 1);
    return call->id == FUNC_LGAMMA && is_one_or_two && give_value(call, V_P0);
}

/* sinpi, cospi and tanpi of x are prescribed at multiples of 1/2, else computed (false). OpenCL C, of
 * tanpi: a zero at an integer, of x's sign at an even one and of the other at an odd one; at n + 0.5 +inf
 * for even n, -inf for odd n. */
static bool special_of_pi(const struct call *call)
{
    enum func_kind const k = kind_of(call, call->x);
    if (k == FUNC_FRACTION) {
        return false;
    }
    bool const is_whole = k == FUNC_EVEN || k == FUNC_ODD;
    if (call->id == FUNC_SINPI) {
        return give_zero_if(call, is_whole);
    }
    if (call->id == FUNC_COSPI) {
        return !is_whole && give_value(call, V_P0);
    }
    if (is_whole) { /* tanpi from here on */
        return give(call, (call->x & call->f->sign) ^ (k == FUNC_ODD ? call->f->sign : 0));
    }
    /* k tells the parity of floor(|x|); for x < 0, n = floor(x) = -(floor(|x|) + 1) has the other */
    bool const is_n_even = (k == FUNC_HALF_EVEN) != call->minus_x;
    return give_value(call, is_n_even ? V_PINF : V_MINF);
}

/* Gives the result that is prescribed for a number x other than zero, for a function of one argument. Returns
 * false where nothing is prescribed and the value is computed, as for every function that is not listed. */
static bool special_number(const struct call *call)
{
    bool const is_one = call->x == call->one;
    bool const is_above_one = call->mx > call->one; /* in magnitude */
    bool const is_below_one = call->mx < call->one;
    uint64_t const half = func_power(call->f, -1);
    switch ((int)call->id) {
    case FUNC_ACOS:
    case FUNC_ACOSPI:
        return is_one ? give_value(call, V_P0) : give_nan_if(call, is_above_one);
    case FUNC_ASIN:
    case FUNC_ASINPI:
        return give_nan_if(call, is_above_one);
    case FUNC_ACOSH:
        return is_one ? give_value(call, V_P0) : give_nan_if(call, call->minus_x || is_below_one);
    case FUNC_ATANH:
        return call->mx == call->one ? give_signed(call, call->inf)
                                     : give_nan_if(call, is_above_one);
    case FUNC_LOG:
    case FUNC_LOG2:
    case FUNC_LOG10:
        return is_one ? give_value(call, V_P0) : give_nan_if(call, call->minus_x);
    case FUNC_LOG1P:
        return call->minus_x && call->mx == call->one
                   ? give_value(call, V_MINF)
                   : give_nan_if(call, call->minus_x && is_above_one);
    case FUNC_SQRT:
    case FUNC_RSQRT:
        return give_nan_if(call, call->minus_x);
    case FUNC_LGAMMA:
    case FUNC_TGAMMA:
        return special_gamma(call);
    case FUNC_SINPI:
    case FUNC_COSPI:
    case FUNC_TANPI:
        return special_of_pi(call);
    case FUNC_CEIL:
        return give_zero_if(call, call->minus_x && is_below_one);
    case FUNC_FLOOR:
        return give_zero_if(call, !call->minus_x && is_below_one);
    case FUNC_TRUNC:
        return give_zero_if(call, is_below_one);
    case FUNC_RINT: /* a tie goes to the even 0, */
        return give_zero_if(call, call->mx <= half);
    case FUNC_ROUND: /* or away from zero */
        return give_zero_if(call, call->mx < half);
    case FUNC_SIGN:
        return give_signed(call, call->one);
    case FUNC_FRACT:
        return is_integer(call, call->x) && give_value(call, V_P0);
    }
    return false;
}

static bool special_one(const struct call *call)
{
    struct row const *r = &rows[call->id];
    if (call->mx == 0) {
        return give_value(call, (enum value)(call->minus_x ? r->minus_zero : r->plus_zero));
    }
    if (call->mx == call->inf) {
        return give_value(call, (enum value)(call->minus_x ? r->minus_inf : r->plus_inf));
    }
    return special_number(call);
}

/* --- powers --- */

/* x^n or x^(1/n) at a zero or an infinity: large if the result is. */
static bool give_power(const struct call *call, bool is_large, bool is_odd)
{
    uint64_t const sign = is_odd ? call->x & call->f->sign : 0;
    return give(call, sign | (is_large ? call->inf : 0));
}

/* x^n or rootn(x, n), x^(1/n), of zeros and infinities, n = 0, and an even root of a negative number. */
static bool special_integer_power(const struct call *call)
{
    bool const is_odd = call->n % 2 != 0;
    bool const is_negative = call->n < 0;
    if (call->n == 0) {
        return give_value(call, call->id == FUNC_ROOTN ? V_NAN : V_P1);
    }
    if (call->mx == 0) {
        return give_power(call, is_negative, is_odd);
    }
    if (call->id == FUNC_ROOTN && call->minus_x && !is_odd) {
        return give_value(call, V_NAN);
    }
    if (call->mx == call->inf) {
        return give_power(call, !is_negative, is_odd);
    }
    return false;
}

/* pow(x, +-inf), x not +1 */
static bool give_to_infinity(const struct call *call)
{
    bool const is_large = (call->mx > call->one) != call->minus_y;
    return give(call, is_large ? call->inf : 0);
}

/* pow(x, y) of zeros and infinities, of y = 0 and x = 1, which give 1, and of a negative x whose power is
 * no integer. */
static bool special_pow(const struct call *call)
{
    if (call->my == 0 || call->x == call->one) {
        return give_value(call, V_P1);
    }
    if (call->my == call->inf) {
        if (call->mx == call->one) {
            return give_value(call, V_P1); /* pow(-1, +-inf) */
        }
        return give_to_infinity(call);
    }
    enum func_kind const k = kind_of(call, call->y);
    if (call->mx == 0 || call->mx == call->inf) {
        return give_power(call, (call->mx != 0) != call->minus_y, k == FUNC_ODD);
    }
    return give_nan_if(call, call->minus_x && k != FUNC_EVEN && k != FUNC_ODD);
}

static bool special_powr(const struct call *call)
{
    if (call->minus_x && call->mx != 0) {
        return give_value(call, V_NAN);
    }
    if (call->my == 0) {
        return give_value(call, call->mx == 0 || call->mx == call->inf ? V_NAN : V_P1);
    }
    if (call->mx == call->one) {
        return give_value(call, call->my == call->inf ? V_NAN : V_P1);
    }
    if (call->mx == 0 || call->mx == call->inf) {
        return give_power(call, (call->mx != 0) != call->minus_y, false);
    }
    return call->my == call->inf && give_to_infinity(call);
}

/* --- others of several arguments --- */

/*
 * The angle of the point (second, first): the first argument of atan2(y, x) is the vertical coordinate, so
 * that here call->x is its y, and call->y its x. Only angles that are encodings are prescribed: 0, and in
 * atan2pi, which divides by pi, those on the axes and diagonals of zeros and infinities. false: the angle
 * is computed.
 */
static bool special_atan2(const struct call *call)
{
    bool const is_first_inf = call->mx == call->inf, is_second_inf = call->my == call->inf;
    bool const is_horizontal = call->mx == 0 || (is_second_inf && !is_first_inf);
    bool const is_vertical = call->my == 0 || (is_first_inf && !is_second_inf);
    uint64_t const half = func_power(call->f, -1), quarter = func_power(call->f, -2);
    uint64_t const three_quarters = half | ((call->f->frac + 1) >> 1);
    if (is_horizontal && !call->minus_y) {
        return give_signed(call, 0);
    }
    if (call->id != FUNC_ATAN2PI) {
        return false; /* a multiple of pi, to be rounded */
    }
    if (is_horizontal) {
        return give_signed(call, call->one);
    }
    if (is_vertical) {
        return give_signed(call, half);
    }
    if (is_first_inf && is_second_inf) {
        return give_signed(call, call->minus_y ? three_quarters : quarter);
    }
    return false;
}

static bool special_remainder(const struct call *call)
{
    if (call->mx == call->inf || call->my == 0) {
        return give_value(call, V_NAN);
    }
    if (call->mx == 0 || call->my == call->inf) {
        return !format_is_subnormal(call->f, call->x) && give(call, call->x);
    }
    return false;
}

/* OpFRem and OpFMod of SPIR-V: undefined for a divisor of zero; only a result that is not zero has
 * a sign; infinities are not spoken of, except that x is a remainder of x / inf. */
static bool special_spirv_remainder(const struct call *call)
{
    bool const is_inf = call->my == call->inf;
    if (call->my == 0 || call->mx == call->inf ||
        (is_inf && call->id == FUNC_FMODULO && call->minus_x != call->minus_y)) {
        set_any(call->out, (enum fmt_id)call->out->fmt);
        return true;
    }
    if (call->mx == 0) {
        set_add_range(call->out, -1, 0);
        return true;
    }
    return false;
}

static bool special_hypot(const struct call *call)
{
    if (call->mx == call->inf || call->my == call->inf) {
        return give_value(call, V_PINF);
    }
    uint64_t const other = call->mx == 0 ? call->my : call->mx;
    if ((call->mx != 0 && call->my != 0) || format_is_subnormal(call->f, other)) {
        return false;
    }
    return give(call, other); /* hypot(x, +-0) is fabs(x) */
}

static bool special_fdim(const struct call *call)
{
    int64_t const kx = format_to_key(call->f, call->x), ky = format_to_key(call->f, call->y);
    if (kx <= ky || (call->mx == 0 && call->my == 0)) {
        return give_value(call, V_P0);
    }
    return (call->mx == call->inf || call->my == call->inf) && give_value(call, V_PINF);
}

static bool special_select(const struct call *call)
{
    if (call->mx == 0 && call->my == 0) {
        (void)give(call, call->x);
        return give(call, call->y);
    }
    uint64_t const got = func_select(call->id, call->f, call->x, call->y);
    uint64_t const m = func_magnitude(call->f, got);
    return (m == 0 || m == call->inf) && give(call, got);
}

static bool special_next_after(const struct call *call)
{
    if (call->mx == 0 && call->my == 0) {
        (void)give(call, call->x);
        return give(call, call->y);
    }
    if (call->x == call->y) {
        return func_is_inf(call->f, call->x) && give(call, call->x);
    }
    uint64_t const got = func_next_after(call->f, call->x, call->y);
    return (func_is_inf(call->f, got) || format_is_zero(call->f, got)) && give(call, got);
}

static bool special_step(const struct call *call)
{
    int64_t const edge = format_to_key(call->f, call->x), x = format_to_key(call->f, call->y);
    bool const is_below = x < edge && !(call->mx == 0 && call->my == 0);
    return give_value(call, is_below ? V_P0 : V_P1);
}

/* Sums, products and quotients that are exact for an infinity or a zero. */
static bool give_exact_if(const struct call *call, enum arith_op op, bool condition)
{
    uint64_t const args[] = {call->x, call->y, call->z};
    return condition && give(call, mp_apply(op, call->f, args, REAL_NEAREST));
}

/* Gives the result that is prescribed for several arguments, none of them a NaN; call->n is the
 * integer of ldexp, pown and rootn. Returns false where nothing is prescribed and the value is
 * computed. Every function of several arguments is listed. */
static bool special_several(const struct call *call)
{
    bool const has_zero = call->mx == 0 || call->my == 0;
    bool const has_inf =
        call->mx == call->inf || call->my == call->inf || func_is_inf(call->f, call->z);
    bool const is_x_number =
        call->mx != 0 && call->mx != call->inf; /* neither zero nor an infinity */
    switch ((int)call->id) {
    case FUNC_FADD:
        return give_exact_if(call, ARITH_ADD, has_inf);
    case FUNC_FSUB:
        return give_exact_if(call, ARITH_SUB, has_inf);
    case FUNC_FMUL:
        return give_exact_if(call, ARITH_MUL, has_inf || has_zero);
    case FUNC_DIVIDE:
        return give_exact_if(call, ARITH_DIV, has_inf || has_zero);
    case FUNC_FMA:
        return give_exact_if(call, ARITH_FMA, has_inf);
    case FUNC_LDEXP: /* C99 F.9.3.6: ldexp of a zero or an infinity, or by 0, is x */
        return (!is_x_number || call->n == 0) && give(call, call->x);
    case FUNC_COPYSIGN: /* of a number it is computed */
        return !is_x_number && give(call, call->mx | (call->y & call->f->sign));
    case FUNC_POWN:
    case FUNC_ROOTN:
        return special_integer_power(call);
    case FUNC_POW:
        return special_pow(call);
    case FUNC_POWR:
        return special_powr(call);
    case FUNC_ATAN2:
    case FUNC_ATAN2PI:
        return special_atan2(call);
    case FUNC_FMOD:
    case FUNC_REMAINDER:
        return special_remainder(call);
    case FUNC_FREM:
    case FUNC_FMODULO:
        return special_spirv_remainder(call);
    case FUNC_HYPOT:
        return special_hypot(call);
    case FUNC_FDIM:
        return special_fdim(call);
    case FUNC_FMAX:
    case FUNC_FMIN:
    case FUNC_MAXMAG:
    case FUNC_MINMAG:
        return special_select(call);
    case FUNC_NEXTAFTER:
        return special_next_after(call);
    case FUNC_STEP:
        return special_step(call);
    }
    assert(0 && "a function of several arguments has no special values");
    return false;
}

/* --- NaN --- */

/* Adds the value that the function has although an argument is a NaN, as pow(1, NaN) is 1. false: it has
 * none but a NaN. */
static bool survives_nan(const struct call *call)
{
    bool const is_x_nan = format_is_nan(call->f, call->x),
               is_y_nan = format_is_nan(call->f, call->y);
    switch ((int)call->id) {
    case FUNC_POW:
        return (call->x == call->one || call->my == 0) && give_value(call, V_P1);
    case FUNC_POWN:
        return call->n == 0 && give_value(call, V_P1);
    case FUNC_HYPOT:
        return (call->mx == call->inf || call->my == call->inf) && give_value(call, V_PINF);
    case FUNC_FMAX:
    case FUNC_FMIN:
    case FUNC_MAXMAG:
    case FUNC_MINMAG:
        return !(is_x_nan && is_y_nan) && give(call, is_x_nan ? call->y : call->x);
    case FUNC_SIGN:
        return give_value(call, V_P0);
    case FUNC_STEP:
        return give_value(call, V_P1); /* x < edge does not hold */
    case FUNC_COPYSIGN:                /* nothing keeps the sign of a NaN */
        return !is_x_nan && give(call, call->mx) && give(call, call->f->sign | call->mx);
    }
    return false;
}

static bool special_nan(const struct call *call)
{
    struct float_format const *f = call->f;
    if (!survives_nan(call)) {
        call->out->flags |= SET_QNAN;
    }
    if (format_is_snan(f, call->x) || format_is_snan(f, call->y) || format_is_snan(f, call->z)) {
        call->out->flags |= SET_QNAN | SET_SNAN;
    }
    return true;
}

static bool has_nan(const struct call *call)
{
    return format_is_nan(call->f, call->x) || format_is_nan(call->f, call->y) ||
           format_is_nan(call->f, call->z);
}

static bool get_special_cl(const struct call *call)
{
    if (has_nan(call)) {
        return special_nan(call);
    }
    bool const is_of_one = func_rows[call->id].n_args == 1 && !func_rows[call->id].has_int;
    return is_of_one ? special_one(call) : special_several(call);
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

static bool give_any(const struct call *call)
{
    set_any(call->out, (enum fmt_id)call->out->fmt);
    return true;
}

/* GLSL's Round: "the fraction 0.5 will round in a direction chosen by the implementation", so that both
 * integers beside a tie, an x of n + 1/2, are given, and where one of them is zero, both zeros. false: x
 * is no tie. */
static bool round_tie(const struct call *call)
{
    enum func_kind const k = kind_of(call, call->x);
    if (k != FUNC_HALF_EVEN && k != FUNC_HALF_ODD) {
        return false;
    }
    struct mp_num value, whole;
    mp_init(&value, call->f->prec_bits);
    mp_set_enc(&value, call->f, call->x);
    for (unsigned i = 0; i < 2; i++) {
        mp_init(&whole, call->f->prec_bits);
        (void)mpfr_rint(whole.v, value.v, i == 0 ? MPFR_RNDD : MPFR_RNDU); /* exact: below 2^p */
        uint64_t const enc = mp_round(call->f, whole.v, REAL_NEAREST);
        (void)give(call, enc);
        if (format_is_zero(call->f, enc)) {
            (void)give(call, enc ^ call->f->sign);
        }
    }
    return true;
}

/* Ldexp: "too large to be represented", or exp above 128 in f32, 1024 in f64, 16 in f16. */
static bool is_bad_scale(const struct call *call)
{
    if (call->n > call->f->emax + 1) {
        return true;
    }
    return call->mx != 0 && call->n > call->f->emax - real_exponent(real_of(call->f, call->x));
}

/* Does GLSL.std.450 leave the result undefined for these finite arguments? */
static bool is_undefined(const struct call *call)
{
    bool const is_below_zero = call->minus_x && call->mx != 0;
    switch ((int)call->id) {
    case FUNC_ASIN:
    case FUNC_ACOS:
        return call->mx > call->one;
    case FUNC_ACOSH:
        return call->minus_x || call->mx < call->one;
    case FUNC_ATANH:
        return call->mx >= call->one;
    case FUNC_ATAN2:
        return call->mx == 0 && call->my == 0;
    case FUNC_POW:
        return is_below_zero || (call->mx == 0 && (call->minus_y || call->my == 0));
    case FUNC_LOG:
    case FUNC_LOG2:
    case FUNC_RSQRT:
        return call->minus_x || call->mx == 0;
    case FUNC_SQRT:
        return is_below_zero;
    case FUNC_LDEXP:
        return is_bad_scale(call);
    }
    return false;
}

/* Gives the result that Vulkan prescribes. Arithmetic and functions that GLSL.std.450 lacks
 * (is_glsl) are as in OpenCL. For the others a NaN gives anything. Step, FMin and FMax of numbers
 * are as in OpenCL, and Sign is handled here. Infinities, and arguments that the text excludes,
 * give anything. The rest is computed (false), except for ties of Round. */
static bool get_special_vk(const struct call *call)
{
    bool const is_opencl_but_for_nan =
        call->id == FUNC_STEP || call->id == FUNC_FMAX || call->id == FUNC_FMIN;
    if (!is_glsl[call->id] && call->id != FUNC_SIGN && !is_opencl_but_for_nan) {
        return get_special_cl(call);
    }
    if (has_nan(call)) {
        return give_any(call);
    }
    if (is_opencl_but_for_nan) {
        return get_special_cl(call);
    }
    if (call->id == FUNC_SIGN && call->mx == 0) {
        return give(call, 0) && give(call, call->f->sign);
    }
    if (call->id == FUNC_SIGN) {
        return give_signed(call, call->one);
    }
    bool const has_inf = call->mx == call->inf || call->my == call->inf;
    if (has_inf || is_undefined(call)) {
        return give_any(call);
    }
    return call->id == FUNC_ROUND && call->mx != 0 && round_tie(call);
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
    struct call const call = {.f = f,
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
    return env == ENV_VK ? get_special_vk(&call) : get_special_cl(&call);
}
