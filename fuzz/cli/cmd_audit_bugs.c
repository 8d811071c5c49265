/* fuzz/cli/cmd_audit_bugs.c -- a folder for each form of an audit that breaks its bound: one small kernel that shows it. */
#include "fuzz/cli/cmd_audit_bugs.h"

#include <inttypes.h>
#include <string.h>

#include "base/format.h"
#include "base/func_row.h"
#include "base/printable.h"
#include "fuzz/cli/cmd_report_bugs.h"
#include "fuzz/pool/handle.h"
#include "gen/case/gen.h"
#include "gen/emit/audit_module.h"
#include "reports/audit/audit_view.h"

#define BUG_ARENA_BYTES ((size_t)64 << 20)
enum {
    WORD_BYTES = 4 /* buffers are whole words */
};
/* Invocations to try, the fewest first: the code for a whole vector may be another one than that for one alone. */
static const uint32_t sizes[] = {1, 16, AUDIT_MODULE_LOCAL};

/* The same encoding for every invocation, little-endian. */
static bool put_buffer(struct testcase *tc, enum fmt_id fmt, uint64_t enc, uint32_t n_items,
                       struct arena *a)
{
    uint32_t const item_bytes = float_formats[fmt].n_bits / 8;
    uint32_t const n_bytes = (n_items * item_bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    unsigned char *const data = ARENA_NEW(a, unsigned char, n_bytes);
    for (uint32_t i = 0; data && i < n_items; i++) {
        store_le(data + (size_t)i * item_bytes, enc, item_bytes);
    }
    tc->bufs[tc->n_bufs++] = (struct buf){.kind = BUF_STORAGE, .n_bytes = n_bytes, .data = data};
    return data != NULL;
}

/* What the results' buffer holds before: not what was seen there, which would look as if nothing had been stored. */
static uint64_t choose_content(uint64_t got)
{
    return ~got;
}

/* The case of a form with the input of its worst result, the same for n_items invocations in one work-group: buffers
 * of the arguments first, then that of the results, as audit_module orders them. False: the arena is full. */
static bool make_case(const struct audit_row *row, uint32_t form, enum env env, uint32_t n_items,
                      struct testcase *tc, struct arena *a)
{
    const struct audit_form *const f = &row->form[form];
    struct audit_module_form one = {.op = f->op, .is_decorated = f->is_decorated};
    struct audit_module const m = {.env = env,
                                   .fmt = row->fmt,
                                   .n_args = func_rows[row->func].n_args,
                                   .has_int = func_rows[row->func].has_int,
                                   .has_inputs = true,
                                   .is_case = true,
                                   .local = n_items,
                                   .n_forms = 1,
                                   .forms = &one};
    memcpy(&one.max_error, &f->max_error, sizeof one.max_error);
    *tc = (struct testcase){
        .env = env,
        .class = CLASS_LEGAL,
        .profile = "audit",
        .gen_version = GEN_VERSION,
        .source = "",
        .entry = AUDIT_MODULE_ENTRY,
        .build_options = "",
        .local = {n_items, 1, 1},
        .global = {n_items, 1, 1},
        .needs = audit_module_needs(env, row->fmt)
    };
    tc->module = audit_module_build(&m, a, &tc->n_words);
    bool is_there = tc->module != NULL;
    for (uint32_t i = 0; i < audit_module_inputs(&m); i++) {
        is_there &= put_buffer(tc, row->fmt, row->found[form].worst.arg[i], n_items, a);
    }
    return put_buffer(tc, row->fmt, choose_content(row->found[form].worst.got), n_items, a) &&
           is_there;
}

/* What the report of the bug says of the audit. */
static const char *make_figures(const struct audit_row *row, uint32_t form, struct arena *a)
{
    const struct audit_case *const c = &row->found[form];
    const struct sweep_result *const r = &row->result[form];
    const char *const ratio = audit_ratio_text(a, c);
    const char *text = arena_printf(a, "The exact value is %s.", audit_exact_text(c));
    if (c->kind == AUDIT_CASE_BOUND) {
        text = arena_printf(a, "%s The result is off by %s ulp", text,
                            audit_error_text(a, c->worst.error, 7));
        text = ratio[0] ? arena_printf(a, "%s, %s of %s ulp.", text, ratio,
                                       audit_figure_text(a, c->bound_ulp, 7))
                        : arena_printf(a, "%s.", text);
    }
    return arena_printf(
        a,
        "%s An audit tried %" PRIu64 " inputs: %" PRIu64 " gave a result outside the bound, "
        "%" PRIu64 " a wrong special value and %" PRIu64 " a zero of the wrong sign.",
        text, r->n, r->n_broken, r->n_special, r->n_zero_sign);
}

/* A form with a wrong result, and the number of its folder. */
struct wrong {
    const struct audit *audit;
    const struct target *target;
    const struct audit_row *row;
    uint32_t form;
    int64_t number;
};

/* One wrong result. *path NULL: it does not show in a kernel of its own. */
static enum res write_one(const struct wrong *w, const char *folder, const char **path,
                          struct run *run, struct err *e)
{
    const struct target *const t = w->target;
    *path = NULL;
    for (size_t i = 0; i < ARRAY_N(sizes) && !*path; i++) {
        struct arena *const a = &run->arena;
        arena_reset(a);
        if (!make_case(w->row, w->form, t->env, sizes[i], &run->tc, a)) {
            return err_set(e, RES_NOMEM, "no memory for a case");
        }
        TRY(handle_run_once(t, run, e));
        struct bugs_case const c = {
            .target = t->name,
            .generator = arena_printf(a, "%s, MPFR %s", w->audit->tool_version, w->audit->mpfr),
            .figures = make_figures(w->row, w->form, a),
            .tc = &run->tc,
            .ob = &run->ob,
            .number = w->number};
        TRY(cmd_report_bugs_write_case(folder, &c, path, a, e));
    }
    return RES_OK;
}

enum res cmd_audit_bugs_write(const struct audit *x, const struct target *t, const char *folder,
                              uint32_t *n, uint32_t *n_lost, struct err *e)
{
    struct run run = {.index = 0};
    enum res r = RES_OK;
    *n = *n_lost = 0;
    arena_init(&run.arena, BUG_ARENA_BYTES);
    for (uint32_t i = 0; i < x->n_rows; i++) {
        for (uint32_t form = 0; form < x->rows[i].n_forms; form++) {
            const struct audit_row *const row = &x->rows[i];
            struct wrong const w = {x, t, row, form, *n + 1};
            const char *path = NULL;
            struct err why = {RES_OK, ""};
            if (!audit_is_wrong(row, form) || r != RES_OK) {
                continue;
            }
            enum res const one = write_one(&w, folder, &path, &run, &why);
            /* An error other than RES_NOMEM, such as a worker that does not start, ends this result alone. */
            *n += path != NULL;
            *n_lost += path == NULL;
            if (one == RES_NOMEM) { /* the next one would not fit either */
                r = err_set(e, one, "%.400s", why.text);
            } else if (one != RES_OK) {
                printable_print(stderr,
                                "halfulp audit: %s %s: the bug folder was not written: %s\n",
                                func_rows[row->func].name, float_formats[row->fmt].name,
                                printable_copy_line(&run.arena, why.text));
            }
        }
    }
    arena_free(&run.arena);
    return r;
}
