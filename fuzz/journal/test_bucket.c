/* fuzz/journal/test_bucket.c -- signatures, and which of them are one bug. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/journal/bucket.h"

enum {
    MAX_ROWS = 8
};

/* The signatures in either order, and the one that names the bucket of each. */
static void check(const char *const (*rows)[2], uint32_t n)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
        struct signature signatures[MAX_ROWS];
        uint32_t of[MAX_ROWS];
        struct err e;
        for (uint32_t i = 0; i < n; i++) {
            signatures[i] = signature_parse(rows[is_reversed ? n - 1 - i : i][0], &a);
        }
        assert_int_equal(bucket_group(signatures, n, &a, of, &e), RES_OK);
        for (uint32_t i = 0; i < n; i++) {
            assert_string_equal(signatures[of[i]].text, rows[is_reversed ? n - 1 - i : i][1]);
        }
    }
    arena_free(&a);
}

/* The significand and the exponent, of the instruction with a pointer and of that with a struct. */
static void both_results_of_a_function_are_one(void **state)
{
    (void)state;
    static const char head[] = "ulp MATH_EXACT Frexp f32 - subnormal";
    static const char *const rows[][2] = {
        {head,                                         head},
        {"ulp MATH_EXACT Frexp i32 - ",                head},
        {"ulp MATH_EXACT FrexpStruct f32 - subnormal", head},
        {"ulp MATH_EXACT FrexpStruct i32 - ",          head},
    };
    check(rows, ARRAY_N(rows));
    static const char alone[] = "ulp MATH_EXACT Frexp i32 - ";
    static const char *const integers[][2] = {
        {alone,                               alone},
        {"ulp MATH_EXACT FrexpStruct i32 - ", alone},
    };
    check(integers, ARRAY_N(integers));
}

/* Another width, another rule, another verdict, a known bug, and a function whose integer is a thing of its own stay apart. */
static void what_differs_stays_apart(void **state)
{
    (void)state;
    static const char known[] = "ulp MATH_EXACT Frexp f32 - subnormal known:FREXP_SELF:Frexp:f32";
    static const char *const rows[][2] = {
        {"ulp MATH_EXACT Frexp f16 - ",        "ulp MATH_EXACT Frexp f16 - "       },
        {"ulp MATH_EXACT Frexp f64 - ",        "ulp MATH_EXACT Frexp f64 - "       },
        {"ulp MATH_SPECIAL Frexp i32 - ",      "ulp MATH_SPECIAL Frexp i32 - "     },
        {"nan-rule MATH_EXACT Frexp f16 - ",   "nan-rule MATH_EXACT Frexp f16 - "  },
        {known,                                known                               },
        {"ulp MATH_SPECIAL lgamma_r f32 - ",   "ulp MATH_SPECIAL lgamma_r f32 - "  },
        {"ulp MATH_SPECIAL lgamma_r i32 - ",   "ulp MATH_SPECIAL lgamma_r i32 - "  },
        {"zero-sign MATH_EXACT remquo f16 - ", "zero-sign MATH_EXACT remquo f16 - "},
    };
    check(rows, ARRAY_N(rows));
}

/* The exchange explains both findings of i32. Either instruction explains the finding of i64: the exchange is taken, as more
 * findings name it. */
static void a_culprit_of_more_findings_names_the_family(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "atomicity RMW_CHAIN AtomicIAdd i32 global contended or:AtomicExchange",
        "atomicity RMW_CHAIN AtomicUMax i32 global contended or:AtomicExchange",
        "atomicity RMW_CHAIN AtomicAnd i64 global contended or:AtomicExchange",
    };
    struct signature signatures[ARRAY_N(texts)];
    uint32_t of[ARRAY_N(texts)];
    struct arena a;
    struct err e;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        signatures[i] = signature_parse(texts[i], &a);
    }
    assert_int_equal(bucket_group(signatures, ARRAY_N(texts), &a, of, &e), RES_OK);
    assert_int_equal(of[0], of[1]);
    assert_int_equal(of[2], 2);
    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        assert_string_equal(signatures[i].family, "value AtomicExchange");
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_results_of_a_function_are_one),
        cmocka_unit_test(what_differs_stays_apart),
        cmocka_unit_test(a_culprit_of_more_findings_names_the_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
