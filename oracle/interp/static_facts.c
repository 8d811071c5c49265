/* oracle/interp/static_facts.c -- what an instruction works on and where, by the module alone. */
#include "oracle/interp/static_facts.h"

#include "base/format.h"
#include "base/ops.h"
#include "oracle/interp/group_kind.h"

/* Returns the numbers of the words in which a group instruction has its operands; 0: it has no operand of that
 * kind. Words 0 to 2 are the opcode, the result's type and the result. Operands begin with the scope. Reductions and scans have an operation, then the value and possibly a
 * cluster size or ballot. Others have the value, then possibly a second operand and a cluster size. AMD's extended
 * instructions have no scope; their operands come after the numbers of the set and of the instruction. */
struct group_words group_words_of(const struct mod_inst *in)
{
    enum group_kind const kind = group_kind_of(in->op);
    switch (in->op) {
    case GROUP_AMD_SWIZZLE:
    case GROUP_AMD_SWIZZLE_MASKED:
        return (struct group_words){.value = 5, .pattern = 6};
    case GROUP_AMD_WRITE:
        return (struct group_words){.value = 5, .other = 6, .second = 7};
    case GROUP_AMD_MBCNT:
        return (struct group_words){.value = 5};
    case SpvOpSubgroupShuffleINTEL:
    case SpvOpSubgroupShuffleXorINTEL:
        return (struct group_words){.value = 3, .second = 4};
    case SpvOpSubgroupShuffleDownINTEL: /* current value, next value */
        return (struct group_words){.value = 3, .other = 4, .second = 5};
    case SpvOpSubgroupShuffleUpINTEL: /* previous value, current value */
        return (struct group_words){.other = 3, .value = 4, .second = 5};
    default:
        break;
    }
    if (!group_has_scope(in->op)) {
        return (struct group_words){.value = 3};
    }
    struct group_words w = {.scope = 3, .value = 4};
    if (kind == GROUP_ARITH || in->op == SpvOpGroupNonUniformBallotBitCount) {
        w.operation = 4;
        w.value = 5;
        if (in->n > 6 && group_is_partitioned(in->w[4])) {
            w.ballot = 6;
        } else {
            w.cluster = in->n > 6 ? 6 : 0;
        }
    } else if (kind == GROUP_ELECT) { /* the scope alone */
        w.value = 0;
    } else if (in->n > 5) {
        w.second = 5;
        w.cluster = in->n > 6 ? 6 : 0;
    }
    return w;
}

uint32_t static_group_value(const struct mod_inst *in)
{
    return group_kind_of(in->op) == GROUP_NONE ? 0 : group_words_of(in).value;
}

/* What stands for a storage class in reports of a group instruction: its scope, work-group or sub-group,
 * and its operation. */
enum storage static_group_storage(const struct module *m, const struct mod_inst *in)
{
    struct group_words const w = group_words_of(in);
    const struct mod_id *id = &m->ids[module_get_operand(m, in, w.scope)];
    bool const is_group =
        (id->flags & ID_CONSTANT) && m->consts[id->slot].bits == SpvScopeWorkgroup;
    bool const has_operation = w.operation && w.operation < in->n;
    switch (has_operation ? in->w[w.operation] : (uint32_t)GROUP_NO_OPERATION) {
    case SpvGroupOperationReduce:
        return is_group ? STORAGE_GROUP_REDUCE : STORAGE_SUBGROUP_REDUCE;
    case SpvGroupOperationInclusiveScan:
        return is_group ? STORAGE_GROUP_INCLUSIVE : STORAGE_SUBGROUP_INCLUSIVE;
    case SpvGroupOperationExclusiveScan:
        return is_group ? STORAGE_GROUP_EXCLUSIVE : STORAGE_SUBGROUP_EXCLUSIVE;
    case SpvGroupOperationClusteredReduce:
        return STORAGE_SUBGROUP_CLUSTERED;
    case SPV_PARTITIONED_REDUCE_EXT:
    case SPV_PARTITIONED_REDUCE_EXT + 1:
    case SPV_PARTITIONED_EXCLUSIVE_SCAN_EXT:
        return STORAGE_SUBGROUP_PARTITIONED;
    default:
        return is_group ? STORAGE_GROUP : STORAGE_SUBGROUP;
    }
}

uint32_t static_value_type(const struct module *m, const struct mod_inst *in)
{
    uint32_t const stored = in->op == SpvOpAtomicStore ? module_get_operand(m, in, 4) : 0;
    return stored ? m->ids[stored].type : in->type;
}

/* Is the image of a texel pointer a buffer? */
static enum storage storage_of_texel(const struct module *m, uint32_t ptr)
{
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        if (in->result != ptr || in->op != SpvOpImageTexelPointer || in->n <= MOD_OPERAND ||
            in->w[MOD_OPERAND] >= m->n_ids) {
            continue;
        }
        uint32_t const image = m->ids[m->ids[in->w[MOD_OPERAND]].type].t.elem;
        int const is_buffer = image < m->n_ids && m->ids[image].t.dim == SpvDimBuffer;
        return is_buffer ? STORAGE_TEXEL : STORAGE_IMAGE;
    }
    return STORAGE_IMAGE;
}

/* Where the pointer of an atomic points to. */
static enum storage storage_of_atomic(const struct module *m, const struct mod_inst *in)
{
    bool const is_store = in->op == SpvOpAtomicStore;
    uint32_t const ptr = module_get_operand(m, in, is_store ? MOD_STORE_POINTER : MOD_OPERAND);
    uint32_t const type = m->ids[ptr].type;
    switch (type < m->n_ids ? m->ids[type].t.storage : UINT32_MAX) {
    case SpvStorageClassWorkgroup:
        return STORAGE_WORKGROUP;
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassUniform: /* a buffer of the older form: nothing else there is written */
        return STORAGE_GLOBAL;
    case SpvStorageClassPhysicalStorageBuffer:
        return STORAGE_PHYSICAL;
    case SpvStorageClassGeneric:
        return STORAGE_GENERIC;
    case SpvStorageClassImage: /* a texel of what OpImageTexelPointer names */
        return storage_of_texel(m, ptr);
    default:
        return STORAGE_NONE;
    }
}

enum storage static_storage(const struct module *m, const struct mod_inst *in)
{
    return in->part == PART_GROUP    ? static_group_storage(m, in)
           : in->part == PART_ATOMIC ? storage_of_atomic(m, in)
                                     : STORAGE_NONE;
}

enum val_type static_type(const struct module *m, const struct mod_inst *in)
{
    uint32_t const word = in->part == PART_GROUP ? static_group_value(in) : 0;
    uint32_t const value = module_get_operand(m, in, word);
    uint32_t const type = m->ids[value].type ? m->ids[value].type : static_value_type(m, in);
    if (type >= m->n_ids) {
        return VT_NONE;
    }
    const struct mod_type *t = &m->ids[type].t;
    int const fmt = module_get_format(m, type);
    return in->part == PART_ATOMIC ? val_type_of_vector(fmt, t->bits, t->n)
                                   : val_type_of(fmt, t->bits);
}

bool static_is_hole(const struct module *m, enum env env, const struct mod_inst *in)
{
    if (env != ENV_CL || (in->op != SpvOpAtomicLoad && in->op != SpvOpAtomicStore &&
                          in->op != SpvOpAtomicExchange)) {
        return false;
    }
    int const fmt = module_get_format(m, static_value_type(m, in));
    return fmt == FMT_F32 || fmt == FMT_F64;
}
