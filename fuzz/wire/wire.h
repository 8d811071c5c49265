/* fuzz/wire/wire.h -- messages between the scheduler and a worker: u32 length, u32 kind, payload. */
#pragma once

#include "base/base.h"

/* A mark of a device in a worker's list: the device takes source text alone. */
#define LISTED_NO_SPIRV "no SPIR-V"

enum wire_kind {
    WIRE_HELLO = 1, /* worker, once: facts text (base/caps.h) */
    WIRE_CASE,      /* scheduler: testcase_encode */
    WIRE_RESULT,    /* worker: observation_encode (facts empty: the scheduler has them) */
    WIRE_ERROR,     /* worker: our own fault or no such device, one sentence; the worker then exits
                     * with WIRE_EXIT_HARNESS */
    WIRE_STREAM,    /* scheduler: stream_encode; the one before ends (fuzz/wire/stream.h) */
    WIRE_BLOCK,     /* scheduler: stream_encode_block, of the last stream */
    WIRE_STATUS,    /* worker: stream_encode_status, one for each of these two */
    WIRE_BUILD,     /* scheduler: testcase_encode, to be built and not dispatched: RUN_BUILT */
    WIRE_ALIVE,     /* guard, each second: no payload */
    WIRE_END,       /* guard, its last: wire_encode_end */
    WIRE_PROGRAM,   /* scheduler: as WIRE_BUILD, with the texts of what was compiled */
    WIRE_EXECUTE /* scheduler, to an executor: execute_encode (fuzz/execute/execute.h); the answer is WIRE_RESULT */
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
/* Where a worker finds the file for its last line, and where in it stands what it is at: 1 + enum run_phase of a case, a
 * byte; 0, or none: it has not begun one. Behind a guard it is known of a worker that ended, not of one that hangs. */
enum {
    WIRE_CRASH_FD = 201,
    WIRE_PHASE_AT = 1 << 16
};

/*
 * halfulp-worker --api opencl|vulkan|ocloc|library [--loader PATH] [--device SUBSTRING] [--list]
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

/*
 * halfulp-worker --guard [--env NAME=VALUE]... WORD...
 *
 * For a launcher that leaves this machine: fuzz/wire/guard.h runs the worker with these words, each of them
 * quoted, and passes on what it says.
 */

/* How a worker ended, as its guard saw it. */
struct wire_end {
    int signal;             /* it died of, 0 for none */
    int exit_status;        /* where signal is 0 */
    uint32_t n_taken;       /* messages of which it read any byte */
    const char *crash_line; /* as it is in the file of --crash-fd; "" if none */
    uint32_t phase; /* the byte of that file; 0 too where the guard is one that tells none */
};
/* NULL: the arena is full. */
const unsigned char *wire_encode_end(const struct wire_end *end, struct arena *a, size_t *n);
/* Inverse, crash_line in `a`; any bytes are safe. */
MUST_USE enum res wire_decode_end(struct wire_end *end, struct arena *a, const void *p, size_t n,
                                  struct err *e);

/* A word that a shell on the way leaves as it is: of other characters than letters, digits and @%+=:,./_- each
 * becomes %XX, and so does %. In `a`; unquote works in place. */
const char *wire_quote_word(const char *word, struct arena *a);
void wire_unquote_word(char *word);

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
