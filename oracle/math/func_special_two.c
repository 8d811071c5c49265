/* oracle/math/func_special_two.c -- prescribed results of functions with several arguments. */
#include "oracle/math/func_call.h"

/* --- powers --- */

/* x^n or x^(1/n) at a zero or an infinity: large if the result is. */
static int give_power(const struct func_call *c, int is_large, int is_odd)
{
    uint64_t const sign = is_odd ? c->x & c->f->sign : 0;
    return give(c, sign | (is_large ? c->f->exp : 0));
}

static int special_integer_power(const struct func_call *c)
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
static int give_to_infinity(const struct func_call *c)
{
    int const is_large = (c->mx > c->one) != c->minus_y;
    return give(c, is_large ? c->f->exp : 0);
}

static int special_pow(const struct func_call *c)
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

static int special_powr(const struct func_call *c)
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

/* --- two arguments --- */

/* x is the first argument, y of atan2(y, x). */
static int special_atan2(const struct func_call *c)
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

static int special_remainder(const struct func_call *c)
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
static int special_spirv_remainder(const struct func_call *c)
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

static int special_hypot(const struct func_call *c)
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

static int special_fdim(const struct func_call *c)
{
    int64_t const kx = format_to_key(c->f, c->x), ky = format_to_key(c->f, c->y);
    if (kx <= ky || (c->mx == 0 && c->my == 0)) {
        return give_value(c, V_P0);
    }
    return c->mx == c->f->exp || c->my == c->f->exp ? give_value(c, V_PINF) : 0;
}

uint64_t func_select(enum func_id id, const struct float_format *f, uint64_t x, uint64_t y)
{
    uint64_t const mx = func_magnitude(f, x), my = func_magnitude(f, y);
    int const by_magnitude = id == FUNC_MAXMAG || id == FUNC_MINMAG;
    int const want_large = id == FUNC_FMAX || id == FUNC_MAXMAG;
    if (by_magnitude && mx != my) {
        return (mx > my) == want_large ? x : y;
    }
    return (format_to_key(f, x) > format_to_key(f, y)) == want_large ? x : y;
}

static int special_select(const struct func_call *c)
{
    if (c->mx == 0 && c->my == 0) {
        (void)give(c, c->x);
        return give(c, c->y);
    }
    uint64_t const got = func_select(c->id, c->f, c->x, c->y);
    uint64_t const m = func_magnitude(c->f, got);
    return m == 0 || m == c->f->exp ? give(c, got) : 0;
}

uint64_t func_next_after(const struct float_format *f, uint64_t x, uint64_t y)
{
    int64_t const ky = format_to_key(f, y);
    int64_t key = format_to_key(f, x);
    if (format_is_zero(f, x)) {
        return 1 | (y & f->sign);
    }
    key += ky > key ? 1 : -1;
    return format_from_key(f, key);
}

static int special_next_after(const struct func_call *c)
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

static int special_step(const struct func_call *c)
{
    int64_t const edge = format_to_key(c->f, c->x), x = format_to_key(c->f, c->y);
    int const is_below = x < edge && !(c->mx == 0 && c->my == 0);
    return give_value(c, is_below ? V_P0 : V_P1);
}

static int special_copysign(const struct func_call *c)
{
    return c->mx == 0 || c->mx == c->f->exp ? give(c, c->mx | (c->y & c->f->sign)) : 0;
}

/* Sums, products and quotients that are exact for an infinity or a zero. */
static int give_exact_if(const struct func_call *c, enum arith_op op, int condition)
{
    uint64_t const args[] = {c->x, c->y, c->z};
    return condition ? give(c, mp_apply(op, c->f, args, REAL_NEAREST)) : 0;
}

static int has_inf(const struct func_call *c)
{
    return c->mx == c->f->exp || c->my == c->f->exp || func_is_inf(c->f, c->z);
}

static int special_add(const struct func_call *c)
{
    return give_exact_if(c, ARITH_ADD, has_inf(c));
}

static int special_sub(const struct func_call *c)
{
    return give_exact_if(c, ARITH_SUB, has_inf(c));
}

static int special_mul(const struct func_call *c)
{
    return give_exact_if(c, ARITH_MUL, has_inf(c) || c->mx == 0 || c->my == 0);
}

static int special_div(const struct func_call *c)
{
    return give_exact_if(c, ARITH_DIV, has_inf(c) || c->mx == 0 || c->my == 0);
}

static int special_fma(const struct func_call *c)
{
    return give_exact_if(c, ARITH_FMA, has_inf(c));
}

static int special_ldexp(const struct func_call *c)
{
    return c->mx == 0 || c->mx == c->f->exp || c->n == 0 ? give(c, c->x) : 0;
}

static int (*const several[FUNC_N])(const struct func_call *) = {
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

int func_special_several(const struct func_call *c)
{
    return several[c->id](c);
}
