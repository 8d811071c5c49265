/* gen/print/clc_atomic.c -- atomic instructions as the functions of OpenCL C 2.0 and of cl_ext_float_atomics. */
#include "gen/print/clc_atomic.h"

#include <string.h>

#include "gen/print/clc_module.h"

/* How the operands of an instruction are those of the function. */
enum form {
    FORM_LOAD,   /* x = atomic_load(p) */
    FORM_STORE,  /* atomic_store(p, v) */
    FORM_VALUE,  /* x = atomic_fetch_add(p, v) */
    FORM_ONE,    /* x = atomic_fetch_add(p, 1) */
    FORM_COMPARE /* x = c; atomic_compare_exchange_strong(p, &x, v) */
};
struct atomic_row {
    uint32_t op;
    enum form form;
    const char *name;
    enum clc_sign sign;
};
static const struct atomic_row rows[] = {
    {SpvOpAtomicLoad,            FORM_LOAD,    "atomic_load",                    CLC_UNSIGNED},
    {SpvOpAtomicStore,           FORM_STORE,   "atomic_store",                   CLC_UNSIGNED},
    {SpvOpAtomicExchange,        FORM_VALUE,   "atomic_exchange",                CLC_UNSIGNED},
    {SpvOpAtomicCompareExchange, FORM_COMPARE, "atomic_compare_exchange_strong", CLC_UNSIGNED},
    {SpvOpAtomicIIncrement,      FORM_ONE,     "atomic_fetch_add",               CLC_UNSIGNED},
    {SpvOpAtomicIDecrement,      FORM_ONE,     "atomic_fetch_sub",               CLC_UNSIGNED},
    {SpvOpAtomicIAdd,            FORM_VALUE,   "atomic_fetch_add",               CLC_UNSIGNED},
    {SpvOpAtomicISub,            FORM_VALUE,   "atomic_fetch_sub",               CLC_UNSIGNED},
    {SpvOpAtomicSMin,            FORM_VALUE,   "atomic_fetch_min",               CLC_SIGNED  },
    {SpvOpAtomicUMin,            FORM_VALUE,   "atomic_fetch_min",               CLC_UNSIGNED},
    {SpvOpAtomicSMax,            FORM_VALUE,   "atomic_fetch_max",               CLC_SIGNED  },
    {SpvOpAtomicUMax,            FORM_VALUE,   "atomic_fetch_max",               CLC_UNSIGNED},
    {SpvOpAtomicAnd,             FORM_VALUE,   "atomic_fetch_and",               CLC_UNSIGNED},
    {SpvOpAtomicOr,              FORM_VALUE,   "atomic_fetch_or",                CLC_UNSIGNED},
    {SpvOpAtomicXor,             FORM_VALUE,   "atomic_fetch_xor",               CLC_UNSIGNED},
    {SpvOpAtomicFAddEXT,         FORM_VALUE,   "atomic_fetch_add",               CLC_UNSIGNED},
    {SpvOpAtomicFMinEXT,         FORM_VALUE,   "atomic_fetch_min",               CLC_UNSIGNED},
    {SpvOpAtomicFMaxEXT,         FORM_VALUE,   "atomic_fetch_max",               CLC_UNSIGNED},
};

/* What is drawn of the spelling: clc_draw's `which`. */
enum {
    DRAW_FORM,
    DRAW_VOLATILE,
    DRAW_RUN_TIME,
    DRAW_RUN_TIME_SCOPE,
    DRAW_INIT
};
enum {
    INIT_ONE_IN = 3,
    RUN_TIME_ONE_IN = 6 /* orders, and scopes, that are known at run time alone */
};

static const char *name_order(struct clc_printer *p, uint64_t semantics)
{
    enum {
        ORDERS = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                 SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask
    };
    switch (semantics & ORDERS) {
    case SpvMemorySemanticsMaskNone:
        return "memory_order_relaxed";
    case SpvMemorySemanticsAcquireMask:
        return "memory_order_acquire";
    case SpvMemorySemanticsReleaseMask:
        return "memory_order_release";
    case SpvMemorySemanticsAcquireReleaseMask:
        return "memory_order_acq_rel";
    case SpvMemorySemanticsSequentiallyConsistentMask:
        return "memory_order_seq_cst";
    default:
        return clc_fail(p, "an atomic of several orders");
    }
}

static const char *name_scope(struct clc_printer *p, uint64_t scope)
{
    switch (scope) {
    case SpvScopeCrossDevice:
        return "memory_scope_all_svm_devices";
    case SpvScopeDevice:
        return "memory_scope_device";
    case SpvScopeWorkgroup:
        return "memory_scope_work_group";
    case SpvScopeSubgroup:
        return "memory_scope_sub_group";
    default:
        return clc_fail(p, "an atomic of this scope");
    }
}

/* The same value, which no compiler knows: a dispatch of ours has no offset. */
static const char *at_run_time(struct clc_printer *p, const char *type, const char *constant)
{
    return arena_printf(p->a, "(%s)(%s + (int)get_global_offset(0))", type, constant);
}

/* Ids of an atomic's operands, 0 where it has none. */
struct operands {
    uint32_t pointer, scope, semantics, unequal, value, comparator;
};

static struct operands read_operands(const struct spv_inst *in, enum form form)
{
    uint32_t const *const w = in->w;
    switch (form) {
    case FORM_STORE:
        return (struct operands){.pointer = w[1], .scope = w[2], .semantics = w[3], .value = w[4]};
    case FORM_COMPARE:
        return (struct operands){.pointer = w[3],
                                 .scope = w[4],
                                 .semantics = w[5],
                                 .unequal = w[6],
                                 .value = w[7],
                                 .comparator = w[8]};
    case FORM_VALUE:
        return (struct operands){.pointer = w[3], .scope = w[4], .semantics = w[5], .value = w[6]};
    case FORM_LOAD:
    case FORM_ONE:
        break;
    }
    return (struct operands){.pointer = w[3], .scope = w[4], .semantics = w[5]};
}

/* "_explicit" and its arguments, or the plain form: sequentially consistent, over the device. Without the
 * scope it is the device. The seed of a draw is the pointer's id, which a store has too. */
static void spell(struct clc_printer *p, const struct operands *o, const char **suffix,
                  const char **arguments)
{
    uint64_t const scope = clc_get_number(&p->m, o->scope);
    const char *order = name_order(p, clc_get_number(&p->m, o->semantics));
    const char *where = name_scope(p, scope);
    bool const is_default = scope == SpvScopeDevice;
    bool const is_plain = is_default && strcmp(order, "memory_order_seq_cst") == 0;
    uint32_t const form = clc_draw(p, o->pointer, DRAW_FORM, 3);
    *suffix = "";
    *arguments = "";
    if (is_plain && form != 1) { /* few are plain, so most of these are written so */
        return;
    }
    if (clc_draw(p, o->pointer, DRAW_RUN_TIME, RUN_TIME_ONE_IN) == 0) {
        order = at_run_time(p, "memory_order", order);
    }
    if (clc_draw(p, o->pointer, DRAW_RUN_TIME_SCOPE, RUN_TIME_ONE_IN) == 0) {
        where = at_run_time(p, "memory_scope", where);
    }
    const char *const unequal =
        o->unequal ? arena_printf(p->a, ", %s", name_order(p, clc_get_number(&p->m, o->unequal)))
                   : "";
    *suffix = "_explicit";
    *arguments = is_default && form == 1 ? arena_printf(p->a, ", %s%s", order, unequal)
                                         : arena_printf(p->a, ", %s%s, %s", order, unequal, where);
}

/* "(volatile __global atomic_float *)p" */
static const char *print_place(struct clc_printer *p, const struct operands *o, enum clc_sign sign)
{
    const struct spv_inst *const pointer = &clc_get(&p->m, clc_type_of(p, o->pointer))->in;
    if (pointer->op != SpvOpTypePointer || pointer->n != 4) {
        return clc_fail(p, "an atomic on what is no pointer");
    }
    const struct spv_inst *const pointee = &clc_get(&p->m, pointer->w[3])->in;
    if ((pointee->op == SpvOpTypeInt && pointee->n > 2 && pointee->w[2] == 16) ||
        (pointee->op == SpvOpTypeFloat && pointee->n > 3)) {
        return clc_fail(p, "an atomic on 16 bits");
    }
    const char *const space = pointer->w[2] == SpvStorageClassCrossWorkgroup ? "__global "
                              : pointer->w[2] == SpvStorageClassWorkgroup    ? "__local "
                                                                             : "";
    const char *const is_volatile = clc_draw(p, o->pointer, DRAW_VOLATILE, 2) ? "volatile " : "";
    return arena_printf(p->a, "(%s%satomic_%s *)%s", is_volatile, space,
                        clc_type(p, pointer->w[3], sign), clc_operand(p, o->pointer));
}

bool clc_put_init(struct clc_printer *p, const struct spv_inst *in)
{
    uint32_t const pointer = in->w[1];
    const struct spv_inst *const type = &clc_get(&p->m, clc_type_of(p, pointer))->in;
    bool const is_local =
        type->op == SpvOpTypePointer && type->n == 4 && type->w[2] == SpvStorageClassWorkgroup;
    bool const is_part = clc_get(&p->m, pointer)->in.n > 5; /* of a struct */
    if (!is_local || is_part || clc_count_bits(p, type->w[3]) != 32 ||
        clc_count_components(p, type->w[3]) != 1 ||
        clc_draw(p, pointer, DRAW_INIT, INIT_ONE_IN) != 0) {
        return false;
    }
    struct operands const o = {.pointer = pointer};
    clc_put_line(p, arena_printf(p->a, "atomic_init(%s, %s);", print_place(p, &o, CLC_UNSIGNED),
                                 clc_value(p, in->w[2])));
    return true;
}

static void put_compare_exchange(struct clc_printer *p, const struct spv_inst *in,
                                 const char *place, const struct operands *o)
{
    const char *suffix = "", *arguments = "";
    const char *const expected = arena_printf(p->a, "e%u", in->w[2]);
    spell(p, o, &suffix, &arguments);
    clc_put_variable(p,
                     arena_printf(p->a, "%s %s;", clc_type(p, in->w[1], CLC_UNSIGNED), expected));
    clc_put_line(p, arena_printf(p->a, "%s = %s;", expected, clc_value(p, o->comparator)));
    clc_put_line(p, arena_printf(p->a, "atomic_compare_exchange_strong%s(%s, &%s, %s%s);", suffix,
                                 place, expected, clc_value(p, o->value), arguments));
    clc_define(p, in, expected, true, false);
}

/* x + (-v) is x - v, of any values. */
static const struct spv_inst *find_negation(const struct clc_printer *p, const struct spv_inst *in,
                                            uint32_t value)
{
    const struct spv_inst *const negation = &clc_get(&p->m, value)->in;
    bool const is_sum = in->op == SpvOpAtomicFAddEXT && negation->op == SpvOpFNegate;
    return is_sum && negation->n == 4 ? negation : NULL;
}

bool clc_put_atomic(struct clc_printer *p, const struct spv_inst *in)
{
    const struct atomic_row *row = NULL;
    for (size_t i = 0; i < ARRAY_N(rows) && !row; i++) {
        row = rows[i].op == in->op ? &rows[i] : NULL;
    }
    if (!row) {
        return false;
    }
    struct operands const o = read_operands(in, row->form);
    const char *const place = print_place(p, &o, row->sign);
    if (row->form == FORM_COMPARE) {
        put_compare_exchange(p, in, place, &o);
        return true;
    }
    const char *name = row->name, *value = "", *suffix = "", *arguments = "";
    if (row->form == FORM_ONE) {
        value = arena_printf(p->a, ", (%s)1", clc_type(p, in->w[1], CLC_UNSIGNED));
    } else if (row->form != FORM_LOAD) {
        const struct spv_inst *const negation = find_negation(p, in, o.value);
        const char *const text = negation                  ? clc_value(p, negation->w[3])
                                 : row->sign == CLC_SIGNED ? clc_signed(p, o.value)
                                                           : clc_value(p, o.value);
        name = negation ? "atomic_fetch_sub" : name;
        value = arena_printf(p->a, ", %s", text);
    }
    spell(p, &o, &suffix, &arguments);
    const char *call = arena_printf(p->a, "%s%s(%s%s%s)", name, suffix, place, value, arguments);
    if (row->form == FORM_STORE || clc_get(&p->m, in->w[2])->n_uses == 0) {
        clc_put_line(p, arena_printf(p->a, "%s;", call));
        return true;
    }
    if (row->sign == CLC_SIGNED) {
        call = arena_printf(p->a, "(%s)%s", clc_type(p, in->w[1], CLC_UNSIGNED), call);
    }
    clc_define(p, in, call, true, false);
    return true;
}
