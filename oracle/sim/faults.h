/* oracle/sim/faults.h -- planted faults: where they can act and what they do to one atomic or one group
 * instruction. */
#pragma once

#include <stdbool.h>

#include "base/format.h"
#include "oracle/chain/chain.h"
#include "oracle/group/group.h"
#include "oracle/sim/sim.h"

/* Columns of faults.def. */
enum fault_ops {
    FAULT_LOAD = 1,
    FAULT_STORE = 2,
    FAULT_EXCH = 4,
    FAULT_CMPX = 8,
    FAULT_ADD = 16,
    FAULT_MIN = 32,
    FAULT_MAX = 64,
    FAULT_INT = 128,
    FAULT_SUMS = 1 << 8,       /* float sums and products over a group */
    FAULT_EXTREMES = 1 << 9,   /* float min and max */
    FAULT_WHOLES = 1 << 10,    /* reductions of integers and bools */
    FAULT_VOTES = 1 << 11,     /* All, Any */
    FAULT_EQUAL = 1 << 12,     /* AllEqual */
    FAULT_ELECT = 1 << 13,     /* and so on by name: */
    FAULT_BALLOT = 1 << 14,    /* Ballot alone */
    FAULT_COUNT = 1 << 15,     /* BallotBitCount */
    FAULT_FIND = 1 << 16,      /* BallotFindLSB, BallotFindMSB */
    FAULT_EXTRACT = 1 << 17,   /* BallotBitExtract */
    FAULT_BROADCAST = 1 << 18, /* by id and of the first */
    FAULT_SHUFFLE = 1 << 19,
    FAULT_XOR = 1 << 20,
    FAULT_RELATIVE = 1 << 21, /* ShuffleUp, ShuffleDown */
    FAULT_ROTATE = 1 << 22,
    FAULT_QUAD = 1 << 23,
    FAULT_SWIZZLE = 1 << 24,
    FAULT_MASKED = 1 << 25, /* SwizzleInvocationsMaskedAMD */
    FAULT_WRITE = 1 << 26,
    FAULT_MBCNT = 1 << 27,
    FAULT_FUNC = 1 << 28,   /* instructions of the extended sets of functions */
    FAULT_ARITH = 1 << 29,  /* core arithmetic on floats, Dot included */
    FAULT_CONVERT = 1 << 30 /* conversions to floats */
};
#define FAULT_COMPARE (1U << 31) /* comparisons of floats: no enumerator has this bit */
enum fault_types {
    FAULT_F16 = 1,
    FAULT_F32 = 2,
    FAULT_F64 = 4,
    FAULT_INTEGER = 8,
    FAULT_BOOL = 16
};
enum fault_where {
    FAULT_USED = 1,            /* the result is used */
    FAULT_UNUSED = 2,          /* it is not */
    FAULT_SHARED = 4,          /* another invocation updated the location just before */
    FAULT_OTHER_LANES = 8,     /* not the first invocation of its work-group */
    FAULT_SECOND_GROUP = 16,   /* of the second work-group */
    FAULT_HAS_NEIGHBOUR = 32,  /* another element follows in the same object */
    FAULT_FREE_NEIGHBOUR = 64, /* bytes follow that nothing accesses */
    FAULT_REDUCE = 128,        /* of group instructions: Reduce or ClusteredReduce */
    FAULT_SCAN = 256,          /* either scan */
    FAULT_EXCLUSIVE = 512,     /* ExclusiveScan */
    FAULT_CLUSTERED = 1024,    /* with a ClusterSize */
    FAULT_PARTIAL = 2048,      /* others of the sub-group do not take part */
    FAULT_SUBGROUP = 4096,     /* of scope Subgroup */
    FAULT_WORKGROUP = 8192,    /* of scope Workgroup */
    FAULT_ELSE = 16384,        /* in a block that is entered where a condition is false */
    FAULT_CUT = 32768,         /* the sub-group has fewer invocations than places */
    FAULT_HOLE = 65536,        /* of atomics: no clause permits the instruction (static_is_hole) */
    FAULT_INCLUSIVE = 131072   /* InclusiveScan */
};

/* One dynamic atomic as the simulated device does it. */
struct fault_site {
    enum chain_op op;
    int is_float, is_used;
    enum fmt_id fmt;
    unsigned n_bits;
    uint64_t original, operand;
    int has_before;  /* another invocation's update came just before: */
    uint64_t before; /* the value before that */
    uint32_t local_index, group;
    int has_neighbour, free_neighbour;
    bool has_product; /* the operand is product[0] * product[1], rounded, and must be */
    uint64_t product[2];
    bool is_hole; /* no clause permits it: what it does wrong is no violation */
};
/* What the device does; filled with the honest effect before a fault acts. */
struct fault_effect {
    int writes;
    uint64_t value, returned;
    int to_next; /* the value goes to the next element */
    int spills;  /* the next element is overwritten too */
};

/* One dynamic group instruction of those who execute it together. Borrowed. */
struct fault_group_site {
    const struct group_call *call;
    uint32_t group;           /* of the dispatch */
    int is_else;              /* in a block entered where a condition is false */
    const uint32_t *subgroup; /* [call->n] */
    const uint64_t *stale;    /* [n * n_results] what the result's registers held before */
    const uint64_t *leftover; /* [n * n_results] what the first work-group got; NULL: nothing */
    /* Who does not take part: n_mates of the sub-group, then those of the other sub-groups. */
    uint32_t n_mates, n_others;
    const uint32_t *other_index; /* [n_others] within their sub-groups */
    const uint64_t *other_value; /* [n_others * n_components] */
};
/* What comes of it; `result` holds the honest results before a fault acts. */
struct group_effect {
    uint64_t *result;       /* [n * n_results] */
    struct group_call call; /* what the device does instead, */
    uint32_t *from;         /* [n] and whose result of it each gets; UINT32_MAX: his honest one */
};
enum group_change {
    GROUP_CHANGES_NOTHING,
    GROUP_CHANGES_RESULTS, /* they are in effect->result */
    GROUP_CHANGES_CALL     /* effect->call is to be executed and its results handed out */
};

struct fault_detail {
    unsigned ops, types, where;
};
extern const struct fault_detail fault_details[FAULT_N];

/* Can the fault act at this site at all, by its columns? */
int fault_fits(enum fault_id id, const struct fault_site *s);
/* Can it act at this group instruction? */
int fault_fits_group(enum fault_id id, const struct fault_group_site *s);
/* oracle/sim/faults_group.c: change a copy of the call, or the results. `a` takes what is new. */
enum group_change fault_change_group(enum fault_id id, const struct fault_group_site *s,
                                     struct rng *r, struct arena *a, struct group_effect *effect);
/* Change the effect; 0 when it changes nothing here (no NaN for a NaN fault, and so on). */
int fault_change(enum fault_id id, const struct fault_site *s, struct fault_effect *effect);
/* Does the fault act at every site of its instruction that fits, not at one? */
int fault_is_systematic(enum fault_id id);
/* Is what it writes to be looked up in the permitted set? (A wrong number, not a lost update.) */
int fault_changes_value(enum fault_id id);
