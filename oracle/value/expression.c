/* oracle/value/expression.c -- records of the instructions that may be evaluated together with others. */
#include "oracle/value/expression.h"

#include "oracle/math/rules.h"

struct val expression_record(struct exec *x, struct val v, const struct expression *made)
{
    struct val *arg = arena_copy(x->a, made->arg, sizeof *arg * made->n_args);
    struct expression *all =
        arena_grow(x->a, x->expressions, x->n_expressions, &x->cap_expressions, sizeof *all);
    if (!arg || !all) {
        (void)exec_stop(x, "arena full");
        return v;
    }
    x->expressions = all;
    x->expressions[x->n_expressions] = *made;
    x->expressions[x->n_expressions].arg = arg;
    v.made_by = x->n_expressions++;
    return v;
}

/* An operand adds to the answer in two ways: the instruction that made it shares a freedom with `own`, or
 * its own value may already lie outside of its set for such a reason. LOOSE stays, as it is of the
 * instruction alone. */
unsigned expression_find_freedom(const struct exec *x, unsigned own, const struct val *arg,
                                 uint32_t n_args)
{
    unsigned freedom = own & EXPRESSION_LOOSE;
    for (uint32_t i = 0; i < n_args; i++) {
        const struct abstract *b = exec_get_unobserved(x, arg[i]);
        if (arg[i].made_by) {
            freedom |= own & x->expressions[arg[i].made_by].freedom;
        }
        if (b) {
            freedom |= b->freedom;
        }
    }
    return freedom;
}
