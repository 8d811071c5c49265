/* oracle/nir_text/nir_float.c -- float operations of NIR, by the host's arithmetic where it is exact, by integers or MPFR else. */
#include "oracle/nir_text/nir_float.h"

#include <math.h>
#include <string.h>

#include "oracle/func/func.h"
#include "oracle/num/mp.h"
#include "oracle/num/real.h"
#include "oracle/num/set.h"

struct nir_modes nir_modes_of(uint32_t float_controls)
{
    struct nir_modes m;
    for (unsigned fmt = 0; fmt < FMT_N; fmt++) {
        m.flush[fmt] = m.flush_signs[fmt] = (float_controls >> (3 + fmt) & 1) != 0;
        m.weak_apart[fmt] = false;
        m.toward_zero[fmt] = (float_controls >> (9 + fmt) & 1) != 0;
    }
    return m;
}

static enum real_mode get_direction(bool toward_zero)
{
    return toward_zero ? REAL_ZERO : REAL_NEAREST;
}
static uint64_t get_nan(const struct float_format *f)
{
    return f->exp | f->quiet;
}
/* A subnormal as a zero of its sign where the modes flush the format. */
static uint64_t flush(const struct nir_modes *m, enum fmt_id fmt, uint64_t enc)
{
    const struct float_format *f = &float_formats[fmt];
    return m->flush[fmt] && format_is_subnormal(f, enc) ? enc & f->sign : enc;
}
/* The result of an operation: a NaN without payload, and flushed. */
static uint64_t finish(const struct nir_modes *m, enum fmt_id fmt, uint64_t enc)
{
    const struct float_format *f = &float_formats[fmt];
    return format_is_nan(f, enc) ? get_nan(f) : flush(m, fmt, enc);
}

static float as_f32(uint64_t enc)
{
    uint32_t const bits = (uint32_t)enc;
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
static uint64_t of_f32(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static double as_f64(uint64_t enc)
{
    double v;
    memcpy(&v, &enc, sizeof v);
    return v;
}
static uint64_t of_f64(double v)
{
    uint64_t enc;
    memcpy(&enc, &v, sizeof enc);
    return enc;
}

/* enc of format `from` rounded once to format `to`. */
static uint64_t round_to(enum fmt_id from, enum fmt_id to, uint64_t enc, bool toward_zero)
{
    return real_convert(&float_formats[from], &float_formats[to], enc, get_direction(toward_zero));
}
/* The value as a double, exactly. */
static double to_double(enum fmt_id fmt, uint64_t enc)
{
    return fmt == FMT_F32   ? (double)as_f32(enc)
           : fmt == FMT_F64 ? as_f64(enc)
                            : as_f64(round_to(FMT_F16, FMT_F64, enc, false));
}

/* A sum or product of flushed operands. A double holds that of two f16 exactly: 11 bits each, and at most 40 binades
 * between the units of the smallest and the largest number. */
static uint64_t apply(const struct nir_modes *m, enum fmt_id fmt, enum arith_op op, uint64_t a,
                      uint64_t b)
{
    uint64_t const args[2] = {flush(m, fmt, a), flush(m, fmt, b)};
    bool const is_add = op == ARITH_ADD;
    if (fmt == FMT_F16) {
        double const x = to_double(fmt, args[0]), y = to_double(fmt, args[1]);
        uint64_t const exact = of_f64(is_add ? x + y : x * y);
        return finish(m, fmt, round_to(FMT_F64, FMT_F16, exact, m->toward_zero[fmt]));
    }
    if (m->toward_zero[fmt]) {
        return finish(m, fmt, mp_apply(op, &float_formats[fmt], args, REAL_ZERO));
    }
    if (fmt == FMT_F32) {
        float const x = as_f32(args[0]), y = as_f32(args[1]);
        return finish(m, fmt, of_f32(is_add ? x + y : x * y));
    }
    double const x = as_f64(args[0]), y = as_f64(args[1]);
    return finish(m, fmt, of_f64(is_add ? x + y : x * y));
}

uint64_t nir_float_add(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b)
{
    return apply(m, format_of_bits(n_bits), ARITH_ADD, a, b);
}

uint64_t nir_float_multiply(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b)
{
    return apply(m, format_of_bits(n_bits), ARITH_MUL, a, b);
}

uint64_t nir_float_divide(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    uint64_t const args[2] = {flush(m, fmt, a), flush(m, fmt, b)};
    enum real_mode const direction = get_direction(m->toward_zero[fmt]);
    return finish(m, fmt, mp_apply(ARITH_DIV, &float_formats[fmt], args, direction));
}

uint64_t nir_float_multiply_zero(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    if (format_is_zero(f, flush(m, fmt, a)) || format_is_zero(f, flush(m, fmt, b))) {
        return 0;
    }
    return apply(m, fmt, ARITH_MUL, a, b);
}

uint64_t nir_float_fma(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b,
                       uint64_t c)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    uint64_t const args[3] = {flush(m, fmt, a), flush(m, fmt, b), flush(m, fmt, c)};
    /* The exact value of three f16 does not fit a double. */
    if (fmt == FMT_F16 || m->toward_zero[fmt]) {
        enum real_mode const direction = get_direction(m->toward_zero[fmt]);
        return finish(m, fmt, mp_apply(ARITH_FMA, &float_formats[fmt], args, direction));
    }
    if (fmt == FMT_F32) {
        return finish(m, fmt, of_f32(fmaf(as_f32(args[0]), as_f32(args[1]), as_f32(args[2]))));
    }
    return finish(m, fmt, of_f64(fma(as_f64(args[0]), as_f64(args[1]), as_f64(args[2]))));
}

uint64_t nir_float_weak_fma(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b,
                            uint64_t c)
{
    return m->weak_apart[format_of_bits(n_bits)]
               ? nir_float_add(m, n_bits, nir_float_multiply(m, n_bits, a, b), c)
               : nir_float_fma(m, n_bits, a, b, c);
}

uint64_t nir_float_flush(const struct nir_modes *m, unsigned n_bits, uint64_t a)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    return m->flush_signs[fmt] ? flush(m, fmt, a) : a;
}

uint64_t nir_float_canonical(const struct nir_modes *m, unsigned n_bits, uint64_t a)
{
    return finish(m, format_of_bits(n_bits), a);
}

uint64_t nir_float_select(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b,
                          bool is_max)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    a = finish(m, fmt, a);
    b = finish(m, fmt, b);
    if (format_is_nan(f, a) || format_is_nan(f, b)) {
        return format_is_nan(f, a) ? b : a;
    }
    bool const is_a_less = format_to_key(f, a) < format_to_key(f, b);
    return is_a_less == is_max ? b : a;
}

uint64_t nir_float_saturate(const struct nir_modes *m, unsigned n_bits, uint64_t a)
{
    const struct float_format *f = &float_formats[format_of_bits(n_bits)];
    uint64_t const at_least_zero = nir_float_select(m, n_bits, a, 0, true);
    return nir_float_select(m, n_bits, at_least_zero, format_one(f), false);
}

uint64_t nir_float_sign(const struct nir_modes *m, unsigned n_bits, uint64_t a)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    a = finish(m, fmt, a);
    if (format_is_nan(f, a)) {
        return 0;
    }
    return format_is_zero(f, a) ? a : (a & f->sign) | format_one(f);
}

uint64_t nir_float_integral(const struct nir_modes *m, unsigned n_bits, enum nir_integral way,
                            uint64_t a)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    double const v = to_double(fmt, flush(m, fmt, a));
    double out = v;
    switch (way) {
    case NIR_FLOOR:
        out = floor(v);
        break;
    case NIR_CEIL:
        out = ceil(v);
        break;
    case NIR_TRUNC:
        out = trunc(v);
        break;
    case NIR_EVEN:
        out = rint(v); /* the host rounds to nearest even */
        break;
    }
    return finish(m, fmt, round_to(FMT_F64, fmt, of_f64(out), false));
}

/* Is it a number that has digits: neither zero, infinity nor NaN? */
static bool has_digits(const struct float_format *f, uint64_t enc)
{
    return !format_is_zero(f, enc) && (enc & f->exp) != f->exp;
}

uint64_t nir_float_scale(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t n)
{
    enum {
        FURTHEST = 5000
    }; /* more than the binades of f64, subnormals included */
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    int32_t const steps = (int32_t)(uint32_t)n;
    a = finish(m, fmt, a);
    if (!has_digits(f, a)) {
        return a;
    }
    struct real r = real_of(f, a);
    r.exp += steps < -FURTHEST ? -FURTHEST : steps > FURTHEST ? FURTHEST : steps;
    return finish(m, fmt, real_round(f, r, get_direction(m->toward_zero[fmt])));
}

uint64_t nir_float_twice(const struct nir_modes *m, unsigned n_bits, uint64_t a)
{
    const struct float_format *f = &float_formats[format_of_bits(n_bits)];
    uint64_t const unit = f->frac + 1; /* of the exponent */
    bool const is_large = (a & f->exp) >= f->exp - unit;
    return is_large ? a : nir_float_scale(m, n_bits, a, 1);
}

uint64_t nir_float_significand(const struct nir_modes *m, unsigned n_bits, uint64_t a)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    a = finish(m, fmt, a);
    if (!has_digits(f, a)) {
        return a;
    }
    struct real r = real_of(f, a);
    r.exp = -64; /* the top bit of 64 is set: the value is in [0.5, 1) */
    return real_round(f, r, REAL_NEAREST);
}

int nir_float_exponent(const struct nir_modes *m, unsigned n_bits, uint64_t a)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    a = finish(m, fmt, a);
    return has_digits(f, a) ? real_of(f, a).exp + 64 : 0;
}

uint64_t nir_float_reciprocal(const struct nir_modes *m, unsigned n_bits, uint64_t a)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    a = finish(m, fmt, a);
    if (format_is_nan(f, a)) {
        return a;
    }
    if (!has_digits(f, a)) {
        return (a & f->sign) | (format_is_zero(f, a) ? f->exp : 0);
    }
    struct real const quotient = real_div(real_of_int(1, 0), real_of(f, a));
    return finish(m, fmt, real_round(f, quotient, get_direction(m->toward_zero[fmt])));
}

static uint64_t compute(const struct nir_modes *m, unsigned n_bits, enum func_id id, uint64_t a,
                        uint64_t b)
{
    static const struct func_bound none = {.ulp = 0};
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    struct fp_rules const rules = {.rounding = m->toward_zero[fmt] ? ROUND_RTZ : ROUND_RNE};
    struct func_args const args = {
        .fmt = fmt, .enc = {finish(m, fmt, a), finish(m, fmt, b)}
    };
    struct set s;
    /* OpenCL prescribes more special values than Vulkan does: those of C99. */
    if (!func_permitted(id, ENV_CL, &args, &none, &rules, &s) || (s.flags & SET_ANY) != 0 ||
        s.n == 0) {
        return get_nan(f);
    }
    /* Of two zeros, where either may be given, +0. */
    return finish(m, fmt, set_has(&s, 0) ? 0 : set_nth(&s, 0));
}

uint64_t nir_float_function(const struct nir_modes *m, unsigned n_bits, enum func_id id, uint64_t a)
{
    return compute(m, n_bits, id, a, 0);
}

uint64_t nir_float_power(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b)
{
    return compute(m, n_bits, FUNC_POW, a, b);
}

uint64_t nir_float_convert_toward(const struct nir_modes *m, unsigned n_bits, unsigned from_bits,
                                  uint64_t a, bool toward_zero)
{
    enum fmt_id const from = format_of_bits(from_bits), to = format_of_bits(n_bits);
    return finish(m, to, round_to(from, to, flush(m, from, a), toward_zero));
}

uint64_t nir_float_convert(const struct nir_modes *m, unsigned n_bits, unsigned from_bits,
                           uint64_t a)
{
    bool const toward_zero = m->toward_zero[format_of_bits(n_bits)];
    return nir_float_convert_toward(m, n_bits, from_bits, a, toward_zero);
}

uint64_t nir_float_from_int(const struct nir_modes *m, unsigned n_bits, uint64_t a, bool is_signed)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    if (a == 0) {
        return 0;
    }
    return real_round(&float_formats[fmt], real_of_int(a, is_signed),
                      get_direction(m->toward_zero[fmt]));
}

uint64_t nir_float_to_int(unsigned n_bits, uint64_t a, unsigned to_bits, bool is_signed)
{
    const struct float_format *f = &float_formats[format_of_bits(n_bits)];
    bool const is_negative = (a & f->sign) != 0;
    if (format_is_nan(f, a)) {
        return 0;
    }
    uint64_t const highest = UINT64_MAX >> (64 - to_bits + is_signed); /* of the type */
    uint64_t const limit = !is_negative ? highest : is_signed ? highest + 1 : 0;
    uint64_t magnitude = limit;
    if ((a & f->exp) != f->exp) {
        struct real const r = real_of(f, a);
        int const exponent = real_exponent(r);
        uint64_t const whole = r.sig == 0 || exponent < 0 ? 0
                               : exponent > 63            ? UINT64_MAX
                                                          : r.sig >> (63 - exponent);
        magnitude = whole < limit ? whole : limit;
    }
    return (is_negative ? 0 - magnitude : magnitude) & UINT64_MAX >> (64 - to_bits);
}

uint64_t nir_float_quantize(const struct nir_modes *m, uint64_t a)
{
    const struct float_format *f = &float_formats[FMT_F32];
    uint64_t const least = UINT64_C(0x38800000); /* 2^-14, the smallest normal f16 */
    a = flush(m, FMT_F32, a);
    if ((a & ~f->sign) < least) {
        return a & f->sign;
    }
    return round_to(FMT_F16, FMT_F32, round_to(FMT_F32, FMT_F16, a, false), false);
}

bool nir_float_is_finite(unsigned n_bits, uint64_t a)
{
    const struct float_format *f = &float_formats[format_of_bits(n_bits)];
    return (a & f->exp) != f->exp;
}

unsigned nir_float_compare(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b)
{
    enum fmt_id const fmt = format_of_bits(n_bits);
    const struct float_format *f = &float_formats[fmt];
    a = flush(m, fmt, a);
    b = flush(m, fmt, b);
    if (format_is_nan(f, a) || format_is_nan(f, b)) {
        return NIR_UNORDERED;
    }
    if (a == b || (format_is_zero(f, a) && format_is_zero(f, b))) {
        return NIR_EQUAL;
    }
    return format_to_key(f, a) < format_to_key(f, b) ? NIR_LESS : NIR_GREATER;
}
