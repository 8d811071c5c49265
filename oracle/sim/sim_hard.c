/* oracle/sim/sim_hard.c -- do the conditions of a hard fault hold at a site of the simulated device? */
#include "oracle/sim/sim_hard.h"

#include "base/func_row.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/sim/hard_fault.h"
#include "oracle/sim/sim_state.h"

/* Where a label stands in the code; UINT32_MAX: nowhere. Word k of a broken instruction may be missing. */
static uint32_t find_label(const struct module *m, const struct mod_inst *in, uint32_t k)
{
    return k < in->n && in->w[k] < m->n_ids ? m->label_at[in->w[k]] : UINT32_MAX;
}

/* Sets in *out whether the instruction is in a loop, on the else side of a branch, or in a called
 * function. Blocks are ordered such that a construct extends from its header to its merge block.
 * So the instruction is in every construct that begins before it and merges after it, and on the
 * side of a branch whose first block is the last one before it. */
static void describe_flow(const struct sim *s, const struct invocation *inv,
                          const struct mod_inst *in, struct hard_site *out)
{
    enum {
        MERGE = 1, /* words: of a merge instruction, */
        IF_TRUE = 2,
        IF_FALSE = 3 /* of a conditional branch */
    };
    const struct module *m = &s->m;
    uint32_t const pc = (uint32_t)(in - m->code);
    for (uint32_t i = 0; i < pc; i++) {
        const struct mod_inst *head = &m->code[i], *branch = head + 1;
        int const is_merge = head->op == SpvOpLoopMerge || head->op == SpvOpSelectionMerge;
        uint32_t const end = is_merge ? find_label(m, head, MERGE) : UINT32_MAX;
        if (end == UINT32_MAX || end < pc) {
            continue; /* no construct, one that has ended, or one of another function */
        }
        out->is_in_loop |= head->op == SpvOpLoopMerge;
        if (head->op == SpvOpSelectionMerge && branch->op == SpvOpBranchConditional) {
            uint32_t const then_at = find_label(m, branch, IF_TRUE);
            uint32_t const else_at = find_label(m, branch, IF_FALSE);
            bool const is_then_later = then_at > else_at && then_at < pc;
            out->is_in_else |= else_at < pc && !is_then_later;
        }
    }
    out->is_in_function = inv->depth > 0;
    out->local_index = inv->local_index;
}

int sim_hard_atomic(const struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                    const struct fault_site *site, uint64_t result)
{
    struct hard_site h = {.is_contended = site->has_before,
                          .is_unused = !site->is_used,
                          .has_wide_scope = site->has_wide_scope,
                          .is_after_other_group = site->is_after_other_group,
                          .is_local = site->is_local};
    if (s->plan.conditions == 0) {
        return 1;
    }
    if (site->is_float) {
        h.operand = hard_class_of(site->fmt, site->operand);
        h.memory = hard_class_of(site->fmt, site->original);
        h.result = hard_class_of(site->fmt, result);
    }
    describe_flow(s, inv, in, &h);
    return sim_is_judged_by_value(s->tc) && hard_holds(s->plan.conditions, &h);
}

int sim_hard_group(const struct sim *s, const struct sim_part *p,
                   const struct fault_group_site *site)
{
    const struct group_call *c = &p->call;
    struct hard_site h = {.cluster = c->cluster, .n_components = c->n_components};
    if (s->plan.conditions == 0) {
        return 1;
    }
    for (size_t i = 0; c->fmt >= 0 && i < (size_t)c->n * c->n_components; i++) {
        h.operand |= hard_class_of((enum fmt_id)c->fmt, c->value[i]);
    }
    describe_flow(s, p->who[0], p->in, &h);
    if (!c->is_workgroup) {
        h.n_absent = site->n_mates;
        h.is_cut = c->n + site->n_mates < (c->is_kernel ? c->max_size : c->size);
    }
    return sim_is_judged_by_value(s->tc) && hard_holds(s->plan.conditions, &h);
}

/* Do the conditions of a hard fault (one that shows only where several hold together) hold for
 * this component? They are about the program point, the decorations, and the classes of operands
 * and result. A plan without conditions holds anywhere. */
int sim_hard_math(const struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                  const struct fault_math_site *site)
{
    enum {
        CONVERTED = 3 /* word of a conversion */
    };
    const struct mod_id *id = &s->m.ids[in->result];
    struct hard_site h = {.component = site->component,
                          .n_components = id->n_slots,
                          .is_decorated = (id->flags & ID_MAX_ERROR) != 0,
                          .is_directed = (id->flags & ID_ROUNDING_MODE) &&
                                         id->rounding_mode != SpvFPRoundingModeRTE,
                          .result = hard_class_of(site->fmt, site->honest)};
    if (s->plan.conditions == 0) {
        return 1;
    }
    if (site->ops == ON_CONVERT) { /* an integer has no class */
        const struct mod_id *from = &s->m.ids[in->w[CONVERTED]];
        int const fmt = module_get_format(&s->m, from->type);
        uint64_t const enc =
            exec_reg(&s->x, inv, in->w[CONVERTED])[from->n_slots == 1 ? 0 : site->component].bits;
        h.operand = fmt < 0 ? 0 : hard_class_of((enum fmt_id)fmt, enc);
    } else if (site->call.has_args && site->call.accuracy.func != FUNC_NONE) {
        for (uint32_t i = 0; i < func_rows[site->call.accuracy.func].n_args; i++) {
            h.operand |= hard_class_of(site->call.args.fmt, site->call.args.enc[i]);
        }
    }
    describe_flow(s, inv, in, &h);
    return sim_is_judged_by_value(s->tc) && hard_holds(s->plan.conditions, &h);
}
