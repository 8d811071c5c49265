/* oracle/func/func.h -- mathematical functions to any precision: what a result may be, certified. */
#pragma once

#include "base/func_row.h"
#include "base/testcase.h"
#include "oracle/num/arith.h"
#include "oracle/num/set.h"

/*
 * What the environment prescribes for these arguments, no rounding and no bound about it (sin(-0)
 * is -0, pow(1, NaN) is 1, NaN for NaN): 1 and *out, else 0 and the function is to be computed.
 * ENV_CL: C99 section F.9 as OpenCL C amends it; ENV_VK: GLSL.std.450, with "undefined" as SET_ANY.
 */
int func_get_special(enum func_id id, enum env env, const struct func_args *a, struct set *out);

/*
 * Permitted results of one operation: the special ones, else every encoding within the bound of the
 * exact value, or (bound 0) the correct roundings under r->rounding; overflow, flush of operands and
 * results and the zeros by r and numerics 1, 5. By enclosure at rising precision: certified. 0 when
 * the precision's cap was reached before every end of the set was certain (*out is then anything).
 */
int func_permitted(enum func_id id, enum env env, const struct func_args *a,
                   const struct func_bound *b, const struct fp_rules *r, struct set *out);

/*
 * Error of `got` in ulps of the exact value, signed (positive: got is above), for tables: correct to
 * 1e-9 of itself. 0 and *out for numbers; -1 where an infinity, a NaN or a special value is involved
 * that is right, -2 where it is wrong (by func_get_special or an overflow that is not one).
 */
int func_get_error(enum func_id id, enum env env, const struct func_args *a, uint64_t got,
                   double *out);
/* The correctly rounded result, RNE, special values included. */
uint64_t func_round(enum func_id id, enum env env, const struct func_args *a);
/* Results as the rules leave them: a zero of the other sign where signs are free; zeros of both signs in
 * place of subnormals, computed or prescribed, where those must be flushed. */
void func_finish(struct set *s, const struct fp_rules *r);
