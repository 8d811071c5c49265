/* tests/bench/bench_gen.c -- random tape to emitted case, cases per second of one core. */
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"

#include <stdio.h>
#include <time.h>

enum {
    BENCH_CASES = 20000,
    BENCH_ARENA_BYTES = 64 << 20
};

static double now_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Times how many cases a second are made of random tapes, for each environment. */
int main(void)
{
    struct arena a;
    struct err e = {0};
    arena_init(&a, BENCH_ARENA_BYTES);
    for (int env = 0; env < ENV_N; env++) {
        struct rng rng = rng_seed(1);
        double const start = now_seconds();
        for (int i = 0; i < BENCH_CASES; i++) {
            struct tape t;
            struct testcase tc;
            arena_reset(&a);
            if (tape_random(&t, &rng, &a, &e) != RES_OK ||
                gen_case(PROFILE_ATOMICS, (enum env)env, &t, &a, &tc, NULL, &e) != RES_OK) {
                (void)fprintf(stderr, "bench_gen: %s\n", e.text);
                return 3;
            }
        }
        (void)printf("generate_emit_%s\t%.0f\tcases/s\n", env_names[env],
                     BENCH_CASES / (now_seconds() - start));
    }
    arena_free(&a);
    return 0;
}
