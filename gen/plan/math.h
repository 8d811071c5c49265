/* gen/plan/math.h -- statements of mathematics: an instruction, its operands, decorations and probes. */
#pragma once

#include "gen/tape/tape.h"

struct build;

/* One; those of a block. */
void math_put(struct build *b, struct tape *t);
void math_put_block(struct build *b, struct tape *t);
