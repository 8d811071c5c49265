/* tests/program/test_planted.c -- a fault that is planted in a real driver is found, and the driver without it is the
 * control. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/pool/worker_handle.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "oracle/judge/judge.h"

#define TEST_ARENA_BYTES ((size_t)512 << 20)
enum {
    TEST_CASES = 40,
    TEST_SEED = 3
};

/* Rows that lavapipe has no bugs of its own at, and the instruction that is told. */
static const struct {
    const char *name;
    uint32_t op;
    enum profile profile;
} rows[] = {
    {"lavapipe:SUB_FOR_ADD",           SpvOpFAdd,               PROFILE_ARITH  },
    {"lavapipe:OPERANDS_SWAPPED",      SpvOpFSub,               PROFILE_ARITH  },
    {"lavapipe:ATOMIC_COUNT_REPLACES", SpvOpAtomicIAdd,         PROFILE_ATOMICS},
    {"lavapipe:ANY_FOR_ALL",           SpvOpGroupNonUniformAll, PROFILE_GROUPS },
};

/* Violations at that instruction which the target shows in the case, of a run that ended well. */
static uint32_t count_findings(const struct target *t, const struct testcase *tc, uint32_t op)
{
    struct run run = {.tc = *tc};
    struct judgement g;
    struct err e = {RES_OK, ""};
    uint32_t n = 0;
    arena_init(&run.arena, TEST_ARENA_BYTES);
    if (handle_run_once(t, &run, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    if (run.ob.status == RUN_DONE) {
        assert_int_equal(judge_run(tc, &run.ob, &run.arena, &g, &e), RES_OK);
        for (uint32_t i = 0; i < g.n_findings; i++) {
            const struct finding *const f = &g.findings[i];
            n += verdict_rows[f->kind].part == PART_VIOLATION && f->op >= 0 &&
                 op_rows[f->op].number == op;
        }
    }
    bool const is_told = strstr(run.ob.facts, "target.rewrite=") != NULL;
    assert_int_equal(is_told, t->rewrite != NULL);
    arena_free(&run.arena);
    return n;
}

/* Is it found in one of the cases whose module it changes, in which the driver itself shows nothing there? */
static bool is_found(const struct target *t, const char *facts, uint32_t op, enum profile profile,
                     struct arena *a)
{
    struct target honest = *t;
    honest.rewrite = NULL;
    for (uint64_t i = 0; i < TEST_CASES; i++) {
        struct arena_mark const mark = arena_get_mark(a);
        struct testcase tc;
        struct tape tape;
        const uint32_t *words;
        uint32_t n_words, n_sites = 0;
        struct err e;
        assert_int_equal(sched_make_case(profile, TEST_SEED, i, ENV_VK, a, &tc, &tape, &e), RES_OK);
        assert_int_equal(
            rewrite_module(t->rewrite, tc.module, tc.n_words, a, &words, &n_words, &n_sites, &e),
            RES_OK);
        bool const is_shown = n_sites > 0 && facts_get_fit(facts, &tc.needs) == FIT_LISTED &&
                              count_findings(t, &tc, op) > 0;
        if (is_shown) {
            assert_int_equal(count_findings(&honest, &tc, op), 0);
            return true;
        }
        arena_release(a, mark);
    }
    return false;
}

static void a_planted_fault_is_found(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {RES_OK, ""};
    const char *facts = "";
    arena_init(&a, TEST_ARENA_BYTES);
    const char *const build = getenv("HALFULP_BUILD"); /* where the worker is */
    const char *const worker = arena_printf(&a, "%s/halfulp-worker", build ? build : "build/opt");
    assert_int_equal(setenv("HALFULP_WORKER", worker, 0), 0);
    struct target_list *const all = ARENA_NEW(&a, struct target_list, 2);
    assert_non_null(all);
    assert_int_equal(targets_find(&all[0], NULL, &a, &e), RES_OK);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (targets_choose(&all[0], "lavapipe", &all[1], &a, &e) != RES_OK) {
            print_message("skipped: no lavapipe here\n");
            skip();
        }
        assert_int_equal(targets_choose(&all[0], rows[i].name, &all[1], &a, &e), RES_OK);
        const struct target *const t = &all[1].t[0];
        assert_int_equal(handle_get_facts(t, &a, &facts, &e), RES_OK);
        if (!is_found(t, facts, rows[i].op, rows[i].profile, &a)) {
            fail_msg("%s: not found in %d cases", rows[i].name, TEST_CASES);
        }
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_planted_fault_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
