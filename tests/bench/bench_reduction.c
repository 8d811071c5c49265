/* tests/bench/bench_reduction.c -- time of the permitted sets of sums over a group. */
#include "oracle/group/reduction.h"
#include "oracle/group/reduction_usual.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    BENCH_REPEATS = 5,
    BENCH_SETS = 2000,
    MAX_TERMS = 64
};
static const size_t arena_limit_bytes = (size_t)1 << 28;

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

struct terms {
    uint64_t term[MAX_TERMS];
    uint32_t index[MAX_TERMS];
};

/* Full fractions of either sign over eight binades around 1. */
static struct reduction make(struct terms *t, enum fmt_id fmt, uint32_t n, enum rounding rounding,
                             struct rng *rng)
{
    struct float_format const *f = &float_formats[fmt];
    for (uint32_t i = 0; i < n; i++) {
        uint64_t const field = (f->exp >> (f->prec_bits - 1)) / 2 - 4 + rng_below(rng, 8);
        t->term[i] = (rng_next(rng) & (f->sign | f->frac)) | field << (f->prec_bits - 1);
        t->index[i] = i;
    }
    return (struct reduction){.fmt = fmt,
                              .n = n,
                              .term = t->term,
                              .index = t->index,
                              .size = n,
                              .rules = {.rounding = rounding}};
}

enum task {
    TASK_TREES,
    TASK_USUAL,
    TASK_BOUND
};

/* 0: the answer is not what it has to be. */
static int run(enum task task, const struct reduction *r, struct arena *a)
{
    struct set s;
    struct reduction_usual u;
    switch (task) {
    case TASK_TREES:
        return reduction_permitted(r, 1, a, &s) != REDUCTION_BOUND;
    case TASK_USUAL:
        reduction_get_usual(r, &u);
        return u.n > 0;
    case TASK_BOUND:
        return reduction_permitted(r, 0, a, &s) == REDUCTION_BOUND;
    }
    return 0;
}

/* Runs the task on each set a few times and prints a line with the best time per set: in microseconds, or
 * in milliseconds where there is one set, as it takes that long. 0: a set had no answer. */
static int bench(const char *name, enum task task, struct reduction *sets, uint32_t n_sets,
                 struct arena *a)
{
    double best_ms = 1e9;
    for (int k = 0; k < BENCH_REPEATS; k++) {
        arena_reset(a);
        double const start = now_ms();
        for (uint32_t i = 0; i < n_sets; i++) {
            if (!run(task, &sets[i], a)) {
                fprintf(stderr, "bench_reduction: %s: no answer\n", name);
                return 0;
            }
        }
        double const took = now_ms() - start;
        best_ms = took < best_ms ? took : best_ms;
    }
    if (n_sets == 1) {
        printf("%s\t%.1f\tms\n", name, best_ms);
    } else {
        printf("%s\t%.2f\tus\n", name, best_ms * 1e3 / n_sets);
    }
    return 1;
}

static const struct {
    const char *name;
    enum task task;
    enum fmt_id fmt;
    uint32_t n;
    enum rounding rounding;
    int is_product;
    uint32_t n_sets;
} rows[] = {
    {"reduction-trees-16-f32",          TASK_TREES, FMT_F32, 16, ROUND_RNE,    0, 1         },
    {"reduction-trees-16-f32-either",   TASK_TREES, FMT_F32, 16, ROUND_EITHER, 0, 1         },
    {"reduction-trees-16-f64-either",   TASK_TREES, FMT_F64, 16, ROUND_EITHER, 0, 1         },
    {"reduction-product-16-f64-either", TASK_TREES, FMT_F64, 16, ROUND_EITHER, 1, 1         },
    {"reduction-trees-8-f32",           TASK_TREES, FMT_F32, 8,  ROUND_RNE,    0, BENCH_SETS},
    {"reduction-usual-8-f32",           TASK_USUAL, FMT_F32, 8,  ROUND_RNE,    0, BENCH_SETS},
    {"reduction-usual-16-f32",          TASK_USUAL, FMT_F32, 16, ROUND_RNE,    0, BENCH_SETS},
    {"reduction-usual-16-f16-either",   TASK_USUAL, FMT_F16, 16, ROUND_EITHER, 0, BENCH_SETS},
    {"reduction-bound-64-f32",          TASK_BOUND, FMT_F32, 64, ROUND_RNE,    0, BENCH_SETS},
};

/* Prints a line for each row. Exit status 3: no memory, or a row had no answer. */
int main(void)
{
    struct terms *terms = malloc(BENCH_SETS * sizeof *terms);
    struct reduction *sets = malloc(BENCH_SETS * sizeof *sets);
    struct rng rng = rng_seed(1);
    struct arena a;
    int status = terms && sets ? 0 : 3;
    arena_init(&a, arena_limit_bytes);
    for (size_t k = 0; status == 0 && k < ARRAY_N(rows); k++) {
        for (uint32_t i = 0; i < rows[k].n_sets; i++) {
            sets[i] = make(&terms[i], rows[k].fmt, rows[k].n, rows[k].rounding, &rng);
            sets[i].is_product = rows[k].is_product;
        }
        if (!bench(rows[k].name, rows[k].task, sets, rows[k].n_sets, &a)) {
            status = 3;
        }
    }
    arena_free(&a);
    free(terms);
    free(sets);
    return status;
}
