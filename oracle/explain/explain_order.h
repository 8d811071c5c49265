/* oracle/explain/explain_order.h -- the order of a location's atomics on a device that is taken to have a fault. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_atomic.h"
#include "oracle/modorder/mo.h"

/* An order that explains all that was seen, if the fault acts at some of the events. */
struct explain_order {
    bool is_found, is_proven; /* proven: no budget ran out */
    uint32_t n_taken;         /* events at which it acts */
    uint32_t n_kept;          /* at which it would change something, and does not */
    uint32_t n_free;          /* bits that it leaves open, where nobody saw anything but the end */
};
/* site: [p->n_events] of those that the fault may change, with the operand but without what the search finds out: what
 * the location held; NULL for others. First it is taken to act wherever it can, then here and there. RES_NOMEM: the arena is
 * full. */
MUST_USE enum res explain_order_find(enum fault_id fault, const struct mo_problem *p,
                                     struct fault_site *const *site, struct arena *a,
                                     struct explain_order *out, struct err *e);
/* All happened as it must. At how many events would the fault have changed something? Of those whose original nobody saw it
 * is told at most that there is one. */
MUST_USE enum res explain_order_count(enum fault_id fault, const struct mo_problem *p,
                                      struct fault_site *const *site, struct arena *a,
                                      uint32_t *out, struct err *e);
