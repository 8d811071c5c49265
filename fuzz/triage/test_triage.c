/* fuzz/triage/test_triage.c -- what is found out about the buckets of a campaign on a simulated target. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/merge/merge.h"
#include "fuzz/process/child_time.h"
#include "fuzz/targets/targets_sim.h"
#include "fuzz/triage/triage.h"
#include "fuzz/triage/triage_share.h"
#include "oracle/sim/sim_facts.h"

enum {
    MAX_CASES = 200,
    N_BUCKETS = 2,
    SEED = 3
};
#define FAULTY    "sim-ieee-opencl:DECORATION_IGNORED"
#define NO_END_NS (UINT64_MAX / 2)

/* A campaign with N_BUCKETS findings of a target that forgets decorations. */
struct rig {
    struct arena a;
    char folder[256], worker[300], starts[300];
    struct target_list list; /* that target, and one that notes each start and ends */
    struct journal *j;
    struct campaign c;
};

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

/* Cases in which the fault is seen, until there are enough buckets. */
static void put_findings(struct rig *r)
{
    struct campaign_plan const plan = {.profile = "maxerror",
                                       .seed = SEED,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = 100,
                                       .max_ns = 0,
                                       .targets = FAULTY,
                                       .shard = SHARD_NONE};
    struct err e = {RES_OK, ""};
    int64_t id = 0, run = 0;
    must(journal_open(&r->j, r->folder, &plan, &e), &e);
    must(journal_put_target(r->j, FAULTY, "", &id, &e), &e);
    uint32_t n = 0;
    for (uint64_t index = 0; index < MAX_CASES && n < N_BUCKETS; index++) {
        struct testcase tc;
        struct tape tape;
        struct observation ob;
        must(sched_make_case(PROFILE_MAXERROR, SEED, index, ENV_CL, &r->a, &tc, &tape, &e), &e);
        const char *facts = sim_facts_for(&tc, 1, &r->a);
        struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
        assert_non_null(g);
        if (sim_run(&tc, &(struct sim_device){r->list.t[0].strategy, 1, &r->list.t[0].fault, facts},
                    &r->a, &ob, NULL, &e) == RES_OK &&
            judge_run(&tc, &ob, &r->a, g, &e) == RES_OK && g->kind == VERDICT_ULP) {
            struct run_record const record = {&tc, &ob, g, ""};
            g->n_findings = 1;
            must(journal_begin_run(r->j, id, index, tape.data, tape.n_records * 8, &run, &e), &e);
            must(journal_end_run(r->j, run, &record, &r->a, &e), &e);
            must(journal_load(r->j, &r->a, &r->c, &e), &e);
            n = r->c.n_findings;
        }
    }
    assert_int_equal(n, N_BUCKETS);
}

static void write_worker(struct rig *r)
{
    struct err e;
    const char *const text =
        arena_printf(&r->a, "#!/bin/sh\necho start >> %s\nexit 1\n", r->starts);
    must(file_write(r->worker, text, strlen(text), &e), &e);
    assert_int_equal(chmod(r->worker, 0700), 0);
}

/* A campaign with some buckets of one fault, and a target besides whose worker never starts and counts how
 * often it was tried. */
static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    struct err e;
    const char *base = getenv("TMPDIR");
    if (!r) {
        return -1;
    }
    arena_init(&r->a, (size_t)2 << 30);
    (void)snprintf(r->folder, sizeof r->folder, "%.200s/test-triage-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(r->folder) || targets_make_sim(FAULTY, &r->list.t[0], &r->a, &e) != RES_OK) {
        return -1;
    }
    (void)snprintf(r->worker, sizeof r->worker, "%s/worker.sh", r->folder);
    (void)snprintf(r->starts, sizeof r->starts, "%s/starts", r->folder);
    r->list.n = 1;
    struct target *t = targets_add(&r->list, "dead", ENV_CL, &r->a);
    if (!t) {
        return -1;
    }
    t->worker = r->worker;
    write_worker(r);
    put_findings(r);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    static const char *const names[] = {"journal.sqlite", "journal.sqlite-wal",
                                        "journal.sqlite-shm", "worker.sh", "starts"};
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

static void look_into_for(struct rig *r, uint64_t max_ns, uint64_t reduce_ns)
{
    struct err e;
    struct triage_options const o = {
        .targets = &r->list, .max_ns = max_ns, .reduce_ns = reduce_ns, .n_workers = 1};
    struct triage_figures figures;
    must(triage_run(r->j, &r->c, &o, &figures, &e), &e);
    assert_int_equal(figures.n_refused + figures.n_failed + figures.n_absent, 0);
    assert_int_equal(figures.n_done + figures.n_cut + figures.n_late, figures.n);
    assert_int_equal(figures.n_cut, 0);
    must(journal_load(r->j, &r->a, &r->c, &e), &e);
    assert_int_equal(r->c.n_findings, N_BUCKETS);
}

static void look_into(struct rig *r, uint64_t max_ns)
{
    look_into_for(r, max_ns, NO_END_NS);
}

static void each_bucket_is_looked_into(void **state)
{
    struct rig *r = *state;
    look_into(r, NO_END_NS);
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        const struct campaign_triage *const t = r->c.findings[i].triage;
        assert_non_null(t);
        assert_int_equal(t->n_runs, TRIAGE_RUNS);
        assert_int_equal(t->n_shown, TRIAGE_RUNS);
        assert_false(t->is_flaky);
        assert_in_range(t->n_after, 1, t->n_before - 1);
        assert_string_equal(t->variant, "without FPMaxErrorDecorationINTEL");
        assert_string_equal(campaign_print_matrix(t, &r->a), "dead\tdoes not start\t0\t0\t\t\n");
    }
}

/* Not even for the first run of a reduction: what was found out before it stays. */
static void a_reduction_without_time_leaves_the_case_as_it_is(void **state)
{
    struct rig *r = *state;
    look_into_for(r, NO_END_NS, 1);
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        const struct campaign_triage *const t = r->c.findings[i].triage;
        assert_non_null(t);
        assert_int_equal(t->n_shown, TRIAGE_RUNS);
        assert_int_equal(t->n_before, 0); /* not made smaller */
    }
}

/* The head of a bucket is its first finding, which is seldom the smallest. */
static void the_smallest_case_of_a_bucket_is_found(void **state)
{
    struct rig *r = *state;
    struct testcase tc;
    struct observation ob;
    struct err e;
    struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
    struct journal_light before, after;
    int64_t run = 0;
    const struct campaign_finding *head = &r->c.findings[0];
    assert_non_null(g);
    must(journal_find_lightest(r->j, head->id, &before, &e), &e);
    assert_int_equal(before.id, head->id);
    must(journal_get_case(r->j, head->id, &r->a, &tc, &ob, &e), &e);
    must(judge_run(&tc, &ob, &r->a, g, &e), &e);
    g->n_findings = 1;
    struct run_record const record = {&tc, &ob, g, ""};
    tc.n_bufs = 0;
    must(journal_begin_run(r->j, head->target_id, MAX_CASES, NULL, 0, &run, &e), &e);
    must(journal_end_run(r->j, run, &record, &r->a, &e), &e);
    must(journal_find_lightest(r->j, head->id, &after, &e), &e);
    assert_int_equal(after.case_index, MAX_CASES);
    assert_in_range(after.n_bytes, 1, before.n_bytes - 1);
}

/* A target that takes its time to say what it is, or to fail, is asked once, not for each bucket. */
static void targets_are_asked_once(void **state)
{
    struct rig *r = *state;
    const unsigned char *text = NULL;
    size_t n = 0;
    struct err e;
    look_into(r, NO_END_NS);
    must(file_read(r->starts, 4096, &r->a, &text, &n, &e), &e);
    assert_int_equal(n, strlen("start\n"));
}

static void without_time_nothing_is_told(void **state)
{
    struct rig *r = *state;
    look_into(r, 0);
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        assert_null(r->c.findings[i].triage);
    }
}

/* Without an end. */
static struct triage_figures look_into_on_request(struct rig *r, int redo)
{
    struct err e;
    struct triage_options const o = {.targets = &r->list,
                                     .max_ns = NO_END_NS,
                                     .reduce_ns = NO_END_NS,
                                     .n_workers = 1,
                                     .redo = redo};
    struct triage_figures figures;
    must(triage_run(r->j, &r->c, &o, &figures, &e), &e);
    return figures;
}

/* A signal that waits already: no bucket is looked into, and the next call does. */
static void a_signal_leaves_buckets_for_another_time(void **state)
{
    struct rig *r = *state;
    struct err e;
    sigset_t old;
    child_hold_stop(&old);
    assert_int_equal(raise(SIGTERM), 0);
    struct triage_figures const figures = look_into_on_request(r, 0);
    child_release_stop(&old);
    assert_int_equal(figures.n_done + figures.n_cut, 0);
    assert_int_equal(figures.n_late, N_BUCKETS);
    assert_int_equal(look_into_on_request(r, 0).n_done, N_BUCKETS);
    must(journal_load(r->j, &r->a, &r->c, &e), &e);
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        assert_false(r->c.findings[i].triage->is_cut);
    }
}

/* What a row expects is counted alone, unless all is to be looked into. */
static void known_bugs_are_looked_into_on_request_alone(void **state)
{
    struct rig *r = *state;
    struct expected_failure row = {.note = "known"};
    r->c.findings[0].expected = &row;
    struct triage_figures const without = look_into_on_request(r, 0);
    assert_int_equal(without.n, N_BUCKETS - 1);
    assert_int_equal(without.n_done, N_BUCKETS - 1);
    assert_int_equal(without.n_known, 1);
    struct triage_figures const with = look_into_on_request(r, 1);
    assert_int_equal(with.n_done, N_BUCKETS);
    assert_int_equal(with.n_known, 0);
}

/* Look into the one bucket that a shard is dealt, in a folder of its own; which finding names it. */
static int64_t look_into_share(struct rig *r, uint32_t index, const char *folder)
{
    struct shard const shard = {.index = index, .n = N_BUCKETS}, other = {.index = 0, .n = 7};
    struct triage_options const o = {
        .targets = &r->list, .max_ns = NO_END_NS, .reduce_ns = 1, .n_workers = 1};
    struct triage_figures figures;
    struct journal *j = NULL;
    struct campaign c;
    struct err e;
    uint32_t n = 0;
    must(file_make_path(folder, &e), &e);
    must(triage_share_make(r->j, &r->c, false, shard, folder, &n, &e), &e);
    assert_int_equal(n, 1);
    must(journal_open(&j, folder, NULL, &e), &e);
    must(triage_share_check(j, r->j, shard, &e), &e);
    assert_int_equal(triage_share_check(j, r->j, other, &e), RES_USAGE);
    must(journal_load(j, &r->a, &c, &e), &e);
    must(triage_run(j, &c, &o, &figures, &e), &e);
    assert_int_equal(figures.n, 1);
    assert_int_equal(figures.n_done, 1);
    must(journal_load(j, &r->a, &c, &e), &e);
    must(triage_run(j, &c, &o, &figures, &e), &e); /* once is enough */
    assert_int_equal(figures.n, 0);
    journal_close(j);
    return c.findings[0].id;
}

/* Each bucket comes to one shard, and merged with the campaign all is known as if one machine had looked. */
static void buckets_are_dealt(void **state)
{
    struct rig *r = *state;
    const char *const base = arena_printf(&r->a, "%s-shares", r->folder);
    const char *const merged = arena_printf(&r->a, "%s/merged", base);
    const char *in[1 + N_BUCKETS] = {r->folder};
    int64_t head[N_BUCKETS];
    struct merge_summary summary;
    struct journal *j = NULL;
    struct campaign c;
    struct err e;
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        in[1 + i] = arena_printf(&r->a, "%s/%u", base, i);
        head[i] = look_into_share(r, i, in[1 + i]);
    }
    assert_int_not_equal(head[0], head[1]);
    struct merge_words const words = {.out = merged, .in = in, .n = ARRAY_N(in)};
    must(merge_folders(&words, &r->a, &summary, &e), &e);
    assert_int_equal(summary.n_parts, 1);
    must(journal_open(&j, merged, NULL, &e), &e);
    must(journal_load(j, &r->a, &c, &e), &e);
    journal_close(j);
    look_into_for(r, NO_END_NS, 1); /* all of it, here */
    assert_int_equal(c.n_findings, r->c.n_findings);
    for (uint32_t i = 0; i < N_BUCKETS; i++) {
        const struct campaign_triage *const t = c.findings[i].triage;
        const struct campaign_triage *const own = r->c.findings[i].triage;
        assert_non_null(t);
        assert_non_null(own);
        assert_string_equal(c.findings[i].signature, r->c.findings[i].signature);
        assert_int_equal(t->n_shown, own->n_shown);
        assert_int_equal(t->n_after, own->n_after);
        assert_string_equal(t->variant, own->variant);
        assert_string_equal(t->cause, own->cause);
        assert_string_equal(campaign_print_matrix(t, &r->a), campaign_print_matrix(own, &r->a));
    }
    must(file_remove(base, &e), &e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_bucket_is_looked_into, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reduction_without_time_leaves_the_case_as_it_is, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_smallest_case_of_a_bucket_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(targets_are_asked_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_time_nothing_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_signal_leaves_buckets_for_another_time, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(buckets_are_dealt, set_up, tear_down),
        cmocka_unit_test_setup_teardown(known_bugs_are_looked_into_on_request_alone, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
