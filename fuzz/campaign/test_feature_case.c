/* fuzz/campaign/test_feature_case.c -- cells of what a case is made of: one thing more is a cell more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/campaign/feature_case.h"
#include "gen/shape/shape.h"
#include "gen/tape/tape_random.h"

enum {
    ARENA_BYTES = 64 << 20,
    N_CASES = 60
};

static uint32_t count(const unsigned char *map)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < FEATURE_CASE_CELLS; i++) {
        assert_true(map[i] <= 1);
        n += map[i];
    }
    return n;
}

static void set_row(uint64_t *rows, enum op_id op)
{
    rows[op / 64] |= UINT64_C(1) << (op % 64);
}

static struct gen_info ordinary(void)
{
    struct gen_info info = {.group_shapes = UINT64_C(1) << GROUP_SHAPE_REDUCE,
                            .math_shapes = UINT64_C(1) << MATH_SHAPE_SCALAR,
                            .op_kinds = UINT64_C(1) << KIND_FADD,
                            .bounds = 1};
    shape_set_add(&info.shapes, SHAPE_F32);
    shape_set_add(&info.shapes, SHAPE_CONTENDED);
    set_row(info.group_rows, OP_core_GroupNonUniformFAdd);
    set_row(info.math_rows, OP_core_FDiv);
    return info;
}

static void nothing_sets_nothing(void **state)
{
    (void)state;
    struct gen_info const info = {.op_kinds = 0};
    unsigned char map[FEATURE_CASE_CELLS] = {0};
    feature_case_put(&info, map);
    assert_int_equal(count(map), 0);
}

/* A shape more, an instruction more: pairs with it. What is there already stays. */
static void each_thing_has_pairs(void **state)
{
    (void)state;
    struct gen_info const base = ordinary();
    struct gen_info more[7];
    for (size_t i = 0; i < ARRAY_N(more); i++) {
        more[i] = base;
    }
    shape_set_add(&more[0].shapes, SHAPE_IF_DATA);
    more[1].group_shapes |= UINT64_C(1) << GROUP_SHAPE_MASK_LANE;
    more[2].math_shapes |= UINT64_C(1) << MATH_SHAPE_VECTOR_3;
    more[3].op_kinds |= UINT64_C(1) << KIND_FMIN;
    more[4].bounds |= 4;
    set_row(more[5].group_rows, OP_core_GroupNonUniformFMin);
    set_row(more[6].math_rows, OP_core_FAdd);
    for (size_t i = 0; i < ARRAY_N(more); i++) {
        unsigned char map[FEATURE_CASE_CELLS] = {0}, again[FEATURE_CASE_CELLS] = {0};
        feature_case_put(&base, map);
        feature_case_put(&base, again);
        assert_memory_equal(map, again, sizeof map);
        uint32_t const n = count(map);
        assert_true(n >= 6);
        feature_case_put(&more[i], map);
        if (count(map) <= n) {
            fail_msg("addition %zu sets no cell of its own", i);
        }
        feature_case_put(&more[i], again);
        assert_memory_equal(map, again, sizeof map);
    }
}

/* No case fills so much of the map that the next could show nothing. */
static void cases_leave_room(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
        uint32_t n_most = 0, n_all;
        unsigned char all[FEATURE_CASE_CELLS] = {0};
        for (uint64_t seed = 0; seed < N_CASES; seed++) {
            struct rng r = rng_seed(seed);
            struct tape t;
            struct testcase tc;
            struct gen_info info;
            struct err e;
            unsigned char map[FEATURE_CASE_CELLS] = {0};
            arena_reset(&a);
            assert_int_equal(tape_random(&t, &r, &a, &e), RES_OK);
            assert_int_equal(
                gen_case((enum profile)profile, (enum env)(seed % ENV_N), &t, &a, &tc, &info, &e),
                RES_OK);
            feature_case_put(&info, map);
            feature_case_put(&info, all);
            n_most = count(map) > n_most ? count(map) : n_most;
        }
        n_all = count(all);
        print_message("%s: at most %u cells a case, %u of all %d\n", profile_names[profile], n_most,
                      n_all, (int)N_CASES);
        assert_true(n_most > 50 && n_most < FEATURE_CASE_CELLS / 4);
        assert_true(n_all > n_most && n_all < FEATURE_CASE_CELLS * 3 / 4);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_sets_nothing),
        cmocka_unit_test(each_thing_has_pairs),
        cmocka_unit_test(cases_leave_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
