/* oracle/sweep/evaluator_two.c -- functions of two arguments in double. These are f32 or f16 numbers:
 * at most 24 bits, magnitudes from 2^-149 to 2^128; u is 2^-53. */
#include "oracle/sweep/evaluator_two.h"

#include <assert.h>

#include "oracle/sweep/evaluator_kernel.h"

#define PI     0x1.921fb54442d18p+1
#define ONE_PI 0x1.45f306dc9c883p-2 /* 1 / pi */

/* A kernel that is one expression in x and y. */
#define KERNEL(name, expression)                                                                   \
    EVALUATOR_INLINE double name##_kernel(double x, double y)                                      \
    {                                                                                              \
        return expression;                                                                         \
    }

/* --- one rounding --- */

/* No sum is below 2^-149, none beyond 2^129: error u, and none where the rest below is 0. */
KERNEL(add, x + y)
KERNEL(sub, x - y)

/* 24 + 24 bits, 2^-298 to 2^256: exact. */
EVALUATOR_INLINE double mul_kernel(double x, double y)
{
    return x * y;
}

/* 2^-277 to 2^277: error u. */
KERNEL(divide, x / y)

EVALUATOR_INLINE double fdim_kernel(double x, double y)
{
    double const below = x <= y ? 0 : EVALUATOR_NAN;
    return x > y ? x - y : below;
}

/* The squares are exact, as products; their sum is off by u, of which the root leaves half, and rounds
 * by u: 1.5 u and less than u^2. */
EVALUATOR_INLINE double hypot_kernel(double x, double y)
{
    return __builtin_sqrt(x * x + y * y);
}

/* --- exact --- */

KERNEL(fmax, x > y ? x : y)
KERNEL(fmin, x < y ? x : y)

EVALUATOR_INLINE double maxmag_kernel(double x, double y)
{
    double const a = magnitude_of(x), b = magnitude_of(y);
    double const other = b > a ? y : fmax_kernel(x, y);
    return a > b ? x : other;
}

EVALUATOR_INLINE double minmag_kernel(double x, double y)
{
    double const a = magnitude_of(x), b = magnitude_of(y);
    double const other = b < a ? y : fmin_kernel(x, y);
    return a < b ? x : other;
}

KERNEL(copysign, with_sign(x, y))

EVALUATOR_INLINE double step_kernel(double edge, double x)
{
    return x < edge ? 0.0 : 1.0;
}

/* The units above and below |x| differ where it is a power of two that is not the smallest normal
 * number. The sum has at most 25 bits: exact. */
EVALUATOR_INLINE double next_after(double x, double y, uint64_t min_field, uint64_t frac_bits)
{
    double const a = magnitude_of(x);
    uint64_t const own = bits_of(a) >> 52;
    uint64_t const field = own > min_field ? own : min_field;
    uint64_t const is_power = (bits_of(a) << 12) == 0 && own > min_field;
    double const above = double_of((field - frac_bits) << 52);
    double const below = double_of((field - frac_bits - is_power) << 52);
    int const goes_up = x < y, is_away = goes_up == (x > 0);
    double const moved = with_sign(is_away ? a + above : a - below, x);
    double const same = x <= y ? x : EVALUATOR_NAN;
    return x < y || x > y ? moved : same;
}

KERNEL(next_after_f16, next_after(x, y, 1023 - 14, 10))
KERNEL(next_after_f32, next_after(x, y, 1023 - 126, 23))

/* --- remainders: by integers, exact --- */

struct rest {
    double r;       /* |x| mod |y| */
    double divisor; /* |y| */
    int is_odd;     /* the truncated quotient */
    int is_number;
};

/* Computes the remainder of |x| by |y| exactly; is_number is 0 where there is none. |x| = m 2^(e - 23) with m <
 * 2^24, likewise y. The remainder is (m_x 2^k) mod m_y for k = e_x - e_y. It is computed for up to 40 bits of 2^k
 * at a time, without loss because the remainder before each step is below 2^24. The last partial quotient gives
 * the parity of the whole quotient, because each earlier one is multiplied by a power of two. */
EVALUATOR_INLINE struct rest divide_whole(double x, double y)
{
    enum {
        STEP_BITS = 40,
        UNUSED_BITS = 29 /* of a double that holds 24 */
    };
    double const a = magnitude_of(x), b = magnitude_of(y);
    uint64_t const frac = ((uint64_t)1 << 52) - 1;
    if (!(a < 0x1p1000) || !(b < 0x1p1000) || !(b > 0)) {
        return (struct rest){EVALUATOR_NAN, b, 0, 0};
    }
    if (a < b) {
        return (struct rest){a, b, 0, 1};
    }
    uint64_t const dividend = ((bits_of(a) & frac) + frac + 1) >> UNUSED_BITS;
    uint64_t const divisor = ((bits_of(b) & frac) + frac + 1) >> UNUSED_BITS;
    uint64_t n_bits_left = (bits_of(a) >> 52) - (bits_of(b) >> 52);
    uint64_t quotient = dividend / divisor, r = dividend % divisor;
    while (n_bits_left > 0 && r > 0) {
        uint64_t const step = n_bits_left < STEP_BITS ? n_bits_left : STEP_BITS;
        uint64_t const wide = r << step;
        quotient = wide / divisor;
        r = wide % divisor;
        n_bits_left -= step;
    }
    double const unit = double_of(((bits_of(b) >> 52) - 23) << 52);
    /* after a remainder of zero all lower bits of the quotient are zero */
    return (struct rest){(double)r * unit, b, (quotient & 1) != 0 && n_bits_left == 0, 1};
}

KERNEL(fmod, with_sign(divide_whole(x, y).r, x))

/* 2 r and r - |y| are exact: multiples of the smaller unit, below 2^25 and 2^24 of them. */
EVALUATOR_INLINE double remainder_kernel(double x, double y)
{
    struct rest const v = divide_whole(x, y);
    int const is_above = 2 * v.r > v.divisor || (!(2 * v.r < v.divisor) && v.is_odd);
    double const r = is_above ? v.r - v.divisor : v.r;
    return v.is_number && x < 0 ? -r : r;
}

/* Where the signs differ, one divisor more: a sum of two such numbers, error u. */
EVALUATOR_INLINE double fmodulo_kernel(double x, double y)
{
    double const r = fmod_kernel(x, y);
    return magnitude_of(r) > 0 && (r < 0) != (y < 0) ? r + y : r;
}

/* --- composed of evaluators that have a certificate --- */

/* Of atan2, whose first argument is y. */
KERNEL(quotient, magnitude_of(x) / magnitude_of(y))

/* p is the arc tangent of |y / x|. */
EVALUATOR_INLINE double turn(double p, double y, double x)
{
    return with_sign(x < 0 ? PI - p : p, y);
}

/* y log2 |x|. Its magnitude matters up to 192 alone: beyond, so is the power. */
EVALUATOR_INLINE double exponent_kernel(double log2_x, double y)
{
    return y * log2_x;
}

/* The sign of a power of x < 0 by the parity of y; NaN for fractions. From 2^24 on all y are even. */
EVALUATOR_INLINE double signed_power(double power, double x, double y)
{
    double const b = magnitude_of(y) < 0x1p25 ? y : 0;
    double const rest = magnitude_of(nearest_integer(b) - b);
    double const half_rest = magnitude_of(nearest_integer(0.5 * b) - 0.5 * b);
    double const odd = half_rest > 0 ? -power : power;
    double const below = rest > 0 ? EVALUATOR_NAN : odd;
    return x < 0 ? below : power;
}

/* --- loops --- */

typedef void two_loop(const double *restrict x, const double *restrict y, double *restrict out,
                      uint32_t n);
typedef two_loop *const two_loops[EVALUATOR_ISA_N];

#define TWO_LOOP(kernel, isa)                                                                      \
    EVALUATOR_TARGET_##isa static void kernel##_##isa(                                             \
        const double *restrict x, const double *restrict y, double *restrict out, uint32_t n)      \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            out[i] = kernel(x[i], y[i]);                                                           \
        }                                                                                          \
    }
#define TWO_LOOPS(kernel)                                                                          \
    TWO_LOOP(kernel, base)                                                                         \
    TWO_LOOP(kernel, avx2)                                                                         \
    TWO_LOOP(kernel, avx512)                                                                       \
    static two_loops kernel##s = EVALUATOR_TABLE(kernel);
/* clang-format off */
TWO_LOOPS(add_kernel) TWO_LOOPS(sub_kernel) TWO_LOOPS(mul_kernel)
TWO_LOOPS(divide_kernel) TWO_LOOPS(fdim_kernel) TWO_LOOPS(hypot_kernel)
TWO_LOOPS(fmax_kernel) TWO_LOOPS(fmin_kernel) TWO_LOOPS(maxmag_kernel)
TWO_LOOPS(minmag_kernel) TWO_LOOPS(copysign_kernel) TWO_LOOPS(step_kernel)
TWO_LOOPS(next_after_f16_kernel) TWO_LOOPS(next_after_f32_kernel) TWO_LOOPS(fmod_kernel)
TWO_LOOPS(remainder_kernel) TWO_LOOPS(fmodulo_kernel) TWO_LOOPS(quotient_kernel)
TWO_LOOPS(exponent_kernel)
/* clang-format on */

/* In place: the powers and arc tangents, many at a time. */
#define FINISH_LOOPS(isa)                                                                          \
    EVALUATOR_TARGET_##isa static void finish_powers_##isa(                                        \
        const double *restrict x, const double *restrict y, double *restrict out, uint32_t n)      \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            out[i] = signed_power(out[i], x[i], y[i]);                                             \
        }                                                                                          \
    }                                                                                              \
    EVALUATOR_TARGET_##isa static void finish_angles_##isa(                                        \
        const double *restrict y, const double *restrict x, double *restrict out, uint32_t n)      \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            out[i] = turn(out[i], y[i], x[i]);                                                     \
        }                                                                                          \
    }
    /* clang-format off */
EVALUATOR_FOR_EACH(FINISH_LOOPS)
static two_loops finish_powers = EVALUATOR_TABLE(finish_powers);
static two_loops finish_angles = EVALUATOR_TABLE(finish_angles);
/* clang-format on */

/* --- which function has which --- */

/*
 * Slacks. One rounding and hypot: 8 u and more. atan2: the quotient is off by u, the arc tangent's
 * condition is at most 1; of a double the arc tangent's kernel makes the same few roundings as of an
 * f32, of which its certificate says 2^-51.8; pi - p is at least p: 2^-50 in all, a 2^-9 of the slack.
 * pow: log2 |x| of its f32 is within 2^-50.9 by its certificate, so y log2 |x|, up to 192, is off by
 * 2^-43 at most, of which exp2 makes a relative error of 2^-43.5, its own 2^-51 beside it; of whole
 * exponents exp2 is exact. A 2^-5 of the slack.
 */
#define SLACK       0x1p-50
#define ANGLE_SLACK 0x1p-41
#define POWER_SLACK 0x1p-38

struct row {
    const two_loops *loops;
    double slack;
    int is_exact;
    enum func_id parts[2]; /* evaluators that it is composed of */
};
/* clang-format off */
#define PLAIN(kernel) {&kernel##s, SLACK, 0, {FUNC_NONE, FUNC_NONE}}
#define EXACT(kernel) {&kernel##s, SLACK, 1, {FUNC_NONE, FUNC_NONE}}
static const struct row rows[FUNC_N] = {
    [FUNC_FADD] = PLAIN(add_kernel),
    [FUNC_FSUB] = PLAIN(sub_kernel),
    [FUNC_FMUL] = PLAIN(mul_kernel),
    [FUNC_DIVIDE] = PLAIN(divide_kernel),
    [FUNC_FDIM] = PLAIN(fdim_kernel),
    [FUNC_HYPOT] = PLAIN(hypot_kernel),
    [FUNC_FMODULO] = PLAIN(fmodulo_kernel),
    [FUNC_FMAX] = EXACT(fmax_kernel),
    [FUNC_FMIN] = EXACT(fmin_kernel),
    [FUNC_MAXMAG] = EXACT(maxmag_kernel),
    [FUNC_MINMAG] = EXACT(minmag_kernel),
    [FUNC_COPYSIGN] = EXACT(copysign_kernel),
    [FUNC_STEP] = EXACT(step_kernel),
    [FUNC_NEXTAFTER] = EXACT(next_after_f32_kernel),
    [FUNC_FMOD] = EXACT(fmod_kernel),
    [FUNC_FREM] = EXACT(fmod_kernel),
    [FUNC_REMAINDER] = EXACT(remainder_kernel),
    [FUNC_ATAN2] = {&quotient_kernels, ANGLE_SLACK, 0, {FUNC_ATAN, FUNC_NONE}},
    [FUNC_ATAN2PI] = {&quotient_kernels, ANGLE_SLACK, 0, {FUNC_ATAN, FUNC_NONE}},
    [FUNC_POW] = {&exponent_kernels, POWER_SLACK, 0, {FUNC_LOG2, FUNC_EXP2}},
    [FUNC_POWR] = {&exponent_kernels, POWER_SLACK, 0, {FUNC_LOG2, FUNC_EXP2}},
};
/* clang-format on */

double evaluator_two_get_slack(enum func_id func, enum evaluator_isa isa)
{
    if (!rows[func].loops) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        enum func_id const part = rows[func].parts[i];
        if (part != FUNC_NONE && !evaluator_find_certificate(part, isa)) {
            return -1;
        }
    }
    return rows[func].slack;
}

int evaluator_two_is_exact(enum func_id func)
{
    return rows[func].is_exact;
}

/* What a sum of doubles loses (Knuth). */
static double get_rest(double x, double y, double sum)
{
    double const part = sum - x;
    return (x - (sum - part)) + (y - part);
}

/* A product of two numbers of f32 or narrower always fits in a double. A sum is exact where nothing of it is lost; a
 * positive difference of FDim is one of FSub. Of any other function the answer is no. */
int evaluator_two_is_whole(enum func_id func, double x, double y, double value)
{
    switch ((int)func) {
    case FUNC_FMUL:
        return 1;
    case FUNC_FADD:
        return magnitude_of(get_rest(x, y, value)) <= 0;
    case FUNC_FSUB:
    case FUNC_FDIM:
        return value > 0 || func == FUNC_FSUB ? magnitude_of(get_rest(x, -y, value)) <= 0 : 0;
    }
    return 0;
}

/* What lanes have to be left for, as masks of all ones or zeros. */
struct leaving {
    uint64_t nan, power, negative;
};

EVALUATOR_INLINE uint64_t is_left(const struct leaving *l, double x, double y)
{
    uint64_t const infinity = 0x7ff0000000000000, one = 0x3ff0000000000000,
                   two = 0x4000000000000000;
    uint64_t const a = bits_of(magnitude_of(x)), b = bits_of(magnitude_of(y));
    uint64_t const either = (a == 0) | (b == 0) | (a == infinity) | (b == infinity);
    uint64_t const nan = (a > infinity) | (b > infinity);
    /* prescribed, or log2's certificate does not speak of it */
    uint64_t const power = (a == one) | (a == two);
    return either | (nan & l->nan) | (power & l->power) | (bits_of(x) >> 63 & l->negative);
}

#define LEAVE_LOOP(isa)                                                                            \
    EVALUATOR_TARGET_##isa static uint64_t find_left_##isa(                                        \
        const struct leaving *leaving, const double *restrict x, const double *restrict y,         \
        uint64_t *restrict left, uint32_t n)                                                       \
    {                                                                                              \
        struct leaving const l = *leaving;                                                         \
        uint64_t any = 0;                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            left[i] = is_left(&l, x[i], y[i]);                                                     \
            any |= left[i];                                                                        \
        }                                                                                          \
        return any;                                                                                \
    }
EVALUATOR_FOR_EACH(LEAVE_LOOP)

int evaluator_two_find_left(enum func_id func, enum env env, enum evaluator_isa isa,
                            const double *x, const double *y, uint64_t *left, uint32_t n)
{
    /* clang-format off */
    static uint64_t (*const find[EVALUATOR_ISA_N])(const struct leaving *, const double *,
                                                   const double *, uint64_t *, uint32_t) =
        EVALUATOR_TABLE(find_left);
    /* clang-format on */
    bool const is_power = func == FUNC_POW || func == FUNC_POWR;
    bool const survives_nan = func == FUNC_POW || func == FUNC_FMAX || func == FUNC_FMIN ||
                              func == FUNC_MAXMAG || func == FUNC_MINMAG || func == FUNC_COPYSIGN ||
                              func == FUNC_STEP;
    struct leaving const l = {(uint64_t)survives_nan, (uint64_t)is_power,
                              (uint64_t)(is_power && env == ENV_VK)};
    return find[isa](&l, x, y, left, n) != 0;
}

/* atan2(x, y), and over pi. */
static void run_angles(enum func_id func, enum evaluator_isa isa, const double *x, const double *y,
                       double *out, uint32_t n)
{
    double quotient[EVALUATOR_TWO_MAX] = {0};
    (*rows[func].loops)[isa](x, y, quotient, n);
    evaluator_run(FUNC_ATAN, isa, quotient, out, n);
    finish_angles[isa](x, y, out, n);
    for (uint32_t i = 0; i < n && func == FUNC_ATAN2PI; i++) {
        out[i] *= ONE_PI;
    }
}

static void run_powers(enum func_id func, enum evaluator_isa isa, const double *x, const double *y,
                       double *out, uint32_t n)
{
    double a[EVALUATOR_TWO_MAX] = {0}, log2_a[EVALUATOR_TWO_MAX];
    for (uint32_t i = 0; i < n; i++) {
        a[i] = magnitude_of(x[i]);
    }
    evaluator_run(FUNC_LOG2, isa, a, log2_a, n);
    (*rows[func].loops)[isa](log2_a, y, a, n);
    evaluator_run(FUNC_EXP2, isa, a, out, n);
    if (func == FUNC_POW) {
        finish_powers[isa](x, y, out, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) { /* powr */
        out[i] = x[i] < 0 ? EVALUATOR_NAN : out[i];
    }
}

void evaluator_two_run(enum func_id func, enum evaluator_isa isa, enum fmt_id fmt, const double *x,
                       const double *y, double *out, uint32_t n)
{
    assert(rows[func].loops && n <= EVALUATOR_TWO_MAX && fmt != FMT_F64);
    if (rows[func].parts[0] == FUNC_ATAN) {
        run_angles(func, isa, x, y, out, n);
    } else if (rows[func].parts[0] == FUNC_LOG2) {
        run_powers(func, isa, x, y, out, n);
    } else if (func == FUNC_NEXTAFTER && fmt == FMT_F16) {
        next_after_f16_kernels[isa](x, y, out, n);
    } else {
        (*rows[func].loops)[isa](x, y, out, n);
    }
}
