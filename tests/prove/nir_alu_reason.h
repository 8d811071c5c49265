/* tests/prove/nir_alu_reason.h -- what nir_alu_reason.def says of a sample of prove_nir_alu.c, which includes this. */
#pragma once

#include <math.h>

static const uint32_t FLUSHES = 0x38, TOWARD_ZERO = 0xe00; /* bits of float controls */
static const struct nir_modes as_is;

static bool is_nan(unsigned n_bits, uint64_t v)
{
    return format_is_nan(&float_formats[format_of_bits(n_bits)], v);
}
static bool is_snan(unsigned n_bits, uint64_t v)
{
    return format_is_snan(&float_formats[format_of_bits(n_bits)], v);
}
static bool is_infinite(unsigned n_bits, uint64_t v)
{
    return (v & ~float_formats[format_of_bits(n_bits)].sign) ==
           float_formats[format_of_bits(n_bits)].exp;
}
static bool is_normal(unsigned n_bits, uint64_t v)
{
    return format_classify(&float_formats[format_of_bits(n_bits)], v) == FP_CLASS_NORMAL;
}
/* A number of one of the formats as a double, which holds it. */
static double to_double(unsigned n_bits, uint64_t v)
{
    uint64_t const bits = n_bits == 64 ? v : nir_float_convert(&as_is, 64, n_bits, v);
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}
/* Does an operand of n_bits have n bits from bit `offset` on? */
static bool is_field(unsigned n_bits, uint64_t offset, uint64_t n)
{
    return offset <= n_bits && n <= n_bits - offset;
}
/* Can the result's type hold the number? */
static bool is_held(const struct sample *s, bool is_signed)
{
    double const v = trunc(to_double(s->job->m_bits, s->args[0]));
    double const limit = ldexp(1, (int)s->job->n_bits - is_signed);
    return v < limit && v >= (is_signed ? -limit : 0);
}
/* What x86 gives when a float is converted to 64 bits and cut off. */
static uint64_t to_integer(uint64_t ours)
{
    double const v = to_double(32, ours);
    return fabs(v) < 0x1p63 ? (uint32_t)(int64_t)v : 0;
}
/* Does the folder give what ours gives in other modes, when operands are not flushed? */
static bool is_with_operands(const struct sample *s, uint32_t controls)
{
    const struct job *const j = s->job;
    struct nir_modes const modes = nir_modes_of(controls);
    uint64_t const v = ours_in(s, controls & ~FLUSHES);
    return j->is_float_out ? nir_float_flush(&modes, j->n_bits, v) == s->folder ||
                                 (is_nan(j->n_bits, v) && is_nan(j->n_bits, s->folder))
                           : v == s->folder;
}
/* Is it the sum that is limited to 32 bits, its third operand as a signed number? */
static bool is_signed_dot(const struct sample *s)
{
    struct job j = *s->job;
    j.op = NIR_OP_udot_4x8_uadd;
    struct sample const t = {
        .job = &j, .args = {s->args[0], s->args[1], 0}
    };
    int64_t const sum = (int64_t)ours_in(&t, 0) + (int32_t)(uint32_t)s->args[2];
    return s->folder == (sum < 0 ? UINT32_MAX : (uint64_t)sum);
}
/* The sum of two f32 by way of f64. */
static uint64_t rounded_twice(const struct sample *s, uint64_t a, uint64_t b)
{
    struct nir_modes const modes = nir_modes_of(s->job->controls);
    uint64_t const sum = nir_float_add(&as_is, 64, nir_float_convert(&as_is, 64, 32, a),
                                       nir_float_convert(&as_is, 64, 32, b));
    return nir_float_convert(&modes, 32, 64, sum);
}
/* The fused sum of f16 by way of f64 and f32. */
static uint64_t fused_twice(const struct sample *s)
{
    struct nir_modes const modes = nir_modes_of(s->job->controls);
    uint64_t wide[3];
    for (unsigned i = 0; i < 3; i++) {
        wide[i] = nir_float_convert(&as_is, 64, 16, s->args[i]);
    }
    uint64_t const sum = nir_float_fma(&as_is, 64, wide[0], wide[1], wide[2]);
    return nir_float_convert(&modes, 16, 32, nir_float_convert(&as_is, 32, 64, sum));
}
/* Is it an operation that the folder rounds to nearest? The others are sums, products and conversions between floats. */
static bool is_unrounded(const struct sample *s)
{
    enum nir_op const op = s->job->op;
    return op == NIR_OP_u2f32 || op == NIR_OP_u2f64 || op == NIR_OP_i2f32 || op == NIR_OP_i2f64 ||
           op == NIR_OP_ffract || op == NIR_OP_fdiv || nir_op_rows[op].is_hardware;
}
static bool is_hardware(const struct sample *s)
{
    return nir_op_rows[s->job->op].is_hardware;
}
/* Are both numbers, at most n apart? The folder's operand is not flushed, and it rounds to nearest. */
static bool is_near(const struct sample *s, int64_t n)
{
    const struct job *const j = s->job;
    const struct float_format *const f = &float_formats[format_of_bits(j->n_bits)];
    uint64_t const ours = ours_in(s, 0);
    if (format_is_nan(f, ours) || format_is_nan(f, s->folder)) {
        return false;
    }
    int64_t const away = format_to_key(f, ours) - format_to_key(f, s->folder);
    return away >= -n && away <= n;
}
/* Is the folder's f64 that of the f32 nearest to the operand, two units more or less? */
static bool is_of_f32(const struct sample *s)
{
    const struct float_format *const f = &float_formats[FMT_F32];
    struct job j = *s->job;
    j.n_bits = j.m_bits = 32;
    struct sample const t = {.job = &j, .args = {nir_float_convert(&as_is, 32, 64, s->args[0])}};
    uint64_t const ours = ours_in(&t, 0), folder = nir_float_convert(&as_is, 32, 64, s->folder);
    if (is_nan(32, ours) || is_nan(32, folder)) {
        return is_nan(32, ours) && is_nan(32, folder);
    }
    int64_t const away = format_to_key(f, ours) - format_to_key(f, folder);
    return away >= -2 && away <= 2;
}
/* Are the two as near as sines of angles can be that are 2^-20 of the angle apart? An angle that f32 does not hold has none. */
static bool is_near_angle(const struct sample *s)
{
    unsigned const n_bits = s->job->n_bits;
    double const turns = to_double(n_bits, s->args[0]);
    double const away = to_double(n_bits, s->folder) - to_double(n_bits, s->ours);
    if (is_nan(n_bits, s->folder)) {
        return fabs(turns) * 6.2831853 > 0x1.fffffep127;
    }
    double const unit = n_bits == 16 ? 0x1p-10 : 0x1p-20;
    return fabs(away) <= unit + fabs(turns) * 0x1p-20;
}

/* What the formulas are written with. */
#define SAMPLE(s)                                                                                  \
    uint64_t const a = (s)->args[0], b = (s)->args[1], c = (s)->args[2], d = (s)->args[3];         \
    unsigned const n_bits = (s)->job->n_bits, m_bits = (s)->job->m_bits;                           \
    uint64_t const least = UINT64_C(1) << (n_bits - 1), mask = nir_mask(n_bits);                   \
    (void)a, (void)b, (void)c, (void)d, (void)n_bits, (void)m_bits, (void)least, (void)mask

/* Is the operation compared at these widths? */
static bool has_widths(const struct job *j)
{
    unsigned const n_bits = j->n_bits;
#define NIR_WIDTHS(name, condition)                                                                \
    if (j->op == NIR_OP_##name && !(condition)) {                                                  \
        return false;                                                                              \
    }
#include "tests/prove/nir_alu_reason.def"
    return true;
}

/* Is the value of these operands defined, for both? */
static bool is_in_domain(const struct sample *s)
{
    SAMPLE(s);
#define NIR_DOMAIN(name, condition)                                                                \
    if (s->job->op == NIR_OP_##name && !(condition)) {                                             \
        return false;                                                                              \
    }
#include "tests/prove/nir_alu_reason.def"
    return true;
}

/* Why the folder gives another value; NULL: for no known reason. */
static const char *find_reason(const struct sample *s)
{
    SAMPLE(s);
    uint64_t const ours = s->ours, folder = s->folder;
    uint32_t const controls = s->job->controls;
    bool const is_toward_zero = (controls & TOWARD_ZERO) != 0;
#define NIR_REASON(name, condition, text)                                                          \
    if (s->job->op == NIR_OP_##name && (condition)) {                                              \
        return text;                                                                               \
    }
#define NIR_REASON_ANY(condition, text)                                                            \
    if (condition) {                                                                               \
        return text;                                                                               \
    }
#include "tests/prove/nir_alu_reason.def"
    return NULL;
}

/* The operation of Mesa that a row is compared with. */
static const char *find_reference(const char *name)
{
#define NIR_REFERENCE(ours, folder)                                                                \
    if (strcmp(name, #ours) == 0) {                                                                \
        return #folder;                                                                            \
    }
#include "tests/prove/nir_alu_reason.def"
    return name;
}
