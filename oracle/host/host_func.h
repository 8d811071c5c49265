/* oracle/host/host_func.h -- functions of one or two numbers by the host's C library in 113 bits. */
#pragma once

#include <stdint.h>

#include "oracle/host/host_quad.h"

/* Row of ops.def by OP_NUMBER: 1 and *out, or 0: not one of these. */
int host_function(uint32_t op, quad x, quad y, quad *out);
/* The same by MPFR, rounded to odd at 113 bits: for results next to where a format's rounding turns.
 * 0 and *out as it was: MPFR has no such function, or no number that a quad holds. */
int host_exact(uint32_t op, quad x, quad y, quad *out);
/* Functions with an integer argument: ldexp, pown, rootn. */
int host_function_of_int(uint32_t op, quad x, int n, quad *out);
/* fmin, fmax and the like: is_strict: -0 is below +0. */
quad host_select(int is_max, quad x, quad y);
/* remquo's quotient, its last 7 bits with its sign. */
int host_quotient(quad x, quad y);
