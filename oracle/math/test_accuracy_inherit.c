/* oracle/math/test_accuracy_inherit.c -- derived results against the formulas evaluated in host floats. */
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
#include "oracle/math/accuracy_permitted.h"

#define COVERS(id) (void)CLAUSE_##id

static const struct float_format *const f32 = &float_formats[FMT_F32];

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static struct accuracy get(enum env env, int op, uint32_t n, int relaxed)
{
    struct accuracy_query const q = {.env = env,
                                     .op = op_rows[op].number,
                                     .fmt = FMT_F32,
                                     .full_profile = 1,
                                     .relaxed = relaxed,
                                     .n_components = n};
    return accuracy_get(&q);
}

/* Uniform in lo to hi. */
static float draw(struct rng *r, float lo, float hi)
{
    double const u = (double)(rng_next(r) >> 11) * 0x1p-53;
    return (float)((double)lo + u * ((double)hi - (double)lo));
}

/* --- formulas of one to three numbers, as Vulkan prints them, and their exact values --- */

static float my_fma(float x, float y, float z)
{
    return x * y + z;
}
static long double is_fma(long double x, long double y, long double z)
{
    return x * y + z;
}
static float my_pow(float x, float y, float z)
{
    (void)z;
    return exp2f(y * log2f(x));
}
static long double is_pow(long double x, long double y, long double z)
{
    (void)z;
    return powl(x, y);
}
static float my_sqrt(float x, float y, float z)
{
    (void)y, (void)z;
    return 1.0F / (1.0F / sqrtf(x));
}
static long double is_sqrt(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return sqrtl(x);
}
static float my_tan(float x, float y, float z)
{
    (void)y, (void)z;
    return sinf(x) / cosf(x);
}
static long double is_tan(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return tanl(x);
}
static float my_asin(float x, float y, float z)
{
    (void)y, (void)z;
    return atan2f(x, sqrtf(1.0F - x * x));
}
static long double is_asin(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return asinl(x);
}
static float my_acos(float x, float y, float z)
{
    (void)y, (void)z;
    return atan2f(sqrtf(1.0F - x * x), x);
}
static long double is_acos(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return acosl(x);
}
static float my_sinh(float x, float y, float z)
{
    (void)y, (void)z;
    return (expf(x) - expf(-x)) * 0.5F;
}
static long double is_sinh(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return sinhl(x);
}
static float my_cosh(float x, float y, float z)
{
    (void)y, (void)z;
    return (expf(x) + expf(-x)) * 0.5F;
}
static long double is_cosh(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return coshl(x);
}
static float my_tanh(float x, float y, float z)
{
    return my_sinh(x, y, z) / my_cosh(x, y, z);
}
static long double is_tanh(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return tanhl(x);
}
static float my_asinh(float x, float y, float z)
{
    (void)y, (void)z;
    return logf(x + sqrtf(x * x + 1.0F));
}
static long double is_asinh(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return asinhl(x);
}
static float my_acosh(float x, float y, float z)
{
    (void)y, (void)z;
    return logf(x + sqrtf(x * x - 1.0F));
}
static long double is_acosh(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return acoshl(x);
}
static float my_atanh(float x, float y, float z)
{
    (void)y, (void)z;
    return logf((1.0F + x) / (1.0F - x)) * 0.5F;
}
static long double is_atanh(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return atanhl(x);
}
static float my_radians(float x, float y, float z)
{
    (void)y, (void)z;
    return x * 0.01745329251994329577F;
}
static long double is_radians(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return x * 0.01745329251994329576923690768488613L;
}
static float my_degrees(float x, float y, float z)
{
    (void)y, (void)z;
    return x * 57.29577951308232F;
}
static long double is_degrees(long double x, long double y, long double z)
{
    (void)y, (void)z;
    return x * 57.29577951308232087679815481410517L;
}
static float my_mix(float x, float y, float a)
{
    return x * (1.0F - a) + y * a;
}
static long double is_mix(long double x, long double y, long double a)
{
    return x * (1 - a) + y * a;
}
static float my_smoothstep(float edge0, float edge1, float x)
{
    float const t = fminf(fmaxf((x - edge0) / (edge1 - edge0), 0.0F), 1.0F);
    return t * t * (3.0F - 2.0F * t);
}
static long double is_smoothstep(long double edge0, long double edge1, long double x)
{
    long double const t = fminl(fmaxl((x - edge0) / (edge1 - edge0), 0), 1);
    return t * t * (3 - 2 * t);
}
static float my_rem(float x, float y, float z)
{
    (void)z;
    return x - y * truncf(x / y);
}
static long double is_rem(long double x, long double y, long double z)
{
    (void)z;
    return fmodl(x, y);
}
static float my_mod(float x, float y, float z)
{
    (void)z;
    return x - y * floorf(x / y);
}
static long double is_mod(long double x, long double y, long double z)
{
    (void)z;
    long double const rest = fmodl(x, y);
    return rest < 0 ? rest + y : rest; /* y is positive here */
}

static const struct formula {
    int op;
    float (*formula)(float, float, float);
    long double (*exact)(long double, long double, long double);
    struct {
        float lo, hi;
    } arg[3];
    double loose; /* what is farther off than this share of 1 + |exact| is never permitted */
} formulas[] = {
    {OP_glsl450_Fma,        my_fma,        is_fma,        {{-9, 9}, {-9, 9}, {-9, 9}},       1e-4},
    {OP_glsl450_Pow,        my_pow,        is_pow,        {{0.1F, 9}, {-9, 9}, {0, 0}},      1e-2},
    {OP_glsl450_Sqrt,       my_sqrt,       is_sqrt,       {{0, 100}, {0, 0}, {0, 0}},        1e-4},
    {OP_glsl450_Tan,        my_tan,        is_tan,        {{-1.4F, 1.4F}, {0, 0}, {0, 0}},   0.1 },
    {OP_glsl450_Asin,       my_asin,       is_asin,       {{-1, 1}, {0, 0}, {0, 0}},         1e-2},
    {OP_glsl450_Acos,       my_acos,       is_acos,       {{-1, 1}, {0, 0}, {0, 0}},         1e-2},
    {OP_glsl450_Sinh,       my_sinh,       is_sinh,       {{-9, 9}, {0, 0}, {0, 0}},         1e-4},
    {OP_glsl450_Cosh,       my_cosh,       is_cosh,       {{-9, 9}, {0, 0}, {0, 0}},         1e-4},
    {OP_glsl450_Tanh,       my_tanh,       is_tanh,       {{-9, 9}, {0, 0}, {0, 0}},         1e-4},
    {OP_glsl450_Asinh,      my_asinh,      is_asinh,      {{-4, 50}, {0, 0}, {0, 0}},        1e-2},
    {OP_glsl450_Acosh,      my_acosh,      is_acosh,      {{1.01F, 50}, {0, 0}, {0, 0}},     1e-3},
    {OP_glsl450_Atanh,      my_atanh,      is_atanh,      {{-0.99F, 0.99F}, {0, 0}, {0, 0}}, 1e-3},
    {OP_glsl450_Radians,    my_radians,    is_radians,    {{-999, 999}, {0, 0}, {0, 0}},     1e-4},
    {OP_glsl450_Degrees,    my_degrees,    is_degrees,    {{-9, 9}, {0, 0}, {0, 0}},         1e-4},
    {OP_glsl450_FMix,       my_mix,        is_mix,        {{-9, 9}, {-9, 9}, {0, 1}},        1e-4},
    {OP_glsl450_SmoothStep, my_smoothstep, is_smoothstep, {{0, 1}, {2, 3}, {-1, 4}},         1e-4},
    {OP_core_FRem,          my_rem,        is_rem,        {{-9, 9}, {1, 2}, {0, 0}},         2.1 },
    {OP_core_FMod,          my_mod,        is_mod,        {{-9, 9}, {1, 2}, {0, 0}},         2.1 },
};
enum {
    N_INPUTS = 600 /* of each; more than 10^4 in all */
};

/* For each formula of Vulkan, the formula evaluated in float and the exact value are permitted; values far off are
 * not. */
static void formulas_are_permitted(void **state)
{
    (void)state;
    COVERS(MATH_INHERITED);
    static const struct fp_rules either = {.rounding = ROUND_EITHER};
    struct rng rng;
    size_t n_in = 0, n_out = 0;
    rng = rng_seed(20);
    for (size_t i = 0; i < ARRAY_N(formulas); i++) {
        const struct formula *w = &formulas[i];
        struct accuracy const a = get(ENV_VK, w->op, 1, 0);
        assert_int_equal(a.kind, ACCURACY_INHERITED);
        for (unsigned k = 0; k < N_INPUTS; k++) {
            float x[3];
            struct func_args args = {.fmt = FMT_F32};
            struct set out;
            for (unsigned m = 0; m < 3; m++) {
                x[m] = draw(&rng, w->arg[m].lo, w->arg[m].hi);
                args.enc[m] = bits_of(x[m]);
            }
            float const got = w->formula(x[0], x[1], x[2]);
            long double const exact =
                w->exact((long double)x[0], (long double)x[1], (long double)x[2]);
            float const off = (float)w->loose * (1 + fabsf((float)exact));
            assert_true(accuracy_permitted(&a, ENV_VK, &args, &either, &out));
            if (!set_has(&out, bits_of(got)) || !set_has(&out, bits_of((float)exact))) {
                fail_msg("%s(%a, %a, %a): %a, exactly %La, is refused", op_rows[w->op].name,
                         (double)x[0], (double)x[1], (double)x[2], (double)got, exact);
            }
            if (set_has(&out, bits_of((float)exact + off)) ||
                set_has(&out, bits_of((float)exact - off)) || set_has(&out, 0x7fc00000) ||
                set_has(&out, 0x7f800000)) {
                fail_msg("%s(%a, %a, %a): %g off is permitted", op_rows[w->op].name, (double)x[0],
                         (double)x[1], (double)x[2], (double)off);
            }
            n_in += 2;
            n_out += 4;
        }
    }
    assert_true(n_in > 20000 && n_out > 40000);
}

/* V env precision, note under the core table: FMod(x, x) may be x; and [x - E, x + E] has -2 for
 * FRem(6, 2), where the formula gives 0 or 2. Away from multiples the quotient leaves no doubt. */
static void remainders_by_hand(void **state)
{
    (void)state;
    COVERS(MATH_INHERITED);
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    struct accuracy const rem = get(ENV_VK, OP_core_FRem, 1, 0);
    struct accuracy const mod = get(ENV_VK, OP_core_FMod, 1, 0);
    struct func_args args = {
        FMT_F32, {bits_of(3), bits_of(3)},
         0
    };
    struct set out;
    assert_true(accuracy_permitted(&mod, ENV_VK, &args, &nearest, &out));
    assert_true(set_has(&out, bits_of(3)) && set_has(&out, 0) && set_has(&out, bits_of(-3)));
    assert_false(set_has(&out, bits_of(3.01F)));
    args.enc[0] = bits_of(6), args.enc[1] = bits_of(2);
    assert_true(accuracy_permitted(&rem, ENV_VK, &args, &nearest, &out));
    assert_true(set_has(&out, bits_of(2)) && set_has(&out, bits_of(-2)) && set_has(&out, 0));
    args.enc[0] = bits_of(7.5F);
    assert_true(accuracy_permitted(&rem, ENV_VK, &args, &nearest, &out));
    assert_true(set_has(&out, bits_of(1.5F)));
    assert_int_equal(set_count(&out), 1);
    args.enc[1] = 0; /* 7.5 / 0 is infinite, 0 times that a NaN: anything */
    assert_true(accuracy_permitted(&rem, ENV_VK, &args, &nearest, &out));
    assert_true(set_has(&out, 0x7fc00000) && set_has(&out, bits_of(17)));
}

/* CE relaxed, powr(x, y) as exp2(y * log2(x)): log2 within 2^-21 for x in [0.5, 2], so with y = 2^13 the exponent within
 * 2^-8. That is more values than are tried one by one, and farther from the exact power than its own 8192 ulps. */
static void a_wide_step_to_both_ends(void **state)
{
    (void)state;
    COVERS(MATH_RELAXED);
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    struct accuracy const power = get(ENV_CL, OP_opencl_std_powr, 1, 1);
    struct func_args const args = {
        FMT_F32, {bits_of(1 + 0x1p-13F), bits_of(0x1p13F)},
         0
    };
    struct set out;
    assert_true(accuracy_permitted(&power, ENV_CL, &args, &nearest, &out));
    double const exponent = 0x1p13 * log2(1 + 0x1p-13);
    for (int sixth = -7; sixth <= 7; sixth += 2) {
        float const got = (float)exp2(exponent + sixth / 6.0 * 0x1p-8);
        assert_int_equal(set_has(&out, bits_of(got)), abs(sixth) < 6);
    }
}

/* Where an intermediate step of a formula is a zero or an infinity, the function is defined all the same. */
static void poles_on_the_way(void **state)
{
    (void)state;
    COVERS(MATH_INHERITED);
    static const struct fp_rules either = {.rounding = ROUND_EITHER};
    static const struct {
        int op;
        float x, y, want, wrong;
    } cases[] = {
        {OP_glsl450_Sqrt,  0,    0, 0,         0.01F},
        {OP_glsl450_Asin,  1,    0, 1.570796F, 1.58F},
        {OP_glsl450_Acos,  -1,   0, 3.141593F, -3.1F},
        {OP_glsl450_Acosh, 1,    0, 0,         0.01F},
        {OP_glsl450_Asinh, 0,    0, 0,         0.01F},
        {OP_glsl450_Tanh,  0,    0, 0,         0.01F},
        {OP_glsl450_Tanh,  0.5F, 0, 0.462117F, 0.47F},
    };
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct accuracy const a = get(ENV_VK, cases[i].op, 1, 0);
        struct func_args const args = {
            FMT_F32, {bits_of(cases[i].x), bits_of(cases[i].y)},
             0
        };
        struct set out;
        assert_true(accuracy_permitted(&a, ENV_VK, &args, &either, &out));
        if (!set_has(&out, bits_of(cases[i].want)) || set_has(&out, bits_of(cases[i].wrong))) {
            fail_msg("%s(%g, %g)", op_rows[cases[i].op].name, (double)cases[i].x,
                     (double)cases[i].y);
        }
    }
    static const int undefined[] = {OP_glsl450_Sqrt, OP_glsl450_Asin, OP_glsl450_Acosh,
                                    OP_glsl450_Pow}; /* by way of log2(0) */
    static const float at[] = {-1, 1.5F, 0.5F, 0};
    for (size_t i = 0; i < ARRAY_N(undefined); i++) {
        struct accuracy const a = get(ENV_VK, undefined[i], 1, 0);
        struct func_args const args = {
            FMT_F32, {bits_of(at[i]), bits_of(2)},
             0
        };
        struct set out;
        assert_true(accuracy_permitted(&a, ENV_VK, &args, &either, &out));
        assert_true(set_has(&out, 0x7fc00000) && set_has(&out, bits_of(17)));
    }
}

/*
 * V env precision, correctly rounded: RoundingModeRTE "affects only correctly rounded instructions",
 * and acos, fma and degrees are none. By hand: x = 1 - 29 * 2^-24, x * x rounded up leaves
 * 1 - x * x = 57 * 2^-24 and a result 0.9 percent off; 180 / pi = 57.29577951 is between 57.29577637
 * and 57.29578018, which give -57.2883949 (0xc2652751) and -57.2884026 for x = -0.999871194.
 */
static void rounding_modes_leave_formulas_alone(void **state)
{
    (void)state;
    COVERS(MATH_INHERITED);
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    static const struct {
        int op;
        uint32_t x, in[3], out[2];
    } cases[] = {
        {OP_glsl450_Acos,
         0x3f7fffe3, {0x3af3a400, 0x3af3b46c, 0x3af1a000},
         {0x3aeff000, 0x3af80000}},
        {OP_glsl450_Degrees,
         0xbf7ff78f, {0xc2652751, 0xc2652752, 0xc2652753},
         {0xc2652750, 0xc2652754}},
    };
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct accuracy const a = get(ENV_VK, cases[i].op, 1, 0);
        struct func_args const args = {FMT_F32, {cases[i].x}, 0};
        struct set out;
        assert_true(accuracy_permitted(&a, ENV_VK, &args, &nearest, &out));
        for (unsigned k = 0; k < ARRAY_N(cases[i].in); k++) {
            assert_true(set_has(&out, cases[i].in[k]));
        }
        for (unsigned k = 0; k < ARRAY_N(cases[i].out); k++) {
            assert_false(set_has(&out, cases[i].out[k]));
        }
    }
}

/* "If NaN is one of the permitted values then the operation may return any result": infinities and
 * NaN among the operands as well. */
static void a_formula_that_gives_nan(void **state)
{
    (void)state;
    COVERS(MATH_INHERITED);
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    static const struct {
        int op;
        uint32_t x, y, z;
        int is_any;
    } cases[] = {
        {OP_glsl450_Fma,        0x7f800000, 0,          0x3f800000, 1}, /* inf * 0 */
        {OP_glsl450_Fma,        0x7fc00000, 0x3f800000, 0x3f800000, 1},
        {OP_glsl450_Fma,        0x7f800000, 0x3f800000, 0x3f800000, 0}, /* inf */
        {OP_glsl450_SmoothStep, 0xff800000, 0xbf800001, 0xbf7fffff, 1}, /* inf / inf */
        {OP_glsl450_FMix,       0x3f800000, 0x7f800000, 0,          1}, /* inf * 0 */
    };
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct accuracy const a = get(ENV_VK, cases[i].op, 1, 0);
        struct func_args const args = {
            FMT_F32, {cases[i].x, cases[i].y, cases[i].z},
             0
        };
        struct set out;
        assert_true(accuracy_permitted(&a, ENV_VK, &args, &nearest, &out));
        assert_int_equal(set_has(&out, bits_of(17)), cases[i].is_any);
        assert_true(cases[i].is_any || set_has(&out, 0x7f800000));
    }
}

/* x * (1 - a) + y * a as (y * a + x) - x * a, where y * a is known to a compiler: each step by hand in float. The next
 * number but three is that of no formula. */
static void a_mix_by_an_equivalent_formula(void **state)
{
    (void)state;
    COVERS(MATH_INHERITED);
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    struct accuracy const a = get(ENV_VK, OP_glsl450_FMix, 1, 0);
    struct func_args const args = {
        FMT_F32, {0x3ee7c034, 0x3ed01358, 0x3f513f04},
         0
    };
    struct set out;
    assert_true(accuracy_permitted(&a, ENV_VK, &args, &nearest, &out));
    assert_true(set_has(&out, 0x3ed46640) && set_has(&out, 0x3ed46642));
    assert_false(set_has(&out, 0x3ed46646));
}

/* GLSL.std.450 FMax: "y if x < y; otherwise x": the comparison may flush, the selection may not. */
static void a_maximum_by_flushed_comparison(void **state)
{
    (void)state;
    COVERS(MATH_EXACT);
    static const struct fp_rules may = {
        .rounding = ROUND_RNE, .flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};
    static const struct fp_rules must = {
        .rounding = ROUND_RNE, .flush_in = FLUSH_MAY, .flush_out = FLUSH_MUST};
    static const struct fp_rules never = {.rounding = ROUND_RNE};
    static const struct {
        int op;
        uint32_t x, y, got;
        const struct fp_rules *r;
        int is_permitted;
    } cases[] = {
        {OP_glsl450_FMax, 0x803ed790, 0x804c9e80, 0x804c9e80, &may,   1},
        {OP_glsl450_FMax, 0x803ed790, 0x804c9e80, 0x803ed790, &may,   1},
        {OP_glsl450_FMax, 0x803ed790, 0x804c9e80, 0x803ed791, &may,   0},
        {OP_glsl450_FMax, 0x803ed790, 0x804c9e80, 0x804c9e80, &never, 0},
        {OP_glsl450_FMax, 0x803ed790, 0x804c9e80, 0x804c9e80, &must,  0},
        {OP_glsl450_FMax, 0x80000002, 0x80000000, 0x80000002, &may,   1},
        {OP_glsl450_FMax, 0x803ed790, 0x3f800000, 0x803ed790, &may,   0}, /* below 1 either way */
        {OP_glsl450_FMin, 0x003ed790, 0x00000002, 0x003ed790, &may,   1},
        {OP_glsl450_FMin, 0x003ed790, 0xbf800000, 0x003ed790, &may,   0},
        {OP_glsl450_NMax, 0x803ed790, 0x804c9e80, 0x804c9e80, &may,   1},
    };
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct accuracy const a = get(ENV_VK, cases[i].op, 1, 0);
        struct func_args const args = {
            FMT_F32, {cases[i].x, cases[i].y},
             0
        };
        struct set out;
        assert_true(accuracy_permitted(&a, ENV_VK, &args, cases[i].r, &out));
        if (set_has(&out, cases[i].got) != cases[i].is_permitted) {
            fail_msg("%s(0x%x, 0x%x) = 0x%x", op_rows[cases[i].op].name, cases[i].x, cases[i].y,
                     cases[i].got);
        }
    }
}

/* --- OpenCL's derived implementations and other rows of one number --- */

/* OpenCL's unsafe formulas, evaluated in float, and all within 8192 ulp of the exact value are permitted; not much
 * more. */
static void relaxed_functions(void **state)
{
    (void)state;
    COVERS(MATH_RELAXED);
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    static const struct {
        int op;
        float (*formula)(float, float, float);
        long double (*exact)(long double, long double, long double);
        float lo, hi;
    } cases[] = {
        {OP_opencl_std_tan,   my_tan,   is_tan,   -1.4F,  1.4F },
        {OP_opencl_std_sinh,  my_sinh,  is_sinh,  -9,     9    },
        {OP_opencl_std_cosh,  my_cosh,  is_cosh,  -9,     9    },
        {OP_opencl_std_tanh,  my_tanh,  is_tanh,  -9,     9    },
        {OP_opencl_std_asinh, my_asinh, is_asinh, -4,     50   },
        {OP_opencl_std_acosh, my_acosh, is_acosh, 1.01F,  50   },
        {OP_opencl_std_atanh, my_atanh, is_atanh, -0.99F, 0.99F},
        {OP_opencl_std_pow,   my_pow,   is_pow,   0.1F,   9    },
    };
    struct rng rng;
    size_t n_checked = 0;
    rng = rng_seed(21);
    for (size_t i = 0; i < ARRAY_N(cases); i++) {
        struct accuracy const a = get(ENV_CL, cases[i].op, 1, 1);
        for (unsigned k = 0; k < 200; k++) {
            float const x = draw(&rng, cases[i].lo, cases[i].hi), y = draw(&rng, -3, 3);
            struct func_args const args = {
                FMT_F32, {bits_of(x), bits_of(y)},
                 0
            };
            long double const exact = cases[i].exact((long double)x, (long double)y, 0);
            long double const ulp = ref_ulp(f32, exact);
            struct set out;
            assert_true(accuracy_permitted(&a, ENV_CL, &args, &nearest, &out));
            assert_true(set_has(&out, bits_of(cases[i].formula(x, y, 0))));
            assert_true(set_has(&out, bits_of((float)(exact + 8190 * ulp))));
            assert_true(set_has(&out, bits_of((float)(exact - 8190 * ulp))));
            assert_false(set_has(&out, bits_of((float)(exact + 1 + fabsl(exact)))));
            n_checked += 4;
        }
    }
    assert_true(n_checked >= 6400);
    struct accuracy const pow_row = get(ENV_CL, OP_opencl_std_pow, 1, 1);
    struct func_args args = {
        FMT_F32, {bits_of(-2), bits_of(3)},
         0
    };
    struct set out; /* the sign of an odd power; undefined for a power that is no integer */
    assert_true(accuracy_permitted(&pow_row, ENV_CL, &args, &nearest, &out));
    assert_true(set_has(&out, bits_of(-8)) && !set_has(&out, bits_of(8)));
    args.enc[1] = bits_of(2.5F);
    assert_true(accuracy_permitted(&pow_row, ENV_CL, &args, &nearest, &out));
    assert_true(set_has(&out, bits_of(8)) && set_has(&out, 0x7fc00000));
}

/* mad: fused, or rounded twice, and nothing else. */
static void mad_is_one_of_two(void **state)
{
    (void)state;
    COVERS(MATH_EXACT);
    static const struct fp_rules nearest = {.rounding = ROUND_RNE};
    struct accuracy const a = get(ENV_CL, OP_opencl_std_mad, 1, 0);
    struct rng rng;
    size_t n_two = 0;
    rng = rng_seed(22);
    for (unsigned k = 0; k < 2000; k++) {
        float const x = draw(&rng, 1, 2), y = draw(&rng, 1, 2);
        float const z = -x * y + draw(&rng, -1e-6F, 1e-6F);
        struct func_args const args = {
            FMT_F32, {bits_of(x), bits_of(y), bits_of(z)},
             0
        };
        float const fused = fmaf(x, y, z), apart = x * y + z;
        struct set out;
        assert_true(accuracy_permitted(&a, ENV_CL, &args, &nearest, &out));
        assert_true(set_has(&out, bits_of(fused)) && set_has(&out, bits_of(apart)));
        assert_true(set_count(&out) <= 2);
        n_two += bits_of(fused) != bits_of(apart);
    }
    assert_true(n_two > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_permitted),
        cmocka_unit_test(remainders_by_hand),
        cmocka_unit_test(a_wide_step_to_both_ends),
        cmocka_unit_test(poles_on_the_way),
        cmocka_unit_test(rounding_modes_leave_formulas_alone),
        cmocka_unit_test(a_mix_by_an_equivalent_formula),
        cmocka_unit_test(a_maximum_by_flushed_comparison),
        cmocka_unit_test(a_formula_that_gives_nan),
        cmocka_unit_test(relaxed_functions),
        cmocka_unit_test(mad_is_one_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
