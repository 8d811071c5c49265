/* gen/emit/emit_cl.c -- the frame of an OpenCL kernel: Physical64, pointers as arguments. */
#include "gen/emit/emit_cl.h"

#include <assert.h>

#include "base/spv.h"
#include "gen/emit/emit_module.h"

static uint32_t storage_of(const struct ir_var *v)
{
    return v->kind == VAR_LOCAL ? SpvStorageClassWorkgroup : SpvStorageClassCrossWorkgroup;
}

void emit_cl_variables(struct emit *e)
{
    for (uint32_t v = 0; v < e->p->n_vars; v++) {
        const struct ir_var *const var = &e->p->vars[v];
        uint32_t const element = emit_type(e, var->type);
        e->var_type_ids[v] = element;
        if (var->kind != VAR_LOCAL) {
            continue; /* a parameter: emit_cl_entry names it */
        }
        uint32_t const length = emit_const(e, IR_I32, var->n);
        uint32_t const array = emit_new_id(e);
        spv_put(&e->types, SpvOpTypeArray, (uint32_t[]){array, element, length}, 3);
        uint32_t const pointer = emit_pointer_type(e, SpvStorageClassWorkgroup, array);
        e->var_ids[v] = emit_result(e, &e->types, SpvOpVariable, pointer,
                                    (uint32_t[]){SpvStorageClassWorkgroup}, 1);
        e->var_type_ids[v] = array;
    }
}

void emit_cl_entry(struct emit *e)
{
    uint32_t types[IR_MAX_VARS + 2] = {0, emit_type(e, IR_VOID)};
    uint32_t n = 2;
    for (uint32_t v = 0; v < e->p->n_vars; v++) {
        if (e->p->vars[v].kind != VAR_LOCAL) {
            types[n++] = emit_pointer_type(e, SpvStorageClassCrossWorkgroup, e->var_type_ids[v]);
        }
    }
    types[0] = emit_new_id(e);
    spv_put(&e->types, SpvOpTypeFunction, types, n);
    spv_put(&e->main, SpvOpFunction, (uint32_t[]){types[1], e->entry, 0, types[0]}, 4);
    uint32_t param = 2;
    for (uint32_t v = 0; v < e->p->n_vars; v++) {
        if (e->p->vars[v].kind != VAR_LOCAL) {
            e->var_ids[v] =
                emit_result(e, &e->main, SpvOpFunctionParameter, types[param++], NULL, 0);
        }
    }
}

void emit_cl_items(struct emit *e)
{
    const struct ir_program *const p = e->p;
    uint32_t groups[3];
    for (int d = 0; d < 3; d++) {
        groups[d] = (p->global[d] + p->local[d] - 1) / p->local[d];
    }
    uint32_t const i64 = emit_type(e, IR_I64);
    p->gid->id = emit_linear(e, SpvBuiltInGlobalInvocationId, p->global, IR_I64);
    p->wg->id = emit_linear(e, SpvBuiltInWorkgroupId, groups, IR_I64);
    if (p->local_index) { /* a function of its own, which drivers forget to link */
        uint32_t const var = emit_builtin(e, SpvBuiltInLocalInvocationIndex, i64);
        uint32_t const wide = emit_result(e, &e->main, SpvOpLoad, i64, &var, 1);
        p->lid->id = emit_result(e, &e->main, SpvOpUConvert, emit_type(e, IR_I32), &wide, 1);
        return;
    }
    p->lid->id = emit_linear(e, SpvBuiltInLocalInvocationId, p->local, IR_I64);
}

void emit_cl_frame(struct emit *e, struct spv_words *head)
{
    spv_put(head, SpvOpMemoryModel,
            (uint32_t[]){SpvAddressingModelPhysical64, SpvMemoryModelOpenCL}, 2);
    spv_put_string(head, SpvOpEntryPoint, (uint32_t[]){SpvExecutionModelKernel, e->entry}, 2,
                   EMIT_ENTRY_NAME, e->interface, e->n_interface);
    if (e->p->contraction_off) {
        spv_put(head, SpvOpExecutionMode, (uint32_t[]){e->entry, SpvExecutionModeContractionOff},
                2);
    }
    if (e->p->subgroup_size != 0) {
        assert(e->p->version >= 0x10100);
        spv_put(head, SpvOpExecutionMode,
                (uint32_t[]){e->entry, SpvExecutionModeSubgroupSize, e->p->subgroup_size}, 3);
    }
    if (e->p->source) {
        spv_put(head, SpvOpSource, (uint32_t[]){SpvSourceLanguageOpenCL_C, e->p->source}, 2);
    }
}

struct emit_place emit_cl_place(struct emit *e, struct spv_words *w, uint32_t v, uint32_t base,
                                uint32_t index)
{
    const struct ir_var *const var = &e->p->vars[v];
    struct emit_place at = {.storage = storage_of(var)};
    uint32_t const pointer = emit_pointer_type(e, at.storage, emit_type(e, var->type));
    if (var->kind == VAR_LOCAL) {
        at.pointer =
            emit_result(e, w, SpvOpInBoundsAccessChain, pointer, (uint32_t[]){base, index}, 2);
    } else {
        at.pointer =
            emit_result(e, w, SpvOpInBoundsPtrAccessChain, pointer, (uint32_t[]){base, index}, 2);
    }
    return at;
}
