/* fuzz/rewrite/test_rewrite.c -- each row changes some generated module, which stays valid and means something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/spirv.h"
#include "fuzz/rewrite/rewrite.h"

#define TEST_ARENA_BYTES ((size_t)256 << 20)
enum {
    TEST_CASES = 100,  /* of each profile and environment */
    TEST_MIN_SITES = 2 /* cases in which each row finds something */
};

/* Is it valid as it is, changed it must be so, too, and other words. Says whether the row found something. */
static bool check_row(const struct rewrite_row *row, const struct testcase *tc, struct arena *a)
{
    struct testcase changed = *tc;
    uint32_t n_sites = 0;
    const char *text = "";
    struct err e;
    assert_int_equal(rewrite_module(row, tc->module, tc->n_words, a, &changed.module,
                                    &changed.n_words, &n_sites, &e),
                     RES_OK);
    if (n_sites == 0) {
        assert_ptr_equal(changed.module, tc->module);
        return false;
    }
    bool const is_same = changed.n_words == tc->n_words &&
                         memcmp(changed.module, tc->module, sizeof *tc->module * tc->n_words) == 0;
    assert_false(is_same);
    if (strcmp(row->id, "STORE_BEHIND_BARRIER") == 0 ||
        strcmp(row->id, "LOAD_BEFORE_BARRIER") == 0) {
        assert_int_equal(changed.n_words, tc->n_words); /* only their order is another */
    }
    if (spirv_validate(&changed, a, &text) == SPIRV_INVALID) {
        print_error("%s: %s\n", row->id, text);
        fail();
    }
    return true;
}

static void each_row_changes_a_module(void **state)
{
    static const enum profile profiles[] = {PROFILE_ATOMICS, PROFILE_GROUPS, PROFILE_ARITH,
                                            PROFILE_MAXERROR, PROFILE_PROGRAMS};
    struct arena *const a = *state;
    uint32_t n_found[REWRITE_N] = {0}, n_valid = 0;
    for (uint32_t i = 0; i < ARRAY_N(profiles) * ENV_N * TEST_CASES; i++) {
        enum profile const profile = profiles[i % ARRAY_N(profiles)];
        enum env const env = (enum env)(i / ARRAY_N(profiles) % ENV_N);
        struct testcase tc;
        struct tape tape;
        struct err e;
        const char *text = "";
        arena_reset(a);
        assert_int_equal(sched_make_case(profile, 7, i, env, a, &tc, &tape, &e), RES_OK);
        if (spirv_validate(&tc, a, &text) != SPIRV_VALID) {
            continue; /* newer than the validator */
        }
        n_valid++;
        for (int k = 0; k < REWRITE_N; k++) {
            n_found[k] += check_row(&rewrite_rows[k], &tc, a);
        }
    }
    assert_true(n_valid > 0);
    for (int k = 0; k < REWRITE_N; k++) {
        if (n_found[k] < TEST_MIN_SITES) {
            print_error("%s: of %u modules %u\n", rewrite_rows[k].id, n_valid, n_found[k]);
            fail();
        }
    }
}

static void rows_are_found_by_name(void **state)
{
    (void)state;
    for (int k = 0; k < REWRITE_N; k++) {
        assert_ptr_equal(rewrite_find(rewrite_rows[k].id), &rewrite_rows[k]);
        assert_int_equal(verdict_rows[rewrite_rows[k].expect].part, PART_VIOLATION);
    }
    assert_null(rewrite_find(""));
    assert_null(rewrite_find("SUB_FOR"));
}

static void what_is_no_module_stays(void **state)
{
    struct arena *const a = *state;
    static const uint32_t words[] = {SpvMagicNumber,
                                     0x10000,
                                     0,
                                     8,
                                     0,
                                     5U << 16 | SpvOpFAdd,
                                     1,
                                     2,
                                     3,
                                     3,
                                     0 /* an instruction without words */};
    const uint32_t *out;
    uint32_t n_out, n_sites;
    struct err e;
    for (uint32_t n = 0; n <= ARRAY_N(words); n++) {
        assert_int_equal(
            rewrite_module(rewrite_find("SUB_FOR_ADD"), words, n, a, &out, &n_out, &n_sites, &e),
            RES_OK);
        bool const is_whole = n == ARRAY_N(words) - 1;
        assert_int_equal(n_sites, is_whole);
        assert_int_equal(n_out, n);
        assert_true(is_whole == (out != words));
    }
    assert_int_equal(rewrite_module(rewrite_find("SUB_FOR_ADD"), words, ARRAY_N(words) - 1, a, &out,
                                    &n_out, &n_sites, &e),
                     RES_OK);
    assert_int_equal(out[SPV_HEADER_WORDS], 5U << 16 | SpvOpFSub);
}

static int make_arena(void **state)
{
    static struct arena a;
    arena_init(&a, TEST_ARENA_BYTES);
    *state = &a;
    return 0;
}

static int free_arena(void **state)
{
    arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_changes_a_module),
        cmocka_unit_test(rows_are_found_by_name),
        cmocka_unit_test(what_is_no_module_stays),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
