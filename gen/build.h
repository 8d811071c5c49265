/* gen/build.h -- the state of one case in the making, between plan.c, body.c and the others. */
#ifndef HALFULP_GEN_BUILD_H
#define HALFULP_GEN_BUILD_H

#include "gen/gen.h"
#include "gen/grammar.h"
#include "gen/inputs.h"
#include "gen/ir.h"
#include "gen/legal.h"
#include "gen/shape.h"

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

struct value {
    struct ir_inst *inst;
    int is_result; /* of an atomic */
    int is_probed;
};

/* Rows of inputs: `n_rows` rows of one number per item. */
struct input_rows {
    struct input what;
    uint32_t first, n_rows;
    unsigned width; /* 0, 1, 2: 16, 32, 64 bits */
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
};
#define NO_VAR UINT32_MAX

static inline void build_set_shape(struct build *b, enum shape s)
{
    b->info.shapes |= UINT64_C(1) << s;
}
/* One of n weights, from the next record; a zero record gives the first that is not 0. */
unsigned build_draw(struct tape *t, const uint8_t *weights, unsigned n);
/* 0, 1, 2 for 16, 32, 64 bits. */
unsigned build_width(enum ir_type t);

/* plan.c: all decisions that stand before the first statement. */
void plan_dispatch(struct build *b, struct tape *t);
void plan_modes(struct build *b, struct tape *t);
void plan_cells(struct build *b, struct tape *t);
/* cells.c */
void cells_plan_one(struct build *b, struct cells *c, struct tape *t, uint32_t number);

/* operand.c: values. Each may append instructions to b->block. */
struct ir_inst *operand_i32(struct build *b, uint32_t v);
/* x op y on 32-bit integers. */
struct ir_inst *operand_int(struct build *b, uint32_t op, struct ir_inst *x, struct ir_inst *y);
/* Fresh rows of inputs, loaded for this invocation (and iteration, if `varies`). */
struct ir_inst *operand_load(struct build *b, const struct input *what, int varies);
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
/* Store to a slot of its own per invocation and iteration. */
void operand_probe(struct build *b, struct ir_inst *v);
/* Probe it, unless it is a constant, loaded or probed already. */
void operand_probe_unless_known(struct build *b, struct ir_inst *v);
void operand_remember(struct build *b, struct ir_inst *v, int is_result, int is_probed);
/* One of the float types that the case may use. */
enum ir_type operand_pick_type(const struct build *b, uint64_t choice);

/* atomics.c */
void atomics_put(struct build *b, struct tape *t, int hot);
void atomics_put_initial(struct build *b); /* of work-group cells, with the barrier */
void atomics_put_final(struct build *b);   /* read them back */

/* meet.c: lanes 0 wait, in bounds, until two work-groups are here. */
void meet_put(struct build *b, uint64_t seed);

/* body.c */
void body_put_hot_loop(struct build *b, struct tape *t);
void body_put(struct build *b, struct tape *t);

#endif
