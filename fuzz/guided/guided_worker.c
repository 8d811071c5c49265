/* fuzz/guided/guided_worker.c -- the worker of a guided campaign: one, kept over executions. */
#include <assert.h>
#include <string.h>

#include "fuzz/campaign/lane.h"
#include "fuzz/campaign/step.h"
#include "fuzz/guided/guided_parts.h"
#include "fuzz/process/child_time.h"

struct run *guided_worker_take(struct guided *g)
{
    struct slot *s = &g->worker.slot;
    for (int i = 0; i < GUIDED_RUNS; i++) {
        struct run *r = &g->worker.runs[i];
        if (r != s->held && r != s->flight) {
            if (r->arena.used_bytes > LANE_KEEP_BYTES) {
                arena_free(&r->arena);
            }
            arena_reset(&r->arena);
            return r;
        }
    }
    assert(0 && "none is in flight when one is taken");
    return NULL;
}

/* Runs that are certain by now. `current` is looked at by its owner; another one that was judged
 * already may have ended otherwise: the driver died after its reply. */
static enum res take_done(struct guided *g, const struct run *current, struct err *e)
{
    enum res r = RES_OK;
    struct run *done = NULL;
    while (r == RES_OK && (done = slot_take_done(&g->worker.slot)) != NULL) {
        if (done != current && done != &g->worker.canary &&
            done->ob.status != g->worker.judged[done - g->worker.runs]) {
            r = guided_put_late(g, done, e);
        }
    }
    return r;
}

static enum res start(struct guided *g, const struct run *current, struct err *e)
{
    struct guided_worker *w = &g->worker;
    struct slot *s = &w->slot;
    while (s->state == SLOT_DOWN) {
        enum res r = take_done(g, current, e);
        r = r == RES_OK ? slot_start(s, child_now_ns(), e) : r;
        if (r != RES_OK) {
            return r;
        }
        tally_get(g->tally)->n_workers++;
        if (slot_wait(s) == SLOT_EVENT_HELLO) {
            break;
        }
        guided_tell_trouble(g, "its worker does not start", s->message);
        if (++w->n_lost >= LANE_MAX_LOST) {
            return err_set(e, RES_IO, "%s: does not start: %s", g->options->target->name,
                           s->message);
        }
    }
    w->n_lost = 0;
    w->wants_canary = 1;
    if (w->facts[0]) {
        return RES_OK;
    }
    w->facts = arena_printf(&g->arena, "%s", s->facts);
    return w->facts[0] ? journal_put_target(g->journal, g->options->target->name, w->facts,
                                            &g->target_id, e)
                       : err_set(e, RES_LIMIT, "%s: facts of no bytes, or too many",
                                 g->options->target->name);
}

/* Let the process end, so that what it holds is certain. */
static enum res end_softly(struct guided *g, const struct run *current, struct err *e)
{
    struct slot *s = &g->worker.slot;
    if (s->state == SLOT_IDLE) {
        slot_close(s, child_now_ns());
    }
    while (s->state != SLOT_DOWN) {
        (void)slot_wait(s);
    }
    return take_done(g, current, e);
}

/* Until r was answered, or its process died of it. */
static enum res run(struct guided *g, struct run *r, struct err *e)
{
    struct slot *s = &g->worker.slot;
    do {
        enum res res = s->state == SLOT_DOWN ? start(g, r, e) : RES_OK;
        if (g->options->n_edges) {
            memset(g->options->edges, 0, g->options->n_edges);
        }
        res = res == RES_OK ? slot_submit(s, r, child_now_ns(), e) : res;
        if (res == RES_OK) {
            (void)slot_wait(s);
            res = take_done(g, r, e);
        }
        if (res != RES_OK) {
            return res;
        }
    } while (s->flight == r); /* the process died of an earlier one before it took this */
    return RES_OK;
}

/* The known-good case from time to time: is the worker still sane? */
static enum res run_canary(struct guided *g, struct err *e)
{
    struct guided_worker *w = &g->worker;
    struct tape const empty = {.data = (const unsigned char *)"", .n_records = 0, .next = 0};
    struct run *r = &w->canary;
    struct judgement judgement;
    arena_reset(&r->arena);
    w->n_since_canary = 0;
    w->wants_canary = 0;
    step_begin(r);
    enum res res =
        gen_case(PROFILE_ATOMICS, g->options->target->env, &empty, &r->arena, &r->tc, &r->info, e);
    if (res == RES_OK && facts_get_fit(w->facts, &r->tc.needs) != FIT_LISTED) {
        w->has_no_canary = 1;
        return RES_OK;
    }
    r->is_canary = 1;
    res = res == RES_OK ? run(g, r, e) : res;
    if (res != RES_OK) {
        return res;
    }
    step_judge(r, NULL, &judgement);
    if (judgement.kind == VERDICT_OK) {
        w->had_good_canary = 1;
        w->n_bad_row = 0;
        return RES_OK;
    }
    w->has_no_canary = !w->had_good_canary;
    if (w->has_no_canary) {
        return RES_OK; /* it is not good on this driver */
    }
    guided_tell_trouble(g, "worker replaced, its known-good case gave",
                        verdict_rows[judgement.kind].name);
    if (++w->n_bad_row >= LANE_MAX_LOST) {
        return err_set(e, RES_IO, "%s: the known-good case gave %s again and again",
                       g->options->target->name, verdict_rows[judgement.kind].name);
    }
    return end_softly(g, NULL, e);
}

enum res guided_worker_need(struct guided *g, struct err *e)
{
    return g->worker.facts[0] ? RES_OK : start(g, NULL, e);
}

enum res guided_worker_run(struct guided *g, struct run *r, struct err *e)
{
    struct guided_worker *w = &g->worker;
    struct slot *s = &w->slot;
    enum res res = RES_OK;
    if (s->state == SLOT_IDLE && s->n_since_start >= LANE_RECYCLE_CASES) {
        res = end_softly(g, r, e);
    }
    if (res == RES_OK && w->wants_canary && !w->has_no_canary) {
        res = run_canary(g, e);
    }
    res = res == RES_OK ? run(g, r, e) : res;
    w->judged[r - w->runs] = r->ob.status;
    w->wants_canary |= ++w->n_since_canary >= LANE_CANARY_CASES;
    if (res == RES_OK && step_is_trouble(&r->ob) && s->state == SLOT_IDLE) {
        res = end_softly(g, r, e);
    }
    return res;
}

void guided_worker_end(struct guided *g)
{
    (void)slot_kill(&g->worker.slot);
    while (slot_take_done(&g->worker.slot)) {
    }
}
