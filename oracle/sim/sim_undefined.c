/* oracle/sim/sim_undefined.c -- has a case defined behaviour, without a device to ask? */
#include "oracle/sim/sim_undefined.h"

#include "oracle/fault/faults.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"

bool sim_judge(const struct testcase *tc, uint64_t seed, struct arena *a, struct judgement *out)
{
    struct err ignored;
    struct observation ob;
    struct sim_outcome ran;
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    const char *const facts = sim_facts_for(tc, seed, a);
    if (!facts) {
        return false;
    }
    if (sim_run(tc, &(struct sim_device){SIM_IEEE, seed, &none, facts}, a, &ob, &ran, &ignored) !=
        RES_OK) {
        ob = (struct observation){
            .status = RUN_CRASH, .phase = PHASE_RUN, .log = "", .signature = ""};
    }
    ob.facts = facts;
    enum res const r = judge_run(tc, &ob, a, out, &ignored);
    out->undefined = out->undefined ? out->undefined : ran.undefined;
    return r == RES_OK;
}

enum undefined_kind sim_find_undefined(const struct testcase *tc, uint64_t seed, struct arena *a)
{
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    return g && sim_judge(tc, seed, a, g) ? g->undefined : UNDEFINED_NONE;
}
