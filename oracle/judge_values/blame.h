/* oracle/judge_values/blame.h -- which instruction a wrong value is attributed to.
 *
 * Computed from the module, the registers and the accesses of the invocation: a value is followed back through the
 * instructions that only propagate it. A finding then names the comparison, the instruction before a barrier, or the access
 * before a load, if that explains the wrong value. At most six steps back; nothing here decides whether a value is wrong. */
#pragma once

#include "oracle/judge_state/judge_state.h"

/* The access to the same cell just before e; NULL: there is none. */
const struct event *blame_find_before(const struct judge_memory *memory, const struct event *e);

/* Are all accesses to the cell after e loads, and does its buffer hold `expected` after the dispatch? */
bool blame_is_right_in_the_end(const struct judge *j, const struct event *e, uint64_t expected);

/* A load (o) of a private cell returned a wrong value: most often the access before it left that value. true: *out is
 * o with that access, and no invocation. false: the load itself is to blame, as where a later access shows that the
 * location still held the right value (`expected`). fmt: the format of a float, -1 for an integer. */
bool blame_before_load(const struct judge *j, const struct observed *o, int fmt, uint64_t expected,
                       struct observed *out);
/* true: the wrong value is the other operand of a selection, so that the comparison is wrong: *out is o with that
 * comparison, *truth its right result. */
bool blame_condition(const struct judge *j, const struct observed *o, uint32_t component,
                     struct observed *out, uint64_t *truth);
/* true: the wrong result would be right for another value of an operand that was computed before a barrier: the value
 * that another invocation has there, or the negation. Then the operand was lost at the barrier, and *out is o with
 * the instruction that computed it. */
bool blame_barrier(struct judge *j, const struct observed *o, uint32_t component,
                   struct observed *out);
/* The observation o of v, with the instruction that computed v (before copies, extractions and calls), and the
 * component of its result. */
struct observed blame_find_origin(const struct judge *j, const struct observed *o, struct val v,
                                  uint32_t *component);

/*
 * May a wrong value come of an instruction that no clause permits (HOLE_CL_FLOAT)? It may if `in` is one, or if the access
 * `before` (of blame_find_before; NULL: none) is of one. is_small: a zero was observed by the access `seen` (NULL: none) for
 * a subnormal or the other zero: then any earlier load that no clause permits may have changed the location.
 */
bool blame_is_hole(const struct judge *j, const struct mod_inst *in, const struct event *before,
                   const struct event *seen, bool is_small);
