/* oracle/value/value.h -- float instructions on values that may be sets: the permitted results. */
#pragma once

#include "oracle/math/accuracy.h"
#include "oracle/interp/exec.h"
#include "oracle/value/expression.h"
#include "oracle/math/rules.h"

/* What a float instruction gives: its result, and what it writes through a pointer. */
struct value_result {
    uint32_t n;         /* components of the result */
    uint32_t n_through; /* of what goes to the slots at `to`; 0: nothing */
    struct val v[2 * MOD_MAX_COMPONENTS];
    struct val through[MOD_MAX_COMPONENTS];
    struct val *to;
};
/*
 * The permitted results of a float instruction (arithmetic, conversion, comparison, select,
 * mathematical function), component by component, in `inv`: exact where only one value is permitted
 * and any other would be a violation, else an entry of the pool. 1 and *out; 0 and x->stop when it
 * cannot go on; -1: not a float instruction that is interpreted.
 */
int value_apply(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                const struct mod_inst *in, struct value_result *out);
/* Is `in` no conversion of floats to integers, or is its operand in range, whatever it is of what it may be?
 * Where the module is Vulkan's, the program is else undefined (S 3.3.11). */
bool value_fits_integer(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                        const struct mod_inst *in);
/* Leave a note of how each component was made, where it may be evaluated together with others
 * (oracle/value/expression.h). value_apply does it by itself. */
void value_note(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                const struct mod_inst *in, struct value_result *r);
/* Its components to the registers, and what is written through a pointer to the variable. */
void value_put(const struct exec *x, const struct invocation *inv, const struct mod_inst *in,
               const struct value_result *r);
/* The pointer operand that the instruction writes through; 0: none. */
uint32_t value_find_pointer(const struct exec *x, const struct mod_inst *in);

/* One component of one instruction as a call of a function. */
struct value_call {
    struct accuracy accuracy;
    struct func_args args; /* meaningful if has_args: all operands are known */
    int has_args;
    int is_whole; /* an instruction on whole vectors: no args */
};
/* 0: no instruction on floats of one format that has a row in ops.def. */
int value_describe(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                   const struct mod_inst *in, uint32_t c, struct value_call *out);

/* What people are told about a value of a mathematical instruction. */
struct value_note {
    enum clause_id clause;
    uint32_t n_operands;
    uint64_t operand[3];
    int is_unsatisfiable; /* got is outside a bound that no encoding meets */
    const char *text;     /* "bound 4 ulp, error +7.3 ulp" */
};
/* 1: component c of `in` is such a value and *out tells of it, strings in m. */
int value_explain(struct exec *x, const struct ruleset *rs, const struct invocation *inv,
                  const struct mod_inst *in, uint32_t c, uint64_t got, struct arena *m,
                  struct value_note *out);

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
/* Do the bits stand for a NaN or an infinity? */
int value_is_special(enum fmt_id fmt, uint64_t enc);
/* The worst grade that v carries while it is not bound. */
enum grade value_get_grade(const struct exec *x, struct val v);
/* The grade of `got`, which b does not permit: outside of every reading it is a violation. */
static inline enum grade value_grade_outside(const struct abstract *b, uint64_t got)
{
    return b->outer && !set_has(b->outer, got) ? GRADE_VIOLATION : (enum grade)b->grade;
}
/* The clause of an instruction, from ops.def. */
enum clause_id value_get_clause(uint32_t opcode);
/* The same; of an instruction that has none and only passes a value on, that it keeps the bits. */
enum clause_id value_get_binding(uint32_t opcode);
