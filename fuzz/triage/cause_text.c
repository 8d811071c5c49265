/* fuzz/triage/cause_text.c -- what would explain a bucket, in words. */
#include "fuzz/triage/cause_text.h"

#include <inttypes.h>

#include "base/ops.h"
#include "oracle/fault/faults.h"
#include "oracle/tables/storage.h"

/* How much of what was found and of what was right it agrees with. */
static const char *print_fit(const struct explanation *x, uint32_t n_cases, struct arena *a)
{
    const char *const kept =
        x->n_kept == 0
            ? ""
            : arena_printf(a, ", but %" PRIu32 " values that it would have changed were right",
                           x->n_kept);
    if (explanation_is_whole(x)) {
        return arena_printf(a, "explains all %" PRIu32 " findings of %" PRIu32 " %s%s", x->n_found,
                            n_cases, n_cases == 1 ? "case" : "cases", kept);
    }
    if (explanation_is_possible(x)) {
        return arena_printf(a, "may explain all %" PRIu32 " findings of %" PRIu32 " %s%s",
                            x->n_found, n_cases, n_cases == 1 ? "case" : "cases", kept);
    }
    return arena_printf(a, "does not explain all: %" PRIu32 " of %" PRIu32 " findings%s",
                        x->n_found - x->n_left, x->n_found, kept);
}

static const char *get_instruction(const struct explanation *x)
{
    return x->plan.op < 0 ? "any" : op_rows[x->plan.op].name;
}

const char *cause_text_bug(const struct diagnosis_list *list, struct arena *a)
{
    const struct explanation *const best = &list->named[0];
    return list->n > 0 && explanation_is_whole(best)
               ? arena_printf(a, "%s:%s", fault_rows[best->plan.id].id, get_instruction(best))
               : "";
}

const char *cause_text(const struct diagnosis_list *list, struct arena *a)
{
    const char *text = "";
    for (uint32_t i = 0; i < list->n && i < CAUSE_MAX_NAMED; i++) {
        const struct explanation *const x = &list->named[i];
        const struct fault_row *const row = &fault_rows[x->plan.id];
        const char *const op = get_instruction(x);
        const char *const type = x->plan.type < 0 ? "instruction" : val_type_names[x->plan.type];
        text = arena_printf(a, "%s%sas if %s at %s %s: %s; %s", text, i ? "\n" : "", row->id, op,
                            type, row->text, print_fit(x, list->n_cases, a));
    }
    return text;
}
