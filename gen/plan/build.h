/* gen/plan/build.h -- the state of one case in the making. */
#pragma once

#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/plan/cells.h"
#include "gen/plan/gen.h"
#include "gen/plan/math_plan.h"
#include "gen/plan/plan_groups.h"
#include "gen/plan/shape.h"
#include "gen/tape/grammar.h"

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

enum {
    BUILD_MAX_VALUES = 96,    /* in scope at once; older ones stay, newer ones are not remembered */
    BUILD_MAX_ROWS = 384,     /* of inputs */
    BUILD_MAX_DYNAMIC = 3072, /* atomic operations of an ordinary case, all invocations */
    BUILD_MAX_DYNAMIC_LARGE = 16384, /* of one with 1024 items */
    BUILD_MAX_ITERATIONS = 8,        /* of nested loops together, the hot one aside */
    BUILD_MAX_INSTRUCTIONS = 1200    /* of the typed program */
};

/* Whether a value is the result of an instruction under test. */
enum value_origin {
    NOT_RESULT,
    RESULT_OF_ATOMIC,
    RESULT_OF_GROUP
};
struct value {
    struct ir_inst *inst;
    enum value_origin origin;
    int is_probed;
};

/* Rows of inputs: `n_rows` rows of one number per item. */
struct input_rows {
    struct input what;
    uint32_t first, n_rows;
    unsigned width; /* 0, 1, 2: 16, 32, 64 bits */
};

/* Why some invocations may not come to a group operation; masks are bits. */
enum group_mask {
    MASK_OF_LANE = 1,
    MASK_OF_DATA = 2,
    MASK_OF_RESULT = 4,
    MASK_OF_SUBGROUP = 8,
    MASK_OF_TRIPS = 16,
    MASK_OF_ELSE = 32,
    MASK_OF_RETURN = 64,
    MASK_OF_GUARD = 128,
    IN_UNIFORM_ARM = 256, /* these two keep nobody away */
    IN_UNIFORM_LOOP = 512
};

struct build {
    enum profile profile;
    enum env env;
    struct arena *a;
    struct ir_program p;
    struct gen_info info;

    /* plan */
    enum dispatch_style style;
    enum dispatch_edge edge;
    uint32_t n_items, n_groups, n_live;
    uint32_t n_local;   /* items of a full work-group */
    uint32_t min_local; /* local indices from 0 on that every work-group has */
    uint32_t hot_trips;
    int hot_by_lane;
    int is_apart;            /* no two items meet at a cell */
    int has_rendezvous;      /* do work-groups wait for each other before the hot loop? */
    uint32_t max_statements; /* at the top level */
    int has_barriers;
    int plain_inputs;
    unsigned types; /* bit per float width: those the case may use */
    unsigned probe_percent;
    uint32_t max_dynamic;
    const char *build_options;
    struct cells cells[GRAMMAR_MAX_CELLS];
    uint32_t n_cells;
    struct group_plan group;
    struct math_plan math;

    /* progress */
    struct ir_block *block;
    struct value values[BUILD_MAX_VALUES];
    uint32_t n_values;
    struct input_rows rows[BUILD_MAX_ROWS];
    uint32_t n_rows;
    uint32_t in_var[3], in_rows[3]; /* variable or NO_VAR; rows so far */
    uint32_t out_var[3], out_rows[3];
    uint32_t rendezvous_var;   /* counter of work-groups that came, or NO_VAR */
    struct ir_inst *row_step;  /* iteration * n_items within loops, else NULL */
    struct ir_inst *iteration; /* of the nest, 0 .. n_iterations-1, else NULL */
    uint32_t n_iterations;
    uint32_t depth;   /* of blocks */
    int is_uniform;   /* does the whole work-group come here, always? */
    int may_return;   /* may single invocations leave: no barrier follows */
    uint32_t dynamic; /* atomic operations so far, all invocations */
    uint32_t n_built; /* statements and operands, against BUILD_MAX_INSTRUCTIONS */

    /* group operations */
    struct ir_inst *subgroup, *lane, *size; /* SubgroupId, SubgroupLocalInvocationId, SubgroupSize;
                                             * NULL where no sub-group is asked for */
    struct ir_inst *here[4];   /* Ballot(true) of this block with nothing between, else NULL */
    struct ir_inst *ballot[4]; /* some ballot in scope, or NULL */
    unsigned masks;            /* enum group_mask of the constructs around */
    uint32_t n_masks;          /* of these that may keep somebody away */
    unsigned gone;             /* MASK_OF_RETURN, MASK_OF_GUARD: some may have left for good */
    int is_arm;                /* first in an arm of a branch that the whole work-group came to? */
    int found_result;          /* did an operand turn out to be the result of a group operation? */
};
#define NO_VAR UINT32_MAX

static inline void build_set_shape(struct build *b, enum shape s)
{
    b->info.shapes |= UINT64_C(1) << s;
}
static inline void build_set_group_shape(struct build *b, enum group_shape s)
{
    b->info.group_shapes |= UINT64_C(1) << s;
}
static inline void build_set_math_shape(struct build *b, enum math_shape s)
{
    b->info.math_shapes |= UINT64_C(1) << s;
}
/* Does the whole work-group come here, and has nobody left? */
static inline int build_is_full(const struct build *b)
{
    return b->is_uniform && b->gone == 0;
}
/* A branch, a call or a barrier: who was here need not be who is here. */
static inline void build_forget_here(struct build *b)
{
    b->here[0] = NULL;
}
/* Nothing but zeros and what the arguments say; NULL when the arena is full. */
struct build *build_new(enum profile profile, enum env env, struct arena *a);
/* One of n weights, from the next record; a zero record gives the first that is not 0. */
unsigned build_draw(struct tape *t, const uint8_t *weights, unsigned n, enum tape_role role);
/* 0, 1, 2 for 16, 32, 64 bits. */
unsigned build_width(enum ir_type t);
