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
    static const struct {
        uint32_t op, n; /* words of the declaration: id, bits, sign or encoding */
    } rows[IR_TYPE_N] = {
        [IR_VOID] = {SpvOpTypeVoid,  1},
          [IR_BOOL] = {SpvOpTypeBool,  1},
        [IR_I8] = {SpvOpTypeInt,   3},
          [IR_I16] = {SpvOpTypeInt,   3},
        [IR_I32] = {SpvOpTypeInt,   3},
          [IR_I64] = {SpvOpTypeInt,   3},
        [IR_F16] = {SpvOpTypeFloat, 2},
          [IR_F32] = {SpvOpTypeFloat, 2},
        [IR_F64] = {SpvOpTypeFloat, 2},
          [IR_BF16] = {SpvOpTypeFloat, 3}
    };
    if (e->type_ids[t] == 0) {
        e->type_ids[t] = emit_new_id(e);
        uint32_t const third = t == IR_BF16 ? (uint32_t)SPV_FP_ENCODING_BFLOAT16_KHR : 0;
        uint32_t const bits = t == IR_VOID ? 0 : ir_type_bits(t);
        spv_put(&e->types, rows[t].op, (uint32_t[]){e->type_ids[t], bits, third}, rows[t].n);
    }
    return e->type_ids[t];
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
    if (i->of_struct) {
        return emit_struct_type(e, i->of_struct, i->is_laid_out);
    }
    return emit_vector(e, i->type, i->n_results > 1 ? i->n_results : 1);
}

/* ---- structs ---- */

static void decorate_member(struct emit *e, uint32_t type, uint32_t member, uint32_t offset)
{
    spv_put(&e->decorations, SpvOpMemberDecorate,
            (uint32_t[]){type, member, SpvDecorationOffset, offset}, 4);
}

/* The type of one of what the field has, or of each of its array. */
static uint32_t item_type(struct emit *e, const struct ir_field *f, bool is_laid_out)
{
    return f->inner ? emit_struct_type(e, f->inner, is_laid_out)
                    : emit_vector(e, f->type, f->n_components);
}

static uint32_t field_type(struct emit *e, const struct ir_field *f, bool is_laid_out)
{
    uint32_t const item = item_type(e, f, is_laid_out);
    if (f->length == 0) {
        return item;
    }
    uint32_t const length = emit_const(e, IR_I32, f->length);
    uint32_t const array = emit_new_id(e);
    spv_put(&e->types, SpvOpTypeArray, (uint32_t[]){array, item, length}, 3);
    if (is_laid_out) {
        emit_decorate(e, array, SpvDecorationArrayStride, &f->stride);
    }
    return array;
}

/* The struct as it was declared, now or before. */
static const struct emit_record *get_record(struct emit *e, const struct ir_struct *s,
                                            bool is_laid_out)
{
    struct emit_record made = {.of = s, .is_laid_out = is_laid_out};
    for (uint32_t i = 0; i < e->n_records; i++) {
        if (e->records[i].of == s && e->records[i].is_laid_out == is_laid_out) {
            return &e->records[i];
        }
    }
    uint32_t words[IR_MAX_FIELDS + 1];
    for (uint32_t i = 0; i < s->n_fields; i++) {
        made.field_ids[i] = field_type(e, &s->field[i], is_laid_out);
        words[i + 1] = made.field_ids[i];
    }
    made.id = emit_new_id(e);
    words[0] = made.id;
    spv_put(&e->types, SpvOpTypeStruct, words, s->n_fields + 1);
    for (uint32_t i = 0; i < s->n_fields && is_laid_out; i++) {
        decorate_member(e, made.id, i, s->field[i].offset);
    }
    assert(e->n_records < EMIT_MAX_RECORDS);
    e->records[e->n_records] = made;
    return &e->records[e->n_records++];
}

uint32_t emit_field_type(struct emit *e, const struct ir_struct *s, bool is_laid_out,
                         uint32_t member)
{
    return get_record(e, s, is_laid_out)->field_ids[member];
}

uint32_t emit_struct_type(struct emit *e, const struct ir_struct *s, bool is_laid_out)
{
    return get_record(e, s, is_laid_out)->id;
}

uint32_t emit_element_type(struct emit *e, const struct ir_var *var)
{
    return var->of_struct ? emit_struct_type(e, var->of_struct, ir_var_is_laid_out(var, e->p->env))
                          : emit_vector(e, var->type, ir_var_components(var));
}

/* Goes along the path: a member, an element of its array, and on in what that is. */
uint32_t emit_part_type(struct emit *e, const struct ir_struct *s, bool is_laid_out,
                        const struct ir_path *path)
{
    uint32_t type = emit_struct_type(e, s, is_laid_out);
    uint32_t at = 0;
    while (path && at < path->n) {
        assert(s && path->index[at]->kind == IR_CONST); /* of a member */
        const struct ir_field *const f = &s->field[path->index[at]->bits];
        type = get_record(e, s, is_laid_out)->field_ids[path->index[at]->bits];
        at++;
        if (f->length && at < path->n) {
            type = item_type(e, f, is_laid_out);
            at++;
        }
        s = f->inner;
        if (!s && at < path->n) { /* a component */
            type = emit_type(e, f->type);
            at++;
        }
    }
    return type;
}

/* ---- pointers, decorations, constants ---- */

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

void emit_odd(struct emit *e, enum ir_odd site, enum ir_type type, uint32_t id)
{
    bool const is_right = ir_type_is_float(type) != (site == ODD_INTEGER);
    if ((e->p->odd & (unsigned)site) && is_right && type != IR_VOID) {
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

bool emit_find_const(const struct emit *e, uint32_t id, uint64_t *bits)
{
    for (uint32_t i = 0; i < EMIT_CONST_SLOTS; i++) {
        if (e->constants[i].id == id && id != 0) {
            *bits = e->constants[i].bits;
            return true;
        }
    }
    return false;
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

struct emit_ids emit_ids(struct emit *e, uint32_t builtin)
{
    enum ir_type const component = e->p->env == ENV_CL ? IR_I64 : IR_I32;
    uint32_t const vector = emit_vector(e, component, 3);
    uint32_t const var = emit_builtin(e, builtin, vector);
    return (struct emit_ids){.loaded = emit_result(e, &e->main, SpvOpLoad, vector, &var, 1),
                             .component = component};
}

/* The size of a work-group in a dimension: the constant that the module has for it, if it has one. */
static uint32_t get_local_size(struct emit *e, uint32_t d)
{
    const struct ir_program *const p = e->p;
    if (p->local_form == LOCAL_BY_CONSTANT) {
        return emit_result(e, &e->main, SpvOpCompositeExtract, emit_type(e, IR_I32),
                           (uint32_t[]){emit_value(e, p->local_vector), d}, 2);
    }
    return p->local_form == LOCAL_BY_IDS ? emit_value(e, p->local_spec[d])
                                         : emit_const(e, IR_I32, p->local[d]);
}

uint32_t emit_id(struct emit *e, const struct emit_ids *ids, uint32_t d)
{
    uint32_t const i32 = emit_type(e, IR_I32);
    uint32_t v = component_of(e, ids->loaded, d, ids->component);
    if (ids->is_divided) {
        uint32_t const size = get_local_size(e, d);
        v = emit_result(e, &e->main, SpvOpUDiv, i32, (uint32_t[]){v, size}, 2);
    }
    if (ids->plus) {
        uint32_t const before = emit_id(e, ids->plus, d);
        v = emit_result(e, &e->main, SpvOpIAdd, i32, (uint32_t[]){v, before}, 2);
    }
    return v;
}

/* The linear index of this invocation, or work-group, in n[0] x n[1] x n[2] positions, as i32: (z * n_y + y) * n_x + x, by
 * Horner's rule from z to x. `at` is 0 until a dimension has come. A dimension of size 1 adds nothing and is left out,
 * but for x: there has to be some value. */
uint32_t emit_linear(struct emit *e, const struct emit_ids *ids, const uint32_t n[3])
{
    uint32_t const i32 = emit_type(e, IR_I32);
    uint32_t at = 0;
    for (int d = 2; d >= 0; d--) {
        if (n[d] == 1 && d > 0) {
            continue;
        }
        uint32_t const v = emit_id(e, ids, (uint32_t)d);
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

/* The words of an OpSpecConstantComposite or OpSpecConstantOp after type and result; returns how many. */
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

/* OpConstantNull of that type. */
static uint32_t put_null(struct emit *e, enum ir_type t)
{
    if (e->null_ids[t] == 0) {
        uint32_t const type = emit_type(e, t);
        e->null_ids[t] = emit_result(e, &e->types, SpvOpConstantNull, type, NULL, 0);
    }
    return e->null_ids[t];
}

uint32_t emit_value(struct emit *e, struct ir_inst *i)
{
    if (i->kind == IR_CONST && i->bits == 0 && e->p->zeros_are_null) {
        return put_null(e, i->type);
    }
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

const uint32_t *emit_join(const struct emit *e, const struct spv_words *const *parts,
                          size_t n_parts, uint32_t *n_words)
{
    uint32_t header[SPV_HEADER_WORDS] = {SpvMagicNumber, e->p->version, 0, e->next_id, 0};
    struct spv_words all;
    spv_words_init(&all, e->p->a);
    struct spv_words const head = {.w = header, .n = SPV_HEADER_WORDS, .ok = true};
    spv_append(&all, &head);
    for (size_t i = 0; i < n_parts; i++) {
        spv_append(&all, parts[i]);
    }
    *n_words = all.n;
    return all.ok ? all.w : NULL;
}
