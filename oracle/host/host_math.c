/* oracle/host/host_math.c -- mathematical instructions as the host does them. */
#include "oracle/host/host_math.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "base/ops.h"
#include "oracle/host/host_func.h"
#include "oracle/host/host_quad.h"
#include "oracle/interp/module.h"

enum {
    MAX_PARTS = 16,
    MAX_OPERANDS = 3
};

quad host_widen(enum fmt_id fmt, uint64_t enc)
{
    return (quad)host_decode(fmt, enc);
}

/* The double next to v toward zero, its last bit set where that is not v: to round once more. */
static double round_to_odd(quad v)
{
    double d = (double)v;
    uint64_t bits;
    if (quad_is_nan(v) || quad_is_inf(v) || quad_is_same((quad)d, v)) {
        return d;
    }
    if (fabsf128((quad)d) > fabsf128(v)) {
        d = nextafter(d, 0.0);
    }
    memcpy(&bits, &d, sizeof bits);
    bits |= 1;
    memcpy(&d, &bits, sizeof d);
    return d;
}

uint64_t host_narrow(const struct host_modes *modes, enum fmt_id fmt, quad v)
{
    const struct float_format *f = &float_formats[fmt];
    quad const least = ldexpf128(1, f->emin);
    uint64_t enc;
    if (modes->flush[fmt] && fabsf128(v) < least) {
        return quad_is_negative(v) ? f->sign : 0;
    }
    if (fmt != FMT_F64) {
        return host_encode(modes, fmt, round_to_odd(v));
    }
    double d = (double)v;
    if (modes->toward_zero[fmt] && fabsf128((quad)d) > fabsf128(v)) {
        d = nextafter(d, 0.0);
    }
    memcpy(&enc, &d, sizeof enc);
    return enc;
}

/* Operands of an instruction. */
struct args {
    uint32_t n;       /* of them that are floats */
    uint32_t n_parts; /* components of the first operand */
    enum fmt_id fmt;
    quad v[MAX_OPERANDS][MAX_PARTS];
    uint64_t enc[MAX_OPERANDS]; /* of the component that is asked for */
    int integer;
    bool has_pointer;
};

static void take_float(struct args *args, const struct val *v, uint32_t n_slots, uint32_t c)
{
    args->enc[args->n] = v[n_slots == 1 ? 0 : c % n_slots].bits;
    for (uint32_t k = 0; k < n_slots; k++) {
        args->v[args->n][k] = host_widen(args->fmt, v[k].bits);
    }
    args->n_parts = args->n == 0 ? n_slots : args->n_parts;
    args->n++;
}

/* Takes the operands for component c: floats (a vector as a whole), an integer, and whether there
 * is a pointer. Returns false where an operand has no value. */
static bool take_args(const struct exec *x, const struct invocation *inv, const struct mod_inst *in,
                      uint32_t c, struct args *out)
{
    bool const is_extended = in->op >> 16; /* the number of the set in OP_NUMBER, 0 for the core */
    /* operands come after the words of type and result, and for extended instructions of set and number */
    uint32_t const first_operand = is_extended ? 5 : 3;
    *out = (struct args){.n = 0};
    for (uint32_t i = first_operand; i < in->n; i++) {
        const struct mod_id *id = in->w[i] < x->m->n_ids ? &x->m->ids[in->w[i]] : NULL;
        if (!id || id->n_slots == 0) {
            return false;
        }
        const struct val *v = exec_reg(x, inv, in->w[i]);
        int const fmt = module_get_format(x->m, id->type);
        if (x->m->ids[id->type].t.kind == TK_POINTER) {
            out->has_pointer = true;
        } else if (fmt < 0) {
            out->integer = (int)(uint32_t)v[id->n_slots == 1 ? 0 : c % id->n_slots].bits;
        } else if (out->n < MAX_OPERANDS && id->n_slots <= MAX_PARTS) {
            out->fmt = (enum fmt_id)fmt;
            take_float(out, v, id->n_slots, c);
        }
    }
    return true;
}

/* a + b as a sum and what it lost, both exact. */
static quad add_exactly(quad a, quad b, quad *lost)
{
    quad const sum = a + b;
    quad const part = sum - a;
    *lost = (a - (sum - part)) + (b - part);
    return sum;
}

/* The same sum as part[0..m) in fewer parts (J. R. Shewchuk 1997, section 2.8): the largest, the last, is
 * then the sum but for less than its last bit. Returns how many there are. */
static uint32_t compress(quad *part, uint32_t m)
{
    uint32_t bottom = m - 1;
    uint32_t n = 0;
    quad sum = part[m - 1], lost = 0;
    for (uint32_t k = m - 1; k-- > 0;) {
        sum = add_exactly(sum, part[k], &lost);
        if (!quad_is_zero(lost)) {
            part[bottom--] = sum;
            sum = lost;
        }
    }
    for (uint32_t k = bottom + 1; k < m; k++) {
        sum = add_exactly(part[k], sum, &lost);
        if (!quad_is_zero(lost)) {
            part[n++] = lost;
        }
    }
    part[n++] = sum;
    return n;
}

/* Returns the sum of the terms, rounded to odd at 113 bits: toward zero, with the last bit set
 * where the sum is inexact. Adds term by term to part[], an exact sum of the terms so far whose
 * parts do not overlap, the largest last (Shewchuk's expansion). The largest part is then the
 * rounded sum, and the sign of the next one tells in which direction it was rounded. */
quad host_sum_to_odd(const quad *terms, uint32_t n)
{
    quad part[HOST_MAX_TERMS];
    quad plain = 0;
    uint32_t n_parts = 0;
    assert(0 < n && n <= HOST_MAX_TERMS);
    for (uint32_t i = 0; i < n; i++) {
        quad sum = terms[i];
        plain = i == 0 ? sum : plain + sum;
        for (uint32_t k = 0; k < n_parts; k++) {
            sum = add_exactly(sum, part[k], &part[k]);
        }
        part[n_parts++] = sum;
    }
    if (quad_is_nan(plain) || quad_is_inf(plain)) {
        return plain;
    }
    n_parts = compress(part, n_parts);
    quad s = part[n_parts - 1];
    if (quad_is_zero(s)) {
        return quad_is_zero(plain) ? plain : 0; /* the sign of a zero is that of plain additions */
    }
    if (n_parts == 1) {
        return s;
    }
    if ((part[n_parts - 2] > 0) != (s > 0)) {
        s = nextafterf128(s, 0);
    }
    return quad_set_last_bit(s);
}

static quad add_to_odd(quad x, quad y)
{
    return host_sum_to_odd((const quad[]){x, y}, 2);
}

/* --- on whole vectors --- */

static quad dot(const quad *a, const quad *b, uint32_t n)
{
    quad terms[HOST_MAX_TERMS] = {0};
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = a[i] * b[i];
    }
    return host_sum_to_odd(terms, n);
}

static quad length(const quad *a, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (quad_is_inf(a[i])) {
            return fabsf128(a[i]);
        }
    }
    quad const square = dot(a, a, n);
    quad l = sqrtf128(square);
    quad const rest = fmaf128(-l, l, square);
    if (quad_is_zero(rest) || quad_is_nan(rest) || quad_is_inf(rest)) {
        return l;
    }
    l = rest < 0 ? nextafterf128(l, 0) : l;
    return quad_set_last_bit(l);
}

/* OpenCL C, normalize: of infinities as if they were 1 and all others 0; zero stays zero. */
static quad normal(const quad *a, uint32_t n, uint32_t c)
{
    quad v[MAX_PARTS] = {0};
    bool has_inf = false;
    for (uint32_t i = 0; i < n; i++) {
        has_inf |= quad_is_inf(a[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        quad const of_inf = quad_is_inf(a[i]) ? copysignf128(1, a[i]) : 0 * a[i];
        v[i] = has_inf ? of_inf : a[i];
    }
    quad const l = length(v, n);
    return quad_is_zero(l) ? v[c] : v[c] / l;
}

/* Steps of Vulkan's formulas: each is rounded, so that what overflows on the way does so here. */
static quad step_of(const struct args *args, quad v)
{
    static const struct host_modes nearest = {
        .flush = {0, 0, 0}
    };
    return host_widen(args->fmt, host_narrow(&nearest, args->fmt, v));
}

static quad dot_in_steps(const struct args *args, const quad *x, const quad *y)
{
    quad sum = step_of(args, x[0] * y[0]);
    for (uint32_t i = 1; i < args->n_parts; i++) {
        sum = step_of(args, sum + step_of(args, x[i] * y[i]));
    }
    return sum;
}

static quad reflect(const struct args *args, uint32_t c)
{
    quad const twice = step_of(args, 2 * dot_in_steps(args, args->v[1], args->v[0]));
    return args->v[0][c] - step_of(args, twice * args->v[1][c]);
}

static quad normalize(const struct args *args, uint32_t c)
{
    quad const square = dot_in_steps(args, args->v[0], args->v[0]);
    return args->v[0][c] * step_of(args, 1 / sqrtf128(square));
}

static quad refract(const struct args *args, uint32_t c)
{
    quad const eta = args->v[2][0], d = dot_in_steps(args, args->v[1], args->v[0]);
    quad const rest = step_of(args, 1 - step_of(args, d * d));
    quad const k = step_of(args, 1 - step_of(args, step_of(args, eta * eta) * rest));
    quad const root = step_of(args, sqrtf128(k));
    quad const factor = step_of(args, step_of(args, eta * d) + root);
    return k < 0 ? 0 : step_of(args, eta * args->v[0][c]) - step_of(args, factor * args->v[1][c]);
}

/* Computes component c of a function of whole vectors, in *out. OpenCL's functions are computed exactly or nearly
 * so and rounded once, Vulkan's by the rounded steps of their formulas. Returns false for any other function. */
static bool apply_whole(uint32_t op, const struct args *args, uint32_t c, quad *out)
{
    quad difference[MAX_PARTS] = {0};
    uint32_t const n = args->n_parts, i = (c + 1) % 3, k = (c + 2) % 3; /* of a cross product */
    for (uint32_t p = 0; p < n; p++) {
        difference[p] = args->v[0][p] - args->v[1][p];
    }
    switch (op) {
    case SpvOpDot:
        *out = dot(args->v[0], args->v[1], n);
        return true;
    case CL(cross):
    case VK(Cross): /* the fourth component of OpenCL's is 0 */
        *out =
            c > 2 ? 0 : add_to_odd(args->v[0][i] * args->v[1][k], -(args->v[0][k] * args->v[1][i]));
        return true;
    case CL(distance):
    case CL(fast_distance):
    case VK(Distance):
        *out = length(difference, n);
        return true;
    case CL(length):
    case CL(fast_length):
    case VK(Length):
        *out = length(args->v[0], n);
        return true;
    case CL(normalize):
    case CL(fast_normalize):
        *out = normal(args->v[0], n, c);
        return true;
    case VK(Normalize):
        *out = normalize(args, c);
        return true;
    case VK(FaceForward): /* N, I, Nref: N where Nref and I point apart, else -N */
        *out = dot(args->v[2], args->v[1], n) < 0 ? args->v[0][c] : -args->v[0][c];
        return true;
    case VK(Reflect):
        *out = reflect(args, c);
        return true;
    case VK(Refract):
        *out = refract(args, c);
        return true;
    default:
        return false;
    }
}

/* --- three operands, results of their own kinds --- */

static quad smooth(quad low, quad high, quad x)
{
    quad const part = (x - low) / (high - low);
    quad const t = quad_is_nan(part) ? part : host_select(0, host_select(1, part, 0), 1);
    return t * t * (3 - 2 * t);
}

/* Computes a function of three operands, of one component each. Returns false for any other function. */
static bool apply_three(uint32_t op, quad x, quad y, quad z, quad *out)
{
    switch (op) {
    case CL(fclamp):
    case VK(FClamp):
    case VK(NClamp):
        *out = host_select(0, host_select(1, x, y), z); /* 0 selects a minimum, 1 a maximum */
        return true;
    case CL(mix): /* x + (y - x) a */
        if (quad_is_inf(x) || quad_is_inf(y) || quad_is_inf(z)) {
            *out = x + (y - x) * z;
            return true;
        }
        *out = host_sum_to_odd((const quad[]){x, y * z, -x * z}, 3);
        return true;
    case VK(FMix):
        *out = add_to_odd(x * (1 - z), y * z);
        return true;
    case CL(smoothstep):
    case VK(SmoothStep):
        *out = smooth(x, y, z);
        return true;
    default:
        return false;
    }
}

static uint64_t fused(const struct host_modes *modes, const struct args *args, uint32_t c)
{
    quad const x = args->v[0][c], y = args->v[1][c], z = args->v[2][c];
    uint64_t enc;
    uint32_t bits;
    if (modes->flush[args->fmt] || modes->toward_zero[args->fmt] || args->fmt == FMT_F16) {
        return host_narrow(modes, args->fmt, add_to_odd(x * y, z)); /* 106 bits at most */
    }
    if (args->fmt == FMT_F32) {
        float const r = fmaf((float)x, (float)y, (float)z);
        memcpy(&bits, &r, sizeof bits);
        return bits;
    }
    double const r = fma((double)x, (double)y, (double)z);
    memcpy(&enc, &r, sizeof enc);
    return enc;
}

static uint64_t next_after(enum fmt_id fmt, uint64_t x, uint64_t y)
{
    const struct float_format *f = &float_formats[fmt];
    quad const a = host_widen(fmt, x), b = host_widen(fmt, y);
    if (quad_is_nan(a) || quad_is_nan(b)) {
        return f->exp | f->quiet;
    }
    if (quad_is_same(a, b)) {
        return y;
    }
    if (quad_is_zero(a)) {
        return 1 | (b < 0 ? f->sign : 0);
    }
    return (a < b) == (a > 0) ? x + 1 : x - 1;
}

/* Through 16 bits and back; what has no normal number there is zero. */
static uint64_t quantize(quad v)
{
    static const struct host_modes nearest = {
        .flush = {1, 0, 0}
    };
    return host_narrow(&nearest, FMT_F32, host_widen(FMT_F16, host_narrow(&nearest, FMT_F16, v)));
}

/* Below 1 in OpenCL, where x - floor(x) may round to it. */
static uint64_t below_one(enum fmt_id fmt, uint64_t enc)
{
    const struct float_format *f = &float_formats[fmt];
    uint64_t const one = (uint64_t)f->emax << (f->prec_bits - 1);
    return enc == one ? one - 1 : enc;
}

/* What goes through the pointer, or is a struct's second part, of component c: the encoding of a float, or
 * an integer as 32 bits. */
static uint64_t compute_second(const struct host_modes *modes, uint32_t op, const struct args *args,
                               uint32_t c)
{
    quad const x = args->v[0][c], y = args->v[1][c];
    int n = 0;
    switch (op) {
    case CL(fract):
        return host_narrow(modes, args->fmt, floorf128(x));
    case CL(frexp):
    case VK(Frexp):
    case VK(FrexpStruct):
        (void)frexpf128(x, &n);
        return (uint32_t)(quad_is_nan(x) || quad_is_inf(x) ? 0 : n);
    case CL(lgamma_r): /* 0 at a pole of gamma: OpenCL C, "Additional Requirements" */
        (void)lgammaf128_r(x, &n);
        return (uint32_t)(quad_is_zero(x) || (x < 0 && quad_is_same(floorf128(x), x)) ? 0 : n);
    case CL(remquo):
        return (uint32_t)host_quotient(x, y);
    case CL(sincos):
        return host_narrow(modes, args->fmt, cosf128(x));
    default: /* modf */
        return host_narrow(modes, args->fmt, truncf128(x));
    }
}

uint64_t host_narrow_function(const struct host_modes *modes, uint32_t op, enum fmt_id fmt, quad x,
                              quad y, quad v)
{
    quad const slack = fabsf128(v) * (quad)0x1p-104;
    uint64_t const low = host_narrow(modes, fmt, v - slack);
    if (!quad_is_nan(v) && !quad_is_inf(v) && low != host_narrow(modes, fmt, v + slack)) {
        (void)host_exact(op, x, y, &v);
    }
    return host_narrow(modes, fmt, v);
}

static int exponent(quad x)
{
    if (quad_is_zero(x)) {
        return INT_MIN;
    }
    return quad_is_nan(x) || quad_is_inf(x) ? INT_MAX : (int)logbf128(x);
}

/* Computes component c of the instruction's own result as an encoding, in *out. Returns false for
 * an unknown instruction. */
static bool compute_result(const struct host_modes *modes, uint32_t op, const struct args *args,
                           uint32_t c, uint64_t *out)
{
    quad const x = args->v[0][c], y = args->v[1][c], z = args->v[2][c];
    quad v = 0;
    int n = 0;
    switch (op) {
    case SpvOpQuantizeToF16:
        *out = quantize(x);
        return true;
    case CL(fma):
    case CL(mad):
    case VK(Fma):
    case SPV_OP_FMA_KHR:
        *out = fused(modes, args, c);
        return true;
    case CL(fract):
        (void)host_function(op, x, y, &v);
        *out = below_one(args->fmt, host_narrow(modes, args->fmt, v));
        return true;
    case CL(frexp):
    case VK(Frexp):
    case VK(FrexpStruct):
        *out = host_narrow(modes, args->fmt, frexpf128(x, &n));
        return true;
    case CL(ilogb):
        *out = (uint32_t)exponent(x);
        return true;
    case CL(modf):
    case VK(Modf):
    case VK(ModfStruct):
        *out =
            host_narrow(modes, args->fmt, copysignf128(quad_is_inf(x) ? 0 : x - truncf128(x), x));
        return true;
    case VK(Radians): /* multiplied by a rounded constant, what the function gives of 1 */
    case VK(Degrees):
        (void)host_function(op, 1, 1, &v);
        *out = host_narrow(modes, args->fmt, x * step_of(args, v));
        return true;
    case CL(nan):
        *out = float_formats[args->fmt].exp | float_formats[args->fmt].quiet;
        return true;
    case CL(nextafter):
        *out = next_after(args->fmt, args->enc[0], args->enc[1]);
        return true;
    default:
        if (!host_function_of_int(op, x, args->integer, &v) && !apply_three(op, x, y, z, &v) &&
            !host_function(op, x, y, &v)) {
            return false;
        }
        *out = host_narrow_function(modes, op, args->fmt, x, y, v);
        return true;
    }
}

/* Computes component c of a mathematical instruction, in *out, and its second result through a pointer, in
 * *through. A function of whole vectors gives a component directly; any other is applied to component c. The
 * members of a struct follow each other in c: all components of the first, then of the second. A max-error
 * decoration requires rounding to nearest. Returns -1 for an unknown instruction. */
int host_math(struct exec *x, const struct host_modes *modes, const struct invocation *inv,
              const struct mod_inst *in, uint32_t c, struct val *out, struct val *through)
{
    struct args args;
    quad whole;
    struct host_modes used = *modes;
    *out = *through = (struct val){0};
    if (!take_args(x, inv, in, c, &args)) {
        return -1;
    }
    int const fmt = module_get_format(x->m, in->type);
    args.fmt = args.n == 0 && fmt >= 0 ? (enum fmt_id)fmt : args.fmt;
    if (x->m->ids[in->result].flags & ID_MAX_ERROR) {
        used.toward_zero[args.fmt] = 0;
    }
    if (apply_whole(in->op, &args, c, &whole)) {
        out->bits = host_narrow(&used, args.fmt, whole);
        return 1;
    }
    bool const gives_struct = in->op == VK(ModfStruct) || in->op == VK(FrexpStruct);
    if (gives_struct && c >= args.n_parts) {
        out->bits = compute_second(&used, in->op, &args, c - args.n_parts);
        return 1;
    }
    for (uint32_t i = 0; i < args.n; i++) { /* a scalar operand applies to every component */
        args.v[i][c] = host_widen(args.fmt, args.enc[i]);
    }
    if (!compute_result(&used, in->op, &args, c, &out->bits)) {
        return -1;
    }
    if (args.has_pointer) {
        through->bits = compute_second(&used, in->op, &args, c);
    }
    return 1;
}
