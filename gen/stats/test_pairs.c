/* gen/stats/test_pairs.c -- which instruction on which type a case holds; programs hold each that there may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/spv.h"
#include "gen/case/gen.h"
#include "gen/stats/pairs.h"
#include "gen/tape/tape_random.h"

enum {
    N_PROGRAMS = 500, /* of each environment: as many as in a campaign of 2,000 cases */
    ARENA_BYTES = 64 << 20
};

/* A vector of two shorts is added, its sum compared, and a byte of it made a word. */
static const uint32_t words[] = {SpvMagicNumber,
                                 0x10000,
                                 0,
                                 16,
                                 0,
                                 2U << 16 | SpvOpTypeBool,
                                 1,
                                 4U << 16 | SpvOpTypeInt,
                                 2,
                                 16,
                                 0,
                                 4U << 16 | SpvOpTypeVector,
                                 3,
                                 2,
                                 2,
                                 4U << 16 | SpvOpTypeInt,
                                 4,
                                 32,
                                 0,
                                 3U << 16 | SpvOpUndef,
                                 3,
                                 5,
                                 5U << 16 | SpvOpIAdd,
                                 3,
                                 6,
                                 5,
                                 5,
                                 5U << 16 | SpvOpULessThan,
                                 1,
                                 7,
                                 6,
                                 5,
                                 4U << 16 | SpvOpUConvert,
                                 4,
                                 8,
                                 6};

static void pairs_are_counted_once_a_case(void **state)
{
    (void)state;
    enum {
        I16 = 6, /* bits of enum op_types */
        I32 = 3
    };
    struct arena a;
    struct err e;
    struct testcase const tc = {.env = ENV_VK, .module = words, .n_words = ARRAY_N(words)};
    arena_init(&a, ARENA_BYTES);
    struct pair_stats *const s = ARENA_NEW(&a, struct pair_stats, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pairs_add(s, &tc, &a, &e), RES_OK);
    }
    assert_int_equal(s->n_cases[ENV_VK], 2);
    assert_int_equal(s->with[ENV_VK][OP_core_IAdd][I16], 2);
    assert_int_equal(s->with[ENV_VK][OP_core_IAdd][I32], 0);
    assert_int_equal(s->with[ENV_VK][OP_core_ULessThan][I16], 2); /* by its operands */
    assert_int_equal(s->with[ENV_VK][OP_core_UConvert][I16], 2);
    assert_int_equal(s->with[ENV_VK][OP_core_UConvert][I32], 0);
    assert_int_equal(s->with[ENV_CL][OP_core_IAdd][I16], 0);
    uint32_t n_possible, n_seldom;
    pairs_count(s, ENV_VK, &n_possible, &n_seldom);
    assert_true(n_possible > 200 && n_seldom == n_possible - 3);
    arena_free(&a);
}

static void programs_hold_each_pair(void **state)
{
    (void)state;
    struct arena keep, a;
    struct err e;
    struct rng rng = rng_seed(1);
    arena_init(&keep, ARENA_BYTES);
    arena_init(&a, ARENA_BYTES);
    struct pair_stats *const s = ARENA_NEW(&keep, struct pair_stats, 1);
    for (uint32_t i = 0; i < ENV_N * N_PROGRAMS; i++) {
        struct tape t;
        struct testcase tc;
        arena_reset(&a);
        assert_int_equal(tape_random(&t, &rng, &a, &e), RES_OK);
        assert_int_equal(gen_case(PROFILE_PROGRAMS, (enum env)(i % ENV_N), &t, &a, &tc, NULL, &e),
                         RES_OK);
        assert_int_equal(pairs_add(s, &tc, &a, &e), RES_OK);
    }
    for (int env = 0; env < ENV_N; env++) {
        uint32_t n_possible, n_seldom;
        pairs_count(s, (enum env)env, &n_possible, &n_seldom);
        assert_true(n_possible > 300);
        assert_int_equal(n_seldom, 0);
    }
    arena_free(&a);
    arena_free(&keep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_counted_once_a_case),
        cmocka_unit_test(programs_hold_each_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
