/* oracle/sim/faults_func.c -- planted faults of single functions: which ones, and what they give. */
#include "oracle/sim/faults_func.h"

#include <math.h>

#include "base/format.h"
#include "base/func_row.h"
#include "oracle/func/func.h"

int fault_is_about(enum fault_id id, enum func_id func)
{
    switch ((int)id) {
    case FAULT_POW_OF_NAN:
        return func == FUNC_POW || func == FUNC_POWN || func == FUNC_HYPOT;
    case FAULT_FMIN_OF_NAN:
    case FAULT_EXTREMES_SWAPPED:
        return func == FUNC_FMIN || func == FUNC_FMAX;
    case FAULT_ATAN2_OF_ZEROS:
        return func == FUNC_ATAN2 || func == FUNC_ATAN2PI;
    case FAULT_EXP_OF_MINUS_INF:
    case FAULT_NAN_FOR_LARGE:
    case FAULT_POWER_OF_TWO:
    case FAULT_TABLE_ENTRY:
        return func != FUNC_NONE && func_rows[func].n_args == 1;
    case FAULT_REDUCTION_CUT:
        return func == FUNC_SIN || func == FUNC_COS || func == FUNC_TAN;
    case FAULT_RINT_TIE_AWAY:
        return func == FUNC_RINT;
    case FAULT_FMA_UNFUSED:
        return func == FUNC_FMA;
    case FAULT_FMOD_BY_QUOTIENT:
        return func == FUNC_FMOD || func == FUNC_REMAINDER;
    case FAULT_REMAINDER_TIE:
        return func == FUNC_REMAINDER;
    case FAULT_POWN_SIGN_LOST:
        return func == FUNC_POWN;
    case FAULT_FLOOR_FOR_TRUNC:
        return func == FUNC_TRUNC || func == FUNC_CEIL || func == FUNC_ROUND || func == FUNC_RINT;
    case FAULT_SMALL_CANCELLED:
        return func == FUNC_EXPM1 || func == FUNC_LOG1P;
    case FAULT_TGAMMA_NEAR_INTEGER:
        return func == FUNC_TGAMMA;
    case FAULT_NATIVE_FOR_FULL:
        return func == FUNC_SIN || func == FUNC_COS || func == FUNC_TAN || func == FUNC_EXP ||
               func == FUNC_EXP2 || func == FUNC_EXP10 || func == FUNC_LOG || func == FUNC_LOG2 ||
               func == FUNC_LOG10 || func == FUNC_POWR || func == FUNC_POW || func == FUNC_SQRT ||
               func == FUNC_RSQRT || func == FUNC_RECIP || func == FUNC_DIVIDE;
    case FAULT_OUTSIDE_DOMAIN:
        return func != FUNC_NONE;
    default: /* those of any function, and faults of other instructions */
        return 1;
    }
}

static int has_nan(const struct fault_math_site *s)
{
    int any = 0;
    for (uint32_t i = 0; i < func_rows[s->call.accuracy.func].n_args; i++) {
        any |= format_is_nan(fault_format(s), s->call.args.enc[i]);
    }
    return any;
}

/* NaN in place of what is prescribed for these arguments. */
static int nan_instead(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = f->exp | f->quiet;
    return !format_is_nan(f, s->honest);
}

static int number_outside_domain(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = (uint64_t)f->emax << (f->prec_bits - 1); /* 1 */
    return format_is_nan(f, s->honest) && !has_nan(s);
}

static int reduce_badly(const struct fault_math_site *s, enum func_id func, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    double const two_pi = 6.2831853071;
    if (!(fabs(x) > 65536.0) || !isfinite(x)) {
        return 0;
    }
    double const r = fmod(x, two_pi);
    *out = fault_encode(s->fmt, func == FUNC_SIN ? sin(r) : func == FUNC_COS ? cos(r) : tan(r));
    return 1;
}

static int round_tie_away(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    *out = fault_encode(s->fmt, round(x));
    return isfinite(x) && !(fabs(x - trunc(x)) < 0.5) && !(fabs(x - trunc(x)) > 0.5);
}

static int unfuse(const struct fault_math_site *s, uint64_t *out)
{
    const uint64_t *enc = s->call.args.enc;
    struct func_args product = {
        .fmt = s->fmt, .enc = {enc[0], enc[1]}
    };
    struct func_args sum = {
        .fmt = s->fmt, .enc = {0, enc[2]}
    };
    sum.enc[0] = func_round(FUNC_FMUL, ENV_CL, &product);
    *out = func_round(FUNC_FADD, ENV_CL, &sum);
    return fault_is_finite(fault_format(s), *out);
}

static int by_quotient(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]),
                 y = fault_decode(s->fmt, s->call.args.enc[1]);
    double const q = x / y;
    if (!isfinite(q) || !(fabs(q) > 1024.0)) {
        return 0;
    }
    double const n = fault_decode(s->fmt, fault_encode(s->fmt, q));
    double const product = fault_decode(s->fmt, fault_encode(s->fmt, trunc(n) * y));
    *out = fault_encode(s->fmt, x - product);
    return fault_is_finite(fault_format(s), *out);
}

static int odd_tie(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]),
                 y = fault_decode(s->fmt, s->call.args.enc[1]);
    double const r = remainder(x, y);
    *out = s->honest ^ fault_format(s)->sign;
    return isfinite(x) && isfinite(y) && !(2 * fabs(r) < fabs(y)) && fabs(r) > 0;
}

static int swap_extremes(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    *out = s->honest == x ? y : x;
    return !has_nan(s);
}

static int go_down(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    *out = fault_encode(s->fmt, floor(x));
    return isfinite(x);
}

static int cancel(const struct fault_math_site *s, enum func_id func, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    if (!(fabs(x) < 0.01) || !(fabs(x) > 0)) {
        return 0;
    }
    double const near_one =
        fault_decode(s->fmt, fault_encode(s->fmt, func == FUNC_EXPM1 ? exp(x) : 1 + x));
    *out = fault_encode(s->fmt, func == FUNC_EXPM1 ? near_one - 1 : log(near_one));
    return 1;
}

/* NaN where the argument's reduction gives up. */
static int nan_for_large(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    return isfinite(x) && fabs(x) > (s->fmt == FMT_F16 ? 4096.0 : 65536.0) && nan_instead(s, out);
}

static int is_power_of_two(const struct float_format *f, uint64_t enc)
{
    return (enc & f->frac) == 0 && (enc & f->exp) != 0 && fault_is_finite(f, enc);
}

/* One entry of a table of 64 is wrong in its 12th bit: all arguments whose fraction begins so. */
static int use_table(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const entry = (s->call.args.enc[0] & f->frac) >> (f->prec_bits - 7);
    double const n = ldexp(1, (int)f->prec_bits - (s->fmt == FMT_F16 ? 8 : 12));
    return entry == 22 && fault_move_past(s, n, out);
}

/* By reflection, with the sine of a product that was rounded: far off next to a pole. */
static int reflect(const struct fault_math_site *s, uint64_t *out)
{
    double const pi = 3.14159265358979323846;
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    double const to_pole = fabs(x - rint(x));
    if (!(x < -0.5) || !(to_pole < 0.125) || !(to_pole > 0)) {
        return 0;
    }
    double const product = fault_decode(s->fmt, fault_encode(s->fmt, pi * x));
    *out = fault_encode(s->fmt, pi / (sin(product) * tgamma(1 - x)));
    return fault_is_finite(fault_format(s), *out);
}

/* Rounded to a multiple of 2^-21, as tables of the hardware are. */
static double to_grid(double v)
{
    return rint(v * 0x1p21) * 0x1p-21;
}

/* What special-function hardware gives: exp2 and log2 in single precision, sines in absolute error. */
static int be_native(const struct fault_math_site *s, enum func_id func, uint64_t *out)
{
    double const x = fault_decode(FMT_F32, s->call.args.enc[0]);
    double const y = fault_decode(FMT_F32, s->call.args.enc[1]);
    double const ln_2 = 0.693147180559945309, log10_2 = 0.301029995663981195;
    double v = 0;
    switch ((int)func) {
    case FUNC_SIN:
        v = to_grid(sin(x));
        break;
    case FUNC_COS:
        v = to_grid(cos(x));
        break;
    case FUNC_TAN:
        v = to_grid(sin(x)) / to_grid(cos(x));
        break;
    case FUNC_EXP:
        v = exp2((double)(float)(x / ln_2));
        break;
    case FUNC_EXP2:
        v = exp2(to_grid(x));
        break;
    case FUNC_EXP10:
        v = exp2((double)(float)(x / log10_2));
        break;
    case FUNC_LOG:
        v = to_grid(log2(x)) * ln_2;
        break;
    case FUNC_LOG2:
        v = to_grid(log2(x));
        break;
    case FUNC_LOG10:
        v = to_grid(log2(x)) * log10_2;
        break;
    case FUNC_POW:
    case FUNC_POWR:
        v = exp2((double)(float)(y * to_grid(log2(x))));
        break;
    default: { /* a seed of 20 bits and no step of Newton's */
        double const exact = func == FUNC_SQRT     ? sqrt(x)
                             : func == FUNC_RSQRT  ? 1 / sqrt(x)
                             : func == FUNC_DIVIDE ? x / y
                                                   : 1 / x;
        v = exact * (1 + 0x1p-20);
        break;
    }
    }
    *out = fault_encode(FMT_F32, v);
    return isfinite(v) && fault_is_finite(fault_format(s), *out);
}

int fault_change_function(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    enum func_id const func = s->call.accuracy.func;
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    switch ((int)id) {
    case FAULT_POW_OF_NAN:
    case FAULT_FMIN_OF_NAN:
        return has_nan(s) && nan_instead(s, out);
    case FAULT_ATAN2_OF_ZEROS:
        *out = x;
        return format_is_zero(f, x) && (y & f->sign) != 0 && !format_is_nan(f, y);
    case FAULT_OUTSIDE_DOMAIN:
        return number_outside_domain(s, out);
    case FAULT_EXP_OF_MINUS_INF:
        return (x & ~f->sign) == f->exp && nan_instead(s, out);
    case FAULT_NAN_FOR_LARGE:
        return nan_for_large(s, out);
    case FAULT_POWER_OF_TWO:
        return is_power_of_two(f, x) && fault_move_past(s, 1, out);
    case FAULT_TABLE_ENTRY:
        return use_table(s, out);
    case FAULT_TGAMMA_NEAR_INTEGER:
        return reflect(s, out);
    case FAULT_NATIVE_FOR_FULL:
        return be_native(s, func, out);
    case FAULT_REDUCTION_CUT:
        return reduce_badly(s, func, out);
    case FAULT_RINT_TIE_AWAY:
        return round_tie_away(s, out);
    case FAULT_FMA_UNFUSED:
        return unfuse(s, out);
    case FAULT_FMOD_BY_QUOTIENT:
        return by_quotient(s, out);
    case FAULT_REMAINDER_TIE:
        return odd_tie(s, out);
    case FAULT_POWN_SIGN_LOST:
        *out = s->honest & ~f->sign;
        return s->call.args.n % 2 != 0 && fault_is_finite(f, s->honest) &&
               !format_is_zero(f, s->honest);
    case FAULT_EXTREMES_SWAPPED:
        return swap_extremes(s, out);
    case FAULT_FLOOR_FOR_TRUNC:
        return go_down(s, out);
    case FAULT_SMALL_CANCELLED:
        return cancel(s, func, out);
    default: /* those of any function, and faults of other instructions */
        return 0;
    }
}
