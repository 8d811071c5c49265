/* fuzz/campaign/soundness.c -- do cases have defined behaviour? */
#include "fuzz/campaign/soundness.h"

#include <inttypes.h>

#include "oracle/fault/faults.h"
#include "oracle/judge/judge.h"
#include "oracle/sim/sim.h"
#include "oracle/sim/sim_facts.h"
#include "oracle/sim/sim_undefined.h"

/* Run the case on the honest simulation and judge the observation. */
static enum res run_and_judge(const struct testcase *tc, uint64_t index,
                              struct sim_conversions *conversions, struct judgement *g,
                              struct arena *a, struct err *e)
{
    struct observation ob;
    struct sim_outcome outcome;
    struct fault_plan const none = fault_plan_of(FAULT_NONE);
    const char *const facts = sim_facts_for(tc, index, a);
    if (!facts) {
        return err_set(e, RES_NOMEM, "soundness: arena full");
    }
    enum res const r =
        sim_run(tc, &(struct sim_device){SIM_IEEE, index, &none, facts}, a, &ob, &outcome, e);
    *conversions = outcome.conversions;
    TRY(r);
    ob.facts = facts;
    return judge_run(tc, &ob, a, g, e);
}

/* Count one case: run it on the honest simulation, judge the run, and count which kind of undefined behaviour it
 * has, whether that stayed unknown, and its conversions out of range. RES_LIMIT: the run was not judged, so
 * sim_find_undefined looks for undefined behaviour instead. The first case that has any is remembered. */
enum res soundness_add(struct soundness *s, const struct testcase *tc, uint64_t index,
                       struct arena *a, struct err *e)
{
    struct sim_conversions conversions = {0, 0};
    struct judgement *const g = ARENA_NEW(a, struct judgement, 1);
    if (!g) {
        return err_set(e, RES_NOMEM, "soundness: arena full");
    }
    enum res const r = run_and_judge(tc, index, &conversions, g, a, e);
    if (r != RES_OK && r != RES_LIMIT) {
        return r;
    }
    s->n_cases++;
    enum undefined_kind const kind = r == RES_OK ? g->undefined : sim_find_undefined(tc, index, a);
    s->n_undefined[kind]++;
    /* None was found, but the run was not judged to its end: it may have some. */
    s->n_unknown += kind == UNDEFINED_NONE && (r == RES_LIMIT || g->kind == VERDICT_INCONCLUSIVE);
    s->n_conversions += conversions.n;
    /* undefined in Vulkan alone */
    s->n_out_of_range += tc->env == ENV_VK ? conversions.n_out_of_range : 0;
    if (kind != UNDEFINED_NONE && !s->has_first) {
        s->has_first = true;
        s->first = index;
        s->first_env = tc->env;
    }
    return RES_OK;
}

void soundness_write(const struct soundness *s, FILE *f)
{
    (void)fprintf(f,
                  "%" PRIu64 " cases, run by the interpreter: %" PRIu64 " with defined behaviour",
                  s->n_cases, s->n_undefined[UNDEFINED_NONE]);
    (void)fprintf(f, ", of these %" PRIu64 " not judged to their end\n", s->n_unknown);
    for (int i = 1; i < UNDEFINED_N; i++) {
        (void)fprintf(f, "%10" PRIu64 "  %s\n", s->n_undefined[i], undefined_texts[i]);
    }
    (void)fprintf(
        f, "conversions of floats to integers: %" PRIu64 ", out of range in Vulkan: %" PRIu64 "\n",
        s->n_conversions, s->n_out_of_range);
    if (s->has_first) {
        (void)fprintf(f, "the first without: --env %s --index %" PRIu64 "\n",
                      env_names[s->first_env], s->first);
    }
}
