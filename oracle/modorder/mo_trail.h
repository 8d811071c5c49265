/* oracle/modorder/mo_trail.h -- an order from items: sequences of events whose inner order is forced.
 *
 * Where one edge of the graph arrives at a vertex and one leaves it, one must follow the other, so the two become one
 * item. What remains is searched by a few attempts that learn from each other, within a budget that is linear in n.
 * An order that is found is checked in full by the rules; no order found proves nothing. */
#pragma once

#include "oracle/modorder/mo_graph.h"

MUST_USE enum res mo_trail(const struct mo_job *j, const struct mo_graph *g,
                           const uint8_t *last_way, struct mo_order *o, struct err *e);
