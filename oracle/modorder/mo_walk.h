/* oracle/modorder/mo_walk.h -- one try, without turning back, at a full order that keeps program order. */
#pragma once

#include "oracle/modorder/mo_graph.h"

MUST_USE enum res mo_walk(const struct mo_job *j, const struct mo_graph *g, struct mo_order *o,
                          struct err *e);
