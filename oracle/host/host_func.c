/* oracle/host/host_func.c -- functions of the extended sets by the C library in 113 bits. */
#include "oracle/host/host_func.h"

#include "base/base.h"
#include "base/ops.h"
#include "base/spv.h"
#include "oracle/host/host_exact.h"

#define CL(number) OP_NUMBER(OP_SET_opencl_std, number)
#define VK(number) OP_NUMBER(OP_SET_glsl450, number)

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

static int is_integer(quad x)
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

static const struct {
    uint32_t op;
    quad (*apply)(quad);
} of_one[] = {
    {CL(0),   acosf128  },
    {CL(1),   acoshf128 },
    {CL(2),   acospi    },
    {CL(3),   asinf128  },
    {CL(4),   asinhf128 },
    {CL(5),   asinpi    },
    {CL(6),   atanf128  },
    {CL(8),   atanhf128 },
    {CL(9),   atanpi    },
    {CL(11),  cbrtf128  },
    {CL(12),  ceilf128  },
    {CL(14),  cosf128   },
    {CL(15),  coshf128  },
    {CL(16),  cospi     },
    {CL(17),  erfcf128  },
    {CL(18),  erff128   },
    {CL(19),  expf128   },
    {CL(20),  exp2f128  },
    {CL(21),  exp10f128 },
    {CL(22),  expm1f128 },
    {CL(23),  fabsf128  },
    {CL(25),  floorf128 },
    {CL(30),  fract     },
    {CL(35),  lgamma_of },
    {CL(36),  lgamma_of },
    {CL(37),  logf128   },
    {CL(38),  log2f128  },
    {CL(39),  log10f128 },
    {CL(40),  log1pf128 },
    {CL(41),  logbf128  },
    {CL(53),  rintf128  },
    {CL(55),  roundf128 },
    {CL(56),  rsqrt     },
    {CL(57),  sinf128   },
    {CL(58),  sinf128   },
    {CL(59),  sinhf128  },
    {CL(60),  sinpi     },
    {CL(61),  sqrtf128  },
    {CL(62),  tanf128   },
    {CL(63),  tanhf128  },
    {CL(64),  tanpi     },
    {CL(65),  tgammaf128},
    {CL(66),  truncf128 },
    {CL(67),  cosf128   },
    {CL(69),  expf128   },
    {CL(70),  exp2f128  },
    {CL(71),  exp10f128 },
    {CL(72),  logf128   },
    {CL(73),  log2f128  },
    {CL(74),  log10f128 },
    {CL(76),  recip     },
    {CL(77),  rsqrt     },
    {CL(78),  sinf128   },
    {CL(79),  sqrtf128  },
    {CL(80),  tanf128   },
    {CL(81),  cosf128   },
    {CL(83),  expf128   },
    {CL(84),  exp2f128  },
    {CL(85),  exp10f128 },
    {CL(86),  logf128   },
    {CL(87),  log2f128  },
    {CL(88),  log10f128 },
    {CL(90),  recip     },
    {CL(91),  rsqrt     },
    {CL(92),  sinf128   },
    {CL(93),  sqrtf128  },
    {CL(94),  tanf128   },
    {CL(96),  degrees   },
    {CL(100), radians   },
    {CL(103), sign_of   },
    {VK(1),   roundf128 },
    {VK(2),   rintf128  },
    {VK(3),   truncf128 },
    {VK(4),   fabsf128  },
    {VK(6),   sign_of   },
    {VK(8),   floorf128 },
    {VK(9),   ceilf128  },
    {VK(10),  fract     },
    {VK(11),  radians   },
    {VK(12),  degrees   },
    {VK(13),  sinf128   },
    {VK(14),  cosf128   },
    {VK(15),  tanf128   },
    {VK(16),  asinf128  },
    {VK(17),  acosf128  },
    {VK(18),  atanf128  },
    {VK(19),  sinhf128  },
    {VK(20),  coshf128  },
    {VK(21),  tanhf128  },
    {VK(22),  asinhf128 },
    {VK(23),  acoshf128 },
    {VK(24),  atanhf128 },
    {VK(27),  expf128   },
    {VK(28),  logf128   },
    {VK(29),  exp2f128  },
    {VK(30),  log2f128  },
    {VK(31),  sqrtf128  },
    {VK(32),  rsqrt     },
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
    uint32_t op;
    quad (*apply)(quad, quad);
} of_two[] = {
    {SpvOpFRem, fmodf128     },
    {SpvOpFMod, modulo       },
    {CL(7),     atan2f128    },
    {CL(10),    atan2pi      },
    {CL(13),    copysignf128 },
    {CL(24),    fdimf128     },
    {CL(27),    max_of       },
    {CL(28),    min_of       },
    {CL(29),    fmodf128     },
    {CL(32),    hypotf128    },
    {CL(43),    maxmag       },
    {CL(44),    minmag       },
    {CL(48),    powf128      },
    {CL(50),    powr         },
    {CL(51),    remainderf128},
    {CL(52),    remainderf128},
    {CL(68),    divide       },
    {CL(75),    powr         },
    {CL(82),    divide       },
    {CL(89),    powr         },
    {CL(97),    max_of       },
    {CL(98),    min_of       },
    {CL(101),   step         },
    {VK(25),    atan2f128    },
    {VK(26),    powf128      },
    {VK(37),    min_of       },
    {VK(40),    max_of       },
    {VK(48),    step         },
    {VK(79),    min_of       },
    {VK(80),    max_of       },
};

int host_function(uint32_t op, quad x, quad y, quad *out)
{
    for (size_t i = 0; i < ARRAY_N(of_one); i++) {
        if (of_one[i].op == op) {
            *out = of_one[i].apply(x);
            return 1;
        }
    }
    for (size_t i = 0; i < ARRAY_N(of_two); i++) {
        if (of_two[i].op == op) {
            *out = of_two[i].apply(x, y);
            return 1;
        }
    }
    return 0;
}

int host_exact(uint32_t op, quad x, quad y, quad *out)
{
    for (size_t i = 0; i < ARRAY_N(of_one); i++) {
        if (of_one[i].op == op) {
            return host_exact_one(of_one[i].apply, x, out);
        }
    }
    for (size_t i = 0; i < ARRAY_N(of_two); i++) {
        if (of_two[i].op == op) {
            return host_exact_two(of_two[i].apply, x, y, out);
        }
    }
    return 0;
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
    if (op == CL(34) || op == VK(53)) {
        int const limit = 2300; /* beyond it nothing is left, and a quad holds all before */
        *out = ldexpf128(x, n > limit ? limit : n < -limit ? -limit : n);
        return 1;
    }
    if (op == CL(49)) {
        *out = powf128(x, n);
        return 1;
    }
    if (op == CL(54)) {
        *out = rootn(x, n);
        return 1;
    }
    return 0;
}

int host_quotient(quad x, quad y)
{
    quad const a = fabsf128(x), b = fabsf128(y);
    if (quad_is_nan(x) || quad_is_nan(y) || quad_is_inf(x) || quad_is_zero(y)) {
        return 0;
    }
    if (quad_is_inf(y)) {
        return 0;
    }
    quad const rest = remainderf128(a, b), part = fmodf128(a, 128 * b);
    int const q = (int)rintf128((part - rest) / b) & 127;
    return quad_is_negative(x) != quad_is_negative(y) ? -q : q;
}
