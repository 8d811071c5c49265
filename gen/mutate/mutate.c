/* gen/mutate/mutate.c -- other tapes out of one: which changes, and how many; one out of many. */
#include "gen/mutate/mutate.h"

#include <string.h>

#include "gen/case/gen.h"
#include "gen/mutate/mutate_record.h"
#include "gen/mutate/mutate_tree.h"
#include "gen/tape/tape_tree.h"

enum {
    TRIES = 64,  /* to find a change that can be made */
    ATTEMPTS = 4 /* to come to another case */
};

const char *const mutation_names[MUTATION_N] = {
#define MUTATION(id, weight, name, ...) name,
#include "gen/mutate/mutation.def"
#undef MUTATION
};

struct mutation_row {
    unsigned weight;
    mutation_make *make; /* NULL: mutate_role, for the role */
    enum tape_role role;
};
static const struct mutation_row mutation_rows[MUTATION_N] = {
#define MUTATION(id, weight, name, make, role) {weight, make, ROLE_##role},
#include "gen/mutate/mutation.def"
#undef MUTATION
};

static enum mutation draw(struct rng *r)
{
    unsigned sum = 0;
    for (int i = 0; i < MUTATION_N; i++) {
        sum += mutation_rows[i].weight;
    }
    uint64_t at = rng_below(r, sum);
    int i = 0;
    while (at >= mutation_rows[i].weight) {
        at -= mutation_rows[i++].weight;
    }
    return (enum mutation)i;
}

/* One change of that kind; false: it cannot be made. */
static bool change(struct mutant *m, enum mutation kind)
{
    const struct mutation_row *const row = &mutation_rows[kind];
    return row->make ? row->make(m) : mutate_role(m, row->role);
}

/* Guided search lives on keeping what the parent had: most often one change or two. */
static unsigned draw_stack(struct rng *r)
{
    uint64_t const at = rng_below(r, 100);
    return at < 55   ? 1
           : at < 82 ? 2
           : at < 92 ? 3
                     : 4 + (unsigned)rng_below(r, MUTATION_MAX_STACK - 3);
}

static void change_some(struct mutant *m, struct mutation_log *log)
{
    unsigned const n = draw_stack(m->rng);
    *log = (struct mutation_log){.n_used = 0};
    for (int i = 0; i < TRIES && log->n_used < n && !m->is_full; i++) {
        enum mutation const kind = draw(m->rng);
        if (change(m, kind)) {
            log->used[log->n_used++] = kind;
        }
    }
}

static bool is_same(const struct tape *x, const struct tape *y)
{
    return x->n_records == y->n_records &&
           (x->n_records == 0 || memcmp(x->data, y->data, x->n_records * TAPE_RECORD_BYTES) == 0);
}

/* Where nothing else could be done: a decision of the root, which nobody reads, or one more. */
static void change_root(struct mutant *m, struct mutation_log *log)
{
    struct tree *const x = m->root;
    if (x->n_head == 0 && m->max_records > 0) {
        x->n_head = 1;
    }
    if (x->n_head > 0) {
        x->head[x->n_head - 1] ^= 1 + rng_below(m->rng, UINT64_MAX);
    }
    *log = (struct mutation_log){1, {MUTATION_DIGIT}};
}

/* One attempt. */
static enum res make_once(const struct parent *in, struct mutant *m, const struct parent *other,
                          struct tape *out, struct mutation_log *log, struct err *e)
{
    m->root = mutate_parse(in, m->max_records, m->a);
    m->other = other ? mutate_parse(other, TAPE_MAX_RECORDS, m->a) : NULL;
    if (!m->root || (other && !m->other)) {
        return mutate_complain(e, m->a);
    }
    change_some(m, log);
    if (m->is_full || !tree_write(m->root, m->a, out)) {
        return mutate_complain(e, m->a);
    }
    if (is_same(out, &in->tape)) {
        change_root(m, log);
        return tree_write(m->root, m->a, out) ? RES_OK : mutate_complain(e, m->a);
    }
    return RES_OK;
}

/* Makes a mutant of `in` by one to a few changes: attempts until one decodes to another case than the
 * parent's, or they are used up. Cases are told apart by their hash, for which a scratch arena holds each
 * while it is made. */
enum res mutate_make(const struct parent *in, const struct parent *other, size_t max_records,
                     struct rng *r, struct arena *a, struct tape *out, struct mutation_log *log,
                     struct err *e)
{
    struct mutation_log own; /* nobody asks */
    struct mutant m = {.profile = in->profile, .max_records = max_records, .rng = r, .a = a};
    uint64_t hash = in->case_hash;
    enum res res = RES_OK;
    struct arena scratch;
    arena_init(&scratch, MUTATE_SCRATCH_BYTES);
    for (int i = 0; i < ATTEMPTS && res == RES_OK && hash == in->case_hash; i++) {
        arena_reset(&scratch);
        res = make_once(in, &m, other, out, log ? log : &own, e);
        if (res == RES_OK) {
            res = gen_trace(in->profile, in->env, out, NULL, &hash, &scratch, e);
        }
    }
    arena_free(&scratch);
    return res;
}

enum res mutate_tape(const struct tape *in, const struct tape *other, const struct mutate_for *to,
                     struct rng *r, struct arena *a, struct tape *out, struct mutation_log *log,
                     struct err *e)
{
    struct parent *p = NULL;
    struct parent *q = NULL;
    TRY(mutate_learn(in, to->profile, to->env, a, &p, e));
    if (other) {
        TRY(mutate_learn(other, to->profile, to->env, a, &q, e));
    }
    return mutate_make(p, q, to->max_records, r, a, out, log, e);
}

/* ---- one tape out of many: what is rare in each of them comes together ---- */

enum {
    CROSS_LEAST = 2, /* changes; doubled up to three times */
    CROSS_DOUBLINGS = 4,
    CROSS_OTHERS = 6 /* of them are taken from at a time: each has to be parsed */
};

static bool is_item(const struct mutant *m, const struct tree *x, const struct tree *of)
{
    (void)m;
    (void)of;
    return mutate_is_listed(x);
}

/* A whole statement of another tape goes into a list of this one. */
static bool adopt(struct mutant *m)
{
    const struct tree *const from = mutate_pick(m, m->other, is_item, NULL);
    return from && mutate_adopt(m, from);
}

/* One change; most take over what another tape has. */
static bool cross_once(struct mutant *m)
{
    uint64_t const percent = rng_below(m->rng, 100);
    if (percent < 50) {
        return adopt(m);
    }
    if (percent < 60) {
        return mutate_splice(m);
    }
    if (percent < 70) {
        return mutate_duplicate(m);
    }
    return percent < 78 ? mutate_nest(m) : change(m, draw(m->rng));
}

enum res mutate_cross(const struct parent *in, const struct parent *const *others, size_t n_others,
                      size_t max_records, struct rng *r, struct arena *a, struct tape *out,
                      struct err *e)
{
    struct mutant m = {.profile = in->profile, .max_records = max_records, .rng = r, .a = a};
    struct tree *from[CROSS_OTHERS];
    m.root = mutate_parse(in, max_records, a);
    m.is_full = !m.root;
    for (size_t i = 0; i < CROSS_OTHERS; i++) {
        from[i] = mutate_parse(others[rng_below(r, n_others)], TAPE_MAX_RECORDS, a);
        m.is_full |= !from[i];
    }
    unsigned const n = (unsigned)CROSS_LEAST << (unsigned)rng_below(r, CROSS_DOUBLINGS);
    for (unsigned i = 0; i < n && !m.is_full; i++) {
        m.other = from[rng_below(r, CROSS_OTHERS)];
        (void)cross_once(&m);
    }
    return !m.is_full && tree_write(m.root, a, out) ? RES_OK : mutate_complain(e, a);
}
