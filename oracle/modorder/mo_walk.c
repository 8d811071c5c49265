/* oracle/modorder/mo_walk.c -- one try at a full order, without turning back. */
#include "oracle/modorder/mo_walk.h"

#include "base/format.h"
#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_step.h"

enum {
    WALK_SCAN = 24 /* equal candidates compared per step */
};

struct walk {
    const struct mo_job *j;
    const struct mo_graph *g;
    uint32_t *ready;     /* per vertex: first event that may come now, + 1 */
    uint32_t *link;      /* per event: the next of its list, + 1 */
    uint32_t free_ready; /* list of events with an unknown original */
    uint32_t *waiting;   /* per phase: list */
    uint32_t *n_left;    /* per phase */
    uint32_t phase;
    uint8_t *is_last_way; /* per event: the way to the end; taken last at its vertex */
    uint32_t *heap, n_heap;
    struct mo_state state;
};

static uint32_t phase_of(const struct mo_job *j, uint32_t event)
{
    return j->phase ? j->phase[event] : 0;
}

static void make_ready(struct walk *w, uint32_t event)
{
    uint32_t *list = &w->free_ready;
    uint32_t const tail = w->g->tail[event];
    if (phase_of(w->j, event) > w->phase) {
        list = &w->waiting[phase_of(w->j, event)];
    } else if (tail != MO_NONE) {
        list = &w->ready[tail];
    }
    w->link[event] = *list;
    *list = event + 1;
}

/* The event of `first` and, past idle ones, its followers. */
static void make_queue_ready(struct walk *w, uint32_t event)
{
    while (event != MO_NONE && mo_is_idle(&w->j->events[event])) {
        event = w->j->next[event];
    }
    if (event != MO_NONE) {
        make_ready(w, event);
    }
}

/* The way to the end: a tree of edges, latest in program order first (a heap by n_after). As long
 * as each vertex is left for the last time by its tree edge, the walk cannot close too early. */
static int comes_before(const struct walk *w, uint32_t x, uint32_t y)
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
    uint32_t *by_head, *link; /* lists of events, + 1 */
    int32_t *net;             /* per vertex: values left less originals, in this phase */
    uint8_t *is_reached;
};

static uint32_t tree_root(struct walk *w, struct tree *t, uint32_t start)
{
    const struct mo_graph *g = w->g;
    for (uint32_t i = 0; i < w->j->n; i++) {
        if (phase_of(w->j, i) == w->phase && g->tail[i] != MO_NONE) {
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

static void reach(struct walk *w, struct tree *t, uint32_t vertex)
{
    t->is_reached[vertex] = 1;
    for (uint32_t i = t->by_head[vertex]; i != 0; i = t->link[i - 1]) {
        if (!t->is_reached[w->g->tail[i - 1]]) {
            heap_push(w, i - 1);
        }
    }
}

static int make_tree(struct walk *w)
{
    const struct mo_graph *g = w->g;
    const struct mo_job *j = w->j;
    struct tree t = {.by_head = ARENA_NEW(j->a, uint32_t, g->n_vertices + 1),
                     .link = ARENA_NEW(j->a, uint32_t, j->n + 1),
                     .net = ARENA_NEW(j->a, int32_t, g->n_vertices + 1),
                     .is_reached = ARENA_NEW(j->a, uint8_t, g->n_vertices + 1)};
    w->heap = w->heap ? w->heap : ARENA_NEW(j->a, uint32_t, j->n + 1);
    if (!t.by_head || !t.link || !t.net || !t.is_reached || !w->heap) {
        return 0;
    }
    uint32_t const start = w->state.kind == STATE_VALUE ? mo_graph_find(g, w->state.bits) : MO_NONE;
    uint32_t const root = tree_root(w, &t, start);
    for (uint32_t i = 0; i < j->n; i++) {
        if (phase_of(j, i) != w->phase || g->tail[i] == MO_NONE || g->tail[i] == g->head[i]) {
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
    return 1;
}

/* Low is good: self-loops, then what is not the last way, then the longest queue. */
static uint64_t rank(const struct walk *w, uint32_t event)
{
    const struct mo_graph *g = w->g;
    if (g->head[event] == g->tail[event]) {
        return 0;
    }
    return 1 + ((uint64_t)w->is_last_way[event] << 32) + (UINT32_MAX - w->j->n_after[event]);
}

static uint32_t take_from(struct walk *w, uint32_t *list)
{
    uint32_t *best = NULL;
    uint64_t best_rank = UINT64_MAX;
    uint32_t n_seen = 0;
    if (*list != 0 && w->link[*list - 1] == 0) {
        best = list; /* just one: no need to rank */
        best_rank = 0;
    }
    for (uint32_t *at = list; best_rank > 0 && *at != 0 && n_seen < WALK_SCAN; n_seen++) {
        uint64_t const r = rank(w, *at - 1);
        if (!best || r < best_rank) {
            best = at;
            best_rank = r;
        }
        at = &w->link[*at - 1];
    }
    if (!best) {
        return MO_NONE;
    }
    uint32_t const event = *best - 1;
    *best = w->link[event];
    return event;
}

/* Lists that hold what fits the state: the value itself, quieted, or flushed. */
static uint32_t take_known(struct walk *w)
{
    const struct float_format *f = w->j->format;
    if (w->state.kind != STATE_VALUE) {
        return MO_NONE;
    }
    uint64_t const bits = w->state.bits;
    uint64_t same[4] = {bits};
    uint32_t n = 1;
    if (w->j->p->is_float && format_is_snan(f, bits)) {
        same[n++] = bits | f->quiet;
    }
    if (w->j->sees_flush && format_is_subnormal(f, bits)) {
        same[n++] = 0;
        same[n++] = f->sign;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const v = mo_graph_find(w->g, same[i]);
        uint32_t const event = v == MO_NONE ? v : take_from(w, &w->ready[v]);
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

static int is_awaited(const struct walk *w, struct mo_state s)
{
    uint32_t const v = s.kind == STATE_VALUE ? mo_graph_find(w->g, s.bits) : MO_NONE;
    return v != MO_NONE && w->ready[v] != 0;
}

/* An event that saw nothing: first one that leaves what another awaits, else one that changes
 * nothing, else any. */
static uint32_t take_free(struct walk *w)
{
    uint32_t *best = NULL;
    int best_score = -1;
    uint32_t n_seen = 0;
    for (uint32_t *at = &w->free_ready; *at != 0 && n_seen < WALK_SCAN; n_seen++) {
        struct mo_heads h;
        int score = 0;
        mo_step(w->j, &w->j->events[*at - 1], w->state, &h);
        for (uint32_t k = 0; k < h.n; k++) {
            int const is_still = h.s[k].kind == w->state.kind && h.s[k].bits == w->state.bits;
            int const s = is_awaited(w, h.s[k]) ? 2 : is_still;
            score = s > score ? s : score;
        }
        if (score > best_score) {
            best_score = score;
            best = at;
        }
        at = &w->link[*at - 1];
    }
    if (!best) {
        return MO_NONE;
    }
    uint32_t const event = *best - 1;
    *best = w->link[event];
    return event;
}

static struct mo_state leave(const struct walk *w, uint32_t event)
{
    const struct mo_graph *g = w->g;
    uint32_t const head = g->head[event];
    if (!g->is_multi[event] && g->tail[event] != MO_NONE && head != MO_NONE) {
        return mo_value(g->value[head]);
    }
    struct mo_heads h;
    mo_step(w->j, &w->j->events[event], w->state, &h);
    struct mo_state best = h.s[0];
    for (uint32_t k = 0; k < h.n; k++) {
        if (head != MO_NONE && h.s[k].kind == STATE_VALUE && h.s[k].bits == g->value[head]) {
            return h.s[k];
        }
        if (head != MO_NONE && h.s[k].kind == STATE_NAN &&
            format_is_nan(w->j->format, g->value[head])) {
            return mo_choose_nan(w->j, h.s[k], g->value[head]);
        }
        if (!is_awaited(w, best) && is_awaited(w, h.s[k])) {
            best = h.s[k];
        }
    }
    return best;
}

static int open_phase(struct walk *w)
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

static int walk_make(struct walk *w)
{
    const struct mo_job *j = w->j;
    w->ready = ARENA_NEW(j->a, uint32_t, w->g->n_vertices + 1);
    w->link = ARENA_NEW(j->a, uint32_t, j->n + 1);
    w->waiting = ARENA_NEW(j->a, uint32_t, j->n_phases + 1);
    w->n_left = ARENA_NEW(j->a, uint32_t, j->n_phases + 1);
    w->is_last_way = ARENA_NEW(j->a, uint8_t, j->n + 1);
    if (!w->ready || !w->link || !w->waiting || !w->n_left || !w->is_last_way) {
        return 0;
    }
    for (uint32_t i = 0; i < j->n; i++) {
        w->n_left[phase_of(j, i)] += !mo_is_idle(&j->events[i]);
    }
    for (uint32_t q = j->n_queues; q > 0; q--) {
        make_queue_ready(w, j->queue[q - 1]);
    }
    return 1;
}

/* Where an unknown initial value must have been: the original that nothing leaves, else any. */
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

/* An event that fits where the walk stopped, but whose turn it was not. */
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

enum res mo_walk(const struct mo_job *j, const struct mo_graph *g, struct mo_order *o,
                 struct err *e)
{
    struct walk w = {.j = j, .g = g};
    uint32_t n_all = 0;
    *o = (struct mo_order){.blocked = MO_NONE, .event = ARENA_NEW(j->a, uint32_t, j->n + 1)};
    w.state = first_state(j, g);
    if (!o->event || !walk_make(&w) || !open_phase(&w)) {
        return err_set(e, RES_NOMEM, "chain walk of %u events: arena full", j->n);
    }
    for (uint32_t p = 0; p < j->n_phases; p++) {
        n_all += w.n_left[p];
    }
    while (o->n < n_all) {
        while (w.n_left[w.phase] == 0) {
            w.phase++;
            if (!open_phase(&w)) {
                return err_set(e, RES_NOMEM, "chain walk of %u events: arena full", j->n);
            }
        }
        uint32_t event = take_known(&w);
        event = event != MO_NONE ? event : take_free(&w);
        if (event == MO_NONE) {
            break;
        }
        w.state = leave(&w, event);
        o->event[o->n++] = event;
        w.n_left[phase_of(j, event)]--;
        make_queue_ready(&w, j->next[event]);
    }
    o->stopped = w.state;
    o->last_way = w.is_last_way;
    o->is_found = o->n == n_all && (!j->p->knows_final || mo_ends_at(j, w.state, j->final));
    if (!o->is_found) {
        o->blocked = find_blocked(&w, o);
    }
    return RES_OK;
}
