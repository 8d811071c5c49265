/* gen/plan/math.h -- plans the mathematics of a case and puts its statements, by the tape: math.def as a table,
 * max-error bounds. */
#pragma once

#include "gen/inputs/inputs.h"
#include "gen/tape/tape.h"

struct build;

/* What comes out, and what goes in beside floats. */
enum math_form {
    FORM_SAME,        /* as many components as the arguments */
    FORM_SCALAR,      /* one */
    FORM_WITH_INT,    /* an i32 follows, for each component */
    FORM_SCALAR_LAST, /* a scalar of the same type follows */
    FORM_TO_INT,      /* i32 */
    FORM_FROM_INT,    /* of an integer */
    FORM_NAN_CODE,    /* of an integer as wide as the result */
    FORM_CONVERT,     /* from another float type */
    FORM_OUT_SAME,    /* a second result of the same type through a pointer */
    FORM_OUT_INT,     /* an i32 through a pointer */
    FORM_STRUCT_SAME, /* a struct of two of the same type */
    FORM_STRUCT_INT   /* a struct of it and an i32 */
};
enum math_lengths {
    LENGTHS_ANY,
    LENGTHS_VEC,
    LENGTHS_GEO,
    LENGTHS_CROSS
};

struct math_row {
    enum op_id op;
    uint8_t n_args;
    enum math_form form;
    enum math_lengths lengths;
    enum input_domain domain;
};
enum {
    MATH_N = 0
#define MATH(...) +1
#include "gen/plan/math.def"
};
extern const struct math_row math_rows[MATH_N];

/* Literals of max-error decorations, as encodings of binary32: legal ones, and others. */
enum {
    MATH_BOUND_N = 26,
    MATH_ILLEGAL_BOUND_N = 5
};
extern const uint32_t math_bounds[MATH_BOUND_N];
extern const uint32_t math_illegal_bounds[MATH_ILLEGAL_BOUND_N];

/* Which mathematics a case may hold. */
struct math_plan {
    bool is_on;
    bool is_main;      /* it is what the case is about: no cells, no group operations */
    bool is_decorated; /* with max errors */
    bool is_illegal;   /* some where they mean nothing, or are not allowed */
    bool has_fast_math, has_rounding;
    unsigned n_dots; /* statements of integer dot products at the end, in few cases */
    uint64_t dot_seed;
    bool has_fma; /* FmaKHR, which few drivers list yet */
    /* Of instructions that are exact without one, and of reductions over a group: what says which have a max error.
     * 0: none has. */
    uint64_t exact_seed;
    unsigned n_exact; /* statements of such instructions at the end */
};

/* What mathematics there may be. */
void plan_math(struct build *b, struct tape *t);
/* Which of it is decorated; plan_math comes before. A tape that has no such node decorates what it did. */
void plan_accuracy(struct build *b, struct tape *t);
/* Perhaps a max error on a float result that is exact without one, or is a reduction over a group. site: its own. */
void math_decorate_exact(struct build *b, uint64_t site, struct ir_math *m);
/* The statements of such instructions. */
void math_put_exact(struct build *b);
/* Those of integer dot products. */
void math_put_dots(struct build *b);
/* A build option that only cases of mathematics have; false: none was chosen. */
bool plan_math_options(struct build *b, uint64_t choice);
/* May the row stand on that float type in the case? */
bool math_may_put(const struct build *b, const struct math_row *row, enum ir_type type);
/* The row on that type, of one component where it lets choose, on operands that are loaded or constants. */
void math_put_row(struct build *b, const struct math_row *row, enum ir_type type, uint64_t seed);
/* A statement of mathematics; those of a block. */
void math_put(struct build *b, struct tape *t);
void math_put_block(struct build *b, struct tape *t);
