/* oracle/faults.h -- planted faults: where they can act and what they do to one atomic. */
#ifndef HALFULP_ORACLE_FAULTS_H
#define HALFULP_ORACLE_FAULTS_H

#include "base/format.h"
#include "oracle/chain.h"
#include "oracle/sim.h"

/* Columns of faults.def. */
enum fault_ops {
    FAULT_LOAD = 1,
    FAULT_STORE = 2,
    FAULT_EXCH = 4,
    FAULT_CMPX = 8,
    FAULT_ADD = 16,
    FAULT_MIN = 32,
    FAULT_MAX = 64,
    FAULT_INT = 128
};
enum fault_types {
    FAULT_F16 = 1,
    FAULT_F32 = 2,
    FAULT_F64 = 4,
    FAULT_INTEGER = 8
};
enum fault_where {
    FAULT_USED = 1,           /* the result is used */
    FAULT_UNUSED = 2,         /* it is not */
    FAULT_SHARED = 4,         /* another invocation updated the location just before */
    FAULT_OTHER_LANES = 8,    /* not the first invocation of its work-group */
    FAULT_SECOND_GROUP = 16,  /* of the second work-group */
    FAULT_HAS_NEIGHBOUR = 32, /* another element follows in the same object */
    FAULT_FREE_NEIGHBOUR = 64 /* bytes follow that nothing accesses */
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
};
/* What the device does; filled with the honest effect before a fault acts. */
struct fault_effect {
    int writes;
    uint64_t value, returned;
    int to_next; /* the value goes to the next element */
    int spills;  /* the next element is overwritten too */
};

struct fault_detail {
    unsigned ops, types, where;
};
extern const struct fault_detail fault_details[FAULT_N];

/* Can the fault act at this site at all, by its columns? */
int fault_fits(enum fault_id id, const struct fault_site *s);
/* Change the effect; 0 when it changes nothing here (no NaN for a NaN fault, and so on). */
int fault_change(enum fault_id id, const struct fault_site *s, struct fault_effect *effect);
/* Does the fault act at every site of its instruction that fits, not at one? */
int fault_is_systematic(enum fault_id id);
/* Is what it writes to be looked up in the permitted set? (A wrong number, not a lost update.) */
int fault_changes_value(enum fault_id id);

#endif
