/* oracle/num/test_set.c -- the algebra of sets against a bit map of all f16 encodings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/num/set.h"

enum {
    N_ENC = 65536
};

/* One flag per encoding: the plainest set there is. */
struct map {
    unsigned char has[N_ENC];
};

static int is_nan(unsigned enc)
{
    return (enc & 0x7fff) > 0x7c00;
}

static void map_add(struct map *m, unsigned enc)
{
    if (!is_nan(enc)) {
        m->has[enc] = 1;
        return;
    }
    for (unsigned i = 0; i < N_ENC; i++) { /* every NaN of the same class */
        if (is_nan(i) && (i & 0x200) == (enc & 0x200)) {
            m->has[i] = 1;
        }
    }
}

/* The encoding that stands at a place of the order -inf .. -0, +0 .. +inf. */
static unsigned enc_at(int64_t key)
{
    return key < 0 ? 0x8000U + (unsigned)(-1 - key) : (unsigned)key;
}

static uint64_t map_count(const struct map *m)
{
    uint64_t n = 0, n_nan = 0;
    for (unsigned i = 0; i < N_ENC; i++) {
        n += !is_nan(i) && m->has[i];
        n_nan |= is_nan(i) && m->has[i];
    }
    return n + n_nan;
}

static void expect_same(const struct set *s, const struct map *m)
{
    for (unsigned i = 0; i < N_ENC; i++) {
        if (set_has(s, i) != m->has[i]) {
            fail_msg("0x%04x: set says %d, map %d", i, set_has(s, i), m->has[i]);
        }
    }
    assert_int_equal(set_count(s), map_count(m));
}

static void expect_well_formed(const struct set *s)
{
    assert_true(s->n <= SET_MAX_RANGES);
    for (unsigned i = 0; i < s->n; i++) {
        assert_true(s->r[i].lo <= s->r[i].hi);
        assert_true(i == 0 || s->r[i - 1].hi + 1 < s->r[i].lo);
    }
}

/* Places are few and close, so that ranges touch, overlap and swallow one another. */
static int64_t draw_key(struct rng *rng)
{
    static const int64_t around[] = {-0x7c01, -0x3c01, -1, 0x3c00, 0x7c00};
    int64_t const key = around[rng_below(rng, 5)] + (int64_t)rng_below(rng, 13) - 6;
    return key < -0x7c01 ? -0x7c01 : (key > 0x7c00 ? 0x7c00 : key);
}

/* Sets made by random additions have the members of a bit map. Beyond the maximum number of ranges they may only
 * grow. */
static void unions_are_those_of_a_bit_map(void **state)
{
    (void)state;
    unsigned n_joined = 0, n_exact = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct rng rng = rng_seed(seed);
        struct map map, before;
        struct set s, other;
        memset(&map, 0, sizeof(map));
        set_clear(&s, FMT_F16);
        assert_true(set_is_empty(&s));
        unsigned const n_steps = 1 + (unsigned)rng_below(&rng, 7);
        for (unsigned step = 0; step < n_steps; step++) {
            int64_t const lo = draw_key(&rng);
            int64_t const hi = lo + (int64_t)rng_below(&rng, 4);
            int64_t const last = hi > 0x7c00 ? 0x7c00 : hi;
            uint64_t const nan = rng_below(&rng, 20) == 0 ? 0x7c01 + rng_below(&rng, 1023) : 0;
            if (rng_below(&rng, 2)) {
                set_add_range(&s, lo, last);
            } else {
                set_of(&other, FMT_F16, enc_at(lo));
                for (int64_t k = lo + 1; k <= last; k++) {
                    set_add(&other, enc_at(k));
                }
                set_add_set(&s, &other);
            }
            for (int64_t k = lo; k <= last; k++) {
                map_add(&map, enc_at(k));
            }
            if (nan) {
                set_add(&s, nan);
                map_add(&map, (unsigned)nan);
            }
        }
        expect_well_formed(&s);
        expect_same(&s, &map);
        n_exact++;
        /* Past eight ranges the set may grow, never shrink. */
        before = map;
        for (unsigned step = 0; step < 20; step++) {
            int64_t const k = (int64_t)rng_below(&rng, 0x7c00);
            set_add(&s, enc_at(k));
            map_add(&before, enc_at(k));
            expect_well_formed(&s);
        }
        for (unsigned i = 0; i < N_ENC; i++) {
            assert_true(!before.has[i] || set_has(&s, i));
        }
        n_joined += set_count(&s) > map_count(&before);
    }
    assert_true(n_exact == 400 && n_joined > 100);
}

static void the_nearest_two_are_joined(void **state)
{
    (void)state;
    struct set s;
    set_clear(&s, FMT_F32);
    for (int i = 0; i < SET_MAX_RANGES; i++) {
        set_add_range(&s, i * 100, i * 100);
    }
    set_add_range(&s, 310, 311); /* 9 keys after 300, 88 before 400 */
    assert_int_equal(s.n, SET_MAX_RANGES);
    assert_int_equal(s.r[3].lo, 300);
    assert_int_equal(s.r[3].hi, 311);
    assert_int_equal(set_count(&s), 7 + 12);
}

/* set_nth enumerates each member once, NaNs last. */
static void nth_lists_each_member_once(void **state)
{
    (void)state;
    struct set s;
    struct map seen;
    memset(&seen, 0, sizeof(seen));
    set_clear(&s, FMT_F16);
    set_add_range(&s, -3, 2);
    set_add(&s, 0x7c00);
    set_add(&s, 0x7e00);
    assert_int_equal(set_count(&s), 8);
    for (uint64_t i = 0; i < 7; i++) {
        uint64_t const enc = set_nth(&s, i);
        assert_true(enc < N_ENC && !seen.has[enc] && set_has(&s, enc) && !is_nan((unsigned)enc));
        seen.has[enc] = 1;
    }
    assert_int_equal(set_nth(&s, 0), 0x8002);
    assert_int_equal(set_nth(&s, 6), 0x7c00);
    assert_true(format_classify(&float_formats[FMT_F16], set_nth(&s, 7)) == FP_CLASS_QNAN);
    set_of(&s, FMT_F16, 0x7c01);
    assert_true(set_has(&s, 0xfdff) && !set_has(&s, 0x7e00));
    assert_true(format_classify(&float_formats[FMT_F16], set_nth(&s, 0)) == FP_CLASS_SNAN);
    set_add(&s, 0x7e00); /* both classes: in turn */
    assert_true(format_classify(&float_formats[FMT_F16], set_nth(&s, 0)) == FP_CLASS_QNAN);
    assert_true(format_classify(&float_formats[FMT_F16], set_nth(&s, 1)) == FP_CLASS_SNAN);
}

static void anything_swallows_all(void **state)
{
    (void)state;
    struct set s, one;
    set_any(&s, FMT_F64);
    set_add(&s, 1);
    set_add_range(&s, -5, 5);
    set_of(&one, FMT_F64, 0);
    set_add_set(&s, &one);
    assert_true(set_count(&s) == UINT64_MAX && !set_is_empty(&s));
    assert_true(set_has(&s, 0x7ff0000000000001) && set_has(&s, 42));
    set_add_set(&one, &s);
    assert_true((one.flags & SET_ANY) != 0);
    set_any(&s, FMT_F16);
    assert_true(set_nth(&s, 0x123456) < N_ENC);
}

/* The text of a set lists single members, ranges and NaNs, and fits even for the longest set. */
static void text_names_what_is_in_it(void **state)
{
    (void)state;
    struct arena a;
    struct set s;
    arena_init(&a, 1 << 20);
    set_clear(&s, FMT_F32);
    assert_string_equal(set_to_text(&s, &a), "nothing");
    set_add(&s, 0x3f800000);
    assert_string_equal(set_to_text(&s, &a), "{0x3f800000 (1)}");
    set_add(&s, 0x3f800001);
    assert_string_equal(set_to_text(&s, &a), "{0x3f800000 (1), 0x3f800001 (1.00000012)}");
    set_add(&s, 0x7fc12345);
    assert_string_equal(set_to_text(&s, &a), "{0x3f800000 (1), 0x3f800001 (1.00000012)} or qNaN");
    set_clear(&s, FMT_F16);
    set_add_range(&s, 0x3c00, 0x4000);
    assert_string_equal(set_to_text(&s, &a), "[0x3c00 (1) .. 0x4000 (2)]");
    set_add(&s, 0x7e00);
    set_add(&s, 0x7d00);
    assert_string_equal(set_to_text(&s, &a), "[0x3c00 (1) .. 0x4000 (2)] or any NaN");
    set_add(&s, 0x8000);
    assert_string_equal(set_to_text(&s, &a),
                        "{0x8000 (-0), [0x3c00 (1) .. 0x4000 (2)]} or any NaN");
    set_of(&s, FMT_F16, 0x7e00);
    assert_string_equal(set_to_text(&s, &a), "qNaN");
    set_any(&s, FMT_F16);
    assert_string_equal(set_to_text(&s, &a), "anything");
    set_clear(&s, FMT_F64); /* the longest there is must fit */
    for (int64_t i = 1; i <= SET_MAX_RANGES; i++) {
        set_add_range(&s, -i * 0x0010000000100000 - 3, -i * 0x0010000000100000);
    }
    set_add(&s, 0x7ff8000000000000);
    const char *const text = set_to_text(&s, &a);
    assert_string_equal(text + strlen(text) - strlen("} or qNaN"), "} or qNaN");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unions_are_those_of_a_bit_map),
        cmocka_unit_test(the_nearest_two_are_joined),
        cmocka_unit_test(nth_lists_each_member_once),
        cmocka_unit_test(anything_swallows_all),
        cmocka_unit_test(text_names_what_is_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
