/* oracle/host/host.c -- float instructions in plain host arithmetic: the simulator's strategy `ieee`. */
#include "oracle/host/host.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "oracle/host/host_math.h"
#include "oracle/host/host_quad.h"
#include "oracle/interp/module.h"

/* One component of an operand. */
struct host_source {
    uint64_t bits;
    unsigned n_bits;
    enum fmt_id fmt; /* of a float */
};

static uint64_t flushed(const struct host_modes *modes, enum fmt_id fmt, uint64_t enc)
{
    const struct float_format *f = &float_formats[fmt];
    int const is_small = (enc & f->exp) == 0;
    return modes->flush[fmt] && is_small ? enc & f->sign : enc;
}

/* Defines a function that computes FAdd, FSub, FMul or FDiv in a type of the host. volatile: it is computed when it is
 * called, in the rounding mode of that moment. */
#define OPERATION(name, type)                                                                      \
    static type name(uint32_t op, volatile type a, volatile type b)                                \
    {                                                                                              \
        return op == SpvOpFSub   ? a - b                                                           \
               : op == SpvOpFMul ? a * b                                                           \
               : op == SpvOpFDiv ? a / b                                                           \
                                 : a + b;                                                          \
    }
OPERATION(single_op, float)
OPERATION(double_op, double)
/* In 113 bits: below the smallest normal number sums and products are exact, and a quotient is farther below it than the
 * error of its rounding. */
OPERATION(quad_op, quad)

/* Computes FAdd, FSub, FMul or FDiv by the host's arithmetic. binary16 goes through double, which
 * is exact for sums and products and rounds quotients innocuously (53 >= 2 * 11 + 2), and bfloat16
 * through binary32 (24 >= 2 * 8 + 2). Whether a result is flushed is decided in binary128, before
 * it is rounded. The host's rounding mode is set for this one operation. */
uint64_t host_arithmetic(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, uint64_t a,
                         uint64_t b)
{
    double const x = host_decode(fmt, a), y = host_decode(fmt, b);
    uint32_t bits;
    uint64_t enc = 0;
    if (fmt == FMT_F16) { /* host_encode rounds, and flushes what is subnormal */
        return host_encode(modes, fmt, double_op(op, x, y));
    }
    quad const exact = quad_op(op, (quad)x, (quad)y);
    if (modes->flush[fmt] && fabsf128(exact) < ldexpf128(1, float_formats[fmt].emin)) {
        return quad_is_negative(exact) ? float_formats[fmt].sign : 0;
    }
    fesetround(modes->toward_zero[fmt] ? FE_TOWARDZERO : FE_TONEAREST);
    if (fmt == FMT_F32 || fmt == FMT_BF16) {
        float const r = single_op(op, (float)x, (float)y);
        if (fmt == FMT_BF16) {
            fesetround(FE_TONEAREST);
            return host_encode(modes, fmt, (double)r);
        }
        memcpy(&bits, &r, sizeof bits);
        enc = bits;
    } else {
        double const r = double_op(op, x, y);
        memcpy(&enc, &r, sizeof enc);
    }
    fesetround(FE_TONEAREST);
    return enc;
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

/* Computes a float comparison. FOrd... are false, FUnord... true where an operand is a NaN; their opcodes
 * alternate, from FOrdEqual on. Equality is written with < and >, because compilers warn of == on floats. */
static bool comparison(uint32_t op, double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return (op - SpvOpFOrdEqual) % 2 != 0;
    }
    switch (op) {
    case SpvOpFOrdEqual:
    case SpvOpFUnordEqual:
        return !(a < b) && !(a > b);
    case SpvOpFOrdNotEqual:
    case SpvOpFUnordNotEqual:
        return a < b || a > b;
    case SpvOpFOrdLessThan:
    case SpvOpFUnordLessThan:
        return a < b;
    case SpvOpFOrdGreaterThan:
    case SpvOpFUnordGreaterThan:
        return a > b;
    case SpvOpFOrdLessThanEqual:
    case SpvOpFUnordLessThanEqual:
        return a <= b;
    default:
        return a >= b;
    }
}

/* A test of one value, or of two: OpIsNan to OpUnordered. Normal is what is neither 0 nor below the least number of full
 * precision. */
static bool is_true_of(uint32_t op, enum fmt_id fmt, uint64_t a, uint64_t b)
{
    const struct float_format *const f = &float_formats[fmt];
    double const x = host_decode(fmt, a), y = host_decode(fmt, b);
    switch (op) {
    case SpvOpIsNan:
        return isnan(x);
    case SpvOpIsInf:
        return isinf(x);
    case SpvOpIsFinite:
        return isfinite(x);
    case SpvOpIsNormal:
        return isfinite(x) && (a & f->exp) != 0;
    case SpvOpSignBitSet:
        return (a & f->sign) != 0;
    case SpvOpLessOrGreater:
        return x < y || x > y;
    case SpvOpOrdered:
        return !isnan(x) && !isnan(y);
    default:
        return isnan(x) || isnan(y);
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

/* To an integer in a direction. What does not fit is the nearest number where the conversion saturates, and of a NaN 0; else 0,
 * as it is undefined. */
static uint64_t to_integer(double v, uint32_t direction, unsigned n_bits, int is_signed,
                           int saturates)
{
    double const top = ldexp(1.0, (int)n_bits - is_signed), bottom = is_signed ? -top : 0.0;
    uint64_t const mask = n_bits == 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
    double whole = trunc(v);
    if (direction == SpvFPRoundingModeRTE) {
        whole = rint(v);
    } else if (direction == SpvFPRoundingModeRTP) {
        whole = ceil(v);
    } else if (direction == SpvFPRoundingModeRTN) {
        whole = floor(v);
    }
    if (!(whole >= bottom && whole < top)) {
        uint64_t const sign = UINT64_C(1) << (n_bits - 1);
        uint64_t const most = is_signed ? sign - 1 : mask, least = is_signed ? sign : 0;
        return !saturates || isnan(v) ? 0 : v < 0 ? least : most;
    }
    return (is_signed ? (uint64_t)(int64_t)whole : (uint64_t)whole) & mask;
}

/* A value in the direction that a decoration names. */
static uint64_t directed(const struct host_modes *modes, const struct mod_id *id, enum fmt_id fmt,
                         quad v)
{
    struct host_modes cut = *modes;
    uint32_t const direction = id->rounding_mode;
    cut.toward_zero[fmt] = direction != SpvFPRoundingModeRTE;
    uint64_t const enc = host_narrow(&cut, fmt, v);
    int const is_away = (direction == SpvFPRoundingModeRTP && v > 0) ||
                        (direction == SpvFPRoundingModeRTN && v < 0);
    int const is_flushed = modes->flush[fmt] && (enc & float_formats[fmt].exp) == 0;
    return is_away && !is_flushed && !quad_is_same(host_widen(fmt, enc), v) ? enc + 1 : enc;
}

static uint64_t convert(const struct host_modes *modes, const struct mod_inst *in,
                        const struct mod_id *id, enum fmt_id to, const struct host_source *from)
{
    int const is_signed = in->op == SpvOpConvertSToF;
    int64_t const s = (int64_t)(from->bits << (64 - from->n_bits)) >> (64 - from->n_bits);
    int const has_direction = (id->flags & ID_ROUNDING_MODE) != 0;
    if (in->op == SpvOpFConvert) {
        return has_direction ? directed(modes, id, to, host_widen(from->fmt, from->bits))
                             : host_encode(modes, to, host_decode(from->fmt, from->bits));
    }
    if (has_direction && from->bits != 0) {
        return directed(modes, id, to, is_signed ? (quad)s : (quad)from->bits);
    }
    return from_integer(modes, to, from->bits, from->n_bits, is_signed);
}

/* The encoding of one component of a float instruction of core SPIR-V, of the operands v, in the modes of
 * the device. id: its result, for decorations; fmt: the result's format. What is not listed is a
 * comparison. */
static uint64_t apply(const struct host_modes *modes, const struct mod_inst *in,
                      const struct mod_id *id, const struct host_source *v, enum fmt_id fmt)
{
    switch (in->op) {
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
        return host_arithmetic(modes, in->op, fmt, v[0].bits, v[1].bits);
    case SpvOpVectorTimesScalar:
        return host_arithmetic(modes, SpvOpFMul, fmt, v[0].bits, v[1].bits);
    case SpvOpFNegate:
        return flushed(modes, fmt, v[0].bits ^ float_formats[fmt].sign);
    case SpvOpFConvert:
    case SpvOpConvertSToF:
    case SpvOpConvertUToF:
        return convert(modes, in, id, fmt, &v[0]);
    case SpvOpSelect:
        return v[0].bits ? v[1].bits : v[2].bits;
    default:
        if (in->op >= SpvOpIsNan && in->op <= SpvOpUnordered) {
            return is_true_of(in->op, v[0].fmt, v[0].bits, v[1].bits);
        }
        return comparison(in->op, host_decode(v[0].fmt, v[0].bits),
                          host_decode(v[0].fmt, v[1].bits));
    }
}

/* Not one of the functions of host_math.c. */
static bool is_plain(uint32_t op)
{
    return (op >= SpvOpConvertFToU && op <= SpvOpConvertUToF) || op == SpvOpFConvert ||
           op == SpvOpFNegate || op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul ||
           op == SpvOpFDiv || op == SpvOpVectorTimesScalar || op == SpvOpSelect ||
           (op >= SpvOpIsNan && op <= SpvOpUnordered) ||
           (op >= SpvOpFOrdEqual && op <= SpvOpFUnordGreaterThanEqual);
}

/* One component of up to three operands; a scalar goes with every component. */
static bool take_sources(const struct exec *x, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t c, struct host_source *v)
{
    for (uint32_t i = 3; i < in->n && i < 6; i++) {
        const struct mod_id *id = in->w[i] < x->m->n_ids ? &x->m->ids[in->w[i]] : NULL;
        if (!id || id->n_slots == 0 || (id->n_slots > 1 && c >= id->n_slots)) {
            return false;
        }
        int const fmt = module_get_format(x->m, id->type);
        v[i - 3] =
            (struct host_source){.bits = exec_reg(x, inv, in->w[i])[id->n_slots == 1 ? 0 : c].bits,
                                 .n_bits = x->m->ids[id->type].t.bits,
                                 .fmt = fmt < 0 ? FMT_F32 : (enum fmt_id)fmt};
    }
    return true;
}

/* Vectors of four bytes as words, the first byte lowest. */
static void join_bytes(const struct exec *x, const struct invocation *inv,
                       const struct mod_inst *in, struct host_source *words)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t const id = module_get_operand(x->m, in, MOD_OPERAND + i);
        words[i].bits = 0;
        for (uint32_t c = 0; c < x->m->ids[id].n_slots; c++) {
            words[i].bits |= (exec_reg(x, inv, id)[c].bits & 0xff) << 8 * c;
        }
    }
}

static uint32_t add_saturated(bool is_unsigned, uint32_t accumulator, uint32_t sum)
{
    uint32_t total = 0;
    int32_t signed_total = 0;
    if (is_unsigned) {
        return __builtin_add_overflow(accumulator, sum, &total) ? UINT32_MAX : total;
    }
    bool const wraps = __builtin_add_overflow((int32_t)accumulator, (int32_t)sum, &signed_total);
    return (uint32_t)(!wraps ? signed_total : (int32_t)sum < 0 ? INT32_MIN : INT32_MAX);
}

/* A dot product of vectors of 16 or 32 bits, as C adds and multiplies: modulo 2^32. */
static uint64_t dot_of_vectors(const struct exec *x, const struct invocation *inv,
                               const struct mod_inst *in, uint64_t accumulator)
{
    bool const adds = in->op >= SpvOpSDotAccSat;
    uint32_t const kind = adds ? in->op - SpvOpSDotAccSat : in->op - SpvOpSDot;
    uint32_t const first = module_get_operand(x->m, in, MOD_OPERAND);
    const struct val *const a = exec_reg(x, inv, first);
    const struct val *const b = exec_reg(x, inv, module_get_operand(x->m, in, MOD_OPERAND + 1));
    bool const is_short = x->m->ids[x->m->ids[first].type].t.bits == 16;
    uint32_t sum = 0;
    for (uint32_t c = 0; c < x->m->ids[first].n_slots; c++) {
        uint32_t u = (uint32_t)a[c].bits, v = (uint32_t)b[c].bits;
        if (is_short && kind != 1) {
            u = (uint32_t)(int32_t)(int16_t)(uint16_t)u;
        }
        if (is_short && kind == 0) {
            v = (uint32_t)(int32_t)(int16_t)(uint16_t)v;
        }
        sum += u * v;
    }
    return adds ? add_saturated(kind == 1, (uint32_t)accumulator, sum) : sum;
}

/* A dot product of four bytes each, for the host's own numbers of 8 and 32 bits. */
static uint64_t dot_of_bytes(uint32_t op, const struct host_source *v)
{
    bool const adds = op >= SpvOpSDotAccSat;
    uint32_t const kind =
        adds ? op - SpvOpSDotAccSat : op - SpvOpSDot; /* signed, unsigned, mixed */
    int32_t sum = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        uint8_t const a = (uint8_t)(v[0].bits >> shift), b = (uint8_t)(v[1].bits >> shift);
        sum += (kind == 1 ? (int32_t)a : (int32_t)(int8_t)a) *
               (kind == 0 ? (int32_t)(int8_t)b : (int32_t)b);
    }
    if (!adds) {
        return (uint32_t)sum;
    }
    return add_saturated(kind == 1, (uint32_t)v[2].bits, (uint32_t)sum);
}

/* Computes an integer dot product, of packed bytes or of vectors, in *out. -1: an operand does not fit. */
static int apply_dot(struct exec *x, const struct invocation *inv, const struct mod_inst *in,
                     uint32_t c, struct val *out)
{
    enum {
        ACCUMULATOR = 2 /* operand */
    };
    struct host_source operand[4] = {{0}};
    struct mod_inst without_format = *in;
    uint32_t const n_operands = in->op >= SpvOpSDotAccSat ? 3 : 2;
    bool const is_packed = in->n == MOD_OPERAND + n_operands + 1; /* a literal format comes last */
    without_format.n -= is_packed;
    if (!take_sources(x, inv, &without_format, c, operand)) {
        return -1;
    }
    uint32_t const first = module_get_operand(x->m, in, MOD_OPERAND);
    /* wider parts than bytes are taken one by one; bytes are packed first if they are not */
    if (!is_packed && x->m->ids[x->m->ids[first].type].t.bits > 8) {
        *out = (struct val){.bits = dot_of_vectors(x, inv, in, operand[ACCUMULATOR].bits)};
        return 1;
    }
    if (!is_packed) {
        join_bytes(x, inv, in, operand);
    }
    *out = (struct val){.bits = dot_of_bytes(in->op, operand)};
    return 1;
}

/* Computes component c of a float instruction in *out: integer dot products, conversions to integers, and operations
 * that round once (is_plain). host_math does all others, and results through a pointer. Returns 1 when done, -1 for an
 * unknown instruction or an operand without such a component. */
int host_apply(struct exec *x, const struct host_modes *modes, const struct invocation *inv,
               const struct mod_inst *in, uint32_t c, struct val *out, struct val *through)
{
    struct host_source v[3] = {{0}};
    const struct mod_id *id = &x->m->ids[in->result];
    struct host_modes used = *modes;
    if (in->op >= SpvOpSDot && in->op <= SpvOpSUDotAccSat) {
        *through = (struct val){0};
        return apply_dot(x, inv, in, c, out);
    }
    if (!is_plain(in->op)) {
        return host_math(x, modes, inv, in, c, out, through);
    }
    if (!take_sources(x, inv, in, c, v)) {
        return -1;
    }
    *out = *through = (struct val){0};
    if (in->op == SpvOpConvertFToS || in->op == SpvOpConvertFToU) {
        uint32_t const direction =
            id->flags & ID_ROUNDING_MODE ? id->rounding_mode : SpvFPRoundingModeRTZ;
        out->bits =
            to_integer(host_decode(v[0].fmt, v[0].bits), direction, x->m->ids[in->type].t.bits,
                       in->op == SpvOpConvertFToS, (id->flags & ID_SATURATED) != 0);
        return 1;
    }
    int const to = module_get_format(x->m, in->type);
    enum fmt_id const fmt = to < 0 ? FMT_F32 : (enum fmt_id)to;
    if (id->flags & ID_MAX_ERROR) { /* a bound of half an ulp needs rounding to nearest */
        used.toward_zero[fmt] = 0;
    }
    out->bits = apply(&used, in, id, v, fmt);
    return 1;
}
