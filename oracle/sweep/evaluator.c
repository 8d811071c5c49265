/* oracle/sweep/evaluator.c -- which evaluator a function has, on which instruction set, and its certificate. */
#include "oracle/sweep/evaluator.h"

#include <math.h>

#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/evaluator_one.h"

/* clang-format off */
static const struct evaluator_certificate certificates[FUNC_N + 1] = {
    [FUNC_NONE] = {0, 0, 0},
#define CERTIFICATE(func, fingerprint, error, slack) [FUNC_##func] = {fingerprint, error, slack},
#include "oracle/sweep/evaluator_cert.def"
};
/* clang-format on */

/*
 * What IEEE 754 itself certifies, with u = 2^-53: exact kernels; sqrt, recip and fract round once, rsqrt
 * twice; degrees and radians round a constant and a product. Eight times that is the slack, and no
 * less than 8 u.
 */
/* clang-format off */
#define U 0x1p-53
#define PROVEN(n) {0, (n) * U, ((n) > 1 ? (n) : 1) * 8 * U}
static const struct evaluator_certificate proven[FUNC_N + 1] = {
    [FUNC_CEIL] = PROVEN(0), [FUNC_FLOOR] = PROVEN(0), [FUNC_TRUNC] = PROVEN(0),
    [FUNC_RINT] = PROVEN(0), [FUNC_ROUND] = PROVEN(0), [FUNC_LOGB] = PROVEN(0),
    [FUNC_FABS] = PROVEN(0), [FUNC_FNEGATE] = PROVEN(0), [FUNC_SIGN] = PROVEN(0),
    [FUNC_SQRT] = PROVEN(1), [FUNC_RECIP] = PROVEN(1), [FUNC_FRACT] = PROVEN(1),
    [FUNC_RSQRT] = PROVEN(2), [FUNC_DEGREES] = PROVEN(2), [FUNC_RADIANS] = PROVEN(2),
};
/* clang-format on */

enum evaluator_isa evaluator_find_isa(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        return EVALUATOR_AVX512;
    }
    if (__builtin_cpu_supports("avx2")) {
        return EVALUATOR_AVX2;
    }
#endif
    return EVALUATOR_BASE;
}

const char *evaluator_get_isa_name(enum evaluator_isa isa)
{
    static const char *const names[EVALUATOR_ISA_N] = {"sse2", "avx2", "avx512"};
    return names[isa];
}

int evaluator_has(enum func_id func)
{
    return evaluator_ones[func].loops != NULL;
}

int evaluator_is_exact(enum func_id func)
{
    return evaluator_ones[func].is_exact;
}

EVALUATOR_INLINE uint64_t find_largest(const double *x, uint32_t n)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t const m = bits_of(x[i]) & ~((uint64_t)1 << 63);
        largest = m > largest ? m : largest;
    }
    return largest;
}

#define FIND_LARGEST(isa)                                                                          \
    EVALUATOR_TARGET_##isa static uint64_t find_largest_##isa(const double *x, uint32_t n)         \
    {                                                                                              \
        return find_largest(x, n);                                                                 \
    }
/* clang-format off */
EVALUATOR_FOR_EACH(FIND_LARGEST)
static uint64_t (*const largest[EVALUATOR_ISA_N])(const double *, uint32_t) =
    EVALUATOR_TABLE(find_largest);
/* clang-format on */

void evaluator_run(enum func_id func, enum evaluator_isa isa, const double *x, double *out,
                   uint32_t n)
{
    const struct evaluator_one *one = &evaluator_ones[func];
    int const is_near = one->near && largest[isa](x, n) < bits_of(EVALUATOR_NEAR_LIMIT);
    (is_near ? one->near : one->loops)->loop[isa](x, out, n);
}

/* Hashes the results for a fixed sample of arguments, so that a certificate is known to be of this code: NaN,
 * and arguments of every exponent of f32 and both signs (i even), half of them of the exponents around 1 (i
 * odd). Their fractions are those of a multiplicative hash. */
uint64_t evaluator_get_fingerprint(enum func_id func, enum evaluator_isa isa)
{
    enum {
        N = 512
    };
    double x[2 * N], y[2 * N];
    for (uint32_t i = 0; i < N; i++) {
        uint32_t const fraction = i * 0x9e3779b1u >> 9;
        uint32_t const field = i % 2 == 0 ? 1 + i / 2 % 254 : 112 + i / 2 % 32;
        double const m = 1 + (double)fraction * 0x1p-23;
        x[i] = double_of((uint64_t)(1023 - 127 + field) << 52) * m;
        x[N + i] = -x[i];
    }
    x[0] = double_of(0x7ff8000000000000);
    evaluator_run(func, isa, x, y, 2 * N);
    for (uint32_t i = 0; i < 2 * N; i++) {
        y[i] = isnan(y[i]) ? 1 : y[i]; /* NaN has many encodings */
    }
    return hash_bytes(0, y, sizeof y);
}

/* The kernels over pi are another one times a rounded 1 / pi: 2 u more, of which the slack of the other's
 * certificate, 1000 times its error, has room for a hundred times. */
static enum func_id find_other(enum func_id func)
{
    switch ((int)func) {
    case FUNC_ACOSPI:
        return FUNC_ACOS;
    case FUNC_ASINPI:
        return FUNC_ASIN;
    case FUNC_ATANPI:
        return FUNC_ATAN;
    }
    return FUNC_NONE;
}

static int is_own(enum func_id func, enum evaluator_isa isa)
{
    return evaluator_has(func) && certificates[func].fingerprint != 0 &&
           certificates[func].fingerprint == evaluator_get_fingerprint(func, isa);
}

const struct evaluator_certificate *evaluator_find_certificate(enum func_id func,
                                                               enum evaluator_isa isa)
{
    enum func_id const other = find_other(func);
    if (proven[func].slack > 0) {
        return &proven[func];
    }
    if (is_own(func, isa)) {
        return &certificates[func];
    }
    return other != FUNC_NONE && is_own(other, isa) ? &certificates[other] : NULL;
}
