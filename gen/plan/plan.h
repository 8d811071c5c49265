/* gen/plan/plan.h -- all decisions that stand before the first statement, but for the cells. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void plan_dispatch(struct build *b, struct tape *t);
void plan_modes(struct build *b, struct tape *t);
