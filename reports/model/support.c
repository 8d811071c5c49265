/* reports/model/support.c -- does a target list what an instruction on a type needs, in a storage class or
 * of a scope and operation? Those of groups. */
#include "reports/model/support.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/caps.h"
#include "base/ops.h"
#include "oracle/tables/storage.h"

enum {
    API_CL,
    API_VK,
    API_N
};
static const char *const api_names[API_N] = {"opencl", "vulkan"};
static const char *const api_prefix[API_N] = {"CL", "VK"};

/* Part of a need's name for a storage class (NULL: the API has none), and a need of its own. */
static const struct {
    const char *name;
    const char *part[API_N];
    const char *need[API_N];
} storages[] = {
    {"global",    {"GLOBAL", "BUFFER"}, {"", ""}            },
    {"workgroup", {"LOCAL", "SHARED"},  {"", ""}            },
    {"generic",   {"GLOBAL", NULL},     {"GENERIC", ""}     },
    {"physical",  {NULL, "BUFFER"},     {"", "PHYSICAL"}    },
    {"image",     {NULL, "IMAGE"},      {"", "IMAGE"}       },
    {"texel",     {NULL, "IMAGE"},      {"", "TEXEL_BUFFER"}},
    {"-",         {"", ""},             {"", ""}            },
};

static const struct {
    const char *op, *kind;
} float_atomics[] = {
    {"AtomicLoad",     "LS"    },
    {"AtomicStore",    "LS"    },
    {"AtomicExchange", "LS"    },
    {"AtomicFAddEXT",  "ADD"   },
    {"AtomicFMinEXT",  "MINMAX"},
    {"AtomicFMaxEXT",  "MINMAX"},
};
static const char *const float_types[] = {"f16", "f32", "f64"};

/* Those with a form on vectors, its types, and where it works: in Vulkan, one feature for all of it. */
static const char *const vector_atomics[] = {"AtomicExchange", "AtomicFAddEXT", "AtomicFMinEXT",
                                             "AtomicFMaxEXT"};
static const char *const vector_types[] = {"f16x2", "f16x4"};
static const char *const vector_storages[] = {"global", "workgroup", "physical", "image", "texel"};

static bool lists_name(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool meets_vector_storage(const char *facts, bool is_pair, const char *storage)
{
    if (strcmp(storage, "image") == 0) {
        return facts_meet(facts, is_pair ? NEED_VK_RG16F_IMAGE : NEED_VK_RGBA16F_IMAGE);
    }
    if (strcmp(storage, "texel") == 0) {
        return is_pair ? facts_meet(facts, NEED_VK_RG16F_TEXEL) &&
                             facts_meet(facts, NEED_VK_RG16F_FORMAT)
                       : facts_meet(facts, NEED_VK_RGBA16F_TEXEL);
    }
    return strcmp(storage, "physical") != 0 || facts_meet(facts, NEED_VK_PHYSICAL);
}

static enum support support_of_vector(const char *facts, int api, const char *op, const char *type,
                                      const char *storage)
{
    bool const exists = lists_name(vector_atomics, ARRAY_N(vector_atomics), op) &&
                        lists_name(vector_storages, ARRAY_N(vector_storages), storage);
    if (api != API_VK || !exists) {
        return SUPPORT_NEVER;
    }
    bool const is_listed = facts_meet(facts, NEED_VK_F16) &&
                           facts_meet(facts, NEED_VK_F16_VECTORS) &&
                           meets_vector_storage(facts, strcmp(type, vector_types[0]) == 0, storage);
    return is_listed ? SUPPORT_YES : SUPPORT_NOT;
}

/* The need PREFIX_A_B_C, empty parts left out; a name that caps.def lacks is no need: met. */
static int meets_named(const char *facts, const char *const part[4])
{
    char name[64] = "";
    for (int i = 0; i < 4; i++) {
        size_t const n = strlen(name);
        if (part[i][0]) {
            (void)snprintf(name + n, sizeof(name) - n, "%s%s", n ? "_" : "", part[i]);
        }
    }
    int const need = need_find(name);
    return need < 0 || facts_meet(facts, (enum need_id)need);
}

static const char *kind_of(const char *op)
{
    for (size_t i = 0; i < ARRAY_N(float_atomics); i++) {
        if (strcmp(op, float_atomics[i].op) == 0) {
            return float_atomics[i].kind;
        }
    }
    return "";
}

/* Are all needs of the type met, and those of the atomic on it? They are found by their names, which are made
 * of parts: the prefix of the API, the type in capitals, then of a float the storage class and the kind of
 * atomic, and that it is atomic at all; of an integer the storage class, in Vulkan alone, and ATOMICS. */
static int meets_all(const char *facts, int api, const char *op, const char *type,
                     const char *storage_part)
{
    const char *const prefix = api_prefix[api];
    char upper[8] = "";
    for (size_t i = 0; type[i] && i + 1 < sizeof upper; i++) {
        upper[i] = type[i] >= 'a' && type[i] <= 'z' ? (char)(type[i] - 'a' + 'A') : type[i];
        upper[i + 1] = '\0';
    }
    const char *const of_type[4] = {prefix, upper, "", ""};
    const char *const of_float[4] = {prefix, upper, storage_part, kind_of(op)};
    const char *const of_bits[4] = {prefix, upper, "ATOMIC", kind_of(op)};
    const char *const of_integer[4] = {prefix, upper, api == API_VK ? storage_part : "", "ATOMICS"};
    if (!meets_named(facts, of_type)) {
        return 0;
    }
    if (!op_is_atomic(op)) {
        return 1;
    }
    if (type[0] == 'f') {
        return meets_named(facts, of_float) && meets_named(facts, of_bits);
    }
    return meets_named(facts, of_integer);
}

/* ---- group instructions ---- */

/* Scopes and operations of a family: bits of enum storage. */
#define BIT(place) (1u << (place))
#define SG         BIT(STORAGE_SUBGROUP)
#define SG_SCANS                                                                                   \
    (BIT(STORAGE_SUBGROUP_REDUCE) | BIT(STORAGE_SUBGROUP_INCLUSIVE) |                              \
     BIT(STORAGE_SUBGROUP_EXCLUSIVE))
#define SG_CLUSTER BIT(STORAGE_SUBGROUP_CLUSTERED)
#define SG_SPECIAL (SG_CLUSTER | BIT(STORAGE_SUBGROUP_PARTITIONED))
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

enum {
    GROUP_ALL = 261, /* the first and the last of the older instructions, of either scope */
    GROUP_SMAX = 271,
    GROUP_IMUL_KHR = 6401, /* begins the family that work-groups alone have */
    FIRST_OF_VENDORS = 5000
};

/* Does the API have it at all? Those of the work-group have 32 and 64 bits, or f16. Of the places of group
 * instructions, those of the work-group begin at STORAGE_GROUP. */
static int exists(const struct family *f, int api, int op, int type, unsigned place)
{
    bool const is_vk = api == API_VK;
    unsigned const bit = types[type].bit;
    int const is_uniform = f->first <= GROUP_SMAX;
    return ((is_vk ? f->vk_places : f->cl_places) & BIT(place)) &&
           ((is_vk ? f->vk_types : f->cl_types) & bit) && (op_rows[op].types & bit) &&
           !((bit & SMALL) && is_uniform && place >= STORAGE_GROUP);
}

static int meets_cl(const struct family *f, const char *facts, int type, unsigned place)
{
    int const is_workgroup = place >= STORAGE_GROUP;
    if (f->first >= GROUP_ALL && f->first <= GROUP_SMAX) {
        return meets(facts, is_workgroup ? NEED_CL_WG_COLLECTIVES : NEED_CL_SUBGROUPS) &&
               (!(types[type].bit & SMALL) || meets(facts, NEED_CL_SG_EXTENDED_TYPES));
    }
    if (f->first == GROUP_IMUL_KHR) {
        return meets(facts, NEED_CL_WG_COLLECTIVES);
    }
    if (f->first >= FIRST_OF_VENDORS) { /* need no more than the need of their family */
        return 1;
    }
    return meets(facts, NEED_CL_IL_1_3); /* OpGroupNonUniform... came with SPIR-V 1.3 */
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
    if (place == STORAGE_SUBGROUP_PARTITIONED) {
        return (int)NEED_VK_SG_PARTITIONED;
    }
    return is_vk ? f->vk_need : f->cl_need;
}

/* What support_of answers for one; is_vk: of Vulkan, else of OpenCL. */
static enum support of_group(const char *facts, int is_vk, const char *op, const char *type,
                             const char *storage)
{
    const struct family *const f = find_family(op);
    int const row = op_find_name(op);
    int const t = find_type(type);
    unsigned const place = (unsigned)find_place(storage);
    if (!f || t < 0 || !exists(f, is_vk ? API_VK : API_CL, row, t, place)) {
        return SUPPORT_NEVER;
    }
    return meets(facts, family_need(f, is_vk, place)) &&
                   meets(facts, is_vk ? types[t].vk_need : types[t].cl_need) &&
                   (is_vk ? meets_vk(facts, t) : meets_cl(f, facts, t, place))
               ? SUPPORT_YES
               : SUPPORT_NOT;
}

/* ---- any instruction ---- */

/* API_CL or API_VK; API_N where the facts name neither. */
static int find_api(const char *facts)
{
    char name[16] = "";
    int api = 0;
    (void)facts_get(facts, "api", name, sizeof name);
    while (api < API_N && strcmp(name, api_names[api]) != 0) {
        api++;
    }
    return api;
}

/* Does the target list this instruction on this type, in this storage class or with this scope and operation?
 * SUPPORT_NEVER: its API has no such thing. SUPPORT_UNKNOWN: its API is none that we know, or the storage class is
 * not. An instruction on a scalar needs what its storage class needs (column `need` of storages[], such as
 * "CL_GENERIC") and what the atomic needs on that type there (meets_all). */
enum support support_of(const char *facts, const char *op, const char *type, const char *storage)
{
    int const api = find_api(facts);
    if (api == API_N) {
        return SUPPORT_UNKNOWN;
    }
    if (support_is_group(op)) {
        return of_group(facts, api == API_VK, op, type, storage);
    }
    if (lists_name(vector_types, ARRAY_N(vector_types), type)) {
        return support_of_vector(facts, api, op, type, storage);
    }
    for (size_t i = 0; i < ARRAY_N(storages); i++) {
        if (strcmp(storages[i].name, storage) == 0) {
            /* Parts of the need's name; meets_named takes four, and leaves out those that are "". */
            const char *const need_name[4] = {api_prefix[api], storages[i].need[api], "", ""};
            if (!storages[i].part[api]) {
                return SUPPORT_NEVER;
            }
            return meets_named(facts, need_name) &&
                           meets_all(facts, api, op, type, storages[i].part[api])
                       ? SUPPORT_YES
                       : SUPPORT_NOT;
        }
    }
    return SUPPORT_UNKNOWN;
}

/* Row i is taken apart into operation (fastest), type and storage class. The first N_SCALARS rows are those on
 * scalars: every type in the first N_STORAGES storage classes, then f32 alone in those of images. Rows on vectors
 * follow. */
struct support_row support_get_row(uint32_t i)
{
    enum {
        N_OPS = ARRAY_N(float_atomics),
        N_TYPES = ARRAY_N(float_types),
        N_STORAGES = 4, /* of storages[], the first: they have all types */
        N_IMAGES = 2,   /* behind these, image and texel: their only format is R32f */
        N_SCALARS = N_OPS * (N_TYPES * N_STORAGES + N_IMAGES), /* rows */
        N_VECTOR_OPS = ARRAY_N(vector_atomics),
        N_VECTOR_TYPES = ARRAY_N(vector_types)
    };
    if (i >= N_SCALARS) {
        uint32_t const at = i - N_SCALARS;
        return (struct support_row){vector_atomics[at % N_VECTOR_OPS],
                                    vector_types[at / N_VECTOR_OPS % N_VECTOR_TYPES],
                                    vector_storages[at / N_VECTOR_OPS / N_VECTOR_TYPES]};
    }
    const char *const op = float_atomics[i % N_OPS].op;
    uint32_t const place = i / N_OPS;
    if (place < N_TYPES * N_STORAGES) {
        return (struct support_row){op, float_types[place % N_TYPES],
                                    storages[place / N_TYPES].name};
    }
    return (struct support_row){op, "f32",
                                storages[N_STORAGES + place - N_TYPES * N_STORAGES].name};
}

/* List the group instructions with each storage (scope and operation) and type that either API has. Returns how
 * many there are, and stores as many as there is room for. */
uint32_t support_list_groups(struct support_row *rows, uint32_t n_rows)
{
    uint32_t n = 0;
    for (int op = 0; op < OP_N; op++) {
        const struct family *const f = find_family(op_rows[op].name);
        for (unsigned place = 0; f && place < STORAGE_N; place++) {
            for (size_t t = 0; t < ARRAY_N(types); t++) {
                bool const is_in_cl = exists(f, API_CL, op, (int)t, place) != 0;
                bool const is_in_vk = exists(f, API_VK, op, (int)t, place) != 0;
                if (!is_in_cl && !is_in_vk) {
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
