/* oracle/sweep/sweep_order.h -- tells where functions are monotonic, and counts breaks of monotonicity between
 * results of neighbouring inputs. */
#pragma once

#include "oracle/sweep/evaluator.h"
#include "oracle/sweep/sweep_state.h"

/* Which way the function goes from the encoding x to x + 1: 1, -1, or 0 where it is not known. */
int sweep_get_direction(enum func_id func, enum fmt_id fmt, uint64_t x);
/* Binades of |f(x)| over all x of one sign but 0, as exponents: what has an ulp above that of 2^lowest or
 * below, and where it is next to a power of two. INT_MIN and INT_MAX where nothing is known. */
void sweep_get_binades(enum func_id func, int is_negative, int *lowest, int *highest);
/* Count breaks of monotonicity between the results of a block. */
void sweep_count_breaks(struct sweep *s, const struct sweep_block *block, enum evaluator_isa isa);
