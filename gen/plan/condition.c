/* gen/plan/condition.c -- who takes a branch: by index, data, earlier results, place in the sub-group. */
#include "gen/plan/condition.h"

#include <assert.h>

#include "base/spv.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"

struct ir_inst *condition_compare(struct build *b, uint32_t op, struct ir_inst *x, uint32_t y)
{
    return operand_plain(b, op, IR_BOOL, x, operand_i32(b, y));
}

static struct ir_inst *condition_uniform(struct build *b, uint64_t choice)
{
    struct input const what = {.type = IR_I32, .class = INPUT_BITS, .seed = choice};
    build_set_shape(b, SHAPE_IF_UNIFORM);
    if (choice % 2 == 0) {
        struct ir_inst *const bit = operand_int(b, SpvOpBitwiseAnd, b->p.wg, operand_i32(b, 1));
        return condition_compare(b, choice / 2 % 2 ? SpvOpINotEqual : SpvOpIEqual, bit, 0);
    }
    struct ir_inst *const data = operand_load_uniform(b, &what);
    struct ir_inst *const bits = operand_int(b, SpvOpBitwiseAnd, data, operand_i32(b, 3));
    return condition_compare(b, SpvOpINotEqual, bits, 0);
}

static struct ir_inst *condition_lane(struct build *b, uint64_t choice)
{
    struct ir_inst *const own = choice % 2 ? b->p.lid : b->p.gid;
    uint32_t const n = 2 + (uint32_t)(choice / 4 % 6);
    build_set_shape(b, SHAPE_IF_LANE);
    if (choice / 2 % 2) {
        return condition_compare(
            b, SpvOpULessThan, b->p.lid,
            1 + (uint32_t)(choice / 4 % (b->dispatch.n_local > 1 ? b->dispatch.n_local : 1)));
    }
    struct ir_inst *const rest = operand_int(b, SpvOpUMod, own, operand_i32(b, n));
    return condition_compare(b, choice / 32 % 2 ? SpvOpINotEqual : SpvOpIEqual, rest, 0);
}

struct ir_inst *condition_data(struct build *b, uint64_t choice)
{
    struct input const what = {.type = IR_I32, .class = INPUT_BITS, .seed = choice};
    build_set_shape(b, SHAPE_IF_DATA);
    struct ir_inst *const data = operand_load(b, &what, 1);
    if (choice % 3 == 0) {
        return condition_compare(b, SpvOpSLessThan, data, 0);
    }
    struct ir_inst *const mask = operand_i32(b, choice % 2 ? 3 : 1);
    struct ir_inst *const bits = operand_int(b, SpvOpBitwiseAnd, data, mask);
    return condition_compare(b, SpvOpIEqual, bits, 0);
}

/* On the bits of a probed result: what it was is known. NULL where there is none of 32 bits, nor a
 * bool. */
static struct ir_inst *condition_result(struct build *b, uint64_t choice)
{
    for (uint32_t i = 0; i < b->flow.n_values; i++) {
        const struct value *const v = &b->values[b->flow.n_values - 1 - i];
        if (v->origin == NOT_RESULT || !v->is_probed) {
            continue;
        }
        bool const is_bool = v->inst->type == IR_BOOL;
        if (is_bool || ir_type_bits(v->inst->type) == 32) {
            build_set_shape(b, SHAPE_IF_RESULT);
            if (v->origin == RESULT_OF_GROUP) {
                build_set_group_shape(b, GROUP_SHAPE_FEEDS_BRANCH);
            }
            return is_bool ? v->inst
                           : condition_compare(b, SpvOpSLessThan, operand_cast(b, v->inst, IR_I32),
                                               (uint32_t)(choice % 2 ? 0x3f800000 : 0));
        }
    }
    return NULL;
}

/* By the place in the sub-group, or by the sub-group. */
static struct ir_inst *condition_subgroup(struct build *b, uint64_t choice)
{
    uint32_t const n = (uint32_t)(choice / 8 % 8);
    struct ir_inst *v = NULL;
    switch (choice % 4) {
    case 0:
        return condition_compare(b, SpvOpULessThan, b->subgroup.lane, 1 + n);
    case 1:
        v = operand_int(b, SpvOpBitwiseAnd, b->subgroup.lane, operand_i32(b, 1 + n % 3));
        return condition_compare(b, choice / 4 % 2 ? SpvOpINotEqual : SpvOpIEqual, v, 0);
    case 2:
        return condition_compare(b, choice / 4 % 2 ? SpvOpINotEqual : SpvOpIEqual, b->subgroup.lane,
                                 n);
    default:
        v = operand_int(b, SpvOpBitwiseAnd, b->subgroup.id, operand_i32(b, 1));
        return condition_compare(b, choice / 4 % 2 ? SpvOpINotEqual : SpvOpIEqual, v, 0);
    }
}

enum condition {
    CONDITION_UNIFORM,
    CONDITION_LANE,
    CONDITION_DATA,
    CONDITION_RESULT,
    CONDITION_SUBGROUP
};
enum {
    CONDITION_N = 5
};
/* Without group operations; with those that may stand anywhere; with those that all must come to. */
static const uint8_t condition_weights[3][CONDITION_N] = {
    {25, 32, 25, 18, 0 },
    {12, 22, 20, 24, 22},
    {76, 6,  6,  6,  6 }
};

static enum condition pick_condition(struct build *b, struct tape *t)
{
    unsigned const all = 1u << GATE_UNIFORM | 1u << GATE_UNIFORM_KHR;
    unsigned const row = !b->group.is_on ? 0 : (b->group.gates & ~all) ? 1 : 2;
    enum condition const kind =
        (enum condition)build_draw(t, condition_weights[row], CONDITION_N, ROLE_CONDITION);
    return kind == CONDITION_SUBGROUP && !b->subgroup.lane ? CONDITION_LANE : kind;
}

struct ir_inst *condition_put(struct build *b, struct tape *t, unsigned *mask)
{
    static const unsigned masks[CONDITION_N] = {IN_UNIFORM_ARM, MASK_OF_LANE, MASK_OF_DATA,
                                                MASK_OF_RESULT, MASK_OF_SUBGROUP};
    enum condition const kind = pick_condition(b, t);
    uint64_t const choice = tape_take_u64(t, ROLE_CONDITION);
    *mask = masks[kind];
    switch (kind) {
    case CONDITION_UNIFORM:
        return condition_uniform(b, choice);
    case CONDITION_LANE:
        return condition_lane(b, choice);
    case CONDITION_RESULT: {
        struct ir_inst *const v = condition_result(b, choice);
        *mask = v ? MASK_OF_RESULT : MASK_OF_DATA;
        return v ? v : condition_data(b, choice);
    }
    case CONDITION_DATA:
        return condition_data(b, choice);
    case CONDITION_SUBGROUP:
        return condition_subgroup(b, choice);
    }
    assert(0 && "condition out of range");
    return condition_data(b, choice);
}
