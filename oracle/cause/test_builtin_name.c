/* oracle/cause/test_builtin_name.c -- mangled names of built-in functions, read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "oracle/cause/builtin_name.h"

/* Mangled names and the parts that they consist of. */
static void names_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *symbol, *function, *type, *space;
        uint32_t width;
        bool is_float, is_volatile;
    } rows[] = {
        {"_Z10atomic_addPU3AS1VDhDh",                                                   "atomic_add",           "half",   "global",   1,    true,  true },
        {"_Z10atomic_addPU3AS4Vii",                                                     "atomic_add",           "int",    "generic",  1,    false, true },
        {"_Z8atom_maxPU3AS4Vll",                                                        "atom_max",             "long",   "generic",  1,    false, true },
        {"_Z11atomic_xchgPU3AS3VDhDh",                                                  "atomic_xchg",          "half",   "local",    1,    true,  true },
        {"_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicff12memory_order12memory_scope",
         "atomic_fetch_add_explicit",                                                                           "float",  "generic",  1,    true,  true },
        {"_Z6log_rmDv2_Dh",                                                             "log_rm",               "half",   "",         2,    true,  false},
        {"_Z9sincos_rmDv16_dPU3AS1S_",                                                  "sincos_rm",            "double", "global",   16,   true,  false},
        {"_Z5frexpfPi",                                                                 "frexp",                "float",  "private",  1,    true,  false},
        {"_Z6vload4mPU8CLglobalKf",                                                     "vload4",               "long",   "global",   1,    false, false},
        {"_Z19get_local_linear_idv",                                                    "get_local_linear_id",  "void",   "",         1,    false, false},
        {"_Z20sub_group_reduce_mulDv4_iDv4_j",                                          "sub_group_reduce_mul", "int",    "",         4,    false, false},
        {"_Z17sub_group_shuffleDv1024_fDv64_jS0_",                                      "sub_group_shuffle",    "float",  "",         1024, true,
         false                                                                                                                                          },
        {"_Z19sub_group_broadcastDv24_DF16bjDv8_j",                                     "sub_group_broadcast",  "bfloat", "",         24,   true,
         false                                                                                                                                          },
        {"_Z3maxDF16_DF16_",                                                            "max",                  "half",   "",         1,    true,  false},
        {"_Z13get_image_dim14ocl_image2d_ro",                                           "get_image_dim",        "",       "",         1,    false, false},
        {"_Z3absPU3AS2Kh",                                                              "abs",                  "char",   "constant", 1,    false, false},
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct builtin_name b;
        if (!builtin_read(rows[i].symbol, &a, &b)) {
            fail_msg("%s is not read", rows[i].symbol);
        }
        assert_string_equal(b.function, rows[i].function);
        assert_string_equal(b.type, rows[i].type);
        assert_string_equal(b.space, rows[i].space);
        assert_int_equal(b.width, rows[i].width);
        assert_int_equal(b.is_float, rows[i].is_float);
        assert_int_equal(b.is_volatile, rows[i].is_volatile);
    }
    arena_free(&a);
}

/* Texts that are no mangled name of a built-in function are refused. */
static void other_names_are_not(void **state)
{
    (void)state;
    static const char *const symbols[] = {
        "",
        "_Z",
        "__pocl_work_group_alloca",
        "_Z10atomic_ad",              /* shorter than it says */
        "_Z99999999999999999999f",    /* longer than any */
        "_Z0f",                       /* no name */
        "_Z3cos",                     /* no parameter */
        "_Z3cosQ",                    /* of no type */
        "_Z3cosDv_f",                 /* no width */
        "_Z3cosDv99999999_f",         /* too wide */
        "_Z3cosDv4f",                 /* no mark behind the width */
        "_Z3cosfU3AS",                /* half a qualifier */
        "_Z3cosfS",                   /* half a substitution */
        "_ZN4llvm3fooEv",             /* nested: no built-in function */
        "_Z10atomic_addPU3AS1VDhDhQ", /* something behind it */
    };
    struct arena a;
    struct builtin_name b;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(symbols); i++) {
        if (builtin_read(symbols[i], &a, &b)) {
            fail_msg("\"%s\" is read as %s", symbols[i], b.function);
        }
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(other_names_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
