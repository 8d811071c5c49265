/* tests/fuzzers/target_wire.c -- fuzz target: the bytes between the scheduler and a worker, both ways. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/execute/execute.h"
#include "fuzz/process/child.h"
#include "fuzz/wire/stream.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_ARENA_BYTES = 1 << 20, /* a header may announce 128 MiB */
    TARGET_MAX_BYTES = 1 << 15,   /* fits a pipe */
    TARGET_MAX_MESSAGES = 64
};

/* What one side has heard so far, to understand the next message by. */
struct heard {
    struct testcase tc;
    struct stream stream;
    int has_case, has_stream;
};

static void take_case(struct heard *h, const unsigned char *p, size_t n, struct arena *a)
{
    struct testcase tc;
    struct err e = {.text = ""};
    if (target_is_ok(testcase_decode(&tc, a, p, n, &e), &e)) {
        h->tc = tc;
        h->has_case = 1;
    }
}

static void take_result(const struct heard *h, const unsigned char *p, size_t n, struct arena *a)
{
    struct observation ob;
    struct err e = {.text = ""};
    if (h->has_case && target_is_ok(observation_decode(&ob, &h->tc, a, p, n, &e), &e)) {
        for (uint32_t i = 0; i < ob.n_bufs; i++) {
            target_require(ob.out[i] != NULL);
        }
    }
}

/* A stream that was accepted has a memory whose parts lie within it, and is written as the same. */
static void take_stream(struct heard *h, const unsigned char *p, size_t n, struct arena *a)
{
    struct stream s;
    struct err e = {.text = ""};
    size_t n_again = 0;
    if (!target_is_ok(stream_decode(&s, a, p, n, &e), &e)) {
        return;
    }
    const unsigned char *const again = stream_encode(&s, a, &n_again);
    target_require(!again || (n_again == n && memcmp(again, p, n) == 0));
    uint32_t const last = s.n_inputs + s.n_outputs - 1;
    uint64_t const end = stream_get_place(&s, s.n_slots - 1, last) + stream_get_buffer_bytes(&s);
    target_require(end + STREAM_PAGE_BYTES == stream_get_bytes(&s));
    target_require(stream_get_buffer_bytes(&s) >= (uint64_t)s.max_items * s.item_bytes);
    h->stream = s;
    h->has_stream = 1;
}

static void take_block(const struct heard *h, const unsigned char *p, size_t n)
{
    struct stream_block b;
    unsigned char again[STREAM_BLOCK_BYTES];
    struct err e = {.text = ""};
    if (h->has_stream && target_is_ok(stream_decode_block(&b, &h->stream, p, n, &e), &e)) {
        stream_encode_block(&b, again);
        target_require(n == sizeof again && memcmp(p, again, n) == 0);
        target_require(b.slot < h->stream.n_slots);
        target_require(stream_round_items(&h->stream, b.n_items) <= h->stream.max_items);
    }
}

static void take_status(const unsigned char *p, size_t n, struct arena *a)
{
    struct stream_status s;
    struct err e = {.text = ""};
    size_t n_again = 0;
    if (target_is_ok(stream_decode_status(&s, a, p, n, &e), &e)) {
        const unsigned char *const again = stream_encode_status(&s, a, &n_again);
        target_require(!again || (n_again == n && memcmp(again, p, n) == 0));
    }
}

static void take_end(const unsigned char *p, size_t n, struct arena *a)
{
    struct wire_end end;
    struct err e = {.text = ""};
    size_t n_again = 0;
    if (target_is_ok(wire_decode_end(&end, a, p, n, &e), &e)) {
        const unsigned char *const again = wire_encode_end(&end, a, &n_again);
        target_require(!again || (n_again == n && memcmp(again, p, n) == 0));
    }
}

/* Decode a message's payload as what its kind says it is, in the light of what was heard before (a result
 * needs its case, a block its stream). */
static void take_request(const unsigned char *p, size_t n, struct arena *a)
{
    struct execute_request q;
    struct err e = {RES_OK, ""};
    size_t n_again = 0;
    if (target_is_ok(execute_decode(&q, a, p, n, &e), &e)) {
        const unsigned char *const again = execute_encode(&q, a, &n_again);
        target_require(again == NULL || execute_decode(&q, a, again, n_again, &e) == RES_OK);
    }
}

static void take_message(struct heard *h, enum wire_kind kind, const unsigned char *p, size_t n,
                         struct arena *a)
{
    switch (kind) {
    case WIRE_HELLO:
    case WIRE_ERROR:
    case WIRE_ALIVE:
        break;
    case WIRE_CASE:
    case WIRE_BUILD:
    case WIRE_PROGRAM:
        take_case(h, p, n, a);
        break;
    case WIRE_RESULT:
        take_result(h, p, n, a);
        break;
    case WIRE_STREAM:
        take_stream(h, p, n, a);
        break;
    case WIRE_BLOCK:
        take_block(h, p, n);
        break;
    case WIRE_STATUS:
        take_status(p, n, a);
        break;
    case WIRE_END:
        take_end(p, n, a);
        break;
    case WIRE_EXECUTE:
        take_request(p, n, a);
        break;
    }
}

/* The reading end of a pipe that holds these bytes and ends. */
static int open_bytes(const uint8_t *data, size_t n_bytes)
{
    int fd[2];
    target_require(pipe(fd) == 0 && write(fd[1], data, n_bytes) == (ssize_t)n_bytes);
    (void)close(fd[1]);
    return fd[0];
}

/* Messages as a worker reads them. */
struct message {
    enum wire_kind kind;
    const unsigned char *p;
    size_t n;
};
static uint32_t read_as_worker(const uint8_t *data, size_t n_bytes, struct message *m,
                               struct arena *a, enum res *end)
{
    uint32_t n = 0;
    struct heard heard = {.has_case = 0};
    struct err e = {.text = ""};
    int const fd = open_bytes(data, n_bytes);
    while (n < TARGET_MAX_MESSAGES) {
        *end = wire_read(fd, a, &m[n].kind, &m[n].p, &m[n].n, &e);
        if (!target_is_ok(*end, &e) || !m[n].p) {
            break;
        }
        take_message(&heard, m[n].kind, m[n].p, m[n].n, a);
        n++;
    }
    (void)close(fd);
    return n;
}

/* The scheduler, which reads without waiting, must see the same messages m[0..n) that a plain reader saw, up to one that
 * breaks the protocol: a second error, since an error is a worker's last word, or a message of a guard from a worker
 * that has none. The first error is kept apart and is no message to it. */
static void read_as_scheduler(const uint8_t *data, size_t n_bytes, const struct message *m,
                              uint32_t n, struct arena *a)
{
    struct child c = {
        .to = -1, .error = -1, .from = open_bytes(data, n_bytes), .trust = CHILD_FREE};
    enum child_event event = CHILD_NOTHING;
    uint32_t i = 0;
    target_require(fcntl(c.from, F_SETFL, O_NONBLOCK) == 0);
    while (i < n && (event = child_pump(&c, a)) != CHILD_GONE && event != CHILD_BROKEN) {
        target_require(event == CHILD_MESSAGE || c.kind == WIRE_ERROR);
        target_require(c.kind == m[i].kind && c.n_in == m[i].n);
        target_require(c.kind != WIRE_ALIVE && c.kind != WIRE_END);
        target_require(memcmp(c.in, m[i].p, c.n_in) == 0);
        target_require(c.kind != WIRE_ERROR || c.has_error);
        i++;
    }
    bool const is_second_error = i < n && c.has_error && m[i].kind == WIRE_ERROR;
    bool const is_of_guard = i < n && (m[i].kind == WIRE_ALIVE || m[i].kind == WIRE_END);
    target_require(i == n || (event == CHILD_BROKEN && (is_second_error || is_of_guard)));
    (void)close(c.from);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct arena a, b;
    struct message m[TARGET_MAX_MESSAGES];
    enum res end = RES_OK;
    if (n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    arena_init(&b, TARGET_ARENA_BYTES);
    uint32_t const n = read_as_worker(data, n_bytes, m, &a, &end);
    read_as_scheduler(data, n_bytes, m, n, &b);
    arena_free(&a);
    arena_free(&b);
    return 0;
}
