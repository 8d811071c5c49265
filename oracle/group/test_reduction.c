/* oracle/group/test_reduction.c -- sums and products over a group, worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "oracle/group/test_reduction_ref.h"
#include "oracle/num/exact.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

/* --- results worked by hand --- */

enum {
    ONE = 0x3f800000,
    MAX = 0x7f7fffff,
    INF = 0x7f800000,
    QNAN = 0x7fc00000,
    SNAN = 0x7f800001,
    MAX_ROW = 3,
    EXACT = REDUCTION_EXACT,
    EXTREMES = REDUCTION_EXTREMES
};
/* The same of the other sign. */
#define MINUS(enc) ((uint32_t)(enc) ^ 0x80000000U)

struct row {
    const char *what;
    int is_product;
    unsigned rules; /* rules_at */
    uint32_t n;
    uint32_t term[4];
    int proof; /* enum reduction_proof */
    uint32_t n_members;
    uint32_t member[MAX_ROW]; /* and no other; one NaN stands for all of its class */
};

enum {
    RNE = 0,
    RTZ = 1,
    EITHER = 2,
    FREE_SIGN = 18,
    FLUSH_OPERANDS = 3,
    MAY_FLUSH = 6, /* results */
    MUST_FLUSH = 12
};

/* clang-format off */
static const struct row rows[] = {
    {"no terms", 0, RNE, 0, {0}, EXACT, 1, {0}},
    {"no factors", 1, RNE, 0, {0}, EXACT, 1, {ONE}},
    {"no terms, free signs", 0, FREE_SIGN, 0, {0}, EXACT, 2, {0, MINUS(0)}},
    {"one term", 0, EITHER, 1, {1}, EXACT, 1, {1}},
    {"one -0", 0, RNE, 1, {MINUS(0)}, EXACT, 1, {MINUS(0)}},
    {"all -0", 0, EITHER, 3, {MINUS(0), MINUS(0), MINUS(0)}, EXACT, 1, {MINUS(0)}},
    {"zeros of both signs", 0, RTZ, 2, {MINUS(0), 0}, EXACT, 1, {0}},
    {"zeros of both signs", 0, EITHER, 2, {MINUS(0), 0}, EXACT, 2, {0, MINUS(0)}},
    {"x - x", 0, RNE, 2, {ONE, MINUS(ONE)}, EXACT, 1, {0}},
    {"x - x", 0, EITHER, 2, {ONE, MINUS(ONE)}, EXACT, 2, {0, MINUS(0)}},
    {"x - x", 0, FREE_SIGN, 2, {ONE, MINUS(ONE)}, EXACT, 2, {0, MINUS(0)}},
    {"quiet NaN", 0, RNE, 2, {QNAN, INF}, EXACT, 1, {QNAN}},
    {"signalling NaN", 1, RNE, 2, {SNAN, 0}, EXACT, 2, {QNAN, SNAN}},
    {"both infinities", 0, RNE, 3, {INF, ONE, MINUS(INF)}, EXACT, 1, {QNAN}},
    {"infinity", 0, RNE, 3, {INF, ONE, MINUS(MAX)}, EXACT, 1, {INF}},
    {"others overflow", 0, RNE, 3, {INF, MINUS(MAX), MINUS(MAX)}, EXTREMES, 2, {INF, QNAN}},
    {"others stay", 0, RTZ, 3, {INF, MINUS(MAX), MINUS(MAX)}, EXACT, 1, {INF}},
    {"others just stay", 0, RNE, 3, {MINUS(INF), MAX, ONE}, EXACT, 1, {MINUS(INF)}},
    {"zero factor", 1, RNE, 2, {MINUS(0), MAX}, EXACT, 1, {MINUS(0)}},
    {"zero and infinity", 1, RNE, 2, {0, INF}, EXACT, 1, {QNAN}},
    {"zero, others overflow", 1, RNE, 3, {0, MAX, MINUS(MAX)}, EXTREMES, 2, {MINUS(0), QNAN}},
    {"infinity, others vanish", 1, RNE, 3, {INF, 1, MINUS(0x3f000000)},
     EXTREMES, 2, {MINUS(INF), QNAN}},
    {"infinity, others small", 1, RNE, 3, {INF, 0x00800000, ONE}, EXACT, 1, {INF}},
    {"a subnormal", 0, MAY_FLUSH, 2, {1, MINUS(0)}, EXTREMES, 3, {1, 0, MINUS(0)}},
    {"overflow", 0, RNE, 2, {MAX, MAX}, EXACT, 1, {INF}},
    {"overflow", 0, EITHER, 2, {MAX, MAX}, EXTREMES, 2, {MAX, INF}},
    {"powers of two", 1, EITHER, 4, {1, 0x7e000000, 0xc0000000, 0x40000000},
     EXACT, 1, {0xb4800000}},
};
/* clang-format on */

/* Only what is listed: neighbours, the other zero, NaNs and infinities are refused. */
static void expect_row(const struct row *row, const struct set *s, enum reduction_proof proof)
{
    for (uint32_t i = 0; i < row->n_members; i++) {
        if (!set_has(s, row->member[i])) {
            fail_msg("%s: 0x%x is left out", row->what, row->member[i]);
        }
    }
    int const n_nan = (s->flags & SET_QNAN) != 0 && (s->flags & SET_SNAN) != 0;
    if (set_count(s) + (uint64_t)n_nan != row->n_members) {
        fail_msg("%s: %llu members, not %u", row->what, (unsigned long long)set_count(s),
                 row->n_members);
    }
    if ((int)proof != row->proof) {
        fail_msg("%s: found by %d, not %d", row->what, (int)proof, row->proof);
    }
}

/* Each row of the table gives terms and the permitted results, worked out by hand. */
static void zeros_infinities_and_nans_are_as_worked_by_hand(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    COVERS(GROUP_IDENTITY);
    struct arena a;
    unsigned n_checked = 0, n_exact = 0;
    arena_init(&a, arena_limit_bytes);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        uint64_t term[4];
        struct set s, exact;
        for (uint32_t k = 0; k < 4; k++) {
            term[k] = rows[i].term[k];
        }
        struct reduction const r =
            make(FMT_F32, rows[i].is_product, term, rows[i].n, rules_at(rows[i].rules));
        enum reduction_proof const proof = reduction_permitted(&r, 1, &a, &s);
        expect_row(&rows[i], &s, proof);
        if (reduction_is_exact(&r, &exact)) {
            expect_row(&rows[i], &exact, REDUCTION_EXACT);
            n_exact++;
        }
        struct reduction_usual u;
        reduction_get_usual(&r, &u);
        assert_true(u.n > 0 && set_has(&s, u.value[0]));
        n_checked++;
    }
    assert_int_equal(n_checked, ARRAY_N(rows));
    assert_true(n_exact > ARRAY_N(rows) / 2);
    arena_free(&a);
}

static void a_seed_gives_the_other_zero(void **state)
{
    (void)state;
    COVERS(GROUP_ZERO_SEED);
    uint64_t const minus[] = {0x8000, 0x8000, 0x8000}, plus[] = {0, 0}, mixed[] = {0, 0x8000};
    uint64_t const ones[] = {0x3c00, 0xbc00};
    struct reduction const all_minus = make(FMT_F16, 0, minus, 3, rules_at(RNE));
    struct reduction const none = make(FMT_F16, 0, minus, 0, rules_at(RNE));
    struct reduction const free_sign = make(FMT_F16, 0, minus, 3, rules_at(FREE_SIGN));
    struct reduction const all_plus = make(FMT_F16, 0, plus, 2, rules_at(EITHER));
    struct reduction const both = make(FMT_F16, 0, mixed, 2, rules_at(EITHER));
    struct reduction const cancelled = make(FMT_F16, 0, ones, 2, rules_at(RNE));
    struct reduction const product = make(FMT_F16, 1, minus, 3, rules_at(RNE));
    assert_true(reduction_is_zero_seed(&all_minus, 0));
    assert_false(reduction_is_zero_seed(&all_minus, 0x8000)); /* permitted anyway */
    assert_false(reduction_is_zero_seed(&all_minus, 1));
    assert_true(reduction_is_zero_seed(&none, 0x8000));
    assert_false(reduction_is_zero_seed(&none, 0));
    assert_false(reduction_is_zero_seed(&free_sign, 0));
    assert_true(reduction_is_zero_seed(&all_plus, 0x8000));
    assert_false(reduction_is_zero_seed(&both, 0x8000));
    assert_false(reduction_is_zero_seed(&cancelled, 0x8000));
    assert_false(reduction_is_zero_seed(&product, 0));
}

static void minus_zero_lies_between_but_is_no_sum(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    /* 1 + 2^-12 - 1 is 2^-12 or, rounded first, 0; negated as well */
    uint64_t const term[] = {0x3c00, 0x0c00, 0xbc00, 0x8c01};
    struct set s;
    struct arena a;
    arena_init(&a, arena_limit_bytes);
    struct reduction r = make(FMT_F16, 0, term, 4, rules_at(RNE));
    assert_int_equal(reduction_permitted(&r, 1, &a, &s), REDUCTION_EXTREMES);
    assert_true(set_has(&s, 0) && set_has(&s, 0x8001) && set_has(&s, 1));
    assert_false(set_has(&s, 0x8000));
    r.rules = rules_at(FREE_SIGN);
    (void)reduction_permitted(&r, 1, &a, &s);
    assert_true(set_has(&s, 0x8000));
    arena_free(&a);
}

static void a_product_below_the_smallest_normal_may_vanish(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    /* 2^-1022 (1 - 2^-53) is a subnormal result though the nearest f64 is 2^-1022 */
    uint64_t const term[] = {UINT64_C(0x3fefffffffffffff), UINT64_C(0x0010000000000000),
                             UINT64_C(0x4000000000000000)};
    struct set s;
    struct arena a;
    arena_init(&a, arena_limit_bytes);
    struct reduction const may = make(FMT_F64, 1, term, 3, rules_at(MAY_FLUSH));
    struct reduction const never = make(FMT_F64, 1, term, 3, rules_at(RNE));
    assert_int_equal(reduction_permitted(&may, 1, &a, &s), REDUCTION_EXTREMES);
    assert_true(set_has(&s, 0) && set_has(&s, UINT64_C(0x001fffffffffffff)));
    (void)reduction_permitted(&never, 1, &a, &s);
    assert_false(set_has(&s, 0));
    arena_free(&a);
}

/* 32768 and 1024 times 17 in f16: each step rounds up, so that some order reaches infinity though the sum is
 * 50176. */
static void many_may_overflow_though_their_sum_does_not(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    enum {
        N = 1025
    };
    uint64_t *term = calloc(N, sizeof(*term));
    uint32_t *index = calloc(N, sizeof(*index));
    struct set s;
    struct reduction_usual u;
    assert_true(term && index);
    for (uint32_t i = 0; i < N; i++) {
        term[i] = i == 0 ? 0x7800 : 0x4c40; /* 32768; 17 at a time each rounds up by 32 */
        index[i] = i;
    }
    struct reduction r = make(FMT_F16, 0, term, N, rules_at(RNE));
    r.index = index;
    r.size = N;
    assert_int_equal(reduction_permitted(&r, 0, NULL, &s), REDUCTION_BOUND);
    assert_true(set_has(&s, 0x7c00) && set_has(&s, 0x7a23)); /* 50176 */
    assert_false(set_has(&s, 0x7e00) || set_has(&s, 0xfc00) || set_has(&s, 0));
    reduction_get_usual(&r, &u);
    assert_true(reduction_is_usual(&u, FMT_F16, 0x7c00)); /* from the left */
    r.rules = rules_at(RTZ);
    (void)reduction_permitted(&r, 0, NULL, &s);
    assert_false(set_has(&s, 0x7c00));
    r.n = 1;
    assert_int_equal(reduction_permitted(&r, 0, NULL, &s), REDUCTION_EXACT);
    free(term);
    free(index);
}

/* --- orders in use, each written out --- */

static uint64_t bits_of(double d)
{
    uint64_t enc;
    memcpy(&enc, &d, sizeof(enc));
    return enc;
}

/* Sums in the orders that implementations use, written out, are among the usual ones; a result 64 encodings off is
 * not. */
static void orders_in_use_are_usual(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    static const uint32_t gaps[] = {0, 1, 2, 4, 7};
    struct rng rng = rng_seed(24);
    uint64_t n_checked = 0, n_other = 0;
    for (unsigned k = 0; k < 500; k++) {
        double x[8];
        uint64_t term[8];
        for (unsigned i = 0; i < 8; i++) {
            x[i] = ((double)rng_below(&rng, 1U << 30) - 0x1p29) * 0x1p-20 +
                   (double)(rng_next(&rng) >> 11) * 0x1p-60;
            term[i] = bits_of(x[i]);
        }
        double const of8[] = {
            ((((((x[0] + x[1]) + x[2]) + x[3]) + x[4]) + x[5]) + x[6]) + x[7],
            x[0] + (x[1] + (x[2] + (x[3] + (x[4] + (x[5] + (x[6] + x[7])))))),
            ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])),
            ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])),
            (((x[0] + x[4]) + (x[1] + x[5])) + (x[2] + x[6])) + (x[3] + x[7]),
        };
        double const of7[] = {
            (x[0] + (x[1] + x[2])) + ((x[3] + x[4]) + (x[5] + x[6])),
            (((x[0] + x[1]) + (x[2] + x[3])) + (x[4] + x[5])) + x[6],
            ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + x[6]),
        };
        double const of_gaps[] = {
            ((x[0] + x[1]) + x[2]) + (x[3] + x[4]), /* pairs */
            ((x[0] + x[3]) + x[2]) + (x[1] + x[4]), /* halves */
        };
        struct reduction_usual u;
        struct reduction r = make(FMT_F64, 0, term, 8, rules_at(RNE));
        reduction_get_usual(&r, &u);
        for (size_t i = 0; i < ARRAY_N(of8); i++) {
            assert_true(reduction_is_usual(&u, FMT_F64, bits_of(of8[i])));
            n_checked++;
        }
        n_other += u.n > 1 && !reduction_is_usual(&u, FMT_F64, bits_of(of8[0]) + 64);
        r.n = 7;
        reduction_get_usual(&r, &u);
        for (size_t i = 0; i < ARRAY_N(of7); i++) {
            assert_true(reduction_is_usual(&u, FMT_F64, bits_of(of7[i])));
            n_checked++;
        }
        r.n = 5;
        r.index = gaps;
        r.size = 8;
        reduction_get_usual(&r, &u);
        for (size_t i = 0; i < ARRAY_N(of_gaps); i++) {
            assert_true(reduction_is_usual(&u, FMT_F64, bits_of(of_gaps[i])));
            n_checked++;
        }
    }
    assert_true(n_checked > 0 && n_other > 400);
}

/* Trees over a cluster that does not start at 0, toward zero, and flushed. */
static void clusters_and_modes_are_usual(void **state)
{
    (void)state;
    COVERS(GROUP_SUM);
    static const uint32_t index[] = {9, 10, 11};
    uint64_t const term[] = {0x3c01, 0x1003, 0x1005}; /* 1 + 2^-10, 515 and 517 * 2^-20 */
    struct reduction r = make(FMT_F16, 0, term, 3, rules_at(EITHER));
    struct reduction_usual u;
    r.index = index;
    r.size = 4;
    uint64_t const pair[] = {0x1003, 0x1005};
    uint64_t const inner = arith_round(ARITH_ADD, FMT_F16, pair, REAL_ZERO);
    uint64_t const outer[] = {0x3c01, inner};
    reduction_get_usual(&r, &u);
    assert_true(reduction_is_usual(&u, FMT_F16, arith_round(ARITH_ADD, FMT_F16, outer, REAL_ZERO)));
    assert_true(
        reduction_is_usual(&u, FMT_F16, arith_round(ARITH_ADD, FMT_F16, outer, REAL_NEAREST)));
    assert_false(reduction_is_usual(&u, FMT_F16, 0x3c00));
    uint64_t const tiny[] = {1, 2};
    struct reduction flushed = make(FMT_F16, 0, tiny, 2, rules_at(FLUSH_OPERANDS));
    reduction_get_usual(&flushed, &u);
    assert_true(reduction_is_usual(&u, FMT_F16, 0) && reduction_is_usual(&u, FMT_F16, 3));
    assert_false(reduction_is_usual(&u, FMT_F16, 1));
    flushed.rules = rules_at(MUST_FLUSH);
    reduction_get_usual(&flushed, &u);
    assert_true(reduction_is_usual(&u, FMT_F16, 0));
    assert_false(reduction_is_usual(&u, FMT_F16, 3));
    flushed.rules = rules_at(MAY_FLUSH);
    reduction_get_usual(&flushed, &u);
    assert_true(reduction_is_usual(&u, FMT_F16, 0) && reduction_is_usual(&u, FMT_F16, 3));
    flushed.rules = rules_at(RNE);
    reduction_get_usual(&flushed, &u);
    assert_false(reduction_is_usual(&u, FMT_F16, 0x7e00));
    assert_true(reduction_is_usual(&u, FMT_F16, 3));
}

int main(void)
{
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(zeros_infinities_and_nans_are_as_worked_by_hand),
        cmocka_unit_test(a_seed_gives_the_other_zero),
        cmocka_unit_test(minus_zero_lies_between_but_is_no_sum),
        cmocka_unit_test(a_product_below_the_smallest_normal_may_vanish),
        cmocka_unit_test(many_may_overflow_though_their_sum_does_not),
        cmocka_unit_test(orders_in_use_are_usual),
        cmocka_unit_test(clusters_and_modes_are_usual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
