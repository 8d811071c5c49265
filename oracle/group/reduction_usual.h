/* oracle/group/reduction_usual.h -- computes sums and products in the orders that implementations use (linear,
 * pairwise, butterfly, in vectors), to decide quickly that a result is permitted. */
#pragma once

#include "oracle/group/reduction_terms.h"

enum {
    REDUCTION_MAX_USUAL = 64 /* values of the usual orders */
};

/* Values of the usual orders, computed once for all who share the terms. */
struct reduction_usual {
    uint32_t n;
    uint64_t value[REDUCTION_MAX_USUAL];
};
/*
 * Linear and reverse; pairwise of neighbours and of halves, with and without gaps for positions
 * that do not take part, which are butterflies too; aligned to the last position as in a scan by
 * doubling steps; aligned blocks added from either end; 4, 8 or 16 lanes first and then across, or
 * across and then the lanes; with operands or steps flushed as the rules may; rounded to nearest
 * and, where the rules allow either neighbour, toward zero. A start from an identity changes none
 * of them but the sign of zero: see reduction_is_zero_seed. No more than REDUCTION_MAX_USUAL.
 */
void reduction_get_usual(const struct reduction *r, struct reduction_usual *out);
int reduction_is_usual(const struct reduction_usual *u, enum fmt_id fmt, uint64_t got);
