/* oracle/sim/sim_evaluate.c -- what each gets of a group instruction: any order and rounding that is
 * permitted, or the host's. */
#include "oracle/sim/sim_evaluate.h"

#include "oracle/group/group_float.h"
#include "oracle/host/host_group.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/math/rules.h"
#include "oracle/num/arith.h"
#include "oracle/num/exact.h"
#include "oracle/num/set.h"
#include "oracle/sim/faults_group.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"

/* A random order of combining values, rounded as permitted at each step. */
struct tree {
    enum arith_op op;
    enum fmt_id fmt;
    struct rules rules;
    struct rng rng;
};

static uint64_t combine(struct tree *t, uint64_t a, uint64_t b)
{
    struct set x, y, out;
    const struct set *args[2] = {&x, &y};
    int const is_plain = t->rules.fp.rounding == ROUND_RNE && t->rules.fp.flush_in == FLUSH_NEVER &&
                         t->rules.fp.flush_out == FLUSH_NEVER && !t->rules.fp.zero_sign_free;
    if (t->op == ARITH_ADD && is_plain) {
        return arith_add_rne(t->fmt, a, b);
    }
    set_of(&x, t->fmt, a);
    set_of(&y, t->fmt, b);
    set_clear(&out, t->fmt);
    arith_apply(t->op, args, &t->rules.fp, 0.0, &out);
    return set_nth(&out, rng_below(&t->rng, set_count(&out)));
}

/* Any tree over any permutation of v[n], which is used up. */
static uint64_t reduce_tree(struct tree *t, uint64_t *v, uint32_t n)
{
    while (n > 1) {
        uint32_t const a = (uint32_t)rng_below(&t->rng, n);
        uint64_t const x = v[a];
        v[a] = v[--n];
        uint32_t const b = (uint32_t)rng_below(&t->rng, n);
        v[b] = rng_below(&t->rng, 2) ? combine(t, x, v[b]) : combine(t, v[b], x);
    }
    return v[0];
}

/* v[i] becomes a tree over v[0] to v[i]: both halves alone, then the left sum into the right. */
static void scan_tree(struct tree *t, uint64_t *v, uint32_t n)
{
    if (n <= 1) {
        return;
    }
    uint32_t const left = 1 + (uint32_t)rng_below(&t->rng, n - 1);
    scan_tree(t, v, left);
    scan_tree(t, v + left, n - left);
    for (uint32_t i = left; i < n; i++) {
        v[i] = combine(t, v[left - 1], v[i]);
    }
}

/* Component k of the participants from `first` to below `end`. */
static void take_terms(const struct group_call *c, uint32_t first, uint32_t end, uint32_t k,
                       uint64_t *out)
{
    for (uint32_t i = first; i < end; i++) {
        out[i - first] = c->value[(size_t)i * c->n_components + k];
    }
}

static int any_special(enum fmt_id fmt, const uint64_t *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (value_is_special(fmt, v[i])) {
            return 1;
        }
    }
    return 0;
}

static uint64_t cut(uint64_t v, unsigned n_bits)
{
    return n_bits >= 64 ? v : v & ((UINT64_C(1) << n_bits) - 1);
}

static int is_scan(const struct group_call *c)
{
    return c->operation == SpvGroupOperationInclusiveScan ||
           c->operation == SpvGroupOperationExclusiveScan;
}

/* A sum or product; every invocation of a reduction gets the same bits. */
static void sum_component(struct tree *t, const struct group_call *c, uint32_t k, uint64_t *terms,
                          uint64_t *out)
{
    uint32_t first, end, was_first = UINT32_MAX, was_end = 0;
    uint64_t last = 0;
    if (is_scan(c)) {
        take_terms(c, 0, c->n, k, terms);
        int const is_special = any_special(t->fmt, terms, c->n);
        scan_tree(t, terms, c->n);
        for (uint32_t i = 0; i < c->n; i++) {
            int const is_first = c->operation == SpvGroupOperationExclusiveScan && i == 0;
            uint32_t const at = i - (c->operation == SpvGroupOperationExclusiveScan && i > 0);
            uint64_t *to = &out[(size_t)i * c->n_results + k];
            *to = is_first ? group_identity(c->op, c->fmt, c->n_bits) : terms[at];
            if (is_special && value_is_special(t->fmt, *to) &&
                t->rules.special == GRADE_UNDEFINED) {
                *to = cut(rng_next(&t->rng), c->n_bits);
            }
        }
        return;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        group_get_span(c, i, &first, &end);
        if (first != was_first || end != was_end) {
            take_terms(c, first, end, k, terms);
            int const is_free =
                any_special(t->fmt, terms, end - first) && t->rules.special == GRADE_UNDEFINED;
            last = reduce_tree(t, terms, end - first);
            last = is_free ? cut(rng_next(&t->rng), c->n_bits) : last;
            was_first = first;
            was_end = end;
        }
        out[(size_t)i * c->n_results + k] = last;
    }
}

/* One of the values that a min or max may be. */
static uint64_t pick_minmax(struct tree *t, const struct group_call *c, const uint64_t *terms,
                            uint32_t n)
{
    struct set set;
    enum clause_id clause;
    set_clear(&set, t->fmt);
    enum grade const grade = group_minmax(c->op, t->fmt, terms, n, &t->rules, &set, &clause);
    int const is_free = any_special(t->fmt, terms, n) && t->rules.special == GRADE_UNDEFINED;
    uint64_t const count = set_count(&set);
    if (is_free || grade == GRADE_UNDEFINED || count == UINT64_MAX || count == 0) {
        return cut(rng_next(&t->rng), c->n_bits);
    }
    return set_nth(&set, rng_below(&t->rng, count));
}

static void minmax_component(struct tree *t, const struct group_call *c, uint32_t k,
                             uint64_t *terms, uint64_t *out)
{
    uint32_t first, end, was_first = UINT32_MAX, was_end = 0;
    uint64_t last = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        group_get_span(c, i, &first, &end);
        if (first != was_first || end != was_end) {
            take_terms(c, first, end, k, terms);
            last = pick_minmax(t, c, terms, end - first);
            was_first = first;
            was_end = end;
        }
        out[(size_t)i * c->n_results + k] = last;
    }
}

struct rules sim_get_rules(const struct sim *s, const struct mod_inst *in,
                           const struct group_call *c)
{
    enum rule_class const class = group_kind_of(c->op) == GROUP_MOVE        ? RULE_MOVE_GROUP
                                  : group_kind_of(c->op) == GROUP_ALL_EQUAL ? RULE_GROUP_EQUAL
                                  : fault_is_extreme(c->op)                 ? RULE_GROUP_MINMAX
                                                                            : RULE_GROUP_SUM;
    enum fmt_id const fmt = c->fmt < 0 ? FMT_F32 : (enum fmt_id)c->fmt;
    return ruleset_get(&s->rules, class, fmt, &s->m.ids[in->result]);
}

static int reduce_floats(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                         uint64_t seed, uint64_t *out)
{
    int const is_product = c->op == SpvOpGroupFMulKHR || c->op == SpvOpGroupNonUniformFMul;
    struct tree t = {.op = is_product ? ARITH_MUL : ARITH_ADD,
                     .fmt = (enum fmt_id)c->fmt,
                     .rng = rng_seed(seed)};
    uint64_t *terms = ARENA_NEW(s->x.a, uint64_t, c->n);
    if (!terms) {
        return exec_stop(&s->x, "arena full");
    }
    t.rules = sim_get_rules(s, in, c);
    for (uint32_t k = 0; k < c->n_components; k++) {
        if (fault_is_extreme(c->op)) {
            minmax_component(&t, c, k, terms, out);
        } else {
            sum_component(&t, c, k, terms, out);
        }
    }
    return 1;
}

/* Participant i's result of what is no reduction of floats, with what is free chosen at random. */
static int choose_answer(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                         uint32_t i, struct rng *rng, uint64_t *out)
{
    int const is_move = group_kind_of(c->op) == GROUP_MOVE;
    enum fmt_id const fmt = c->fmt < 0 ? FMT_F32 : (enum fmt_id)c->fmt;
    struct rules const r = sim_get_rules(s, in, c);
    unsigned const n_bits = s->m.ids[in->type].t.bits;
    switch (group_answer(c, i, c->fmt < 0 ? NULL : &r, out)) {
    case GROUP_IS:
        for (uint32_t k = 0; is_move && c->fmt >= 0 && k < c->n_results; k++) {
            struct val const v =
                value_copy(&s->x, fmt, &r, (struct val){.bits = out[k]}, CLAUSE_GROUP_EXCHANGE);
            out[k] = sim_choose(s, v, n_bits, rng_next(rng));
            exec_empty_pool(&s->x);
        }
        return s->x.stop == NULL;
    case GROUP_ANYTHING:
        for (uint32_t k = 0; k < c->n_results; k++) {
            out[k] = cut(rng_next(rng), n_bits);
        }
        return 1;
    case GROUP_EITHER:
        out[0] = rng_next(rng) & 1;
        return 1;
    case GROUP_UNKNOWN:
    case GROUP_MISUSE:
        break;
    }
    return exec_stop(&s->x, "a group instruction whose behaviour is undefined");
}

int sim_evaluate(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                 uint64_t seed, uint64_t *out)
{
    struct rng rng = rng_seed(seed);
    int const is_sum = group_kind_of(c->op) == GROUP_ARITH && c->fmt >= 0;
    if (s->chooser == SIM_IEEE) {
        for (uint32_t i = 0; i < c->n; i++) {
            uint64_t *to = &out[(size_t)i * c->n_results];
            if (host_group(&s->modes, c, i, rng_next(&rng), to) != 1) {
                return exec_stop(&s->x, "a group instruction that the host does not know");
            }
        }
        return 1;
    }
    if (is_sum && c->n > 0) {
        return reduce_floats(s, in, c, seed, out);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (!choose_answer(s, in, c, i, &rng, &out[(size_t)i * c->n_results])) {
            return 0;
        }
    }
    return 1;
}
