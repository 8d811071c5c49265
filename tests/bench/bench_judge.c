/* tests/bench/bench_judge.c -- observation to verdict, cases per second of one core. */
#include <stdio.h>
#include <unistd.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/process/child_time.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    BENCH_CASES = 2000,
    BENCH_SEED = 1
};
static const size_t arena_limit_bytes = (size_t)512 << 20;

/* A case and what an honest device gave, in `a`; RES_LIMIT: none for the simulator. */
static enum res record(uint64_t index, enum env env, struct arena *a, struct testcase *tc,
                       struct observation *ob, struct err *e)
{
    struct tape tape;
    struct fault_plan const honest = fault_plan_of(FAULT_NONE);
    enum res r = sched_make_case(PROFILE_ATOMICS, BENCH_SEED, index, env, a, tc, &tape, e);
    if (r != RES_OK) {
        return r;
    }
    const char *facts = sim_facts(env, index, a);
    r = sim_run(tc, &(struct sim_device){SIM_IEEE, index, &honest, facts}, a, ob, NULL, e);
    ob->facts = facts;
    return r;
}

/* Simulate BENCH_CASES cases of one environment and print how many cases and values a second the judge does;
 * the judging alone is timed. Cases that are too large to be simulated (RES_LIMIT) are left out. */
static enum res bench(enum env env, struct arena *recorded, struct arena *scratch, struct err *e)
{
    double seconds = 0;
    uint64_t n_cases = 0;
    uint64_t n_judged = 0;
    for (uint64_t i = 0; i < BENCH_CASES; i++) {
        struct testcase tc;
        struct observation ob;
        struct judgement g;
        arena_reset(recorded);
        enum res r = record(i, env, recorded, &tc, &ob, e);
        if (r == RES_LIMIT) {
            continue;
        }
        double const start = (double)child_cpu_ns(getpid()) / 1e9;
        arena_reset(scratch);
        r = r == RES_OK ? judge_run(&tc, &ob, scratch, &g, e) : r;
        if (r != RES_OK) {
            return r;
        }
        seconds += (double)child_cpu_ns(getpid()) / 1e9 - start;
        n_cases++;
        n_judged += g.n_judged;
    }
    if (n_cases == 0 || n_judged == 0 || !(seconds > 0)) {
        return err_set(e, RES_LIMIT, "nothing was judged");
    }
    (void)printf("judge_%s\t%.0f\tcases/s\n", env_names[env], (double)n_cases / seconds);
    (void)printf("judge_values_%s\t%.0f\tvalues/s\n", env_names[env], (double)n_judged / seconds);
    return RES_OK;
}

int main(void)
{
    struct arena recorded;
    struct arena scratch;
    struct err e = {RES_OK, ""};
    enum res r = RES_OK;
    arena_init(&recorded, arena_limit_bytes);
    arena_init(&scratch, arena_limit_bytes);
    for (int env = 0; env < ENV_N && r == RES_OK; env++) {
        r = bench((enum env)env, &recorded, &scratch, &e);
    }
    if (r != RES_OK) {
        (void)fprintf(stderr, "bench_judge: %s\n", e.text);
    }
    arena_free(&recorded);
    arena_free(&scratch);
    return r == RES_OK ? 0 : 3;
}
