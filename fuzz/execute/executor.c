/* fuzz/execute/executor.c -- the process of an executor. */
#include "fuzz/execute/executor.h"

#include <poll.h>
#include <string.h>

#include "base/testcase.h"
#include "fuzz/process/child_time.h"
#include "oracle/nir/nir.h"
#include "oracle/nir_driver/nir_driver.h"

enum {
    EXECUTOR_WAIT_MS = 50
};

bool executor_can(const struct observation *ob, const char *facts, struct execute_request *q)
{
    int const driver = nir_driver_of(facts);
    *q = (struct execute_request){.text = ""};
    if (ob->n_programs == 0 || driver < 0) {
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

/* Wait for the answer, but no longer than a case may take. */
static void wait(struct executor *x, const struct target *t, const struct testcase *tc,
                 struct arena *a, struct observation *ob)
{
    uint64_t const end_ns = child_now_ns() + t->case_ns;
    while (!executor_poll(x, tc, a, ob)) {
        struct pollfd fds[] = {
            {.fd = x->child.from,                                  .events = POLLIN },
            {.fd = child_has_output(&x->child) ? x->child.to : -1, .events = POLLOUT}
        };
        if (child_now_ns() > end_ns || child_is_asked_to_stop()) {
            executor_stop(x, a, ob);
            return;
        }
        (void)poll(fds, ARRAY_N(fds), EXECUTOR_WAIT_MS);
    }
}

enum res executor_trace(const struct target *t, const struct testcase *tc,
                        const struct observation *ob, const struct expect *at, struct arena *a,
                        const char **text, struct err *e)
{
    struct executor x = {.is_up = false};
    struct execute_request q;
    struct observation answer = {.log = ""};
    *text = "";
    if (!executor_can(ob, ob->facts, &q)) {
        return RES_OK;
    }
    q.tc = *tc;
    q.is_traced = true;
    q.buf = at->buf;
    q.byte = at->byte;
    TRY(executor_begin(&x, t, &q, a, e));
    wait(&x, t, tc, a, &answer);
    executor_free(&x);
    *text = answer.status == RUN_BUILT ? answer.log : "";
    return RES_OK;
}

void executor_stop(struct executor *x, struct arena *a, struct observation *ob)
{
    executor_free(x);
    set_end(ob, RUN_SKIPPED, arena_printf(a, EXECUTE_SKIPPED "it took too long"));
}
