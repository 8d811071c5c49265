/* tests/rig/math_lib_bad.c -- a math library as fuzz/worker/drv_lib.h wants it, with functions that misbehave. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__extension__ typedef _Float16 f16;

/* How a stand-in for an operation of the hardware behaves: an error of one unit downwards or upwards. */
static int error;
static f16 *volatile nowhere; /* NULL */

__attribute__((constructor)) static void read_behaviour(void)
{
    const char *const text = getenv("HALFULP_STANDIN");
    error = !text ? 0 : strcmp(text, "low") == 0 ? -1 : strcmp(text, "high") == 0;
}

static f16 operate(f16 x)
{
    uint16_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffu) > 0 && (bits & 0x7fffu) < 0x7bffu) {
        bits = (uint16_t)(bits + error);
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define LOOP(function, type, scalar, value)                                                        \
    void hu_##function##_##type(const void *const in[], void *const out[], uint64_t n);            \
    void hu_##function##_##type(const void *const in[], void *const out[], uint64_t n)             \
    {                                                                                              \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            scalar const x = ((const scalar *)in[0])[i];                                           \
            ((scalar *)out[0])[i] = value;                                                         \
        }                                                                                          \
    }

/* Right; with an operation of the hardware; too large from 1 to 2; a number too large at one input. */
LOOP(fabs, f16, f16, signbit((double)x) ? -x : x)
LOOP(exp2, f16, f16, operate((f16)exp2((double)x)))
LOOP(sinh, f16, f16, (f16)(sinh((double)x) * (x >= 1 && x < 2 ? 1.01 : 1)))
LOOP(sin, f32, float, sinf(x))
LOOP(erf, f16, f16, x >= 1 && x <= 1 ? (f16)0.8457 : (f16)erf((double)x))

void hu_fract_f16(const void *const in[], void *const out[], uint64_t n);
void hu_fract_f16(const void *const in[], void *const out[], uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        double const x = (double)((const f16 *)in[0])[i];
        double const below = floor(x);
        double const limit = 0x1.ffcp-1;
        double const rest = isinf(x) ? copysign(0, x) : fmin(x - below, limit);
        ((f16 *)out[0])[i] = (f16)(isnan(x) || fabs(x) <= 0 ? x : rest);
        ((f16 *)out[1])[i] = (f16)below;
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
LOOP(cos, f16, f16, x >= 3 && x <= 3 ? *nowhere : (f16)cos((double)x))
LOOP(tan, f16, f16, (pause(), x))

void hu_tanh_f16(const void *const in[], void *const out[], uint64_t n);
void hu_tanh_f16(const void *const in[], void *const out[], uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        ((f16 *)out[0])[i] = (f16)tanh((double)((const f16 *)in[0])[i]);
    }
    memset((f16 *)out[0] + n, 0, sizeof(f16));
}
