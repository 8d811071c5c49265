/* oracle/group/group_call.h -- describes one dynamic group instruction: its participants with their lanes and
 * operands. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operands of all participants of one dynamic instance. Everything is borrowed. */
struct group_call {
    uint32_t op;        /* OP_NUMBER of its row */
    uint32_t operation; /* SpvGroupOperation, or GROUP_NO_OPERATION */
    uint32_t cluster;   /* ClusterSize; 0: none */
    bool
        is_partitioned; /* the participants are one subset of a partition, the operation is done within it */
    int is_workgroup; /* Execution scope is the work-group, else the sub-group */
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

/* Is the value of participant i known? Are its id, delta, mask, index and value to write? */
static inline int group_is_known(const struct group_call *c, uint32_t i)
{
    return !c->known || c->known[i];
}
static inline int group_is_second_known(const struct group_call *c, uint32_t i)
{
    return c->known_second ? c->known_second[i] : group_is_known(c, i);
}
/* Component k of participant i's value. */
static inline uint64_t group_value(const struct group_call *c, uint32_t i, uint32_t k)
{
    return c->value[(size_t)i * c->n_components + k];
}
/* Is this a size that a cluster may have: a power of two? */
static inline int group_is_power(uint32_t size)
{
    return size != 0 && (size & (size - 1)) == 0;
}
