/* oracle/value/value_dot.c -- dot products of four bytes, packed or a vector, with a sum that saturates or without. SPIR-V 1.6, section
 * 3.3.13: OpSDot and its kin. */
#include "oracle/value/value_dot.h"

#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"

enum {
    WORD_BITS = 32,
    N_BYTES = 4
};

bool value_is_dot(uint32_t op)
{
    return op >= SpvOpSDot && op <= SpvOpSUDotAccSat;
}

bool value_is_dot_sum(uint32_t op)
{
    return op >= SpvOpSDotAccSat && op <= SpvOpSUDotAccSat;
}

/* Byte k of a word, as a signed number or an unsigned one. */
static int64_t byte_of(uint64_t word, unsigned k, bool is_signed)
{
    int64_t const byte = (int64_t)(word >> 8 * k & 0xff);
    return is_signed && byte >= 0x80 ? byte - 0x100 : byte;
}

static int64_t clamp(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* The sum of products, which no 32 bits overflow: at most 4 * 255 * 255. It saturates where it is added to the third
 * operand, as a number of the result's sign. */
static uint64_t apply(uint32_t op, const uint64_t *v)
{
    bool const is_unsigned = op == SpvOpUDot || op == SpvOpUDotAccSat;
    bool const is_mixed = op == SpvOpSUDot || op == SpvOpSUDotAccSat;
    int64_t sum = 0;
    for (unsigned k = 0; k < N_BYTES; k++) {
        sum += byte_of(v[0], k, !is_unsigned) * byte_of(v[1], k, !is_unsigned && !is_mixed);
    }
    if (value_is_dot_sum(op)) {
        int64_t const acc =
            is_unsigned || v[2] <= INT32_MAX ? (int64_t)v[2] : (int64_t)v[2] - 0x100000000;
        sum =
            is_unsigned ? clamp(sum + acc, 0, UINT32_MAX) : clamp(sum + acc, INT32_MIN, INT32_MAX);
    }
    return (uint64_t)sum & UINT32_MAX;
}

/* The word that a scalar of 32 bits is, or that the bytes of a vector make; *is_known: all of it is. */
static uint64_t take_word(struct exec *x, const struct invocation *inv, uint32_t id, bool *is_known)
{
    uint32_t const n = x->m->ids[id].n_slots;
    uint64_t word = 0;
    for (uint32_t c = 0; c < n; c++) {
        uint64_t bits = 0;
        *is_known &= exec_known(x, exec_reg(x, inv, id)[c], &bits) != 0;
        word |= bits << (c * WORD_BITS / n);
    }
    return word;
}

int value_dot(struct exec *x, const struct invocation *inv, const struct mod_inst *in,
              struct val *out)
{
    enum {
        MAX_OPERANDS = 3,
        N_FACTORS = 2
    };
    uint32_t const n = value_is_dot_sum(in->op) ? 3 : 2;
    bool const is_packed = in->n == MOD_OPERAND + n + 1; /* the format is said */
    uint64_t v[MAX_OPERANDS] = {0};
    bool is_known = true;
    if ((is_packed ? in->w[MOD_OPERAND + n] != 0 : in->n != MOD_OPERAND + n) ||
        x->m->ids[in->type].t.bits != WORD_BITS || x->m->ids[in->result].n_slots != 1) {
        return -1;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const id = module_get_operand(x->m, in, MOD_OPERAND + i);
        uint32_t const n_parts = i < N_FACTORS && !is_packed ? N_BYTES : 1;
        if (x->m->ids[id].n_slots != n_parts ||
            x->m->ids[x->m->ids[id].type].t.bits != WORD_BITS / n_parts) {
            return -1;
        }
        v[i] = take_word(x, inv, id, &is_known);
    }
    *out = exec_new_abstract(x);
    if (is_known) {
        *out = (struct val){.bits = apply(in->op, v)};
    }
    return x->stop == NULL;
}
