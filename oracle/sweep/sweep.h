/* oracle/sweep/sweep.h -- compares many results of one function with the reference, for several forms (ways to
 * compile it) at once: the inner loop of an audit. A filter in double decides what its certified error permits,
 * MPFR the rest. */
#pragma once

#include "oracle/sweep/evaluator.h"
#include "oracle/sweep/sweep_state.h"

/*
 * A block of n inputs and the results of every form: x[i], y[i] (two arguments, else NULL), and
 * got[form][i], packed in the format's own width (2, 4, 8 bytes). Inputs of one argument that ascend
 * by encoding are checked for monotonicity, within a block. Results are exactly those that MPFR alone would give:
 * the filter decides only where its certified error leaves no doubt. No state but *s: several
 * threads or processes may each have one.
 */
void sweep_block(struct sweep *s, const void *x, const void *y, const void *const *got, uint32_t n);
/* The same for one argument and the inputs base, base + 1, ..., which x has room for: they are written
 * there where they are needed. */
void sweep_run(struct sweep *s, uint32_t base, void *x, const void *const *got, uint32_t n);
/* Functions of any arguments, each in a buffer of the format's width: func_row.n_args floats, then the
 * integer, its low 32 bits or in f16 all 16, with sign. By MPFR alone where there are three, or an
 * integer. */
void sweep_block_many(struct sweep *s, const void *const *args, const void *const *got, uint32_t n);
/* Name of the evaluator in use for the function ("avx512 double", "sse2 double", "pair of doubles",
 * "mpfr"), and whether it is certified on this machine. */
const char *sweep_get_evaluator(enum func_id func, enum fmt_id fmt, int *is_certified);

/* A block by MPFR alone, which evaluates every input once for all forms. */
void sweep_block_once(struct sweep *s, const struct sweep_block *block);
/* sweep_block and sweep_run on a given instruction set. */
void sweep_run_on(struct sweep *s, uint32_t base, void *x, const void *const *got, uint32_t n,
                  enum evaluator_isa isa);
void sweep_block_on(struct sweep *s, const struct sweep_block *block, enum evaluator_isa isa);
