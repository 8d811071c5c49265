/* gen/plan/body.h -- statements: branches, loops, barriers, early return, arithmetic, atomics. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void body_put(struct build *b, struct tape *hot, struct tape *body, struct tape *math);
