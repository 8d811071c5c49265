/* tests/program/test_guided_build.c -- what becomes of a run after its reply, and of cases that an instrumented
 * driver builds alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz/journal/journal_finding.h"
#include "tests/rig/guided_rig.h"

/* The reply was good, and then the driver died: seen only when the next case comes. */
static void check_crash_after_reply(void (*set_up_it)(struct rig *, const char *))
{
    struct rig r;
    struct campaign c;
    struct err e;
    struct journal *j = NULL;
    struct testcase tc;
    struct observation ob;
    set_up_it(&r, "reply-crash");
    for (uint64_t i = 0; i < 3 * N_MORE; i++) {
        execute_tape(&r, i);
        assert_false(r.is_new);
    }
    struct tally_figures const f = figures(&r);
    assert_true(f.n_new > 0);
    load(&r, &c);
    assert_int_equal(count_verdict(&c, VERDICT_CRASH), f.n_violations);
    assert_true(c.n_findings > 0);
    assert_int_equal(journal_open(&j, r.folder, NULL, &e), RES_OK);
    assert_int_equal(journal_get_case(j, c.findings[0].id, &r.a, &tc, &ob, &e), RES_OK);
    struct arena scratch;
    arena_init(&scratch, (size_t)64 << 20);
    assert_true(fake_is_chosen(&tc, fake_good_hash(ENV_CL, &scratch)));
    arena_free(&scratch);
    journal_close(j);
    tear_down(&r);
}

static void a_crash_after_the_reply_belongs_to_its_tape(void **state)
{
    (void)state;
    check_crash_after_reply(set_up_worker);
}

static void a_crash_after_a_build_belongs_to_its_tape(void **state)
{
    (void)state;
    check_crash_after_reply(set_up_edges);
}

/* What the worker was asked for since the last look, "b" a build and "c" a case, without the known-good
 * case. */
static const char *read_log(struct rig *r)
{
    char kind[8] = "";
    char hash[32] = "";
    const char *asked = "";
    struct arena scratch;
    arena_init(&scratch, (size_t)64 << 20);
    const char *good = arena_printf(&scratch, "%" PRIx64, fake_good_hash(ENV_CL, &scratch));
    FILE *f = fopen(r->log, "r");
    assert_non_null(f);
    assert_int_equal(fseek(f, r->log_read, SEEK_SET), 0);
    while (fscanf(f, "%7s %31s", kind, hash) == 2) {
        if (strcmp(hash, good) != 0) {
            asked = arena_printf(&r->a, "%s%c", asked, kind[0]);
        } else {
            assert_string_equal(kind, "case");
        }
    }
    r->log_read = ftell(f);
    (void)fclose(f);
    arena_free(&scratch);
    return asked;
}

/* Execute tape i: what the worker was asked for, which must go with what the map says of it and with
 * what was new in it. */
static const char *check_asked(struct rig *r, uint64_t i)
{
    int is_new_edge = 0;
    execute_tape(r, i);
    const char *asked = read_log(r);
    for (uint32_t k = 0; k < FAKE_N_EDGES; k++) {
        is_new_edge |= r->edges[k] && !r->seen[k];
        r->seen[k] |= r->edges[k];
    }
    int const is_built = strcmp(asked, "b") == 0;
    assert_int_equal(has_state(r, GUIDED_BUILT), is_built);
    assert_int_equal(has_state(r, GUIDED_JUDGED), !is_built);
    if (strcmp(asked, "c") != 0) { /* it was picked by its tape */
        assert_string_equal(asked, is_new_edge ? "bc" : "b");
    }
    return asked;
}

static void only_what_is_new_is_dispatched(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    unsigned n_built = 0, n_whole = 0, n_both = 0;
    const char *first[MANY];
    set_up_edges(&r, "none");
    for (uint64_t i = 0; i < MANY; i++) {
        first[i] = check_asked(&r, i);
        n_built += strcmp(first[i], "b") == 0;
        n_whole += strcmp(first[i], "c") == 0;
        n_both += strcmp(first[i], "bc") == 0;
    }
    assert_true(n_built > 0 && n_whole > 0 && n_both > 0);
    assert_in_range(n_whole, MANY / GUIDED_DISPATCH_IN / 4, MANY / GUIDED_DISPATCH_IN * 3);
    for (uint64_t i = 0; i < MANY; i++) { /* nothing is new any more */
        assert_string_equal(check_asked(&r, i), strcmp(first[i], "c") == 0 ? "c" : "b");
    }
    struct tally_figures const f = figures(&r);
    assert_int_equal(f.n_executions, 2 * MANY);
    assert_int_equal(f.n_cases, 2 * n_whole + n_both);
    assert_int_equal(f.n_built, 2 * MANY - f.n_cases);
    assert_int_equal(f.n_trouble, 0);
    assert_int_equal(f.n_workers, 1);
    load(&r, &c);
    assert_int_equal(c.targets[0].n_runs, f.n_cases);
    assert_int_equal(c.n_findings, 0);
    /* The journal has forgotten them all: numbers begin anew without the tally. */
    assert_int_equal(unlink(guided_tally_path(r.folder, 3, &r.a)), 0);
    open_rig(&r);
    assert_int_equal(figures(&r).n_executions, 0);
    tear_down(&r);
}

/* A driver that does not live through a build: it is never asked for more. */
static void a_crash_in_a_build_is_a_finding(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    unsigned n_crashed = 0;
    set_up_edges(&r, "crash");
    for (uint64_t i = 0; i < MANY / 4; i++) {
        uint64_t const before = figures(&r).n_violations;
        execute_tape(&r, i);
        const char *asked = read_log(&r);
        int const has_crashed = figures(&r).n_violations > before;
        if (strcmp(asked, "b") == 0) {
            assert_int_equal(has_state(&r, GUIDED_JUDGED), has_crashed);
            assert_int_equal(has_state(&r, GUIDED_BUILT), !has_crashed);
            n_crashed += (unsigned)has_crashed;
        }
    }
    assert_true(n_crashed > 0);
    load(&r, &c);
    assert_true(count_verdict(&c, VERDICT_CRASH) >= n_crashed);
    assert_true(c.n_findings > 0);
    tear_down(&r);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_after_the_reply_belongs_to_its_tape),
        cmocka_unit_test(a_crash_after_a_build_belongs_to_its_tape),
        cmocka_unit_test(only_what_is_new_is_dispatched),
        cmocka_unit_test(a_crash_in_a_build_is_a_finding),
    };
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
    self_path[n > 0 ? n : 0] = 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
