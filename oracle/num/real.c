/* oracle/num/real.c -- exact results of one operation, kept as 64 bits rounded to odd, by integers. */
#include "oracle/num/real.h"

/* Shift x right by n bits; what falls out is or-ed into the last bit. */
static real_wide shift_right_odd(real_wide x, unsigned n)
{
    if (n == 0) {
        return x;
    }
    if (n >= 128) {
        return x != 0;
    }
    return x >> n | ((x << (128 - n)) != 0);
}

struct real real_of_wide(real_wide sig, int exp, int negative)
{
    uint64_t const top = (uint64_t)(sig >> 64);
    if (top != 0) {
        unsigned const n = 64 - (unsigned)__builtin_clzll(top);
        return real_of_wide(shift_right_odd(sig, n), exp + (int)n, negative);
    }
    uint64_t const low = (uint64_t)sig;
    if (low == 0) {
        return (struct real){.sig = 0, .exp = 0, .negative = negative};
    }
    int const n = __builtin_clzll(low);
    return (struct real){.sig = low << n, .exp = exp - n, .negative = negative};
}

struct real real_of(const struct float_format *f, uint64_t enc)
{
    int const negative = (enc & f->sign) != 0;
    uint64_t const magnitude = enc & (f->exp | f->frac);
    int const field = (int)(magnitude >> (f->prec_bits - 1));
    uint64_t const hidden = field != 0 ? f->frac + 1 : 0;
    int const exp = f->emin - (int)f->prec_bits + 1 + (field != 0 ? field - 1 : 0);
    return real_of_wide((magnitude & f->frac) | hidden, exp, negative);
}

struct real real_of_int(uint64_t v, int is_signed)
{
    int const negative = is_signed && v >> 63 != 0;
    return real_of_wide(negative ? 0 - v : v, 0, negative);
}

struct real real_add(struct real x, struct real y)
{
    if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig)) {
        struct real const swap = x;
        x = y;
        y = swap;
    }
    /* |x| >= |y|. 127 bits: x's 64 at the top below one bit for the carry. At most 53 bits of y
     * are set, so y loses none below a distance of 74; from there on a subtraction cancels at most
     * one bit, and the odd last bit stays the last of at least 126. */
    real_wide const big = (real_wide)x.sig << 63;
    real_wide const small = shift_right_odd((real_wide)y.sig << 63, (unsigned)(x.exp - y.exp));
    real_wide const sum = x.negative == y.negative ? big + small : big - small;
    return real_of_wide(sum, x.exp - 63, x.negative);
}

struct real real_mul(struct real x, struct real y)
{
    return real_of_wide((real_wide)x.sig * y.sig, x.exp + y.exp, x.negative != y.negative);
}

struct real real_div(struct real x, struct real y)
{
    /* x.sig is even (53 bits). 2^62 <= x.sig/2 < 2^63 <= y.sig < 2^64, so 2^62 < quotient < 2^64:
     * at least 63 bits, the last of them odd where there is a remainder. */
    real_wide const top = (real_wide)(x.sig >> 1) << 64;
    uint64_t const quotient = (uint64_t)(top / y.sig);
    uint64_t const rest = (uint64_t)(top % y.sig);
    return real_of_wide(quotient | (rest != 0), x.exp + 1 - 64 - y.exp, x.negative != y.negative);
}

/* Does the part that is cut off make the magnitude `kept` one larger? */
static int rounds_up(uint64_t kept, uint64_t rest, uint64_t half, int negative, enum real_mode mode)
{
    switch (mode) {
    case REAL_NEAREST:
        return rest > half || (rest == half && (kept & 1) != 0);
    case REAL_ZERO:
        return 0;
    case REAL_DOWN:
        return rest != 0 && negative;
    case REAL_UP:
        return rest != 0 && !negative;
    }
    return 0;
}

/* Returns the encoding of x, rounded once to format f. The significand is split into the bits that the format
 * keeps and the rest; the kept bits are rounded up or not, and the exponent is added before them. A magnitude that
 * is too large becomes an infinity or the largest finite number, depending on the direction. */
uint64_t real_round(const struct float_format *f, struct real x, enum real_mode mode)
{
    uint64_t const sign = x.negative ? f->sign : 0;
    if (x.sig == 0) {
        return sign;
    }
    int const exponent = real_exponent(x);
    if (exponent > f->emax) { /* to nearest, or away from zero, to infinity */
        int const to_inf = mode == REAL_NEAREST || mode == (x.negative ? REAL_DOWN : REAL_UP);
        return sign | (to_inf ? f->exp : format_max_finite(f));
    }
    int const scale = exponent > f->emin ? exponent : f->emin;
    /* Bits below the last of the format: 64 - p for a normal result, more for a subnormal one. */
    int const n = scale - (int)f->prec_bits + 1 - x.exp;
    uint64_t kept = 0, rest = 1, half = 2; /* less than half of the smallest subnormal */
    if (n < 64) {
        kept = x.sig >> n;
        rest = x.sig & ((UINT64_C(1) << n) - 1);
        half = UINT64_C(1) << (n - 1);
    } else if (n == 64) {
        rest = x.sig;
        half = UINT64_C(1) << 63;
    }
    kept += (uint64_t)rounds_up(kept, rest, half, x.negative, mode);
    /* kept includes the hidden bit of a normal result, and a carry increments the exponent, up to that of
     * infinity. */
    return sign | (((uint64_t)(scale - f->emin) << (f->prec_bits - 1)) + kept);
}

uint64_t real_convert(const struct float_format *from, const struct float_format *to, uint64_t enc,
                      enum real_mode mode)
{
    if (format_is_nan(from, enc)) {
        return to->exp | to->quiet;
    }
    if ((enc & ~from->sign) == from->exp) {
        return to->exp | (enc & from->sign ? to->sign : 0);
    }
    return real_round(to, real_of(from, enc), mode);
}
