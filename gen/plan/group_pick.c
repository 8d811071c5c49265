/* gen/plan/group_pick.c -- which group operation stands next: instruction, type, scope, operation. */
#include "gen/plan/group_pick.h"

#include <assert.h>

#include "base/ops.h"
#include "base/spv.h"
#include "gen/ir/ir.h"
#include "gen/plan/build.h"

bool group_has_operation(enum op_id op)
{
    int const gate = legal_get_gate(op);
    return gate == GATE_ARITHMETIC || gate == GATE_AMD || gate == GATE_UNIFORM_KHR ||
           op == OP_core_GroupNonUniformBallotBitCount ||
           (gate == GATE_UNIFORM && op != OP_core_GroupAll && op != OP_core_GroupAny &&
            op != OP_core_GroupBroadcast);
}

bool group_reads_ballot(enum op_id op)
{
    return op == OP_core_GroupNonUniformInverseBallot ||
           op == OP_core_GroupNonUniformBallotBitExtract ||
           op == OP_core_GroupNonUniformBallotBitCount ||
           op == OP_core_GroupNonUniformBallotFindLSB || op == OP_core_GroupNonUniformBallotFindMSB;
}

bool group_is_product(enum op_id op)
{
    return op_rows[op].identity == ID_ONE;
}

bool group_is_float_sum(const struct group_choice *c)
{
    return ir_type_is_float(c->type) && group_has_operation(c->op) &&
           (op_rows[c->op].identity == ID_ANY_ZERO || op_rows[c->op].identity == ID_ONE);
}

/* How an instruction depends on who comes to it. */
enum presence {
    PRESENCE_ALL, /* of its scope, or the behaviour is undefined */
    PRESENCE_ARM, /* whoever comes: known at the top level and first in an arm without a ballot too */
    PRESENCE_KNOWN /* whoever comes: at the top level, or with a ballot */
};

static enum presence presence_of(const struct build *b, enum legal_gate gate)
{
    switch (gate) {
    case GATE_UNIFORM:
    case GATE_UNIFORM_KHR:
        return PRESENCE_ALL;
    case GATE_AMD:
    case GATE_AMD_SET:
        return build_has_gate(b, GATE_BALLOT) ? PRESENCE_ARM : PRESENCE_KNOWN;
    case GATE_ELECT:
    case GATE_VOTE:
    case GATE_ARITHMETIC:
    case GATE_BALLOT:
    case GATE_SHUFFLE:
    case GATE_SHUFFLE_RELATIVE:
    case GATE_QUAD:
    case GATE_ROTATE:
        return PRESENCE_ARM;
    }
    assert(0 && "legal_gate out of range");
    return PRESENCE_ALL;
}

static bool may_stand(const struct build *b, enum legal_gate gate)
{
    if (build_is_full(b)) {
        return true;
    }
    enum presence const presence = presence_of(b, gate);
    if (presence == PRESENCE_ALL) {
        return false;
    }
    return build_has_gate(b, GATE_BALLOT) || (presence == PRESENCE_ARM && b->flow.is_arm);
}

bool groups_may_be_partial(const struct build *b)
{
    for (int gate = GATE_UNIFORM; gate <= GATE_AMD_SET; gate++) {
        if ((b->group.gates >> gate & 1) &&
            (build_has_gate(b, GATE_BALLOT) ||
             presence_of(b, (enum legal_gate)gate) == PRESENCE_ARM)) {
            return true;
        }
    }
    return false;
}

bool groups_may_stand(const struct build *b)
{
    for (int gate = GATE_UNIFORM; gate <= GATE_AMD_SET; gate++) {
        if ((b->group.gates >> gate & 1) && may_stand(b, (enum legal_gate)gate)) {
            return true;
        }
    }
    return false;
}

/* Ballots stand beside most others to ask who is here: as operations they count half there. */
static unsigned weight_of(const struct build *b, enum op_id op)
{
    unsigned const ballots = 1u << GATE_BALLOT | 1u << GATE_ELECT;
    int const gate = legal_get_gate(op);
    if (b->group.types[op] == 0 || !may_stand(b, (enum legal_gate)gate)) {
        return 0;
    }
    bool const is_half = (ballots >> gate & 1) && (b->group.gates & ~ballots);
    return is_half ? op_rows[op].weight : 2 * op_rows[op].weight;
}

static int pick_op(const struct build *b, uint64_t choice)
{
    unsigned sum = 0;
    for (int op = 0; op < OP_N; op++) {
        sum += weight_of(b, (enum op_id)op);
    }
    if (sum == 0) {
        return -1;
    }
    uint64_t at = choice % sum;
    for (int op = 0; op < OP_N; op++) {
        unsigned const weight = weight_of(b, (enum op_id)op);
        if (at < weight) {
            return op;
        }
        at -= weight;
    }
    assert(0 && "a weight above 0 is found first");
    return -1;
}

static enum ir_type pick_type(unsigned types, uint64_t choice)
{
    static const enum ir_type order[] = {IR_F32, IR_I32, IR_F16, IR_F64,
                                         IR_I64, IR_I16, IR_I8,  IR_BOOL};
    static const unsigned bits[] = {TYPE_F32, TYPE_I32, TYPE_F16, TYPE_F64,
                                    TYPE_I64, TYPE_I16, TYPE_I8,  TYPE_BOOL};
    static const unsigned weights[] = {3, 2, 4, 3, 2, 2, 2, 1};
    unsigned sum = 0;
    for (size_t i = 0; i < ARRAY_N(order); i++) {
        sum += types & bits[i] ? weights[i] : 0;
    }
    assert(sum > 0);
    uint64_t at = choice % sum;
    size_t i = 0;
    while (!(types & bits[i]) || at >= weights[i]) {
        at -= types & bits[i] ? weights[i] : 0;
        i++;
    }
    return order[i];
}

static uint32_t pick_operation(const struct build *b, enum op_id op, enum legal_gate gate,
                               uint64_t choice)
{
    uint64_t const at = choice % 100;
    if (!group_has_operation(op)) {
        return IR_NO_OPERATION;
    }
    if (b->group.has_clusters && gate == GATE_ARITHMETIC && at >= 55) {
        return SpvGroupOperationClusteredReduce;
    }
    return at % 3 == 0   ? (uint32_t)SpvGroupOperationReduce
           : at % 3 == 1 ? (uint32_t)SpvGroupOperationInclusiveScan
                         : (uint32_t)SpvGroupOperationExclusiveScan;
}

/* A power of two from 1 to the largest; the large ones first. */
static uint32_t pick_cluster(const struct build *b, uint64_t choice)
{
    uint32_t cluster = b->group.max_cluster;
    for (uint64_t i = choice % 8; i > 0 && i < 6 && cluster > 1; i -= 2) {
        cluster /= 2;
        if (i < 2) {
            break;
        }
    }
    return cluster;
}

static uint32_t cluster_of(const struct build *b, const struct group_choice *c, uint64_t choice)
{
    if (c->operation == SpvGroupOperationClusteredReduce) {
        return pick_cluster(b, choice);
    }
    return c->gate == GATE_ROTATE && choice / 8 % 100 >= 65 ? pick_cluster(b, choice) : 0;
}

static bool is_legal(const struct build *b, const struct group_choice *c)
{
    struct ir_group const x = {.op = c->op,
                               .scope = c->scope,
                               .operation = c->operation,
                               .cluster = c->cluster,
                               .type = c->type,
                               .n = c->n};
    return legal_is_group(&b->p, &x);
}

/* The work-group's scope where it is legal for the type, or the sub-group's. */
static void pick_scope(const struct build *b, struct group_choice *c, uint64_t choice)
{
    c->scope = choice % 2 || b->group.by_workgroup ? SpvScopeWorkgroup : SpvScopeSubgroup;
    if (!is_legal(b, c)) {
        c->scope = c->scope == SpvScopeWorkgroup ? SpvScopeSubgroup : SpvScopeWorkgroup;
    }
    assert(is_legal(b, c));
}

int group_pick(struct build *b, struct tape *t, struct group_choice *out)
{
    int const op = pick_op(b, tape_take_u64(t, ROLE_OPERATION));
    uint64_t digits = tape_take_u64(t, ROLE_TYPE);
    if (op < 0) {
        return 0;
    }
    struct group_choice c = {.op = (enum op_id)op,
                             .gate = (enum legal_gate)legal_get_gate((enum op_id)op)};
    c.n = c.op == OP_core_GroupNonUniformElect ? 0 : group_reads_ballot(c.op) ? 4 : 1;
    c.type = pick_type(b->group.types[op], digits % 1000);
    digits /= 1000;
    c.operation = pick_operation(b, c.op, c.gate, digits % 1000);
    digits /= 1000;
    c.cluster = cluster_of(b, &c, digits % 1000);
    digits /= 1000;
    pick_scope(b, &c, digits % 1000);
    digits /= 1000;
    if (b->group.has_vectors && c.n == 1 && digits % 100 >= 55) {
        c.n = 2 + (uint32_t)(digits / 100 % 3);
        c.n = is_legal(b, &c) ? c.n : 1;
    }
    *out = c;
    return 1;
}
