/* oracle/interp/exec_int.c -- the interpreter's integer, logical, bit and composite instructions. */
#include "oracle/interp/exec_int.h"

static uint64_t mask_of(unsigned n_bits)
{
    return n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
}

static int64_t sign_extend(uint64_t v, unsigned n_bits)
{
    unsigned const shift = 64 - (n_bits ? n_bits : 1);
    return (int64_t)(v << shift) >> shift;
}

/* A division by zero and a shift by all bits or more have no result. */
static bool has_result(uint32_t op, uint64_t b, unsigned n_bits)
{
    switch (op) {
    case SpvOpUDiv:
    case SpvOpUMod:
        return b != 0;
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
        return b < n_bits;
    default:
        return true;
    }
}

/* The result of an instruction of PART_BINARY (integers, bools) on operands of n_bits for which it has one
 * (has_result); not yet cut to its width. */
static uint64_t binary(uint32_t op, uint64_t a, uint64_t b, unsigned n_bits)
{
    int64_t const sa = sign_extend(a, n_bits), sb = sign_extend(b, n_bits);
    switch (op) {
    case SpvOpIAdd:
        return a + b;
    case SpvOpISub:
        return a - b;
    case SpvOpIMul:
        return a * b;
    case SpvOpUDiv:
        return a / b;
    case SpvOpUMod:
        return a % b;
    case SpvOpBitwiseAnd:
    case SpvOpLogicalAnd:
        return a & b;
    case SpvOpBitwiseOr:
    case SpvOpLogicalOr:
        return a | b;
    case SpvOpBitwiseXor:
    case SpvOpLogicalNotEqual:
        return a ^ b;
    case SpvOpShiftLeftLogical:
        return a << b;
    case SpvOpShiftRightLogical:
        return a >> b;
    case SpvOpShiftRightArithmetic:
        return (uint64_t)(sa >> b);
    case SpvOpIEqual:
    case SpvOpLogicalEqual:
        return a == b;
    case SpvOpINotEqual:
        return a != b;
    case SpvOpULessThan:
        return a < b;
    case SpvOpULessThanEqual:
        return a <= b;
    case SpvOpUGreaterThan:
        return a > b;
    case SpvOpUGreaterThanEqual:
        return a >= b;
    case SpvOpSLessThan:
        return sa < sb;
    case SpvOpSLessThanEqual:
        return sa <= sb;
    case SpvOpSGreaterThan:
        return sa > sb;
    default: /* SGreaterThanEqual */
        return sa >= sb;
    }
}

static const struct mod_type *value_type(const struct exec *x, uint32_t id)
{
    return &x->m->ids[x->m->ids[id].type].t;
}

/* Operand id of word i, with at least one register; 0 if there is none. */
static uint32_t operand(const struct exec *x, const struct mod_inst *in, uint32_t i)
{
    uint32_t const id = module_get_operand(x->m, in, i);
    return x->m->ids[id].n_slots ? id : 0;
}

/* Component by component. One that depends on an unknown operand, or that has no result (has_result),
 * becomes an unknown value. 0 and x->stop where the operands do not fit: a broken module. */
int exec_binary(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const ia = operand(x, in, MOD_OPERAND), ib = operand(x, in, MOD_OPERAND + 1);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!ia || !ib || x->m->ids[ia].n_slots != n || x->m->ids[ib].n_slots != n) {
        return exec_stop(x, "an integer instruction without operands");
    }
    struct val *out = exec_reg(x, inv, in->result);
    unsigned const n_bits = value_type(x, ia)->bits;
    unsigned const out_bits = x->m->ids[in->type].t.bits;
    for (uint32_t c = 0; c < n; c++) {
        uint64_t a, b;
        bool const is_known = exec_known(x, exec_reg(x, inv, ia)[c], &a) &&
                              exec_known(x, exec_reg(x, inv, ib)[c], &b);
        if (is_known && has_result(in->op, b, n_bits)) {
            out[c] = (struct val){.bits = binary(in->op, a, b, n_bits) & mask_of(out_bits)};
        } else {
            out[c] = exec_new_abstract(x);
        }
    }
    return x->stop == NULL;
}

static uint64_t unary(uint32_t op, uint64_t a, unsigned n_bits)
{
    switch (op) {
    case SpvOpSConvert:
        return (uint64_t)sign_extend(a, n_bits);
    case SpvOpNot:
        return ~a;
    case SpvOpSNegate:
        return 0 - a;
    case SpvOpLogicalNot:
        return !a;
    default: /* UConvert */
        return a;
    }
}

/* A conversion between integers or an integer or bool negated, component by component; unknown where the
 * operand is. */
static int run_unary(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const ia = operand(x, in, MOD_OPERAND);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!ia || x->m->ids[ia].n_slots != n) {
        return exec_stop(x, "an integer instruction without an operand");
    }
    struct val *out = exec_reg(x, inv, in->result);
    unsigned const n_bits = value_type(x, ia)->bits;
    uint64_t const mask = mask_of(x->m->ids[in->type].t.bits);
    for (uint32_t c = 0; c < n; c++) {
        uint64_t a;
        if (!exec_known(x, exec_reg(x, inv, ia)[c], &a)) {
            out[c] = exec_new_abstract(x);
            continue;
        }
        out[c] = (struct val){.bits = unary(in->op, a, n_bits) & mask};
    }
    return x->stop == NULL;
}

/* Bit for bit between equal shapes; between a scalar and its parts (two halves, say) only when all is
 * known: else the run stops, or in strict mode the result is unknown. */
static int run_bitcast(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                       uint32_t word)
{
    uint32_t const ia = operand(x, in, word);
    if (!ia) {
        return exec_stop(x, "a bitcast without an operand");
    }
    const struct val *from = exec_reg(x, inv, ia);
    struct val *out = exec_reg(x, inv, in->result);
    uint32_t const n_from = x->m->ids[ia].n_slots, n_to = x->m->ids[in->result].n_slots;
    unsigned const from_bits = value_type(x, ia)->bits, to_bits = x->m->ids[in->type].t.bits;
    if (n_from == n_to && from_bits == to_bits) {
        for (uint32_t c = 0; c < n_to; c++) {
            out[c] = from[c];
        }
        return 1;
    }
    uint64_t whole = 0;
    bool is_known = true;
    if (from_bits * n_from > 64 || to_bits * n_to != from_bits * n_from) {
        return exec_stop(x, "a bitcast of more than 64 bits");
    }
    for (uint32_t c = 0; c < n_from; c++) {
        uint64_t bits;
        is_known = exec_known(x, from[c], &bits) && is_known;
        whole |= bits << (c * from_bits);
    }
    if (!is_known && !x->is_strict) {
        return exec_stop(x, "a bitcast of a value that is not determined");
    }
    for (uint32_t c = 0; c < n_to; c++) {
        struct val const part = {.bits = whole >> (c * to_bits) & mask_of(to_bits)};
        out[c] = is_known ? part : exec_new_abstract(x);
    }
    return x->stop == NULL;
}

/* Goes from a struct of scalars and vectors, or a vector, to its part `index`: *type becomes that of
 * the part, *slot the register where it begins. false: there is no such part. */
static bool step_to_part(const struct module *m, uint32_t index, uint32_t *type, uint32_t *slot)
{
    const struct mod_type *t = &m->ids[*type].t;
    if (t->kind == TK_VECTOR && index < t->n) {
        *slot += index;
        *type = t->elem;
        return true;
    }
    if (t->kind != TK_STRUCT || index >= t->n_members) {
        return false;
    }
    for (uint32_t before = 0; before < index; before++) {
        const struct mod_type *part = &m->ids[t->members[before]].t;
        *slot += part->kind == TK_VECTOR ? part->n : 1;
    }
    *type = t->members[index];
    return true;
}

/* OpCompositeExtract: a part of a vector or of a struct of scalars and vectors, by literal indices. */
static int run_extract(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        FIRST_INDEX = MOD_OPERAND + 1 /* word */
    };
    uint32_t const from = operand(x, in, MOD_OPERAND);
    uint32_t type = from ? x->m->ids[from].type : 0, first = 0;
    for (uint32_t i = FIRST_INDEX; from && i < in->n; i++) {
        if (!step_to_part(x->m, in->w[i], &type, &first)) {
            return exec_stop(x, "an extraction that is not interpreted");
        }
    }
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!from || in->n <= FIRST_INDEX || type != in->type || first + n > x->m->ids[from].n_slots) {
        return exec_stop(x, "an extraction of another type");
    }
    for (uint32_t c = 0; c < n; c++) {
        exec_reg(x, inv, in->result)[c] = exec_reg(x, inv, from)[first + c];
    }
    return 1;
}

static int run_construct(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct val *out = exec_reg(x, inv, in->result);
    uint32_t const n = x->m->ids[in->result].n_slots;
    uint32_t at = 0;
    for (uint32_t i = MOD_OPERAND; i < in->n; i++) {
        uint32_t const part = operand(x, in, i);
        if (part && value_type(x, part)->bits != x->m->ids[in->type].t.bits) {
            return exec_stop(x, "a composite of parts of another width");
        }
        for (uint32_t c = 0; part && c < x->m->ids[part].n_slots && at < n; c++) {
            out[at++] = exec_reg(x, inv, part)[c];
        }
    }
    return at == n ? 1 : exec_stop(x, "a composite of too few parts");
}

/* OpVectorShuffle: components of two vectors, numbered through, by literal numbers; 0xffffffff is
 * undefined. */
static int run_shuffle(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        FIRST_NUMBER = MOD_OPERAND + 2 /* word */
    };
    uint32_t const a = operand(x, in, MOD_OPERAND), b = operand(x, in, MOD_OPERAND + 1);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!a || !b || in->n != FIRST_NUMBER + n ||
        value_type(x, a)->elem != x->m->ids[in->type].t.elem ||
        value_type(x, b)->elem != value_type(x, a)->elem) {
        return exec_stop(x, "a shuffle that is not interpreted");
    }
    struct val *out = exec_reg(x, inv, in->result);
    uint32_t const n_a = x->m->ids[a].n_slots, n_b = x->m->ids[b].n_slots;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t const k = in->w[FIRST_NUMBER + c];
        if (k == UINT32_MAX) {
            out[c] = exec_new_abstract(x);
            continue;
        }
        if (k >= n_a + n_b) {
            return exec_stop(x, "a shuffle of a component that is not there");
        }
        out[c] = k < n_a ? exec_reg(x, inv, a)[k] : exec_reg(x, inv, b)[k - n_a];
    }
    return x->stop == NULL;
}

/* OpCompositeInsert into a vector: the vector with one component replaced. */
static int run_insert(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        INDEX = MOD_OPERAND + 2, /* word */
        INSERT_WORDS
    };
    uint32_t const part = operand(x, in, MOD_OPERAND), whole = operand(x, in, MOD_OPERAND + 1);
    if (!part || !whole || in->n != INSERT_WORDS || !exec_has_type(x, whole, in->type) ||
        x->m->ids[in->type].t.kind != TK_VECTOR ||
        x->m->ids[part].type != x->m->ids[in->type].t.elem ||
        in->w[INDEX] >= x->m->ids[whole].n_slots) {
        return exec_stop(x, "an insertion that is not interpreted");
    }
    struct val *out = exec_reg(x, inv, in->result);
    for (uint32_t c = 0; c < x->m->ids[whole].n_slots; c++) {
        out[c] = exec_reg(x, inv, whole)[c];
    }
    out[in->w[INDEX]] = *exec_reg(x, inv, part);
    return 1;
}

/* OpSelect between values that are not floats; float selects have a clause and go to the hook. The
 * condition is one for all components or one for each; where it is not known, neither is the result. */
static int run_select(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint32_t const cond = operand(x, in, MOD_OPERAND), a = operand(x, in, MOD_OPERAND + 1),
                   b = operand(x, in, MOD_OPERAND + 2);
    uint32_t const n = x->m->ids[in->result].n_slots;
    if (!cond || !exec_has_type(x, a, in->type) || !exec_has_type(x, b, in->type)) {
        return exec_stop(x, "a select without operands");
    }
    struct val *out = exec_reg(x, inv, in->result);
    for (uint32_t c = 0; c < n; c++) {
        uint64_t bits;
        uint32_t const at = x->m->ids[cond].n_slots == n ? c : 0;
        if (!exec_known(x, exec_reg(x, inv, cond)[at], &bits)) {
            out[c] = exec_new_abstract(x);
        } else {
            out[c] = exec_reg(x, inv, bits ? a : b)[c];
        }
    }
    return x->stop == NULL;
}

/* Executes an instruction on integers, bools, bits or composites: 1, or 0 and x->stop. -1: it is one of
 * floats, which the caller hands to the hook. */
int exec_integer(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    switch (in->op) {
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpNot:
    case SpvOpSNegate:
    case SpvOpLogicalNot:
        return run_unary(x, inv, in);
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpConvertUToPtr: /* of an address, which is the place already */
    case SpvOpPtrCastToGeneric:
    case SpvOpGenericCastToPtr:
        return run_bitcast(x, inv, in, MOD_OPERAND);
    case MOD_PACK_DOUBLE:
    case MOD_UNPACK_DOUBLE:
        return run_bitcast(x, inv, in, MOD_OPERAND + 2);
    case SpvOpCompositeConstruct:
        return run_construct(x, inv, in);
    case SpvOpCompositeExtract:
        return run_extract(x, inv, in);
    case SpvOpCompositeInsert:
        return run_insert(x, inv, in);
    case SpvOpVectorShuffle:
        return run_shuffle(x, inv, in);
    case SpvOpSelect:
        return exec_is_float_type(x, in->type) ? -1 : run_select(x, inv, in);
    case SpvOpUndef:
        for (uint32_t c = 0; c < x->m->ids[in->result].n_slots; c++) {
            exec_reg(x, inv, in->result)[c] = exec_new_abstract(x);
        }
        return x->stop == NULL;
    default:
        return -1;
    }
}
