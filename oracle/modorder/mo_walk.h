/* oracle/modorder/mo_walk.h -- one attempt at a full order that keeps program order and phases, without backtracking.
 *
 * Computed from the graph by Hierholzer's condition: each vertex is left for the last time by an edge of a tree that
 * leads to the end, so that the walk does not end early; where program order contradicts that, the walk fails. O(n
 * log n). An order that is found is valid; a failed walk proves nothing. */
#pragma once

#include "oracle/modorder/mo_graph.h"

MUST_USE enum res mo_walk(const struct mo_job *j, const struct mo_graph *g, struct mo_order *o,
                          struct err *e);
