/* oracle/interp/module_part.c -- which part of the interpreter an instruction belongs to. */
#include "oracle/interp/module.h"

#include "base/format.h"
#include "oracle/interp/group_kind.h"

static int is_binary(uint32_t op)
{
    switch (op) {
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
    case SpvOpUDiv:
    case SpvOpUMod:
    case SpvOpBitwiseAnd:
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
    case SpvOpLogicalAnd:
    case SpvOpLogicalOr:
    case SpvOpLogicalEqual:
    case SpvOpLogicalNotEqual:
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
    case SpvOpIEqual:
    case SpvOpINotEqual:
    case SpvOpULessThan:
    case SpvOpULessThanEqual:
    case SpvOpUGreaterThan:
    case SpvOpUGreaterThanEqual:
    case SpvOpSLessThan:
    case SpvOpSLessThanEqual:
    case SpvOpSGreaterThan:
    case SpvOpSGreaterThanEqual:
        return 1;
    default:
        return 0;
    }
}

enum mod_part module_find_part(uint32_t op)
{
    switch (op) {
    case SpvOpLoad:
        return PART_LOAD;
    case SpvOpStore:
        return PART_STORE;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
        return PART_CHAIN;
    case SpvOpVariable:
    case SpvOpImageTexelPointer:
        return PART_MEMORY;
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpNot:
    case SpvOpSNegate:
    case SpvOpLogicalNot:
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpPtrCastToGeneric:
    case SpvOpGenericCastToPtr:
    case SpvOpCompositeConstruct:
    case SpvOpCompositeExtract:
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle:
    case SpvOpSelect:
    case SpvOpUndef:
        return PART_INTEGER;
    case SpvOpLabel:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpMemoryBarrier:
    case SpvOpControlBarrier:
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpFunctionCall:
    case SpvOpReturn:
    case SpvOpReturnValue:
        return PART_CONTROL;
    case SpvOpAtomicFAddEXT:
    case SpvOpAtomicFMinEXT:
    case SpvOpAtomicFMaxEXT:
        return PART_ATOMIC;
    default:
        if (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) {
            return PART_ATOMIC;
        }
        if (group_kind_of(op) != GROUP_NONE) {
            return PART_GROUP;
        }
        return is_binary(op) ? PART_BINARY : PART_FLOAT;
    }
}

void module_set_mode(struct module *m, const uint32_t *w, uint32_t n)
{
    struct mod_modes *o = &m->modes;
    uint32_t const bits = n > 3 ? w[3] : 0;
    int const fmt = bits == 16 ? FMT_F16 : bits == 64 ? FMT_F64 : FMT_F32;
    switch (w[2]) {
    case SpvExecutionModeDenormPreserve:
        o->denorm_preserve[fmt] = 1;
        break;
    case SpvExecutionModeDenormFlushToZero:
        o->denorm_flush[fmt] = 1;
        break;
    case SpvExecutionModeSignedZeroInfNanPreserve:
        o->szinp[fmt] = 1;
        break;
    case SpvExecutionModeRoundingModeRTE:
        o->rte[fmt] = 1;
        break;
    case SpvExecutionModeRoundingModeRTZ:
        o->rtz[fmt] = 1;
        break;
    case SpvExecutionModeContractionOff:
        o->contraction_off = 1;
        break;
    case SpvExecutionModeSubgroupSize:
        o->subgroup_size = bits;
        break;
    case SpvExecutionModeSubgroupUniformControlFlowKHR:
        o->subgroup_uniform_flow = 1;
        break;
    case SPV_MODE_MAXIMALLY_RECONVERGES:
        o->maximal_reconvergence = 1;
        break;
    default:
        break;
    }
}
