/* oracle/modorder/mo_job.h -- the problem made ready: equal zeros, queues of program order, dense
 * phases. */
#pragma once

#include "oracle/modorder/mo.h"

#define MO_NONE UINT32_MAX

/* Value of the location between two events. */
enum mo_state_kind {
    STATE_VALUE, /* exactly `bits` */
    STATE_NAN,   /* some NaN; the next observation tells which */
    STATE_ANY    /* unknown: after an operation whose operand is unknown */
};
struct mo_state {
    uint64_t bits; /* of STATE_VALUE; STATE_NAN: 1 when it may be a signalling one; else 0 */
    enum mo_state_kind kind;
};

/* Which results a step may have. The WRONG ones name a mistake when they alone explain it. */
enum mo_policy {
    POLICY_PLAIN,          /* nearest (or toward zero where that is the rule), nothing flushed */
    POLICY_FULL,           /* all that the rules permit */
    POLICY_WRONG_NAN,      /* min and max give the NaN */
    POLICY_WRONG_ZERO,     /* -0 and +0 are the same */
    POLICY_WRONG_SWAP,     /* min for max and the reverse */
    POLICY_WRONG_TRUNCATE, /* sums are rounded toward zero */
    POLICY_WRONG_FLUSH,    /* subnormal sums become zero */
    POLICY_WRONG_SATURATE  /* sums stop at the largest finite value */
};

struct mo_job {
    const struct mo_problem *p;
    const struct mo_event *events; /* the problem's, or a copy with all zeros positive */
    uint32_t n;
    struct arena *a;
    const struct float_format *format; /* of a float location */
    enum mo_policy policy;
    int zero_blind; /* the sign of zero is free: all zeros are +0 */
    int sees_flush; /* an original may come back flushed */
    uint64_t initial, final;
    uint32_t n_queues;
    uint32_t *queue;   /* first event of each invocation */
    uint32_t *next;    /* next event of the same invocation, or MO_NONE */
    uint32_t *n_after; /* events of the invocation after this one */
    uint32_t n_phases;
    uint32_t *phase;    /* dense, of each event; NULL when there is one only */
    uint32_t n_unknown; /* events with an unknown original, loads apart */
    uint32_t n_no_operand;
    uint32_t n_groups;
};

MUST_USE enum res mo_job_make(const struct mo_problem *p, struct arena *a, struct mo_job *j,
                              struct err *e);

static inline struct mo_state mo_value(uint64_t bits)
{
    return (struct mo_state){bits, STATE_VALUE};
}
/* An event that nothing can be said of: a load that nobody saw. */
static inline int mo_is_idle(const struct mo_event *e)
{
    return e->op == MO_LOAD && !e->knows_original;
}

/* A full order that keeps program order, or where a try at one ended. */
struct mo_order {
    uint32_t n;      /* events placed */
    uint32_t *event; /* all events that are not idle, when found */
    int is_found;
    struct mo_state stopped; /* where the walk ended */
    uint8_t *last_way;       /* per event: the way to the end, to be taken last at its vertex */
    uint32_t blocked; /* an event that fits `stopped` but waits for its predecessor, or NONE */
};
