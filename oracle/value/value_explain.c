/* oracle/value/value_explain.c -- mathematical instructions as calls, and what people are told of a result. */
#include "oracle/value/value_explain.h"

#include <math.h>

#include "base/format.h"
#include "base/func_row.h"
#include "oracle/func/func.h"
#include "oracle/func/func_special.h"
#include "oracle/interp/module.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"

/* How far off the result may be, for people: "4 ulp", "exact". b: the bound at the arguments in question,
 * of which only bounds in numbers make use. */
static const char *bound_text(const struct accuracy *a, const struct func_bound *b, struct arena *m)
{
    switch (a->kind) {
    case ACCURACY_NONE:
        return "no bound, judged exactly";
    case ACCURACY_ROUNDED:
        return "correctly rounded";
    case ACCURACY_EXACT:
        return "exact";
    case ACCURACY_ANYTHING:
        return "implementation-defined";
    case ACCURACY_INHERITED:
        return "inherited from its formula";
    case ACCURACY_ULP:
    case ACCURACY_ABSOLUTE:
    case ACCURACY_FORMULA:
        break;
    }
    if (b->anything) {
        return "no bound here";
    }
    return b->absolute > 0 ? arena_printf(m, "%.9g absolute", b->absolute)
                           : arena_printf(m, "%.9g ulp", b->ulp);
}

/* Describes component c of the instruction as a call of a function: its accuracy, and where all its
 * operands are known their values (has_args). Instructions on whole vectors are described without values.
 * 0: not one on floats of one format that has a row in ops.def. */
int value_describe(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                   const struct mod_inst *in, uint32_t c, struct value_call *out)
{
    struct value_site const site = {.x = x, .rs = rs, .inv = inv, .in = in, .c = c};
    struct value_shape shape;
    uint64_t bits = 0;
    if (!value_find_shape(x, in, &shape)) {
        return 0;
    }
    *out = (struct value_call){.accuracy = value_find_accuracy(rs, x, in, &shape),
                               .args = {.fmt = shape.fmt},
                               .is_whole = shape.is_whole,
                               .has_args = !shape.is_whole && shape.n_float > 0};
    for (uint32_t i = 0; out->has_args && i < shape.n_float; i++) {
        out->has_args = exec_known(x, value_part(&site, shape.float_id[i]), &out->args.enc[i]);
    }
    if (out->has_args && shape.int_id) {
        out->has_args = exec_known(x, value_part(&site, shape.int_id), &bits);
        out->args.n = (int32_t)(uint32_t)bits;
    }
    return 1;
}

/* What is known of the error of `got`, where the instruction is one function of known operands: either the
 * result is prescribed, or the bound, if it depends on the operands, and the error in ulps are added to
 * out->text. */
static void explain_error(const struct value_call *call, const struct ruleset *rs, uint64_t got,
                          struct arena *m, struct value_explanation *out)
{
    const struct accuracy *a = &call->accuracy;
    struct func_bound const b = accuracy_bound(a, &call->args);
    struct set special;
    double error = 0;
    if (func_get_special(a->func, rs->env, &call->args, &special)) {
        out->clause = CLAUSE_MATH_SPECIAL;
        return;
    }
    if (a->kind == ACCURACY_FORMULA) {
        out->text = arena_printf(m, "bound %s", bound_text(a, &b, m));
    }
    if (func_get_error(a->func, rs->env, &call->args, got, &error) == FUNC_ERROR_MEASURED) {
        out->text = arena_printf(m, "%s, error %+.6g ulp", out->text, error);
        out->is_unsatisfiable = accuracy_is_unsatisfiable(a) && fabs(error) > b.ulp &&
                                !format_is_zero(&float_formats[call->args.fmt], got);
    }
}

/* " 0x3f800000,0x40000000 0x0": the operands of an instruction on whole vectors. */
static const char *vectors_text(const struct exec *x, const struct invocation *inv,
                                const struct mod_inst *in, struct arena *m)
{
    const char *text = "";
    for (uint32_t i = value_first_operand(in->op); i < in->n; i++) {
        const struct val *v = exec_reg(x, inv, in->w[i]);
        for (uint32_t k = 0; k < x->m->ids[in->w[i]].n_slots; k++) {
            uint64_t bits;
            int const is_known = exec_known(x, v[k], &bits);
            const char *shown =
                is_known ? arena_printf(m, "0x%llx", (unsigned long long)bits) : "?";
            text = arena_printf(m, "%s%s%s", text, k ? "," : " ", shown);
        }
    }
    return text;
}

/* Puts the values of the float operands, in the order of their words, as call->args has them; integers and
 * pointers are passed over. */
static void put_operands(const struct exec *x, const struct mod_inst *in,
                         const struct value_call *call, struct value_explanation *out)
{
    for (uint32_t i = 0; i < in->n && i < VALUE_MAX_OPERANDS; i++) {
        uint32_t const word = i + value_first_operand(in->op);
        int const is_float =
            word < in->n && module_get_format(x->m, x->m->ids[in->w[word]].type) >= 0;
        if (is_float) {
            const struct mod_id *const id = &x->m->ids[in->w[word]];
            out->operand_type[out->n_operands] =
                val_type_of(module_get_format(x->m, id->type), x->m->ids[id->type].t.bits);
            out->operand[out->n_operands] = call->args.enc[out->n_operands];
            out->n_operands++;
        }
    }
}

/* Describes the value `got` of component c to users: the bound and its clause and, where all
 * operands are known, the operands and the error, or that the result is prescribed. Strings are
 * allocated in m. Returns 0 for an instruction that is not mathematical. */
int value_explain(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                  const struct mod_inst *in, uint32_t c, uint64_t got, struct arena *m,
                  struct value_explanation *out)
{
    struct value_call call;
    *out = (struct value_explanation){.text = ""};
    if (!value_is_math(x, in) || !value_describe(x, rs, inv, in, c, &call)) {
        return 0;
    }
    const struct accuracy *a = &call.accuracy;
    out->clause = accuracy_get_clause(a);
    /* Where no bound holds, only a prescribed result (of a NaN, a zero and the like) can be wrong. */
    if (out->clause == CLAUSE_MATH_IMPL) {
        out->clause = CLAUSE_MATH_SPECIAL;
    }
    /* A formula has a value only where the operands are known: explain_error gives it then. */
    out->text = arena_printf(m, "bound %s%s",
                             a->kind == ACCURACY_FORMULA ? "by a formula of the operands"
                                                         : bound_text(a, &a->bound, m),
                             a->is_decorated ? " by the decoration" : "");
    if (call.is_whole) {
        out->text =
            arena_printf(m, "%s, component %u of%s", out->text, c, vectors_text(x, inv, in, m));
    }
    if (!call.has_args) {
        return 1;
    }
    if (a->func != FUNC_NONE && func_rows[a->func].has_int) {
        out->text = arena_printf(m, "%s, integer argument %d", out->text, call.args.n);
    }
    put_operands(x, in, &call, out);
    if (a->func != FUNC_NONE && !value_gives_integer(in->op)) {
        explain_error(&call, rs, got, m, out);
    }
    static const struct fp_rules plain = {.rounding = ROUND_RNE};
    /* For a function with an integer result, such as the exponent of frexp: if the integer is prescribed for these
     * operands, the same rule prescribes the float next to it, and is the clause of both. */
    struct accuracy_int integer_result;
    if (accuracy_permitted_int(a, &call.args, &plain, &integer_result) &&
        integer_result.is_prescribed) {
        out->clause = CLAUSE_MATH_SPECIAL;
    }
    return 1;
}
