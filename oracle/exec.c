/* oracle/exec.c -- the interpreter's engine: control flow, addresses, loads and stores. */
#include "oracle/exec.h"

#include <string.h>

enum {
    PLACE_OFFSET_BITS = 32,
    PLACE_OBJECT_BITS = 24
};
enum {
    MAX_PHIS = 64
}; /* at one label */

uint64_t place_pack(struct place p)
{
    return (uint64_t)p.space << (PLACE_OFFSET_BITS + PLACE_OBJECT_BITS) |
           (uint64_t)p.object << PLACE_OFFSET_BITS | p.offset;
}

struct place place_unpack(uint64_t bits)
{
    return (struct place){
        .space = (enum space)(bits >> (PLACE_OFFSET_BITS + PLACE_OBJECT_BITS) & 7),
        .object = (uint32_t)(bits >> PLACE_OFFSET_BITS & ((1U << PLACE_OBJECT_BITS) - 1)),
        .offset = (uint32_t)bits};
}

static int stop(struct exec *x, const char *why)
{
    if (!x->stop) {
        x->stop = why;
    }
    return 0;
}

static const struct mod_type *type_of(const struct exec *x, uint32_t id)
{
    return &x->m->ids[id < x->m->n_ids ? id : 0].t;
}

int exec_is_float_type(const struct exec *x, uint32_t type)
{
    return module_get_format(x->m, type) >= 0;
}

struct val exec_new_abstract(struct exec *x)
{
    if (x->n_pool == x->cap_pool) {
        uint32_t const cap = x->cap_pool ? x->cap_pool * 2 : 1024;
        struct abstract *pool = ARENA_NEW(x->a, struct abstract, cap);
        if (!pool) {
            (void)stop(x, "arena full");
            return (struct val){0};
        }
        if (x->n_pool) {
            memcpy(pool, x->pool, sizeof *pool * x->n_pool);
        }
        x->pool = pool;
        x->cap_pool = cap;
        x->n_pool = x->n_pool ? x->n_pool : 1;
    }
    x->pool[x->n_pool] = (struct abstract){.grade = GRADE_UNDEFINED};
    return (struct val){.abs = x->n_pool++};
}

enum res exec_init(struct exec *x, const struct module *m, const struct testcase *tc,
                   const struct exec_hooks *hooks, void *user, struct arena *a, struct err *e)
{
    *x = (struct exec){.m = m,
                       .tc = tc,
                       .hooks = hooks,
                       .user = user,
                       .a = a,
                       .n_groups = 1,
                       .n_items = 1,
                       .stop = m->unsupported};
    for (int d = 0; d < 3; d++) {
        x->group_count[d] = (tc->global[d] + tc->local[d] - 1) / tc->local[d];
        x->n_groups *= x->group_count[d];
        x->n_items *= tc->global[d];
    }
    for (uint32_t i = 1; i < m->n_ids; i++) {
        const struct mod_id *id = &m->ids[i];
        if (!(id->flags & ID_VARIABLE) || id->def != UINT32_MAX || id->n_slots == 0) {
            continue;
        }
        uint32_t const storage = type_of(x, id->type)->storage;
        struct place p = {.space = SPACE_BUFFER, .object = id->object};
        if (storage == SpvStorageClassWorkgroup) {
            p.space = SPACE_WORKGROUP;
        } else if (storage == SpvStorageClassInput) {
            p = (struct place){.space = SPACE_BUILTIN, .object = id->builtin};
        }
        m->consts[id->slot].bits = place_pack(p);
    }
    struct val const first = exec_new_abstract(x); /* entry 1: never used, 0 means exact */
    return first.abs ? RES_OK : err_set(e, RES_NOMEM, "interpreter: arena full");
}

static void group_position(const struct exec *x, uint32_t group, uint32_t id[3], uint32_t size[3])
{
    for (int d = 0; d < 3; d++) {
        id[d] = group % x->group_count[d];
        group /= x->group_count[d];
        uint32_t const rest = x->tc->global[d] - id[d] * x->tc->local[d];
        size[d] = rest < x->tc->local[d] ? rest : x->tc->local[d];
    }
}

uint32_t exec_group_items(const struct exec *x, uint32_t group)
{
    uint32_t id[3], size[3];
    group_position(x, group, id, size);
    return size[0] * size[1] * size[2];
}

void exec_start_group(struct exec *x, uint32_t group, struct invocation *inv)
{
    uint32_t id[3], size[3];
    group_position(x, group, id, size);
    uint32_t const n = size[0] * size[1] * size[2];
    const uint32_t *g = x->tc->global;
    for (uint32_t i = 0; i < n; i++) {
        struct val *regs = inv[i].regs, *func = inv[i].func;
        inv[i] = (struct invocation){.regs = regs,
                                     .func = func,
                                     .local_index = i,
                                     .group_index = group,
                                     .pc = x->m->entry + 1};
        uint32_t rest = i;
        for (int d = 0; d < 3; d++) {
            inv[i].local_id[d] = rest % size[d];
            rest /= size[d];
            inv[i].group_id[d] = id[d];
            inv[i].global_id[d] = id[d] * x->tc->local[d] + inv[i].local_id[d];
        }
        inv[i].global_index =
            (inv[i].global_id[2] * g[1] + inv[i].global_id[1]) * g[0] + inv[i].global_id[0];
        memset(regs, 0, sizeof *regs * x->m->n_regs);
        memset(func, 0, sizeof *func * x->m->n_func_objects);
        for (; x->m->code[inv[i].pc].op == SpvOpFunctionParameter; inv[i].pc++) {
            const struct mod_id *arg = &x->m->ids[x->m->code[inv[i].pc].result];
            exec_reg(x, &inv[i], x->m->code[inv[i].pc].result)->bits =
                place_pack((struct place){.space = SPACE_BUFFER, .object = arg->object});
        }
    }
}

/* Component c of a builtin variable. */
static int read_builtin(struct exec *x, const struct invocation *inv, uint32_t builtin, uint32_t c,
                        struct val *out)
{
    uint32_t id[3], size[3];
    *out = (struct val){0};
    if (c > 2) {
        return stop(x, "a builtin's fourth component");
    }
    switch (builtin) {
    case SpvBuiltInGlobalInvocationId:
        out->bits = inv->global_id[c];
        return 1;
    case SpvBuiltInLocalInvocationId:
        out->bits = inv->local_id[c];
        return 1;
    case SpvBuiltInWorkgroupId:
        out->bits = inv->group_id[c];
        return 1;
    case SpvBuiltInNumWorkgroups:
        out->bits = x->group_count[c];
        return 1;
    case SpvBuiltInGlobalSize:
        out->bits = x->tc->global[c];
        return 1;
    case SpvBuiltInWorkgroupSize:
        group_position(x, inv->group_index, id, size);
        out->bits = size[c];
        return 1;
    case SpvBuiltInEnqueuedWorkgroupSize:
        out->bits = x->tc->local[c];
        return 1;
    case SpvBuiltInLocalInvocationIndex:
        out->bits = inv->local_index;
        return 1;
    case SpvBuiltInGlobalLinearId:
        out->bits = inv->global_index;
        return 1;
    default:
        return stop(x, "a builtin that is not interpreted");
    }
}

/* The place that a pointer operand names. */
static int get_place(struct exec *x, const struct invocation *inv, uint32_t id, struct place *out)
{
    uint64_t bits;
    if (id >= x->m->n_ids || x->m->ids[id].n_slots == 0) {
        return stop(x, "a pointer that has no value");
    }
    if (!exec_known(x, *exec_reg(x, inv, id), &bits)) {
        return stop(x, "an address that depends on an undetermined value");
    }
    *out = place_unpack(bits);
    return 1;
}

/* Is the access inside its object? */
static int check_bounds(struct exec *x, struct place p, unsigned n_bits)
{
    uint64_t const end = (uint64_t)p.offset + n_bits / 8;
    uint64_t limit = 0;
    if (p.space == SPACE_BUFFER && p.object < x->tc->n_bufs) {
        limit = x->tc->bufs[p.object].n_bytes;
    } else if (p.space == SPACE_WORKGROUP && p.object < x->m->n_wg_objects) {
        limit = x->m->wg_size[p.object];
    }
    if (end > limit || n_bits < 8 || p.offset % (n_bits / 8) != 0) {
        return stop(x, "an access out of bounds or unaligned");
    }
    return 1;
}

static int run_load(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct place p;
    if (!get_place(x, inv, in->n > 3 ? in->w[3] : 0, &p)) {
        return 0;
    }
    const struct mod_id *id = &x->m->ids[in->result];
    struct val *out = exec_reg(x, inv, in->result);
    const struct mod_type *t = type_of(x, in->type);
    if (p.space == SPACE_FUNCTION) {
        if (type_of(x, x->m->ids[in->w[3]].type)->elem != in->type) {
            return stop(x, "a load of another type than the variable's");
        }
        *out = inv->func[p.object];
        return 1;
    }
    for (uint32_t c = 0; c < id->n_slots; c++) {
        if (p.space == SPACE_BUILTIN) {
            if (!read_builtin(x, inv, p.object, p.offset + c, &out[c])) {
                return 0;
            }
            continue;
        }
        if (t->kind != TK_INT && t->kind != TK_FLOAT && t->kind != TK_VECTOR) {
            return stop(x, "a load of a type that is not interpreted");
        }
        if (!check_bounds(x, p, t->bits) || !x->hooks->load(x, inv, in, p, t->bits, &out[c])) {
            return 0;
        }
        p.offset += t->bits / 8;
    }
    return 1;
}

static int run_store(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct place p;
    if (in->n < 3 || !get_place(x, inv, in->w[1], &p)) {
        return stop(x, "a store without operands");
    }
    const struct mod_id *id = &x->m->ids[in->w[2] < x->m->n_ids ? in->w[2] : 0];
    const struct mod_type *t = type_of(x, id->type);
    if (id->n_slots == 0) {
        return stop(x, "a store of something that has no value");
    }
    const struct val *v = exec_reg(x, inv, in->w[2]);
    if (p.space == SPACE_FUNCTION) {
        if (type_of(x, x->m->ids[in->w[1]].type)->elem != id->type) {
            return stop(x, "a store of another type than the variable's");
        }
        inv->func[p.object] = *v;
        return 1;
    }
    for (uint32_t c = 0; c < id->n_slots; c++) {
        if (t->kind != TK_INT && t->kind != TK_FLOAT && t->kind != TK_VECTOR) {
            return stop(x, "a store of a type that is not interpreted");
        }
        if (!check_bounds(x, p, t->bits) || !x->hooks->store(x, inv, in, p, t->bits, v[c])) {
            return 0;
        }
        p.offset += t->bits / 8;
    }
    return 1;
}

static int run_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    int const is_store = in->op == SpvOpAtomicStore;
    uint32_t const ptr = is_store ? (in->n > 4 ? in->w[1] : 0) : (in->n > 5 ? in->w[3] : 0);
    struct place p;
    if (!get_place(x, inv, ptr, &p)) {
        return 0;
    }
    uint32_t const value = is_store ? in->w[4] : in->result;
    uint32_t const type = x->m->ids[value < x->m->n_ids ? value : 0].type;
    const struct mod_type *t = type_of(x, type);
    if (t->kind != TK_INT && t->kind != TK_FLOAT) {
        return stop(x, "an atomic on something that is no scalar");
    }
    return check_bounds(x, p, t->bits) && x->hooks->atomic(x, inv, in, p);
}

/* One index of an access chain applied to *type and *p. */
static int step_into(struct exec *x, uint32_t *type, struct place *p, uint64_t index)
{
    if (*type >= x->m->n_ids) {
        return stop(x, "an access chain into no type");
    }
    const struct mod_type *t = type_of(x, *type);
    uint32_t const stride = x->m->ids[*type].stride;
    uint64_t offset = p->offset;
    switch (t->kind) {
    case TK_STRUCT:
        if (index != 0 || t->n_members != 1) {
            return stop(x, "a struct of several members");
        }
        *type = t->members[0];
        return 1;
    case TK_ARRAY:
    case TK_VECTOR:
        *type = t->elem;
        offset += index * (p->space == SPACE_BUILTIN ? 1 : stride ? stride : t->step_bytes);
        break;
    case TK_NONE:
    case TK_VOID:
    case TK_BOOL:
    case TK_INT:
    case TK_FLOAT:
    case TK_POINTER:
    case TK_IMAGE:
    case TK_OTHER:
        return stop(x, "an access chain into a scalar");
    }
    if (offset > UINT32_MAX) {
        return stop(x, "an access out of bounds");
    }
    p->offset = (uint32_t)offset;
    return 1;
}

static int run_access_chain(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    int const has_element = in->op == SpvOpPtrAccessChain || in->op == SpvOpInBoundsPtrAccessChain;
    struct place p;
    if (in->n < 4U + (unsigned)has_element || !get_place(x, inv, in->w[3], &p)) {
        return stop(x, "an access chain without operands");
    }
    uint32_t type = type_of(x, x->m->ids[in->w[3]].type)->elem;
    for (uint32_t i = 4; i < in->n; i++) {
        uint64_t index;
        if (in->w[i] >= x->m->n_ids || x->m->ids[in->w[i]].n_slots != 1 ||
            !exec_known(x, *exec_reg(x, inv, in->w[i]), &index)) {
            return stop(x, "an address that depends on an undetermined value");
        }
        if (i == 4 && has_element) {
            const struct mod_id *pointer = &x->m->ids[x->m->ids[in->w[3]].type];
            uint64_t const offset =
                p.offset + index * (pointer->stride ? pointer->stride : pointer->t.step_bytes);
            if (offset > UINT32_MAX) {
                return stop(x, "an access out of bounds");
            }
            p.offset = (uint32_t)offset;
        } else if (!step_into(x, &type, &p, index)) {
            return 0;
        }
    }
    *exec_reg(x, inv, in->result) = (struct val){.bits = place_pack(p)};
    return 1;
}

static int run_texel_pointer(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct place p;
    if (in->n < 6 || !get_place(x, inv, in->w[3], &p) || p.object >= x->tc->n_bufs ||
        in->w[4] >= x->m->n_ids) {
        return stop(x, "a texel pointer without an image");
    }
    const struct val *at = exec_reg(x, inv, in->w[4]);
    const struct buf *b = &x->tc->bufs[p.object];
    uint64_t pos[2] = {0, 0};
    uint32_t const n = x->m->ids[in->w[4]].n_slots;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits;
        if (i > 1 || !exec_known(x, at[i], &bits)) {
            return stop(x, "a texel address that is not determined");
        }
        pos[i] = bits;
    }
    uint64_t const index = pos[1] * b->width + pos[0];
    if (n == 0 || index >= b->n_bytes / 4 || (b->width && pos[0] >= b->width)) {
        return stop(x, "an access out of bounds");
    }
    p.offset = (uint32_t)index * 4;
    *exec_reg(x, inv, in->result) = (struct val){.bits = place_pack(p)};
    return 1;
}

/* Go to a label: its phis take their values at once, then the code behind them. */
static int enter_label(struct exec *x, struct invocation *inv, uint32_t label)
{
    const struct module *m = x->m;
    struct val value[MAX_PHIS];
    uint32_t n = 0;
    uint32_t pc = label < m->n_ids ? m->label_at[label] : UINT32_MAX;
    if (pc == UINT32_MAX) {
        return stop(x, "a branch to something that is no label");
    }
    uint32_t const first = ++pc;
    for (; m->code[pc].op == SpvOpPhi; pc++) {
        const struct mod_inst *in = &m->code[pc];
        uint32_t i = 3;
        while (i + 1 < in->n && in->w[i + 1] != inv->label) {
            i += 2;
        }
        if (i + 1 >= in->n || n == MAX_PHIS || !exec_has_type(x, in->w[i], in->type) ||
            m->ids[in->w[i]].n_slots != 1) {
            return stop(x, "a phi that is not interpreted");
        }
        value[n++] = *exec_reg(x, inv, in->w[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        *exec_reg(x, inv, m->code[first + i].result) = value[i];
    }
    inv->label = label;
    inv->pc = pc;
    return 1;
}

static int run_branch(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    if (in->op == SpvOpBranch) {
        return enter_label(x, inv, in->n > 1 ? in->w[1] : 0);
    }
    uint64_t bits;
    if (in->n < 4 || in->w[1] >= x->m->n_ids || x->m->ids[in->w[1]].n_slots != 1) {
        return stop(x, "a branch without a condition");
    }
    if (!exec_known(x, *exec_reg(x, inv, in->w[1]), &bits)) {
        return stop(x, "a branch on a value that is not determined");
    }
    return enter_label(x, inv, bits ? in->w[2] : in->w[3]);
}

static int run_call(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    const struct module *m = x->m;
    uint32_t pc = in->n > 3 && in->w[3] < m->n_ids ? m->label_at[in->w[3]] : UINT32_MAX;
    if (pc == UINT32_MAX || m->code[pc].op != SpvOpFunction || inv->depth == MOD_MAX_CALL_DEPTH) {
        return stop(x, "a call that is not interpreted");
    }
    inv->call[inv->depth].pc = inv->pc;
    inv->call[inv->depth].label = inv->label;
    inv->call[inv->depth++].result = in->result;
    pc++;
    for (uint32_t i = 4; m->code[pc].op == SpvOpFunctionParameter; pc++, i++) {
        if (i >= in->n || !exec_has_type(x, in->w[i], m->code[pc].type) ||
            m->ids[in->w[i]].n_slots != 1) {
            return stop(x, "an argument that is no scalar");
        }
        *exec_reg(x, inv, m->code[pc].result) = *exec_reg(x, inv, in->w[i]);
    }
    if (m->code[pc].op != SpvOpLabel) {
        return stop(x, "a call of a function without a body");
    }
    inv->label = m->code[pc].result;
    inv->pc = pc + 1;
    return 1;
}

static int run_return(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    if (inv->depth == 0) {
        inv->state = INV_DONE;
        return 1;
    }
    inv->depth--;
    inv->pc = inv->call[inv->depth].pc;
    inv->label = inv->call[inv->depth].label;
    if (in->op == SpvOpReturnValue) {
        uint32_t const result = inv->call[inv->depth].result;
        if (in->n < 2 || !exec_has_type(x, in->w[1], x->m->ids[result].type) ||
            x->m->ids[in->w[1]].n_slots != 1) {
            return stop(x, "a returned value that is no scalar of the call's type");
        }
        *exec_reg(x, inv, inv->call[inv->depth].result) = *exec_reg(x, inv, in->w[1]);
    }
    return 1;
}

static int run_barrier(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    uint64_t semantics = 0;
    if (in->n < 4 || in->w[3] >= x->m->n_ids || in->w[1] >= x->m->n_ids) {
        return stop(x, "a barrier without operands");
    }
    semantics = exec_reg(x, inv, in->w[3])->bits;
    if (exec_reg(x, inv, in->w[1])->bits != SpvScopeWorkgroup) {
        return stop(x, "a barrier of another scope than the work-group");
    }
    if ((semantics & 0x1e) != 0) { /* it orders memory at all */
        inv->phase[0] += (semantics & (SpvMemorySemanticsUniformMemoryMask |
                                       SpvMemorySemanticsCrossWorkgroupMemoryMask)) != 0;
        inv->phase[1] += (semantics & SpvMemorySemanticsWorkgroupMemoryMask) != 0;
        inv->phase[2] += (semantics & SpvMemorySemanticsImageMemoryMask) != 0;
    }
    inv->state = INV_BARRIER;
    return 1;
}

static int run_memory(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    if (in->op == SpvOpImageTexelPointer) {
        return run_texel_pointer(x, inv, in);
    }
    uint32_t const object = x->m->ids[in->result].object;
    *exec_reg(x, inv, in->result) =
        (struct val){.bits = place_pack((struct place){.space = SPACE_FUNCTION, .object = object})};
    if (in->n > 4 && in->w[4] < x->m->n_ids) {
        inv->func[object] = *exec_reg(x, inv, in->w[4]);
    }
    return 1;
}

static int run_control(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    switch (in->op) {
    case SpvOpLabel:
        inv->label = in->result;
        return 1;
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpMemoryBarrier:
        return 1;
    case SpvOpBranch:
    case SpvOpBranchConditional:
        return run_branch(x, inv, in);
    case SpvOpFunctionCall:
        return run_call(x, inv, in);
    case SpvOpReturn:
    case SpvOpReturnValue:
        return run_return(x, inv, in);
    case SpvOpControlBarrier:
        return run_barrier(x, inv, in);
    default:
        return 0;
    }
}

/* One instruction: 1 done, 0 stopped or not interpreted. */
static int run_one(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    int done;
    switch (in->part) {
    case PART_BINARY:
        return exec_binary(x, inv, in);
    case PART_INTEGER:
        done = exec_integer(x, inv, in);
        return done < 0 ? x->hooks->arith(x, inv, in) : done;
    case PART_LOAD:
        return run_load(x, inv, in);
    case PART_STORE:
        return run_store(x, inv, in);
    case PART_CHAIN:
        return run_access_chain(x, inv, in);
    case PART_MEMORY:
        return run_memory(x, inv, in);
    case PART_CONTROL:
        return run_control(x, inv, in);
    case PART_ATOMIC:
        return run_atomic(x, inv, in);
    case PART_FLOAT:
        return x->hooks->arith(x, inv, in);
    }
    return 0;
}

int exec_run(struct exec *x, struct invocation *inv, uint32_t n_atomics)
{
    uint32_t n_done = 0;
    while (inv->state == INV_READY && !x->stop) {
        if (inv->pc >= x->m->n_code) {
            return stop(x, "code that runs past its end");
        }
        if (++x->n_steps > EXEC_MAX_STEPS) {
            return stop(x, "more steps than the budget");
        }
        const struct mod_inst *in = &x->m->code[inv->pc++];
        if (!run_one(x, inv, in)) {
            return stop(x, "an instruction that is not interpreted");
        }
        if (in->part == PART_ATOMIC && ++n_done == n_atomics) {
            return 1;
        }
    }
    return x->stop == NULL;
}
