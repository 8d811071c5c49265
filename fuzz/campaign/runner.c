/* fuzz/campaign/runner.c -- one target's way through the campaign: its cases in order, its workers. */
#include "fuzz/campaign/runner.h"

#include <string.h>

#include "base/caps.h"
#include "fuzz/campaign/case_groups.h"
#include "fuzz/campaign/case_source.h"
#include "fuzz/campaign/events.h"
#include "fuzz/campaign/feature_case.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/journal.h"
#include "fuzz/known/expected_failures.h"
#include "fuzz/known/known_bugs.h"
#include "fuzz/process/child_time.h"
#include "gen/case/gen.h"
#include "gen/case/sample_devices.h"
#include "gen/print/print.h"
#include "gen/tape/profile.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/judgement/unlisted.h"
#include "oracle/tables/tables.h"

#define RUNNER_FACTS_BYTES ((size_t)1 << 20)
enum {
    /* Cases looked at in one step that the target cannot run, so that other targets get their turn. */
    RUNNER_SKIPS_PER_STEP = 64,
    /* A target that meets the needs of none of so many cases in a row is done. */
    RUNNER_MAX_SKIPPED = 20000,
    RUNNER_ROUNDS = 4 /* of a source, as many rounds of it */
};
#define RUNNER_SKIP_NS                                                                             \
    UINT64_C(200000000) /* as RUNNER_SKIPS_PER_STEP, where a case takes long to make */

/* The known bugs of the target, once its facts are here. */
static enum res list_known(struct target_runner *runner, struct err *e)
{
    const struct expected_failures *const k = runner->options->known;
    return k ? expected_failures_list_bugs(k, runner->target->name, runner->facts, &runner->known,
                                           &runner->arena, e)
             : RES_OK;
}

/* Prepare a runner: put its target into the journal, find the next case and the number of runs of earlier sessions
 * there, and make its workers, which are not started yet. A simulated target runs in this process and needs one. The
 * known bugs of the target are listed now if its facts are known before a worker starts. */
enum res runner_open(struct target_runner *runner, const struct target *t,
                     const struct sched_options *o, struct corpus *c, struct journal *j,
                     struct arena *a, struct err *e)
{
    memset(runner, 0, sizeof(*runner));
    runner->target = t;
    runner->options = o;
    runner->journal = j;
    runner->corpus = c;
    arena_init(&runner->arena, RUNNER_FACTS_BYTES);
    runner->facts = step_first_facts(t, &runner->arena);
    runner->allowed = step_get_allowed(t, runner->facts, o->unadvertised);
    TRY(journal_put_target(j, t->name, runner->facts, &runner->id, e));
    TRY(journal_next_case(j, runner->id, &runner->next_index, e));
    TRY(journal_count_runs(j, runner->id, &runner->n_runs, e));
    runner->n_begun = runner->n_runs;
    uint32_t const n_workers = t->kind == TARGET_SIM ? 1 : o->n_workers;
    runner->workers = ARENA_NEW(a, struct runner_worker, n_workers);
    if (!runner->workers) {
        return err_set(e, RES_NOMEM, "%s: no memory for its workers", t->name);
    }
    for (; runner->n_workers < n_workers; runner->n_workers++) {
        handle_init(&runner->workers[runner->n_workers].handle, t);
        arena_init(&runner->workers[runner->n_workers].canary.run.arena, HANDLE_RUN_BYTES);
    }
    return runner->facts[0] ? list_known(runner, e) : RES_OK;
}

void runner_close(struct target_runner *runner)
{
    for (uint32_t i = 0; i < runner->n_workers; i++) {
        handle_free(&runner->workers[i].handle);
        arena_free(&runner->workers[i].canary.run.arena);
    }
    arena_free(&runner->arena);
}

static bool wants_more(const struct target_runner *runner)
{
    const struct sched_options *const o = runner->options;
    /* what others skip nobody here knows: a shard's end is an index */
    uint64_t const n_begun = o->shard.n ? runner->next_index : runner->n_begun;
    return !runner->is_exhausted && !runner->is_dead &&
           (o->max_cases == 0 || n_begun < o->max_cases);
}

static enum env env_of(const struct target_runner *runner, uint64_t index)
{
    const struct target *const t = runner->target;
    if (t->alternates && runner->options->device) {
        return runner->options->device->env;
    }
    return t->alternates && index % 2 ? ENV_VK : t->env;
}

static bool is_wanted_now(const struct target_runner *runner, struct run *r)
{
    return step_is_wanted(runner->target, &runner->listed, runner->facts,
                          runner->options->unadvertised, r);
}

/* Case `index` of the campaign's source into *r. *is_wanted is false if it has none for this target, or if the target
 * cannot run it. A class of unadvertised that the source has set is more than the needs tell. */
static enum res take_from_source(struct target_runner *runner, struct run *r, uint64_t index,
                                 bool *is_wanted, struct err *e)
{
    const struct case_source *const source = runner->options->source;
    const struct target *const t = runner->target;
    memset(&r->info, 0, sizeof(r->info));
    r->tape = NULL;
    r->n_tape = 0;
    TRY(source->make(source->of, index, t, &r->arena, &r->tc, is_wanted, e));
    bool const is_unlisted = r->tc.class == CLASS_UNADVERTISED;
    *is_wanted = *is_wanted && is_wanted_now(runner, r);
    if (is_unlisted) {
        r->tc.class = CLASS_UNADVERTISED;
        *is_wanted = *is_wanted && (runner->options->unadvertised || t->unadvertised);
    }
    return RES_OK;
}

/* Generate case `index` into *r. *is_wanted is false if the target cannot run the case; then only as much is made
 * as is needed to tell so. A case that is only built gets no inputs. With a target that is given source, whether the
 * case is wanted is known only after its source is printed, as the source may need something else than the module. */
static enum res generate(struct target_runner *runner, struct run *r, uint64_t index,
                         bool *is_wanted, struct err *e)
{
    struct corpus_tape drawn;
    struct build *plan = NULL;
    struct shape_set const unwanted = step_get_unwanted(runner->target);
    const struct case_group *const group = case_groups_find(runner->groups, index);
    arena_reset(&r->arena);
    r->index = index;
    step_begin(r);
    if (runner->options->source) {
        return take_from_source(runner, r, index, is_wanted, e);
    }
    struct corpus_for const of = {index, case_groups_get_env(runner->groups, index),
                                  group ? &group->allowed : NULL};
    TRY(corpus_get_tape(runner->corpus, &of, &r->arena, &drawn, e));
    r->tape = drawn.tape.data;
    r->n_tape = drawn.tape.n_records * TAPE_RECORD_BYTES;
    struct gen_for const to = {drawn.profile, env_of(runner, index), &unwanted};
    TRY(gen_plan(&to, &drawn.tape, &r->arena, &plan, &r->tc, &r->info, e));
    bool const is_source = runner->target->language != LANGUAGE_SPIRV;
    /* Of source only the shapes are known now, not yet what it needs. */
    *is_wanted =
        is_source ? !shape_sets_meet(&r->info.shapes, &unwanted) : is_wanted_now(runner, r);
    if (!*is_wanted) {
        return RES_OK;
    }
    TRY(gen_module(plan, &r->tc, &r->info, e));
    r->unfilled = plan;
    if (runner->target->values != VALUES_NONE) {
        step_fill(r);
    }
    if (is_source) {
        TRY(print_set_language(&r->tc, runner->target->language, &r->arena, e));
        *is_wanted = is_wanted_now(runner, r);
    }
    return RES_OK;
}

/* Nothing is run of a case that this index does not give, or that the target cannot run. */
static enum res count_skipped(struct target_runner *runner, uint64_t index, struct err *e)
{
    const struct case_source *const source = runner->options->source;
    uint64_t const n_most = source ? RUNNER_ROUNDS * source->n_per_round : RUNNER_MAX_SKIPPED;
    runner->n_skipped++;
    runner->n_skipped_row++;
    runner->is_exhausted = runner->n_skipped_row >= n_most;
    if (runner->is_exhausted) {
        events_put_loss(runner, "supports the features of no case", "");
    }
    return journal_skip_case(runner->journal, runner->id, index, e);
}

/* Is case `index` drawn for a group that the target is in? */
static bool is_for_target(const struct target_runner *runner, uint64_t index)
{
    return runner->options->source ||
           case_groups_is_for(runner->groups, index, runner->target->name, &runner->allowed);
}

/* Prepare in *r the next case that the target can run; the cases skipped on the way are counted. *is_there is false
 * if none was found within RUNNER_SKIPS_PER_STEP indices, or if no more cases are wanted. */
static enum res prepare(struct target_runner *runner, struct run *r, bool *is_there, struct err *e)
{
    uint64_t const until_ns = child_now_ns() + RUNNER_SKIP_NS;
    *is_there = false;
    for (int i = 0;
         i < RUNNER_SKIPS_PER_STEP && wants_more(runner) && (i == 0 || child_now_ns() < until_ns);
         i++) {
        uint64_t const index = runner->next_index;
        runner->next_index = shard_next(runner->options->shard, index + 1);
        if (!is_for_target(runner, index) || journal_is_done(runner->journal, runner->id, index)) {
            continue;
        }
        enum res const res = generate(runner, r, index, is_there, e);
        if (res == RES_OK && *is_there) {
            runner->n_skipped_row = 0;
            runner->n_begun++;
            return RES_OK;
        }
        *is_there = false;
        if (res == RES_NOMEM) {
            arena_free(&r->arena); /* a mutated tape can ask for more than a case may have */
        } else if (res != RES_OK &&
                   res != RES_LIMIT) { /* LIMIT: the language has no words for it */
            return res;
        }
        TRY(count_skipped(runner, index, e));
    }
    return RES_OK;
}

/* What the run showed, and the case held, decides whether its tape is kept. A driver that died showed
 * nothing: more cases like that one would only find it dead again. */
static enum res keep_tape(struct target_runner *runner, const struct run *r, unsigned char *map,
                          struct err *e)
{
    int const profile = profile_find(r->tc.profile);
    if (!map || profile < 0) {
        return RES_OK;
    }
    struct tape const tape = {.data = r->tape, .n_records = r->n_tape / TAPE_RECORD_BYTES};
    feature_case_put(&r->info, map + FEATURE_CELLS);
    return corpus_take_run(runner->corpus, r->index, (enum profile)profile, &tape, e);
}

/* Judge a run whose observation is certain. Its tape is kept if the run showed anything new, and
 * the run goes into the journal, the counts and the events. */
static enum res finish_run(struct target_runner *runner, struct run *r, struct err *e)
{
    struct judgement g;
    if (r->ob.status != RUN_BUILT) { /* what was only built is judged without inputs */
        step_fill(r);
    }
    const struct case_source *const source = runner->options->source;
    /* Only a run that was done shows features, and only of a tape are they kept; NULL: none are counted. */
    bool const is_counted = r->ob.status == RUN_DONE && !source;
    unsigned char *map = is_counted ? corpus_get_map(runner->corpus) : NULL;
    step_judge(r, map, &g);
    if (source) {
        source->excuse(source->of, &r->tc, &r->ob, &r->arena, &g);
    }
    step_explain(&runner->known, r, &g);
    TRY(keep_tape(runner, r, map, e));
    TRY(step_end_run(runner->journal, r, &g, e));
    /* -1: the case needs nothing that the device does not advertise */
    int const outcome = r->tc.class == CLASS_UNADVERTISED ? unlisted_of(&r->ob, &g) : -1;
    if (outcome >= 0 && runner->target->kind == TARGET_WORKER) {
        runner->n_unlisted[outcome]++;
    }
    runner->n_runs++;
    runner->n_session++;
    runner->n_judged += g.n_judged;
    for (uint32_t i = 0; i < g.n_findings; i++) {
        runner->n_violations += verdict_rows[g.findings[i].kind].part == PART_VIOLATION;
        events_put_finding(runner, r, &g.findings[i],
                           signature_of(&g.findings[i], &r->ob, &r->arena).text);
    }
    if (r->ob.status == RUN_HARNESS) {
        events_put_target(runner, "harness", r->ob.log);
    }
    return RES_OK;
}

/* Judge the canary, a case that is known to be good, and act on its verdict: replace the worker
 * where the canary fails though it passed earlier, give up the target where it fails again and
 * again, and only report it where it never passed. */
static void finish_canary(struct target_runner *runner, struct runner_worker *w)
{
    struct judgement g;
    w->is_canary_out = false;
    step_judge(&w->canary.run, NULL, &g);
    const char *what = NULL;
    switch (step_take_canary_verdict(&runner->canaries, g.kind)) {
    case CANARY_GOOD:
        return;
    case CANARY_ABSENT:
        events_put_target(runner, "the known-good case fails here", verdict_rows[g.kind].name);
        return;
    case CANARY_BAD:
        what = "worker replaced, its known-good case gave";
        break;
    case CANARY_BAD_AGAIN:
        what = "given up, the known-good case repeatedly gave";
        runner->is_dead = true;
        break;
    }
    events_put_target(runner, what, verdict_rows[g.kind].name);
    if (w->handle.state == HANDLE_IDLE) { /* else it is at a case, or its process has ended */
        handle_close(&w->handle);
    }
}

static enum res take_done(struct target_runner *runner, struct runner_worker *w, struct err *e)
{
    for (struct run *r = handle_take_done(&w->handle); r; r = handle_take_done(&w->handle)) {
        if (r == &w->canary.run) {
            finish_canary(runner, w);
            continue;
        }
        enum res const res = finish_run(runner, r, e);
        handle_put_back(&w->handle, r);
        if (res != RES_OK) {
            return res;
        }
    }
    return RES_OK;
}

/* Nothing is submitted where the target does not list what the known-good case needs. */
static enum res submit_canary(struct target_runner *runner, struct runner_worker *w, struct err *e)
{
    bool is_listed = false;
    /* of a mixed campaign the part that asks for the least */
    enum profile const profile =
        runner->options->profile == PROFILE_ALL ? PROFILE_ATOMICS : runner->options->profile;
    TRY(step_make_canary(&w->canary, profile, runner->target, runner->facts, &is_listed, e));
    if (!is_listed) {
        runner->canaries.is_absent = true;
        return RES_OK;
    }
    w->is_canary_out = true;
    return handle_submit(&w->handle, &w->canary.run, e);
}

static enum res submit_prepared(struct target_runner *runner, struct runner_worker *w,
                                struct err *e)
{
    struct run *r = w->prepared;
    /* what comes of its index and of the campaign's seed again is kept where it showed something */
    const void *tape = runner->target->values == VALUES_NONE ? NULL : r->tape;
    TRY(journal_begin_run(runner->journal, runner->id, r->index, tape, r->n_tape, &r->run_id, e));
    TRY(journal_flush(runner->journal, e));
    w->prepared = NULL;
    step_count_canary_case(&w->canary);
    return handle_submit(&w->handle, r, e);
}

/* Give an idle worker its next case, or let it end: when nothing is left for it, when its driver is in trouble, or
 * when it had its number of cases. A canary goes before the case. */
static enum res feed(struct target_runner *runner, struct runner_worker *w, bool is_draining,
                     struct err *e)
{
    struct worker_handle *s = &w->handle;
    if (s->state != HANDLE_IDLE) {
        return RES_OK;
    }
    bool const is_over = is_draining || (!w->prepared && !s->flight && !wants_more(runner));
    bool const is_bad = s->held && step_is_trouble(&s->held->ob);
    if (is_over || is_bad || s->n_since_start >= STEP_RECYCLE_CASES) {
        handle_close(s);
        return RES_OK;
    }
    if (s->flight) {
        return handle_submit(s, s->flight, e); /* the last process died before it took it */
    }
    if (w->canary.is_wanted && !runner->canaries.is_absent && !w->is_canary_out) {
        TRY(submit_canary(runner, w, e));
        if (w->is_canary_out) {
            return RES_OK;
        }
    }
    return w->prepared ? submit_prepared(runner, w, e) : RES_OK;
}

static enum res prepare_next(struct target_runner *runner, struct runner_worker *w, struct err *e)
{
    bool is_there = false;
    struct run *r =
        w->prepared || !runner->facts[0] || !runner->groups ? NULL : handle_take_run(&w->handle);
    if (!r) {
        return RES_OK;
    }
    enum res const res = prepare(runner, r, &is_there, e);
    if (is_there) {
        w->prepared = r;
    } else {
        handle_put_back(&w->handle, r);
    }
    return res;
}

static enum res take_hello(struct target_runner *runner, struct runner_worker *w, struct err *e)
{
    w->canary.is_wanted = true;
    if (runner->facts[0]) {
        return RES_OK;
    }
    char *facts = arena_copy(&runner->arena, w->handle.facts, strlen(w->handle.facts));
    char device[128];
    if (!facts) {
        (void)handle_kill(&w->handle);
        runner->is_dead = true;
        events_put_loss(runner, "given up, its list of properties is too long", "");
        return RES_OK;
    }
    runner->facts = facts;
    runner->listed = step_list_needs(facts);
    runner->allowed = step_get_allowed(runner->target, facts, runner->options->unadvertised);
    (void)facts_get(runner->facts, "device", device, sizeof(device));
    events_put_target(runner, "started", device);
    TRY(list_known(runner, e));
    return journal_put_target(runner->journal, runner->target->name, runner->facts, &runner->id, e);
}

/* A worker that is down is started where a case waits for it. */
static enum res start(struct target_runner *runner, struct runner_worker *w, struct err *e)
{
    struct worker_handle *s = &w->handle;
    bool const is_needed = w->prepared || s->flight || wants_more(runner);
    if (s->state != HANDLE_DOWN || s->n_done > 0 || runner->is_dead || !is_needed) {
        return RES_OK;
    }
    enum res const res = handle_start(s, e);
    if (res == RES_LIMIT) { /* its own words are too many */
        runner->is_dead = true;
        events_put_loss(runner, "given up", e->text);
        return RES_OK;
    }
    return res;
}

enum res runner_step(struct target_runner *runner, struct runner_worker *w, bool is_draining,
                     struct err *e)
{
    enum handle_event const event = handle_poll(&w->handle);
    if (event == HANDLE_EVENT_LOST) {
        events_put_loss(runner, "does not start", w->handle.message);
        runner->is_dead |= w->handle.n_lost >= HANDLE_MAX_LOST;
    } else if (event == HANDLE_EVENT_HELLO) {
        TRY(take_hello(runner, w, e));
    }
    TRY(feed(runner, w, is_draining, e)); /* first, so that the driver works while we judge */
    TRY(take_done(runner, w, e));
    if (is_draining) {
        return RES_OK;
    }
    TRY(prepare_next(runner, w, e));
    TRY(feed(runner, w, is_draining, e));
    return start(runner, w, e);
}

enum res runner_give_up(struct target_runner *runner, struct runner_worker *w, struct err *e)
{
    (void)handle_kill(&w->handle);
    return take_done(runner, w, e);
}

static enum res run_sim(struct target_runner *runner, struct run *r, struct err *e)
{
    bool is_there = false;
    enum res res = prepare(runner, r, &is_there, e);
    if (res != RES_OK || !is_there) {
        return res;
    }
    TRY(journal_begin_run(runner->journal, runner->id, r->index, r->tape, r->n_tape, &r->run_id,
                          e));
    struct rng rng = rng_seed(runner->options->seed ^ r->index);
    step_run_sim(runner->target, rng_next(&rng), r);
    return finish_run(runner, r, e);
}

enum res runner_step_sim(struct target_runner *runner, struct err *e)
{
    struct worker_handle *s = &runner->workers[0].handle; /* of which only the memory is used */
    struct run *r = handle_take_run(s);
    enum res const res = run_sim(runner, r, e);
    handle_put_back(s, r);
    return res;
}

bool runner_is_over(const struct target_runner *runner, bool is_draining)
{
    if (!is_draining && wants_more(runner)) {
        return false;
    }
    for (uint32_t i = 0; i < runner->n_workers && !runner->is_dead; i++) {
        const struct runner_worker *w = &runner->workers[i];
        bool const is_up = w->handle.state != HANDLE_DOWN || w->handle.n_done > 0;
        bool const has_case = w->prepared || w->handle.flight;
        if (is_up || (has_case && !is_draining)) {
            return false;
        }
    }
    return true;
}
