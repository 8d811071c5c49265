/* gen/inputs/inputs_number.h -- single numbers, made of integers alone: usual ones, and what is
 * hard for a function. */
#pragma once

#include "base/base.h"
#include "base/format.h"
#include "gen/ir/ir.h"

/* The format of a float type, but for IR_BF16. */
static inline const struct float_format *inputs_get_format(enum ir_type type)
{
    return &float_formats[type - IR_F16];
}
/* k * 2^exp, exact: |k| has at most p bits and the result is a normal or subnormal number. */
uint64_t inputs_encode(const struct float_format *f, int64_t k, int exp);
/* Random fraction and sign, exponent from lo to hi, all normal numbers. */
uint64_t inputs_random(const struct float_format *f, struct rng *r, int lo, int hi);
/* Zeros, ones, infinities, NaN, the ends of the ranges, their neighbours. */
uint64_t inputs_get_special(const struct float_format *f, struct rng *r);

/* What is hard for a function of those arguments. Its arguments are made together: they have one
 * seed and differ in `argument`. */
enum input_domain {
    DOMAIN_ANY,
    DOMAIN_TRIG,     /* multiples of pi/2 as close as the type allows, large ones */
    DOMAIN_TRIGPI,   /* halves and quarters, and their neighbours */
    DOMAIN_EXP,      /* thresholds of overflow and underflow, very small ones */
    DOMAIN_LOG,      /* near 1, powers of two */
    DOMAIN_UNIT,     /* from -1 to 1, mostly near the ends */
    DOMAIN_POW,      /* near 1 to a large power, or near the thresholds */
    DOMAIN_GAMMA,    /* near integers, half-integers and the threshold */
    DOMAIN_WHOLE,    /* integers, halves, and their neighbours */
    DOMAIN_QUOTIENT, /* quotients that are integers, halves or very large */
    DOMAIN_FMA,      /* a product and nearly its negative, one between two numbers, a tiny one */
    DOMAIN_MIDDLE,   /* from 0 to 1 and a little outside */
    DOMAIN_SUM,      /* ties, cancellation */
    DOMAIN_PRODUCT,  /* products with few bits more than fit; near the ends of the range */
    DOMAIN_NARROW,   /* at and near the middle between two numbers of a narrower type */
    DOMAIN_CLAMP,    /* the second not above the third */
    DOMAIN_EDGES     /* the first below the second */
};
enum {
    INPUT_DOMAIN_N = 17
};

/* Argument number `argument` of an instruction of that domain. */
uint64_t inputs_get_domain(enum input_domain domain, uint32_t argument,
                           const struct float_format *f, struct rng *r);
