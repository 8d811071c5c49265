/* fuzz/guided/fleet_process.c -- the processes of a fleet: AFL++ started, ended, and nothing left of it. */
#include "fuzz/guided/fleet_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/testcase.h"
#include "fuzz/guided/guided.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/process.h"
#include "gen/tape/profile.h"

enum {
    FLEET_MAX_ARGS = 24,
    FLEET_MAX_VARS = 32,
    FLEET_EXEC_FAILED = 127,
    FLEET_VAR_BYTES = 4096, /* of "K=V": a key and a path */
    FLEET_END_ROUNDS = 200, /* of FLEET_ROUND_NS */
    FLEET_LOG_TAIL = 8192
};
#define FLEET_ROUND_NS 25000000
/* Beyond all deadlines of a worker: a driver that hangs is ended by ours, not by AFL++'s. */
#define FLEET_SPARE_NS UINT64_C(60000000000)

/* How AFL++ begins the line that says why it gave up, which fleet_read_complaint looks for in the log. */
static const char abort_mark[] = "PROGRAM ABORT : ";

/* Words and environment of one process; strings in the arena. */
struct command {
    const char *argv[FLEET_MAX_ARGS];
    const char *vars[FLEET_MAX_VARS]; /* "K=V" */
    uint32_t n_argv, n_vars;
};

static void add_word(struct command *c, const char *word)
{
    if (c->n_argv + 1 < FLEET_MAX_ARGS) {
        c->argv[c->n_argv++] = word;
    }
}

static void add_var(struct command *c, const char *var)
{
    if (c->n_vars + 1 < FLEET_MAX_VARS) {
        c->vars[c->n_vars++] = var;
    }
}

/* Fill in the environment of afl-fuzz for an instance: fixed settings of AFL++, then what its
 * mutator and the program that it runs need to know. The number of edges is rounded up as guided.h
 * says, so that all of them mean the same map. */
static void fill_vars(const struct fleet_options *o, const struct fleet_programs *p,
                      const struct instance *instance, struct command *c, struct arena *a)
{
    static const char *const fixed[] = {
        "AFL_NO_UI=1",
        "AFL_NO_COLOR=1",
        "AFL_SKIP_CPUFREQ=1",
        "AFL_NO_AFFINITY=1",
        "AFL_NO_CRASH_README=1",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1",
        "AFL_FAST_CAL=1", /* three test runs of an input, not seven, show whether it is stable */
        "AFL_TESTCACHE_SIZE=8", /* MB of inputs, which the system caches anyway */
        "AFL_AUTORESUME=1",     /* an existing queue is continued */
        "AFL_SYNC_TIME=1",      /* minutes between looks at what other instances found */
        "AFL_DEBUG_CHILD=1",    /* what halfulp-afl says goes to the log */
        "LD_BIND_LAZY=1", /* else AFL++ makes the loader bind all symbols of a driver at its start */
        "AFL_CUSTOM_MUTATOR_ONLY=1",
    };
    for (size_t i = 0; i < ARRAY_N(fixed); i++) {
        add_var(c, fixed[i]);
    }
    uint32_t const n_edges =
        (instance->n_edges + GUIDED_EDGES_STEP - 1) / GUIDED_EDGES_STEP * GUIDED_EDGES_STEP;
    add_var(c, arena_printf(a, "AFL_CUSTOM_MUTATOR_LIBRARY=%s", p->mutator));
    add_var(c, arena_printf(a, "AFL_MAP_SIZE=%" PRIu32, n_edges + GUIDED_CELLS));
    add_var(c, arena_printf(a, "HALFULP_AFL_TARGET=%s", instance->target->name));
    add_var(c, arena_printf(a, "HALFULP_AFL_CAMPAIGN=%s", o->folder));
    add_var(c, arena_printf(a, "HALFULP_AFL_INSTANCE=%" PRIu32, instance->number));
    add_var(c, arena_printf(a, "HALFULP_AFL_EDGES=%" PRIu32, n_edges));
    add_var(c, arena_printf(a, "HALFULP_AFL_PROFILE=%s", profile_names[o->profile]));
    add_var(c, arena_printf(a, "HALFULP_MUTATOR_STATS=%s.mutations", instance->log));
    if (n_edges > 0 && !getenv("HALFULP_MUTATOR")) {
        add_var(c, "HALFULP_MUTATOR=edges");
    }
    if (!instance->target->alternates) {
        add_var(c, arena_printf(a, "HALFULP_MUTATOR_ENV=%s", env_names[instance->target->env]));
    }
    if (o->ini) {
        add_var(c, arena_printf(a, "HALFULP_AFL_INI=%s", o->ini));
    }
    if (o->unadvertised) {
        add_var(c, "HALFULP_AFL_UNADVERTISED=1");
    }
}

/* Each instance and each shard draws other numbers. */
static uint64_t get_seed(const struct fleet_options *o, const struct instance *instance)
{
    struct rng root = rng_seed(o->seed);
    struct rng own = rng_fork(&root, o->shard.index);
    return (o->shard.n ? rng_next(&own) : o->seed) % INT32_MAX + instance->number;
}

/* Fill in the command line of afl-fuzz for an instance. AFL++'s time limit for one execution is longer than the
 * program's own deadlines, so these end a run first: AFL++ would kill the program before it can report anything. */
static void fill_words(const struct fleet_options *o, const struct fleet_programs *p,
                       const struct instance *instance, struct command *c, struct arena *a)
{
    const struct target *t = instance->target;
    bool const is_main = instance->number == 0;
    /* room for three starts of a worker and two cases: the canary and the input */
    uint64_t const limit_ns = 3 * t->hello_ns + 2 * t->case_ns + FLEET_SPARE_NS;
    uint64_t const limit_ms = limit_ns / UINT64_C(1000000);
    const char *const words[] = {
        p->afl_fuzz,
        is_main ? "-M" : "-S", /* the main instance, or a secondary one */
        instance->name,
        "-s", /* its seed */
        arena_printf(a, "%" PRIu64, get_seed(o, instance) % INT32_MAX),
        "-t", /* the limit of an execution */
        arena_printf(a, "%" PRIu64, limit_ms),
        "-i",
        arena_printf(a, "%s/seeds", o->folder),
        "-o",
        arena_printf(a, "%s/afl", o->folder),
    };
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        add_word(c, words[i]);
    }
    if (is_main) { /* -F: import the tapes that `halfulp run` keeps in this campaign */
        add_word(c, "-F");
        add_word(c, arena_printf(a, "%s/corpus", o->folder));
    }
    add_word(c, "--");
    add_word(c, p->target);
}

/* In the new process: take a process group of its own, block no signals, write all output to the
 * log, set the variables of the command, and become its program. Never returns. */
static void become(struct command *c, const char *log)
{
    sigset_t none;
    (void)setpgid(0, 0); /* Ctrl-C must reach only the process that watches */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    int const in = open("/dev/null", O_RDONLY);
    int out = -1;
    if (in < 0 || file_open_kept(log, O_APPEND, &out, NULL) != RES_OK || dup2(in, 0) < 0 ||
        dup2(out, 1) < 0 || dup2(out, 2) < 0) {
        _exit(FLEET_EXEC_FAILED);
    }
    for (uint32_t i = 0; i < c->n_vars; i++) {
        char var[FLEET_VAR_BYTES]; /* a copy, in which the key is cut from the value */
        char *equals = NULL;
        (void)snprintf(var, sizeof(var), "%s", c->vars[i]);
        if ((equals = strchr(var, '=')) != NULL) {
            *equals = '\0';
            (void)setenv(var, equals + 1, 1);
        }
    }
    (void)execv(c->argv[0], (char *const *)(uintptr_t)c->argv);
    /* in the log (2 is standard error), as AFL++ itself would say it */
    (void)dprintf(2, "%s%s: %s\n", abort_mark, c->argv[0], strerror(errno));
    _exit(FLEET_EXEC_FAILED);
}

enum res fleet_start(const struct fleet_options *o, const struct fleet_programs *p,
                     struct instance *instance, struct arena *a, struct err *e)
{
    struct command c = {.n_argv = 0};
    fill_vars(o, p, instance, &c, a);
    fill_words(o, p, instance, &c, a);
    (void)fflush(NULL);
    pid_t const pid = fork();
    if (pid < 0) {
        return err_set(e, RES_IO, "fork: %s", strerror(errno));
    }
    if (pid == 0) { /* the new process */
        become(&c, instance->log);
    }
    (void)setpgid(pid, pid); /* as become does, whichever of the two comes first */
    instance->pid = pid;
    instance->start_ns = child_now_ns();
    return RES_OK;
}

/* Kill each child of this process; how many there are. */
static uint32_t kill_children(void)
{
    uint32_t n = 0;
    DIR *dir = opendir("/proc");
    struct dirent *entry = NULL;
    struct process p;
    while (dir && (entry = readdir(dir)) != NULL) {
        pid_t const pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid > 0 && process_read(pid, &p) && p.parent == getpid()) {
            (void)kill(pid, SIGKILL);
            n++;
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return n;
}

static void sleep_round(void)
{
    struct timespec const t = {.tv_nsec = FLEET_ROUND_NS};
    (void)nanosleep(&t, NULL);
}

/* Collect all children that have ended, and set the pid of each instance among them to 0. 1: an instance still runs. */
static int reap(struct instance *x, uint32_t n)
{
    int is_any_left = 0;
    pid_t pid = 0;
    int status = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (uint32_t i = 0; i < n; i++) {
            x[i].pid = x[i].pid == pid ? 0 : x[i].pid;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        is_any_left |= x[i].pid != 0;
    }
    return is_any_left;
}

void fleet_end_all(struct instance *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (x[i].pid) {
            (void)kill(x[i].pid, SIGTERM);
        }
    }
    for (int round = 0; round < FLEET_END_ROUNDS && reap(x, n); round++) {
        sleep_round();
    }
    /* What a killed process leaves comes to us, as its parent, in the next round. */
    for (int round = 0; round < FLEET_END_ROUNDS && kill_children() > 0; round++) {
        sleep_round();
        (void)reap(x, n);
    }
    (void)reap(x, n);
}

/* Why afl-fuzz gave up: the last "PROGRAM ABORT" near the end of its log, in the arena; "" where there is
 * none. */
const char *fleet_read_complaint(const char *log, struct arena *a)
{
    char tail[FLEET_LOG_TAIL + 1];
    ssize_t n = 0;
    int fd = -1;
    if (file_open(log, &fd, NULL) == RES_OK) {
        off_t const size = lseek(fd, 0, SEEK_END);
        (void)lseek(fd, size > FLEET_LOG_TAIL ? size - FLEET_LOG_TAIL : 0, SEEK_SET);
        n = read(fd, tail, FLEET_LOG_TAIL);
        (void)close(fd);
    }
    tail[n > 0 ? n : 0] = '\0';
    const char *last = NULL;
    for (const char *at = tail; (at = strstr(at, abort_mark)) != NULL;) {
        at += sizeof(abort_mark) - 1;
        last = at;
    }
    return last ? arena_printf(a, "%.*s", (int)strcspn(last, "\n"), last) : "";
}

uint64_t fleet_count_queue(const char *folder, const struct instance *instance, struct arena *a)
{
    uint64_t n = 0;
    DIR *dir = opendir(arena_printf(a, "%s/afl/%s/queue", folder, instance->name));
    struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir)) != NULL) {
        n += strncmp(entry->d_name, "id:", 3) == 0;
    }
    if (dir) {
        (void)closedir(dir);
    }
    return n;
}
