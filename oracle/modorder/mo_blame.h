/* oracle/modorder/mo_blame.h -- the name of what is wrong where no order explains the originals. */
#pragma once

#include "oracle/modorder/mo_graph.h"
#include "oracle/modorder/mo_sum.h"

/* Fill kind, clause, suspects, values and text. */
MUST_USE enum res mo_blame(const struct mo_job *j, const struct mo_graph *g, struct mo_answer *out,
                           struct err *e);
void mo_blame_sum(const struct mo_job *j, const struct mo_sum *s, struct mo_answer *out);
