/* tests/program/test_nightly.c -- nights one after the other: baseline, new findings, retention. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fuzz/process/place.h"
#include "fuzz/targets/targets.h"

enum {
    MAX_PATH = 600
};

struct rig {
    char folder[MAX_PATH], program[MAX_PATH];
    struct arena a;
};

static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    const char *base = getenv("TMPDIR");
    arena_init(&r->a, 1 << 20);
    (void)snprintf(r->folder, sizeof r->folder, "%.400s/halfulp-night-XXXXXX",
                   base && *base ? base : "/tmp");
    /* build/opt/tests -> build/opt */
    const char *own = place_get_program_folder(&r->a);
    const char *slash = strrchr(own, '/');
    (void)snprintf(r->program, sizeof r->program, "%.*s/halfulp", (int)(slash ? slash - own : 0),
                   own);
    *state = r;
    return mkdtemp(r->folder) ? 0 : -1;
}

static int run(const char *command)
{
    int const status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    (void)run(arena_printf(&r->a, "rm -rf '%s'", r->folder));
    arena_free(&r->a);
    free(r);
    return 0;
}

static int run_night(struct rig *r, const char *target)
{
    return run(
        arena_printf(&r->a,
                     "HALFULP='%s' NIGHTLY_DIR='%s/nights' NIGHTLY_CASES=200 "
                     "NIGHTLY_SEED=3 NIGHTLY_TRIAGE=2s NIGHTLY_KEEP=2 NIGHTLY_PROFILE=atomics "
                     "NIGHTLY_TARGETS='%s' scripts/nightly/nightly.sh >'%s/out' 2>&1",
                     r->program, r->folder, target, r->folder));
}

/* The last line that the night said fits the pattern. */
static void expect_last(struct rig *r, const char *pattern)
{
    assert_int_equal(
        run(arena_printf(&r->a, "tail -n 1 '%s/out' | grep -q '%s' || { cat '%s/out'; false; }",
                         r->folder, pattern, r->folder)),
        0);
}

static int count_nights(const struct rig *r)
{
    char path[MAX_PATH + 16];
    int n = 0;
    struct dirent *x = NULL;
    (void)snprintf(path, sizeof path, "%s/nights", r->folder);
    DIR *d = opendir(path);
    while (d && (x = readdir(d)) != NULL) {
        n += x->d_name[0] == '2';
    }
    if (d) {
        (void)closedir(d);
    }
    return n;
}

static void nights_are_compared_and_kept(void **state)
{
    struct rig *r = *state;
    assert_int_equal(access(r->program, X_OK), 0);
    static const char fault[] = "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:global";
    assert_int_equal(run_night(r, "sim-ieee"), 0);
    expect_last(r, "^nightly: 0 new$");
    assert_int_equal(count_nights(r), 1);
    sleep(1); /* nights of one day are told apart by the second */
    assert_int_equal(run_night(r, fault), 1);
    expect_last(r, "^nightly: [1-9][0-9]* new, 0 fixed$");
    assert_int_equal(count_nights(r), 2);
    sleep(1);
    assert_int_equal(run_night(r, fault), 0); /* against the second night, not the first */
    expect_last(r, "^nightly: 0 new, 0 fixed, [1-9][0-9]* still there$");
    assert_int_equal(count_nights(r), 2);
    /* the history knows the first night, too, which is gone, and that it had no bug */
    assert_int_equal(
        run(arena_printf(&r->a, "test \"$(grep -c '\tnight\t' '%s/nights/history.tsv')\" -eq 3",
                         r->folder)),
        0);
    assert_int_equal(
        run(arena_printf(&r->a, "grep -q 'id=\"nights\"' '%s'/nights/2*/report.html", r->folder)),
        0);
}

/* "fuzz" in place of "run", where AFL++ is here. */
static void a_night_may_be_guided(void **state)
{
    struct rig *r = *state;
    if (run("command -v afl-fuzz >/dev/null") != 0) {
        skip();
    }
    assert_int_equal(setenv("NIGHTLY_GUIDED", "yes", 1), 0);
    assert_int_equal(run_night(r, "sim-ieee"), 0);
    assert_int_equal(unsetenv("NIGHTLY_GUIDED"), 0);
    expect_last(r, "^nightly: 0 new$");
    assert_int_equal(run(arena_printf(&r->a, "test -d '%s'/nights/2*/afl", r->folder)), 0);
}

/* One that the night before still had is not told of, nor one that is used. */
static void a_row_that_fits_nothing_for_nights_is_told(void **state)
{
    struct rig *r = *state;
    static const char rows[] =
        "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:global\t*\tknown SUM_OFF_ULP\tFADD_CR\tused\n"
        "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:global\t*\tknown FLUSHED\tFADD_CR\tgone\n";
    assert_int_equal(
        run(arena_printf(&r->a, "mkdir '%s/nights' && printf '%%b' '%s' >'%s/nights/suppress.tsv'",
                         r->folder, rows, r->folder)),
        0);
    assert_int_equal(setenv("NIGHTLY_STALE", "2", 1), 0);
    assert_int_equal(run_night(r, "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:global"), 0);
    assert_int_equal(run(arena_printf(&r->a, "grep -q 'fits nothing' '%s/out'", r->folder)), 1);
    sleep(1);
    assert_int_equal(run_night(r, "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32:global"), 0);
    assert_int_equal(unsetenv("NIGHTLY_STALE"), 0);
    assert_int_equal(
        run(arena_printf(&r->a, "grep -q 'fits nothing for 2 nights: .*known FLUSHED' '%s/out'",
                         r->folder)),
        0);
    assert_int_equal(run(arena_printf(&r->a, "grep -q 'known SUM_OFF_ULP' '%s/out'", r->folder)),
                     1);
}

static void wrong_settings_are_told(void **state)
{
    struct rig *r = *state;
    assert_int_equal(run(arena_printf(&r->a,
                                      "NIGHTLY_DIR='%s' NIGHTLY_KEEP=none HALFULP=true "
                                      "scripts/nightly/nightly.sh 2>'%s/err'",
                                      r->folder, r->folder)),
                     2);
    assert_int_equal(run(arena_printf(&r->a,
                                      "NIGHTLY_DIR='%s' NIGHTLY_GUIDED=maybe HALFULP=true "
                                      "scripts/nightly/nightly.sh 2>/dev/null",
                                      r->folder)),
                     2);
    assert_int_equal(run(arena_printf(&r->a, "grep -q NIGHTLY_KEEP=none '%s/err'", r->folder)), 0);
    assert_int_equal(run(arena_printf(&r->a,
                                      "NIGHTLY_DIR='%s' HALFULP=/nowhere/halfulp "
                                      "scripts/nightly/nightly.sh 2>'%s/err'",
                                      r->folder, r->folder)),
                     2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nights_are_compared_and_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_that_fits_nothing_for_nights_is_told, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_night_may_be_guided, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_settings_are_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
