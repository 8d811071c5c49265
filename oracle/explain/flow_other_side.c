/* oracle/explain/flow_other_side.c -- the fault FLOW_OTHER_SIDE: after a selection with a group instruction on a
 * side, a phi may have the value from before the selection, which the other side leaves unchanged. */
#include "oracle/explain/explain_policy.h"

#include "oracle/explain/flow_run.h"
#include "oracle/fault/faults_flow.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"

static void on_site(void *state, struct judge *j, const struct policy_site *site)
{
    const struct invocation *const inv = site->inv;
    if (site->kind != SITE_BLOCK) {
        return;
    }
    for (uint32_t i = j->m.label_at[inv->label] + 1; j->m.code[i].op == SpvOpPhi; i++) {
        const struct mod_inst *phi = &j->m.code[i];
        for (uint32_t w = MOD_OPERAND; w < phi->n; w += 2) {
            uint32_t const id = module_get_operand(&j->m, phi, w);
            if (fault_flow_is_from_before(&j->m, id, inv->label)) {
                flow_widen_phi(state, j, inv, phi, *exec_reg(&j->x, inv, id));
            }
        }
    }
}

bool flow_other_side_make(struct judge *j, struct explain_context *context,
                          struct judge_policy *out)
{
    struct hypothesis *const s = flow_find(context->all, FLOW_OTHER_SIDE);
    (void)j;
    *out = (struct judge_policy){.state = s, .site = on_site};
    return s != NULL;
}
