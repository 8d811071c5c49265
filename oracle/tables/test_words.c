/* oracle/tables/test_words.c -- sentences in the words of their environment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oracle/tables/words.h"

static void a_sentence_has_the_words_of_its_environment(void **state)
{
    (void)state;
    static const struct {
        const char *of[ENV_N];
    } rows[] = {
        {{"work-item 22: FRem gave 0x1", "invocation 22: FRem gave 0x1"}},
        {{"a work-item and a work-group's kernel", "an invocation and a workgroup's shader"}},
        {{"Work-items of Sub-groups", "Invocations of Subgroups"}},
        {{"A work-item (sub-group 1)", "An invocation (subgroup 1)"}},
        {{"", ""}},
    };
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        for (int from = 0; from < ENV_N; from++) {
            for (int to = 0; to < ENV_N; to++) {
                const char *const said = words_say((enum env)to, rows[i].of[from], &a);
                assert_string_equal(said, rows[i].of[to]);
                assert_null(words_find_other((enum env)to, said));
            }
        }
    }
    arena_free(&a);
}

static void names_stay(void **state)
{
    (void)state;
    static const char *const names[] = {
        "clCreateKernel main_kernel kernels_2 SubgroupSize",
        "subgroupSizeControl shaderFloat64 OpGroupNonUniformElect workgroups2 nir_shader",
    };
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < ARRAY_N(names); i++) {
        for (int env = 0; env < ENV_N; env++) {
            assert_string_equal(words_say((enum env)env, names[i], &a), names[i]);
        }
    }
    const char *const text = "the kernel's invocations";
    assert_ptr_equal(words_find_other(ENV_VK, text), strstr(text, "kernel"));
    assert_ptr_equal(words_find_other(ENV_CL, text), strstr(text, "invocations"));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_has_the_words_of_its_environment),
        cmocka_unit_test(names_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
