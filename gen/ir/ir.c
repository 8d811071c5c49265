/* gen/ir/ir.c -- building programs in an arena. */
#include "gen/ir/ir.h"

#include <assert.h>

#include "base/caps.h"

static struct ir_inst *inst_new(struct ir_program *p, enum ir_kind kind, enum ir_type type)
{
    struct ir_inst *i = ARENA_NEW(p->a, struct ir_inst, 1);
    if (!i) {
        p->ok = false;
        i = p->spare;
        *i = (struct ir_inst){.body = {p->spare_block}, .phi = i};
    }
    i->kind = kind;
    i->type = type;
    return i;
}

/* A copy for an instruction to keep; NULL: the arena is full, and the program is not ok. */
static void *keep(struct ir_program *p, const void *what, size_t n_bytes)
{
    void *const kept = arena_copy(p->a, what, n_bytes);
    p->ok &= kept != NULL;
    return kept;
}

static struct ir_inst *append(struct ir_block *b, struct ir_inst *i)
{
    if (b->last == i) {
        return i; /* the spare one, twice */
    }
    if (b->last) {
        b->last->next = i;
    } else {
        b->first = i;
    }
    b->last = i;
    return i;
}

void ir_move(struct ir_block *b, struct ir_inst *from, struct ir_inst *to)
{
    if (from == to || !from || b->last == from) {
        return;
    }
    struct ir_inst **const at = to ? &to->next : &b->first;
    struct ir_inst *const moved = from->next;
    from->next = NULL;
    b->last->next = *at;
    *at = moved;
    b->last = from;
}

bool ir_program_init(struct ir_program *p, enum env env, struct arena *a)
{
    *p = (struct ir_program){.a = a, .env = env, .ok = 1};
    p->spare = ARENA_NEW(a, struct ir_inst, 1);
    p->spare_block = ARENA_NEW(a, struct ir_block, 1);
    if (!p->spare || !p->spare_block) {
        p->ok = false;
        return false;
    }
    p->gid = inst_new(p, IR_GID, IR_I32);
    p->lid = inst_new(p, IR_LID, IR_I32);
    p->wg = inst_new(p, IR_WG, IR_I32);
    return p->ok;
}

uint32_t ir_add_var(struct ir_program *p, struct ir_var v)
{
    if (p->n_vars == IR_MAX_VARS) {
        p->ok = false;
        return 0;
    }
    if (ir_var_has_buffer(&v)) {
        v.buf = p->n_bufs++;
    }
    p->vars[p->n_vars] = v;
    return p->n_vars++;
}

struct ir_block *ir_block_new(struct ir_program *p)
{
    struct ir_block *const b = ARENA_NEW(p->a, struct ir_block, 1);
    p->ok &= b != NULL;
    return b ? b : p->spare_block;
}

/* The bit by which a NaN of that type is quiet. */
static uint64_t get_quiet_bit(enum ir_type type)
{
    return UINT64_C(1) << (type == IR_F16 ? 9 : type == IR_F32 ? 22 : 51);
}

static bool is_signalling(enum ir_type type, uint64_t bits)
{
    static const uint64_t infinity[] = {0x7c00, 0x7f800000, UINT64_C(0x7ff0000000000000)};
    if (type < IR_F16 || type > IR_F64) {
        return false;
    }
    uint64_t const inf = infinity[type - IR_F16];
    uint64_t const magnitude = bits & (inf | ((inf & (~inf + 1)) - 1));
    return magnitude > inf && !(bits & get_quiet_bit(type));
}

struct ir_inst *ir_const(struct ir_program *p, enum ir_type type, uint64_t bits)
{
    struct ir_inst *const i = inst_new(p, IR_CONST, type);
    i->bits = bits;
    if (p->env == ENV_VK && is_signalling(type, bits)) { /* GLSL does not say which NaN comes out */
        if (needs_has(&p->allowed, NEED_VK_MODULE)) {
            needs_add(&p->needs, NEED_VK_MODULE);
        } else {
            i->bits |= get_quiet_bit(type);
        }
    }
    return i;
}

struct ir_inst *ir_spec(struct ir_program *p, enum ir_type type, uint64_t bits, bool has_value,
                        uint64_t value)
{
    if (p->n_specs == CASE_MAX_SPECS) {
        return NULL;
    }
    struct ir_inst *const i = inst_new(p, IR_SPEC, type);
    bool const is_bool = type == IR_BOOL;
    i->bits = bits;
    i->var = p->n_specs++;
    if (has_value) {
        p->specs[p->n_values++] = (struct spec){.id = i->var,
                                                .n_bytes = is_bool ? 1 : ir_type_bits(type) / 8,
                                                .bits = value,
                                                .is_bool = is_bool};
    }
    return i;
}

struct ir_inst *ir_spec_op(struct ir_program *p, uint32_t op, enum ir_type type, struct ir_inst *x,
                           struct ir_inst *y, struct ir_inst *z)
{
    struct ir_inst *const i = inst_new(p, IR_SPEC_OP, type);
    i->op = op;
    i->arg[0] = x;
    i->arg[1] = y;
    i->arg[2] = z;
    return i;
}

struct ir_inst *ir_spec_vector(struct ir_program *p, uint32_t n, struct ir_inst *const *part)
{
    if (n == 1) {
        return part[0];
    }
    struct ir_inst *const i = inst_new(p, IR_SPEC_OP, part[0]->type);
    i->part = keep(p, part, n * sizeof *part);
    i->n_results = i->part ? n : 0;
    return i;
}

struct ir_inst *ir_plain(struct ir_program *p, struct ir_block *b, uint32_t op, enum ir_type type,
                         struct ir_inst *x, struct ir_inst *y)
{
    struct ir_inst *const i = inst_new(p, IR_PLAIN, type);
    i->op = op;
    i->arg[0] = x;
    i->arg[1] = y;
    return append(b, i);
}

struct ir_inst *ir_vector(struct ir_program *p, struct ir_block *b, uint32_t n,
                          struct ir_inst *const *part)
{
    if (n == 1) {
        return part[0];
    }
    struct ir_inst *const i = inst_new(p, IR_VECTOR, part[0]->type);
    i->part = keep(p, part, n * sizeof *part);
    i->n_results = i->part ? n : 0;
    return append(b, i);
}

struct ir_inst *ir_second(struct ir_program *p, struct ir_block *b, struct ir_inst *x)
{
    struct ir_inst *const i = inst_new(p, IR_SECOND, x->math.second);
    i->arg[0] = x;
    i->n_results = x->n_results;
    return append(b, i);
}

struct ir_inst *ir_load(struct ir_program *p, struct ir_block *b, uint32_t var,
                        struct ir_inst *index)
{
    struct ir_inst *const i = inst_new(p, IR_LOAD, p->vars[var].type);
    i->var = var;
    i->n_results = p->vars[var].n_components;
    i->arg[0] = index;
    return append(b, i);
}

uint32_t ir_var_stride(const struct ir_var *v)
{
    return v->of_struct ? v->of_struct->n_bytes : ir_type_bits(v->type) / 8 * ir_var_components(v);
}

/* The path, for an instruction to keep. */
static const struct ir_path *keep_path(struct ir_program *p, const struct ir_path *path)
{
    return path ? keep(p, path, sizeof *path) : NULL;
}

static struct ir_inst *typed_new(struct ir_program *p, enum ir_kind kind, struct ir_part what)
{
    struct ir_inst *const i = inst_new(p, kind, what.of_struct ? IR_VOID : what.type);
    i->n_results = what.n_components > 1 ? what.n_components : 0;
    i->of_struct = what.of_struct;
    return i;
}

struct ir_inst *ir_load_part(struct ir_program *p, struct ir_block *b, uint32_t var,
                             struct ir_inst *index, const struct ir_path *path, struct ir_part what)
{
    struct ir_inst *const i = typed_new(p, IR_LOAD, what);
    i->var = var;
    i->arg[0] = index;
    i->path = keep_path(p, path);
    i->is_laid_out = ir_var_is_laid_out(&p->vars[var], p->env);
    return append(b, i);
}

void ir_store_part(struct ir_program *p, struct ir_block *b, uint32_t var, struct ir_inst *index,
                   const struct ir_path *path, struct ir_inst *value)
{
    struct ir_inst *const i = inst_new(p, IR_STORE, IR_VOID);
    i->var = var;
    i->arg[0] = index;
    i->arg[1] = value;
    i->path = keep_path(p, path);
    append(b, i);
}

struct ir_inst *ir_member(struct ir_program *p, struct ir_block *b, struct ir_inst *of,
                          const struct ir_path *path, struct ir_part what)
{
    struct ir_inst *const i = typed_new(p, IR_MEMBER, what);
    i->arg[0] = of;
    i->path = keep_path(p, path);
    i->is_laid_out = of->is_laid_out;
    return append(b, i);
}

struct ir_inst *ir_insert(struct ir_program *p, struct ir_block *b, struct ir_inst *of,
                          const struct ir_path *path, struct ir_inst *value)
{
    struct ir_inst *const i = inst_new(p, IR_INSERT, IR_VOID);
    i->arg[0] = of;
    i->arg[1] = value;
    i->of_struct = of->of_struct;
    i->is_laid_out = of->is_laid_out;
    i->path = keep_path(p, path);
    return append(b, i);
}

struct ir_inst *ir_struct(struct ir_program *p, struct ir_block *b, uint32_t var, uint32_t n_leaves,
                          struct ir_inst *const *leaf)
{
    struct ir_inst *const i = inst_new(p, IR_STRUCT, IR_VOID);
    i->part = keep(p, leaf, n_leaves * sizeof *leaf);
    i->bits = i->part ? n_leaves : 0;
    i->of_struct = p->vars[var].of_struct;
    i->is_laid_out = ir_var_is_laid_out(&p->vars[var], p->env);
    return append(b, i);
}

void ir_store(struct ir_program *p, struct ir_block *b, uint32_t var, struct ir_inst *index,
              struct ir_inst *value)
{
    ir_store_part(p, b, var, index, NULL, value);
}

struct ir_inst *ir_atomic(struct ir_program *p, struct ir_block *b, const struct ir_atomic *x)
{
    bool const has_result = x->op != OP_core_AtomicStore;
    struct ir_inst *const i = inst_new(p, IR_ATOMIC, has_result ? p->vars[x->var].type : IR_VOID);
    i->n_results = has_result ? p->vars[x->var].n_components : 0;
    i->atomic = keep(p, x, sizeof *x);
    return append(b, i);
}

struct ir_inst *ir_group(struct ir_program *p, struct ir_block *b, const struct ir_group *x,
                         enum ir_type type, uint32_t n_results)
{
    struct ir_inst *const i = inst_new(p, IR_GROUP, type);
    i->n_results = n_results;
    i->group = keep(p, x, sizeof *x);
    return append(b, i);
}

struct ir_inst *ir_extract(struct ir_program *p, struct ir_block *b, struct ir_inst *vector,
                           uint32_t component)
{
    struct ir_inst *const i = inst_new(p, IR_EXTRACT, vector->type);
    i->arg[0] = vector;
    i->bits = component;
    return append(b, i);
}

struct ir_inst *ir_subgroup(struct ir_program *p, struct ir_block *b, uint32_t builtin)
{
    struct ir_inst *const i = inst_new(p, IR_SUBGROUP, IR_I32);
    i->op = builtin;
    return append(b, i);
}

struct ir_inst *ir_told(struct ir_program *p, struct ir_block *b, uint32_t builtin, uint32_t d)
{
    struct ir_inst *const i = inst_new(p, IR_TOLD, IR_I32);
    i->op = builtin;
    i->var = d;
    return append(b, i);
}

void ir_barrier(struct ir_program *p, struct ir_block *b, uint32_t semantics)
{
    ir_barrier_of(p, b, semantics, 0);
}

void ir_barrier_of(struct ir_program *p, struct ir_block *b, uint32_t semantics, uint32_t scope)
{
    struct ir_inst *const i = append(b, inst_new(p, IR_BARRIER, IR_VOID));
    i->bits = semantics;
    i->op = scope;
}

struct ir_inst *ir_if(struct ir_program *p, struct ir_block *b, struct ir_inst *condition)
{
    struct ir_inst *const i = inst_new(p, IR_IF, IR_VOID);
    i->arg[0] = condition;
    i->body[0] = ir_block_new(p);
    return append(b, i);
}

struct ir_inst *ir_loop(struct ir_program *p, struct ir_block *b, struct ir_inst *trips)
{
    struct ir_inst *const i = inst_new(p, IR_LOOP, IR_VOID);
    i->arg[0] = trips;
    i->body[0] = ir_block_new(p);
    i->phi = inst_new(p, IR_PHI, IR_I32);
    return append(b, i);
}

struct ir_inst *ir_phi(struct ir_program *p, struct ir_inst *of, enum ir_type type,
                       struct ir_inst *x, struct ir_inst *y)
{
    struct ir_inst *const i = inst_new(p, IR_PHI, type);
    i->arg[0] = x;
    i->arg[1] = y;
    struct ir_inst **at = &of->phi;
    while (*at && *at != i) {
        at = &(*at)->next;
    }
    *at = i;
    return i;
}

void ir_return(struct ir_program *p, struct ir_block *b)
{
    append(b, inst_new(p, IR_RETURN, IR_VOID));
}

void ir_return_value(struct ir_program *p, struct ir_block *b, struct ir_inst *value)
{
    append(b, inst_new(p, IR_RETURN, IR_VOID))->arg[0] = value;
}

bool ir_block_ends(const struct ir_block *b)
{
    const struct ir_inst *const last = b->last;
    bool const is_endless = last && last->kind == IR_TESTED_LOOP && last->tested->is_endless;
    return last && (is_endless || last->kind == IR_RETURN || last->kind == IR_GOTO);
}

struct ir_kernel *ir_add_kernel(struct ir_program *p)
{
    if (p->n_kernels == IR_MAX_KERNELS || !p->ok) {
        return NULL;
    }
    struct ir_kernel *const k = &p->kernels[p->n_kernels++];
    *k = (struct ir_kernel){
        .gid = inst_new(p, IR_GID, IR_I32),
        .lid = inst_new(p, IR_LID, IR_I32),
        .wg = inst_new(p, IR_WG, IR_I32),
        .local = {1, 1, 1},
    };
    return k;
}

/* Zeros of the arena for a part of an instruction; NULL where it is full. */
static void *part_new(struct ir_program *p, size_t n_bytes)
{
    void *const part = arena_take(p->a, n_bytes);
    p->ok &= part != NULL;
    return part;
}

struct ir_inst *ir_switch(struct ir_program *p, struct ir_block *b, struct ir_inst *selector)
{
    struct ir_inst *const i = inst_new(p, IR_SWITCH, IR_VOID);
    i->arg[0] = selector;
    i->arms = part_new(p, sizeof *i->arms);
    return append(b, i);
}

struct ir_switch_arm *ir_switch_arm(struct ir_program *p, struct ir_inst *of)
{
    assert(!of->arms || of->arms->n_arms < IR_MAX_ARMS);
    struct ir_switch_arm *const arm = &of->arms->arm[of->arms->n_arms++];
    arm->block = ir_block_new(p);
    return arm;
}

struct ir_inst *ir_tested_loop(struct ir_program *p, struct ir_block *b, enum ir_test test_at)
{
    struct ir_inst *const i = inst_new(p, IR_TESTED_LOOP, IR_VOID);
    i->body[0] = ir_block_new(p);
    i->phi = NULL;
    i->tested = part_new(p, sizeof *i->tested);
    if (i->tested) {
        i->tested->test_at = test_at;
        i->tested->test = ir_block_new(p);
        i->tested->step = ir_block_new(p);
    }
    return append(b, i);
}

struct ir_inst *ir_join_phi(struct ir_program *p, struct ir_join *j, enum ir_type type)
{
    assert(j->n < IR_MAX_JOINED);
    return j->phi[j->n++] = inst_new(p, IR_PHI, type);
}

void ir_goto(struct ir_program *p, struct ir_block *b, struct ir_join *j,
             struct ir_inst *const *values)
{
    struct ir_inst *const i = inst_new(p, IR_GOTO, IR_VOID);
    i->join = j;
    i->bits = j->n;
    if (j->n > 0) {
        i->part = keep(p, values, j->n * sizeof *values);
    }
    append(b, i);
}

void ir_add_hint(struct ir_program *p, struct ir_inst *of, uint32_t bit)
{
    if (!of->hint) {
        of->hint = part_new(p, sizeof *of->hint);
    }
    if (of->hint) {
        assert(bit > of->hint->mask);
        of->hint->mask |= bit;
    }
}

void ir_add_hint_of(struct ir_program *p, struct ir_inst *of, uint32_t bit, uint32_t operand)
{
    ir_add_hint(p, of, bit);
    if (of->hint) {
        assert(of->hint->n < ARRAY_N(of->hint->operand));
        of->hint->operand[of->hint->n++] = operand;
    }
}

struct ir_inst *ir_variable(struct ir_program *p, enum ir_type type)
{
    return inst_new(p, IR_VARIABLE, type);
}

struct ir_inst *ir_read(struct ir_program *p, struct ir_block *b, struct ir_inst *pointer)
{
    struct ir_inst *const i = inst_new(p, IR_READ, pointer->type);
    i->arg[0] = pointer;
    return append(b, i);
}

void ir_write(struct ir_program *p, struct ir_block *b, struct ir_inst *pointer,
              struct ir_inst *value)
{
    struct ir_inst *const i = inst_new(p, IR_WRITE, IR_VOID);
    i->arg[0] = pointer;
    i->arg[1] = value;
    append(b, i);
}

struct ir_function *ir_function(struct ir_program *p, enum ir_type type)
{
    struct ir_function *const f = part_new(p, sizeof *f);
    if (f) {
        f->type = type;
        f->body = ir_block_new(p);
    }
    return f;
}

struct ir_inst *ir_parameter(struct ir_program *p, struct ir_function *f, enum ir_type type,
                             bool is_pointer)
{
    assert(f->n_parameters < IR_MAX_PARAMETERS);
    struct ir_inst *const i = inst_new(p, IR_PARAMETER, type);
    i->bits = is_pointer;
    f->parameter[f->n_parameters++] = i;
    return i;
}

struct ir_inst *ir_call(struct ir_program *p, struct ir_block *b, struct ir_function *f,
                        struct ir_inst *const *arguments)
{
    struct ir_inst *const i = inst_new(p, IR_CALL, f->type);
    i->function = f;
    i->part = keep(p, arguments, f->n_parameters * sizeof *arguments);
    return append(b, i);
}
