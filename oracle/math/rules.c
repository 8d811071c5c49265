/* oracle/math/rules.c -- which rules bind a float instruction: modes, decorations, options, device. */
#include "oracle/math/rules.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/ops.h"

/* cl_device_fp_config bits. */
enum {
    CONFIG_DENORM = 1,
    CONFIG_INF_NAN = 2,
    CONFIG_ROUND_TO_NEAREST = 4
};

/* --- OpenCL's build options --- */

/* Columns of option.def, and of binding.def the kind. */
enum option_kind {
    ARITH = 1,
    MATH = 2,
    ATOMIC = 4,
    SUM = 8,
    MINMAX = 16,
    MOVE = 32,
    ANY_KIND = 63
};
enum option_width {
    F16 = 1 << FMT_F16,
    F32 = 1 << FMT_F32,
    F64 = 1 << FMT_F64,
    ANY_WIDTH = F16 | F32 | F64
};
static const struct option_row {
    const char *option;
    enum option_effect effect;
    unsigned kinds, widths;
} option_rows[] = {
#define OPTION(option, effect, kinds, widths, sentence)                                            \
    {option, EFFECT_##effect, (unsigned)(kinds), (unsigned)(widths)},
#include "oracle/math/option.def"
};

enum {
    NEVER = INT_MAX
};
/* The version since which a mode of Vulkan binds the instructions of a class; their kind for OpenCL. */
static const struct binding {
    unsigned preserve_special, flush_denorms, keep_denorms;
    enum option_kind kind;
} bindings[RULE_N] = {
#define BINDING(class, preserve_special, flush_denorms, keep_denorms, kind)                        \
    [RULE_##class] = {preserve_special, flush_denorms, keep_denorms, kind},
#include "oracle/math/binding.def"
};

static bool has_option(const char *options, const char *name)
{
    size_t const n = strlen(name);
    const char *at = options;
    while ((at = strstr(at, name)) != NULL) {
        if ((at == options || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
        at += n;
    }
    return false;
}

static void take_options(struct ruleset *s, const char *options)
{
    for (size_t i = 0; i < ARRAY_N(option_rows); i++) {
        const struct option_row *o = &option_rows[i];
        for (int c = 0; has_option(options, o->option) && c < RULE_N; c++) {
            if (o->kinds & bindings[c].kind) {
                s->effects[o->effect][c] |= o->widths;
            }
        }
    }
}

/* The format that the texts treat as this one: the accuracy of bfloat16 is that of binary32 (SPV_KHR_bfloat16). */
static enum fmt_id model_of(enum fmt_id fmt)
{
    return fmt == FMT_BF16 ? FMT_F32 : fmt;
}

bool ruleset_has(const struct ruleset *s, enum option_effect effect, enum rule_class c,
                 enum fmt_id fmt)
{
    fmt = model_of(fmt);
    return (s->effects[effect][c] >> fmt & 1) != 0;
}

/* --- Vulkan's modes --- */

/* The last number of "Vulkan 1.3.230"; where there is none, later than any. */
static unsigned find_revision(const char *facts)
{
    char text[64];
    unsigned major, minor, patch;
    if (facts_get(facts, "version", text, sizeof text) &&
        sscanf(text, "Vulkan %u.%u.%u", &major, &minor, &patch) == 3) {
        return patch;
    }
    return NEVER - 1;
}

/* --- a module on a device --- */

/* Collects what holds for a module on one device: the bounds of its division and, in Vulkan, the revision
 * that the device claims; in OpenCL the effects of the build options, the profile and the device's float
 * configurations. facts: what the device says of itself, by key (base/caps.h). */
void ruleset_init(struct ruleset *s, const struct module *m, const struct testcase *tc,
                  const char *facts)
{
    *s = (struct ruleset){.m = m, .env = tc->env};
    /* CE numerics, ULP tables; V env precision, OpFDiv. A bound of zero means correctly rounded. */
    static double const cl_div[3] = {1.0, 2.5, 0.0}, vk_div[3] = {2.5, 2.5, 2.5};
    memcpy(s->div_bound_ulp, tc->env == ENV_CL ? cl_div : vk_div, sizeof s->div_bound_ulp);
    if (tc->env != ENV_CL) {
        s->revision = find_revision(facts);
        return;
    }
    take_options(s, tc->build_options);
    if (ruleset_has(s, EFFECT_ROUNDED_DIVIDE, RULE_DIVIDE, FMT_F32)) {
        s->div_bound_ulp[FMT_F32] = 0.0;
    }
    s->is_embedded = facts_has_word(facts, "cl.profile", "EMBEDDED_PROFILE") != 0;
    static const char *const keys[3] = {"cl.fp16_config", "cl.fp32_config", "cl.fp64_config"};
    for (int f = 0; f < 3; f++) {
        s->fp_config[f] = facts_number(facts, keys[f]);
    }
}

static bool is_one_of(uint32_t op, const enum op_id *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (op == op_rows[list[i]].number) {
            return true;
        }
    }
    return false;
}

bool rules_is_test(uint32_t op)
{
    return op >= SpvOpIsNan && op <= SpvOpUnordered;
}

/* Returns the class of rules for an opcode. Classes differ in which execution modes, options and decorations bind
 * the instruction; the two tables list the functions of GLSL.std.450 that are bound as stated in binding.def. Extended
 * instructions differ in which modes of Vulkan bind them: both DenormPreserve and DenormFlushToZero (kept), neither
 * (free), and all others DenormFlushToZero alone. */
enum rule_class rules_find_class(uint32_t op)
{
    static enum op_id const kept[] = {OP_glsl450_FAbs,    OP_glsl450_FSign, OP_glsl450_Radians,
                                      OP_glsl450_Degrees, OP_glsl450_FMin,  OP_glsl450_FMax,
                                      OP_glsl450_FClamp,  OP_glsl450_FMix,  OP_glsl450_Fma,
                                      OP_glsl450_NMin,    OP_glsl450_NMax,  OP_glsl450_NClamp};
    static enum op_id const free[] = {OP_glsl450_Frexp, OP_glsl450_FrexpStruct, OP_glsl450_Ldexp};
    if (is_one_of(op, kept, ARRAY_N(kept))) {
        return RULE_MATH_KEPT;
    }
    if (is_one_of(op, free, ARRAY_N(free))) {
        return RULE_MATH_FREE;
    }
    switch (op) {
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFNegate:
    case SpvOpFConvert:
        return RULE_ARITH;
    case SpvOpFDiv:
        return RULE_DIVIDE;
    case SpvOpFRem:
    case SpvOpFMod:
        return RULE_REMAINDER;
    case SpvOpVectorTimesScalar:
    case SpvOpDot:
        return RULE_PRODUCT;
    case SPV_OP_FMA_KHR:
        return RULE_FUSED;
    case SpvOpConvertFToS:
    case SpvOpConvertFToU:
    case SpvOpConvertSToF:
    case SpvOpConvertUToF:
    case SpvOpQuantizeToF16:
        return RULE_CONVERT;
    default:
        return rules_is_test(op) || (op >= SpvOpFOrdEqual && op <= SpvOpFUnordGreaterThanEqual)
                   ? RULE_COMPARE
                   : RULE_MATH;
    }
}

/* --- one instruction --- */

static bool is_move(enum rule_class c)
{
    return bindings[c].kind == MOVE;
}

/* The freedom of an instruction: the ways (enum expression_freedom) in which it may be evaluated together
 * with others. mask: its fast-math decoration, 0 for none. */
static unsigned find_opencl_freedom(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                                    uint32_t mask)
{
    unsigned freedom = 0;
    bool const is_fast = (mask & SpvFPFastMathModeFastMask) != 0;
    bool const is_arith = bindings[c].kind == ARITH || c == RULE_ATOMIC;
    if ((is_arith && !s->m->modes.contraction_off) || is_fast ||
        ruleset_has(s, EFFECT_CONTRACT, c, fmt)) {
        /* arguments of a function are rounded: C11 6.5 paragraph 8 */
        freedom |= EXPRESSION_CONTRACT;
    }
    bool const is_reciprocal = c == RULE_DIVIDE && (mask & SpvFPFastMathModeAllowRecipMask);
    if (is_fast || is_reciprocal || ruleset_has(s, EFFECT_REARRANGE, c, fmt)) {
        freedom |= EXPRESSION_REARRANGE;
    }
    return ruleset_has(s, EFFECT_LOOSE, c, fmt) ? freedom | EXPRESSION_LOOSE : freedom;
}

/* Is it up to the device whether it rounds to nearest, and has infinities and NaN, in that format? CL API, tables of
 * CL_DEVICE_HALF_FP_CONFIG, and of CL_DEVICE_SINGLE_FP_CONFIG in the embedded profile: to nearest or toward zero. */
static bool is_optional(const struct ruleset *s, enum fmt_id fmt)
{
    return fmt == FMT_F16 || (fmt == FMT_F32 && s->is_embedded);
}

/* To nearest, but where the device may round toward zero, and says that it does; either where it says nothing. */
static enum rounding find_opencl_rounding(const struct ruleset *s, enum rule_class c,
                                          enum fmt_id fmt)
{
    uint64_t const config = s->fp_config[model_of(fmt)];
    if (fmt == FMT_BF16) {
        return ROUND_NEAREST_OR_ZERO;
    }
    if (!is_optional(s, fmt) || (config & CONFIG_ROUND_TO_NEAREST)) {
        return ROUND_RNE;
    }
    if (config != 0) {
        return ROUND_RTZ;
    }
    return c == RULE_GROUP_SUM ? ROUND_EITHER : ROUND_NEAREST_OR_ZERO; /* of sums a wider one */
}

/* Sets in r the rules of OpenCL, from the device's capabilities for the format, the build options (ruleset_has)
 * and the fast-math decoration of the instruction. special and zero_sign become UNDEFINED where NaN and infinity,
 * or the sign of a zero, need not be correct. freedom comes from find_opencl_freedom. */
static void set_opencl(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                       const struct mod_id *id, struct rules *r)
{
    uint32_t const mask = id->flags & ID_FAST_MATH ? id->fast_math : 0;
    uint32_t const no_special =
        SpvFPFastMathModeNotNaNMask | SpvFPFastMathModeNotInfMask | SpvFPFastMathModeFastMask;
    uint64_t const config = s->fp_config[model_of(fmt)];
    /* subnormal doubles are mandatory */
    bool const keeps_subnormals = (config & CONFIG_DENORM) || fmt == FMT_F64;
    /* NaN and infinity: the device may lack them only where they are optional */
    bool const has_special = !is_optional(s, fmt) || (config & CONFIG_INF_NAN);
    r->fp.rounding = find_opencl_rounding(s, c, fmt);
    /* no clause says whether a move flushes: the judge calls it a divergence */
    if (!is_move(c)) {
        r->fp.flush_in = r->fp.flush_out =
            !keeps_subnormals || ruleset_has(s, EFFECT_FLUSH, c, fmt) ? FLUSH_MAY : FLUSH_NEVER;
        r->freedom = find_opencl_freedom(s, c, fmt, mask);
        r->freedom_clause = CLAUSE_ARITH_CONTRACT;
    }
    if (ruleset_has(s, EFFECT_NO_SPECIAL, c, fmt) || (mask & no_special) || !has_special) {
        r->special = GRADE_UNDEFINED;
    }
    if (ruleset_has(s, EFFECT_FREE_SIGN, c, fmt) ||
        (mask & (SpvFPFastMathModeNSZMask | SpvFPFastMathModeFastMask))) {
        r->zero_sign = GRADE_UNDEFINED;
    }
}

/* Bits of an explicit mask that older headers lack: SPV_KHR_float_controls2. */
enum {
    ALLOW_CONTRACT = 0x10000,
    ALLOW_REASSOC = 0x20000,
    ALLOW_TRANSFORM = 0x40000
};

static enum rounding find_vulkan_rounding(const struct mod_modes *modes, enum fmt_id fmt)
{
    if (modes->rte[fmt]) {
        return ROUND_RNE;
    }
    return modes->rtz[fmt] ? ROUND_RTZ : ROUND_EITHER;
}

/* The clause that says whether SignedZeroInfNanPreserve binds the class. */
static enum clause_id find_szinp_clause(enum rule_class c)
{
    if (c == RULE_GROUP_SUM) {
        return CLAUSE_GROUP_SUM_VK;
    }
    return c == RULE_ATOMIC ? CLAUSE_SZINP_ATOMICS : CLAUSE_SZINP_LIST;
}

/* What may be done with an instruction under an explicit mask. */
static unsigned find_mask_freedom(uint32_t mask)
{
    uint32_t const any_order = SpvFPFastMathModeAllowRecipMask | SpvFPFastMathModeFastMask |
                               ALLOW_REASSOC | ALLOW_TRANSFORM;
    uint32_t const fused = ALLOW_CONTRACT | SpvFPFastMathModeFastMask;
    return (mask & fused ? (unsigned)EXPRESSION_CONTRACT : 0u) |
           (mask & any_order ? (unsigned)EXPRESSION_REARRANGE : 0u);
}

/* Sets in r the rules of Vulkan, from the execution modes of the format, each from the revision
 * that binds the class to it (b), and from the fast-math mask: that of the instruction, else the
 * module's default, else none. With a mask the mask decides what special values and the sign of a
 * zero must be. Without one SignedZeroInfNanPreserve (szinp) decides: where it is set but the
 * revision does not list the class for it, another value is a divergence. Vulkan environment for
 * SPIR-V, denormalized values: without a mode any instruction may flush its operands and its result,
 * except one that preserves bits (is_move). */
static void set_vulkan(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                       const struct mod_id *id, struct rules *r)
{
    const struct mod_modes *modes = &s->m->modes;
    const struct binding *b = &bindings[c];
    bool const has_mask = (id->flags & ID_FAST_MATH) || modes->has_default[fmt];
    uint32_t const mask = id->flags & ID_FAST_MATH ? id->fast_math : modes->fast_math_default[fmt];
    uint32_t const not_special = SpvFPFastMathModeNotNaNMask | SpvFPFastMathModeNotInfMask;
    r->fp.rounding = find_vulkan_rounding(modes, fmt);
    if (!is_move(c)) {
        bool const keeps_subnormals = modes->denorm_preserve[fmt] && s->revision >= b->keep_denorms;
        bool const flushes = modes->denorm_flush[fmt] && s->revision >= b->flush_denorms;
        r->fp.flush_in = keeps_subnormals ? FLUSH_NEVER : FLUSH_MAY;
        /* DenormFlushToZero binds results alone: an operand may be flushed under it, but need not */
        r->fp.flush_out = flushes && !keeps_subnormals ? FLUSH_MUST : r->fp.flush_in;
        r->freedom_clause = CLAUSE_ARITH_REASSOC;
        if (has_mask) {
            r->freedom = find_mask_freedom(mask);
        } else if (!(id->flags &
                     ID_NO_CONTRACTION)) { /* NoContraction forbids rearrangement as well */
            r->freedom = EXPRESSION_CONTRACT | EXPRESSION_REARRANGE;
        }
    }
    if (has_mask) {
        r->special = mask & not_special ? GRADE_UNDEFINED : GRADE_VIOLATION;
        r->zero_sign = mask & SpvFPFastMathModeNSZMask ? GRADE_UNDEFINED : GRADE_VIOLATION;
    } else if (modes->szinp[fmt]) {
        bool const is_listed = s->revision >= b->preserve_special;
        r->special = r->zero_sign = is_listed ? GRADE_VIOLATION : GRADE_DIVERGENCE;
        r->special_clause = find_szinp_clause(c);
    } else { /* neither a mask nor the mode asks for them */
        r->special = r->zero_sign = GRADE_UNDEFINED;
    }
}

struct rules ruleset_get(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                         const struct mod_id *id)
{
    struct rules r = {.outside = GRADE_VIOLATION,
                      .special = GRADE_VIOLATION,
                      .zero_sign = GRADE_VIOLATION,
                      .special_clause = CLAUSE_NOT_NAN_INF};
    switch (s->env) {
    case ENV_CL:
        set_opencl(s, c, fmt, id, &r);
        break;
    case ENV_VK:
        set_vulkan(s, c, fmt, id, &r);
        break;
    }
    r.fp.zero_sign_free = r.zero_sign == GRADE_UNDEFINED;
    if (s->is_inner && r.fp.flush_out == FLUSH_MUST) {
        r.fp.flush_out = FLUSH_MAY;
    }
    return r;
}
