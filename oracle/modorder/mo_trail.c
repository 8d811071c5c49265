/* oracle/modorder/mo_trail.c -- a full order from pieces whose inner order is forced. */
#include "oracle/modorder/mo_trail.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_step.h"

enum {
    TRAIL_WORK = 16000,  /* items and events looked at */
    TRAIL_WORK_EACH = 6, /* and that many more per event */
    TRAIL_TRIES = 12,
    TRAIL_WAYS = 6,      /* kept of the ways on from one position */
    TRAIL_SCAN = 64,     /* ways looked at from one position */
    TRAIL_TRY_WORK = 10, /* per item and try */
    TRAIL_TRY_LEAST = 1000,
    TRAIL_MISSED = 1 << 10 /* what an item left behind gains over others */
};

/* --- the pieces --- */

/* Events that must follow one another at once, from a value to a value. Its number is that of its
 * first event. */
struct trail_item {
    uint32_t tail, head; /* vertices; MO_NONE: from anywhere, to a value that nothing saw */
    uint32_t last;       /* event */
    uint32_t n_after;    /* most events of one invocation that come after an event of it */
    uint32_t next_loop;  /* in the list of its vertex, or MO_NONE */
};

struct trail_vertex {
    uint32_t n_in, n_out;     /* items that arrive and leave; loops apart */
    uint32_t in_xor, out_xor; /* their numbers combined: the number where there is just one */
    uint32_t loop;            /* list of items from the vertex to itself */
};

/* One phase: its events, as items. Arrays are indexed by event (an item is one) or vertex. */
struct trail {
    const struct mo_job *j;
    const struct mo_graph *g;
    const uint8_t *last_way;  /* of the walk */
    const uint32_t *event;    /* those of this phase */
    uint32_t n;               /* events of this phase */
    uint32_t start, end;      /* vertices, or MO_NONE */
    uint32_t *before, *after; /* per event: neighbours of its invocation in the phase, or NONE */
    uint32_t *parent;         /* per event: towards its item */
    uint32_t *follower;       /* per event: the next in its item, or MO_NONE */
    struct trail_item *item;
    struct trail_vertex *vertex;
    uint32_t *n_inside; /* per item: scratch of the merging */
    uint32_t *placed;   /* events in the order found, all phases */
    uint32_t n_placed;
    int64_t work;
};

static uint32_t item_of(struct trail *t, uint32_t event)
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
    if (vertex != MO_NONE) {
        t->vertex[vertex] = (struct trail_vertex){.loop = MO_NONE};
    }
}

static void add_item(struct trail *t, uint32_t event)
{
    uint32_t const tail = t->g->tail[event], head = t->g->head[event];
    t->parent[event] = event;
    t->follower[event] = MO_NONE;
    t->item[event] = (struct trail_item){
        .tail = tail, .head = head, .last = event, .n_after = t->j->n_after[event]};
    if (tail != MO_NONE && tail == head) {
        add_loop(t, event);
        return;
    }
    if (tail != MO_NONE) {
        t->vertex[tail].n_out++;
        t->vertex[tail].out_xor ^= event;
    }
    if (head != MO_NONE) {
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
    for (uint32_t e = loop; e != MO_NONE; e = t->follower[e]) {
        uint32_t const next = t->after[e];
        uint32_t const item = next == MO_NONE ? MO_NONE : item_of(t, next);
        t->work--;
        if (item == MO_NONE || item == loop || t->item[item].tail != vertex ||
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
    uint32_t ready = MO_NONE, n_left = 0;
    for (uint32_t i = t->vertex[vertex].loop; i != MO_NONE; i = t->item[i].next_loop) {
        t->n_inside[i] = 0;
        n_left++;
        for (uint32_t e = i; e != MO_NONE; e = t->follower[e]) {
            uint32_t const before = t->before[e];
            uint32_t const item = before == MO_NONE ? i : item_of(t, before);
            t->n_inside[i] +=
                item != i && t->item[item].tail == vertex && t->item[item].head == vertex;
            t->work--;
        }
    }
    for (uint32_t i = t->vertex[vertex].loop, next; i != MO_NONE; i = next) {
        next = t->item[i].next_loop;
        if (t->n_inside[i] == 0) {
            t->item[i].next_loop = ready;
            ready = i;
        }
    }
    while (ready != MO_NONE) {
        uint32_t const i = ready;
        ready = t->item[i].next_loop;
        release(t, i, vertex, &ready);
        append(t, a, i);
        n_left--;
    }
    t->vertex[vertex].loop = MO_NONE;
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

/*
 * Values are vertices, and an operation that saw one value and left another is an edge. Where one
 * edge comes in and at most one goes out, their order is forced: the two become one item, and so
 * on from where that one leads. Of the edges that are left, in_xor and out_xor are the exclusive
 * or of their numbers: of a single one, its number. Joining can make an item that ends where it
 * begins; it is then a loop of that vertex, and another edge may be the last that comes in there.
 * 0: no order exists; 1 also where the budget `work` is spent.
 */
static int merge_at(struct trail *t, uint32_t vertex)
{
    while (vertex != MO_NONE && vertex != t->start && t->work > 0) {
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
        if (head == MO_NONE) {
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
 * MO_NONE when there is none. 0: there are several. */
static int find_need(struct trail *t, uint32_t *vertex)
{
    *vertex = MO_NONE;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t const tail = t->g->tail[t->event[i]];
        if (tail == MO_NONE) {
            continue;
        }
        const struct trail_vertex *v = &t->vertex[tail];
        int const is_need = v->n_out > v->n_in || (v->loop != MO_NONE && v->n_in == 0);
        if (is_need && ((*vertex != MO_NONE && *vertex != tail) || v->n_out > v->n_in + 1)) {
            return 0;
        }
        *vertex = is_need ? tail : *vertex;
    }
    return 1;
}

static int trail_make(struct trail *t)
{
    const struct mo_job *j = t->j;
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
static uint32_t *sort_by_phase(const struct mo_job *j, uint32_t *first)
{
    uint32_t *event = ARENA_NEW(j->a, uint32_t, j->n + 1);
    for (uint32_t i = 0; event && i < j->n; i++) {
        first[(j->phase ? j->phase[i] : 0) + 2] += !mo_is_idle(&j->events[i]);
    }
    for (uint32_t p = 0; event && p < j->n_phases; p++) {
        first[p + 2] += first[p + 1];
    }
    for (uint32_t i = 0; event && i < j->n; i++) {
        if (!mo_is_idle(&j->events[i])) {
            event[first[(j->phase ? j->phase[i] : 0) + 1]++] = i;
        }
    }
    return event;
}

static void link_invocations(struct trail *t)
{
    const struct mo_job *j = t->j;
    for (uint32_t q = 0; q < j->n_queues; q++) {
        uint32_t last = MO_NONE;
        for (uint32_t i = j->queue[q]; i != MO_NONE; i = j->next[i]) {
            if (mo_is_idle(&j->events[i])) {
                continue;
            }
            int const is_same = last != MO_NONE && (!j->phase || j->phase[last] == j->phase[i]);
            t->before[i] = is_same ? last : MO_NONE;
            t->after[i] = MO_NONE;
            if (is_same) {
                t->after[last] = i;
            }
            last = i;
        }
    }
}

/* --- an order of the items of one phase, by tries that learn --- */

struct way {
    uint32_t item;
    int64_t score; /* low is tried first */
};

/* A position: after `item`. */
struct step {
    uint32_t item; /* taken to get here */
    uint32_t vertex;
    uint32_t n_ways, n_tried;
    struct way way[TRAIL_WAYS];
};

/* A search for the order of the items of one phase. */
struct order {
    struct trail *t;
    uint32_t *item_of;    /* per event */
    uint32_t *all, n_all; /* the items */
    uint32_t *n_waits;    /* per item: events whose predecessor is outside and not done */
    uint8_t *is_done;     /* per item */
    uint32_t *n_in, *n_out, *n_loops; /* per vertex: items not done */
    uint32_t *list;      /* per vertex: items that may come now, + 1; loops at n_vertices + v; those
                            * from anywhere last */
    uint32_t *up, *down; /* per item: neighbours in its list, + 1 */
    uint32_t *seer, *next_seer; /* per vertex: list of all items that leave it, + 1 */
    uint32_t *missed;           /* per item: tries that ended before it */
    uint32_t n_left, n_free;
    struct step *step;
    uint32_t depth, try_number;
    int64_t work;
};

static uint32_t *list_of(const struct order *o, uint32_t item)
{
    const struct trail_item *i = &o->t->item[item];
    uint32_t const n = o->t->g->n_vertices;
    if (i->tail == MO_NONE) {
        return &o->list[2 * n];
    }
    return &o->list[i->tail == i->head ? n + i->tail : i->tail];
}

static void enter(struct order *o, uint32_t item)
{
    uint32_t *const list = list_of(o, item);
    o->up[item] = 0;
    o->down[item] = *list;
    if (*list != 0) {
        o->up[*list - 1] = item + 1;
    }
    *list = item + 1;
}

static void leave(struct order *o, uint32_t item)
{
    if (o->up[item] != 0) {
        o->down[o->up[item] - 1] = o->down[item];
    } else {
        *list_of(o, item) = o->down[item];
    }
    if (o->down[item] != 0) {
        o->up[o->down[item] - 1] = o->up[item];
    }
}

/* Count an item as one of those left, or (UINT32_MAX, minus one) as gone. */
static void count(struct order *o, uint32_t item, uint32_t one)
{
    const struct trail_item *i = &o->t->item[item];
    o->n_left += one;
    if (i->tail != MO_NONE && i->tail == i->head) {
        o->n_loops[i->tail] += one;
        return;
    }
    if (i->tail != MO_NONE) {
        o->n_out[i->tail] += one;
    } else {
        o->n_free += one;
    }
    if (i->head != MO_NONE) {
        o->n_in[i->head] += one;
    }
}

/* Place an item, or (`is_undo`) take it back. */
static void apply(struct order *o, uint32_t item, int is_undo)
{
    const struct trail *t = o->t;
    o->is_done[item] = !is_undo;
    count(o, item, is_undo ? 1 : UINT32_MAX);
    if (!is_undo) {
        leave(o, item);
    }
    for (uint32_t e = item; e != MO_NONE; e = t->follower[e]) {
        uint32_t const next = t->after[e];
        uint32_t const other = next == MO_NONE ? item : o->item_of[next];
        o->work--;
        if (other == item) {
            continue;
        }
        if (is_undo && o->n_waits[other]++ == 0) {
            leave(o, other);
        } else if (!is_undo && --o->n_waits[other] == 0) {
            enter(o, other);
        }
    }
    if (is_undo) {
        enter(o, item);
    }
}

static int order_take(struct order *o)
{
    struct arena *a = o->t->j->a;
    uint32_t const n = o->t->j->n + 1, n_vertices = o->t->g->n_vertices + 1;
    o->item_of = ARENA_NEW(a, uint32_t, n);
    o->all = ARENA_NEW(a, uint32_t, n);
    o->n_waits = ARENA_NEW(a, uint32_t, n);
    o->is_done = ARENA_NEW(a, uint8_t, n);
    o->n_in = ARENA_NEW(a, uint32_t, n_vertices);
    o->n_out = ARENA_NEW(a, uint32_t, n_vertices);
    o->n_loops = ARENA_NEW(a, uint32_t, n_vertices);
    o->list = ARENA_NEW(a, uint32_t, 2 * n_vertices);
    o->up = ARENA_NEW(a, uint32_t, n);
    o->down = ARENA_NEW(a, uint32_t, n);
    o->seer = ARENA_NEW(a, uint32_t, n_vertices);
    o->next_seer = ARENA_NEW(a, uint32_t, n);
    o->missed = ARENA_NEW(a, uint32_t, n);
    return o->item_of && o->all && o->n_waits && o->is_done && o->n_in && o->n_out && o->n_loops &&
           o->list && o->up && o->down && o->seer && o->next_seer && o->missed;
}

static int order_make(struct order *o)
{
    struct trail *t = o->t;
    if (!order_take(o)) {
        return 0;
    }
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t const i = item_of(t, t->event[k]);
        o->item_of[t->event[k]] = i;
        if (i == t->event[k]) {
            o->all[o->n_all++] = i;
        }
    }
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t const before = t->before[t->event[k]], i = o->item_of[t->event[k]];
        o->n_waits[i] += before != MO_NONE && o->item_of[before] != i;
    }
    for (uint32_t k = o->n_all; k > 0; k--) {
        uint32_t const i = o->all[k - 1], tail = t->item[i].tail;
        count(o, i, 1);
        if (tail != MO_NONE) {
            o->next_seer[i] = o->seer[tail];
            o->seer[tail] = i + 1;
        }
        if (o->n_waits[i] == 0) {
            enter(o, i);
        }
    }
    if (t->end != MO_NONE) {
        o->n_out[t->end]++; /* the end, too, has to be come to */
    }
    o->step = ARENA_NEW(t->j->a, struct step, o->n_all + 1);
    return o->step != NULL;
}

/* All that still has to see a value must be able to come once it is reached for the last time:
 * their predecessors are in the item that leads there, or among them. */
static int is_ready_for_last(struct order *o, uint32_t item, uint32_t vertex)
{
    const struct trail *t = o->t;
    uint32_t n_seen = 0;
    for (uint32_t k = o->seer[vertex]; k != 0 && n_seen < TRAIL_SCAN; k = o->next_seer[k - 1]) {
        uint32_t const i = k - 1;
        o->work--;
        n_seen++;
        if (o->is_done[i] || o->n_waits[i] == 0) {
            continue;
        }
        for (uint32_t e = i; e != MO_NONE; e = t->follower[e]) {
            uint32_t const before = t->before[e] == MO_NONE ? i : o->item_of[t->before[e]];
            if (!o->is_done[before] && before != item && t->item[before].tail != vertex) {
                return 0;
            }
        }
    }
    return 1;
}

/* From vertex v by an item: can the rest still be placed, as far as the counts tell? */
static int is_promising(struct order *o, uint32_t v, uint32_t item)
{
    const struct trail *t = o->t;
    uint32_t const w = t->item[item].head, end = t->end;
    if (o->n_left == 1) {
        return end == MO_NONE || w == end;
    }
    if (v != MO_NONE) {
        uint32_t const n_out = o->n_out[v] - (t->item[item].tail == v);
        if (n_out > o->n_in[v] || (o->n_loops[v] > 0 && o->n_in[v] == 0)) {
            return 0;
        }
    }
    uint32_t const n_free = o->n_free - (t->item[item].tail == MO_NONE);
    uint32_t const n_seers = w == MO_NONE ? 0 : o->n_out[w] - (w == end) + o->n_loops[w];
    if (n_seers == 0 && n_free == 0) {
        return 0;
    }
    return n_seers == 0 || o->n_in[w] > 1 || is_ready_for_last(o, item, w);
}

static int64_t score_of(const struct order *o, uint32_t item)
{
    const struct trail *t = o->t;
    const struct trail_item *i = &t->item[item];
    int64_t score = 0;
    uint64_t tie = item;
    if (o->try_number > 0) {
        tie = hash_bytes(o->try_number, &tie, sizeof tie) % (1 + 2 * (uint64_t)o->try_number);
        score += (int64_t)tie;
    }
    score -= (int64_t)i->n_after;
    score -= (int64_t)o->missed[item] * TRAIL_MISSED;
    if (i->tail != MO_NONE) {
        return score + (t->last_way && t->last_way[item] ? INT64_C(1) << 24 : 0);
    }
    int const is_awaited =
        i->head != MO_NONE && o->list[i->head] + o->list[o->t->g->n_vertices + i->head] != 0;
    return score + (is_awaited ? INT64_C(1) << 25 : INT64_C(1) << 26);
}

static void add_way(struct order *o, struct step *s, uint32_t item)
{
    o->work--;
    if (!is_promising(o, s->vertex, item)) {
        return;
    }
    int64_t const score = score_of(o, item);
    uint32_t k = s->n_ways < TRAIL_WAYS ? s->n_ways++ : TRAIL_WAYS;
    if (k == TRAIL_WAYS && s->way[k - 1].score <= score) {
        return;
    }
    k -= k == TRAIL_WAYS;
    for (; k > 0 && s->way[k - 1].score > score; k--) {
        s->way[k] = s->way[k - 1];
    }
    s->way[k] = (struct way){item, score};
}

/* The ways on. A loop may as well come at once: in any order that begins here it can be moved to
 * the front. */
static void expand(struct order *o, struct step *s)
{
    uint32_t const n = o->t->g->n_vertices;
    uint32_t n_seen = 0;
    s->n_ways = s->n_tried = 0;
    if (s->vertex != MO_NONE) {
        uint32_t const loop = o->list[n + s->vertex];
        if (loop != 0) {
            s->way[s->n_ways++] = (struct way){loop - 1, 0};
            return;
        }
        for (uint32_t k = o->list[s->vertex]; k != 0 && n_seen++ < TRAIL_SCAN;) {
            add_way(o, s, k - 1);
            k = o->down[k - 1];
        }
    }
    n_seen = 0;
    for (uint32_t k = o->list[2 * n]; k != 0 && n_seen++ < TRAIL_SCAN && s->n_ways < TRAIL_WAYS;) {
        add_way(o, s, k - 1);
        k = o->down[k - 1];
    }
}

static int is_goal(const struct order *o)
{
    return o->n_left == 0 && (o->t->end == MO_NONE || o->step[o->depth].vertex == o->t->end);
}

/* One try: 1 when all is placed. */
static int try_once(struct order *o)
{
    o->depth = 0;
    o->step[0].vertex = o->t->start;
    if (is_goal(o)) {
        return 1;
    }
    expand(o, &o->step[0]);
    while (o->work > 0) {
        struct step *s = &o->step[o->depth];
        if (s->n_tried == s->n_ways) {
            if (o->depth == 0) {
                return 0;
            }
            apply(o, s->item, 1);
            o->depth--;
            continue;
        }
        uint32_t const item = s->way[s->n_tried++].item;
        struct step *next = &o->step[++o->depth];
        apply(o, item, 0);
        next->item = item;
        next->vertex = o->t->item[item].head;
        if (is_goal(o)) {
            return 1;
        }
        expand(o, next);
    }
    return 0;
}

/* What was not placed goes first the next time. */
static void learn(struct order *o)
{
    for (uint32_t k = 0; k < o->n_all; k++) {
        uint32_t const i = o->all[k];
        o->missed[i] += !o->is_done[i] && o->n_waits[i] == 0;
    }
    for (; o->depth > 0; o->depth--) {
        apply(o, o->step[o->depth].item, 1);
    }
}

static void place(struct order *o)
{
    struct trail *t = o->t;
    for (uint32_t d = 1; d <= o->depth; d++) {
        for (uint32_t e = o->step[d].item; e != MO_NONE; e = t->follower[e]) {
            t->placed[t->n_placed++] = e;
        }
    }
}

/* 1: found, appended to `placed`, and the vertex where it ended. */
static enum res search(struct trail *t, int *is_found, uint32_t *ended, struct err *e)
{
    struct order o = {.t = t};
    *is_found = 0;
    if (!order_make(&o)) {
        return err_set(e, RES_NOMEM, "chain trail of %u events: arena full", t->n);
    }
    int64_t const each = TRAIL_TRY_WORK * (int64_t)t->n + TRAIL_TRY_LEAST;
    for (uint32_t k = 0; k < TRAIL_TRIES && t->work > 0 && !*is_found; k++) {
        o.try_number = k;
        o.work = each < t->work ? each : t->work;
        t->work -= o.work;
        *is_found = try_once(&o);
        t->work += o.work;
        if (!*is_found) {
            learn(&o);
        }
    }
    if (*is_found) {
        place(&o);
        *ended = o.step[o.depth].vertex;
    }
    return RES_OK;
}

/* --- all phases --- */

/* Of several values that may be left, the one that what comes next can have seen. */
static int choose_state(const struct mo_job *j, const struct mo_heads *h, uint32_t next,
                        struct mo_state *v)
{
    for (uint32_t k = 0; k < h->n; k++) {
        struct mo_state seen;
        int const is_end = next == MO_NONE;
        *v = h->s[k];
        if (is_end ? !j->p->knows_final || mo_ends_at(j, *v, j->final)
                   : mo_see(j, &j->events[next], *v, &seen)) {
            return 1;
        }
    }
    return 0;
}

/* Is this order one that the rules permit? Nothing is taken on trust: neither the program order,
 * nor the values of the graph. */
static int is_permitted(const struct trail *t)
{
    const struct mo_job *j = t->j;
    struct mo_state v = {0, STATE_ANY};
    struct mo_heads h = {.n = 1, .is_complete = 1};
    uint8_t *is_done = ARENA_NEW(j->a, uint8_t, j->n + 1);
    uint32_t phase = 0;
    h.s[0] = j->p->knows_initial ? mo_value(j->initial) : v;
    if (!is_done || !choose_state(j, &h, t->n_placed ? t->placed[0] : MO_NONE, &v)) {
        return 0;
    }
    for (uint32_t k = 0; k < t->n_placed; k++) {
        uint32_t const i = t->placed[k];
        uint32_t const p = j->phase ? j->phase[i] : 0;
        uint32_t const next = k + 1 < t->n_placed ? t->placed[k + 1] : MO_NONE;
        struct mo_state seen;
        if (is_done[i] || p < phase || (t->before[i] != MO_NONE && !is_done[t->before[i]]) ||
            !mo_see(j, &j->events[i], v, &seen)) {
            return 0;
        }
        is_done[i] = 1;
        phase = p;
        mo_step(j, &j->events[i], seen, &h);
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
    return t->j->sees_flush && v != MO_NONE && other != MO_NONE &&
           format_is_subnormal(f, t->g->value[v]) && format_is_zero(f, t->g->value[other]);
}

/* Phases one after the other, each from where the one before ended. */
static enum res run_phases(struct trail *t, const uint32_t *event, const uint32_t *first,
                           int *is_found, struct err *e)
{
    const struct mo_job *j = t->j;
    uint32_t *need = ARENA_NEW(j->a, uint32_t, j->n_phases + 1);
    uint32_t at = t->g->start;
    enum res r =
        need ? RES_OK : err_set(e, RES_NOMEM, "chain trail of %u events: arena full", j->n);
    *is_found = need != NULL;
    for (uint32_t p = 0; p < j->n_phases && *is_found; p++) {
        t->start = t->end = MO_NONE;
        t->event = event + first[p];
        t->n = first[p + 1] - first[p];
        make_items(t);
        *is_found = find_need(t, &need[p]);
    }
    for (uint32_t p = 0; p < j->n_phases && r == RES_OK && *is_found; p++) {
        t->start = p == 0 && at == MO_NONE ? need[0] : at;
        t->end = p + 1 < j->n_phases ? need[p + 1] : t->g->end;
        t->event = event + first[p];
        t->n = first[p + 1] - first[p];
        if (may_be_seen_as(t, t->start, need[p])) {
            t->start = need[p];
        }
        *is_found = need[p] == MO_NONE || need[p] == t->start;
        if (*is_found) {
            make_items(t);
            *is_found = merge_all(t);
        }
        if (*is_found) {
            r = search(t, is_found, &at, e);
        }
    }
    return r;
}

enum res mo_trail(const struct mo_job *j, const struct mo_graph *g, const uint8_t *last_way,
                  struct mo_order *o, struct err *e)
{
    struct trail t = {.j = j, .g = g, .last_way = last_way};
    *o = (struct mo_order){.blocked = MO_NONE};
    for (uint32_t i = 0; i < j->n; i++) {
        const struct mo_event *v = &j->events[i];
        int const is_plain = v->op == MO_LOAD || v->knows_operand;
        int const is_free = v->op == MO_LOAD || v->op == MO_STORE || v->op == MO_EXCHANGE;
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
