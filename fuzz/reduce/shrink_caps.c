/* fuzz/reduce/shrink_caps.c -- capabilities, extensions and needs, by what a module still holds. */
#include "fuzz/reduce/shrink_caps.h"

#include <string.h>

#include "base/caps.h"
#include "fuzz/reduce/shrink_grammar.h"

/* What to look for; a and b are numbers of it. */
enum use_kind {
    USE_INT,         /* a type of a bits */
    USE_FLOAT,       /* the same */
    USE_LONG_VECTOR, /* of more than a components */
    USE_STORAGE,     /* a pointer to storage class a */
    USE_OPS,         /* an instruction from a to b */
    USE_OPS_FLOAT,   /* the same on floats of `bits` */
    USE_OPS_INT,
    USE_OPS_VECTOR,
    USE_REDUCTION,   /* a group operation from a to b other than these two: */
    USE_CLUSTER,     /* that one */
    USE_PARTITIONED, /* one of those on the subsets of a partition */
    USE_MODE,        /* an execution mode from a to b */
    USE_DECORATION,
    USE_BUILTIN, /* from a to b */
    USE_SCOPE,   /* scope a */
    USE_ORDER,   /* memory semantics with a bit of a */
    USE_DIM,     /* an image of dimension a */
    USE_FORMAT,  /* of format a */
    USE_MODEL,   /* memory model a */
    USE_SET,     /* the extended set of SPV_AMD_shader_ballot */
    USE_POINTER_VALUE
};
struct use {
    enum use_kind kind;
    uint32_t a, b, bits;
};

#define FLOAT_ATOMICS SpvOpAtomicLoad, SpvOpAtomicExchange
#define ACQ_REL                                                                                    \
    ((uint32_t)SpvMemorySemanticsAcquireMask | (uint32_t)SpvMemorySemanticsReleaseMask |           \
     (uint32_t)SpvMemorySemanticsAcquireReleaseMask)
#define GROUP_ARITHMETIC SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformLogicalXor
#define AMD_OPS          SpvOpGroupIAddNonUniformAMD, SpvOpGroupSMaxNonUniformAMD

/* A capability is needed where one of its rows holds; one that has no row always is. */
static const struct {
    uint32_t capability;
    struct use use;
} capability_uses[] = {
    {SpvCapabilityVector16,                       {USE_LONG_VECTOR, 4, 0, 0}                                 },
    {SpvCapabilityFloat16,                        {USE_FLOAT, 16, 0, 0}                                      },
    {SpvCapabilityFloat64,                        {USE_FLOAT, 64, 0, 0}                                      },
    {SpvCapabilityInt8,                           {USE_INT, 8, 0, 0}                                         },
    {SpvCapabilityInt16,                          {USE_INT, 16, 0, 0}                                        },
    {SpvCapabilityInt64,                          {USE_INT, 64, 0, 0}                                        },
    {SpvCapabilityInt64Atomics,                   {USE_OPS_INT, SpvOpAtomicLoad, SpvOpAtomicXor, 64}         },
    {SpvCapabilityGenericPointer,                 {USE_STORAGE, SpvStorageClassGeneric, 0, 0}                },
    {SpvCapabilityGroups,                         {USE_OPS, SpvOpGroupAsyncCopy, SpvOpGroupSMax, 0}          },
    {SpvCapabilityGroups,                         {USE_OPS, AMD_OPS, 0}                                      },
    {SpvCapabilityGroups,                         {USE_SET, 0, 0, 0}                                         },
    {SpvCapabilityImageBuffer,                    {USE_DIM, SpvDimBuffer, 0, 0}                              },
    {SpvCapabilityStorageImageExtendedFormats,    {USE_FORMAT, SpvImageFormatRg16f, 0, 0}                    },
    {SpvCapabilitySubgroupDispatch,
     {USE_MODE, SpvExecutionModeSubgroupSize, SpvExecutionModeSubgroupsPerWorkgroupId, 0}                    },
    {SpvCapabilityGroupNonUniform,
     {USE_OPS, SpvOpGroupNonUniformElect, SpvOpGroupNonUniformElect, 0}                                      },
    {SpvCapabilityGroupNonUniform,
     {USE_BUILTIN, SpvBuiltInSubgroupSize, SpvBuiltInSubgroupLocalInvocationId, 0}                           },
    {SpvCapabilityGroupNonUniform,                {USE_SCOPE, SpvScopeSubgroup, 0, 0}                        },
    {SpvCapabilityGroupNonUniformVote,
     {USE_OPS, SpvOpGroupNonUniformAll, SpvOpGroupNonUniformAllEqual, 0}                                     },
    {SpvCapabilityGroupNonUniformArithmetic,      {USE_REDUCTION, GROUP_ARITHMETIC, 0}                       },
    {SpvCapabilityGroupNonUniformClustered,       {USE_CLUSTER, GROUP_ARITHMETIC, 0}                         },
    {SpvCapabilityGroupNonUniformBallot,
     {USE_OPS, SpvOpGroupNonUniformBroadcast, SpvOpGroupNonUniformBallotFindMSB, 0}                          },
    {SpvCapabilityGroupNonUniformBallot,
     {USE_BUILTIN, SpvBuiltInSubgroupEqMask, SpvBuiltInSubgroupLtMask, 0}                                    },
    {SpvCapabilityGroupNonUniformShuffle,
     {USE_OPS, SpvOpGroupNonUniformShuffle, SpvOpGroupNonUniformShuffleXor, 0}                               },
    {SpvCapabilityGroupNonUniformShuffleRelative,
     {USE_OPS, SpvOpGroupNonUniformShuffleUp, SpvOpGroupNonUniformShuffleDown, 0}                            },
    {SpvCapabilitySubgroupShuffleINTEL,
     {USE_OPS, SpvOpSubgroupShuffleINTEL, SpvOpSubgroupShuffleXorINTEL, 0}                                   },
    {SpvCapabilityGroupNonUniformQuad,
     {USE_OPS, SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadSwap, 0}                           },
    {SpvCapabilityGroupNonUniformRotateKHR,
     {USE_OPS, SpvOpGroupNonUniformRotateKHR, SpvOpGroupNonUniformRotateKHR, 0}                              },
    {SpvCapabilityGroupUniformArithmeticKHR,
     {USE_OPS, SpvOpGroupIMulKHR, SpvOpGroupLogicalXorKHR, 0}                                                },
    {SpvCapabilityAtomicFloat16AddEXT,            {USE_OPS_FLOAT, SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT, 16}},
    {SpvCapabilityAtomicFloat32AddEXT,            {USE_OPS_FLOAT, SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT, 32}},
    {SpvCapabilityAtomicFloat64AddEXT,            {USE_OPS_FLOAT, SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT, 64}},
    {SpvCapabilityAtomicFloat16MinMaxEXT,
     {USE_OPS_FLOAT, SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT, 16}                                             },
    {SpvCapabilityAtomicFloat32MinMaxEXT,
     {USE_OPS_FLOAT, SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT, 32}                                             },
    {SpvCapabilityAtomicFloat64MinMaxEXT,
     {USE_OPS_FLOAT, SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT, 64}                                             },
    {SPV_CAP_ATOMIC_FLOAT16_VECTOR_NV,            {USE_OPS_VECTOR, SpvOpAtomicFMinEXT, SpvOpAtomicFAddEXT, 0}},
    {SPV_CAP_ATOMIC_FLOAT16_VECTOR_NV,            {USE_OPS_VECTOR, FLOAT_ATOMICS, 0}                         },
    {SPV_CAP_QUAD_CONTROL_KHR,                    {USE_OPS, SPV_OP_QUAD_ALL_KHR, SPV_OP_QUAD_ANY_KHR, 0}     },
    {SPV_CAP_PARTITIONED_EXT,                     {USE_OPS, SPV_OP_PARTITION_EXT, SPV_OP_PARTITION_EXT, 0}   },
    {SPV_CAP_PARTITIONED_EXT,                     {USE_PARTITIONED, GROUP_ARITHMETIC, 0}                     },
    {SpvCapabilityDotProduct,                     {USE_OPS, SpvOpSDot, SpvOpSUDotAccSat, 0}                  },
    {SpvCapabilityDotProductInputAll,             {USE_OPS, SpvOpSDot, SpvOpSUDotAccSat, 0}                  },
    {SpvCapabilityDotProductInput4x8BitPacked,    {USE_OPS, SpvOpSDot, SpvOpSUDotAccSat, 0}                  },
    {SpvCapabilityDotProductInput4x8Bit,          {USE_OPS, SpvOpSDot, SpvOpSUDotAccSat, 0}                  },
    {SPV_CAP_FMA_KHR,                             {USE_OPS, SPV_OP_FMA_KHR, SPV_OP_FMA_KHR, 0}               },
    {SPV_CAP_FP_MAX_ERROR_INTEL,                  {USE_DECORATION, SPV_DEC_FP_MAX_ERROR_INTEL, 0, 0}         },
    {SPV_CAP_FLOAT_CONTROLS2,                     {USE_DECORATION, SpvDecorationFPFastMathMode, 0, 0}        },
    {SPV_CAP_FLOAT_CONTROLS2,
     {USE_MODE, SPV_MODE_FP_FAST_MATH_DEFAULT, SPV_MODE_FP_FAST_MATH_DEFAULT, 0}                             },
    {SpvCapabilityDenormPreserve,
     {USE_MODE, SpvExecutionModeDenormPreserve, SpvExecutionModeDenormPreserve, 0}                           },
    {SpvCapabilityDenormFlushToZero,
     {USE_MODE, SpvExecutionModeDenormFlushToZero, SpvExecutionModeDenormFlushToZero, 0}                     },
    {SpvCapabilitySignedZeroInfNanPreserve,
     {USE_MODE, SpvExecutionModeSignedZeroInfNanPreserve, SpvExecutionModeSignedZeroInfNanPreserve,
      0}                                                                                                     },
    {SpvCapabilityRoundingModeRTE,
     {USE_MODE, SpvExecutionModeRoundingModeRTE, SpvExecutionModeRoundingModeRTE, 0}                         },
    {SpvCapabilityRoundingModeRTZ,
     {USE_MODE, SpvExecutionModeRoundingModeRTZ, SpvExecutionModeRoundingModeRTZ, 0}                         },
    {SpvCapabilityStorageBuffer16BitAccess,       {USE_INT, 16, 0, 0}                                        },
    {SpvCapabilityStorageBuffer16BitAccess,       {USE_FLOAT, 16, 0, 0}                                      },
    {SpvCapabilityVariablePointersStorageBuffer,  {USE_POINTER_VALUE, 0, 0, 0}                               },
    {SpvCapabilityVulkanMemoryModel,              {USE_MODEL, SpvMemoryModelVulkan, 0, 0}                    },
    {SpvCapabilityVulkanMemoryModelDeviceScope,   {USE_SCOPE, SpvScopeDevice, 0, 0}                          },
};

/* A need that no capability stands for, or that shares one with others, goes when none of its rows
 * holds; one that has no row goes with its capability. */
static const struct {
    enum need_id need;
    struct use use;
} need_uses[] = {
    {NEED_CL_F64_ATOMIC_LS,         {USE_OPS_FLOAT, FLOAT_ATOMICS, 64}                             },
    {NEED_CL_F16_GLOBAL_LS,         {USE_OPS_FLOAT, FLOAT_ATOMICS, 16}                             },
    {NEED_CL_F16_LOCAL_LS,          {USE_OPS_FLOAT, FLOAT_ATOMICS, 16}                             },
    {NEED_VK_F16_BUFFER_LS,         {USE_OPS_FLOAT, FLOAT_ATOMICS, 16}                             },
    {NEED_VK_F16_SHARED_LS,         {USE_OPS_FLOAT, FLOAT_ATOMICS, 16}                             },
    {NEED_VK_F32_BUFFER_LS,         {USE_OPS_FLOAT, FLOAT_ATOMICS, 32}                             },
    {NEED_VK_F32_SHARED_LS,         {USE_OPS_FLOAT, FLOAT_ATOMICS, 32}                             },
    {NEED_VK_F32_IMAGE_LS,          {USE_OPS_FLOAT, FLOAT_ATOMICS, 32}                             },
    {NEED_VK_F64_BUFFER_LS,         {USE_OPS_FLOAT, FLOAT_ATOMICS, 64}                             },
    {NEED_VK_F64_SHARED_LS,         {USE_OPS_FLOAT, FLOAT_ATOMICS, 64}                             },
    {NEED_CL_ORDER_ACQ_REL,         {USE_ORDER, ACQ_REL, 0, 0}                                     },
    {NEED_CL_ORDER_SEQ_CST,         {USE_ORDER, SpvMemorySemanticsSequentiallyConsistentMask, 0, 0}},
    {NEED_CL_SCOPE_ALL,             {USE_SCOPE, SpvScopeCrossDevice, 0, 0}                         },
    {NEED_CL_SCOPE_DEVICE,          {USE_SCOPE, SpvScopeDevice, 0, 0}                              },
    {NEED_CL_SCOPE_WORKGROUP,       {USE_SCOPE, SpvScopeWorkgroup, 0, 0}                           },
    {NEED_CL_SCOPE_SUBGROUP,        {USE_SCOPE, SpvScopeSubgroup, 0, 0}                            },
    {NEED_CL_SUBGROUPS,             {USE_SCOPE, SpvScopeSubgroup, 0, 0}                            },
    {NEED_CL_SUBGROUPS,
     {USE_BUILTIN, SpvBuiltInSubgroupSize, SpvBuiltInSubgroupLocalInvocationId, 0}                 },
    {NEED_CL_WG_COLLECTIVES,        {USE_SCOPE, SpvScopeWorkgroup, 0, 0}                           },
    {NEED_CL_AMD_BALLOT,            {USE_OPS, AMD_OPS, 0}                                          },
    {NEED_CL_AMD_BALLOT,            {USE_OPS, SpvOpGroupIAdd, SpvOpGroupSMax, 0}                   },
    {NEED_CL_AMD_BALLOT,            {USE_SET, 0, 0, 0}                                             },
    {NEED_CL_AMD_BARE,              {USE_OPS, AMD_OPS, 0}                                          },
    {NEED_CL_AMD_BARE,              {USE_SET, 0, 0, 0}                                             },
    {NEED_VK_AMD_BALLOT,            {USE_OPS, AMD_OPS, 0}                                          },
    {NEED_VK_AMD_BALLOT,            {USE_OPS, SpvOpGroupIAdd, SpvOpGroupSMax, 0}                   },
    {NEED_VK_AMD_BALLOT,            {USE_SET, 0, 0, 0}                                             },
    {NEED_VK_AMD_SET,               {USE_SET, 0, 0, 0}                                             },
    {NEED_VK_AMD_BARE,              {USE_OPS, AMD_OPS, 0}                                          },
    {NEED_VK_AMD_BARE,              {USE_SET, 0, 0, 0}                                             },
    {NEED_VK_SCOPE_SUBGROUP,        {USE_SCOPE, SpvScopeSubgroup, 0, 0}                            },
    {NEED_VK_IMAGE,                 {USE_FORMAT, SpvImageFormatR32f, 0, 0}                         },
    {NEED_VK_R32UI_IMAGE,           {USE_FORMAT, SpvImageFormatR32ui, 0, 0}                        },
    {NEED_VK_RG16F_IMAGE,           {USE_FORMAT, SpvImageFormatRg16f, 0, 0}                        },
    {NEED_VK_RGBA16F_IMAGE,         {USE_FORMAT, SpvImageFormatRgba16f, 0, 0}                      },
    {NEED_VK_SG_BROADCAST_DYNAMIC,
     {USE_OPS, SpvOpGroupNonUniformBroadcast, SpvOpGroupNonUniformBroadcast, 0}                    },
    {NEED_VK_SG_BROADCAST_DYNAMIC,
     {USE_OPS, SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadBroadcast, 0}            },
    {NEED_VK_SG_EXTENDED_TYPES,
     {USE_OPS, SpvOpGroupNonUniformAll, SpvOpGroupNonUniformQuadSwap, 0}                           },
    {NEED_VK_SG_EXTENDED_TYPES,
     {USE_OPS, SpvOpGroupNonUniformRotateKHR, SpvOpGroupNonUniformRotateKHR, 0}                    },
    {NEED_CL_SG_EXTENDED_TYPES,     {USE_OPS, SpvOpGroupAll, SpvOpGroupNonUniformQuadSwap, 0}      },
    {NEED_VK_SG_UNIFORM_FLOW,
     {USE_MODE, SpvExecutionModeSubgroupUniformControlFlowKHR,
      SpvExecutionModeSubgroupUniformControlFlowKHR, 0}                                            },
    {NEED_VK_MAXIMAL_RECONVERGENCE,
     {USE_MODE, SPV_MODE_MAXIMALLY_RECONVERGES, SPV_MODE_MAXIMALLY_RECONVERGES, 0}                 },
    {NEED_VK_LOCAL_SIZE_ID,
     {USE_MODE, SpvExecutionModeLocalSizeId, SpvExecutionModeLocalSizeId, 0}                       },
    {NEED_VK_NEGATIVE_REMAINDER,    {USE_OPS, SpvOpSRem, SpvOpSMod, 0}                             },
    {NEED_VK_DENORM_INDEPENDENT,
     {USE_MODE, SpvExecutionModeDenormPreserve, SpvExecutionModeDenormFlushToZero, 0}              },
    {NEED_VK_ROUNDING_INDEPENDENT,
     {USE_MODE, SpvExecutionModeRoundingModeRTE, SpvExecutionModeRoundingModeRTZ, 0}               },
};

/* ---- looking ---- */

static bool is_within(uint32_t x, const struct use *u)
{
    return x >= u->a && x <= u->b;
}

/* Type of what an atomic or a group instruction works on. */
static const struct shrink_inst *find_worked_type(const struct shrink_module *m,
                                                  const struct shrink_inst *i)
{
    uint32_t const type = i->op == SpvOpAtomicStore ? shrink_module_get_type(m, i->w[4]) : i->type;
    return shrink_module_find(m, type);
}

static bool works_on(const struct shrink_module *m, const struct shrink_inst *i,
                     const struct use *u, uint32_t type_op)
{
    const struct shrink_inst *const t = is_within(i->op, u) ? find_worked_type(m, i) : NULL;
    return t && t->op == type_op && (u->bits == 0 || t->w[2] == u->bits);
}

/* Is an operand of that role a constant with value a, or for semantics with a bit of it? What is no
 * constant may be anything. */
static bool names_constant(const struct shrink_module *m, const struct shrink_inst *i,
                           enum shrink_role role, uint32_t value)
{
    for (uint32_t k = 1; k < i->n; k++) {
        uint64_t bits = 0;
        if (i->role[k] == role && (!shrink_module_get_bits(m, i->w[k], &bits) ||
                                   (role == ROLE_SCOPE ? bits == value : (bits & value) != 0))) {
            return true;
        }
    }
    return false;
}

/* Is a pointer into a storage buffer chosen, passed or computed on? */
static bool is_pointer_value(const struct shrink_module *m, const struct shrink_inst *i)
{
    const struct shrink_inst *const t = shrink_module_find(m, i->type);
    bool const may_be = i->op == SpvOpFunctionParameter || i->op == SpvOpPhi ||
                        i->op == SpvOpSelect || i->op == SpvOpFunctionCall || i->op == SpvOpLoad ||
                        i->op == SpvOpPtrAccessChain || i->op == SpvOpCopyObject;
    return may_be && t && t->op == SpvOpTypePointer;
}

static bool is_group_of(const struct shrink_inst *i, const struct use *u)
{
    uint32_t const operation = is_within(i->op, u) ? i->w[4] : 0;
    bool const is_partitioned =
        operation >= SPV_PARTITIONED_REDUCE_EXT && operation <= SPV_PARTITIONED_EXCLUSIVE_SCAN_EXT;
    bool const is_clustered = operation == (uint32_t)SpvGroupOperationClusteredReduce;
    return is_within(i->op, u) && (u->kind == USE_CLUSTER) == is_clustered &&
           (u->kind == USE_PARTITIONED) == is_partitioned;
}

/* Does the instruction use a capability in the way that `u` describes? u->a is the width, number or value that the
 * use is about; is_within compares with a range that begins there. i->w[k] is word k of the instruction, as the SPIR-V
 * specification numbers them. An unknown kind counts as used, so that no capability is removed by mistake. */
static bool is_use(const struct shrink_module *m, const struct shrink_inst *i, const struct use *u)
{
    switch (u->kind) {
    case USE_INT:
        return i->op == SpvOpTypeInt && i->w[2] == u->a;
    case USE_FLOAT:
        return i->op == SpvOpTypeFloat && i->w[2] == u->a;
    case USE_LONG_VECTOR:
        return i->op == SpvOpTypeVector && i->w[3] > u->a;
    case USE_STORAGE:
        return i->op == SpvOpTypePointer && i->w[2] == u->a;
    case USE_OPS:
        return is_within(i->op, u);
    case USE_OPS_FLOAT:
        return works_on(m, i, u, SpvOpTypeFloat);
    case USE_OPS_INT:
        return works_on(m, i, u, SpvOpTypeInt);
    case USE_OPS_VECTOR:
        return works_on(m, i, u, SpvOpTypeVector);
    case USE_REDUCTION:
    case USE_CLUSTER:
    case USE_PARTITIONED:
        return is_group_of(i, u);
    case USE_MODE:
        return (i->op == SpvOpExecutionMode || i->op == SpvOpExecutionModeId) &&
               is_within(i->w[2], u);
    case USE_DECORATION:
        return (i->op == SpvOpDecorate || i->op == SpvOpDecorateId) && i->w[2] == u->a;
    case USE_BUILTIN:
        return i->op == SpvOpDecorate && i->n > 3 && i->w[2] == (uint32_t)SpvDecorationBuiltIn &&
               is_within(i->w[3], u);
    case USE_SCOPE:
        return names_constant(m, i, ROLE_SCOPE, u->a);
    case USE_ORDER:
        return names_constant(m, i, ROLE_SEMANTICS, u->a);
    case USE_DIM:
        return i->op == SpvOpTypeImage && i->w[3] == u->a;
    case USE_FORMAT:
        return i->op == SpvOpTypeImage && i->w[8] == u->a;
    case USE_MODEL:
        return i->op == SpvOpMemoryModel && i->w[2] == u->a;
    case USE_SET:
        return i->op == SpvOpExtInstImport && i->n > 3 && memcmp(i->w + 2, "SPV_AMD_", 8) == 0;
    case USE_POINTER_VALUE:
        return is_pointer_value(m, i);
    }
    return true;
}

static bool has_use(const struct shrink_module *m, const struct use *u)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (!m->inst[i].is_dead && is_use(m, &m->inst[i], u)) {
            return true;
        }
    }
    return false;
}

/* ---- capabilities and extensions ---- */

static bool is_capability_needed(const struct shrink_module *m, uint32_t capability)
{
    int is_known = 0;
    for (size_t i = 0; i < ARRAY_N(capability_uses); i++) {
        if (capability_uses[i].capability == capability) {
            is_known = 1;
            if (has_use(m, &capability_uses[i].use)) {
                return true;
            }
        }
    }
    return !is_known;
}

static bool declares(const struct shrink_module *m, uint32_t capability)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpCapability && !in->is_dead && in->w[1] == capability) {
            return true;
        }
    }
    return false;
}

/* 1 or 0 where rows tell, else -1. */
static int ask_rows(const struct shrink_module *m, enum need_id need)
{
    int answer = -1;
    for (size_t i = 0; i < ARRAY_N(need_uses) && answer != 1; i++) {
        if (need_uses[i].need == need) {
            answer = has_use(m, &need_uses[i].use);
        }
    }
    return answer;
}

static bool is_need_of_module(const struct shrink_module *m, enum need_id need)
{
    uint32_t const capability = cap_rows[need].capability;
    int const answer = ask_rows(m, need);
    return answer >= 0 ? answer : capability == 0 || declares(m, capability);
}

/* Does the list "NAME NAME@VERSION" have this name? */
static bool lists(const char *list, const char *name, size_t n)
{
    while (*list) {
        size_t const n_word = strcspn(list, " ");
        size_t const n_name = strcspn(list, " @");
        if (n_name == n && memcmp(list, name, n) == 0) {
            return true;
        }
        list += n_word + strspn(list + n_word, " ");
    }
    return false;
}

static bool is_extension_needed(const struct shrink_module *m, const struct shrink_inst *i)
{
    const char *const name = (const char *)(i->w + 1);
    size_t const n = strnlen(name, (size_t)(i->n - 1) * 4);
    int is_known = 0;
    for (int need = 0; need < NEED_N; need++) {
        if (lists(cap_rows[need].extensions, name, n)) {
            is_known = 1;
            if (is_need_of_module(m, (enum need_id)need)) {
                return true;
            }
        }
    }
    return !is_known;
}

void shrink_caps_sweep(struct shrink_module *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->inst[i].op == SpvOpCapability) {
            m->inst[i].is_dead |= !is_capability_needed(m, m->inst[i].w[1]);
        }
    }
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->inst[i].op == SpvOpExtension) {
            m->inst[i].is_dead |= !is_extension_needed(m, &m->inst[i]);
        }
    }
}

/* ---- needs ---- */

static const struct {
    enum need_id need;
    uint32_t size;
} size_needs[] = {
    {NEED_CL_SG_SIZE_4,   4  },
    {NEED_CL_SG_SIZE_8,   8  },
    {NEED_CL_SG_SIZE_16,  16 },
    {NEED_CL_SG_SIZE_32,  32 },
    {NEED_CL_SG_SIZE_64,  64 },
    {NEED_VK_SG_SIZE_4,   4  },
    {NEED_VK_SG_SIZE_8,   8  },
    {NEED_VK_SG_SIZE_16,  16 },
    {NEED_VK_SG_SIZE_32,  32 },
    {NEED_VK_SG_SIZE_64,  64 },
    {NEED_VK_SG_SIZE_128, 128},
};

/* Is it a need of the dispatch, and does the case still have it? -1: it is none. */
static int ask_dispatch(const struct testcase *tc, enum need_id need)
{
    for (size_t i = 0; i < ARRAY_N(size_needs); i++) {
        if (size_needs[i].need == need) {
            return tc->subgroup_size == size_needs[i].size;
        }
    }
    if (need == NEED_VK_SG_FULL) {
        return tc->full_subgroups != 0;
    }
    if (need == NEED_CL_NONUNIFORM_WG) {
        return tc->global[0] % tc->local[0] != 0 || tc->global[1] % tc->local[1] != 0 ||
               tc->global[2] % tc->local[2] != 0;
    }
    if (need == NEED_CL_ROUNDED_DIVIDE) {
        return strstr(tc->build_options, "correctly-rounded") != NULL;
    }
    return -1;
}

struct needs shrink_caps_find_needs(const struct shrink_module *m, const struct testcase *tc)
{
    struct needs n = {{0}};
    for (int i = 0; i < NEED_N; i++) {
        enum need_id const need = (enum need_id)i;
        int const by_dispatch = ask_dispatch(tc, need);
        if (needs_has(&tc->needs, need) &&
            (by_dispatch >= 0 ? by_dispatch : is_need_of_module(m, need))) {
            needs_add(&n, need);
        }
    }
    return n;
}
