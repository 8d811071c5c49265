/* gen/emit/emit_group.c -- group instructions of both environments, and built-ins of the sub-group. */
#include "gen/emit/emit_group.h"

#include <assert.h>

#include "base/ops.h"
#include "base/spv.h"
#include "gen/emit/emit_math.h"
#include "gen/ir/legal_group.h"

/* Ids that one instruction is made of; 0 where it has none. */
struct group_ids {
    uint32_t type, result, value, second, other, ballot;
};

static bool is_amd_set(const struct ir_group *x)
{
    return op_rows[x->op].number >> 16 == OP_SET_amd_ballot;
}

static bool is_nonuniform(const struct ir_group *x)
{
    uint32_t const number = op_rows[x->op].number;
    return (number >= SpvOpGroupNonUniformElect && number <= SpvOpGroupNonUniformQuadSwap) ||
           number == SpvOpGroupNonUniformRotateKHR || number == SPV_OP_QUAD_ALL_KHR ||
           number == SPV_OP_QUAD_ANY_KHR || number == SPV_OP_PARTITION_EXT;
}

/* Does an operand say over whom? It is the quad for some. */
static bool has_scope(const struct ir_group *x)
{
    uint32_t const number = op_rows[x->op].number;
    return number != SPV_OP_QUAD_ALL_KHR && number != SPV_OP_QUAD_ANY_KHR &&
           number != SPV_OP_PARTITION_EXT && legal_get_gate(x->op) != GATE_INTEL;
}

/* x / divisor % modulus, where 1 divides nothing and modulus 0 keeps all. */
static uint32_t put_part(struct emit *e, struct spv_words *w, uint32_t x, uint32_t divisor,
                         uint32_t modulus)
{
    uint32_t const i32 = emit_type(e, IR_I32);
    if (divisor > 1) {
        x = emit_result(e, w, SpvOpUDiv, i32, (uint32_t[]){x, emit_const(e, IR_I32, divisor)}, 2);
    }
    if (modulus > 0) {
        x = emit_result(e, w, SpvOpUMod, i32, (uint32_t[]){x, emit_const(e, IR_I32, modulus)}, 2);
    }
    return emit_result(e, w, SpvOpUConvert, emit_type(e, IR_I64), &x, 1);
}

/* The LocalId of a broadcast in the work-group: size_t for each of its dimensions, as the OpenCL C
 * functions take them; `index` is the linear one. */
static uint32_t put_local_id(struct emit *e, struct spv_words *w, uint32_t index)
{
    uint32_t const *const local = e->p->local;
    if (local[2] > 1) {
        uint32_t const xyz[3] = {put_part(e, w, index, 1, local[0]),
                                 put_part(e, w, index, local[0], local[1]),
                                 put_part(e, w, index, local[0] * local[1], 0)};
        return emit_result(e, w, SpvOpCompositeConstruct, emit_vector(e, IR_I64, 3), xyz, 3);
    }
    if (local[1] > 1) {
        uint32_t const xy[2] = {put_part(e, w, index, 1, local[0]),
                                put_part(e, w, index, local[0], 0)};
        return emit_result(e, w, SpvOpCompositeConstruct, emit_vector(e, IR_I64, 2), xy, 2);
    }
    return put_part(e, w, index, 1, 0);
}

/* A swizzle's constants: offset of 4, mask of 3. */
static uint32_t put_pattern(struct emit *e, const struct ir_group *x, uint32_t n)
{
    uint32_t ids[4];
    uint32_t const type = emit_vector(e, IR_I32, n);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = emit_const(e, IR_I32, x->pattern[i]);
    }
    return emit_result(e, &e->types, SpvOpConstantComposite, type, ids, n);
}

static void put_extended(struct emit *e, struct spv_words *w, const struct ir_group *x,
                         struct group_ids ids)
{
    /* OpExtInst: type, result, set, number in the set, then the operands, of which WriteInvocationAMD has
     * three */
    uint32_t words[7] = {ids.type, ids.result, emit_set(e, OP_SET_amd_ballot),
                         op_rows[x->op].number & 0xffff, ids.value};
    uint32_t n = 5;
    if (x->op == OP_amd_ballot_SwizzleInvocationsAMD) {
        words[n++] = put_pattern(e, x, 4);
    } else if (x->op == OP_amd_ballot_SwizzleInvocationsMaskedAMD) {
        words[n++] = put_pattern(e, x, 3);
    } else if (x->op == OP_amd_ballot_WriteInvocationAMD) {
        words[n++] = ids.other;  /* the value to write */
        words[n++] = ids.second; /* the index of the invocation that gets it */
    }
    spv_put(w, SpvOpExtInst, words, n);
}

/* Puts the words of a core group instruction into w: type, result and scope, then those operands that x
 * has, in the order of SPIR-V. An id in `ids` is 0 where x has no such operand. */
static void put_core(struct emit *e, struct spv_words *w, const struct ir_group *x,
                     struct group_ids ids)
{
    enum {
        MOST_WORDS = 7 /* a clustered reduction and a rotation have six, no instruction has more */
    };
    uint32_t words[MOST_WORDS] = {ids.type, ids.result};
    uint32_t n = 2;
    if (has_scope(x)) {
        words[n++] = emit_const(e, IR_I32, x->scope);
    }
    if (x->operation != IR_NO_OPERATION) {
        words[n++] = x->operation; /* a literal, not an id */
    }
    /* ShuffleUpINTEL takes (previous, current, delta), ShuffleDownINTEL (current, next, delta): `other` is
     * previous or next, `value` is current, `second` is delta */
    if (x->op == OP_core_SubgroupShuffleUpINTEL) {
        words[n++] = ids.other;
    }
    if (ids.value != 0) {
        words[n++] = ids.value;
    }
    if (x->op == OP_core_SubgroupShuffleDownINTEL) {
        words[n++] = ids.other;
    }
    if (x->op == OP_core_GroupBroadcast && x->scope == SpvScopeWorkgroup) {
        words[n++] = put_local_id(e, w, ids.second); /* a vector, one component per dimension */
    } else if (ids.second != 0) {
        words[n++] = ids.second; /* which lane, what distance or mask ... */
    }
    if (ids.ballot != 0) {
        words[n++] = ids.ballot;
    }
    if (x->cluster != 0) {
        words[n++] = emit_const(e, IR_I32, x->cluster);
    }
    spv_put(w, op_rows[x->op].number, words, n);
}

static void put_words(struct emit *e, struct spv_words *w, const struct ir_group *x,
                      struct group_ids ids)
{
    assert(!is_nonuniform(x) || e->p->version >= IR_SPIRV_1_3);
    if (is_amd_set(x)) {
        put_extended(e, w, x, ids);
    } else {
        put_core(e, w, x, ids);
    }
}

/* n values as one: the value itself, or a vector of them; 0 for none. */
static uint32_t put_value(struct emit *e, enum ir_type type, uint32_t n, struct ir_inst *const *v)
{
    uint32_t ids[IR_MAX_COMPONENTS];
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = emit_value(e, v[i]);
    }
    if (n < 2) {
        return n == 0 ? 0 : ids[0];
    }
    return emit_result(e, &e->main, SpvOpCompositeConstruct, emit_vector(e, type, n), ids, n);
}

/* What a function is passed: *id stands for an operand, and becomes the parameter's. */
struct parameter {
    uint32_t *id, type;
};

/* Puts a function that does the group operation x, and a call of it. The function is passed the value and
 * the other operands that ids names. Constants stay within the function, as some operands must be
 * constants. `call` is the operands of OpFunctionCall: type, result, function, arguments; `types` is the
 * result's type, then the types of the parameters. While the function is written, ids names its parameters
 * instead of the arguments. */
static void put_call(struct emit *e, struct ir_inst *i, struct group_ids ids)
{
    enum {
        CALLED = 2, /* operands of OpFunctionCall, after type and result */
        FIRST_ARGUMENT = 3,
        MOST_PASSED = 3 /* value, second, other */
    };
    const struct ir_group *const x = i->group;
    struct parameter passed[MOST_PASSED];
    uint32_t types[1 + MOST_PASSED] = {ids.type};
    uint32_t params[1 + MOST_PASSED]; /* params[0] is not used, as types[0] is the result's */
    uint32_t call[FIRST_ARGUMENT + MOST_PASSED] = {ids.type, ids.result};
    uint32_t n = 0;
    if (ids.value != 0) {
        passed[n++] = (struct parameter){&ids.value, emit_vector(e, x->type, x->n)};
    }
    if (x->second && x->second->kind != IR_CONST) {
        passed[n++] = (struct parameter){&ids.second, emit_type(e, x->second->type)};
    }
    if (ids.other != 0) {
        passed[n++] = (struct parameter){&ids.other, emit_vector(e, x->type, x->n)};
    }
    for (uint32_t k = 0; k < n; k++) {
        types[k + 1] = passed[k].type;
        call[FIRST_ARGUMENT + k] = *passed[k].id;
    }
    call[CALLED] = emit_begin_function(e, types, n + 1, params);
    for (uint32_t k = 0; k < n; k++) {
        *passed[k].id = params[k + 1];
    }
    ids.result = emit_new_id(e);
    put_words(e, &e->functions, x, ids);
    emit_max_error(e, i, ids.result);
    emit_end_function(e, ids.result);
    spv_put(&e->main, SpvOpFunctionCall, call, FIRST_ARGUMENT + n);
}

void emit_group(struct emit *e, struct ir_inst *i)
{
    const struct ir_group *const x = i->group;
    struct group_ids ids = {.type = emit_vector(e, i->type, i->n_results),
                            .result = emit_value(e, i)};
    ids.value = put_value(e, x->type, x->n, x->value);
    ids.second = x->second ? emit_value(e, x->second) : 0;
    ids.ballot = x->ballot ? emit_value(e, x->ballot) : 0;
    if (x->other[0]) {
        ids.other = put_value(e, x->type, x->n, x->other);
    }
    if (x->function) {
        put_call(e, i, ids);
    } else {
        put_words(e, &e->main, x, ids);
        emit_max_error(e, i, ids.result);
    }
}

void emit_subgroup(struct emit *e, struct ir_inst *i)
{
    assert(i->op >= EMIT_FIRST_SUBGROUP && i->op < EMIT_FIRST_SUBGROUP + EMIT_SUBGROUP_BUILTINS);
    uint32_t *const var = &e->subgroup_vars[i->op - EMIT_FIRST_SUBGROUP];
    uint32_t const type = emit_type(e, IR_I32);
    if (*var == 0) {
        *var = emit_builtin(e, i->op, type);
    }
    spv_put(&e->main, SpvOpLoad, (uint32_t[]){type, emit_value(e, i), *var}, 3);
}
