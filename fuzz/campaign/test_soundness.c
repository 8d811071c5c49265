/* fuzz/campaign/test_soundness.c -- cases have defined behaviour, and one that lost its barriers has not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/spv.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/soundness.h"

enum {
    N_CASES = 40,
    N_HEADER_WORDS = 5
};
static const size_t arena_bytes = (size_t)512 << 20;

/* The module without the barriers of the work-group. */
static void take_barriers(struct testcase *tc, struct arena *a)
{
    uint32_t *const words = arena_copy(a, tc->module, sizeof *words * tc->n_words);
    uint32_t n_left = N_HEADER_WORDS;
    uint32_t n = 0;
    assert_non_null(words);
    for (uint32_t i = N_HEADER_WORDS; i < tc->n_words; i += n) {
        n = tc->module[i] >> SpvWordCountShift;
        if ((tc->module[i] & SpvOpCodeMask) != SpvOpControlBarrier) {
            memcpy(words + n_left, tc->module + i, sizeof *words * n);
            n_left += n;
        }
    }
    tc->module = words;
    tc->n_words = n_left;
}

static struct soundness look_at(bool has_barriers)
{
    struct soundness s = {.n_cases = 0};
    struct err e = {RES_OK, ""};
    struct arena a;
    arena_init(&a, arena_bytes);
    for (uint64_t i = 0; i < N_CASES; i++) {
        struct testcase tc;
        struct tape tape;
        arena_reset(&a);
        assert_int_equal(
            sched_make_case(PROFILE_PROGRAMS, 3, i, (enum env)(i % ENV_N), &a, &tc, &tape, &e),
            RES_OK);
        if (!has_barriers) {
            take_barriers(&tc, &a);
        }
        assert_int_equal(soundness_add(&s, &tc, i, &a, &e), RES_OK);
    }
    arena_free(&a);
    return s;
}

static void programs_are_sound(void **state)
{
    (void)state;
    struct soundness const s = look_at(true);
    assert_int_equal(s.n_undefined[UNDEFINED_NONE], N_CASES);
    assert_int_equal(s.n_out_of_range, 0);
    assert_false(s.has_first);
}

static void a_missing_barrier_is_seen(void **state)
{
    (void)state;
    struct soundness const s = look_at(false);
    assert_true(s.n_undefined[UNDEFINED_RACE] > 0);
    assert_true(s.n_undefined[UNDEFINED_UNSET_MEMORY] > 0);
    assert_true(s.n_undefined[UNDEFINED_NONE] < N_CASES * 3 / 4);
    assert_true(s.has_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_are_sound),
                                       cmocka_unit_test(a_missing_barrier_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
