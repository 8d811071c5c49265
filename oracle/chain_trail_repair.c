/* oracle/chain_trail_repair.c -- what a try left behind is put in as tours: Hierholzer's way. */
#include "oracle/chain_trail.h"

#include <string.h>

static int repair_make(struct order *o)
{
    struct arena *a = o->t->j->a;
    uint32_t const n = o->t->j->n + 1, n_vertices = o->t->g->n_vertices + 1;
    if (o->sequence) {
        memset(o->position, 0, sizeof *o->position * n);
        memset(o->last_at, 0, sizeof *o->last_at * n_vertices);
        return 1;
    }
    o->sequence = ARENA_NEW(a, uint32_t, n);
    o->position = ARENA_NEW(a, uint32_t, n);
    o->last_at = ARENA_NEW(a, uint32_t, n_vertices);
    o->via = ARENA_NEW(a, uint32_t, n_vertices);
    o->from = ARENA_NEW(a, uint32_t, n_vertices);
    o->stamp = ARENA_NEW(a, uint32_t, n_vertices);
    o->queue = ARENA_NEW(a, uint32_t, n_vertices);
    return o->sequence && o->position && o->last_at && o->via && o->from && o->stamp && o->queue;
}

/* Note the positions from `first` on. */
static void renumber(struct order *o, uint32_t first)
{
    for (uint32_t k = first; k < o->depth; k++) {
        uint32_t const head = o->t->item[o->sequence[k]].head;
        o->position[o->sequence[k]] = k + 1;
        if (head != CHAIN_NONE) {
            o->last_at[head] = k + 2;
        }
    }
    o->work -= o->depth - first;
}

static void append(struct order *o, uint32_t item)
{
    trail_apply(o, item, 0);
    o->sequence[o->depth++] = item;
    renumber(o, o->depth - 1);
}

/* Go on at the end as long as there is a way. */
static void extend(struct order *o)
{
    while (o->work > 0 && o->n_left > 0) {
        struct step s = {.vertex = o->depth ? o->t->item[o->sequence[o->depth - 1]].head
                                            : o->t->start};
        trail_expand(o, &s);
        if (s.n_ways == 0) {
            return;
        }
        append(o, s.way[0].item);
    }
}

/* Is the item one of those by which the tour from `root` came to `vertex`? */
static int is_on_tour(struct order *o, uint32_t root, uint32_t vertex, uint32_t item)
{
    while (vertex != root) {
        uint32_t const i = o->via[vertex];
        o->work--;
        if (i == item) {
            return 1;
        }
        vertex = o->from[vertex];
    }
    return 0;
}

/* May an item that was left behind come after `position` and the tour from root to vertex? */
static int may_come(struct order *o, uint32_t item, uint32_t position, uint32_t root,
                    uint32_t vertex)
{
    const struct trail *t = o->t;
    for (uint32_t e = item; e != CHAIN_NONE; e = t->follower[e]) {
        uint32_t const before = t->before[e] == CHAIN_NONE ? item : o->item_of[t->before[e]];
        o->work--;
        if (before == item || (o->is_done[before] && o->position[before] <= position)) {
            continue;
        }
        if (o->is_done[before] || !is_on_tour(o, root, vertex, before)) {
            return 0;
        }
    }
    return 1;
}

/* One more item of a tour: 1 when it is back where it began. */
static int go_on(struct order *o, uint32_t root, uint32_t vertex, uint32_t item, uint32_t *n_queue)
{
    uint32_t const head = o->t->item[item].head;
    if (head == root) {
        return 1;
    }
    if (head != CHAIN_NONE && o->stamp[head] != o->n_stamps) {
        o->stamp[head] = o->n_stamps;
        o->via[head] = item;
        o->from[head] = vertex;
        o->queue[(*n_queue)++] = head;
    }
    return 0;
}

/* The shortest tour from root, where the order is at `position`, back to root, of items left
 * behind: the last item and the vertex where it begins. */
static int find_tour(struct order *o, uint32_t root, uint32_t position, uint32_t *last,
                     uint32_t *vertex)
{
    uint32_t n_queue = 1;
    o->n_stamps++;
    o->queue[0] = root;
    o->stamp[root] = o->n_stamps;
    for (uint32_t q = 0; q < n_queue && o->work > 0; q++) {
        uint32_t const v = o->queue[q];
        for (uint32_t k = o->list[v]; k != 0; k = o->down[k - 1]) {
            uint32_t const i = k - 1;
            o->work--;
            if (may_come(o, i, position, root, v) &&
                go_on(o, root, v, i, &n_queue)) {
                *last = i;
                *vertex = v;
                return 1;
            }
        }
    }
    return 0;
}

/* Put the tour that ends with `last`, from `vertex` to root, in after `position`. */
static void put_in(struct order *o, uint32_t root, uint32_t position, uint32_t last,
                   uint32_t vertex)
{
    uint32_t n = 1;
    for (uint32_t v = vertex; v != root; v = o->from[v]) {
        n++;
    }
    uint32_t *at = o->sequence + position;
    memmove(at + n, at, sizeof *at * (o->depth - position));
    at[n - 1] = last;
    for (uint32_t v = vertex; v != root; v = o->from[v]) {
        n--;
        at[n - 1] = o->via[v];
    }
    for (uint32_t k = 0; at[k] != last; k++) {
        trail_apply(o, at[k], 0);
        o->depth++;
    }
    trail_apply(o, last, 0);
    o->depth++;
    renumber(o, position);
}

/* Put in one tour at each vertex that something was left behind at: how many. */
static uint32_t splice(struct order *o)
{
    uint32_t n_spliced = 0;
    for (uint32_t k = 0; k < o->n_all && o->work > 0; k++) {
        uint32_t const i = o->all[k], root = o->t->item[i].tail;
        uint32_t last, vertex;
        o->work--;
        if (o->is_done[i] || o->n_waits[i] > 0 || root == CHAIN_NONE || o->last_at[root] == 0) {
            continue;
        }
        uint32_t const position = o->last_at[root] - 1;
        if (may_come(o, i, position, root, root) &&
            find_tour(o, root, position, &last, &vertex)) {
            put_in(o, root, position, last, vertex);
            n_spliced++;
        }
    }
    return n_spliced;
}

int trail_repair(struct order *o)
{
    if (!repair_make(o)) {
        return 0;
    }
    for (uint32_t d = 0; d < o->depth; d++) {
        o->sequence[d] = o->step[d + 1].item;
    }
    o->work += TRAIL_REPAIR_WORK * (int64_t)o->n_all;
    if (o->t->start != CHAIN_NONE) {
        o->last_at[o->t->start] = 1;
    }
    renumber(o, 0);
    do {
        extend(o);
    } while (o->n_left > 0 && splice(o) > 0);
    for (uint32_t d = 0; d < o->depth; d++) {
        o->step[d + 1].item = o->sequence[d];
        o->step[d + 1].vertex = o->t->item[o->sequence[d]].head;
    }
    return trail_is_goal(o);
}
