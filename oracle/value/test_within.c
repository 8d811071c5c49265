/* oracle/value/test_within.c -- what a max error permits around values, against integers: all of binary16. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/base.h"
#include "oracle/num/set.h"
#include "oracle/tables/tables.h"
#include "oracle/value/value_within.h"

#define COVERS(id) (void)CLAUSE_##id
enum {
    INF16 = 0x7c00,
    N_RANGES = 3000
};

/* Literals and what they are. */
static const struct {
    uint32_t literal;
    double ulp;
} bounds[] = {
    {0x3e800000, 0.25},
    {0x3f000000, 0.5 },
    {0x3f800000, 1   },
    {0x3fc00000, 1.5 },
    {0x40800000, 4   },
    {0x42c80000, 100 },
    {0x457ff000, 4095},
};

/* A finite encoding in units of 2^-24, and twice the ulp of its value in them: "otherwise ulp(x) is the distance
 * between the two non-equal finite floating-point numbers nearest to x". */
static double units_of(uint32_t enc)
{
    uint32_t const field = enc >> 10 & 31;
    double const sig = field ? 1024 + (enc & 1023) : enc & 1023;
    double const size = ldexp(sig, field ? (int)field - 1 : 0);
    return enc & 0x8000 ? -size : size;
}

static double twice_ulp_of(uint32_t enc)
{
    uint32_t const field = enc >> 10 & 31;
    double const step = ldexp(1, field ? (int)field - 1 : 0);
    bool const is_power = (enc & 1023) == 0 && field > 1;
    return is_power ? step : 2 * step;
}

static bool is_within(uint32_t enc, uint32_t other, double ulp)
{
    return 2 * fabs(units_of(other) - units_of(enc)) <= ulp * twice_ulp_of(enc);
}

/* Each number alone: its neighbours up to the bound are in the set, the next one is not. */
static void neighbours_of_each_number(void **state)
{
    (void)state;
    COVERS(MAX_ERROR);
    static const struct fp_rules rules = {.rounding = ROUND_RNE};
    size_t n_in = 0;
    size_t n_out = 0;
    for (size_t k = 0; k < ARRAY_N(bounds); k++) {
        for (uint32_t size = 1; size < INF16; size++) {
            uint32_t const enc = size | (size % 3 == 0 ? 0x8000 : 0);
            struct set one, wide;
            set_of(&one, FMT_F16, enc);
            assert_true(value_widen(ENV_CL, &one, bounds[k].literal, &rules, &wide));
            for (uint32_t step = 0; step < 260; step += step < 8 ? 1 : 63) {
                uint32_t const up = enc + step;
                uint32_t const down = enc - step;
                if (size + step < INF16) {
                    bool const is_in = is_within(enc, up, bounds[k].ulp);
                    assert_int_equal(set_has(&wide, up), is_in);
                    n_in += is_in;
                    n_out += !is_in;
                }
                if (size > step) {
                    assert_int_equal(set_has(&wide, down), is_within(enc, down, bounds[k].ulp));
                }
            }
        }
    }
    assert_true(n_in > 0 && n_out > 0);
}

/* The set for a range extends from the least to the greatest value around any of its members. */
static void ranges_reach_as_far_as_their_members(void **state)
{
    (void)state;
    COVERS(MAX_ERROR);
    static const struct fp_rules rules = {.rounding = ROUND_RNE};
    struct rng rng = rng_seed(7);
    size_t n_long = 0;
    for (size_t i = 0; i < N_RANGES; i++) {
        uint32_t const literal = bounds[rng_below(&rng, ARRAY_N(bounds))].literal;
        int64_t const lo = (int64_t)rng_below(&rng, 2 * 0x7800) - 0x7800;
        int64_t const most = i % 4 ? 40 : 3000;
        int64_t const hi = lo + (int64_t)rng_below(&rng, (uint64_t)most);
        struct set range, wide, all;
        set_clear(&range, FMT_F16);
        set_clear(&all, FMT_F16);
        set_add_range(&range, lo, hi);
        for (int64_t key = lo; key <= hi; key++) {
            struct set one, around;
            set_of(&one, FMT_F16, format_from_key(&float_formats[FMT_F16], key));
            assert_true(value_widen(ENV_CL, &one, literal, &rules, &around));
            set_add_set(&all, &around);
        }
        if (!value_widen(ENV_CL, &range, literal, &rules, &wide)) {
            assert_true(wide.flags & SET_ANY); /* of too many binades */
            continue;
        }
        n_long += hi - lo > 1100;
        assert_int_equal(wide.n, 1);
        assert_int_equal(wide.r[0].lo, all.r[0].lo);
        assert_int_equal(wide.r[0].hi, all.r[all.n - 1].hi);
    }
    assert_true(n_long > 0);
}

/* Zeros, infinities and NaNs stay what they are; what is no bound permits anything. */
static void special_values_stay(void **state)
{
    (void)state;
    COVERS(MAX_ERROR);
    COVERS(MAX_ERROR_VALUE);
    static const struct fp_rules rules = {.rounding = ROUND_RNE};
    static const uint32_t kept[] = {0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7d00};
    static const uint32_t no_bounds[] = {0, 0x80000000, 0xbf800000, 0x7f800000, 0x7fc00000};
    struct set one, wide;
    for (size_t i = 0; i < ARRAY_N(kept); i++) {
        set_of(&one, FMT_F16, kept[i]);
        assert_true(value_widen(ENV_CL, &one, 0x42c80000, &rules, &wide));
        assert_int_equal(set_has(&wide, kept[i]), 1);
        assert_int_equal(set_has(&wide, 1), 0);
        assert_int_equal(set_has(&wide, 0x7bff), 0);
    }
    for (size_t i = 0; i < ARRAY_N(no_bounds); i++) {
        set_of(&one, FMT_F16, 0x3c00);
        assert_false(value_widen(ENV_CL, &one, no_bounds[i], &rules, &wide));
        assert_int_equal(set_has(&wide, 0x4000), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_of_each_number),
        cmocka_unit_test(ranges_reach_as_far_as_their_members),
        cmocka_unit_test(special_values_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
