/* gen/emit/emit_vk.c -- the frame of a Vulkan compute shader: logical addressing, descriptors. */
#include "gen/emit/emit_vk.h"

#include <assert.h>

#include "base/spv.h"
#include "gen/emit/emit_module.h"
#include "gen/ir/ir.h"

static uint32_t declare(struct emit *e, uint32_t storage, uint32_t pointee)
{
    uint32_t const pointer = emit_pointer_type(e, storage, pointee);
    uint32_t const id = emit_result(e, &e->types, SpvOpVariable, pointer, &storage, 1);
    if (e->p->version >= 0x10400) { /* from 1.4 on the interface is all global variables */
        assert(e->n_interface < EMIT_MAX_INTERFACE);
        e->interface[e->n_interface++] = id;
    }
    return id;
}

/* struct { element[]; }, one per element type, with its layout. */
static uint32_t block_type(struct emit *e, enum ir_type element, uint32_t *made)
{
    if (made[element] != 0) {
        return made[element];
    }
    uint32_t const type = emit_type(e, element);
    uint32_t const array = emit_new_id(e);
    uint32_t const block = emit_new_id(e);
    uint32_t const stride = ir_type_bits(element) / 8;
    spv_put(&e->types, SpvOpTypeRuntimeArray, (uint32_t[]){array, type}, 2);
    spv_put(&e->types, SpvOpTypeStruct, (uint32_t[]){block, array}, 2);
    emit_decorate(e, array, SpvDecorationArrayStride, &stride);
    emit_decorate(e, block, SpvDecorationBlock, NULL);
    spv_put(&e->decorations, SpvOpMemberDecorate, (uint32_t[]){block, 0, SpvDecorationOffset, 0},
            4);
    made[element] = block;
    return block;
}

static uint32_t image_type(struct emit *e, enum ir_var_kind kind, uint32_t *made)
{
    uint32_t *const slot = &made[kind == VAR_IMAGE ? 0 : 1];
    if (*slot == 0) {
        uint32_t const texel = emit_type(e, IR_F32);
        uint32_t const dim = kind == VAR_IMAGE ? SpvDim2D : SpvDimBuffer;
        *slot = emit_new_id(e);
        spv_put(&e->types, SpvOpTypeImage,
                (uint32_t[]){*slot, texel, dim, 0, 0, 0, 2, SpvImageFormatR32f}, 8);
    }
    return *slot;
}

void emit_vk_variables(struct emit *e)
{
    uint32_t blocks[IR_TYPE_N] = {0};
    uint32_t images[2] = {0};
    for (uint32_t v = 0; v < e->p->n_vars; v++) {
        const struct ir_var *const var = &e->p->vars[v];
        uint32_t storage = SpvStorageClassUniformConstant;
        switch (var->kind) {
        case VAR_BUFFER:
            e->var_type_ids[v] = block_type(e, var->type, blocks);
            storage = SpvStorageClassStorageBuffer;
            break;
        case VAR_LOCAL: {
            uint32_t const element = emit_type(e, var->type);
            uint32_t const length = emit_const(e, IR_I32, var->n);
            e->var_type_ids[v] = emit_new_id(e);
            spv_put(&e->types, SpvOpTypeArray, (uint32_t[]){e->var_type_ids[v], element, length},
                    3);
            storage = SpvStorageClassWorkgroup;
            break;
        }
        case VAR_IMAGE:
        case VAR_TEXEL:
            e->var_type_ids[v] = image_type(e, var->kind, images);
            break;
        }
        e->var_ids[v] = declare(e, storage, e->var_type_ids[v]);
        if (var->kind != VAR_LOCAL) {
            uint32_t const set = 0;
            emit_decorate(e, e->var_ids[v], SpvDecorationDescriptorSet, &set);
            emit_decorate(e, e->var_ids[v], SpvDecorationBinding, &var->buf);
        }
    }
}

void emit_vk_entry(struct emit *e)
{
    uint32_t const type = emit_type(e, IR_VOID);
    uint32_t const function = emit_new_id(e);
    spv_put(&e->types, SpvOpTypeFunction, (uint32_t[]){function, type}, 2);
    spv_put(&e->main, SpvOpFunction, (uint32_t[]){type, e->entry, 0, function}, 4);
}

void emit_vk_items(struct emit *e)
{
    const struct ir_program *const p = e->p;
    uint32_t groups[3];
    for (int d = 0; d < 3; d++) {
        groups[d] = p->global[d] / p->local[d];
    }
    uint32_t const i32 = emit_type(e, IR_I32);
    p->gid->id = emit_linear(e, SpvBuiltInGlobalInvocationId, p->global, IR_I32);
    p->wg->id = emit_linear(e, SpvBuiltInWorkgroupId, groups, IR_I32);
    uint32_t const var = emit_builtin(e, SpvBuiltInLocalInvocationIndex, i32);
    p->lid->id = emit_result(e, &e->main, SpvOpLoad, i32, &var, 1);
}

static void put_mode(struct emit *e, struct spv_words *head, uint32_t mode, uint32_t width)
{
    spv_put(head, SpvOpExecutionMode, (uint32_t[]){e->entry, mode, width}, 3);
}

static void put_float_mode(struct emit *e, struct spv_words *head, uint32_t at)
{
    const struct ir_float_mode *const m = &e->p->mode[at];
    uint32_t const width = 16u << at;
    if (m->szinp) {
        put_mode(e, head, SpvExecutionModeSignedZeroInfNanPreserve, width);
    }
    if (m->denorm != DENORM_ANY) {
        put_mode(e, head,
                 m->denorm == DENORM_PRESERVE ? SpvExecutionModeDenormPreserve
                                              : SpvExecutionModeDenormFlushToZero,
                 width);
    }
    if (m->round != ROUND_ANY) {
        put_mode(e, head,
                 m->round == ROUND_RTE ? SpvExecutionModeRoundingModeRTE
                                       : SpvExecutionModeRoundingModeRTZ,
                 width);
    }
    uint32_t const type = e->type_ids[IR_F16 + at];
    if (m->mask0 && type != 0) {
        spv_put(
            head, SpvOpExecutionModeId,
            (uint32_t[]){e->entry, SPV_MODE_FP_FAST_MATH_DEFAULT, type, emit_const(e, IR_I32, 0)},
            4);
    }
}

void emit_vk_frame(struct emit *e, struct spv_words *head)
{
    spv_put(head, SpvOpMemoryModel,
            (uint32_t[]){SpvAddressingModelLogical, e->p->vulkan_memory_model
                                                        ? (uint32_t)SpvMemoryModelVulkan
                                                        : (uint32_t)SpvMemoryModelGLSL450},
            2);
    spv_put_string(head, SpvOpEntryPoint, (uint32_t[]){SpvExecutionModelGLCompute, e->entry}, 2,
                   EMIT_ENTRY_NAME, e->interface, e->n_interface);
    spv_put(head, SpvOpExecutionMode,
            (uint32_t[]){e->entry, SpvExecutionModeLocalSize, e->p->local[0], e->p->local[1],
                         e->p->local[2]},
            5);
    if (e->p->maximal_reconvergence) {
        spv_put(head, SpvOpExecutionMode, (uint32_t[]){e->entry, SPV_MODE_MAXIMALLY_RECONVERGES},
                2);
    }
    if (e->p->subgroup_uniform_flow) {
        spv_put(head, SpvOpExecutionMode,
                (uint32_t[]){e->entry, SpvExecutionModeSubgroupUniformControlFlowKHR}, 2);
    }
    for (uint32_t at = 0; at < 3; at++) {
        put_float_mode(e, head, at);
    }
}

/* Texel `index` of the image variable: (index % width, index / width). */
static uint32_t put_coordinate(struct emit *e, struct spv_words *w, const struct ir_var *var,
                               uint32_t index)
{
    if (var->kind == VAR_TEXEL) {
        return index;
    }
    uint32_t const i32 = emit_type(e, IR_I32);
    uint32_t const width = emit_const(e, IR_I32, var->width);
    uint32_t const vector = emit_vector(e, IR_I32, 2);
    uint32_t const x = emit_result(e, w, SpvOpUMod, i32, (uint32_t[]){index, width}, 2);
    uint32_t const y = emit_result(e, w, SpvOpUDiv, i32, (uint32_t[]){index, width}, 2);
    return emit_result(e, w, SpvOpCompositeConstruct, vector, (uint32_t[]){x, y}, 2);
}

struct emit_place emit_vk_place(struct emit *e, struct spv_words *w, uint32_t v, uint32_t base,
                                uint32_t index)
{
    const struct ir_var *const var = &e->p->vars[v];
    struct emit_place at = {0};
    uint32_t const element = emit_type(e, var->type);
    uint32_t const zero = emit_const(e, IR_I32, 0);
    switch (var->kind) {
    case VAR_BUFFER:
        at.storage = SpvStorageClassStorageBuffer;
        at.pointer = emit_result(e, w, SpvOpAccessChain, emit_pointer_type(e, at.storage, element),
                                 (uint32_t[]){base, zero, index}, 3);
        break;
    case VAR_LOCAL:
        at.storage = SpvStorageClassWorkgroup;
        at.pointer = emit_result(e, w, SpvOpAccessChain, emit_pointer_type(e, at.storage, element),
                                 (uint32_t[]){base, index}, 2);
        break;
    case VAR_IMAGE:
    case VAR_TEXEL:
        at.storage = SpvStorageClassImage;
        at.pointer =
            emit_result(e, w, SpvOpImageTexelPointer, emit_pointer_type(e, at.storage, element),
                        (uint32_t[]){base, put_coordinate(e, w, var, index), zero}, 3);
        break;
    }
    return at;
}
