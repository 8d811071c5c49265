/* oracle/judge_groups/judge_sums.c -- the permitted results of float sums, products, minima and maxima over a group. */
#include "oracle/judge_groups/judge_sums.h"

#include "oracle/group/group.h"
#include "oracle/group/group_float.h"
#include "oracle/interp/exec.h"
#include "oracle/judge_groups/subgroup.h"
#include "oracle/math/rules.h"
#include "oracle/num/set.h"
#include "oracle/tables/tables.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_within.h"

enum {
    SEARCH_STEPS_OF_16 = 43046721 /* 3^16: steps of a search for REDUCTION_MAX_TREE terms */
};

/* The literal of the instruction's FPMaxErrorDecorationINTEL; 0: there is none. */
static uint32_t get_max_error(const struct group_site *s)
{
    const struct mod_id *id = &s->j->m.ids[s->in->result];
    return id->flags & ID_MAX_ERROR ? id->max_error : 0;
}

/* A new case of a float sum or product: its terms are component `component` of the values of participants [first,
 * end). NULL and x->stop: the arena is full. */
static struct reduction_case *new_case(const struct group_site *s, uint32_t first, uint32_t end,
                                       uint32_t component)
{
    struct judge *j = s->j;
    const struct group_call *c = &s->c;
    struct reduction_case *r = ARENA_NEW(j->a, struct reduction_case, 1);
    uint64_t *term = ARENA_NEW(j->a, uint64_t, end - first + 1);
    if (!r || !term) {
        (void)exec_stop(&j->x, "arena full");
        return NULL;
    }
    for (uint32_t i = first; i < end; i++) {
        term[i - first] = c->value[i * c->n_components + component];
    }
    int const is_product = c->op == SpvOpGroupNonUniformFMul || c->op == SpvOpGroupFMulKHR;
    r->rules =
        ruleset_get(&j->rules, RULE_GROUP_SUM, (enum fmt_id)c->fmt, &j->m.ids[s->in->result]);
    r->max_error = get_max_error(s);
    /* CLAUSE_GROUP_SUM_VK: Vulkan gives no accuracy, so what any method of the type's precision gives is no violation */
    r->is_any_method = j->input.tc->env == ENV_VK || (r->rules.freedom & EXPRESSION_REARRANGE) != 0;
    r->rules.freedom = 0; /* is_any_method covers the rearrangement of the terms */
    r->terms = (struct reduction){.fmt = (enum fmt_id)c->fmt,
                                  .is_product = is_product,
                                  .n = end - first,
                                  .term = term,
                                  .index = c->index + first,
                                  .size = c->cluster ? c->cluster : c->size,
                                  .rules = r->rules.fp};
    return r;
}

/* Widens *set by the bound of a max-error decoration. No text says for which order of the terms the error is counted,
 * so it is counted from the result of each order. true: the instruction has a decoration. */
static bool widen_by_decoration(const struct judge *j, uint32_t max_error, const struct rules *r,
                                struct set *set)
{
    struct set wide;
    if (max_error == 0) {
        return false;
    }
    (void)value_widen(j->input.tc->env, set, max_error, &r->fp, &wide);
    *set = wide;
    return true;
}

/* Is a NaN or an infinity among the values of the participants [first, end)? */
static bool holds_special(const struct group_site *s, uint32_t first, uint32_t end,
                          uint32_t component)
{
    for (uint32_t i = first; i < end; i++) {
        if (value_is_special((enum fmt_id)s->c.fmt,
                             s->c.value[i * s->c.n_components + component])) {
            return true;
        }
    }
    return false;
}

/* The permitted result of a case where all orders of the terms give the exact result: that result alone. It gets a
 * pool entry of its own even if it is one value, so that it is counted as a reduction. */
static struct val value_of_exact(const struct group_site *s, struct reduction_case *r,
                                 struct set *exact, int special)
{
    struct judge *j = s->j;
    enum clause_id const clause = value_get_clause(s->c.op);
    (void)widen_by_decoration(j, r->max_error, &r->rules, exact);
    struct val v = value_from_set(&j->x, exact, &r->rules, clause, special, GRADE_VIOLATION);
    if (v.abs == 0) {
        uint64_t const bits = v.bits;
        v = exec_new_abstract(&j->x);
        j->x.pool[v.abs] =
            (struct abstract){.kind = ABSTRACT_ONE, .bits = bits, .clause = (uint8_t)clause};
    }
    j->x.pool[v.abs].reduction = r;
    return v;
}

/* The permitted result of a case. special: a NaN or an infinity is among its terms; where that makes the result
 * undefined, anything is permitted. A result that depends on the order of the terms is an entry of the pool
 * (ABSTRACT_SUM) whose set is computed only when a result is observed (judge_reduction_allows). */
static struct val value_of_case(const struct group_site *s, struct reduction_case *r, int special)
{
    struct judge *j = s->j;
    enum clause_id const clause = value_get_clause(s->c.op);
    struct set exact;
    if (special && r->rules.special == GRADE_UNDEFINED) {
        struct set any;
        set_any(&any, r->terms.fmt);
        return value_from_set(&j->x, &any, &r->rules, clause, 1, GRADE_VIOLATION);
    }
    if (reduction_is_exact(&r->terms, &exact)) {
        return value_of_exact(s, r, &exact, special);
    }
    struct val const v = exec_new_abstract(&j->x);
    if (v.abs) {
        j->x.pool[v.abs] = (struct abstract){.kind = ABSTRACT_SUM,
                                             .reduction = r,
                                             .grade = GRADE_VIOLATION,
                                             .grade_zero = (uint8_t)r->rules.zero_sign,
                                             .clause = (uint8_t)clause,
                                             .clause_out = (uint8_t)r->rules.special_clause};
    }
    return v;
}

/* A copy of the pool entry of v: the result of each invocation is observed by itself. */
static struct val copy_entry(struct judge *j, struct val v)
{
    struct val const out = exec_new_abstract(&j->x);
    if (out.abs) {
        j->x.pool[out.abs] = j->x.pool[v.abs];
    }
    return out;
}

static bool are_known(const struct group_site *s, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (!s->known[i]) {
            return false;
        }
    }
    return true;
}

/* The span [*first, *end) of the participants whose values go into the result of participant i. false: a value of the
 * span is not known, or the result is undefined, and the result has been put here; or the interpretation stops. */
static bool find_span(const struct group_site *s, uint32_t i, uint32_t component, uint32_t *first,
                      uint32_t *end)
{
    struct val *out = &judge_group_result(s, i)[component];
    switch (group_check(&s->c, i)) {
    case GROUP_IS:
        break;
    case GROUP_MISUSE:
        return exec_stop_undefined(&s->j->x, UNDEFINED_GROUP) != 0;
    case GROUP_ANYTHING:
    case GROUP_UNKNOWN:
    case GROUP_EITHER:
        *out = exec_new_abstract(&s->j->x);
        return false;
    }
    group_get_span(&s->c, i, first, end);
    if (!are_known(s, *first, *end)) {
        *out = judge_unknown(s->j, UNCONFINED_NONE);
        return false;
    }
    return true;
}

/* Puts the results of a float sum or product over a group, component by component. Neighbouring participants with the
 * same span, as all participants of a reduction, share one case, so that its permitted set is computed once. */
int judge_group_sums(const struct group_site *s)
{
    const struct group_call *c = &s->c;
    for (uint32_t component = 0; component < c->n_components; component++) {
        /* the span and the value of the last case: at first a span that no participant has, and no value */
        uint32_t last_first = 1, last_end = 0;
        struct val shared = {0};
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t first, end;
            if (!find_span(s, i, component, &first, &end)) { /* has put the result, or stops */
                continue;
            }
            if (first != last_first || end != last_end || shared.abs == 0) {
                struct reduction_case *r = new_case(s, first, end, component);
                if (!r) {
                    return 0;
                }
                r->is_shared = c->operation == SpvGroupOperationReduce ||
                               c->operation == SpvGroupOperationClusteredReduce;
                shared = value_of_case(s, r, holds_special(s, first, end, component));
                last_first = first;
                last_end = end;
            }
            judge_group_result(s, i)[component] = copy_entry(s->j, shared);
        }
    }
    return s->j->x.stop == NULL;
}

/* The usual orders of adding are tried first, which is quick. The permitted set is computed only for a value that
 * none of them gives. A search for the ends of that set takes 3^n steps for n terms; if the budget of the case does
 * not have them, the set is the proven bound (REDUCTION_BOUND). */
int judge_reduction_allows(struct judge *j, struct reduction_case *r, uint64_t got)
{
    if (!r->has_usual) {
        reduction_get_usual(&r->terms, &r->usual);
        r->has_usual = 1;
    }
    if (reduction_is_usual(&r->usual, r->terms.fmt, got)) {
        return 1;
    }
    if (!r->has_set) {
        uint64_t steps = SEARCH_STEPS_OF_16;
        for (uint32_t n = r->terms.n; n < REDUCTION_MAX_TREE; n++) {
            steps /= 3;
        }
        int const may_search = r->terms.n <= REDUCTION_MAX_TREE && steps <= j->groups.search_left;
        j->groups.search_left -= may_search ? steps : 0;
        r->proof = reduction_permitted(&r->terms, may_search, j->a, &r->set);
        r->proof =
            widen_by_decoration(j, r->max_error, &r->rules, &r->set) ? REDUCTION_BOUND : r->proof;
        r->has_set = 1;
    }
    return set_has(&r->set, got);
}

/* A value outside the set of a minimum or maximum is a divergence if it lies in the set that all readings of the text
 * permit together: keeps that outer set with the value v. Not where the rules already excuse special values or values
 * outside. */
static void add_outer_set(const struct group_site *s, const uint64_t *values, uint32_t n,
                          const struct rules *r, struct val v)
{
    struct judge *j = s->j;
    struct set any;
    if (v.abs && r->special == GRADE_VIOLATION && r->outside == GRADE_VIOLATION &&
        group_minmax_readings(s->c.op, (enum fmt_id)s->c.fmt, values, n, &r->fp, &any)) {
        (void)widen_by_decoration(j, get_max_error(s), r, &any);
        j->x.pool[v.abs].outer = arena_copy(j->a, &any, sizeof any);
    }
}

/* Puts the permitted set of component `component` of a float minimum or maximum for participant i, whose values are
 * those of the participants [first, end). */
static void put_minmax(const struct group_site *s, const struct rules *rules, uint32_t i,
                       uint32_t component, uint32_t first, uint32_t end)
{
    struct judge *j = s->j;
    const struct group_call *c = &s->c;
    uint64_t *values = s->second; /* free: an arithmetic operation has no second operand */
    enum clause_id clause = value_get_clause(c->op);
    struct rules r = *rules;
    struct set set;
    for (uint32_t k = first; k < end; k++) {
        values[k - first] = c->value[k * c->n_components + component];
    }
    enum grade const grade =
        group_minmax(c->op, (enum fmt_id)c->fmt, values, end - first, &r, &set, &clause);
    if (grade > r.outside) { /* milder: its own clause excuses a value outside of the set */
        r.outside = grade;
        r.outside_clause = clause;
    }
    (void)widen_by_decoration(j, get_max_error(s), &r, &set);
    struct val const v = value_from_set(&j->x, &set, &r, clause,
                                        holds_special(s, first, end, component), GRADE_VIOLATION);
    add_outer_set(s, values, end - first, rules, v);
    judge_group_result(s, i)[component] = v;
}

int judge_group_minmax(const struct group_site *s)
{
    struct judge *j = s->j;
    const struct group_call *c = &s->c;
    struct rules const rules =
        ruleset_get(&j->rules, RULE_GROUP_MINMAX, (enum fmt_id)c->fmt, &j->m.ids[s->in->result]);
    for (uint32_t component = 0; component < c->n_components; component++) {
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t first, end;
            if (find_span(s, i, component, &first, &end)) {
                put_minmax(s, &rules, i, component, first, end);
            }
        }
    }
    return j->x.stop == NULL;
}
