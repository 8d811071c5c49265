/* gen/plan/rendezvous.h -- work-groups that wait for each other. */
#pragma once

#include "base/base.h"

struct build;

/* Lanes 0 wait, in bounds, until two work-groups are here. */
void rendezvous_put(struct build *b, uint64_t seed);
