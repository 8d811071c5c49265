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
#include "fuzz/campaign/step.h"
#include "fuzz/pool/handle.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "oracle/judge/judge.h"
#include "tests/rig/folder_rig.h"
#include "tests/rig/program_rig.h"

#define TEST_ARENA_BYTES ((size_t)512 << 20)
enum {
    TEST_CASES = 200, /* the first one that shows the fault is enough */
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
    struct needs const allowed = step_get_allowed(t, facts, 0);
    for (uint64_t i = 0; i < TEST_CASES; i++) {
        struct arena_mark const mark = arena_get_mark(a);
        struct testcase tc;
        struct tape tape;
        const uint32_t *words;
        uint32_t n_words, n_sites = 0;
        struct err e;
        struct sched_case const of = {profile, TEST_SEED, i, ENV_VK, &allowed};
        assert_int_equal(sched_make_allowed(&of, a, &tc, &tape, &e), RES_OK);
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

/* ---- the folder of such a bug ---- */

/* A command of the shell in the test's folder, what it says in the file log; its exit status. */
static int do_in(const char *folder, const char *program, const char *command, struct arena *a)
{
    const char *const line =
        arena_printf(a, "unset HALFULP_WORKER; cd '%s' && export HALFULP='%s' && ( %s ) >>log 2>&1",
                     folder, program, command);
    int const status = system(line); /* NOLINT: the test's own words */
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* `make run` in it gives the driver what it had been given, and shows the bug; with the module that was meant it does not. */
static void a_folder_shows_a_planted_fault(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {RES_OK, ""};
    char folder[256], self[4096], program[4096];
    arena_init(&a, TEST_ARENA_BYTES);
    struct target_list *const all = ARENA_NEW(&a, struct target_list, 2);
    assert_non_null(all);
    assert_int_equal(targets_find(&all[0], NULL, &a, &e), RES_OK);
    if (targets_choose(&all[0], "lavapipe", &all[1], &a, &e) != RES_OK) {
        print_message("skipped: no lavapipe here\n");
        skip();
    }
    folder_make(folder, sizeof folder, "planted");
    const char *set = "export DEVICE=llvmpipe"; /* the loader's, too */
    for (int i = 0; all[1].t[0].env_vars[i]; i++) {
        set = arena_printf(&a, "%s '%s'", set, all[1].t[0].env_vars[i]);
    }
    assert_true(program_find(self, program, sizeof self));
    static const struct {
        const char *command;
        int wanted;
    } steps[] = {
        {"\"$HALFULP\" run --targets lavapipe:SUB_FOR_ADD --cases 3 --profile arith --seed 4 -q -o "
         "c",                                                                               1},
        {"\"$HALFULP\" report c --triage-time 1s --reduce-time 1s",                                  1},
        {"cd c/bugs/lavapipe-sub_for_add-* && cp -r . ../../../bug && cd ../../../bug && make host",
         0                                                                                            },
        {"cd bug && ! cmp -s module.spv planted.spv && ./host",                                      1},
        {"cd bug && cp module.spv planted.spv && ./host",                                            0},
        {"cd bug && \"$HALFULP\" judge .",                                                           1}, /* by what the program means */
    };
    for (size_t i = 0; i < ARRAY_N(steps); i++) {
        int const status =
            do_in(folder, program, arena_printf(&a, "%s; %s", set, steps[i].command), &a);
        if (status != steps[i].wanted) {
            (void)do_in(folder, program, "tail -n 20 log >&2", &a);
            fail_msg("%s: \"%s\" gave %d", folder, steps[i].command, status);
        }
    }
    folder_remove(folder);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_planted_fault_is_found),
                                       cmocka_unit_test(a_folder_shows_a_planted_fault)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
