/* tests/rig/math_lib_bad.c -- a math library as fuzz/worker/drv_lib.h wants it, with functions that misbehave. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    F16_FRACTION_BITS = 10,
    F16_INFINITY = 0x7c00,
    F16_NAN = 0x7e00,
    F16_SIGN = 0x8000
};

/* How a stand-in for a hardware instruction behaves: an error of one unit downwards or upwards. */
static int error;
static uint16_t *volatile nowhere; /* NULL */

__attribute__((constructor)) static void read_behaviour(void)
{
    const char *const text = getenv("HALFULP_STANDIN");
    error = !text ? 0 : strcmp(text, "low") == 0 ? -1 : strcmp(text, "high") == 0;
}

static double decode(uint16_t bits)
{
    int const exponent = (bits & F16_INFINITY) >> F16_FRACTION_BITS;
    int const fraction = bits & 0x3ff;
    double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(0x400 + fraction, exponent - 25);
    if ((bits & F16_INFINITY) == F16_INFINITY) {
        value = fraction ? NAN : INFINITY;
    }
    return bits & F16_SIGN ? -value : value;
}

/* To the nearest, ties to even. */
static uint16_t encode(double x)
{
    int exponent = 0;
    double const size = fabs(x);
    int bits = F16_INFINITY;
    if (isnan(x)) {
        return F16_NAN;
    }
    if (size < 0x1p-14) {
        bits = (int)nearbyint(ldexp(size, 24));
    } else if (size < 65520) {
        double const fraction = frexp(size, &exponent);
        bits = ((exponent + 13) << F16_FRACTION_BITS) + (int)nearbyint(ldexp(fraction, 11));
    }
    return (uint16_t)(bits | (signbit(x) ? F16_SIGN : 0));
}

static uint16_t operate(uint16_t bits)
{
    int const size = bits & ~F16_SIGN;
    return size > 0 && size < F16_INFINITY - 1 ? (uint16_t)(bits + error) : bits;
}

#define LOOP(function, ...)                                                                        \
    void hu_##function##_f16(const void *const in[], void *const out[], uint64_t n);               \
    void hu_##function##_f16(const void *const in[], void *const out[], uint64_t n)                \
    {                                                                                              \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            double const x = decode(((const uint16_t *)in[0])[i]);                                 \
            ((uint16_t *)out[0])[i] = __VA_ARGS__;                                                 \
        }                                                                                          \
    }

/* Right; with a hardware instruction; too large from 1 to 2; a number too large at one input. */
LOOP(fabs, encode(fabs(x)))
LOOP(exp2, operate(encode(exp2(x))))
LOOP(sinh, encode(sinh(x) * (x >= 1 && x < 2 ? 1.01 : 1)))
LOOP(erf, encode(x >= 1 && x <= 1 ? 0.8457 : erf(x)))

void hu_fract_f16(const void *const in[], void *const out[], uint64_t n);
void hu_fract_f16(const void *const in[], void *const out[], uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        double const x = decode(((const uint16_t *)in[0])[i]);
        double const rest = isinf(x) ? copysign(0, x) : fmin(x - floor(x), 0x1.ffcp-1);
        ((uint16_t *)out[0])[i] = encode(isnan(x) || fabs(x) <= 0 ? x : rest);
        ((uint16_t *)out[1])[i] = encode(floor(x));
    }
}

void hu_sin_f32(const void *const in[], void *const out[], uint64_t n);
void hu_sin_f32(const void *const in[], void *const out[], uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        ((float *)out[0])[i] = sinf(((const float *)in[0])[i]);
    }
}

void hu_pown_f32(const void *const in[], void *const out[], uint64_t n);
void hu_pown_f32(const void *const in[], void *const out[], uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        double const x = (double)((const float *)in[0])[i];
        ((float *)out[0])[i] = (float)pow(x, (double)((const int32_t *)in[1])[i]);
    }
}

/* What no function may do. */
LOOP(cos, x >= 3 && x <= 3 ? *nowhere : encode(cos(x)))
LOOP(tan, (pause(), encode(x)))

void hu_tanh_f16(const void *const in[], void *const out[], uint64_t n);
void hu_tanh_f16(const void *const in[], void *const out[], uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        ((uint16_t *)out[0])[i] = encode(tanh(decode(((const uint16_t *)in[0])[i])));
    }
    ((uint16_t *)out[0])[n] = 0;
}
