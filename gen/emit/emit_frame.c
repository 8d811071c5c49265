/* gen/emit/emit_frame.c -- variables, entry point and modes of OpenCL and of Vulkan. */
#include "gen/emit/emit_frame.h"

#include <assert.h>

#include "base/spv.h"
#include "base/testcase.h"
#include "gen/emit/emit_module.h"
#include "gen/ir/ir.h"

/* ---- variables ---- */

static uint32_t declare(struct emit *e, uint32_t storage, uint32_t pointee)
{
    uint32_t const pointer = emit_pointer_type(e, storage, pointee);
    uint32_t const id = emit_result(e, &e->types, SpvOpVariable, pointer, &storage, 1);
    if (e->p->version >= IR_SPIRV_1_4) { /* from 1.4 on the interface is all global variables */
        assert(e->n_interface < EMIT_MAX_INTERFACE);
        e->interface[e->n_interface++] = id;
    }
    return id;
}

/* A variable of the work-group, or of the entry function. */
static void put_array(struct emit *e, uint32_t v)
{
    const struct ir_var *const var = &e->p->vars[v];
    uint32_t const element = emit_element_type(e, var);
    uint32_t const length = emit_const(e, IR_I32, var->n);
    uint32_t const array = emit_new_id(e);
    spv_put(&e->types, SpvOpTypeArray, (uint32_t[]){array, element, length}, 3);
    e->var_type_ids[v] = array;
    if (var->kind == VAR_LOCAL) {
        e->var_ids[v] = declare(e, SpvStorageClassWorkgroup, array);
        return;
    }
    uint32_t const pointer = emit_pointer_type(e, SpvStorageClassFunction, array);
    e->var_ids[v] = emit_result(e, &e->locals, SpvOpVariable, pointer,
                                (uint32_t[]){SpvStorageClassFunction}, 1);
}

static SpvStorageClass buffer_storage(const struct emit *e)
{
    return e->p->buffer_block ? SpvStorageClassUniform : SpvStorageClassStorageBuffer;
}

/* Types of blocks made so far, by the type of their numbers and how many there are in an element. */
struct blocks {
    uint32_t ids[IR_TYPE_N][IR_MAX_COMPONENTS + 1];
};

/* Types of images made so far, by how texels lie and their components. */
struct images {
    uint32_t ids[TEXELS_N][IR_MAX_COMPONENTS + 1];
};

/* struct { element[]; }, one per element type, with its layout. */
static uint32_t block_type(struct emit *e, const struct ir_var *var, struct blocks *made)
{
    uint32_t const n = ir_var_components(var);
    uint32_t none = 0; /* structs of one kind are of one variable mostly */
    uint32_t *const slot = var->of_struct ? &none : &made->ids[var->type][n];
    if (*slot != 0) {
        return *slot;
    }
    uint32_t const type = emit_element_type(e, var);
    uint32_t const array = emit_new_id(e);
    uint32_t const block = emit_new_id(e);
    uint32_t const stride = ir_var_stride(var);
    spv_put(&e->types, SpvOpTypeRuntimeArray, (uint32_t[]){array, type}, 2);
    spv_put(&e->types, SpvOpTypeStruct, (uint32_t[]){block, array}, 2);
    emit_decorate(e, array, SpvDecorationArrayStride, &stride);
    emit_decorate(e, block, e->p->buffer_block ? SpvDecorationBufferBlock : SpvDecorationBlock,
                  NULL);
    spv_put(&e->decorations, SpvOpMemberDecorate, (uint32_t[]){block, 0, SpvDecorationOffset, 0},
            4);
    *slot = block;
    return block;
}

/* Of a format of floats what is sampled is f32: only the texel pointer knows of vectors of f16. */
static uint32_t image_type(struct emit *e, const struct ir_var *var, struct images *made)
{
    static const uint32_t formats[IR_MAX_COMPONENTS + 1] = {
        [1] = SpvImageFormatR32f, [2] = SpvImageFormatRg16f, [4] = SpvImageFormatRgba16f};
    uint32_t const n = ir_var_components(var);
    enum texels const texels = buf_kind_rows[var->image.kind].texels;
    const struct texels_row *const row = &texels_rows[texels];
    bool const is_float = ir_type_is_float(var->type);
    uint32_t *const slot = &made->ids[texels][is_float ? n : 0]; /* of integers there is one */
    if (*slot == 0) {
        uint32_t const texel = emit_type(e, is_float ? IR_F32 : IR_I32);
        uint32_t const format = is_float ? formats[n] : (uint32_t)SpvImageFormatR32ui;
        *slot = emit_new_id(e);
        spv_put(&e->types, SpvOpTypeImage,
                (uint32_t[]){*slot, texel, row->dim, 0, row->is_array, 0, 2, format}, 8);
    }
    return *slot;
}

/* struct { the address }, of which a variable is declared: as a pointer to the block, or as an integer. */
static uint32_t holder_type(struct emit *e, const struct ir_var *var, uint32_t block)
{
    uint32_t const pointer = emit_pointer_type(e, SpvStorageClassPhysicalStorageBuffer, block);
    uint32_t const member = var->by_integer ? emit_type(e, IR_I64) : pointer;
    uint32_t const holder = emit_new_id(e);
    spv_put(&e->types, SpvOpTypeStruct, (uint32_t[]){holder, member}, 2);
    emit_decorate(e, holder, SpvDecorationBlock, NULL);
    spv_put(&e->decorations, SpvOpMemberDecorate, (uint32_t[]){holder, 0, SpvDecorationOffset, 0},
            4);
    return holder;
}

/* struct { element[n]; }, for memory that nobody writes: of a uniform buffer elements are vectors. Arrays of push
 * constants have no rule of their own for the stride. */
static uint32_t constant_block_type(struct emit *e, const struct ir_var *var)
{
    bool const is_push = var->kind == VAR_PUSH;
    uint32_t const n_bytes = ir_type_bits(var->type) / 8;
    uint32_t const stride = is_push ? n_bytes : IR_UNIFORM_STRIDE;
    uint32_t const per = stride / n_bytes;
    uint32_t const element = emit_vector(e, var->type, per);
    uint32_t const length = emit_const(e, IR_I32, (var->n + per - 1) / per);
    uint32_t const array = emit_new_id(e);
    uint32_t const block = emit_new_id(e);
    uint32_t const offset = is_push ? var->first : 0;
    spv_put(&e->types, SpvOpTypeArray, (uint32_t[]){array, element, length}, 3);
    spv_put(&e->types, SpvOpTypeStruct, (uint32_t[]){block, array}, 2);
    emit_decorate(e, array, SpvDecorationArrayStride, &stride);
    emit_decorate(e, block, SpvDecorationBlock, NULL);
    spv_put(&e->decorations, SpvOpMemberDecorate,
            (uint32_t[]){block, 0, SpvDecorationOffset, offset}, 4);
    return block;
}

/* Declares the Vulkan variable v, whose type is named. Push constants alone have no descriptor. */
static void declare_resource(struct emit *e, uint32_t v)
{
    const struct ir_var *const var = &e->p->vars[v];
    bool const is_buffer = var->kind == VAR_BUFFER || var->kind == VAR_PHYSICAL;
    uint32_t const storage = var->kind == VAR_PUSH       ? SpvStorageClassPushConstant
                             : var->kind == VAR_CONSTANT ? SpvStorageClassUniform
                             : is_buffer                 ? buffer_storage(e)
                                                         : SpvStorageClassUniformConstant;
    e->var_ids[v] = declare(e, storage, e->var_type_ids[v]);
    if (var->kind != VAR_PUSH) {
        emit_decorate(e, e->var_ids[v], SpvDecorationDescriptorSet, &var->set);
        emit_decorate(e, e->var_ids[v], SpvDecorationBinding, &var->buf);
    }
    if (var->is_exchanged && !e->p->vulkan_memory_model) {
        emit_decorate(e, e->var_ids[v], SpvDecorationCoherent, NULL);
    }
}

/* Declares types and variables of the environment. Work-group and private variables are arrays in both
 * environments. Buffers are parameters of the kernel in OpenCL, of which only the type is declared here; in
 * Vulkan they are variables with a descriptor, which share types of blocks and images (`blocks`, `images`:
 * the types made so far). */
void emit_frame_variables(struct emit *e)
{
    struct blocks blocks = {.ids = {{0}}};
    struct images images = {.ids = {{0}}};
    for (uint32_t v = 0; v < e->p->n_vars; v++) {
        const struct ir_var *const var = &e->p->vars[v];
        if (!ir_var_has_buffer(var)) {
            put_array(e, v);
            continue;
        }
        if (e->p->env == ENV_CL) { /* a parameter: emit_frame_entry names it */
            e->var_type_ids[v] = emit_element_type(e, var);
            continue;
        }
        bool const is_buffer = var->kind == VAR_BUFFER || var->kind == VAR_PHYSICAL;
        bool const is_constant = var->kind == VAR_CONSTANT || var->kind == VAR_PUSH;
        e->var_type_ids[v] = is_constant ? constant_block_type(e, var)
                             : is_buffer ? block_type(e, var, &blocks)
                                         : image_type(e, var, &images);
        if (var->kind == VAR_PHYSICAL) {
            e->block_ids[v] = e->var_type_ids[v];
            e->var_type_ids[v] = holder_type(e, var, e->block_ids[v]);
        }
        declare_resource(e, v);
    }
}

/* ---- the entry point ---- */

/* The storage class of OpenCL's memory of that kind; it has no other kinds. */
static uint32_t cl_storage(enum ir_var_kind kind)
{
    static const SpvStorageClass classes[] = {
        [VAR_BUFFER] = SpvStorageClassCrossWorkgroup,
        [VAR_LOCAL] = SpvStorageClassWorkgroup,
        [VAR_PRIVATE] = SpvStorageClassFunction,
        [VAR_CONSTANT] = SpvStorageClassUniformConstant,
    };
    assert(kind == VAR_BUFFER || kind == VAR_LOCAL || kind == VAR_PRIVATE || kind == VAR_CONSTANT);
    return classes[kind];
}

static bool is_parameter(const struct emit *e, uint32_t v)
{
    return e->p->env == ENV_CL && ir_var_has_buffer(&e->p->vars[v]);
}

/* Begins the entry function with the id `entry`, in OpenCL with a parameter for each buffer. `types` are
 * the operands of its OpTypeFunction: the new type's id, the result's type, the types of the parameters.
 * The new type's id is taken after the ids of its parts. */
void emit_frame_entry(struct emit *e, uint32_t entry)
{
    enum {
        FIRST_PARAMETER = 2
    };
    uint32_t types[IR_MAX_VARS + FIRST_PARAMETER] = {0, emit_type(e, IR_VOID)};
    uint32_t n = FIRST_PARAMETER;
    for (uint32_t v = 0; v < e->p->n_vars; v++) {
        if (is_parameter(e, v)) {
            types[n++] = emit_pointer_type(e, cl_storage(e->p->vars[v].kind), e->var_type_ids[v]);
        }
    }
    /* all kernels of the module have the same parameters, thus one type */
    if (e->entry_type == 0) {
        types[0] = e->entry_type = emit_new_id(e);
        spv_put(&e->types, SpvOpTypeFunction, types, n);
    }
    spv_put(&e->main, SpvOpFunction, (uint32_t[]){types[1], entry, 0, e->entry_type}, 4);
    uint32_t param = FIRST_PARAMETER;
    for (uint32_t v = 0; v < e->p->n_vars; v++) {
        if (is_parameter(e, v)) {
            e->var_ids[v] =
                emit_result(e, &e->main, SpvOpFunctionParameter, types[param++], NULL, 0);
        }
    }
}

/* The index of the work-group, where `global` are the invocation's ids. */
static uint32_t put_group_index(struct emit *e, struct emit_ids global, const uint32_t n[3])
{
    const struct ir_program *const p = e->p;
    if (p->wg_from == GROUP_FROM_GLOBAL) {
        global.is_divided = true;
        return emit_linear(e, &global, n);
    }
    struct emit_ids ids = emit_ids(e, SpvBuiltInWorkgroupId);
    if (p->wg_from == GROUP_FROM_OFFSET) {
        struct emit_ids offset = emit_ids(e, SpvBuiltInGlobalOffset);
        offset.is_divided = true;
        ids.plus = &offset;
        return emit_linear(e, &ids, n);
    }
    return emit_linear(e, &ids, n);
}

/* Computes the indices of the invocation, each linear and of type i32: its global index (p->gid), the index
 * of its work-group (p->wg), and its index in the work-group (p->lid). */
void emit_frame_items(struct emit *e)
{
    const struct ir_program *const p = e->p;
    bool const is_cl = p->env == ENV_CL;
    uint32_t groups[3];
    for (int d = 0; d < 3; d++) {
        groups[d] = (p->global[d] + p->local[d] - 1) / p->local[d]; /* the last may be smaller */
    }
    struct emit_ids const global = emit_ids(e, SpvBuiltInGlobalInvocationId);
    p->gid->id = emit_linear(e, &global, p->global);
    p->wg->id = put_group_index(e, global, groups);
    /* OpenCL drivers implement LocalInvocationIndex by a library function, which some forget to link */
    if (is_cl && !p->local_index) {
        struct emit_ids const local = emit_ids(e, SpvBuiltInLocalInvocationId);
        p->lid->id = emit_linear(e, &local, p->local);
        return;
    }
    uint32_t const type = emit_type(e, is_cl ? IR_I64 : IR_I32);
    uint32_t const var = emit_builtin(e, SpvBuiltInLocalInvocationIndex, type);
    p->lid->id = emit_result(e, &e->main, SpvOpLoad, type, &var, 1);
    if (is_cl) {
        uint32_t const index64 = p->lid->id; /* built-ins of OpenCL have 64 bits */
        p->lid->id = emit_result(e, &e->main, SpvOpUConvert, emit_type(e, IR_I32), &index64, 1);
    }
}

void emit_frame_told(struct emit *e, struct ir_inst *i)
{
    if (i->op != SpvBuiltInGlobalLinearId) {
        struct emit_ids const ids = emit_ids(e, i->op);
        i->id = emit_id(e, &ids, i->var);
        return;
    }
    uint32_t const wide = emit_type(e, IR_I64); /* OpenCL's */
    uint32_t const var = emit_builtin(e, i->op, wide);
    uint32_t const loaded = emit_result(e, &e->main, SpvOpLoad, wide, &var, 1);
    i->id = emit_result(e, &e->main, SpvOpUConvert, emit_type(e, IR_I32), &loaded, 1);
}

/* ---- modes ---- */

/* An entry point whose modes are put. */
struct moded {
    struct emit *e;
    struct spv_words *head;
    uint32_t entry;
    bool is_other; /* has other modes than the one that runs */
};

static void put_mode(const struct moded *to, uint32_t mode)
{
    spv_put(to->head, SpvOpExecutionMode, (uint32_t[]){to->entry, mode}, 2);
}

static void put_mode_of(const struct moded *to, uint32_t mode, uint32_t operand)
{
    spv_put(to->head, SpvOpExecutionMode, (uint32_t[]){to->entry, mode, operand}, 3);
}

static void put_literal_size(const struct moded *to, const uint32_t size[3])
{
    spv_put(to->head, SpvOpExecutionMode,
            (uint32_t[]){to->entry, SpvExecutionModeLocalSize, size[0], size[1], size[2]}, 5);
}

/* States the size of a work-group in the form that the program has (enum ir_local_size): an execution mode
 * with literals or with ids of constants, or a constant decorated with BuiltIn WorkgroupSize. */
static void put_local_size(const struct moded *to)
{
    struct emit *const e = to->e;
    const struct ir_program *const p = e->p;
    uint32_t const other_size[3] = {p->local_mode, p->local_mode, p->local_mode};
    const uint32_t workgroup_size = SpvBuiltInWorkgroupSize;
    switch (p->local_form) {
    case LOCAL_BY_DISPATCH:
        if (p->env == ENV_VK) { /* a shader must state its size, a kernel of OpenCL need not */
            put_literal_size(to, p->local);
        }
        break;
    case LOCAL_BY_MODE:
        put_literal_size(to, p->local);
        break;
    case LOCAL_BY_IDS:
        spv_put(to->head, SpvOpExecutionModeId,
                (uint32_t[]){to->entry, SpvExecutionModeLocalSizeId,
                             emit_value(e, p->local_spec[0]), emit_value(e, p->local_spec[1]),
                             emit_value(e, p->local_spec[2])},
                5);
        break;
    case LOCAL_BY_CONSTANT:
        emit_decorate(e, emit_value(e, p->local_vector), SpvDecorationBuiltIn, &workgroup_size);
        if (p->local_mode) { /* a mode with another size: the constant takes precedence */
            put_literal_size(to, other_size);
        }
        break;
    }
}

static void put_cl_modes(const struct moded *to)
{
    const struct ir_program *const p = to->e->p;
    if (p->contraction_off != to->is_other) {
        put_mode(to, SpvExecutionModeContractionOff);
    }
    if (p->subgroup_size != 0 && !to->is_other) {
        assert(p->version >= IR_SPIRV_1_1);
        put_mode_of(to, SpvExecutionModeSubgroupSize, p->subgroup_size);
    }
}

/* Puts the execution modes of one float width (at 0, 1, 2: 16, 32, 64 bits) as the program has them: signed
 * zeros, infinities and NaN preserved, subnormals preserved or flushed, rounding, and a default fast-math
 * mask of 0 (mask0). */
static void put_float_modes(const struct moded *to, uint32_t at)
{
    struct emit *const e = to->e;
    const struct ir_float_mode *const m = &e->p->mode[at];
    uint32_t const width = 16u << at;
    uint32_t const type = e->type_ids[IR_F16 + at];
    if (m->szinp) {
        put_mode_of(to, SpvExecutionModeSignedZeroInfNanPreserve, width);
    }
    if (m->denorm != DENORM_ANY) {
        bool const keeps = m->denorm == DENORM_PRESERVE;
        put_mode_of(to, keeps ? SpvExecutionModeDenormPreserve : SpvExecutionModeDenormFlushToZero,
                    width);
    }
    if (m->round != ROUND_ANY) {
        bool const is_nearest = m->round == ROUND_RTE;
        put_mode_of(to,
                    is_nearest ? SpvExecutionModeRoundingModeRTE : SpvExecutionModeRoundingModeRTZ,
                    width);
    }
    if (m->mask0 && type != 0) { /* the mode names the type: a module without it has no such mode */
        uint32_t const words[] = {to->entry, SPV_MODE_FP_FAST_MATH_DEFAULT, type,
                                  emit_const(e, IR_I32, 0)};
        spv_put(to->head, SpvOpExecutionModeId, words, 4);
    }
}

static void put_vk_modes(const struct moded *to)
{
    const struct ir_program *const p = to->e->p;
    if (p->maximal_reconvergence && !to->is_other) {
        put_mode(to, SPV_MODE_MAXIMALLY_RECONVERGES);
    }
    if (p->subgroup_uniform_flow && !to->is_other) {
        put_mode(to, SpvExecutionModeSubgroupUniformControlFlowKHR);
    }
    for (uint32_t at = 0; at < 3 && !to->is_other; at++) {
        put_float_modes(to, at);
    }
}

static void put_modes(const struct moded *to)
{
    if (to->e->p->env == ENV_CL) {
        put_cl_modes(to);
    } else {
        put_vk_modes(to);
    }
}

static void put_entry_point(struct emit *e, struct spv_words *head, uint32_t entry,
                            const char *name)
{
    uint32_t const execution =
        e->p->env == ENV_CL ? SpvExecutionModelKernel : SpvExecutionModelGLCompute;
    spv_put_string(head, SpvOpEntryPoint, (uint32_t[]){execution, entry}, 2, name, e->interface,
                   e->n_interface);
}

/* The entry points that stand before the one that runs, or after it. */
static void put_other_entry_points(struct emit *e, struct spv_words *head, bool is_first)
{
    for (uint32_t i = 0; i < e->p->n_kernels; i++) {
        const struct ir_kernel *const k = &e->p->kernels[i];
        if (k->is_first == is_first) {
            put_entry_point(e, head, k->id, k->name);
        }
    }
}

/* Writes the memory model, the entry points and their execution modes into `head`, in the order of a
 * module's layout. The entry point that runs has the local size and modes of the program; each other kernel
 * has its own size, and the same modes or none. */
void emit_frame_modes(struct emit *e, struct spv_words *head)
{
    bool const is_cl = e->p->env == ENV_CL;
    uint32_t const vk_memory =
        e->p->vulkan_memory_model ? SpvMemoryModelVulkan : SpvMemoryModelGLSL450;
    bool const is_physical = needs_has(&e->p->needs, NEED_VK_PHYSICAL);
    uint32_t const vk_addressing =
        is_physical ? SpvAddressingModelPhysicalStorageBuffer64 : SpvAddressingModelLogical;
    uint32_t const addressing = is_cl ? SpvAddressingModelPhysical64 : vk_addressing;
    uint32_t const memory = is_cl ? (uint32_t)SpvMemoryModelOpenCL : vk_memory;
    spv_put(head, SpvOpMemoryModel, (uint32_t[]){addressing, memory}, 2);
    put_other_entry_points(e, head, true); /* those that stand before the one that runs */
    put_entry_point(e, head, e->entry, EMIT_ENTRY_NAME);
    put_other_entry_points(e, head, false); /* those after it */
    struct moded const own = {.e = e, .head = head, .entry = e->entry};
    put_local_size(&own);
    put_modes(&own);
    for (uint32_t i = 0; i < e->p->n_kernels; i++) {
        const struct ir_kernel *const k = &e->p->kernels[i];
        struct moded const other = {
            .e = e, .head = head, .entry = k->id, .is_other = k->has_other_modes};
        /* a shader must state its size */
        if (!is_cl || k->has_other_modes) {
            put_literal_size(&other, k->local);
        }
        put_modes(&other);
    }
    if (is_cl && e->p->source) {
        spv_put(head, SpvOpSource, (uint32_t[]){SpvSourceLanguageOpenCL_C, e->p->source}, 2);
    }
}

/* ---- access ---- */

/* Element `index` of the variable as the coordinates of its texel, the first one fastest. */
static uint32_t put_coordinate(struct emit *e, struct spv_words *w, const struct ir_var *var,
                               uint32_t index)
{
    uint32_t const i32 = emit_type(e, IR_I32);
    uint32_t extents[TEXELS_MAX_COORDINATES], at[TEXELS_MAX_COORDINATES];
    uint32_t const n = texels_rows[buf_kind_rows[var->image.kind].texels].n_coordinates;
    if (var->first) {
        uint32_t const first = emit_const(e, IR_I32, var->first);
        index = emit_result(e, w, SpvOpIAdd, i32, (uint32_t[]){index, first}, 2);
    }
    if (n == 1) {
        return index;
    }
    (void)buf_get_extents(&var->image, extents);
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint32_t const extent = emit_const(e, IR_I32, extents[i]);
        at[i] = emit_result(e, w, SpvOpUMod, i32, (uint32_t[]){index, extent}, 2);
        index = emit_result(e, w, SpvOpUDiv, i32, (uint32_t[]){index, extent}, 2);
    }
    at[n - 1] = index;
    uint32_t const vector = emit_vector(e, IR_I32, n);
    return emit_result(e, w, SpvOpCompositeConstruct, vector, at, n);
}

enum {
    MAX_INDICES = IR_MAX_PATH + 3 /* and base, block and element */
};

/* The indices of a part after the n words of a chain; returns how many there are then. */
static uint32_t put_part(const struct emit_part *part, uint32_t *words, uint32_t n)
{
    for (uint32_t k = 0; part && k < part->n; k++) {
        words[n++] = part->index[k];
    }
    return n;
}

static struct emit_address cl_address(struct emit *e, struct spv_words *w, const struct ir_var *var,
                                      uint32_t base, uint32_t index, const struct emit_part *part)
{
    bool const is_array = !ir_var_has_buffer(var);
    uint32_t const op = is_array ? SpvOpInBoundsAccessChain : SpvOpInBoundsPtrAccessChain;
    struct emit_address at = {.storage = cl_storage(var->kind)};
    uint32_t const element = part ? part->type : emit_element_type(e, var);
    uint32_t const pointer = emit_pointer_type(e, at.storage, element);
    uint32_t operands[MAX_INDICES] = {base, index};
    at.pointer = emit_result(e, w, op, pointer, operands, put_part(part, operands, 2));
    return at;
}

/* The address that the variable v holds, as a pointer to the block there. */
static uint32_t put_address(struct emit *e, struct spv_words *w, uint32_t v, uint32_t base)
{
    bool const by_integer = e->p->vars[v].by_integer;
    uint32_t const block =
        emit_pointer_type(e, SpvStorageClassPhysicalStorageBuffer, e->block_ids[v]);
    uint32_t const type = by_integer ? emit_type(e, IR_I64) : block;
    uint32_t const to_member = emit_pointer_type(e, SpvStorageClassStorageBuffer, type);
    uint32_t const zero = emit_const(e, IR_I32, 0);
    uint32_t const member =
        emit_result(e, w, SpvOpAccessChain, to_member, (uint32_t[]){base, zero}, 2);
    uint32_t const address = emit_result(e, w, SpvOpLoad, type, &member, 1);
    return by_integer ? emit_result(e, w, SpvOpConvertUToPtr, block, &address, 1) : address;
}

/* Element `index` of a uniform buffer as the vector that it is in and its index there; of a constant index both are
 * constants. */
static void put_vector_index(struct emit *e, struct spv_words *w, const struct ir_var *var,
                             uint32_t index, uint32_t at[2])
{
    static const uint32_t ops[] = {SpvOpUDiv, SpvOpUMod};
    uint32_t const per = IR_UNIFORM_STRIDE * 8 / ir_type_bits(var->type);
    uint64_t known;
    if (emit_find_const(e, index, &known)) {
        at[0] = emit_const(e, IR_I32, known / per);
        at[1] = emit_const(e, IR_I32, known % per);
        return;
    }
    uint32_t const by = emit_const(e, IR_I32, per);
    for (int i = 0; i < 2; i++) {
        at[i] = emit_result(e, w, ops[i], emit_type(e, IR_I32), (uint32_t[]){index, by}, 2);
    }
}

/* Returns a pointer to element `index` of the Vulkan variable v, whose base pointer is `base`; or to the
 * part of the element that `part` leads to. OpImageTexelPointer addresses images and texel buffers: its
 * operands are image, coordinate and sample, where the sample is 0, as no image is multisampled. An access
 * chain addresses all others. */
static struct emit_address vk_address(struct emit *e, struct spv_words *w, uint32_t v,
                                      uint32_t base, uint32_t index, const struct emit_part *part)
{
    const struct ir_var *const var = &e->p->vars[v];
    struct emit_address at = {0};
    uint32_t const element = part ? part->type : emit_element_type(e, var);
    uint32_t const zero = emit_const(e, IR_I32, 0);
    uint32_t op = SpvOpAccessChain;
    uint32_t operands[MAX_INDICES] = {base, zero, index}; /* of a block: member 0 is its array */
    uint32_t n = 3;
    switch (var->kind) {
    case VAR_BUFFER:
        at.storage = buffer_storage(e);
        break;
    case VAR_PHYSICAL: /* the base is the variable that holds the block's address */
        at.storage = SpvStorageClassPhysicalStorageBuffer;
        operands[0] = put_address(e, w, v, base);
        break;
    case VAR_LOCAL: /* an array without a block around it */
    case VAR_PRIVATE:
        at.storage = var->kind == VAR_LOCAL ? SpvStorageClassWorkgroup : SpvStorageClassFunction;
        operands[1] = index;
        n = 2;
        break;
    case VAR_IMAGE:
    case VAR_TEXEL:
        at.storage = SpvStorageClassImage;
        op = SpvOpImageTexelPointer;
        operands[1] = put_coordinate(e, w, var, index);
        operands[2] = zero;
        break;
    case VAR_CONSTANT: /* an array of vectors: which vector, then which component */
        at.storage = SpvStorageClassUniform;
        put_vector_index(e, w, var, index, &operands[2]);
        n = 4;
        break;
    case VAR_PUSH:
        at.storage = SpvStorageClassPushConstant;
        break;
    }
    n = put_part(part, operands, n);
    at.pointer = emit_result(e, w, op, emit_pointer_type(e, at.storage, element), operands, n);
    return at;
}

struct emit_address emit_frame_address(struct emit *e, struct spv_words *w, uint32_t v,
                                       uint32_t base, uint32_t index, const struct emit_part *part)
{
    const struct ir_var *const var = &e->p->vars[v];
    return e->p->env == ENV_CL ? cl_address(e, w, var, base, index, part)
                               : vk_address(e, w, v, base, index, part);
}
