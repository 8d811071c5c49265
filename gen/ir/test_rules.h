/* gen/ir/test_rules.h -- for the tests: SPIRV-Tools' answer for a module, and by a walk over its words
 * the rules that it does not know (capability per width, memory semantics, scopes; those of group
 * operations are in test_group_rules.h, those of decorations in test_math_rules.h). */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

#include "base/spv.h"
#include "base/testcase.h"

enum {
    RULES_MAX_IDS = 1 << 14,
    RULES_MAX_CAPS = 8192,
    RULES_MAX_ADDED = 7 /* words of OpExtension "SPV_AMD_shader_ballot" */
};

/* What a walk over the module needs to know of ids. */
struct rules {
    uint32_t type_of[RULES_MAX_IDS];  /* result type */
    uint32_t value_of[RULES_MAX_IDS]; /* of 32-bit constants; of other constants their offset */
    uint32_t width_of[RULES_MAX_IDS]; /* of number types; 0x100 + width for floats; of a vector that
                                       * of its component; 1 for bool */
    uint32_t n_of[RULES_MAX_IDS];     /* components of a vector type */
    uint32_t pointee_of[RULES_MAX_IDS];
    uint32_t format_of[RULES_MAX_IDS]; /* of an image type */
    uint32_t dim_of[RULES_MAX_IDS];    /* the same; with 0x10 if it is an array */
    unsigned char is_constant[RULES_MAX_IDS];
    unsigned char caps[RULES_MAX_CAPS];
    uint32_t max_error_of[RULES_MAX_IDS];     /* literal */
    unsigned char decorations[RULES_MAX_IDS]; /* bits of test_math_rules.h */
    uint32_t amd_set, math_set;               /* ids of imported sets */
    uint32_t n_atomics;
    uint32_t n_vector_atomics; /* of these, on vectors */
    uint32_t n_decorated;      /* results with a max error */
    uint32_t n_math;           /* instructions of the sets of mathematics */
    uint32_t n_groups;         /* group instructions, extended ones included */
    char text[200];
};

static inline int rules_has_cap(const struct rules *r, uint32_t cap)
{
    return cap < RULES_MAX_CAPS && r->caps[cap];
}

static inline int rules_fail(struct rules *r, const struct spv_inst *i, const char *why)
{
    (void)snprintf(r->text, sizeof r->text, "word %u, opcode %u: %s", i->offset, i->op, why);
    return 0;
}

/* SPV_NV_shader_atomic_fp16_vector: exchange, min, max and add on two or four 16-bit floats, in Vulkan. */
static inline int rules_is_vector_atomic(const struct rules *r, const struct spv_inst *i)
{
    int const is_op = i->op == 229 || i->op == 5614 || i->op == 5615 || i->op == 6035;
    return is_op && r->n_of[i->w[1]] != 0;
}

static inline int rules_check_vector(struct rules *r, const struct spv_inst *i, enum env env)
{
    uint32_t const type = i->w[1];
    r->n_vector_atomics++;
    if (env != ENV_VK || r->width_of[type] != 0x110 || (r->n_of[type] != 2 && r->n_of[type] != 4)) {
        return rules_fail(r, i, "an atomic on a vector that has no such form");
    }
    return rules_has_cap(r, 5404) ? 1 : rules_fail(r, i, "no capability for atomics on vectors");
}

enum {
    RULES_BFLOAT = 0x210 /* in width_of: bfloat16 */
};

/* SPV_INTEL_16bit_atomics: the capability of an atomic with a result of that type; 0: it is of another extension.
 * OpAtomicStore, whose type is that of its value, is left out. */
static inline uint32_t rules_find_small_need(uint32_t op, uint32_t width)
{
    bool const is_copy = op >= SpvOpAtomicLoad && op <= SpvOpAtomicCompareExchange;
    bool const is_integer_op = op >= SpvOpAtomicIIncrement && op <= SpvOpAtomicXor;
    if (width == RULES_BFLOAT) {
        return is_copy      ? SPV_CAP_ATOMIC_BFLOAT16_LOAD_STORE_INTEL
               : op == 6035 ? SPV_CAP_ATOMIC_BFLOAT16_ADD_INTEL
                            : SPV_CAP_ATOMIC_BFLOAT16_MIN_MAX_INTEL;
    }
    if (width != 0x10) {
        return 0;
    }
    return is_copy         ? SPV_CAP_ATOMIC_INT16_CMPXCHG_INTEL
           : is_integer_op ? SPV_CAP_INT16_ATOMICS_INTEL
                           : 0;
}

/* Seed min_max and cl_ext_float_atomics: one capability per width and class. */
static inline int rules_check_capability(struct rules *r, const struct spv_inst *i, enum env env)
{
    if (rules_is_vector_atomic(r, i)) {
        return rules_check_vector(r, i, env);
    }
    if (r->n_of[i->w[1]] != 0) {
        return rules_fail(r, i, "an instruction that has no form on vectors");
    }
    uint32_t const width = r->width_of[i->w[1]];
    uint32_t need = rules_find_small_need(i->op, width);
    if (need != 0) {
        return rules_has_cap(r, need) && env == ENV_CL
                   ? 1
                   : rules_fail(r, i, "the capability of an atomic on 16 bits is missing");
    }
    if (i->op == 6035) {
        need = width == 0x110 ? 6095 : width == 0x120 ? 6033 : 6034;
    } else if (i->op == 5614 || i->op == 5615) {
        need = width == 0x110 ? 5616 : width == 0x120 ? 5612 : 5613;
    }
    if (need != 0 && !rules_has_cap(r, need)) {
        return rules_fail(r, i, "the capability of this width is missing");
    }
    return 1;
}

/* SA-10865 to -10871 and, for the second semantics of a compare-exchange, -10875 to -10879. */
static inline int rules_check_vk_semantics(struct rules *r, const struct spv_inst *i, uint32_t s)
{
    uint32_t const order = s & 0x1e;
    uint32_t const classes = s & 0x1940;
    if (order & (order - 1)) {
        return rules_fail(r, i, "two orders (SA-10865)");
    }
    if (order == 0x10) {
        return rules_fail(r, i, "sequentially consistent (SA-10866)");
    }
    if (i->op == 228 && (order == 2 || order == 8)) {
        return rules_fail(r, i, "a store that acquires (SA-10867)");
    }
    if (i->op == 227 && (order == 4 || order == 8)) {
        return rules_fail(r, i, "a load that releases (SA-10868)");
    }
    if ((order != 0) != (classes != 0)) {
        return rules_fail(r, i, "order without storage class or the reverse (SA-10870, -10871)");
    }
    if ((s & 0x2000 && order != 4 && order != 8) || (s & 0x4000 && order != 2 && order != 8)) {
        return rules_fail(r, i, "availability or visibility without its order");
    }
    return (s & ~0x795eu) == 0 ? 1 : rules_fail(r, i, "an unknown bit of the semantics");
}

static inline int rules_check_cl_semantics(struct rules *r, const struct spv_inst *i, uint32_t s)
{
    uint32_t const order = s & 0x1e;
    if (order & (order - 1)) {
        return rules_fail(r, i, "two orders");
    }
    if ((i->op == 228 && (order == 2 || order == 8)) ||
        (i->op == 227 && (order == 4 || order == 8))) {
        return rules_fail(r, i, "an order that loads or stores may not have");
    }
    return (s & ~0x31eu) == 0 ? 1 : rules_fail(r, i, "storage bits beyond local and global");
}

static inline int rules_check_unequal(struct rules *r, const struct spv_inst *i, uint32_t equal,
                                      uint32_t unequal)
{
    uint32_t const order = unequal & 0x1e;
    if (order == 4 || order == 8) {
        return rules_fail(r, i, "unequal releases");
    }
    if (order > (equal & 0x1e) || ((equal & 0x1e) == 4 && order != 0)) {
        return rules_fail(r, i, "unequal is stronger than equal");
    }
    if (unequal & ~equal & 0x1f40) {
        return rules_fail(r, i, "storage bits of unequal are no subset");
    }
    return 1;
}

static inline int rules_check_scope(struct rules *r, const struct spv_inst *i, enum env env,
                                    uint32_t scope, uint32_t semantics)
{
    if (env == ENV_CL) {
        return scope <= 3 ? 1 : rules_fail(r, i, "scope unknown to OpenCL");
    }
    if (scope == 0 || scope > 5 || (scope == 5 && !rules_has_cap(r, 5345))) {
        return rules_fail(r, i, "scope not permitted (SA-04638)");
    }
    if (scope == 4 && semantics != 0) {
        return rules_fail(r, i, "invocation scope and not relaxed (SA-04641)");
    }
    if (scope == 3 && !rules_has_cap(r, 61)) {
        return rules_fail(r, i, "sub-group scope without a group capability (SA-07951)");
    }
    if (scope == 1 && rules_has_cap(r, 5345) && !rules_has_cap(r, 5346)) {
        return rules_fail(r, i, "device scope without its capability in the Vulkan memory model");
    }
    return 1;
}

static inline int rules_check_atomic(struct rules *r, const struct spv_inst *i, enum env env)
{
    uint32_t const at = i->op == 228 ? 1 : 3; /* a store has no result */
    uint32_t const scope = r->value_of[i->w[at + 1]];
    uint32_t const semantics = r->value_of[i->w[at + 2]];
    r->n_atomics++;
    if (!(env == ENV_CL ? rules_check_cl_semantics(r, i, semantics)
                        : rules_check_vk_semantics(r, i, semantics)) ||
        !rules_check_scope(r, i, env, scope, semantics) ||
        (i->op != 228 && !rules_check_capability(r, i, env))) {
        return 0;
    }
    if (i->op == 228 && r->n_of[r->type_of[i->w[4]]] != 0) {
        return rules_fail(r, i, "an atomic store of a vector");
    }
    if (i->op == 230) {
        uint32_t const unequal = r->value_of[i->w[6]];
        return rules_check_unequal(r, i, semantics, unequal) &&
               (env == ENV_CL ? rules_check_cl_semantics(r, i, unequal)
                              : rules_check_vk_semantics(r, i, unequal));
    }
    return 1;
}

static inline int rules_is_atomic(uint32_t op)
{
    return (op >= 227 && op <= 242) || op == 5614 || op == 5615 || op == 6035;
}

#include "gen/ir/test_group_rules.h"
#include "gen/ir/test_math_rules.h"

static inline void rules_note_type(struct rules *r, const struct spv_inst *i)
{
    if (i->op == SpvOpTypeInt) {
        r->width_of[i->w[1]] = i->w[2];
    } else if (i->op == SpvOpTypeFloat) {
        r->width_of[i->w[1]] = i->n > 3 ? (uint32_t)RULES_BFLOAT : 0x100 + i->w[2];
    } else if (i->op == SpvOpTypeBool) {
        r->width_of[i->w[1]] = 1;
    } else if (i->op == SpvOpTypeVector) {
        r->width_of[i->w[1]] = r->width_of[i->w[2]];
        r->n_of[i->w[1]] = i->w[3];
    } else if (i->op == SpvOpTypePointer) {
        r->pointee_of[i->w[1]] = i->w[3];
    } else if (i->op == SpvOpTypeImage) {
        r->format_of[i->w[1]] = i->w[8];
        r->dim_of[i->w[1]] = i->w[3] + (i->w[5] ? 0x10 : 0);
    }
}

/* Types, and for each value its type; of constants the value, of others where they stand. */
static inline void rules_note(struct rules *r, const struct spv_inst *i)
{
    if (i->op == SpvOpCapability && i->w[1] < RULES_MAX_CAPS) {
        r->caps[i->w[1]] = 1;
        return;
    }
    rules_note_type(r, i);
    if (i->op >= SpvOpConstantTrue && i->op <= SpvOpConstantComposite) {
        r->is_constant[i->w[2]] = 1;
        r->value_of[i->w[2]] = i->op == SpvOpConstant ? i->w[3] : i->offset;
    } else if (i->op == SpvOpConstantNull) {
        r->is_constant[i->w[2]] = 1;
        r->value_of[i->w[2]] = r->n_of[i->w[1]] == 0 ? 0 : i->offset;
    }
    int const is_without_type =
        i->op < SpvOpExtInst || (i->op > SpvOpExtInst && i->op < SpvOpConstantTrue) ||
        i->op == SpvOpStore || i->op == SpvOpFunctionEnd || i->op == SpvOpDecorate ||
        i->op == SpvOpMemberDecorate || i->op == SpvOpControlBarrier ||
        i->op == SpvOpMemoryBarrier || i->op == SpvOpAtomicStore || i->op == SpvOpExecutionModeId ||
        (i->op >= SpvOpLoopMerge && i->op <= SpvOpUnreachable);
    if (!is_without_type && i->n > 2) {
        r->type_of[i->w[2]] = i->w[1];
    }
}

/* S 3.3.10: the components of the coordinate, and 3.31: what capability the image asks for. */
static inline int rules_check_dim(struct rules *r, const struct spv_inst *i, uint32_t dim)
{
    static const struct {
        uint32_t dim, n, cap; /* n: 0 is a scalar */
    } rows[] = {
        {SpvDim1D,          0, SpvCapabilityImage1D       },
        {SpvDim2D,          2, 0                          },
        {SpvDim3D,          3, 0                          },
        {SpvDimCube,        3, 0                          },
        {SpvDimBuffer,      0, SpvCapabilityImageBuffer   },
        {SpvDim1D + 0x10,   2, SpvCapabilityImage1D       },
        {SpvDim2D + 0x10,   3, 0                          },
        {SpvDimCube + 0x10, 3, SpvCapabilityImageCubeArray},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].dim == dim) {
            return r->n_of[r->type_of[i->w[4]]] == rows[k].n &&
                           (rows[k].cap == 0 || rules_has_cap(r, rows[k].cap))
                       ? 1
                       : rules_fail(r, i, "a texel's coordinates, or its image's capability");
        }
    }
    return rules_fail(r, i, "a texel of an image that has no texel pointers");
}

/* A texel pointer is to what the image's format holds: R32f a float, R32ui an integer, Rg16f and Rgba16f a vector of
 * f16. */
static inline int rules_check_texel(struct rules *r, const struct spv_inst *i)
{
    uint32_t const image = r->pointee_of[r->type_of[i->w[3]]];
    uint32_t const texel = r->pointee_of[i->w[1]];
    uint32_t const n = r->n_of[texel];
    bool const is_integer = r->format_of[image] == 33;
    uint32_t const format = n == 2 ? 7 : n == 4 ? 2 : is_integer ? 33 : 3;
    uint32_t const width = is_integer ? 0x20 : n == 0 ? 0x120 : 0x110;
    if (r->format_of[image] != format || r->width_of[texel] != width) {
        return rules_fail(r, i, "a texel pointer that is not of the image's format");
    }
    return format != 7 || rules_has_cap(r, 49)
               ? rules_check_dim(r, i, r->dim_of[image])
               : rules_fail(r, i, "no capability for the format Rg16f");
}

/* 1, or 0 and the reason in r->text. r is cleared first. */
static inline int rules_check(struct rules *r, const struct testcase *tc)
{
    memset(r, 0, sizeof *r);
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        rules_note(r, &i);
        if ((rules_is_atomic(i.op) && !rules_check_atomic(r, &i, tc->env)) ||
            (i.op == SpvOpImageTexelPointer && !rules_check_texel(r, &i)) ||
            !rules_check_math(r, &i, tc) || !rules_check_group(r, &i, tc) ||
            !rules_check_mode(r, &i, tc)) {
            return 0;
        }
    }
    if (!rules_check_decorated(r, tc)) {
        return 0;
    }
    if (r->n_vector_atomics > 0 &&
        !rules_has_extension(tc, SpvOpExtension, 1, "SPV_NV_shader_atomic_fp16_vector")) {
        return rules_fail(r, &i, "atomics on vectors without their extension");
    }
    for (int n = 0; n < NEED_N; n++) {
        uint32_t const cap = cap_rows[n].capability;
        if (needs_has(&tc->needs, (enum need_id)n) && cap != 0 && !rules_has_cap(r, cap)) {
            (void)snprintf(r->text, sizeof r->text, "need %s has no capability", cap_rows[n].id);
            return 0;
        }
        if (needs_has(&tc->needs, (enum need_id)n) &&
            !(cap_rows[n].envs & (tc->env == ENV_CL ? 1u : 2u))) {
            (void)snprintf(r->text, sizeof r->text, "need %s of the other environment",
                           cap_rows[n].id);
            return 0;
        }
    }
    return offset == tc->n_words ? 1 : rules_fail(r, &i, "broken words");
}

static inline int rules_is_newer_extension(const struct spv_inst *i)
{
    static const char *const names[] = {"SPV_KHR_float_controls2",
                                        "SPV_KHR_maximal_reconvergence",
                                        "SPV_INTEL_fp_max_error",
                                        "SPV_NV_shader_atomic_fp16_vector",
                                        "SPV_KHR_fma",
                                        "SPV_KHR_quad_control",
                                        "SPV_KHR_bfloat16",
                                        "SPV_INTEL_16bit_atomics"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (rules_is_text(i, 1, names[k])) {
            return 1;
        }
    }
    return 0;
}

static inline int rules_is_newer_capability(uint32_t capability)
{
    static const uint32_t numbers[] = {SPV_CAP_FLOAT_CONTROLS2,
                                       SPV_MODE_MAXIMALLY_RECONVERGES,
                                       SPV_CAP_FP_MAX_ERROR_INTEL,
                                       SPV_CAP_ATOMIC_FLOAT16_VECTOR_NV,
                                       SPV_CAP_FMA_KHR,
                                       SPV_CAP_QUAD_CONTROL_KHR,
                                       SPV_CAP_BFLOAT16_TYPE_KHR,
                                       SPV_CAP_ATOMIC_BFLOAT16_ADD_INTEL,
                                       SPV_CAP_ATOMIC_BFLOAT16_MIN_MAX_INTEL,
                                       SPV_CAP_ATOMIC_INT16_CMPXCHG_INTEL,
                                       SPV_CAP_INT16_ATOMICS_INTEL,
                                       SPV_CAP_ATOMIC_BFLOAT16_LOAD_STORE_INTEL};
    return rules_is_among(numbers, sizeof numbers / sizeof *numbers, capability);
}

/* What stands in the copy for a capability of bfloat16; 0: nothing. */
static inline uint32_t rules_find_older_capability(uint32_t capability)
{
    return capability == SPV_CAP_BFLOAT16_TYPE_KHR               ? SpvCapabilityFloat16
           : capability == SPV_CAP_ATOMIC_BFLOAT16_ADD_INTEL     ? 6033
           : capability == SPV_CAP_ATOMIC_BFLOAT16_MIN_MAX_INTEL ? 5612
                                                                 : 0;
}

/* Instructions that stand with a result type, of which the copy has their first operand. */
static inline int rules_is_newer_op(uint32_t op)
{
    static const uint32_t ops[] = {SPV_OP_FMA_KHR, SPV_OP_QUAD_ALL_KHR, SPV_OP_QUAD_ANY_KHR};
    return rules_is_among(ops, sizeof ops / sizeof *ops, op);
}

/* A copy without what SPIRV-Tools of Debian 12 is too old for: FloatControls2,
 * MaximallyReconverges, max-error decorations, atomics on vectors and newer instructions, for which stand copies of
 * their values (r as rules_check left it); and with the extension that a bare module lacks. At most
 * RULES_MAX_ADDED words longer. */
static inline uint32_t rules_strip(const struct testcase *tc, const struct rules *r, uint32_t *to)
{
    uint32_t n = SPV_HEADER_WORDS;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    memcpy(to, tc->module, SPV_HEADER_WORDS * sizeof *to);
    int wants_string = rules_is_bare(tc);
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        if (wants_string && i.op != SpvOpCapability) {
            to[n] = (RULES_MAX_ADDED << 16) | SpvOpExtension;
            memset(to + n + 1, 0, (RULES_MAX_ADDED - 1) * sizeof *to);
            memcpy(to + n + 1, "SPV_AMD_shader_ballot", 21);
            n += RULES_MAX_ADDED;
            wants_string = 0;
        }
        if (i.op == SpvOpTypeFloat && i.n > 3) { /* bfloat16 as binary16 */
            to[n] = 3u << 16 | SpvOpTypeFloat;
            memcpy(to + n + 1, i.w + 1, 2 * sizeof *to);
            n += 3;
            continue;
        }
        if (i.op == SpvOpCapability && rules_find_older_capability(i.w[1])) {
            to[n++] = 2u << 16 | SpvOpCapability;
            to[n++] = rules_find_older_capability(i.w[1]);
            continue;
        }
        if ((i.op == SpvOpCapability && rules_is_newer_capability(i.w[1])) ||
            (i.op == SpvOpDecorate && i.w[2] == SPV_DEC_FP_MAX_ERROR_INTEL) ||
            (i.op == SpvOpExecutionModeId && i.w[2] == SPV_MODE_FP_FAST_MATH_DEFAULT) ||
            (i.op == SpvOpExecutionMode && i.w[2] == SPV_MODE_MAXIMALLY_RECONVERGES) ||
            (i.op == SpvOpExtension && rules_is_newer_extension(&i))) {
            continue;
        }
        if (i.op == SpvOpImageTexelPointer && r->n_of[r->pointee_of[i.w[1]]] != 0) {
            continue; /* of an atomic on a vector, which alone uses it */
        }
        if (rules_is_vector_atomic(r, &i)) {
            uint32_t const copy[] = {4u << 16 | SpvOpCopyObject, i.w[1], i.w[2], i.w[6]};
            memcpy(to + n, copy, sizeof copy);
            n += 4;
            continue;
        }
        if (rules_is_newer_op(i.op)) {
            to[n] = 4u << 16 | SpvOpCopyObject;
            memcpy(to + n + 1, i.w + 1, 3 * sizeof *to);
            n += 4;
            continue;
        }
        memcpy(to + n, i.w, i.n * sizeof *to);
        n += i.n;
    }
    return n;
}

/* Is the module one of bfloat16 and binary16, which in the copy would be one type declared twice? */
static inline int rules_has_two_halves(const struct testcase *tc)
{
    uint32_t n = 0;
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst i;
    while (spv_next(tc->module, tc->n_words, &offset, &i)) {
        n += i.op == SpvOpTypeFloat && i.w[2] == 16;
    }
    return n > 1;
}

/* The environment that knows the module's version; kernels with Float16 or Int64Atomics, which the
 * OpenCL targets take for missing extensions, are checked as universal, and so are those of 1.3 on,
 * which no OpenCL target knows. */
static inline spv_target_env rules_pick_env(const struct testcase *tc, const struct rules *r)
{
    uint32_t const version = tc->module[1];
    if (tc->env == ENV_VK) {
        return version >= 0x10500 ? SPV_ENV_VULKAN_1_2 : SPV_ENV_VULKAN_1_1;
    }
    if (version >= 0x10300) {
        return version >= 0x10500   ? SPV_ENV_UNIVERSAL_1_5
               : version >= 0x10400 ? SPV_ENV_UNIVERSAL_1_4
                                    : SPV_ENV_UNIVERSAL_1_3;
    }
    if (rules_has_cap(r, 9) || rules_has_cap(r, 12) ||
        rules_has_cap(r, SPV_CAP_BFLOAT16_TYPE_KHR)) {
        return version > 0x10000 ? SPV_ENV_UNIVERSAL_1_2 : SPV_ENV_UNIVERSAL_1_0;
    }
    return version > 0x10000 ? SPV_ENV_OPENCL_2_2 : SPV_ENV_OPENCL_2_1;
}

/* Contexts are slow to make: one per environment, freed by rules_close. */
struct validator {
    spv_context contexts[SPV_ENV_VULKAN_1_2 + 1];
};

/* 1 when valid, else 0 with the reason in r->text; r as rules_check left it. */
static inline int rules_validate(struct validator *v, const struct testcase *tc, struct rules *r)
{
    spv_target_env const env = rules_pick_env(tc, r);
    if (rules_has_two_halves(tc)) {
        return 1;
    }
    uint32_t *const words = malloc((tc->n_words + RULES_MAX_ADDED) * sizeof *words);
    spv_diagnostic diagnostic = NULL;
    if (!words || (size_t)env >= sizeof v->contexts / sizeof *v->contexts) {
        free(words);
        return 0;
    }
    if (!v->contexts[env]) {
        v->contexts[env] = spvContextCreate(env);
    }
    uint32_t const n = rules_strip(tc, r, words);
    spv_const_binary_t binary = {words, n};
    spv_validator_options const options = spvValidatorOptionsCreate();
    spvValidatorOptionsSetAllowLocalSizeId(options, true); /* by maintenance4 */
    spv_result_t const result =
        spvValidateWithOptions(v->contexts[env], options, &binary, &diagnostic);
    spvValidatorOptionsDestroy(options);
    if (result != SPV_SUCCESS) {
        (void)snprintf(r->text, sizeof r->text, "%s", diagnostic ? diagnostic->error : "invalid");
    }
    spvDiagnosticDestroy(diagnostic);
    free(words);
    return result == SPV_SUCCESS;
}

static inline void rules_close(struct validator *v)
{
    for (size_t i = 0; i < sizeof v->contexts / sizeof *v->contexts; i++) {
        if (v->contexts[i]) {
            spvContextDestroy(v->contexts[i]);
        }
    }
}
