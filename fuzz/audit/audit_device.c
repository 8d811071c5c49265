/* fuzz/audit/audit_device.c -- the worker that runs an audit's blocks, seen from the scheduler. */
#include "fuzz/audit/audit_device.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/testcase.h"
#include "fuzz/process/child_time.h"

#define DEVICE_ARENA_BYTES ((size_t)256 << 20)
enum {
    DEVICE_WAIT_MS = 50
};

void audit_device_init(struct audit_device *d, const struct target *t, int memory_fd)
{
    memset(d, 0, sizeof *d);
    d->target = t;
    d->memory_fd = memory_fd;
    d->facts = "";
    arena_init(&d->arena, DEVICE_ARENA_BYTES);
}

void audit_device_stop(struct audit_device *d)
{
    struct child_end end;
    if (d->is_up) {
        child_finish(&d->child, 0, &d->arena, &end);
        d->is_up = 0;
    }
    d->n_out = 0;
    d->deadline_ns = 0;
}

void audit_device_free(struct audit_device *d)
{
    audit_device_stop(d);
    arena_free(&d->arena);
}

/* The process is over, or is to be: in words what its end means. */
static enum audit_device_event end_process(struct audit_device *d, const char *why)
{
    struct child_end end;
    struct observation ob = {.log = "", .signature = ""};
    int const is_late = why != NULL && strcmp(why, run_status_names[RUN_HANG]) == 0;
    int const has_error = d->child.has_error;
    char error_text[sizeof d->child.error_text];
    memcpy(error_text, d->child.error_text, sizeof error_text);
    child_finish(&d->child, why ? 0 : CHILD_GRACE_NS, &d->arena, &end);
    child_observe_end(&end, is_late, has_error, error_text, &ob);
    d->is_up = 0;
    d->n_out = 0;
    d->deadline_ns = 0;
    (void)snprintf(d->problem, sizeof d->problem, "%s%s%.200s%s%.250s",
                   why ? why : run_status_names[ob.status], ob.signature[0] ? ": " : "",
                   ob.signature, ob.log[0] ? ": " : "", ob.log);
    return AUDIT_DEVICE_GONE;
}

/* A message, or the process's end; 0 when there is neither. */
static int pump(struct audit_device *d, enum audit_device_event *event)
{
    int const has_ended = child_has_ended(&d->child);
    enum child_event got = child_pump(&d->child, &d->arena);
    if (got == CHILD_NOTHING && has_ended && !child_is_reading(&d->child)) {
        got = CHILD_GONE;
    }
    if (got == CHILD_GONE && !has_ended && d->deadline_ns) {
        got = CHILD_NOTHING; /* what closed its output and goes on has until the deadline */
    }
    switch (got) {
    case CHILD_MESSAGE:
        *event = AUDIT_DEVICE_STATUS;
        return 1;
    case CHILD_GONE:
        *event = end_process(d, NULL);
        return 1;
    case CHILD_BROKEN:
        *event = end_process(d, "what the worker sent is not the protocol");
        return 1;
    case CHILD_NOTHING:
        break;
    }
    if (d->deadline_ns && child_now_ns() > d->deadline_ns) {
        *event = end_process(d, run_status_names[RUN_HANG]);
        return 1;
    }
    *event = AUDIT_DEVICE_NONE;
    return 0;
}

static void wait_a_moment(const struct audit_device *d)
{
    struct pollfd fds[3] = {
        {.fd = d->child.is_closed ? -1 : d->child.from,        .events = POLLIN },
        {.fd = d->child.error,                                 .events = POLLIN },
        {.fd = child_has_output(&d->child) ? d->child.to : -1, .events = POLLOUT}
    };
    (void)poll(fds, 3, DEVICE_WAIT_MS);
}

static enum audit_device_event wait_for_event(struct audit_device *d)
{
    enum audit_device_event event = AUDIT_DEVICE_NONE;
    while (!pump(d, &event)) {
        wait_a_moment(d);
    }
    return event;
}

enum res audit_device_start(struct audit_device *d, struct err *e)
{
    const char *argv[CHILD_MAX_ARGS + 1];
    arena_reset(&d->arena);
    enum res r = targets_fill_argv(d->target, NULL, argv, &d->arena, e);
    struct child_spec spec = targets_get_spec(d->target, argv);
    spec.memory_fd = d->memory_fd;
    if (r != RES_OK) {
        return r;
    }
    r = child_start(&d->child, &spec, e);
    if (r != RES_OK) {
        return r;
    }
    d->is_up = 1;
    d->deadline_ns = child_now_ns() + d->target->hello_ns;
    if (wait_for_event(d) == AUDIT_DEVICE_GONE) {
        return err_set(e, RES_IO, "%s: does not start: %.400s", d->target->name, d->problem);
    }
    if (d->child.kind != WIRE_HELLO) {
        audit_device_stop(d);
        return err_set(e, RES_IO, "%s: its first message is not a hello", d->target->name);
    }
    const char *const facts = arena_copy(&d->arena, d->child.in, d->child.n_in);
    d->facts = facts ? facts : "";
    d->deadline_ns = 0;
    return RES_OK;
}

/* The message that came must be a status. */
static enum audit_device_event take_status(struct audit_device *d)
{
    struct err e;
    if (d->child.kind != WIRE_STATUS || d->n_out == 0 ||
        stream_decode_status(&d->status, &d->arena, d->child.in, d->child.n_in, &e) != RES_OK) {
        return end_process(d, "what the worker sent is not an answer");
    }
    d->n_out--;
    d->deadline_ns = d->n_out ? child_now_ns() + d->target->case_ns : 0;
    return AUDIT_DEVICE_STATUS;
}

enum res audit_device_open(struct audit_device *d, const struct stream *s,
                           enum audit_device_event *event, struct err *e)
{
    size_t n = 0;
    enum res const r = d->is_up ? RES_OK : audit_device_start(d, e);
    if (r != RES_OK) {
        return r;
    }
    arena_reset(&d->arena); /* nothing is on its way */
    d->facts = "";
    const unsigned char *const p = stream_encode(s, &d->arena, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "no room for a stream's message");
    }
    child_send(&d->child, WIRE_STREAM, p, n);
    d->n_out = 1;
    d->deadline_ns = child_now_ns() + d->target->case_ns;
    *event = wait_for_event(d);
    if (*event == AUDIT_DEVICE_STATUS) {
        *event = take_status(d);
    }
    return RES_OK;
}

int audit_device_has_room(const struct audit_device *d)
{
    return d->is_up && d->n_out < 2 && !child_has_output(&d->child);
}

void audit_device_send(struct audit_device *d, const struct stream_block *b)
{
    unsigned char *const message = d->message[b->slot % 2];
    stream_encode_block(b, message);
    child_send(&d->child, WIRE_BLOCK, message, STREAM_BLOCK_BYTES);
    if (d->n_out++ == 0) {
        d->deadline_ns = child_now_ns() + d->target->case_ns;
    }
}

enum audit_device_event audit_device_poll(struct audit_device *d)
{
    enum audit_device_event event = AUDIT_DEVICE_NONE;
    if (!d->is_up || !pump(d, &event) || event != AUDIT_DEVICE_STATUS) {
        return event;
    }
    return take_status(d);
}
