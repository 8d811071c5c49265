/* oracle/nir_text/nir_op.c -- each row of nir_op.def as a loop over invocations. */
#include "oracle/nir_text/nir_op.h"

#include <string.h>

#include "oracle/nir_text/nir_word.h"

__extension__ typedef unsigned __int128 nir_wide;
__extension__ typedef __int128 nir_wide_signed;

/* v limited to what n_bits hold. */
static uint64_t nir_saturate(nir_wide_signed v, unsigned n_bits, bool is_signed)
{
    nir_wide_signed const highest = (nir_wide_signed)nir_mask(is_signed ? n_bits - 1 : n_bits);
    nir_wide_signed const lowest = is_signed ? -highest - 1 : 0;
    return (uint64_t)(v < lowest ? lowest : v > highest ? highest : v);
}

/* The quotient toward zero; 0 for a divisor of 0. The smallest number by -1 wraps. */
static uint64_t nir_divide(int64_t a, int64_t b)
{
    if (b == 0 || b == -1) {
        return b == 0 ? 0 : 0 - (uint64_t)a;
    }
    return (uint64_t)(a / b);
}

/* The remainder with the sign of the divisor; 0 for a divisor of 0. */
static uint64_t nir_modulo(int64_t a, int64_t b)
{
    if (b == 0 || b == -1) {
        return 0;
    }
    int64_t const rest = a % b;
    return (uint64_t)(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

static uint64_t nir_reverse(uint64_t a, unsigned n_bits)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < n_bits; i++) {
        out |= (a >> i & 1) << (n_bits - 1 - i);
    }
    return out;
}

/* The position of the highest bit that is set; -1: none is. */
static int nir_highest(uint64_t a)
{
    return a ? 63 - __builtin_clzll(a) : -1;
}

/* n bits of a from bit `offset` on, where a has n_bits; bits beyond its end are not read. 0 for none. */
static uint64_t nir_extract(uint64_t a, uint64_t offset, uint64_t n, unsigned n_bits,
                            bool is_signed)
{
    if (n == 0 || offset >= n_bits) {
        return 0;
    }
    unsigned const width = (unsigned)(n < n_bits - offset ? n : n_bits - offset);
    uint64_t const bits = a >> offset & nir_mask(width);
    return is_signed ? (uint64_t)nir_sign_extend(bits, width) : bits;
}

/* a, but its n bits from bit `offset` on are those of b. */
static uint64_t nir_insert(uint64_t a, uint64_t b, uint64_t offset, uint64_t n)
{
    if (n == 0 || offset > 31) {
        return a;
    }
    uint64_t const mask = nir_mask(n) << offset;
    return (b << offset & mask) | (a & ~mask);
}

/* Bits of a at even positions, of b at odd ones. */
static uint64_t nir_interleave(uint64_t a, uint64_t b)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < 16; i++) {
        out |= (a >> i & 1) << 2 * i | (b >> i & 1) << (2 * i + 1);
    }
    return out;
}

/* Four bytes, each of the eight of low and high that a digit of the selector names; its highest bit takes the sign alone. */
static uint64_t nir_permute(uint64_t selector, uint64_t low, uint64_t high)
{
    uint64_t const all = high << 32 | low;
    uint64_t out = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t const digit = selector >> 4 * i & 15;
        uint64_t const byte = all >> 8 * (digit & 7) & 0xff;
        out |= (digit & 8 ? (byte & 0x80) != 0 ? UINT64_C(0xff) : 0 : byte) << 8 * i;
    }
    return out;
}

enum nir_dot_form {
    NIR_DOT_UU = 0, /* both factors are unsigned */
    NIR_DOT_SU = 1, /* the first one is signed */
    NIR_DOT_SS = 3, /* both are */
    NIR_DOT_SAT = 4 /* the sum is limited to the type's range instead of cut off */
};
/* The sum of the products of four bytes each and of c, which is signed if a factor is. */
static uint64_t nir_dot(uint64_t a, uint64_t b, uint64_t c, unsigned form)
{
    bool const is_signed = (form & NIR_DOT_SU) != 0;
    int64_t sum = is_signed ? nir_sign_extend(c, 32) : (int64_t)c;
    for (unsigned i = 0; i < 32; i += 8) {
        uint64_t const x = a >> i & 0xff, y = b >> i & 0xff;
        int64_t const left = is_signed ? nir_sign_extend(x, 8) : (int64_t)x;
        int64_t const right =
            (form & NIR_DOT_SS) == NIR_DOT_SS ? nir_sign_extend(y, 8) : (int64_t)y;
        sum += left * right;
    }
    return (form & NIR_DOT_SAT) != 0 ? nir_saturate(sum, 32, is_signed) : (uint64_t)sum;
}

/* What formulas of nir_op.def are written with. */
#define S(v)           nir_sign_extend((v), m_bits)
#define SHIFT(v)       ((v) & (n_bits - 1U))
#define SIGN           (UINT64_C(1) << (n_bits - 1U))
#define FLOAT(f, ...)  nir_float_##f(x->modes, n_bits, __VA_ARGS__)
#define TRUTH(is_true) ((is_true) ? UINT64_MAX : 0)
#define COMPARE(v, w)  nir_float_compare(x->modes, m_bits, (v), (w))

#define NIR_OP(name, shape, signature, trust, formula)                                             \
    static void run_##name(const struct nir_alu *x)                                                \
    {                                                                                              \
        unsigned const n_bits = x->n_bits, m_bits = x->m_bits;                                     \
        uint64_t const mask = nir_mask(n_bits);                                                    \
        (void)m_bits;                                                                              \
        for (uint32_t i = 0; i < x->n_lanes; i++) {                                                \
            uint32_t const lane = x->lanes[i];                                                     \
            uint64_t const a = x->s[0][lane], b = x->s[1][lane];                                   \
            uint64_t const c = x->s[2][lane], d = x->s[3][lane];                                   \
            (void)a, (void)b, (void)c, (void)d;                                                    \
            x->out[lane] = (uint64_t)(formula)&mask;                                               \
        }                                                                                          \
    }
#include "oracle/nir_text/nir_op.def"

enum {
    TRUST_EXACT,
    TRUST_HARDWARE
};
const struct nir_op_row nir_op_rows[NIR_OP_N] = {
/* A signature is the result, a colon, and a letter for each source. */
#define NIR_OP(name, shape, signature, trust, ...)                                                 \
    {#name,                                                                                        \
     NIR_##shape,                                                                                  \
     signature,                                                                                    \
     sizeof(signature) - sizeof("r:"),                                                             \
     TRUST_##trust == TRUST_HARDWARE,                                                              \
     run_##name},
#include "oracle/nir_text/nir_op.def"
};

int nir_op_find(const char *name, size_t n)
{
    for (int i = 0; i < NIR_OP_N; i++) {
        if (strlen(nir_op_rows[i].name) == n && memcmp(nir_op_rows[i].name, name, n) == 0) {
            return i;
        }
    }
    return -1;
}

bool nir_combine(const struct nir_modes *modes, unsigned word, unsigned n_bits, uint64_t a,
                 uint64_t b, uint64_t *out)
{
    enum nir_op op = NIR_OP_mov;
    switch (word) {
#define COMBINES(name)                                                                             \
    case NIR_WORD_##name:                                                                          \
        op = NIR_OP_##name;                                                                        \
        break
        COMBINES(iadd);
        COMBINES(isub);
        COMBINES(imul);
        COMBINES(imin);
        COMBINES(imax);
        COMBINES(umin);
        COMBINES(umax);
        COMBINES(iand);
        COMBINES(ior);
        COMBINES(ixor);
        COMBINES(fadd);
        COMBINES(fmul);
        COMBINES(fmin);
        COMBINES(fmax);
#undef COMBINES
    default:
        return false;
    }
    bool const is_float = nir_op_rows[op].signature[0] == 'f';
    if (is_float && !nir_is_float_width(n_bits)) {
        return false;
    }
    uint8_t const only = 0;
    struct nir_alu const x = {
        .modes = modes,
        .n_bits = n_bits,
        .m_bits = n_bits,
        .s = {&a, &b, &a, &a},
        .out = out,
        .lanes = &only,
        .n_lanes = 1
    };
    nir_op_rows[op].run(&x);
    return true;
}
