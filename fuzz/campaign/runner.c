/* fuzz/campaign/runner.c -- one target's way through the campaign: its cases in order, its workers. */
#include "fuzz/campaign/runner.h"

#include <string.h>

#include "base/caps.h"
#include "fuzz/campaign/events.h"
#include "fuzz/campaign/feature_case.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/unlisted.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/known/known_bugs.h"
#include "gen/case/gen.h"
#include "gen/print/print.h"
#include "gen/tape/profile.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

#define RUNNER_FACTS_BYTES ((size_t)1 << 20)
enum {
    /* Cases looked at in one step that the target cannot run, so that other targets get their turn. */
    RUNNER_SKIPS_PER_STEP = 64,
    /* A target that meets the needs of none of so many cases in a row is done. */
    RUNNER_MAX_SKIPPED = 20000
};

/* The known bugs of the target, once its facts are here. */
static enum res list_known(struct target_runner *l, struct err *e)
{
    const struct expected_failures *const k = l->options->known;
    return k ? expected_failures_list_bugs(k, l->target->name, l->facts, &l->known, &l->arena, e)
             : RES_OK;
}

enum res runner_open(struct target_runner *l, const struct target *t, const struct sched_options *o,
                     struct corpus *c, struct journal *j, struct arena *a, struct err *e)
{
    memset(l, 0, sizeof(*l));
    l->target = t;
    l->options = o;
    l->journal = j;
    l->corpus = c;
    arena_init(&l->arena, RUNNER_FACTS_BYTES);
    l->facts = step_first_facts(t, &l->arena);
    TRY(journal_put_target(j, t->name, l->facts, &l->id, e));
    TRY(journal_next_case(j, l->id, &l->next_index, e));
    TRY(journal_count_runs(j, l->id, &l->n_runs, e));
    l->n_begun = l->n_runs;
    uint32_t const n_workers = t->kind == TARGET_SIM ? 1 : o->n_workers;
    l->workers = ARENA_NEW(a, struct runner_worker, n_workers);
    if (!l->workers) {
        return err_set(e, RES_NOMEM, "%s: no memory for its workers", t->name);
    }
    for (; l->n_workers < n_workers; l->n_workers++) {
        handle_init(&l->workers[l->n_workers].handle, t);
        arena_init(&l->workers[l->n_workers].canary.run.arena, HANDLE_RUN_BYTES);
    }
    return l->facts[0] ? list_known(l, e) : RES_OK;
}

void runner_close(struct target_runner *l)
{
    for (uint32_t i = 0; i < l->n_workers; i++) {
        handle_free(&l->workers[i].handle);
        arena_free(&l->workers[i].canary.run.arena);
    }
    arena_free(&l->arena);
}

static bool wants_more(const struct target_runner *l)
{
    const struct sched_options *const o = l->options;
    /* what others skip nobody here knows: a shard's end is an index */
    uint64_t const n_begun = o->shard.n ? l->next_index : l->n_begun;
    return !l->is_exhausted && !l->is_dead && (o->max_cases == 0 || n_begun < o->max_cases);
}

static enum env env_of(const struct target *t, uint64_t index)
{
    return t->alternates && index % 2 ? ENV_VK : t->env;
}

static bool is_wanted_now(const struct target_runner *l, struct run *r)
{
    return step_is_wanted(l->target, &l->listed, l->facts, l->options->unadvertised, r);
}

/* The case of that index; of one that the target cannot run no more than what tells so, and of one that is only
 * built no inputs. */
static enum res generate(struct target_runner *l, struct run *r, uint64_t index, bool *is_wanted,
                         struct err *e)
{
    struct tape tape = {.data = NULL};
    struct build *plan = NULL;
    struct shape_set const unwanted = step_get_unwanted(l->target);
    enum profile profile = l->options->profile;
    arena_reset(&r->arena);
    r->index = index;
    step_begin(r);
    TRY(corpus_get_tape(l->corpus, index, &r->arena, &tape, &profile, e));
    r->tape = tape.data;
    r->n_tape = tape.n_records * TAPE_RECORD_BYTES;
    struct gen_for const to = {profile, env_of(l->target, index), &unwanted};
    TRY(gen_plan(&to, &tape, &r->arena, &plan, &r->tc, &r->info, e));
    /* in another language it may need something else */
    *is_wanted = l->target->language != LANGUAGE_SPIRV
                     ? !shape_sets_meet(&r->info.shapes, &unwanted)
                     : is_wanted_now(l, r);
    if (!*is_wanted) {
        return RES_OK;
    }
    TRY(gen_module(plan, &r->tc, &r->info, e));
    r->unfilled = plan;
    if (!l->target->is_build_only) {
        step_fill(r);
    }
    if (l->target->language != LANGUAGE_SPIRV) {
        TRY(print_set_language(&r->tc, l->target->language, &r->arena, e));
        *is_wanted = is_wanted_now(l, r);
    }
    return RES_OK;
}

/* Nothing is run of a case that this index does not give, or that the target cannot run. */
static enum res count_skipped(struct target_runner *l, uint64_t index, struct err *e)
{
    l->n_skipped++;
    l->n_skipped_row++;
    l->is_exhausted = l->n_skipped_row >= RUNNER_MAX_SKIPPED;
    if (l->is_exhausted) {
        events_put_loss(l, "meets the needs of no case", "");
    }
    return journal_skip_case(l->journal, l->id, index, e);
}

/* The next case that the target can run, in r. *is_there false: not in this step. */
static enum res prepare(struct target_runner *l, struct run *r, bool *is_there, struct err *e)
{
    *is_there = false;
    for (int i = 0; i < RUNNER_SKIPS_PER_STEP && wants_more(l); i++) {
        uint64_t const index = l->next_index;
        l->next_index = shard_next(l->options->shard, index + 1);
        if (journal_is_done(l->journal, l->id, index)) {
            continue;
        }
        enum res const res = generate(l, r, index, is_there, e);
        if (res == RES_OK && *is_there) {
            l->n_skipped_row = 0;
            l->n_begun++;
            return RES_OK;
        }
        *is_there = false;
        if (res == RES_NOMEM) {
            /* a tape that was made of others can ask for more than a case may have */
            arena_free(&r->arena);
        } else if (res != RES_OK &&
                   res != RES_LIMIT) { /* the target's language has no words for it */
            return res;
        }
        TRY(count_skipped(l, index, e));
    }
    return RES_OK;
}

/* What the run showed, and the case held, decides whether its tape is kept. A driver that died showed
 * nothing: more cases like that one would only find it dead again. */
static enum res keep_tape(struct target_runner *l, const struct run *r, unsigned char *map,
                          struct err *e)
{
    int const profile = profile_find(r->tc.profile);
    if (!map || profile < 0) {
        return RES_OK;
    }
    struct tape const tape = {.data = r->tape, .n_records = r->n_tape / TAPE_RECORD_BYTES};
    feature_case_put(&r->info, map + FEATURE_CELLS);
    return corpus_take_run(l->corpus, r->index, (enum profile)profile, &tape, e);
}

/* Judge a run that is certain, keep its tape if it showed anything new, and put it into the journal, the counts and
 * the events. */
static enum res finish(struct target_runner *l, struct run *r, struct err *e)
{
    struct judgement g;
    if (r->ob.status != RUN_BUILT) {
        step_fill(r);
    }
    unsigned char *map = r->ob.status == RUN_DONE ? corpus_get_map(l->corpus) : NULL;
    step_judge(r, map, &g);
    step_explain(&l->known, r, &g);
    TRY(keep_tape(l, r, map, e));
    TRY(step_end_run(l->journal, r, &g, e));
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
                           signature_of(&g.findings[i], &r->ob, &r->arena).text);
    }
    if (r->ob.status == RUN_HARNESS) {
        events_put_target(l, "harness", r->ob.log);
    }
    return RES_OK;
}

static void finish_canary(struct target_runner *l, struct runner_worker *w)
{
    struct judgement g;
    w->is_canary_out = false;
    step_judge(&w->canary.run, NULL, &g);
    const char *what = NULL;
    switch (step_take_canary_verdict(&l->canaries, g.kind)) {
    case CANARY_GOOD:
        return;
    case CANARY_ABSENT:
        events_put_target(l, "the known-good case is not good here", verdict_rows[g.kind].name);
        return;
    case CANARY_BAD:
        what = "worker replaced, its known-good case gave";
        break;
    case CANARY_BAD_AGAIN:
        what = "given up, the known-good case gave again and again";
        l->is_dead = true;
        break;
    }
    events_put_target(l, what, verdict_rows[g.kind].name);
    if (w->handle.state == HANDLE_IDLE) {
        handle_close(&w->handle);
    }
}

static enum res take_done(struct target_runner *l, struct runner_worker *w, struct err *e)
{
    for (struct run *r = handle_take_done(&w->handle); r; r = handle_take_done(&w->handle)) {
        if (r == &w->canary.run) {
            finish_canary(l, w);
            continue;
        }
        enum res const res = finish(l, r, e);
        handle_put_back(&w->handle, r);
        if (res != RES_OK) {
            return res;
        }
    }
    return RES_OK;
}

/* Nothing is submitted where the target does not list what the known-good case needs. */
static enum res submit_canary(struct target_runner *l, struct runner_worker *w, struct err *e)
{
    bool is_listed = false;
    /* of a mixed campaign the part that asks for the least */
    enum profile const profile =
        l->options->profile == PROFILE_ALL ? PROFILE_ATOMICS : l->options->profile;
    TRY(step_make_canary(&w->canary, profile, l->target, l->facts, &is_listed, e));
    if (!is_listed) {
        l->canaries.is_absent = true;
        return RES_OK;
    }
    w->is_canary_out = true;
    return handle_submit(&w->handle, &w->canary.run, e);
}

static enum res submit_prepared(struct target_runner *l, struct runner_worker *w, struct err *e)
{
    struct run *r = w->prepared;
    /* what comes of its index and of the campaign's seed again is kept where it showed something */
    const void *tape = l->target->is_build_only ? NULL : r->tape;
    TRY(journal_begin_run(l->journal, l->id, r->index, tape, r->n_tape, &r->run_id, e));
    TRY(journal_flush(l->journal, e));
    w->prepared = NULL;
    step_count_canary_case(&w->canary);
    return handle_submit(&w->handle, r, e);
}

/* Give an idle worker its next case, or let it end: when nothing is left for it, when its driver is in trouble, or
 * when it had its number of cases. A canary goes before the case. */
static enum res feed(struct target_runner *l, struct runner_worker *w, bool is_draining,
                     struct err *e)
{
    struct worker_handle *s = &w->handle;
    if (s->state != HANDLE_IDLE) {
        return RES_OK;
    }
    bool const is_over = is_draining || (!w->prepared && !s->flight && !wants_more(l));
    bool const is_bad = s->held && step_is_trouble(&s->held->ob);
    if (is_over || is_bad || s->n_since_start >= STEP_RECYCLE_CASES) {
        handle_close(s);
        return RES_OK;
    }
    if (s->flight) {
        return handle_submit(s, s->flight, e); /* the last process died before it took it */
    }
    if (w->canary.is_wanted && !l->canaries.is_absent && !w->is_canary_out) {
        TRY(submit_canary(l, w, e));
        if (w->is_canary_out) {
            return RES_OK;
        }
    }
    return w->prepared ? submit_prepared(l, w, e) : RES_OK;
}

static enum res prepare_next(struct target_runner *l, struct runner_worker *w, struct err *e)
{
    bool is_there = false;
    struct run *r = w->prepared || !l->facts[0] ? NULL : handle_take_run(&w->handle);
    if (!r) {
        return RES_OK;
    }
    enum res const res = prepare(l, r, &is_there, e);
    if (is_there) {
        w->prepared = r;
    } else {
        handle_put_back(&w->handle, r);
    }
    return res;
}

static enum res take_hello(struct target_runner *l, struct runner_worker *w, struct err *e)
{
    w->canary.is_wanted = true;
    if (l->facts[0]) {
        return RES_OK;
    }
    char *facts = arena_copy(&l->arena, w->handle.facts, strlen(w->handle.facts));
    char device[128];
    if (!facts) {
        (void)handle_kill(&w->handle);
        l->is_dead = true;
        events_put_loss(l, "given up, what it says of itself is too long", "");
        return RES_OK;
    }
    l->facts = facts;
    l->listed = step_list_needs(facts);
    (void)facts_get(l->facts, "device", device, sizeof(device));
    events_put_target(l, "started", device);
    TRY(list_known(l, e));
    return journal_put_target(l->journal, l->target->name, l->facts, &l->id, e);
}

/* A worker that is down is started where a case waits for it. */
static enum res start(struct target_runner *l, struct runner_worker *w, struct err *e)
{
    struct worker_handle *s = &w->handle;
    bool const is_needed = w->prepared || s->flight || wants_more(l);
    if (s->state != HANDLE_DOWN || s->n_done > 0 || l->is_dead || !is_needed) {
        return RES_OK;
    }
    enum res const res = handle_start(s, e);
    if (res == RES_LIMIT) { /* its own words are too many */
        l->is_dead = true;
        events_put_loss(l, "given up", e->text);
        return RES_OK;
    }
    return res;
}

enum res runner_step(struct target_runner *l, struct runner_worker *w, bool is_draining,
                     struct err *e)
{
    enum handle_event const event = handle_poll(&w->handle);
    if (event == HANDLE_EVENT_LOST) {
        events_put_loss(l, "does not start", w->handle.message);
        l->is_dead |= w->handle.n_lost >= HANDLE_MAX_LOST;
    } else if (event == HANDLE_EVENT_HELLO) {
        TRY(take_hello(l, w, e));
    }
    TRY(feed(l, w, is_draining, e)); /* first, so that the driver works while we judge */
    TRY(take_done(l, w, e));
    if (is_draining) {
        return RES_OK;
    }
    TRY(prepare_next(l, w, e));
    TRY(feed(l, w, is_draining, e));
    return start(l, w, e);
}

enum res runner_give_up(struct target_runner *l, struct runner_worker *w, struct err *e)
{
    (void)handle_kill(&w->handle);
    return take_done(l, w, e);
}

static enum res run_sim(struct target_runner *l, struct run *r, struct err *e)
{
    bool is_there = false;
    enum res res = prepare(l, r, &is_there, e);
    if (res != RES_OK || !is_there) {
        return res;
    }
    TRY(journal_begin_run(l->journal, l->id, r->index, r->tape, r->n_tape, &r->run_id, e));
    struct rng rng = rng_seed(l->options->seed ^ r->index);
    step_run_sim(l->target, rng_next(&rng), r);
    return finish(l, r, e);
}

enum res runner_step_sim(struct target_runner *l, struct err *e)
{
    struct worker_handle *s = &l->workers[0].handle; /* of which only the memory is used */
    struct run *r = handle_take_run(s);
    enum res const res = run_sim(l, r, e);
    handle_put_back(s, r);
    return res;
}

bool runner_is_over(const struct target_runner *l, bool is_draining)
{
    if (!is_draining && wants_more(l)) {
        return false;
    }
    for (uint32_t i = 0; i < l->n_workers && !l->is_dead; i++) {
        const struct runner_worker *w = &l->workers[i];
        bool const is_up = w->handle.state != HANDLE_DOWN || w->handle.n_done > 0;
        bool const has_case = w->prepared || w->handle.flight;
        if (is_up || (has_case && !is_draining)) {
            return false;
        }
    }
    return true;
}
