/* base/test_format.c -- formats against the standard's own formulas and the hardware's classes. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/format.h"

static const struct float_format *const f16 = &float_formats[FMT_F16];
static const struct float_format *const f32 = &float_formats[FMT_F32];
static const struct float_format *const f64 = &float_formats[FMT_F64];

/* IEEE 754-2019 table 3.5: k bits in all, precision p, emax; the rest follows from them. */
static void the_table_is_that_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        unsigned k, p;
        int emax;
    } rows[FMT_N] = {
        {16, 11, 15  },
        {32, 24, 127 },
        {64, 53, 1023}
    };
    for (unsigned i = 0; i < FMT_N; i++) {
        struct float_format const *f = &float_formats[i];
        unsigned const w = rows[i].k - rows[i].p; /* bits of the exponent field */
        assert_int_equal(f->n_bits, rows[i].k);
        assert_int_equal(f->prec_bits, rows[i].p);
        assert_int_equal(f->emax, rows[i].emax);
        assert_int_equal(f->emin, 1 - rows[i].emax);
        assert_int_equal(f->frac, (UINT64_C(1) << (rows[i].p - 1)) - 1);
        assert_int_equal(f->exp, ((UINT64_C(1) << w) - 1) << (rows[i].p - 1));
        assert_int_equal(f->sign, UINT64_C(1) << (rows[i].k - 1));
        assert_int_equal(f->quiet, UINT64_C(1) << (rows[i].p - 2));
        assert_int_equal(format_mask(f), UINT64_MAX >> (64 - rows[i].k));
        assert_int_equal(format_max_finite(f) + 1, f->exp);
    }
}

static enum fp_class class_by_fields(unsigned field, unsigned frac)
{
    if (field == 0) {
        return frac == 0 ? FP_CLASS_ZERO : FP_CLASS_SUBNORMAL;
    }
    if (field < 31) {
        return FP_CLASS_NORMAL;
    }
    if (frac == 0) {
        return FP_CLASS_INF;
    }
    return frac >= 512 ? FP_CLASS_QNAN : FP_CLASS_SNAN;
}

/* Every f16 has the class that its fields say, and its key is its place in the order of numbers. */
static void every_f16_has_its_class_and_place(void **state)
{
    (void)state;
    unsigned n = 0;
    for (unsigned sign = 0; sign < 2; sign++) {
        for (unsigned rest = 0; rest < 0x8000; rest++, n++) {
            uint64_t const enc = sign << 15 | rest;
            enum fp_class const want = class_by_fields(rest / 1024, rest % 1024);
            assert_int_equal(format_classify(f16, enc), want);
            assert_int_equal(format_is_nan(f16, enc),
                             want == FP_CLASS_QNAN || want == FP_CLASS_SNAN);
            assert_int_equal(format_is_snan(f16, enc), want == FP_CLASS_SNAN);
            assert_int_equal(format_is_subnormal(f16, enc), want == FP_CLASS_SUBNORMAL);
            assert_int_equal(format_is_zero(f16, enc), want == FP_CLASS_ZERO);
            if (rest <= 0x7c00) { /* -0 is -1, +0 is 0, and away from zero by ones */
                assert_int_equal(format_to_key(f16, enc), sign ? -1 - (int)rest : (int)rest);
                assert_int_equal(format_from_key(f16, format_to_key(f16, enc)), enc);
            }
        }
    }
    assert_int_equal(n, 65536);
}

static enum fp_class class_by_hardware(double d, int quiet_bit)
{
    switch (fpclassify(d)) {
    case FP_ZERO:
        return FP_CLASS_ZERO;
    case FP_SUBNORMAL:
        return FP_CLASS_SUBNORMAL;
    case FP_NORMAL:
        return FP_CLASS_NORMAL;
    case FP_INFINITE:
        return FP_CLASS_INF;
    default:
        return quiet_bit ? FP_CLASS_QNAN : FP_CLASS_SNAN;
    }
}

/* Random doubles, of all classes and close to each other, have the class and the order that the processor
 * says. */
static void f64_classes_and_order_are_the_hardware_s(void **state)
{
    (void)state;
    struct rng rng = rng_seed(1);
    unsigned n_ordered = 0;
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t x = rng_next(&rng), y = rng_next(&rng);
        if (i % 4 == 0) {
            x &= ~(f64->exp); /* zeros and subnormals */
        } else if (i % 4 == 1) {
            x = (x & f64->sign) | f64->exp | (i % 8 == 1 ? 0 : x & f64->frac);
        } else if (i % 4 == 2) {
            y = x + (i % 3) - 1;
        }
        double a, b;
        memcpy(&a, &x, sizeof(a));
        memcpy(&b, &y, sizeof(b));
        assert_int_equal(format_classify(f64, x), class_by_hardware(a, (int)(x >> 51 & 1)));
        if (isless(a, b)) {
            n_ordered++;
            assert_true(format_to_key(f64, x) < format_to_key(f64, y));
        } else if (isgreater(a, b)) {
            n_ordered++;
            assert_true(format_to_key(f64, x) > format_to_key(f64, y));
        }
    }
    assert_true(n_ordered > 10000);
}

static void neighbours_differ_by_one_key(void **state)
{
    (void)state;
    assert_int_equal(format_to_key(f32, 0x80000000), -1);
    assert_int_equal(format_to_key(f32, 0), 0);
    assert_int_equal(format_to_key(f32, 0x00000001), 1);
    assert_int_equal(format_to_key(f32, 0x80000001), -2);
    assert_int_equal(format_from_key(f32, format_to_key(f32, 0x7f7fffff) + 1), 0x7f800000);
    assert_int_equal(format_from_key(f32, format_to_key(f32, 0xff7fffff) - 1), 0xff800000);
    assert_int_equal(format_from_key(f64, -1), f64->sign);
    assert_int_equal(format_from_key(f64, format_to_key(f64, f64->sign | f64->exp)),
                     f64->sign | f64->exp);
}

/* The text of an encoding is its bits in hex and its value in as many digits as tell it from all others. */
static void text_is_hex_and_value(void **state)
{
    (void)state;
    static const struct {
        enum fmt_id fmt;
        uint64_t enc;
        const char *want;
    } rows[] = {
        {FMT_F32, 0x3f800000,                   "0x3f800000 (1)"                              },
        {FMT_F32, 0x3f800001,                   "0x3f800001 (1.00000012)"                     },
        {FMT_F32, 0x80000000,                   "0x80000000 (-0)"                             },
        {FMT_F32, 0x00000001,                   "0x00000001 (1.40129846e-45)"                 },
        {FMT_F32, 0x807fffff,                   "0x807fffff (-1.17549421e-38)"                },
        {FMT_F32, 0x7fc00001,                   "0x7fc00001 (qnan)"                           },
        {FMT_F32, 0xff800001,                   "0xff800001 (snan)"                           },
        {FMT_F32, 0xff800000,                   "0xff800000 (-inf)"                           },
        {FMT_F16, 0x0001,                       "0x0001 (5.9605e-08)"                         },
        {FMT_F16, 0x7bff,                       "0x7bff (65504)"                              },
        {FMT_F16, 0xc000,                       "0xc000 (-2)"                                 },
        {FMT_F16, 0x7c00,                       "0x7c00 (inf)"                                },
        {FMT_F64, UINT64_C(0x3fb999999999999a), "0x3fb999999999999a (0.10000000000000001)"    },
        {FMT_F64, 1,                            "0x0000000000000001 (4.9406564584124654e-324)"},
        {FMT_F64, 0,                            "0x0000000000000000 (0)"                      },
    };
    for (unsigned i = 0; i < ARRAY_N(rows); i++) {
        char buf[48];
        assert_string_equal(
            format_to_text(&float_formats[rows[i].fmt], rows[i].enc, buf, sizeof(buf)),
            rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_that_of_the_standard),
        cmocka_unit_test(every_f16_has_its_class_and_place),
        cmocka_unit_test(f64_classes_and_order_are_the_hardware_s),
        cmocka_unit_test(neighbours_differ_by_one_key),
        cmocka_unit_test(text_is_hex_and_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
