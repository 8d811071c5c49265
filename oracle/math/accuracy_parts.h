/* oracle/math/accuracy_parts.h -- what the files of accuracy.h and inherit.h share. */
#pragma once

#include "base/ops.h"
#include "oracle/math/accuracy.h"

/* Bounds that depend on the arguments; a and b are parameters of the row. */
enum accuracy_formula {
    FORM_EXP,       /* a + 2 |x| ulps */
    FORM_EXP_FLOOR, /* a + floor(2 |x|) ulps */
    FORM_LOGARITHM, /* b absolute for x in [0.5, 2], else a ulps */
    FORM_WITHIN_PI, /* a absolute for x in [-pi, pi], else nothing */
    FORM_WITHIN_1,  /* a absolute for x in [-1, 1], else nothing */
    FORM_DIVIDE,    /* a ulps for y = 0 or |y| in 2^-b to 2^b, else nothing */
    FORM_DIVIDE_62, /* a ulps for 1 / x in 2^-126 to 2^126, x / y in 2^-62 to 2^62, else nothing */
    FORM_HALF_TRIG, /* a ulps for x in -2^16 to 2^16, else nothing */
    FORM_DOT,       /* (2n - 1) a max^2 absolute */
    FORM_CROSS      /* 3 a max^2 absolute */
};

/* The magnitude of a finite encoding; infinity for infinities and NaN. */
double accuracy_magnitude(enum fmt_id fmt, uint64_t enc);
/* Upper bound of FORM_DOT and FORM_CROSS. */
struct func_bound accuracy_vector_bound(const struct accuracy *a,
                                        const struct accuracy_operands *v);
/* The row of the instruction within a formula of the same module. */
struct accuracy accuracy_get_step(const struct accuracy *a, enum op_id op);
