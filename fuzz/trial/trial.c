/* fuzz/trial/trial.c -- does a case still show the same bug? Candidates in parallel on kept workers. */
#include "fuzz/trial/trial.h"

#include <poll.h>
#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "fuzz/io/spirv.h"
#include "fuzz/pool/worker_handle.h"
#include "fuzz/process/child.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/surroundings.h"
#include "fuzz/trial/trust.h"
#include "oracle/judge/judgement.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/tables/tables.h"

enum {
    PLACE_RUNS = 3,      /* held, in flight, and a spare one */
    PLACE_RECYCLE = 200, /* runs after which a worker is replaced */
    MAX_LOST = 3,        /* starts in a row without a hello */
    WAIT_MS = 20,
    FLAKY_NEEDED =
        3 /* a case of the same share has it in 6 runs on average, and passes in 19 of 20 */
};
static const double MIN_SHARE = 0.02; /* what is rarer is tried as if it were not */

/* A worker's place. A run of an earlier question may still be in flight: its answer is nobody's. */
struct place {
    struct worker_handle slot;
    struct run runs[PLACE_RUNS];
    int is_used[PLACE_RUNS];
    struct run *current; /* submitted for the question that is open; NULL: none */
    uint32_t candidate;  /* of it */
    uint32_t n_lost;
};

struct trials {
    struct arena own;
    const struct target *target;
    struct arena scratch; /* of judging, and of a simulated run */
    const char *facts;
    uint32_t n_places;
    struct place *places;
    uint64_t deadline_ns; /* 0: none */
};

/* One candidate of the open question. */
struct entry {
    uint32_t n_begun, n_done, n_shown;
    int is_decided, is_shown;
};

struct question {
    struct trials *t;
    const struct trial_wanted *w;
    const struct testcase *const *candidates;
    uint32_t n;
    struct entry *entries;
    int needs_end; /* what is looked for may come after the reply: a run is certain with its process */
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

enum res trials_open(struct trials **out, const struct target *t, uint32_t n_workers, struct err *e)
{
    struct arena own;
    *out = NULL;
    arena_init(&own, (size_t)64 << 20);
    struct trials *x = ARENA_NEW(&own, struct trials, 1);
    uint32_t const n = t->kind == TARGET_SIM           ? 0
                       : n_workers < 1                 ? 1
                       : n_workers > TRIAL_MAX_WORKERS ? TRIAL_MAX_WORKERS
                                                       : n_workers;
    enum res const r = surroundings_need_files(n, e);
    if (r != RES_OK) {
        arena_free(&own);
        return r;
    }
    struct place *places = x ? ARENA_NEW(&own, struct place, n + 1) : NULL;
    if (!places) {
        arena_free(&own);
        return err_set(e, RES_NOMEM, "%s: no memory for trials", t->name);
    }
    *x = (struct trials){.own = own, .target = t, .facts = "", .n_places = n, .places = places};
    arena_init(&x->scratch, TRIAL_ARENA_BYTES);
    for (uint32_t i = 0; i < n; i++) {
        handle_init(&places[i].slot, t);
        for (int k = 0; k < PLACE_RUNS; k++) {
            arena_init(&places[i].runs[k].arena, TRIAL_ARENA_BYTES);
        }
    }
    *out = x;
    return RES_OK;
}

static void drop_done(struct place *p)
{
    struct run *r = NULL;
    while ((r = handle_take_done(&p->slot)) != NULL) {
        p->is_used[r - p->runs] = 0;
    }
}

void trials_close(struct trials *t)
{
    if (!t) {
        return;
    }
    for (uint32_t i = 0; i < t->n_places; i++) {
        (void)handle_kill(&t->places[i].slot);
        drop_done(&t->places[i]);
        handle_free(&t->places[i].slot);
        for (int k = 0; k < PLACE_RUNS; k++) {
            arena_free(&t->places[i].runs[k].arena);
        }
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
    for (uint32_t b = 0; b < ob->n_bufs; b++) {
        q->ob->out[b] = arena_copy(q->out, ob->out[b], tc->bufs[b].n_bytes);
    }
}

/* One run of a candidate came to an end. */
static void take_result(struct question *q, uint32_t candidate, const struct testcase *tc,
                        const struct observation *ob, struct arena *a)
{
    struct entry *x = &q->entries[candidate];
    struct err e = {RES_OK, ""};
    struct judgement *g = ARENA_NEW(a, struct judgement, 1);
    const struct finding *f = NULL;
    if (g && judge_run(tc, ob, a, g, &e) == RES_OK) {
        f = trial_find_wanted(q->w, ob, g, a);
    }
    x->n_done++;
    if (f) {
        x->n_shown++;
        if (x->n_shown >= q->w->n_needed && candidate <= q->kept) {
            q->kept = candidate; /* one behind it may come to its end later */
            (void)!(q->finding && finding_copy(f, q->out, q->finding));
            keep_observation(q, tc, ob);
        }
    }
    uint32_t const n_left = q->w->n_runs > x->n_done ? q->w->n_runs - x->n_done : 0;
    x->is_shown = x->n_shown >= q->w->n_needed;
    x->is_decided = x->is_shown || x->n_shown + n_left < q->w->n_needed;
}

static int is_valid(const struct question *q, const struct testcase *tc, struct arena *a)
{
    const char *message = "";
    struct err ignored;
    if (q->w->is_foreign) {
        return trust_vouch(tc, a, &ignored) == RES_OK;
    }
    return tc->class == CLASS_ILLEGAL || spirv_validate(tc, a, &message) != SPIRV_INVALID;
}

/* RES_LIMIT when it is time to end. */
static enum res check_time(const struct trials *t, struct err *e)
{
    return child_is_asked_to_stop() ? err_set(e, RES_LIMIT, "%s: stopped", t->target->name)
           : t->deadline_ns && child_now_ns() > t->deadline_ns
               ? err_set(e, RES_LIMIT, "%s: no time left", t->target->name)
               : RES_OK;
}

/* A simulated target: candidate after candidate. */
static enum res run_sim(struct question *q, struct err *e)
{
    struct trials *t = q->t;
    for (uint32_t i = 0; i < q->n; i++) {
        const struct testcase *tc = q->candidates[i];
        struct entry *x = &q->entries[i];
        arena_reset(&t->scratch);
        x->is_decided = !is_valid(q, tc, &t->scratch);
        for (uint64_t seed = 1; !x->is_decided; seed++) {
            struct observation ob;
            enum fault_outcome outcome;
            uint32_t site;
            struct err why;
            enum res const r = check_time(t, e);
            if (r != RES_OK) {
                return r;
            }
            arena_reset(&t->scratch);
            const char *facts = q->w->facts ? q->w->facts : sim_facts_for(tc, seed, &t->scratch);
            if (sim_run(tc, t->target->chooser, seed, &t->target->fault, facts, &t->scratch, &ob,
                        &outcome, &site, &why) != RES_OK) {
                x->is_decided = 1; /* beyond the interpreter */
                break;
            }
            ob.facts = facts;
            take_result(q, i, tc, &ob, &t->scratch);
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

static int is_answered(const struct question *q)
{
    for (uint32_t i = 0; i < q->n; i++) {
        if (!q->entries[i].is_decided) {
            return 0;
        }
        if (q->entries[i].is_shown) {
            return 1;
        }
    }
    return 1;
}

static struct run *take_spare(struct place *p)
{
    for (int k = 0; k < PLACE_RUNS; k++) {
        if (!p->is_used[k]) {
            p->is_used[k] = 1;
            arena_reset(&p->runs[k].arena);
            return &p->runs[k];
        }
    }
    return NULL;
}

/* Give an idle place something to do. */
static enum res begin(struct question *q, struct place *p, uint64_t now_ns, struct err *e)
{
    if (p->slot.n_since_start >= PLACE_RECYCLE) {
        handle_close(&p->slot, now_ns);
        return RES_OK;
    }
    uint32_t const i = pick(q);
    struct run *r = i < q->n ? take_spare(p) : NULL;
    if (!r) {
        return RES_OK;
    }
    size_t n = 0;
    struct err why;
    const unsigned char *bytes = testcase_encode(q->candidates[i], &r->arena, &n);
    struct entry *x = &q->entries[i];
    int const is_fit = bytes && testcase_decode(&r->tc, &r->arena, bytes, n, &why) == RES_OK &&
                       facts_get_fit(p->slot.facts, &r->tc.needs) != FIT_NOT &&
                       (x->n_begun > 0 || is_valid(q, &r->tc, &r->arena)) &&
                       handle_submit(&p->slot, r, now_ns, e) == RES_OK;
    if (!is_fit) {
        p->is_used[r - p->runs] = 0;
        x->is_decided = 1;
        return RES_OK;
    }
    x->n_begun++;
    p->current = r;
    p->candidate = i;
    return RES_OK;
}

/* What came of the run that the place was busy with. */
static void end_current(struct question *q, struct place *p)
{
    struct run *r = p->current;
    p->current = NULL;
    if (r) {
        take_result(q, p->candidate, &r->tc, &r->ob, &r->arena);
    }
}

static enum res step(struct question *q, struct place *p, uint64_t now_ns, struct err *e)
{
    struct worker_handle *s = &p->slot;
    if (s->state == HANDLE_DOWN) {
        return handle_start(s, now_ns, e);
    }
    enum handle_event const event = handle_poll(s, now_ns);
    if (event == HANDLE_EVENT_LOST) {
        return ++p->n_lost < MAX_LOST
                   ? RES_OK
                   : err_set(e, RES_IO, "%s: does not start: %s", q->t->target->name, s->message);
    }
    if (event == HANDLE_EVENT_HELLO) {
        p->n_lost = 0;
        q->t->facts = q->t->facts[0] ? q->t->facts : arena_printf(&q->t->own, "%s", s->facts);
        if (s->flight) { /* it was not taken by the process before */
            return handle_submit(s, s->flight, now_ns, e);
        }
    }
    if (event == HANDLE_EVENT_REPLY && s->state == HANDLE_IDLE && q->needs_end && p->current) {
        handle_close(s, now_ns);
    } else if ((event == HANDLE_EVENT_REPLY && !s->flight) || event == HANDLE_EVENT_ENDED) {
        end_current(q, p);
    }
    drop_done(p);
    return s->state == HANDLE_IDLE ? begin(q, p, now_ns, e) : RES_OK;
}

static void wait_a_moment(const struct trials *t)
{
    struct pollfd fds[TRIAL_MAX_WORKERS * 2];
    nfds_t n = 0;
    for (uint32_t i = 0; i < t->n_places; i++) {
        const struct child *c = &t->places[i].slot.child;
        if (t->places[i].slot.state != HANDLE_DOWN) {
            fds[n++] = (struct pollfd){.fd = c->from, .events = POLLIN};
            fds[n++] = (struct pollfd){.fd = child_has_output(c) ? c->to : c->error,
                                       .events = child_has_output(c) ? POLLOUT : POLLIN};
        }
    }
    (void)poll(fds, n, WAIT_MS);
}

/* A run of the question before is nobody's: its process is the quicker gone the better. */
static void forget_flights(struct trials *t)
{
    for (uint32_t i = 0; i < t->n_places; i++) {
        struct place *p = &t->places[i];
        p->current = NULL;
        if (p->slot.flight) {
            struct run *r = handle_kill(&p->slot);
            p->is_used[r - p->runs] = 0;
        }
        drop_done(p);
    }
}

static enum res run_workers(struct question *q, struct err *e)
{
    struct trials *t = q->t;
    enum res r = RES_OK;
    while (r == RES_OK && !is_answered(q)) {
        r = check_time(t, e);
        for (uint32_t i = 0; i < t->n_places && r == RES_OK; i++) {
            r = step(q, &t->places[i], child_now_ns(), e);
        }
        if (r == RES_OK && !is_answered(q)) {
            wait_a_moment(t);
        }
    }
    forget_flights(t);
    return r;
}

/* Findings that the end of the process tells. */
static int is_of_the_process(const char *core)
{
    static const enum verdict_kind kinds[] = {VERDICT_CRASH, VERDICT_HANG, VERDICT_EXIT,
                                              VERDICT_DEVICE_LOST};
    for (size_t i = 0; core && i < ARRAY_N(kinds); i++) {
        const char *name = verdict_rows[kinds[i]].name;
        size_t const n = strlen(name);
        if (strncmp(core, name, n) == 0 && core[n] == ' ') {
            return 1;
        }
    }
    return !core;
}

enum res trials_find_first(struct trials *t, const struct trial_wanted *w,
                           const struct testcase *const *candidates, uint32_t n, struct arena *a,
                           uint32_t *out_first, struct observation *ob, struct finding *finding,
                           struct err *e)
{
    struct question q = {.t = t,
                         .w = w,
                         .candidates = candidates,
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
