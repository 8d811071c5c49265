/* oracle/func/func_special_vk.c -- what GLSL.std.450 leaves undefined, and what it prescribes. */
#include "oracle/func/func_special_vk.h"

#include "base/format.h"
#include "oracle/func/func_number.h"
#include "oracle/func/func_special_cl.h"
#include "oracle/num/mp.h"

/* GLSL.std.450 says little of infinities and nothing of NaN outside FMin to NClamp: undefined here
 * except for arithmetic, which follows IEEE 754 where the modes in force preserve such values. */

/* One call's arguments. */
struct call {
    const struct float_format *f;
    uint64_t x, y, mx, my, one;
    int minus_x, minus_y;
};

static int below_one(const struct call *c)
{
    return c->minus_x || c->mx < c->one;
}

static int above_one(const struct call *c)
{
    return c->mx > c->one;
}

static int at_least_one(const struct call *c)
{
    return c->mx >= c->one;
}

static int not_positive(const struct call *c)
{
    return c->minus_x || c->mx == 0;
}

static int negative(const struct call *c)
{
    return c->minus_x && c->mx != 0;
}

static int both_zero(const struct call *c)
{
    return c->mx == 0 && c->my == 0;
}

static int bad_power(const struct call *c)
{
    return negative(c) || (c->mx == 0 && (c->minus_y || c->my == 0));
}

/* Arguments for which the text says that the result is undefined. */
static int (*const is_undefined[FUNC_N])(const struct call *) = {
    [FUNC_ASIN] = above_one,     [FUNC_ACOS] = above_one,    [FUNC_ACOSH] = below_one,
    [FUNC_ATANH] = at_least_one, [FUNC_ATAN2] = both_zero,   [FUNC_POW] = bad_power,
    [FUNC_LOG] = not_positive,   [FUNC_LOG2] = not_positive, [FUNC_SQRT] = negative,
    [FUNC_RSQRT] = not_positive,
};

/* Functions of the set that are computed where nothing is said; others are OpenCL's. */
static const uint8_t is_glsl[FUNC_N] = {
    [FUNC_ROUND] = 1, [FUNC_RINT] = 1,    [FUNC_TRUNC] = 1,   [FUNC_FLOOR] = 1, [FUNC_CEIL] = 1,
    [FUNC_FRACT] = 1, [FUNC_RADIANS] = 1, [FUNC_DEGREES] = 1, [FUNC_SIN] = 1,   [FUNC_COS] = 1,
    [FUNC_TAN] = 1,   [FUNC_ASIN] = 1,    [FUNC_ACOS] = 1,    [FUNC_ATAN] = 1,  [FUNC_SINH] = 1,
    [FUNC_COSH] = 1,  [FUNC_TANH] = 1,    [FUNC_ASINH] = 1,   [FUNC_ACOSH] = 1, [FUNC_ATANH] = 1,
    [FUNC_ATAN2] = 1, [FUNC_POW] = 1,     [FUNC_EXP] = 1,     [FUNC_LOG] = 1,   [FUNC_EXP2] = 1,
    [FUNC_LOG2] = 1,  [FUNC_SQRT] = 1,    [FUNC_RSQRT] = 1,   [FUNC_LDEXP] = 1,
};

static int any(const struct func_args *a, struct set *out)
{
    set_any(out, a->fmt);
    return 1;
}

/* Round: "the fraction 0.5 will round in a direction chosen by the implementation". */
static int round_tie(const struct func_args *a, struct set *out)
{
    struct float_format const *f = &float_formats[a->fmt];
    uint64_t const x = a->enc[0];
    enum func_kind const k = func_get_kind(f, x);
    if (k != FUNC_HALF_EVEN && k != FUNC_HALF_ODD) {
        return 0;
    }
    struct mp_num value, whole;
    mp_init(&value, f->prec_bits);
    mp_set_enc(&value, f, x);
    for (unsigned i = 0; i < 2; i++) {
        mp_init(&whole, f->prec_bits);
        (void)mpfr_rint(whole.v, value.v, i == 0 ? MPFR_RNDD : MPFR_RNDU); /* exact: below 2^p */
        uint64_t const enc = mp_finish(f, &whole, 0, REAL_NEAREST);
        if (format_is_zero(f, enc)) {
            set_add_range(out, -1, 0);
        } else {
            set_add(out, enc);
        }
    }
    return 1;
}

/* Ldexp: "too large to be represented", or exp above 128 in f32, 1024 in f64, 16 in f16. */
static int is_bad_scale(const struct float_format *f, uint64_t x, int32_t n)
{
    uint64_t m = func_magnitude(f, x);
    if (n > f->emax + 1) {
        return 1;
    }
    if (m == 0) {
        return 0;
    }
    int exponent = (int)(m >> (f->prec_bits - 1)) + f->emin - 1;
    if (m <= f->frac) { /* subnormal */
        for (exponent = f->emin; m <= f->frac; exponent--) {
            m <<= 1;
        }
    }
    return n > f->emax - exponent;
}

static int special_sign(const struct call *c, struct set *out)
{
    if (c->mx == 0) {
        set_add_range(out, -1, 0);
    } else {
        set_add(out, (c->x & c->f->sign) | c->one);
    }
    return 1;
}

/* With an argument that is infinite. */
static int special_infinite(enum func_id id, const struct func_args *a, struct set *out)
{
    if (id == FUNC_STEP || id == FUNC_FMAX || id == FUNC_FMIN) {
        return func_get_special_cl(id, a, out);
    }
    return any(a, out);
}

int func_get_special_vk(enum func_id id, const struct func_args *a, struct set *out)
{
    struct func_row const *row = &func_rows[id];
    struct float_format const *f = &float_formats[a->fmt];
    int has_nan = 0, has_inf = 0;
    int const is_special = id == FUNC_SIGN || id == FUNC_STEP || id == FUNC_FMAX || id == FUNC_FMIN;
    if (!is_glsl[id] && !is_special) {
        return func_get_special_cl(id, a, out);
    }
    set_clear(out, a->fmt);
    for (unsigned i = 0; i < row->n_args; i++) {
        has_nan = has_nan || format_is_nan(f, a->enc[i]);
        has_inf = has_inf || func_is_inf(f, a->enc[i]);
    }
    uint64_t const y = row->n_args > 1 ? a->enc[1] : 0;
    struct call const c = {.f = f,
                           .x = a->enc[0],
                           .y = y,
                           .mx = func_magnitude(f, a->enc[0]),
                           .my = func_magnitude(f, y),
                           .one = func_power(f, 0),
                           .minus_x = (a->enc[0] & f->sign) != 0,
                           .minus_y = (y & f->sign) != 0};
    if (has_nan) {
        return any(a, out);
    }
    if (id == FUNC_SIGN) {
        return special_sign(&c, out);
    }
    if (has_inf) {
        return special_infinite(id, a, out);
    }
    if (is_undefined[id] && is_undefined[id](&c)) {
        return any(a, out);
    }
    if (id == FUNC_LDEXP && is_bad_scale(f, a->enc[0], a->n)) {
        return any(a, out);
    }
    if (id == FUNC_ROUND) {
        return c.mx != 0 && round_tie(a, out);
    }
    return is_special ? func_get_special_cl(id, a, out) : 0;
}
