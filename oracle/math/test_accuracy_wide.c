/* oracle/math/test_accuracy_wide.c -- vectors and blends whose operands lie far apart, against GMP's
 * rational numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "base/base.h"
#include "base/ops.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/accuracy_permitted.h"
#include "oracle/num/mp.h"

#define COVERS(id) (void)CLAUSE_##id

static const struct float_format *const f64 = &float_formats[FMT_F64];
static const struct fp_rules nearest = {.rounding = ROUND_RNE};
static const struct fp_rules may_flush = {.flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};

static uint64_t enc_of(double x)
{
    uint64_t enc;
    memcpy(&enc, &x, sizeof enc);
    return enc;
}

static double value_of(uint64_t enc)
{
    double x;
    memcpy(&x, &enc, sizeof x);
    return x;
}

static struct accuracy decorated(enum env env, int op, enum fmt_id fmt, uint32_t n, float bound)
{
    uint32_t bits;
    struct accuracy_query const q = {
        .env = env, .op = op_rows[op].number, .fmt = fmt, .full_profile = 1, .n_components = n};
    memcpy(&bits, &bound, sizeof bits);
    return accuracy_decorated(&q, bits);
}

/* --- the reference: a rational number, or the root of one --- */

struct exact {
    mpq_t q;
    int is_root;
};

/* The sign of e - t, t rational. */
static int compare(const struct exact *e, mpq_srcptr t)
{
    mpq_t square;
    if (!e->is_root) {
        return mpq_cmp(e->q, t);
    }
    if (mpq_sgn(t) < 0) {
        return 1;
    }
    mpq_init(square);
    mpq_mul(square, t, t);
    int const sign = mpq_cmp(e->q, square);
    mpq_clear(square);
    return sign;
}

static void set_power(mpq_t out, int exponent)
{
    mpq_set_ui(out, 1, 1);
    if (exponent < 0) {
        mpq_div_2exp(out, out, (mp_bitcnt_t)-exponent);
    } else {
        mpq_mul_2exp(out, out, (mp_bitcnt_t)exponent);
    }
}

/* The exponent e with 2^(e - 1) < |x| <= 2^e: that of the ulp below a power of two, too. */
static int get_exponent(const struct exact *x)
{
    struct exact m = {.is_root = x->is_root};
    mpq_t power;
    int low = -3000, high = 3000;
    mpq_inits(m.q, power, NULL);
    mpq_abs(m.q, x->q);
    while (high - low > 1) {
        int const middle = low + (high - low) / 2;
        set_power(power, middle);
        if (compare(&m, power) <= 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    mpq_clears(m.q, power, NULL);
    return high;
}

/* Is the number of this encoding within bound ulps of x? */
static int is_within(const struct exact *x, uint64_t enc, double bound)
{
    mpq_t at, slack, end;
    int const e = get_exponent(x) - 1;
    mpq_inits(at, slack, end, NULL);
    set_power(end, (e < -1022 ? -1022 : e) - 52);
    mpq_set_d(slack, bound);
    mpq_mul(slack, slack, end);
    mpq_set_d(at, value_of(enc));
    mpq_sub(end, at, slack);
    int within = compare(x, end) >= 0;
    mpq_add(end, at, slack);
    within = within && compare(x, end) <= 0;
    mpq_clears(at, slack, end, NULL);
    return within;
}

/* The ends of the set and the encodings beside them; 0: the set says nothing. */
static size_t check_ends(const struct set *s, const struct exact *x, double bound)
{
    int64_t const max = (int64_t)f64->exp - 1;
    size_t n = 0;
    if (s->flags != 0 || s->n == 0 || s->r[0].lo < -1 - max || s->r[s->n - 1].hi > max) {
        return 0;
    }
    for (int64_t k = -2; k <= 2; k++) {
        int64_t const keys[] = {s->r[0].lo + k, s->r[s->n - 1].hi + k};
        for (size_t i = 0; i < ARRAY_N(keys); i++) {
            uint64_t const enc = format_from_key(f64, keys[i]);
            if (keys[i] < -1 - max || keys[i] > max || format_is_zero(f64, enc)) {
                continue; /* zeros of either sign and overflow have rules of their own */
            }
            if (set_has(s, enc) != is_within(x, enc, bound)) {
                fail_msg("%a is wrongly %s, bound %g", value_of(enc),
                         set_has(s, enc) ? "in" : "out", bound);
            }
            n++;
        }
    }
    return n;
}

/* --- random operands of all exponents --- */

static double draw(struct rng *rng, int least, int most)
{
    static const double simple[] = {1, 1.5, -1, 0x1.0000000000001p0, -0x1.fffffffffffffp0};
    uint64_t const r = rng_next(rng);
    int const e = least + (int)rng_below(rng, (uint32_t)(most - least + 1));
    double const m = r % 4 == 0 ? simple[r / 4 % ARRAY_N(simple)] : 1 + (double)(r >> 12) * 0x1p-52;
    return ldexp(r % 8 == 1 ? -m : m, e);
}

static void add_product(mpq_t sum, double x, double y)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_d(a, x);
    mpq_set_d(b, y);
    mpq_mul(a, a, b);
    mpq_add(sum, sum, a);
    mpq_clears(a, b, NULL);
}

static void add_square_of_difference(mpq_t sum, double x, double y)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_d(a, x);
    mpq_set_d(b, y);
    mpq_sub(a, a, b);
    mpq_mul(a, a, a);
    mpq_add(sum, sum, a);
    mpq_clears(a, b, NULL);
}

static const float bounds[] = {0.5F, 0.75F, 1, 1.5F, 4};

/* Decorated dot products and distances of operands of all exponents, against exact rational arithmetic. */
static void sums_of_all_exponents(void **state)
{
    (void)state;
    COVERS(MAX_ERROR);
    struct rng rng = rng_seed(41);
    struct exact dot = {.is_root = 0}, distance = {.is_root = 1};
    size_t n_checked = 0;
    mpq_inits(dot.q, distance.q, NULL);
    for (int i = 0; i < 1500; i++) {
        uint32_t const n = 2 + (uint32_t)i % 3;
        float const bound = bounds[rng_below(&rng, ARRAY_N(bounds))];
        struct accuracy_operands v = {.fmt = FMT_F64, .n_components = n};
        struct set out;
        mpq_set_ui(dot.q, 0, 1);
        mpq_set_ui(distance.q, 0, 1);
        for (uint32_t k = 0; k < n; k++) {
            double const x = draw(&rng, -1070, 500), y = draw(&rng, -1070, 500);
            v.enc[0][k] = enc_of(x);
            v.enc[1][k] = enc_of(y);
            add_product(dot.q, x, y);
            add_square_of_difference(distance.q, x, y);
        }
        struct accuracy const a = decorated(ENV_CL, OP_core_Dot, FMT_F64, n, bound);
        struct accuracy const b = decorated(ENV_CL, OP_opencl_std_distance, FMT_F64, n, bound);
        assert_true(accuracy_permitted_vector(&a, ENV_CL, &v, 0, &nearest, &out));
        n_checked += mpq_sgn(dot.q) != 0 ? check_ends(&out, &dot, (double)bound) : 0;
        assert_true(accuracy_permitted_vector(&b, ENV_CL, &v, 0, &nearest, &out));
        n_checked += mpq_sgn(distance.q) != 0 ? check_ends(&out, &distance, (double)bound) : 0;
    }
    mpq_clears(dot.q, distance.q, NULL);
    assert_true(n_checked > 20000);
}

/* t t (3 - 2 t) with t = (z - x) / (y - x) between 0 and 1; and x + (y - x) z. */
static void set_blends(double x, double y, double z, struct exact *step, struct exact *mix)
{
    mpq_t t, d, a;
    mpq_inits(t, d, a, NULL);
    mpq_set_d(a, x);
    mpq_set_d(d, y);
    mpq_set_d(t, z);
    mpq_sub(d, d, a);
    mpq_mul(mix->q, d, t);
    mpq_add(mix->q, mix->q, a);
    mpq_sub(t, t, a);
    mpq_set_ui(step->q, 0, 1);
    if (mpq_sgn(d) > 0 && mpq_sgn(t) > 0 && mpq_cmp(t, d) < 0) {
        mpq_div(t, t, d);
        mpq_add(a, t, t);
        mpq_set_ui(step->q, 3, 1);
        mpq_sub(step->q, step->q, a);
        mpq_mul(step->q, step->q, t);
        mpq_mul(step->q, step->q, t);
    }
    mpq_clears(t, d, a, NULL);
}

/* Decorated smoothstep and mix of operands of all exponents, against exact rational arithmetic. */
static void blends_of_all_exponents(void **state)
{
    (void)state;
    COVERS(MAX_ERROR);
    struct rng rng = rng_seed(42);
    struct exact step = {.is_root = 0}, mix = {.is_root = 0};
    size_t n_steps = 0, n_mixes = 0;
    mpq_inits(step.q, mix.q, NULL);
    for (int i = 0; i < 3000; i++) {
        float const bound = bounds[rng_below(&rng, ARRAY_N(bounds))];
        double const one = draw(&rng, -1070, 480), other = draw(&rng, -1070, 480);
        double const x = fmin(one, other), y = fmax(one, other);
        double const z = i % 2 != 0 ? x / 2 + y / 2 : draw(&rng, -1070, 480);
        struct func_args const args = {
            FMT_F64, {enc_of(x), enc_of(y), enc_of(z)},
             0
        };
        struct accuracy const a = decorated(ENV_CL, OP_opencl_std_smoothstep, FMT_F64, 1, bound);
        struct accuracy const b = decorated(ENV_VK, OP_glsl450_FMix, FMT_F64, 1, bound);
        struct set out;
        set_blends(x, y, z, &step, &mix);
        assert_true(accuracy_permitted(&a, ENV_CL, &args, &nearest, &out));
        n_steps += mpq_sgn(step.q) != 0 ? check_ends(&out, &step, (double)bound) : 0;
        assert_true(accuracy_permitted(&b, ENV_VK, &args, &nearest, &out));
        n_mixes += mpq_sgn(mix.q) != 0 ? check_ends(&out, &mix, (double)bound) : 0;
    }
    mpq_clears(step.q, mix.q, NULL);
    assert_true(n_steps > 15000 && n_mixes > 20000);
}

/* 1 + 2^-53 is half an ulp from both its neighbours; 2^-1000 more or less leaves one of them. */
static void a_last_bit_far_away_decides(void **state)
{
    (void)state;
    COVERS(MAX_ERROR);
    struct accuracy const a = decorated(ENV_CL, OP_core_Dot, FMT_F64, 3, 0.5F);
    for (int sign = -1; sign <= 1; sign++) {
        struct accuracy_operands const v = {
            .fmt = FMT_F64,
            .n_components = 3,
            .enc = {{enc_of(1), enc_of(0x1p-53), enc_of(0x1p-1000)},
                    {enc_of(1), enc_of(1), enc_of(sign)}}
        };
        struct set out;
        assert_true(accuracy_permitted_vector(&a, ENV_CL, &v, 0, &nearest, &out));
        assert_int_equal(set_has(&out, enc_of(1)), sign <= 0);
        assert_int_equal(set_has(&out, enc_of(1 + 0x1p-52)), sign >= 0);
        assert_int_equal(set_count(&out), sign == 0 ? 2 : 1);
    }
}

/* --- operands that may be flushed --- */

/* A vector of subnormals may be read as zeros, which normalize leaves as they are. */
static void subnormal_vectors_normalize(void **state)
{
    (void)state;
    COVERS(MATH_SPECIAL);
    struct accuracy const a = decorated(ENV_CL, OP_opencl_std_normalize, FMT_F32, 3, 3);
    struct accuracy_operands const v = {
        .fmt = FMT_F32, .n_components = 3, .enc = {{0x80000000, 0, 1}}};
    struct set out;
    assert_true(accuracy_permitted_vector(&a, ENV_CL, &v, 2, &may_flush, &out));
    assert_true(set_has(&out, 0x3f800000) && set_has(&out, 0));
    assert_true(!set_has(&out, 0x3f000000) && out.flags == 0);
    assert_true(accuracy_permitted_vector(&a, ENV_CL, &v, 0, &may_flush, &out));
    assert_true(set_has(&out, 0x80000000) && !set_has(&out, 0x3f800000) && out.flags == 0);
    assert_true(accuracy_permitted_vector(&a, ENV_CL, &v, 2, &nearest, &out));
    assert_true(set_has(&out, 0x3f800000) && !set_has(&out, 0));
}

/* Edges that may be flushed to the same zero may leave smoothstep undefined; those that may not, not. */
static void subnormal_edges_are_undefined(void **state)
{
    (void)state;
    COVERS(MATH_SPECIAL);
    struct accuracy const a = decorated(ENV_CL, OP_opencl_std_smoothstep, FMT_F32, 1, 3);
    struct func_args const args = {
        FMT_F32, {1, 5, 0x3f800000},
         0
    };
    struct set out;
    assert_true(accuracy_permitted(&a, ENV_CL, &args, &may_flush, &out));
    assert_true((out.flags & SET_ANY) != 0);
    assert_true(accuracy_permitted(&a, ENV_CL, &args, &nearest, &out));
    assert_true(set_has(&out, 0x3f800000) && !set_has(&out, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_all_exponents),
        cmocka_unit_test(blends_of_all_exponents),
        cmocka_unit_test(a_last_bit_far_away_decides),
        cmocka_unit_test(subnormal_vectors_normalize),
        cmocka_unit_test(subnormal_edges_are_undefined),
    };
    int const bad = cmocka_run_group_tests(tests, NULL, NULL);
    mp_release();
    return bad;
}
