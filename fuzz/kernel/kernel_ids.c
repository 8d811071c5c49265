/* fuzz/kernel/kernel_ids.c -- a case whose shader also stores which sub-group each invocation is in. */
#include "fuzz/kernel/kernel_ids.h"

#include "base/spv.h"
#include "fuzz/kernel/kernel_edit.h"

enum {
    N_IDS = 4
};
static const SpvBuiltIn builtins[N_IDS] = {SpvBuiltInSubgroupId,
                                           SpvBuiltInSubgroupLocalInvocationId,
                                           SpvBuiltInSubgroupSize, SpvBuiltInNumSubgroups};

struct adder {
    struct kernel_edit edit;
    uint32_t u32, zero, n_ids; /* constants: 0, N_IDS */
    uint32_t place[N_IDS];     /* constants: 0, 1, 2, 3 */
    struct kernel_edit_invocation invocation;
    uint32_t id[N_IDS], type[N_IDS]; /* the variables, and what they hold */
    uint32_t buffer, pointer;
};

static bool has_subgroups(const struct testcase *tc)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(tc->module, tc->n_words, &offset, &in) && in.op == SpvOpCapability) {
        if (spv_get_word(&in, 1) == SpvCapabilityGroupNonUniform) {
            return true;
        }
    }
    return false;
}

static void declare(struct adder *x, const struct testcase *tc)
{
    struct kernel_edit *const m = &x->edit;
    x->u32 = kernel_edit_type(m, SpvOpTypeInt, 32, 0);
    x->zero = kernel_edit_constant(m, x->u32, 0);
    x->n_ids = kernel_edit_constant(m, x->u32, N_IDS);
    kernel_edit_invocation(m, tc, x->u32, &x->invocation);
    for (uint32_t i = 0; i < N_IDS; i++) {
        x->place[i] = kernel_edit_constant(m, x->u32, i);
        x->id[i] = kernel_edit_builtin(m, builtins[i], x->u32, &x->type[i]);
    }
    x->buffer = kernel_edit_buffer(m, x->u32, sizeof(uint32_t), tc->n_bufs);
    x->pointer = kernel_edit_pointer(m, kernel_edit_storage(m), x->u32);
}

static void put_stores(struct adder *x)
{
    struct spv_words *const out = &x->edit.out;
    uint32_t const linear = kernel_edit_put_invocation(&x->edit, &x->invocation);
    uint32_t const base = kernel_edit_put_op(&x->edit, x->u32, SpvOpIMul, linear, x->n_ids);
    for (uint32_t i = 0; i < N_IDS; i++) {
        uint32_t const value = kernel_edit_new_id(&x->edit);
        uint32_t const pointer = kernel_edit_new_id(&x->edit);
        uint32_t const at = kernel_edit_put_op(&x->edit, x->u32, SpvOpIAdd, base, x->place[i]);
        KERNEL_PUT(out, SpvOpLoad, x->type[i], value, x->id[i]);
        KERNEL_PUT(out, SpvOpAccessChain, x->pointer, pointer, x->buffer, x->zero, at);
        KERNEL_PUT(out, SpvOpStore, pointer, value);
    }
}

static void rewrite(struct adder *x)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    bool is_function = false, is_entry = false, has_label = false, is_done = false;
    while (spv_next(x->edit.words, x->edit.n_words, &offset, &in)) {
        if (in.op == SpvOpFunction) {
            is_entry = spv_get_word(&in, 2) == x->edit.entry;
            if (!is_function) {
                kernel_edit_end_declarations(&x->edit);
            }
            is_function = true;
        }
        if (!is_function) {
            kernel_edit_copy_declaration(&x->edit, &in);
            continue;
        }
        if (is_entry && has_label && !is_done && in.op != SpvOpVariable) {
            put_stores(x);
            is_done = true;
        }
        has_label |= is_entry && in.op == SpvOpLabel;
        kernel_edit_copy(&x->edit, &in);
    }
}

/* Are the variables those of 32-bit numbers without a sign, as the stores take them? */
static bool has_usual_types(const struct adder *x)
{
    bool is_usual = true;
    for (uint32_t i = 0; i < N_IDS; i++) {
        is_usual &= x->type[i] == x->u32;
    }
    return is_usual;
}

enum res kernel_ids_add(struct testcase *tc, struct arena *a, struct err *e)
{
    struct adder x = {.zero = 0};
    if (tc->env != ENV_VK || !has_subgroups(tc) || tc->n_bufs == CASE_MAX_BUFS) {
        return RES_OK;
    }
    if (!kernel_edit_begin(&x.edit, tc, a)) {
        return err_set(e, RES_NOMEM, "no room for an index of the module");
    }
    declare(&x, tc);
    if (!x.edit.entry || !has_usual_types(&x)) {
        return RES_OK;
    }
    rewrite(&x);
    struct buf *const b = &tc->bufs[tc->n_bufs];
    *b = (struct buf){.kind = BUF_STORAGE,
                      .n_bytes = testcase_get_items(tc) * N_IDS * (uint32_t)sizeof(uint32_t)};
    b->data = arena_take(a, b->n_bytes);
    if (!b->data) {
        return err_set(e, RES_NOMEM, "no room for the ids of sub-groups");
    }
    TRY(kernel_edit_end(&x.edit, a, tc, e));
    tc->n_bufs++;
    return RES_OK;
}
