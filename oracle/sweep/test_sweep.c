/* oracle/sweep/test_sweep.c -- the filter says what MPFR alone says, on every instruction set; planted wrong
 * results of every kind are found. HALFULP_SLOW=1: 10^6 inputs of each function; HALFULP_SHARD=I/N: of
 * every N-th alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "oracle/sweep/evaluator_kernel.h"
#include "oracle/sweep/sweep.h"
#include "oracle/sweep/sweep_filter.h"
#include "oracle/sweep/test_sweep_ref.h"
#include "tests/rig/sweep_slow.h"

enum {
    N_FAST = 3000, /* inputs per function */
    N_SLOW = 1000000,
    BLOCK = 4096
};
/* What a certificate of about 2^-51 gives. */
#define TEST_SLACK 0x1p-41

static uint32_t get_n_inputs(void)
{
    return getenv("HALFULP_SLOW") ? N_SLOW : N_FAST;
}

/* Inputs of every exponent, and those beside what is prescribed. */
static uint32_t draw_input(struct rng *rng)
{
    static const uint32_t edges[] = {0,          0x3f800000, 0x40000000, 0x7f800000, 0x00800000,
                                     0x3f000000, 0x40490fdb, 0x42b17218, 0x42cff1b5, 0x7fc00000,
                                     0x7f7fffff, 0x4b000000, 0x49800000, 0x3fb504f3, 0x41200000};
    uint64_t const r = rng_next(rng);
    uint32_t const sign = (uint32_t)(r >> 63) << 31;
    if (r % 8 == 0) {
        uint32_t const edge = edges[(r >> 8) % ARRAY_N(edges)];
        return (edge + (uint32_t)(r >> 32) % 9 - 4) ^ sign;
    }
    if (r % 8 < 4) {
        return ((112 + (uint32_t)(r >> 8) % 32) << 23 | ((uint32_t)(r >> 16) & 0x7fffff)) ^ sign;
    }
    return (uint32_t)(r >> 16);
}

struct inputs {
    uint32_t x[BLOCK], got[N_FORMS][BLOCK];
};

static void draw_block(struct inputs *in, enum func_id func, struct rng *rng, uint32_t n)
{
    static double x[BLOCK], y[BLOCK];
    for (uint32_t i = 0; i < n; i++) {
        in->x[i] = draw_input(rng);
        x[i] = (double)f32_of(in->x[i]);
    }
    evaluator_run(func, EVALUATOR_BASE, x, y, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t const right = f32_bits((float)y[i]);
        in->got[0][i] = right;
        for (uint32_t form = 1; form < N_FORMS; form++) {
            in->got[form][i] = plant(rng, right);
        }
    }
}

static struct inputs in;

/* Judges n random results by the filter on each instruction set and by MPFR alone; all statistics must agree.
 * Returns how many results the best filter left to MPFR. */
static uint64_t compare_function(enum func_id func, enum env env, const struct fp_rules *rules,
                                 uint32_t n)
{
    static struct sweep fast[EVALUATOR_ISA_N], slow, once;
    struct rng rng = rng_seed(func + 1);
    enum evaluator_isa const best = evaluator_find_isa();
    uint64_t n_slow = 0;
    slow = make_sweep(func, env, rules);
    once = slow;
    for (int isa = 0; isa < EVALUATOR_ISA_N; isa++) {
        fast[isa] = slow;
    }
    for (uint32_t done = 0; done < n; done += BLOCK) {
        uint32_t const n_block = n - done < BLOCK ? n - done : BLOCK;
        const void *got[N_FORMS];
        draw_block(&in, func, &rng, n_block);
        for (uint32_t form = 0; form < N_FORMS; form++) {
            got[form] = in.got[form];
        }
        struct sweep_block const b = {in.x, NULL, got, n_block, NULL};
        for (int isa = 0; isa <= (int)best; isa++) {
            sweep_filter(&fast[isa], &b, (enum evaluator_isa)isa, TEST_SLACK);
        }
        if (n > N_FAST) {
            sweep_block_once(&slow, &b);
        } else {
            sweep_block_slow(&slow, in.x, NULL, got, n_block);
            sweep_block_once(&once, &b);
        }
    }
    if (n <= N_FAST) {
        expect_same(&once, &slow);
    }
    for (int isa = 0; isa <= (int)best; isa++) {
        expect_same(&fast[isa], &slow);
    }
    for (uint32_t form = 0; form < N_FORMS; form++) {
        n_slow += fast[best].result[form].n_slow;
    }
    return n_slow;
}

static void compare_all(enum env env, const struct fp_rules *rules, uint32_t n)
{
    const char *text = getenv("HALFULP_SHARD");
    uint32_t n_functions = 0, shard = 0, n_shards = 1;
    if (text) {
        assert_int_equal(sscanf(text, "%u/%u", &shard, &n_shards), 2);
    }
    for (int func = 0; func < FUNC_N; func++) {
        if (func_rows[func].n_args == 1 && evaluator_has((enum func_id)func)) {
            if (n <= N_FAST || n_functions % n_shards == shard) {
                (void)compare_function((enum func_id)func, env, rules, n);
            }
            n_functions++;
        }
    }
    assert_true(n_functions >= 40);
}

static void filter_agrees_with_mpfr(void **state)
{
    struct fp_rules const rules = {.rounding = ROUND_RNE};
    (void)state;
    compare_all(ENV_CL, &rules, get_n_inputs());
}

static void filter_agrees_where_subnormals_flush(void **state)
{
    struct fp_rules const rules = {
        .rounding = ROUND_RNE, .flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};
    struct fp_rules const must = {
        .rounding = ROUND_RNE, .flush_in = FLUSH_MAY, .flush_out = FLUSH_MUST};
    (void)state;
    compare_all(ENV_CL, &rules, N_FAST / 4);
    compare_all(ENV_CL, &must, N_FAST / 4);
}

static void filter_agrees_under_other_roundings(void **state)
{
    struct fp_rules const either = {.rounding = ROUND_EITHER, .flush_out = FLUSH_MAY};
    struct fp_rules const toward_zero = {.rounding = ROUND_RTZ};
    (void)state;
    compare_all(ENV_VK, &either, N_FAST / 4);
    compare_all(ENV_CL, &toward_zero, N_FAST / 8);
}

/* --- f16: all there is --- */

/* Encoding of a double that is no NaN, rounded to nearest even. */
static uint16_t f16_bits(double x)
{
    double const a = fabs(x);
    int e = 0;
    (void)frexp(a, &e);
    double const ulp = ldexp(1, (e < -13 ? -13 : e) - 11);
    double const rounded = nearbyint(a / ulp) * ulp;
    unsigned const sign = signbit(x) ? 0x8000 : 0;
    if (rounded >= 65536) {
        return (uint16_t)(sign | 0x7c00);
    }
    if (rounded < 0x1p-14) {
        return (uint16_t)(sign | (unsigned)(rounded * 0x1p24));
    }
    (void)frexp(rounded, &e);
    return (uint16_t)(sign | (unsigned)((e + 14) << 10) |
                      (unsigned)(ldexp(rounded, 11 - e) - 1024));
}

static uint16_t f16_x[1 << 16], f16_got[1 << 16];

/* Results for f16 inputs, some of them wrong on purpose: the filter and MPFR alone must find the same. */
static void all_of_f16_agrees_with_mpfr(void **state)
{
    static const enum func_id funcs[] = {FUNC_EXP, FUNC_SIN, FUNC_LOG, FUNC_CBRT, FUNC_TANPI};
    static double x[1 << 16], y[1 << 16];
    static struct sweep fast, slow;
    struct rng rng = rng_seed(1);
    (void)state;
    for (size_t k = 0; k < ARRAY_N(funcs); k++) {
        uint32_t const n = getenv("HALFULP_SLOW") ? 1 << 16 : 1 << 13;
        uint32_t const step = (1u << 16) / n;
        const void *const got[1] = {f16_got};
        for (uint32_t i = 0; i < n; i++) {
            unsigned const enc = i * step + (step > 1 ? i % step : 0);
            double const m = ldexp((double)((enc & 0x3ff) | (enc & 0x7c00 ? 0x400 : 0)),
                                   (int)(enc & 0x7c00 ? enc >> 10 & 31 : 1) - 25);
            f16_x[i] = (uint16_t)enc;
            x[i] = (enc & 0x7c00) == 0x7c00 ? (double)NAN : (enc & 0x8000 ? -m : m);
        }
        evaluator_run(funcs[k], EVALUATOR_BASE, x, y, n);
        for (uint32_t i = 0; i < n; i++) {
            uint16_t const right = isnan(y[i]) ? 0x7e00 : f16_bits(y[i]);
            uint64_t const r = rng_next(&rng);
            f16_got[i] = (uint16_t)(r % 8 == 0 ? (uint16_t)(r >> 32)
                                               : right + (r % 8 == 1 ? (r >> 8) % 9 - 4 : 0));
        }
        fast = make_sweep(funcs[k], ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
        fast.fmt = FMT_F16;
        fast.n_forms = 1;
        slow = fast;
        struct sweep_block const b = {f16_x, NULL, got, n, NULL};
        sweep_filter(&fast, &b, evaluator_find_isa(), TEST_SLACK);
        sweep_block_slow(&slow, f16_x, NULL, got, n);
        expect_same(&fast, &slow);
        assert_true(fast.result[0].n == n && fast.result[0].n_broken > n / 100);
        assert_true(fast.result[0].n_slow < n / 4);
    }
}

/* Neighbours where the function is flat, all a few units off: decided by the ends of the run. */
static void flat_runs_agree_with_mpfr(void **state)
{
    static const struct {
        enum func_id func;
        uint32_t first;
    } runs[] = {
        {FUNC_EXP,   0x20000000},
        {FUNC_EXP,   0xa0000000},
        {FUNC_COS,   0x20000000},
        {FUNC_COS,   0xa0000000},
        {FUNC_TANH,  0x42000000},
        {FUNC_CEIL,  0x40800001},
        {FUNC_EXP,   0x007ffff0},
        {FUNC_EXP2,  0xab000000},
        {FUNC_FLOOR, 0xbf000001}
    };
    static struct sweep fast, slow;
    (void)state;
    for (size_t k = 0; k < ARRAY_N(runs); k++) {
        for (int off = -6; off <= 6; off += 2) {
            uint32_t const n = 300;
            const void *const got[1] = {in.got[0]};
            for (uint32_t i = 0; i < n; i++) {
                struct func_args const args = {.fmt = FMT_F32, .enc = {runs[k].first + i}};
                in.x[i] = runs[k].first + i;
                in.got[0][i] = (uint32_t)func_round(runs[k].func, ENV_CL, &args) + (uint32_t)off;
            }
            fast = make_sweep(runs[k].func, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
            fast.n_forms = 1;
            slow = fast;
            struct sweep_block const b = {in.x, NULL, got, n, NULL};
            sweep_filter(&fast, &b, evaluator_find_isa(), TEST_SLACK);
            sweep_block_slow(&slow, in.x, NULL, got, n);
            expect_same(&fast, &slow);
            assert_true(fast.result[0].n_slow < n / 4);
        }
    }
}

/* Forms with the same results and different bounds, values next to a power of two, and flat pieces: where the
 * filter judges by one form or one result for the others, MPFR judges each of them in the same way. */
static void repeated_results_agree_with_mpfr(void **state)
{
    static const struct {
        enum func_id func;
        uint32_t first, right;
    } runs[] = {
        {FUNC_EXP,   0xa0000000, 0x3f800000},
        {FUNC_EXP,   0x20000000, 0x3f800000},
        {FUNC_EXP2,  0xa5012345, 0x3f800000},
        {FUNC_EXP10, 0x30000000, 0x3f800000},
        {FUNC_COS,   0x25000000, 0x3f800000},
        {FUNC_COSH,  0xa5000000, 0x3f800000},
        {FUNC_TANH,  0xc2000000, 0xbf800000},
        {FUNC_ERF,   0x42000000, 0x3f800000},
        {FUNC_ERFC,  0xc2000000, 0x40000000},
        {FUNC_ERFC,  0x20000000, 0x3f800000},
        {FUNC_ERFC,  0xa0000000, 0x3f800000},
        {FUNC_EXPM1, 0xc2000000, 0xbf800000},
        {FUNC_EXP,   0xc4000000, 0x00000000},
        {FUNC_EXP,   0x44000000, 0x7f800000},
    };
    static const int offsets[] = {0, -3, 3, -83, 83};
    static struct sweep fast, slow;
    uint32_t const n = 600;
    (void)state;
    for (size_t k = 0; k < ARRAY_N(runs) * ARRAY_N(offsets); k++) {
        size_t const run = k / ARRAY_N(offsets);
        int const off = offsets[k % ARRAY_N(offsets)];
        int const is_number = runs[run].right != 0 && runs[run].right != 0x7f800000;
        const void *got[N_FORMS];
        for (uint32_t i = 0; i < n; i++) {
            in.x[i] = runs[run].first + i;
            in.got[0][i] = runs[run].right + (is_number ? (uint32_t)off : 0);
        }
        for (uint32_t form = 0; form < N_FORMS; form++) {
            got[form] = in.got[form];
            memcpy(in.got[form], in.got[0], sizeof in.got[0]);
        }
        in.got[3][n / 2] ^= 1; /* one result that is not the same */
        fast = make_sweep(runs[run].func, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
        fast.form[0].bound.ulp = 8192;
        slow = fast;
        struct sweep_block const b = {in.x, NULL, got, n, NULL};
        sweep_filter(&fast, &b, evaluator_find_isa(), TEST_SLACK);
        sweep_block_slow(&slow, in.x, NULL, got, n);
        expect_same(&fast, &slow);
        for (uint32_t form = 0; form < N_FORMS && off != 0 && form != 3; form++) {
            if (fast.result[form].n_slow > 0) {
                fail_msg("%s(%08x), form %u: %d by MPFR", func_rows[runs[run].func].name,
                         runs[run].first, form, (int)fast.result[form].n_slow);
            }
        }
    }
}

static void bins_begin_at_their_edges(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < SWEEP_BINS; i++) {
        double const edge = sweep_bin_edge(i);
        assert_true(edge > sweep_bin_edge(i - 1));
        assert_int_equal(sweep_get_bin(edge), i);
        assert_int_equal(sweep_get_bin(edge * (1 - 0x1p-20)), i - 1);
    }
    assert_int_equal(sweep_get_bin(0), 0);
    assert_int_equal(sweep_get_bin(HUGE_VAL), SWEEP_BINS - 1);
}

/* A certificate holds on every instruction set; without one MPFR does it all. */
static void certificates_decide_who_judges(void **state)
{
    static struct sweep s;
    uint32_t const x = 0x3f400000;
    uint64_t const zero = 0, right = 0x3ff0000000000000;
    const void *const got[1] = {&x}, *const one[1] = {&right};
    int is_certified;
    (void)state;
    for (int isa = 0; isa <= (int)evaluator_find_isa(); isa++) {
        assert_non_null(evaluator_find_certificate(FUNC_EXP, (enum evaluator_isa)isa));
    }
    /* another one's, and IEEE 754's */
    assert_non_null(evaluator_find_certificate(FUNC_ATANPI, EVALUATOR_BASE));
    assert_non_null(evaluator_find_certificate(FUNC_SQRT, EVALUATOR_BASE));
    assert_string_not_equal(sweep_get_evaluator(FUNC_EXP, FMT_F32, &is_certified), "mpfr");
    assert_true(is_certified);
    assert_string_equal(sweep_get_evaluator(FUNC_EXP, FMT_F64, &is_certified), "mpfr");
    assert_false(is_certified);
    s = make_sweep(FUNC_EXP, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
    s.n_forms = 1;
    sweep_block(&s, &x, NULL, got, 1);
    assert_true(s.result[0].n == 1 && s.result[0].n_slow == 0 && s.result[0].n_broken == 1);
    s = make_sweep(FUNC_EXP, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
    s.fmt = FMT_F64;
    s.n_forms = 1;
    sweep_block(&s, &zero, NULL, one, 1);
    assert_true(s.result[0].n_slow == 1 && s.result[0].n_rounded == 1);
}

/* The statistics of two halves of a block, merged, equal those of the whole block. */
static void halves_merge_to_the_whole(void **state)
{
    static struct sweep whole, half[2];
    struct rng rng = rng_seed(7);
    const void *got[N_FORMS], *upper[N_FORMS];
    uint32_t const n = 600;
    (void)state;
    draw_block(&in, FUNC_EXP, &rng, n);
    for (uint32_t form = 0; form < N_FORMS; form++) {
        got[form] = in.got[form];
        upper[form] = in.got[form] + n / 2;
    }
    whole = make_sweep(FUNC_EXP, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
    half[0] = whole;
    half[1] = whole;
    sweep_block(&whole, in.x, NULL, got, n);
    sweep_block(&half[0], in.x, NULL, got, n / 2);
    sweep_block(&half[1], in.x + n / 2, NULL, upper, n / 2);
    for (uint32_t form = 0; form < N_FORMS; form++) {
        sweep_merge(&half[0].result[form], &half[1].result[form]);
    }
    expect_same(&half[0], &whole);
    assert_true(whole.result[1].n_special > SWEEP_WORST);
    assert_memory_equal(half[0].result[1].special_arg, whole.result[1].special_arg,
                        sizeof whole.result[1].special_arg);
}

/* --- planted one at a time --- */

enum kind {
    KIND_BROKEN,
    KIND_SPECIAL,
    KIND_ZERO,
    KIND_BREAK
};
struct plant {
    enum func_id func;
    uint32_t x, got;
    enum kind kind;
    const char *text;
};

/* A run of correct results with one wrong result, which must be found. */
static void each_planted_fault_is_found(void **state)
{
    static const struct plant plants[] = {
        {FUNC_EXP,   0x3f000000, 0x3fd3094c + 4, KIND_BROKEN,  "four units off"                 },
        {FUNC_EXP,   0x3f000000, 0x3fd3094c - 4, KIND_BROKEN,  "four units below"               },
        {FUNC_EXP,   0x3f000000, 0xbfd3094c,     KIND_BROKEN,  "of the other sign"              },
        {FUNC_EXP,   0x3f000000, 0x7fc00000,     KIND_SPECIAL, "NaN"                            },
        {FUNC_EXP,   0x3f000000, 0x7f800000,     KIND_SPECIAL, "infinite"                       },
        {FUNC_EXP,   0x3f000000, 0x00000000,     KIND_BROKEN,  "zero"                           },
        {FUNC_EXP,   0x42c80000, 0x7f7fffff,     KIND_SPECIAL, "the largest number for infinity"},
        {FUNC_EXP,   0xc2c80000, 0x00000000,     KIND_BROKEN,  "zero for a subnormal result"    },
        {FUNC_EXP,   0xc2c80000, 0x0000001b + 4, KIND_BROKEN,  "four subnormal units off"       },
        {FUNC_SIN,   0x00000000, 0x80000000,     KIND_ZERO,    "the other zero"                 },
        {FUNC_SINPI, 0x4b800001, 0x80000000,     KIND_ZERO,    "the other zero at an integer"   },
        {FUNC_LOG,   0xbf800000, 0xff800000,     KIND_SPECIAL, "infinite for NaN"               },
        {FUNC_LOG,   0x00000000, 0x7f800000,     KIND_SPECIAL, "the other infinity"             },
        {FUNC_EXP,   0x3f000000, 0x3fd3094c - 2, KIND_BREAK,   "within the bound, out of order" },
    };
    static uint32_t x[64], got[64];
    static double wide[64], y[64];
    static struct sweep s;
    (void)state;
    for (size_t k = 0; k < ARRAY_N(plants); k++) {
        struct plant const *p = &plants[k];
        const void *const results[1] = {got};
        for (uint32_t i = 0; i < ARRAY_N(x); i++) {
            x[i] = (p->x < 32 ? 0 : p->x - 32) + i;
            wide[i] = (double)f32_of(x[i]);
        }
        evaluator_run(p->func, EVALUATOR_BASE, wide, y, ARRAY_N(x));
        for (uint32_t i = 0; i < ARRAY_N(x); i++) {
            got[i] = f32_bits((float)y[i]);
            struct func_args const args = {.fmt = FMT_F32, .enc = {x[i]}};
            got[i] = (uint32_t)func_round(p->func, ENV_CL, &args);
        }
        struct sweep_block const b = {x, NULL, results, ARRAY_N(x), NULL};
        for (int is_planted = 0; is_planted < 2; is_planted++) {
            uint32_t const at = p->x < 32 ? p->x : 32;
            got[at] = is_planted ? p->got : got[at];
            s = make_sweep(p->func, ENV_CL, &(struct fp_rules){.rounding = ROUND_RNE});
            s.n_forms = 1;
            sweep_filter(&s, &b, evaluator_find_isa(), TEST_SLACK);
            struct sweep_result const *r = &s.result[0];
            uint64_t const found[] = {r->n_broken, r->n_special, r->n_zero_sign, r->n_breaks};
            for (int kind = 0; kind < 3; kind++) {
                uint64_t const want = is_planted && kind == (int)p->kind;
                if (found[kind] != want) {
                    fail_msg("%s(%08x), %s: %llu of kind %d", func_rows[p->func].name, p->x,
                             is_planted ? p->text : "control", (unsigned long long)found[kind],
                             kind);
                }
            }
            if (p->kind == KIND_BREAK && (found[KIND_BREAK] > 0) != is_planted) {
                fail_msg("%s: %llu breaks", p->text, (unsigned long long)found[KIND_BREAK]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filter_agrees_with_mpfr),
        cmocka_unit_test(filter_agrees_where_subnormals_flush),
        cmocka_unit_test(filter_agrees_under_other_roundings),
        cmocka_unit_test(all_of_f16_agrees_with_mpfr),
        cmocka_unit_test(flat_runs_agree_with_mpfr),
        cmocka_unit_test(repeated_results_agree_with_mpfr),
        cmocka_unit_test(bins_begin_at_their_edges),
        cmocka_unit_test(certificates_decide_who_judges),
        cmocka_unit_test(halves_merge_to_the_whole),
        cmocka_unit_test(each_planted_fault_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
