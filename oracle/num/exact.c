/* oracle/num/exact.c -- one operation on encodings: its exact result, and fast sums. */
#include "oracle/num/exact.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "oracle/num/mp.h"

_Static_assert(FLT_EVAL_METHOD == 0, "arith_add_rne needs float and double without extra bits");

static uint64_t default_nan(const struct float_format *f)
{
    return f->exp | f->quiet;
}

static struct exact exact_special(uint64_t enc)
{
    return (struct exact){.special = enc};
}

/* Computes x + y exactly, neither of them a NaN: a special value (NaN, infinity, zero), or a number that is not
 * zero. is_cancelled: a zero whose sign depends on the rounding mode, as of x - x. */
static struct exact exact_add(const struct float_format *f, uint64_t x, uint64_t y)
{
    int const x_inf = (x & ~f->sign) == f->exp;
    int const y_inf = (y & ~f->sign) == f->exp;
    if (x_inf && y_inf && x != y) {
        return exact_special(default_nan(f));
    }
    if (x_inf || y_inf) {
        return exact_special(x_inf ? x : y);
    }
    int const x_zero = format_is_zero(f, x);
    int const y_zero = format_is_zero(f, y);
    if (x_zero && y_zero) {
        return (struct exact){.special = x, .is_cancelled = x != y};
    }
    struct exact e = {.is_number = 1};
    if (x_zero || y_zero) {
        e.number = real_of(f, x_zero ? y : x);
        return e;
    }
    e.number = real_add(real_of(f, x), real_of(f, y));
    if (e.number.sig == 0) {
        return (struct exact){.is_cancelled = 1};
    }
    return e;
}

static struct exact exact_mul(const struct float_format *f, uint64_t x, uint64_t y)
{
    uint64_t const sign = (x ^ y) & f->sign;
    int const any_inf = (x & ~f->sign) == f->exp || (y & ~f->sign) == f->exp;
    int const any_zero = format_is_zero(f, x) || format_is_zero(f, y);
    if (any_inf) {
        return exact_special(any_zero ? default_nan(f) : sign | f->exp);
    }
    if (any_zero) {
        return exact_special(sign);
    }
    return (struct exact){.is_number = 1, .number = real_mul(real_of(f, x), real_of(f, y))};
}

static struct exact exact_div(const struct float_format *f, uint64_t x, uint64_t y)
{
    uint64_t const sign = (x ^ y) & f->sign;
    int const x_inf = (x & ~f->sign) == f->exp;
    int const y_inf = (y & ~f->sign) == f->exp;
    int const x_zero = format_is_zero(f, x);
    int const y_zero = format_is_zero(f, y);
    if ((x_inf && y_inf) || (x_zero && y_zero)) {
        return exact_special(default_nan(f));
    }
    if (x_inf || y_zero) {
        return exact_special(sign | f->exp);
    }
    if (x_zero || y_inf) {
        return exact_special(sign);
    }
    return (struct exact){.is_number = 1, .number = real_div(real_of(f, x), real_of(f, y))};
}

struct exact exact_apply(enum arith_op op, const struct float_format *f, const uint64_t *args)
{
    switch (op) {
    case ARITH_ADD:
        return exact_add(f, args[0], args[1]);
    case ARITH_SUB:
        return exact_add(f, args[0], args[1] ^ f->sign);
    case ARITH_MUL:
        return exact_mul(f, args[0], args[1]);
    case ARITH_DIV:
        return exact_div(f, args[0], args[1]);
    case ARITH_FMA:
        break; /* by MPFR */
    }
    assert(0 && "arith_op out of range");
    return exact_special(default_nan(f));
}

uint64_t exact_round(const struct float_format *f, const struct exact *e, enum real_mode mode)
{
    if (e->is_number) {
        return real_round(f, e->number, mode);
    }
    if (e->is_cancelled) {
        return mode == REAL_DOWN ? f->sign : 0;
    }
    return e->special;
}

uint64_t arith_round(enum arith_op op, enum fmt_id fmt, const uint64_t *args, enum real_mode mode)
{
    struct float_format const *f = &float_formats[fmt];
    if (op == ARITH_FMA) {
        return mp_apply(op, f, args, mode);
    }
    struct exact const e = exact_apply(op, f, args);
    uint64_t const got = exact_round(f, &e, mode);
    exact_check(op, f, args, mode, got);
    return got;
}

void exact_check(enum arith_op op, const struct float_format *f, const uint64_t *args,
                 enum real_mode mode, uint64_t got)
{
#ifdef HALFULP_PARANOID
    uint64_t const want = mp_apply(op, f, args, mode);
    struct exact const e = op == ARITH_FMA ? exact_special(0) : exact_apply(op, f, args);
    int const tiny = op == ARITH_FMA ? mp_is_tiny(op, f, args) : exact_is_tiny(f, &e);
    if (want != got || tiny != mp_is_tiny(op, f, args)) {
        (void)fprintf(stderr, "arith: op %d %s 0x%llx 0x%llx mode %d: 0x%llx, MPFR 0x%llx\n",
                      (int)op, f->name, (unsigned long long)args[0], (unsigned long long)args[1],
                      (int)mode, (unsigned long long)got, (unsigned long long)want);
        abort();
    }
#else
    (void)op, (void)f, (void)args, (void)mode, (void)got;
#endif
}

/* --- fast sums: hardware, round to nearest, no flush in this process --- */

static uint64_t add_rne_f32(uint64_t x, uint64_t y)
{
    uint32_t const x_enc = (uint32_t)x, y_enc = (uint32_t)y;
    float a, b;
    memcpy(&a, &x_enc, sizeof(a));
    memcpy(&b, &y_enc, sizeof(b));
    float const sum = a + b;
    uint32_t enc;
    memcpy(&enc, &sum, sizeof(enc));
    return (enc & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : enc;
}

static uint64_t add_rne_f64(uint64_t x, uint64_t y)
{
    struct float_format const *f = &float_formats[FMT_F64];
    double a, b;
    memcpy(&a, &x, sizeof(a));
    memcpy(&b, &y, sizeof(b));
    double const sum = a + b;
    uint64_t enc;
    memcpy(&enc, &sum, sizeof(enc));
    return format_is_nan(f, enc) ? default_nan(f) : enc;
}

/* f16 and what the hardware has no mode for: by integers. */
static uint64_t add_by_integers(enum fmt_id fmt, uint64_t x, uint64_t y, enum real_mode mode)
{
    struct float_format const *f = &float_formats[fmt];
    if (format_is_nan(f, x) || format_is_nan(f, y)) {
        return default_nan(f);
    }
    struct exact const e = exact_add(f, x, y);
    return exact_round(f, &e, mode);
}

static uint64_t add(enum fmt_id fmt, uint64_t x, uint64_t y, enum real_mode mode)
{
    uint64_t const args[] = {x, y};
    bool const is_nearest = mode == REAL_NEAREST;
    uint64_t const got = is_nearest && fmt == FMT_F32   ? add_rne_f32(x, y)
                         : is_nearest && fmt == FMT_F64 ? add_rne_f64(x, y)
                                                        : add_by_integers(fmt, x, y, mode);
    exact_check(ARITH_ADD, &float_formats[fmt], args, mode, got);
    return got;
}

uint64_t arith_add_rne(enum fmt_id fmt, uint64_t x, uint64_t y)
{
    return add(fmt, x, y, REAL_NEAREST);
}

uint64_t arith_add_rtz(enum fmt_id fmt, uint64_t x, uint64_t y)
{
    return add(fmt, x, y, REAL_ZERO);
}
