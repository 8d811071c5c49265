/* fuzz/gtest/test_gtest.c -- filters, names and lists, against their definitions by gtest and deqp-runner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/gtest/gtest_filter.h"
#include "fuzz/gtest/gtest_lists.h"
#include "fuzz/gtest/gtest_suite.h"
#include "gen/case/sample_devices.h"

static void a_filter_chooses_as_gtest_does(void **state)
{
    (void)state;
    static const struct {
        const char *filter, *name;
        bool is_chosen;
    } rows[] = {
        {"",             "a.b.1",  true },
        {"*",            "a.b.1",  true },
        {"a.b.1",        "a.b.1",  true },
        {"a.b.1",        "a.b.10", false},
        {"a.b.1:a.b.10", "a.b.10", true },
        {"a.b.?",        "a.b.1",  true },
        {"a.b.?",        "a.b.10", false},
        {"*.1",          "a.b.1",  true },
        {"*b*b",         "abab",   true },
        {"*b*c",         "abab",   false},
        {"a*b*1",        "a.b.21", true },
        {"-a.*",         "a.b.1",  false},
        {"-a.*",         "b.b.1",  true },
        {"*-*.1:*.2",    "a.b.2",  false},
        {"*-*.1:*.2",    "a.b.3",  true },
        {"::",           "a.b.1",  false},
        {"a",            "",       false},
        {"**",           "",       true },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (gtest_filter_chooses(rows[i].filter, rows[i].name) != rows[i].is_chosen) {
            fail_msg("filter \"%s\", name \"%s\"", rows[i].filter, rows[i].name);
        }
    }
}

/* A runner takes a line with a '.' for a suite, and ':', '*', '?' and '-' mean something in filters. */
static void a_name_has_no_character_that_means_something(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 1 << 20);
    uint32_t n = 0;
    for (int profile = 0; profile < PROFILE_N; profile++) {
        struct gtest_suite const s = {.env = ENV_VK, .profile = (enum profile)profile};
        const char *const name = gtest_suite_name_case(&s, UINT64_MAX, 3, &a);
        const char *const group = gtest_suite_name_group(&s, UINT64_MAX, &a);
        assert_non_null(name);
        assert_int_equal(strcspn(name, ":*?-/# []"), strlen(name));
        assert_memory_equal(name, group, strlen(group));
        assert_string_equal(name + strlen(group), ".3");
        n++;
    }
    assert_true(n > 5);
    arena_free(&a);
}

/* The same name gives the same case, whoever asks; and a device of less gives another. */
static void a_name_means_one_case(void **state)
{
    (void)state;
    struct arena a, b;
    struct err e;
    struct needs const words =
        sample_device_get_needs(&sample_devices[sample_device_find("words")]);
    struct needs const all =
        sample_device_get_needs(&sample_devices[sample_device_find("all-vulkan")]);
    uint32_t n_others = 0;
    arena_init(&a, (size_t)64 << 20);
    arena_init(&b, (size_t)64 << 20);
    for (uint64_t i = 0; i < 20; i++) {
        struct gtest_suite s = {.env = ENV_VK, .profile = PROFILE_ALL};
        struct testcase one, two;
        arena_reset(&a);
        arena_reset(&b);
        assert_int_equal(gtest_suite_make_case(&s, 1, i, &a, &one, &e), RES_OK);
        s.allowed = &all;
        assert_int_equal(gtest_suite_make_case(&s, 1, i, &b, &two, &e), RES_OK);
        assert_int_equal(one.n_words, two.n_words);
        assert_memory_equal(one.module, two.module, one.n_words * sizeof(one.module[0]));
        s.allowed = &words;
        assert_int_equal(gtest_suite_make_case(&s, 1, i, &b, &two, &e), RES_OK);
        n_others += one.n_words != two.n_words;
    }
    assert_true(n_others > 0);
    arena_free(&a);
    arena_free(&b);
}

static void write_text(const char *path, const char *text)
{
    struct err e;
    assert_int_equal(file_write(path, text, strlen(text), &e), RES_OK);
}

static void lists_are_read_as_deqp_runner_does(void **state)
{
    (void)state;
    struct arena a;
    struct err e;
    struct gtest_lists *l = NULL;
    struct gtest_list_files const files = {"fails.txt", "flakes.txt", "skips.txt"};
    arena_init(&a, (size_t)16 << 20);
    write_text("fails.txt", "# a comment\n\nhalfulp.a.1,Fail\r\nhalfulp.a.2,Crash\n");
    write_text("flakes.txt", arena_printf(&a, "%s\n", gtest_make_pattern("halfulp.a.3", &a)));
    write_text("skips.txt", "#halfulp.a.5\nhalfulp.*4");
    assert_int_equal(gtest_lists_read(&l, &files, &a, &e), RES_OK);
    assert_int_equal(gtest_lists_get_expected(l, "halfulp.a.1"), GTEST_FAIL);
    assert_int_equal(gtest_lists_get_expected(l, "halfulp.a.2"), GTEST_CRASH);
    assert_int_equal(gtest_lists_get_expected(l, "halfulp.a.10"), GTEST_PASS);
    assert_true(gtest_lists_is_flake(l, "halfulp.a.3"));
    assert_false(gtest_lists_is_flake(l, "halfulp.a.30"));
    assert_false(gtest_lists_is_flake(l, "other.halfulp.a.3"));
    assert_false(gtest_lists_is_flake(l, "halfulpxa.3"));
    assert_true(gtest_lists_is_skip(l, "halfulp.a.40"));
    assert_false(gtest_lists_is_skip(l, "halfulp.a.5"));
    gtest_lists_free(l);
    struct gtest_list_files const none = {NULL, NULL, NULL};
    assert_int_equal(gtest_lists_read(&l, &none, &a, &e), RES_OK);
    assert_int_equal(gtest_lists_get_expected(l, "halfulp.a.1"), GTEST_PASS);
    gtest_lists_free(l);
    static const char *const bad[] = {"halfulp.a.1\n", "halfulp.a.1,Pass\n", "halfulp.a.1,fail\n",
                                      "halfulp.a.1,Skip\n"};
    for (size_t i = 0; i < ARRAY_N(bad); i++) {
        write_text("fails.txt", bad[i]);
        assert_int_equal(gtest_lists_read(&l, &files, &a, &e), RES_FORMAT);
    }
    write_text("fails.txt", "");
    write_text("skips.txt", "a(b\n");
    assert_int_equal(gtest_lists_read(&l, &files, &a, &e), RES_FORMAT);
    struct gtest_list_files const absent = {"absent.txt", NULL, NULL};
    assert_int_equal(gtest_lists_read(&l, &absent, &a, &e), RES_USAGE);
    arena_free(&a);
}

int main(void)
{
    char folder[] = "/tmp/halfulp-gtest-XXXXXX";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_chooses_as_gtest_does),
        cmocka_unit_test(a_name_has_no_character_that_means_something),
        cmocka_unit_test(a_name_means_one_case),
        cmocka_unit_test(lists_are_read_as_deqp_runner_does),
    };
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        return 1;
    }
    int const n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const files[] = {"fails.txt", "flakes.txt", "skips.txt"};
    for (size_t i = 0; i < ARRAY_N(files); i++) {
        (void)unlink(files[i]);
    }
    (void)rmdir(folder);
    return n_failed;
}
