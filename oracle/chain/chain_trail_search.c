/* oracle/chain/chain_trail_search.c -- an order of the items of a trail, by tries that learn. */
#include "oracle/chain/chain_trail.h"

#include <stdlib.h>
#include <string.h>

enum {
    TRAIL_TRIES = 12,
    TRAIL_WAYS = 6,      /* kept of the ways on from one position */
    TRAIL_SCAN = 64,     /* ways looked at from one position */
    TRAIL_TRY_WORK = 10, /* per item and try */
    TRAIL_TRY_LEAST = 1000,
    TRAIL_MISSED = 1 << 10 /* what an item left behind gains over others */
};

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
    if (i->tail == CHAIN_NONE) {
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
    if (i->tail != CHAIN_NONE && i->tail == i->head) {
        o->n_loops[i->tail] += one;
        return;
    }
    if (i->tail != CHAIN_NONE) {
        o->n_out[i->tail] += one;
    } else {
        o->n_free += one;
    }
    if (i->head != CHAIN_NONE) {
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
    for (uint32_t e = item; e != CHAIN_NONE; e = t->follower[e]) {
        uint32_t const next = t->after[e];
        uint32_t const other = next == CHAIN_NONE ? item : o->item_of[next];
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
        uint32_t const i = trail_item_of(t, t->event[k]);
        o->item_of[t->event[k]] = i;
        if (i == t->event[k]) {
            o->all[o->n_all++] = i;
        }
    }
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t const before = t->before[t->event[k]], i = o->item_of[t->event[k]];
        o->n_waits[i] += before != CHAIN_NONE && o->item_of[before] != i;
    }
    for (uint32_t k = o->n_all; k > 0; k--) {
        uint32_t const i = o->all[k - 1], tail = t->item[i].tail;
        count(o, i, 1);
        if (tail != CHAIN_NONE) {
            o->next_seer[i] = o->seer[tail];
            o->seer[tail] = i + 1;
        }
        if (o->n_waits[i] == 0) {
            enter(o, i);
        }
    }
    if (t->end != CHAIN_NONE) {
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
        for (uint32_t e = i; e != CHAIN_NONE; e = t->follower[e]) {
            uint32_t const before = t->before[e] == CHAIN_NONE ? i : o->item_of[t->before[e]];
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
        return end == CHAIN_NONE || w == end;
    }
    if (v != CHAIN_NONE) {
        uint32_t const n_out = o->n_out[v] - (t->item[item].tail == v);
        if (n_out > o->n_in[v] || (o->n_loops[v] > 0 && o->n_in[v] == 0)) {
            return 0;
        }
    }
    uint32_t const n_free = o->n_free - (t->item[item].tail == CHAIN_NONE);
    uint32_t const n_seers = w == CHAIN_NONE ? 0 : o->n_out[w] - (w == end) + o->n_loops[w];
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
    if (i->tail != CHAIN_NONE) {
        return score + (t->last_way && t->last_way[item] ? INT64_C(1) << 24 : 0);
    }
    int const is_awaited =
        i->head != CHAIN_NONE && o->list[i->head] + o->list[o->t->g->n_vertices + i->head] != 0;
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
    if (s->vertex != CHAIN_NONE) {
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
    return o->n_left == 0 && (o->t->end == CHAIN_NONE || o->step[o->depth].vertex == o->t->end);
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
        for (uint32_t e = o->step[d].item; e != CHAIN_NONE; e = t->follower[e]) {
            t->placed[t->n_placed++] = e;
        }
    }
}

enum res trail_search(struct trail *t, int *is_found, uint32_t *ended, struct err *e)
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
