/* oracle/modorder/mo_search.h -- depth-first search for an order, within a budget of events looked at.
 *
 * Positions that failed are remembered by a hash, interchangeable events are tried once, and positions whose degrees
 * rule out the rest are cut. Finding an order, or searching all positions without a cut, is a proof; a spent budget
 * is no answer. Exponential in the worst case, hence the budget. */
#pragma once

#include "oracle/modorder/mo_dfs.h"
#include "oracle/modorder/mo_graph.h"

enum search_keeps {
    KEEPS_ALL, /* program order and phases */
    KEEPS_PROGRAM_ORDER,
    KEEPS_NOTHING
};
struct search_limits {
    enum search_keeps keeps;
    int64_t work;            /* the budget: events looked at */
    bool is_quick;           /* leaves out what only pays in a long search, and takes the matching's
                              * choices: proves nothing but an order that it finds */
    const uint8_t *last_way; /* per event: of the walk (struct mo_order), or NULL */
};
/* Searches for an order, into *answer and, if found, *o. RES_NOMEM: the arena is full. */
MUST_USE enum res mo_search(const struct mo_job *j, const struct mo_graph *g,
                            const struct search_limits *lim, enum search_answer *answer,
                            struct mo_order *o, struct err *e);
