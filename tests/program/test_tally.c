/* tests/program/test_tally.c -- counts that a guided campaign moves into its journal are moved once, wherever a kill
 * comes between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/tally.h"
#include "fuzz/journal/journal_load.h"
#include "tests/rig/folder_rig.h"

struct rig {
    struct arena a;
    char folder[256];
    const char *path;
    struct journal *j;
    int64_t target;
    struct testcase tc;
    struct observation ob;
    struct judgement g;
};

static int set_up(void **state)
{
    static struct rig r;
    struct err e;
    struct tape tape;
    struct campaign_plan const plan = {.profile = "atomics", .gen_version = 1, .targets = "x"};
    memset(&r, 0, sizeof r);
    arena_init(&r.a, (size_t)256 << 20);
    folder_make(r.folder, sizeof r.folder, "tally");
    r.path = arena_printf(&r.a, "%s/00.tally", r.folder);
    r.g.kind = VERDICT_OK;
    r.g.n_judged = 7;
    r.g.n_anything = 4;
    r.g.n_coverage = 1;
    r.g.coverage[0] = (struct coverage){.type = VT_F32, .storage = STORAGE_GLOBAL, .n = 3};
    r.ob.status = RUN_DONE;
    *state = &r;
    return sched_make_case(PROFILE_ATOMICS, 1, 1, ENV_CL, &r.a, &r.tc, &tape, &e) == RES_OK &&
                   journal_open(&r.j, r.folder, &plan, &e) == RES_OK &&
                   journal_put_target(r.j, "x", "", &r.target, &e) == RES_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    struct rig *const r = *state;
    journal_close(r->j);
    folder_remove(r->folder);
    arena_free(&r->a);
    return 0;
}

static void count(struct rig *r, struct tally *t, int n)
{
    struct run_record const record = {&r->tc, &r->ob, &r->g, NULL};
    for (int i = 0; i < n; i++) {
        tally_add_run(t, &record);
    }
}

static struct tally *open_it(struct rig *r)
{
    struct tally *t = NULL;
    struct err e;
    assert_int_equal(tally_open(&t, r->path, &e), RES_OK);
    assert_int_equal(tally_settle(t, r->j, &e), RES_OK);
    return t;
}

static void flush(struct rig *r, struct tally *t)
{
    struct err e;
    assert_int_equal(tally_flush(t, r->j, r->target, &e), RES_OK);
}

static void expect_runs(struct rig *r, uint64_t n)
{
    struct campaign c;
    struct err e;
    assert_int_equal(journal_load(r->j, &r->a, &c, &e), RES_OK);
    assert_int_equal(c.targets[0].n_runs, n);
    assert_int_equal(c.targets[0].n_judged, 7 * n);
    assert_int_equal(c.targets[0].n_unconfined, n); /* 3 of 7 values are confined in each */
    assert_int_equal(c.targets[0].n_verdict[VERDICT_OK], n);
    assert_int_equal(c.n_coverage, 1);
    assert_int_equal(c.coverage[0].n, 3 * n);
}

/* The file as it is at the end of `before`, when the journal has what was moved after it. */
static void a_cut_move_is_not_made_twice(void **state)
{
    struct rig *const r = *state;
    const unsigned char *p = NULL;
    size_t n = 0;
    struct err e;
    struct tally *t = open_it(r);
    count(r, t, 5);
    flush(r, t);
    expect_runs(r, 5);
    count(r, t, 4);
    assert_int_equal(file_read(r->path, (size_t)64 << 20, &r->a, &p, &n, &e), RES_OK);
    flush(r, t);
    tally_close(t);
    expect_runs(r, 9);
    assert_int_equal(file_write(r->path, p, n, &e), RES_OK); /* killed behind the commit */
    t = open_it(r);
    count(r, t, 2);
    flush(r, t);
    flush(r, t);
    tally_close(t);
    expect_runs(r, 11);
}

/* A file that was lost begins anew, whatever number the journal has. */
static void a_new_file_counts_from_its_first_run(void **state)
{
    struct rig *const r = *state;
    for (uint64_t i = 1; i <= 3; i++) {
        struct tally *t = open_it(r);
        count(r, t, 2);
        flush(r, t);
        tally_close(t);
        expect_runs(r, 2 * i);
        assert_int_equal(unlink(r->path), 0);
    }
}

/* A program of another build that opens the file may need more room, and writes what means nothing here. The file
 * is never made smaller, as it is mapped there. */
static void another_build_is_noticed(void **state)
{
    struct rig *const r = *state;
    struct tally *t = open_it(r);
    assert_true(tally_is_ours(t));
    struct stat ours;
    assert_int_equal(stat(r->path, &ours), 0);
    off_t const longer = ours.st_size + 4096;
    assert_int_equal(truncate(r->path, longer), 0);
    int const fd = open(r->path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, "\xff\xff\xff\xff", 4, 8), 4); /* its size, behind the magic */
    (void)close(fd);
    assert_false(tally_is_ours(t));
    tally_close(t);
    t = open_it(r);
    assert_true(tally_is_ours(t));
    struct stat now;
    assert_int_equal(stat(r->path, &now), 0);
    assert_int_equal(now.st_size, longer);
    tally_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_build_is_noticed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_cut_move_is_not_made_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_file_counts_from_its_first_run, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
