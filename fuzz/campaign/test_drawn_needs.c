/* fuzz/campaign/test_drawn_needs.c -- a campaign of profile `all` holds each need in enough cases, with others and alone; and
 * what a source language has no words for is a need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ops.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/step.h"
#include "gen/print/print.h"
#include "gen/stats/needed.h"

enum {
    SEED = 1,
    N_CASES = 3000, /* of each environment */
    /* Needs are to be in 2 % of all cases. Of N_CASES a need of so many has at least this percent but for one time in 1,000. */
    LEAST_PER_MILLE = 12,
    N_OF_LANGUAGE = 800,
    MOST_UNSAID_PER_MILLE = 8
};
#define TEST_ARENA_BYTES ((size_t)64 << 20)

/* Needs that no drawn case has: a text in OpenCL C needs that version of the language, and kernels of users have the others. */
static bool is_undrawn(enum need_id need)
{
    return need == NEED_CL_C_3_0 || need == NEED_VK_16BIT_UNIFORM || need == NEED_VK_16BIT_PUSH ||
           need == NEED_VK_8BIT_UNIFORM;
}

static uint32_t count(const struct needs *n)
{
    uint32_t out = 0;
    for (int i = 0; i < NEED_N; i++) {
        out += needs_has(n, (enum need_id)i) ? 1 : 0;
    }
    return out;
}

static void each_need_is_in_enough_cases(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, TEST_ARENA_BYTES);
    for (int env = 0; env < ENV_N; env++) {
        struct needed_stats s = {.n_cases = {0}};
        uint32_t fewest[NEED_N] = {0}; /* needs of a case that has this one */
        uint64_t n_all = 0;
        for (uint64_t i = 0; i < N_CASES; i++) {
            struct testcase tc;
            struct tape t;
            struct err e = {RES_OK, ""};
            arena_reset(&a);
            assert_int_equal(sched_make_case(PROFILE_ALL, SEED, i, (enum env)env, &a, &tc, &t, &e),
                             RES_OK);
            uint32_t const n = count(&tc.needs);
            n_all += n;
            for (int k = 0; k < NEED_N; k++) {
                bool const is_less = s.with[k] == 0 || n < fewest[k];
                fewest[k] = needs_has(&tc.needs, (enum need_id)k) && is_less ? n : fewest[k];
            }
            needed_add(&s, &tc);
        }
        for (int k = 0; k < NEED_N; k++) {
            bool const is_own = cap_rows[k].envs & op_get_env_bit((enum env)env);
            if (!is_own || is_undrawn((enum need_id)k)) {
                continue;
            }
            if (s.with[k] * 1000 < (uint64_t)N_CASES * LEAST_PER_MILLE) {
                fail_msg("%s is in %llu of %d cases", cap_rows[k].id, (unsigned long long)s.with[k],
                         N_CASES);
            }
            if (fewest[k] * (uint64_t)N_CASES > n_all) {
                fail_msg("%s never stands with few others: %u needs, %llu of %d cases",
                         cap_rows[k].id, fewest[k], (unsigned long long)n_all, N_CASES);
            }
        }
    }
    arena_free(&a);
}

/* Of a target that is given text nearly each case can be printed. */
static void a_case_for_text_is_printed(void **state)
{
    static const struct target targets[] = {
        {.kind = TARGET_SIM, .name = "c",    .env = ENV_CL, .language = LANGUAGE_OPENCL_C},
        {.kind = TARGET_SIM, .name = "glsl", .env = ENV_VK, .language = LANGUAGE_GLSL    },
    };
    (void)state;
    struct arena a;
    arena_init(&a, TEST_ARENA_BYTES);
    for (size_t k = 0; k < ARRAY_N(targets); k++) {
        struct needs const allowed = step_get_allowed(&targets[k], "", 0);
        uint32_t n_unsaid = 0;
        for (uint64_t i = 0; i < N_OF_LANGUAGE; i++) {
            struct sched_case const of = {PROFILE_ALL, SEED, i, targets[k].env, &allowed};
            struct testcase tc;
            struct tape t;
            struct err e = {RES_OK, ""};
            arena_reset(&a);
            assert_int_equal(sched_make_allowed(&of, &a, &tc, &t, &e), RES_OK);
            enum res const r = print_set_language(&tc, targets[k].language, &a, &e);
            assert_true(r == RES_OK || r == RES_LIMIT);
            n_unsaid += r == RES_LIMIT;
        }
        assert_true(n_unsaid * 1000 <= N_OF_LANGUAGE * MOST_UNSAID_PER_MILLE);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_need_is_in_enough_cases),
        cmocka_unit_test(a_case_for_text_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
