/* gen/emit/emit_math.c -- plain and extended instructions, their decorations, vectors. */
#include "gen/emit/emit_math.h"

#include <assert.h>

#include "base/spv.h"

enum {
    MAX_OPERANDS = IR_MAX_ARGS + 1 /* and a pointer */
};

static bool is_contractible(uint32_t op)
{
    return op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul || op == SpvOpFDiv ||
           op == SpvOpFRem || op == SpvOpFMod || op == SPV_OP_FMA_KHR || op == SpvOpDot ||
           op == SpvOpVectorTimesScalar;
}

static uint32_t count_components(const struct ir_inst *i)
{
    return i->n_results > 1 ? i->n_results : 1;
}

static uint32_t second_type(struct emit *e, const struct ir_inst *i)
{
    return emit_vector(e, i->math.second, count_components(i));
}

static uint32_t struct_type(struct emit *e, uint32_t first, uint32_t second)
{
    for (uint32_t i = 0; i < e->n_structs; i++) {
        if (e->structs[i].members[0] == first && e->structs[i].members[1] == second) {
            return e->structs[i].id;
        }
    }
    assert(e->n_structs < EMIT_MAX_STRUCTS);
    uint32_t const id = emit_new_id(e);
    spv_put(&e->types, SpvOpTypeStruct, (uint32_t[]){id, first, second}, 3);
    e->structs[e->n_structs++] = (struct emit_struct){
        {first, second},
        id
    };
    return id;
}

static uint32_t result_type(struct emit *e, const struct ir_inst *i)
{
    uint32_t const type = emit_value_type(e, i);
    return i->math.result == RESULT_STRUCT ? struct_type(e, type, second_type(e, i)) : type;
}

void emit_max_error(struct emit *e, const struct ir_inst *i, uint32_t id)
{
    if (i->math.is_decorated) {
        emit_decorate(e, id, SPV_DEC_FP_MAX_ERROR_INTEL, &i->math.max_error);
    }
}

static void put_decorations(struct emit *e, const struct ir_inst *i, uint32_t id)
{
    const struct ir_math *const m = &i->math;
    emit_max_error(e, i, id);
    if (m->is_decorated) {
        emit_odd(e, ODD_TWICE, i->type, id);
    }
    if (m->fast_math != 0) {
        emit_decorate(e, id, SpvDecorationFPFastMathMode, &m->fast_math);
    }
    if (m->rounding != 0) {
        uint32_t const mode = m->rounding - 1;
        emit_decorate(e, id, SpvDecorationFPRoundingMode, &mode);
    }
    if (m->is_saturated) {
        emit_decorate(e, id, SpvDecorationSaturatedConversion, NULL);
    }
    if (e->p->env == ENV_VK && e->p->contraction_off && is_contractible(i->op)) {
        emit_decorate(e, id, SpvDecorationNoContraction, NULL);
    }
    emit_odd(e, ODD_INTEGER, i->type, id);
}

/* The instruction itself, on operands that are named. */
static void put_operation(struct emit *e, struct spv_words *w, const struct ir_inst *i,
                          uint32_t result, const uint32_t *ids, uint32_t n)
{
    enum op_set const set = (enum op_set)(i->op >> 16);
    uint32_t words[MAX_OPERANDS + 4 + IR_MAX_VECTOR] = {result_type(e, i), result};
    uint32_t at = 2;
    if (set != OP_SET_core) {
        words[at++] = emit_set(e, set);
        words[at++] = i->op & 0xffff;
    }
    for (uint32_t k = 0; k < n; k++) {
        words[at++] = ids[k];
    }
    for (uint32_t k = 0; k < i->n_literals; k++) {
        words[at++] = i->literal[k];
    }
    if (i->op >= SpvOpSDot && i->op <= SpvOpSUDotAccSat && i->math.dot == DOT_PACKED) {
        words[at++] = SpvPackedVectorFormatPackedVectorFormat4x8Bit;
    }
    spv_put(w, set == OP_SET_core ? i->op : (uint32_t)SpvOpExtInst, words, at);
    put_decorations(e, i, result);
}

/* One more function that does it, called with what ids names. */
static void put_call(struct emit *e, struct ir_inst *i, const uint32_t *ids, uint32_t n)
{
    uint32_t types[MAX_OPERANDS + 1] = {result_type(e, i)};
    uint32_t params[MAX_OPERANDS + 1];
    uint32_t call[MAX_OPERANDS + 3] = {types[0], emit_value(e, i)};
    for (uint32_t k = 0; k < n; k++) {
        types[k + 1] = emit_value_type(e, i->arg[k]);
        call[k + 3] = ids[k];
    }
    call[2] = emit_begin_function(e, types, n + 1, params);
    if (i->math.parameter_error != 0) {
        emit_decorate(e, params[1], SPV_DEC_FP_MAX_ERROR_INTEL, &i->math.parameter_error);
    }
    uint32_t const result = emit_new_id(e);
    put_operation(e, &e->functions, i, result, params + 1, n);
    emit_end_function(e, result);
    spv_put(&e->main, SpvOpFunctionCall, call, n + 3);
    if (i->math.call_error != 0) {
        emit_decorate(e, call[1], SPV_DEC_FP_MAX_ERROR_INTEL, &i->math.call_error);
    }
    emit_odd(e, ODD_CALL, i->type, call[1]);
}

/* Puts an instruction on values: inline, or as a call of a function that does it. A second result goes
 * through a pointer, the last operand, to a variable of the entry function (i->var), which emit_second
 * loads. Factors of an integer dot product that are words are first made vectors of bytes or shorts. */
void emit_plain(struct emit *e, struct ir_inst *i)
{
    uint32_t ids[MAX_OPERANDS];
    uint32_t n = 0;
    (void)result_type(e, i); /* so that the type's id is taken before the result's */
    uint32_t const result = emit_value(e, i);
    for (uint32_t k = 0; k < IR_MAX_ARGS && i->arg[k]; k++) {
        ids[n++] = emit_value(e, i->arg[k]);
    }
    bool const has_bytes = i->math.dot == DOT_BYTES;
    bool const has_casts = has_bytes || i->math.dot == DOT_SHORTS;
    for (uint32_t k = 0; k < 2 && has_casts; k++) { /* the factors; a sum to add to may follow */
        uint32_t const parts = has_bytes ? emit_vector(e, IR_I8, 4) : emit_vector(e, IR_I16, 2);
        ids[k] = emit_result(e, &e->main, SpvOpBitcast, parts, &ids[k], 1);
    }
    if (i->math.result == RESULT_POINTER) {
        uint32_t const pointer = emit_pointer_type(e, SpvStorageClassFunction, second_type(e, i));
        i->var = emit_result(e, &e->locals, SpvOpVariable, pointer,
                             (uint32_t[]){SpvStorageClassFunction}, 1);
        ids[n++] = i->var;
    } else if (i->math.function) { /* never set together with RESULT_POINTER */
        put_call(e, i, ids, n);
        return;
    }
    put_operation(e, &e->main, i, result, ids, n);
}

/* Is it a vector that is a constant of the module? */
static bool is_constant(const struct emit *e, const struct ir_inst *i)
{
    bool is_it = e->p->vectors_are_constant && i->n_results > 1;
    for (uint32_t k = 0; is_it && k < i->n_results; k++) {
        is_it = i->part[k]->kind == IR_CONST;
    }
    return is_it;
}

void emit_composite(struct emit *e, struct ir_inst *i)
{
    bool const is_global = is_constant(e, i);
    uint32_t words[IR_MAX_VECTOR + 2] = {emit_value_type(e, i), emit_value(e, i)};
    for (uint32_t k = 0; k < i->n_results; k++) {
        words[k + 2] = emit_value(e, i->part[k]);
    }
    spv_put(is_global ? &e->types : &e->main,
            is_global ? SpvOpConstantComposite : SpvOpCompositeConstruct, words, i->n_results + 2);
    if (!is_global) {
        emit_max_error(e, i, words[1]);
    }
}

void emit_second(struct emit *e, struct ir_inst *i)
{
    spv_put(&e->main, SpvOpLoad,
            (uint32_t[]){emit_value_type(e, i), emit_value(e, i), i->arg[0]->var}, 3);
    emit_max_error(e, i, emit_value(e, i));
    emit_odd(e, ODD_LOAD, i->type, emit_value(e, i));
}

void emit_extract(struct emit *e, struct ir_inst *i)
{
    spv_put(&e->main, SpvOpCompositeExtract,
            (uint32_t[]){emit_value_type(e, i), emit_value(e, i), emit_value(e, i->arg[0]),
                         (uint32_t)i->bits},
            4);
    emit_max_error(e, i, emit_value(e, i));
}
