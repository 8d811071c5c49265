/* fuzz/audit/audit.c -- the audit of a target: plan, what an earlier start left, row after row. */
#include "fuzz/audit/audit.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/format.h"
#include "base/func_row.h"
#include "fuzz/audit/audit_case.h"
#include "fuzz/audit/audit_estimate.h"
#include "fuzz/audit/audit_judge.h"
#include "fuzz/audit/audit_keep.h"
#include "fuzz/audit/audit_memory.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/audit/audit_row.h"
#include "fuzz/audit/worst.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "fuzz/process/surroundings.h"
#include "gen/case/gen.h"
#include "oracle/num/mp.h"

static enum res open_signals(struct audit_run *u, sigset_t *old, struct err *e)
{
    sigset_t mask;
    (void)sigemptyset(&mask);
    (void)sigaddset(&mask, SIGINT);
    (void)sigaddset(&mask, SIGTERM);
    if (sigprocmask(SIG_BLOCK, &mask, old) != 0) {
        return err_set(e, RES_IO, "signals: %s", strerror(errno));
    }
    u->signal_fd = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
    return u->signal_fd >= 0 ? RES_OK : err_set(e, RES_IO, "signalfd: %s", strerror(errno));
}

static const char *name_time(struct arena *a)
{
    char text[32] = "";
    time_t const now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts)) {
        (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    return arena_printf(a, "%s", text);
}

/* What one row came to, in a line that fits any terminal; the table follows at the end. */
static void print_row(const struct audit_run *u, const struct audit_row *row)
{
    uint64_t n_wrong = 0;
    uint32_t n_refused = 0;
    struct arena_mark const mark = arena_get_mark(u->a);
    for (uint32_t i = 0; i < row->n_forms; i++) {
        const struct sweep_result *const r = &row->result[i];
        n_wrong += r->n_broken + r->n_special + r->n_zero_sign;
        n_refused += (uint32_t)row->form[i].is_refused;
    }
    bool const is_done = row->n_done == row->n_inputs;
    const char *const parts[] = {
        arena_printf(u->a, "%s %s: %s%" PRIu64 " wrong", func_rows[row->func].name,
                     float_formats[row->fmt].name, is_done ? "" : "incomplete, ", n_wrong),
        arena_printf(u->a, "row %" PRIu32 " of %" PRIu32, u->row + 1, u->out->n_rows),
        row->problem[0] ? row->problem : "",
        n_refused ? arena_printf(u->a, "%" PRIu32 " of %" PRIu32 " forms refused", n_refused,
                                 row->n_forms)
                  : "",
        arena_printf(u->a, "%" PRIu64 " inputs", row->n_done),
        arena_printf(u->a, "%.1f s", row->seconds)};
    progress_say_parts(u->request->progress, parts, ARRAY_N(parts));
    arena_release(u->a, mark);
}

static uint32_t count_unfinished(const struct audit *x, uint32_t from)
{
    uint32_t n = 0;
    for (uint32_t i = from; i < x->n_rows; i++) {
        n += x->rows[i].n_done < x->rows[i].n_inputs;
    }
    return n;
}

static bool is_time_over(const struct audit_run *u)
{
    return u->end_ns != 0 && child_now_ns() >= u->end_ns;
}

/* Each row that is left gets the same share of the time that is left; what one does not need is for those after it. */
static void share_time(struct audit_run *u)
{
    uint64_t const now_ns = child_now_ns();
    if (u->end_ns) {
        uint64_t const left_ns = u->end_ns > now_ns ? u->end_ns - now_ns : 0;
        u->row_end_ns = now_ns + left_ns / count_unfinished(u->out, u->row);
    }
}

/* Every row once, from where it stands. */
static enum res run_rows_once(struct audit_run *u, struct err *e)
{
    struct audit *const x = u->out;
    for (u->row = 0; u->row < x->n_rows && !x->was_stopped && !is_time_over(u); u->row++) {
        struct audit_row *const row = &x->rows[u->row];
        if (row->n_done == row->n_inputs) {
            continue; /* an earlier start did it */
        }
        share_time(u);
        TRY(audit_row_run(u, row, e));
        print_row(u, row);
        TRY(audit_keep_write(x, u->request, e));
    }
    return RES_OK;
}

/* What there is to do, and how long it takes as far as an earlier start knows. */
static void say_plan(struct audit_run *u)
{
    const struct audit *const x = u->out;
    struct audit_live const none = {.row = x->n_rows};
    struct audit_estimate const t = audit_estimate_time(x, &none);
    const char *const time = audit_estimate_text(&t, u->a);
    char budget[PROGRESS_TIME_BYTES];
    uint32_t const n_left = count_unfinished(x, 0);
    u->is_estimated = time[0] && t.n_unknown == 0;
    const char *const parts[] = {
        arena_printf(u->a, "%s: %" PRIu32 " of %" PRIu32 " rows to do", x->target, n_left,
                     x->n_rows),
        n_left == 0 ? ""
        : time[0]   ? time
                    : "no estimate of the time yet",
        u->end_ns && n_left
            ? arena_printf(u->a, "ends after %s", progress_time(budget, u->request->budget_ns))
            : ""};
    progress_say_parts(u->request->progress, parts, ARRAY_N(parts));
}

/* All rows; where shares ended some of them, these go on in the time that others did not need. */
static enum res run_rows(struct audit_run *u, struct err *e)
{
    struct audit *const x = u->out;
    u->saved_ns = child_now_ns();
    u->end_ns = u->request->budget_ns ? u->saved_ns + u->request->budget_ns : 0;
    say_plan(u);
    do {
        u->is_cut = false;
        TRY(run_rows_once(u, e));
    } while (u->is_cut && !x->was_stopped && !is_time_over(u) && count_unfinished(x, 0) > 0);
    x->was_spent = !x->was_stopped && is_time_over(u) && count_unfinished(x, 0) > 0;
    return RES_OK;
}

/* What each form is told by: at the end, when all its results are there. */
static void find_cases(struct audit_run *u)
{
    struct audit *const x = u->out;
    for (uint32_t i = 0; i < x->n_rows; i++) {
        audit_case_find(&x->rows[i], u->target->env, x->facts, u->a);
    }
    audit_find_erring(x);
}

/* Start the worker, for what it says of itself. */
static enum res describe(struct audit_run *u, struct err *e)
{
    struct audit *const x = u->out;
    enum res const r = handle_start_and_wait(&u->worker, e);
    x->target = u->target->name;
    x->facts = arena_printf(u->a, "%s", u->worker.facts);
    x->started = name_time(u->a);
    x->mpfr = mp_get_version();
    x->tool_version = audit_name_tool(u->request->shard, u->a);
    x->env = u->target->env;
    return r;
}

/* A search by another list is another one. */
static void sign_lists(const struct worst_list *worst, struct audit *x)
{
    for (uint32_t i = 0; i < worst->n; i++) {
        const struct worst_input *const in = &worst->inputs[i];
        uint64_t const key[] = {(uint64_t)in->func, (uint64_t)in->fmt};
        x->listed = hash_bytes(hash_bytes(x->listed, key, sizeof key), in->arg, sizeof in->arg);
        for (uint32_t at = 0; at < x->n_rows; at++) {
            struct audit_row *const row = &x->rows[at];
            if (row->func == in->func && row->fmt == in->fmt) {
                row->listed = hash_bytes(row->listed, in->arg, sizeof in->arg);
            }
        }
    }
}

/* With the worker's memory, signals and lists there: plan, go on where an earlier start ended, and run. */
static enum res plan_and_run(struct audit_run *u, struct err *e)
{
    struct audit *const x = u->out;
    TRY(describe(u, e));
    TRY(audit_plan(u->request, u->target->env, x->facts, u->a, x, e));
    sign_lists(&u->worst, x);
    TRY(audit_keep_read(x, u->request, u->a, e));
    TRY(run_rows(u, e));
    find_cases(u);
    return RES_OK;
}

static enum res run_with_signals(struct audit_run *u, struct err *e)
{
    sigset_t old;
    struct sigaction const ignore = {.sa_handler = SIG_IGN};
    struct sigaction old_pipe;
    TRY(open_signals(u, &old, e));
    (void)sigaction(SIGPIPE, &ignore, &old_pipe); /* who is gone is seen by its other end */
    enum res r = plan_and_run(u, e);
    handle_free(&u->worker);
    (void)sigaction(SIGPIPE, &old_pipe, NULL);
    (void)close(u->signal_fd);
    (void)sigprocmask(SIG_SETMASK, &old, NULL);
    return r;
}

static uint32_t choose_judges(const struct audit_request *request)
{
    long const n_cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t n = n_cores > 0 ? (uint32_t)n_cores : 1;
    if (request->n_judges) {
        n = request->n_judges;
    }
    return n < AUDIT_MAX_JUDGES ? n : AUDIT_MAX_JUDGES;
}

/* Audit the functions of a driver as the request says, and put what each row (one function on one type)
 * showed into *out. Simulated targets have no worker process (TARGET_WORKER) and are refused. Worker and judges are
 * processes that share one file of memory. */
enum res audit_run(const struct target *t, const struct audit_request *request, struct arena *a,
                   struct audit *out, struct err *e)
{
    struct audit_run u = {.request = request,
                          .target = t,
                          .a = a,
                          .out = out,
                          .signal_fd = -1,
                          .n_judges = choose_judges(request)};
    *out = (struct audit){.rows = NULL};
    if (t->kind != TARGET_WORKER) {
        return err_set(e, RES_USAGE, "%s: an audit needs a driver", t->name);
    }
    if (targets_is_remote(t)) {
        return err_set(e, RES_USAGE,
                       "%s: its launcher starts the worker on another machine, but an audit shares "
                       "memory with its worker; run halfulp audit on that machine",
                       t->name);
    }
    TRY(surroundings_need_files(1 + u.n_judges, e)); /* one worker, and the judges */
    if (request->worst) {
        TRY(worst_load(&u.worst, request->worst, a, e));
    }
    u.memory_fd = audit_open_memory(); /* before the worker, which inherits it */
    if (u.memory_fd < 0) {
        return err_set(e, RES_IO, "shared memory: %s", strerror(errno));
    }
    handle_init_streams(&u.worker, t, u.memory_fd);
    enum res r = run_with_signals(&u, e);
    (void)close(u.memory_fd);
    return r;
}
