/* oracle/chain/chain_trail.h -- what the two halves of the trail share; chain_trail*.c include it. */
#pragma once

#include "oracle/chain/chain_parts.h"

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
