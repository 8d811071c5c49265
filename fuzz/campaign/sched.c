/* fuzz/campaign/sched.c -- the campaign's loop: one thread, one poll, every target always busy. */
#include "fuzz/campaign/sched.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "fuzz/campaign/case_groups.h"
#include "fuzz/campaign/events.h"
#include "fuzz/campaign/runner.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child.h"
#include "fuzz/process/child_folder.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "fuzz/process/surroundings.h"
#include "gen/case/sample_devices.h"

#define SECOND_NS    UINT64_C(1000000000)
#define FLUSH_NS     UINT64_C(100000000)
#define SIM_SLICE_NS UINT64_C(20000000)
#define SYNC_NS      (15 * SECOND_NS)
/* How long the cases in flight may take after the end; what is left is run again on resume. */
#define DRAIN_NS (5 * SECOND_NS)
/* How long targets may take to say what they list; a later one is in no group. */
#define GROUPS_WAIT_NS (60 * SECOND_NS)
enum {
    FLUSH_RUNS = 64,
    SYNC_FILES = 64, /* written at once, not to keep workers waiting */
    POLL_MS = 100
};

struct sched {
    const struct sched_options *options;
    struct journal *journal;
    struct corpus *corpus;
    struct arena arena;
    struct target_runner *runners;
    uint32_t n_runners;
    int signal_fd;
    sigset_t old_mask;
    uint64_t start_ns, drain_ns; /* drain_ns: since when nothing is begun; 0 = not yet */
    uint64_t flush_ns, progress_ns, sync_ns;
    struct events events;
    bool was_stopped, is_killed;
    struct case_groups *groups; /* of targets; the runners get it when it is known */
    bool has_groups;
    struct handle_set waiting;
};

static void close_signals(struct sched *s)
{
    if (s->signal_fd >= 0) {
        (void)close(s->signal_fd);
    }
    (void)sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
}

/* A first signal ends the campaign cleanly, a second at once. */
static void read_signals(struct sched *s)
{
    struct signalfd_siginfo info;
    while (read(s->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (info.ssi_signo != SIGCHLD) {
            s->is_killed = s->was_stopped;
            s->was_stopped = true;
        }
    }
}

static bool is_draining(const struct sched *s)
{
    return s->drain_ns != 0;
}

/* ---- groups of targets ---- */

static void give_groups(struct sched *s)
{
    s->has_groups = true;
    for (uint32_t i = 0; i < s->n_runners; i++) {
        s->runners[i].groups = s->groups;
    }
}

/* Which groups there are, and how many needs the cases of each do without. */
static void tell_groups(struct sched *s)
{
    for (uint32_t i = 0; i < s->groups->n; i++) {
        const struct case_group *const g = &s->groups->group[i];
        const char *names = "";
        for (uint32_t k = 0; k < g->n_targets; k++) {
            names = arena_printf(&s->arena, "%s %s", names, g->targets[k]);
        }
        progress_warn(s->options->progress,
                      "group %" PRIu32 ":%s; its cases do without %" PRIu32 " of %" PRIu32 " needs",
                      i + 1, names, case_groups_count(g, false),
                      case_groups_count(g, false) + case_groups_count(g, true));
    }
}

/* Is more to be known of a target, before groups are made, and can it be? */
static bool is_awaited(const struct sched *s, const struct target_runner *l, uint64_t now_ns)
{
    return !l->facts[0] && !l->is_dead && now_ns - s->start_ns < GROUPS_WAIT_NS;
}

/* Is any target awaited? Made-up devices need no facts of a target. */
static bool is_any_awaited(const struct sched *s, uint64_t now_ns)
{
    for (uint32_t i = 0; i < s->n_runners && !s->options->device; i++) {
        if (is_awaited(s, &s->runners[i], now_ns)) {
            return true;
        }
    }
    return false;
}

/* Makes the groups when each target has said what it lists, and notes them in the journal. */
static enum res make_groups(struct sched *s, uint64_t now_ns, struct err *e)
{
    if (is_any_awaited(s, now_ns)) {
        return RES_OK;
    }
    struct case_groups_target *const t =
        ARENA_NEW(&s->arena, struct case_groups_target, s->n_runners + 1);
    uint32_t n = 0;
    if (!t) {
        return err_set(e, RES_NOMEM, "no memory for groups of targets");
    }
    for (uint32_t i = 0; i < s->n_runners; i++) {
        const struct target_runner *const l = &s->runners[i];
        bool const is_any = l->target->kind == TARGET_SIM && l->target->language == LANGUAGE_SPIRV;
        if (!is_any && l->facts[0]) {
            t[n++] = (struct case_groups_target){l->target->name, l->target->env, l->allowed};
        }
    }
    const struct sample_device *const device = s->options->device;
    if (device) {
        s->groups->n = 1;
        s->groups->group[0] =
            (struct case_group){.env = device->env, .allowed = sample_device_get_needs(device)};
    } else {
        case_groups_make(s->groups, t, n);
    }
    const char *const text = case_groups_print(s->groups, &s->arena);
    give_groups(s);
    tell_groups(s);
    return s->arena.is_full ? err_set(e, RES_NOMEM, "no memory for groups of targets")
                            : journal_put_note(s->journal, CASE_GROUPS_NOTE, text, e);
}

/* A resumed campaign keeps the groups of its journal, so that each index means the same case. Cases from a case source are
 * not drawn, and have no groups. */
static enum res load_groups(struct sched *s, struct err *e)
{
    s->groups = ARENA_NEW(&s->arena, struct case_groups, 1);
    if (!s->groups) {
        return err_set(e, RES_NOMEM, "no memory for groups of targets");
    }
    const char *const note = journal_get_note(s->journal, CASE_GROUPS_NOTE, &s->arena);
    if (note[0] || s->options->source) {
        TRY(case_groups_parse(s->groups, note, &s->arena, e));
        give_groups(s);
    }
    return RES_OK;
}

/* A simulated target runs in this process: while it has cases left, nothing is waited for. Cases are drawn for groups. */
static bool has_sim_work(const struct sched *s)
{
    if (!s->has_groups) {
        return false;
    }
    for (uint32_t i = 0; i < s->n_runners; i++) {
        const struct target_runner *l = &s->runners[i];
        if (l->target->kind == TARGET_SIM && !runner_is_over(l, is_draining(s))) {
            return true;
        }
    }
    return false;
}

static enum res step_sim(struct sched *s, struct target_runner *l, struct err *e)
{
    uint64_t const until = child_now_ns() + SIM_SLICE_NS;
    while (!is_draining(s) && !runner_is_over(l, false) && child_now_ns() < until) {
        TRY(runner_step_sim(l, e));
    }
    return RES_OK;
}

static enum res step_workers(struct sched *s, struct target_runner *l, struct err *e)
{
    for (uint32_t k = 0; k < l->n_workers; k++) {
        TRY(runner_step(l, &l->workers[k], is_draining(s), e));
    }
    return RES_OK;
}

static enum res step_runners(struct sched *s, struct err *e)
{
    for (uint32_t i = 0; i < s->n_runners; i++) {
        struct target_runner *l = &s->runners[i];
        bool const is_sim = l->target->kind == TARGET_SIM;
        if (is_sim && s->has_groups) {
            TRY(step_sim(s, l, e));
        } else if (!is_sim) {
            TRY(step_workers(s, l, e));
        }
    }
    return RES_OK;
}

static enum res give_up_all(struct sched *s, struct err *e)
{
    enum res r = RES_OK;
    for (uint32_t i = 0; i < s->n_runners && r == RES_OK; i++) {
        for (uint32_t k = 0; k < s->runners[i].n_workers && r == RES_OK; k++) {
            r = runner_give_up(&s->runners[i], &s->runners[i].workers[k], e);
        }
    }
    return r;
}

/* Time that is left: 0 without a limit, 1 when it is over. */
static uint64_t get_left_ns(const struct sched *s, uint64_t now_ns)
{
    uint64_t const end = s->start_ns + s->options->max_ns;
    if (s->options->max_ns == 0) {
        return 0;
    }
    return now_ns >= end ? 1 : end - now_ns;
}

/* Do what is due: tell how far it is each second, exchange tapes each 15 s, and write each 100 ms or 64 runs. */
static enum res keep_up(struct sched *s, uint64_t now_ns, struct err *e)
{
    if (now_ns - s->progress_ns >= SECOND_NS) {
        events_put_progress(&s->events, s->options, s->runners, s->n_runners,
                            get_left_ns(s, now_ns));
        s->progress_ns = now_ns;
    }
    if (now_ns - s->sync_ns >= SYNC_NS) {
        s->sync_ns = now_ns;
        TRY(corpus_sync(s->corpus, SYNC_FILES, e));
    }
    if (now_ns - s->flush_ns >= FLUSH_NS || journal_get_pending(s->journal) >= FLUSH_RUNS) {
        s->flush_ns = now_ns;
        return journal_flush(s->journal, e);
    }
    return RES_OK;
}

static bool is_over(const struct sched *s)
{
    for (uint32_t i = 0; i < s->n_runners; i++) {
        if (!runner_is_over(&s->runners[i], is_draining(s))) {
            return false;
        }
    }
    return true;
}

static enum res loop(struct sched *s, struct err *e)
{
    while (!is_over(s)) {
        TRY(handle_set_wait(&s->waiting, has_sim_work(s) ? 0 : POLL_MS, e));
        read_signals(s);
        if (!s->has_groups) {
            TRY(make_groups(s, child_now_ns(), e));
        }
        TRY(step_runners(s, e));
        uint64_t const now = child_now_ns();
        TRY(keep_up(s, now, e));
        bool const is_late = s->options->max_ns && now - s->start_ns >= s->options->max_ns;
        if (!is_draining(s) && (is_late || s->was_stopped)) {
            s->drain_ns = now;
        }
        if (s->is_killed || (is_draining(s) && now - s->drain_ns >= DRAIN_NS)) {
            break;
        }
    }
    return give_up_all(s, e);
}

static void wait_for_runner(struct sched *s, const struct target_runner *l)
{
    for (uint32_t k = 0; k < l->n_workers; k++) {
        handle_set_add(&s->waiting, &l->workers[k].handle);
    }
}

static enum res open_runners(struct sched *s, struct err *e)
{
    const struct sched_options *o = s->options;
    arena_init(&s->arena, (size_t)64 << 20);
    s->runners = ARENA_NEW(&s->arena, struct target_runner, o->targets->n);
    if (!s->runners) {
        return err_set(e, RES_NOMEM, "no memory for %u targets", (unsigned)o->targets->n);
    }
    TRY(handle_set_init(&s->waiting, TARGETS_MAX * SCHED_MAX_WORKERS, 1, &s->arena, e));
    handle_set_watch(&s->waiting, s->signal_fd);
    struct corpus_options const c = {.profile = o->profile,
                                     .seed = o->seed,
                                     .percent = o->mutate_percent,
                                     .import = o->import,
                                     .exports = o->exports};
    enum res r = corpus_open(&s->corpus, &c, s->journal, e);
    for (uint32_t i = 0; i < o->targets->n && r == RES_OK; i++) {
        r = runner_open(&s->runners[i], &o->targets->t[i], o, s->corpus, s->journal, &s->arena, e);
        wait_for_runner(s, &s->runners[i]);
        s->n_runners++;
    }
    return r == RES_OK ? load_groups(s, e) : r;
}

/* This process's count of what a target made of what it does not list. */
static void tell_unlisted(struct target_runner *l, struct sched_summary *out)
{
    const char *text = "";
    uint64_t n = 0;
    for (int k = 0; k < UNLISTED_N; k++) {
        n += l->n_unlisted[k];
        out->n_unlisted[k] += l->n_unlisted[k];
        text = arena_printf(&l->arena, "%s%s%" PRIu64 " %s", text, k ? ", " : "", l->n_unlisted[k],
                            unlisted_names[k]);
    }
    if (n > 0) {
        events_put_target(l, "cases that use what it does not list", text);
    }
}

static void close_runners(struct sched *s, struct sched_summary *out)
{
    for (uint32_t i = 0; i < s->n_runners; i++) {
        struct target_runner *l = &s->runners[i];
        tell_unlisted(l, out);
        out->n_runs += l->n_session;
        out->n_judged += l->n_judged;
        out->n_violations += l->n_violations;
        out->n_dead += (uint32_t)l->is_dead;
        runner_close(l);
    }
    arena_free(&s->arena);
}

static enum res run(struct sched *s, struct err *e)
{
    TRY(open_runners(s, e));
    TRY(loop(s, e));
    return corpus_sync(s->corpus, UINT32_MAX, e);
}

/* Run the campaign until its time or its cases are over or a signal comes, and fill *out. The
 * clock and the CPU times are read before and after, and the differences go into the journal.
 * Whatever was opened is closed in any case. */
enum res sched_run(const struct sched_options *o, struct journal *j, struct sched_summary *out,
                   struct err *e)
{
    struct sched s = {.options = o, .journal = j, .signal_fd = -1};
    uint64_t const self_ns = child_used_cpu_ns(RUSAGE_SELF);
    uint64_t const children_ns = child_used_cpu_ns(RUSAGE_CHILDREN);
    memset(out, 0, sizeof(*out));
    s.start_ns = s.flush_ns = s.progress_ns = s.sync_ns = child_now_ns();
    events_begin(&s.events, s.options, j);
    TRY(surroundings_need_files((uint64_t)o->targets->n * o->n_workers, e));
    TRY(child_open_signals(&s.signal_fd, &s.old_mask, e));
    (void)signal(SIGPIPE, SIG_IGN);
    child_sweep();
    enum res r = run(&s, e);
    if (o->is_json) { /* the last figures are the campaign's */
        events_put_progress(&s.events, o, s.runners, s.n_runners, get_left_ns(&s, child_now_ns()));
    }
    if (s.corpus) {
        out->corpus = corpus_get_figures(s.corpus);
    }
    out->was_stopped = s.was_stopped;
    close_runners(&s, out);
    close_signals(&s);
    corpus_close(s.corpus);
    child_reap_orphans();
    out->wall_ns = child_now_ns() - s.start_ns;
    /* The time is kept also after an error of the run; then that error is the one reported. */
    struct err ignored = {RES_OK, ""};
    struct err *const time_err = r == RES_OK ? e : &ignored;
    enum res time_res = journal_flush(j, time_err);
    if (time_res == RES_OK) {
        time_res = journal_add_time(j, out->wall_ns, child_used_cpu_ns(RUSAGE_SELF) - self_ns,
                                    child_used_cpu_ns(RUSAGE_CHILDREN) - children_ns, time_err);
    }
    return r != RES_OK ? r : time_res;
}
