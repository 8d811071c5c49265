/* oracle/explain/explain_group.h -- a group instruction of a device that is taken to have a fault. */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_group.h"
#include "oracle/math/rules.h"

enum explain_sight {
    SIGHT_NONE,
    SIGHT_PERMITTED,
    SIGHT_TAKEN,  /* the fault may give it */
    SIGHT_DIFFERS /* of one value two things were seen */
};
/* What the fault did not give: of an instance all, or what one participant got. */
struct explain_refused {
    const struct mod_inst *in;
    uint32_t member,
        nth; /* the first participant, and the instance of the instruction that it takes part in */
    uint32_t participant; /* UINT32_MAX: all */
    struct explain_refused *next;
};

/* One dynamic instance that the fault fits, whose operands are all known. What the fault gives is asked as
 * soon as results are seen: who it happened to must explain all of them. */
struct explain_group {
    const struct mod_inst *in;
    const struct ruleset *rs;
    struct fault_group_site site;
    struct group_call call;  /* site.call is here */
    const struct val *right; /* [n * n_results] what is permitted without it */
    const uint32_t *members; /* [n] invocations by their number in the dispatch */
    bool is_uncomposed;      /* of a work-group: nobody knows the sub-groups */
    uint32_t n_choices;      /* who it happens to, and what else is open */
    unsigned char *alive;    /* [n_choices] choices that explain all that was seen */
    uint32_t
        *before; /* [n_results] the participant that was seen last, and of him this component */
    uint32_t n_seen,
        n_wrong;   /* values that were seen, and of these, explained ones that are not permitted */
    uint32_t nth;  /* instance of this instruction by these invocations */
    uint64_t *got; /* [n * n_results] of a fault whose participants have one value in common: */
    enum explain_sight *sight; /* what was seen */
    struct explain_group *next;
};

/* Adds the instance, whose fields from `in` to `is_uncomposed` are set (site.leftover is looked up), and notes for all its results,
 * if the fault fits it. */
void explain_group(struct hypothesis *s, struct exec *x, const struct explain_group *instance);
/* Component k of participant i was seen to be `got`. true: a choice explains it with all seen before. */
bool explain_group_see(const struct hypothesis *s, struct exec *x, struct explain_group *g,
                       uint32_t i, uint32_t k, uint64_t got, bool is_permitted);
/* The case was interpreted to its end: what does not go together is refused. true: the case has to be interpreted again,
 * with what others had, for a hypothesis of the chain. */
bool explain_group_settle(struct hypothesis *s, struct exec *x);
void explain_group_count(struct hypothesis *s, const struct explain_group *g);
static inline const struct explain_group *explain_group_next(const struct explain_group *g)
{
    return g->next;
}
