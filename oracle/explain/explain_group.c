/* oracle/explain/explain_group.c -- one dynamic instance of a group instruction of a device that is taken to have a fault. */
#include "oracle/explain/explain_group.h"
#include "oracle/explain/explain_note.h"

#include <string.h>

#include "base/format.h"
#include "oracle/fault/faults_group_bug.h"
#include "oracle/group/group.h"
#include "oracle/group/group_float.h"
#include "oracle/group/reduction.h"
#include "oracle/group/reduction_usual.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/group_kind.h"
#include "oracle/num/set.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_within.h"

enum {
    MAX_RESULTS = 16, /* components */
    N_SIZES = 5,      /* sizes of sub-groups that are tried where the size is not known: 4 to 64 */
    SMALLEST_SIZE = 4,
    NEAR = 8,        /* a sum that a fault has changed is within so many encodings of a right one */
    CHANCE_BITS = 16 /* bits that count as undetermined where a fault takes in unknown values */
};
#define NO_PARTICIPANT UINT32_MAX

/* ---- what a changed call gives ---- */

/* What one participant may get of a call, in one component: anything; nothing that is known; a float of `set`; or
 * `bits`. */
struct outcome {
    bool is_anything, is_none;
    struct set set;               /* of a float */
    struct reduction_usual usual; /* of a sum: the values of the usual orders, if has_usual */
    bool has_usual, is_float;
    uint64_t bits; /* of any other type */
};

static uint64_t *list_terms(const struct group_call *c, uint32_t first, uint32_t end, uint32_t k,
                            struct arena *a)
{
    uint64_t *terms = ARENA_NEW(a, uint64_t, end - first + 1);
    for (uint32_t i = first; terms && i < end; i++) {
        terms[i - first] = c->value[(size_t)i * c->n_components + k];
    }
    return terms;
}

static void widen_by_decoration(const struct explain_group *g, const struct rules *r,
                                const struct exec *x, struct set *set)
{
    const struct mod_id *id = &x->m->ids[g->in->result];
    struct set wide;
    if (id->flags & ID_MAX_ERROR) {
        (void)value_widen(g->rs->env, set, id->max_error, &r->fp, &wide);
        *set = wide;
    }
}

/* What participant p may get as component k of a float sum, product, minimum or maximum. Anything where the use of the
 * instruction is not defined; nothing that is known where the arena is full. */
static void find_sum_outcome(const struct explain_group *g, struct exec *x,
                             const struct group_call *c, uint32_t p, uint32_t k,
                             struct outcome *out)
{
    enum fmt_id const fmt = (enum fmt_id)c->fmt;
    struct rules r = ruleset_get(g->rs, group_rule_class(c->op), fmt, &x->m->ids[g->in->result]);
    uint32_t first, end;
    enum clause_id clause;
    if (group_check(c, p) != GROUP_IS) {
        out->is_anything = true;
        return;
    }
    group_get_span(c, p, &first, &end);
    uint64_t *terms = list_terms(c, first, end, k, x->a);
    if (!terms) {
        out->is_none = true;
        return;
    }
    if (group_is_extreme(c->op)) {
        (void)group_minmax(c->op, fmt, terms, end - first, &r, &out->set, &clause);
    } else {
        struct reduction const sum = {.fmt = fmt,
                                      .is_product = fault_is_product(c->op),
                                      .n = end - first,
                                      .term = terms,
                                      .index = c->index + first,
                                      .size = c->cluster ? c->cluster : c->size,
                                      .rules = r.fp};
        reduction_get_usual(&sum, &out->usual);
        out->has_usual = true;
        (void)reduction_permitted(&sum, 0, x->a, &out->set); /* 0: the bound, without a search */
    }
    widen_by_decoration(g, &r, x, &out->set);
}

/* What participant p may get as component k of the call. Only floats that are added up, compared or exchanged have a
 * set; any other result is `bits`: an integer, a bool, or a ballot. */
static void find_outcome(const struct explain_group *g, struct exec *x, const struct group_call *c,
                         uint32_t p, uint32_t k, struct outcome *out)
{
    uint64_t bits[MAX_RESULTS];
    *out = (struct outcome){.is_float = c->fmt >= 0};
    enum group_kind const kind = group_kind_of(c->op);
    if (kind == GROUP_ARITH && c->fmt >= 0) {
        find_sum_outcome(g, x, c, p, k, out);
        return;
    }
    /* FMT_F32 fills the place of a format that integers do not have */
    struct rules const r =
        ruleset_get(g->rs, group_rule_class(c->op), c->fmt < 0 ? FMT_F32 : (enum fmt_id)c->fmt,
                    &x->m->ids[g->in->result]);
    out->is_float &= kind == GROUP_MOVE; /* votes and ballots on floats give no float */
    switch (group_answer(c, p, c->fmt < 0 ? NULL : &r, bits)) {
    case GROUP_IS:
        out->bits = bits[k];
        break;
    case GROUP_ANYTHING:
    case GROUP_EITHER:
        out->is_anything = true;
        return;
    case GROUP_UNKNOWN:
    case GROUP_MISUSE:
        out->is_none = true;
        return;
    }
    if (out->is_float) {
        struct val const v = value_copy(x, (enum fmt_id)c->fmt, &r, (struct val){.bits = bits[k]},
                                        CLAUSE_GROUP_EXCHANGE);
        const struct abstract *b = exec_get_abstract(x, v);
        if (b && b->kind == ABSTRACT_SET) {
            out->set = *b->set;
        } else {
            set_of(&out->set, (enum fmt_id)c->fmt, b ? b->bits : v.bits);
        }
        widen_by_decoration(g, &r, x, &out->set);
    }
}

static bool outcome_has(const struct outcome *o, enum fmt_id fmt, uint64_t got)
{
    if (o->is_anything || o->is_none) {
        return o->is_anything;
    }
    if (!o->is_float) {
        return o->bits == got;
    }
    return (o->has_usual && reduction_is_usual(&o->usual, fmt, got)) || set_has(&o->set, got);
}

/* Is one of the values of the outcome permitted of `right`? Then it cannot be observed whether the fault acted. */
static bool may_be_hidden(const struct exec *x, const struct outcome *o, struct val right)
{
    enum {
        MAX_TRIED = 4
    };
    if (o->is_anything || !o->is_float) {
        return o->is_anything || hypothesis_permits(x, right, o->bits);
    }
    bool found = false;
    for (uint32_t i = 0; o->has_usual && i < o->usual.n && !found; i++) {
        found = hypothesis_permits(x, right, o->usual.value[i]);
    }
    uint64_t const n = o->set.flags & SET_ANY ? 0 : set_count(&o->set);
    for (uint64_t i = 0; i < n && i < MAX_TRIED && !found; i++) {
        found = hypothesis_permits(x, right, set_nth(&o->set, i));
    }
    return found || o->set.flags & SET_ANY;
}

/* ---- one choice ---- */

static bool is_exact(const struct exec *x, struct val v)
{
    const struct abstract *b = exec_get_abstract(x, v);
    return !b || abstract_is_one(b);
}

/*
 * What the fault does not determine of an instance is a choice: one number below g->n_choices (count_choices, decode_choice).
 *   FAULT_LEFTOVER_SCRATCH: the instance of the first work-group whose results are left over; 0 is the newest
 *   other faults: participant + g->call.n * size; the fault happens to that participant (0 where it happens to all), and
 *   the sub-groups have SMALLEST_SIZE << size invocations (size 0 where the sub-groups are known, or have no part in it)
 */
struct choice {
    uint32_t participant;
    uint32_t subgroup_size;
    const struct explain_group *leftover; /* of FAULT_LEFTOVER_SCRATCH; else NULL */
};

/* May results of `other` be left over for g: is it an instance of the same instruction in the first work-group? */
static bool leaves_results(const struct explain_group *other, const struct explain_group *g)
{
    return other->in == g->in && other->site.group == 0;
}

/* The number of choices of g. g->next is set. */
static uint32_t count_choices(const struct hypothesis *s, const struct explain_group *g)
{
    uint32_t n = fault_chooses_one(s->plan.id) ? g->call.n : 1;
    if (s->plan.id == FAULT_OVER_THE_SUBGROUP && g->is_uncomposed) {
        n *= N_SIZES;
    }
    if (s->plan.id == FAULT_LEFTOVER_SCRATCH) {
        n = 0;
        for (const struct explain_group *h = g->next; h; h = h->next) {
            n += leaves_results(h, g);
        }
    }
    return n;
}

static struct choice decode_choice(const struct hypothesis *s, const struct explain_group *g,
                                   uint32_t number)
{
    struct choice out = {.participant = number % g->call.n,
                         .subgroup_size = (uint32_t)SMALLEST_SIZE << number / g->call.n % N_SIZES};
    if (s->plan.id == FAULT_LEFTOVER_SCRATCH) {
        out.leftover = g->next;
        for (uint32_t nth = 0; out.leftover; out.leftover = out.leftover->next) {
            if (leaves_results(out.leftover, g) && nth++ == number) {
                break;
            }
        }
    }
    return out;
}

/* Describes the instance for the fault, with the choice of that number, into *out. subgroup: room for the number of each
 * participant's sub-group; leftover: room for a value of each result, if the fault is FAULT_LEFTOVER_SCRATCH. */
static void describe_choice(const struct hypothesis *s, const struct explain_group *g,
                            const struct exec *x, uint32_t number, uint32_t *subgroup,
                            uint64_t *leftover, struct fault_group_site *out)
{
    struct choice const choice = decode_choice(s, g, number);
    *out = g->site;
    out->is_chosen = true;
    out->chosen = choice.participant;
    if (g->is_uncomposed) {
        for (uint32_t i = 0; i < g->call.n; i++) {
            subgroup[i] = g->call.index[i] / choice.subgroup_size;
        }
        out->subgroup = subgroup;
    }
    const struct explain_group *const before = choice.leftover;
    if (before) {
        size_t const n = (size_t)g->call.n * g->call.n_results;
        /* the earlier instance may have had fewer participants: its results then fill the room again and again */
        size_t const n_before = (size_t)before->call.n * g->call.n_results;
        for (size_t i = 0; i < n; i++) {
            leftover[i] = hypothesis_pick(x, before->right[i % n_before]);
        }
        out->leftover = leftover;
    }
}

/* The right result at `at` is one of several. Is there a right result, at most NEAR encodings from `got`, that the
 * fault changes to `got`? `honest`: a right value of each result; effect->result is overwritten. */
static bool is_from_near_result(const struct hypothesis *s, struct exec *x, struct explain_group *g,
                                const struct fault_group_site *site, size_t at, uint64_t got,
                                struct group_effect *effect, const uint64_t *honest)
{
    size_t const n = (size_t)g->call.n * g->call.n_results;
    for (int d = -NEAR; d <= NEAR; d++) {
        uint64_t const from = got + (uint64_t)(int64_t)d;
        struct rng rng = rng_seed(0);
        if (d == 0 || !hypothesis_permits(x, g->right[at], from)) {
            continue;
        }
        memcpy(effect->result, honest, sizeof *honest * n);
        effect->result[at] = from;
        if (fault_change_group(s->plan.id, site, &rng, x->a, effect) == GROUP_CHANGES_RESULTS &&
            effect->result[at] == got) {
            return true;
        }
    }
    return false;
}

/* The fault changes the call: is `got` an outcome of the changed call (effect) as that component of that participant's
 * result? A right value also if the fault may be hidden. */
static bool changed_call_explains(const struct hypothesis *s, struct exec *x,
                                  const struct explain_group *g, const struct group_effect *effect,
                                  uint32_t participant, uint32_t component, uint64_t got,
                                  bool is_permitted)
{
    struct outcome o;
    uint32_t const from = effect->from[participant];
    if (from == NO_PARTICIPANT) { /* keeps its right result */
        /* of FAULT_SUMS_DIFFER the value is wrong because it differs from the one that was observed before: it is
         * explained if that one is of the affected participant */
        return is_permitted || (s->plan.id == FAULT_SUMS_DIFFER && g->n_seen > 0 &&
                                effect->from[g->before[component]] != NO_PARTICIPANT);
    }
    if (fault_takes_chance(s->plan.id)) { /* takes in values that nothing tells */
        return true;
    }
    find_outcome(g, x, &effect->call, from, component, &o);
    struct val const right = g->right[(size_t)participant * g->call.n_results + component];
    return outcome_has(&o, (enum fmt_id)g->call.fmt, got) ||
           (is_permitted && may_be_hidden(x, &o, right));
}

/* May `got` be observed where the fault gives `gives`? Also a subnormal minimum or maximum may be flushed. */
static bool is_given(const struct exec *x, const struct explain_group *g, uint64_t gives,
                     uint64_t got)
{
    enum fmt_id const fmt = (enum fmt_id)g->call.fmt;
    if (gives == got || g->call.fmt < 0 || !group_is_extreme(g->call.op) ||
        !format_is_subnormal(&float_formats[fmt], gives)) {
        return gives == got;
    }
    struct rules const r =
        ruleset_get(g->rs, group_rule_class(g->call.op), fmt, &x->m->ids[g->in->result]);
    struct set alone;
    enum clause_id clause;
    (void)group_minmax(g->call.op, fmt, &gives, 1, &r, &alone, &clause);
    return set_has(&alone, got);
}

/* Does the choice explain that this component of this participant's result was observed to be `got`? The fault changes
 * nothing, so that `got` must be right; or it changes the call, so that `got` must be an outcome of the changed call;
 * or it changes the results. What the fault makes of the results is computed from one right value of each (honest). */
static bool choice_explains(const struct hypothesis *s, struct exec *x, struct explain_group *g,
                            uint32_t choice, uint32_t participant, uint32_t component, uint64_t got,
                            bool is_permitted)
{
    size_t const n = (size_t)g->call.n * g->call.n_results;
    size_t const at = (size_t)participant * g->call.n_results + component;
    bool const has_leftover = s->plan.id == FAULT_LEFTOVER_SCRATCH;
    uint64_t *honest = ARENA_NEW(x->a, uint64_t, n);
    uint64_t *leftover = has_leftover ? ARENA_NEW(x->a, uint64_t, n) : NULL;
    uint32_t *subgroup = ARENA_NEW(x->a, uint32_t, g->call.n);
    struct group_effect effect = {.result = ARENA_NEW(x->a, uint64_t, n)};
    struct fault_group_site site;
    struct rng rng = rng_seed(0); /* what the fault draws is fixed by the choice, or left open */
    if (!honest || !effect.result || !subgroup || (has_leftover && !leftover)) {
        return exec_stop(x, "arena full");
    }
    for (size_t r = 0; r < n; r++) {
        effect.result[r] = honest[r] = hypothesis_pick(x, g->right[r]);
    }
    describe_choice(s, g, x, choice, subgroup, leftover, &site);
    switch (fault_change_group(s->plan.id, &site, &rng, x->a, &effect)) {
    case GROUP_CHANGES_NOTHING:
        return is_permitted;
    case GROUP_CHANGES_CALL:
        return changed_call_explains(s, x, g, &effect, participant, component, got, is_permitted);
    case GROUP_CHANGES_RESULTS:
        break;
    }
    if (fault_may_leave(s->plan.id, &site, participant, component, got)) {
        return true;
    }
    struct val const right = g->right[at];
    bool const is_changed = effect.result[at] != honest[at];
    bool const is_wrong_as_changed =
        is_changed && !is_permitted && is_given(x, g, effect.result[at], got);
    bool const is_as_left = effect.result[at] == got && !is_changed;
    if (is_wrong_as_changed) {
        return true;
    }
    /* the fault has left this result as it is; if it is the only right one, what is wrong (not is_permitted) is not it */
    if (is_as_left) {
        return is_exact(x, right) || is_permitted;
    }
    if (is_exact(x, right)) { /* the fault leaves this result, or changes it to a right one */
        return is_permitted && hypothesis_permits(x, right, effect.result[at]);
    }
    /* one of several right values: which one the fault changed is not known */
    return is_permitted || is_from_near_result(s, x, g, &site, at, got, &effect, honest);
}

/* ---- an instance ---- */

/* Was it found that the fault has not given the results of this participant? */
static bool is_refused(const struct hypothesis *s, const struct explain_group *g,
                       uint32_t participant)
{
    bool is_found = false;
    for (const struct explain_refused *r = s->refused; r && !is_found; r = r->next) {
        is_found = r->in == g->in && r->member == g->members[0] && r->nth == g->nth &&
                   (r->participant == participant || r->participant == NO_PARTICIPANT);
    }
    return is_found;
}

/* The number of earlier instances of the instruction with the same first participant. */
static uint32_t count_before(const struct hypothesis *s, const struct explain_group *g)
{
    uint32_t n = 0;
    for (const struct explain_group *h = s->groups; h; h = h->next) {
        n += h->in == g->in && h->members[0] == g->members[0];
    }
    return n;
}

static bool make_sights(const struct hypothesis *s, struct exec *x, struct explain_group *g)
{
    size_t const n = (size_t)g->call.n * g->call.n_results + 1;
    if (fault_is_group_open(s->plan.id)) {
        g->got = ARENA_NEW(x->a, uint64_t, n);
        g->sight = ARENA_NEW(x->a, enum explain_sight, n);
        return g->got && g->sight;
    }
    return true;
}

/* Adds a note for each result of the instance that the fault may have given. */
static void note_results(struct hypothesis *s, struct exec *x, struct explain_group *g)
{
    for (uint32_t i = 0; i < g->call.n; i++) {
        for (uint32_t k = 0; k < g->call.n_results && !is_refused(s, g, i); k++) {
            struct explain_note *note = ARENA_NEW(x->a, struct explain_note, 1);
            if (!note) {
                (void)exec_stop(x, "arena full");
                return;
            }
            *note = (struct explain_note){.invocation = g->members[i],
                                          .component = k,
                                          .group = g,
                                          .participant = i,
                                          .next = s->notes[g->in->result]};
            s->notes[g->in->result] = note;
        }
    }
}

/* An instance that the fault does not fit, or that has no choice, gets no notes. Of FAULT_LEFTOVER_SCRATCH the
 * instances of the first work-group (is_source) are kept all the same, without choices: their results are what is left
 * over for later ones. */
void explain_group(struct hypothesis *s, struct exec *x, const struct explain_group *instance)
{
    struct explain_group *g = arena_copy(x->a, instance, sizeof *g);
    if (!g) {
        (void)exec_stop(x, "arena full");
        return;
    }
    g->site.call = &g->call;
    bool const is_source = s->plan.id == FAULT_LEFTOVER_SCRATCH && g->site.group == 0;
    if (!is_source && !fault_fits_group(s->plan.id, &g->site)) {
        return;
    }
    g->next = s->groups;
    g->n_choices = is_source ? 0 : count_choices(s, g);
    g->alive = ARENA_NEW(x->a, unsigned char, g->n_choices + 1);
    g->before = ARENA_NEW(x->a, uint32_t, g->call.n_results + 1);
    g->nth = count_before(s, g);
    if (!g->alive || !g->before || !make_sights(s, x, g)) {
        (void)exec_stop(x, "arena full");
        return;
    }
    memset(g->alive, 1, g->n_choices);
    s->groups = g;
    if (g->n_choices > 0) {
        note_results(s, x, g);
    }
}

static void keep_sight(struct explain_group *g, size_t at, uint64_t got, bool is_permitted)
{
    bool const is_other = g->sight[at] != SIGHT_NONE && g->got[at] != got;
    g->got[at] = got;
    g->sight[at] = is_other || g->sight[at] == SIGHT_DIFFERS ? SIGHT_DIFFERS
                   : is_permitted                            ? SIGHT_PERMITTED
                                                             : SIGHT_TAKEN;
}

/* Strikes out the choices (g->alive) that do not explain the observed value together with all that was observed
 * before. A value that is not permitted and that no choice explains is wrong by another cause: a finding of its own,
 * which strikes out none. A permitted value that none explains strikes out all: the fault has not acted in this
 * instance. Memory that a try needs is released after it, as there are many; not where the try has grown the pool of
 * values, which may have moved then. Of a fault whose participants share one unknown value (g->sight), the value is
 * kept for explain_group_settle. */
bool explain_group_see(const struct hypothesis *s, struct exec *x, struct explain_group *g,
                       uint32_t participant, uint32_t component, uint64_t got, bool is_permitted)
{
    unsigned char *still_alive = ARENA_NEW(x->a, unsigned char, g->n_choices + 1);
    bool found = false;
    for (uint32_t choice = 0; still_alive && choice < g->n_choices; choice++) {
        struct arena_mark const mark = arena_get_mark(x->a);
        uint32_t const n_pool = x->n_pool;
        still_alive[choice] = g->alive[choice] && choice_explains(s, x, g, choice, participant,
                                                                  component, got, is_permitted);
        found |= still_alive[choice];
        if (n_pool == x->n_pool) {
            arena_release(x->a, mark);
        }
    }
    bool const is_of_fault_or_right = found || is_permitted;
    if (g->sight && is_of_fault_or_right) {
        keep_sight(g, (size_t)participant * g->call.n_results + component, got, is_permitted);
    }
    g->n_seen++;
    g->before[component] = participant;
    if (still_alive && is_of_fault_or_right) {
        memcpy(g->alive, still_alive, g->n_choices);
        g->n_wrong += !is_permitted;
    }
    return found;
}

/* ---- what all participants have in common ---- */

/* The first participant from `first` on whose component k was observed, and whose value the fault does not determine;
 * n: there is none. */
static uint32_t find_observed(const struct hypothesis *s, const struct explain_group *g,
                              uint32_t first, uint32_t k)
{
    uint32_t i = first;
    while (i < g->call.n && (g->sight[(size_t)i * g->call.n_results + k] == SIGHT_NONE ||
                             !fault_leaves_open(s->plan.id, &g->site, i, k))) {
        i++;
    }
    return i;
}

/* Do all observed participants from p on agree with p in component k? *n_taken: the number of them that got a value
 * that is not permitted. */
static bool participants_agree(const struct hypothesis *s, const struct explain_group *g,
                               uint32_t p, uint32_t k, uint32_t *n_taken)
{
    uint32_t const each = g->call.n_results;
    bool agree = true;
    *n_taken = 0;
    for (uint32_t i = p; i < g->call.n; i = find_observed(s, g, i + 1, k)) {
        size_t const at = (size_t)i * each + k;
        uint32_t const pair[2] = {p, i};
        uint64_t const got[2] = {g->got[(size_t)p * each + k], g->got[at]};
        agree &= g->sight[at] != SIGHT_DIFFERS && fault_agrees(s->plan.id, &g->site, pair, k, got);
        *n_taken += g->sight[at] != SIGHT_PERMITTED;
    }
    return agree;
}

static bool refuse(struct hypothesis *s, struct exec *x, const struct explain_group *g,
                   uint32_t participant)
{
    struct explain_refused *const r = ARENA_NEW(x->a, struct explain_refused, 1);
    if (!r) {
        return exec_stop(x, "arena full");
    }
    *r = (struct explain_refused){.in = g->in,
                                  .member = g->members[0],
                                  .nth = g->nth,
                                  .participant = participant,
                                  .next = s->refused};
    s->refused = r;
    return true;
}

/* Is one of the observed values of component k enough to know the fault by? */
static bool has_shown_alone(const struct hypothesis *s, const struct explain_group *g, uint32_t k)
{
    bool is_it = !fault_shows_twice(s->plan.id);
    for (uint32_t i = 0; i < g->call.n && !is_it; i++) {
        size_t const at = (size_t)i * g->call.n_results + k;
        is_it = g->sight[at] == SIGHT_TAKEN &&
                fault_shows_alone(s->plan.id, &g->site, i, k, g->got[at]);
    }
    return is_it;
}

/* Do other instances of the instruction agree with what was observed in g of component k? n_taken: the number of its
 * values that are not permitted. */
static bool other_instances_agree(const struct hypothesis *s, const struct explain_group *g,
                                  uint32_t k, uint32_t n_taken)
{
    bool agree = true;
    for (const struct explain_group *h = s->groups; h; h = h->next) {
        bool const is_other = h != g && h->in == g->in && h->sight && h->call.n == g->call.n;
        for (uint32_t i = 0; is_other && i < g->call.n; i++) {
            size_t const at = (size_t)i * g->call.n_results + k;
            bool const is_right = h->sight[at] == SIGHT_PERMITTED;
            n_taken += h->sight[at] == SIGHT_TAKEN;
            agree &=
                g->sight[at] == SIGHT_NONE || h->sight[at] == SIGHT_NONE ||
                fault_agrees_elsewhere(s->plan.id, &g->site, i, g->got[at], h->got[at], is_right);
        }
    }
    return agree && (n_taken > 1 || has_shown_alone(s, g, k));
}

/* Refuses component k of the instance if its observed values contradict each other. If the first invocation of the
 * work-group alone contradicts the others, another bug may have stored its value elsewhere: then only its value is
 * refused. true: something is refused. */
static bool refuse_component(struct hypothesis *s, struct exec *x, const struct explain_group *g,
                             uint32_t k)
{
    uint32_t const p = find_observed(s, g, 0, k);
    uint32_t n_taken, n_taken_later;
    if (p == g->call.n) {
        return false;
    }
    bool const agree = participants_agree(s, g, p, k, &n_taken);
    if (n_taken == 0 || (agree && other_instances_agree(s, g, k, n_taken))) {
        return false;
    }
    uint32_t const q = find_observed(s, g, p + 1, k);
    bool const is_first = p == 0 && g->call.index[0] == 0 && q < g->call.n;
    if (!agree && is_first && participants_agree(s, g, q, k, &n_taken_later)) {
        bool const is_taken = g->sight[k] != SIGHT_PERMITTED;
        if (is_taken || n_taken_later > 1) {
            return is_taken && refuse(s, x, g, 0);
        }
    }
    return refuse(s, x, g, NO_PARTICIPANT);
}

static bool refuse_what_disagrees(struct hypothesis *s, struct exec *x)
{
    bool is_any = false;
    for (const struct explain_group *g = s->groups; g; g = g->next) {
        for (uint32_t k = 0; g->sight && k < g->call.n_results; k++) {
            is_any |= refuse_component(s, x, g, k);
        }
    }
    return is_any;
}

static bool is_alive(const struct explain_group *g)
{
    return g->n_choices > 0 && memchr(g->alive, 1, g->n_choices) != NULL;
}

void explain_group_count(struct hypothesis *s, const struct explain_group *g)
{
    if (g->n_seen == 0) {
        return;
    }
    s->n_sites += g->n_seen;
    s->n_taken += g->n_wrong;
    s->n_kept += is_alive(g) ? 0 : g->n_seen - g->n_wrong;
    s->n_free += g->n_wrong > 0 ? hypothesis_count_bits(g->n_choices) : 0;
    s->n_free += fault_takes_chance(s->plan.id) ? CHANCE_BITS * g->n_wrong : 0;
    s->n_free += fault_is_group_open(s->plan.id) ? HYPOTHESIS_OPEN_BITS * g->n_wrong : 0;
}

bool explain_group_settle(struct hypothesis *s, struct exec *x)
{
    bool is_again = false;
    for (; s; s = s->next) {
        is_again |= s->has_others && !s->is_settled;
        is_again |= !s->is_settled && refuse_what_disagrees(s, x);
        s->is_settled = true;
    }
    return is_again;
}
