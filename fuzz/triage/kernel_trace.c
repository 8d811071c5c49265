/* fuzz/triage/kernel_trace.c -- a case whose module also stores what its instructions compute. */
#include "fuzz/triage/kernel_trace.h"

#include <string.h>

#include "base/spv.h"
#include "fuzz/kernel/kernel_edit.h"
#include "oracle/judge/judge.h"
#include "oracle/judge_state/policy.h"
#include "oracle/tables/tables.h"

enum {
    MAX_SHIFT = 9, /* 2 to that power: slots of an invocation, and one for what is left */
    MIN_SHIFT = 3,
    MAX_STORES = 4096 /* places that store */
};

/* Kinds of numbers, each of which has a buffer. */
enum slot_kind {
    SLOT_U32,
    SLOT_U64,
    SLOT_F32,
    SLOT_F64,
    SLOT_NONE
};
enum {
    SLOT_N = 4
};
static const uint32_t slot_bytes[SLOT_N] = {4, 8, 4, 8};

struct tracer {
    const struct testcase *tc;
    struct kernel_edit edit;
    bool is_cl;
    struct kernel_edit_invocation invocation;
    uint32_t type[SLOT_N], buffer[SLOT_N], pointer[SLOT_N], buffer_pointer[SLOT_N];
    bool is_used[SLOT_N];
    bool has_select; /* then conditions are not stored: that would be one more */
    uint32_t zero, one, shift, n_slots;
    uint32_t counter, base, own_pointer;
    uint32_t *
        function_type; /* [ids of the module] of each function with what it gets beside its own; 0: no function */
    bool *is_entry; /* [ids of the module] the function of an entry point */
    uint32_t k;     /* slots are 2^k, and one more */
    uint32_t n_stores;
};

/* ---- what is stored ---- */

/* The kind of buffer that numbers of the scalar type go to. */
static enum slot_kind find_kind(const struct spv_inst *type)
{
    uint32_t const n_bits = spv_get_word(type, 2);
    if (type->op == SpvOpTypeInt) {
        return n_bits == 64 ? SLOT_U64 : SLOT_U32;
    }
    if (type->op == SpvOpTypeFloat && type->n == 3) { /* longer: of another encoding */
        return n_bits == 64 ? SLOT_F64 : SLOT_F32;
    }
    return SLOT_NONE;
}

/* Does the instruction compute, or read what others have computed? Copies of ids do not. */
static bool is_computing(uint32_t op)
{
    switch (op) {
    case SpvOpPhi:
    case SpvOpCompositeConstruct:
    case SpvOpCompositeExtract:
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle:
    case SpvOpVectorExtractDynamic:
    case SpvOpVectorInsertDynamic:
    case SpvOpCopyObject:
    case SpvOpCopyLogical:
    case SpvOpUndef:
    case SpvOpFunctionParameter:
    case SpvOpArrayLength:
    case SpvOpFunctionCall: /* its body says more */
        return false;
    default:
        return true;
    }
}

/* The scalar type of what an instruction computes; *n: components. OpNop: nothing that is stored. */
static struct spv_inst find_scalar(const struct tracer *t, const struct spv_inst *in, uint32_t *n)
{
    static const struct spv_inst none = {.op = SpvOpNop};
    bool has_type = false;
    uint32_t const at = spv_find_result(in, &has_type);
    if (!at || !has_type || !is_computing(in->op)) {
        return none;
    }
    struct spv_inst type = spv_index_find(&t->edit.index, in->w[at - 1]);
    *n = 1;
    if (type.op == SpvOpTypeVector) {
        *n = spv_get_word(&type, 3);
        type = spv_index_find(&t->edit.index, spv_get_word(&type, 2));
    }
    bool const is_bool = type.op == SpvOpTypeBool && !t->has_select;
    return is_bool || find_kind(&type) != SLOT_NONE ? type : none;
}

/* ---- types, constants, variables ---- */

/* A buffer of numbers of that kind: a variable of a block (Vulkan), or the type of a parameter (OpenCL). */
static void put_buffer(struct tracer *t, enum slot_kind kind, uint32_t binding)
{
    struct kernel_edit *const x = &t->edit;
    uint32_t const storage = t->is_cl ? SpvStorageClassCrossWorkgroup : kernel_edit_storage(x);
    t->pointer[kind] = kernel_edit_pointer(x, storage, t->type[kind]);
    t->buffer[kind] = t->is_cl ? kernel_edit_new_id(x)
                               : kernel_edit_buffer(x, t->type[kind], slot_bytes[kind], binding);
}

/* What each function gets beside its own: of OpenCL the buffers; if it is called, where the counter and the base are. */
static uint32_t add_parameters(const struct tracer *t, bool is_entry, const uint32_t *of_buffers,
                               uint32_t counter, uint32_t base, uint32_t *to)
{
    uint32_t n = 0;
    for (int k = 0; t->is_cl && k < SLOT_N; k++) {
        if (t->is_used[k]) {
            to[n++] = of_buffers[k];
        }
    }
    if (!is_entry) {
        to[n++] = counter;
        to[n++] = base;
    }
    return n;
}

/* The type of each function with that behind its own parameters. */
static void put_function_types(struct tracer *t)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    while (spv_next(t->edit.words, t->edit.n_words, &offset, &in)) {
        if (in.op != SpvOpFunction || in.n < 5) {
            continue;
        }
        struct spv_inst const type = spv_index_find(&t->edit.index, in.w[4]);
        uint32_t *const operands = ARENA_NEW(t->edit.out.a, uint32_t, type.n + SLOT_N + 2);
        if (!operands || type.n < 3) {
            t->edit.out.ok = 0;
            return;
        }
        uint32_t n = type.n - 1;
        memcpy(operands, type.w + 1, n * sizeof *operands);
        operands[0] = kernel_edit_new_id(&t->edit);
        n += add_parameters(t, t->is_entry[in.w[2]], t->pointer, t->own_pointer, t->own_pointer,
                            operands + n);
        if (n == type.n - 1) { /* nothing is added: types are not declared twice */
            t->function_type[in.w[2]] = in.w[4];
        } else {
            t->function_type[in.w[2]] = operands[0];
            spv_put(&t->edit.types, SpvOpTypeFunction, operands, n);
        }
    }
}

static void put_declarations(struct tracer *t)
{
    uint32_t binding = t->tc->n_bufs;
    t->type[SLOT_U32] = kernel_edit_type(&t->edit, SpvOpTypeInt, 32, 0);
    for (int k = SLOT_U64; k < SLOT_N; k++) {
        if (t->is_used[k]) {
            t->type[k] = kernel_edit_type(&t->edit, k == SLOT_U64 ? SpvOpTypeInt : SpvOpTypeFloat,
                                          k == SLOT_F32 ? 32 : 64, 0);
        }
    }
    t->zero = kernel_edit_constant(&t->edit, t->type[SLOT_U32], 0);
    t->one = kernel_edit_constant(&t->edit, t->type[SLOT_U32], 1);
    t->shift = kernel_edit_constant(&t->edit, t->type[SLOT_U32], t->k);
    t->n_slots = kernel_edit_constant(&t->edit, t->type[SLOT_U32], (1U << t->k) + 1);
    kernel_edit_invocation(&t->edit, t->tc, t->type[SLOT_U32], &t->invocation);
    for (int k = 0; k < SLOT_N; k++) {
        if (t->is_used[k]) {
            put_buffer(t, (enum slot_kind)k, binding++);
        }
    }
    t->own_pointer = kernel_edit_pointer(&t->edit, SpvStorageClassFunction, t->type[SLOT_U32]);
    put_function_types(t);
}

/* ---- code ---- */

/* An instruction with one or two operands and a result of 32 bits. */
static uint32_t put_op(struct tracer *t, uint32_t op, uint32_t x, uint32_t y)
{
    return kernel_edit_put_op(&t->edit, t->type[SLOT_U32], op, x, y);
}

/* First in the kernel: where the invocation's slots begin, and that none is used. */
static void put_start(struct tracer *t)
{
    uint32_t const linear = kernel_edit_put_invocation(&t->edit, &t->invocation);
    uint32_t const base = put_op(t, SpvOpIMul, linear, t->n_slots);
    KERNEL_PUT(&t->edit.out, SpvOpStore, t->base, base);
    KERNEL_PUT(&t->edit.out, SpvOpStore, t->counter, t->zero);
}

/* Stores a number of a buffer's type into the next slot. The counter stays where it is at its last slot. */
static void put_store(struct tracer *t, enum slot_kind kind, uint32_t value)
{
    uint32_t const count = put_op(t, SpvOpLoad, t->counter, 0);
    uint32_t const base = put_op(t, SpvOpLoad, t->base, 0);
    uint32_t const at = put_op(t, SpvOpIAdd, base, count), pointer = kernel_edit_new_id(&t->edit);
    if (t->is_cl) {
        KERNEL_PUT(&t->edit.out, SpvOpInBoundsPtrAccessChain, t->pointer[kind], pointer,
                   t->buffer[kind], at);
        KERNEL_PUT(&t->edit.out, SpvOpStore, pointer, value, SpvMemoryAccessAlignedMask,
                   slot_bytes[kind]);
    } else {
        KERNEL_PUT(&t->edit.out, SpvOpAccessChain, t->pointer[kind], pointer, t->buffer[kind],
                   t->zero, at);
        KERNEL_PUT(&t->edit.out, SpvOpStore, pointer, value);
    }
    uint32_t const is_last = put_op(t, SpvOpShiftRightLogical, count, t->shift);
    uint32_t const step = put_op(t, SpvOpISub, t->one, is_last);
    uint32_t const next = put_op(t, SpvOpIAdd, count, step);
    KERNEL_PUT(&t->edit.out, SpvOpStore, t->counter, next);
}

/* The number as one of its buffer's type. */
static uint32_t put_conversion(struct tracer *t, const struct spv_inst *type, uint32_t value,
                               enum slot_kind *kind)
{
    uint32_t const n_bits = spv_get_word(type, 2);
    uint32_t const result = kernel_edit_new_id(&t->edit);
    if (type->op == SpvOpTypeBool) {
        *kind = SLOT_U32;
        KERNEL_PUT(&t->edit.out, SpvOpSelect, t->type[SLOT_U32], result, value, t->one, t->zero);
        return result;
    }
    *kind = find_kind(type);
    uint32_t const want = t->type[*kind];
    if (type->w[1] == want) {
        return value;
    }
    uint32_t const op = n_bits >= 32                 ? SpvOpBitcast
                        : type->op == SpvOpTypeFloat ? SpvOpFConvert
                        : spv_get_word(type, 3)      ? SpvOpSConvert
                                                     : SpvOpUConvert;
    KERNEL_PUT(&t->edit.out, op, want, result, value);
    return result;
}

/* What is stored behind an instruction. */
static void put_stores(struct tracer *t, const struct spv_inst *in)
{
    uint32_t n = 0;
    bool has_type = false;
    struct spv_inst const type = find_scalar(t, in, &n);
    uint32_t const value = in->w[spv_find_result(in, &has_type)];
    if (type.op == SpvOpNop || t->n_stores >= MAX_STORES) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        enum slot_kind kind = SLOT_NONE;
        uint32_t part = value;
        if (n > 1) {
            part = kernel_edit_new_id(&t->edit);
            KERNEL_PUT(&t->edit.out, SpvOpCompositeExtract, type.w[1], part, value, i);
        }
        part = put_conversion(t, &type, part, &kind);
        put_store(t, kind, part);
        t->n_stores++;
    }
}

/* Where in a function the copy is. */
struct place {
    bool is_entry, is_function, has_started, has_label;
};

/* Parameters with ids of this function. */
static void put_parameters(struct tracer *t, bool is_entry)
{
    uint32_t types[SLOT_N + 2], ids[SLOT_N + 2];
    for (int k = 0; t->is_cl && k < SLOT_N; k++) {
        t->buffer[k] = kernel_edit_new_id(&t->edit);
    }
    t->counter = kernel_edit_new_id(&t->edit);
    t->base = kernel_edit_new_id(&t->edit);
    uint32_t const n =
        add_parameters(t, is_entry, t->pointer, t->own_pointer, t->own_pointer, types);
    (void)add_parameters(t, is_entry, t->buffer, t->counter, t->base, ids);
    for (uint32_t i = 0; i < n; i++) {
        KERNEL_PUT(&t->edit.out, SpvOpFunctionParameter, types[i], ids[i]);
    }
}

/* A call of a function that takes more than it did. */
static void put_call(struct tracer *t, const struct spv_inst *in)
{
    uint32_t *const operands = ARENA_NEW(t->edit.out.a, uint32_t, in->n + SLOT_N + 2);
    uint32_t n = in->n - 1;
    if (!operands) {
        t->edit.out.ok = 0;
        return;
    }
    memcpy(operands, in->w + 1, n * sizeof *operands);
    n += add_parameters(t, false, t->buffer, t->counter, t->base, operands + n);
    spv_put(&t->edit.out, SpvOpFunctionCall, operands, n);
}

static void put_in_function(struct tracer *t, const struct spv_inst *in, struct place *p)
{
    if (in->op == SpvOpFunction) {
        *p = (struct place){.is_entry = t->is_entry[in->w[2]], .is_function = true};
        KERNEL_PUT(&t->edit.out, in->op, in->w[1], in->w[2], in->w[3], t->function_type[in->w[2]]);
        return;
    }
    if (in->op == SpvOpLabel && !p->has_label) {
        p->has_label = true;
        put_parameters(t, p->is_entry);
        kernel_edit_copy(&t->edit, in);
        if (p->is_entry) {
            KERNEL_PUT(&t->edit.out, SpvOpVariable, t->own_pointer, t->counter,
                       SpvStorageClassFunction);
            KERNEL_PUT(&t->edit.out, SpvOpVariable, t->own_pointer, t->base,
                       SpvStorageClassFunction);
        }
        return;
    }
    if (p->is_entry && p->has_label && !p->has_started && in->op != SpvOpVariable) {
        p->has_started = true;
        put_start(t);
    }
    if (in->op == SpvOpFunctionCall) {
        put_call(t, in);
    } else {
        kernel_edit_copy(&t->edit, in);
    }
    put_stores(t, in);
}

static void rewrite(struct tracer *t)
{
    uint32_t offset = SPV_HEADER_WORDS;
    struct spv_inst in;
    struct place p = {.is_entry = false};
    while (spv_next(t->edit.words, t->edit.n_words, &offset, &in)) {
        if (in.op == SpvOpFunction && !p.is_function) {
            kernel_edit_end_declarations(&t->edit);
        }
        if (in.op == SpvOpFunction || p.is_function) {
            put_in_function(t, &in, &p);
        } else {
            kernel_edit_copy_declaration(&t->edit, &in);
        }
    }
}

/* ---- the case ---- */

/* What kinds of numbers are computed, whether by a selection, and which functions are entry points'. */
static void look(struct tracer *t)
{
    uint32_t offset = SPV_HEADER_WORDS, n = 0;
    struct spv_inst in;
    while (spv_next(t->edit.words, t->edit.n_words, &offset, &in)) {
        t->has_select |= in.op == SpvOpSelect;
        if (in.op == SpvOpEntryPoint && in.w[2] < t->tc->module[3]) {
            t->is_entry[in.w[2]] = true;
        }
    }
    bool is_within = false;
    for (offset = SPV_HEADER_WORDS; spv_next(t->edit.words, t->edit.n_words, &offset, &in);) {
        is_within |= in.op == SpvOpFunction;
        struct spv_inst const type = find_scalar(t, &in, &n);
        if (is_within && type.op != SpvOpNop) {
            t->is_used[type.op == SpvOpTypeBool ? SLOT_U32 : find_kind(&type)] = true;
        }
    }
}

static enum res add_buffers(struct tracer *t, struct arena *a, struct kernel_trace *out,
                            struct err *e)
{
    uint32_t const n_items = testcase_get_items(t->tc);
    for (int k = 0; k < SLOT_N; k++) {
        if (!t->is_used[k]) {
            continue;
        }
        if (out->tc.n_bufs >= CASE_MAX_BUFS) {
            return err_set(e, RES_LIMIT, "no buffer is free to store the computed values");
        }
        struct buf *const b = &out->tc.bufs[out->tc.n_bufs++];
        *b = (struct buf){.kind = BUF_STORAGE, .n_bytes = out->n_slots * n_items * slot_bytes[k]};
        b->data = ARENA_NEW(a, unsigned char, b->n_bytes);
        if (!b->data) {
            return err_set(e, RES_NOMEM, "no memory for the computed values");
        }
        memset(b->data, 0, b->n_bytes);
    }
    return out->tc.n_bufs > out->first_buf
               ? RES_OK
               : err_set(e, RES_LIMIT, "the kernel computes no numbers");
}

enum res kernel_trace_make(const struct testcase *tc, struct arena *a, struct kernel_trace *out,
                           struct err *e)
{
    struct tracer t = {.tc = tc, .is_cl = tc->env == ENV_CL, .k = MAX_SHIFT};
    if (!kernel_edit_begin(&t.edit, tc, a)) {
        return err_set(e, RES_NOMEM, "no room for an index of the module");
    }
    uint64_t const n_items = testcase_get_items(tc);
    while (t.k > MIN_SHIFT && n_items * ((1U << t.k) + 1) * 8 > CASE_MAX_BUF_BYTES / 4) {
        t.k--;
    }
    if (!t.edit.entry || n_items * ((1U << t.k) + 1) * 8 > CASE_MAX_BUF_BYTES) {
        return err_set(e, RES_LIMIT, "there are too many invocations to store the values of each");
    }
    t.function_type = ARENA_NEW(a, uint32_t, tc->module[3] + 1);
    t.is_entry = ARENA_NEW(a, bool, tc->module[3] + 1);
    if (!t.function_type || !t.is_entry) {
        return err_set(e, RES_NOMEM, "no room for an index of the module");
    }
    *out = (struct kernel_trace){
        .tc = *tc, .first_buf = tc->n_bufs, .n_slots = (1U << t.k) + 1, .n_ids = tc->module[3]};
    look(&t);
    TRY(add_buffers(&t, a, out, e));
    put_declarations(&t);
    rewrite(&t);
    return kernel_edit_end(&t.edit, a, &out->tc, e);
}

/* ---- what is found ---- */

struct view {
    const struct kernel_trace *t;
    uint32_t invocation;
};

/* Is it in a slot that is looked at? */
static bool is_in_view(const struct view *view, const struct location *at, unsigned n_bits)
{
    const struct kernel_trace *const t = view->t;
    if (at->space != SPACE_BUFFER || at->object < t->first_buf || n_bits < 8) {
        return false;
    }
    return view->invocation == UINT32_MAX ||
           at->offset / (n_bits / 8) / t->n_slots == view->invocation;
}

static unsigned permit_value(void *state, struct judge *j, const struct observed *o, struct val v,
                             bool is_permitted, bool is_agreed)
{
    (void)j;
    (void)v;
    (void)is_permitted;
    (void)is_agreed;
    return is_in_view(state, &o->location, o->n_bits) ? 0 : POLICY_PERMITS;
}

static enum res permit_order(void *state, struct judge *j, const struct cell *c,
                             const struct mo_problem *p, bool is_broken, bool *is_explained,
                             struct err *e)
{
    (void)state;
    (void)j;
    (void)c;
    (void)p;
    (void)is_broken;
    (void)e;
    *is_explained = true;
    return RES_OK;
}

enum res kernel_trace_judge(const struct kernel_trace *t, const struct observation *ob,
                            uint32_t invocation, struct arena *a, struct judgement *out,
                            struct err *e)
{
    struct view view = {t, invocation};
    struct judge_policy const policy = {
        .state = &view, .value = permit_value, .order = permit_order};
    return judge_run_under(&t->tc, ob, &policy, a, out, e);
}

/* The slot of a wrong number; UINT32_MAX: it is in none. */
static uint32_t find_slot(const struct kernel_trace *t, const struct finding *f)
{
    if (verdict_rows[f->kind].part != PART_VIOLATION || !f->expect ||
        f->expect->buf < t->first_buf || f->expect->n_bytes == 0) {
        return UINT32_MAX;
    }
    return f->expect->byte / f->expect->n_bytes % t->n_slots;
}

const struct finding *kernel_trace_find_first(const struct kernel_trace *t,
                                              const struct judgement *g, uint32_t invocation)
{
    const struct finding *first = NULL;
    bool is_own = false;
    for (uint32_t i = 0; i < g->n_findings; i++) {
        const struct finding *const f = &g->findings[i];
        uint32_t const slot = find_slot(t, f);
        bool const is_of_it = f->invocation == invocation;
        bool const is_earlier =
            !first || (is_of_it && !is_own) || (is_of_it == is_own && slot < find_slot(t, first));
        if (slot != UINT32_MAX && is_earlier) {
            first = f;
            is_own = is_of_it;
        }
    }
    return first;
}

uint32_t kernel_trace_locate(const struct kernel_trace *t, uint32_t offset, const uint32_t *words,
                             uint32_t n_words, uint32_t *line)
{
    uint32_t at = offset;
    struct spv_inst in, other;
    bool has_type = false;
    *line = 0;
    if (offset < SPV_HEADER_WORDS || !spv_next(t->tc.module, t->tc.n_words, &at, &in)) {
        return 0;
    }
    uint32_t word = spv_find_result(&in, &has_type);
    uint32_t id = word ? in.w[word] : in.op == SpvOpStore ? spv_get_word(&in, 2) : 0;
    if (id >= t->n_ids && has_type && word + 1 < in.n) { /* a conversion or part of ours: of what */
        id = in.w[word + 1];
    }
    for (at = SPV_HEADER_WORDS; id && spv_next(words, n_words, &at, &other);) {
        if (other.op == SpvOpLine) {
            *line = spv_get_word(&other, 2);
        } else if (other.op == SpvOpNoLine || other.op == SpvOpLabel || other.op == SpvOpFunction) {
            *line = 0;
        }
        uint32_t const result = spv_find_result(&other, &has_type);
        if (result && other.w[result] == id) {
            return other.offset;
        }
    }
    *line = 0;
    return 0;
}
