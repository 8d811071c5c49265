/* oracle/module_part.c -- which part of the interpreter an instruction belongs to. */
#include "oracle/module.h"

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
        return is_binary(op) ? PART_BINARY : PART_FLOAT;
    }
}
