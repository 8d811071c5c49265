/* tests/bench/bench_values.c -- targets whose values are those of their final NIR: how long a case takes to be built, executed
 * and judged. Nothing for a target that is not here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/caps.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "oracle/judge/judge.h"

enum {
    CASES = 150, /* that are run */
    SEED = 11,
    MAX_INDEX = 3000
};
#define BENCH_ARENA_BYTES ((size_t)512 << 20)

struct times {
    unsigned n;
    uint64_t build_ns[CASES], execute_ns[CASES], judge_ns[CASES];
};

static int order(const void *a, const void *b)
{
    uint64_t const x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static double get_median_ms(uint64_t *ns, unsigned n)
{
    qsort(ns, n, sizeof *ns, order);
    return n ? (double)ns[n / 2] / 1e6 : 0;
}

/* One case on a worker that goes on; false: it ended, or the case has no values. */
static bool run_one(struct worker_handle *s, struct run *r, struct times *t)
{
    struct err e;
    struct judgement g;
    if (handle_submit(s, r, &e) != RES_OK) {
        return false;
    }
    while (s->flight == r) {
        if (handle_wait(s) == HANDLE_EVENT_LOST || s->state == HANDLE_DOWN) {
            return false;
        }
    }
    if (r->ob.status != RUN_DONE) {
        return true;
    }
    uint64_t const begin_ns = child_used_cpu_ns(RUSAGE_SELF);
    if (judge_run(&r->tc, &r->ob, &r->arena, &g, &e) == RES_OK) {
        t->build_ns[t->n] = r->ob.build_ns;
        t->execute_ns[t->n] = r->ob.run_ns;
        t->judge_ns[t->n++] = child_used_cpu_ns(RUSAGE_SELF) - begin_ns;
    }
    return true;
}

static void run_all(const struct target *t, struct times *times)
{
    static struct worker_handle s;
    static struct run runs[2];
    struct err e;
    handle_init(&s, t);
    arena_init(&runs[0].arena, BENCH_ARENA_BYTES);
    arena_init(&runs[1].arena, BENCH_ARENA_BYTES);
    bool is_up = handle_start_and_wait(&s, &e) == RES_OK;
    for (uint64_t i = 0; i < MAX_INDEX && times->n < CASES; i++) {
        struct run *const r = &runs[i % 2]; /* the one before is held */
        struct tape tape;
        handle_drop_done(&s);
        is_up = is_up || handle_start_and_wait(&s, &e) == RES_OK;
        arena_reset(&r->arena);
        if (is_up &&
            sched_make_case(PROFILE_ALL, SEED, i, ENV_VK, &r->arena, &r->tc, &tape, &e) == RES_OK &&
            facts_get_fit(s.facts, &r->tc.needs) == FIT_LISTED) {
            is_up = run_one(&s, r, times);
        }
    }
    handle_free(&s);
    arena_free(&runs[0].arena);
    arena_free(&runs[1].arena);
}

int main(void)
{
    static const char *const names[] = {"radv-navi31", "turnip-a740", "nvk-ampere", "honeykrisp"};
    static struct target_list all, chosen;
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, BENCH_ARENA_BYTES);
    if (targets_find(&all, NULL, &a, &e) != RES_OK) {
        (void)fprintf(stderr, "bench_values: %s\n", e.text);
        return 1;
    }
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        static struct times times;
        times.n = 0;
        if (targets_choose(&all, names[i], &chosen, &a, &e) != RES_OK) {
            continue;
        }
        uint64_t const begin_ns = child_now_ns();
        run_all(&chosen.t[0], &times);
        double const s = (double)(child_now_ns() - begin_ns) / 1e9;
        double const build = get_median_ms(times.build_ns, times.n);
        double const execute = get_median_ms(times.execute_ns, times.n);
        printf("values_build_%s\t%.2f\tms, median\n", names[i], build);
        printf("values_execute_%s\t%.2f\tms, median\n", names[i], execute);
        printf("values_judge_%s\t%.2f\tms, median\n", names[i],
               get_median_ms(times.judge_ns, times.n));
        printf("values_execute_of_build_%s\t%.2f\tratio of the medians\n", names[i],
               build > 0 ? execute / build : 0);
        printf("values_cases_%s\t%.1f\tcases/s, one after the other\n", names[i],
               s > 0 ? times.n / s : 0);
    }
    arena_free(&a);
    return 0;
}
