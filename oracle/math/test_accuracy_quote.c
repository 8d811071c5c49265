/* oracle/math/test_accuracy_quote.c -- the bounds of accuracy.def are those that the cells of the specifications' tables say,
 * which were copied from the texts by other means (oracle/tables/quote_table.def). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "oracle/tables/quote.h"

static const struct bound {
    const char *table, *op, *f16, *f32, *f64; /* as accuracy.def has it */
} bounds[] = {
/* clang-format off */
#define ACCURACY(table, set, name, f16, f32, f64, note) {#table, #name, #f16, #f32, #f64},
#include "oracle/math/accuracy.def"
    /* clang-format on */
};

/* 1: the cell says so, -1: it does not, 0: what accuracy.def has is no plain bound. */
static int compare(const char *bound, const char *cell)
{
    char plain[64], number[32];
    if (sscanf(bound, "ULP(%31[0-9.])", number) == 1) {
        (void)snprintf(plain, sizeof plain, "%s ulp", number);
        const char *const text = strncmp(cell, "\xe2\x89\xa4 ", 4) == 0 ? cell + 4
                                 : strncmp(cell, "<= ", 3) == 0         ? cell + 3
                                                                        : cell;
        return strncmp(text, plain, strlen(number) + 1) == 0 &&
                       strchr("uU", text[strlen(number) + 1])
                   ? 1
                   : -1;
    }
    if (strcmp(bound, "CR") == 0) {
        return strstr(cell, "orrectly rounded") ? 1 : -1;
    }
    if (strcmp(bound, "EXACT") == 0) {
        return strncmp(cell, "0 ulp", 5) == 0 || strncmp(cell, "Correct", 7) == 0 ? 1 : -1;
    }
    if (strncmp(bound, "INHERIT(", 8) == 0) {
        return strncmp(cell, "Inherited from ", 15) == 0 ? 1 : -1;
    }
    return 0;
}

static void cells_say_what_is_judged(void **state)
{
    (void)state;
    static const char *const types[] = {"f16", "f32", "f64"};
    uint32_t n_same = 0, n_wrong = 0, n_cells = 0;
    for (size_t i = 0; i < ARRAY_N(bounds); i++) {
        bool const is_unsafe = strncmp(bounds[i].table, "CL_UNSAFE", 9) == 0;
        const char *const own[] = {bounds[i].f16, bounds[i].f32, bounds[i].f64};
        for (size_t k = 0; k < ARRAY_N(types); k++) {
            struct quote quotes[QUOTE_MAX];
            struct quote_query const q = {
                .clause = is_unsafe ? CLAUSE_MATH_RELAXED : CLAUSE_MATH_ULP,
                .env = bounds[i].table[0] == 'V' ? ENV_VK : ENV_CL,
                .op = bounds[i].op,
                .type = types[k],
                .is_embedded = strstr(bounds[i].table, "EMBEDDED") != NULL};
            uint32_t const n = quote_find(&q, quotes);
            if (n == 0 || !quotes[0].row[0]) {
                continue; /* no row of its own */
            }
            n_cells++;
            int const same = compare(own[k], quotes[0].text);
            n_same += same > 0;
            if (same < 0) {
                print_error("%s %s %s: %s, but \"%s\"\n", bounds[i].table, bounds[i].op, types[k],
                            own[k], quotes[0].text);
                n_wrong++;
            }
        }
    }
    print_message("%u cells, %u of them plain bounds\n", n_cells, n_same);
    assert_int_equal(n_wrong, 0);
    assert_in_range(n_same, 400, n_cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_say_what_is_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
