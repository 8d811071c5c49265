/* oracle/group/group.h -- one dynamic group instruction: who takes part, with what, and what may come of
 * it. Semantics A5 to A8, B4, B5; the extension SPV_AMD_shader_ballot. */
#pragma once

#include <stdbool.h>

#include "oracle/interp/group_kind.h"
#include "oracle/group/reduction.h"
#include "oracle/math/rules.h"

/* Operands of all participants of one dynamic instance. Everything is borrowed. */
struct group_call {
    uint32_t op;        /* OP_NUMBER of its row */
    uint32_t operation; /* SpvGroupOperation, or GROUP_NO_OPERATION */
    uint32_t cluster;   /* ClusterSize; 0: none */
    int is_workgroup;   /* Execution scope is the work-group, else the sub-group */
    int is_kernel;
    int fmt;               /* enum fmt_id of the value's components; -1: integers or bools */
    unsigned n_bits;       /* of a component of the value; bool: 1 */
    uint32_t n_components; /* of the value; 0: elect */
    uint32_t n_results;    /* of the result: 4 for a ballot, else n_components or 1 */
    uint32_t size;         /* SubgroupSize, or number of invocations of the work-group */
    uint32_t max_size;     /* SubgroupMaxSize (Kernel); else as size */
    uint32_t n;            /* participants, ascending by index */
    const uint32_t *index; /* [n]: SubgroupLocalInvocationId, or linear id in the work-group */
    const uint64_t
        *value; /* [n * n_components]: first operand; a vote's or ballot's predicate 0, 1 */
    const uint64_t *second; /* [n]: id, delta, mask, index, direction; broadcast of OpGroup*: linear
                             * local id; NULL: none */
    const uint64_t *other;  /* [n * n_components]: WriteInvocationAMD's value to write; else NULL */
    uint32_t pattern[4];    /* swizzles: offset, or mask */
    const unsigned char *known;        /* [n]: are value, second and other known? NULL: all are */
    const unsigned char *known_second; /* [n]: are second and other known? Then `known` tells of the
                                        * value alone. NULL: as `known` */
};

enum group_answer {
    GROUP_IS,       /* exactly out */
    GROUP_ANYTHING, /* an undefined value: any bits */
    GROUP_UNKNOWN,  /* depends on an operand that is not known */
    GROUP_EITHER,   /* a bool that may be either (AllEqual where flushing or a lone NaN decides) */
    GROUP_MISUSE    /* undefined behaviour: nothing after it can be judged */
};

/*
 * Result of participant i of everything but GROUP_ARITH on floats: out has n_results elements.
 * r: rules of RULE_COPY for an exchange and of RULE_GROUP_MINMAX for AllEqual where fmt >= 0, else
 * NULL; a value whose bits are not protected by them is the caller's business (value_copy), the
 * answer is the source's bits.
 */
enum group_answer group_answer(const struct group_call *c, uint32_t i, const struct rules *r,
                               uint64_t *out);
/*
 * Participant from which i's result of a GROUP_MOVE comes: an index into c->index, or
 * GROUP_FROM_NOBODY (undefined: inactive, out of range, or not covered by the text),
 * GROUP_FROM_OTHER (c->other of i itself), GROUP_FROM_UNKNOWN (depends on an id, delta, mask or
 * index that is not known; a value that is not known does not matter here), GROUP_FROM_ZERO (an
 * AMD swizzle from an inactive lane: 0, defined), GROUP_FROM_MISUSE (as GROUP_MISUSE).
 */
enum {
    GROUP_FROM_NOBODY = -1,
    GROUP_FROM_OTHER = -2,
    GROUP_FROM_UNKNOWN = -3,
    GROUP_FROM_ZERO = -4,
    GROUP_FROM_MISUSE = -5
};
int group_source(const struct group_call *c, uint32_t i);
/*
 * Is i's result of a GROUP_ARITH defined at all, whatever the values? GROUP_IS; GROUP_MISUSE for a
 * bad ClusterSize; GROUP_ANYTHING in a last cluster that is not full. group_answer asks this
 * itself; who judges a float sum, product, min or max asks it before group_get_span.
 */
enum group_answer group_check(const struct group_call *c, uint32_t i);
/* First participant and one past the last whose values go into i's result of a GROUP_ARITH:
 * all, those up to i, those below i, or those of i's cluster. */
void group_get_span(const struct group_call *c, uint32_t i, uint32_t *first, uint32_t *end);
/* Integer or logical GROUP_ARITH over values[n] of n_bits: the identity where n is 0. */
uint64_t group_reduce_integer(uint32_t op, unsigned n_bits, const uint64_t *values, uint32_t n);
/* The identity of a GROUP_ARITH on n_bits (fmt >= 0: a float, +0 for a sum). */
uint64_t group_identity(uint32_t op, int fmt, unsigned n_bits);

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
