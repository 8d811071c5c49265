/* gen/plan/group_pick.c -- which group operation stands next: instruction, type, scope, operation. */
#include "gen/plan/group_pick.h"

#include <assert.h>

#include "base/ops.h"
#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/plan/build.h"
#include "gen/tape/field.h"

bool group_is_product(enum op_id op)
{
    return op_rows[op].identity == ID_ONE;
}

bool group_is_float_sum(const struct group_choice *c)
{
    return ir_type_is_float(c->type) && legal_has_operation(c->op) &&
           (op_rows[c->op].identity == ID_ANY_ZERO || op_rows[c->op].identity == ID_ONE);
}

/* Must all of its scope come to an instruction of that gate, or the behaviour is undefined? */
static bool needs_all(enum legal_gate gate)
{
    return gate == GATE_UNIFORM || gate == GATE_UNIFORM_KHR;
}

/* May an instruction of that gate stand where only some of the work-group come? Who is here is then
 * told by a ballot; without one it is known first in an arm, but not for AMD's instructions where
 * no ballot is used. */
static bool may_be_partial(const struct build *b, enum legal_gate gate, bool is_arm)
{
    bool const has_ballot = build_has_gate(b, GATE_BALLOT);
    bool const is_amd = gate == GATE_AMD || gate == GATE_AMD_SET;
    return !needs_all(gate) && (has_ballot || (is_arm && !is_amd));
}

static bool may_stand(const struct build *b, enum legal_gate gate)
{
    return build_is_full(b) || may_be_partial(b, gate, b->flow.is_arm);
}

bool groups_may_be_partial(const struct build *b)
{
    for (enum legal_gate gate = GATE_UNIFORM; gate <= GATE_INTEL; gate++) {
        if (build_has_gate(b, gate) && may_be_partial(b, gate, true)) {
            return true;
        }
    }
    return false;
}

bool groups_may_stand(const struct build *b)
{
    for (enum legal_gate gate = GATE_UNIFORM; gate <= GATE_INTEL; gate++) {
        if (build_has_gate(b, gate) && may_stand(b, gate)) {
            return true;
        }
    }
    return false;
}

/* Ballots stand beside most others to ask who is here: as operations they count half there. */
static uint8_t weight_of(const struct build *b, enum op_id op)
{
    unsigned const ballots = 1u << GATE_BALLOT | 1u << GATE_ELECT;
    if (b->group.types[op] == 0) {
        return 0; /* most are no group operation at all */
    }
    int const gate = legal_get_gate(op);
    if (!may_stand(b, (enum legal_gate)gate)) {
        return 0;
    }
    bool const is_half = (ballots >> gate & 1) && (b->group.gates & ~ballots);
    return (uint8_t)(is_half ? op_rows[op].weight : 2 * op_rows[op].weight);
}

/* An instruction that may stand here, or -1. */
static int pick_op(const struct build *b, uint64_t choice)
{
    uint8_t weights[OP_N];
    bool is_any = false;
    for (int op = 0; op < OP_N; op++) {
        weights[op] = weight_of(b, (enum op_id)op);
        is_any |= weights[op] > 0;
    }
    return is_any ? (int)build_pick(weights, OP_N, choice) : -1;
}

static enum ir_type pick_type(unsigned types, uint64_t choice)
{
    static const enum ir_type order[] = {IR_F32, IR_I32, IR_F16, IR_F64,
                                         IR_I64, IR_I16, IR_I8,  IR_BOOL};
    static const uint8_t usual[] = {3, 2, 4, 3, 2, 2, 2, 1};
    uint8_t weights[ARRAY_N(order)];
    for (size_t i = 0; i < ARRAY_N(order); i++) {
        weights[i] = types & legal_get_type_bit(order[i]) ? usual[i] : 0;
    }
    return order[build_pick(weights, ARRAY_N(order), choice)];
}

static uint32_t pick_operation(const struct build *b, enum op_id op, enum legal_gate gate,
                               uint64_t choice)
{
    static const uint32_t operations[] = {SpvGroupOperationReduce, SpvGroupOperationInclusiveScan,
                                          SpvGroupOperationExclusiveScan};
    uint64_t const at = field_get(choice, PERCENT);
    if (!legal_has_operation(op)) {
        return IR_NO_OPERATION;
    }
    if (b->group.has_clusters && gate == GATE_ARITHMETIC && at >= 55) {
        return SpvGroupOperationClusteredReduce;
    }
    uint32_t const operation = operations[at % ARRAY_N(operations)];
    bool const is_partitioned = build_has_gate(b, GATE_PARTITION) && gate == GATE_ARITHMETIC &&
                                field_get(choice, OPERATION_WHOLE) < 7;
    return is_partitioned ? operation + SPV_PARTITIONED_REDUCE_EXT : operation;
}

/* The largest power of two most often; else a half, a quarter or an eighth of it, at least 1. */
static uint32_t pick_cluster(const struct build *b, uint64_t choice)
{
    static const uint8_t shifts[] = {0, 1, 1, 2, 2, 3, 0, 0};
    uint32_t const cluster = b->group.max_cluster >> shifts[choice % ARRAY_N(shifts)];
    return cluster > 0 ? cluster : 1;
}

static uint32_t cluster_of(const struct build *b, const struct group_choice *c, uint64_t choice)
{
    bool const is_clustered = c->operation == SpvGroupOperationClusteredReduce;
    bool const is_clustered_rotate =
        c->gate == GATE_ROTATE && field_get(choice, CLUSTER_ROTATE) >= 65;
    bool const may_rotate =
        b->env == ENV_CL || build_may(b, NEED_VK_SG_ROTATE_CLUSTERED); /* in clusters */
    return is_clustered || (is_clustered_rotate && may_rotate) ? pick_cluster(b, choice) : 0;
}

/* Is it legal, and may the case have what it needs? */
static bool is_legal(const struct build *b, const struct group_choice *c)
{
    struct ir_group const x = {.op = c->op,
                               .by_amd = b->group.by_amd,
                               .bare = b->group.is_bare,
                               .scope = c->scope,
                               .operation = c->operation,
                               .cluster = c->cluster,
                               .type = c->type,
                               .n = c->n};
    return legal_is_group(&b->p, &x) && legal_may_group(&b->p, &x, c->type);
}

/* The work-group's scope where it is legal for the type, or the sub-group's. */
static void pick_scope(const struct build *b, struct group_choice *c, uint64_t choice)
{
    bool const may_be_workgroup =
        c->gate != GATE_QUAD_VOTE && c->gate != GATE_PARTITION && c->gate != GATE_INTEL;
    bool const wants_workgroup = field_get(choice, SCOPE_WORKGROUP) || b->group.by_workgroup;
    c->scope = wants_workgroup && may_be_workgroup ? SpvScopeWorkgroup : SpvScopeSubgroup;
    if (!is_legal(b, c)) {
        c->scope = c->scope == SpvScopeWorkgroup ? SpvScopeSubgroup : SpvScopeWorkgroup;
    }
    assert(is_legal(b, c));
}

/* Picks a group instruction and its type, operation, cluster, scope and number of components. false: the case
 * may use none. */
bool group_pick(struct build *b, struct tape *t, struct group_choice *out)
{
    int const op = pick_op(b, tape_take_u64(t, ROLE_OPERATION));
    uint64_t const digits = tape_take_u64(t, ROLE_TYPE);
    if (op < 0) {
        return false;
    }
    struct group_choice c = {.op = (enum op_id)op,
                             .gate = (enum legal_gate)legal_get_gate((enum op_id)op),
                             .type = pick_type(b->group.types[op], field_get(digits, PICK_TYPE)),
                             .n = legal_count_components((enum op_id)op)};
    c.operation = pick_operation(b, c.op, c.gate, field_get(digits, PICK_OPERATION));
    c.cluster = cluster_of(b, &c, field_get(digits, PICK_CLUSTER));
    pick_scope(b, &c, field_get(digits, PICK_SCOPE));
    if (b->group.has_vectors && c.n == 1 && field_get(digits, PICK_VECTOR) >= 55) {
        c.n = 2 + (uint32_t)field_get(digits, PICK_LENGTH);
        c.n = is_legal(b, &c) ? c.n : 1;
    }
    *out = c;
    return true;
}

/* Chooses an instruction of SPV_AMD_shader_ballot, or a core group instruction that this extension permits,
 * with its type, operation and form: *out. `choice` is divided by each number of possibilities in turn, so
 * that each is as likely as the others. Returns false where the case may use no such instruction. */
bool group_pick_amd(const struct build *b, uint64_t choice, struct group_choice *out)
{
    enum {
        N_OPERATIONS = 3 /* Reduce, InclusiveScan, ExclusiveScan */
    };
    enum op_id ops[OP_N];
    enum ir_type types[IR_TYPE_N];
    uint32_t n_ops = 0, n_types = 0;
    for (int op = 0; op < OP_N; op++) {
        int const gate = legal_get_gate((enum op_id)op);
        bool const is_core = gate == GATE_UNIFORM && legal_has_operation((enum op_id)op);
        if (b->group.types[op] != 0 && (gate == GATE_AMD || gate == GATE_AMD_SET || is_core)) {
            ops[n_ops++] = (enum op_id)op;
        }
    }
    if (n_ops == 0) {
        return false;
    }
    struct group_choice c = {.op = ops[choice % n_ops], .n = 1};
    c.gate = (enum legal_gate)legal_get_gate(c.op);
    choice /= n_ops;
    for (enum ir_type t = IR_I8; t <= IR_F64; t++) {
        if (b->group.types[c.op] & legal_get_type_bit(t)) {
            types[n_types++] = t;
        }
    }
    c.type = types[choice % n_types];
    choice /= n_types;
    c.operation =
        legal_has_operation(c.op) ? (uint32_t)(choice % N_OPERATIONS) : (uint32_t)IR_NO_OPERATION;
    /* whether it has an operation or not, so that the rest stays the same */
    choice /= N_OPERATIONS;
    pick_scope(b, &c, field_is_last(choice, AMD_WORKGROUP));
    c.n = field_get(choice, AMD_VECTOR) ? 2 + (uint32_t)field_get(choice, AMD_LENGTH) : 1;
    c.n = is_legal(b, &c) ? c.n : 1; /* where the instruction takes no vectors */
    *out = c;
    return true;
}
