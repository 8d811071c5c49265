/* oracle/judge/judge_place.c -- a run that is judged under the suspicion of a bug of places. */
#include "oracle/judge/judge_place.h"

#include <math.h>
#include <string.h>

#include "base/format.h"
#include "oracle/fault/faults_place.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/exec_further.h"
#include "oracle/interp/module.h"
#include "oracle/interp/static_place.h"
#include "oracle/math/accuracy.h"
#include "oracle/modorder/mo.h"
#include "oracle/modorder/mo_atomic.h"
#include "oracle/suspect/suspect.h"
#include "oracle/suspect/suspect_note.h"
#include "oracle/value/value.h"

/* What a private cell held before an access that is perhaps missing. */
struct left {
    uint32_t cell;
    struct val value;
};

/* What a further turn stores to a buffer. */
struct stored {
    struct place place;
    uint32_t n_bytes;
    bool is_known;
    uint64_t bits;
};

/* What the first invocation of a group does there, or would do as one behind the last: a store, or any other access,
 * of which nothing but the place is known. */
struct did {
    uint32_t group, code; /* index of the instruction */
    struct stored what;   /* n_bytes 0: it is at no place that there is */
    bool is_local_own;    /* of the one that has its own local index */
    bool is_atomic;       /* then `event` is what it does there, the invocation left open */
    struct mo_event event;
};
struct did_list {
    uint32_t n, cap;
    struct did *one;
};

/* What an atomic of a further turn does to a location. */
struct turned {
    struct place place;
    uint32_t group; /* of work-group memory; else 0 */
    struct mo_event event;
};

struct carried_list;
struct judge_places {
    struct place_flow flow;
    bool is_settled;
    /* The first suspicions of a bug by which invocations stop, do further turns, have what the other side of a branch
     * leaves, store to the next place, leave out turns, and do another number of them; NULL: none. */
    struct suspicion *stops, *further, *other_side, *behind_last, *leaves_out, *turns_open;
    /* What the first of each group stores, and does as one behind the last; as it is known from the first time. */
    struct did_list first, behind;
    uint32_t meeting; /* index in code, behind which the first is partly that one */
    struct invocation
        *as_behind; /* [3 * groups] the first of each as one behind the last, at its end */
    uint32_t *ways; /* which way it went at each branch, of the one that is interpreted; */
    uint32_t n_ways, nth_way;
    uint32_t group_behind;  /* of the one that is interpreted, */
    bool is_local_own;      /* which has its own local index */
    bool is_misplaced;      /* the last store that was seen is not at its place */
    enum place_where where; /* they may have stopped */
    uint32_t n_further;     /* turns that were done so far */
    /* By invocation, what it does to memory by number, from 1; 0: nothing yet. */
    uint32_t *now;
    uint32_t *
        alive; /* the last thing that is seen to have been done, as it is known from the first time */
    bool *is_at;      /* it has come to the place, and may have stopped */
    bool *is_stopped; /* it was found not to have stored */
    bool *is_first;   /* it is the first of its work-group */
    uint32_t *group;  /* its work-group */
    /* The outermost loop in a turn of which it is that others do not do, and what its phis had where that began. */
    const struct place_loop **turn;
    struct val **phis;
    struct carried_list *
        *carried; /* what it had in a loop that is to be unrolled; NULL: it was in none for long */
    struct left *left;
    uint32_t n_left, cap_left;
    struct stored *stored;
    uint32_t n_stored, cap_stored;
    struct turned *turned;
    uint32_t n_turned, cap_turned;
};

void judge_place_make(struct judge *j)
{
    const struct testcase *tc = j->input.tc;
    uint32_t const n_items = tc->global[0] * tc->global[1] * tc->global[2];
    struct judge_places made = {.stops = NULL};
    for (struct suspicion *s = j->input.suspicion; s; s = s->next) {
        const struct place_row *row = fault_get_place(s->plan.id);
        if (row && row->does == PLACE_STOPS && !made.stops) {
            made.stops = s;
            made.where = row->where;
        } else if (row && row->does == PLACE_FURTHER && !made.further) {
            made.further = s;
        } else if (row && row->does == PLACE_OTHER_SIDE && !made.other_side) {
            made.other_side = s;
        } else if (row && row->does == PLACE_BEHIND_LAST && !made.behind_last &&
                   place_has_barrier_of_some(&j->m)) {
            made.behind_last = s;
            made.meeting = place_find_meeting(&j->m);
        } else if (row && row->does == PLACE_LEAVES_OUT && !made.leaves_out) {
            made.leaves_out = s;
        } else if (row && row->does == PLACE_TURNS_OPEN && !made.turns_open) {
            made.turns_open = s;
        }
    }
    if (!made.stops && !made.further && !made.other_side && !made.behind_last && !made.leaves_out &&
        !made.turns_open) {
        return;
    }
    size_t const n = (size_t)n_items + 1;
    made.now = ARENA_NEW(j->a, uint32_t, n);
    made.alive = ARENA_NEW(j->a, uint32_t, n);
    made.is_at = ARENA_NEW(j->a, bool, n);
    made.is_stopped = ARENA_NEW(j->a, bool, n);
    made.is_first = ARENA_NEW(j->a, bool, n);
    made.group = ARENA_NEW(j->a, uint32_t, n);
    made.turn = ARENA_NEW(j->a, const struct place_loop *, n);
    made.phis = ARENA_NEW(j->a, struct val *, n);
    made.carried = ARENA_NEW(j->a, struct carried_list *, n);
    bool const is_made = place_flow_make(&made.flow, &j->m, n_items, j->a) && made.now &&
                         made.alive && made.is_at && made.is_stopped && made.is_first &&
                         made.group && made.turn && made.phis && made.carried;
    j->places = is_made ? arena_copy(j->a, &made, sizeof made) : NULL;
}

void judge_place_begin(struct judge *j)
{
    struct judge_places *const p = j->places;
    uint32_t const n = p->flow.n_items;
    place_flow_begin(&p->flow);
    memset(p->now, 0, sizeof *p->now * n);
    memset(p->is_at, 0, sizeof *p->is_at * n);
    memset(p->is_stopped, 0, sizeof *p->is_stopped * n);
    memset(p->turn, 0, sizeof(struct place_loop *) * n);
    memset(p->carried, 0, sizeof(struct carried_list *) * n);
    if (!p->is_settled) {
        memset(p->alive, 0, sizeof *p->alive * n);
    }
    p->n_left = p->n_further = p->n_stored = p->n_turned = 0;
}

/* ---- further turns ---- */

static int further_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                         struct place p, uint32_t type, struct val v)
{
    struct judge *const j = x->user;
    struct judge_places *const places = j->places;
    (void)inv;
    (void)in;
    if (p.space != SPACE_BUFFER) {
        return 1;
    }
    struct stored *all =
        arena_grow(j->a, places->stored, places->n_stored, &places->cap_stored, sizeof *all);
    if (!all) {
        return exec_stop(x, "arena full");
    }
    places->stored = all;
    struct stored *const one = &all[places->n_stored++];
    *one = (struct stored){.place = p, .n_bytes = x->m->ids[type].t.bits / 8};
    one->is_known = exec_known(x, v, &one->bits) != 0;
    return 1;
}

/* The private locations there may hold anything from now on: what others make of them is followed no more. */
static void open_cells(struct judge *j, struct place p, uint32_t group)
{
    for (uint32_t i = 0; i < j->memory.n_cells; i++) {
        struct cell *const c = &j->memory.cells[i];
        bool const is_there = c->place.space == p.space && c->place.object == p.object &&
                              c->place.offset == p.offset && c->group == group;
        if (is_there && !c->contended) {
            c->cur = suspect_open(j->places->further, &j->x, c->cur);
        }
    }
}

/* Component c of the operand at that word, where there is one. false: it is not known. */
static bool take_operand(const struct exec *x, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t word, uint32_t c, uint64_t *out)
{
    uint32_t const id = word ? module_get_operand(x->m, in, word) : 0;
    return !word || (x->m->ids[id].n_slots > c && exec_known(x, exec_reg(x, inv, id)[c], out));
}

/* Component c of an atomic that nobody sees, as an access to its location. */
static struct mo_event describe_access(const struct exec *x, const struct invocation *inv,
                                       const struct mod_inst *in, const struct mo_atomic *row,
                                       uint32_t c)
{
    struct mo_event out = {.op = row->operation, .operand = 1, .group = inv->group_index};
    out.knows_operand = take_operand(x, inv, in, row->value, c, &out.operand) &&
                        take_operand(x, inv, in, row->comparator, c, &out.comparator);
    return out;
}

/* An atomic of a further turn, which is one more access to its location. */
static int turn_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct place p)
{
    struct judge *const j = x->user;
    struct judge_places *const places = j->places;
    const struct mod_type *t = &j->m.ids[static_value_type(&j->m, in)].t;
    const struct mo_atomic *row = mo_find_atomic(in->op);
    uint32_t const group = p.space == SPACE_WORKGROUP ? inv->group_index : 0;
    struct place at = p;
    for (uint32_t c = 0; row && c < t->n; c++, at.offset += t->bits / 8) {
        struct turned *all =
            arena_grow(j->a, places->turned, places->n_turned, &places->cap_turned, sizeof *all);
        if (!all) {
            return exec_stop(x, "arena full");
        }
        places->turned = all;
        all[places->n_turned++] = (struct turned){at, group, describe_access(x, inv, in, row, c)};
        if (row->operation != MO_LOAD) {
            open_cells(j, at, group);
        }
    }
    return exec_further_atomic(x, inv, in, p);
}

int judge_place_arith(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct judge *const j = x->user;
    struct value_result r;
    int const done = value_apply(x, &j->rules, inv, in, &r);
    if (done == 1) {
        value_put(x, inv, in, &r);
    }
    return done == 1;
}

static const struct exec_hooks further_hooks = {.load = exec_further_load,
                                                .store = further_store,
                                                .atomic = turn_atomic,
                                                .arith = judge_place_arith,
                                                .builtin = exec_further_builtin};

/* Let what the phi gave to the invocation also be `other`. */
static void take_other(struct judge *j, struct suspicion *s, const struct invocation *inv,
                       const struct mod_inst *phi, struct val other)
{
    struct val *const own = exec_reg(&j->x, inv, phi->result);
    int const fmt = module_get_format(&j->m, phi->type);
    uint64_t bits;
    bool const is_known = exec_known(&j->x, other, &bits) != 0;
    if (fmt >= 0 && is_known) {
        *own = suspect_widen(s, &j->x, *own, fmt, &bits, 1);
    } else if (fmt >= 0) {
        *own = suspect_open(s, &j->x, *own);
    } else if (is_known) {
        (void)suspect_note_values(s, &j->x, phi->result, inv->global_index, 0, *own, &bits, 1);
    }
}

/* The invocation has left a loop in which others do further turns. */
static void go_on(struct judge *j, const struct invocation *inv, const struct place_loop *loop,
                  uint32_t n_turns)
{
    enum {
        MAX_TURNS = 4,
        MAX_IN_ALL = 4096
    };
    struct judge_places *const p = j->places;
    struct invocation copy;
    if (loop->body == 0 || p->n_further >= MAX_IN_ALL || !exec_copy_invocation(&j->x, inv, &copy)) {
        return;
    }
    for (uint32_t turn = 0; turn < n_turns && turn < MAX_TURNS; turn++, p->n_further++) {
        if (!exec_run_further(&j->x, &further_hooks, &copy, loop->body, loop->header)) {
            return;
        }
        for (uint32_t i = loop->first + 1; j->m.code[i].op == SpvOpPhi; i++) {
            const struct mod_inst *phi = &j->m.code[i];
            take_other(j, p->further, inv, phi, *exec_reg(&j->x, &copy, phi->result));
        }
    }
}

/* ---- turns that are left out ---- */

static uint32_t count_phis(const struct module *m, uint32_t label)
{
    uint32_t n = 0;
    while (m->code[label + 1 + n].op == SpvOpPhi) {
        n++;
    }
    return n;
}

/* The invocation has entered a block. */
static void follow_turn(struct judge *j, const struct invocation *inv)
{
    struct judge_places *const p = j->places;
    uint32_t const at = inv->global_index;
    const struct place_loop *const loop = p->turn[at], *const began =
                                                           place_flow_began(&p->flow, &j->m, inv);
    if (!loop && began) {
        uint32_t const n = count_phis(&j->m, began->first);
        p->turn[at] = began;
        p->phis[at] = ARENA_NEW(j->a, struct val, n + 1);
        for (uint32_t i = 0; p->phis[at] && i < n; i++) {
            p->phis[at][i] = *exec_reg(&j->x, inv, j->m.code[began->first + 1 + i].result);
        }
    } else if (loop && loop->merge == j->m.label_at[inv->label]) {
        uint32_t const n = p->phis[at] ? count_phis(&j->m, loop->first) : 0;
        for (uint32_t i = 0; i < n; i++) {
            take_other(j, p->leaves_out, inv, &j->m.code[loop->first + 1 + i], p->phis[at][i]);
        }
        p->turn[at] = NULL;
    }
}

/* ---- the other side of a branch ---- */

static void take_other_sides(struct judge *j, const struct invocation *inv)
{
    for (uint32_t i = j->m.label_at[inv->label] + 1; j->m.code[i].op == SpvOpPhi; i++) {
        const struct mod_inst *phi = &j->m.code[i];
        for (uint32_t w = MOD_OPERAND; w < phi->n; w += 2) {
            uint32_t const id = module_get_operand(&j->m, phi, w);
            if (place_is_from_before(&j->m, id, inv->label)) {
                take_other(j, j->places->other_side, inv, phi, *exec_reg(&j->x, inv, id));
            }
        }
    }
}

/* ---- another number of iterations ---- */

/* Iterations after which a driver may leave an unrolled loop, where the program does not. */
enum {
    FIRST_WAY_OUT = 64,
    N_WAYS_OUT = SUSPECT_MAX_VALUES
};
/* What one value held at the start of these iterations, by invocation. */
struct carried {
    uint32_t id, n; /* n: of those iterations that were recorded */
    uint64_t bits[N_WAYS_OUT];
};
/* The values of a loop of one invocation that its phis, and those behind it, may have. */
struct carried_list {
    const struct place_loop *loop;
    uint32_t n;
    struct carried *one;
};

static void add_carried(struct judge *j, struct carried_list *list, uint32_t id)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->one[i].id == id) {
            return;
        }
    }
    if (id != 0 && j->m.ids[id].n_slots == 1) {
        list->one[list->n++].id = id;
    }
}

/* The phis of the loop's header, and what those behind the loop take. */
static struct carried_list *list_carried(struct judge *j, const struct place_loop *loop)
{
    struct carried_list *const list = ARENA_NEW(j->a, struct carried_list, 1);
    uint32_t n = 0;
    for (uint32_t i = loop->first + 1; j->m.code[i].op == SpvOpPhi; i++) {
        n++;
    }
    for (uint32_t i = loop->merge + 1; j->m.code[i].op == SpvOpPhi; i++) {
        n += j->m.code[i].n;
    }
    struct carried *const one = ARENA_NEW(j->a, struct carried, n + 1);
    if (!list || !one) {
        (void)exec_stop(&j->x, "arena full");
        return NULL;
    }
    *list = (struct carried_list){.loop = loop, .one = one};
    for (uint32_t i = loop->first + 1; j->m.code[i].op == SpvOpPhi; i++) {
        add_carried(j, list, j->m.code[i].result);
    }
    for (uint32_t i = loop->merge + 1; j->m.code[i].op == SpvOpPhi; i++) {
        for (uint32_t w = MOD_OPERAND; w < j->m.code[i].n; w += 2) {
            add_carried(j, list, module_get_operand(&j->m, &j->m.code[i], w));
        }
    }
    return list;
}

/* The invocation begins an iteration of a loop that is to be unrolled. */
static void record_carried(struct judge *j, const struct invocation *inv)
{
    struct judge_places *const p = j->places;
    uint32_t const at = inv->global_index;
    uint32_t n_done;
    const struct place_loop *const loop = place_flow_in_unrolled(&p->flow, &j->m, inv, &n_done);
    if (!loop || n_done < FIRST_WAY_OUT || n_done >= FIRST_WAY_OUT + N_WAYS_OUT) {
        return;
    }
    if (n_done == FIRST_WAY_OUT) {
        p->carried[at] = list_carried(j, loop);
    }
    struct carried_list *const list = p->carried[at];
    for (uint32_t i = 0; list && list->loop == loop && i < list->n; i++) {
        struct carried *const one = &list->one[i];
        one->n += exec_known(&j->x, *exec_reg(&j->x, inv, one->id), &one->bits[one->n]) != 0;
    }
}

static const struct carried *find_carried(const struct carried_list *list, uint32_t id)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->one[i].id == id) {
            return &list->one[i];
        }
    }
    return NULL;
}

/* Let a value also be any of those. */
static void take_carried(struct judge *j, const struct invocation *inv, const struct mod_inst *phi,
                         const struct carried *c)
{
    struct suspicion *const s = j->places->turns_open;
    struct val *const own = exec_reg(&j->x, inv, phi->result);
    int const fmt = module_get_format(&j->m, phi->type);
    if (c && c->n > 0 && fmt >= 0) {
        *own = suspect_widen(s, &j->x, *own, fmt, c->bits, c->n);
    } else if (c && c->n > 0) {
        (void)suspect_note_values(s, &j->x, phi->result, inv->global_index, 0, *own, c->bits, c->n);
    }
}

/* Whatever comes of such a loop may be what it was after another number of iterations: what it carries, and what is chosen
 * behind it. */
static void leave_unrolled(struct judge *j, const struct invocation *inv)
{
    struct judge_places *const p = j->places;
    const struct place_loop *const loop = place_flow_unrolled(&p->flow, &j->m, inv);
    const struct carried_list *const list = p->carried[inv->global_index];
    if (!loop || !list || list->loop != loop) {
        return;
    }
    for (uint32_t i = loop->first + 1; j->m.code[i].op == SpvOpPhi; i++) {
        take_carried(j, inv, &j->m.code[i], find_carried(list, j->m.code[i].result));
    }
    for (uint32_t i = loop->merge + 1; j->m.code[i].op == SpvOpPhi; i++) {
        const struct mod_inst *const phi = &j->m.code[i];
        for (uint32_t w = MOD_OPERAND; w < phi->n; w += 2) {
            take_carried(j, inv, phi, find_carried(list, module_get_operand(&j->m, phi, w)));
        }
    }
}

void judge_place_enter(struct judge *j, const struct invocation *inv)
{
    struct judge_places *const p = j->places;
    uint32_t const at = inv->global_index;
    uint32_t n_turns;
    place_flow_enter(&p->flow, inv);
    p->group[at] = inv->group_index;
    p->is_first[at] = inv->local_index == 0;
    if (!p->is_settled) {
        return;
    }
    p->is_at[at] = p->is_at[at] || (p->stops && place_flow_is_at(&p->flow, &j->m, inv, p->where));
    if (p->turns_open) {
        record_carried(j, inv);
        leave_unrolled(j, inv);
    }
    if (p->leaves_out) {
        follow_turn(j, inv);
    }
    const struct place_loop *const left =
        p->further ? place_flow_left(&p->flow, &j->m, inv, &n_turns) : NULL;
    if (left) {
        go_on(j, inv, left, n_turns);
    }
    if (p->other_side) {
        take_other_sides(j, inv);
    }
}

void judge_place_see(struct judge *j, const struct invocation *inv, bool is_untouched)
{
    struct judge_places *const p = j->places;
    uint32_t const at = inv->global_index;
    p->now[at]++;
    if (!p->is_settled && !is_untouched) {
        p->alive[at] = p->now[at];
    }
}

/* Is what the invocation does now perhaps not done? */
static bool may_be_lost(const struct judge *j, const struct invocation *inv)
{
    const struct judge_places *const p = j->places;
    uint32_t const at = inv->global_index;
    return p->is_at[at] && p->now[at] > p->alive[at];
}

bool judge_place_access(struct judge *j, const struct cell *c, const struct invocation *inv)
{
    struct judge_places *const p = j->places;
    p->now[inv->global_index]++;
    if (!may_be_lost(j, inv)) {
        return false;
    }
    struct left *left = arena_grow(j->a, p->left, p->n_left, &p->cap_left, sizeof *left);
    if (!left) {
        return exec_stop(&j->x, "arena full");
    }
    p->left = left;
    left[p->n_left++] = (struct left){(uint32_t)(c - j->memory.cells), c->cur};
    return true;
}

bool judge_place_explains_lost(struct judge *j, const struct invocation *inv)
{
    struct judge_places *const p = j->places;
    uint32_t const at = inv->global_index;
    if (p->leaves_out && p->turn[at]) {
        p->leaves_out->n_sites++;
        p->leaves_out->n_taken++;
        p->is_misplaced = true;
        return true;
    }
    if (!p->stops || !may_be_lost(j, inv)) {
        return false;
    }
    p->is_stopped[at] = true;
    p->stops->n_sites++;
    p->stops->n_taken++;
    return true;
}

bool judge_place_is_stopped(const struct judge *j, const struct invocation *inv)
{
    return j->places->is_stopped[inv->global_index];
}

bool judge_place_has_stopped(const struct judge *j)
{
    bool is_any = false;
    for (uint32_t i = 0; i < j->places->flow.n_items; i++) {
        is_any |= j->places->is_stopped[i];
    }
    return is_any;
}

static bool count_behind(struct judge_places *p, bool is_it)
{
    p->behind_last->n_sites += is_it;
    p->behind_last->n_taken += is_it;
    return is_it;
}

/* The events without those that may be missing, from the `first` one of each invocation on; *n: how many those are.
 * NULL: the arena is full. */
static const struct mo_event *leave_out(struct judge *j, const struct mo_problem *p, uint32_t first,
                                        uint32_t *n)
{
    struct mo_event *events = arena_copy(j->a, p->events, sizeof *events * p->n_events);
    uint32_t *n_seen = ARENA_NEW(j->a, uint32_t, (size_t)j->places->flow.n_items + 1);
    *n = 0;
    for (uint32_t i = 0; events && n_seen && i < p->n_events; i++) {
        bool const may_be =
            j->memory.events[events[i].tag].may_be_lost && !events[i].knows_original;
        if (may_be && n_seen[events[i].invocation]++ >= first) {
            events[i] = (struct mo_event){.op = MO_LOAD,
                                          .invocation = events[i].invocation,
                                          .group = events[i].group,
                                          .phase = events[i].phase,
                                          .tag = events[i].tag};
            ++*n;
        }
    }
    return n_seen ? events : NULL;
}

static double get_number(enum fmt_id fmt, uint64_t enc)
{
    double const magnitude = accuracy_magnitude(fmt, enc);
    return enc & float_formats[fmt].sign ? -magnitude : magnitude;
}

/* Of additions alone: does the end lie where it does without some of those that may be missing? Each sub-group
 * stops at another turn, and which ones these are nobody knows: bounds must do. */
static bool is_sum_of_some(const struct judge *j, const struct mo_problem *p)
{
    double const slack =
        1e-3; /* of all magnitudes: what rounding may add up to in any format but f16 */
    double low, high, all;
    if (!p->is_float || !p->knows_initial || !p->knows_final) {
        return false;
    }
    low = high = get_number(p->fmt, p->initial);
    all = fabs(low);
    for (uint32_t i = 0; i < p->n_events; i++) {
        const struct mo_event *e = &p->events[i];
        if (e->op != MO_FADD || !e->knows_operand) {
            return false;
        }
        bool const may_be_lost = !e->knows_original && j->memory.events[e->tag].may_be_lost;
        double const v = get_number(p->fmt, e->operand);
        low += may_be_lost && v > 0 ? 0 : v;
        high += may_be_lost && v < 0 ? 0 : v;
        all += fabs(v);
    }
    double const final = get_number(p->fmt, p->final);
    return low - slack * all <= final && final <= high + slack * all;
}

/* Does the order exist with what further turns did to the location as well? *knows_all: false: some of that nobody
 * knows. They stand outside of program order and phases: when a compiler does them is not known. */
static enum res explain_by_turns(struct judge *j, const struct cell *c, const struct mo_problem *p,
                                 bool *is_explained, bool *knows_all, struct err *e)
{
    const struct judge_places *const places = j->places;
    struct mo_problem longer = *p;
    struct mo_answer answer;
    struct arena_mark const mark = arena_get_mark(j->a);
    struct mo_event *const events =
        ARENA_NEW(j->a, struct mo_event, (size_t)p->n_events + places->n_turned + 1);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", p->n_events);
    }
    *is_explained = false;
    *knows_all = true;
    memcpy(events, p->events, sizeof *events * p->n_events);
    for (uint32_t i = 0; i < places->n_turned; i++) {
        const struct turned *const one = &places->turned[i];
        if (one->place.space == c->place.space && one->place.object == c->place.object &&
            one->place.offset == c->place.offset && one->group == c->group &&
            one->event.op != MO_LOAD) {
            events[longer.n_events] = one->event;
            events[longer.n_events].tag = p->events[0].tag;
            events[longer.n_events].invocation = places->flow.n_items + longer.n_events;
            longer.n_events++;
            *knows_all = *knows_all && one->event.knows_operand;
        }
    }
    longer.events = events;
    longer.has_phases = 0;
    if (longer.n_events > p->n_events && *knows_all) {
        TRY(mo_check(&longer, j->a, &answer, e));
        *is_explained = answer.kind == VERDICT_OK || answer.kind == VERDICT_BOUNDED;
    }
    *is_explained |= longer.n_events > p->n_events && !*knows_all;
    arena_release(j->a, mark);
    return RES_OK;
}

/* Does the order exist if the first of each group did what one behind the last would do in place of what nobody saw of
 * it? */
static enum res explain_by_behind(struct judge *j, const struct cell *c, const struct mo_problem *p,
                                  bool *is_explained, struct err *e)
{
    const struct judge_places *const places = j->places;
    struct mo_problem other = *p;
    struct mo_answer answer;
    struct arena_mark const mark = arena_get_mark(j->a);
    struct mo_event *const events =
        ARENA_NEW(j->a, struct mo_event, (size_t)p->n_events + places->behind.n + 1);
    if (!events) {
        return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location", p->n_events);
    }
    other.n_events = 0;
    other.events = events;
    other.has_phases = 0;
    for (uint32_t i = 0; i < p->n_events; i++) {
        const struct event *const of = &j->memory.events[p->events[i].tag];
        if (p->events[i].knows_original || !places->is_first[of->invocation] ||
            of->code <= places->meeting) {
            events[other.n_events++] = p->events[i];
        }
    }
    for (uint32_t i = 0; i < places->behind.n; i++) {
        const struct did *const d = &places->behind.one[i];
        bool const is_there = d->what.place.space == c->place.space &&
                              d->what.place.object == c->place.object &&
                              d->what.place.offset == c->place.offset &&
                              (c->place.space != SPACE_WORKGROUP || d->group == c->group);
        if (is_there && d->is_atomic && !d->is_local_own && d->event.op != MO_LOAD) {
            events[other.n_events] = d->event;
            events[other.n_events].tag = p->events[0].tag;
            events[other.n_events].invocation = places->flow.n_items + other.n_events;
            other.n_events++;
        }
    }
    if (other.n_events > 0) {
        TRY(mo_check(&other, j->a, &answer, e));
        *is_explained = answer.kind == VERDICT_OK || answer.kind == VERDICT_BOUNDED;
    }
    arena_release(j->a, mark);
    return RES_OK;
}

enum res judge_place_explains_order(struct judge *j, const struct cell *c,
                                    const struct mo_problem *p, bool *is_explained, struct err *e)
{
    enum {
        MAX_TURNS = 32 /* after which all stop, that are tried */
    };
    uint32_t n_left_out = 1;
    uint32_t n_first = 0; /* that may be missing at all */
    *is_explained = false;
    if (j->places->further && j->places->n_turned > 0) {
        bool knows_all = true;
        TRY(explain_by_turns(j, c, p, is_explained, &knows_all, e));
        j->places->further->n_sites += *is_explained;
        j->places->further->n_taken += *is_explained;
        j->places->further->n_free += *is_explained && !knows_all ? SUSPECT_OPEN_BITS : 0;
    }
    if (!*is_explained && j->places->behind_last) {
        TRY(explain_by_behind(j, c, p, is_explained, e));
        (void)count_behind(j->places, *is_explained);
    }
    if (*is_explained || !j->places->stops) {
        return RES_OK;
    }
    for (uint32_t first = 0; first < MAX_TURNS && !*is_explained; first++) {
        struct mo_problem shorter = *p;
        struct mo_answer answer;
        struct arena_mark const mark = arena_get_mark(j->a);
        shorter.events = leave_out(j, p, first, &n_left_out);
        if (!shorter.events) {
            return err_set(e, RES_NOMEM, "judge: arena full at %u events of a location",
                           p->n_events);
        }
        n_first = first == 0 ? n_left_out : n_first;
        if (n_left_out == 0) {
            arena_release(j->a, mark);
            break;
        }
        TRY(mo_check(&shorter, j->a, &answer, e));
        *is_explained = answer.kind == VERDICT_OK || answer.kind == VERDICT_BOUNDED;
        arena_release(j->a, mark);
    }
    if (!*is_explained && n_first > 0 && is_sum_of_some(j, p)) {
        *is_explained = true;
        j->places->stops->n_free += SUSPECT_OPEN_BITS;
    }
    j->places->stops->n_sites += *is_explained;
    j->places->stops->n_taken += *is_explained;
    return RES_OK;
}

/* ---- the first invocation as one behind the last ---- */

static bool add_did(struct judge *j, struct did_list *list, struct did did)
{
    struct did *all = arena_grow(j->a, list->one, list->n, &list->cap, sizeof *all);
    if (!all) {
        return exec_stop(&j->x, "arena full");
    }
    list->one = all;
    all[list->n++] = did;
    return true;
}

/* What it does at p; NULL: at no place. */
static bool do_behind(struct exec *x, const struct mod_inst *in, const struct place *p,
                      unsigned n_bits, const struct val *v)
{
    struct judge *const j = x->user;
    struct did did = {.group = j->places->group_behind,
                      .code = (uint32_t)(in - j->m.code),
                      .is_local_own = j->places->is_local_own};
    if (p) {
        did.what = (struct stored){.place = *p, .n_bytes = n_bits / 8};
    }
    if (v) {
        did.what.is_known = exec_known(x, *v, &did.what.bits) != 0;
    }
    return add_did(j, &j->places->behind, did);
}

static int behind_load(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       struct place p, uint32_t type, struct val *out)
{
    return do_behind(x, in, NULL, x->m->ids[type].t.bits, NULL) &&
           exec_further_load(x, inv, in, p, type, out);
}

static int behind_store(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                        struct place p, uint32_t type, struct val v)
{
    (void)inv;
    return do_behind(x, in, &p, x->m->ids[type].t.bits, &v);
}

static int behind_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                         struct place p)
{
    struct judge *const j = x->user;
    const struct mo_atomic *row = mo_find_atomic(in->op);
    uint32_t const type = static_value_type(x->m, in);
    if (!do_behind(x, in, &p, x->m->ids[type].t.bits, NULL)) {
        return 0;
    }
    struct did *const did = &j->places->behind.one[j->places->behind.n - 1];
    if (row && x->m->ids[type].t.n == 1) {
        did->is_atomic = true;
        did->event = describe_access(x, inv, in, row, 0);
    }
    return exec_further_atomic(x, inv, in, p);
}

static void behind_missed(struct exec *x, const struct mod_inst *in)
{
    (void)do_behind(x, in, NULL, 0, NULL);
}

enum {
    MAX_WAYS = 4096 /* that are kept */
};

static uint32_t behind_record(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                              uint32_t label)
{
    struct judge_places *const p = ((struct judge *)x->user)->places;
    (void)inv;
    (void)in;
    if (p->n_ways < MAX_WAYS) {
        p->ways[p->n_ways++] = label;
    }
    return label;
}

static uint32_t behind_follow(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                              uint32_t label)
{
    struct judge_places *const p = ((struct judge *)x->user)->places;
    (void)inv;
    (void)in;
    return p->nth_way < p->n_ways ? p->ways[p->nth_way++] : label;
}

/* The way of one behind the last, and the indices of the first. */
static const struct exec_hooks follow_hooks = {.load = behind_load,
                                               .store = behind_store,
                                               .atomic = behind_atomic,
                                               .arith = judge_place_arith,
                                               .way = behind_follow,
                                               .builtin = exec_further_builtin};

static const struct exec_hooks behind_hooks = {.load = behind_load,
                                               .store = behind_store,
                                               .atomic = behind_atomic,
                                               .arith = judge_place_arith,
                                               .way = behind_record,
                                               .builtin = exec_further_builtin};

/* Of each group: with the index behind the last one, with that among all of the dispatch alone, and with its own on the way of the
 * first of these. A compiler keeps the global one across a barrier, and takes the local one anew. */
static void run_behind(struct judge *j)
{
    enum {
        N_WAYS = 3
    };
    static const uint32_t first[3] = {0, 0, 0};
    struct judge_places *const p = j->places;
    uint32_t const n = N_WAYS * j->x.n_groups;
    struct invocation *const all = ARENA_NEW(j->a, struct invocation, (size_t)n + 1);
    p->ways = ARENA_NEW(j->a, uint32_t, MAX_WAYS);
    for (uint32_t i = 0; all && p->ways && i < n; i++) {
        struct invocation *const inv = &all[i];
        *inv = (struct invocation){
            .regs = ARENA_NEW(j->a, struct val, (size_t)j->m.n_regs + 1),
            .func = ARENA_NEW(j->a, struct val, (size_t)j->m.n_func_objects + 1),
        };
        if (!inv->regs || !inv->func) {
            return;
        }
        uint32_t const group = i / N_WAYS, way = 2 - i % N_WAYS; /* 2, 1, 0 */
        p->group_behind = group;
        p->is_local_own = way == 0;
        p->nth_way = 0;
        p->n_ways = way == 1 ? p->n_ways : 0;
        if (way == 1) {
            exec_start_absent(&j->x, group, first, inv);
        } else {
            exec_start_behind(&j->x, group, inv);
            inv->local_index = way == 0 ? 0 : inv->local_index;
            inv->local_id[0] = way == 0 ? 0 : inv->local_id[0];
        }
        (void)exec_run_alone(&j->x, way == 1 ? &follow_hooks : &behind_hooks, inv, behind_missed);
    }
    p->as_behind = all;
}

bool judge_place_settle(struct judge *j)
{
    struct judge_places *const p = j->places;
    bool const was_settled = p->is_settled;
    if (!was_settled) {
        place_flow_end(&p->flow, p->group);
    }
    if (!was_settled && p->behind_last) {
        run_behind(j);
    }
    p->is_settled = true;
    return !was_settled;
}

void judge_place_store(struct judge *j, const struct invocation *inv, const struct mod_inst *in,
                       struct place at, unsigned n_bits, struct val v)
{
    struct judge_places *const p = j->places;
    p->is_misplaced = false;
    if (!p->behind_last || p->is_settled || inv->local_index != 0) {
        return;
    }
    struct did did = {
        .group = inv->group_index,
        .code = (uint32_t)(in - j->m.code),
        .what = {.place = at, .n_bytes = n_bits / 8}
    };
    const struct abstract *const b = exec_get_abstract(&j->x, v);
    did.what.is_known = !b || b->is_observed || abstract_is_one(b);
    did.what.bits = b ? b->bits : v.bits;
    (void)add_did(j, &p->first, did);
}

/* Does the first of the group do this as one behind the last? */
static bool has_behind(const struct judge_places *p, uint32_t group, uint32_t code)
{
    bool is_it = false;
    for (uint32_t i = 0; i < p->behind.n && !is_it; i++) {
        is_it = p->behind.one[i].group == group && p->behind.one[i].code == code;
    }
    return is_it;
}

bool judge_place_is_held(const struct judge *j, struct place at, uint32_t n_bytes, uint64_t got)
{
    bool is_it = false;
    for (uint32_t b = 0; b < j->input.tc->n_bufs; b++) {
        const struct buf *const buf = &j->input.tc->bufs[b];
        for (uint32_t i = 0; !is_it && i + n_bytes <= buf->n_bytes; i += n_bytes) {
            bool const is_own = at.space == SPACE_BUFFER && at.object == b && at.offset == i;
            is_it = load_le(buf->data + i, n_bytes) == got ||
                    (!is_own && load_le(j->input.ob->out[b] + i, n_bytes) == got);
        }
    }
    return is_it;
}

/* May the first of a group have such a value, partly as itself and partly as one behind the last? It is one that it is known to
 * have as either, or what another invocation has, or what a buffer holds where one behind the last loads or does not store. */
static bool is_of_either(const struct judge *j, struct place at, uint32_t n_bytes, uint64_t got)
{
    const struct judge_places *const p = j->places;
    bool is_it = judge_place_is_held(j, at, n_bytes, got);
    for (uint32_t i = 0; i < p->behind.n && !is_it; i++) {
        const struct did *const d = &p->behind.one[i];
        is_it = d->what.is_known && d->what.n_bytes == n_bytes && d->what.bits == got;
    }
    return is_it;
}

/* Are these bits, of n_bytes from the byte `skip` of what is stored on, what it stores there? It may have the value as one
 * behind the last, or its own. */
static bool may_store(const struct judge_places *p, const struct did *d, uint32_t skip,
                      uint32_t n_bytes, uint64_t got)
{
    uint64_t const mask = n_bytes < 8 ? (UINT64_C(1) << n_bytes * 8) - 1 : UINT64_MAX;
    bool is_it = !d->what.is_known || (d->what.bits >> skip * 8 & mask) == got;
    for (uint32_t i = 0; i < p->first.n && !is_it; i++) {
        const struct did *const own = &p->first.one[i];
        is_it = own->group == d->group && own->code == d->code && own->what.is_known &&
                (own->what.bits >> skip * 8 & mask) == got;
    }
    return is_it;
}

/* May n bytes at a place be `got` because of that? */
static bool is_from_behind(const struct judge_places *p, struct place at, uint32_t n_bytes,
                           uint64_t got)
{
    bool is_it = false;
    for (uint32_t i = 0; i < p->behind.n && !is_it; i++) {
        const struct did *const d = &p->behind.one[i];
        is_it = d->what.place.space == at.space && d->what.place.object == at.object &&
                d->what.place.offset <= at.offset &&
                at.offset + n_bytes <= d->what.place.offset + d->what.n_bytes &&
                may_store(p, d, at.offset - d->what.place.offset, n_bytes, got);
    }
    return is_it;
}

/* The code of the event's instruction, and the work-group, is one that the first of a group does elsewhere; or its
 * location is one that such a one comes to. */
static bool is_of_first(const struct judge_places *p, const struct judge *j, const struct cell *c,
                        const struct event *e, uint64_t got)
{
    bool const is_done_by_first =
        e->invocation == j->memory.cells[e->cell].owner && p->is_first[e->invocation] &&
        (has_behind(p, p->group[e->invocation], e->code) || e->code > j->places->meeting);
    return is_done_by_first ||
           (c->place.space == SPACE_BUFFER && is_from_behind(p, c->place, c->n_bits / 8U, got));
}

/* Does the first of the group store this value as one behind the last? */
static bool is_stored_behind(const struct judge_places *p, const struct judge *j,
                             const struct observed *o)
{
    bool is_it = false;
    for (uint32_t i = 0; i < p->behind.n && !is_it; i++) {
        const struct did *const d = &p->behind.one[i];
        const struct mod_inst *in = &j->m.code[d->code];
        is_it = d->group == o->inv->group_index && in->op == SpvOpStore &&
                module_get_operand(&j->m, in, 2) == o->object;
    }
    return is_it;
}

/* Is the value made behind the last barrier that all come to? What the first of a group has there is partly its own and
 * partly that of one behind the last, and so are the branches that it takes; and what it does ahead of the branch that
 * decides it may do twice. */
static bool is_from_barrier_on(const struct judge *j, uint32_t object)
{
    uint32_t const def = j->m.ids[object].def;
    return def != UINT32_MAX && def > j->places->meeting;
}

/* Do the n bytes there, of the buffer that `at` is of, hold such a value? */
static bool is_word_of_either(const struct judge *j, struct place at, uint64_t there,
                              uint32_t n_bytes)
{
    uint32_t const b = at.object;
    if (there + n_bytes > j->input.tc->bufs[b].n_bytes || n_bytes > 8) {
        return false;
    }
    at.offset = (uint32_t)there;
    return is_of_either(j, at, n_bytes, load_le(j->input.ob->out[b] + there, n_bytes));
}

/* Is the byte one that the first of a group comes to by its own way at the index behind the last, or by the way of that at
 * its own index? Elements lie by their index, one by one. */
static bool is_of_mixed(const struct judge_places *p, const struct judge *j, struct place at)
{
    bool is_it = false;
    for (uint32_t i = 0; i < p->first.n + p->behind.n && !is_it; i++) {
        bool const is_own = i < p->first.n;
        const struct did *const d = is_own ? &p->first.one[i] : &p->behind.one[i - p->first.n];
        uint64_t const step = (uint64_t)j->input.tc->local[0] * d->what.n_bytes;
        uint64_t const there = d->what.place.offset + (is_own ? step : -step);
        is_it = d->what.place.space == at.space && d->what.place.object == at.object &&
                there <= at.offset && at.offset - there < d->what.n_bytes &&
                is_word_of_either(j, at, there, d->what.n_bytes);
    }
    return is_it;
}

/* Is the byte of a word that the first of a group stores as one behind the last, or changes by an atomic? */
static bool is_byte_behind(const struct judge_places *p, const struct judge *j, struct place at)
{
    bool is_it = false;
    for (uint32_t i = 0; i < p->behind.n && !is_it; i++) {
        const struct did *const d = &p->behind.one[i];
        uint32_t const there = d->what.place.offset;
        is_it = d->what.place.space == at.space && d->what.place.object == at.object &&
                there <= at.offset && at.offset - there < d->what.n_bytes &&
                (d->is_atomic || is_word_of_either(j, at, there, d->what.n_bytes));
    }
    return is_it;
}

/* Does the instruction give the value of the operands that the invocation `mixed` has? */
static bool is_given(struct judge *j, const struct invocation *mixed, const struct mod_inst *in,
                     uint64_t got)
{
    uint32_t const n_pool = j->x.n_pool;
    struct invocation copy = *mixed;
    bool is_it = false;
    if (judge_place_arith(&j->x, &copy, in)) {
        struct val const v = *exec_reg(&j->x, &copy, in->result);
        const struct abstract *const b = exec_get_abstract(&j->x, v);
        is_it = (!b || b->kind == ABSTRACT_SET || abstract_is_one(b)) &&
                suspect_permits(j->places->behind_last, &j->x, v, got);
    }
    j->x.n_pool = n_pool; /* nobody has what was made for this */
    return is_it;
}

/* The same with any word that the buffers held before as the operand `id`: the index of a load may be partly one and partly the
 * other. */
static bool is_given_of_words(struct judge *j, const struct invocation *mixed,
                              const struct mod_inst *in, uint32_t id, uint64_t got)
{
    struct val *const at = exec_reg(&j->x, mixed, id);
    struct val const own = *at;
    uint32_t const n_bytes = j->m.ids[j->m.ids[id].type].t.bits / 8;
    bool is_it = false;
    for (uint32_t b = 0; j->m.ids[id].n_slots == 1 && n_bytes > 1 && b < j->input.tc->n_bufs; b++) {
        const struct buf *const buf = &j->input.tc->bufs[b];
        for (uint32_t i = 0; !is_it && i + n_bytes <= buf->n_bytes; i += n_bytes) {
            *at = (struct val){.bits = load_le(buf->data + i, n_bytes)};
            is_it = is_given(j, mixed, in, got);
        }
    }
    *at = own;
    return is_it;
}

/* Is it what the instruction gives that made the value, of operands some of which are of the invocation as itself and the
 * others of it as one behind the last, or one of which is another word? */
static bool is_of_both(struct judge *j, const struct observed *o)
{
    enum {
        MAX_OPERANDS = 3
    };
    const struct judge_places *const p = j->places;
    const struct mod_inst *in = o->inv ? module_get_definition(&j->m, o->object) : NULL;
    if (in && (in->op == SpvOpBitcast || in->op == SpvOpCopyObject)) {
        in = module_get_definition(&j->m, module_get_operand(&j->m, in, MOD_OPERAND));
    }
    struct invocation mixed;
    bool is_it = false;
    if (!in || in->part != PART_FLOAT || in->n > MOD_OPERAND + MAX_OPERANDS || !p->as_behind ||
        o->inv->local_index != 0 || !exec_copy_invocation(&j->x, o->inv, &mixed)) {
        return false;
    }
    uint32_t const n = in->n - MOD_OPERAND;
    for (uint32_t choice = 0; choice < 2U << n && !is_it; choice++) {
        const struct invocation *const other =
            &p->as_behind[3 * (size_t)o->inv->group_index + 2 * (choice & 1)];
        for (uint32_t k = 0; k < n; k++) {
            uint32_t const id = module_get_operand(&j->m, in, MOD_OPERAND + k);
            const struct invocation *const from = choice >> (k + 1) & 1 ? other : o->inv;
            for (uint32_t c = 0; c < j->m.ids[id].n_slots; c++) {
                exec_reg(&j->x, &mixed, id)[c] = exec_reg(&j->x, from, id)[c];
            }
        }
        is_it = is_given(j, &mixed, in, o->got);
        for (uint32_t k = 0; k < n && !is_it; k++) {
            is_it = is_given_of_words(j, &mixed, in, module_get_operand(&j->m, in, MOD_OPERAND + k),
                                      o->got);
        }
    }
    return is_it;
}

bool judge_place_explains_value(struct judge *j, const struct observed *o)
{
    struct judge_places *const p = j->places;
    if (!p->behind_last) {
        return false;
    }
    if (!is_of_either(j, o->place, o->n_bits / 8, o->got) && !is_of_both(j, o)) {
        return false;
    }
    bool is_its = o->e && is_of_first(p, j, &j->memory.cells[o->e->cell], o->e, o->got);
    if (o->inv && o->object) {
        bool const is_of_it = o->inv->local_index == 0 && p->behind.n > 0;
        bool const is_not_stored = is_of_it && o->is_untouched && is_stored_behind(p, j, o);
        is_its = is_its || is_not_stored || (is_of_it && is_from_barrier_on(j, o->object)) ||
                 is_from_behind(p, o->place, o->n_bits / 8, o->got);
    }
    p->is_misplaced |= is_its;
    return count_behind(p, is_its);
}

bool judge_place_is_misplaced(const struct judge *j)
{
    return j->places->is_misplaced;
}

bool judge_place_explains_byte(struct judge *j, uint32_t b, uint32_t i)
{
    struct judge_places *const p = j->places;
    uint8_t const got = j->input.ob->out[b][i];
    struct place const at = {SPACE_BUFFER, b, i};
    if (p->behind_last && (is_byte_behind(p, j, at) || is_of_mixed(p, j, at))) {
        return count_behind(p, true);
    }
    for (uint32_t k = 0; k < p->n_stored; k++) {
        const struct stored *const s = &p->stored[k];
        bool const is_there =
            s->place.object == b && s->place.offset <= i && i < s->place.offset + s->n_bytes;
        bool const is_its =
            is_there && (s->is_known ? got == (uint8_t)(s->bits >> (i - s->place.offset) * 8)
                                     : is_word_of_either(j, at, s->place.offset, s->n_bytes));
        if (is_its) {
            p->further->n_sites++;
            p->further->n_taken++;
            return true;
        }
    }
    return false;
}

bool judge_place_explains_final(struct judge *j, const struct cell *c, uint64_t final)
{
    struct judge_places *const p = j->places;
    uint32_t const cell = (uint32_t)(c - j->memory.cells);
    if (p->behind_last && !suspect_permits(p->behind_last, &j->x, c->cur, final) &&
        is_of_either(j, c->place, c->n_bits / 8U, final) &&
        is_of_first(p, j, c, &j->memory.events[c->last - 1], final)) {
        return count_behind(p, true);
    }
    if (p->n_left == 0 || suspect_permits(p->stops, &j->x, c->cur, final)) {
        return false;
    }
    for (uint32_t i = 0; i < p->n_left; i++) {
        if (p->left[i].cell == cell && suspect_permits(p->stops, &j->x, p->left[i].value, final)) {
            p->stops->n_sites++;
            p->stops->n_taken++;
            return true;
        }
    }
    return false;
}

bool judge_place_explains_guards(struct judge *j)
{
    struct judge_places *const p = j->places;
    bool is_it = false;
    for (uint32_t i = 0; p->behind_last && i < p->behind.n && !is_it; i++) {
        const struct did *const d = &p->behind.one[i];
        const struct mod_inst *in = &j->m.code[d->code];
        bool const is_store = in->op == SpvOpStore || in->op == SpvOpAtomicStore;
        uint32_t const pointer =
            is_store || in->part == PART_ATOMIC
                ? module_get_operand(&j->m, in, is_store ? MOD_STORE_POINTER : MOD_OPERAND)
                : 0;
        is_it = pointer && d->what.n_bytes == 0 &&
                j->m.ids[j->m.ids[pointer].type].t.storage != SpvStorageClassWorkgroup;
    }
    return p->behind_last && count_behind(p, is_it);
}
