/* fuzz/variant/variant_code.c -- variants that differ in the instruction that goes wrong: its operands, components, scope
 * and order, and what decorations and modes say of it. */
#include "fuzz/variant/variant_edit.h"

#include "base/caps.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"

enum {
    MAX_OPERANDS = 8,
    MAX_COMPONENTS = VARIANT_MAX_COMPONENTS
};

/* ---- types ---- */

/* Components of a vector, 1 of a scalar; 0 of what is neither a number nor a vector of them. *scalar
 * is the type of a component. */
static uint32_t count_components(const struct shrink_module *m, uint32_t type, uint32_t *scalar)
{
    const struct shrink_inst *const t = shrink_module_find(m, type);
    bool const is_vector = t && t->op == SpvOpTypeVector;
    *scalar = is_vector ? t->w[2] : type;
    const struct shrink_inst *const s = shrink_module_find(m, *scalar);
    if (!s || (s->op != SpvOpTypeInt && s->op != SpvOpTypeFloat && s->op != SpvOpTypeBool)) {
        return 0;
    }
    return is_vector ? t->w[3] : 1;
}

static bool is_number(const struct shrink_module *m, uint32_t type, uint32_t op)
{
    uint32_t scalar = 0;
    return count_components(m, type, &scalar) > 0 && shrink_module_find(m, scalar)->op == op;
}

/* Words of the culprit's operands whose type is a number, or a vector of numbers, of this kind. */
static uint32_t list_operands(const struct variant_edit *e, uint32_t type_op, uint32_t *words)
{
    const struct shrink_inst *const i = e->culprit;
    uint32_t n = 0;
    for (uint32_t k = 1; k < i->n && n < MAX_OPERANDS; k++) {
        if (i->role[k] == ROLE_VALUE &&
            is_number(e->m, shrink_module_get_type(e->m, i->w[k]), type_op)) {
            words[n++] = k;
        }
    }
    return n;
}

/* Words of the culprit's operands that are floats, or if there are none integers. Of a phi there are none:
 * nothing may go before it. */
static uint32_t find_operands(const struct variant_edit *e, uint32_t *words)
{
    if (!e->culprit || e->culprit->op == SpvOpPhi) {
        return 0;
    }
    uint32_t const n_floats = list_operands(e, SpvOpTypeFloat, words);
    return n_floats > 0 ? n_floats : list_operands(e, SpvOpTypeInt, words);
}

/* ---- operands through memory ---- */

enum memory_use {
    STORED,
    STORED_AND_LOADED
};

/* Store each operand of the culprit, the instruction that the finding names, to a variable of its own. The access
 * is volatile, so no compiler may leave it out. With STORED_AND_LOADED the operand is also loaded again, and the
 * culprit works on the loaded value. False: the culprit has no operands that can be stored, or there is no memory. */
static bool put_through_memory(struct variant_edit *e, enum memory_use use)
{
    uint32_t words[MAX_OPERANDS];
    uint32_t variables[MAX_OPERANDS];
    uint32_t const n = find_operands(e, words);
    struct spv_words *const top = n > 0 ? variant_insert_variables(e, e->culprit->function) : NULL;
    struct spv_words *const at = n > 0 ? shrink_module_insert(e->m, e->culprit) : NULL;
    if (!top || !at) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const type = shrink_module_get_type(e->m, e->culprit->w[words[i]]);
        uint32_t const pointer = variant_put_pointer(e, SpvStorageClassFunction, type);
        variables[i] = shrink_module_new_id(e->m);
        spv_put(top, SpvOpVariable, (uint32_t[]){pointer, variables[i], SpvStorageClassFunction},
                3);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *const operand = &e->culprit->w[words[i]];
        uint32_t const type = shrink_module_get_type(e->m, *operand);
        spv_put(at, SpvOpStore, (uint32_t[]){variables[i], *operand, SpvMemoryAccessVolatileMask},
                3);
        if (use == STORED_AND_LOADED) {
            *operand = shrink_module_new_id(e->m);
            spv_put(at, SpvOpLoad,
                    (uint32_t[]){type, *operand, variables[i], SpvMemoryAccessVolatileMask}, 4);
        }
    }
    e->text = use == STORED_AND_LOADED ? "with its operands through volatile memory"
                                       : "with its operands stored as well (volatile)";
    return true;
}

bool variant_store_operands(struct variant_edit *e)
{
    return put_through_memory(e, STORED);
}

bool variant_volatile_operands(struct variant_edit *e)
{
    return put_through_memory(e, STORED_AND_LOADED);
}

/* ---- component by component ---- */

/* Functions of whole vectors, and those that read or write memory. */
static bool is_whole(const struct variant_edit *e, uint32_t number)
{
    if (e->tc->env == ENV_CL) {
        return (number >= 104 && number <= 110) || /* cross to fast_normalize */
               (number >= 171 && number <= 185);   /* vloadn to prefetch: shuffles among them */
    }
    return (number >= 33 && number <= 36) || /* Determinant to ModfStruct */
           (number >= 51 && number <= 72) || /* Frexp to Refract: packing among them */
           (number >= 76 && number <= 78);   /* interpolation */
}

/* Does the culprit do the same to each component, and to nothing else? */
static bool is_by_component(const struct variant_edit *e)
{
    const struct shrink_inst *const i = e->culprit;
    if (!i || i->type == 0) {
        return false;
    }
    if (i->op == SpvOpExtInst) {
        return !shrink_module_has_effect(e->m, i) && !is_whole(e, i->w[SHRINK_EXT_INST]);
    }
    return (i->op >= SpvOpConvertFToU && i->op <= SpvOpQuantizeToF16) ||
           (i->op >= SpvOpSNegate && i->op <= SpvOpFMod) || i->op == SPV_OP_FMA_KHR ||
           (i->op >= SpvOpIsNan && i->op <= SpvOpBitCount && i->op != SpvOpSelect) ||
           shrink_grammar_is_group(i->op);
}

/* Components of operand k that are taken one by one; 1: it is used as it is; 0: it is neither. */
static uint32_t get_width(const struct variant_edit *e, uint32_t k)
{
    uint32_t scalar = 0;
    uint32_t const type =
        e->culprit->role[k] == ROLE_VALUE ? shrink_module_get_type(e->m, e->culprit->w[k]) : 0;
    return type ? count_components(e->m, type, &scalar) : 1;
}

static uint32_t get_scalar(const struct variant_edit *e, uint32_t type)
{
    uint32_t scalar = 0;
    (void)count_components(e->m, type, &scalar);
    return scalar;
}

/* Put a copy of the culprit before it that works on component c of its vector operands, which have n
 * components; scalar ones stay. Returns the id of its result, or 0. */
static uint32_t put_component(struct variant_edit *e, uint32_t c, uint32_t n)
{
    const struct shrink_inst *const i = e->culprit;
    struct spv_words *const at = shrink_module_insert(e->m, e->culprit);
    uint32_t *const w = at ? arena_copy(e->a, i->w, i->n * sizeof *w) : NULL;
    if (!w) {
        return 0;
    }
    for (uint32_t k = SHRINK_OPERANDS; k < i->n; k++) {
        if (get_width(e, k) == n && i->role[k] == ROLE_VALUE) {
            w[k] = shrink_module_new_id(e->m);
            uint32_t const type = get_scalar(e, shrink_module_get_type(e->m, i->w[k]));
            spv_put(at, SpvOpCompositeExtract, (uint32_t[]){type, w[k], i->w[k], c}, 4);
        }
    }
    uint32_t const result = shrink_module_new_id(e->m);
    w[1] = get_scalar(e, i->type);
    w[2] = result;
    spv_put(at, i->op, w + 1, i->n - 1);
    return result;
}

/* What is said of the culprit is said of its components. */
static void move_decorations(struct variant_edit *e, const uint32_t *ids, uint32_t n)
{
    for (uint32_t d = 0; d < e->m->n; d++) {
        struct shrink_inst *const in = &e->m->inst[d];
        uint32_t *const w = in->op == SpvOpDecorate && in->w[1] == e->culprit->result
                                ? arena_copy(e->a, in->w, in->n * sizeof *w)
                                : NULL;
        for (uint32_t c = 0; w && c < n; c++) {
            w[1] = ids[c];
            spv_put(&e->m->annotations, SpvOpDecorate, w + 1, in->n - 1);
            in->is_dead = 1;
        }
    }
}

/* Change: let the culprit, an instruction on vectors, be done once for each component, and put the results
 * together again. False: it does not work component by component. */
bool variant_scalar(struct variant_edit *e)
{
    uint32_t ids[MAX_COMPONENTS];
    uint32_t scalar = 0;
    uint32_t const n = is_by_component(e) ? count_components(e->m, e->culprit->type, &scalar) : 0;
    if (n < 2 || n > MAX_COMPONENTS) {
        return false;
    }
    for (uint32_t k = SHRINK_OPERANDS; k < e->culprit->n; k++) {
        if (get_width(e, k) != 1 && get_width(e, k) != n) {
            return false;
        }
    }
    for (uint32_t c = 0; c < n; c++) {
        ids[c] = put_component(e, c, n);
        if (ids[c] == 0) {
            return false;
        }
    }
    move_decorations(e, ids, n);
    e->text = "one component at a time instead of as a vector";
    return shrink_module_become(e->m, e->culprit, SpvOpCompositeConstruct, ids, n);
}

/* ---- constants ---- */

/* A constant of that type, with the bits in each component; 0: there is none. */
static uint32_t put_constant(struct variant_edit *e, uint32_t type, uint64_t bits)
{
    uint32_t ids[MAX_COMPONENTS];
    uint32_t scalar = 0;
    uint32_t const n = count_components(e->m, type, &scalar);
    if (n == 0 || n > MAX_COMPONENTS) {
        return 0;
    }
    uint32_t const component = shrink_module_constant_bits(e->m, scalar, bits);
    if (component == 0 || n == 1) {
        return component;
    }
    for (uint32_t c = 0; c < n; c++) {
        ids[c] = component;
    }
    return variant_put_composite(e, type, ids, n);
}

/*
 * Are the n operands that were found those that the finding names, in the same order? It names the values among
 * an instruction's operands, a few at most, so that each of them has to be among those found. Of an OpExtInst
 * that takes floats and integers only the floats are found: they come first, here as in the finding.
 */
static bool are_named(const struct variant_edit *e, uint32_t n)
{
    const struct shrink_inst *const i = e->culprit;
    if (n == 0 || n > e->f->n_operands || n > ARRAY_N(e->f->operand)) {
        return false;
    }
    uint32_t n_values = 0;
    for (uint32_t k = SHRINK_OPERANDS; k < i->n; k++) {
        n_values += i->role[k] == ROLE_VALUE;
    }
    return n_values == n || i->op == SpvOpExtInst;
}

/* Change: replace the culprit's operands by constants, the values that the finding names. Each stands in
 * every component, so that what went wrong in one component does in all. Operands that are constants already
 * stay; false if all are. */
bool variant_constant_operands(struct variant_edit *e)
{
    uint32_t words[MAX_OPERANDS];
    uint32_t const n = find_operands(e, words);
    bool is_changed = false;
    if (!are_named(e, n) || !is_by_component(e) || shrink_grammar_is_group(e->culprit->op)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *const operand = &e->culprit->w[words[i]];
        const struct shrink_inst *const definition = shrink_module_find(e->m, *operand);
        uint32_t const constant = put_constant(e, definition->type, e->f->operand[i]);
        if (constant == 0) {
            return false;
        }
        if (!shrink_grammar_is_constant(definition->op)) {
            *operand = constant;
            is_changed = true;
        }
    }
    e->text = "with its operands as constants";
    return is_changed;
}

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
           i->op == SpvOpVectorTimesScalar || i->op == SPV_OP_FMA_KHR;
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

static bool has_contraction_off(const struct shrink_module *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpExecutionMode && in->w[2] == (uint32_t)SpvExecutionModeContractionOff) {
            return true;
        }
    }
    return false;
}

static bool has_arithmetic(const struct shrink_module *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (is_arithmetic(&m->inst[i])) {
            return true;
        }
    }
    return false;
}

/* OpenCL: a mode of the entry point, right behind it. False: there are several, as all modes come behind them all. */
static bool put_contraction_off(struct shrink_module *m)
{
    if (has_contraction_off(m) || !has_arithmetic(m)) {
        return false;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->inst[i].op != SpvOpEntryPoint) {
            continue;
        }
        struct spv_words *const behind =
            i + 1 < m->n ? shrink_module_insert(m, &m->inst[i + 1]) : NULL;
        if (!behind || m->inst[i + 1].op == SpvOpEntryPoint) {
            return false;
        }
        uint32_t const mode[] = {m->inst[i].w[2], SpvExecutionModeContractionOff};
        spv_put(behind, SpvOpExecutionMode, mode, ARRAY_N(mode));
    }
    return true;
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
    /* By number of the scope: cross-device, device, work-group, sub-group, invocation, queue family. */
    static const int width[] = {5, 4, 2, 1, 0, 3};
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

/* Change the scope of the culprit: give it scope number e->variant of the table wherever it names a scope that may
 * become that one. False: the environment does not know the scope, or no operand could be changed. */
bool variant_scope(struct variant_edit *e)
{
    enum {
        CL = 1 << ENV_CL,
        VK = 1 << ENV_VK
    };
    static const struct {
        uint32_t scope;
        unsigned envs;     /* where a module may name it */
        enum need_id need; /* of OpenCL alone: where a row is not for OpenCL it has no meaning */
    } to[VARIANT_SCOPES] = {
        {SpvScopeWorkgroup,   CL | VK, NEED_CL_SCOPE_WORKGROUP},
        {SpvScopeDevice,      CL | VK, NEED_CL_SCOPE_DEVICE   },
        {SpvScopeQueueFamily, VK,      NEED_CL_SCOPE_DEVICE   },
        {SpvScopeSubgroup,    CL,      NEED_CL_SUBGROUPS      }
    };
    uint32_t const scope = to[e->variant].scope;
    bool is_changed = false;
    if (!e->culprit || !(to[e->variant].envs & 1U << e->tc->env)) {
        return false;
    }
    /* Which word is a scope differs between instructions: its role tells. */
    for (uint32_t k = 1; k < e->culprit->n; k++) {
        uint32_t *const operand = &e->culprit->w[k];
        uint64_t from = 0;
        if (e->culprit->role[k] != ROLE_SCOPE || !shrink_module_get_bits(e->m, *operand, &from) ||
            !may_become(e, from, scope)) {
            continue;
        }
        *operand = shrink_module_constant_bits(e->m, shrink_module_get_type(e->m, *operand), scope);
        e->text = arena_printf(e->a, "with scope %s in place of %s", get_scope_name(scope),
                               get_scope_name(from));
        is_changed = true;
        if (e->tc->env == ENV_CL) {
            needs_add(&e->out.needs, to[e->variant].need);
        }
    }
    return is_changed;
}

/* Change: give the culprit, an atomic, relaxed memory order. False: it is none, or is relaxed already. */
bool variant_relax(struct variant_edit *e)
{
    uint64_t bits = 0;
    bool is_changed = false;
    if (!e->culprit || !shrink_grammar_is_atomic(e->culprit->op)) {
        return false;
    }
    for (uint32_t k = 1; k < e->culprit->n; k++) {
        if (e->culprit->role[k] == ROLE_SEMANTICS &&
            shrink_module_get_bits(e->m, e->culprit->w[k], &bits) && bits != 0) {
            e->culprit->w[k] = shrink_module_constant_bits(
                e->m, shrink_module_get_type(e->m, e->culprit->w[k]), 0);
            is_changed = true;
        }
    }
    e->text = "with relaxed memory order";
    return is_changed;
}
