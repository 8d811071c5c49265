/* oracle/chain/chain_trail.c -- a full order from pieces whose inner order is forced. */
#include "oracle/chain/chain_trail.h"

#include <string.h>

enum {
    TRAIL_WORK = 16000, /* items and events looked at */
    TRAIL_WORK_EACH = 6 /* and that many more per event */
};

uint32_t trail_item_of(struct trail *t, uint32_t event)
{
    while (t->parent[event] != event) {
        t->parent[event] = t->parent[t->parent[event]];
        event = t->parent[event];
    }
    return event;
}

static void add_loop(struct trail *t, uint32_t item)
{
    struct trail_vertex *v = &t->vertex[t->item[item].tail];
    t->item[item].next_loop = v->loop;
    v->loop = item;
}

static void clear_vertex(struct trail *t, uint32_t vertex)
{
    if (vertex != CHAIN_NONE) {
        t->vertex[vertex] = (struct trail_vertex){.loop = CHAIN_NONE};
    }
}

static void add_item(struct trail *t, uint32_t event)
{
    uint32_t const tail = t->g->tail[event], head = t->g->head[event];
    t->parent[event] = event;
    t->follower[event] = CHAIN_NONE;
    t->item[event] = (struct trail_item){
        .tail = tail, .head = head, .last = event, .n_after = t->j->n_after[event]};
    if (tail != CHAIN_NONE && tail == head) {
        add_loop(t, event);
        return;
    }
    if (tail != CHAIN_NONE) {
        t->vertex[tail].n_out++;
        t->vertex[tail].out_xor ^= event;
    }
    if (head != CHAIN_NONE) {
        t->vertex[head].n_in++;
        t->vertex[head].in_xor ^= event;
    }
}

static void make_items(struct trail *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        clear_vertex(t, t->g->tail[t->event[i]]);
        clear_vertex(t, t->g->head[t->event[i]]);
    }
    clear_vertex(t, t->start);
    clear_vertex(t, t->end);
    for (uint32_t i = t->n; i > 0; i--) {
        add_item(t, t->event[i - 1]);
    }
}

/* Item b comes right after item a. */
static void append(struct trail *t, uint32_t a, uint32_t b)
{
    struct trail_item *first = &t->item[a], *second = &t->item[b];
    t->follower[first->last] = b;
    t->parent[b] = a;
    first->last = second->last;
    first->n_after = second->n_after > first->n_after ? second->n_after : first->n_after;
}

/* Let a loop's successors among the loops of its vertex come, now that it is in `a`. */
static void release(struct trail *t, uint32_t loop, uint32_t vertex, uint32_t *ready)
{
    for (uint32_t e = loop; e != CHAIN_NONE; e = t->follower[e]) {
        uint32_t const next = t->after[e];
        uint32_t const item = next == CHAIN_NONE ? CHAIN_NONE : trail_item_of(t, next);
        t->work--;
        if (item == CHAIN_NONE || item == loop || t->item[item].tail != vertex ||
            t->item[item].head != vertex) {
            continue;
        }
        if (--t->n_inside[item] == 0) {
            t->item[item].next_loop = *ready;
            *ready = item;
        }
    }
}

/* Put all loops of a vertex after the only item that arrives there, in program order. 0: there is
 * none. */
static int absorb_loops(struct trail *t, uint32_t a, uint32_t vertex)
{
    uint32_t ready = CHAIN_NONE, n_left = 0;
    for (uint32_t i = t->vertex[vertex].loop; i != CHAIN_NONE; i = t->item[i].next_loop) {
        t->n_inside[i] = 0;
        n_left++;
        for (uint32_t e = i; e != CHAIN_NONE; e = t->follower[e]) {
            uint32_t const before = t->before[e];
            uint32_t const item = before == CHAIN_NONE ? i : trail_item_of(t, before);
            t->n_inside[i] +=
                item != i && t->item[item].tail == vertex && t->item[item].head == vertex;
            t->work--;
        }
    }
    for (uint32_t i = t->vertex[vertex].loop, next; i != CHAIN_NONE; i = next) {
        next = t->item[i].next_loop;
        if (t->n_inside[i] == 0) {
            t->item[i].next_loop = ready;
            ready = i;
        }
    }
    while (ready != CHAIN_NONE) {
        uint32_t const i = ready;
        ready = t->item[i].next_loop;
        release(t, i, vertex, &ready);
        append(t, a, i);
        n_left--;
    }
    t->vertex[vertex].loop = CHAIN_NONE;
    return n_left == 0;
}

/* `a` has become a way from a vertex to itself. */
static void turn_into_loop(struct trail *t, uint32_t a)
{
    struct trail_vertex *v = &t->vertex[t->item[a].tail];
    v->n_in--;
    v->in_xor ^= a;
    v->n_out--;
    v->out_xor ^= a;
    add_loop(t, a);
}

/* What arrives at a vertex once is followed by all that saw it. 0: no order exists. */
static int merge_at(struct trail *t, uint32_t vertex)
{
    while (vertex != CHAIN_NONE && vertex != t->start && t->work > 0) {
        struct trail_vertex *v = &t->vertex[vertex];
        if (v->n_in != 1 || v->n_out > 1 || (vertex == t->end && v->n_out > 0)) {
            return 1;
        }
        uint32_t const a = v->in_xor;
        t->work--;
        if (!absorb_loops(t, a, vertex)) {
            return 0;
        }
        if (v->n_out == 0) {
            return 1;
        }
        uint32_t const b = v->out_xor, head = t->item[b].head;
        append(t, a, b);
        t->item[a].head = head;
        v->n_in = v->n_out = v->in_xor = v->out_xor = 0;
        if (head == CHAIN_NONE) {
            return 1;
        }
        t->vertex[head].in_xor ^= a ^ b;
        if (head != t->item[a].tail) {
            return 1;
        }
        turn_into_loop(t, a);
        vertex = head; /* fewer ways lead there now */
    }
    return 1;
}

static int merge_all(struct trail *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (!merge_at(t, t->g->head[t->event[i]])) {
            return 0;
        }
    }
    return 1;
}

/* The vertex that must be the first of a phase, since it is left or seen more often than reached,
 * CHAIN_NONE when there is none. 0: there are several. */
static int find_need(struct trail *t, uint32_t *vertex)
{
    *vertex = CHAIN_NONE;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t const tail = t->g->tail[t->event[i]];
        if (tail == CHAIN_NONE) {
            continue;
        }
        const struct trail_vertex *v = &t->vertex[tail];
        int const is_need = v->n_out > v->n_in || (v->loop != CHAIN_NONE && v->n_in == 0);
        if (is_need && ((*vertex != CHAIN_NONE && *vertex != tail) || v->n_out > v->n_in + 1)) {
            return 0;
        }
        *vertex = is_need ? tail : *vertex;
    }
    return 1;
}

static int trail_make(struct trail *t)
{
    const struct chain_job *j = t->j;
    t->before = ARENA_NEW(j->a, uint32_t, j->n + 1);
    t->after = ARENA_NEW(j->a, uint32_t, j->n + 1);
    t->parent = ARENA_NEW(j->a, uint32_t, j->n + 1);
    t->follower = ARENA_NEW(j->a, uint32_t, j->n + 1);
    t->item = ARENA_NEW(j->a, struct trail_item, j->n + 1);
    t->vertex = ARENA_NEW(j->a, struct trail_vertex, t->g->n_vertices + 1);
    t->n_inside = ARENA_NEW(j->a, uint32_t, j->n + 1);
    t->placed = ARENA_NEW(j->a, uint32_t, j->n + 1);
    t->work = TRAIL_WORK + TRAIL_WORK_EACH * (int64_t)j->n;
    return t->before && t->after && t->parent && t->follower && t->item && t->vertex &&
           t->n_inside && t->placed;
}

/* Events by phase, idle ones left out; first[p] to first[p + 1] are those of phase p. */
static uint32_t *sort_by_phase(const struct chain_job *j, uint32_t *first)
{
    uint32_t *event = ARENA_NEW(j->a, uint32_t, j->n + 1);
    for (uint32_t i = 0; event && i < j->n; i++) {
        first[(j->phase ? j->phase[i] : 0) + 2] += !chain_is_idle(&j->events[i]);
    }
    for (uint32_t p = 0; event && p < j->n_phases; p++) {
        first[p + 2] += first[p + 1];
    }
    for (uint32_t i = 0; event && i < j->n; i++) {
        if (!chain_is_idle(&j->events[i])) {
            event[first[(j->phase ? j->phase[i] : 0) + 1]++] = i;
        }
    }
    return event;
}

static void link_invocations(struct trail *t)
{
    const struct chain_job *j = t->j;
    for (uint32_t q = 0; q < j->n_queues; q++) {
        uint32_t last = CHAIN_NONE;
        for (uint32_t i = j->queue[q]; i != CHAIN_NONE; i = j->next[i]) {
            if (chain_is_idle(&j->events[i])) {
                continue;
            }
            int const is_same = last != CHAIN_NONE && (!j->phase || j->phase[last] == j->phase[i]);
            t->before[i] = is_same ? last : CHAIN_NONE;
            t->after[i] = CHAIN_NONE;
            if (is_same) {
                t->after[last] = i;
            }
            last = i;
        }
    }
}

/* Of several values that may be left, the one that what comes next can have seen. */
static int choose_state(const struct chain_job *j, const struct chain_heads *h, uint32_t next,
                        struct chain_state *v)
{
    for (uint32_t k = 0; k < h->n; k++) {
        struct chain_state seen;
        int const is_end = next == CHAIN_NONE;
        *v = h->s[k];
        if (is_end ? !j->p->knows_final || chain_ends_at(j, *v, j->final)
                   : chain_see(j, &j->events[next], *v, &seen)) {
            return 1;
        }
    }
    return 0;
}

/* Is this order one that the rules permit? Nothing is taken on trust: neither the program order,
 * nor the values of the graph. */
static int is_permitted(const struct trail *t)
{
    const struct chain_job *j = t->j;
    struct chain_state v = {0, STATE_ANY};
    struct chain_heads h = {.n = 1, .is_complete = 1};
    uint8_t *is_done = ARENA_NEW(j->a, uint8_t, j->n + 1);
    uint32_t phase = 0;
    h.s[0] = j->p->knows_initial ? chain_value(j->initial) : v;
    if (!is_done || !choose_state(j, &h, t->n_placed ? t->placed[0] : CHAIN_NONE, &v)) {
        return 0;
    }
    for (uint32_t k = 0; k < t->n_placed; k++) {
        uint32_t const i = t->placed[k];
        uint32_t const p = j->phase ? j->phase[i] : 0;
        uint32_t const next = k + 1 < t->n_placed ? t->placed[k + 1] : CHAIN_NONE;
        struct chain_state seen;
        if (is_done[i] || p < phase || (t->before[i] != CHAIN_NONE && !is_done[t->before[i]]) ||
            !chain_see(j, &j->events[i], v, &seen)) {
            return 0;
        }
        is_done[i] = 1;
        phase = p;
        chain_step(j, &j->events[i], seen, &h);
        if (!choose_state(j, &h, next, &v)) {
            return 0;
        }
    }
    return 1;
}

/* Vertex v as another one: a subnormal as zero. */
static int may_be_seen_as(const struct trail *t, uint32_t v, uint32_t other)
{
    const struct float_format *f = t->j->format;
    return t->j->sees_flush && v != CHAIN_NONE && other != CHAIN_NONE &&
           format_is_subnormal(f, t->g->value[v]) && format_is_zero(f, t->g->value[other]);
}

/* Phases one after the other, each from where the one before ended. */
static enum res run_phases(struct trail *t, const uint32_t *event, const uint32_t *first,
                           int *is_found, struct err *e)
{
    const struct chain_job *j = t->j;
    uint32_t *need = ARENA_NEW(j->a, uint32_t, j->n_phases + 1);
    uint32_t at = t->g->start;
    enum res r =
        need ? RES_OK : err_set(e, RES_NOMEM, "chain trail of %u events: arena full", j->n);
    *is_found = need != NULL;
    for (uint32_t p = 0; p < j->n_phases && *is_found; p++) {
        t->start = t->end = CHAIN_NONE;
        t->event = event + first[p];
        t->n = first[p + 1] - first[p];
        make_items(t);
        *is_found = find_need(t, &need[p]);
    }
    for (uint32_t p = 0; p < j->n_phases && r == RES_OK && *is_found; p++) {
        t->start = p == 0 && at == CHAIN_NONE ? need[0] : at;
        t->end = p + 1 < j->n_phases ? need[p + 1] : t->g->end;
        t->event = event + first[p];
        t->n = first[p + 1] - first[p];
        if (may_be_seen_as(t, t->start, need[p])) {
            t->start = need[p];
        }
        *is_found = need[p] == CHAIN_NONE || need[p] == t->start;
        if (*is_found) {
            make_items(t);
            *is_found = merge_all(t);
        }
        if (*is_found) {
            r = trail_search(t, is_found, &at, e);
        }
    }
    return r;
}

enum res chain_trail(const struct chain_job *j, const struct chain_graph *g,
                     const uint8_t *last_way, struct chain_order *o, struct err *e)
{
    struct trail t = {.j = j, .g = g, .last_way = last_way};
    *o = (struct chain_order){.blocked = CHAIN_NONE};
    for (uint32_t i = 0; i < j->n; i++) {
        const struct chain_event *v = &j->events[i];
        int const is_plain = v->op == CHAIN_LOAD || v->knows_operand;
        int const is_free = v->op == CHAIN_LOAD || v->op == CHAIN_STORE || v->op == CHAIN_EXCHANGE;
        if (!is_plain || (!v->knows_original && !is_free)) {
            return RES_OK;
        }
    }
    uint32_t *first = ARENA_NEW(j->a, uint32_t, j->n_phases + 3);
    const uint32_t *event = first ? sort_by_phase(j, first) : NULL;
    if (!event || !trail_make(&t)) {
        return err_set(e, RES_NOMEM, "chain trail of %u events: arena full", j->n);
    }
    link_invocations(&t);
    int is_found = 0;
    enum res const r = run_phases(&t, event, first, &is_found, e);
    if (r == RES_OK && is_found && is_permitted(&t)) {
        o->is_found = 1;
        o->event = t.placed;
        o->n = t.n_placed;
    }
    return r;
}
