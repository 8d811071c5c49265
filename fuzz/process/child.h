/* fuzz/process/child.h -- one worker process: start, talk without waiting, kill, and what its end means. */
#pragma once

#include <sys/types.h>

#include "base/testcase.h"
#include "fuzz/process/child_folder.h"
#include "fuzz/wire/wire.h"

enum {
    CHILD_LOG_BYTES = 8192,
    CHILD_LINE_BYTES = 4096, /* of a crash */
    CHILD_MAX_ARGS = 128,
    CHILD_MAX_ENV = 48
};

/* A worker that runs code of others, or a program of ours that only reads and writes where it is told. */
enum child_trust {
    CHILD_CONFINED, /* an environment of what it may need, limits, its own folder to stand in */
    CHILD_FREE      /* all as it is here: what leaves this machine, and programs of our own */
};

/* How to start one: everything is borrowed for the call. */
struct child_spec {
    const char *const *argv; /* launcher, worker and its words, NULL at the end; in each, "{own}"
                              * stands for the process's own folder, "{tmp}" for the same as the
                              * worker sees it */
    const char *const *env;  /* "K=V" over the inherited environment, NULL at the end; likewise */
    const char *inner_tmp;   /* where the own folder is seen by the worker; NULL: where it is */
    int is_launched;         /* argv begins with a launcher, which tells a death by signal n as
                              * exit status 128 + n */
    int is_guarded; /* argv begins with a launcher that leaves this machine, then the worker as a guard
                              * (fuzz/wire/guard.h): where that does not tell an end, the connection was lost */
    enum child_trust trust;
    int is_instrumented; /* with AFL++'s runtime and perhaps a sanitizer's: it needs their variables, and
                          * more address space than there is memory */
    int is_sandboxed; /* argv begins with bwrap and has the variables LD_* for what follows: bwrap itself
                          * is started without them */
    uint64_t file_bytes; /* of the largest file that it may write; 0: CONFINE_FILE_BYTES */
    int memory_fd;       /* inherited under its number; 0: none */
};

/* A worker; zeroed = none. One per slot, reused for the next process. */
struct child {
    pid_t pid; /* 0 = none */
    int to, from, error;
    int crash;                   /* the file that is the worker's WIRE_CRASH_FD */
    char folder[CHILD_MAX_PATH]; /* its own, HOME and TMPDIR, removed with it */
    const unsigned char *out;    /* message going out, borrowed */
    size_t n_out, out_pos, head_out_pos;
    int is_sending, is_launched, is_guarded;
    uint32_t n_sent;   /* messages */
    uint64_t heard_ns; /* when anything came of it last */
    int has_told;      /* its guard told how the worker ended: */
    struct wire_end told;
    char told_line[CHILD_LINE_BYTES];
    unsigned char head_out[WIRE_HEADER_BYTES];
    unsigned char head_in[WIRE_HEADER_BYTES];
    size_t head_in_n;
    enum wire_kind kind; /* of the message coming in */
    unsigned char *in;
    size_t n_in, in_pos;
    int is_closed; /* its output ended */
    int has_error; /* it said WIRE_ERROR: error_text */
    char error_text[512];
    int has_ended;
    int wait_status;
    enum child_trust trust;
    uint32_t n_tasks;              /* of the machine at its start */
    uint64_t counted_ns;           /* when its processes were counted last */
    int is_swarm;                  /* they were too many */
    char log[CHILD_LOG_BYTES + 1]; /* the end of its standard error, as a string */
    size_t n_log;
    uint64_t n_logged; /* bytes of it so far, with those that are no longer there */
};

enum child_event {
    CHILD_NOTHING,
    CHILD_MESSAGE, /* kind, in, n_in: valid until the arena is reset */
    CHILD_GONE,    /* no further message will come; child_finish tells why */
    CHILD_BROKEN   /* what it sent is not the protocol, or does not fit: to be killed */
};

/* A guard that is silent for so long is behind a connection that is no more. */
#define CHILD_SILENCE_NS UINT64_C(5000000000)
/* Time by which a closing worker must be gone. */
#define CHILD_GRACE_NS UINT64_C(10000000000)

/* A pipe that no program started later has, above the three standard descriptors, so that dup2 in a child
 * never meets its own source. 0: none, see errno. */
int child_make_pipe(int pair[2]);
/* RES_IO: no process could be made (a missing program shows as CHILD_GONE). */
MUST_USE enum res child_start(struct child *c, const struct child_spec *spec, struct err *e);
/* Send, as far as the pipe takes it now; child_pump does the rest. p stays valid until the next child_send or
 * the end. */
void child_send(struct child *c, enum wire_kind kind, const void *p, size_t n);
/* Move bytes both ways without waiting. The payload of a message goes into `a`. */
enum child_event child_pump(struct child *c, struct arena *a);
/* Does it want to write (for poll)? */
int child_has_output(const struct child *c);
/* Is all that was sent of the last message still in the pipe? Then the process has not seen it; a guard tells it of its
 * worker. */
int child_took_nothing(const struct child *c);
/* Say that no case will come; child_pump then leads to CHILD_GONE. */
void child_close_input(struct child *c);
/* What came on its standard error since it was `n_logged`, as far as it is kept; valid until the next call. */
const char *child_get_log_since(struct child *c, uint64_t n_logged);
/* Kill it if it has not ended by itself, and all processes that it started; reap it, empty its log, remove
 * its folder. crash_line: the pass that the driver said it ran, of an abort the reason that it told, and the top frames
 * that a dying worker wrote (oracle/cause/crash_words.h); "" if none. Afterwards the child is none. */
struct child_end {
    int was_killed;  /* it had not ended by itself */
    int is_swarm;    /* for it had too many processes */
    int is_lost;     /* its guard did not tell an end: nothing is known of the driver */
    int signal;      /* it died of, 0 for none */
    int exit_status; /* where signal is 0 */
    const char *log, *crash_line; /* in the arena */
    bool has_phase;               /* the worker has said what it is at: */
    enum run_phase phase;
};
void child_finish(struct child *c, uint64_t grace_ns, struct arena *a, struct child_end *out);
/* Is a message of it on its way here, by bytes that have come but were not read in the last step? */
int child_is_reading(const struct child *c);
/* Has the process ended (also when something of its group keeps its output open)? */
int child_has_ended(struct child *c);
/* What an end with a case in flight, or right after its reply, means for that case. is_late: the
 * deadline passed. */
void child_observe_end(const struct child_end *end, int is_late, int has_error,
                       const char *error_text, struct observation *ob);

/* What a command printed, and how it ended. */
struct child_output {
    struct bytes bytes; /* in the arena */
    struct child_end end;
    bool is_late; /* by its deadline */
};
/* Run a command to its end, give it n_in bytes to read and take all that it prints. RES_IO: it cannot start; RES_NOMEM. */
MUST_USE enum res child_convert(const struct child_spec *spec, const void *in, size_t n_in,
                                uint64_t deadline_ns, struct arena *a, struct child_output *out,
                                struct err *e);
/* Run a command to its end and take all that it prints. RES_IO: it cannot start, does not end in
 * time or before child_is_asked_to_stop, or fails; the text is then the end of its standard error. */
MUST_USE enum res child_read_all(const struct child_spec *spec, uint64_t deadline_ns,
                                 struct arena *a, const char **text, struct err *e);
