/* oracle/modorder/mo_search.c -- depth-first search for an order, within a budget. */
#include "oracle/modorder/mo_search.h"

#include "oracle/modorder/mo_dfs.h"
#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_step.h"

struct search {
    const struct mo_job *j;
    const struct mo_graph *g;
    struct search_limits limits;
    uint32_t n_queues;
    uint32_t *at;       /* per queue: its next event, or MO_NONE */
    uint32_t *queue_of; /* per event */
    uint32_t *class;    /* per event: equal for events whose queues are alike from there on */
    uint32_t *stamp;    /* per class: the last position that tried it */
    uint32_t n_stamps;
    uint32_t *n_tails;    /* per vertex: remaining events that see it */
    uint32_t *n_heads;    /* per vertex: remaining events that leave it and nothing else */
    uint32_t n_wild_left; /* remaining events that may leave one of several values */
    uint32_t *ready; /* per vertex, and one more for events that saw nothing: list of events that
                            * stand first in a queue */
    struct mo_links links; /* of these lists */
    uint32_t *phase_left;  /* per phase: remaining events */
    uint32_t n_left, n_unknown_left;
    uint64_t position; /* hash of the multiset of rests of queues */
    struct mo_dfs dfs; /* `number` of its alternatives: the vertex of the value left, or MO_NONE */
};

static uint32_t next_of(const struct search *s, uint32_t event)
{
    uint32_t i = s->limits.keeps == KEEPS_NOTHING ? MO_NONE : s->j->next[event];
    while (i != MO_NONE && mo_is_idle(&s->j->events[i])) {
        i = s->j->next[i];
    }
    return i;
}

static uint32_t phase_of(const struct search *s, uint32_t event)
{
    return s->limits.keeps == KEEPS_ALL ? mo_phase_of(s->j, event) : 0;
}

/* A hash of an event and all that follow it in its queue: equal for queues that are alike from there on. */
static uint64_t hash_rest(const struct search *s, uint32_t event, uint64_t hash_of_next)
{
    const struct mo_event *e = &s->j->events[event];
    uint64_t h = hash_of_next;
    h = mo_mix(h, (uint64_t)e->op << 2 | (uint64_t)e->knows_original << 1 | e->knows_operand);
    h = mo_mix(h, e->operand);
    h = mo_mix(h, e->knows_original ? e->original : 1);
    h = mo_mix(h, e->op == MO_CMPXCHG ? e->comparator : 2);
    return mo_mix(h, phase_of(s, event)) | 1;
}

/* Gives equal classes to events whose queues are alike from there on: such events are interchangeable, so one of them
 * is tried at a position. Classes are numbered by a 64-bit hash; a collision is to be expected only among some 2^32
 * events. A quick search makes each event a class of its own. false: the arena is full. */
static bool make_classes(struct search *s)
{
    uint32_t const n = s->j->n;
    if (s->limits.is_quick) {
        for (uint32_t i = 0; i < n; i++) {
            s->class[i] = i;
        }
        return true;
    }
    struct mo_numbering classes;
    uint64_t *hash = ARENA_NEW(s->j->a, uint64_t, n + 1);
    if (!hash || !mo_numbering_make(&classes, s->j->a, n)) {
        return false;
    }
    for (uint32_t i = n; i-- > 0;) {
        uint32_t const next = next_of(s, i);
        hash[i] = hash_rest(s, i, next == MO_NONE ? 0 : hash[next]);
        s->class[i] = mo_numbering_add(&classes, hash[i]);
    }
    return true;
}

static uint32_t *list_of(const struct search *s, uint32_t event)
{
    uint32_t const tail = s->g->tail[event];
    return &s->ready[tail == MO_NONE ? s->g->n_vertices : tail];
}

/* `event` becomes the first remaining event of its queue. */
static void enter(struct search *s, uint32_t queue, uint32_t event)
{
    s->at[queue] = event;
    if (event != MO_NONE) {
        s->position += mo_mix(7, s->class[event]);
        mo_links_push(&s->links, list_of(s, event), event);
    }
}

static void leave(struct search *s, uint32_t event)
{
    if (event != MO_NONE) {
        s->position -= mo_mix(7, s->class[event]);
        mo_links_remove(&s->links, list_of(s, event), event);
    }
}

/* Counts an event as a remaining one (one = 1), or as taken (one = UINT32_MAX, which wraps to -1). */
static void count(struct search *s, uint32_t event, uint32_t one)
{
    const struct mo_graph *g = s->g;
    bool const has_tail = g->tail[event] != MO_NONE;
    bool const is_multi = g->is_multi[event];
    s->n_left += one;
    s->phase_left[phase_of(s, event)] += one;
    if (has_tail) {
        s->n_tails[g->tail[event]] += one;
    } else {
        s->n_unknown_left += one;
    }
    bool const is_chosen = !is_multi || (s->limits.is_quick && has_tail);
    if (is_chosen && g->head[event] != MO_NONE) {
        s->n_heads[g->head[event]] += one;
    } else if (is_multi || !has_tail || !s->j->events[event].knows_operand) {
        s->n_wild_left += one;
    }
}

static bool take_memory(struct search *s)
{
    struct arena *a = s->j->a;
    uint32_t **const of_events[] = {&s->at,    &s->queue_of, &s->class,
                                    &s->stamp, &s->links.up, &s->links.down};
    uint32_t **const of_vertices[] = {&s->n_tails, &s->n_heads, &s->ready};
    s->phase_left = ARENA_NEW(a, uint32_t, s->j->n_phases + 1);
    return s->phase_left && mo_dfs_make(&s->dfs, s->j->n) &&
           mo_take_arrays(a, (size_t)s->j->n + 1, of_events, ARRAY_N(of_events)) &&
           mo_take_arrays(a, (size_t)s->g->n_vertices + 1, of_vertices, ARRAY_N(of_vertices));
}

/* Makes one queue for each invocation, or, if program order is not to be kept, one for each event. Idle events are
 * left out. */
static void make_queues(struct search *s)
{
    const struct mo_job *j = s->j;
    bool const is_free = s->limits.keeps == KEEPS_NOTHING;
    uint32_t const n = is_free ? j->n : j->n_queues;
    for (uint32_t q = 0; q < n; q++) {
        uint32_t i = is_free ? q : j->queue[q];
        if (mo_is_idle(&j->events[i])) {
            i = next_of(s, i);
        }
        if (i == MO_NONE) {
            continue;
        }
        enter(s, s->n_queues, i);
        for (; i != MO_NONE; i = next_of(s, i)) {
            s->queue_of[i] = s->n_queues;
            count(s, i, 1);
        }
        s->n_queues++;
    }
}

static uint32_t current_phase(const struct search *s)
{
    uint32_t p = 0;
    while (p + 1 < s->j->n_phases && s->phase_left[p] == 0) {
        p++;
    }
    return p;
}

/* May the state v be seen as more than one value? */
static bool has_alias(const struct search *s, struct mo_state v)
{
    return v.kind != STATE_VALUE || mo_has_readings(s->j, v.bits);
}

/* Is the state v, which `event` leaves, a dead end: does no other remaining event see v? */
static bool is_dead_end(const struct search *s, struct mo_state v, uint32_t vertex, uint32_t event)
{
    uint32_t const tail = s->g->tail[event];
    bool const is_last = s->n_left <= 1;
    bool const can_unknown_follow = s->n_unknown_left > (tail == MO_NONE);
    if (is_last || can_unknown_follow || has_alias(s, v)) {
        return false;
    }
    return vertex == MO_NONE || s->n_tails[vertex] <= (tail == vertex);
}

/* Would taking `event` at f leave the value of f for good although too few remaining events can leave that value
 * again for all that see it? */
static bool is_abandoning(const struct search *s, const struct mo_way *f, uint32_t event,
                          uint32_t vertex)
{
    if (f->number == MO_NONE || s->g->has_flushed || has_alias(s, f->after)) {
        return false;
    }
    uint32_t const n_tails = s->n_tails[f->number] - (s->g->tail[event] == f->number);
    /* Staying uses up one of the heads, or is free when it was seen to stay. */
    uint32_t const n_more = vertex == f->number && s->g->tail[event] != MO_NONE;
    return n_tails > s->n_heads[f->number] + s->n_wild_left + n_more;
}

enum {
    /* The leading part of a score, above any number of events after it. Of an event with a known original: */
    SCORE_LAST_WAY = 0x10000,
    /* Of an event without a known original: it leaves a value that another event awaits; it leaves the value
     * unchanged; any other. */
    SCORE_AWAITED = 0x20000,
    SCORE_STILL = 0x30000,
    SCORE_OTHER = 0x40000,
    SCORE_MAX_AFTER = 0xffff
};

/* The score of an alternative, low first: events with many events after them in their invocation, then the walk's last
 * exits, then events without a known original. */
static uint32_t score_of(const struct search *s, uint32_t event, struct mo_state before,
                         struct mo_state after, uint32_t vertex)
{
    const struct search_limits *l = &s->limits;
    uint32_t const n_after = s->j->n_after[event];
    uint32_t const score = n_after < SCORE_MAX_AFTER ? SCORE_MAX_AFTER - n_after : 0;
    if (s->g->tail[event] != MO_NONE) {
        return score + (l->last_way && l->last_way[event] ? SCORE_LAST_WAY : 0);
    }
    if (vertex != MO_NONE && s->ready[vertex] != 0) {
        return score + SCORE_AWAITED;
    }
    bool const is_still = after.kind == before.kind && after.bits == before.bits;
    return score + (is_still ? SCORE_STILL : SCORE_OTHER);
}

/* Keeps only the state that the matching chose, where several may be left. */
static void keep_choice(struct search *s, uint64_t bits, struct mo_heads *left)
{
    for (uint32_t k = 0; k < left->n; k++) {
        struct mo_state const state = left->s[k];
        bool const is_nan = state.kind == STATE_NAN && format_is_nan(s->j->format, bits);
        if (is_nan || (state.kind == STATE_VALUE && state.bits == bits)) {
            s->dfs.is_cut |= left->n > 1;
            left->s[0] = is_nan ? mo_choose_nan(s->j, state, bits) : state;
            left->n = 1;
            return;
        }
    }
}

static void add_way(struct search *s, const struct mo_way *f, uint32_t event, struct mo_state after,
                    uint32_t vertex)
{
    if (!is_dead_end(s, after, vertex, event) && !is_abandoning(s, f, event, vertex)) {
        mo_dfs_add(&s->dfs, (struct mo_way){.event = event,
                                            .score = score_of(s, event, f->after, after, vertex),
                                            .after = after,
                                            .number = vertex});
    }
}

/* May e also happen in a state other than exactly its original, with an effect there: where its zero is a flushed
 * subnormal, or its NaN determines some NaN? (A load has an effect if its NaN is a signalling one.) */
static bool may_fit_elsewhere(const struct search *s, const struct mo_event *e)
{
    const struct float_format *f = s->j->format;
    if (!s->j->p->is_float) {
        return false;
    }
    bool const may_be_flushed =
        s->g->has_flushed && mo_is_float_op(e->op) && format_is_zero(f, e->original);
    bool const may_tell_nan =
        format_is_nan(f, e->original) && (e->op != MO_LOAD || format_is_snan(f, e->original));
    return may_be_flushed || may_tell_nan;
}

/* Is the event's known original exactly the state of the location? */
static bool sees_state(const struct mo_event *e, struct mo_state state)
{
    return state.kind == STATE_VALUE && e->knows_original && state.bits == e->original;
}

/* Lists the states that the event may leave: the head that the graph has computed from the original, if the event
 * sees exactly its original here; else by a new step. A quick search keeps only the matching's choice. */
static void find_left(struct search *s, const struct mo_way *f, uint32_t event,
                      struct mo_state seen, struct mo_heads *left)
{
    const struct mo_event *e = &s->j->events[event];
    uint32_t const head = s->g->head[event];
    bool const has_head = sees_state(e, f->after) && head != MO_NONE;
    if (has_head && !s->g->is_multi[event]) {
        *left = (struct mo_heads){.n = 1, .is_complete = true};
        left->s[0] = mo_value(s->g->value[head]);
        return;
    }
    mo_step(s->j, e, seen, left);
    s->dfs.is_cut |= !left->is_complete;
    if (s->limits.is_quick && has_head) {
        keep_choice(s, s->g->value[head], left);
    }
}

/* Does the event see exactly the state of the location and leave it unchanged? Then it may be taken at once: in any
 * order that begins here the event can be moved to the front, since all others still see what they saw, and its
 * successors in its queue only become available earlier. Not if the event may also happen in another state with an
 * effect there (may_fit_elsewhere). */
static bool changes_nothing(const struct search *s, const struct mo_event *e, struct mo_state state,
                            const struct mo_heads *left)
{
    bool const is_one_value = left->n == 1 && left->is_complete && left->s[0].kind == STATE_VALUE;
    return sees_state(e, state) && is_one_value && left->s[0].bits == state.bits &&
           !may_fit_elsewhere(s, e);
}

/* Adds to the pool the alternatives that one event gives at position f: one for each state that it may leave. true: the
 * event changes nothing and is the only alternative that is kept. */
static bool add_event(struct search *s, const struct mo_way *f, uint32_t event)
{
    const struct mo_event *e = &s->j->events[event];
    uint32_t const head = s->g->head[event];
    struct mo_state seen;
    struct mo_heads left;
    if (!mo_see(s->j, e, f->after, &seen)) {
        return false;
    }
    find_left(s, f, event, seen, &left);
    if (changes_nothing(s, e, f->after, &left)) {
        mo_dfs_add_only(&s->dfs,
                        (struct mo_way){.event = event, .after = left.s[0], .number = f->number});
        return true;
    }
    for (uint32_t k = 0; k < left.n; k++) {
        bool const is_head =
            head != MO_NONE && left.s[k].kind == STATE_VALUE && left.s[k].bits == s->g->value[head];
        add_way(s, f, event, left.s[k], is_head ? head : mo_graph_find_state(s->g, left.s[k]));
    }
    return false;
}

/* Adds the alternatives of one event, unless its phase is not reached or an event of its class was tried here. true: no
 * other event need be tried. */
static bool look_at(struct search *s, const struct mo_way *f, uint32_t event, uint32_t phase)
{
    s->dfs.work--;
    if (event == MO_NONE || phase_of(s, event) > phase ||
        s->stamp[s->class[event]] == s->n_stamps) {
        return false;
    }
    s->stamp[s->class[event]] = s->n_stamps;
    return add_event(s, f, event);
}

/* Adds all alternatives of position f to the pool. Of the first events of the queues, those that see the value of the
 * location, then those without a known original. If the value is not exact, or may be read as another (has_alias),
 * the first event of each queue. */
static void list(struct mo_dfs *d, const struct mo_way *f)
{
    struct search *const s = d->user;
    uint32_t const phase = current_phase(s);
    s->n_stamps++; /* no class was tried yet */
    if (has_alias(s, f->after)) {
        for (uint32_t q = 0; q < s->n_queues; q++) {
            if (look_at(s, f, s->at[q], phase)) {
                return;
            }
        }
        return;
    }
    uint32_t i = f->number == MO_NONE ? 0 : s->ready[f->number];
    for (; i != 0; i = s->links.down[i - 1]) {
        if (look_at(s, f, i - 1, phase)) {
            return;
        }
    }
    for (i = s->ready[s->g->n_vertices]; i != 0; i = s->links.down[i - 1]) {
        (void)look_at(s, f, i - 1, phase);
    }
}

/* The event is taken from the front of its queue. */
static void take(void *user, uint32_t event)
{
    struct search *const s = user;
    leave(s, event);
    enter(s, s->queue_of[event], next_of(s, event));
    count(s, event, UINT32_MAX);
}

static void put_back(void *user, uint32_t event)
{
    struct search *const s = user;
    leave(s, next_of(s, event));
    enter(s, s->queue_of[event], event);
    count(s, event, 1);
}

static bool is_goal(const void *user, const struct mo_way *at)
{
    const struct search *const s = user;
    const struct mo_problem *p = s->j->p;
    return s->n_left == 0 && (!p->knows_final || mo_ends_at(s->j, at->after, s->j->final));
}

static uint64_t hash(const void *user, const struct mo_way *at)
{
    const struct search *const s = user;
    return mo_mix(mo_mix(s->position, at->after.bits), (uint64_t)at->after.kind);
}

static const struct mo_dfs_caller caller = {
    .list = list, .take = take, .put_back = put_back, .hash = hash, .is_goal = is_goal};

/* Where an unknown initial value must have been, if the degrees tell: what was seen, but never
 * left. A short search takes the matching's word for it. */
static struct mo_state first_state(const struct search *s)
{
    const struct mo_graph *g = s->g;
    bool const is_told = (s->limits.is_quick || s->n_wild_left == 0) && !g->has_flushed;
    if (s->j->p->knows_initial) {
        return mo_value(s->j->initial);
    }
    for (uint32_t v = 0; is_told && v < g->n_vertices; v++) {
        if (g->need[v] > 0) {
            return mo_value(g->value[v]);
        }
    }
    return (struct mo_state){0, STATE_ANY};
}

/* If an order is found, *o has its events (frame[0] of the path is the start, before any event) and the state that
 * they leave. RES_NOMEM: the arena is full. */
enum res mo_search(const struct mo_job *j, const struct mo_graph *g,
                   const struct search_limits *lim, enum search_answer *answer, struct mo_order *o,
                   struct err *e)
{
    struct search s = {.j = j, .g = g, .limits = *lim};
    s.dfs = (struct mo_dfs){.caller = &caller, .user = &s, .a = j->a, .work = lim->work};
    *o = (struct mo_order){.blocked = MO_NONE};
    if (!take_memory(&s) || !make_classes(&s)) {
        return err_set(e, RES_NOMEM, "chain search over %u events: arena full", j->n);
    }
    make_queues(&s);
    struct mo_state const start = first_state(&s);
    *answer = mo_dfs_run(
        &s.dfs,
        (struct mo_way){.event = MO_NONE, .after = start, .number = mo_graph_find_state(g, start)});
    if (*answer != SEARCH_FOUND) {
        return RES_OK;
    }
    o->event = ARENA_NEW(j->a, uint32_t, s.dfs.depth + 1);
    if (!o->event) {
        return err_set(e, RES_NOMEM, "chain search over %u events: arena full", j->n);
    }
    for (uint32_t d = 1; d <= s.dfs.depth; d++) {
        o->event[o->n++] = mo_dfs_taken(&s.dfs, d)->event;
    }
    o->is_found = true;
    o->stopped = mo_dfs_taken(&s.dfs, s.dfs.depth)->after;
    return RES_OK;
}
