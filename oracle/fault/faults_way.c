/* oracle/fault/faults_way.c -- bugs of branches and switches: where control goes to a wrong label. */
#include "oracle/fault/faults_way.h"

enum {
    LONG_LOOP = 4,  /* a loop that does more is long */
    TRUE_LABEL = 2, /* words of OpBranchConditional */
    FALSE_LABEL,
    MERGE = 1, /* words of OpLoopMerge */
    CONTINUE_TARGET
};

/* Words of a switch: the default label, then literals of n_words with a label each. */
enum {
    SELECTOR = 1,
    DEFAULT,
    FIRST_LITERAL
};

static uint32_t count_literal_words(const struct module *m, const struct mod_inst *in)
{
    uint32_t const type = m->ids[module_get_operand(m, in, SELECTOR)].type;
    return type < m->n_ids && m->ids[type].t.bits > 32 ? 2 : 1;
}

/* The label of the last literal becomes the default one. */
static uint32_t take_default(const struct mod_inst *in, uint32_t label)
{
    return in->n > FIRST_LITERAL + 1 && label == in->w[in->n - 1] ? in->w[DEFAULT] : label;
}

/* The label becomes the next one in the list of literals. */
static uint32_t take_next(const struct module *m, const struct mod_inst *in, uint32_t label)
{
    uint32_t const step = count_literal_words(m, in) + 1;
    bool is_found = false;
    for (uint32_t i = FIRST_LITERAL + step - 1; i < in->n; i += step) {
        if (is_found && in->w[i] != label) {
            return in->w[i];
        }
        is_found |= in->w[i] == label;
    }
    return label;
}

/* The last instruction of the block. */
static const struct mod_inst *find_terminator(const struct module *m, uint32_t label)
{
    uint32_t at = label < m->n_ids ? m->label_at[label] : UINT32_MAX;
    if (at == UINT32_MAX) {
        return NULL;
    }
    while (at + 1 < m->n_code && m->code[at + 1].op != SpvOpLabel &&
           m->code[at + 1].op != SpvOpFunctionEnd) {
        at++;
    }
    return &m->code[at];
}

/* The loop's OpLoopMerge, which is in its header. */
static const struct mod_inst *find_loop_merge(const struct module *m, const struct merge_loop *loop)
{
    uint32_t at = loop->first;
    while (at < loop->merge && m->code[at].op != SpvOpLoopMerge) {
        at++;
    }
    return &m->code[at];
}

/* Is `in` the branch of a selection whose block `label` only computes something and then branches to `to`? */
static bool leads_to(const struct module *m, const struct mod_inst *in, uint32_t label, uint32_t to)
{
    bool const is_selection =
        in->op == SpvOpBranchConditional && in > m->code && in[-1].op == SpvOpSelectionMerge;
    const struct mod_inst *const last = is_selection ? find_terminator(m, label) : NULL;
    return last && last->op == SpvOpBranch && module_get_operand(m, last, 1) == to &&
           module_get_operand(m, &in[-1], 1) != label;
}

static uint32_t get_other(const struct mod_inst *in, uint32_t label)
{
    return in->w[in->w[TRUE_LABEL] == label ? FALSE_LABEL : TRUE_LABEL];
}

/* Returns the label that the invocation branches to under the bug, at the branch `in` of the loop, in iteration
 * number `iteration` of `total`. `label` is the correct target, and the result where the bug does not act. */
static uint32_t divert_in_loop(const struct flow_row *row, const struct module *m,
                               const struct merge_loop *loop, uint32_t iteration, uint32_t total,
                               const struct mod_inst *in, uint32_t label)
{
    const struct mod_inst *const merge = find_loop_merge(m, loop);
    uint32_t const merge_label = module_get_operand(m, merge, MERGE);
    uint32_t const other = get_other(in, label);
    bool diverts = false;
    if (row->does == FLOW_BREAK_IGNORED) {
        diverts = iteration == total && leads_to(m, in, label, merge_label);
    } else if (row->does == FLOW_CONTINUE_IGNORED) {
        diverts = leads_to(m, in, label, module_get_operand(m, merge, CONTINUE_TARGET));
    } else if (row->does == FLOW_ITERATION_LOST) {
        bool const is_before_last = iteration > LONG_LOOP && iteration + 1 == total;
        diverts = is_before_last && label != merge_label && other == merge_label;
    }
    return diverts ? other : label;
}

/* Is it, in this loop, a branch that leaves the loop, or leaves the iteration, as the bug's row says? */
static bool is_branch_of_row(const struct flow_row *row, const struct module *m,
                             const struct merge_loop *loop, const struct mod_inst *in)
{
    const struct mod_inst *const merge = find_loop_merge(m, loop);
    uint32_t const merge_label = module_get_operand(m, merge, MERGE);
    uint32_t const next_label = module_get_operand(m, merge, CONTINUE_TARGET);
    uint32_t const yes = in->w[TRUE_LABEL], no = in->w[FALSE_LABEL];
    if (row->does == FLOW_BREAK_IGNORED) {
        return leads_to(m, in, yes, merge_label) || leads_to(m, in, no, merge_label);
    }
    if (row->does == FLOW_CONTINUE_IGNORED) {
        return leads_to(m, in, yes, next_label) || leads_to(m, in, no, next_label);
    }
    return row->does == FLOW_ITERATION_LOST && (yes == merge_label || no == merge_label);
}

bool fault_may_turn_aside(const struct flow_row *row, const struct fault_flow *flow,
                          const struct module *m, const struct mod_inst *in)
{
    uint32_t const here = (uint32_t)(in - m->code);
    bool is_it =
        in->op == SpvOpSwitch && (row->does == FLOW_TO_DEFAULT || row->does == FLOW_TO_NEXT);
    if (in->op == SpvOpBranchConditional && in->n > FALSE_LABEL) {
        for (uint32_t k = 0; k < flow->n_loops; k++) {
            const struct merge_loop *const loop = &flow->loop[k];
            is_it |= loop->first < here && here < loop->merge && is_branch_of_row(row, m, loop, in);
        }
    }
    return is_it;
}

/* Returns the label that the invocation goes to under the bug at a switch or conditional branch. `label` is the
 * correct target. A bug of loops acts in the first loop around the branch where it changes the target. */
uint32_t fault_turn_aside(const struct flow_row *row, const struct fault_flow *flow,
                          const struct module *m, const struct invocation *inv,
                          const struct mod_inst *in, uint32_t label)
{
    uint32_t const here = (uint32_t)(in - m->code);
    if (in->op == SpvOpSwitch) {
        return row->does == FLOW_TO_DEFAULT ? take_default(in, label)
               : row->does == FLOW_TO_NEXT  ? take_next(m, in, label)
                                            : label;
    }
    if (in->op != SpvOpBranchConditional || in->n <= FALSE_LABEL) {
        return label;
    }
    for (uint32_t k = 0; k < flow->n_loops; k++) {
        const struct merge_loop *const loop = &flow->loop[k];
        /* of n_entered and total: an invocation's loops are adjacent */
        size_t const entry = (size_t)inv->global_index * flow->n_loops + k;
        uint32_t const other = loop->first < here && here < loop->merge
                                   ? divert_in_loop(row, m, loop, flow->n_entered[entry],
                                                    flow->total[entry], in, label)
                                   : label;
        if (other != label) {
            return other;
        }
    }
    return label;
}
