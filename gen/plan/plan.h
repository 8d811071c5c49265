/* gen/plan/plan.h -- plans, by the tape, what is decided before the program: dispatch, modes, bindings, group
 * operations. */
#pragma once

#include "base/ops.h"
#include "gen/ir/ir.h"
#include "gen/tape/tape.h"

struct build;

enum dispatch_style {
    STYLE_TINY,
    STYLE_HOT,
    STYLE_WIDE,
    STYLE_LARGE
};
enum dispatch_edge {
    EDGE_NONE,
    EDGE_GUARD,
    EDGE_NONUNIFORM
};

/* How many invocations run, and how many iterations the hot loop has. */
struct dispatch_plan {
    enum dispatch_style style;
    enum dispatch_edge edge;
    uint32_t n_items, n_groups;
    uint32_t n_live;    /* items that a guard lets through; without one all */
    uint32_t n_local;   /* items of a full work-group */
    uint32_t min_local; /* local indices from 0 on that every work-group has */
    uint32_t hot_trips;
    bool hot_by_lane; /* does each invocation have its own number of trips? */
    uint64_t told;    /* draws which built-in of the dispatch is probed, where there are several */
    bool has_rendezvous; /* do work-groups wait for each other before the hot loop? */
};

/* What holds for the whole module and its numbers. */
struct mode_plan {
    unsigned types;       /* bit per float width: those the case may use */
    unsigned sweep_types; /* the same of sweeps (piece_sweep_put), which have no atomics */
    bool plain_inputs;
    bool wants_buffer_block; /* Vulkan: buffers of the older form */
    const char *build_options;
};

/* How much the body may hold, and of what. */
struct body_plan {
    uint32_t max_statements; /* at the top level */
    uint32_t max_atomics;    /* operations, all invocations */
    unsigned probe_percent;
    bool has_barriers;
};

/* What is seldom needed: mostly one such thing a case, or none, so that it is seen also where the rest is plain. */
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
    bool by_amd; /* do OpGroup* reductions come by SPV_AMD_shader_ballot? */
    uint64_t
        amd_seed; /* of the operations at the end that this extension brings; 0: there are none */
    bool by_workgroup; /* the scope of the work-group alone: no sub-group is asked for */
    bool has_atomics;
    bool wants_full, is_full; /* Vulkan: full sub-groups are required */
    unsigned integers;        /* enum op_types, bool among them */
    unsigned floats;          /* as `types` of the build */
    uint32_t max_cluster;     /* no sub-group is smaller, as far as can be known */
    uint8_t types[OP_N];      /* enum op_types that an instruction may work on; 0: it is not used */
};

/* In which sets buffers stand, and how many rows of inputs stand in memory that nobody writes. */
struct binding_plan {
    unsigned constant_percent, push_percent; /* of rows that may be there */
    enum ir_type push_type;
    uint32_t push_first; /* bytes before the push constants that are read */
    uint64_t seed;       /* by which each row is drawn */
    uint64_t sets;       /* two bits for each buffer, from the lowest on */
};

/* What group operations there may be; the dispatch; the modes. In this order. */
void plan_groups(struct build *b, struct tape *t);
void plan_dispatch(struct build *b, struct tape *t);
void plan_dispatches(struct build *b, struct tape *t);
void plan_modes(struct build *b, struct tape *t);
void plan_bindings(struct build *b, struct tape *t);
/* Buffers get the sets that were planned, when all of them are there. */
void plan_put_sets(struct build *b);
/* Goes on with the leaf of plan_dispatches. */
void plan_local_size(struct build *b, struct tape *t);
/* Types and rows of group operations, when dispatch and modes are known. */
void plan_group_rows(struct build *b);
