/* gen/plan/plan.h -- the dispatch and the modes: decisions that stand before the program. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void plan_dispatch(struct build *b, struct tape *t);
void plan_modes(struct build *b, struct tape *t);
