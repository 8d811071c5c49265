/* oracle/modorder/mo_walk.c -- one attempt at a full order, without backtracking. */
#include "oracle/modorder/mo_walk.h"

#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_step.h"

enum {
    WALK_SCAN = 24 /* candidates that are compared at each step */
};

struct walk {
    const struct mo_job *j;
    const struct mo_graph *g;
    uint32_t *ready; /* per vertex: list of events that see its value and may come now */
    uint32_t *link;  /* per event: the next of its list. Lists have numbers + 1; 0 ends a list */
    uint32_t free_ready; /* list of events with an unknown original */
    uint32_t *waiting;   /* per phase: list of events that wait for it */
    uint32_t *n_left;    /* per phase: events not yet placed */
    uint32_t n_all;      /* events that are to be placed */
    uint32_t phase;
    uint8_t *is_last_way;   /* per event: last exit of its vertex (make_tree) */
    uint32_t *heap, n_heap; /* of make_tree */
    struct mo_state state;
};

/* Puts an event whose predecessors in program order are placed into the list in which it waits for its value or its
 * phase. */
static void make_ready(struct walk *w, uint32_t event)
{
    uint32_t *list = &w->free_ready;
    uint32_t const tail = w->g->tail[event];
    if (mo_phase_of(w->j, event) > w->phase) {
        list = &w->waiting[mo_phase_of(w->j, event)];
    } else if (tail != MO_NONE) {
        list = &w->ready[tail];
    }
    w->link[event] = *list;
    *list = event + 1;
}

/* Makes the event ready, or, if it is idle, the next event of its invocation that is not idle. */
static void make_queue_ready(struct walk *w, uint32_t event)
{
    while (event != MO_NONE && mo_is_idle(&w->j->events[event])) {
        event = w->j->next[event];
    }
    if (event != MO_NONE) {
        make_ready(w, event);
    }
}

/* --- the tree of last exits: if each vertex is left for the last time by its edge of a tree that leads to the end, a
 * walk along all edges does not end before all edges are used (the tree of the BEST theorem) --- */

/* The order of the heap: events with few events after them in their invocation come first, because program order
 * places them late anyway. */
static bool comes_before(const struct walk *w, uint32_t x, uint32_t y)
{
    const uint32_t *n_after = w->j->n_after;
    return n_after[x] != n_after[y] ? n_after[x] < n_after[y] : x > y;
}

static void heap_push(struct walk *w, uint32_t event)
{
    uint32_t i = w->n_heap++;
    while (i > 0 && comes_before(w, event, w->heap[(i - 1) / 2])) {
        w->heap[i] = w->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    w->heap[i] = event;
}

/* Takes the first event out of the heap; the last event sinks from the top to its position. */
static uint32_t heap_pop(struct walk *w)
{
    uint32_t const top = w->heap[0];
    uint32_t const last = w->heap[--w->n_heap];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= w->n_heap) {
            break;
        }
        if (child + 1 < w->n_heap && comes_before(w, w->heap[child + 1], w->heap[child])) {
            child++;
        }
        if (!comes_before(w, w->heap[child], last)) {
            break;
        }
        w->heap[i] = w->heap[child];
        i = child;
    }
    w->heap[i] = last;
    return top;
}

struct tree {
    uint32_t *by_head, *link; /* per vertex: list of the events that lead there, + 1 */
    int32_t *net;             /* per vertex: values left less originals, in this phase */
    uint8_t *is_reached;      /* per vertex: in the tree */
};

/* The vertex at which the walk of this phase must end: the one that is left more often than it is seen, the start of
 * the phase counted as left (t->net, which is all 0 before). If all are even: in the last phase the final value, else
 * MO_NONE, any vertex. */
static uint32_t find_root(const struct walk *w, struct tree *t)
{
    const struct mo_graph *g = w->g;
    uint32_t const start = mo_graph_find_state(g, w->state);
    for (uint32_t i = 0; i < w->j->n; i++) {
        if (mo_phase_of(w->j, i) == w->phase && g->tail[i] != MO_NONE) {
            t->net[g->tail[i]]--;
            if (g->head[i] != MO_NONE) {
                t->net[g->head[i]]++;
            }
        }
    }
    if (start != MO_NONE) {
        t->net[start]++;
    }
    for (uint32_t v = 0; v < g->n_vertices; v++) {
        if (t->net[v] > 0) {
            return v;
        }
    }
    return w->phase + 1 == w->j->n_phases ? g->end : MO_NONE;
}

/* Adds the vertex to the tree: events that leave its value, from vertices outside the tree, may be last exits. */
static void reach(struct walk *w, struct tree *t, uint32_t vertex)
{
    t->is_reached[vertex] = 1;
    for (uint32_t i = t->by_head[vertex]; i != 0; i = t->link[i - 1]) {
        if (!t->is_reached[w->g->tail[i - 1]]) {
            heap_push(w, i - 1);
        }
    }
}

/*
 * Chooses for each vertex the event by which the walk leaves it last, so that the walk does not end too early
 * (w->is_last_way). The tree grows backwards from the vertex at which this phase must end: of all events that lead into the
 * tree from a vertex outside, the heap gives the one that comes latest in its invocation; it is the last exit of its vertex.
 * An event without a head, whose value nothing sees, is a root of its own: only an event without a tail can follow it, from
 * any vertex. An event that leaves the value that it sees is no exit. false: the arena is full.
 */
static bool make_tree(struct walk *w)
{
    const struct mo_graph *g = w->g;
    const struct mo_job *j = w->j;
    struct tree t = {.by_head = ARENA_NEW(j->a, uint32_t, g->n_vertices + 1),
                     .link = ARENA_NEW(j->a, uint32_t, j->n + 1),
                     .net = ARENA_NEW(j->a, int32_t, g->n_vertices + 1),
                     .is_reached = ARENA_NEW(j->a, uint8_t, g->n_vertices + 1)};
    if (!t.by_head || !t.link || !t.net || !t.is_reached) {
        return false;
    }
    uint32_t const root = find_root(w, &t);
    for (uint32_t i = 0; i < j->n; i++) {
        if (mo_phase_of(j, i) != w->phase || g->tail[i] == MO_NONE || g->tail[i] == g->head[i]) {
            continue;
        }
        if (g->head[i] == MO_NONE) {
            heap_push(w, i);
        } else {
            t.link[i] = t.by_head[g->head[i]];
            t.by_head[g->head[i]] = i + 1;
        }
    }
    if (root != MO_NONE) {
        reach(w, &t, root);
    }
    while (w->n_heap > 0) {
        uint32_t const event = heap_pop(w);
        if (!t.is_reached[g->tail[event]]) {
            w->is_last_way[event] = 1;
            reach(w, &t, g->tail[event]);
        }
    }
    return true;
}

/* --- the next event --- */

/* The rank of an event, low first: self-loops, then events that are no last exit, then events with many events after
 * them. */
static uint64_t rank(const struct walk *w, uint32_t event)
{
    const struct mo_graph *g = w->g;
    if (g->head[event] == g->tail[event]) {
        return 0;
    }
    return 1 + ((uint64_t)w->is_last_way[event] << 32) + (UINT32_MAX - w->j->n_after[event]);
}

/* Removes the event at *at from its list. */
static uint32_t unlink_event(struct walk *w, uint32_t *at)
{
    uint32_t const event = *at - 1;
    *at = w->link[event];
    return event;
}

/* Removes the event of the lowest rank from a list, of at most WALK_SCAN that are compared; MO_NONE: the list is empty. */
static uint32_t take_from(struct walk *w, uint32_t *list)
{
    uint32_t *best = list;
    uint64_t best_rank = UINT64_MAX;
    if (*list == 0) {
        return MO_NONE;
    }
    if (w->link[*list - 1] == 0) { /* just one: no need to rank */
        return unlink_event(w, list);
    }
    uint32_t n_seen = 0;
    for (uint32_t *at = list; best_rank > 0 && *at != 0 && n_seen < WALK_SCAN; n_seen++) {
        uint64_t const r = rank(w, *at - 1);
        if (r < best_rank) {
            best = at;
            best_rank = r;
        }
        at = &w->link[*at - 1];
    }
    return unlink_event(w, best);
}

/* Takes an event that sees the value of the location, as it is or as it may be read, and makes the state more precise
 * by what the event saw. An event that does not fit after all goes back into its list. MO_NONE: there is none. */
static uint32_t take_known(struct walk *w)
{
    uint64_t reading[MO_MAX_READINGS];
    if (w->state.kind != STATE_VALUE) {
        return MO_NONE;
    }
    uint32_t const n = mo_list_readings(w->j, w->state.bits, reading);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const v = mo_graph_find(w->g, reading[i]);
        uint32_t const event = v == MO_NONE ? MO_NONE : take_from(w, &w->ready[v]);
        if (event == MO_NONE) {
            continue;
        }
        struct mo_state seen;
        if (mo_see(w->j, &w->j->events[event], w->state, &seen)) {
            w->state = seen;
            return event;
        }
        make_ready(w, event);
    }
    return MO_NONE;
}

/* Is there an event that sees the state s and may come now? */
static bool is_awaited(const struct walk *w, struct mo_state s)
{
    uint32_t const v = mo_graph_find_state(w->g, s);
    return v != MO_NONE && w->ready[v] != 0;
}

/* The score of placing an event without a known original now. 2: it may leave a value that another event awaits; 1:
 * it may leave the value unchanged; 0. */
static int score_free(const struct walk *w, uint32_t event)
{
    struct mo_heads left;
    int score = 0;
    mo_step(w->j, &w->j->events[event], w->state, &left);
    for (uint32_t k = 0; k < left.n; k++) {
        if (is_awaited(w, left.s[k])) {
            return 2;
        }
        if (left.s[k].kind == w->state.kind && left.s[k].bits == w->state.bits) {
            score = 1;
        }
    }
    return score;
}

/* Takes the event of the highest score of those without a known original; MO_NONE: there is none. */
static uint32_t take_free(struct walk *w)
{
    uint32_t *best = NULL;
    int best_score = -1;
    uint32_t n_seen = 0;
    for (uint32_t *at = &w->free_ready; *at != 0 && n_seen < WALK_SCAN; n_seen++) {
        int const score = score_free(w, *at - 1);
        if (score > best_score) {
            best_score = score;
            best = at;
        }
        at = &w->link[*at - 1];
    }
    return best ? unlink_event(w, best) : MO_NONE;
}

/* The state that the event leaves: the value that the graph chose for it (its head), if the rules permit it; else a
 * value that another event awaits; else the first permitted one. Of an event with one head and a known original the
 * graph has computed the head by mo_step from that original: it is the only permitted value, and is taken without
 * another step. */
static struct mo_state get_state_left(const struct walk *w, uint32_t event)
{
    const struct mo_graph *g = w->g;
    uint32_t const head = g->head[event];
    bool const has_head = head != MO_NONE;
    bool const knows_original = g->tail[event] != MO_NONE;
    if (has_head && !g->is_multi[event] && knows_original) {
        return mo_value(g->value[head]);
    }
    struct mo_heads left;
    mo_step(w->j, &w->j->events[event], w->state, &left);
    struct mo_state best = left.s[0];
    for (uint32_t k = 0; k < left.n; k++) {
        struct mo_state const s = left.s[k];
        if (has_head && s.kind == STATE_VALUE && s.bits == g->value[head]) {
            return s;
        }
        if (has_head && s.kind == STATE_NAN && format_is_nan(w->j->format, g->value[head])) {
            return mo_choose_nan(w->j, s, g->value[head]);
        }
        if (!is_awaited(w, best) && is_awaited(w, s)) {
            best = s;
        }
    }
    return best;
}

/* --- the walk --- */

/* Begins the phase w->phase: its waiting events become ready, and its last exits are chosen. */
static bool open_phase(struct walk *w)
{
    uint32_t at = w->waiting[w->phase];
    w->waiting[w->phase] = 0;
    while (at != 0) {
        uint32_t const event = at - 1;
        at = w->link[event];
        make_ready(w, event);
    }
    return make_tree(w);
}

/* Prepares the walk: counts the events of each phase, and makes the first event of each invocation ready. false: the
 * arena is full. */
static bool walk_make(struct walk *w)
{
    const struct mo_job *j = w->j;
    uint32_t **const of_events[] = {&w->link, &w->heap};
    uint32_t **const of_phases[] = {&w->waiting, &w->n_left};
    w->ready = ARENA_NEW(j->a, uint32_t, w->g->n_vertices + 1);
    w->is_last_way = ARENA_NEW(j->a, uint8_t, j->n + 1);
    if (!w->ready || !w->is_last_way ||
        !mo_take_arrays(j->a, (size_t)j->n + 1, of_events, ARRAY_N(of_events)) ||
        !mo_take_arrays(j->a, (size_t)j->n_phases + 1, of_phases, ARRAY_N(of_phases))) {
        return false;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        bool const counts = !mo_is_idle(&j->events[i]);
        w->n_left[mo_phase_of(j, i)] += counts;
        w->n_all += counts;
    }
    for (uint32_t q = j->n_queues; q > 0; q--) {
        make_queue_ready(w, j->queue[q - 1]);
    }
    return true;
}

/* The first state: the initial value; if it is unknown, a value that was seen more often than left; else the original
 * of some event; else unknown. */
static struct mo_state first_state(const struct mo_job *j, const struct mo_graph *g)
{
    if (j->p->knows_initial) {
        return mo_value(j->initial);
    }
    for (uint32_t v = 0; v < g->n_vertices; v++) {
        if (g->need[v] > 0) {
            return mo_value(g->value[v]);
        }
    }
    if (j->n && j->events[j->queue[0]].knows_original) {
        return mo_value(j->events[j->queue[0]].original);
    }
    return (struct mo_state){0, STATE_ANY};
}

/* An event that fits the state at which the walk failed, but that waits for a predecessor. MO_NONE: there is none. */
static uint32_t find_blocked(const struct walk *w, const struct mo_order *o)
{
    uint8_t *is_placed = ARENA_NEW(w->j->a, uint8_t, w->j->n + 1);
    if (!is_placed) {
        return MO_NONE;
    }
    for (uint32_t i = 0; i < o->n; i++) {
        is_placed[o->event[i]] = 1;
    }
    for (uint32_t i = 0; i < w->j->n; i++) {
        struct mo_state seen;
        if (!is_placed[i] && w->j->events[i].knows_original &&
            mo_see(w->j, &w->j->events[i], w->state, &seen)) {
            return i;
        }
    }
    return MO_NONE;
}

/* Places one event: one with a known original that fits the state, else one without. false: none fits. */
static bool place_next(struct walk *w, struct mo_order *o)
{
    uint32_t event = take_known(w);
    if (event == MO_NONE) {
        event = take_free(w);
    }
    if (event == MO_NONE) {
        return false;
    }
    w->state = get_state_left(w, event);
    o->event[o->n++] = event;
    w->n_left[mo_phase_of(w->j, event)]--;
    make_queue_ready(w, w->j->next[event]);
    return true;
}

/* Places event after event, phase by phase, without backtracking, until all are placed or none fits. *o: the order,
 * if all are placed and the final value fits; else where the walk failed, and which event is blocked. */
enum res mo_walk(const struct mo_job *j, const struct mo_graph *g, struct mo_order *o,
                 struct err *e)
{
    struct walk w = {.j = j, .g = g, .state = first_state(j, g)};
    *o = (struct mo_order){.blocked = MO_NONE, .event = ARENA_NEW(j->a, uint32_t, j->n + 1)};
    if (!o->event || !walk_make(&w) || !open_phase(&w)) {
        return err_set(e, RES_NOMEM, "chain walk of %u events: arena full", j->n);
    }
    do {
        while (o->n < w.n_all && w.n_left[w.phase] == 0) {
            w.phase++;
            if (!open_phase(&w)) {
                return err_set(e, RES_NOMEM, "chain walk of %u events: arena full", j->n);
            }
        }
    } while (o->n < w.n_all && place_next(&w, o));
    o->stopped = w.state;
    o->last_way = w.is_last_way;
    o->is_found = o->n == w.n_all && (!j->p->knows_final || mo_ends_at(j, w.state, j->final));
    if (!o->is_found) {
        o->blocked = find_blocked(&w, o);
    }
    return RES_OK;
}
