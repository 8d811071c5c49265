/* oracle/num/arith.h -- computes permitted sets of results of basic arithmetic from sets of operands. Operands are
 * split into ranges of one sign, on which operations are monotonic; the ends of the ranges bound all results. */
#pragma once

#include "oracle/num/real.h"
#include "oracle/num/set.h"

/* How a value may be rounded: one mode, or correctly rounded with no mode named, which is either
 * neighbour (and for overflow either infinity or the largest finite). */
enum rounding {
    ROUND_RNE,
    ROUND_RTZ,
    ROUND_EITHER,
    ROUND_NEAREST_OR_ZERO /* to nearest or toward zero, as the device likes: bfloat16 */
};
enum flush {
    FLUSH_NEVER,
    FLUSH_MAY,
    FLUSH_MUST
};

/* Rules of one width in one module on one device. */
struct fp_rules {
    enum rounding rounding;
    enum flush flush_in;  /* subnormal operands; FLUSH_MUST is never used for operands */
    enum flush flush_out; /* results whose exact value is nonzero and below the smallest normal */
    int zero_sign_free;   /* NSZ: a zero result, or operand, may have either sign */
    int overflow_lax;     /* Vulkan, bounds in ulps: where the allowed range passes the largest
                           * finite, infinity and the largest finite are both allowed.
                           * ROUND_EITHER implies it */
};

enum arith_op {
    ARITH_ADD,
    ARITH_SUB,
    ARITH_MUL,
    ARITH_DIV,
    ARITH_FMA
};

/*
 * Permitted results of op over every combination of members of the operands.
 *   args   arity sets of format out->fmt (2, FMA 3); an ANY operand gives ANY; NaN operands give
 *          NaN results (a quiet one any quiet NaN, a signalling one any NaN)
 *   bound_ulp  0: correctly rounded under r->rounding. > 0 (DIV): every encoding within bound_ulp
 *          ulps (Harrison's ulp) of the exact value, overflow as there; for the exact
 *          results (zero, infinity, NaN operands) no slack
 *   inf - inf, 0 * inf, 0/0, inf/inf give every quiet NaN. x - x is +0 (RNE, RTZ), either zero for
 *   ROUND_EITHER. Flush: operands {keep, +0, -0} where subnormal and r->flush_in is MAY; results
 *   {keep, +0, -0} where flush_out is MAY, zeros alone where MUST. Ranges by monotonicity, sound:
 *   each is cut into pieces of one sign. Of pieces with few members each combination is worked out,
 *   unless a bound in ulps is asked for; of others the corners bound the results.
 *   With bound_ulp > 0 a result may flush if |exact| < smallest normal + bound * smallest
 *   subnormal, infinity is allowed where 2^(emax+1) is within the bound or infinity is the correct
 *   rounding, and both zeros where the range reaches zero.
 * Certified: the result is exact up to one rounding (real.h for +, -, *, /; MPFR for the fused
 * operation and for bounds in ulps); -DHALFULP_PARANOID repeats each by MPFR and aborts on a
 * difference. `out` may not be one of the operands.
 */
void arith_apply(enum arith_op op, const struct set *const *args, const struct fp_rules *r,
                 double bound_ulp, struct set *out);
/* Conversion between formats: in->fmt to out_fmt; widening is exact (flush of either format's
 * subnormals by r_in.flush_in and r_out.flush_out), narrowing rounds by r_out. NaN stays NaN. */
void arith_convert(const struct set *in, const struct fp_rules *r_in, enum fmt_id out_fmt,
                   const struct fp_rules *r_out, struct set *out);
/* Integer to float: v is the value, is_signed how its 64 bits are read. */
void arith_from_int(uint64_t v, int is_signed, enum fmt_id out_fmt, const struct fp_rules *r,
                    struct set *out);
/* Float to integer of n_bits (1..64), toward zero, for one encoding. 0 when out of range or NaN
 * (undefined), else 1 and the bits, zero above n_bits. A subnormal gives 0 whether flushed or not.
 */
int arith_to_int(enum fmt_id fmt, uint64_t enc, unsigned n_bits, int is_signed, uint64_t *out);
/* The same value negated: bit-exact on encodings; with flush, as the rules say. A quiet NaN stays
 * quiet, a signalling one may become quiet. `out` may be `in`. */
void arith_negate(const struct set *in, const struct fp_rules *r, struct set *out);

/* Harrison's ulp distance of got from the exact value of the set's nearest member, for people:
 * 0 inside and for a zero of the other sign, infinity when a NaN or an infinity is involved. */
double arith_ulp_distance(const struct set *s, uint64_t got);
