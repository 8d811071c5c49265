/* fuzz/triage/test_cause_text.c -- how much an explanation says that it explains. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/triage/cause_text.h"
#include "oracle/fault/faults.h"

/* All, all with a reserve, or not all; what leaves everything open explains nothing. */
static void an_explanation_says_how_much(void **state)
{
    (void)state;
    static const struct {
        struct explanation of;
        const char *said;
        bool names_bug;
    } rows[] = {
        {{.n_found = 8, .n_taken = 8},                               "; explains all 8 findings of 2 cases", true },
        {{.n_found = 8, .n_taken = 8, .n_kept = 2},
         "; explains all 8 findings of 2 cases, but 2 ",                                                     true },
        {{.n_found = 8, .n_taken = 8, .n_kept = 3},
         "; may explain all 8 findings of 2 cases, but 3 ",                                                  false},
        {{.n_found = 8, .n_taken = 0, .n_kept = 9, .n_free = 8 * 7},
         "; may explain all 8 findings of 2 cases, but 9 ",                                                  false},
        {{.n_found = 8, .n_taken = 0, .n_kept = 9, .n_free = 8 * 8},
         "; does not explain all: 8 of 8 findings, but 9 ",                                                  false},
        {{.n_found = 8, .n_left = 1, .n_taken = 7},
         "; does not explain all: 7 of 8 findings",                                                          false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        arena_init(&a, 1 << 16);
        struct diagnosis_list list = {.n_cases = 2, .n = 1};
        list.named[0] = rows[i].of;
        list.named[0].plan =
            (struct fault_plan){.id = FAULT_NEGATED_ACROSS_OPEN, .op = -1, .type = -1};
        const char *const text = cause_text(&list, &a);
        if (!strstr(text, rows[i].said)) {
            fail_msg("row %zu: %s", i, text);
        }
        assert_non_null(strstr(text, " at any instruction: "));
        assert_string_equal(cause_text_bug(&list, &a),
                            rows[i].names_bug ? "NEGATED_ACROSS_OPEN:any" : "");
        arena_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_explanation_says_how_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
