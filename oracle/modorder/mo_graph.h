/* oracle/modorder/mo_graph.h -- the multigraph of a location: a vertex is a value, an edge is an event, from the
 * value that it sees (tail) to the value that it leaves (head).
 *
 * An order of all events is an Euler path. By Euler's theorem a path exists if each value is left as often as it is
 * seen (initial and final value counted) and the edges are connected. Events that may leave one of several values
 * choose by a maximum bipartite matching. Time: O(n) without choices; the matching looks at MATCH_WORK edges at most.
 * Program order and phases are left to the later stages. */
#pragma once

#include "oracle/modorder/mo_job.h"

enum graph_answer {
    GRAPH_EXISTS, /* proven: a path exists, without regard to program order and phases */
    GRAPH_NONE,   /* proven: no path exists */
    GRAPH_MAYBE   /* the necessary conditions hold */
};
struct mo_graph {
    enum graph_answer answer;
    struct mo_numbering vertices; /* of values that were seen */
    uint32_t n_vertices;
    const uint64_t *value; /* of each vertex */
    uint32_t *tail, *head; /* per event: vertex of the value seen, and left, or MO_NONE */
    uint8_t *
        is_multi; /* per event: it may leave several values; `head` is the choice of the matching */
    int32_t *need;       /* per vertex: times it was seen less times it was left */
    uint32_t start, end; /* vertices of the initial and the final value, or MO_NONE */
    uint32_t n_lost;     /* values that were left and that nothing sees */
    bool has_flushed;    /* a zero that was seen may be a flushed subnormal */
    uint32_t stray;      /* an event of a part that is not connected with the rest, or MO_NONE */
};
MUST_USE enum res mo_graph_make(const struct mo_job *j, struct mo_graph *g, struct err *e);
/* The vertex of a value, or MO_NONE. */
static inline uint32_t mo_graph_find(const struct mo_graph *g, uint64_t bits)
{
    return mo_numbering_find(&g->vertices, bits);
}
static inline uint32_t mo_graph_find_state(const struct mo_graph *g, struct mo_state s)
{
    return s.kind == STATE_VALUE ? mo_graph_find(g, s.bits) : MO_NONE;
}
