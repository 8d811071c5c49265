/* oracle/func/test_func_decimal.c -- exact values in decimal, against published digits and by their own length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "oracle/func/func_decimal.h"

enum {
    TEST_ARENA_BYTES = 1 << 20
};

/* Digits of constants as they are printed in tables. */
static void decimals_are_those_of_tables(void **state)
{
    (void)state;
    static const struct {
        enum func_id func;
        enum fmt_id fmt;
        uint64_t arg[2];
        unsigned n;
        const char *text;
    } rows[] = {
        {FUNC_EXP,  FMT_F32, {0x3f800000},             9,  "2.71828183"                               },
        {FUNC_EXP,  FMT_F32, {0x3f800000},             21, "2.71828182845904523536"                   },
        {FUNC_EXP,  FMT_F64, {0x3ff0000000000000},     40, "2.718281828459045235360287471352662497757"},
        {FUNC_EXP,  FMT_F32, {0xbf800000},             10, "0.3678794412"                             },
        {FUNC_EXP,  FMT_F32, {0x447a0000},             10, "1.970071114e+434"                         },
        {FUNC_EXP,  FMT_F32, {0xc47a0000},             10, "5.075958898e-435"                         },
        {FUNC_SQRT, FMT_F16, {0x4000},                 12, "1.41421356237"                            },
        {FUNC_SQRT, FMT_F32, {0x41100000},             12, "3"                                        },
        {FUNC_SIN,  FMT_F32, {0xbf800000},             12, "-0.841470984808"                          },
        {FUNC_SIN,  FMT_F32, {0x80000000},             12, "-0"                                       },
        {FUNC_EXP,  FMT_F32, {0x7f800000},             12, "+infinity"                                },
        {FUNC_EXP,  FMT_F32, {0x7fc00000},             12, "NaN"                                      },
        {FUNC_POW,  FMT_F32, {0x41200000, 0x41600000}, 20, "100000000000000"                          },
        {FUNC_POW,  FMT_F32, {0x41200000, 0x41a00000}, 20, "1e+20"                                    },
        {FUNC_POW,  FMT_F32, {0x41200000, 0xc0400000}, 20, "0.001"                                    },
    };
    struct arena a;
    arena_init(&a, TEST_ARENA_BYTES);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct func_args const args = {
            rows[i].fmt, {rows[i].arg[0], rows[i].arg[1]},
             0
        };
        assert_string_equal(func_show_exact(rows[i].func, ENV_CL, &args, rows[i].n, &a),
                            rows[i].text);
    }
    arena_free(&a);
}

/* exp(1) of f32 is 0x402df854 = 2.71828174591064453125, 8.2548400735e-8 below e. */
static void distances_are_told(void **state)
{
    (void)state;
    struct func_args const one = {FMT_F32, {0x3f800000}, 0};
    struct func_args const nan = {FMT_F32, {0x7fc00000}, 0};
    double const d = func_get_distance(FUNC_EXP, ENV_CL, &one, 0x402df854);
    assert_true(fabs(d - 8.2548400735e-8) < 1e-16);
    assert_true(func_get_distance(FUNC_EXP, ENV_CL, &nan, 0x402df854) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_those_of_tables),
        cmocka_unit_test(distances_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
