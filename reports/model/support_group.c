/* reports/model/support_group.c -- what a target must list for a group instruction on a type, of a scope and
 * operation; semantics A5 to A7. */
#include "reports/model/support_group.h"

#include <string.h>

#include "base/base.h"
#include "base/caps.h"
#include "base/ops.h"
#include "fuzz/journal/journal.h"

/* Scopes and operations of a family: bits of enum storage. */
#define BIT(place) (1u << (place))
#define SG         BIT(STORAGE_SUBGROUP)
#define SG_SCANS                                                                                   \
    (BIT(STORAGE_SUBGROUP_REDUCE) | BIT(STORAGE_SUBGROUP_INCLUSIVE) |                              \
     BIT(STORAGE_SUBGROUP_EXCLUSIVE))
#define SG_CLUSTER BIT(STORAGE_SUBGROUP_CLUSTERED)
#define WG         BIT(STORAGE_GROUP)
#define WG_SCANS                                                                                   \
    (BIT(STORAGE_GROUP_REDUCE) | BIT(STORAGE_GROUP_INCLUSIVE) | BIT(STORAGE_GROUP_EXCLUSIVE))
#define NONE 0u
/* Types of a family; those of an instruction are fewer, by its row of ops.def. */
#define SMALL ((unsigned)TYPE_I8 | (unsigned)TYPE_I16)
#define BOOL  ((unsigned)TYPE_BOOL)
#define WIDE                                                                                       \
    ((unsigned)TYPE_F16 | (unsigned)TYPE_F32 | (unsigned)TYPE_F64 | (unsigned)TYPE_I32 |           \
     (unsigned)TYPE_I64)
#define NO_NEED (-1)

static const struct family {
    uint32_t first, last; /* OP_NUMBER */
    unsigned cl_places, cl_types;
    int cl_need;
    unsigned vk_places, vk_types;
    int vk_need;
} families[] = {
#define FAMILY(first, last, cl_places, cl_types, cl_need, vk_places, vk_types, vk_need)            \
    {(first), (last), (cl_places), (cl_types), (cl_need), (vk_places), (vk_types), (vk_need)},
#include "reports/model/support.def"
};

static const struct family *find_family(const char *op)
{
    int const row = op_find_name(op);
    for (size_t i = 0; row >= 0 && i < ARRAY_N(families); i++) {
        uint32_t const number = op_rows[row].number;
        if (number >= families[i].first && number <= families[i].last) {
            return &families[i];
        }
    }
    return NULL;
}

int support_is_group(const char *op)
{
    return find_family(op) != NULL;
}

/* What an instruction needs beyond that of its family: a need of each API, or NO_NEED. */
static const struct {
    const char *name;
    unsigned bit;
    int cl_need, vk_need;
    int is_extended; /* Vulkan: only with shaderSubgroupExtendedTypes */
} types[] = {
    {"f16",  TYPE_F16,  NEED_CL_F16, NEED_VK_F16, 1},
    {"f32",  TYPE_F32,  NO_NEED,     NO_NEED,     0},
    {"f64",  TYPE_F64,  NEED_CL_F64, NEED_VK_F64, 0},
    {"i8",   TYPE_I8,   NEED_CL_I8,  NEED_VK_I8,  1},
    {"i16",  TYPE_I16,  NO_NEED,     NEED_VK_I16, 1},
    {"i32",  TYPE_I32,  NO_NEED,     NO_NEED,     0},
    {"i64",  TYPE_I64,  NO_NEED,     NEED_VK_I64, 1},
    {"bool", TYPE_BOOL, NO_NEED,     NO_NEED,     0},
};

static int find_type(const char *name)
{
    for (size_t i = 0; i < ARRAY_N(types); i++) {
        if (strcmp(types[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static int find_place(const char *name)
{
    for (int i = 0; i < STORAGE_N; i++) {
        if (strcmp(storage_names[i], name) == 0) {
            return i;
        }
    }
    return STORAGE_NONE;
}

static int meets(const char *facts, int need)
{
    return need == NO_NEED || facts_meet(facts, (enum need_id)need);
}

/* Does the API have it at all? Those of the work-group have 32 and 64 bits, or f16. */
static int exists(const struct family *f, int is_vk, int op, int type, unsigned place)
{
    unsigned const bit = types[type].bit;
    int const is_uniform = f->first <= 271;
    return ((is_vk ? f->vk_places : f->cl_places) & BIT(place)) &&
           ((is_vk ? f->vk_types : f->cl_types) & bit) && (op_rows[op].types & bit) &&
           !((bit & SMALL) && is_uniform && place >= STORAGE_GROUP);
}

static int meets_cl(const struct family *f, const char *facts, int type, unsigned place)
{
    int const is_workgroup = place >= STORAGE_GROUP;
    if (f->first >= 261 && f->first <= 271) {
        return meets(facts, is_workgroup ? NEED_CL_WG_COLLECTIVES : NEED_CL_SUBGROUPS) &&
               (!(types[type].bit & SMALL) || meets(facts, NEED_CL_SG_EXTENDED_TYPES));
    }
    if (f->first == 6401) {
        return meets(facts, NEED_CL_WG_COLLECTIVES);
    }
    if (f->first >= 5000) { /* the AMD ones */
        return 1;
    }
    return meets(facts, NEED_CL_IL_1_3);
}

static int meets_vk(const char *facts, int type)
{
    return meets(facts, NEED_VK_SPIRV_1_3) &&
           (!types[type].is_extended || meets(facts, NEED_VK_SG_EXTENDED_TYPES));
}

/* Clustered reductions have a need of their own instead of that of arithmetic. */
static int family_need(const struct family *f, int is_vk, unsigned place)
{
    if (place == STORAGE_SUBGROUP_CLUSTERED) {
        return is_vk ? (int)NEED_VK_SG_CLUSTERED : (int)NEED_CL_SG_CLUSTERED;
    }
    return is_vk ? f->vk_need : f->cl_need;
}

enum support support_of_group(const char *facts, int is_vk, const char *op, const char *type,
                              const char *storage)
{
    const struct family *const f = find_family(op);
    int const row = op_find_name(op);
    int const t = find_type(type);
    unsigned const place = (unsigned)find_place(storage);
    if (!f || t < 0 || !exists(f, is_vk, row, t, place)) {
        return SUPPORT_NEVER;
    }
    return meets(facts, family_need(f, is_vk, place)) &&
                   meets(facts, is_vk ? types[t].vk_need : types[t].cl_need) &&
                   (is_vk ? meets_vk(facts, t) : meets_cl(f, facts, t, place))
               ? SUPPORT_YES
               : SUPPORT_NOT;
}

uint32_t support_list_groups(struct support_row *rows, uint32_t n_rows)
{
    uint32_t n = 0;
    for (int op = 0; op < OP_N; op++) {
        const struct family *const f = find_family(op_rows[op].name);
        for (unsigned place = 0; f && place < STORAGE_N; place++) {
            for (size_t t = 0; t < ARRAY_N(types); t++) {
                if (!exists(f, 0, op, (int)t, place) && !exists(f, 1, op, (int)t, place)) {
                    continue;
                }
                if (n < n_rows) {
                    rows[n] =
                        (struct support_row){op_rows[op].name, types[t].name, storage_names[place]};
                }
                n++;
            }
        }
    }
    return n;
}
