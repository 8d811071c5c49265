/* base/kernel_args.c -- what a kernel of OpenCL is to be given as arguments. */
#include "base/kernel_args.h"

#include <inttypes.h>
#include <string.h>

#include "base/spv.h"

enum {
    ID_OF_TYPE = 1, /* words of a type */
    TYPE_BITS = 2,  /* of a number */
    TYPE_ELEMENT = 2,
    TYPE_COUNT = 3, /* of a vector's components */
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

/* Bytes of an integer or float that an argument may be; 0: it is none. */
static uint32_t count_number_bytes(const struct spv_inst *type)
{
    uint32_t const n_bits = type->n > TYPE_BITS ? type->w[TYPE_BITS] : 0;
    bool const is_int = type->op == SpvOpTypeInt && n_bits == 8;
    bool const is_any = type->op == SpvOpTypeInt || type->op == SpvOpTypeFloat;
    return is_int || (is_any && (n_bits == 16 || n_bits == 32 || n_bits == 64)) ? n_bits / 8 : 0;
}

/* Bytes of an argument by value; 0: it is no number or vector that a case can give. */
static uint32_t count_value_bytes(const struct testcase *tc, const struct spv_inst *type)
{
    struct spv_inst element;
    if (type->op != SpvOpTypeVector) {
        return count_number_bytes(type);
    }
    uint32_t const n = type->n > TYPE_COUNT ? type->w[TYPE_COUNT] : 0;
    bool const is_size = n == 2 || n == 3 || n == 4 || n == 8 || n == 16;
    return is_size && find_type(tc, type->w[TYPE_ELEMENT], &element)
               ? (n == 3 ? 4 : n) * count_number_bytes(&element)
               : 0;
}

/* "a float of 32 bits by value" */
static const char *describe_type(const struct spv_inst *type, struct arena *a)
{
    uint32_t const first = type->n > TYPE_BITS ? type->w[TYPE_BITS] : 0;
    switch (type->op) {
    case SpvOpTypeInt:
        return arena_printf(a, "an integer of %u bits by value", first);
    case SpvOpTypeFloat:
        return arena_printf(a, "a float of %u bits by value", first);
    case SpvOpTypeBool:
        return "a bool by value";
    case SpvOpTypeVector:
        return arena_printf(a, "a vector of %u components by value",
                            type->n > TYPE_COUNT ? type->w[TYPE_COUNT] : 0);
    case SpvOpTypeStruct:
        return "a struct by value";
    case SpvOpTypeArray:
        return "an array by value";
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
        return "a pointer to global memory";
    case SpvStorageClassUniformConstant:
        return "a pointer to constant memory";
    case SpvStorageClassWorkgroup:
        return "a pointer to local memory";
    case SpvStorageClassFunction: /* as front ends hand structs over */
        return "a struct by value";
    default:
        return "a pointer to other memory";
    }
}

static bool is_pointer_to_buffer(const struct spv_inst *type)
{
    return type->op == SpvOpTypePointer && type->n > POINTER_STORAGE &&
           (type->w[POINTER_STORAGE] == SpvStorageClassCrossWorkgroup ||
            type->w[POINTER_STORAGE] == SpvStorageClassUniformConstant);
}

/* What is wrong with the argument of that number and type, behind its description; "": nothing. */
typedef const char *judge_argument(const struct testcase *tc, uint32_t number,
                                   const struct spv_inst *type, struct arena *a);

static const char *tell_unsupported(const struct testcase *tc, uint32_t number,
                                    const struct spv_inst *type, struct arena *a)
{
    (void)number;
    (void)a;
    return is_pointer_to_buffer(type) || count_value_bytes(tc, type) > 0
               ? ""
               : ": a case gives its kernel pointers to global or constant memory, and by value "
                 "integers of 8 to 64 bits, floats of 16 to 64 and vectors of these alone";
}

static const char *tell_misfit(const struct testcase *tc, uint32_t number,
                               const struct spv_inst *type, struct arena *a)
{
    uint32_t const n_bytes = count_value_bytes(tc, type);
    const struct buf *const b = number < tc->n_bufs ? &tc->bufs[number] : NULL;
    bool const is_value = b && b->kind == BUF_VALUE;
    if (n_bytes == 0) {
        return is_value && is_pointer_to_buffer(type)
                   ? ": it needs memory, and the case gives it a buffer of kind \"value\""
                   : "";
    }
    if (is_value && b->n_bytes == n_bytes) {
        return "";
    }
    const char *const given = is_value ? arena_printf(a, "%" PRIu32 " bytes", b->n_bytes)
                              : b      ? arena_printf(a, "kind \"%s\"", buf_kind_names[b->kind])
                                       : "none";
    return arena_printf(
        a, ": it needs a buffer of kind \"value\" and %" PRIu32 " bytes, and the case gives it %s",
        n_bytes, given);
}

/* The sentence of the first argument that is wrong in that way; "": none is. */
static const char *find_wrong(const struct testcase *tc, judge_argument *judge, struct arena *a)
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
            const char *const what =
                find_type(tc, in.w[1], &type) ? judge(tc, number, &type, a) : "";
            if (what[0]) {
                return arena_printf(a, "kernel argument %u%s is %s%s", number,
                                    find_name(tc, in.w[ID_OF_RESULT], a), describe_type(&type, a),
                                    what);
            }
            number++;
        }
    }
    return "";
}

const char *kernel_args_find_unsupported(const struct testcase *tc, struct arena *a)
{
    return find_wrong(tc, tell_unsupported, a);
}

const char *kernel_args_find_misfit(const struct testcase *tc, struct arena *a)
{
    return find_wrong(tc, tell_misfit, a);
}
