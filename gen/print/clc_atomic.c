/* gen/print/clc_atomic.c -- atomic instructions as the functions of OpenCL C 2.0 and of cl_ext_float_atomics. */
#include "gen/print/clc_atomic.h"

#include <string.h>

#include "gen/print/text_atomic.h"
#include "gen/view/view.h"

/* What is drawn of the spelling: text_draw's `which`. */
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

static const char *name_order(struct printer *p, uint64_t semantics)
{
    enum {
        ORDERS = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                 SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask
    };
    static const struct text_word words[] = {
        {SpvMemorySemanticsMaskNone,                   "memory_order_relaxed"},
        {SpvMemorySemanticsAcquireMask,                "memory_order_acquire"},
        {SpvMemorySemanticsReleaseMask,                "memory_order_release"},
        {SpvMemorySemanticsAcquireReleaseMask,         "memory_order_acq_rel"},
        {SpvMemorySemanticsSequentiallyConsistentMask, "memory_order_seq_cst"},
    };
    return text_find_word(p, words, ARRAY_N(words), semantics & ORDERS,
                          "an atomic of several orders");
}

static const char *name_scope(struct printer *p, uint64_t scope)
{
    static const struct text_word words[] = {
        {SpvScopeCrossDevice, "memory_scope_all_svm_devices"},
        {SpvScopeDevice,      "memory_scope_device"         },
        {SpvScopeWorkgroup,   "memory_scope_work_group"     },
        {SpvScopeSubgroup,    "memory_scope_sub_group"      },
    };
    return text_find_word(p, words, ARRAY_N(words), scope, "an atomic of this scope");
}

/* The same value, which no compiler knows: a dispatch of ours has no offset. */
static const char *at_run_time(struct printer *p, const char *type, const char *constant)
{
    return textf(p, "(%s)(%s + (int)get_global_offset(0))", type, constant);
}

/* Chooses how an atomic call is spelled: *suffix follows the function's name, *arguments the other
 * arguments. The plain form has neither and means sequentially consistent order and device scope;
 * "_explicit" has an order, and a scope where it is not the device. Where several spellings say the same,
 * one is drawn, by the pointer's id, as a store has no result. */
static void spell(struct printer *p, const struct atomic_operands *o, const char **suffix,
                  const char **arguments)
{
    uint64_t const scope = view_get_number(p->m, o->scope);
    const char *order = name_order(p, view_get_number(p->m, o->semantics));
    const char *scope_name = name_scope(p, scope);
    bool const is_device = scope == SpvScopeDevice;
    bool const is_plain = is_device && strcmp(order, "memory_order_seq_cst") == 0;
    bool const prefers_order = text_draw(p, o->pointer, DRAW_FORM, 3) == 1; /* an order alone */
    *suffix = "";
    *arguments = "";
    if (is_plain && !prefers_order) { /* few atomics may be plain, so most of these few are */
        return;
    }
    if (text_draw(p, o->pointer, DRAW_RUN_TIME, RUN_TIME_ONE_IN) == 0) {
        order = at_run_time(p, "memory_order", order);
    }
    if (text_draw(p, o->pointer, DRAW_RUN_TIME_SCOPE, RUN_TIME_ONE_IN) == 0) {
        scope_name = at_run_time(p, "memory_scope", scope_name);
    }
    const char *const unequal =
        o->unequal ? textf(p, ", %s", name_order(p, view_get_number(p->m, o->unequal))) : "";
    *suffix = "_explicit";
    *arguments = is_device && prefers_order ? textf(p, ", %s%s", order, unequal)
                                            : textf(p, ", %s%s, %s", order, unequal, scope_name);
}

/* "(volatile __global atomic_float *)p" */
static const char *print_location(struct printer *p, const struct atomic_operands *o,
                                  enum text_sign sign)
{
    const struct spv_inst *const pointer = &view_get(p->m, view_type_of(p->m, o->pointer))->in;
    if (pointer->op != SpvOpTypePointer || pointer->n != 4) {
        return text_fail(p, "an atomic on what is no pointer");
    }
    const struct spv_inst *const pointee = &view_get(p->m, pointer->w[3])->in;
    if ((pointee->op == SpvOpTypeInt && pointee->n > 2 && pointee->w[2] == 16) ||
        (pointee->op == SpvOpTypeFloat && pointee->n > 3)) {
        return text_fail(p, "an atomic on 16 bits");
    }
    const char *const space = pointer->w[2] == SpvStorageClassCrossWorkgroup ? "__global "
                              : pointer->w[2] == SpvStorageClassWorkgroup    ? "__local "
                                                                             : "";
    const char *const is_volatile = text_draw(p, o->pointer, DRAW_VOLATILE, 2) ? "volatile " : "";
    return textf(p, "(%s%satomic_%s *)%s", is_volatile, space, text_type(p, pointer->w[3], sign),
                 text_operand(p, o->pointer));
}

bool clc_put_init(struct printer *p, const struct spv_inst *in)
{
    uint32_t const pointer = in->w[1];
    const struct spv_inst *const type = &view_get(p->m, view_type_of(p->m, pointer))->in;
    bool const is_local =
        type->op == SpvOpTypePointer && type->n == 4 && type->w[2] == SpvStorageClassWorkgroup;
    bool const is_part = view_get(p->m, pointer)->in.n > 5; /* of a struct */
    if (!is_local || is_part || view_count_bits(p->m, type->w[3]) != 32 ||
        view_count_components(p->m, type->w[3]) != 1 ||
        text_draw(p, pointer, DRAW_INIT, INIT_ONE_IN) != 0) {
        return false;
    }
    struct atomic_operands const o = {.pointer = pointer};
    text_put_line(p, "atomic_init(%s, %s);", print_location(p, &o, TEXT_UNSIGNED),
                  text_value(p, in->w[2]));
    return true;
}

static void put_compare_exchange(struct printer *p, const struct spv_inst *in, const char *location,
                                 const struct atomic_operands *o)
{
    const char *suffix = "", *arguments = "";
    const char *const expected = textf(p, "e%u", in->w[2]);
    spell(p, o, &suffix, &arguments);
    text_put_variable(p, "%s %s;", text_name(p, in->w[1]), expected);
    text_put_line(p, "%s = %s;", expected, text_value(p, o->comparator));
    text_put_line(p, "atomic_compare_exchange_strong%s(%s, &%s, %s%s);", suffix, location, expected,
                  text_value(p, o->value), arguments);
    text_define(p, in, expected, true, false);
}

/* x + (-v) is x - v, of any values. */
static const struct spv_inst *find_negation(const struct printer *p, const struct spv_inst *in,
                                            uint32_t value)
{
    const struct spv_inst *const negation = &view_get(p->m, value)->in;
    bool const is_sum = in->op == SpvOpAtomicFAddEXT && negation->op == SpvOpFNegate;
    return is_sum && negation->n == 4 ? negation : NULL;
}

/* Prints an atomic instruction as a call of OpenCL C: `atomic_fetch_add_explicit(p, v, order, scope)`. An
 * addition of a negated value becomes a subtraction, and signed operands and results are cast, as integers
 * of the text are unsigned. Returns false for any other instruction. */
bool clc_put_atomic(struct printer *p, const struct spv_inst *in)
{
    const struct atomic_row *const row = text_find_atomic(in->op);
    if (!row) {
        return false;
    }
    struct atomic_operands const o = text_get_operands(in, row->form);
    const char *const location = print_location(p, &o, row->sign);
    if (row->form == ATOMIC_COMPARE) {
        put_compare_exchange(p, in, location, &o);
        return true;
    }
    const char *name = row->clc, *value = "", *suffix = "", *arguments = "";
    if (row->form == ATOMIC_ONE) { /* an increment or decrement: OpenCL C adds or subtracts 1 */
        value = textf(p, ", (%s)1", text_name(p, in->w[1]));
    } else if (row->form != ATOMIC_LOAD) {
        const struct spv_inst *const negation = find_negation(p, in, o.value);
        uint32_t const operand = negation ? negation->w[3] : o.value; /* w[3]: what is negated */
        bool const is_cast = !negation && row->sign == TEXT_SIGNED;
        const char *const text = is_cast ? text_signed(p, operand) : text_value(p, operand);
        name = negation ? "atomic_fetch_sub" : name;
        value = textf(p, ", %s", text);
    }
    spell(p, &o, &suffix, &arguments);
    const char *const call = textf(p, "%s%s(%s%s%s)", name, suffix, location, value, arguments);
    bool const is_signed = row->sign == TEXT_SIGNED;
    text_put_atomic(p, in, call,
                    is_signed ? textf(p, "(%s)%s", text_name(p, in->w[1]), call) : call);
    return true;
}
