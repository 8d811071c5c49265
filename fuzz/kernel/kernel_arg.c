/* fuzz/kernel/kernel_arg.c -- arguments of OpenCL that no case can give, made into what it can. */
#include "fuzz/kernel/kernel_arg.h"

#include <string.h>

enum {
    NEW_IDS = 4,        /* for an argument */
    SPIRV_1_4 = 0x10400 /* version word */
};

struct rewriter {
    const uint32_t *words;
    uint32_t n_words, function, n_ids;
    struct spv_index index;
    struct kernel_args *args;
    uint32_t first[CASE_MAX_BUFS]; /* of the ids for an argument */
    uint32_t uint_type, zero, function_type;
    struct spv_words out;
};

#define PUT(to, op, ...)                                                                           \
    spv_put((to), (op), (const uint32_t[]){__VA_ARGS__},                                           \
            sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static enum kernel_arg_kind find_kind(const struct spv_index *x, uint32_t type, uint32_t *to)
{
    struct spv_inst const pointer = spv_index_find(x, type);
    uint32_t const storage = spv_get_word(&pointer, 2);
    *to = spv_get_word(&pointer, 3);
    if (pointer.op != SpvOpTypePointer) {
        return KERNEL_ARG_OTHER;
    }
    return storage == SpvStorageClassWorkgroup  ? KERNEL_ARG_LOCAL
           : storage == SpvStorageClassFunction ? KERNEL_ARG_STRUCT
                                                : KERNEL_ARG_OTHER;
}

void kernel_args_read(const struct spv_index *x, uint32_t function, struct kernel_args *out)
{
    uint32_t offset = x->offset[function];
    struct spv_inst in;
    *out = (struct kernel_args){.n = 0};
    while (offset && spv_next(x->words, x->n_words, &offset, &in) && in.op != SpvOpLabel &&
           in.op != SpvOpFunctionEnd) {
        if (in.op == SpvOpFunctionParameter && in.n > 2 && out->n < CASE_MAX_BUFS) {
            struct kernel_arg *const arg = &out->row[out->n++];
            *arg = (struct kernel_arg){.id = in.w[2]};
            arg->kind = find_kind(x, in.w[1], &arg->type);
        }
    }
}

bool kernel_args_has(const struct kernel_args *args, enum kernel_arg_kind kind)
{
    for (uint32_t i = 0; i < args->n; i++) {
        if (args->row[i].kind == kind) {
            return true;
        }
    }
    return false;
}

bool kernel_args_is_changed(const struct kernel_args *args)
{
    return kernel_args_has(args, KERNEL_ARG_LOCAL) || kernel_args_has(args, KERNEL_ARG_STRUCT);
}

/* Integers of 32 bits, of which a module has one type. */
static void put_uint(struct rewriter *r)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (!r->uint_type && spv_next(r->words, r->n_words, &offset, &in) &&
           in.op != SpvOpFunction) {
        r->uint_type = in.op == SpvOpTypeInt && spv_get_word(&in, 2) == 32 ? in.w[1] : 0;
    }
    if (!r->uint_type) {
        r->uint_type = r->n_ids++;
        PUT(&r->out, SpvOpTypeInt, r->uint_type, 32, 0);
    }
    r->zero = r->n_ids++;
    PUT(&r->out, SpvOpConstant, r->uint_type, r->zero, 0);
}

/* What stands before the functions: types, variables, the kernel's type. */
static void put_declarations(struct rewriter *r)
{
    struct spv_inst const function = spv_index_find(&r->index, r->function);
    struct spv_inst const type = spv_index_find(&r->index, spv_get_word(&function, 4));
    uint32_t operands[CASE_MAX_BUFS + 2];
    uint32_t n = 2;
    put_uint(r);
    operands[0] = r->function_type = r->n_ids++;
    operands[1] = spv_get_word(&type, 2);
    for (uint32_t i = 0; i < r->args->n; i++) {
        struct kernel_arg *const arg = &r->args->row[i];
        uint32_t const id = r->first[i];
        if (arg->kind == KERNEL_ARG_LOCAL) {
            PUT(&r->out, SpvOpConstant, r->uint_type, id, 1);
            arg->length = SPV_HEADER_WORDS + r->out.n - 1;
            PUT(&r->out, SpvOpTypeArray, id + 1, arg->type, id);
            PUT(&r->out, SpvOpTypePointer, id + 2, SpvStorageClassWorkgroup, id + 1);
            PUT(&r->out, SpvOpVariable, id + 2, id + 3, SpvStorageClassWorkgroup);
        } else if (arg->kind == KERNEL_ARG_STRUCT) {
            PUT(&r->out, SpvOpTypePointer, id, SpvStorageClassCrossWorkgroup, arg->type);
            operands[n++] = id;
        } else {
            operands[n++] = spv_get_word(&type, 3 + i);
        }
    }
    spv_put(&r->out, SpvOpTypeFunction, operands, n);
}

static uint32_t find_type(const struct rewriter *r, uint32_t i)
{
    struct spv_inst const parameter = spv_index_find(&r->index, r->args->row[i].id);
    return spv_get_word(&parameter, 1);
}

/* In the first block: of a struct its variable and the copy, of a pointer to the work-group's memory where it points. */
static void put_start(struct rewriter *r)
{
    for (uint32_t i = 0; i < r->args->n; i++) {
        if (r->args->row[i].kind == KERNEL_ARG_STRUCT) {
            PUT(&r->out, SpvOpVariable, find_type(r, i), r->args->row[i].id,
                SpvStorageClassFunction);
        }
    }
}

static void put_copies(struct rewriter *r)
{
    for (uint32_t i = 0; i < r->args->n; i++) {
        const struct kernel_arg *const arg = &r->args->row[i];
        uint32_t const id = r->first[i];
        if (arg->kind == KERNEL_ARG_STRUCT) {
            PUT(&r->out, SpvOpLoad, arg->type, id + 2, id + 1);
            PUT(&r->out, SpvOpStore, arg->id, id + 2);
        } else if (arg->kind == KERNEL_ARG_LOCAL) {
            PUT(&r->out, SpvOpInBoundsAccessChain, find_type(r, i), arg->id, id + 3, r->zero);
        }
    }
}

/* A parameter of the kernel: as it was, none, or a pointer to the struct. */
static void put_parameter(struct rewriter *r, const struct spv_inst *in)
{
    for (uint32_t i = 0; i < r->args->n; i++) {
        const struct kernel_arg *const arg = &r->args->row[i];
        if (arg->id == in->w[2] && arg->kind == KERNEL_ARG_STRUCT) {
            PUT(&r->out, SpvOpFunctionParameter, r->first[i], r->first[i] + 1);
        } else if (arg->id == in->w[2] && arg->kind == KERNEL_ARG_OTHER) {
            spv_put(&r->out, in->op, in->w + 1, in->n - 1);
        }
    }
}

/* Decorations of what is no parameter any more. */
static bool is_gone(const struct rewriter *r, const struct spv_inst *in)
{
    bool const is_attribute = in->op == SpvOpDecorate && in->n > 2;
    bool is_of_arg = false;
    for (uint32_t i = 0; is_attribute && i < r->args->n; i++) {
        is_of_arg |= r->args->row[i].kind != KERNEL_ARG_OTHER && r->args->row[i].id == in->w[1];
    }
    return is_of_arg;
}

/* The entry point; from SPIR-V 1.4 on it lists all variables. */
static void put_entry(struct rewriter *r, const struct spv_inst *in)
{
    uint32_t *const operands = ARENA_NEW(r->out.a, uint32_t, in->n + CASE_MAX_BUFS);
    uint32_t n = in->n - 1;
    if (!operands) {
        r->out.ok = 0;
        return;
    }
    memcpy(operands, in->w + 1, n * sizeof *operands);
    for (uint32_t i = 0; r->words[1] >= SPIRV_1_4 && i < r->args->n; i++) {
        if (r->args->row[i].kind == KERNEL_ARG_LOCAL) {
            operands[n++] = r->first[i] + 3;
        }
    }
    spv_put(&r->out, SpvOpEntryPoint, operands, n);
}

static void rewrite(struct rewriter *r)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_first = true, is_within = false, has_label = false, has_started = false;
    while (spv_next(r->words, r->n_words, &offset, &in)) {
        if (in.op == SpvOpFunction && is_first) {
            put_declarations(r);
            is_first = false;
        }
        if (in.op == SpvOpFunction) {
            is_within = in.w[2] == r->function;
        }
        if (is_within && has_label && !has_started && in.op != SpvOpVariable) {
            has_started = true;
            put_copies(r);
        }
        if (in.op == SpvOpEntryPoint && spv_get_word(&in, 2) == r->function) {
            put_entry(r, &in);
        } else if (in.op == SpvOpFunction && is_within) {
            PUT(&r->out, in.op, in.w[1], in.w[2], in.w[3], r->function_type);
        } else if (in.op == SpvOpFunctionParameter && is_within) {
            put_parameter(r, &in);
        } else if (!is_gone(r, &in)) {
            spv_put(&r->out, in.op, in.w + 1, in.n - 1);
        }
        if (in.op == SpvOpLabel && is_within && !has_label) {
            has_label = true;
            put_start(r);
        }
    }
}

enum res kernel_args_rewrite(const uint32_t *words, uint32_t n_words, uint32_t function,
                             struct kernel_args *args, struct arena *a, const uint32_t **out,
                             uint32_t *n_out, struct err *e)
{
    struct rewriter r = {
        .words = words, .n_words = n_words, .function = function, .n_ids = words[3], .args = args};
    spv_words_init(&r.out, a);
    if (!spv_index_make(&r.index, words, n_words, a)) {
        return err_set(e, RES_NOMEM, "no room for an index of the module");
    }
    for (uint32_t i = 0; i < args->n; i++, r.n_ids += NEW_IDS) {
        r.first[i] = r.n_ids;
    }
    rewrite(&r);
    uint32_t *const module = ARENA_NEW(a, uint32_t, r.out.n + SPV_HEADER_WORDS);
    if (!r.out.ok || !module) {
        return err_set(e, RES_NOMEM, "no room for a module with other arguments");
    }
    memcpy(module, words, SPV_HEADER_WORDS * sizeof *module);
    module[3] = r.n_ids;
    memcpy(module + SPV_HEADER_WORDS, r.out.w, r.out.n * sizeof *module);
    *out = module;
    *n_out = r.out.n + SPV_HEADER_WORDS;
    return RES_OK;
}
