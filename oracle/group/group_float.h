/* oracle/group/group_float.h -- computes the permitted sets of float minimum, maximum and equality over a group,
 * with NaNs, zeros and subnormals. */
#pragma once

#include "oracle/group/group_call.h"
#include "oracle/math/rules.h"

/* AllEqual of floats: out[0] where the answer is GROUP_IS. */
enum group_answer group_all_equal_float(const struct group_call *c, const struct rules *r,
                                        uint64_t *out);
/*
 * Float min or max over values[n]: `out` is the permitted set. Returns the grade of a value outside
 * it and sets *clause: op of GroupNonUniform: a NaN gives way to a number; all NaN: anything. Of
 * OpGroup* and AMD's: with a NaN undefined (GRADE_DIVERGENCE, the set is as if NaNs gave way, or
 * any NaN). n == 0: the identity. Flush and zero signs by r->fp.
 * A signalling NaN may also come out as a NaN, and swallow numbers on its way: GRADE_DIVERGENCE.
 * r: rules of RULE_GROUP_MINMAX; r->outside is not used, for no transformation gives a minimum
 * another value. Where a NaN or an infinity takes part, the identity included, r->special is the
 * least grade; GRADE_UNDEFINED makes the set anything.
 */
enum grade group_minmax(uint32_t op, enum fmt_id fmt, const uint64_t *values, uint32_t n,
                        const struct rules *r, struct set *out, enum clause_id *clause);
/*
 * What any reading of the text lets such a min or max be where a signalling NaN takes part: one of the
 * participants' numbers, flushed or not, or a NaN. S 3.3.24: "if for any two Values one of them is a NaN, the
 * other is chosen"; CE numerics: "Support for signaling NaNs is not required", and IEEE 754-2008 lets one turn
 * its minimum into a NaN. false: there is but one reading, or none.
 */
bool group_minmax_readings(uint32_t op, enum fmt_id fmt, const uint64_t *values, uint32_t n,
                           const struct fp_rules *r, struct set *out);
