/* oracle/fault/faults_func.c -- planted faults of single functions: which ones, and what they give. */
#include "oracle/fault/faults_func.h"

#include <math.h>

#include "base/format.h"
#include "base/func_row.h"
#include "oracle/func/func.h"

static bool has_nan(const struct fault_math_site *s)
{
    for (uint32_t i = 0; i < func_rows[s->call.accuracy.func].n_args; i++) {
        if (format_is_nan(fault_format(s), s->call.args.enc[i])) {
            return true;
        }
    }
    return false;
}

/* NaN in place of what is prescribed for these arguments. */
static bool nan_instead(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = f->exp | f->quiet;
    return !format_is_nan(f, s->honest);
}

/* A number where the function has none. */
static bool number_outside_domain(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = fault_one(f);
    return format_is_nan(f, s->honest) && !has_nan(s);
}

/* Reduced by too short a constant for pi. */
static bool reduce_badly(const struct fault_math_site *s, uint64_t *out)
{
    enum func_id const func = s->call.accuracy.func;
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    double const two_pi = 6.2831853071;
    if (!(fabs(x) > 65536.0) || !isfinite(x)) {
        return false;
    }
    double const r = fmod(x, two_pi);
    *out = fault_encode(s->fmt, func == FUNC_SIN ? sin(r) : func == FUNC_COS ? cos(r) : tan(r));
    return true;
}

/* A tie is rounded away from zero. */
static bool round_tie_away(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    *out = fault_encode(s->fmt, round(x));
    double const part = fabs(x - trunc(x));
    return isfinite(x) && !(part < 0.5) && !(part > 0.5);
}

/* fma that rounds its product. */
static bool unfuse(const struct fault_math_site *s, uint64_t *out)
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

/* x - trunc(x / y) y, each step rounded. */
static bool by_quotient(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]),
                 y = fault_decode(s->fmt, s->call.args.enc[1]);
    double const q = x / y;
    if (!isfinite(q) || !(fabs(q) > 1024.0)) {
        return false;
    }
    double const n = fault_decode(s->fmt, fault_encode(s->fmt, q));
    double const product = fault_decode(s->fmt, fault_encode(s->fmt, trunc(n) * y));
    *out = fault_encode(s->fmt, x - product);
    return fault_is_finite(fault_format(s), *out);
}

/* The quotient of a tie is the odd one of two. */
static bool odd_tie(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]),
                 y = fault_decode(s->fmt, s->call.args.enc[1]);
    double const r = remainder(x, y);
    *out = s->honest ^ fault_format(s)->sign;
    return isfinite(x) && isfinite(y) && !(2 * fabs(r) < fabs(y)) && fabs(r) > 0;
}

/* min for max, and the reverse. */
static bool swap_extremes(const struct fault_math_site *s, uint64_t *out)
{
    uint64_t const x = s->call.args.enc[0], y = s->call.args.enc[1];
    *out = s->honest == x ? y : x;
    return !has_nan(s);
}

/* floor for trunc. */
static bool go_down(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    *out = fault_encode(s->fmt, floor(x));
    return isfinite(x);
}

/* expm1(x) as exp(x) - 1, log1p(x) as log(1 + x). */
static bool cancel(const struct fault_math_site *s, uint64_t *out)
{
    enum func_id const func = s->call.accuracy.func;
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    if (!(fabs(x) < 0.01) || !(fabs(x) > 0)) {
        return false;
    }
    double const near_one =
        fault_decode(s->fmt, fault_encode(s->fmt, func == FUNC_EXPM1 ? exp(x) : 1 + x));
    *out = fault_encode(s->fmt, func == FUNC_EXPM1 ? near_one - 1 : log(near_one));
    return true;
}

/* NaN where the argument's reduction gives up. */
static bool nan_for_large(const struct fault_math_site *s, uint64_t *out)
{
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    return isfinite(x) && fabs(x) > (s->fmt == FMT_F16 ? 4096.0 : 65536.0) && nan_instead(s, out);
}

/* One entry of a table of 64 is wrong in its 12th bit: all arguments whose fraction begins so. */
static bool use_table(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const entry = (s->call.args.enc[0] & f->frac) >> (f->prec_bits - 7);
    double const n = ldexp(1, (int)f->prec_bits - (s->fmt == FMT_F16 ? 8 : 12));
    return entry == 22 && fault_move_past(s, n, out);
}

/* By reflection, with the sine of a product that was rounded: far off next to a pole. */
static bool reflect(const struct fault_math_site *s, uint64_t *out)
{
    double const pi = 3.14159265358979323846;
    double const x = fault_decode(s->fmt, s->call.args.enc[0]);
    double const to_pole = fabs(x - rint(x));
    if (!(x < -0.5) || !(to_pole < 0.125) || !(to_pole > 0)) {
        return false;
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

/* A value in single precision, which hardware's exp2 starts from. */
static double in_single(double v)
{
    return (double)(float)v;
}

/* Returns func(x) or func(x, y) with the accuracy that hardware gives to the native_ variant, which is too
 * inaccurate for the full one. Exponentials, logarithms and powers are built on exp2 and log2 in single precision.
 * Sines have an absolute error (to_grid). Roots and quotients are a seed of 20 bits without Newton's step. */
static double native_of(enum func_id func, double x, double y)
{
    double const ln_2 = 0.693147180559945309, log10_2 = 0.301029995663981195;
    double const seed_error = 1 + 0x1p-20;
    switch ((int)func) {
    case FUNC_SIN:
        return to_grid(sin(x));
    case FUNC_COS:
        return to_grid(cos(x));
    case FUNC_TAN:
        return to_grid(sin(x)) / to_grid(cos(x));
    case FUNC_EXP:
        return exp2(in_single(x / ln_2));
    case FUNC_EXP2:
        return exp2(to_grid(x));
    case FUNC_EXP10:
        return exp2(in_single(x / log10_2));
    case FUNC_LOG:
        return to_grid(log2(x)) * ln_2;
    case FUNC_LOG2:
        return to_grid(log2(x));
    case FUNC_LOG10:
        return to_grid(log2(x)) * log10_2;
    case FUNC_POW:
    case FUNC_POWR:
        return exp2(in_single(y * to_grid(log2(x))));
    case FUNC_SQRT:
        return sqrt(x) * seed_error;
    case FUNC_RSQRT:
        return 1 / sqrt(x) * seed_error;
    case FUNC_DIVIDE:
        return x / y * seed_error;
    default: /* the reciprocal */
        return 1 / x * seed_error;
    }
}

static bool be_native(const struct fault_math_site *s, uint64_t *out)
{
    enum func_id const func = s->call.accuracy.func;
    double const x = fault_decode(FMT_F32, s->call.args.enc[0]);
    double const v = native_of(func, x, fault_decode(FMT_F32, s->call.args.enc[1]));
    *out = fault_encode(FMT_F32, v);
    return isfinite(v) && fault_is_finite(fault_format(s), *out);
}

static bool nan_of_nan(const struct fault_math_site *s, uint64_t *out)
{
    return has_nan(s) && nan_instead(s, out);
}

static bool nan_of_infinity(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    return (s->call.args.enc[0] & ~f->sign) == f->exp && nan_instead(s, out);
}

/* atan2(y, x) of a zero y and x below zero: y itself, which is for x above zero. */
static bool zero_of_atan2(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const y = s->call.args.enc[0], x = s->call.args.enc[1];
    *out = y;
    return format_is_zero(f, y) && (x & f->sign) != 0 && !format_is_nan(f, x);
}

static bool miss_power_of_two(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    uint64_t const x = s->call.args.enc[0];
    bool const is_power = (x & f->frac) == 0 && (x & f->exp) != 0 && fault_is_finite(f, x);
    return is_power && fault_move_past(s, 1, out);
}

/* pown of a negative number and an odd power. */
static bool lose_sign(const struct fault_math_site *s, uint64_t *out)
{
    const struct float_format *f = fault_format(s);
    *out = s->honest & ~f->sign;
    return s->call.args.n % 2 != 0 && fault_is_finite(f, s->honest) &&
           !format_is_zero(f, s->honest);
}

enum {
    MAX_NATIVE = 15 /* functions of which OpenCL has a native_ variant */
};
/* A fault of single functions: how it changes a result, and the functions that it can act at. */
static const struct row {
    enum fault_id id;
    bool (*change)(const struct fault_math_site *s, uint64_t *out);
    uint32_t n_funcs; /* 0: any function; ANY_UNARY: any of one argument */
    enum func_id func[MAX_NATIVE];
} rows[] = {
#define ANY_UNARY UINT32_MAX
    {FAULT_POW_OF_NAN,          nan_of_nan,            3,          {FUNC_POW, FUNC_POWN, FUNC_HYPOT}             },
    {FAULT_FMIN_OF_NAN,         nan_of_nan,            2,          {FUNC_FMIN, FUNC_FMAX}                        },
    {FAULT_EXTREMES_SWAPPED,    swap_extremes,         2,          {FUNC_FMIN, FUNC_FMAX}                        },
    {FAULT_ATAN2_OF_ZEROS,      zero_of_atan2,         2,          {FUNC_ATAN2, FUNC_ATAN2PI}                    },
    {FAULT_EXP_OF_MINUS_INF,    nan_of_infinity,       ANY_UNARY,  {FUNC_NONE}                                   },
    {FAULT_NAN_FOR_LARGE,       nan_for_large,         ANY_UNARY,  {FUNC_NONE}                                   },
    {FAULT_POWER_OF_TWO,        miss_power_of_two,     ANY_UNARY,  {FUNC_NONE}                                   },
    {FAULT_TABLE_ENTRY,         use_table,             ANY_UNARY,  {FUNC_NONE}                                   },
    {FAULT_OUTSIDE_DOMAIN,      number_outside_domain, 0,          {FUNC_NONE}                                   },
    {FAULT_REDUCTION_CUT,       reduce_badly,          3,          {FUNC_SIN, FUNC_COS, FUNC_TAN}                },
    {FAULT_RINT_TIE_AWAY,       round_tie_away,        1,          {FUNC_RINT}                                   },
    {FAULT_FMA_UNFUSED,         unfuse,                1,          {FUNC_FMA}                                    },
    {FAULT_FMOD_BY_QUOTIENT,    by_quotient,           2,          {FUNC_FMOD, FUNC_REMAINDER}                   },
    {FAULT_REMAINDER_TIE,       odd_tie,               1,          {FUNC_REMAINDER}                              },
    {FAULT_POWN_SIGN_LOST,      lose_sign,             1,          {FUNC_POWN}                                   },
    {FAULT_FLOOR_FOR_TRUNC,     go_down,               4,          {FUNC_TRUNC, FUNC_CEIL, FUNC_ROUND, FUNC_RINT}},
    {FAULT_SMALL_CANCELLED,     cancel,                2,          {FUNC_EXPM1, FUNC_LOG1P}                      },
    {FAULT_TGAMMA_NEAR_INTEGER, reflect,               1,          {FUNC_TGAMMA}                                 },
    {FAULT_NATIVE_FOR_FULL,
                                be_native,                                        MAX_NATIVE,
                                {FUNC_SIN, FUNC_COS, FUNC_TAN, FUNC_EXP, FUNC_EXP2, FUNC_EXP10, FUNC_LOG, FUNC_LOG2,
      FUNC_LOG10, FUNC_POWR, FUNC_POW, FUNC_SQRT, FUNC_RSQRT, FUNC_RECIP, FUNC_DIVIDE}                                                      },
};

static const struct row *find_row(enum fault_id id)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].id == id) {
            return &rows[i];
        }
    }
    return NULL;
}

bool fault_is_about(enum fault_id id, enum func_id func)
{
    const struct row *const row = find_row(id);
    if (!row) { /* a fault of any function, or of other instructions: its own conditions decide elsewhere */
        return true;
    }
    if (row->n_funcs == 0 || row->n_funcs == ANY_UNARY) {
        return func != FUNC_NONE && (row->n_funcs == 0 || func_rows[func].n_args == 1);
    }
    bool is_listed = false;
    for (uint32_t i = 0; i < row->n_funcs; i++) {
        is_listed |= row->func[i] == func;
    }
    return is_listed;
}

bool fault_change_function(enum fault_id id, const struct fault_math_site *s, uint64_t *out)
{
    const struct row *const row = find_row(id);
    return row && row->change(s, out);
}
