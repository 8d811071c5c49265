/* gen/plan/body.h -- statements: branches, loops, barriers, early return, arithmetic, atomics. */
#pragma once

#include "gen/tape/tape.h"

struct build;

/* The statements of a program; body_close ends it. */
void body_put(struct build *b, struct tape *hot, struct tape *body, struct tape *math);
void body_close(struct build *b);
/* A block of statements, into the block of the flow. */
void body_put_block(struct build *b, struct tape *t);
