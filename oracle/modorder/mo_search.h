/* oracle/modorder/mo_search.h -- exhaustive search for an order, within a budget. */
#pragma once

#include "oracle/modorder/mo_dfs.h"
#include "oracle/modorder/mo_graph.h"

enum search_keeps {
    KEEPS_ALL,
    KEEPS_PROGRAM_ORDER,
    KEEPS_NOTHING
};
struct search_limits {
    enum search_keeps keeps;
    int64_t work;            /* events looked at before it gives up */
    bool is_quick;           /* leave out what is only worth it in a long search, and leave what
                              * the matching chose where there is a choice: proves nothing */
    const uint8_t *last_way; /* of a walk, or NULL */
};
MUST_USE enum res mo_search(const struct mo_job *j, const struct mo_graph *g,
                            const struct search_limits *lim, enum search_answer *answer,
                            struct mo_order *o, struct err *e);
