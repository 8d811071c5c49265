/* oracle/modorder/mo_sum.h -- what the final value of a location says, without a look at the originals.
 *
 * Three methods. Exact: integer operations that commute, and float additions whose partial sums are all representable, have
 * one possible final value. Orders: a few random orders may show that the final value is possible. Bound: n float additions
 * in any order end within n u (sum of magnitudes) of the exact sum when rounded to nearest, u being half an ulp of 1 (Rump;
 * other roundings: error_bound). The sums of the bound are exact, in integers of 2368 bits. */
#pragma once

#include "oracle/modorder/mo_job.h"

enum sum_answer {
    SUM_NO, /* no method applies to these events */
    SUM_OK, /* the final value is the only possible one, or an order was found that ends there */
    SUM_INSIDE, /* the final value is within the bound, or the only possible one while originals were observed */
    SUM_WRONG /* the final value is impossible */
};
struct mo_sum {
    enum sum_answer answer;
    bool is_exact; /* `expected` is the only possible final value */
    uint64_t expected;
};
/* Checks the final value, into *out. */
void mo_sum_check(const struct mo_job *j, struct mo_sum *out);
