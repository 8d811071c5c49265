/* gen/plan/groups.c -- statements of group operations: who is here, the operation, its result. */
#include "gen/plan/groups.h"

#include <assert.h>

#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/ir/legal_group.h"
#include "gen/plan/build.h"
#include "gen/plan/group_operand.h"
#include "gen/plan/group_pick.h"
#include "gen/plan/math.h"
#include "gen/plan/operand.h"
#include "gen/tape/field.h"

static struct ir_inst *put_builtin(struct build *b, uint32_t builtin)
{
    struct ir_inst *const v = ir_subgroup(&b->p, b->flow.block, builtin);
    operand_probe(b, v);
    return v;
}

void groups_put_prologue(struct build *b)
{
    if (b->group.by_workgroup) {
        return;
    }
    legal_add_subgroup_needs(&b->p);
    b->subgroup.id = put_builtin(b, SpvBuiltInSubgroupId);
    b->subgroup.lane = put_builtin(b, SpvBuiltInSubgroupLocalInvocationId);
    b->subgroup.size = put_builtin(b, SpvBuiltInSubgroupSize);
    if (b->env == ENV_CL) { /* ballots are read and rotations run up to it */
        (void)put_builtin(b, SpvBuiltInSubgroupMaxSize);
    }
}

static void count_row(struct build *b, enum op_id op)
{
    b->info.group_rows[op / 64] |= UINT64_C(1) << op % 64;
}

/* ---- who is here ---- */

/* Puts a ballot of true, with each word of it probed: it tells who takes part in what follows in this block.
 * Kept as b->subgroup.present until the block ends or somebody may come or go. */
static void put_present_ballot(struct build *b)
{
    struct ir_group const x = {.op = OP_core_GroupNonUniformBallot,
                               .scope = SpvScopeSubgroup,
                               .operation = IR_NO_OPERATION,
                               .type = IR_BOOL,
                               .n = 1,
                               .value = {ir_const(&b->p, IR_BOOL, 1)}};
    legal_add_group_needs(&b->p, &x, IR_I32);
    struct ir_inst *const v = ir_group(&b->p, b->flow.block, &x, IR_I32, 4);
    for (uint32_t i = 0; i < 4; i++) {
        b->subgroup.present[i] = operand_part(b, v, i);
        b->subgroup.ballot[i] = b->subgroup.present[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
        operand_probe(b, b->subgroup.present[i]);
    }
    count_row(b, x.op);
    build_set_group_shape(b, GROUP_SHAPE_BALLOT_FIRST);
}

/* ---- statistics ---- */

/* Notes for the statistics why some invocations may be absent from the group operation that was just put:
 * each construct around it and each earlier return gives a shape. Counts the operation as partial if some
 * may be absent. */
static void set_mask_shapes(struct build *b)
{
    static const struct {
        enum group_mask mask;
        enum group_shape shape;
    } rows[] = {
        {MASK_OF_LANE,     GROUP_SHAPE_MASK_LANE    },
        {MASK_OF_DATA,     GROUP_SHAPE_MASK_DATA    },
        {MASK_OF_RESULT,   GROUP_SHAPE_MASK_RESULT  },
        {MASK_OF_SUBGROUP, GROUP_SHAPE_MASK_SUBGROUP},
        {MASK_OF_TRIPS,    GROUP_SHAPE_LOOP_LANE    },
        {MASK_OF_ELSE,     GROUP_SHAPE_MASK_ELSE    },
        {MASK_OF_RETURN,   GROUP_SHAPE_AFTER_RETURN },
        {MASK_OF_GUARD,    GROUP_SHAPE_AFTER_GUARD  },
        {IN_UNIFORM_ARM,   GROUP_SHAPE_UNIFORM_ARM  },
        {IN_UNIFORM_LOOP,  GROUP_SHAPE_LOOP_UNIFORM }
    };
    unsigned const masks = b->flow.masks | b->progress.gone;
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (masks & (unsigned)rows[i].mask) {
            build_set_group_shape(b, rows[i].shape);
        }
    }
    if (build_is_full(b)) {
        build_set_group_shape(b, GROUP_SHAPE_FULL_MASK);
        return;
    }
    b->info.n_partial++;
    build_set_group_shape_if(b, GROUP_SHAPE_MASK_NESTED, b->flow.n_masks > 1);
    build_set_group_shape_if(b, GROUP_SHAPE_NO_BALLOT, !build_has_gate(b, GATE_BALLOT));
}

/* Notes for the statistics the type, operation, scope and family of the group operation c: each gives a
 * shape. */
static void set_choice_shapes(struct build *b, const struct group_choice *c)
{
    /* in the order of enum ir_type; no operation has the first, IR_VOID */
    static const enum group_shape types[IR_TYPE_N] = {
        GROUP_SHAPE_BOOL, GROUP_SHAPE_BOOL, GROUP_SHAPE_I8,  GROUP_SHAPE_I16, GROUP_SHAPE_I32,
        GROUP_SHAPE_I64,  GROUP_SHAPE_F16,  GROUP_SHAPE_F32, GROUP_SHAPE_F64};
    /* in the order of SpvGroupOperation */
    static const enum group_shape operations[] = {GROUP_SHAPE_REDUCE, GROUP_SHAPE_INCLUSIVE,
                                                  GROUP_SHAPE_EXCLUSIVE, GROUP_SHAPE_CLUSTERED};
    static const struct {
        enum legal_gate gate;
        enum group_shape shape;
    } gates[] = {
        {GATE_ROTATE,      GROUP_SHAPE_ROTATE     },
        {GATE_INTEL,       GROUP_SHAPE_INTEL      },
        {GATE_QUAD,        GROUP_SHAPE_QUAD       },
        {GATE_QUAD_VOTE,   GROUP_SHAPE_QUAD_VOTE  },
        {GATE_PARTITION,   GROUP_SHAPE_PARTITION  },
        {GATE_UNIFORM_KHR, GROUP_SHAPE_UNIFORM_KHR},
    };
    build_set_group_shape(b, types[c->type]);
    /* partitioned operations have the same order as the others, but numbers of their own */
    if (legal_is_partitioned(c->operation)) {
        build_set_group_shape(b, GROUP_SHAPE_PARTITIONED);
        build_set_group_shape(b, operations[c->operation - SPV_PARTITIONED_REDUCE_EXT]);
    } else {
        build_set_group_shape(b, c->operation == IR_NO_OPERATION ? GROUP_SHAPE_NO_OPERATION
                                                                 : operations[c->operation]);
    }
    build_set_group_shape(b, c->scope == SpvScopeWorkgroup ? GROUP_SHAPE_WORKGROUP
                                                           : GROUP_SHAPE_SUBGROUP);
    build_set_group_shape_if(b, GROUP_SHAPE_VECTOR, c->n > 1 && !legal_reads_ballot(c->op));
    for (size_t i = 0; i < ARRAY_N(gates); i++) {
        build_set_group_shape_if(b, gates[i].shape, c->gate == gates[i].gate);
    }
    if (c->gate == GATE_AMD || c->gate == GATE_AMD_SET) {
        build_set_group_shape(b, b->group.is_bare ? GROUP_SHAPE_AMD_BARE : GROUP_SHAPE_AMD_STRING);
    }
}

/* ---- the operation and its result ---- */

static enum ir_type result_type(const struct group_choice *c)
{
    if (c->op == OP_core_GroupNonUniformBallot || c->gate == GATE_PARTITION) {
        return IR_I32;
    }
    bool const is_bit = c->op == OP_core_GroupNonUniformInverseBallot ||
                        c->op == OP_core_GroupNonUniformBallotBitExtract;
    return is_bit || c->gate == GATE_ELECT || c->gate == GATE_VOTE || c->gate == GATE_QUAD_VOTE
               ? IR_BOOL
               : c->type;
}

static uint32_t result_components(const struct group_choice *c)
{
    if (c->op == OP_core_GroupNonUniformBallot || c->gate == GATE_PARTITION) {
        return 4;
    }
    bool const is_single = c->n == 0 || c->gate == GATE_VOTE || legal_reads_ballot(c->op);
    return is_single ? 1 : c->n;
}

/* Probe the components of a result, and remember them for later operands where they are defined. */
static void put_result(struct build *b, struct ir_inst *result, bool is_defined, bool probes)
{
    struct ir_inst *part[4] = {result};
    for (uint32_t i = 0; result->n_results > 1 && i < result->n_results; i++) {
        part[i] = operand_part(b, result, i);
    }
    if (!probes) {
        build_set_group_shape(b, GROUP_SHAPE_UNPROBED);
        return;
    }
    for (uint32_t i = 0; i < result->n_results; i++) {
        struct ir_inst *const view = group_view(b, part[i]);
        operand_probe(b, view);
        if (is_defined) {
            operand_remember(b, part[i]->type == IR_BOOL ? part[i] : view, RESULT_OF_GROUP, true);
        }
    }
}

/* Puts an OpGroupNonUniformPartitionEXT for the partitioned operation that follows and returns its ballot.
 * The value that partitions the invocations is by `choice`: by lane, by data, or the same for all. Each
 * word of the ballot is stored, as the result depends on the device: it need not tell all equal values
 * apart. */
static struct ir_inst *put_partition(struct build *b, uint64_t choice)
{
    enum {
        BY_REMAINDER, /* every other lane, every third ... */
        BY_QUOTIENT,  /* neighbours */
        EACH_ALONE,
        ALL_IN_ONE,
        BY_DATA,
        N_KINDS
    };
    struct ir_inst *const lane = b->subgroup.lane;
    struct ir_group x = {.op = OP_core_GroupNonUniformPartitionEXT,
                         .scope = SpvScopeSubgroup,
                         .operation = IR_NO_OPERATION,
                         .type = IR_I32,
                         .n = 1};
    uint32_t const few = 1 + (uint32_t)(choice / N_KINDS % 3);
    switch (choice % N_KINDS) {
    case BY_REMAINDER:
        x.value[0] = operand_by(b, SpvOpUMod, lane, few + 1);
        break;
    case BY_QUOTIENT:
        x.value[0] = operand_by(b, SpvOpUDiv, lane, few + 1);
        break;
    case EACH_ALONE:
        x.value[0] = lane;
        break;
    case ALL_IN_ONE:
        x.value[0] = operand_i32(b, few);
        break;
    default: /* BY_DATA: one or two bits of data */
        x.value[0] = operand_by(b, SpvOpBitwiseAnd, operand_random(b, choice, true), few);
        break;
    }
    legal_add_group_needs(&b->p, &x, IR_I32);
    struct ir_inst *const ballot = ir_group(&b->p, b->flow.block, &x, IR_I32, 4);
    for (uint32_t i = 0; i < 4; i++) {
        operand_probe(b, operand_part(b, ballot, i));
    }
    count_row(b, x.op);
    return ballot;
}

/* Is the operation an exclusive float minimum or maximum, whose identity is an infinity, although the modes leave infinities open? A
 * result that is the identity has no single value: two uses of the result may differ. */
static bool gives_open_infinity(const struct build *b, const struct group_choice *c)
{
    return b->modes.plain_inputs && c->operation == SpvGroupOperationExclusiveScan &&
           ir_type_is_float(c->type) && legal_has_operation(c->op) && !group_is_float_sum(c);
}

/* Puts the group operation c with its operands, records what it needs of a device and its shapes, and
 * stores its result. The operation stands in a function of its own only where all invocations of the
 * work-group are present: after a call the last ballot no longer tells who is present. */
static void put_operation(struct build *b, struct tape *t, const struct group_choice *c)
{
    enum {
        PROBE_PERCENT = 97,
        FUNCTION_FROM = 93, /* percentage from which on it stands in a function */
        VALUE_RECORDS = 4   /* of the node: two for the value, two for the second operand */
    };
    struct tape more = *t; /* t itself stays for group_put_operands */
    tape_skip(&more, VALUE_RECORDS);
    uint64_t const digits = tape_take_u64(&more, ROLE_FORM);
    bool const probes = field_get(digits, PERCENT) < PROBE_PERCENT;
    bool const is_amd = c->gate == GATE_AMD || c->gate == GATE_AMD_SET;
    struct ir_group x = {.op = c->op,
                         .scope = c->scope,
                         .operation = c->operation,
                         .cluster = c->cluster,
                         .type = c->type,
                         .n = c->n,
                         .bare = b->group.is_bare && is_amd,
                         .by_amd = b->group.by_amd};
    bool const is_defined = group_put_operands(b, t, c, &x);
    if (legal_is_partitioned(c->operation)) {
        x.ballot = put_partition(b, field_rest(digits, GROUP_PARTITION));
    }
    x.function =
        build_is_full(b) && field_get(digits, GROUP_FUNCTION) >= FUNCTION_FROM && !x.ballot;
    enum ir_type const type = result_type(c);
    legal_add_group_needs(&b->p, &x, type);
    assert(!b->p.ok || legal_is_group(&b->p, &x)); /* else a constant may be the spare one */
    struct ir_inst *const result = ir_group(&b->p, b->flow.block, &x, type, result_components(c));
    if (ir_type_is_float(type)) {
        math_decorate_exact(b, digits, &result->math);
    }
    if (x.function) {
        build_forget_present(b);
        build_set_group_shape(b, GROUP_SHAPE_FUNCTION);
    }
    b->info.n_groups++;
    count_row(b, c->op);
    set_mask_shapes(b);
    set_choice_shapes(b, c);
    put_result(b, result, is_defined && !gives_open_infinity(b, c), probes);
    /* operations that read a ballot may take this one */
    if (c->op == OP_core_GroupNonUniformBallot) {
        for (uint32_t i = 0; i < 4; i++) {
            b->subgroup.ballot[i] = operand_part(b, result, i);
        }
    }
}

/* Puts one group operation, which group_pick chooses. Where some invocations may be absent, and now and
 * then elsewhere, a ballot stands before it, which tells who is present. The first decision of node t is
 * read twice: as a whole for the choice of the instruction, and by fields for the ballot. */
static void put_one(struct build *b, struct tape *t)
{
    enum {
        NOT_FIRST_FROM = 7 /* of 10: the broadcast keeps its constant id */
    };
    struct group_choice c;
    struct tape pick = *t; /* group_pick reads the same decisions from the start */
    tape_name_node(t, NODE_GROUP);
    uint64_t const digits = tape_take_u64(t, ROLE_OPERATION);
    if (!group_pick(b, &pick, &c)) {
        return;
    }
    tape_skip(t, 1); /* the digits of the choice */
    bool const is_partial = !build_is_full(b);
    bool const wants_ballot = is_partial || field_is_last(digits, GROUP_BALLOT);
    bool const wants_first = is_partial && field_get(digits, GROUP_NOT_FIRST) < NOT_FIRST_FROM;
    if (wants_ballot && build_has_gate(b, GATE_BALLOT) && !b->subgroup.present[0]) {
        put_present_ballot(b);
    }
    /* a constant id under a mask would mostly name somebody who is away */
    bool const has_constant_id =
        c.op == OP_core_GroupNonUniformBroadcast && b->p.version < IR_SPIRV_1_5;
    if (wants_first && has_constant_id && c.n == 1) {
        c.op = OP_core_GroupNonUniformBroadcastFirst;
    }
    b->progress.n_built++;
    put_operation(b, t, &c);
}

void groups_put(struct build *b, struct tape *t)
{
    tape_name_node(t, NODE_GROUPS);
    tape_skip(t, 1); /* its kind */
    uint64_t const n = 1 + tape_take_below(t, 3, ROLE_SIZE);
    for (uint64_t i = 0; i < n; i++) {
        struct tape one = tape_fork(t);
        put_one(b, &one);
    }
}

void groups_put_amd(struct build *b)
{
    enum {
        N_MORE = 24,
        N_RECORDS = 6 /* two of the value, two of the second operand, the form */
    };
    for (uint64_t i = 0; i < N_MORE && b->group.amd_seed != 0; i++) {
        uint64_t const seed = hash_bytes(b->group.amd_seed, &i, sizeof i);
        unsigned char data[TAPE_RECORD_BYTES * N_RECORDS];
        struct group_choice c;
        struct tape t = {.data = data, .n_records = N_RECORDS};
        for (uint64_t k = 0; k < N_RECORDS; k++) {
            store_le(data + k * TAPE_RECORD_BYTES, hash_bytes(seed, &k, sizeof k),
                     TAPE_RECORD_BYTES);
        }
        if (!build_is_full(b) || !build_has_room(b) || !group_pick_amd(b, seed, &c)) {
            return;
        }
        b->progress.n_built++;
        put_operation(b, &t, &c);
    }
}
