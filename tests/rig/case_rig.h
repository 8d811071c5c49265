/* tests/rig/case_rig.h -- a case that is drawn, and what is observed of it and judged. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"

struct rig {
    struct arena a;
    uint64_t seed; /* of the case */
    struct testcase tc;
    const char *facts;
    struct observation ob;
    struct judgement j;
    /* of the fault that was planted */
    struct sim_outcome outcome;
};

static inline void must(enum res r, const struct err *e)
{
    if (r != RES_OK) {
        fail_msg("%s", e->text);
    }
}

static inline struct rig *make_rig(void)
{
    struct rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    arena_init(&r->a, (size_t)1 << 30);
    return r;
}

static inline void free_rig(struct rig *r)
{
    arena_free(&r->a);
    free(r);
}

/* The case of the tape of a seed, in place of the one before. */
static inline void make_case(struct rig *r, enum profile profile, enum env env, uint64_t seed)
{
    struct err e = {RES_OK, ""};
    struct tape t;
    struct rng rng = rng_seed(seed);
    arena_reset(&r->a);
    r->seed = seed;
    if (tape_random(&t, &rng, &r->a, &e) != RES_OK ||
        gen_case(profile, env, &t, &r->a, &r->tc, NULL, &e) != RES_OK) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, e.text);
    }
}
