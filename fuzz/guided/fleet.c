/* fuzz/guided/fleet.c -- several instances of AFL++ on one campaign: started, watched, ended together. */
#include "fuzz/guided/fleet.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/campaign/campaign_count.h"
#include "fuzz/campaign/tally.h"
#include "fuzz/guided/fleet_process.h"
#include "fuzz/guided/guided.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_folder.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/place.h"
#include "fuzz/process/progress.h"
#include "oracle/tables/tables.h"

#define SECOND_NS         UINT64_C(1000000000)
#define FLEET_SHORT_NS    (10 * SECOND_NS)
#define FLEET_ARENA_BYTES ((size_t)8 << 20)
enum {
    FLEET_POLL_MS = 100,
    TEXT_BYTES = 64,    /* of a part of the line of progress */
    FLEET_MAX_SHORT = 3 /* lives of under FLEET_SHORT_NS in a row that end an instance */
};

struct fleet {
    const struct fleet_options *options;
    const struct fleet_programs *programs;
    struct journal *journal;
    struct arena arena, scratch;
    struct instance *instances;
    uint32_t n;
    unsigned char *seen; /* cells of all */
    int signal_fd;
    sigset_t old_mask;
    uint64_t start_ns, progress_ns;
    uint64_t shown_ns; /* of progress */
    struct campaign_counter count;
    uint64_t before_cases, before_built;      /* at the last progress */
    uint64_t first_new;                       /* violations of new signatures before this session */
    uint64_t harness_cpu_ns, children_cpu_ns; /* before this session */
    int was_stopped;
};

static const char *find_in_path(const char *name, struct arena *a)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t const n = strcspn(at, ":");
        const char *path = arena_printf(a, "%.*s/%s", (int)n, at, name);
        if (*at == '/' && access(path, X_OK) == 0) { /* never of the current folder */
            return path;
        }
        at += n + (at[n] == ':');
    }
    return NULL;
}

enum res fleet_find_programs(struct fleet_programs *out, struct arena *a, struct err *e)
{
    const char *folder = place_get_program_folder(a);
    out->afl_fuzz = find_in_path("afl-fuzz", a);
    out->target = arena_printf(a, "%s/halfulp-afl", folder);
    out->mutator = arena_printf(a, "%s/libhalfulp-mutator.so", folder);
    if (!out->afl_fuzz) {
        return err_set(
            e, RES_IO,
            "afl-fuzz is not here; Debian's package afl++ has it: apt-get install afl++");
    }
    if (access(out->target, X_OK) != 0 || access(out->mutator, R_OK) != 0) {
        return err_set(e, RES_IO,
                       "%s: not here; \"make\" builds it where Debian's package afl++ is installed",
                       access(out->target, X_OK) != 0 ? out->target : out->mutator);
    }
    return RES_OK;
}

/* ---- start ---- */

static enum res make_folders(struct fleet *f, struct err *e)
{
    const char *folder = f->options->folder;
    TRY(file_make_folder(arena_printf(&f->arena, "%s/instances", folder), e));
    TRY(file_make_folder(arena_printf(&f->arena, "%s/afl", folder), e));
    return file_make_folder(arena_printf(&f->arena, "%s/corpus", folder), e);
}

static enum res open_signals(struct fleet *f, struct err *e)
{
    TRY(child_open_signals(&f->signal_fd, &f->old_mask, e));
    /* What a killed process leaves comes to us, so that nothing is left at the end. */
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    return RES_OK;
}

/* Name instance i of AFL++ and its files, and load its counts of earlier sessions. Targets are assigned to
 * instances in rotation. The first instance of a target asks the driver for its number of edges, and the others of
 * that target copy the answer. is_dead: the target does not start, so the instance is never run (is_over). */
static enum res open_instance(struct fleet *f, uint32_t i, struct err *e)
{
    const struct fleet_options *o = f->options;
    struct instance *instance = &f->instances[i];
    struct arena *a = &f->arena;
    instance->number = i;
    instance->target = &o->targets->t[i % o->targets->n];
    instance->name = i == 0 ? "main" : arena_printf(a, "s%02" PRIu32, i);
    instance->log = arena_printf(a, "%s/instances/%02" PRIu32 ".log", o->folder, i);
    TRY(tally_open(&instance->tally, guided_tally_path(o->folder, i, a), e));
    TRY(journal_put_target(f->journal, instance->target->name, "", &instance->target_id, e));
    struct tally_figures *t = tally_get(instance->tally);
    t->is_given_up = 0; /* of an earlier session */
    f->first_new += t->n_new;
    f->before_cases += t->n_cases;
    f->before_built += t->n_built;
    f->harness_cpu_ns += t->harness_cpu_ns;
    bool const is_first_of_target = i < o->targets->n;
    if (!is_first_of_target) {
        const struct instance *const first = &f->instances[i % o->targets->n];
        instance->n_edges = first->n_edges;
        instance->is_over = instance->is_dead = first->is_dead;
        return RES_OK;
    }
    struct err why = {RES_OK, ""};
    if (handle_get_edges(instance->target, &instance->n_edges, &why) != RES_OK) {
        progress_warn(o->progress, "%s: %s", instance->target->name, why.text);
        instance->is_over = instance->is_dead = 1;
    }
    return RES_OK;
}

/* Prepare the campaign's instances: one for each job, and at least one for each target. f->n
 * counts the instances that are open, so that they can be closed after an error. */
static enum res open_fleet(struct fleet *f, struct err *e)
{
    const struct fleet_options *o = f->options;
    arena_init(&f->arena, FLEET_ARENA_BYTES);
    arena_init(&f->scratch, FLEET_ARENA_BYTES);
    f->start_ns = f->progress_ns = f->shown_ns = child_now_ns();
    campaign_count_again(&f->count, f->journal, NULL);
    f->children_cpu_ns = child_used_cpu_ns(RUSAGE_CHILDREN);
    uint32_t const n = o->n_jobs > o->targets->n ? o->n_jobs : o->targets->n;
    if (n > GUIDED_MAX_INSTANCES) {
        return err_set(e, RES_USAGE,
                       "%" PRIu32 " instances, one for each target at least: %d can be", n,
                       GUIDED_MAX_INSTANCES);
    }
    f->instances = ARENA_NEW(&f->arena, struct instance, n);
    f->seen = ARENA_NEW(&f->arena, unsigned char, TALLY_MAX_CELLS);
    if (!f->instances || !f->seen) {
        return err_set(e, RES_NOMEM, "no memory for %" PRIu32 " instances", n);
    }
    TRY(make_folders(f, e));
    TRY(open_signals(f, e));
    child_sweep();
    for (uint32_t i = 0; i < n; i++) {
        f->n = i + 1;
        TRY(open_instance(f, i, e));
    }
    return journal_flush(f->journal, e);
}

/* ---- watch ---- */

static void read_signals(struct fleet *f)
{
    struct signalfd_siginfo info;
    while (read(f->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        f->was_stopped |= info.ssi_signo != SIGCHLD;
    }
}

/* It ended by itself: which is no reason to give up at once. */
static void take_end(struct fleet *f, struct instance *instance, uint64_t now_ns)
{
    const struct tally_figures *t = tally_get(instance->tally);
    const char *why =
        t->is_given_up ? t->message : fleet_read_complaint(instance->log, &f->scratch);
    instance->pid = 0;
    instance->cpu_before_ns += instance->cpu_ns;
    instance->cpu_ns = 0;
    instance->n_short = now_ns - instance->start_ns < FLEET_SHORT_NS ? instance->n_short + 1 : 0;
    if (t->is_given_up || instance->n_short >= FLEET_MAX_SHORT) {
        instance->is_over = instance->is_dead = 1;
        progress_warn(f->options->progress, "%s: given up: %s (%s says more)",
                      instance->target->name, why[0] ? why : "AFL++ ended", instance->log);
    } else {
        progress_say(f->options->progress, "%s: AFL++ ended and is started again%s%s",
                     instance->target->name, why[0] ? ": " : "", why);
    }
}

static void reap(struct fleet *f, uint64_t now_ns)
{
    pid_t pid = 0;
    int status = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (uint32_t i = 0; i < f->n; i++) {
            if (f->instances[i].pid == pid) {
                take_end(f, &f->instances[i], now_ns);
            }
        }
    }
}

/* Cases of all instances of a target. */
static uint64_t count_cases(const struct fleet *f, const struct target *t)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        n += f->instances[i].target == t ? tally_get(f->instances[i].tally)->n_cases : 0;
    }
    return n;
}

/* Start what should run, end what should not. */
static enum res tend(struct fleet *f, struct err *e)
{
    const struct fleet_options *o = f->options;
    enum res r = RES_OK;
    for (uint32_t i = 0; i < f->n && r == RES_OK; i++) {
        struct instance *instance = &f->instances[i];
        int const is_done = o->max_cases > 0 && count_cases(f, instance->target) >= o->max_cases;
        uint64_t const cpu_ns = child_cpu_ns(instance->pid);
        instance->cpu_ns = cpu_ns > instance->cpu_ns ? cpu_ns : instance->cpu_ns;
        instance->is_over |= is_done;
        if (instance->pid && (is_done || tally_get(instance->tally)->is_given_up)) {
            (void)kill(instance->pid, SIGTERM);
        } else if (!instance->pid && !instance->is_over) {
            r = fleet_start(o, f->programs, instance, &f->scratch, e);
        }
    }
    return r;
}

/* The sums of the instances' counts. n_cells is of their union: how many cells of the map any of them has
 * seen, which f->seen keeps. */
static struct tally_figures sum_figures(struct fleet *f)
{
    struct tally_figures sum = {0};
    for (uint32_t i = 0; i < f->n; i++) {
        const struct tally_figures *t = tally_get(f->instances[i].tally);
        sum.n_executions += t->n_executions;
        sum.n_cases += t->n_cases;
        sum.n_built += t->n_built;
        sum.n_bad += t->n_bad;
        sum.n_violations += t->n_violations;
        sum.n_new += t->n_new;
        sum.n_trouble += t->n_trouble;
        sum.harness_cpu_ns += t->harness_cpu_ns;
        tally_unite_cells(f->instances[i].tally, f->seen);
    }
    for (size_t i = 0; i < TALLY_MAX_CELLS; i++) {
        sum.n_cells += f->seen[i];
    }
    return sum;
}

static uint64_t count_queues(struct fleet *f)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        n += fleet_count_queue(f->options->folder, &f->instances[i], &f->scratch);
    }
    return n;
}

/* "3 bugs", and "last new 40 min ago". */
static void put_news(struct fleet *f, char bugs[TEXT_BYTES], char news[TEXT_BYTES])
{
    char ago[PROGRESS_TIME_BYTES];
    campaign_count_again(&f->count, f->journal, NULL);
    (void)snprintf(bugs, TEXT_BYTES, "%" PRIu64 " bug%s", f->count.n_bugs,
                   f->count.n_bugs == 1 ? "" : "s");
    (void)snprintf(news, TEXT_BYTES, f->count.new_ns ? "last new %s ago" : "none new yet",
                   progress_time(ago, child_now_ns() - f->count.new_ns));
}

/* Show how far the campaign is: "12 min left; 3 bugs; last new 40 s ago; 500 cases (40/s);
 * 700 only built (60/s); 900 cells; 80 inputs kept". Rates are those since the last such line. */
static void show_progress(struct fleet *f, uint64_t now_ns)
{
    struct progress *const p = f->options->progress;
    struct tally_figures const sum = sum_figures(f);
    double const seconds = (double)(now_ns - f->shown_ns) / 1e9;
    uint64_t const end_ns = f->start_ns + f->options->max_ns;
    char time[PROGRESS_TIME_BYTES], left[TEXT_BYTES], bugs[TEXT_BYTES], news[TEXT_BYTES];
    char cases[TEXT_BYTES], built[TEXT_BYTES] = "", cells[TEXT_BYTES], kept[TEXT_BYTES];
    bool const has_end = f->options->max_ns != 0;
    uint64_t const left_ns = end_ns > now_ns ? end_ns - now_ns : 0;
    (void)snprintf(left, sizeof left, "%s%s",
                   progress_time(time, has_end ? left_ns : now_ns - f->start_ns),
                   has_end ? " left" : "");
    put_news(f, bugs, news);
    (void)snprintf(cases, sizeof cases, "%" PRIu64 " cases (%.0f/s)", sum.n_cases,
                   (double)(sum.n_cases - f->before_cases) / seconds);
    if (sum.n_built) {
        (void)snprintf(built, sizeof built, "%" PRIu64 " only built (%.0f/s)", sum.n_built,
                       (double)(sum.n_built - f->before_built) / seconds);
    }
    (void)snprintf(cells, sizeof cells, "%" PRIu64 " cells", sum.n_cells);
    (void)snprintf(kept, sizeof kept, "%" PRIu64 " inputs kept", count_queues(f));
    const char *const parts[] = {left, bugs, news, cases, built, cells, kept};
    progress_show(p, parts, ARRAY_N(parts));
    f->before_cases = sum.n_cases;
    f->before_built = sum.n_built;
    f->shown_ns = now_ns;
}

static void tell_progress(struct fleet *f, uint64_t now_ns)
{
    if (progress_is_due(f->options->progress)) {
        show_progress(f, now_ns);
    }
    f->progress_ns = now_ns;
    arena_reset(&f->scratch);
}

static int is_over(const struct fleet *f, uint64_t now_ns)
{
    const struct fleet_options *o = f->options;
    uint64_t n_new = 0;
    int is_any = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        n_new += tally_get(f->instances[i].tally)->n_new;
        is_any |= f->instances[i].pid || !f->instances[i].is_over;
    }
    return !is_any || f->was_stopped || (o->max_ns && now_ns - f->start_ns >= o->max_ns) ||
           (o->stop_at_first && n_new > f->first_new);
}

/* An instance whose program was built before this one counts where this one does not look. */
static enum res check_builds(const struct fleet *f, struct err *e)
{
    for (uint32_t i = 0; i < f->n; i++) {
        if (!tally_is_ours(f->instances[i].tally)) {
            return err_set(e, RES_FORMAT,
                           "%s is of another build than this program: make both anew",
                           f->programs->target);
        }
    }
    return RES_OK;
}

static enum res watch(struct fleet *f, struct err *e)
{
    enum res r = RES_OK;
    while (r == RES_OK && !is_over(f, child_now_ns())) {
        TRY(check_builds(f, e));
        struct pollfd fd = {.fd = f->signal_fd, .events = POLLIN};
        r = tend(f, e);
        if (poll(&fd, 1, FLEET_POLL_MS) < 0 && errno != EINTR) {
            return err_set(e, RES_IO, "poll: %s", strerror(errno));
        }
        read_signals(f);
        uint64_t const now = child_now_ns();
        reap(f, now);
        if (now - f->progress_ns >= SECOND_NS) {
            tell_progress(f, now);
        }
    }
    return r;
}

/* ---- end ---- */

/* Put what the instances counted into the journal, fill *out, and divide the CPU time among
 * AFL++, the programs that judge, and the drivers. The drivers get what remains of the CPU time of
 * all children, because a driver in a sandbox cannot be measured from outside before it ends. */
static enum res conclude(struct fleet *f, struct fleet_summary *out, struct err *e)
{
    enum res r = RES_OK;
    struct tally_figures const sum = sum_figures(f);
    for (uint32_t i = 0; i < f->n; i++) {
        struct instance *instance = &f->instances[i];
        out->n_dead += (uint32_t)instance->is_dead;
        out->afl_cpu_ns += instance->cpu_before_ns + instance->cpu_ns;
        if (r == RES_OK && tally_is_ours(instance->tally)) {
            r = tally_flush(instance->tally, f->journal, instance->target_id, e);
        }
    }
    out->n_instances = f->n;
    out->n_executions = sum.n_executions;
    out->n_cases = sum.n_cases;
    out->n_built = sum.n_built;
    out->n_bad = sum.n_bad;
    out->n_trouble = sum.n_trouble;
    out->n_cells = sum.n_cells;
    out->n_queue = count_queues(f);
    out->was_stopped = f->was_stopped;
    out->wall_ns = child_now_ns() - f->start_ns;
    out->harness_cpu_ns = sum.harness_cpu_ns - f->harness_cpu_ns;
    uint64_t const all_ns = child_used_cpu_ns(RUSAGE_CHILDREN) - f->children_cpu_ns;
    uint64_t const known_ns = out->harness_cpu_ns + out->afl_cpu_ns;
    out->worker_cpu_ns = all_ns > known_ns ? all_ns - known_ns : 0;
    if (r != RES_OK) {
        return r;
    }
    return journal_add_time(f->journal, out->wall_ns, known_ns, out->worker_cpu_ns, e);
}

static void close_fleet(struct fleet *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        tally_close(f->instances[i].tally);
    }
    if (f->signal_fd >= 0) {
        (void)close(f->signal_fd);
        (void)sigprocmask(SIG_SETMASK, &f->old_mask, NULL);
    }
    arena_free(&f->arena);
    arena_free(&f->scratch);
}

enum res fleet_run(const struct fleet_options *o, const struct fleet_programs *p, struct journal *j,
                   struct fleet_summary *out, struct err *e)
{
    struct fleet f = {.options = o, .programs = p, .journal = j, .signal_fd = -1};
    memset(out, 0, sizeof(*out));
    enum res r = open_fleet(&f, e);
    if (r == RES_OK) {
        struct err ignored; /* the first error is told */
        r = watch(&f, e);
        fleet_end_all(f.instances, f.n);
        child_sweep();
        enum res const end_res = conclude(&f, out, r == RES_OK ? e : &ignored);
        r = r != RES_OK ? r : end_res;
    }
    close_fleet(&f);
    return r;
}
