/* fuzz/execute/execute_main.c -- halfulp-executor: answers requests on standard input until its end. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/execute/execute.h"
#include "fuzz/wire/wire.h"

static const size_t request_bytes = (size_t)768 << 20;

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

int main(void)
{
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, request_bytes);
    enum res const r = serve(&a, &e);
    arena_free(&a);
    if (r != RES_OK) {
        (void)fprintf(stderr, "halfulp-executor: %s\n", e.text);
    }
    return r == RES_OK ? 0 : WIRE_EXIT_HARNESS;
}
