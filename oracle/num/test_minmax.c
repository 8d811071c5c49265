/* oracle/num/test_minmax.c -- min and max row by row from the extension's table, worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/num/minmax.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

enum {
    MIN,
    MAX
};
enum {
    QNAN = SET_QNAN,
    ANY_NAN = SET_QNAN | SET_SNAN
};
enum {
    MAX_NUMBERS = 4
};

static const struct fp_rules keep = {.flush_in = FLUSH_NEVER, .flush_out = FLUSH_NEVER};
static const struct fp_rules flush_operands = {.flush_in = FLUSH_MAY, .flush_out = FLUSH_NEVER};
static const struct fp_rules flush_results = {.flush_in = FLUSH_NEVER, .flush_out = FLUSH_MAY};
static const struct fp_rules flush_both = {.flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};
static const struct fp_rules flush_must = {.flush_in = FLUSH_MAY, .flush_out = FLUSH_MUST};
static const struct fp_rules free_zeros = {.zero_sign_free = 1};

/* f32 encodings. */
enum {
    P0 = 0,
    P1 = 0x3f800000,
    P2 = 0x40000000,
    PINF = 0x7f800000,
    QN = 0x7fc00000,
    SN = 0x7f800001,
    SUB3 = 3,
    SUB5 = 5
};
static const uint64_t N0 = 0x80000000, N1 = 0xbf800000, N2 = 0xc0000000, NINF = 0xff800000,
                      NQN = 0xffc00123, NSN = 0xffbfffff, NSUB3 = 0x80000003;

struct row {
    uint64_t x, y;
    unsigned nans;
    unsigned n;
    uint64_t number[MAX_NUMBERS];
};

static void expect_row(int is_max, const struct fp_rules *r, const struct row *row, unsigned line)
{
    for (unsigned swap = 0; swap < 2; swap++) { /* the table is symmetric */
        struct set s;
        minmax_permitted(is_max, FMT_F32, swap ? row->y : row->x, swap ? row->x : row->y, r, &s);
        int same = s.flags == row->nans && set_count(&s) == row->n + (row->nans != 0);
        for (unsigned i = 0; i < row->n; i++) {
            same = same && set_has(&s, row->number[i]);
        }
        if (!same) {
            struct arena a;
            arena_init(&a, 1 << 20);
            fail_msg("%s row %u (0x%llx, 0x%llx): %s", is_max ? "max" : "min", line,
                     (unsigned long long)row->x, (unsigned long long)row->y, set_to_text(&s, &a));
        }
    }
}

/* The row as given is of min; max is min with all signs turned. */
static void expect_mirrored(const struct fp_rules *r, const struct row *row, unsigned line)
{
    struct row turned = *row;
    turned.x ^= N0;
    turned.y ^= N0;
    for (unsigned i = 0; i < row->n; i++) {
        turned.number[i] ^= N0;
    }
    expect_row(MIN, r, row, line);
    expect_row(MAX, r, &turned, line);
}

/* The minimum (and, mirrored, the maximum) of two numbers is exactly one of them. */
static void numbers_give_the_smaller_bit_for_bit(void **state)
{
    (void)state;
    COVERS(FMIN_NUMBER);
    static const struct row rows[] = {
        {P1,         P2,         0, 1, {P1}        },
        {0xbf800000, P1,         0, 1, {0xbf800000}},
        {0xbf800000, 0xc0000000, 0, 1, {0xc0000000}},
        {P1,         P1,         0, 1, {P1}        },
        {PINF,       P1,         0, 1, {P1}        },
        {PINF,       PINF,       0, 1, {PINF}      },
        {0xff800000, P1,         0, 1, {0xff800000}},
        {0xff800000, PINF,       0, 1, {0xff800000}},
        {SUB3,       SUB5,       0, 1, {SUB3}      },
        {SUB3,       P1,         0, 1, {SUB3}      },
        {SUB3,       0x80000003, 0, 1, {0x80000003}},
        {P0,         SUB3,       0, 1, {P0}        },
        {0x80000000, SUB3,       0, 1, {0x80000000}},
        {0x80000000, 0x80000003, 0, 1, {0x80000003}},
        {P1,         P0,         0, 1, {P0}        },
        {P1,         0x80000000, 0, 1, {0x80000000}},
        {0x3f800001, 0x3f800000, 0, 1, {0x3f800000}}, /* neighbours */
    };
    for (unsigned i = 0; i < ARRAY_N(rows); i++) {
        expect_mirrored(&keep, &rows[i], i);
    }
}

static void max_is_not_min(void **state)
{
    /* SHOWS(MAX_NUMBERS) */
    (void)state;
    COVERS(FMIN_NUMBER);
    struct row const one = {P1, P2, 0, 1, {P2}}, two = {N1, N2, 0, 1, {N1}},
                     three = {NINF, PINF, 0, 1, {PINF}}, four = {SUB3, SUB5, 0, 1, {SUB5}};
    expect_row(MAX, &keep, &one, 1);
    expect_row(MAX, &keep, &two, 2);
    expect_row(MAX, &keep, &three, 3);
    expect_row(MAX, &keep, &four, 4);
}

/* Two zeros of different signs permit both; with free zero signs a zero permits both as well. */
static void zeros_of_two_signs_give_either(void **state)
{
    /* SHOWS(MAX_ZEROS) */
    (void)state;
    COVERS(FMIN_NAN);
    struct row const mixed =
                         {
                             N0, P0, 0, 2, {P0, N0}
    },
                     positive = {P0, P0, 0, 1, {P0}}, negative = {N0, N0, 0, 1, {N0}};
    expect_mirrored(&keep, &mixed, 1);
    expect_mirrored(&keep, &positive, 2);
    expect_mirrored(&keep, &negative, 3);
    struct row const free_positive =
                         {
                             P0, P0, 0, 2, {P0, N0}
    },
                     free_one = {P0, P1, 0, 2, {P0, N0}}, control = {P1, P2, 0, 1, {P1}};
    expect_mirrored(&free_zeros, &free_positive, 4);
    expect_mirrored(&free_zeros, &free_one, 5);
    expect_mirrored(&free_zeros, &control, 6);
    struct row const nan_free = {
        P0, QN, 0, 2, {P0, N0}
    };
    expect_mirrored(&free_zeros, &nan_free, 7);
}

/* A quiet NaN gives way to a number; a signalling NaN permits the number or any NaN; two NaNs permit any NaN. */
static void nan_rows(void **state)
{
    /* SHOWS(MIN_TWO_QUIET_NANS, MIN_NAN_AND_SIGNALLING, MIN_WHICH_NAN, MAX_TWO_QUIET_NANS,
     * MAX_NAN_AND_SIGNALLING, FA_MM_NAN_SIGNALLING) */
    (void)state;
    COVERS(FMIN_NAN);
    static const uint64_t numbers[] = {P0,         0x80000000, P1,         0xbf800000, PINF,
                                       0xff800000, SUB3,       0x80000005, 0x7f7fffff};
    static const uint64_t quiet[] = {QN, 0xffc00123, 0x7fffffff};
    static const uint64_t signalling[] = {SN, 0xffbfffff};
    for (unsigned i = 0; i < ARRAY_N(numbers); i++) {
        for (unsigned k = 0; k < ARRAY_N(quiet); k++) { /* the number only */
            struct row const row = {numbers[i], quiet[k], 0, 1, {numbers[i]}};
            expect_row(MIN, &keep, &row, i);
            expect_row(MAX, &keep, &row, i);
        }
        for (unsigned k = 0; k < ARRAY_N(signalling); k++) { /* the number or any NaN */
            struct row const row = {numbers[i], signalling[k], ANY_NAN, 1, {numbers[i]}};
            expect_row(MIN, &keep, &row, i);
            expect_row(MAX, &keep, &row, i);
        }
    }
    struct row const two_quiet = {QN, NQN, ANY_NAN, 0, {0}}, mixed = {QN, SN, ANY_NAN, 0, {0}},
                     two_signalling = {SN, NSN, ANY_NAN, 0, {0}};
    expect_row(MIN, &keep, &two_quiet, 100);
    expect_row(MAX, &keep, &two_quiet, 100);
    expect_row(MIN, &keep, &mixed, 101);
    expect_row(MAX, &flush_both, &mixed, 101);
    expect_row(MAX, &keep, &two_signalling, 102);
}

/* Minima of subnormals under each flush rule, worked out by hand. */
static void subnormals_where_flushing_is_permitted(void **state)
{
    (void)state;
    COVERS(DENORM_DEFAULT);
    COVERS(DENORM_FLUSH);
    COVERS(DENORM_PRESERVE);
    struct row const kept = {SUB3, P1, 0, 1, {SUB3}};
    struct row const with_one = {
        SUB3, P1, 0, 3, {SUB3, P0, N0}
    };
    struct row const must_one = {
        SUB3, P1, 0, 2, {P0, N0}
    };
    expect_mirrored(&keep, &kept, 1);
    expect_mirrored(&flush_operands, &with_one, 2);
    expect_mirrored(&flush_results, &with_one, 3);
    expect_mirrored(&flush_both, &with_one, 4);
    expect_mirrored(&flush_must, &must_one, 5);
    /* min(3, 5): 3; 0 for a flushed 3, 5 or both; never the 5 itself */
    struct row const two = {
        SUB3, SUB5, 0, 3, {SUB3, P0, N0}
    };
    expect_mirrored(&flush_operands, &two, 6);
    /* min(-3, 5): both kept -3; -3 flushed: a zero; 5 flushed: -3 */
    struct row const signs = {
        NSUB3, SUB5, 0, 3, {NSUB3, P0, N0}
    };
    expect_mirrored(&flush_operands, &signs, 7);
    /* min(3, -1) has nothing subnormal to give */
    struct row const other = {SUB3, N1, 0, 1, {N1}};
    expect_mirrored(&flush_both, &other, 8);
    expect_mirrored(&flush_must, &other, 9);
    /* min(3, +0): 3 is greater; flushed to -0 it ties with +0 */
    struct row const zero = {
        SUB3, P0, 0, 2, {P0, N0}
    };
    struct row const zero_kept = {SUB3, P0, 0, 1, {P0}};
    expect_mirrored(&flush_operands, &zero, 10);
    expect_mirrored(&flush_results, &zero_kept, 11);
    /* min(-3, +0): -3 stays the smaller; flushed either zero */
    struct row const below = {
        NSUB3, P0, 0, 3, {NSUB3, P0, N0}
    };
    expect_mirrored(&flush_operands, &below, 12);
    struct row const nan = {
        SUB3, QN, 0, 3, {SUB3, P0, N0}
    };
    struct row const snan = {
        SUB3, SN, ANY_NAN, 3, {SUB3, P0, N0}
    };
    expect_mirrored(&flush_both, &nan, 13);
    expect_mirrored(&flush_both, &snan, 14);
    struct row const normal = {0x00800000, P1, 0, 1, {0x00800000}}; /* the smallest normal */
    expect_mirrored(&flush_both, &normal, 15);
    expect_mirrored(&flush_must, &normal, 16);
}

/* Over all formats: the answer is one of the operands, and widening the rules never takes away. */
static void answers_are_operands_and_rules_only_widen(void **state)
{
    (void)state;
    COVERS(FMIN_NUMBER);
    static const struct fp_rules *const wider[] = {&flush_operands, &flush_results, &flush_both,
                                                   &free_zeros};
    struct rng rng = rng_seed(3);
    size_t n_numbers = 0;
    for (unsigned i = 0; i < 300000; i++) {
        enum fmt_id const fmt = (enum fmt_id)(i % FMT_N);
        struct float_format const *f = &float_formats[fmt];
        uint64_t const x = rng_next(&rng) & format_mask(f) & (i % 5 ? UINT64_MAX : ~f->exp);
        uint64_t const y = i % 7 ? rng_next(&rng) & format_mask(f) & (i % 3 ? ~f->exp : UINT64_MAX)
                                 : x ^ (i % 14 ? 0 : f->sign);
        struct set narrow, wide;
        minmax_permitted(i % 2 != 0, fmt, x, y, &keep, &narrow);
        assert_true(narrow.fmt == fmt && !set_is_empty(&narrow) && !(narrow.flags & SET_ANY));
        assert_true(set_has(&narrow, x) || set_has(&narrow, y));
        uint64_t const n = set_count(&narrow) - (narrow.flags != 0);
        for (uint64_t k = 0; k < n; k++, n_numbers++) {
            assert_true(set_nth(&narrow, k) == x || set_nth(&narrow, k) == y);
        }
        minmax_permitted(i % 2 != 0, fmt, x, y, wider[i / 2 % ARRAY_N(wider)], &wide);
        for (uint64_t k = 0; k < set_count(&narrow); k++) {
            assert_true(set_has(&wide, set_nth(&narrow, k)));
        }
    }
    assert_true(n_numbers > 250000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_give_the_smaller_bit_for_bit),
        cmocka_unit_test(max_is_not_min),
        cmocka_unit_test(zeros_of_two_signs_give_either),
        cmocka_unit_test(nan_rows),
        cmocka_unit_test(subnormals_where_flushing_is_permitted),
        cmocka_unit_test(answers_are_operands_and_rules_only_widen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
