/* oracle/group/group.h -- computes the permitted result of each participant of one dynamic group instruction from
 * all participants' operands; the extension SPV_AMD_shader_ballot. */
#pragma once

#include "oracle/group/group_call.h"
#include "oracle/interp/group_kind.h"
#include "oracle/math/rules.h"

/*
 * Result of participant i of everything but GROUP_ARITH on floats: out has n_results elements.
 * r: rules of RULE_MOVE_GROUP for an exchange and of RULE_GROUP_MINMAX for AllEqual where fmt >= 0, else
 * NULL; a value whose bits are not protected by them is the caller's business (value_copy), the
 * answer is the source's bits.
 */
enum group_answer group_answer(const struct group_call *c, uint32_t i, const struct rules *r,
                               uint64_t *out);
/* Of a GROUP_PARTITION, as ballots: who must be with i in its subset, and who may. Invocations that take no part may be
 * in any: the text is silent of them. r as group_answer has it, of RULE_GROUP_SUM. */
void group_partition(const struct group_call *c, uint32_t i, const struct rules *r,
                     uint64_t must[4], uint64_t may[4]);
/*
 * Is i's result of a GROUP_ARITH defined at all, whatever the values? GROUP_IS; GROUP_MISUSE for a
 * bad ClusterSize; GROUP_ANYTHING in a last cluster that is not full. group_answer asks this
 * itself; who judges a float sum, product, min or max asks it before group_get_span.
 */
enum group_answer group_check(const struct group_call *c, uint32_t i);
/* First participant and one past the last whose values go into i's result of a GROUP_ARITH:
 * all, those up to i, those below i, or those of i's cluster. */
void group_get_span(const struct group_call *c, uint32_t i, uint32_t *first, uint32_t *end);
/* By which rules floats go in an instruction of this row. */
enum rule_class group_rule_class(uint32_t op);
/* Integer or logical GROUP_ARITH over values[n] of n_bits: the identity where n is 0. */
uint64_t group_reduce_integer(uint32_t op, unsigned n_bits, const uint64_t *values, uint32_t n);
/* The identity of a GROUP_ARITH on n_bits (fmt >= 0: a float, +0 for a sum). */
uint64_t group_identity(uint32_t op, int fmt, unsigned n_bits);
