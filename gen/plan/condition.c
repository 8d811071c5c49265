/* gen/plan/condition.c -- who takes a branch: by index, data, earlier results, index in the sub-group. */
#include "gen/plan/condition.h"

#include "base/spv.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"

struct ir_inst *condition_compare(struct build *b, uint32_t op, struct ir_inst *x, uint32_t y)
{
    return operand_plain(b, op, IR_BOOL, x, operand_i32(b, y));
}

static struct ir_inst *compare_bits(struct build *b, uint32_t op, struct ir_inst *x, uint32_t mask)
{
    return condition_compare(b, op, operand_by(b, SpvOpBitwiseAnd, x, mask), 0);
}

static uint32_t equal_or_not(uint64_t choice)
{
    return field_get(choice, EQUAL) ? SpvOpINotEqual : SpvOpIEqual;
}

static struct ir_inst *condition_uniform(struct build *b, uint64_t choice)
{
    build_set_shape(b, SHAPE_IF_UNIFORM);
    return field_get(choice, UNIFORM_BY_DATA) == 0
               ? compare_bits(b, equal_or_not(field_rest(choice, UNIFORM_EQUAL)), b->p.wg, 1)
               : compare_bits(b, SpvOpINotEqual, operand_random_uniform(b, choice), 3);
}

/* By the invocation's index: all below a number, or each n-th. */
static struct ir_inst *condition_lane(struct build *b, uint64_t choice)
{
    build_set_shape(b, SHAPE_IF_LANE);
    if (field_get(choice, INDEX_BELOW)) {
        return condition_compare(
            b, SpvOpULessThan, b->p.lid,
            1 + (uint32_t)field_below(choice, INDEX_NUMBER, b->dispatch.n_local));
    }
    struct ir_inst *const own = field_get(choice, INDEX_LOCAL) ? b->p.lid : b->p.gid;
    struct ir_inst *const n = operand_i32(b, 2 + (uint32_t)field_below(choice, INDEX_NUMBER, 6));
    return condition_compare(b, equal_or_not(field_rest(choice, INDEX_EQUAL)),
                             operand_int(b, SpvOpUMod, own, n), 0);
}

struct ir_inst *condition_data(struct build *b, uint64_t choice)
{
    build_set_shape(b, SHAPE_IF_DATA);
    struct ir_inst *const data = operand_random(b, choice, true);
    return field_get(choice, DATA_SIGN) == 0
               ? condition_compare(b, SpvOpSLessThan, data, 0)
               : compare_bits(b, SpvOpIEqual, data, field_get(choice, DATA_BITS) ? 3 : 1);
}

/* The latest result that was probed, so that it is known what it was, and is a bool or has 32 bits;
 * or NULL. */
static const struct value *find_known_result(const struct build *b)
{
    for (uint32_t i = b->flow.n_values; i > 0; i--) {
        const struct value *const v = &b->values[i - 1];
        bool const fits = v->inst->type == IR_BOOL || ir_type_bits(v->inst->type) == 32;
        if (fits && v->origin != NOT_RESULT && v->is_probed) {
            return v;
        }
    }
    return NULL;
}

/* On the bits of an earlier result; NULL where there is none. */
static struct ir_inst *condition_result(struct build *b, uint64_t choice)
{
    const struct value *const v = find_known_result(b);
    if (!v) {
        return NULL;
    }
    build_set_shape(b, SHAPE_IF_RESULT);
    build_set_group_shape_if(b, GROUP_SHAPE_FEEDS_BRANCH, v->origin == RESULT_OF_GROUP);
    if (v->inst->type == IR_BOOL) {
        return v->inst;
    }
    uint32_t const one_or_zero = field_get(choice, CONDITION_ONE) ? 0x3f800000 : 0; /* of f32 */
    return condition_compare(b, SpvOpSLessThan, operand_cast(b, v->inst, IR_I32), one_or_zero);
}

enum subgroup_test {
    SUBGROUP_LANE_BELOW,
    SUBGROUP_LANE_BITS,
    SUBGROUP_LANE,
    SUBGROUP_ID
};

/* By the index in the sub-group, or by the sub-group. */
static struct ir_inst *condition_subgroup(struct build *b, uint64_t choice)
{
    struct ir_inst *const lane = b->subgroup.lane;
    uint32_t const compare = equal_or_not(field_rest(choice, SUBGROUP_EQUAL));
    uint32_t const n = (uint32_t)field_get(choice, SUBGROUP_NUMBER);
    switch ((enum subgroup_test)field_get(choice, SUBGROUP_KIND)) {
    case SUBGROUP_LANE_BELOW:
        return condition_compare(b, SpvOpULessThan, lane, 1 + n);
    case SUBGROUP_LANE_BITS:
        return compare_bits(b, compare, lane, 1 + n % 3);
    case SUBGROUP_LANE:
        return condition_compare(b, compare, lane, n);
    case SUBGROUP_ID:
        break;
    }
    return compare_bits(b, compare, b->subgroup.id, 1);
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

/* Puts a condition (a bool) and sets *mask to whom it may keep away (enum group_mask): by the lane, the
 * sub-group, an earlier result or data; or nobody, as its value is the same for the whole work-group. Where
 * there is no earlier result, the condition is by data. */
struct ir_inst *condition_put(struct build *b, struct tape *t, unsigned *mask)
{
    enum condition const kind = pick_condition(b, t);
    uint64_t const choice = tape_take_u64(t, ROLE_CONDITION);
    struct ir_inst *result = NULL;
    switch (kind) {
    case CONDITION_UNIFORM:
        *mask = IN_UNIFORM_ARM;
        return condition_uniform(b, choice);
    case CONDITION_LANE:
        *mask = MASK_OF_LANE;
        return condition_lane(b, choice);
    case CONDITION_SUBGROUP:
        *mask = MASK_OF_SUBGROUP;
        return condition_subgroup(b, choice);
    case CONDITION_RESULT:
        result = condition_result(b, choice);
        if (result) {
            *mask = MASK_OF_RESULT;
            return result;
        }
        break;
    case CONDITION_DATA:
        break;
    }
    *mask = MASK_OF_DATA;
    return condition_data(b, choice);
}
