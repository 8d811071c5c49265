/* gen/tape/tape_random.h -- makes random tapes, and random nodes of them, of the shape that the generator reads; at
 * most 16384 records. */
#pragma once

#include "gen/tape/tape.h"

/* Whole tape as seen by nobody yet: a random one of a shape the generator likes. */
MUST_USE enum res tape_random(struct tape *t, struct rng *r, struct arena *a, struct err *e);
/* A random sub-stream of a node of that kind, in `depth` blocks (or operands, for one). */
MUST_USE enum res tape_random_node(struct tape *t, enum tape_node node, int depth, struct rng *r,
                                   struct arena *a, struct err *e);
