/* tests/bench/bench_mutate.c -- mutants of random tapes, per second of one core. */
#include <stdio.h>
#include <time.h>

#include "gen/mutate/mutate.h"
#include "gen/tape/tape_random.h"

enum {
    BENCH_PARENTS = 200,
    BENCH_MUTANTS = 20, /* of each */
    BENCH_ARENA_BYTES = 256 << 20,
    BENCH_MAX_RECORDS = 8192
};

static double now_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Mutants of one parent, and one other for all. */
static enum res run_parent(enum profile profile, struct rng *rng, struct arena *a, struct err *e)
{
    struct tape in, other, out;
    struct parent *p = NULL;
    struct parent *q = NULL;
    enum res r = tape_random(&in, rng, a, e);
    r = r == RES_OK ? tape_random(&other, rng, a, e) : r;
    r = r == RES_OK ? mutate_learn(&in, profile, ENV_CL, a, &p, e) : r;
    for (int i = 0; r == RES_OK && i < BENCH_MUTANTS; i++) {
        r = mutate_learn(&other, profile, ENV_CL, a, &q, e);
        r = r == RES_OK ? mutate_make(p, q, BENCH_MAX_RECORDS, rng, a, &out, NULL, e) : r;
    }
    return r;
}

/* Times how many mutants a second are made of random parents, for each profile. */
int main(void)
{
    struct arena a;
    struct err e = {.text = ""};
    arena_init(&a, BENCH_ARENA_BYTES);
    for (int profile = 0; profile < PROFILE_DRAWN_N; profile++) {
        struct rng rng = rng_seed(1);
        double const start = now_seconds();
        for (int i = 0; i < BENCH_PARENTS; i++) {
            arena_reset(&a);
            if (run_parent((enum profile)profile, &rng, &a, &e) != RES_OK) {
                (void)fprintf(stderr, "bench_mutate: %s\n", e.text);
                return 3;
            }
        }
        (void)printf("mutate_%s\t%.0f\tmutants/s\n", profile_names[profile],
                     BENCH_PARENTS * BENCH_MUTANTS / (now_seconds() - start));
    }
    arena_free(&a);
    return 0;
}
