/* oracle/math/test_special.c -- zeros, infinities and NaN of remainders, angles, modf, frexp, remquo and lgamma_r:
 * on each side of what their texts say, by hand and against the C library. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/ops.h"
#include "oracle/math/accuracy.h"
#include "oracle/math/accuracy_int.h"
#include "oracle/math/accuracy_permitted.h"
#include "oracle/num/mp.h"

#define COVERS(id) (void)CLAUSE_##id

enum {
    ONE = 0x3f800000,
    TWO = 0x40000000,
    THREE = 0x40400000,
    SIX = 0x40c00000,
    PINF = 0x7f800000,
    QNAN = 0x7fc00000
};
#define SIGN 0x80000000U

extern double lgamma_r(double, int *); /* POSIX has it as an extension */

static const struct fp_rules keeps = {.rounding = ROUND_RNE};
static const struct fp_rules flushes = {
    .rounding = ROUND_RNE, .flush_in = FLUSH_MAY, .flush_out = FLUSH_MAY};
static const struct fp_rules either = {.rounding = ROUND_EITHER};

static struct accuracy get(enum env env, int op, enum fmt_id fmt)
{
    struct accuracy_query const q = {
        .env = env, .op = op_rows[op].number, .fmt = fmt, .full_profile = 1, .n_components = 1};
    return accuracy_get(&q);
}

static struct set permit(enum env env, int op, const struct fp_rules *r, uint64_t x, uint64_t y)
{
    struct accuracy const a = get(env, op, FMT_F32);
    struct func_args const args = {
        .fmt = FMT_F32, .enc = {x, y}
    };
    struct set s;
    assert_true(accuracy_permitted(&a, env, &args, r, &s));
    return s;
}

static struct set permit_second(enum env env, int op, const struct fp_rules *r, uint64_t x)
{
    struct accuracy const a = get(env, op, FMT_F32);
    struct func_args const args = {.fmt = FMT_F32, .enc = {x}};
    struct set s;
    assert_true(accuracy_permitted_second(&a, env, &args, r, &s));
    return s;
}

/* S 3.3.13: "if r is not 0, the sign of r is the same as the sign of Operand" 1, 2; a zero may have either sign.
 * The sign of OpenCL.std's fmod, which is C's, is that of x. */
static void zeros_of_remainders(void **state)
{
    (void)state;
    COVERS(MATH_NO_ROW);
    static const uint32_t signs[] = {0, SIGN};
    size_t n = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t const x = SIX | signs[i & 1], y = THREE | signs[i >> 1];
        for (int env = 0; env < ENV_N; env++) {
            struct set const rem = permit((enum env)env, OP_core_FRem, &either, x, y);
            struct set const mod = permit((enum env)env, OP_core_FMod, &either, x, y);
            assert_true(set_has(&rem, 0) && set_has(&rem, SIGN));
            assert_true(set_has(&mod, 0) && set_has(&mod, SIGN));
            assert_false(set_has(&rem, PINF) || set_has(&mod, QNAN));
            n++;
        }
        struct set const exact = permit(ENV_CL, OP_core_FRem, &keeps, x, y);
        struct set const c = permit(ENV_CL, OP_opencl_std_fmod, &keeps, x, y);
        assert_int_equal(set_count(&exact), 2);
        assert_true(set_has(&c, signs[i & 1]) && set_count(&c) == 1);
    }
    assert_true(n == 8);
    struct set const signed_one = permit(ENV_CL, OP_core_FMod, &keeps, ONE | SIGN, THREE);
    assert_true(set_has(&signed_one, TWO) && set_count(&signed_one) == 1);
}

/* CC: (180 / pi) * radians within 2 ulp, which says nothing of the sign of a zero; nor does GLSL.std.450. */
static void angles_of_zero(void **state)
{
    (void)state;
    COVERS(MATH_ULP);
    static const int ops[ENV_N][2] = {
        [ENV_CL] = {OP_opencl_std_degrees, OP_opencl_std_radians},
        [ENV_VK] = {OP_glsl450_Degrees,    OP_glsl450_Radians   },
    };
    for (int env = 0; env < ENV_N; env++) {
        for (unsigned i = 0; i < 4; i++) {
            uint64_t const x = i & 1 ? SIGN : 0;
            struct set const s = permit((enum env)env, ops[env][i >> 1], &keeps, x, 0);
            assert_true(set_has(&s, 0) && set_has(&s, SIGN));
            assert_false(set_has(&s, 3) || set_has(&s, ONE) || set_has(&s, QNAN));
            assert_int_equal(set_has(&s, 2), env == ENV_CL); /* ulps of zero */
        }
        struct set const one = permit((enum env)env, ops[env][0], &keeps, ONE, 0);
        assert_true(set_has(&one, 0x42652ee1)); /* 57.29578 */
        assert_false(set_has(&one, 0) || set_has(&one, 0x42652ee1 | SIGN));
    }
}

/* GLSL.std.450: "Both members get the same sign as x", "modf(+-Inf) = { +-0, +-Inf }"; Modf does not say
 * the latter, and none of a NaN. CE: modf is copysign(isinf(x) ? 0 : x - trunc(x), x). */
static void parts_of_modf(void **state)
{
    (void)state;
    COVERS(MATH_SPECIAL);
    static const struct {
        enum env env;
        int op;
        uint32_t x, fraction, whole; /* QNAN: anything */
    } rows[] = {
        {ENV_CL, OP_opencl_std_modf,    SIGN,        SIGN,       SIGN       },
        {ENV_CL, OP_opencl_std_modf,    TWO | SIGN,  SIGN,       TWO | SIGN },
        {ENV_CL, OP_opencl_std_modf,    PINF | SIGN, SIGN,       PINF | SIGN},
        {ENV_VK, OP_glsl450_ModfStruct, SIGN,        SIGN,       SIGN       },
        {ENV_VK, OP_glsl450_ModfStruct, TWO | SIGN,  SIGN,       TWO | SIGN },
        {ENV_VK, OP_glsl450_ModfStruct, 0xbf000000,  0xbf000000, SIGN       },
        {ENV_VK, OP_glsl450_ModfStruct, PINF | SIGN, SIGN,       PINF | SIGN},
        {ENV_VK, OP_glsl450_ModfStruct, PINF,        0,          PINF       },
        {ENV_VK, OP_glsl450_ModfStruct, QNAN,        QNAN,       QNAN       },
        {ENV_VK, OP_glsl450_Modf,       SIGN,        SIGN,       SIGN       },
        {ENV_VK, OP_glsl450_Modf,       PINF,        QNAN,       QNAN       },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct set const part = permit(rows[i].env, rows[i].op, &keeps, rows[i].x, 0);
        struct set const whole = permit_second(rows[i].env, rows[i].op, &keeps, rows[i].x);
        uint32_t const want[2] = {rows[i].fraction, rows[i].whole};
        const struct set *const got[2] = {&part, &whole};
        for (unsigned k = 0; k < 2; k++) {
            int const is_any = (got[k]->flags & SET_ANY) != 0;
            if (want[k] == QNAN ? !is_any
                                : is_any || set_count(got[k]) != 1 || !set_has(got[k], want[k])) {
                fail_msg("%s of 0x%x, part %u", op_rows[rows[i].op].name, rows[i].x, k);
            }
        }
    }
    struct fp_rules const free_sign = {.rounding = ROUND_RNE, .zero_sign_free = 1};
    struct set const two = permit(ENV_VK, OP_glsl450_ModfStruct, &free_sign, TWO, 0);
    assert_true(set_has(&two, 0) && set_has(&two, SIGN)); /* NSZ, as by default */
    struct set const tiny = permit_second(ENV_VK, OP_glsl450_ModfStruct, &flushes, 1);
    assert_true(set_has(&tiny, 0) && set_has(&tiny, SIGN)); /* of what was flushed */
}

static struct accuracy_int integers(enum env env, int op, const struct fp_rules *r, uint64_t x,
                                    uint64_t y)
{
    struct accuracy const a = get(env, op, FMT_F32);
    struct func_args const args = {
        .fmt = FMT_F32, .enc = {x, y}
    };
    struct accuracy_int out;
    assert_true(accuracy_permitted_int(&a, &args, r, &out));
    return out;
}

/* CE numerics, "Additional Requirements": 0 is stored, and nothing else. */
static void second_results_that_are_prescribed(void **state)
{
    (void)state;
    COVERS(MATH_SPECIAL);
    static const struct {
        int op;
        uint32_t x, y;
    } zeros[] = {
        {OP_opencl_std_frexp,    PINF,         0   },
        {OP_opencl_std_frexp,    PINF | SIGN,  0   },
        {OP_opencl_std_frexp,    QNAN,         0   },
        {OP_opencl_std_frexp,    PINF | 1,     0   }, /* signalling */
        {OP_opencl_std_remquo,   PINF,         TWO },
        {OP_opencl_std_remquo,   PINF | SIGN,  PINF},
        {OP_opencl_std_remquo,   ONE,          0   },
        {OP_opencl_std_remquo,   0,            SIGN},
        {OP_opencl_std_remquo,   QNAN,         ONE },
        {OP_opencl_std_remquo,   ONE,          QNAN},
        {OP_opencl_std_remquo,   ONE,          PINF},
        {OP_opencl_std_lgamma_r, 0,            0   },
        {OP_opencl_std_lgamma_r, SIGN,         0   },
        {OP_opencl_std_lgamma_r, ONE | SIGN,   0   },
        {OP_opencl_std_lgamma_r, THREE | SIGN, 0   },
        {OP_opencl_std_lgamma_r, 0xcb7fffff,   0   }, /* -16777215, odd */
        {OP_opencl_std_lgamma_r, 0xff7fffff,   0   },
    };
    for (size_t i = 0; i < ARRAY_N(zeros); i++) {
        struct accuracy_int const s = integers(ENV_CL, zeros[i].op, &keeps, zeros[i].x, zeros[i].y);
        if (!accuracy_int_has(&s, 0) || accuracy_int_has(&s, 1) || accuracy_int_has(&s, -1) ||
            accuracy_int_has(&s, 128) || !s.is_prescribed) {
            fail_msg("%s of 0x%x, 0x%x", op_rows[zeros[i].op].name, zeros[i].x, zeros[i].y);
        }
    }
    struct accuracy_int const glsl = integers(ENV_VK, OP_glsl450_FrexpStruct, &keeps, PINF, 0);
    assert_true(glsl.is_any); /* "If x is an infinity or a NaN, the exponent is undefined" */
}

/* Between its poles the C library knows the sign of gamma, and its remquo gives three bits of the quotient. */
static void second_results_of_numbers(void **state)
{
    (void)state;
    COVERS(MATH_EXACT);
    struct rng rng = rng_seed(51);
    size_t n = 0;
    for (unsigned i = 0; i < 2000; i++) {
        uint32_t const x = (uint32_t)(0x3f000000 + rng_below(&rng, 0x04000000)) | SIGN;
        uint32_t const y = (uint32_t)(0x3f000000 + rng_below(&rng, 0x02000000)) |
                           (uint32_t)(rng_below(&rng, 2) << 31);
        float fx, fy;
        int sign = 0, quotient = 0;
        memcpy(&fx, &x, sizeof fx);
        memcpy(&fy, &y, sizeof fy);
        if (!(floorf(fx) < fx)) {
            continue;
        }
        (void)lgamma_r((double)fx, &sign);
        (void)remquo((double)fx, (double)fy, &quotient);
        struct accuracy_int const gamma = integers(ENV_CL, OP_opencl_std_lgamma_r, &keeps, x, 0);
        struct accuracy_int const quo = integers(ENV_CL, OP_opencl_std_remquo, &keeps, x, y);
        assert_true(accuracy_int_has(&gamma, sign) && !accuracy_int_has(&gamma, -sign) &&
                    !accuracy_int_has(&gamma, 0));
        for (int k = 0; k < 128; k++) {
            int const got = quotient < 0 ? -k : k;
            if (accuracy_int_has(&quo, got)) {
                assert_int_equal(k & 7, (quotient < 0 ? -quotient : quotient) & 7);
                assert_true(accuracy_int_has(&quo, quotient < 0 ? got - 128 : got + 128));
                assert_true(k == 0 || !accuracy_int_has(&quo, -got));
                n++;
            }
        }
    }
    assert_true(n > 1500);
}

/* Where an operand may be flushed there are alternatives; both strategies of the simulator stay within them. */
static void second_results_of_what_is_flushed(void **state)
{
    (void)state;
    COVERS(DENORM_DEFAULT);
    static const struct {
        int op;
        uint32_t x, y;
        int32_t other;
    } rows[] = {
        {OP_opencl_std_lgamma_r, 1,        0, 1   },
        {OP_opencl_std_lgamma_r, 1 | SIGN, 0, -1  },
        {OP_opencl_std_frexp,    1,        0, -148},
        {OP_opencl_std_remquo,   5,        2, 2   },
        {OP_opencl_std_remquo,   3 | SIGN, 2, -2  },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        for (int may = 0; may < 2; may++) {
            struct accuracy_int const s =
                integers(ENV_CL, rows[i].op, may ? &flushes : &keeps, rows[i].x, rows[i].y);
            assert_true(accuracy_int_has(&s, rows[i].other));
            assert_int_equal(accuracy_int_has(&s, 0), may);
            assert_false(accuracy_int_has(&s, rows[i].other + 3));
            assert_false(accuracy_int_has(&s, -rows[i].other));
            for (uint64_t pick = 0; pick < 64; pick++) {
                assert_true(accuracy_int_has(&s, accuracy_int_choose(&s, pick << 31 | pick)));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_of_remainders),
        cmocka_unit_test(angles_of_zero),
        cmocka_unit_test(parts_of_modf),
        cmocka_unit_test(second_results_that_are_prescribed),
        cmocka_unit_test(second_results_of_numbers),
        cmocka_unit_test(second_results_of_what_is_flushed),
    };
    int const bad = cmocka_run_group_tests(tests, NULL, NULL);
    mp_release();
    return bad;
}
