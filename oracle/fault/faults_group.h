/* oracle/fault/faults_group.h -- planted faults of group instructions: decides whether a fault can act at a call,
 * and changes its participants, its instruction and operands, or the results that it returns. */
#pragma once

#include "oracle/fault/faults.h"
#include "oracle/group/group.h"

/* One dynamic group instruction of those who execute it together. Borrowed. */
struct fault_group_site {
    const struct group_call *call;
    uint32_t group;           /* of the dispatch */
    bool is_else;             /* in a block entered where a condition is false */
    bool is_branched;         /* fault_has_barrier_in_branch */
    const uint32_t *subgroup; /* [call->n] */
    const uint64_t *stale;    /* [n * n_results] what the result's registers held before */
    const uint64_t *leftover; /* [n * n_results] what the first work-group got; NULL: nothing */
    /* Who does not take part: n_mates of the sub-group, then those of the other sub-groups. */
    uint32_t n_mates, n_others;
    const uint32_t *other_index; /* [n_others] within their sub-groups */
    const uint64_t *other_value; /* [n_others * n_components] */
    /* The participant that it happens to, where it happens to one; else one is drawn. */
    bool is_chosen;
    uint32_t chosen;
};
/* What comes of it; `result` holds the honest results before a fault acts. */
struct group_effect {
    uint64_t *result;       /* [n * n_results] */
    struct group_call call; /* what the device does instead, */
    uint32_t *from;         /* [n] and whose result of it each gets; UINT32_MAX: his honest one */
};
enum group_change {
    GROUP_CHANGES_NOTHING,
    GROUP_CHANGES_RESULTS, /* they are in effect->result */
    GROUP_CHANGES_CALL     /* effect->call is to be executed and its results distributed */
};

/* Is this a product of floats? An inclusive or exclusive scan? */
static inline bool fault_is_product(uint32_t op)
{
    return op == SpvOpGroupFMulKHR || op == SpvOpGroupNonUniformFMul;
}
bool fault_is_scan(const struct group_call *c);
/* The last n_bits. */
static inline uint64_t fault_cut(uint64_t v, unsigned n_bits)
{
    return n_bits >= 64 ? v : v & ((UINT64_C(1) << n_bits) - 1);
}
/* Does the fault happen to one participant, which another run may choose otherwise? */
bool fault_chooses_one(enum fault_id id);
/* Does it take in values that nothing tells? */
bool fault_takes_chance(enum fault_id id);
/* Can it act at this group instruction? */
bool fault_fits_group(enum fault_id id, const struct fault_group_site *s);
/* Change a copy of the call, or the results. `a` takes what is new. */
enum group_change fault_change_group(enum fault_id id, const struct fault_group_site *s,
                                     struct rng *r, struct arena *a, struct group_effect *effect);
