/* tests/program/test_bisect.c -- `halfulp check --bisect` under `git bisect run`, over a small history of a driver
 * whose target is a file in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "tests/rig/folder_rig.h"

enum {
    N_COMMITS = 12,
    FIRST_BAD = 8, /* the commit, from 1, that brings the bug */
    N_UNBUILT = 3  /* commits before it whose driver is nowhere: their verdict is 125 */
};
#define HONEST "sim-ieee"
#define FAULTY "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32"

static char folder[256], program[4096];

/* A shell's command in the folder; its exit status. */
static int sh(struct arena *a, const char *command)
{
    const char *const line = arena_printf(
        a,
        "cd '%s' && export HALFULP='%s' HOME='%s' GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a "
        "GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b && ( %s ) >>log 2>&1",
        folder, program, folder, command);
    int const status = system(line); /* NOLINT: the test's own words */
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The commit I has the driver that is built of it. */
static const char *get_driver(int i)
{
    if (i >= FIRST_BAD) {
        return FAULTY;
    }
    return i >= FIRST_BAD - N_UNBUILT - 1 && i < FIRST_BAD - 1 ? "nowhere" : HONEST;
}

static void the_first_bad_commit_is_found(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1 << 20);
    assert_int_equal(sh(&a, "git init -q repo"), 0);
    for (int i = 1; i <= N_COMMITS; i++) {
        assert_int_equal(
            sh(&a, arena_printf(&a,
                                "cd repo && echo '%s' >driver && echo %d >number && "
                                "git add . && git commit -q -m 'commit %d' && git tag c%d",
                                get_driver(i), i, i, i)),
            0);
    }
    assert_int_equal(sh(&a, "\"$HALFULP\" run --targets '" FAULTY "' --profile atomics --seed 4 "
                            "--cases 60 -o campaign"),
                     1);
    assert_int_equal(sh(&a, "\"$HALFULP\" check --bisect 'campaign#1' --targets " HONEST), 0);
    assert_int_equal(sh(&a, "\"$HALFULP\" check --bisect 'campaign#1' --targets '" FAULTY "'"), 1);
    assert_int_equal(sh(&a, "\"$HALFULP\" check --bisect 'campaign#1' --targets nowhere"), 125);
    assert_int_equal(sh(&a, "\"$HALFULP\" check --bisect missing"), 125);
    assert_int_equal(
        sh(&a, arena_printf(&a,
                            "cd repo && git bisect start c%d c1 && git bisect run sh -c "
                            "'\"$HALFULP\" check --bisect ../campaign#1 --targets "
                            "\"$(cat driver)\"'",
                            N_COMMITS)),
        0);
    assert_int_equal(sh(&a, arena_printf(&a,
                                         "cd repo && test \"$(git rev-parse bisect/bad)\" = "
                                         "\"$(git rev-parse c%d)\"",
                                         FIRST_BAD)),
                     0);
    arena_free(&a);
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *const slash = strrchr(argv[0], '/');
    char here[2048];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(program, sizeof program, "%s%s%.*s/../halfulp", argv[0][0] == '/' ? "" : here,
                   argv[0][0] == '/' ? "" : "/", slash ? (int)(slash - argv[0]) : 1,
                   slash ? argv[0] : ".");
    if (system("git --version >/dev/null 2>&1") != 0) {
        print_message("skipped: no git\n");
        return 0;
    }
    folder_make(folder, sizeof folder, "bisect");
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_bad_commit_is_found)};
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(folder);
    return failed;
}
