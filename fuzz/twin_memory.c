/* fuzz/twin_memory.c -- twins whose atomic works on memory of another storage class. */
#include <stdio.h>
#include <string.h>

#include "fuzz/twin_parts.h"

enum {
    SPIRV_1_4 = 0x10400, /* from here on an entry point lists all its variables */
    MAX_NEED = 64
};

/* ---- needs ---- */

/* What the case needs of atomics in one storage class is needed in the other as well. */
static void add_needs(struct twin_edit *e, const char *from, const char *to)
{
    for (int i = 0; i < NEED_N; i++) {
        const char *const id = cap_rows[i].id;
        const char *const at = strstr(id, from);
        char name[MAX_NEED];
        if (at && needs_has(&e->tc->needs, (enum need_id)i)) {
            (void)snprintf(name, sizeof name, "%.*s%s%s", (int)(at - id), id, to,
                           at + strlen(from));
            int const other = need_find(name);
            if (other >= 0) {
                needs_add(&e->out.needs, (enum need_id)other);
            }
        }
    }
}

/* ---- where the atomic works ---- */

static uint32_t *find_pointer(const struct twin_edit *e)
{
    if (!e->culprit || !shrink_grammar_is_atomic(e->culprit->op)) {
        return NULL;
    }
    return &e->culprit->w[e->culprit->op == SpvOpAtomicStore ? 1 : 3];
}

static int is_chain(uint32_t op)
{
    return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpPtrAccessChain ||
           op == SpvOpInBoundsPtrAccessChain;
}

/* The variable that the culprit's pointer leads to, if it is of work-groups. */
static struct shrink_inst *find_variable(const struct twin_edit *e)
{
    const uint32_t *const pointer = find_pointer(e);
    struct shrink_inst *i = pointer ? shrink_module_find(e->m, *pointer) : NULL;
    for (uint32_t n = 0; i && n < e->m->n && (is_chain(i->op) || i->op == SpvOpPtrCastToGeneric);
         n++) {
        i = shrink_module_find(e->m, i->w[3]);
    }
    return i && i->op == SpvOpVariable && i->w[3] == (uint32_t)SpvStorageClassWorkgroup && i->n == 4
               ? i
               : NULL;
}

/* Bytes of a number or an array of them, and the type of an element; 0: it is neither. */
static uint32_t get_bytes(const struct shrink_module *m, uint32_t type, uint32_t *element)
{
    const struct shrink_inst *const t = shrink_module_find(m, type);
    int const is_array = t && t->op == SpvOpTypeArray;
    uint64_t n = 1;
    *element = is_array ? t->w[2] : type;
    if (is_array && (!shrink_module_get_bits(m, t->w[3], &n) || n == 0 || n > CASE_MAX_BUF_BYTES)) {
        return 0;
    }
    uint64_t const n_bytes = n * (shrink_module_get_width(m, *element) / 8);
    return n_bytes > CASE_MAX_BUF_BYTES ? 0 : (uint32_t)n_bytes;
}

/* ---- from a work-group's memory to a buffer ---- */

/* Let all that leads from `root` lead into the other storage class, by the id that stands for it in
 * code. 0: something is done with it that is not understood. */
static int retarget(struct twin_edit *e, uint32_t root, uint32_t id, uint32_t storage)
{
    struct shrink_module *const m = e->m;
    uint8_t *const is_derived = arena_take(e->a, m->n_defs);
    if (!is_derived) {
        return 0;
    }
    is_derived[root] = 1;
    for (uint32_t i = 0; i < m->n; i++) {
        struct shrink_inst *const in = &m->inst[i];
        for (uint32_t k = 1; k < in->n; k++) {
            if (in->role[k] != ROLE_VALUE || in->w[k] >= m->n_defs || !is_derived[in->w[k]]) {
                continue;
            }
            int const is_pointer = (in->op == SpvOpStore && k == 1) || in->op == SpvOpLoad ||
                                   in->op == SpvOpPtrCastToGeneric ||
                                   shrink_grammar_is_atomic(in->op);
            if (in->function != e->culprit->function || !(is_pointer || is_chain(in->op))) {
                return 0;
            }
            if (is_chain(in->op)) {
                const struct shrink_inst *const t = shrink_module_find(m, in->type);
                in->type = in->w[1] = twin_put_pointer(e, storage, t->w[3]);
                is_derived[in->result] = 1;
            }
            in->w[k] = in->w[k] == root ? id : in->w[k];
        }
    }
    return 1;
}

/* What barriers and atomics order of the one they order of the other. */
static void widen_orders(struct shrink_module *m, uint64_t extra)
{
    for (uint32_t i = 0; i < m->n; i++) {
        struct shrink_inst *const in = &m->inst[i];
        for (uint32_t k = 1; k < in->n; k++) {
            uint64_t bits = 0;
            if (in->role[k] == ROLE_SEMANTICS && shrink_module_get_bits(m, in->w[k], &bits) &&
                (bits & SpvMemorySemanticsWorkgroupMemoryMask) != 0) {
                in->w[k] = shrink_module_constant_bits(m, shrink_module_get_type(m, in->w[k]),
                                                       bits | extra);
            }
        }
    }
}

/* OpenCL: one more argument of the kernel. Its id, or 0. */
static uint32_t put_argument(struct twin_edit *e, struct shrink_inst *variable, uint32_t type)
{
    struct shrink_module *const m = e->m;
    uint32_t at = e->culprit->function;
    struct shrink_inst *const function = &m->inst[at];
    const struct shrink_inst *const old = shrink_module_find(m, function->w[4]);
    int is_entry = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        is_entry |= m->inst[i].op == SpvOpEntryPoint && m->inst[i].w[2] == function->result;
        if (m->inst[i].op == SpvOpFunctionCall && m->inst[i].w[3] == function->result) {
            return 0;
        }
    }
    while (m->inst[at].op != SpvOpLabel) {
        at++;
    }
    struct spv_words *const words = shrink_module_insert(m, &m->inst[at]);
    uint32_t *const w = old ? ARENA_NEW(e->a, uint32_t, old->n + 1) : NULL;
    if (!is_entry || !words || !w || m->header[1] >= SPIRV_1_4) {
        return 0;
    }
    uint32_t const pointer = twin_put_pointer(e, SpvStorageClassCrossWorkgroup, type);
    uint32_t const id = shrink_module_new_id(m);
    memcpy(w, old->w + 1, (old->n - 1) * sizeof *w);
    w[0] = shrink_module_new_id(m);
    w[old->n - 1] = pointer;
    spv_put(&m->globals, SpvOpTypeFunction, w, old->n);
    function->w[4] = w[0];
    spv_put(words, SpvOpFunctionParameter, (uint32_t[]){pointer, id}, 2);
    variable->is_dead = 1;
    return id;
}

static uint32_t find_int32(const struct shrink_module *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->inst[i].op == SpvOpTypeInt && m->inst[i].w[2] == 32) {
            return m->inst[i].result;
        }
    }
    return 0;
}

/* Vulkan: the variable becomes a storage buffer with a block around what it was. Id of that. */
static uint32_t put_binding(struct twin_edit *e, struct shrink_inst *v, uint32_t type,
                            uint32_t element)
{
    struct shrink_module *const m = e->m;
    struct spv_words *const types = shrink_module_insert(m, v);
    struct spv_words *const start = twin_insert_start(e);
    uint32_t const index_type = find_int32(m);
    uint32_t const zero = index_type ? shrink_module_constant_bits(m, index_type, 0) : 0;
    if (!types || !start || zero == 0 || shrink_module_get_width(m, element) < 32) {
        return 0;
    }
    uint32_t const storage = SpvStorageClassStorageBuffer;
    uint32_t inner = type;
    uint32_t const block = shrink_module_new_id(m);
    uint32_t const pointer = shrink_module_new_id(m);
    uint32_t const id = shrink_module_new_id(m);
    if (type != element) {
        inner = shrink_module_new_id(m);
        spv_put(types, SpvOpTypeArray,
                (uint32_t[]){inner, element, shrink_module_find(m, type)->w[3]}, 3);
        spv_put(
            &m->annotations, SpvOpDecorate,
            (uint32_t[]){inner, SpvDecorationArrayStride, shrink_module_get_width(m, element) / 8},
            3);
    }
    spv_put(types, SpvOpTypeStruct, (uint32_t[]){block, inner}, 2);
    spv_put(types, SpvOpTypePointer, (uint32_t[]){pointer, storage, block}, 3);
    spv_put(&m->annotations, SpvOpDecorate, (uint32_t[]){block, SpvDecorationBlock}, 2);
    spv_put(&m->annotations, SpvOpMemberDecorate, (uint32_t[]){block, 0, SpvDecorationOffset, 0},
            4);
    spv_put(&m->annotations, SpvOpDecorate, (uint32_t[]){v->result, SpvDecorationDescriptorSet, 0},
            3);
    spv_put(&m->annotations, SpvOpDecorate,
            (uint32_t[]){v->result, SpvDecorationBinding, e->tc->n_bufs}, 3);
    v->type = v->w[1] = pointer;
    v->w[3] = storage;
    spv_put(start, SpvOpAccessChain,
            (uint32_t[]){twin_put_pointer(e, storage, inner), id, v->result, zero}, 4);
    return id;
}

/* With one work-group there is one such memory, and one more buffer can stand for it. */
int twin_global_memory(struct twin_edit *e)
{
    struct shrink_inst *const v = find_variable(e);
    const struct shrink_inst *const t = v ? shrink_module_find(e->m, v->type) : NULL;
    uint32_t element = 0;
    uint32_t const n_bytes = t ? get_bytes(e->m, t->w[3], &element) : 0;
    if (n_bytes == 0 || testcase_get_groups(e->tc) != 1 || e->tc->n_bufs == CASE_MAX_BUFS) {
        return 0;
    }
    int const is_cl = e->tc->env == ENV_CL;
    uint32_t const root = v->result;
    uint32_t const id = is_cl ? put_argument(e, v, t->w[3]) : put_binding(e, v, t->w[3], element);
    uint32_t const storage =
        is_cl ? (uint32_t)SpvStorageClassCrossWorkgroup : (uint32_t)SpvStorageClassStorageBuffer;
    struct buf *const b = &e->out.bufs[e->out.n_bufs++];
    *b = (struct buf){.kind = BUF_STORAGE, .n_bytes = (n_bytes + 3) & ~3U};
    b->data = arena_take(e->a, b->n_bytes);
    if (id == 0 || !b->data || !retarget(e, root, id, storage)) {
        return 0;
    }
    widen_orders(e->m, is_cl ? (uint64_t)SpvMemorySemanticsCrossWorkgroupMemoryMask
                             : (uint64_t)SpvMemorySemanticsUniformMemoryMask);
    add_needs(e, is_cl ? "LOCAL" : "SHARED", is_cl ? "GLOBAL" : "BUFFER");
    e->text = "in global memory in place of workgroup memory";
    return 1;
}

/* ---- from a buffer to a work-group's memory ---- */

/* 0: no memory. */
static int list_variable(struct twin_edit *e, uint32_t id)
{
    for (uint32_t i = 0; i < e->m->n; i++) {
        struct shrink_inst *const in = &e->m->inst[i];
        uint32_t *const w = in->op == SpvOpEntryPoint ? ARENA_NEW(e->a, uint32_t, in->n + 1) : NULL;
        uint8_t *const role = w ? arena_take(e->a, in->n + 1) : NULL;
        if (in->op != SpvOpEntryPoint) {
            continue;
        }
        if (!role) {
            return 0;
        }
        memcpy(w, in->w, in->n * sizeof *w);
        memcpy(role, in->role, in->n);
        w[in->n] = id;
        role[in->n] = ROLE_TARGET;
        in->w = w;
        in->role = role;
        in->n++;
    }
    return 1;
}

/* One invocation may carry its value there and back. */
int twin_workgroup_memory(struct twin_edit *e)
{
    struct shrink_module *const m = e->m;
    uint32_t *const pointer = find_pointer(e);
    const struct shrink_inst *const t =
        pointer ? shrink_module_find(m, shrink_module_get_type(m, *pointer)) : NULL;
    if (!t || t->op != SpvOpTypePointer || testcase_get_items(e->tc) != 1 ||
        (t->w[2] != (uint32_t)SpvStorageClassCrossWorkgroup &&
         t->w[2] != (uint32_t)SpvStorageClassStorageBuffer) ||
        shrink_module_get_width(m, t->w[3]) == 0) {
        return 0;
    }
    uint32_t const type = t->w[3];
    uint32_t const id = *pointer;
    uint32_t const variable_type = twin_put_pointer(e, SpvStorageClassWorkgroup, type);
    uint32_t const v = shrink_module_new_id(m);
    uint32_t const before = shrink_module_new_id(m);
    uint32_t const after = shrink_module_new_id(m);
    struct spv_words *const words = shrink_module_insert(m, e->culprit);
    struct spv_words *const behind = shrink_module_insert(m, e->culprit + 1);
    if (!words || !behind || (m->header[1] >= SPIRV_1_4 && !list_variable(e, v))) {
        return 0;
    }
    spv_put(&m->globals, SpvOpVariable, (uint32_t[]){variable_type, v, SpvStorageClassWorkgroup},
            3);
    spv_put(words, SpvOpLoad, (uint32_t[]){type, before, id}, 3);
    spv_put(words, SpvOpStore, (uint32_t[]){v, before}, 2);
    spv_put(behind, SpvOpLoad, (uint32_t[]){type, after, v}, 3);
    spv_put(behind, SpvOpStore, (uint32_t[]){id, after}, 2);
    *pointer = v;
    add_needs(e, e->tc->env == ENV_CL ? "GLOBAL" : "BUFFER",
              e->tc->env == ENV_CL ? "LOCAL" : "SHARED");
    e->text = "in workgroup memory in place of global memory";
    return 1;
}
