/* oracle/value/value_dot.c -- dot products of integers: of four bytes packed in a word, or of vectors, with a sum that saturates
 * or without. SPIR-V 1.6, section 3.3.13: OpSDot and its kin. */
#include "oracle/value/value_dot.h"

#include "oracle/interp/exec.h"
#include "oracle/interp/module.h"

enum {
    RESULT_BITS = 32, /* the only width that is interpreted */
    N_FACTORS = 2,
    N_BYTES = 4, /* of a packed word */
    BYTE_BITS = 8,
    PACKED_4X8 = SpvPackedVectorFormatPackedVectorFormat4x8Bit,
    SUM_BITS =
        16, /* of components in a sum that saturates, at most: their products are exact in 64 bits */
    MAX_PARTS = 16
};

bool value_is_dot(uint32_t op)
{
    return op >= SpvOpSDot && op <= SpvOpSUDotAccSat;
}

bool value_is_dot_sum(uint32_t op)
{
    return op >= SpvOpSDotAccSat && op <= SpvOpSUDotAccSat;
}

/* The operands of one dot product: n components of n_bits each. */
struct dot {
    bool is_packed;
    uint32_t n, n_bits;
    uint64_t part[N_FACTORS][MAX_PARTS];
    uint64_t accumulator;
    bool is_known; /* all of it */
};

/* The low n_bits of a number, as a signed number or an unsigned one. */
static int64_t extend(uint64_t bits, uint32_t n_bits, bool is_signed)
{
    uint64_t const sign = UINT64_C(1) << (n_bits - 1);
    bits &= 2 * sign - 1;
    return is_signed && (bits & sign) ? (int64_t)bits - (int64_t)(2 * sign) : (int64_t)bits;
}

static int64_t clamp(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

static bool is_unsigned(uint32_t op)
{
    return op == SpvOpUDot || op == SpvOpUDotAccSat;
}

static int64_t factor(uint32_t op, const struct dot *d, uint32_t i, uint32_t k)
{
    bool const is_mixed = op == SpvOpSUDot || op == SpvOpSUDotAccSat;
    bool const is_signed = i == 0 ? !is_unsigned(op) : !is_unsigned(op) && !is_mixed;
    return extend(d->part[i][k], d->n_bits, is_signed);
}

/* The low bits of the sum of products, which is what the instruction gives whatever overflows. */
static uint64_t sum_low(uint32_t op, const struct dot *d)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < d->n; k++) {
        sum += (uint64_t)factor(op, d, 0, k) * (uint64_t)factor(op, d, 1, k);
    }
    return sum & UINT32_MAX;
}

/* *out: the sum of products added to the accumulator, which saturates as a number of the result's sign. false: in some
 * order a product or a sum before that leaves the result's width, and then the result is undefined. */
static bool sum_saturated(uint32_t op, const struct dot *d, uint64_t *out)
{
    int64_t const least = is_unsigned(op) ? 0 : INT32_MIN;
    int64_t const most = is_unsigned(op) ? UINT32_MAX : INT32_MAX;
    int64_t below = 0, above = 0; /* of the negative products, and of the others */
    for (uint32_t k = 0; k < d->n; k++) {
        int64_t const product = factor(op, d, 0, k) * factor(op, d, 1, k);
        *(product < 0 ? &below : &above) += product;
    }
    int64_t const accumulator = extend(d->accumulator, RESULT_BITS, !is_unsigned(op));
    *out = (uint64_t)clamp(below + above + accumulator, least, most) & UINT32_MAX;
    return below >= least && above <= most;
}

/* Component k of a factor: of the vector `id`, or byte k of it as a word. */
static uint64_t take_part(struct exec *x, const struct invocation *inv, uint32_t id, uint32_t k,
                          struct dot *d)
{
    uint64_t bits = 0;
    d->is_known &= exec_known(x, exec_reg(x, inv, id)[d->is_packed ? 0 : k], &bits) != 0;
    return d->is_packed ? bits >> (BYTE_BITS * k) : bits;
}

/* Determines the form of the operands of an integer dot product: packed bytes or vectors, and the
 * number and width of the parts. Returns false for a form that is not interpreted. */
static bool find_form(const struct module *m, const struct mod_inst *in, struct dot *d)
{
    uint32_t const n = value_is_dot_sum(in->op) ? N_FACTORS + 1 : N_FACTORS;
    d->is_packed = in->n == MOD_OPERAND + n + 1; /* a last operand names the packed format */
    bool const fits =
        d->is_packed ? in->w[MOD_OPERAND + n] == PACKED_4X8 : in->n == MOD_OPERAND + n;
    if (!fits || m->ids[in->type].t.bits != RESULT_BITS || m->ids[in->result].n_slots != 1) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct mod_id *const id = &m->ids[module_get_operand(m, in, MOD_OPERAND + i)];
        uint32_t const n_bits = m->ids[id->type].t.bits;
        bool const is_vector = i < N_FACTORS && !d->is_packed;
        if (!is_vector && (id->n_slots != 1 || n_bits != RESULT_BITS)) {
            return false;
        }
        /* unlike the first */
        if (is_vector && i > 0 && (id->n_slots != d->n || n_bits != d->n_bits)) {
            return false;
        }
        if (is_vector) {
            d->n = id->n_slots;
            d->n_bits = n_bits;
        }
    }
    if (d->is_packed) {
        d->n = N_BYTES;
        d->n_bits = BYTE_BITS;
    }
    uint32_t const most_bits = value_is_dot_sum(in->op) ? SUM_BITS : RESULT_BITS;
    return d->n >= 2 && d->n <= MAX_PARTS && d->n_bits >= BYTE_BITS && d->n_bits <= most_bits;
}

/* Computes an integer dot product, with or without a saturating accumulator. The result is unknown
 * where an operand is, or where the sum before saturation overflows, which leaves it undefined.
 * Returns 1, 0 with x->stop set, or -1 for operands that are not interpreted. */
int value_dot(struct exec *x, const struct invocation *inv, const struct mod_inst *in,
              struct val *out)
{
    struct dot d = {.is_known = true};
    uint64_t bits;
    bool is_defined = true;
    if (!find_form(x->m, in, &d)) {
        return -1;
    }
    for (uint32_t i = 0; i < N_FACTORS; i++) {
        uint32_t const id = module_get_operand(x->m, in, MOD_OPERAND + i);
        for (uint32_t k = 0; k < d.n; k++) {
            d.part[i][k] = take_part(x, inv, id, k, &d);
        }
    }
    if (value_is_dot_sum(in->op)) {
        uint32_t const id = module_get_operand(x->m, in, MOD_OPERAND + N_FACTORS);
        d.is_known &= exec_known(x, *exec_reg(x, inv, id), &d.accumulator) != 0;
        is_defined = sum_saturated(in->op, &d, &bits);
    } else {
        bits = sum_low(in->op, &d);
    }
    *out = exec_new_abstract(x);
    if (d.is_known && is_defined) {
        *out = (struct val){.bits = bits};
    }
    return x->stop == NULL;
}
