/* fuzz/reduce/shrink_code.c -- passes over instructions: drop what acts, replace what computes, straighten branches,
 * loops and calls. */
#include "fuzz/reduce/shrink.h"

#include <string.h>

#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/reduce/shrink_flow.h"
#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"

static bool is_used(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return i->result != 0 && e->uses[i->result] > 0;
}

static uint32_t index_of(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return (uint32_t)(i - e->m->inst);
}

/* ---- what acts ---- */

static bool is_droppable(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return i->function != SHRINK_NONE && shrink_module_has_effect(e->m, i) && !is_used(e, i);
}

const struct shrink_pass shrink_code_drop_effects = {
    "drop stores, atomics, group operations and barriers", 1, is_droppable, NULL, NULL};

/* ---- what computes ---- */

/* Operand number `skip` of i that has i's type and can stand for it; 0: none. */
static uint32_t find_operand(const struct shrink_edit *e, const struct shrink_inst *i,
                             uint32_t skip)
{
    for (uint32_t k = 3; k < i->n; k++) {
        if (i->role[k] == ROLE_VALUE && i->w[k] != i->result &&
            shrink_module_get_type(e->m, i->w[k]) == i->type &&
            shrink_flow_reaches(e->m, &e->flow, i->w[k], index_of(e, i)) && skip-- == 0) {
            return i->w[k];
        }
    }
    return 0;
}

static bool has_operand(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return shrink_module_is_value(i) && is_used(e, i) && find_operand(e, i, 0) != 0;
}

static bool replace(struct shrink_edit *e, struct shrink_inst *i, uint32_t id)
{
    if (id == 0) {
        return false;
    }
    shrink_module_replace(e->m, i, id);
    return true;
}

static bool to_operand(struct shrink_edit *e, struct shrink_inst *i)
{
    return replace(e, i, find_operand(e, i, e->variant));
}

const struct shrink_pass shrink_code_values_to_operands = {"replace values by an operand", 2,
                                                           has_operand, to_operand, NULL};

static bool is_number(const struct shrink_edit *e, const struct shrink_inst *i)
{
    const struct shrink_inst *const t = shrink_module_find(e->m, i->type);
    return shrink_module_is_value(i) && is_used(e, i) && t &&
           (t->op == SpvOpTypeBool || t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat ||
            t->op == SpvOpTypeVector);
}

static bool to_number(struct shrink_edit *e, struct shrink_inst *i)
{
    return replace(e, i, shrink_module_constant(e->m, i->type, (enum shrink_number)e->variant));
}

const struct shrink_pass shrink_code_values_to_constants = {"replace values by a constant", 2,
                                                            is_number, to_number, NULL};

/* The first value of i's type that can stand for it: a parameter, a variable, a result. */
static uint32_t find_earlier(const struct shrink_edit *e, const struct shrink_inst *i)
{
    uint32_t const end = index_of(e, i);
    for (uint32_t k = i->function; k < end; k++) {
        const struct shrink_inst *const x = &e->m->inst[k];
        if (x->result != 0 && x->type == i->type && x->op != SpvOpFunction &&
            shrink_flow_reaches(e->m, &e->flow, x->result, end)) {
            return x->result;
        }
    }
    return 0;
}

static bool has_earlier(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return shrink_module_is_value(i) && is_used(e, i) && find_earlier(e, i) != 0;
}

static bool to_earlier(struct shrink_edit *e, struct shrink_inst *i)
{
    return replace(e, i, find_earlier(e, i));
}

const struct shrink_pass shrink_code_values_to_earlier = {"replace values by an earlier one", 1,
                                                          has_earlier, to_earlier, NULL};

/* ---- what computes nothing ---- */

static const struct shrink_inst *find_made(const struct shrink_edit *e, uint32_t id, uint32_t op)
{
    const struct shrink_inst *const i = shrink_module_find(e->m, id);
    return i && i->op == op ? i : NULL;
}

/* Component k of a composite that is made of its components, or 0. */
static uint32_t find_component(const struct shrink_edit *e, uint32_t composite, uint32_t k)
{
    const struct shrink_inst *const c = shrink_module_find(e->m, composite);
    const struct shrink_inst *const t = c ? shrink_module_find(e->m, c->type) : NULL;
    bool const is_made = c && t &&
                         (c->op == SpvOpCompositeConstruct || c->op == SpvOpConstantComposite) &&
                         ((t->op == SpvOpTypeVector && c->n == 3 + t->w[3]) ||
                          t->op == SpvOpTypeStruct || t->op == SpvOpTypeArray);
    return is_made && k < c->n - 3 ? c->w[3 + k] : 0;
}

/* The operand x, an integer, that this instruction only hands on: x + 0, x - 0, x | 0, x ^ 0, a shift by 0, x
 * * 1. 0: it is none of these, or x has another type than the result. */
static uint32_t find_neutral(const struct shrink_edit *e, const struct shrink_inst *i)
{
    bool const is_commutative = i->op == SpvOpIAdd || i->op == SpvOpIMul ||
                                i->op == SpvOpBitwiseOr || i->op == SpvOpBitwiseXor;
    if (!is_commutative && i->op != SpvOpISub && i->op != SpvOpShiftRightLogical &&
        i->op != SpvOpShiftLeftLogical) {
        return 0;
    }
    uint64_t const neutral = i->op == SpvOpIMul ? 1 : 0;
    uint32_t const operands[] = {i->w[3], i->w[4]};
    for (uint32_t k = is_commutative ? 0 : 1; k < 2; k++) {
        uint32_t const other = operands[1 - k];
        uint64_t bits = 0;
        if (shrink_module_get_bits(e->m, operands[k], &bits) && bits == neutral &&
            shrink_module_get_type(e->m, other) == i->type) {
            return other;
        }
    }
    return 0;
}

/* Bits of i where it is a sum, difference or product of two integer constants. */
static bool find_folded(const struct shrink_edit *e, const struct shrink_inst *i, uint64_t *bits)
{
    uint64_t x = 0, y = 0;
    unsigned const width = shrink_module_get_width(e->m, i->type);
    if ((i->op != SpvOpIAdd && i->op != SpvOpISub && i->op != SpvOpIMul) || width == 0 ||
        !shrink_module_get_bits(e->m, i->w[3], &x) || !shrink_module_get_bits(e->m, i->w[4], &y)) {
        return false;
    }
    uint64_t const all = i->op == SpvOpIAdd ? x + y : i->op == SpvOpISub ? x - y : x * y;
    *bits = width == 64 ? all : all & ((UINT64_C(1) << width) - 1);
    return true;
}

/* The id that a bitcast equals: its operand, or what that was cast from; 0: neither has its type. */
static uint32_t find_uncast(const struct shrink_edit *e, const struct shrink_inst *i)
{
    uint32_t const operand = i->w[3];
    if (shrink_module_get_type(e->m, operand) == i->type) {
        return operand;
    }
    const struct shrink_inst *const cast = find_made(e, operand, SpvOpBitcast);
    bool const is_back = cast && shrink_module_get_type(e->m, cast->w[3]) == i->type;
    return is_back ? cast->w[3] : 0;
}

/* The operand that an OpSelect gives whatever is run; 0: it is not known. */
static uint32_t find_selected(const struct shrink_edit *e, const struct shrink_inst *i)
{
    uint32_t const condition = i->w[3], if_true = i->w[4], if_false = i->w[5];
    if (if_true == if_false || find_made(e, condition, SpvOpConstantTrue)) {
        return if_true;
    }
    return find_made(e, condition, SpvOpConstantFalse) ? if_false : 0;
}

/* The id that i always equals, or 0. */
static uint32_t find_same(const struct shrink_edit *e, const struct shrink_inst *i)
{
    if (i->op == SpvOpCopyObject) {
        return i->w[3];
    }
    if (i->op == SpvOpBitcast) {
        return find_uncast(e, i);
    }
    if (i->op == SpvOpCompositeExtract && i->n == 5) { /* one index */
        return find_component(e, i->w[3], i->w[4]);
    }
    return i->op == SpvOpSelect ? find_selected(e, i) : find_neutral(e, i);
}

static bool is_same(const struct shrink_edit *e, const struct shrink_inst *i)
{
    bool const may = shrink_module_is_value(i) && is_used(e, i);
    uint32_t const same = may ? find_same(e, i) : 0;
    uint64_t bits = 0;
    if (may && find_folded(e, i, &bits)) {
        return true;
    }
    return same != 0 && same != i->result &&
           shrink_flow_reaches(e->m, &e->flow, same, index_of(e, i));
}

static bool to_same(struct shrink_edit *e, struct shrink_inst *i)
{
    uint64_t bits = 0;
    return replace(e, i,
                   find_folded(e, i, &bits) ? shrink_module_constant_bits(e->m, i->type, bits)
                                            : find_same(e, i));
}

const struct shrink_pass shrink_code_forward = {"leave out what computes nothing", 1, is_same,
                                                to_same, NULL};

/* ---- vectors to scalars ---- */

static uint32_t vector_length(const struct shrink_edit *e, uint32_t type)
{
    const struct shrink_inst *const t = shrink_module_find(e->m, type);
    return t && t->op == SpvOpTypeVector ? t->w[3] : 0;
}

/* Is it a function of an extended set that works on vectors as such: cross, normalize and the like? */
static bool is_geometric(const struct shrink_edit *e, const struct shrink_inst *i)
{
    const struct shrink_inst *const set = shrink_module_find(e->m, i->w[3]);
    bool const is_cl = set && set->n > 2 && memcmp(set->w + 2, "Open", 4) == 0;
    uint32_t const number =
        OP_NUMBER(is_cl ? OP_SET_opencl_std : OP_SET_glsl450, i->w[SHRINK_EXT_INST]);
    enum op_id const first = is_cl ? OP_opencl_std_cross : OP_glsl450_Length;
    enum op_id const last = is_cl ? OP_opencl_std_fast_normalize : OP_glsl450_Refract;
    return number >= op_rows[first].number && number <= op_rows[last].number;
}

/* A vector of which single components are taken, by an instruction that works component by
 * component. */
static bool is_vector_site(const struct shrink_edit *e, const struct shrink_inst *i)
{
    uint32_t const op = i->op;
    bool const is_by_component =
        (op >= SpvOpConvertFToU && op <= SpvOpFConvert) || op == SpvOpExtInst ||
        (op >= SpvOpSNegate && op <= SpvOpFMod) ||
        (op >= SpvOpGroupNonUniformIAdd && op <= SpvOpGroupNonUniformLogicalXor) ||
        (op >= SpvOpGroupNonUniformBroadcast && op <= SpvOpGroupNonUniformBroadcastFirst) ||
        (op >= SpvOpGroupNonUniformShuffle && op <= SpvOpGroupNonUniformShuffleDown) ||
        op == SPV_OP_FMA_KHR || op == SpvOpGroupNonUniformRotateKHR || op == SpvOpSelect ||
        op == SpvOpGroupBroadcast;
    return is_by_component && i->function != SHRINK_NONE &&
           (op != SpvOpExtInst || (!shrink_module_has_effect(e->m, i) && !is_geometric(e, i))) &&
           vector_length(e, i->type) > 0;
}

/* Component `variant` of a vector as it can be had before i: known already, or extracted there. 0: no memory. */
static uint32_t take_component(struct shrink_edit *e, struct shrink_inst *i, uint32_t vector,
                               uint32_t n)
{
    uint32_t const type = shrink_module_find(e->m, shrink_module_get_type(e->m, vector))->w[2];
    uint32_t const k = e->variant % n;
    uint32_t const made = find_component(e, vector, k);
    struct spv_words *const before = shrink_module_insert(e->m, i);
    if (made != 0 || !before) {
        return made;
    }
    uint32_t const w[] = {type, shrink_module_new_id(e->m), shrink_module_resolve(e->m, vector), k};
    spv_put(before, SpvOpCompositeExtract, w, 4);
    return w[1];
}

static bool takes_component_of(const struct shrink_inst *use, uint32_t vector)
{
    return !use->is_dead && use->op == SpvOpCompositeExtract && use->n == 5 && use->w[3] == vector;
}

/* Does every use of the vector take one component of it? */
static bool is_taken_apart(const struct shrink_edit *e, const struct shrink_inst *i)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < e->m->n; k++) {
        n += takes_component_of(&e->m->inst[k], i->result);
    }
    return n == e->uses[i->result];
}

/* Operand k of an instruction on vectors of n components, as the instruction on scalars gets it: one
 * component of a vector, anything else as it is. False: a vector of another length, or no memory. */
static bool find_scalar_operand(struct shrink_edit *e, struct shrink_inst *i, uint32_t k,
                                uint32_t n, uint32_t *operand)
{
    uint32_t const n_here =
        i->role[k] == ROLE_VALUE ? vector_length(e, shrink_module_get_type(e->m, i->w[k])) : 0;
    *operand = i->w[k];
    if (n_here == 0) {
        return true;
    }
    *operand = n_here == n ? take_component(e, i, i->w[k], n) : 0;
    return *operand != 0;
}

/* Make a vector instruction compute only its component number e->variant, as a scalar. Each
 * instruction that took some component of the vector gets this scalar instead. False: the vector is
 * also used whole, or an operand has no such component. */
static bool make_scalar(struct shrink_edit *e, struct shrink_inst *i)
{
    if (!is_taken_apart(e, i)) {
        return false;
    }
    uint32_t const n = vector_length(e, i->type);
    uint32_t const component_type = shrink_module_find(e->m, i->type)->w[2];
    uint32_t *const w = arena_copy(e->m->a, i->w, i->n * sizeof *w);
    if (!w) {
        return false;
    }
    for (uint32_t k = SHRINK_OPERANDS; k < i->n; k++) {
        if (!find_scalar_operand(e, i, k, n, &w[k])) {
            return false;
        }
    }
    w[1] = component_type; /* word of the type */
    i->w = w;
    i->type = component_type;
    for (uint32_t k = 0; k < e->m->n; k++) {
        if (takes_component_of(&e->m->inst[k], i->result)) {
            shrink_module_replace(e->m, &e->m->inst[k], i->result);
        }
    }
    return true;
}

const struct shrink_pass shrink_code_vectors_to_scalars = {"turn vectors into scalars", 4,
                                                           is_vector_site, make_scalar, NULL};

/* ---- numbers of the module ---- */

enum {
    N_SIMPLE = NUMBER_MINUS_ZERO + 1 /* numbers that count as simple */
};

/* NaN, infinity, a subnormal or -0. */
static bool is_special(const struct shrink_edit *e, const struct shrink_inst *i, uint64_t bits)
{
    const struct shrink_inst *const t = shrink_module_find(e->m, i->type);
    unsigned const width = shrink_module_get_width(e->m, i->type);
    if (!t || t->op != SpvOpTypeFloat || width < 16) {
        return false;
    }
    unsigned const n_mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
    uint64_t const ones = (UINT64_C(1) << (width - 1 - n_mantissa)) - 1;
    uint64_t const exponent = bits >> n_mantissa & ones;
    return bits != 0 && (exponent == ones || exponent == 0);
}

/* How simple a constant is: its place k in enum shrink_number (the simplest first), if it has one of these
 * values, or is a vector with one of them in each component; else N_SIMPLE. A pass may only put a simpler one
 * in its place, and -0 for a special value alone: of a subnormal it tells whether a zero does as well. */
static uint32_t rank_constant(const struct shrink_edit *e, const struct shrink_inst *i)
{
    if (i->op == SpvOpConstantComposite) {
        uint32_t const first = i->w[SHRINK_OPERANDS];
        for (uint32_t k = SHRINK_OPERANDS + 1; k < i->n; k++) {
            if (i->w[k] != first) {
                return N_SIMPLE;
            }
        }
        const struct shrink_inst *const component = find_made(e, first, SpvOpConstant);
        return component ? rank_constant(e, component) : N_SIMPLE;
    }
    for (uint32_t k = 0; k < N_SIMPLE; k++) {
        uint64_t bits = 0, simple = 0;
        if (shrink_module_get_bits(e->m, i->result, &bits) &&
            shrink_module_number_bits(e->m, i->type, (enum shrink_number)k, &simple) &&
            bits == simple) {
            return k;
        }
    }
    return N_SIMPLE;
}

static bool is_simplifiable(const struct shrink_edit *e, const struct shrink_inst *i, int special)
{
    uint64_t bits = 0;
    bool const is_scalar = shrink_module_get_bits(e->m, i->result, &bits);
    return (is_scalar || (i->op == SpvOpConstantComposite && vector_length(e, i->type) > 0)) &&
           is_used(e, i) && (is_scalar && is_special(e, i, bits)) == special &&
           rank_constant(e, i) > 0;
}

static bool is_plain_constant(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return is_simplifiable(e, i, 0);
}

static bool is_special_constant(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return is_simplifiable(e, i, 1);
}

static bool to_simple(struct shrink_edit *e, struct shrink_inst *i)
{
    uint32_t const id = e->variant < rank_constant(e, i)
                            ? shrink_module_constant(e->m, i->type, (enum shrink_number)e->variant)
                            : 0;
    if (id == 0) {
        return false;
    }
    e->m->alias[i->result] = id; /* it may stay as a scope or the length of an array */
    return true;
}

const struct shrink_pass shrink_code_constants = {"simpler constants", NUMBER_TWO + 1,
                                                  is_plain_constant, to_simple, NULL};

const struct shrink_pass shrink_code_special_constants = {
    "simpler constants for special values", N_SIMPLE, is_special_constant, to_simple, NULL};

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

const struct shrink_pass shrink_code_drop_constructs = {"drop branches and loops", 1, is_construct,
                                                        drop_construct, NULL};

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

const struct shrink_pass shrink_code_take_arms = {"take one arm of branches", 2, is_selection,
                                                  take_arm, NULL};

/* ---- loops ---- */

static bool is_loop(const struct shrink_edit *e, const struct shrink_inst *i)
{
    return i->op == SpvOpLoopMerge && block_of(e, i) != NULL;
}

/*
 * Where the branch at the end of block b, within `loop`, goes when the loop runs once; 0: it stays as it
 * is. A branch back to the header goes to the merge block instead. Where one way of a conditional branch
 * leaves the turn (to the merge block, the continue target, the header), the other is taken, so that as
 * much as possible of the body is run. Where none does, a nested construct stays, and a branch without a
 * merge instruction of its own takes its first way: it stood under the loop's, which goes.
 */
static uint32_t choose_way(const struct shrink_edit *e, const struct shrink_inst *loop,
                           const struct shrink_block *b, uint32_t header)
{
    const struct shrink_inst *const term = &e->m->inst[b->term];
    uint32_t const loop_merge = loop->w[1], loop_continue = loop->w[2];
    bool const has_construct = b->merge != SHRINK_NONE && &e->m->inst[b->merge] != loop;
    uint32_t const own_merge = has_construct ? e->m->inst[b->merge].w[1] : 0;
    if (term->op == SpvOpBranch) {
        return term->w[1] == header ? loop_merge : 0;
    }
    if (term->op != SpvOpBranchConditional) {
        return 0;
    }
    uint32_t const ways[] = {term->w[2], term->w[3]};
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t const to = ways[k], other = ways[1 - k];
        bool const leaves = to == loop_merge || to == loop_continue || to == header;
        if (leaves && to != own_merge) {
            return other == header ? loop_merge : other;
        }
    }
    return has_construct ? 0 : ways[0];
}

/* Is block b part of the loop: dominated by its header, but not by its merge block? */
static bool is_in_loop(const struct shrink_flow *f, uint32_t header, uint32_t merge, uint32_t b)
{
    bool const is_behind =
        merge != SHRINK_NONE && f->block[merge].is_reached && shrink_flow_dominates(f, merge, b);
    return f->block[b].is_reached && f->block[b].term != SHRINK_NONE &&
           shrink_flow_dominates(f, header, b) && !is_behind;
}

/* Turn a loop, whose merge instruction is i, into its body run once: each branch goes the way of the only
 * turn, so that none goes back to the header. */
static bool run_once(struct shrink_edit *e, struct shrink_inst *i)
{
    uint32_t const header = e->flow.of[index_of(e, i)];
    uint32_t const header_label = e->m->inst[e->flow.block[header].label].result;
    uint32_t const merge = shrink_flow_find(e->m, &e->flow, i->w[1]);
    for (uint32_t b = 0; b < e->flow.n; b++) {
        const struct shrink_block *const block = &e->flow.block[b];
        uint32_t const to =
            is_in_loop(&e->flow, header, merge, b) ? choose_way(e, i, block, header_label) : 0;
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

const struct shrink_pass shrink_code_run_once = {"run loops once", 1, is_loop, run_once, NULL};

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

/* Copy an instruction of the callee: what it defines gets a new id, noted in map, what it uses that of map. */
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

/* The first instruction of a function's first block, which is where its variables have to stand. */
static struct shrink_inst *find_first_in_block(struct shrink_module *m, uint32_t function)
{
    uint32_t label = function;
    while (m->inst[label].op != SpvOpLabel) {
        label++;
    }
    return &m->inst[label + 1];
}

/* Replace a call by a copy of the body of the called function, which has one block. The copies
 * of its variables go to the first block of the caller. Its parameters become the arguments, and
 * its other ids get new ones. False: the call has too few arguments, or there is no memory. */
static bool put_inline(struct shrink_edit *e, struct shrink_inst *call)
{
    struct shrink_module *const m = e->m;
    uint32_t const function = m->def[call->w[3]];
    uint32_t const end = find_only_end(m, function);
    uint32_t argument = 4; /* word of the next argument of OpFunctionCall */
    uint32_t *const map = ARENA_NEW(m->a, uint32_t, m->n_defs); /* ids of the copies; 0: none */
    struct spv_words *const here = shrink_module_insert(m, call);
    struct spv_words *const variables =
        shrink_module_insert(m, find_first_in_block(m, call->function));
    if (!map || !here || !variables) {
        return false;
    }
    for (uint32_t i = function + 1; i < end; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpFunctionParameter) {
            if (argument == call->n) { /* there are too few arguments */
                return false;
            }
            map[in->result] = shrink_module_resolve(m, call->w[argument++]);
        } else if (in->op != SpvOpLabel &&
                   !copy_instruction(m, in, map, in->op == SpvOpVariable ? variables : here)) {
            return false;
        }
    }
    copy_decorations(m, map);
    call->is_dead = 1;
    if (m->inst[end].op == SpvOpReturnValue) {
        uint32_t const value = m->inst[end].w[1];
        /* not in the map: it is defined outside of the function, such as a constant */
        m->alias[call->result] = map[value] != 0 ? map[value] : value;
    }
    return true;
}

const struct shrink_pass shrink_code_inline = {"put functions where they are called", 1, is_call,
                                               put_inline, NULL};
