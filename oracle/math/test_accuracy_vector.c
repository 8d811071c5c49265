/* oracle/math/test_accuracy_vector.c -- vectors, second results and integers, against host arithmetic. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/ops.h"
#include "oracle/func/test_func_ref.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/math/accuracy_permitted.h"

#define COVERS(id) (void)CLAUSE_##id

static const struct float_format *const f32 = &float_formats[FMT_F32];
static const struct fp_rules nearest = {.rounding = ROUND_RNE};
static const struct fp_rules either = {.rounding = ROUND_EITHER};

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t bits64_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static struct accuracy get(enum env env, int op, enum fmt_id fmt, uint32_t n)
{
    struct accuracy_query const q = {
        .env = env, .op = op_rows[op].number, .fmt = fmt, .full_profile = 1, .n_components = n};
    return accuracy_get(&q);
}

/* Two vectors of n floats, and a third. */
struct vectors {
    uint32_t n;
    float x[3][4];
};

static struct vectors draw(struct rng *r, uint32_t n)
{
    struct vectors v = {.n = n};
    for (unsigned i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < n; k++) {
            double const u = (double)(rng_next(r) >> 11) * 0x1p-53;
            v.x[i][k] = (float)(u * 8 - 4);
        }
    }
    return v;
}

static struct accuracy_operands to_operands(const struct vectors *v)
{
    struct accuracy_operands o = {.fmt = FMT_F32, .n_components = v->n};
    for (unsigned i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < v->n; k++) {
            o.enc[i][k] = bits_of(v->x[i][k]);
        }
    }
    return o;
}

/* --- OpenCL: bounds about the exact value --- */

static long double exact_dot(const struct vectors *v, unsigned a, unsigned b)
{
    long double sum = 0;
    for (uint32_t k = 0; k < v->n; k++) {
        sum += (long double)v->x[a][k] * (long double)v->x[b][k];
    }
    return sum;
}

static long double exact_distance(const struct vectors *v)
{
    long double sum = 0;
    for (uint32_t k = 0; k < v->n; k++) {
        long double const d = (long double)v->x[0][k] - (long double)v->x[1][k];
        sum += d * d;
    }
    return sqrtl(sum);
}

/* Every encoding within `slack` of the value is in, every other out; 1e-6 of it is left open. */
static size_t check_about(const struct set *s, long double exact, long double slack)
{
    int64_t const ends[] = {format_to_key(f32, bits_of((float)(exact - slack))),
                            format_to_key(f32, bits_of((float)(exact + slack))),
                            format_to_key(f32, bits_of((float)exact))};
    size_t n_checked = 0;
    for (size_t i = 0; i < ARRAY_N(ends); i++) {
        for (int64_t k = -3; k <= 3; k++) {
            uint64_t const enc = format_from_key(f32, ends[i] + k);
            long double const error = fabsl(ref_value(f32, enc) - exact);
            if (fabsl(error - slack) > 1e-6L * slack) {
                assert_int_equal(set_has(s, enc), error < slack);
                n_checked++;
            }
        }
    }
    return n_checked;
}

/* Compares the permitted sets of length, distance, dot and normalize with the bounds of the specification. Returns
 * a count. */
static size_t check_opencl(const struct vectors *v)
{
    struct accuracy_operands const o = to_operands(v);
    uint32_t const n = v->n;
    long double const length = sqrtl(exact_dot(v, 0, 0)), distance = exact_distance(v);
    struct accuracy const a[] = {get(ENV_CL, OP_opencl_std_length, FMT_F32, n),
                                 get(ENV_CL, OP_opencl_std_distance, FMT_F32, n),
                                 get(ENV_CL, OP_core_Dot, FMT_F32, n),
                                 get(ENV_CL, OP_opencl_std_normalize, FMT_F32, n)};
    struct set out;
    size_t n_checked = 0;
    assert_true(accuracy_permitted_vector(&a[0], ENV_CL, &o, 0, &nearest, &out));
    n_checked += check_about(&out, length, (2.75L + 0.5L * n) * ref_ulp(f32, length));
    assert_true(accuracy_permitted_vector(&a[1], ENV_CL, &o, 0, &nearest, &out));
    n_checked += check_about(&out, distance, (2.5L + 2.0L * n) * ref_ulp(f32, distance));
    long double max = 0;
    for (uint32_t k = 0; k < n; k++) {
        max = fmaxl(max, fmaxl(fabsl((long double)v->x[0][k]), fabsl((long double)v->x[1][k])));
    }
    assert_true(accuracy_permitted_vector(&a[2], ENV_CL, &o, 0, &nearest, &out));
    n_checked += check_about(&out, exact_dot(v, 0, 1), max * max * (2 * n - 1) * 0x1p-23L);
    for (uint32_t k = 0; k < n; k++) {
        long double const e = (long double)v->x[0][k] / length;
        assert_true(accuracy_permitted_vector(&a[3], ENV_CL, &o, k, &nearest, &out));
        n_checked += check_about(&out, e, (2.0L + n) * ref_ulp(f32, e));
    }
    return n_checked;
}

static void opencl_vectors(void **state)
{
    (void)state;
    COVERS(MATH_ULP);
    struct rng rng = rng_seed(30);
    size_t n_checked = 0;
    for (unsigned i = 0; i < 300; i++) {
        struct vectors const v = draw(&rng, 2 + i % 3);
        n_checked += check_opencl(&v);
    }
    assert_true(n_checked > 25000);
}

/* CC numerics, edge cases of normalize; length of infinities and NaN. */
static void special_vectors(void **state)
{
    (void)state;
    COVERS(MATH_SPECIAL);
    struct accuracy const normalize = get(ENV_CL, OP_opencl_std_normalize, FMT_F32, 2);
    struct accuracy const length = get(ENV_CL, OP_opencl_std_length, FMT_F32, 2);
    struct accuracy_operands v = {.fmt = FMT_F32, .n_components = 2};
    struct set out;
    v.enc[0][0] = 0x80000000;
    assert_true(accuracy_permitted_vector(&normalize, ENV_CL, &v, 0, &nearest, &out));
    assert_true(set_has(&out, 0x80000000) && set_count(&out) == 1);
    assert_true(accuracy_permitted_vector(&length, ENV_CL, &v, 0, &nearest, &out));
    assert_true(set_has(&out, 0) && set_has(&out, 3) && !set_has(&out, 4)); /* 3.75 ulps of 0 */
    v.enc[0][0] = 0xff800000, v.enc[0][1] = bits_of(3);                     /* -1, 0 */
    assert_true(accuracy_permitted_vector(&normalize, ENV_CL, &v, 0, &nearest, &out));
    assert_true(set_has(&out, bits_of(-1)) && !set_has(&out, 0x7fc00000));
    assert_true(accuracy_permitted_vector(&normalize, ENV_CL, &v, 1, &nearest, &out));
    assert_true(set_has(&out, 0) && !set_has(&out, bits_of(0.5F)));
    assert_true(accuracy_permitted_vector(&length, ENV_CL, &v, 0, &nearest, &out));
    assert_true(set_has(&out, 0x7f800000) && set_count(&out) == 1);
    v.enc[0][1] = 0x7fc00000;
    assert_true(accuracy_permitted_vector(&normalize, ENV_CL, &v, 0, &nearest, &out));
    assert_true(set_has(&out, 0x7fc00000) && set_count(&out) == 1);
}

/* --- Vulkan: formulas in float --- */

static float float_dot(const struct vectors *v, unsigned a, unsigned b)
{
    float sum = 0;
    for (uint32_t k = 0; k < v->n; k++) {
        sum += v->x[a][k] * v->x[b][k];
    }
    return sum;
}

static float float_backward_dot(const struct vectors *v, unsigned a, unsigned b)
{
    float sum = 0;
    for (uint32_t k = v->n; k-- > 0;) {
        sum = fmaf(v->x[a][k], v->x[b][k], sum);
    }
    return sum;
}

static size_t expect_near(int op, const struct vectors *v, uint32_t component, float got, float off)
{
    struct accuracy_operands o = to_operands(v);
    struct accuracy const a = get(ENV_VK, op, FMT_F32, v->n);
    struct set out;
    if (op == OP_glsl450_Refract) {
        for (uint32_t k = 1; k < v->n; k++) {
            o.enc[2][k] = 0;
        }
    }
    assert_int_equal(a.kind, ACCURACY_INHERITED);
    assert_true(accuracy_permitted_vector(&a, ENV_VK, &o, component, &either, &out));
    if (!set_has(&out, bits_of(got)) || set_has(&out, bits_of(got + off)) ||
        set_has(&out, bits_of(got - off)) || set_has(&out, 0x7fc00000)) {
        fail_msg("%s: component %u: %a, off %g", op_rows[op].name, component, (double)got,
                 (double)off);
    }
    return 3;
}

/* refract(I, N, eta) as printed, and whether k is far enough from 0 to be of one sign. */
static int float_refract(const struct vectors *v, uint32_t i, float *out)
{
    float const eta = v->x[2][0], d = float_dot(v, 1, 0);
    float const k = 1.0F - eta * eta * (1.0F - d * d);
    *out = k < 0.0F ? 0.0F : eta * v->x[0][i] - (eta * d + sqrtf(k)) * v->x[1][i];
    return fabsf(k) > 0.5F;
}

/* Compares the permitted sets of Vulkan's vector functions with their formulas evaluated in float. Returns a
 * count. */
static size_t check_vulkan(struct vectors *v)
{
    size_t n = 0;
    float const off = 1e-2F;
    struct vectors difference = *v;
    for (uint32_t k = 0; k < v->n; k++) {
        difference.x[0][k] = v->x[0][k] - v->x[1][k];
    }
    float const length = sqrtf(float_dot(v, 0, 0));
    n += expect_near(OP_core_Dot, v, 0, float_dot(v, 0, 1), off);
    n += expect_near(OP_core_Dot, v, 0, float_backward_dot(v, 0, 1), off);
    n += expect_near(OP_glsl450_Length, v, 0, length, off);
    n += expect_near(OP_glsl450_Distance, v, 0, sqrtf(float_dot(&difference, 0, 0)), off);
    for (uint32_t k = 0; k < v->n; k++) {
        float refracted;
        float const twice = 2.0F * float_dot(v, 1, 0), turned = float_dot(v, 2, 1);
        n += expect_near(OP_glsl450_Normalize, v, k, v->x[0][k] * (1.0F / length), off);
        n += expect_near(OP_glsl450_Reflect, v, k, v->x[0][k] - twice * v->x[1][k], off);
        if (fabsf(turned) > 0.01F) {
            n += expect_near(OP_glsl450_FaceForward, v, k, turned < 0 ? v->x[0][k] : -v->x[0][k],
                             1e-3F);
        }
        if (float_refract(v, k, &refracted)) {
            n += expect_near(OP_glsl450_Refract, v, k, refracted, 0.1F);
        }
        if (v->n == 3) {
            uint32_t const i = (k + 1) % 3, j = (k + 2) % 3;
            float const c = v->x[0][i] * v->x[1][j] - v->x[1][i] * v->x[0][j];
            n += expect_near(OP_glsl450_Cross, v, k, c, off);
        }
    }
    return n;
}

static void vulkan_vectors(void **state)
{
    (void)state;
    COVERS(MATH_INHERITED);
    struct rng rng = rng_seed(31);
    size_t n_checked = 0;
    for (unsigned i = 0; i < 200; i++) {
        struct vectors v = draw(&rng, 2 + i % 3);
        n_checked += check_vulkan(&v);
    }
    assert_true(n_checked > 8000);
}

/* V env precision: f64 keeps f32's bound, in f32's ulps; strictly, its own. */
static void doubles_as_precise_as_floats(void **state)
{
    (void)state;
    COVERS(MATH_F64);
    static const int ops[] = {OP_glsl450_Sqrt, OP_glsl450_InverseSqrt, OP_core_FAdd};
    for (size_t i = 0; i < ARRAY_N(ops); i++) {
        struct accuracy const a = get(ENV_VK, ops[i], FMT_F64, 1);
        struct accuracy_query q = a.query;
        q.strict_f64 = 1;
        struct accuracy const strict = accuracy_get(&q);
        double const exact = ops[i] == OP_glsl450_Sqrt          ? sqrt(2.0)
                             : ops[i] == OP_glsl450_InverseSqrt ? 1 / sqrt(2.0)
                                                                : 2.1;
        struct func_args const args = {
            FMT_F64, {bits64_of(2), ops[i] == OP_core_FAdd ? bits64_of(0.1) : 0},
             0
        };
        struct set loose_set, strict_set;
        assert_true(accuracy_permitted(&a, ENV_VK, &args, &either, &loose_set));
        assert_true(accuracy_permitted(&strict, ENV_VK, &args, &either, &strict_set));
        assert_true(set_has(&loose_set, bits64_of(exact)));
        assert_true(set_has(&strict_set, bits64_of(exact)));
        assert_true(set_has(&loose_set, bits64_of((double)(float)exact)));
        assert_false(set_has(&strict_set, bits64_of((double)(float)exact)));
        assert_false(set_has(&loose_set, bits64_of(exact * 1.00001)));
        assert_int_equal(accuracy_get_clause(&a), CLAUSE_MATH_F64);
    }
}

/* --- several results --- */

/* Both results of modf, frexp and sincos, against the C library. */
static void second_results(void **state)
{
    (void)state;
    COVERS(MATH_EXACT);
    struct accuracy const sincos_row = get(ENV_CL, OP_opencl_std_sincos, FMT_F32, 1);
    struct accuracy const modf_row = get(ENV_CL, OP_opencl_std_modf, FMT_F32, 1);
    struct accuracy const frexp_row = get(ENV_CL, OP_opencl_std_frexp, FMT_F32, 1);
    struct rng rng = rng_seed(32);
    for (unsigned i = 0; i < 500; i++) {
        float const x = ((float)(rng_next(&rng) >> 40) - 8388608.0F) * 0x1p-19F;
        struct func_args const args = {FMT_F32, {bits_of(x)}, 0};
        float whole;
        int exponent;
        float const part = modff(x, &whole), significand = frexpf(x, &exponent);
        struct set out;
        struct accuracy_int integer;
        assert_true(accuracy_permitted(&modf_row, ENV_CL, &args, &nearest, &out));
        assert_true(set_has(&out, bits_of(part)) && set_count(&out) == 1);
        assert_true(accuracy_permitted_second(&modf_row, ENV_CL, &args, &nearest, &out));
        assert_true(set_has(&out, bits_of(whole)) && set_count(&out) == 1);
        assert_true(accuracy_permitted(&frexp_row, ENV_CL, &args, &nearest, &out));
        assert_true(set_has(&out, bits_of(significand)) && set_count(&out) == 1);
        assert_true(accuracy_permitted_int(&frexp_row, &args, &nearest, &integer));
        assert_true(accuracy_int_has(&integer, exponent));
        assert_false(accuracy_int_has(&integer, exponent + 1));
        assert_true(accuracy_permitted(&sincos_row, ENV_CL, &args, &nearest, &out));
        assert_true(set_has(&out, bits_of((float)sinl((long double)x))));
        assert_true(accuracy_permitted_second(&sincos_row, ENV_CL, &args, &nearest, &out));
        assert_true(set_has(&out, bits_of((float)cosl((long double)x))));
        assert_false(set_has(&out, bits_of((float)cosl((long double)x) + 0.01F)));
    }
}

/* Integer results that are permitted and not permitted, worked out by hand. */
static void integers_by_hand(void **state)
{
    (void)state;
    COVERS(MATH_EXACT);
    static const struct {
        int op;
        uint32_t x, y;
        int32_t yes, no;
    } cases[] = {
        {OP_opencl_std_ilogb,    0x3f800000, 0,          0,       1   },
        {OP_opencl_std_ilogb,    0x00000001, 0,          -149,    -126},
        {OP_opencl_std_ilogb,    0x007fffff, 0,          -127,    -126},
        {OP_opencl_std_ilogb,    0,          0,          INT_MIN, -149},
        {OP_opencl_std_ilogb,    0xff800000, 0,          INT_MAX, 128 },
        {OP_opencl_std_ilogb,    0x7fc00000, 0,          INT_MAX, 128 },
        {OP_opencl_std_frexp,    0x00000001, 0,          -148,    -149},
        {OP_opencl_std_frexp,    0x80000000, 0,          0,       1   },
        {OP_opencl_std_remquo,   0x41200000, 0x40400000, 3,       2   }, /* 10, 3 */
        {OP_opencl_std_remquo,   0xc1200000, 0x40400000, -3,      3   },
        {OP_opencl_std_remquo,   0x41200000, 0x40400000, 131,     4   }, /* 3 + 128 */
        {OP_opencl_std_lgamma_r, 0xbf000000, 0,          -1,      1   }, /* gamma(-0.5) < 0 */
        {OP_opencl_std_lgamma_r, 0xbfc00000, 0,          1,       -1  }, /* gamma(-1.5) > 0 */
        {OP_opencl_std_lgamma_r, 0x40490fdb, 0,          1,       -1  },
    };
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct accuracy const a = get(ENV_CL, cases[i].op, FMT_F32, 1);
        struct func_args const args = {
            FMT_F32, {cases[i].x, cases[i].y},
             0
        };
        struct accuracy_int out;
        assert_true(accuracy_permitted_int(&a, &args, &nearest, &out));
        if (!accuracy_int_has(&out, cases[i].yes) || accuracy_int_has(&out, cases[i].no)) {
            fail_msg("%s(0x%x, 0x%x)", op_rows[cases[i].op].name, cases[i].x, cases[i].y);
        }
    }
    static const struct fp_rules flushing = {.rounding = ROUND_RNE, .flush_in = FLUSH_MAY};
    struct accuracy const gamma = get(ENV_CL, OP_opencl_std_lgamma_r, FMT_F32, 1);
    for (int flush = 0; flush <= 1; flush++) { /* gamma(-2^-149) < 0; of a zero 0 is stored */
        struct func_args const tiny = {FMT_F32, {0x80000001}, 0};
        struct accuracy_int out;
        assert_true(accuracy_permitted_int(&gamma, &tiny, flush ? &flushing : &nearest, &out));
        assert_true(accuracy_int_has(&out, -1));
        assert_int_equal(accuracy_int_has(&out, 0), flush);
        assert_false(accuracy_int_has(&out, 1));
    }
    struct accuracy const none = get(ENV_CL, OP_opencl_std_exp, FMT_F32, 1);
    struct func_args const args = {.fmt = FMT_F32};
    struct accuracy_int out;
    assert_false(accuracy_permitted_int(&none, &args, &nearest, &out));
}

/* Instructions whose text is their own: clamps, blends outside of their domain, fmax_common. */
static void texts_of_their_own(void **state)
{
    (void)state;
    COVERS(MATH_IMPL);
    COVERS(MATH_SPECIAL);
    static const uint32_t nan = 0x7fc00000, inf = 0x7f800000, any = 0x12345678;
    static const struct {
        enum env env;
        int op;
        uint32_t x, y, z, yes;
        int takes_anything;
    } cases[] = {
        {ENV_CL, OP_opencl_std_fclamp,      0x40400000, 0,          0x3f800000, 0x3f800000, 0},
        {ENV_CL, OP_opencl_std_fclamp,      0x40400000, 0x3f800000, 0,          any,        1},
        {ENV_CL, OP_opencl_std_mix,         0,          0x3f800000, 0x40000000, any,        1},
        {ENV_CL, OP_opencl_std_mix,         0x5f000000, 0x3e892463, 0x3e892463, 0x5ebb6dce, 0},
        {ENV_CL, OP_opencl_std_mix,         0x5f000000, 0x3e892463, 0x3e892463, 0x5ebb6dcf, 0},
        {ENV_CL, OP_opencl_std_smoothstep,  0x3f800000, 0x3f800000, 0,          any,        1},
        {ENV_CL, OP_opencl_std_smoothstep,  0xff2b65de, 0x7ed999cd, 0x7f4b11e8, 0,          1},
        {ENV_CL, OP_opencl_std_smoothstep,  0xfe99999a, 0x7ed999cd, 0x7f4b11e8, 0x3f800000, 0},
        {ENV_CL, OP_opencl_std_fmax_common, 0x40400000, 0x3f800000, 0,          0x40400000, 0},
        {ENV_CL, OP_opencl_std_fmax_common, inf,        0x3f800000, 0,          any,        1},
        {ENV_CL, OP_opencl_std_native_sin,  0x3f800000, 0,          0,          any,        1},
        {ENV_CL, OP_opencl_std_native_sin,  inf,        0,          0,          any,        1},
        {ENV_CL, OP_opencl_std_lgamma,      inf,        0,          0,          inf,        0},
        {ENV_CL, OP_opencl_std_lgamma,      0x40400000, 0,          0,          any,        1},
        {ENV_VK, OP_glsl450_NMin,           nan,        0x3f800000, 0,          0x3f800000, 0},
        {ENV_VK, OP_glsl450_FMin,           nan,        0x3f800000, 0,          any,        1},
        {ENV_VK, OP_glsl450_NClamp,         nan,        0x3f800000, 0x40000000, 0x3f800000, 0},
        {ENV_VK, OP_glsl450_FClamp,         0,          0x3f800000, 0x40000000, 0x3f800000, 0},
        {ENV_VK, OP_glsl450_SmoothStep,     0x3f800000, 0,          0,          any,        1},
        {ENV_VK, OP_core_QuantizeToF16,     0x3f800001, 0,          0,          0x3f802000, 0},
        {ENV_VK, OP_core_QuantizeToF16,     0x33800000, 0,          0,          0,          0},
        {ENV_VK, OP_core_QuantizeToF16,     0x49742400, 0,          0,          inf,        0},
        {ENV_VK, OP_core_QuantizeToF16,     0x387ffffe, 0,          0,          0,          0},
        {ENV_VK, OP_core_QuantizeToF16,     0x387ffffe, 0,          0,          0x38800000, 0},
    };
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct accuracy const a = get(cases[i].env, cases[i].op, FMT_F32, 1);
        struct func_args const args = {
            FMT_F32, {cases[i].x, cases[i].y, cases[i].z},
             0
        };
        struct set out;
        assert_true(accuracy_permitted(&a, cases[i].env, &args, &either, &out));
        if (!set_has(&out, cases[i].yes) || set_has(&out, any) != cases[i].takes_anything) {
            fail_msg("%s(0x%x, 0x%x, 0x%x)", op_rows[cases[i].op].name, cases[i].x, cases[i].y,
                     cases[i].z);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opencl_vectors),     cmocka_unit_test(special_vectors),
        cmocka_unit_test(vulkan_vectors),     cmocka_unit_test(doubles_as_precise_as_floats),
        cmocka_unit_test(second_results),     cmocka_unit_test(integers_by_hand),
        cmocka_unit_test(texts_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
