/* oracle/explain/flow_after_last.c -- the fault FLOW_AFTER_LAST: where a work-group may return before a barrier, or
 * pass a barrier on a side of a branch, its first invocation does, from the barrier before on, what an invocation
 * after the last one of the work-group would do, instead of its own part or in addition to it.
 *
 * The first interpretation keeps what the first invocation of each work-group stores. Then the invocation after the
 * last is interpreted by itself. In the second interpretation a value of the first invocation may be one of either. */
#include "oracle/explain/explain_policy.h"

#include <string.h>

#include "oracle/explain/flow_run.h"
#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_extra.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_facts.h"
#include "oracle/judge_values/iteration.h"
#include "oracle/modorder/mo.h"
#include "oracle/modorder/mo_atomic.h"

/* Interpretations of the invocation after the last, in the order in which they are made for each work-group. */
enum variant {
    /* with the index after the last, both globally and in the work-group */
    BOTH_INDICES,
    /* with the first one's indices, on the path that BOTH_INDICES has taken */
    OWN_INDICES,
    /* with the global index after the last and the first one's local index, as a compiler keeps the global index across a
     * barrier and computes the local one again */
    GLOBAL_INDEX,
    N_VARIANTS
};
enum {
    MAX_BRANCHES = 4096 /* branches of a path that are kept */
};

/* What the first invocation of a work-group does at an instruction, as itself or as the one after the last: a store,
 * or another access, of which only the location is known. */
struct action {
    uint32_t group, code; /* index of the instruction */
    struct location location;
    uint32_t n_bytes; /* 0: the location does not exist */
    bool is_known;    /* `bits` is what it stores */
    uint64_t bits;
    bool is_local_own; /* of the variant GLOBAL_INDEX */
    bool is_atomic;    /* then `event` is its operation, without an invocation */
    struct mo_event event;
};
struct action_list {
    uint32_t n, cap;
    struct action *one;
};

struct after_last {
    struct hypothesis *s;
    bool is_known;     /* the first interpretation is over */
    uint32_t n_items;  /* of the dispatch */
    uint32_t boundary; /* index in code after which the first is partly the one after the last */
    bool *is_first;    /* [n_items] it is the first of its work-group */
    uint32_t *group;   /* [n_items] its work-group */
    struct action_list own,
        after; /* of the first of each group: as itself, as the one after the last */
    /* The one after the last at its end, by work-group and variant (find_at_end); NULL: it is not interpreted. */
    struct invocation *at_end;
    bool is_unseen; /* the last probe holds another value than the one that is judged */
    /* Of the invocation after the last that is interpreted: */
    uint32_t interpreted_group;
    bool has_own_local;
    uint32_t *path, n_branches, nth_branch; /* labels of the path that is recorded or followed */
};

static bool add_action(struct exec *x, struct action_list *list, struct action action)
{
    struct action *const all = arena_grow(x->a, list->one, list->n, &list->cap, sizeof *all);
    if (!all) {
        return exec_stop(x, "arena full");
    }
    list->one = all;
    all[list->n++] = action;
    return true;
}

/* ---- the invocation after the last ---- */

/* Adds an action of the invocation after the last at `at` (NULL: at no location), with the value v (NULL: none). */
static bool add_own_action(struct exec *x, const struct mod_inst *in, const struct location *at,
                           unsigned n_bits, const struct val *v)
{
    struct after_last *const p = x->extra;
    struct action action = {.group = p->interpreted_group,
                            .code = (uint32_t)(in - x->m->code),
                            .is_local_own = p->has_own_local};
    if (at) {
        action.location = *at;
        action.n_bytes = n_bits / 8;
    }
    action.is_known = v && exec_known(x, *v, &action.bits);
    return add_action(x, &p->after, action);
}

static int act_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                    struct location at, uint32_t type, struct val *out)
{
    return add_own_action(x, in, NULL, 0, NULL) && exec_extra_load(x, inv, in, at, type, out);
}

static int act_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                     struct location at, uint32_t type, struct val v)
{
    (void)inv;
    return add_own_action(x, in, &at, x->m->ids[type].t.bits, &v);
}

static int act_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                      struct location at)
{
    struct after_last *const p = x->extra;
    const struct mo_atomic *row = mo_find_atomic(in->op);
    uint32_t const type = static_value_type(x->m, in);
    if (!add_own_action(x, in, &at, x->m->ids[type].t.bits, NULL)) {
        return 0;
    }
    struct action *const action = &p->after.one[p->after.n - 1];
    if (row && x->m->ids[type].t.n == 1) {
        action->is_atomic = true;
        action->event = flow_describe_atomic(x, inv, in, row, 0);
    }
    return exec_extra_atomic(x, inv, in, at);
}

static void act_nowhere(struct exec *x, const struct mod_inst *in)
{
    (void)add_own_action(x, in, NULL, 0, NULL);
}

static uint32_t record_branch(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                              uint32_t label)
{
    struct after_last *const p = x->extra;
    (void)inv;
    (void)in;
    if (p->n_branches < MAX_BRANCHES) {
        p->path[p->n_branches++] = label;
    }
    return label;
}

static uint32_t follow_branch(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                              uint32_t label)
{
    struct after_last *const p = x->extra;
    (void)inv;
    (void)in;
    return p->nth_branch < p->n_branches ? p->path[p->nth_branch++] : label;
}

static const struct exec_hooks record_hooks = {.load = act_load,
                                               .store = act_store,
                                               .atomic = act_atomic,
                                               .arith = iteration_arith,
                                               .way = record_branch,
                                               .builtin = exec_extra_builtin};
static const struct exec_hooks follow_hooks = {.load = act_load,
                                               .store = act_store,
                                               .atomic = act_atomic,
                                               .arith = iteration_arith,
                                               .way = follow_branch,
                                               .builtin = exec_extra_builtin};

/* The place of the invocation after the last of a work-group in the array of all, [N_VARIANTS * work-groups]. */
static struct invocation *find_at_end(struct invocation *all, uint32_t group, enum variant variant)
{
    return &all[(size_t)group * N_VARIANTS + variant];
}

/* Interprets the invocation after the last of a work-group in one variant, with inv's registers. What it does is added to
 * p->after by the hooks; where a branch is not determined, it ends there. */
static void run_variant(struct after_last *p, struct judge *j, uint32_t group, enum variant variant,
                        struct invocation *inv)
{
    static const uint32_t first[3] = {0, 0, 0};
    p->interpreted_group = group;
    p->has_own_local = variant == GLOBAL_INDEX;
    p->nth_branch = 0;
    if (variant == OWN_INDICES) { /* follows the path that BOTH_INDICES has recorded just before */
        exec_start_absent(&j->x, group, first, inv);
        (void)exec_run_alone(&j->x, &follow_hooks, p, inv, act_nowhere);
        return;
    }
    p->n_branches = 0;
    exec_start_after_last(&j->x, group, inv);
    if (variant == GLOBAL_INDEX) {
        inv->local_index = 0;
        inv->local_id[0] = 0;
    }
    (void)exec_run_alone(&j->x, &record_hooks, p, inv, act_nowhere);
}

/* Interprets the invocation after the last of each work-group, in each variant. If the arena is full, p->at_end stays NULL,
 * and what was added to p->after so far is used. */
static void run_after_last(struct after_last *p, struct judge *j)
{
    struct invocation *const all =
        ARENA_NEW(j->a, struct invocation, (size_t)N_VARIANTS * j->x.n_groups + 1);
    p->path = ARENA_NEW(j->a, uint32_t, MAX_BRANCHES);
    for (uint32_t group = 0; all && p->path && group < j->x.n_groups; group++) {
        for (int variant = 0; variant < N_VARIANTS; variant++) {
            struct invocation *const inv = find_at_end(all, group, (enum variant)variant);
            *inv = (struct invocation){
                .regs = ARENA_NEW(j->a, struct val, (size_t)j->m.n_regs + 1),
                .func = ARENA_NEW(j->a, struct val, (size_t)j->m.n_func_objects + 1),
            };
            if (!inv->regs || !inv->func) {
                return;
            }
            run_variant(p, j, group, (enum variant)variant, inv);
        }
    }
    p->at_end = all;
}

/* ---- what is known ---- */

static bool is_in(const struct action *a, struct location at)
{
    return a->location.space == at.space && a->location.object == at.object &&
           a->location.offset <= at.offset && at.offset - a->location.offset < a->n_bytes;
}

/* Does the invocation after the last of the work-group execute this instruction? */
static bool is_done_after(const struct after_last *p, uint32_t group, uint32_t code)
{
    bool is_found = false;
    for (uint32_t i = 0; i < p->after.n && !is_found; i++) {
        is_found = p->after.one[i].group == group && p->after.one[i].code == code;
    }
    return is_found;
}

/* May the first invocation of a work-group have the value `got`, partly as itself and partly as the one after the
 * last? It may if the one after the last stores it, or if a buffer holds it. */
static bool is_of_either(const struct after_last *p, const struct judge *j, struct location at,
                         uint32_t n_bytes, uint64_t got)
{
    bool is_found = flow_is_held(j, at, n_bytes, got);
    for (uint32_t i = 0; i < p->after.n && !is_found; i++) {
        const struct action *const a = &p->after.one[i];
        is_found = a->is_known && a->n_bytes == n_bytes && a->bits == got;
    }
    return is_found;
}

/* Are the n_bytes from byte `skip` on of what the action stores `got`: as the one after the last, or with the first
 * invocation's own value? */
static bool may_store(const struct after_last *p, const struct action *a, uint32_t skip,
                      uint32_t n_bytes, uint64_t got)
{
    uint64_t const mask = n_bytes < 8 ? (UINT64_C(1) << n_bytes * 8) - 1 : UINT64_MAX;
    bool is_found = !a->is_known || (a->bits >> skip * 8 & mask) == got;
    for (uint32_t i = 0; i < p->own.n && !is_found; i++) {
        const struct action *const own = &p->own.one[i];
        is_found = own->group == a->group && own->code == a->code && own->is_known &&
                   (own->bits >> skip * 8 & mask) == got;
    }
    return is_found;
}

/* May the n bytes at `at` be `got` because the first invocation stores them as the one after the last? */
static bool is_stored_after(const struct after_last *p, struct location at, uint32_t n_bytes,
                            uint64_t got)
{
    bool is_found = false;
    for (uint32_t i = 0; i < p->after.n && !is_found; i++) {
        const struct action *const a = &p->after.one[i];
        is_found = is_in(a, at) && at.offset + n_bytes <= a->location.offset + a->n_bytes &&
                   may_store(p, a, at.offset - a->location.offset, n_bytes, got);
    }
    return is_found;
}

/* Is the event one that the first invocation of a work-group may do at another location, or is its location one to
 * which the one after the last stores `got`? */
static bool is_of_first(const struct after_last *p, const struct judge *j, const struct event *e,
                        uint64_t got)
{
    const struct cell *const c = &j->memory.cells[e->cell];
    bool const is_done_by_first =
        e->invocation == c->owner && p->is_first[e->invocation] &&
        (is_done_after(p, p->group[e->invocation], e->code) || e->code > p->boundary);
    return is_done_by_first || (c->location.space == SPACE_BUFFER &&
                                is_stored_after(p, c->location, c->n_bits / 8U, got));
}

/* Does the invocation after the last store the id of the observed value? */
static bool stores_object(const struct after_last *p, const struct judge *j,
                          const struct observed *o)
{
    bool is_found = false;
    for (uint32_t i = 0; i < p->after.n && !is_found; i++) {
        const struct action *const a = &p->after.one[i];
        const struct mod_inst *in = &j->m.code[a->code];
        is_found = a->group == o->inv->group_index && in->op == SpvOpStore &&
                   module_get_operand(&j->m, in, MOD_STORE_OBJECT) == o->object;
    }
    return is_found;
}

/* Is the value computed after the last barrier that all invocations reach? There the first invocation's values, and
 * the branches that it takes, are partly its own and partly those of the one after the last. */
static bool is_from_boundary_on(const struct after_last *p, const struct judge *j, uint32_t object)
{
    uint32_t const def = j->m.ids[object].def;
    return def != UINT32_MAX && def > p->boundary;
}

/* Do the n bytes at offset `there`, of the buffer of `at`, hold a value that is_of_either permits? */
static bool is_word_of_either(const struct after_last *p, const struct judge *j, struct location at,
                              uint64_t there, uint32_t n_bytes)
{
    uint32_t const b = at.object;
    if (there + n_bytes > j->input.tc->bufs[b].n_bytes || n_bytes > 8) {
        return false;
    }
    at.offset = (uint32_t)there;
    return is_of_either(p, j, at, n_bytes, load_le(j->input.ob->out[b] + there, n_bytes));
}

/* Is the byte one that the first invocation stores by its own path at the index after the last, or by the path of the
 * one after the last at its own index? Elements lie one after the other by their index. */
static bool is_of_mixed_index(const struct after_last *p, const struct judge *j, struct location at)
{
    bool is_found = false;
    for (uint32_t i = 0; i < p->own.n + p->after.n && !is_found; i++) {
        bool const is_own = i < p->own.n;
        const struct action *const a = is_own ? &p->own.one[i] : &p->after.one[i - p->own.n];
        uint64_t const step = (uint64_t)j->input.tc->local[0] * a->n_bytes;
        uint64_t const there = a->location.offset + (is_own ? step : -step);
        is_found = a->location.space == at.space && a->location.object == at.object &&
                   there <= at.offset && at.offset - there < a->n_bytes &&
                   is_word_of_either(p, j, at, there, a->n_bytes);
    }
    return is_found;
}

/* Is the byte part of a word that the one after the last stores, or changes by an atomic? */
static bool is_byte_after(const struct after_last *p, const struct judge *j, struct location at)
{
    bool is_found = false;
    for (uint32_t i = 0; i < p->after.n && !is_found; i++) {
        const struct action *const a = &p->after.one[i];
        is_found = is_in(a, at) &&
                   (a->is_atomic || is_word_of_either(p, j, at, a->location.offset, a->n_bytes));
    }
    return is_found;
}

/* ---- an instruction on mixed operands ---- */

/* Does the instruction permit `got` on the operands of the invocation `mixed`? */
static bool is_given(struct judge *j, const struct invocation *mixed, const struct mod_inst *in,
                     uint64_t got)
{
    uint32_t const n_pool = j->x.n_pool;
    struct invocation copy = *mixed;
    bool is_found = false;
    if (iteration_arith(&j->x, &copy, in)) {
        struct val const v = *exec_reg(&j->x, &copy, in->result);
        const struct abstract *const b = exec_get_abstract(&j->x, v);
        is_found = (!b || b->kind == ABSTRACT_SET || abstract_is_one(b)) &&
                   hypothesis_permits(&j->x, v, got);
    }
    j->x.n_pool = n_pool; /* drops the values that were made for this */
    return is_found;
}

/* The same with any input word of the buffers as the operand `id`: the index of its load may be a mixture, too. */
static bool is_given_of_words(struct judge *j, const struct invocation *mixed,
                              const struct mod_inst *in, uint32_t id, uint64_t got)
{
    struct val *const at = exec_reg(&j->x, mixed, id);
    struct val const own = *at;
    uint32_t const n_bytes = j->m.ids[j->m.ids[id].type].t.bits / 8;
    bool is_found = false;
    for (uint32_t b = 0; j->m.ids[id].n_slots == 1 && n_bytes > 1 && b < j->input.tc->n_bufs; b++) {
        const struct buf *const buf = &j->input.tc->bufs[b];
        for (uint32_t i = 0; !is_found && i + n_bytes <= buf->n_bytes; i += n_bytes) {
            *at = (struct val){.bits = load_le(buf->data + i, n_bytes)};
            is_found = is_given(j, mixed, in, got);
        }
    }
    *at = own;
    return is_found;
}

/* Does the instruction permit `got` on a mixture of operands: those whose bit is set in `others` are of the invocation
 * `other`, the rest of `first`? Or on this mixture with any input word as one of them? `mixed`: registers for the
 * mixture. */
static bool is_given_by_mixture(struct judge *j, const struct mod_inst *in,
                                const struct invocation *first, const struct invocation *other,
                                uint32_t others, const struct invocation *mixed, uint64_t got)
{
    uint32_t const n = in->n - MOD_OPERAND;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t const id = module_get_operand(&j->m, in, MOD_OPERAND + k);
        const struct invocation *const from = others >> k & 1 ? other : first;
        for (uint32_t c = 0; c < j->m.ids[id].n_slots; c++) {
            exec_reg(&j->x, mixed, id)[c] = exec_reg(&j->x, from, id)[c];
        }
    }
    bool is_found = is_given(j, mixed, in, got);
    for (uint32_t k = 0; k < n && !is_found; k++) {
        is_found =
            is_given_of_words(j, mixed, in, module_get_operand(&j->m, in, MOD_OPERAND + k), got);
    }
    return is_found;
}

/* The instruction that computed the observed value, before a bitcast or copy by a probe. NULL: none that is tried on mixed
 * operands, which are those of a float instruction of the first invocation of a work-group. */
static const struct mod_inst *find_mixable(const struct judge *j, const struct observed *o)
{
    enum {
        MAX_OPERANDS = 3 /* as a core instruction on floats has; each one doubles the mixtures */
    };
    const struct mod_inst *in = o->inv ? module_get_definition(&j->m, o->object) : NULL;
    if (in && (in->op == SpvOpBitcast || in->op == SpvOpCopyObject)) {
        in = module_get_definition(&j->m, module_get_operand(&j->m, in, MOD_OPERAND));
    }
    bool const is_mixable = in && in->part == PART_FLOAT && in->n <= MOD_OPERAND + MAX_OPERANDS &&
                            o->inv->local_index == 0;
    return is_mixable ? in : NULL;
}

/* Does the instruction that computed the value permit the observed value on mixed operands: some of the first invocation as
 * itself, the others of the one after the last? OWN_INDICES is not tried: it has the first invocation's own indices. */
static bool is_of_mixed_operands(const struct after_last *p, struct judge *j,
                                 const struct observed *o)
{
    static const enum variant variants[] = {BOTH_INDICES, GLOBAL_INDEX};
    const struct mod_inst *const in = find_mixable(j, o);
    struct invocation mixed;
    bool is_found = false;
    if (!in || !p->at_end || !exec_copy_invocation(&j->x, o->inv, &mixed)) {
        return false;
    }
    uint32_t const n_mixtures = 1U << (in->n - MOD_OPERAND);
    for (size_t v = 0; v < ARRAY_N(variants); v++) {
        const struct invocation *const other =
            find_at_end(p->at_end, o->inv->group_index, variants[v]);
        for (uint32_t others = 0; others < n_mixtures && !is_found; others++) {
            is_found = is_given_by_mixture(j, in, o->inv, other, others, &mixed, o->got);
        }
    }
    return is_found;
}

/* ---- the policy ---- */

static bool on_end(void *state, struct judge *j)
{
    struct after_last *const p = state;
    bool const was_known = p->is_known;
    if (!was_known) {
        run_after_last(p, j);
    }
    p->is_known = true;
    return !was_known;
}

/* Keeps a store of the first invocation of a work-group. */
static void keep_store(struct after_last *p, struct judge *j, const struct policy_site *site)
{
    const struct abstract *const b = exec_get_abstract(&j->x, site->value);
    (void)add_action(&j->x, &p->own,
                     (struct action){.group = site->inv->group_index,
                                     .code = (uint32_t)(site->in - j->m.code),
                                     .location = site->location,
                                     .n_bytes = site->n_bits / 8,
                                     .is_known = !b || b->is_observed || abstract_is_one(b),
                                     .bits = b ? b->bits : site->value.bits});
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct after_last *const p = state;
    if (site->kind == SITE_BLOCK) {
        p->group[site->inv->global_index] = site->inv->group_index;
        p->is_first[site->inv->global_index] = site->inv->local_index == 0;
    } else if (site->kind == SITE_PROBE) {
        p->is_unseen = false;
        if (!p->is_known && site->inv->local_index == 0) {
            keep_store(p, j, site);
        }
    }
}

/* Explains the final value of a private location. */
static bool explains_final(const struct after_last *p, const struct judge *j,
                           const struct observed *o)
{
    return is_of_either(p, j, o->location, o->n_bits / 8, o->got) &&
           is_of_first(p, j, o->e, o->got);
}

/* Explains a stored word that holds a value that is not permitted. */
static bool explains_stored(const struct after_last *p, struct judge *j, const struct observed *o)
{
    if (!is_of_either(p, j, o->location, o->n_bits / 8, o->got) && !is_of_mixed_operands(p, j, o)) {
        return false;
    }
    bool is_its = o->e && is_of_first(p, j, o->e, o->got);
    if (o->inv && o->object) {
        bool const is_first = o->inv->local_index == 0 && p->after.n > 0;
        bool const is_not_stored = is_first && o->is_untouched && stores_object(p, j, o);
        is_its = is_its || is_not_stored || (is_first && is_from_boundary_on(p, j, o->object)) ||
                 is_stored_after(p, o->location, o->n_bits / 8, o->got);
    }
    return is_its;
}

static unsigned on_value(void *state, struct judge *j, const struct observed *o, struct val v,
                         bool is_permitted, bool is_agreed)
{
    struct after_last *const p = state;
    (void)is_agreed;
    if (!o->inv && o->e) {
        bool const is_found = !hypothesis_permits(&j->x, v, o->got) && explains_final(p, j, o);
        return is_found && flow_count(p->s) ? POLICY_PERMITS : 0;
    }
    bool const is_found = !is_permitted && explains_stored(p, j, o);
    p->is_unseen |= is_found && flow_count(p->s);
    return (is_found ? POLICY_PERMITS : 0) | (p->is_unseen ? POLICY_UNSEEN : 0);
}

/* Takes into *other the events of the problem, without those of the first invocation of each work-group, after the
 * boundary, whose originals were not observed; and with the atomics of the one after the last on the cell instead. Of
 * the latter those of GLOBAL_INDEX are left out, as the same atomics are there with BOTH_INDICES, and loads, as
 * nothing was observed of them. It is not known when the device executes them: each is of an invocation of its own
 * (numbers from n_items on), and no phases are kept. `events`: room for all. */
static void replace_events(const struct after_last *p, const struct judge *j, const struct cell *c,
                           const struct mo_problem *problem, struct mo_event *events,
                           struct mo_problem *other)
{
    *other = *problem;
    other->n_events = 0;
    other->events = events;
    other->has_phases = 0;
    for (uint32_t i = 0; i < problem->n_events; i++) {
        const struct event *const e = &j->memory.events[problem->events[i].tag];
        /* an access whose original was observed has been done by the first itself */
        bool const was_done = problem->events[i].knows_original || e->code <= p->boundary;
        if (was_done || !p->is_first[e->invocation]) {
            events[other->n_events++] = problem->events[i];
        }
    }
    for (uint32_t i = 0; i < p->after.n; i++) {
        const struct action *const a = &p->after.one[i];
        bool const is_there = location_is_same(a->location, c->location) &&
                              (c->location.space != SPACE_WORKGROUP || a->group == c->group);
        if (is_there && a->is_atomic && !a->is_local_own && a->event.op != MO_LOAD) {
            struct mo_event *const to = &events[other->n_events];
            *to = a->event;
            to->tag = problem->events[0].tag; /* it is no access that the judge has: any number */
            to->invocation = p->n_items + other->n_events++;
        }
    }
}

/* Is there an order in which the atomics of the one after the last replace those of the first invocation of each
 * work-group whose originals were not observed? A problem without events (replace_events) is not asked for. */
static enum res on_order(void *state, struct judge *j, const struct cell *c,
                         const struct mo_problem *problem, bool is_broken, bool *is_explained,
                         struct err *e)
{
    const struct after_last *const p = state;
    struct mo_problem other;
    struct mo_answer answer;
    *is_explained = false;
    if (!is_broken) {
        return RES_OK;
    }
    struct arena_mark const mark = arena_get_mark(j->a);
    struct mo_event *const events =
        ARENA_NEW(j->a, struct mo_event, (size_t)problem->n_events + p->after.n + 1);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location",
                       problem->n_events);
    }
    replace_events(p, j, c, problem, events, &other);
    if (other.n_events > 0) {
        TRY(mo_check(&other, j->a, &answer, e));
        *is_explained = answer.kind == VERDICT_OK || answer.kind == VERDICT_BOUNDED;
    }
    arena_release(j->a, mark);
    if (*is_explained) {
        (void)flow_count(p->s);
    }
    return RES_OK;
}

static bool on_byte(void *state, struct judge *j, uint32_t buf, uint32_t byte)
{
    const struct after_last *const p = state;
    struct location const at = {SPACE_BUFFER, buf, byte};
    return (is_byte_after(p, j, at) || is_of_mixed_index(p, j, at)) && flow_count(p->s);
}

/* Does the one after the last access memory outside of the buffers? */
static bool on_guards(void *state, struct judge *j)
{
    const struct after_last *const p = state;
    bool is_found = false;
    for (uint32_t i = 0; i < p->after.n && !is_found; i++) {
        const struct action *const a = &p->after.one[i];
        const struct mod_inst *in = &j->m.code[a->code];
        bool const is_store = in->op == SpvOpStore || in->op == SpvOpAtomicStore;
        uint32_t const pointer =
            is_store || in->part == PART_ATOMIC
                ? module_get_operand(&j->m, in, is_store ? MOD_STORE_POINTER : MOD_OPERAND)
                : 0;
        is_found = pointer && a->n_bytes == 0 &&
                   j->m.ids[j->m.ids[pointer].type].t.storage != SpvStorageClassWorkgroup;
    }
    return is_found && flow_count(p->s);
}

bool flow_after_last_make(struct judge *j, struct explain_context *context,
                          struct judge_policy *out)
{
    const struct testcase *const tc = j->input.tc;
    struct hypothesis *const s = flow_find(context->all, FLOW_AFTER_LAST);
    bool const acts = s && fault_flow_has_barrier_of_some(&j->m);
    struct after_last *const p = acts ? ARENA_NEW(j->a, struct after_last, 1) : NULL;
    if (!p) {
        return false;
    }
    p->s = s;
    p->n_items = tc->global[0] * tc->global[1] * tc->global[2];
    p->boundary = fault_flow_find_boundary(&j->m);
    p->is_first = ARENA_NEW(j->a, bool, (size_t)p->n_items + 1);
    p->group = ARENA_NEW(j->a, uint32_t, (size_t)p->n_items + 1);
    *out = (struct judge_policy){.state = p,
                                 .end = on_end,
                                 .site = on_site,
                                 .value = on_value,
                                 .order = on_order,
                                 .byte = on_byte,
                                 .guards = on_guards};
    return (p->is_first && p->group) || exec_stop(&j->x, "arena full");
}
