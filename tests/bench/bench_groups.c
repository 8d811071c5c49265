/* tests/bench/bench_groups.c -- observation to verdict for group operations: cases of real drivers with many
 * float reductions, recorded first; then judging alone is timed, cases per second of one core. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/campaign/sched_case.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"
#include "fuzz/targets/targets_choose.h"
#include "fuzz/targets/targets_find.h"
#include "oracle/judge/judge.h"

enum {
    BENCH_CASES = 60,     /* recorded on each driver */
    BENCH_TRIES = 3000,   /* cases looked at for them */
    BENCH_ROUNDS = 3,     /* each is judged so often */
    BENCH_REDUCTIONS = 5, /* instructions of a case at least */
    BENCH_LANES = 8,      /* of each at least */
    BENCH_SEED = 1
};
static const size_t run_limit_bytes = (size_t)256 << 20;

static int is_sum(const struct spv_inst *in)
{
    int const row = op_find_number(in->op);
    return row >= 0 && strcmp(op_rows[row].clause, "GROUP_SUM") == 0;
}

/* Are there enough float sums and products, and lanes? */
static int is_heavy(const struct testcase *tc)
{
    uint32_t n_sums = 0;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &offset, &in)) {
        n_sums += (uint32_t)is_sum(&in);
    }
    return n_sums >= BENCH_REDUCTIONS &&
           tc->local[0] * tc->local[1] * tc->local[2] >= BENCH_LANES &&
           (tc->subgroup_size == 0 || tc->subgroup_size >= BENCH_LANES);
}

/* What the judge makes of it: at least so many values of reductions that had an order. */
static int is_recorded(const struct run *r, struct arena *scratch)
{
    struct judgement *const g = ARENA_NEW(scratch, struct judgement, 1);
    struct err e;
    return r->ob.status == RUN_DONE && g && judge_run(&r->tc, &r->ob, scratch, g, &e) == RES_OK &&
           g->n_reductions >= BENCH_REDUCTIONS * BENCH_LANES;
}

/* The next case of the campaign that is heavy and that the target lists; 0: there is none. */
static int make_case(const struct worker_handle *s, struct run *r, uint64_t *index, struct err *e)
{
    for (; *index < BENCH_TRIES; ++*index) {
        struct tape tape;
        arena_reset(&r->arena);
        if (sched_make_case(PROFILE_GROUPS, BENCH_SEED, *index, s->target->env, &r->arena, &r->tc,
                            &tape, e) != RES_OK) {
            return 0;
        }
        if (is_heavy(&r->tc) && facts_get_fit(s->facts, &r->tc.needs) == FIT_LISTED) {
            ++*index;
            return 1;
        }
    }
    return 0;
}

/* Run up to BENCH_CASES heavy cases on one worker of the target, and leave them with their observations in
 * the first *n of `runs`. A worker that the driver has ended is started again; it may have been ended by a
 * case, which is kept too. */
static enum res record(const struct target *t, struct run *runs, uint32_t *n, struct err *e)
{
    struct worker_handle s;
    uint64_t index = 0;
    enum res res = RES_OK;
    handle_init(&s, t);
    while (res == RES_OK && *n < BENCH_CASES) {
        handle_drop_done(&s);
        if (s.state == HANDLE_DOWN) {
            res = handle_start_and_wait(&s, e);
            continue;
        }
        if (!make_case(&s, &runs[*n], &index, e)) {
            break;
        }
        res = handle_submit(&s, &runs[*n], e);
        if (res == RES_OK) {
            (void)handle_wait(&s);
            ++*n;
        }
    }
    if (s.state == HANDLE_IDLE) {
        handle_close(&s);
        (void)handle_wait(&s);
    }
    handle_free(&s);
    return res;
}

/* Time the judge alone: record runs of the target, judge each BENCH_ROUNDS times, and print cases a second
 * and reductions a case. The first judgement, in is_recorded, is not timed; it sorts out runs that have
 * nothing to judge. */
static enum res bench(const struct target *t, struct run *runs, struct arena *scratch,
                      struct err *e)
{
    uint32_t n = 0;
    uint64_t n_judged = 0;
    uint64_t n_values = 0;
    double seconds = 0;
    enum res res = record(t, runs, &n, e);
    for (uint32_t i = 0; i < n && res == RES_OK; i++) {
        arena_reset(scratch);
        if (!is_recorded(&runs[i], scratch)) {
            continue;
        }
        for (int round = 0; round < BENCH_ROUNDS && res == RES_OK; round++) {
            struct judgement *g = NULL;
            arena_reset(scratch);
            g = ARENA_NEW(scratch, struct judgement, 1);
            double const start = (double)child_cpu_ns(getpid()) / 1e9;
            res = g ? judge_run(&runs[i].tc, &runs[i].ob, scratch, g, e)
                    : err_set(e, RES_NOMEM, "no memory for a judgement");
            seconds += (double)child_cpu_ns(getpid()) / 1e9 - start;
            n_judged++;
            n_values += res == RES_OK ? g->n_reductions : 0;
        }
    }
    if (res == RES_OK && (n_judged == 0 || !(seconds > 0))) {
        res = err_set(e, RES_LIMIT, "%s: no case with enough reductions was recorded", t->name);
    }
    if (res == RES_OK) {
        (void)printf("judge_groups_%s\t%.0f\tcases/s\n", t->name, (double)n_judged / seconds);
        (void)printf("judge_groups_%s_reductions\t%.0f\tvalues/case\n", t->name,
                     (double)n_values / (double)n_judged);
    }
    return res;
}

/* The drivers named, or intel-cpu and lavapipe; one that is not here is told and no failure. */
static int bench_all(struct target_list *found, struct run *runs, const char *names,
                     struct arena *a, struct arena *scratch)
{
    struct err e = {RES_OK, ""};
    struct target_list *const list = ARENA_NEW(a, struct target_list, 1);
    int bad = 0;
    if (!list || targets_choose(found, names, list, a, &e) != RES_OK) {
        (void)fprintf(stderr, "bench_groups: %s: not here\n", names);
        return 0;
    }
    for (uint32_t i = 0; i < list->n; i++) {
        if (bench(&list->t[i], runs, scratch, &e) != RES_OK) {
            (void)fprintf(stderr, "bench_groups: %s\n", e.text);
            bad = 1;
        }
    }
    return bad;
}

/* Time the judge on group operations, on the targets that are named or on two that are usually there. Exit
 * status 3: trouble. */
int main(int argc, char **argv)
{
    struct arena a;
    struct arena scratch;
    struct err e = {RES_OK, ""};
    int bad = 0;
    arena_init(&a, (size_t)64 << 20);
    arena_init(&scratch, (size_t)512 << 20);
    struct target_list *const found = ARENA_NEW(&a, struct target_list, 1);
    struct run *const runs = ARENA_NEW(&a, struct run, BENCH_CASES);
    if (!found || !runs || targets_find(found, NULL, &a, &e) != RES_OK) {
        (void)fprintf(stderr, "bench_groups: %s\n", e.text);
        return 3;
    }
    for (int i = 0; i < BENCH_CASES; i++) {
        arena_init(&runs[i].arena, run_limit_bytes);
    }
    if (argc > 1) {
        for (int i = 1; i < argc; i++) {
            bad |= bench_all(found, runs, argv[i], &a, &scratch);
        }
    } else {
        bad = bench_all(found, runs, "intel-cpu", &a, &scratch) |
              bench_all(found, runs, "lavapipe", &a, &scratch);
    }
    for (int i = 0; i < BENCH_CASES; i++) {
        arena_free(&runs[i].arena);
    }
    arena_free(&scratch);
    arena_free(&a);
    return bad ? 3 : 0;
}
