/* tests/program/test_fuzz.c -- guided campaigns as a whole: halfulp-afl under AFL++'s tools, and `halfulp fuzz`,
 * which is killed, gone on with, and leaves no process behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/campaign/tally.h"
#include "fuzz/guided/guided.h"
#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/process/child_time.h"
#include "tests/rig/folder_rig.h"
#include "tests/rig/patience.h"

enum {
    SEED = 11,
    MAX_TAPES = 200,
    MAX_WORDS = 20,
    SHOWMAP_CRASHED = 2 /* exit status of afl-showmap */
};
#define FAULTY "sim-ieee:SUM_OFF_ULP:AtomicFAddEXT:f32"

struct rig {
    struct arena a;
    char folder[256];
    const char *build, *campaign, *said; /* said: what a program wrote to both its outputs */
    char size[64];
};

static const char *in_folder(struct rig *r, const char *name)
{
    return arena_printf(&r->a, "%s/%s", r->folder, name);
}

static int is_here(const char *program)
{
    char path[512];
    (void)snprintf(path, sizeof path, "/usr/bin/%s", program);
    if (access(path, X_OK) != 0) {
        (void)snprintf(path, sizeof path, "/usr/local/bin/%s", program);
    }
    return access(path, X_OK) == 0;
}

static void set_up(struct rig *r)
{
    char self[2048];
    memset(r, 0, sizeof *r);
    if (!is_here("afl-fuzz") || !is_here("afl-showmap")) {
        print_message("skipped: no afl-fuzz here (Debian's package afl++)\n");
        skip();
    }
#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: afl-fuzz cannot load a library built with AddressSanitizer\n");
    skip();
#endif
    arena_init(&r->a, (size_t)256 << 20);
    folder_make(r->folder, sizeof r->folder, "fuzz");
    ssize_t const n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n] = 0;
    for (int i = 0; i < 2; i++) { /* BUILD/tests/test_fuzz */
        *strrchr(self, '/') = 0;
    }
    r->build = arena_printf(&r->a, "%s", self);
    r->campaign = in_folder(r, "c");
    r->said = in_folder(r, "said");
    (void)snprintf(r->size, sizeof r->size, "AFL_MAP_SIZE=%d", (int)GUIDED_CELLS);
}

static void tear_down(struct rig *r)
{
    arena_free(&r->a);
    folder_remove(r->folder);
}

/* Start a program: words with spaces between, none within; input: its standard input, or NULL. */
static pid_t start(struct rig *r, const char *words, const char *input)
{
    pid_t const pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char *argv[MAX_WORDS + 1] = {NULL};
        char *text = arena_copy(&r->a, words, strlen(words));
        char *rest = NULL;
        int n = 0;
        for (char *w = strtok_r(text, " ", &rest); w && n < MAX_WORDS;
             w = strtok_r(NULL, " ", &rest)) {
            argv[n++] = w;
        }
        int const in = open(input ? input : "/dev/null", O_RDONLY);
        int const out = open(r->said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        (void)dup2(in, 0);
        (void)dup2(out, 1);
        (void)dup2(out, 2);
        (void)execvp(argv[0], argv);
        _exit(127);
    }
    return pid;
}

/* Exit status, or -signal. */
static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int run(struct rig *r, const char *words, const char *input)
{
    return wait_for(start(r, words, input));
}

static const char *read_text(struct rig *r, const char *path)
{
    struct err e;
    const unsigned char *p = NULL;
    size_t n = 0;
    assert_int_equal(file_read(path, (size_t)16 << 20, &r->a, &p, &n, &e), RES_OK);
    return arena_copy(&r->a, p, n);
}

static void fail_with(struct rig *r, const char *what, int status)
{
    fail_msg("%s: status %d: %s", what, status, read_text(r, r->said));
}

static void expect_status(struct rig *r, const char *words, int status)
{
    int const got = run(r, words, NULL);
    if (got != status) {
        fail_with(r, words, got);
    }
}

/* Processes that have the folder in their words or their environment; is_end: they are killed. */
static int count_running(const struct rig *r, bool is_end)
{
    static const char *const files[] = {"cmdline", "environ"};
    glob_t found;
    int n = 0;
    if (glob("/proc/[1-9]*", 0, NULL, &found) != 0) {
        return 0;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        int is_ours = 0;
        long const pid = strtol(strrchr(found.gl_pathv[i], '/') + 1, NULL, 10);
        for (int k = 0; k < 2 && pid != (long)getpid(); k++) {
            char path[300];
            char text[65536];
            (void)snprintf(path, sizeof path, "%.200s/%s", found.gl_pathv[i], files[k]);
            int const fd = open(path, O_RDONLY);
            ssize_t const size = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
            for (ssize_t at = 0; at < size; at++) {
                is_ours |= strncmp(text + at, r->folder, strlen(r->folder)) == 0 &&
                           at + (ssize_t)strlen(r->folder) <= size;
            }
            if (fd >= 0) {
                (void)close(fd);
            }
        }
        n += is_ours;
        if (is_ours && is_end) {
            (void)kill((pid_t)pid, SIGKILL);
        }
    }
    globfree(&found);
    return n;
}

static int count_left(const struct rig *r)
{
    return count_running(r, true);
}

/* Until none is left: each ends as its parent did. */
static void wait_till_gone(const struct rig *r)
{
    struct timespec const moment = {.tv_nsec = 50000000};
    uint64_t const end_ns = child_now_ns() + PATIENCE_NS;
    while (count_running(r, false) > 0 && child_now_ns() < end_ns) {
        (void)nanosleep(&moment, NULL);
    }
}

/* The campaign as it stands. */
static void load(struct rig *r, struct campaign *out)
{
    struct err e;
    struct journal *j = NULL;
    assert_int_equal(journal_open(&j, r->campaign, NULL, &e), RES_OK);
    assert_int_equal(journal_load(j, &r->a, out, &e), RES_OK);
    journal_close(j);
}

static uint64_t count_cases(struct rig *r, uint32_t instance)
{
    struct err e;
    struct tally *t = NULL;
    assert_int_equal(tally_open(&t, guided_tally_path(r->campaign, instance, &r->a), &e), RES_OK);
    uint64_t const n = tally_get(t)->n_cases;
    tally_close(t);
    return n;
}

/* A campaign's folder for halfulp-afl by itself, and random tape i as an input. */
static void make_campaign(struct rig *r, const char *target)
{
    expect_status(r,
                  arena_printf(&r->a,
                               "%s/halfulp run -q --cases 1 --seed 1 --targets sim-ieee -o %s",
                               r->build, r->campaign),
                  0);
    expect_status(r, arena_printf(&r->a, "mkdir %s/instances", r->campaign), 0);
    assert_int_equal(setenv("HALFULP_AFL_TARGET", target, 1), 0);
    assert_int_equal(setenv("HALFULP_AFL_CAMPAIGN", r->campaign, 1), 0);
}

static const char *make_input(struct rig *r, uint64_t i)
{
    struct err e;
    struct tape tape;
    const char *path = in_folder(r, "input");
    assert_int_equal(sched_make_tape(SEED, i, &r->a, &tape, &e), RES_OK);
    assert_int_equal(tape_save_file(&tape, path, "atomics", &e), RES_OK);
    return path;
}

static int show_map(struct rig *r, uint64_t i)
{
    return run(r,
               arena_printf(&r->a, "env %s afl-showmap -q -t %d -o %s -- %s/halfulp-afl", r->size,
                            (int)PATIENCE_MS, in_folder(r, "map"), r->build),
               make_input(r, i));
}

static void the_map_has_its_last_cell(void **state)
{
    (void)state;
    struct rig r;
    set_up(&r);
    make_campaign(&r, "sim-ieee");
    int const status = show_map(&r, 0);
    if (status != 0) {
        fail_with(&r, "afl-showmap", status);
    }
    const char *map = read_text(&r, in_folder(&r, "map"));
    const char *last = arena_printf(&r.a, "\n%06d:1\n", GUIDED_CELLS - 1);
    assert_non_null(strstr(map, last));
    assert_string_equal(strstr(map, last), last); /* nothing is behind it */
    tear_down(&r);
}

static void only_a_new_signature_aborts(void **state)
{
    (void)state;
    struct rig r;
    set_up(&r);
    make_campaign(&r, FAULTY);
    uint64_t i = 0;
    int status = 0;
    while (i < MAX_TAPES && (status = show_map(&r, i)) == 0) {
        i++;
    }
    assert_int_equal(status, SHOWMAP_CRASHED);
    assert_int_equal(show_map(&r, i), 0);
    struct campaign c;
    load(&r, &c);
    assert_true(c.n_findings > 0);
    assert_true(c.findings[0].n_in_bucket >= 2);
    tear_down(&r);
}

static void a_campaign_finds_a_fault_and_leaves_nothing(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    set_up(&r);
    expect_status(&r,
                  arena_printf(&r.a,
                               "%s/halfulp fuzz --stop-at-first --seed 3 --profile atomics "
                               "--targets sim-ieee," FAULTY " -o %s",
                               r.build, r.campaign),
                  1);
    assert_int_equal(count_left(&r), 0);
    load(&r, &c);
    assert_int_equal(c.n_targets, 2);
    assert_true(c.wall_ns > 0 && c.harness_cpu_ns > 0);
    uint64_t n_found = 0;
    for (uint32_t i = 0; i < c.n_findings; i++) {
        const struct campaign_target *t = campaign_find_target(&c, c.findings[i].target_id);
        int const is_violation = campaign_is_violation(&c.findings[i]);
        assert_true(!is_violation || strcmp(t->name, FAULTY) == 0);
        n_found += (uint64_t)is_violation;
    }
    assert_true(n_found > 0);
    assert_non_null(strstr(read_text(&r, r.said), "report.html"));
    assert_non_null(
        strstr(read_text(&r, arena_printf(&r.a, "%s/report.json", r.campaign)), FAULTY));
    tear_down(&r);
}

static int is_marked(struct rig *r)
{
    struct timespec const moment = {.tv_nsec = 20000000};
    (void)nanosleep(&moment, NULL);
    return access(guided_tally_path(r->campaign, 0, &r->a), F_OK) == 0 && count_cases(r, 0) > 20;
}

static void a_killed_campaign_goes_on(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    set_up(&r);
    const char *words =
        arena_printf(&r.a, "%s/halfulp fuzz -q --seed 3 --profile atomics --targets sim-ieee -o %s",
                     r.build, r.campaign);
    pid_t const pid = start(&r, words, NULL);
    while (!is_marked(&r) && waitpid(pid, NULL, WNOHANG) == 0) {
    }
    /* Whoever else wants the folder meanwhile is told. */
    assert_int_equal(run(&r, arena_printf(&r.a, "%s --resume", words), NULL), 2);
    assert_non_null(
        strstr(read_text(&r, r.said), arena_printf(&r.a, ": process %ld on ", (long)pid)));
    (void)kill(pid, SIGKILL);
    assert_int_equal(wait_for(pid), -SIGKILL);
    wait_till_gone(&r);
    assert_int_equal(count_left(&r), 0);
    uint64_t const n_before = count_cases(&r, 0);
    assert_true(n_before > 20);
    expect_status(&r,
                  arena_printf(&r.a, "%s/halfulp fuzz -q --resume --cases %" PRIu64 " -o %s",
                               r.build, n_before + 50, r.campaign),
                  0);
    assert_int_equal(count_left(&r), 0);
    load(&r, &c);
    assert_true(c.targets[0].n_runs >= n_before + 50);
    assert_int_equal(c.targets[0].n_runs, count_cases(&r, 0));
    assert_int_equal(c.n_findings, 0);
    tear_down(&r);
}

static void without_afl_fuzz_it_says_what_to_get(void **state)
{
    (void)state;
    struct rig r;
    set_up(&r);
    expect_status(&r,
                  arena_printf(&r.a, "env PATH=/nowhere %s/halfulp fuzz --targets sim-ieee -o %s",
                               r.build, r.campaign),
                  3);
    assert_non_null(strstr(read_text(&r, r.said), "apt-get install afl++"));
    assert_int_not_equal(access(r.campaign, F_OK), 0);
    expect_status(&r, arena_printf(&r.a, "%s/halfulp fuzz --jobs 99", r.build), 2);
    expect_status(&r,
                  arena_printf(&r.a, "%s/halfulp fuzz --targets sim-ieee --corpus /nowhere -o %s",
                               r.build, r.campaign),
                  2);
    tear_down(&r);
}

static void a_driver_that_crashes_ends_nothing(void **state)
{
    (void)state;
    struct rig r;
    struct campaign c;
    struct err e;
    set_up(&r);
    const char *drivers = getenv("HALFULP_DRIVERS");
    const char *intel = arena_printf(&r.a, "%s/intel-cpu/lib", drivers ? drivers : "drivers");
    if (access(intel, R_OK) != 0) {
        print_message("skipped: no intel-cpu in the folder of drivers\n");
        tear_down(&r);
        skip();
    }
    const char *icd = arena_printf(&r.a, "%s/libbadocl.so\n", r.build);
    const char *ini = arena_printf(&r.a,
                                   "[bad]\napi = opencl\nloader = %s/libOpenCL.so.1\n"
                                   "env.OCL_ICD_VENDORS = %s\nenv.LD_LIBRARY_PATH = %s\n"
                                   "env.HALFULP_BAD_REAL = %s/libintelocl.so\n"
                                   "env.HALFULP_BAD = segfault-build\nenv.HALFULP_BAD_SKIP = 2\n",
                                   intel, r.folder, intel, intel);
    assert_int_equal(file_write(in_folder(&r, "bad.icd"), icd, strlen(icd), &e), RES_OK);
    assert_int_equal(file_write(in_folder(&r, "t.ini"), ini, strlen(ini), &e), RES_OK);
    expect_status(&r,
                  arena_printf(&r.a,
                               "%s/halfulp fuzz -q --cases 4 --seed 3 --profile atomics "
                               "--targets-file %s/t.ini --targets bad -o %s",
                               r.build, r.folder, r.campaign),
                  1);
    assert_int_equal(count_left(&r), 0);
    load(&r, &c);
    assert_true(c.targets[0].n_verdict[VERDICT_CRASH] >= 1);
    assert_true(c.targets[0].n_runs >= 4);
    tear_down(&r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_map_has_its_last_cell),
        cmocka_unit_test(only_a_new_signature_aborts),
        cmocka_unit_test(a_campaign_finds_a_fault_and_leaves_nothing),
        cmocka_unit_test(a_killed_campaign_goes_on),
        cmocka_unit_test(without_afl_fuzz_it_says_what_to_get),
        cmocka_unit_test(a_driver_that_crashes_ends_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
