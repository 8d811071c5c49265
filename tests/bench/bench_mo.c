/* tests/bench/bench_mo.c -- time of the modification-order check over 200,000 operations on one location. */
#include "oracle/modorder/mo.h"
#include "oracle/num/exact.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    BENCH_N = 200000,
    BENCH_INVOCATIONS = 4096,
    BENCH_REPEATS = 9
};
static const size_t arena_limit_bytes = (size_t)1 << 30;

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Additions as a device would run them: random operands, invocations in a random order. */
static void fill(struct mo_problem *p, struct mo_event *ev, uint64_t seed)
{
    struct rng rng = rng_seed(seed);
    uint64_t v = UINT64_C(0x3f800000);
    p->initial = v;
    for (uint32_t i = 0; i < p->n_events; i++) {
        uint32_t const exp = 120 + (uint32_t)rng_below(&rng, 8);
        uint64_t const operand = (rng_next(&rng) & UINT64_C(0x807fffff)) | (uint64_t)exp << 23;
        uint32_t const who = (uint32_t)rng_below(&rng, BENCH_INVOCATIONS);
        ev[i] = (struct mo_event){.op = MO_FADD,
                                  .knows_original = 1,
                                  .knows_operand = 1,
                                  .invocation = who,
                                  .group = who / 64,
                                  .original = v,
                                  .operand = operand};
        v = arith_add_rne(FMT_F32, v, operand);
    }
    p->final = v;
}

/* Grouped by invocation, each in its own order, as the interpreter hands them over. */
static void sort_by_invocation(const struct mo_event *ev, struct mo_event *sorted)
{
    uint32_t first[BENCH_INVOCATIONS + 1] = {0};
    for (uint32_t i = 0; i < BENCH_N; i++) {
        first[ev[i].invocation + 1]++;
    }
    for (uint32_t who = 0; who < BENCH_INVOCATIONS; who++) {
        first[who + 1] += first[who];
    }
    for (uint32_t i = 0; i < BENCH_N; i++) {
        sorted[first[ev[i].invocation]++] = ev[i];
    }
}

/* Times the check of one location that took BENCH_N additions: the best of BENCH_REPEATS, in milliseconds. */
int main(void)
{
    struct mo_event *ev = malloc(BENCH_N * sizeof *ev);
    struct mo_event *sorted = malloc(BENCH_N * sizeof *sorted);
    struct mo_problem p = {.is_float = 1,
                           .fmt = FMT_F32,
                           .n_bits = 32,
                           .knows_initial = 1,
                           .knows_final = 1,
                           .n_events = BENCH_N};
    struct arena a;
    struct err e = {0};
    double best_ms = 1e9;
    int status = ev && sorted ? 0 : 3;
    arena_init(&a, arena_limit_bytes);
    for (uint64_t k = 0; status == 0 && k < BENCH_REPEATS; k++) {
        struct mo_answer out;
        fill(&p, ev, k);
        sort_by_invocation(ev, sorted);
        p.events = sorted;
        arena_reset(&a);
        double const start = now_ms();
        if (mo_check(&p, &a, &out, &e) != RES_OK || out.kind != VERDICT_OK) {
            status = 3;
        }
        double const took = now_ms() - start;
        best_ms = took < best_ms ? took : best_ms;
    }
    if (status == 0) {
        printf("chain-200k\t%.1f\tms\n", best_ms);
    } else {
        fprintf(stderr, "bench_chain: %s\n",
                e.text[0] ? e.text : "an honest chain was not accepted");
    }
    arena_free(&a);
    free(ev);
    free(sorted);
    return status;
}
