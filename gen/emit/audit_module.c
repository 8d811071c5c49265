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

struct build {
    const struct audit_module *m;
    struct spv_words head, decorations, types, code;
    uint32_t next_id;
    uint32_t void_, u32, u64, item, flt, zero;
    uint32_t pointer; /* to an item of a buffer */
    uint32_t buffer[MODULE_MAX_BUFFERS];
    uint32_t base, gid; /* variables or parameters */
    uint32_t set;       /* of extended instructions */
    uint32_t entry, label;
    uint32_t scratch_flt, scratch_int; /* variables behind pointers; 0: not needed */
};

static uint32_t new_id(struct build *b)
{
    return b->next_id++;
}

/* A type: its id comes first. */
static uint32_t put_type(struct build *b, uint32_t op, const uint32_t *operands, uint32_t n)
{
    uint32_t words[4] = {new_id(b)};
    assert(n < ARRAY_N(words));
    for (uint32_t i = 0; i < n; i++) {
        words[1 + i] = operands[i];
    }
    spv_put(&b->types, op, words, n + 1);
    return words[0];
}

/* An instruction with a result. */
static uint32_t put_value(struct build *b, struct spv_words *to, uint32_t op, uint32_t type,
                          const uint32_t *operands, uint32_t n)
{
    uint32_t words[8] = {type, new_id(b)};
    assert(n + 2 <= ARRAY_N(words));
    for (uint32_t i = 0; i < n; i++) {
        words[2 + i] = operands[i];
    }
    spv_put(to, op, words, n + 2);
    return words[1];
}

static uint32_t put_code(struct build *b, uint32_t op, uint32_t type, const uint32_t *operands,
                         uint32_t n)
{
    return put_value(b, &b->code, op, type, operands, n);
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
    switch (fmt) {
    case FMT_F16:
        needs_add(&n, is_cl ? NEED_CL_F16 : NEED_VK_F16);
        if (!is_cl) {
            needs_add(&n, NEED_VK_I16);
            needs_add(&n, NEED_VK_16BIT_STORAGE);
        }
        break;
    case FMT_F32:
        break;
    case FMT_F64:
        needs_add(&n, is_cl ? NEED_CL_F64 : NEED_VK_F64);
        if (!is_cl) {
            needs_add(&n, NEED_VK_I64);
        }
        break;
    }
    return n;
}

static bool is_any_decorated(const struct audit_module *m)
{
    int is_any = 0;
    for (uint32_t i = 0; i < m->n_forms; i++) {
        is_any |= m->forms[i].is_decorated;
    }
    return is_any;
}

static void put_capability(struct build *b, uint32_t capability)
{
    spv_put(&b->head, SpvOpCapability, &capability, 1);
}

static void put_capabilities(struct build *b)
{
    bool const is_cl = b->m->env == ENV_CL;
    put_capability(b, is_cl ? SpvCapabilityKernel : SpvCapabilityShader);
    if (is_cl) {
        put_capability(b, SpvCapabilityAddresses);
    }
    if (is_cl || b->m->fmt == FMT_F64) {
        put_capability(b, SpvCapabilityInt64);
    }
    if (b->m->fmt == FMT_F16) {
        put_capability(b, SpvCapabilityFloat16);
        put_capability(b, SpvCapabilityInt16);
        if (!is_cl) {
            put_capability(b, SpvCapabilityStorageBuffer16BitAccess);
        }
    }
    if (b->m->fmt == FMT_F64) {
        put_capability(b, SpvCapabilityFloat64);
    }
    if (is_any_decorated(b->m)) {
        put_capability(b, SPV_CAP_FP_MAX_ERROR_INTEL);
        spv_put_string(&b->head, SpvOpExtension, NULL, 0, "SPV_INTEL_fp_max_error", NULL, 0);
    }
    b->set = new_id(b);
    spv_put_string(&b->head, SpvOpExtInstImport, &b->set, 1, is_cl ? "OpenCL.std" : "GLSL.std.450",
                   NULL, 0);
}

static void put_types(struct build *b)
{
    uint32_t const n_bits = float_formats[b->m->fmt].n_bits;
    b->void_ = put_type(b, SpvOpTypeVoid, NULL, 0);
    b->u32 = put_type(b, SpvOpTypeInt, (uint32_t[]){32, 0}, 2);
    if (b->m->env == ENV_CL || n_bits == 64) {
        b->u64 = put_type(b, SpvOpTypeInt, (uint32_t[]){64, 0}, 2);
    }
    b->item = n_bits == 64   ? b->u64
              : n_bits == 32 ? b->u32
                             : put_type(b, SpvOpTypeInt, (uint32_t[]){16, 0}, 2);
    b->flt = put_type(b, SpvOpTypeFloat, &n_bits, 1);
    b->zero = put_value(b, &b->types, SpvOpConstant, b->u32, (uint32_t[]){0}, 1);
}

static uint32_t put_pointer(struct build *b, uint32_t storage, uint32_t to)
{
    return put_type(b, SpvOpTypePointer, (uint32_t[]){storage, to}, 2);
}

/* The invocation's id, from a vector of the address width; the variable is given back. */
static uint32_t put_gid(struct build *b)
{
    uint32_t const element = b->m->env == ENV_CL ? b->u64 : b->u32;
    uint32_t const vector = put_type(b, SpvOpTypeVector, (uint32_t[]){element, 3}, 2);
    uint32_t const pointer = put_pointer(b, SpvStorageClassInput, vector);
    uint32_t const var =
        put_value(b, &b->types, SpvOpVariable, pointer, (uint32_t[]){SpvStorageClassInput}, 1);
    spv_put(&b->decorations, SpvOpDecorate,
            (uint32_t[]){var, SpvDecorationBuiltIn, SpvBuiltInGlobalInvocationId}, 3);
    uint32_t const value = put_code(b, SpvOpLoad, vector, &var, 1);
    b->gid = put_code(b, SpvOpCompositeExtract, element, (uint32_t[]){value, 0}, 2);
    return var;
}

static void start_function(struct build *b, uint32_t type)
{
    spv_put(&b->code, SpvOpFunction, (uint32_t[]){b->void_, b->entry, 0, type}, 4);
}

/* Pointers to buffers and base as parameters. */
static void put_cl_function(struct build *b)
{
    uint32_t const n = count_buffers(b->m);
    uint32_t words[MODULE_MAX_BUFFERS + 3];
    b->pointer = put_pointer(b, SpvStorageClassCrossWorkgroup, b->item);
    words[0] = new_id(b);
    words[1] = b->void_;
    for (uint32_t i = 0; i < n; i++) {
        words[2 + i] = b->pointer;
    }
    words[2 + n] = b->u32;
    spv_put(&b->types, SpvOpTypeFunction, words, n + 3);
    start_function(b, words[0]);
    for (uint32_t i = 0; i < n; i++) {
        b->buffer[i] = put_code(b, SpvOpFunctionParameter, b->pointer, NULL, 0);
    }
    b->base = put_code(b, SpvOpFunctionParameter, b->u32, NULL, 0);
    b->label = new_id(b);
    spv_put(&b->code, SpvOpLabel, &b->label, 1);
}

static void decorate_member(struct build *b, uint32_t type)
{
    spv_put(&b->decorations, SpvOpDecorate, (uint32_t[]){type, SpvDecorationBlock}, 2);
    spv_put(&b->decorations, SpvOpMemberDecorate, (uint32_t[]){type, 0, SpvDecorationOffset, 0}, 4);
}

static void put_vk_buffers(struct build *b)
{
    uint32_t const stride = float_formats[b->m->fmt].n_bits / 8;
    uint32_t const array = put_type(b, SpvOpTypeRuntimeArray, &b->item, 1);
    uint32_t const block = put_type(b, SpvOpTypeStruct, &array, 1);
    uint32_t const whole = put_pointer(b, SpvStorageClassStorageBuffer, block);
    b->pointer = put_pointer(b, SpvStorageClassStorageBuffer, b->item);
    spv_put(&b->decorations, SpvOpDecorate, (uint32_t[]){array, SpvDecorationArrayStride, stride},
            3);
    decorate_member(b, block);
    for (uint32_t i = 0; i < count_buffers(b->m); i++) {
        b->buffer[i] = put_value(b, &b->types, SpvOpVariable, whole,
                                 (uint32_t[]){SpvStorageClassStorageBuffer}, 1);
        spv_put(&b->decorations, SpvOpDecorate,
                (uint32_t[]){b->buffer[i], SpvDecorationDescriptorSet, 0}, 3);
        spv_put(&b->decorations, SpvOpDecorate, (uint32_t[]){b->buffer[i], SpvDecorationBinding, i},
                3);
    }
}

static void put_vk_function(struct build *b)
{
    put_vk_buffers(b);
    uint32_t const constants = put_type(b, SpvOpTypeStruct, &b->u32, 1);
    uint32_t const whole = put_pointer(b, SpvStorageClassPushConstant, constants);
    uint32_t const member = put_pointer(b, SpvStorageClassPushConstant, b->u32);
    decorate_member(b, constants);
    uint32_t const var =
        put_value(b, &b->types, SpvOpVariable, whole, (uint32_t[]){SpvStorageClassPushConstant}, 1);
    start_function(b, put_type(b, SpvOpTypeFunction, &b->void_, 1));
    b->label = new_id(b);
    spv_put(&b->code, SpvOpLabel, &b->label, 1);
    uint32_t const at = put_code(b, SpvOpAccessChain, member, (uint32_t[]){var, b->zero}, 2);
    b->base = put_code(b, SpvOpLoad, b->u32, &at, 1);
}

/* Where the invocation's item of buffer i is. */
static uint32_t put_place(struct build *b, uint32_t i)
{
    if (b->m->env == ENV_CL) {
        return put_code(b, SpvOpInBoundsPtrAccessChain, b->pointer,
                        (uint32_t[]){b->buffer[i], b->gid}, 2);
    }
    return put_code(b, SpvOpAccessChain, b->pointer, (uint32_t[]){b->buffer[i], b->zero, b->gid},
                    3);
}

/* How OpenCL's physical addresses are aligned; Vulkan's need no word. */
static uint32_t add_alignment(const struct build *b, uint32_t *words, uint32_t n)
{
    if (b->m->env == ENV_CL) {
        words[n++] = SpvMemoryAccessAlignedMask;
        words[n++] = float_formats[b->m->fmt].n_bits / 8;
    }
    return n;
}

static uint32_t put_load(struct build *b, uint32_t i)
{
    uint32_t words[3] = {put_place(b, i)};
    return put_code(b, SpvOpLoad, b->item, words, add_alignment(b, words, 1));
}

/* The argument that the invocation's number stands for. */
static uint32_t put_counted(struct build *b)
{
    uint32_t const low =
        b->m->env == ENV_CL ? put_code(b, SpvOpUConvert, b->u32, &b->gid, 1) : b->gid;
    uint32_t enc = put_code(b, SpvOpIAdd, b->u32, (uint32_t[]){b->base, low}, 2);
    if (b->item != b->u32) {
        enc = put_code(b, SpvOpUConvert, b->item, &enc, 1);
    }
    return put_code(b, SpvOpBitcast, b->flt, &enc, 1);
}

static uint32_t put_arguments(struct build *b, uint32_t *args)
{
    const struct audit_module *const m = b->m;
    if (!m->has_inputs) {
        args[0] = put_counted(b);
        return 1;
    }
    for (uint32_t i = 0; i < m->n_args; i++) {
        uint32_t const enc = put_load(b, i);
        args[i] = put_code(b, SpvOpBitcast, b->flt, &enc, 1);
    }
    if (m->has_int) {
        uint32_t const wide = put_load(b, m->n_args);
        args[m->n_args] = b->item == b->u32 ? wide : put_code(b, SpvOpSConvert, b->u32, &wide, 1);
    }
    return m->n_args + (m->has_int ? 1 : 0);
}

/* 1: a pointer to a float follows the arguments, 2: to an integer, 0: nothing. */
static int get_pointer_kind(const struct build *b, uint32_t op)
{
    if (b->m->env != ENV_CL || op >> 16 == OP_SET_core) {
        return 0;
    }
    switch (op & 0xffff) {
    case CL_FRACT:
    case CL_MODF:
    case CL_SINCOS:
        return 1;
    case CL_FREXP:
    case CL_LGAMMA_R:
    case CL_REMQUO:
        return 2;
    default:
        return 0;
    }
}

/* Variables come before everything else of the function. */
static void put_scratch(struct build *b)
{
    int kinds = 0;
    for (uint32_t i = 0; i < b->m->n_forms; i++) {
        kinds |= get_pointer_kind(b, b->m->forms[i].op);
    }
    uint32_t const storage = SpvStorageClassFunction;
    if (kinds & 1) {
        uint32_t const pointer = put_pointer(b, storage, b->flt);
        b->scratch_flt = put_code(b, SpvOpVariable, pointer, &storage, 1);
    }
    if (kinds & 2) {
        uint32_t const pointer = put_pointer(b, storage, b->u32);
        b->scratch_int = put_code(b, SpvOpVariable, pointer, &storage, 1);
    }
}

static uint32_t put_operation(struct build *b, const struct audit_module_form *f,
                              const uint32_t *args, uint32_t n_args)
{
    if (f->op >> 16 == OP_SET_core) {
        return put_code(b, f->op & 0xffff, b->flt, args, n_args);
    }
    uint32_t words[7] = {b->set, f->op & 0xffff};
    memcpy(words + 2, args, n_args * sizeof *args);
    uint32_t n = 2 + n_args;
    int const kind = get_pointer_kind(b, f->op);
    if (kind) {
        words[n++] = kind == 1 ? b->scratch_flt : b->scratch_int;
    }
    return put_code(b, SpvOpExtInst, b->flt, words, n);
}

static void put_forms(struct build *b)
{
    uint32_t args[4] = {0};
    uint32_t const n_args = put_arguments(b, args);
    uint32_t const first = audit_module_inputs(b->m);
    for (uint32_t i = 0; i < b->m->n_forms; i++) {
        const struct audit_module_form *const f = &b->m->forms[i];
        uint32_t const value = put_operation(b, f, args, n_args);
        if (f->is_decorated) {
            spv_put(&b->decorations, SpvOpDecorate,
                    (uint32_t[]){value, SPV_DEC_FP_MAX_ERROR_INTEL, f->max_error}, 3);
        }
        uint32_t const enc = put_code(b, SpvOpBitcast, b->item, &value, 1);
        uint32_t words[4] = {put_place(b, first + i), enc};
        uint32_t const n = add_alignment(b, words, 2);
        spv_put(&b->code, SpvOpStore, words, n);
    }
    spv_put(&b->code, SpvOpReturn, NULL, 0);
    spv_put(&b->code, SpvOpFunctionEnd, NULL, 0);
}

/* What stands between the capabilities and the decorations. */
static void put_frame(struct build *b, uint32_t gid_variable)
{
    bool const is_cl = b->m->env == ENV_CL;
    uint32_t const model[2] = {
        is_cl ? (uint32_t)SpvAddressingModelPhysical64 : (uint32_t)SpvAddressingModelLogical,
        is_cl ? (uint32_t)SpvMemoryModelOpenCL : (uint32_t)SpvMemoryModelGLSL450};
    uint32_t const entry[2] = {
        is_cl ? (uint32_t)SpvExecutionModelKernel : (uint32_t)SpvExecutionModelGLCompute, b->entry};
    spv_put(&b->head, SpvOpMemoryModel, model, 2);
    spv_put_string(&b->head, SpvOpEntryPoint, entry, 2, AUDIT_MODULE_ENTRY, &gid_variable, 1);
    if (is_cl) {
        spv_put(&b->head, SpvOpExecutionMode,
                (uint32_t[]){b->entry, SpvExecutionModeContractionOff}, 2);
    } else {
        spv_put(&b->head, SpvOpExecutionMode,
                (uint32_t[]){b->entry, SpvExecutionModeLocalSize, AUDIT_MODULE_LOCAL, 1, 1}, 5);
    }
}

const uint32_t *audit_module_build(const struct audit_module *m, struct arena *a, uint32_t *n_words)
{
    struct build b = {.m = m, .next_id = 1};
    struct spv_words *const parts[] = {&b.head, &b.decorations, &b.types, &b.code};
    struct spv_words all;
    assert(m->n_forms > 0 && m->n_forms <= AUDIT_MODULE_MAX_FORMS && m->n_args <= 3);
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        spv_words_init(parts[i], a);
    }
    spv_words_init(&all, a);
    b.entry = new_id(&b);
    put_capabilities(&b);
    put_types(&b);
    if (m->env == ENV_CL) {
        put_cl_function(&b);
        put_scratch(&b);
    } else {
        put_vk_function(&b);
    }
    uint32_t const gid = put_gid(&b);
    put_forms(&b);
    put_frame(&b, gid);
    for (size_t i = 0; i < ARRAY_N(parts); i++) {
        spv_append(&all, parts[i]);
    }
    uint32_t *const words = all.ok ? ARENA_NEW(a, uint32_t, SPV_HEADER_WORDS + all.n) : NULL;
    if (!words) {
        return NULL;
    }
    uint32_t const header[SPV_HEADER_WORDS] = {
        SpvMagicNumber, m->env == ENV_CL ? VERSION_CL : VERSION_VK, 0, b.next_id, 0};
    memcpy(words, header, sizeof header);
    memcpy(words + SPV_HEADER_WORDS, all.w, all.n * sizeof *words);
    *n_words = SPV_HEADER_WORDS + all.n;
    return words;
}
