/* gen/plan/scope.c -- blocks within blocks: what the end of one puts back, and how it is to be compiled. */
#include "gen/plan/scope.h"

#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"

struct scope scope_enter(struct build *b, struct ir_block *into, unsigned mask)
{
    struct scope const outer = {b->flow, b->subgroup.ballot[0]};
    bool const keeps_nobody_away = mask & (IN_UNIFORM_ARM | IN_UNIFORM_LOOP);
    build_set_shape_if(b, SHAPE_NESTED, b->flow.depth > 0);
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

struct scope scope_enter_loop(struct build *b, struct ir_block *into, struct ir_inst *counter,
                              uint32_t n_most, unsigned mask)
{
    struct ir_inst *iteration = counter;
    struct scope const outer = scope_enter(b, into, mask);
    if (outer.flow.iteration) { /* of the whole nest */
        struct ir_inst *const before = operand_by(b, SpvOpIMul, outer.flow.iteration, n_most);
        iteration = operand_int(b, SpvOpIAdd, before, iteration);
    }
    b->flow.iteration = iteration;
    b->flow.n_iterations *= n_most;
    b->flow.row_step = operand_by(b, SpvOpIMul, iteration, b->dispatch.n_items);
    return outer;
}

void scope_hint_selection(struct build *b, struct ir_inst *of, uint64_t choice)
{
    uint64_t const flatten = field_get(choice, HINT_SELECTION);
    if (flatten == 1) {
        ir_add_hint(&b->p, of, SpvSelectionControlFlattenMask);
    } else if (flatten == 2) {
        ir_add_hint(&b->p, of, SpvSelectionControlDontFlattenMask);
    }
}

/* Hints of SPIR-V 1.4, which are true: a header comes once more than its body where the test fails there, so the
 * most is one more, whichever of the two counts as an iteration. Of the fewest nothing is said, as an iteration may end
 * in a way out. */
static void put_newer_hints(struct build *b, struct ir_inst *of, uint64_t choice, uint32_t n_most,
                            bool may_unroll)
{
    if (field_get(choice, NEWER_LEAST) == 1) {
        ir_add_hint_of(&b->p, of, SpvLoopControlMinIterationsMask, 0);
    }
    if (field_get(choice, NEWER_MOST) == 1) {
        ir_add_hint_of(&b->p, of, SpvLoopControlMaxIterationsMask, n_most + 1);
    }
    if (field_get(choice, NEWER_MULTIPLE) == 1) {
        ir_add_hint_of(&b->p, of, SpvLoopControlIterationMultipleMask, 1);
    }
    uint64_t const parts = field_get(choice, NEWER_PARTS);
    if (may_unroll && parts == 1) {
        ir_add_hint_of(&b->p, of, SpvLoopControlPeelCountMask,
                       1 + (uint32_t)field_get(choice, NEWER_PEEL));
    } else if (may_unroll && parts == 2) {
        ir_add_hint_of(&b->p, of, SpvLoopControlPartialCountMask,
                       2 + (uint32_t)field_get(choice, NEWER_PART));
    }
}

void scope_hint_loop(struct build *b, struct ir_inst *of, uint64_t choice, uint32_t n_most)
{
    enum {
        LARGE_ONE_IN = 16
    };
    uint64_t const unroll = field_get(choice, HINT_UNROLL);
    if (unroll == 1) {
        ir_add_hint(&b->p, of, SpvLoopControlUnrollMask);
        if (of->hint) {
            of->hint->n_most = n_most;
            of->hint->may_be_large =
                hash_bytes(choice, "large", sizeof "large") % LARGE_ONE_IN == 0;
        }
    } else if (unroll == 2) {
        ir_add_hint(&b->p, of, SpvLoopControlDontUnrollMask);
    }
    if (b->p.version >= IR_SPIRV_1_4) {
        put_newer_hints(b, of, field_rest(choice, HINT_NEWER), n_most, unroll != 2);
    }
}
