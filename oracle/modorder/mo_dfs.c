/* oracle/modorder/mo_dfs.c -- depth-first search for an order of a location's events, within a budget. */
#include "oracle/modorder/mo_dfs.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_MEMO = 1 << 18, /* positions remembered: 2 MiB */
    MAX_POOL = 1 << 18  /* alternatives waiting */
};

bool mo_dfs_make(struct mo_dfs *d, uint32_t n)
{
    d->memo_mask = 1023;
    d->memo = ARENA_NEW(d->a, uint64_t, d->memo_mask + 1);
    d->max_pool = 256;
    d->pool = ARENA_NEW(d->a, struct mo_way, d->max_pool);
    d->frame = ARENA_NEW(d->a, struct mo_frame, n + 2);
    return d->memo && d->pool && d->frame;
}

/* ---- positions that failed ---- */

/* The slot of a table that holds a position, or the empty one where it belongs. */
static uint64_t *find_slot(uint64_t *memo, uint64_t mask, uint64_t position)
{
    uint64_t i = position;
    while (memo[i & mask] != 0 && memo[i & mask] != position) {
        i++;
    }
    return &memo[i & mask];
}

static void grow_memo(struct mo_dfs *d)
{
    uint64_t const mask = 4 * (d->memo_mask + 1) - 1;
    uint64_t *const more = mask < MAX_MEMO ? ARENA_NEW(d->a, uint64_t, mask + 1) : NULL;
    if (!more) {
        return;
    }
    for (uint64_t i = 0; i <= d->memo_mask; i++) {
        if (d->memo[i] != 0) {
            *find_slot(more, mask, d->memo[i]) = d->memo[i];
        }
    }
    d->memo = more;
    d->memo_mask = mask;
}

/* Was this position searched before? Then it failed. A full table forgets nothing, and new positions are searched as
 * often as they come. */
static bool is_known(struct mo_dfs *d, const struct mo_way *at)
{
    uint64_t const position = d->caller->hash(d->user, at) | 1;
    if (2 * (uint64_t)d->n_memo > d->memo_mask) {
        grow_memo(d);
    }
    uint64_t *const slot = find_slot(d->memo, d->memo_mask, position);
    if (*slot == 0 && 2 * (uint64_t)d->n_memo <= d->memo_mask) {
        *slot = position;
        d->n_memo++;
        return false;
    }
    return *slot == position;
}

/* ---- alternatives ---- */

bool mo_dfs_grow(struct mo_dfs *d)
{
    uint32_t const max = 4 * d->max_pool;
    struct mo_way *const more = max <= MAX_POOL ? ARENA_NEW(d->a, struct mo_way, max) : NULL;
    if (!more) {
        d->is_cut = true;
        return false;
    }
    memcpy(more, d->pool, sizeof *more * d->n_pool);
    d->pool = more;
    d->max_pool = max;
    return true;
}

static int by_score(const void *x, const void *y)
{
    const struct mo_way *a = x, *b = y;
    if (a->score != b->score) {
        return a->score < b->score ? -1 : 1;
    }
    if (a->event != b->event) {
        return a->event < b->event ? -1 : 1;
    }
    return (a->after.bits > b->after.bits) - (a->after.bits < b->after.bits);
}

/* ---- the search ---- */

/* Lists the alternatives of the deepest position; none of a position that is remembered as failed. A position with a single
 * alternative is not remembered: it costs nothing to pass again. */
static void expand(struct mo_dfs *d)
{
    struct mo_frame *const f = mo_dfs_top(d);
    f->first = f->next = f->end = d->n_pool;
    if (d->n_pool == d->max_pool && !mo_dfs_grow(d)) {
        return;
    }
    /* `at` stays readable where the pool moves meanwhile, as the arena keeps the old one */
    const struct mo_way *const at = mo_dfs_taken(d, d->depth);
    d->caller->list(d, at);
    f->end = d->n_pool;
    if (f->end - f->first < 2) {
        return;
    }
    if (is_known(d, at)) {
        d->n_pool = f->end = f->first;
        return;
    }
    qsort(d->pool + f->first, f->end - f->first, sizeof *d->pool, by_score);
}

/* Takes the best alternative of the deepest position that is not yet tried; goes back where there is none. The path
 * stays in d->frame if an order is found. */
enum search_answer mo_dfs_run(struct mo_dfs *d, struct mo_way start)
{
    d->start = start;
    if (d->caller->is_goal(d->user, &start)) {
        return SEARCH_FOUND;
    }
    expand(d);
    while (d->work >= 0) {
        struct mo_frame *const f = mo_dfs_top(d);
        if (f->next < f->end) {
            const struct mo_way *const way = &d->pool[f->next++];
            d->depth++;
            d->caller->take(d->user, way->event);
            if (d->caller->is_goal(d->user, way)) {
                return SEARCH_FOUND;
            }
            expand(d);
        } else if (d->depth > 0) {
            d->n_pool = f->first;
            d->caller->put_back(d->user, mo_dfs_taken(d, d->depth)->event);
            d->depth--;
        } else {
            return d->is_cut ? SEARCH_OUT : SEARCH_NONE;
        }
    }
    return SEARCH_OUT;
}
