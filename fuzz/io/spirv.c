/* fuzz/io/spirv.c -- SPIRV-Tools; the only file that includes its header. */
#define SPV_ENABLE_UTILITY_CODE
#include "fuzz/io/spirv.h"

#include <spirv-tools/libspirv.h>
#include <stdlib.h>
#include <string.h>

#include "base/caps.h"
#include "base/printable.h"
#include "base/spv.h"

const char *const spirv_answer_names[SPIRV_ANSWER_N] = {"valid", "invalid",
                                                        "valid but for what it is too old for"};

/* Words of an instruction: the first has its length and opcode. */
enum {
    WORD_CAPABILITY = 1,
    WORD_EXTENSION = 1,  /* its name begins */
    WORD_MODE = 2,       /* of OpExecutionMode, after the entry point */
    WORD_DECORATION = 2, /* of OpDecorate, after the target */
    WORD_ATOMIC_VALUE = 6,
    MAX_ERROR_WORDS = 4 /* an OpDecorate with one literal */
};

/* Does the module declare this capability? Capabilities come first. */
static bool declares(const struct testcase *tc, uint32_t capability)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    while (spv_next(tc->module, tc->n_words, &offset, &inst) && inst.op == SpvOpCapability) {
        if (inst.n == 2 && inst.w[WORD_CAPABILITY] == capability) {
            return true;
        }
    }
    return false;
}

/* What a module up to this SPIR-V version, 0x00MMmm00, is validated for. */
struct env_row {
    uint32_t version;
    spv_target_env env;
};
static const struct env_row opencl_envs[] = {
    {0x10200,    SPV_ENV_OPENCL_2_2   },
    {0x10300,    SPV_ENV_UNIVERSAL_1_3},
    {0x10400,    SPV_ENV_UNIVERSAL_1_4},
    {0x10500,    SPV_ENV_UNIVERSAL_1_5},
    {UINT32_MAX, SPV_ENV_UNIVERSAL_1_6},
};
static const struct env_row vulkan_envs[] = {
    {0x10000,    SPV_ENV_VULKAN_1_0          },
    {0x10300,    SPV_ENV_VULKAN_1_1          },
    {0x10400,    SPV_ENV_VULKAN_1_1_SPIRV_1_4},
    {0x10500,    SPV_ENV_VULKAN_1_2          },
    {UINT32_MAX, SPV_ENV_VULKAN_1_3          },
};

/* The first row from whose version the module is not newer: the last one fits any. */
static spv_target_env find_env(const struct env_row *rows, uint32_t version)
{
    while (version > rows->version) {
        rows++;
    }
    return rows->env;
}

static spv_target_env choose_env(const struct testcase *tc)
{
    uint32_t const version = tc->n_words > 1 ? tc->module[1] : 0;
    if (tc->env != ENV_CL) {
        return find_env(vulkan_envs, version);
    }
    spv_target_env const env = find_env(opencl_envs, version);
    /* SPIRV-Tools knows no extension of OpenCL: cl_khr_int64_base_atomics and cl_khr_fp16
     * allow these. */
    bool const has_extension = declares(tc, SpvCapabilityInt64Atomics) ||
                               declares(tc, SpvCapabilityFloat16) ||
                               declares(tc, SPV_CAP_BFLOAT16_TYPE_KHR);
    return env == SPV_ENV_OPENCL_2_2 && has_extension ? SPV_ENV_UNIVERSAL_1_2 : env;
}

enum {
    MOST_OPERANDS = 4 /* that `knows` takes */
};

/* Does the installed grammar know this instruction and its operands, n of them, at most MOST_OPERANDS? */
static bool knows(uint32_t op, const uint32_t *operands, uint32_t n)
{
    /* A module of version 1.6 with ids up to 1 that is this instruction alone; it is only made text of. */
    uint32_t words[SPV_HEADER_WORDS + 1 + MOST_OPERANDS] = {SpvMagicNumber,    0x10600, 0, 2, 0,
                                                            (n + 1) << 16 | op};
    memcpy(words + SPV_HEADER_WORDS + 1, operands, n * sizeof *words);
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    spv_result_t const r = spvBinaryToText(context, words, SPV_HEADER_WORDS + 1 + n,
                                           SPV_BINARY_TO_TEXT_OPTION_NONE, &text, NULL);
    spvTextDestroy(text);
    spvContextDestroy(context);
    return r == SPV_SUCCESS;
}

int spirv_knows_capability(uint32_t capability)
{
    return knows(SpvOpCapability, &capability, 1);
}

static bool is_maximal_reconvergence(const struct spv_inst *inst)
{
    return inst->op == SpvOpExecutionMode && inst->n > 2 &&
           inst->w[WORD_MODE] == SPV_MODE_MAXIMALLY_RECONVERGES;
}

static bool is_max_error(const struct spv_inst *inst)
{
    return inst->op == SpvOpDecorate && inst->n > 2 &&
           inst->w[WORD_DECORATION] == SPV_DEC_FP_MAX_ERROR_INTEL;
}

/* Has the module a capability, an execution mode or a decoration that the installed grammar lacks? */
static bool has_unknown(const struct testcase *tc)
{
    /* Operands, with any id as the entry point or target. */
    uint32_t const mode[2] = {1, SPV_MODE_MAXIMALLY_RECONVERGES};
    uint32_t const max_error[3] = {1, SPV_DEC_FP_MAX_ERROR_INTEL, 0};
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    while (spv_next(tc->module, tc->n_words, &offset, &inst) && inst.op != SpvOpFunction) {
        if ((inst.op == SpvOpCapability && inst.n == 2 &&
             !spirv_knows_capability(inst.w[WORD_CAPABILITY])) ||
            (is_maximal_reconvergence(&inst) && !knows(SpvOpExecutionMode, mode, 2)) ||
            (is_max_error(&inst) && !knows(SpvOpDecorate, max_error, 3))) {
            return true;
        }
    }
    return false;
}

/* Does the instruction belong to an extension that is younger than the installed SPIRV-Tools may be, or name
 * one? Capabilities are asked for by number; the extensions and what they bring without a capability of their
 * own are listed here. */
static bool is_newer(const struct spv_inst *inst)
{
    static const char *const extensions[] = {"SPV_KHR_float_controls2",
                                             "SPV_INTEL_fp_max_error",
                                             "SPV_NV_shader_atomic_fp16_vector",
                                             "SPV_KHR_maximal_reconvergence",
                                             "SPV_KHR_fma",
                                             "SPV_KHR_quad_control",
                                             "SPV_KHR_bfloat16",
                                             "SPV_INTEL_16bit_atomics"};
    if (inst->op == SpvOpCapability && inst->n == 2) {
        return !spirv_knows_capability(inst->w[WORD_CAPABILITY]);
    }
    for (size_t i = 0; inst->op == SpvOpExtension && i < ARRAY_N(extensions); i++) {
        size_t const n_name = strlen(extensions[i]) + 1;
        size_t const n_room = (size_t)(inst->n - WORD_EXTENSION) * sizeof *inst->w;
        if (n_name <= n_room && memcmp(inst->w + WORD_EXTENSION, extensions[i], n_name) == 0) {
            return true;
        }
    }
    if (is_maximal_reconvergence(inst)) {
        return true;
    }
    if (inst->op == SpvOpExecutionModeId && inst->n > 2) {
        return inst->w[WORD_MODE] == SPV_MODE_FP_FAST_MATH_DEFAULT;
    }
    return is_max_error(inst) || (inst->op == SpvOpDecorate && inst->n > 2 &&
                                  inst->w[WORD_DECORATION] == SpvDecorationFPFastMathMode);
}

/* Is the type of that id a vector? */
static bool is_vector_type(const struct testcase *tc, uint32_t type)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    while (spv_next(tc->module, tc->n_words, &offset, &inst) && inst.op != SpvOpFunction) {
        if (inst.op == SpvOpTypeVector && inst.n > 1 && inst.w[1] == type) {
            return true;
        }
    }
    return false;
}

/* Is it a pointer to a texel that is a vector? */
static bool is_vector_texel(const struct testcase *tc, const struct spv_inst *texel)
{
    enum {
        POINTEE = 3 /* word of OpTypePointer */
    };
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    if (texel->op != SpvOpImageTexelPointer || texel->n < 3) {
        return false;
    }
    while (spv_next(tc->module, tc->n_words, &offset, &inst) && inst.op != SpvOpFunction) {
        if (inst.op == SpvOpTypePointer && inst.n > POINTEE && inst.w[1] == texel->w[1]) {
            return is_vector_type(tc, inst.w[POINTEE]);
        }
    }
    return false;
}

/* Is it an atomic on a vector? Only SPV_NV_shader_atomic_fp16_vector has such. */
static bool is_vector_atomic(const struct testcase *tc, const struct spv_inst *inst)
{
    bool const is_op = inst->op == SpvOpAtomicExchange || inst->op == SpvOpAtomicFAddEXT ||
                       inst->op == SpvOpAtomicFMinEXT || inst->op == SpvOpAtomicFMaxEXT;
    return is_op && inst->n > WORD_ATOMIC_VALUE && is_vector_type(tc, inst->w[1]);
}

/* Instructions that the installed SPIRV-Tools may be too old for, and one of the same operands that no module of
 * compute has, with which a copy is made text. */
static const struct newer_op {
    uint32_t op, stand_in;
    const char *name, *stand_in_name;
} newer_ops[] = {
    {SPV_OP_FMA_KHR,      SpvOpImageSampleDrefImplicitLod, "OpFmaKHR",                    "OpImageSampleDrefImplicitLod"},
    {SPV_OP_QUAD_ALL_KHR, SpvOpDPdxFine,                   "OpGroupNonUniformQuadAllKHR", "OpDPdxFine"                  },
    {SPV_OP_QUAD_ANY_KHR, SpvOpDPdyFine,                   "OpGroupNonUniformQuadAnyKHR", "OpDPdyFine"                  },
};

/* The row of an instruction, or NULL. */
static const struct newer_op *find_newer_op(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(newer_ops); i++) {
        if (newer_ops[i].op == op) {
            return &newer_ops[i];
        }
    }
    return NULL;
}

/* Does the module use instructions of SPV_AMD_shader_ballot without declaring the extension? Some cases
 * do so on purpose, to test drivers with and without the declaration. */
static bool lacks_extension(const struct testcase *tc)
{
    return needs_has(&tc->needs, NEED_CL_AMD_BARE) || needs_has(&tc->needs, NEED_VK_AMD_BARE);
}

static bool is_bfloat_type(const struct spv_inst *inst)
{
    return inst->op == SpvOpTypeFloat && inst->n > 3;
}

/* For tools without bfloat16: of the types of 16 bits only the first is declared, as binary16, and takes the
 * place of the others. */
struct half_types {
    uint32_t first;       /* 0: the module has no bfloat16 */
    const bool *is_other; /* by id */
    uint32_t n_ids;
};

static struct half_types find_half_types(const struct testcase *tc, struct arena *a)
{
    struct half_types h = {.n_ids = tc->n_words > SPV_HEADER_WORDS ? tc->module[3] : 0};
    bool *const is_other = h.n_ids < tc->n_words ? ARENA_NEW(a, bool, h.n_ids + 1) : NULL;
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t first = 0;
    bool has_bfloat = false;
    struct spv_inst inst;
    while (is_other && spv_next(tc->module, tc->n_words, &offset, &inst)) {
        if (inst.op != SpvOpTypeFloat || inst.n < 3 || inst.w[2] != 16 || inst.w[1] >= h.n_ids) {
            continue;
        }
        has_bfloat |= is_bfloat_type(&inst);
        is_other[inst.w[1]] = first != 0;
        first = first ? first : inst.w[1];
    }
    h.is_other = is_other;
    h.first = has_bfloat ? first : 0;
    return h;
}

/* Words of an instruction that name a type: from *first to below *end. */
static void find_type_words(const struct spv_inst *inst, uint32_t *first, uint32_t *end)
{
    bool has_result = false, has_type = false;
    SpvHasResultAndType((SpvOp)inst->op, &has_result, &has_type);
    *first = 1;
    *end = has_type || (inst->op >= SpvOpAtomicFMinEXT && inst->op <= SpvOpAtomicFAddEXT) ? 2 : 1;
    if (inst->op == SpvOpTypePointer) {
        *first = 3;
        *end = 4;
    } else if (inst->op >= SpvOpTypeVector && inst->op <= SpvOpTypeFunction) {
        *first = 2;
        *end = inst->op == SpvOpTypeStruct || inst->op == SpvOpTypeFunction ? inst->n : 3;
    }
}

static void put_without_bfloat(struct spv_words *to, const struct spv_inst *inst,
                               const struct half_types *h)
{
    enum {
        MOST_WORDS = 64
    };
    uint32_t words[MOST_WORDS], first, end;
    bool const is_half_type = inst->op == SpvOpTypeFloat && inst->n > 2 && inst->w[2] == 16;
    if (is_half_type && inst->w[1] != h->first) {
        return;
    }
    if (is_half_type || inst->n > MOST_WORDS) {
        spv_put(to, inst->op, inst->w + 1, is_half_type ? 2 : inst->n - 1);
        return;
    }
    find_type_words(inst, &first, &end);
    memcpy(words, inst->w, inst->n * sizeof *words);
    for (uint32_t i = first; i < end && i < inst->n; i++) {
        words[i] = words[i] < h->n_ids && h->is_other[words[i]] ? h->first : words[i];
    }
    spv_put(to, inst->op, words + 1, inst->n - 1);
}

/* The capability of binary16, or of a float atomic, for that of bfloat16; 0: there is none. */
static uint32_t find_older_capability(uint32_t capability)
{
    switch (capability) {
    case SPV_CAP_BFLOAT16_TYPE_KHR:
        return SpvCapabilityFloat16;
    case SPV_CAP_ATOMIC_BFLOAT16_ADD_INTEL:
        return SpvCapabilityAtomicFloat32AddEXT;
    case SPV_CAP_ATOMIC_BFLOAT16_MIN_MAX_INTEL:
        return SpvCapabilityAtomicFloat32MinMaxEXT;
    default:
        return 0;
    }
}

/*
 * Put an instruction as an older grammar has it: an atomic on a vector and an instruction of newer_ops as a copy of an
 * operand, bfloat16 as binary16 (half->first is 0 where the module has none). True: the instruction is left out, since
 * only a newer grammar knows it, or as it makes a pointer to a texel of such a vector.
 */
static bool put_older(struct spv_words *to, const struct testcase *tc, const struct spv_inst *inst,
                      const struct half_types *half)
{
    uint32_t const older = inst->op == SpvOpCapability && inst->n == 2
                               ? find_older_capability(inst->w[WORD_CAPABILITY])
                               : 0;
    if (half->first && older) {
        spv_put(to, SpvOpCapability, &older, 1);
    } else if (is_newer(inst) || is_vector_texel(tc, inst)) {
        return true;
    } else if (is_vector_atomic(tc, inst)) {
        uint32_t const copied[] = {inst->w[1], inst->w[2], inst->w[WORD_ATOMIC_VALUE]};
        spv_put(to, SpvOpCopyObject, copied, ARRAY_N(copied));
    } else if (find_newer_op(inst->op) && inst->n > 3) {
        spv_put(to, SpvOpCopyObject, inst->w + 1, 3); /* type, result, first operand */
    } else if (half->first) {
        put_without_bfloat(to, inst, half);
    } else {
        spv_put(to, inst->op, inst->w + 1, inst->n - 1);
    }
    return false;
}

/*
 * Copies the module as the installed SPIRV-Tools can judge it: if `strip`, each instruction by put_older. Where the case
 * leaves out the OpExtension of SPV_AMD_shader_ballot, it is added, since the validator refuses the extension's
 * instructions without it. NULL when nothing changes or there is no memory. A replacement alone is no change: the
 * OpExtension or OpCapability that comes with what is replaced is left out, and that is one.
 */
static const uint32_t *copy_for_tools(const struct testcase *tc, int strip, struct arena *a,
                                      uint32_t *n_words)
{
    struct spv_words to;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    bool is_changed = false;
    bool wants_extension = lacks_extension(tc); /* until it is put */
    struct half_types const half = find_half_types(tc, a);
    spv_words_init(&to, a);
    while (spv_next(tc->module, tc->n_words, &offset, &inst)) {
        /* OpExtension stands behind all capabilities: put it before the first instruction that is none. */
        if (wants_extension && inst.op != SpvOpCapability) {
            spv_put_string(&to, SpvOpExtension, NULL, 0, "SPV_AMD_shader_ballot", NULL, 0);
            wants_extension = false;
            is_changed = true;
        }
        if (strip) {
            is_changed |= put_older(&to, tc, &inst, &half); /* true: it left the instruction out */
        } else {
            spv_put(&to, inst.op, inst.w + 1, inst.n - 1);
        }
    }
    uint32_t *const copy = ARENA_NEW(a, uint32_t, SPV_HEADER_WORDS + to.n);
    if (!is_changed || !copy || !to.ok) {
        return NULL;
    }
    memcpy(copy, tc->module, SPV_HEADER_WORDS * sizeof *copy);
    if (to.n > 0) { /* else to.w is NULL: all was stripped */
        memcpy(copy + SPV_HEADER_WORDS, to.w, to.n * sizeof *copy);
    }
    *n_words = SPV_HEADER_WORDS + to.n;
    return copy;
}

static spv_result_t validate(spv_target_env env, const uint32_t *words, uint32_t n_words,
                             struct arena *a, const char **text)
{
    spv_context context = spvContextCreate(env);
    spv_diagnostic diagnostic = NULL;
    spv_const_binary_t binary = {words, n_words};
    spv_validator_options const options = spvValidatorOptionsCreate();
    spvValidatorOptionsSetAllowLocalSizeId(options, true); /* by maintenance4, also before 1.3 */
    spv_result_t const r = spvValidateWithOptions(context, options, &binary, &diagnostic);
    spvValidatorOptionsDestroy(options);
    *text = arena_printf(a, "%s", diagnostic && diagnostic->error ? diagnostic->error : "");
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return r;
}

/* The module itself first; if it is refused, a copy for the installed tools, whose refusal is then the text. */
enum spirv_answer spirv_validate(const struct testcase *tc, struct arena *a, const char **text)
{
    spv_target_env const env = choose_env(tc);
    if (validate(env, tc->module, tc->n_words, a, text) == SPV_SUCCESS) {
        return SPIRV_VALID;
    }
    uint32_t n_words = 0;
    const char *copy_text = "";
    bool const is_too_old = has_unknown(tc);
    const uint32_t *copy = copy_for_tools(tc, is_too_old, a, &n_words);
    if (!copy) {
        return SPIRV_INVALID;
    }
    if (validate(env, copy, n_words, a, &copy_text) == SPV_SUCCESS) {
        return is_too_old ? SPIRV_TOO_OLD : SPIRV_VALID;
    }
    *text = copy_text;
    return SPIRV_INVALID;
}

/* What stands for SPV_INTEL_fp_max_error and SPV_NV_shader_atomic_fp16_vector while a grammar that lacks them
 * makes text: equally long, and in no module of compute. The text has these words instead. */
enum {
    STAND_IN_DECORATION = SpvDecorationXfbStride
};
static const char *const stand_ins[][2] = {
    {"XfbStride",         "FPMaxErrorDecorationINTEL"},
    {"GeometryStreams",   "FPMaxErrorINTEL"          },
    {"TransformFeedback", "AtomicFloat16VectorNV"    }
};
static const struct {
    uint32_t capability, stand_in;
} capability_stand_ins[] = {
    {SPV_CAP_FP_MAX_ERROR_INTEL,       SpvCapabilityGeometryStreams  },
    {SPV_CAP_ATOMIC_FLOAT16_VECTOR_NV, SpvCapabilityTransformFeedback}
};

/* Instructions whose enumerants come with extensions. */
static const struct {
    uint32_t op;
    const char *name;
} extended_ops[] = {
    {SpvOpCapability,      "OpCapability"     },
    {SpvOpExecutionMode,   "OpExecutionMode"  },
    {SpvOpExecutionModeId, "OpExecutionModeId"},
    {SpvOpDecorate,        "OpDecorate"       },
};

static const char *find_extended_op(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(extended_ops); i++) {
        if (extended_ops[i].op == op) {
            return extended_ops[i].name;
        }
    }
    return NULL;
}

/* Is it an instruction in front of the functions with an enumerant that the installed grammar lacks? */
static bool is_unknown(const struct spv_inst *inst)
{
    enum {
        FIRST_OF_VENDORS = 4096 /* enumerants below are as old as the tools */
    };
    uint32_t operands[MOST_OPERANDS];
    uint32_t const at = inst->op == SpvOpCapability ? 0 : 1; /* after the target */
    uint32_t const n = inst->n - 1;
    if (!find_extended_op(inst->op) || n <= at || n > MOST_OPERANDS ||
        inst->w[1 + at] < FIRST_OF_VENDORS) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        bool const is_id = i < at || (i > at && inst->op == SpvOpExecutionModeId);
        operands[i] = is_id ? 1 : inst->w[1 + i];
    }
    return !knows(inst->op, operands, n);
}

/* What is printed for a capability that the tools do not know; 0: nothing stands in for it. */
static uint32_t find_capability_stand_in(uint32_t capability)
{
    for (size_t i = 0; i < ARRAY_N(capability_stand_ins); i++) {
        if (capability_stand_ins[i].capability == capability) {
            return capability_stand_ins[i].stand_in;
        }
    }
    return 0;
}

/* The first word of an instruction of n words. */
static uint32_t make_head(uint32_t n, uint32_t op)
{
    return n << 16 | op;
}

static void put_nops(uint32_t *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        at[i] = make_head(1, SpvOpNop);
    }
}

/* A copy of the module in which what this SPIRV-Tools cannot print is replaced by something of the same length that
 * it can. Instructions of newer_ops, capabilities of capability_stand_ins and the decoration of
 * SPV_INTEL_fp_max_error become stand-ins of the same shape, whose names take_stand_ins puts back into the text. All
 * else becomes OpNop, and *note tells line by line what it was; of a bfloat16 type only the fourth word does, its FP
 * encoding, and what is left reads as a type of binary16. NULL: there is nothing to replace, or there is no
 * memory. */
static uint32_t *put_stand_ins(const uint32_t *words, uint32_t n_words, struct arena *a,
                               const char **note)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    *note = "";
    if (n_words < SPV_HEADER_WORDS) {
        return NULL;
    }
    uint32_t *const copy = arena_copy(a, words, n_words * sizeof *words);
    bool is_changed = false;
    while (copy && spv_next(words, n_words, &offset, &inst)) {
        const struct newer_op *const newer = find_newer_op(inst.op);
        if (newer) {
            copy[inst.offset] = make_head(inst.n, newer->stand_in);
        }
        is_changed |= newer != NULL;
        /* Does the grammar take an FP encoding, the third operand? Result 1, 16 bits and encoding 0 are for asking. */
        if (is_bfloat_type(&inst) && !knows(SpvOpTypeFloat, (uint32_t[]){1, 16, 0}, 3)) {
            copy[inst.offset] = make_head(3, SpvOpTypeFloat); /* itself, result, width */
            put_nops(copy + inst.offset + 3, inst.n - 3);
            *note = arena_printf(a, "%s; OpNop at byte %zu is FP encoding %u of the type before it",
                                 *note, ((size_t)inst.offset + 3) * sizeof *words, inst.w[3]);
            is_changed = true;
        }
        if (!is_unknown(&inst)) { /* it is printed as it is, or by its stand-in */
            continue;
        }
        is_changed = true;
        if (inst.op == SpvOpCapability && find_capability_stand_in(inst.w[WORD_CAPABILITY]) != 0) {
            copy[inst.offset + WORD_CAPABILITY] = find_capability_stand_in(inst.w[WORD_CAPABILITY]);
        } else if (is_max_error(&inst) && inst.n == MAX_ERROR_WORDS) {
            copy[inst.offset + WORD_DECORATION] = STAND_IN_DECORATION;
        } else {
            *note = arena_printf(a, "%s; OpNop at byte %zu is %s", *note,
                                 (size_t)inst.offset * sizeof *words, find_extended_op(inst.op));
            put_nops(copy + inst.offset, inst.n);
            for (uint32_t i = 1; i < inst.n; i++) {
                *note = arena_printf(a, "%s %u", *note, inst.w[i]);
            }
            *note = arena_printf(a, "%s\n", *note);
        }
    }
    return is_changed ? copy : NULL;
}

/* The instruction that a word of n bytes stands for, or NULL. */
static const char *find_stood_for(const char *word, size_t n)
{
    for (size_t i = 0; i < ARRAY_N(newer_ops); i++) {
        const char *const name = newer_ops[i].stand_in_name;
        if (n == strlen(name) && memcmp(word, name, n) == 0) {
            return newer_ops[i].name;
        }
    }
    return NULL;
}

/* The stand-in that a word of n bytes is, or NULL. */
static const char *const *find_stand_in(const char *word, size_t n)
{
    for (size_t i = 0; i < ARRAY_N(stand_ins); i++) {
        if (n == strlen(stand_ins[i][0]) && memcmp(word, stand_ins[i][0], n) == 0) {
            return stand_ins[i];
        }
    }
    return NULL;
}

/* A literal that was printed as the integer of its bits, as the float that it is. */
static const char *print_float(const char *integer, struct arena *a)
{
    uint32_t const bits = (uint32_t)strtoul(integer, NULL, 10);
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return arena_printf(a, "%.9g", (double)value);
}

/* The disassembly of a copy with stand-ins, with the names of what they stand for. The word after the
 * stand-in decoration (stand_ins[0]) is the bound, an integer to the tools, and is printed as the float that it is.
 * Works word by word and keeps the blanks between. NULL: there is no memory. */
static const char *take_stand_ins(const char *text, struct arena *a)
{
    struct bytes b;
    bool is_float = false;
    bytes_init(&b, a);
    while (text && *text) {
        size_t const n = strcspn(text, " \n"), n_blank = strspn(text + n, " \n");
        const char *const *stand_in = find_stand_in(text, n);
        const char *const op = find_stood_for(text, n);
        if (stand_in || op) {
            const char *const word = op ? op : stand_in[1];
            bytes_put(&b, word, strlen(word));
        } else if (is_float) {
            const char *const number = print_float(text, a);
            bytes_put(&b, number, strlen(number));
        } else {
            bytes_put(&b, text, n);
        }
        bytes_put(&b, text + n, n_blank);
        is_float = stand_in == stand_ins[0];
        text += n + n_blank;
    }
    bytes_put(&b, "", 1);
    return b.ok ? (const char *)b.p : NULL;
}

/* One character within a string, in printed form; how many bytes of `at` that was. */
static size_t put_string_char(struct bytes *b, const char *at)
{
    char printed[PRINTABLE_BYTES];
    if (at[0] == '\\') { /* the disassembler's escape, with what it escapes */
        size_t const n = at[1] ? 2 : 1;
        bytes_put(b, at, n);
        return n;
    }
    size_t const n = printable_take_char(at, printed);
    /* The form of what is not printable begins with a backslash, which in text of SPIR-V is written twice. */
    if (printed[0] == '\\') {
        bytes_put(b, "\\", 1);
    }
    bytes_put(b, printed, strlen(printed));
    return n;
}

/* The text with its strings in printed form. What a module's strings hold is foreign: a line end in one could be a
 * line of its own, such as the END of an Amber script. */
static const char *clean_strings(const char *text, size_t n_text, struct arena *a)
{
    struct bytes b;
    bool is_string = false;
    bytes_init(&b, a);
    for (size_t i = 0; i < n_text && text[i];) {
        bool const is_quote = text[i] == '"';
        is_string ^= is_quote;
        if (is_string && !is_quote) {
            i += put_string_char(&b, text + i);
        } else {
            bytes_put(&b, text + i, 1);
            i++;
        }
    }
    bytes_put(&b, "", 1);
    return b.ok ? (const char *)b.p : NULL;
}

static const char *disassemble(const uint32_t *words, uint32_t n_words, enum spirv_style style,
                               struct arena *a)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    uint32_t const options =
        (uint32_t)SPV_BINARY_TO_TEXT_OPTION_INDENT |
        (style != SPIRV_FOR_TOOLS ? (uint32_t)SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES : 0) |
        (style == SPIRV_FOR_PEOPLE ? (uint32_t)SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET : 0);
    const char *copy = NULL;
    if (spvBinaryToText(context, words, n_words, options, &text, NULL) == SPV_SUCCESS) {
        copy = clean_strings(text->str, text->length, a);
    }
    spvTextDestroy(text);
    spvContextDestroy(context);
    return copy;
}

const char *spirv_disassemble(const uint32_t *words, uint32_t n_words, enum spirv_style style,
                              struct arena *a)
{
    const char *const text = disassemble(words, n_words, style, a);
    const char *note;
    if (text || style == SPIRV_FOR_TOOLS) {
        return text;
    }
    const uint32_t *const copy = put_stand_ins(words, n_words, a, &note);
    return copy ? take_stand_ins(disassemble(copy, n_words, style, a), a) : NULL;
}

const char *spirv_describe(const uint32_t *words, uint32_t n_words, struct arena *a)
{
    const char *const text = disassemble(words, n_words, SPIRV_FOR_TOOLS, a);
    const char *note;
    if (text) {
        return text;
    }
    const uint32_t *const copy = put_stand_ins(words, n_words, a, &note);
    const char *const rest =
        copy ? take_stand_ins(disassemble(copy, n_words, SPIRV_FOR_TOOLS, a), a) : NULL;
    return rest && rest[0] ? arena_printf(a,
                                          "; %s lacks some of these names: a newer one assembles "
                                          "this.\n%s%s",
                                          spirv_get_version(a), note, rest)
                           : NULL;
}

/* Make a module of SPIR-V text, with the ids that it says. RES_FORMAT: "name:line:column: what is wrong". */
enum res spirv_assemble(const char *name, const char *text, size_t n, struct arena *a,
                        const uint32_t **words, uint32_t *n_words, struct err *e)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    enum res r = RES_OK;
    if (spvTextToBinaryWithOptions(context, text, n, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS,
                                   &binary, &diagnostic) != SPV_SUCCESS) {
        r = err_set(e, RES_FORMAT, "%s:%zu:%zu: %s", name,
                    diagnostic ? diagnostic->position.line + 1 : 0,
                    diagnostic ? diagnostic->position.column + 1 : 0,
                    diagnostic ? diagnostic->error : "not SPIR-V text");
    } else {
        *words = arena_copy(a, binary->code, binary->wordCount * 4);
        *n_words = (uint32_t)binary->wordCount;
        r = *words ? RES_OK : err_set(e, RES_NOMEM, "%s: module does not fit", name);
    }
    spvDiagnosticDestroy(diagnostic);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return r;
}

const char *spirv_get_name(uint32_t op)
{
    return spvOpcodeString(op);
}

const char *spirv_get_version(struct arena *a)
{
    return arena_printf(a, "%s", spvSoftwareVersionDetailsString());
}
