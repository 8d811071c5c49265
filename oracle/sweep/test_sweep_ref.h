/* oracle/sweep/test_sweep_ref.h -- tests of the sweep: wrong results to plant, and two sweeps compared. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "oracle/sweep/sweep.h"

enum {
    N_FORMS = 5
};

static inline uint32_t f32_bits(float x)
{
    uint32_t enc;
    memcpy(&enc, &x, sizeof enc);
    return enc;
}

static inline float f32_of(uint32_t enc)
{
    float x;
    memcpy(&x, &enc, sizeof x);
    return x;
}

/* Returns the correct result, or a result that is wrong in one of several ways. */
static inline uint32_t plant(struct rng *rng, uint32_t right)
{
    uint64_t const r = rng_next(rng);
    uint32_t const some = (uint32_t)(r >> 32);
    switch (r % 32) {
    case 0:
        return right ^ 0x80000000;
    case 1:
        return 0x7fc00000 | (some & 0x3fffff);
    case 2:
        return 0x7f800001 + (some & 0xffff);
    case 3:
        return 0x7f800000 | (some & 0x80000000);
    case 4:
        return some & 0x80000000;
    case 5:
        return (some & 0x80000000) | (some & 0x7fffff);
    case 6:
        return 0x7f7fffff | (some & 0x80000000);
    case 7:
        return some;
    case 8:
    case 9:
        return right & 0x80000000;
    default:
        return right + (r % 32 < 16 ? some % 17 - 8 : some % 3 - 1) * (r % 32 < 24);
    }
}

static inline struct sweep make_sweep(enum func_id func, enum env env, const struct fp_rules *rules)
{
    static const struct sweep_form forms[N_FORMS] = {
        {.bound = {3, 0, 0},          .has_bound = 1},
        {.bound = {0, 0, 0},          .has_bound = 1},
        {.bound = {2.5, 0, 0},        .has_bound = 1},
        {.bound = {0.25, 0x1p-11, 0}, .has_bound = 1},
        {.bound = {0, 0, 0},          .has_bound = 0},
    };
    struct sweep s;
    memset(&s, 0, sizeof s);
    s.func = func;
    s.env = env;
    s.fmt = FMT_F32;
    s.rules = *rules;
    s.n_forms = N_FORMS;
    memcpy(s.form, forms, sizeof forms);
    return s;
}

static inline void expect_close(const char *what, const char *name, double x, double y)
{
    int const both_infinite = isinf(x) && isinf(y) && (x > 0) == (y > 0);
    if (!(fabs(x - y) <= 1e-4 + 1e-6 * fabs(y)) && !both_infinite) {
        fail_msg("%s: %s is %.9g, by MPFR %.9g", name, what, x, y);
    }
}

static inline void expect_count(const char *what, const char *name, uint32_t form, uint64_t x,
                                uint64_t y)
{
    if (x != y) {
        fail_msg("%s, form %u: %s is %llu, by MPFR %llu", name, form, what, (unsigned long long)x,
                 (unsigned long long)y);
    }
}

/* Bins may differ where an error is nearer to an edge than the slack: by few, most of them of
 * reciprocals of numbers next to a power of two, which are drawn often. */
static inline void expect_histogram(const char *name, const struct sweep_result *a,
                                    const struct sweep_result *b)
{
    uint64_t n_a = 0, n_b = 0;
    for (uint32_t i = 0; i < SWEEP_BINS; i++) {
        n_a += a->histogram[i];
        n_b += b->histogram[i];
        if (n_a > n_b + 2 + n_b / 400 || n_b > n_a + 2 + n_a / 400) {
            fail_msg("%s: %llu results up to bin %u, by MPFR %llu", name, (unsigned long long)n_a,
                     i, (unsigned long long)n_b);
        }
    }
    expect_count("histogram", name, 0, n_a, n_b);
}

/* Compares all statistics but the histograms. */
static inline void expect_same_counts(const struct sweep *fast, const struct sweep *slow)
{
    const char *const name = func_rows[fast->func].name;
    for (uint32_t form = 0; form < fast->n_forms; form++) {
        struct sweep_result const *a = &fast->result[form], *b = &slow->result[form];
        expect_count("n", name, form, a->n, b->n);
        expect_count("n_special", name, form, a->n_special, b->n_special);
        expect_count("n_zero_sign", name, form, a->n_zero_sign, b->n_zero_sign);
        expect_count("n_flushed", name, form, a->n_flushed, b->n_flushed);
        expect_count("n_broken", name, form, a->n_broken, b->n_broken);
        expect_count("n_rounded", name, form, a->n_rounded, b->n_rounded);
        expect_count("n_numbers", name, form, a->n_numbers, b->n_numbers);
        expect_count("n_breaks", name, form, a->n_breaks, b->n_breaks);
        expect_count("n_undecided", name, form, a->n_undecided, b->n_undecided);
        expect_close("above", name, a->above.error, b->above.error);
        expect_close("below", name, a->below.error, b->below.error);
        expect_close("the sum", name, a->sum_error, b->sum_error);
        for (uint32_t i = 0; i < SWEEP_WORST; i++) {
            expect_close("a broken one", name, fabs(a->broken[i].error), fabs(b->broken[i].error));
        }
        for (uint32_t i = 0; i < SWEEP_PLOT; i++) {
            expect_close("a point", name, fabs(a->plot[i].error), fabs(b->plot[i].error));
        }
    }
}

static inline void expect_same(const struct sweep *fast, const struct sweep *slow)
{
    expect_same_counts(fast, slow);
    for (uint32_t form = 0; form < fast->n_forms; form++) {
        expect_histogram(func_rows[fast->func].name, &fast->result[form], &slow->result[form]);
    }
}
