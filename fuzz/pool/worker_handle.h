/* fuzz/pool/worker_handle.h -- one place for a worker of a target: start, submit, and runs that are certain. */
#pragma once

#include <stdbool.h>

#include "fuzz/process/child.h"
#include "fuzz/targets/targets.h"
#include "gen/plan/gen.h"

/* A case on its way. Everything of it is in its arena. */
struct run {
    struct arena arena;
    uint64_t index;
    int64_t run_id; /* of the journal */
    int is_canary;
    int is_build_only; /* the worker is asked to build it and to dispatch nothing */
    const unsigned char *tape;
    size_t n_tape;
    struct testcase tc;
    struct gen_info info; /* what the case holds */
    struct observation ob;
};

enum handle_state {
    HANDLE_DOWN,     /* no process */
    HANDLE_STARTING, /* no hello yet */
    HANDLE_IDLE,     /* takes a case */
    HANDLE_BUSY,     /* a case is in flight */
    HANDLE_CLOSING,  /* told to end */
    HANDLE_ENDING    /* its output ended by itself between two cases: to be gone soon */
};

/*
 * A reply is not yet the end of its run: the driver may still crash in the worker. A run is certain
 * when the worker answers the next one or exits cleanly; until then it is held.
 */
struct worker_handle {
    const struct target *target;
    struct child child;
    enum handle_state state;
    uint64_t limit_ns, deadline_ns; /* limit: how long it may take; */
    uint64_t stalled_ns;            /* child_get_stalled_ns when that began */
    uint32_t n_since_start;         /* cases that this process answered */
    int is_over;                    /* its output ended, its process is there */
    struct arena arena;             /* of this process: facts */
    const char *facts;              /* "" before the first hello */
    struct run *flight; /* submitted; in HANDLE_DOWN: to be submitted again, the process died of
                              * an earlier one before it took this */
    struct run *held;
    struct run *done[2]; /* certain, oldest first: to be taken by handle_take_done */
    uint32_t n_done;
    char message[512];  /* why HANDLE_EVENT_LOST */
    bool was_signalled; /* then too: a signal ended it, which may have come from elsewhere */
};

enum handle_event {
    HANDLE_EVENT_NONE,
    HANDLE_EVENT_HELLO, /* facts are there */
    HANDLE_EVENT_REPLY, /* idle again, or down after trouble; look at n_done */
    HANDLE_EVENT_ENDED, /* down after handle_close; look at n_done */
    HANDLE_EVENT_LOST   /* down without a hello; message says why */
};

/* When a run of that deadline is late. The time for which some process of the machine waited for a
 * CPU does not count: a loaded machine is no hang. At most HANDLE_STALLED_LIMITS further limits. */
enum {
    HANDLE_STALLED_LIMITS = 3
};
uint64_t handle_extend(uint64_t deadline_ns, uint64_t limit_ns, uint64_t stalled_ns);

void handle_init(struct worker_handle *s, const struct target *t);
/* From HANDLE_DOWN with nothing in `done`. RES_IO: no process could be made. */
MUST_USE enum res handle_start(struct worker_handle *s, uint64_t now_ns, struct err *e);
/* In HANDLE_IDLE. RES_NOMEM: the case does not fit its arena. The run stays with the slot until
 * handle_take_done gives it back. */
MUST_USE enum res handle_submit(struct worker_handle *s, struct run *r, uint64_t now_ns,
                                struct err *e);
/* Look once, without waiting. */
enum handle_event handle_poll(struct worker_handle *s, uint64_t now_ns);
/* The same, waiting until there is an event; not in HANDLE_DOWN. */
enum handle_event handle_wait(struct worker_handle *s);
/* Oldest certain run, or NULL. */
struct run *handle_take_done(struct worker_handle *s);
/* In HANDLE_IDLE: let the process end; HANDLE_EVENT_ENDED follows. */
void handle_close(struct worker_handle *s, uint64_t now_ns);
/* Kill whatever runs. A held run is certain; the one in flight is given back without a verdict
 * (NULL when there was none). Down afterwards. */
struct run *handle_kill(struct worker_handle *s);
/* After handle_kill or in HANDLE_DOWN. */
void handle_free(struct worker_handle *s);

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
