/* tests/bench/bench_faults.c -- planted faults that a campaign of profile `all` finds, per minute of one core. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/campaign/sched_case.h"
#include "fuzz/process/child_time.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum {
    BENCH_SEEDS = 2,
    BENCH_CASES = 300 /* at most, of a fault */
};
static const size_t arena_limit_bytes = (size_t)512 << 20;

/* Does case `index` show the fault? One that is too large for the simulation or the judge shows nothing. */
static enum res try_case(enum fault_id fault, uint64_t seed, uint64_t index, struct arena *a,
                         bool *is_shown, struct err *e)
{
    struct testcase tc;
    struct tape tape;
    struct observation ob;
    struct judgement g;
    struct fault_plan const plan = fault_plan_of(fault);
    arena_reset(a);
    enum res r =
        sched_make_case(PROFILE_ALL, seed, index, (enum env)(index / 16 % ENV_N), a, &tc, &tape, e);
    const char *const facts = r == RES_OK ? sim_facts_for(&tc, index, a) : NULL;
    if (r == RES_OK && !sim_can_plant(&tc, fault, a)) {
        return RES_OK;
    }
    r = r == RES_OK
            ? sim_run(&tc, &(struct sim_device){SIM_IEEE, index, &plan, facts}, a, &ob, NULL, e)
            : r;
    if (r == RES_OK) {
        ob.facts = facts;
        r = judge_run(&tc, &ob, a, &g, e);
        *is_shown = r == RES_OK && g.n_found > 0;
    }
    return r == RES_LIMIT || r == RES_NOMEM ? RES_OK : r;
}

int main(void)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    enum res r = RES_OK;
    unsigned n_found = 0;
    unsigned n = 0;
    unsigned long n_cases = 0;
    arena_init(&a, arena_limit_bytes);
    double const start = (double)child_cpu_ns(getpid()) / 1e9;
    for (int i = 0; i < FAULT_N * BENCH_SEEDS && r == RES_OK; i++) {
        enum fault_id const fault = (enum fault_id)(i % FAULT_N);
        bool is_shown = false;
        if (fault == FAULT_NONE || fault_rows[fault].expect == VERDICT_OK) {
            continue;
        }
        n++;
        for (uint64_t k = 0; k < BENCH_CASES && !is_shown && r == RES_OK; k++) {
            r = try_case(fault, 1 + (uint64_t)i, k, &a, &is_shown, &e);
            n_cases++;
        }
        n_found += is_shown;
    }
    double const minutes = ((double)child_cpu_ns(getpid()) / 1e9 - start) / 60;
    if (r != RES_OK) {
        (void)fprintf(stderr, "bench_faults: %s\n", e.text);
    } else {
        (void)printf("faults_found\t%u\tof %u\n", n_found, n);
        (void)printf("faults_per_minute\t%.1f\tfaults/CPU minute\n", (double)n_found / minutes);
        (void)printf("cases_to_a_fault\t%.1f\tcases\n", n_found ? (double)n_cases / n_found : 0);
    }
    arena_free(&a);
    return r == RES_OK ? 0 : 3;
}
