/* oracle/func/func_mp.h -- encloses the value of a function by MPFR at a given precision: one correctly rounded
 * call where there is one, else interval arithmetic. */
#pragma once

#include "oracle/func/func_span.h"

enum {
    FUNC_N_PRECISIONS = 4
};
/* Precisions to try, in bits, the last one the cap; the first holds a midpoint of f. */
unsigned func_get_precision(const struct float_format *f, unsigned step);

/* Enclose the function of arguments that are not special (func_get_special gave 0) at prec_bits. */
void func_enclose(enum func_id id, const struct func_args *a, unsigned prec_bits,
                  struct func_span *out);
