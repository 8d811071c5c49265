/* base/format.c -- binary16, binary32, binary64 and bfloat16 as one table, and the order of encodings. */
#include "base/format.h"

#include <stdio.h>
#include <string.h>

const struct float_format float_formats[FMT_ALL_N] = {
    {.name = "f16",
     .n_bits = 16,
     .prec_bits = 11,
     .emin = -14,
     .emax = 15,
     .sign = 0x8000,
     .exp = 0x7c00,
     .frac = 0x03ff,
     .quiet = 0x0200                      },
    {.name = "f32",
     .n_bits = 32,
     .prec_bits = 24,
     .emin = -126,
     .emax = 127,
     .sign = 0x80000000,
     .exp = 0x7f800000,
     .frac = 0x007fffff,
     .quiet = 0x00400000                  },
    {.name = "f64",
     .n_bits = 64,
     .prec_bits = 53,
     .emin = -1022,
     .emax = 1023,
     .sign = UINT64_C(0x8000000000000000),
     .exp = UINT64_C(0x7ff0000000000000),
     .frac = UINT64_C(0x000fffffffffffff),
     .quiet = UINT64_C(0x0008000000000000)},
    {.name = "bf16",
     .n_bits = 16,
     .prec_bits = 8,
     .emin = -126,
     .emax = 127,
     .sign = 0x8000,
     .exp = 0x7f80,
     .frac = 0x007f,
     .quiet = 0x0040                      },
};

enum fp_class format_classify(const struct float_format *f, uint64_t enc)
{
    uint64_t const magnitude = enc & (f->exp | f->frac);
    if (magnitude == 0) {
        return FP_CLASS_ZERO;
    }
    if (magnitude <= f->frac) {
        return FP_CLASS_SUBNORMAL;
    }
    if (magnitude < f->exp) {
        return FP_CLASS_NORMAL;
    }
    if (magnitude == f->exp) {
        return FP_CLASS_INF;
    }
    return (magnitude & f->quiet) != 0 ? FP_CLASS_QNAN : FP_CLASS_SNAN;
}

int64_t format_to_key(const struct float_format *f, uint64_t enc)
{
    int64_t const magnitude = (int64_t)(enc & (f->exp | f->frac));
    return (enc & f->sign) != 0 ? -1 - magnitude : magnitude;
}

uint64_t format_from_key(const struct float_format *f, int64_t key)
{
    return key >= 0 ? (uint64_t)key : f->sign | (uint64_t)(-1 - key);
}

/* The value of a finite encoding as a double, exactly, by integers alone: a double's own
 * arithmetic would obey the flush mode of the thread. */
static double to_double(const struct float_format *f, uint64_t enc)
{
    struct float_format const *d = &float_formats[FMT_F64];
    uint64_t const sign = (enc & f->sign) << (d->n_bits - f->n_bits);
    uint64_t magnitude = enc & (f->exp | f->frac);
    uint64_t out = sign;
    if (f->n_bits == d->n_bits) { /* it is one already */
        out = enc;
    } else if (magnitude != 0) {
        int field = (int)(magnitude >> (f->prec_bits - 1)); /* the biased exponent */
        uint64_t frac = magnitude & f->frac;
        /* A subnormal is 0.frac * 2^emin, and emin is the exponent of field 1 as well: frac moves up until it
         * is 1.frac, and field goes down by as many. */
        if (field == 0) {
            field = 1;
            while ((frac & (f->frac + 1)) == 0) {
                frac <<= 1;
                field--;
            }
            frac &= f->frac;
        }
        int const exponent = field - 1 + f->emin; /* in both formats field 1 is emin */
        uint64_t const biased = (uint64_t)(exponent - d->emin + 1);
        out |= biased << (d->prec_bits - 1) | frac << (d->prec_bits - f->prec_bits);
    }
    double value;
    memcpy(&value, &out, sizeof(value));
    return value;
}

/* An encoding as text for people, in buf: its bits in hex, then the value in decimal or what it is instead,
 * "0x3c00 (1)", "0xfe00 (qnan)". Returns buf. */
const char *format_to_text(const struct float_format *f, uint64_t enc, char *buf, unsigned n_buf)
{
    static const int digits[FMT_ALL_N] = {5, 9, 17, 4}; /* enough to tell all encodings apart */
    int const hex = (int)(f->n_bits / 4);
    unsigned long long const shown = enc & format_mask(f);
    const char *const minus = (enc & f->sign) != 0 ? "-" : "";
    switch (format_classify(f, enc)) {
    case FP_CLASS_INF:
        (void)snprintf(buf, n_buf, "0x%0*llx (%sinf)", hex, shown, minus);
        return buf;
    case FP_CLASS_QNAN:
        (void)snprintf(buf, n_buf, "0x%0*llx (qnan)", hex, shown);
        return buf;
    case FP_CLASS_SNAN:
        (void)snprintf(buf, n_buf, "0x%0*llx (snan)", hex, shown);
        return buf;
    case FP_CLASS_ZERO:
        (void)snprintf(buf, n_buf, "0x%0*llx (%s0)", hex, shown, minus);
        return buf;
    case FP_CLASS_SUBNORMAL:
    case FP_CLASS_NORMAL:
        break;
    }
    (void)snprintf(buf, n_buf, "0x%0*llx (%.*g)", hex, shown, digits[f - float_formats],
                   to_double(f, enc));
    return buf;
}
