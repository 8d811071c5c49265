/* oracle/chain/chain_walk.h -- one try, without turning back, at a full order that keeps program order. */
#pragma once

#include "oracle/chain/chain_graph.h"

MUST_USE enum res chain_walk(const struct chain_job *j, const struct chain_graph *g,
                             struct chain_order *o, struct err *e);
