/* tests/standin/standin_mpfr.c -- MPFR at a precision at which no f32 operand comes so near to a middle. */
#include "tests/standin/standin_mpfr.h"
#include <math.h>
#include <mpfr.h>

const struct standin_format standin_f16 = {11, -14, 15};
const struct standin_format standin_f32 = {24, -126, 127};

enum {
    BITS = 300
};

/* y = 2 pi (x mod 1) */
static void set_angle(mpfr_t y, double x)
{
    mpfr_set_d(y, remainder(x, 1), MPFR_RNDN);
    mpfr_t pi;
    mpfr_init2(pi, BITS);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(y, y, pi, MPFR_RNDN);
    mpfr_mul_2ui(y, y, 1, MPFR_RNDN);
    mpfr_clear(pi);
}

/* Quarters of a turn have exact values, which an angle of finitely many bits misses. */
static bool set_exact(mpfr_t y, enum standin_function f, double x)
{
    double const quarters = 4 * remainder(x, 1);
    if (islessgreater(quarters, rint(quarters)) || (f != SIN_TURNS && f != COS_TURNS)) {
        return false;
    }
    int const k = ((int)quarters + (f == COS_TURNS)) & 3;
    mpfr_set_si(y, k == 1 ? 1 : k == 3 ? -1 : 0, MPFR_RNDN);
    return true;
}

static void set_value(mpfr_t y, enum standin_function f, double x)
{
    mpfr_set_d(y, x, MPFR_RNDN);
    switch (f) {
    case EXP2:
        mpfr_exp2(y, y, MPFR_RNDN);
        break;
    case LOG2:
        mpfr_log2(y, y, MPFR_RNDN);
        break;
    case RCP:
        mpfr_ui_div(y, 1, y, MPFR_RNDN);
        break;
    case RSQRT: /* of -0, as 1 / sqrt(-0): MPFR gives +infinity */
        mpfr_rec_sqrt(y, y, MPFR_RNDN);
        mpfr_setsign(y, y, signbit(x), MPFR_RNDN);
        break;
    case SQRT:
        mpfr_sqrt(y, y, MPFR_RNDN);
        break;
    case SIN_TURNS:
        set_angle(y, x);
        mpfr_sin(y, y, MPFR_RNDN);
        break;
    case COS_TURNS:
        set_angle(y, x);
        mpfr_cos(y, y, MPFR_RNDN);
        break;
    case SIN:
        mpfr_sin(y, y, MPFR_RNDN);
        break;
    case COS:
        mpfr_cos(y, y, MPFR_RNDN);
        break;
    }
}

double standin_round_mpfr(enum standin_function f, double x, const struct standin_format *format)
{
    mpfr_t y;
    mpfr_init2(y, BITS);
    if (!isfinite(x) || !set_exact(y, f, x)) {
        set_value(y, f, x);
    }
    double result = mpfr_get_d(y, MPFR_RNDN);
    if (mpfr_regular_p(y)) {
        long e = mpfr_get_exp(y) - 1;
        if (e < format->e_min) {
            e = format->e_min;
        }
        long const e_ulp = e - format->precision + 1;
        mpfr_mul_2si(y, y, -e_ulp, MPFR_RNDN);
        mpfr_rint(y, y, MPFR_RNDN);
        mpfr_mul_2si(y, y, e_ulp, MPFR_RNDN);
        result = mpfr_cmpabs_ui(y, 0) != 0 && mpfr_get_exp(y) - 1 > format->e_max
                     ? copysign((double)INFINITY, result)
                     : copysign(mpfr_get_d(y, MPFR_RNDN), result);
    }
    mpfr_clear(y);
    return result;
}
