/* fuzz/guided/guided.c -- one execution of a guided campaign: an input, a run on the target, a verdict, a map. */
#include "fuzz/guided/guided.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/printable.h"
#include "base/testcase.h"
#include "fuzz/campaign/seeds.h"
#include "fuzz/campaign/step.h"
#include "fuzz/campaign/tally.h"
#include "fuzz/guided/edges.h"
#include "fuzz/io/db.h"
#include "fuzz/io/shard.h"
#include "fuzz/journal/journal.h"
#include "fuzz/journal/journal_remark.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"
#include "gen/case/gen.h"
#include "gen/tape/profile.h"
#include "gen/tape/tape.h"
#include "gen/tape/tape_needs.h"
#include "oracle/judge/judge.h"
#include "oracle/judgement/judgement.h"
#include "oracle/tables/tables.h"

#define GUIDED_FLUSH_NS    UINT64_C(1000000000)
#define GUIDED_ARENA_BYTES ((size_t)32 << 20)
enum {
    GUIDED_MAX_TOLD = 100,  /* troubles on standard error, of all processes of an instance */
    GUIDED_MAX_TROUBLE = 20 /* of the harness, in a row: no further case makes sense */
};

/* The one worker. */
struct guided_worker {
    struct worker_handle handle;
    enum run_status judged[HANDLE_RUNS]; /* status with which each of its runs was judged */
    const char *facts;                   /* of the first hello, "" before; in the arena of guided */
    struct needs listed;                 /* by them */
    struct needs allowed;                /* that cases may have: step_get_allowed of these facts */
    struct canary canary;
    struct canary_record canaries;
};

/* The last input and its maps: AFL++ runs what is new to it twice more, which would show the same. */
struct guided_last {
    uint64_t hash;
    size_t n;
    int is_there;
    unsigned char *map, *edges; /* GUIDED_CELLS, n_edges */
};

struct guided {
    struct arena arena;
    const struct guided_options *options;
    struct journal *journal;
    struct shard shard; /* of the campaign */
    struct tally *tally;
    struct edges edges;
    int64_t target_id;
    uint64_t flush_ns;
    uint32_t n_trouble_row;
    uint64_t cpu_self_ns; /* told to the tally so far */
    struct guided_worker worker;
    struct guided_last last;
};

const char *guided_tally_path(const char *folder, uint32_t instance, struct arena *a)
{
    return arena_printf(a, "%s/instances/%02" PRIu32 ".tally", folder, instance);
}

/* Say in the map what became of the input. */
static void set_state(unsigned char *map, enum guided_state state)
{
    map[GUIDED_CELLS - state] = 1;
}

/* Case indices of an instance: one behind the other, or those of the shard, which has fewer of them in a larger
 * range, as instances of all shards share it. */
static uint64_t range_of(const struct guided *g)
{
    return g->shard.n ? JOURNAL_SHARD_RANGE : JOURNAL_OWN_CASES;
}

static uint64_t first_index(const struct guided *g)
{
    return JOURNAL_OWN_CASES + range_of(g) * g->options->instance;
}

/* The index of the instance's next execution. */
static uint64_t take_index(struct guided *g)
{
    return first_index(g) + shard_nth(g->shard, tally_get(g->tally)->n_executions++);
}

/* Something that is not the driver's fault: counted, kept as the last message, on standard error. */
static void tell_trouble(struct guided *g, const char *what, const char *text)
{
    struct tally_figures *f = tally_get(g->tally);
    f->n_trouble++;
    (void)snprintf(f->message, sizeof(f->message), "%s: %s: %.300s", g->options->target->name, what,
                   text);
    if (f->n_trouble <= GUIDED_MAX_TOLD) {
        printable_print(stderr, "halfulp-afl: %s\n", f->message);
    }
}

static enum res begin_in_journal(struct guided *g, struct run *r, struct err *e)
{
    TRY(journal_begin_run(g->journal, g->target_id, r->index, r->tape, r->n_tape, &r->run_id, e));
    return journal_flush(g->journal, e);
}

/* The case was in the journal while the driver had it; nothing is to be kept of it. */
static enum res forget(struct guided *g, struct run *r, struct err *e)
{
    if (r->run_id == 0) {
        return RES_OK;
    }
    struct db *d = journal_get_db(g->journal);
    TRY(journal_begin(g->journal, e));
    TRY(db_do(d, e, "DELETE FROM runs WHERE id = ?", "i", r->run_id));
    TRY(db_do(d, e, "DELETE FROM tapes WHERE case_index = ?", "u", r->index));
    return journal_flush(g->journal, e);
}

/* Findings that the journal has of that signature; as many as it keeps of it: it is full. */
static enum res count_known(struct guided *g, const char *class, const char *signature, int64_t *n,
                            struct err *e)
{
    struct db *d = journal_get_db(g->journal);
    struct stmt *s =
        db_start(d, "SELECT n FROM buckets WHERE target_id = ? AND class = ? AND signature = ?",
                 "itt", g->target_id, class, signature);
    int const step = stmt_step(s);
    *n = step > 0 ? stmt_int(s, 0) : 0;
    if (step > 0) {
        stmt_reset(s);
    }
    return step < 0 ? db_fail(d, e) : RES_OK;
}

/* What the journal makes of a run's findings. */
struct reception {
    uint64_t n_violations;
    uint64_t n_new; /* of these, of a signature that it does not have */
    int is_wanted;  /* it keeps at least one finding */
};

/* Ask the journal how many cases it has of each finding's signature, and set the signature's cell. *out:
 * whether any is wanted still (the journal keeps only so many of a kind), how many are violations, and how
 * many of these are new. signatures: GUIDED_SIGNATURES cells of the map; NULL: none are wanted. */
static enum res look_up(struct guided *g, struct run *r, const struct judgement *judgement,
                        unsigned char *signatures, struct reception *out, struct err *e)
{
    const char *class = case_class_names[r->tc.class];
    *out = (struct reception){0, 0, 0};
    for (uint32_t i = 0; i < judgement->n_findings; i++) {
        const struct finding *f = &judgement->findings[i];
        const char *signature = signature_of(f, &r->ob, &r->arena).text;
        bool const is_violation = verdict_rows[f->kind].part == PART_VIOLATION;
        int64_t const n_kept = is_violation ? JOURNAL_KEEP_VIOLATIONS : JOURNAL_KEEP_DIVERGENCES;
        int64_t n_known = 0;
        enum res const res = count_known(g, class, signature, &n_known, e);
        if (signatures) {
            signatures[hash_bytes(0, signature, strlen(signature)) % GUIDED_SIGNATURES] = 1;
        }
        out->is_wanted |= n_known < n_kept;
        out->n_violations += is_violation;
        out->n_new += is_violation && n_known == 0;
        if (res != RES_OK) {
            return res;
        }
    }
    return RES_OK;
}

/* All its buckets are full: the run is one more of each, and a count. */
static enum res count_findings(struct guided *g, struct run *r, const struct judgement *judgement,
                               struct err *e)
{
    enum res res = journal_begin(g->journal, e);
    for (uint32_t i = 0; i < judgement->n_findings && res == RES_OK; i++) {
        res = db_do(journal_get_db(g->journal), e,
                    "UPDATE buckets SET n = n + 1 WHERE target_id = ? AND class = ?"
                    " AND signature = ?",
                    "itt", g->target_id, case_class_names[r->tc.class],
                    signature_of(&judgement->findings[i], &r->ob, &r->arena).text);
    }
    if (res != RES_OK) {
        return res;
    }
    return journal_flush(g->journal, e);
}

/* The whole run with what was found, as the journal keeps it. */
static enum res put_whole(struct guided *g, struct run *r, const struct judgement *judgement,
                          struct err *e)
{
    TRY(r->run_id ? RES_OK : begin_in_journal(g, r, e));
    TRY(step_end_run(g->journal, r, judgement, e));
    return journal_flush(g->journal, e);
}

static enum res put_counts(struct guided *g, struct run *r, const struct judgement *judgement,
                           struct err *e)
{
    struct run_record const record = {&r->tc, &r->ob, judgement, NULL};
    tally_add_run(g->tally, &record);
    if (judgement->n_findings > 0) {
        TRY(count_findings(g, r, judgement, e));
    }
    return forget(g, r, e);
}

/* The end of a run: into the journal as a whole, or as counts. Only then is a violation told, which may
 * end the campaign. */
static enum res put_run(struct guided *g, struct run *r, const struct judgement *judgement,
                        unsigned char *signatures, int *is_new, struct err *e)
{
    struct reception reception;
    struct tally_figures *const f = tally_get(g->tally);
    enum res res = look_up(g, r, judgement, signatures, &reception, e);
    *is_new = reception.n_new > 0;
    f->n_cases++;
    if (res != RES_OK) {
        return res;
    }
    bool const is_kept = reception.is_wanted || remark_is_slow_build(&r->tc, &r->ob);
    TRY(is_kept ? put_whole(g, r, judgement, e) : put_counts(g, r, judgement, e));
    f->n_violations += reception.n_violations;
    f->n_new += reception.n_new;
    return RES_OK;
}

/* A run that the last one left open turned out otherwise: into the journal under its own tape. */
static enum res put_late(struct guided *g, struct run *r, struct err *e)
{
    struct judgement judgement;
    int is_new = 0;
    step_judge(r, NULL, &judgement);
    r->index = take_index(g);
    r->run_id = 0;
    return put_run(g, r, &judgement, NULL, &is_new, e);
}

/* A run that the worker does not hold, its arena empty. */
static struct run *take_run(struct guided *g)
{
    struct worker_handle *s = &g->worker.handle;
    for (int i = 0; i < HANDLE_RUNS; i++) {
        if (&s->runs[i] != s->held && &s->runs[i] != s->flight) {
            handle_put_back(s, &s->runs[i]);
        }
    }
    return handle_take_run(s);
}

/* Runs that are certain by now. `current` is looked at by its owner; another one that was judged
 * already may have ended otherwise: the driver died after its reply. */
static enum res take_done(struct guided *g, const struct run *current, struct err *e)
{
    struct guided_worker *w = &g->worker;
    for (struct run *r = handle_take_done(&w->handle); r; r = handle_take_done(&w->handle)) {
        bool const is_judged = r != current && r != &w->canary.run;
        if (!is_judged || r->ob.status == w->judged[r - w->handle.runs]) {
            continue;
        }
        TRY(put_late(g, r, e));
    }
    return RES_OK;
}

/* Until a worker said hello, for as many starts as may be lost. */
static enum res start_process(struct guided *g, const struct run *current, struct err *e)
{
    struct worker_handle *s = &g->worker.handle;
    while (s->state == HANDLE_DOWN) {
        TRY(take_done(g, current, e));
        TRY(handle_start(s, e));
        tally_get(g->tally)->n_workers++;
        if (handle_wait(s) == HANDLE_EVENT_HELLO) {
            return RES_OK;
        }
        tell_trouble(g, "its worker does not start", s->message);
        if (s->n_lost >= HANDLE_MAX_LOST) {
            return err_set(e, RES_IO, "%s: does not start: %s", s->target->name, s->message);
        }
    }
    return RES_OK;
}

static enum res start(struct guided *g, const struct run *current, struct err *e)
{
    struct guided_worker *w = &g->worker;
    const char *target = g->options->target->name;
    TRY(start_process(g, current, e));
    w->canary.is_wanted = true;
    if (w->facts[0]) {
        return RES_OK;
    }
    w->facts = arena_printf(&g->arena, "%s", w->handle.facts);
    if (!w->facts[0]) {
        return err_set(e, RES_LIMIT, "%s: facts of no bytes, or too many", target);
    }
    w->listed = step_list_needs(w->facts);
    w->allowed = step_get_allowed(g->options->target, w->facts, g->options->unadvertised);
    return journal_put_target(g->journal, target, w->facts, &g->target_id, e);
}

/* Let the process end, so that what it holds is certain. */
static enum res end_softly(struct guided *g, const struct run *current, struct err *e)
{
    struct worker_handle *s = &g->worker.handle;
    if (s->state == HANDLE_IDLE) {
        handle_close(s);
    }
    while (s->state != HANDLE_DOWN) {
        (void)handle_wait(s);
    }
    return take_done(g, current, e);
}

/* Until r was answered, or its process died of it. */
static enum res run(struct guided *g, struct run *r, struct err *e)
{
    struct worker_handle *s = &g->worker.handle;
    do {
        enum res res = s->state == HANDLE_DOWN ? start(g, r, e) : RES_OK;
        if (g->options->n_edges) {
            memset(g->options->edges, 0, g->options->n_edges);
        }
        if (res != RES_OK) {
            return res;
        }
        TRY(handle_submit(s, r, e));
        (void)handle_wait(s);
        TRY(take_done(g, r, e));
    } while (s->flight == r); /* the process died of an earlier one before it took this */
    return RES_OK;
}

/* Run a case that is known to be good, to see whether the worker is still sane. A target that cannot run it
 * has none. A worker that fails it is replaced; RES_IO: new ones fail it again and again. */
static enum res run_canary(struct guided *g, struct err *e)
{
    struct guided_worker *w = &g->worker;
    const struct target *t = g->options->target;
    struct judgement judgement;
    bool is_listed = false;
    TRY(step_make_canary(&w->canary, PROFILE_ATOMICS, t, w->facts, &is_listed, e));
    if (!is_listed) {
        w->canaries.is_absent = true;
        return RES_OK;
    }
    TRY(run(g, &w->canary.run, e));
    step_judge(&w->canary.run, NULL, &judgement);
    enum canary_verdict const verdict = step_take_canary_verdict(&w->canaries, judgement.kind);
    if (verdict == CANARY_GOOD || verdict == CANARY_ABSENT) {
        return RES_OK;
    }
    const char *kind = verdict_rows[judgement.kind].name;
    tell_trouble(g, "worker replaced, its known-good case gave", kind);
    if (verdict == CANARY_BAD_AGAIN) {
        return err_set(e, RES_IO, "%s: the known-good case gave %s again and again", t->name, kind);
    }
    return end_softly(g, NULL, e);
}

/* Start the worker if there is none, so that facts are there. RES_IO: it does not start. */
static enum res need_worker(struct guided *g, struct err *e)
{
    return g->worker.facts[0] ? RES_OK : start(g, NULL, e);
}

/* What has to come before a case: a worker that had many is replaced, and the known-good case. */
static enum res prepare_worker(struct guided *g, struct run *r, struct err *e)
{
    struct guided_worker *w = &g->worker;
    if (w->handle.state == HANDLE_IDLE && w->handle.n_since_start >= STEP_RECYCLE_CASES) {
        TRY(end_softly(g, r, e));
    }
    return w->canary.is_wanted && !w->canaries.is_absent ? run_canary(g, e) : RES_OK;
}

/* The case of r to its observation. */
static enum res run_on_worker(struct guided *g, struct run *r, struct err *e)
{
    struct guided_worker *w = &g->worker;
    TRY(prepare_worker(g, r, e));
    TRY(run(g, r, e));
    w->judged[r - w->handle.runs] = r->ob.status;
    step_count_canary_case(&w->canary);
    if (step_is_trouble(&r->ob) && w->handle.state == HANDLE_IDLE) {
        return end_softly(g, r, e);
    }
    return RES_OK;
}

/* Remove what a killed process of this instance left unfinished: a run without an end is deleted, and so is its
 * tape if no finished run has it. The instance owns the case numbers from `first` to `last`. Its next case gets a
 * number above those that the journal has, also if the tally, which counts executions, is lost. */
static enum res resume_instance(struct guided *g, struct err *e)
{
    struct db *d = journal_get_db(g->journal);
    uint64_t const first = first_index(g);
    uint64_t const last = first + (range_of(g) - 1);
    struct tally_figures *f = tally_get(g->tally);
    TRY(journal_begin(g->journal, e));
    TRY(db_do(d, e,
              "DELETE FROM tapes WHERE case_index BETWEEN ?1 AND ?2 AND NOT EXISTS"
              " (SELECT 1 FROM runs r WHERE r.case_index = tapes.case_index AND r.is_done = 1)",
              "uu", first, last));
    TRY(db_do(d, e, "DELETE FROM runs WHERE case_index BETWEEN ?1 AND ?2 AND is_done = 0", "uu",
              first, last));
    struct stmt *s = db_start(
        d, "SELECT coalesce(max(case_index), 0) FROM tapes WHERE case_index BETWEEN ?1 AND ?2",
        "uu", first, last);
    if (stmt_step(s) <= 0) {
        return db_fail(d, e);
    }
    uint64_t const top = (uint64_t)stmt_int(s, 0);
    stmt_reset(s);
    /* the number of executions decides the next case number */
    if (top >= first && f->n_executions < shard_count(g->shard, top - first + 1)) {
        f->n_executions = shard_count(g->shard, top - first + 1);
    }
    return journal_flush(g->journal, e);
}

/* Journal, tally and edges of the campaign, as an earlier process of this instance left them. */
static enum res open_campaign(struct guided *g, struct err *e)
{
    const struct guided_options *o = g->options;
    const char *const tally = guided_tally_path(o->folder, o->instance, &g->arena);
    TRY(journal_join(&g->journal, o->folder, e));
    g->shard = journal_get_shard(g->journal);
    TRY(tally_open(&g->tally, tally, e));
    TRY(tally_settle(g->tally, g->journal, e));
    TRY(journal_put_target(g->journal, o->target->name, g->worker.facts, &g->target_id, e));
    TRY(resume_instance(g, e));
    return edges_open(&g->edges, o->folder, o->n_edges, o->instance, e);
}

/* Open one instance of a guided campaign, for the program that AFL++ runs, which keeps its
 * worker over many inputs. After an error *out is NULL and nothing is left open. */
enum res guided_open(struct guided **out, const struct guided_options *o, struct err *e)
{
    struct arena arena;
    arena_init(&arena, GUIDED_ARENA_BYTES);
    *out = NULL;
    struct guided *g = ARENA_NEW(&arena, struct guided, 1);
    if (!g) {
        return err_set(e, RES_NOMEM, "no memory for an instance");
    }
    g->arena = arena;
    g->options = o;
    g->flush_ns = child_now_ns();
    g->last.map = arena_take(&g->arena, GUIDED_CELLS);
    g->last.edges = arena_take(&g->arena, o->n_edges + 1);
    if (!g->last.map || !g->last.edges) {
        arena = g->arena; /* the instance's copy may have grown */
        arena_free(&arena);
        return err_set(e, RES_NOMEM, "no memory for %" PRIu32 " edges", o->n_edges);
    }
    handle_init(&g->worker.handle, o->target);
    g->worker.facts = step_first_facts(o->target, &g->arena);
    g->worker.allowed = step_get_allowed(o->target, g->worker.facts, o->unadvertised);
    arena_init(&g->worker.canary.run.arena, HANDLE_RUN_BYTES);
    enum res const r = open_campaign(g, e);
    if (r != RES_OK) {
        guided_close(g);
        return r;
    }
    *out = g;
    return RES_OK;
}

/* All CPU time so far: a kill may come at any moment. */
static void count_cpu(struct guided *g)
{
    uint64_t const self_ns = child_cpu_ns(getpid());
    tally_get(g->tally)->harness_cpu_ns += self_ns - g->cpu_self_ns;
    g->cpu_self_ns = self_ns;
}

static enum res flush(struct guided *g, struct err *e)
{
    g->flush_ns = child_now_ns();
    return tally_flush(g->tally, g->journal, g->target_id, e);
}

void guided_close(struct guided *g)
{
    if (!g) {
        return;
    }
    (void)handle_kill(&g->worker.handle);
    struct err ignored;
    if (g->tally && g->target_id != 0 && flush(g, &ignored) != RES_OK) {
        g->flush_ns = 0; /* the counts stay in the file, for the next one to move */
    }
    edges_close(&g->edges);
    journal_close(g->journal);
    tally_close(g->tally);
    handle_free(&g->worker.handle);
    arena_free(&g->worker.canary.run.arena);
    struct arena arena = g->arena;
    arena_free(&arena);
}

/* Decode the input: RES_FORMAT is its own fault. */
static enum res decode(struct guided *g, struct run *r, const void *input, size_t n, struct err *e)
{
    const struct target *t = g->options->target;
    struct tape tape;
    const char *profile = "";
    TRY(tape_parse(&tape, "input", input, n, &profile, &r->arena, e));
    TRY(t->kind == TARGET_SIM ? RES_OK : tape_set_allowed(&tape, &g->worker.allowed, &r->arena, e));
    r->tape = tape.data;
    r->n_tape = tape.n_records * TAPE_RECORD_BYTES;
    return gen_case((enum profile)profile_find(profile),
                    t->alternates ? gen_get_env(&tape) : t->env, &tape, &r->arena, &r->tc, &r->info,
                    e);
}

static enum res skip(struct guided *g, struct run *r, struct err *e)
{
    struct judgement judgement;
    r->ob.status = RUN_SKIPPED;
    r->ob.facts = g->worker.facts;
    enum res const res = judge_run(&r->tc, &r->ob, &r->arena, &judgement, e);
    tally_add_skip(g->tally, res == RES_OK ? &judgement : NULL);
    tally_get(g->tally)->n_skipped++;
    return RES_OK;
}

/* In simulation everything depends on the tape alone, so that an input behaves alike each time. */
static enum res run_case(struct guided *g, struct run *r, struct err *e)
{
    if (g->options->target->kind == TARGET_SIM) {
        step_run_sim(g->options->target, r->tc.tape_hash, r);
        return RES_OK;
    }
    TRY(begin_in_journal(g, r, e));
    return run_on_worker(g, r, e);
}

/* Is the case dispatched, whatever its build reaches? */
static int is_picked(const struct guided *g, const struct testcase *tc)
{
    return g->options->n_edges == 0 || g->options->target->compiles_late ||
           hash_bytes(GUIDED_DISPATCH_IN, &tc->tape_hash, sizeof(tc->tape_hash)) %
                   GUIDED_DISPATCH_IN ==
               0;
}

/* A case that was built alone once more, whole. It is a run of its own: the worker may still die of the
 * build. */
static enum res dispatch(struct guided *g, struct run *built, const void *input, size_t n,
                         struct run **out, struct err *e)
{
    enum res res = forget(g, built, e);
    struct run *r = take_run(g);
    *out = r;
    step_begin(r);
    r->index = built->index;
    if (res != RES_OK) {
        return res;
    }
    TRY(decode(g, r, input, n, e));
    r->tc.class = built->tc.class;
    return run_case(g, r, e);
}

/* The end of a case that ran: trouble of the harness, or a verdict. */
static enum res judge(struct guided *g, struct run *r, unsigned char *map, int *is_new,
                      struct err *e)
{
    struct judgement judgement;
    bool const is_trouble = r->ob.status == RUN_HARNESS;
    if (is_trouble) {
        set_state(map, GUIDED_TROUBLE);
        tell_trouble(g, "harness", r->ob.log);
    }
    g->n_trouble_row = is_trouble ? g->n_trouble_row + 1 : 0;
    if (g->n_trouble_row >= GUIDED_MAX_TROUBLE && g->options->target->kind == TARGET_WORKER) {
        return err_set(e, RES_IO, "%s: again and again: %.300s", g->options->target->name,
                       r->ob.log);
    }
    step_judge(r, map, &judgement);
    set_state(map, GUIDED_JUDGED);
    return put_run(g, r, &judgement, map + FEATURE_CELLS + FEATURE_CASE_CELLS, is_new, e);
}

/* Run the case of *r, or only build it. *r is then the run to be judged: the same, or, where the build reached a
 * new edge, one that was dispatched after it; NULL: nothing new came of the build, so that nothing is judged. */
static enum res run_or_build(struct guided *g, const void *input, size_t n, unsigned char *map,
                             struct run **r, struct err *e)
{
    struct run *const built = *r;
    built->is_build_only = !is_picked(g, &built->tc);
    TRY(run_case(g, built, e));
    if (built->ob.status != RUN_BUILT) {
        return RES_OK;
    }
    g->n_trouble_row = 0;
    if (edges_mark(&g->edges, g->options->edges) > 0) {
        return dispatch(g, built, input, n, r, e);
    }
    set_state(map, GUIDED_BUILT);
    tally_get(g->tally)->n_built++;
    *r = NULL;
    return forget(g, built, e);
}

/* Execute an input and set the cells of `map`: decode it, ask whether the target can run it, run and judge
 * it. A bad or skipped input sets a cell that says so. *is_new: it shows a violation that the journal did not
 * have. */
static enum res execute(struct guided *g, const void *input, size_t n, unsigned char *map,
                        int *is_new, struct err *e)
{
    struct tally_figures *f = tally_get(g->tally);
    struct run *r = take_run(g);
    step_begin(r);
    r->index = take_index(g);
    enum res const decoded = decode(g, r, input, n, e);
    if (decoded == RES_FORMAT) {
        f->n_bad++;
        set_state(map, GUIDED_BAD);
        return RES_OK;
    }
    TRY(decoded);
    TRY(g->options->target->kind == TARGET_WORKER ? need_worker(g, e) : RES_OK);
    feature_case_put(&r->info, map + FEATURE_CELLS);
    if (!step_is_wanted(g->options->target, &g->worker.listed, g->worker.facts,
                        g->options->unadvertised, r)) {
        set_state(map, GUIDED_SKIPPED);
        return skip(g, r, e);
    }
    TRY(run_or_build(g, input, n, map, &r, e));
    return r ? judge(g, r, map, is_new, e) : RES_OK; /* NULL: it was only built */
}

/* Is it the input of the last execution? Then its maps are those of then: AFL++ runs each input that is new to it
 * twice more at once, which would show nothing else. */
static int repeat_last(const struct guided *g, uint64_t hash, size_t n, unsigned char *map)
{
    const struct guided_last *l = &g->last;
    if (!l->is_there || l->hash != hash || l->n != n) {
        return 0;
    }
    memcpy(map, l->map, GUIDED_CELLS);
    if (g->options->n_edges) {
        memcpy(g->options->edges, l->edges, g->options->n_edges);
    }
    return 1;
}

/* Keep the maps of an execution for the same input at once again; shows_again: it would show the same. */
static void keep_last(struct guided *g, uint64_t hash, size_t n, bool shows_again,
                      const unsigned char *map)
{
    struct guided_last *l = &g->last;
    l->hash = hash;
    l->n = n;
    l->is_there = shows_again;
    memcpy(l->map, map, GUIDED_CELLS);
    if (g->options->n_edges) {
        memcpy(l->edges, g->options->edges, g->options->n_edges);
    }
}

/* Execute an input for AFL++ and count it. AFL++ runs an interesting input several times to see
 * whether it is stable: the same input as last time gets the same map, without a run. *is_new 1:
 * AFL++ shall keep the input. That is not said of a seed, because AFL++ requires that seeds do not
 * crash. After an error the instance is given up, and the tally says why. */
enum res guided_execute(struct guided *g, const void *input, size_t n, unsigned char *map,
                        int *is_new, struct err *e)
{
    uint64_t const hash = hash_bytes(n, input, n);
    *is_new = 0;
    if (repeat_last(g, hash, n, map)) {
        return RES_OK;
    }
    uint64_t const n_before = tally_get(g->tally)->n_violations;
    enum res r = execute(g, input, n, map, is_new, e);
    *is_new = *is_new && !seeds_have(g->options->folder, input, n);
    tally_add_cells(g->tally, map, GUIDED_CELLS);
    count_cpu(g);
    (void)edges_note(&g->edges, g->options->edges, g->worker.handle.child.pid);
    /* A failure may not repeat, so an input that had one is run and judged each time. */
    bool const is_violation = tally_get(g->tally)->n_violations != n_before;
    /* The states of an input are the last cells of the map, counted from its end (set_state). */
    bool const is_trouble = r != RES_OK || map[GUIDED_CELLS - GUIDED_TROUBLE] != 0;
    keep_last(g, hash, n, !is_violation && !is_trouble, map);
    if (r == RES_OK && child_now_ns() - g->flush_ns >= GUIDED_FLUSH_NS) {
        r = flush(g, e);
    }
    if (r != RES_OK) {
        struct tally_figures *f = tally_get(g->tally);
        f->is_given_up = 1;
        (void)snprintf(f->message, sizeof(f->message), "%s", e->text);
    }
    return r;
}
