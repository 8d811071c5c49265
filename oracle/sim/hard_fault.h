/* oracle/sim/hard_fault.h -- conditions of hard faults, which show only where several conditions hold together:
 * drawn by a seed, and checked for a site. */
#pragma once

#include "base/format.h"
#include "oracle/fault/faults.h"

enum hard_condition {
#define CONDITION(id, ...) CONDITION_##id,
#include "oracle/sim/condition.def"
};
enum {
    CONDITION_N = 0
#define CONDITION(...) +1
#include "oracle/sim/condition.def"
};
struct condition_row {
    const char *id, *text;
};
extern const struct condition_row condition_rows[CONDITION_N];

enum hard_id {
#define HARD(id, ...) HARD_##id,
#include "oracle/sim/hard_fault.def"
};
enum {
    HARD_N = 0
#define HARD(...) +1
#include "oracle/sim/hard_fault.def"
};
struct hard_row {
    const char *id, *profile; /* profile: by name, of cases that have such sites */
    enum fault_id base;       /* what goes wrong there; its verdict and its clause */
    int op, type, storage;    /* as in struct fault_plan */
    uint32_t conditions;
    const char *text;
};
extern const struct hard_row hard_rows[HARD_N];

/* Row by name, or -1. */
int hard_find(const char *name);
/* Wherever its conditions hold, like a driver that has it. */
struct fault_plan hard_plan_of(enum hard_id id);

/* Classes of encodings, as a set. */
#define HARD_CLASS(name) (1U << FP_CLASS_##name)
enum {
    HARD_MINUS_ZERO = 1 << 8
};
/* The class of one encoding; of -0, HARD_MINUS_ZERO too. */
unsigned hard_class_of(enum fmt_id fmt, uint64_t enc);

/* One dynamic site as conditions see it; what does not apply to its instruction is 0. */
struct hard_site {
    unsigned operand;     /* classes of the operands, in a group of all who take part */
    unsigned memory;      /* class of what an atomic on floats finds */
    unsigned result;      /* class of the right result */
    uint32_t local_index; /* of the invocation; of a group instruction, of the first one */
    int is_in_loop, is_in_else, is_in_function;
    int is_contended, is_unused; /* of an atomic */
    int has_wide_scope, is_after_other_group, is_local;
    uint32_t n_absent;                /* others of the sub-group that do not take part */
    int is_cut;                       /* the sub-group has fewer invocations than lanes */
    uint32_t cluster;                 /* ClusterSize */
    uint32_t component, n_components; /* of a float instruction or a group's value */
    int is_decorated, is_directed;
};
/* Do all the conditions of a set (bit i is enum hard_condition i) hold? */
int hard_holds(uint32_t conditions, const struct hard_site *s);
