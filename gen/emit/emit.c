/* gen/emit/emit.c -- a module in the making: ids, types, constants, signatures, decorations. */
#include "gen/emit/emit.h"

#include <assert.h>
#include <string.h>

uint32_t emit_new_id(struct emit *e)
{
    return e->next_id++;
}

enum {
    RESULT_MAX_ARGS = 16
};

uint32_t emit_result(struct emit *e, struct spv_words *w, uint32_t op, uint32_t type,
                     const uint32_t *args, uint32_t n)
{
    assert(n <= RESULT_MAX_ARGS);
    uint32_t words[RESULT_MAX_ARGS + 2] = {type, emit_new_id(e)};
    for (uint32_t i = 0; i < n; i++) {
        words[i + 2] = args[i];
    }
    spv_put(w, op, words, n + 2);
    return words[1];
}

/* The id of a scalar type, which is declared when it is first asked for. */
uint32_t emit_type(struct emit *e, enum ir_type t)
{
    if (e->type_ids[t] != 0) {
        return e->type_ids[t];
    }
    uint32_t const id = emit_new_id(e);
    e->type_ids[t] = id;
    switch (t) {
    case IR_VOID:
        spv_put(&e->types, SpvOpTypeVoid, (uint32_t[]){id}, 1);
        break;
    case IR_BOOL:
        spv_put(&e->types, SpvOpTypeBool, (uint32_t[]){id}, 1);
        break;
    case IR_I8:
    case IR_I16:
    case IR_I32:
    case IR_I64:
        spv_put(&e->types, SpvOpTypeInt, (uint32_t[]){id, ir_type_bits(t), 0}, 3);
        break;
    case IR_F16:
    case IR_F32:
    case IR_F64:
        spv_put(&e->types, SpvOpTypeFloat, (uint32_t[]){id, ir_type_bits(t)}, 2);
        break;
    case IR_BF16:
        spv_put(&e->types, SpvOpTypeFloat,
                (uint32_t[]){id, ir_type_bits(t), SPV_FP_ENCODING_BFLOAT16_KHR}, 3);
        break;
    }
    return id;
}

uint32_t emit_vector(struct emit *e, enum ir_type t, uint32_t n)
{
    assert(n >= 1 && n <= IR_MAX_VECTOR);
    if (n == 1) {
        return emit_type(e, t);
    }
    uint32_t *const slot = &e->vector_ids[t][n];
    if (*slot == 0) {
        uint32_t const component = emit_type(e, t);
        *slot = emit_new_id(e);
        spv_put(&e->types, SpvOpTypeVector, (uint32_t[]){*slot, component, n}, 3);
    }
    return *slot;
}

uint32_t emit_value_type(struct emit *e, const struct ir_inst *i)
{
    return emit_vector(e, i->type, i->n_results > 1 ? i->n_results : 1);
}

uint32_t emit_pointer_type(struct emit *e, uint32_t storage, uint32_t pointee)
{
    for (uint32_t i = 0; i < e->n_pointers; i++) {
        if (e->pointers[i].storage == storage && e->pointers[i].pointee == pointee) {
            return e->pointers[i].id;
        }
    }
    assert(e->n_pointers < EMIT_MAX_POINTERS); /* storage classes x types, and one per variable */
    uint32_t const id = emit_new_id(e);
    spv_put(&e->types, SpvOpTypePointer, (uint32_t[]){id, storage, pointee}, 3);
    e->pointers[e->n_pointers++] = (struct emit_pointer){storage, pointee, id};
    return id;
}

void emit_decorate(struct emit *e, uint32_t target, uint32_t decoration, const uint32_t *literal)
{
    uint32_t const words[3] = {target, decoration, literal ? *literal : 0};
    spv_put(&e->decorations, SpvOpDecorate, words, literal ? 3 : 2);
}

void emit_odd(struct emit *e, enum ir_odd place, enum ir_type type, uint32_t id)
{
    bool const is_right = ir_type_is_float(type) != (place == ODD_INTEGER);
    if ((e->p->odd & (unsigned)place) && is_right && type != IR_VOID) {
        emit_decorate(e, id, SPV_DEC_FP_MAX_ERROR_INTEL, &e->p->odd_literal);
    }
}

uint32_t emit_set(struct emit *e, enum op_set set)
{
    if (e->set_ids[set] == 0) {
        e->set_ids[set] = emit_new_id(e);
    }
    return e->set_ids[set];
}

static uint32_t put_const(struct emit *e, enum ir_type t, uint64_t bits)
{
    uint32_t const type = emit_type(e, t);
    uint32_t const words[2] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
    if (t == IR_BOOL) {
        return emit_result(e, &e->types, bits ? SpvOpConstantTrue : SpvOpConstantFalse, type, NULL,
                           0);
    }
    uint32_t const id =
        emit_result(e, &e->types, SpvOpConstant, type, words, ir_type_bits(t) == 64 ? 2 : 1);
    emit_odd(e, ODD_CONSTANT, t, id);
    return id;
}

uint32_t emit_const(struct emit *e, enum ir_type t, uint64_t bits)
{
    uint64_t const key = (bits ^ (uint64_t)t << 57) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(key >> 55); /* 9 bits: EMIT_CONST_SLOTS */
    while (e->constants[at].id != 0) {
        if (e->constants[at].bits == bits && e->constants[at].type == (uint32_t)t) {
            return e->constants[at].id;
        }
        at = (at + 1) % EMIT_CONST_SLOTS;
    }
    uint32_t const id = put_const(e, t, bits);
    if (e->n_constants < EMIT_CONST_SLOTS * 3 / 4) { /* past that a constant may stand twice */
        e->n_constants++;
        e->constants[at] = (struct emit_const){bits, (uint32_t)t, id};
    }
    return id;
}

uint32_t emit_builtin(struct emit *e, uint32_t builtin, uint32_t type)
{
    for (uint32_t i = 0; i < e->n_builtins; i++) {
        if (e->builtins[i].builtin == builtin) {
            return e->builtins[i].id;
        }
    }
    uint32_t const pointer = emit_pointer_type(e, SpvStorageClassInput, type);
    uint32_t const var =
        emit_result(e, &e->types, SpvOpVariable, pointer, (uint32_t[]){SpvStorageClassInput}, 1);
    emit_decorate(e, var, SpvDecorationBuiltIn, &builtin);
    if (e->p->env == ENV_CL) {
        emit_decorate(e, var, SpvDecorationConstant, NULL);
    }
    assert(e->n_interface < EMIT_MAX_INTERFACE && e->n_builtins < EMIT_MAX_BUILTINS);
    e->interface[e->n_interface++] = var;
    e->builtins[e->n_builtins++] = (struct emit_builtin_var){builtin, var};
    return var;
}

/* Value number i of a vec3 built-in in `loaded`, as i32. */
static uint32_t component_of(struct emit *e, uint32_t loaded, uint32_t i, enum ir_type component)
{
    uint32_t const v = emit_result(e, &e->main, SpvOpCompositeExtract, emit_type(e, component),
                                   (uint32_t[]){loaded, i}, 2);
    return component == IR_I32
               ? v
               : emit_result(e, &e->main, SpvOpUConvert, emit_type(e, IR_I32), &v, 1);
}

/* The linear index of this invocation in n[0] x n[1] x n[2] places, as i32, from a built-in vector of that
 * component type: (z * n_y + y) * n_x + x, by Horner's rule from z to x. `at` is 0 until a dimension has
 * come. A dimension of size 1 adds nothing and is left out, but for x: there has to be some value. */
uint32_t emit_linear(struct emit *e, uint32_t builtin, const uint32_t n[3], enum ir_type component)
{
    uint32_t const vector = emit_vector(e, component, 3);
    uint32_t const i32 = emit_type(e, IR_I32);
    uint32_t const var = emit_builtin(e, builtin, vector);
    uint32_t const loaded = emit_result(e, &e->main, SpvOpLoad, vector, &var, 1);
    uint32_t at = 0;
    for (int d = 2; d >= 0; d--) {
        if (n[d] == 1 && d > 0) {
            continue;
        }
        uint32_t const v = component_of(e, loaded, (uint32_t)d, component);
        if (at != 0) {
            uint32_t const size = emit_const(e, IR_I32, n[d]);
            at = emit_result(e, &e->main, SpvOpIMul, i32, (uint32_t[]){at, size}, 2);
            at = emit_result(e, &e->main, SpvOpIAdd, i32, (uint32_t[]){at, v}, 2);
        } else {
            at = v;
        }
    }
    return at;
}

/* The words of an OpSpecConstantComposite or OpSpecConstantOp behind type and result; returns how many. */
static uint32_t put_spec_operands(struct emit *e, const struct ir_inst *i, uint32_t *words)
{
    uint32_t n = 0;
    if (i->part) {
        for (uint32_t k = 0; k < i->n_results; k++) {
            words[n++] = emit_value(e, i->part[k]);
        }
        return n;
    }
    words[n++] = i->op;
    for (uint32_t k = 0; k < IR_MAX_ARGS && i->arg[k]; k++) {
        words[n++] = emit_value(e, i->arg[k]);
    }
    return n;
}

/* Declares a specialization constant, or what is computed of some. */
static void put_spec(struct emit *e, struct ir_inst *i)
{
    uint32_t words[RESULT_MAX_ARGS + 1] = {(uint32_t)i->bits, (uint32_t)(i->bits >> 32)};
    uint32_t const type = emit_value_type(e, i);
    if (i->kind == IR_SPEC_OP) {
        uint32_t const n = put_spec_operands(e, i, words);
        i->id =
            emit_result(e, &e->types, i->part ? SpvOpSpecConstantComposite : SpvOpSpecConstantOp,
                        type, words, n);
        return;
    }
    bool const is_bool = i->type == IR_BOOL;
    uint32_t const truth = i->bits ? SpvOpSpecConstantTrue : SpvOpSpecConstantFalse;
    uint32_t const n = ir_type_bits(i->type) == 64 ? 2 : 1;
    i->id = emit_result(e, &e->types, is_bool ? truth : (uint32_t)SpvOpSpecConstant, type, words,
                        is_bool ? 0 : n);
    emit_decorate(e, i->id, SpvDecorationSpecId, &i->var);
}

uint32_t emit_value(struct emit *e, struct ir_inst *i)
{
    if (i->kind == IR_CONST) {
        return emit_const(e, i->type, i->bits);
    }
    if (i->id == 0 && (i->kind == IR_SPEC || i->kind == IR_SPEC_OP)) {
        put_spec(e, i);
    }
    if (i->id == 0) {
        i->id = emit_new_id(e);
    }
    return i->id;
}

/* The function type of words: the result's type, then those of the parameters. */
static uint32_t put_signature(struct emit *e, const uint32_t *words, uint32_t n)
{
    for (uint32_t i = 0; i < e->n_signatures; i++) {
        if (e->signatures[i].n == n &&
            memcmp(e->signatures[i].words, words, n * sizeof *words) == 0) {
            return e->signatures[i].id;
        }
    }
    assert(e->n_signatures < EMIT_MAX_SIGNATURES);
    struct emit_signature *const s = &e->signatures[e->n_signatures++];
    uint32_t put[ARRAY_N(s->words) + 1] = {emit_new_id(e)};
    memcpy(s->words, words, n * sizeof *words);
    memcpy(put + 1, words, n * sizeof *words);
    s->n = n;
    s->id = put[0];
    spv_put(&e->types, SpvOpTypeFunction, put, n + 1);
    return s->id;
}

uint32_t emit_begin_function(struct emit *e, const uint32_t *types, uint32_t n, uint32_t *params)
{
    struct spv_words *const w = &e->functions;
    uint32_t const control_and_type[2] = {SpvFunctionControlMaskNone, put_signature(e, types, n)};
    uint32_t const function = emit_result(e, w, SpvOpFunction, types[0], control_and_type, 2);
    for (uint32_t i = 1; i < n; i++) {
        params[i] = emit_result(e, w, SpvOpFunctionParameter, types[i], NULL, 0);
    }
    uint32_t const label = emit_new_id(e);
    spv_put(w, SpvOpLabel, &label, 1);
    return function;
}

void emit_end_function(struct emit *e, uint32_t result)
{
    if (result == 0) {
        spv_put(&e->functions, SpvOpReturn, NULL, 0);
    } else {
        spv_put(&e->functions, SpvOpReturnValue, &result, 1);
    }
    spv_put(&e->functions, SpvOpFunctionEnd, NULL, 0);
}
