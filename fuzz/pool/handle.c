/* fuzz/pool/handle.c -- one worker of a target, started anew when it ends: start, submit, and runs that are certain.
 * One run is in flight. The run before it is held, because a process may still die of it after its answer. */
#include "fuzz/pool/handle.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/caps.h"
#include "base/testcase.h"
#include "fuzz/process/child_time.h"
#include "fuzz/process/last_words.h"
#include "fuzz/rewrite/rewrite.h"

enum {
    HANDLE_WAIT_MS = 50,
    HANDLE_FDS = 3 /* of one worker */
};
#define HANDLE_ARENA_BYTES ((size_t)16 << 20)
#define STREAM_ARENA_BYTES ((size_t)256 << 20)
#define RUN_KEEP_BYTES     ((size_t)4 << 20)
/* What is left to a process that ended its output while no case is in flight. One with a case has until the
 * deadline, and has then hung. */
#define HANDLE_EXIT_NS UINT64_C(5000000000)
/* How old a count of the time for which processes of this machine waited may be. */
#define HANDLE_LOOK_NS UINT64_C(100000000)

/* Why a process is ended, or was found to have ended. */
enum end_cause {
    END_BY_ITSELF,
    END_LATE,    /* killed at its deadline */
    END_BROKEN,  /* killed: what it sent is not the protocol */
    END_UNASKED, /* killed: a message of the protocol that answers nothing */
};
struct process_end {
    enum end_cause cause;
    struct child_end end;
    bool has_error;
    char error_text[sizeof(((struct child *)NULL)->error_text)];
};

void handle_init(struct worker_handle *s, const struct target *t)
{
    memset(s, 0, sizeof(*s));
    s->target = t;
    s->facts = "";
    arena_init(&s->arena, HANDLE_ARENA_BYTES);
    for (int i = 0; i < HANDLE_RUNS; i++) {
        arena_init(&s->runs[i].arena, HANDLE_RUN_BYTES);
    }
}

void handle_init_streams(struct worker_handle *s, const struct target *t, int memory_fd)
{
    handle_init(s, t);
    arena_init(&s->arena, STREAM_ARENA_BYTES);
    s->memory_fd = memory_fd;
}

void handle_free(struct worker_handle *s)
{
    (void)handle_kill(s);
    executor_free(&s->executor);
    for (int i = 0; i < HANDLE_RUNS; i++) {
        arena_free(&s->runs[i].arena);
    }
    arena_free(&s->arena);
}

/* A run waits with the memory of a usual case, not of the largest one. */
static void shrink(struct run *r)
{
    if (r->arena.used_bytes > RUN_KEEP_BYTES) {
        arena_free(&r->arena);
    }
    arena_reset(&r->arena);
}

struct run *handle_take_run(struct worker_handle *s)
{
    for (int i = 0; i < HANDLE_RUNS; i++) {
        if (!s->is_used[i]) {
            s->is_used[i] = true;
            shrink(&s->runs[i]);
            return &s->runs[i];
        }
    }
    return NULL;
}

void handle_put_back(struct worker_handle *s, struct run *r)
{
    for (int i = 0; i < HANDLE_RUNS; i++) {
        if (r == &s->runs[i]) {
            s->is_used[i] = false;
            shrink(r);
        }
    }
}

/* A look costs as much as to send a case; a count that is somewhat old gives a worker at most its age. */
static void look_at_stalls(struct worker_handle *s, uint64_t now_ns)
{
    if (s->looked_ns == 0 || now_ns - s->looked_ns >= HANDLE_LOOK_NS) {
        s->looked_ns = now_ns;
        s->stalled_ns = child_get_stalled_ns();
    }
}

/* From now on. A stream gets no more time on a loaded machine: handle_extend by a limit of 0 adds none. */
static void set_limit(struct worker_handle *s, uint64_t limit_ns)
{
    uint64_t const now_ns = child_now_ns();
    s->limit_ns = s->memory_fd ? 0 : limit_ns;
    s->deadline_ns = now_ns + limit_ns;
    look_at_stalls(s, now_ns);
}

static uint64_t get_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t handle_extend(uint64_t deadline_ns, uint64_t limit_ns, uint64_t stalled_ns)
{
    return deadline_ns + get_least(stalled_ns, HANDLE_STALLED_LIMITS * limit_ns);
}

uint64_t handle_get_limit(const struct target *t, uint32_t n_words, bool is_built_only)
{
    uint64_t const half_ns = t->case_ns / 2;
    uint64_t const by_size_ns = half_ns + half_ns * n_words / HANDLE_USUAL_WORDS;
    return is_built_only ? get_least(by_size_ns, HANDLE_LONGEST_BUILD * t->case_ns) : t->case_ns;
}

static bool is_late(const struct worker_handle *s)
{
    uint64_t const now_ns = child_now_ns();
    if (now_ns <= s->deadline_ns) {
        return false;
    }
    uint64_t const stalled_ns = child_get_stalled_ns() - s->stalled_ns;
    return now_ns > handle_extend(s->deadline_ns, s->limit_ns, stalled_ns);
}

enum res handle_start(struct worker_handle *s, struct err *e)
{
    assert(s->state == HANDLE_DOWN && s->n_done == 0);
    arena_reset(&s->arena);
    s->facts = "";
    const char *argv[CHILD_MAX_ARGS + 1];
    TRY(targets_fill_argv(s->target, NULL, argv, &s->arena, e));
    struct child_spec spec = targets_get_spec(s->target, argv);
    spec.memory_fd = s->memory_fd;
    TRY(child_start(&s->child, &spec, e));
    s->state = HANDLE_STARTING;
    s->n_since_start = 0;
    s->is_over = false;
    set_limit(s, s->target->hello_ns);
    return RES_OK;
}

/* The case as the target is given it: with a planted fault its module means something else. */
static enum res make_sent(const struct target *t, struct run *r, struct testcase *out,
                          struct err *e)
{
    uint32_t n_sites;
    *out = r->tc;
    return t->rewrite && out->language == LANGUAGE_SPIRV
               ? rewrite_module(t->rewrite, r->tc.module, r->tc.n_words, &r->arena, &out->module,
                                &out->n_words, &n_sites, e)
               : RES_OK;
}

/* What the worker is asked for. */
static enum wire_kind choose_request(const struct target *t, const struct run *r)
{
    if (r->is_build_only || t->values == VALUES_NONE) {
        return WIRE_BUILD;
    }
    return t->values == VALUES_NIR ? WIRE_PROGRAM : WIRE_CASE;
}

enum res handle_submit(struct worker_handle *s, struct run *r, struct err *e)
{
    assert(s->state == HANDLE_IDLE && (!s->flight || s->flight == r));
    size_t n = 0;
    struct testcase sent;
    TRY(make_sent(s->target, r, &sent, e));
    const unsigned char *p = testcase_encode(&sent, &r->arena, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "%s: case does not fit its memory", s->target->name);
    }
    memset(&r->ob, 0, sizeof(r->ob));
    r->ob.log = r->ob.signature = r->ob.facts = "";
    r->ob.phase =
        s->target->values != VALUES_DEVICE ? PHASE_BUILD : PHASE_START; /* until it answers */
    s->flight = r;
    s->n_logged = s->child.n_logged;
    s->state = HANDLE_BUSY;
    enum wire_kind const request = choose_request(s->target, r);
    set_limit(s, handle_get_limit(s->target, sent.n_words, request != WIRE_CASE));
    child_send(&s->child, request, p, n);
    return RES_OK;
}

static void send_of_stream(struct worker_handle *s, enum wire_kind kind, const void *p, size_t n)
{
    child_send(&s->child, kind, p, n);
    s->state = HANDLE_STREAMING;
    if (s->n_unanswered++ == 0) {
        set_limit(s, s->target->case_ns);
    }
}

enum res handle_open_stream(struct worker_handle *s, const struct stream *stream, struct err *e)
{
    assert(s->state == HANDLE_IDLE);
    size_t n = 0;
    arena_reset(&s->arena); /* nothing is on its way */
    s->facts = "";
    const unsigned char *const p = stream_encode(stream, &s->arena, &n);
    if (!p) {
        return err_set(e, RES_NOMEM, "no room for a stream's message");
    }
    send_of_stream(s, WIRE_STREAM, p, n);
    return RES_OK;
}

bool handle_has_room(const struct worker_handle *s)
{
    bool const is_there = s->state == HANDLE_IDLE || s->state == HANDLE_STREAMING;
    return is_there && s->n_unanswered < HANDLE_MAX_BLOCKS && !child_has_output(&s->child);
}

void handle_send_block(struct worker_handle *s, const struct stream_block *b)
{
    unsigned char *const message = s->block[b->slot % HANDLE_MAX_BLOCKS];
    stream_encode_block(b, message);
    send_of_stream(s, WIRE_BLOCK, message, STREAM_BLOCK_BYTES);
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

void handle_drop_done(struct worker_handle *s)
{
    for (struct run *r = handle_take_done(s); r; r = handle_take_done(s)) {
        handle_put_back(s, r);
    }
}

static const char *copy_text(struct arena *a, const char *text)
{
    char *copy = arena_copy(a, text, strlen(text));
    return copy ? copy : "";
}

/* Kill the process if it has not ended, and keep what it said last. Texts go into `a`. */
static void finish_process(struct worker_handle *s, enum end_cause cause, struct arena *a,
                           struct process_end *out)
{
    out->cause = cause;
    out->has_error = s->child.has_error;
    memcpy(out->error_text, s->child.error_text, sizeof(out->error_text));
    child_finish(&s->child, 0, a, &out->end);
    s->state = HANDLE_DOWN;
    s->n_unanswered = 0;
}

static void observe_end(const struct process_end *x, const char *error_text, struct observation *ob)
{
    child_observe_end(&x->end, x->cause == END_LATE, x->has_error, error_text, ob);
}

static enum handle_event end_without_hello(struct worker_handle *s, enum end_cause cause)
{
    struct process_end x;
    struct observation ob = {.log = ""};
    finish_process(s, cause, &s->arena, &x);
    observe_end(&x, x.error_text, &ob);
    const char *what = run_status_names[ob.status];
    if (x.end.is_lost) {
        what = "connection lost";
    } else if (cause == END_LATE) {
        what = "no hello before the deadline";
    } else if (cause != END_BY_ITSELF && x.end.was_killed) {
        what = "what it sent is no hello";
    }
    s->was_signalled = ob.status == RUN_CRASH;
    s->n_lost++;
    (void)snprintf(s->message, sizeof(s->message), "%s%s%.300s", what, ob.log[0] ? ": " : "",
                   ob.log);
    return HANDLE_EVENT_LOST;
}

/* A worker for streams has no run whose observation tells of its end: the message does. */
static enum handle_event end_with_stream(struct worker_handle *s, enum end_cause cause)
{
    struct process_end x;
    struct observation ob = {.log = "", .signature = ""};
    finish_process(s, cause, &s->arena, &x);
    observe_end(&x, x.error_text, &ob);
    const char *const whats[] = {[END_BY_ITSELF] = run_status_names[ob.status],
                                 [END_LATE] = run_status_names[RUN_HANG],
                                 [END_BROKEN] = "what the worker sent is not the protocol",
                                 [END_UNASKED] = "what the worker sent is not an answer"};
    (void)snprintf(s->message, sizeof(s->message), "%s%s%.200s%s%.250s", whats[cause],
                   ob.signature[0] ? ": " : "", ob.signature, ob.log[0] ? ": " : "", ob.log);
    return HANDLE_EVENT_LOST;
}

/* A run gets the end of its process as its observation, whatever it was answered before. One that was not answered gets
 * what the worker was at, too. */
static void record_end(const struct worker_handle *s, const struct process_end *x, struct run *r)
{
    if (r == s->flight && x->end.has_phase && x->end.phase > r->ob.phase) {
        r->ob.phase = x->end.phase;
    }
    const char *facts = copy_text(&r->arena, s->facts);
    observe_end(x, copy_text(&r->arena, x->error_text), &r->ob);
    r->ob.facts = facts;
    bool const is_broken = x->cause == END_BROKEN || x->cause == END_UNASKED;
    if (is_broken && r->ob.status == RUN_HARNESS) {
        r->ob.log = "what the worker sent is not the protocol, or not an answer";
    }
}

/* The connection to the worker was lost, and nothing is known of its driver. What was answered stays; a case in flight
 * stays to be submitted again, but for the last of HANDLE_MAX_CUT times. */
static enum handle_event end_cut(struct worker_handle *s, const struct process_end *x,
                                 enum handle_event event)
{
    struct run *const flight = s->flight;
    s->n_cut++;
    put_done(s, s->held);
    s->held = NULL;
    if (flight && s->n_cut % HANDLE_MAX_CUT == 0) {
        record_end(s, x, flight);
        flight->ob.log = arena_printf(&flight->arena, "connection lost %d times: %s",
                                      HANDLE_MAX_CUT, x->end.log);
        put_done(s, flight);
        s->flight = NULL;
    }
    if (s->n_cut < HANDLE_MAX_CUT_IN_ALL) {
        return event;
    }
    s->n_lost = HANDLE_MAX_LOST;
    s->was_signalled = false;
    (void)snprintf(s->message, sizeof(s->message), "connection lost %d times in a row: %.300s",
                   HANDLE_MAX_CUT_IN_ALL, x->end.log);
    return HANDLE_EVENT_LOST;
}

/* Handle the end of a process that takes cases, and decide which run it is the end of. It is
 * that of the run in flight, unless the process took nothing of that run. Then it is that of the
 * run before, which is held, and the one in flight stays to be submitted again. If the process was
 * told to end, and did so cleanly or was killed at its deadline, no run gets the end as its result. */
static enum handle_event end_with_cases(struct worker_handle *s, enum end_cause cause)
{
    struct process_end x;
    bool const was_busy = s->state == HANDLE_BUSY;
    bool const was_closing = s->state == HANDLE_CLOSING;
    enum handle_event const event = was_closing ? HANDLE_EVENT_ENDED : HANDLE_EVENT_REPLY;
    /* A process that is late hangs in the run in flight. */
    bool const took_nothing =
        was_busy && cause != END_LATE && s->held && child_took_nothing(&s->child);
    bool const is_of_flight = was_busy && !took_nothing;
    struct run *const ended = is_of_flight ? s->flight : s->held;
    finish_process(s, cause, ended ? &ended->arena : &s->arena, &x);
    if (x.end.is_lost) { /* the connection: the run in flight is submitted again */
        return end_cut(s, &x, event);
    }
    bool const is_clean = !x.end.was_killed && !x.end.signal && x.end.exit_status == 0;
    bool const is_as_told = was_closing && (is_clean || x.end.was_killed);
    if (ended && !is_as_told) {
        record_end(s, &x, ended);
    }
    put_done(s, s->held);
    s->held = NULL;
    if (is_of_flight) {
        put_done(s, s->flight);
        s->flight = NULL;
    }
    return event;
}

static enum handle_event end_process(struct worker_handle *s, enum end_cause cause)
{
    if (s->memory_fd) {
        return end_with_stream(s, cause);
    }
    return s->state == HANDLE_STARTING ? end_without_hello(s, cause) : end_with_cases(s, cause);
}

static enum handle_event take_hello(struct worker_handle *s)
{
    const char *const facts = arena_copy(&s->arena, s->child.in, s->child.n_in);
    if (!facts || s->child.n_in == 0 || strlen(facts) != s->child.n_in) {
        return end_process(s, END_BROKEN);
    }
    const char *const own = targets_get_facts(s->target, &s->arena);
    s->facts = own[0] ? arena_printf(&s->arena, "%s%s", facts, own) : facts;
    s->state = HANDLE_IDLE;
    s->n_lost = 0;
    return HANDLE_EVENT_HELLO;
}

/* Vulkan refuses with a code alone: why, the driver says on its standard error, if anywhere. */
static void add_reason(struct worker_handle *s, struct run *r)
{
    const char *const said = child_get_log_since(&s->child, s->n_logged);
    if (r->ob.status == RUN_REJECT && r->tc.env == ENV_VK && said[0]) {
        r->ob.log = arena_printf(&r->arena, "%s\n%s", r->ob.log, said);
    }
}

/* A compiler that tells of its own failure and then succeeds: what it made is not what the module says. */
static void see_failure(struct worker_handle *s, struct run *r)
{
    const char *const said =
        r->ob.status == RUN_BUILT ? child_get_log_since(&s->child, s->n_logged) : "";
    if (last_words_find(said, &r->arena)[0]) {
        r->ob.status = RUN_REJECT;
        r->ob.log = arena_printf(&r->arena, "built, though the compiler said:\n%s", said);
    }
}

/* The run in flight is answered: it is held. */
static enum handle_event hold_result(struct worker_handle *s)
{
    put_done(s, s->held);
    s->held = s->flight;
    s->flight = NULL;
    s->n_since_start++;
    s->n_cut = 0;
    s->state = HANDLE_IDLE;
    return HANDLE_EVENT_REPLY;
}

/* What the driver built is to be executed, where its text is there. */
static enum handle_event execute_result(struct worker_handle *s)
{
    struct run *const r = s->flight;
    struct execute_request q;
    struct err e = {RES_OK, ""};
    bool const is_wanted =
        s->target->values == VALUES_NIR && !r->is_build_only && r->ob.status == RUN_BUILT;
    if (!is_wanted) {
        return hold_result(s);
    }
    if (!executor_can(&r->ob, s->facts, &q)) {
        r->ob.status = RUN_SKIPPED;
        r->ob.log = EXECUTE_SKIPPED "the driver hands out none, or is not one that is known";
        return hold_result(s);
    }
    enum res res = make_sent(s->target, r, &q.tc, &e);
    if (res == RES_OK) {
        res = executor_begin(&s->executor, s->target, &q, &r->arena, &e);
    }
    if (res != RES_OK) {
        r->ob.status = RUN_HARNESS;
        r->ob.log = copy_text(&r->arena, e.text);
        return hold_result(s);
    }
    s->state = HANDLE_EXECUTING;
    set_limit(s, s->target->case_ns);
    return HANDLE_EVENT_NONE;
}

/* Look whether the executor has come to its end. What the driver said of its build stays. */
static enum handle_event poll_execution(struct worker_handle *s)
{
    struct run *const r = s->flight;
    struct observation ob;
    if (!executor_poll(&s->executor, &r->tc, &r->arena, &ob)) {
        if (!is_late(s)) {
            return HANDLE_EVENT_NONE;
        }
        executor_stop(&s->executor, &r->arena, &ob);
    }
    ob.build_ns = r->ob.build_ns;
    ob.facts = r->ob.facts;
    ob.n_programs = r->ob.n_programs;
    memcpy(ob.programs, r->ob.programs, sizeof ob.programs);
    ob.program_subgroup = r->ob.program_subgroup;
    ob.n_statistics = r->ob.n_statistics;
    memcpy(ob.statistics, r->ob.statistics, sizeof ob.statistics);
    r->ob = ob;
    return hold_result(s);
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
    add_reason(s, r);
    see_failure(s, r);
    return execute_result(s);
}

static enum handle_event take_status(struct worker_handle *s)
{
    struct err e;
    if (stream_decode_status(&s->status, &s->arena, s->child.in, s->child.n_in, &e) != RES_OK) {
        return end_process(s, END_UNASKED);
    }
    if (--s->n_unanswered == 0) {
        s->state = HANDLE_IDLE;
    } else {
        set_limit(s, s->target->case_ns);
    }
    return HANDLE_EVENT_STATUS;
}

/* The output ended while the process goes on: nothing more will come of it but its end. A launcher whose worker has told
 * its own end has not much to do. */
static void begin_end(struct worker_handle *s)
{
    bool const is_between = s->state == HANDLE_IDLE || s->state == HANDLE_STARTING;
    if (!s->is_over && (is_between || s->child.has_told)) {
        s->state = s->state == HANDLE_IDLE ? HANDLE_ENDING : s->state;
        set_limit(s, get_least(HANDLE_EXIT_NS, s->target->case_ns));
    }
    s->is_over = true;
}

/* Has more come behind the answer? A guard says at any time that it is there. */
static bool is_followed(const struct child *c)
{
    return !c->is_guarded && child_is_reading(c);
}

static enum handle_event take_message(struct worker_handle *s)
{
    enum wire_kind const kind = s->child.kind;
    if (s->state == HANDLE_STARTING && kind == WIRE_HELLO) {
        return take_hello(s);
    }
    if (s->state == HANDLE_STREAMING && kind == WIRE_STATUS) {
        return take_status(s);
    }
    /* A case that it did not read to its end cannot have been answered, and none is answered twice. */
    if (s->state == HANDLE_BUSY && kind == WIRE_RESULT && !child_has_output(&s->child) &&
        !child_took_nothing(&s->child) && !is_followed(&s->child)) {
        return take_result(s);
    }
    return end_process(s, END_UNASKED);
}

/* Take one event of a worker, without waiting: a message, the end of its process, or the end of
 * its time. A process is at its end when it has exited and all that it wrote is read. */
enum handle_event handle_poll(struct worker_handle *s)
{
    if (s->state == HANDLE_DOWN) {
        return HANDLE_EVENT_NONE;
    }
    if (s->state == HANDLE_EXECUTING) {
        return poll_execution(s);
    }
    struct arena *a = s->state == HANDLE_BUSY ? &s->flight->arena : &s->arena;
    bool const has_ended = child_has_ended(
        &s->child); /* asked first, so that all it wrote before its end can be read now */
    enum child_event event = child_pump(&s->child, a);
    if (event == CHILD_NOTHING && has_ended && !child_is_reading(&s->child)) {
        event = CHILD_GONE; /* a process that it started keeps the pipe open */
    }
    if (event == CHILD_MESSAGE) {
        return take_message(s);
    }
    if (event == CHILD_BROKEN) {
        return end_process(s, END_BROKEN);
    }
    if (event == CHILD_GONE && has_ended) {
        return end_process(s, END_BY_ITSELF);
    }
    if (event == CHILD_GONE) {
        begin_end(s); /* the pipe is closed, but the process has not exited yet */
    }
    if (s->state != HANDLE_IDLE && is_late(s)) { /* an idle worker has no deadline */
        return end_process(s, END_LATE);
    }
    return HANDLE_EVENT_NONE;
}

void handle_close(struct worker_handle *s)
{
    assert(s->state == HANDLE_IDLE);
    child_close_input(&s->child);
    s->state = HANDLE_CLOSING;
    set_limit(s, get_least(CHILD_GRACE_NS, s->target->case_ns));
}

struct run *handle_kill(struct worker_handle *s)
{
    struct run *flight = s->flight;
    if (s->executor.is_busy) {
        executor_free(&s->executor);
    }
    if (s->state != HANDLE_DOWN) {
        struct process_end ignored;
        finish_process(s, END_BY_ITSELF, &s->arena, &ignored);
    }
    put_done(s, s->held);
    s->held = NULL;
    s->flight = NULL;
    return flight;
}

/* What poll() has to look at for a worker; how many. */
static nfds_t fill_fds(const struct worker_handle *s, struct pollfd out[HANDLE_FDS])
{
    const struct child *const c = s->state == HANDLE_EXECUTING ? &s->executor.child : &s->child;
    if (s->state == HANDLE_DOWN) {
        return 0;
    }
    out[0] = (struct pollfd){.fd = c->is_closed ? -1 : c->from, .events = POLLIN};
    out[1] = (struct pollfd){.fd = c->error, .events = POLLIN};
    out[2] = (struct pollfd){.fd = child_has_output(c) ? c->to : -1, .events = POLLOUT};
    return HANDLE_FDS;
}

enum handle_event handle_wait(struct worker_handle *s)
{
    for (;;) {
        struct pollfd fds[HANDLE_FDS];
        enum handle_event const event = handle_poll(s);
        if (event != HANDLE_EVENT_NONE) {
            return event;
        }
        (void)poll(fds, fill_fds(s, fds), HANDLE_WAIT_MS);
    }
}

enum res handle_set_init(struct handle_set *set, uint32_t max_handles, uint32_t max_fds,
                         struct arena *a, struct err *e)
{
    *set =
        (struct handle_set){.handles = ARENA_NEW(a, struct worker_handle *, max_handles),
                            .fds = ARENA_NEW(a, struct pollfd, max_fds + HANDLE_FDS * max_handles)};
    return set->handles && set->fds ? RES_OK
                                    : err_set(e, RES_NOMEM, "no memory to wait for workers");
}

void handle_set_add(struct handle_set *set, struct worker_handle *s)
{
    set->handles[set->n_handles++] = s;
}

void handle_set_watch(struct handle_set *set, int fd)
{
    set->fds[set->n_watched++] = (struct pollfd){.fd = fd, .events = POLLIN};
}

enum res handle_set_wait(struct handle_set *set, int max_ms, struct err *e)
{
    nfds_t n = set->n_watched;
    for (uint32_t i = 0; i < set->n_handles; i++) {
        n += fill_fds(set->handles[i], set->fds + n);
    }
    if (poll(set->fds, n, max_ms) < 0 && errno != EINTR) {
        return err_set(e, RES_IO, "poll: %s", strerror(errno));
    }
    return RES_OK;
}

enum res handle_start_and_wait(struct worker_handle *s, struct err *e)
{
    enum res const r = handle_start(s, e);
    if (r != RES_OK || handle_wait(s) == HANDLE_EVENT_HELLO) {
        return r;
    }
    return err_set(e, RES_IO, "%s: does not start: %.400s", s->target->name, s->message);
}

/* What a signal ends at its start is started once more: a machine without memory left sends one too. */
static enum res start_fresh(struct worker_handle *s, const struct target *t, struct err *e)
{
    handle_init(s, t);
    enum res const r = handle_start_and_wait(s, e);
    return r != RES_OK && s->was_signalled ? handle_start_and_wait(s, e) : r;
}

/* A run on a worker that was just started, and the end of that process: only then it is certain. Where the connection
 * was lost before, again. */
static enum res run_to_end(struct worker_handle *s, struct run *run, struct err *e)
{
    TRY(handle_submit(s, run, e));
    for (;;) {
        (void)handle_wait(s);
        if (s->state == HANDLE_IDLE) {
            handle_close(s);
            (void)handle_wait(s);
        }
        if (!s->flight) {
            return RES_OK;
        }
        TRY(handle_start_and_wait(s, e));
        TRY(handle_submit(s, run, e));
    }
}

enum res handle_run_once(const struct target *t, struct run *run, struct err *e)
{
    struct worker_handle s;
    enum res r = start_fresh(&s, t, e);
    if (r == RES_OK) {
        r = run_to_end(&s, run, e);
    }
    handle_free(&s);
    return r;
}

enum res handle_get_facts(const struct target *t, struct arena *a, const char **facts,
                          struct err *e)
{
    struct worker_handle s;
    enum res const r = start_fresh(&s, t, e);
    *facts = r == RES_OK ? copy_text(a, s.facts) : "";
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
