/* fuzz/triage/test_worse.c -- what became worse: the statistics of two campaigns on targets of several names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/testcase.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/journal/journal_statistics.h"
#include "fuzz/triage/worse.h"

enum {
    N_CASES = 6,
    PERCENT = 20
};

/* A campaign of N_CASES cases that were only built. */
struct half {
    char folder[256];
    struct journal *j;
    struct campaign c;
};
struct rig {
    struct arena a;
    struct testcase tc;
    struct half old, now;
};

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

static void open_half(struct half *h)
{
    struct campaign_plan const plan = {.profile = "arith",
                                       .seed = 2,
                                       .gen_version = GEN_VERSION,
                                       .targets = "t",
                                       .shard = SHARD_NONE};
    struct err e = {RES_OK, ""};
    const char *base = getenv("TMPDIR");
    (void)snprintf(h->folder, sizeof h->folder, "%s/test-worse-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(h->folder));
    must(journal_open(&h->j, h->folder, &plan, &e), &e);
}

static void close_half(struct half *h)
{
    static const char *const names[] = {"journal.sqlite", "journal.sqlite-wal",
                                        "journal.sqlite-shm"};
    char path[400];
    journal_close(h->j);
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", h->folder, names[i]);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(h->folder), 0);
}

static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    struct tape tape;
    struct err e = {RES_OK, ""};
    assert_non_null(r);
    arena_init(&r->a, (size_t)1 << 30);
    must(sched_make_case(PROFILE_ARITH, 2, 0, ENV_VK, &r->a, &r->tc, &tape, &e), &e);
    open_half(&r->old);
    open_half(&r->now);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    close_half(&r->old);
    close_half(&r->now);
    arena_free(&r->a);
    free(r);
    return 0;
}

static int64_t put_target(struct half *h, const char *name, const char *facts)
{
    struct err e = {RES_OK, ""};
    int64_t id = 0;
    must(journal_put_target(h->j, name, facts, &id, &e), &e);
    return id;
}

/* A case with one statistic and a time of its build. */
static void put_case(struct rig *r, struct half *h, int64_t target, uint64_t index,
                     const char *name, uint64_t value, uint64_t build_ns)
{
    struct err e = {RES_OK, ""};
    int64_t run = 0;
    struct observation ob = {
        .status = RUN_BUILT, .build_ns = build_ns, .log = "", .signature = "", .facts = ""};
    struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
    assert_non_null(g);
    g->kind = VERDICT_BUILT;
    observation_put_statistic(&ob, name, value);
    must(journal_begin_run(h->j, target, index, "", 0, &run, &e), &e);
    must(journal_end_run(h->j, run, &(struct run_record){&r->tc, &ob, g, ""}, &r->a, &e), &e);
}

static void compare(struct rig *r)
{
    struct err e = {RES_OK, ""};
    must(journal_load(r->old.j, &r->a, &r->old.c, &e), &e);
    must(journal_load(r->now.j, &r->a, &r->now.c, &e), &e);
    must(worse_compare(&r->now.c, r->now.j, &r->old.c, r->old.j, PERCENT, &r->a, &e), &e);
}

static const struct campaign_statistic *find(const struct rig *r, const char *target,
                                             const char *name)
{
    for (uint32_t i = 0; i < r->now.c.n_statistics; i++) {
        const struct campaign_statistic *const x = &r->now.c.statistics[i];
        if (strcmp(x->target, target) == 0 && strcmp(x->name, name) == 0) {
            return x;
        }
    }
    return NULL;
}

/* 20% more is not more than 20%; the worst case is that with the largest change. */
static void cases_beyond_the_share_are_worse(void **state)
{
    struct rig *r = *state;
    static const uint64_t before[N_CASES] = {100, 100, 10, 100, 0, 100};
    static const uint64_t after[N_CASES] = {120, 121, 30, 150, 1, 50};
    int64_t const old = put_target(&r->old, "t", ""), now = put_target(&r->now, "t", "");
    for (uint32_t i = 0; i < N_CASES; i++) {
        put_case(r, &r->old, old, i, "SLM Size", before[i], 1000 * (i + 1));
        put_case(r, &r->now, now, i, "SLM size", after[i], 9000);
    }
    put_case(r, &r->now, now, N_CASES, "SLM size", 1000, 9000); /* the old one does not have it */
    compare(r);
    const struct campaign_statistic *const x = find(r, "t", "SLM size");
    assert_non_null(x);
    assert_int_equal(x->n_cases, N_CASES);
    assert_int_equal(x->before, 410);
    assert_int_equal(x->after, 472);
    assert_int_equal(x->n_worse, 4);
    assert_int_equal(x->worst_case, 3);
    assert_int_equal(x->worst_before, 100);
    assert_int_equal(x->worst_after, 150);
    assert_non_null(strstr(x->replay, "--index 3 --env vulkan"));
    const struct campaign_statistic *const time = find(r, "t", STATISTIC_BUILD_NS);
    assert_non_null(time);
    assert_true(time->is_time);
    assert_int_equal(time->before, 4000); /* a median, and never worse */
    assert_int_equal(time->after, 9000);
    assert_int_equal(time->n_worse, 0);
    assert_null(time->replay);
    assert_int_equal(r->now.c.n_statistics, 2);
}

static void less_is_worse_of_some(void **state)
{
    struct rig *r = *state;
    int64_t const old = put_target(&r->old, "t", ""), now = put_target(&r->now, "t", "");
    put_case(r, &r->old, old, 0, "Subgroups per SIMD", 16, 0);
    put_case(r, &r->now, now, 0, "Subgroups per SIMD", 8, 0);
    put_case(r, &r->old, old, 1, "Subgroups per SIMD", 8, 0);
    put_case(r, &r->now, now, 1, "Subgroups per SIMD", 16, 0);
    put_case(r, &r->old, old, 2, "main: Max Waves", 8, 0); /* of a pipeline with two executables */
    put_case(r, &r->now, now, 2, "main: Max Waves", 16, 0);
    put_case(r, &r->old, old, 3, "main: Max Waves", 16, 0);
    put_case(r, &r->now, now, 3, "main: Max Waves", 8, 0);
    compare(r);
    const struct campaign_statistic *const x = find(r, "t", "Subgroups per SIMD");
    const struct campaign_statistic *const waves = find(r, "t", "main: Max Waves");
    assert_non_null(x);
    assert_int_equal(x->n_worse, 1);
    assert_int_equal(x->worst_case, 0);
    assert_non_null(waves);
    assert_int_equal(waves->n_worse, 1);
    assert_int_equal(waves->worst_case, 3);
}

/* The same index with another module is another case; later cases than are kept have no statistics. */
static void other_cases_are_not_compared(void **state)
{
    struct rig *r = *state;
    int64_t const old = put_target(&r->old, "t", ""), now = put_target(&r->now, "t", "");
    put_case(r, &r->old, old, 0, "VGPRs", 10, 0);
    put_case(r, &r->old, old, JOURNAL_STATISTICS_CASES, "VGPRs", 10, 0);
    put_case(r, &r->now, now, JOURNAL_STATISTICS_CASES, "VGPRs", 20, 0);
    r->tc.n_words--;
    put_case(r, &r->now, now, 0, "VGPRs", 20, 0);
    compare(r);
    assert_int_equal(r->now.c.n_statistics, 0);
}

static void targets_are_paired_by_name_then_device(void **state)
{
    struct rig *r = *state;
    static const struct {
        const char *old, *now, *device;
    } rows[] = {
        {"same",   "same", "device=A\n"}, /* by name, although "a-25" is for this device too */
        {"a-25",   "a",    "device=A\n"},
        {"b-25",   "b",    "device=B\n"},
        {"last-1", "last", ""          }  /* one of each is left */
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        put_case(r, &r->old, put_target(&r->old, rows[i].old, rows[i].device), 0, "VGPRs", 10 + i,
                 0);
        put_case(r, &r->now, put_target(&r->now, rows[i].now, rows[i].device), 0, "VGPRs", 10 + i,
                 0);
    }
    compare(r);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const struct campaign_statistic *const x = find(r, rows[i].now, "VGPRs");
        if (i < 3) {
            assert_non_null(x);
            assert_string_equal(x->old_target, rows[i].old);
            assert_int_equal(x->before, x->after);
        } else { /* "a-25" and "b-25" are free by name too: none is the only one */
            assert_null(x);
        }
    }
}

static void the_only_two_targets_are_paired(void **state)
{
    struct rig *r = *state;
    put_case(r, &r->old, put_target(&r->old, "x-25", "device=X 25\n"), 0, "VGPRs", 10, 0);
    put_case(r, &r->now, put_target(&r->now, "x", "device=X 26\n"), 0, "VGPRs", 13, 0);
    compare(r);
    const struct campaign_statistic *const x = find(r, "x", "VGPRs");
    assert_non_null(x);
    assert_string_equal(x->old_target, "x-25");
    assert_int_equal(x->n_worse, 1);
    assert_non_null(strstr(x->replay, "--targets x-25,x "));
}

#define ON_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_RIG(cases_beyond_the_share_are_worse), ON_RIG(less_is_worse_of_some),
        ON_RIG(other_cases_are_not_compared),     ON_RIG(targets_are_paired_by_name_then_device),
        ON_RIG(the_only_two_targets_are_paired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
