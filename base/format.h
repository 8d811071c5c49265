/* base/format.h -- binary16, binary32, binary64 and bfloat16 as data; floats are handled as encodings. */
#pragma once

#include <stdint.h>

enum fmt_id {
    FMT_F16,
    FMT_F32,
    FMT_F64,
    FMT_BF16 /* of atomics alone: tables of arithmetic and functions have FMT_N entries */
};
enum {
    FMT_N = 3,
    FMT_ALL_N = 4
};
/* The float format of a width of 16, 32 or 64 bits. */
static inline enum fmt_id format_of_bits(unsigned n_bits)
{
    return n_bits == 16 ? FMT_F16 : n_bits == 32 ? FMT_F32 : FMT_F64;
}

struct float_format {
    const char *name;   /* "f16", ... "bf16" */
    unsigned n_bits;    /* of the encoding */
    unsigned prec_bits; /* p, hidden bit included: 11, 24, 53, 8 */
    int emin, emax;     /* of x = 1.f * 2^e: -14..15, -126..127, -1022..1023, -126..127 */
    uint64_t sign, exp, frac, quiet; /* masks of an encoding; exp is also +infinity */
};
extern const struct float_format float_formats[FMT_ALL_N];

enum fp_class {
    FP_CLASS_ZERO,
    FP_CLASS_SUBNORMAL,
    FP_CLASS_NORMAL,
    FP_CLASS_INF,
    FP_CLASS_QNAN,
    FP_CLASS_SNAN
};
enum {
    FP_CLASS_N = FP_CLASS_SNAN + 1
};

enum fp_class format_classify(const struct float_format *f, uint64_t enc);
static inline int format_is_nan(const struct float_format *f, uint64_t enc)
{
    return (enc & ~f->sign) > f->exp;
}
static inline int format_is_snan(const struct float_format *f, uint64_t enc)
{
    return format_is_nan(f, enc) && !(enc & f->quiet);
}
static inline int format_is_subnormal(const struct float_format *f, uint64_t enc)
{
    return (enc & f->exp) == 0 && (enc & f->frac) != 0;
}
static inline int format_is_zero(const struct float_format *f, uint64_t enc)
{
    return (enc & ~f->sign) == 0;
}
static inline uint64_t format_max_finite(const struct float_format *f)
{
    return f->exp - 1;
}
/* The encoding of 1, whose exponent field is that of infinity, halved. */
static inline uint64_t format_one(const struct float_format *f)
{
    return f->exp & f->exp >> 1;
}
/* All bits that an encoding of this format may use. */
static inline uint64_t format_mask(const struct float_format *f)
{
    return f->sign | f->exp | f->frac;
}

/* Order-preserving integer of a non-NaN encoding: -0 is -1, +0 is 0, neighbours differ by 1. */
int64_t format_to_key(const struct float_format *f, uint64_t enc);
uint64_t format_from_key(const struct float_format *f, int64_t key);

/* "0x3f800000 (1)" or "0x7fc00001 (qnan)": for people. buf of at least 48 bytes; returns buf. */
const char *format_to_text(const struct float_format *f, uint64_t enc, char *buf, unsigned n_buf);
