/* oracle/modorder/mo_dfs.h -- depth-first search for an order of a location's events, within a budget.
 *
 * A position is the multiset of events that are left, and what the location holds. The caller lists the alternatives at a
 * position: an event that may come next, and what it leaves. They are tried by their score. Positions with several alternatives
 * that failed are remembered by a hash of 64 bits, and are not searched again. */
#pragma once

#include "oracle/modorder/mo_job.h"

/* One alternative: an event and what it leaves. */
struct mo_way {
    uint32_t event; /* MO_NONE at the start */
    uint32_t score; /* low is tried first */
    struct mo_state after;
    /* The caller's. */
    uint32_t number, flags;
    uint64_t before;
};
/* The alternatives of a position on the path: [first, end) in the pool; `next` is the first that was not tried. */
struct mo_frame {
    uint32_t first, next, end;
};

enum search_answer {
    SEARCH_FOUND,
    SEARCH_NONE, /* proven: there is no order */
    SEARCH_OUT   /* the budget ran out, or an alternative was left out */
};

struct mo_dfs;
struct mo_dfs_caller {
    /* Adds the alternatives at `at` (mo_dfs_add, mo_dfs_add_only), and takes what it looks at from d->work. */
    void (*list)(struct mo_dfs *d, const struct mo_way *at);
    /* An event is taken from those that are left, or put back. */
    void (*take)(void *user, uint32_t event);
    void (*put_back)(void *user, uint32_t event);
    /* Hash of the position. */
    uint64_t (*hash)(const void *user, const struct mo_way *at);
    /* Are no events left, and is the end right? */
    bool (*is_goal)(const void *user, const struct mo_way *at);
};
struct mo_dfs {
    const struct mo_dfs_caller *caller;
    void *user;
    struct arena *a;
    int64_t work; /* that is left of the budget */
    bool is_cut;  /* an alternative was left out: SEARCH_NONE is not proven */
    struct mo_way start;
    struct mo_frame *frame; /* [depth + 1] the path; of an order that was found all of it */
    uint32_t depth;
    struct mo_way *pool; /* a stack: the alternatives of the deepest position lie on top */
    uint32_t n_pool, max_pool;
    uint64_t *memo; /* a hash table of positions */
    uint64_t memo_mask;
    uint32_t n_memo;
};

/* For a search over n events. caller, user, a and work are set. false: the arena is full. */
bool mo_dfs_make(struct mo_dfs *d, uint32_t n);
enum search_answer mo_dfs_run(struct mo_dfs *d, struct mo_way start);
/* Room for one more alternative? false: the pool has reached its bound, or the arena is full (is_cut). */
bool mo_dfs_grow(struct mo_dfs *d);
/* One more alternative of the position that is listed. */
static inline void mo_dfs_add(struct mo_dfs *d, struct mo_way way)
{
    if (d->n_pool < d->max_pool || mo_dfs_grow(d)) {
        d->pool[d->n_pool++] = way;
    }
}
/* The position that is listed. */
static inline struct mo_frame *mo_dfs_top(const struct mo_dfs *d)
{
    return &d->frame[d->depth];
}
/* This alternative alone is needed. */
static inline void mo_dfs_add_only(struct mo_dfs *d, struct mo_way way)
{
    d->n_pool = mo_dfs_top(d)->first;
    mo_dfs_add(d, way);
}
/* The alternative that led to the position at that depth, which is the last one tried of the position above it. */
static inline const struct mo_way *mo_dfs_taken(const struct mo_dfs *d, uint32_t depth)
{
    return depth == 0 ? &d->start : &d->pool[d->frame[depth - 1].next - 1];
}
static inline uint64_t mo_mix(uint64_t h, uint64_t v)
{
    h = ((h ^ v) + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 32) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 29;
}
