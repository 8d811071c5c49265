/* fuzz/pool/slot.c -- one place for a worker of a target: start, submit, and runs that are certain. */
#include "fuzz/pool/slot.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "fuzz/process/child_time.h"

enum {
    SLOT_WAIT_MS = 50,
    SLOT_MAX_STARTS = 2
};
#define SLOT_ARENA_BYTES ((size_t)16 << 20)
/* What is left to a process that ended its output while no case is in flight. One with a case has until the
 * deadline, and has then hung. */
#define SLOT_EXIT_NS UINT64_C(5000000000)

void slot_init(struct slot *s, const struct target *t)
{
    memset(s, 0, sizeof(*s));
    s->target = t;
    s->facts = "";
    arena_init(&s->arena, SLOT_ARENA_BYTES);
}

void slot_free(struct slot *s)
{
    arena_free(&s->arena);
}

static void set_limit(struct slot *s, uint64_t now_ns, uint64_t limit_ns)
{
    s->limit_ns = limit_ns;
    s->deadline_ns = now_ns + limit_ns;
    s->stalled_ns = child_get_stalled_ns();
}

static uint64_t get_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t slot_extend(uint64_t deadline_ns, uint64_t limit_ns, uint64_t stalled_ns)
{
    uint64_t const most = SLOT_STALLED_LIMITS * limit_ns;
    return deadline_ns + (stalled_ns < most ? stalled_ns : most);
}

static int is_late(const struct slot *s, uint64_t now_ns)
{
    return now_ns > s->deadline_ns && now_ns > slot_extend(s->deadline_ns, s->limit_ns,
                                                           child_get_stalled_ns() - s->stalled_ns);
}

enum res slot_start(struct slot *s, uint64_t now_ns, struct err *e)
{
    assert(s->state == SLOT_DOWN && s->n_done == 0);
    arena_reset(&s->arena);
    s->facts = "";
    const char *argv[CHILD_MAX_ARGS + 1];
    enum res r = targets_fill_argv(s->target, NULL, argv, &s->arena, e);
    struct child_spec const spec = targets_get_spec(s->target, argv);
    r = r == RES_OK ? child_start(&s->child, &spec, e) : r;
    if (r == RES_OK) {
        s->state = SLOT_STARTING;
        s->n_since_start = 0;
        s->is_over = 0;
        set_limit(s, now_ns, s->target->hello_ns);
    }
    return r;
}

enum res slot_submit(struct slot *s, struct run *r, uint64_t now_ns, struct err *e)
{
    assert(s->state == SLOT_IDLE && (!s->flight || s->flight == r));
    size_t n = 0;
    const unsigned char *p = testcase_encode(&r->tc, &r->arena, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "%s: case does not fit its memory", s->target->name);
    }
    memset(&r->ob, 0, sizeof(r->ob));
    r->ob.log = r->ob.signature = r->ob.facts = "";
    s->flight = r;
    s->state = SLOT_BUSY;
    set_limit(s, now_ns, s->target->case_ns);
    child_send(&s->child, r->is_build_only ? WIRE_BUILD : WIRE_CASE, p, n);
    return RES_OK;
}

static void put_done(struct slot *s, struct run *r)
{
    if (r) {
        assert(s->n_done < ARRAY_N(s->done));
        s->done[s->n_done++] = r;
    }
}

struct run *slot_take_done(struct slot *s)
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
static enum slot_event end_process(struct slot *s, int is_late, int is_broken)
{
    struct child_end end;
    struct run *flight = s->flight;
    int const took_nothing =
        s->state == SLOT_BUSY && !is_late && s->held && child_took_nothing(&s->child);
    struct run *to_blame = s->state == SLOT_BUSY && !took_nothing ? flight : s->held;
    int const has_error = s->child.has_error;
    char error_text[sizeof(s->child.error_text)];
    memcpy(error_text, s->child.error_text, sizeof(error_text));
    enum slot_state const before = s->state;
    child_finish(&s->child, 0, to_blame ? &to_blame->arena : &s->arena, &end);
    s->state = SLOT_DOWN;
    if (before == SLOT_STARTING) {
        struct observation ob = {.log = ""};
        child_observe_end(&end, is_late, has_error, error_text, &ob);
        s->was_signalled = ob.status == RUN_CRASH;
        (void)snprintf(s->message, sizeof(s->message), "%s%s%.300s",
                       is_broken && end.was_killed ? "what it sent is no hello"
                       : is_late                   ? "no hello before the deadline"
                                                   : run_status_names[ob.status],
                       ob.log[0] ? ": " : "", ob.log);
        return SLOT_EVENT_LOST;
    }
    int const is_clean =
        before == SLOT_CLOSING && !end.was_killed && !end.signal && end.exit_status == 0;
    if (to_blame && !is_clean && !(before == SLOT_CLOSING && end.was_killed)) {
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
    if (before == SLOT_BUSY && !took_nothing) {
        put_done(s, flight);
        s->flight = NULL;
    }
    return before == SLOT_CLOSING ? SLOT_EVENT_ENDED : SLOT_EVENT_REPLY;
}

static enum slot_event take_hello(struct slot *s)
{
    char *facts = arena_copy(&s->arena, s->child.in, s->child.n_in);
    if (!facts || s->child.n_in == 0 || strlen(facts) != s->child.n_in) {
        return end_process(s, 0, 1);
    }
    s->facts = facts;
    s->state = SLOT_IDLE;
    return SLOT_EVENT_HELLO;
}

static enum slot_event take_result(struct slot *s)
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
    s->state = SLOT_IDLE;
    return SLOT_EVENT_REPLY;
}

/* The output ended while the process goes on: nothing more will come of it but its end. */
static void begin_end(struct slot *s, uint64_t now_ns)
{
    if (!s->is_over && (s->state == SLOT_IDLE || s->state == SLOT_STARTING)) {
        s->state = s->state == SLOT_IDLE ? SLOT_ENDING : s->state;
        set_limit(s, now_ns, get_least(SLOT_EXIT_NS, s->target->case_ns));
    }
    s->is_over = 1;
}

static enum slot_event take_message(struct slot *s)
{
    if (s->state == SLOT_STARTING && s->child.kind == WIRE_HELLO) {
        return take_hello(s);
    }
    /* A case that it did not read to its end cannot have been answered, and none is answered twice. */
    if (s->state == SLOT_BUSY && s->child.kind == WIRE_RESULT && !child_has_output(&s->child) &&
        !child_took_nothing(&s->child) && !child_is_reading(&s->child)) {
        return take_result(s);
    }
    return end_process(s, 0, 1);
}

enum slot_event slot_poll(struct slot *s, uint64_t now_ns)
{
    if (s->state == SLOT_DOWN) {
        return SLOT_EVENT_NONE;
    }
    struct arena *a = s->state == SLOT_BUSY ? &s->flight->arena : &s->arena;
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
    if (s->state != SLOT_IDLE && is_late(s, now_ns)) {
        return end_process(s, 1, 0);
    }
    return SLOT_EVENT_NONE;
}

void slot_close(struct slot *s, uint64_t now_ns)
{
    assert(s->state == SLOT_IDLE);
    child_close_input(&s->child);
    s->state = SLOT_CLOSING;
    set_limit(s, now_ns, get_least(CHILD_GRACE_NS, s->target->case_ns));
}

struct run *slot_kill(struct slot *s)
{
    struct run *flight = s->flight;
    if (s->state != SLOT_DOWN) {
        struct child_end end;
        child_finish(&s->child, 0, &s->arena, &end);
        s->state = SLOT_DOWN;
    }
    put_done(s, s->held);
    s->held = NULL;
    s->flight = NULL;
    return flight;
}

/* Until something happens or a moment has passed. */
static void wait_a_moment(const struct slot *s)
{
    struct pollfd fds[3] = {
        {.fd = s->child.is_closed ? -1 : s->child.from,        .events = POLLIN },
        {.fd = s->child.error,                                 .events = POLLIN },
        {.fd = child_has_output(&s->child) ? s->child.to : -1, .events = POLLOUT}
    };
    (void)poll(fds, 3, SLOT_WAIT_MS);
}

enum slot_event slot_wait(struct slot *s)
{
    for (;;) {
        enum slot_event const event = slot_poll(s, child_now_ns());
        if (event != SLOT_EVENT_NONE) {
            return event;
        }
        wait_a_moment(s);
    }
}

/* What a signal ends at its start is started once more: a machine without memory left sends one too. */
static enum res start_and_wait(struct slot *s, const struct target *t, struct err *e)
{
    slot_init(s, t);
    for (int n_tries = 0; n_tries < SLOT_MAX_STARTS; n_tries++) {
        enum res const r = slot_start(s, child_now_ns(), e);
        if (r != RES_OK || slot_wait(s) == SLOT_EVENT_HELLO) {
            return r;
        }
        if (!s->was_signalled) {
            break;
        }
    }
    return err_set(e, RES_IO, "%s: does not start: %s", t->name, s->message);
}

enum res slot_run_once(const struct target *t, struct run *run, struct err *e)
{
    struct slot s;
    enum res r = start_and_wait(&s, t, e);
    r = r == RES_OK ? slot_submit(&s, run, child_now_ns(), e) : r;
    if (r == RES_OK) {
        (void)slot_wait(&s);
        if (s.state == SLOT_IDLE) {
            slot_close(&s, child_now_ns());
            (void)slot_wait(&s);
        }
    }
    (void)slot_kill(&s);
    while (slot_take_done(&s)) {
    }
    slot_free(&s);
    return r;
}

enum res slot_get_facts(const struct target *t, struct arena *a, const char **facts, struct err *e)
{
    struct slot s;
    *facts = "";
    enum res r = start_and_wait(&s, t, e);
    if (r == RES_OK) {
        *facts = copy_text(a, s.facts);
    }
    (void)slot_kill(&s);
    slot_free(&s);
    return r;
}

enum res slot_get_edges(const struct target *t, uint32_t *n_edges, struct err *e)
{
    struct arena a;
    const char *facts = "";
    *n_edges = 0;
    if (t->kind == TARGET_SIM) {
        return RES_OK;
    }
    arena_init(&a, SLOT_ARENA_BYTES);
    enum res const r = slot_get_facts(t, &a, &facts, e);
    *n_edges = (uint32_t)facts_number(facts, "worker.edges");
    arena_free(&a);
    return r;
}
