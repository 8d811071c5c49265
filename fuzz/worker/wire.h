/* fuzz/worker/wire.h -- messages between the scheduler and a worker: u32 length, u32 kind, payload. */
#pragma once

#include "base/base.h"

enum wire_kind {
    WIRE_HELLO = 1, /* worker, once: facts text (base/caps.h) */
    WIRE_CASE,      /* scheduler: testcase_encode */
    WIRE_RESULT,    /* worker: observation_encode (facts empty: the scheduler has them) */
    WIRE_ERROR,     /* worker: our own fault or no such device, one sentence; the worker then exits
                     * with WIRE_EXIT_HARNESS */
    WIRE_STREAM,    /* scheduler: stream_encode; the one before ends (fuzz/worker/stream.h) */
    WIRE_BLOCK,     /* scheduler: stream_encode_block, of the last stream */
    WIRE_STATUS,    /* worker: stream_encode_status, one for each of these two */
    WIRE_BUILD      /* scheduler: testcase_encode, to be built and not dispatched: RUN_BUILT */
};
enum {
    WIRE_HEADER_BYTES = 8,
    WIRE_MAX_BYTES = 128 << 20
};
/* Exit statuses of a worker: 0 after end of input; these two, after a WIRE_ERROR message; any
 * other, or one of these without that message, came from the driver. */
enum {
    WIRE_EXIT_HARNESS = 86,
    WIRE_EXIT_NO_DEVICE = 87
};
/* Where a worker that is started here finds the file for its last line. */
enum {
    WIRE_CRASH_FD = 201
};

/*
 * halfulp-worker --api opencl|vulkan [--loader PATH] [--device SUBSTRING] [--list]
 *                [--as-limit BYTES] [--cpu-limit SECONDS] [--crash-fd N]
 *
 * Protocol on standard input and output, which the worker moves away at its start: what a driver
 * prints goes to standard error. With --list it prints "name\tversion\n" per device and exits.
 * A death by SIGSEGV, SIGBUS, SIGABRT, SIGFPE or SIGILL leaves a line in the file of --crash-fd, an open
 * descriptor (on another machine it is not there, and nothing is left; the first line counts, another thread
 * may have crashed after it): the frames above the worker's own,
 *     module+symbol;module:build-id+0xoffset;code
 * (code: compiled at run time), and the exit status is still that signal. A line that begins with
 * "halfulp-worker" is a crash of the worker's own code. SIGXCPU is the CPU limit, so a hang;
 * SIGALRM means that writing that line did not end.
 */

/* Header of a message with n payload bytes, for a writer that has a buffer of its own. */
void wire_put_header(unsigned char header[WIRE_HEADER_BYTES], enum wire_kind kind, size_t n);
/* Inverse; RES_FORMAT: no such kind, or longer than WIRE_MAX_BYTES. */
MUST_USE enum res wire_get_header(const unsigned char header[WIRE_HEADER_BYTES],
                                  enum wire_kind *kind, size_t *n, struct err *e);
/* Write one whole message to a blocking fd; RES_IO when the other end is gone. */
MUST_USE enum res wire_write(int fd, enum wire_kind kind, const void *p, size_t n, struct err *e);
/* Read one whole message from a blocking fd into `a`. End of input between messages: RES_OK and
 * *payload NULL; within a message: RES_IO. */
MUST_USE enum res wire_read(int fd, struct arena *a, enum wire_kind *kind,
                            const unsigned char **payload, size_t *n, struct err *e);
