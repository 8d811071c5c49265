/* tests/program/test_known_groups.c -- bugs of drivers in group instructions, and a few others, as models: each explains
 * what a device that has it gives, and not what one gives that has another fault of such instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fuzz/io/bundle.h"
#include "fuzz/known/known_bugs.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"
#include "oracle/fault/faults_group_bug.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "tests/rig/case_rig.h"

enum {
    N_TRIES = 4000, /* cases in which a fault is looked for */
    ENOUGH = 3,     /* that show it */
    ENOUGH_FAST = 1 /* the same without HALFULP_SLOW=1 */
};

static const struct row {
    enum fault_id bug, other; /* of instructions that the bug is about, too */
} rows[] = {
    {FAULT_EQUAL_OF_LAST,            FAULT_EQUAL_BY_BITS      },
    {FAULT_EQUAL_BY_FIRST,           FAULT_EQUAL_FOR_NAN      },
    {FAULT_FOLD_TAKES_LATER,         FAULT_SNAN_GIVES_OTHER   },
    {FAULT_FOLD_TAKES_LATER,         FAULT_LANE_OMITTED       },
    {FAULT_LATER_OF_PLACES,          FAULT_LANE_OMITTED       },
    {FAULT_EARLIER_OF_PLACES,        FAULT_LANE_OMITTED       },
    {FAULT_DOWN_TO_IDENTITY,         FAULT_LANE_OMITTED       },
    {FAULT_FOLD_IN_HALVES,           FAULT_LANE_OMITTED       },
    {FAULT_FOLD_IN_EIGHTS,           FAULT_LANE_OMITTED       },
    {FAULT_XOR_SCAN_STICKS,          FAULT_SCAN_REVERSED      },
    {FAULT_INACTIVE_IN_SUM,          FAULT_LANE_NEGATED       },
    {FAULT_ALL_IS_NONE,              FAULT_VOTES_SWAPPED      },
    {FAULT_CUT_VOTE_BEYOND,          FAULT_VOTES_SWAPPED      },
    {FAULT_BROADCAST_OF_HALF,        FAULT_BROADCAST_OF_LANE_0},
    {FAULT_BROADCAST_OF_QUARTER,     FAULT_BROADCAST_OF_LANE_0},
    {FAULT_NOT_FOLDED,               FAULT_LANE_OMITTED       },
    {FAULT_CUT_REDUCE_OPEN,          FAULT_LANE_OMITTED       },
    {FAULT_REDUCE_LEFT_OPEN,         FAULT_SCAN_REVERSED      },
    {FAULT_BROADCAST_LEFT_OPEN,      FAULT_SCAN_REVERSED      },
    {FAULT_BROADCAST_OF_UNUSED_OPEN, FAULT_BROADCAST_OF_LANE_0},
    {FAULT_VOTE_LEFT_OPEN,           FAULT_SCAN_REVERSED      },
    {FAULT_SECOND_OF_SCAN_OPEN,      FAULT_SCAN_REVERSED      },
    {FAULT_FIRST_LOST_OPEN,          FAULT_SCAN_REVERSED      },
    {FAULT_OTHERS_LOST_OPEN,         FAULT_SCAN_REVERSED      },
    {FAULT_ALONE_IN_SCAN,            FAULT_LANE_OMITTED       },
    {FAULT_ALONE_IN_BROADCAST,       FAULT_LANE_NEGATED       },
    {FAULT_ALONE_IN_SHUFFLE,         FAULT_UP_DOWN_SWAPPED    },
    {FAULT_FOLD_CROSSED,             FAULT_FOLD_IN_HALVES     },
};

#define PART_OF_A_HALF "corpora/regress/20261128_intel_broadcast_to_part_of_a_half"

/* Kept cases of a driver that has the bug, and a model that is not its. */
static const struct kept {
    const char *path;
    enum fault_id bug, other;
} kept[] = {
    {"corpora/regress/20261125_intel_scan_of_doubles_in_eights", FAULT_SCAN_IN_EIGHTS,
     FAULT_EARLIER_OF_PLACES                                                                                            },
    {PART_OF_A_HALF,                                             FAULT_BROADCAST_OF_UNUSED_OPEN, FAULT_BROADCAST_OF_HALF},
    {"corpora/regress/20261125_pocl_function_of_sixteen_floats", FAULT_WIDE_VECTOR,
     FAULT_WIDE_DOUBLE                                                                                                  },
    {"corpora/regress/20261125_pocl_first_behind_the_last",      FAULT_FIRST_BEHIND_LAST,
     FAULT_FURTHER_TURN                                                                                                 },
    {"corpora/regress/20261125_pocl_first_goes_on_twice",        FAULT_FIRST_BEHIND_LAST,
     FAULT_FURTHER_TURN                                                                                                 },
    {"corpora/regress/20261125_pocl_atomic_of_a_further_turn",   FAULT_FURTHER_TURN,
     FAULT_TURN_LEFT_OUT                                                                                                },
    {"corpora/regress/20261126_llvmpipe_unrolled_loop",          FAULT_UNROLLED_OPEN,            FAULT_FURTHER_TURN     },
};

static uint32_t count_enough(void)
{
    return getenv("HALFULP_SLOW") ? ENOUGH : ENOUGH_FAST;
}

/* A device that has the fault wherever it can be. false: nowhere in this case, or it is not seen. */
static bool run_faulty(struct rig *r, enum fault_id fault, uint64_t seed)
{
    struct err e = {0};
    struct tape t;
    struct rng rng = rng_seed(seed + 400);
    struct fault_plan plan = fault_plan_of(fault);
    struct sim_outcome outcome = {.site = 0};
    arena_reset(&r->a);
    must(tape_random(&t, &rng, &r->a, &e), &e);
    must(gen_case(PROFILE_GROUPS, (enum env)(seed % ENV_N), &t, &r->a, &r->tc, NULL, &e), &e);
    if (!sim_can_plant(&r->tc, fault, &r->a)) {
        return false;
    }
    plan.everywhere = 1;
    const char *const facts = sim_facts_for(&r->tc, seed, &r->a);
    enum res const res = sim_run(&r->tc, &(struct sim_device){SIM_IEEE, seed, &plan, facts}, &r->a,
                                 &r->ob, &outcome, &e);
    if (res == RES_LIMIT) {
        return false;
    }
    must(res, &e);
    r->ob.facts = facts;
    must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
    return outcome.fault == FAULT_APPLIED && r->j.n_findings > 0 &&
           verdict_rows[r->j.kind].part == PART_VIOLATION;
}

static bool is_known(const struct finding *f)
{
    return f->known && f->known[0];
}

/* What the bug leaves of the findings of the run; how many are its in *n_known. */
static uint32_t count_new(struct rig *r, enum fault_id bug, uint32_t *n_known)
{
    struct known_bug one = {.name = fault_rows[bug].id, .plan = fault_plan_of(bug)};
    struct known_bugs const known = {.n = 1, .bug = &one};
    uint32_t n_new = 0;
    size_t const n_used = r->a.used_bytes;
    known_bugs_explain(&known, &r->tc, &r->ob, &r->j, &r->a);
    *n_known = 0;
    for (uint32_t i = 0; i < r->j.n_findings; i++) {
        const struct finding *const f = &r->j.findings[i];
        *n_known += is_known(f);
        n_new += !is_known(f) && verdict_rows[f->kind].part == PART_VIOLATION;
    }
    if (*n_known == 0) { /* a try that explained nothing leaves the memory to the run */
        assert_int_equal(r->a.used_bytes, n_used);
    }
    return n_new;
}

/* Is each unexplained value the only wrong one of its instruction, in all of its executions? All findings must be kept. */
static bool is_shown_once(const struct judgement *j)
{
    bool is_once = j->n_found == j->n_findings;
    for (uint32_t i = 0; i < j->n_findings; i++) {
        const struct finding *const f = &j->findings[i];
        uint32_t n = 0;
        for (uint32_t k = 0; k < j->n_findings; k++) {
            n += j->findings[k].offset == f->offset;
        }
        is_once &= is_known(f) || n == 1;
    }
    return is_once;
}

/* A bug that is only known where an instance shows it twice (fault_shows_twice) does not explain a run in which an instruction gives
 * one wrong value only: the other values of the bug may be permitted, if a subnormal operand may be flushed. There are at most as
 * many such runs as explained ones. */
static void each_explains_its_runs(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t n_shown = 0, n_shown_once = 0, n_known;
        for (uint64_t seed = 0; seed < N_TRIES && n_shown < count_enough(); seed++) {
            if (!run_faulty(r, rows[i].bug, seed)) {
                continue;
            }
            bool const is_explained = count_new(r, rows[i].bug, &n_known) == 0 && n_known > 0;
            if (!is_explained && fault_shows_twice(rows[i].bug) && is_shown_once(&r->j)) {
                n_shown_once++;
                continue;
            }
            n_shown++;
            if (!is_explained) {
                fail_msg("%s, seed %llu: %s", fault_rows[rows[i].bug].id, (unsigned long long)seed,
                         r->j.findings[0].text);
            }
        }
        if (n_shown == 0 || n_shown_once > n_shown) {
            fail_msg("%s: explains %u runs, and not %u", fault_rows[rows[i].bug].id, n_shown,
                     n_shown_once);
        }
    }
    free_rig(r);
}

static void none_explains_another_fault(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t n_shown = 0, n_left = 0, n_known;
        for (uint64_t seed = 0; seed < N_TRIES && n_shown < ENOUGH && n_left == 0; seed++) {
            if (run_faulty(r, rows[i].other, seed)) {
                n_shown++;
                n_left += count_new(r, rows[i].bug, &n_known) > 0;
            }
        }
        if (n_left == 0) {
            fail_msg("%s explains all of %u runs of %s", fault_rows[rows[i].bug].id, n_shown,
                     fault_rows[rows[i].other].id);
        }
    }
    free_rig(r);
}

static void read_kept(struct rig *r, const char *path)
{
    struct err e = {0};
    struct bundle b;
    arena_reset(&r->a);
    must(bundle_read(path, &r->a, &b, &e), &e);
    r->tc = b.tc;
    r->ob = b.ob;
}

static uint32_t count_new_of_kept(struct rig *r, const char *path, enum fault_id bug)
{
    struct err e = {0};
    uint32_t n_known;
    read_kept(r, path);
    must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
    assert_true(r->j.n_findings > 0);
    return count_new(r, bug, &n_known);
}

static void each_explains_what_a_driver_gave(void **state)
{
    (void)state;
    struct rig *r = make_rig();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        assert_int_equal(count_new_of_kept(r, kept[i].path, kept[i].bug), 0);
        assert_true(count_new_of_kept(r, kept[i].path, kept[i].other) > 0);
    }
    free_rig(r);
}

/* The second half gets one value: if one work-item got another, none of the values is explained. */
static void an_unused_lane_has_one_value(void **state)
{
    enum {
        OF_SECOND_HALF = 17 /* the word of this work-item */
    };
    (void)state;
    struct rig *r = make_rig();
    struct err e = {0};
    uint32_t n_known;
    read_kept(r, PART_OF_A_HALF);
    unsigned char *const out = arena_copy(&r->a, r->ob.out[0], r->tc.bufs[0].n_bytes);
    assert_non_null(out);
    out[OF_SECOND_HALF * sizeof(uint32_t)] ^= 1;
    r->ob.out[0] = out;
    must(judge_run(&r->tc, &r->ob, &r->a, &r->j, &e), &e);
    assert_true(r->j.n_findings > 0);
    assert_int_equal(count_new(r, FAULT_BROADCAST_OF_UNUSED_OPEN, &n_known), r->j.n_findings);
    assert_int_equal(n_known, 0);
    free_rig(r);
}

/* Of a vector one part of which may be anything, because of another bug, the other parts are explained all the same. */
static void two_explain_what_stands_side_by_side(void **state)
{
    static const char path[] = "corpora/regress/20261126_intel_step_beside_an_open_operand";
    (void)state;
    struct rig *r = make_rig();
    struct known_bug two[] = {
        {.name = "NEGATED_ACROSS_OPEN", .plan = fault_plan_of(FAULT_NEGATED_ACROSS_OPEN)},
        {.name = "STEP_OF_NAN",         .plan = fault_plan_of(FAULT_STEP_OF_NAN)        }
    };
    struct known_bugs const known = {.n = 2, .bug = two};
    struct err e = {0};
    struct bundle b;
    must(bundle_read(path, &r->a, &b, &e), &e);
    must(judge_run(&b.tc, &b.ob, &r->a, &r->j, &e), &e);
    assert_true(r->j.n_found > 1);
    known_bugs_explain(&known, &b.tc, &b.ob, &r->j, &r->a);
    assert_int_equal(r->j.n_found, 1);
    assert_string_equal(r->j.findings[0].known, "STEP_OF_NAN");
    free_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_explains_its_runs),
        cmocka_unit_test(none_explains_another_fault),
        cmocka_unit_test(each_explains_what_a_driver_gave),
        cmocka_unit_test(an_unused_lane_has_one_value),
        cmocka_unit_test(two_explain_what_stands_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
