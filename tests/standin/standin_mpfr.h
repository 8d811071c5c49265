/* tests/standin/standin_mpfr.h -- correctly rounded values of the functions of standin.h, by MPFR. */
#pragma once
#include "tests/standin/standin.h"

/* A format inside double: its precision in bits, and the exponents of its least and greatest normal numbers. */
struct standin_format {
    int precision;
    int e_min;
    int e_max;
};
extern const struct standin_format standin_f16;
extern const struct standin_format standin_f32;

/* The function's value at x, rounded to nearest, ties to even, to the format. */
double standin_round_mpfr(enum standin_function f, double x, const struct standin_format *format);
