/* tests/standin/recheck.c -- the error of one result of a vendor's math library, by MPFR at 500 bits, without halfulp's oracle:
 *     cc -O1 -o recheck tests/standin/recheck.c -lmpfr -lgmp -ldl
 *     ./recheck drivers/vendor-math/ocml-gfx11/library.so sin f64 0x7516ac5b262ca1ff
 * prints result, exact value, and error in ulps of the exact value. */
#include <dlfcn.h>
#include <inttypes.h> /* before mpfr.h, which then has functions of uintmax_t */
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BITS = 500
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

static int set_lgamma(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    int sign = 0;
    return mpfr_lgamma(y, &sign, x, rounding);
}

static const struct {
    const char *name;
    unary one;
    binary two;
} functions[] = {
    {"acos",   mpfr_acos,     0         },
    {"acosh",  mpfr_acosh,    0         },
    {"asin",   mpfr_asin,     0         },
    {"asinh",  mpfr_asinh,    0         },
    {"atan",   mpfr_atan,     0         },
    {"atanh",  mpfr_atanh,    0         },
    {"cbrt",   mpfr_cbrt,     0         },
    {"cos",    mpfr_cos,      0         },
    {"cosh",   mpfr_cosh,     0         },
    {"cospi",  mpfr_cospi,    0         },
    {"erf",    mpfr_erf,      0         },
    {"erfc",   mpfr_erfc,     0         },
    {"exp",    mpfr_exp,      0         },
    {"exp2",   mpfr_exp2,     0         },
    {"exp10",  mpfr_exp10,    0         },
    {"expm1",  mpfr_expm1,    0         },
    {"lgamma", set_lgamma,    0         },
    {"log",    mpfr_log,      0         },
    {"log10",  mpfr_log10,    0         },
    {"log1p",  mpfr_log1p,    0         },
    {"log2",   mpfr_log2,     0         },
    {"rsqrt",  mpfr_rec_sqrt, 0         },
    {"sin",    mpfr_sin,      0         },
    {"sinh",   mpfr_sinh,     0         },
    {"sinpi",  mpfr_sinpi,    0         },
    {"sqrt",   mpfr_sqrt,     0         },
    {"tan",    mpfr_tan,      0         },
    {"tanh",   mpfr_tanh,     0         },
    {"tanpi",  mpfr_tanpi,    0         },
    {"tgamma", mpfr_gamma,    0         },
    {"atan2",  0,             mpfr_atan2},
    {"hypot",  0,             mpfr_hypot},
    {"pow",    0,             mpfr_pow  },
};

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

/* One ulp of y: the distance of neighbours of the format around y. */
static void set_ulp(mpfr_t ulp, const struct format *f, const mpfr_t y)
{
    int const least = 2 - (1 << (f->bits - f->precision - 1));
    int const e = mpfr_regular_p(y) ? (int)mpfr_get_exp(y) - 1 : least;
    mpfr_set_ui_2exp(ulp, 1, (e < least ? least : e) - f->precision + 1, MPFR_RNDN);
}

static int call(const char *file, const char *function, const char *type, const uint64_t *x,
                uint64_t *result)
{
    char name[64];
    uint64_t second = 0;
    const void *const in[] = {x, x + 1};
    void *const out[] = {result, &second};
    void (*loop)(const void *const *, void *const *, uint64_t) = 0;
    (void)snprintf(name, sizeof name, "hu_%s_%s", function, type);
    void *const library = dlopen(file, RTLD_NOW);
    void *const symbol = library ? dlsym(library, name) : 0;
    if (!symbol) {
        (void)fprintf(stderr, "%s\n", dlerror());
        return 0;
    }
    memcpy(&loop, &symbol, sizeof loop);
    loop(in, out, 1);
    return 1;
}

int main(int argc, char **argv)
{
    const struct format *format = 0;
    uint64_t x[2] = {0, 0};
    uint64_t result = 0;
    if (argc < 5) {
        (void)fputs("usage: recheck LIBRARY FUNCTION TYPE BITS [BITS]\n", stderr);
        return 2;
    }
    for (int i = 0; i < 3; i++) {
        format = strcmp(formats[i].name, argv[3]) == 0 ? &formats[i] : format;
    }
    for (int i = 4; i < argc && i < 6; i++) {
        x[i - 4] = strtoull(argv[i], 0, 16);
    }
    if (!format || !call(argv[1], argv[2], argv[3], x, &result)) {
        return 2;
    }
    mpfr_t a;
    mpfr_t b;
    mpfr_t y;
    mpfr_t r;
    mpfr_t ulp;
    mpfr_inits2(BITS, a, b, y, r, ulp, (mpfr_ptr)0);
    set_number(a, format, x[0]);
    set_number(b, format, x[1]);
    set_number(r, format, result);
    int found = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, argv[2]) == 0) {
            found = 1;
            functions[i].one ? functions[i].one(y, a, MPFR_RNDN)
                             : functions[i].two(y, a, b, MPFR_RNDN);
        }
    }
    set_ulp(ulp, format, y);
    mpfr_sub(a, r, y, MPFR_RNDN);
    mpfr_div(a, a, ulp, MPFR_RNDN);
    mpfr_printf("%s %s %s: gave 0x%0*jx (%.9Rg), exact %.20Rg, error %+.5Rf ulp\n", argv[2],
                argv[3], argv[4], format->bits / 4, (uintmax_t)result, r, y, a);
    mpfr_clears(a, b, y, r, ulp, (mpfr_ptr)0);
    mpfr_free_cache();
    return found ? 0 : 2;
}
