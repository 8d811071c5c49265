/* reports/model/support.c -- does a target list what an instruction on a type in a storage class needs? */
#include "reports/model/support.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/caps.h"
#include "reports/model/support_group.h"

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

/* The need PREFIX_A_B_C, empty parts left out; a name that caps.def lacks is no need: met. */
static int meets(const char *facts, const char *const part[4])
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

static int is_atomic(const char *op)
{
    return strncmp(op, "Atomic", 6) == 0;
}

/* All needs of the type and of the atomic on it. */
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
    if (!meets(facts, of_type)) {
        return 0;
    }
    if (!is_atomic(op)) {
        return 1;
    }
    return type[0] == 'f' ? meets(facts, of_float) && meets(facts, of_bits)
                          : meets(facts, of_integer);
}

enum support support_of(const char *facts, const char *op, const char *type, const char *storage)
{
    char name[16] = "";
    int api = 0;
    (void)facts_get(facts, "api", name, sizeof name);
    while (api < API_N && strcmp(name, api_names[api]) != 0) {
        api++;
    }
    if (api < API_N && support_is_group(op)) {
        return support_of_group(facts, api == API_VK, op, type, storage);
    }
    for (size_t i = 0; api < API_N && i < ARRAY_N(storages); i++) {
        if (strcmp(storages[i].name, storage) == 0) {
            const char *const own[4] = {api_prefix[api], storages[i].need[api], "", ""};
            if (!storages[i].part[api]) {
                return SUPPORT_NEVER;
            }
            return meets(facts, own) && meets_all(facts, api, op, type, storages[i].part[api])
                       ? SUPPORT_YES
                       : SUPPORT_NOT;
        }
    }
    return SUPPORT_UNKNOWN;
}

struct support_row support_get_row(uint32_t i)
{
    enum {
        N_OPS = ARRAY_N(float_atomics),
        N_TYPES = ARRAY_N(float_types),
        N_STORAGES = 3
    };
    const char *const op = float_atomics[i % N_OPS].op;
    uint32_t const place = i / N_OPS;
    if (place < N_TYPES * N_STORAGES) {
        return (struct support_row){op, float_types[place % N_TYPES],
                                    storages[place / N_TYPES].name};
    }
    /* images of one format, R32f */
    return (struct support_row){op, "f32",
                                storages[N_STORAGES + place - N_TYPES * N_STORAGES].name};
}
