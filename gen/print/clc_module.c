/* gen/print/clc_module.c -- a module as the printer reads it. */
#include "gen/print/clc_module.h"

#include <string.h>

/* Where the ids of values begin among the words of an instruction that has a type and a result. */
enum {
    AT_TYPE = 1,
    AT_RESULT = 2,
    AT_OPERANDS = 3
};

struct clc_id *clc_get(const struct clc_module *m, uint32_t id)
{
    return &m->ids[id < m->n_ids ? id : 0]; /* no instruction defines id 0 */
}

uint64_t clc_get_number(const struct clc_module *m, uint32_t id)
{
    const struct spv_inst *const in = &clc_get(m, id)->in;
    if (in->n < 4 || in->op != SpvOpConstant) {
        return 0;
    }
    return in->w[3] | (in->n > 4 ? (uint64_t)in->w[4] << 32 : 0);
}

/* Group instructions of core have a literal between scope and value, if they reduce or scan. */
static bool has_group_operation(uint32_t op)
{
    return (op >= SpvOpGroupIAdd && op <= SpvOpGroupSMax) ||
           (op >= SpvOpGroupNonUniformIAdd && op <= SpvOpGroupNonUniformLogicalXor) ||
           op == SpvOpGroupNonUniformBallotBitCount ||
           (op >= SpvOpGroupIMulKHR && op <= SpvOpGroupLogicalXorKHR);
}

bool clc_is_value_operand(const struct spv_inst *in, uint32_t k)
{
    switch (in->op) {
    case SpvOpStore: /* memory operands behind pointer and value */
    case SpvOpCopyMemory:
        return k == 1 || k == 2;
    case SpvOpCopyMemorySized: /* and behind the size */
        return k >= 1 && k <= 3;
    case SpvOpAtomicStore:
    case SpvOpControlBarrier:
    case SpvOpMemoryBarrier:
        return k >= 1;
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturnValue:
        return k == 1;
    case SpvOpPhi: /* value and block by turns */
        return k >= AT_OPERANDS && (k - AT_OPERANDS) % 2 == 0;
    case SpvOpFunctionCall: /* the function stands first */
        return k > AT_OPERANDS;
    case SpvOpExtInst: /* the set and the number in it stand first */
        return k >= AT_OPERANDS + 2;
    case SpvOpCompositeExtract: /* literal indices behind the composite */
        return k == AT_OPERANDS;
    case SpvOpCompositeInsert: /* and behind part and composite */
        return k == AT_OPERANDS || k == AT_OPERANDS + 1;
    case SpvOpLoad: /* memory operands behind the pointer */
        return k == AT_OPERANDS;
    case SpvOpFunction:
    case SpvOpFunctionParameter:
    case SpvOpFunctionEnd:
    case SpvOpVariable:
    case SpvOpLabel:
    case SpvOpBranch:
    case SpvOpReturn:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpUndef:
        return false;
    default:
        return k >= AT_OPERANDS && !(has_group_operation(in->op) && k == AT_OPERANDS + 1);
    }
}

const struct clc_block *clc_find_block(const struct clc_module *m, uint32_t label)
{
    const struct clc_id *const id = clc_get(m, label);
    return id->in.op == SpvOpLabel && id->block != CLC_NO_BLOCK ? &m->blocks[id->block] : NULL;
}

/* The word of the result's id, or 0: the instruction has none. */
static uint32_t place_result(const struct spv_inst *in)
{
    switch (in->op) {
    case SpvOpLabel:
    case SpvOpString:
    case SpvOpExtInstImport:
    case SpvOpTypeVoid:
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeVector:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
    case SpvOpTypeImage:
    case SpvOpTypeStruct:
    case SpvOpTypePointer:
    case SpvOpTypeFunction:
        return AT_TYPE;
    case SpvOpCapability:
    case SpvOpExtension:
    case SpvOpMemoryModel:
    case SpvOpEntryPoint:
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
    case SpvOpMemberDecorate:
    case SpvOpMemoryBarrier:
    case SpvOpSource:
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpStore:
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
    case SpvOpAtomicStore:
    case SpvOpControlBarrier:
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturn:
    case SpvOpReturnValue:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpFunctionEnd:
    case SpvOpNop:
    case SpvOpUnreachable:
        return 0;
    default:
        return AT_RESULT;
    }
}

static void read_decoration(struct clc_module *m, const struct spv_inst *in)
{
    struct clc_id *const id = clc_get(m, in->n > 2 ? in->w[1] : 0);
    if (in->n > 2 && in->w[2] == SpvDecorationNoContraction) {
        id->is_exact = true;
    }
    if (in->n < 4) {
        return;
    }
    if (in->w[2] == SpvDecorationBuiltIn) {
        id->built_in = 1 + in->w[3];
    } else if (in->w[2] == SpvDecorationFPRoundingMode) {
        id->rounding = 1 + in->w[3];
    }
}

static void read_mode(struct clc_module *m, const struct spv_inst *in)
{
    if (in->n < 2 || in->w[1] != m->entry) {
        return;
    }
    if (in->n >= 3 && in->w[2] == SpvExecutionModeContractionOff) {
        m->contraction_off = true;
    } else if (in->n >= 4 && in->w[2] == SpvExecutionModeSubgroupSize) {
        m->subgroup_size = in->w[3];
    } else if (in->n >= 6 && in->w[2] == SpvExecutionModeLocalSize) {
        memcpy(m->local_size, in->w + 3, sizeof m->local_size);
    }
}

static enum res define(struct clc_module *m, const struct spv_inst *in, int32_t block,
                       struct err *e)
{
    uint32_t const at = place_result(in);
    if (at == 0) {
        return RES_OK;
    }
    if (at >= in->n || in->w[at] == 0 || in->w[at] >= m->n_ids ||
        clc_get(m, in->w[at])->in.n != 0) {
        return err_set(e, RES_FORMAT, "module: word %u: no new id in its bound", in->offset);
    }
    struct clc_id *const id = clc_get(m, in->w[at]);
    id->in = *in;
    id->block = block;
    id->type = at == AT_RESULT ? in->w[AT_TYPE] : 0;
    return RES_OK;
}

bool clc_is_entry(const struct spv_inst *in, const char *name)
{
    size_t const n = strlen(name) + 1;
    return in->op == SpvOpEntryPoint && in->n >= 4 && (in->n - 3) * sizeof *in->w >= n &&
           memcmp(in->w + 3, name, n) == 0;
}

/* Blocks, definitions and decorations, in one pass. */
static enum res read_definitions(struct clc_module *m, const char *entry, struct err *e)
{
    uint32_t offset = SPV_HEADER_WORDS;
    int32_t block = CLC_NO_BLOCK;
    struct spv_inst in;
    while (spv_next(m->w, m->n_words, &offset, &in)) {
        if (in.op == SpvOpLabel) {
            block = (int32_t)m->n_blocks++;
            m->blocks[block] =
                (struct clc_block){.label = in.n > 1 ? in.w[1] : 0, .first = in.offset};
        }
        TRY(define(m, &in, block, e));
        if (in.op == SpvOpFunctionEnd) {
            block = CLC_NO_BLOCK;
        }
        if (block != CLC_NO_BLOCK) {
            struct clc_block *const b = &m->blocks[block];
            b->last = in.offset;
            if ((in.op == SpvOpSelectionMerge || in.op == SpvOpLoopMerge) && in.n >= 3) {
                b->is_loop = in.op == SpvOpLoopMerge;
                b->merge = in.w[1];
                b->next = b->is_loop ? in.w[2] : 0;
            }
        }
        if (in.op == SpvOpDecorate) {
            read_decoration(m, &in);
        } else if (in.op == SpvOpExecutionMode) {
            read_mode(m, &in);
        } else if (clc_is_entry(&in, entry)) {
            m->entry = in.w[2];
        }
    }
    if (offset != m->n_words) {
        return err_set(e, RES_FORMAT, "module: word %u: broken instruction", offset);
    }
    return RES_OK;
}

static void use(struct clc_module *m, uint32_t operand, int32_t block)
{
    struct clc_id *const id = clc_get(m, operand);
    id->n_uses++;
    id->use_block = block;
    id->is_far |= id->block != block;
}

/* A phi uses its operands at the ends of the blocks that they come from. */
static void use_phi(struct clc_module *m, const struct spv_inst *in)
{
    for (uint32_t k = AT_OPERANDS; k + 1 < in->n; k += 2) {
        use(m, in->w[k], clc_get(m, in->w[k + 1])->block);
    }
}

static void read_uses(struct clc_module *m)
{
    uint32_t offset = SPV_HEADER_WORDS;
    int32_t block = CLC_NO_BLOCK;
    struct spv_inst in;
    while (spv_next(m->w, m->n_words, &offset, &in)) {
        if (in.op == SpvOpLabel) {
            block = clc_get(m, in.w[1])->block;
        } else if (in.op == SpvOpFunctionEnd) {
            block = CLC_NO_BLOCK;
        }
        if (block == CLC_NO_BLOCK) {
            continue;
        }
        if (in.op == SpvOpPhi) {
            use_phi(m, &in);
            continue;
        }
        for (uint32_t k = 1; k < in.n; k++) {
            if (clc_is_value_operand(&in, k)) {
                use(m, in.w[k], block);
            }
        }
    }
}

static uint32_t count_blocks(const uint32_t *words, uint32_t n_words)
{
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t n = 0;
    struct spv_inst in;
    while (spv_next(words, n_words, &offset, &in)) {
        n += in.op == SpvOpLabel;
    }
    return n;
}

enum res clc_module_read(const uint32_t *words, uint32_t n_words, const char *entry,
                         struct arena *a, struct clc_module *out, struct err *e)
{
    if (!spv_is_module(words, n_words) || words[3] == 0 || words[3] > CLC_MAX_WORDS) {
        return err_set(e, RES_FORMAT, "module: no header with a bound of at most %d",
                       CLC_MAX_WORDS);
    }
    *out = (struct clc_module){.w = words, .n_words = n_words, .n_ids = words[3]};
    out->ids = ARENA_NEW(a, struct clc_id, out->n_ids);
    out->blocks = ARENA_NEW(a, struct clc_block, count_blocks(words, n_words) + 1);
    if (!out->ids || !out->blocks) {
        return err_set(e, RES_NOMEM, "module: no room for %u ids", out->n_ids);
    }
    for (uint32_t i = 0; i < out->n_ids; i++) {
        out->ids[i].block = CLC_NO_BLOCK;
        out->ids[i].use_block = CLC_NO_BLOCK;
    }
    out->entry_name = entry;
    TRY(read_definitions(out, entry, e));
    read_uses(out);
    return RES_OK;
}
