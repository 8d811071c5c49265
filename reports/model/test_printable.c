/* reports/model/test_printable.c -- foreign bytes come out printable, in each format. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/printable.h"
#include "reports/model/test_utf8.h"
#include "reports/write/report.h"
#include "reports/write/report_put.h"

enum {
    ARENA_BYTES = 16 << 20
};

/* Each kind of character has its printed form, and its escapes in each format besides. */
static void each_character_has_its_printed_form(void **state)
{
    (void)state;
    static const struct {
        const char *in, *text, *html, *json;
    } row[] = {
        {"plain",            "plain",            "plain",                      "plain"                },
        {"a<b>&\"'",         "a<b>&\"'",         "a&lt;b&gt;&amp;&quot;&#39;", "a<b>&\\\"'"           },
        {"a\\b",             "a\\b",             "a\\b",                       "a\\\\b"               },
        {"\x1b[1m",          "\\x1b[1m",         "\\x1b[1m",                   "\\\\x1b[1m"           },
        {"\n\r\t",           "\\x0a\\x0d\\x09",  "\\x0a\\x0d\\x09",            "\\\\x0a\\\\x0d\\\\x09"},
        {"\x7f\xff",         "\\x7f\\xff",       "\\x7f\\xff",                 "\\\\x7f\\\\xff"       },
        {"\xc3\xa9",         "\xc3\xa9",         "\xc3\xa9",                   "\xc3\xa9"             },
        {"\xc3",             "\\xc3",            "\\xc3",                      "\\\\xc3"              },
        {"\xc3(",            "\\xc3(",           "\\xc3(",                     "\\\\xc3("             },
        {"\xe0\x80\xaf",     "\\xe0\\x80\\xaf",  "\\xe0\\x80\\xaf",            "\\\\xe0\\\\x80\\\\xaf"},
        {"\xc2\x85",         "\\u{85}",          "\\u{85}",                    "\\\\u{85}"            },
        {"\xe2\x80\xae",     "\\u{202e}",        "\\u{202e}",                  "\\\\u{202e}"          },
        {"\xf4\x8f\xbf\xbf", "\\u{10ffff}",      "\\u{10ffff}",                "\\\\u{10ffff}"        },
        {"\xf0\x9f\x92\xa5", "\xf0\x9f\x92\xa5", "\xf0\x9f\x92\xa5",           "\xf0\x9f\x92\xa5"     },
        {"",                 "",                 "",                           ""                     },
    };
    for (size_t i = 0; i < ARRAY_N(row); i++) {
        const char *const want[REPORT_FORMAT_N] = {
            [REPORT_TEXT] = row[i].text,  [REPORT_HTML] = row[i].html,
            [REPORT_JSON] = row[i].json,  [REPORT_SARIF] = row[i].json,
            [REPORT_JUNIT] = row[i].html, [REPORT_TRUST] = row[i].html,
        };
        for (int k = 0; k < REPORT_FORMAT_N; k++) {
            char *got = NULL;
            size_t n = 0;
            if (k == REPORT_MARKDOWN) { /* escaped by what stands beside it: test_bug.c */
                continue;
            }
            FILE *const f = open_memstream(&got, &n);
            assert_non_null(f);
            report_put_text((enum report_format)k, row[i].in, f);
            (void)fclose(f);
            assert_string_equal(got, want[k]);
            free(got);
        }
    }
}

/* Random bytes become printable, and what is printable stays as it is. */
static void any_bytes_become_printable(void **state)
{
    (void)state;
    struct rng r = rng_seed(20);
    struct arena a;
    size_t n_changed = 0, n_kept = 0;
    arena_init(&a, ARENA_BYTES);
    for (int i = 0; i < 5000; i++) {
        char text[64];
        uint64_t const n = rng_below(&r, sizeof text);
        uint64_t const mask = rng_below(&r, 2) ? 0xff : 0x3f;
        for (uint64_t k = 0; k < n; k++) {
            text[k] = (char)(1 + rng_below(&r, mask));
        }
        text[n] = '\0';
        const char *const got = printable_copy(&a, text);
        assert_printable(got, "random bytes");
        assert_string_equal(printable_copy(&a, got), got); /* what is printable stays */
        n_changed += strcmp(got, text) != 0;
        n_kept += strcmp(got, text) == 0;
        arena_reset(&a);
    }
    arena_free(&a);
    assert_true(n_changed > 0 && n_kept > 0);
}

static void lines_are_taken_one_by_one(void **state)
{
    (void)state;
    static const char *const want[] = {"one", "", "two  x", "\\x0dthree"};
    const char *rest = "one\n\r\ntwo\t x\r\n\rthree";
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    for (size_t i = 0; i < ARRAY_N(want); i++) {
        const char *const line = printable_take_line(&a, &rest);
        assert_non_null(line);
        assert_string_equal(line, want[i]);
    }
    assert_null(printable_take_line(&a, &rest));
    rest = NULL;
    assert_null(printable_take_line(&a, &rest));
    arena_free(&a);
}

/* What compilers and drivers say in several lines is shown in one. */
static void lines_are_joined(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"one\ntwo",              "one / two"     },
        {"\n\none \r\n\n\ttwo\n", "one / two"     },
        {"one  two ",             "one  two "     },
        {"\n",                    ""              },
        {"",                      ""              },
        {"a\x1b\n\x01",           "a\\x1b / \\x01"},
        {"one\n / \ntwo",         "one / / / two" },
    };
    struct arena a;
    char got[64];
    FILE *const f = tmpfile();
    assert_non_null(f);
    arena_init(&a, ARENA_BYTES);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_string_equal(printable_copy_line(&a, rows[i][0]), rows[i][1]);
        printable_put(f, rows[i][0], sizeof got);
        rewind(f);
        got[fread(got, 1, sizeof got - 1, f)] = '\0';
        assert_string_equal(got, rows[i][1]);
        rewind(f);
        assert_int_equal(ftruncate(fileno(f), 0), 0);
    }
    arena_free(&a);
    (void)fclose(f);
}

/* What a file of the test's own then holds. */
static const char *read_back(FILE *f, char *text, size_t n)
{
    rewind(f);
    text[fread(text, 1, n - 1, f)] = '\0';
    rewind(f);
    assert_int_equal(ftruncate(fileno(f), 0), 0);
    return text;
}

/* printable_print prints as printf does, and text in printed form. */
static void print_is_printf_but_for_foreign_text(void **state)
{
    (void)state;
    char got[512], want[512];
    uint64_t const most = UINT64_MAX;
    int64_t const least = INT64_MIN;
    size_t const size = SIZE_MAX;
    FILE *const f = tmpfile();
    assert_non_null(f);
#define SAME(...)                                                                                  \
    do {                                                                                           \
        printable_print(f, __VA_ARGS__);                                                           \
        (void)snprintf(want, sizeof want, __VA_ARGS__);                                            \
        assert_string_equal(read_back(f, got, sizeof got), want);                                  \
    } while (0)
    SAME("nothing\n");
    SAME("%s|%10s|%-10s|%.2s|%3s|%%\n", "text", "right", "left", "cut", "longer");
    SAME("%d %5u %08x %i\n", -1, 2U, 3U, -7);
    SAME("%" PRIu64 " %" PRId64 " %016" PRIx64 " %zu\n", most, least, most, size);
    SAME("%.1f %g %8.3e %+d\n", 1.25, 0.5, 1e300, 7);
#undef SAME
    printable_print(f, "%s\n%-6s|%3s|\n", "a\nb\x1b[31m\xe2\x80\xaegpj", "\n", "\xc3\xa9");
    assert_string_equal(read_back(f, got, sizeof got),
                        "a / b\\x1b[31m\\u{202e}gpj\n      |  \xc3\xa9|\n");
    (void)fclose(f);
}

/* What sh makes of a word is the path again, byte for byte, and no more than that happens. */
static void quoted_paths_are_words_of_sh(void **state)
{
    (void)state;
    static const char *const paths[] = {"plain/x-1.c",
                                        "a b",
                                        "it's",
                                        "",
                                        "a\nb",
                                        "\x1b[31m'\\%n$(exit 9)`exit 9`\"!*?~;&|<>(){}[]#",
                                        "\xe2\x80\xae'x",
                                        "\xff\xfe",
                                        "~root",
                                        "x=y",
                                        "-n"};
    static const char bytes[] = " '\"\\\n\t$`%!*?;&|<>(){}[]#~=ab/.-\x1b\x7f\xe2\x80\xae\xc3\xa9";
    struct arena a;
    struct rng rng = rng_seed(8);
    int n_checked = 0;
    arena_init(&a, ARENA_BYTES);
    for (size_t i = 0; i < ARRAY_N(paths) + 100; i++) {
        char made[24] = "", got[64] = "";
        for (uint64_t k = rng_below(&rng, sizeof made - 1); k-- > 0;) {
            made[k] = bytes[rng_below(&rng, sizeof bytes - 1)];
        }
        const char *const path = i < ARRAY_N(paths) ? paths[i] : made;
        const char *const word = printable_quote(&a, path);
        size_t const n_path = strlen(path);
        assert_printable(word, path);
        FILE *const sh = popen(arena_printf(&a, "printf %%s %s", word), "r");
        assert_non_null(sh);
        size_t const n = fread(got, 1, sizeof got - 1, sh);
        assert_int_equal(pclose(sh), 0);
        size_t const n_before = path[0] == '-' ? 2 : 0; /* "./" */
        size_t const n_behind = n_path > 0 && path[n_path - 1] == '\n' ? 2 : 0;
        if (n != n_before + n_path + n_behind || memcmp(got + n_before, path, n_path) != 0) {
            fail_msg("%s: sh makes %s of it", word, printable_copy(&a, got));
        }
        n_checked++;
    }
    assert_int_equal(n_checked, ARRAY_N(paths) + 100);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_character_has_its_printed_form),
        cmocka_unit_test(any_bytes_become_printable),
        cmocka_unit_test(lines_are_taken_one_by_one),
        cmocka_unit_test(lines_are_joined),
        cmocka_unit_test(print_is_printf_but_for_foreign_text),
        cmocka_unit_test(quoted_paths_are_words_of_sh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
