/* fuzz/journal/test_journal.c -- what goes into a journal comes out, once, and damage is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/ops.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/io/db.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/journal/journal_remark.h"

struct rig {
    struct arena a;
    char folder[256];
    struct testcase tc;
    struct observation ob;
};

static struct campaign_plan const plan = {.profile = "atomics",
                                          .seed = 11,
                                          .gen_version = 1,
                                          .max_cases = 100,
                                          .max_ns = 5000000000,
                                          .targets = "one two",
                                          .shard = SHARD_NONE};

/* A folder for a journal, a generated case and an observation of it. */
static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof(*r));
    struct tape tape;
    struct err e;
    const char *base = getenv("TMPDIR");
    if (!r) {
        return -1;
    }
    arena_init(&r->a, (size_t)512 << 20);
    (void)snprintf(r->folder, sizeof(r->folder), "%s/test-journal-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(r->folder) ||
        sched_make_case(PROFILE_ATOMICS, 1, 1, ENV_CL, &r->a, &r->tc, &tape, &e) != RES_OK) {
        return -1;
    }
    r->ob = (struct observation){.status = RUN_DONE,
                                 .phase = PHASE_DONE,
                                 .log = "log",
                                 .signature = "",
                                 .facts = "device=x\n",
                                 .n_bufs = r->tc.n_bufs};
    for (uint32_t i = 0; i < r->tc.n_bufs; i++) {
        r->ob.out[i] = r->tc.bufs[i].data;
    }
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    static const char *const names[] = {"", "-wal", "-shm", ".new"};
    char path[400];
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        (void)snprintf(path, sizeof(path), "%s/journal.sqlite%s", r->folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(r->folder);
    arena_free(&r->a);
    free(r);
    return 0;
}

static struct journal *open_it(struct rig *r, const struct campaign_plan *p)
{
    struct journal *j = NULL;
    struct err e = {RES_OK, ""};
    if (journal_open(&j, r->folder, p, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    return j;
}

static void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

/* A run with n findings of a kind, or none. */
static void put_run(struct rig *r, struct journal *j, int64_t target, uint64_t index,
                    enum verdict_kind kind, uint32_t n)
{
    struct err e = {RES_OK, ""};
    int64_t run = 0;
    struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
    assert_non_null(g);
    g->kind = kind;
    g->n_findings = g->n_found = n;
    g->n_judged = 10;
    g->n_sharp = 9;
    g->n_coverage = 1;
    g->coverage[0] = (struct coverage){.op = 0, .type = VT_F32, .storage = STORAGE_GLOBAL, .n = 10};
    for (uint32_t i = 0; i < n; i++) {
        g->findings[i] = (struct finding){
            .kind = kind,
            .clause = CLAUSE_FADD_CR,
            .op = (int)i,
            .type = VT_F32,
            .storage = STORAGE_GLOBAL,
            .op2 = -1,
            .n_operands = 2,
            .operand = {0x3f800000, 0x40000000},
            .has_got = 1,
            .got = 0x40400001,
            .permitted = "{0x40400000}",
            .operand_class = "normal,normal",
            .text = "a text with 'quotes' and \"more\""
        };
    }
    struct run_record const record = {&r->tc, &r->ob, g, "%1 = OpX ; 0x00000014\n"};
    must(journal_begin_run(j, target, index, "tape", 4, &run, &e), &e);
    must(journal_end_run(j, run, &record, &r->a, &e), &e);
}

/* What was put into a journal is what a campaign that is loaded from it has. */
static void what_goes_in_comes_out(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct journal *j = open_it(r, &plan);
    int64_t one = 0;
    int64_t two = 0;
    must(journal_put_target(j, "one", "device=x\n", &one, &e), &e);
    must(journal_put_target(j, "two", "", &two, &e), &e);
    for (uint64_t i = 0; i < 5; i++) {
        put_run(r, j, one, i, VERDICT_OK, 0);
    }
    put_run(r, j, one, 5, VERDICT_ULP, 2);
    put_run(r, j, two, 0, VERDICT_ULP, 1);
    must(journal_skip_case(j, two, 1, &e), &e);
    must(journal_add_time(j, 2000000000, 10, 30, &e), &e);
    journal_close(j);
    j = open_it(r, NULL);
    struct campaign c;
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_string_equal(c.plan.profile, "atomics");
    assert_int_equal(c.plan.seed, 11);
    assert_int_equal(c.plan.max_ns, 5000000000);
    assert_int_equal(c.n_targets, 2);
    assert_int_equal(c.targets[0].n_runs, 6);
    assert_int_equal(c.targets[0].n_judged, 60);
    assert_int_equal(c.targets[0].n_verdict[VERDICT_OK], 5);
    assert_int_equal(c.targets[0].n_verdict[VERDICT_ULP], 1);
    assert_int_equal(c.targets[1].n_skipped, 1);
    assert_int_equal(c.n_findings, 3);
    assert_string_equal(c.findings[0].text, "a text with 'quotes' and \"more\"");
    assert_non_null(strstr(c.findings[0].got, "0x40400001"));
    assert_int_equal(c.n_coverage, 2);
    assert_int_equal(c.harness_cpu_ns, 10);
    struct testcase tc;
    struct observation ob;
    must(journal_get_case(j, c.findings[0].id, &r->a, &tc, &ob, &e), &e);
    assert_int_equal(tc.n_words, r->tc.n_words);
    assert_memory_equal(tc.module, r->tc.module, (size_t)tc.n_words * 4);
    assert_int_equal(journal_get_case(j, 12345, &r->a, &tc, &ob, &e), RES_USAGE);
    journal_close(j);
}

/* A run without findings, with these counts of groups and hashes of two instructions' values. */
static void put_group_run(struct rig *r, struct journal *j, int64_t target, uint64_t index,
                          const char *profile, enum case_class class, uint64_t hash)
{
    struct err e = {RES_OK, ""};
    int64_t run = 0;
    struct testcase tc = r->tc;
    struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
    struct run_record const record = {&tc, &r->ob, g, NULL};
    assert_non_null(g);
    tc.profile = profile;
    tc.class = class;
    g->kind = VERDICT_OK;
    g->n_judged = 5;
    g->n_reductions = 7;
    g->n_reductions_bounded = 2;
    g->n_partial = 3;
    g->cross_hash[OP_core_AtomicLoad] = 77; /* the same everywhere */
    g->cross_hash[OP_core_GroupNonUniformFAdd] = hash;
    g->cross_hash[OP_N - 1] = hash; /* the last row, of an extended set */
    g->n_coverage = 2;
    g->coverage[0] = (struct coverage){.op = OP_core_GroupNonUniformFAdd,
                                       .type = VT_F16,
                                       .storage = STORAGE_SUBGROUP_EXCLUSIVE,
                                       .n = 4,
                                       .n_sharp = 1};
    g->coverage[1] = (struct coverage){
        .op = OP_N - 1, .type = VT_BOOL, .storage = STORAGE_GROUP_EXCLUSIVE, .n = 1};
    must(journal_begin_run(j, target, index, "tape", 4, &run, &e), &e);
    must(journal_end_run(j, run, &record, &r->a, &e), &e);
}

static const struct campaign_coverage *find_coverage(const struct campaign *c, int64_t target,
                                                     const char *op, const char *outcome)
{
    for (uint32_t i = 0; i < c->n_coverage; i++) {
        if (c->coverage[i].target_id == target && strcmp(c->coverage[i].op, op) == 0 &&
            strcmp(c->coverage[i].outcome, outcome) == 0) {
            return &c->coverage[i];
        }
    }
    fail_msg("no coverage of %s, %s", op, outcome);
    return NULL;
}

/* Group operations are counted by target, profile, type and place, also over several commits. */
static void groups_are_counted(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct campaign c;
    struct journal *j = open_it(r, &plan);
    int64_t one = 0;
    must(journal_put_target(j, "one", "api=opencl\n", &one, &e), &e);
    for (uint64_t i = 0; i < 4; i++) {
        put_group_run(r, j, one, i, i == 3 ? "atomics" : "groups", CLASS_LEGAL, 5);
        must(i == 1 ? journal_flush(j, &e) : RES_OK, &e);
    }
    journal_close(j);
    j = open_it(r, NULL);
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_int_equal(c.targets[0].n_reductions, 28);
    assert_int_equal(c.targets[0].n_reductions_bounded, 8);
    assert_int_equal(c.targets[0].n_partial, 12);
    assert_int_equal(c.targets[0].n_profiles, 2);
    for (uint32_t i = 0; i < 2; i++) {
        int const is_groups = strcmp(c.targets[0].profiles[i].name, "groups") == 0;
        assert_int_equal(c.targets[0].profiles[i].n_runs, is_groups ? 3 : 1);
    }
    const struct campaign_coverage *x = find_coverage(&c, one, "GroupNonUniformFAdd", "run");
    assert_string_equal(x->type, "f16");
    assert_string_equal(x->storage, "subgroup-exclusive");
    assert_int_equal(x->n, 16);
    assert_int_equal(x->n_sharp, 4);
    x = find_coverage(&c, one, op_rows[OP_N - 1].name, "run");
    assert_string_equal(x->type, "bool");
    assert_string_equal(x->storage, "group-exclusive");
    journal_close(j);
}

/* Instructions of which two targets gave different values for the same case are listed for each pair of
 * targets; cases that a target does not list are not compared. */
static void differences_between_targets_are_rows(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct campaign c;
    struct journal *j = open_it(r, &plan);
    int64_t id[3] = {0, 0, 0};
    must(journal_put_target(j, "one", "api=opencl\n", &id[0], &e), &e);
    must(journal_put_target(j, "two", "api=opencl\n", &id[1], &e), &e);
    must(journal_put_target(j, "three", "api=opencl\n", &id[2], &e), &e);
    for (uint64_t i = 0; i < 6; i++) {
        put_group_run(r, j, id[0], i, "groups", CLASS_LEGAL, 1);
        put_group_run(r, j, id[1], i, "groups", CLASS_LEGAL,
                      i < 2 ? 1 : 2); /* cases 2 to 5 differ */
        put_group_run(r, j, id[2], i, "groups", CLASS_LEGAL, 1);
    }
    /* what a target does not list is nothing to compare */
    put_group_run(r, j, id[0], 6, "groups", CLASS_UNADVERTISED, 1);
    put_group_run(r, j, id[1], 6, "groups", CLASS_UNADVERTISED, 2);
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_int_equal(c.n_cross, 4); /* two instructions, two pairs; never AtomicLoad */
    for (uint32_t i = 0; i < c.n_cross; i++) {
        assert_string_equal(c.cross[i].op, i < 2 ? "GroupNonUniformFAdd" : op_rows[OP_N - 1].name);
        assert_string_equal(c.cross[i].target_a, i % 2 ? "two" : "one");
        assert_string_equal(c.cross[i].target_b, i % 2 ? "three" : "two");
        assert_int_equal(c.cross[i].n_cases, 4);
        assert_int_equal(c.cross[i].example_case, 2);
    }
    assert_string_equal(c.cross[0].replay,
                        "halfulp gen --profile atomics --seed 11 --index 2 --env opencl -o case-2 "
                        "&& halfulp check -v --targets one,two case-2");
    journal_close(j);
}

/* A run of a case of what the target does not list, with that end. */
static void put_unlisted_run(struct rig *r, struct journal *j, int64_t target, uint64_t index,
                             enum run_status status, enum verdict_kind kind)
{
    struct err e = {RES_OK, ""};
    int64_t run = 0;
    struct testcase tc = r->tc;
    struct observation ob = r->ob;
    struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
    struct run_record const record = {&tc, &ob, g, NULL};
    assert_non_null(g);
    memset(&tc.needs, 0, sizeof tc.needs);
    needs_add(&tc.needs, NEED_CL_AMD_BALLOT);
    needs_add(&tc.needs, NEED_CL_F16); /* listed */
    tc.class = CLASS_UNADVERTISED;
    ob.status = status;
    g->kind = kind;
    g->n_coverage = 1;
    g->coverage[0] = (struct coverage){.op = OP_core_GroupFAddNonUniformAMD,
                                       .type = VT_F32,
                                       .storage = STORAGE_SUBGROUP_REDUCE,
                                       .n = 2};
    if (kind != VERDICT_OK) {
        g->n_findings = g->n_found = 1;
        g->findings[0] = (struct finding){.kind = kind,
                                          .clause = CLAUSE_FADD_CR,
                                          .op = OP_core_GroupFAddNonUniformAMD,
                                          .type = VT_F32,
                                          .storage = STORAGE_SUBGROUP_REDUCE,
                                          .op2 = -1,
                                          .permitted = "",
                                          .operand_class = "",
                                          .text = "x"};
    }
    must(journal_begin_run(j, target, index, "tape", 4, &run, &e), &e);
    must(journal_end_run(j, run, &record, &r->a, &e), &e);
}

/* Runs of cases that the target does not list change none of its verdicts, and are counted by their
 * outcome. */
static void what_is_not_listed_is_counted_apart(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct campaign c;
    struct journal *j = open_it(r, &plan);
    int64_t id = 0;
    must(journal_put_target(j, "one", "api=opencl\ncl.ext=cl_khr_fp16\n", &id, &e), &e);
    put_run(r, j, id, 0, VERDICT_ULP, 1); /* the control: legal */
    put_unlisted_run(r, j, id, 1, RUN_DONE, VERDICT_OK);
    put_unlisted_run(r, j, id, 2, RUN_DONE, VERDICT_OK);
    put_unlisted_run(r, j, id, 3, RUN_DONE, VERDICT_ULP);
    put_unlisted_run(r, j, id, 4, RUN_REJECT, VERDICT_OK);
    put_unlisted_run(r, j, id, 5, RUN_REJECT, VERDICT_OK);
    put_unlisted_run(r, j, id, 6, RUN_REJECT, VERDICT_OK);
    put_unlisted_run(r, j, id, 7, RUN_CRASH, VERDICT_CRASH);
    put_unlisted_run(r, j, id, 8, RUN_HANG, VERDICT_HANG);
    put_unlisted_run(r, j, id, 9, RUN_HARNESS, VERDICT_INCONCLUSIVE);
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_int_equal(c.targets[0].n_runs, 10);
    assert_int_equal(c.targets[0].n_unadvertised, 9);
    assert_int_equal(c.targets[0].n_verdict[VERDICT_ULP], 1);
    assert_int_equal(c.targets[0].n_verdict[VERDICT_OK], 0);
    assert_int_equal(c.targets[0].n_verdict[VERDICT_CRASH], 0);
    assert_int_equal(c.n_features, 1);
    assert_string_equal(c.features[0].feature, "CL_AMD_BALLOT");
    assert_int_equal(c.features[0].n_accepted, 2);
    assert_int_equal(c.features[0].n_rejected, 3);
    assert_int_equal(c.features[0].n_crashed, 2);
    assert_int_equal(c.features[0].n_wrong, 1);
    assert_int_equal(find_coverage(&c, id, "GroupFAddNonUniformAMD", "unadvertised")->n, 12);
    assert_int_equal(find_coverage(&c, id, "GroupFAddNonUniformAMD", "refused")->n, 6);
    uint32_t n_legal = 0;
    for (uint32_t i = 0; i < c.n_findings; i++) {
        n_legal += strcmp(c.findings[i].class, "legal") == 0;
    }
    assert_int_equal(n_legal, 1);
    assert_int_equal(c.n_findings, 5);
    journal_close(j);
}

static void a_run_ends_once(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct journal *j = open_it(r, &plan);
    int64_t id = 0;
    int64_t run = 0;
    struct judgement g = {.kind = VERDICT_OK};
    struct run_record const record = {&r->tc, &r->ob, &g, NULL};
    must(journal_put_target(j, "one", "", &id, &e), &e);
    must(journal_begin_run(j, id, 0, "t", 1, &run, &e), &e);
    must(journal_end_run(j, run, &record, &r->a, &e), &e);
    assert_int_equal(journal_end_run(j, run, &record, &r->a, &e), RES_INTERNAL);
    assert_int_equal(journal_begin_run(j, id, 0, "t", 1, &run, &e), RES_INTERNAL);
    journal_close(j);
}

/* Begun and not ended: the place to go on from, and the same run again. */
static void an_open_run_is_run_again(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct journal *j = open_it(r, &plan);
    int64_t id = 0;
    int64_t run = 0;
    uint64_t next = 99;
    must(journal_put_target(j, "one", "", &id, &e), &e);
    put_run(r, j, id, 0, VERDICT_OK, 0);
    must(journal_begin_run(j, id, 1, "t", 1, &run, &e), &e);
    put_run(r, j, id, 2, VERDICT_OK, 0);
    must(journal_flush(j, &e), &e);
    journal_close(j);
    j = open_it(r, NULL);
    must(journal_put_target(j, "one", "", &id, &e), &e);
    must(journal_next_case(j, id, &next, &e), &e);
    assert_int_equal(next, 1);
    assert_int_equal(journal_is_done(j, id, 0), 1);
    assert_int_equal(journal_is_done(j, id, 1), 0);
    assert_int_equal(journal_is_done(j, id, 2), 1);
    put_run(r, j, id, 1, VERDICT_OK, 0);
    must(journal_next_case(j, id, &next, &e), &e);
    assert_int_equal(next, 3);
    journal_close(j);
}

/* A full bucket goes on counting; whole cases are kept up to the limit. */
static void a_full_bucket_counts_on(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct journal *j = open_it(r, &plan);
    int64_t id = 0;
    uint64_t const n = JOURNAL_KEEP_DIVERGENCES + 30;
    must(journal_put_target(j, "one", "", &id, &e), &e);
    for (uint64_t i = 0; i < n; i++) {
        put_run(r, j, id, i, VERDICT_DIVERGENCE, 1);
    }
    struct campaign c;
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_int_equal(c.n_findings, 1);
    assert_int_equal(c.findings[0].n_in_bucket, n);
    journal_close(j);
}

/* Beyond the cap only counts are left of good cases, and findings stay. */
static void the_disk_cap_keeps_counts_and_findings(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct journal *j = open_it(r, &plan);
    int64_t id = 0;
    uint64_t next = 0;
    journal_set_disk_cap(j, 1);
    must(journal_put_target(j, "one", "", &id, &e), &e);
    for (uint64_t i = 0; i < 300; i++) {
        put_run(r, j, id, i, i == 250 ? VERDICT_ULP : VERDICT_OK, i == 250);
        must(i % 10 == 9 ? journal_flush(j, &e) : RES_OK, &e);
    }
    struct campaign c;
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_int_equal(c.targets[0].n_runs, 300);
    assert_int_equal(c.n_findings, 1);
    assert_int_equal(c.n_cases, 300);
    must(journal_next_case(j, id, &next, &e), &e);
    assert_int_equal(next, 300);
    assert_int_equal(journal_is_done(j, id, 17), 1);
    journal_close(j);
}

static long file_size(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

static void write_bytes(const char *path, const unsigned char *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Any damage is a result or an error that names the file, never a crash. */
static void damage_is_told(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    char path[400];
    struct journal *j = open_it(r, &plan);
    int64_t id = 0;
    must(journal_put_target(j, "one", "", &id, &e), &e);
    for (uint64_t i = 0; i < 20; i++) {
        put_run(r, j, id, i, VERDICT_ULP, 1);
    }
    journal_close(j);
    (void)snprintf(path, sizeof(path), "%s/journal.sqlite", r->folder);
    size_t const n = (size_t)file_size(path);
    const unsigned char *good = NULL;
    size_t n_good = 0;
    must(file_read(path, n, &r->a, &good, &n_good, &e), &e);
    unsigned char *bad = arena_copy(&r->a, good, n_good);
    assert_non_null(bad);
    struct rng rng = rng_seed(3);
    int n_told = 0;
    for (int i = 0; i < 60; i++) {
        struct campaign c;
        size_t const cut = i % 3 == 0 ? (size_t)rng_below(&rng, n_good) : n_good;
        memcpy(bad, good, n_good);
        for (int k = 0; k < 40 && i % 3 == 1; k++) {
            bad[rng_below(&rng, n_good)] ^= (unsigned char)(1u << rng_below(&rng, 8));
        }
        if (i % 3 == 2) {
            memset(bad, (int)rng_below(&rng, 256), (size_t)rng_below(&rng, n_good));
        }
        write_bytes(path, bad, cut);
        e.text[0] = '\0';
        enum res res = journal_open(&j, r->folder, NULL, &e);
        if (res == RES_OK) {
            struct arena a;
            arena_init(&a, (size_t)64 << 20);
            res = journal_load(j, &a, &c, &e);
            arena_free(&a);
            journal_close(j);
        }
        if (res != RES_OK) {
            n_told++;
            assert_non_null(strstr(e.text, "journal"));
        }
    }
    assert_true(n_told > 10);
    write_bytes(path, (const unsigned char *)"hello, this is no database at all....", 36);
    assert_int_equal(journal_open(&j, r->folder, NULL, &e), RES_FORMAT);
    assert_non_null(strstr(e.text, "journal.sqlite"));
}

/* What a file that came from elsewhere could do while it is read or written. */
static void bug_20261122_a_journal_runs_nothing(void **state)
{
    static const char *const statements[] = {
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM findings; END",
    };
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/journal.sqlite", r->folder);
    for (size_t i = 0; i < ARRAY_N(statements); i++) {
        struct db *d = NULL;
        struct journal *j = open_it(r, &plan);
        journal_close(j);
        must(db_open(&d, path, DB_WRITE, &e), &e);
        must(db_exec(d, statements[i], &e), &e);
        db_close(d);
        assert_int_equal(journal_open(&j, r->folder, NULL, &e), RES_FORMAT);
        assert_non_null(strstr(e.text, "journal.sqlite: holds the "));
        assert_int_equal(unlink(path), 0);
    }
}

/* Many at once, on many machines: nothing is made beside it, also while somebody else has it open like this. */
static void a_journal_that_is_over_is_read_by_many(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct journal *readers[3] = {NULL};
    journal_close(open_it(r, &plan));
    for (size_t i = 0; i < ARRAY_N(readers); i++) {
        struct arena a;
        struct campaign c;
        arena_init(&a, (size_t)64 << 20);
        must(journal_open_still(&readers[i], r->folder, &e), &e);
        must(journal_load(readers[i], &a, &c, &e), &e);
        assert_int_equal(c.plan.seed, plan.seed);
        arena_free(&a);
        static const char *const behind[] = {"-wal", "-shm", "-journal"};
        for (size_t k = 0; k < ARRAY_N(behind); k++) {
            char path[400];
            (void)snprintf(path, sizeof(path), "%s/journal.sqlite%s", r->folder, behind[k]);
            assert_int_equal(access(path, F_OK), -1);
        }
    }
    for (size_t i = 0; i < ARRAY_N(readers); i++) {
        journal_close(readers[i]);
    }
}

static void a_missing_journal_is_an_error(void **state)
{
    struct rig *r = *state;
    struct journal *j = NULL;
    struct err e = {RES_OK, ""};
    assert_int_equal(journal_open(&j, r->folder, NULL, &e), RES_IO);
    assert_null(j);
    assert_non_null(strstr(e.text, r->folder));
}

/* A run of a target that only builds: so many seconds, of a module of 1,000 words. */
static void put_build(struct rig *r, struct journal *j, int64_t target, uint64_t index,
                      double seconds)
{
    static const uint32_t words[1000];
    struct err e = {RES_OK, ""};
    struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
    struct testcase tc = r->tc;
    struct observation ob = r->ob;
    int64_t run = 0;
    *g = (struct judgement){.kind = VERDICT_BUILT, .note = ""};
    tc.class = CLASS_LEGAL;
    tc.module = words;
    tc.n_words = ARRAY_N(words);
    ob.status = RUN_BUILT;
    ob.build_ns = (uint64_t)(seconds * 1e9);
    struct run_record const record = {&tc, &ob, g, NULL};
    must(journal_begin_run(j, target, index, "tape", 4, &run, &e), &e);
    must(journal_end_run(j, run, &record, &r->a, &e), &e);
}

/* All slow builds are counted and the slowest are listed, by target; they are no features. */
static void slow_builds_are_kept(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct campaign c;
    int64_t one = 0, two = 0;
    struct journal *j = open_it(r, &plan);
    must(journal_put_target(j, "one", "api=opencl\n", &one, &e), &e);
    must(journal_put_target(j, "two", "api=vulkan\n", &two, &e), &e);
    put_build(r, j, one, 0, 3.9);
    for (uint64_t i = 1; i <= REMARK_MAX_KEPT + 4; i++) {
        put_build(r, j, one, i, 10.0 + (double)(i * 7 % (REMARK_MAX_KEPT + 4)));
    }
    put_build(r, j, two, 3, 9.5);
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_int_equal(c.n_features, 0);
    assert_int_equal(c.targets[0].n_slow, REMARK_MAX_KEPT + 4);
    assert_int_equal(c.targets[1].n_slow, 1);
    assert_int_equal(c.n_slow, REMARK_MAX_KEPT + 1);
    for (uint32_t i = 0; i < REMARK_MAX_KEPT; i++) {
        uint64_t const seconds = 10 + REMARK_MAX_KEPT + 3 - i;
        assert_int_equal(c.slow[i].target_id, one);
        assert_int_equal(c.slow[i].build_ns, seconds * 1000000000);
        assert_int_equal(c.slow[i].n_words, 1000);
        assert_int_equal(c.slow[i].case_index * 7 % (REMARK_MAX_KEPT + 4), seconds - 10);
    }
    assert_int_equal(c.slow[REMARK_MAX_KEPT].target_id, two);
    assert_int_equal(c.slow[REMARK_MAX_KEPT].case_index, 3);
    assert_non_null(
        strstr(c.slow[REMARK_MAX_KEPT].replay,
               " --index 3 --env vulkan -o case-3 && halfulp check -v --targets two case-3"));
    journal_close(j);
}

/* Why runs gave no values is counted by target and reason, whatever numbers a log has. */
static void reasons_without_values_are_counted(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct campaign c;
    int64_t target = 0;
    static const char *const logs[] = {"line 7: the intrinsic demote is not known",
                                       "line 12: the intrinsic demote is not known",
                                       "line 3: no memory at 0xfe9a: image2d-r32f", "", NULL};
    struct journal *j = open_it(r, &plan);
    must(journal_put_target(j, "one", "api=vulkan\n", &target, &e), &e);
    for (uint64_t i = 0; logs[i]; i++) {
        struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
        struct observation ob = r->ob;
        int64_t run = 0;
        *g = (struct judgement){.kind = VERDICT_INCONCLUSIVE, .note = ""};
        ob.status = RUN_SKIPPED;
        ob.n_bufs = 0;
        ob.log = logs[i];
        struct run_record const record = {&r->tc, &ob, g, NULL};
        must(journal_begin_run(j, target, i, "tape", 4, &run, &e), &e);
        must(journal_end_run(j, run, &record, &r->a, &e), &e);
    }
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_int_equal(c.n_unexecuted, 2);
    assert_string_equal(c.unexecuted[0].reason, "line #: the intrinsic demote is not known");
    assert_int_equal(c.unexecuted[0].n, 2);
    assert_int_equal(c.unexecuted[0].target_id, target);
    assert_string_equal(c.unexecuted[1].reason, "line #: no memory at #: image2d-r32f");
    assert_int_equal(c.unexecuted[1].n, 1);
    journal_close(j);
}

/* Runs of which less than half of the values are confined, of listed cases. */
static void unconfined_runs_are_counted(void **state)
{
    struct rig *r = *state;
    struct err e = {RES_OK, ""};
    struct campaign c;
    int64_t target = 0;
    static const struct {
        enum case_class class;
        uint32_t n_judged, n_anything;
    } rows[] = {
        {CLASS_LEGAL,        10, 5 }, /* half: no */
        {CLASS_LEGAL,        10, 6 }, /* the first of two */
        {CLASS_LEGAL,        3,  3 },
        {CLASS_LEGAL,        0,  0 },
        {CLASS_UNADVERTISED, 10, 10},
    };
    struct journal *j = open_it(r, &plan);
    must(journal_put_target(j, "one", "api=opencl\n", &target, &e), &e);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct judgement *g = ARENA_NEW(&r->a, struct judgement, 1);
        struct testcase tc = r->tc;
        int64_t run = 0;
        *g = (struct judgement){.note = ""};
        g->n_judged = rows[i].n_judged;
        g->n_anything = rows[i].n_anything;
        tc.class = rows[i].class;
        struct run_record const record = {&tc, &r->ob, g, NULL};
        must(journal_begin_run(j, target, i, "tape", 4, &run, &e), &e);
        must(journal_end_run(j, run, &record, &r->a, &e), &e);
    }
    must(journal_load(j, &r->a, &c, &e), &e);
    assert_int_equal(c.targets[0].n_runs, ARRAY_N(rows));
    assert_int_equal(c.targets[0].n_unconfined, 2);
    assert_int_equal(c.n_slow, 0);
    for (uint32_t i = 0; i < c.n_features; i++) { /* of the unadvertised case alone */
        assert_int_equal(c.features[i].n_accepted, 1);
    }
    journal_close(j);
}

#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_RIG(slow_builds_are_kept),
        WITH_RIG(reasons_without_values_are_counted),
        WITH_RIG(unconfined_runs_are_counted),
        WITH_RIG(what_goes_in_comes_out),
        WITH_RIG(groups_are_counted),
        WITH_RIG(differences_between_targets_are_rows),
        WITH_RIG(what_is_not_listed_is_counted_apart),
        WITH_RIG(a_run_ends_once),
        WITH_RIG(an_open_run_is_run_again),
        WITH_RIG(a_full_bucket_counts_on),
        WITH_RIG(the_disk_cap_keeps_counts_and_findings),
        WITH_RIG(damage_is_told),
        WITH_RIG(bug_20261122_a_journal_runs_nothing),
        WITH_RIG(a_journal_that_is_over_is_read_by_many),
        WITH_RIG(a_missing_journal_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
