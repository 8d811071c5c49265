/* oracle/host/host_number.c -- encodings as numbers of the host, and back. */
#include "oracle/host/host_number.h"

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

uint64_t host_encode(const struct host_modes *modes, enum fmt_id fmt, double v)
{
    uint64_t enc = 0;
    if (modes->flush[fmt] && fabs(v) < ldexp(1, float_formats[fmt].emin)) {
        return signbit(v) ? float_formats[fmt].sign : 0;
    }
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
    return enc;
}
