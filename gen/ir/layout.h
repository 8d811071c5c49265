/* gen/ir/layout.h -- makes structs of random members, at most LAYOUT_MAX_SCALARS numbers, and computes where these
 * lie: as OpenCL C has them, or by std430 with gaps. */
#pragma once

#include "gen/ir/ir.h"

enum {
    LAYOUT_MAX_SCALARS =
        16 /* in a struct: as many as a composite constant has that is interpreted */
};
/* A number or a vector in a struct, and the way there. */
struct leaf {
    struct ir_path path;
    enum ir_type type;
    uint32_t n_components;
};
/* The next digit of *digits, below n; the digits do not end. */
uint32_t layout_take_digit(uint64_t *digits, uint32_t n);
/* A struct with members by the digits of `choice`, in the program's arena; `gaps` says where there are some. Of floats it
 * has those of `floats`, a bit per width; all are types that the program may have there. NULL: the arena is full, as p->ok tells. */
const struct ir_struct *layout_make(struct ir_program *p, uint64_t choice, uint64_t gaps,
                                    unsigned floats, bool is_buffer);
/* Numbers and vectors in it, in the order of IR_STRUCT. */
uint32_t layout_count_leaves(const struct ir_struct *s);
/* That one of them, below the count. */
struct leaf layout_get_leaf(struct ir_program *p, const struct ir_struct *s, uint32_t at);
