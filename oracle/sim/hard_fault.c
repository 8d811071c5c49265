/* oracle/sim/hard_fault.c -- faults that show only where several conditions hold together: the tables. */
#include "oracle/sim/hard_fault.h"

#include <string.h>

#include "base/ops.h"
#include "oracle/judge/judge.h"

const struct condition_row condition_rows[CONDITION_N] = {
#define CONDITION(id, holds, text) {#id, text},
#include "oracle/sim/condition.def"
};

/* So that the tables may say ANY. */
enum {
    OP_ANY = -1,
    VT_ANY = -1,
    STORAGE_ANY = -1
};

#define ON(condition) (1U << CONDITION_##condition)
const struct hard_row hard_rows[HARD_N] = {
#define HARD(id, profile, base, op, type, storage, on, text)                                       \
    {#id, #profile, FAULT_##base, (int)OP_##op, (int)VT_##type, (int)STORAGE_##storage, on, text},
#include "oracle/sim/hard_fault.def"
};

int hard_find(const char *name)
{
    for (int i = 0; i < HARD_N; i++) {
        if (strcmp(hard_rows[i].id, name) == 0) {
            return i;
        }
    }
    return -1;
}

struct fault_plan hard_plan_of(enum hard_id id)
{
    const struct hard_row *row = &hard_rows[id];
    return (struct fault_plan){.id = row->base,
                               .op = row->op,
                               .type = row->type,
                               .storage = row->storage,
                               .everywhere = 1,
                               .conditions = row->conditions};
}

unsigned hard_class_of(enum fmt_id fmt, uint64_t enc)
{
    const struct float_format *f = &float_formats[fmt];
    return 1U << format_classify(f, enc) | (enc == f->sign ? (unsigned)HARD_MINUS_ZERO : 0);
}

static uint32_t list_holding(const struct hard_site *s)
{
    uint32_t set = 0;
#define CONDITION(id, holds, text) set |= (holds) ? ON(id) : 0;
#include "oracle/sim/condition.def"
    return set;
}

int hard_holds(uint32_t conditions, const struct hard_site *s)
{
    return (conditions & ~list_holding(s)) == 0;
}
