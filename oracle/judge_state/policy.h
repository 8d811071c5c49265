/* oracle/judge_state/policy.h -- what a judgement permits besides what the specifications permit.
 *
 * The judge calls a policy at each site of the interpretation (enum policy_site_kind), where the policy may widen the
 * permitted values. The judge asks the policy before it reports a value, a missing store, the order of a location, or
 * a changed byte. The judge does not know what the policy stands for: oracle/explain has policies of devices with a
 * known fault. The policy of the specifications alone adds nothing. */
#pragma once

#include "oracle/judge_state/judge_state.h"

struct group_site;   /* oracle/judge_groups/group_site.h */
struct value_result; /* oracle/value/value.h */

enum policy_site_kind {
    SITE_BLOCK,      /* the invocation has entered a block, and has its phis */
    SITE_RESULT,     /* a float instruction has its `result`, which is not yet in registers */
    SITE_PROPAGATED, /* a decorated phi, load, call or copy of an integer has `component` of its result in *out; it had `value` */
    SITE_LOADED,     /* a load has *out */
    SITE_STORE,      /* `value` is about to be stored */
    SITE_PROBE, /* `value` is stored to a probe; is_unchanged: the word is the same as before the dispatch */
    SITE_ACCESS, /* the last event is an access to `cell`, whose value is still that of before */
    SITE_ATOMIC, /* the last event is `component` of an atomic, which has been executed */
    SITE_GROUP_START, /* the participants of `group` have reached a group instruction */
    SITE_GROUP        /* the participants of `group` have its results in their registers */
};
/* A point of the interpretation. Fields that the kind does not name are 0. */
struct policy_site {
    enum policy_site_kind kind;
    struct invocation *inv; /* NULL where a group is meant */
    const struct mod_inst *in;
    struct location location; /* of an access to memory, of n_bits */
    unsigned n_bits;
    uint32_t component;
    bool is_unchanged;
    struct val value;
    struct val *out;             /* may be widened */
    struct value_result *result; /* may be widened */
    const struct cell *cell;
    const struct group_site *group;
};

/* What a policy says of an observed value; bits. */
enum policy_answer {
    POLICY_PERMITS = 1, /* it is permitted */
    POLICY_FORBIDS = 2, /* it lies in a widened set, but is none of the values that were added */
    POLICY_UNSEEN = 4   /* the word holds another value: nothing is known of this one */
};
/* What a policy says of a store that is missing. */
enum policy_lost {
    LOST_UNEXPLAINED,
    LOST_STORE,     /* this store alone */
    LOST_INVOCATION /* the invocation does nothing from this program point on */
};

/* Each function gets `state`. A function that is NULL adds nothing; policy_begin to policy_guards ask for it. The functions may change the judge's state only by widening values
 * (oracle/explain/hypothesis.h), by marking instructions as contended, and by stopping the interpretation. */
struct judge_policy {
    void *state;
    /* An interpretation of the case begins. false: the arena is full. */
    bool (*begin)(void *state, struct judge *j);
    /* The interpretation has ended. true: the case must be interpreted again, with what the policy knows now. */
    bool (*end)(void *state, struct judge *j);
    /* The interpretation is at `site`. */
    void (*site)(void *state, struct judge *j, const struct policy_site *site);
    /* The value v was observed (o); is_permitted: the specifications permit it; is_agreed: no other invocation that
     * shares the result was observed to have another value. Bits of enum policy_answer. */
    unsigned (*value)(void *state, struct judge *j, const struct observed *o, struct val v,
                      bool is_permitted, bool is_agreed);
    /* The invocation has not stored a word that it should store. */
    enum policy_lost (*lost)(void *state, struct judge *j, const struct invocation *inv);
    /* An order of the accesses (p) to a contended cell exists, or (is_broken) none. *is_explained: report nothing. */
    enum res (*order)(void *state, struct judge *j, const struct cell *c,
                      const struct mo_problem *p, bool is_broken, bool *is_explained,
                      struct err *e);
    /* Byte `at` of a buffer has changed, which nothing writes. true: that is permitted. */
    bool (*byte)(void *state, struct judge *j, uint32_t buf, uint32_t at);
    /* Bytes around the buffers have changed. true: that is permitted. */
    bool (*guards)(void *state, struct judge *j);
};

static inline bool policy_begin(const struct judge_policy *p, struct judge *j)
{
    return !p->begin || p->begin(p->state, j);
}
static inline bool policy_end(const struct judge_policy *p, struct judge *j)
{
    return p->end && p->end(p->state, j);
}
static inline void policy_tell(const struct judge_policy *p, struct judge *j,
                               const struct policy_site *site)
{
    if (p->site) {
        p->site(p->state, j, site);
    }
}
static inline unsigned policy_value(const struct judge_policy *p, struct judge *j,
                                    const struct observed *o, struct val v, bool is_permitted,
                                    bool is_agreed)
{
    return p->value ? p->value(p->state, j, o, v, is_permitted, is_agreed) : 0;
}
static inline enum policy_lost policy_lost(const struct judge_policy *p, struct judge *j,
                                           const struct invocation *inv)
{
    return p->lost ? p->lost(p->state, j, inv) : LOST_UNEXPLAINED;
}
static inline enum res policy_order(const struct judge_policy *p, struct judge *j,
                                    const struct cell *c, const struct mo_problem *problem,
                                    bool is_broken, bool *is_explained, struct err *e)
{
    *is_explained = false;
    return p->order ? p->order(p->state, j, c, problem, is_broken, is_explained, e) : RES_OK;
}
static inline bool policy_byte(const struct judge_policy *p, struct judge *j, uint32_t buf,
                               uint32_t at)
{
    return p->byte && p->byte(p->state, j, buf, at);
}
static inline bool policy_guards(const struct judge_policy *p, struct judge *j)
{
    return p->guards && p->guards(p->state, j);
}
