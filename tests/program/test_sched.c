/* tests/program/test_sched.c -- the campaign's loop against workers that misbehave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/sched.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/pool/handle.h"
#include "tests/rig/fake_worker.h"

enum {
    N_CASES = 16,
    N_HANG_CASES = 3, /* each hang takes the whole deadline */
    SEED = 6
};

#define HANG_NS UINT64_C(5000000000)

static char self_path[4096];
static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof(folder), "%s/test-sched-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir) {
        (void)closedir(dir);
    }
    return rmdir(folder);
}

static struct target fake_target(const char *name, const char *mode, struct arena *a)
{
    return (struct target){
        .name = name,
        .env = ENV_CL,
        .loader = "",
        .device = "",
        .worker = self_path,
        .env_vars = {arena_printf(a, "FAKE=%s", mode), NULL},
        .hello_ns = UINT64_C(20000000000),
        .case_ns = UINT64_C(20000000000),
        .origin = "test"
    };
}

static uint64_t run_campaign(const struct target_list *list, struct arena *a, uint64_t n_cases,
                             struct campaign *out)
{
    struct err e = {RES_OK, ""};
    struct journal *j = NULL;
    struct campaign_plan const plan = {.profile = "atomics",
                                       .seed = SEED,
                                       .gen_version = GEN_VERSION,
                                       .max_cases = n_cases,
                                       .max_ns = 0,
                                       .targets = "fake",
                                       .shard = SHARD_NONE};
    struct sched_options const o = {.targets = list,
                                    .profile = PROFILE_ATOMICS,
                                    .seed = SEED,
                                    .max_cases = n_cases,
                                    .n_workers = 1};
    struct sched_summary summary;
    if (journal_open(&j, folder, &plan, &e) != RES_OK || sched_run(&o, j, &summary, &e) != RES_OK ||
        journal_load(j, a, out, &e) != RES_OK) {
        fail_msg("seed %d: %s", SEED, e.text);
    }
    journal_close(j);
    return summary.n_runs;
}

static void expect_verdicts(const char *mode, enum verdict_kind kind)
{
    bool const hangs = kind == VERDICT_HANG;
    uint64_t const n_cases = hangs ? N_HANG_CASES : N_CASES;
    struct arena a;
    struct campaign c;
    arena_init(&a, (size_t)1 << 30);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    assert_non_null(list);
    list->n = 1;
    list->t[0] = fake_target("fake", mode, &a);
    list->t[0].case_ns = hangs ? HANG_NS : list->t[0].case_ns;
    uint64_t const n_chosen = fake_count_chosen(list->t[0].env, SEED, n_cases, &a);
    assert_true(n_chosen > 0 && n_chosen < n_cases); /* else this checks nothing */
    uint64_t const n_runs = run_campaign(list, &a, n_cases, &c);
    assert_int_equal(n_runs, n_cases);
    assert_int_equal(c.n_targets, 1);
    assert_int_equal(c.targets[0].n_runs, n_cases);
    assert_int_equal(c.targets[0].n_verdict[kind], n_chosen);
    uint64_t n_violations = 0;
    for (int v = 0; v < VERDICT_N; v++) {
        n_violations += verdict_rows[v].part == PART_VIOLATION ? c.targets[0].n_verdict[v] : 0;
    }
    assert_int_equal(n_violations, verdict_rows[kind].part == PART_VIOLATION ? n_chosen : 0);
    arena_free(&a);
}

static void crash_is_a_crash(void **state)
{
    (void)state;
    expect_verdicts("crash", VERDICT_CRASH);
}

static void reply_then_crash_is_a_crash_of_that_case(void **state)
{
    (void)state;
    expect_verdicts("reply-crash", VERDICT_CRASH);
}

static void exit_is_an_exit(void **state)
{
    (void)state;
    expect_verdicts("exit", VERDICT_EXIT);
}

static void silence_is_a_hang(void **state)
{
    (void)state;
    expect_verdicts("hang", VERDICT_HANG);
}

static void lost_device_is_lost(void **state)
{
    (void)state;
    expect_verdicts("lost", VERDICT_DEVICE_LOST);
}

static void our_own_error_is_not_the_drivers(void **state)
{
    (void)state;
    struct arena a;
    struct campaign c;
    static const char *const modes[] = {"error", "garbage"};
    for (size_t i = 0; i < ARRAY_N(modes); i++) {
        arena_init(&a, (size_t)1 << 30);
        struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
        assert_non_null(list);
        list->n = 1;
        list->t[0] = fake_target(modes[i], modes[i], &a);
        assert_int_equal(run_campaign(list, &a, N_CASES, &c), N_CASES);
        for (uint32_t t = 0; t < c.n_targets; t++) {
            for (int v = 0; v < VERDICT_N; v++) {
                if (verdict_rows[v].part == PART_VIOLATION) {
                    assert_int_equal(c.targets[t].n_verdict[v], 0);
                }
            }
        }
        arena_free(&a);
    }
}

/* The last case of a worker that dies on its way out is a crash; all others are ok. */
static void crash_at_the_end_is_the_last_cases(void **state)
{
    (void)state;
    struct arena a;
    struct campaign c;
    arena_init(&a, (size_t)1 << 30);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    assert_non_null(list);
    list->n = 1;
    list->t[0] = fake_target("fake", "end-crash", &a);
    assert_int_equal(run_campaign(list, &a, N_CASES, &c), N_CASES);
    assert_int_equal(c.targets[0].n_verdict[VERDICT_CRASH], 1);
    arena_free(&a);
}

/* The control: nothing is found, and a target that does not start does not stop the others. */
static void honest_and_mute_targets_side_by_side(void **state)
{
    (void)state;
    struct arena a;
    struct campaign c;
    arena_init(&a, (size_t)1 << 30);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    assert_non_null(list);
    list->n = 2;
    list->t[0] = fake_target("mute", "mute", &a);
    list->t[1] = fake_target("honest", "honest", &a);
    assert_int_equal(run_campaign(list, &a, N_CASES, &c), N_CASES);
    assert_int_equal(c.n_targets, 2);
    assert_int_equal(c.targets[0].n_runs, 0);
    assert_int_equal(c.targets[1].n_runs, N_CASES);
    assert_int_equal(c.n_findings, 0);
    assert_true(c.targets[1].n_judged > 0);
    arena_free(&a);
}

static void lost_updates_are_found_and_kept(void **state)
{
    (void)state;
    struct arena a;
    struct campaign c;
    struct err e = {RES_OK, ""};
    arena_init(&a, (size_t)1 << 30);
    struct target_list *list = ARENA_NEW(&a, struct target_list, 1);
    assert_non_null(list);
    list->n = 1;
    list->t[0] = fake_target("fake", "fault", &a);
    assert_int_equal(run_campaign(list, &a, N_CASES, &c), N_CASES);
    assert_true(c.n_findings > 0);
    struct journal *j = NULL;
    int n_located = 0; /* findings that name an instruction */
    assert_int_equal(journal_open(&j, folder, NULL, &e), RES_OK);
    for (uint32_t i = 0; i < c.n_findings; i++) {
        struct testcase tc;
        struct observation ob;
        struct judgement g;
        int const verdict = verdict_find(c.findings[i].verdict);
        assert_in_range(verdict, 0, VERDICT_N - 1);
        if (verdict_rows[verdict].part != PART_VIOLATION) {
            continue;
        }
        if (journal_get_case(j, c.findings[i].id, &a, &tc, &ob, &e) != RES_OK ||
            judge_run(&tc, &ob, &a, &g, &e) != RES_OK) {
            fail_msg("finding %d: %s", (int)c.findings[i].id, e.text);
        }
        assert_int_equal(verdict_rows[g.kind].part, PART_VIOLATION);
        n_located += c.findings[i].instruction[0] != '\0';
    }
    assert_true(n_located > 0);
    journal_close(j);
    arena_free(&a);
}

static void no_folder_of_a_worker_is_left(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    DIR *dir = opendir(base ? base : "/tmp");
    char mine[64];
    struct dirent *entry = NULL;
    (void)snprintf(mine, sizeof(mine), "halfulp-worker-%ld-", (long)getpid());
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, mine, strlen(mine)) == 0) {
            fail_msg("%s is left", entry->d_name);
        }
    }
    (void)closedir(dir);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof(self_path) - 1);
    if (n <= 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(honest_and_mute_targets_side_by_side),
        WITH_FOLDER(crash_is_a_crash),
        WITH_FOLDER(reply_then_crash_is_a_crash_of_that_case),
        WITH_FOLDER(exit_is_an_exit),
        WITH_FOLDER(silence_is_a_hang),
        WITH_FOLDER(lost_device_is_lost),
        WITH_FOLDER(our_own_error_is_not_the_drivers),
        WITH_FOLDER(crash_at_the_end_is_the_last_cases),
        WITH_FOLDER(lost_updates_are_found_and_kept),
        cmocka_unit_test(no_folder_of_a_worker_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
