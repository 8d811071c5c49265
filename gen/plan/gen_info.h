/* gen/plan/gen_info.h -- what the generator says of a case that it has made. */
#pragma once

#include "base/ops.h"
#include "gen/shape/shape.h"

enum {
    GEN_OP_WORDS = (OP_N + 63) / 64
};

/* What shapes a case has, for `gen --stats`; bit i of a number is row i of a list of gen/shape/shape.def. */
struct gen_info {
    struct shape_set shapes;
    uint64_t group_shapes, math_shapes;
    uint64_t op_kinds;                 /* kinds of atomic used */
    uint64_t group_rows[GEN_OP_WORDS]; /* group instructions used: bit i % 64 of word i / 64 is
                                        * row i of base/ops.def */
    uint64_t math_rows[GEN_OP_WORDS];  /* the same of mathematical instructions */
    uint64_t bounds;                   /* bit i: bound i of gen/plan/math.h */
    uint32_t n_instructions;           /* of the module's functions */
    uint32_t n_groups, n_partial;      /* group operations; of these, where some may be absent */
    uint32_t n_sums, n_exact_sums; /* float sums and products; of these, the same in any order */
    uint32_t n_math, n_decorated;  /* mathematical instructions; of these, with a max error */
    const char *rule;              /* of gen/illegal that is broken; NULL: none */
    uint32_t n_to_integer;         /* conversions of floats to integers */
    uint32_t n_pieces;             /* of a program */
};
