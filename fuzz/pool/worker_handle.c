/* fuzz/pool/worker_handle.c -- one place for a worker of a target: start, submit, and runs that are certain. */
#include "fuzz/pool/worker_handle.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "fuzz/process/child_time.h"

enum {
    HANDLE_WAIT_MS = 50,
    HANDLE_MAX_STARTS = 2
};
#define HANDLE_ARENA_BYTES ((size_t)16 << 20)
/* What is left to a process that ended its output while no case is in flight. One with a case has until the
 * deadline, and has then hung. */
#define HANDLE_EXIT_NS UINT64_C(5000000000)

void handle_init(struct worker_handle *s, const struct target *t)
{
    memset(s, 0, sizeof(*s));
    s->target = t;
    s->facts = "";
    arena_init(&s->arena, HANDLE_ARENA_BYTES);
}

void handle_free(struct worker_handle *s)
{
    arena_free(&s->arena);
}

static void set_limit(struct worker_handle *s, uint64_t now_ns, uint64_t limit_ns)
{
    s->limit_ns = limit_ns;
    s->deadline_ns = now_ns + limit_ns;
    s->stalled_ns = child_get_stalled_ns();
}

static uint64_t get_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t handle_extend(uint64_t deadline_ns, uint64_t limit_ns, uint64_t stalled_ns)
{
    uint64_t const most = HANDLE_STALLED_LIMITS * limit_ns;
    return deadline_ns + (stalled_ns < most ? stalled_ns : most);
}

static int is_late(const struct worker_handle *s, uint64_t now_ns)
{
    return now_ns > s->deadline_ns &&
           now_ns >
               handle_extend(s->deadline_ns, s->limit_ns, child_get_stalled_ns() - s->stalled_ns);
}

enum res handle_start(struct worker_handle *s, uint64_t now_ns, struct err *e)
{
    assert(s->state == HANDLE_DOWN && s->n_done == 0);
    arena_reset(&s->arena);
    s->facts = "";
    const char *argv[CHILD_MAX_ARGS + 1];
    enum res r = targets_fill_argv(s->target, NULL, argv, &s->arena, e);
    struct child_spec const spec = targets_get_spec(s->target, argv);
    if (r == RES_OK) {
        r = child_start(&s->child, &spec, e);
    }
    if (r == RES_OK) {
        s->state = HANDLE_STARTING;
        s->n_since_start = 0;
        s->is_over = 0;
        set_limit(s, now_ns, s->target->hello_ns);
    }
    return r;
}

enum res handle_submit(struct worker_handle *s, struct run *r, uint64_t now_ns, struct err *e)
{
    assert(s->state == HANDLE_IDLE && (!s->flight || s->flight == r));
    size_t n = 0;
    const unsigned char *p = testcase_encode(&r->tc, &r->arena, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "%s: case does not fit its memory", s->target->name);
    }
    memset(&r->ob, 0, sizeof(r->ob));
    r->ob.log = r->ob.signature = r->ob.facts = "";
    r->ob.phase = s->target->is_build_only ? PHASE_BUILD : PHASE_START; /* until it answers */
    s->flight = r;
    s->state = HANDLE_BUSY;
    set_limit(s, now_ns, s->target->case_ns);
    child_send(&s->child, r->is_build_only || s->target->is_build_only ? WIRE_BUILD : WIRE_CASE, p,
               n);
    return RES_OK;
}

static void put_done(struct worker_handle *s, struct run *r)
{
    if (r) {
        assert(s->n_done < ARRAY_N(s->done));
        s->done[s->n_done++] = r;
    }
}

struct run *handle_take_done(struct worker_handle *s)
{
    if (s->n_done == 0) {
        return NULL;
    }
    struct run *r = s->done[0];
    s->done[0] = s->done[1];
    s->n_done--;
    return r;
}

static const char *copy_text(struct arena *a, const char *text)
{
    char *copy = arena_copy(a, text, strlen(text));
    return copy ? copy : "";
}

/* The process is over: which run is it the end of? */
static enum handle_event end_process(struct worker_handle *s, int is_late, int is_broken)
{
    struct child_end end;
    struct run *flight = s->flight;
    int const took_nothing =
        s->state == HANDLE_BUSY && !is_late && s->held && child_took_nothing(&s->child);
    struct run *to_blame = s->state == HANDLE_BUSY && !took_nothing ? flight : s->held;
    int const has_error = s->child.has_error;
    char error_text[sizeof(s->child.error_text)];
    memcpy(error_text, s->child.error_text, sizeof(error_text));
    enum handle_state const before = s->state;
    child_finish(&s->child, 0, to_blame ? &to_blame->arena : &s->arena, &end);
    s->state = HANDLE_DOWN;
    if (before == HANDLE_STARTING) {
        struct observation ob = {.log = ""};
        child_observe_end(&end, is_late, has_error, error_text, &ob);
        s->was_signalled = ob.status == RUN_CRASH;
        (void)snprintf(s->message, sizeof(s->message), "%s%s%.300s",
                       is_broken && end.was_killed ? "what it sent is no hello"
                       : is_late                   ? "no hello before the deadline"
                                                   : run_status_names[ob.status],
                       ob.log[0] ? ": " : "", ob.log);
        return HANDLE_EVENT_LOST;
    }
    int const is_clean =
        before == HANDLE_CLOSING && !end.was_killed && !end.signal && end.exit_status == 0;
    if (to_blame && !is_clean && !(before == HANDLE_CLOSING && end.was_killed)) {
        const char *facts = copy_text(&to_blame->arena, s->facts);
        const char *own_error = copy_text(&to_blame->arena, error_text);
        child_observe_end(&end, is_late, has_error, own_error, &to_blame->ob);
        to_blame->ob.facts = facts;
        if (is_broken && to_blame->ob.status == RUN_HARNESS) {
            to_blame->ob.log = "what the worker sent is not the protocol, or not an answer";
        }
    }
    put_done(s, s->held);
    s->held = NULL;
    if (before == HANDLE_BUSY && !took_nothing) {
        put_done(s, flight);
        s->flight = NULL;
    }
    return before == HANDLE_CLOSING ? HANDLE_EVENT_ENDED : HANDLE_EVENT_REPLY;
}

static enum handle_event take_hello(struct worker_handle *s)
{
    char *facts = arena_copy(&s->arena, s->child.in, s->child.n_in);
    if (!facts || s->child.n_in == 0 || strlen(facts) != s->child.n_in) {
        return end_process(s, 0, 1);
    }
    s->facts = facts;
    s->state = HANDLE_IDLE;
    return HANDLE_EVENT_HELLO;
}

static enum handle_event take_result(struct worker_handle *s)
{
    struct run *r = s->flight;
    struct err e = {RES_OK, ""};
    if (observation_decode(&r->ob, &r->tc, &r->arena, s->child.in, s->child.n_in, &e) != RES_OK) {
        memset(&r->ob, 0, sizeof(r->ob));
        r->ob.status = RUN_HARNESS;
        r->ob.signature = "";
        r->ob.log = copy_text(&r->arena, e.text);
    }
    r->ob.facts = copy_text(&r->arena, s->facts);
    put_done(s, s->held);
    s->held = r;
    s->flight = NULL;
    s->n_since_start++;
    s->state = HANDLE_IDLE;
    return HANDLE_EVENT_REPLY;
}

/* The output ended while the process goes on: nothing more will come of it but its end. */
static void begin_end(struct worker_handle *s, uint64_t now_ns)
{
    if (!s->is_over && (s->state == HANDLE_IDLE || s->state == HANDLE_STARTING)) {
        s->state = s->state == HANDLE_IDLE ? HANDLE_ENDING : s->state;
        set_limit(s, now_ns, get_least(HANDLE_EXIT_NS, s->target->case_ns));
    }
    s->is_over = 1;
}

static enum handle_event take_message(struct worker_handle *s)
{
    if (s->state == HANDLE_STARTING && s->child.kind == WIRE_HELLO) {
        return take_hello(s);
    }
    /* A case that it did not read to its end cannot have been answered, and none is answered twice. */
    if (s->state == HANDLE_BUSY && s->child.kind == WIRE_RESULT && !child_has_output(&s->child) &&
        !child_took_nothing(&s->child) && !child_is_reading(&s->child)) {
        return take_result(s);
    }
    return end_process(s, 0, 1);
}

enum handle_event handle_poll(struct worker_handle *s, uint64_t now_ns)
{
    if (s->state == HANDLE_DOWN) {
        return HANDLE_EVENT_NONE;
    }
    struct arena *a = s->state == HANDLE_BUSY ? &s->flight->arena : &s->arena;
    int const has_ended = child_has_ended(&s->child); /* first: what it wrote before is there */
    enum child_event event = child_pump(&s->child, a);
    if (event == CHILD_NOTHING && has_ended && !child_is_reading(&s->child)) {
        event = CHILD_GONE; /* something that it left behind keeps the pipe open */
    }
    if (event == CHILD_MESSAGE) {
        return take_message(s);
    }
    if (event == CHILD_BROKEN || (event == CHILD_GONE && has_ended)) {
        return end_process(s, 0, event == CHILD_BROKEN);
    }
    if (event == CHILD_GONE) {
        begin_end(s, now_ns);
    }
    if (s->state != HANDLE_IDLE && is_late(s, now_ns)) {
        return end_process(s, 1, 0);
    }
    return HANDLE_EVENT_NONE;
}

void handle_close(struct worker_handle *s, uint64_t now_ns)
{
    assert(s->state == HANDLE_IDLE);
    child_close_input(&s->child);
    s->state = HANDLE_CLOSING;
    set_limit(s, now_ns, get_least(CHILD_GRACE_NS, s->target->case_ns));
}

struct run *handle_kill(struct worker_handle *s)
{
    struct run *flight = s->flight;
    if (s->state != HANDLE_DOWN) {
        struct child_end end;
        child_finish(&s->child, 0, &s->arena, &end);
        s->state = HANDLE_DOWN;
    }
    put_done(s, s->held);
    s->held = NULL;
    s->flight = NULL;
    return flight;
}

/* Until something happens or a moment has passed. */
static void wait_a_moment(const struct worker_handle *s)
{
    struct pollfd fds[3] = {
        {.fd = s->child.is_closed ? -1 : s->child.from,        .events = POLLIN },
        {.fd = s->child.error,                                 .events = POLLIN },
        {.fd = child_has_output(&s->child) ? s->child.to : -1, .events = POLLOUT}
    };
    (void)poll(fds, 3, HANDLE_WAIT_MS);
}

enum handle_event handle_wait(struct worker_handle *s)
{
    for (;;) {
        enum handle_event const event = handle_poll(s, child_now_ns());
        if (event != HANDLE_EVENT_NONE) {
            return event;
        }
        wait_a_moment(s);
    }
}

/* What a signal ends at its start is started once more: a machine without memory left sends one too. */
static enum res start_and_wait(struct worker_handle *s, const struct target *t, struct err *e)
{
    handle_init(s, t);
    for (int n_tries = 0; n_tries < HANDLE_MAX_STARTS; n_tries++) {
        enum res const r = handle_start(s, child_now_ns(), e);
        if (r != RES_OK || handle_wait(s) == HANDLE_EVENT_HELLO) {
            return r;
        }
        if (!s->was_signalled) {
            break;
        }
    }
    return err_set(e, RES_IO, "%s: does not start: %s", t->name, s->message);
}

enum res handle_run_once(const struct target *t, struct run *run, struct err *e)
{
    struct worker_handle s;
    enum res r = start_and_wait(&s, t, e);
    if (r == RES_OK) {
        r = handle_submit(&s, run, child_now_ns(), e);
    }
    if (r == RES_OK) {
        (void)handle_wait(&s);
        if (s.state == HANDLE_IDLE) {
            handle_close(&s, child_now_ns());
            (void)handle_wait(&s);
        }
    }
    (void)handle_kill(&s);
    while (handle_take_done(&s)) {
    }
    handle_free(&s);
    return r;
}

enum res handle_get_facts(const struct target *t, struct arena *a, const char **facts,
                          struct err *e)
{
    struct worker_handle s;
    *facts = "";
    enum res r = start_and_wait(&s, t, e);
    if (r == RES_OK) {
        *facts = copy_text(a, s.facts);
    }
    (void)handle_kill(&s);
    handle_free(&s);
    return r;
}

enum res handle_get_edges(const struct target *t, uint32_t *n_edges, struct err *e)
{
    struct arena a;
    const char *facts = "";
    *n_edges = 0;
    if (t->kind == TARGET_SIM) {
        return RES_OK;
    }
    arena_init(&a, HANDLE_ARENA_BYTES);
    enum res const r = handle_get_facts(t, &a, &facts, e);
    *n_edges = (uint32_t)facts_number(facts, "worker.edges");
    arena_free(&a);
    return r;
}
