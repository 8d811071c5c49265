/* oracle/interp/group_kind.c -- group_kind.def as two functions. */
#include "oracle/interp/group_kind.h"

#include "base/ops.h"
#include "base/spv.h"

#define AMD_BALLOT(number) OP_NUMBER(OP_SET_amd_ballot, number)

enum group_kind group_kind_of(uint32_t op)
{
    switch (op) {
#define GROUP(opcode, kind, step)                                                                  \
    case opcode:                                                                                   \
        return GROUP_##kind;
#include "oracle/interp/group_kind.def"
    default:
        return GROUP_NONE;
    }
}

enum group_step group_step_of(uint32_t op)
{
    switch (op) {
#define GROUP(opcode, kind, step)                                                                  \
    case opcode:                                                                                   \
        return STEP_##step;
#include "oracle/interp/group_kind.def"
    default:
        return STEP_NONE;
    }
}

bool group_is_extreme(uint32_t op)
{
    switch (op) {
    case SpvOpGroupFMin:
    case SpvOpGroupFMax:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupNonUniformFMax:
    case SpvOpGroupFMinNonUniformAMD:
    case SpvOpGroupFMaxNonUniformAMD:
        return true;
    default:
        return false;
    }
}

bool group_is_quad_vote(uint32_t op)
{
    return op == SPV_OP_QUAD_ALL_KHR || op == SPV_OP_QUAD_ANY_KHR;
}

bool group_has_scope(uint32_t op)
{
    bool const is_intel_shuffle =
        op >= SpvOpSubgroupShuffleINTEL && op <= SpvOpSubgroupShuffleXorINTEL;
    return !group_is_quad_vote(op) && op != SPV_OP_PARTITION_EXT && !is_intel_shuffle &&
           op < OP_NUMBER(OP_SET_amd_ballot, 0);
}

bool group_is_partitioned(uint32_t operation)
{
    return operation >= SPV_PARTITIONED_REDUCE_EXT &&
           operation <= SPV_PARTITIONED_EXCLUSIVE_SCAN_EXT;
}

uint32_t group_operation_within(uint32_t operation)
{
    return operation - SPV_PARTITIONED_REDUCE_EXT; /* reduce and both scans, in the same order */
}
