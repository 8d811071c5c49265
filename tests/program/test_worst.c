/* tests/program/test_worst.c -- each line of corpora/worst is as hard as it says, by MPFR alone; and what a list
 * may look like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

#include "fuzz/audit/worst.h"

#define TEST_ARENA_BYTES ((size_t)64 << 20)
enum {
    TEST_PREC = 4000 /* more than the largest argument has bits before the point, and k after it */
};

typedef int unary(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t rounding);
static const struct {
    const char *name;
    unary *f;
} unaries[] = {
    {"exp",   mpfr_exp  },
    {"expm1", mpfr_expm1},
    {"log",   mpfr_log  },
    {"log1p", mpfr_log1p},
    {"sin",   mpfr_sin  },
    {"cos",   mpfr_cos  },
    {"tan",   mpfr_tan  },
    {"atan",  mpfr_atan },
    {"sinh",  mpfr_sinh },
    {"cosh",  mpfr_cosh },
    {"cbrt",  mpfr_cbrt },
};

/* The number that an encoding stands for, by integers: sign, significand, power of two. */
static void set_number(mpfr_ptr out, enum fmt_id fmt, uint64_t enc)
{
    static const struct {
        int n_fraction, n_exponent;
    } layout[FMT_N] = {
        {10, 5 },
        {23, 8 },
        {52, 11}
    };
    int const n = layout[fmt].n_fraction, bias = (1 << (layout[fmt].n_exponent - 1)) - 1;
    uint64_t const fraction = enc & ((UINT64_C(1) << n) - 1);
    int const field = (int)(enc >> n) & ((1 << layout[fmt].n_exponent) - 1);
    int const is_negative = (int)(enc >> (n + layout[fmt].n_exponent)) & 1;
    assert_int_not_equal(field, (1 << layout[fmt].n_exponent) - 1);
    uint64_t const significand = field ? fraction | UINT64_C(1) << n : fraction;
    (void)mpfr_set_uj_2exp(out, significand, (field ? field : 1) - bias - n, MPFR_RNDN);
    (void)mpfr_setsign(out, out, is_negative, MPFR_RNDN);
}

/* The value in ulps of itself, its magnitude. */
static void set_ulps(mpfr_ptr out, const struct worst_input *x)
{
    static const int prec[FMT_N] = {11, 24, 53}, emin[FMT_N] = {-14, -126, -1022};
    const char *const name = func_rows[x->func].name;
    mpfr_t arg[SWEEP_ARGS];
    int is_known = 1;
    for (unsigned i = 0; i < SWEEP_ARGS; i++) {
        mpfr_init2(arg[i], TEST_PREC);
        set_number(arg[i], x->fmt, i < func_rows[x->func].n_args ? x->arg[i] : 0);
    }
    if (strcmp(name, "pow") == 0) {
        (void)mpfr_pow(out, arg[0], arg[1], MPFR_RNDN);
    } else if (strcmp(name, "fma") == 0) {
        (void)mpfr_fma(out, arg[0], arg[1], arg[2], MPFR_RNDN);
    } else {
        is_known = 0;
        for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++) {
            if (strcmp(unaries[i].name, name) == 0) {
                (void)unaries[i].f(out, arg[0], MPFR_RNDN);
                is_known = 1;
            }
        }
    }
    if (!is_known || !mpfr_regular_p(out)) {
        fail_msg("%s: no value to check its claim with", name);
    }
    long const exponent = (long)mpfr_get_exp(out) - 1;
    long const low = exponent < emin[x->fmt] ? emin[x->fmt] : exponent;
    (void)mpfr_mul_2si(out, out, prec[x->fmt] - 1 - low, MPFR_RNDN);
    (void)mpfr_abs(out, out, MPFR_RNDN);
    for (unsigned i = 0; i < SWEEP_ARGS; i++) {
        mpfr_clear(arg[i]);
    }
}

/* Distance to what the claim names: in ulps, or for an argument to a multiple of pi/2. */
static void set_distance(mpfr_ptr out, const struct worst_input *x)
{
    mpfr_t whole;
    mpfr_init2(whole, TEST_PREC);
    if (x->claim == WORST_REDUCE) {
        mpfr_t half_pi;
        mpfr_init2(half_pi, TEST_PREC);
        (void)mpfr_const_pi(half_pi, MPFR_RNDN);
        (void)mpfr_div_2ui(half_pi, half_pi, 1, MPFR_RNDN);
        set_number(out, x->fmt, x->arg[0]);
        (void)mpfr_remainder(out, out, half_pi, MPFR_RNDN);
        mpfr_clear(half_pi);
    } else {
        set_ulps(out, x);
        if (x->claim == WORST_MIDPOINT) {
            (void)mpfr_add_d(out, out, 0.5, MPFR_RNDN);
        }
        (void)mpfr_rint(whole, out, MPFR_RNDN);
        (void)mpfr_sub(out, out, whole, MPFR_RNDN);
    }
    (void)mpfr_abs(out, out, MPFR_RNDN);
    mpfr_clear(whole);
}

static void every_claim_holds(void **state)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    struct worst_list list;
    mpfr_t distance, limit;
    uint32_t n[WORST_CLAIM_N] = {0};
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    mpfr_init2(distance, TEST_PREC);
    mpfr_init2(limit, TEST_PREC);
    if (worst_load(&list, "corpora/worst", &a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    for (uint32_t i = 0; i < list.n; i++) {
        const struct worst_input *const x = &list.inputs[i];
        n[x->claim]++;
        if (x->claim == WORST_EDGE) {
            continue;
        }
        set_distance(distance, x);
        (void)mpfr_set_ui_2exp(limit, 1, -(mpfr_exp_t)x->k, MPFR_RNDN);
        if (!mpfr_less_p(distance, limit) || mpfr_zero_p(distance)) {
            fail_msg("%s %s 0x%llx is not within 2^-%u of a %s: 2^%ld", func_rows[x->func].name,
                     float_formats[x->fmt].name, (unsigned long long)x->arg[0], x->k,
                     worst_claim_names[x->claim],
                     mpfr_zero_p(distance) ? 0L : (long)mpfr_get_exp(distance));
        }
    }
    for (int i = 0; i < WORST_CLAIM_N; i++) {
        assert_true(n[i] > 10);
    }
    mpfr_clear(distance);
    mpfr_clear(limit);
    mpfr_free_cache();
    arena_free(&a);
}

/* A claim that is too strong by far must not hold: the check above is one. */
static void a_false_claim_is_seen(void **state)
{
    struct worst_input const x = {.func = FUNC_EXP,
                                  .fmt = FMT_F64,
                                  .arg = {UINT64_C(0x3ff8000000000000)},
                                  .claim = WORST_MIDPOINT};
    mpfr_t distance;
    (void)state;
    mpfr_init2(distance, TEST_PREC);
    set_distance(distance, &x);
    assert_true(mpfr_get_exp(distance) > -12);
    mpfr_clear(distance);
    mpfr_free_cache();
}

static enum res parse(const char *text, struct worst_list *list, struct arena *a, struct err *e)
{
    *list = (struct worst_list){.n = 0};
    return worst_parse(list, "hard.txt", text, strlen(text), a, e);
}

static void lines_are_read(void **state)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    struct worst_list list;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    const char *const text = "# comment\n\n  exp f64 0x3ff0000000000000 midpoint 7 a book, p. 1\r\n"
                             "pown f16 0x3c01 -3 edge near 1\n"
                             "fma f32 0x1 0x2 0x80000003 number 9 s";
    assert_int_equal(parse(text, &list, &a, &e), RES_OK);
    assert_int_equal(list.n, 3);
    assert_true(list.inputs[0].func == FUNC_EXP && list.inputs[0].fmt == FMT_F64);
    assert_true(list.inputs[0].claim == WORST_MIDPOINT && list.inputs[0].k == 7);
    assert_string_equal(list.inputs[1].source, "near 1");
    assert_true(list.inputs[1].arg[0] == 0x3c01 && list.inputs[1].arg[1] == UINT32_C(0xfffffffd));
    assert_true(list.inputs[2].arg[2] == 0x80000003 && list.inputs[2].claim == WORST_NUMBER);
    assert_int_equal(worst_parse(&list, "more.txt", "sin f32 0x1 edge s\n", 19, &a, &e), RES_OK);
    assert_int_equal(list.n, 4);
    assert_int_equal(list.inputs[2].k, 9);
    arena_free(&a);
}

static void bad_lines_are_named(void **state)
{
    static const struct {
        const char *line, *word;
    } bad[] = {
        {"frob f32 0x1 edge s",             "frob"      },
        {"exp f80 0x1 edge s",              "f80"       },
        {"exp f32 1 edge s",                "\"1\""     },
        {"exp f32 0x1g edge s",             "0x1g"      },
        {"exp f16 0x10000 edge s",          "0x10000"   },
        {"exp f32 0x1ffffffffffffffff e s", "0x1fffffff"},
        {"pow f32 0x1 edge s",              "\"edge\""  },
        {"exp f32 0x1 0x2 edge s",          "0x2"       },
        {"pown f16 0x1 40000 edge s",       "40000"     },
        {"pown f32 0x1 3x edge s",          "3x"        },
        {"exp f32 0x1 hard 3 s",            "hard"      },
        {"exp f32 0x1 midpoint s",          "\"s\""     },
        {"exp f32 0x1 midpoint 0 s",        "\"0\""     },
        {"exp f32 0x1 midpoint 5 ",         "\"5\""     },
        {"exp f32 0x1 edge",                "\"edge\""  },
        {"exp",                             "\"\""      },
    };
    struct arena a;
    struct worst_list list;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (size_t i = 0; i < ARRAY_N(bad); i++) {
        struct err e = {RES_OK, ""};
        const char *const text = arena_printf(&a, "# first\nexp f32 0x1 edge s\n%s\n", bad[i].line);
        if (parse(text, &list, &a, &e) != RES_FORMAT || !strstr(e.text, "hard.txt:3:") ||
            !strstr(e.text, bad[i].word)) {
            fail_msg("\"%s\": \"%s\"", bad[i].line, e.text);
        }
    }
    struct err e = {RES_OK, ""};
    assert_int_equal(worst_load(&list, "corpora/no-such-folder", &a, &e), RES_IO);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_holds),
        cmocka_unit_test(a_false_claim_is_seen),
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(bad_lines_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
