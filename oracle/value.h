/* oracle/value.h -- float instructions on values that may be sets: the permitted results. */
#ifndef HALFULP_ORACLE_VALUE_H
#define HALFULP_ORACLE_VALUE_H

#include "oracle/exec.h"
#include "oracle/rules.h"

/*
 * The permitted result of a scalar float instruction (arithmetic, conversion, comparison, select)
 * in `inv`: exact where only one value is permitted and any other would be a violation, else an
 * entry of the pool. 1 and *out; 0 and x->stop when the arena is full; -1: not a float instruction
 * that is interpreted.
 */
int value_apply(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                const struct mod_inst *in, struct val *out);

/* Members of v in format fmt: a pointer into the pool or to *scratch, NULL for anything. */
const struct set *value_get_set(const struct exec *x, struct val v, enum fmt_id fmt,
                                struct set *scratch);
/* A value permitted to be any member of s under rules r. takes_special: a NaN or an infinity is
 * among the operands; worst: the worst grade among unbound operands. */
struct val value_from_set(struct exec *x, const struct set *s, const struct rules *r,
                          enum clause_id clause, int takes_special, enum grade worst);
/* v as it comes out of a bit-preserving float instruction. */
struct val value_copy(struct exec *x, enum fmt_id fmt, const struct rules *r, struct val v,
                      enum clause_id clause);
/* What an atomic add, min or max leaves in memory. op: SpvOpAtomicFAddEXT, ...FMinEXT, ...FMaxEXT. */
struct val value_atomic(struct exec *x, uint32_t op, enum fmt_id fmt, const struct rules *r,
                        struct val original, struct val operand);
/* Is value `id` the result of arithmetic that may be contracted with the instruction that takes it:
 * evaluated with it as one operation, without the rounding between (C11 6.5 paragraph 8)? */
int value_is_contractible(const struct exec *x, uint32_t id);
/* Do the bits stand for a NaN or an infinity? */
int value_is_special(enum fmt_id fmt, uint64_t enc);
/* The worst grade that v carries while it is not bound. */
enum grade value_get_grade(const struct exec *x, struct val v);
/* The clause of an instruction, from ops.def. */
enum clause_id value_get_clause(uint32_t opcode);

#endif
