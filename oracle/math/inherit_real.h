/* oracle/math/inherit_real.h -- computes the exact value of a formula by interval arithmetic in MPFR. */
#pragma once

#include "oracle/func/func_span.h"
#include "oracle/math/inherit_program.h"

/* The exact value enclosed at prec_bits <= MP_WIDE_PREC_BITS; operands are finite. 0: not known at
 * this precision. */
int inherit_run_reals(const struct inherit_work *work, unsigned prec_bits, struct func_span *out);
