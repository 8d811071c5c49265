/* fuzz/campaign/minimise.c -- few and small tapes that set all cells of the map that many tapes set. */
#include "fuzz/campaign/minimise.h"

#include <string.h>

#include "fuzz/campaign/feature_case.h"
#include "fuzz/campaign/step.h"
#include "gen/case/gen.h"
#include "gen/mutate/mutate.h"
#include "gen/mutate/mutate_trim.h"
#include "gen/mutate/parent.h"
#include "oracle/judge/judge.h"

#define RUN_ARENA_BYTES ((size_t)256 << 20)
enum {
    RUN_SEED = 1
};

static int has(const unsigned char *set, uint32_t cell)
{
    return set[cell / 8] >> cell % 8 & 1;
}

static uint32_t count_new(const unsigned char *set, const struct minimise_tape *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_cells; i++) {
        n += !has(set, x->cell[i]);
    }
    return n;
}

uint32_t minimise_add(unsigned char *set, const struct minimise_tape *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_cells; i++) {
        uint32_t const cell = x->cell[i];
        n += !has(set, cell);
        set[cell / 8] |= (unsigned char)(1U << cell % 8);
    }
    return n;
}

/* ---- what a tape shows ---- */

struct measure {
    const struct target *target;
    struct run *r;
    unsigned char *map;   /* [CORPUS_CELLS] */
    unsigned char *pairs; /* [FEATURE_PAIR_BYTES] */
    unsigned char *set;   /* [MINIMISE_SET_BYTES]: of both environments */
};

static enum res measure_make(struct measure *m, const struct target *t, struct arena *a,
                             struct err *e)
{
    *m = (struct measure){.target = t,
                          .r = ARENA_NEW(a, struct run, 1),
                          .map = ARENA_NEW(a, unsigned char, CORPUS_CELLS),
                          .pairs = ARENA_NEW(a, unsigned char, FEATURE_PAIR_BYTES),
                          .set = ARENA_NEW(a, unsigned char, MINIMISE_SET_BYTES)};
    return m->r && m->map && m->pairs && m->set ? RES_OK
                                                : err_set(e, RES_NOMEM, "no memory for a run");
}

/* Simulate the case that the tape gives in one environment, and add to the bit set m->set the cells that its
 * run sets: those of the judgement, those of the case, and pairs of the judgement's features. A case that
 * cannot be judged or was not run sets none, which is no error. */
static enum res run_in(struct measure *m, enum env env, const struct minimise_tape *x,
                       struct err *e)
{
    struct run *const r = m->r;
    arena_reset(&r->arena);
    step_begin(r);
    struct judgement *const g = ARENA_NEW(&r->arena, struct judgement, 1);
    struct tape reader = x->tape;
    TRY(g ? gen_case(x->profile, env, &reader, &r->arena, &r->tc, &r->info, e) : RES_NOMEM);
    memset(m->map, 0, CORPUS_CELLS);
    step_run_sim(m->target, RUN_SEED, r);
    enum res res = judge_run_mapped(&r->tc, &r->ob, m->map, m->pairs, &r->arena, g, NULL);
    if (res != RES_OK || r->ob.status != RUN_DONE) {
        return RES_OK; /* too large to be judged, or not run: it shows nothing */
    }
    feature_case_put(&r->info, m->map + FEATURE_CELLS);
    for (uint32_t i = 0; i < CORPUS_CELLS; i++) {
        m->set[i / 8] |= (unsigned char)((m->map[i] != 0) << i % 8);
    }
    for (uint32_t i = 0; i < FEATURE_PAIR_BYTES; i++) {
        m->set[CORPUS_CELLS / 8 + i] |= m->pairs[i];
    }
    return RES_OK;
}

static enum res list_cells(const unsigned char *set, struct arena *a, struct minimise_tape *x,
                           struct err *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < MINIMISE_SET_BYTES; i++) {
        n += (uint32_t)__builtin_popcount(set[i]);
    }
    x->cell = ARENA_NEW(a, uint32_t, n + 1);
    x->n_cells = 0;
    for (uint32_t i = 0; x->cell && i < MINIMISE_SET_BYTES; i++) {
        for (unsigned rest = set[i]; rest; rest &= rest - 1) {
            x->cell[x->n_cells++] = i * 8 + (uint32_t)__builtin_ctz(rest);
        }
    }
    return x->cell ? RES_OK : err_set(e, RES_NOMEM, "no memory for the cells of a tape");
}

/* Find which cells a tape sets in both environments, as a list in x->cell. The run is a simulated one on
 * target t. */
enum res minimise_measure(const struct target *t, struct minimise_tape *x, struct arena *a,
                          struct err *e)
{
    struct arena scratch;
    struct measure m;
    arena_init(&scratch, (size_t)4 << 20);
    enum res res = measure_make(&m, t, &scratch, e);
    if (res != RES_OK) {
        goto done;
    }
    arena_init(&m.r->arena, RUN_ARENA_BYTES);
    for (int env = 0; env < ENV_N && res == RES_OK; env++) {
        res = run_in(&m, (enum env)env, x, e);
    }
    arena_free(&m.r->arena);
    if (res == RES_OK) {
        res = list_cells(m.set, a, x, e);
    }
done:
    arena_free(&scratch);
    return res;
}

/* ---- smaller ones ---- */

/* Smaller tapes of the same, one after the other, as long as the wanted cells are set. */
struct shrinker {
    const struct minimise_options *o;
    const uint32_t *wanted; /* cells to keep, rising */
    uint32_t n_wanted;
    struct arena arena[2]; /* of the best tape, and of the next */
    int current;
    struct minimise_tape best, next;
};

/* Are all n wanted cells among the tape's? Both lists rise. */
static int has_all(const struct minimise_tape *x, const uint32_t *wanted, uint32_t n)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < x->n_cells && at < n; i++) {
        at += x->cell[i] == wanted[at];
    }
    return at == n;
}

/* Measure candidate `step` of the tape. RES_LIMIT: there is none any more. */
static enum res try_step(struct shrinker *s, struct parent *p, uint32_t step, int *is_better,
                         struct err *e)
{
    struct arena *a = &s->arena[!s->current];
    struct tape smaller;
    *is_better = 0;
    int const found = mutate_trim(p, step, a, &smaller);
    if (found <= 0) {
        return found < 0 ? err_set(e, RES_NOMEM, "no memory for a smaller tape") : RES_LIMIT;
    }
    s->next.tape = smaller;
    enum res const r = minimise_measure(s->o->target, &s->next, a, e);
    *is_better = r == RES_OK && smaller.n_records < s->best.tape.n_records &&
                 has_all(&s->next, s->wanted, s->n_wanted);
    return r;
}

/* Make s->best smaller with at most max_trials / ENV_N candidates. A candidate is the best tape without some of the
 * records that a case of environment `env` reads. It becomes the best tape if it still sets all wanted cells. The list
 * of candidates depends on the best tape, so after a success the same step is tried again, on the new list. Each
 * candidate is made in the arena that does not hold the best tape. RES_LIMIT from a step: no candidates are left. */
static enum res shrink(struct shrinker *s, enum env env, struct err *e)
{
    uint32_t step = 0;
    for (uint32_t i = 0; i < s->o->max_trials / ENV_N; i++) {
        struct arena *a = &s->arena[!s->current];
        struct parent *parent = NULL;
        int is_better = 0;
        struct minimise_tape const before = s->best;
        arena_reset(a);
        s->next = (struct minimise_tape){.profile = before.profile};
        enum res r = mutate_learn(&before.tape, before.profile, env, a, &parent, e);
        if (r == RES_OK) {
            r = try_step(s, parent, step, &is_better, e);
        }
        if (r != RES_OK) {
            return r == RES_LIMIT ? RES_OK : r;
        }
        if (is_better) {
            s->best = s->next;
            s->current = !s->current; /* the arena that now holds the best tape */
        } else {
            step++;
        }
    }
    return RES_OK;
}

static int copy_out(const struct minimise_tape *x, struct arena *a, struct minimise_tape *out)
{
    *out = *x;
    out->tape.data = arena_copy(a, x->tape.data, x->tape.n_records * TAPE_RECORD_BYTES);
    out->cell = arena_copy(a, x->cell, x->n_cells * sizeof *x->cell);
    return out->tape.data && out->cell;
}

/* Make a chosen tape smaller, into *out. The result still sets those of its cells that no tape
 * chosen earlier sets; `known` has the cells of the earlier ones. */
static enum res shrink_one(const struct minimise_options *o, const struct minimise_tape *chosen,
                           const unsigned char *known, struct arena *a, struct minimise_tape *out,
                           struct err *e)
{
    uint32_t *const wanted = ARENA_NEW(a, uint32_t, chosen->n_cells + 1);
    struct shrinker s = {.o = o, .wanted = wanted, .best = *chosen};
    if (!wanted) {
        return err_set(e, RES_NOMEM, "no memory for the chosen tapes");
    }
    for (uint32_t i = 0; i < chosen->n_cells; i++) {
        wanted[s.n_wanted] = chosen->cell[i];
        s.n_wanted += !has(known, chosen->cell[i]);
    }
    arena_init(&s.arena[0], RUN_ARENA_BYTES);
    arena_init(&s.arena[1], RUN_ARENA_BYTES);
    enum res r = shrink(&s, ENV_CL, e);
    if (r == RES_OK) {
        r = shrink(&s, ENV_VK, e);
    }
    if (r == RES_OK && !copy_out(&s.best, a, out)) {
        r = err_set(e, RES_NOMEM, "no memory for the chosen tapes");
    }
    arena_free(&s.arena[0]);
    arena_free(&s.arena[1]);
    return r;
}

/* ---- the choice ---- */

struct choice {
    unsigned char *known;    /* [MINIMISE_SET_BYTES] */
    unsigned char *is_taken; /* of each tape */
    double *rate;            /* likewise, when it was looked at last */
};

static double rate_of(const struct minimise_tape *x, const unsigned char *known)
{
    return (double)count_new(known, x) / (double)(x->tape.n_records + TAPE_HEAD_RECORDS);
}

/* The tape with most new cells for a record; n: none has any. A rate never rises: `rate` is what each had
 * when it was looked at last, and only one that could be the best is looked at again. */
static uint32_t find_best(const struct minimise_tape *in, uint32_t n, const unsigned char *known,
                          double *rate)
{
    for (;;) {
        uint32_t best = n;
        for (uint32_t i = 0; i < n; i++) {
            best = rate[i] > (best < n ? rate[best] : 0.0) ? i : best;
        }
        if (best == n) {
            return n;
        }
        double const before = rate[best];
        rate[best] = rate_of(&in[best], known);
        if (rate[best] >= before) {
            return best;
        }
    }
}

/* Begin a round: only the ignored cells are known, and each tape that is not taken gets its rate. Returns how
 * many tapes have a rate above 0. */
static uint32_t begin_round(const struct minimise_options *o, const struct minimise_tape *in,
                            uint32_t n, struct choice *c)
{
    uint32_t n_left = 0;
    memset(c->known, 0, MINIMISE_SET_BYTES);
    if (o->ignored) {
        memcpy(c->known, o->ignored, MINIMISE_SET_BYTES);
    }
    for (uint32_t i = 0; i < n; i++) {
        c->rate[i] = c->is_taken[i] ? 0.0 : rate_of(&in[i], c->known);
        n_left += c->rate[i] > 0;
    }
    return n_left;
}

/* Choose tapes by greedy set cover, in rounds: take the tape with the most new cells per record,
 * make it smaller, and count its cells as known. When no tape has a new cell, the next round covers
 * all cells once more with the tapes that are left. The choice ends when no tape is left, at
 * max_tapes, or before the tape that would exceed max_bytes. */
static enum res choose(const struct minimise_options *o, const struct minimise_tape *in, uint32_t n,
                       struct choice *c, struct arena *a, struct minimise_tape *out,
                       uint32_t *n_out, struct err *e)
{
    uint64_t n_bytes = 0;
    uint32_t n_left = begin_round(o, in, n, c);
    while (*n_out < o->max_tapes && n_left > 0) {
        uint32_t const i = find_best(in, n, c->known, c->rate);
        if (i == n) { /* no tape has a new cell */
            n_left = begin_round(o, in, n, c);
            continue;
        }
        c->is_taken[i] = 1;
        c->rate[i] = 0.0; /* find_best passes over it */
        struct minimise_tape *shrunk = &out[*n_out];
        TRY(shrink_one(o, &in[i], c->known, a, shrunk, e));
        n_bytes += shrunk->tape.n_records * TAPE_RECORD_BYTES;
        if (n_bytes > o->max_bytes) {
            break;
        }
        (void)minimise_add(c->known, shrunk);
        (*n_out)++;
    }
    return RES_OK;
}

enum res minimise_tapes(const struct minimise_options *o, const struct minimise_tape *in,
                        uint32_t n, struct arena *a, struct minimise_tape *out, uint32_t *n_out,
                        struct err *e)
{
    struct choice c = {.known = ARENA_NEW(a, unsigned char, MINIMISE_SET_BYTES),
                       .is_taken = ARENA_NEW(a, unsigned char, n + 1),
                       .rate = ARENA_NEW(a, double, n + 1)};
    *n_out = 0;
    return c.known && c.is_taken && c.rate
               ? choose(o, in, n, &c, a, out, n_out, e)
               : err_set(e, RES_NOMEM, "no memory for the choice of tapes");
}
