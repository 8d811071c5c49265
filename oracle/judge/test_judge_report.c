/* oracle/judge/test_judge_report.c -- which findings a judgement keeps, of more than it has room for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/judge/judge_report.h"

struct kept {
    struct judge j;
    struct judgement out;
};

/* Each finding has its number as offset. */
static void find(struct kept *k, enum grade grade, uint32_t number, bool is_kept)
{
    struct finding *const f = judge_finding(&k->j, VERDICT_ULP, CLAUSE_ARITH_CR, grade);
    assert_int_equal(f != NULL, is_kept);
    if (f) {
        f->offset = number;
    }
}

/* A judgement that is full of divergences drops the last of them for a violation; one of violations drops none, and a
 * divergence finds no room. What is dropped is counted all the same. */
static void violations_are_kept_before_divergences(void **state)
{
    (void)state;
    static const struct {
        uint32_t n_first; /* violations, then divergences up to the limit */
        uint32_t n_further;
    } rows[] = {
        {0,                      1                     },
        {0,                      JUDGE_MAX_FINDINGS    },
        {0,                      JUDGE_MAX_FINDINGS + 2},
        {3,                      2                     },
        {JUDGE_MAX_FINDINGS - 1, 1                     },
        {JUDGE_MAX_FINDINGS - 1, 3                     },
        {JUDGE_MAX_FINDINGS,     1                     },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        static const struct kept none;
        struct kept k = none;
        k.j.out = &k.out;
        uint32_t const n_first = rows[i].n_first, n_further = rows[i].n_further;
        uint32_t const n_room = JUDGE_MAX_FINDINGS - n_first;
        for (uint32_t n = 0; n < JUDGE_MAX_FINDINGS; n++) {
            find(&k, n < n_first ? GRADE_VIOLATION : GRADE_DIVERGENCE, n, true);
        }
        find(&k, GRADE_DIVERGENCE, 99, false);
        for (uint32_t n = 0; n < n_further; n++) {
            find(&k, GRADE_VIOLATION, 100 + n, n < n_room);
        }
        uint32_t const n_new = n_further < n_room ? n_further : n_room;
        assert_int_equal(k.out.n_findings, JUDGE_MAX_FINDINGS);
        assert_int_equal(k.out.n_found, JUDGE_MAX_FINDINGS + 1 + n_further);
        assert_int_equal(k.out.kind, VERDICT_ULP);
        for (uint32_t n = 0; n < JUDGE_MAX_FINDINGS; n++) { /* in the order in which they came */
            uint32_t const n_old = JUDGE_MAX_FINDINGS - n_new;
            const struct finding *const f = &k.out.findings[n];
            assert_int_equal(f->offset, n < n_old ? n : 100 + n - n_old);
            assert_int_equal(f->kind, n < n_first || n >= n_old ? VERDICT_ULP : VERDICT_DIVERGENCE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violations_are_kept_before_divergences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
