/* oracle/func/func_decimal.h -- prints the exact value of a function in decimal, and measures how far a result is
 * from it. */
#pragma once

#include "oracle/func/func.h"

enum {
    FUNC_MAX_DIGITS = 40
};
/*
 * The exact value, correctly rounded to n_digits (1 to FUNC_MAX_DIGITS) significant decimal digits, zeros at the end left
 * out: "0.36787944117144232", "1.9700711140170469e+434"; "NaN", "+infinity", "-0" where that is prescribed, and a
 * list where several values are. In `a`. By enclosure at rising precision: certified. "": the precision's
 * cap was reached, or the arena is full.
 */
const char *func_show_exact(enum func_id id, enum env env, const struct func_args *args,
                            unsigned n_digits, struct arena *a);
/* |got - exact value|, to 1e-9 of itself; got is finite. -1: the exact value is no number, or not certain. */
double func_get_distance(enum func_id id, enum env env, const struct func_args *a, uint64_t got);
