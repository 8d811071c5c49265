/* oracle/chain/chain_blame.h -- the name of what is wrong with a chain that no order explains. */
#pragma once

#include "oracle/chain/chain_graph.h"
#include "oracle/chain/chain_sum.h"

/* Fill kind, clause, suspects, values and text. */
MUST_USE enum res chain_blame(struct chain_job *j, const struct chain_graph *g,
                              struct chain_answer *out, struct err *e);
void chain_blame_sum(const struct chain_job *j, const struct chain_sum *s,
                     struct chain_answer *out);
