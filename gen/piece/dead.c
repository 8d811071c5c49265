/* gen/piece/dead.c -- a piece with code that no invocation comes to: an arm that never ends. */
#include "gen/piece/dead.h"

#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/piece/exchange.h"
#include "gen/plan/body.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/operand.h"
#include "gen/plan/scope.h"
#include "gen/tape/field.h"

enum never {
    NEVER_BY_INDEX,
    NEVER_BY_GROUP,
    NEVER_BY_BITS
};

/* What is true of no invocation: of a loaded number of those that run, of the work-group's, or of bits that are not there. */
static struct ir_inst *put_never(struct build *b, uint64_t choice)
{
    struct input const n_items = {
        .type = IR_I32, .class = INPUT_LITERAL, .seed = b->dispatch.n_items};
    struct ir_inst *low;
    switch ((enum never)field_get(choice, NEVER_KIND)) {
    case NEVER_BY_INDEX:
        return operand_plain(b, SpvOpUGreaterThanEqual, IR_BOOL, b->p.gid,
                             operand_load_uniform(b, &n_items));
    case NEVER_BY_GROUP:
        return condition_compare(b, SpvOpUGreaterThanEqual, b->p.wg, b->dispatch.n_groups);
    case NEVER_BY_BITS:
        break;
    }
    low = operand_by(b, SpvOpBitwiseAnd, operand_random(b, choice, false), 3);
    return condition_compare(b, SpvOpIEqual, low, 7);
}

/* for (;;) {} with a number that goes up, which nobody reads. */
static void put_endless(struct build *b, struct ir_block *into, bool counts)
{
    struct ir_inst *const zero = operand_i32(b, 0);
    struct ir_inst *const one = operand_i32(b, 1);
    struct ir_inst *const loop = ir_tested_loop(&b->p, into, TEST_NONE);
    if (!b->p.ok) {
        return;
    }
    loop->tested->is_endless = true;
    if (counts) {
        struct ir_inst *const iteration = ir_phi(&b->p, loop, IR_I32, zero, zero);
        iteration->arg[1] = ir_plain(&b->p, loop->tested->step, SpvOpIAdd, IR_I32, iteration, one);
    }
}

/* Puts the piece "dead": a selection that the whole work-group takes or skips. The selection holds a bounds
 * check that no invocation fails, with an endless loop for those that fail it, then barriers and
 * statements. A compiler is wrong that runs the endless loop, or that removes what follows the loop: a
 * timeout or a wrong stored value tells. The decisions of node t give the tests, the barriers and the
 * statements. */
void piece_dead_put(struct build *b, struct tape *t)
{
    uint64_t const form = tape_take_u64(t, ROLE_CONDITION);
    uint64_t const seed = tape_take_u64(t, ROLE_SEED);
    uint64_t const fences = tape_take_u64(t, ROLE_SCOPE);
    struct tape block = tape_fork(t);
    if (!build_has_room(b)) {
        return;
    }
    bool const is_full = build_is_full(b);
    struct ir_inst *const bits = operand_random_uniform(b, seed);
    /* most work-groups take the selection (the number is not 2), or all do (it is below 4) */
    struct ir_inst *const two_bits = operand_by(b, SpvOpBitwiseAnd, bits, 3);
    struct ir_inst *const test = field_get(form, DEAD_TEST)
                                     ? condition_compare(b, SpvOpINotEqual, two_bits, 2)
                                     : condition_compare(b, SpvOpULessThan, two_bits, 4);
    /* the barriers within are legal, as one value for the whole work-group decides */
    struct scope const outer =
        scope_enter(b, ir_if(&b->p, b->flow.block, test)->body[0], IN_UNIFORM_ARM);
    if (is_full && field_get(form, DEAD_FENCE_BEFORE) == 0) {
        exchange_fence(b, false, field_get(fences, FENCE_FIRST)); /* of work-group memory */
    }
    struct ir_inst *const never = put_never(b, field_rest(form, DEAD_NEVER));
    put_endless(b, ir_if(&b->p, b->flow.block, never)->body[0], field_get(form, DEAD_COUNTS));
    build_forget_present(b);
    operand_probe(b, operand_int(b, SpvOpIAdd, bits, b->p.gid));
    if (is_full && field_get(form, DEAD_FENCE_AFTER)) {
        exchange_fence(b, false, field_rest(fences, FENCE_OTHERS));
    }
    body_put_block(b, &block);
    scope_leave(b, &outer);
}
