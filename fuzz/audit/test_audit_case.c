/* fuzz/audit/test_audit_case.c -- the result that a form is told by, and how long an audit takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/ops.h"
#include "fuzz/audit/audit_case.h"
#include "fuzz/audit/audit_estimate.h"

enum {
    TEST_ARENA_BYTES = 16 << 20
};
static const char facts[] = "device=fake\n";

/* Instructions, as their sets number them. */
#define CL_EXP OP_NUMBER(OP_SET_opencl_std, 19)
#define CL_SIN OP_NUMBER(OP_SET_opencl_std, 57)
#define VK_SIN OP_NUMBER(OP_SET_glsl450, 13)
#define VK_EXP OP_NUMBER(OP_SET_glsl450, 27)
#define VK_POW OP_NUMBER(OP_SET_glsl450, 26)

static void set_row(struct audit_row *row, enum func_id func, uint32_t op)
{
    *row = (struct audit_row){.func = func,
                              .fmt = FMT_F32,
                              .n_forms = 1,
                              .form = {{.name = "full", .op = op, .log = ""}}};
    row->result[0].n = row->result[0].n_numbers = 2;
}

static bool is_near(double x, double y)
{
    return fabs(x - y) <= 1e-6 * fabs(y);
}

/* Of two wrong results of exp the one with the larger error; its exact value, e to 13 digits, is that of a table. */
static void the_worst_is_told_with_its_exact_value(void **state)
{
    (void)state;
    struct arena a;
    struct audit_row row;
    arena_init(&a, TEST_ARENA_BYTES);
    set_row(&row, FUNC_EXP, CL_EXP);
    row.result[0].n_broken = 2;
    row.result[0].broken[0] = (struct sweep_worst){-4.5, {0x3f800000}, 0x402df850};
    row.result[0].broken[1] = (struct sweep_worst){3.5, {0x40000000}, 0x40ec7330};
    audit_case_find(&row, ENV_CL, facts, &a);
    const struct audit_case *const c = &row.found[0];
    assert_int_equal(c->kind, AUDIT_CASE_BOUND);
    assert_int_equal(c->worst.arg[0], 0x3f800000);
    assert_string_equal(c->exact, "2.718281828459");
    assert_true(is_near(c->bound_ulp, 3) && is_near(c->ratio, 1.5));
    arena_free(&a);
}

/* Special values and signs come after bounds; what should have been there is named. */
static void special_values_are_named(void **state)
{
    (void)state;
    struct arena a;
    struct audit_row row;
    arena_init(&a, TEST_ARENA_BYTES);
    set_row(&row, FUNC_EXP, CL_EXP);
    row.result[0].n_special = row.result[0].n_zero_sign = 1;
    row.result[0].special_arg[0][0] = 0x7f800000;
    row.result[0].special_got[0] = 0x7fc00000;
    audit_case_find(&row, ENV_CL, facts, &a);
    assert_int_equal(row.found[0].kind, AUDIT_CASE_SPECIAL);
    assert_int_equal(row.found[0].worst.got, 0x7fc00000);
    assert_string_equal(row.found[0].exact, "+infinity");
    set_row(&row, FUNC_SIN, CL_SIN);
    row.result[0].n_zero_sign = 1;
    row.result[0].zero_arg[0][0] = 0x80000000;
    audit_case_find(&row, ENV_CL, facts, &a);
    assert_int_equal(row.found[0].kind, AUDIT_CASE_ZERO);
    assert_string_equal(row.found[0].exact, "-0");
    set_row(&row, FUNC_SIN, CL_SIN);
    row.result[0].n_numbers = 0;
    audit_case_find(&row, ENV_CL, facts, &a);
    assert_int_equal(row.found[0].kind, AUDIT_CASE_NONE);
    arena_free(&a);
}

/* Vulkan's bounds: 3 + 2|x| ulp of exp, 2^-11 of sin whatever its ulp is, of pow what exp2(y log2(x)) may give. */
static void bounds_by_rules_are_those_of_the_arguments(void **state)
{
    (void)state;
    struct arena a;
    struct audit_row row;
    arena_init(&a, TEST_ARENA_BYTES);
    set_row(&row, FUNC_EXP, VK_EXP);
    row.result[0].above = (struct sweep_worst){13, {0x41200000}, 0x46ac14ef}; /* exp(10): 23 ulp */
    row.result[0].below = (struct sweep_worst){-4.5, {0x3f800000}, 0x402df850}; /* exp(1): 5 */
    audit_case_find(&row, ENV_VK, facts, &a);
    assert_int_equal(row.found[0].kind, AUDIT_CASE_LARGEST);
    assert_int_equal(row.found[0].worst.arg[0], 0x3f800000);
    assert_true(is_near(row.found[0].bound_ulp, 5) && is_near(row.found[0].ratio, 0.9));

    /* sin(1) = 0.8414709848, in ulps of 2^-24; the result is 2^-12 above it: half of the bound */
    set_row(&row, FUNC_SIN, VK_SIN);
    static const double ulps = 0x1p-12 / 0x1p-24;
    row.result[0].above = (struct sweep_worst){ulps, {0x3f800000}, 0x3f577aa3};
    audit_case_find(&row, ENV_VK, facts, &a);
    assert_true(row.found[0].ratio > 0.49 && row.found[0].ratio < 0.51);
    assert_true(row.found[0].bound_ulp > 0.98 * 2 * ulps &&
                row.found[0].bound_ulp < 1.02 * 2 * ulps);

    /* 3^2: log2(3) within 3 ulp of 2^-23, twice that, then exp2: 3 + 2 * 3.17 ulp and the roundings, in ulps of 9 */
    set_row(&row, FUNC_POW, VK_POW);
    row.result[0].above = (struct sweep_worst){
        1, {0x40400000, 0x40000000},
         0x41100001
    };
    audit_case_find(&row, ENV_VK, facts, &a);
    assert_string_equal(row.found[0].exact, "9");
    assert_true(row.found[0].bound_ulp > 5 && row.found[0].bound_ulp < 40);
    assert_true(is_near(row.found[0].ratio, 1 / row.found[0].bound_ulp));
    arena_free(&a);
}

/* Vulkan bounds sin from -pi to pi only: the largest errors are those within, and that at 100 is told apart. */
static void errors_outside_the_bounded_range_are_told_apart(void **state)
{
    (void)state;
    struct arena a;
    struct audit_row row;
    arena_init(&a, TEST_ARENA_BYTES);
    set_row(&row, FUNC_SIN, VK_SIN);
    row.result[0].above = (struct sweep_worst){1e6, {0x42c80000}, 0x3f000000};
    row.result[0].below = (struct sweep_worst){-7, {0x3f800000}, 0x3f576aa0};
    row.result[0].plot[3] = (struct sweep_worst){20, {0x3f900000}, 0x3f668000};
    row.result[0].plot[4] = row.result[0].above;
    audit_case_find(&row, ENV_VK, facts, &a);
    assert_true(is_near(row.found[0].outside, 1e6));
    assert_int_equal(row.result[0].above.arg[0], 0x3f900000);
    assert_int_equal(row.result[0].below.arg[0], 0x3f800000);
    set_row(&row, FUNC_EXP, CL_EXP); /* bounded everywhere */
    row.result[0].above = (struct sweep_worst){1, {0x3f800000}, 0x402df855};
    audit_case_find(&row, ENV_CL, facts, &a);
    assert_false(row.found[0].outside > 0);
    arena_free(&a);
}

/* An operand that was read as zero makes an error past the bound that is kept: the next largest one is told. */
static void errors_of_flushed_operands_are_passed_over(void **state)
{
    (void)state;
    struct arena a;
    struct audit_row row;
    arena_init(&a, TEST_ARENA_BYTES);
    set_row(&row, FUNC_EXP, CL_EXP);
    row.result[0].above = (struct sweep_worst){1e6, {0x00000001}, 0x3f800000};
    row.result[0].below = (struct sweep_worst){-0.25, {0x3f800000}, 0x402df854};
    row.result[0].plot[7] = (struct sweep_worst){0.75, {0x40000000}, 0x40ec7326};
    row.result[0].plot[8] = row.result[0].above;
    audit_case_find(&row, ENV_CL, facts, &a);
    assert_int_equal(row.found[0].kind, AUDIT_CASE_LARGEST);
    assert_int_equal(row.found[0].worst.arg[0], 0x40000000);
    assert_true(is_near(row.found[0].ratio, 0.25));
    arena_free(&a);
}

/* A row at its own rate, one that has not begun at that of its like, one without any like not at all. */
static void time_is_told_by_what_was_measured(void **state)
{
    (void)state;
    struct arena a;
    struct audit_row rows[4];
    struct audit x = {.n_rows = 4, .rows = rows};
    struct audit_live const none = {.row = 4};
    arena_init(&a, TEST_ARENA_BYTES);
    for (uint32_t i = 0; i < x.n_rows; i++) {
        rows[i] = (struct audit_row){.fmt = FMT_F32, .n_inputs = 1000, .evaluator = "mpfr"};
    }
    struct audit_estimate t = audit_estimate_time(&x, &none);
    assert_int_equal(t.n_unknown, 4);
    assert_string_equal(audit_estimate_text(&t, &a), "");
    rows[0].n_done = 1000;
    rows[0].seconds = 100;
    rows[3].evaluator = "double";
    t = audit_estimate_time(&x, &none);
    assert_int_equal(t.n_unknown, 1);
    assert_true(is_near(t.done_s, 100) && is_near(t.left_s, 200));
    assert_string_equal(audit_estimate_text(&t, &a), "at least 5 min in all (1 row unknown)");
    rows[1].n_done = 250; /* at a rate of its own */
    rows[1].seconds = 10;
    assert_true(is_near(audit_estimate_left(&x, 1), 30));
    assert_true(is_near(audit_estimate_left(&x, 2), 1000 * 110 / 1250.0));
    assert_true(audit_estimate_left(&x, 3) < 0);
    rows[0].n_done = 1001;
    for (uint32_t i = 0; i < 2; i++) { /* at its end, or past it in a file that is not ours */
        assert_false(audit_estimate_left(&x, 0) > 0 || audit_estimate_left(&x, 0) < 0);
        rows[0].n_done = 1000;
    }
    rows[1].n_done = 0;
    rows[1].seconds = 0;
    /* the last one is in work: 200 inputs in 60 s, of which 100 since the first were back took 10 s */
    struct audit_live const live = {
        .row = 3, .n_done = 200, .seconds = 60, .n_paced = 100, .paced_s = 10};
    t = audit_estimate_time(&x, &live);
    assert_int_equal(t.n_unknown, 0);
    assert_true(is_near(t.done_s, 160) && is_near(t.left_s, 200 + 80));
    assert_string_equal(audit_estimate_text(&t, &a), "about 7 min in all");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_is_told_with_its_exact_value),
        cmocka_unit_test(special_values_are_named),
        cmocka_unit_test(bounds_by_rules_are_those_of_the_arguments),
        cmocka_unit_test(errors_outside_the_bounded_range_are_told_apart),
        cmocka_unit_test(errors_of_flushed_operands_are_passed_over),
        cmocka_unit_test(time_is_told_by_what_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
