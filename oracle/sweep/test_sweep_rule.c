/* oracle/sweep/test_sweep_rule.c -- a sweep's bounds that depend on the arguments or are inherited, and
 * functions of two and three arguments and of an integer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ops.h"
#include "oracle/sweep/sweep.h"
#include "tests/rig/sweep_slow.h"

static uint32_t f32_bits(float x)
{
    uint32_t enc;
    memcpy(&enc, &x, sizeof enc);
    return enc;
}

static struct accuracy get_rule(enum env env, const char *name, enum fmt_id fmt)
{
    struct accuracy_query q = {.env = env, .fmt = fmt, .full_profile = 1, .n_components = 1};
    for (int i = 0; i < OP_N; i++) {
        if (strcmp(op_rows[i].name, name) == 0) {
            q.op = op_rows[i].number;
        }
    }
    assert_int_not_equal(q.op, 0);
    return accuracy_get(&q);
}

/* One form, judged by the instruction's row. */
static struct sweep make_sweep(enum env env, const char *name, enum fmt_id fmt, int has_rule)
{
    struct accuracy const rule = get_rule(env, name, fmt);
    struct sweep s;
    memset(&s, 0, sizeof s);
    s.func = rule.func;
    s.env = env;
    s.fmt = fmt;
    s.rules = (struct fp_rules){.rounding = ROUND_RNE};
    s.n_forms = 1;
    s.form[0] = (struct sweep_form){
        .bound = rule.bound, .has_bound = 1, .has_rule = has_rule, .rule = rule};
    return s;
}

/* Outcome of one f32 result: 'k' kept, 'b' broken, 's' a special value that is wrong. */
static char judge_f32(struct sweep *s, const uint32_t *arg, uint32_t got)
{
    const void *const args[SWEEP_ARGS] = {&arg[0], &arg[1], &arg[2]};
    const void *const results[1] = {&got};
    memset(s->result, 0, sizeof s->result);
    sweep_block_many(s, args, results, 1);
    assert_int_equal(s->result[0].n, 1);
    assert_int_equal(s->result[0].n_undecided, 0);
    return s->result[0].n_broken ? 'b' : s->result[0].n_special ? 's' : 'k';
}

/* V env precision: exp is within 3 + 2 |x| ulp. exp(8) = 2980.95798704... */
static void a_formula_follows_the_argument(void **state)
{
    static struct sweep s;
    uint32_t const arg[SWEEP_ARGS] = {f32_bits(8.0F)};
    uint32_t const nearest = f32_bits(2980.95798704F);
    (void)state;
    s = make_sweep(ENV_VK, "Exp", FMT_F32, 1);
    for (uint32_t off = 0; off < 40; off++) {
        char const wanted = off <= 18 ? 'k' : 'b';
        if (off == 19) {
            continue; /* within half an ulp of the bound */
        }
        assert_int_equal(judge_f32(&s, arg, nearest + off), wanted);
        assert_int_equal(judge_f32(&s, arg, nearest - off), wanted);
    }
    /* exp(1/8) = 1.13314845...: as far off is outside */
    uint32_t const small[SWEEP_ARGS] = {f32_bits(0.125F)};
    assert_int_equal(judge_f32(&s, small, f32_bits(1.13314845F) + 2), 'k');
    assert_int_equal(judge_f32(&s, small, f32_bits(1.13314845F) + 8), 'b');
}

/* V env precision and operation: without SignedZeroInfNanPreserve an infinity may become anything, a number may not. */
static void infinities_are_free_without_the_mode(void **state)
{
    static struct sweep s;
    uint32_t const nan = 0x7fffffff;
    uint32_t const infinite[SWEEP_ARGS] = {0x7f800000, 0x7f000000};
    uint32_t const finite[SWEEP_ARGS] = {f32_bits(3.0F), f32_bits(2.0F)};
    (void)state;
    s = make_sweep(ENV_VK, "FDiv", FMT_F32, 1);
    assert_int_equal(judge_f32(&s, infinite, nan), 's');
    s.rules.zero_sign_free = 1;
    assert_int_equal(judge_f32(&s, infinite, nan), 'k');
    assert_int_equal(judge_f32(&s, finite, nan), 's');
}

/* In a run of neighbours the filter uses the least of their bounds, so that few results are left to the rule; the
 * outcome is that of MPFR. The last run contains the end of the logarithm's middle range. */
static void a_run_has_a_bound_of_its_own(void **state)
{
    enum {
        N = 512
    };
    static const struct {
        const char *name;
        float first;
        uint32_t spread, n_slow; /* results up to so many numbers off; judged by MPFR at most */
    } runs[] = {
        {"Exp",  8.0F,   38, N / 8},
        {"Exp",  -60.0F, 38, 0    },
        {"Exp2", 0.5F,   9,  N    },
        {"Log",  1.5F,   12, N / 8},
        {"Sin",  1.5F,   38, N / 8},
        {"Sin",  3.5F,   38, 0    }, /* anything */
        {"Log",  2.0F,   9,  N    },
    };
    static struct sweep fast, slow;
    static uint32_t x[N], got[N];
    const void *const results[1] = {got};
    struct rng rng = rng_seed(6);
    uint64_t n_broken = 0;
    (void)state;
    for (size_t k = 0; k < ARRAY_N(runs); k++) {
        fast = make_sweep(ENV_VK, runs[k].name, FMT_F32, 1);
        fast.form[0].bound.ulp = 3;
        uint32_t const first = f32_bits(runs[k].first) - (k + 1 == ARRAY_N(runs) ? N / 2 : 0);
        for (uint32_t i = 0; i < N; i++) {
            struct func_args const args = {.fmt = FMT_F32, .enc = {first + i}};
            x[i] = first + i;
            got[i] = (uint32_t)func_round(fast.func, ENV_VK, &args) + runs[k].spread / 2 -
                     (uint32_t)rng_below(&rng, runs[k].spread);
        }
        slow = fast;
        sweep_run(&fast, first, x, results, N);
        sweep_block_slow(&slow, x, NULL, results, N);
        assert_int_equal(fast.result[0].n_broken, slow.result[0].n_broken);
        assert_in_range(fast.result[0].n_slow, 0, runs[k].n_slow);
        assert_memory_equal(&fast.form, &slow.form, sizeof slow.form); /* given back */
        n_broken += slow.result[0].n_broken;
    }
    assert_in_range(n_broken, N / 8, 2 * N);
}

/* The filter stops at the least bound and leaves the rest to the rule: both give the same. */
static void the_filter_asks_the_rule(void **state)
{
    enum {
        N = 512
    };
    static struct sweep fast, slow;
    static uint32_t x[N], got[N];
    const void *const results[1] = {got};
    struct rng rng = rng_seed(5);
    (void)state;
    fast = make_sweep(ENV_VK, "Exp", FMT_F32, 1);
    fast.form[0].bound.ulp = 3;
    for (uint32_t i = 0; i < N; i++) {
        struct func_args args = {.fmt = FMT_F32};
        x[i] = f32_bits((float)i / 8 - 32);
        args.enc[0] = x[i];
        got[i] = (uint32_t)func_round(FUNC_EXP, ENV_VK, &args) + (uint32_t)rng_below(&rng, 90);
    }
    slow = fast;
    sweep_block(&fast, x, NULL, results, N);
    sweep_block_slow(&slow, x, NULL, results, N);
    assert_int_equal(fast.result[0].n_broken, slow.result[0].n_broken);
    assert_true(slow.result[0].n_broken > N / 8 && slow.result[0].n_broken < N - N / 8);
    assert_memory_equal(fast.result[0].broken[0].arg, slow.result[0].broken[0].arg,
                        sizeof slow.result[0].broken[0].arg);
}

/* V: sqrt is inherited from 1 / inversesqrt(x): 2 ulp and 2.5 ulp, not a hundred. */
static void an_inherited_bound_is_judged(void **state)
{
    static struct sweep s;
    uint32_t const arg[SWEEP_ARGS] = {f32_bits(3.0F)};
    uint32_t const nearest = f32_bits(1.7320508F);
    (void)state;
    s = make_sweep(ENV_VK, "Sqrt", FMT_F32, 1);
    assert_int_equal(judge_f32(&s, arg, nearest), 'k');
    assert_int_equal(judge_f32(&s, arg, nearest + 2), 'k');
    assert_int_equal(judge_f32(&s, arg, nearest + 100), 'b');
    assert_int_equal(judge_f32(&s, arg, nearest - 100), 'b');
}

/* CC half_ functions may flush, where the device keeps subnormals for all others. */
static void half_functions_may_flush(void **state)
{
    static struct sweep s;
    uint32_t const arg[SWEEP_ARGS] = {0x00000010};
    (void)state;
    s = make_sweep(ENV_CL, "half_sqrt", FMT_F32, 1);
    assert_int_equal(judge_f32(&s, arg, 0), 'k');
    s = make_sweep(ENV_CL, "sqrt", FMT_F32, 0);
    assert_int_not_equal(judge_f32(&s, arg, 0), 'k');
}

/* CC: fmax_common is undefined for NaN, fmax is not. */
static void the_common_maximum_is_undefined_for_nan(void **state)
{
    static struct sweep s;
    uint32_t const nan_first[SWEEP_ARGS] = {0x7fc00000, f32_bits(2.0F)};
    uint32_t const numbers[SWEEP_ARGS] = {f32_bits(1.0F), f32_bits(2.0F)};
    (void)state;
    s = make_sweep(ENV_CL, "fmax_common", FMT_F32, 1);
    assert_int_equal(judge_f32(&s, nan_first, f32_bits(7.0F)), 'k');
    assert_int_equal(judge_f32(&s, numbers, f32_bits(2.0F)), 'k');
    assert_int_equal(judge_f32(&s, numbers, f32_bits(1.0F)), 'b');
    s = make_sweep(ENV_CL, "fmax", FMT_F32, 0);
    assert_int_equal(judge_f32(&s, nan_first, f32_bits(2.0F)), 'k');
    assert_int_not_equal(judge_f32(&s, nan_first, f32_bits(7.0F)), 'k');
}

/* The third argument counts, and is kept with what is wrong. */
static void three_arguments_are_judged(void **state)
{
    static struct sweep s;
    /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, a tie; the least number moves it up */
    uint32_t const up[SWEEP_ARGS] = {0x3f800800, 0x3f800800, 0x00000001};
    uint32_t const down[SWEEP_ARGS] = {0x3f800800, 0x3f800800, 0x80000001};
    (void)state;
    s = make_sweep(ENV_CL, "fma", FMT_F32, 0);
    assert_int_equal(judge_f32(&s, up, 0x3f801001), 'k');
    assert_int_equal(judge_f32(&s, down, 0x3f801000), 'k');
    assert_int_equal(judge_f32(&s, up, 0x3f801000), 'b');
    assert_int_equal(s.result[0].broken[0].arg[2], 0x00000001);
    assert_int_equal(judge_f32(&s, down, 0x3f801001), 'b');
    assert_int_equal(s.result[0].broken[0].arg[2], 0x80000001);
}

/* The integer is the low bits of its buffer, with sign, and is kept as 32 bits. */
static void an_integer_argument_is_read(void **state)
{
    static struct sweep s;
    uint32_t const minus_two[SWEEP_ARGS] = {f32_bits(4.0F), UINT32_C(0xfffffffe)};
    uint16_t const x = 0x4400, n = 0xfffe, right = 0x2c00, wrong = 0x4c00; /* 4, -2, 1/16, 16 */
    const void *const args[SWEEP_ARGS] = {&x, &n};
    (void)state;
    s = make_sweep(ENV_CL, "pown", FMT_F32, 0);
    assert_int_equal(judge_f32(&s, minus_two, f32_bits(0.0625F)), 'k');
    assert_int_equal(judge_f32(&s, minus_two, f32_bits(16.0F)), 'b');
    s = make_sweep(ENV_CL, "pown", FMT_F16, 0);
    sweep_block_many(&s, args, (const void *const[]){&right}, 1);
    assert_int_equal(s.result[0].n_broken, 0);
    sweep_block_many(&s, args, (const void *const[]){&wrong}, 1);
    assert_int_equal(s.result[0].n_broken, 1);
    assert_int_equal(s.result[0].broken[0].arg[1], UINT32_C(0xfffffffe));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_formula_follows_the_argument),
        cmocka_unit_test(infinities_are_free_without_the_mode),
        cmocka_unit_test(the_filter_asks_the_rule),
        cmocka_unit_test(a_run_has_a_bound_of_its_own),
        cmocka_unit_test(an_inherited_bound_is_judged),
        cmocka_unit_test(half_functions_may_flush),
        cmocka_unit_test(the_common_maximum_is_undefined_for_nan),
        cmocka_unit_test(three_arguments_are_judged),
        cmocka_unit_test(an_integer_argument_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
