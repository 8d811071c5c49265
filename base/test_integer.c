/* base/test_integer.c -- integer.def against arithmetic of 128 bits and words worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/integer.h"
#include "base/ops.h"

__extension__ typedef __int128 wide;

static const unsigned widths[] = {8, 16, 32, 64};

static uint64_t mask_of(unsigned n)
{
    return n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static wide as_signed(uint64_t v, unsigned n)
{
    wide const whole = (wide)1 << n;
    return (wide)v >= whole / 2 ? (wide)v - whole : (wide)v;
}

static wide clamp(wide v, wide lo, wide hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Quotient toward minus infinity. */
static wide floor_div(wide x, wide y)
{
    wide const q = x / y;
    return x % y != 0 && (x < 0) != (y < 0) ? q - 1 : q;
}

/* By the text of the specifications, on whole numbers. false: it is none of these. */
static bool find_want(uint32_t op, unsigned n, const uint64_t *u, wide *want)
{
    wide const one = (wide)1 << n, hi = one / 2 - 1, lo = -one / 2;
    wide const a = (wide)u[0], b = (wide)u[1], c = (wide)u[2];
    wide const sa = as_signed(u[0], n), sb = as_signed(u[1], n), sc = as_signed(u[2], n);
    switch (op) {
    case OP_NUMBER(OP_SET_core, 135):
        *want = sa / sb;
        return true;
    case OP_NUMBER(OP_SET_core, 138):
        *want = sa - sb * (sa / sb);
        return true;
    case OP_NUMBER(OP_SET_core, 139):
        *want = sa - sb * floor_div(sa, sb);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 141):
        *want = sa < 0 ? -sa : sa;
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 142):
        *want = sa < sb ? sb - sa : sa - sb;
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 143):
        *want = clamp(sa + sb, lo, hi);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 144):
        *want = clamp(a + b, 0, one - 1);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 145):
        *want = floor_div(sa + sb, 2);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 146):
        *want = (a + b) / 2;
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 147):
        *want = floor_div(sa + sb + 1, 2);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 148):
        *want = (a + b + 1) / 2;
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 153):
        *want = floor_div(sa * sb, one) + sc;
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 155):
        *want = clamp(sa * sb + sc, lo, hi);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 154): /* 64 bits: the product may not fit 127 bits */
        *want =
            n == 64 && a > 1 && b > ((wide)1 << 126) / a ? one - 1 : clamp(a * b + c, 0, one - 1);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 160):
        *want = floor_div(sa * sb, one);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 162):
        *want = clamp(sa - sb, lo, hi);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 163):
        *want = clamp(a - b, 0, one - 1);
        return true;
    case OP_NUMBER(OP_SET_opencl_std, 202):
        *want = a < b ? b - a : a - b;
        return true;
    default:
        return false;
    }
}

/* Ends of the ranges, their neighbours, and others. */
static uint64_t pick(struct rng *r, unsigned n)
{
    static const uint64_t special[] = {0, 1, 2, 3, UINT64_MAX, UINT64_MAX - 1};
    uint64_t const top = UINT64_C(1) << (n - 1);
    switch (rng_below(r, 4)) {
    case 0:
        return special[rng_below(r, ARRAY_N(special))] & mask_of(n);
    case 1:
        return (top + rng_below(r, 3) - 1) & mask_of(n);
    case 2:
        return rng_next(r) >> rng_below(r, 64) & mask_of(n);
    default:
        return rng_next(r) & mask_of(n);
    }
}

static void arithmetic_is_that_of_whole_numbers(void **state)
{
    (void)state;
    struct rng r = rng_seed(1);
    size_t n_checked[ARRAY_N(widths)] = {0}, n_undefined = 0;
    for (uint32_t i = 0; i < 400000; i++) {
        size_t const w = i % ARRAY_N(widths);
        unsigned const n = widths[w];
        uint64_t const arg[INTEGER_MAX_ARGS] = {pick(&r, n), pick(&r, n), pick(&r, n)};
        uint64_t out[2];
        wide want;
        uint32_t const op = rng_below(&r, 5) == 0
                                ? (uint32_t)(135 + rng_below(&r, 5))
                                : OP_NUMBER(OP_SET_opencl_std, 141 + rng_below(&r, 62));
        enum integer_answer const answer =
            integer_has(op) ? integer_apply(op, n, n, arg, out) : INTEGER_UNKNOWN;
        n_undefined += answer == INTEGER_UNDEFINED;
        if (answer != INTEGER_GIVES || !find_want(op, n, arg, &want)) {
            continue;
        }
        if (out[0] != ((uint64_t)want & mask_of(n))) {
            fail_msg("0x%x of %u bits on 0x%llx 0x%llx 0x%llx: 0x%llx", op, n,
                     (unsigned long long)arg[0], (unsigned long long)arg[1],
                     (unsigned long long)arg[2], (unsigned long long)out[0]);
        }
        n_checked[w]++;
    }
    for (size_t w = 0; w < ARRAY_N(widths); w++) {
        assert_true(n_checked[w] > 10000);
    }
    assert_true(n_undefined > 100);
}

static void halves_of_products(void **state)
{
    (void)state;
    struct rng r = rng_seed(2);
    for (uint32_t i = 0; i < 40000; i++) {
        unsigned const n = widths[i % ARRAY_N(widths)];
        uint64_t const arg[INTEGER_MAX_ARGS] = {pick(&r, n), pick(&r, n)};
        uint64_t out[2];
        wide const whole = as_signed(arg[0], n) * as_signed(arg[1], n);
        assert_int_equal(integer_apply(152, n, n, arg, out), INTEGER_GIVES);
        assert_true(out[0] == ((uint64_t)whole & mask_of(n)));
        assert_true(out[1] == ((uint64_t)(whole >> n) & mask_of(n)));
        assert_int_equal(integer_apply(149, n, n, arg, out), INTEGER_GIVES);
        assert_true(out[1] == (uint64_t)(((wide)arg[0] + (wide)arg[1]) >> n));
        assert_int_equal(integer_apply(150, n, n, arg, out), INTEGER_GIVES);
        assert_true(out[1] == (arg[0] < arg[1] ? 1 : 0));
        assert_true(integer_gives_pair(151));
    }
}

/* The result of op on words of n_bits, which is `want` of out_bits. */
static void expect(uint32_t op, unsigned n_bits, unsigned out_bits, uint64_t want, uint64_t a,
                   uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t const arg[INTEGER_MAX_ARGS] = {a, b, c, d};
    uint64_t out[2];
    assert_int_equal(integer_apply(op, n_bits, out_bits, arg, out), INTEGER_GIVES);
    if (out[0] != want) {
        fail_msg("0x%x: 0x%llx", op, (unsigned long long)out[0]);
    }
}

/* Worked by hand. */
static void words_by_hand(void **state)
{
    (void)state;
    expect(113, 16, 8, 0x34, 0x1234, 0, 0, 0);
    expect(114, 8, 32, 0xffffff80, 0x80, 0, 0, 0);
    expect(194, 32, 32, 1, 0x80000000, 31, 0, 0);
    expect(195, 32, 32, 0xffffffff, 0x80000000, 31, 0, 0);
    expect(196, 16, 16, 2, 0x8001, 1, 0, 0);
    expect(201, 32, 32, 0xffffff5f, 0xffffffff, 0x5, 4, 4);
    expect(201, 32, 32, 0x12345678, 0x12345678, 0xab, 7, 0);
    expect(202, 32, 32, 0xffffffff, 0x00000f00, 8, 4, 0);
    expect(202, 32, 32, 0x80000000, 0x80000000, 0, 32, 0);
    expect(203, 32, 32, 0xf, 0x00000f00, 8, 4, 0);
    expect(203, 32, 32, 0, 0xffffffff, 32, 0, 0);
    expect(204, 32, 32, 0x80000001, 0x80000001, 0, 0, 0);
    expect(204, 8, 8, 0x68, 0x16, 0, 0, 0);
    expect(205, 64, 64, 64, UINT64_MAX, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 151), 16, 16, 7, 0x0100, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 151), 8, 8, 8, 0, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 152), 64, 64, 64, 0, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 152), 32, 32, 4, 0x30, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 161), 8, 8, 0x03, 0x81, 9, 0, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 161), 32, 32, 0xc0000000, 0x80000001, 0xffffffff, 0, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 165), 8, 16, 0xff01, 0xff, 0x01, 0, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 164), 32, 64, 0x123456789abcdef0, 0x12345678, 0x9abcdef0, 0,
           0);
    expect(OP_NUMBER(OP_SET_opencl_std, 167), 32, 32, 0xff000001, 0xff800000, 2, 1, 0);
    expect(OP_NUMBER(OP_SET_opencl_std, 203), 64, 64, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX, 0, 0);
    expect(OP_NUMBER(OP_SET_glsl450, 7), 32, 32, 0xffffffff, 0x80000000, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_glsl450, 73), 32, 32, 0xffffffff, 0, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_glsl450, 74), 32, 32, 0, 0xfffffffe, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_glsl450, 74), 32, 32, 0xffffffff, 0xffffffff, 0, 0, 0);
    expect(OP_NUMBER(OP_SET_glsl450, 75), 32, 32, 31, 0x80000000, 0, 0, 0);
}

static void expect_none(uint32_t op, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t const arg[INTEGER_MAX_ARGS] = {a, b, c};
    uint64_t out[2];
    assert_int_equal(integer_apply(op, 32, 32, arg, out), INTEGER_UNDEFINED);
}

static void what_has_no_result(void **state)
{
    (void)state;
    expect_none(134, 1, 0, 0);
    expect_none(135, 0x80000000, 0xffffffff, 0);
    expect_none(139, 5, 0, 0);
    expect_none(194, 1, 32, 0);
    expect_none(203, 1, 30, 3);
    expect_none(OP_NUMBER(OP_SET_opencl_std, 149), 0, 1, 0);
    expect_none(OP_NUMBER(OP_SET_opencl_std, 170), 0x1000000, 1, 0);
    expect_none(OP_NUMBER(OP_SET_glsl450, 5), 0x80000000, 0, 0);
    uint64_t out[2];
    assert_int_equal(integer_apply(129, 32, 32, (uint64_t[INTEGER_MAX_ARGS]){1}, out),
                     INTEGER_UNKNOWN); /* FAdd */
    assert_false(integer_has(129));
}

/* All pairs of 8 bits, and the ends of 64. */
static void wraps_and_saturation_by_whole_numbers(void **state)
{
    enum {
        N = 8
    };
    (void)state;
    static const uint32_t ops[] = {128, 130, 132};
    for (uint64_t i = 0; i < 1 << 2 * N; i++) {
        uint64_t const arg[INTEGER_MAX_ARGS] = {i & 255, i >> N};
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            wide const a = is_signed ? as_signed(arg[0], N) : (wide)arg[0];
            wide const b = is_signed ? as_signed(arg[1], N) : (wide)arg[1];
            wide const lo = is_signed ? -128 : 0, hi = is_signed ? 127 : 255;
            wide const exact[] = {a + b, a - b, a * b};
            for (size_t k = 0; k < ARRAY_N(ops); k++) {
                bool const want = exact[k] < lo || exact[k] > hi;
                assert_int_equal(integer_wraps(ops[k], is_signed, N, arg), want);
            }
            for (int to_signed = 0; to_signed < 2; to_signed++) {
                wide const nearest = clamp(a, to_signed ? -8 : 0, to_signed ? 7 : 15);
                assert_int_equal(integer_saturate(arg[0], is_signed, N, to_signed, 4),
                                 (uint64_t)nearest & 15);
            }
        }
    }
    uint64_t const ends[INTEGER_MAX_ARGS] = {UINT64_MAX, 1},
                   squares[INTEGER_MAX_ARGS] = {UINT64_C(1) << 32, UINT64_C(1) << 31};
    assert_true(integer_wraps(128, false, 64, ends) && !integer_wraps(128, true, 64, ends));
    assert_true(integer_wraps(132, true, 64, squares) && !integer_wraps(132, false, 64, squares));
    assert_true(integer_saturate(UINT64_MAX, false, 64, true, 64) == UINT64_MAX >> 1);
    assert_true(integer_saturate(UINT64_MAX, true, 64, false, 64) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wraps_and_saturation_by_whole_numbers),
        cmocka_unit_test(arithmetic_is_that_of_whole_numbers),
        cmocka_unit_test(halves_of_products),
        cmocka_unit_test(words_by_hand),
        cmocka_unit_test(what_has_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
