/* fuzz/journal/bucket.c -- which findings are one bug. */
#include "fuzz/journal/bucket.h"

#include <string.h>

#include "base/ops.h"

/* What is special about a finding. Zeros are numbers like others: what is wrong about their sign has
 * a kind of its own. */
enum special {
    SPECIAL_CONTENDED = 1,
    SPECIAL_SUBNORMAL = 2,
    SPECIAL_INF = 4,
    SPECIAL_NAN = 8,
    SPECIAL_PARTIAL = 16,
    SPECIAL_DECORATED = 32
};
static const struct {
    const char *word; /* begins a word, or an operand's class in one */
    unsigned special;
} specials[] = {
    {"contended",  SPECIAL_CONTENDED},
    {"subnormal",  SPECIAL_SUBNORMAL},
    {"inf",        SPECIAL_INF      },
    {"qnan",       SPECIAL_NAN      },
    {"snan",       SPECIAL_NAN      },
    {"partial",    SPECIAL_PARTIAL  },
    {"max-error:", SPECIAL_DECORATED},
};

static unsigned get_special(const struct signature *s)
{
    unsigned special = 0;
    const char *p = s->circumstances;
    while (*p) {
        p += strspn(p, " ,");
        for (size_t i = 0; i < ARRAY_N(specials); i++) {
            if (strncmp(p, specials[i].word, strlen(specials[i].word)) == 0) {
                special |= specials[i].special;
            }
        }
        p += strcspn(p, " ,");
    }
    return special;
}

static unsigned count_bits(unsigned x)
{
    unsigned n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}

/* A signature on its way into a bucket. */
struct member {
    const struct signature *s;
    const char *core; /* its own; once its culprit is known, that which it joins */
    unsigned special;
    const char *culprit; /* the one of two suspects that is to blame; NULL: not yet known */
};

static bool has_two_suspects(const struct member *m)
{
    return m->s->other_op[0] != '\0' && m->s->known[0] == '\0';
}

static bool is_undecided(const struct member *m)
{
    return has_two_suspects(m) && !m->culprit;
}

/* Does the signature blame the instruction for a value, alone or as one of two? */
static bool names(const struct signature *s, const char *op)
{
    return !s->is_of_run && s->known[0] == '\0' &&
           (strcmp(s->op, op) == 0 || strcmp(s->other_op, op) == 0);
}

/* May instruction `op`, on the type and storage of `like`, be to blame for it? */
static bool is_suspect(const struct member *m, const struct signature *like, const char *op)
{
    return names(m->s, op) && strcmp(m->s->type, like->type) == 0 &&
           strcmp(m->s->storage, like->storage) == 0;
}

/* An instruction that may be to blame for open findings of one type and storage. */
struct cause {
    const struct signature *like; /* the first that names it */
    const char *op;
    uint32_t n_explained; /* findings that name it alone, and undecided ones that name it */
    uint32_t n_undecided; /* the undecided ones alone */
    uint32_t n_of_op;     /* findings that name the instruction, in all types and storages */
};
struct causes {
    uint32_t n;
    struct cause *cause;
    uint32_t (*of)[2]; /* [members]; both alike where one names the same instruction twice */
};

static uint32_t add_cause(struct causes *c, const struct signature *like, const char *op)
{
    uint32_t i = 0;
    while (i < c->n &&
           (strcmp(c->cause[i].op, op) != 0 || strcmp(c->cause[i].like->type, like->type) != 0 ||
            strcmp(c->cause[i].like->storage, like->storage) != 0)) {
        i++;
    }
    if (i == c->n) {
        c->cause[c->n++] = (struct cause){.like = like, .op = op};
    }
    c->cause[i].n_undecided++;
    c->cause[i].n_explained++;
    return i;
}

/* List the causes of the undecided members: a cause is an instruction on a type and storage, and a member is
 * undecided while its signature names two of them and none is chosen. c->of[i] are the two of member i. add_cause
 * counts the undecided members of each cause. The loop at the end counts the members that name it alone, and those that
 * name its instruction on any type and storage. False: the arena is full. */
static bool list_causes(struct causes *c, const struct member *members, uint32_t n, struct arena *a)
{
    c->n = 0;
    c->cause = ARENA_NEW(a, struct cause, 2 * (size_t)n + 1);
    c->of = arena_take(a, sizeof *c->of * ((size_t)n + 1));
    if (!c->cause || !c->of) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct signature *s = members[i].s;
        if (is_undecided(&members[i])) {
            bool const is_one = strcmp(s->op, s->other_op) == 0;
            c->of[i][0] = add_cause(c, s, s->op);
            c->of[i][1] = is_one ? c->of[i][0] : add_cause(c, s, s->other_op);
        }
    }
    for (uint32_t k = 0; k < c->n; k++) {
        struct cause *const cause = &c->cause[k];
        for (uint32_t i = 0; i < n; i++) {
            cause->n_explained +=
                !has_two_suspects(&members[i]) && is_suspect(&members[i], cause->like, cause->op);
            cause->n_of_op += names(members[i].s, cause->op);
        }
    }
    return true;
}

/* Is x a better explanation than y: of more findings, or of as many and its instruction of more in all types and storages?
 * Of equal ones the name decides. */
static bool explains_more(const struct cause *x, const struct cause *y)
{
    if (x->n_explained != y->n_explained) {
        return x->n_explained > y->n_explained;
    }
    return x->n_of_op != y->n_of_op ? x->n_of_op > y->n_of_op : strcmp(x->op, y->op) < 0;
}

/* The cause that explains the most; NULL when nothing is open. */
static const struct cause *find_best(const struct causes *c)
{
    const struct cause *best = NULL;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cause *const x = &c->cause[i];
        if (x->n_undecided > 0 && (!best || explains_more(x, best))) {
            best = x;
        }
    }
    return best;
}

/* Is x plainer than y: less is special about it? Of equal ones the text decides. */
static bool is_plainer(const struct member *x, const struct member *y)
{
    unsigned const n_x = count_bits(x->special), n_y = count_bits(y->special);
    return n_x != n_y ? n_x < n_y : strcmp(x->s->text, y->s->text) < 0;
}

/* The core that open members join when `cause` is their culprit: that of what is certain of it, the
 * plainest first; where nothing is, one that is made of its words. */
static const char *choose_core(const struct member *members, uint32_t n, const struct cause *cause,
                               struct arena *a)
{
    const struct member *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const struct member *m = &members[i];
        if (!has_two_suspects(m) && is_suspect(m, cause->like, cause->op) &&
            (!best || is_plainer(m, best))) {
            best = m;
        }
    }
    return best ? best->core
                : arena_printf(a, "%s %s %s", cause->op, cause->like->type, cause->like->storage);
}

/* An open member found its culprit: its causes have one less to explain. */
static void decide_member(struct causes *c, uint32_t member)
{
    const uint32_t *const of = c->of[member];
    for (int k = 0; k < (of[0] == of[1] ? 1 : 2); k++) {
        c->cause[of[k]].n_undecided--;
        c->cause[of[k]].n_explained--;
    }
}

/* Find the culprit of each member that names two suspects: few instructions that explain all of them, by the greedy
 * cover, which takes again and again the one that explains the most. False: the arena is full. */
static bool find_culprits(struct member *members, uint32_t n, struct arena *a)
{
    struct causes causes;
    const struct cause *best = NULL;
    if (!list_causes(&causes, members, n, a)) {
        return false;
    }
    while ((best = find_best(&causes)) != NULL) {
        const char *core = choose_core(members, n, best, a);
        for (uint32_t i = 0; i < n; i++) {
            struct member *const m = &members[i];
            if (is_undecided(m) && is_suspect(m, best->like, best->op)) {
                decide_member(&causes, i);
                m->culprit = best->op;
                m->core = core;
            }
        }
    }
    return true;
}

/* Is x a better name than y for the bucket of `of`: nothing is special about it that is not about `of`,
 * and otherwise as little as can be? */
static bool is_better(const struct member *x, const struct member *y, const struct member *of)
{
    if (x->special & ~of->special) {
        return false;
    }
    if (x->special != y->special && count_bits(x->special) == count_bits(y->special)) {
        return x->special < y->special;
    }
    return is_plainer(x, y);
}

/* The bytes of a family before the instruction's name, which is its last word. */
static int count_ahead(const struct signature *s)
{
    return (int)(strlen(s->family) - strlen(s->op));
}

/* ---- functions with two results ---- */

/* The name of the function of two results that the instruction is a form of; NULL: of none. */
static const char *find_function(const struct member *m)
{
    static const struct {
        const char *op, *function;
    } rows[] = {
#define RESULTS(op, function) {op, function},
#include "fuzz/journal/bucket_results.def"
#undef RESULTS
    };
    for (size_t i = 0; m->s->known[0] == '\0' && i < ARRAY_N(rows); i++) {
        if (strcmp(rows[i].op, m->s->op) == 0) {
            return rows[i].function;
        }
    }
    return NULL;
}

static bool is_integer(const struct member *m)
{
    return m->s->type[0] == 'i';
}

/* Do both break the same rule in the same way: kind and clause, the words before the instruction? */
static bool is_alike(const struct member *x, const struct member *y)
{
    int const n_x = count_ahead(x->s), n_y = count_ahead(y->s);
    return n_x == n_y && strncmp(x->s->family, y->s->family, (size_t)n_x) == 0;
}

/* The float result of the function whose integer this is, the plainest that is wrong in the same way; the member itself where
 * there is none. */
static const struct member *find_float(const struct member *members, uint32_t n,
                                       const struct member *of, const char *function)
{
    const struct member *best = of;
    for (uint32_t i = 0; is_integer(of) && i < n; i++) {
        const struct member *const m = &members[i];
        const char *const other = find_function(m);
        if (other && strcmp(other, function) == 0 && !is_integer(m) && is_alike(m, of) &&
            (best == of || is_plainer(m, best))) {
            best = m;
        }
    }
    return best;
}

/* Both results of a function, in each of its forms, have one core, and an integer that is wrong is as special as the float
 * beside it. */
static void join_results(struct member *members, uint32_t n, struct arena *a)
{
    for (uint32_t i = 0; i < n; i++) {
        struct member *const m = &members[i];
        const char *const function = find_function(m);
        const struct member *const as = function ? find_float(members, n, m, function) : m;
        if (function) {
            m->core = arena_printf(a, "%.*s%s %s %s", count_ahead(m->s), m->s->family, function,
                                   as->s->type, as->s->storage);
            m->special = as->special;
        }
    }
}

/* ---- all ---- */

/* The family of a finding that names two suspects is that of its culprit, if both or neither are atomics: a family of
 * atomics has other words (signature_parse). */
static void name_families(struct signature *signatures, const struct member *members, uint32_t n,
                          struct arena *a)
{
    for (uint32_t i = 0; i < n; i++) {
        struct signature *const s = &signatures[i];
        if (members[i].culprit && op_is_atomic(members[i].culprit) == op_is_atomic(s->op)) {
            s->family = arena_printf(a, "%.*s%s", count_ahead(s), s->family, members[i].culprit);
        }
    }
}

/* Group n signatures into buckets: out[i] is the number of the signature that names the bucket of the i-th.
 * Signatures are of one bucket if they have the same core: that of the known bug, of both results of a function
 * (join_results), of the culprit found for them (find_culprits), or else their own. The best name among these is
 * taken (is_better). */
enum res bucket_group(struct signature *signatures, uint32_t n, struct arena *a, uint32_t *out,
                      struct err *e)
{
    struct member *members = ARENA_NEW(a, struct member, n + 1);
    for (uint32_t i = 0; i < n && members; i++) {
        bool const is_known =
            signatures[i].known[0] != '\0'; /* then that is the bug, however seen */
        members[i] = (struct member){.s = &signatures[i],
                                     .core = is_known ? signatures[i].known : signatures[i].core,
                                     .special = is_known ? 0 : get_special(&signatures[i])};
    }
    if (members) {
        join_results(members, n, a);
        if (find_culprits(members, n, a)) {
            name_families(signatures, members, n, a);
        }
    }
    if (!members || a->is_full) {
        return err_set(e, RES_NOMEM, "no memory for the buckets");
    }
    for (uint32_t i = 0; i < n; i++) {
        out[i] = i; /* it names the bucket itself, unless another name is better */
        for (uint32_t k = 0; k < n; k++) {
            if (strcmp(members[i].core, members[k].core) == 0 &&
                is_better(&members[k], &members[out[i]], &members[i])) {
                out[i] = k;
            }
        }
    }
    return RES_OK;
}
