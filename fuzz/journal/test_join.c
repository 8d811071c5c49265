/* fuzz/journal/test_join.c -- buckets that triage found to be one bug. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz/journal/campaign_data.h"
#include "fuzz/journal/campaign_group.h"
#include "fuzz/journal/campaign_standing.h"

enum {
    N = 6
};
#define BY(bug_, first, n)                                                                         \
    ((struct campaign_triage){.bug = bug_, .first_wrong = first, .n_before = (n)})

/* What one fault explains all of, and what follows from a value that another bucket names, is one bucket; of another
 * target, or listed, it stays. The one whose case was made smaller names it. */
static void what_triage_found_joins(void **state)
{
    (void)state;
    static const char *const signatures[N] = {
        "ulp ARITH_CR FAdd f32 - normal,normal",      "ulp ARITH_CR FMul f32 - normal,normal",
        "ulp RMW_CHAIN AtomicExchange i32 workgroup", "ulp EXCH_EXACT AtomicExchange i64 workgroup",
        "ulp ARITH_CR FSub f32 - normal,normal",      "ulp ARITH_CR FSub f32 - normal,normal"};
    struct campaign_triage const triage[N] = {
        BY("", "ulp ARITH_CR FMul f32 -", 0),    BY("", "", 0),
        BY("LOST_UPDATE:AtomicExchange", "", 0), BY("LOST_UPDATE:AtomicExchange", "", 9),
        BY("", "ulp ARITH_CR FMul f32 -", 0),    BY("", "ulp ARITH_CR FMul f32 -", 0)};
    struct expected_failure const row = {.signature = "ulp ARITH_CR FSub f32 -"};
    static const uint32_t heads[N] = {1, 1, 3, 3, 4, 5};
    struct campaign_finding findings[N];
    struct campaign c = {.n_findings = N, .findings = findings};
    struct arena a;
    struct err e;
    arena_init(&a, (size_t)1 << 20);
    for (uint32_t i = 0; i < N; i++) {
        findings[i] = (struct campaign_finding){.id = i + 1,
                                                .target_id = i == 4 ? 2 : 1,
                                                .class = "legal",
                                                .verdict = "ulp",
                                                .signature = signatures[i],
                                                .n_in_bucket = 1,
                                                .triage = &triage[i],
                                                .expected = i == 5 ? &row : NULL};
    }
    assert_int_equal(campaign_group(&c, &a, &e), RES_OK);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(findings[i].bucket, heads[i]);
        assert_int_equal(findings[i].n_all, heads[i] != i ? 0 : i == 1 || i == 3 ? 2 : 1);
    }
    arena_free(&a);
}

/* A violation that names two suspects goes with what is certain of one, but never with what is permitted: a bucket that a
 * divergence names is no bug, and the violation would be none. */
static void no_divergence_names_a_bug(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"divergence", "divergence ARITH_CR FAdd f32 - normal,normal" },
        {"ulp",        "ulp ARITH_CR FMul f32 - normal,normal or:FAdd"},
        {"ulp",        "ulp ARITH_CR FSub f32 - normal,normal or:FAdd"},
    };
    static const uint32_t heads[] = {0, 1, 1};
    struct campaign_finding findings[ARRAY_N(rows)];
    struct campaign c = {.n_findings = ARRAY_N(rows), .findings = findings};
    struct arena a;
    struct err e;
    arena_init(&a, (size_t)1 << 20);
    for (uint32_t i = 0; i < ARRAY_N(rows); i++) {
        findings[i] = (struct campaign_finding){.id = i + 1,
                                                .target_id = 1,
                                                .class = "legal",
                                                .verdict = rows[i][0],
                                                .signature = rows[i][1],
                                                .n_in_bucket = 1};
    }
    assert_int_equal(campaign_group(&c, &a, &e), RES_OK);
    for (uint32_t i = 0; i < ARRAY_N(rows); i++) {
        assert_int_equal(findings[i].bucket, heads[i]);
        assert_int_equal(campaign_is_new(&c, &findings[i]), i == 1);
    }
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_triage_found_joins),
        cmocka_unit_test(no_divergence_names_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
