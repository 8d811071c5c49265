/* oracle/math/test_accuracy.c -- rows of accuracy.def by hand from the documents, and decorated bounds. */
#include "oracle/math/accuracy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/ops.h"
#include "oracle/func/test_func_ref.h"
#include "oracle/math/accuracy_permitted.h"
#include "oracle/num/mp.h"

#define COVERS(id) (void)CLAUSE_##id

/* Environments by letter: F full profile, E embedded, U unsafe full, u unsafe embedded, C full with
 * correctly rounded division; V Vulkan, S Vulkan with f64 taken strictly. */
static struct accuracy_query make_query(char where, const char *name, enum fmt_id fmt, uint32_t n)
{
    int const op = op_find_name(name);
    assert_true(op >= 0);
    return (struct accuracy_query){
        .env = where == 'V' || where == 'S' ? ENV_VK : ENV_CL,
        .op = op_rows[op].number,
        .fmt = fmt,
        .full_profile = where != 'E' && where != 'u',
        .relaxed = where == 'U' || where == 'u',
        .rounded_divide = where == 'C',
        .n_components = n,
        .strict_f64 = where == 'S',
    };
}

#define H FMT_F16
#define S FMT_F32
#define D FMT_F64
static const struct spot {
    char where;
    const char *name;
    enum fmt_id fmt;
    uint32_t n;
    enum accuracy_kind kind;
    double bound; /* ulps, or the absolute error */
} spots[] = {
  /* OpenCL numerical compliance, full profile */
    {'F', "FAdd",           S, 1, ACCURACY_ROUNDED,   0      },
    {'F', "FDiv",           H, 1, ACCURACY_ULP,       1      },
    {'F', "FDiv",           S, 1, ACCURACY_ULP,       2.5    },
    {'F', "FDiv",           D, 1, ACCURACY_ROUNDED,   0      },
    {'C', "FDiv",           S, 1, ACCURACY_ROUNDED,   0      },
    {'C', "FDiv",           H, 1, ACCURACY_ULP,       1      },
    {'C', "sqrt",           S, 1, ACCURACY_ROUNDED,   0      },
    {'F', "sqrt",           H, 1, ACCURACY_ULP,       1.5    },
    {'F', "sqrt",           S, 1, ACCURACY_ULP,       3      },
    {'F', "sqrt",           D, 1, ACCURACY_ROUNDED,   0      },
    {'F', "exp",            H, 1, ACCURACY_ULP,       2      },
    {'F', "exp",            S, 1, ACCURACY_ULP,       3      },
    {'F', "exp",            D, 1, ACCURACY_ULP,       3      },
    {'F', "sin",            S, 1, ACCURACY_ULP,       4      },
    {'F', "sincos",         H, 1, ACCURACY_ULP,       2      },
    {'F', "tan",            H, 1, ACCURACY_ULP,       2.5    },
    {'F', "tanpi",          D, 1, ACCURACY_ULP,       6      },
    {'F', "atan2",          S, 1, ACCURACY_ULP,       6      },
    {'F', "pow",            H, 1, ACCURACY_ULP,       4      },
    {'F', "pown",           S, 1, ACCURACY_ULP,       16     },
    {'F', "cbrt",           D, 1, ACCURACY_ULP,       2      },
    {'F', "erfc",           H, 1, ACCURACY_ULP,       4      },
    {'F', "tgamma",         S, 1, ACCURACY_ULP,       16     },
    {'F', "lgamma",         S, 1, ACCURACY_ANYTHING,  0      },
    {'F', "rsqrt",          H, 1, ACCURACY_ULP,       1      },
    {'F', "log1p",          S, 1, ACCURACY_ULP,       2      },
    {'F', "floor",          S, 1, ACCURACY_ROUNDED,   0      },
    {'F', "fma",            D, 1, ACCURACY_ROUNDED,   0      },
    {'F', "fmod",           S, 1, ACCURACY_EXACT,     0      },
    {'F', "fmax",           H, 1, ACCURACY_EXACT,     0      },
    {'F', "degrees",        S, 1, ACCURACY_ULP,       2      },
    {'F', "mad",            S, 1, ACCURACY_INHERITED, 0      },
    {'F', "mix",            S, 1, ACCURACY_ABSOLUTE,  1e-3   },
    {'F', "mix",            D, 1, ACCURACY_ANYTHING,  0      },
    {'F', "smoothstep",     S, 1, ACCURACY_ABSOLUTE,  1e-5   },
    {'F', "length",         H, 4, ACCURACY_ULP,       2.25   },
    {'F', "length",         S, 4, ACCURACY_ULP,       4.75   },
    {'F', "length",         D, 3, ACCURACY_ULP,       8.5    },
    {'F', "distance",       S, 2, ACCURACY_ULP,       6.5    },
    {'F', "normalize",      S, 3, ACCURACY_ULP,       5      },
    {'F', "fast_length",    S, 4, ACCURACY_ULP,       8195.5 },
    {'F', "fast_normalize", S, 2, ACCURACY_ULP,       8194   },
    {'F', "half_exp",       S, 1, ACCURACY_ULP,       8192   },
    {'F', "half_sin",       S, 1, ACCURACY_FORMULA,   8192   },
    {'F', "native_exp",     S, 1, ACCURACY_ANYTHING,  0      },
    {'F', "cross",          H, 3, ACCURACY_FORMULA,   0x1p-10},
    {'F', "Dot",            D, 2, ACCURACY_FORMULA,   0x1p-23},
 /* embedded profile */
    {'E', "exp",            H, 1, ACCURACY_ULP,       3      },
    {'E', "exp",            S, 1, ACCURACY_ULP,       4      },
    {'E', "FDiv",           D, 1, ACCURACY_ULP,       3      },
    {'E', "sqrt",           S, 1, ACCURACY_ULP,       4      },
    {'E', "cbrt",           S, 1, ACCURACY_ULP,       4      },
    {'E', "pow",            H, 1, ACCURACY_ULP,       5      },
    {'E', "rsqrt",          D, 1, ACCURACY_ULP,       4      },
    {'E', "length",         S, 3, ACCURACY_ANYTHING,  0      },
    {'E', "mad",            S, 1, ACCURACY_ANYTHING,  0      },
    {'E', "Dot",            S, 3, ACCURACY_ANYTHING,  0      },
    {'E', "sin",            S, 1, ACCURACY_ULP,       4      },
 /* -cl-unsafe-math-optimizations */
    {'U', "acos",           S, 1, ACCURACY_ULP,       4096   },
    {'U', "acos",           H, 1, ACCURACY_ULP,       2      },
    {'U', "tan",            S, 1, ACCURACY_INHERITED, 8192   },
    {'U', "exp10",          S, 1, ACCURACY_INHERITED, 8192   },
    {'U', "erf",            S, 1, ACCURACY_ULP,       16     },
    {'u', "erf",            S, 1, ACCURACY_ULP,       16     },
    {'U', "exp",            S, 1, ACCURACY_FORMULA,   3      },
    {'u', "exp",            S, 1, ACCURACY_FORMULA,   4      },
    {'u', "log10",          S, 1, ACCURACY_FORMULA,   4      },
    {'u', "exp",            H, 1, ACCURACY_ULP,       3      },
    {'U', "sin",            S, 1, ACCURACY_FORMULA,   0x1p-11},
 /* Vulkan */
    {'V', "FAdd",           H, 1, ACCURACY_ROUNDED,   0      },
    {'V', "FAdd",           D, 1, ACCURACY_ULP,       0x1p29 },
    {'S', "FAdd",           D, 1, ACCURACY_ROUNDED,   0      },
    {'V', "FNegate",        D, 1, ACCURACY_EXACT,     0      },
    {'V', "FDiv",           S, 1, ACCURACY_FORMULA,   2.5    },
    {'V', "FRem",           S, 1, ACCURACY_INHERITED, 0      },
    {'V', "Dot",            H, 4, ACCURACY_INHERITED, 0      },
    {'V', "Exp",            H, 1, ACCURACY_FORMULA,   1      },
    {'V', "Exp2",           S, 1, ACCURACY_FORMULA,   3      },
    {'V', "Log2",           S, 1, ACCURACY_FORMULA,   3      },
    {'V', "Sin",            H, 1, ACCURACY_FORMULA,   0x1p-7 },
    {'V', "Atan",           H, 1, ACCURACY_ULP,       5      },
    {'V', "Atan2",          S, 1, ACCURACY_ULP,       4096   },
    {'V', "InverseSqrt",    S, 1, ACCURACY_ULP,       2      },
    {'V', "InverseSqrt",    D, 1, ACCURACY_ULP,       0x1p30 },
    {'S', "InverseSqrt",    D, 1, ACCURACY_ULP,       2      },
    {'V', "Floor",          S, 1, ACCURACY_ROUNDED,   0      },
    {'V', "NMin",           D, 1, ACCURACY_EXACT,     0      },
    {'V', "Sqrt",           S, 1, ACCURACY_INHERITED, 0      },
    {'V', "QuantizeToF16",  S, 1, ACCURACY_ROUNDED,   0      },
 /* no row */
    {'F', "FRem",           S, 1, ACCURACY_NONE,      0      },
    {'F', "FMod",           D, 1, ACCURACY_NONE,      0      },
    {'F', "FNegate",        S, 1, ACCURACY_NONE,      0      },
    {'F', "FConvert",       S, 1, ACCURACY_NONE,      0      },
    {'F', "half_exp",       H, 1, ACCURACY_NONE,      0      },
};

static void rows_are_those_of_the_documents(void **state)
{
    (void)state;
    COVERS(MATH_ULP);
    COVERS(MATH_RELAXED);
    COVERS(MATH_F64);
    COVERS(MATH_NO_ROW);
    for (size_t i = 0; i < ARRAY_N(spots); i++) {
        const struct spot *s = &spots[i];
        struct accuracy_query const q = make_query(s->where, s->name, s->fmt, s->n);
        struct accuracy const a = accuracy_get(&q);
        double const got = a.kind == ACCURACY_FORMULA    ? a.param[0]
                           : a.kind == ACCURACY_ABSOLUTE ? a.bound.absolute
                                                         : a.bound.ulp;
        if (a.kind != s->kind || memcmp(&got, &s->bound, sizeof got) != 0) {
            fail_msg("%c %s %s: kind %d bound %g, not %d %g", s->where, float_formats[s->fmt].name,
                     s->name, (int)a.kind, got, (int)s->kind, s->bound);
        }
        assert_int_equal(strlen(a.source) > 0, a.kind != ACCURACY_NONE);
    }
    assert_true(ARRAY_N(spots) >= 60);
}

/* Only core instructions of OpenCL have no row. */
static void every_function_has_a_row(void **state)
{
    (void)state;
    size_t n_checked = 0;
    for (int i = 0; i < OP_N; i++) {
        uint32_t const set = op_rows[i].number >> 16;
        for (unsigned fmt = 0; fmt < FMT_N; fmt++) {
            if ((set != OP_SET_opencl_std && set != OP_SET_glsl450) ||
                !(op_rows[i].types & 1U << fmt)) {
                continue;
            }
            static const char all[] = "FEUuCVS";
            for (const char *c = all; *c != '\0'; c++) {
                if ((set == OP_SET_glsl450) != (*c == 'V' || *c == 'S')) {
                    continue;
                }
                struct accuracy_query const q =
                    make_query(*c, op_rows[i].name, (enum fmt_id)fmt, 3);
                if (accuracy_get(&q).kind == ACCURACY_NONE) {
                    fail_msg("%c %s %s has no row", *c, float_formats[fmt].name, op_rows[i].name);
                }
                n_checked++;
            }
        }
    }
    assert_true(n_checked > 1200);
}

/* --- formulas --- */

static uint64_t enc_of(enum fmt_id fmt, double x)
{
    struct mp_num n;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    mp_init(&n, float_formats[FMT_F64].prec_bits);
    mp_set_enc(&n, &float_formats[FMT_F64], bits);
    return mp_round(&float_formats[fmt], n.v, REAL_NEAREST);
}

static const struct formula {
    char where;
    const char *name;
    enum fmt_id fmt;
    double x, y;
    double ulp, absolute;
    int anything;
} formulas[] = {
    {'V', "Exp",      S, -2.5,     0,         8,            0,       0},
    {'V', "Exp",      H, 3,        0,         7,            0,       0},
    {'V', "Exp2",     S, 100,      0,         203,          0,       0},
    {'V', "Log",      S, 0.5,      0,         0,            0x1p-21, 0},
    {'V', "Log",      S, 2,        0,         0,            0x1p-21, 0},
    {'V', "Log",      H, 1,        0,         0,            0x1p-7,  0},
    {'V', "Log2",     S, 2.0001,   0,         3,            0,       0},
    {'V', "Log2",     S, 0.4999,   0,         3,            0,       0},
    {'V', "Sin",      S, 3.141592, 0,         0,            0x1p-11, 0},
    {'V', "Sin",      S, 3.141593, 0,         0,            0,       1},
    {'V', "Cos",      H, -3.14,    0,         0,            0x1p-7,  0},
    {'V', "FDiv",     S, 1,        0,         2.5,          0,       0},
    {'V', "FDiv",     S, 1,        0x1p126,   2.5,          0,       0},
    {'V', "FDiv",     S, 1,        0x1.8p126, 0,            0,       1},
    {'V', "FDiv",     S, 1,        -0x1p-126, 2.5,          0,       0},
    {'V', "FDiv",     S, 1,        0x1p-127,  0,            0,       1},
    {'V', "FDiv",     H, 1,        0x1p14,    2.5,          0,       0},
    {'V', "FDiv",     H, 1,        0x1.8p14,  0,            0,       1},
    {'V', "FDiv",     D, 1,        3,         2.5 * 0x1p29, 0,       0},
    {'U', "exp",      S, 1.3,      0,         5,            0,       0},
    {'u', "exp",      S, -1.6,     0,         7,            0,       0},
    {'U', "log",      S, 1.5,      0,         0,            0x1p-21, 0},
    {'u', "log",      S, 3,        0,         4,            0,       0},
    {'U', "cospi",    S, 1,        0,         0,            0x1p-11, 0},
    {'U', "cospi",    S, 1.25,     0,         0,            0,       1},
    {'U', "FDiv",     S, 1,        0x1p100,   2.5,          0,       0},
    {'U', "FDiv",     S, 3,        0x1p100,   0,            0,       1},
    {'u', "FDiv",     S, 3,        0x1p62,    3,            0,       0},
    {'F', "half_sin", S, 65536,    0,         8192,         0,       0},
    {'F', "half_sin", S, 65537,    0,         0,            0,       1},
};

static void formulas_are_worked_out(void **state)
{
    (void)state;
    COVERS(MATH_ULP);
    for (size_t i = 0; i < ARRAY_N(formulas); i++) {
        const struct formula *w = &formulas[i];
        struct accuracy_query const q = make_query(w->where, w->name, w->fmt, 1);
        struct accuracy const a = accuracy_get(&q);
        struct func_args const args = {
            w->fmt, {enc_of(w->fmt, w->x), enc_of(w->fmt, w->y)},
             0
        };
        struct func_bound const b = accuracy_bound(&a, &args);
        if (memcmp(&b.ulp, &w->ulp, sizeof b.ulp) != 0 || b.anything != w->anything ||
            memcmp(&b.absolute, &w->absolute, sizeof b.absolute) != 0) {
            fail_msg("%c %s(%g, %g): %g ulp, %g, %d", w->where, w->name, w->x, w->y, b.ulp,
                     b.absolute, b.anything);
        }
    }
}

/* --- decorations --- */

static const struct fp_rules nearest = {.rounding = ROUND_RNE};

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* A max-error literal that is zero, negative, infinite or a NaN permits anything; a legal one is an exact bound in
 * ulps. */
static void illegal_literals_bind_nothing(void **state)
{
    /* SHOWS(ME_FLOAT) */
    (void)state;
    COVERS(MAX_ERROR_VALUE);
    static const uint32_t illegal[] = {0,          0x80000000, 0xbf800000, 0x7f800000,
                                       0xff800000, 0x7fc00000, 0x7f800001, 0xffc00001};
    static const uint32_t legal[] = {1, 0x007fffff, 0x3f000000, 0x7f7fffff};
    struct accuracy_query const q = make_query('F', "exp", S, 1);
    struct func_args const args = {S, {bits_of(1)}, 0};
    struct set out;
    for (size_t i = 0; i < ARRAY_N(illegal); i++) {
        struct accuracy const a = accuracy_decorated(&q, illegal[i]);
        assert_true(a.is_illegal && a.is_decorated && a.kind == ACCURACY_ANYTHING);
        assert_true(accuracy_permitted(&a, ENV_CL, &args, &nearest, &out));
        assert_true(set_has(&out, 0x12345678) && set_has(&out, 0x7fc00000));
        assert_int_equal(accuracy_get_clause(&a), CLAUSE_MAX_ERROR_VALUE);
    }
    for (size_t i = 0; i < ARRAY_N(legal); i++) {
        struct accuracy const a = accuracy_decorated(&q, legal[i]);
        assert_true(!a.is_illegal && a.kind == ACCURACY_ULP);
    }
    assert_true(accuracy_decorated(&q, 1).bound.ulp > 0); /* 2^-149 */
    assert_true(!(accuracy_decorated(&q, 1).bound.ulp > 0x1p-149));
    assert_true(fabs(accuracy_decorated(&q, 0x3f004189).bound.ulp - 0.501) > 1e-9); /* no float */
}

/* Members of the set by long double, within 2^-50 of the bound's ends nothing is asked. */
static size_t check_members(const struct set *s, long double exact, long double bound_ulp)
{
    struct float_format const *f = &float_formats[S];
    long double const ulp = ref_ulp(f, exact);
    uint64_t const middle = enc_of(S, (double)exact);
    size_t n_checked = 0;
    for (int64_t k = -24; k <= 24; k++) {
        uint64_t const enc = format_from_key(f, format_to_key(f, middle) + k);
        long double const error = fabsl(ref_value(f, enc) - exact) / ulp;
        if (fabsl(error - bound_ulp) < 1e-9L) {
            continue;
        }
        assert_int_equal(set_has(s, enc), error < bound_ulp);
        n_checked++;
    }
    return n_checked;
}

/* The bound of the literal, above and below the environment's 3 ulps of exp; FAdd's rounding too. */
static void decorations_override_both_ways(void **state)
{
    /* SHOWS(ME_REPLACES, ME_LOOSENS) */
    (void)state;
    COVERS(MAX_ERROR);
    static const float bounds[] = {0.75F, 1, 1.5F, 2.5F, 3, 4, 8, 16};
    struct accuracy_query const exp_query = make_query('F', "exp", S, 1);
    struct accuracy_query const sum_query = make_query('F', "FAdd", S, 1);
    struct accuracy_query const rem_query = make_query('V', "FRem", S, 1);
    size_t n_checked = 0;
    for (size_t i = 0; i < ARRAY_N(bounds); i++) {
        struct accuracy const a = accuracy_decorated(&exp_query, bits_of(bounds[i]));
        struct accuracy const sum = accuracy_decorated(&sum_query, bits_of(bounds[i]));
        assert_int_equal(accuracy_get_clause(&a), CLAUSE_MAX_ERROR);
        for (float x = -3; x < 3; x += 0.37F) {
            struct set out;
            struct func_args args = {
                S, {bits_of(x), bits_of(0x1.5p-25F)},
                 0
            };
            assert_true(accuracy_permitted(&a, ENV_CL, &args, &nearest, &out));
            n_checked += check_members(&out, expl((long double)x), (long double)bounds[i]);
            assert_true(accuracy_permitted(&sum, ENV_CL, &args, &nearest, &out));
            n_checked += check_members(&out, (long double)x + 0x1.5p-25L, (long double)bounds[i]);
        }
    }
    assert_true(n_checked > 5000);
    struct accuracy const rem = accuracy_decorated(&rem_query, bits_of(1));
    struct func_args const args = {
        S, {bits_of(6), bits_of(2)},
         0
    };
    struct set out; /* inherited, FRem(6, 2) may be 2: not so decorated */
    assert_true(accuracy_permitted(&rem, ENV_VK, &args, &nearest, &out));
    assert_true(set_has(&out, 0) && !set_has(&out, bits_of(2)));
}

/* 1 + 2^-24 is halfway between 1 and its successor: 0.5 admits both, 0.25 none, and then the nearest
 * stand in; just above 0.5 the lower neighbour of 1 is still too far. */
static void small_bounds_at_a_tie(void **state)
{
    /* SHOWS(ME_TIGHTENS) */
    (void)state;
    COVERS(MAX_ERROR_UNSATISFIABLE);
    struct accuracy_query const q = make_query('F', "FAdd", S, 1);
    struct func_args const tie = {
        S, {bits_of(1), bits_of(0x1p-24F)},
         0
    };
    struct func_args const near_one = {
        S, {bits_of(1), bits_of(0x1.8p-25F)},
         0
    };
    static const uint32_t literals[] = {0x3e800000, 0x3f000000, 0x3f000001};
    struct set out;
    for (size_t i = 0; i < ARRAY_N(literals); i++) {
        struct accuracy const a = accuracy_decorated(&q, literals[i]);
        assert_int_equal(accuracy_is_unsatisfiable(&a), i == 0);
        assert_true(accuracy_permitted(&a, ENV_CL, &tie, &nearest, &out));
        assert_true(set_has(&out, 0x3f800000) && set_has(&out, 0x3f800001));
        assert_int_equal(set_count(&out), 2);
        assert_true(accuracy_permitted(&a, ENV_CL, &near_one, &nearest, &out));
        assert_true(set_has(&out, 0x3f800000)); /* 0.375 ulps off */
        assert_int_equal(set_count(&out), 1);
    }
    struct accuracy const plain = accuracy_get(&q);
    assert_true(accuracy_permitted(&plain, ENV_CL, &tie, &nearest, &out));
    assert_int_equal(set_count(&out), 1); /* to even */
}

/* Zeros, infinities and NaN stay as prescribed whatever the bound. */
static void decorations_keep_special_values(void **state)
{
    /* SHOWS(ME_SPECIAL) */
    (void)state;
    COVERS(MATH_SPECIAL);
    uint32_t const wide = bits_of(8192);
    uint64_t const nan = 0x7fc00000;
    static const struct {
        const char *name;
        uint64_t x, y, want;
    } cases[] = {
        {"sin",  0x80000000, 0,          0x80000000},
        {"exp",  0xff800000, 0,          0         },
        {"pow",  0x3f800000, 0x7fc00000, 0x3f800000},
        {"log",  0x3f800000, 0,          0         },
        {"sqrt", 0x80000000, 0,          0x80000000},
        {"atan", 0x80000000, 0,          0x80000000},
    };
    struct set out;
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct accuracy_query const q = make_query('F', cases[i].name, S, 1);
        struct accuracy const a = accuracy_decorated(&q, wide);
        struct func_args const args = {
            S, {cases[i].x, cases[i].y},
             0
        };
        assert_true(accuracy_permitted(&a, ENV_CL, &args, &nearest, &out));
        assert_true(set_has(&out, cases[i].want));
        assert_int_equal(set_count(&out), 1);
    }
    struct accuracy_query const q = make_query('F', "log", S, 1);
    struct accuracy const a = accuracy_decorated(&q, wide);
    struct func_args const args = {S, {bits_of(-1)}, 0};
    assert_true(accuracy_permitted(&a, ENV_CL, &args, &nearest, &out));
    assert_true(set_has(&out, nan) && !set_has(&out, bits_of(1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_documents),
        cmocka_unit_test(every_function_has_a_row),
        cmocka_unit_test(formulas_are_worked_out),
        cmocka_unit_test(illegal_literals_bind_nothing),
        cmocka_unit_test(decorations_override_both_ways),
        cmocka_unit_test(small_bounds_at_a_tie),
        cmocka_unit_test(decorations_keep_special_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
