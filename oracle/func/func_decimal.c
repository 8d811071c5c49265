/* oracle/func/func_decimal.c -- the exact value of a function in decimal, and how far a result is from it. */
#include "oracle/func/func_decimal.h"

#include <assert.h>
#include <string.h>

#include "base/format.h"
#include "oracle/func/func_mp.h"
#include "oracle/func/func_number.h"
#include "oracle/func/func_span.h"
#include "oracle/func/func_special.h"
#include "oracle/num/mp.h"
#include "oracle/num/set.h"

/* A magnitude as 0.d1d2d3... times 10^exponent. */
struct decimal {
    char digits[FUNC_MAX_DIGITS + 3]; /* as mpfr_get_str fills it */
    mpfr_exp_t exponent;
};

static void to_decimal(mpfr_srcptr x, unsigned n_digits, struct decimal *out)
{
    *out = (struct decimal){.exponent = 0};
    (void)mpfr_get_str(out->digits, &out->exponent, 10, n_digits, x, MPFR_RNDN);
}

/* Digits between which a number is shown without an exponent. */
enum {
    LEAST_PLAIN = -4,
    MOST_PLAIN = 16
};

/* "0.00012", "12.5", "1.25e+40"; trailing zeros after the point are left out. */
static const char *print_decimal(struct decimal *d, int is_negative, struct arena *a)
{
    const char *const sign = is_negative ? "-" : "";
    size_t n = strlen(d->digits);
    while (n > 1 && d->digits[n - 1] == '0') {
        d->digits[--n] = '\0';
    }
    long const e = (long)d->exponent;
    if (e <= 0 && e >= LEAST_PLAIN) {
        return arena_printf(a, "%s0.%.*s%s", sign, (int)-e, "0000", d->digits);
    }
    if (e > 0 && e <= MOST_PLAIN) {
        int const n_whole = (size_t)e < n ? (int)e : (int)n;
        return arena_printf(a, "%s%.*s%.*s%s%s", sign, n_whole, d->digits, (int)(e - n_whole),
                            "0000000000000000", (size_t)e < n ? "." : "", d->digits + n_whole);
    }
    return arena_printf(a, "%s%c%s%se%+03ld", sign, d->digits[0], n > 1 ? "." : "", d->digits + 1,
                        e - 1);
}

/* The same decimal at both ends is that of all between them. */
static const char *show_span(const struct func_span *s, unsigned n_digits, struct arena *a)
{
    struct decimal low, high;
    if (func_is_zero(s)) {
        return s->negative ? "-0" : "+0";
    }
    if (mpfr_inf_p(func_high(s)) || mpfr_zero_p(func_low(s))) {
        return NULL;
    }
    to_decimal(func_low(s), n_digits, &low);
    to_decimal(func_high(s), n_digits, &high);
    if (low.exponent != high.exponent || strcmp(low.digits, high.digits) != 0) {
        return NULL;
    }
    return print_decimal(&low, s->negative, a);
}

static const char *show_encoding(const struct float_format *f, uint64_t enc, unsigned n_digits,
                                 struct arena *a)
{
    struct decimal d;
    struct mp_num x;
    bool const is_negative = (enc & f->sign) != 0;
    if (format_is_zero(f, enc)) {
        return is_negative ? "-0" : "+0";
    }
    if (func_is_inf(f, enc)) {
        return is_negative ? "-infinity" : "+infinity";
    }
    mp_init(&x, f->prec_bits);
    mp_set_enc(&x, f, func_magnitude(f, enc));
    to_decimal(x.v, n_digits, &d);
    return print_decimal(&d, is_negative, a);
}

static const char *show_prescribed(const struct set *s, unsigned n_digits, struct arena *a)
{
    const struct float_format *const f = &float_formats[s->fmt];
    bool const is_nan = (s->flags & (SET_QNAN | SET_SNAN)) != 0;
    if (!(s->flags & SET_ANY) && s->n == 0 && is_nan) {
        return "NaN";
    }
    if (s->flags == 0 && s->n == 1 && s->r[0].lo == s->r[0].hi) {
        return show_encoding(f, format_from_key(f, s->r[0].lo), n_digits, a);
    }
    return set_to_text(s, a);
}

const char *func_show_exact(enum func_id id, enum env env, const struct func_args *args,
                            unsigned n_digits, struct arena *a)
{
    struct set special;
    assert(n_digits >= 1 && n_digits <= FUNC_MAX_DIGITS);
    if (func_get_special(id, env, args, &special)) {
        return show_prescribed(&special, n_digits, a);
    }
    for (unsigned step = 0; step < FUNC_N_PRECISIONS; step++) {
        struct func_span span;
        func_enclose(id, args, func_get_precision(&float_formats[args->fmt], step), &span);
        const char *const text = show_span(&span, n_digits, a);
        if (text) {
            return text;
        }
    }
    return "";
}

/* |x - got| at that precision, where x is the value's magnitude with its sign. */
static void put_distance(struct mp_num *out, mpfr_srcptr x, int is_negative,
                         const struct mp_num *got)
{
    struct mp_num value;
    mp_init(&value, MP_MAX_PREC_BITS);
    mp_init(out, MP_MAX_PREC_BITS);
    (void)mpfr_set(value.v, x, MPFR_RNDN);
    (void)mpfr_setsign(value.v, value.v, is_negative, MPFR_RNDN);
    (void)mpfr_sub(out->v, value.v, got->v, MPFR_RNDN);
    (void)mpfr_abs(out->v, out->v, MPFR_RNDN);
}

/* Returns the absolute distance between `got` and the exact value of the function, or -1 where the
 * result is prescribed or no precision suffices. The distance is known when those to both ends of
 * the enclosure agree to nine digits. */
double func_get_distance(enum func_id id, enum env env, const struct func_args *a, uint64_t got)
{
    static const double precise = 1e-9;
    const struct float_format *const f = &float_formats[a->fmt];
    struct set special;
    struct mp_num result;
    if (func_get_special(id, env, a, &special)) {
        return -1;
    }
    mp_init(&result, f->prec_bits);
    mp_set_enc(&result, f, got);
    for (unsigned step = 0; step < FUNC_N_PRECISIONS; step++) {
        struct func_span span;
        struct mp_num ends[2];
        func_enclose(id, a, func_get_precision(f, step), &span);
        if (mpfr_inf_p(func_high(&span))) { /* encloses too much at this precision */
            continue;
        }
        put_distance(&ends[0], func_low(&span), span.negative, &result);
        put_distance(&ends[1], func_high(&span), span.negative, &result);
        double const low = mpfr_get_d(ends[0].v, MPFR_RNDN);
        double const high = mpfr_get_d(ends[1].v, MPFR_RNDN);
        double const gap = low < high ? high - low : low - high;
        if (gap <= precise * low) {
            return low;
        }
    }
    return -1;
}
