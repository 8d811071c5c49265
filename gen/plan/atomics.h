/* gen/plan/atomics.h -- puts atomic instructions on the cells of the plan, as far as the case and the policy of a
 * cell have room for them. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void atomics_put(struct build *b, struct tape *t, bool is_hot);
void atomics_put_initial(struct build *b); /* of work-group cells, with the barrier */
/* Is there an atomic on one of these? */
bool atomics_has_local(const struct build *b);
void atomics_put_final(struct build *b); /* read them back */
