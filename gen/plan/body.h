/* gen/plan/body.h -- puts the statements that a tape says: branches, loops, barriers, early returns, arithmetic,
 * atomics, group operations; at most BUILD_MAX_INSTRUCTIONS and BUILD_MAX_ITERATIONS of nested loops. */
#pragma once

#include "gen/tape/tape.h"

struct build;

/* The statements of a program; body_close ends it. */
void body_put(struct build *b, struct tape *hot, struct tape *body, struct tape *math);
void body_close(struct build *b);
/* A block of statements, into the block of the flow. */
void body_put_block(struct build *b, struct tape *t);
