/* oracle/fault/faults_atomic.h -- planted faults of atomics: decides from the description of one
 * dynamic atomic whether a fault can act there, and changes what the atomic writes and returns. */
#pragma once

#include "base/format.h"
#include "oracle/fault/faults.h"
#include "oracle/modorder/mo.h"

/* One dynamic atomic as the simulated device does it. */
struct fault_site {
    enum mo_op op;
    bool is_float, is_used;
    enum fmt_id fmt;
    unsigned n_bits;
    uint64_t original, operand;
    bool has_before; /* another invocation's update came just before: */
    uint64_t before; /* the value before that */
    uint32_t local_index, group;
    bool has_neighbour, free_neighbour;
    bool has_product; /* the operand is product[0] * product[1], rounded, and must be */
    uint64_t product[2];
    bool has_wide_scope;              /* Device or CrossDevice */
    bool is_after_other_group;        /* has_before, and it was of another work-group */
    bool is_local;                    /* the location is in the work-group's memory */
    bool is_hole;                     /* no clause permits it: what it does wrong is no violation */
    uint32_t component, n_components; /* of a vector, of which this is one number's update */
    bool is_physical;                 /* by an address */
    uint32_t back_bytes; /* of an image: from the same texel of its first layer, face or slice on */
    uint64_t other_operand; /* of the next component, of the last one the first's */
};
/* What the device does; filled with the honest effect before a fault acts. */
struct fault_effect {
    bool writes;
    uint64_t value, returned;
    bool to_next; /* the value goes to the next element */
    bool to_first_layer;
    bool spills; /* the next element is overwritten too */
    bool parts;  /* others may come before the next component */
};

/* May a fault be about the atomic instruction of this number? */
bool fault_fits_operation(enum fault_id id, uint32_t op);
/* What an atomic instruction does, as faults tell them apart: integer operations are all one. */
enum mo_op fault_get_mo_op(uint32_t op);
/* Can the fault act at this site at all, by its columns? */
bool fault_fits(enum fault_id id, const struct fault_site *s);
/* Is the new value computed from what the location held before its last update, or with the operand of another
 * component? Then *s has these, and the caller computes it. */
bool fault_computes_otherwise(enum fault_id id, struct fault_site *s);
/* Does it look at the last update before? */
bool fault_looks_back(enum fault_id id);
/* Does it write to another memory location than its own? */
bool fault_goes_astray(enum fault_id id);
/* Change the effect; false when it changes nothing here (no NaN for a NaN fault, and so on). */
bool fault_change(enum fault_id id, const struct fault_site *s, struct fault_effect *effect);
/* Does the fault act at every site of its instruction that fits, not at one? */
bool fault_is_systematic(enum fault_id id);
/* Is what it writes to be looked up in the permitted set? (A wrong number, not a lost update.) */
bool fault_changes_value(enum fault_id id);
