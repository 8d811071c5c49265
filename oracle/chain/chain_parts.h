/* oracle/chain/chain_parts.h -- what the parts of the chain check share; only chain*.c include it. */
#pragma once

#include "oracle/chain/chain.h"

/* Value of the location between two events. */
enum chain_state_kind {
    STATE_VALUE, /* exactly `bits` */
    STATE_NAN,   /* some NaN; the next observation tells which */
    STATE_ANY    /* unknown: after an operation whose operand is unknown */
};
struct chain_state {
    uint64_t bits; /* of STATE_VALUE; STATE_NAN: 1 when it may be a signalling one; else 0 */
    enum chain_state_kind kind;
};

/* Which results a step may have. The WRONG ones name a mistake when they alone explain a chain. */
enum chain_policy {
    POLICY_PLAIN,          /* nearest (or toward zero where that is the rule), nothing flushed */
    POLICY_FULL,           /* all that the rules permit */
    POLICY_WRONG_NAN,      /* min and max give the NaN */
    POLICY_WRONG_ZERO,     /* -0 and +0 are the same */
    POLICY_WRONG_SWAP,     /* min for max and the reverse */
    POLICY_WRONG_TRUNCATE, /* sums are rounded toward zero */
    POLICY_WRONG_FLUSH,    /* subnormal sums become zero */
    POLICY_WRONG_SATURATE  /* sums stop at the largest finite value */
};

enum {
    CHAIN_MAX_HEADS = 12,       /* per step; a correct sum has at most 4 */
    CHAIN_SEARCH_WORK = 400000, /* events looked at per search: some 30 ms, which few chains need */
    CHAIN_SEARCH_MEMO = 1 << 18, /* positions remembered per search: 2 MiB */
    CHAIN_SEARCH_POOL = 1 << 18, /* candidates waiting in one search */
    CHAIN_WALK_SCAN = 24,        /* equal candidates compared per step of the walk */
    CHAIN_MATCH_WORK = 4000000,  /* edges looked at by the matching */
    CHAIN_JOIN_WORK = 40000,     /* pairs looked at when parts are joined */
    CHAIN_ORDERS_TRIED = 256,    /* random orders of unused additions */
    CHAIN_ORDERS_WORK = 1 << 11, /* steps spent on them */
    CHAIN_ORDERS_MAX_N = 64      /* of more additions than that only the bound is checked */
};
#define CHAIN_NONE UINT32_MAX

struct chain_heads {
    uint32_t n;
    int is_complete; /* 0: there are more, so that "no order" is not proven */
    struct chain_state s[CHAIN_MAX_HEADS];
};

/* A problem made ready: events in canonical form, queues of program order, dense phases. */
struct chain_job {
    const struct chain_problem *p;
    const struct chain_event *events; /* the problem's, or a copy with all zeros positive */
    uint32_t n;
    struct arena *a;
    const struct float_format *format; /* of a float location */
    enum chain_policy policy;
    int zero_blind; /* the sign of zero is free: all zeros are +0 */
    int sees_flush; /* an original may come back flushed */
    uint64_t initial, final;
    uint32_t n_queues;
    uint32_t *queue;   /* first event of each invocation */
    uint32_t *next;    /* next event of the same invocation, or CHAIN_NONE */
    uint32_t *n_after; /* events of the invocation after this one */
    uint32_t n_phases;
    uint32_t *phase;    /* dense, of each event; NULL when there is one only */
    uint32_t n_unknown; /* events with an unknown original, loads apart */
    uint32_t n_no_operand;
};

static inline struct chain_state chain_value(uint64_t bits)
{
    return (struct chain_state){bits, STATE_VALUE};
}
/* An event that nothing can be said of: a load that nobody saw. */
static inline int chain_is_idle(const struct chain_event *e)
{
    return e->op == CHAIN_LOAD && !e->knows_original;
}

/* Some NaN, taken to be the one of these bits: unless that is a signalling one and it is not, for
 * then it is seen so, but acts as a quiet one. */
static inline struct chain_state chain_choose_nan(const struct chain_job *j,
                                                  struct chain_state some, uint64_t bits)
{
    return some.bits == 0 && format_is_snan(j->format, bits) ? some : chain_value(bits);
}

/* chain_step.c: what an event sees and leaves. */
/* May e happen in state v? Then 1, and the state as it now turns out to have been. */
int chain_see(const struct chain_job *j, const struct chain_event *e, struct chain_state v,
              struct chain_state *seen);
/* States that e may leave, `seen` being the one before; duplicates removed. */
void chain_step(const struct chain_job *j, const struct chain_event *e, struct chain_state seen,
                struct chain_heads *out);
/* Is `bits`, read after all events, what state v may read as? */
int chain_ends_at(const struct chain_job *j, struct chain_state v, uint64_t bits);
int chain_is_float_op(enum chain_op op); /* FADD, FMIN or FMAX */

/* chain_graph.c: the multigraph of edges original -> value left; degrees and connection. */
enum graph_answer {
    GRAPH_EXISTS, /* a trail exists; program order and phases not considered */
    GRAPH_NONE,   /* no trail exists: proven */
    GRAPH_MAYBE   /* the necessary conditions hold */
};
struct chain_graph {
    enum graph_answer answer;
    uint32_t n_vertices;
    uint64_t *value; /* of each vertex */
    uint32_t *table; /* hash table of vertex + 1 */
    uint64_t table_mask;
    uint32_t *tail, *head; /* per event: vertex or CHAIN_NONE */
    uint8_t *is_multi;     /* per event: several heads; `head` is the matching's choice */
    int32_t *need;         /* per vertex: originals less values left */
    uint32_t start, end;   /* vertices of initial and final, or CHAIN_NONE */
    uint32_t n_lost;       /* values left that nothing ever sees */
    int has_flushed;       /* a zero that was seen may have been a subnormal */
    uint32_t stray;        /* an event of a part that cannot be reached, or CHAIN_NONE */
};
MUST_USE enum res chain_graph_make(const struct chain_job *j, struct chain_graph *g, struct err *e);
uint32_t chain_graph_find(const struct chain_graph *g, uint64_t bits); /* or CHAIN_NONE */

/* chain_walk.c: one try, without turning back, at a full order that keeps program order. */
struct chain_order {
    uint32_t n;      /* events placed */
    uint32_t *event; /* all events that are not idle, when found */
    int is_found;
    struct chain_state stopped; /* where the walk ended */
    uint8_t *last_way;          /* per event: the way to the end, to be taken last at its vertex */
    uint32_t blocked; /* an event that fits `stopped` but waits for its predecessor, or NONE */
};
MUST_USE enum res chain_walk(const struct chain_job *j, const struct chain_graph *g,
                             struct chain_order *o, struct err *e);

/* chain_trail.c: pieces whose inner order is forced, and an order of them: found, or nothing
 * said. */
MUST_USE enum res chain_trail(const struct chain_job *j, const struct chain_graph *g,
                              const uint8_t *last_way, struct chain_order *o, struct err *e);

/* chain_search.c: exhaustive search within a budget. */
enum search_answer {
    SEARCH_FOUND,
    SEARCH_NONE,
    SEARCH_OUT
};
enum search_keeps {
    KEEPS_ALL,
    KEEPS_PROGRAM_ORDER,
    KEEPS_NOTHING
};
struct search_limits {
    enum search_keeps keeps;
    int64_t work;            /* events looked at before it gives up */
    int is_quick;            /* leave out what is only worth it in a long search, and leave what
                              * the matching chose where there is a choice: proves nothing */
    uint32_t try_number;     /* other ties than before, the more so the higher */
    const uint8_t *last_way; /* of a walk, or NULL */
};
MUST_USE enum res chain_search(const struct chain_job *j, const struct chain_graph *g,
                               const struct search_limits *lim, enum search_answer *answer,
                               struct chain_order *o, struct err *e);

/* chain_sum.c: cells whose updates were not observed. */
enum sum_answer {
    SUM_NO,     /* nothing to say about these events */
    SUM_OK,     /* the final value is the only possible one, or an order was found */
    SUM_INSIDE, /* the final value keeps the bound */
    SUM_WRONG   /* the final value is impossible; expected is then the one, if there is one */
};
struct chain_sum {
    enum sum_answer answer;
    int is_exact; /* `expected` is the only possible final value */
    uint64_t expected;
};
void chain_sum_check(const struct chain_job *j, struct chain_sum *out);

/* chain_blame.c: the name of what is wrong; fills kind, clause, suspects, values and text. */
MUST_USE enum res chain_blame(struct chain_job *j, const struct chain_graph *g,
                              struct chain_answer *out, struct err *e);
void chain_blame_sum(const struct chain_job *j, const struct chain_sum *s,
                     struct chain_answer *out);
