/* fuzz/guided/guided_parts.h -- what the files of guided share and nobody else needs. */
#pragma once

#include "fuzz/guided/edges.h"
#include "fuzz/guided/guided.h"
#include "fuzz/pool/slot.h"
#include "fuzz/campaign/tally.h"

/* The run under way, and the one before it, which is not yet certain. */
enum {
    GUIDED_RUNS = 2
};
/* The one worker, and the runs that it may hold. */
struct guided_worker {
    struct slot slot;
    struct run runs[GUIDED_RUNS];
    enum run_status judged[GUIDED_RUNS]; /* status with which each was judged */
    struct run canary;
    const char *facts; /* of the first hello, "" before; in the arena of guided */
    uint32_t n_since_canary, n_lost, n_bad_row;
    int had_good_canary, has_no_canary, wants_canary;
};

/* The last input and its maps: AFL++ runs what is new to it twice more, which would show the same. */
struct guided_last {
    uint64_t hash;
    size_t n;
    int is_there;
    unsigned char *map, *edges; /* GUIDED_CELLS, n_edges */
};

struct guided {
    struct arena arena;
    const struct guided_options *options;
    struct journal *journal;
    struct tally *tally;
    struct edges edges;
    int64_t target_id;
    uint64_t flush_ns;
    uint32_t n_trouble_row;
    uint64_t cpu_self_ns; /* told to the tally so far */
    struct guided_worker worker;
    struct guided_last last;
};

/* Something that is not the driver's fault: counted, kept as the last message, on standard error. */
void guided_tell_trouble(struct guided *g, const char *what, const char *text);
/* A run that the last one left open turned out otherwise: into the journal under its own tape. */
MUST_USE enum res guided_put_late(struct guided *g, struct run *r, struct err *e);

/* fuzz/guided/guided_worker.c. A run that the worker does not hold, its arena empty. */
struct run *guided_worker_take(struct guided *g);
/* Start the worker if there is none, so that facts are there. RES_IO: it does not start. */
MUST_USE enum res guided_worker_need(struct guided *g, struct err *e);
/* The case of r to its observation. */
MUST_USE enum res guided_worker_run(struct guided *g, struct run *r, struct err *e);
/* Kill it. */
void guided_worker_end(struct guided *g);
