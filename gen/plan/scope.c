/* gen/plan/scope.c -- blocks within blocks: what the end of one puts back. */
#include "gen/plan/scope.h"

#include "base/spv.h"
#include "gen/plan/operand.h"

struct scope scope_enter(struct build *b, struct ir_block *into, unsigned mask)
{
    struct scope const outer = {b->flow, b->subgroup.ballot[0]};
    bool const keeps_nobody_away = mask & (IN_UNIFORM_ARM | IN_UNIFORM_LOOP);
    if (b->flow.depth > 0) {
        build_set_shape(b, SHAPE_NESTED);
    }
    b->flow.block = into;
    b->flow.is_uniform &= keeps_nobody_away;
    b->flow.depth++;
    b->flow.is_arm = false;
    b->flow.masks |= mask;
    b->flow.n_masks += !keeps_nobody_away;
    build_forget_present(b);
    return outer;
}

void scope_leave(struct build *b, const struct scope *outer)
{
    b->flow = outer->flow;
    b->flow.is_arm = false;
    build_forget_present(b);
    if (b->subgroup.ballot[0] != outer->ballot) {
        b->subgroup.ballot[0] = NULL; /* it was made within, and its words with it */
    }
}

struct scope scope_enter_loop(struct build *b, struct ir_block *into, struct ir_inst *turn,
                              uint32_t n_most, unsigned mask)
{
    struct ir_inst *iteration = turn;
    struct scope const outer = scope_enter(b, into, mask);
    if (outer.flow.iteration) { /* of the whole nest */
        struct ir_inst *const before =
            operand_int(b, SpvOpIMul, outer.flow.iteration, operand_i32(b, n_most));
        iteration = operand_int(b, SpvOpIAdd, before, iteration);
    }
    b->flow.iteration = iteration;
    b->flow.n_iterations *= n_most;
    b->flow.row_step = operand_int(b, SpvOpIMul, iteration, operand_i32(b, b->dispatch.n_items));
    return outer;
}
