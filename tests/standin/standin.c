/* tests/standin/standin.c -- f32 and f16 results are rounded from double. A double is trusted unless it is so near to
 * the middle of two neighbours that its own error could matter; then long double decides. make prove PART=standin
 * checks the results of f32 operands. */
#include "tests/standin/standin.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

enum subnormals {
    KEEP,
    FLUSH
};
enum choice {
    ROUNDED,
    LOW,
    HIGH,
    RANDOM
};

struct operation {
    const char *name;
    enum standin_function function;
    enum subnormals subnormals;
    double bound_ulp;
};

static const struct operation operations[] = {
#define OPERATION(name, type, function, subnormals, bound, source)                                 \
    {#name, function, subnormals, bound},
#include "tests/standin/operation.def"
};

enum operation_id {
#define OPERATION(name, type, function, subnormals, bound, source) ID_##name,
#include "tests/standin/operation.def"
};

static enum choice chosen = ROUNDED;

bool standin_choose(const char *word)
{
    static const char *const words[] = {"rounded", "low", "high", "random"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0) {
            chosen = (enum choice)i;
            return true;
        }
    }
    return false;
}

static void __attribute__((constructor)) read_choice(void)
{
    const char *word = getenv("HALFULP_STANDIN");
    if (word && !standin_choose(word)) {
        fputs("HALFULP_STANDIN must be rounded, low, high or random\n", stderr);
        _Exit(2);
    }
}

/* ---- functions ---- */

static const double two_pi = 0x1.921fb54442d18p+2;
static const long double two_pi_l = 0x1.921fb54442d1846ap+2L;

/* sin(2 pi x), or with is_cosine cos(2 pi x): x is reduced without error to [-1/8, 1/8] and a quarter. */
static double turn_sine(double x, bool is_cosine)
{
    double const rest = remainder(x, 1);
    if (isnan(rest)) {
        return rest;
    }
    int const quarter = (int)rint(4 * rest);
    double const t = rest - quarter * 0.25; /* exact */
    int const k = (quarter + is_cosine) & 3;
    double const v = k & 1 ? cos(two_pi * t) : sin(two_pi * t);
    return k & 2 ? -v : v;
}

static long double turn_sine_l(long double x, bool is_cosine)
{
    long double const rest = remainderl(x, 1);
    if (isnan(rest)) {
        return rest;
    }
    int const quarter = (int)rintl(4 * rest);
    long double const t = rest - quarter * 0.25L;
    int const k = (quarter + is_cosine) & 3;
    long double const v = k & 1 ? cosl(two_pi_l * t) : sinl(two_pi_l * t);
    return k & 2 ? -v : v;
}

/* The function's value with an error of a few ulps of double. */
static inline double compute(enum standin_function f, double x)
{
    switch (f) {
    case EXP2:
        return exp2(x);
    case LOG2:
        return log2(x);
    case RCP:
        return 1 / x;
    case RSQRT:
        return 1 / sqrt(x);
    case SQRT:
        return sqrt(x);
    case SIN_TURNS:
        return turn_sine(x, false);
    case COS_TURNS:
        return turn_sine(x, true);
    case SIN:
        return sin(x);
    case COS:
        return cos(x);
    }
    return (double)NAN;
}

static long double compute_l(enum standin_function f, long double x)
{
    switch (f) {
    case EXP2:
        return exp2l(x);
    case LOG2:
        return log2l(x);
    case RCP:
        return 1 / x;
    case RSQRT:
        return 1 / sqrtl(x);
    case SQRT:
        return sqrtl(x);
    case SIN_TURNS:
        return turn_sine_l(x, false);
    case COS_TURNS:
        return turn_sine_l(x, true);
    case SIN:
        return sinl(x);
    case COS:
        return cosl(x);
    }
    return (long double)NAN;
}

/* ---- formats ---- */

/* A format inside double: its precision in bits, and the exponents of its least and greatest normal numbers. */
struct narrow {
    int precision;
    int e_min;
    int e_max;
};
static const struct narrow f16_format = {11, -14, 15};
static const struct narrow f32_format = {24, -126, 127};

/* The distance of neighbours of the format around x; x is finite and not zero. */
static double get_ulp(const struct narrow *n, double x)
{
    int const e = ilogb(x);
    return ldexp(1, (e < n->e_min ? n->e_min : e) - n->precision + 1);
}

/* x rounded to the format by `rounding` (rint, floor or ceil); too large is infinite. */
static double round_to(const struct narrow *n, double x, double (*rounding)(double))
{
    if (!isfinite(x) || fpclassify(x) == FP_ZERO) {
        return x;
    }
    double const ulp = get_ulp(n, x);
    double const y = rounding(x / ulp) * ulp;
    return fabs(y) >= ldexp(1, n->e_max + 1) ? copysign((double)INFINITY, x) : y;
}

/* Whether the middle of two neighbours, or a number of the format, is within 64 ulps of double of d. */
static bool is_near(const struct narrow *n, double d, double offset)
{
    double const scaled = fabs(d) / get_ulp(n, d);
    double const from = scaled - floor(scaled) - offset;
    double const near = scaled * 0x1p-46;
    return fabs(from) <= near || fabs(from + 1) <= near || fabs(from - 1) <= near;
}

static double round_l(const struct narrow *n, long double l)
{
    long double const ulp = (long double)get_ulp(n, (double)l);
    long double const y = rintl(l / ulp) * ulp;
    return fabsl(y) >= ldexpl(1, n->e_max + 1) ? (double)copysignl((long double)INFINITY, l)
                                               : (double)y;
}

/* ---- operations ---- */

/* A number in [-1, 1) that depends on operation and operand alone. */
static double get_noise(const struct operation *op, double x)
{
    uint64_t h;
    memcpy(&h, &x, sizeof h);
    h ^= (uint64_t)(op - operations + 1) * 0x9e3779b97f4a7c15U;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
    h ^= h >> 31;
    return (double)(int64_t)h * 0x1p-63;
}

/* The result of a variant: d is the exact one but for its own error, r is d rounded. */
static double move(const struct operation *op, const struct narrow *n, double x, double d, double r)
{
    if (!(op->bound_ulp > 0) || !isfinite(d) || !isfinite(r) || fpclassify(d) == FP_ZERO ||
        is_near(n, d, 0)) {
        return r;
    }
    double const bound = op->bound_ulp * get_ulp(n, d);
    if (chosen == LOW) {
        return round_to(n, d - bound, ceil);
    }
    if (chosen == HIGH) {
        return round_to(n, d + bound, floor);
    }
    double const spare = bound - 0.5 * get_ulp(n, d); /* rounding takes the rest */
    return round_to(n, d + spare * get_noise(op, x), rint);
}

static double flush(const struct narrow *n, double x)
{
    return fabs(x) < ldexp(1, n->e_min) ? copysign(0, x) : x;
}

static double operate(const struct operation *op, const struct narrow *n, double x)
{
    if (op->subnormals == FLUSH) {
        x = flush(n, x);
    }
    double const d = compute(op->function, x);
    double r = d;
    if (isfinite(d) && fpclassify(d) != FP_ZERO) {
        r = is_near(n, d, 0.5) ? round_l(n, compute_l(op->function, (long double)x))
                               : round_to(n, d, rint);
    }
    if (chosen != ROUNDED) {
        r = move(op, n, x, d, r);
    }
    return op->subnormals == FLUSH ? flush(n, r) : r;
}

/* Whether d, a normal number of f32, is so far from the middle of two neighbours that (float)d is correctly rounded. */
static inline bool is_safe_f32(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    uint32_t const exponent = (uint32_t)(bits >> 52 & 2047) - (1023 - 126);
    uint32_t const from_middle = (uint32_t)(bits & 0x1fffffff) - 0x10000000;
    return exponent < 254 && from_middle + 64 > 128;
}

/* The operation's number is a constant where this is called: function and flush are then known. */
static inline float operate_f32(const struct operation *op, float x)
{
    if (chosen == ROUNDED) {
        bool const is_zero = op->subnormals == FLUSH && fabsf(x) < 0x1p-126f;
        double const d = compute(op->function, is_zero ? copysign(0, (double)x) : (double)x);
        if (is_safe_f32(d)) {
            return (float)d;
        }
    }
    return (float)operate(op, &f32_format, (double)x);
}

static double operate_f64(const struct operation *op, double x)
{
    long double const l = compute_l(op->function, (long double)x);
    double const r = (double)l;
    if (chosen == ROUNDED || !isfinite(r) || fpclassify(r) == FP_ZERO || !(op->bound_ulp > 0) ||
        !islessgreater((long double)r, l)) {
        return r;
    }
    int const e = ilogb(r) < -1022 ? -1022 : ilogb(r);
    double const bound = ldexp(op->bound_ulp - 1, e - 52);
    double const part = chosen == LOW ? -1 : chosen == HIGH ? 1 : get_noise(op, x);
    double const moved = r + bound * part;
    return isfinite(moved) ? moved : r;
}

/* ---- f16 ---- */

double standin_widen_f16(uint32_t h)
{
    int const e = (int)(h >> 10 & 31);
    double const m = (double)(h & 1023);
    double const v = e == 31  ? (h & 1023 ? (double)NAN : (double)INFINITY)
                     : e == 0 ? ldexp(m, -24)
                              : ldexp(1024 + m, e - 25);
    return h & 0x8000 ? -v : v;
}

uint32_t from_f64_f16(double x)
{
    uint32_t const sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x)) {
        return sign | 0x7e00;
    }
    double const y = fabs(round_to(&f16_format, x, rint));
    if (isinf(y)) {
        return sign | 0x7c00;
    }
    if (y < 0x1p-14) {
        return sign | (uint32_t)ldexp(y, 24);
    }
    int const e = ilogb(y);
    return sign | (((uint32_t)(e + 14) << 10) + (uint32_t)ldexp(y, 10 - e));
}

uint32_t fma_f16(uint32_t x, uint32_t y, uint32_t z)
{
    double const p = standin_widen_f16(x) * standin_widen_f16(y); /* exact */
    double const c = standin_widen_f16(z);
    double s = p + c;
    if (isfinite(
            s)) { /* to odd: then a second rounding, to fewer bits, is as one rounding of the exact sum */
        double const t = s - p;
        double const rest = (p - (s - t)) + (c - t);
        uint64_t bits;
        memcpy(&bits, &s, sizeof bits);
        if (fpclassify(rest) != FP_ZERO && !(bits & 1)) {
            bits += (rest > 0) == (s > 0) ? 1 : UINT64_MAX;
            memcpy(&s, &bits, sizeof s);
        }
    }
    return from_f64_f16(s);
}

#define F16(name)                                                                                  \
    uint32_t name(uint32_t x)                                                                      \
    {                                                                                              \
        return from_f64_f16(operate(&operations[ID_##name], &f16_format, standin_widen_f16(x)));   \
    }
#define F32(name)                                                                                  \
    float name(float x)                                                                            \
    {                                                                                              \
        return operate_f32(&operations[ID_##name], x);                                             \
    }
#define F64(name)                                                                                  \
    double name(double x)                                                                          \
    {                                                                                              \
        return operate_f64(&operations[ID_##name], x);                                             \
    }
#define OPERATION(name, type, function, subnormals, bound, source) type(name)
#include "tests/standin/operation.def"

/* ---- other parts of the hardware ---- */

/* 2/pi, the bits behind the point. */
static const uint64_t two_over_pi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
enum {
    TWO_OVER_PI_BITS = 1201
};

double v_trig_preop_f64(double x, int32_t segment)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int const exponent = (int)(bits >> 52 & 2047);
    int shift = (segment & 31) * 53;
    if (exponent > 1077) {
        shift += exponent - 1077;
    }
    uint64_t m = 0;
    for (int i = shift; i < shift + 53; i++) {
        uint64_t const bit = i < TWO_OVER_PI_BITS ? two_over_pi[i / 64] >> (63 - i % 64) & 1 : 0;
        m = m << 1 | bit;
    }
    return ldexp((double)m, -53 - shift + (exponent >= 1968 ? 128 : 0));
}

uint32_t standin_begin_flush(void)
{
    uint32_t const saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040); /* results and operands */
    return saved;
}

void standin_end_flush(uint32_t saved)
{
    _mm_setcsr(saved);
}
