/* gen/print/text_atomic.c -- atomic instructions: names of their functions, their operands. */
#include "gen/print/text_atomic.h"

#include "gen/view/view.h"

static const struct atomic_row rows[] = {
#define ATOMIC(op, form, clc, glsl, sign) {SpvOp##op, ATOMIC_##form, clc, glsl, TEXT_##sign},
#include "gen/print/atomic.def"
};

const struct atomic_row *text_find_atomic(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == op) {
            return &rows[i];
        }
    }
    return NULL;
}

struct atomic_operands text_get_operands(const struct spv_inst *in, enum atomic_form form)
{
    uint32_t const at = form == ATOMIC_STORE ? 1 : 3; /* a store has neither type nor result */
    uint32_t const *const w = in->w + at;
    struct atomic_operands o = {.pointer = w[0], .scope = w[1], .semantics = w[2]};
    if (form == ATOMIC_COMPARE) {
        o.unequal = w[3];
        o.value = w[4];
        o.comparator = w[5];
    } else if (form == ATOMIC_STORE || form == ATOMIC_VALUE) {
        o.value = w[3];
    }
    return o;
}

void text_put_atomic(struct printer *p, const struct spv_inst *in, const char *call,
                     const char *value)
{
    if (in->op == SpvOpAtomicStore || view_get(p->m, in->w[2])->n_uses == 0) {
        text_put_line(p, "%s;", call);
    } else {
        text_define(p, in, value, true, false);
    }
}
