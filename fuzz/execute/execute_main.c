/* fuzz/execute/execute_main.c -- halfulp-executor: answers requests on standard input until its end. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fuzz/execute/execute.h"
#include "fuzz/wire/wire.h"

/* Memory of one request. */
#define MAX_REQUEST_BYTES ((size_t)768 << 20)

static enum res answer(struct arena *a, const unsigned char *payload, size_t n_payload,
                       struct err *e)
{
    struct execute_request q;
    struct observation ob;
    size_t n = 0;
    TRY(execute_decode(&q, a, payload, n_payload, e));
    if (q.is_traced) {
        execute_trace(&q, a, &ob);
    } else {
        execute_run(&q, a, &ob);
    }
    const unsigned char *const bytes = observation_encode(&q.tc, &ob, a, &n);
    if (!bytes) {
        return err_set(e, RES_NOMEM, "no room for the observation");
    }
    return wire_write(STDOUT_FILENO, WIRE_RESULT, bytes, n, e);
}

static enum res serve(struct arena *a, struct err *e)
{
    for (;;) {
        enum wire_kind kind = WIRE_ERROR;
        const unsigned char *payload = NULL;
        size_t n = 0;
        arena_reset(a);
        TRY(wire_read(STDIN_FILENO, a, &kind, &payload, &n, e));
        if (!payload) { /* the end of input */
            return RES_OK;
        }
        if (kind != WIRE_EXECUTE) {
            return err_set(e, RES_FORMAT, "message of kind %d, expected a request", (int)kind);
        }
        TRY(answer(a, payload, n, e));
    }
}

/* A text may be anything: this process opens no file, writes none, and has so much memory and no more. A sanitizer reserves
 * more than that. */
static void confine(void)
{
    static const struct {
        int resource;
        rlim_t value;
    } limits[] = {
        {RLIMIT_NOFILE, STDERR_FILENO + 1            },
        {RLIMIT_FSIZE,  0                            },
        {RLIMIT_CORE,   0                            },
#if !defined(__SANITIZE_ADDRESS__)
        {RLIMIT_AS,     (rlim_t)2 * MAX_REQUEST_BYTES},
#endif
    };
    for (size_t i = 0; i < ARRAY_N(limits); i++) {
        struct rlimit const limit = {.rlim_cur = limits[i].value, .rlim_max = limits[i].value};
        (void)setrlimit(limits[i].resource, &limit);
    }
}

int main(void)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    confine();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive who asks */
    arena_init(&a, MAX_REQUEST_BYTES);
    enum res const r = serve(&a, &e);
    arena_free(&a);
    if (r != RES_OK) {
        (void)fprintf(stderr, "halfulp-executor: %s\n", e.text);
    }
    return r == RES_OK ? 0 : WIRE_EXIT_HARNESS;
}
