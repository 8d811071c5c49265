/* oracle/host.c -- float instructions in plain host arithmetic: the simulator's chooser `ieee`. */
#include "oracle/host.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* A binary16, by its fields; exact. */
static double widen(uint64_t enc)
{
    int const e = (int)(enc >> 10 & 31);
    int const m = (int)(enc & 1023);
    double v =
        e == 31 ? (m ? (double)NAN : (double)INFINITY) : ldexp(e ? 1024 + m : m, (e ? e : 1) - 25);
    return enc >> 15 & 1 ? -v : v;
}

/* Round a double to binary16 by its significand's integer; to nearest even or toward zero. */
static uint64_t narrow(double v, int toward_zero)
{
    uint64_t const sign = signbit(v) ? 0x8000 : 0;
    double const a = fabs(v);
    if (isnan(v)) {
        return sign | 0x7e00;
    }
    if (isinf(v)) {
        return sign | 0x7c00;
    }
    int e = 0;
    (void)frexp(a, &e);
    int const unit = e - 11 < -24 ? -24 : e - 11; /* exponent of the last place */
    double const scaled = ldexp(a, -unit);
    double const whole = floor(scaled);
    double const rest = scaled - whole;
    uint64_t n = (uint64_t)whole;
    if (!toward_zero && (rest > 0.5 || (!(rest < 0.5) && (n & 1)))) {
        n++;
    }
    double const rounded = ldexp((double)n, unit);
    if (rounded > 65504.0) {
        return sign | (toward_zero ? 0x7bff : 0x7c00);
    }
    if (n == 0) {
        return sign;
    }
    int top = 0;
    (void)frexp(rounded, &top);
    if (top - 1 < -14) {
        return sign | (uint64_t)ldexp(rounded, 24);
    }
    return sign | ((uint64_t)(top + 14) << 10 | ((uint64_t)ldexp(rounded, 11 - top) & 1023));
}

double host_decode(enum fmt_id fmt, uint64_t enc)
{
    double d = 0;
    float f = 0;
    uint32_t const bits = (uint32_t)enc;
    switch (fmt) {
    case FMT_F16:
        return widen(enc);
    case FMT_F32:
        memcpy(&f, &bits, sizeof f);
        return (double)f;
    case FMT_F64:
        memcpy(&d, &enc, sizeof d);
        return d;
    }
    return d;
}

static uint64_t flushed(const struct host_modes *modes, enum fmt_id fmt, uint64_t enc)
{
    const struct float_format *f = &float_formats[fmt];
    int const is_small = (enc & f->exp) == 0;
    return modes->flush[fmt] && is_small ? enc & f->sign : enc;
}

/* v, which double holds to enough bits, as an encoding of fmt. */
uint64_t host_encode(const struct host_modes *modes, enum fmt_id fmt, double v)
{
    uint64_t enc = 0;
    if (fmt == FMT_F16) {
        enc = narrow(v, modes->toward_zero[fmt]);
    } else if (fmt == FMT_F32) {
        volatile float f;
        fesetround(modes->toward_zero[fmt] ? FE_TOWARDZERO : FE_TONEAREST);
        f = (float)v;
        fesetround(FE_TONEAREST);
        float const copy = f;
        uint32_t bits;
        memcpy(&bits, &copy, sizeof bits);
        enc = bits;
    } else {
        memcpy(&enc, &v, sizeof enc);
    }
    return flushed(modes, fmt, enc);
}

static float single_op(uint32_t op, volatile float a, volatile float b)
{
    switch (op) {
    case SpvOpFSub:
        return a - b;
    case SpvOpFMul:
        return a * b;
    case SpvOpFDiv:
        return a / b;
    default:
        return a + b;
    }
}

static double double_op(uint32_t op, volatile double a, volatile double b)
{
    switch (op) {
    case SpvOpFSub:
        return a - b;
    case SpvOpFMul:
        return a * b;
    case SpvOpFDiv:
        return a / b;
    default:
        return a + b;
    }
}

/* FAdd, FSub, FMul, FDiv in the format's own arithmetic: binary16 through double, which is exact
 * for sums and products and rounds quotients innocuously (53 >= 2 * 11 + 2). */
uint64_t host_arithmetic(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, uint64_t a,
                         uint64_t b)
{
    double const x = host_decode(fmt, a), y = host_decode(fmt, b);
    uint32_t bits;
    uint64_t enc = 0;
    if (fmt == FMT_F16) {
        return host_encode(modes, fmt, double_op(op, x, y));
    }
    fesetround(modes->toward_zero[fmt] ? FE_TOWARDZERO : FE_TONEAREST);
    if (fmt == FMT_F32) {
        float const r = single_op(op, (float)x, (float)y);
        memcpy(&bits, &r, sizeof bits);
        enc = bits;
    } else {
        double const r = double_op(op, x, y);
        memcpy(&enc, &r, sizeof enc);
    }
    fesetround(FE_TONEAREST);
    return flushed(modes, fmt, enc);
}

uint64_t host_atomic(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, uint64_t a,
                     uint64_t b)
{
    if (op == SpvOpAtomicFAddEXT) {
        return host_arithmetic(modes, SpvOpFAdd, fmt, a, b);
    }
    double const x = host_decode(fmt, a), y = host_decode(fmt, b);
    uint64_t r;
    if (isnan(x)) {
        r = b;
    } else if (isnan(y)) {
        r = a;
    } else if (op == SpvOpAtomicFMinEXT) {
        r = x < y ? a : b;
    } else {
        r = x > y ? a : b;
    }
    return flushed(modes, fmt, r);
}

static int comparison(uint32_t op, double a, double b)
{
    int const either = isnan(a) || isnan(b);
    switch (op) {
    case SpvOpFOrdEqual:
        return !either && !(a < b) && !(a > b);
    case SpvOpFUnordEqual:
        return either || (!(a < b) && !(a > b));
    case SpvOpFOrdNotEqual:
        return a < b || a > b;
    case SpvOpFUnordNotEqual:
        return either || a < b || a > b;
    case SpvOpFOrdLessThan:
        return a < b;
    case SpvOpFUnordLessThan:
        return either || a < b;
    case SpvOpFOrdGreaterThan:
        return a > b;
    case SpvOpFUnordGreaterThan:
        return either || a > b;
    case SpvOpFOrdLessThanEqual:
        return a <= b;
    case SpvOpFUnordLessThanEqual:
        return either || a <= b;
    case SpvOpFOrdGreaterThanEqual:
        return a >= b;
    default:
        return either || a >= b;
    }
}

static uint64_t from_integer(const struct host_modes *modes, enum fmt_id fmt, uint64_t v,
                             unsigned n_bits, int is_signed)
{
    int64_t const s = (int64_t)(v << (64 - n_bits)) >> (64 - n_bits);
    volatile float f;
    volatile double d;
    if (fmt == FMT_F16) { /* beyond 2^53 it is infinite or the largest, whatever the last bits */
        return host_encode(modes, fmt, is_signed ? (double)s : (double)v);
    }
    fesetround(modes->toward_zero[fmt] ? FE_TOWARDZERO : FE_TONEAREST);
    f = is_signed ? (float)s : (float)v;
    d = is_signed ? (double)s : (double)v;
    fesetround(FE_TONEAREST);
    return host_encode(modes, fmt, fmt == FMT_F32 ? (double)f : d);
}

/* Toward zero; 0 where the value does not fit, which is undefined. */
static uint64_t to_integer(double v, unsigned n_bits, int is_signed)
{
    double const t = trunc(v);
    double const top = ldexp(1.0, (int)n_bits - is_signed);
    if (isnan(t) || t >= top || t < (is_signed ? -top : 0.0)) {
        return 0;
    }
    uint64_t const mask = n_bits == 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
    return (is_signed ? (uint64_t)(int64_t)t : (uint64_t)t) & mask;
}

/* Between formats; a NaN stays one, and -0 stays -0. */
static uint64_t convert(const struct host_modes *modes, enum fmt_id from, enum fmt_id to,
                        uint64_t enc)
{
    return host_encode(modes, to, host_decode(from, enc));
}

int host_apply(struct exec *x, const struct host_modes *modes, const struct invocation *inv,
               const struct mod_inst *in, struct val *out)
{
    uint64_t v[3] = {0};
    for (uint32_t i = 3; i < in->n && i < 6; i++) {
        if (in->w[i] >= x->m->n_ids || x->m->ids[in->w[i]].n_slots != 1) {
            return -1;
        }
        v[i - 3] = exec_reg(x, inv, in->w[i])->bits;
    }
    uint32_t const arg_type = in->n > 3 ? x->m->ids[in->w[3]].type : 0;
    unsigned const n_bits = x->m->ids[arg_type].t.bits;
    int const to = module_get_format(x->m, in->type), from = module_get_format(x->m, arg_type);
    enum fmt_id const fmt = to < 0 ? FMT_F32 : (enum fmt_id)to;
    enum fmt_id const arg = from < 0 ? FMT_F32 : (enum fmt_id)from;
    *out = (struct val){0};
    switch (in->op) {
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
        out->bits = host_arithmetic(modes, in->op, fmt, v[0], v[1]);
        return 1;
    case SpvOpFNegate:
        out->bits = flushed(modes, fmt, v[0] ^ float_formats[fmt].sign);
        return 1;
    case SpvOpFConvert:
        out->bits = convert(modes, arg, fmt, v[0]);
        return 1;
    case SpvOpConvertSToF:
    case SpvOpConvertUToF:
        out->bits = from_integer(modes, fmt, v[0], n_bits, in->op == SpvOpConvertSToF);
        return 1;
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
        out->bits = to_integer(host_decode(arg, v[0]), x->m->ids[in->type].t.bits,
                               in->op == SpvOpConvertFToS);
        return 1;
    case SpvOpSelect:
        out->bits = v[0] ? v[1] : v[2];
        return 1;
    default:
        if (in->op < SpvOpFOrdEqual || in->op > SpvOpFUnordGreaterThanEqual) {
            return -1;
        }
        out->bits = (uint64_t)comparison(in->op, host_decode(arg, v[0]), host_decode(arg, v[1]));
        return 1;
    }
}
