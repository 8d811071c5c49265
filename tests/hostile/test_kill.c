/* tests/hostile/test_kill.c -- kill -9 of the scheduler and of workers at random moments: the journal stays
 * whole, the campaign goes on, and no finding is lost or doubled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_load.h"
#include "fuzz/process/child.h"
#include "tests/rig/fake_worker.h"

enum {
    N_KILLS = 20,
    N_CASES = 100,
    N_SLOW_CASES = 300, /* in check-slow */
    KILL_CASES = 16,    /* a kill comes after fewer cases than this */
    KILL_MS = 20,       /* and some time after that, to hit any moment of a case */
    AWAIT_MS = 10
};

static char self_path[2048];
static char program[4096];

/* Folder of the test with targets.ini, the two campaigns and the workers' list of cases. */
struct rig {
    char folder[256], ini[512], broken[512], whole[512], asked[512];
};

/* Cases of atomics cost a twentieth of those of all profiles, which check-slow runs. */
static const char *get_profile(void)
{
    return getenv("HALFULP_SLOW") ? "all" : "atomics";
}

static int get_n_cases(void)
{
    return getenv("HALFULP_SLOW") ? N_SLOW_CASES : N_CASES;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void make_rig(struct rig *r)
{
    const char *base = getenv("TMPDIR");
    char text[6144];
    (void)snprintf(r->folder, sizeof(r->folder), "%s/test-kill-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(r->folder));
    (void)snprintf(r->ini, sizeof(r->ini), "%s/targets.ini", r->folder);
    (void)snprintf(r->broken, sizeof(r->broken), "%s/broken", r->folder);
    (void)snprintf(r->whole, sizeof(r->whole), "%s/whole", r->folder);
    (void)snprintf(r->asked, sizeof(r->asked), "%s/asked", r->folder);
    (void)snprintf(text, sizeof(text),
                   "[faulty]\napi = opencl\nworker = %s\nenv = FAKE=fault; FAKE_LOG=%s\n"
                   "[crashing]\napi = vulkan\nworker = %s\nenv = FAKE=reply-crash; FAKE_LOG=%s\n",
                   self_path, r->asked, self_path, r->asked);
    write_text(r->ini, text);
}

static void remove_below(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        char name[1024];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
            if (unlink(name) != 0) {
                remove_below(name);
            }
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    (void)rmdir(path);
}

static pid_t start(const struct rig *r, const char *folder, int is_resume)
{
    char n_cases[32];
    (void)snprintf(n_cases, sizeof(n_cases), "%d", get_n_cases());
    const char *words[] = {program,
                           "run",
                           "-q",
                           "--targets-file",
                           r->ini,
                           "--targets",
                           "faulty,crashing",
                           "--cases",
                           n_cases,
                           "--profile",
                           get_profile(),
                           "-o",
                           folder,
                           is_resume ? "--resume" : "--seed",
                           is_resume ? NULL : "7",
                           NULL};
    pid_t const pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int const null = open("/dev/null", O_WRONLY);
        (void)dup2(null, STDOUT_FILENO);
        char *argv[ARRAY_N(words)];
        memcpy(argv, words, sizeof(argv));
        (void)execv(program, argv);
        _exit(127);
    }
    return pid;
}

/* Killed before its journal was there, a campaign begins anew. */
static int has_journal(const struct rig *r)
{
    char path[600];
    (void)snprintf(path, sizeof(path), "%s/journal.sqlite", r->broken);
    return access(path, F_OK) == 0;
}

/* Exit status, or -signal. */
static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* A worker of the scheduler: a child by /proc, or 0. */
static pid_t find_worker(pid_t scheduler, struct rng *rng)
{
    char path[64];
    pid_t children[64];
    int n = 0;
    long pid = 0;
    (void)snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", (long)scheduler,
                   (long)scheduler);
    FILE *f = fopen(path, "r");
    while (f && n < 64 && fscanf(f, "%ld", &pid) == 1) {
        children[n++] = (pid_t)pid;
    }
    if (f) {
        (void)fclose(f);
    }
    return n > 0 ? children[rng_below(rng, (uint64_t)n)] : 0;
}

static void load(const char *folder, struct arena *a, struct campaign *c)
{
    struct journal *j = NULL;
    struct err e = {RES_OK, ""};
    if (journal_open(&j, folder, NULL, &e) != RES_OK || journal_load(j, a, c, &e) != RES_OK) {
        fail_msg("%s: %s", folder, e.text);
    }
    journal_close(j);
}

static uint64_t count_found(const struct campaign *c, const char *target, const char *signature)
{
    for (uint32_t i = 0; i < c->n_findings; i++) {
        for (uint32_t t = 0; t < c->n_targets; t++) {
            if (c->targets[t].id == c->findings[i].target_id &&
                strcmp(c->targets[t].name, target) == 0 &&
                strcmp(c->findings[i].signature, signature) == 0) {
                return c->findings[i].n_in_bucket;
            }
        }
    }
    return 0;
}

static const char *target_name(const struct campaign *c, int64_t id)
{
    for (uint32_t t = 0; t < c->n_targets; t++) {
        if (c->targets[t].id == id) {
            return c->targets[t].name;
        }
    }
    return "";
}

/* Its exit status can still be asked for. */
static bool is_over(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT), 0);
    return info.si_pid == pid;
}

/* How many cases the workers of this test were asked for until now. */
static uint64_t count_asked(const struct rig *r)
{
    uint64_t n = 0;
    FILE *f = fopen(r->asked, "r");
    for (int c = 0; f && (c = fgetc(f)) != EOF;) {
        n += c == '\n';
    }
    if (f) {
        (void)fclose(f);
    }
    return n;
}

/* Wait until the workers were asked for some more cases or the campaign is over, and a moment longer. */
static void await_moment(const struct rig *r, pid_t scheduler, struct rng *rng)
{
    uint64_t const wanted = count_asked(r) + rng_below(rng, KILL_CASES);
    while (count_asked(r) < wanted && !is_over(scheduler)) {
        (void)poll(NULL, 0, AWAIT_MS);
    }
    (void)poll(NULL, 0, (int)rng_below(rng, KILL_MS));
}

/* A worker, waited for as a scheduler that has just begun has none yet; 0 when the campaign is over. */
static pid_t await_worker(pid_t scheduler, struct rng *rng)
{
    pid_t worker = find_worker(scheduler, rng);
    while (worker == 0 && !is_over(scheduler)) {
        (void)poll(NULL, 0, AWAIT_MS);
        worker = find_worker(scheduler, rng);
    }
    return worker;
}

/* Kill the scheduler or a worker, the first time a worker; how many cases a worker's death may have
 * changed. */
static int kill_something(const struct rig *r, pid_t scheduler, struct rng *rng, int is_first,
                          int *was_scheduler)
{
    if (!is_first) {
        await_moment(r, scheduler, rng);
    }
    int const wants_scheduler = rng_below(rng, 2) == 0 && !is_first;
    pid_t const worker = wants_scheduler ? 0 : await_worker(scheduler, rng);
    *was_scheduler = worker == 0;
    if (!*was_scheduler) {
        return kill(worker, SIGKILL) == 0;
    }
    assert_int_equal(kill(scheduler, SIGKILL), 0);
    return 0;
}

static void twenty_kills_lose_nothing(void **state)
{
    (void)state;
    struct rig r;
    struct arena a;
    struct rng rng = rng_seed(20240501);
    int n_worker_kills = 0;
    int n_scheduler_kills = 0;
    arena_init(&a, (size_t)256 << 20);
    make_rig(&r);
    pid_t pid = start(&r, r.broken, 0);
    for (int i = 0; i < N_KILLS; i++) {
        int was_scheduler = 0;
        n_worker_kills += kill_something(&r, pid, &rng, i == 0, &was_scheduler);
        if (was_scheduler) {
            (void)wait_for(pid);
            n_scheduler_kills++;
            pid = start(&r, r.broken, has_journal(&r));
        }
    }
    int const status = wait_for(pid);
    assert_true(status == 0 || status == 1);
    assert_int_equal(wait_for(start(&r, r.whole, 0)), 1);
    struct campaign broken;
    struct campaign whole;
    load(r.broken, &a, &broken);
    load(r.whole, &a, &whole);
    assert_int_equal(broken.n_targets, whole.n_targets);
    for (uint32_t t = 0; t < whole.n_targets; t++) {
        assert_int_equal(whole.targets[t].n_runs, get_n_cases());
        assert_int_equal(broken.targets[t].n_runs, get_n_cases());
    }
    /* A worker's death is a finding of its own and hides that of its case. */
    uint64_t n_missing = 0;
    uint64_t n_compared = 0;
    for (uint32_t i = 0; i < whole.n_findings; i++) {
        const struct campaign_finding *f = &whole.findings[i];
        uint64_t const n = count_found(&broken, target_name(&whole, f->target_id), f->signature);
        assert_true(n <= f->n_in_bucket || strcmp(f->verdict, "crash") == 0);
        n_missing += n < f->n_in_bucket ? f->n_in_bucket - n : 0;
        n_compared += f->n_in_bucket;
    }
    assert_true(n_compared > 0);
    if (n_worker_kills == 0) {
        assert_int_equal(n_missing, 0);
    }
    assert_true(n_missing <= (uint64_t)n_worker_kills * JUDGE_MAX_FINDINGS);
    assert_true(n_scheduler_kills > 0 && n_worker_kills > 0);
    print_message("%d kills of the scheduler, %d of workers, %" PRIu64 " findings, %" PRIu64
                  " hidden by a worker's death\n",
                  n_scheduler_kills, n_worker_kills, n_compared, n_missing);
    remove_below(r.folder);
    arena_free(&a);
}

static void expect_same(const struct campaign *broken, const struct campaign *whole)
{
    assert_true(whole->n_findings > 0);
    assert_int_equal(broken->n_findings, whole->n_findings);
    for (uint32_t t = 0; t < whole->n_targets; t++) {
        assert_int_equal(broken->targets[t].n_runs, whole->targets[t].n_runs);
        assert_int_equal(broken->targets[t].n_judged, whole->targets[t].n_judged);
    }
    for (uint32_t i = 0; i < whole->n_findings; i++) {
        const struct campaign_finding *f = &whole->findings[i];
        assert_int_equal(count_found(broken, target_name(whole, f->target_id), f->signature),
                         f->n_in_bucket);
    }
}

/* Broken off N_KILLS / 2 times by `end`, which sees to it that the scheduler dies, a campaign has exactly the findings
 * of an undisturbed one. */
static void expect_no_change(void (*end)(pid_t scheduler, struct rng *rng))
{
    struct rig r;
    struct arena a;
    struct rng rng = rng_seed(77);
    struct campaign broken;
    struct campaign whole;
    arena_init(&a, (size_t)256 << 20);
    make_rig(&r);
    for (int i = 0; i < N_KILLS / 2; i++) {
        pid_t const pid = start(&r, r.broken, has_journal(&r));
        await_moment(&r, pid, &rng);
        end(pid, &rng);
        (void)wait_for(pid);
    }
    assert_int_equal(wait_for(start(&r, r.broken, has_journal(&r))), 1);
    assert_int_equal(wait_for(start(&r, r.whole, 0)), 1);
    load(r.broken, &a, &broken);
    load(r.whole, &a, &whole);
    expect_same(&broken, &whole);
    remove_below(r.folder);
    arena_free(&a);
}

static void end_scheduler(pid_t scheduler, struct rng *rng)
{
    (void)rng;
    (void)kill(scheduler, SIGKILL);
}

/* As a cluster ends a job: each of its processes is asked to end, and killed, in no order. The workers come first here,
 * so that the scheduler sees them die. */
static void end_job(pid_t scheduler, struct rng *rng)
{
    for (int i = 0; i < 2; i++) {
        pid_t const worker = find_worker(scheduler, rng);
        if (worker) {
            (void)kill(worker, SIGTERM);
            (void)poll(NULL, 0, AWAIT_MS);
            (void)kill(worker, SIGKILL);
        }
    }
    (void)poll(NULL, 0, AWAIT_MS);
    (void)kill(scheduler, SIGKILL);
}

/* With the scheduler alone killed, the findings are exactly those of an undisturbed campaign. */
static void kills_of_the_scheduler_change_nothing(void **state)
{
    (void)state;
    expect_no_change(end_scheduler);
}

static void the_end_of_a_job_is_no_crash(void **state)
{
    (void)state;
    expect_no_change(end_job);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--api") == 0) {
        return fake_worker_main(argc, argv);
    }
    ssize_t const n = readlink("/proc/self/exe", self_path, sizeof(self_path) - 1);
    if (n <= 0) {
        return 1;
    }
    /* This is B/tests/test_kill; the program is B/halfulp. */
    (void)snprintf(program, sizeof(program), "%s", self_path);
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(program, '/');
        if (slash) {
            *slash = '\0';
        }
    }
    (void)snprintf(program + strlen(program), sizeof(program) - strlen(program), "/halfulp");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kills_of_the_scheduler_change_nothing),
        cmocka_unit_test(the_end_of_a_job_is_no_crash),
        cmocka_unit_test(twenty_kills_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
