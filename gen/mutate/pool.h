/* gen/mutate/pool.h -- keeps tapes that were of use, for crossings: at most POOL_N, of which a new one replaces one
 * by chance. */
#pragma once

#include "gen/mutate/parent.h"

enum {
    POOL_N = 512,
    POOL_SEEDS = POOL_N / 2, /* so many at most stay for good */
    /* Of what is no seed, and of a crossing of one: larger ones show more and are kept for it, so that they
     * would grow without end, and a driver takes long for them. */
    POOL_MAX_RECORDS = 512
};

/* Zeroed: empty. */
struct pool {
    const struct parent *tape[POOL_N]; /* the first n are there */
    size_t n, n_seeds;                 /* seeds come first */
    struct arena arena[POOL_N];
};

/* Learn the tape and keep it, a seed of any size, others of POOL_MAX_RECORDS. A seed, if none but seeds
 * came before it, stays for good; of the others a full pool loses one by chance. RES_LIMIT: too large,
 * RES_NOMEM: it is not kept. */
MUST_USE enum res pool_add(struct pool *p, const struct tape *t, enum profile profile, enum env env,
                           bool is_seed, struct rng *r, struct err *e);
void pool_free(struct pool *p);
