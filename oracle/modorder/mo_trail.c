/* oracle/modorder/mo_trail.c -- a full order from pieces whose inner order is forced. */
#include "oracle/modorder/mo_trail.h"

#include <string.h>

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

/* Makes an item of one event: a piece of the order, at first of that event alone. It is counted at the
 * vertices (values) that it comes from (tail) and leads to (head), or put into the list of loops of a vertex
 * if these are the same. MO_NONE: a value that nobody saw. */
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

static bool is_loop_of(const struct trail *t, uint32_t item, uint32_t vertex)
{
    return t->item[item].tail == vertex && t->item[item].head == vertex;
}

/* Of a vertex's loop, the events whose predecessor is in another of its loops. */
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

/* A loop is placed: other loops of its vertex that waited for its events alone are ready. */
static void release(struct trail *t, uint32_t loop, uint32_t vertex, uint32_t *ready)
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

/* Appends all loops of a vertex (items that begin and end there) to item `a`, the only one that arrives
 * there, in program order: a topological sort (Kahn), `ready` being the list of loops that wait for no other.
 * false: there is no such order. */
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
 * Joins items (pieces of the order, at first an event each) whose order is forced, from `vertex` on. Values
 * are vertices, and an item that begins at one value and ends at another is an edge. Where one edge comes in
 * and at most one goes out, one must follow the other: the two become one item, and so on from where that one
 * leads. in_xor and out_xor are the exclusive or of the numbers of the edges that are left: of a single one,
 * its number. Joining can make an item that ends where it begins; it is then a loop of that vertex, and
 * another edge may be the last that comes in there.
 * false: no order exists; true also where the budget `work` is spent.
 */
static bool merge_at(struct trail *t, uint32_t vertex)
{
    while (vertex != MO_NONE && vertex != t->start && t->work > 0) {
        struct trail_vertex *v = &t->vertex[vertex];
        uint32_t const n_out_at_most = vertex == t->end ? 0 : 1;
        if (v->n_in != 1 || v->n_out > n_out_at_most) {
            return true;
        }
        uint32_t const a = v->in_xor;
        t->work--;
        if (!absorb_loops(t, a, vertex)) {
            return false;
        }
        if (v->n_out == 0) {
            return true;
        }
        uint32_t const b = v->out_xor, head = t->item[b].head;
        append(t, a, b);
        t->item[a].head = head;
        v->n_in = v->n_out = v->in_xor = v->out_xor = 0;
        if (head == MO_NONE) {
            return true;
        }
        t->vertex[head].in_xor ^= a ^ b;
        if (head != t->item[a].tail) {
            return true;
        }
        turn_into_loop(t, a);
        vertex = head; /* fewer ways lead there now */
    }
    return true;
}

static bool merge_all(struct trail *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (!merge_at(t, t->g->head[t->event[i]])) {
            return false;
        }
    }
    return true;
}

/* Finds the vertex at which a phase must start, *vertex: one more item leaves it than arrives there, or it
 * has loops and nothing arrives. MO_NONE: the counts do not tell. false: there are several, so that no order
 * exists. */
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

/* Events by phase, idle ones left out; first[p] to first[p + 1] are those of phase p. first: zeros, n_phases
 * and 3 of them. */
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

/* Who comes before and after whom in program order, within a phase. */
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
    uint32_t *list; /* per vertex: items that may come now; loops at n_vertices + v; those from
                     * anywhere last */
    struct mo_links links;      /* of these lists */
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

/* The item of the event that comes next in program order; `item` itself where there is none. */
static uint32_t successor_of(const struct order *o, uint32_t item, uint32_t event)
{
    uint32_t const next = o->t->after[event];
    return next == MO_NONE ? item : o->item_of[next];
}

/* Place an item: others that waited for its events may come. */
static void take(struct order *o, uint32_t item)
{
    o->is_done[item] = 1;
    count(o, item, UINT32_MAX);
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
    count(o, item, 1);
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

/* Makes the search for an order of the items of a phase ready, with nothing placed yet: lists the items,
 * counts for each the events that it waits for in program order, and puts those that wait for none into the
 * lists of what may come, by the vertex that they leave. false: the arena is full. */
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
        count(o, item, 1);
        if (tail != MO_NONE) {
            o->next_seer[item] = o->seer[tail];
            o->seer[tail] = item + 1;
        }
        if (o->n_waits[item] == 0) {
            mo_links_push(&o->links, list_of(o, item), item);
        }
    }
    if (t->end != MO_NONE) {
        o->n_out[t->end]++; /* the end, too, has to be come to */
    }
    o->step = ARENA_NEW(t->j->a, struct step, o->n_all + 1);
    return o->step != NULL;
}

/* `item` would reach `vertex` for the last time, so all items that still have to leave it must be able to
 * come then: are the items that they wait for done, `item` itself, or among them? At most TRAIL_SCAN are
 * looked at; true if none of these says no. */
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

/* If `item` comes next, from vertex `from`, can the rest still be placed, as far as the counts tell? What
 * still leaves `from` needs ways back to it; and where `item` leads something must be able to follow. */
static bool is_promising(struct order *o, uint32_t from, uint32_t item)
{
    const struct trail_item *i = &o->t->item[item];
    uint32_t const to = i->head, end = o->t->end;
    if (o->n_left == 1) { /* the last one must lead to the end, if there is one */
        return end == MO_NONE || to == end;
    }
    if (from != MO_NONE) {
        uint32_t const n_out = o->n_out[from] - (i->tail == from);
        bool const loses_loops = o->n_loops[from] > 0 && o->n_in[from] == 0;
        if (n_out > o->n_in[from] || loses_loops) {
            return false;
        }
    }
    /* n_out of the end counts one that is no item. */
    uint32_t const n_free = o->n_free - (i->tail == MO_NONE);
    uint32_t const n_seers = to == MO_NONE ? 0 : o->n_out[to] - (to == end) + o->n_loops[to];
    if (n_seers == 0) {
        return n_free > 0;
    }
    return o->n_in[to] > 1 || is_ready_for_last(o, item, to);
}

enum {
    /* Of an item that saw its value, and is the walk's way to the end; of one that saw nothing, and leaves
     * what others await, or not: more than what else a score is made of. */
    SCORE_LAST_WAY = 1 << 24,
    SCORE_AWAITED = 1 << 25,
    SCORE_OTHER = 1 << 26
};

/* Low is good: what earlier tries missed, then what many events come after. */
static int64_t score_of(const struct order *o, uint32_t item)
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

/* Keep a way among the best few, sorted. */
static void add_way(struct order *o, struct step *s, uint32_t item)
{
    o->work--;
    if (!is_promising(o, s->vertex, item)) {
        return;
    }
    int64_t const score = score_of(o, item);
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

/* Lists the ways on from a position, s: the best of the items that may come at its vertex and of those that
 * fit anywhere, as nobody saw what they saw. A loop, which begins and ends at the vertex, may as well come at
 * once: in any order that begins here it can be moved to the front. */
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

/* Searches once for an order of all items, depth first: true when all are placed. false: not found within the
 * budget o->work and the few ways that are kept from each position, which proves nothing. */
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

/* What was not placed goes first the next time. */
static void learn(struct order *o)
{
    for (uint32_t k = 0; k < o->n_all; k++) {
        uint32_t const i = o->all[k];
        o->missed[i] += !o->is_done[i] && o->n_waits[i] == 0;
    }
    for (; o->depth > 0; o->depth--) {
        take_back(o, o->step[o->depth].item);
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

/* Searches for an order of the phase's items in several tries, each of which learns from what the one before
 * could not place. If one is found (*is_found), it is appended to t->placed, and *ended is the vertex where
 * it ends. Each try borrows its work from that of the trail and gives back what it did not use. */
static enum res search(struct trail *t, bool *is_found, uint32_t *ended, struct err *e)
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

/* May v be what the event after it saw, or at the end the final value? */
static bool fits_next(const struct mo_job *j, struct mo_state v, uint32_t next)
{
    struct mo_state seen;
    if (next == MO_NONE) {
        return !j->p->knows_final || mo_ends_at(j, v, j->final);
    }
    return mo_see(j, &j->events[next], v, &seen);
}

/* Of several values that may be left, the one that what comes next can have seen. */
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

/* Is the order that was found (t->placed) one that the rules permit? It is taken step by step again, and
 * nothing is trusted: neither the program order, nor that each event comes once, nor the values of the
 * graph. */
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

/* Vertex v as another one: a subnormal as zero. */
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

/* Finds orders of the phases one after the other, each from the vertex where the one before ended. Before
 * that it is found for each at which vertex it must start (need[p]), as that is where the one before has to
 * end. Not found: *is_found is false, which proves nothing. */
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
        make_items(t); /* anew, now with a start and an end, and for merging */
        if (!merge_all(t)) {
            return RES_OK;
        }
        enum res const r = search(t, is_found, &at, e);
        if (r != RES_OK || !*is_found) {
            return r;
        }
    }
    return RES_OK;
}

/* Does the event say what it left, and what it saw? A load, store or exchange may leave out the
 * latter. */
static bool is_plain(const struct mo_event *e)
{
    bool const needs_no_original = e->op == MO_LOAD || e->op == MO_STORE || e->op == MO_EXCHANGE;
    return (e->op == MO_LOAD || e->knows_operand) && (e->knows_original || needs_no_original);
}

/* Tries to find an order by pieces, phase by phase: makes items of the events, merges those whose order is
 * forced, and searches an order of what is left. An order is only taken after all of it was checked against
 * the rules. Not found, in *o: nothing is proven. */
enum res mo_trail(const struct mo_job *j, const struct mo_graph *g, const uint8_t *last_way,
                  struct mo_order *o, struct err *e)
{
    struct trail t = {.j = j, .g = g, .last_way = last_way};
    *o = (struct mo_order){.blocked = MO_NONE};
    for (uint32_t i = 0; i < j->n; i++) {
        if (!is_plain(&j->events[i])) { /* what it saw or left is not known: no piece has it */
            return RES_OK;
        }
    }
    uint32_t *first = ARENA_NEW(j->a, uint32_t, j->n_phases + 3);
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
