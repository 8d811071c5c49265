/* gen/plan/group_operand.c -- what a group operation works on: values, ids, masks. */
#include "gen/plan/group_operand.h"

#include <assert.h>

#include "base/ops.h"
#include "base/spv.h"
#include "gen/inputs/inputs.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"
#include "gen/plan/condition.h"
#include "gen/plan/group_pick.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"
#include "gen/tape/tape.h"

/* ---- values of any type ---- */

/* Has the type no buffer of its own? Its values are converted from and to i32. */
static bool is_in_registers(const struct build *b, enum ir_type t)
{
    bool const is_stored = (b->modes.types & 1) && build_may(b, NEED_VK_16BIT_STORAGE);
    return t == IR_I8 || (t == IR_I16 && b->env == ENV_VK && !is_stored);
}

static struct ir_inst *convert(struct build *b, enum ir_type t, struct ir_inst *v)
{
    legal_add_type_needs(&b->p, t);
    return operand_plain(b, SpvOpUConvert, t, v, NULL);
}

struct ir_inst *group_view(struct build *b, struct ir_inst *v)
{
    if (v->type == IR_BOOL) {
        return operand_select(b, v, operand_i32(b, 1), operand_i32(b, 0));
    }
    return is_in_registers(b, v->type) ? convert(b, IR_I32, v) : v;
}

/* Fresh numbers for each invocation, or the same for all. */
static struct ir_inst *load(struct build *b, struct input what, bool is_uniform)
{
    enum ir_type const type = what.type;
    bool const is_converted = is_in_registers(b, type);
    if (is_converted) {
        what.type = IR_I32;
    }
    struct ir_inst *const v =
        is_uniform ? operand_load_uniform(b, &what) : operand_load(b, &what, true);
    return is_converted ? convert(b, type, v) : operand_cast(b, v, type);
}

/* An earlier result of that type, or NULL. */
static struct ir_inst *find_result(struct build *b, enum ir_type type, uint64_t choice)
{
    enum value_origin origin = NOT_RESULT;
    struct ir_inst *const v = operand_find(b, type, choice, &origin);
    if (v) {
        if (origin == RESULT_OF_GROUP) {
            build_set_group_shape(b, GROUP_SHAPE_FEEDS_GROUP);
        } else if (v->kind == IR_PHI && b->flow.row_step) {
            build_set_group_shape(b, GROUP_SHAPE_CARRIED);
        }
    }
    return v;
}

/* Puts a bool operand of a group operation. The field BOOL_KIND of `kind` says for how many invocations it
 * is true: half, few, most, all, or as an earlier result; `seed` gives the numbers and the data. */
static struct ir_inst *put_bool(struct build *b, uint64_t kind, uint64_t seed)
{
    struct ir_inst *v = NULL;
    /* the index of the invocation that a comparison is on */
    struct ir_inst *const index =
        b->subgroup.lane && field_get(seed, BOOL_LANE) ? b->subgroup.lane : b->p.lid;
    uint32_t const equal_or_not = field_get(seed, BOOL_EQUAL) ? SpvOpINotEqual : SpvOpIEqual;
    uint64_t const number = field_rest(seed, BOOL_NUMBER);
    switch (field_get(kind, BOOL_KIND)) {
    case 0: /* a half, by data */
        v = operand_by(b, SpvOpBitwiseAnd, operand_random(b, seed, true), 1);
        return condition_compare(b, SpvOpIEqual, v, 0);
    case 1: /* an eighth or the others, by data */
        v = operand_by(b, SpvOpBitwiseAnd, operand_random(b, seed, true), 7);
        return condition_compare(b, equal_or_not, v, 0);
    case 2: /* one of the first eight, or all but that one */
        return condition_compare(b, equal_or_not, index, (uint32_t)(number % 8));
    case 3: /* the first few, below 12, or none */
        return condition_compare(b, SpvOpULessThan, index, (uint32_t)(number % 12));
    case 4: /* all, or the first ones, of the whole dispatch */
        return condition_compare(b, SpvOpULessThan, b->p.gid,
                                 field_get(seed, BOOL_EQUAL)
                                     ? b->dispatch.n_items
                                     : (uint32_t)(number % b->dispatch.n_items));
    case 5: /* the same for all */
        return condition_compare(b, SpvOpSLessThan, operand_random_uniform(b, seed), 0);
    default: /* an earlier result, or a half */
        v = find_result(b, IR_BOOL, seed);
        return v ? v : condition_compare(b, SpvOpSLessThan, operand_random(b, seed, true), 0);
    }
}

/* Decisions of a group operation's node that concern its value. */
enum {
    VALUE_SEED = 3,
    VALUE_LITERAL = 7
};

/* Numbers of a group operation: a class of the seed's own, or its bits where a decision of the node
 * asks for them. */
struct group_number {
    uint64_t kind, seed;
    bool is_literal;
};

static enum input_class pick_class(const struct group_number *n, enum input_use use)
{
    return n->is_literal ? INPUT_LITERAL : inputs_pick_class(field_get(n->seed, GROUP_CLASS), use);
}

/* Kinds of a value, of 100: a fresh one, then earlier results from the first of two numbers on (the
 * second within loops, which carry values), then what is computed or tells the invocation. */
enum {
    INTEGER_BITS_FROM = 40,
    INTEGER_EARLIER_FROM = 72,
    INTEGER_EARLIER_FROM_IN_LOOP = 58,
    INTEGER_OWN_FROM = 90,
    FLOAT_EARLIER_FROM = 70,
    FLOAT_EARLIER_FROM_IN_LOOP = 52,
    FLOAT_COMPUTED_FROM = 86
};

static enum input_class integer_class(const struct group_choice *c, const struct group_number *n)
{
    if (n->is_literal) {
        return INPUT_LITERAL;
    }
    if (c->op == OP_core_GroupNonUniformAllEqual) {
        return pick_class(n, USE_EQUAL);
    }
    if (op_rows[c->op].identity == ID_ONES) {
        return field_get(n->seed, GROUP_ANY) == 0 ? INPUT_BITS : INPUT_RARE;
    }
    return field_get(n->kind, PERCENT) >= INTEGER_BITS_FROM ? INPUT_BITS : pick_class(n, USE_ANY);
}

/* Puts one integer component of the value of the group operation c. n->kind says which: an earlier result,
 * an index of the invocation, or a loaded number, whose class and seed n gives. In loops earlier results
 * come more often, since loops carry values. */
static struct ir_inst *put_integer(struct build *b, const struct tape *t,
                                   const struct group_choice *c, const struct group_number *n)
{
    uint64_t const percent = field_get(n->kind, PERCENT);
    uint64_t const earlier_from =
        b->flow.row_step ? INTEGER_EARLIER_FROM_IN_LOOP : INTEGER_EARLIER_FROM;
    if (percent >= earlier_from && percent < INTEGER_OWN_FROM) {
        struct ir_inst *const v = find_result(b, c->type, n->seed);
        if (v) {
            return v;
        }
    }
    if (percent >= INTEGER_OWN_FROM && c->type == IR_I32) {
        return field_get(n->seed, BOOL_LANE) && b->subgroup.lane ? b->subgroup.lane : b->p.gid;
    }
    struct input const what = {.type = c->type,
                               .class = integer_class(c, n),
                               .seed = n->seed,
                               .first = (uint32_t)field_get(n->seed, GROUP_FIRST)};
    operand_note_input(t, VALUE_SEED, &what);
    struct ir_inst *const v = load(b, what, false); /* not one number for all */
    if (group_is_product(c->op) &&
        field_get(n->seed, GROUP_ANY) != 0) { /* odd, or the product would soon be 0 */
        return operand_plain(b, SpvOpBitwiseOr, c->type, v, ir_const(&b->p, c->type, 1));
    }
    return v;
}

static enum input_use float_use(const struct group_choice *c)
{
    if (group_is_float_sum(c)) {
        return USE_SUM;
    }
    return c->op == OP_core_GroupNonUniformAllEqual ? USE_EQUAL : USE_GROUP;
}

/* Puts one float component of the value of the group operation c. n->kind says which: an earlier result, a
 * computed value, or a loaded number, whose class and seed n gives. Of minima, maxima and exchanges, loaded
 * numbers are special for some invocations. A value that is not loaded is stored, so that the judge knows its bits. */
static struct ir_inst *put_float(struct build *b, struct tape *t, const struct group_choice *c,
                                 const struct group_number *n)
{
    enum input_use const use = float_use(c);
    struct input const what = {.type = c->type,
                               .class = pick_class(n, use),
                               .seed = n->seed,
                               .plain = b->modes.plain_inputs,
                               .has_special = use == USE_GROUP && inputs_want_special(n->seed),
                               .special_shift = (uint32_t)(n->seed >> 32),
                               .first = (uint32_t)field_get(n->seed, GROUP_FIRST)};
    uint64_t const percent = field_get(n->kind, PERCENT);
    uint64_t const earlier_from =
        b->flow.row_step ? FLOAT_EARLIER_FROM_IN_LOOP : FLOAT_EARLIER_FROM;
    bool const is_loaded = percent < earlier_from || !operand_may_compute(b, use);
    struct ir_inst *v = NULL;
    legal_add_type_needs(&b->p, c->type);
    if (!is_loaded && percent < FLOAT_COMPUTED_FROM) {
        v = find_result(b, c->type, n->seed);
    } else if (!is_loaded && use != USE_EQUAL) { /* a vote on equality has no computed values */
        struct tape computed = tape_fork(t);
        v = operand_computed(b, &computed, c->type, 1);
    }
    if (!v) {
        build_set_group_shape_if(b, GROUP_SHAPE_SPECIAL, what.has_special && !what.plain);
        operand_note_input(t, VALUE_SEED, &what);
        return load(b, what, false); /* not one number for all */
    }
    operand_probe_unless_known(b, v);
    return v;
}

/* Are a float sum's or product's terms to be such that it is the same in any order? Most are. */
static bool wants_exact(const struct group_choice *c, uint64_t kind)
{
    return group_is_float_sum(c) && field_get(kind, GROUP_EXACT) < 82;
}

static bool asks_literal(const struct tape *t)
{
    struct tape late = *t;
    tape_skip(&late, VALUE_LITERAL - VALUE_SEED - 1);
    return tape_take_below(&late, 100, ROLE_CLASS) == INPUT_LITERAL_CHOICE;
}

/* A term or factor of those that give the same in any order. */
static struct ir_inst *put_exact(struct build *b, const struct group_choice *c, uint64_t seed)
{
    struct input what = {.type = c->type, .seed = seed};
    inputs_make_exact(&what, group_is_product(c->op), b->dispatch.n_local, seed);
    legal_add_type_needs(&b->p, c->type);
    return load(b, what, false);
}

static void count_sum(struct build *b, bool is_exact)
{
    b->info.n_sums++;
    b->info.n_exact_sums += (uint32_t)is_exact;
    build_set_group_shape(b, is_exact ? GROUP_SHAPE_EXACT_SUM : GROUP_SHAPE_OTHER_SUM);
}

/* Puts the value that the operation works on, a component after the other, into x. They have one kind, and
 * each a seed of its own unless the seed is literal: it then is the bits of all. is_exact: a sum whose terms
 * give the same in any order. */
static void put_value(struct build *b, struct tape *t, const struct group_choice *c,
                      struct ir_group *x)
{
    uint64_t const kind = tape_take_u64(t, ROLE_STATEMENT);
    uint64_t const seed = tape_take_u64(t, ROLE_SEED);
    bool const is_exact = wants_exact(c, kind);
    bool const is_literal = !is_exact && c->type != IR_BOOL && asks_literal(t);
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t const own = is_literal ? seed : seed + i * UINT64_C(0x9e3779b97f4a7c15);
        struct group_number const n = {kind, own, is_literal};
        if (c->type == IR_BOOL) {
            x->value[i] = put_bool(b, kind + i, own);
        } else if (!ir_type_is_float(c->type)) {
            x->value[i] = put_integer(b, t, c, &n);
        } else if (is_exact) {
            x->value[i] = put_exact(b, c, own);
        } else {
            x->value[i] = put_float(b, t, c, &n);
        }
    }
    if (group_is_float_sum(c)) {
        count_sum(b, is_exact);
    }
}

/* Four words: of a ballot, or data; with is_uniform they are equal for all who are here. */
static void put_ballot_value(struct build *b, struct tape *t, bool is_uniform, struct ir_group *x)
{
    uint64_t const kind = field_get(tape_take_u64(t, ROLE_STATEMENT), BALLOT_KIND);
    uint64_t const seed = tape_take_u64(t, ROLE_SEED);
    bool const is_present = b->subgroup.present[0] && kind < 2;
    bool const is_earlier = b->subgroup.ballot[0] && kind < 3;
    for (uint32_t i = 0; i < 4; i++) {
        if (is_present) {
            x->value[i] = b->subgroup.present[i];
        } else if (is_uniform) {
            x->value[i] = operand_random_uniform(b, seed + i);
        } else if (is_earlier) {
            x->value[i] = b->subgroup.ballot[i];
            build_set_group_shape(b, GROUP_SHAPE_FEEDS_GROUP);
        } else {
            x->value[i] = operand_random(b, seed + i, true);
        }
    }
}

/* ---- ids, deltas, masks ---- */

static struct ir_inst *put_below(struct build *b, struct ir_inst *x, struct ir_inst *n)
{
    return operand_int(b, SpvOpUMod, x, n);
}

static struct ir_inst *put_low_bits(struct build *b, struct ir_inst *x, uint32_t mask)
{
    return operand_by(b, SpvOpBitwiseAnd, x, mask);
}

/* An earlier i32, or data. */
static struct ir_inst *put_earlier_id(struct build *b, uint64_t seed)
{
    enum value_origin origin = NOT_RESULT;
    struct ir_inst *const v = operand_find(b, IR_I32, seed, &origin);
    build_set_group_shape_if(b, GROUP_SHAPE_FEEDS_ID, v && origin == RESULT_OF_GROUP);
    return v ? v : operand_random(b, seed, true);
}

/* The lane that a shuffle reads from, an i32, by `kind` (of 100): mostly one that is there. */
static struct ir_inst *put_shuffle_id(struct build *b, uint64_t kind, uint64_t seed)
{
    struct ir_inst *const lane = b->subgroup.lane;
    struct ir_inst *const size = b->subgroup.size;
    uint64_t const at = field_get(kind, PERCENT);
    if (at < 20) { /* another one of the same four */
        return operand_by(b, SpvOpBitwiseXor, lane, 1 + (uint32_t)(seed % 3));
    }
    if (at < 45) { /* one further on, round the end */
        struct ir_inst *const by = operand_i32(b, 1 + (uint32_t)(seed % 9));
        return put_below(b, operand_int(b, SpvOpIAdd, lane, by), size);
    }
    if (at < 65) { /* by data */
        return put_below(b, operand_random(b, seed, true), size);
    }
    if (at < 75) { /* one of the first, the same for all */
        return operand_i32(b, (uint32_t)(seed % 4));
    }
    if (at < 95) {
        return put_below(b, put_earlier_id(b, seed), size);
    }
    return put_low_bits(b, operand_random(b, seed, true), CASE_MAX_SUBGROUP - 1); /* anywhere */
}

/* The distance of a shuffle, or the mask of an exclusive or: small, the same for all, mostly. */
static struct ir_inst *put_delta(struct build *b, uint64_t kind, uint64_t seed, uint32_t least)
{
    uint64_t const at = field_get(kind, PERCENT);
    if (at < 60) {
        return operand_i32(b, least + (uint32_t)(seed % (at < 45 ? 4 : 16)));
    }
    if (at < 78) {
        return put_low_bits(b, operand_random_uniform(b, seed), 7);
    }
    return at < 95 ? put_low_bits(b, put_earlier_id(b, seed), 3)
                   : put_low_bits(b, operand_random(b, seed, true), CASE_MAX_SUBGROUP - 1);
}

/* The same for all, and below the size. */
static struct ir_inst *put_uniform_id(struct build *b, uint64_t kind, uint64_t seed)
{
    return field_get(kind, PERCENT) < 40
               ? operand_i32(b, 0)
               : put_below(b, operand_random_uniform(b, seed), b->subgroup.size);
}

/* A lane that is here: found by the ballot. */
static struct ir_inst *put_first_here(struct build *b, uint64_t seed)
{
    struct ir_group x = {.op = field_get(seed, BALLOT_LSB) ? OP_core_GroupNonUniformBallotFindLSB
                                                           : OP_core_GroupNonUniformBallotFindMSB,
                         .scope = SpvScopeSubgroup,
                         .operation = IR_NO_OPERATION,
                         .type = IR_I32,
                         .n = 4};
    for (int i = 0; i < 4; i++) {
        x.value[i] = b->subgroup.present[i];
    }
    legal_add_group_needs(&b->p, &x, IR_I32);
    struct ir_inst *const v = ir_group(&b->p, b->flow.block, &x, IR_I32, 1);
    operand_probe(b, v);
    b->info.group_rows[x.op / 64] |= UINT64_C(1) << x.op % 64;
    return v;
}

/* The lane that a broadcast is from: a constant before SPIR-V 1.5, then also what is the same for
 * all. Those that are away come seldom. */
static struct ir_inst *put_broadcast_id(struct build *b, uint64_t kind, uint64_t seed)
{
    uint64_t const at = field_get(kind, PERCENT);
    bool const may_be_dynamic = b->env == ENV_CL || build_may(b, NEED_VK_SG_BROADCAST_DYNAMIC);
    if (b->p.version < IR_SPIRV_1_5 || at < 45 || !may_be_dynamic) {
        uint32_t const n_first = b->dispatch.n_local < 4 ? b->dispatch.n_local : 4;
        return operand_i32(b, (uint32_t)(seed % (at % 10 == 9 ? 8 : n_first)));
    }
    bool const wants_present = at < 90 || !build_is_full(b);
    build_set_group_shape(b, GROUP_SHAPE_DYNAMIC_ID);
    return b->subgroup.present[0] && wants_present ? put_first_here(b, seed)
                                                   : put_uniform_id(b, 99, seed);
}

static struct ir_inst *put_local_id(struct build *b, uint32_t scope, uint64_t kind, uint64_t seed)
{
    if (scope == SpvScopeSubgroup) {
        return put_uniform_id(b, kind, seed);
    }
    return field_get(kind, PERCENT) < 50 ? operand_i32(b, (uint32_t)(seed % b->dispatch.min_local))
                                         : put_below(b, operand_random_uniform(b, seed),
                                                     operand_i32(b, b->dispatch.min_local));
}

static struct ir_inst *put_bit_index(struct build *b, uint64_t kind, uint64_t seed)
{
    uint64_t const at = field_get(kind, PERCENT);
    if (at < 40) {
        return b->subgroup.lane;
    }
    if (at < 60 || at >= 95) {
        return operand_i32(b, (uint32_t)(seed % (at < 60 ? 4 : 128)));
    }
    return put_below(b, operand_random(b, seed, true), b->subgroup.size);
}

/* Puts the operand that the group operation c has beside its value: an id, a delta, an index or a
 * direction, by `kind` and `seed`. Returns NULL where the operation has no such operand. */
static struct ir_inst *put_second(struct build *b, const struct group_choice *c, uint64_t kind,
                                  uint64_t seed)
{
    enum {
        ROTATE_CONST_PERCENT = 60,
        N_ROTATE_DELTAS = 9,
        QUAD_LANES = 4,
        QUAD_DIRECTIONS = 3 /* horizontal, vertical, diagonal */
    };
    /* the last argument of put_delta is the least constant delta: 0, or 1 for a mask that exchanges lanes */
    if (c->gate == GATE_SHUFFLE_RELATIVE) {
        return put_delta(b, kind, seed, 0);
    }
    if (c->gate == GATE_ROTATE) { /* the same for all */
        return field_get(kind, PERCENT) < ROTATE_CONST_PERCENT
                   ? operand_i32(b, (uint32_t)(seed % N_ROTATE_DELTAS))
                   : operand_random_uniform(b, seed);
    }
    switch ((unsigned)c->op) {
    case OP_core_GroupBroadcast:
        return put_local_id(b, c->scope, kind, seed);
    case OP_core_GroupNonUniformBroadcast:
        return put_broadcast_id(b, kind, seed);
    case OP_core_GroupNonUniformBallotBitExtract:
        return put_bit_index(b, kind, seed);
    case OP_core_GroupNonUniformShuffle:
        return put_shuffle_id(b, kind, seed);
    case OP_core_SubgroupShuffleINTEL:
        return put_shuffle_id(b, kind, seed);
    case OP_core_SubgroupShuffleDownINTEL:
    case OP_core_SubgroupShuffleUpINTEL:
        return put_delta(b, kind, seed, 0);
    case OP_core_SubgroupShuffleXorINTEL:
    case OP_core_GroupNonUniformShuffleXor:
        return put_delta(b, kind, seed, 1);
    case OP_core_GroupNonUniformQuadBroadcast:
        return operand_i32(b, (uint32_t)(seed % QUAD_LANES));
    case OP_core_GroupNonUniformQuadSwap:
        return operand_i32(b, (uint32_t)(seed % QUAD_DIRECTIONS));
    case OP_amd_ballot_WriteInvocationAMD:
        return put_uniform_id(b, kind, seed);
    default:
        return NULL;
    }
}

/* ---- SPV_AMD_shader_ballot ---- */

/* So many lanes the sub-group has for certain, up to those that a mask reaches. */
static uint32_t count_known_lanes(const struct build *b)
{
    uint32_t const known = b->p.subgroup_size >= 32 ? 32 : b->group.max_cluster;
    return known > 32 ? 32 : known;
}

/* Constants of a swizzle: four lanes to read, or masks of and, or, exclusive or. The text covers
 * sources beyond the sub-group for no size below 32: two of three masks stay within the lanes that are known
 * to be there, the others are any. */
static void put_pattern(struct build *b, const struct group_choice *c, uint64_t digits,
                        struct ir_group *x)
{
    if (c->op == OP_amd_ballot_SwizzleInvocationsAMD) {
        for (int i = 0; i < 4; i++) {
            x->pattern[i] = (uint32_t)(digits >> 2 * i & 3);
        }
    } else if (c->op == OP_amd_ballot_SwizzleInvocationsMaskedAMD) {
        uint32_t const limit = field_get(digits, MASK_FAR) == 0 ? 32 : count_known_lanes(b);
        x->pattern[0] =
            field_get(digits, MASK_AND) == 0 ? 31 : (uint32_t)field_get(digits, MASK_AND_BITS);
        x->pattern[1] =
            field_get(digits, MASK_OR) ? (uint32_t)field_below(digits, MASK_OR_BITS, limit) : 0;
        x->pattern[2] = (uint32_t)field_below(digits, MASK_XOR_BITS, limit);
    }
}

static void put_other(struct build *b, const struct group_choice *c, uint64_t seed,
                      struct ir_group *x)
{
    if (c->op != OP_amd_ballot_WriteInvocationAMD && c->op != OP_core_SubgroupShuffleDownINTEL &&
        c->op != OP_core_SubgroupShuffleUpINTEL) {
        return;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        struct input const what = {
            .type = c->type, .class = INPUT_BITS, .seed = seed + i, .plain = b->modes.plain_inputs};
        x->other[i] = load(b, what, true);
    }
}

/* May the masks lead to a lane that the sub-group lacks? */
static bool may_leave(const struct build *b, const struct ir_group *x)
{
    return x->op == OP_amd_ballot_SwizzleInvocationsMaskedAMD &&
           (x->pattern[1] | x->pattern[2]) >= count_known_lanes(b);
}

/* Is the result defined whichever invocations are away? An exchange may read from a lane that is not there,
 * and what finds a bit may find none. */
static bool is_defined(const struct build *b, const struct group_choice *c,
                       const struct ir_group *x)
{
    unsigned const exchanges = 1u << GATE_SHUFFLE | 1u << GATE_SHUFFLE_RELATIVE | 1u << GATE_QUAD |
                               1u << GATE_ROTATE | 1u << GATE_INTEL;
    bool const is_of_lanes = c->op == OP_core_GroupNonUniformBroadcast ||
                             c->op == OP_core_GroupNonUniformBallotBitExtract ||
                             c->op == OP_core_GroupNonUniformBallotFindLSB ||
                             c->op == OP_core_GroupNonUniformBallotFindMSB;
    return !(exchanges >> c->gate & 1) && !is_of_lanes && !may_leave(b, x);
}

bool group_put_operands(struct build *b, struct tape *t, const struct group_choice *c,
                        struct ir_group *x)
{
    struct tape second = *t;
    tape_skip(&second, 2); /* those of the value */
    uint64_t const kind = tape_take_u64(&second, ROLE_PLACE);
    uint64_t const seed = tape_take_u64(&second, ROLE_PLACE);
    x->second = put_second(b, c, kind, seed);
    if (legal_reads_ballot(c->op)) {
        put_ballot_value(b, t, c->op == OP_core_GroupNonUniformInverseBallot, x);
    } else {
        put_value(b, t, c, x);
    }
    put_pattern(b, c, kind, x);
    put_other(b, c, seed, x);
    return is_defined(b, c, x);
}
