/* oracle/sim/sim_plant.c -- the planted fault at a group instruction of the simulated device. */
#include "oracle/sim/sim_plant.h"

#include <string.h>

#include "oracle/fault/faults.h"
#include "oracle/fault/faults_group.h"
#include "oracle/fault/faults_math.h"
#include "oracle/fault/faults_site.h"
#include "oracle/group/group.h"
#include "oracle/group/group_float.h"
#include "oracle/group/reduction.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/interp/module.h"
#include "oracle/num/set.h"
#include "oracle/sim/sim_evaluate.h"
#include "oracle/sim/sim_hard.h"
#include "oracle/sim/sim_layout.h"
#include "oracle/sim/sim_state.h"
#include "oracle/tables/tables.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_within.h"

/* Lists the invocations of the work-group that do not execute the instruction, with their operands
 * and lanes, for faults that include them: first the n_mates of the same sub-group, then all
 * others. Returns false with x.stop set on an error. */
static bool describe_others(struct sim *s, const struct sim_part *p, struct fault_group_site *site)
{
    uint32_t const own_subgroup = sim_layout_find(s, p->who[0])->subgroup;
    struct invocation **others = ARENA_NEW(s->x.a, struct invocation *, p->n_inv + 1);
    unsigned char *taken = ARENA_NEW(s->x.a, unsigned char, p->n_inv);
    uint32_t *index = ARENA_NEW(s->x.a, uint32_t, p->n_inv);
    struct group_call other_call;
    if (!others || !taken || !index) {
        return exec_stop(&s->x, "arena full");
    }
    for (uint32_t i = 0; i < p->call.n; i++) {
        taken[p->who[i]->local_index] = 1;
    }
    /* first the mates, then those of other sub-groups */
    for (int is_other = 0; is_other < 2; is_other++) {
        for (uint32_t i = 0; i < p->n_inv; i++) {
            const struct lane_position *position = sim_layout_find(s, &p->inv[i]);
            if (!taken[i] && (position->subgroup != own_subgroup) == is_other) {
                index[site->n_others] = position->lane;
                others[site->n_others++] = &p->inv[i];
            }
        }
        if (!is_other) {
            site->n_mates = site->n_others;
        }
    }
    site->other_index = index;
    if (site->n_others && !sim_take_call(s, p->in, others, site->n_others, &other_call)) {
        return false;
    }
    site->other_value = site->n_others ? other_call.value : NULL;
    return true;
}

/* For the fault that sees in another work-group what the first one got: keeps the results of the first, and
 * gives them to any other at the same local indices (site->leftover, NULL where there are none). false:
 * x.stop. */
static bool describe_leftover(struct sim *s, const struct sim_part *p, const uint64_t *results,
                              struct fault_group_site *site)
{
    size_t const n = p->call.n, n_results = p->call.n_results;
    if (!s->leftover) {
        return true;
    }
    struct leftover *kept = &s->leftover[p->in - s->m.code];
    uint64_t *copy = ARENA_NEW(s->x.a, uint64_t, n * n_results);
    if (!copy) {
        return exec_stop(&s->x, "arena full");
    }
    if (site->group == 0) {
        memcpy(copy, results, sizeof *copy * n * n_results);
        *kept = (struct leftover){.n = p->call.n, .n_results = p->call.n_results, .result = copy};
        return true;
    }
    for (size_t i = 0; kept->result && i < n; i++) {
        memcpy(&copy[i * n_results], &kept->result[i % kept->n * n_results],
               sizeof *copy * n_results);
    }
    site->leftover = kept->result ? copy : NULL;
    return true;
}

/* Describes, for the fault, where a part executes a group instruction: who takes part and who does not, and
 * what the registers of the result held before (stale). `results` are the honest ones. false: x.stop. */
static bool describe(struct sim *s, const struct sim_part *p, const uint64_t *results,
                     struct fault_group_site *site)
{
    size_t const n = p->call.n, n_results = p->call.n_results;
    uint64_t *stale = ARENA_NEW(s->x.a, uint64_t, n * n_results);
    uint32_t *subgroup = ARENA_NEW(s->x.a, uint32_t, n);
    if (!stale || !subgroup) {
        return exec_stop(&s->x, "arena full");
    }
    for (size_t i = 0; i < n; i++) {
        const struct val *v = exec_reg(&s->x, p->who[i], p->in->result);
        for (size_t k = 0; k < n_results; k++) {
            stale[i * n_results + k] = v[k].bits;
        }
        subgroup[i] = sim_layout_find(s, p->who[i])->subgroup;
    }
    *site = (struct fault_group_site){.call = &p->call,
                                      .group = p->who[0]->group_index,
                                      .is_else = fault_is_else_block(&s->m, p->who[0]->label),
                                      .is_branched = fault_has_barrier_in_branch(&s->m),
                                      .subgroup = subgroup,
                                      .stale = stale};
    return describe_leftover(s, p, results, site) && describe_others(s, p, site);
}

/* May a sum be computed by any method of the type's precision? Of doubles then by that of floats, too. */
static bool is_any_method(const struct sim *s, const struct rules *r)
{
    return s->tc->env == ENV_VK || (r->freedom & EXPRESSION_REARRANGE) != 0;
}

/* What is known of one component of a participant's result of a reduction of floats. */
struct float_result {
    struct rules rules;
    const uint64_t *terms; /* what went into it */
    uint32_t n;
    struct set set;    /* what is permitted */
    enum grade grade;  /* of what is outside the set */
    bool is_explained; /* by a method of computing that the set does not hold */
};

/* What a decoration permits besides. */
static void widen(const struct sim *s, const struct mod_inst *in, const struct rules *r,
                  struct set *set)
{
    const struct mod_id *id = &s->m.ids[in->result];
    struct set wide;
    if (id->flags & ID_MAX_ERROR) {
        (void)value_widen(s->tc->env, set, id->max_error, &r->fp, &wide);
        *set = wide;
    }
}

static void permit_extreme(const struct sim *s, const struct mod_inst *in,
                           const struct group_call *c, uint64_t got, struct float_result *r)
{
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    enum clause_id clause;
    struct set any;
    enum grade const of_set = group_minmax(c->op, fmt, r->terms, r->n, &r->rules, &r->set, &clause);
    r->grade = of_set > r->grade ? of_set : r->grade;
    widen(s, in, &r->rules, &r->set);
    if (r->rules.special == GRADE_VIOLATION && r->rules.outside == GRADE_VIOLATION &&
        group_minmax_readings(c->op, fmt, r->terms, r->n, &r->rules.fp, &any)) {
        widen(s, in, &r->rules, &any);
        /* by no reading of the rules? */
        r->grade = set_has(&any, got) ? r->grade : GRADE_VIOLATION;
    }
}

static void permit_sum(struct sim *s, const struct mod_inst *in, const struct group_call *c,
                       uint32_t first, uint64_t got, struct float_result *r)
{
    struct reduction const sum = {.fmt = (enum fmt_id)c->fmt,
                                  .is_product = fault_is_product(c->op),
                                  .n = r->n,
                                  .term = r->terms,
                                  .index = c->index + first,
                                  .size = c->cluster ? c->cluster : c->size,
                                  .rules = r->rules.fp};
    (void)reduction_permitted(&sum, 0, s->x.a, &r->set);
    widen(s, in, &r->rules, &r->set);
    r->is_explained =
        is_any_method(s, &r->rules) && (reduction_keeps_precision(&sum, got) || sum.fmt == FMT_F64);
}

/* May participant i get `got` as component k of a float reduction, or is that at least no
 * violation? For a legal oddity only the permitted set counts, so that the result is legal for no
 * other reason. Where the arena is full the answer is true, so that the fault does not act. */
static bool permits_float(struct sim *s, const struct sim_part *p, uint32_t i, uint32_t k,
                          uint64_t got)
{
    const struct group_call *c = &p->call;
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    struct float_result r = {.rules = sim_get_rules(s, p->in, c)};
    uint64_t *terms = ARENA_NEW(s->x.a, uint64_t, c->n);
    uint32_t first, end;
    if (!terms) {
        return true;
    }
    group_get_span(c, i, &first, &end);
    sim_take_terms(c, first, end, k, terms);
    r.terms = terms;
    r.n = end - first;
    r.grade = r.rules.outside;
    set_clear(&r.set, fmt);
    if (group_is_extreme(c->op)) {
        permit_extreme(s, p->in, c, got, &r);
    } else {
        permit_sum(s, p->in, c, first, got, &r);
    }
    bool const is_special = value_is_special(fmt, got) || sim_has_special(fmt, terms, r.n);
    bool const is_in = set_has(&r.set, got);
    if (fault_rows[s->fault].expect == VERDICT_OK) {
        return is_in && !is_special; /* what is doubtful for other reasons is no legal oddity */
    }
    bool const is_excused = is_special && r.rules.special > GRADE_VIOLATION;
    return is_in || r.is_explained || is_excused || r.grade != GRADE_VIOLATION;
}

/* May a float that a group operation moves between invocations arrive as `got`, or is it no violation? The
 * rules of any copy hold: they may leave the sign of a zero open, or what becomes of NaN and infinities. */
static bool permits_moved(struct sim *s, const struct mod_inst *in, const struct rules *r,
                          uint64_t moved, uint64_t got)
{
    enum fmt_id const fmt = (enum fmt_id)module_get_format(&s->m, in->type);
    struct val v = value_copy(&s->x, fmt, r, (struct val){.bits = moved}, CLAUSE_GROUP_EXCHANGE);
    if (module_is_decorated_float(&s->m, in)) {
        v = value_within(&s->x, &s->rules, in, 0, v);
    }
    const struct abstract *b = exec_get_abstract(&s->x, v);
    const struct set *set = b ? abstract_get_set(b) : NULL;
    bool const is_permitted = b && !abstract_is_one(b) && (!set || set_has(set, got));
    bool const is_graded = value_get_grade(&s->x, v) != GRADE_VIOLATION;
    exec_empty_pool(&s->x);
    return is_permitted || is_graded;
}

/* May participant i get `got` as component k of its result of any group operation, or is it no violation? */
static bool permits(struct sim *s, const struct sim_part *p, uint32_t i, uint32_t k, uint64_t got)
{
    const struct group_call *c = &p->call;
    bool const is_float = c->fmt >= 0;
    struct rules const r = sim_get_rules(s, p->in, c);
    uint64_t out[16];
    if (group_kind_of(c->op) == GROUP_PARTITION) {
        uint64_t may[4];
        group_partition(c, i, is_float ? &r : NULL, out, may);
        return (got & ~may[k]) == 0 && (out[k] & ~got) == 0;
    }
    enum group_answer const answer = group_answer(c, i, is_float ? &r : NULL, out);
    if (answer == GROUP_UNKNOWN && is_float) {
        return permits_float(s, p, i, k, got);
    }
    if (answer == GROUP_EITHER) {
        return got <= 1;
    }
    if (answer != GROUP_IS || out[k] == got) {
        return true;
    }
    return is_float && group_kind_of(c->op) == GROUP_MOVE &&
           permits_moved(s, p->in, &r, out[k], got);
}

/* Compares the changed results with the correct ones. Returns true if the fault may act, because the change is
 * what its row expects: a violation has at least one result that is not permitted, a legal oddity has none, and a
 * divergence is accepted wherever something changed, because the judge decides whether it is one. A plan that is `unasked`
 * plants an oddity also where it is not permitted, to see that it is caught there. Where the
 * results changed but would be judged otherwise the site counts as weak. */
static bool accept_change(struct sim *s, const struct sim_part *p, const uint64_t *correct,
                          const uint64_t *changed)
{
    enum verdict_kind const expect = fault_rows[s->fault].expect;
    bool const is_violation = verdict_rows[expect].part == PART_VIOLATION;
    uint32_t n_changed = 0, n_wrong = 0;
    if (sim_is_uneven(s->tc) && expect != VERDICT_OK) {
        /* in a dispatch with smaller last work-groups all that is wrong becomes one finding of its own, which
         * names no instruction: the fault could not be told */
        s->n_weak_sites++;
        return false;
    }
    for (uint32_t i = 0; i < p->call.n; i++) {
        for (uint32_t k = 0; k < p->call.n_results; k++) {
            size_t const at = (size_t)i * p->call.n_results + k;
            if (changed[at] != correct[at]) {
                n_changed++;
                n_wrong += !permits(s, p, i, k, changed[at]);
            }
        }
    }
    if (n_changed == 0) {
        return false;
    }
    if (expect != VERDICT_OK && !is_violation) { /* a divergence */
        return true;
    }
    bool const is_expected = is_violation ? n_wrong > 0 : n_wrong == 0 || s->plan.unasked;
    s->n_weak_sites += !is_expected;
    return is_expected;
}

/* Executes the changed call and distributes its results. */
static bool hand_out(struct sim *s, const struct sim_part *p, const struct group_effect *effect)
{
    uint32_t const n_results = p->call.n_results;
    uint64_t *theirs = ARENA_NEW(s->x.a, uint64_t, (size_t)effect->call.n * n_results);
    if (!theirs) {
        return exec_stop(&s->x, "arena full");
    }
    /* another seed than that of the correct results */
    if (!sim_evaluate(s, p->in, &effect->call, p->seed + 1, theirs)) {
        return false;
    }
    for (uint32_t i = 0; i < p->call.n; i++) {
        if (effect->from[i] != UINT32_MAX) {
            memcpy(&effect->result[(size_t)i * n_results],
                   &theirs[(size_t)effect->from[i] * n_results], sizeof *theirs * n_results);
        }
    }
    return true;
}

/* Lets a fault of decorations act on the result of one participant of a decorated reduction or
 * exchange. The correct result stands in for the exact one; the permitted set decides whether the
 * changed result is wrong. Sites are counted in this order: no site where the fault changes nothing,
 * a weak one where the change is refused (accept_change), else a site (sim_is_site), which acts if
 * it is the one drawn. Returns false with x.stop set on an error. */
static bool plant_decoration(struct sim *s, const struct sim_part *p, uint64_t *results)
{
    const struct group_call *c = &p->call;
    size_t const n = (size_t)c->n * c->n_results;
    uint64_t *changed = arena_copy(s->x.a, results, sizeof *results * n);
    size_t const at = n ? p->seed % n : 0; /* n > 0 for every part: the test guards the remainder */
    struct fault_math_site site;
    if (!changed) {
        return exec_stop(&s->x, "arena full");
    }
    fault_describe_propagated(&s->x, &s->rules, p->in, (uint32_t)(at % c->n_results), results[at],
                              &site);
    site.honest = results[at];
    site.pick = p->seed;
    if (!fault_change_math(s->fault, &site, &changed[at]) ||
        !accept_change(s, p, results, changed)) {
        return s->x.stop == NULL;
    }
    if (sim_is_site(s)) {
        sim_note_acted(s, (uint32_t)(p->in - s->m.code), true);
        memcpy(results, changed, sizeof *results * n);
    }
    return true;
}

bool sim_may_plant_decoration(const struct module *m, const struct mod_inst *in, enum fault_id id)
{
    enum group_kind const kind = group_kind_of(in->op);
    return fault_is_of_decorations(id) && (kind == GROUP_ARITH || kind == GROUP_MOVE) &&
           module_is_decorated_float(m, in);
}

/* Lets the planted fault act on the results of a group instruction: checks whether it fits, applies it to a copy,
 * and keeps the copy if the change is what the fault's row expects and this is the site to act at. A changed call
 * is executed and its results are distributed. Returns false with x.stop set on an error. */
bool sim_plant(struct sim *s, const struct sim_part *p, uint64_t *results)
{
    struct fault_group_site site;
    size_t const n = (size_t)p->call.n * p->call.n_results;
    if (s->fault == FAULT_NONE || !fault_is_planned(&s->plan, &s->m, p->in)) {
        return true;
    }
    if (sim_may_plant_decoration(&s->m, p->in, s->fault)) {
        sim_note_there(s);
        return plant_decoration(s, p, results);
    }
    if (!fault_is_of_groups(s->fault)) {
        return true;
    }
    if (!describe(s, p, results, &site)) {
        return false;
    }
    if (!fault_fits_group(s->fault, &site)) {
        return true;
    }
    sim_note_there(s);
    if (!sim_hard_group(s, p, &site)) {
        return true;
    }
    /* not the numbers that the correct results were drawn with */
    struct rng rng = rng_seed(p->seed ^ 1);
    struct group_effect effect = {.result = arena_copy(s->x.a, results, sizeof *results * n)};
    if (!effect.result) {
        return exec_stop(&s->x, "arena full");
    }
    enum group_change const change = fault_change_group(s->fault, &site, &rng, s->x.a, &effect);
    if (change == GROUP_CHANGES_NOTHING ||
        (change == GROUP_CHANGES_CALL && !hand_out(s, p, &effect))) {
        return s->x.stop == NULL;
    }
    if (!accept_change(s, p, results, effect.result)) {
        return s->x.stop == NULL;
    }
    if (sim_is_site(s)) {
        sim_note_acted(s, (uint32_t)(p->in - s->m.code), true);
        memcpy(results, effect.result, sizeof *results * n);
    }
    return true;
}
