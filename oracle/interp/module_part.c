/* oracle/interp/module_part.c -- of instructions the part of the interpreter, of types the scalars. */
#include "oracle/interp/module_part.h"

#include "base/integer.h"
#include "oracle/interp/group_kind.h"

static const struct mod_type *get_type(const struct module *m, uint32_t id)
{
    return &m->ids[id < m->n_ids ? id : 0].t;
}

/* Returns how many scalars a value of the type consists of, or 0 if there are more than
 * MOD_MAX_FUNC_SLOTS or the type is not interpreted. */
uint32_t module_count_scalars(const struct module *m, uint32_t type)
{
    const struct mod_type *const t = get_type(m, type);
    uint64_t n = 0;
    switch (t->kind) {
    case TK_BOOL:
    case TK_INT:
    case TK_FLOAT:
    case TK_POINTER:
        return 1;
    case TK_VECTOR:
        return t->n;
    case TK_ARRAY:
        n = (uint64_t)t->n * module_count_scalars(m, t->elem);
        break;
    case TK_STRUCT:
        for (uint32_t i = 0; i < t->n_members && n <= MOD_MAX_FUNC_SLOTS; i++) {
            uint32_t const one = module_count_scalars(m, t->members[i]);
            n += one ? one : MOD_MAX_FUNC_SLOTS + 1;
        }
        break;
    case TK_NONE:
    case TK_VOID:
    case TK_IMAGE:
    case TK_OTHER:
        break;
    }
    return n > MOD_MAX_FUNC_SLOTS ? 0 : (uint32_t)n;
}

/* Parts of the interpreter by opcode, ascending; what is not listed is a group instruction, PART_NUMBER where
 * integer.def has it, or PART_FLOAT. */
static const struct {
    uint32_t first, last;
    enum mod_part part;
} part_rows[] = {
    {SpvOpUndef,                  SpvOpUndef,                  PART_INTEGER},
    {SpvOpConstantNull,           SpvOpConstantNull,           PART_INTEGER},
    {SpvOpFunctionCall,           SpvOpFunctionCall,           PART_CONTROL},
    {SpvOpVariable,               SpvOpImageTexelPointer,      PART_MEMORY },
    {SpvOpLoad,                   SpvOpLoad,                   PART_LOAD   },
    {SpvOpStore,                  SpvOpStore,                  PART_STORE  },
    {SpvOpAccessChain,            SpvOpPtrAccessChain,         PART_CHAIN  },
    {SpvOpArrayLength,            SpvOpArrayLength,            PART_MEMORY },
    {SpvOpInBoundsPtrAccessChain, SpvOpInBoundsPtrAccessChain, PART_CHAIN  },
    {SpvOpVectorExtractDynamic,   SpvOpCopyObject,             PART_INTEGER},
    {SpvOpUConvert,               SpvOpSConvert,               PART_INTEGER},
    {SpvOpConvertPtrToU,          SpvOpConvertPtrToU,          PART_INTEGER},
    {SpvOpSatConvertSToU,         SpvOpSatConvertUToS,         PART_INTEGER},
    {SpvOpConvertUToPtr,          SpvOpConvertUToPtr,          PART_INTEGER},
    {SpvOpPtrCastToGeneric,       SpvOpGenericCastToPtr,       PART_INTEGER},
    {SpvOpBitcast,                SpvOpBitcast,                PART_INTEGER},
    {SpvOpSNegate,                SpvOpSNegate,                PART_INTEGER},
    {SpvOpIAdd,                   SpvOpIAdd,                   PART_BINARY },
    {SpvOpISub,                   SpvOpISub,                   PART_BINARY },
    {SpvOpIMul,                   SpvOpIMul,                   PART_BINARY },
    {SpvOpUDiv,                   SpvOpUDiv,                   PART_BINARY },
    {SpvOpUMod,                   SpvOpUMod,                   PART_BINARY },
    {SpvOpAny,                    SpvOpAll,                    PART_INTEGER},
    {SpvOpLogicalEqual,           SpvOpLogicalAnd,             PART_BINARY },
    {SpvOpLogicalNot,             SpvOpSelect,                 PART_INTEGER},
    {SpvOpIEqual,                 SpvOpSLessThanEqual,         PART_BINARY },
    {SpvOpShiftRightLogical,      SpvOpBitwiseAnd,             PART_BINARY },
    {SpvOpNot,                    SpvOpNot,                    PART_INTEGER},
    {SpvOpControlBarrier,         SpvOpMemoryBarrier,          PART_CONTROL},
    {SpvOpAtomicLoad,             SpvOpAtomicXor,              PART_ATOMIC },
    {SpvOpLoopMerge,              SpvOpSwitch,                 PART_CONTROL},
    {SpvOpReturn,                 SpvOpUnreachable,            PART_CONTROL},
    {SpvOpLifetimeStart,          SpvOpLifetimeStart,          PART_MEMORY },
    {SpvOpCopyLogical,            SpvOpCopyLogical,            PART_INTEGER},
    {SpvOpAtomicFMinEXT,          SpvOpAtomicFMaxEXT,          PART_ATOMIC },
    {SpvOpAtomicFAddEXT,          SpvOpAtomicFAddEXT,          PART_ATOMIC },
    {MOD_SHUFFLE,                 MOD_SHUFFLE2,                PART_INTEGER},
    {MOD_BITSELECT,               MOD_SELECT,                  PART_INTEGER},
    {MOD_PACK_FIRST,              MOD_PACK_HALF,               PART_INTEGER},
    {MOD_PACK_DOUBLE,             MOD_PACK_DOUBLE,             PART_INTEGER},
    {MOD_UNPACK_FIRST,            MOD_UNPACK_LAST,             PART_INTEGER},
    {MOD_UNPACK_DOUBLE,           MOD_UNPACK_DOUBLE,           PART_INTEGER},
};

enum mod_part module_find_part(uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(part_rows) && op >= part_rows[i].first; i++) {
        if (op <= part_rows[i].last) {
            return part_rows[i].part;
        }
    }
    if (group_kind_of(op) != GROUP_NONE) {
        return PART_GROUP;
    }
    return integer_has(op) ? PART_NUMBER : PART_FLOAT;
}
