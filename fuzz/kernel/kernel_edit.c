/* fuzz/kernel/kernel_edit.c -- additions to a module. */
#include "fuzz/kernel/kernel_edit.h"

#include <string.h>

enum {
    SPIRV_1_3 = 0x10300, /* has the storage class StorageBuffer */
    SPIRV_1_4 = 0x10400  /* the entry point lists variables of all storage classes */
};

/* The function of the entry point that the case names. */
static uint32_t find_entry(const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    size_t const n = strlen(tc->entry) + 1;
    while (spv_next(tc->module, tc->n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == SpvOpEntryPoint && in.n > 3 && (in.n - 3) * sizeof(uint32_t) >= n &&
            memcmp(in.w + 3, tc->entry, n) == 0) {
            return in.w[2];
        }
    }
    return 0;
}

bool kernel_edit_begin(struct kernel_edit *x, const struct testcase *tc, struct arena *a)
{
    *x = (struct kernel_edit){.words = tc->module,
                              .n_words = tc->n_words,
                              .version = tc->module[1],
                              .n_ids = tc->module[3],
                              .entry = find_entry(tc)};
    spv_words_init(&x->out, a);
    spv_words_init(&x->decorations, a);
    spv_words_init(&x->types, a);
    return spv_index_make(&x->index, x->words, x->n_words, a);
}

uint32_t kernel_edit_new_id(struct kernel_edit *x)
{
    return x->n_ids++;
}

/* The type with these n - 2 operands that the words from `offset` on declare; 0: none. */
static uint32_t find_type(const uint32_t *words, uint32_t n_words, uint32_t offset, uint32_t op,
                          const uint32_t *operands, uint32_t n)
{
    struct spv_inst in;
    while (spv_next(words, n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op == op && in.n == n &&
            memcmp(in.w + 2, operands, (n - 2) * sizeof *operands) == 0) {
            return in.w[1];
        }
    }
    return 0;
}

uint32_t kernel_edit_type(struct kernel_edit *x, uint32_t op, uint32_t word2, uint32_t word3)
{
    uint32_t const n = op == SpvOpTypeFloat ? 3 : 4;
    uint32_t operands[] = {0, word2, word3};
    uint32_t found = find_type(x->words, x->n_words, SPV_HEADER_WORDS, op, operands + 1, n);
    found = found ? found : find_type(x->types.w, x->types.n, 0, op, operands + 1, n);
    if (found) {
        return found;
    }
    operands[0] = kernel_edit_new_id(x);
    spv_put(&x->types, op, operands, n - 1);
    return operands[0];
}

uint32_t kernel_edit_constant(struct kernel_edit *x, uint32_t type, uint32_t value)
{
    uint32_t const id = kernel_edit_new_id(x);
    KERNEL_PUT(&x->types, SpvOpConstant, type, id, value);
    return id;
}

uint32_t kernel_edit_pointer(struct kernel_edit *x, uint32_t storage, uint32_t to)
{
    uint32_t const id = kernel_edit_new_id(x);
    KERNEL_PUT(&x->types, SpvOpTypePointer, id, storage, to);
    return id;
}

uint32_t kernel_edit_storage(const struct kernel_edit *x)
{
    return x->version < SPIRV_1_3 ? SpvStorageClassUniform : SpvStorageClassStorageBuffer;
}

static void add_to_interface(struct kernel_edit *x, uint32_t variable)
{
    if (x->n_interface < KERNEL_EDIT_MAX_INTERFACE) {
        x->interface[x->n_interface++] = variable;
    } else {
        x->out.ok = 0;
    }
}

uint32_t kernel_edit_buffer(struct kernel_edit *x, uint32_t element, uint32_t stride,
                            uint32_t binding)
{
    uint32_t const storage = kernel_edit_storage(x);
    uint32_t const array = kernel_edit_new_id(x), block = kernel_edit_new_id(x);
    KERNEL_PUT(&x->types, SpvOpTypeRuntimeArray, array, element);
    KERNEL_PUT(&x->types, SpvOpTypeStruct, block, array);
    uint32_t const pointer = kernel_edit_pointer(x, storage, block);
    uint32_t const variable = kernel_edit_new_id(x);
    KERNEL_PUT(&x->types, SpvOpVariable, pointer, variable, storage);
    KERNEL_PUT(&x->decorations, SpvOpDecorate, array, SpvDecorationArrayStride, stride);
    KERNEL_PUT(&x->decorations, SpvOpDecorate, block,
               storage == SpvStorageClassUniform ? SpvDecorationBufferBlock : SpvDecorationBlock);
    KERNEL_PUT(&x->decorations, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
    KERNEL_PUT(&x->decorations, SpvOpDecorate, variable, SpvDecorationDescriptorSet, 0);
    KERNEL_PUT(&x->decorations, SpvOpDecorate, variable, SpvDecorationBinding, binding);
    if (x->version >= SPIRV_1_4) {
        add_to_interface(x, variable);
    }
    return variable;
}

/* Is the variable in the interface of the entry point? */
static bool is_listed(const struct kernel_edit *x, uint32_t variable)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(x->words, x->n_words, &offset, &in) && in.op != SpvOpFunction) {
        uint32_t at = 3;
        if (in.op != SpvOpEntryPoint || spv_get_word(&in, 2) != x->entry) {
            continue;
        }
        while (at < in.n && (in.w[at] & 0xff000000) != 0) { /* the name */
            at++;
        }
        for (at++; at < in.n; at++) {
            if (in.w[at] == variable) {
                return true;
            }
        }
    }
    return false;
}

uint32_t kernel_edit_builtin(struct kernel_edit *x, SpvBuiltIn builtin, uint32_t type_if_new,
                             uint32_t *type)
{
    uint32_t offset = SPV_HEADER_WORDS, found = 0;
    struct spv_inst in;
    while (spv_next(x->words, x->n_words, &offset, &in) && in.op != SpvOpFunction) {
        if (in.op != SpvOpDecorate || spv_get_word(&in, 2) != SpvDecorationBuiltIn ||
            spv_get_word(&in, 3) != (uint32_t)builtin) {
            continue;
        }
        struct spv_inst const variable = spv_index_find(&x->index, in.w[1]);
        struct spv_inst const pointer = spv_index_find(&x->index, spv_get_word(&variable, 1));
        if (variable.op == SpvOpVariable && (!found || is_listed(x, in.w[1]))) {
            found = in.w[1];
            *type = spv_get_word(&pointer, 3);
        }
    }
    if (!found) {
        found = kernel_edit_new_id(x);
        *type = type_if_new;
        KERNEL_PUT(&x->types, SpvOpVariable,
                   kernel_edit_pointer(x, SpvStorageClassInput, type_if_new), found,
                   SpvStorageClassInput);
        KERNEL_PUT(&x->decorations, SpvOpDecorate, found, SpvDecorationBuiltIn, builtin);
    }
    if (!is_listed(x, found)) {
        add_to_interface(x, found);
    }
    return found;
}

void kernel_edit_invocation(struct kernel_edit *x, const struct testcase *tc, uint32_t u32,
                            struct kernel_edit_invocation *out)
{
    bool const is_cl = tc->env == ENV_CL;
    uint32_t const component = is_cl ? kernel_edit_type(x, SpvOpTypeInt, 64, 0) : u32;
    uint32_t const vector = kernel_edit_type(x, SpvOpTypeVector, component, 3);
    *out = (struct kernel_edit_invocation){.u32 = u32, .component = component, .is_wide = is_cl};
    out->distance[1] = kernel_edit_constant(x, u32, tc->global[0]);
    out->distance[2] = kernel_edit_constant(x, u32, tc->global[0] * tc->global[1]);
    out->ids = kernel_edit_builtin(x, SpvBuiltInGlobalInvocationId, vector, &out->vector);
    struct spv_inst const found = spv_index_find(&x->index, out->vector);
    if (found.op == SpvOpTypeVector) { /* else it is new */
        struct spv_inst const number = spv_index_find(&x->index, found.w[2]);
        out->component = found.w[2];
        out->is_wide = spv_get_word(&number, 2) == 64;
    }
}

uint32_t kernel_edit_put_op(struct kernel_edit *x, uint32_t type, uint32_t op, uint32_t a,
                            uint32_t b)
{
    uint32_t const operands[] = {type, kernel_edit_new_id(x), a, b};
    spv_put(&x->out, op, operands, b ? 4 : 3);
    return operands[1];
}

uint32_t kernel_edit_put_invocation(struct kernel_edit *x, const struct kernel_edit_invocation *of)
{
    uint32_t const ids = kernel_edit_new_id(x);
    uint32_t linear = 0;
    KERNEL_PUT(&x->out, SpvOpLoad, of->vector, ids, of->ids);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t part = kernel_edit_new_id(x);
        KERNEL_PUT(&x->out, SpvOpCompositeExtract, of->component, part, ids, i);
        part = of->is_wide ? kernel_edit_put_op(x, of->u32, SpvOpUConvert, part, 0) : part;
        part = i > 0 ? kernel_edit_put_op(x, of->u32, SpvOpIMul, part, of->distance[i]) : part;
        linear = i > 0 ? kernel_edit_put_op(x, of->u32, SpvOpIAdd, linear, part) : part;
    }
    return linear;
}

void kernel_edit_copy(struct kernel_edit *x, const struct spv_inst *in)
{
    spv_put(&x->out, in->op, in->w + 1, in->n - 1);
}

/* The entry point with what is new in its interface. */
static void copy_entry(struct kernel_edit *x, const struct spv_inst *in)
{
    uint32_t *const operands = ARENA_NEW(x->out.a, uint32_t, in->n + KERNEL_EDIT_MAX_INTERFACE);
    if (!operands) {
        x->out.ok = 0;
        return;
    }
    memcpy(operands, in->w + 1, (in->n - 1) * sizeof *operands);
    memcpy(operands + in->n - 1, x->interface, x->n_interface * sizeof *operands);
    spv_put(&x->out, SpvOpEntryPoint, operands, in->n - 1 + x->n_interface);
}

static bool is_declaration(uint32_t op)
{
    return (op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer) ||
           (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) || op == SpvOpVariable ||
           op == SpvOpUndef;
}

static void put_decorations(struct kernel_edit *x)
{
    spv_append(&x->out, &x->decorations);
    x->decorations.n = 0;
}

void kernel_edit_copy_declaration(struct kernel_edit *x, const struct spv_inst *in)
{
    if (is_declaration(in->op)) {
        put_decorations(x);
    }
    if (in->op == SpvOpEntryPoint && in->w[2] == x->entry) {
        copy_entry(x, in);
    } else {
        kernel_edit_copy(x, in);
    }
}

void kernel_edit_end_declarations(struct kernel_edit *x)
{
    put_decorations(x);
    spv_append(&x->out, &x->types);
}

enum res kernel_edit_end(struct kernel_edit *x, struct arena *a, struct testcase *out,
                         struct err *e)
{
    uint32_t const n = x->out.n + SPV_HEADER_WORDS;
    uint32_t *const module = ARENA_NEW(a, uint32_t, n);
    if (!module || !x->out.ok || !x->types.ok || !x->decorations.ok || n > CASE_MAX_MODULE_WORDS) {
        return err_set(e, RES_LIMIT, "the module with its stores is too large");
    }
    memcpy(module, x->words, SPV_HEADER_WORDS * sizeof *module);
    module[3] = x->n_ids;
    memcpy(module + SPV_HEADER_WORDS, x->out.w, x->out.n * sizeof *module);
    out->module = module;
    out->n_words = n;
    return RES_OK;
}
