/* gen/emit/audit_module.c -- a kernel that computes one function in several forms over many arguments. */
#include "gen/emit/audit_module.h"

#include <assert.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"
#include "gen/emit/emit.h"

enum {
    MODULE_MAX_BUFFERS = AUDIT_MODULE_MAX_FORMS + 4,
    VERSION_CL = IR_SPIRV_1_0,
    VERSION_VK = IR_SPIRV_1_3 /* storage buffers and 16-bit storage without extensions */
};

/* OpenCL.std instructions with a second result through a pointer, which is not looked at. */
enum cl_pointer {
    CL_FRACT = 30,
    CL_FREXP = 31,
    CL_LGAMMA_R = 36,
    CL_MODF = 45,
    CL_REMQUO = 52,
    CL_SINCOS = 58
};

/* A module in the making. */
struct kernel {
    const struct audit_module *m;
    struct emit *e;
    struct spv_words head;
    enum ir_type flt;
    enum ir_type item;                   /* of buffers: an integer as wide as flt */
    uint32_t pointer;                    /* type of a pointer to an item of a buffer */
    uint32_t buffer[MODULE_MAX_BUFFERS]; /* variables or parameters */
    uint32_t base, gid, zero;            /* values */
    uint32_t set;                        /* of extended instructions */
    uint32_t label;
    uint32_t scratch_flt, scratch_int; /* variables that pointers lead to; 0: not needed */
};

/* A type that is used once: its id comes first. */
static uint32_t put_type(struct kernel *k, uint32_t op, const uint32_t *operands, uint32_t n)
{
    uint32_t words[MODULE_MAX_BUFFERS + 3] = {emit_new_id(k->e)};
    assert(n < ARRAY_N(words));
    memcpy(words + 1, operands, n * sizeof *operands);
    spv_put(&k->e->types, op, words, n + 1);
    return words[0];
}

static uint32_t put_variable(struct kernel *k, uint32_t storage, uint32_t pointee)
{
    uint32_t const pointer = emit_pointer_type(k->e, storage, pointee);
    return emit_result(k->e, &k->e->types, SpvOpVariable, pointer, &storage, 1);
}

/* An instruction of the entry function. */
static uint32_t put_code(struct kernel *k, uint32_t op, uint32_t type, const uint32_t *operands,
                         uint32_t n)
{
    return emit_result(k->e, &k->e->main, op, type, operands, n);
}

uint32_t audit_module_inputs(const struct audit_module *m)
{
    return m->has_inputs ? m->n_args + (m->has_int ? 1 : 0) : 0;
}

static uint32_t count_buffers(const struct audit_module *m)
{
    return audit_module_inputs(m) + m->n_forms;
}

struct needs audit_module_needs(enum env env, enum fmt_id fmt)
{
    struct needs n = {{0}};
    bool const is_cl = env == ENV_CL;
    if (fmt == FMT_F32) {
        return n;
    }
    if (is_cl) {
        needs_add(&n, fmt == FMT_F16 ? NEED_CL_F16 : NEED_CL_F64);
    } else if (fmt == FMT_F16) {
        needs_add(&n, NEED_VK_F16);
        needs_add(&n, NEED_VK_I16);
        needs_add(&n, NEED_VK_16BIT_STORAGE);
    } else {
        needs_add(&n, NEED_VK_F64);
        needs_add(&n, NEED_VK_I64);
    }
    return n;
}

static bool is_any_decorated(const struct audit_module *m)
{
    for (uint32_t i = 0; i < m->n_forms; i++) {
        if (m->forms[i].is_decorated) {
            return true;
        }
    }
    return false;
}

static void put_capability(struct kernel *k, uint32_t capability)
{
    spv_put(&k->head, SpvOpCapability, &capability, 1);
}

/* Declares the capabilities of the kernel, and imports the extended instruction set of its environment
 * (k->set). Int64 is for sizes in OpenCL and for the bits of f64, which buffers hold as integers; Int16 is
 * for the bits of f16. */
static void put_capabilities(struct kernel *k)
{
    bool const is_cl = k->m->env == ENV_CL;
    put_capability(k, is_cl ? SpvCapabilityKernel : SpvCapabilityShader);
    if (is_cl) { /* physical addressing */
        put_capability(k, SpvCapabilityAddresses);
    }
    if (is_cl || k->m->fmt == FMT_F64) {
        put_capability(k, SpvCapabilityInt64);
    }
    if (k->m->fmt == FMT_F16) {
        put_capability(k, SpvCapabilityFloat16);
        put_capability(k, SpvCapabilityInt16);
        if (!is_cl) { /* for buffers of 16-bit numbers; OpenCL's need nothing more */
            put_capability(k, SpvCapabilityStorageBuffer16BitAccess);
        }
    }
    if (k->m->fmt == FMT_F64) {
        put_capability(k, SpvCapabilityFloat64);
    }
    if (is_any_decorated(k->m)) {
        put_capability(k, SPV_CAP_FP_MAX_ERROR_INTEL);
        spv_put_string(&k->head, SpvOpExtension, NULL, 0, "SPV_INTEL_fp_max_error", NULL, 0);
    }
    k->set = emit_set(k->e, is_cl ? OP_SET_opencl_std : OP_SET_glsl450);
    spv_put_string(&k->head, SpvOpExtInstImport, &k->set, 1, is_cl ? "OpenCL.std" : "GLSL.std.450",
                   NULL, 0);
}

/* Ids are numbered in the order in which types are first asked for. */
static void put_types(struct kernel *k)
{
    uint32_t const n_bits = float_formats[k->m->fmt].n_bits;
    k->flt = (enum ir_type)(IR_F16 + (unsigned)k->m->fmt);
    k->item = ir_type_as_int(k->flt);
    (void)emit_type(k->e, IR_VOID);
    (void)emit_type(k->e, IR_I32);
    if (k->m->env == ENV_CL || n_bits == 64) {
        (void)emit_type(k->e, IR_I64);
    }
    (void)emit_type(k->e, k->item);
    (void)emit_type(k->e, k->flt);
    k->zero = emit_const(k->e, IR_I32, 0);
}

/* The invocation's id, from a vector of the address width; the variable is given back. */
static uint32_t put_gid(struct kernel *k)
{
    enum ir_type const component = k->m->env == ENV_CL ? IR_I64 : IR_I32;
    uint32_t const vector = emit_vector(k->e, component, 3);
    uint32_t const var = put_variable(k, SpvStorageClassInput, vector);
    uint32_t const builtin = SpvBuiltInGlobalInvocationId;
    emit_decorate(k->e, var, SpvDecorationBuiltIn, &builtin);
    uint32_t const value = put_code(k, SpvOpLoad, vector, &var, 1);
    k->gid =
        put_code(k, SpvOpCompositeExtract, emit_type(k->e, component), (uint32_t[]){value, 0}, 2);
    return var;
}

static void start_function(struct kernel *k, uint32_t type)
{
    spv_put(&k->e->main, SpvOpFunction,
            (uint32_t[]){emit_type(k->e, IR_VOID), k->e->entry, 0, type}, 4);
}

static void put_label(struct kernel *k)
{
    k->label = emit_new_id(k->e);
    spv_put(&k->e->main, SpvOpLabel, &k->label, 1);
}

/* Pointers to buffers and base as parameters. */
static void put_cl_function(struct kernel *k)
{
    uint32_t const n = count_buffers(k->m);
    uint32_t words[MODULE_MAX_BUFFERS + 2] = {emit_type(k->e, IR_VOID)};
    k->pointer = emit_pointer_type(k->e, SpvStorageClassCrossWorkgroup, emit_type(k->e, k->item));
    for (uint32_t i = 0; i < n; i++) {
        words[1 + i] = k->pointer;
    }
    words[1 + n] = emit_type(k->e, IR_I32);
    start_function(k, put_type(k, SpvOpTypeFunction, words, n + (k->m->is_case ? 1 : 2)));
    for (uint32_t i = 0; i < n; i++) {
        k->buffer[i] = put_code(k, SpvOpFunctionParameter, k->pointer, NULL, 0);
    }
    if (!k->m->is_case) {
        k->base = put_code(k, SpvOpFunctionParameter, emit_type(k->e, IR_I32), NULL, 0);
    }
    put_label(k);
}

/* struct { member; }, with its layout. */
static uint32_t put_block(struct kernel *k, uint32_t member)
{
    uint32_t const block = put_type(k, SpvOpTypeStruct, &member, 1);
    emit_decorate(k->e, block, SpvDecorationBlock, NULL);
    spv_put(&k->e->decorations, SpvOpMemberDecorate, (uint32_t[]){block, 0, SpvDecorationOffset, 0},
            4);
    return block;
}

static void put_vk_buffers(struct kernel *k)
{
    uint32_t const stride = float_formats[k->m->fmt].n_bits / 8;
    uint32_t const item = emit_type(k->e, k->item);
    uint32_t const set = 0;
    uint32_t const array = put_type(k, SpvOpTypeRuntimeArray, &item, 1);
    emit_decorate(k->e, array, SpvDecorationArrayStride, &stride);
    uint32_t const block = put_block(k, array);
    (void)emit_pointer_type(k->e, SpvStorageClassStorageBuffer, block);
    k->pointer = emit_pointer_type(k->e, SpvStorageClassStorageBuffer, item);
    for (uint32_t i = 0; i < count_buffers(k->m); i++) {
        k->buffer[i] = put_variable(k, SpvStorageClassStorageBuffer, block);
        emit_decorate(k->e, k->buffer[i], SpvDecorationDescriptorSet, &set);
        emit_decorate(k->e, k->buffer[i], SpvDecorationBinding, &i);
    }
}

static void start_vk_function(struct kernel *k)
{
    uint32_t const void_type = emit_type(k->e, IR_VOID);
    start_function(k, put_type(k, SpvOpTypeFunction, &void_type, 1));
    put_label(k);
}

static void put_vk_function(struct kernel *k)
{
    put_vk_buffers(k);
    if (k->m->is_case) {
        start_vk_function(k);
        return;
    }
    uint32_t const u32 = emit_type(k->e, IR_I32);
    uint32_t const constants = put_block(k, u32);
    (void)emit_pointer_type(k->e, SpvStorageClassPushConstant, constants);
    uint32_t const member = emit_pointer_type(k->e, SpvStorageClassPushConstant, u32);
    uint32_t const var = put_variable(k, SpvStorageClassPushConstant, constants);
    start_vk_function(k);
    uint32_t const at = put_code(k, SpvOpAccessChain, member, (uint32_t[]){var, k->zero}, 2);
    k->base = put_code(k, SpvOpLoad, u32, &at, 1);
}

/* Where the invocation's item of buffer i is. */
static uint32_t put_pointer(struct kernel *k, uint32_t i)
{
    if (k->m->env == ENV_CL) {
        return put_code(k, SpvOpInBoundsPtrAccessChain, k->pointer,
                        (uint32_t[]){k->buffer[i], k->gid}, 2);
    }
    return put_code(k, SpvOpAccessChain, k->pointer, (uint32_t[]){k->buffer[i], k->zero, k->gid},
                    3);
}

/* How OpenCL's physical addresses are aligned; Vulkan's need no word. */
static uint32_t add_alignment(const struct kernel *k, uint32_t *words, uint32_t n)
{
    if (k->m->env == ENV_CL) {
        words[n++] = SpvMemoryAccessAlignedMask;
        words[n++] = float_formats[k->m->fmt].n_bits / 8;
    }
    return n;
}

static uint32_t put_load(struct kernel *k, uint32_t i)
{
    uint32_t words[3] = {put_pointer(k, i)};
    return put_code(k, SpvOpLoad, emit_type(k->e, k->item), words, add_alignment(k, words, 1));
}

/* The argument that the invocation's number stands for. */
static uint32_t put_counted(struct kernel *k)
{
    uint32_t const low = k->m->env == ENV_CL
                             ? put_code(k, SpvOpUConvert, emit_type(k->e, IR_I32), &k->gid, 1)
                             : k->gid;
    uint32_t enc = put_code(k, SpvOpIAdd, emit_type(k->e, IR_I32), (uint32_t[]){k->base, low}, 2);
    if (k->item != IR_I32) {
        enc = put_code(k, SpvOpUConvert, emit_type(k->e, k->item), &enc, 1);
    }
    return put_code(k, SpvOpBitcast, emit_type(k->e, k->flt), &enc, 1);
}

static uint32_t put_arguments(struct kernel *k, uint32_t *args)
{
    const struct audit_module *const m = k->m;
    if (!m->has_inputs) {
        args[0] = put_counted(k);
        return 1;
    }
    for (uint32_t i = 0; i < m->n_args; i++) {
        uint32_t const enc = put_load(k, i);
        args[i] = put_code(k, SpvOpBitcast, emit_type(k->e, k->flt), &enc, 1);
    }
    if (m->has_int) {
        uint32_t const wide = put_load(k, m->n_args);
        args[m->n_args] = k->item == IR_I32
                              ? wide
                              : put_code(k, SpvOpSConvert, emit_type(k->e, IR_I32), &wide, 1);
    }
    return m->n_args + (m->has_int ? 1 : 0);
}

/* What a pointer that follows the arguments points to. */
enum pointer_kind {
    POINTER_NONE = 0,
    POINTER_FLOAT = 1,
    POINTER_INT = 2
};

static enum pointer_kind get_pointer_kind(const struct kernel *k, uint32_t op)
{
    if (k->m->env != ENV_CL || op >> 16 == OP_SET_core) {
        return POINTER_NONE;
    }
    switch (op & 0xffff) {
    case CL_FRACT:
    case CL_MODF:
    case CL_SINCOS:
        return POINTER_FLOAT;
    case CL_FREXP:
    case CL_LGAMMA_R:
    case CL_REMQUO:
        return POINTER_INT;
    default:
        return POINTER_NONE;
    }
}

/* Variables come before everything else of the function. */
static void put_scratch(struct kernel *k)
{
    unsigned kinds = 0;
    for (uint32_t i = 0; i < k->m->n_forms; i++) {
        kinds |= get_pointer_kind(k, k->m->forms[i].op);
    }
    uint32_t const storage = SpvStorageClassFunction;
    if (kinds & POINTER_FLOAT) {
        uint32_t const pointer = emit_pointer_type(k->e, storage, emit_type(k->e, k->flt));
        k->scratch_flt = put_code(k, SpvOpVariable, pointer, &storage, 1);
    }
    if (kinds & POINTER_INT) {
        uint32_t const pointer = emit_pointer_type(k->e, storage, emit_type(k->e, IR_I32));
        k->scratch_int = put_code(k, SpvOpVariable, pointer, &storage, 1);
    }
}

static uint32_t put_operation(struct kernel *k, const struct audit_module_form *f,
                              const uint32_t *args, uint32_t n_args)
{
    if (f->op >> 16 == OP_SET_core) {
        return put_code(k, f->op & 0xffff, emit_type(k->e, k->flt), args, n_args);
    }
    uint32_t words[7] = {k->set, f->op & 0xffff};
    memcpy(words + 2, args, n_args * sizeof *args);
    uint32_t n = 2 + n_args;
    enum pointer_kind const kind = get_pointer_kind(k, f->op);
    if (kind != POINTER_NONE) {
        words[n++] = kind == POINTER_FLOAT ? k->scratch_flt : k->scratch_int;
    }
    return put_code(k, SpvOpExtInst, emit_type(k->e, k->flt), words, n);
}

static void put_forms(struct kernel *k)
{
    uint32_t args[4] = {0};
    uint32_t const n_args = put_arguments(k, args);
    uint32_t const first = audit_module_inputs(k->m);
    for (uint32_t i = 0; i < k->m->n_forms; i++) {
        const struct audit_module_form *const f = &k->m->forms[i];
        uint32_t const value = put_operation(k, f, args, n_args);
        if (f->is_decorated) {
            emit_decorate(k->e, value, SPV_DEC_FP_MAX_ERROR_INTEL, &f->max_error);
        }
        uint32_t const enc = put_code(k, SpvOpBitcast, emit_type(k->e, k->item), &value, 1);
        uint32_t words[4] = {put_pointer(k, first + i), enc};
        uint32_t const n = add_alignment(k, words, 2);
        spv_put(&k->e->main, SpvOpStore, words, n);
    }
    spv_put(&k->e->main, SpvOpReturn, NULL, 0);
    spv_put(&k->e->main, SpvOpFunctionEnd, NULL, 0);
}

/* What stands between the capabilities and the decorations. */
static void put_frame(struct kernel *k, uint32_t gid_variable)
{
    bool const is_cl = k->m->env == ENV_CL;
    uint32_t const model[2] = {
        is_cl ? (uint32_t)SpvAddressingModelPhysical64 : (uint32_t)SpvAddressingModelLogical,
        is_cl ? (uint32_t)SpvMemoryModelOpenCL : (uint32_t)SpvMemoryModelGLSL450};
    uint32_t const entry[2] = {is_cl ? (uint32_t)SpvExecutionModelKernel
                                     : (uint32_t)SpvExecutionModelGLCompute,
                               k->e->entry};
    spv_put(&k->head, SpvOpMemoryModel, model, 2);
    spv_put_string(&k->head, SpvOpEntryPoint, entry, 2, AUDIT_MODULE_ENTRY, &gid_variable, 1);
    if (is_cl) {
        spv_put(&k->head, SpvOpExecutionMode,
                (uint32_t[]){k->e->entry, SpvExecutionModeContractionOff}, 2);
    } else {
        spv_put(&k->head, SpvOpExecutionMode,
                (uint32_t[]){k->e->entry, SpvExecutionModeLocalSize,
                             k->m->local ? k->m->local : AUDIT_MODULE_LOCAL, 1, 1},
                5);
    }
}

enum {
    KERNEL_PARTS = 4
};

/* Builds the module of an audit; returns its *n_words words, or NULL where the arena is full. The parts are
 * written into lists of their own and joined at the end. The frame (entry point and modes) is written last,
 * though it belongs to the head, as the entry point names the variable of the invocation's id. */
const uint32_t *audit_module_build(const struct audit_module *m, struct arena *a, uint32_t *n_words)
{
    /* emit wants a program: this one has no variables and no instructions */
    struct ir_program plain = {
        .a = a, .env = m->env, .version = m->env == ENV_CL ? VERSION_CL : VERSION_VK};
    struct emit *const e = ARENA_NEW(a, struct emit, 1);
    if (!e) {
        return NULL;
    }
    struct kernel k = {.m = m, .e = e};
    struct spv_words *const parts[KERNEL_PARTS] = {&k.head, &e->decorations, &e->types, &e->main};
    assert(!m->is_case || m->has_inputs);
    assert(m->n_forms > 0 && m->n_forms <= AUDIT_MODULE_MAX_FORMS && m->n_args <= 3);
    for (size_t i = 0; i < KERNEL_PARTS; i++) {
        spv_words_init(parts[i], a);
    }
    e->p = &plain;
    e->next_id = 1; /* 0 is no id */
    e->entry = emit_new_id(e);
    put_capabilities(&k);
    put_types(&k);
    if (m->env == ENV_CL) {
        put_cl_function(&k);
        put_scratch(&k);
    } else {
        put_vk_function(&k);
    }
    uint32_t const gid = put_gid(&k);
    put_forms(&k);
    put_frame(&k, gid);
    return emit_join(e, (const struct spv_words *const *)parts, KERNEL_PARTS, n_words);
}
