/* oracle/judge_values/blame.h -- what a wrong value is named after. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* The operation on the same private cell just before e, or NULL. */
const struct event *blame_find_before(const struct judge_memory *memory, const struct event *e);

/* Do loads alone follow e, as far as operations are known, and does its buffer hold `expected` after the
 * dispatch? */
bool blame_is_right_in_the_end(const struct judge *j, const struct event *e, uint64_t expected);

/* What was observed is a load of a private location whose value is wrong: most often what was done to
 * the location before it was wrong, and the load only shows it. Then true, and *out is that operation,
 * seen by nobody in particular. false: the load itself is to be named, as where the next operation or the
 * end still found the right value, or where a zero came of a subnormal or of the other zero, which is what a load
 * made of an addition does. fmt: -1 for an integer. */
bool blame_before_load(const struct judge *j, const struct observed *o, int fmt, uint64_t expected,
                       struct observed *out);
/* A selection gave its other operand: then the comparison that chose is wrong, not the selection. true, and *out is
 * the comparison, *truth what it should have said; false: it is something else. */
bool blame_condition(const struct judge *j, const struct observed *o, uint32_t component,
                     struct observed *out, uint64_t *truth);
/* The result is wrong, but right for another value of an operand that was made before a barrier, the one
 * that another invocation has there or its negation: then the value was lost at the barrier, and what
 * made it is to be named: true and *out. */
bool blame_barrier(struct judge *j, const struct observed *o, uint32_t component,
                   struct observed *out);
/* What was observed of v, named after the instruction that made it, as behind a copy, an extraction or a
 * call; and which component of its result. */
struct observed blame_find_origin(const struct judge *j, const struct observed *o, struct val v,
                                  uint32_t *component);

/*
 * May a wrong value come of an instruction that no clause permits (HOLE_CL_FLOAT)? It is named after one, or
 * left by one: `before`, of blame_find_before; NULL: there was none. is_small: the access `seen` (NULL: none)
 * showed a zero for a subnormal or the other zero, which a load made of an addition leaves to all after it.
 */
bool blame_is_hole(const struct judge *j, const struct mod_inst *in, const struct event *before,
                   const struct event *seen, bool is_small);
