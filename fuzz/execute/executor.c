/* fuzz/execute/executor.c -- the process of an executor. */
#include "fuzz/execute/executor.h"

#include <string.h>

#include "oracle/nir/nir.h"

bool executor_can(const struct observation *ob, const char *facts, struct execute_request *q)
{
    int const driver = nir_driver_of(facts);
    if (ob->status != RUN_BUILT || ob->n_programs == 0 || driver < 0) {
        return false;
    }
    q->driver = (enum nir_driver)driver;
    q->subgroup_size = ob->program_subgroup;
    q->text = ob->programs[ob->n_programs - 1].text;
    return true;
}

static enum res start(struct executor *x, const struct target *t, struct arena *a, struct err *e)
{
    const char *argv[CHILD_MAX_ARGS + 1];
    struct child_spec const spec = {.argv = argv,
                                    .is_launched = t->is_sandboxed,
                                    .is_sandboxed = t->is_sandboxed,
                                    .trust = CHILD_CONFINED};
    targets_fill_executor(t, argv, a);
    TRY(child_start(&x->child, &spec, e));
    x->is_up = true;
    return RES_OK;
}

enum res executor_begin(struct executor *x, const struct target *t, const struct execute_request *q,
                        struct arena *a, struct err *e)
{
    size_t n = 0;
    if (!x->is_up) {
        TRY(start(x, t, a, e));
    }
    const unsigned char *const p = execute_encode(q, a, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "the case does not fit its memory");
    }
    x->is_busy = true;
    child_send(&x->child, WIRE_EXECUTE, p, n);
    return RES_OK;
}

static void set_end(struct observation *ob, enum run_status status, const char *log)
{
    *ob = (struct observation){
        .status = status, .phase = PHASE_RUN, .log = log, .signature = "", .facts = ""};
}

/* It is to answer a request and has ended, or said what is no answer. */
static void see_end(struct executor *x, struct arena *a, struct observation *ob)
{
    struct child_end end;
    child_finish(&x->child, 0, a, &end);
    x->is_up = x->is_busy = false;
    set_end(ob, RUN_HARNESS,
            arena_printf(a, "the executor of final NIR ended: signal %d, exit status %d: %.300s",
                         end.signal, end.exit_status, end.log));
}

bool executor_poll(struct executor *x, const struct testcase *tc, struct arena *a,
                   struct observation *ob)
{
    struct err e = {RES_OK, ""};
    enum child_event const event = child_pump(&x->child, a);
    if (event == CHILD_NOTHING) {
        return false;
    }
    if (event != CHILD_MESSAGE || x->child.kind != WIRE_RESULT) {
        see_end(x, a, ob);
        return true;
    }
    x->is_busy = false;
    if (observation_decode(ob, tc, a, x->child.in, x->child.n_in, &e) != RES_OK) {
        set_end(ob, RUN_HARNESS, arena_printf(a, "the executor of final NIR: %s", e.text));
    }
    return true;
}

void executor_free(struct executor *x)
{
    struct arena a;
    struct child_end end;
    if (x->is_up) {
        arena_init(&a, (size_t)1 << 20);
        child_finish(&x->child, 0, &a, &end);
        arena_free(&a);
    }
    x->is_up = x->is_busy = false;
}

void executor_stop(struct executor *x, struct arena *a, struct observation *ob)
{
    executor_free(x);
    set_end(ob, RUN_SKIPPED, arena_printf(a, EXECUTE_SKIPPED "it took too long"));
}
