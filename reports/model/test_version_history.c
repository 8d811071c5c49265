/* reports/model/test_version_history.c -- what the matrix says of the versions of a driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "reports/model/version_history.h"

/* A letter is a version of lavapipe, 22 23 24 ...: g good, b bad, c cannot run it. */
static void changes_between_versions_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *versions, *want;
    } rows[] = {
        {"b",    ""                                                                        },
        {"bc",   ""                                                                        },
        {"bb",   "Bad in all versions that were tried, 22.1 to 23.1."                      },
        {"gb",   "Last good 22.1, first bad 23.1, the newest that was tried."              },
        {"gcb",  "Last good 22.1, first bad 24.1, the newest that was tried."              },
        {"cgb",  "Last good 23.1, first bad 24.1, the newest that was tried. It could "
                "not be run on radv-22-navi31 (Mesa 22.1-2 (LLVM 15.0.6))." },
        {"bgg",  "Last bad 22.1, first good 23.1; good in 24.1, the newest that was tried."},
        {"gbbg", "Last good 22.1, first bad 23.1; last bad 24.1, first good 25.1, the "
                 "newest that was tried."                                  },
    };
    struct arena a;
    arena_init(&a, (size_t)1 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct matrix_row matrix[8];
        uint32_t const n = (uint32_t)strlen(rows[i].versions);
        struct campaign_triage const t = {.n_matrix = n + 2, .matrix = matrix};
        for (uint32_t k = 0; k < n; k++) { /* the newest first, as a list may have them */
            char const c = rows[i].versions[n - 1 - k];
            matrix[k] = (struct matrix_row){
                .target = k ? arena_printf(&a, "radv-%u-navi31", 22 + n - 1 - k) : "radv-navi31",
                .verdict = c == 'b'   ? "ulp"
                           : c == 'g' ? "ok"
                                      : "cannot run it",
                .with = "",
                .n_runs = c == 'c' ? 0 : 3,
                .n_shown = c == 'b' ? 3 : 0,
                .version = arena_printf(&a, "Mesa %u.1-2 (LLVM 15.0.6)", 22 + n - 1 - k)};
        }
        /* neither another driver nor a switch tells anything of a version */
        matrix[n] = (struct matrix_row){"radv-25-navi33", "ok", "", 0, 3, "21.1"};
        matrix[n + 1] = (struct matrix_row){"radv-navi31", "ok", "RADV_DEBUG=no", 0, 3, "20.1"};
        const char *const got = version_history(&t, "radv-23-navi31", &a);
        const char *const bad = strrchr(rows[i].versions, 'b');
        bool const is_fixed = bad && bad[1] == 'g';
        assert_string_equal(
            version_fixed_in(&t, "radv-23-navi31", &a),
            is_fixed ? arena_printf(&a, "%d.1", (int)(bad + 1 - rows[i].versions) + 22) : "");
        if (strcmp(got, rows[i].want) != 0) {
            fail_msg("%s: \"%s\"", rows[i].versions, got);
        }
    }
    arena_free(&a);
}

/* Drivers of one version that show the bug may share the wrong code: not the driver itself, not another version. */
static void drivers_of_one_tree_are_siblings(void **state)
{
    (void)state;
    static const struct matrix_row rows[] = {
        {"radv-navi31", "ulp", "",              3, 3, "Mesa 26.2.6-1"},
        {"radv-vega10", "ulp", "",              3, 3, "Mesa 26.2.6-1"},
        {"rusticl-26",  "ulp", "",              3, 3, "26.2.6-1"     },
        {"turnip-a740", "ok",  "",              0, 3, "Mesa 26.2.6-1"},
        {"nvk-ada",     "ulp", "",              1, 1, "Mesa 26.2.6-1"},
        {"nvk-25-ada",  "ulp", "",              1, 1, "Mesa 25.0.7-1"},
        {"nvk-maxwell", "ulp", "NAK_DEBUG=off", 1, 1, "Mesa 26.2.6-1"},
        {"pocl-7",      "ulp", "",              3, 3, "7.1+debian"   },
    };
    struct campaign_triage const t = {.n_matrix = ARRAY_N(rows), .matrix = rows};
    struct arena a;
    arena_init(&a, (size_t)1 << 20);
    assert_string_equal(version_siblings(&t, "radv-navi31", &a), "rusticl-26, nvk-ada");
    assert_string_equal(version_siblings(&t, "pocl-7", &a), "");
    assert_string_equal(version_siblings(&t, "unknown", &a), "");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivers_of_one_tree_are_siblings),
        cmocka_unit_test(changes_between_versions_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
