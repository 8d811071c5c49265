/* oracle/reference/reference.h -- how far the floats that a run has stored are from what the module gives where no operation rounds.
 *
 * The judge interprets the module, and beside each float result a number of REFERENCE_PREC_BITS bits is kept, computed by MPFR from
 * those of the operands. Control flow and integers are those of the interpretation. Estimated, not proven: the numbers are rounded
 * to so many bits; an instruction of which no rule is here (groups, atomics, matrices, some functions) gives what it may give if
 * that is one value, else nothing is known of what depends on it. No verdict depends on any of it. */
#pragma once

#include "oracle/judgement/judgement.h"

enum {
    REFERENCE_PREC_BITS = 256,
    REFERENCE_MAX_RESULTS = 1 << 20, /* float results of all invocations */
    REFERENCE_MAX_ROUNDED = 24       /* instructions that are tried for what their rounding does */
};
/* A stored float. */
struct reference_value {
    uint32_t byte;
    uint64_t got;
    double exact,
        ulps; /* the error; infinite where one of both is no finite number, and the other is */
    bool is_permitted_known;
    double permitted_ulps; /* how far the farthest permitted value is from the exact one */
};
struct reference_buffer {
    uint32_t n; /* floats that were compared */
    uint32_t n_unknown;
    uint32_t n_nan, n_infinite, n_subnormal; /* of all stored floats */
    uint32_t
        n_apart; /* of n: one of both is an infinity or NaN, and the other is not; they are in no error below */
    uint32_t n_permitted; /* of n, those with a bound */
    double max_ulps, mean_ulps, max_absolute,
        permitted_ulps; /* the last at the worst value; 0: not known */
    uint32_t worst_byte;
    const struct reference_value *value; /* [n], by byte */
};
struct reference {
    struct reference_buffer buf[CASE_MAX_BUFS];
    uint32_t
        worst_offset; /* in words, of the instruction whose rounding alone moves results most; 0: none does */
    double worst_share; /* of the sum of all such movements */
};
/* RES_LIMIT: there are too many results, or the interpretation does not end, and why. */
MUST_USE enum res reference_compute(const struct testcase *tc, const struct observation *ob,
                                    struct arena *a, struct reference *out, struct err *e);
