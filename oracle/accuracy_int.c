/* oracle/accuracy_int.c -- integers that an instruction gives beside, or instead of, a number. */
#include <limits.h>
#include <stdlib.h>

#include "oracle/accuracy_parts.h"
#include "oracle/func_parts.h"

static int answer(struct accuracy_int *out, int32_t value)
{
    out->value[out->n++] = value;
    return 1;
}

/* floor(log2 |x|) of a number that is not zero. */
static int32_t get_exponent(const struct float_format *f, uint64_t enc)
{
    uint64_t m = func_magnitude(f, enc);
    int32_t exponent = (int32_t)(m >> (f->prec_bits - 1)) + f->emin - 1;
    if (m <= f->frac) {
        exponent = f->emin;
        while (m <= f->frac) {
            m <<= 1;
            exponent--;
        }
    }
    return exponent;
}

/* C99 FP_ILOGB0 is INT_MIN or -INT_MAX, FP_ILOGBNAN INT_MIN or INT_MAX; CC 6.15.2. */
static int answer_ilogb(const struct float_format *f, uint64_t x, const struct fp_rules *r,
                        struct accuracy_int *out)
{
    if (format_is_nan(f, x)) {
        (void)answer(out, INT_MAX);
        return answer(out, INT_MIN);
    }
    if (func_is_inf(f, x)) {
        return answer(out, INT_MAX);
    }
    int const is_flushed = format_is_subnormal(f, x) && r->flush_in != FLUSH_NEVER;
    if (format_is_zero(f, x) || is_flushed) {
        (void)answer(out, INT_MIN);
        (void)answer(out, -INT_MAX);
    }
    return format_is_zero(f, x) ? 1 : answer(out, get_exponent(f, x));
}

static int answer_frexp(const struct float_format *f, uint64_t x, const struct fp_rules *r,
                        struct accuracy_int *out)
{
    if (func_magnitude(f, x) >= f->exp) { /* unspecified */
        out->is_any = 1;
        return 1;
    }
    if (format_is_zero(f, x) || (format_is_subnormal(f, x) && r->flush_in != FLUSH_NEVER)) {
        (void)answer(out, 0);
    }
    return format_is_zero(f, x) ? 1 : answer(out, get_exponent(f, x) + 1);
}

/* The quotient's sign and at least its seven low bits; zero or anything where x / y is no number. */
static int answer_remquo(const struct func_args *a, const struct fp_rules *r,
                         struct accuracy_int *out)
{
    struct float_format const *f = &float_formats[a->fmt];
    uint64_t const x = a->enc[0], y = a->enc[1];
    int const may_flush =
        r->flush_in != FLUSH_NEVER && (format_is_subnormal(f, x) || format_is_subnormal(f, y));
    if (func_magnitude(f, x) >= f->exp || format_is_nan(f, y) || format_is_zero(f, y) ||
        may_flush) {
        out->is_any = 1;
        return 1;
    }
    if (func_is_inf(f, y) || format_is_zero(f, x)) {
        return answer(out, 0);
    }
    struct mp_num nx, ny, rest;
    long quotient = 0;
    mp_init(&nx, f->prec_bits);
    mp_init(&ny, f->prec_bits);
    mp_init(&rest, f->prec_bits);
    mp_set_enc(&nx, f, x);
    mp_set_enc(&ny, f, y);
    (void)mpfr_remquo(rest.v, &quotient, nx.v, ny.v, MPFR_RNDN);
    int32_t const low = (int32_t)(labs(quotient) & 0x7f);
    out->mask = 0x7f; /* more bits are the implementation's */
    return answer(out, ((x ^ y) & f->sign) != 0 ? -low : low);
}

/* The sign of gamma: negative for x in (-2k - 1, -2k), k = 0, 1, ... A subnormal may be taken for a
 * zero, and of a zero so made the sign is not defined (CC edge cases). */
static int answer_lgamma_r(const struct float_format *f, uint64_t x, const struct fp_rules *r,
                           struct accuracy_int *out)
{
    int const is_flushed = format_is_subnormal(f, x) && r->flush_in != FLUSH_NEVER;
    uint64_t const m = func_magnitude(f, x);
    if (m > f->exp || x == (f->sign | f->exp)) {
        out->is_any = 1;
        return 1;
    }
    if ((x & f->sign) == 0 && !is_flushed) {
        return answer(out, 1);
    }
    enum func_kind const kind = m == 0 || is_flushed ? FUNC_EVEN : func_get_kind(f, x);
    if (kind == FUNC_EVEN || kind == FUNC_ODD) { /* a pole: 0, or its limit's sign */
        (void)answer(out, 0);
        (void)answer(out, 1);
        return answer(out, -1);
    }
    struct mp_num value, half;
    mp_init(&value, f->prec_bits);
    mp_init(&half, f->prec_bits);
    mp_set_enc(&value, f, x);
    (void)mpfr_floor(value.v, value.v);
    (void)mpfr_div_2ui(half.v, value.v, 1, MPFR_RNDN);
    return answer(out, mpfr_integer_p(half.v) ? 1 : -1);
}

int accuracy_permitted_int(const struct accuracy *a, const struct func_args *args,
                           const struct fp_rules *r, struct accuracy_int *out)
{
    struct float_format const *f = &float_formats[args->fmt];
    uint64_t const x = args->enc[0];
    *out = (struct accuracy_int){.mask = UINT32_MAX};
    switch (op_find_number(a->query.op)) {
    case OP_opencl_std_ilogb:
        return answer_ilogb(f, x, r, out);
    case OP_opencl_std_frexp:
    case OP_glsl450_Frexp:
    case OP_glsl450_FrexpStruct:
        return answer_frexp(f, x, r, out);
    case OP_opencl_std_remquo:
        return answer_remquo(args, r, out);
    case OP_opencl_std_lgamma_r:
        return answer_lgamma_r(f, x, r, out);
    default:
        return 0;
    }
}

int accuracy_int_has(const struct accuracy_int *s, int32_t got)
{
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t const want = (uint32_t)s->value[i], have = (uint32_t)got;
        int const is_partial = s->mask != UINT32_MAX;
        uint32_t const want_low = s->value[i] < 0 ? 0 - want : want;
        uint32_t const have_low = got < 0 ? 0 - have : have;
        if (!is_partial && want == have) {
            return 1;
        }
        if (is_partial && (want_low & s->mask) == (have_low & s->mask) &&
            ((s->value[i] < 0) == (got < 0) || want_low == 0)) {
            return 1;
        }
    }
    return s->is_any;
}
