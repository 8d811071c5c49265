/* fuzz/kernel_run/kernel_blame.c -- what a wrong result of a kernel comes of. */
#include "fuzz/kernel_run/kernel_blame.h"

#include "base/spv.h"
#include "base/testcase.h"
#include "fuzz/triage/cause_text.h"
#include "fuzz/triage/kernel_trace.h"
#include "gen/print/print.h"
#include "oracle/diagnose/diagnose.h"
#include "oracle/tables/tables.h"
#include "oracle/vouch/vouch.h"

#define BLAME_ARENA_BYTES ((size_t)2 << 30)
enum {
    MAX_TRACED = 64,     /* invocations, where fewer will do */
    MAX_DIAGNOSED = 4096 /* values of a run: each fault judges them once more */
};

/* The fault that would give what was seen. */
static const char *find_cause(const struct try_result *x, struct arena *a)
{
    struct diagnosis_list list;
    struct err ignored;
    struct diagnose *const d = x->g.n_judged <= MAX_DIAGNOSED ? diagnose_new(a) : NULL;
    if (!d || diagnose_add(d, &x->tc, &x->ob, &x->g, a, &ignored) != RES_OK) {
        return "";
    }
    diagnose_rank(d, &list);
    return cause_text_bug(&list, a)[0] ? cause_text(&list, a) : "";
}

static uint32_t find_invocation(const struct judgement *g)
{
    for (uint32_t i = 0; i < g->n_findings; i++) {
        if (verdict_rows[g->findings[i].kind].part == PART_VIOLATION) {
            return g->findings[i].invocation;
        }
    }
    return 0;
}

/* Of many invocations those up to the work-group of the one that is wrong: stores make each of them longer, and the interpreter's
 * steps are limited. The case as it is where it is small, of several dimensions, or where less of it cannot be vouched for. */
static struct testcase make_smaller(const struct testcase *tc, uint32_t invocation)
{
    struct testcase smaller = *tc;
    struct err ignored;
    uint32_t const n = (invocation / tc->local[0] + 1) * tc->local[0];
    bool const is_row = tc->global[1] == 1 && tc->global[2] == 1 && tc->n_dispatches <= 1;
    if (!is_row || n >= tc->global[0] || testcase_get_items(tc) <= MAX_TRACED) {
        return *tc;
    }
    smaller.global[0] = n;
    return vouch_case(&smaller, &ignored) == RES_OK ? smaller : *tc;
}

/* The case with its stores, run and judged. */
static enum res run_trace(const struct try_result *x, struct arena *a, struct kernel_trace *t,
                          struct try_result *run, struct err *e)
{
    struct testcase const tc = make_smaller(&x->tc, find_invocation(&x->g));
    TRY(kernel_trace_make(&tc, a, t, e));
    if (x->tc.language != LANGUAGE_SPIRV) {
        t->tc.language = LANGUAGE_SPIRV;
        t->tc.source = "";
        TRY(print_set_language(&t->tc, x->tc.language, a, e));
    }
    TRY(try_run(x->target, &t->tc, t->tc.source, a, run, e));
    if (run->reason) {
        return err_set(e, RES_LIMIT, "%s", run->reason);
    }
    return run->ob.status == RUN_DONE
               ? RES_OK
               : err_set(
                     e, RES_LIMIT,
                     "a copy of the kernel that stores each intermediate value ends with %s: %s",
                     run_status_names[run->ob.status], run->ob.log);
}

/* The first wrong number of the invocation; of any one, if that only reads what others have made. */
static enum res find_first(const struct kernel_trace *t, struct try_result *run,
                           uint32_t invocation, struct arena *a, const struct finding **out,
                           struct err *e)
{
    TRY(kernel_trace_judge(t, &run->ob, invocation, a, &run->g, e));
    *out = kernel_trace_find_first(t, &run->g, invocation);
    if (*out && (t->tc.module[(*out)->offset] & 0xffff) != SpvOpLoad) {
        return RES_OK;
    }
    const struct finding *const own = *out;
    struct judgement *const all = ARENA_NEW(a, struct judgement, 1);
    if (!all) {
        return err_set(e, RES_NOMEM, "no memory for a judgement");
    }
    TRY(kernel_trace_judge(t, &run->ob, UINT32_MAX, a, all, e));
    *out = kernel_trace_find_first(t, all, UINT32_MAX);
    *out = *out ? *out : own;
    return RES_OK;
}

static enum res blame(const struct kernel *k, const struct try_result *x, struct arena *a,
                      struct kernel_blame *out, struct err *e)
{
    struct kernel_trace t;
    struct try_result run;
    struct err why = {RES_OK, ""};
    *out = (struct kernel_blame){.cause = find_cause(x, a), .first = "", .why_none = ""};
    enum res const r = run_trace(x, a, &t, &run, &why);
    if (r == RES_NOMEM) {
        return err_set(e, r, "%s", why.text);
    }
    if (r != RES_OK) {
        out->why_none = arena_printf(a, "%s", why.text);
        return RES_OK;
    }
    if (!out->cause[0]) { /* more values tell more */
        out->cause = find_cause(&run, a);
    }
    const struct finding *f = NULL;
    TRY(find_first(&t, &run, find_invocation(&x->g), a, &f, e));
    if (!f) {
        out->why_none = arena_printf(
            a, "a copy of the kernel that stores each intermediate value has no wrong value%s%s",
            run.g.note && run.g.note[0] ? ": " : "", run.g.note ? run.g.note : "");
        return RES_OK;
    }
    uint32_t line = 0;
    out->offset = kernel_trace_locate(&t, f->offset, k->words, k->n_words, &line);
    bool const is_stored_wider =
        out->offset && (k->words[out->offset] ^ t.tc.module[f->offset]) & SpvOpCodeMask;
    out->first = is_stored_wider ? arena_printf(a, "%s (widened to be stored)", f->text) : f->text;
    (void)kernel_trace_locate(&t, f->offset, k->built.words, k->built.n_words, &out->line);
    return RES_OK;
}

enum res kernel_blame(const struct kernel *k, const struct try_result *x, struct arena *a,
                      struct kernel_blame *out, struct err *e)
{
    struct arena scratch;
    struct kernel_blame found;
    arena_init(&scratch, BLAME_ARENA_BYTES);
    enum res const r = blame(k, x, &scratch, &found, e);
    *out = (struct kernel_blame){.cause = "", .first = "", .why_none = ""};
    if (r == RES_OK) {
        *out = found;
        out->cause = arena_printf(a, "%s", found.cause);
        out->first = arena_printf(a, "%s", found.first);
        out->why_none = arena_printf(a, "%s", found.why_none);
    } else if (r == RES_NOMEM) { /* no more than that it is not known */
        out->why_none = arena_printf(a, "%s", e->text);
    }
    arena_free(&scratch);
    return r == RES_NOMEM ? RES_OK : r;
}
