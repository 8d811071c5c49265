/* oracle/judge_groups/subgroup.h -- which invocations form a sub-group, and which of them take part in a group
 * instruction: read from what the device stored, and checked. Semantics B6, D4. */
#pragma once

#include "oracle/interp/tangle.h"
#include "oracle/judge_state/judge_state.h"

/* What is known of one invocation of the work-group. */
struct judge_lane {
    /* SubgroupId, SubgroupLocalInvocationId, SubgroupSize, SubgroupMaxSize as loaded; abs 0: never */
    struct val id[4];
    uint32_t probe_buf[3],
        probe_byte[3];               /* where the run leaves the first three; NO_PROBE: nowhere */
    uint32_t local, size, max_size; /* their values, once composed; max_size 0: not known */
    struct val ballot[4];           /* of the last Ballot(true) */
    uint32_t ballot_block;          /* 1 + number of the block that it stands in; 0: none */
};

/* Invocations that execute one dynamic instance together, ascending by id within the sub-group. */
struct participants {
    uint32_t n;
    uint32_t *lane;  /* [n] indices of invocations of the work-group */
    uint32_t *index; /* [n] SubgroupLocalInvocationId, or linear id in the work-group */
    uint32_t size;   /* SubgroupSize, or number of invocations of the work-group */
    int is_partial;  /* are some invocations of the sub-group not among them? */
    int is_known;    /* 0: who takes part is not known: those that may */
};

/* One value, which the device alone can tell, and why that is so; UNCONFINED_NONE: by its nature. */
struct val judge_unknown(struct judge *j, enum unconfined_kind why);
/* A built-in variable of sub-groups in this invocation. 0 and x->stop when it is not interpreted. */
int subgroup_load(struct judge *j, const struct invocation *inv, uint32_t builtin, struct val *out);
/* The value was stored there as it is: if it is an id of the invocation, that place is kept. */
void subgroup_note_probe(struct judge *j, const struct invocation *inv, struct val v, struct location p);
/* Forget what was known of the invocations of the last work-group. */
void subgroup_reset(struct judge *j, uint32_t n);
/*
 * Sub-groups of the n invocations from their observed ids, into inv[].subgroup and j->groups.lanes; done
 * once per work-group. A composition that no device may have is a finding. 0: not known.
 */
int subgroup_compose(struct judge *j, struct invocation *inv, uint32_t n);
/*
 * Is a work-group of n invocations one sub-group, whatever ids its invocations have? One invocation is. In OpenCL all
 * sub-groups but the last have the required size (CA 3.2.1), so that n up to that size make one. In Vulkan sub-groups may be
 * filled in part, unless full ones are required (V pipelines): then n of just that size do.
 */
bool subgroup_is_one(const struct judge *j, uint32_t n);
/* SubgroupMaxSize of a kernel's work-group of n invocations; 0: not known. */
uint32_t subgroup_max_size(const struct judge *j, uint32_t n);
/*
 * Participants of the invocations of the site that share the sub-group of lane `first`: of all that
 * may take part (out->is_known 0: nobody knows which), or of the one tangle that `first` is in.
 * Arrays of out are the caller's, [site->n]. inv of n invocations.
 */
void subgroup_participants(struct judge *j, const struct invocation *inv, uint32_t n,
                           const struct tangle_site *s, uint32_t first, struct participants *out);
