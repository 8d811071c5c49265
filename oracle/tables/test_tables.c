/* oracle/tables/test_tables.c -- the tables of verdicts and clauses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ops.h"
#include "oracle/tables/tables.h"

static void verdicts_are_found_by_name(void **state)
{
    (void)state;
    for (int i = 0; i < VERDICT_N; i++) {
        assert_int_equal(verdict_find(verdict_rows[i].name), i);
        assert_true(strlen(verdict_rows[i].text) > 0);
        if (i > 0) { /* ok, then information, then violations: the worst is the largest */
            assert_true(verdict_rows[i].part >= verdict_rows[i - 1].part);
        }
    }
    assert_int_equal(verdict_find("no such verdict"), -1);
    assert_int_equal(verdict_rows[VERDICT_OK].part, PART_OK);
    assert_int_equal(verdict_rows[VERDICT_DIVERGENCE].part, PART_INFO);
    assert_int_equal(verdict_rows[VERDICT_CRASH].part, PART_VIOLATION);
}

static void clauses_are_found_by_id(void **state)
{
    (void)state;
    for (int i = 0; i < CLAUSE_N; i++) {
        assert_int_equal(clause_find(clause_rows[i].id), i);
        assert_true(strlen(clause_rows[i].code) > 0 && strlen(clause_rows[i].text) > 0);
    }
    assert_int_equal(clause_find("NO_SUCH"), -1);
}

/* The bare tokens of ops.def are ids of clauses. */
static void every_instruction_has_a_clause(void **state)
{
    (void)state;
    for (int i = 0; i < OP_N; i++) {
        if (clause_find(op_rows[i].clause) < 0) {
            fail_msg("Op%s: no clause %s", op_rows[i].name, op_rows[i].clause);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_found_by_name),
        cmocka_unit_test(clauses_are_found_by_id),
        cmocka_unit_test(every_instruction_has_a_clause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
