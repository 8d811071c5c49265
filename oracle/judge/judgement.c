/* oracle/judge/judgement.c -- findings as they are kept, and the signature that puts them in buckets. */
#include "oracle/judge/judgement.h"

#include <string.h>

static void copy_text(const char **text, struct arena *a)
{
    *text = *text ? arena_printf(a, "%s", *text) : "";
}

int finding_copy(const struct finding *f, struct arena *a, struct finding *out)
{
    *out = *f;
    out->expect = f->expect ? arena_copy(a, f->expect, sizeof *f->expect) : NULL;
    copy_text(&out->permitted, a);
    copy_text(&out->operand_class, a);
    copy_text(&out->circumstances, a);
    copy_text(&out->text, a);
    return !a->is_full;
}

/* The telling line of a build log: what was missing or wrong, without numbers that vary. */
static const char *find_reason(const char *log, struct arena *a)
{
    static const char *const marks[] = {"not found", "error:", "Error", "rror ", "nsupported"};
    for (size_t i = 0; i < ARRAY_N(marks); i++) {
        const char *at = strstr(log, marks[i]);
        if (!at) {
            continue;
        }
        while (at > log && at[-1] != '\n') {
            at--;
        }
        size_t n = strcspn(at, "\n,"); /* of a list the first */
        while (n > 0 && (at[n - 1] == ' ' || at[n - 1] == ']')) {
            n--;
        }
        return arena_printf(a, "%.*s", (int)(n < 96 ? n : 96), at);
    }
    return "";
}

const char *judge_signature(const struct finding *f, const struct observation *ob, struct arena *a)
{
    const char *kind = verdict_rows[f->kind].name;
    if (ob->status != RUN_DONE) {
        const char *why = ob->status == RUN_REJECT       ? find_reason(ob->log, a)
                          : f->clause == CLAUSE_ND_RANGE ? ""
                                                         : ob->signature;
        return arena_printf(a, "%s %s %s %d %s", kind, clause_rows[f->clause].id,
                            run_phase_names[ob->phase], (int)ob->driver_code, why ? why : "");
    }
    int const has_two = f->op >= 0 && f->op2 >= 0 && f->op != f->op2; /* either may be to blame */
    return arena_printf(a, "%s %s %s %s %s%s %s%s%s%s", kind, clause_rows[f->clause].id,
                        f->op >= 0 ? op_rows[f->op].name : "-", val_type_names[f->type],
                        storage_names[f->storage], f->contended ? " contended" : "",
                        f->operand_class, f->circumstances ? f->circumstances : "",
                        has_two ? " or:" : "", has_two ? op_rows[f->op2].name : "");
}
