/* fuzz/pool/handle.h -- one worker of a target, started anew when it ends: start, submit, and runs that are certain. */
#pragma once

#include <poll.h>
#include <stdbool.h>

#include "fuzz/execute/executor.h"
#include "fuzz/process/child.h"
#include "fuzz/targets/targets.h"
#include "fuzz/wire/stream.h"
#include "gen/case/gen.h"

/* One case is judged at a time: with what the rest takes this keeps the process below 500 MiB. A case
 * that needs more is inconclusive. */
#define HANDLE_RUN_BYTES ((size_t)384 << 20)

/* A case on its way. Everything of it is in its arena. */
struct run {
    struct arena arena;
    uint64_t index;
    int64_t run_id;    /* of the journal */
    int is_build_only; /* the worker is asked to build it and to dispatch nothing */
    const unsigned char *tape;
    size_t n_tape;
    struct testcase tc;
    struct gen_info info; /* what the case holds */
    /* Where only its build counts: for gen_fill, as long as its buffers hold zeros. */
    const struct build *unfilled;
    struct observation ob;
};

enum handle_state {
    HANDLE_DOWN,      /* no process */
    HANDLE_STARTING,  /* no hello yet */
    HANDLE_IDLE,      /* takes a case, or a stream */
    HANDLE_BUSY,      /* a case is in flight */
    HANDLE_EXECUTING, /* it is built, and an executor runs what was built */
    HANDLE_STREAMING, /* messages of a stream are in flight */
    HANDLE_CLOSING,   /* told to end */
    HANDLE_ENDING     /* its output ended by itself between two cases: to be gone soon */
};
enum {
    HANDLE_RUNS = 3,       /* the held one, the one in flight, and one that is being prepared */
    HANDLE_MAX_BLOCKS = 2, /* of a stream in flight: one runs, one waits */
    HANDLE_MAX_LOST = 3,   /* starts in a row without a hello: to be given up */
    /* Connections that were lost in a row, none with an answer: the case in flight is given up, as nobody knows whose
     * fault it is; */
    HANDLE_MAX_CUT = 3,
    HANDLE_MAX_CUT_IN_ALL = 6 /* the target: n_lost is then HANDLE_MAX_LOST */
};

/*
 * A reply is not yet the end of its run: the driver may still crash in the worker. A run is certain
 * when the worker answers the next one or exits cleanly; until then it is held. Where the connection to a worker on
 * another machine is lost, the held run stays as it was answered, and the one in flight is run again.
 */
struct worker_handle {
    const struct target *target;
    struct child child;
    struct executor executor; /* of a target whose values are those of its final NIR */
    enum handle_state state;
    uint64_t deadline_ns;   /* of what it is doing; for handle_extend: */
    uint64_t limit_ns;      /* how long that may take, 0 for streams, */
    uint64_t stalled_ns;    /* and child_get_stalled_ns when it began, or HANDLE_LOOK_NS before, */
    uint64_t looked_ns;     /* at this time */
    uint64_t n_logged;      /* child_get_log_since, when the run in flight was submitted */
    uint32_t n_since_start; /* cases that this process answered */
    uint32_t n_lost;        /* starts without a hello since the last hello */
    bool is_over;           /* its output ended, its process is there */
    struct arena arena;     /* of this process: facts, messages of a stream */
    const char *facts;      /* "" before the first hello, and from the first stream on */
    uint32_t n_cut;         /* connections lost since the last answer */
    struct run *flight;     /* submitted; in HANDLE_DOWN: to be submitted again, the process died of
                              * an earlier one before it took this, or the connection was lost */
    struct run *held;
    struct run *done[2]; /* certain, oldest first: to be taken by handle_take_done */
    uint32_t n_done;
    struct run runs[HANDLE_RUNS]; /* room for those of handle_take_run */
    bool is_used[HANDLE_RUNS];
    int memory_fd;         /* of streams; 0: a worker for cases */
    uint32_t n_unanswered; /* messages of a stream */
    unsigned char block[HANDLE_MAX_BLOCKS][STREAM_BLOCK_BYTES];
    struct stream_status status;
    char message[512];  /* why HANDLE_EVENT_LOST */
    bool was_signalled; /* then too: a signal ended it, which may have come from elsewhere */
};

enum handle_event {
    HANDLE_EVENT_NONE,
    HANDLE_EVENT_HELLO,  /* facts are there */
    HANDLE_EVENT_REPLY,  /* idle again, or down after trouble; look at n_done */
    HANDLE_EVENT_STATUS, /* `status` answers the oldest message of a stream */
    HANDLE_EVENT_ENDED,  /* down after handle_close; look at n_done */
    HANDLE_EVENT_LOST    /* down without a hello, in a stream, or cut too often; message says why */
};

/* When a run of that deadline is late. The time for which some process of the machine waited for a
 * CPU does not count: a loaded machine is no hang. At most HANDLE_STALLED_LIMITS further limits. */
enum {
    HANDLE_STALLED_LIMITS = 3
};
uint64_t handle_extend(uint64_t deadline_ns, uint64_t limit_ns, uint64_t stalled_ns);
/* Time limit of a run, in nanoseconds. A case that is executed has the target's deadline. A case that is only built has half a
 * deadline, plus half a deadline for each HANDLE_USUAL_WORDS words of its module, and at most HANDLE_LONGEST_BUILD deadlines. So a
 * small module that hangs the compiler costs little. */
enum {
    HANDLE_USUAL_WORDS = 2048, /* of a generated module */
    HANDLE_LONGEST_BUILD = 4
};
uint64_t handle_get_limit(const struct target *t, uint32_t n_words, bool is_built_only);

void handle_init(struct worker_handle *s, const struct target *t);
/* For streams instead of cases. memory_fd: their memory, which the worker inherits. */
void handle_init_streams(struct worker_handle *s, const struct target *t, int memory_fd);
/* From HANDLE_DOWN with nothing in `done`. RES_IO: no process could be made. */
MUST_USE enum res handle_start(struct worker_handle *s, struct err *e);
/* The same, waiting for the hello. RES_IO: it does not start, and why. */
MUST_USE enum res handle_start_and_wait(struct worker_handle *s, struct err *e);
/* In HANDLE_IDLE. RES_NOMEM: the case does not fit its arena. The run stays with the handle until
 * handle_take_done gives it back. */
MUST_USE enum res handle_submit(struct worker_handle *s, struct run *r, struct err *e);
/* Look once, without waiting. */
enum handle_event handle_poll(struct worker_handle *s);
/* The same, waiting until there is an event; not in HANDLE_DOWN. */
enum handle_event handle_wait(struct worker_handle *s);
/* Oldest certain run, or NULL. */
struct run *handle_take_done(struct worker_handle *s);
void handle_drop_done(
    struct worker_handle *s); /* take all, and put back those of handle_take_run */
/* In HANDLE_IDLE: let the process end; HANDLE_EVENT_ENDED follows. */
void handle_close(struct worker_handle *s);
/* Kill whatever runs. A held run is certain; the one in flight is given back without a verdict
 * (NULL when there was none). Down afterwards. */
struct run *handle_kill(struct worker_handle *s);
/* Kill whatever runs, and free the memory of all runs. */
void handle_free(struct worker_handle *s);

/* Room for a run, its arena empty; NULL: all are in use. It is put back when nothing of it is needed any
 * more; a run of the caller's own is left alone. */
struct run *handle_take_run(struct worker_handle *s);
void handle_put_back(struct worker_handle *s, struct run *r);

/* In HANDLE_IDLE: open a stream. Its answer is the first HANDLE_EVENT_STATUS. */
MUST_USE enum res handle_open_stream(struct worker_handle *s, const struct stream *stream,
                                     struct err *e);
/* May another block be sent? */
bool handle_has_room(const struct worker_handle *s);
void handle_send_block(struct worker_handle *s, const struct stream_block *b);

/* Workers of one or several targets, and descriptors to read from, that are waited for together. */
struct handle_set {
    uint32_t n_handles, n_watched;
    struct worker_handle **handles;
    struct pollfd *fds; /* the watched ones first */
};
/* For at most so many of each, in `a`. */
MUST_USE enum res handle_set_init(struct handle_set *set, uint32_t max_handles, uint32_t max_fds,
                                  struct arena *a, struct err *e);
void handle_set_add(struct handle_set *set, struct worker_handle *s);
void handle_set_watch(struct handle_set *set, int fd);
/* Until one of them has something to say, or max_ms have passed. */
MUST_USE enum res handle_set_wait(struct handle_set *set, int max_ms, struct err *e);

/* Run one case on a fresh worker and wait for its end: for check, canaries and tests. `ob` and facts
 * in r->arena. RES_IO: the target does not start, and why. */
MUST_USE enum res handle_run_once(const struct target *t, struct run *r, struct err *e);
/* Only the facts of the target, in `a`. */
MUST_USE enum res handle_get_facts(const struct target *t, struct arena *a, const char **facts,
                                   struct err *e);
/*
 * How many cells of AFL++'s coverage map a target's driver uses, [0, n_edges): what its worker says of
 * itself, which is started for it; 0 for a driver without instrumentation and for sim. RES_IO: it does
 * not start.
 */
MUST_USE enum res handle_get_edges(const struct target *t, uint32_t *n_edges, struct err *e);
