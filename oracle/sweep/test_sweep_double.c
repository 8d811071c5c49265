/* oracle/sweep/test_sweep_double.c -- f64: what pairs of doubles decide, and one evaluation for all forms, is
 * what MPFR says of each by itself. HALFULP_SLOW=1: 10^6 inputs of each function in pairs. */
#include <stdio.h>
#include <stdlib.h>

#include "oracle/sweep/sweep_double.h"
#include "oracle/sweep/test_sweep_ref.h"
#include "tests/rig/sweep_slow.h"

enum {
    N_FAST = 1500,
    N_SLOW = 1000000,
    N_FEW = 60, /* of functions that MPFR alone evaluates */
    BLOCK = 4096
};

struct inputs {
    uint64_t x[BLOCK], y[BLOCK], got[N_FORMS][BLOCK];
};
static struct inputs in;

static const uint64_t specials[] = {
    0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x0010000000000001, 0x3fdfffffffffffff, 0x3fe0000000000000, 0x3fefffffffffffff,
    0x3ff0000000000000, 0x3ff0000000000001, 0x3ff8000000000000, 0x4000000000000000,
    0x4008000000000000, 0x400921fb54442d18, 0x4330000000000001, 0x4340000000000000,
    0x7fd0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
    0x7ff0000000000001, 0x3fd5555555555555};

static uint64_t draw(struct rng *rng)
{
    uint64_t const r = rng_next(rng), any = rng_next(rng);
    uint64_t const frac = ((uint64_t)1 << 52) - 1, sign = (uint64_t)1 << 63;
    uint64_t const moderate = (any & (sign | frac)) | (1023 - 6 + r % 12) << 52;
    switch (r >> 32 & 7) {
    case 0:
    case 1:
        return any;
    case 2:
        return specials[(r >> 40) % ARRAY_N(specials)] | (any & sign);
    case 3:
    case 4: /* few bits: sums and products half way between numbers */
        return moderate & ~(frac >> (r & 1 << 20 ? 5 : 26));
    }
    return moderate;
}

static uint64_t plant64(struct rng *rng, uint64_t right)
{
    uint64_t const r = rng_next(rng), some = rng_next(rng);
    uint64_t const sign = (uint64_t)1 << 63;
    switch (r % 16) {
    case 0:
        return right ^ sign;
    case 1:
        return some;
    case 2:
        return right & sign;
    case 3:
        return 0x7ff8000000000000 | (some & sign);
    case 4:
        return 0x7ff0000000000000 | (some & 1);
    case 5:
    case 6:
        return right + some % 17 - 8;
    }
    return right + (r % 16 < 11 ? some % 3 - 1 : 0);
}

static void draw_block(const struct sweep *s, struct rng *rng, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        in.x[i] = draw(rng);
        uint64_t const kind = rng_next(rng) % 8;
        in.y[i] = kind == 0 ? in.x[i] + 1 : kind == 1 ? in.x[i] : draw(rng);
        struct func_args const args = {
            .fmt = FMT_F64, .enc = {in.x[i], in.y[i]}
        };
        uint64_t const right = func_round(s->func, s->env, &args);
        for (uint32_t form = 0; form < N_FORMS; form++) {
            in.got[form][i] = form == 0 ? right : plant64(rng, right);
        }
    }
}

/* Judges random f64 results by pairs of doubles and by MPFR; all must agree. Returns how many correct results were
 * left to MPFR. */
static uint64_t compare_function(enum func_id func, enum env env, const struct fp_rules *rules,
                                 uint32_t n)
{
    static struct sweep fast, slow;
    struct rng rng = rng_seed(func + 1);
    slow = make_sweep(func, env, rules);
    slow.fmt = FMT_F64;
    fast = slow;
    for (uint32_t done = 0; done < n; done += BLOCK) {
        uint32_t const n_block = n - done < BLOCK ? n - done : BLOCK;
        const void *const y = func_rows[func].n_args > 1 ? in.y : NULL;
        const void *got[N_FORMS];
        draw_block(&slow, &rng, n_block);
        for (uint32_t form = 0; form < N_FORMS; form++) {
            got[form] = in.got[form];
        }
        sweep_block(&fast, in.x, y, got, n_block);
        if (n > N_FAST) {
            struct sweep_block const b = {in.x, y, got, n_block, NULL};
            sweep_block_once(&slow, &b);
        } else {
            sweep_block_slow(&slow, in.x, y, got, n_block);
        }
    }
    expect_same(&fast, &slow);
    return fast.result[0].n_slow;
}

static void compare_all(enum env env, const struct fp_rules *rules, uint32_t n)
{
    uint32_t n_functions = 0;
    for (int func = 0; func < FUNC_N; func++) {
        if (func_rows[func].has_int || func_rows[func].n_args > 2) {
            continue;
        }
        if (!sweep_double_has((enum func_id)func)) {
            (void)compare_function((enum func_id)func, env, rules, N_FEW);
            continue;
        }
        uint64_t const n_left = compare_function((enum func_id)func, env, rules, n);
        n_functions++;
        if (rules->rounding == ROUND_RNE && n_left > n / 4 * 3) { /* of negative roots half */
            fail_msg("%s: %d of %u by MPFR", func_rows[func].name, (int)n_left, n);
        }
    }
    assert_true(n_functions >= 29);
}

static void pairs_agree_with_mpfr(void **state)
{
    struct fp_rules const rules = {.rounding = ROUND_RNE};
    (void)state;
    compare_all(ENV_CL, &rules, getenv("HALFULP_SLOW") ? N_SLOW : N_FAST);
}

static void pairs_agree_under_other_rules(void **state)
{
    struct fp_rules const flush = {
        .rounding = ROUND_RNE, .flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};
    struct fp_rules const either = {.rounding = ROUND_EITHER, .zero_sign_free = 1};
    struct fp_rules const toward_zero = {.rounding = ROUND_RTZ, .flush_out = FLUSH_MUST};
    (void)state;
    compare_all(ENV_VK, &flush, N_FAST / 5);
    compare_all(ENV_VK, &either, N_FAST / 5);
    compare_all(ENV_CL, &toward_zero, N_FAST / 10);
}

/* The one that is next to half way between two numbers is told from its neighbours. */
static void near_midpoints_are_decided(void **state)
{
    static struct sweep s;
    uint64_t const x = 0x3ff0000000000001, y = 0x3ca0000000000001; /* 2^-53 and a little more */
    uint64_t const got[2] = {0x3ff0000000000002, 0x3ff0000000000001};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const void *const results[1] = {&got[k]};
        s = make_sweep(FUNC_FADD, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
        s.fmt = FMT_F64;
        s.n_forms = 1;
        s.form[0].bound.ulp = 0;
        sweep_block(&s, &x, &y, results, 1);
        assert_int_equal(s.result[0].n_rounded, k == 0);
        assert_int_equal(s.result[0].n_broken, k == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_agree_with_mpfr),
        cmocka_unit_test(pairs_agree_under_other_rules),
        cmocka_unit_test(near_midpoints_are_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
