/* oracle/math/accuracy_int.c -- integers that an instruction gives beside, or instead of, a number. */
#include "oracle/math/accuracy_int.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/func/func_number.h"
#include "oracle/num/mp.h"
#include "oracle/num/real.h"

enum {
    QUOTIENT_BITS = 0x7f /* CC remquo: "at least the lower seven bits of the integral quotient" */
};

/* One more alternative, of which all bits count. */
static int answer(struct accuracy_int *out, int32_t value)
{
    assert(out->n < ACCURACY_MAX_INTEGERS);
    out->mask[out->n] = UINT32_MAX;
    out->value[out->n++] = value;
    return 1;
}

static int answer_prescribed(struct accuracy_int *out, int32_t value)
{
    out->is_prescribed = true;
    return answer(out, value);
}

static int answer_any(struct accuracy_int *out)
{
    out->is_any = true;
    return 1;
}

/* floor(log2 |x|) of a number that is not zero. */
static int32_t get_exponent(const struct float_format *f, uint64_t enc)
{
    return real_exponent(real_of(f, enc));
}

/* ilogb of x: its exponent, or of zero, infinity and NaN what C99 names FP_ILOGB0, INT_MIN or -INT_MAX,
 * and FP_ILOGBNAN, INT_MIN or INT_MAX; CC 6.15.2. A subnormal that may be flushed has both. */
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
    bool const is_flushed = format_is_subnormal(f, x) && r->flush_in != FLUSH_NEVER;
    if (format_is_zero(f, x) || is_flushed) {
        (void)answer(out, INT_MIN);
        (void)answer(out, -INT_MAX);
    }
    return format_is_zero(f, x) ? 1 : answer(out, get_exponent(f, x));
}

/* Of an infinity or a NaN: CE numerics, frexp: "stores 0 in exp"; GLSL.std.450: "the exponent is undefined". */
static int answer_frexp(const struct float_format *f, uint64_t x, enum env env,
                        const struct fp_rules *r, struct accuracy_int *out)
{
    if (func_magnitude(f, x) >= f->exp) {
        return env == ENV_CL ? answer_prescribed(out, 0) : answer_any(out);
    }
    if (format_is_zero(f, x) || (format_is_subnormal(f, x) && r->flush_in != FLUSH_NEVER)) {
        (void)answer(out, 0);
    }
    return format_is_zero(f, x) ? 1 : answer(out, get_exponent(f, x) + 1);
}

/* The quotient's sign and at least its seven low bits, of operands for which x / y is a number. */
static int32_t get_quotient(const struct float_format *f, uint64_t x, uint64_t y)
{
    struct mp_num nx, ny, rest;
    long quotient = 0;
    mp_init(&nx, f->prec_bits);
    mp_init(&ny, f->prec_bits);
    mp_init(&rest, f->prec_bits);
    mp_set_enc(&nx, f, x);
    mp_set_enc(&ny, f, y);
    (void)mpfr_remquo(rest.v, &quotient, nx.v, ny.v, MPFR_RNDN);
    int32_t const low = (int32_t)(labs(quotient) & QUOTIENT_BITS);
    return ((x ^ y) & f->sign) != 0 ? -low : low;
}

/* CE numerics, remquo: "returns a NaN and 0 in quo if x is an infinity, or if y is 0 and the other argument
 * is non-NaN or if either argument is a NaN". The quotient of a zero or by an infinity is 0, and so it is
 * where an operand is flushed. */
static int answer_remquo(const struct func_args *a, const struct fp_rules *r,
                         struct accuracy_int *out)
{
    struct float_format const *f = &float_formats[a->fmt];
    uint64_t const x = a->enc[0], y = a->enc[1];
    bool const is_flushed =
        r->flush_in != FLUSH_NEVER && (format_is_subnormal(f, x) || format_is_subnormal(f, y));
    bool const is_special = func_magnitude(f, x) >= f->exp || func_magnitude(f, y) >= f->exp ||
                            format_is_zero(f, x) || format_is_zero(f, y);
    if (is_special) {
        return answer_prescribed(out, 0);
    }
    if (is_flushed) {
        (void)answer(out, 0);
    }
    (void)answer(out, get_quotient(f, x, y));
    out->mask[out->n - 1] = QUOTIENT_BITS; /* more bits are the implementation's */
    return 1;
}

/* Permits what lgamma_r stores through its pointer: the sign of gamma(x), which is negative for x
 * in (-2k - 1, -2k), k = 0, 1, ... OpenCL C numerics: "returns 0 in signp if x is zero or a
 * negative integer"; a subnormal that may be flushed counts as zero too. */
static int answer_lgamma_r(const struct float_format *f, uint64_t x, const struct fp_rules *r,
                           struct accuracy_int *out)
{
    if (format_is_nan(f, x) || x == (f->sign | f->exp)) {
        return answer_any(out); /* gamma has no sign there */
    }
    if (format_is_subnormal(f, x) && r->flush_in != FLUSH_NEVER) {
        (void)answer(out, 0);
    }
    if (format_is_zero(f, x)) {
        return answer_prescribed(out, 0);
    }
    if ((x & f->sign) == 0) { /* +infinity included */
        return answer(out, 1);
    }
    enum func_kind const kind = func_get_kind(f, x);
    if (kind == FUNC_EVEN || kind == FUNC_ODD) { /* a negative integer */
        return answer_prescribed(out, 0);
    }
    struct mp_num whole, half; /* floor(x), whose parity gives the sign */
    mp_init(&whole, f->prec_bits);
    mp_init(&half, f->prec_bits);
    mp_set_enc(&whole, f, x);
    (void)mpfr_floor(whole.v, whole.v);
    (void)mpfr_div_2ui(half.v, whole.v, 1, MPFR_RNDN);
    bool const is_even = mpfr_integer_p(half.v) != 0;
    return answer(out, is_even ? 1 : -1);
}

/* Puts into *out the integers that the instruction may give of these arguments, all of them known; each
 * answer_ function adds alternatives. 0: the instruction has no integer result. */
int accuracy_permitted_int(const struct accuracy *a, const struct func_args *args,
                           const struct fp_rules *r, struct accuracy_int *out)
{
    struct float_format const *f = &float_formats[args->fmt];
    uint64_t const x = args->enc[0];
    *out = (struct accuracy_int){.n = 0};
    switch (op_find_number(a->query.op)) {
    case OP_opencl_std_ilogb:
        return answer_ilogb(f, x, r, out);
    case OP_opencl_std_frexp:
    case OP_glsl450_Frexp:
    case OP_glsl450_FrexpStruct:
        return answer_frexp(f, x, a->query.env, r, out);
    case OP_opencl_std_remquo:
        return answer_remquo(args, r, out);
    case OP_opencl_std_lgamma_r:
        return answer_lgamma_r(f, x, r, out);
    default:
        return 0;
    }
}

static uint32_t get_magnitude(int32_t value)
{
    return value < 0 ? 0 - (uint32_t)value : (uint32_t)value;
}

bool accuracy_int_has(const struct accuracy_int *s, int32_t got)
{
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t const want = get_magnitude(s->value[i]) & s->mask[i];
        bool const is_partial = s->mask[i] != UINT32_MAX;
        bool const has_sign = (s->value[i] < 0) == (got < 0) || (is_partial && want == 0);
        bool const is_within =
            s->span[i] > 0 && (uint32_t)got - (uint32_t)s->value[i] <= s->span[i];
        if (is_within || (want == (get_magnitude(got) & s->mask[i]) && has_sign)) {
            return true;
        }
    }
    return s->is_any;
}

uint64_t accuracy_int_count(const struct accuracy_int *s)
{
    uint64_t n = s->n;
    for (uint32_t i = 0; i < s->n; i++) {
        n += s->span[i];
    }
    return n;
}

bool accuracy_int_add(struct accuracy_int *s, uint32_t lo, uint32_t hi)
{
    uint32_t const last = s->n - 1;
    uint32_t const from_last = s->n ? lo - (uint32_t)s->value[last] : 0;
    bool const is_next = s->n > 0 && from_last <= (uint64_t)s->span[last] + 1;
    if (is_next || s->n == ACCURACY_MAX_INTEGERS) {
        uint32_t const span = hi - (uint32_t)s->value[last];
        bool const is_above = (int32_t)from_last >= 0 && (int32_t)span >= 0;
        s->span[last] = span > s->span[last] ? span : s->span[last];
        return is_above;
    }
    s->value[s->n] = (int32_t)lo;
    s->span[s->n] = hi - lo;
    s->mask[s->n++] = UINT32_MAX;
    return true;
}

int32_t accuracy_int_choose(const struct accuracy_int *s, uint64_t pick)
{
    assert(s->n > 0 && !s->is_any);
    uint32_t const i = (uint32_t)(pick % s->n);
    uint32_t const free_bits = ~s->mask[i] & INT32_MAX & (uint32_t)(pick >> 32);
    uint32_t const magnitude = get_magnitude(s->value[i]) | free_bits;
    uint32_t const above = s->span[i] ? (uint32_t)(pick >> 32) % s->span[i] : 0;
    return (int32_t)((s->value[i] < 0 ? 0 - magnitude : magnitude) + above);
}

static const char *to_text(const struct accuracy_int *s, uint32_t value, struct arena *a)
{
    return s->is_unsigned ? arena_printf(a, "%u", (unsigned)value)
                          : arena_printf(a, "%d", (int)(int32_t)value);
}

const char *accuracy_int_to_text(const struct accuracy_int *s, struct arena *a)
{
    const char *text = "{";
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t const value = (uint32_t)s->value[i];
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", to_text(s, value, a));
        if (s->span[i]) {
            text = arena_printf(a, "%s to %s", text, to_text(s, value + s->span[i], a));
        }
        if (s->mask[i] != UINT32_MAX) {
            text = arena_printf(a, "%s and bits of 0x%x", text, ~s->mask[i]);
        }
    }
    return arena_printf(a, "%s}", text);
}
