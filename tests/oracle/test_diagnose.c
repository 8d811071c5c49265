/* tests/oracle/test_diagnose.c -- runs judged under the hypothesis of a fault; which fault explains a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gen/case/gen.h"
#include "oracle/diagnose/diagnose.h"
#include "oracle/explain/explain.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/case_rig.h"

enum {
    N_TRIES = 3000, /* cases in which a fault is looked for */
    N_HONEST = 6    /* runs without a fault, of each profile and environment */
};

/* One fault that must be named first, or as well as what is named first. */
struct row {
    enum fault_id fault;
    enum profile profile;
};
static const struct row rows[] = {
    {FAULT_DOUBLED_UPDATE,   PROFILE_ATOMICS},
    {FAULT_FIRST_LANE_ONLY,  PROFILE_ATOMICS},
    {FAULT_UNUSED_DROPPED,   PROFILE_ATOMICS},
    {FAULT_SUM_OFF_ULP,      PROFILE_ATOMICS},
    {FAULT_INTEGER_COMPARE,  PROFILE_ATOMICS},
    {FAULT_SCAN_REVERSED,    PROFILE_GROUPS },
    {FAULT_LANE_NEGATED,     PROFILE_GROUPS },
    {FAULT_SUMS_DIFFER,      PROFILE_GROUPS },
    {FAULT_VOTES_SWAPPED,    PROFILE_GROUPS },
    {FAULT_BALLOT_BEYOND,    PROFILE_GROUPS },
    {FAULT_SWIZZLE_ORDER,    PROFILE_GROUPS },
    {FAULT_STALE_RESULT,     PROFILE_GROUPS },
    {FAULT_LEFTOVER_SCRATCH, PROFILE_GROUPS },
    {FAULT_ARITH_OFF_ULP,    PROFILE_ARITH  },
    {FAULT_OUTSIDE_DOMAIN,   PROFILE_ARITH  },
    {FAULT_COMPARED_SWAPPED, PROFILE_ARITH  },
    {FAULT_DOT_UNSIGNED,     PROFILE_ARITH  },
    {FAULT_FREXP_OF_SPECIAL, PROFILE_ARITH  },
};

/* Runs the case by the plan. false: the interpreter does not follow it, or the fault did not act. */
static bool simulate(struct rig *r, const struct fault_plan *plan, uint64_t seed, uint32_t *site)
{
    struct err e = {0};
    struct sim_outcome outcome = {.site = 0};
    enum res const res = sim_run(
        &r->tc, &(struct sim_device){SIM_IEEE, seed, plan, sim_facts_for(&r->tc, seed, &r->a)},
        &r->a, &r->ob, &outcome, &e);
    if (res == RES_LIMIT) {
        return false;
    }
    must(res, &e);
    *site = outcome.site;
    return plan->id == FAULT_NONE || outcome.fault == FAULT_APPLIED;
}

/* A device that has the fault at all sites of an instruction. false: none in this case, or it is not seen twice: one value
 * alone may be explained by several. */
static bool run_faulty(struct rig *r, const struct row *row, uint64_t seed)
{
    struct err e = {0};
    uint32_t site;
    struct fault_plan plan = fault_plan_of(row->fault);
    make_case(r, row->profile, (enum env)(seed % ENV_N), seed);
    if (!sim_can_plant(&r->tc, row->fault, &r->a) || !simulate(r, &plan, seed, &site)) {
        return false;
    }
    sim_plan_at(&r->tc, site, &plan, &r->a);
    if (!simulate(r, &plan, seed, &site)) {
        return false;
    }
    must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
    return r->j.n_findings > 1 && (verdict_rows[r->j.kind].part == PART_VIOLATION ||
                                   r->j.kind == fault_rows[row->fault].expect);
}

/* The fault is named first. true: it acted wherever it could; where what it gives is permitted the device does not have it. */
static bool check_named(struct rig *r, const struct row *row, uint64_t seed)
{
    struct err e = {0};
    struct diagnosis_list list;
    struct diagnose *d = diagnose_new(&r->a);
    assert_non_null(d);
    must(diagnose_add(d, &r->tc, &r->ob, &r->j, &r->a, &e), &e);
    diagnose_rank(d, &list);
    const struct explanation *it = diagnose_get(d, row->fault);
    if (list.n == 0 ||
        (list.named[0].plan.id != row->fault && !explanation_is_equal(it, &list.named[0]))) {
        const struct explanation *const first = &list.named[0];
        fail_msg(
            "%s, seed %llu: named is %s: %u of %u findings left, %u values taken, %u kept; of %u, "
            "%u, %u, %u",
            fault_rows[row->fault].id, (unsigned long long)seed,
            list.n ? fault_rows[first->plan.id].id : "none", list.n ? first->n_left : 0,
            list.n ? first->n_found : 0, list.n ? first->n_taken : 0, list.n ? first->n_kept : 0,
            it->n_found, it->n_left, it->n_taken, it->n_kept);
    }
    if (it->n_left == it->n_found) {
        fail_msg("%s, seed %llu: %u of %u findings left", fault_rows[row->fault].id,
                 (unsigned long long)seed, it->n_left, it->n_found);
    }
    bool const acts_everywhere = it->n_kept == 0;
    diagnose_leave_out(d, row->fault);
    diagnose_rank(d, &list);
    for (uint32_t i = 0; i < list.n; i++) {
        assert_int_not_equal(list.named[i].plan.id, row->fault);
    }
    return acts_everywhere;
}

static void test_named_first(void **state)
{
    struct rig *r = make_rig();
    (void)state;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        uint64_t seed = 1;
        while (seed < N_TRIES &&
               !(run_faulty(r, &rows[i], seed) && check_named(r, &rows[i], seed))) {
            seed++;
        }
        if (seed == N_TRIES) {
            fail_msg("%s was never applied wherever it could", fault_rows[rows[i].fault].id);
        }
    }
    free_rig(r);
}

/* Whatever an honest device is suspected of: nothing is found, and nothing speaks for it. */
static void check_honest(struct rig *r, enum fault_id fault)
{
    struct err e = {0};
    struct judgement under;
    struct hypothesis s = {.plan = fault_plan_of(fault)};
    struct arena_mark const mark = arena_get_mark(&r->a);
    must(explain_run(&r->tc, &r->ob, &s, &r->a, &under, &e), &e);
    if (under.n_found != r->j.n_found || s.n_taken != 0) {
        fail_msg("%s %s under %s: %u findings, %u values of the fault: %s", r->tc.profile,
                 env_names[r->tc.env], fault_rows[fault].id, under.n_found, s.n_taken,
                 under.n_findings ? under.findings[0].text : "");
    }
    assert_true(s.n_kept <= s.n_sites);
    arena_release(&r->a, mark);
}

static void test_honest_is_unchanged(void **state)
{
    struct rig *r = make_rig();
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    uint64_t n_judged = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= N_HONEST; seed++) {
        for (size_t i = 0; i < ARRAY_N(rows); i++) {
            struct err e = {0};
            uint32_t site;
            make_case(r, rows[i].profile, (enum env)(seed % ENV_N), seed);
            if (simulate(r, &none, seed, &site)) {
                must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
                check_honest(r, rows[i].fault);
                n_judged++;
            }
        }
    }
    assert_true(n_judged > N_HONEST);
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_first),
        cmocka_unit_test(test_honest_is_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
