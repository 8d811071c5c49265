/* tests/program/test_gpu_cases.c -- what a GPU left (corpora/gpu) is still judged as it was when that GPU was at hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "tests/rig/room_rig.h"

#define TABLE "corpora/gpu/verdicts.tsv" /* folder, verdict and clause */

enum {
    MAX_ROW = 256,
    STATUS_VIOLATION = 1,
    LEAST_ROWS = 20
};

static void each_case_has_its_verdict(void **state)
{
    char row[MAX_ROW], root[MAX_ROW];
    FILE *const f = fopen(TABLE, "r");
    int n = 0;
    assert_non_null(f);
    assert_non_null(getcwd(root, sizeof root));
    while (fgets(row, sizeof row, f)) {
        char line[4 * MAX_ROW];
        char *const tab = strchr(row, '\t');
        assert_non_null(tab);
        *tab = '\0';
        tab[1 + strcspn(tab + 1, "\n")] = '\0';
        (void)snprintf(line, sizeof line, "\"$H\" judge '%s/corpora/gpu/%s'", root, row);
        expect(*state, STATUS_VIOLATION, tab + 1, line);
        n++;
    }
    (void)fclose(f);
    assert_true(n >= LEAST_ROWS);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_case_has_its_verdict, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
