/* gen/inputs/test_inputs.c -- each class of inputs is what its name says, read with plain host arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/format.h"
#include "gen/inputs/inputs.h"

enum {
    N_LANES = 2000
};

static const enum ir_type float_types[] = {IR_F16, IR_F32, IR_F64};

/* The number of a finite encoding, by the definition of the formats. */
static double number_of(const struct float_format *f, uint64_t enc)
{
    int const n_frac = (int)f->prec_bits - 1;
    int const e = (int)((enc & f->exp) >> n_frac);
    double const frac = (double)(enc & f->frac);
    double const size = e == 0 ? ldexp(frac, f->emin - n_frac)
                               : ldexp(frac + ldexp(1.0, n_frac), e - f->emax - n_frac);
    return enc & f->sign ? -size : size;
}

static int is_in_class(const struct float_format *f, const struct input *in, uint64_t enc)
{
    enum fp_class const c = format_classify(f, enc);
    int const is_finite = c != FP_CLASS_INF && c != FP_CLASS_QNAN && c != FP_CLASS_SNAN;
    double const x = is_finite ? number_of(f, enc) : 0.0;
    int exponent = 0;
    switch (in->class) {
    case INPUT_SMALL_INT:
        return is_finite && fabs(x) <= 8.0 && fabs(x - rint(x)) <= 0.0;
    case INPUT_EXACT:
        return is_finite && fabs(x) <= ldexp(in->k_max, in->exp) &&
               fabs(rint(ldexp(x, -in->exp)) - ldexp(x, -in->exp)) <= 0.0;
    case INPUT_DISTINCT_POW2:
        return is_finite && x > 0.0 && fabs(frexp(x, &exponent) - 0.5) <= 0.0;
    case INPUT_ZERO:
        return c == FP_CLASS_ZERO;
    case INPUT_SUBNORMAL:
        return c == FP_CLASS_SUBNORMAL;
    case INPUT_NEAR_OVERFLOW:
        return is_finite && fabs(x) >= ldexp(1.0, f->emax - 1);
    case INPUT_QNAN:
        return c == FP_CLASS_QNAN;
    case INPUT_SNAN:
        return c == FP_CLASS_SNAN;
    case INPUT_INF:
        return c == FP_CLASS_INF;
    case INPUT_ONE:
    case INPUT_NORMAL:
    case INPUT_TIES:
    case INPUT_EQUAL_PAIRS:
    case INPUT_NEAR_POW2:
        return is_finite && c != FP_CLASS_ZERO;
    case INPUT_POW2:
        return is_finite && fabs(frexp(fabs(x), &exponent) - 0.5) <= 0.0 &&
               abs(exponent - 1) <= (int)in->k_max;
    case INPUT_CANCEL:
        return is_finite && c != FP_CLASS_ZERO;
    case INPUT_LITERAL:
        return enc == (in->seed & format_mask(f));
    case INPUT_BITS:
    case INPUT_MIXED:
    case INPUT_RARE:
    case INPUT_SPECIAL:
    case INPUT_DOMAIN:
        return 1;
    }
    return 0;
}

static void classes_are_what_they_say(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_N(float_types); k++) {
        const struct float_format *const f = &float_formats[k];
        for (int class = 0; class < INPUT_CLASS_N; class ++) {
            struct input const in = {.type = float_types[k],
                                     .class = (enum input_class) class,
                                     .seed = 5,
                                     .exp = -3,
                                     .k_max = class == INPUT_POW2 ? 3 : 20};
            for (uint32_t lane = 0; lane < N_LANES; lane++) {
                uint64_t const enc = inputs_get_value(&in, lane);
                assert_int_equal(enc & ~format_mask(f), 0);
                if (!is_in_class(f, &in, enc)) {
                    fail_msg("%s class %d lane %u: 0x%llx", f->name, class, lane,
                             (unsigned long long)enc);
                }
            }
        }
    }
}

static void plain_inputs_have_nothing_special(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_N(float_types); k++) {
        const struct float_format *const f = &float_formats[k];
        for (int class = 0; class < INPUT_CLASS_N; class ++) {
            struct input const in = {
                .type = float_types[k], .class = (enum input_class) class, .seed = 6, .plain = 1};
            for (uint32_t lane = 0; lane < N_LANES; lane++) {
                uint64_t const enc = inputs_get_value(&in, lane);
                assert_true((enc & f->exp) != f->exp && enc != f->sign);
            }
        }
    }
}

/* Where an input has special numbers, some invocations have a NaN and some an infinity, for all arguments at once or for one;
 * most have what the class gives. A plain input has none, nor has a literal one. */
static void some_lanes_have_special_numbers(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_N(float_types); k++) {
        const struct float_format *const f = &float_formats[k];
        uint32_t n_special[2] = {0, 0}, n_both = 0;
        for (uint32_t lane = 0; lane < N_LANES; lane++) {
            bool is_special[2];
            for (uint32_t argument = 0; argument < 2; argument++) {
                struct input in = {
                    .type = float_types[k], .class = INPUT_NORMAL, .seed = 7, .argument = argument};
                uint64_t const usual = inputs_get_value(&in, lane);
                in.has_special = true;
                is_special[argument] = inputs_get_value(&in, lane) != usual;
                n_special[argument] += (inputs_get_value(&in, lane) & f->exp) == f->exp;
                in.plain = true;
                assert_true((inputs_get_value(&in, lane) & f->exp) != f->exp);
                in.class = INPUT_LITERAL;
                in.plain = false;
                assert_true(inputs_get_value(&in, lane) == 7);
            }
            n_both += is_special[0] && is_special[1];
        }
        assert_true(n_both > 0 && n_special[0] > 0 && n_special[1] > 0);
        assert_true(n_special[0] < N_LANES / 4 && n_special[1] < N_LANES / 4);
    }
}

/* A shift moves the invocations with special numbers, so that the first and the last one may be among them. */
static void special_lanes_shift(void **state)
{
    enum {
        N_SHIFTS = 16
    };
    (void)state;
    bool is_special[N_SHIFTS] = {false};
    for (uint32_t lane = 0; lane < N_SHIFTS; lane++) {
        for (uint32_t shift = 0; shift < N_SHIFTS; shift++) {
            struct input in = {
                .type = IR_F32, .class = INPUT_NORMAL, .seed = 7, .special_shift = shift};
            uint64_t const usual = inputs_get_value(&in, lane);
            in.has_special = true;
            is_special[lane] |= inputs_get_value(&in, lane) != usual;
        }
        assert_true(is_special[lane]);
    }
}

/* p lanes, p different powers, all present in their sum. */
static void distinct_powers_are_distinct(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_N(float_types); k++) {
        const struct float_format *const f = &float_formats[k];
        struct input const in = {.type = float_types[k], .class = INPUT_DISTINCT_POW2, .first = 5};
        double sum = 0.0;
        for (uint32_t lane = 0; lane < f->prec_bits; lane++) {
            sum += number_of(f, inputs_get_value(&in, lane));
        }
        double const whole = ldexp(sum, (int)f->prec_bits / 2);
        assert_true(fabs(whole - (ldexp(1.0, (int)f->prec_bits) - 1.0)) <= 0.0);
    }
}

/* Neighbours cancel but for the small ones, which a sum in any other order loses. */
static void large_ones_cancel(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_N(float_types); k++) {
        const struct float_format *const f = &float_formats[k];
        struct input const in = {.type = float_types[k], .class = INPUT_CANCEL, .seed = 12};
        int n_pairs = 0;
        int n_small = 0;
        for (uint32_t lane = 0; lane < N_LANES; lane += 2) {
            uint64_t const x = inputs_get_value(&in, lane);
            uint64_t const y = inputs_get_value(&in, lane + 1);
            n_pairs += x == (y ^ f->sign);
            n_small += fabs(number_of(f, x)) < 32.0;
        }
        assert_true(n_pairs * 2 > N_LANES / 2);
        assert_true(n_small * 8 > N_LANES / 2);
    }
}

/* All of n terms at once, in units of the smallest step: the sum of their sizes fits the precision,
 * so that every partial sum of any subset is exact. */
static int sum_fits(const struct float_format *f, const struct input *in, uint32_t n)
{
    int const unit = in->class == INPUT_EXACT ? in->exp : -(int)f->prec_bits / 2;
    double sum = 0.0;
    for (uint32_t lane = 0; lane < n; lane++) {
        double const k = ldexp(fabs(number_of(f, inputs_get_value(in, lane))), -unit);
        assert_true(fabs(k - rint(k)) <= 0.0);
        sum += k;
    }
    return sum <= ldexp(1.0, (int)f->prec_bits);
}

/* The same of a product: the exponents up and down stay in the format's range. */
static int product_fits(const struct float_format *f, const struct input *in, uint32_t n)
{
    int up = 0;
    int down = 0;
    for (uint32_t lane = 0; lane < n; lane++) {
        int exponent = 0;
        (void)frexp(fabs(number_of(f, inputs_get_value(in, lane))), &exponent);
        up += exponent > 1 ? exponent - 1 : 0;
        down += exponent < 1 ? 1 - exponent : 0;
    }
    return up <= f->emax && down <= -f->emin;
}

static void exact_terms_are_the_same_in_any_order(void **state)
{
    enum {
        N_SEEDS = 200
    };
    static const uint32_t sizes[] = {1, 2, 5, 16, 33, 64, 100, 128};
    (void)state;
    int n_products = 0;
    int n_fit = 0;
    for (size_t k = 0; k < ARRAY_N(float_types) * ARRAY_N(sizes); k++) {
        const struct float_format *const f = &float_formats[k % ARRAY_N(float_types)];
        uint32_t const n = sizes[k / ARRAY_N(float_types)];
        int n_differ = 0;
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            struct input in = {.type = float_types[k % ARRAY_N(float_types)], .seed = seed};
            inputs_make_exact(&in, 0, n, seed);
            assert_true(sum_fits(f, &in, n));
            n_differ += inputs_get_value(&in, 0) != inputs_get_value(&in, n - 1);
            inputs_make_exact(&in, 1, n, seed);
            n_fit += product_fits(f, &in, n);
            n_products++;
        }
        assert_true(n == 1 || n_differ * 2 > N_SEEDS);
    }
    assert_true(n_fit * 100 >= n_products * 99);
}

static void filling_is_the_same_as_asking(void **state)
{
    (void)state;
    static const enum ir_type types[] = {IR_I16, IR_I32, IR_I64, IR_F16, IR_F32, IR_F64};
    for (size_t k = 0; k < ARRAY_N(types); k++) {
        struct input const in = {.type = types[k], .class = INPUT_MIXED, .seed = 9};
        unsigned char bytes[8 * 50];
        unsigned const width = ir_type_bits(types[k]) / 8;
        int n_differ = 0;
        inputs_fill(&in, bytes, 50);
        for (uint32_t lane = 0; lane < 50; lane++) {
            uint64_t const v = inputs_get_value(&in, lane);
            assert_int_equal(load_le(bytes + (size_t)lane * width, width), v);
            n_differ += v != inputs_get_value(&in, 0);
        }
        assert_true(n_differ > 25);
    }
}

static void each_mix_is_of_hundred(void **state)
{
    (void)state;
    for (int use = 0; use <= USE_MATH; use++) {
        int seen[INPUT_CLASS_N] = {0};
        for (uint64_t choice = 0; choice < 100; choice++) {
            seen[inputs_pick_class(choice, (enum input_use)use)]++;
        }
        assert_int_equal(seen[INPUT_EXACT], 0); /* a policy asks for it, never a mix */
        for (int c = 0; use == USE_ANY && c < INPUT_CLASS_N; c++) {
            assert_true(seen[c] > 0 || c == INPUT_EXACT || (c > INPUT_MIXED && c < INPUT_LITERAL));
        }
        /* rarely drawn, and never where values must differ */
        assert_int_equal(seen[INPUT_LITERAL],
                         use == USE_ANY || use == USE_CONTENDED || use == USE_MATH);
        assert_int_equal(inputs_pick_class(INPUT_LITERAL_CHOICE, (enum input_use)use) ==
                             INPUT_LITERAL,
                         seen[INPUT_LITERAL]);
        assert_true(seen[use == USE_EQUAL ? INPUT_ONE : INPUT_NORMAL] >= 10);
        assert_int_equal(seen[INPUT_POW2], 0);
    }
}

/* Each by its encoding in binary16, written out. */
static void specials_are_all_there(void **state)
{
    (void)state;
    static const uint16_t all[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x7bff,
                                   0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3c00, 0xbc00, 0x3c01,
                                   0x3bff, 0x3800, 0x3e00, 0x4000, 0x4200};
    struct input const in = {.type = IR_F16, .class = INPUT_SPECIAL, .seed = 7};
    for (size_t i = 0; i < ARRAY_N(all); i++) {
        int n = 0;
        for (uint32_t lane = 0; lane < N_LANES; lane++) {
            n += inputs_get_value(&in, lane) == all[i];
        }
        if (n == 0) {
            fail_msg("0x%04x never came", all[i]);
        }
    }
}

/* Is x * y + z, rounded to binary64 and then to binary32, another number than rounded once? It is where the exact
 * product lies in the middle of two numbers and z is below all bits of the sum. */
static int rounds_twice(const double v[3])
{
    int exponent;
    double const product = v[0] * v[1];
    double const units = ldexp(frexp(product, &exponent), 24);
    bool const is_middle = fabs(fabs(units - rint(units)) - 0.5) <= 0.0;
    return is_middle && fabs(v[2]) > 0.0 && fabs(product + v[2]) <= fabs(product) &&
           fabs(product + v[2]) >= fabs(product);
}

/* Is x, the first argument, with y and z what its domain promises? In host arithmetic; 1 ulp of a
 * binary32 number x is at most 2^-23 |x|. */
static int is_hard(enum input_domain domain, const double v[3])
{
    double const half_pi = 1.57079632679489661923;
    double const x = v[0];
    double const ulp = ldexp(fabs(x), -23);
    switch (domain) {
    case DOMAIN_TRIG: /* up to 2^20 half_pi is exact enough */
        return fabs(x) > 0.7 && fabs(x) < 1e6 && fabs(remainder(x, half_pi / 2)) <= 2 * ulp;
    case DOMAIN_TRIGPI:
    case DOMAIN_WHOLE:
        return fabs(remainder(x, 0.125)) <= 2 * ulp && fabs(x) > 0.0;
    case DOMAIN_EXP: {
        static const double ends[] = {
            88.72283905, 87.33654475, 103.2789299, 103.9720770, 128.0,       126.0,      149.0,
            150.0,       38.53183944, 37.92977945, 44.85346946, 45.15449935, 89.41598629};
        for (size_t i = 0; i < ARRAY_N(ends); i++) {
            if (fabs(fabs(x) - ends[i]) <= 6 * ulp) {
                return 1;
            }
        }
        return 0;
    }
    case DOMAIN_LOG:
        return fabs(x - 1.0) <= 0.5;
    case DOMAIN_UNIT:
        return fabs(x) <= 1.0 && fabs(x) >= 0.5;
    case DOMAIN_POW: {
        double const e = v[1] * log2(fabs(x));
        return fabs(e) > 60.0 && fabs(e) < 400.0;
    }
    case DOMAIN_GAMMA:
        return fabs(remainder(x, 0.5)) <= 3 * ulp;
    case DOMAIN_QUOTIENT:
        return fabs(remainder(x / v[1], 0.5)) <= 0.0;
    case DOMAIN_FMA:
        return fabs(x * v[1] + v[2]) <= ldexp(fabs(x * v[1]), -20) || rounds_twice(v) ||
               fabs(x * v[1] + v[2]) < ldexp(1.0, -126);
    case DOMAIN_MIDDLE:
        return x >= 0.0 && x <= 1.0;
    case DOMAIN_SUM:
        return fabs(x + v[1]) <= ldexp(fabs(x), -20) || fabs(v[1]) <= ldexp(fabs(x), -22);
    case DOMAIN_PRODUCT:
        return fabs(x * v[1]) < ldexp(1.0, -120) || fabs(x * v[1]) > ldexp(1.0, 125);
    case DOMAIN_NARROW: { /* in the middle of two binary16 numbers, or next to it */
        int exponent = 0;
        double const units = ldexp(frexp(x, &exponent), 11);
        return fabs(fabs(remainder(units, 1.0)) - 0.5) <= ldexp(1.0, -12);
    }
    case DOMAIN_CLAMP:
        return v[1] <= v[2];
    case DOMAIN_EDGES:
        return x <= v[1];
    case DOMAIN_ANY:
        return 1;
    }
    return 0;
}

static void domains_are_hard(void **state)
{
    (void)state;
    /* in percent, at least */
    static const int shares[INPUT_DOMAIN_N] = {100, 25, 60, 35, 30, 45, 25, 30, 90,
                                               40,  60, 60, 40, 20, 50, 99, 99};
    for (int domain = 0; domain < INPUT_DOMAIN_N; domain++) {
        int n = 0;
        for (uint32_t lane = 0; lane < N_LANES; lane++) {
            double v[3];
            for (uint32_t k = 0; k < 3; k++) {
                struct input const in = {.type = IR_F32,
                                         .class = INPUT_DOMAIN,
                                         .seed = 11,
                                         .domain = (enum input_domain)domain,
                                         .argument = k};
                v[k] = number_of(&float_formats[1], inputs_get_value(&in, lane));
            }
            n += is_hard((enum input_domain)domain, v);
        }
        if (n * 100 < shares[domain] * N_LANES) {
            fail_msg("domain %d: %d of %d", domain, n, N_LANES);
        }
    }
}

/* Of fused multiply-adds some show that a wider format was in between, in binary32 also that it was binary64. */
static void fused_ones_show_a_second_rounding(void **state)
{
    (void)state;
    int n = 0;
    for (uint32_t lane = 0; lane < N_LANES; lane++) {
        double v[3];
        for (uint32_t k = 0; k < 3; k++) {
            struct input const in = {.type = IR_F32,
                                     .class = INPUT_DOMAIN,
                                     .seed = 5,
                                     .domain = DOMAIN_FMA,
                                     .argument = k};
            v[k] = number_of(&float_formats[FMT_F32], inputs_get_value(&in, lane));
        }
        n += rounds_twice(v);
    }
    assert_true(n * 12 > N_LANES);
}

/* Few infinities and NaN, and not one number all the time. */
static void every_domain_has_finite_numbers(void **state)
{
    (void)state;
    for (int k = 0; k < 3 * INPUT_DOMAIN_N; k++) {
        const struct float_format *const f = &float_formats[k % 3];
        uint64_t first = 0;
        uint32_t n_finite = 0;
        uint32_t n_other = 0;
        for (uint32_t lane = 0; lane < N_LANES; lane++) {
            struct input const in = {.type = float_types[k % 3],
                                     .class = INPUT_DOMAIN,
                                     .seed = 3,
                                     .domain = (enum input_domain)(k / 3),
                                     .argument = lane % 3};
            uint64_t const enc = inputs_get_value(&in, lane);
            first = lane == 0 ? enc : first;
            n_finite += (enc & f->exp) != f->exp;
            n_other += enc != first;
        }
        assert_true(n_finite * 10 >= N_LANES * 9);
        assert_true(n_other * 10 >= N_LANES * 9);
    }
}

static void ranges_hold_all_numbers(void **state)
{
    (void)state;
    static const double ends[][2] = {
        {-HUGE_VAL, HUGE_VAL        },
        {0.0,       HUGE_VAL        },
        {-1.0,      1.0             },
        {-3.14160,  3.14159265358979},
        {1.0,       HUGE_VAL        }
    };
    uint32_t n_numbers = 0;
    for (uint32_t at = 0; at < ARRAY_N(ends) * 3; at++) {
        const struct float_format *const f = &float_formats[at % 3];
        struct input const in = {.type = float_types[at % 3],
                                 .class = INPUT_MIXED,
                                 .seed = 17,
                                 .range = (enum input_range)(at / 3)};
        for (uint32_t lane = 0; lane < N_LANES; lane++) {
            uint64_t const enc = inputs_get_value(&in, lane);
            if ((enc & f->exp) != f->exp) {
                double const x = number_of(f, enc);
                assert_true(x >= ends[at / 3][0] && x <= ends[at / 3][1]);
                n_numbers++;
            }
        }
    }
    assert_true(n_numbers > ARRAY_N(ends) * 3 * N_LANES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_what_they_say),
        cmocka_unit_test(plain_inputs_have_nothing_special),
        cmocka_unit_test(some_lanes_have_special_numbers),
        cmocka_unit_test(special_lanes_shift),
        cmocka_unit_test(distinct_powers_are_distinct),
        cmocka_unit_test(large_ones_cancel),
        cmocka_unit_test(exact_terms_are_the_same_in_any_order),
        cmocka_unit_test(filling_is_the_same_as_asking),
        cmocka_unit_test(each_mix_is_of_hundred),
        cmocka_unit_test(specials_are_all_there),
        cmocka_unit_test(domains_are_hard),
        cmocka_unit_test(fused_ones_show_a_second_rounding),
        cmocka_unit_test(every_domain_has_finite_numbers),
        cmocka_unit_test(ranges_hold_all_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
