/* fuzz/variant/variant_flags.c -- variants that differ in what is said of instructions, and in build options. */
#include "fuzz/variant/variant_edit.h"

#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"

/* ---- decorations and modes ---- */

static const struct {
    enum {
        DECORATION,
        MODE
    } kind;
    uint32_t number;
    const char *text;
} names[VARIANT_NAMES] = {
    {DECORATION, SPV_DEC_FP_MAX_ERROR_INTEL,                    "FPMaxErrorDecorationINTEL"    },
    {DECORATION, SpvDecorationNoContraction,                    "NoContraction"                },
    {DECORATION, SpvDecorationFPFastMathMode,                   "FPFastMathMode"               },
    {DECORATION, SpvDecorationFPRoundingMode,                   "FPRoundingMode"               },
    {DECORATION, SpvDecorationRelaxedPrecision,                 "RelaxedPrecision"             },
    {DECORATION, SpvDecorationSaturatedConversion,              "SaturatedConversion"          },
    {DECORATION, SpvDecorationRestrict,                         "Restrict"                     },
    {DECORATION, SpvDecorationAliased,                          "Aliased"                      },
    {DECORATION, SpvDecorationVolatile,                         "Volatile"                     },
    {DECORATION, SpvDecorationCoherent,                         "Coherent"                     },
    {DECORATION, SpvDecorationNonWritable,                      "NonWritable"                  },
    {DECORATION, SpvDecorationFuncParamAttr,                    "FuncParamAttr"                },
    {MODE,       SpvExecutionModeContractionOff,                "ContractionOff"               },
    {MODE,       SpvExecutionModeDenormPreserve,                "DenormPreserve"               },
    {MODE,       SpvExecutionModeDenormFlushToZero,             "DenormFlushToZero"            },
    {MODE,       SpvExecutionModeSignedZeroInfNanPreserve,      "SignedZeroInfNanPreserve"     },
    {MODE,       SpvExecutionModeRoundingModeRTE,               "RoundingModeRTE"              },
    {MODE,       SpvExecutionModeRoundingModeRTZ,               "RoundingModeRTZ"              },
    {MODE,       SPV_MODE_FP_FAST_MATH_DEFAULT,                 "FPFastMathDefault"            },
    {MODE,       SpvExecutionModeSubgroupUniformControlFlowKHR, "SubgroupUniformControlFlowKHR"},
    {MODE,       SPV_MODE_MAXIMALLY_RECONVERGES,                "MaximallyReconvergesKHR"      },
    {MODE,       SpvExecutionModeLocalSize,                     "LocalSize"                    },
};

/* Does the instruction say of another what row `name` of the table says? */
static bool says(const struct shrink_inst *i, uint32_t name)
{
    uint32_t const number = names[name].number;
    if (names[name].kind == MODE) {
        return (i->op == SpvOpExecutionMode || i->op == SpvOpExecutionModeId) && i->w[2] == number;
    }
    return (i->op == SpvOpDecorate && i->w[2] == number) ||
           (i->op == SpvOpMemberDecorate && i->w[3] == number);
}

bool variant_drop_name(struct variant_edit *e)
{
    int is_changed = 0;
    bool const is_size = names[e->variant].kind == MODE &&
                         names[e->variant].number == (uint32_t)SpvExecutionModeLocalSize;
    if (is_size && e->tc->env != ENV_CL) {
        return false; /* Vulkan has the size from nowhere else */
    }
    for (uint32_t i = 0; i < e->m->n; i++) {
        if (says(&e->m->inst[i], e->variant)) {
            e->m->inst[i].is_dead = 1;
            is_changed = 1;
        }
    }
    e->text = arena_printf(e->a, "without %s", names[e->variant].text);
    return is_changed;
}

/* Arithmetic that may be contracted. */
static bool is_arithmetic(const struct shrink_inst *i)
{
    return i->op == SpvOpFAdd || i->op == SpvOpFSub || i->op == SpvOpFMul || i->op == SpvOpFDiv ||
           i->op == SpvOpFRem || i->op == SpvOpFMod || i->op == SpvOpFNegate || i->op == SpvOpDot ||
           i->op == SpvOpVectorTimesScalar;
}

static bool is_marked(const struct shrink_module *m, uint32_t id)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpDecorate && in->w[1] == id &&
            in->w[2] == (uint32_t)SpvDecorationNoContraction) {
            return true;
        }
    }
    return false;
}

/* OpenCL: a mode for each entry point, which goes behind all of them. */
static bool put_contraction_off(struct shrink_module *m)
{
    bool has_arithmetic = false;
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        has_arithmetic |= is_arithmetic(in);
        if (in->op == SpvOpExecutionMode && in->w[2] == (uint32_t)SpvExecutionModeContractionOff) {
            return false;
        }
    }
    for (uint32_t i = 0; i < m->n && has_arithmetic; i++) {
        if (m->inst[i].op != SpvOpEntryPoint) {
            continue;
        }
        struct spv_words *const w = i + 1 < m->n ? shrink_module_insert(m, &m->inst[i + 1]) : NULL;
        if (!w || m->inst[i + 1].op == SpvOpEntryPoint) {
            return false;
        }
        uint32_t const mode[] = {m->inst[i].w[2], SpvExecutionModeContractionOff};
        spv_put(w, SpvOpExecutionMode, mode, ARRAY_N(mode));
    }
    return has_arithmetic;
}

/* Vulkan: a decoration of each instruction. */
static bool put_no_contraction(struct shrink_module *m)
{
    bool is_changed = false;
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t const decoration[] = {m->inst[i].result, SpvDecorationNoContraction};
        if (is_arithmetic(&m->inst[i]) && !is_marked(m, m->inst[i].result)) {
            spv_put(&m->annotations, SpvOpDecorate, decoration, ARRAY_N(decoration));
            is_changed = true;
        }
    }
    return is_changed;
}

bool variant_contraction_off(struct variant_edit *e)
{
    bool const is_cl = e->tc->env == ENV_CL;
    e->text = is_cl ? "with ContractionOff" : "with NoContraction everywhere";
    return is_cl ? put_contraction_off(e->m) : put_no_contraction(e->m);
}

/* ---- build options ---- */

bool variant_option(struct variant_edit *e)
{
    const char *const all = e->tc->build_options;
    if (e->tc->env != ENV_CL || e->tc->class == CLASS_ILLEGAL) {
        return false;
    }
    if (e->variant == 0) {
        e->out.build_options = arena_printf(e->a, "%s%s-cl-opt-disable", all, all[0] ? " " : "");
        e->text = "with -cl-opt-disable";
        return strstr(all, "-cl-opt-disable") == NULL;
    }
    const char *word = all + strspn(all, " ");
    for (uint32_t i = 1; i < e->variant; i++) {
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    int const n = (int)strcspn(word, " ");
    const char *const rest = word + n + strspn(word + n, " ");
    int const n_before = (int)(word - all) - (!rest[0] && word > all);
    e->out.build_options = arena_printf(e->a, "%.*s%s", n_before, all, rest);
    if (strstr(e->out.build_options, "correctly-rounded") == NULL) {
        e->out.needs.bits[NEED_CL_ROUNDED_DIVIDE / 64] &=
            ~(UINT64_C(1) << (NEED_CL_ROUNDED_DIVIDE % 64));
    }
    e->text = arena_printf(e->a, "without %.*s", n, word);
    return n > 0;
}

/* ---- scopes and orders ---- */

static const char *get_scope_name(uint64_t scope)
{
    static const char *const scopes[] = {"CrossDevice", "Device",     "Workgroup",
                                         "Subgroup",    "Invocation", "QueueFamily"};
    return scope < ARRAY_N(scopes) ? scopes[scope] : "another";
}

/* May scope `from` of the culprit become `to`: a wider one of an atomic; a narrower one where one
 * work-group is all there is; a narrower one of an OpenCL group instruction. */
static bool may_become(const struct variant_edit *e, uint64_t from, uint32_t to)
{
    static const int width[] = {5, 4, 2, 1, 0, 3}; /* by number of the scope */
    if (from >= ARRAY_N(width) || from == to) {
        return false;
    }
    if (shrink_grammar_is_atomic(e->culprit->op)) {
        return to != (uint32_t)SpvScopeSubgroup &&
               (width[to] > width[from] || testcase_get_groups(e->tc) == 1);
    }
    return e->tc->env == ENV_CL && shrink_grammar_is_group(e->culprit->op) &&
           from == (uint64_t)SpvScopeWorkgroup && to == (uint32_t)SpvScopeSubgroup;
}

bool variant_scope(struct variant_edit *e)
{
    static const struct {
        uint32_t scope;
        unsigned envs; /* 1 << env */
        enum need_id need;
    } to[VARIANT_SCOPES] = {
        {SpvScopeWorkgroup,   3, NEED_CL_SCOPE_WORKGROUP},
        {SpvScopeDevice,      3, NEED_CL_SCOPE_DEVICE   },
        {SpvScopeQueueFamily, 2, NEED_CL_SCOPE_DEVICE   },
        {SpvScopeSubgroup,    1, NEED_CL_SUBGROUPS      }
    };
    uint32_t const scope = to[e->variant].scope;
    uint64_t from = 0;
    if (!e->culprit || !(to[e->variant].envs >> e->tc->env & 1)) {
        return false;
    }
    for (uint32_t k = 1; k < e->culprit->n; k++) {
        if (e->culprit->role[k] == ROLE_SCOPE &&
            shrink_module_get_bits(e->m, e->culprit->w[k], &from) && may_become(e, from, scope)) {
            e->culprit->w[k] = shrink_module_constant_bits(
                e->m, shrink_module_get_type(e->m, e->culprit->w[k]), scope);
            e->text = arena_printf(e->a, "with scope %s in place of %s", get_scope_name(scope),
                                   get_scope_name(from));
            if (e->tc->env == ENV_CL) {
                needs_add(&e->out.needs, to[e->variant].need);
            }
        }
    }
    return e->text[0] != 0;
}

bool variant_relax(struct variant_edit *e)
{
    uint64_t bits = 0;
    if (!e->culprit || !shrink_grammar_is_atomic(e->culprit->op)) {
        return false;
    }
    for (uint32_t k = 1; k < e->culprit->n; k++) {
        if (e->culprit->role[k] == ROLE_SEMANTICS &&
            shrink_module_get_bits(e->m, e->culprit->w[k], &bits) && bits != 0) {
            e->culprit->w[k] = shrink_module_constant_bits(
                e->m, shrink_module_get_type(e->m, e->culprit->w[k]), 0);
            e->text = "with relaxed memory order";
        }
    }
    return e->text[0] != 0;
}
