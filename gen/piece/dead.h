/* gen/piece/dead.h -- a piece with code that no invocation comes to. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void piece_dead_put(struct build *b, struct tape *t);
