/* fuzz/kernel/kernel_case.c -- a case of a kernel. */
#include "fuzz/kernel/kernel_case.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/kernel/kernel_clean.h"
#include "fuzz/kernel/kernel_guess.h"
#include "fuzz/kernel/kernel_prune.h"
#include "fuzz/kernel/kernel_type.h"
#include "fuzz/trial/foreign.h"
#include "oracle/judgement/judgement.h"
#include "oracle/sim/sim_undefined.h"
#include "oracle/tables/tables.h"
#include "oracle/vouch/vouch.h"

#define SEARCH_ARENA_BYTES ((size_t)1 << 30)
enum {
    MAX_GUESSES = 160, /* cases that are tried */
    MAX_LOST = 16
};

/* Each buffer's name, by OpName of the module as it was built. */
static void name_buffers(struct kernel *k, struct arena *a)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(k->built.words, k->built.n_words, &offset, &in) && in.op != SpvOpFunction) {
        for (uint32_t i = 0; in.op == SpvOpName && i < k->shape.n_bufs; i++) {
            uint32_t const number = k->shape.bufs[i].number;
            uint32_t const id = k->shape.env == ENV_CL && number < k->args.n
                                    ? k->args.row[number].id
                                    : k->shape.bufs[i].id;
            const char *const name = kernel_read_string(&in, 2, a);
            bool const is_block = k->shape.env == ENV_VK && !k->shape.bufs[i].name[0] &&
                                  k->shape.bufs[i].type == spv_get_word(&in, 1);
            if (name[0] &&
                (id == spv_get_word(&in, 1) || is_block)) { /* a block may have no other */
                k->shape.bufs[i].name = name;
            }
        }
    }
}

/* Arguments that no case can give become what it can: the shape is that of the module then. */
static enum res rewrite_arguments(struct kernel *k, struct arena *a, struct err *e)
{
    uint32_t at = 0;
    kernel_args_read(&k->types.index, k->shape.function, &k->args);
    if (!kernel_args_is_changed(&k->args)) {
        return RES_OK;
    }
    TRY(kernel_args_rewrite(k->words, k->n_words, k->shape.function, &k->args, a, &k->words,
                            &k->n_words, e));
    TRY(kernel_shape_read(k->path, k->built.env, k->words, k->n_words, k->shape.entry, a, &k->types,
                          &k->shape, e));
    for (uint32_t i = 0; i < k->args.n; i++) {
        if (k->args.row[i].kind != KERNEL_ARG_LOCAL && at < k->shape.n_bufs) {
            k->shape.bufs[at].number = i;
            k->shape.bufs[at].is_by_value = k->args.row[i].kind == KERNEL_ARG_STRUCT;
            if (k->shape.bufs[at].is_by_value) { /* one, whose fields lie as they do in memory */
                k->shape.bufs[at].fixed_bytes = k->shape.bufs[at].element_bytes;
                k->shape.bufs[at].element_bytes = 0;
            }
            at++;
        }
    }
    return RES_OK;
}

enum res kernel_open(const char *path, const struct kernel_wishes *w, struct arena *a,
                     struct kernel *out, struct err *e)
{
    struct kernel_module built;
    TRY(kernel_build(path, w->compiler_options, a, &built, e));
    return kernel_open_built(path, &built, w, a, out, e);
}

/* The specialization constants of the user, and the module that has their values, of which the shape is read. */
static enum res read_specs(struct kernel *k, const struct kernel_wishes *w, struct arena *a,
                           const uint32_t **specialized, struct err *e)
{
    *specialized = k->words;
    for (uint32_t i = 0; i < w->n_specs; i++) {
        TRY(kernel_spec_read(k->path, k->words, k->n_words, &w->specs[i], a, &k->specs[i], e));
        k->n_specs++;
    }
    if (k->n_specs) {
        *specialized = kernel_spec_apply(k->words, k->n_words, k->specs, k->n_specs, a);
    }
    return *specialized ? RES_OK : err_set(e, RES_NOMEM, "%s: no room for the module", k->path);
}

enum res kernel_open_built(const char *path, const struct kernel_module *built,
                           const struct kernel_wishes *w, struct arena *a, struct kernel *out,
                           struct err *e)
{
    const uint32_t *specialized = NULL;
    *out = (struct kernel){.path = path, .built = *built};
    TRY(kernel_prune(path, built->env, built->words, built->n_words, w->entry, a, &out->words,
                     &out->n_words, e));
    TRY(kernel_clean(path, built->env, out->words, out->n_words, a, &out->words, &out->n_words, e));
    TRY(read_specs(out, w, a, &specialized, e));
    TRY(kernel_shape_read(path, out->built.env, specialized, out->n_words, w->entry, a, &out->types,
                          &out->shape, e));
    TRY(rewrite_arguments(out, a, e));
    name_buffers(out, a);
    return RES_OK;
}

/* ---- the inputs ---- */

/* What became of a guess. */
struct trial {
    bool is_made, is_vouched;
    enum undefined_kind undefined; /* as the simulated device runs it */
    bool is_followed;              /* the interpreter follows it to its end */
    uint32_t n_judged, n_confined;
    struct err why; /* of what was not made or is not vouched for */
};
static const struct {
    enum kernel_content content;
    double number;
} contents[] = {
    {KERNEL_CONTENT_DRAWN,     0},
    {KERNEL_CONTENT_ASCENDING, 0},
    {KERNEL_CONTENT_EQUAL,     0},
    {KERNEL_CONTENT_EQUAL,     1}
};
static const struct {
    uint32_t n;
    bool is_row;
} locals[] = {
    {0,   false},
    {256, false},
    {64,  true },
    {16,  false},
    {1,   false},
    {32,  true },
    {4,   false}
};
static const struct {
    uint32_t count;
    bool is_falling;
} counts[] = {
    {0,  false},
    {0,  true },
    {1,  false},
    {16, false},
    {4,  false}
};
static const uint32_t factors[] = {1, 4, 32, 256, 4096};

struct search {
    struct kernel *k;
    const struct kernel_wishes *w;
    uint64_t seed;
    uint64_t seen[MAX_GUESSES]; /* hashes of the cases that were tried */
    uint32_t n_seen;
    uint32_t
        n_lost; /* trials that the interpreter could not follow, for another reason than sizes */
    bool is_closed[ARRAY_N(contents)][ARRAY_N(locals)][ARRAY_N(counts)]
                  [2];    /* more elements do not help */
    struct arena scratch; /* of one trial */
    struct kernel_guess best;
    int best_grade;
    struct trial best_trial;
};

/* How good a trial is; GRADE_BEST ends the search. */
enum {
    GRADE_NONE,
    GRADE_MADE,    /* it has no defined behaviour */
    GRADE_DEFINED, /* not that anything were known to be undefined */
    GRADE_VOUCHED, /* it may be run, and has no defined behaviour or stores nothing */
    GRADE_JUDGED,  /* values of it are judged, but it cannot be vouched for */
    GRADE_BEST
};
static int grade(const struct trial *t)
{
    bool const is_judged = !t->undefined && t->n_judged > 0;
    return !t->is_made                  ? GRADE_NONE
           : is_judged && t->is_vouched ? GRADE_BEST
           : is_judged                  ? GRADE_JUDGED
           : t->is_vouched              ? GRADE_VOUCHED
           : t->undefined               ? GRADE_MADE
                                        : GRADE_DEFINED;
}

/* Do more elements help? An access was out of bounds, or may be. */
static bool is_of_bounds(const struct trial *t)
{
    return t->is_made && (t->undefined == UNDEFINED_OUT_OF_BOUNDS ||
                          (!t->is_vouched && strstr(t->why.text, "bounds")));
}

static uint64_t hash_case(const struct testcase *tc)
{
    uint64_t h = hash_bytes(0, tc->module, tc->n_words * sizeof *tc->module);
    h = hash_bytes(h, tc->global, sizeof tc->global);
    h = hash_bytes(h, tc->local, sizeof tc->local);
    for (uint32_t i = 0; i < tc->n_bufs; i++) {
        h = hash_bytes(h, tc->bufs[i].data, tc->bufs[i].n_bytes);
    }
    return h;
}

static bool has_seen(struct search *s, const struct testcase *tc)
{
    uint64_t const h = hash_case(tc);
    for (uint32_t i = 0; i < s->n_seen; i++) {
        if (s->seen[i] == h) {
            return true;
        }
    }
    s->seen[s->n_seen++] = h;
    return false;
}

/* False: the case was tried before. */
static bool try_guess(struct search *s, const struct kernel_guess *g, struct trial *out)
{
    struct testcase tc;
    *out = (struct trial){
        .why = {RES_OK, ""}
    };
    arena_reset(&s->scratch);
    struct judgement *const judgement = ARENA_NEW(&s->scratch, struct judgement, 1);
    out->is_made = judgement &&
                   kernel_guess_make(s->k, s->w, g, s->seed, &s->scratch, &tc, &out->why) == RES_OK;
    if (!out->is_made) {
        return true;
    }
    if (has_seen(s, &tc)) {
        return false;
    }
    (void)foreign_classify(&tc, &s->scratch); /* for what it needs of a device */
    out->is_followed = sim_judge(&tc, s->seed, &s->scratch, judgement) &&
                       judgement->kind != VERDICT_INCONCLUSIVE &&
                       verdict_rows[judgement->kind].part != PART_VIOLATION;
    out->undefined = judgement->undefined;
    out->n_judged = judgement->n_judged;
    out->n_confined = judgement->n_judged - judgement->n_anything;
    out->is_vouched =
        out->undefined != UNDEFINED_OUT_OF_BOUNDS && vouch_case(&tc, &out->why) == RES_OK;
    return true;
}

/* Remembers the guess if it is better than all before. False: the search is over. */
static bool consider(struct search *s, const struct kernel_guess *g, const struct trial *t)
{
    if (grade(t) > s->best_grade) {
        s->best = *g;
        s->best_grade = grade(t);
        s->best_trial = *t;
    }
    s->n_lost += t->is_made && !t->undefined && !t->is_followed && !is_of_bounds(t);
    return s->best_grade < GRADE_BEST && s->n_lost < MAX_LOST && s->n_seen < MAX_GUESSES;
}

/* The indices of a guess in the lists above. */
struct ranks {
    size_t content, local, count, factor;
    bool is_one_group;
};

/* False: the search is over. More elements are tried only where those before were too few. */
static bool try_ranks(struct search *s, const struct ranks *r)
{
    bool *const is_closed = &s->is_closed[r->content][r->local][r->count][r->is_one_group];
    struct kernel_guess const g = {.content = contents[r->content].content,
                                   .content_number = contents[r->content].number,
                                   .local = locals[r->local].n,
                                   .is_row = locals[r->local].is_row,
                                   .is_one_group = r->is_one_group,
                                   .factor = factors[r->factor],
                                   .count = counts[r->count].count,
                                   .is_falling = counts[r->count].is_falling};
    struct trial t;
    if (*is_closed) {
        return true;
    }
    if (!try_guess(s, &g, &t)) {
        *is_closed = true;
        return true;
    }
    *is_closed = !is_of_bounds(&t);
    return consider(s, &g, &t);
}

/* All guesses, those first that differ least from the usual one. */
static void search_all(struct search *s)
{
    size_t const n_inner = ARRAY_N(locals) * ARRAY_N(counts) * ARRAY_N(factors) * 2;
    size_t const most =
        ARRAY_N(contents) + ARRAY_N(locals) + ARRAY_N(counts) + ARRAY_N(factors) + 2;
    for (size_t rank = 0; rank < most; rank++) {
        for (size_t n = 0; n < ARRAY_N(contents) * n_inner; n++) {
            size_t rest = n;
            struct ranks r;
            r.is_one_group = rest % 2;
            rest /= 2;
            r.factor = rest % ARRAY_N(factors);
            rest /= ARRAY_N(factors);
            r.count = rest % ARRAY_N(counts);
            rest /= ARRAY_N(counts);
            r.local = rest % ARRAY_N(locals);
            r.content = rest / ARRAY_N(locals);
            if (r.content + r.local + r.count + r.factor + r.is_one_group == rank &&
                !try_ranks(s, &r)) {
                return;
            }
        }
    }
}

/* The best guess with ordinary floats, where special ones among them leave most results open: one NaN is enough for a sum. */
static void try_plain(struct search *s)
{
    struct kernel_guess plain = s->best;
    struct trial t;
    plain.is_plain = true;
    s->n_seen = 0;
    if (s->best_trial.n_confined * 2 < s->best_trial.n_judged && try_guess(s, &plain, &t) &&
        grade(&t) >= s->best_grade && t.n_confined > s->best_trial.n_confined) {
        s->best = plain;
    }
}

void kernel_find_guess(struct kernel *k, const struct kernel_wishes *w, uint64_t seed,
                       struct kernel_guess *out)
{
    struct kernel_guess const wide = {.factor = 1,
                                      .content =
                                          w->is_hard ? KERNEL_CONTENT_HARD : KERNEL_CONTENT_WIDE},
                              usual = {.factor = 1, .content = KERNEL_CONTENT_DRAWN};
    struct search s = {.k = k, .w = w, .seed = seed, .best = usual};
    struct trial t;
    arena_init(&s.scratch, SEARCH_ARENA_BYTES);
    (void)try_guess(&s, &wide, &t);
    (void)consider(&s, &wide, &t);
    if (s.best_grade < GRADE_BEST) {
        search_all(&s);
    }
    if (!w->is_hard && s.best_grade >= GRADE_JUDGED) {
        try_plain(&s);
    }
    arena_free(&s.scratch);
    *out = s.best;
}

enum res kernel_make_case(struct kernel *k, const struct kernel_wishes *w, uint64_t seed,
                          struct arena *a, struct testcase *out, struct err *e)
{
    struct kernel_guess guess;
    kernel_find_guess(k, w, seed, &guess);
    return kernel_guess_make(k, w, &guess, seed, a, out, e);
}
