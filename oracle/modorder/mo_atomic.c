/* oracle/modorder/mo_atomic.c -- an atomic instruction as an operation on its location. */
#include "oracle/modorder/mo_atomic.h"

#include "base/base.h"
#include "base/spv.h"

/* Words of operands: an RMW's value is word 6, after type, result, pointer, scope and semantics; a store's is word 4.
 * A compare-exchange has two semantics, then value and comparator. */
const struct mo_atomic *mo_find_atomic(uint32_t op)
{
    static const struct mo_atomic rows[] = {
        {SpvOpAtomicLoad,            MO_LOAD,     0, 0},
        {SpvOpAtomicStore,           MO_STORE,    4, 0},
        {SpvOpAtomicExchange,        MO_EXCHANGE, 6, 0},
        {SpvOpAtomicCompareExchange, MO_CMPXCHG,  7, 8},
        {SpvOpAtomicIIncrement,      MO_IADD,     0, 0},
        {SpvOpAtomicIDecrement,      MO_ISUB,     0, 0},
        {SpvOpAtomicIAdd,            MO_IADD,     6, 0},
        {SpvOpAtomicISub,            MO_ISUB,     6, 0},
        {SpvOpAtomicSMin,            MO_SMIN,     6, 0},
        {SpvOpAtomicUMin,            MO_UMIN,     6, 0},
        {SpvOpAtomicSMax,            MO_SMAX,     6, 0},
        {SpvOpAtomicUMax,            MO_UMAX,     6, 0},
        {SpvOpAtomicAnd,             MO_AND,      6, 0},
        {SpvOpAtomicOr,              MO_OR,       6, 0},
        {SpvOpAtomicXor,             MO_XOR,      6, 0},
        {SpvOpAtomicFMinEXT,         MO_FMIN,     6, 0},
        {SpvOpAtomicFMaxEXT,         MO_FMAX,     6, 0},
        {SpvOpAtomicFAddEXT,         MO_FADD,     6, 0},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].op == op) {
            return &rows[i];
        }
    }
    return NULL;
}
