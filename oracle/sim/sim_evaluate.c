/* oracle/sim/sim_evaluate.c -- what each gets of a group instruction: any order and rounding that is
 * permitted, or the host's. */
#include "oracle/sim/sim_evaluate.h"

#include "oracle/fault/faults_group.h"
#include "oracle/group/group_float.h"
#include "oracle/host/host_group.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/math/rules.h"
#include "oracle/num/arith.h"
#include "oracle/num/exact.h"
#include "oracle/num/set.h"
#include "oracle/tables/tables.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_within.h"

/* A random order of combining values, rounded as permitted at each step. */
struct tree {
    enum arith_op op;
    enum fmt_id fmt;
    struct rules rules;
    struct rng rng;
};

/* One step: one of the permitted results. */
static uint64_t combine(struct tree *t, uint64_t a, uint64_t b)
{
    struct set x, y, out;
    const struct set *args[2] = {&x, &y};
    bool const is_plain = t->rules.fp.rounding == ROUND_RNE &&
                          t->rules.fp.flush_in == FLUSH_NEVER &&
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

void sim_take_terms(const struct group_call *c, uint32_t first, uint32_t end, uint32_t k,
                    uint64_t *out)
{
    for (uint32_t i = first; i < end; i++) {
        out[i - first] = c->value[(size_t)i * c->n_components + k];
    }
}

bool sim_has_special(enum fmt_id fmt, const uint64_t *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (value_is_special(fmt, v[i])) {
            return true;
        }
    }
    return false;
}

/* The environment leaves open what comes of NaNs and infinities: then any bits, if there is one. */
static uint64_t free_if_special(struct tree *t, const struct group_call *c, bool is_special,
                                uint64_t value)
{
    bool const is_free = is_special && t->rules.special == GRADE_UNDEFINED;
    return is_free ? fault_cut(rng_next(&t->rng), c->n_bits) : value;
}

/* A sum or product for each participant up to itself, or up to the one before. */
static void scan_component(struct tree *t, const struct group_call *c, uint32_t k, uint64_t *terms,
                           uint64_t *out)
{
    bool const is_exclusive = c->operation == SpvGroupOperationExclusiveScan;
    sim_take_terms(c, 0, c->n, k, terms);
    bool const is_special = sim_has_special(t->fmt, terms, c->n);
    scan_tree(t, terms, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t v = terms[i];
        if (is_exclusive) {
            v = i == 0 ? group_identity(c->op, c->fmt, c->n_bits) : terms[i - 1];
        }
        out[(size_t)i * c->n_results + k] =
            free_if_special(t, c, is_special && value_is_special(t->fmt, v), v);
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
    bool const is_free = sim_has_special(t->fmt, terms, n) && t->rules.special == GRADE_UNDEFINED;
    uint64_t const count = set_count(&set);
    if (is_free || grade == GRADE_UNDEFINED || count == UINT64_MAX || count == 0) {
        return fault_cut(rng_next(&t->rng), c->n_bits);
    }
    return set_nth(&set, rng_below(&t->rng, count));
}

/* Component k of a reduction (any operation), or of the min or max of a scan, for each participant: of the
 * terms of participants `first` to below `end`, which its result spans. Whoever has the same span as the one
 * before gets the same bits, so that they are reduced once. terms: room for all. */
static void reduce_component(struct tree *t, const struct group_call *c, uint32_t k,
                             uint64_t *terms, uint64_t *out)
{
    uint32_t first, end, was_first = UINT32_MAX, was_end = 0;
    uint64_t value = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        group_get_span(c, i, &first, &end);
        if (first != was_first || end != was_end) {
            sim_take_terms(c, first, end, k, terms);
            if (group_is_extreme(c->op)) {
                value = pick_minmax(t, c, terms, end - first);
            } else {
                bool const is_special = sim_has_special(t->fmt, terms, end - first);
                value = reduce_tree(t, terms, end - first);
                value = free_if_special(t, c, is_special, value);
            }
            was_first = first;
            was_end = end;
        }
        out[(size_t)i * c->n_results + k] = value;
    }
}

struct rules sim_get_rules(const struct sim *s, const struct mod_inst *in,
                           const struct group_call *c)
{
    enum fmt_id const fmt = c->fmt < 0 ? FMT_F32 : (enum fmt_id)c->fmt;
    return ruleset_get(&s->rules, group_rule_class(c->op), fmt, &s->m.ids[in->result]);
}

/* A decorated sum, minimum, maximum or exchange may be off by its bound besides. Whoever has the same gets the same of it. */
static void leave_within(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                         uint64_t seed, uint64_t *out)
{
    const struct mod_id *id = &s->m.ids[in->result];
    struct rules const r = sim_get_rules(s, in, c);
    struct set one, wide;
    if (!module_is_decorated_float(&s->m, in)) {
        return;
    }
    for (size_t i = 0; i < (size_t)c->n * c->n_results; i++) {
        set_of(&one, (enum fmt_id)c->fmt, out[i]);
        bool const is_number = !value_is_special((enum fmt_id)c->fmt, out[i]);
        if (is_number && value_widen(s->tc->env, &one, id->max_error, &r.fp, &wide)) {
            out[i] = set_nth(&wide, hash_bytes(seed, &out[i], sizeof out[i]) % set_count(&wide));
        }
    }
}

/* Results of a reduction or scan of floats, in an order of the terms that `seed` chooses. Sums and products
 * of a scan share one tree, as a device computes them together; all else is reduced for each participant.
 * false: x.stop. */
static bool reduce_floats(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                          uint64_t seed, uint64_t *out)
{
    bool const is_sum_of_scan = fault_is_scan(c) && !group_is_extreme(c->op);
    struct tree t = {.op = fault_is_product(c->op) ? ARITH_MUL : ARITH_ADD,
                     .fmt = (enum fmt_id)c->fmt,
                     .rng = rng_seed(seed)};
    uint64_t *terms = ARENA_NEW(s->x.a, uint64_t, c->n);
    if (!terms) {
        return exec_stop(&s->x, "arena full");
    }
    t.rules = sim_get_rules(s, in, c);
    for (uint32_t k = 0; k < c->n_components; k++) {
        if (is_sum_of_scan) {
            scan_component(&t, c, k, terms, out);
        } else {
            reduce_component(&t, c, k, terms, out);
        }
    }
    leave_within(s, in, c, seed, out);
    return true;
}

/* Computes participant i's result of any group instruction but a reduction of floats. Where the
 * rules leave a choice it is made at random. Returns false with x.stop set, also where the
 * behaviour is undefined, because then no device need return anything. */
static bool choose_answer(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                          uint32_t i, struct rng *rng, uint64_t *out)
{
    bool const is_move = group_kind_of(c->op) == GROUP_MOVE;
    enum fmt_id const fmt = c->fmt < 0 ? FMT_F32 : (enum fmt_id)c->fmt;
    struct rules const r = sim_get_rules(s, in, c);
    unsigned const n_bits = s->m.ids[in->type].t.bits;
    switch (group_answer(c, i, c->fmt < 0 ? NULL : &r, out)) {
    case GROUP_IS:
        /* a moved float may still be flushed or lose its signalling bit, by the rules of copies */
        for (uint32_t k = 0; is_move && c->fmt >= 0 && k < c->n_results; k++) {
            struct val const v =
                value_copy(&s->x, fmt, &r, (struct val){.bits = out[k]}, CLAUSE_GROUP_EXCHANGE);
            out[k] = sim_choose(s, v, n_bits, rng_next(rng));
            exec_empty_pool(&s->x);
        }
        return s->x.stop == NULL;
    case GROUP_ANYTHING:
        for (uint32_t k = 0; k < c->n_results; k++) {
            out[k] = fault_cut(rng_next(rng), n_bits);
        }
        return true;
    case GROUP_EITHER: /* of a vote, which gives one bool */
        out[0] = rng_next(rng) & 1;
        return true;
    case GROUP_UNKNOWN:
    case GROUP_MISUSE: /* has stopped the run */
        break;
    }
    return exec_stop(&s->x, "a group instruction whose operands are not known");
}

/* Has an exchange or cluster no defined behaviour? The host's arithmetic gives some value all the same. */
static bool is_misused(const struct sim *s, const struct mod_inst *in, const struct group_call *c)
{
    uint64_t ignored[MOD_MAX_COMPONENTS];
    struct rules const r = sim_get_rules(s, in, c);
    bool const is_move = group_kind_of(c->op) == GROUP_MOVE;
    bool is_it = false;
    for (uint32_t i = 0; i < c->n && !is_it; i++) {
        is_it = (is_move ? group_answer(c, i, c->fmt < 0 ? NULL : &r, ignored)
                         : group_check(c, i)) == GROUP_MISUSE;
    }
    return is_it;
}

/* Computes the results of a group instruction, [n * n_results] into out. SIM_IEEE uses the host's
 * arithmetic. Otherwise a float reduction adds the terms in a random order, and any other result
 * is one of those that the oracle permits. */
bool sim_evaluate(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                  uint64_t seed, uint64_t *out)
{
    struct rng rng = rng_seed(seed);
    bool const is_sum = group_kind_of(c->op) == GROUP_ARITH && c->fmt >= 0;
    if (is_misused(s, in, c)) {
        return exec_stop_undefined(&s->x, UNDEFINED_GROUP) != 0;
    }
    if (s->strategy == SIM_IEEE) {
        for (uint32_t i = 0; i < c->n; i++) {
            uint64_t *to = &out[(size_t)i * c->n_results];
            if (host_group(&s->modes, c, i, rng_next(&rng), to) != 1) {
                return exec_stop(&s->x, "a group instruction that the host does not know");
            }
        }
        return true;
    }
    if (is_sum && c->n > 0) {
        return reduce_floats(s, in, c, seed, out);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (!choose_answer(s, in, c, i, &rng, &out[(size_t)i * c->n_results])) {
            return false;
        }
    }
    leave_within(s, in, c, seed, out);
    return true;
}
