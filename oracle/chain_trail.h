/* oracle/chain_trail.h -- what the two halves of the trail share; only chain_trail*.c include it. */
#ifndef HALFULP_ORACLE_CHAIN_TRAIL_H
#define HALFULP_ORACLE_CHAIN_TRAIL_H

#include "oracle/chain_parts.h"

/* Events that must follow one another at once, from a value to a value. Its number is that of its
 * first event. */
struct trail_item {
    uint32_t tail, head; /* vertices; CHAIN_NONE: from anywhere, to a value that nothing saw */
    uint32_t last;       /* event */
    uint32_t n_after;    /* most events of one invocation that come after an event of it */
    uint32_t next_loop;  /* in the list of its vertex, or CHAIN_NONE */
};

struct trail_vertex {
    uint32_t n_in, n_out;     /* items that arrive and leave; loops apart */
    uint32_t in_xor, out_xor; /* their numbers combined: the number where there is just one */
    uint32_t loop;            /* list of items from the vertex to itself */
};

/* One phase: its events, as items. Arrays are indexed by event (an item is one) or vertex. */
struct trail {
    const struct chain_job *j;
    const struct chain_graph *g;
    const uint8_t *last_way;  /* of the walk */
    const uint32_t *event;    /* those of this phase */
    uint32_t n;               /* events of this phase */
    uint32_t start, end;      /* vertices, or CHAIN_NONE */
    uint32_t *before, *after; /* per event: neighbours of its invocation in the phase, or NONE */
    uint32_t *parent;         /* per event: towards its item */
    uint32_t *follower;       /* per event: the next in its item, or CHAIN_NONE */
    struct trail_item *item;
    struct trail_vertex *vertex;
    uint32_t *n_inside; /* per item: scratch of the merging */
    uint32_t *placed;   /* events in the order found, all phases */
    uint32_t n_placed;
    int64_t work;
};

uint32_t trail_item_of(struct trail *t, uint32_t event);

/* chain_trail_search.c: the order of the items; 1: found, appended to `placed`, and the vertex
 * where it ended. */
MUST_USE enum res trail_search(struct trail *t, int *is_found, uint32_t *ended, struct err *e);

enum {
    TRAIL_WAYS = 6,       /* kept of the ways on from one position */
    TRAIL_REPAIR_WORK = 30 /* per item */
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
    uint32_t *item_of;     /* per event */
    uint32_t *all, n_all;  /* the items */
    uint32_t *n_waits;     /* per item: events whose predecessor is outside and not done */
    uint8_t *is_done;      /* per item */
    uint32_t *n_in, *n_out, *n_loops; /* per vertex: items not done */
    uint32_t *list;        /* per vertex: items that may come now, + 1; loops at n_vertices + v; those
                            * from anywhere last */
    uint32_t *up, *down;   /* per item: neighbours in its list, + 1 */
    uint32_t *seer, *next_seer; /* per vertex: list of all items that leave it, + 1 */
    uint32_t *missed;      /* per item: tries that ended before it */
    uint32_t n_left, n_free;
    struct step *step;
    uint32_t depth, try_number;
    int64_t work;
    uint32_t *sequence; /* of the repair, as the four below */
    uint32_t *position; /* per item: items before it, and itself; 0: not placed */
    uint32_t *last_at;  /* per vertex: last position there, + 1 */
    uint32_t *via, *from;  /* per vertex: the item by which a tour came there, and whence */
    uint32_t *stamp;       /* per vertex: which tour */
    uint32_t *queue;
    uint32_t n_stamps;
};

void trail_apply(struct order *o, uint32_t item, int is_undo); /* place it, or take it back */
void trail_expand(struct order *o, struct step *s);            /* find the ways on */
int trail_is_goal(const struct order *o);

/* chain_trail_repair.c: go on from where a try ended, and put what was left behind into the order
 * as tours from a vertex back to itself. 1: all is placed. */
int trail_repair(struct order *o);

#endif
