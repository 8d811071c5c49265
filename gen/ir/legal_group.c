/* gen/ir/legal_group.c -- group operations: where they may stand, on what, and what they need. */
#include "gen/ir/legal_group.h"

#include <assert.h>

#include "base/caps.h"
#include "base/ops.h"
#include "base/spv.h"
#include "gen/ir/legal.h"

/* Opcodes first to last of one gate. */
struct gate_range {
    uint16_t first, last;
    uint8_t gate;
};
static const struct gate_range gate_ranges[] = {
    {SpvOpGroupAll,                     SpvOpGroupSMax,                    GATE_UNIFORM         },
    {SpvOpGroupIMulKHR,                 SpvOpGroupLogicalXorKHR,           GATE_UNIFORM_KHR     },
    {SpvOpGroupNonUniformElect,         SpvOpGroupNonUniformElect,         GATE_ELECT           },
    {SpvOpGroupNonUniformAll,           SpvOpGroupNonUniformAllEqual,      GATE_VOTE            },
    {SpvOpGroupNonUniformBroadcast,     SpvOpGroupNonUniformBallotFindMSB, GATE_BALLOT          },
    {SpvOpGroupNonUniformShuffle,       SpvOpGroupNonUniformShuffleXor,    GATE_SHUFFLE         },
    {SpvOpGroupNonUniformShuffleUp,     SpvOpGroupNonUniformShuffleDown,   GATE_SHUFFLE_RELATIVE},
    {SpvOpGroupNonUniformIAdd,          SpvOpGroupNonUniformLogicalXor,    GATE_ARITHMETIC      },
    {SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadSwap,      GATE_QUAD            },
    {SpvOpGroupNonUniformRotateKHR,     SpvOpGroupNonUniformRotateKHR,     GATE_ROTATE          },
    {SPV_OP_QUAD_ALL_KHR,               SPV_OP_QUAD_ANY_KHR,               GATE_QUAD_VOTE       },
    {SPV_OP_PARTITION_EXT,              SPV_OP_PARTITION_EXT,              GATE_PARTITION       },
    {SpvOpGroupIAddNonUniformAMD,       SpvOpGroupSMaxNonUniformAMD,       GATE_AMD             },
    {SpvOpSubgroupShuffleINTEL,         SpvOpSubgroupShuffleXorINTEL,      GATE_INTEL           }
};

int legal_get_gate(enum op_id op)
{
    uint32_t const number = op_rows[op].number;
    if (number >> 16 == OP_SET_amd_ballot) {
        return GATE_AMD_SET;
    }
    for (size_t i = 0; i < ARRAY_N(gate_ranges); i++) {
        if (number >= gate_ranges[i].first && number <= gate_ranges[i].last) {
            return gate_ranges[i].gate;
        }
    }
    return LEGAL_NO_GATE;
}

static bool is_nonuniform(int gate)
{
    return gate >= GATE_ELECT && gate <= GATE_PARTITION;
}

unsigned legal_get_type_bit(enum ir_type t)
{
    static const unsigned bits[IR_TYPE_N] = {0,        TYPE_BOOL, TYPE_I8,  TYPE_I16, TYPE_I32,
                                             TYPE_I64, TYPE_F16,  TYPE_F32, TYPE_F64};
    return bits[t];
}

bool legal_reads_ballot(enum op_id op)
{
    uint32_t const number = op_rows[op].number;
    return number >= SpvOpGroupNonUniformInverseBallot &&
           number <= SpvOpGroupNonUniformBallotFindMSB;
}

bool legal_has_operation(enum op_id op)
{
    int const gate = legal_get_gate(op);
    return gate == GATE_ARITHMETIC || gate == GATE_AMD || gate == GATE_UNIFORM_KHR ||
           op == OP_core_GroupNonUniformBallotBitCount ||
           (gate == GATE_UNIFORM && op_rows[op].number >= SpvOpGroupIAdd);
}

bool legal_is_partitioned(uint32_t operation)
{
    return operation >= SPV_PARTITIONED_REDUCE_EXT &&
           operation <= SPV_PARTITIONED_EXCLUSIVE_SCAN_EXT;
}

uint32_t legal_count_components(enum op_id op)
{
    if (op == OP_core_GroupNonUniformElect) {
        return 0;
    }
    return legal_reads_ballot(op) ? 4 : 1;
}

/* Has the row a predicate, and no value of a type of its own? */
static bool is_predicate(enum op_id op)
{
    return op == OP_core_GroupAll || op == OP_core_GroupAny || op == OP_core_GroupNonUniformAll ||
           op == OP_core_GroupNonUniformAny || op == OP_core_GroupNonUniformBallot ||
           op == OP_core_GroupNonUniformQuadAllKHR || op == OP_core_GroupNonUniformQuadAnyKHR;
}

static bool may_be_vector(const struct ir_program *p, const struct ir_group *x, int gate)
{
    if (gate == GATE_AMD_SET) {
        return x->op != OP_amd_ballot_MbcntAMD;
    }
    if (gate == GATE_INTEL) { /* cl_intel_subgroups: of other types scalars alone */
        return x->type == IR_F32 || x->type == IR_I32;
    }
    if (p->env == ENV_CL) {
        return x->op == OP_core_GroupNonUniformBroadcast ||
               (x->op == OP_core_GroupBroadcast && x->scope == SpvScopeSubgroup);
    }
    return is_nonuniform(gate) && !is_predicate(x->op);
}

/* In OpenCL: bool for votes and logical arithmetic alone, as the functions of OpenCL C have no
 * gentype of bool; 8 and 16 bits not at work-group scope. */
static bool is_legal_cl_type(const struct ir_group *x, int gate)
{
    bool const is_small = x->type == IR_I8 || x->type == IR_I16;
    bool const is_workgroup = gate == GATE_UNIFORM && x->scope != SpvScopeSubgroup;
    if (x->type == IR_BOOL) {
        return op_rows[x->op].types == TYPE_BOOL;
    }
    return !is_small || (gate != GATE_UNIFORM_KHR && !is_workgroup);
}

static bool is_legal_type(const struct ir_program *p, const struct ir_group *x, int gate)
{
    uint32_t const n_least = legal_count_components(x->op);
    bool const is_vector = x->n >= 2 && x->n <= IR_MAX_COMPONENTS;
    if (!(op_rows[x->op].types & legal_get_type_bit(x->type))) {
        return false;
    }
    if (n_least != 1) { /* neither a ballot nor nothing has a type of its own */
        return x->n == n_least;
    }
    if (x->n != 1 && !(is_vector && may_be_vector(p, x, gate))) {
        return false;
    }
    return p->env == ENV_VK || is_legal_cl_type(x, gate);
}

static bool is_legal_scope(const struct ir_program *p, const struct ir_group *x, int gate)
{
    if (gate == GATE_AMD_SET || gate == GATE_QUAD_VOTE || gate == GATE_PARTITION ||
        gate == GATE_INTEL) { /* no operand names it */
        return true;
    }
    if (x->scope == SpvScopeSubgroup) {
        return gate != GATE_UNIFORM_KHR;
    }
    return x->scope == SpvScopeWorkgroup && p->env == ENV_CL && !is_nonuniform(gate);
}

static bool is_legal_operation(enum env env, const struct ir_group *x, int gate)
{
    if (!legal_has_operation(x->op)) {
        return x->operation == IR_NO_OPERATION;
    }
    if (legal_is_partitioned(x->operation)) {
        return gate == GATE_ARITHMETIC && env == ENV_VK;
    }
    return x->operation <= SpvGroupOperationExclusiveScan ||
           (x->operation == SpvGroupOperationClusteredReduce && gate == GATE_ARITHMETIC);
}

static bool is_legal_cluster(const struct ir_program *p, const struct ir_group *x, int gate)
{
    bool const is_clustered =
        gate == GATE_ARITHMETIC && x->operation == SpvGroupOperationClusteredReduce;
    bool const is_power_of_two = (x->cluster & (x->cluster - 1)) == 0;
    uint32_t const most = p->subgroup_size != 0 ? p->subgroup_size : CASE_MAX_SUBGROUP;
    if (x->cluster == 0) {
        return !is_clustered;
    }
    return (is_clustered || gate == GATE_ROTATE) && is_power_of_two && x->cluster <= most;
}

static bool is_broadcast(enum op_id op)
{
    return op == OP_core_GroupNonUniformBroadcast || op == OP_core_GroupNonUniformQuadBroadcast;
}

static bool is_legal_second(const struct ir_program *p, const struct ir_group *x)
{
    if (!x->second) {
        return true;
    }
    bool const is_constant = x->second->kind == IR_CONST;
    if (x->op == OP_core_GroupNonUniformQuadSwap) {
        return is_constant && x->second->bits < 3;
    }
    return is_constant || !is_broadcast(x->op) || p->version >= IR_SPIRV_1_5;
}

static bool is_legal_pattern(const struct ir_group *x)
{
    uint32_t most = UINT32_MAX;
    if (x->op == OP_amd_ballot_SwizzleInvocationsAMD) {
        most = 3;
    } else if (x->op == OP_amd_ballot_SwizzleInvocationsMaskedAMD) {
        most = 31;
    }
    for (int i = 0; i < 4; i++) {
        if (x->pattern[i] > most) {
            return false;
        }
    }
    return true;
}

bool legal_is_group(const struct ir_program *p, const struct ir_group *x)
{
    int const gate = legal_get_gate(x->op);
    if (gate == LEGAL_NO_GATE || !(op_rows[x->op].envs >> p->env & 1)) {
        return false;
    }
    if (is_nonuniform(gate) && p->version < IR_SPIRV_1_3) {
        return false;
    }
    return is_legal_type(p, x, gate) && is_legal_scope(p, x, gate) &&
           is_legal_operation(p->env, x, gate) && is_legal_cluster(p, x, gate) &&
           is_legal_second(p, x) && is_legal_pattern(x);
}

enum {
    NO_NEED = -1 /* the environment has no such instruction */
};
static const int gate_needs[][ENV_N] = {
    [GATE_UNIFORM] = {NEED_CL_SUBGROUPS,           NEED_VK_AMD_BALLOT         },
    [GATE_UNIFORM_KHR] = {NEED_CL_UNIFORM_ARITH,       NO_NEED                    },
    [GATE_ELECT] = {NEED_CL_SG_BASIC,            NEED_VK_SG_BASIC           },
    [GATE_VOTE] = {NEED_CL_SG_VOTE,             NEED_VK_SG_VOTE            },
    [GATE_ARITHMETIC] = {NEED_CL_SG_ARITHMETIC,       NEED_VK_SG_ARITHMETIC      },
    [GATE_BALLOT] = {NEED_CL_SG_BALLOT,           NEED_VK_SG_BALLOT          },
    [GATE_SHUFFLE] = {NEED_CL_SG_SHUFFLE,          NEED_VK_SG_SHUFFLE         },
    [GATE_SHUFFLE_RELATIVE] = {NEED_CL_SG_SHUFFLE_RELATIVE, NEED_VK_SG_SHUFFLE_RELATIVE},
    [GATE_QUAD] = {NO_NEED,                     NEED_VK_SG_QUAD            },
    [GATE_ROTATE] = {NEED_CL_SG_ROTATE,           NEED_VK_SG_ROTATE          },
    [GATE_QUAD_VOTE] = {NO_NEED,                     NEED_VK_QUAD_CONTROL       },
    [GATE_PARTITION] = {NO_NEED,                     NEED_VK_SG_PARTITIONED     },
    [GATE_AMD] = {NEED_CL_AMD_BALLOT,          NEED_VK_AMD_BALLOT         },
    [GATE_AMD_SET] = {NEED_CL_AMD_BALLOT,          NEED_VK_AMD_SET            },
    [GATE_INTEL] = {NEED_CL_SG_INTEL,            NO_NEED                    },
};

/* The need of x's gate, or of the special form of its instructions that x is. */
static enum need_id gate_need(enum env env, const struct ir_group *x, int gate)
{
    static const enum need_id bare[] = {NEED_CL_AMD_BARE, NEED_VK_AMD_BARE};
    static const enum need_id clustered[] = {NEED_CL_SG_CLUSTERED, NEED_VK_SG_CLUSTERED};
    if (gate == GATE_UNIFORM && x->scope == SpvScopeWorkgroup) {
        return NEED_CL_WG_COLLECTIVES;
    }
    if ((gate == GATE_AMD || gate == GATE_AMD_SET) && x->bare) {
        return bare[env];
    }
    if (gate == GATE_ARITHMETIC && x->cluster != 0) {
        return clustered[env];
    }
    if (legal_is_partitioned(x->operation)) {
        return NEED_VK_SG_PARTITIONED;
    }
    if (gate == GATE_ROTATE && x->cluster != 0 && env == ENV_VK) {
        return NEED_VK_SG_ROTATE_CLUSTERED;
    }
    assert(gate_needs[gate][env] != NO_NEED);
    return (enum need_id)gate_needs[gate][env];
}

static void add_cl_needs(const struct ir_group *x, int gate, struct needs *n)
{
    needs_add(n, gate_need(ENV_CL, x, gate));
    if (gate == GATE_UNIFORM_KHR) {
        needs_add(n, NEED_CL_WG_COLLECTIVES); /* with its capability Groups, which 6400 implies */
    }
    needs_add_if(n, NEED_CL_IL_1_3, is_nonuniform(gate));
    needs_add_if(n, NEED_CL_MODULE, x->op == OP_core_GroupNonUniformBroadcast && x->n > 1);
    bool const is_small = x->type == IR_I8 || x->type == IR_I16;
    if (gate == GATE_UNIFORM && x->by_amd && legal_has_operation(x->op)) {
        needs_add(n, NEED_CL_AMD_BALLOT);
    } else if (gate == GATE_UNIFORM && (x->n > 1 || is_small)) {
        needs_add(n, NEED_CL_SG_EXTENDED_TYPES);
    }
}

static void add_vk_needs(const struct ir_group *x, int gate, struct needs *n)
{
    needs_add(n, gate_need(ENV_VK, x, gate));
    unsigned const bits = ir_type_bits(x->type);
    bool const is_exchange = gate == GATE_AMD_SET && x->op != OP_amd_ballot_MbcntAMD;
    bool const is_amd = gate == GATE_AMD || gate == GATE_UNIFORM;
    /* GLSL has AMD's operations on other numbers than bytes, and its exchanges on 32 bits */
    needs_add_if(n, NEED_VK_MODULE, (is_exchange && bits != 32) || (is_amd && bits == 8));
    if (bits == 8 || bits == 16 || x->type == IR_I64) { /* RT-06275 */
        needs_add(n, NEED_VK_SG_EXTENDED_TYPES);
    }
    if (x->op == OP_core_GroupNonUniformBroadcast && x->second && x->second->kind != IR_CONST) {
        needs_add(n, NEED_VK_SG_BROADCAST_DYNAMIC); /* RT-06276 */
    }
}

void legal_add_group_needs(struct ir_program *p, const struct ir_group *x, enum ir_type result)
{
    int const gate = legal_get_gate(x->op);
    assert(gate != LEGAL_NO_GATE);
    if (x->n > 0) {
        legal_add_type_needs(p, x->type);
    }
    legal_add_type_needs(p, result);
    if (p->env == ENV_CL) {
        add_cl_needs(x, gate, &p->needs);
    } else {
        add_vk_needs(x, gate, &p->needs);
    }
}

bool legal_may_group(const struct ir_program *p, const struct ir_group *x, enum ir_type result)
{
    int const gate = legal_get_gate(x->op);
    struct needs n = {{0}};
    if (gate == LEGAL_NO_GATE || (gate_needs[gate][p->env] == NO_NEED) ||
        (x->n > 0 && !legal_may_type(p, x->type)) || !legal_may_type(p, result)) {
        return false;
    }
    if (p->env == ENV_CL) {
        add_cl_needs(x, gate, &n);
    } else {
        add_vk_needs(x, gate, &n);
    }
    return needs_are_within(&n, &p->allowed);
}

bool legal_may_gate(const struct ir_program *p, enum legal_gate gate)
{
    int const need = gate_needs[gate][p->env];
    bool const has_version = p->env == ENV_VK ||
                             !(is_nonuniform((int)gate) || gate == GATE_INTEL) ||
                             legal_may(p, NEED_CL_IL_1_3); /* plan_cl_version */
    return need != NO_NEED && legal_may(p, (enum need_id)need) && has_version;
}

static enum need_id subgroup_need(const struct ir_program *p)
{
    return p->env == ENV_CL ? NEED_CL_SUBGROUPS : NEED_VK_SG_BASIC;
}

void legal_add_subgroup_needs(struct ir_program *p)
{
    needs_add(&p->needs, subgroup_need(p));
}

bool legal_may_subgroup(const struct ir_program *p)
{
    return legal_may(p, subgroup_need(p));
}

/* The need of a required size; -1: there is none with a need of its own. */
static int size_need(enum env env, uint32_t size)
{
    static const enum need_id sizes[6][ENV_N] = {
        {NEED_CL_SG_SIZE_4,  NEED_VK_SG_SIZE_4  },
        {NEED_CL_SG_SIZE_8,  NEED_VK_SG_SIZE_8  },
        {NEED_CL_SG_SIZE_16, NEED_VK_SG_SIZE_16 },
        {NEED_CL_SG_SIZE_32, NEED_VK_SG_SIZE_32 },
        {NEED_CL_SG_SIZE_64, NEED_VK_SG_SIZE_64 },
        {NEED_CL_SG_SIZE_64, NEED_VK_SG_SIZE_128}
    };
    for (uint32_t i = 0; i < ARRAY_N(sizes) && (size <= 64 || env == ENV_VK); i++) {
        if (size == 4u << i) {
            return (int)sizes[i][env];
        }
    }
    return -1;
}

void legal_add_subgroup_size_need(struct ir_program *p, uint32_t size)
{
    int const need = size_need(p->env, size);
    assert(need >= 0);
    needs_add(&p->needs, (enum need_id)need);
}

bool legal_may_subgroup_size(const struct ir_program *p, uint32_t size)
{
    int const need = size_need(p->env, size);
    return need >= 0 && legal_may(p, (enum need_id)need);
}
