/* gen/plan/rendezvous.h -- puts a bounded wait of work-groups for each other, so that they contend at once: a
 * counter and pauses. */
#pragma once

#include "base/base.h"

struct build;

/* Lanes 0 wait, in bounds, until two work-groups are here. */
void rendezvous_put(struct build *b, uint64_t seed);
