/* oracle/num/test_ulp.c -- ulps and bounded quotients against a formula of one line and integers. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/num/arith.h"
#include "oracle/num/mp.h"
#include "oracle/num/test_ref16.h"
#include "oracle/num/ulp.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

/* log2 of f16's ulp at an exact value, from the largest encoding that is not above it. */
static int ulp16(unsigned floor_magnitude, int is_exact)
{
    unsigned const field = floor_magnitude >> 10, frac = floor_magnitude & 1023;
    if (field <= 1) {
        return -24;
    }
    return (int)field - (is_exact && frac == 0 ? 26 : 25);
}

/* The exponent of an ulp for every f16, against a one-line formula, and at the ends of the range. */
static void ulp_is_the_one_line_formula(void **state)
{
    /* SHOWS(ME_ULP) */
    (void)state;
    COVERS(DIV_ULP);
    struct float_format const *f = &float_formats[FMT_F16];
    size_t n = 0;
    for (unsigned m = 1; m < 0x7c00; m++, n++) {
        int exponent = -24;
        while (ref16_units(m) >> (exponent + 25) != 0) {
            exponent++;
        }
        int const is_power = (ref16_units(m) & (ref16_units(m) - 1)) == 0;
        assert_int_equal(ulp_get_exponent(f, exponent, is_power), ulp16(m, 1));
        if (is_power) { /* a little above it */
            assert_int_equal(ulp_get_exponent(f, exponent, 0), ulp16(m, 0));
        }
    }
    assert_int_equal(n, 0x7bff);
    assert_int_equal(ulp_get_exponent(f, INT_MIN, 0), -24); /* of zero */
    assert_int_equal(ulp_get_exponent(f, -40, 1), -24);
    assert_int_equal(ulp_get_exponent(f, 16, 1), 5); /* capped: 2^16 would be 2^5 in any case */
    assert_int_equal(ulp_get_exponent(f, 20, 0), 5);
    assert_int_equal(ulp_get_exponent(f, 20, 1), 5);
    struct float_format const *d = &float_formats[FMT_F64];
    assert_int_equal(ulp_get_exponent(d, 0, 1), -53);
    assert_int_equal(ulp_get_exponent(d, 0, 0), -52);
    assert_int_equal(ulp_get_exponent(d, -1022, 1), -1074);
    assert_int_equal(ulp_get_exponent(d, -1021, 1), -1074);
    assert_int_equal(ulp_get_exponent(d, -1021, 0), -1073);
}

/* Bounds as fractions of 64. */
static const int bounds_64[] = {16, 32, 64, 160, 192, 256, 1000, 64 * 100};

/* What one f16 quotient may be, by comparing each encoding with it. */
struct quotient16 {
    struct ref16_value v; /* the exact quotient in units */
    ref16_big slack;      /* bound * ulp in 64ths of a unit, times v.den */
    int is_inf_correct, is_max_correct;
};

static struct quotient16 quotient_of(uint64_t x, uint64_t y, int bound_64, enum rounding rounding)
{
    struct quotient16 q = {.v = ref16_exact(ARITH_DIV, x, y)};
    unsigned const floor = ref16_floor(q.v);
    int const is_exact = ref16_units(floor) * q.v.den == ref16_abs(q.v.num);
    int const above = ref16_abs(q.v.num) >= ((ref16_big)1 << 40) * q.v.den; /* >= 2^16 */
    int const ulp = above ? 5 : ulp16(floor, is_exact);
    q.slack = ((ref16_big)bound_64 << (ulp + 24)) * q.v.den;
    if (ref16_abs(q.v.num) > (ref16_big)ref16_units(0x7bff) * q.v.den) {
        q.is_inf_correct =
            rounding != ROUND_RTZ &&
            (rounding == ROUND_EITHER || (ref16_round(q.v, REAL_NEAREST) & 0x7fff) == 0x7c00);
        q.is_max_correct = !q.is_inf_correct || rounding == ROUND_EITHER;
    }
    return q;
}

static int is_within(const struct quotient16 *q, ref16_big units)
{
    return ref16_abs(units * q->v.den - q->v.num) * 64 <= q->slack;
}

/* Is enc, infinity included, allowed by OpenCL's rule, or by Vulkan's where `lax`? */
static int quotient_allows(const struct quotient16 *q, uint64_t enc, int lax)
{
    int const negative = (enc & 0x8000) != 0;
    int const same_sign = negative == (q->v.num < 0);
    unsigned const m = (unsigned)enc & 0x7fff;
    ref16_big const sign = negative ? -1 : 1;
    int const passes_max =
        ref16_abs(q->v.num) * 64 + q->slack > (ref16_big)ref16_units(0x7bff) * q->v.den * 64;
    if (m == 0x7c00) {
        return same_sign && (is_within(q, sign * ref16_units(m)) ||
                             ref16_abs(q->v.num) >= ref16_units(m) * q->v.den ||
                             q->is_inf_correct || (lax && passes_max));
    }
    if (m == 0x7bff && same_sign && ((lax && passes_max) || q->is_max_correct)) {
        return 1;
    }
    return is_within(q, sign * ref16_units(m));
}

static int is_number_quotient(uint64_t x, uint64_t y)
{
    return !ref16_is_inf(x) && !ref16_is_inf(y) && !ref16_is_zero(x) && !ref16_is_zero(y);
}

/* For random f16 quotients and bounds every encoding is in the set if and only if an exact reference permits it. */
static void bounded_quotients_are_those_within(void **state)
{
    (void)state;
    COVERS(DIV_ULP);
    struct rng rng = rng_seed(21);
    size_t n = 0, n_inf = 0, n_unsatisfiable = 0;
    for (unsigned i = 0; i < 6000; i++) {
        uint64_t x = ref16_draw(&rng), y = ref16_draw(&rng);
        if (i % 4 == 0) { /* quotients near the largest finite */
            x = 0x7800 + rng_below(&rng, 0x400);
            y = 0x3800 + rng_below(&rng, 0x500);
        } else if (i % 8 == 2 || i % 8 == 7) { /* within a few ulps of it */
            x = 0x7bff - rng_below(&rng, 5);
            y = 0x3c00 + rng_below(&rng, 2) - rng_below(&rng, 4);
        } else if (i % 4 == 1) { /* and near the smallest normal and below */
            x = 0x0001 + rng_below(&rng, 0x1000);
            y = 0x3c00 + rng_below(&rng, 0x1800);
        }
        int const bound_64 = bounds_64[rng_below(&rng, ARRAY_N(bounds_64))];
        struct fp_rules r = {.rounding = (enum rounding)(i % 3), .overflow_lax = i % 2 != 0};
        if (!is_number_quotient(x, y)) {
            continue;
        }
        int const lax = r.overflow_lax || r.rounding == ROUND_EITHER;
        struct quotient16 const q = quotient_of(x, y, bound_64, r.rounding);
        struct set sx, sy, got;
        set_of(&sx, FMT_F16, x);
        set_of(&sy, FMT_F16, y);
        set_clear(&got, FMT_F16);
        arith_apply(ARITH_DIV, (const struct set *const[]){&sx, &sy}, &r, bound_64 / 64.0, &got);
        assert_true(!set_is_empty(&got) && got.flags == 0);
        size_t n_allowed = 0, n_wrong = 0;
        uint64_t wrong = 0;
        for (uint64_t enc = 0; enc < 65536; enc++) {
            if (ref16_is_nan(enc)) {
                continue;
            }
            int const allowed = quotient_allows(&q, enc, lax);
            n_allowed += (size_t)allowed;
            if (set_has(&got, enc) != allowed) {
                n_wrong++;
                wrong = enc;
            }
        }
        n_inf += (size_t)(set_has(&got, 0x7c00) || set_has(&got, 0xfc00));
        n++;
        if (n_allowed == 0) { /* nothing lies within: the correct roundings stand in */
            n_unsatisfiable++;
            assert_true(bound_64 < 32 && set_count(&got) <= 2);
            continue;
        }
        if (n_wrong != 0) {
            fail_msg("0x%04x / 0x%04x bound %d/64 rounding %d lax %d: wrong for %zu, one is 0x%04x",
                     (unsigned)x, (unsigned)y, bound_64, (int)r.rounding, lax, n_wrong,
                     (unsigned)wrong);
        }
    }
    assert_true(n > 4000 && n_inf > 200 && n_unsatisfiable > 50);
}

/* The set for a wider bound holds the set for a narrower one. */
static void a_wider_bound_never_takes_away(void **state)
{
    (void)state;
    COVERS(DIV_ULP);
    struct rng rng = rng_seed(22);
    for (unsigned i = 0; i < 20000; i++) {
        enum fmt_id const fmt = (enum fmt_id)(i % FMT_N);
        struct float_format const *f = &float_formats[fmt];
        struct fp_rules const r = {.rounding = (enum rounding)(i / 3 % 3),
                                   .flush_in = i % 2 ? FLUSH_MAY : FLUSH_NEVER,
                                   .flush_out = (enum flush)(i / 9 % 2)};
        struct set sx, sy, exact, narrow, wide;
        set_of(&sx, fmt, rng_next(&rng) & format_mask(f));
        set_of(&sy, fmt, rng_next(&rng) & format_mask(f));
        set_clear(&exact, fmt);
        set_clear(&narrow, fmt);
        set_clear(&wide, fmt);
        const struct set *const args[] = {&sx, &sy};
        arith_apply(ARITH_DIV, args, &r, 0, &exact);
        arith_apply(ARITH_DIV, args, &r, 1, &narrow);
        arith_apply(ARITH_DIV, args, &r, 2.5, &wide);
        for (uint64_t k = 0; k < set_count(&exact); k++) { /* one ulp holds both neighbours */
            assert_true(set_has(&narrow, set_nth(&exact, k)));
        }
        for (uint64_t k = 0; k < set_count(&narrow); k++) {
            assert_true(set_has(&wide, set_nth(&narrow, k)));
        }
        assert_true(set_count(&wide) <= 12);
    }
}

/* 1/3 and its like in f32, worked by hand; special operands get no slack. */
static void quotients_worked_by_hand(void **state)
{
    (void)state;
    COVERS(DIV_ULP);
    struct fp_rules const rne = {.rounding = ROUND_RNE};
    struct fp_rules const flush = {.rounding = ROUND_RNE, .flush_out = FLUSH_MAY};
    struct fp_rules const free_sign = {.rounding = ROUND_RNE, .zero_sign_free = 1};
    static const struct {
        uint64_t x, y;
        double bound_ulp;
        uint64_t lo, hi; /* encodings of the same sign, magnitudes rising */
    } rows[] = {
  /* 1/3 = 0x3eaaaaaa + 2/3 ulp: within 2.5 are -1 .. +3 of 0x3eaaaaaa */
        {0x3f800000, 0x40400000, 2.5, 0x3eaaaaa9, 0x3eaaaaad},
        {0x3f800000, 0x40400000, 0.5, 0x3eaaaaab, 0x3eaaaaab},
 /* 4/2 = 2^1: its ulp is the smaller one, 2^-23; above it a step is two of them */
        {0x40800000, 0x40000000, 2.5, 0x3ffffffe, 0x40000001},
        {0xc0800000, 0x40000000, 2.5, 0xbffffffe, 0xc0000001},
        {0x40800000, 0x40000000, 1.0, 0x3fffffff, 0x40000000},
        {0x7f800000, 0x40000000, 2.5, 0x7f800000, 0x7f800000},
        {0x3f800000, 0xff800000, 2.5, 0x80000000, 0x80000000},
        {0x3f800000, 0x80000000, 2.5, 0xff800000, 0xff800000},
        {0x80000000, 0x40000000, 2.5, 0x80000000, 0x80000000},
 /* the largest finite by 1: 2^128 is 1 ulp away */
        {0x7f7fffff, 0x3f800000, 0.5, 0x7f7fffff, 0x7f7fffff},
        {0x7f7fffff, 0x3f800000, 2.5, 0x7f7ffffd, 0x7f800000},
        {0x7f7fffff, 0x00000001, 2.5, 0x7f800000, 0x7f800000},
    };
    struct set sx, sy, got;
    for (unsigned i = 0; i < ARRAY_N(rows); i++) {
        set_of(&sx, FMT_F32, rows[i].x);
        set_of(&sy, FMT_F32, rows[i].y);
        set_clear(&got, FMT_F32);
        const struct set *const args[] = {&sx, &sy};
        arith_apply(ARITH_DIV, args, &rne, rows[i].bound_ulp, &got);
        assert_int_equal(set_count(&got), rows[i].hi - rows[i].lo + 1);
        assert_true(set_has(&got, rows[i].lo) && set_has(&got, rows[i].hi));
    }
    /* 2^-126 + 2 * 2^-149: no flush when exact, but within 2.5 subnormals of the smallest normal */
    set_of(&sx, FMT_F32, 0x00800002);
    set_of(&sy, FMT_F32, 0x3f800000);
    const struct set *const args[] = {&sx, &sy};
    arith_apply(ARITH_DIV, args, &flush, 0, &got);
    assert_true(set_count(&got) == 1);
    arith_apply(ARITH_DIV, args, &flush, 2.5, &got);
    assert_true(set_has(&got, 0) && set_has(&got, 0x80000000) && set_count(&got) == 7);
    arith_apply(ARITH_DIV, args, &rne, 2.5, &got);
    assert_true(!set_has(&got, 0) && set_count(&got) == 5);
    set_of(&sx, FMT_F32, 0x00800003);
    arith_apply(ARITH_DIV, args, &flush, 2.5, &got);
    assert_true(!set_has(&got, 0));
    set_of(&sx, FMT_F32, 0x3f800000);
    set_of(&sy, FMT_F32, 0);
    arith_apply(ARITH_DIV, args, &free_sign, 2.5, &got); /* 1/0 with a zero of either sign */
    assert_true(set_count(&got) == 2 && set_has(&got, 0x7f800000) && set_has(&got, 0xff800000));
    set_of(&sx, FMT_F32, 0x80000000);
    arith_apply(ARITH_DIV, args, &rne, 2.5, &got);
    assert_true(got.n == 0 && got.flags == SET_QNAN);
}

/* Ranges of operands hold the quotients of random members within the bound. */
static void ranges_hold_every_member_s_quotients(void **state)
{
    (void)state;
    COVERS(DIV_ULP);
    struct rng rng = rng_seed(23);
    size_t n = 0;
    for (unsigned i = 0; i < 1500; i++) {
        struct fp_rules const r = {.rounding = (enum rounding)(i % 3),
                                   .flush_out = (enum flush)(i / 3 % 3)};
        double const bound_ulp = bounds_64[rng_below(&rng, ARRAY_N(bounds_64))] / 64.0;
        struct set arg[2], got;
        const struct set *const args[] = {&arg[0], &arg[1]};
        for (unsigned k = 0; k < 2; k++) {
            struct set point;
            set_of(&point, FMT_F16, ref16_draw(&rng));
            int64_t const lo = point.r[0].lo, hi = lo + (int64_t)rng_below(&rng, 40);
            set_clear(&arg[k], FMT_F16);
            set_add_range(&arg[k], lo, hi > 0x7c00 ? 0x7c00 : hi);
        }
        set_clear(&got, FMT_F16);
        arith_apply(ARITH_DIV, args, &r, bound_ulp, &got);
        for (unsigned m = 0; m < 50; m++, n++) {
            struct set x, y, each;
            set_of(&x, FMT_F16, set_nth(&arg[0], rng_below(&rng, set_count(&arg[0]))));
            set_of(&y, FMT_F16, set_nth(&arg[1], rng_below(&rng, set_count(&arg[1]))));
            set_clear(&each, FMT_F16);
            arith_apply(ARITH_DIV, (const struct set *const[]){&x, &y}, &r, bound_ulp, &each);
            struct set both = got;
            set_add_set(&both, &each);
            assert_true(set_count(&both) == set_count(&got)); /* adds nothing */
        }
    }
    assert_int_equal(n, 1500 * 50);
}

/* The distance of a result from a set in ulps, worked out by hand. */
static void distance_is_in_ulps_of_the_nearest_member(void **state)
{
    (void)state;
    struct set s;
    static const struct {
        enum fmt_id fmt;
        uint64_t lo, hi, got;
        double want; /* 1.0 has the smaller ulp of its two sides; 3 is 1.5 * 2^23 ulps off 1.5 */
    } rows[] = {
        {FMT_F32, 0x3f800000,         0x3f800000,         0x3f800000,         0       },
        {FMT_F32, 0x3f800001,         0x3f800001,         0x3f800003,         2       },
        {FMT_F32, 0x3f800000,         0x3f800000,         0x3f800001,         2       },
        {FMT_F32, 0x3f800000,         0x3f800000,         0x3f7fffff,         1       },
        {FMT_F32, 0x3f800001,         0x3f800009,         0x3f80000c,         3       },
        {FMT_F32, 0x00000000,         0x00000000,         0x00000005,         5       },
        {FMT_F32, 0x00000000,         0x00000000,         0x80000000,         0       },
        {FMT_F32, 0x00000005,         0x00000005,         0x80000005,         10      },
        {FMT_F32, 0x3fc00000,         0x3fc00000,         0x40400000,         12582912},
        {FMT_F16, 0x3e00,             0x3e00,             0xbe00,             3072    },
        {FMT_F64, 0x3ff8000000000000, 0x3ff8000000000000, 0x3ff8000000000001, 1       },
    };
    for (unsigned i = 0; i < ARRAY_N(rows); i++) {
        set_clear(&s, rows[i].fmt);
        set_add_range(&s, (int64_t)rows[i].lo, (int64_t)rows[i].hi);
        double const got = arith_ulp_distance(&s, rows[i].got);
        assert_true(!(got < rows[i].want) && !(got > rows[i].want));
    }
    set_clear(&s, FMT_F32);
    set_add(&s, 0x3f800001);
    set_add(&s, 0x40000001); /* 3 below it is 3 ulps, the other is far */
    double const near = arith_ulp_distance(&s, 0x40000004);
    assert_true(near > 2.9 && near < 3.1);
    assert_true(isinf(arith_ulp_distance(&s, 0x7f800000)) != 0);
    assert_true(isinf(arith_ulp_distance(&s, 0x7fc00000)) != 0);
    set_of(&s, FMT_F32, 0x7f800000);
    assert_true(isinf(arith_ulp_distance(&s, 0x7f7fffff)) != 0);
    set_of(&s, FMT_F32, 0x7fc00000);
    assert_true(isinf(arith_ulp_distance(&s, 0)) != 0);
    assert_true(!(arith_ulp_distance(&s, 0x7fc00001) > 0));
    set_any(&s, FMT_F32);
    assert_true(!(arith_ulp_distance(&s, 0x7f800000) > 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ulp_is_the_one_line_formula),
        cmocka_unit_test(bounded_quotients_are_those_within),
        cmocka_unit_test(a_wider_bound_never_takes_away),
        cmocka_unit_test(quotients_worked_by_hand),
        cmocka_unit_test(ranges_hold_every_member_s_quotients),
        cmocka_unit_test(distance_is_in_ulps_of_the_nearest_member),
    };
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    mp_release();
    return failed;
}
