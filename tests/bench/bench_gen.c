/* tests/bench/bench_gen.c -- random tape to emitted case, cases per second of one core; of programs also with tapes that are
 * drawn for a need. */
#include "gen/case/favour.h"
#include "gen/case/gen.h"
#include "gen/tape/tape_random.h"

#include <stdio.h>
#include <time.h>

enum {
    BENCH_CASES = 20000,
    BENCH_FAVOURED = 2000,
    BENCH_ARENA_BYTES = 64 << 20
};

static double now_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* How many cases a second are made of n tapes; below 0: none could be made. */
static double measure(enum profile profile, enum env env, int n, int is_favoured, struct arena *a)
{
    struct rng rng = rng_seed(1);
    struct favour_of const of = {.profile = profile, .env = env};
    double const start = now_seconds();
    for (int i = 0; i < n; i++) {
        struct tape t;
        struct testcase tc;
        struct err e = {0};
        int need = -1;
        arena_reset(a);
        enum res r = is_favoured ? favour_make_tape(&of, &rng, a, &t, &need, &e)
                                 : tape_random(&t, &rng, a, &e);
        if (r == RES_OK) {
            r = gen_case(profile, env, &t, a, &tc, NULL, &e);
        }
        if (r != RES_OK) {
            (void)fprintf(stderr, "bench_gen: %s\n", e.text);
            return -1;
        }
    }
    return n / (now_seconds() - start);
}

int main(void)
{
    static const struct {
        const char *name;
        enum profile profile;
        int n, is_favoured;
    } rows[] = {
        {"generate_emit",          PROFILE_ATOMICS,  BENCH_CASES,    0},
        {"generate_emit_programs", PROFILE_PROGRAMS, BENCH_FAVOURED, 0},
        {"generate_for_need",      PROFILE_PROGRAMS, BENCH_FAVOURED, 1},
    };
    struct arena a;
    arena_init(&a, BENCH_ARENA_BYTES);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        for (int env = 0; env < ENV_N; env++) {
            double const per_second =
                measure(rows[i].profile, (enum env)env, rows[i].n, rows[i].is_favoured, &a);
            if (per_second < 0) {
                return 3;
            }
            (void)printf("%s_%s\t%.0f\tcases/s\n", rows[i].name, env_names[env], per_second);
        }
    }
    arena_free(&a);
    return 0;
}
