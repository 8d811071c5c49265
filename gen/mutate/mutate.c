/* gen/mutate/mutate.c -- other tapes out of one: which changes, how many, and smaller ones. */
#include "gen/mutate/mutate.h"

#include <string.h>

#include "gen/mutate/mutate_parts.h"

enum {
    SCRATCH_BYTES = 64 << 20, /* for a case that is thrown away */
    TRIES = 64,               /* to find a change that can be made */
    ATTEMPTS = 4              /* to come to another case */
};

const char *const mutation_names[MUTATION_N] = {
#define MUTATION(id, weight, name) name,
#include "gen/mutate/mutation.def"
#undef MUTATION
};

static const uint8_t weights[MUTATION_N] = {
#define MUTATION(id, weight, name) weight,
#include "gen/mutate/mutation.def"
#undef MUTATION
};

enum res mutate_complain(struct err *e, const struct arena *a)
{
    return err_set(e, RES_NOMEM, "mutation: arena full at %zu bytes", a->used_bytes);
}

enum res mutate_learn(const struct tape *t, enum profile profile, enum env env, struct arena *a,
                      struct parent **out, struct err *e)
{
    size_t const n = t->n_records <= TAPE_MAX_RECORDS ? t->n_records : (size_t)TAPE_MAX_RECORDS;
    struct parent *const p = ARENA_NEW(a, struct parent, 1);
    unsigned char *const data = arena_take(a, (n + 1) * TAPE_RECORD_BYTES);
    struct tape_mark *const mark = ARENA_NEW(a, struct tape_mark, n + 1);
    if (!p || !data || !mark) {
        return mutate_complain(e, a);
    }
    if (n > 0) {
        memcpy(data, t->data, n * TAPE_RECORD_BYTES);
    }
    *p = (struct parent){
        .tape = {.data = data, .n_records = n},
          .mark = mark, .profile = profile, .env = env
    };
    *out = p;
    struct arena scratch;
    arena_init(&scratch, SCRATCH_BYTES);
    enum res const r = gen_trace(profile, env, &p->tape, mark, &p->case_hash, &scratch, e);
    arena_free(&scratch);
    return r;
}

enum profile mutate_get_profile(const struct parent *p)
{
    return p->profile;
}

size_t mutate_count_records(const struct parent *p)
{
    return p->tape.n_records;
}

static int change(struct mutant *m, enum mutation kind)
{
    switch (kind) {
    case MUTATION_INSERT:
        return mutate_insert(m);
    case MUTATION_DELETE:
        return mutate_delete(m);
    case MUTATION_DUPLICATE:
        return mutate_duplicate(m);
    case MUTATION_MOVE:
        return mutate_move(m);
    case MUTATION_SPLICE:
        return mutate_splice(m);
    case MUTATION_REPLACE:
        return mutate_replace(m);
    case MUTATION_NEST:
        return mutate_nest(m);
    case MUTATION_STATEMENT:
        return mutate_role(m, ROLE_STATEMENT);
    case MUTATION_OPERATION:
        return mutate_role(m, ROLE_OPERATION);
    case MUTATION_TYPE:
        return mutate_role(m, ROLE_TYPE);
    case MUTATION_PLACE:
        return mutate_role(m, ROLE_PLACE);
    case MUTATION_SCOPE:
        return mutate_role(m, ROLE_SCOPE);
    case MUTATION_CLASS:
        return mutate_role(m, ROLE_CLASS);
    case MUTATION_SEED:
        return mutate_role(m, ROLE_SEED);
    case MUTATION_CONSTANT:
        return mutate_constant(m);
    case MUTATION_CONDITION:
        return mutate_role(m, ROLE_CONDITION);
    case MUTATION_SIZE:
        return mutate_role(m, ROLE_SIZE);
    case MUTATION_BOUND:
        return mutate_role(m, ROLE_BOUND);
    case MUTATION_TRIPS:
        return mutate_role(m, ROLE_TRIPS);
    case MUTATION_MODE:
        return mutate_role(m, ROLE_MODE);
    case MUTATION_FORM:
        return mutate_role(m, ROLE_FORM);
    case MUTATION_DIGIT:
        return mutate_digit(m);
    case MUTATION_CROSS:
    case MUTATION_N:
        break;
    }
    return 0;
}

static enum mutation draw(struct rng *r)
{
    unsigned sum = 0;
    for (int i = 0; i < MUTATION_N; i++) {
        sum += weights[i];
    }
    uint64_t at = rng_below(r, sum);
    int i = 0;
    while (at >= weights[i]) {
        at -= weights[i++];
    }
    return (enum mutation)i;
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

int mutate_any(struct mutant *m)
{
    return change(m, draw(m->rng));
}

struct tree *mutate_parse(const struct parent *p, size_t max_records, struct arena *a)
{
    size_t const n = p->tape.n_records;
    struct tape const whole = {.data = p->tape.data,
                               .n_records = n < max_records ? n : max_records};
    return tree_parse(&whole, p->mark, a);
}

static int is_same(const struct tape *x, const struct tape *y)
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

enum res mutate_make(const struct parent *in, const struct parent *other, size_t max_records,
                     struct rng *r, struct arena *a, struct tape *out, struct mutation_log *log,
                     struct err *e)
{
    struct mutation_log own;
    struct mutant m = {.profile = in->profile, .max_records = max_records, .rng = r, .a = a};
    uint64_t hash = in->case_hash;
    enum res res = RES_OK;
    struct arena scratch;
    arena_init(&scratch, SCRATCH_BYTES);
    for (int i = 0; res == RES_OK && hash == in->case_hash && i < ATTEMPTS; i++) {
        arena_reset(&scratch);
        res = make_once(in, &m, other, out, log ? log : &own, e);
        res = res == RES_OK ? gen_trace(in->profile, in->env, out, NULL, &hash, &scratch, e) : res;
    }
    arena_free(&scratch);
    return res;
}

enum res mutate_tape(const struct tape *in, const struct tape *other, enum profile profile,
                     enum env env, size_t max_records, struct rng *r, struct arena *a,
                     struct tape *out, struct mutation_log *log, struct err *e)
{
    struct parent *p = NULL;
    struct parent *q = NULL;
    enum res res = mutate_learn(in, profile, env, a, &p, e);
    if (res == RES_OK && other) {
        res = mutate_learn(other, profile, env, a, &q, e);
    }
    return res == RES_OK ? mutate_make(p, q, max_records, r, a, out, log, e) : res;
}
