/* oracle/interp/exec_memory.c -- the interpreter's addresses, loads and stores. */
#include "oracle/interp/exec_memory.h"

#include <string.h>

#include "base/format.h"
#include "base/testcase.h"
#include "oracle/interp/module.h"
#include "oracle/interp/module_part.h"
#include "oracle/tables/tables.h"

/* OpenCL counts invocations from an offset on, at which the dispatch begins; Vulkan has no such built-ins. */
static uint32_t get_offset(const struct exec *x, const struct invocation *inv, uint32_t c)
{
    return x->dispatches[inv->dispatch].base[c] * x->tc->local[c];
}

/* Invocations of the dispatch in a dimension, of which the last work-group may be smaller. */
static uint32_t get_global_size(const struct exec *x, const struct invocation *inv, uint32_t c)
{
    const struct dispatch *const of = &x->dispatches[inv->dispatch];
    uint32_t const rest = x->tc->global[c] - get_offset(x, inv, c);
    uint32_t const whole = of->n[c] * x->tc->local[c];
    return rest < whole ? rest : whole;
}

/* Clause: OpenCL C, get_global_linear_id: of ids without their offset. */
static uint64_t get_linear_id(const struct exec *x, const struct invocation *inv)
{
    uint64_t at = 0;
    for (uint32_t d = 3; d-- > 0;) {
        at = at * get_global_size(x, inv, d) + (inv->global_id[d] - get_offset(x, inv, d));
    }
    return at;
}

/* Work-groups are counted in all of the case in Vulkan, whose base is part of their ids, and in each dispatch in
 * OpenCL. */
static uint32_t get_group_id(const struct exec *x, const struct invocation *inv, uint32_t c)
{
    bool const counts_anew = x->tc->env == ENV_CL || x->ignores_base;
    return inv->group_id[c] - (counts_anew ? x->dispatches[inv->dispatch].base[c] : 0);
}

/* Reads component c of a built-in variable for the invocation. The hook answers for sub-groups, of which the
 * interpreter knows nothing. Returns 0 with x->stop set for a built-in that is not interpreted. */
static int read_builtin(struct exec *x, struct invocation *inv, uint32_t builtin, uint32_t c,
                        struct val *out)
{
    *out = (struct val){0};
    if (c > 2) {
        return exec_stop(x, "a builtin's fourth component");
    }
    switch (builtin) {
    case SpvBuiltInGlobalInvocationId:
        out->bits = inv->global_id[c];
        return 1;
    case SpvBuiltInLocalInvocationId:
        out->bits = inv->local_id[c];
        return 1;
    case SpvBuiltInWorkgroupId:
        out->bits = get_group_id(x, inv, c);
        return 1;
    case SpvBuiltInNumWorkgroups:
        out->bits = x->dispatches[inv->dispatch].n[c];
        return 1;
    case SpvBuiltInGlobalSize:
        out->bits = get_global_size(x, inv, c);
        return 1;
    case SpvBuiltInGlobalOffset:
        out->bits = x->ignores_base ? 0 : get_offset(x, inv, c);
        return 1;
    case SpvBuiltInWorkgroupSize: {
        uint32_t id[3], size[3];
        exec_group_position(x, inv->group_index, id, size);
        out->bits = size[c];
        return 1;
    }
    case SpvBuiltInEnqueuedWorkgroupSize:
        out->bits = x->tc->local[c];
        return 1;
    case SpvBuiltInWorkDim: /* a worker gives all three sizes (fuzz/worker/drv_ocl_run.c) */
        out->bits = 3;
        return 1;
    case SpvBuiltInLocalInvocationIndex:
        out->bits = inv->local_index;
        return 1;
    case SpvBuiltInGlobalLinearId:
        out->bits = get_linear_id(x, inv);
        return 1;
    case SpvBuiltInSubgroupId:
    case SpvBuiltInSubgroupLocalInvocationId:
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInSubgroupMaxSize:
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInNumEnqueuedSubgroups:
        return x->hooks->builtin(x, inv, builtin, c, out);
    default:
        return exec_stop(x, "a builtin that is not interpreted");
    }
}

/* The memory location that a pointer operand names. */
static int get_place(struct exec *x, const struct invocation *inv, uint32_t id,
                     struct location *out)
{
    uint64_t bits;
    if (id >= x->m->n_ids || x->m->ids[id].n_slots == 0) {
        return exec_stop(x, "a pointer that has no value");
    }
    if (!exec_known(x, *exec_reg(x, inv, id), &bits)) {
        return exec_stop_unknown(x, "an address that depends on an undetermined value");
    }
    *out = location_unpack(bits);
    return 1;
}

static int stop_out_of_bounds(struct exec *x)
{
    return exec_stop_undefined(x, UNDEFINED_OUT_OF_BOUNDS);
}

static uint32_t get_own_type(const struct exec *x, struct location p);

uint32_t exec_get_extent(const struct exec *x, struct location p)
{
    switch (p.space) {
    case SPACE_BUFFER:
        return p.object < x->tc->n_bufs ? x->tc->bufs[p.object].n_bytes : 0;
    case SPACE_WORKGROUP:
        return p.object < x->m->n_wg_objects ? x->m->wg_size[p.object] : 0;
    case SPACE_FUNCTION:
    case SPACE_TABLE:
        return module_count_scalars(x->m, get_own_type(x, p));
    case SPACE_NONE:
    case SPACE_BUILTIN:
    case SPACE_ADDRESS:
        break;
    }
    return 0;
}

/* Is the access inside its object? */
static int check_bounds(struct exec *x, struct location p, unsigned n_bits)
{
    uint64_t const end = (uint64_t)p.offset + n_bits / 8;
    bool const is_bytes = p.space == SPACE_BUFFER || p.space == SPACE_WORKGROUP;
    uint64_t const limit = is_bytes ? exec_get_extent(x, p) : 0;
    if (n_bits < 8 || p.offset % (n_bits / 8) != 0) {
        return exec_stop(x, "an access out of bounds or unaligned");
    }
    return end <= limit || stop_out_of_bounds(x);
}

/* The pointee type of a pointer operand. */
static uint32_t pointee_of(const struct exec *x, uint32_t pointer)
{
    return pointer < x->m->n_ids ? module_get_type(x->m, x->m->ids[pointer].type)->elem : 0;
}

/* The type of the variable that p lies in, of those that lie scalar by scalar. */
static uint32_t get_own_type(const struct exec *x, struct location p)
{
    if (p.space == SPACE_TABLE) {
        return p.object < x->m->n_ids ? pointee_of(x, p.object) : 0;
    }
    return p.object < x->m->n_func_objects ? x->m->func_type[p.object] : 0;
}

/* Goes from a composite to the part that its scalar *at lies in, of which it then is the scalar *at. false: the type has no
 * parts. */
static bool step_to_scalar(const struct exec *x, uint32_t *type, uint32_t *at)
{
    const struct mod_type *const t = module_get_type(x->m, *type);
    if (t->kind == TK_STRUCT && t->n_members > 0) {
        uint32_t part = 0, n = module_count_scalars(x->m, t->members[0]);
        while (*at >= n && part + 1 < t->n_members) {
            *at -= n;
            n = module_count_scalars(x->m, t->members[++part]);
        }
        *type = t->members[part];
        return true;
    }
    if (t->kind == TK_ARRAY || t->kind == TK_VECTOR) {
        uint32_t const n = module_count_scalars(x->m, t->elem);
        *at = n ? *at % n : 0;
        *type = t->elem;
        return true;
    }
    return false;
}

/* The type of that scalar of a value. */
static uint32_t find_scalar(const struct exec *x, uint32_t type, uint32_t at)
{
    while (step_to_scalar(x, &type, &at)) {
    }
    return type;
}

/* Do both scalars have the same bits in memory? */
static bool is_alike(const struct exec *x, uint32_t a, uint32_t b)
{
    const struct mod_type *const of_a = module_get_type(x->m, a);
    const struct mod_type *const of_b = module_get_type(x->m, b);
    bool const are_numbers = (of_a->kind == TK_INT || of_a->kind == TK_FLOAT) &&
                             (of_b->kind == TK_INT || of_b->kind == TK_FLOAT);
    return a == b || (are_numbers && of_a->bits == of_b->bits);
}

/* Do the scalars lie behind one another in memory too, without padding? */
static bool is_dense(const struct exec *x, uint32_t type)
{
    const struct mod_type *const t = module_get_type(x->m, type);
    if (t->kind == TK_VECTOR) {
        return t->n != 3;
    }
    uint32_t const first = find_scalar(x, type, 0), bytes = module_get_type(x->m, first)->bits / 8;
    uint32_t const n = module_count_scalars(x->m, type);
    for (uint32_t i = 0; t->kind == TK_STRUCT && i < t->n_members; i++) {
        uint32_t const one = find_scalar(x, t->members[i], 0);
        if (module_get_type(x->m, one)->bits != bytes * 8 || !is_dense(x, t->members[i])) {
            return false;
        }
    }
    return t->kind == TK_ARRAY
               ? is_dense(x, t->elem)
               : n > 0 && bytes > 0 && module_get_type_bytes(x->m, type) == n * bytes;
}

/* Does a part of exactly that type begin there? */
static bool is_part_there(const struct exec *x, struct location p, uint32_t type)
{
    uint32_t own = get_own_type(x, p), at = p.offset;
    while (own != type || at != 0) {
        if (!step_to_scalar(x, &own, &at)) {
            return false;
        }
    }
    return true;
}

/* Is a value of the type what lies at p, number by number? A pointer that was cast may be to something else. */
static bool is_value_there(const struct exec *x, struct location p, uint32_t type, uint32_t n_slots)
{
    uint32_t const own = get_own_type(x, p);
    uint32_t const n_all = module_count_scalars(x->m, own);
    bool const is_whole = p.offset <= n_all && n_slots <= n_all - p.offset;
    for (uint32_t i = 0; is_whole && i < n_slots; i++) {
        if (!is_alike(x, find_scalar(x, own, p.offset + i), find_scalar(x, type, i))) {
            return false;
        }
    }
    /* more than one number may be read as others: they have to lie alike */
    return is_whole && (n_slots == 1 || (is_dense(x, own) && is_dense(x, type)));
}

/* Slots of a Function variable, or of a table, at p as a value of `type`, n_slots of them; `pointer`: the id that p came of.
 * NULL and x->stop where they are none. */
static struct val *get_function_slots(struct exec *x, const struct invocation *inv,
                                      struct location p, uint32_t pointer, uint32_t type,
                                      uint32_t n_slots)
{
    uint64_t const first = (uint64_t)p.object + p.offset;
    uint32_t const own = get_own_type(x, p);
    bool const is_typed = pointee_of(x, pointer) == type && !x->m->has_casts;
    bool const is_all = own == type && p.offset == 0;
    if (module_count_scalars(x->m, type) != n_slots) {
        (void)exec_stop(x, "an access of another type than the variable's");
        return NULL;
    }
    if ((uint64_t)p.offset + n_slots > module_count_scalars(x->m, own)) {
        (void)stop_out_of_bounds(x);
        return NULL;
    }
    if (!is_typed && !is_all && !is_part_there(x, p, type) &&
        !is_value_there(x, p, type, n_slots)) {
        (void)exec_stop(x, "an access of another type than the variable's");
        return NULL;
    }
    if (p.space == SPACE_TABLE) {
        return &x->m->consts[x->m->ids[x->m->ids[p.object].initial].slot + p.offset];
    }
    if (first + n_slots > x->m->n_func_objects) {
        (void)stop_out_of_bounds(x);
        return NULL;
    }
    return &inv->func[first];
}

/* Is the pointer, as the words show, to a part of an array or struct of the function? */
static bool is_to_part(const struct exec *x, uint32_t pointer)
{
    const struct mod_inst *const chain = module_get_definition(x->m, pointer);
    uint32_t const base =
        chain && chain->part == PART_CHAIN ? module_get_operand(x->m, chain, MOD_OPERAND) : 0;
    return base && module_get_type(x->m, pointee_of(x, base))->kind > TK_VECTOR;
}

/* The hook may move the access, or say that it is not done: 0. */
static bool asks_own(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                     uint32_t pointer, uint32_t *n_slots, struct location *p)
{
    return !x->hooks->own || !is_to_part(x, pointer) || x->hooks->own(x, inv, in, n_slots, p);
}

/* Is the load of what was never written: of some part of an array or struct, or all of a number or vector? Of a vector that
 * is written by component, the others are values that are undefined. */
static bool is_unset(const struct exec *x, uint32_t pointer, const struct val *from, uint32_t n)
{
    uint32_t n_unset = 0;
    for (uint32_t i = 0; i < n; i++) {
        n_unset += from[i].abs == MOD_UNDEFINED;
    }
    return n_unset > 0 && (n_unset == n || is_to_part(x, pointer));
}

/* Loads from a variable of the function. What was never written is no value. */
static int load_function(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                         uint32_t pointer, struct location p)
{
    uint32_t n = x->m->ids[in->result].n_slots;
    (void)asks_own(x, inv, in, pointer, &n, &p);
    n = x->m->ids[in->result].n_slots;
    const struct val *const from = get_function_slots(x, inv, p, pointer, in->type, n);
    if (!from) {
        return 0;
    }
    if (!x->is_strict && is_unset(x, pointer, from, n)) {
        return exec_stop_undefined(x, UNDEFINED_UNSET_VARIABLE);
    }
    memcpy(exec_reg(x, inv, in->result), from, sizeof *from * n);
    return exec_propagate(x, inv, in);
}

static int store_function(struct exec *x, struct invocation *inv, const struct mod_inst *in,
                          uint32_t object, struct location p)
{
    uint32_t const pointer = in->w[MOD_STORE_POINTER], n = x->m->ids[object].n_slots;
    uint32_t const type = x->m->ids[object].type;
    struct val *const meant = get_function_slots(x, inv, p, pointer, type, n), *to = meant;
    uint32_t const offset = p.offset;
    uint32_t n_stored = n;
    if (!asks_own(x, inv, in, pointer, &n_stored, &p)) {
        n_stored = 0;
    } else if (p.offset != offset) {
        to = get_function_slots(x, inv, p, pointer, type, n);
    }
    if (!meant || !to) {
        return 0;
    }
    memcpy(to, exec_reg(x, inv, object), sizeof *to * n_stored);
    for (uint32_t i = to == meant ? n_stored : 0; i < n; i++) {
        if (meant[i].abs == MOD_UNDEFINED) { /* what the hook left out is some number */
            meant[i] = (struct val){0};
        }
    }
    return 1;
}

int exec_pointer_slots(struct exec *x, const struct invocation *inv, uint32_t pointer,
                       struct val **out, uint32_t *n)
{
    struct location p;
    *out = NULL;
    *n = 0;
    if (!get_place(x, inv, pointer, &p)) {
        return 0;
    }
    uint32_t const type = module_get_type(x->m, x->m->ids[pointer].type)->elem;
    const struct mod_type *t = module_get_type(x->m, type);
    if (p.space != SPACE_FUNCTION) {
        return exec_stop(x, "a result through a pointer that is not to a variable of the function");
    }
    *n = t->kind == TK_VECTOR ? t->n : 1;
    *out = get_function_slots(x, inv, p, pointer, type, *n);
    return *out != NULL;
}

/* The address of a buffer, as a pointer or as the integer that becomes one: here it is the place itself. Strict: the
 * integer comes of its variable at once, so that the words show what becomes of it (oracle/vouch). */
static int load_address(struct exec *x, struct location p, const struct mod_inst *in,
                        struct val *out)
{
    const struct mod_type *const t = module_get_type(x->m, in->type);
    const struct mod_inst *const chain =
        module_get_definition(x->m, module_get_operand(x->m, in, MOD_OPERAND));
    const struct mod_id *const base =
        chain ? &x->m->ids[module_get_operand(x->m, chain, MOD_OPERAND)] : NULL;
    bool const is_pointer =
        t->kind == TK_POINTER && t->storage == SpvStorageClassPhysicalStorageBuffer;
    if (p.offset != 0 || (!is_pointer && (t->kind != TK_INT || t->bits != 64))) {
        return exec_stop(x, "a load of something else than the address of a buffer");
    }
    if (x->is_strict && !is_pointer && (!base || !(base->flags & ID_BINDING))) {
        return exec_stop(x, "an address by an indirect way"); /* what comes of it is not seen */
    }
    p.space = SPACE_BUFFER;
    *out = (struct val){.bits = location_pack(p)};
    return 1;
}

/* 0 and x->stop: nobody may write there. */
static int check_writable(struct exec *x, struct location p)
{
    bool const is_constant =
        p.space == SPACE_TABLE || (p.space == SPACE_BUFFER && p.object < x->tc->n_bufs &&
                                   buf_is_constant(x->tc->bufs[p.object].kind));
    return !is_constant || exec_stop(x, "an access to constant memory that is no load");
}

/* An access to memory of others, and where the next scalar of it is. */
struct access {
    struct exec *x;
    struct invocation *inv;
    const struct mod_inst *in;
    struct val *v;
    bool is_store;
    struct matrix_layout layout; /* of the matrices in what is accessed */
};

static int access_scalar(struct access *a, uint32_t type, struct location p)
{
    struct exec *const x = a->x;
    struct val *const v = a->v++;
    if (!check_bounds(x, p, module_get_type(x->m, type)->bits)) {
        return 0;
    }
    return a->is_store ? x->hooks->store(x, a->inv, a->in, p, type, *v)
                       : x->hooks->load(x, a->inv, a->in, p, type, v);
}

/* Distance of the elements of a type. */
static uint32_t get_step(const struct mod_id *type)
{
    return type->stride ? type->stride : type->t.step_bytes;
}

static int access_part(struct access *a, uint32_t type, struct location p);

/* The scalars of n parts, `step` bytes apart, in their order. */
static int access_elements(struct access *a, uint32_t type, struct location p, uint32_t n,
                           uint32_t step)
{
    for (uint32_t i = 0; i < n; i++, p.offset += step) {
        if (!access_part(a, type, p)) {
            return 0;
        }
    }
    return 1;
}

/* Loads or stores the value of this type at location p, scalar by scalar. All scalars of one
 * access are in different memory locations. */
static int access_part(struct access *a, uint32_t type, struct location p)
{
    struct exec *const x = a->x;
    const struct mod_type *const t = module_get_type(x->m, type);
    switch (t->kind) {
    case TK_INT:
    case TK_FLOAT:
        return access_scalar(a, type, p);
    case TK_VECTOR: /* of a matrix by rows the components lie apart */
        return access_elements(a, t->elem, p, t->n,
                               a->layout.is_row_major && a->layout.stride ? a->layout.stride
                                                                          : t->bits / 8);
    case TK_ARRAY:
        if (t->is_matrix && a->layout.stride) {
            uint32_t const n_bytes = module_get_type(x->m, t->elem)->bits / 8;
            return access_elements(a, t->elem, p, t->n,
                                   a->layout.is_row_major ? n_bytes : a->layout.stride);
        }
        return access_elements(a, t->elem, p, t->n, get_step(&x->m->ids[type]));
    case TK_STRUCT:
        for (uint32_t i = 0; i < t->n_members; i++) {
            struct location at = p;
            at.offset += t->offsets[i];
            a->layout = t->layouts ? t->layouts[i] : (struct matrix_layout){0};
            if (!access_part(a, t->members[i], at)) {
                return 0;
            }
        }
        return 1;
    case TK_NONE:
    case TK_VOID:
    case TK_BOOL:
    case TK_POINTER:
    case TK_IMAGE:
    case TK_OTHER:
        break;
    }
    return exec_stop(x, "an access of a type that is not interpreted");
}

/* Accesses a value of `type`, of n_slots scalars, at p. */
static int access_whole(struct access *a, uint32_t type, uint32_t n_slots, struct location p)
{
    uint32_t const n_bytes = module_get_type_bytes(a->x->m, type);
    if (module_count_scalars(a->x->m, type) != n_slots || n_bytes == 0) {
        return exec_stop(a->x, "an access of a type that is not interpreted");
    }
    if (p.offset > UINT32_MAX - n_bytes) {
        return stop_out_of_bounds(a->x);
    }
    const struct mod_type *const t = module_get_type(a->x->m, type);
    /* a vector of three takes the room of four in OpenCL, of which the fourth is nobody's */
    bool const is_padded =
        t->kind == TK_STRUCT || (t->kind == TK_VECTOR && t->n == 3 && a->x->m->is_kernel);
    if (a->is_store && a->x->hooks->pad && is_padded) {
        a->x->hooks->pad(a->x, p, n_bytes);
    }
    return access_part(a, type, p);
}

/* Executes OpLoad, scalar by scalar. A variable of the function is read directly; for any other storage class a
 * hook defines what a load returns. The offset of a pointer to a built-in variable is a component number. Returns
 * 0 with x->stop set where the access is out of bounds, or of a type that is not interpreted. */
int exec_load(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct location p;
    uint32_t const pointer = in->n > MOD_OPERAND ? in->w[MOD_OPERAND] : 0;
    if (!get_place(x, inv, pointer, &p)) {
        return 0;
    }
    const struct mod_id *id = &x->m->ids[in->result];
    struct val *out = exec_reg(x, inv, in->result);
    struct access a = {
        .x = x, .inv = inv, .in = in, .v = out, .layout = module_find_layout(x->m, pointer)};
    if (p.space == SPACE_FUNCTION || p.space == SPACE_TABLE) {
        return load_function(x, inv, in, pointer, p);
    }
    if (p.space == SPACE_ADDRESS) {
        return load_address(x, p, in, out);
    }
    bool const is_builtin = p.space == SPACE_BUILTIN;
    for (uint32_t c = 0; is_builtin && c < id->n_slots; c++) {
        if (!read_builtin(x, inv, p.object, p.offset + c, &out[c])) {
            return 0;
        }
    }
    if (!is_builtin && !access_whole(&a, in->type, id->n_slots, p)) {
        return 0;
    }
    return exec_propagate(x, inv, in);
}

/* OpStore: stores the object, scalar by scalar, to a variable of the function directly, else through the
 * hook, which says what a store means. 0 and x->stop: it is out of bounds, or of a type that is not
 * interpreted. */
int exec_store(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    struct location p;
    if (in->n <= MOD_STORE_OBJECT || !get_place(x, inv, in->w[MOD_STORE_POINTER], &p)) {
        return exec_stop(x, "a store without operands");
    }
    uint32_t const object = module_get_operand(x->m, in, MOD_STORE_OBJECT);
    const struct mod_id *id = &x->m->ids[object];
    if (id->n_slots == 0) {
        return exec_stop(x, "a store of something that has no value");
    }
    if (p.space == SPACE_FUNCTION) {
        return store_function(x, inv, in, object, p);
    }
    if (!check_writable(x, p)) {
        return 0;
    }
    struct access a = {.x = x,
                       .inv = inv,
                       .in = in,
                       .v = exec_reg(x, inv, object),
                       .is_store = true,
                       .layout = module_find_layout(x->m, in->w[MOD_STORE_POINTER])};
    return access_whole(&a, id->type, id->n_slots, p);
}

/* Has the atomic a form on vectors of this type? Of 16-bit floats, two or four of them. */
static bool has_vector_form(const struct exec *x, uint32_t op, uint32_t type)
{
    const struct mod_type *t = module_get_type(x->m, type);
    bool const is_op = op == SpvOpAtomicExchange || op == SpvOpAtomicFAddEXT ||
                       op == SpvOpAtomicFMinEXT || op == SpvOpAtomicFMaxEXT;
    return is_op && t->kind == TK_VECTOR && (t->n == 2 || t->n == 4) &&
           module_get_format(x->m, type) == FMT_F16;
}

/* Finds the memory location of the atomic and checks it, then leaves it to the hook. Only scalars are interpreted, and
 * vectors that have such a form, which lie like so many numbers in a row. The words of
 * OpAtomicStore differ, as it has no result. */
int exec_atomic(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    bool const is_store = in->op == SpvOpAtomicStore;
    bool const is_whole = in->n > (is_store ? 4 : 5);
    uint32_t const pointer = is_whole ? in->w[is_store ? MOD_STORE_POINTER : MOD_OPERAND] : 0;
    struct location p;
    if (!get_place(x, inv, pointer, &p)) {
        return 0;
    }
    uint32_t const value = is_store ? module_get_operand(x->m, in, 4) : in->result;
    const struct mod_type *t = module_get_type(x->m, x->m->ids[value].type);
    bool const is_vector = has_vector_form(x, in->op, x->m->ids[value].type);
    if (t->kind != TK_INT && t->kind != TK_FLOAT && !is_vector) {
        return exec_stop(x, "an atomic on something that is no scalar");
    }
    return check_writable(x, p) && check_bounds(x, p, t->bits * (is_vector ? t->n : 1)) &&
           x->hooks->atomic(x, inv, in, p);
}

/* A device takes an index as signed, and goes by sizes of its own beyond what the type has. `n`:
 * elements there are, 0: any number; step: bytes of one, 0: of no size that is known here. A pointer that
 * nothing is accessed by may be to behind the last element. */
static int check_index(struct exec *x, uint32_t id, uint64_t index, uint32_t n, uint32_t step)
{
    unsigned const bits = module_get_type(x->m, x->m->ids[id].type)->bits;
    if (!x->is_strict) {
        return n == 0 || index <= n || stop_out_of_bounds(x);
    }
    if (bits == 0 || index >> (bits - 1) != 0 || index > UINT32_MAX || (n != 0 && index >= n)) {
        return exec_stop(x, "an access out of bounds");
    }
    return step != 0 || index == 0 ? 1 : exec_stop(x, "an index into what is not interpreted");
}

/* The index as a number with a sign. Clause: SPIR-V specification, OpAccessChain and OpPtrAccessChain: an index is treated as
 * signed. */
static uint64_t extend_index(const struct exec *x, uint32_t id, uint64_t index)
{
    unsigned const bits = module_get_type(x->m, x->m->ids[id].type)->bits;
    uint64_t const sign = bits > 0 ? UINT64_C(1) << (bits - 1) : 0;
    return (index ^ sign) - sign;
}

/* Goes on by that many steps, or back by a negative number of them. */
static int advance(struct exec *x, struct location *p, uint64_t index, uint32_t step)
{
    int64_t const limit = UINT32_MAX / 2, steps = (int64_t)index; /* so that nothing wraps */
    int64_t const offset =
        steps > limit || steps < -limit ? -1 : (int64_t)p->offset + steps * (int64_t)step;
    if (offset < 0 || offset > UINT32_MAX) {
        return x->is_strict ? exec_stop(x, "an access out of bounds") : stop_out_of_bounds(x);
    }
    p->offset = (uint32_t)offset;
    return 1;
}

/* Applies one index into a variable of the function, which lies scalar by scalar. */
static int step_into_function(struct exec *x, uint32_t *type, struct location *p, uint64_t index)
{
    const struct mod_type *const t = module_get_type(x->m, *type);
    bool const is_struct = t->kind == TK_STRUCT;
    uint32_t const n = is_struct ? t->n_members : t->n;
    if (!is_struct && t->kind != TK_ARRAY && t->kind != TK_VECTOR) {
        return exec_stop(x, "an access chain into a scalar");
    }
    if (index >= n) {
        return x->is_strict ? exec_stop(x, "an access out of bounds") : stop_out_of_bounds(x);
    }
    for (uint64_t i = 0; is_struct && i < index; i++) {
        p->offset += module_count_scalars(x->m, t->members[i]);
    }
    if (!is_struct && !advance(x, p, index, module_count_scalars(x->m, t->elem))) {
        return 0;
    }
    *type = is_struct ? t->members[index] : t->elem;
    return 1;
}

/* Applies one index of an access chain: *type becomes the type of the part and *p its location.
 * `id` is the index operand. Returns 0 with x->stop set where the type has no such part. */
static int step_into(struct exec *x, uint32_t *type, struct location *p, uint32_t id,
                     uint64_t index, struct matrix_layout *layout)
{
    if (*type >= x->m->n_ids) {
        return exec_stop(x, "an access chain into no type");
    }
    const struct mod_type *t = module_get_type(x->m, *type);
    uint32_t step = get_step(&x->m->ids[*type]);
    if (p->space == SPACE_FUNCTION || p->space == SPACE_TABLE) {
        return step_into_function(x, type, p, index);
    }
    if (t->kind == TK_STRUCT) {
        if (index >= t->n_members) {
            return exec_stop(x, "an access chain to no member");
        }
        *type = t->members[index];
        *layout = t->layouts ? t->layouts[index] : (struct matrix_layout){0};
        return advance(x, p, t->offsets[index], 1);
    }
    if (t->kind != TK_ARRAY && t->kind != TK_VECTOR) {
        return exec_stop(x, "an access chain into a scalar");
    }
    if (layout->stride && (t->is_matrix || t->kind == TK_VECTOR)) {
        uint32_t const n_bytes = (t->is_matrix ? module_get_type(x->m, t->elem) : t)->bits / 8;
        bool const is_far = layout->is_row_major ? t->kind == TK_VECTOR : t->is_matrix;
        step = is_far ? layout->stride : n_bytes;
    }
    *type = t->elem;
    return check_index(x, id, index, t->n, step) &&
           advance(x, p, index, p->space == SPACE_BUILTIN ? 1 : step); /* by component */
}

/* Goes `index` pointees further in a variable that lies scalar by scalar: an array of them, an array of such arrays, or one
 * whose numbers lie without padding. A pointer to behind the last is not followed. */
static int step_along_own(struct exec *x, uint32_t pointer, struct location *p, uint64_t index)
{
    uint32_t const element = module_get_type(x->m, x->m->ids[pointer].type)->elem;
    uint32_t const own = get_own_type(x, *p);
    uint32_t const n_all = module_count_scalars(x->m, own);
    uint32_t const step = module_count_scalars(x->m, element);
    uint32_t type = own;
    if (index == 0) {
        return 1;
    }
    while (type != element && module_get_type(x->m, type)->kind == TK_ARRAY) {
        type = module_get_type(x->m, type)->elem;
    }
    bool const are_alike = is_dense(x, own) && is_dense(x, element) &&
                           is_alike(x, find_scalar(x, own, 0), find_scalar(x, element, 0));
    if (step == 0 || (type != element && !are_alike)) {
        return exec_stop(x, "a pointer that goes on in a variable of the function");
    }
    if (!advance(x, p, index, step)) {
        return 0;
    }
    if (p->offset == n_all) {
        return exec_stop(x, "a pointer to behind a variable of the function");
    }
    if (p->offset > n_all) {
        return x->is_strict ? exec_stop(x, "an access out of bounds") : stop_out_of_bounds(x);
    }
    return 1;
}

/* The Element index of an OpPtrAccessChain: the pointer goes that many of its pointees further. id: of
 * the index. */
static int step_along(struct exec *x, uint32_t pointer, struct location *p, uint32_t id,
                      uint64_t index)
{
    uint32_t const step = get_step(&x->m->ids[x->m->ids[pointer].type]);
    if (p->space == SPACE_FUNCTION || p->space == SPACE_TABLE) {
        return step_along_own(x, pointer, p, index);
    }
    bool const is_array = p->space == SPACE_BUFFER || p->space == SPACE_WORKGROUP;
    return check_index(x, id, index, is_array ? 0 : 1, step) && advance(x, p, index, step);
}

/* Executes an access chain: starts at the base pointer and applies index by index, each to the type that the last
 * one led to. OpPtrAccessChain first has an index of whole pointees (Element). Returns 0 with x->stop set where an
 * index is unknown, or leads to a part that is not interpreted. */
int exec_access_chain(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        BASE = MOD_OPERAND, /* words */
        FIRST_INDEX
    };
    bool const has_element = in->op == SpvOpPtrAccessChain || in->op == SpvOpInBoundsPtrAccessChain;
    struct location p;
    if (in->n < (has_element ? FIRST_INDEX + 1U : FIRST_INDEX) ||
        !get_place(x, inv, in->w[BASE], &p)) {
        return exec_stop(x, "an access chain without operands");
    }
    uint32_t type = module_get_type(x->m, x->m->ids[in->w[BASE]].type)->elem;
    struct matrix_layout layout = module_find_layout(x->m, in->w[BASE]);
    for (uint32_t i = FIRST_INDEX; i < in->n; i++) {
        uint32_t const id = in->w[i];
        uint64_t index;
        if (id >= x->m->n_ids || x->m->ids[id].n_slots != 1 ||
            !exec_known(x, *exec_reg(x, inv, id), &index)) {
            return exec_stop_unknown(x, "an address that depends on an undetermined value");
        }
        index = extend_index(x, id, index);
        bool const is_element = has_element && i == FIRST_INDEX;
        if (!(is_element ? step_along(x, in->w[BASE], &p, id, index)
                         : step_into(x, &type, &p, id, index, &layout))) {
            return 0;
        }
    }
    *exec_reg(x, inv, in->result) = (struct val){.bits = location_pack(p)};
    return 1;
}

/* The number of the texel of b at these coordinates, n of them, the first one fastest. 0 and x->stop: there are
 * others, or one is out of bounds or not known. */
static int find_texel(struct exec *x, const struct buf *b, const struct val *at, uint32_t n,
                      uint64_t *index)
{
    uint32_t extents[TEXELS_MAX_COORDINATES];
    uint64_t step = 1;
    *index = 0;
    if (n == 0 || n != buf_get_extents(b, extents)) {
        return exec_stop(x, "a texel address of other coordinates than the image has");
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t position;
        if (!exec_known(x, at[i], &position)) {
            return exec_stop_unknown(x, "a texel address that is not determined");
        }
        if (position >= extents[i]) {
            return exec_stop(x, "an access out of bounds");
        }
        *index += position * step;
        step *= extents[i];
    }
    return 1;
}

/* OpImageTexelPointer: the address of a texel, by its coordinates. */
static int run_texel_pointer(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        IMAGE = MOD_OPERAND, /* words */
        COORDINATE,
        SAMPLE
    };
    struct location p;
    if (in->n <= SAMPLE || !get_place(x, inv, in->w[IMAGE], &p) || p.object >= x->tc->n_bufs ||
        in->w[COORDINATE] >= x->m->n_ids) {
        return exec_stop(x, "a texel pointer without an image");
    }
    const struct buf *b = &x->tc->bufs[p.object];
    uint64_t index;
    if (!find_texel(x, b, exec_reg(x, inv, in->w[COORDINATE]), x->m->ids[in->w[COORDINATE]].n_slots,
                    &index)) {
        return 0;
    }
    p.offset = (uint32_t)index * buf_texel_bytes(b->kind);
    *exec_reg(x, inv, in->result) = (struct val){.bits = location_pack(p)};
    return 1;
}

/* Executes OpVariable in a function: the result becomes the variable's address, and the variable its initializer.
 * Without an initializer its value is undefined, even where an earlier call left a value in the same memory. */
static int run_variable(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    enum {
        INITIALIZER = MOD_OPERAND + 1 /* word, after the storage class */
    };
    uint32_t const object = x->m->ids[in->result].object;
    *exec_reg(x, inv, in->result) = (struct val){
        .bits = location_pack((struct location){.space = SPACE_FUNCTION, .object = object})};
    uint32_t const type = module_get_type(x->m, in->type)->elem,
                   n = module_count_scalars(x->m, type);
    if ((uint64_t)object + n > x->m->n_func_objects) {
        return exec_stop(x, "a variable of a type that is not interpreted");
    }
    if (in->n > INITIALIZER && in->w[INITIALIZER] < x->m->n_ids) {
        uint32_t const value = in->w[INITIALIZER];
        if (n == 0 || x->m->ids[value].n_slots != n || x->m->ids[value].type != type) {
            return exec_stop(x, "a variable's first value of another type");
        }
        memcpy(&inv->func[object], exec_reg(x, inv, value), sizeof(struct val) * n);
    } else {
        for (uint32_t c = 0; c < n; c++) {
            inv->func[object + c] = (struct val){.abs = MOD_UNDEFINED};
        }
    }
    return 1;
}

/* OpLifetimeStart: the variable was not defined before, so that it holds what nobody stored. The pointer may be cast, as
 * that to the variable has no size of its own. Clause: SPIR-V specification, OpLifetimeStart. */
static int run_start(struct exec *x, const struct invocation *inv, const struct mod_inst *in)
{
    enum {
        POINTER = 1, /* word */
        MAX_CASTS = 8
    };
    const struct mod_inst *of = module_get_definition(x->m, module_get_operand(x->m, in, POINTER));
    for (int i = 0; i < MAX_CASTS && of && (of->op == SpvOpBitcast || of->op == SpvOpCopyObject);
         i++) {
        of = module_get_definition(x->m, module_get_operand(x->m, of, MOD_OPERAND));
    }
    if (!of || of->op != SpvOpVariable) {
        return exec_stop(x, "a lifetime of something that is no variable");
    }
    uint32_t const first = x->m->ids[of->result].object;
    uint32_t const n = module_count_scalars(x->m, module_get_type(x->m, of->type)->elem);
    for (uint32_t c = 0; c < n && first + c < x->m->n_func_objects; c++) {
        inv->func[first + c] = (struct val){.abs = MOD_UNDEFINED};
    }
    return 1;
}

/* OpArrayLength: how many whole elements of the runtime array, a struct's last member, the buffer has room for. Clause: Vulkan,
 * "Descriptor Set Interface", and SPIR-V specification, OpArrayLength. */
static int run_length(struct exec *x, const struct invocation *inv, const struct mod_inst *in)
{
    enum {
        STRUCTURE = MOD_OPERAND, /* words */
        MEMBER
    };
    struct location p;
    if (in->n <= MEMBER || !get_place(x, inv, in->w[STRUCTURE], &p)) {
        return exec_stop(x, "the length of no array");
    }
    const struct mod_type *const t = module_get_type(x->m, pointee_of(x, in->w[STRUCTURE]));
    uint32_t const member = in->w[MEMBER];
    if (p.space != SPACE_BUFFER || p.offset != 0 || p.object >= x->tc->n_bufs ||
        t->kind != TK_STRUCT || member + 1 != t->n_members) {
        return exec_stop(x, "the length of no runtime array of a buffer");
    }
    uint32_t const step = get_step(&x->m->ids[t->members[member]]);
    uint32_t const n_bytes = x->tc->bufs[p.object].n_bytes, offset = t->offsets[member];
    if (step == 0 || module_get_type(x->m, t->members[member])->kind != TK_ARRAY) {
        return exec_stop(x, "the length of no runtime array of a buffer");
    }
    exec_reg(x, inv, in->result)->bits = n_bytes > offset ? (n_bytes - offset) / step : 0;
    return 1;
}

int exec_memory(struct exec *x, struct invocation *inv, const struct mod_inst *in)
{
    switch (in->op) {
    case SpvOpImageTexelPointer:
        return run_texel_pointer(x, inv, in);
    case SpvOpArrayLength:
        return run_length(x, inv, in);
    case SpvOpLifetimeStart:
        return run_start(x, inv, in);
    default:
        return run_variable(x, inv, in);
    }
}
