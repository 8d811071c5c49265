/* oracle/judge_groups/subgroup.h -- which invocations form a sub-group, and which of them execute a group instruction
 * together.
 *
 * No text says which invocations a device puts into one sub-group, so the composition is read from the ids that the device
 * has stored, and checked against what the texts demand (CLAUSE_SUBGROUP_IDS, CLAUSE_SUBGROUP_SIZE). Who of a sub-group
 * executes an instruction together follows from the control flow (oracle/interp/tangle.h) and, after divergence, from a
 * ballot that the device has answered (CLAUSE_GROUP_PARTICIPANTS). The steps grow with the square of the work-group's size. */
#pragma once

#include "oracle/interp/tangle.h"
#include "oracle/judge_state/judge_state.h"

enum {
    JUDGE_LANE_IDS = 5
};
/* What is known of one invocation of the work-group. */
struct judge_lane {
    /* SubgroupId, SubgroupLocalInvocationId, SubgroupSize, SubgroupMaxSize, NumSubgroups as loaded; abs 0: never */
    struct val id[JUDGE_LANE_IDS];
    uint32_t probe_buf[3]; /* where the run stores the first three ids; NO_PROBE: nowhere */
    uint32_t probe_byte[3];
    uint32_t local, size, max_size; /* their values, once composed; max_size 0: not known */
    struct val ballot[4];           /* of the last Ballot(true) */
    uint32_t ballot_block;          /* 1 + number of the block of that ballot; 0: none */
};

/* Invocations that execute one dynamic instance together, ascending by id within the sub-group. */
struct participants {
    uint32_t n;
    uint32_t *lane;  /* [n] indices of invocations of the work-group */
    uint32_t *index; /* [n] SubgroupLocalInvocationId, or linear id in the work-group */
    uint32_t size;   /* SubgroupSize, or number of invocations of the work-group */
    int is_partial;  /* does the sub-group have invocations that are not among them? */
    int is_known;    /* 0: they are those that may take part; which of them do is not known */
};

/* A value that only the device can tell, with the reason; UNCONFINED_NONE: by its nature. The observed value is taken
 * as it is. */
struct val judge_unknown(struct judge *j, enum unconfined_kind why);
/* The invocation loads a built-in variable of sub-groups. 0 and x->stop: the built-in is not interpreted. */
int subgroup_load(struct judge *j, const struct invocation *inv, uint32_t builtin, struct val *out);
/* The value v was stored at p as it is. Keeps p if v is an id of the invocation. */
void subgroup_note_probe(struct judge *j, const struct invocation *inv, struct val v,
                         struct location p);
/* Forgets what was known of the invocations of the previous work-group. */
void subgroup_reset(struct judge *j, uint32_t n);
/*
 * Forms the sub-groups of the n invocations of the work-group from their observed ids, into inv[].subgroup and
 * j->groups.lanes; done once per work-group. A composition that no device may have is a finding. 0: the composition
 * is not known.
 */
int subgroup_compose(struct judge *j, struct invocation *inv, uint32_t n);
/*
 * Is a work-group of n invocations one sub-group, whatever ids its invocations have? One invocation is. In OpenCL all
 * sub-groups but the last have the required size (CA 3.2.1), so that n up to that size make one. In Vulkan sub-groups
 * may be filled in part, unless full ones are required (V pipelines): then n of just that size do.
 */
bool subgroup_is_one(const struct judge *j, uint32_t n);
/* SubgroupMaxSize of a kernel's work-group of n invocations; 0: not known. */
uint32_t subgroup_max_size(const struct judge *j, uint32_t n);
/*
 * The invocations at the site s that execute its instruction together with invocation `first`; out->is_known 0: those
 * that may. The arrays of out are the caller's, [s->n]. inv: the n invocations of the work-group.
 */
void subgroup_participants(struct judge *j, const struct invocation *inv, uint32_t n,
                           const struct tangle_site *s, uint32_t first, struct participants *out);
