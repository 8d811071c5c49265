/* oracle/modorder/mo_job.h -- an order problem in the form that all stages work on: queues of program order, phases numbered
 * without gaps, counts of what is unknown, and zeros without sign where the rules make their sign free. O(n log n). */
#pragma once

#include "oracle/modorder/mo.h"

#define MO_NONE UINT32_MAX

/* The value of the location between two events. */
enum mo_state_kind {
    STATE_VALUE, /* exactly `bits` */
    STATE_NAN,   /* some NaN: the next event that sees it determines which */
    STATE_ANY    /* unknown: after an event whose operand is unknown */
};
struct mo_state {
    uint64_t bits; /* of STATE_VALUE; STATE_NAN: 1 when it may be a signalling one; else 0 */
    enum mo_state_kind kind;
};

/* Which results an event may have. The policies WRONG_* are mistakes of a device: if an order exists only under one
 * of them, the mistake is named (mo_blame.c). */
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

/* A hash table that numbers 64-bit keys 0, 1, 2... in the order of their insertion. */
struct mo_numbering {
    uint64_t *key;  /* by number */
    uint32_t *slot; /* the table: number + 1, or 0 where it is empty */
    uint64_t mask;  /* slots less one */
    uint32_t n;
};
/* Makes room for n_most keys. false: the arena is full. */
bool mo_numbering_make(struct mo_numbering *t, struct arena *a, uint32_t n_most);
uint32_t mo_numbering_find(const struct mo_numbering *t, uint64_t key); /* or MO_NONE */
uint32_t mo_numbering_add(struct mo_numbering *t, uint64_t key);        /* its number, old or new */

struct mo_job {
    const struct mo_problem *p;
    const struct mo_event *events; /* the problem's, or a copy with all zeros positive */
    uint32_t n;
    struct arena *a;
    const struct float_format *format; /* of a float location */
    enum mo_policy policy;
    bool zero_blind; /* the sign of a zero is free: all zeros are +0 */
    bool sees_flush; /* an original may be returned flushed */
    uint64_t initial, final;
    uint32_t n_queues;
    uint32_t *queue;   /* first event of each invocation */
    uint32_t *next;    /* next event of the same invocation, or MO_NONE */
    uint32_t *n_after; /* events of the invocation after this one */
    uint32_t n_phases;
    uint32_t *phase;       /* of each event, numbered without gaps; NULL: there is only one phase */
    uint32_t n_unknown;    /* events, without loads, whose original was not observed */
    uint32_t n_no_operand; /* events, without loads, whose operand is not known */
    uint32_t n_groups;
};

MUST_USE enum res mo_job_make(const struct mo_problem *p, struct arena *a, struct mo_job *j,
                              struct err *e);
/* Replaces all zeros by +0, in a copy of the events. false: the arena is full. */
bool mo_job_ignore_zero_signs(struct mo_job *j);
/* Allocates n_arrays arrays of n zeros each. false: the arena is full. */
bool mo_take_arrays(struct arena *a, size_t n, uint32_t **const *array, size_t n_arrays);

static inline uint32_t mo_phase_of(const struct mo_job *j, uint32_t event)
{
    return j->phase ? j->phase[event] : 0;
}
static inline struct mo_state mo_value(uint64_t bits)
{
    return (struct mo_state){bits, STATE_VALUE};
}
/* Is e a load whose result was not observed? It confines nothing, and is left out. */
static inline bool mo_is_idle(const struct mo_event *e)
{
    return e->op == MO_LOAD && !e->knows_original;
}

/* Doubly linked lists of numbers, each number in at most one. Heads and links are number + 1; 0 ends a
 * list. */
struct mo_links {
    uint32_t *up, *down; /* by number */
};
static inline void mo_links_push(struct mo_links *l, uint32_t *head, uint32_t number)
{
    l->up[number] = 0;
    l->down[number] = *head;
    if (*head != 0) {
        l->up[*head - 1] = number + 1;
    }
    *head = number + 1;
}
static inline void mo_links_remove(struct mo_links *l, uint32_t *head, uint32_t number)
{
    if (l->up[number] != 0) {
        l->down[l->up[number] - 1] = l->down[number];
    } else {
        *head = l->down[number];
    }
    if (l->down[number] != 0) {
        l->up[l->down[number] - 1] = l->up[number];
    }
}

/* A full order that keeps program order and phases, or where an attempt at one failed. */
struct mo_order {
    uint32_t n;      /* events placed */
    uint32_t *event; /* [n]: if is_found, all events that are not idle */
    bool is_found;
    struct mo_state stopped; /* the state at which the walk failed */
    uint8_t *last_way;       /* per event: the walk takes it last of those that see its value */
    uint32_t blocked; /* an event that fits `stopped` but waits for its predecessor, or MO_NONE */
};
