/* oracle/explain/explain_group.h -- one dynamic instance of a group instruction of a device that is taken to have a fault.
 *
 * The fault may affect one of several participants, so there are several choices of what it gives. Each observed result
 * strikes out the choices that do not explain it (explain_group_see); an instance is explained while a choice is alive. A
 * fault whose participants share one unknown value is checked for agreement after the first interpretation
 * (explain_group_settle). */
#pragma once

#include "oracle/explain/hypothesis.h"
#include "oracle/fault/faults_group.h"
#include "oracle/math/rules.h"

/* What was observed of one result. */
enum explain_sight {
    SIGHT_NONE,
    SIGHT_PERMITTED, /* a right value */
    SIGHT_TAKEN,     /* a value that the fault may give */
    SIGHT_DIFFERS    /* two different values */
};
/* A result that the fault has not given, as was found after the first interpretation: of all participants of an
 * instance, or of one. */
struct explain_refused {
    const struct mod_inst *in;
    uint32_t member;      /* the first participant of the instance */
    uint32_t nth;         /* which instance of the instruction with that first participant it is */
    uint32_t participant; /* UINT32_MAX: all */
    struct explain_refused *next;
};

/* One dynamic instance that the fault fits, whose operands are all known. */
struct explain_group {
    const struct mod_inst *in;
    const struct ruleset *rs;
    struct fault_group_site site;
    struct group_call call;  /* site.call is here */
    const struct val *right; /* [n * n_results] the results without the fault */
    const uint32_t *members; /* [n] global indices of the participants */
    bool is_uncomposed;      /* the sub-groups of the work-group are not known */
    uint32_t
        n_choices; /* which participant the fault affects, and what else it does not determine */
    unsigned char *alive; /* [n_choices] the choice explains all that was observed */
    uint32_t *before; /* [n_results] the participant of which this component was observed last */
    uint32_t n_seen;  /* observed values */
    uint32_t n_wrong; /* of these, values that are explained and not permitted */
    uint32_t
        nth; /* number of earlier instances of the instruction with the same first participant */
    uint64_t
        *got; /* [n * n_results] observed values, of a fault whose participants share one value */
    enum explain_sight *sight; /* [n * n_results] of the same faults */
    struct explain_group *next;
};

/* Adds the instance, if the fault fits it, and a note for each of its results. The caller sets the fields from `in`
 * to `is_uncomposed`. */
void explain_group(struct hypothesis *s, struct exec *x, const struct explain_group *instance);
/* That component of that participant's result was observed to be `got`; is_permitted: that is right. Strikes out the
 * choices of g that do not explain it. true: a choice explains it together with all that was observed before. */
bool explain_group_see(const struct hypothesis *s, struct exec *x, struct explain_group *g,
                       uint32_t participant, uint32_t component, uint64_t got, bool is_permitted);
/* The interpretation has ended: refuses results of the fault that contradict each other. true: the case must be
 * interpreted again, with these refusals, or with the values of other invocations, for a hypothesis of the chain. */
bool explain_group_settle(struct hypothesis *s, struct exec *x);
void explain_group_count(struct hypothesis *s, const struct explain_group *g);
static inline const struct explain_group *explain_group_next(const struct explain_group *g)
{
    return g->next;
}
