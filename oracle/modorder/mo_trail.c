/* oracle/modorder/mo_trail.c -- an order from items: sequences of events whose inner order is forced. */
#include "oracle/modorder/mo_trail.h"

#include <string.h>

#include "oracle/modorder/mo_job.h"
#include "oracle/modorder/mo_step.h"

enum {
    TRAIL_WORK = 16000,  /* the budget: items and events looked at, */
    TRAIL_WORK_EACH = 6, /* and this many more for each event */
    TRAIL_TRIES = 12,
    TRAIL_WAYS = 6,         /* candidates that are kept at one position */
    TRAIL_SCAN = 64,        /* candidates that are looked at at one position */
    TRAIL_TRY_WORK = 10,    /* the budget of one attempt: per event of the phase, */
    TRAIL_TRY_LEAST = 1000, /* and this many more */
    TRAIL_MISSED = 1 << 10  /* gain in score of an item for each attempt that ended before it */
};

/* --- the items --- */

/* A sequence of events that must follow one another immediately. The number of an item is that of its first event. */
struct trail_item {
    uint32_t tail; /* the vertex that the first event sees; MO_NONE: any */
    uint32_t head; /* the vertex that the last event leaves; MO_NONE: a value that nothing sees */
    uint32_t last; /* the last event */
    uint32_t n_after;   /* the greatest number of events after one of its events in an invocation */
    uint32_t next_loop; /* the next in the list of loops of its vertex, or MO_NONE */
};

struct trail_vertex {
    uint32_t n_in, n_out;     /* items that arrive at the vertex and leave it, without loops */
    uint32_t in_xor, out_xor; /* the exclusive or of their numbers: of a single item its number */
    uint32_t loop;            /* list of the items from the vertex to itself */
};

/* One phase: its events, as items. Arrays are indexed by event (an item is one) or vertex. */
struct trail {
    const struct mo_job *j;
    const struct mo_graph *g;
    const uint8_t *last_way; /* per event: last exit of the walk */
    const uint32_t *event;   /* [n] the events of this phase */
    uint32_t n;
    uint32_t start, end; /* vertices, or MO_NONE */
    uint32_t *before,
        *after;         /* per event: its neighbours in its invocation and phase, or MO_NONE */
    uint32_t *parent;   /* per event: union-find of the events of an item */
    uint32_t *follower; /* per event: the next in its item, or MO_NONE */
    struct trail_item *item;
    struct trail_vertex *vertex;
    uint32_t *n_inside; /* per loop: other loops of its vertex for which it waits (absorb_loops) */
    uint32_t *placed;   /* events in the order that was found, of all phases so far */
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

/* Makes an item of one event, and counts the item at its tail and its head, or puts it into the list of loops of the
 * vertex if these are the same. */
static void make_item(struct trail *t, uint32_t event)
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
        make_item(t, t->event[i - 1]);
    }
}

/* Appends item b to item a. */
static void append(struct trail *t, uint32_t a, uint32_t b)
{
    struct trail_item *first = &t->item[a], *second = &t->item[b];
    t->follower[first->last] = b;
    t->parent[b] = a;
    first->last = second->last;
    first->n_after = second->n_after > first->n_after ? second->n_after : first->n_after;
}

static bool is_loop_of(const struct trail *t, uint32_t item, uint32_t vertex)
{
    return t->item[item].tail == vertex && t->item[item].head == vertex;
}

/* Counts the events of a loop whose predecessor in program order is in another loop of the same vertex. */
static uint32_t count_inside(struct trail *t, uint32_t loop, uint32_t vertex)
{
    uint32_t n = 0;
    for (uint32_t e = loop; e != MO_NONE; e = t->follower[e]) {
        uint32_t const before = t->before[e];
        uint32_t const item = before == MO_NONE ? loop : item_of(t, before);
        n += item != loop && is_loop_of(t, item, vertex);
        t->work--;
    }
    return n;
}

/* A loop is placed: adds to *ready the other loops of its vertex that waited for its events alone. */
static void release_successors(struct trail *t, uint32_t loop, uint32_t vertex, uint32_t *ready)
{
    for (uint32_t e = loop; e != MO_NONE; e = t->follower[e]) {
        uint32_t const next = t->after[e];
        uint32_t const item = next == MO_NONE ? loop : item_of(t, next);
        t->work--;
        if (item != loop && is_loop_of(t, item, vertex) && --t->n_inside[item] == 0) {
            t->item[item].next_loop = *ready;
            *ready = item;
        }
    }
}

/* Appends all loops of a vertex to item `a`, the only item that arrives there, in an order that keeps program order:
 * a topological sort (Kahn), `ready` being the list of loops that wait for no other. false: there is no such order. */
static bool absorb_loops(struct trail *t, uint32_t a, uint32_t vertex)
{
    uint32_t ready = MO_NONE, n_left = 0;
    for (uint32_t i = t->vertex[vertex].loop; i != MO_NONE; i = t->item[i].next_loop) {
        t->n_inside[i] = count_inside(t, i, vertex);
        n_left++;
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
        release_successors(t, i, vertex, &ready);
        append(t, a, i);
        n_left--;
    }
    t->vertex[vertex].loop = MO_NONE;
    return n_left == 0;
}

/* Item `a` now begins and ends at one vertex: moves it from the counts of arriving and leaving items to the list of
 * loops. */
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
 * Joins items whose order is forced, from `vertex` on. If exactly one item arrives at a vertex and at most one leaves it, the
 * second must follow the first: the two become one item, which leads to another vertex. in_xor and out_xor give the number of
 * a single item without a list. Joining may give an item that ends where it begins: it becomes a loop of that vertex, where
 * fewer items then arrive, so that the joining goes on there. false: no order exists. true also if the budget is spent.
 */
static bool merge_from(struct trail *t, uint32_t vertex)
{
    while (vertex != MO_NONE && vertex != t->start && t->work > 0) {
        struct trail_vertex *v = &t->vertex[vertex];
        bool const is_end = vertex == t->end; /* the end counts as one more that leaves */
        uint32_t const n_out_at_most = is_end ? 0 : 1;
        if (v->n_in != 1 || v->n_out > n_out_at_most) {
            return true;
        }
        uint32_t const a = v->in_xor;
        t->work--;
        if (!absorb_loops(t, a, vertex)) {
            return false;
        }
        if (v->n_out == 0) { /* `a` is the last item of the order */
            return true;
        }
        uint32_t const b = v->out_xor, head = t->item[b].head;
        append(t, a, b);
        t->item[a].head = head;
        v->n_in = v->n_out = v->in_xor = v->out_xor = 0;
        if (head == MO_NONE) { /* it leads to no vertex, where more could be joined */
            return true;
        }
        t->vertex[head].in_xor ^= a ^ b; /* `a` arrives there in place of b */
        if (head != t->item[a].tail) {
            return true;
        }
        turn_into_loop(t, a);
        vertex = head;
    }
    return true;
}

static bool merge_all(struct trail *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (!merge_from(t, t->g->head[t->event[i]])) {
            return false;
        }
    }
    return true;
}

/* Finds the vertex at which a phase must start, *vertex: more items leave it than arrive there, or it has loops and
 * no item arrives. MO_NONE: the counts do not say. false: there are several such vertices, so that no order exists. */
static bool find_need(struct trail *t, uint32_t *vertex)
{
    *vertex = MO_NONE;
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t const tail = t->g->tail[t->event[i]];
        if (tail == MO_NONE) {
            continue;
        }
        const struct trail_vertex *v = &t->vertex[tail];
        bool const has_lone_loop = v->loop != MO_NONE && v->n_in == 0;
        if (v->n_out <= v->n_in && !has_lone_loop) {
            continue;
        }
        bool const is_second = *vertex != MO_NONE && *vertex != tail;
        if (is_second || v->n_out > v->n_in + 1) {
            return false;
        }
        *vertex = tail;
    }
    return true;
}

static bool trail_make(struct trail *t)
{
    const struct mo_job *j = t->j;
    uint32_t **const arrays[] = {&t->before,   &t->after,    &t->parent,
                                 &t->follower, &t->n_inside, &t->placed};
    t->item = ARENA_NEW(j->a, struct trail_item, j->n + 1);
    t->vertex = ARENA_NEW(j->a, struct trail_vertex, t->g->n_vertices + 1);
    t->work = TRAIL_WORK + TRAIL_WORK_EACH * (int64_t)j->n;
    return t->item && t->vertex && mo_take_arrays(j->a, (size_t)j->n + 1, arrays, ARRAY_N(arrays));
}

/* Sorts the events that are not idle by phase: those of phase p are event[first[p]] to event[first[p + 1] - 1].
 * first: n_phases + 3 zeros (a counting sort). */
static void sort_by_phase(const struct mo_job *j, uint32_t *first, uint32_t *event)
{
    for (uint32_t i = 0; i < j->n; i++) {
        first[mo_phase_of(j, i) + 2] += !mo_is_idle(&j->events[i]);
    }
    for (uint32_t p = 0; p < j->n_phases; p++) {
        first[p + 2] += first[p + 1];
    }
    for (uint32_t i = 0; i < j->n; i++) {
        if (!mo_is_idle(&j->events[i])) {
            event[first[mo_phase_of(j, i) + 1]++] = i;
        }
    }
}

/* Sets the neighbours of each event in its invocation, within its phase. */
static void link_invocations(struct trail *t)
{
    const struct mo_job *j = t->j;
    for (uint32_t q = 0; q < j->n_queues; q++) {
        uint32_t last = MO_NONE;
        for (uint32_t i = j->queue[q]; i != MO_NONE; i = j->next[i]) {
            if (mo_is_idle(&j->events[i])) {
                continue;
            }
            t->before[i] = t->after[i] = MO_NONE;
            if (last != MO_NONE && mo_phase_of(j, last) == mo_phase_of(j, i)) {
                t->before[i] = last;
                t->after[last] = i;
            }
            last = i;
        }
    }
}

/* --- an order of the items of one phase, by attempts that learn from each other --- */

/* A candidate for the next item. */
struct way {
    uint32_t item;
    int64_t score; /* low is tried first */
};

/* A position of the search: after the item that was taken last. */
struct step {
    uint32_t item;   /* the item that was taken last */
    uint32_t vertex; /* at which it ends */
    uint32_t n_ways, n_tried;
    struct way way[TRAIL_WAYS];
};

/* A search for the order of the items of one phase. */
struct order {
    struct trail *t;
    uint32_t *item_of;    /* per event */
    uint32_t *all, n_all; /* the items */
    uint32_t *n_waits; /* per item: its events whose predecessor is in an item that is not placed */
    uint8_t *is_done;  /* per item: it is placed */
    uint32_t *n_in, *n_out, *n_loops; /* per vertex: items that are not placed */
    uint32_t *
        list; /* lists of items that wait for no other: at v those that leave vertex v, at n_vertices
                     * + v the loops of v, at 2 * n_vertices those without a tail */
    struct mo_links links;      /* of these lists */
    uint32_t *seer, *next_seer; /* per vertex: list of all items that leave it, + 1 */
    uint32_t *missed;           /* per item: attempts that ended before it, though it could come */
    uint32_t n_left, n_free;    /* items that are not placed, and of these those without a tail */
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

/* Counts an item as not placed (one = 1), or as placed (one = UINT32_MAX, which wraps to -1). */
static void count_item(struct order *o, uint32_t item, uint32_t one)
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

/* The item of the event that follows `event` in program order; `item` itself if there is none. */
static uint32_t successor_of(const struct order *o, uint32_t item, uint32_t event)
{
    uint32_t const next = o->t->after[event];
    return next == MO_NONE ? item : o->item_of[next];
}

/* Places an item: items that waited for its events alone may come now. */
static void take(struct order *o, uint32_t item)
{
    o->is_done[item] = 1;
    count_item(o, item, UINT32_MAX);
    mo_links_remove(&o->links, list_of(o, item), item);
    for (uint32_t e = item; e != MO_NONE; e = o->t->follower[e]) {
        uint32_t const other = successor_of(o, item, e);
        o->work--;
        if (other != item && --o->n_waits[other] == 0) {
            mo_links_push(&o->links, list_of(o, other), other);
        }
    }
}

static void take_back(struct order *o, uint32_t item)
{
    o->is_done[item] = 0;
    count_item(o, item, 1);
    for (uint32_t e = item; e != MO_NONE; e = o->t->follower[e]) {
        uint32_t const other = successor_of(o, item, e);
        o->work--;
        if (other != item && o->n_waits[other]++ == 0) {
            mo_links_remove(&o->links, list_of(o, other), other);
        }
    }
    mo_links_push(&o->links, list_of(o, item), item);
}

static bool take_memory(struct order *o)
{
    struct arena *a = o->t->j->a;
    uint32_t **const of_events[] = {&o->item_of,    &o->all,       &o->n_waits, &o->links.up,
                                    &o->links.down, &o->next_seer, &o->missed};
    uint32_t **const of_vertices[] = {&o->n_in, &o->n_out, &o->n_loops, &o->seer};
    size_t const n = (size_t)o->t->j->n + 1, n_vertices = (size_t)o->t->g->n_vertices + 1;
    o->is_done = ARENA_NEW(a, uint8_t, n);
    o->list = ARENA_NEW(a, uint32_t, 2 * n_vertices);
    return o->is_done && o->list && mo_take_arrays(a, n, of_events, ARRAY_N(of_events)) &&
           mo_take_arrays(a, n_vertices, of_vertices, ARRAY_N(of_vertices));
}

/* Prepares the search for an order of the items of a phase: lists the items, counts the predecessors for which each
 * waits, and puts those that wait for none into the lists of what may come. false: the arena is full. */
static bool order_make(struct order *o)
{
    struct trail *t = o->t;
    if (!take_memory(o)) {
        return false;
    }
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t const event = t->event[k], item = item_of(t, event);
        o->item_of[event] = item;
        if (item == event) {
            o->all[o->n_all++] = item;
        }
    }
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t const before = t->before[t->event[k]], item = o->item_of[t->event[k]];
        o->n_waits[item] += before != MO_NONE && o->item_of[before] != item;
    }
    for (uint32_t k = o->n_all; k-- > 0;) {
        uint32_t const item = o->all[k], tail = t->item[item].tail;
        count_item(o, item, 1);
        if (tail != MO_NONE) {
            o->next_seer[item] = o->seer[tail];
            o->seer[tail] = item + 1;
        }
        if (o->n_waits[item] == 0) {
            mo_links_push(&o->links, list_of(o, item), item);
        }
    }
    if (t->end != MO_NONE) {
        o->n_out[t->end]++; /* counts as one more item that leaves the vertex (is_promising) */
    }
    o->step = ARENA_NEW(t->j->a, struct step, o->n_all + 1);
    return o->step != NULL;
}

/* `item` would arrive at `vertex` for the last time. May all items that leave the vertex come then: is each of their
 * predecessors placed, in `item`, or in an item that leaves the vertex too? At most TRAIL_SCAN are looked at; true if
 * none of these says no. */
static bool is_ready_for_last(struct order *o, uint32_t item, uint32_t vertex)
{
    const struct trail *t = o->t;
    uint32_t n_seen = 0;
    for (uint32_t k = o->seer[vertex]; k != 0 && n_seen < TRAIL_SCAN; k = o->next_seer[k - 1]) {
        uint32_t const seer = k - 1;
        o->work--;
        n_seen++;
        if (o->is_done[seer] || o->n_waits[seer] == 0) {
            continue;
        }
        for (uint32_t e = seer; e != MO_NONE; e = t->follower[e]) {
            uint32_t const before = t->before[e] == MO_NONE ? seer : o->item_of[t->before[e]];
            if (!o->is_done[before] && before != item && t->item[before].tail != vertex) {
                return false;
            }
        }
    }
    return true;
}

/* If `item` comes next, from the vertex `from`, may the rest still be placed, as far as the counts say? Items that
 * still leave `from` need items that arrive there again; and some item must be able to follow at the head of `item`. */
static bool is_promising(struct order *o, uint32_t from, uint32_t item)
{
    const struct trail_item *i = &o->t->item[item];
    uint32_t const to = i->head, end = o->t->end;
    if (o->n_left == 1) { /* the last item must lead to the end, if there is one */
        return end == MO_NONE || to == end;
    }
    if (from != MO_NONE) {
        uint32_t const n_out = o->n_out[from] - (i->tail == from);
        bool const loses_loops = o->n_loops[from] > 0 && o->n_in[from] == 0;
        if (n_out > o->n_in[from] || loses_loops) {
            return false;
        }
    }
    /* n_out of the end counts one more than there are items */
    uint32_t const n_free = o->n_free - (i->tail == MO_NONE);
    uint32_t const n_seers = to == MO_NONE ? 0 : o->n_out[to] - (to == end) + o->n_loops[to];
    if (n_seers == 0) {
        return n_free > 0;
    }
    return o->n_in[to] > 1 || is_ready_for_last(o, item, to);
}

enum {
    /* The leading part of a score, above all other parts. Of an item with a tail: it is a last exit of the walk. Of
     * an item without a tail: it leaves a value that other items await, or not. */
    SCORE_LAST_WAY = 1 << 24,
    SCORE_AWAITED = 1 << 25,
    SCORE_OTHER = 1 << 26
};

/* The score of an item, low first: items that earlier attempts missed, then items with many events after them. From
 * the second attempt on a pseudo-random part, which grows with each attempt. */
static int64_t get_score(const struct order *o, uint32_t item)
{
    const struct trail *t = o->t;
    const struct trail_item *i = &t->item[item];
    int64_t score = -(int64_t)i->n_after - (int64_t)o->missed[item] * TRAIL_MISSED;
    if (o->try_number > 0) {
        uint64_t const label = item;
        uint64_t const hash = hash_bytes(o->try_number, &label, sizeof label);
        score += (int64_t)(hash % (1 + 2 * (uint64_t)o->try_number));
    }
    if (i->tail != MO_NONE) {
        return score + (t->last_way && t->last_way[item] ? SCORE_LAST_WAY : 0);
    }
    bool const is_awaited =
        i->head != MO_NONE && o->list[i->head] + o->list[t->g->n_vertices + i->head] != 0;
    return score + (is_awaited ? SCORE_AWAITED : SCORE_OTHER);
}

/* Inserts an item into the sorted list of the best candidates of a position. */
static void add_way(struct order *o, struct step *s, uint32_t item)
{
    o->work--;
    if (!is_promising(o, s->vertex, item)) {
        return;
    }
    int64_t const score = get_score(o, item);
    uint32_t k = s->n_ways;
    if (k < TRAIL_WAYS) {
        s->n_ways++;
    } else if (s->way[--k].score <= score) {
        return;
    }
    for (; k > 0 && s->way[k - 1].score > score; k--) {
        s->way[k] = s->way[k - 1];
    }
    s->way[k] = (struct way){item, score};
}

/* Lists the candidates of the position s: the best of the items that leave its vertex, and of those without a tail. A
 * loop of the vertex is taken at once: in any order that begins here it can be moved to the front. */
static void expand(struct order *o, struct step *s)
{
    uint32_t const n_vertices = o->t->g->n_vertices;
    uint32_t const from_anywhere = o->list[2 * n_vertices];
    uint32_t n_seen = 0;
    s->n_ways = s->n_tried = 0;
    if (s->vertex != MO_NONE) {
        uint32_t const loop = o->list[n_vertices + s->vertex];
        if (loop != 0) {
            s->way[s->n_ways++] = (struct way){loop - 1, 0};
            return;
        }
        for (uint32_t k = o->list[s->vertex]; k != 0 && n_seen++ < TRAIL_SCAN;) {
            add_way(o, s, k - 1);
            k = o->links.down[k - 1];
        }
    }
    n_seen = 0;
    for (uint32_t k = from_anywhere; k != 0 && n_seen++ < TRAIL_SCAN && s->n_ways < TRAIL_WAYS;) {
        add_way(o, s, k - 1);
        k = o->links.down[k - 1];
    }
}

static bool is_goal(const struct order *o)
{
    return o->n_left == 0 && (o->t->end == MO_NONE || o->step[o->depth].vertex == o->t->end);
}

/* One attempt at an order of all items, depth first. false: none was found within the budget o->work and the few
 * candidates that are kept at each position, which proves nothing. */
static bool try_once(struct order *o)
{
    o->depth = 0;
    o->step[0].vertex = o->t->start;
    if (is_goal(o)) {
        return true;
    }
    expand(o, &o->step[0]);
    while (o->work > 0) {
        struct step *s = &o->step[o->depth];
        if (s->n_tried < s->n_ways) {
            uint32_t const item = s->way[s->n_tried++].item;
            struct step *next = &o->step[++o->depth];
            take(o, item);
            next->item = item;
            next->vertex = o->t->item[item].head;
            if (is_goal(o)) {
                return true;
            }
            expand(o, next);
        } else if (o->depth > 0) {
            take_back(o, s->item);
            o->depth--;
        } else {
            return false;
        }
    }
    return false;
}

/* Takes all items back, and notes those that could have come and were not placed: they score better in the next attempt. */
static void learn_from_failure(struct order *o)
{
    for (uint32_t k = 0; k < o->n_all; k++) {
        uint32_t const i = o->all[k];
        o->missed[i] += !o->is_done[i] && o->n_waits[i] == 0;
    }
    for (; o->depth > 0; o->depth--) {
        take_back(o, o->step[o->depth].item);
    }
}

static void append_found(struct order *o)
{
    struct trail *t = o->t;
    for (uint32_t d = 1; d <= o->depth; d++) {
        for (uint32_t e = o->step[d].item; e != MO_NONE; e = t->follower[e]) {
            t->placed[t->n_placed++] = e;
        }
    }
}

/* Searches for an order of the phase's items in several attempts. If one is found (*is_found), it is appended to
 * t->placed, and *ended is the vertex at which it ends. Each attempt takes its budget from that of the trail and
 * gives back what it did not use. */
static enum res search_phase(struct trail *t, bool *is_found, uint32_t *ended, struct err *e)
{
    struct order o = {.t = t};
    *is_found = false;
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
            learn_from_failure(&o);
        }
    }
    if (*is_found) {
        append_found(&o);
        *ended = o.step[o.depth].vertex;
    }
    return RES_OK;
}

/* --- all phases --- */

/* May v be what the next event saw? MO_NONE: may it be the final value? */
static bool fits_next(const struct mo_job *j, struct mo_state v, uint32_t next)
{
    struct mo_state seen;
    if (next == MO_NONE) {
        return !j->p->knows_final || mo_ends_at(j, v, j->final);
    }
    return mo_see(j, &j->events[next], v, &seen);
}

/* Chooses the first state that fits the next event, where several may be left. */
static bool choose_state(const struct mo_job *j, const struct mo_heads *left, uint32_t next,
                         struct mo_state *v)
{
    for (uint32_t k = 0; k < left->n; k++) {
        *v = left->s[k];
        if (fits_next(j, *v, next)) {
            return true;
        }
    }
    return false;
}

/* Is the order that was found (t->placed) permitted? It is checked step by step from the rules alone: program order,
 * phases, that each event comes once, and that each event sees what its predecessor left. */
static bool is_permitted(const struct trail *t)
{
    const struct mo_job *j = t->j;
    struct mo_state v = {0, STATE_ANY};
    struct mo_heads left = {.n = 1, .is_complete = true};
    uint8_t *is_done = ARENA_NEW(j->a, uint8_t, j->n + 1);
    uint32_t phase = 0;
    left.s[0] = j->p->knows_initial ? mo_value(j->initial) : v;
    if (!is_done || !choose_state(j, &left, t->n_placed ? t->placed[0] : MO_NONE, &v)) {
        return false;
    }
    for (uint32_t k = 0; k < t->n_placed; k++) {
        uint32_t const i = t->placed[k], before = t->before[i];
        uint32_t const next = k + 1 < t->n_placed ? t->placed[k + 1] : MO_NONE;
        bool const is_its_turn = before == MO_NONE || is_done[before];
        struct mo_state seen;
        if (is_done[i] || !is_its_turn || mo_phase_of(j, i) < phase ||
            !mo_see(j, &j->events[i], v, &seen)) {
            return false;
        }
        is_done[i] = 1;
        phase = mo_phase_of(j, i);
        mo_step(j, &j->events[i], seen, &left);
        if (!choose_state(j, &left, next, &v)) {
            return false;
        }
    }
    return true;
}

/* May the subnormal of vertex v be read as the zero of vertex `other`? */
static bool may_be_seen_as(const struct trail *t, uint32_t v, uint32_t other)
{
    const struct float_format *f = t->j->format;
    return t->j->sees_flush && v != MO_NONE && other != MO_NONE &&
           format_is_subnormal(f, t->g->value[v]) && format_is_zero(f, t->g->value[other]);
}

static void begin_phase(struct trail *t, const uint32_t *event, const uint32_t *first, uint32_t p)
{
    t->event = event + first[p];
    t->n = first[p + 1] - first[p];
}

/* Finds orders of the phases one after the other, each from the vertex at which the phase before ended (`at`; the
 * first one from the initial value, or from need[0] where that is not known). First it finds for each phase the vertex
 * at which it must start (need[p]), which is where the phase before must end. Where the initial value is a
 * subnormal that may be read as the zero of need[0], the first phase starts at that zero; a later phase starts at need[p]
 * anyway, as search_phase ends at that vertex alone. *is_found is false: nothing is proven. */
static enum res run_phases(struct trail *t, const uint32_t *event, const uint32_t *first,
                           uint32_t *need, bool *is_found, struct err *e)
{
    uint32_t const n_phases = t->j->n_phases;
    uint32_t at = t->g->start;
    *is_found = false;
    for (uint32_t p = 0; p < n_phases; p++) {
        begin_phase(t, event, first, p);
        t->start = t->end = MO_NONE;
        make_items(t);
        if (!find_need(t, &need[p])) {
            return RES_OK;
        }
    }
    for (uint32_t p = 0; p < n_phases; p++) {
        begin_phase(t, event, first, p);
        t->start = p == 0 && at == MO_NONE ? need[0] : at;
        t->end = p + 1 < n_phases ? need[p + 1] : t->g->end;
        if (may_be_seen_as(t, t->start, need[p])) {
            t->start = need[p];
        }
        *is_found = false;
        if (need[p] != MO_NONE && need[p] != t->start) {
            return RES_OK;
        }
        make_items(t); /* again, now with a start and an end */
        if (!merge_all(t)) {
            return RES_OK;
        }
        enum res const r = search_phase(t, is_found, &at, e);
        if (r != RES_OK || !*is_found) {
            return r;
        }
    }
    return RES_OK;
}

/* Are the operand and the original of the event known? A load, store or exchange needs no original. */
static bool is_fully_known(const struct mo_event *e)
{
    bool const needs_no_original = e->op == MO_LOAD || e->op == MO_STORE || e->op == MO_EXCHANGE;
    return (e->op == MO_LOAD || e->knows_operand) && (e->knows_original || needs_no_original);
}

/* Phase by phase: makes items of the events, joins those whose order is forced, and searches for an order of the
 * remaining items. An order is taken only after is_permitted has checked it. Only where all is known (is_fully_known):
 * items are made of the heads and tails of the graph alone. If none is found, o->is_found is false, which proves
 * nothing. */
enum res mo_trail(const struct mo_job *j, const struct mo_graph *g, const uint8_t *last_way,
                  struct mo_order *o, struct err *e)
{
    struct trail t = {.j = j, .g = g, .last_way = last_way};
    *o = (struct mo_order){.blocked = MO_NONE};
    for (uint32_t i = 0; i < j->n; i++) {
        if (!is_fully_known(&j->events[i])) {
            return RES_OK;
        }
    }
    uint32_t *first = ARENA_NEW(j->a, uint32_t, j->n_phases + 3); /* sort_by_phase */
    uint32_t *need = ARENA_NEW(j->a, uint32_t, j->n_phases + 1); /* per phase: vertex to start at */
    uint32_t *event = ARENA_NEW(j->a, uint32_t, j->n + 1);
    if (!first || !need || !event || !trail_make(&t)) {
        return err_set(e, RES_NOMEM, "chain trail of %u events: arena full", j->n);
    }
    sort_by_phase(j, first, event);
    link_invocations(&t);
    bool is_found = false;
    enum res const r = run_phases(&t, event, first, need, &is_found, e);
    if (r == RES_OK && is_found && is_permitted(&t)) {
        o->is_found = true;
        o->event = t.placed;
        o->n = t.n_placed;
    }
    return r;
}
