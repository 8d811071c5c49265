/* fuzz/trial/module_needs.c -- what a module says that it needs, as needs of base/caps.h. */
#include "fuzz/trial/module_needs.h"

#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"

enum {
    ANY_STORAGE = -1,
    ANY_WIDTH = 0
};

/* Capabilities that each device of the environment has: OpenCL SPIR-V Environment, "Required Capabilities" of the full profile
 * (and those of the addressing models, which the device's own width decides); Vulkan, "SPIR-V Capabilities", those that
 * VK_VERSION_1_0 alone enables, and what Shader implies. */
static const struct {
    enum env env;
    uint32_t capability;
} core_rows[] = {
    {ENV_CL, SpvCapabilityAddresses        },
    {ENV_CL, SpvCapabilityLinkage          },
    {ENV_CL, SpvCapabilityKernel           },
    {ENV_CL, SpvCapabilityVector16         },
    {ENV_CL, SpvCapabilityFloat16Buffer    },
    {ENV_CL, SpvCapabilityInt64            },
    {ENV_CL, SpvCapabilityInt16            },
    {ENV_CL, SpvCapabilityInt8             },
    {ENV_VK, SpvCapabilityMatrix           },
    {ENV_VK, SpvCapabilityShader           },
    {ENV_VK, SpvCapabilityInputAttachment  },
    {ENV_VK, SpvCapabilitySampled1D        },
    {ENV_VK, SpvCapabilityImage1D          },
    {ENV_VK, SpvCapabilitySampledBuffer    },
    {ENV_VK, SpvCapabilityImageBuffer      },
    {ENV_VK, SpvCapabilityImageQuery       },
    {ENV_VK, SpvCapabilityDerivativeControl},
};

/* What a capability declares besides itself. In Vulkan that needs its own row; in OpenCL the extension that permits the capability
 * permits what it implies, too. */
static const struct {
    uint32_t capability, implied;
} implied_rows[] = {
    {SpvCapabilityInt64Atomics,                   SpvCapabilityInt64          },
    {SpvCapabilityGroupNonUniformVote,            SpvCapabilityGroupNonUniform},
    {SpvCapabilityGroupNonUniformArithmetic,      SpvCapabilityGroupNonUniform},
    {SpvCapabilityGroupNonUniformBallot,          SpvCapabilityGroupNonUniform},
    {SpvCapabilityGroupNonUniformShuffle,         SpvCapabilityGroupNonUniform},
    {SpvCapabilityGroupNonUniformShuffleRelative, SpvCapabilityGroupNonUniform},
    {SpvCapabilityGroupNonUniformClustered,       SpvCapabilityGroupNonUniform},
    {SpvCapabilityGroupNonUniformQuad,            SpvCapabilityGroupNonUniform},
};

/* The row of those that share a capability that stands for it where no use tells. */
static const enum need_id usual_rows[] = {
    NEED_VK_SG_BASIC,
    NEED_VK_SG_ROTATE,
    NEED_VK_AMD_BALLOT,
    NEED_VK_RG16F_FORMAT,
};

/* Rows that share their capability, by what uses them: an instruction from op to last with that width of its value, and that
 * storage class of its pointer (ANY_STORAGE: it has none) or, of groups, that scope; or an execution mode with that literal. */
enum use {
    USE_ATOMIC,
    USE_INT_ATOMIC, /* of integers: some instructions are of floats as well */
    USE_RESULT,
    USE_GROUP,
    USE_MODE
};
static const struct use_row {
    enum need_id need;
    enum use use;
    uint32_t op, last, width;
    int storage; /* or the scope */
} use_rows[] = {
#define ADD(need, width, storage)                                                                  \
    {                                                                                              \
        need, USE_ATOMIC, SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT, width, storage                   \
    }
#define MINMAX(need, width, storage)                                                               \
    {                                                                                              \
        need, USE_ATOMIC, SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT, width, storage                   \
    }
#define FLOW(env, place, storage)                                                                  \
    ADD(NEED_##env##_F16_##place##_ADD, 16, storage),                                              \
        ADD(NEED_##env##_F32_##place##_ADD, 32, storage),                                          \
        ADD(NEED_##env##_F64_##place##_ADD, 64, storage),                                          \
        MINMAX(NEED_##env##_F16_##place##_MINMAX, 16, storage),                                    \
        MINMAX(NEED_##env##_F32_##place##_MINMAX, 32, storage),                                    \
        MINMAX(NEED_##env##_F64_##place##_MINMAX, 64, storage)
    FLOW(CL, GLOBAL, SpvStorageClassCrossWorkgroup),
    FLOW(CL, LOCAL, SpvStorageClassWorkgroup),
    FLOW(VK, BUFFER, SpvStorageClassStorageBuffer),
    FLOW(VK, SHARED, SpvStorageClassWorkgroup),
    ADD(NEED_VK_F32_IMAGE_ADD, 32, SpvStorageClassImage),
    MINMAX(NEED_VK_F32_IMAGE_MINMAX, 32, SpvStorageClassImage),
#undef FLOW
#undef MINMAX
#undef ADD
    {NEED_VK_I64_BUFFER_ATOMICS, USE_INT_ATOMIC, SpvOpAtomicLoad, SpvOpAtomicXor, 64,
                                     SpvStorageClassStorageBuffer                                                                            },
    {NEED_VK_I64_SHARED_ATOMICS, USE_INT_ATOMIC, SpvOpAtomicLoad, SpvOpAtomicXor, 64,
                                     SpvStorageClassWorkgroup                                                                                },
    {NEED_VK_FMA16,              USE_RESULT,     SPV_OP_FMA_KHR,  SPV_OP_FMA_KHR, 16,        ANY_STORAGE     },
    {NEED_VK_FMA32,              USE_RESULT,     SPV_OP_FMA_KHR,  SPV_OP_FMA_KHR, 32,        ANY_STORAGE     },
    {NEED_VK_FMA64,              USE_RESULT,     SPV_OP_FMA_KHR,  SPV_OP_FMA_KHR, 64,        ANY_STORAGE     },
    {NEED_CL_WG_COLLECTIVES,     USE_GROUP,      SpvOpGroupAll,   SpvOpGroupSMax, ANY_WIDTH,
                                     SpvScopeWorkgroup                                                                                       },
    {NEED_CL_SUBGROUPS,          USE_GROUP,      SpvOpGroupAll,   SpvOpGroupSMax, ANY_WIDTH, SpvScopeSubgroup},
#define MODE(need, mode, literal)                                                                  \
    {                                                                                              \
        need, USE_MODE, mode, mode, literal, ANY_STORAGE                                           \
    }
#define MODES(name, mode)                                                                          \
    MODE(NEED_VK_##name##16, mode, 16), MODE(NEED_VK_##name##32, mode, 32),                        \
        MODE(NEED_VK_##name##64, mode, 64)
    MODES(SZINP, SpvExecutionModeSignedZeroInfNanPreserve),
    MODES(DENORM_PRESERVE, SpvExecutionModeDenormPreserve),
    MODES(DENORM_FLUSH, SpvExecutionModeDenormFlushToZero),
    MODES(RTE, SpvExecutionModeRoundingModeRTE),
    MODES(RTZ, SpvExecutionModeRoundingModeRTZ),
    MODE(NEED_CL_SG_SIZE_4, SpvExecutionModeSubgroupSize, 4),
    MODE(NEED_CL_SG_SIZE_8, SpvExecutionModeSubgroupSize, 8),
    MODE(NEED_CL_SG_SIZE_16, SpvExecutionModeSubgroupSize, 16),
    MODE(NEED_CL_SG_SIZE_32, SpvExecutionModeSubgroupSize, 32),
    MODE(NEED_CL_SG_SIZE_64, SpvExecutionModeSubgroupSize, 64),
#undef MODES
#undef MODE
};

/* Execution modes that need a feature of the device and no capability. */
static const struct {
    uint32_t mode;
    enum need_id need;
} mode_rows[] = {
    {SpvExecutionModeSubgroupUniformControlFlowKHR, NEED_VK_SG_UNIFORM_FLOW      },
    {SPV_MODE_MAXIMALLY_RECONVERGES,                NEED_VK_MAXIMAL_RECONVERGENCE},
};

/* A module with its ids. */
struct scan {
    const struct testcase *tc;
    struct spv_index ids;
    struct needs declared; /* rows whose capability the module declares */
};

/* Width of a number that the row is about, or of the components of a vector, of that type; 0: it is none. */
static uint32_t find_width(const struct scan *s, const struct use_row *row, uint32_t id)
{
    struct spv_inst type = spv_index_find(&s->ids, id);
    if (type.op == SpvOpTypeVector) {
        type = spv_index_find(&s->ids, spv_get_word(&type, 2));
    }
    bool const is_number =
        type.op == SpvOpTypeInt || (type.op == SpvOpTypeFloat && row->use != USE_INT_ATOMIC);
    return is_number ? spv_get_word(&type, 2) : 0;
}

/* The instruction of the type of that value. */
static struct spv_inst find_type_of(const struct scan *s, uint32_t id)
{
    struct spv_inst const value = spv_index_find(&s->ids, id);
    return spv_index_find(&s->ids, spv_get_word(&value, 1));
}

/* The storage class of the pointer with that id; ANY_STORAGE: it is none. */
static int find_storage(const struct scan *s, uint32_t id)
{
    struct spv_inst const type = find_type_of(s, id);
    return type.op == SpvOpTypePointer ? (int)spv_get_word(&type, 2) : ANY_STORAGE;
}

/* Has the instruction the use of the row? The width of an atomic is that of its result or, of a store, of its value. */
static bool is_use(const struct scan *s, const struct use_row *row, const struct spv_inst *inst)
{
    if (row->use == USE_MODE) {
        return inst->op == SpvOpExecutionMode && inst->n == 4 && inst->w[2] == row->op &&
               inst->w[3] == row->width;
    }
    if (inst->op < row->op || inst->op > row->last || inst->n < 5) {
        return false;
    }
    if (row->use == USE_GROUP) {
        struct spv_inst const scope = spv_index_find(&s->ids, inst->w[3]);
        return scope.op == SpvOpConstant && spv_get_word(&scope, 3) == (uint32_t)row->storage;
    }
    if (row->use != USE_RESULT && inst->op == SpvOpAtomicStore) {
        struct spv_inst const value = spv_index_find(&s->ids, inst->w[4]);
        return find_width(s, row, spv_get_word(&value, 1)) == row->width &&
               find_storage(s, inst->w[1]) == row->storage;
    }
    return find_width(s, row, inst->w[1]) == row->width &&
           (row->use == USE_RESULT || find_storage(s, inst->w[3]) == row->storage);
}

static void add_uses(const struct scan *s, struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    while (spv_next(tc->module, tc->n_words, &offset, &inst)) {
        for (size_t i = 0; i < ARRAY_N(use_rows); i++) {
            if (needs_has(&s->declared, use_rows[i].need) && is_use(s, &use_rows[i], &inst)) {
                needs_add(&tc->needs, use_rows[i].need);
            }
        }
        for (size_t i = 0; i < ARRAY_N(mode_rows) && tc->env == ENV_VK; i++) {
            if (inst.op == SpvOpExecutionMode && spv_get_word(&inst, 2) == mode_rows[i].mode) {
                needs_add(&tc->needs, mode_rows[i].need);
            }
        }
    }
}

static bool is_core(enum env env, uint32_t capability)
{
    bool is_found = false;
    for (size_t i = 0; i < ARRAY_N(core_rows) && !is_found; i++) {
        is_found = core_rows[i].env == env && core_rows[i].capability == capability;
    }
    return is_found;
}

/* The rows that the capability has in the case's environment are declared; how many. */
static uint32_t declare(struct scan *s, uint32_t capability, struct needs *rows)
{
    uint32_t n = 0;
    for (int i = 0; i < NEED_N && capability; i++) {
        if (cap_rows[i].capability == capability &&
            (cap_rows[i].envs & op_get_env_bit(s->tc->env))) {
            needs_add(rows, (enum need_id)i);
            needs_add(&s->declared, (enum need_id)i);
            n++;
        }
    }
    return n;
}

static bool do_meet(const struct needs *x, const struct needs *y)
{
    bool meets = false;
    for (int i = 0; i < NEED_WORDS; i++) {
        meets |= (x->bits[i] & y->bits[i]) != 0;
    }
    return meets;
}

/* A capability with one row needs that; with several, none of which is needed so far, the usual one. */
static void settle(struct testcase *tc, const struct needs *rows, uint32_t n)
{
    for (int i = 0; i < NEED_N && n == 1; i++) {
        if (needs_has(rows, (enum need_id)i)) {
            needs_add(&tc->needs, (enum need_id)i);
        }
    }
    for (size_t i = 0; i < ARRAY_N(usual_rows) && !do_meet(rows, &tc->needs); i++) {
        if (needs_has(rows, usual_rows[i])) {
            needs_add(&tc->needs, usual_rows[i]);
        }
    }
}

/* Does another capability that the module declares imply this one? */
static bool is_implied(const struct testcase *tc, uint32_t capability)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    while (spv_next(tc->module, tc->n_words, &offset, &inst)) {
        for (size_t i = 0; i < ARRAY_N(implied_rows) && inst.op == SpvOpCapability; i++) {
            if (implied_rows[i].implied == capability && implied_rows[i].capability == inst.w[1]) {
                return true;
            }
        }
    }
    return false;
}

/* False: no list of the environment has the capability. */
static bool add_capability(struct scan *s, struct testcase *tc, uint32_t capability)
{
    struct needs rows = {{0}};
    if (is_core(tc->env, capability) || (tc->env == ENV_CL && is_implied(tc, capability))) {
        return true;
    }
    uint32_t const n = declare(s, capability, &rows);
    settle(tc, &rows, n);
    for (size_t i = 0; i < ARRAY_N(implied_rows) && tc->env == ENV_VK; i++) {
        if (implied_rows[i].capability == capability) {
            (void)add_capability(s, tc, implied_rows[i].implied);
        }
    }
    return n > 0;
}

bool module_needs_add(struct testcase *tc, struct arena *a, uint32_t *capability)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst inst;
    struct scan s = {.tc = tc};
    bool are_known = true;
    *capability = UINT32_MAX;
    if (!spv_index_make(&s.ids, tc->module, tc->n_words, a)) {
        return false;
    }
    while (spv_next(tc->module, tc->n_words, &offset, &inst)) {
        if (inst.op == SpvOpCapability && inst.n == 2 && !add_capability(&s, tc, inst.w[1])) {
            *capability = are_known ? inst.w[1] : *capability;
            are_known = false;
        }
    }
    add_uses(&s, tc);
    return are_known;
}

/* Is the id of the type half used there for more than pointers? */
static bool is_half_use(const struct spv_inst *inst, uint32_t half)
{
    bool has_type = false;
    (void)spv_find_result(inst, &has_type);
    if (has_type) {
        return inst->w[1] == half;
    }
    bool is_part = inst->op == SpvOpTypeStruct || inst->op == SpvOpTypeFunction;
    if (inst->op == SpvOpTypeVector || inst->op == SpvOpTypeArray) {
        return inst->w[2] == half;
    }
    for (uint32_t i = 2; i < inst->n && is_part; i++) {
        if (inst->w[i] == half) {
            return true;
        }
    }
    return false;
}

bool module_needs_half(const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS, half = 0;
    struct spv_inst inst;
    bool has_pointers = false, has_all = false, is_used = false;
    while (spv_next(tc->module, tc->n_words, &offset, &inst)) {
        has_pointers |= inst.op == SpvOpCapability && inst.w[1] == SpvCapabilityFloat16Buffer;
        has_all |= inst.op == SpvOpCapability && inst.w[1] == SpvCapabilityFloat16;
        if (inst.op == SpvOpTypeFloat && inst.n == 3 && inst.w[2] == 16) {
            half = inst.w[1];
        } else if (half && inst.n > 2) {
            is_used |= is_half_use(&inst, half);
        }
    }
    return tc->env == ENV_CL && has_pointers && !has_all && is_used;
}
