/* oracle/fault/faults_origin.c -- where the operand of an instruction comes from, by the module alone. */
#include "oracle/fault/faults_origin.h"

#include "base/format.h"
#include "base/ops.h"

enum {
    MAX_STEPS = 512, /* ids that one walk comes to */
    MAX_DEPTH = 8,
    OF_CONSTANT = 0 /* no opcode: a constant is looked for */
};
struct walk {
    const struct module *m;
    uint32_t op; /* that is looked for, or OF_CONSTANT */
    uint32_t n_steps;
};

static bool find(struct walk *walk, uint32_t id, int depth);

/* Does any of these words of the instruction lead there? */
static bool find_in_words(struct walk *walk, const struct mod_inst *in, uint32_t first,
                          uint32_t step, int depth)
{
    for (uint32_t k = first; k < in->n; k += step) {
        if (find(walk, module_get_operand(walk->m, in, k), depth)) {
            return true;
        }
    }
    return false;
}

uint32_t fault_find_root(const struct module *m, uint32_t pointer)
{
    for (uint32_t i = 0; i < MAX_DEPTH; i++) {
        const struct mod_inst *const in = module_get_definition(m, pointer);
        if (!in || in->part != PART_CHAIN) {
            break;
        }
        pointer = module_get_operand(m, in, MOD_OPERAND);
    }
    return pointer;
}

/* Any value that the module stores to the variable, or to a part of it. */
static bool find_stored(struct walk *walk, uint32_t pointer, int depth)
{
    uint32_t const root = fault_find_root(walk->m, pointer);
    for (uint32_t i = 0; i < walk->m->n_code; i++) {
        const struct mod_inst *const in = &walk->m->code[i];
        if (in->op == SpvOpStore &&
            fault_find_root(walk->m, module_get_operand(walk->m, in, MOD_STORE_POINTER)) == root &&
            find(walk, module_get_operand(walk->m, in, MOD_STORE_OBJECT), depth)) {
            return true;
        }
    }
    return false;
}

/* Any value that the function returns. */
static bool find_returned(struct walk *walk, const struct mod_inst *call, int depth)
{
    uint32_t const function = module_get_operand(walk->m, call, MOD_OPERAND);
    for (uint32_t i = walk->m->label_at[function];
         i < walk->m->n_code && walk->m->code[i].op != SpvOpFunctionEnd; i++) {
        const struct mod_inst *const in = &walk->m->code[i];
        if (in->op == SpvOpReturnValue && find(walk, module_get_operand(walk->m, in, 1), depth)) {
            return true;
        }
    }
    return false;
}

/* Any value that a call gives for the parameter. */
static bool find_argument(struct walk *walk, const struct mod_inst *parameter, int depth)
{
    const struct mod_inst *function = parameter;
    while (function > walk->m->code && function->op == SpvOpFunctionParameter) {
        function--;
    }
    uint32_t const word = MOD_OPERAND + (uint32_t)(parameter - function);
    for (uint32_t i = 0; i < walk->m->n_code; i++) {
        const struct mod_inst *const in = &walk->m->code[i];
        if (in->op == SpvOpFunctionCall && in->n > MOD_OPERAND &&
            in->w[MOD_OPERAND] == function->result &&
            find(walk, module_get_operand(walk->m, in, word), depth)) {
            return true;
        }
    }
    return false;
}

/* Can the value `id` originate from an instruction with opcode walk->op, or from a constant for
 * OF_CONSTANT? The search goes back through copies, composites, selections, phis, variables, calls
 * and parameters, up to MAX_DEPTH levels and MAX_STEPS ids. */
static bool find(struct walk *walk, uint32_t id, int depth)
{
    const struct mod_inst *const in = module_get_definition(walk->m, id);
    if (!in) {
        return id != 0 && walk->op == OF_CONSTANT && (walk->m->ids[id].flags & ID_CONSTANT) != 0;
    }
    if (in->op == walk->op && walk->op != OF_CONSTANT) {
        return true;
    }
    if (depth == MAX_DEPTH || walk->n_steps++ == MAX_STEPS) {
        return false;
    }
    switch (in->op) {
    case SpvOpCopyObject:
    case SpvOpBitcast:
    case SpvOpCompositeExtract:
        return find(walk, module_get_operand(walk->m, in, MOD_OPERAND), depth + 1);
    case SpvOpVectorShuffle:
    case SpvOpCompositeInsert:
        return find(walk, module_get_operand(walk->m, in, MOD_OPERAND), depth + 1) ||
               find(walk, module_get_operand(walk->m, in, MOD_OPERAND + 1), depth + 1);
    case SpvOpSelect: /* each word after the condition */
        return find_in_words(walk, in, MOD_OPERAND + 1, 1, depth + 1);
    case SpvOpCompositeConstruct:
        return find_in_words(walk, in, MOD_OPERAND, 1, depth + 1);
    case SpvOpPhi: /* each second word is a value, the others are blocks */
        return find_in_words(walk, in, MOD_OPERAND, 2, depth + 1);
    case SpvOpLoad:
        return find_stored(walk, module_get_operand(walk->m, in, MOD_OPERAND), depth + 1);
    case SpvOpFunctionCall:
        return find_returned(walk, in, depth + 1);
    case SpvOpFunctionParameter:
        return find_argument(walk, in, depth + 1);
    default:
        return false;
    }
}

bool fault_comes_of(const struct module *m, uint32_t id, uint32_t op)
{
    struct walk walk = {.m = m, .op = op};
    return find(&walk, id, 0);
}

bool fault_comes_of_constant(const struct module *m, uint32_t id)
{
    struct walk walk = {.m = m, .op = OF_CONSTANT};
    return find(&walk, id, 0);
}

/* ---- constants that a compiler makes ---- */

/* Is component c of a constant zero, of either sign? */
static bool is_zero(const struct module *m, uint32_t id, uint32_t c)
{
    const struct mod_id *const of = &m->ids[id];
    if (!(of->flags & ID_CONSTANT) || of->n_slots == 0) {
        return false;
    }
    uint64_t const bits = m->consts[of->slot + (c < of->n_slots ? c : 0)].bits;
    int const fmt = module_get_format(m, of->type);
    return fmt >= 0 ? format_is_zero(&float_formats[fmt], bits) : bits == 0;
}

/* May a compiler treat component c of the value as a constant? This holds for a constant, for a product with a
 * constant zero, and for an instruction on values whose operands are all of this kind. */
static bool is_folded(const struct module *m, uint32_t id, uint32_t c, int depth)
{
    enum {
        FIRST_OF_EXTENDED = MOD_OPERAND + 2
    };
    const struct mod_inst *const in = module_get_definition(m, id);
    if (!in) {
        return id != 0 && (m->ids[id].flags & ID_CONSTANT) != 0;
    }
    uint32_t const x = module_get_operand(m, in, MOD_OPERAND);
    uint32_t const y = module_get_operand(m, in, MOD_OPERAND + 1);
    if (in->op == SpvOpFMul && (is_zero(m, x, c) || is_zero(m, y, c))) {
        return true;
    }
    bool is_constant = depth < MAX_DEPTH;
    /* of scalars alone: component c is operand c */
    if (in->op == SpvOpCompositeConstruct && in->n == MOD_OPERAND + m->ids[id].n_slots) {
        return is_constant &&
               is_folded(m, module_get_operand(m, in, MOD_OPERAND + c), 0, depth + 1);
    }
    if (in->op == SpvOpCompositeExtract) {
        return is_constant && is_folded(m, x, module_get_extracted(m, in), depth + 1);
    }
    is_constant &= in->part == PART_FLOAT || in->part == PART_BINARY || in->part == PART_INTEGER ||
                   in->part == PART_NUMBER;
    for (uint32_t k = in->op >> 16 == OP_SET_core ? MOD_OPERAND : FIRST_OF_EXTENDED;
         is_constant && k < in->n; k++) {
        is_constant = is_folded(m, module_get_operand(m, in, k), c, depth + 1);
    }
    return is_constant;
}

bool fault_is_folded(const struct module *m, uint32_t id, uint32_t c)
{
    return is_folded(m, id, c, 0);
}
