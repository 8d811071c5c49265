/* fuzz/campaign/test_soundness.c -- cases have defined behaviour; without its barriers, or what makes its stores available, one has not. */
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

/* The module with loads and stores that say nothing of other invocations; how many said something. */
static uint32_t make_private(struct testcase *tc, struct arena *a)
{
    enum {
        ALL_OPERANDS = SpvMemoryAccessNonPrivatePointerMask |
                       SpvMemoryAccessMakePointerAvailableMask |
                       SpvMemoryAccessMakePointerVisibleMask
    };
    uint32_t *const words = arena_copy(a, tc->module, sizeof *words * tc->n_words);
    uint32_t n_left = N_HEADER_WORDS, n_private = 0, n = 0;
    assert_non_null(words);
    for (uint32_t i = N_HEADER_WORDS; i < tc->n_words; i += n) {
        n = tc->module[i] >> SpvWordCountShift;
        uint32_t const op = tc->module[i] & SpvOpCodeMask;
        uint32_t const n_bare = op == SpvOpLoad ? 4 : op == SpvOpStore ? 3 : n;
        bool const is_shared = n > n_bare && (tc->module[i + n_bare] & ALL_OPERANDS);
        uint32_t const n_kept = is_shared ? n_bare : n;
        memcpy(words + n_left, tc->module + i, sizeof *words * n_kept);
        words[n_left] = n_kept << SpvWordCountShift | op;
        n_left += n_kept;
        n_private += is_shared;
    }
    tc->module = words;
    tc->n_words = n_left;
    return n_private;
}

/* Under Vulkan's memory model a store that is private is not seen by others, whatever barriers there are. */
static void private_accesses_are_seen(void **state)
{
    enum {
        MAX_CASES = 400,
        ENOUGH = 5
    };
    (void)state;
    struct soundness s = {.n_cases = 0};
    struct err e = {RES_OK, ""};
    struct arena a;
    arena_init(&a, arena_bytes);
    uint32_t n_found = 0;
    for (uint64_t i = 0; i < MAX_CASES && n_found < ENOUGH; i++) {
        struct testcase tc;
        struct tape tape;
        arena_reset(&a);
        assert_int_equal(sched_make_case(PROFILE_PROGRAMS, 3, i, ENV_VK, &a, &tc, &tape, &e),
                         RES_OK);
        struct testcase harmed = tc;
        if (make_private(&harmed, &a) > 0) {
            assert_int_equal(soundness_add(&s, &tc, i, &a, &e), RES_OK);
            assert_int_equal(s.n_undefined[UNDEFINED_NONE], n_found + 1);
            struct soundness of_harmed = {.n_cases = 0};
            assert_int_equal(soundness_add(&of_harmed, &harmed, i, &a, &e), RES_OK);
            assert_int_equal(of_harmed.n_undefined[UNDEFINED_NOT_COHERENT], 1);
            n_found++;
        }
    }
    assert_int_equal(n_found, ENOUGH);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_are_sound),
                                       cmocka_unit_test(a_missing_barrier_is_seen),
                                       cmocka_unit_test(private_accesses_are_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
