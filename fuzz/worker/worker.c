/* fuzz/worker/worker.c -- the process that talks to one target's driver; protocol in fuzz/wire/wire.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/testcase.h"
#include "fuzz/wire/guard.h"
#include "fuzz/wire/wire.h"
#include "fuzz/worker/crash.h"
#include "fuzz/worker/drv.h"
#include "fuzz/worker/drv_common.h"
#include "fuzz/worker/drv_lib.h"
#include "fuzz/worker/drv_ocl.h"
#include "fuzz/worker/drv_ocloc.h"
#include "fuzz/worker/drv_vk.h"
#include "fuzz/worker/worker_edges.h"
#include "fuzz/worker/worker_stream.h"

/* Descriptors of the protocol, away from those that a driver may print to or close. */
enum {
    PROTOCOL_FD_BASE = 100
};
static const size_t worker_case_bytes = (size_t)2 << 30;    /* a message, its case, its result */
static const size_t worker_open_bytes = (size_t)64 << 20;   /* facts, device */
static const size_t worker_stream_bytes = (size_t)64 << 20; /* module and objects of a stream */

struct options {
    const char *api, *loader, *device;
    int list;
    unsigned long long as_limit_bytes, cpu_limit_s, crash_fd; /* 0 = none */
};

struct channel {
    int in, out;
};

static enum res parse_number(const char *name, const char *text, unsigned long long *out,
                             struct err *e)
{
    char *end = NULL;
    errno = 0;
    *out = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end || text[0] == '-') {
        return err_set(e, RES_USAGE, "%s: \"%s\" is not a number", name, text);
    }
    return RES_OK;
}

static enum res parse_value(struct options *o, const char *name, const char *value, struct err *e)
{
    if (strcmp(name, "--api") == 0) {
        o->api = value;
    } else if (strcmp(name, "--loader") == 0) {
        o->loader = value;
    } else if (strcmp(name, "--device") == 0) {
        o->device = value;
    } else if (strcmp(name, "--crash-fd") == 0) {
        return parse_number(name, value, &o->crash_fd, e);
    } else if (strcmp(name, "--as-limit") == 0) {
        return parse_number(name, value, &o->as_limit_bytes, e);
    } else if (strcmp(name, "--cpu-limit") == 0) {
        return parse_number(name, value, &o->cpu_limit_s, e);
    } else {
        return err_set(e, RES_USAGE, "unknown option %s", name);
    }
    return RES_OK;
}

static enum res parse_options(struct options *o, int argc, char **argv, struct err *e)
{
    *o = (struct options){.api = "", .loader = "", .device = ""};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            o->list = 1;
            continue;
        }
        if (i + 1 >= argc) {
            return err_set(e, RES_USAGE, "%s: unknown option, or no value after it", argv[i]);
        }
        enum res const r = parse_value(o, argv[i], argv[i + 1], e);
        if (r != RES_OK) {
            return r;
        }
        i++;
    }
    return RES_OK;
}

static enum res limit_set(int resource, rlim_t value, const char *name, struct err *e)
{
    struct rlimit const limit = {.rlim_cur = value, .rlim_max = value};
    if (setrlimit(resource, &limit) != 0) {
        return err_set(e, RES_IO, "limit of %s: %s", name, strerror(errno));
    }
    return RES_OK;
}

static enum res set_limits(const struct options *o, struct err *e)
{
    TRY(limit_set(RLIMIT_CORE, 0, "core size", e));
    if (o->cpu_limit_s) {
        TRY(limit_set(RLIMIT_CPU, (rlim_t)o->cpu_limit_s, "CPU time", e));
    }
    if (o->as_limit_bytes) {
        TRY(limit_set(RLIMIT_AS, (rlim_t)o->as_limit_bytes, "address space", e));
    }
    return RES_OK;
}

/* Keep the protocol's descriptors; standard input becomes empty, standard output standard error. */
static enum res take_channel(struct channel *c, struct err *e)
{
    c->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, PROTOCOL_FD_BASE);
    c->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, PROTOCOL_FD_BASE);
    int const empty = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (c->in < 0 || c->out < 0 || empty < 0) {
        return err_set(e, RES_IO, "standard input or output: %s", strerror(errno));
    }
    int const error = fcntl(STDERR_FILENO, F_GETFD) >= 0 ? STDERR_FILENO : empty;
    if (dup2(empty, STDIN_FILENO) < 0 || dup2(error, STDOUT_FILENO) < 0) {
        return err_set(e, RES_IO, "standard input or output: %s", strerror(errno));
    }
    if (empty > STDERR_FILENO) {
        (void)close(empty);
    }
    return RES_OK;
}

/* A message that came, from the scheduler's side of the protocol. */
struct message {
    enum wire_kind kind;
    const unsigned char *payload;
    size_t n;
};

static enum res run_case(const struct worker_device *device, struct arena *a,
                         const struct message *m, struct err *e)
{
    struct testcase tc;
    struct observation ob;
    memset(&ob, 0, sizeof ob);
    ob.log = ob.signature = ob.facts = "";
    TRY(testcase_decode(&tc, a, m->payload, m->n, e));
    enum drv_job job = m->kind == WIRE_BUILD ? JOB_BUILD : JOB_RUN;
    job = m->kind == WIRE_PROGRAM ? JOB_PROGRAM : job;
    drv_enter(PHASE_START);
    TRY(device->api->run(device->drv, &tc, job, a, &ob, e));
    drv_enter(PHASE_DONE);
    size_t n = 0;
    const unsigned char *const bytes = observation_encode(&tc, &ob, a, &n);
    if (!bytes) {
        return err_set(e, RES_NOMEM, "no room for the observation");
    }
    TRY(wire_write(device->out, WIRE_RESULT, bytes, n, e));
    drv_enter(PHASE_START); /* of the next one */
    return RES_OK;
}

/* Do what one message asks for and answer it. The handler of crashes is armed anew each time, as a driver may
 * have put its own. RES_FORMAT: it is no message for a worker. */
static enum res run_message(const struct worker_device *device, struct worker_stream *stream,
                            struct arena *a, const struct message *m, struct err *e)
{
    crash_arm();
    switch (m->kind) {
    case WIRE_CASE:
    case WIRE_BUILD:
    case WIRE_PROGRAM:
        return run_case(device, a, m, e);
    case WIRE_STREAM:
        return worker_stream_open(stream, device, a, m->payload, m->n, e);
    case WIRE_BLOCK:
        return worker_stream_run(stream, device, a, m->payload, m->n, e);
    case WIRE_HELLO:
    case WIRE_RESULT:
    case WIRE_ERROR:
    case WIRE_STATUS:
    case WIRE_ALIVE:
    case WIRE_END:
    case WIRE_EXECUTE:
        break;
    }
    return err_set(e, RES_FORMAT, "message of kind %d, expected a case or a stream", (int)m->kind);
}

/* Answer messages until the end of input. Each message has memory of its own; the memory of a
 * stream lasts until the next stream. */
static enum res serve(const struct worker_device *device, int in, struct err *e)
{
    struct arena a;
    struct worker_stream stream;
    enum res r = RES_OK;
    memset(&stream, 0, sizeof stream);
    arena_init(&a, worker_case_bytes);
    arena_init(&stream.arena, worker_stream_bytes);
    for (;;) {
        struct message m = {.kind = WIRE_ERROR};
        arena_reset(&a);
        r = wire_read(in, &a, &m.kind, &m.payload, &m.n, e);
        if (r != RES_OK || !m.payload) { /* no payload: the end of input */
            break;
        }
        r = run_message(device, &stream, &a, &m, e);
        if (r != RES_OK) {
            break;
        }
    }
    worker_stream_close(&stream, device);
    arena_free(&stream.arena);
    arena_free(&a);
    return r;
}

static enum res print_devices(const struct drv_api *api, const struct options *o,
                              const struct channel *c, struct arena *a, struct err *e)
{
    const char *text = "";
    enum res const r = api->list(o->loader, a, &text, e);
    if (r != RES_OK) {
        return r;
    }
    FILE *const f = fdopen(c->out, "w");
    if (!f || fputs(text, f) < 0 || fflush(f) != 0) {
        return err_set(e, RES_IO, "list of devices not written: %s", strerror(errno));
    }
    return RES_OK;
}

static const struct drv_api *find_api(const char *name)
{
    static const struct drv_api *const apis[] = {&drv_ocl, &drv_vk, &drv_ocloc, &drv_lib};
    for (size_t i = 0; i < ARRAY_N(apis); i++) {
        if (strcmp(apis[i]->name, name) == 0) {
            return apis[i];
        }
    }
    return NULL;
}

/* Say hello with the device's facts, then serve until the end of input. */
static enum res serve_device(const struct drv_api *api, const struct options *o,
                             const struct channel *c, struct arena *a, struct err *e)
{
    struct worker_device device = {.api = api, .out = c->out};
    const char *facts = "";
    enum res r = api->open(o->loader, o->device, a, &device.drv, &facts, e);
    if (r != RES_OK) {
        return r;
    }
    facts = worker_edges_add(facts, a);
    r = wire_write(c->out, WIRE_HELLO, facts, strlen(facts), e);
    if (r == RES_OK) {
        r = serve(&device, c->in, e);
    }
    api->close(device.drv);
    return r;
}

/* What the options ask for, within limits and with the crash handler in place. */
static enum res run_worker(const struct options *o, const struct channel *c, struct arena *a,
                           struct err *e)
{
    const struct drv_api *const api = find_api(o->api);
    if (!api) {
        return err_set(e, RES_USAGE, "--api is \"%s\", must be opencl, vulkan, ocloc or library",
                       o->api);
    }
    TRY(set_limits(o, e));
    bool const has_crash_fd = o->crash_fd > STDERR_FILENO && o->crash_fd < INT_MAX;
    TRY(crash_open(has_crash_fd ? (int)o->crash_fd : -1, e));
    return o->list ? print_devices(api, o, c, a, e) : serve_device(api, o, c, a, e);
}

/* The worker: open the device that the options name, send its facts, and answer messages until the end of input. An
 * error goes to standard error and, as the last message, to the scheduler. The exit status is 0 or one that is
 * reserved for errors of the worker, so that these are not recorded as the driver's. */
int main(int argc, char **argv)
{
    struct options o;
    struct err e = {.code = RES_OK, .text = ""};
    struct channel c = {.in = -1, .out = -1};
    struct arena a;
    if (guard_is_asked(argc, argv)) { /* this process watches over a worker, which it starts */
        return guard_run(argc, argv);
    }
    worker_edges_begin();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* a worker that hangs does not outlive its scheduler */
    (void)signal(SIGPIPE, SIG_IGN);
    arena_init(&a, worker_open_bytes);
    enum res r = parse_options(&o, argc, argv, &e);
    if (r == RES_OK) {
        r = take_channel(&c, &e);
    }
    if (r == RES_OK) {
        r = run_worker(&o, &c, &a, &e);
    }
    if (r != RES_OK) {
        (void)fprintf(stderr, "halfulp-worker: %s\n", e.text);
        if (c.out >= 0 && !o.list) {
            struct err ignored;
            (void)!wire_write(c.out, WIRE_ERROR, e.text, strlen(e.text), &ignored);
        }
    }
    arena_free(&a);
    if (r == RES_OK) {
        return 0;
    }
    return r == RES_USAGE ? WIRE_EXIT_NO_DEVICE : WIRE_EXIT_HARNESS;
}
