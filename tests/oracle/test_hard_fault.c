/* tests/oracle/test_hard_fault.c -- each hard fault fires where all its conditions hold and the judge tells it
 * from what is right; with one of them missing nothing happens. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ops.h"
#include "fuzz/targets/targets.h"
#include "fuzz/targets/targets_sim.h"
#include "gen/case/gen.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/hard_fault.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/case_rig.h"

/* Cases are those of a random tape of this seed; OpenCL where it is even, else Vulkan. */
struct witness {
    enum hard_id id;
    int without; /* of its conditions, the one that is missing in this case; -1: all hold */
    uint64_t seed;
};
static const struct witness witnesses[] = {
#define FIRES(id, seed)             {HARD_##id, -1, seed},
#define SILENT(id, condition, seed) {HARD_##id, CONDITION_##condition, seed},
#include "tests/oracle/hard_fault_cases.def"
};

/* 0: the interpreter does not follow the case. */
static int run(struct rig *r, enum sim_strategy strategy, uint64_t seed,
               const struct fault_plan *plan)
{
    struct err e = {RES_OK, ""};
    enum res const res = sim_run(&r->tc, &(struct sim_device){strategy, seed, plan, r->facts},
                                 &r->a, &r->ob, &r->outcome, &e);
    if (res != RES_OK && res != RES_LIMIT) {
        fail_msg("seed %" PRIu64 ": %s", seed, e.text);
    }
    return res == RES_OK;
}

static void make_with_facts(struct rig *r, const char *profile, uint64_t seed)
{
    make_case(r, (enum profile)profile_find(profile), (enum env)(seed % ENV_N), seed);
    r->facts = sim_facts(r->tc.env, seed, &r->a);
}

static void judge(struct rig *r, struct judgement *j)
{
    struct err e = {RES_OK, ""};
    if (judge_run(&r->tc, &r->ob, &r->a, j, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
}

/* Does a finding name the instruction and the kind? */
static int is_told(const struct judgement *j, enum verdict_kind kind, uint32_t site)
{
    for (uint32_t i = 0; i < j->n_findings; i++) {
        const struct finding *f = &j->findings[i];
        if (f->kind == kind && (f->offset == site || f->offset2 == site)) {
            return 1;
        }
    }
    return 0;
}

/* A fault that acts at more of the same sites, where the base fault itself asks for the condition. */
static enum fault_id get_probe(enum fault_id base, int without)
{
    static const struct {
        enum fault_id base, probe;
        enum hard_condition asked;
    } rows[] = {
        {FAULT_NAN_WINS_MIN,     FAULT_MINMAX_SWAPPED,    CONDITION_QUIET_NAN     },
        {FAULT_SNAN_AS_NUMBER,   FAULT_MINMAX_SWAPPED,    CONDITION_SIGNALLING_NAN},
        {FAULT_FLUSHED,          FAULT_SUM_OFF_ULP,       CONDITION_TO_SUBNORMAL  },
        {FAULT_INACTIVE_COUNTED, FAULT_LANE_OMITTED,      CONDITION_PARTIAL       },
        {FAULT_SHUFFLE_BY_RANK,  FAULT_STALE_RESULT,      CONDITION_PARTIAL       },
        {FAULT_NAN_WINS_GROUP,   FAULT_LANE_OMITTED,      CONDITION_QUIET_NAN     },
        {FAULT_MINUS_ZERO_LOST,  FAULT_STALE_RESULT,      CONDITION_MINUS_ZERO    },
        {FAULT_MATH_FLUSHED,     FAULT_COMPONENT_SWAPPED, CONDITION_TO_SUBNORMAL  },
        {FAULT_POW_OF_NAN,       FAULT_MATH_OFF_TEN,      CONDITION_QUIET_NAN     },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].base == base && (int)rows[i].asked == without) {
            return rows[i].probe;
        }
    }
    return base;
}

static struct fault_plan plan_without(const struct witness *w)
{
    struct fault_plan plan = hard_plan_of(w->id);
    plan.id = get_probe(plan.id, w->without);
    plan.conditions &= ~(UINT32_C(1) << w->without);
    return plan;
}

/* The fault is there and told; the same device without it is not blamed for anything. */
static void check_fires(struct rig *r, const struct witness *w, enum sim_strategy strategy)
{
    const struct hard_row *row = &hard_rows[w->id];
    struct fault_plan const plan = hard_plan_of(w->id), honest = fault_plan_of(FAULT_NONE);
    struct judgement j;
    make_with_facts(r, row->profile, w->seed);
    assert_true(run(r, strategy, w->seed, &plan));
    if (r->outcome.fault != FAULT_APPLIED) {
        fail_msg("%s, seed %" PRIu64 ": not applied", row->id, w->seed);
    }
    judge(r, &j);
    if (!is_told(&j, fault_rows[row->base].expect, r->outcome.site)) {
        fail_msg("%s, seed %" PRIu64 ": not told as %s at word %u, but: %s", row->id, w->seed,
                 verdict_rows[fault_rows[row->base].expect].name, r->outcome.site,
                 j.n_findings ? j.findings[0].text : "nothing");
    }
    assert_true(run(r, strategy, w->seed, &honest));
    judge(r, &j);
    assert_true(verdict_rows[j.kind].part != PART_VIOLATION);
}

/* One condition less and it would be there; as it is, every byte is that of an honest device. */
static void check_silent(struct rig *r, const struct witness *w)
{
    const struct hard_row *row = &hard_rows[w->id];
    struct fault_plan const plan = hard_plan_of(w->id), honest = fault_plan_of(FAULT_NONE);
    struct fault_plan const less = plan_without(w);
    struct observation faulty;
    make_with_facts(r, row->profile, w->seed);
    assert_true(run(r, SIM_IEEE, w->seed, &less));
    if (r->outcome.fault != FAULT_APPLIED) {
        fail_msg("%s, seed %" PRIu64 ": no site that lacks %s alone", row->id, w->seed,
                 condition_rows[w->without].id);
    }
    assert_true(run(r, SIM_IEEE, w->seed, &plan));
    if (r->outcome.fault == FAULT_APPLIED) {
        fail_msg("%s, seed %" PRIu64 ": applied without %s", row->id, w->seed,
                 condition_rows[w->without].id);
    }
    faulty = r->ob;
    assert_true(run(r, SIM_IEEE, w->seed, &honest));
    for (uint32_t b = 0; b < r->tc.n_bufs; b++) {
        assert_memory_equal(faulty.out[b], r->ob.out[b], r->tc.bufs[b].n_bytes);
    }
}

static void each_fires_where_all_conditions_hold(void **state)
{
    /* SHOWS(FA_ORDERS, ME_SPECIAL) */
    (void)state;
    struct rig *r = make_rig();
    int n[HARD_N] = {0};
    for (size_t i = 0; i < ARRAY_N(witnesses); i++) {
        if (witnesses[i].without < 0) {
            check_fires(r, &witnesses[i], SIM_IEEE);
            n[witnesses[i].id]++;
        }
    }
    for (int i = 0; i < HARD_N; i++) {
        if (n[i] == 0) {
            fail_msg("%s has no case in which it fires", hard_rows[i].id);
        }
    }
    free_rig(r);
}

static void each_is_silent_without_one_of_them(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    uint32_t seen[HARD_N] = {0};
    for (size_t i = 0; i < ARRAY_N(witnesses); i++) {
        const struct witness *w = &witnesses[i];
        if (w->without >= 0) {
            check_silent(r, w);
            seen[w->id] |= UINT32_C(1) << w->without;
        }
    }
    for (int i = 0; i < HARD_N; i++) {
        if (seen[i] != hard_rows[i].conditions) {
            fail_msg("%s: a condition has no case in which it alone is missing", hard_rows[i].id);
        }
    }
    free_rig(r);
}

/* Rows say what they mean. */
static void the_table_is_sound(void **state)
{
    (void)state;
    int by_profile[PROFILE_DRAWN_N] = {0};
    for (int i = 0; i < HARD_N; i++) {
        const struct hard_row *row = &hard_rows[i];
        uint32_t const on = row->conditions;
        int const profile = profile_find(row->profile);
        assert_true(profile >= 0);
        by_profile[profile]++;
        assert_true(on >> (CONDITION_N - 1) <= 1);
        assert_true((on & (on - 1)) != 0); /* two or more */
        assert_int_equal(verdict_rows[fault_rows[row->base].expect].part, PART_VIOLATION);
        assert_int_equal(hard_find(row->id), i);
        assert_int_equal(fault_find(row->id), -1); /* one name, one fault */
    }
    assert_true(HARD_N >= 12);
    assert_true(by_profile[PROFILE_ATOMICS] > 0 && by_profile[PROFILE_GROUPS] > 0 &&
                by_profile[PROFILE_ARITH] > 0 && by_profile[PROFILE_MAXERROR] > 0);
    assert_int_equal(hard_find("SUM_OFF_ULP"), -1);
}

static void a_target_has_it_by_its_name(void **state)
{
    (void)state;
    struct arena a;
    struct target t;
    struct err e;
    arena_init(&a, (size_t)1 << 20);
    for (int i = 0; i < HARD_N; i++) {
        struct fault_plan const plan = hard_plan_of((enum hard_id)i);
        assert_int_equal(
            targets_make_sim(arena_printf(&a, "sim-any:%s", hard_rows[i].id), &t, &a, &e), RES_OK);
        assert_memory_equal(&t.fault, &plan, sizeof plan);
    }
    assert_int_equal(targets_make_sim("sim-any:HARD_OF_HEARING", &t, &a, &e), RES_USAGE);
    assert_int_equal(targets_make_sim("sim-any:SUM_OFF_ULP", &t, &a, &e), RES_OK);
    assert_int_equal(t.fault.conditions, 0);
    arena_free(&a);
}

static void conditions_are_of_the_site(void **state)
{
    (void)state;
    uint32_t const minus_zero = UINT32_C(1) << CONDITION_MINUS_ZERO;
    uint32_t const partial = UINT32_C(1) << CONDITION_PARTIAL;
    struct hard_site s = {.operand = hard_class_of(FMT_F16, 0x8000)};
    assert_true(hard_holds(0, &s));
    assert_true(hard_holds(minus_zero, &s));
    assert_false(hard_holds(minus_zero | partial, &s));
    s.n_absent = 1;
    assert_true(hard_holds(minus_zero | partial, &s));
    s.operand = hard_class_of(FMT_F16, 0x0000);
    assert_false(hard_holds(minus_zero | partial, &s));
    assert_int_equal(hard_class_of(FMT_F32, 0x7fc00000), HARD_CLASS(QNAN));
    assert_int_equal(hard_class_of(FMT_F32, 0xff800001), HARD_CLASS(SNAN));
    assert_int_equal(hard_class_of(FMT_F64, 1), HARD_CLASS(SUBNORMAL));
    assert_int_equal(hard_class_of(FMT_F16, 0x8000), HARD_CLASS(ZERO) | HARD_MINUS_ZERO);
}

/* ---- new cases where the generator has changed: SEARCH=N prints rows from N cases of each profile, or of
 * PROFILE alone, and in how many of them each fault was told ---- */

struct found {
    uint32_t missing; /* conditions without a case */
    uint64_t n_told;
};

/* Has the module an instruction that the row is about? */
static int has_instruction(const struct module *m, const struct hard_row *row)
{
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        if ((row->op < 0 || op_find_number(in->op) == row->op) &&
            (row->type < 0 || (int)static_type(m, in) == row->type) &&
            (row->storage < 0 || (int)static_storage(m, in) == row->storage)) {
            return 1;
        }
    }
    return 0;
}

static void search_told(struct rig *r, const struct witness *w, struct found *f)
{
    const struct hard_row *row = &hard_rows[w->id];
    struct fault_plan const plan = hard_plan_of(w->id);
    struct judgement j;
    if (run(r, SIM_IEEE, w->seed, &plan) && r->outcome.fault == FAULT_APPLIED) {
        judge(r, &j);
        if (is_told(&j, fault_rows[row->base].expect, r->outcome.site) && f->n_told++ == 0) {
            printf("FIRES(%s, %" PRIu64 ")\n", row->id, w->seed);
        }
    }
}

static void search_silent(struct rig *r, const struct witness *w, struct found *f)
{
    struct fault_plan const plan = hard_plan_of(w->id), less = plan_without(w);
    if (run(r, SIM_IEEE, w->seed, &less) && r->outcome.fault == FAULT_APPLIED &&
        run(r, SIM_IEEE, w->seed, &plan) && r->outcome.fault != FAULT_APPLIED) {
        f->missing &= ~(UINT32_C(1) << w->without);
        printf("SILENT(%s, %s, %" PRIu64 ")\n", hard_rows[w->id].id, condition_rows[w->without].id,
               w->seed);
    }
}

static void search_case(struct rig *r, const char *profile, uint64_t seed, struct found *found)
{
    struct err e;
    struct module m;
    make_with_facts(r, profile, seed);
    if (module_decode(&m, r->tc.module, r->tc.n_words, r->tc.entry, &r->a, &e) != RES_OK) {
        fail_msg("seed %" PRIu64 ": %s", seed, e.text);
    }
    for (int i = 0; i < HARD_N; i++) {
        const struct hard_row *row = &hard_rows[i];
        if (strcmp(row->profile, profile) != 0 || !has_instruction(&m, row) ||
            !sim_can_plant(&r->tc, row->base, &r->a)) {
            continue;
        }
        search_told(r, &(struct witness){(enum hard_id)i, -1, seed}, &found[i]);
        for (int c = 0; c < CONDITION_N; c++) {
            if (found[i].missing >> c & 1) {
                search_silent(r, &(struct witness){(enum hard_id)i, c, seed}, &found[i]);
            }
        }
    }
}

static void search(uint64_t n_cases, const char *profile)
{
    struct rig *r = make_rig();
    struct found found[HARD_N];
    for (int i = 0; i < HARD_N; i++) {
        found[i] = (struct found){.missing = hard_rows[i].conditions};
    }
    for (uint64_t seed = 1; seed <= n_cases; seed++) {
        for (int p = 0; p < PROFILE_DRAWN_N; p++) {
            if (!profile || strcmp(profile, profile_names[p]) == 0) {
                search_case(r, profile_names[p], seed, found);
            }
        }
    }
    for (int i = 0; i < HARD_N; i++) {
        if (!profile || strcmp(profile, hard_rows[i].profile) == 0) {
            printf("%s: told in %" PRIu64 " of %" PRIu64 "\n", hard_rows[i].id, found[i].n_told,
                   n_cases);
        }
    }
    free_rig(r);
}

int main(void)
{
    const char *n_cases = getenv("SEARCH");
    if (n_cases) {
        search(strtoull(n_cases, NULL, 0), getenv("PROFILE"));
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fires_where_all_conditions_hold),
        cmocka_unit_test(each_is_silent_without_one_of_them),
        cmocka_unit_test(the_table_is_sound),
        cmocka_unit_test(a_target_has_it_by_its_name),
        cmocka_unit_test(conditions_are_of_the_site),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
