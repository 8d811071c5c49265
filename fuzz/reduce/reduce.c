/* fuzz/reduce/reduce.c -- a smaller case that shows the same bug: the tape, then module, dispatch, inputs. */
#include "fuzz/reduce/reduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "fuzz/io/bundle.h"
#include "fuzz/journal/journal_finding.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/progress.h"
#include "fuzz/reduce/reduce_peer.h"
#include "fuzz/reduce/reduce_tape.h"
#include "fuzz/reduce/shrink.h"
#include "fuzz/reduce/shrink_sweep.h"
#include "fuzz/trial/trust.h"
#include "gen/print/print.h"
#include "gen/tape/profile.h"
#include "oracle/judgement/judgement.h"
#include "oracle/sim/sim_undefined.h"

#define REDUCE_ARENA_BYTES ((size_t)512 << 20)
enum {
    MAX_BATCH = TRIAL_MAX_WORKERS,
    MAX_ROUNDS = 12,
    PROGRESS_EVERY = 16,
    TEXT_BYTES = 64, /* of a part of its line */
    TAPE_SHARE = 3,  /* one part in so many of the time is for the tape */
    PEER_SHARE = 4,  /* and for spirv-reduce */
    START_TRIES = 3  /* a flaky case may keep still for once */
};
#define SAVE_EVERY_NS UINT64_C(2000000000)
#define PEER_NS       UINT64_C(60000000000) /* for spirv-reduce where there is no limit */

/* The smallest so far, in one of two arenas; a better one goes into the other. */
struct best {
    struct arena arena[2];
    int at;
    struct testcase tc;
    struct observation ob;
    struct finding finding;
    struct tape tape;
};

struct reducer {
    const struct reduce_subject *s;
    const struct reduce_options *o;
    struct trial_wanted
        wanted; /* of the subject; of candidates that they are defined, if that is */
    struct trials *trials;
    struct arena scratch; /* of one batch */
    struct best best;
    uint64_t begun_ns, deadline_ns; /* 0: no deadline */
    uint64_t saved_ns;
    uint32_t n_tried, n_accepted;
    int was_cut;
    const char *smallest;
};

static bool is_over(struct reducer *r, uint64_t deadline_ns)
{
    bool const is_stopped = child_is_asked_to_stop();
    bool const is_late = deadline_ns && child_now_ns() > deadline_ns;
    r->was_cut |= is_stopped || (is_late && deadline_ns == r->deadline_ns);
    return is_stopped || is_late;
}

static void show_progress(struct reducer *r, const char *what)
{
    char size[TEXT_BYTES], tried[TEXT_BYTES], left[TEXT_BYTES], time[PROGRESS_TIME_BYTES];
    uint64_t const now = child_now_ns();
    if (!progress_is_due(r->o->progress)) {
        return;
    }
    (void)snprintf(size, sizeof size, "%" PRIu32 " instructions of %" PRIu32,
                   shrink_count(&r->best.tc), shrink_count(&r->s->tc));
    (void)snprintf(tried, sizeof tried, "%" PRIu32 " kept of %" PRIu32 " tried", r->n_accepted,
                   r->n_tried);
    if (r->deadline_ns) {
        (void)snprintf(left, sizeof left, "at most %s left",
                       progress_time(time, r->deadline_ns > now ? r->deadline_ns - now : 0));
    } else {
        (void)snprintf(left, sizeof left, "%s", progress_time(time, now - r->begun_ns));
    }
    const char *const parts[] = {size, left, tried, what};
    progress_show(r->o->progress, parts, ARRAY_N(parts));
}

/* Copy a case, what was seen of it and what was found, so that the copies borrow nothing but from `a`. */
static enum res copy_shown(const struct testcase *tc, const struct observation *ob,
                           const struct finding *f, struct arena *a, struct testcase *tc_out,
                           struct observation *ob_out, struct finding *f_out, struct err *e)
{
    size_t n = 0, n_ob = 0;
    const unsigned char *bytes = testcase_encode(tc, a, &n);
    const unsigned char *ob_bytes = observation_encode(tc, ob, a, &n_ob);
    if (!bytes || !ob_bytes || !finding_copy(f, a, f_out)) {
        return err_set(e, RES_NOMEM, "no memory to copy a case");
    }
    TRY(testcase_decode(tc_out, a, bytes, n, e));
    return observation_decode(ob_out, tc_out, a, ob_bytes, n_ob, e);
}

/* Make a candidate that shows the bug the best case so far, with what was seen of it. It is copied out of
 * scratch into the one of two arenas that the best case so far does not lie in; that one stays whole until
 * the copy is. */
static enum res adopt(struct reducer *r, const struct testcase *tc, const struct tape *tape,
                      const struct observation *ob, const struct finding *f, struct err *e)
{
    struct best *b = &r->best;
    struct arena *a = &b->arena[!b->at];
    struct best next = {.at = !b->at};
    arena_reset(a);
    TRY(copy_shown(tc, ob, f, a, &next.tc, &next.ob, &next.finding, e));
    if (tape) {
        next.tape = *tape;
        next.tape.data = arena_copy(a, tape->data, tape->n_records * TAPE_RECORD_BYTES);
    }
    b->at = next.at;
    b->tc = next.tc;
    b->ob = next.ob;
    b->finding = next.finding;
    b->tape = next.tape;
    r->n_accepted++;
    return RES_OK;
}

/* Keep what was reached, so that a later reduction goes on from there. */
static enum res save_best(struct reducer *r, struct err *e)
{
    enum res res = RES_OK;
    struct arena a;
    struct bundle const b = {.tc = r->best.tc, .ob = r->best.ob, .has_observation = 1};
    r->saved_ns = child_now_ns();
    if (r->o->state) {
        arena_init(&a, (size_t)256 << 20);
        res = bundle_write(r->o->state, &b, &a, e);
        arena_free(&a);
    }
    return res;
}

/* A batch of candidates in scratch. */
struct batch {
    uint32_t n;
    const struct testcase *tc[MAX_BATCH];
    struct tape tape[MAX_BATCH]; /* where the tape is reduced */
    uint32_t step[MAX_BATCH];    /* of the pass that made it */
};

/* Try a batch and take over the first candidate that shows the bug; *out_first: its number, or b->n. */

static enum res try_batch(struct reducer *r, const struct batch *b, int has_tapes,
                          uint32_t *out_first, struct err *e)
{
    struct observation ob;
    struct finding f;
    enum res res = trials_find_first(r->trials, &r->wanted, &(struct trial_candidates){b->tc, b->n},
                                     &r->scratch, out_first, &ob, &f, e);
    r->n_tried += b->n;
    if (res == RES_OK && *out_first < b->n) {
        res = adopt(r, b->tc[*out_first], has_tapes ? &b->tape[*out_first] : NULL, &ob, &f, e);
        if (res == RES_OK && child_now_ns() - r->saved_ns > SAVE_EVERY_NS) {
            (void)!save_best(r, e); /* a full disk costs what is kept, not what is in hand */
        }
    }
    return res;
}

static uint32_t get_batch_size(const struct reducer *r)
{
    uint32_t const n = r->o->target->kind == TARGET_SIM ? 1 : r->o->n_workers;
    return n < 1 ? 1 : n > MAX_BATCH ? MAX_BATCH : n;
}

static bool is_illegal(const struct testcase *tc)
{
    return tc->class == CLASS_ILLEGAL;
}

/* Does it use what the target does not list, though the case that is reduced uses nothing such? */
static bool is_newly_unlisted(const struct reducer *r, const struct testcase *tc)
{
    const char *facts = trials_get_facts(r->trials);
    return facts[0] && facts_get_fit(facts, &r->s->tc.needs) == FIT_LISTED &&
           facts_get_fit(facts, &tc->needs) != FIT_LISTED;
}

/* Is it another module, and not a larger one? What is left of the inputs is for later passes. */
static bool is_progress(const struct testcase *best, const struct testcase *tc)
{
    return (tc->n_words != best->n_words ||
            memcmp(tc->module, best->module, tc->n_words * sizeof *tc->module) != 0) &&
           shrink_count(tc) <= shrink_count(best);
}

/* Add the next candidate tape to the batch: one whose case is progress over the best case. *step counts up over the
 * candidates, also over those that are passed over. False: there are no more candidates, or no memory. */
static bool add_from_tape(struct reducer *r, uint32_t *step, struct batch *b)
{
    for (;;) {
        if (b->n == 0) { /* no candidate in the batch uses the memory of those passed over */
            arena_reset(&r->scratch);
        }
        struct testcase *tc = ARENA_NEW(&r->scratch, struct testcase, 1);
        struct err ignored;
        /* below 0: there are no more steps, or no memory */
        if (!tc || reduce_tape_make(&r->best.tape, *step, &r->scratch, &b->tape[b->n]) < 0) {
            return false;
        }
        b->step[b->n] = (*step)++;
        bool const is_made =
            gen_case(r->s->profile, r->s->tc.env, &b->tape[b->n], &r->scratch, tc, NULL,
                     &ignored) == RES_OK &&
            print_set_language(tc, r->s->tc.language, &r->scratch, &ignored) == RES_OK;
        /* It must stay legal or illegal, need nothing that is newly unlisted, and be progress. */
        if (!is_made || is_illegal(tc) != is_illegal(&r->s->tc) || is_newly_unlisted(r, tc) ||
            !is_progress(&r->best.tc, tc)) {
            continue;
        }
        /* gen_case knows no device, so it cannot tell an unadvertised case from a legal one */
        tc->class = r->s->tc.class;
        b->tc[b->n++] = tc;
        return true;
    }
}

/* Try all candidates of the tape once, a batch at a time, each with one piece of it taken away. Where one is
 * taken over, the same step goes on with the smaller tape, as there it takes something else away.
 * *is_changed: any was. */
static enum res run_tape_round(struct reducer *r, uint64_t deadline, bool *is_changed,
                               struct err *e)
{
    for (uint32_t step = 0; !is_over(r, deadline);) {
        struct batch b = {.n = 0};
        uint32_t first = 0;
        while (b.n < get_batch_size(r) && add_from_tape(r, &step, &b)) {
        }
        if (b.n == 0) {
            break;
        }
        TRY(try_batch(r, &b, 1, &first, e));
        if (first < b.n) {
            step = b.step[first];
            *is_changed = true;
        }
        if (r->n_tried % PROGRESS_EVERY == 0) {
            show_progress(r, "tape");
        }
    }
    return RES_OK;
}

/* Reduce the tape, until a whole round over it changes nothing. */
static enum res reduce_tape(struct reducer *r, struct err *e)
{
    uint64_t const deadline =
        r->deadline_ns ? r->begun_ns + (r->deadline_ns - r->begun_ns) / TAPE_SHARE : 0;
    bool is_changed = true;
    for (int round = 0; is_changed && round < MAX_ROUNDS; round++) {
        is_changed = false;
        TRY(run_tape_round(r, deadline, &is_changed, e));
    }
    (void)!save_best(r, e);
    return RES_OK;
}

/* Fill the batch with the pass's candidates from *step on. False: no later step has one. */
static bool fill_batch(struct reducer *r, const struct shrink_pass *pass, uint32_t *step,
                       struct batch *b)
{
    while (b->n < get_batch_size(r)) {
        struct testcase *tc = ARENA_NEW(&r->scratch, struct testcase, 1);
        int const made = tc ? shrink_try(pass, &r->best.tc, *step, &r->scratch, tc) : -1;
        if (made < 0) {
            return false;
        }
        struct err ignored; /* no words for it in the case's language: no candidate */
        if (made > 0 &&
            print_set_language(tc, r->best.tc.language, &r->scratch, &ignored) == RES_OK) {
            b->step[b->n] = *step;
            b->tc[b->n++] = tc;
        }
        (*step)++;
    }
    return true;
}

/* Try all candidates of one pass over the module, dispatch or inputs, from coarse to fine, a batch at a time.
 * Where one is taken over, the same step goes on with the smaller case. *is_changed: any was. */
static enum res run_pass(struct reducer *r, const struct shrink_pass *pass, bool *is_changed,
                         struct err *e)
{
    for (uint32_t step = 0; !is_over(r, r->deadline_ns);) {
        struct batch b = {.n = 0};
        uint32_t first = 0;
        arena_reset(&r->scratch);
        bool const has_more = fill_batch(r, pass, &step, &b);
        if (b.n == 0) {
            return RES_OK;
        }
        TRY(try_batch(r, &b, 0, &first, e));
        if (first < b.n) {
            step = b.step[first];
            *is_changed = true;
        } else if (!has_more) {
            return RES_OK;
        }
        show_progress(r, pass->name);
    }
    return RES_OK;
}

/* All passes over the case, until a round of them changes nothing. */
static enum res reduce_case(struct reducer *r, struct err *e)
{
    enum res res = RES_OK;
    bool is_changed = true;
    for (int round = 0; is_changed && round < MAX_ROUNDS && res == RES_OK; round++) {
        is_changed = false;
        for (int p = 0; p < SHRINK_PASS_N && res == RES_OK; p++) {
            res = run_pass(r, shrink_passes[p], &is_changed, e);
        }
        (void)!save_best(r, e);
    }
    return res;
}

/* Let spirv-reduce try what is left, for a part of the time that is left. Its result is kept if it is smaller
 * and, tried once more here, still shows the bug; r->smallest says who got there. */
static enum res try_peer(struct reducer *r, struct err *e)
{
    struct batch b = {.n = 1};
    struct testcase tc;
    uint32_t first = 0;
    uint64_t const now = child_now_ns();
    uint64_t const left = r->deadline_ns > now ? r->deadline_ns - now : 0;
    uint64_t const limit = r->deadline_ns ? left / PEER_SHARE : PEER_NS;
    arena_reset(&r->scratch);
    if (!r->o->tries_spirv_reduce || limit == 0) {
        return RES_OK;
    }
    if (!reduce_try_peer(r->o, &r->wanted, &r->best.tc, &r->best.ob, limit, &r->scratch, &tc) ||
        shrink_count(&tc) >= shrink_count(&r->best.tc)) {
        return RES_OK;
    }
    b.tc[0] = &tc;
    enum res const res = try_batch(r, &b, 0, &first, e);
    if (res == RES_OK && first == 0) {
        r->smallest = "spirv-reduce";
    }
    return res;
}

/* Read what an earlier reduction left in the folder of the state. Of that only case.bin is read, which is
 * written at once: the other files may be halfway of another case. NULL: there is none, it is no smaller
 * form of the subject, or it is not to be trusted. */
static const struct testcase *read_left(struct reducer *r)
{
    struct err ignored;
    enum trust trust;
    struct bundle *left = ARENA_NEW(&r->scratch, struct bundle, 1);
    if (!r->o->state || !left) {
        return NULL;
    }
    const char *file = arena_printf(&r->scratch, "%s/case.bin", r->o->state);
    if (bundle_read(file, &r->scratch, left, &ignored) != RES_OK || left->tc.env != r->s->tc.env ||
        shrink_count(&left->tc) > shrink_count(&r->s->tc)) {
        return NULL;
    }
    bool const may_run = trust_case(file, &left->tc, NULL, r->o->is_trusted, &trust, &r->scratch,
                                    &ignored) == RES_OK;
    return may_run ? &left->tc : NULL;
}

/* Try what an earlier reduction left. */
static enum res try_left(struct reducer *r, bool *is_shown, struct err *e)
{
    struct batch b = {.n = 1};
    uint32_t first = 1;
    *is_shown = false;
    b.tc[0] = read_left(r);
    if (!b.tc[0]) {
        return RES_OK;
    }
    enum res const res = try_batch(r, &b, 0, &first, e);
    *is_shown = res == RES_OK && first == 0;
    return res;
}

/* Start with what an earlier reduction left, if that still shows the bug, else with the subject. */
static enum res choose_start(struct reducer *r, struct err *e)
{
    struct batch b = {.n = 1};
    bool is_shown = false;
    enum res res = try_left(r, &is_shown, e);
    if (res != RES_OK || is_shown) {
        return res;
    }
    b.tc[0] = &r->s->tc;
    b.tape[0] = r->s->tape;
    for (int i = 0; i < START_TRIES; i++) {
        uint32_t first = 1;
        res = try_batch(r, &b, r->s->has_tape, &first, e);
        if (res != RES_OK || first == 0) {
            return res;
        }
    }
    return err_set(e, RES_USAGE, "%s: the case does not show the bug", r->o->target->name);
}

static enum res fill_result(struct reducer *r, struct arena *a, struct reduce_result *out,
                            struct err *e)
{
    *out = (struct reduce_result){.n_before = shrink_count(&r->s->tc),
                                  .n_after = shrink_count(&r->best.tc),
                                  .n_tried = r->n_tried,
                                  .n_accepted = r->n_accepted - 1,
                                  .wall_ns = child_now_ns() - r->begun_ns,
                                  .was_cut = r->was_cut,
                                  .smallest = r->smallest};
    return copy_shown(&r->best.tc, &r->best.ob, &r->best.finding, a, &out->tc, &out->ob,
                      &out->finding, e);
}

/* Tape, case, peer; `smallest` tells which of them had the last word. The first case that is accepted is the
 * start itself. The time, a signal, or a target that does not start any more ends the search, not what it found. */
static enum res reduce_all(struct reducer *r, struct err *e)
{
    enum res res = r->best.tape.data ? reduce_tape(r, e) : RES_OK;
    uint32_t const n_of_tape = r->n_accepted;
    if (res == RES_OK) {
        res = reduce_case(r, e);
    }
    if (n_of_tape > 1 && r->n_accepted == n_of_tape) {
        r->smallest = "tape";
    }
    if (res == RES_OK) {
        res = try_peer(r, e);
    }
    bool const is_cut = res == RES_IO || res == RES_LIMIT;
    r->was_cut |= is_cut;
    return is_cut ? RES_OK : res;
}

enum res reduce_load_finding(struct journal *j, uint32_t gen_version, int64_t finding_id,
                             uint64_t case_index, struct arena *a, struct reduce_subject *s,
                             struct err *e)
{
    struct err ignored;
    const unsigned char *tape = NULL;
    size_t n = 0;
    enum res const r = journal_get_case(j, finding_id, a, &s->tc, &s->ob, e);
    int const profile = r == RES_OK ? profile_find(s->tc.profile) : -1;
    if (gen_version == GEN_VERSION && profile >= 0 &&
        journal_get_tape(j, case_index, a, &tape, &n, &ignored) == RES_OK) {
        s->has_tape = 1;
        s->profile = (enum profile)profile;
        s->tape = (struct tape){.data = tape, .n_records = n / TAPE_RECORD_BYTES};
    }
    return r;
}

/* Find a smaller case that still shows the bug of `s`, into *out. The case as given is run first: RES_USAGE if it
 * does not show the bug. The smallest case found until the time is up is the result. */
enum res reduce_run(const struct reduce_subject *s, const struct reduce_options *o, struct arena *a,
                    struct reduce_result *out, struct err *e)
{
    uint64_t const now = child_now_ns();
    /* .smallest: the passes on the case, unless the tape or spirv-reduce has the last word. */
    struct reducer r = {.s = s,
                        .wanted = s->wanted,
                        .o = o,
                        .begun_ns = now,
                        .deadline_ns = o->max_ns ? now + o->max_ns : 0,
                        .smallest = "halfulp"};
    enum res res = trials_open(&r.trials, o->target, o->n_workers, e);
    arena_init(&r.scratch, REDUCE_ARENA_BYTES);
    arena_init(&r.best.arena[0], REDUCE_ARENA_BYTES);
    arena_init(&r.best.arena[1], REDUCE_ARENA_BYTES);
    if (res == RES_OK) {
        trials_set_deadline(r.trials, r.deadline_ns);
        res = choose_start(&r, e);
    }
    if (res == RES_OK) {
        res =
            save_best(&r, e); /* tried early, as a search whose result cannot be saved is useless */
    }
    if (res == RES_OK) {
        arena_reset(&r.scratch);
        /* a case without undefined behaviour must not be reduced to one that has some */
        r.wanted.must_be_defined = sim_find_undefined(&s->tc, 1, &r.scratch) == UNDEFINED_NONE;
        res = reduce_all(&r, e);
    }
    progress_clear(o->progress);
    if (res == RES_OK) {
        res = fill_result(&r, a, out, e);
    }
    arena_free(&r.best.arena[0]);
    arena_free(&r.best.arena[1]);
    arena_free(&r.scratch);
    trials_close(r.trials);
    return res;
}
