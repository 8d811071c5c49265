/* gen/emit/audit_module.c -- a kernel that computes one function in several forms over many arguments. */
#include "gen/emit/audit_module.h"

#include <assert.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"

enum {
    MODULE_MAX_BUFFERS = AUDIT_MODULE_MAX_FORMS + 4,
    VERSION_CL = 0x10000,
    VERSION_VK = 0x10300 /* storage buffers and 16-bit storage without extensions */
};

/* OpenCL.std instructions with a second result behind a pointer, which is not looked at. */
enum cl_pointer {
    CL_FRACT = 30,
    CL_FREXP = 31,
    CL_LGAMMA_R = 36,
    CL_MODF = 45,
    CL_REMQUO = 52,
    CL_SINCOS = 58
};

/* A module in the making. Its ids are of types unless told otherwise. */
struct kernel {
    const struct audit_module *m;
    struct spv_words head, decorations, types, code;
    uint32_t next_id;
    uint32_t void_, u32, u64, flt;
    uint32_t item;    /* of buffers: an integer as wide as flt */
    uint32_t pointer; /* to an item of a buffer */
    uint32_t zero;    /* the constant */
    uint32_t buffer[MODULE_MAX_BUFFERS];
    uint32_t base, gid; /* variables or parameters */
    uint32_t set;       /* of extended instructions */
    uint32_t entry, label;
    uint32_t scratch_flt, scratch_int; /* variables behind pointers; 0: not needed */
};

static uint32_t new_id(struct kernel *k)
{
    return k->next_id++;
}

/* A type: its id comes first. */
static uint32_t put_type(struct kernel *k, uint32_t op, const uint32_t *operands, uint32_t n)
{
    uint32_t words[4] = {new_id(k)};
    assert(n < ARRAY_N(words));
    for (uint32_t i = 0; i < n; i++) {
        words[1 + i] = operands[i];
    }
    spv_put(&k->types, op, words, n + 1);
    return words[0];
}

/* An instruction with a result. */
static uint32_t put_value(struct kernel *k, struct spv_words *to, uint32_t op, uint32_t type,
                          const uint32_t *operands, uint32_t n)
{
    uint32_t words[8] = {type, new_id(k)};
    assert(n + 2 <= ARRAY_N(words));
    for (uint32_t i = 0; i < n; i++) {
        words[2 + i] = operands[i];
    }
    spv_put(to, op, words, n + 2);
    return words[1];
}

static uint32_t put_code(struct kernel *k, uint32_t op, uint32_t type, const uint32_t *operands,
                         uint32_t n)
{
    return put_value(k, &k->code, op, type, operands, n);
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

static void put_capabilities(struct kernel *k)
{
    bool const is_cl = k->m->env == ENV_CL;
    put_capability(k, is_cl ? SpvCapabilityKernel : SpvCapabilityShader);
    if (is_cl) {
        put_capability(k, SpvCapabilityAddresses);
    }
    if (is_cl || k->m->fmt == FMT_F64) {
        put_capability(k, SpvCapabilityInt64);
    }
    if (k->m->fmt == FMT_F16) {
        put_capability(k, SpvCapabilityFloat16);
        put_capability(k, SpvCapabilityInt16);
        if (!is_cl) {
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
    k->set = new_id(k);
    spv_put_string(&k->head, SpvOpExtInstImport, &k->set, 1, is_cl ? "OpenCL.std" : "GLSL.std.450",
                   NULL, 0);
}

static void put_types(struct kernel *k)
{
    uint32_t const n_bits = float_formats[k->m->fmt].n_bits;
    k->void_ = put_type(k, SpvOpTypeVoid, NULL, 0);
    k->u32 = put_type(k, SpvOpTypeInt, (uint32_t[]){32, 0}, 2);
    if (k->m->env == ENV_CL || n_bits == 64) {
        k->u64 = put_type(k, SpvOpTypeInt, (uint32_t[]){64, 0}, 2);
    }
    if (n_bits == 16) {
        k->item = put_type(k, SpvOpTypeInt, (uint32_t[]){16, 0}, 2);
    } else {
        k->item = n_bits == 32 ? k->u32 : k->u64;
    }
    k->flt = put_type(k, SpvOpTypeFloat, &n_bits, 1);
    k->zero = put_value(k, &k->types, SpvOpConstant, k->u32, (uint32_t[]){0}, 1);
}

static uint32_t put_pointer(struct kernel *k, uint32_t storage, uint32_t to)
{
    return put_type(k, SpvOpTypePointer, (uint32_t[]){storage, to}, 2);
}

/* The invocation's id, from a vector of the address width; the variable is given back. */
static uint32_t put_gid(struct kernel *k)
{
    uint32_t const element = k->m->env == ENV_CL ? k->u64 : k->u32;
    uint32_t const vector = put_type(k, SpvOpTypeVector, (uint32_t[]){element, 3}, 2);
    uint32_t const pointer = put_pointer(k, SpvStorageClassInput, vector);
    uint32_t const var =
        put_value(k, &k->types, SpvOpVariable, pointer, (uint32_t[]){SpvStorageClassInput}, 1);
    spv_put(&k->decorations, SpvOpDecorate,
            (uint32_t[]){var, SpvDecorationBuiltIn, SpvBuiltInGlobalInvocationId}, 3);
    uint32_t const value = put_code(k, SpvOpLoad, vector, &var, 1);
    k->gid = put_code(k, SpvOpCompositeExtract, element, (uint32_t[]){value, 0}, 2);
    return var;
}

static void start_function(struct kernel *k, uint32_t type)
{
    spv_put(&k->code, SpvOpFunction, (uint32_t[]){k->void_, k->entry, 0, type}, 4);
}

/* Pointers to buffers and base as parameters. */
static void put_cl_function(struct kernel *k)
{
    uint32_t const n = count_buffers(k->m);
    uint32_t words[MODULE_MAX_BUFFERS + 3];
    k->pointer = put_pointer(k, SpvStorageClassCrossWorkgroup, k->item);
    words[0] = new_id(k);
    words[1] = k->void_;
    for (uint32_t i = 0; i < n; i++) {
        words[2 + i] = k->pointer;
    }
    words[2 + n] = k->u32;
    spv_put(&k->types, SpvOpTypeFunction, words, n + 3);
    start_function(k, words[0]);
    for (uint32_t i = 0; i < n; i++) {
        k->buffer[i] = put_code(k, SpvOpFunctionParameter, k->pointer, NULL, 0);
    }
    k->base = put_code(k, SpvOpFunctionParameter, k->u32, NULL, 0);
    k->label = new_id(k);
    spv_put(&k->code, SpvOpLabel, &k->label, 1);
}

static void decorate_member(struct kernel *k, uint32_t type)
{
    spv_put(&k->decorations, SpvOpDecorate, (uint32_t[]){type, SpvDecorationBlock}, 2);
    spv_put(&k->decorations, SpvOpMemberDecorate, (uint32_t[]){type, 0, SpvDecorationOffset, 0}, 4);
}

static void put_vk_buffers(struct kernel *k)
{
    uint32_t const stride = float_formats[k->m->fmt].n_bits / 8;
    uint32_t const array = put_type(k, SpvOpTypeRuntimeArray, &k->item, 1);
    uint32_t const block = put_type(k, SpvOpTypeStruct, &array, 1);
    uint32_t const whole = put_pointer(k, SpvStorageClassStorageBuffer, block);
    k->pointer = put_pointer(k, SpvStorageClassStorageBuffer, k->item);
    spv_put(&k->decorations, SpvOpDecorate, (uint32_t[]){array, SpvDecorationArrayStride, stride},
            3);
    decorate_member(k, block);
    for (uint32_t i = 0; i < count_buffers(k->m); i++) {
        k->buffer[i] = put_value(k, &k->types, SpvOpVariable, whole,
                                 (uint32_t[]){SpvStorageClassStorageBuffer}, 1);
        spv_put(&k->decorations, SpvOpDecorate,
                (uint32_t[]){k->buffer[i], SpvDecorationDescriptorSet, 0}, 3);
        spv_put(&k->decorations, SpvOpDecorate, (uint32_t[]){k->buffer[i], SpvDecorationBinding, i},
                3);
    }
}

static void put_vk_function(struct kernel *k)
{
    put_vk_buffers(k);
    uint32_t const constants = put_type(k, SpvOpTypeStruct, &k->u32, 1);
    uint32_t const whole = put_pointer(k, SpvStorageClassPushConstant, constants);
    uint32_t const member = put_pointer(k, SpvStorageClassPushConstant, k->u32);
    decorate_member(k, constants);
    uint32_t const var =
        put_value(k, &k->types, SpvOpVariable, whole, (uint32_t[]){SpvStorageClassPushConstant}, 1);
    start_function(k, put_type(k, SpvOpTypeFunction, &k->void_, 1));
    k->label = new_id(k);
    spv_put(&k->code, SpvOpLabel, &k->label, 1);
    uint32_t const at = put_code(k, SpvOpAccessChain, member, (uint32_t[]){var, k->zero}, 2);
    k->base = put_code(k, SpvOpLoad, k->u32, &at, 1);
}

/* Where the invocation's item of buffer i is. */
static uint32_t put_place(struct kernel *k, uint32_t i)
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
    uint32_t words[3] = {put_place(k, i)};
    return put_code(k, SpvOpLoad, k->item, words, add_alignment(k, words, 1));
}

/* The argument that the invocation's number stands for. */
static uint32_t put_counted(struct kernel *k)
{
    uint32_t const low =
        k->m->env == ENV_CL ? put_code(k, SpvOpUConvert, k->u32, &k->gid, 1) : k->gid;
    uint32_t enc = put_code(k, SpvOpIAdd, k->u32, (uint32_t[]){k->base, low}, 2);
    if (k->item != k->u32) {
        enc = put_code(k, SpvOpUConvert, k->item, &enc, 1);
    }
    return put_code(k, SpvOpBitcast, k->flt, &enc, 1);
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
        args[i] = put_code(k, SpvOpBitcast, k->flt, &enc, 1);
    }
    if (m->has_int) {
        uint32_t const wide = put_load(k, m->n_args);
        args[m->n_args] = k->item == k->u32 ? wide : put_code(k, SpvOpSConvert, k->u32, &wide, 1);
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
        uint32_t const pointer = put_pointer(k, storage, k->flt);
        k->scratch_flt = put_code(k, SpvOpVariable, pointer, &storage, 1);
    }
    if (kinds & POINTER_INT) {
        uint32_t const pointer = put_pointer(k, storage, k->u32);
        k->scratch_int = put_code(k, SpvOpVariable, pointer, &storage, 1);
    }
}

static uint32_t put_operation(struct kernel *k, const struct audit_module_form *f,
                              const uint32_t *args, uint32_t n_args)
{
    if (f->op >> 16 == OP_SET_core) {
        return put_code(k, f->op & 0xffff, k->flt, args, n_args);
    }
    uint32_t words[7] = {k->set, f->op & 0xffff};
    memcpy(words + 2, args, n_args * sizeof *args);
    uint32_t n = 2 + n_args;
    enum pointer_kind const kind = get_pointer_kind(k, f->op);
    if (kind != POINTER_NONE) {
        words[n++] = kind == POINTER_FLOAT ? k->scratch_flt : k->scratch_int;
    }
    return put_code(k, SpvOpExtInst, k->flt, words, n);
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
            spv_put(&k->decorations, SpvOpDecorate,
                    (uint32_t[]){value, SPV_DEC_FP_MAX_ERROR_INTEL, f->max_error}, 3);
        }
        uint32_t const enc = put_code(k, SpvOpBitcast, k->item, &value, 1);
        uint32_t words[4] = {put_place(k, first + i), enc};
        uint32_t const n = add_alignment(k, words, 2);
        spv_put(&k->code, SpvOpStore, words, n);
    }
    spv_put(&k->code, SpvOpReturn, NULL, 0);
    spv_put(&k->code, SpvOpFunctionEnd, NULL, 0);
}

/* What stands between the capabilities and the decorations. */
static void put_frame(struct kernel *k, uint32_t gid_variable)
{
    bool const is_cl = k->m->env == ENV_CL;
    uint32_t const model[2] = {
        is_cl ? (uint32_t)SpvAddressingModelPhysical64 : (uint32_t)SpvAddressingModelLogical,
        is_cl ? (uint32_t)SpvMemoryModelOpenCL : (uint32_t)SpvMemoryModelGLSL450};
    uint32_t const entry[2] = {
        is_cl ? (uint32_t)SpvExecutionModelKernel : (uint32_t)SpvExecutionModelGLCompute, k->entry};
    spv_put(&k->head, SpvOpMemoryModel, model, 2);
    spv_put_string(&k->head, SpvOpEntryPoint, entry, 2, AUDIT_MODULE_ENTRY, &gid_variable, 1);
    if (is_cl) {
        spv_put(&k->head, SpvOpExecutionMode,
                (uint32_t[]){k->entry, SpvExecutionModeContractionOff}, 2);
    } else {
        spv_put(&k->head, SpvOpExecutionMode,
                (uint32_t[]){k->entry, SpvExecutionModeLocalSize, AUDIT_MODULE_LOCAL, 1, 1}, 5);
    }
}

const uint32_t *audit_module_build(const struct audit_module *m, struct arena *a, uint32_t *n_words)
{
    struct kernel k = {.m = m, .next_id = 1};
    struct spv_words *const parts[] = {&k.head, &k.decorations, &k.types, &k.code};
    struct spv_words all;
    assert(m->n_forms > 0 && m->n_forms <= AUDIT_MODULE_MAX_FORMS && m->n_args <= 3);
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        spv_words_init(parts[i], a);
    }
    spv_words_init(&all, a);
    k.entry = new_id(&k);
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
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        spv_append(&all, parts[i]);
    }
    uint32_t *const words = all.ok ? ARENA_NEW(a, uint32_t, SPV_HEADER_WORDS + all.n) : NULL;
    if (!words) {
        return NULL;
    }
    uint32_t const header[SPV_HEADER_WORDS] = {
        SpvMagicNumber, m->env == ENV_CL ? VERSION_CL : VERSION_VK, 0, k.next_id, 0};
    memcpy(words, header, sizeof header);
    memcpy(words + SPV_HEADER_WORDS, all.w, all.n * sizeof *words);
    *n_words = SPV_HEADER_WORDS + all.n;
    return words;
}
