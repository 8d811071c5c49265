/* gen/inputs/inputs_number.h -- single numbers, made of integers alone. */
#pragma once

#include "base/base.h"
#include "base/format.h"

/* k * 2^exp, exact: |k| has at most p bits and the result is a normal or subnormal number. */
uint64_t inputs_encode(const struct float_format *f, int64_t k, int exp);
/* Random fraction and sign, exponent from lo to hi, all normal numbers. */
uint64_t inputs_random(const struct float_format *f, struct rng *r, int lo, int hi);
/* Zeros, ones, infinities, NaN, the ends of the ranges, their neighbours. */
uint64_t inputs_get_special(const struct float_format *f, struct rng *r);
