/* fuzz/triage/test_baseline.c -- new, still there, fixed, not seen: two campaigns on a simulated target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/sched.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/targets/targets_sim.h"
#include "fuzz/triage/baseline.h"
#include "oracle/sim/sim_facts.h"

enum {
    MAX_CASES = 400 /* until the fault is applied and seen */
};
#define FAULTY "sim-ieee:ARITH_OFF_ULP:FMul:f32"

/* An old campaign with one finding of a faulty target called "t", and a new one without any. */
struct rig {
    struct arena a;
    char folder[256];
    struct target faulty, honest;
    struct journal *j;
    struct campaign old, now;
    struct campaign_target target;
    struct target_list list;
};

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

/* Put into a journal the first case in which the fault is seen, with its judgement: the earlier campaign, of
 * one bucket. */
static void put_finding(struct rig *r)
{
    struct campaign_plan const plan = {.profile = "arith",
                                       .seed = 2,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = 100,
                                       .max_ns = 0,
                                       .targets = "t",
                                       .shard = SHARD_NONE};
    struct err e = {RES_OK, ""};
    int64_t id = 0, run = 0;
    must(journal_open(&r->j, r->folder, &plan, &e), &e);
    must(journal_put_target(r->j, "t", "", &id, &e), &e);
    for (uint64_t index = 0; index < MAX_CASES; index++) {
        struct testcase tc;
        struct tape tape;
        struct observation ob;
        must(sched_make_case(PROFILE_ARITH, 2, index, ENV_CL, &r->a, &tc, &tape, &e), &e);
        const char *facts = sim_facts_for(&tc, 1, &r->a);
        struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
        assert_non_null(g);
        if (sim_run(&tc, &(struct sim_device){r->faulty.strategy, 1, &r->faulty.fault, facts},
                    &r->a, &ob, NULL, &e) == RES_OK &&
            judge_run(&tc, &ob, &r->a, g, &e) == RES_OK && g->kind == VERDICT_ULP) {
            struct run_record const record = {&tc, &ob, g, ""};
            g->n_findings = 1;
            must(journal_begin_run(r->j, id, index, tape.data, tape.n_records * 8, &run, &e), &e);
            must(journal_end_run(r->j, run, &record, &r->a, &e), &e);
            must(journal_load(r->j, &r->a, &r->old, &e), &e);
            assert_int_equal(r->old.n_findings, 1);
            return;
        }
    }
    fail_msg("the fault was never seen: this test is empty");
}

/* An earlier campaign with one bucket, and two targets of its name: one with the fault still in it and an
 * honest one. */
static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    struct err e;
    const char *base = getenv("TMPDIR");
    if (!r) {
        return -1;
    }
    arena_init(&r->a, (size_t)2 << 30);
    (void)snprintf(r->folder, sizeof r->folder, "%s/test-baseline-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(r->folder) || targets_make_sim(FAULTY, &r->faulty, &r->a, &e) != RES_OK ||
        targets_make_sim("sim-ieee", &r->honest, &r->a, &e) != RES_OK) {
        return -1;
    }
    r->faulty.name = r->honest.name = "t";
    r->target = (struct campaign_target){.id = 7, .name = "t", .facts = ""};
    r->now = (struct campaign){.n_targets = 1, .targets = &r->target};
    put_finding(r);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    static const char *const names[] = {"journal.sqlite", "journal.sqlite-wal",
                                        "journal.sqlite-shm", "report.json"};
    char path[400];
    journal_close(r->j);
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", r->folder, names[i]);
        (void)unlink(path);
    }
    int const bad = rmdir(r->folder);
    arena_free(&r->a);
    free(r);
    return bad;
}

/* The state of the one bucket that is gone, with this target, or none, at hand. */
static const struct campaign_gone *compare(struct rig *r, const char *old,
                                           const struct target *target, uint64_t max_ns)
{
    struct err e = {RES_OK, ""};
    struct baseline_options o = {.targets = target ? &r->list : NULL, .max_ns = max_ns};
    if (target) {
        r->list.n = 1;
        r->list.t[0] = *target;
    }
    must(baseline_compare(&r->now, old, &o, &r->a, &e), &e);
    assert_string_equal(r->now.baseline, old);
    assert_int_equal(r->now.n_gone, 1);
    assert_string_equal(r->now.gone[0].target, "t");
    assert_string_equal(r->now.gone[0].signature, r->old.findings[0].signature);
    return &r->now.gone[0];
}

static void fixed_is_what_is_not_shown_when_run_again(void **state)
{
    struct rig *r = *state;
    const struct campaign_gone *g = compare(r, r->folder, &r->honest, UINT64_MAX / 2);
    assert_int_equal(g->state, BASELINE_FIXED);
    assert_int_equal(g->n_runs, BASELINE_RUNS);
    assert_int_equal(g->n_shown, 0);
    g = compare(r, r->folder, &r->faulty, UINT64_MAX / 2);
    assert_int_equal(g->state, BASELINE_REMAINS);
    assert_true(g->n_shown > 0);
}

static void what_was_not_run_again_is_not_fixed(void **state)
{
    struct rig *r = *state;
    assert_int_equal(compare(r, r->folder, NULL, UINT64_MAX / 2)->state, BASELINE_UNKNOWN);
    assert_int_equal(compare(r, r->folder, &r->honest, 0)->state, BASELINE_UNKNOWN);
    r->honest.name = "another";
    assert_int_equal(compare(r, r->folder, &r->honest, UINT64_MAX / 2)->state, BASELINE_UNKNOWN);
}

/* Its smallest case, which the triage kept, is run too. */
static void a_flaky_one_is_never_fixed(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct testcase tc;
    struct observation ob;
    struct campaign_triage t = {.n_runs = 10, .n_shown = 10, .smallest = "nobody", .variant = ""};
    int64_t const id = r->old.findings[0].id;
    must(journal_get_case(r->j, id, &r->a, &tc, &ob, &e), &e);
    must(journal_put_triage(r->j, id, &t, &tc, &ob, &r->a, &e), &e);
    const struct campaign_gone *g = compare(r, r->folder, &r->honest, UINT64_MAX / 2);
    assert_int_equal(g->state, BASELINE_FIXED);
    assert_int_equal(g->n_runs, 2 * BASELINE_RUNS);
    t.n_shown = 4;
    t.is_flaky = 1;
    must(journal_put_triage(r->j, id, &t, &tc, &ob, &r->a, &e), &e);
    assert_int_equal(compare(r, r->folder, &r->honest, UINT64_MAX / 2)->state, BASELINE_FLAKY);
    assert_int_equal(compare(r, r->folder, &r->faulty, UINT64_MAX / 2)->state, BASELINE_REMAINS);
}

/* The same core under other circumstances is the same; on another target, or another core, it is new. */
static void a_bucket_is_known_by_target_and_core(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct campaign_target targets[] = {
        r->target, {.id = 8, .name = "u", .facts = ""}
    };
    struct campaign_finding f[4];
    struct baseline_options const o = {.max_ns = 0};
    for (uint32_t i = 0; i < ARRAY_N(f); i++) {
        f[i] = r->old.findings[0];
        f[i].target_id = 7;
        f[i].bucket = i;
        f[i].signature = "circumstances matter not";
    }
    f[1].target_id = 8;
    f[2].core = "ulp FADD_CR of another kind";
    f[3].class = "unadvertised";
    r->now.targets = targets;
    r->now.n_targets = 2;
    r->now.findings = f;
    r->now.n_findings = ARRAY_N(f);
    must(baseline_compare(&r->now, r->folder, &o, &r->a, &e), &e);
    assert_int_equal(f[0].baseline, BASELINE_THERE);
    assert_int_equal(f[1].baseline, BASELINE_NEW);
    assert_int_equal(f[2].baseline, BASELINE_NEW);
    assert_int_equal(f[3].baseline, BASELINE_NONE);
    assert_int_equal(r->now.n_gone, 0);
}

/* Two crashes as a journal of an earlier version has them: each at the start. */
static void a_crash_is_known_in_whichever_phase(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct testcase tc;
    struct observation ob;
    int64_t run = 0;
    static const char *const frames[] = {"a+f;b+g;c+h;d+i", "a+f;b+g;x+y"};
    static const char *const cores[] = {
        "crash MUST_RUN build 11 a+f;b+g;c+h", "crash MUST_RUN run 11 a+f;b+g;x+y",
        "crash MUST_RUN start 11 a+f;b+g;x+y", "crash MUST_RUN run 11 a+f;b+g;z+z"};
    must(journal_get_case(r->j, r->old.findings[0].id, &r->a, &tc, &ob, &e), &e);
    for (uint32_t i = 0; i < ARRAY_N(frames); i++) {
        struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
        ob.status = RUN_CRASH;
        ob.phase = PHASE_START;
        ob.driver_code = 11;
        ob.signature = frames[i];
        ob.n_bufs = 0;
        must(judge_run(&tc, &ob, &r->a, g, &e), &e);
        struct run_record const record = {&tc, &ob, g, ""};
        must(journal_begin_run(r->j, r->old.findings[0].target_id, 2 * MAX_CASES + i, "", 0, &run,
                               &e),
             &e);
        must(journal_end_run(r->j, run, &record, &r->a, &e), &e);
    }
    struct campaign_finding f[ARRAY_N(cores)];
    struct baseline_options const o = {.max_ns = 0};
    for (uint32_t i = 0; i < ARRAY_N(f); i++) {
        f[i] = r->old.findings[0];
        f[i].target_id = 7;
        f[i].bucket = i;
        f[i].verdict = "crash";
        f[i].core = cores[i];
    }
    r->now.findings = f;
    r->now.n_findings = ARRAY_N(f);
    must(journal_flush(r->j, &e), &e);
    must(baseline_compare(&r->now, r->folder, &o, &r->a, &e), &e);
    for (uint32_t i = 0; i < ARRAY_N(f); i++) {
        assert_int_equal(f[i].baseline, i < 3 ? BASELINE_THERE : BASELINE_NEW);
    }
    assert_int_equal(r->now.n_gone, 1); /* the wrong value */
}

static void write_report(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A report.json alone says what was there; without the cases nothing is called fixed. */
static void a_report_is_a_baseline_too(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct baseline_options const o = {.max_ns = 0};
    const char *path = arena_printf(&r->a, "%s/report.json", r->folder);
    const char *journal = arena_printf(&r->a, "%s/journal.sqlite", r->folder);
    write_report(
        path,
        arena_printf(&r->a,
                     "{\"findings\": [{\"target\": \"t\", \"verdict\": \"ulp\","
                     " \"class\": \"legal\", \"clause\": {\"id\": \"ARITH_CR\"},"
                     " \"signature\": \"%s\"}, {\"target\": \"t\", \"class\": \"legal\","
                     " \"verdict\": \"divergence\", \"signature\": \"divergence X\"},"
                     " {\"target\": \"t\", \"class\": \"legal\", \"verdict\": \"ulp\", \"id\": 2,"
                     " \"bucket\": 1, \"signature\": \"ulp of a bucket that another names\"}]}\n",
                     r->old.findings[0].signature));
    journal_close(r->j);
    r->j = NULL;
    assert_int_equal(unlink(journal), 0);
    const struct campaign_gone *g = compare(r, path, &r->honest, UINT64_MAX / 2);
    assert_int_equal(g->state, BASELINE_UNKNOWN);
    assert_string_equal(g->clause, "ARITH_CR");
    assert_int_equal(compare(r, r->folder, &r->honest, UINT64_MAX / 2)->state, BASELINE_UNKNOWN);
    static const char *const bad[] = {
        "", "[]", "{}", "{\"findings\": 3}", "{\"findings\": [{}]}", "{\"findings\": [3]}"};
    for (size_t i = 0; i < ARRAY_N(bad); i++) {
        write_report(path, bad[i]);
        assert_int_equal(baseline_compare(&r->now, path, &o, &r->a, &e), RES_FORMAT);
        assert_non_null(strstr(e.text, path));
    }
}

#define ON_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_RIG(fixed_is_what_is_not_shown_when_run_again),
        ON_RIG(what_was_not_run_again_is_not_fixed),
        ON_RIG(a_flaky_one_is_never_fixed),
        ON_RIG(a_bucket_is_known_by_target_and_core),
        ON_RIG(a_crash_is_known_in_whichever_phase),
        ON_RIG(a_report_is_a_baseline_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
