/* oracle/group/test_reduction_wider.c -- results of steps that were kept wider than their type, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/group/reduction.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

struct row {
    enum fmt_id fmt;
    int is_product;
    uint32_t n;
    uint64_t term[5];
    uint64_t got;
    int want;
};

/* Rows of terms and a result, and whether the result is a neighbour of the exact value that no order of steps
 * needs to give. */
static void neighbours_of_the_exact_value(void **state)
{
    (void)state;
    COVERS(GROUP_METHOD);
    static const struct row rows[] = {
  /* 7.53125^5 = 24229.03...: between 24224 and 24240 */
        {FMT_F16, 1, 5, {0x4788, 0x4788, 0x4788, 0x4788, 0x4788}, 0x75ea,             1},
        {FMT_F16, 1, 5, {0x4788, 0x4788, 0x4788, 0x4788, 0x4788}, 0x75eb,             1},
        {FMT_F16, 1, 5, {0x4788, 0x4788, 0x4788, 0x4788, 0x4788}, 0x75e9,             0},
        {FMT_F16, 1, 5, {0xc788, 0x4788, 0x4788, 0x4788, 0x4788}, 0xf5ea,             1},
        {FMT_F16, 1, 5, {0xc788, 0x4788, 0x4788, 0x4788, 0x4788}, 0x75ea,             0},
 /* 2048 + 1 + 1 + 1: 2051 lies between 2050 and 2052 */
        {FMT_F16, 0, 4, {0x6800, 0x3c00, 0x3c00, 0x3c00},         0x6801,             1},
        {FMT_F16, 0, 4, {0x6800, 0x3c00, 0x3c00, 0x3c00},         0x6802,             1},
        {FMT_F16, 0, 4, {0x6800, 0x3c00, 0x3c00, 0x3c00},         0x6800,             0},
 /* a sum that is a number of the format has no neighbours */
        {FMT_F16, 0, 2, {0x3c00, 0x3c00},                         0x4000,             1},
        {FMT_F16, 0, 2, {0x3c00, 0x3c00},                         0x4001,             0},
 /* 2^24 + 1 - 2^24, which no order of f32 steps need give */
        {FMT_F32, 0, 3, {0x4b800000, 0x3f800000, 0xcb800000},     0x3f800000,         1},
        {FMT_F32, 0, 3, {0x4b800000, 0x3f800000, 0xcb800000},     0x40000000,         0},
 /* overflow on the way only */
        {FMT_F32, 0, 3, {0x7f7fffff, 0x7f7fffff, 0xff7fffff},     0x7f7fffff,         1},
        {FMT_F32, 0, 3, {0x7f7fffff, 0x7f7fffff, 0xff7fffff},     0x7f800000,         0},
 /* an infinity or a NaN among the terms: nothing to do with precision */
        {FMT_F32, 0, 2, {0x7f800000, 0x3f800000},                 0x7f800000,         0},
        {FMT_F64, 0, 2, {0x7ff8000000000000, 0},                  0x7ff8000000000000, 0},
        {FMT_F64, 1, 2, {0x3ff0000000000001, 0x3ff0000000000001}, 0x3ff0000000000002, 1},
        {FMT_F64, 1, 2, {0x3ff0000000000001, 0x3ff0000000000001}, 0x3ff0000000000004, 0},
    };
    size_t n_checked = 0;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static const uint32_t index[5] = {0, 1, 2, 3, 4};
        struct reduction const r = {.fmt = rows[i].fmt,
                                    .is_product = rows[i].is_product,
                                    .n = rows[i].n,
                                    .term = rows[i].term,
                                    .index = index,
                                    .size = 8};
        if (reduction_is_wider(&r, rows[i].got) != rows[i].want) {
            fail_msg("row %zu: want %d", i, rows[i].want);
        }
        n_checked++;
    }
    assert_int_equal(n_checked, ARRAY_N(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_of_the_exact_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
