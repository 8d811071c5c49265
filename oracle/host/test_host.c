/* oracle/host/test_host.c -- the simulator's host arithmetic, where rounding and flushing are close calls. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ops.h"
#include "base/spv.h"
#include "oracle/host/host.h"
#include "oracle/host/host_func.h"
#include "oracle/host/host_math.h"
#include "oracle/num/arith.h"
#include "oracle/num/mp.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

static const struct host_modes keeps = {
    .flush = {0, 0, 0}
};
static const struct host_modes flushes = {
    .flush = {1, 1, 1}
};

/* The smallest normal number less half a subnormal rounds to it but is below it: flushing depends on the value
 * before rounding. */
static void results_flush_before_they_are_rounded(void **state)
{
    (void)state;
    COVERS(DENORM_FLUSH);
    for (int fmt = FMT_F16; fmt < FMT_N; fmt++) {
        struct float_format const *f = &float_formats[fmt];
        unsigned const shift = f->prec_bits - 1;
        uint64_t const smallest = f->frac + 1, one = (uint64_t)f->emax << shift;
        uint64_t const below_one = one - 1, half = one - smallest, two = one + smallest;
        assert_int_equal(host_arithmetic(&keeps, SpvOpFMul, (enum fmt_id)fmt, below_one, smallest),
                         smallest);
        assert_int_equal(
            host_arithmetic(&flushes, SpvOpFMul, (enum fmt_id)fmt, below_one, smallest), 0);
        assert_int_equal(
            host_arithmetic(&flushes, SpvOpFMul, (enum fmt_id)fmt, below_one | f->sign, smallest),
            f->sign);
        assert_int_equal(host_arithmetic(&flushes, SpvOpFMul, (enum fmt_id)fmt, one, smallest),
                         smallest);
        assert_int_equal(host_arithmetic(&flushes, SpvOpFDiv, (enum fmt_id)fmt, smallest, two), 0);
        assert_int_equal(host_arithmetic(&keeps, SpvOpFDiv, (enum fmt_id)fmt, smallest, two),
                         smallest / 2);
        assert_int_equal(host_arithmetic(&flushes, SpvOpFDiv, (enum fmt_id)fmt, smallest, half),
                         2 * smallest);
        assert_int_equal(
            host_arithmetic(&flushes, SpvOpFSub, (enum fmt_id)fmt, smallest + 1, smallest), 0);
    }
}

/* Whatever the host makes of small operands is permitted where results must be flushed. */
static void small_results_are_permitted(void **state)
{
    static const uint32_t ops[] = {SpvOpFAdd, SpvOpFSub, SpvOpFMul, SpvOpFDiv};
    static const enum arith_op names[] = {ARITH_ADD, ARITH_SUB, ARITH_MUL, ARITH_DIV};
    static const struct fp_rules must = {
        .rounding = ROUND_RNE, .flush_in = FLUSH_MAY, .flush_out = FLUSH_MUST};
    (void)state;
    COVERS(DENORM_FLUSH);
    struct rng rng = rng_seed(7);
    size_t n_zero = 0;
    for (int i = 0; i < 300000; i++) {
        enum fmt_id const fmt = (enum fmt_id)(i % FMT_N);
        struct float_format const *f = &float_formats[fmt];
        unsigned const k = (unsigned)i / FMT_N % ARRAY_N(ops);
        uint64_t const bits[] = {rng_next(&rng), rng_next(&rng)}, bias = (uint64_t)f->emax;
        uint64_t const about[ARRAY_N(ops)][2] = {
            {0,        0              },
            {0,        0              },
            {bias / 2, bias - bias / 2}, /* the product about 2^emin */
            {0,        bias - 1       }
        };
        uint64_t args[2];
        for (int m = 0; m < 2; m++) {
            uint64_t const field = about[k][m] + bits[m] % 4;
            args[m] = field << (f->prec_bits - 1) | (bits[m] >> 8 & f->frac) |
                      (bits[m] >> 63 ? f->sign : 0);
        }
        struct set x, y, out;
        set_of(&x, fmt, args[0]);
        set_of(&y, fmt, args[1]);
        const struct set *sets[] = {&x, &y};
        set_clear(&out, fmt);
        arith_apply(names[k], sets, &must, 0, &out);
        uint64_t const got = host_arithmetic(&flushes, ops[k], fmt, args[0], args[1]);
        assert_true(set_has(&out, got));
        n_zero += format_is_zero(f, got) ? 1 : 0;
    }
    assert_true(n_zero > 20000);
}

/* atan2(3 2^-130, 2^20) is less than 3/2 2^-149 by a part in 2^300: no quad holds that, and the even
 * neighbour is the wrong one. */
static void ties_that_are_none(void **state)
{
    (void)state;
    COVERS(MAX_ERROR_UNSATISFIABLE);
    uint32_t const atan2_op = OP_NUMBER(OP_SET_opencl_std, 7);
    uint32_t const sin_op = OP_NUMBER(OP_SET_opencl_std, 57);
    uint32_t const sinh_op = OP_NUMBER(OP_SET_opencl_std, 59);
    quad const y = 3 * (quad)0x1p-130, x = (quad)0x1p20;
    quad v = 0;
    assert_int_equal(host_function(atan2_op, y, x, &v), 1);
    assert_int_equal(host_narrow(&keeps, FMT_F32, v), 2);
    assert_int_equal(host_narrow_function(&keeps, atan2_op, FMT_F32, y, x, v), 1);
    assert_int_equal(host_function(atan2_op, -y, x, &v), 1);
    assert_int_equal(host_narrow_function(&keeps, atan2_op, FMT_F32, -y, x, v), 0x80000001);
    /* a binary64 of 2^-60: its sine is below, its hyperbolic sine above, by less than a quad holds;
     * toward zero that decides */
    static const struct host_modes cuts = {
        .toward_zero = {1, 1, 1}
    };
    uint64_t const small = (UINT64_C(1023) - 60) << 52;
    quad const tiny = host_widen(FMT_F64, small);
    assert_int_equal(host_function(sin_op, tiny, 0, &v), 1);
    assert_int_equal(host_narrow(&cuts, FMT_F64, v), small);
    assert_int_equal(host_narrow_function(&cuts, sin_op, FMT_F64, tiny, 0, v), small - 1);
    assert_int_equal(host_narrow_function(&keeps, sin_op, FMT_F64, tiny, 0, v), small);
    assert_int_equal(host_function(sinh_op, tiny, 0, &v), 1);
    assert_int_equal(host_narrow_function(&cuts, sinh_op, FMT_F64, tiny, 0, v), small);
    /* what is no number stays */
    assert_int_equal(host_narrow_function(&keeps, sin_op, FMT_F64, 0, 0, 0), 0);
    quad const inf = 1 / (quad)0.0;
    assert_int_equal(host_narrow_function(&keeps, sinh_op, FMT_F32, inf, 0, inf), 0x7f800000);
}

/* Terms of one to three bits each, far apart, with what cancels between: against MPFR, which has room
 * for all of them. */
static void sums_are_rounded_once(void **state)
{
    enum {
        N_SUMS = 20000,
        MAX_TERMS = 8,
        EXACT_BITS = 4096
    };
    (void)state;
    COVERS(MAX_ERROR);
    struct rng rng = rng_seed(20261121);
    struct mp_num exact, part;
    mp_init(&exact, EXACT_BITS);
    mp_init(&part, EXACT_BITS);
    uint32_t n_cancelled = 0;
    for (int i = 0; i < N_SUMS; i++) {
        quad terms[MAX_TERMS] = {0};
        uint32_t const n = 2 + (uint32_t)rng_below(&rng, MAX_TERMS - 1);
        mpfr_set_zero(exact.v, 1);
        for (uint32_t k = 0; k < n; k++) {
            double const t =
                rng_below(&rng, 3) == 0 && k > 0
                    ? -(double)terms[rng_below(&rng, k)]
                    : ldexp((double)rng_below(&rng, 8) - 3.5, (int)rng_below(&rng, 400) - 200);
            terms[k] = (quad)t;
            (void)mpfr_set_d(part.v, t, MPFR_RNDN);
            (void)mpfr_add(exact.v, exact.v, part.v, MPFR_RNDN);
        }
        double const got =
            host_decode(FMT_F64, host_narrow(&keeps, FMT_F64, host_sum_to_odd(terms, n)));
        double const want = mpfr_get_d(exact.v, MPFR_RNDN);
        assert_true(got <= want && got >= want);
        n_cancelled += mpfr_zero_p(exact.v) ? 1 : 0;
    }
    assert_true(n_cancelled > N_SUMS / 200);
    /* x + (y - x) a of x = 2^-149, y = 2, a = 2^-126 + 2^-149: below a tie by 2^-275 */
    quad const x = (quad)0x1p-149, a = (quad)0x1p-126 + x;
    quad const mix[] = {x, 2 * a, -x * a};
    assert_int_equal(host_narrow(&keeps, FMT_F32, host_sum_to_odd(mix, 3)), 0x01000001);
    assert_int_equal(host_narrow(&keeps, FMT_F32, x + 2 * a), 0x01000002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_flush_before_they_are_rounded),
        cmocka_unit_test(small_results_are_permitted),
        cmocka_unit_test(ties_that_are_none),
        cmocka_unit_test(sums_are_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
