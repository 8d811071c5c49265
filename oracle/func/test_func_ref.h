/* oracle/func/test_func_ref.h -- functions in long double and ulps by a table walk: a second method. */
#pragma once

#include <math.h>
#include <string.h>

#include "oracle/func/func.h"

/* The value of a finite encoding; of an infinity 2^(emax + 1). */
static inline long double ref_value(const struct float_format *f, uint64_t enc)
{
    uint64_t const m = enc & (f->exp | f->frac);
    int const field = (int)(m >> (f->prec_bits - 1));
    uint64_t const sig = (m & f->frac) | (field != 0 ? f->frac + 1 : 0);
    int const scale = f->emin - (int)f->prec_bits + 1 + (field != 0 ? field - 1 : 0);
    long double const v = ldexpl((long double)sig, scale);
    return (enc & f->sign) != 0 ? -v : v;
}

/* The ulp at a real number, by the definition: the distance of the two finite numbers that it lies
 * between, or of the two that are nearest where it is a number itself. */
static inline long double ref_ulp(const struct float_format *f, long double x)
{
    long double const size = fabsl(x);
    long double const smallest = ldexpl(1, f->emin - (int)f->prec_bits + 1);
    if (size <= ldexpl(1, f->emin + 1)) {
        return smallest;
    }
    if (size > ldexpl(1, f->emax)) {
        return ldexpl(1, f->emax - (int)f->prec_bits + 1);
    }
    int e;
    long double const half_to_one = frexpl(size, &e); /* 2^(e-1) itself: the ulp below it */
    int const is_power = !(half_to_one > 0.5L);
    return ldexpl(1, e - 1 - is_power - (int)f->prec_bits + 1);
}

/* sin and cos of pi x for 0 <= x <= 1/4, elsewhere by symmetries that are exact. */
static inline long double ref_pi(void)
{
    return 3.14159265358979323846264338327950288L;
}

static inline long double ref_sinpi(long double x)
{
    long double const size = fmodl(fabsl(x), 2);
    long double const turned = size > 1 ? size - 1 : size; /* sin(pi (t + 1)) = -sin(pi t) */
    long double const folded = turned > 0.5L ? 1 - turned : turned;
    long double const s =
        folded > 0.25L ? cosl(ref_pi() * (0.5L - folded)) : sinl(ref_pi() * folded);
    return (x < 0) != (size > 1) ? -s : s;
}

static inline long double ref_cospi(long double x)
{
    long double const size = fmodl(fabsl(x), 2);
    long double const folded = size > 1 ? 2 - size : size; /* 0 to 1 */
    int const is_negative = folded > 0.5L;
    long double const t = is_negative ? 1 - folded : folded;
    long double const c = t > 0.25L ? sinl(ref_pi() * (0.5L - t)) : cosl(ref_pi() * t);
    return is_negative ? -c : c;
}

static inline long double ref_tanpi(long double x)
{
    return ref_sinpi(x) / ref_cospi(x);
}
static inline long double ref_acospi(long double x)
{
    return acosl(x) / ref_pi();
}
static inline long double ref_asinpi(long double x)
{
    return asinl(x) / ref_pi();
}
static inline long double ref_atanpi(long double x)
{
    return atanl(x) / ref_pi();
}
static inline long double ref_atan2pi(long double y, long double x)
{
    return atan2l(y, x) / ref_pi();
}
static inline long double ref_exp10(long double x)
{
    return powl(10, x);
}
static inline long double ref_rsqrt(long double x)
{
    return 1 / sqrtl(x);
}
static inline long double ref_degrees(long double x)
{
    return x * (180 / ref_pi());
}
static inline long double ref_radians(long double x)
{
    return x * (ref_pi() / 180);
}
static inline long double ref_fract(long double x)
{
    return x - floorl(x);
}
static inline long double ref_recip(long double x)
{
    return 1 / x;
}
static inline long double ref_negate(long double x)
{
    return -x;
}
static inline long double ref_sign(long double x)
{
    return copysignl(1, x);
}

struct ref_one {
    const char *name;
    long double (*f)(long double);
};
static const struct ref_one ref_ones[] = {
    {"acos",    acosl      },
    {"acosh",   acoshl     },
    {"acospi",  ref_acospi },
    {"asin",    asinl      },
    {"asinh",   asinhl     },
    {"asinpi",  ref_asinpi },
    {"atan",    atanl      },
    {"atanh",   atanhl     },
    {"atanpi",  ref_atanpi },
    {"cbrt",    cbrtl      },
    {"ceil",    ceill      },
    {"cos",     cosl       },
    {"cosh",    coshl      },
    {"cospi",   ref_cospi  },
    {"erfc",    erfcl      },
    {"erf",     erfl       },
    {"exp",     expl       },
    {"exp2",    exp2l      },
    {"exp10",   ref_exp10  },
    {"expm1",   expm1l     },
    {"fabs",    fabsl      },
    {"floor",   floorl     },
    {"fract",   ref_fract  },
    {"lgamma",  lgammal    },
    {"log",     logl       },
    {"log2",    log2l      },
    {"log10",   log10l     },
    {"log1p",   log1pl     },
    {"logb",    logbl      },
    {"rint",    rintl      },
    {"round",   roundl     },
    {"rsqrt",   ref_rsqrt  },
    {"sin",     sinl       },
    {"sinh",    sinhl      },
    {"sinpi",   ref_sinpi  },
    {"sqrt",    sqrtl      },
    {"tan",     tanl       },
    {"tanh",    tanhl      },
    {"tanpi",   ref_tanpi  },
    {"tgamma",  tgammal    },
    {"trunc",   truncl     },
    {"degrees", ref_degrees},
    {"radians", ref_radians},
    {"sign",    ref_sign   },
    {"recip",   ref_recip  },
    {"fnegate", ref_negate },
};

static inline long double ref_add(long double x, long double y)
{
    return x + y;
}
static inline long double ref_sub(long double x, long double y)
{
    return x - y;
}
static inline long double ref_mul(long double x, long double y)
{
    return x * y;
}
static inline long double ref_div(long double x, long double y)
{
    return x / y;
}
static inline long double ref_maxmag(long double x, long double y)
{
    return fabsl(x) > fabsl(y) ? x : (fabsl(y) > fabsl(x) ? y : fmaxl(x, y));
}
static inline long double ref_minmag(long double x, long double y)
{
    return fabsl(x) < fabsl(y) ? x : (fabsl(y) < fabsl(x) ? y : fminl(x, y));
}
static inline long double ref_fmodulo(long double x, long double y)
{
    long double const r = fmodl(x, y);
    return (r < 0 && y > 0) || (r > 0 && y < 0) ? r + y : r;
}

struct ref_two {
    const char *name;
    long double (*f)(long double, long double);
};
static const struct ref_two ref_twos[] = {
    {"atan2",     atan2l     },
    {"atan2pi",   ref_atan2pi},
    {"copysign",  copysignl  },
    {"fdim",      fdiml      },
    {"fmax",      fmaxl      },
    {"fmin",      fminl      },
    {"fmod",      fmodl      },
    {"hypot",     hypotl     },
    {"maxmag",    ref_maxmag },
    {"minmag",    ref_minmag },
    {"pow",       powl       },
    {"powr",      powl       },
    {"remainder", remainderl },
    {"divide",    ref_div    },
    {"fadd",      ref_add    },
    {"fsub",      ref_sub    },
    {"fmul",      ref_mul    },
    {"frem",      fmodl      },
    {"fmodulo",   ref_fmodulo},
};

/* What is wrong with a permitted set, given a value that is `relative` at most away from the exact
 * one: 0 or a text. Flush and overflow rules are not for here: tiny and huge values are skipped by
 * the caller, or `edge` says that infinity or zero may be there. */
struct ref_case {
    const struct float_format *f;
    long double exact;
    long double relative;
    long double bound_ulp; /* > 0 */
};

/* -1 must not be a member, 1 must, 0 cannot be told. */
static inline int ref_judge(const struct ref_case *c, uint64_t enc)
{
    long double const doubt = fabsl(c->exact) * c->relative;
    long double const below = ref_ulp(c->f, fabsl(c->exact) - doubt);
    long double const above = ref_ulp(c->f, fabsl(c->exact) + doubt); /* >= below */
    long double const distance = fabsl(ref_value(c->f, enc) - c->exact);
    if (distance <= (c->bound_ulp * below - doubt) * (1 - 1e-15L)) {
        return 1;
    }
    return distance > (c->bound_ulp * above + doubt) * (1 + 1e-15L) ? -1 : 0;
}
