/* oracle/modorder/mo_graph.h -- the multigraph of edges from the value seen to the value left: degrees and
 * connection. */
#pragma once

#include "oracle/modorder/mo_job.h"

enum graph_answer {
    GRAPH_EXISTS, /* a trail exists; program order and phases not considered */
    GRAPH_NONE,   /* no trail exists: proven */
    GRAPH_MAYBE   /* the necessary conditions hold */
};
struct mo_graph {
    enum graph_answer answer;
    struct mo_numbering vertices; /* of values that were seen */
    uint32_t n_vertices;
    const uint64_t *value; /* of each vertex */
    uint32_t *tail, *head; /* per event: vertex of the value seen, and left, or MO_NONE */
    uint8_t *is_multi;     /* per event: several heads; `head` is the matching's choice */
    int32_t *need;         /* per vertex: how often it was seen less how often it was left */
    uint32_t start, end;   /* vertices of initial and final, or MO_NONE */
    uint32_t n_lost;       /* values left that nothing ever sees */
    bool has_flushed;      /* a zero that was seen may have been a subnormal */
    uint32_t stray;        /* an event of a part that cannot be reached, or MO_NONE */
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
