/* oracle/interp/exec.c -- the state of a run of the interpreter: its values, its invocations at their start. */
#include "oracle/interp/exec.h"

#include "oracle/interp/module_part.h"

#include <string.h>

enum {
    LOCATION_OFFSET_BITS = 32,
    LOCATION_OBJECT_BITS = 24
};
uint64_t location_pack(struct location p)
{
    return (uint64_t)p.space << (LOCATION_OFFSET_BITS + LOCATION_OBJECT_BITS) |
           (uint64_t)p.object << LOCATION_OFFSET_BITS | p.offset;
}

struct location location_unpack(uint64_t bits)
{
    return (struct location){
        .space = (enum space)(bits >> (LOCATION_OFFSET_BITS + LOCATION_OBJECT_BITS) & 7),
        .object = (uint32_t)(bits >> LOCATION_OFFSET_BITS & ((1U << LOCATION_OBJECT_BITS) - 1)),
        .offset = (uint32_t)bits};
}

enum {
    PATH_BUCKETS = 1024
};

int exec_is_float_type(const struct exec *x, uint32_t type)
{
    return module_get_format(x->m, type) >= 0;
}

struct val exec_new_abstract(struct exec *x)
{
    struct abstract *pool = arena_grow(x->a, x->pool, x->n_pool, &x->cap_pool, sizeof *pool);
    if (!pool) {
        (void)exec_stop(x, "arena full");
        return (struct val){0};
    }
    x->pool = pool;
    x->pool[x->n_pool] = (struct abstract){.kind = ABSTRACT_ANYTHING, .grade = GRADE_UNDEFINED};
    return (struct val){.abs = x->n_pool++};
}

/* Module-scope variables get their addresses, which are constants of the module. */
static void put_variables(const struct exec *x)
{
    const struct module *m = x->m;
    for (uint32_t i = 1; i < m->n_ids; i++) {
        const struct mod_id *id = &m->ids[i];
        bool const is_of_module = (id->flags & ID_VARIABLE) && id->def == UINT32_MAX;
        if (!is_of_module || id->n_slots == 0) {
            continue;
        }
        uint32_t const storage = module_get_type(x->m, id->type)->storage;
        bool const is_address =
            id->object < x->tc->n_bufs && x->tc->bufs[id->object].kind == BUF_ADDRESS;
        struct location p = {.space = is_address ? SPACE_ADDRESS : SPACE_BUFFER,
                             .object = id->object};
        if (storage == SpvStorageClassWorkgroup) {
            p.space = SPACE_WORKGROUP;
        } else if (storage == SpvStorageClassPrivate) {
            p.space = SPACE_FUNCTION;
        } else if (storage == SpvStorageClassUniformConstant && id->initial) {
            p = (struct location){.space = SPACE_TABLE, .object = i};
        } else if (storage == SpvStorageClassInput) {
            p = (struct location){.space = SPACE_BUILTIN, .object = id->builtin};
        }
        m->consts[id->slot].bits = location_pack(p);
    }
}

/* Prepares *x to interpret module m for the case: the sizes of dispatches and groups, the
 * addresses of variables, and the pool of abstract values, whose first entry is that of OpUndef.
 * Entry 0 of the pool, of expressions and of paths means none, so that these counts begin at 1. A
 * module that is not interpreted stops the run from the start. */
enum res exec_init(struct exec *x, const struct module *m, const struct testcase *tc,
                   const struct exec_hooks *hooks, void *user, struct arena *a, struct err *e)
{
    *x = (struct exec){.m = m,
                       .tc = tc,
                       .hooks = hooks,
                       .user = user,
                       .a = a,
                       .n_items = 1,
                       .n_pool = 1,
                       .n_expressions = 1,
                       .n_paths = 1,
                       .stop = m->unsupported};
    for (int d = 0; d < 3; d++) {
        x->n_items *= tc->global[d];
    }
    x->n_dispatches = testcase_count_dispatches(tc);
    x->n_groups = testcase_get_groups(tc);
    for (uint32_t i = 0; i < x->n_dispatches; i++) {
        x->dispatches[i] = testcase_get_dispatch(tc, i);
    }
    put_variables(x);
    if (m->has_groups) {
        x->path_buckets = ARENA_NEW(a, uint32_t, PATH_BUCKETS);
        if (!x->path_buckets) {
            return err_set(e, RES_NOMEM, "interpreter: arena full");
        }
    }
    struct val const undefined = exec_new_abstract(x);
    return undefined.abs == MOD_UNDEFINED ? RES_OK
                                          : err_set(e, RES_NOMEM, "interpreter: arena full");
}

/* The dispatch that runs the work-group, which becomes its number among those of that dispatch. */
static uint32_t take_dispatch(const struct exec *x, uint32_t *group)
{
    uint32_t at = 0;
    for (; at + 1 < x->n_dispatches; at++) {
        const uint32_t *const n = x->dispatches[at].n;
        uint32_t const n_groups = n[0] * n[1] * n[2];
        if (*group < n_groups) {
            break;
        }
        *group -= n_groups;
    }
    return at;
}

uint32_t exec_find_dispatch(const struct exec *x, uint32_t group)
{
    return take_dispatch(x, &group);
}

void exec_group_position(const struct exec *x, uint32_t group, uint32_t id[3], uint32_t size[3])
{
    const struct dispatch *const of = &x->dispatches[take_dispatch(x, &group)];
    for (int d = 0; d < 3; d++) {
        id[d] = of->base[d] + group % of->n[d];
        group /= of->n[d];
        uint32_t const rest = x->tc->global[d] - id[d] * x->tc->local[d];
        size[d] = rest < x->tc->local[d] ? rest : x->tc->local[d];
    }
}

uint32_t exec_group_items(const struct exec *x, uint32_t group)
{
    uint32_t id[3], size[3];
    exec_group_position(x, group, id, size);
    return size[0] * size[1] * size[2];
}

/* An argument by value: its components, one after the other. Strict: a float is unknown, as it may change on its way into
 * the kernel (subnormals flushed, NaNs made quiet). module_decode_case has compared sizes; without the case's buffer it is
 * unknown as well. */
static void put_value(const struct exec *x, const struct mod_id *id, struct val *to)
{
    const struct mod_type *const type = module_get_type(x->m, id->type);
    const struct mod_type *const one =
        type->kind == TK_VECTOR ? module_get_type(x->m, type->elem) : type;
    const struct buf *const b = id->object < x->tc->n_bufs ? &x->tc->bufs[id->object] : NULL;
    uint32_t const n_bytes = one->bits / 8;
    bool const is_kept = b && !(x->is_strict && one->kind == TK_FLOAT) && n_bytes > 0 &&
                         (uint64_t)n_bytes * id->n_slots <= b->n_bytes;
    for (uint32_t i = 0; i < id->n_slots; i++) {
        to[i] = (struct val){.abs = MOD_UNDEFINED};
        if (is_kept) {
            to[i] = (struct val){.bits = load_le(b->data + (size_t)i * n_bytes, n_bytes)};
        }
    }
}

/* The arguments of a kernel are its buffers, one after the other, as pointers or by value; an entry point of Vulkan has
 * none. */
static void put_arguments(const struct exec *x, struct invocation *inv)
{
    for (; x->m->code[inv->pc].op == SpvOpFunctionParameter; inv->pc++) {
        const struct mod_id *const id = &x->m->ids[x->m->code[inv->pc].result];
        struct val *const to = exec_reg(x, inv, x->m->code[inv->pc].result);
        if (module_get_type(x->m, id->type)->kind == TK_POINTER) {
            to->bits =
                location_pack((struct location){.space = SPACE_BUFFER, .object = id->object});
        } else {
            put_value(x, id, to);
        }
    }
}

void exec_put_private(const struct exec *x, const struct invocation *inv)
{
    const struct module *const m = x->m;
    for (uint32_t i = 1; i < m->n_ids; i++) {
        const struct mod_id *const id = &m->ids[i];
        const struct mod_type *const pointer = module_get_type(x->m, id->type);
        bool const is_private = (id->flags & ID_VARIABLE) && id->def == UINT32_MAX &&
                                pointer->storage == SpvStorageClassPrivate;
        uint32_t const n = is_private ? module_count_scalars(m, pointer->elem) : 0;
        for (uint32_t c = 0; c < n; c++) {
            inv->func[id->object + c] = id->initial ? m->consts[m->ids[id->initial].slot + c]
                                                    : (struct val){.abs = MOD_UNDEFINED};
        }
    }
}

/* Initializes an invocation except for its position: it starts at the entry point, with its arguments. */
static void start_one(struct exec *x, uint32_t group, const uint32_t id[3], struct invocation *inv)
{
    struct val *const regs = inv->regs, *const func = inv->func;
    *inv = (struct invocation){.regs = regs,
                               .func = func,
                               .group_index = group,
                               .dispatch = exec_find_dispatch(x, group),
                               .subgroup = EXEC_NO_SUBGROUP,
                               .pc = x->m->entry + 1};
    memcpy(inv->group_id, id, sizeof inv->group_id);
    memset(regs, 0, sizeof *regs * x->m->n_regs);
    memset(func, 0, sizeof *func * x->m->n_func_objects);
    if (x->m->has_private) {
        exec_put_private(x, inv);
    }
    put_arguments(x, inv);
}

void exec_start_group(struct exec *x, uint32_t group, struct invocation *inv)
{
    uint32_t id[3], size[3];
    exec_group_position(x, group, id, size);
    uint32_t const n = size[0] * size[1] * size[2];
    const uint32_t *g = x->tc->global;
    for (uint32_t i = 0; i < n; i++) {
        start_one(x, group, id, &inv[i]);
        inv[i].local_index = i;
        uint32_t rest = i;
        for (int d = 0; d < 3; d++) {
            inv[i].local_id[d] = rest % size[d];
            rest /= size[d];
            inv[i].global_id[d] = id[d] * x->tc->local[d] + inv[i].local_id[d];
        }
        inv[i].global_index =
            (inv[i].global_id[2] * g[1] + inv[i].global_id[1]) * g[0] + inv[i].global_id[0];
    }
}

void exec_start_after_last(struct exec *x, uint32_t group, struct invocation *inv)
{
    uint32_t id[3], size[3];
    exec_group_position(x, group, id, size);
    start_one(x, group, id, inv);
    inv->local_index = size[0];
    inv->local_id[0] = size[0];
    for (int d = 0; d < 3; d++) {
        inv->global_id[d] = id[d] * x->tc->local[d] + inv->local_id[d];
    }
}

void exec_start_absent(struct exec *x, uint32_t group, const uint32_t local_id[3],
                       struct invocation *inv)
{
    uint32_t id[3], size[3];
    const uint32_t *const full = x->tc->local;
    exec_group_position(x, group, id, size);
    start_one(x, group, id, inv);
    inv->local_index = (local_id[2] * full[1] + local_id[1]) * full[0] + local_id[0];
    for (int d = 0; d < 3; d++) {
        inv->local_id[d] = local_id[d];
        inv->global_id[d] = id[d] * full[d] + local_id[d];
    }
}
