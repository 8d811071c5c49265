/* tests/oracle/test_flow_models.c -- bugs of places in a program: planted, explained by their model, and masking nothing
 * else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fuzz/io/bundle.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"
#include "oracle/explain/explain.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/case_rig.h"

enum {
    N_CASES = 400,
    ENOUGH = 12 /* cases in which the bug has to be seen */
};

/* Generates a case and runs it with these faults, everywhere. false: it is beyond the interpreter, and nothing is found. */
static bool run(struct rig *r, uint64_t seed, struct fault_plan *first, struct fault_plan *second)
{
    struct err e = {0};
    struct tape t;
    struct rng rng = rng_seed(seed);
    arena_reset(&r->a);
    must(tape_random(&t, &rng, &r->a, &e), &e);
    must(gen_case(PROFILE_ATOMICS, ENV_VK, &t, &r->a, &r->tc, NULL, &e), &e);
    first->everywhere = second->everywhere = 1;
    first->next = second->id == FAULT_NONE ? NULL : second;
    const char *const facts = sim_facts_for(&r->tc, seed, &r->a);
    enum res const res = sim_run(&r->tc, &(struct sim_device){SIM_IEEE, seed, first, facts}, &r->a,
                                 &r->ob, NULL, &e);
    r->j = (struct judgement){.note = ""};
    if (res != RES_LIMIT) { /* else the interpreter does not follow it */
        must(res, &e);
        r->ob.facts = facts;
        must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
    }
    return res != RES_LIMIT;
}

/* How many findings are left under the hypothesis of the bug. */
static uint32_t count_left(struct rig *r, enum fault_id id, uint32_t *n_taken)
{
    struct err e = {0};
    struct judgement under;
    struct hypothesis s = {.plan = fault_plan_of(id)};
    must(explain_run(&r->tc, &r->ob, &s, &r->a, &under, &e), &e);
    *n_taken = s.n_taken;
    return under.n_inconclusive > r->j.n_inconclusive ? r->j.n_found : under.n_found;
}

static void test_rows(void **state)
{
    (void)state;
    uint32_t n = 0;
    for (int id = 0; id < FAULT_N; id++) {
        const struct flow_row *const row = fault_get_flow((enum fault_id)id);
        n += row != NULL;
        assert_int_equal(row != NULL, fault_is_of_flow((enum fault_id)id));
        assert_true(!row || (!fault_is_of_groups((enum fault_id)id) &&
                             !fault_is_of_math((enum fault_id)id)));
    }
    assert_true(n > 0);
}

/* Invocations that stop in a loop: the model explains nearly all such runs to the end. */
static void test_stops_are_explained(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    uint32_t n_seen = 0, n_explained = 0, n_taken;
    for (uint64_t seed = 0; seed < N_CASES; seed++) {
        struct fault_plan plan = fault_plan_of(FAULT_STOPS_AFTER_LOOP);
        struct fault_plan none = fault_plan_of(FAULT_NONE);
        (void)run(r, seed, &plan, &none);
        if (r->j.kind == VERDICT_MASK) {
            uint32_t const n_left = count_left(r, FAULT_STOPS_AFTER_LOOP, &n_taken);
            n_seen++;
            n_explained += n_left == 0 && n_taken > 0;
        }
    }
    free_rig(r);
    assert_true(n_seen >= ENOUGH);
    assert_true(n_explained * 10 >= n_seen * 8);
}

/* Another fault by itself: no model of a place explains any of it. */
static void test_others_are_not_masked(void **state)
{
    static const enum fault_id others[] = {FAULT_SUM_OFF_ULP, FAULT_STORE_LOST, FAULT_NAN_WINS_MAX,
                                           FAULT_CMPXCHG_ALWAYS};
    (void)state;
    struct rig *r = make_rig();
    uint32_t n_seen = 0, n_masked = 0, n_taken;
    for (uint64_t seed = 0; seed < N_CASES; seed++) {
        struct fault_plan plan = fault_plan_of(others[seed % ARRAY_N(others)]);
        struct fault_plan none = fault_plan_of(FAULT_NONE);
        (void)run(r, seed, &plan, &none);
        if (verdict_rows[r->j.kind].part == PART_VIOLATION) {
            n_seen++;
            n_masked += count_left(r, FAULT_STOPS_AFTER_LOOP, &n_taken) == 0;
        }
    }
    free_rig(r);
    assert_true(n_seen >= ENOUGH);
    assert_true(n_masked * 10 <=
                n_seen); /* an update that nobody saw may well be one that was not done */
}

/* Beside a known one, another fault is still found where invocations stop. */
static void test_both_are_told_apart(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    uint32_t n_both = 0, n_told = 0, n_taken;
    for (uint64_t seed = 0; seed < N_CASES; seed++) {
        struct fault_plan plan = fault_plan_of(FAULT_STOPS_AFTER_LOOP);
        struct fault_plan other = fault_plan_of(FAULT_SUM_OFF_ULP);
        struct fault_plan none = fault_plan_of(FAULT_NONE);
        (void)run(r, seed, &plan, &none);
        bool const stops = r->j.kind == VERDICT_MASK;
        (void)run(r, seed, &other, &none);
        if (!stops || r->j.kind != VERDICT_ULP) {
            continue;
        }
        (void)run(r, seed, &plan, &other);
        n_both++;
        n_told += count_left(r, FAULT_STOPS_AFTER_LOOP, &n_taken) > 0;
    }
    free_rig(r);
    assert_true(n_both >= 3);
    assert_true(n_told * 2 >= n_both); /* whoever has stopped adds nothing that could be wrong */
}

/* An honest run is judged the same under all models of places. */
static void test_honest_runs_stay(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    for (uint64_t seed = 0; seed < N_CASES / 4; seed++) {
        struct fault_plan none = fault_plan_of(FAULT_NONE), more = none;
        bool const is_run = run(r, seed, &none, &more);
        for (int id = 0; is_run && id < FAULT_N; id++) {
            uint32_t n_taken = 0;
            if (fault_is_of_flow((enum fault_id)id)) {
                assert_int_equal(count_left(r, (enum fault_id)id, &n_taken), r->j.n_found);
                assert_int_equal(n_taken, 0);
            }
        }
    }
    free_rig(r);
}

/* A program with control that goes another way, at one place that the seed draws. 1: it did; then it is a violation. */
static int run_way(struct rig *r, uint64_t seed, enum fault_id id, bool *is_found)
{
    struct err e = {0};
    struct tape t;
    struct rng rng = rng_seed(seed);
    struct fault_plan const plan = fault_plan_of(id), none = fault_plan_of(FAULT_NONE);
    struct sim_outcome outcome, honest;
    arena_reset(&r->a);
    must(tape_random(&t, &rng, &r->a, &e), &e);
    must(gen_case(PROFILE_PROGRAMS, (enum env)(seed % ENV_N), &t, &r->a, &r->tc, NULL, &e), &e);
    const char *const facts = sim_facts_for(&r->tc, seed, &r->a);
    if (sim_run(&r->tc, &(struct sim_device){SIM_IEEE, seed, &plan, facts}, &r->a, &r->ob, &outcome,
                &e) != RES_OK ||
        outcome.fault != FAULT_APPLIED) {
        return 0;
    }
    r->ob.facts = facts;
    must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
    *is_found = verdict_rows[r->j.kind].part == PART_VIOLATION;
    must(sim_run(&r->tc, &(struct sim_device){SIM_IEEE, seed, &none, facts}, &r->a, &r->ob, &honest,
                 &e),
         &e);
    r->ob.facts = facts;
    must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
    assert_true(verdict_rows[r->j.kind].part != PART_VIOLATION);
    return 1;
}

/* Cases, breaks, continues and turns that go wrong once in a program are seen in nearly all of them. */
static void test_ways_are_seen(void **state)
{
    static const enum fault_id ways[] = {FAULT_CASE_IS_DEFAULT, FAULT_CASE_IS_NEXT,
                                         FAULT_BREAK_IGNORED, FAULT_CONTINUE_IGNORED,
                                         FAULT_LAST_TURN_LOST};
    (void)state;
    struct rig *r = make_rig();
    for (size_t k = 0; k < ARRAY_N(ways); k++) {
        uint32_t n_applied = 0, n_found = 0;
        for (uint64_t seed = 0; seed < N_CASES && n_applied < ENOUGH; seed++) {
            bool is_found = false;
            n_applied += (uint32_t)run_way(r, seed, ways[k], &is_found);
            n_found += is_found;
        }
        if (n_applied < ENOUGH / 2 || n_found * 10 < n_applied * 8) {
            fail_msg("%s: seen in %u of %u programs", fault_rows[ways[k]].id, n_found, n_applied);
        }
    }
    free_rig(r);
}

static uint32_t count_across(const struct module *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        n += in->result && module_get_format(m, in->type) >= 0 &&
             fault_flow_is_negated_across_barrier(m, in);
    }
    return n;
}

/* In this module one negation is stored before a vote of the work-group and behind it; a vote of the sub-group would not
 * matter. */
static void test_negation_across_barrier(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    struct bundle b;
    struct module m;
    struct err e = {0};
    must(bundle_read("corpora/regress/20261125_intel_negation_across_a_barrier", &r->a, &b, &e),
         &e);
    must(module_decode(&m, b.tc.module, b.tc.n_words, b.tc.entry, &r->a, &e), &e);
    assert_int_equal(count_across(&m), 1);
    for (uint32_t i = 0; i < m.n_code; i++) {
        if (m.code[i].op == SpvOpGroupAny) {
            m.consts[m.ids[m.code[i].w[MOD_OPERAND]].slot].bits = SpvScopeSubgroup;
        }
    }
    assert_int_equal(count_across(&m), 0);
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_stops_are_explained),
        cmocka_unit_test(test_others_are_not_masked),
        cmocka_unit_test(test_both_are_told_apart),
        cmocka_unit_test(test_honest_runs_stay),
        cmocka_unit_test(test_ways_are_seen),
        cmocka_unit_test(test_negation_across_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
