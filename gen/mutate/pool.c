/* gen/mutate/pool.c -- tapes that were of use, kept for crossings: only so many of them. */
#include "gen/mutate/pool.h"

#include <string.h>

#define POOL_ARENA_BYTES ((size_t)64 << 20) /* of one; a usual one takes some 100 KiB */

/* The next free slot; of a full pool any but those of the seeds that stay. */
static size_t pick_slot(const struct pool *p, struct rng *r)
{
    return p->n < POOL_N ? p->n : p->n_seeds + (size_t)rng_below(r, POOL_N - p->n_seeds);
}

/* Learns the tape t (mutate_learn) and keeps it in the pool: in a free slot, or instead of another tape,
 * which is then forgotten. Tapes that are no seeds have at most POOL_MAX_RECORDS records. On an error the
 * pool stays as it was. */
enum res pool_add(struct pool *p, const struct tape *t, enum profile profile, enum env env,
                  bool is_seed, struct rng *r, struct err *e)
{
    struct parent *made = NULL;
    size_t const slot = pick_slot(p, r);
    bool const is_free = slot == p->n;
    /* the first POOL_SEEDS slots keep seeds for good, as long as only seeds have come */
    bool const stays = is_seed && slot == p->n_seeds && slot < POOL_SEEDS;
    struct arena a;
    if (!is_seed && t->n_records > POOL_MAX_RECORDS) {
        return err_set(e, RES_LIMIT, "a tape of %zu records", t->n_records);
    }
    arena_init(&a, POOL_ARENA_BYTES);
    enum res const res = mutate_learn(t, profile, env, &a, &made, e);
    if (res != RES_OK) {
        arena_free(&a);
        return res;
    }
    if (!is_free) { /* the tape that stood there is forgotten */
        arena_free(&p->arena[slot]);
    }
    p->arena[slot] = a;
    p->tape[slot] = made;
    p->n_seeds += stays;
    p->n += is_free;
    return RES_OK;
}

void pool_free(struct pool *p)
{
    for (size_t i = 0; i < p->n; i++) {
        arena_free(&p->arena[i]);
    }
    memset(p, 0, sizeof *p);
}
