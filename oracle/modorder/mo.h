/* oracle/modorder/mo.h -- one order of a location's atomics that explains all returned originals. */
#pragma once

#include "oracle/num/arith.h"
#include "oracle/tables/tables.h"

enum mo_op {
    MO_LOAD,
    MO_STORE,
    MO_EXCHANGE,
    MO_CMPXCHG,
    MO_FADD,
    MO_FMIN,
    MO_FMAX,
    MO_IADD,
    MO_ISUB,
    MO_SMIN,
    MO_UMIN,
    MO_SMAX,
    MO_UMAX,
    MO_AND,
    MO_OR,
    MO_XOR
};

/* One dynamic atomic on the location. */
struct mo_event {
    enum mo_op op;
    uint8_t knows_original; /* the returned value was observed (a load or RMW with a probe) */
    uint8_t knows_operand;  /* 0: the operand was not determined; the answer can't be OK then */
    uint32_t invocation;    /* program order within an invocation is the order of events[] */
    uint32_t group;         /* work-group, for the count of switches */
    uint32_t phase;         /* barriers passed by the group before this event, or its dispatch */
    uint32_t tag;           /* caller's: which instruction */
    uint64_t original, operand, comparator;
    /* Of an addition: the operand as it may come to it where it is not rounded before, outward.
     * Meaningful if has_range; used where the problem asks for it. */
    uint8_t has_range;
    uint64_t low, high;
};

struct mo_problem {
    int is_float;
    enum fmt_id fmt;       /* of a float location */
    unsigned n_bits;       /* of an integer location: 32 or 64 */
    struct fp_rules rules; /* of its width */
    int knows_initial, knows_final;
    uint64_t initial, final;
    int is_contracted; /* additions take any operand of their range, and round either way */
    int has_phases; /* barriers, or ends of dispatches, order all of the location's events: phase p before p+1 */
    const struct mo_event *events;
    uint32_t n_events;
};

enum {
    MO_MAX_SUSPECTS = 4
};
struct mo_answer {
    /* OK; ATOMICITY, ULP, NAN_RULE or ZERO_SIGN: no order explains it, the kind being the diagnosis
     * of the one broken link where there is just one (else ATOMICITY); ORDER: orders exist, none
     * keeps program order and phases; BOUNDED: only a necessary condition could be checked;
     * INCONCLUSIVE: a budget ran out */
    enum verdict_kind kind;
    enum clause_id clause;
    uint32_t n_suspects;
    uint32_t suspect[MO_MAX_SUSPECTS]; /* indices of events: ends of the broken links */
    uint64_t expected, got; /* of the first broken link: the value left, the value seen next */
    int has_values;         /* expected and got are meaningful */
    int is_of_final;        /* got is the final value, and any order ends at expected */
    int has_order;          /* a full order was found: n_switches is meaningful */
    uint32_t n_switches;    /* neighbours in that order of different groups */
    uint32_t n_groups;      /* distinct groups among the events */
    const char *text;       /* one sentence, in the arena */
};

/*
 * Decide. O(n) for the common cases (a forced walk with hashing), a trail per global policy
 * (RNE, RTZ; no flush, flush of results, flush of operands and results) where the rules leave
 * freedom, then matching, then search within a budget. numerics 2 has the argument.
 * RES_NOMEM when the arena is full.
 */
MUST_USE enum res mo_check(const struct mo_problem *p, struct arena *a, struct mo_answer *out,
                           struct err *e);
