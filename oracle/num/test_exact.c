/* oracle/num/test_exact.c -- one rounded operation against integers (f16) and hardware (f32, f64). */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/num/exact.h"
#include "oracle/num/mp.h"
#include "oracle/num/test_ref16.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

enum {
    N_OPS = 4
}; /* ADD SUB MUL DIV */
enum {
    N_MODES = 4
};
static const enum arith_op ops[N_OPS] = {ARITH_ADD, ARITH_SUB, ARITH_MUL, ARITH_DIV};
static const enum real_mode modes[N_MODES] = {REAL_NEAREST, REAL_ZERO, REAL_DOWN, REAL_UP};

static void expect_f16(enum arith_op op, enum real_mode mode, uint64_t x, uint64_t y)
{
    int tiny;
    uint64_t const args[] = {x, y};
    uint64_t const want = ref16_apply(op, x, y, mode, &tiny);
    uint64_t const got = arith_round(op, FMT_F16, args, mode);
    struct exact const e = exact_apply(op, &float_formats[FMT_F16], args);
    if (got != want || exact_is_tiny(&float_formats[FMT_F16], &e) != tiny) {
        fail_msg("op %d mode %d 0x%04x 0x%04x: 0x%04x, by integers 0x%04x, tiny %d", (int)op,
                 (int)mode, (unsigned)x, (unsigned)y, (unsigned)got, (unsigned)want, tiny);
    }
}

/* Every f16 against 40 that are spread over the classes, in each operation and direction. */
static void f16_rounds_as_integers_do(void **state)
{
    (void)state;
    COVERS(FADD_CR);
    COVERS(ARITH_CR);
    struct rng rng = rng_seed(16);
    size_t n = 0;
    for (unsigned i = 0; i < 40; i++) {
        uint64_t const x = i < 2 ? (uint64_t)i << 15 : ref16_draw(&rng);
        for (uint64_t y = 0; y < 65536; y++) {
            if (ref16_is_nan(y)) {
                continue;
            }
            unsigned const turn = (unsigned)(n++ % (N_OPS * N_MODES));
            expect_f16(ops[turn % N_OPS], modes[turn / N_OPS], x, y);
            expect_f16(ARITH_ADD, REAL_NEAREST, y, x);
        }
    }
    assert_true(n > 2000000);
}

static void f16_rounds_as_mpfr_does(void **state)
{
    (void)state;
    struct float_format const *f = &float_formats[FMT_F16];
    struct rng rng = rng_seed(17);
    for (unsigned i = 0; i < 300000; i++) {
        uint64_t const args[] = {ref16_draw(&rng), ref16_draw(&rng)};
        enum arith_op const op = ops[i % N_OPS];
        enum real_mode const mode = modes[i / N_OPS % N_MODES];
        int tiny;
        uint64_t const want = ref16_apply(op, args[0], args[1], mode, &tiny);
        if (mp_apply(op, f, args, mode) != want || mp_is_tiny(op, f, args) != tiny) {
            fail_msg("op %d mode %d 0x%04x 0x%04x: MPFR differs from 0x%04x, tiny %d", (int)op,
                     (int)mode, (unsigned)args[0], (unsigned)args[1], (unsigned)want, tiny);
        }
    }
}

/* --- bfloat16, by the binary32 of the hardware: 24 >= 2 * 8 + 2, so that rounding twice to nearest does no harm,
 * and twice toward zero never does --- */

static float float_of(uint64_t bfloat)
{
    uint32_t const enc = (uint32_t)bfloat << 16;
    float v;
    memcpy(&v, &enc, sizeof v);
    return v;
}

static uint32_t hard_sum(uint64_t x, uint64_t y, int direction)
{
    volatile float const a = float_of(x), b = float_of(y);
    fesetround(direction);
    volatile float const sum = a + b;
    fesetround(FE_TONEAREST);
    float const v = sum;
    uint32_t enc;
    memcpy(&enc, &v, sizeof enc);
    return isnan(v) ? 0x7fc00000 : enc;
}

/* A binary32 cut to bfloat16, or rounded to nearest even by the carry of its lower half. */
static uint64_t cut_bfloat(uint32_t enc)
{
    return enc >> 16;
}

static uint64_t round_bfloat(uint32_t enc)
{
    return (enc & 0x7fffffff) < 0x7f800000 ? (enc + 0x7fff + (enc >> 16 & 1)) >> 16 : enc >> 16;
}

static void expect_bfloat_sum(uint64_t x, uint64_t y)
{
    static const struct fp_rules either = {.rounding = ROUND_NEAREST_OR_ZERO};
    uint64_t const nearest = round_bfloat(hard_sum(x, y, FE_TONEAREST));
    uint64_t const toward_zero = cut_bfloat(hard_sum(x, y, FE_TOWARDZERO));
    uint64_t const cut = cut_bfloat(hard_sum(x, y, FE_TONEAREST)); /* of a binary32 to nearest */
    struct set a, b, permitted;
    set_of(&a, FMT_BF16, x);
    set_of(&b, FMT_BF16, y);
    set_clear(&permitted, FMT_BF16);
    const struct set *const args[] = {&a, &b};
    arith_apply(ARITH_ADD, args, &either, 0.0, &permitted);
    bool const is_right =
        arith_add_rne(FMT_BF16, x, y) == nearest && arith_add_rtz(FMT_BF16, x, y) == toward_zero;
    bool const is_permitted = set_has(&permitted, nearest) && set_has(&permitted, toward_zero) &&
                              set_has(&permitted, cut);
    bool const is_nan = format_is_nan(&float_formats[FMT_BF16], nearest);
    bool const is_sharp = is_nan || set_count(&permitted) == 1 + (nearest != toward_zero);
    if (!is_right || !is_permitted || !is_sharp) {
        fail_msg("0x%04x + 0x%04x: by binary32 0x%04x, 0x%04x toward zero, 0x%04x cut", (unsigned)x,
                 (unsigned)y, (unsigned)nearest, (unsigned)toward_zero, (unsigned)cut);
    }
}

/* Every bfloat16 against some that are spread over the classes. */
static void bf16_sums_are_those_of_binary32(void **state)
{
    static const uint16_t some[] = {0,      0x8000, 1,      0x807f, 0x0080, 0x3f80, 0xbf81,
                                    0x3f7f, 0x40ff, 0x7f7f, 0xff00, 0x7f80, 0xff80, 0x0100};
    (void)state;
    COVERS(FADD_BF16);
    struct rng rng = rng_seed(18);
    for (unsigned i = 0; i < 2 * ARRAY_N(some); i++) {
        uint64_t const x =
            i < ARRAY_N(some) ? some[i] : rng_below(&rng, 0x7f80) | (rng_next(&rng) & 0x8000);
        for (uint64_t y = 0; y < 65536; y++) {
            if (!format_is_nan(&float_formats[FMT_BF16], y)) {
                expect_bfloat_sum(x, y);
            }
        }
    }
}

static void bf16_rounds_as_mpfr_does(void **state)
{
    (void)state;
    struct float_format const *f = &float_formats[FMT_BF16];
    struct rng rng = rng_seed(19);
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t const args[] = {rng_below(&rng, 0x7f80) | (rng_next(&rng) & 0x8000),
                                 rng_below(&rng, 0x7f80) | (rng_next(&rng) & 0x8000)};
        enum real_mode const mode = modes[i % N_MODES];
        uint64_t const got = arith_round(ARITH_ADD, FMT_BF16, args, mode);
        if (mp_apply(ARITH_ADD, f, args, mode) != got) {
            fail_msg("mode %d 0x%04x + 0x%04x: MPFR differs from 0x%04x", (int)mode,
                     (unsigned)args[0], (unsigned)args[1], (unsigned)got);
        }
    }
}

/* --- hardware --- */

/* Computes one f32 operation by the host's hardware; volatile keeps the compiler from evaluating it. */
static uint64_t hard_f32(enum arith_op op, const uint64_t *args)
{
    volatile float a[3];
    for (unsigned i = 0; i < 3; i++) {
        uint32_t const enc = (uint32_t)args[i];
        float v;
        memcpy(&v, &enc, sizeof(v));
        a[i] = v;
    }
    volatile float r = 0;
    switch (op) {
    case ARITH_ADD:
        r = a[0] + a[1];
        break;
    case ARITH_SUB:
        r = a[0] - a[1];
        break;
    case ARITH_MUL:
        r = a[0] * a[1];
        break;
    case ARITH_DIV:
        r = a[0] / a[1];
        break;
    case ARITH_FMA:
        r = fmaf(a[0], a[1], a[2]);
        break;
    }
    float const v = r;
    uint32_t enc;
    memcpy(&enc, &v, sizeof(enc));
    return isnan(v) ? 0x7fc00000 : enc;
}

/* Computes one f64 operation by the host's hardware; volatile keeps the compiler from evaluating it. */
static uint64_t hard_f64(enum arith_op op, const uint64_t *args)
{
    volatile double a[3];
    for (unsigned i = 0; i < 3; i++) {
        double v;
        memcpy(&v, &args[i], sizeof(v));
        a[i] = v;
    }
    volatile double r = 0;
    switch (op) {
    case ARITH_ADD:
        r = a[0] + a[1];
        break;
    case ARITH_SUB:
        r = a[0] - a[1];
        break;
    case ARITH_MUL:
        r = a[0] * a[1];
        break;
    case ARITH_DIV:
        r = a[0] / a[1];
        break;
    case ARITH_FMA:
        r = fma(a[0], a[1], a[2]);
        break;
    }
    double const v = r;
    uint64_t enc;
    memcpy(&enc, &v, sizeof(enc));
    return isnan(v) ? 0x7ff8000000000000 : enc;
}

static uint64_t hard_apply(enum arith_op op, enum fmt_id fmt, const uint64_t *args,
                           enum real_mode mode)
{
    static const int directions[N_MODES] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    assert_int_equal(fesetround(directions[mode]), 0);
    uint64_t const r = fmt == FMT_F32 ? hard_f32(op, args) : hard_f64(op, args);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    return r;
}

/* Draws an operand that is likely to interact with another: with an exponent near the other's or such that the
 * result is at an end of the range, or plain random bits. Never a NaN. */
static uint64_t draw(struct rng *rng, const struct float_format *f)
{
    unsigned const p = f->prec_bits;
    uint64_t const fields = (f->exp >> (p - 1)) - 1, bias = (fields + 1) / 2;
    uint64_t const sign = rng_below(rng, 2) ? f->sign : 0;
    uint64_t const frac =
        rng_below(rng, 3) == 0 ? f->frac & (0 - rng_below(rng, 4)) : rng_next(rng) & f->frac;
    switch (rng_below(rng, 8)) {
    case 0:
        return sign | (rng_below(rng, 2) ? f->exp : 0);
    case 1:
        return sign | frac; /* subnormal */
    case 2:
        return sign | (fields - rng_below(rng, 3)) << (p - 1) | frac;
    case 3:
        return sign | (1 + rng_below(rng, 2 * p)) << (p - 1) | frac;
    case 4:
        return sign | (bias / 2 + rng_below(rng, 40)) << (p - 1) | frac;
    case 5:
        return sign | (bias * 3 / 2 - rng_below(rng, 40)) << (p - 1) | frac;
    case 6:
        return sign | rng_below(rng, fields) << (p - 1) | frac;
    default:
        return sign | (bias + rng_below(rng, p + 4)) << (p - 1) | frac;
    }
}

/* Random f32 and f64 operations in each rounding direction, against the host's hardware and MPFR. */
static void wide_formats_round_as_hardware_does(void **state)
{
    (void)state;
    COVERS(FADD_CR);
    COVERS(ARITH_CR);
    struct rng rng = rng_seed(3264);
    size_t n_subnormal = 0, n_inf = 0;
    for (unsigned i = 0; i < 3000000; i++) {
        enum fmt_id const fmt = i % 2 ? FMT_F32 : FMT_F64;
        struct float_format const *f = &float_formats[fmt];
        enum arith_op const op = ops[i / 2 % N_OPS];
        enum real_mode const mode = modes[i / 8 % N_MODES];
        uint64_t const args[3] = {draw(&rng, f), draw(&rng, f), 0};
        uint64_t const want = hard_apply(op, fmt, args, mode);
        uint64_t const got = arith_round(op, fmt, args, mode);
        n_subnormal += (unsigned)format_is_subnormal(f, want);
        n_inf += (want & ~f->sign) == f->exp;
        if (got != want || (i % 16 < 8 && mp_apply(op, f, args, mode) != want)) {
            fail_msg("op %d mode %d %s 0x%llx 0x%llx: 0x%llx, hardware 0x%llx", (int)op, (int)mode,
                     f->name, (unsigned long long)args[0], (unsigned long long)args[1],
                     (unsigned long long)got, (unsigned long long)want);
        }
    }
    assert_true(n_subnormal > 100000 && n_inf > 100000);
}

static void fused_rounds_as_the_library_does(void **state)
{
    (void)state;
    struct rng rng = rng_seed(99);
    for (unsigned i = 0; i < 200000; i++) {
        enum fmt_id const fmt = i % 2 ? FMT_F32 : FMT_F64;
        struct float_format const *f = &float_formats[fmt];
        uint64_t args[3] = {draw(&rng, f), draw(&rng, f), draw(&rng, f)};
        if (i % 3 == 0) { /* let the sum cancel */
            args[2] = hard_apply(ARITH_MUL, fmt, args, REAL_NEAREST) ^ f->sign;
            args[2] = format_is_nan(f, args[2]) ? 0 : args[2];
        }
        uint64_t const want = hard_apply(ARITH_FMA, fmt, args, REAL_NEAREST);
        assert_int_equal(arith_round(ARITH_FMA, fmt, args, REAL_NEAREST), want);
    }
}

/* --- fast sums --- */

/* The fast sums in all formats, against the hardware or an exact reference; NaNs give the default NaN. */
static void fast_sums_are_sums(void **state)
{
    (void)state;
    COVERS(FADD_CR);
    struct rng rng = rng_seed(5);
    for (unsigned i = 0; i < 1000000; i++) {
        enum fmt_id const fmt = (enum fmt_id)(i % FMT_N);
        struct float_format const *f = &float_formats[fmt];
        uint64_t x = draw(&rng, f), y = draw(&rng, f), rne, rtz;
        int tiny;
        if (fmt == FMT_F16) {
            x = ref16_draw(&rng);
            y = ref16_draw(&rng);
            rne = ref16_apply(ARITH_ADD, x, y, REAL_NEAREST, &tiny);
            rtz = ref16_apply(ARITH_ADD, x, y, REAL_ZERO, &tiny);
        } else {
            uint64_t const args[3] = {x, y, 0};
            rne = hard_apply(ARITH_ADD, fmt, args, REAL_NEAREST);
            rtz = hard_apply(ARITH_ADD, fmt, args, REAL_ZERO);
        }
        assert_int_equal(arith_add_rne(fmt, x, y), rne);
        assert_int_equal(arith_add_rtz(fmt, x, y), rtz);
    }
    for (unsigned i = 0; i < FMT_N; i++) { /* whatever the NaN, the default one comes out */
        struct float_format const *f = &float_formats[i];
        uint64_t const nan = f->exp | f->quiet;
        assert_int_equal(arith_add_rne((enum fmt_id)i, f->sign | f->exp | 1, 0), nan);
        assert_int_equal(arith_add_rne((enum fmt_id)i, 1, nan | 5 | f->sign), nan);
        assert_int_equal(arith_add_rtz((enum fmt_id)i, f->exp | 1, f->exp), nan);
        assert_int_equal(arith_add_rne((enum fmt_id)i, f->exp | f->sign, f->exp), nan);
        assert_int_equal(arith_add_rtz((enum fmt_id)i, f->exp | f->sign, f->exp), nan);
    }
}

/* Sums whose result the text gives: semantics of x + (-x), of zeros and of overflow. */
static void sums_worked_by_hand(void **state)
{
    (void)state;
    COVERS(FADD_CR);
    static const struct {
        uint64_t x, y, rne, rtz, down, up;
    } rows[] = {
        {0x3f800000, 0xbf800000, 0,          0,          0x80000000, 0         },
        {0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000},
        {0,          0x80000000, 0,          0,          0x80000000, 0         },
        {0,          0,          0,          0,          0,          0         },
        {0x7f7fffff, 0x7f7fffff, 0x7f800000, 0x7f7fffff, 0x7f7fffff, 0x7f800000},
        {0xff7fffff, 0xff7fffff, 0xff800000, 0xff7fffff, 0xff800000, 0xff7fffff},
        {0x7f7fffff, 0x73000000, 0x7f800000, 0x7f7fffff, 0x7f7fffff, 0x7f800000}, /* + ulp/2 */
        {0x7f7fffff, 0x72ffffff, 0x7f7fffff, 0x7f7fffff, 0x7f7fffff, 0x7f800000},
        {0x3f800000, 0x33800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800001}, /* tie, even */
        {0x3f800001, 0x33800000, 0x3f800002, 0x3f800001, 0x3f800001, 0x3f800002},
        {0x3f800000, 0x00000001, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800001},
        {0x3f800000, 0x80000001, 0x3f800000, 0x3f7fffff, 0x3f7fffff, 0x3f800000},
        {0x00000001, 0x00000001, 2,          2,          2,          2         },
    };
    for (unsigned i = 0; i < ARRAY_N(rows); i++) {
        uint64_t const args[] = {rows[i].x, rows[i].y};
        assert_int_equal(arith_round(ARITH_ADD, FMT_F32, args, REAL_NEAREST), rows[i].rne);
        assert_int_equal(arith_round(ARITH_ADD, FMT_F32, args, REAL_ZERO), rows[i].rtz);
        assert_int_equal(arith_round(ARITH_ADD, FMT_F32, args, REAL_DOWN), rows[i].down);
        assert_int_equal(arith_round(ARITH_ADD, FMT_F32, args, REAL_UP), rows[i].up);
        assert_int_equal(arith_add_rne(FMT_F32, args[0], args[1]), rows[i].rne);
        assert_int_equal(arith_add_rtz(FMT_F32, args[0], args[1]), rows[i].rtz);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_worked_by_hand),
        cmocka_unit_test(f16_rounds_as_integers_do),
        cmocka_unit_test(f16_rounds_as_mpfr_does),
        cmocka_unit_test(bf16_sums_are_those_of_binary32),
        cmocka_unit_test(bf16_rounds_as_mpfr_does),
        cmocka_unit_test(wide_formats_round_as_hardware_does),
        cmocka_unit_test(fused_rounds_as_the_library_does),
        cmocka_unit_test(fast_sums_are_sums),
    };
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    mp_release();
    return failed;
}
