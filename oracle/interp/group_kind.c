/* oracle/interp/group_kind.c -- two tables. */
#include "oracle/interp/group_kind.h"

#include "base/ops.h"
#include "base/spv.h"

enum group_step group_step_of(uint32_t op)
{
    switch (op) {
    case SpvOpGroupIAdd:
    case SpvOpGroupNonUniformIAdd:
    case SpvOpGroupIAddNonUniformAMD:
        return STEP_ADD;
    case SpvOpGroupIMulKHR:
    case SpvOpGroupNonUniformIMul:
        return STEP_MUL;
    case SpvOpGroupSMin:
    case SpvOpGroupNonUniformSMin:
    case SpvOpGroupSMinNonUniformAMD:
        return STEP_SMIN;
    case SpvOpGroupUMin:
    case SpvOpGroupNonUniformUMin:
    case SpvOpGroupUMinNonUniformAMD:
        return STEP_UMIN;
    case SpvOpGroupSMax:
    case SpvOpGroupNonUniformSMax:
    case SpvOpGroupSMaxNonUniformAMD:
        return STEP_SMAX;
    case SpvOpGroupUMax:
    case SpvOpGroupNonUniformUMax:
    case SpvOpGroupUMaxNonUniformAMD:
        return STEP_UMAX;
    case SpvOpGroupAll:
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupBitwiseAndKHR:
    case SpvOpGroupNonUniformBitwiseAnd:
    case SpvOpGroupLogicalAndKHR:
    case SpvOpGroupNonUniformLogicalAnd:
        return STEP_AND;
    case SpvOpGroupAny:
    case SpvOpGroupNonUniformAny:
    case SpvOpGroupBitwiseOrKHR:
    case SpvOpGroupNonUniformBitwiseOr:
    case SpvOpGroupLogicalOrKHR:
    case SpvOpGroupNonUniformLogicalOr:
        return STEP_OR;
    case SpvOpGroupBitwiseXorKHR:
    case SpvOpGroupNonUniformBitwiseXor:
    case SpvOpGroupLogicalXorKHR:
    case SpvOpGroupNonUniformLogicalXor:
        return STEP_XOR;
    case SpvOpGroupFAdd:
    case SpvOpGroupFMulKHR:
    case SpvOpGroupFMin:
    case SpvOpGroupFMax:
    case SpvOpGroupNonUniformFAdd:
    case SpvOpGroupNonUniformFMul:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupNonUniformFMax:
    case SpvOpGroupFAddNonUniformAMD:
    case SpvOpGroupFMinNonUniformAMD:
    case SpvOpGroupFMaxNonUniformAMD:
        return STEP_FLOAT;
    default:
        return STEP_NONE;
    }
}

enum group_kind group_kind_of(uint32_t op)
{
    switch (op) {
    case SpvOpGroupAll:
    case SpvOpGroupAny:
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
        return GROUP_VOTE;
    case SpvOpGroupNonUniformAllEqual:
        return GROUP_ALL_EQUAL;
    case SpvOpGroupNonUniformElect:
        return GROUP_ELECT;
    case SpvOpGroupNonUniformBallot:
        return GROUP_BALLOT;
    case SpvOpGroupNonUniformInverseBallot:
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        return GROUP_OF_BALLOT;
    case SpvOpGroupBroadcast:
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformBroadcastFirst:
    case SpvOpGroupNonUniformShuffle:
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
    case SpvOpGroupNonUniformRotateKHR:
    case OP_NUMBER(OP_SET_amd_ballot, 1):
    case OP_NUMBER(OP_SET_amd_ballot, 2):
    case OP_NUMBER(OP_SET_amd_ballot, 3):
        return GROUP_MOVE;
    case OP_NUMBER(OP_SET_amd_ballot, 4):
        return GROUP_MBCNT;
    default:
        return group_step_of(op) == STEP_NONE ? GROUP_NONE : GROUP_ARITH;
    }
}
