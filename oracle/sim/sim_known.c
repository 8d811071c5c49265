/* oracle/sim/sim_known.c -- what the judge can know of that a planted fault's site rests on. */
#include "oracle/sim/sim_known.h"

#include "base/ops.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"
#include "oracle/value/value.h"
#include "oracle/value/value_set.h"
#include "oracle/value/value_shape.h"
#include "oracle/value/value_within.h"

/* --- what hands a value on --- */

/* Is what the instruction gives, an undecorated one, exact? */
static bool is_exact(const struct sim *s, const struct mod_inst *in)
{
    static const enum op_id exact[] = {OP_core_FNegate, OP_opencl_std_modf, OP_opencl_std_fract};
    bool is_listed = false;
    for (size_t i = 0; i < ARRAY_N(exact); i++) {
        is_listed |= in->op == op_rows[exact[i]].number;
    }
    return is_listed && !(s->m.ids[in->result].flags & ID_MAX_ERROR);
}

/* What the function that is called returns; NULL: no instruction's. */
static const struct mod_inst *find_returned(const struct sim *s, const struct mod_inst *call)
{
    uint32_t i = s->m.label_at[call->w[MOD_OPERAND]];
    while (i < s->m.n_code && s->m.code[i].op != SpvOpReturnValue &&
           s->m.code[i].op != SpvOpFunctionEnd) {
        i++;
    }
    return i < s->m.n_code && s->m.code[i].op == SpvOpReturnValue
               ? module_get_definition(&s->m, s->m.code[i].w[1])
               : NULL;
}

/* Is a parameter of the function that is called decorated, so that what is returned need not be made of the argument? */
static bool has_decorated_parameter(const struct sim *s, const struct mod_inst *call)
{
    uint32_t i = s->m.label_at[call->w[MOD_OPERAND]] + 1;
    while (i < s->m.n_code && s->m.code[i].op == SpvOpFunctionParameter &&
           !value_propagates(&s->m, &s->m.code[i])) {
        i++;
    }
    return i < s->m.n_code && s->m.code[i].op == SpvOpFunctionParameter;
}

/* The instruction that writes through the pointer, beside its own result; NULL: there is none. */
static const struct mod_inst *find_writer(const struct sim *s, uint32_t pointer)
{
    for (uint32_t i = 0; i < s->m.n_code; i++) {
        const struct mod_inst *in = &s->m.code[i];
        if (value_is_extended(in->op) && value_find_pointer(&s->x, in) == pointer) {
            return in;
        }
    }
    return NULL;
}

bool sim_propagates_known(const struct sim *s, const struct mod_inst *in)
{
    if (in->op == SpvOpFunctionCall) {
        const struct mod_inst *const returned = find_returned(s, in);
        return returned && is_exact(s, returned) && !has_decorated_parameter(s, in);
    }
    if (in->op == SpvOpLoad) {
        const struct mod_inst *const writer = find_writer(s, in->w[MOD_OPERAND]);
        return !writer || is_exact(s, writer);
    }
    return true;
}

/* --- what operands are made of --- */

enum {
    MAX_LISTED = 64 /* instructions that one walk comes to */
};
/* Instructions whose results an operand is made of, each once. */
struct walk {
    struct sim *s;
    const struct mod_inst *found[MAX_LISTED];
    uint32_t n;
};

static void add(struct walk *w, const struct mod_inst *in)
{
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->found[i] == in) {
            return;
        }
    }
    if (in && w->n < MAX_LISTED) {
        w->found[w->n++] = in;
    }
}

/* What all words of the instruction name: those that are no ids add some that need not be there. */
static void add_operands(struct walk *w, const struct mod_inst *in)
{
    for (uint32_t k = MOD_OPERAND; k < in->n; k++) {
        add(w, module_get_definition(&w->s->m, module_get_operand(&w->s->m, in, k)));
    }
}

/* Who calls the function of the parameter hands it all that it may be. */
static void add_callers(struct walk *w, const struct mod_inst *parameter)
{
    const struct mod_inst *function = parameter;
    while (function > w->s->m.code && function->op != SpvOpFunction) {
        function--;
    }
    for (uint32_t i = 0; i < w->s->m.n_code; i++) {
        const struct mod_inst *const in = &w->s->m.code[i];
        if (in->op == SpvOpFunctionCall && in->w[MOD_OPERAND] == function->result) {
            add_operands(w, in);
        }
    }
}

static void add_after(struct walk *w, const struct mod_inst *in)
{
    switch (in->op) {
    case SpvOpLoad:
        add(w, find_writer(w->s, in->w[MOD_OPERAND]));
        return;
    case SpvOpFunctionParameter:
        add_callers(w, in);
        return;
    case SpvOpFunctionCall:
        add(w, find_returned(w->s, in));
        add_operands(w, in);
        return;
    default:
        add_operands(w, in);
    }
}

static bool is_undefined(const struct exec *x, struct val v)
{
    return v.abs && x->pool[v.abs].grade == GRADE_UNDEFINED;
}

/* Evaluates the instruction again, on what its operands are now. `by`, if not NULL, is a decorated one that hands its
 * results on. */
static bool gives_undefined(struct sim *s, const struct invocation *inv, const struct mod_inst *in,
                            const struct mod_inst *by)
{
    struct exec *const x = &s->x;
    struct value_result r;
    bool is_found = false;
    if (s->m.ids[in->result].n_slots > 0 && value_apply(x, &s->rules, inv, in, &r) == 1) {
        for (uint32_t c = 0; c < r.n; c++) {
            struct val const v = by ? value_within(x, &s->rules, by, c, r.v[c]) : r.v[c];
            is_found |= is_undefined(x, v);
        }
        for (uint32_t c = 0; c < r.n_through; c++) {
            is_found |= is_undefined(x, r.through[c]);
        }
    }
    exec_empty_pool(x);
    return is_found;
}

/* The same of an instruction or of the call of a function. */
static bool is_made_undefined(struct sim *s, const struct invocation *inv,
                              const struct mod_inst *in)
{
    const struct mod_inst *const returned =
        in->op == SpvOpFunctionCall && value_propagates(&s->m, in) ? find_returned(s, in) : NULL;
    return returned ? gives_undefined(s, inv, returned, in) : gives_undefined(s, inv, in, NULL);
}

bool sim_rests_on_undefined(struct sim *s, const struct invocation *inv, const struct mod_inst *in)
{
    struct walk w = {.s = s, .n = 0};
    add_after(&w, in);
    for (uint32_t i = 0; i < w.n; i++) {
        if (is_made_undefined(s, inv, w.found[i])) {
            return true;
        }
        add_after(&w, w.found[i]);
    }
    return false;
}
