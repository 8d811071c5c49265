/* gen/plan/build.h -- the state of one case in the making: what the tape decided for all of it, and the program so
 * far. */
#pragma once

#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/cells.h"
#include "gen/plan/gen_info.h"
#include "gen/plan/math.h"
#include "gen/plan/plan.h"
#include "gen/plan/refusal.h"
#include "gen/shape/shape.h"
#include "gen/tape/grammar.h"
#include "gen/tape/profile.h"

enum {
    BUILD_MAX_VALUES = 96, /* in scope at once; older ones stay, newer ones are not remembered */
    BUILD_MAX_ROWS = 384,  /* of inputs */
    BUILD_MAX_CONSTANTS = 128,       /* rows of inputs that nobody writes */
    BUILD_MAX_ATOMICS = 3072,        /* atomic operations of an ordinary case, all invocations */
    BUILD_MAX_ATOMICS_LARGE = 16384, /* of one with 1024 items */
    BUILD_MAX_ITERATIONS = 8,        /* of nested loops together, the hot one aside */
    BUILD_LEAST_LOCAL = 1024,     /* bytes that memory of a work-group has on each OpenCL device */
    BUILD_MAX_INSTRUCTIONS = 1200 /* of the typed program */
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
    bool is_probed;
};

/* Rows of inputs: `n_rows` rows of one number per item. */
struct input_rows {
    struct input what;
    uint32_t first, n_rows;
    unsigned
        width; /* 0, 1, 2: 16, 32, 64 bits of memory for each; one of 16 bits in 32 is the lower half */
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

/* Where the next instruction goes and who comes there; the end of a block restores it all. */
struct flow {
    struct ir_block *block;
    struct ir_inst *row_step;  /* iteration * n_items within loops, else NULL */
    struct ir_inst *iteration; /* of the nest, 0 .. n_iterations-1, else NULL */
    uint32_t n_iterations;
    uint32_t n_values; /* of build.values, those in scope */
    uint32_t depth;    /* of blocks */
    bool is_uniform;   /* does the whole work-group come here, always? */
    bool is_arm;       /* first in an arm of a branch that the whole work-group came to? */
    unsigned masks;    /* enum group_mask of the constructs around */
    uint32_t n_masks;  /* of these that may keep somebody away */
};

/* Buffers of inputs and outputs by width (0, 1, 2: 16, 32, 64 bits): each row has a number per
 * item. */
struct buffer_rows {
    struct input_rows rows[BUILD_MAX_ROWS];
    uint32_t n_rows;
    uint32_t in_var[3], in_rows[3]; /* variable or NO_VAR; rows so far */
    uint32_t out_var[3], out_rows[3];
    uint32_t rendezvous_var; /* counter of work-groups that came, or NO_VAR */
    /* Bit v: in variable v invocations of a work-group exchange words; of these, those that atomics come to. */
    uint32_t exchanged, counted;
    uint32_t counter_var; /* counters that pieces have, or NO_VAR */
    uint32_t
        result_var[IR_TYPE_N]; /* cells of atomics whose results pieces use, by type, or NO_VAR */
};
#define NO_VAR UINT32_MAX

/* Numbers in memory that nobody writes, one after the other in its variable. */
struct constant_row {
    struct input what;
    uint32_t var, first, n;
};
struct constant_rows {
    struct constant_row rows[BUILD_MAX_CONSTANTS];
    uint32_t n_rows;
    uint32_t var[3]; /* by width, or NO_VAR */
    uint32_t push_var;
};

/* What is known of the sub-group. The first three are SubgroupId, SubgroupLocalInvocationId and
 * SubgroupSize, NULL where no sub-group is asked for. */
struct subgroup_values {
    struct ir_inst *id, *lane, *size;
    struct ir_inst
        *present[4];           /* Ballot(true) of this block with nothing between; [0] NULL: none */
    struct ir_inst *ballot[4]; /* some ballot in scope; [0] NULL: none */
};

/* What has been put so far; the end of a block leaves it as it is. */
struct progress {
    uint32_t n_atomics;         /* operations, all invocations */
    uint32_t n_long_iterations; /* of long loops, all invocations */
    uint32_t n_built;           /* statements and operands, against BUILD_MAX_INSTRUCTIONS */
    unsigned gone;              /* MASK_OF_RETURN, MASK_OF_GUARD: some may have left for good */
    bool found_group_result;    /* did an operand turn out to be the result of a group operation? */
};

struct build {
    enum profile profile;
    enum env env;
    struct arena *a;
    struct ir_program p;
    struct gen_info info;
    struct shape_set unwanted; /* a program that has one of them need not be finished */
    bool has_pieces;           /* is it a program of pieces? `profile` is that of its base */
    bool stores_all;           /* whatever is computed is probed (gen_stored_case) */

    /* decisions that stand before the program */
    struct dispatch_plan dispatch;
    struct mode_plan modes;
    struct body_plan body;
    struct group_plan group;
    struct math_plan math;
    struct binding_plan bindings;
    struct refusal refusal; /* of profile refusals */
    struct cells cells[GRAMMAR_MAX_CELLS];
    uint32_t n_cells;
    bool f16_vectors;   /* are cells of f16 vectors? */
    bool small_atomics; /* are most cells of bfloat16 or i16? */

    /* the program so far */
    struct flow flow;
    struct value values[BUILD_MAX_VALUES]; /* the first flow.n_values are in scope */
    struct buffer_rows io;
    struct constant_rows constants;
    struct subgroup_values subgroup;
    struct progress progress;
};

static inline void build_set_shape(struct build *b, enum shape s)
{
    shape_set_add(&b->info.shapes, s);
}
static inline void build_set_group_shape(struct build *b, enum group_shape s)
{
    b->info.group_shapes |= UINT64_C(1) << s;
}
static inline void build_set_math_shape(struct build *b, enum math_shape s)
{
    b->info.math_shapes |= UINT64_C(1) << s;
}
/* The same where it is so. */
static inline void build_set_shape_if(struct build *b, enum shape s, bool is_so)
{
    if (is_so) {
        build_set_shape(b, s);
    }
}
static inline void build_set_group_shape_if(struct build *b, enum group_shape s, bool is_so)
{
    b->info.group_shapes |= (uint64_t)is_so << s;
}
static inline void build_set_math_shape_if(struct build *b, enum math_shape s, bool is_so)
{
    b->info.math_shapes |= (uint64_t)is_so << s;
}
/* Bytes of the work-group's memory that the variables so far take. */
uint32_t build_count_local_bytes(const struct build *b);
/* Do no two items come to the same cell? */
static inline bool build_is_apart(const struct build *b)
{
    return b->profile == PROFILE_ARITH || b->profile == PROFILE_MAXERROR;
}
/* Does one cell see hundreds of operations? */
static inline bool build_has_hot_loop(const struct build *b)
{
    return b->dispatch.style == STYLE_HOT || b->dispatch.style == STYLE_LARGE;
}
/* May it have that need? */
static inline bool build_may(const struct build *b, enum need_id need)
{
    return legal_may(&b->p, need);
}
/* May it have numbers of that type? The bits of floats are also integers there. */
bool build_may_type(const struct build *b, enum ir_type type);
/* May operands have the type: one that the case may have, and of floats one that its body uses? */
bool build_may_operand(const struct build *b, enum ir_type type);
/* The float widths that it may have, as modes.types. */
unsigned build_get_widths(const struct build *b);
/* May the case use that float width? */
static inline bool build_has_width(const struct build *b, unsigned width)
{
    return b->modes.types >> width & 1;
}
/* May the case use the group instructions of that gate? */
static inline bool build_has_gate(const struct build *b, enum legal_gate gate)
{
    return b->group.gates >> gate & 1;
}
/* Does the whole work-group come here, and has nobody left? */
static inline bool build_is_full(const struct build *b)
{
    return b->flow.is_uniform && b->progress.gone == 0;
}
/* May more be put? Not where the case is full, or its arena, or has what is unwanted. */
static inline bool build_has_room(const struct build *b)
{
    return b->progress.n_built < BUILD_MAX_INSTRUCTIONS && b->p.ok &&
           !shape_sets_meet(&b->info.shapes, &b->unwanted);
}
/* A branch, a call or a barrier: who was here need not be who is here. */
static inline void build_forget_present(struct build *b)
{
    b->subgroup.present[0] = NULL;
}
/* Nothing but zeros and what the arguments say; NULL when the arena is full. */
struct build *build_new(enum profile profile, enum env env, const struct needs *allowed,
                        struct arena *a);
/* Index into n weights, chosen by `choice` with a chance in proportion to each; 0 gives the first
 * that is not 0. Their sum is not 0. */
unsigned build_pick(const uint8_t *weights, unsigned n, uint64_t choice);
/* The same by the next record. */
unsigned build_draw(struct tape *t, const uint8_t *weights, unsigned n, enum tape_role role);
/* 0, 1, 2 for 16, 32, 64 bits. */
unsigned build_width(enum ir_type t);
/* Is there room for one more variable, and in work-group memory for so many bytes? */
bool build_has_var_room(const struct build *b, uint32_t n_bytes);
