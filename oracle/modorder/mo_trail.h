/* oracle/modorder/mo_trail.h -- pieces whose inner order is forced, and an order of them: found, or nothing said. */
#pragma once

#include "oracle/modorder/mo_graph.h"

MUST_USE enum res mo_trail(const struct mo_job *j, const struct mo_graph *g,
                           const uint8_t *last_way, struct mo_order *o, struct err *e);
