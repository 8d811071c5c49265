/* oracle/explain/explain_order.h -- an order of a location's atomics on a device that is taken to have a fault.
 *
 * Like oracle/modorder, with events that the fault may change. Methods, in this order: the problem with what the
 * fault does in place of the operations, given to mo_check; a depth-first search within a budget, where the fault
 * acts wherever it can, then here and there; random orders, where only the final value was observed. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_atomic.h"
#include "oracle/modorder/mo.h"

/* Was an order found that explains all observed values, with the fault acting at some events? */
struct explain_order {
    bool is_found, is_proven; /* proven: no budget was spent */
    uint32_t n_taken;         /* events at which the fault acts */
    uint32_t n_kept;          /* events at which it would change something, and does not act */
    uint32_t n_free;          /* undetermined bits, where only the final value was observed */
};
/* Searches an order. site: [p->n_events] the sites of events that the fault may change, with their operands; NULL for
 * other events. RES_NOMEM: the arena is full. */
MUST_USE enum res explain_order_find(enum fault_id fault, const struct mo_problem *p,
                                     struct fault_site *const *site, struct arena *a,
                                     struct explain_order *out, struct err *e);
/* An order without the fault exists. Counts into *out the events at which the fault would have changed something; of
 * the events whose original was not observed at most one. */
MUST_USE enum res explain_order_count(enum fault_id fault, const struct mo_problem *p,
                                      struct fault_site *const *site, struct arena *a,
                                      uint32_t *out, struct err *e);
