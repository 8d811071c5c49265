/* oracle/nir_text/nir_float.h -- float operations of NIR on encodings, each rounded once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/format.h"
#include "base/func_row.h"

/* How a program rounds and flushes, by enum fmt_id. A format that is flushed has subnormal operands and results of
 * arithmetic replaced by a zero of the same sign. Results round to nearest even or toward zero. */
struct nir_modes {
    bool toward_zero[FMT_N], flush[FMT_N];
    bool flush_signs[FMT_N]; /* also of operations on the sign alone */
    bool weak_apart
        [FMT_N]; /* a fused sum that may be left apart is: the product is rounded, then the sum */
};
/* The modes of `float_controls_execution_mode` in the header of a program, whose bits come in threes, for 16, 32 and 64
 * bits: 0x1 preserves subnormals, 0x8 flushes them, 0x40 rounds to nearest even, 0x200 toward zero. */
struct nir_modes nir_modes_of(uint32_t float_controls);

/* Is there a float format of this width? */
static inline bool nir_is_float_width(unsigned n_bits)
{
    return n_bits == 16 || n_bits == 32 || n_bits == 64;
}

/* All below: n_bits is the width of the operands and the result, 16, 32 or 64. A result that is NaN is the quiet NaN
 * without a payload. */
uint64_t nir_float_add(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b);
uint64_t nir_float_multiply(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b);
uint64_t nir_float_divide(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b);
/* The product, but +0 if either factor is a zero, whatever the other one is. */
uint64_t nir_float_multiply_zero(const struct nir_modes *m, unsigned n_bits, uint64_t a,
                                 uint64_t b);
uint64_t nir_float_fma(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b,
                       uint64_t c);
/* The fused sum, or the sum of the rounded product, as the modes say. */
uint64_t nir_float_weak_fma(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b,
                            uint64_t c);
/* The operand of what changes signs alone, a subnormal as a zero where the header's modes flush: NIR does so for each float
 * result. A chip that flushes without being asked changes the sign of a subnormal as a bit. */
uint64_t nir_float_flush(const struct nir_modes *m, unsigned n_bits, uint64_t a);
/* The operand as an operation of arithmetic leaves it: quiet, and flushed where the modes flush. */
uint64_t nir_float_canonical(const struct nir_modes *m, unsigned n_bits, uint64_t a);
/* The smaller or larger one, -0 below +0; of a NaN and a number the number. */
uint64_t nir_float_select(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b,
                          bool is_max);
/* Limited to [+0, 1]; +0 for NaN. */
uint64_t nir_float_saturate(const struct nir_modes *m, unsigned n_bits, uint64_t a);
/* -1, 1, or a zero itself; +0 for NaN. */
uint64_t nir_float_sign(const struct nir_modes *m, unsigned n_bits, uint64_t a);
enum nir_integral {
    NIR_FLOOR,
    NIR_CEIL,
    NIR_TRUNC,
    NIR_EVEN /* to the nearest integer, ties to even */
};
uint64_t nir_float_integral(const struct nir_modes *m, unsigned n_bits, enum nir_integral way,
                            uint64_t a);
/* a * 2^n, where n is a signed number of 32 bits. */
uint64_t nir_float_scale(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t n);
/* 2 * a, or a itself where that is too large: of both sine and cosine of pi times them are the same, since both are even
 * integers. */
uint64_t nir_float_twice(const struct nir_modes *m, unsigned n_bits, uint64_t a);
/* The significand in [0.5, 1) with the sign of a, and the exponent e of a = significand * 2^e. Of zeros, infinities
 * and NaN the significand is the operand and the exponent 0. */
uint64_t nir_float_significand(const struct nir_modes *m, unsigned n_bits, uint64_t a);
int nir_float_exponent(const struct nir_modes *m, unsigned n_bits, uint64_t a);
uint64_t nir_float_reciprocal(const struct nir_modes *m, unsigned n_bits, uint64_t a);
/* A function of one argument, correctly rounded in the direction of the modes; NaN where it is not defined. */
uint64_t nir_float_function(const struct nir_modes *m, unsigned n_bits, enum func_id id,
                            uint64_t a);
/* a to the power b, likewise. */
uint64_t nir_float_power(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b);
/* a of from_bits in the format of n_bits, rounded as its modes say; or in a given direction. */
uint64_t nir_float_convert(const struct nir_modes *m, unsigned n_bits, unsigned from_bits,
                           uint64_t a);
uint64_t nir_float_convert_toward(const struct nir_modes *m, unsigned n_bits, unsigned from_bits,
                                  uint64_t a, bool toward_zero);
/* An integer of 64 bits. */
uint64_t nir_float_from_int(const struct nir_modes *m, unsigned n_bits, uint64_t a, bool is_signed);
/* Toward zero to an integer of to_bits; the nearest one where a is out of its range, 0 for NaN. */
uint64_t nir_float_to_int(unsigned n_bits, uint64_t a, unsigned to_bits, bool is_signed);
/* An f32 rounded to nearest f16 and converted back; a signed zero for magnitudes below 2^-14. */
uint64_t nir_float_quantize(const struct nir_modes *m, uint64_t a);
bool nir_float_is_finite(unsigned n_bits, uint64_t a);
/* How a relates to b; bits, so that several can be asked for at once. -0 equals +0. */
enum nir_relation {
    NIR_EQUAL = 1,
    NIR_LESS = 2,
    NIR_GREATER = 4,
    NIR_UNORDERED = 8
};
unsigned nir_float_compare(const struct nir_modes *m, unsigned n_bits, uint64_t a, uint64_t b);
