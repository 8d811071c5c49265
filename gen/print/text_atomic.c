/* gen/print/text_atomic.c -- atomic instructions: names of their functions, their operands. */
#include "gen/print/text_atomic.h"

#include "gen/view/view.h"

static const struct atomic_row rows[] = {
    {SpvOpAtomicLoad,            ATOMIC_LOAD,    "atomic_load",                    "Load",     TEXT_UNSIGNED},
    {SpvOpAtomicStore,           ATOMIC_STORE,   "atomic_store",                   "Store",    TEXT_UNSIGNED},
    {SpvOpAtomicExchange,        ATOMIC_VALUE,   "atomic_exchange",                "Exchange", TEXT_UNSIGNED},
    {SpvOpAtomicCompareExchange, ATOMIC_COMPARE, "atomic_compare_exchange_strong", "CompSwap",
     TEXT_UNSIGNED                                                                                          },
    {SpvOpAtomicIIncrement,      ATOMIC_ONE,     "atomic_fetch_add",               "Add",      TEXT_UNSIGNED},
    {SpvOpAtomicIDecrement,      ATOMIC_ONE,     "atomic_fetch_sub",               "Add",      TEXT_UNSIGNED},
    {SpvOpAtomicIAdd,            ATOMIC_VALUE,   "atomic_fetch_add",               "Add",      TEXT_UNSIGNED},
    {SpvOpAtomicISub,            ATOMIC_VALUE,   "atomic_fetch_sub",               "Add",      TEXT_UNSIGNED},
    {SpvOpAtomicSMin,            ATOMIC_VALUE,   "atomic_fetch_min",               "Min",      TEXT_SIGNED  },
    {SpvOpAtomicUMin,            ATOMIC_VALUE,   "atomic_fetch_min",               "Min",      TEXT_UNSIGNED},
    {SpvOpAtomicSMax,            ATOMIC_VALUE,   "atomic_fetch_max",               "Max",      TEXT_SIGNED  },
    {SpvOpAtomicUMax,            ATOMIC_VALUE,   "atomic_fetch_max",               "Max",      TEXT_UNSIGNED},
    {SpvOpAtomicAnd,             ATOMIC_VALUE,   "atomic_fetch_and",               "And",      TEXT_UNSIGNED},
    {SpvOpAtomicOr,              ATOMIC_VALUE,   "atomic_fetch_or",                "Or",       TEXT_UNSIGNED},
    {SpvOpAtomicXor,             ATOMIC_VALUE,   "atomic_fetch_xor",               "Xor",      TEXT_UNSIGNED},
    {SpvOpAtomicFAddEXT,         ATOMIC_VALUE,   "atomic_fetch_add",               "Add",      TEXT_UNSIGNED},
    {SpvOpAtomicFMinEXT,         ATOMIC_VALUE,   "atomic_fetch_min",               "Min",      TEXT_UNSIGNED},
    {SpvOpAtomicFMaxEXT,         ATOMIC_VALUE,   "atomic_fetch_max",               "Max",      TEXT_UNSIGNED},
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
        text_put_line(p, arena_printf(p->a, "%s;", call));
    } else {
        text_define(p, in, value, true, false);
    }
}
