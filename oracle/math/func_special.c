/* oracle/math/func_special.c -- what C99 section F.9 and OpenCL C prescribe, exactly. */
#include "oracle/math/func_call.h"

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

enum func_kind func_get_kind(const struct float_format *f, uint64_t enc)
{
    uint64_t const m = func_magnitude(f, enc);
    int const field = (int)(m >> (f->prec_bits - 1));
    uint64_t const sig = (m & f->frac) | (field != 0 ? f->frac + 1 : 0);
    int const exponent = (field != 0 ? field : 1) + f->emin - 1;
    int const shift = (int)f->prec_bits - 1 - exponent; /* fraction bits */
    if (shift < 0) {
        return FUNC_EVEN;
    }
    if (shift > (int)f->prec_bits) {
        return FUNC_FRACTION; /* below 1/2 */
    }
    int const is_odd = (sig >> shift & 1) != 0;
    uint64_t const rest = sig & ((UINT64_C(1) << shift) - 1);
    if (rest == 0) {
        return is_odd ? FUNC_ODD : FUNC_EVEN;
    }
    if (rest == UINT64_C(1) << (shift - 1)) {
        return is_odd ? FUNC_HALF_ODD : FUNC_HALF_EVEN;
    }
    return FUNC_FRACTION;
}

int func_is_ieee(enum func_id id)
{
    return id == FUNC_FADD || id == FUNC_FSUB || id == FUNC_FMUL || id == FUNC_DIVIDE ||
           id == FUNC_RECIP || id == FUNC_FMA || id == FUNC_FNEGATE || id == FUNC_FABS ||
           id == FUNC_COPYSIGN;
}

/* --- one argument, finite and not zero --- */

static int special_logarithm(const struct func_call *c)
{
    if (c->x == c->one) {
        return give_value(c, V_P0);
    }
    return give_nan_if(c, c->minus_x);
}

static int special_gamma(const struct func_call *c)
{
    if (c->minus_x && is_integer(c, c->x)) {
        return give_value(c, c->id == FUNC_TGAMMA ? V_NAN : V_PINF);
    }
    if (c->id == FUNC_LGAMMA && (c->x == c->one || c->x == func_power(c->f, 1))) {
        return give_value(c, V_P0);
    }
    return 0;
}

static int special_of_pi(const struct func_call *c)
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

static int special_ceil(const struct func_call *c)
{
    return give_zero_if(c, c->minus_x && c->mx < c->one);
}

static int special_floor(const struct func_call *c)
{
    return give_zero_if(c, !c->minus_x && c->mx < c->one);
}

static int special_trunc(const struct func_call *c)
{
    return give_zero_if(c, c->mx < c->one);
}

static int special_rint(const struct func_call *c)
{
    return give_zero_if(c, c->mx <= func_power(c->f, -1));
}

static int special_round(const struct func_call *c)
{
    return give_zero_if(c, c->mx < func_power(c->f, -1));
}

static int special_arc_cosine(const struct func_call *c)
{
    return c->x == c->one ? give_value(c, V_P0) : give_nan_if(c, c->mx > c->one);
}

static int special_arc_sine(const struct func_call *c)
{
    return give_nan_if(c, c->mx > c->one);
}

static int special_atanh(const struct func_call *c)
{
    return c->mx == c->one ? give_signed(c, c->f->exp) : give_nan_if(c, c->mx > c->one);
}

static int special_acosh(const struct func_call *c)
{
    return c->x == c->one ? give_value(c, V_P0) : give_nan_if(c, c->minus_x || c->mx < c->one);
}

static int special_log1p(const struct func_call *c)
{
    return c->minus_x && c->mx == c->one ? give_value(c, V_MINF)
                                         : give_nan_if(c, c->minus_x && c->mx > c->one);
}

static int special_root(const struct func_call *c)
{
    return give_nan_if(c, c->minus_x);
}

static int special_sign(const struct func_call *c)
{
    return give_signed(c, c->one);
}

static int special_fract(const struct func_call *c)
{
    return is_integer(c, c->x) ? give_value(c, V_P0) : 0;
}

/* By function; none: always computed. */
static int (*const finite[FUNC_N])(const struct func_call *) = {
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

static int special_one(const struct func_call *c)
{
    struct row const *r = &rows[c->id];
    if (c->mx == 0) {
        return give_value(c, (enum func_value)(c->minus_x ? r->minus_zero : r->plus_zero));
    }
    if (c->mx == c->f->exp) {
        return give_value(c, (enum func_value)(c->minus_x ? r->minus_inf : r->plus_inf));
    }
    return finite[c->id] ? finite[c->id](c) : 0;
}

/* --- NaN --- */

/* Both signs of a magnitude: copysign from a NaN, whose sign nothing keeps. */
static int give_both_signs(const struct func_call *c, uint64_t magnitude)
{
    (void)give(c, magnitude);
    return give(c, c->f->sign | magnitude);
}

static int nan_pow(const struct func_call *c)
{
    return c->x == c->one || c->my == 0 ? give_value(c, V_P1) : 0;
}

static int nan_pown(const struct func_call *c)
{
    return c->n == 0 ? give_value(c, V_P1) : 0;
}

static int nan_hypot(const struct func_call *c)
{
    return c->mx == c->f->exp || c->my == c->f->exp ? give_value(c, V_PINF) : 0;
}

static int nan_select(const struct func_call *c)
{
    int const nan_x = format_is_nan(c->f, c->x), nan_y = format_is_nan(c->f, c->y);
    return nan_x && nan_y ? 0 : give(c, nan_x ? c->y : c->x);
}

static int nan_sign(const struct func_call *c)
{
    return give_value(c, V_P0);
}

static int nan_step(const struct func_call *c)
{
    return give_value(c, V_P1); /* x < edge does not hold */
}

static int nan_copysign(const struct func_call *c)
{
    return format_is_nan(c->f, c->x) ? 0 : give_both_signs(c, c->mx);
}

/* Values that a NaN argument does not turn into NaN. */
static int (*const survives_nan[FUNC_N])(const struct func_call *) = {
    [FUNC_POW] = nan_pow,           [FUNC_POWN] = nan_pown,     [FUNC_HYPOT] = nan_hypot,
    [FUNC_FMAX] = nan_select,       [FUNC_FMIN] = nan_select,   [FUNC_MAXMAG] = nan_select,
    [FUNC_SIGN] = nan_sign,         [FUNC_MINMAG] = nan_select, [FUNC_STEP] = nan_step,
    [FUNC_COPYSIGN] = nan_copysign,
};

static int special_nan(const struct func_call *c)
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
    struct func_call const c = {.f = f,
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
    return row->n_args > 1 || row->has_int ? func_special_several(&c) : special_one(&c);
}

int func_get_special(enum func_id id, enum env env, const struct func_args *a, struct set *out)
{
    return env == ENV_VK ? func_get_special_vk(id, a, out) : func_get_special_cl(id, a, out);
}
