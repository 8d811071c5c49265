/* oracle/interp/merge_loop.c -- the loops of a module that have a merge instruction, by their blocks. */
#include "oracle/interp/merge_loop.h"

static uint32_t find_function_end(const struct module *m, uint32_t at)
{
    while (at < m->n_code && m->code[at].op != SpvOpFunctionEnd) {
        at++;
    }
    return at;
}

/* Is there an atomic in the code from `first` up to `end`, or in a function that is called there? */
static bool has_atomic(const struct module *m, uint32_t first, uint32_t end, int depth)
{
    for (uint32_t i = first; i < end && i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        if (in->part == PART_ATOMIC) {
            return true;
        }
        if (in->op != SpvOpFunctionCall || depth == MOD_MAX_CALL_DEPTH) {
            continue;
        }
        uint32_t const callee = m->label_at[module_get_operand(m, in, MOD_OPERAND)];
        if (has_atomic(m, callee, find_function_end(m, callee), depth + 1)) {
            return true;
        }
    }
    return false;
}

/* The label where an iteration continues after its test, which is in the code from `first` to `merge`; 0: not known. */
static uint32_t find_body(const struct module *m, uint32_t first, uint32_t merge)
{
    enum {
        TRUE_LABEL = 2,
        FALSE_LABEL
    };
    for (uint32_t i = first; i < merge; i++) {
        const struct mod_inst *in = &m->code[i];
        uint32_t const yes = module_get_operand(m, in, TRUE_LABEL);
        uint32_t const no = module_get_operand(m, in, FALSE_LABEL);
        if (in->op == SpvOpBranchConditional &&
            (m->label_at[yes] == merge) != (m->label_at[no] == merge)) {
            return m->label_at[yes] == merge ? no : yes;
        }
    }
    return 0;
}

uint32_t merge_loops_list(const struct module *m, struct merge_loop *out)
{
    uint32_t n = 0, label = 0;
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        label = in->op == SpvOpLabel ? i : label;
        uint32_t const merge = in->op == SpvOpLoopMerge ? module_get_operand(m, in, 1) : 0;
        if (merge == 0 || m->label_at[merge] == UINT32_MAX) {
            continue;
        }
        if (out) {
            out[n] = (struct merge_loop){.header = m->code[label].result,
                                         .body = find_body(m, label, m->label_at[merge]),
                                         .first = label,
                                         .merge = m->label_at[merge],
                                         .end = find_function_end(m, m->label_at[merge]),
                                         .has_atomic = has_atomic(m, label, m->label_at[merge], 0)};
        }
        n++;
    }
    return n;
}

uint32_t merge_loop_count_phis(const struct module *m, uint32_t label)
{
    uint32_t n = 0;
    while (label + 1 + n < m->n_code && m->code[label + 1 + n].op == SpvOpPhi) {
        n++;
    }
    return n;
}
