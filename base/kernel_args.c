/* base/kernel_args.c -- what a kernel of OpenCL is to be given as arguments. */
#include "base/kernel_args.h"

#include <string.h>

#include "base/spv.h"

enum {
    ID_OF_TYPE = 1, /* words of a type */
    POINTER_STORAGE = 2,
    ID_OF_RESULT = 2, /* of a function or parameter, behind its type */
    ENTRY_MODEL = 1,
    ENTRY_ID = 2,
    ENTRY_NAME = 3,
    NAME_ID = 1,
    NAME_TEXT = 2
};

/* The string in the words of an instruction from word `first` on; "" where it does not end in it. */
static const char *take_string(const struct spv_inst *in, uint32_t first, struct arena *a)
{
    uint32_t const n_bytes = in->n > first ? (in->n - first) * (uint32_t)sizeof(uint32_t) : 0;
    char *const text = n_bytes > 0 ? arena_copy(a, &in->w[first], n_bytes) : NULL;
    return text && memchr(text, '\0', n_bytes) ? text : "";
}

/* The function of the case's entry point; 0: there is none. */
static uint32_t find_kernel(const struct testcase *tc, struct arena *a)
{
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        if (in.op == SpvOpEntryPoint && in.n > ENTRY_NAME &&
            in.w[ENTRY_MODEL] == SpvExecutionModelKernel &&
            strcmp(take_string(&in, ENTRY_NAME, a), tc->entry) == 0) {
            return in.w[ENTRY_ID];
        }
    }
    return 0;
}

static bool find_type(const struct testcase *tc, uint32_t id, struct spv_inst *out)
{
    uint32_t at = SPV_HEADER_WORDS;
    while (spv_next(tc->module, tc->n_words, &at, out)) {
        if (out->op >= SpvOpTypeVoid && out->op <= SpvOpTypeForwardPointer && out->n > ID_OF_TYPE &&
            out->w[ID_OF_TYPE] == id) {
            return true;
        }
    }
    return false;
}

/* " (x)"; "" where the module names it nowhere. */
static const char *find_name(const struct testcase *tc, uint32_t id, struct arena *a)
{
    struct spv_inst in;
    uint32_t at = SPV_HEADER_WORDS;
    while (spv_next(tc->module, tc->n_words, &at, &in)) {
        if (in.op == SpvOpName && in.n > NAME_TEXT && in.w[NAME_ID] == id) {
            const char *const name = take_string(&in, NAME_TEXT, a);
            return name[0] ? arena_printf(a, " (%.60s)", name) : "";
        }
    }
    return "";
}

/* What an argument of that type is, where it is none that a buffer is given as; "" where it is one. */
static const char *describe_type(const struct spv_inst *type, struct arena *a)
{
    uint32_t const first = type->n > 2 ? type->w[2] : 0;
    switch (type->op) {
    case SpvOpTypeInt:
        return arena_printf(a, "an integer of %u bits by value", first);
    case SpvOpTypeFloat:
        return arena_printf(a, "a float of %u bits by value", first);
    case SpvOpTypeVector:
        return "a vector by value";
    case SpvOpTypeStruct:
        return "a struct by value";
    case SpvOpTypePointer:
        break;
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
        return "an image or a sampler";
    default:
        return "of a type that is not known here";
    }
    switch (type->n > POINTER_STORAGE ? type->w[POINTER_STORAGE] : UINT32_MAX) {
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassUniformConstant:
        return "";
    case SpvStorageClassWorkgroup:
        return "a pointer to local memory";
    case SpvStorageClassFunction: /* as front ends hand structs over */
        return "a struct by value";
    default:
        return "a pointer to other memory";
    }
}

const char *kernel_args_find_unsupported(const struct testcase *tc, struct arena *a)
{
    uint32_t const kernel = tc->env == ENV_CL && tc->entry ? find_kernel(tc, a) : 0;
    struct spv_inst in, type;
    uint32_t at = SPV_HEADER_WORDS, number = 0;
    bool is_inside = false;
    while (kernel && spv_next(tc->module, tc->n_words, &at, &in)) {
        bool const has_result = in.n > ID_OF_RESULT;
        if (in.op == SpvOpFunction) {
            is_inside = has_result && in.w[ID_OF_RESULT] == kernel;
        } else if (is_inside && in.op != SpvOpFunctionParameter) {
            return "";
        } else if (is_inside && has_result) {
            const char *const what = find_type(tc, in.w[1], &type) ? describe_type(&type, a) : "";
            if (what[0]) {
                return arena_printf(
                    a,
                    "kernel argument %u%s is %s: a case gives its kernel pointers to global "
                    "or constant memory alone, one for each buffer",
                    number, find_name(tc, in.w[ID_OF_RESULT], a), what);
            }
            number++;
        }
    }
    return "";
}
