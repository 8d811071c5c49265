/* oracle/chain/chain_trail.h -- pieces whose inner order is forced, and an order of them: found, or nothing said. */
#pragma once

#include "oracle/chain/chain_graph.h"

MUST_USE enum res chain_trail(const struct chain_job *j, const struct chain_graph *g,
                              const uint8_t *last_way, struct chain_order *o, struct err *e);
