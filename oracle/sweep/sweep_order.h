/* oracle/sweep/sweep_order.h -- tells where functions are monotonic and which are symmetric, and counts breaks of monotonicity between
 * results of neighbouring inputs, and ranges of arguments in which a function is not symmetric. */
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

/* 1: the function is even, -1: it is odd, 0: neither, or it has several arguments. */
int sweep_get_parity(enum func_id func);
/* Add the results of n arguments base, base + 1, ... to the sums of their binades (struct sweep_result), of a function that is odd or even.
 * Every argument of the type is to be added once. */
void sweep_add_halves(struct sweep *s, uint32_t base, const void *const *got, uint32_t n,
                      enum evaluator_isa isa);
/* With all arguments added: set n_asymmetric, and asymmetric_x to the first argument of the first such binade. */
void sweep_compare_halves(struct sweep_result *r, enum fmt_id fmt);
/* Are these the results of x and -x of a function of that parity? All NaNs are alike. */
bool sweep_is_mirrored(enum fmt_id fmt, int parity, uint64_t got, uint64_t got_of_negative);
