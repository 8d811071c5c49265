/* oracle/fault/faults_number.c -- planted faults of integer instructions that base/integer.def has. */
#include "oracle/fault/faults_number.h"

#include "base/integer.h"
#include "base/ops.h"
#include "oracle/fault/faults_origin.h"
#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"

enum {
    IADD = SpvOpIAdd,
    ISUB = SpvOpISub
};
#define CL(name) OP_NUMBER(OP_SET_opencl_std, name)

enum {
    S_ADD_SAT = 143,
    U_ADD_SAT = 144,
    S_HADD = 145,
    U_HADD = 146,
    S_RHADD = 147,
    U_RHADD = 148,
    S_MAD_HI = 153,
    S_MUL_HI = 160,
    S_SUB_SAT = 162,
    U_SUB_SAT = 163,
    U_MUL_HI = 203,
    U_MAD_HI = 204
};

/* The fault does `becomes` in place of `op`. */
static const struct {
    enum fault_id id;
    uint32_t op, becomes;
} rows[] = {
    {FAULT_NUMBER_WRAPS,     CL(S_ADD_SAT),     IADD             },
    {FAULT_NUMBER_WRAPS,     CL(U_ADD_SAT),     IADD             },
    {FAULT_NUMBER_WRAPS,     CL(S_SUB_SAT),     ISUB             },
    {FAULT_NUMBER_WRAPS,     CL(U_SUB_SAT),     ISUB             },
    {FAULT_HIGH_SIGN,        CL(S_MUL_HI),      CL(U_MUL_HI)     },
    {FAULT_HIGH_SIGN,        CL(U_MUL_HI),      CL(S_MUL_HI)     },
    {FAULT_HIGH_SIGN,        CL(S_MAD_HI),      CL(U_MAD_HI)     },
    {FAULT_HIGH_SIGN,        CL(U_MAD_HI),      CL(S_MAD_HI)     },
    {FAULT_HIGH_SIGN,        SpvOpUMulExtended, SpvOpSMulExtended},
    {FAULT_HIGH_SIGN,        SpvOpSMulExtended, SpvOpUMulExtended},
    {FAULT_REMAINDER_SIGN,   SpvOpSMod,         SpvOpSRem        },
    {FAULT_REMAINDER_SIGN,   SpvOpSRem,         SpvOpSMod        },
    {FAULT_QUOTIENT_SIGN,    SpvOpSDiv,         SpvOpUDiv        },
    {FAULT_HALF_ROUNDED,     CL(S_HADD),        CL(S_RHADD)      },
    {FAULT_HALF_ROUNDED,     CL(U_HADD),        CL(U_RHADD)      },
    {FAULT_HALF_ROUNDED,     CL(S_RHADD),       CL(S_HADD)       },
    {FAULT_HALF_ROUNDED,     CL(U_RHADD),       CL(U_HADD)       },
    {FAULT_QUOTIENT_TOP_BIT, SpvOpUDiv,         SpvOpUDiv        }, /* of the dividend without its top bit */
};

bool fault_is_of_numbers(enum fault_id id)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].id == id) {
            return true;
        }
    }
    return false;
}

/* What the fault makes of the instruction; 0: nothing. */
static uint32_t find_other(enum fault_id id, uint32_t op)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].id == id && rows[i].op == op) {
            return rows[i].becomes;
        }
    }
    return 0;
}

bool fault_fits_number(enum fault_id id, const struct module *m, const struct mod_inst *in)
{
    enum {
        DIVISOR = MOD_OPERAND + 1 /* word */
    };
    bool const has_divisor =
        id != FAULT_QUOTIENT_TOP_BIT || fault_is_folded(m, module_get_operand(m, in, DIVISOR), 0);
    return find_other(id, in->op) != 0 && has_divisor;
}

/* Computes component c of the result of an integer instruction under the fault: the result of the other
 * instruction that the table names, applied to the same operands. The result of an instruction that returns a pair
 * is a struct; its components are those of the first member, then those of the second. */
bool fault_change_number(enum fault_id id, struct exec *x, const struct invocation *inv,
                         const struct mod_inst *in, uint32_t c, uint64_t *out)
{
    enum {
        EXTENDED_WORDS = 2 /* set and number, before the operands */
    };
    uint32_t const other = find_other(id, in->op);
    uint32_t const first = MOD_OPERAND + (in->op >> 16 ? EXTENDED_WORDS : 0);
    uint32_t const n = x->m->ids[in->result].n_slots / (integer_gives_pair(in->op) ? 2 : 1);
    uint64_t arg[INTEGER_MAX_ARGS] = {0}, given[2] = {0};
    if (!fault_fits_number(id, x->m, in) || n == 0 || in->n - first > INTEGER_MAX_ARGS) {
        return false;
    }
    for (uint32_t k = first; k < in->n; k++) {
        uint32_t const word = module_get_operand(x->m, in, k);
        if (x->m->ids[word].n_slots != n ||
            !exec_known(x, exec_reg(x, inv, word)[c % n], &arg[k - first])) {
            return false;
        }
    }
    unsigned const n_bits = x->m->ids[x->m->ids[module_get_operand(x->m, in, first)].type].t.bits;
    if (id == FAULT_QUOTIENT_TOP_BIT) {
        *out = arg[1] == 0 ? 0 : (arg[0] & ((UINT64_C(1) << (n_bits - 1)) - 1)) / arg[1];
        return arg[1] != 0;
    }
    if (integer_apply(other, n_bits, n_bits, arg, given) != INTEGER_GIVES) {
        return false;
    }
    *out = given[c / n]; /* the member of a pair; 0 for a single result */
    return true;
}
