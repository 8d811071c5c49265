/* oracle/fault/faults.h -- the table of planted faults: the instructions, types and sites that each can act at,
 * and the verdict that it must get. Rows are in faults.def, bugs.def, bugs_group.def and flow.def. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "oracle/tables/tables.h"

enum fault_id {
#define FAULT(id, ...) FAULT_##id,
#include "oracle/fault/faults.def"
#define BUG(id, ...)        FAULT_##id,
#define BUG_OPEN(id, ...)   FAULT_##id,
#define BUG_NEAR(id, ...)   FAULT_##id,
#define BUG_AMONG(id, ...)  FAULT_##id,
#define BUG_OTHERS(id, ...) FAULT_##id,
#include "oracle/fault/bugs.def"
#define BUG_GROUP(id, ...)      FAULT_##id,
#define BUG_GROUP_OPEN(id, ...) FAULT_##id,
#include "oracle/fault/bugs_group.def"
#define FLOW(id, ...) FAULT_##id,
#include "oracle/fault/flow.def"
    FAULT_NONE /* the control, after all faults */
};
enum {
    FAULT_N = FAULT_NONE /* rows of the tables */
};
struct fault_row {
    const char *id;
    unsigned ops, types, where; /* sets of the enumerators below */
    enum verdict_kind expect;   /* VERDICT_OK: a legal oddity that must not alarm */
    enum clause_id clause;
    const char *text;
};
extern const struct fault_row fault_rows[FAULT_N];

/* Is it a fault of group instructions? Of arithmetic and mathematical functions? Of control flow
 * (oracle/fault/faults_flow.h)? Else of memory or of atomics. */
bool fault_is_of_groups(enum fault_id id);
bool fault_is_of_math(enum fault_id id);
bool fault_is_of_flow(enum fault_id id);
/* Of plain loads and stores, of their order around barriers, or of which entry point does them? */
bool fault_is_of_memory(enum fault_id id);
/* Of dispatches, and of no program point? */
bool fault_is_of_dispatches(enum fault_id id);
/* Of these of mathematics, only where instructions have decorations. */
bool fault_is_of_decorations(enum fault_id id);

/* A fault and where it may act. */
struct fault_plan {
    enum fault_id id;
    /* Of the instructions it acts at: row of ops.def, enum val_type, enum storage
     * (oracle/judge/judge.h); -1: any. */
    int op, type, storage;
    int everywhere; /* at all dynamic sites that fit, like a driver that has it; else at one */
    int unasked;    /* a legal oddity acts also where the oracle does not permit it */
    /* Bit i: condition i of oracle/sim/hard_fault.h holds there; 0: none is asked. */
    uint32_t conditions;
    /* k + 1: of the values that a bug of arithmetic has a choice of the k-th, whatever verdict that one has; 0: by chance,
     * and one that the fault's verdict is due to. */
    uint32_t choice;
    const struct fault_plan *next; /* of another fault that is there as well; NULL: none */
};
int fault_find(const char *name); /* row by name, FAULT_NONE for "none", or -1 */
/* At one site of any instruction that it fits. */
struct fault_plan fault_plan_of(enum fault_id id);

/* Columns of faults.def: on what instructions it acts, of what type, and at which of their sites. */
enum fault_ops {
    ON_LOAD = 1,
    ON_STORE = 2,
    ON_EXCH = 4,
    ON_CMPX = 8,
    ON_ADD = 16,
    ON_MIN = 32,
    ON_MAX = 64,
    ON_INT = 128,
    ON_SUMS = 1 << 8,       /* float sums and products over a group */
    ON_EXTREMES = 1 << 9,   /* float min and max */
    ON_WHOLES = 1 << 10,    /* reductions of integers and bools */
    ON_VOTES = 1 << 11,     /* All, Any */
    ON_EQUAL = 1 << 12,     /* AllEqual */
    ON_ELECT = 1 << 13,     /* and so on by name: */
    ON_BALLOT = 1 << 14,    /* Ballot alone */
    ON_COUNT = 1 << 15,     /* BallotBitCount */
    ON_FIND = 1 << 16,      /* BallotFindLSB, BallotFindMSB */
    ON_EXTRACT = 1 << 17,   /* BallotBitExtract */
    ON_BROADCAST = 1 << 18, /* by id and of the first */
    ON_SHUFFLE = 1 << 19,
    ON_XOR = 1 << 20,
    ON_RELATIVE = 1 << 21, /* ShuffleUp, ShuffleDown */
    ON_ROTATE = 1 << 22,
    ON_QUAD = 1 << 23,
    ON_SWIZZLE = 1 << 24,
    ON_MASKED = 1 << 25, /* SwizzleInvocationsMaskedAMD */
    ON_WRITE = 1 << 26,
    ON_MBCNT = 1 << 27,
    ON_FUNC = 1 << 28,   /* instructions of the extended sets of functions */
    ON_ARITH = 1 << 29,  /* core arithmetic on floats, Dot included */
    ON_CONVERT = 1 << 30 /* conversions to floats */
};
#define ON_COMPARE    (1U << 31) /* comparisons of floats: no enumerator has this bit */
#define ON_MATH       ((unsigned)ON_FUNC | (unsigned)ON_ARITH | (unsigned)ON_CONVERT)
#define ON_REDUCTIONS (ON_SUMS | ON_EXTREMES | ON_WHOLES)
#define ON_EXCHANGES  (ON_BROADCAST | ON_SHUFFLE | ON_XOR | ON_RELATIVE | ON_ROTATE | ON_QUAD)
enum fault_types {
    OF_F16 = 1,
    OF_F32 = 2,
    OF_F64 = 4,
    OF_BF16 = 8,
    OF_INTEGER = 16,
    OF_BOOL = 32,
    OF_ANY_FLOAT = OF_F16 | OF_F32 | OF_F64 | OF_BF16,
    OF_ANY_TYPE = OF_ANY_FLOAT | OF_INTEGER,
    OF_ANY_VALUE = OF_ANY_TYPE | OF_BOOL
};
enum fault_where {
    AT_ANYWHERE = 0,
    AT_USED = 1,              /* the result is used */
    AT_UNUSED = 2,            /* it is not */
    AT_SHARED = 4,            /* another invocation updated the location just before */
    AT_OTHER_LANES = 8,       /* not the first invocation of its work-group */
    AT_SECOND_GROUP = 16,     /* of the second work-group */
    AT_HAS_NEIGHBOUR = 32,    /* another element follows in the same object */
    AT_FREE_NEIGHBOUR = 64,   /* bytes follow that nothing accesses */
    AT_REDUCE = 128,          /* of group instructions: Reduce or ClusteredReduce */
    AT_SCAN = 256,            /* either scan */
    AT_EXCLUSIVE = 512,       /* ExclusiveScan */
    AT_CLUSTERED = 1024,      /* with a ClusterSize */
    AT_PARTIAL = 2048,        /* others of the sub-group do not take part */
    AT_SUBGROUP = 4096,       /* of scope Subgroup */
    AT_WORKGROUP = 8192,      /* of scope Workgroup */
    AT_ELSE = 16384,          /* in a block that is entered where a condition is false */
    AT_CUT = 32768,           /* the sub-group has fewer invocations than lanes */
    AT_HOLE = 65536,          /* of atomics: no clause permits the instruction (static_is_hole) */
    AT_INCLUSIVE = 131072,    /* InclusiveScan */
    AT_VECTOR = 262144,       /* of atomics: one component of a vector */
    AT_LAYER = 524288,        /* in an image, not in its first layer, face or slice */
    AT_PHYSICAL = 1048576,    /* in a buffer that is reached by its address */
    AT_PARTITIONED = 2097152, /* of group instructions: within one subset of a partition */
    AT_PARTITION = 4194304,   /* one that makes a partition: else a ballot */
    AT_BRANCHED = 8388608,    /* in a kernel with such an instruction or a barrier in a branch */
    AT_SHARED_MEMORY =
        16777216, /* a plain access to what several invocations come to; the row names no instruction */
    AT_OWN_MEMORY = 33554432, /* the same to an array of the function */
    AT_DISPATCHES =
        67108864, /* where several run the program, or a size is specialized; no instruction */
    AT_CONSTANT_MEMORY =
        134217728, /* a load from memory that nobody writes, or from a buffer of another set than 0 */
    AT_OTHER_ENTRY = 268435456 /* in a module of several entry points */
};
