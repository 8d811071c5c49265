/* gen/ir/test_math_rules.h -- for test_rules.h: where max-error, fast-math and rounding decorations may
 * stand, which SPIRV-Tools does not ask or does not know. */
#pragma once

enum {
    RULES_MAX_ERROR = 1,
    RULES_FAST_MATH = 2,
    RULES_ROUNDING = 4
};

static inline int rules_check_decoration(struct rules *r, const struct spv_inst *i,
                                         const struct testcase *tc)
{
    uint32_t const id = i->w[1];
    uint32_t const bit = i->w[2] == 6170 ? RULES_MAX_ERROR
                         : i->w[2] == 40 ? RULES_FAST_MATH
                         : i->w[2] == 39 ? RULES_ROUNDING
                                         : 0;
    if (bit == 0) {
        return 1;
    }
    if (tc->env != ENV_CL || i->n != 4) {
        return rules_fail(r, i, "a decoration of kernels, or another length");
    }
    if (r->decorations[id] & bit) {
        return rules_fail(r, i, "decorated twice (S 3.2.19)");
    }
    r->decorations[id] |= (unsigned char)bit;
    if (bit == RULES_MAX_ERROR) {
        r->n_decorated++;
        r->max_error_of[id] = i->w[3];
        if (i->w[3] == 0 || i->w[3] >= 0x7f800000) {
            return rules_fail(r, i, "a max error that is no positive number");
        }
        if (!rules_has_cap(r, 6169) ||
            !rules_has_extension(tc, SpvOpExtension, 1, "SPV_INTEL_fp_max_error")) {
            return rules_fail(r, i, "capability or extension of max errors missing");
        }
    }
    return (bit != RULES_FAST_MATH || (i->w[3] != 0 && i->w[3] < 0x20)) &&
                   (bit != RULES_ROUNDING || i->w[3] < 4)
               ? 1
               : rules_fail(r, i, "an unknown mask or mode");
}

/* Which decorations the instruction may carry. */
static inline uint32_t rules_may_carry(const struct rules *r, const struct spv_inst *i)
{
    static const uint32_t arithmetic[] = {129, 131, 133, 136, 140, 141, 4427};
    static const uint32_t reductions[] = {/* over a group: sums, products, minima, maxima */
                                          265, 266,  269,  350,  352, 355,
                                          358, 5001, 5002, 5005, 6402};
    int const is_float = (r->width_of[i->w[1]] & 0x100) != 0;
    for (size_t k = 0; k < sizeof arithmetic / sizeof *arithmetic; k++) {
        if (i->op == arithmetic[k]) {
            return RULES_MAX_ERROR | RULES_FAST_MATH;
        }
    }
    if (i->op == SpvOpExtInst && i->w[3] == r->math_set) {
        return is_float ? RULES_MAX_ERROR | RULES_FAST_MATH : 0;
    }
    if (i->op == SpvOpExtInst && i->w[3] == r->amd_set) { /* swizzles and a write */
        return is_float ? RULES_MAX_ERROR : 0;
    }
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++) {
        if (i->op == reductions[k]) {
            return is_float ? RULES_MAX_ERROR : 0;
        }
    }
    /* call, load, select, phi; parameter, composite, extraction, copy, bitcast; broadcasts, shuffles, quads, rotation */
    static const uint32_t moves[] = {57,  61,  169, 245, 55,  80,  81,   83,   124,  263,  337, 338,
                                     345, 346, 347, 348, 365, 366, 4431, 5571, 5572, 5573, 5574};
    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
        if (i->op == moves[k]) {
            return is_float ? RULES_MAX_ERROR : 0;
        }
    }
    if (i->op == 127 || i->op == 142 || i->op == 148) { /* negation, vector by scalar, dot */
        return RULES_MAX_ERROR;
    }
    if (i->op >= 109 && i->op <= 112) {
        return RULES_ROUNDING | (is_float ? RULES_MAX_ERROR : 0);
    }
    return i->op == 115 ? RULES_ROUNDING | RULES_MAX_ERROR : 0;
}

/* 1 also where i has nothing to do with mathematics. */
static inline int rules_check_math(struct rules *r, const struct spv_inst *i,
                                   const struct testcase *tc)
{
    if (i->op == SpvOpExtInstImport) {
        if (rules_is_text(i, 2, "SPV_AMD_shader_ballot")) {
            r->amd_set = i->w[1];
        } else if (rules_is_text(i, 2, tc->env == ENV_CL ? "OpenCL.std" : "GLSL.std.450")) {
            r->math_set = i->w[1];
        } else {
            return rules_fail(r, i, "a set of another environment");
        }
    }
    if (tc->class == CLASS_ILLEGAL) {
        return 1;
    }
    if (i->op == SpvOpDecorate) {
        return rules_check_decoration(r, i, tc);
    }
    if (i->op == SpvOpExtInst && i->w[3] != r->amd_set && i->w[3] != r->math_set) {
        return rules_fail(r, i, "an instruction of no imported set");
    }
    if (i->op == 4427 && (i->n != 6 || tc->env != ENV_VK || !rules_has_cap(r, 6030) ||
                          !rules_has_extension(tc, SpvOpExtension, 1, "SPV_KHR_fma"))) {
        return rules_fail(r, i, "a fused multiply-add without its capability or extension");
    }
    r->n_math += i->op == SpvOpExtInst && i->w[3] == r->math_set;
    if (i->op >= SpvOpExtInst && i->n > 2 && i->w[2] < RULES_MAX_IDS &&
        r->type_of[i->w[2]] == i->w[1]) {
        uint32_t const has = r->decorations[i->w[2]];
        if (has & ~rules_may_carry(r, i)) {
            return rules_fail(r, i, "a decoration that it may not carry");
        }
        r->decorations[i->w[2]] = 0;
    }
    return 1;
}

/* Are all that are decorated results that were seen? */
static inline int rules_check_decorated(struct rules *r, const struct testcase *tc)
{
    for (size_t id = 0; id < RULES_MAX_IDS && tc->class != CLASS_ILLEGAL; id++) {
        if (r->decorations[id] != 0) {
            (void)snprintf(r->text, sizeof r->text, "%zu is decorated, and no such result", id);
            return 0;
        }
    }
    return 1;
}
