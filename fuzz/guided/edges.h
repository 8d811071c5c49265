/* fuzz/guided/edges.h -- which edges of an instrumented driver a campaign has reached, and when.
 *
 * All processes of a campaign share CAMPAIGN/edges.map, a mapped file of this machine's byte order,
 * and append rows to CAMPAIGN/coverage.tsv, whose columns are
 *   seconds     since the campaign's first execution, by the clock
 *   cpu         seconds of processor time of afl-fuzz, the programs that judge and their workers
 *   executions  by all processes
 *   edges       reached by any of them
 */
#pragma once

#include <sys/types.h>

#include "base/base.h"

enum {
    EDGES_INSTANCES = 16 /* of afl-fuzz on one campaign */
};

struct edges_file;

/* One process's door; zeroed = closed. */
struct edges {
    struct edges_file *file; /* NULL: nothing is counted */
    uint32_t n_edges, instance;
    int log;
    pid_t fuzzer, server; /* afl-fuzz and its fork server, 0 where there is none */
    uint64_t measured_ns; /* when the CPU time was last read */
};

/*
 * Count edges for the campaign in `folder`, which exists; n_edges 0: count nothing. One process at a
 * time is instance number `instance` of the campaign, < EDGES_INSTANCES. RES_IO: a file could not be
 * made.
 * RES_FORMAT: the campaign's file is of a driver with another number of edges.
 */
MUST_USE enum res edges_open(struct edges *g, const char *folder, uint32_t n_edges,
                             uint32_t instance, struct err *e);
/* Count the edges of map[0, n_edges) as reached: how many no execution of the campaign had reached
 * before. That is no execution of its own, but the first part of one. */
uint32_t edges_mark(struct edges *g, const unsigned char *map);
/*
 * After an execution, whose cells are map[0, n_edges): what the worker did before the case, as on its
 * start, must have been cleared. worker: its process, 0 for none, whose CPU time counts. Returns what
 * edges_mark did. Writes a row at most once a second: when the number rose, and every ten seconds
 * without.
 */
uint32_t edges_note(struct edges *g, const unsigned char *map, pid_t worker);
/* With a last row, unless nothing happened since the one before. */
void edges_close(struct edges *g);
