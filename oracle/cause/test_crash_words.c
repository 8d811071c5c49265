/* oracle/cause/test_crash_words.c -- lines of crashes, and what of them tells one crash from another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/cause/crash_words.h"
#include "oracle/cause/stable_text.h"

/* Numbers and addresses become "#", except source locations where these are asked for. */
static void what_varies_is_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *text, *with_places, *without;
    } rows[] = {
        {"",                                "",                              ""                     },
        {"at 0x7f3a10 of 12",               "at # of #",                     "at # of #"            },
        {"libintelocl.so:0x3474f60;code",   "libintelocl.so:0x3474f60;code", "libintelocl.so:#;code"},
        {"a.so:6ac279c54d342972+0x16c73d0", "a.so:#+0x16c73d0",              "a.so:#+#"             },
        {"select.rs:12:3: gone",            "select.rs:12:3: gone",          "select.rs:#:#: gone"  },
        {"f: 12",                           "f: #",                          "f: #"                 },
        {"block12 f32 t23",                 "block1# # t2#",                 "block1# # t2#"        },
        {"ends in blanks   ",               "ends in blanks",                "ends in blanks"       },
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *const text = stable_text(rows[i].text, true, 100, &a);
        assert_string_equal(text, rows[i].with_places);
        assert_string_equal(stable_text(text, true, 100, &a), text);
        assert_string_equal(stable_text(rows[i].text, false, 100, &a), rows[i].without);
    }
    assert_string_equal(stable_text("abcdef", false, 3, &a), "abc");
    assert_string_equal(stable_text("ab:0x123456", true, 8, &a), "ab:#");
    arena_free(&a);
}

/* The core of a crash line is its pass, its reason and the first three frames. */
static void a_core_ends_behind_the_third_frame(void **state)
{
    (void)state;
    static const struct {
        const char *line, *core;
    } rows[] = {
        {"",                                         ""                                     },
        {"a+f",                                      "a+f"                                  },
        {"a+f;b+g;c+h",                              "a+f;b+g;c+h"                          },
        {"a+f;b+g;c+h;d+i;e+j",                      "a+f;b+g;c+h"                          },
        {"pass 'a;b;c;d'",                           "pass 'a;b;c;d'"                       },
        {"pass 'X86 f32' a+0x12 of 12",              "pass 'X86 f32' a+0x12 of 12"          },
        {"\"at 0x12 of 13\" a:93f70d1a8ae34f8e+0x1", "\"at # of #\" a:93f70d1a8ae34f8e+0x1" },
        {"pass 'p' a+f;b+g;c+h;d+i",                 "pass 'p' a+f;b+g;c+h"                 },
        {"pass 'p' \"a; b; c; d\" a+f;b+g",          "pass 'p' \"a; b; c; d\" a+f;b+g"      },
        {"\"x \"y; z\" ; d\" a+f;b+g;c+h;d+i",       "\"x \"y; z\" ; d\" a+f;b+g;c+h"       },
        {"\"a.c:1: Assertion `x > 12' 13\" a 14",    "\"a.c:1: Assertion `x > 12' 13\" a 14"},
        {"\"x 12\" Assertion `y > 12'",              "\"x #\" Assertion `y > 12'"           },
        {"\"Scalar sub_group_shuffle_up of 1\" a",   "\"Scalar sub_group_* of #\" a"        },
        {"\"sub_group_all, sub_group_any\" a",       "\"sub_group_*, sub_group_*\" a"       },
        {"pass 'cut",                                "pass 'cut"                            },
        {"pass 'p",                                  "pass 'p"                              },
        {"\"cut; a;b;c;d",                           "\"cut; a;b"                           },
    };
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *const words = crash_get_words(rows[i].line, &a);
        const char *const core = arena_printf(&a, "%.*s", (int)crash_measure_core(words), words);
        assert_string_equal(core, rows[i].core);
        assert_int_equal(crash_measure_core(core), strlen(core)); /* a core is its own */
    }
    arena_free(&a);
}

/* A difference in any single part makes it a different crash. */
static void each_part_tells(void **state)
{
    (void)state;
    static const char *const lines[] = {
        ("pass 'vplan-vec' \"a.c:1: f: Assertion `x' failed.\" "
         "m.so:0x10;m.so:0x20;m.so:0x30;m.so:0x40"),
        "pass 'kernel-builtin' \"a.c:1: f: Assertion `x' failed.\" m.so:0x10;m.so:0x20;m.so:0x30",
        "pass 'vplan-vec' \"a.c:2: f: Assertion `x' failed.\" m.so:0x10;m.so:0x20;m.so:0x30",
        "pass 'vplan-vec' \"a.c:1: f: Assertion `y' failed.\" m.so:0x10;m.so:0x20;m.so:0x30",
        "pass 'vplan-vec' \"a.c:1: f: Assertion `x' failed.\" n.so:0x10;m.so:0x20;m.so:0x30",
        "pass 'vplan-vec' \"a.c:1: f: Assertion `x' failed.\" m.so:0x11;m.so:0x20;m.so:0x30",
        "pass 'vplan-vec' \"a.c:1: f: Assertion `x' failed.\" m.so:0x10;m.so:0x21;m.so:0x30",
        "pass 'vplan-vec' \"a.c:1: f: Assertion `x' failed.\" m.so:0x10;m.so:0x20;m.so:0x31",
        "pass 'vplan-vec' m.so:0x10;m.so:0x20;m.so:0x30",
        "\"a.c:1: f: Assertion `x' failed.\" m.so:0x10;m.so:0x20;m.so:0x30",
        "m.so:0x10;m.so:0x20;m.so:0x30",
    };
    const char *cores[ARRAY_N(lines)];
    struct arena a;
    arena_init(&a, 1 << 16);
    for (size_t i = 0; i < ARRAY_N(lines); i++) {
        const char *const words = crash_get_words(lines[i], &a);
        cores[i] = arena_printf(&a, "%.*s", (int)crash_measure_core(words), words);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(cores[i], cores[k]);
        }
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_varies_is_left_out),
        cmocka_unit_test(a_core_ends_behind_the_third_frame),
        cmocka_unit_test(each_part_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
