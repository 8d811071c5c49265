/* oracle/modorder/mo_blame.h -- what is wrong where no order explains the originals: a verdict, its clause, and the suspects.
 *
 * Computed from the graph. Exactly one broken step: the two events at it, and how the value differs. Else one mistake that a
 * device may make each time (a minimum for a maximum, sums that are truncated ...), if an order exists under that mistake.
 * Else all broken vertices. */
#pragma once

#include "oracle/modorder/mo_graph.h"
#include "oracle/modorder/mo_sum.h"

/* Fills in kind, clause, suspects, values and text: from the graph; from the final value. */
MUST_USE enum res mo_blame(const struct mo_job *j, const struct mo_graph *g, struct mo_answer *out,
                           struct err *e);
void mo_blame_sum(const struct mo_job *j, const struct mo_sum *s, struct mo_answer *out);
