/* oracle/func/func.h -- computes what a mathematical function may give within a bound in ulps. MPFR encloses the
 * exact value at rising precision until each end of the permitted set is certain; prescribed results come first. */
#pragma once

#include "base/func_row.h"
#include "base/testcase.h"
#include "oracle/num/arith.h"
#include "oracle/num/set.h"

/*
 * Permitted results of one operation: the special ones, else every encoding within the bound of the
 * exact value, or (bound 0) the correct roundings under r->rounding; overflow, flush of operands and
 * results and the zeros by r. By enclosure at rising precision: certified. 0 when
 * the precision's cap was reached before every end of the set was certain (*out is then anything).
 */
int func_permitted(enum func_id id, enum env env, const struct func_args *a,
                   const struct func_bound *b, const struct fp_rules *r, struct set *out);

/* What func_get_error says of a result. */
enum func_error {
    FUNC_ERROR_WRONG =
        -2, /* a wrong infinity, NaN, special value, or number beyond the format's range */
    FUNC_ERROR_RIGHT = -1, /* a right infinity, NaN or special value */
    FUNC_ERROR_MEASURED = 0
};

/* Measures the error of `got` in ulps of the exact value, signed (positive: got is above), for tables: correct
 * to 1e-9 of itself. *out is 0 where nothing is measured. */
enum func_error func_get_error(enum func_id id, enum env env, const struct func_args *a,
                               uint64_t got, double *out);
/* The correctly rounded result, RNE, special values included. */
uint64_t func_round(enum func_id id, enum env env, const struct func_args *a);
/* Results as the rules leave them: a zero of the other sign where signs are free; zeros of both signs in
 * place of subnormals, computed or prescribed, where those must be flushed. */
void func_finish(struct set *s, const struct fp_rules *r);
