/* fuzz/triage/test_first_wrong.c -- what was not stored is blamed for what follows from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/spirv.h"
#include "fuzz/targets/targets_sim.h"
#include "fuzz/triage/first_wrong.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    SEED = 5,
    N_HONEST = 60, /* cases of each environment */
    N_FAULTY = 120
};
#define FAULTY "sim-ieee-opencl:TERM_LOST:FMul:f32"
static const char blamed[] = "ulp ARITH_CR FMul f32 -";

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

/* Stored as well, a program is valid and right as it was. */
static void cases_that_store_all_are_cases(void **state)
{
    (void)state;
    uint32_t n_larger = 0, n_judged = 0, n_judged_stored = 0;
    struct arena a;
    arena_init(&a, (size_t)1 << 30);
    for (uint64_t i = 0; i < (uint64_t)N_HONEST * ENV_N; i++) {
        enum env const env = (enum env)(i % ENV_N);
        static const enum profile profiles[] = {PROFILE_ARITH, PROFILE_GROUPS, PROFILE_ATOMICS};
        enum profile const profile = profiles[i / ENV_N % ARRAY_N(profiles)];
        struct testcase tc[2];
        struct tape tape;
        struct err e;
        const char *message = "";
        arena_reset(&a);
        must(sched_make_case(profile, SEED, i, env, &a, &tc[0], &tape, &e), &e);
        must(gen_stored_case(profile, env, &tape, &a, &tc[1], &e), &e);
        assert_in_range(tc[1].n_words, tc[0].n_words, UINT32_MAX);
        n_larger += tc[1].n_words > tc[0].n_words;
        if (spirv_validate(&tc[1], &a, &message) == SPIRV_INVALID) {
            fail_msg("case %u: %s", (unsigned)i, message);
        }
        for (int k = 0; k < 2; k++) {
            struct observation ob;
            struct fault_plan const none = fault_plan_of(FAULT_NONE);
            struct judgement *const g = ARENA_NEW(&a, struct judgement, 1);
            const char *const facts = sim_facts_for(&tc[k], 1, &a);
            assert_non_null(g);
            must(sim_run(&tc[k], &(struct sim_device){SIM_ANY, 1, &none, facts}, &a, &ob, NULL, &e),
                 &e);
            ob.facts = facts;
            must(judge_run(&tc[k], &ob, &a, g, &e), &e);
            if (verdict_rows[g->kind].part == PART_VIOLATION) {
                fail_msg("case %u: %s", (unsigned)i, g->findings[0].text);
            }
            *(k ? &n_judged_stored : &n_judged) += g->n_judged;
        }
    }
    assert_in_range(n_larger, N_HONEST / 2, UINT32_MAX);
    assert_in_range(n_judged_stored, n_judged + 1, UINT32_MAX);
    arena_free(&a);
}

/* A product that nobody stored is wrong, and the sum of it is what is found: the product is blamed. Where the product
 * was found itself nothing else is blamed. */
static void the_first_wrong_value_is_named(void **state)
{
    (void)state;
    uint32_t n_blamed = 0, n_itself = 0, n_traced = 0;
    struct arena a;
    struct target target;
    struct err e;
    arena_init(&a, (size_t)1 << 30);
    for (uint64_t i = 0; i < N_FAULTY; i++) {
        struct reduce_subject s = {.profile = PROFILE_ARITH, .has_tape = 1};
        const char *core = "", *traced = "";
        arena_reset(&a);
        must(targets_make_sim(FAULTY, &target, &a, &e), &e);
        must(sched_make_case(PROFILE_ARITH, SEED, i, ENV_CL, &a, &s.tc, &s.tape, &e), &e);
        const char *const facts = sim_facts_for(&s.tc, 1, &a);
        struct judgement *const g = ARENA_NEW(&a, struct judgement, 1);
        assert_non_null(g);
        must(sim_run(&s.tc, &(struct sim_device){target.strategy, 1, &target.fault, facts}, &a,
                     &s.ob, NULL, &e),
             &e);
        s.ob.facts = facts;
        must(judge_run(&s.tc, &s.ob, &a, g, &e), &e);
        if (verdict_rows[g->kind].part != PART_VIOLATION) {
            continue;
        }
        s.wanted = (struct trial_wanted){.core = signature_of(&g->findings[0], &s.ob, &a).core,
                                         .facts = facts,
                                         .n_runs = 1,
                                         .n_needed = 1};
        must(first_wrong_find(&s, &target, &a, &core, &e), &e);
        must(first_wrong_trace(&s.tc, &s.wanted, &target, &a, &traced, &e), &e);
        if (strcmp(s.wanted.core, blamed) == 0) {
            assert_string_equal(core, "");
            assert_string_equal(traced, "");
            n_itself++;
        } else if (core[0]) {
            assert_string_equal(core, blamed);
            n_blamed++;
        }
        if (traced[0]) {
            assert_true(first_wrong_is_in(traced, &s.tc, &a));
            assert_false(first_wrong_is_in("ulp INT_EXACT BitReverse i32 -", &s.tc, &a));
            assert_string_equal(traced, blamed);
            n_traced++;
        }
    }
    assert_in_range(n_itself, 1, N_FAULTY);
    assert_in_range(n_blamed, 1, N_FAULTY);
    assert_in_range(n_traced, 1, N_FAULTY);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_that_store_all_are_cases),
        cmocka_unit_test(the_first_wrong_value_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
