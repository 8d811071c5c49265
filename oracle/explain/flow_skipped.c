/* oracle/explain/flow_skipped.c -- the fault FLOW_SKIPS: an invocation does not do the iterations of a loop that not
 * all of its work-group do. What it would store there is not stored, and the carried values stay as they were. */
#include "oracle/explain/explain_policy.h"

#include <string.h>

#include "oracle/explain/flow_run.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/merge_loop.h"
#include "oracle/interp/module.h"

struct skipped {
    struct hypothesis *s;
    const struct flow_run *run;
    /* By invocation: the outermost loop of which it does an iteration that others do not do, and the phis of that
     * loop at its beginning. */
    const struct merge_loop **loop;
    struct val **phis;
};

/* The invocation has entered a block. At the first iteration that others do not do, keeps the phis of the loop; after
 * the loop, widens the phis by the kept values. */
static void follow(struct skipped *p, struct judge *j, const struct invocation *inv)
{
    uint32_t const at = inv->global_index;
    const struct merge_loop *const loop = p->loop[at];
    const struct merge_loop *const began = fault_flow_began(&p->run->flow, &j->m, inv);
    if (!loop && began) {
        uint32_t const n = merge_loop_count_phis(&j->m, began->first);
        p->loop[at] = began;
        p->phis[at] = ARENA_NEW(j->a, struct val, n + 1);
        for (uint32_t i = 0; p->phis[at] && i < n; i++) {
            p->phis[at][i] = *exec_reg(&j->x, inv, j->m.code[began->first + 1 + i].result);
        }
    } else if (loop && loop->merge == j->m.label_at[inv->label]) {
        uint32_t const n = p->phis[at] ? merge_loop_count_phis(&j->m, loop->first) : 0;
        for (uint32_t i = 0; i < n; i++) {
            flow_widen_phi(p->s, j, inv, &j->m.code[loop->first + 1 + i], p->phis[at][i]);
        }
        p->loop[at] = NULL;
    }
}

static bool on_begin(void *state, struct judge *j)
{
    struct skipped *const p = state;
    (void)j;
    memset(p->loop, 0, sizeof(struct merge_loop *) * p->run->flow.n_items);
    return true;
}

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    struct skipped *const p = state;
    if (site->kind == SITE_BLOCK) {
    }
    if (site->kind == SITE_BLOCK && p->run->is_known) {
        follow(p, j, site->inv);
    }
}

static enum policy_lost on_lost(void *state, struct judge *j, const struct invocation *inv)
{
    const struct skipped *const p = state;
    (void)j;
    return p->loop[inv->global_index] && flow_count(p->s) ? LOST_STORE : LOST_UNEXPLAINED;
}

bool flow_skipped_make(struct judge *j, struct explain_context *context, struct judge_policy *out)
{
    struct hypothesis *const s = flow_find(context->all, FLOW_SKIPS);
    const struct flow_run *const run = s ? flow_run_share(&context->run, j) : NULL;
    struct skipped *const p = run ? ARENA_NEW(j->a, struct skipped, 1) : NULL;
    if (!p) {
        return false;
    }
    p->run = run;
    size_t const n = (size_t)p->run->flow.n_items + 1;
    p->s = s;
    p->loop = ARENA_NEW(j->a, const struct merge_loop *, n);
    p->phis = ARENA_NEW(j->a, struct val *, n);
    *out = (struct judge_policy){.state = p, .begin = on_begin, .site = on_site, .lost = on_lost};
    return (p->loop && p->phis) || exec_stop(&j->x, "arena full");
}
