/* fuzz/campaign/target_runner.c -- one target's way through the campaign: its cases in order, its workers. */
#include "fuzz/campaign/target_runner.h"
#include "base/caps.h"
#include "fuzz/campaign/feature_case.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/unlisted.h"
#include "gen/plan/gen.h"
#include "gen/tape/profile.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/judgement.h"
#include "oracle/tables/tables.h"

#include <string.h>

#include "fuzz/campaign/events.h"
#include "fuzz/campaign/step.h"

#define LANE_FACTS_BYTES ((size_t)1 << 20)
/* Cases looked at in one step that the target cannot run, so that other targets get their turn. */
enum {
    LANE_SKIPS_PER_STEP = 64
};

enum res runner_open(struct target_runner *l, const struct target *t, const struct sched_options *o,
                     struct corpus *c, struct journal *j, struct arena *a, struct err *e)
{
    memset(l, 0, sizeof(*l));
    l->target = t;
    l->options = o;
    l->journal = j;
    l->corpus = c;
    arena_init(&l->arena, LANE_FACTS_BYTES);
    l->facts = step_first_facts(t, &l->arena);
    enum res r = journal_put_target(j, t->name, l->facts, &l->id, e);
    if (r != RES_OK) {
        return r;
    }
    r = journal_next_case(j, l->id, &l->next_index, e);
    if (r != RES_OK) {
        return r;
    }
    r = journal_count_runs(j, l->id, &l->n_runs, e);
    if (r != RES_OK) {
        return r;
    }
    l->n_begun = l->n_runs;
    l->n_workers = t->kind == TARGET_SIM ? 1 : o->n_workers;
    l->workers = ARENA_NEW(a, struct runner_worker, l->n_workers);
    if (!l->workers) {
        l->n_workers = 0;
        return err_set(e, RES_NOMEM, "%s: no memory for its workers", t->name);
    }
    for (uint32_t i = 0; i < l->n_workers; i++) {
        struct runner_worker *p = &l->workers[i];
        handle_init(&p->slot, t);
        arena_init(&p->canary.arena, RUNNER_ARENA_BYTES);
        for (int k = 0; k < RUNNER_RUNS; k++) {
            arena_init(&p->runs[k].arena, RUNNER_ARENA_BYTES);
        }
    }
    return RES_OK;
}

void runner_close(struct target_runner *l)
{
    for (uint32_t i = 0; i < l->n_workers; i++) {
        struct runner_worker *p = &l->workers[i];
        (void)handle_kill(&p->slot);
        handle_free(&p->slot);
        arena_free(&p->canary.arena);
        for (int k = 0; k < RUNNER_RUNS; k++) {
            arena_free(&p->runs[k].arena);
        }
    }
    arena_free(&l->arena);
}

static int wants_more(const struct target_runner *l)
{
    return !l->is_exhausted && !l->is_dead &&
           (l->options->max_cases == 0 || l->n_begun < l->options->max_cases);
}

static enum env env_of(const struct target *t, uint64_t index)
{
    return t->alternates && index % 2 ? ENV_VK : t->env;
}

static enum res generate(struct target_runner *l, struct run *r, uint64_t index, struct err *e)
{
    struct tape tape = {.data = NULL};
    enum profile profile = l->options->profile;
    arena_reset(&r->arena);
    r->index = index;
    step_begin(r);
    enum res const res = corpus_get_tape(l->corpus, index, &r->arena, &tape, &profile, e);
    r->tape = tape.data;
    r->n_tape = tape.n_records * TAPE_RECORD_BYTES;
    if (res != RES_OK) {
        return res;
    }
    return gen_case(profile, env_of(l->target, index), &tape, &r->arena, &r->tc, &r->info, e);
}

/* Nothing is run of a case that this index does not give. */
static enum res count_skipped(struct target_runner *l, uint64_t index, const struct judgement *g,
                              struct err *e)
{
    l->n_skipped++;
    l->n_skipped_row++;
    l->is_exhausted = l->n_skipped_row >= RUNNER_MAX_SKIPPED;
    if (l->is_exhausted) {
        events_put_target(l, "meets the needs of no case", "");
    }
    return journal_skip_case(l->journal, l->id, index, g, e);
}

/* Not to be run here: what it would have covered counts as not supported. */
static enum res skip(struct target_runner *l, struct run *r, struct err *e)
{
    struct judgement g;
    memset(&g, 0, sizeof(g));
    r->ob.status = RUN_SKIPPED;
    r->ob.facts = l->facts;
    enum res const res = judge_run(&r->tc, &r->ob, &r->arena, &g, e);
    return count_skipped(l, r->index, res == RES_OK ? &g : NULL, e);
}

/* The next case that the target can run, in r. *is_there 0: not in this step. */
static enum res prepare(struct target_runner *l, struct run *r, int *is_there, struct err *e)
{
    *is_there = 0;
    for (int i = 0; i < LANE_SKIPS_PER_STEP && wants_more(l); i++) {
        uint64_t const index = l->next_index++;
        if (journal_is_done(l->journal, l->id, index)) {
            continue;
        }
        enum res res = generate(l, r, index, e);
        if (res == RES_NOMEM) {
            /* a tape that was made of others can ask for more than a case may have */
            arena_free(&r->arena);
            res = count_skipped(l, index, NULL, e);
        } else if (res == RES_OK &&
                   step_is_wanted(l->target, l->facts, l->options->unadvertised, r)) {
            l->n_skipped_row = 0;
            l->n_begun++;
            *is_there = 1;
            return RES_OK;
        } else if (res == RES_OK) {
            res = skip(l, r, e);
        }
        if (res != RES_OK) {
            return res;
        }
    }
    return RES_OK;
}

/* What the run showed, and the case held, decides whether its tape is kept. A driver that died showed
 * nothing: more cases like that one would only find it dead again. */
static enum res keep_tape(struct target_runner *l, const struct run *r, unsigned char *map,
                          struct err *e)
{
    int const profile = profile_find(r->tc.profile);
    if (r->ob.status != RUN_DONE || profile < 0) {
        return RES_OK;
    }
    struct tape const tape = {.data = r->tape, .n_records = r->n_tape / TAPE_RECORD_BYTES};
    feature_case_put(&r->info, map + FEATURE_CELLS);
    return corpus_take_run(l->corpus, r->index, (enum profile)profile, &tape, e);
}

static enum res finish(struct target_runner *l, struct run *r, struct err *e)
{
    struct judgement g;
    unsigned char *map = corpus_get_map(l->corpus);
    step_judge(r, map, &g);
    enum res res = keep_tape(l, r, map, e);
    if (res != RES_OK) {
        return res;
    }
    res = step_end_run(l->journal, r, &g, e);
    if (res != RES_OK) {
        return res;
    }
    int const outcome = r->tc.class == CLASS_UNADVERTISED ? unlisted_of(&r->ob, &g) : -1;
    if (outcome >= 0 && l->target->kind == TARGET_WORKER) {
        l->n_unlisted[outcome]++;
    }
    l->n_runs++;
    l->n_session++;
    l->n_judged += g.n_judged;
    for (uint32_t i = 0; i < g.n_findings; i++) {
        l->n_violations += verdict_rows[g.findings[i].kind].part == PART_VIOLATION;
        events_put_finding(l, r, &g.findings[i],
                           judge_signature(&g.findings[i], &r->ob, &r->arena));
    }
    if (r->ob.status == RUN_HARNESS) {
        events_put_target(l, "harness", r->ob.log);
    }
    return RES_OK;
}

/* A place waits with the memory of a usual case, not of the largest one. */
static void shrink(struct run *r)
{
    if (r->arena.used_bytes > RUNNER_KEEP_BYTES) {
        arena_free(&r->arena);
    }
}

static void finish_canary(struct target_runner *l, struct runner_worker *p, struct run *r,
                          uint64_t now_ns)
{
    struct judgement g;
    step_judge(r, NULL, &g);
    p->is_canary_used = 0;
    if (g.kind == VERDICT_OK || g.kind == VERDICT_BUILT) {
        l->had_good_canary = 1;
        l->n_bad_row = 0;
        return;
    }
    l->n_bad_canaries++;
    l->n_bad_row++;
    if (!l->had_good_canary) {
        l->has_no_canary = 1;
        events_put_target(l, "the known-good case is not good here", verdict_rows[g.kind].name);
        return;
    }
    l->is_dead = l->n_bad_row >= RUNNER_MAX_LOST;
    events_put_target(l,
                      l->is_dead ? "given up, the known-good case gave again and again"
                                 : "worker replaced, its known-good case gave",
                      verdict_rows[g.kind].name);
    if (p->slot.state == HANDLE_IDLE) {
        handle_close(&p->slot, now_ns);
    }
}

static enum res take_done(struct target_runner *l, struct runner_worker *p, uint64_t now_ns,
                          struct err *e)
{
    enum res res = RES_OK;
    struct run *r = NULL;
    while (res == RES_OK && (r = handle_take_done(&p->slot)) != NULL) {
        if (r == &p->canary) {
            finish_canary(l, p, r, now_ns);
            continue;
        }
        res = finish(l, r, e);
        shrink(r);
        p->is_used[r - p->runs] = 0;
    }
    return res;
}

static enum res submit_canary(struct target_runner *l, struct runner_worker *p, uint64_t now_ns,
                              int *is_sent, struct err *e)
{
    struct run *r = &p->canary;
    struct tape const empty = {.data = (const unsigned char *)"", .n_records = 0, .next = 0};
    arena_reset(&r->arena);
    r->is_canary = 1;
    enum res res =
        gen_case(l->options->profile, l->target->env, &empty, &r->arena, &r->tc, NULL, e);
    p->wants_canary = 0;
    p->n_since_canary = 0;
    if (res == RES_OK && facts_get_fit(l->facts, &r->tc.needs) != FIT_LISTED) {
        l->has_no_canary = 1;
        return RES_OK;
    }
    if (res == RES_OK) {
        res = handle_submit(&p->slot, r, now_ns, e);
    }
    p->is_canary_used = res == RES_OK;
    *is_sent = res == RES_OK;
    return res;
}

static enum res submit_prepared(struct target_runner *l, struct runner_worker *p, uint64_t now_ns,
                                struct err *e)
{
    struct run *r = p->prepared;
    enum res res =
        journal_begin_run(l->journal, l->id, r->index, r->tape, r->n_tape, &r->run_id, e);
    if (res != RES_OK) {
        goto done;
    }
    res = journal_flush(l->journal, e);
    if (res != RES_OK) {
        goto done;
    }
    res = handle_submit(&p->slot, r, now_ns, e);
done:
    p->prepared = NULL;
    p->n_since_canary++;
    p->wants_canary |= p->n_since_canary >= RUNNER_CANARY_CASES;
    return res;
}

/* Keep an idle worker busy, or let it end. */
static enum res feed(struct target_runner *l, struct runner_worker *p, uint64_t now_ns,
                     int is_draining, struct err *e)
{
    struct worker_handle *s = &p->slot;
    if (s->state != HANDLE_IDLE) {
        return RES_OK;
    }
    int const is_over = is_draining || (!p->prepared && !s->flight && !wants_more(l));
    int const is_bad = s->held && step_is_trouble(&s->held->ob);
    if (is_over || is_bad || s->n_since_start >= RUNNER_RECYCLE_CASES) {
        handle_close(s, now_ns);
        return RES_OK;
    }
    if (p->wants_canary && !l->has_no_canary && !p->is_canary_used && !s->flight) {
        int is_sent = 0;
        enum res const res = submit_canary(l, p, now_ns, &is_sent, e);
        if (res != RES_OK || is_sent) {
            return res;
        }
    }
    if (s->flight) {
        return handle_submit(s, s->flight, now_ns, e); /* the last process died before it took it */
    }
    return p->prepared ? submit_prepared(l, p, now_ns, e) : RES_OK;
}

static enum res prepare_place(struct target_runner *l, struct runner_worker *p, struct err *e)
{
    for (int k = 0; k < RUNNER_RUNS && !p->prepared && l->facts[0]; k++) {
        if (p->is_used[k]) {
            continue;
        }
        int is_there = 0;
        enum res const res = prepare(l, &p->runs[k], &is_there, e);
        if (res != RES_OK || !is_there) {
            return res;
        }
        p->is_used[k] = 1;
        p->prepared = &p->runs[k];
    }
    return RES_OK;
}

static enum res take_hello(struct target_runner *l, struct runner_worker *p, struct err *e)
{
    p->n_lost = 0;
    p->wants_canary = 1;
    if (l->facts[0]) {
        return RES_OK;
    }
    char *facts = arena_copy(&l->arena, p->slot.facts, strlen(p->slot.facts));
    char device[128];
    if (!facts) {
        (void)handle_kill(&p->slot);
        l->is_dead = 1;
        events_put_target(l, "given up, what it says of itself is too long", "");
        return RES_OK;
    }
    l->facts = facts;
    (void)facts_get(l->facts, "device", device, sizeof(device));
    events_put_target(l, "started", device);
    return journal_put_target(l->journal, l->target->name, l->facts, &l->id, e);
}

static enum res start(struct target_runner *l, struct runner_worker *p, uint64_t now_ns,
                      struct err *e)
{
    if (l->is_dead || (!p->prepared && !p->slot.flight && !wants_more(l))) {
        return RES_OK;
    }
    l->n_restarts++;
    enum res const res = handle_start(&p->slot, now_ns, e);
    if (res == RES_LIMIT) { /* its own words are too many */
        l->is_dead = 1;
        events_put_target(l, "given up", e->text);
        return RES_OK;
    }
    return res;
}

static void count_lost(struct target_runner *l, struct runner_worker *p)
{
    p->n_lost++;
    events_put_target(l, "does not start", p->slot.message);
    if (p->n_lost >= RUNNER_MAX_LOST) {
        l->is_dead = 1;
    }
}

enum res runner_step(struct target_runner *l, struct runner_worker *p, uint64_t now_ns,
                     int is_draining, struct err *e)
{
    enum res res = RES_OK;
    enum handle_event const event = handle_poll(&p->slot, now_ns);
    if (event == HANDLE_EVENT_LOST) {
        count_lost(l, p);
    } else if (event == HANDLE_EVENT_HELLO) {
        res = take_hello(l, p, e);
    }
    if (res == RES_OK) {
        res =
            feed(l, p, now_ns, is_draining, e); /* first, so that the driver works while we judge */
    }
    if (res == RES_OK) {
        res = take_done(l, p, now_ns, e);
    }
    if (res == RES_OK && !is_draining) {
        res = prepare_place(l, p, e);
        res = res == RES_OK ? feed(l, p, now_ns, is_draining, e) : res;
        if (res == RES_OK && p->slot.state == HANDLE_DOWN && p->slot.n_done == 0) {
            res = start(l, p, now_ns, e);
        }
    }
    return res;
}

enum res runner_give_up(struct target_runner *l, struct runner_worker *p, struct err *e)
{
    (void)handle_kill(&p->slot);
    return take_done(l, p, 0, e);
}

enum res runner_step_sim(struct target_runner *l, struct err *e)
{
    struct run *r = &l->workers[0].runs[0];
    int is_there = 0;
    enum res res = prepare(l, r, &is_there, e);
    if (res != RES_OK || !is_there) {
        return res;
    }
    res = journal_begin_run(l->journal, l->id, r->index, r->tape, r->n_tape, &r->run_id, e);
    if (res != RES_OK) {
        return res;
    }
    struct rng rng = rng_seed(l->options->seed ^ r->index);
    step_run_sim(l->target, rng_next(&rng), r);
    res = finish(l, r, e);
    shrink(r);
    return res;
}

int runner_is_over(const struct target_runner *l, int is_draining)
{
    int is_busy = !is_draining && wants_more(l);
    for (uint32_t i = 0; i < l->n_workers && !l->is_dead; i++) {
        const struct runner_worker *p = &l->workers[i];
        is_busy |= p->slot.state != HANDLE_DOWN || p->slot.n_done > 0 ||
                   (!is_draining && (p->prepared || p->slot.flight));
    }
    return !is_busy;
}
