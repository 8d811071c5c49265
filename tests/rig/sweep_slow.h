/* tests/rig/sweep_slow.h -- the sweep by MPFR alone, each result by itself: the reference of the sweep's tests. */
#pragma once

#include "oracle/sweep/sweep.h"
#include "oracle/sweep/sweep_judge.h"
#include "oracle/sweep/sweep_order.h"

/* The same as sweep_block. */
static inline void sweep_block_slow(struct sweep *s, const void *x, const void *y,
                                    const void *const *got, uint32_t n)
{
    struct sweep_block const b = {x, y, got, n, NULL};
    for (uint32_t form = 0; form < s->n_forms; form++) {
        for (uint32_t i = 0; i < n; i++) {
            sweep_judge_slowly(s, form, &b, i);
        }
    }
    sweep_count_breaks(s, &b, EVALUATOR_BASE);
}
