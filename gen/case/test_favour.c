/* gen/case/test_favour.c -- tapes that are drawn for a need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ops.h"
#include "gen/case/favour.h"
#include "gen/case/gen.h"
#include "gen/case/sample_devices.h"
#include "gen/tape/tape_needs.h"

enum {
    N_TAPES = 400
};
#define TEST_ARENA_BYTES ((size_t)64 << 20)

/* A case of such a tape has the need that the tape was drawn for, which is allowed and of its API; the same random numbers give
 * the same tape. Counts the tapes for a need, and those that forbid more than was asked. */
static void draw(const struct favour_of *of, uint64_t seed, uint32_t *n_for, uint32_t *n_thin,
                 struct arena *a)
{
    struct err e = {RES_OK, ""};
    struct tape t[2];
    int need[2];
    struct testcase tc;
    arena_reset(a);
    for (int i = 0; i < 2; i++) {
        struct rng rng = rng_seed(seed);
        assert_int_equal(favour_make_tape(of, &rng, a, &t[i], &need[i], &e), RES_OK);
    }
    assert_int_equal(need[0], need[1]);
    assert_int_equal(t[0].n_records, t[1].n_records);
    assert_memory_equal(t[0].data, t[1].data, t[0].n_records * TAPE_RECORD_BYTES);
    if (need[0] < 0) {
        return;
    }
    struct needs const all = needs_get_all();
    struct needs const *const given = of->allowed ? of->allowed : &all;
    struct needs const kept = tape_get_allowed(&t[0]);
    assert_true(needs_are_within(&kept, given));
    assert_int_equal(gen_case(of->profile, of->env, &t[0], a, &tc, NULL, &e), RES_OK);
    assert_true(needs_has(&tc.needs, (enum need_id)need[0]));
    assert_true(needs_has(given, (enum need_id)need[0]));
    assert_true(cap_rows[need[0]].envs & op_get_env_bit(of->env));
    ++*n_for;
    *n_thin += !needs_are_within(given, &kept);
}

static void a_case_has_the_need_that_it_is_drawn_for(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
        uint32_t n_for = 0, n_thin = 0;
        for (uint64_t i = 0; i < N_TAPES; i++) {
            struct favour_of const of = {(enum profile)profile, (enum env)(i % ENV_N), NULL};
            draw(&of, i, &n_for, &n_thin, &a);
        }
        assert_true(n_for * 8 > N_TAPES && n_thin * 6 > n_for && n_thin < n_for);
    }
    arena_free(&a);
}

static void only_what_a_device_lists_is_drawn_for(void **state)
{
    struct arena a;
    uint32_t n_for = 0, n_thin = 0;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (int d = 0; d < SAMPLE_DEVICE_N; d++) {
        struct needs const listed = sample_device_get_needs(&sample_devices[d]);
        for (uint64_t i = 0; i < N_TAPES / 4; i++) {
            struct favour_of const of = {(enum profile)(i % PROFILE_DRAWN_N), sample_devices[d].env,
                                         &listed};
            draw(&of, i, &n_for, &n_thin, &a);
        }
    }
    assert_true(n_for > 0);
    arena_free(&a);
}

static void refusals_are_drawn_for_nothing(void **state)
{
    struct arena a;
    uint32_t n_for = 0, n_thin = 0;
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    for (uint64_t i = 0; i < N_TAPES / 4; i++) {
        struct favour_of const of = {PROFILE_REFUSALS, (enum env)(i % ENV_N), NULL};
        draw(&of, i, &n_for, &n_thin, &a);
    }
    assert_int_equal(n_for, 0);
    arena_free(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_has_the_need_that_it_is_drawn_for),
        cmocka_unit_test(only_what_a_device_lists_is_drawn_for),
        cmocka_unit_test(refusals_are_drawn_for_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
