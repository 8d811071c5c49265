/* tests/oracle/test_sim.c -- the oracle against the simulator: no false alarm, every planted fault caught. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fuzz/io/bundle.h"
#include "gen/case/gen.h"
#include "oracle/fault/faults.h"
#include "oracle/fault/faults_bug.h"
#include "oracle/fault/faults_group_bug.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/case_rig.h"
#include "tests/rig/fault_rig.h"

enum {
    CONTROL_CASES = 150, /* with HALFULP_SLOW=1; */
    FAST_CASES = 60,     /* without */
    FAULT_CASES = 1500,
    PROGRAM_CASES = 400, /* each of which holds more */
    BUG_CASES = 200,
    MATH_CASES = 4000, /* most have no instruction that the fault is about, and are passed over */
    ENOUGH_CAUGHT = 2  /* with HALFULP_SLOW=1; else one */
};

static int is_slow(void)
{
    return getenv("HALFULP_SLOW") != NULL;
}

static uint64_t count_controls(void)
{
    return is_slow() ? CONTROL_CASES : FAST_CASES;
}

static uint64_t get_seed(void)
{
    const char *text = getenv("SEED");
    return text ? strtoull(text, NULL, 0) : 1;
}

static void must_follow(const struct rig *r, enum res res, const struct err *e)
{
    if (res != RES_OK) {
        fail_msg("seed %llu %s %s: %s", (unsigned long long)r->seed, r->tc.profile,
                 env_names[r->tc.env], e->text);
    }
}

/* 0: the interpreter does not follow the case. */
static int simulate_plan(struct rig *r, enum sim_strategy strategy, const struct fault_plan *plan)
{
    struct err e = {0};
    const char *facts = sim_facts_for(&r->tc, r->seed, &r->a);
    enum res const res = sim_run(&r->tc, &(struct sim_device){strategy, r->seed, plan, facts},
                                 &r->a, &r->ob, &r->outcome, &e);
    if (res == RES_LIMIT) {
        return 0;
    }
    must_follow(r, res, &e);
    return 1;
}

static int simulate(struct rig *r, enum sim_strategy strategy, enum fault_id fault)
{
    struct fault_plan const plan = fault_plan_of(fault);
    return simulate_plan(r, strategy, &plan);
}

static void judge(struct rig *r)
{
    struct err e = {0};
    must_follow(r, judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
}

static int run(struct rig *r, enum sim_strategy strategy, enum fault_id fault)
{
    if (!simulate(r, strategy, fault)) {
        return 0;
    }
    judge(r);
    return 1;
}

/* Judges the case only where the fault was applied: the controls have the others. */
static int run_faulty(struct rig *r, enum sim_strategy strategy, enum fault_id fault)
{
    if (!sim_can_plant(&r->tc, fault, &r->a) || !simulate(r, strategy, fault) ||
        r->outcome.fault != FAULT_APPLIED) {
        return 0;
    }
    judge(r);
    return 1;
}

/* What the controls of one profile came to. */
struct control {
    uint64_t n_cases, n_judged, n_inconclusive, n_reductions, n_bounded, n_partial;
    uint64_t n_tight, n_tight_sharp;
    uint64_t n_to_integer; /* executed in Vulkan */
};

/* A bound that no encoding meets is told, and is no fault of the device's. */
static int is_alarm(const struct judgement *j)
{
    uint32_t n_excused = 0;
    for (uint32_t i = 0; i < j->n_findings; i++) {
        n_excused += j->findings[i].clause == CLAUSE_MAX_ERROR_UNSATISFIABLE;
    }
    return verdict_rows[j->kind].part == PART_VIOLATION ||
           (j->kind == VERDICT_DIVERGENCE && n_excused < j->n_found);
}

static void check_control(struct rig *r, enum sim_strategy strategy, struct control *c)
{
    c->n_cases++;
    if (!run(r, strategy, FAULT_NONE)) {
        c->n_inconclusive++;
        return;
    }
    if (is_alarm(&r->j)) {
        fail_msg("SEED=%llu %s %s, strategy %s: %s: %s", (unsigned long long)r->seed, r->tc.profile,
                 env_names[r->tc.env], sim_strategy_names[strategy], verdict_rows[r->j.kind].name,
                 r->j.findings[0].text);
    }
    if (r->tc.env == ENV_VK && (r->outcome.conversions.n_out_of_range > 0 || r->j.undefined)) {
        fail_msg("SEED=%llu %s, strategy %s: %llu conversions out of range; %s",
                 (unsigned long long)r->seed, r->tc.profile, sim_strategy_names[strategy],
                 (unsigned long long)r->outcome.conversions.n_out_of_range, r->j.note);
    }
    c->n_to_integer += r->tc.env == ENV_VK ? r->outcome.conversions.n : 0;
    c->n_judged += r->j.n_judged;
    c->n_tight += r->j.n_tight;
    c->n_tight_sharp += r->j.n_tight_sharp;
    c->n_inconclusive += r->j.kind == VERDICT_INCONCLUSIVE;
    c->n_reductions += r->j.n_reductions;
    c->n_bounded += r->j.n_reductions_bounded;
    c->n_partial += r->j.n_partial;
}

static struct control check_controls(enum profile profile)
{
    struct rig *r = make_rig();
    struct control c = {0};
    for (uint64_t s = 0; s < count_controls(); s++) {
        for (int k = 0; k < ENV_N * SIM_STRATEGY_N; k++) {
            make_case(r, profile, (enum env)(k % ENV_N), get_seed() + s);
            check_control(r, (enum sim_strategy)(k / ENV_N), &c);
        }
    }
    assert_true(c.n_judged > 0);
    free_rig(r);
    return c;
}

static void no_alarm_without_a_fault(void **state)
{
    (void)state;
    (void)check_controls(PROFILE_ATOMICS);
}

/* And what is not decided is little. */
static void no_alarm_for_honest_groups(void **state)
{
    (void)state;
    struct control const c = check_controls(PROFILE_GROUPS);
    assert_true(c.n_reductions > 0 && c.n_partial > 0);
    assert_true(c.n_bounded * 10 < c.n_reductions);
    assert_true(c.n_inconclusive * 25 < c.n_cases);
}

/* And of what no loose bound stands behind, at least 95% has at most 4 encodings. */
static void no_alarm_for_honest_mathematics(void **state)
{
    (void)state;
    struct control const c = check_controls(PROFILE_MAXERROR);
    assert_true(c.n_tight > 0 && c.n_tight_sharp * 100 >= c.n_tight * 95);
    assert_true(c.n_inconclusive * 25 < c.n_cases);
}

/* The w of a cross product is 0 also where no infinity may be in it: an honest device may not draw another. */
static void bug_20261123_w_of_cross(void **state)
{
    (void)state;
    static const char path[] = "corpora/regress/20261123_w_of_cross_without_infinities";
    struct rig *r = make_rig();
    struct control c = {0};
    for (uint64_t s = 0; s < count_controls(); s++) {
        struct bundle b;
        struct err e;
        arena_reset(&r->a);
        assert_int_equal(bundle_read(path, &r->a, &b, &e), RES_OK);
        r->tc = b.tc;
        r->seed = s;
        check_control(r, SIM_ANY, &c);
    }
    assert_true(c.n_judged > 0 && c.n_inconclusive == 0);
    free_rig(r);
}

/* Does an alarm name the instruction and the kind? */
static int is_caught(const struct rig *r, enum fault_id fault)
{
    const struct fault_row *row = &fault_rows[fault];
    for (uint32_t i = 0; i < r->j.n_findings; i++) {
        const struct finding *f = &r->j.findings[i];
        if (f->kind == row->expect &&
            (f->offset == r->outcome.site || f->offset2 == r->outcome.site ||
             row->expect == VERDICT_CORRUPT || fault_is_of_flow(fault) ||
             fault_is_of_memory(fault) || fault_is_of_dispatches(fault))) {
            return 1;
        }
    }
    return 0;
}

/* May it find no site in all cases of this test? The other bugs of control flow are not planted (tests/oracle/test_flow_models.c);
 * two are of sub-groups of more than eight doubles (tests/program/test_known_groups.c). */
static bool may_be_absent(enum fault_id fault)
{
    return (fault_is_of_flow(fault) && fault != FAULT_STOPS_AFTER_LOOP) ||
           fault_needs_many_doubles(fault);
}

/* A fault that is planted in one random case after another until it was caught often enough. */
struct hunt {
    enum fault_id fault;
    enum profile profile;
    int strategy; /* enum sim_strategy; -1: they take turns */
    uint64_t n_most;
    int n_enough, n_applied, n_caught;
};

static bool is_hunted(const struct hunt *h, enum profile profile, uint64_t s)
{
    return h->profile == profile && h->n_caught < h->n_enough && s < h->n_most;
}

static void try_hunt(struct rig *r, struct hunt *h, uint64_t s)
{
    const struct fault_row *row = &fault_rows[h->fault];
    int const strategy = h->strategy >= 0 ? h->strategy : (int)(s % SIM_STRATEGY_N);
    if (!run_faulty(r, (enum sim_strategy)strategy, h->fault)) {
        return;
    }
    bool const is_wrong = fault_is_of_math(h->fault)
                              ? is_alarm(&r->j)
                              : verdict_rows[r->j.kind].part == PART_VIOLATION;
    if (row->expect == VERDICT_OK && is_wrong) {
        fail_msg("SEED=%llu: the legal %s alarms: %s", (unsigned long long)r->seed, row->id,
                 r->j.findings[0].text);
    }
    h->n_applied++;
    h->n_caught += row->expect == VERDICT_OK || is_caught(r, h->fault);
}

/* Each case is made once for all that are hunted in its profile. */
static void hunt_all(struct rig *r, struct hunt *h, uint32_t n)
{
    for (int p = 0; p < PROFILE_N; p++) {
        bool is_any = true;
        for (uint64_t s = 0; is_any; s++) {
            struct arena_mark mark;
            is_any = false;
            for (uint32_t i = 0; i < n; i++) {
                if (!is_hunted(&h[i], (enum profile)p, s)) {
                    continue;
                }
                if (!is_any) {
                    make_case(r, (enum profile)p, (enum env)(s % ENV_N), get_seed() + s / ENV_N);
                    mark = arena_get_mark(&r->a);
                    is_any = true;
                }
                try_hunt(r, &h[i], s);
                arena_release(&r->a, mark);
            }
        }
    }
}

/* A fault that may be absent is looked for longer with HALFULP_SLOW=1. */
static uint64_t count_cases(enum fault_id fault)
{
    uint64_t const n = profile_of_fault(fault) == PROFILE_PROGRAMS ? PROGRAM_CASES : FAULT_CASES;
    return may_be_absent(fault) && !is_slow() ? n / 8 : n;
}

static void each_fault_gets_its_verdict(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    static struct hunt h[FAULT_N * SIM_STRATEGY_N];
    uint32_t n = 0;
    for (int f = 0; f < FAULT_N; f++) {
        enum profile const profile = profile_of_fault((enum fault_id)f);
        for (int c = 0; c < SIM_STRATEGY_N && !fault_is_of_math((enum fault_id)f); c++) {
            h[n++] = (struct hunt){.fault = (enum fault_id)f,
                                   .profile = profile,
                                   .strategy = c,
                                   .n_most = count_cases((enum fault_id)f),
                                   .n_enough = is_slow() ? ENOUGH_CAUGHT : 1};
        }
    }
    hunt_all(r, h, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct fault_row *row = &fault_rows[h[i].fault];
        if (h[i].n_applied == 0 && !may_be_absent(h[i].fault)) {
            fail_msg("%s was never applied: this test is empty", row->id);
        }
        if (h[i].n_applied > 0 && h[i].n_caught == 0) {
            fail_msg("%s, strategy %s: applied %d times, never caught as %s", row->id,
                     sim_strategy_names[h[i].strategy], h[i].n_applied,
                     verdict_rows[row->expect].name);
        }
    }
    free_rig(r);
}

/* Until it was caught once; a legal oddity once. */
static void faults_of_mathematics_are_caught(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    static struct hunt h[FAULT_N];
    uint32_t n = 0;
    for (int f = 0; f < FAULT_N; f++) {
        enum fault_id const fault = (enum fault_id)f;
        if (fault_is_of_math(fault)) {
            /* a bug is of one function and rare operands, most of them */
            h[n++] = (struct hunt){.fault = fault,
                                   .profile = profile_of_fault(fault),
                                   .strategy = -1,
                                   .n_most = fault_is_bug(fault) ? BUG_CASES : MATH_CASES,
                                   .n_enough = 1};
        }
    }
    assert_true(n > 0);
    hunt_all(r, h, n);
    for (uint32_t i = 0; i < n; i++) {
        bool const may_be_missed = fault_is_bug(h[i].fault) && h[i].n_applied < ENOUGH_CAUGHT;
        if (h[i].n_caught == 0 && !may_be_missed) {
            fail_msg("%s: applied %d times, never caught as %s", fault_rows[h[i].fault].id,
                     h[i].n_applied, verdict_rows[fault_rows[h[i].fault].expect].name);
        }
    }
    free_rig(r);
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    for (uint64_t s = 0; s < 20; s++) {
        uint64_t hash[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            make_case(r, s % 4 < 2 ? PROFILE_ATOMICS : PROFILE_GROUPS, (enum env)(s % ENV_N),
                      get_seed() + s);
            assert_true(run(r, SIM_ANY, FAULT_NONE));
            for (uint32_t b = 0; b < r->tc.n_bufs; b++) {
                hash[k] = hash_bytes(hash[k], r->ob.out[b], r->tc.bufs[b].n_bytes);
            }
        }
        assert_true(hash[0] == hash[1]);
    }
    free_rig(r);
}

/* Each case with atomics on bfloat16 is followed, also where they stand in functions that take and give it. */
static void bug_20261125_bfloat_in_functions(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    uint32_t n = 0;
    for (uint64_t s = 0; s < 1000; s++) {
        make_case(r, PROFILE_ATOMICS, ENV_CL, get_seed() + s);
        if (needs_has(&r->tc.needs, NEED_CL_BF16)) {
            assert_true(simulate(r, SIM_IEEE, FAULT_NONE));
            n++;
        }
    }
    assert_true(n > 20);
    free_rig(r);
}

/* The simulated device lacks nothing that a case may need, whatever the seed. */
static void facts_meet_every_need(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    uint64_t sizes[ENV_N] = {0};
    for (uint64_t s = 0; s < 100; s++) {
        arena_reset(&r->a);
        for (int env = 0; env < ENV_N; env++) {
            struct testcase const tc = {.env = (enum env)env};
            const char *facts = sim_facts(tc.env, s, &r->a);
            for (int i = 0; i < NEED_N; i++) {
                if ((cap_rows[i].envs >> env & 1) && !facts_meet(facts, (enum need_id)i)) {
                    fail_msg("seed %llu: %s is not met", (unsigned long long)s, cap_rows[i].id);
                }
            }
            sizes[env] |=
                facts_number(sim_facts_for(&tc, s, &r->a),
                             env == ENV_VK ? "vk.p.subgroupSize" : "cl.sim_subgroup_size");
        }
    }
    assert_int_equal(sizes[ENV_CL], 255); /* each power of two from 1 to 128 */
    assert_int_equal(sizes[ENV_VK], 255);
    free_rig(r);
}

/* If each store to arrays of the function is lost or goes to the next element, the loads give some number. The simulator
 * must follow such a case. */
static void variables_that_no_store_reaches_are_numbers(void **state)
{
    (void)state;
    static const enum fault_id faults[] = {FAULT_OWN_STORE_LOST, FAULT_OWN_STORE_NEXT};
    struct rig *r = make_rig();
    for (size_t f = 0; f < ARRAY_N(faults); f++) {
        struct fault_plan plan = fault_plan_of(faults[f]);
        int is_seen = 0;
        plan.everywhere = 1;
        for (uint64_t i = 0; i < PROGRAM_CASES && !is_seen; i++) {
            make_case(r, PROFILE_PROGRAMS, (enum env)(i % ENV_N), get_seed() * 1000 + i);
            if (simulate_plan(r, SIM_IEEE, &plan) && r->outcome.fault == FAULT_APPLIED) {
                judge(r);
                is_seen = is_caught(r, faults[f]);
            }
        }
        if (!is_seen) {
            fail_msg("%s everywhere: never caught", fault_rows[faults[f]].id);
        }
    }
    free_rig(r);
}

/* In Vulkan no drawn case has a remainder of a negative operand but one that needs maintenance8, and some have. */
static void drawn_remainders_have_a_result(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    uint32_t n_needed = 0, n_negative = 0;
    for (uint64_t i = 0; i < PROGRAM_CASES; i++) {
        make_case(r, PROFILE_PROGRAMS, ENV_VK, get_seed() * 1000 + i);
        if (!run(r, SIM_IEEE, FAULT_NONE)) {
            continue;
        }
        struct needs const own = r->tc.needs;
        bool const is_needed = needs_has(&own, NEED_VK_NEGATIVE_REMAINDER) != 0;
        needs_add(&r->tc.needs, NEED_VK_NEGATIVE_REMAINDER);
        judge(r);
        uint64_t const n_anything = r->j.n_anything;
        r->tc.needs.bits[NEED_VK_NEGATIVE_REMAINDER / 64] &=
            ~(UINT64_C(1) << NEED_VK_NEGATIVE_REMAINDER % 64);
        judge(r);
        assert_true(is_needed || r->j.n_anything == n_anything);
        n_needed += is_needed;
        n_negative += r->j.n_anything > n_anything;
    }
    assert_true(n_negative > 0);
    assert_true(n_needed < PROGRAM_CASES / 4);
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_remainders_have_a_result),
        cmocka_unit_test(variables_that_no_store_reaches_are_numbers),
        cmocka_unit_test(no_alarm_without_a_fault),
        cmocka_unit_test(no_alarm_for_honest_groups),
        cmocka_unit_test(no_alarm_for_honest_mathematics),
        cmocka_unit_test(bug_20261123_w_of_cross),
        cmocka_unit_test(bug_20261125_bfloat_in_functions),
        cmocka_unit_test(facts_meet_every_need),
        cmocka_unit_test(each_fault_gets_its_verdict),
        cmocka_unit_test(faults_of_mathematics_are_caught),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
    };
    cmocka_set_test_filter(getenv("ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
