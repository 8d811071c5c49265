/* oracle/modorder/mo.h -- is there one order of the atomics on a memory location that explains all values that they returned?
 *
 * Computes, from the accesses of one location with their operands and the originals that were observed, an order in which
 * each access reads what its predecessor left, and which keeps program order and barriers; or a proof that there is none,
 * with the access that is to blame. Method: an order is an Euler path in the multigraph whose vertices are values and whose
 * edges are accesses. Stages from cheap to expensive (README.md): the degrees of the graph, a short search, a walk, a trail,
 * a long search, bounds of sums. Time: O(n) for most locations; at most a fixed budget per stage, after which the answer is
 * BOUNDED or INCONCLUSIVE.
 *
 * Words: an event is one dynamic access. An event sees a value when it reads the value, which is its original; it leaves the
 * value that the location has afterwards. */
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
    uint32_t tag;           /* the caller's number of the event */
    uint64_t original, operand, comparator;
    /* Of an addition that may be contracted with what computes its operand: the range of the unrounded operand,
     * rounded outward. Meaningful if has_range; used if the problem is_contracted. */
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
    /* OK: an order exists. ATOMICITY, ULP, NAN_RULE, ZERO_SIGN: no order exists; if exactly one step of the order is
     * broken, the kind says how, else it is ATOMICITY. ORDER: orders exist, but none keeps program order and phases.
     * BOUNDED: only a necessary condition could be checked, and it holds. INCONCLUSIVE: a budget was spent. */
    enum verdict_kind kind;
    enum clause_id clause;
    uint32_t n_suspects;
    uint32_t suspect[MO_MAX_SUSPECTS]; /* indices of events: the two ends of broken steps */
    uint64_t expected, got; /* of the first broken step: the value left, the value seen next */
    int has_values;         /* expected and got are meaningful */
    int is_of_final;        /* got is the final value, and every order ends at expected */
    int has_order;          /* an order was found: n_switches is meaningful */
    uint32_t n_switches;    /* neighbours in that order that are of different groups */
    uint32_t n_groups;      /* distinct groups among the events */
    const char *text;       /* one sentence, in the arena */
};

/* Decides the problem p, into *out. RES_NOMEM: the arena is full. */
MUST_USE enum res mo_check(const struct mo_problem *p, struct arena *a, struct mo_answer *out,
                           struct err *e);
