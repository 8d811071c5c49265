/* oracle/host/host_func.c -- functions of the extended sets by the C library in 113 bits. */
#include "oracle/host/host_func.h"

#include "base/base.h"
#include "base/spv.h"
#include "oracle/num/mp.h"

enum {
    QUAD_BITS = 113,
    HALF_BITS = 57,
    OPERAND_BITS = 53 /* as many as an encoding has */
};

/* pi to 113 bits, as a sum of two doubles and a rest. */
static quad get_pi(void)
{
    return (quad)0x1.921fb54442d18p+1 + (quad)0x1.1a62633145c07p-53 + (quad)-0x1.f1976b7ed8fbcp-109;
}

/* --- functions of pi x --- */

/* x = k / 2 + *rest with |*rest| <= 1/4, k modulo 4. */
static int reduce(quad x, quad *rest)
{
    quad const r = fmodf128(x, 2);
    quad const k = rintf128(2 * r);
    *rest = r - k / 2;
    return quad_is_nan(k) ? 0 : (int)k & 3;
}

static bool is_integer(quad x)
{
    return quad_is_same(floorf128(x), x);
}

static quad sine_of(int quarter, quad rest)
{
    quad const a = get_pi() * rest;
    quad const v = quarter & 1 ? cosf128(a) : sinf128(a);
    return quarter & 2 ? -v : v;
}

static quad sinpi(quad x)
{
    quad rest;
    if (is_integer(x) && !quad_is_inf(x)) {
        return copysignf128(0, x);
    }
    int const k = reduce(x, &rest);
    return sine_of(k, rest);
}

static quad cospi(quad x)
{
    quad rest;
    int const k = reduce(x, &rest);
    quad const v = sine_of(k + 1, rest);
    return quad_is_zero(v) ? 0 : v;
}

static quad tanpi(quad x)
{
    quad rest;
    int const k = reduce(x, &rest);
    if (quad_is_inf(x) || quad_is_nan(x)) {
        return x - x;
    }
    if (is_integer(x)) {
        return k == 2 ? -copysignf128(0, x) : copysignf128(0, x);
    }
    if (quad_is_zero(rest)) { /* n + 1/2 */
        return k == 1 ? 1 / (quad)0.0 : -1 / (quad)0.0;
    }
    return sine_of(k, rest) / sine_of(k + 1, rest);
}

static quad acospi(quad x)
{
    return acosf128(x) / get_pi();
}

static quad asinpi(quad x)
{
    return asinf128(x) / get_pi();
}

static quad atanpi(quad x)
{
    return quad_is_inf(x) ? copysignf128((quad)0.5, x) : atanf128(x) / get_pi();
}

/* --- the rest --- */

static quad lgamma_of(quad x)
{
    int sign;
    return lgammaf128_r(x, &sign);
}

static quad rsqrt(quad x)
{
    return 1 / sqrtf128(x);
}

static quad recip(quad x)
{
    return 1 / x;
}

static quad degrees(quad x)
{
    return x * (180 / get_pi());
}

static quad radians(quad x)
{
    return x * (get_pi() / 180);
}

static quad sign_of(quad x)
{
    return quad_is_nan(x) ? 0 : quad_is_zero(x) ? x : x > 0 ? 1 : -1;
}

static quad fract(quad x)
{
    quad const v = x - floorf128(x);
    if (quad_is_zero(x) || quad_is_inf(x)) {
        return copysignf128(0, x);
    }
    return v >= 1 ? 1 - (quad)0x1p-113 : v; /* below 1, if 113 bits had room for it */
}

enum {
    MAX_OPS = 5
};
/* MPFR's function is for the last bits, which the C library may have wrong. */
static const struct {
    quad (*apply)(quad);
    int (*mp)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
    uint32_t op[MAX_OPS]; /* 0 ends the list */
} of_one[] = {
    {acosf128,   mpfr_acos,  {CL(acos), VK(Acos)}                                          },
    {acoshf128,  mpfr_acosh, {CL(acosh), VK(Acosh)}                                        },
    {acospi,     NULL,       {CL(acospi)}                                                  },
    {asinf128,   mpfr_asin,  {CL(asin), VK(Asin)}                                          },
    {asinhf128,  mpfr_asinh, {CL(asinh), VK(Asinh)}                                        },
    {asinpi,     NULL,       {CL(asinpi)}                                                  },
    {atanf128,   mpfr_atan,  {CL(atan), VK(Atan)}                                          },
    {atanhf128,  mpfr_atanh, {CL(atanh), VK(Atanh)}                                        },
    {atanpi,     NULL,       {CL(atanpi)}                                                  },
    {cbrtf128,   mpfr_cbrt,  {CL(cbrt)}                                                    },
    {ceilf128,   NULL,       {CL(ceil), VK(Ceil)}                                          },
    {cosf128,    mpfr_cos,   {CL(cos), CL(half_cos), CL(native_cos), VK(Cos)}              },
    {coshf128,   mpfr_cosh,  {CL(cosh), VK(Cosh)}                                          },
    {cospi,      NULL,       {CL(cospi)}                                                   },
    {erfcf128,   mpfr_erfc,  {CL(erfc)}                                                    },
    {erff128,    mpfr_erf,   {CL(erf)}                                                     },
    {expf128,    mpfr_exp,   {CL(exp), CL(half_exp), CL(native_exp), VK(Exp)}              },
    {exp2f128,   mpfr_exp2,  {CL(exp2), CL(half_exp2), CL(native_exp2), VK(Exp2)}          },
    {exp10f128,  mpfr_exp10, {CL(exp10), CL(half_exp10), CL(native_exp10)}                 },
    {expm1f128,  mpfr_expm1, {CL(expm1)}                                                   },
    {fabsf128,   NULL,       {CL(fabs), VK(FAbs)}                                          },
    {floorf128,  NULL,       {CL(floor), VK(Floor)}                                        },
    {fract,      NULL,       {CL(fract), VK(Fract)}                                        },
    {lgamma_of,  NULL,       {CL(lgamma), CL(lgamma_r)}                                    },
    {logf128,    mpfr_log,   {CL(log), CL(half_log), CL(native_log), VK(Log)}              },
    {log2f128,   mpfr_log2,  {CL(log2), CL(half_log2), CL(native_log2), VK(Log2)}          },
    {log10f128,  mpfr_log10, {CL(log10), CL(half_log10), CL(native_log10)}                 },
    {log1pf128,  mpfr_log1p, {CL(log1p)}                                                   },
    {logbf128,   NULL,       {CL(logb)}                                                    },
    {rintf128,   NULL,       {CL(rint), VK(RoundEven)}                                     },
    {roundf128,  NULL,       {CL(round), VK(Round)}                                        },
    {rsqrt,      NULL,       {CL(rsqrt), CL(half_rsqrt), CL(native_rsqrt), VK(InverseSqrt)}},
    {sinf128,    mpfr_sin,   {CL(sin), CL(sincos), CL(half_sin), CL(native_sin), VK(Sin)}  },
    {sinhf128,   mpfr_sinh,  {CL(sinh), VK(Sinh)}                                          },
    {sinpi,      NULL,       {CL(sinpi)}                                                   },
    {sqrtf128,   mpfr_sqrt,  {CL(sqrt), CL(half_sqrt), CL(native_sqrt), VK(Sqrt)}          },
    {tanf128,    mpfr_tan,   {CL(tan), CL(half_tan), CL(native_tan), VK(Tan)}              },
    {tanhf128,   mpfr_tanh,  {CL(tanh), VK(Tanh)}                                          },
    {tanpi,      NULL,       {CL(tanpi)}                                                   },
    {tgammaf128, mpfr_gamma, {CL(tgamma)}                                                  },
    {truncf128,  NULL,       {CL(trunc), VK(Trunc)}                                        },
    {recip,      NULL,       {CL(half_recip), CL(native_recip)}                            },
    {degrees,    NULL,       {CL(degrees), VK(Degrees)}                                    },
    {radians,    NULL,       {CL(radians), VK(Radians)}                                    },
    {sign_of,    NULL,       {CL(sign), VK(FSign)}                                         },
};

quad host_select(int is_max, quad x, quad y)
{
    if (quad_is_nan(x) || quad_is_nan(y)) {
        return quad_is_nan(x) ? y : x;
    }
    if (quad_is_zero(x) && quad_is_zero(y)) {
        return quad_is_negative(x) == is_max ? y : x;
    }
    return (x < y) == is_max ? y : x;
}

static quad min_of(quad x, quad y)
{
    return host_select(0, x, y);
}

static quad max_of(quad x, quad y)
{
    return host_select(1, x, y);
}

static quad maxmag(quad x, quad y)
{
    quad const a = fabsf128(x), b = fabsf128(y);
    return a > b ? x : b > a ? y : fmaxf128(x, y);
}

static quad minmag(quad x, quad y)
{
    quad const a = fabsf128(x), b = fabsf128(y);
    return a < b ? x : b < a ? y : fminf128(x, y);
}

static quad atan2pi(quad y, quad x)
{
    quad const a = fabsf128(y), b = fabsf128(x);
    if (quad_is_inf(y)) {
        quad const v = !quad_is_inf(x) ? (quad)0.5 : x > 0 ? (quad)0.25 : (quad)0.75;
        return quad_is_nan(x) ? x : copysignf128(v, y);
    }
    if (quad_is_zero(x) && a > 0) {
        return copysignf128((quad)0.5, y);
    }
    if (quad_is_negative(x) && (quad_is_zero(y) || quad_is_inf(x)) && a >= 0 && b >= 0) {
        return copysignf128(1, y);
    }
    return atan2f128(y, x) / get_pi();
}

static quad powr(quad x, quad y)
{
    quad const nan = (quad)0.0 / (quad)0.0;
    if (quad_is_nan(x) || quad_is_nan(y) || x < 0) {
        return nan;
    }
    if (quad_is_zero(y)) {
        return quad_is_zero(x) || quad_is_inf(x) ? nan : 1;
    }
    if (quad_is_same(x, 1) && quad_is_inf(y)) {
        return nan;
    }
    return powf128(fabsf128(x), y);
}

static quad step(quad edge, quad x)
{
    return x < edge ? 0 : 1;
}

static quad divide(quad x, quad y)
{
    return x / y;
}

static quad modulo(quad x, quad y)
{
    quad const r = fmodf128(x, y);
    return !quad_is_zero(r) && quad_is_negative(r) != quad_is_negative(y) ? r + y : r;
}

static const struct {
    quad (*apply)(quad, quad);
    int (*mp)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
    uint32_t op[MAX_OPS]; /* 0 ends the list */
} of_two[] = {
    {fmodf128,      NULL,       {SpvOpFRem, CL(fmod)}                          },
    {modulo,        NULL,       {SpvOpFMod}                                    },
    {atan2f128,     mpfr_atan2, {CL(atan2), VK(Atan2)}                         },
    {atan2pi,       NULL,       {CL(atan2pi)}                                  },
    {copysignf128,  NULL,       {CL(copysign)}                                 },
    {fdimf128,      NULL,       {CL(fdim)}                                     },
    {max_of,        NULL,       {CL(fmax), CL(fmax_common), VK(FMax), VK(NMax)}},
    {min_of,        NULL,       {CL(fmin), CL(fmin_common), VK(FMin), VK(NMin)}},
    {hypotf128,     mpfr_hypot, {CL(hypot)}                                    },
    {maxmag,        NULL,       {CL(maxmag)}                                   },
    {minmag,        NULL,       {CL(minmag)}                                   },
    {powf128,       mpfr_pow,   {CL(pow), VK(Pow)}                             },
    {powr,          NULL,       {CL(powr), CL(half_powr), CL(native_powr)}     },
    {remainderf128, NULL,       {CL(remainder), CL(remquo)}                    },
    {divide,        NULL,       {CL(half_divide), CL(native_divide)}           },
    {step,          NULL,       {CL(step), VK(Step)}                           },
};

static bool lists(const uint32_t *ops, uint32_t op)
{
    for (size_t i = 0; i < MAX_OPS && ops[i] != 0; i++) {
        if (ops[i] == op) {
            return true;
        }
    }
    return false;
}

/* Row of a function of one or two numbers, or -1. */
static int find_one(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(of_one); i++) {
        if (lists(of_one[i].op, op)) {
            return (int)i;
        }
    }
    return -1;
}

static int find_two(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(of_two); i++) {
        if (lists(of_two[i].op, op)) {
            return (int)i;
        }
    }
    return -1;
}

int host_function(uint32_t op, quad x, quad y, quad *out)
{
    int const one = find_one(op), two = find_two(op);
    if (one >= 0) {
        *out = of_one[one].apply(x);
    } else if (two >= 0) {
        *out = of_two[two].apply(x, y);
    }
    return one >= 0 || two >= 0;
}

/* --- by MPFR: here the control shares MPFR with the sets, and nothing else --- */

/* An operand, the value of an encoding: exact, by an integer. */
static void set_operand(struct mp_num *to, quad v)
{
    int exp = 0;
    mp_init(to, OPERAND_BITS);
    if (quad_is_nan(v)) {
        mpfr_set_nan(to->v);
    } else if (quad_is_inf(v)) {
        mpfr_set_inf(to->v, v < 0 ? -1 : 1);
    } else if (quad_is_zero(v)) {
        mpfr_set_zero(to->v, quad_is_negative(v) ? -1 : 1);
    } else {
        quad const fraction = frexpf128(v, &exp);
        long const integer = (long)ldexpf128(fraction, OPERAND_BITS);
        (void)mpfr_set_si_2exp(to->v, integer, exp - OPERAND_BITS, MPFR_RNDN);
    }
}

/* A number of 113 bits, by two integers of 57. */
static quad get_quad(struct mp_num *x)
{
    long exp = 0;
    quad v = 0;
    (void)mpfr_frexp(&exp, x->v, x->v, MPFR_RNDZ);
    for (int i = 0; i < 2; i++) {
        (void)mpfr_mul_2ui(x->v, x->v, HALF_BITS, MPFR_RNDZ);
        long const half = mpfr_get_si(x->v, MPFR_RNDZ);
        (void)mpfr_sub_si(x->v, x->v, half, MPFR_RNDZ);
        v = ldexpf128(v, HALF_BITS) + (quad)half;
    }
    return ldexpf128(v, (int)exp - 2 * HALF_BITS);
}

/* Computes function `op` of x and y by MPFR in 113 bits, rounded to odd: toward zero, with the last bit set where
 * the result is inexact, so that rounding once more to a shorter format is correct. Returns 0 where MPFR has no
 * such function, or the result is no normal number of 113 bits. */
int host_exact(uint32_t op, quad x, quad y, quad *out)
{
    enum {
        QUAD_EMIN = -16382, /* exponents of binary128 */
        QUAD_EMAX = 16383
    };
    int const one = find_one(op), two = find_two(op);
    int ternary;
    struct mp_num a, b, r;
    mp_init(&r, QUAD_BITS);
    set_operand(&a, x);
    set_operand(&b, y);
    if (one >= 0 && of_one[one].mp) {
        ternary = of_one[one].mp(r.v, a.v, MPFR_RNDZ);
    } else if (two >= 0 && of_two[two].mp) {
        ternary = of_two[two].mp(r.v, a.v, b.v, MPFR_RNDZ);
    } else {
        return 0;
    }
    bool const is_normal_quad =
        mpfr_regular_p(r.v) && mpfr_get_exp(r.v) > QUAD_EMIN && mpfr_get_exp(r.v) < QUAD_EMAX;
    if (!is_normal_quad) {
        return 0;
    }
    *out = get_quad(&r);
    if (ternary != 0) {
        *out = quad_set_last_bit(*out);
    }
    return 1;
}

/* OpenCL C, "Additional Requirements": rootn(+-0, n) by the sign and parity of n; x < 0 for odd n. */
static quad rootn(quad x, int n)
{
    quad const nan = (quad)0.0 / (quad)0.0;
    if (n == 0 || quad_is_nan(x) || (x < 0 && n % 2 == 0)) {
        return nan;
    }
    quad const root = powf128(fabsf128(x), 1 / (quad)n);
    return n % 2 != 0 ? copysignf128(root, x) : root;
}

int host_function_of_int(uint32_t op, quad x, int n, quad *out)
{
    if (op == CL(ldexp) || op == VK(Ldexp)) {
        int const limit = 2300; /* beyond it nothing is left, and a quad holds all before */
        *out = ldexpf128(x, n > limit ? limit : n < -limit ? -limit : n);
        return 1;
    }
    if (op == CL(pown)) {
        *out = powf128(x, n);
        return 1;
    }
    if (op == CL(rootn)) {
        *out = rootn(x, n);
        return 1;
    }
    return 0;
}

int host_quotient(quad x, quad y)
{
    quad const a = fabsf128(x), b = fabsf128(y);
    if (quad_is_nan(x) || quad_is_nan(y) || quad_is_inf(x) || quad_is_inf(y) || quad_is_zero(y)) {
        return 0;
    }
    quad const rest = remainderf128(a, b), part = fmodf128(a, 128 * b);
    int const q = (int)rintf128((part - rest) / b) & 127;
    return quad_is_negative(x) != quad_is_negative(y) ? -q : q;
}
