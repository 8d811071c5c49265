/* oracle/sim/faults.h -- planted faults: which there are, and at what they can act. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "oracle/tables/tables.h"

enum fault_id {
#define FAULT(id, ...) FAULT_##id,
#include "oracle/sim/faults.def"
    FAULT_NONE /* the control */
};
enum {
    FAULT_N = 0
#define FAULT(...) +1
#include "oracle/sim/faults.def"
};
struct fault_row {
    const char *id;
    enum verdict_kind expect; /* VERDICT_OK: a legal oddity that must not alarm */
    enum clause_id clause;
    const char *text;
};
extern const struct fault_row fault_rows[FAULT_N];

/* Is it a fault of group instructions? Of arithmetic and mathematical functions? Else of atomics. */
int fault_is_of_groups(enum fault_id id);
int fault_is_of_math(enum fault_id id);
/* Of these, only where instructions have decorations. */
int fault_is_of_decorations(enum fault_id id);

/* A fault and where it may act. */
struct fault_plan {
    enum fault_id id;
    int op, type,
        storage;    /* row of ops.def, enum val_type, enum storage (oracle/judge/judge.h) of the
                            * instructions it acts at; -1: any */
    int everywhere; /* at all dynamic sites that fit, like a driver that has it; else at one */
    uint32_t
        conditions; /* bit i: condition i of oracle/sim/hard_fault.h holds there; 0: none is asked */
};
int fault_find(const char *name); /* row by name, FAULT_NONE for "none", or -1 */
/* At one site of any instruction that it fits. */
struct fault_plan fault_plan_of(enum fault_id id);

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

struct fault_detail {
    unsigned ops, types, where;
};
extern const struct fault_detail fault_details[FAULT_N];
