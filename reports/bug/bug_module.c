/* reports/bug/bug_module.c -- what the words of a bug's module tell by themselves. */
#include "reports/bug/bug_module.h"

#include <inttypes.h>

#include "base/ops.h"
#include "base/spv.h"
#include "base/testcase.h"

enum {
    MAX_IDS = 1 << 20, /* bound of a module that is looked at */
    RESULT_TYPE = 1,   /* words */
    RESULT,
    OPERANDS,
    EXT_NUMBER = 4,
    EXT_OPERANDS
};

/* What defines an id. */
enum defined {
    DEFINED_NOT,
    DEFINED_CONSTANT,
    DEFINED_IN_CODE, /* or a variable, or a parameter */
};

/* A module whose ids are known. */
struct words {
    const uint32_t *w;
    uint32_t n, bound;
    unsigned char *defined; /* [bound] enum defined */
    uint32_t *offset;       /* [bound] of what defines it */
};

static bool has_result(const struct spv_inst *in, uint32_t bound, uint32_t *result)
{
    bool is_typed = false;
    uint32_t const at = spv_find_result(in, &is_typed);
    *result = at ? in->w[at] : 0;
    return *result != 0 && *result < bound;
}

static bool is_constant(uint32_t op)
{
    return (op >= SpvOpConstantTrue && op <= SpvOpConstantNull) || op == SpvOpUndef;
}

/* False: it is no module, or there is no memory. */
static bool read_ids(const struct testcase *tc, struct arena *a, struct words *m)
{
    enum {
        BOUND = 3 /* word of the header */
    };
    uint32_t at = SPV_HEADER_WORDS;
    struct spv_inst in;
    if (!tc->module || !spv_is_module(tc->module, tc->n_words) || tc->module[BOUND] > MAX_IDS) {
        return false;
    }
    *m = (struct words){.w = tc->module, .n = tc->n_words, .bound = tc->module[BOUND]};
    m->defined = ARENA_NEW(a, unsigned char, m->bound + 1);
    m->offset = ARENA_NEW(a, uint32_t, m->bound + 1);
    while (m->defined && m->offset && spv_next(m->w, m->n, &at, &in)) {
        uint32_t id = 0;
        bool const is_code = in.op == SpvOpVariable || in.op >= SpvOpFunctionParameter;
        if (has_result(&in, m->bound, &id)) {
            m->offset[id] = in.offset;
            m->defined[id] = is_constant(in.op) ? DEFINED_CONSTANT
                             : is_code          ? DEFINED_IN_CODE
                                                : DEFINED_NOT;
        }
    }
    return m->defined && m->offset;
}

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
static const char *name_type(const struct words *m, uint32_t id, struct arena *a)
{
    const uint32_t *const w = id < m->bound && m->offset[id] ? m->w + m->offset[id] : NULL;
    uint32_t const op = w ? *w & SpvOpCodeMask : 0;
    switch (op) {
    case SpvOpTypeBool:
        return "bool";
    case SpvOpTypeInt:
        return arena_printf(a, "i%" PRIu32, w[2]);
    case SpvOpTypeFloat:
        return arena_printf(a, "f%" PRIu32, w[2]);
    case SpvOpTypeVector:
        return arena_printf(a, "v%" PRIu32 " %s", w[3], w[2] == id ? "" : name_type(m, w[2], a));
    default:
        return "";
    }
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
    struct words m;
    uint32_t at = SPV_HEADER_WORDS, n_found = 0;
    bool is_in_function = false;
    struct spv_inst in, sole = {0};
    if (!read_ids(tc, a, &m)) {
        return "";
    }
    while (n_found < 2 && spv_next(m.w, m.n, &at, &in)) {
        is_in_function |= in.op == SpvOpFunction;
        if (is_in_function && !is_frame(in.op)) {
            n_found++;
            sole = in;
        }
    }
    int const row = n_found == 1 ? op_find_number(sole.op) : -1;
    uint32_t id = 0;
    if (row < 0) {
        return "";
    }
    const char *const type =
        has_result(&sole, m.bound, &id) ? name_type(&m, sole.w[RESULT_TYPE], a) : "";
    return arena_printf(a, "Op%s%s%s%s", op_rows[row].name, type[0] ? " (" : "", type,
                        type[0] ? ")" : "");
}

/* ---- constants ---- */

bool bug_is_of_constants(const struct testcase *tc, const char *op, struct arena *a)
{
    int const row = op_find_name(op);
    struct words m;
    uint32_t at = SPV_HEADER_WORDS, n_constant = 0;
    struct spv_inst in;
    if (row < 0 || !read_ids(tc, a, &m)) {
        return false;
    }
    while (spv_next(m.w, m.n, &at, &in)) {
        bool const is_meant = number_of(&in, op) == op_rows[row].number;
        uint32_t const first = in.op == SpvOpExtInst ? EXT_OPERANDS : OPERANDS;
        for (uint32_t k = first; is_meant && k < in.n; k++) {
            uint32_t const id = in.w[k];
            if (id < m.bound && m.defined[id] == DEFINED_IN_CODE) {
                return false;
            }
            n_constant += id < m.bound && m.defined[id] == DEFINED_CONSTANT;
        }
    }
    return n_constant > 0;
}
