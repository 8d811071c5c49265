/* tests/standin/recheck.c -- the errors that an audit found in a vendor's math library, computed again by MPFR at 500 bits,
 * without halfulp's oracle:
 *     recheck LIBRARY AUDIT.csv: the largest errors of each form. Prints a line for each; exit status 1 if one differs in the
 *         first three digits, if the library gives another result, or if no error can be compared. HALFULP_STANDIN chooses the
 *         forms that are computed.
 *     recheck LIBRARY FUNCTION TYPE BITS [BITS]: result, exact value, and error in ulps of the exact value, for one input. */
#include <dlfcn.h>
#include <inttypes.h> /* before mpfr.h, which then has functions of uintmax_t */
#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BITS = 500,
    MAX_COLUMNS = 80,
    MAX_LINE = 1 << 14
};

struct format {
    const char *name;
    int bits;
    int precision;
};
static const struct format formats[] = {
    {"f16", 16, 11},
    {"f32", 32, 24},
    {"f64", 64, 53}
};

typedef int (*unary)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*binary)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*with_integer)(mpfr_t, const mpfr_t, long, mpfr_rnd_t);

static int set_lgamma(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    int sign = 0;
    return mpfr_lgamma(y, &sign, x, rounding);
}

static int set_recip(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    return mpfr_ui_div(y, 1, x, rounding);
}

static int scale_angle(mpfr_t y, const mpfr_t x, int is_to_degrees)
{
    mpfr_t factor;
    mpfr_init2(factor, BITS);
    mpfr_const_pi(factor, MPFR_RNDN);
    mpfr_div_ui(factor, factor, 180, MPFR_RNDN);
    int const r =
        is_to_degrees ? mpfr_div(y, x, factor, MPFR_RNDN) : mpfr_mul(y, x, factor, MPFR_RNDN);
    mpfr_clear(factor);
    return r;
}

static int set_degrees(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return scale_angle(y, x, 1);
}

static int set_radians(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return scale_angle(y, x, 0);
}

/* Exactly one of the three. The functions with an i32 have it second. */
static const struct function {
    const char *name;
    unary one;
    binary two;
    with_integer integer;
} functions[] = {
    {"acos",      mpfr_acos,     0,              0            },
    {"acosh",     mpfr_acosh,    0,              0            },
    {"acospi",    mpfr_acospi,   0,              0            },
    {"asin",      mpfr_asin,     0,              0            },
    {"asinh",     mpfr_asinh,    0,              0            },
    {"asinpi",    mpfr_asinpi,   0,              0            },
    {"atan",      mpfr_atan,     0,              0            },
    {"atanh",     mpfr_atanh,    0,              0            },
    {"atanpi",    mpfr_atanpi,   0,              0            },
    {"cbrt",      mpfr_cbrt,     0,              0            },
    {"cos",       mpfr_cos,      0,              0            },
    {"cosh",      mpfr_cosh,     0,              0            },
    {"cospi",     mpfr_cospi,    0,              0            },
    {"erf",       mpfr_erf,      0,              0            },
    {"erfc",      mpfr_erfc,     0,              0            },
    {"exp",       mpfr_exp,      0,              0            },
    {"exp2",      mpfr_exp2,     0,              0            },
    {"exp10",     mpfr_exp10,    0,              0            },
    {"expm1",     mpfr_expm1,    0,              0            },
    {"log",       mpfr_log,      0,              0            },
    {"log10",     mpfr_log10,    0,              0            },
    {"log1p",     mpfr_log1p,    0,              0            },
    {"log2",      mpfr_log2,     0,              0            },
    {"sin",       mpfr_sin,      0,              0            },
    {"sinh",      mpfr_sinh,     0,              0            },
    {"sinpi",     mpfr_sinpi,    0,              0            },
    {"sqrt",      mpfr_sqrt,     0,              0            },
    {"tan",       mpfr_tan,      0,              0            },
    {"tanh",      mpfr_tanh,     0,              0            },
    {"tanpi",     mpfr_tanpi,    0,              0            },
    {"lgamma",    set_lgamma,    0,              0            },
    {"tgamma",    mpfr_gamma,    0,              0            },
    {"rsqrt",     mpfr_rec_sqrt, 0,              0            },
    {"recip",     set_recip,     0,              0            },
    {"degrees",   set_degrees,   0,              0            },
    {"radians",   set_radians,   0,              0            },
    {"sincos",    mpfr_sin,      0,              0            },
    {"atan2",     0,             mpfr_atan2,     0            },
    {"atan2pi",   0,             mpfr_atan2pi,   0            },
    {"divide",    0,             mpfr_div,       0            },
    {"fdim",      0,             mpfr_dim,       0            },
    {"fmod",      0,             mpfr_fmod,      0            },
    {"hypot",     0,             mpfr_hypot,     0            },
    {"pow",       0,             mpfr_pow,       0            },
    {"powr",      0,             mpfr_powr,      0            },
    {"remainder", 0,             mpfr_remainder, 0            },
    {"pown",      0,             0,              mpfr_pow_si  },
    {"rootn",     0,             0,              mpfr_rootn_si},
    {"ldexp",     0,             0,              mpfr_mul_2si }
};

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
    }
    return 0;
}

/* half_sin and native_sin are sin. */
static const struct function *find_function(const char *name)
{
    const char *const base = strncmp(name, "half_", 5) == 0     ? name + 5
                             : strncmp(name, "native_", 7) == 0 ? name + 7
                                                                : name;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, base) == 0) {
            return &functions[i];
        }
    }
    return 0;
}

/* The number with these bits; no NaN. */
static void set_number(mpfr_t y, const struct format *f, uint64_t bits)
{
    int const fraction = f->precision - 1;
    int const exponent_bits = f->bits - f->precision;
    int const bias = (1 << (exponent_bits - 1)) - 1;
    int const e = (int)(bits >> fraction & ((1U << exponent_bits) - 1));
    uint64_t m = bits & ((UINT64_C(1) << fraction) - 1);
    if (e == (1 << exponent_bits) - 1) {
        mpfr_set_inf(y, 1);
    } else {
        m |= e ? UINT64_C(1) << fraction : 0;
        mpfr_set_uj_2exp(y, m, (e ? e : 1) - bias - fraction, MPFR_RNDN);
    }
    mpfr_setsign(y, y, (int)(bits >> (f->bits - 1) & 1), MPFR_RNDN);
}

/* One ulp of y: the distance of neighbours of the format around y. OpenCL C 7.4: for a y of the format, the distance of the two
 * numbers nearest y, so that the ulp of a power of two is that of the numbers below it. */
static void set_ulp(mpfr_t ulp, const struct format *f, const mpfr_t y)
{
    int const least = 2 - (1 << (f->bits - f->precision - 1));
    int const is_power = mpfr_regular_p(y) && mpfr_min_prec(y) == 1;
    int const e = mpfr_regular_p(y) ? (int)mpfr_get_exp(y) - 1 - is_power : least;
    mpfr_set_ui_2exp(ulp, 1, (e < least ? least : e) - f->precision + 1, MPFR_RNDN);
}

/* What recheck computes for one input. */
struct answer {
    mpfr_t exact;  /* the function's value */
    mpfr_t result; /* the library's */
    mpfr_t error;  /* in ulps of the exact value */
};

static void compute(const struct function *function, const struct format *format,
                    const uint64_t x[2], uint64_t result, struct answer *out)
{
    mpfr_t a;
    mpfr_t b;
    mpfr_inits2(BITS, a, b, out->exact, out->result, out->error, (mpfr_ptr)0);
    set_number(a, format, x[0]);
    set_number(b, format, x[1]);
    set_number(out->result, format, result);
    if (function->one) {
        function->one(out->exact, a, MPFR_RNDN);
    } else if (function->two) {
        function->two(out->exact, a, b, MPFR_RNDN);
    } else {
        function->integer(out->exact, a, (int32_t)(uint32_t)x[1], MPFR_RNDN);
    }
    set_ulp(b, format, out->exact);
    mpfr_sub(a, out->result, out->exact, MPFR_RNDN);
    mpfr_div(out->error, a, b, MPFR_RNDN);
    mpfr_clears(a, b, (mpfr_ptr)0);
}

static void clear(struct answer *a)
{
    mpfr_clears(a->exact, a->result, a->error, (mpfr_ptr)0);
}

/* Calls the loop of a function for one input; 0: the library has no such loop. */
static int call(void *library, const char *function, const char *type, const uint64_t x[2],
                uint64_t *result)
{
    char name[64];
    uint64_t second = 0;
    const void *const in[] = {x, x + 1};
    void *const out[] = {result, &second};
    void (*loop)(const void *const *, void *const *, uint64_t) = 0;
    (void)snprintf(name, sizeof name, "hu_%s_%s", function, type);
    void *const symbol = dlsym(library, name);
    if (!symbol) {
        return 0;
    }
    *result = 0;
    memcpy(&loop, &symbol, sizeof loop);
    loop(in, out, 1);
    return 1;
}

static int check_one(void *library, int argc, char **argv)
{
    const struct format *const format = find_format(argv[1]);
    const struct function *const function = find_function(argv[0]);
    uint64_t x[2] = {0, 0};
    uint64_t result = 0;
    struct answer a;
    for (int i = 2; i < argc && i < 4; i++) {
        x[i - 2] = strtoull(argv[i], 0, 0);
    }
    if (!format || !function || !call(library, argv[0], argv[1], x, &result)) {
        (void)fprintf(stderr, "recheck: no function %s of type %s\n", argv[0], argv[1]);
        return 2;
    }
    compute(function, format, x, result, &a);
    mpfr_printf("%s %s %s: gave 0x%0*jx (%.9Rg), exact %.20Rg, error %+.5Rf ulp\n", argv[0],
                argv[1], argv[2], format->bits / 4, (uintmax_t)result, a.result, a.exact, a.error);
    clear(&a);
    return 0;
}

/* --- an audit's table --- */

struct table {
    char header[MAX_LINE];
    char line[MAX_LINE];
    char *name[MAX_COLUMNS];
    char *cell[MAX_COLUMNS];
    int n_columns;
};

/* Cuts a line of CSV into cells in place: no cell of an audit has a line end, and a quoted one no quote. */
static int cut(char *line, char *cells[])
{
    int n = 0;
    int is_quoted = 0;
    char *start = line;
    for (char *c = line;; c++) {
        is_quoted ^= *c == '"';
        if (*c && (is_quoted || (*c != ',' && *c != '\n'))) {
            continue;
        }
        char const end = *c;
        char *const last = c > start && c[-1] == '"' ? c - 1 : c;
        *last = 0;
        cells[n++] = *start == '"' ? start + 1 : start;
        if (end != ',' || n == MAX_COLUMNS) {
            return n;
        }
        start = c + 1;
    }
}

static const char *get(const struct table *t, const char *name)
{
    for (int i = 0; i < t->n_columns; i++) {
        if (strcmp(t->name[i], name) == 0) {
            return t->cell[i];
        }
    }
    (void)fprintf(stderr, "recheck: the table has no column %s\n", name);
    exit(2);
}

/* The cell of a side: above_ulp, below_x. */
static const char *get_of_side(const struct table *t, const char *side, const char *what)
{
    char column[32];
    (void)snprintf(column, sizeof column, "%s_%s", side, what);
    return get(t, column);
}

struct counts {
    unsigned n, n_differ;
};

/* The largest error on one side of a row: prints and counts how the audit's error compares with that of MPFR. */
static void check_side(const struct table *t, void *library, const char *name, const char *side,
                       struct counts *counts)
{
    const struct format *const format = find_format(get(t, "type"));
    const struct function *const function = find_function(name);
    double const claimed = strtod(get_of_side(t, side, "ulp"), 0);
    uint64_t const x[2] = {strtoull(get_of_side(t, side, "x"), 0, 0),
                           strtoull(get_of_side(t, side, "y"), 0, 0)};
    uint64_t result = 0;
    struct answer a;
    if (!(fabs(claimed) > 0) || !isfinite(claimed) || !format || !function ||
        !call(library, name, format->name, x, &result)) {
        return;
    }
    compute(function, format, x, result, &a);
    double const error = mpfr_get_d(a.error, MPFR_RNDN);
    int const is_same = result == strtoull(get_of_side(t, side, "got"), 0, 0) &&
                        fabs(error - claimed) <= 0.0005 * fabs(error) + 1e-6;
    mpfr_printf("%s\t%s\t%s\t%#jx\t%g\t%.6g\t%s\n", name, format->name, side, (uintmax_t)x[0],
                claimed, error, is_same ? "same" : "DIFFERS");
    counts->n++;
    counts->n_differ += !is_same;
    clear(&a);
}

static void check_row(const struct table *t, void *library, struct counts *counts)
{
    char name[64];
    const char *const standin = getenv("HALFULP_STANDIN");
    const char *const form = get(t, "form");
    const char *const hardware = get(t, "hardware");
    if (*hardware && strcmp(hardware, standin ? standin : "rounded") != 0) {
        return;
    }
    int const is_variant = strncmp(form, "half", 4) == 0 || strncmp(form, "native", 6) == 0;
    (void)snprintf(name, sizeof name, "%.*s%s%s", is_variant ? (int)strcspn(form, "+") : 0, form,
                   is_variant ? "_" : "", get(t, "function"));
    check_side(t, library, name, "above", counts);
    check_side(t, library, name, "below", counts);
}

static int check_audit(void *library, const char *path)
{
    static struct table t;
    struct counts counts = {0, 0};
    FILE *const f = fopen(path, "r");
    if (!f || !fgets(t.header, MAX_LINE, f)) {
        (void)fprintf(stderr, "recheck: cannot read %s\n", path);
        return 2;
    }
    t.n_columns = cut(t.header, t.name);
    printf("function\ttype\tside\tinput\taudit\tMPFR\tverdict\n");
    while (fgets(t.line, MAX_LINE, f)) {
        if (cut(t.line, t.cell) != t.n_columns) {
            (void)fprintf(stderr, "recheck: %s: a line has not %d columns\n", path, t.n_columns);
            return 2;
        }
        check_row(&t, library, &counts);
    }
    (void)fclose(f);
    printf("%u errors, %u differ\n", counts.n, counts.n_differ);
    if (counts.n == 0) {
        (void)fprintf(stderr, "recheck: %s: no error can be compared\n", path);
    }
    return counts.n == 0 || counts.n_differ > 0;
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc < 5) {
        (void)fputs("usage: recheck LIBRARY AUDIT.csv\n"
                    "       recheck LIBRARY FUNCTION TYPE BITS [BITS]\n",
                    stderr);
        return 2;
    }
    void *const library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        (void)fprintf(stderr, "recheck: %s\n", dlerror());
        return 2;
    }
    int const status =
        argc == 3 ? check_audit(library, argv[2]) : check_one(library, argc - 2, argv + 2);
    mpfr_free_cache();
    return status;
}
