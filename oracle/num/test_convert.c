/* oracle/num/test_convert.c -- conversions against a search over f16, and hardware for the rest. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/num/arith.h"
#include "oracle/num/test_ref16.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

static const struct fp_rules plain = {.rounding = ROUND_RNE};

static double f16_as_double(uint64_t enc)
{
    double const magnitude = (double)ref16_units((unsigned)enc & 0x7fff) / 16777216;
    return (enc & 0x8000) != 0 ? -magnitude : magnitude;
}

static uint64_t bits_of(double d)
{
    uint64_t enc;
    memcpy(&enc, &d, sizeof(enc));
    return enc;
}

/* The two f16 around d in units of 2^-24, by the reference's search. */
static uint64_t narrow_by_search(double d, enum real_mode mode)
{
    double const units = d * 16777216; /* exact: a power of two, no subnormal comes near */
    if (fabs(units) >= 1e30) {
        int const to_inf = mode == REAL_NEAREST || mode == (d < 0 ? REAL_DOWN : REAL_UP);
        return (d < 0 ? 0x8000U : 0U) | (to_inf ? 0x7c00U : 0x7bffU);
    }
    /* units = num / 2^64, cut below; what is cut can only matter as "a little more" */
    double const scaled = ldexp(fabs(units), 20);
    double const whole = floor(scaled);
    ref16_big num = (ref16_big)whole * 4 + (scaled > whole ? 1 : 0);
    return ref16_round((struct ref16_value){d < 0 ? -num : num, (ref16_big)1 << 22}, mode);
}

/* f64 to f16 in each rounding, against a search for the nearest f16. */
static void conversions_round_once(void **state)
{
    (void)state;
    COVERS(CONVERT_CR);
    static const enum real_mode by[3][2] = {
        [ROUND_RNE] = {REAL_NEAREST, REAL_NEAREST},
        [ROUND_RTZ] = {REAL_ZERO,    REAL_ZERO   },
        [ROUND_EITHER] = {REAL_DOWN,    REAL_UP     },
    };
    struct rng rng = rng_seed(12);
    size_t n_inexact = 0;
    for (unsigned i = 0; i < 200000; i++) {
        struct fp_rules const r = {.rounding = (enum rounding)(i % 3)};
        double const near_one = f16_as_double(rng_below(&rng, 0x7c00));
        double d = near_one + ldexp((double)rng_below(&rng, 5) - 2, (int)rng_below(&rng, 60) - 50);
        if (i % 5 == 0) {
            d = ldexp((double)(1 + rng_below(&rng, 1 << 20)), (int)rng_below(&rng, 80) - 50);
        }
        d = d <= 0 ? 1.0 / 3 : d;
        d = i % 2 ? d : -d;
        struct set in, got;
        set_of(&in, FMT_F64, bits_of(d));
        arith_convert(&in, &plain, FMT_F16, &r, &got);
        uint64_t const want[] = {narrow_by_search(d, by[i % 3][0]),
                                 narrow_by_search(d, by[i % 3][1])};
        int const n_want = want[0] != want[1] ? 2 : 1;
        if (set_count(&got) != (uint64_t)n_want || !set_has(&got, want[0]) ||
            !set_has(&got, want[1])) {
            fail_msg("0x%llx rounding %u: not 0x%04x and 0x%04x", (unsigned long long)bits_of(d),
                     i % 3, (unsigned)want[0], (unsigned)want[1]);
        }
        n_inexact += n_want == 2;
    }
    assert_true(n_inexact > 20000);
}

static void widening_is_exact_and_comes_back(void **state)
{
    (void)state;
    COVERS(CONVERT_CR);
    size_t n = 0;
    for (uint64_t enc = 0; enc < 65536; enc++) {
        struct set in, wide, back;
        if (ref16_is_nan(enc) || ref16_is_inf(enc)) {
            continue;
        }
        set_of(&in, FMT_F16, enc);
        arith_convert(&in, &plain, FMT_F64, &plain, &wide);
        assert_true(set_count(&wide) == 1 && set_has(&wide, bits_of(f16_as_double(enc))));
        arith_convert(&in, &plain, FMT_F32, &plain, &wide);
        arith_convert(&wide, &plain, FMT_F16, &plain, &back);
        assert_true(set_count(&back) == 1 && set_has(&back, enc));
        n++;
    }
    assert_int_equal(n, 2 * 0x7c00);
}

/* f64 to f32 in two roundings, against the host's conversion. */
static void f64_to_f32_is_the_hardware_s(void **state)
{
    (void)state;
    COVERS(CONVERT_CR);
    static const int directions[] = {FE_TONEAREST, FE_TOWARDZERO};
    struct rng rng = rng_seed(13);
    for (unsigned i = 0; i < 300000; i++) {
        uint64_t const field = 1023 - 160 + rng_below(&rng, 300);
        uint64_t const enc = rng_below(&rng, 2) << 63 | field << 52 | rng_next(&rng) >> 12;
        struct fp_rules const r = {.rounding = i % 2 ? ROUND_RTZ : ROUND_RNE};
        struct set in, got;
        volatile double d;
        double plain_d;
        memcpy(&plain_d, &enc, sizeof(enc));
        d = plain_d;
        assert_int_equal(fesetround(directions[i % 2]), 0);
        volatile float const narrow = (float)d;
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        float const plain_f = narrow;
        uint32_t want;
        memcpy(&want, &plain_f, sizeof(want));
        set_of(&in, FMT_F64, enc);
        arith_convert(&in, &plain, FMT_F32, &r, &got);
        assert_true(set_count(&got) == 1 && set_has(&got, want));
    }
}

/* Conversions of subnormals under each flush rule, and of ranges, worked out by hand. */
static void conversions_flush_and_keep_ranges(void **state)
{
    (void)state;
    COVERS(DENORM_DEFAULT);
    struct fp_rules const may = {.flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};
    struct fp_rules const must = {.flush_out = FLUSH_MUST};
    struct set in, out;
    set_of(&in, FMT_F16, 0x0001); /* 2^-24: normal as f32 */
    arith_convert(&in, &may, FMT_F32, &may, &out);
    assert_true(set_count(&out) == 3 && set_has(&out, 0x33800000) && set_has(&out, 0x80000000));
    arith_convert(&in, &plain, FMT_F32, &must, &out);
    assert_true(set_count(&out) == 1 && set_has(&out, 0x33800000));
    set_of(&in, FMT_F32, 0x387fffff); /* just below 2^-14: rounds up to it, and still flushes */
    arith_convert(&in, &plain, FMT_F16, &plain, &out);
    assert_true(set_count(&out) == 1 && set_has(&out, 0x0400));
    arith_convert(&in, &plain, FMT_F16, &must, &out);
    assert_true(set_count(&out) == 2 && set_has(&out, 0) && set_has(&out, 0x8000));
    arith_convert(&in, &plain, FMT_F16, &may, &out);
    assert_true(set_count(&out) == 3 && set_has(&out, 0x0400));
    set_clear(&in, FMT_F32);
    set_add_range(&in, -0x40000001, 0x40000000); /* -2 .. 2 */
    arith_convert(&in, &plain, FMT_F16, &plain, &out);
    assert_true(out.n == 1 && out.r[0].lo == -0x4001 && out.r[0].hi == 0x4000);
    set_clear(&in, FMT_F32);
    set_add_range(&in, 0x47000000, 0x7f800000); /* 32768 .. inf */
    arith_convert(&in, &plain, FMT_F16, &(struct fp_rules){.rounding = ROUND_RTZ}, &out);
    assert_true(out.n == 1 && out.r[0].lo == 0x7800 && out.r[0].hi == 0x7c00);
}

/* Integers to f32 and f64, against the host's conversion; all small ones to f16, against an exact reference. */
static void integers_convert_as_on_hardware(void **state)
{
    (void)state;
    COVERS(CONVERT_CR);
    struct rng rng = rng_seed(14);
    struct set got;
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t const v = rng_next(&rng) >> rng_below(&rng, 64);
        uint64_t const signed_v = i % 2 ? v : 0 - v;
        float const f = (float)v;
        double const d = (double)v, sd = (double)(int64_t)signed_v;
        uint32_t f_enc;
        memcpy(&f_enc, &f, sizeof(f_enc));
        arith_from_int(v, 0, FMT_F32, &plain, &got);
        assert_true(set_count(&got) == 1 && set_has(&got, f_enc));
        arith_from_int(v, 0, FMT_F64, &plain, &got);
        assert_true(set_count(&got) == 1 && set_has(&got, bits_of(d)));
        arith_from_int(signed_v, 1, FMT_F64, &plain, &got);
        assert_true(set_count(&got) == 1 && set_has(&got, bits_of(sd)));
    }
    for (int64_t v = -70000; v <= 70000; v++) { /* 2^24 units to one */
        static const enum rounding roundings[] = {ROUND_RNE, ROUND_RTZ};
        static const enum real_mode by[] = {REAL_NEAREST, REAL_ZERO};
        for (unsigned m = 0; m < 2 && v != 0; m++) {
            struct fp_rules const r = {.rounding = roundings[m]};
            arith_from_int((uint64_t)v, 1, FMT_F16, &r, &got);
            uint64_t const want =
                ref16_round((struct ref16_value){(ref16_big)v * (1 << 24), 1}, by[m]);
            assert_true(set_count(&got) == 1 && set_has(&got, want));
        }
    }
    arith_from_int(0, 1, FMT_F16, &plain, &got);
    assert_true(set_count(&got) == 1 && set_has(&got, 0));
    struct fp_rules const either = {.rounding = ROUND_EITHER};
    arith_from_int(2049, 0, FMT_F16, &either, &got);
    assert_true(set_count(&got) == 2 && set_has(&got, 0x6800) && set_has(&got, 0x6801));
    arith_from_int(65505, 0, FMT_F16, &either, &got);
    assert_true(set_count(&got) == 2 && set_has(&got, 0x7bff) && set_has(&got, 0x7c00));
}

/* Floats to integers at the edges of each range by hand, and random f64, against the host's conversion. */
static void floats_convert_to_integers_toward_zero(void **state)
{
    (void)state;
    COVERS(FTOI);
    static const struct {
        enum fmt_id fmt;
        uint64_t enc;
        unsigned n_bits;
        int is_signed, defined;
        uint64_t want;
    } rows[] = {
        {FMT_F32, 0x3fffffff,         32, 1, 1, 1                 },
        {FMT_F32, 0xbfffffff,         32, 1, 1, 0xffffffff        },
        {FMT_F32, 0xbf7fffff,         32, 0, 1, 0                 }, /* -0.99..: 0 fits */
        {FMT_F32, 0xbf800000,         32, 0, 0, 0                 },
        {FMT_F32, 0x4effffff,         32, 1, 1, 0x7fffff80        },
        {FMT_F32, 0x4f000000,         32, 1, 0, 0                 }, /* 2^31 */
        {FMT_F32, 0xcf000000,         32, 1, 1, 0x80000000        },
        {FMT_F32, 0xcf000001,         32, 1, 0, 0                 },
        {FMT_F32, 0x4f7fffff,         32, 0, 1, 0xffffff00        },
        {FMT_F32, 0x4f800000,         32, 0, 0, 0                 },
        {FMT_F32, 0x5f7fffff,         64, 0, 1, 0xffffff0000000000},
        {FMT_F32, 0x5f800000,         64, 0, 0, 0                 },
        {FMT_F32, 0xdf000000,         64, 1, 1, 0x8000000000000000},
        {FMT_F32, 0x7f7fffff,         64, 0, 0, 0                 },
        {FMT_F32, 0x7f800000,         32, 1, 0, 0                 },
        {FMT_F32, 0x7fc00000,         32, 1, 0, 0                 },
        {FMT_F32, 0x00000001,         32, 1, 1, 0                 },
        {FMT_F32, 0x80000000,         32, 0, 1, 0                 },
        {FMT_F16, 0x7bff,             16, 0, 1, 65504             },
        {FMT_F16, 0x7bff,             16, 1, 0, 0                 },
        {FMT_F64, 0x41dfffffffe00000, 32, 1, 1, 0x7fffffff        }, /* 2^31 - 0.5 */
        {FMT_F64, 0x4330000000000001, 64, 1, 1, 0x10000000000001  },
        {FMT_F64, 0xc330000000000001, 64, 1, 1, 0xffefffffffffffff},
    };
    for (unsigned i = 0; i < ARRAY_N(rows); i++) {
        uint64_t got;
        assert_int_equal(
            arith_to_int(rows[i].fmt, rows[i].enc, rows[i].n_bits, rows[i].is_signed, &got),
            rows[i].defined);
        assert_true(!rows[i].defined || got == rows[i].want);
    }
    struct rng rng = rng_seed(15);
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t const enc =
            rng_below(&rng, 2) << 63 | (1000 + rng_below(&rng, 85)) << 52 | rng_next(&rng) >> 12;
        double d;
        memcpy(&d, &enc, sizeof(d));
        uint64_t got;
        assert_int_equal(arith_to_int(FMT_F64, enc, 64, 1, &got), 1);
        assert_true(got == (uint64_t)(int64_t)d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions_round_once),
        cmocka_unit_test(widening_is_exact_and_comes_back),
        cmocka_unit_test(f64_to_f32_is_the_hardware_s),
        cmocka_unit_test(conversions_flush_and_keep_ranges),
        cmocka_unit_test(integers_convert_as_on_hardware),
        cmocka_unit_test(floats_convert_to_integers_toward_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
