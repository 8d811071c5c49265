/* gen/plan/plan_groups.h -- which group operations a case may use, and in what dispatch. */
#pragma once

#include "base/ops.h"
#include "gen/tape/tape.h"

struct build;

/* What few drivers have: one such thing a case, or none, so that each driver runs most cases. */
enum group_rare {
    RARE_NONE,
    RARE_FAMILY, /* of instructions */
    RARE_TYPES,
    RARE_MODES, /* of floats */
    RARE_SIZE,  /* required of the sub-group */
    RARE_FLOW,  /* promises of reconvergence */
    RARE_ATOMICS,
    RARE_ANY /* whatever comes */
};
enum {
    RARE_N = 8
};

/* What a case with group operations may use. */
struct group_plan {
    bool is_on;
    enum group_rare rare;
    unsigned gates; /* bit i: instructions of enum legal_gate i */
    bool has_clusters, has_vectors, is_bare;
    bool by_workgroup; /* the scope of the work-group alone: no sub-group is asked for */
    bool has_atomics;
    bool wants_full, is_full; /* Vulkan: full sub-groups are required */
    unsigned integers;        /* enum op_types, bool among them */
    unsigned floats;          /* as `types` of the build */
    uint32_t max_cluster;     /* no sub-group is smaller, as far as can be known */
    uint8_t types[OP_N];      /* enum op_types that an instruction may work on; 0: it is not used */
};

/* What group operations there may be. */
void plan_groups(struct build *b, struct tape *t);
/* Their types and rows, when dispatch and modes are known. */
void plan_group_rows(struct build *b);
