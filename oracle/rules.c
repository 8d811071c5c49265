/* oracle/rules.c -- which rules bind a float instruction: modes, decorations, options, device. */
#include "oracle/rules.h"

#include <string.h>

/* cl_device_fp_config bits. */
enum {
    CONFIG_DENORM = 1,
    CONFIG_INF_NAN = 2,
    CONFIG_ROUND_TO_NEAREST = 4
};

static int has_option(const char *options, const char *name)
{
    size_t const n = strlen(name);
    const char *at = options;
    while ((at = strstr(at, name)) != NULL) {
        if ((at == options || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return 1;
        }
        at += n;
    }
    return 0;
}

void ruleset_init(struct ruleset *s, const struct module *m, const struct testcase *tc,
                  const char *facts)
{
    *s = (struct ruleset){.m = m, .env = tc->env};
    /* CE numerics, ULP tables; V env precision, OpFDiv. Zero is correctly rounded. */
    static double const cl_div[3] = {1.0, 2.5, 0.0}, vk_div[3] = {2.5, 2.5, 2.5};
    memcpy(s->div_bound_ulp, tc->env == ENV_CL ? cl_div : vk_div, sizeof s->div_bound_ulp);
    if (tc->env != ENV_CL) {
        return;
    }
    const char *o = tc->build_options;
    int const relaxed = has_option(o, "-cl-fast-relaxed-math");
    s->unsafe = relaxed || has_option(o, "-cl-unsafe-math-optimizations");
    s->denorms_are_zero = s->unsafe || has_option(o, "-cl-denorms-are-zero");
    s->no_signed_zeros = s->unsafe || has_option(o, "-cl-no-signed-zeros");
    s->finite_only = relaxed || has_option(o, "-cl-finite-math-only");
    s->mad = s->unsafe || has_option(o, "-cl-mad-enable");
    if (has_option(o, "-cl-fp32-correctly-rounded-divide-sqrt")) {
        s->div_bound_ulp[FMT_F32] = 0.0;
        s->rounded_divide = 1;
    }
    s->is_embedded = facts_has_word(facts, "cl.profile", "EMBEDDED_PROFILE");
    static const char *const keys[3] = {"cl.fp16_config", "cl.fp32_config", "cl.fp64_config"};
    for (int f = 0; f < 3; f++) {
        s->fp_config[f] = facts_number(facts, keys[f]);
    }
}

static void set_opencl(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                       const struct mod_id *id, struct rules *r)
{
    uint32_t const mask = id->flags & ID_FAST_MATH ? id->fast_math : 0;
    int const keeps = (s->fp_config[fmt] & CONFIG_DENORM) || fmt == FMT_F64;
    int const option = s->denorms_are_zero && fmt != FMT_F16;
    r->fp.rounding =
        fmt == FMT_F16 && !(s->fp_config[fmt] & CONFIG_ROUND_TO_NEAREST) ? ROUND_RTZ : ROUND_RNE;
    r->fp.flush_in = r->fp.flush_out = !keeps || option ? FLUSH_MAY : FLUSH_NEVER;
    int const finite =
        s->finite_only || (mask & (SpvFPFastMathModeNotNaNMask | SpvFPFastMathModeNotInfMask |
                                   SpvFPFastMathModeFastMask));
    int const has_special = fmt != FMT_F16 || (s->fp_config[fmt] & CONFIG_INF_NAN);
    r->special = finite || !has_special ? GRADE_UNDEFINED : GRADE_VIOLATION;
    int const free_sign =
        s->no_signed_zeros || (mask & (SpvFPFastMathModeNSZMask | SpvFPFastMathModeFastMask));
    r->zero_sign = free_sign ? GRADE_UNDEFINED : GRADE_VIOLATION;
    if (c == RULE_COPY) { /* no clause either way: a flush is a divergence, found by the judge */
        r->fp.flush_in = r->fp.flush_out = FLUSH_NEVER;
        return;
    }
    if (c == RULE_GROUP_SUM || c == RULE_GROUP_MINMAX) {
        return;
    }
    if (c == RULE_MATH) { /* arguments of a function are rounded: C11 6.5 paragraph 8 */
        if (s->unsafe || (mask & SpvFPFastMathModeFastMask)) {
            r->outside = GRADE_DIVERGENCE;
            r->outside_clause = CLAUSE_ARITH_CONTRACT;
        }
        return;
    }
    r->may_fuse = !s->m->modes.contraction_off || s->mad;
    if (c == RULE_ARITH || c == RULE_ARITH_OTHER) {
        if (s->unsafe || s->mad || (mask & SpvFPFastMathModeFastMask)) {
            r->outside = GRADE_DIVERGENCE;
            r->outside_clause = CLAUSE_ARITH_CONTRACT;
        }
    }
}

static void set_vulkan(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                       const struct mod_id *id, struct rules *r)
{
    const struct mod_modes *o = &s->m->modes;
    int const has_mask = (id->flags & ID_FAST_MATH) || o->has_default[fmt];
    uint32_t const mask = id->flags & ID_FAST_MATH ? id->fast_math : o->fast_math_default[fmt];
    uint32_t const not_special = SpvFPFastMathModeNotNaNMask | SpvFPFastMathModeNotInfMask;
    r->fp.rounding = o->rte[fmt] ? ROUND_RNE : o->rtz[fmt] ? ROUND_RTZ : ROUND_EITHER;
    r->fp.flush_in = o->denorm_preserve[fmt] ? FLUSH_NEVER : FLUSH_MAY;
    r->fp.flush_out = o->denorm_preserve[fmt] ? FLUSH_NEVER
                      : o->denorm_flush[fmt]  ? FLUSH_MUST
                                              : FLUSH_MAY;
    if (has_mask) {
        r->special = mask & not_special ? GRADE_UNDEFINED : GRADE_VIOLATION;
        r->zero_sign = mask & SpvFPFastMathModeNSZMask ? GRADE_UNDEFINED : GRADE_VIOLATION;
    } else if (o->szinp[fmt]) {
        int const is_listed = c == RULE_ARITH || c == RULE_COPY || c == RULE_GROUP_MINMAX;
        r->special = r->zero_sign = is_listed ? GRADE_VIOLATION : GRADE_DIVERGENCE;
        r->special_clause = c == RULE_GROUP_SUM ? CLAUSE_GROUP_SUM_VK
                            : c == RULE_ATOMIC  ? CLAUSE_SZINP_ATOMICS
                                                : CLAUSE_SZINP_LIST;
    } else {
        r->special = r->zero_sign = GRADE_UNDEFINED;
    }
    if (c == RULE_COPY) {
        r->fp.flush_in = r->fp.flush_out = FLUSH_NEVER;
        return;
    }
    if (c ==
        RULE_GROUP_SUM) { /* not in the list of precisions, nor in those of the modes: B1, B4 */
        r->outside = GRADE_DIVERGENCE;
        r->outside_clause = CLAUSE_GROUP_SUM_VK;
        return;
    }
    if (c == RULE_GROUP_MINMAX) {
        return;
    }
    int const strict = has_mask ? !(mask & ~(not_special | SpvFPFastMathModeNSZMask))
                                : (id->flags & ID_NO_CONTRACTION) != 0;
    if (c == RULE_MATH) { /* NoContraction goes on arithmetic alone */
        r->may_transform = !has_mask || !strict;
        return;
    }
    r->may_fuse = c == RULE_ATOMIC && !has_mask;
    if ((c == RULE_ARITH || c == RULE_ARITH_OTHER) && !strict) {
        r->may_fuse = 1;
        r->outside = GRADE_DIVERGENCE;
        r->outside_clause = CLAUSE_ARITH_REASSOC;
    }
}

struct rules ruleset_get(const struct ruleset *s, enum rule_class c, enum fmt_id fmt,
                         const struct mod_id *id)
{
    struct rules r = {.outside = GRADE_VIOLATION, .special_clause = CLAUSE_NOT_NAN_INF};
    switch (s->env) {
    case ENV_CL:
        set_opencl(s, c, fmt, id, &r);
        break;
    case ENV_VK:
        set_vulkan(s, c, fmt, id, &r);
        break;
    }
    r.fp.zero_sign_free = r.zero_sign == GRADE_UNDEFINED;
    return r;
}
