/* gen/spelling/other_kernel.c -- entry points beside the one that runs. */
#include "gen/spelling/other_kernel.h"

#include <string.h>

#include "base/spv.h"

/* One in the making. */
struct other {
    struct ir_program *p;
    struct ir_kernel *k;
    struct ir_block *block;
    uint64_t seed, n; /* n choices were made of the seed */
};

/* 0 <= result < n. */
static uint32_t choose(struct other *o, uint32_t n)
{
    uint64_t const words[] = {o->seed, o->n++};
    return (uint32_t)(hash_bytes(0, words, sizeof words) % n);
}

static struct ir_inst *put_i32(struct other *o, uint32_t v)
{
    return ir_const(o->p, IR_I32, v);
}

static struct ir_inst *put_int(struct other *o, uint32_t op, struct ir_inst *x, struct ir_inst *y)
{
    return ir_plain(o->p, o->block, op, IR_I32, x, y);
}

/* Bits that are no result: a small normal number as a float. */
static struct ir_inst *put_number(struct other *o, enum ir_type type)
{
    if (type == IR_BOOL) {
        return ir_const(o->p, type, choose(o, 2));
    }
    uint64_t const bits = UINT64_C(0x3535353535353535) >> (64 - ir_type_bits(type));
    return ir_const(o->p, type, (bits & ~UINT64_C(15)) | choose(o, 16));
}

/* The index of an element, within the variable as far as its length is known. */
static struct ir_inst *put_index(struct other *o, const struct ir_var *v)
{
    struct ir_inst *const own = v->kind == VAR_LOCAL ? o->k->lid : o->k->gid;
    return v->n == 0 ? own : put_int(o, SpvOpUMod, own, put_i32(o, v->n));
}

/* A value of the variable's elements: constants, or what is there and a constant. */
static struct ir_inst *put_value(struct other *o, uint32_t var, struct ir_inst *index)
{
    const struct ir_var *const v = &o->p->vars[var];
    uint32_t const n = ir_var_components(v);
    struct ir_inst *part[IR_MAX_COMPONENTS];
    bool const is_of_own = n == 1 && v->type == IR_I32 && choose(o, 2);
    if (is_of_own) {
        struct ir_inst *const found = ir_load(o->p, o->block, var, index);
        return put_int(o, SpvOpBitwiseXor, found, put_i32(o, 1 + choose(o, 1000)));
    }
    for (uint32_t c = 0; c < n; c++) {
        part[c] = put_number(o, v->type);
    }
    return ir_vector(o->p, o->block, n, part);
}

static void put_store(struct other *o, uint32_t var)
{
    const struct ir_var *const v = &o->p->vars[var];
    struct ir_inst *const index = put_index(o, v);
    ir_store(o->p, o->block, var, index, put_value(o, var, index));
}

/* Numbers that plain instructions may move. */
static bool is_stored(const struct ir_var *v)
{
    return (v->kind == VAR_BUFFER || v->kind == VAR_LOCAL) && !v->is_exchanged &&
           v->type != IR_BF16 && !v->of_struct;
}

/* A store to each variable, some of them in a branch or a loop. */
static void put_stores(struct other *o)
{
    struct ir_block *const outer = o->block;
    for (uint32_t v = 0; v < o->p->n_vars; v++) {
        uint32_t const form = choose(o, 6);
        if (!is_stored(&o->p->vars[v])) {
            continue;
        }
        if (form == 0) {
            struct ir_inst *const test = ir_plain(o->p, outer, SpvOpULessThan, IR_BOOL, o->k->lid,
                                                  put_i32(o, 1 + choose(o, 40)));
            o->block = ir_if(o->p, outer, test)->body[0];
        } else if (form == 1) {
            o->block = ir_loop(o->p, outer, put_i32(o, 2 + choose(o, 3)))->body[0];
        }
        put_store(o, v);
        o->block = outer;
    }
}

static struct ir_inst *find_call(const struct ir_block *b, uint32_t *n);

/* The call within an instruction's blocks of which *n others come before; NULL: there are not so many. */
static struct ir_inst *find_call_in(const struct ir_inst *i, uint32_t *n)
{
    struct ir_inst *found = NULL;
    for (size_t k = 0; k < ARRAY_N(i->body) && !found; k++) {
        found = find_call(i->body[k], n);
    }
    for (uint32_t k = 0; i->arms && k < i->arms->n_arms && !found; k++) {
        found = find_call(i->arms->arm[k].block, n);
    }
    if (i->tested && !found) {
        found = find_call(i->tested->step, n);
    }
    return found;
}

static struct ir_inst *find_call(const struct ir_block *b, uint32_t *n)
{
    struct ir_inst *found = NULL;
    for (struct ir_inst *i = b ? b->first : NULL; i && !found; i = i->next) {
        if (i->kind == IR_CALL && (*n)-- == 0) {
            return i;
        }
        found = find_call_in(i, n);
    }
    return found;
}

/* Calls functions that the program calls, with its own arguments. */
static void put_calls(struct other *o)
{
    enum {
        MAX_CALLS = 3
    };
    for (uint32_t at = 0; at < MAX_CALLS; at++) {
        uint32_t n = at;
        const struct ir_inst *const call = find_call(&o->p->main, &n);
        struct ir_inst *arguments[IR_MAX_PARAMETERS];
        if (!call) {
            return;
        }
        for (uint32_t k = 0; k < call->function->n_parameters; k++) {
            const struct ir_inst *const of = call->function->parameter[k];
            arguments[k] = of->bits ? ir_variable(o->p, of->type) : put_number(o, of->type);
            if (of->bits) {
                ir_write(o->p, o->block, arguments[k], put_number(o, of->type));
            }
        }
        (void)ir_call(o->p, o->block, call->function, arguments);
    }
}

/* Adds a kernel to the module beside the one that runs: its name, local size, place in the module and modes
 * are chosen by `seed`, its body is calls and stores. No dispatch runs it, so it must change no result. */
static void put_kernel(struct ir_program *p, uint64_t seed)
{
    static const char *const names[] = {"main_kernel_2", "other", "main_kerne", "kernel_main",
                                        "_main_kernel",  "a",     "zzz",        "Main_Kernel"};
    static const uint32_t sizes[][3] = {
        {1,  1, 1},
        {7,  1, 1},
        {16, 1, 1},
        {64, 1, 1},
        {4,  4, 1},
        {2,  2, 2}
    };
    struct other o = {.p = p, .seed = seed};
    uint32_t const n_before = p->n_kernels;
    o.k = ir_add_kernel(p);
    if (!o.k) {
        return;
    }
    const uint32_t *const size = sizes[choose(&o, ARRAY_N(sizes))];
    memcpy(o.k->local, size, sizeof o.k->local);
    /* of each IR_MAX_KERNELS names kernel number n_before takes its own, so that no two have the same name */
    o.k->name = names[choose(&o, ARRAY_N(names) / IR_MAX_KERNELS) * IR_MAX_KERNELS + n_before];
    o.k->is_first = choose(&o, 2);
    o.k->has_other_modes = choose(&o, 2);
    o.block = &o.k->main;
    if (choose(&o, 2)) {
        put_calls(&o);
    }
    put_stores(&o);
}

uint32_t other_kernel_add(struct ir_program *p, struct tape *t)
{
    static const uint8_t counts[] = {0, 0, 0, 0, 0, 0, 1, 2};
    uint32_t const n = counts[tape_take_below(t, ARRAY_N(counts), ROLE_FORM)];
    for (uint32_t k = 0; k < IR_MAX_KERNELS; k++) {
        uint64_t const seed = tape_take_u64(t, ROLE_FORM);
        if (k < n && p->ok) {
            put_kernel(p, seed);
        }
    }
    return p->n_kernels;
}
