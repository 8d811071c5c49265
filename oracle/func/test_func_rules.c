/* oracle/func/test_func_rules.c -- what holds of permitted sets whatever the function is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/func/func.h"
#include "oracle/num/mp.h"
#include "oracle/tables/tables.h"

#define COVERS(id) (void)CLAUSE_##id

/* Also those that a binary32 literal can hold and nobody wants. */
static const double bounds[] = {0,    0x1p-149, 1e-38, 0.25, 0.5, 0.50000006, 1,
                                1.5,  2,        2.5,   3,    4,   16,         100,
                                1024, 4095,     4096,  8192, 1e6, 1e20,       0x1p127};

static uint64_t draw(struct rng *rng, const struct float_format *f)
{
    uint64_t const any = rng_next(rng) & (f->sign | f->exp | f->frac);
    uint64_t const one = (uint64_t)f->emax << (f->prec_bits - 1);
    switch (rng_below(rng, 6)) {
    case 0: /* subnormal or zero */
        return (any & f->sign) | (any & f->frac) >> rng_below(rng, f->prec_bits);
    case 1:
        return (any & f->sign) | (one - 8 + rng_below(rng, 16));
    case 2: /* an integer or half of one */
        return (any & f->sign) | (one + (rng_below(rng, 64) << (f->prec_bits - 4)));
    case 3:
        return (any & f->sign) | (f->exp - rng_below(rng, 4));
    case 4:
        return (any & (f->sign | f->frac)) | (one & f->exp);
    default:
        return any;
    }
}

static struct func_args draw_args(struct rng *rng, enum fmt_id fmt)
{
    static const int32_t odd[] = {0, 1, -1, 2, -2, 3, INT32_MAX, INT32_MIN, INT32_MIN + 1, 1074};
    struct func_args a = {.fmt = fmt};
    for (unsigned i = 0; i < 3; i++) {
        a.enc[i] = draw(rng, &float_formats[fmt]);
    }
    a.n = rng_below(rng, 2) != 0 ? odd[rng_below(rng, ARRAY_N(odd))]
                                 : (int32_t)rng_below(rng, 300) - 150;
    return a;
}

static struct fp_rules draw_rules(struct rng *rng)
{
    struct fp_rules r = {.rounding = (enum rounding)rng_below(rng, 3)};
    r.flush_in = (enum flush)rng_below(rng, 2);
    r.flush_out = (enum flush)rng_below(rng, 3);
    r.zero_sign_free = (int)rng_below(rng, 2);
    r.overflow_lax = (int)rng_below(rng, 2);
    return r;
}

/* Is every member of a one of b? */
static int is_within(const struct set *a, const struct set *b)
{
    struct set both = *b;
    if ((b->flags & SET_ANY) != 0) {
        return 1;
    }
    set_add_set(&both, a);
    return set_count(&both) == set_count(b) && both.flags == b->flags;
}

/* Wider bounds and freer rules only add members, all is decided, and rounding to nearest is in from
 * half an ulp on. */
static void sets_grow_with_freedom(void **state)
{
    (void)state;
    COVERS(DENORM_DEFAULT);
    struct rng rng = rng_seed(31);
    size_t n = 0, n_any = 0, n_rounded = 0;
    for (size_t i = 0; i < 1200 * (size_t)FUNC_N; i++) {
        enum func_id const id = (enum func_id)(i % FUNC_N);
        enum env const env = (enum env)rng_below(&rng, ENV_N);
        struct func_args const a = draw_args(&rng, (enum fmt_id)rng_below(&rng, FMT_N));
        struct fp_rules r = draw_rules(&rng);
        struct func_bound b = {.ulp = bounds[rng_below(&rng, ARRAY_N(bounds))]};
        struct set tight, wide, free;
        r.flush_out = r.flush_out == FLUSH_MUST ? FLUSH_NEVER : r.flush_out;
        assert_true(func_permitted(id, env, &a, &b, &r, &tight));
        assert_false(set_is_empty(&tight));
        uint64_t const near = func_round(id, env, &a);
        if ((b.ulp >= 0.5 || (b.ulp <= 0 && r.rounding == ROUND_RNE)) &&
            (tight.flags & SET_ANY) == 0) {
            assert_true(set_has(&tight, near) || format_is_nan(&float_formats[a.fmt], near));
            n_rounded++;
        }
        b.ulp = b.ulp < 0.5 ? 1 : 2 * b.ulp;
        assert_true(func_permitted(id, env, &a, &b, &r, &wide));
        assert_true(is_within(&tight, &wide) || set_count(&tight) <= 3);
        r.flush_in = r.flush_out = FLUSH_MAY;
        r.zero_sign_free = r.overflow_lax = 1;
        assert_true(func_permitted(id, env, &a, &b, &r, &free));
        assert_true(is_within(&wide, &free));
        n++;
        n_any += (tight.flags & SET_ANY) != 0;
    }
    assert_true(n_any < n / 4);
    assert_true(n_rounded > n / 4);
}

/* The same value with the other sign: odd functions have mirrored sets. */
static void odd_functions_mirror(void **state)
{
    static const enum func_id odd[] = {FUNC_ASIN,  FUNC_ASINH,   FUNC_ATAN,    FUNC_CBRT, FUNC_ERF,
                                       FUNC_SIN,   FUNC_SINH,    FUNC_TAN,     FUNC_TANH, FUNC_RINT,
                                       FUNC_SINPI, FUNC_DEGREES, FUNC_RADIANS, FUNC_RECIP};
    (void)state;
    struct rng rng = rng_seed(32);
    size_t n = 0;
    for (size_t i = 0; i < 2000 * ARRAY_N(odd); i++) {
        enum fmt_id const fmt = (enum fmt_id)rng_below(&rng, FMT_N);
        struct func_args a = draw_args(&rng, fmt);
        struct fp_rules const r = draw_rules(&rng);
        struct func_bound const b = {.ulp = bounds[rng_below(&rng, ARRAY_N(bounds))]};
        struct set one, other;
        assert_true(func_permitted(odd[i % ARRAY_N(odd)], ENV_CL, &a, &b, &r, &one));
        a.enc[0] ^= float_formats[fmt].sign;
        assert_true(func_permitted(odd[i % ARRAY_N(odd)], ENV_CL, &a, &b, &r, &other));
        assert_int_equal(one.n, other.n);
        assert_int_equal(one.flags, other.flags);
        for (unsigned k = 0; k < one.n; k++, n++) {
            assert_int_equal(one.r[k].lo, -1 - other.r[one.n - 1 - k].hi);
            assert_int_equal(one.r[k].hi, -1 - other.r[one.n - 1 - k].lo);
        }
    }
    assert_true(n > 10000);
}

/* Errors and sets say the same: a finite encoding is in the set where its error keeps the bound. */
static void errors_agree_with_sets(void **state)
{
    (void)state;
    struct rng rng = rng_seed(33);
    struct fp_rules const r = {.rounding = ROUND_RNE};
    struct func_bound const b = {.ulp = 3.25};
    size_t n_in = 0, n_out = 0;
    for (size_t i = 0; i < 1200 * (size_t)FUNC_N; i++) {
        enum func_id const id = (enum func_id)(i % FUNC_N);
        struct func_args const a = draw_args(&rng, (enum fmt_id)rng_below(&rng, FMT_N));
        struct float_format const *f = &float_formats[a.fmt];
        struct set s;
        double error;
        int64_t const key =
            format_to_key(f, func_round(id, ENV_CL, &a)) + (int64_t)rng_below(&rng, 13) - 6;
        uint64_t const got = format_from_key(f, key);
        if (id == FUNC_FRACT || (got & f->exp) == f->exp ||
            func_get_error(id, ENV_CL, &a, got, &error) != 0) {
            continue;
        }
        assert_true(func_permitted(id, ENV_CL, &a, &b, &r, &s));
        if (fabs(error) < 3.25 * (1 - 1e-9)) {
            assert_true(set_has(&s, got));
            n_in++;
        } else if (fabs(error) > 3.25 * (1 + 1e-9)) {
            assert_false(set_has(&s, got));
            n_out++;
        }
    }
    assert_true(n_in > 10000 && n_out > 10000);
}

/* Vulkan leaves more open, but zeros of either sign aside it is no stricter for numbers. */
static void vulkan_is_never_stricter(void **state)
{
    (void)state;
    struct rng rng = rng_seed(34);
    struct fp_rules const r = {.rounding = ROUND_RNE};
    size_t n = 0;
    for (size_t i = 0; i < 600 * (size_t)FUNC_N; i++) {
        enum func_id const id = (enum func_id)(i % FUNC_N);
        struct func_args const a = draw_args(&rng, (enum fmt_id)rng_below(&rng, FMT_N));
        struct func_bound const b = {.ulp = bounds[3 + rng_below(&rng, 10)]};
        struct set cl, vk;
        assert_true(func_permitted(id, ENV_CL, &a, &b, &r, &cl));
        assert_true(func_permitted(id, ENV_VK, &a, &b, &r, &vk));
        if (id != FUNC_FRACT && id != FUNC_ROUND) {
            assert_true(is_within(&cl, &vk));
            n++;
        }
    }
    assert_true(n > 40000);
}

/* Prescribed subnormals give way to zeros where results must be flushed, and else stay. */
static void prescribed_subnormals_are_flushed(void **state)
{
    static const struct {
        enum func_id id;
        uint64_t x, y, want;
    } cases[] = {
        {FUNC_FMIN,      0x00000003, 0x7fc00000, 0x00000003},
        {FUNC_FMAX,      0x7fc00000, 0x80000003, 0x80000003},
        {FUNC_FABS,      0x80000003, 0,          0x00000003},
        {FUNC_NEXTAFTER, 0x00000000, 0x3f800000, 0x00000001},
    };
    static const struct func_bound none = {.ulp = 0};
    static const struct fp_rules keeps = {.rounding = ROUND_RNE};
    static const struct fp_rules must = {.rounding = ROUND_RNE, .flush_out = FLUSH_MUST};
    (void)state;
    COVERS(DENORM_FLUSH);
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct func_args const a = {
            FMT_F32, {cases[i].x, cases[i].y},
             0
        };
        struct set out;
        assert_true(func_permitted(cases[i].id, ENV_CL, &a, &none, &keeps, &out));
        assert_true(set_has(&out, cases[i].want) && !set_has(&out, 0));
        assert_true(func_permitted(cases[i].id, ENV_CL, &a, &none, &must, &out));
        assert_true(set_has(&out, 0) && set_has(&out, 0x80000000));
        assert_false(set_has(&out, cases[i].want));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_grow_with_freedom),
        cmocka_unit_test(odd_functions_mirror),
        cmocka_unit_test(errors_agree_with_sets),
        cmocka_unit_test(vulkan_is_never_stricter),
        cmocka_unit_test(prescribed_subnormals_are_flushed),
    };
    int const bad = cmocka_run_group_tests(tests, NULL, NULL);
    mp_release();
    return bad;
}
