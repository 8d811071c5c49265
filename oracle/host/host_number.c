/* oracle/host/host_number.c -- encodings as numbers of the host, and back. */
#include "oracle/host/host_number.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* How the 16 bits of a float are divided: binary16 or bfloat16. */
struct layout {
    int n_frac;       /* bits of the fraction */
    int least;        /* exponent of the last place of the smallest numbers */
    uint64_t highest; /* the exponent's field of infinities and NaNs */
};
static const struct layout half = {10, -24, 31}, bfloat = {7, -133, 255};

/* A float of 16 bits, by its fields; exact. */
static double widen(const struct layout *layout, uint64_t enc)
{
    uint64_t const e = enc >> layout->n_frac & layout->highest;
    uint64_t const m = enc & ((UINT64_C(1) << layout->n_frac) - 1);
    uint64_t const digits = e ? m + (UINT64_C(1) << layout->n_frac) : m;
    double v = ldexp((double)digits, (e ? (int)e - 1 : 0) + layout->least);
    if (e == layout->highest) {
        v = m ? (double)NAN : (double)INFINITY;
    }
    return enc >> 15 & 1 ? -v : v;
}

/* Rounds a double to 16 bits, to nearest even or toward zero. n is the magnitude in units of the
 * last place of the result, so that a carry at the end of a binade increments the exponent field. */
static uint64_t narrow(const struct layout *layout, double v, bool is_toward_zero)
{
    uint64_t const sign = signbit(v) ? 0x8000 : 0;
    uint64_t const inf = layout->highest << layout->n_frac, largest = inf - 1;
    double const a = fabs(v);
    if (isnan(v)) {
        return sign | inf | UINT64_C(1) << (layout->n_frac - 1);
    }
    if (isinf(v)) {
        return sign | inf;
    }
    if (!(a > 0)) {
        return sign;
    }
    int e = 0;
    (void)frexp(a, &e); /* a < 2^e */
    int const last = e - layout->n_frac - 1;
    int const unit = last < layout->least ? layout->least : last; /* exponent of the last place */
    double const scaled = ldexp(a, -unit);                        /* below 2^(n_frac + 1) */
    double const whole = floor(scaled);
    double const rest = scaled - whole;
    uint64_t n = (uint64_t)whole;
    if (!is_toward_zero && (rest > 0.5 || (!(rest < 0.5) && (n & 1)))) {
        n++;
    }
    /* n 2^unit; a subnormal's unit is the least and its field 0, that of a normal number unit - least + 1 */
    uint64_t const enc = n + ((uint64_t)(unit - layout->least) << layout->n_frac);
    if (enc >= inf) {
        return sign | (is_toward_zero ? largest : inf);
    }
    return sign | enc;
}

double host_decode(enum fmt_id fmt, uint64_t enc)
{
    double d = 0;
    float f = 0;
    uint32_t const bits = (uint32_t)enc;
    switch (fmt) {
    case FMT_F16:
        return widen(&half, enc);
    case FMT_F32:
        memcpy(&f, &bits, sizeof f);
        return (double)f;
    case FMT_BF16:
        return widen(&bfloat, enc);
    case FMT_F64:
        memcpy(&d, &enc, sizeof d);
        return d;
    }
    return d;
}

/* v as an encoding of fmt. Flushed where the modes say so, judged before rounding; then rounded in the
 * mode's direction, to f32 by the host's own conversion. */
uint64_t host_encode(const struct host_modes *modes, enum fmt_id fmt, double v)
{
    uint64_t enc = 0;
    if (modes->flush[fmt] && fabs(v) < ldexp(1, float_formats[fmt].emin)) {
        return signbit(v) ? float_formats[fmt].sign : 0;
    }
    if (fmt == FMT_F16) {
        enc = narrow(&half, v, modes->toward_zero[fmt]);
    } else if (fmt == FMT_BF16) {
        enc = narrow(&bfloat, v, modes->toward_zero[fmt]);
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
    return enc;
}
