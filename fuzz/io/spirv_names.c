/* fuzz/io/spirv_names.c -- names for a module's parts, for its text. */
#include "fuzz/io/spirv_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/ops.h"
#include "base/spv.h"
#include "fuzz/io/spirv.h"

enum {
    MAX_NAME = 40,
    WORD_SET = 3,     /* of OpExtInst: the set of instructions */
    WORD_NUMBER = 4,  /* its number in the set */
    WORD_BOUND = 3,   /* of the header: above all ids */
    WORD_ENTRY = 2,   /* of OpEntryPoint: the function */
    WORD_RESULT = 2,  /* of what has a type */
    WORD_STORAGE = 3, /* of OpVariable */
    WORD_TARGET = 1,  /* of OpDecorate */
    WORD_KIND = 2,    /* the decoration */
    WORD_BINDING = 3, /* its number */
    NAME_WORDS = 2    /* of OpName before its text */
};

/* Do instructions of that opcode come before those of OpName? */
static bool is_before_names(uint32_t op)
{
    static const uint32_t ops[] = {SpvOpCapability,      SpvOpExtension,      SpvOpExtInstImport,
                                   SpvOpMemoryModel,     SpvOpEntryPoint,     SpvOpExecutionMode,
                                   SpvOpExecutionModeId, SpvOpString,         SpvOpSource,
                                   SpvOpSourceExtension, SpvOpSourceContinued};
    for (size_t i = 0; i < ARRAY_N(ops); i++) {
        if (ops[i] == op) {
            return true;
        }
    }
    return false;
}

/* The values that a kernel computes, by the instruction that makes them. */
static const struct {
    uint32_t op;
    const char *name;
} roles[] = {
    {SpvOpFAdd,                  "sum"       },
    {SpvOpIAdd,                  "sum"       },
    {SpvOpFSub,                  "difference"},
    {SpvOpISub,                  "difference"},
    {SpvOpFMul,                  "product"   },
    {SpvOpIMul,                  "product"   },
    {SpvOpFDiv,                  "quotient"  },
    {SpvOpSDiv,                  "quotient"  },
    {SpvOpUDiv,                  "quotient"  },
    {SpvOpFRem,                  "remainder" },
    {SpvOpSRem,                  "remainder" },
    {SpvOpFMod,                  "modulus"   },
    {SpvOpSMod,                  "modulus"   },
    {SpvOpUMod,                  "modulus"   },
    {SpvOpFNegate,               "negated"   },
    {SpvOpSNegate,               "negated"   },
    {SpvOpNot,                   "inverted"  },
    {SpvOpSelect,                "selected"  },
    {SpvOpPhi,                   "merged"    },
    {SpvOpConvertFToS,           "converted" },
    {SpvOpConvertFToU,           "converted" },
    {SpvOpConvertSToF,           "converted" },
    {SpvOpConvertUToF,           "converted" },
    {SpvOpFConvert,              "converted" },
    {SpvOpCompositeConstruct,    "vector"    },
    {SpvOpConstantComposite,     "constant"  },
    {SpvOpSpecConstant,          "spec"      },
    {SpvOpSpecConstantTrue,      "spec"      },
    {SpvOpSpecConstantFalse,     "spec"      },
    {SpvOpSpecConstantComposite, "spec"      },
    {SpvOpSpecConstantOp,        "spec"      },
    {SpvOpUndef,                 "undefined" },
    {SpvOpConstantNull,          "null"      },
    {SpvOpLabel,                 "block"     },
};

/* Variables that say who an invocation is. */
static const struct {
    uint32_t builtin;
    const char *name;
} ids[] = {
    {SpvBuiltInGlobalInvocationId,        "global_id"    },
    {SpvBuiltInLocalInvocationId,         "local_id"     },
    {SpvBuiltInLocalInvocationIndex,      "local_index"  },
    {SpvBuiltInGlobalLinearId,            "global_index" },
    {SpvBuiltInWorkgroupId,               "group_id"     },
    {SpvBuiltInWorkgroupSize,             "group_size"   },
    {SpvBuiltInNumWorkgroups,             "n_groups"     },
    {SpvBuiltInSubgroupId,                "subgroup_id"  },
    {SpvBuiltInSubgroupLocalInvocationId, "subgroup_lane"},
    {SpvBuiltInSubgroupSize,              "subgroup_size"},
    {SpvBuiltInNumSubgroups,              "n_subgroups"  },
};

/* What an id is to those that use it. */
enum role {
    ROLE_NONE,
    ROLE_BUFFER, /* a pointer into the buffer of that number */
    ROLE_SHARED, /* into the variable of a work-group of that number */
    ROLE_ID,     /* the variable of a row of ids, or what is loaded of it */
    ROLE_NAMED   /* it has a name in the module */
};
struct known {
    enum role role;
    uint32_t number;
};

/* What was named before. */
struct names {
    uint32_t entry; /* the entry point's function */
    uint32_t set;   /* the environment's set of functions */
    bool is_in_entry, is_in_function;
    uint32_t n_parameters, n_shared, n_functions;
    uint32_t n_ids;
    struct known *known; /* [n_ids] */
};

static void know(struct names *n, uint32_t id, enum role role, uint32_t number)
{
    if (id < n->n_ids) {
        n->known[id] = (struct known){role, number};
    }
}

static struct known recall(const struct names *n, uint32_t id)
{
    return id < n->n_ids ? n->known[id] : (struct known){ROLE_NONE, 0};
}

/* The name of a decorated variable: the buffer of a binding, or an id. */
static uint32_t find_decorated(const struct spv_inst *in, struct names *n, char name[MAX_NAME])
{
    uint32_t const kind = in->n > WORD_BINDING ? in->w[WORD_KIND] : 0;
    uint32_t const target = in->n > WORD_BINDING ? in->w[WORD_TARGET] : 0;
    if (kind == SpvDecorationBinding) {
        know(n, target, ROLE_BUFFER, in->w[WORD_BINDING]);
        (void)snprintf(name, MAX_NAME, "buffer%" PRIu32, in->w[WORD_BINDING]);
    }
    for (uint32_t i = 0; kind == SpvDecorationBuiltIn && i < ARRAY_N(ids); i++) {
        if (ids[i].builtin == in->w[WORD_BINDING]) {
            know(n, target, ROLE_ID, i);
        }
    }
    return target;
}

/* The name of a function or of its parameter: in OpenCL parameter i of the entry point is the case's buffer i. */
static uint32_t find_function(const struct testcase *tc, const struct spv_inst *in, struct names *n,
                              char name[MAX_NAME])
{
    uint32_t const id = in->w[WORD_RESULT];
    if (in->op == SpvOpFunction) {
        n->is_in_function = true;
        n->is_in_entry = id == n->entry;
        n->n_parameters = 0;
        if (n->is_in_entry) {
            (void)snprintf(name, MAX_NAME, "%.20s", tc->entry);
        } else {
            (void)snprintf(name, MAX_NAME, "function%" PRIu32, ++n->n_functions);
        }
        return id;
    }
    uint32_t const i = n->n_parameters++;
    if (n->is_in_entry && tc->env == ENV_CL) {
        bool const is_value = i < tc->n_bufs && !buf_is_memory(tc->bufs[i].kind);
        know(n, id, is_value ? ROLE_NONE : ROLE_BUFFER, i);
        (void)snprintf(name, MAX_NAME, "%s%" PRIu32, is_value ? "value" : "buffer", i);
    } else if (!n->is_in_entry) {
        (void)snprintf(name, MAX_NAME, "parameter%" PRIu32, i);
    }
    return id;
}

/* The name of a value by what it is made of: a pointer into a buffer, what is loaded through one, a component of an id. */
static void find_value(const struct spv_inst *in, struct names *n, char name[MAX_NAME])
{
    static const char *const pointers[] = {[ROLE_BUFFER] = "at", [ROLE_SHARED] = "at_shared"};
    static const char *const loaded[] = {[ROLE_BUFFER] = "in", [ROLE_SHARED] = "from_shared"};
    uint32_t const id = in->w[WORD_RESULT];
    struct known const of = recall(n, in->n > WORD_RESULT + 1 ? in->w[WORD_RESULT + 1] : 0);
    bool const is_pointer = of.role == ROLE_BUFFER || of.role == ROLE_SHARED;
    switch (in->op) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpGenericCastToPtr:
    case SpvOpPtrCastToGeneric:
        if (is_pointer) {
            know(n, id, of.role, of.number);
            (void)snprintf(name, MAX_NAME, "%s%" PRIu32, pointers[of.role], of.number);
        }
        return;
    case SpvOpLoad:
    case SpvOpAtomicLoad:
        if (is_pointer) {
            (void)snprintf(name, MAX_NAME, "%s%" PRIu32, loaded[of.role], of.number);
        } else if (of.role == ROLE_ID) {
            know(n, id, ROLE_ID, of.number);
            (void)snprintf(name, MAX_NAME, "%s", ids[of.number].name);
        }
        return;
    case SpvOpCompositeExtract:
        if (of.role == ROLE_ID && in->n > WORD_RESULT + 2) {
            (void)snprintf(name, MAX_NAME, "%s_%c", ids[of.number].name,
                           "xyzw"[in->w[WORD_RESULT + 2] & 3]);
        }
        return;
    default:
        return;
    }
}

/* "group_non_uniform_fadd" of GroupNonUniformFAdd, "atomic_fadd" of AtomicFAddEXT: a word begins at a capital letter behind a
 * small one; capitals at the end name who made the extension. */
static void put_snake(const char *camel, char name[MAX_NAME])
{
    size_t n = 0;
    size_t n_left = strlen(camel);
    while (n_left > 2 && isupper((unsigned char)camel[n_left - 1])) {
        n_left--;
    }
    bool was_small = false;
    for (; n_left > 0 && n + 2 < MAX_NAME; camel++, n_left--) {
        bool const is_capital = isupper((unsigned char)*camel);
        if (is_capital && was_small) {
            name[n++] = '_';
        }
        name[n++] = (char)tolower((unsigned char)*camel);
        was_small = !is_capital;
    }
    name[n] = '\0';
}

/* The name of a value by the instruction that makes it. SPIRV-Tools name types and plain constants themselves. */
static void find_made(const struct testcase *tc, const struct spv_inst *in, const struct names *n,
                      char name[MAX_NAME])
{
    for (size_t i = 0; i < ARRAY_N(roles); i++) {
        if (roles[i].op == in->op) {
            (void)snprintf(name, MAX_NAME, "%s", roles[i].name);
            return;
        }
    }
    bool const is_extended = in->op == SpvOpExtInst && in->n > WORD_NUMBER;
    uint32_t const set = tc->env == ENV_VK ? OP_SET_glsl450 : OP_SET_opencl_std;
    if (is_extended && in->w[WORD_SET] == n->set) {
        int const row = op_find_number(OP_NUMBER(set, in->w[WORD_NUMBER]));
        put_snake(row >= 0 ? op_rows[row].name : "function", name);
    } else if (in->op > SpvOpFunctionEnd) {
        put_snake(spirv_get_name(in->op), name);
    }
}

/* The name of a variable that has no decoration. */
static void find_variable(const struct spv_inst *in, struct names *n, char name[MAX_NAME])
{
    uint32_t const storage = spv_get_word(in, WORD_STORAGE);
    if (storage == SpvStorageClassWorkgroup) {
        know(n, in->w[WORD_RESULT], ROLE_SHARED, n->n_shared);
        (void)snprintf(name, MAX_NAME, "shared%" PRIu32, n->n_shared++);
    } else if (storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate) {
        (void)snprintf(name, MAX_NAME, "%s",
                       storage == SpvStorageClassFunction ? "local" : "private");
    }
}

/* Write into `name` the name that the instruction gives an id, "" for none, and return that id: a decoration names
 * its target, all else its own result. *n keeps what later instructions need: the entry point, which function they are in,
 * and what ids are. */
static uint32_t find_name(const struct testcase *tc, const struct spv_inst *in, struct names *n,
                          char name[MAX_NAME])
{
    bool has_type = false;
    uint32_t const word = spv_find_result(in, &has_type);
    uint32_t const id = word ? in->w[word] : 0;
    name[0] = '\0';
    if (in->op == SpvOpName) {
        know(n, spv_get_word(in, WORD_TARGET), ROLE_NAMED, 0);
    } else if (in->op == SpvOpEntryPoint && in->n > WORD_ENTRY) {
        n->entry = in->w[WORD_ENTRY];
    } else if (in->op == SpvOpExtInstImport && in->n > WORD_RESULT &&
               (memcmp(&in->w[WORD_RESULT], "GLSL", 4) == 0 ||
                memcmp(&in->w[WORD_RESULT], "Open", 4) == 0)) {
        n->set = id;
    } else if (in->op == SpvOpDecorate) {
        return find_decorated(in, n, name);
    } else if (in->op == SpvOpVariable && id) {
        find_variable(in, n, name);
    } else if ((in->op == SpvOpFunction || in->op == SpvOpFunctionParameter) && id) {
        return find_function(tc, in, n, name);
    } else if (id && (has_type || in->op == SpvOpLabel)) {
        if (has_type) {
            find_value(in, n, name);
        }
        if (!name[0]) {
            find_made(tc, in, n, name);
        }
    }
    return id;
}

static void put_name(uint32_t id, const char *name, struct bytes *out)
{
    uint32_t const n_text = (uint32_t)strlen(name) / 4 + 1; /* with its zero */
    bytes_put_u32(out, (NAME_WORDS + n_text) << 16 | SpvOpName);
    bytes_put_u32(out, id);
    for (uint32_t i = 0; i < n_text; i++) {
        uint32_t word = 0;
        for (uint32_t k = 0; k < 4 && 4 * i + k < strlen(name); k++) {
            word |= (uint32_t)(unsigned char)name[4 * i + k] << 8 * k;
        }
        bytes_put_u32(out, word);
    }
}

bool spirv_add_names(const struct testcase *tc, struct arena *a, const uint32_t **words,
                     uint32_t *n_words, uint32_t *n_added)
{
    struct bytes out;
    struct names names = {.n_ids = tc->n_words > WORD_BOUND ? tc->module[WORD_BOUND] : 0};
    struct spv_inst in;
    char name[MAX_NAME];
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t first = 0; /* where names may stand: behind all instructions of is_before_names */
    bytes_init(&out, a);
    names.n_ids = names.n_ids < SPV_MAX_IDS ? names.n_ids : 0;
    names.known = ARENA_NEW(a, struct known, names.n_ids + 1);
    if (!names.known) {
        return false;
    }
    memset(names.known, 0, (names.n_ids + 1) * sizeof *names.known);
    for (uint32_t at = offset; spv_next(tc->module, tc->n_words, &offset, &in); at = offset) {
        uint32_t const id = find_name(tc, &in, &names, name);
        bool const has_name = recall(&names, id).role == ROLE_NAMED;
        first = first == 0 && !is_before_names(in.op) ? at : first;
        if (name[0] && id && !has_name) {
            put_name(id, name, &out);
        }
    }
    *n_added = (uint32_t)(out.n / sizeof(uint32_t));
    *n_words = tc->n_words + *n_added;
    uint32_t *const copy = ARENA_NEW(a, uint32_t, *n_words);
    if (!copy || !out.ok || first == 0) { /* first == 0: there is no place for names */
        return false;
    }
    memcpy(copy, tc->module, first * sizeof *copy);
    for (uint32_t i = 0; i < *n_added; i++) {
        copy[first + i] = (uint32_t)load_le(out.p + sizeof(uint32_t) * i, sizeof(uint32_t));
    }
    memcpy(copy + first + *n_added, tc->module + first, (tc->n_words - first) * sizeof *copy);
    *words = copy;
    return true;
}
