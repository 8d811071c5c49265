/* oracle/sim/sim.h -- a target inside the process, honest or with one planted fault: interprets the case's module over
 * real bytes in a random legal schedule, and returns an observation as a driver does. Results are the host's
 * arithmetic, or drawn from the permitted sets. A planted fault acts at one drawn site, or everywhere. */
#pragma once

#include "base/testcase.h"
#include "oracle/fault/faults.h"
#include "oracle/tables/tables.h"

/* The strategy by which results and schedules are chosen. */
enum sim_strategy {
    SIM_ANY, /* any permitted value, any legal schedule: the oracle's own sets */
    /* Plain host integers and floats: shares no line with the sets. Of a mathematical function whose last
     * bits the C library does not know it takes MPFR's (host_exact of oracle/host/host_func.h), as the sets do: a
     * mistake of MPFR itself, or in what function an instruction is, has to be seen by other tests. */
    SIM_IEEE
};
enum {
    SIM_STRATEGY_N = 2
};
extern const char *const sim_strategy_names[SIM_STRATEGY_N];

enum fault_outcome {
    FAULT_ABSENT,  /* no site in this case, or FAULT_NONE */
    FAULT_APPLIED, /* the observation carries it */
    FAULT_REFUSED  /* there were sites, but the result would be permitted or unobservable */
};

/* Conversions of floats to integers that were executed, by component, and those of them whose operand the
 * integer does not hold: in Vulkan such a program has no defined behaviour (S 3.3.11). */
struct sim_conversions {
    uint64_t n, n_out_of_range;
};

/* The device to play. */
struct sim_device {
    enum sim_strategy strategy;
    uint64_t seed; /* of schedule, choices and the fault's site */
    const struct fault_plan *plan;
    const char *facts; /* sim_facts_for: they decide flush and rounding */
};
/* What became of the fault, and what was executed. The counts are of executions: by an invocation, or together by those of
 * one group instruction. */
struct sim_outcome {
    enum fault_outcome fault;
    uint64_t
        n_there; /* the fault is about the instruction and its place, whatever the operands are */
    uint64_t n_sites; /* of these: the fault changes the result to one that is not permitted */
    uint64_t
        n_differs; /* with the fault: a value or the content of a memory location is another one */
    uint32_t site; /* word offset of the (last) instruction that the fault was applied at */
    struct sim_conversions conversions;
    enum undefined_kind undefined; /* why the run stopped: the program has no defined behaviour */
};

/* Run tc in the process. outcome may be NULL. RES_LIMIT: the module does what the interpreter cannot. */
MUST_USE enum res sim_run(const struct testcase *tc, const struct sim_device *device,
                          struct arena *a, struct observation *ob, struct sim_outcome *outcome,
                          struct err *e);
/* Let the plan be about instructions like that at this word of the case's module, wherever one is. */
void sim_plan_at(const struct testcase *tc, uint32_t word, struct fault_plan *plan,
                 struct arena *a);
/* May the fault find a site in the case? 0: no, which is known without running it. */
int sim_can_plant(const struct testcase *tc, enum fault_id fault, struct arena *a);
