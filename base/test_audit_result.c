/* base/test_audit_result.c -- sums of errors that do not depend on their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/audit_result.h"

enum {
    N = 2000,
    SEED = 7
};

/* Errors of any size, most of them near 1. */
static double draw(struct rng *r)
{
    double x = (double)(rng_next(r) >> 11) * 0x1p-53;
    uint64_t const kind = rng_below(r, 8);
    for (uint64_t i = rng_below(r, 400); kind == 0 && i > 0; i--) {
        x *= 2;
    }
    for (uint64_t i = rng_below(r, 60); kind == 1 && i > 0; i--) {
        x /= 2;
    }
    return x;
}

/* Forwards, backwards, and in two parts that are then added up: the same digits. */
static void the_order_changes_nothing(void **state)
{
    static double x[N];
    static struct sweep_result forwards, backwards, parts[2];
    struct rng r = rng_seed(SEED);
    (void)state;
    for (int i = 0; i < N; i++) {
        x[i] = draw(&r);
        sweep_add_error(&forwards, x[i], 1);
        sweep_add_error(&parts[i % 2], x[i], 1);
    }
    for (int i = N; i-- > 0;) {
        sweep_add_error(&backwards, x[i], 1);
    }
    assert_memory_equal(&forwards.sum, &backwards.sum, sizeof forwards.sum);
    sweep_add_sum(&parts[1], &parts[0].sum, 1);
    assert_memory_equal(&forwards.sum, &parts[1].sum, sizeof forwards.sum);
    double const sum = sweep_get_sum(&forwards.sum);
    assert_true(sum > forwards.sum_error * (1 - 1e-9) && sum < forwards.sum_error * (1 + 1e-9));
}

/* Whole and half numbers are exact, also many times over; what was added can be told. */
static void values_are_kept(void **state)
{
    static struct sweep_result r;
    (void)state;
    sweep_add_error(&r, 2.5, 1);
    struct sweep_sum const before = r.sum;
    sweep_add_error(&r, 0x1p-64, UINT64_C(1) << 32);
    sweep_add_error(&r, 0.5, 3);
    struct sweep_sum const added = sweep_get_added(&r, &before);
    assert_true(sweep_get_sum(&added) >= 1.5 + 0x1p-32 && sweep_get_sum(&added) <= 1.5 + 0x1p-32);
    sweep_add_sum(&r, &added, 7);
    double const all = sweep_get_sum(&r.sum);
    assert_true(all >= 2.5 + 8 * (1.5 + 0x1p-32) && all <= 2.5 + 8 * (1.5 + 0x1p-32));
}

/* An error that is too large, or none, is the largest there is; a tiny one is rounded. */
static void ends_of_the_range_are_safe(void **state)
{
    static struct sweep_result large, small;
    static double const zero = 0;
    (void)state;
    sweep_add_error(&large, 0x1p1023, 1);
    sweep_add_error(&large, zero / zero, 1);
    sweep_add_error(&large, 1 / zero, 2);
    assert_true(sweep_get_sum(&large.sum) >= 0x1p1022 && sweep_get_sum(&large.sum) <= 0x1p1022);
    sweep_add_error(&small, 0x1p-66, 5);
    sweep_add_error(&small, 0x1p-1070, 5);
    sweep_add_error(&small, zero, 5);
    assert_true(sweep_get_sum(&small.sum) <= 0);
    sweep_add_error(&small, 0x1p-65, 1);
    assert_true(sweep_get_sum(&small.sum) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_changes_nothing),
        cmocka_unit_test(values_are_kept),
        cmocka_unit_test(ends_of_the_range_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
