/* fuzz/variant/variant_memory.c -- variants whose atomic works on memory of another storage class. */
#include "fuzz/variant/variant_edit.h"

#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/reduce/shrink_grammar.h"
#include "fuzz/reduce/shrink_module.h"

enum {
    HEADER_VERSION = 1,  /* word of the header */
    SPIRV_1_4 = 0x10400, /* from here on an entry point lists all its variables */
    MAX_NEED = 64
};

/* ---- needs ---- */

/* What the case needs of atomics in one storage class is needed in the other as well. */
static void add_needs(struct variant_edit *e, const char *from, const char *to)
{
    for (int i = 0; i < NEED_N; i++) {
        const char *const id = cap_rows[i].id;
        const char *const at = strstr(id, from);
        if (at && needs_has(&e->tc->needs, (enum need_id)i)) {
            char name[MAX_NEED];
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

/* Storage class of buffers. */
static uint32_t get_buffer_storage(const struct variant_edit *e)
{
    return e->tc->env == ENV_CL ? (uint32_t)SpvStorageClassCrossWorkgroup
                                : (uint32_t)SpvStorageClassStorageBuffer;
}

/* Word of an atomic's pointer; behind it comes its scope. OpAtomicStore has no result before them. */
static uint32_t pointer_word(uint32_t op)
{
    return op == SpvOpAtomicStore ? 1 : SHRINK_OPERANDS;
}

static const uint32_t *find_pointer(const struct variant_edit *e)
{
    if (!e->culprit || !shrink_grammar_is_atomic(e->culprit->op)) {
        return NULL;
    }
    return &e->culprit->w[pointer_word(e->culprit->op)];
}

static bool is_chain(uint32_t op)
{
    return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpPtrAccessChain ||
           op == SpvOpInBoundsPtrAccessChain;
}

/* The variable that the culprit's pointer leads to, if it is of work-groups. */
static struct shrink_inst *find_variable(const struct variant_edit *e)
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
    bool const is_array = t && t->op == SpvOpTypeArray;
    uint64_t n = 1;
    *element = is_array ? t->w[2] : type;
    if (is_array && (!shrink_module_get_bits(m, t->w[3], &n) || n == 0 || n > CASE_MAX_BUF_BYTES)) {
        return 0;
    }
    uint64_t const n_bytes = n * (shrink_module_get_width(m, *element) / 8);
    return n_bytes > CASE_MAX_BUF_BYTES ? 0 : (uint32_t)n_bytes;
}

/* ---- plain accesses ---- */

/* In buffers plain and atomic accesses of one place do not mix: what is plain becomes atomic, in the
 * scope of the culprit. */
struct access {
    uint32_t scope, relaxed; /* ids */
};

static struct access find_access(struct variant_edit *e)
{
    struct shrink_inst *const i = e->culprit;
    uint32_t const scope = i->w[pointer_word(i->op) + 1];
    uint32_t const type = shrink_module_get_type(e->m, scope);
    return (struct access){.scope = scope,
                           .relaxed = type ? shrink_module_constant_bits(e->m, type, 0) : 0};
}

/* Add the need for plain loads and stores of this type in buffers, where the type and the environment have
 * one: the change puts such accesses there. */
static void add_access_need(struct variant_edit *e, uint32_t type)
{
    static const struct {
        enum env env;
        unsigned width;
        enum need_id need;
    } needs[] = {
        {ENV_CL, 16, NEED_CL_F16_GLOBAL_LS},
        {ENV_CL, 64, NEED_CL_F64_ATOMIC_LS},
        {ENV_VK, 16, NEED_VK_F16_BUFFER_LS},
        {ENV_VK, 32, NEED_VK_F32_BUFFER_LS},
        {ENV_VK, 64, NEED_VK_F64_BUFFER_LS},
    };
    const struct shrink_inst *const t = shrink_module_find(e->m, type);
    for (size_t i = 0; t && t->op == SpvOpTypeFloat && i < ARRAY_N(needs); i++) {
        if (needs[i].env == e->tc->env && needs[i].width == shrink_module_get_width(e->m, type)) {
            needs_add(&e->out.needs, needs[i].need);
        }
    }
}

/* Make a load or store atomic. False: it is of something that atomics do not take. */
static bool make_atomic(struct variant_edit *e, struct shrink_inst *i, const struct access *x)
{
    bool const is_load = i->op == SpvOpLoad;
    uint32_t const type = is_load ? i->type : shrink_module_get_type(e->m, i->w[2]);
    if (shrink_module_get_width(e->m, type) == 0) {
        return false;
    }
    add_access_need(e, type);
    if (is_load) {
        uint32_t const load[] = {i->w[3], x->scope, x->relaxed};
        return shrink_module_become(e->m, i, SpvOpAtomicLoad, load, ARRAY_N(load));
    }
    uint32_t const store[] = {i->w[1], x->scope, x->relaxed, i->w[2]};
    return shrink_module_become(e->m, i, SpvOpAtomicStore, store, ARRAY_N(store));
}

/* All accesses by pointers into a storage class, which are not of arrays. */
static bool make_all_atomic(struct variant_edit *e, uint32_t storage, const struct access *x)
{
    for (uint32_t i = 0; i < e->m->n; i++) {
        struct shrink_inst *const in = &e->m->inst[i];
        bool const is_access = in->op == SpvOpLoad || in->op == SpvOpStore;
        uint32_t const pointer = is_access ? in->w[in->op == SpvOpLoad ? 3 : 1] : 0;
        const struct shrink_inst *const t =
            is_access ? shrink_module_find(e->m, shrink_module_get_type(e->m, pointer)) : NULL;
        if (t && t->op == SpvOpTypePointer && t->w[2] == storage && !make_atomic(e, in, x)) {
            return false;
        }
    }
    return true;
}

/* ---- from the memory of work-groups to buffers ---- */

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

/* Index of the function that instruction `i` makes an entry point; SHRINK_NONE: it is no such instruction, or
 * another before it names the same. */
static uint32_t find_entry(const struct shrink_module *m, uint32_t i)
{
    uint32_t const id = m->inst[i].op == SpvOpEntryPoint ? m->inst[i].w[2] : 0;
    for (uint32_t k = 0; k < i; k++) {
        if (m->inst[k].op == SpvOpEntryPoint && m->inst[k].w[2] == id) {
            return SHRINK_NONE;
        }
    }
    const struct shrink_inst *const function = id != 0 ? shrink_module_find(m, id) : NULL;
    return function && function->op == SpvOpFunction ? function->function : SHRINK_NONE;
}

/* Replace the id `from` by `to` in one function. */
static void replace_in_function(struct shrink_module *m, uint32_t function, uint32_t from,
                                uint32_t to)
{
    for (uint32_t i = function; i < m->n && m->inst[i].function == function; i++) {
        for (uint32_t k = 1; k < m->inst[i].n; k++) {
            if (m->inst[i].role[k] == ROLE_VALUE && m->inst[i].w[k] == from) {
                m->inst[i].w[k] = to;
            }
        }
    }
}

/* The words of a function type, of the module or made here. False: there is none. */
static bool find_function_type(const struct shrink_module *m, uint32_t id, struct spv_inst *out)
{
    const struct shrink_inst *const type = shrink_module_find(m, id);
    uint32_t offset = 0;
    if (type) {
        *out = (struct spv_inst){.w = type->w, .op = type->op, .n = type->n};
        return type->op == SpvOpTypeFunction;
    }
    while (spv_next(m->globals.w, m->globals.n, &offset, out)) {
        if (out->op == SpvOpTypeFunction && out->w[1] == id) {
            return true;
        }
    }
    return false;
}

/* The id of a function type with these operands, the first of which is left for its own id: one that was made
 * here, or one that is made now. So no two kernels have equal types. */
static uint32_t put_function_type(struct shrink_module *m, uint32_t *operands, uint32_t n)
{
    struct spv_inst in;
    uint32_t offset = 0;
    while (spv_next(m->globals.w, m->globals.n, &offset, &in)) {
        if (in.op == SpvOpTypeFunction && in.n == n + 1 &&
            memcmp(in.w + 2, operands + 1, (n - 1) * sizeof *operands) == 0) {
            return in.w[1];
        }
    }
    operands[0] = shrink_module_new_id(m);
    spv_put(&m->globals, SpvOpTypeFunction, operands, n);
    return operands[0];
}

/* Give an OpenCL kernel one additional parameter, a pointer of type `pointer`, which replaces a
 * variable. Returns its id, or 0. The kernel gets a function type of its own: a copy of the old
 * type with a new id and the pointer at the end. From SPIR-V 1.4 on the entry point lists the
 * variable, and a parameter must not be listed, so 0 is returned. */
static uint32_t put_argument(struct variant_edit *e, uint32_t entry, uint32_t pointer)
{
    struct shrink_module *const m = e->m;
    uint32_t *const kernel_type =
        &m->inst[entry].w[4]; /* OpFunction: Type, Result, Control, this */
    struct spv_inst old;
    uint32_t first_label = entry;
    while (first_label < m->n && m->inst[first_label].op != SpvOpLabel) {
        first_label++;
    }
    if (first_label == m->n || m->header[HEADER_VERSION] >= SPIRV_1_4 ||
        !find_function_type(m, *kernel_type, &old)) {
        return 0;
    }
    struct spv_words *const parameters = shrink_module_insert(m, &m->inst[first_label]);
    uint32_t *const operands = ARENA_NEW(e->a, uint32_t, old.n);
    if (!parameters || !operands) {
        return 0;
    }
    uint32_t const n_old = old.n - 1U; /* without the word of the opcode */
    uint32_t const parameter = shrink_module_new_id(m);
    memcpy(operands, old.w + 1, n_old * sizeof *operands);
    operands[n_old] = pointer;
    *kernel_type = put_function_type(m, operands, n_old + 1);
    spv_put(parameters, SpvOpFunctionParameter, (uint32_t[]){pointer, parameter}, 2);
    return parameter;
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

static bool has_stride(const struct shrink_module *m, uint32_t type)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpDecorate && in->w[1] == type &&
            in->w[2] == (uint32_t)SpvDecorationArrayStride) {
            return true;
        }
    }
    return false;
}

/* Vulkan: turn the work-group variable v into a storage buffer with the number after the case's
 * last one. Such a buffer must be a struct, so the variable's type becomes the only member of a new
 * block. Returns the id of the constant 0 that selects the member; 0: it cannot be done. `type` is
 * that of the variable, `element` that of its elements if it is an array. */
static uint32_t put_binding(struct variant_edit *e, struct shrink_inst *v, uint32_t type,
                            uint32_t element)
{
    struct shrink_module *const m = e->m;
    struct spv_words *const types = shrink_module_insert(m, v);
    uint32_t const index_type = find_int32(m);
    uint32_t const zero = index_type ? shrink_module_constant_bits(m, index_type, 0) : 0;
    /* Elements of less than 32 bits in a buffer need a capability, which the case may not have. */
    if (!types || zero == 0 || shrink_module_get_width(m, element) < 32) {
        return 0;
    }
    uint32_t const storage = SpvStorageClassStorageBuffer;
    uint32_t const stride = shrink_module_get_width(m, element) / 8;
    uint32_t const block = shrink_module_new_id(m);
    uint32_t const pointer = shrink_module_new_id(m);
    struct spv_words *const annotations = &m->annotations;
    if (type != element && !has_stride(m, type)) {
        spv_put(annotations, SpvOpDecorate, (uint32_t[]){type, SpvDecorationArrayStride, stride},
                3);
    }
    spv_put(types, SpvOpTypeStruct, (uint32_t[]){block, type}, 2);
    spv_put(types, SpvOpTypePointer, (uint32_t[]){pointer, storage, block}, 3);
    spv_put(annotations, SpvOpDecorate, (uint32_t[]){block, SpvDecorationBlock}, 2);
    spv_put(annotations, SpvOpMemberDecorate, (uint32_t[]){block, 0, SpvDecorationOffset, 0}, 4);
    spv_put(annotations, SpvOpDecorate, (uint32_t[]){v->result, SpvDecorationDescriptorSet, 0}, 3);
    spv_put(annotations, SpvOpDecorate,
            (uint32_t[]){v->result, SpvDecorationBinding, e->out.n_bufs}, 3);
    v->type = v->w[1] = pointer; /* words of OpVariable: its type, and its storage class */
    v->w[3] = storage;
    return zero;
}

/* Vulkan: at the start of an entry point a pointer to the only member of the block v, which takes the place of
 * the variable; its id, or 0. */
static uint32_t put_member(struct variant_edit *e, uint32_t entry, const struct shrink_inst *v,
                           uint32_t pointer, uint32_t zero)
{
    struct spv_words *const start = variant_insert_start(e, entry);
    uint32_t const member = shrink_module_new_id(e->m);
    if (!start) {
        return 0;
    }
    spv_put(start, SpvOpAccessChain, (uint32_t[]){pointer, member, v->result, zero}, 4);
    return member;
}

/* Replace a variable in work-group memory by a buffer of zeros, in each entry point, because those that
 * are not run may use the variable as well. In OpenCL the buffer is an additional argument; in
 * Vulkan the variable itself becomes a binding. In each entry point another pointer takes the place of the
 * variable's id: the new parameter, or a pointer to the member of the binding's block. False: it cannot be done. */
static bool move_variable(struct variant_edit *e, struct shrink_inst *v)
{
    enum {
        POINTEE = 3,             /* word of OpTypePointer */
        PLAIN_VARIABLE_WORDS = 4 /* of OpVariable without initializer: a buffer cannot have one */
    };
    struct shrink_module *const m = e->m;
    bool const is_cl = e->tc->env == ENV_CL;
    uint32_t const pointer = v->type; /* the caller has given it the storage class of buffers */
    uint32_t const type = shrink_module_find(m, pointer)->w[POINTEE];
    uint32_t element = 0; /* becomes the elements' type, or `type` where that is no array */
    uint32_t const n_bytes = (get_bytes(m, type, &element) + 3) & ~3U; /* whole words */
    if (n_bytes == 0 || v->n != PLAIN_VARIABLE_WORDS || e->out.n_bufs == CASE_MAX_BUFS) {
        return false;
    }
    /* Vulkan: this turns v itself into the binding, and gives the index of the block's member. */
    uint32_t const zero = is_cl ? 0 : put_binding(e, v, type, element);
    if (!is_cl && zero == 0) {
        return false;
    }
    uint32_t n_entries = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t const entry = find_entry(m, i);
        if (entry == SHRINK_NONE) { /* no OpEntryPoint, or its function was seen before */
            continue;
        }
        uint32_t const id =
            is_cl ? put_argument(e, entry, pointer) : put_member(e, entry, v, pointer, zero);
        if (id == 0) {
            return false;
        }
        replace_in_function(m, entry, v->result, id);
        n_entries++;
    }
    struct buf *const b = &e->out.bufs[e->out.n_bufs++];
    *b = (struct buf){.kind = BUF_STORAGE, .n_bytes = n_bytes};
    b->data = arena_take(e->a, n_bytes); /* zeros */
    v->is_dead = is_cl;                  /* in Vulkan it is the binding and stays */
    return n_entries > 0 && b->data != NULL;
}

/* Replace all variables in work-group memory by buffers. The dispatch must have a single work-group: then one
 * buffer for each variable is enough. All pointers into the one storage class become pointers into the other. */
bool variant_global_memory(struct variant_edit *e)
{
    struct shrink_module *const m = e->m;
    bool const is_cl = e->tc->env == ENV_CL;
    uint32_t const from = SpvStorageClassWorkgroup;
    uint32_t const to = get_buffer_storage(e);
    if (!find_variable(e) || testcase_get_groups(e->tc) != 1) {
        return false;
    }
    struct access const access = find_access(e);
    /* relaxed is an id; 0: the constants that an atomic access needs cannot be made. */
    if (access.relaxed == 0 || !make_all_atomic(e, from, &access)) {
        return false;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        struct shrink_inst *const in = &m->inst[i];
        if (in->op == SpvOpTypePointer && in->w[2] == from) {
            in->w[2] = to;
        } else if (in->op == SpvOpVariable && in->w[3] == from && !move_variable(e, in)) {
            return false;
        }
    }
    widen_orders(m, is_cl ? (uint64_t)SpvMemorySemanticsCrossWorkgroupMemoryMask
                          : (uint64_t)SpvMemorySemanticsUniformMemoryMask);
    add_needs(e, is_cl ? "LOCAL" : "SHARED", is_cl ? "GLOBAL" : "BUFFER");
    e->text = "in global memory in place of workgroup memory";
    return true;
}

/* ---- from a buffer to a work-group's memory ---- */

/* List a variable in the interface of each entry point. False: no memory. */
static bool list_variable(struct variant_edit *e, uint32_t id)
{
    for (uint32_t i = 0; i < e->m->n; i++) {
        struct shrink_inst *const in = &e->m->inst[i];
        if (in->op != SpvOpEntryPoint) {
            continue;
        }
        uint32_t *const w = ARENA_NEW(e->a, uint32_t, in->n + 1);
        uint8_t *const role = arena_take(e->a, in->n + 1);
        if (!w || !role) {
            return false;
        }
        memcpy(w, in->w, in->n * sizeof *w);
        memcpy(role, in->role, in->n);
        w[in->n] = id;
        role[in->n] = ROLE_TARGET;
        in->w = w;
        in->role = role;
        in->n++;
    }
    return true;
}

/* A variable in work-group memory for a value of that type; its id, or 0. */
static uint32_t put_variable(struct variant_edit *e, uint32_t type)
{
    uint32_t const pointer = variant_put_pointer(e, SpvStorageClassWorkgroup, type);
    uint32_t const id = shrink_module_new_id(e->m);
    spv_put(&e->m->globals, SpvOpVariable, (uint32_t[]){pointer, id, SpvStorageClassWorkgroup}, 3);
    return e->m->header[HEADER_VERSION] < SPIRV_1_4 || list_variable(e, id) ? id : 0;
}

/* Let one atomic work on the variable: the value is copied there from the buffer before the atomic, and back after it.
 * False: no memory. */
static bool copy_around(struct variant_edit *e, struct shrink_inst *i, uint32_t variable,
                        uint32_t type, const struct access *x)
{
    uint32_t *const pointer = &i->w[pointer_word(i->op)];
    uint32_t const before = shrink_module_new_id(e->m);
    uint32_t const after = shrink_module_new_id(e->m);
    struct spv_words *const words = shrink_module_insert(e->m, i);
    struct spv_words *const behind = shrink_module_insert(e->m, i + 1);
    if (!words || !behind) {
        return false;
    }
    spv_put(words, SpvOpAtomicLoad, (uint32_t[]){type, before, *pointer, x->scope, x->relaxed}, 5);
    spv_put(words, SpvOpStore, (uint32_t[]){variable, before}, 2);
    spv_put(behind, SpvOpLoad, (uint32_t[]){type, after, variable}, 3);
    spv_put(behind, SpvOpAtomicStore, (uint32_t[]){*pointer, x->scope, x->relaxed, after}, 4);
    *pointer = variable;
    return true;
}

/* The type of the culprit's pointer, if that is one to a number in a buffer; 0: it is none. */
static uint32_t find_buffer_pointer(const struct variant_edit *e)
{
    const uint32_t *const pointer = find_pointer(e);
    uint32_t const type = pointer ? shrink_module_get_type(e->m, *pointer) : 0;
    const struct shrink_inst *const t = shrink_module_find(e->m, type);
    bool const is_buffer = t && t->op == SpvOpTypePointer && t->w[2] == get_buffer_storage(e);
    return is_buffer && shrink_module_get_width(e->m, t->w[3]) != 0 ? type : 0;
}

/* Let the culprit, and each instruction with its opcode and its type of pointer, work on a
 * variable in work-group memory instead of the buffer. The dispatch must have a single invocation,
 * which can copy the value there and back. */
bool variant_workgroup_memory(struct variant_edit *e)
{
    struct shrink_module *const m = e->m;
    bool const is_cl = e->tc->env == ENV_CL;
    uint32_t const pointer_type = find_buffer_pointer(e);
    if (pointer_type == 0 || testcase_get_items(e->tc) != 1) {
        return false;
    }
    struct access const access = find_access(e);
    if (access.relaxed == 0) { /* an id: the constant that copy_around needs cannot be made */
        return false;
    }
    uint32_t const type = shrink_module_find(m, pointer_type)->w[3]; /* what it points to */
    uint32_t const op = e->culprit->op;
    uint32_t const variable = put_variable(e, type);
    if (variable == 0) {
        return false;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        struct shrink_inst *const in = &m->inst[i];
        if (in->op == op && shrink_module_get_type(m, in->w[pointer_word(op)]) == pointer_type &&
            !copy_around(e, in, variable, type, &access)) {
            return false;
        }
    }
    add_needs(e, is_cl ? "GLOBAL" : "BUFFER", is_cl ? "LOCAL" : "SHARED");
    add_access_need(e, type);
    e->text = "in workgroup memory in place of global memory";
    return true;
}
