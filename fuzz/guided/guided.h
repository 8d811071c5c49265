/* fuzz/guided/guided.h -- one execution of a guided campaign: an input, a run on the target, a verdict, a map. */
#pragma once

#include "fuzz/campaign/feature_case.h"
#include "fuzz/targets/targets.h"
#include "oracle/feature/feature.h"

/*
 * The map of an execution, behind the edges of an instrumented driver. A cell is 0 or 1.
 *   [0, FEATURE_CELLS)         what the judged run showed: oracle/feature/feature.h
 *   [.., + FEATURE_CASE_CELLS) what the case is made of: fuzz/campaign/feature_case.h
 *   [.., + GUIDED_SIGNATURES)  findings, by the hash of their signature
 *   [.., + GUIDED_STATES)      what became of the input: enum guided_state counted from the end
 */
enum {
    GUIDED_STATES = 16,
    GUIDED_SIGNATURES = 4096 - GUIDED_STATES,
    GUIDED_CELLS = FEATURE_CELLS + FEATURE_CASE_CELLS + GUIDED_SIGNATURES + GUIDED_STATES,
    GUIDED_EDGES_STEP = 64 /* the number of edges is rounded up to a multiple of it */
};
enum guided_state {
    GUIDED_JUDGED = 1, /* the last cell of the map */
    GUIDED_SKIPPED,    /* needs not met */
    GUIDED_BAD,        /* not a tape of this generator */
    GUIDED_TROUBLE,    /* of the harness */
    GUIDED_BUILT       /* built without trouble and not dispatched */
};

struct guided_options {
    const struct target *target;
    const char *folder; /* of the campaign, its journal is there */
    uint32_t instance;  /* 0 to GUIDED_MAX_INSTANCES - 1: whose executions these are */
    int unadvertised;   /* run also what the driver does not list */
    /* Of an instrumented driver: its cells of the map, which its worker writes, and how many; 0: none. They
     * are cleared when a case is sent, so that no start of a worker and no case of ours is in them. */
    unsigned char *edges;
    uint32_t n_edges;
};
/*
 * With such a driver most executions only build: the code that is counted is nearly all in the way from
 * SPIR-V to the driver's own form, and to make machine code of that takes far longer. A case is dispatched as
 * well when its build reached an edge that no execution of the campaign had, and in one of so many by its
 * tape.
 */
enum {
    GUIDED_DISPATCH_IN = 8
};
enum {
    GUIDED_MAX_INSTANCES = 16
};

/* Where an instance keeps its tally; in the arena. */
const char *guided_tally_path(const char *folder, uint32_t instance, struct arena *a);

struct guided;
/* Open the journal and the tally; no worker is started yet. Not before a fork. Borrows options. */
MUST_USE enum res guided_open(struct guided **out, const struct guided_options *o, struct err *e);
/* Ends the worker. NULL is fine. */
void guided_close(struct guided *g);
/*
 * One execution. map: GUIDED_CELLS bytes, all 0. *is_new: a violation was found whose signature the
 * journal did not have; it has it now, and it is on disk. Not said of a seed of the campaign, as AFL++
 * leaves a seed out that ends its program.
 * An input that comes again at once, as AFL++ runs what is new to it twice more, is answered from its last
 * maps, without a run and uncounted, unless something was found.
 * A driver's crash or hang, in a build alone as well, is a finding, an input that is no tape is a cell.
 * RES_IO: the worker does not start, again and again; any other: the journal or the memory.
 */
MUST_USE enum res guided_execute(struct guided *g, const void *input, size_t n, unsigned char *map,
                                 int *is_new, struct err *e);
