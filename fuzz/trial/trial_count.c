/* fuzz/trial/trial_count.c -- how often a case shows a bug: each time in a fresh worker, alone or many at once. */
#include "fuzz/trial/trial_count.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/pool/front_end.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child.h"
#include "fuzz/process/child_time.h"
#include "fuzz/trial/trust.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim_facts.h"

enum {
    LOOK_MS = 100 /* at the wish to stop, while helpers run */
};

/* Runs to be counted. */
struct trial_order {
    const struct target *target;
    const struct trial_wanted *wanted;
    const struct testcase *tc;
    uint32_t n_runs;
};

/* A process with a share of them, and what it writes at its end. */
struct helper {
    pid_t pid;
    int from;
};
struct share {
    enum res res;
    struct trial_count count;
    struct err e;
};

/* One run in a fresh worker, or a simulated one by another seed. */
static enum res run_fresh(const struct target *t, const struct trial_wanted *w, uint64_t seed,
                          struct run *run, struct err *e)
{
    if (t->kind == TARGET_WORKER) {
        return handle_run_once(t, run, e);
    }
    const char *facts = w->facts ? w->facts : sim_facts_for(&run->tc, seed, &run->arena);
    return front_end_run_sim(t, &run->tc, seed, facts, &run->arena, &run->ob, e);
}

bool trial_is_over(const struct trial_wanted *w)
{
    return w->until_ns && (child_now_ns() >= w->until_ns || child_is_asked_to_stop());
}

static void add_share(struct trial_count *to, const struct trial_count *from)
{
    to->n_runs += from->n_runs;
    to->n_shown += from->n_shown;
    if (from->n_worst > 0 && (to->n_worst == 0 || from->worst > to->worst)) {
        to->worst = from->worst;
        to->n_worst = 0;
    }
    to->n_worst += from->worst == to->worst ? from->n_worst : 0;
}

static enum res count_one(const struct target *t, const struct trial_wanted *w, uint64_t seed,
                          struct run *run, struct trial_count *out, struct err *e)
{
    enum res r = run_fresh(t, w, seed, run, e);
    struct judgement *g = ARENA_NEW(&run->arena, struct judgement, 1);
    if (r != RES_OK || !g) {
        return r != RES_OK ? r : err_set(e, RES_NOMEM, "no memory for a judgement");
    }
    struct err why;
    if (judge_run(w->as ? w->as : &run->tc, &run->ob, &run->arena, g, &why) != RES_OK) {
        g->kind = VERDICT_INCONCLUSIVE;
        g->n_findings = 0;
    }
    uint32_t const n_shown = trial_find_wanted(w, &run->ob, g, &run->arena) != NULL;
    add_share(out, &(struct trial_count){1, n_shown, g->kind, 1});
    return RES_OK;
}

/* Runs first, first + step, ... of n_runs, by one process. */
static enum res count_some(const struct trial_order *o, uint32_t first, uint32_t step,
                           struct trial_count *out, struct err *e)
{
    struct run run;
    enum res r = RES_OK;
    *out = (struct trial_count){.worst = VERDICT_OK};
    memset(&run, 0, sizeof run);
    arena_init(&run.arena, HANDLE_RUN_BYTES);
    for (uint32_t i = first; i < o->n_runs && r == RES_OK; i += step) {
        if (out->n_runs > 0 && trial_is_over(o->wanted)) {
            break;
        }
        arena_reset(&run.arena);
        run.tc = *o->tc;
        r = count_one(o->target, o->wanted, i + 1, &run, out, e);
    }
    arena_free(&run.arena);
    return r;
}

/* Nothing but load, until it is killed or the parent ends. */
static void spin(pid_t parent)
{
    volatile uint64_t spun = 0;
    while (getppid() == parent) {
        for (uint64_t k = 0; k < UINT64_C(1) << 22; k++) {
            spun = spun + k;
        }
    }
}

/* In the process of a helper: count the runs of its share and write them to the pipe, or where there are none,
 * be load. */
static void be_helper(const struct trial_order *o, uint32_t first, uint32_t step, int to,
                      pid_t parent)
{
    struct share share = {.res = RES_OK};
    if (first >= o->n_runs) {
        spin(parent);
        _exit(0);
    }
    share.res = count_some(o, first, step, &share.count, &share.e);
    _exit(write(to, &share, sizeof share) == (ssize_t)sizeof share ? 0 : 1);
}

/* Start a process that does the runs number first, first + step, ... of the order, and sends each result by
 * h->from. With `first` behind the last run it does none and is there for the load alone. */
static enum res start_helper(struct helper *h, const struct trial_order *o, uint32_t first,
                             uint32_t step, struct err *e)
{
    int ends[2];
    pid_t const parent = getpid();
    if (!child_make_pipe(ends)) {
        return err_set(e, RES_IO, "no pipe: %s", strerror(errno));
    }
    h->from = ends[0];
    h->pid = fork();
    if (h->pid == 0) {
        be_helper(o, first, step, ends[1], parent);
    }
    (void)close(ends[1]);
    if (h->pid < 0) {
        (void)close(h->from);
        return err_set(e, RES_IO, "no process: %s", strerror(errno));
    }
    return RES_OK;
}

/* false: it ended before it had its share, or a signal waits that the caller holds back. */
static bool read_share(const struct helper *h, struct share *out)
{
    struct pollfd from = {.fd = h->from, .events = POLLIN};
    ssize_t n = 0;
    while (poll(&from, 1, LOOK_MS) == 0) {
        if (child_is_asked_to_stop()) {
            return false;
        }
    }
    do {
        n = read(h->from, out, sizeof *out); /* fits a pipe: comes as a whole */
    } while (n < 0 && errno == EINTR && !child_is_asked_to_stop());
    return n == (ssize_t)sizeof *out;
}

/* Who was killed from outside, as for want of memory, leaves its runs to this process. */
static enum res take_share(const struct helper *h, const struct trial_order *o, uint32_t first,
                           uint32_t step, struct trial_count *out, struct err *e)
{
    struct share share = {.res = RES_OK};
    if (!read_share(h, &share)) {
        if (child_is_asked_to_stop()) {
            return err_set(e, RES_LIMIT, "%s: stopped", o->target->name);
        }
        share.res = count_some(o, first, step, &share.count, &share.e);
    }
    if (share.res == RES_OK) {
        add_share(out, &share.count);
    } else {
        *e = share.e;
    }
    return share.res;
}

/* Count how often a case shows the bug while the machine is under load. The runs themselves are the load:
 * n_load processes share them out, and where there are fewer runs the processes left over do nothing but
 * load. All of them are killed at the end. */
static enum res count_loaded(const struct trial_order *o, uint32_t n_load, struct trial_count *out,
                             struct err *e)
{
    struct helper helpers[TRIAL_MAX_WORKERS];
    uint32_t n_started = 0;
    uint32_t const n_shares = n_load < o->n_runs ? n_load : o->n_runs;
    enum res r = RES_OK;
    *out = (struct trial_count){.worst = VERDICT_OK};
    while (n_started < n_load && r == RES_OK) {
        uint32_t const first = n_started < n_shares ? n_started : o->n_runs;
        r = start_helper(&helpers[n_started], o, first, n_shares, e);
        n_started += r == RES_OK;
    }
    for (uint32_t i = 0; i < n_shares && r == RES_OK; i++) {
        r = take_share(&helpers[i], o, i, n_shares, out, e);
    }
    for (uint32_t i = 0; i < n_started; i++) {
        (void)kill(helpers[i].pid, SIGKILL);
        (void)waitpid(helpers[i].pid, NULL, 0);
        (void)close(helpers[i].from);
    }
    return r;
}

static enum res vouch(const struct testcase *tc, struct err *e)
{
    struct arena a;
    arena_init(&a, HANDLE_RUN_BYTES);
    enum res const r = trust_vouch(tc, &a, e);
    arena_free(&a);
    return r;
}

enum res trials_count(const struct target *t, const struct trial_wanted *w,
                      const struct testcase *tc, uint32_t n_runs, uint32_t n_load,
                      struct trial_count *out, struct err *e)
{
    struct trial_order const o = {t, w, tc, n_runs};
    TRY(w->is_foreign ? vouch(tc, e) : RES_OK);
    if (n_load == 0 || t->kind != TARGET_WORKER) {
        return count_some(&o, 0, 1, out, e);
    }
    return count_loaded(&o, n_load < TRIAL_MAX_WORKERS ? n_load : TRIAL_MAX_WORKERS, out, e);
}
