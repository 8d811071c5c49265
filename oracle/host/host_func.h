/* oracle/host/host_func.h -- computes functions of one or two numbers by the host's C library in 113 bits (the
 * f128 functions of libm), or by MPFR rounded to odd. */
#pragma once

#include "base/ops.h"
#include "oracle/host/host_quad.h"

/* Instructions by name: CL(cos), VK(Cos) and AMD(MbcntAMD) are OP_NUMBER of theirs. */
enum host_op {
#define OP(set, name, number, ...) HOST_##set##_##name = (int)OP_NUMBER(OP_SET_##set, number),
#include "base/ops.def"
};
#define CL(name)  HOST_opencl_std_##name
#define VK(name)  HOST_glsl450_##name
#define AMD(name) HOST_amd_ballot_##name

/* Row of ops.def by OP_NUMBER: 1 and *out, or 0: not one of these. */
int host_function(uint32_t op, quad x, quad y, quad *out);
/* The same by MPFR, rounded to odd at 113 bits: for results next to where a format's rounding turns, of
 * which the last bits of the C library's may be wrong. That much the control shares with the sets. x and y
 * are values of encodings. 0 and *out as it was: MPFR has no such function, or no number that a quad
 * holds. */
int host_exact(uint32_t op, quad x, quad y, quad *out);
/* Functions with an integer argument: ldexp, pown, rootn. */
int host_function_of_int(uint32_t op, quad x, int n, quad *out);
/* fmin, fmax and the like: is_strict: -0 is below +0. */
quad host_select(int is_max, quad x, quad y);
/* remquo's quotient, its last 7 bits with its sign. */
int host_quotient(quad x, quad y);
