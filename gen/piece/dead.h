/* gen/piece/dead.h -- puts a program fragment with code that no invocation comes to: a check that is never true,
 * before an endless loop. */
#pragma once

#include "gen/tape/tape.h"

struct build;

void piece_dead_put(struct build *b, struct tape *t);
