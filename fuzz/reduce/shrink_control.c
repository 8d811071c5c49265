/* fuzz/reduce/shrink_control.c -- passes over branches, loops and calls. */
#include "fuzz/reduce/shrink.h"

#include "base/spv.h"
#include "fuzz/reduce/shrink_flow.h"
#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"

/* The block that a merge instruction stands in. */
static const struct shrink_block *block_of(const struct shrink_edit *e, const struct shrink_inst *i)
{
    uint32_t const b = e->flow.of[i - e->m->inst];
    return b == SHRINK_NONE || e->flow.block[b].term == SHRINK_NONE ? NULL : &e->flow.block[b];
}

/* Leave the construct of merge instruction i for `label` at once. */
static bool go_to(struct shrink_edit *e, struct shrink_inst *i, uint32_t label)
{
    const struct shrink_block *const b = block_of(e, i);
    i->is_dead = 1;
    return b && shrink_module_become(e->m, &e->m->inst[b->term], SpvOpBranch, &label, 1);
}

/* ---- constructs ---- */

static bool is_construct(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return (i->op == SpvOpSelectionMerge || i->op == SpvOpLoopMerge) && block_of(e, i) != NULL;
}

static bool drop_construct(struct shrink_edit *e, struct shrink_inst *i)
{
    return go_to(e, i, i->w[1]);
}

const struct shrink_pass shrink_control_drop_constructs = {"drop branches and loops", 1,
                                                           is_construct, drop_construct, NULL};

static bool is_selection(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return i->op == SpvOpSelectionMerge && block_of(e, i) != NULL;
}

static bool take_arm(struct shrink_edit *e, struct shrink_inst *i)
{
    const struct shrink_inst *const term = &e->m->inst[block_of(e, i)->term];
    if (term->op != SpvOpBranchConditional && (term->op != SpvOpSwitch || term->n < 5)) {
        return false;
    }
    uint32_t const arm = e->variant == 0                      ? term->w[2]
                         : term->op == SpvOpBranchConditional ? term->w[3]
                                                              : term->w[4];
    return arm != i->w[1] && go_to(e, i, arm);
}

const struct shrink_pass shrink_control_take_arms = {"take one arm of branches", 2, is_selection,
                                                     take_arm, NULL};

/* ---- loops ---- */

static bool is_loop(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return i->op == SpvOpLoopMerge && block_of(e, i) != NULL;
}

/* Where a branch of a loop's body goes when the loop runs once: not out of it, nor on to the next
 * turn, unless there is no other way. 0: it is to stay as it is. */
static uint32_t choose_way(const struct shrink_edit *e, const struct shrink_inst *loop,
                           const struct shrink_block *b, uint32_t header)
{
    const struct shrink_inst *const term = &e->m->inst[b->term];
    const struct shrink_inst *const merge =
        b->merge == SHRINK_NONE || &e->m->inst[b->merge] == loop ? NULL : &e->m->inst[b->merge];
    if (term->op == SpvOpBranch) {
        return term->w[1] == header ? loop->w[1] : 0;
    }
    if (term->op != SpvOpBranchConditional) {
        return 0;
    }
    for (uint32_t k = 2; k < 4; k++) {
        uint32_t const to = term->w[k];
        bool const leaves = to == loop->w[1] || to == loop->w[2] || to == header;
        if (leaves && (!merge || merge->w[1] != to)) {
            return term->w[5 - k] == header ? loop->w[1] : term->w[5 - k];
        }
    }
    return merge ? 0 : term->w[2];
}

static bool run_once(struct shrink_edit *e, struct shrink_inst *i)
{
    uint32_t const header = e->flow.of[i - e->m->inst];
    uint32_t const label = e->m->inst[e->flow.block[header].label].result;
    uint32_t const merge = shrink_flow_find(e->m, &e->flow, i->w[1]);
    for (uint32_t b = 0; b < e->flow.n; b++) {
        const struct shrink_block *const block = &e->flow.block[b];
        if (!block->is_reached || block->term == SHRINK_NONE ||
            !shrink_flow_dominates(&e->flow, header, b) ||
            (merge != SHRINK_NONE && e->flow.block[merge].is_reached &&
             shrink_flow_dominates(&e->flow, merge, b))) {
            continue;
        }
        uint32_t const to = choose_way(e, i, block, label);
        if (to == 0) {
            continue;
        }
        if (block->merge != SHRINK_NONE) {
            e->m->inst[block->merge].is_dead = 1;
        }
        if (!shrink_module_become(e->m, &e->m->inst[block->term], SpvOpBranch, &to, 1)) {
            return false;
        }
    }
    i->is_dead = 1;
    return true;
}

const struct shrink_pass shrink_control_run_once = {"run loops once", 1, is_loop, run_once, NULL};

/* ---- calls ---- */

/* Index of the terminator of a function of one block, or SHRINK_NONE. */
static uint32_t find_only_end(const struct shrink_module *m, uint32_t function)
{
    uint32_t n_labels = 0;
    for (uint32_t i = function; i < m->n && m->inst[i].op != SpvOpFunctionEnd; i++) {
        n_labels += m->inst[i].op == SpvOpLabel;
        if (m->inst[i].op == SpvOpReturn || m->inst[i].op == SpvOpReturnValue) {
            return n_labels == 1 ? i : SHRINK_NONE;
        }
    }
    return SHRINK_NONE;
}

static bool is_call(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return i->op == SpvOpFunctionCall && i->function != SHRINK_NONE && i->w[3] != 0 &&
           find_only_end(e->m, e->m->def[i->w[3]]) != SHRINK_NONE;
}

/* What is said of a callee's results is said of their copies too. */
static void copy_decorations(struct shrink_module *m, const uint32_t *map)
{
    for (uint32_t i = 0; i < m->n && m->inst[i].function == SHRINK_NONE; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if ((in->op != SpvOpDecorate && in->op != SpvOpDecorateId) || in->is_dead ||
            map[in->w[1]] == 0 || shrink_module_find(m, in->w[1]) == NULL ||
            shrink_module_find(m, in->w[1])->op == SpvOpFunctionParameter) {
            continue;
        }
        uint32_t *const w = arena_copy(m->a, in->w, in->n * sizeof *w);
        if (w) {
            w[1] = map[in->w[1]];
            spv_put(&m->annotations, in->op, w + 1, in->n - 1);
        }
    }
}

static bool copy_instruction(struct shrink_module *m, const struct shrink_inst *i, uint32_t *map,
                             struct spv_words *to)
{
    uint32_t *const w = arena_copy(m->a, i->w, i->n * sizeof *w);
    if (!w) {
        return false;
    }
    for (uint32_t k = 1; k < i->n; k++) {
        if (i->role[k] == ROLE_RESULT) {
            map[w[k]] = shrink_module_new_id(m);
        }
        if (i->role[k] != ROLE_LITERAL && map[w[k]] != 0) {
            w[k] = map[w[k]];
        }
    }
    spv_put(to, i->op, w + 1, i->n - 1);
    return true;
}

static bool put_inline(struct shrink_edit *e, struct shrink_inst *call)
{
    struct shrink_module *const m = e->m;
    uint32_t const function = m->def[call->w[3]];
    uint32_t const end = find_only_end(m, function);
    uint32_t caller = call->function;
    uint32_t k = 4;
    while (m->inst[caller].op != SpvOpLabel) {
        caller++;
    }
    uint32_t *const map = ARENA_NEW(m->a, uint32_t, m->n_defs);
    struct spv_words *const here = shrink_module_insert(m, call);
    struct spv_words *const variables = shrink_module_insert(m, &m->inst[caller + 1]);
    if (!map || !here || !variables) {
        return false;
    }
    for (uint32_t i = function + 1; i < end; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpFunctionParameter) {
            if (k == call->n) {
                return false;
            }
            map[in->result] = shrink_module_resolve(m, call->w[k++]);
        } else if (in->op != SpvOpLabel &&
                   !copy_instruction(m, in, map, in->op == SpvOpVariable ? variables : here)) {
            return false;
        }
    }
    copy_decorations(m, map);
    call->is_dead = 1;
    if (m->inst[end].op == SpvOpReturnValue) {
        uint32_t const value = m->inst[end].w[1];
        m->alias[call->result] = map[value] != 0 ? map[value] : value;
    }
    return true;
}

const struct shrink_pass shrink_control_inline = {"put functions where they are called", 1, is_call,
                                                  put_inline, NULL};
