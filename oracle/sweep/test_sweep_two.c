/* oracle/sweep/test_sweep_two.c -- functions of two arguments: the filter says what MPFR alone says, of right
 * and of planted wrong results. HALFULP_SLOW=1: 10^6 inputs of each function. */
#include <stdio.h>
#include <stdlib.h>

#include "oracle/sweep/evaluator_two.h"
#include "oracle/sweep/sweep_filter.h"
#include "oracle/sweep/test_sweep_ref.h"
#include "tests/rig/sweep_slow.h"

enum {
    N_FAST = 2000,
    N_SLOW = 1000000,
    BLOCK = 4096
};

struct inputs {
    uint32_t x[BLOCK], y[BLOCK], got[N_FORMS][BLOCK];
    uint16_t x16[BLOCK], y16[BLOCK], got16[N_FORMS][BLOCK];
};
static struct inputs in;

/* Zeros, subnormals, 1, 2, halves and thirds, what is large, infinities and NaN, of both signs. */
static const uint32_t specials[] = {
    0x00000000, 0x00000001, 0x00000002, 0x007fffff, 0x00800000, 0x00800001, 0x3effffff,
    0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40400000,
    0x40490fdb, 0x40800000, 0x42fe0000, 0x43000000, 0x4b000001, 0x4b800000, 0x4b800001,
    0x7e800000, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7f800001, 0x3eaaaaab};
static const uint32_t specials16[] = {0x0000, 0x0001, 0x0002, 0x03ff, 0x0400, 0x0401, 0x37ff,
                                      0x3800, 0x3bff, 0x3c00, 0x3c01, 0x3e00, 0x4000, 0x4200,
                                      0x4248, 0x4400, 0x4bc0, 0x4c00, 0x6401, 0x6800, 0x6801,
                                      0x7400, 0x7800, 0x7bff, 0x7c00, 0x7e00, 0x7c01, 0x3555};

/* Random, moderate, with few bits (sums and products then are half way between numbers), or special. */
static uint32_t draw(struct rng *rng, enum fmt_id fmt)
{
    struct float_format const *const f = &float_formats[fmt];
    uint64_t const r = rng_next(rng), kind = r % 16, any = r >> 8 & format_mask(f);
    uint64_t const e = (uint64_t)f->emax - 6 + (r >> 4) % 12;
    uint64_t const moderate = (any & (f->sign | f->frac)) | e << (f->prec_bits - 1);
    if (kind < 5) {
        return (uint32_t)any;
    }
    if (kind < 9) {
        return (uint32_t)moderate;
    }
    if (kind < 14) {
        return (uint32_t)(moderate & ~(f->frac >> (kind < 11 ? 4 : 9)));
    }
    size_t const i = (size_t)(r >> 40) % ARRAY_N(specials);
    uint64_t const special = fmt == FMT_F32 ? specials[i] : specials16[i];
    return (uint32_t)(special | (any & f->sign));
}

static void draw_pair(struct rng *rng, enum fmt_id fmt, uint32_t i)
{
    struct float_format const *const f = &float_formats[fmt];
    in.x[i] = draw(rng, fmt);
    in.y[i] = draw(rng, fmt);
    uint64_t const r = rng_next(rng);
    if (r % 16 == 0) { /* equal, or neighbours, or of the other sign */
        in.y[i] = (uint32_t)((in.x[i] + (r >> 8) % 3) & format_mask(f));
    } else if (r % 16 == 1) {
        in.y[i] = (uint32_t)(in.x[i] ^ f->sign);
    } else if (r % 16 == 2) { /* an exponent that is a small integer */
        static const uint32_t integers[2][4] = {
            {0x4000, 0x4200, 0xc400, 0x4500},
            {0,      0,      0,      0     }
        };
        in.y[i] =
            fmt == FMT_F16 ? integers[0][r >> 8 & 3] : f32_bits((float)((int)(r >> 8 & 15) - 8));
    }
}

/* As plant(), in f16. */
static uint16_t plant16(struct rng *rng, uint32_t right)
{
    uint64_t const r = rng_next(rng);
    switch (r % 16) {
    case 0:
        return (uint16_t)(right ^ 0x8000);
    case 1:
        return (uint16_t)(r >> 16);
    case 2:
        return (uint16_t)(right & 0x8000);
    case 3:
        return 0x7e00;
    default:
        return (uint16_t)(right + (r % 16 < 10 ? (r >> 16) % 3 - 1 : 0));
    }
}

static void fill_results(struct rng *rng, const struct sweep *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct func_args const args = {
            .fmt = s->fmt, .enc = {in.x[i], in.y[i]}
        };
        uint32_t const right = (uint32_t)func_round(s->func, s->env, &args);
        in.x16[i] = (uint16_t)in.x[i];
        in.y16[i] = (uint16_t)in.y[i];
        for (uint32_t form = 0; form < N_FORMS; form++) {
            in.got[form][i] = form == 0 ? right : plant(rng, right);
            in.got16[form][i] = form == 0 ? (uint16_t)right : plant16(rng, right);
        }
    }
}

static void compare_block(struct sweep *fast, struct sweep *slow, uint32_t n, int is_quick)
{
    int const is_half = slow->fmt == FMT_F16;
    const void *const x = is_half ? (const void *)in.x16 : in.x;
    const void *const y = is_half ? (const void *)in.y16 : in.y;
    const void *got[N_FORMS];
    for (uint32_t form = 0; form < N_FORMS; form++) {
        got[form] = is_half ? (const void *)in.got16[form] : in.got[form];
    }
    struct sweep_block const b = {x, y, got, n, NULL};
    for (int isa = 0; isa <= (int)evaluator_find_isa(); isa++) {
        sweep_filter(&fast[isa], &b, (enum evaluator_isa)isa,
                     evaluator_two_get_slack(slow->func, (enum evaluator_isa)isa));
    }
    if (is_quick) {
        sweep_block_once(slow, &b);
    } else {
        sweep_block_slow(slow, x, y, got, n);
    }
}

/* Share of right results that the filter left to MPFR. */
static double compare_function(enum func_id func, enum env env, enum fmt_id fmt,
                               const struct fp_rules *rules, uint32_t n)
{
    static struct sweep fast[EVALUATOR_ISA_N], slow;
    struct rng rng = rng_seed(100 + (uint64_t)func);
    slow = make_sweep(func, env, rules);
    slow.fmt = fmt;
    for (int isa = 0; isa < EVALUATOR_ISA_N; isa++) {
        fast[isa] = slow;
    }
    for (uint32_t done = 0; done < n; done += BLOCK) {
        uint32_t const n_block = n - done < BLOCK ? n - done : BLOCK;
        for (uint32_t i = 0; i < n_block; i++) {
            draw_pair(&rng, fmt, i);
        }
        fill_results(&rng, &slow, n_block);
        compare_block(fast, &slow, n_block, n > N_FAST);
    }
    for (int isa = 0; isa <= (int)evaluator_find_isa(); isa++) {
        expect_same(&fast[isa], &slow);
    }
    return (double)fast[evaluator_find_isa()].result[0].n_slow / n;
}

static void compare_all(enum env env, const struct fp_rules *rules, uint32_t n)
{
    uint32_t n_functions = 0;
    for (int func = 0; func < FUNC_N; func++) {
        if (func_rows[func].n_args != 2) {
            continue;
        }
        assert_true(evaluator_two_get_slack((enum func_id)func, evaluator_find_isa()) > 0);
        for (int fmt = FMT_F16; fmt <= FMT_F32; fmt++) {
            double const left =
                compare_function((enum func_id)func, env, (enum fmt_id)fmt, rules, n);
            /* of these inputs a third have a special operand; Vulkan leaves powers of x < 0 undefined */
            if (!(left < 0.6)) {
                fail_msg("%s: %.2f by MPFR", func_rows[func].name, left);
            }
            n_functions++;
        }
    }
    assert_true(n_functions >= 42);
}

static uint32_t get_n_inputs(void)
{
    return getenv("HALFULP_SLOW") ? N_SLOW : N_FAST;
}

static void two_arguments_agree_with_mpfr(void **state)
{
    struct fp_rules const rules = {.rounding = ROUND_RNE};
    (void)state;
    compare_all(ENV_CL, &rules, get_n_inputs());
}

static void two_arguments_agree_under_vulkan(void **state)
{
    struct fp_rules const rules = {.rounding = ROUND_EITHER, .flush_out = FLUSH_MAY};
    struct fp_rules const nearest = {.rounding = ROUND_RNE};
    (void)state;
    compare_all(ENV_VK, &rules, N_FAST / 4);
    compare_all(ENV_VK, &nearest, N_FAST / 4);
}

static void two_arguments_agree_where_subnormals_flush(void **state)
{
    struct fp_rules const may = {
        .rounding = ROUND_RNE, .flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};
    struct fp_rules const must = {.rounding = ROUND_RTZ, .flush_out = FLUSH_MUST};
    struct fp_rules const free_zeros = {.rounding = ROUND_RNE, .zero_sign_free = 1};
    (void)state;
    compare_all(ENV_CL, &may, N_FAST / 4);
    compare_all(ENV_CL, &must, N_FAST / 8);
    compare_all(ENV_CL, &free_zeros, N_FAST / 8);
}

/* The value is too small for a double, and the result is as far from 0 as the absolute bound: the error exceeds
 * the bound by a tiny amount. */
static void an_error_next_to_the_absolute_bound_is_decided(void **state)
{
    struct fp_rules const rules = {.rounding = ROUND_RNE};
    static struct sweep fast[EVALUATOR_ISA_N], slow;
    enum {
        ABSOLUTE = 3, /* the form of make_sweep with that bound */
        TINY = 0x9000 /* -2^-11 */
    };
    (void)state;
    slow = make_sweep(FUNC_POWR, ENV_CL, &rules);
    slow.fmt = FMT_F16;
    for (int isa = 0; isa < EVALUATOR_ISA_N; isa++) {
        fast[isa] = slow;
    }
    in.x16[0] = 0x7bff;
    in.y16[0] = 0xfbff;
    for (uint32_t form = 0; form < N_FORMS; form++) {
        in.got16[form][0] = form == ABSOLUTE ? TINY : 0;
    }
    compare_block(fast, &slow, 1, 1);
    assert_int_equal(slow.result[ABSOLUTE].n_broken, 1);
    for (int isa = 0; isa <= (int)evaluator_find_isa(); isa++) {
        assert_int_equal(fast[isa].result[ABSOLUTE].n_broken, 1);
    }
}

/* Every pair of special values, of either sign. Quotients of the largest subnormal number are so
 * often next to the edge of a bin that histograms are not compared. */
static void special_pairs_agree_with_mpfr(void **state)
{
    struct fp_rules const rules = {.rounding = ROUND_RNE};
    static struct sweep fast[EVALUATOR_ISA_N], slow;
    uint32_t const n_signed = 2 * ARRAY_N(specials);
    (void)state;
    for (int k = 0; k < FUNC_N * 2; k++) {
        enum func_id const func = (enum func_id)(k / 2);
        enum fmt_id const fmt = k % 2 ? FMT_F32 : FMT_F16;
        uint32_t const *const list = fmt == FMT_F32 ? specials : specials16;
        uint32_t const sign = (uint32_t)float_formats[fmt].sign;
        struct rng rng = rng_seed((uint64_t)k);
        if (func_rows[func].n_args != 2) {
            continue;
        }
        slow = make_sweep(func, ENV_CL, &rules);
        slow.fmt = fmt;
        for (int isa = 0; isa < EVALUATOR_ISA_N; isa++) {
            fast[isa] = slow;
        }
        for (uint32_t i = 0; i < n_signed * n_signed; i++) {
            uint32_t const x = i / n_signed, y = i % n_signed;
            in.x[i] = list[x / 2] | (x % 2 ? sign : 0);
            in.y[i] = list[y / 2] | (y % 2 ? sign : 0);
        }
        fill_results(&rng, &slow, n_signed * n_signed);
        compare_block(fast, &slow, n_signed * n_signed, 1);
        for (int isa = 0; isa <= (int)evaluator_find_isa(); isa++) {
            expect_same_counts(&fast[isa], &slow);
        }
    }
}

/* Sums and products half way between two numbers are decided without MPFR: the even neighbour is right, the odd
 * one broken. */
static void midpoints_are_decided(void **state)
{
    static const struct {
        enum func_id func;
        uint32_t x, y, even, odd;
    } rows[] = {
        {FUNC_FADD, 0x3f800001, 0x33800000, 0x3f800002, 0x3f800001},
        {FUNC_FADD, 0x3f800000, 0x33800000, 0x3f800000, 0x3f800001},
        {FUNC_FSUB, 0x3f800001, 0xb3800000, 0x3f800002, 0x3f800001},
        {FUNC_FMUL, 0x3f800003, 0x3fc00000, 0x3fc00004, 0x3fc00005},
        {FUNC_FDIM, 0x3f800001, 0xb3800000, 0x3f800002, 0x3f800001},
    };
    static struct sweep s;
    (void)state;
    for (size_t k = 0; k < ARRAY_N(rows); k++) {
        for (int is_odd = 0; is_odd < 2; is_odd++) {
            uint32_t const got = is_odd ? rows[k].odd : rows[k].even;
            const void *const results[1] = {&got};
            s = make_sweep(rows[k].func, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
            s.n_forms = 1;
            s.form[0].bound.ulp = 0;
            sweep_block(&s, &rows[k].x, &rows[k].y, results, 1);
            assert_int_equal(s.result[0].n_slow, is_odd);
            assert_int_equal(s.result[0].n_broken, is_odd);
            assert_int_equal(s.result[0].n_rounded, !is_odd);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_arguments_agree_with_mpfr),
        cmocka_unit_test(two_arguments_agree_under_vulkan),
        cmocka_unit_test(two_arguments_agree_where_subnormals_flush),
        cmocka_unit_test(an_error_next_to_the_absolute_bound_is_decided),
        cmocka_unit_test(special_pairs_agree_with_mpfr),
        cmocka_unit_test(midpoints_are_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
