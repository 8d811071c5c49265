/* fuzz/campaign/test_case_groups.c -- targets that list much the same share cases; dealing depends on the index alone. */
#include "fuzz/campaign/case_groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/caps.h"
#include "base/ops.h"

enum {
    N_TARGETS = 4,
    N_CASES = 3000
};
#define TEST_ARENA_BYTES ((size_t)4 << 20)

/* All needs but the last n of that environment. */
static struct needs all_but(enum env env, int n)
{
    struct needs out = needs_get_all();
    unsigned const bit = op_get_env_bit(env);
    for (int i = NEED_N - 1; i >= 0 && n > 0; i--) {
        if (cap_rows[i].envs & bit) {
            needs_remove(&out, (enum need_id)i);
            n--;
        }
    }
    return out;
}

static void make(struct case_groups *g)
{
    struct case_groups_target const t[N_TARGETS] = {
        {"full",  ENV_VK, all_but(ENV_VK, 0) },
        {"close", ENV_VK, all_but(ENV_VK, 5) },
        {"poor",  ENV_VK, all_but(ENV_VK, 60)},
        {"other", ENV_CL, all_but(ENV_CL, 2) },
    };
    case_groups_make(g, t, N_TARGETS);
}

static void like_targets_form_groups(void **state)
{
    struct case_groups g;
    (void)state;
    make(&g);
    assert_int_equal(g.n, 3);
    assert_int_equal(g.group[0].n_targets, 2);
    assert_string_equal(g.group[0].targets[1], "close");
    assert_string_equal(g.group[1].targets[0], "poor");
    assert_string_equal(g.group[2].targets[0], "other");
    struct needs const close = all_but(ENV_VK, 5);
    assert_memory_equal(&g.group[0].allowed, &close, sizeof close);
    assert_int_equal(case_groups_count(&g.group[0], false), 5);
}

static void cases_are_dealt_to_groups(void **state)
{
    struct case_groups g;
    struct needs const full = all_but(ENV_VK, 0), poor = all_but(ENV_VK, 60);
    uint64_t n_own = 0, n_lent = 0, n_poor = 0;
    (void)state;
    make(&g);
    for (uint64_t i = 0; i < N_CASES; i++) {
        const struct case_group *const of = case_groups_find(&g, i);
        bool const is_for_full = case_groups_is_for(&g, i, "full", &full);
        bool const is_for_poor = case_groups_is_for(&g, i, "poor", &poor);
        n_own += of == &g.group[0] && is_for_full;
        n_lent += of == &g.group[1] && is_for_full;
        n_poor += is_for_poor;
        assert_true(of != &g.group[0] || (is_for_full && !is_for_poor));
        assert_true(of != &g.group[2] || !is_for_full);
        assert_true(case_groups_is_for(&g, i, "of no group", &full));
    }
    assert_in_range(n_own, N_CASES / 4, N_CASES / 2);
    assert_in_range(n_poor, N_CASES / 4, N_CASES / 2);
    assert_in_range(n_lent, n_poor / CASE_GROUPS_LENT / 2, n_poor / CASE_GROUPS_LENT * 2);
}

static void text_gives_the_same_groups(void **state)
{
    struct arena a;
    struct case_groups g, back;
    struct err e = {RES_OK, ""};
    (void)state;
    arena_init(&a, TEST_ARENA_BYTES);
    make(&g);
    const char *const text = case_groups_print(&g, &a);
    assert_int_equal(case_groups_parse(&back, text, &a, &e), RES_OK);
    assert_int_equal(back.n, g.n);
    assert_string_equal(case_groups_print(&back, &a), text);
    for (uint32_t i = 0; i < g.n; i++) {
        assert_memory_equal(&back.group[i].allowed, &g.group[i].allowed, sizeof(struct needs));
        assert_string_equal(back.group[i].targets[0], g.group[i].targets[0]);
    }
    assert_int_equal(case_groups_parse(&back, "", &a, &e), RES_OK);
    assert_int_equal(back.n, 0);
    assert_int_equal(case_groups_parse(&back, "a b", &a, &e), RES_FORMAT);
    assert_int_equal(case_groups_parse(&back, "a\tvulkan VK_NONE", &a, &e), RES_FORMAT);
    arena_free(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(like_targets_form_groups),
                                              cmocka_unit_test(cases_are_dealt_to_groups),
                                              cmocka_unit_test(text_gives_the_same_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
