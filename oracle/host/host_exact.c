/* oracle/host/host_exact.c -- functions whose last bits the C library does not know, by MPFR. */
#include "oracle/host/host_exact.h"

#include "base/base.h"
#include "oracle/num/mp.h"

enum {
    QUAD_PREC_BITS = 113,
    PART_BITS = 53 /* of a double */
};

static const struct {
    quad (*host)(quad);
    int (*mp)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
} of_one[] = {
    {acosf128,   mpfr_acos },
    {acoshf128,  mpfr_acosh},
    {asinf128,   mpfr_asin },
    {asinhf128,  mpfr_asinh},
    {atanf128,   mpfr_atan },
    {atanhf128,  mpfr_atanh},
    {cbrtf128,   mpfr_cbrt },
    {cosf128,    mpfr_cos  },
    {coshf128,   mpfr_cosh },
    {erfcf128,   mpfr_erfc },
    {erff128,    mpfr_erf  },
    {expf128,    mpfr_exp  },
    {exp2f128,   mpfr_exp2 },
    {exp10f128,  mpfr_exp10},
    {expm1f128,  mpfr_expm1},
    {logf128,    mpfr_log  },
    {log2f128,   mpfr_log2 },
    {log10f128,  mpfr_log10},
    {log1pf128,  mpfr_log1p},
    {sinf128,    mpfr_sin  },
    {sinhf128,   mpfr_sinh },
    {sqrtf128,   mpfr_sqrt },
    {tanf128,    mpfr_tan  },
    {tanhf128,   mpfr_tanh },
    {tgammaf128, mpfr_gamma},
};

static const struct {
    quad (*host)(quad, quad);
    int (*mp)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
} of_two[] = {
    {atan2f128, mpfr_atan2},
    {hypotf128, mpfr_hypot},
    {powf128,   mpfr_pow  },
};

/* x, cut to 113 bits, as a sum of doubles; its last bit set where something was cut off. */
static quad to_odd(mpfr_ptr x, int is_inexact)
{
    quad sum = 0;
    long exp = 0;
    struct mp_num rest, part;
    mp_init(&rest, QUAD_PREC_BITS);
    mp_init(&part, PART_BITS);
    (void)mpfr_frexp(&exp, rest.v, x, MPFR_RNDN);
    while (!mpfr_zero_p(rest.v)) {
        (void)mpfr_set(part.v, rest.v, MPFR_RNDZ);
        sum += (quad)mpfr_get_d(part.v, MPFR_RNDZ);
        (void)mpfr_sub(rest.v, rest.v, part.v, MPFR_RNDZ); /* exact */
    }
    sum = ldexpf128(sum, (int)exp);
    return is_inexact ? quad_set_last_bit(sum) : sum;
}

/* Does the value of MPFR bring what the quad has no room for? */
static int is_number(mpfr_ptr x)
{
    return mpfr_number_p(x) && !mpfr_zero_p(x) && mpfr_get_exp(x) > -16382 &&
           mpfr_get_exp(x) < 16383;
}

int host_exact_one(quad (*host)(quad), quad x, quad *out)
{
    struct mp_num a, r;
    mp_init(&a, PART_BITS);
    mp_init(&r, QUAD_PREC_BITS);
    for (size_t i = 0; i < ARRAY_N(of_one); i++) {
        if (of_one[i].host == host) {
            (void)mpfr_set_d(a.v, (double)x, MPFR_RNDN); /* an encoding's value: exact */
            int const ternary = of_one[i].mp(r.v, a.v, MPFR_RNDZ);
            if (is_number(r.v)) {
                *out = to_odd(r.v, ternary != 0);
                return 1;
            }
        }
    }
    return 0;
}

int host_exact_two(quad (*host)(quad, quad), quad x, quad y, quad *out)
{
    struct mp_num a, b, r;
    mp_init(&a, PART_BITS);
    mp_init(&b, PART_BITS);
    mp_init(&r, QUAD_PREC_BITS);
    for (size_t i = 0; i < ARRAY_N(of_two); i++) {
        if (of_two[i].host == host) {
            (void)mpfr_set_d(a.v, (double)x, MPFR_RNDN);
            (void)mpfr_set_d(b.v, (double)y, MPFR_RNDN);
            int const ternary = of_two[i].mp(r.v, a.v, b.v, MPFR_RNDZ);
            if (is_number(r.v)) {
                *out = to_odd(r.v, ternary != 0);
                return 1;
            }
        }
    }
    return 0;
}
