/* fuzz/io/spirv_names.c -- names for a module's parts, for its text. */
#include "fuzz/io/spirv_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/spv.h"

enum {
    MAX_NAME = 24,
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

/* What was named before. */
struct names {
    uint32_t entry; /* the entry point's function */
    bool is_in_entry;
    uint32_t n_parameters, n_shared, n_functions;
};

/* Write into `name` the name that the instruction gives an id, "" for none, and return that id: a decoration names
 * its target, all else its own result. *n keeps what later instructions need: the entry point, and which function
 * they are in. In OpenCL parameter i of the entry point is the case's buffer i. */
static uint32_t find_name(const struct testcase *tc, const struct spv_inst *in, struct names *n,
                          char name[MAX_NAME])
{
    name[0] = '\0';
    if (in->op == SpvOpEntryPoint && in->n > WORD_ENTRY) {
        n->entry = in->w[WORD_ENTRY];
    } else if (in->op == SpvOpDecorate && in->n > WORD_BINDING &&
               in->w[WORD_KIND] == SpvDecorationBinding) {
        (void)snprintf(name, MAX_NAME, "buffer%" PRIu32, in->w[WORD_BINDING]);
        return in->w[WORD_TARGET];
    } else if (in->op == SpvOpVariable && in->n > WORD_STORAGE &&
               in->w[WORD_STORAGE] == SpvStorageClassWorkgroup) {
        (void)snprintf(name, MAX_NAME, "shared%" PRIu32, n->n_shared++);
    } else if (in->op == SpvOpFunction && in->n > WORD_RESULT) {
        n->is_in_entry = in->w[WORD_RESULT] == n->entry;
        n->n_parameters = 0;
        if (n->is_in_entry) {
            (void)snprintf(name, MAX_NAME, "%.20s", tc->entry);
        } else {
            (void)snprintf(name, MAX_NAME, "function%" PRIu32, ++n->n_functions);
        }
    } else if (in->op == SpvOpFunctionParameter && in->n > WORD_RESULT && n->is_in_entry &&
               tc->env == ENV_CL) {
        uint32_t const i = n->n_parameters++;
        bool const is_value = i < tc->n_bufs && !buf_is_memory(tc->bufs[i].kind);
        (void)snprintf(name, MAX_NAME, "%s%" PRIu32, is_value ? "value" : "buffer", i);
    }
    return in->n > WORD_RESULT ? in->w[WORD_RESULT] : 0;
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
    struct names names = {0};
    struct spv_inst in;
    char name[MAX_NAME];
    uint32_t offset = SPV_HEADER_WORDS;
    uint32_t first = 0; /* where names may stand: behind all instructions of is_before_names */
    bytes_init(&out, a);
    for (uint32_t at = offset; spv_next(tc->module, tc->n_words, &offset, &in); at = offset) {
        uint32_t const id = find_name(tc, &in, &names, name);
        first = first == 0 && !is_before_names(in.op) ? at : first;
        if (name[0] && id) {
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
