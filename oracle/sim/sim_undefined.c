/* oracle/sim/sim_undefined.c -- has a case defined behaviour, without a device to ask? */
#include "oracle/sim/sim_undefined.h"

#include "oracle/fault/faults.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

enum undefined_kind sim_find_undefined(const struct testcase *tc, uint64_t seed, struct arena *a)
{
    struct err ignored;
    struct observation ob;
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    const char *const facts = sim_facts_for(tc, seed, a);
    if (!g || !facts) {
        return UNDEFINED_NONE;
    }
    if (sim_run(tc, &(struct sim_device){SIM_IEEE, seed, &none, facts}, a, &ob, NULL, &ignored) !=
        RES_OK) {
        ob = (struct observation){
            .status = RUN_CRASH, .phase = PHASE_RUN, .log = "", .signature = ""};
    }
    ob.facts = facts;
    return judge_run(tc, &ob, a, g, &ignored) == RES_OK ? g->undefined : UNDEFINED_NONE;
}
