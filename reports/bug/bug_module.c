/* reports/bug/bug_module.c -- what the words of a bug's module tell by themselves. */
#include "reports/bug/bug_module.h"

#include <inttypes.h>
#include <string.h>

#include "base/ops.h"
#include "base/spv.h"
#include "base/testcase.h"

enum {
    RESULT_TYPE = 1, /* words */
    OPERANDS = 3,
    EXT_NUMBER = 4,
    EXT_OPERANDS
};

/* ---- the sole instruction ---- */

/* Does it no more than to fetch an operand, to leave a result, or to frame a function? */
static bool is_frame(uint32_t op)
{
    static const uint16_t frame[] = {
        SpvOpLine,
        SpvOpNoLine,
        SpvOpFunction,
        SpvOpFunctionParameter,
        SpvOpFunctionEnd,
        SpvOpFunctionCall,
        SpvOpVariable,
        SpvOpLoad,
        SpvOpStore,
        SpvOpAccessChain,
        SpvOpInBoundsAccessChain,
        SpvOpPtrAccessChain,
        SpvOpInBoundsPtrAccessChain,
        SpvOpCompositeConstruct,
        SpvOpCompositeExtract,
        SpvOpCopyObject,
        SpvOpBitcast,
        SpvOpUConvert,
        SpvOpSConvert,
        SpvOpUndef,
        SpvOpLabel,
        SpvOpBranch,
        SpvOpReturn,
        SpvOpReturnValue,
    };
    for (size_t i = 0; i < ARRAY_N(frame); i++) {
        if (frame[i] == op) {
            return true;
        }
    }
    return false;
}

/* "f16", "v4 i32", "bool"; "" of another type. */
static const char *name_type(const struct spv_index *ids, uint32_t id, struct arena *a)
{
    struct spv_inst const type = spv_index_find(ids, id);
    if (type.op == SpvOpTypeVector) {
        uint32_t const component = spv_get_word(&type, 2);
        bool const is_nested = spv_index_find(ids, component).op == SpvOpTypeVector;
        return arena_printf(a, "v%" PRIu32 " %s", spv_get_word(&type, 3),
                            is_nested ? "" : name_type(ids, component, a));
    }
    return type.op == SpvOpTypeBool    ? "bool"
           : type.op == SpvOpTypeInt   ? arena_printf(a, "i%" PRIu32, spv_get_word(&type, 2))
           : type.op == SpvOpTypeFloat ? arena_printf(a, "f%" PRIu32, spv_get_word(&type, 2))
                                       : "";
}

static uint32_t number_of(const struct spv_inst *in, const char *name)
{
    /* the set is that of the environment: a name is in one of them */
    int const row = op_find_name(name);
    uint32_t const set = row < 0 ? OP_SET_core : op_rows[row].number >> 16;
    return in->op == SpvOpExtInst && in->n > EXT_NUMBER ? OP_NUMBER(set, in->w[EXT_NUMBER])
                                                        : in->op;
}

const char *bug_find_sole(const struct testcase *tc, struct arena *a)
{
    struct spv_index ids;
    uint32_t at = SPV_HEADER_WORDS, n_found = 0;
    bool is_in_function = false, is_typed = false;
    struct spv_inst in, sole = {.op = SpvOpNop};
    if (!spv_index_make(&ids, tc->module, tc->n_words, a)) {
        return "";
    }
    /* A second one settles that it is not the only one. */
    while (n_found < 2 && spv_next(tc->module, tc->n_words, &at, &in)) {
        is_in_function |= in.op == SpvOpFunction;
        if (is_in_function && !is_frame(in.op)) {
            n_found++;
            sole = in;
        }
    }
    int const row = n_found == 1 ? op_find_number(sole.op) : -1;
    if (row < 0) {
        return "";
    }
    bool const has_result = spv_find_result(&sole, &is_typed) != 0 && is_typed;
    const char *const type = has_result ? name_type(&ids, sole.w[RESULT_TYPE], a) : "";
    return arena_printf(a, "Op%s%s%s%s", op_rows[row].name, type[0] ? " (" : "", type,
                        type[0] ? ")" : "");
}

/* ---- what is loaded ---- */

enum {
    MAX_NESTED = 8 /* arrays in arrays, or chains on chains: broken words may have no end of them */
};

/* "bool[2]" of an array, else as name_type. */
static const char *name_array(const struct spv_index *ids, uint32_t id, int depth, struct arena *a)
{
    struct spv_inst const type = spv_index_find(ids, id);
    if (type.op != SpvOpTypeArray) {
        return name_type(ids, id, a);
    }
    struct spv_inst const length = spv_index_find(ids, spv_get_word(&type, 3));
    const char *const of = depth > 0 ? name_array(ids, spv_get_word(&type, 2), depth - 1, a) : "";
    return of[0] ? arena_printf(a, "%s[%" PRIu32 "]", of, spv_get_word(&length, 3)) : "";
}

/* The variable behind a pointer, as deep as chains go; another instruction: it is not known. */
static struct spv_inst find_variable(const struct spv_index *ids, uint32_t pointer)
{
    struct spv_inst in = spv_index_find(ids, pointer);
    for (int i = 0;
         i < MAX_NESTED && (in.op == SpvOpAccessChain || in.op == SpvOpInBoundsAccessChain ||
                            in.op == SpvOpPtrAccessChain || in.op == SpvOpInBoundsPtrAccessChain);
         i++) {
        in = spv_index_find(ids, spv_get_word(&in, OPERANDS));
    }
    return in;
}

/* "a private bool[2]" of a load from a variable of the invocation or of its group; "" of another. */
static const char *describe_load(const struct spv_index *ids, const struct spv_inst *load,
                                 struct arena *a)
{
    struct spv_inst const variable = find_variable(ids, spv_get_word(load, OPERANDS));
    struct spv_inst const pointer = spv_index_find(ids, spv_get_word(&variable, RESULT_TYPE));
    uint32_t const storage = spv_get_word(&variable, OPERANDS);
    const char *const place = storage == SpvStorageClassFunction    ? "private"
                              : storage == SpvStorageClassPrivate   ? "private"
                              : storage == SpvStorageClassWorkgroup ? "work-group"
                                                                    : "";
    const char *const type = name_array(ids, spv_get_word(&pointer, 3), MAX_NESTED, a);
    return variable.op == SpvOpVariable && place[0] && type[0]
               ? arena_printf(a, "a %s %s", place, type)
               : "";
}

const char *bug_describe_loaded(const struct testcase *tc, uint32_t offset, struct arena *a)
{
    struct spv_index ids;
    uint32_t at = SPV_HEADER_WORDS;
    const char *found = "";
    struct spv_inst in;
    if (!spv_index_make(&ids, tc->module, tc->n_words, a)) {
        return "";
    }
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        bool const is_meant = in.op == SpvOpLoad && (offset == 0 || in.offset == offset);
        const char *const text = is_meant ? describe_load(&ids, &in, a) : "";
        if (text[0] && found[0] && strcmp(text, found) != 0) {
            return "";
        }
        found = text[0] ? text : found;
    }
    return found;
}

/* Is it an instruction over a group, whose result depends on other work-items? */
static bool is_group_op(const struct spv_inst *in)
{
    int const row = op_find_number(in->op);
    return row >= 0 && strncmp(op_rows[row].name, "Group", 5) == 0;
}

/* The load or the group instruction that gives one of the operands, at most `depth` conversions or selections away; OpNop:
 * none does. */
static struct spv_inst find_source(const struct spv_index *ids, const struct spv_inst *in,
                                   int depth)
{
    struct spv_inst found = {.op = SpvOpNop};
    uint32_t const first = in->op == SpvOpExtInst ? EXT_OPERANDS : OPERANDS;
    for (uint32_t k = first; k < in->n && k < first + MAX_NESTED && found.op == SpvOpNop; k++) {
        struct spv_inst const made_by = spv_index_find(ids, in->w[k]);
        bool const is_passed = made_by.op == SpvOpSelect || made_by.op == SpvOpBitcast ||
                               made_by.op == SpvOpUConvert || made_by.op == SpvOpSConvert ||
                               made_by.op == SpvOpFConvert;
        if (made_by.op == SpvOpLoad || is_group_op(&made_by)) {
            found = made_by;
        } else if (is_passed && depth > 0) {
            found = find_source(ids, &made_by, depth - 1);
        }
    }
    return found;
}

/* The load or the group instruction that may be wrong in place of the one at that offset; OpNop: none, or the module is not
 * small. */
static struct spv_inst find_suspect(const struct testcase *tc, const struct spv_index *ids,
                                    uint32_t offset)
{
    enum {
        MAX_SMALL = 64, /* instructions of functions */
        MAX_DEPTH = 2
    };
    struct spv_inst in, accused = {.op = SpvOpNop};
    uint32_t at = SPV_HEADER_WORDS, n = 0;
    bool is_in_function = false;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        is_in_function |= in.op == SpvOpFunction;
        n += is_in_function;
        accused = in.offset == offset ? in : accused;
    }
    return n <= MAX_SMALL ? find_source(ids, &accused, MAX_DEPTH)
                          : (struct spv_inst){.op = SpvOpNop};
}

const char *bug_describe_source(const struct testcase *tc, uint32_t offset, struct arena *a)
{
    struct spv_index ids;
    if (!offset || !spv_index_make(&ids, tc->module, tc->n_words, a)) {
        return "";
    }
    struct spv_inst const source = find_suspect(tc, &ids, offset);
    if (is_group_op(&source)) {
        return arena_printf(a, "Op%s", op_rows[op_find_number(source.op)].name);
    }
    const char *const loaded = source.op == SpvOpLoad ? describe_load(&ids, &source, a) : "";
    return loaded[0] ? arena_printf(a, "a load of %s", loaded) : "";
}

bool bug_is_of_load(const struct testcase *tc, uint32_t offset, struct arena *a)
{
    struct spv_index ids;
    if (!offset || !spv_index_make(&ids, tc->module, tc->n_words, a)) {
        return false;
    }
    struct spv_inst const source = find_suspect(tc, &ids, offset);
    return source.op == SpvOpLoad && describe_load(&ids, &source, a)[0];
}

/* ---- constants ---- */

static bool is_constant(uint32_t op)
{
    return (op >= SpvOpConstantTrue && op <= SpvOpConstantNull) || op == SpvOpUndef;
}

bool bug_is_of_constants(const struct testcase *tc, const char *op, struct arena *a)
{
    int const row = op_find_name(op);
    struct spv_index ids;
    uint32_t at = SPV_HEADER_WORDS, n_constant = 0;
    struct spv_inst in;
    if (row < 0 || !spv_index_make(&ids, tc->module, tc->n_words, a)) {
        return false;
    }
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        bool const is_meant = number_of(&in, op) == op_rows[row].number;
        uint32_t const first = in.op == SpvOpExtInst ? EXT_OPERANDS : OPERANDS;
        for (uint32_t k = first; is_meant && k < in.n; k++) {
            uint32_t const made_by = spv_index_find(&ids, in.w[k]).op;
            if (made_by >= SpvOpFunctionParameter) { /* a parameter, a variable or code */
                return false;
            }
            n_constant += is_constant(made_by) && in.w[k] < ids.n_ids;
        }
    }
    return n_constant > 0;
}

/* ---- results that nothing uses ---- */

/* Does a word behind an instruction's result, and behind its type, have that value? A literal may have it too: then a result
 * counts as used. */
static bool is_used(const struct testcase *tc, uint32_t id, uint32_t by)
{
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        bool const is_debug = in.op == SpvOpName || in.op == SpvOpDecorate;
        for (uint32_t k = 1; k < in.n && in.offset != by && !is_debug; k++) {
            if (in.w[k] == id) {
                return true;
            }
        }
    }
    return false;
}

const char *bug_list_unused(const struct testcase *tc, struct arena *a)
{
    enum {
        MAX_LISTED = 4
    };
    uint32_t at = SPV_HEADER_WORDS, n = 0;
    const char *all = "";
    bool is_in_function = false;
    struct spv_inst in;
    while (n < MAX_LISTED && spv_next(tc->module, tc->n_words, &at, &in)) {
        bool is_typed = false;
        is_in_function |= in.op == SpvOpFunction;
        uint32_t const id = spv_get_word(&in, spv_find_result(&in, &is_typed));
        int const row = op_find_number(in.op);
        bool const is_listed =
            is_in_function && !is_frame(in.op) && id != 0 && is_typed && row >= 0;
        const char *const name = is_listed ? arena_printf(a, "Op%s", op_rows[row].name) : "";
        if (is_listed && !strstr(all, name) && !is_used(tc, id, in.offset)) {
            all = arena_printf(a, "%s%s%s", all, all[0] ? ", " : "", name);
            n++;
        }
    }
    return all;
}
