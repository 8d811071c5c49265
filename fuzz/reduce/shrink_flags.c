/* fuzz/reduce/shrink_flags.c -- passes over what is said of instructions: decorations, modes, masks, orders. */
#include "fuzz/reduce/shrink.h"

#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"
#include "fuzz/reduce/shrink_sweep.h"

/* ---- decorations and modes ---- */

/* May a candidate lack the decoration? Hints and rules for the compiler may go: the module stays
 * valid and computes the same kind of result. Bindings, offsets and built-ins are not in the list:
 * without them the module means something else, or is invalid. */
static bool is_removable(uint32_t decoration)
{
    static const uint32_t removable[] = {SpvDecorationRelaxedPrecision,
                                         SpvDecorationRestrict,
                                         SpvDecorationAliased,
                                         SpvDecorationVolatile,
                                         SpvDecorationConstant,
                                         SpvDecorationCoherent,
                                         SpvDecorationNonWritable,
                                         SpvDecorationNonReadable,
                                         SpvDecorationSaturatedConversion,
                                         SpvDecorationFuncParamAttr,
                                         SpvDecorationFPRoundingMode,
                                         SpvDecorationFPFastMathMode,
                                         SpvDecorationNoContraction,
                                         SpvDecorationAlignment,
                                         SpvDecorationNoSignedWrap,
                                         SpvDecorationNoUnsignedWrap,
                                         SPV_DEC_FP_MAX_ERROR_INTEL};
    for (size_t i = 0; i < ARRAY_N(removable); i++) {
        if (removable[i] == decoration) {
            return true;
        }
    }
    return false;
}

static bool is_removable_decoration(const struct shrink_edit *e, const struct shrink_inst *i)
{
    (void)e;
    return (i->op == SpvOpDecorate && is_removable(i->w[2])) ||
           (i->op == SpvOpMemberDecorate && is_removable(i->w[3]));
}

const struct shrink_pass shrink_flags_decorations = {"drop decorations", 1, is_removable_decoration,
                                                     NULL, NULL};

/* The size of Vulkan's work-groups stays, and that of sub-groups, which the dispatch has too. */
static bool is_removable_mode(const struct shrink_edit *e, const struct shrink_inst *i)
{
    if (i->op == SpvOpSource) {
        return true;
    }
    bool const is_mode = i->op == SpvOpExecutionMode || i->op == SpvOpExecutionModeId;
    bool const is_size = is_mode && (i->w[2] == (uint32_t)SpvExecutionModeLocalSize ||
                                     i->w[2] == (uint32_t)SpvExecutionModeLocalSizeId);
    return is_mode && i->w[2] != (uint32_t)SpvExecutionModeSubgroupSize &&
           (!is_size || e->tc->env == ENV_CL);
}

const struct shrink_pass shrink_flags_modes = {"drop execution modes and the source language", 1,
                                               is_removable_mode, NULL, NULL};

/* ---- masks ---- */

/* Word of an instruction's mask. */
static uint32_t find_mask(const struct shrink_inst *i)
{
    return i->op == SpvOpSelectionMerge ? 2 : i->op == SpvOpLoad ? 4 : 3;
}

static bool has_mask(const struct shrink_edit *e, const struct shrink_inst *i)
{
    (void)e;
    switch (i->op) {
    case SpvOpFunction:
    case SpvOpLoopMerge:
    case SpvOpSelectionMerge:
        return i->w[find_mask(i)] != 0;
    case SpvOpLoad:
        return i->n > 4;
    case SpvOpStore:
        return i->n > 3;
    default:
        return false;
    }
}

static bool drop_mask(struct shrink_edit *e, struct shrink_inst *i)
{
    uint32_t const at = find_mask(i);
    (void)e;
    i->w[at] = 0;
    i->n = i->op == SpvOpLoopMerge ? at + 1 : i->op == SpvOpLoad || i->op == SpvOpStore ? at : i->n;
    return true;
}

const struct shrink_pass shrink_flags_masks = {"drop hints and memory access operands", 1, has_mask,
                                               drop_mask, NULL};

/* ---- orders ---- */

static bool has_order(const struct shrink_edit *e, const struct shrink_inst *i)
{
    uint64_t bits = 0;
    int is_ordered = 0;
    for (uint32_t k = 1; k < i->n; k++) {
        is_ordered |= i->role[k] == ROLE_SEMANTICS &&
                      shrink_module_get_bits(e->m, i->w[k], &bits) && bits != 0;
    }
    return is_ordered && shrink_grammar_is_atomic(i->op);
}

static bool relax(struct shrink_edit *e, struct shrink_inst *i)
{
    for (uint32_t k = 1; k < i->n; k++) {
        if (i->role[k] == ROLE_SEMANTICS) {
            i->w[k] =
                shrink_module_constant(e->m, shrink_module_get_type(e->m, i->w[k]), NUMBER_ZERO);
        }
    }
    return true;
}

const struct shrink_pass shrink_flags_semantics = {"relax memory semantics", 1, has_order, relax,
                                                   NULL};

/* ---- ids ---- */

/* Make the candidate in which all ids are numbered from 1 in the order of their definitions. It
 * is the only candidate of its pass (step 0). -1: there is no other step, an id is used that is not
 * defined, or there is no memory. */
static int make_compact(const struct testcase *tc, uint32_t step, struct arena *a,
                        struct testcase *out)
{
    struct shrink_module *const m =
        step > 0 ? NULL : shrink_module_parse(tc->module, tc->n_words, a);
    uint32_t *const map = m ? ARENA_NEW(a, uint32_t, m->n_defs) : NULL; /* 0: not defined */
    uint32_t next = 1;
    if (!map) {
        return -1;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->inst[i].result != 0) {
            map[m->inst[i].result] = next++;
        }
    }
    for (uint32_t i = 0; i < m->n; i++) {
        struct shrink_inst *const in = &m->inst[i];
        in->result = map[in->result]; /* map[0] is 0: no result stays none */
        for (uint32_t k = 1; k < in->n; k++) {
            if (in->role[k] == ROLE_LITERAL) {
                continue;
            }
            in->w[k] = map[in->w[k]];
            if (in->w[k] == 0) {
                return -1; /* possible: a decoration may name an id that is not defined */
            }
        }
    }
    return shrink_finish(m, tc, out);
}

const struct shrink_pass shrink_flags_compact = {"number ids without gaps", 0, NULL, NULL,
                                                 make_compact};
