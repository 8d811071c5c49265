/* fuzz/campaign/test_drawn_shares.c -- a campaign of profile `all` holds each combination of an instruction with a type, a
 * place, a scope, an order or an operation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "fuzz/campaign/sched_case.h"
#include "gen/stats/drawn.h"

enum {
    SEED = 1,
    N_FEW =
        3000, /* cases of each environment; of them a combination may be missing here and there */
    MISSING_PERCENT = 2
};

static struct drawn_stats *count(enum env env, uint64_t n, struct arena *keep)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, (size_t)64 << 20);
    struct drawn_stats *const s = ARENA_NEW(keep, struct drawn_stats, 1);
    assert_non_null(s);
    for (uint64_t i = 0; i < n; i++) {
        struct testcase tc;
        struct tape t;
        arena_reset(&a);
        if (sched_make_case(PROFILE_ALL, SEED, i, env, &a, &tc, &t, &e) != RES_OK ||
            drawn_add(s, &tc, &a, &e) != RES_OK) {
            fail_msg("%s", e.text);
        }
    }
    arena_free(&a);
    return s;
}

/* Some case holds each combination that is legal in the environment, but for few. */
static void nearly_each_combination_is_drawn(void **state)
{
    (void)state;
    for (int env = 0; env < ENV_N; env++) {
        struct arena keep;
        uint32_t n_possible, n_seldom, n_missing = 0;
        arena_init(&keep, (size_t)1 << 20);
        struct drawn_stats const *const s = count((enum env)env, N_FEW, &keep);
        drawn_count(s, (enum env)env, &n_possible, &n_seldom);
        for (uint32_t i = 0; i < DRAWN_N; i++) {
            n_missing += drawn_is_possible((enum env)env, i) && s->with[env][i] == 0;
        }
        print_message("%s: %u of %u combinations missing in %d cases\n", env_names[env], n_missing,
                      n_possible, N_FEW);
        assert_true(n_possible > 400 && n_missing * 100 <= n_possible * MISSING_PERCENT);
        arena_free(&keep);
    }
}

/* Of DRAWN_OF cases each combination is in DRAWN_LEAST. */
static void each_combination_is_drawn_often(void **state)
{
    (void)state;
    if (!getenv("HALFULP_SLOW")) {
        skip(); /* a minute */
    }
    for (int env = 0; env < ENV_N; env++) {
        struct arena keep;
        uint32_t n_possible, n_seldom;
        arena_init(&keep, (size_t)1 << 20);
        struct drawn_stats const *const s = count((enum env)env, DRAWN_OF, &keep);
        drawn_count(s, (enum env)env, &n_possible, &n_seldom);
        if (n_seldom > 0) {
            drawn_write(s, stderr);
        }
        assert_int_equal(n_seldom, 0);
        arena_free(&keep);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_each_combination_is_drawn),
        cmocka_unit_test(each_combination_is_drawn_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
