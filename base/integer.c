/* base/integer.c -- what integer instructions give, exactly: one scalar at a time. */
#include "base/integer.h"

#include "base/ops.h"

__extension__ typedef __int128
    wide_int; /* holds each sum, product and shifted number of 64 bits but one of two
                                          * without a sign */

static uint64_t mask_of(unsigned n_bits)
{
    return n_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << n_bits) - 1;
}

static int64_t sign_extend(uint64_t v, unsigned n_bits)
{
    unsigned const shift = 64 - (n_bits ? n_bits : 1);
    return n_bits == 0 ? 0 : (int64_t)(v << shift) >> shift;
}

/* The remainder that has the sign of the divisor. */
static int64_t floor_mod(int64_t x, int64_t y)
{
    int64_t const rest = x % y;
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/* y - x, or x - y where that is not negative. */
static uint64_t distance(bool is_less, uint64_t x, uint64_t y)
{
    return is_less ? y - x : x - y;
}

static uint64_t count_ones(uint64_t v)
{
    uint64_t n = 0;
    for (; v != 0; v &= v - 1) {
        n++;
    }
    return n;
}

/* Places up to the highest bit that is set; 0: none is. */
static unsigned count_places(uint64_t v)
{
    unsigned n = 0;
    for (; v != 0; v >>= 1) {
        n++;
    }
    return n;
}

/* The place of the lowest bit that is set; there is one. */
static uint64_t find_lowest(uint64_t v)
{
    return count_places(v & (0 - v)) - 1;
}

static uint64_t reverse(uint64_t v, unsigned n_bits)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < n_bits; i++) {
        out = out << 1 | (v >> i & 1);
    }
    return out;
}

static uint64_t take_field(uint64_t v, uint64_t offset, uint64_t count)
{
    return count == 0 ? 0 : v >> offset & mask_of((unsigned)count);
}

static uint64_t insert_field(uint64_t base, uint64_t insert, uint64_t offset, uint64_t count)
{
    if (count == 0) {
        return base;
    }
    uint64_t const field = mask_of((unsigned)count) << offset;
    return (base & ~field) | (insert << offset & field);
}

static uint64_t rotate(uint64_t v, uint64_t by, unsigned n_bits)
{
    uint64_t const left = by % n_bits;
    return left == 0 ? v : v << left | v >> (n_bits - left);
}

/* The upper n_bits of the product of x and y; of 64 bits from products of halves. */
static uint64_t high(uint64_t x, uint64_t y, unsigned n_bits)
{
    if (n_bits <= 32) {
        return x * y >> n_bits;
    }
    uint64_t const x_low = x & UINT32_MAX, x_high = x >> 32;
    uint64_t const y_low = y & UINT32_MAX, y_high = y >> 32;
    uint64_t const low = x_low * y_low, mixed = x_high * y_low, other = x_low * y_high;
    uint64_t const carry = (low >> 32) + (mixed & UINT32_MAX) + (other & UINT32_MAX);
    return x_high * y_high + (mixed >> 32) + (other >> 32) + (carry >> 32);
}

/* The same of signed numbers: as numbers without a sign they are 2^n_bits more where they are negative. */
static uint64_t high_signed(int64_t x, int64_t y, unsigned n_bits)
{
    if (n_bits <= 32) {
        return (uint64_t)(x * y >> n_bits);
    }
    return high((uint64_t)x, (uint64_t)y, n_bits) - (x < 0 ? (uint64_t)y : 0) -
           (y < 0 ? (uint64_t)x : 0);
}

static int64_t clamp_sum(int64_t x, int64_t y, int64_t least, int64_t most)
{
    if (y > 0) {
        return x > most - y ? most : x + y;
    }
    return x < least - y ? least : x + y;
}

static int64_t clamp_difference(int64_t x, int64_t y, int64_t least, int64_t most)
{
    if (y < 0) {
        return x > most + y ? most : x - y;
    }
    return x < least + y ? least : x - y;
}

static uint64_t mad_sat(uint64_t x, uint64_t y, uint64_t z, uint64_t all, unsigned n_bits)
{
    uint64_t const product = x * y;
    return high(x, y, n_bits) != 0 || (product & all) > all - z ? all : product + z;
}

/* The sum as a number of twice the width: `low` and what is above it. It fits where that is nothing but the sign. */
static uint64_t mad_sat_signed(int64_t x, int64_t y, int64_t z, unsigned n_bits)
{
    uint64_t const sign = UINT64_C(1) << (n_bits - 1);
    uint64_t const all = mask_of(n_bits);
    uint64_t const product = (uint64_t)x * (uint64_t)y & all;
    uint64_t const low = (product + (uint64_t)z) & all;
    uint64_t const carry = low < product;
    int64_t const above =
        sign_extend((high_signed(x, y, n_bits) + (z < 0 ? UINT64_MAX : 0) + carry) & all, n_bits);
    if (above == (low & sign ? -1 : 0)) {
        return low;
    }
    return above < 0 ? sign : all >> 1;
}

static bool fits_24(int64_t v)
{
    return v >= -0x800000 && v <= 0x7fffff;
}

bool integer_has(uint32_t op)
{
    switch (op) {
#define INTEGER(set, name, number, defined, value)    case OP_NUMBER(OP_SET_##set, number):
#define INTEGER_PAIR(set, name, number, value, above) case OP_NUMBER(OP_SET_##set, number):
#include "base/integer.def"
        return true;
    default:
        return false;
    }
}

bool integer_gives_pair(uint32_t op)
{
    switch (op) {
#define INTEGER(...)
#define INTEGER_PAIR(set, name, number, value, above) case OP_NUMBER(OP_SET_##set, number):
#include "base/integer.def"
        return true;
    default:
        return false;
    }
}

enum integer_answer integer_apply(uint32_t op, unsigned n_bits, unsigned out_bits,
                                  const uint64_t arg[INTEGER_MAX_ARGS], uint64_t out[2])
{
    uint64_t const a = arg[0], b = arg[1], c = arg[2], d = arg[3], all = mask_of(n_bits);
    int64_t const sa = sign_extend(a, n_bits), sb = sign_extend(b, n_bits),
                  sc = sign_extend(c, n_bits);
    int64_t const most = (int64_t)(all >> 1), least = -most - 1;
    bool is_defined = true;
    out[1] = 0;
    switch (op) {
#define INTEGER(set, name, number, defined, value)                                                 \
    case OP_NUMBER(OP_SET_##set, number):                                                          \
        is_defined = defined;                                                                      \
        out[0] = is_defined ? (uint64_t)(value) : 0;                                               \
        break;
#define INTEGER_PAIR(set, name, number, value, above)                                              \
    case OP_NUMBER(OP_SET_##set, number):                                                          \
        out[0] = value;                                                                            \
        out[1] = (uint64_t)(above)&all;                                                            \
        break;
#include "base/integer.def"
    default:
        return INTEGER_UNKNOWN;
    }
    out[0] &= mask_of(out_bits);
    return is_defined ? INTEGER_GIVES : INTEGER_UNDEFINED;
}

/* The ends of a range. */
static wide_int least_of(bool is_signed, unsigned n_bits)
{
    return is_signed ? -((wide_int)1 << (n_bits - 1)) : 0;
}

static wide_int most_of(bool is_signed, unsigned n_bits)
{
    return ((wide_int)1 << (is_signed ? n_bits - 1 : n_bits)) - 1;
}

bool integer_wraps(uint32_t op, bool is_signed, unsigned n_bits,
                   const uint64_t arg[INTEGER_MAX_ARGS])
{
    wide_int const a = is_signed ? (wide_int)sign_extend(arg[0], n_bits) : (wide_int)arg[0];
    wide_int const b = is_signed ? (wide_int)sign_extend(arg[1], n_bits) : (wide_int)arg[1];
    wide_int exact = 0;
    if (n_bits == 0) {
        return false;
    }
    switch (op) {
    case OP_NUMBER(OP_SET_core, 128): /* IAdd */
        exact = a + b;
        break;
    case OP_NUMBER(OP_SET_core, 130): /* ISub */
        exact = a - b;
        break;
    case OP_NUMBER(OP_SET_core, 132): /* IMul */
        if (!is_signed) {
            return arg[0] != 0 && arg[1] > mask_of(n_bits) / arg[0];
        }
        exact = a * b;
        break;
    case OP_NUMBER(OP_SET_core, 196): /* ShiftLeftLogical */
        exact = arg[1] < n_bits ? a * ((wide_int)1 << arg[1]) : 0;
        break;
    case OP_NUMBER(OP_SET_core, 126): /* SNegate */
        exact = -a;
        break;
    case OP_NUMBER(OP_SET_opencl_std, 141): /* s_abs */
    case OP_NUMBER(OP_SET_glsl450, 5):      /* SAbs */
        exact = a < 0 ? -a : a;
        break;
    default:
        return false;
    }
    return exact < least_of(is_signed, n_bits) || exact > most_of(is_signed, n_bits);
}

uint64_t integer_saturate(uint64_t v, bool is_signed, unsigned n_bits, bool to_signed,
                          unsigned out_bits)
{
    wide_int const exact = is_signed ? (wide_int)sign_extend(v, n_bits) : (wide_int)v;
    wide_int const least = least_of(to_signed, out_bits), most = most_of(to_signed, out_bits);
    wide_int const nearest = exact < least ? least : exact > most ? most : exact;
    return (uint64_t)nearest & mask_of(out_bits);
}
