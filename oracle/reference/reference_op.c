/* oracle/reference/reference_op.c -- operations on numbers of REFERENCE_PREC_BITS bits. */
#include "oracle/reference/reference_op.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/ops.h"
#include "base/spv.h"
#include "oracle/num/mp.h"
#include "oracle/reference/reference.h"

/* The number as MPFR's, on the limbs of x: valid while x stays where it is. */
static void lend(struct reference_number *x, mpfr_t out)
{
    out->_mpfr_prec = REFERENCE_PREC_BITS;
    out->_mpfr_sign = x->sign;
    out->_mpfr_exp = x->exponent;
    out->_mpfr_d = x->limb;
}

static void begin(struct reference_number *x, mpfr_t out)
{
    mpfr_custom_init(x->limb, REFERENCE_PREC_BITS);
    mpfr_custom_init_set(out, MPFR_NAN_KIND, 0, REFERENCE_PREC_BITS, x->limb);
}

static void end(struct reference_number *x, mpfr_srcptr from)
{
    x->sign = from->_mpfr_sign;
    x->exponent = from->_mpfr_exp;
}

void reference_set_float(struct reference_number *x, const struct float_format *f, uint64_t bits)
{
    struct mp_num number;
    mpfr_t to = {{._mpfr_prec = 0}};
    mp_init(&number, f->prec_bits);
    mp_set_enc(&number, f, bits);
    begin(x, to);
    (void)mpfr_set(to, number.v, MPFR_RNDN);
    end(x, to);
}

void reference_set_int(struct reference_number *x, uint64_t bits, unsigned n_bits, bool is_signed)
{
    mpfr_t to = {{._mpfr_prec = 0}};
    begin(x, to);
    bool const is_negative = is_signed && n_bits > 0 && bits >> (n_bits - 1) & 1;
    uint64_t const mask = n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
    if (is_negative) {
        (void)mpfr_set_ui(to, ~bits & mask, MPFR_RNDN);
        (void)mpfr_add_ui(to, to, 1, MPFR_RNDN);
        (void)mpfr_neg(to, to, MPFR_RNDN);
    } else {
        (void)mpfr_set_ui(to, bits & mask, MPFR_RNDN);
    }
    end(x, to);
}

/* ---- rules ---- */

typedef int function_one(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int function_two(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static int copy(mpfr_ptr to, mpfr_srcptr x, mpfr_rnd_t mode)
{
    return mpfr_set(to, x, mode);
}
static int negate(mpfr_ptr to, mpfr_srcptr x, mpfr_rnd_t mode)
{
    return mpfr_neg(to, x, mode);
}
static int magnitude(mpfr_ptr to, mpfr_srcptr x, mpfr_rnd_t mode)
{
    return mpfr_abs(to, x, mode);
}

/* Names in small letters, without native_ and half_. */
static const struct {
    const char *name;
    function_one *apply;
} ones[] = {
    {"fconvert",    copy           },
    {"convertstof", copy           },
    {"convertutof", copy           },
    {"copyobject",  copy           },
    {"fnegate",     negate         },
    {"fabs",        magnitude      },
    {"sqrt",        mpfr_sqrt      },
    {"rsqrt",       mpfr_rec_sqrt  },
    {"inversesqrt", mpfr_rec_sqrt  },
    {"cbrt",        mpfr_cbrt      },
    {"sin",         mpfr_sin       },
    {"cos",         mpfr_cos       },
    {"tan",         mpfr_tan       },
    {"asin",        mpfr_asin      },
    {"acos",        mpfr_acos      },
    {"atan",        mpfr_atan      },
    {"sinh",        mpfr_sinh      },
    {"cosh",        mpfr_cosh      },
    {"tanh",        mpfr_tanh      },
    {"asinh",       mpfr_asinh     },
    {"acosh",       mpfr_acosh     },
    {"atanh",       mpfr_atanh     },
    {"exp",         mpfr_exp       },
    {"exp2",        mpfr_exp2      },
    {"exp10",       mpfr_exp10     },
    {"expm1",       mpfr_expm1     },
    {"log",         mpfr_log       },
    {"log2",        mpfr_log2      },
    {"log10",       mpfr_log10     },
    {"log1p",       mpfr_log1p     },
    {"erf",         mpfr_erf       },
    {"erfc",        mpfr_erfc      },
    {"tgamma",      mpfr_gamma     },
    {"floor",       mpfr_rint_floor},
    {"ceil",        mpfr_rint_ceil },
    {"trunc",       mpfr_rint_trunc},
};
static const struct {
    const char *name;
    function_two *apply;
} twos[] = {
    {"fadd",              mpfr_add  },
    {"fsub",              mpfr_sub  },
    {"fmul",              mpfr_mul  },
    {"fdiv",              mpfr_div  },
    {"divide",            mpfr_div  },
    {"vectortimesscalar", mpfr_mul  },
    {"fmin",              mpfr_min  },
    {"fmax",              mpfr_max  },
    {"fdim",              mpfr_dim  },
    {"fmod",              mpfr_fmod },
    {"frem",              mpfr_fmod },
    {"pow",               mpfr_pow  },
    {"powr",              mpfr_pow  },
    {"atan2",             mpfr_atan2},
    {"hypot",             mpfr_hypot},
};

/* The instruction's name without what says how exact it is; "" where the table has none. */
static void get_name(uint32_t op, char name[32])
{
    static const char *const prefixes[] = {"native_", "half_"};
    int const row = op_find_number(op);
    const char *from = row < 0 ? "" : op_rows[row].name;
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_N(prefixes); i++) {
        size_t const length = strlen(prefixes[i]);
        from += strncmp(from, prefixes[i], length) == 0 ? length : 0;
    }
    for (; n < 31 && from[n]; n++) {
        name[n] = (char)tolower((unsigned char)from[n]);
    }
    name[n] = '\0';
}

bool reference_takes_vectors(uint32_t op)
{
    return op == SpvOpDot;
}

static void evaluate_dot(mpfr_t *arg, uint32_t n, mpfr_ptr to)
{
    struct reference_number storage;
    mpfr_t product = {{._mpfr_prec = 0}};
    begin(&storage, product);
    (void)mpfr_set_zero(to, 1);
    for (uint32_t i = 0; i < n / 2; i++) {
        (void)mpfr_mul(product, arg[i], arg[n / 2 + i], MPFR_RNDN);
        (void)mpfr_add(to, to, product, MPFR_RNDN);
    }
}

static bool apply(uint32_t op, const char *name, mpfr_t *arg, uint32_t n, mpfr_ptr to)
{
    for (size_t i = 0; n == 1 && i < ARRAY_N(ones); i++) {
        if (strcmp(name, ones[i].name) == 0) {
            (void)ones[i].apply(to, arg[0], MPFR_RNDN);
            return true;
        }
    }
    for (size_t i = 0; n == 2 && op != SpvOpFMod && i < ARRAY_N(twos); i++) {
        if (strcmp(name, twos[i].name) == 0) {
            (void)twos[i].apply(to, arg[0], arg[1], MPFR_RNDN);
            return true;
        }
    }
    if (n == 3 &&
        (strcmp(name, "fma") == 0 || strcmp(name, "mad") == 0 || strcmp(name, "fmakhr") == 0)) {
        (void)mpfr_fma(to, arg[0], arg[1], arg[2], MPFR_RNDN);
        return true;
    }
    if (n == 3 && (strcmp(name, "fclamp") == 0 || strcmp(name, "nclamp") == 0)) {
        (void)mpfr_max(to, arg[0], arg[1], MPFR_RNDN);
        (void)mpfr_min(to, to, arg[2], MPFR_RNDN);
        return true;
    }
    if (n == 3 && strcmp(name, "select") == 0) {
        (void)mpfr_set(to, mpfr_zero_p(arg[0]) ? arg[2] : arg[1], MPFR_RNDN);
        return true;
    }
    if (op == SpvOpDot && n > 0) {
        evaluate_dot(arg, n, to);
        return true;
    }
    return false;
}

bool reference_evaluate(const struct reference_call *call, struct reference_number *out)
{
    struct reference_number storage[REFERENCE_MAX_ARGS];
    mpfr_t arg[REFERENCE_MAX_ARGS];
    mpfr_t to = {{._mpfr_prec = 0}};
    char name[32];
    memset(arg, 0, sizeof arg);
    get_name(call->op, name);
    for (uint32_t i = 0; i < call->n; i++) {
        storage[i] = call->arg[i];
        lend(&storage[i], arg[i]);
    }
    begin(out, to);
    bool const is_known = name[0] && apply(call->op, name, arg, call->n, to);
    end(out, to);
    return is_known;
}

void reference_round(struct reference_number *x, const struct float_format *f)
{
    mpfr_t number = {{._mpfr_prec = 0}};
    lend(x, number);
    reference_set_float(x, f, mp_round(f, number, REAL_NEAREST));
}

double reference_to_double(const struct reference_number *x)
{
    struct reference_number storage = *x;
    mpfr_t number = {{._mpfr_prec = 0}};
    lend(&storage, number);
    return mpfr_get_d(number, MPFR_RNDN);
}

/* ---- distances ---- */

double reference_ulps_between(const struct reference_number *x, const struct reference_number *y,
                              const struct float_format *f)
{
    struct reference_number storage[2] = {*x, *y}, space;
    mpfr_t a = {{._mpfr_prec = 0}}, b = {{._mpfr_prec = 0}}, distance = {{._mpfr_prec = 0}};
    lend(&storage[0], a);
    lend(&storage[1], b);
    begin(&space, distance);
    bool const is_finite = mpfr_number_p(a) && mpfr_number_p(b);
    if (!is_finite) {
        bool const is_same = (mpfr_nan_p(a) && mpfr_nan_p(b)) ||
                             (mpfr_inf_p(a) && mpfr_inf_p(b) && mpfr_equal_p(a, b));
        return is_same ? 0 : HUGE_VAL;
    }
    (void)mpfr_sub(distance, b, a, MPFR_RNDN);
    (void)mpfr_abs(distance, distance, MPFR_RNDN);
    mpfr_exp_t exponent = mpfr_zero_p(a) ? f->emin : mpfr_get_exp(a) - 1;
    exponent = exponent < f->emin ? f->emin : exponent;
    (void)mpfr_mul_2si(distance, distance, -(exponent - (mpfr_exp_t)f->prec_bits + 1), MPFR_RNDN);
    return mpfr_get_d(distance, MPFR_RNDN);
}

double reference_ulps(const struct reference_number *x, const struct float_format *f, uint64_t got)
{
    struct reference_number y;
    reference_set_float(&y, f, got);
    return reference_ulps_between(x, &y, f);
}

double reference_distance(const struct reference_number *x, const struct float_format *f,
                          uint64_t got)
{
    struct reference_number storage = *x, y, space;
    mpfr_t a = {{._mpfr_prec = 0}}, b = {{._mpfr_prec = 0}}, distance = {{._mpfr_prec = 0}};
    reference_set_float(&y, f, got);
    lend(&storage, a);
    lend(&y, b);
    begin(&space, distance);
    (void)mpfr_sub(distance, b, a, MPFR_RNDN);
    (void)mpfr_abs(distance, distance, MPFR_RNDN);
    double const d = mpfr_get_d(distance, MPFR_RNDN);
    return isnan(d) ? 0 : d;
}
