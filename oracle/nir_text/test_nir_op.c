/* oracle/nir_text/test_nir_op.c -- each operation of nir_op.def on values worked by hand, and basic arithmetic on many values
 * against MPFR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "oracle/nir_text/nir_op.h"
#include "oracle/nir_text/nir_word.h"
#include "oracle/num/mp.h"

/* One operation on one invocation. */
static uint64_t apply(enum nir_op op, struct nir_modes modes, unsigned n_bits, unsigned m_bits,
                      const uint64_t *args)
{
    uint8_t const lane = 0;
    uint64_t out = UINT64_C(0x5a5a5a5a5a5a5a5a);
    struct nir_alu const x = {
        .modes = &modes,
        .n_bits = n_bits,
        .m_bits = m_bits,
        .s = {&args[0], &args[1], &args[2], &args[3]},
        .out = &out,
        .lanes = &lane,
        .n_lanes = 1
    };
    nir_op_rows[op].run(&x);
    return out;
}

struct vector {
    enum nir_op op;
    unsigned n_bits, m_bits; /* of the result, of the first operand */
    uint64_t args[4];
    uint64_t want;
};
#define V(name, n, m, want, ...)                                                                   \
    {                                                                                              \
        NIR_OP_##name, n, m, {__VA_ARGS__}, want                                                   \
    }
#define ONE  0x3f800000 /* floats of 32 bits */
#define TWO  0x40000000
#define HALF 0x3f000000
#define NEG  0x80000000 /* sign */
#define INF  0x7f800000
#define NAN_ 0x7fc00000

static const struct vector integers[] = {
    V(mov, 32, 32, 7, 7),
    V(pack_64_2x32_split, 64, 32, UINT64_C(0x200000001), 1, 2),
    V(pack_32_2x16_split, 32, 16, 0x20001, 1, 2),
    V(unpack_64_2x32_split_x, 32, 64, 1, UINT64_C(0x200000001)),
    V(unpack_64_2x32_split_y, 32, 64, 2, UINT64_C(0x200000001)),
    V(unpack_32_2x16_split_x, 16, 32, 1, 0x20001),
    V(unpack_32_2x16_split_y, 16, 32, 2, 0x20001),
    V(iadd, 8, 8, 1, 0xff, 2),
    V(isub, 16, 16, 0xffff, 1, 2),
    V(imul, 32, 32, 0xfffffffe, 0xffffffff, 2),
    V(ineg, 32, 32, 0xffffffff, 1),
    V(iabs, 8, 8, 0x80, 0x80),
    V(iabs, 32, 32, 5, 0xfffffffb),
    V(isign, 16, 16, 0xffff, 0x8000),
    V(isign, 16, 16, 1, 9),
    V(isign, 16, 16, 0, 0),
    V(iadd3, 32, 32, 6, 1, 2, 3),
    V(imad, 32, 32, 10, 2, 3, 4),
    V(lea_nv, 32, 32, 13, 1, 3, 2),
    V(lea_nv, 32, 32, 7, 1, 3, 33), /* the shift is taken modulo the width */
    V(imadshl_agx, 32, 32, 22, 2, 3, 4, 2),
    V(imsubshl_agx, 32, 32, 0xfffffff6, 2, 3, 4, 2),
    V(iand, 8, 8, 8, 12, 10),
    V(ior, 8, 8, 14, 12, 10),
    V(ixor, 8, 8, 6, 12, 10),
    V(inot, 1, 1, 0, 1),
    V(inot, 8, 8, 0xfe, 1),
    V(ishl, 16, 16, 0x8000, 1, 15),
    V(ishl, 16, 16, 2, 1, 17), /* the shift is taken modulo the width */
    V(ushr, 32, 32, 1, 0x80000000, 31),
    V(ishr, 8, 8, 0xff, 0x80, 7),
    V(shfr, 32, 32, 0xf0000000, 0xf, 0, 4),
    V(extr_agx, 32, 32, 0xdef01234, 0x12345678, 0x9abcdef0, 16, 0), /* all 32 bits from bit 16 on */
    V(extr_agx, 32, 32, 0x4, 0x12345678, 0x9abcdef0, 16, 4),
    V(extr_agx, 32, 32, 0x9abc, 0x12345678, 0x9abcdef0, 48, 0),
    V(extr_agx, 32, 32, 0, 0x12345678, 0x9abcdef0, 64, 0),
    V(interleave, 32, 16, 0x5555, 0xff, 0),
    V(interleave, 32, 16, 0x80000002, 0, 0x8001),
    V(prmt_nv, 32, 32, 0x66778811, 0x6540, 0x44332211,
      0x99667788), /* byte 0 of the first, three of the second */
    V(prmt_nv, 32, 32, 0x44444499, 0x3337, 0x44332211, 0x99667788),
    V(prmt_nv, 32, 32, 0xff00ff00, 0xf8f8, 0x44332211, 0x99667788), /* signs alone */
    V(alignbyte_amd, 32, 32, 0x78123456, 0x12345678, 0x12345678, 1),
    V(alignbyte_amd, 32, 32, 0x87654321, 0x12345678, 0x87654321, 4), /* modulo 4 */
    V(imin, 8, 8, 0xff, 0xff, 1),
    V(imax, 8, 8, 1, 0xff, 1),
    V(umin, 8, 8, 1, 0xff, 1),
    V(umax, 8, 8, 0xff, 0xff, 1),
    V(bcsel, 32, 1, 4, 1, 4, 5),
    V(bcsel, 32, 1, 5, 0, 4, 5),
    V(icsel_eqz, 32, 32, 4, 0, 4, 5),
    V(icsel_eqz, 32, 32, 5, 9, 4, 5),
    V(ieq, 1, 32, 1, 3, 3),
    V(ine, 1, 32, 0, 3, 3),
    V(ilt, 1, 8, 1, 0xff, 0),
    V(ige, 1, 8, 0, 0xff, 0),
    V(ult, 1, 8, 0, 0xff, 0),
    V(uge, 1, 8, 1, 0xff, 0),
    V(ieq32, 32, 8, 0xffffffff, 3, 3),
    V(ine32, 32, 8, 0, 3, 3),
    V(ilt32, 32, 8, 0xffffffff, 0xff, 0),
    V(ige32, 32, 8, 0, 0xff, 0),
    V(ult32, 32, 8, 0, 0xff, 0),
    V(uge32, 32, 8, 0xffffffff, 0xff, 0),
    V(b32csel, 8, 32, 4, 0xffffffff, 4, 5),
    V(b32csel, 8, 32, 5, 0, 4, 5),
    V(bitz, 1, 32, 1, 4, 1),
    V(bitz, 1, 32, 0, 4, 34),
    V(bitnz, 1, 32, 1, 4, 2),
    V(umul_high, 32, 32, 0xfffffffe, 0xffffffff, 0xffffffff),
    V(umul_high, 64, 64, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX),
    V(imul_high, 32, 32, 0, 0xffffffff, 0xffffffff),
    V(imul_high, 16, 16, 0xffff, 0xffff, 1),
    V(imul_2x32_64, 64, 32, UINT64_MAX, 0xffffffff, 1),
    V(umul_2x32_64, 64, 32, 0xffffffff, 0xffffffff, 1),
    V(imul_16x16, 32, 32, 0xfffffffe, 0x1ffff, 2),
    V(umul_16x16, 32, 32, 0x1fffe, 0x1ffff, 2),
    V(imul24, 32, 32, 0xfffffffe, 0xffffff, 2),
    V(umul24, 32, 32, 0x1fffffe, 0xffffffff, 2),
    V(imul24_relaxed, 32, 32, 0xfffff073, 0xffffffff, 3981),
    V(umul24_relaxed, 32, 32, 6, 2, 3),
    V(imad24_ir3, 32, 32, 1, 0xffffff, 2, 3),
    V(imadsh_mix16, 32, 32, 0x60001, 2, 0x30000, 1),
    V(imadsh_mix16, 32, 32, 1, 0x20000, 3, 1), /* the low half of a, the high half of b */
    V(uadd_carry, 32, 32, 1, 0xffffffff, 1),
    V(uadd_carry, 64, 64, 0, UINT64_MAX, 0),
    V(usub_borrow, 32, 32, 1, 0, 1),
    V(uadd_sat, 8, 8, 255, 200, 100),
    V(uadd_sat, 64, 64, UINT64_MAX, UINT64_MAX, 2),
    V(usub_sat, 8, 8, 0, 1, 2),
    V(iadd_sat, 8, 8, 0x7f, 0x7f, 1),
    V(iadd_sat, 8, 8, 0x80, 0x80, 0xff),
    V(isub_sat, 8, 8, 0x80, 0x80, 1),
    V(udiv, 32, 32, 2, 7, 3),
    V(udiv, 32, 32, 0, 7, 0),
    V(umod, 32, 32, 1, 7, 3),
    V(idiv, 32, 32, 0xfffffffe, 0xfffffff9, 3), /* -7 / 3 */
    V(idiv, 32, 32, 0x80000000, 0x80000000, 0xffffffff),
    V(irem, 32, 32, 0xffffffff, 0xfffffff9, 3),
    V(irem, 32, 32, 0, 7, 0),
    V(irem, 32, 32, 0, 0x80000000, 0xffffffff),
    V(imod, 32, 32, 2, 0xfffffff9, 3),
    V(bit_count, 32, 64, 33, UINT64_C(0x1ffffffff)),
    V(bitfield_reverse, 32, 32, 0x80000000, 1),
    V(bitfield_reverse, 8, 8, 0xc0, 3),
    V(find_lsb, 32, 16, 15, 0x8000),
    V(find_lsb, 32, 16, 0xffffffff, 0),
    V(ufind_msb, 32, 64, 63, UINT64_C(1) << 63),
    V(ufind_msb, 32, 32, 0xffffffff, 0),
    V(ifind_msb, 32, 8, 6, 0x80), /* ~0x80 is 0x7f */
    V(ifind_msb, 32, 8, 0xffffffff, 0xff),
    V(ufind_msb_rev, 32, 32, 0xffffffff, 0),
    V(ufind_msb_rev, 32, 32, 31, 1),
    V(ufind_msb_rev, 32, 64, 1, UINT64_C(0x4000000000000000)),
    V(ifind_msb_rev, 32, 32, 0xffffffff, 0xffffffff),
    V(ifind_msb_rev, 32, 32, 1, 0xbfffffff), /* bit 30 is the first that is not the sign */
    V(ifind_msb_rev, 32, 32, 30, 2),
    V(bfm, 32, 32, 0x70, 3, 4),
    V(bfi, 32, 32, 0x1230, 0xff0, 0x23, 0x1000),
    V(bitfield_select, 32, 32, 0xa5, 0xf0, 0xaa, 0x55),
    V(ubfe, 32, 32, 0xb, 0xab0, 4, 4),
    V(ubfe, 32, 32, 0, 0xab0, 4, 32), /* a width of 32 is one of 0 */
    V(ibfe, 32, 32, 0xfffffffb, 0xab0, 4, 4),
    V(ubitfield_extract, 32, 32, 0xb, 0xab0, 4, 4),
    V(ubitfield_extract, 16, 16, 0xa, 0xa000, 12, 32),
    V(ibitfield_extract, 32, 32, 0xffffffff, 0xffffffff, 0, 32),
    V(bitfield_insert, 32, 32, 0xf0cf, 0xf00f, 0xc, 4, 4),
    V(bitfield_insert, 32, 32, 5, 9, 5, 0, 32),
    V(extract_u8, 32, 32, 0xcd, 0xabcd00, 1),
    V(extract_i8, 32, 32, 0xffffffcd, 0xabcd00, 1),
    V(extract_u16, 32, 32, 0xabcd, 0xabcd0000, 1),
    V(extract_i16, 32, 32, 0xffffabcd, 0xabcd0000, 1),
    V(insert_u8, 32, 32, 0xcd0000, 0xabcd, 2),
    V(insert_u16, 32, 32, 0xabcd0000, 0x1abcd, 1),
    V(shrm_ir3, 32, 32, 0x2, 0x30, 4, 2),
    V(shlm_ir3, 32, 32, 0x20, 0x3, 4, 0x20),
    V(shrg_ir3, 32, 32, 0x13, 0x30, 4, 0x10),
    V(shlg_ir3, 32, 32, 0x31, 0x3, 4, 1),
    V(andg_ir3, 32, 32, 0x9, 0xc, 0x8, 1),
    V(udot_4x8_uadd, 32, 32, 255 * 255 * 4 + 1, 0xffffffff, 0xffffffff, 1),
    V(sdot_4x8_iadd, 32, 32, 5, 0xffffffff, 0xffffffff, 1),
    V(sudot_4x8_iadd, 32, 32, (uint32_t)(1 - 255 * 4), 0xffffffff, 0xffffffff, 1),
    V(udot_4x8_uadd_sat, 32, 32, 0xffffffff, 1, 1, 0xffffffff),
    V(sdot_4x8_iadd_sat, 32, 32, 0x7fffffff, 1, 1, 0x7fffffff),
    V(sudot_4x8_iadd_sat, 32, 32, 0x80000000, 0xff, 1, 0x80000000),
    V(u2u8, 8, 32, 0xcd, 0xabcd),
    V(u2u16, 16, 8, 0xff, 0xff),
    V(u2u32, 32, 16, 0x8000, 0x8000),
    V(u2u64, 64, 32, 0x80000000, 0x80000000),
    V(i2i8, 8, 32, 0xcd, 0xabcd),
    V(i2i16, 16, 8, 0xffff, 0xff),
    V(i2i32, 32, 16, 0xffff8000, 0x8000),
    V(i2i64, 64, 32, UINT64_C(0xffffffff80000000), 0x80000000),
    V(b2i8, 8, 1, 1, 1),
    V(b2i16, 16, 1, 1, 1),
    V(b2i32, 32, 1, 1, 1),
    V(b2i64, 64, 1, 0, 0),
    V(b2i64, 64, 32, 1, 0xffffffff),
    V(b2b1, 1, 32, 1, 0xffffffff),
    V(b2b32, 32, 1, 0xffffffff, 1),
};

static const struct vector floats[] = {
    V(b2f16, 16, 1, 0x3c00, 1),
    V(b2f32, 32, 1, ONE, 1),
    V(b2f32, 32, 32, ONE, 0xffffffff),
    V(b2f64, 64, 1, UINT64_C(0x3ff0000000000000), 1),
    V(u2f16, 16, 32, 0x7c00, 0xffffffff),
    V(u2f32, 32, 32, 0x4f800000, 0xffffffff),
    V(u2f64, 64, 32, UINT64_C(0x41efffffffe00000), 0xffffffff),
    V(i2f16, 16, 8, 0xbc00, 0xff),
    V(i2f32, 32, 32, 0xbf800000, 0xffffffff),
    V(i2f64, 64, 64, UINT64_C(0xc3e0000000000000), UINT64_C(1) << 63),
    V(f2u8, 8, 32, 255, 0x43960000), /* 300 */
    V(f2u8, 8, 32, 0, 0xbf800000),
    V(f2u16, 16, 16, 1, 0x3e00), /* 1.5 */
    V(f2u32, 32, 32, 0xffffffff, INF),
    V(f2u64, 64, 64, UINT64_C(1) << 63, UINT64_C(0x43e0000000000000)),
    V(f2i8, 8, 32, 0x80, 0xc3960000),     /* -300 */
    V(f2i16, 16, 32, 0xffff, 0xbfc00000), /* -1.5 */
    V(f2i32, 32, 32, 0, NAN_),
    V(f2i32, 32, 32, 0x7fffffff, INF),
    V(f2i64, 64, 32, UINT64_C(1) << 63, NEG | INF),
    V(f2f16, 16, 32, 0x3c00, 0x3f800fff), /* below the midpoint of 1 and its neighbour */
    V(f2f16, 16, 32, 0x3c01, 0x3f801001),
    V(f2f32, 32, 16, 0x33800000, 1), /* 2^-24, of a subnormal */
    V(f2f64, 64, 32, UINT64_C(0x3ff0000000000000), ONE),
    V(f2f16_rtne, 16, 32, 0x3c02, 0x3f803000), /* a tie to even */
    V(f2f16_rtz, 16, 32, 0x3c01, 0x3f803fff),
    V(fquantize2f16, 32, 32, ONE, 0x3f800001),
    V(fquantize2f16, 32, 32, NEG, 0xb87fffff), /* just above -2^-14 */
    V(fquantize2f16, 32, 32, INF, 0x47800000),
    V(fadd, 32, 32, TWO, ONE, ONE),
    V(fadd, 16, 16, 0x4000, 0x3c00, 0x3c00),
    V(fadd, 32, 32, NAN_, INF, NEG | INF),
    V(fsub, 32, 32, 0, ONE, ONE),
    V(fmul, 32, 32, 1, 1, ONE),
    V(fmul, 64, 64, UINT64_C(0x4010000000000000), UINT64_C(0x4000000000000000),
      UINT64_C(0x4000000000000000)),
    V(fmulz, 32, 32, 0, NEG, INF),
    V(fmulz, 32, 32, TWO, TWO, ONE),
    V(fdiv, 32, 32, 0x3eaaaaab, ONE, 0x40400000), /* 1/3 */
    V(fdiv, 16, 16, 0x3555, 0x3c00, 0x4200),
    V(fdiv, 32, 32, NEG | INF, ONE, NEG),
    V(fdiv, 32, 32, NAN_, 0, 0),
    V(ffma, 32, 32, 0x3a000400, 0x3f800800, 0x3f800800,
      0xbf800000), /* (1 + 2^-12)^2 - 1: 2^-11 + 2^-24 */
    V(ffma_weak, 32, 32, 0x40400000, ONE, ONE, TWO),
    V(fmad, 32, 32, 0x40400000, ONE, ONE, TWO),
    V(fneg, 32, 32, NEG | NAN_, NAN_),
    V(fabs, 16, 16, 0x3c00, 0xbc00),
    V(fcanonicalize, 32, 32, NAN_, 0x7f800001),
    V(fmin, 32, 32, NEG, 0, NEG),
    V(fmin, 32, 32, ONE, NAN_, ONE),
    V(fmax, 32, 32, 0, NEG, 0),
    V(fmax, 32, 32, ONE, ONE, NEG | INF),
    V(fmin_agx, 32, 32, ONE, ONE, TWO),
    V(fmin_agx, 32, 32, 0, NEG, 0), /* of two zeros the second */
    V(fmin_agx, 32, 32, ONE, ONE, NAN_),
    V(fmin_agx, 32, 32, ONE, NAN_, ONE),
    V(fmax_agx, 32, 32, TWO, ONE, TWO),
    V(fmax_agx, 32, 32, NEG, 0, NEG),
    V(fmax_agx, 32, 32, ONE, ONE, NAN_),
    V(fsat, 32, 32, 0, NAN_),
    V(fsat, 32, 32, ONE, INF),
    V(fsat, 32, 32, HALF, HALF),
    V(fsat, 32, 32, 0, 0xbf800000),
    V(fsign, 32, 32, 0xbf800000, 0xc0000000),
    V(fsign, 32, 32, NEG, NEG),
    V(fsign, 32, 32, 0, NAN_),
    V(ffloor, 32, 32, 0xc0000000, 0xbfc00000), /* -1.5 */
    V(fceil, 32, 32, 0xbf800000, 0xbfc00000),
    V(ftrunc, 32, 32, NEG, 0xbf000000),
    V(fround_even, 16, 16, 0x4000, 0x3e00),  /* 1.5 to 2 */
    V(fround_even, 32, 32, TWO, 0x40200000), /* 2.5 to 2 */
    V(ffract, 32, 32, HALF, 0xbf000000),     /* -0.5 */
    V(ldexp, 32, 32, 1, ONE, 0xffffff6b),    /* 2^-149 */
    V(ldexp, 32, 32, INF, ONE, 128),
    V(frexp_sig, 32, 32, HALF, TWO),
    V(frexp_sig, 32, 32, INF, INF),
    V(frexp_exp, 32, 32, 2, TWO),
    V(frexp_exp, 32, 32, 0xffffff6c, 1), /* 2^-149 is 0.5 * 2^-148 */
    V(frexp_exp, 16, 16, 0, 0x7c00),
    V(feq32, 32, 16, 0xffffffff, 0x8000, 0),
    V(feq32, 32, 32, 0, NAN_, NAN_),
    V(fneu32, 32, 32, 0xffffffff, NAN_, NAN_),
    V(flt32, 32, 32, 0xffffffff, ONE, TWO),
    V(flt32, 32, 32, 0, NAN_, ONE),
    V(fge32, 32, 32, 0xffffffff, ONE, ONE),
    V(fge32, 32, 32, 0, ONE, NAN_),
    V(feq, 1, 32, 1, NEG, 0),
    V(feq, 1, 32, 0, NAN_, NAN_),
    V(fneu, 1, 32, 1, NAN_, NAN_),
    V(fequ, 1, 32, 1, NAN_, ONE),
    V(fneo, 1, 32, 0, NAN_, ONE),
    V(fneo, 1, 32, 1, TWO, ONE),
    V(flt, 1, 16, 1, 0xbc00, 0x3c00),
    V(flt, 1, 32, 0, NAN_, ONE),
    V(fltu, 1, 32, 1, NAN_, ONE),
    V(fge, 1, 32, 1, ONE, ONE),
    V(fge, 1, 32, 0, ONE, NAN_),
    V(fgeu, 1, 32, 1, ONE, NAN_),
    V(fisfinite, 1, 32, 0, INF),
    V(fisfinite, 1, 32, 1, 0x7f7fffff),
    V(frcp, 32, 32, HALF, TWO),
    V(frcp, 32, 32, NEG | INF, NEG),
    V(frcp, 32, 32, 0x3eaaaaab, 0x40400000), /* 1/3 */
    V(frsq, 32, 32, HALF, 0x40800000),
    V(fsqrt, 32, 32, 0x3fb504f3, TWO),
    V(fsqrt, 32, 32, NAN_, 0xbf800000),
    V(fpow, 32, 32, 0x41000000, TWO, 0x40400000),
    V(fpow, 32, 32, NAN_, 0xbf800000, HALF),
    V(fexp2, 32, 32, 0x41000000, 0x40400000),
    V(flog2, 32, 32, 0x40400000, 0x41000000),
    V(flog2, 32, 32, NEG | INF, 0),
    V(fsin, 32, 32, 0, 0),
    V(fcos, 32, 32, ONE, 0),
    V(fsin_normalized_2_pi, 32, 32, ONE, 0x3e800000), /* a quarter of a turn */
    V(fcos_normalized_2_pi, 32, 32, 0xbf800000, HALF),
    V(fsin_normalized_2_pi, 32, 32, 0, 0x7f7fffff), /* an even number of turns, however large */
    V(fsin_normalized_2_pi, 32, 32, NAN_, INF),
    V(fcos_normalized_2_pi, 16, 16, 0x3c00, 0x7bff),
    V(fcos_normalized_2_pi, 16, 16, 0x3c00, 0x7801),
    V(fsin_amd, 32, 32, 0xbf800000, 0x3f400000),
    V(fsin_agx, 32, 32, ONE, ONE), /* in quarters of a turn */
    V(fsin_agx, 32, 32, 0xbf800000, 0x40400000),
    V(fcos_amd, 32, 32, ONE, 0),
};

static void check(const struct vector *vectors, size_t n, bool *is_seen)
{
    struct nir_modes const modes = nir_modes_of(0);
    for (size_t i = 0; i < n; i++) {
        const struct vector *const v = &vectors[i];
        uint64_t const got = apply(v->op, modes, v->n_bits, v->m_bits, v->args);
        is_seen[v->op] = true;
        if (got != v->want) {
            fail_msg("%s of %u bits of 0x%llx, 0x%llx, 0x%llx: 0x%llx, not 0x%llx",
                     nir_op_rows[v->op].name, v->n_bits, (unsigned long long)v->args[0],
                     (unsigned long long)v->args[1], (unsigned long long)v->args[2],
                     (unsigned long long)got, (unsigned long long)v->want);
        }
    }
}

static void each_operation_gives_what_is_worked_by_hand(void **state)
{
    (void)state;
    bool is_seen[NIR_OP_N] = {false};
    check(integers, ARRAY_N(integers), is_seen);
    check(floats, ARRAY_N(floats), is_seen);
    for (int i = 0; i < NIR_OP_N; i++) {
        if (!is_seen[i] && nir_op_rows[i].shape == NIR_EACH) {
            fail_msg("%s has no value here", nir_op_rows[i].name);
        }
        assert_int_equal(strlen(nir_op_rows[i].signature), 2 + nir_op_rows[i].n_sources);
        assert_int_equal(nir_op_rows[i].signature[1], ':');
        assert_int_equal(nir_op_find(nir_op_rows[i].name, strlen(nir_op_rows[i].name)), i);
    }
    assert_int_equal(nir_op_find("fadd", 3), -1);
}

/* An operand of all classes: few exponents, so that sums cancel and products are subnormal. */
static uint64_t draw(struct rng *rng, const struct float_format *f)
{
    uint64_t const enc = rng_next(rng) & format_mask(f);
    switch (rng_below(rng, 8)) {
    case 0:
        return enc & (f->sign | f->frac); /* subnormal */
    case 1:
        return (enc & f->sign) | (enc & 1 ? f->exp : 0);
    case 2:
        return enc;
    default:
        /* one of eight exponents about that of 1 */
        return (enc & (f->sign | f->frac)) | (f->exp / 2 & f->exp) |
               ((enc >> 3 & 7) << (f->prec_bits - 1) & f->exp);
    }
}

static uint64_t flushed(const struct float_format *f, bool is_flushed, uint64_t enc)
{
    return is_flushed && format_is_subnormal(f, enc) ? enc & f->sign : enc;
}

/* Sums, products and fused ones of each format, direction and way to flush, rounded once: by MPFR. */
static void arithmetic_is_rounded_once(void **state)
{
    (void)state;
    enum {
        N = 20000
    };
    static const struct {
        enum nir_op nir;
        enum arith_op op;
    } ops[] = {
        {NIR_OP_fadd, ARITH_ADD},
        {NIR_OP_fsub, ARITH_SUB},
        {NIR_OP_fmul, ARITH_MUL},
        {NIR_OP_ffma, ARITH_FMA}
    };
    static const unsigned bits[FMT_N] = {16, 32, 64};
    struct rng rng = rng_seed(1);
    for (uint32_t i = 0; i < N; i++) {
        unsigned const k = i % FMT_N, op = i / FMT_N % ARRAY_N(ops);
        const struct float_format *const f = &float_formats[k];
        bool const is_toward_zero = (i >> 5 & 1) != 0, is_flushed = (i >> 6 & 1) != 0;
        uint32_t const controls =
            (is_toward_zero ? UINT32_C(0x200) << k : 0) | (is_flushed ? UINT32_C(8) << k : 0);
        uint64_t args[4] = {draw(&rng, f), draw(&rng, f), draw(&rng, f)}, clean[3];
        for (unsigned c = 0; c < 3; c++) {
            clean[c] = flushed(f, is_flushed, args[c]);
        }
        uint64_t const got = apply(ops[op].nir, nir_modes_of(controls), bits[k], bits[k], args);
        uint64_t const exact =
            mp_apply(ops[op].op, f, clean, is_toward_zero ? REAL_ZERO : REAL_NEAREST);
        uint64_t const want = flushed(f, is_flushed, exact);
        if (got != want && !(format_is_nan(f, got) && format_is_nan(f, want))) {
            fail_msg("%s %s 0x%llx 0x%llx 0x%llx, controls 0x%x: 0x%llx, by MPFR 0x%llx",
                     nir_op_rows[ops[op].nir].name, f->name, (unsigned long long)args[0],
                     (unsigned long long)args[1], (unsigned long long)args[2], controls,
                     (unsigned long long)got, (unsigned long long)want);
        }
    }
}

/* The bits of float_controls_execution_mode come in threes, for 16, 32 and 64 bits. */
static void modes_are_read_by_width(void **state)
{
    (void)state;
    struct nir_modes const m = nir_modes_of(0x8 | 0x400 | 0x80);
    assert_true(m.flush[FMT_F16] && !m.flush[FMT_F32] && !m.flush[FMT_F64]);
    assert_true(!m.toward_zero[FMT_F16] && m.toward_zero[FMT_F32] && !m.toward_zero[FMT_F64]);
    /* 1/3 toward zero, and a conversion in the direction of the narrower format */
    uint64_t const three[4] = {0x40400000}, up[4] = {0x3f801fff}, tiny[4] = {0x8052e47c};
    assert_int_equal(apply(NIR_OP_frcp, m, 32, 32, three), 0x3eaaaaaa);
    assert_int_equal(apply(NIR_OP_f2f16, m, 16, 32, up), 0x3c01);
    assert_int_equal(apply(NIR_OP_f2f16, nir_modes_of(0x200), 16, 32, up), 0x3c00);
    /* a subnormal keeps its value with preservation, and its sign at least with flushing */
    assert_int_equal(apply(NIR_OP_fneg, nir_modes_of(0x2), 32, 32, tiny), 0x0052e47c);
    assert_int_equal(apply(NIR_OP_fneg, nir_modes_of(0x10), 32, 32, tiny), 0);
}

/* (1 + 2^-10)^2 - (1 + 2^-9) is 2^-20; the product alone rounds to 1 + 2^-9. */
static void a_weak_sum_may_be_left_apart(void **state)
{
    (void)state;
    struct nir_modes m = nir_modes_of(0);
    uint64_t const args[4] = {0x3c01, 0x3c01, 0xbc02}, tiny[4] = {0x80000001};
    assert_int_equal(apply(NIR_OP_ffma_weak, m, 16, 16, args), 0x10);
    m.weak_apart[FMT_F16] = true;
    assert_int_equal(apply(NIR_OP_ffma_weak, m, 16, 16, args), 0);
    assert_int_equal(apply(NIR_OP_ffma, m, 16, 16, args), 0x10);
    m.flush[FMT_F32] = m.flush_signs[FMT_F32] = true;
    assert_int_equal(apply(NIR_OP_fneg, m, 32, 32, tiny), 0);
    m.flush_signs[FMT_F32] = false;
    assert_int_equal(apply(NIR_OP_fneg, m, 32, 32, tiny), 1);
}

static void reductions_combine_by_their_word(void **state)
{
    (void)state;
    struct nir_modes const modes = nir_modes_of(0);
    uint64_t out = 0;
    assert_true(nir_combine(&modes, NIR_WORD_imin, 8, 0xff, 1, &out));
    assert_int_equal(out, 0xff);
    assert_true(nir_combine(&modes, NIR_WORD_fadd, 32, ONE, ONE, &out));
    assert_int_equal(out, TWO);
    assert_false(nir_combine(&modes, NIR_WORD_fadd, 8, 1, 1, &out));
    assert_false(nir_combine(&modes, NIR_WORD_WORKGROUP, 32, 1, 1, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operation_gives_what_is_worked_by_hand),
        cmocka_unit_test(arithmetic_is_rounded_once),
        cmocka_unit_test(modes_are_read_by_width),
        cmocka_unit_test(a_weak_sum_may_be_left_apart),
        cmocka_unit_test(reductions_combine_by_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
