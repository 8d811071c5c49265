/* gen/view/view.c -- a view of a module: what each id is and where it is used. */
#include "gen/view/view.h"

#include <string.h>

#include "base/ops.h"

/* Where the ids of values begin among the words of an instruction that has a type and a result. */
enum {
    AT_TYPE = 1,
    AT_RESULT = 2,
    AT_OPERANDS = 3
};

struct view_id *view_get(const struct view *m, uint32_t id)
{
    return &m->ids[id < m->n_ids ? id : 0]; /* no instruction defines id 0 */
}

uint64_t view_get_number(const struct view *m, uint32_t id)
{
    const struct spv_inst *const in = &view_get(m, id)->in;
    if (in->n < 4 || in->op != SpvOpConstant) {
        return 0;
    }
    return in->w[3] | (in->n > 4 ? (uint64_t)in->w[4] << 32 : 0);
}

const struct view_id *view_get_value(const struct view *m, const struct spv_inst *in)
{
    const struct view_id *const id = view_get(m, in->n > AT_RESULT ? in->w[AT_RESULT] : 0);
    return id->in.w == in->w && id->type != 0 ? id : NULL;
}

uint32_t view_type_of(const struct view *m, uint32_t id)
{
    return view_get(m, id)->type;
}

uint32_t view_get_pointee(const struct view *m, uint32_t type)
{
    const struct spv_inst *const in = &view_get(m, type)->in;
    return in->op == SpvOpTypePointer && in->n == 4 ? in->w[3] : 0;
}

const struct spv_inst *view_get_scalar(const struct view *m, uint32_t type)
{
    const struct spv_inst *const in = &view_get(m, type)->in;
    return in->op == SpvOpTypeVector && in->n == 4 ? &view_get(m, in->w[2])->in : in;
}

uint32_t view_count_bits(const struct view *m, uint32_t type)
{
    const struct spv_inst *const in = view_get_scalar(m, type);
    return (in->op == SpvOpTypeInt || in->op == SpvOpTypeFloat) && in->n > 2 ? in->w[2] : 0;
}

uint32_t view_count_components(const struct view *m, uint32_t type)
{
    const struct spv_inst *const in = &view_get(m, type)->in;
    return in->op == SpvOpTypeVector && in->n == 4 ? in->w[3] : 1;
}

unsigned view_get_type_bit(const struct view *m, uint32_t type)
{
    const struct spv_inst *const in = view_get_scalar(m, type);
    uint32_t const n_bits = in->n > 2 ? in->w[2] : 0;
    switch (in->op) {
    case SpvOpTypeBool:
        return TYPE_BOOL;
    case SpvOpTypeInt:
        return n_bits == 8 ? TYPE_I8 : n_bits == 16 ? TYPE_I16 : n_bits == 32 ? TYPE_I32 : TYPE_I64;
    case SpvOpTypeFloat: /* with a fourth word it has another encoding: bfloat16 */
        return in->n > 3 ? 0 : n_bits == 16 ? TYPE_F16 : n_bits == 32 ? TYPE_F32 : TYPE_F64;
    default:
        return 0;
    }
}

bool view_is_bool(const struct view *m, uint32_t type)
{
    return view_get(m, type)->in.op == SpvOpTypeBool;
}

bool view_is_float(const struct view *m, uint32_t type)
{
    return view_get_scalar(m, type)->op == SpvOpTypeFloat;
}

/* ---- walks ---- */

bool view_next(const struct view *m, struct spv_inst *in)
{
    uint32_t offset = in->n == 0 ? (uint32_t)SPV_HEADER_WORDS : in->offset + in->n;
    return spv_next(m->w, m->n_words, &offset, in);
}

bool view_next_global(const struct view *m, struct spv_inst *in)
{
    return view_next(m, in) && in->op != SpvOpFunction;
}

bool view_next_parameter(const struct view *m, struct spv_inst *in)
{
    while (view_next(m, in) && in->op != SpvOpLabel) {
        if (in->op == SpvOpFunctionParameter) {
            return true;
        }
    }
    return false;
}

bool view_next_of_block(const struct view *m, const struct view_block *b, struct spv_inst *in)
{
    uint32_t offset = in->n == 0 ? b->first : in->offset + in->n;
    return offset <= b->last && spv_next(m->w, m->n_words, &offset, in);
}

struct spv_inst view_find_decoration(const struct view *m, uint32_t id, uint32_t decoration)
{
    struct spv_inst in = {.n = 0};
    while (view_next_global(m, &in)) {
        if (in.op == SpvOpDecorate && in.n > 2 && in.w[1] == id && in.w[2] == decoration) {
            return in;
        }
    }
    return (struct spv_inst){.n = 0};
}

struct spv_inst view_find_mode(const struct view *m, uint32_t mode)
{
    struct spv_inst in = {.n = 0};
    while (view_next_global(m, &in)) {
        if (in.op == SpvOpExecutionMode && in.n > 2 && in.w[2] == mode) {
            return in;
        }
    }
    return (struct spv_inst){.n = 0};
}

struct spv_inst view_find_entry(const struct view *m, uint32_t function)
{
    struct spv_inst in = {.n = 0};
    while (view_next_global(m, &in)) {
        if (in.op == SpvOpEntryPoint && in.n > 3 && in.w[2] == function) {
            return in;
        }
    }
    return (struct spv_inst){.n = 0};
}

bool view_is_text(const struct spv_inst *in, uint32_t at, const char *text)
{
    size_t const n = strlen(text) + 1;
    return in->n > at && (in->n - at) * sizeof *in->w >= n && memcmp(in->w + at, text, n) == 0;
}

bool view_is_set(const struct view *m, uint32_t id, const char *name)
{
    const struct spv_inst *const in = &view_get(m, id)->in;
    return in->op == SpvOpExtInstImport && view_is_text(in, 2, name);
}

/* ---- reading ---- */

/* Group instructions of core have a literal between scope and value, if they reduce or scan. */
static bool has_group_operation(uint32_t op)
{
    return (op >= SpvOpGroupIAdd && op <= SpvOpGroupSMax) ||
           (op >= SpvOpGroupNonUniformIAdd && op <= SpvOpGroupNonUniformLogicalXor) ||
           op == SpvOpGroupNonUniformBallotBitCount ||
           (op >= SpvOpGroupIMulKHR && op <= SpvOpGroupLogicalXorKHR);
}

/* Returns whether word k of the instruction (word 0 is the opcode) is the id of a value that the
 * instruction reads. Labels, types and literals are not values. By default all words from AT_OPERANDS on
 * are values, but the GroupOperation of a group instruction; the cases are the instructions that differ. */
bool view_is_value_operand(const struct spv_inst *in, uint32_t k)
{
    switch (in->op) {
    case SpvOpStore: /* memory operands after pointer and value, or after two pointers */
    case SpvOpCopyMemory:
        return k == 1 || k == 2;
    case SpvOpCopyMemorySized: /* memory operands after two pointers and the size */
        return k >= 1 && k <= 3;
    case SpvOpAtomicStore:
    case SpvOpControlBarrier:
    case SpvOpMemoryBarrier:
        return k >= 1;
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturnValue:
        return k == 1;
    case SpvOpPhi: /* value and block alternate */
        return k >= AT_OPERANDS && (k - AT_OPERANDS) % 2 == 0;
    case SpvOpFunctionCall: /* the function stands first */
        return k > AT_OPERANDS;
    case SpvOpExtInst: /* the set and the number in it stand first */
        return k >= AT_OPERANDS + 2;
    case SpvOpCompositeExtract: /* literal indices after the composite */
        return k == AT_OPERANDS;
    case SpvOpCompositeInsert: /* literal indices after part and composite */
        return k == AT_OPERANDS || k == AT_OPERANDS + 1;
    case SpvOpLoad: /* memory operands after the pointer */
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

const struct view_block *view_find_block(const struct view *m, uint32_t label)
{
    const struct view_id *const id = view_get(m, label);
    return id->in.op == SpvOpLabel && id->block != VIEW_NO_BLOCK ? &m->blocks[id->block] : NULL;
}

/* The word of the result's id; 0: the instruction has none. The installed header knows nothing of the newest ones. */
static uint32_t find_result(const struct spv_inst *in, bool *has_type)
{
    switch (in->op) {
    case SPV_OP_FMA_KHR:
    case SPV_OP_QUAD_ALL_KHR:
    case SPV_OP_QUAD_ANY_KHR:
    case SPV_OP_PARTITION_EXT:
        *has_type = true;
        return in->n > AT_RESULT ? AT_RESULT : 0;
    default:
        return spv_find_result(in, has_type);
    }
}

static void read_decoration(struct view *m, const struct spv_inst *in)
{
    struct view_id *const id = view_get(m, in->n > 2 ? in->w[1] : 0);
    if (in->n > 2 && in->w[2] == SpvDecorationNoContraction) {
        id->is_exact = true;
    }
    if (in->n > 2 && in->w[2] == SpvDecorationSaturatedConversion) {
        id->is_saturated = true;
    }
    if (in->n < 4) {
        return;
    }
    if (in->w[2] == SPV_DEC_FP_MAX_ERROR_INTEL) {
        id->has_max_error = true;
    } else if (in->w[2] == SpvDecorationBuiltIn) {
        id->built_in = 1 + in->w[3];
    } else if (in->w[2] == SpvDecorationFPRoundingMode) {
        id->rounding = 1 + in->w[3];
    }
}

static void read_mode(struct view *m, const struct spv_inst *in)
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

static enum res define(struct view *m, const struct spv_inst *in, int32_t block, struct err *e)
{
    bool has_type = false;
    uint32_t const at = find_result(in, &has_type);
    if (at == 0 && !has_type && in->op != SpvOpLabel) {
        return RES_OK;
    }
    if (at == 0 || in->w[at] == 0 || in->w[at] >= m->n_ids || view_get(m, in->w[at])->in.n != 0) {
        return err_set(e, RES_FORMAT, "module: word %u: no new id in its bound", in->offset);
    }
    struct view_id *const id = view_get(m, in->w[at]);
    id->in = *in;
    id->block = block;
    id->type = has_type ? in->w[AT_TYPE] : 0;
    return RES_OK;
}

bool view_is_entry(const struct spv_inst *in, const char *name)
{
    return in->op == SpvOpEntryPoint && view_is_text(in, 3, name);
}

/* Reads the blocks, definitions, decorations, modes and the entry point of the module into m, in one pass
 * over its words. Returns RES_FORMAT where the last instruction is broken. */
static enum res read_definitions(struct view *m, const char *entry, struct err *e)
{
    int32_t block = VIEW_NO_BLOCK;
    struct spv_inst in = {.n = 0};
    while (view_next(m, &in)) {
        if (in.op == SpvOpLabel) {
            block = (int32_t)m->n_blocks++;
            m->blocks[block] =
                (struct view_block){.label = in.n > 1 ? in.w[1] : 0, .first = in.offset};
        }
        TRY(define(m, &in, block, e));
        if (in.op == SpvOpFunctionEnd) {
            block = VIEW_NO_BLOCK;
        }
        if (block != VIEW_NO_BLOCK) {
            struct view_block *const b = &m->blocks[block];
            b->last = in.offset;
            if ((in.op == SpvOpSelectionMerge || in.op == SpvOpLoopMerge) && in.n >= 3) {
                b->is_loop = in.op == SpvOpLoopMerge;
                b->merge = in.w[1];
                b->next = b->is_loop ? in.w[2] : 0; /* the continue target */
            }
        }
        if (in.op == SpvOpDecorate) {
            read_decoration(m, &in);
        } else if (in.op == SpvOpExecutionMode) {
            read_mode(m, &in);
        } else if (view_is_entry(&in, entry)) {
            m->entry = in.w[2];
        }
    }
    /* in.n is 0 where no instruction was read; a broken one ends the loop before the end of the words */
    uint32_t const end = in.n == 0 ? (uint32_t)SPV_HEADER_WORDS : in.offset + in.n;
    if (end != m->n_words) {
        return err_set(e, RES_FORMAT, "module: word %u: broken instruction", end);
    }
    return RES_OK;
}

static void use(struct view *m, uint32_t operand, int32_t block)
{
    struct view_id *const id = view_get(m, operand);
    id->n_uses++;
    id->use_block = block;
    id->is_far |= id->block != block;
}

/* A phi uses its operands at the ends of the blocks that they come from. */
static void use_phi(struct view *m, const struct spv_inst *in)
{
    for (uint32_t k = AT_OPERANDS; k + 1 < in->n; k += 2) {
        use(m, in->w[k], view_get(m, in->w[k + 1])->block);
    }
}

static void read_uses(struct view *m)
{
    int32_t block = VIEW_NO_BLOCK;
    struct spv_inst in = {.n = 0};
    while (view_next(m, &in)) {
        if (in.op == SpvOpLabel) {
            block = view_get(m, in.w[1])->block;
        } else if (in.op == SpvOpFunctionEnd) {
            block = VIEW_NO_BLOCK;
        }
        if (block == VIEW_NO_BLOCK) {
            continue;
        }
        if (in.op == SpvOpPhi) {
            use_phi(m, &in);
            continue;
        }
        for (uint32_t k = 1; k < in.n; k++) {
            if (view_is_value_operand(&in, k)) {
                use(m, in.w[k], block);
            }
        }
    }
}

static uint32_t count_blocks(const struct view *m)
{
    uint32_t n = 0;
    struct spv_inst in = {.n = 0};
    while (view_next(m, &in)) {
        n += in.op == SpvOpLabel;
    }
    return n;
}

enum res view_read(const uint32_t *words, uint32_t n_words, const char *entry, struct arena *a,
                   struct view *out, struct err *e)
{
    if (!spv_is_module(words, n_words) || words[3] == 0 || words[3] > VIEW_MAX_WORDS) {
        return err_set(e, RES_FORMAT, "module: no header with a bound of at most %d",
                       VIEW_MAX_WORDS);
    }
    *out = (struct view){.w = words, .n_words = n_words, .n_ids = words[3]};
    out->ids = ARENA_NEW(a, struct view_id, out->n_ids);
    out->blocks = ARENA_NEW(a, struct view_block, count_blocks(out) + 1);
    if (!out->ids || !out->blocks) {
        return err_set(e, RES_NOMEM, "module: no room for %u ids", out->n_ids);
    }
    for (uint32_t i = 0; i < out->n_ids; i++) {
        out->ids[i].block = VIEW_NO_BLOCK;
        out->ids[i].use_block = VIEW_NO_BLOCK;
    }
    out->entry_name = entry;
    TRY(read_definitions(out, entry, e));
    read_uses(out);
    return RES_OK;
}
