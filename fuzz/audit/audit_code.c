/* fuzz/audit/audit_code.c -- which forms of a function change the code that a compiler without a device makes. */
#include "fuzz/audit/audit_code.h"

#include <string.h>

#include "base/func_row.h"
#include "base/testcase.h"
#include "fuzz/audit/audit_plan.h"
#include "fuzz/pool/handle.h"
#include "fuzz/process/child_time.h"
#include "fuzz/worker/drv_ocloc.h"
#include "gen/emit/audit_module.h"
#include "oracle/num/mp.h"

static const char code_variable[] = "HALFULP_WORKER_CODE=1";

/* A case whose module computes this form alone. It is only built, never run: it has no buffers. */
static enum res make_case(const struct audit_row *row, const struct audit_form *form, enum env env,
                          struct arena *a, struct testcase *out, struct err *e)
{
    const struct func_row *const f = &func_rows[row->func];
    struct audit_module_form one = {.op = form->op, .is_decorated = form->is_decorated};
    memcpy(&one.max_error, &form->max_error, sizeof one.max_error); /* the bits of the float */
    struct audit_module const module = {.env = env,
                                        .fmt = row->fmt,
                                        .n_args = f->n_args,
                                        .has_int = f->has_int,
                                        .has_inputs = 1,
                                        .n_forms = 1,
                                        .forms = &one};
    *out = (struct testcase){
        .env = env,
        .profile = "arith",
        .entry = AUDIT_MODULE_ENTRY,
        .build_options = "",
        .local = {AUDIT_MODULE_LOCAL, 1, 1},
        .global = {AUDIT_MODULE_LOCAL, 1, 1},
        .needs = audit_module_needs(env, row->fmt)
    };
    out->module = audit_module_build(&module, a, &out->n_words);
    return out->module ? RES_OK : err_set(e, RES_NOMEM, "no room for a module");
}

/* The first line of what the compiler said, or how its process ended. */
static const char *describe(const struct observation *ob, struct arena *a)
{
    if (ob->status != RUN_BUILT && ob->status != RUN_REJECT) {
        return arena_printf(a, "%s", run_status_names[ob->status]);
    }
    const char *const error = strstr(ob->log, "error:");
    const char *const line = ob->status == RUN_REJECT && error ? error : ob->log;
    return arena_printf(a, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Have the worker build a form alone. Sets the form's is_refused, log and is_unloadable. A compiler that dies takes
 * the process with it: the next form, or one that the process had not taken yet, gets another process. */
static enum res build_form(struct worker_handle *h, const struct audit_row *row,
                           struct audit_form *form, struct arena *a, struct err *e)
{
    if (h->state == HANDLE_DOWN) {
        handle_drop_done(h);
        TRY(handle_start_and_wait(h, e));
    }
    struct run *const r = handle_take_run(h);
    if (!r) {
        return err_set(e, RES_INTERNAL, "no room for a run");
    }
    TRY(make_case(row, form, h->target->env, &r->arena, &r->tc, e));
    r->is_build_only = 1;
    TRY(handle_submit(h, r, e));
    /* A reply may still be that of the form before: then this one is in flight, and the wait goes on. */
    for (enum handle_event event = handle_wait(h); event != HANDLE_EVENT_REPLY || h->flight == r;
         event = handle_wait(h)) {
        if (event == HANDLE_EVENT_LOST) {
            return err_set(e, RES_IO, "%s: %.400s", h->target->name, h->message);
        }
        /* The process died of the form before, and took nothing of this one. */
        if (h->state == HANDLE_DOWN) {
            handle_drop_done(h);
            TRY(handle_start_and_wait(h, e));
            TRY(handle_submit(h, r, e));
        }
    }
    form->is_refused = r->ob.status != RUN_BUILT;
    form->log = describe(&r->ob, a);
    /* It was compiled, but the binary calls a function that no library has: this reason stands in the log. */
    form->is_unloadable = r->ob.status == RUN_REJECT && strstr(form->log, OCLOC_CALLS_MISSING);
    handle_drop_done(h); /* the run of the form before, of which the log was copied */
    return RES_OK;
}

static enum res build_rows(struct worker_handle *h, struct audit *x, struct arena *a, struct err *e)
{
    for (uint32_t i = 0; i < x->n_rows && !x->was_stopped; i++) {
        struct audit_row *const row = &x->rows[i];
        row->n_inputs = 0;
        for (uint32_t k = 0; k < row->n_forms; k++) {
            TRY(build_form(h, row, &row->form[k], a, e));
        }
        x->was_stopped = child_is_asked_to_stop();
    }
    return RES_OK;
}

/* Plan what the target has, and have every form built. */
static enum res plan_and_build(struct worker_handle *h, const struct audit_request *request,
                               struct arena *a, struct audit *out, struct err *e)
{
    TRY(handle_start_and_wait(h, e));
    out->facts = arena_printf(a, "%s", h->facts);
    TRY(audit_plan(request, h->target->env, out->facts, a, out, e));
    return build_rows(h, out, a, e);
}

enum res audit_code_run(const struct target *t, const struct audit_request *request,
                        struct arena *a, struct audit *out, struct err *e)
{
    struct target telling = *t; /* with the variable that has its worker describe the code */
    struct worker_handle *const h = ARENA_NEW(a, struct worker_handle, 1);
    size_t n = 0;
    *out = (struct audit){
        .target = t->name, .mpfr = mp_get_version(), .started = "", .tool_version = ""};
    while (telling.env_vars[n]) {
        n++;
    }
    if (!t->api || n == TARGET_MAX_ENV || !h) {
        return err_set(
            e, RES_USAGE,
            "%s: has no device and does not print its code; the targets igc-* print theirs",
            t->name);
    }
    telling.env_vars[n] = code_variable;
    telling.env_vars[n + 1] = NULL;
    handle_init(h, &telling);
    enum res const r = plan_and_build(h, request, a, out, e);
    handle_free(h);
    return r;
}
