/* fuzz/distill.c -- few and small tapes that set what many do. */
#include "fuzz/distill.h"

#include <string.h>

#include "fuzz/step.h"
#include "gen/mutate.h"

#define RUN_ARENA_BYTES ((size_t)256 << 20)
enum {
    RUN_SEED = 1,
    WORDS = DISTILL_CELL_BYTES / 8
};

static uint64_t word_of(const unsigned char *cells, uint32_t i)
{
    uint64_t w = 0;
    memcpy(&w, cells + (size_t)i * 8, 8);
    return w;
}

static uint32_t count_bits(uint64_t w)
{
    uint32_t n = 0;
    for (; w; w &= w - 1) {
        n++;
    }
    return n;
}

uint32_t distill_count(const unsigned char *cells)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        n += count_bits(word_of(cells, i));
    }
    return n;
}

void distill_add(unsigned char *all, const unsigned char *more)
{
    for (uint32_t i = 0; i < DISTILL_CELL_BYTES; i++) {
        all[i] |= more[i];
    }
}

static uint32_t count_new(const unsigned char *cells, const unsigned char *known)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        n += count_bits(word_of(cells, i) & ~word_of(known, i));
    }
    return n;
}

/* What a run in one environment showed, and its case held. */
static enum res run_in(const struct target *t, enum env env, const struct distill_tape *x,
                       struct run *r, unsigned char *map, struct err *e)
{
    struct judgement *g = NULL;
    arena_reset(&r->arena);
    step_begin(r);
    g = ARENA_NEW(&r->arena, struct judgement, 1);
    struct tape reader = x->tape;
    enum res const res =
        g ? gen_case(x->profile, env, &reader, &r->arena, &r->tc, &r->info, e) : RES_NOMEM;
    if (res != RES_OK) {
        return res;
    }
    memset(map, 0, CORPUS_CELLS);
    step_run_sim(t, RUN_SEED, r);
    step_judge(r, map, g);
    if (r->ob.status == RUN_DONE) {
        feature_case_put(&r->info, map + FEATURE_CELLS);
    } else {
        memset(map, 0, CORPUS_CELLS);
    }
    for (uint32_t i = 0; i < CORPUS_CELLS; i++) {
        x->cells[i / 8] |= (unsigned char)((map[i] != 0) << i % 8);
    }
    return RES_OK;
}

enum res distill_measure(const struct target *t, struct distill_tape *x, struct arena *a,
                         struct err *e)
{
    struct arena scratch;
    arena_init(&scratch, (size_t)1 << 20);
    struct run *r = ARENA_NEW(&scratch, struct run, 1);
    unsigned char *map = ARENA_NEW(&scratch, unsigned char, CORPUS_CELLS);
    x->cells = x->cells ? x->cells : ARENA_NEW(a, unsigned char, DISTILL_CELL_BYTES);
    if (!r || !map || !x->cells) {
        arena_free(&scratch);
        return err_set(e, RES_NOMEM, "no memory for a run");
    }
    memset(x->cells, 0, DISTILL_CELL_BYTES);
    arena_init(&r->arena, RUN_ARENA_BYTES);
    enum res res = RES_OK;
    for (int env = 0; env < ENV_N && res == RES_OK; env++) {
        res = run_in(t, (enum env)env, x, r, map, e);
    }
    arena_free(&r->arena);
    arena_free(&scratch);
    return res;
}

/* Smaller tapes of the same, one after the other, as long as the wanted cells are set. */
struct shrinker {
    const struct distill_options *o;
    const unsigned char *wanted; /* cells to keep */
    uint32_t n_wanted;
    struct arena arena[2]; /* of the best tape, and of the next */
    int current;
    struct distill_tape best, next;
};

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
    enum res const r = distill_measure(s->o->target, &s->next, a, e);
    if (r == RES_OK) {
        unsigned char lost[DISTILL_CELL_BYTES];
        for (uint32_t i = 0; i < DISTILL_CELL_BYTES; i++) {
            lost[i] = (unsigned char)(s->wanted[i] & ~s->next.cells[i]);
        }
        *is_better = smaller.n_records < s->best.tape.n_records && distill_count(lost) == 0;
    }
    return r;
}

/* By what is read in one environment. A step that is taken shows another list behind it: the same place
 * is tried again. */
static enum res shrink(struct shrinker *s, enum env env, struct err *e)
{
    enum res r = RES_OK;
    struct parent *p = NULL;
    uint32_t step = 0;
    for (uint32_t i = 0; i < s->o->max_trials / ENV_N && r == RES_OK; i++) {
        struct arena *a = &s->arena[!s->current];
        int is_better = 0;
        struct distill_tape const before = s->best;
        arena_reset(a);
        s->next = (struct distill_tape){.profile = before.profile};
        r = mutate_learn(&before.tape, before.profile, env, a, &p, e);
        r = r == RES_OK ? try_step(s, p, step, &is_better, e) : r;
        if (is_better) {
            s->best = s->next;
            s->current = !s->current;
        } else {
            step++;
        }
    }
    return r == RES_LIMIT ? RES_OK : r;
}

static int copy_out(const struct distill_tape *x, struct arena *a, struct distill_tape *out)
{
    *out = *x;
    out->tape.data = arena_copy(a, x->tape.data, x->tape.n_records * TAPE_RECORD_BYTES);
    out->cells = arena_copy(a, x->cells, DISTILL_CELL_BYTES);
    return out->tape.data && out->cells;
}

/* The chosen tape, smaller, with the cells that nobody before it sets. */
static enum res shrink_one(const struct distill_options *o, const struct distill_tape *x,
                           const unsigned char *known, struct arena *a, struct distill_tape *out,
                           struct err *e)
{
    unsigned char wanted[DISTILL_CELL_BYTES];
    struct shrinker s = {.o = o, .wanted = wanted, .best = *x};
    for (uint32_t i = 0; i < DISTILL_CELL_BYTES; i++) {
        wanted[i] = (unsigned char)(x->cells[i] & ~known[i]);
    }
    arena_init(&s.arena[0], RUN_ARENA_BYTES);
    arena_init(&s.arena[1], RUN_ARENA_BYTES);
    enum res r = shrink(&s, ENV_CL, e);
    r = r == RES_OK ? shrink(&s, ENV_VK, e) : r;
    if (r == RES_OK && !copy_out(&s.best, a, out)) {
        r = err_set(e, RES_NOMEM, "no memory for the chosen tapes");
    }
    arena_free(&s.arena[0]);
    arena_free(&s.arena[1]);
    return r;
}

/* The tape with most new cells for a record; n: none has any. */
static uint32_t find_best(const struct distill_tape *in, uint32_t n, const unsigned char *known)
{
    uint32_t best = n;
    double best_rate = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double const rate = (double)count_new(in[i].cells, known) /
                            (double)(in[i].tape.n_records + TAPE_HEAD_RECORDS);
        if (rate > best_rate) {
            best_rate = rate;
            best = i;
        }
    }
    return best;
}

enum res distill_tapes(const struct distill_options *o, const struct distill_tape *in, uint32_t n,
                       struct arena *a, struct distill_tape *out, uint32_t *n_out, struct err *e)
{
    unsigned char known[DISTILL_CELL_BYTES] = {0};
    uint64_t n_bytes = 0;
    enum res r = RES_OK;
    *n_out = 0;
    while (r == RES_OK && *n_out < o->max_tapes) {
        uint32_t const i = find_best(in, n, known);
        if (i == n) {
            break;
        }
        struct distill_tape *x = &out[*n_out];
        r = shrink_one(o, &in[i], known, a, x, e);
        n_bytes += r == RES_OK ? x->tape.n_records * TAPE_RECORD_BYTES : 0;
        if (r != RES_OK || n_bytes > o->max_bytes) {
            break;
        }
        distill_add(known, x->cells);
        (*n_out)++;
    }
    return r;
}
