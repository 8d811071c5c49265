/* gen/inputs/inputs_number.c -- single numbers, made of integers alone: usual ones, and what is
 * hard for a function. */
#include "gen/inputs/inputs_number.h"

#include <assert.h>

uint64_t inputs_encode(const struct float_format *f, int64_t k, int exp)
{
    uint64_t const sign = k < 0 ? f->sign : 0;
    uint64_t m = k < 0 ? (uint64_t)-k : (uint64_t)k;
    if (m == 0) {
        return 0;
    }
    unsigned const n_frac = f->prec_bits - 1;
    while (m >> n_frac == 0 && exp - 1 >= f->emin - (int)n_frac) {
        m <<= 1;
        exp--;
    }
    if (m >> n_frac == 0) { /* exp is that of subnormal numbers */
        return sign | m;
    }
    uint64_t const biased = (uint64_t)(exp + (int)n_frac + f->emax);
    assert(biased < f->exp >> n_frac);
    return sign | biased << n_frac | (m & f->frac);
}

uint64_t inputs_random(const struct float_format *f, struct rng *r, int lo, int hi)
{
    lo = lo < f->emin ? f->emin : lo > f->emax ? f->emax : lo;
    hi = hi > f->emax ? f->emax : hi < f->emin ? f->emin : hi;
    uint64_t const e = (uint64_t)(lo + f->emax) + rng_below(r, (uint64_t)(hi - lo + 1));
    uint64_t const bits = rng_next(r);
    return (bits & (f->sign | f->frac)) | e << (f->prec_bits - 1);
}

/* Returns a special encoding of either sign: a zero, one, infinity or NaN, the ends of the ranges and their
 * neighbours, or a small number. Zero and infinity stand in the list twice, so that they come more often. */
uint64_t inputs_get_special(const struct float_format *f, struct rng *r)
{
    uint64_t const one_bits = inputs_encode(f, 1, 0);
    uint64_t const smallest_normal = f->frac + 1;
    uint64_t const list[] = {0,
                             1, /* the smallest subnormals */
                             2,
                             f->frac, /* the largest subnormal */
                             smallest_normal,
                             smallest_normal + 1,
                             f->exp - 1, /* the largest finite number */
                             f->exp,     /* infinity */
                             f->exp | f->quiet,
                             one_bits,
                             one_bits + 1,
                             one_bits - 1,
                             inputs_encode(f, 1, -1), /* 1/2 and 3/2, then 2 and 3 */
                             inputs_encode(f, 3, -1),
                             inputs_encode(f, 2, 0),
                             inputs_encode(f, 3, 0),
                             0,
                             f->exp};
    uint64_t const magnitude = list[rng_below(r, ARRAY_N(list))];
    return magnitude ^ (rng_next(r) & 1 ? f->sign : 0);
}

/* ---- numbers next to multiples of constants ---- */

/* Constants in units of 2^-96, and pi / 2 in units of 2^-95: three limbs, the highest first. */
struct constant {
    uint32_t limb[3];
    int exp; /* of the lowest bit */
};
static const struct constant half_pi = {
    {0xc90fdaa2, 0x2168c234, 0xc4c6628b},
    -95
};
static const struct constant ln_2 = {
    {0xb17217f7, 0xd1cf79ab, 0xc9e3b398},
    -96
};
static const struct constant log10_2 = {
    {0x4d104d42, 0x7de7fbcc, 0x47c4acd6},
    -96
};
static const struct constant one = {
    {0x80000000, 0, 0},
    -95
};

/* Returns the encoding of the number nearest to m * 2^exp, ties upwards; m is not 0. Too large numbers
 * become infinity, too small ones the smallest subnormal. The exponent of the result is that of m's highest
 * bit, but at least emin. Bits of m below the last place at that exponent are dropped, and the highest
 * dropped bit rounds. */
static uint64_t encode_near(const struct float_format *f, uint64_t m, int exp)
{
    unsigned const n_frac = f->prec_bits - 1;
    int highest_bit = 63;
    while (!(m >> highest_bit & 1)) {
        highest_bit--;
    }
    int const e = exp + highest_bit; /* m * 2^exp is at least 2^e, below 2^(e+1) */
    bool const is_subnormal = e < f->emin;
    int const last_place = (is_subnormal ? f->emin : e) - (int)n_frac;
    int const n_dropped = last_place - exp;
    if (e > f->emax) {
        return f->exp;
    }
    if (n_dropped >= 64) {
        return 1;
    }
    uint64_t mantissa = n_dropped > 0 ? m >> n_dropped : m << -n_dropped;
    if (n_dropped > 0) {
        mantissa += m >> (n_dropped - 1) & 1;
    }
    if (is_subnormal) {
        return mantissa == 0 ? 1 : mantissa;
    }
    /* The highest bit of the mantissa is not stored, and the exponent is stored plus emax. Where rounding
     * carried into the next power of two, the sum carries into the exponent field. */
    return mantissa - (UINT64_C(1) << n_frac) + ((uint64_t)(e + f->emax) << n_frac);
}

/* Returns the encoding of the number nearest to k * c * 2^shift, by the highest 64 bits of the product. The
 * product is a long multiplication by limbs of 32 bits. m is the first limb that is not 0 and the limb
 * after it, moved up until the highest bit is 1. */
static uint64_t encode_multiple(const struct float_format *f, uint32_t k, const struct constant *c,
                                int shift)
{
    uint32_t limbs[4]; /* of k * c, the highest first */
    uint64_t carry = 0;
    for (int i = 2; i >= 0; i--) {
        carry += (uint64_t)c->limb[i] * k;
        limbs[i + 1] = (uint32_t)carry;
        carry >>= 32;
    }
    limbs[0] = (uint32_t)carry;
    int first = 0;
    while (first < 2 && limbs[first] == 0) {
        first++;
    }
    uint64_t m = (uint64_t)limbs[first] << 32 | limbs[first + 1];
    int exp = c->exp + shift + 32 * (2 - first);
    uint32_t const next = first < 2 ? limbs[first + 2] : 0; /* its highest bits move up into m */
    unsigned n_zero = 0;                                    /* leading zeros of m */
    while (n_zero < 31 && !(m << n_zero >> 63)) {
        n_zero++;
    }
    if (n_zero > 0) {
        m = m << n_zero | next >> (32 - n_zero);
        exp -= (int)n_zero;
    }
    return encode_near(f, m == 0 ? 1 : m, exp); /* m is 0 where k is: encode_near wants another */
}

/* A few encodings up or down; may leave the numbers at the ends, which is as well. */
static uint64_t stir(const struct float_format *f, struct rng *r, uint64_t enc, uint32_t most)
{
    uint64_t const bits = rng_next(r);
    enc += rng_below(r, 2 * (uint64_t)most + 1) - most;
    return (enc ^ (bits & 1 ? f->sign : 0)) & format_mask(f);
}

/* f16, f32 or f64: 0, 1, 2. */
static unsigned index_of(const struct float_format *f)
{
    return f->prec_bits == 11 ? 0 : f->prec_bits == 24 ? 1 : 2;
}

/* ---- closest multiples of pi / 2, and arguments whose results are hard to round ---- */

enum hard_kind {
    HARD_TRIG,
    HARD_EXP,
    HARD_LOG
};
enum {
    HARD_N = 0
#define HARD(...) +1
#include "gen/inputs/hard.def"
};
struct hard {
    enum hard_kind kind;
    uint64_t f16, f32, f64; /* encodings */
};
static const struct hard hard_rows[HARD_N] = {
#define HARD(kind, f16, f32, f64) {HARD_##kind, f16, f32, f64},
#include "gen/inputs/hard.def"
};

static uint64_t pick_hard(enum hard_kind kind, const struct float_format *f, struct rng *r)
{
    const struct hard *row = &hard_rows[rng_below(r, HARD_N)];
    while (row->kind != kind) {
        row = &hard_rows[rng_below(r, HARD_N)];
    }
    uint64_t const encodings[3] = {row->f16, row->f32, row->f64};
    return encodings[index_of(f)];
}

/* ---- one argument ---- */

/* An argument that is hard for sines and cosines: near multiples of pi / 2 or pi / 4, whose results are
 * nearly 0 or equal; large ones, which need a long reduction; small ones; ordinary ones. stir: a few encodings
 * away. */
static uint64_t get_trig(const struct float_format *f, struct rng *r)
{
    uint64_t const how = rng_below(r, 8);
    uint32_t const k =
        (uint32_t)(rng_next(r) >> (44 + rng_below(r, 20))) | 1; /* odd, 1 to 20 bits */
    switch (how) {
    case 0:
    case 1: /* k * pi / 2, in range of f16 */
        return stir(f, r, encode_multiple(f, k % (1u << 15), &half_pi, 0), 1);
    case 2: /* k * pi / 4 */
        return stir(f, r, encode_multiple(f, k, &half_pi, -1), 1);
    case 3:
        return pick_hard(HARD_TRIG, f, r);
    case 4: /* large: the argument's reduction */
        return inputs_random(f, r, f->emax / 10, f->emax);
    case 5:
        return inputs_random(f, r, 5, 30);
    case 6: /* sin x is x, or the next to it */
        return inputs_random(f, r, -(int)f->prec_bits, -1);
    default:
        return inputs_random(f, r, -2, 4);
    }
}

/* k / 4 and the like: exact ones, and their neighbours. */
static uint64_t get_quarters(const struct float_format *f, struct rng *r, int lowest)
{
    enum {
        WORD = 31 /* bits of a number that a signed integer of 32 bits holds */
    };
    unsigned const most = f->prec_bits < WORD ? f->prec_bits : WORD;
    unsigned const drawn = 1 + (unsigned)rng_below(r, f->prec_bits);
    bool const is_long =
        rng_below(r, 4) == 0; /* all digits of the type, the last of them behind the point */
    unsigned const n_bits = is_long ? most : drawn;
    int64_t const k =
        (int64_t)(rng_next(r) >> (64 - n_bits)) | (is_long ? 1 | INT64_C(1) << (most - 1) : 0);
    int const exp = -(int)rng_below(r, (uint64_t)lowest + 1);
    uint64_t const enc = inputs_encode(f, k, is_long && exp == 0 ? -1 : exp);
    return stir(f, r, enc, rng_below(r, 2) ? 1 : 0);
}

/* Overflow, the smallest normal number and the smallest of all, for bases e, 2 and 10. */
static uint64_t get_exp(const struct float_format *f, struct rng *r)
{
    static const struct constant *const bases[3] = {&ln_2, &one, &log10_2};
    int const ends[4] = {f->emax + 1, -f->emin, (int)f->prec_bits - 1 - f->emin,
                         (int)f->prec_bits - f->emin};
    uint64_t const how = rng_below(r, 8);
    uint32_t const k = (uint32_t)ends[rng_below(r, 4)];
    const struct constant *const c = bases[rng_below(r, 3)];
    static const int largest_exp[3] = {4, 6, 9}; /* e^2^that overflows, or nearly */
    if (how <= 3) {                              /* cosh and sinh end a factor of two later */
        return stir(f, r, encode_multiple(f, how == 3 ? k + 1 : k, c, 0), 4);
    }
    if (how == 4) {
        return pick_hard(HARD_EXP, f, r);
    }
    return how == 5 ? inputs_random(f, r, -(int)f->prec_bits - 2, -2)
                    : inputs_random(f, r, -3, largest_exp[index_of(f)]);
}

static uint64_t get_log(const struct float_format *f, struct rng *r)
{
    uint64_t const how = rng_below(r, 8);
    uint64_t const one_enc = inputs_encode(f, 1, 0);
    uint64_t const away = UINT64_C(1) << rng_below(r, f->prec_bits - 1);
    if (how < 3) {
        return how == 1 ? one_enc + away : one_enc - away;
    }
    if (how == 3) {
        int const e = (int)rng_below(r, (uint64_t)f->emax) - f->emax / 2;
        return stir(f, r, inputs_encode(f, 1, e), 1) & ~f->sign;
    }
    if (how == 4) {
        return pick_hard(HARD_LOG, f, r);
    }
    return how == 5 ? rng_next(r) & f->frac : inputs_random(f, r, f->emin, f->emax) & ~f->sign;
}

static uint64_t get_unit(const struct float_format *f, struct rng *r)
{
    uint64_t const how = rng_below(r, 8);
    uint64_t const one_enc = inputs_encode(f, 1, 0);
    if (how < 4) {
        uint64_t const away = rng_below(r, UINT64_C(1) << rng_below(r, f->prec_bits - 1));
        bool const is_beyond = how == 3; /* by one encoding */
        return stir(f, r, is_beyond ? one_enc + 1 : one_enc - away, 0);
    }
    if (how == 4) {
        return stir(f, r, inputs_encode(f, 1, -1), 2);
    }
    return how == 5 ? inputs_random(f, r, f->emin, -2) : inputs_random(f, r, -6, -1);
}

static uint64_t get_gamma(const struct float_format *f, struct rng *r)
{
    /* from where tgamma overflows: 9.2, 35.04, 171.62; f16 has no other numbers near it */
    static const uint64_t ends[3] = {0x488f, 0x420c290f, 0x406573fae561f647};
    static const uint64_t n_whole[3] = {20, 72, 360}; /* to about twice that */
    uint64_t const how = rng_below(r, 8);
    int64_t const k = (int64_t)rng_below(r, n_whole[index_of(f)]);
    if (how < 3) {
        return stir(f, r, inputs_encode(f, k, 0), how == 2 ? 0 : 2);
    }
    if (how == 3) {
        return stir(f, r, inputs_encode(f, k, -1), 2);
    }
    if (how == 4) {
        return (ends[index_of(f)] + rng_below(r, 33) - 16) & format_mask(f);
    }
    return how == 5 ? inputs_random(f, r, f->emin, 0) : inputs_random(f, r, -2, 7);
}

/* The middle between two numbers of a narrower type, or an encoding beside it. */
static uint64_t get_narrow(const struct float_format *f, struct rng *r)
{
    unsigned const to_bits = f->prec_bits == 24 || rng_below(r, 2) ? 11 : 24; /* its precision */
    if (f->prec_bits <= to_bits) {
        return inputs_random(f, r, f->emin, f->emax);
    }
    int const emax = to_bits == 11 ? 15 : 127;
    unsigned const n_low = f->prec_bits - to_bits;
    /* bits that the narrower type lacks as the number is subnormal in it */
    unsigned const n_gone = (unsigned)rng_below(r, 4) ? 0 : 1 + (unsigned)rng_below(r, to_bits);
    int const e =
        n_gone ? 1 - emax - (int)n_gone : (int)rng_below(r, 2 * (uint64_t)emax + 1) - emax;
    uint64_t const half = UINT64_C(1) << (n_low - 1 + (n_gone < to_bits ? n_gone : to_bits - 1));
    uint64_t frac = rng_next(r) & f->frac & ~(2 * half - 1);
    frac |= rng_below(r, 4) ? half : 0;
    uint64_t const enc = frac | (uint64_t)(e + f->emax) << (f->prec_bits - 1);
    return stir(f, r, enc, rng_below(r, 2) ? 1 : 0);
}

/* ---- several arguments: each draws the same from r, and takes its own ---- */

/* Returns argument x (number 0) or y (1) of x^y. Calls for both arguments draw the same random numbers, so
 * that the pair fits together. Kinds of pairs: x near 1 with a y for which x^y comes near the ends of the
 * range; powers of 2 and 10; exact powers; small whole and half exponents; ordinary numbers. */
static uint64_t get_pow(const struct float_format *f, struct rng *r, uint32_t argument)
{
    enum {
        EXPONENTIAL = 3, /* the three kinds below it are x near 1 */
        EXACT,
        HALVES,
        POSITIVE, /* ordinary numbers, x positive; the last kind: x of either sign */
        N_KINDS = 8
    };
    static const int range_exp[3] = {3, 6, 9}; /* the range ends near 2^2^that */
    bool const is_base = argument == 0;
    uint64_t const kind = rng_below(r, N_KINDS);
    unsigned const away = (unsigned)rng_below(r, f->prec_bits - 1);
    uint64_t const bits = rng_next(r);
    /* x near 1: (1 + 2^(away-p+1))^y is about 2^(y * 1.44 * 2^(away-p+1)) */
    if (kind < EXPONENTIAL) {
        int const e = (int)f->prec_bits - 1 - (int)away + range_exp[index_of(f)];
        uint64_t const near = inputs_encode(f, 1, 0) + (UINT64_C(1) << away) + (bits & 1);
        return is_base ? near : inputs_random(f, r, e - 1, e); /* y has exponent e - 1 or e */
    }
    if (kind == EXPONENTIAL) { /* 2^y, 10^y */
        return is_base ? inputs_encode(f, bits & 1 ? 2 : 10, 0) : get_exp(f, r);
    }
    if (kind == EXACT) { /* x is -7 to 7, y is -11 to 11 */
        int64_t const x = (int64_t)(bits % 15) - 7;
        int64_t const y = (int64_t)(bits / 16 % 23) - 11;
        return inputs_encode(f, is_base ? x : y, 0);
    }
    if (kind == HALVES) { /* y is a multiple of 1/2 up to 4, or beside it */
        return is_base ? inputs_random(f, r, f->emin, f->emax)
                       : stir(f, r, inputs_encode(f, (int64_t)(bits % 9), -1), 1);
    }
    uint64_t const enc = inputs_random(f, r, -4, is_base ? 4 : 5);
    return is_base && kind == POSITIVE ? enc & ~f->sign : enc;
}

/* Returns argument x (number 0) or y (1) of x / y. Calls for both arguments draw the same random numbers,
 * so that the pair fits together. In half of the cases x / y is k or k + 1/2, or nearly that: x = (2k + 0
 * or 1) * y * 2^e is divided by 2 * y * 2^e, where k and y have about half of the precision each, so that x
 * is exact. In the other cases the two are far apart, near an end of the range, or any numbers. */
static uint64_t get_quotient(const struct float_format *f, struct rng *r, uint32_t argument)
{
    enum {
        NEARLY_HALF = 3, /* the kinds up to this one are k and k + 1/2 */
        FAR_APART,
        NEAR_END,
        ANY, /* the last kind: numbers about 1 */
        N_KINDS = 8
    };
    uint64_t const kind = rng_below(r, N_KINDS);
    unsigned const n_bits = 1 + (unsigned)rng_below(r, f->prec_bits / 2);
    int64_t const k = (int64_t)(rng_next(r) >> (64 - n_bits));
    int64_t const y = (int64_t)(rng_next(r) >> (64 - f->prec_bits / 2 + 1)) | 1; /* not 0 */
    int const e = (int)rng_below(r, (uint64_t)f->emax / 2) - f->emax / 4;
    uint64_t const signs = rng_next(r);
    uint64_t const sign = signs >> argument & 1 ? f->sign : 0;
    if (kind < FAR_APART) {
        int64_t const half = (int64_t)(kind % 2); /* even kinds: k, odd kinds: k + 1/2 */
        int64_t const m = argument == 0 ? (2 * k + half) * y : 2 * y;
        int64_t const most = (INT64_C(1) << f->prec_bits) - 1;
        uint64_t const enc = inputs_encode(f, m > most ? most : m, e) ^ sign;
        /* x moves by at most one encoding */
        return argument == 0 && kind == NEARLY_HALF ? stir(f, r, enc, 1) : enc;
    }
    if (kind == FAR_APART) { /* the quotient is beyond the range, or near its end */
        return argument == 0 ? inputs_random(f, r, f->emax / 2, f->emax)
                             : inputs_random(f, r, f->emin, -f->emax / 2);
    }
    if (kind == NEAR_END) {
        int const end = signs / 4 % 2 ? f->emax : f->emin + 1;
        return inputs_random(f, r, end - 1, end);
    }
    return kind == ANY ? inputs_random(f, r, f->emin, f->emax) : inputs_random(f, r, -3, 3);
}

/* A product in the middle between two numbers, which is exact in one bit more than the precision, and z so small that a
 * sum in the next wider format (binary32, binary64, and the 64 bits of x87) is the middle again: rounded once more, it
 * goes to the even number, whatever z says. */
static uint64_t get_fma_middle(const struct float_format *f, struct rng *r, uint32_t argument)
{
    static const int wide_bits[3] = {24, 53, 64};
    int const p = (int)f->prec_bits;
    unsigned const y_bits = 3 + (unsigned)rng_below(r, f->prec_bits / 2 - 2);
    unsigned const x_bits = f->prec_bits + 1 - y_bits;
    /* odd ones of at least 3/4 of their powers of two, so that the product has p + 1 bits */
    uint64_t const less_x = 2 * rng_below(r, UINT64_C(1) << (x_bits - 3)) + 1;
    uint64_t const less_y = 2 * rng_below(r, UINT64_C(1) << (y_bits - 3)) + 1;
    bool const is_half = f->prec_bits == 11; /* whose range has just enough room */
    int const e =
        is_half ? (int)rng_below(r, 4) : (int)rng_below(r, (uint64_t)f->emax / 2) - f->emax / 4;
    int const own = (int)rng_below(r, 4) - 2;
    uint64_t const sign = rng_next(r) & f->sign;
    if (argument == 0) {
        return inputs_encode(f, (INT64_C(1) << x_bits) - (int64_t)less_x, own) ^ sign;
    }
    if (argument == 1) {
        return inputs_encode(f, (INT64_C(1) << y_bits) - (int64_t)less_y, e - own);
    }
    int const end = e + p - wide_bits[index_of(f)] - 1;
    return inputs_random(f, r, end - 3, end);
}

/* A product about the smallest normal number or far below, and a subnormal z. */
static uint64_t get_fma_tiny(const struct float_format *f, struct rng *r, uint32_t argument)
{
    int const e = (int)rng_below(r, (uint64_t)f->emax) - f->emax / 2;
    int const sum = f->emin - (rng_below(r, 2) ? 1 : (int)f->prec_bits / 2);
    if (argument == 2) {
        return rng_next(r) & (f->sign | f->frac);
    }
    int const own = argument == 0 ? sum / 2 + e : sum - sum / 2 - e;
    uint64_t const x = inputs_random(f, r, own, own);
    return argument == 0 ? x : inputs_random(f, r, own, own);
}

/* Returns argument x (number 0), y (1) or z (2) of x * y + z. Calls for all arguments draw the same random
 * numbers, so that they fit together. Mostly x * y is exact and z is its negative, or beside it by a last
 * place. Else the product lies in the middle between two numbers (get_fma_middle), is tiny (get_fma_tiny),
 * or has any length. */
static uint64_t get_fma(const struct float_format *f, struct rng *r, uint32_t argument)
{
    enum {
        ANY_LENGTH_BELOW = 2, /* of N_KINDS */
        CANCELS_WHOLLY = 2,
        MIDDLE = 5,
        TINY_FROM = 6,
        N_KINDS = 8
    };
    uint64_t const kind = rng_below(r, N_KINDS);
    unsigned const n_bits = f->prec_bits / 2;
    if (kind == MIDDLE) {
        return get_fma_middle(f, r, argument);
    }
    if (kind >= TINY_FROM) {
        return get_fma_tiny(f, r, argument);
    }
    int64_t const x = (int64_t)(rng_next(r) >> (64 - n_bits)) | 1;
    int64_t const y = (int64_t)(rng_next(r) >> (64 - n_bits)) | 1;
    int const e = (int)rng_below(r, (uint64_t)f->emax / 2) - f->emax / 4;
    /* v * v - v: a product of more bits than the format has, which two roundings may give other than one */
    if (kind < ANY_LENGTH_BELOW) {
        uint64_t const v = inputs_random(f, r, -2, 2);
        return argument == 2 ? v ^ f->sign : v;
    }
    if (argument < 2) {
        return inputs_encode(f, argument == 0 ? x : y, argument == 0 ? e : -(int)n_bits);
    }
    uint64_t const enc = inputs_encode(f, -(x * y), e - (int)n_bits);
    return kind == CANCELS_WHOLLY ? enc : enc + rng_below(r, 3) - 1;
}

static uint64_t get_sum(const struct float_format *f, struct rng *r, uint32_t argument)
{
    uint64_t const how = rng_below(r, 4);
    int const p = (int)f->prec_bits;
    int const e = (int)rng_below(r, (uint64_t)f->emax) - f->emax / 2;
    uint64_t const x = inputs_random(f, r, e, e);
    if (argument == 0) {
        return x;
    }
    if (how == 0) { /* half a unit in x's last place, or next to it */
        int const low = e - p < f->emin ? f->emin : e - p;
        return stir(f, r, inputs_encode(f, 1, low), 1);
    }
    if (how == 1) { /* cancels, but for some digits */
        return (x ^ f->sign) + rng_below(r, 5) - 2;
    }
    return how == 2 ? inputs_random(f, r, e - p - 1, e + 1) : inputs_random(f, r, e - 2, e + 2);
}

static uint64_t get_product(const struct float_format *f, struct rng *r, uint32_t argument)
{
    uint64_t const how = rng_below(r, 4);
    int const e = (int)rng_below(r, (uint64_t)f->emax) - f->emax / 2;
    if (how == 0) { /* a bit more than fits: ties */
        unsigned const n_bits = f->prec_bits / 2 + 1;
        return inputs_encode(f, (int64_t)(rng_next(r) >> (64 - n_bits)) | 1, -4);
    }
    if (how == 1) { /* about the largest, the smallest normal, or a subnormal */
        int const ends[3] = {f->emax, f->emin, f->emin - (int)f->prec_bits / 2};
        int const sum = ends[rng_below(r, 3)];
        int const own = argument == 0 ? sum / 2 + e : sum - sum / 2 - e;
        return inputs_random(f, r, own, own);
    }
    return inputs_random(f, r, -4, 4);
}

/* For functions with bounds, as clamp(x, low, high): arguments `first` and the next are in order, but seldom
 * equal; the third lies about them. Each argument draws the same from r and takes its own. */
static uint64_t get_ordered(const struct float_format *f, struct rng *r, uint32_t argument,
                            uint32_t first)
{
    bool const is_wide = rng_below(r, 4) == 0;
    int const lo = is_wide ? f->emin : -3;
    int const hi = is_wide ? f->emax - 1 : 3;
    uint64_t const a = inputs_random(f, r, lo, hi);
    uint64_t const b = inputs_random(f, r, lo, hi);
    bool const is_less = format_to_key(f, a) < format_to_key(f, b);
    if (argument == first) {
        return is_less ? a : b;
    }
    if (argument == first + 1) {
        return is_less ? b : a;
    }
    switch (rng_below(r, 4)) {
    case 0:
        return a;
    case 1:
        return stir(f, r, b, 1);
    default:
        return inputs_random(f, r, lo, hi);
    }
}

/* Returns argument number `argument` of an instruction of that domain, as an encoding: a number that is
 * hard for such instructions. */
uint64_t inputs_get_domain(enum input_domain domain, uint32_t argument,
                           const struct float_format *f, struct rng *r)
{
    switch (domain) {
    case DOMAIN_ANY:
        return inputs_random(f, r, -10, 10);
    case DOMAIN_TRIG:
        return get_trig(f, r);
    case DOMAIN_TRIGPI:
        return get_quarters(f, r, 3); /* multiples of 1/8 */
    case DOMAIN_EXP:
        return get_exp(f, r);
    case DOMAIN_LOG:
        return get_log(f, r);
    case DOMAIN_UNIT:
        return get_unit(f, r);
    case DOMAIN_POW:
        return get_pow(f, r, argument);
    case DOMAIN_GAMMA:
        return get_gamma(f, r);
    case DOMAIN_WHOLE:
        return get_quarters(f, r, 2); /* multiples of 1/4 */
    case DOMAIN_QUOTIENT:
        return get_quotient(f, r, argument);
    case DOMAIN_FMA:
        return get_fma(f, r, argument);
    case DOMAIN_MIDDLE:
        return rng_below(r, 4) ? inputs_random(f, r, -4, -1) & ~f->sign
                               : inputs_random(f, r, -2, 1);
    case DOMAIN_SUM:
        return get_sum(f, r, argument);
    case DOMAIN_PRODUCT:
        return get_product(f, r, argument);
    case DOMAIN_NARROW:
        return get_narrow(f, r);
    case DOMAIN_CLAMP: /* clamp(x, low, high): arguments 1 and 2 are in order */
        return get_ordered(f, r, argument, 1);
    case DOMAIN_EDGES: /* smoothstep(low, high, x): arguments 0 and 1 are */
        return get_ordered(f, r, argument, 0);
    }
    assert(0 && "input_domain out of range");
    return 0;
}
