/* tests/rig/bad_worker.h -- a worker that misbehaves in each phase of its life, for test_misbehaviour.c: the
 * simulator behind the wire of fake_worker.h, with the environment variable BAD saying how. Included once. */
#pragma once

#include <time.h>

#include "oracle/sim/sim_facts.h"
#include "tests/rig/fake_worker.h"

enum {
    BAD_BUFFER_BYTES = 4096,
    BAD_FLOOD_BUFFERS = 256 /* 1 MiB, where it ends */
};

static int bad_is(const char *mode)
{
    const char *asked = getenv("BAD");
    return asked && strcmp(asked, mode) == 0;
}

static void bad_wait(void)
{
    for (;;) {
        (void)pause();
    }
}

static void bad_close_all(void)
{
    for (int fd = 0; fd < 256; fd++) {
        (void)close(fd);
    }
}

/* So many buffers to a descriptor, 0: for ever. */
static void bad_flood(int fd, int n_buffers)
{
    static char buffer[BAD_BUFFER_BYTES];
    memset(buffer, 'z', sizeof buffer);
    for (int i = 0; n_buffers == 0 || i < n_buffers; i = n_buffers ? i + 1 : 0) {
        (void)!write(fd, buffer, sizeof buffer);
    }
}

/* A header and some of what it promises. */
static void bad_put(enum wire_kind kind, size_t n_promised, size_t n_sent)
{
    static unsigned char message[WIRE_HEADER_BYTES + BAD_BUFFER_BYTES];
    memset(message, 'a', sizeof message);
    wire_put_header(message, kind, n_promised);
    (void)!write(STDOUT_FILENO, message, WIRE_HEADER_BYTES + n_sent);
}

/* Byte after byte of a message that never ends. */
static void bad_drip(enum wire_kind kind)
{
    struct timespec const pause_time = {.tv_nsec = 10000000};
    bad_put(kind, WIRE_MAX_BYTES, 0);
    for (;;) {
        (void)!write(STDOUT_FILENO, "d", 1);
        (void)nanosleep(&pause_time, NULL);
    }
}

static void bad_ignore_signals(void)
{
    for (int i = 1; i < 32; i++) {
        (void)signal(i, SIG_IGN);
    }
}

/* A process that holds the pipes open; 1 in it. */
static int bad_fork_holder(void)
{
    pid_t const pid = fork();
    if (pid == 0) {
        (void)setsid();
        bad_ignore_signals();
        bad_wait();
    }
    return pid;
}

static void bad_garbage(void)
{
    (void)!write(STDOUT_FILENO, "this is not the protocol at all", 31);
    bad_wait();
}

/* What can be done instead of anything, in every phase: its name is behind that of the phase. */
static void bad_strike(const char *name)
{
    struct err e;
    if (strcmp(name, "exit0") == 0) {
        exit(0);
    } else if (strcmp(name, "exit3") == 0) {
        exit(3);
    } else if (strcmp(name, "exit86") == 0) { /* as of our own fault, without its message */
        exit(WIRE_EXIT_HARNESS);
    } else if (strcmp(name, "segfault") == 0) {
        (void)raise(SIGSEGV);
    } else if (strcmp(name, "abort") == 0) {
        abort();
    } else if (strcmp(name, "killed") == 0) {
        (void)raise(SIGKILL);
    } else if (strcmp(name, "hang") == 0) {
        bad_wait();
    } else if (strcmp(name, "deaf") == 0) {
        bad_ignore_signals();
        for (;;) {
        }
    } else if (strcmp(name, "stop") == 0) {
        (void)raise(SIGSTOP);
        bad_wait();
    } else if (strcmp(name, "close") == 0) {
        bad_close_all();
        bad_wait();
    } else if (strcmp(name, "close-exit") == 0) {
        bad_close_all();
        exit(4);
    } else if (strcmp(name, "garbage") == 0) {
        bad_garbage();
    } else if (strcmp(name, "long") == 0) {
        bad_put((enum wire_kind)WIRE_RESULT, UINT32_MAX, 8);
        bad_wait();
    } else if (strcmp(name, "error") == 0) {
        (void)!wire_write(STDOUT_FILENO, WIRE_ERROR, "out of paper", 12, &e);
        exit(WIRE_EXIT_HARNESS);
    } else if (strcmp(name, "error-hang") == 0) {
        (void)!wire_write(STDOUT_FILENO, WIRE_ERROR, "out of paper", 12, &e);
        bad_wait();
    } else if (strcmp(name, "error-twice") == 0) {
        for (;;) {
            (void)!wire_write(STDOUT_FILENO, WIRE_ERROR, "out of paper", 12, &e);
        }
    } else if (strcmp(name, "flood") == 0) {
        bad_flood(STDOUT_FILENO, 0);
    } else if (strcmp(name, "log-flood") == 0) {
        bad_flood(STDERR_FILENO, 0);
    } else if (strcmp(name, "fork-exit") == 0) {
        (void)bad_fork_holder();
        exit(5);
    }
}

/* "case-hang" in phase "case" is "hang"; "" where the mode is of another phase. */
static const char *bad_of_phase(const char *phase)
{
    const char *asked = getenv("BAD");
    size_t const n = strlen(phase);
    return asked && strncmp(asked, phase, n) == 0 && asked[n] == '-' ? asked + n + 1 : "";
}

static int bad_say_hello(const char *facts, struct arena *a)
{
    struct err e;
    size_t const n = strlen(facts);
    if (bad_is("hello-empty")) {
        bad_put(WIRE_HELLO, 0, 0);
    } else if (bad_is("hello-zero")) {
        char *copy = arena_copy(a, facts, n);
        copy[n / 2] = '\0';
        (void)!wire_write(STDOUT_FILENO, WIRE_HELLO, copy, n, &e);
    } else if (bad_is("hello-partial")) {
        bad_put(WIRE_HELLO, 1000, 10);
        bad_wait();
    } else if (bad_is("hello-kind")) {
        bad_put(WIRE_RESULT, 16, 16);
    } else if (bad_is("hello-drip")) {
        bad_drip(WIRE_HELLO);
    } else if (bad_is("hello-huge")) {
        size_t const n_huge = (size_t)4 << 20;
        char *huge = arena_take(a, n_huge);
        memset(huge, 'f', n_huge);
        (void)!wire_write(STDOUT_FILENO, WIRE_HELLO, huge, n_huge, &e);
    } else if (bad_is("hello-twice")) {
        (void)!wire_write(STDOUT_FILENO, WIRE_HELLO, facts, n, &e);
    }
    return wire_write(STDOUT_FILENO, WIRE_HELLO, facts, n, &e) == RES_OK;
}

/* The honest answer as it is in the pipe; n_copies of it in one write. */
static void bad_reply(const unsigned char *p, size_t n, size_t n_sent, int n_copies)
{
    static unsigned char message[1 << 20];
    size_t const n_one = WIRE_HEADER_BYTES + n;
    if (n_one * 2 > sizeof message) {
        exit(98);
    }
    for (int i = 0; i < n_copies; i++) {
        wire_put_header(message + (size_t)i * n_one, WIRE_RESULT, n);
        memcpy(message + (size_t)i * n_one + WIRE_HEADER_BYTES, p, n);
    }
    (void)!write(STDOUT_FILENO, message,
                 n_sent ? WIRE_HEADER_BYTES + n_sent : (size_t)n_copies * n_one);
}

/* 1: the answer was given as the mode wants it; 0: it is still to be given. */
static int bad_answer(const unsigned char *p, size_t n)
{
    if (bad_is("reply-twice")) {
        bad_reply(p, n, 0, 2);
    } else if (bad_is("reply-part-hang")) {
        bad_reply(p, n, n / 2, 1);
        bad_wait();
    } else if (bad_is("reply-part-exit")) {
        bad_reply(p, n, n / 2, 1);
        exit(6);
    } else if (bad_is("reply-kind")) {
        bad_put(WIRE_HELLO, 100, 100);
        bad_wait();
    } else if (bad_is("reply-short")) {
        bad_reply(p, n - 3, 0, 1);
    } else if (bad_is("reply-noise")) {
        bad_put(WIRE_RESULT, 100, 100);
    } else if (bad_is("reply-drip")) {
        bad_drip(WIRE_RESULT);
    } else {
        return 0;
    }
    return 1;
}

static int bad_serve(const struct testcase *tc, int is_chosen, const char *facts, struct arena *a)
{
    struct observation ob;
    struct err e;
    size_t n = 0;
    if (is_chosen) {
        bad_strike(bad_of_phase("case"));
    }
    if (is_chosen && bad_is("log-then-answer")) {
        bad_flood(STDERR_FILENO, BAD_FLOOD_BUFFERS);
    }
    if (is_chosen && bad_is("fork-answer")) {
        (void)bad_fork_holder();
    }
    if (fake_run(tc, 0, facts, a, &ob) != RES_OK) {
        return 0;
    }
    ob.facts = "";
    const unsigned char *p = observation_encode(tc, &ob, a, &n);
    int ok = p && is_chosen && bad_answer(p, n);
    ok = ok || (p && wire_write(STDOUT_FILENO, WIRE_RESULT, p, n, &e) == RES_OK);
    if (is_chosen) {
        bad_strike(bad_of_phase("after"));
    }
    return ok;
}

/* A case whose answer comes before it was read: the last one's again. */
static void bad_answer_early(void)
{
    static unsigned char message[WIRE_HEADER_BYTES + 64];
    memset(message, 0, sizeof message);
    wire_put_header(message, WIRE_RESULT, 64);
    (void)!write(STDOUT_FILENO, message, sizeof message);
    bad_wait();
}

static int bad_worker_main(int argc, char **argv)
{
    struct arena facts_arena, a;
    arena_init(&facts_arena, FAKE_ARENA_BYTES);
    arena_init(&a, FAKE_ARENA_BYTES);
    enum env const env = argc > 2 && strcmp(argv[2], "vulkan") == 0 ? ENV_VK : ENV_CL;
    bad_strike(bad_of_phase("start"));
    uint64_t const good = fake_good_hash(env, &facts_arena);
    const char *facts =
        arena_printf(&facts_arena, "device=bad\nversion=1\n%s", sim_facts(env, 1, &facts_arena));
    int ok = bad_say_hello(facts, &facts_arena);
    while (ok) {
        enum wire_kind kind = WIRE_ERROR;
        const unsigned char *payload = NULL;
        size_t n = 0;
        struct testcase tc;
        struct err e;
        if (bad_is("early")) {
            bad_answer_early();
        }
        arena_reset(&a);
        if (wire_read(STDIN_FILENO, &a, &kind, &payload, &n, &e) != RES_OK) {
            return 1;
        }
        if (!payload) {
            break;
        }
        ok = testcase_decode(&tc, &a, payload, n, &e) == RES_OK &&
             bad_serve(&tc, fake_is_chosen(&tc, good), facts, &a);
    }
    bad_strike(bad_of_phase("end"));
    arena_free(&a);
    arena_free(&facts_arena);
    return ok ? 0 : 1;
}
