/* oracle/value/expression_hull.h -- encloses all values that an expression can give when its instructions are
 * contracted or rearranged: each instruction's hull is computed from those of its operands (sets, terms.h),
 * rounded outward. */
#pragma once

#include "oracle/interp/exec.h"
#include "oracle/math/rules.h"

enum {
    EXPRESSION_MAX_NODES = 512
};

/*
 * Encloses all that the expression of v, whose format is fmt, can give; false: v has no expression. Is `got` one
 * of these?
 *   CONTRACT    each rounding between two of its instructions present or absent: by intervals that
 *               hold the exact and the rounded value. C11 6.5 paragraph 8; CE numerics, "may be
 *               carried out internally with extra precision"
 *   REARRANGE   any expression that is equal over the real numbers, expanded or factored: within
 *               sum |monomials| times the growth of as many roundings as a monomial can undergo,
 *               and one smallest normal a step where subnormals may be flushed. An order on whose
 *               way something overflows gives anything. V env, Evaluation of Expressions
 *   LOOSE       anything, where the option lifts the bounds and names no other
 * An enclosure: it has each value that there is such an evaluation for, and few others. Anything where
 * the expression has more than EXPRESSION_MAX_NODES instructions.
 */
bool expression_enclose(struct exec *x, const struct ruleset *rs, struct val v, enum fmt_id fmt,
                        struct set *out);
bool expression_explains(struct exec *x, const struct ruleset *rs, struct val v, enum fmt_id fmt,
                         uint64_t got);
