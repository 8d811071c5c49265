/* oracle/sim/sim.h -- a target inside the process, honest or with one planted fault. */
#pragma once

#include "base/testcase.h"
#include "oracle/tables/tables.h"

enum sim_chooser {
    SIM_ANY, /* any permitted value, any legal schedule: the oracle's own sets */
    SIM_IEEE /* plain host integers and floats: shares no line with the sets */
};
enum {
    SIM_CHOOSER_N = 2
};
extern const char *const sim_chooser_names[SIM_CHOOSER_N];

enum fault_id {
#define FAULT(id, ...) FAULT_##id,
#include "oracle/sim/faults.def"
    FAULT_NONE /* the control */
};
enum {
    FAULT_N = 0
#define FAULT(...) +1
#include "oracle/sim/faults.def"
};
struct fault_row {
    const char *id;
    enum verdict_kind expect; /* VERDICT_OK: a legal oddity that must not alarm */
    enum clause_id clause;
    const char *text;
};
extern const struct fault_row fault_rows[FAULT_N];

/* Is it a fault of group instructions? Of arithmetic and mathematical functions? Else of atomics. */
int fault_is_of_groups(enum fault_id id);
int fault_is_of_math(enum fault_id id);
/* Of these, only where instructions have decorations. */
int fault_is_of_decorations(enum fault_id id);

/* A fault and where it may act. */
struct fault_plan {
    enum fault_id id;
    int op, type, storage; /* row of ops.def, enum val_type, enum storage (oracle/judge/judge.h) of the
                            * instructions it acts at; -1: any */
    int everywhere; /* at all dynamic sites that fit, like a driver that has it; else at one */
    uint32_t
        conditions; /* bit i: condition i of oracle/sim/hard_fault.h holds there; 0: none is asked */
};
int fault_find(const char *name); /* row by name, FAULT_NONE for "none", or -1 */
/* At one site of any instruction that it fits. */
struct fault_plan fault_plan_of(enum fault_id id);

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

/*
 * Run tc in the process. seed: schedule, choices and the fault's site. facts: of the device to
 * play (sim_facts), decides flush and rounding. site: word offset of the (last) instruction
 * that the fault was applied at. RES_LIMIT: the module does what the interpreter cannot.
 * sim_run_counted adds what was executed to *conversions.
 */
MUST_USE enum res sim_run(const struct testcase *tc, enum sim_chooser chooser, uint64_t seed,
                          const struct fault_plan *plan, const char *facts, struct arena *a,
                          struct observation *ob, enum fault_outcome *outcome, uint32_t *site,
                          struct err *e);
MUST_USE enum res sim_run_counted(const struct testcase *tc, enum sim_chooser chooser,
                                  uint64_t seed, const struct fault_plan *plan, const char *facts,
                                  struct arena *a, struct observation *ob,
                                  enum fault_outcome *outcome, uint32_t *site,
                                  struct sim_conversions *conversions, struct err *e);
/* May the fault find a site in the case? 0: no, which is known without running it. */
int sim_can_plant(const struct testcase *tc, enum fault_id fault, struct arena *a);
/* Facts of a device that meets every need of its environment; seed varies what may vary. Its
 * sub-groups have at least 4 places. */
const char *sim_facts(enum env env, uint64_t seed, struct arena *a);
/* The same for one case: sub-groups of 1 or 2 too where the case has no clusters. */
const char *sim_facts_for(const struct testcase *tc, uint64_t seed, struct arena *a);
