/* oracle/interp/static_place.c -- what an instruction works on and where, by the module alone. */
#include "oracle/interp/static_place.h"

#include "base/format.h"
#include "base/ops.h"
#include "oracle/interp/group_kind.h"

struct group_words group_words_of(const struct mod_inst *in)
{
    enum group_kind const kind = group_kind_of(in->op);
    if (in->op >> 16 == OP_SET_amd_ballot) {
        struct group_words w = {.value = 5};
        if (in->op == OP_NUMBER(OP_SET_amd_ballot, 3)) {
            w.other = 6;
            w.second = 7;
        } else if (in->op != OP_NUMBER(OP_SET_amd_ballot, 4)) {
            w.pattern = 6;
        }
        return w;
    }
    struct group_words w = {.scope = 3, .value = 4};
    if (kind == GROUP_ARITH || in->op == SpvOpGroupNonUniformBallotBitCount) {
        w.operation = 4;
        w.value = 5;
        w.cluster = in->n > 6 ? 6 : 0;
    } else if (kind == GROUP_ELECT) {
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

enum storage static_group_storage(const struct module *m, const struct mod_inst *in)
{
    struct group_words const w = group_words_of(in);
    uint32_t const id = w.scope && w.scope < in->n ? in->w[w.scope] : 0;
    uint64_t scope = SpvScopeSubgroup;
    if (id < m->n_ids && (m->ids[id].flags & ID_CONSTANT)) {
        scope = m->consts[m->ids[id].slot].bits;
    }
    int const is_group = scope == SpvScopeWorkgroup;
    switch (w.operation && w.operation < in->n ? in->w[w.operation]
                                               : (uint32_t)GROUP_NO_OPERATION) {
    case SpvGroupOperationReduce:
        return is_group ? STORAGE_GROUP_REDUCE : STORAGE_SUBGROUP_REDUCE;
    case SpvGroupOperationInclusiveScan:
        return is_group ? STORAGE_GROUP_INCLUSIVE : STORAGE_SUBGROUP_INCLUSIVE;
    case SpvGroupOperationExclusiveScan:
        return is_group ? STORAGE_GROUP_EXCLUSIVE : STORAGE_SUBGROUP_EXCLUSIVE;
    case SpvGroupOperationClusteredReduce:
        return STORAGE_SUBGROUP_CLUSTERED;
    default:
        return is_group ? STORAGE_GROUP : STORAGE_SUBGROUP;
    }
}

uint32_t static_value_type(const struct module *m, const struct mod_inst *in)
{
    return in->op == SpvOpAtomicStore && in->n > 4 && in->w[4] < m->n_ids ? m->ids[in->w[4]].type
                                                                          : in->type;
}

/* Is the image of a texel pointer a buffer? */
static enum storage storage_of_texel(const struct module *m, uint32_t ptr)
{
    for (uint32_t i = 0; i < m->n_code; i++) {
        const struct mod_inst *in = &m->code[i];
        if (in->result != ptr || in->op != SpvOpImageTexelPointer || in->n < 4 ||
            in->w[3] >= m->n_ids) {
            continue;
        }
        uint32_t const image = m->ids[m->ids[in->w[3]].type].t.elem;
        int const is_buffer = image < m->n_ids && m->ids[image].t.dim == SpvDimBuffer;
        return is_buffer ? STORAGE_TEXEL : STORAGE_IMAGE;
    }
    return STORAGE_IMAGE;
}

/* Where the pointer of an atomic points to. */
static enum storage storage_of_atomic(const struct module *m, const struct mod_inst *in)
{
    uint32_t const at = in->op == SpvOpAtomicStore ? 1 : 3; /* word of the pointer */
    uint32_t const ptr = at < in->n && in->w[at] < m->n_ids ? in->w[at] : 0;
    uint32_t const type = m->ids[ptr].type;
    switch (type < m->n_ids ? m->ids[type].t.storage : UINT32_MAX) {
    case SpvStorageClassWorkgroup:
        return STORAGE_WORKGROUP;
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassStorageBuffer:
        return STORAGE_GLOBAL;
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
    uint32_t type = static_value_type(m, in);
    uint32_t const word = in->part == PART_GROUP ? static_group_value(in) : 0;
    uint32_t const id = word && word < in->n && in->w[word] < m->n_ids ? in->w[word] : 0;
    type = m->ids[id].type ? m->ids[id].type : type;
    return type < m->n_ids ? val_type_of(module_get_format(m, type) >= 0, m->ids[type].t.bits)
                           : VT_NONE;
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
