/* gen/plan/build.h -- the state of one case in the making, between plan.c, body.c and the others. */
#pragma once

#include "gen/plan/gen.h"
#include "gen/tape/grammar.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/plan/shape.h"

enum cell_place {
    PLACE_GLOBAL,
    PLACE_WORKGROUP,
    PLACE_IMAGE,
    PLACE_TEXEL
};

/* Which cell an invocation goes to. */
enum cell_index {
    INDEX_OWN,   /* that of its global (or local) index: private */
    INDEX_FIXED, /* a constant */
    INDEX_MOD,   /* its index modulo the number of cells */
    INDEX_GROUP, /* that of its work-group: nobody else's */
    INDEX_DATA   /* loaded data modulo the number of cells */
};

/* What happens at a contended cell: chosen so that the outcome can be judged sharply. */
enum cell_policy {
    POLICY_USED,        /* any mix, every result is used and probed */
    POLICY_EXACT_ADDS,  /* unused adds whose sum is exact in any order */
    POLICY_MINMAX,      /* unused min, or unused max */
    POLICY_UNUSED_HEAD, /* as USED, but stores and exchanges may be unused */
    POLICY_RANDOM_ADDS  /* unused adds of anything: only a bound can be checked */
};

enum op_mask {
    MASK_LS = 1,
    MASK_ADD = 2,
    MASK_MINMAX = 4
};

struct cells {
    enum ir_type type;
    enum cell_place place;
    enum cell_index index;
    enum cell_policy policy;
    int contended, generic, bits_form, is_max;
    int distinct; /* EXACT_ADDS of distinct powers of two */
    uint32_t n_cells, var, scope;
    unsigned ops;         /* enum op_mask */
    uint32_t ops_left;    /* EXACT_ADDS: dynamic operations that still fit */
    uint32_t n_sites;     /* instructions so far */
    uint32_t n_ops;       /* the same, times invocations and iterations */
    struct input operand; /* EXACT_ADDS */
    struct input initial;
};

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
    int is_on;
    enum group_rare rare;
    unsigned gates; /* bit i: instructions of enum legal_gate i */
    int has_clusters, has_vectors, is_bare;
    int by_workgroup; /* the scope of the work-group alone: no sub-group is asked for */
    int has_atomics;
    int wants_full, is_full; /* Vulkan: full sub-groups are required */
    unsigned integers;       /* enum op_types, bool among them */
    unsigned floats;         /* as `types` of the build */
    uint32_t max_cluster;    /* no sub-group is smaller, as far as can be known */
    uint8_t types[OP_N];     /* enum op_types that an instruction may work on; 0: it is not used */
};

/* Which mathematics a case may hold. */
struct math_plan {
    int is_on;
    int is_main;      /* it is what the case is about: no cells, no group operations */
    int is_decorated; /* with max errors */
    int is_illegal;   /* some where they mean nothing, or are not allowed */
    int has_fast_math, has_rounding;
};

/* The group operation that stands next. */
struct group_choice {
    enum op_id op;
    enum legal_gate gate;
    enum ir_type type;
    uint32_t scope, operation, cluster, n;
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
    int meets;               /* do work-groups wait for each other before the hot loop? */
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
    uint32_t meet_var;         /* counter of work-groups that came, or NO_VAR */
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
/* One of n weights, from the next record; a zero record gives the first that is not 0. */
unsigned build_draw(struct tape *t, const uint8_t *weights, unsigned n, enum tape_role role);
/* 0, 1, 2 for 16, 32, 64 bits. */
unsigned build_width(enum ir_type t);

/* plan.c: all decisions that stand before the first statement. */
void plan_dispatch(struct build *b, struct tape *t);
void plan_modes(struct build *b, struct tape *t);
void plan_cells(struct build *b, struct tape *t);
/* plan_groups.c: what group operations there may be, before the dispatch; their types and rows, when
 * the modes are known. */
void plan_groups(struct build *b, struct tape *t);
void plan_group_size(struct build *b, uint64_t choice, uint64_t n_groups);
void plan_group_rows(struct build *b);
/* math_plan.c: what mathematics there may be; build options that only such cases have, or NULL. */
void plan_math(struct build *b, struct tape *t);
const char *plan_math_options(struct build *b, uint64_t choice);
/* cells.c */
void cells_plan_one(struct build *b, struct cells *c, struct tape *t, uint32_t number);

/* operand.c: values. Each may append instructions to b->block. */
struct ir_inst *operand_i32(struct build *b, uint32_t v);
/* x op y on 32-bit integers. */
struct ir_inst *operand_int(struct build *b, uint32_t op, struct ir_inst *x, struct ir_inst *y);
/* Decision number `at` of t is the seed of that: say so to whoever asks. */
void operand_note_input(const struct tape *t, unsigned at, const struct input *what);
/* Fresh rows of inputs, loaded for this invocation (and iteration, if `varies`). */
struct ir_inst *operand_load(struct build *b, const struct input *what, int varies);
/* The same as an integer. */
struct ir_inst *operand_load_bits(struct build *b, const struct input *what, int varies);
/* The first number of a fresh row: the same for all. */
struct ir_inst *operand_load_uniform(struct build *b, const struct input *what);
/* Reinterpret as type t of the same width. */
struct ir_inst *operand_cast(struct build *b, struct ir_inst *v, enum ir_type t);
/* What a node of the tape says, of float type t. */
struct ir_inst *operand_float(struct build *b, struct tape *t, enum ir_type type,
                              enum input_use use);
struct ir_inst *operand_integer(struct build *b, struct tape *t, enum ir_type type,
                                enum input_use use);
/* The same, and computed: at least one instruction. depth: of operands in operands. */
struct ir_inst *operand_computed(struct build *b, struct tape *t, enum ir_type type, int depth);
/* To which integer of 32 bits a float is converted. */
enum whole {
    WHOLE_SIGNED,
    WHOLE_UNSIGNED,
    WHOLE_BOTH /* one that either conversion takes */
};
/* A float of that type that is in the range of that integer whatever `bits` are: those bits, mostly without
 * their sign where the integer has none, if that is in range; else a number that `choice` picks. `bits` is an
 * integer that was loaded: unlike the bits of a computed float, which may be undefined and then others for
 * each use, it is one value. No rule of NaN, flushing or the sign of zero has a say. */
struct ir_inst *operand_fit(struct build *b, struct ir_inst *bits, enum ir_type type, enum whole to,
                            uint64_t choice);
/* The same for an encoding that is known here. */
uint64_t operand_fit_number(enum ir_type type, uint64_t enc, enum whole to, uint64_t choice);
/* v, which is in range, times a number between -1 and 1: in range as well, however it is rounded. */
struct ir_inst *operand_scale_down(struct build *b, struct ir_inst *v, enum whole to,
                                   uint64_t choice);
/* Store to a slot of its own per invocation and iteration. */
void operand_probe(struct build *b, struct ir_inst *v);
/* Probe it, unless it is a constant, loaded or probed already. */
void operand_probe_unless_known(struct build *b, struct ir_inst *v);
void operand_remember(struct build *b, struct ir_inst *v, enum value_origin origin, int is_probed);
/* The value in scope of that type that `choice` lands on, or NULL. */
struct ir_inst *operand_find(const struct build *b, enum ir_type type, uint64_t choice,
                             enum value_origin *origin);
/* May a value for that use be computed? Where contraction is permitted, what a computed value was is
 * not known from its probe. */
int operand_may_compute(const struct build *b, enum input_use use);
/* One of the float types that the case may use. */
enum ir_type operand_pick_type(const struct build *b, uint64_t choice);

/* atomics.c */
void atomics_put(struct build *b, struct tape *t, int hot);
void atomics_put_initial(struct build *b); /* of work-group cells, with the barrier */
void atomics_put_final(struct build *b);   /* read them back */

/* groups.c: the built-ins and their probes; a statement of group operations. */
void groups_put_prologue(struct build *b);
void groups_put(struct build *b, struct tape *t);
/* group_pick.c: may some group operation stand here? May some stand in an arm that not all take? */
int groups_may_stand(const struct build *b);
int groups_may_be_partial(const struct build *b);
/* Facts of an instruction; which one stands next, 0 if nothing may stand here. */
int group_has_operation(enum op_id op);
int group_reads_ballot(enum op_id op);
int group_is_float_sum(const struct group_choice *c); /* or product */
int group_is_product(enum op_id op);
int group_pick(struct build *b, struct tape *t, struct group_choice *out);
/* group_operand.c: value, second operand and pattern of c into x, which has the rest. Returns whether
 * the result is defined for sure. */
int group_put_operands(struct build *b, struct tape *t, const struct group_choice *c,
                       struct ir_group *x);
/* What a probe of v stores: v, or an i32 that tells it. */
struct ir_inst *group_view(struct build *b, struct ir_inst *v);

/* math.c: a statement of mathematics; those of a block. */
void math_put(struct build *b, struct tape *t);
void math_put_block(struct build *b, struct tape *t);

/* condition.c: x op y; a condition, with *mask (enum group_mask) set to who stays away; one on data. */
struct ir_inst *condition_compare(struct build *b, uint32_t op, struct ir_inst *x, uint32_t y);
struct ir_inst *condition_put(struct build *b, struct tape *t, unsigned *mask);
struct ir_inst *condition_data(struct build *b, uint64_t choice);

/* meet.c: lanes 0 wait, in bounds, until two work-groups are here. */
void meet_put(struct build *b, uint64_t seed);

/* body.c */
void body_put_hot_loop(struct build *b, struct tape *t);
void body_put(struct build *b, struct tape *hot, struct tape *body, struct tape *math);
