/* fuzz/trial/trial.c -- does a case still show the same bug? Candidates in parallel on kept workers. */
#include "fuzz/trial/trial.h"

#include <string.h>

#include "base/caps.h"
#include "base/local_size.h"
#include "base/testcase.h"
#include "fuzz/io/spirv.h"
#include "fuzz/pool/front_end.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/surroundings.h"
#include "fuzz/trial/trust.h"
#include "gen/print/print.h"
#include "oracle/judgement/judgement.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/sim/sim_undefined.h"
#include "oracle/tables/tables.h"

enum {
    TRIAL_RECYCLE = 200, /* runs after which a worker is replaced */
    WAIT_MS = 20,
    FLAKY_NEEDED =
        3 /* a case of the same share has it in 6 runs on average, and passes in 19 of 20 */
};
static const double MIN_SHARE = 0.02; /* what is rarer is tried as if it were not */

/* A run of an earlier question may still be in flight: its answer is nobody's. */
struct trial_worker {
    struct worker_handle handle;
    struct run *current; /* submitted for the question that is open; NULL: none */
    uint32_t candidate;  /* of it */
};

struct trials {
    struct arena own;
    const struct target *target;
    struct arena scratch; /* of judging, and of a simulated run */
    const char *facts;
    uint32_t n_workers;
    struct trial_worker *workers;
    struct handle_set waiting;
    uint64_t deadline_ns; /* 0: none */
};

/* One candidate of the open question. */
struct entry {
    uint32_t n_begun, n_done, n_shown;
    bool is_decided, is_shown;
};

struct question {
    struct trials *t;
    const struct trial_wanted *w;
    const struct testcase *const *candidates;
    uint32_t n;
    struct entry *entries;
    bool
        needs_end; /* what is looked for may come after the reply: a run is certain with its process */
    struct arena *out;
    uint32_t
        kept; /* the lowest candidate that showed it so far, whose run is in ob and finding; n */
    struct observation *ob;
    struct finding *finding;
};

void trial_set_share(struct trial_wanted *w, double share)
{
    if (share >= 1.0) {
        w->n_runs = w->n_needed = 1;
        return;
    }
    w->n_needed = FLAKY_NEEDED;
    w->n_runs = (uint32_t)(2.0 * FLAKY_NEEDED / (share > MIN_SHARE ? share : MIN_SHARE)) + 1;
}

static uint32_t limit_workers(const struct target *t, uint32_t n)
{
    if (t->kind == TARGET_SIM) {
        return 0;
    }
    return n < 1 ? 1 : n > TRIAL_MAX_WORKERS ? TRIAL_MAX_WORKERS : n;
}

/* Prepare up to n_workers workers of a target for trials. A trial answers whether a case still
 * shows a bug. Each worker starts when it is first needed. RES_NOMEM leaves *out NULL. */
enum res trials_open(struct trials **out, const struct target *t, uint32_t n_workers, struct err *e)
{
    struct arena own;
    uint32_t const n = limit_workers(t, n_workers);
    *out = NULL;
    TRY(surroundings_need_files(n, e));
    arena_init(&own, (size_t)64 << 20);
    struct trials *x = ARENA_NEW(&own, struct trials, 1);
    struct trial_worker *workers = x ? ARENA_NEW(&own, struct trial_worker, n + 1) : NULL;
    /* 0: besides the workers no descriptor is waited for */
    if (!workers || handle_set_init(&x->waiting, n, 0, &own, e) != RES_OK) {
        arena_free(&own);
        return err_set(e, RES_NOMEM, "%s: no memory for trials", t->name);
    }
    x->target = t;
    x->facts = "";
    x->n_workers = n;
    x->workers = workers;
    x->own = own;
    arena_init(&x->scratch, HANDLE_RUN_BYTES);
    for (uint32_t i = 0; i < n; i++) {
        handle_init(&workers[i].handle, t);
        handle_set_add(&x->waiting, &workers[i].handle);
    }
    *out = x;
    return RES_OK;
}

void trials_close(struct trials *t)
{
    if (!t) {
        return;
    }
    for (uint32_t i = 0; i < t->n_workers; i++) {
        handle_free(&t->workers[i].handle);
    }
    arena_free(&t->scratch);
    struct arena own = t->own;
    arena_free(&own);
}

void trials_set_deadline(struct trials *t, uint64_t deadline_ns)
{
    t->deadline_ns = deadline_ns;
}

const char *trials_get_facts(const struct trials *t)
{
    return t->facts;
}

const struct finding *trial_find_wanted(const struct trial_wanted *w, const struct observation *ob,
                                        const struct judgement *g, struct arena *a)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *f = &g->findings[i];
        if (w->core ? finding_has_core(f, ob, w->core, a)
                    : verdict_rows[f->kind].part == PART_VIOLATION) {
            return f;
        }
    }
    return NULL;
}

/* Copies for the caller of what showed it. Strings go into his arena. */
static const char *keep_text(const char *text, struct arena *a)
{
    return text ? arena_printf(a, "%s", text) : NULL;
}

static void keep_observation(const struct question *q, const struct testcase *tc,
                             const struct observation *ob)
{
    if (!q->ob) {
        return;
    }
    *q->ob = *ob;
    q->ob->log = keep_text(ob->log, q->out);
    q->ob->signature = keep_text(ob->signature, q->out);
    q->ob->facts = keep_text(ob->facts, q->out);
    for (uint32_t i = 0; i < ob->n_programs; i++) {
        q->ob->programs[i] = (struct program_text){keep_text(ob->programs[i].name, q->out),
                                                   keep_text(ob->programs[i].text, q->out)};
    }
    for (uint32_t i = 0; i < ob->n_statistics; i++) {
        q->ob->statistics[i].name = keep_text(ob->statistics[i].name, q->out);
    }
    for (uint32_t b = 0; b < ob->n_bufs; b++) {
        q->ob->out[b] = arena_copy(q->out, ob->out[b], tc->bufs[b].n_bytes);
    }
}

/* Did the run end badly, as that of a program without defined behaviour may? Of one that ended well the judgement has said so. */
static bool is_end_of_undefined(const struct testcase *tc, const struct observation *ob,
                                struct arena *a)
{
    return ob->status != RUN_DONE && tc->class != CLASS_ILLEGAL &&
           sim_find_undefined(tc, 1, a) != UNDEFINED_NONE;
}

/* Judge a run of a candidate that came to its end, keep it if it shows what is wanted, and decide the candidate as
 * soon as the runs that are left cannot change the answer. */
static void take_result(struct question *q, uint32_t candidate, const struct testcase *tc,
                        const struct observation *ob, struct arena *a)
{
    struct entry *x = &q->entries[candidate];
    struct err ignored;
    struct judgement *g = ARENA_NEW(a, struct judgement, 1);
    bool const is_judged = g && judge_run(tc, ob, a, g, &ignored) == RES_OK;
    const struct finding *f = is_judged ? trial_find_wanted(q->w, ob, g, a) : NULL;
    if (f && q->w->must_be_defined && is_end_of_undefined(tc, ob, a)) {
        f = NULL;
    }
    x->n_done++;
    x->n_shown += f != NULL;
    x->is_shown = x->n_shown >= q->w->n_needed;
    if (f && x->is_shown && candidate <= q->kept) {
        q->kept = candidate; /* a lower one may come to its end later, and then takes its place */
        (void)!(q->finding && finding_copy(f, q->out, q->finding));
        keep_observation(q, tc, ob);
    }
    uint32_t const n_left = q->w->n_runs > x->n_done ? q->w->n_runs - x->n_done : 0;
    x->is_decided = x->is_shown || x->n_shown + n_left < q->w->n_needed;
}

static bool is_valid(const struct question *q, const struct testcase *tc, struct arena *a)
{
    const char *message = "";
    struct err ignored;
    if (q->w->is_foreign) {
        return trust_vouch(tc, a, &ignored) == RES_OK;
    }
    if (!local_size_is_right(tc)) {
        return false;
    }
    return tc->class == CLASS_ILLEGAL || spirv_validate(tc, a, &message) != SPIRV_INVALID;
}

/* RES_LIMIT when it is time to end. */
static enum res check_time(const struct trials *t, struct err *e)
{
    if (child_is_asked_to_stop()) {
        return err_set(e, RES_LIMIT, "%s: stopped", t->target->name);
    }
    if (t->deadline_ns && child_now_ns() > t->deadline_ns) {
        return err_set(e, RES_LIMIT, "%s: no time left", t->target->name);
    }
    return RES_OK;
}

/* One simulated run of a candidate. A case beyond the interpreter is decided: it shows nothing. */
static void run_sim_once(struct question *q, uint32_t candidate, uint64_t seed)
{
    struct trials *t = q->t;
    struct testcase printed = *q->candidates[candidate];
    const struct testcase *const tc = &printed;
    struct observation ob;
    struct err why;
    arena_reset(&t->scratch);
    if (print_set_language(&printed, t->target->language, &t->scratch, &why) != RES_OK) {
        q->entries[candidate].is_decided = true; /* as in make_run */
        return;
    }
    const char *facts = q->w->facts ? q->w->facts : sim_facts_for(tc, seed, &t->scratch);
    if (front_end_run_sim(t->target, tc, seed, facts, &t->scratch, &ob, &why) != RES_OK) {
        q->entries[candidate].is_decided = true;
        return;
    }
    ob.facts = facts;
    take_result(q, candidate, tc, &ob, &t->scratch);
}

/* A simulated target: candidate after candidate, each until it is decided. */
static enum res run_sim(struct question *q, struct err *e)
{
    struct trials *t = q->t;
    for (uint32_t i = 0; i < q->n; i++) {
        struct entry *x = &q->entries[i];
        arena_reset(&t->scratch);
        x->is_decided = !is_valid(q, q->candidates[i], &t->scratch);
        for (uint64_t seed = 1; !x->is_decided; seed++) {
            TRY(check_time(t, e));
            run_sim_once(q, i, seed);
        }
        if (x->is_shown) {
            return RES_OK;
        }
    }
    return RES_OK;
}

/* The lowest candidate that wants another run; n: none. Those behind one that is shown do not. */
static uint32_t pick(const struct question *q)
{
    for (uint32_t i = 0; i < q->n; i++) {
        const struct entry *x = &q->entries[i];
        if (x->is_shown) {
            return q->n;
        }
        /* as many as could decide it at once, so that a sure one is not run in vain */
        uint32_t const n_open = x->n_begun - x->n_done;
        uint32_t const n_wanted = q->w->n_needed > x->n_shown ? q->w->n_needed - x->n_shown : 1;
        if (!x->is_decided && x->n_begun < q->w->n_runs && n_open < n_wanted) {
            return i;
        }
    }
    return q->n;
}

static bool is_answered(const struct question *q)
{
    for (uint32_t i = 0; i < q->n; i++) {
        if (!q->entries[i].is_decided) {
            return false;
        }
        if (q->entries[i].is_shown) {
            return true;
        }
    }
    return true;
}

/* The candidate's case into the run. false: it cannot be run on this worker, or may not. */
static bool make_run(const struct question *q, uint32_t candidate, const struct worker_handle *s,
                     struct run *r)
{
    size_t n = 0;
    struct err why;
    struct testcase tc = *q->candidates[candidate];
    if (print_set_language(&tc, q->t->target->language, &r->arena, &why) != RES_OK) {
        return false; /* the target's language has no words for it */
    }
    const unsigned char *bytes = testcase_encode(&tc, &r->arena, &n);
    if (!bytes || testcase_decode(&r->tc, &r->arena, bytes, n, &why) != RES_OK ||
        facts_get_fit(s->facts, &r->tc.needs) == FIT_NOT) {
        return false;
    }
    bool const was_valid = q->entries[candidate].n_begun > 0;
    return was_valid || is_valid(q, &r->tc, &r->arena);
}

/* Give an idle worker the next run of the question. One that has had TRIAL_RECYCLE runs ends first, to be
 * started afresh. A candidate that cannot be run is decided at once: it shows nothing. */
static void begin(struct question *q, struct trial_worker *w)
{
    struct worker_handle *s = &w->handle;
    if (s->n_since_start >= TRIAL_RECYCLE) {
        handle_close(s);
        return;
    }
    uint32_t const i = pick(q);
    struct run *r = i < q->n ? handle_take_run(s) : NULL;
    if (!r) {
        return;
    }
    struct err why;
    if (!make_run(q, i, s, r) || handle_submit(s, r, &why) != RES_OK) {
        handle_put_back(s, r);
        q->entries[i].is_decided = true;
        return;
    }
    q->entries[i].n_begun++;
    w->current = r;
    w->candidate = i;
}

/* What came of the run that the worker was busy with. */
static void end_current(struct question *q, struct trial_worker *w)
{
    struct run *r = w->current;
    w->current = NULL;
    if (r) {
        take_result(q, w->candidate, &r->tc, &r->ob, &r->arena);
    }
}

/* The worker said hello: keep the facts of the first. A run that the process before did not take is sent again. */
static enum res take_hello(struct question *q, struct worker_handle *s, struct err *e)
{
    if (!q->t->facts[0]) {
        q->t->facts = arena_printf(&q->t->own, "%s", s->facts);
    }
    return s->flight ? handle_submit(s, s->flight, e) : RES_OK;
}

/* Advance one worker, without waiting: start it, take what it sends, and give it a run. RES_IO:
 * it does not start, or does not start any more. q->needs_end: the bug shows in how the process
 * ends, so a result is complete only after the end. */
static enum res advance_worker(struct question *q, struct trial_worker *w, struct err *e)
{
    struct worker_handle *s = &w->handle;
    if (s->state == HANDLE_DOWN) {
        return handle_start(s, e);
    }
    enum handle_event const event = handle_poll(s);
    if (event == HANDLE_EVENT_LOST) {
        return s->n_lost < HANDLE_MAX_LOST
                   ? RES_OK
                   : err_set(e, RES_IO, "%s: does not start: %s", q->t->target->name, s->message);
    }
    if (event == HANDLE_EVENT_HELLO) {
        TRY(take_hello(q, s, e));
    }
    /* a reply with a run in flight: the process died of an earlier run before it took that one */
    bool const is_reply = event == HANDLE_EVENT_REPLY;
    if (is_reply && s->state == HANDLE_IDLE && q->needs_end && w->current) {
        handle_close(s); /* the result is taken when the process has ended */
    } else if ((is_reply && !s->flight) || event == HANDLE_EVENT_ENDED) {
        end_current(q, w);
    }
    handle_drop_done(s);
    if (s->state == HANDLE_IDLE) {
        begin(q, w);
    }
    return RES_OK;
}

/* A run of the question before is nobody's: its process is the quicker gone the better. */
static void forget_flights(struct trials *t)
{
    for (uint32_t i = 0; i < t->n_workers; i++) {
        struct trial_worker *w = &t->workers[i];
        w->current = NULL;
        if (w->handle.flight) {
            handle_put_back(&w->handle, handle_kill(&w->handle));
        }
        handle_drop_done(&w->handle);
    }
}

static enum res run_until_answered(struct question *q, struct err *e)
{
    struct trials *t = q->t;
    while (!is_answered(q)) {
        enum res r = check_time(t, e);
        for (uint32_t i = 0; i < t->n_workers && r == RES_OK; i++) {
            r = advance_worker(q, &t->workers[i], e);
        }
        if (r == RES_OK && !is_answered(q)) {
            r = handle_set_wait(&t->waiting, WAIT_MS, e);
        }
        if (r != RES_OK) {
            return r;
        }
    }
    return RES_OK;
}

static enum res run_workers(struct question *q, struct err *e)
{
    enum res const r = run_until_answered(q, e);
    forget_flights(q->t);
    return r;
}

/* Findings that the end of the process tells. */
static bool is_of_the_process(const char *core)
{
    static const enum verdict_kind kinds[] = {VERDICT_CRASH, VERDICT_HANG, VERDICT_EXIT,
                                              VERDICT_DEVICE_LOST};
    for (size_t i = 0; core && i < ARRAY_N(kinds); i++) {
        const char *name = verdict_rows[kinds[i]].name;
        size_t const n = strlen(name);
        if (strncmp(core, name, n) == 0 && core[n] == ' ') {
            return true;
        }
    }
    return !core;
}

/* Find the first of n candidates that shows what is wanted, *out_first; n: none does. *ob and
 * *finding are what was seen of it. Workers run several candidates at once, but a later one is
 * never taken while an earlier one is undecided. */
enum res trials_find_first(struct trials *t, const struct trial_wanted *w,
                           const struct trial_candidates *candidates, struct arena *a,
                           uint32_t *out_first, struct observation *ob, struct finding *finding,
                           struct err *e)
{
    uint32_t const n = candidates->n;
    struct question q = {.t = t,
                         .w = w,
                         .candidates = candidates->tc,
                         .n = n,
                         .entries = ARENA_NEW(a, struct entry, n + 1),
                         .needs_end = is_of_the_process(w->core),
                         .out = a,
                         .kept = n,
                         .ob = ob,
                         .finding = finding};
    enum res r = RES_OK;
    *out_first = n;
    if (!q.entries) {
        return err_set(e, RES_NOMEM, "no memory for %u candidates", (unsigned)n);
    }
    r = t->target->kind == TARGET_SIM ? run_sim(&q, e) : run_workers(&q, e);
    *out_first = r == RES_OK ? q.kept : n;
    return r;
}
