/* gen/plan/groups.h -- statements of group operations: who is here, the operation, its result. */
#pragma once

#include "gen/tape/tape.h"

struct build;

/* The built-ins and their probes. */
void groups_put_prologue(struct build *b);
void groups_put(struct build *b, struct tape *t);
