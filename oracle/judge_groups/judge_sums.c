/* oracle/judge_groups/judge_sums.c -- float sums, products, min and max over a group: what they may be. */
#include "oracle/judge_groups/judge_sums.h"

#include "oracle/group/group.h"
#include "oracle/group/group_float.h"
#include "oracle/interp/exec.h"
#include "oracle/judge_groups/subgroup.h"
#include "oracle/math/rules.h"
#include "oracle/num/set.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_within.h"

enum {
    SEARCH_STEPS_OF_16 = 43046721
}; /* 3^16 */

/* The literal of the decoration; 0: there is none. */
static uint32_t get_max_error(const struct group_site *s)
{
    const struct mod_id *id = &s->j->m.ids[s->in->result];
    return id->flags & ID_MAX_ERROR ? id->max_error : 0;
}

/* A new case of a float sum or product: the values of participants [first, end), component `component`, as
 * its terms, and the rules for it. NULL and x->stop: the arena is full. */
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
    /* Vulkan's tables have no accuracy for it: whatever its own definition gives in some method. */
    r->is_any_method = j->input.tc->env == ENV_VK || (r->rules.freedom & EXPRESSION_REARRANGE) != 0;
    /* that sums may be rearranged is said by is_any_method; no expression is to explain them as well */
    r->rules.freedom = 0;
    r->terms = (struct reduction){.fmt = (enum fmt_id)c->fmt,
                                  .is_product = is_product,
                                  .n = end - first,
                                  .term = term,
                                  .index = c->index + first,
                                  .size = c->cluster ? c->cluster : c->size,
                                  .rules = r->rules.fp};
    return r;
}

/* What a decoration permits besides. No text says of which order of the terms the error is counted, so it is
 * counted of what any of them gives. true: *set has grown. */
static bool widen(const struct judge *j, uint32_t max_error, const struct rules *r, struct set *set)
{
    struct set wide;
    if (max_error == 0) {
        return false;
    }
    (void)value_widen(j->input.tc->env, set, max_error, &r->fp, &wide);
    *set = wide;
    return true;
}

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

/* What is permitted of the result of a case: anything where a NaN or an infinity among the terms (`special`)
 * makes it undefined; the exact result where no order of the terms matters; else an entry of the pool
 * (ABSTRACT_SUM) that is compared with the orders only when a result is observed, as that is slow. */
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
        (void)widen(j, r->max_error, &r->rules, &exact);
        struct val v = value_from_set(&j->x, &exact, &r->rules, clause, special, GRADE_VIOLATION);
        if (v.abs == 0) { /* an entry of its own, so that it is counted as a reduction */
            struct val const w = exec_new_abstract(&j->x);
            j->x.pool[w.abs] =
                (struct abstract){.kind = ABSTRACT_ONE, .bits = v.bits, .clause = (uint8_t)clause};
            v = w;
        }
        j->x.pool[v.abs].reduction = r;
        return v;
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

/* Another entry for the same value: each invocation's is observed for itself. */
static struct val copy_of(struct judge *j, struct val v)
{
    struct val const out = exec_new_abstract(&j->x);
    if (out.abs) {
        j->x.pool[out.abs] = j->x.pool[v.abs];
    }
    return out;
}

static bool all_known(const struct group_site *s, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (!s->known[i]) {
            return false;
        }
    }
    return true;
}

/* Does participant i's result follow from known values? true: *first and *end are the span of the
 * participants whose values go into it. false: its result was put here (anything where the rules say nothing,
 * what only the device can tell where a value is not known), or the run stops. */
static bool has_span(const struct group_site *s, uint32_t i, uint32_t component, uint32_t *first,
                     uint32_t *end)
{
    struct val *out = &judge_group_result(s, i)[component];
    switch (group_check(&s->c, i)) {
    case GROUP_IS:
        break;
    case GROUP_MISUSE:
        return exec_stop(&s->j->x, "a cluster size that no sub-group has") != 0;
    case GROUP_ANYTHING:
    case GROUP_UNKNOWN:
    case GROUP_EITHER:
        *out = exec_new_abstract(&s->j->x);
        return false;
    }
    group_get_span(&s->c, i, first, end);
    if (!all_known(s, *first, *end)) {
        *out = judge_unknown(s->j, UNCONFINED_NONE);
        return false;
    }
    return true;
}

/* Puts the results of a float sum or product over a group, component by component. Participants with the same
 * terms, as all of a reduction, share one case, so that its permitted set is computed once. 0 and x->stop:
 * the arena is full. */
int judge_group_sums(const struct group_site *s)
{
    const struct group_call *c = &s->c;
    for (uint32_t component = 0; component < c->n_components; component++) {
        uint32_t last_first = 1, last_end = 0; /* span of the case at hand: none yet */
        struct val shared = {0};               /* its value, of all participants with that span */
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t first, end;
            if (!has_span(s, i, component, &first, &end)) {
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
            judge_group_result(s, i)[component] = copy_of(s->j, shared);
        }
    }
    return s->j->x.stop == NULL;
}

/* Is `got` a permitted result of the sum or product? The usual orders of adding are tried first, which is
 * quick; the full permitted set is computed only for a value that none of them gives. A search for the ends
 * of that set takes 3^n steps for n terms, from a budget that the whole case has; without it the set is the
 * proven bound. */
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
        r->proof = widen(j, r->max_error, &r->rules, &r->set) ? REDUCTION_BOUND : r->proof;
        r->has_set = 1;
    }
    return set_has(&r->set, got);
}

/* Outside of every reading it is a violation, unless NaNs are undefined here. */
static void add_readings(const struct group_site *s, const uint64_t *values, uint32_t n,
                         const struct rules *r, struct val v)
{
    struct judge *j = s->j;
    struct set any;
    if (v.abs && r->special == GRADE_VIOLATION && r->outside == GRADE_VIOLATION &&
        group_minmax_readings(s->c.op, (enum fmt_id)s->c.fmt, values, n, &r->fp, &any)) {
        (void)widen(j, get_max_error(s), r, &any);
        j->x.pool[v.abs].outer = arena_copy(j->a, &any, sizeof any); /* none: not looked at */
    }
}

/* Puts the results of a float minimum or maximum over a group as permitted sets, component by component. 0
 * and x->stop: the arena is full. */
int judge_group_minmax(const struct group_site *s)
{
    struct judge *j = s->j;
    const struct group_call *c = &s->c;
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    uint64_t *values = s->second; /* free: an arithmetic operation has no second operand */
    struct rules const rules =
        ruleset_get(&j->rules, RULE_GROUP_MINMAX, fmt, &j->m.ids[s->in->result]);
    uint32_t const max_error = get_max_error(s);
    for (uint32_t component = 0; component < c->n_components; component++) {
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t first, end;
            struct set set;
            enum clause_id clause = value_get_clause(c->op);
            if (!has_span(s, i, component, &first, &end)) {
                continue;
            }
            for (uint32_t k = first; k < end; k++) {
                values[k - first] = c->value[k * c->n_components + component];
            }
            struct rules r = rules;
            enum grade const grade =
                group_minmax(c->op, fmt, values, end - first, &r, &set, &clause);
            if (grade > r.outside) { /* milder: its own clause excuses a value outside of the set */
                r.outside = grade;
                r.outside_clause = clause;
            }
            (void)widen(j, max_error, &r, &set);
            struct val const v = value_from_set(
                &j->x, &set, &r, clause, holds_special(s, first, end, component), GRADE_VIOLATION);
            add_readings(s, values, end - first, &rules, v);
            judge_group_result(s, i)[component] = v;
        }
    }
    return j->x.stop == NULL;
}
