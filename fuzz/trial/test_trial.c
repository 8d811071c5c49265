/* fuzz/trial/test_trial.c -- trials on simulated targets: the lowest candidate, its runs, its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/process/child_time.h"
#include "fuzz/targets/targets_sim.h"
#include "fuzz/trial/trial.h"
#include "fuzz/trial/trial_count.h"
#include "oracle/sim/sim_facts.h"

enum {
    SEED = 3,
    MAX_CASES = 400
};

struct rig {
    struct arena a;
    struct target bad, good;
    struct testcase shows, passes; /* on bad */
    struct trial_wanted wanted;
};

/* One case that shows the fault, and one that does not. */
static void set_up(struct rig *r)
{
    struct err e;
    struct trials *t = NULL;
    int n_shows = 0, n_passes = 0;
    memset(r, 0, sizeof *r);
    arena_init(&r->a, (size_t)512 << 20);
    assert_int_equal(targets_make_sim("sim-ieee:SUM_OFF_ULP", &r->bad, &r->a, &e), RES_OK);
    assert_int_equal(targets_make_sim("sim-ieee", &r->good, &r->a, &e), RES_OK);
    r->wanted =
        (struct trial_wanted){.facts = sim_facts(ENV_CL, 1, &r->a), .n_runs = 1, .n_needed = 1};
    assert_int_equal(trials_open(&t, &r->bad, 1, &e), RES_OK);
    for (uint64_t i = 0; i < MAX_CASES && !(n_shows && n_passes); i++) {
        struct testcase tc;
        struct tape tape;
        struct observation ob;
        struct finding f;
        const struct testcase *candidate = &tc;
        uint32_t first = 1;
        assert_int_equal(sched_make_case(PROFILE_ATOMICS, SEED, i, ENV_CL, &r->a, &tc, &tape, &e),
                         RES_OK);
        assert_int_equal(trials_find_first(t, &r->wanted, &(struct trial_candidates){&candidate, 1},
                                           &r->a, &first, &ob, &f, &e),
                         RES_OK);
        if (first == 0 && !n_shows) {
            r->shows = tc;
            r->wanted.core = signature_of(&f, &ob, &r->a).core;
            assert_string_equal(ob.facts, r->wanted.facts);
            n_shows = 1;
        } else if (first == 1) {
            r->passes = tc;
            n_passes = 1;
        }
    }
    trials_close(t);
    assert_true(n_shows && n_passes);
}

static uint32_t find_first(struct rig *r, const struct target *target, const struct trial_wanted *w,
                           uint64_t deadline_ns, enum res want)
{
    const struct testcase *const candidates[] = {&r->passes, &r->passes, &r->shows, &r->shows};
    struct err e;
    struct trials *t = NULL;
    uint32_t first = 0;
    assert_int_equal(trials_open(&t, target, 1, &e), RES_OK);
    trials_set_deadline(t, deadline_ns);
    assert_int_equal(trials_find_first(t, w,
                                       &(struct trial_candidates){candidates, ARRAY_N(candidates)},
                                       &r->a, &first, NULL, NULL, &e),
                     want);
    trials_close(t);
    return first;
}

static void the_lowest_that_shows_it_is_found(void **state)
{
    (void)state;
    struct rig r;
    set_up(&r);
    assert_int_equal(find_first(&r, &r.bad, &r.wanted, 0, RES_OK), 2);
    assert_int_equal(find_first(&r, &r.good, &r.wanted, 0, RES_OK), 4);
    struct trial_wanted w = r.wanted;
    w.core = "ulp FADD_CR OpNothing f32";
    assert_int_equal(find_first(&r, &r.bad, &w, 0, RES_OK), 4);
    arena_free(&r.a);
}

static void the_deadline_ends_it(void **state)
{
    (void)state;
    struct rig r;
    set_up(&r);
    assert_int_equal(find_first(&r, &r.bad, &r.wanted, 1, RES_LIMIT), 4);
    assert_int_equal(
        find_first(&r, &r.bad, &r.wanted, child_now_ns() + UINT64_C(600000000000), RES_OK), 2);
    arena_free(&r.a);
}

/* A candidate that is no valid module is decided as one that does not show the bug, and is no error. */
static void an_invalid_candidate_shows_nothing(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    struct trials *t = NULL;
    uint32_t first = 0;
    set_up(&r);
    struct testcase bad = r.shows;
    uint32_t *words = arena_copy(&r.a, bad.module, bad.n_words * sizeof *words);
    assert_non_null(words);
    words[bad.n_words - 1] = 0; /* OpFunctionEnd becomes an instruction without words */
    bad.module = words;
    const struct testcase *candidate = &bad;
    assert_int_equal(trials_open(&t, &r.bad, 1, &e), RES_OK);
    assert_int_equal(trials_find_first(t, &r.wanted, &(struct trial_candidates){&candidate, 1},
                                       &r.a, &first, NULL, NULL, &e),
                     RES_OK);
    assert_int_equal(first, 1);
    trials_close(t);
    arena_free(&r.a);
}

static void runs_are_counted(void **state)
{
    (void)state;
    struct rig r;
    struct err e;
    struct trial_count n;
    set_up(&r);
    assert_int_equal(trials_count(&r.bad, &r.wanted, &r.shows, 4, 0, &n, &e), RES_OK);
    assert_int_equal(n.n_runs, 4);
    assert_true(n.n_shown > 0 && n.n_worst > 0);
    assert_int_equal(verdict_rows[n.worst].part, PART_VIOLATION);
    assert_int_equal(trials_count(&r.good, &r.wanted, &r.shows, 4, 0, &n, &e), RES_OK);
    assert_int_equal(n.n_runs, 4);
    assert_int_equal(n.n_shown, 0);
    arena_free(&r.a);
}

/* Processes count the runs of a target with workers, each its share; this one's worker does not start. */
static void trouble_of_a_helper_is_told(void **state)
{
    (void)state;
    struct rig r;
    struct err e = {RES_OK, ""};
    struct trial_count n;
    set_up(&r);
    struct target_list *list = ARENA_NEW(&r.a, struct target_list, 1);
    struct target *dead = list ? targets_add(list, "dead", ENV_CL, &r.a) : NULL;
    assert_non_null(dead);
    dead->worker = "/bin/false";
    assert_int_equal(trials_count(dead, &r.wanted, &r.shows, 4, 3, &n, &e), RES_IO);
    assert_non_null(strstr(e.text, "dead: "));
    assert_int_equal(n.n_runs, 0);
    arena_free(&r.a);
}

/* Chance that at least n_needed of n_runs runs show it, each with chance p. */
static double get_chance(const struct trial_wanted *w, double p)
{
    double fewer = 0.0;
    for (uint32_t k = 0; k < w->n_needed; k++) {
        double term = 1.0;
        for (uint32_t i = 0; i < w->n_runs; i++) {
            term *= i < k ? p * (double)(w->n_runs - i) / (double)(i + 1) : 1.0 - p;
        }
        fewer += term;
    }
    return 1.0 - fewer;
}

static void a_share_decides_how_often_it_is_run(void **state)
{
    (void)state;
    struct trial_wanted w = {.n_runs = 7, .n_needed = 7};
    trial_set_share(&w, 1.0);
    assert_int_equal(w.n_runs, 1);
    assert_int_equal(w.n_needed, 1);
    for (double share = 0.05; share < 0.96; share += 0.05) {
        trial_set_share(&w, share);
        assert_true(w.n_needed > 1 && w.n_needed < w.n_runs);
        assert_true(get_chance(&w, share) > 0.9);
        assert_true(get_chance(&w, share / 3.0) < 0.45);
    }
    trial_set_share(&w, 1e-9);
    assert_true(w.n_runs < 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_that_shows_it_is_found),
        cmocka_unit_test(the_deadline_ends_it),
        cmocka_unit_test(an_invalid_candidate_shows_nothing),
        cmocka_unit_test(runs_are_counted),
        cmocka_unit_test(trouble_of_a_helper_is_told),
        cmocka_unit_test(a_share_decides_how_often_it_is_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
