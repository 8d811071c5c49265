/* fuzz/known/test_expected_failures.c -- lists of expected findings: what a row fits, until when, and what is no row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/journal/campaign_group.h"
#include "fuzz/known/expected_failures.h"
#include "oracle/judgement/judgement.h"

#define TODAY "2024-02-29"

/* The list, or NULL with the message in e. */
static struct expected_failures *read_list(const char *text, struct arena *a, struct err *e)
{
    char path[] = "/tmp/test-known-XXXXXX";
    int const file = mkstemp(path);
    struct expected_failures *k = ARENA_NEW(a, struct expected_failures, 1);
    assert_true(file >= 0 && k);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(file), 0);
    enum res const r = expected_failures_read(k, arena_printf(a, "%s", path), TODAY, a, e);
    (void)unlink(path);
    return r == RES_OK ? k : NULL;
}

/* A row is expired from the day after its last one; until then it stands. A finding that an expired row fits
 * is counted, and is not expected. */
static void a_row_ends_after_its_last_day(void **state)
{
    (void)state;
    static const struct {
        const char *day;
        int is_expired;
    } rows[] = {
        {"",             0},
        {"\t",           0},
        {"\t2024-02-29", 0},
        {"\t2024-03-01", 0},
        {"\t9999-12-31", 0},
        {"\t2024-02-28", 1},
        {"\t2023-12-31", 1},
        {"\t2000-02-29", 1},
    };
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, (size_t)64 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct expected_failures *k = read_list(
            arena_printf(&a, "# a list\n\nt\t*\tulp*\tFADD_CR\tnote%s\n", rows[i].day), &a, &e);
        if (!k) {
            fail_msg("row %zu: %s", i, e.text);
            return;
        }
        assert_int_equal(k->n, 1);
        assert_int_equal(k->rows[0].line, 3);
        assert_int_equal(k->rows[0].is_expired, rows[i].is_expired);
        const struct expected_failure *row = expected_failures_find(k, "t", "facts", "ulp FADD_CR");
        assert_int_equal(row == NULL, rows[i].is_expired);
        assert_int_equal(k->rows[0].n_seen, 1); /* it is told that it is in the way */
    }
    arena_free(&a);
}

/* Each mistake in a row is told with its line, days that the calendar does not have among them. */
static void what_is_no_row_is_told_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *line, *want;
    } rows[] = {
        {"t\t*\tx\tFADD_CR",                      ":2: 4 columns"                   },
        {"t\t*\tx\tFADD_CR\tn\t2024-01-01\tmore", ":2: 7 columns"                   },
        {"t\t*\tx\tNO_SUCH_CLAUSE\tn",            ":2: clause \"NO_SUCH_CLAUSE\""   },
        {"t\tMesa 1\tx\tFADD_CR\tn",              ":2: \"Mesa 1\" is not a range"   },
        {"t\t..\tx\tFADD_CR\tn",                  ":2: \"..\" is not a range"       },
        {"t\t1.\tx\tFADD_CR\tn",                  ":2: \"1.\" is not a range"       },
        {"\tulp FADD_CR",                         ":2: a line that begins with"     },
        {"t\t*\tx\tFADD_CR\tn\n\ty\tz",           ":3: a line that begins with"     },
        {"t\t*\tx\tFADD_CR\tn\n\tknown NOT_ONE",  ":3: "                            },
        {"t\t*\tx\tFADD_CR\tn\t2023-02-29",       ":2: \"2023-02-29\" is not a date"},
        {"t\t*\tx\tFADD_CR\tn\t1900-02-29",       ":2: \"1900-02-29\" is not a date"},
        {"t\t*\tx\tFADD_CR\tn\t2024-04-31",       ":2: \"2024-04-31\" is not a date"},
        {"t\t*\tx\tFADD_CR\tn\t2024-13-01",       "is not a date"                   },
        {"t\t*\tx\tFADD_CR\tn\t2024-00-01",       "is not a date"                   },
        {"t\t*\tx\tFADD_CR\tn\t2024-01-00",       "is not a date"                   },
        {"t\t*\tx\tFADD_CR\tn\t2024-1-1",         "is not a date"                   },
        {"t\t*\tx\tFADD_CR\tn\t2024/01/01",       "is not a date"                   },
        {"t\t*\tx\tFADD_CR\tn\ttomorrow",         "is not a date"                   },
    };
    struct arena a;
    arena_init(&a, (size_t)64 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct err e = {RES_OK, ""};
        const struct expected_failures *k =
            read_list(arena_printf(&a, "#\n%s\n", rows[i].line), &a, &e);
        if (k || e.code != RES_FORMAT || !strstr(e.text, rows[i].want)) {
            fail_msg("\"%s\": \"%s\", wanted \"%s\"", rows[i].line, e.text, rows[i].want);
        }
    }
    arena_free(&a);
}

/* A live row behind an expired one still stands. */
static void the_first_row_that_lives_stands(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, (size_t)64 << 20);
    struct expected_failures *k = read_list("t\t1.0\tulp*\tFADD_CR\tone\t2020-01-01\n"
                                            "t\t*\tulp FADD_CR x\tFADD_CR\ttwo\n",
                                            &a, &e);
    assert_non_null(k);
    const struct expected_failure *row =
        expected_failures_find(k, "t", "driver=1.0", "ulp FADD_CR x");
    assert_non_null(row);
    assert_string_equal(row->note, "two");
    assert_int_equal(k->rows[0].n_seen, 1);
    assert_null(expected_failures_find(k, "t", "driver=1.0", "ulp FADD_CR xy"));
    assert_null(expected_failures_find(k, "u", "driver=1.0", "ulp FADD_CR x"));
    assert_null(expected_failures_find(k, "t2:F", "driver=1.0", "ulp FADD_CR x"));
    assert_non_null(expected_failures_find(k, "t:F", "driver=1.0", "ulp FADD_CR x"));
    arena_free(&a);
}

/* The core of a crash stands for all that have it, whatever frames follow; nothing that is shorter does, and no row of a
 * value gets wider by it. */
static void a_crash_is_known_by_its_core(void **state)
{
    (void)state;
    static const struct {
        const char *row, *signature;
        bool fits;
    } rows[] = {
        {"crash MUST_RUN start 11 pass 'p' a+f;b+g;c+h",
         "crash MUST_RUN start 11 pass 'p' a+f;b+g;c+h",                                                  true },
        {"crash MUST_RUN start 11 pass 'p' a+f;b+g;c+h",
         "crash MUST_RUN start 11 pass 'p' a+f;b+g;c+h;d+i",                                              true },
        {"crash MUST_RUN start 11 pass 'p' a+f;b+g;c+h",
         "crash MUST_RUN start 11 pass 'q' a+f;b+g;c+h;d+i",                                              false},
        {"crash MUST_RUN start 11 pass 'p' a+f;b+g;c+h",
         "crash MUST_RUN start 11 pass 'p' a+f;b+g;c+hh",                                                 false},
        {"crash MUST_RUN start 11 pass 'p' a+f;b+g",
         "crash MUST_RUN start 11 pass 'p' a+f;b+g;c+h;d+i",                                              false},
        {"crash MUST_RUN start 11 pass 'p'",             "crash MUST_RUN start 11 pass 'p' a+f",          false},
        {"crash MUST_RUN start 11 code",                 "crash MUST_RUN start 11 code;a+f;b+g;c+h",      false},
        {"crash MUST_RUN start 11 code",                 "crash MUST_RUN start 11 code",                  true },
        {"crash MUST_RUN start 6 \"a; b\" a+f;b+g;c+h",
         "crash MUST_RUN start 6 \"a; b\" a+f;b+g;c+h;d",                                                 true },
        {"crash MUST_RUN start 6 \"a",                   "crash MUST_RUN start 6 \"a; b\" a+f;b+g;c+h;d", false},
        {"ulp FADD_CR x",                                "ulp FADD_CR x;y",                               false},
 /* with the phase `start`, which lists of earlier versions have, any phase is meant; another is that one */
        {"crash MUST_RUN start 11 code",                 "crash MUST_RUN run 11 code",                    true },
        {"crash MUST_RUN start 11 code*",                "crash MUST_RUN run 11 code;d",                  true },
        {"crash MUST_RUN start 6 \"a; b\" a+f;b+g;c+h",
         "crash MUST_RUN build 6 \"a; b\" a+f;b+g;c+h;d",                                                 true },
        {"crash MUST_RUN start 6 \"a; b\" a+f;b+g;c+h",
         "crash MUST_RUN build 6 \"a; b\" a+f;b+g;c+k;d",                                                 false},
        {"hang MUST_RUN start 0 ",                       "hang MUST_RUN build 0 ",                        true },
        {"exit MUST_RUN start 1 ",                       "exit MUST_RUN run 1 ",                          true },
        {"crash MUST_RUN start 11 code",                 "crash MUST_RUN start 11 code",                  true },
        {"crash MUST_RUN start 11 code",                 "crash MUST_RUN run 6 code",                     false},
        {"crash MUST_RUN start 11 code",                 "crash ND_RANGE run 11 code",                    false},
        {"crash MUST_RUN start 11 code",                 "hang MUST_RUN run 11 code",                     false},
        {"crash MUST_RUN build 11 code",                 "crash MUST_RUN run 11 code",                    false},
        {"crash MUST_RUN build 11 code",                 "crash MUST_RUN start 11 code",                  false},
        {"reject MUST_ACCEPT start -4 a",                "reject MUST_ACCEPT build -4 a",                 false},
        {"divergence INVALID_UNDEFINED start 11 code",   "divergence INVALID_UNDEFINED run 11 code",
         true                                                                                                  },
        {"crash MUST_RUN start",                         "crash MUST_RUN run 11",                         false},
        {"",                                             ";",                                             false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (signature_fits(rows[i].signature, rows[i].row) != rows[i].fits) {
            fail_msg("\"%s\" and \"%s\"", rows[i].row, rows[i].signature);
        }
    }
}

/* The rows of this list that say `start` fit the same crash in whichever phase it is told now. */
static void rows_that_are_checked_in_fit_any_phase(void **state)
{
    (void)state;
    static const char *const phases[] = {" start ", " build ", " run "};
    const char *const start = phases[0];
    struct arena a;
    struct err e = {RES_OK, ""};
    struct expected_failures k;
    uint32_t n = 0;
    arena_init(&a, (size_t)64 << 20);
    if (expected_failures_read(&k, "corpora/known.tsv", "2026-01-01", &a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    for (uint32_t i = 0; i < k.n; i++) {
        const char *const whole = k.rows[i].signature;
        const char *const where = strstr(whole, " where ");
        const char *const row =
            where ? arena_printf(&a, "%.*s", (int)(where - whole), whole) : whole;
        const char *const at = strstr(row, start);
        if (strncmp(row, "crash ", 6) != 0 || !at) {
            continue;
        }
        for (size_t p = 0; p < ARRAY_N(phases); p++) {
            const char *const text =
                arena_printf(&a, "%.*s%s%s", (int)(at - row), row, phases[p], at + strlen(start));
            assert_true(signature_fits(text, row));
            assert_true(core_is_of(signature_parse(text, &a).core, signature_parse(row, &a).core));
            assert_int_equal(signature_fits(row, text), p == 0);
            assert_false(signature_fits(arena_printf(&a, "%s0", text), row));
        }
        n++;
    }
    assert_true(n > 10);
    arena_free(&a);
}

/* What rows expect are buckets of their own, one a row; a finding that no row fits is never taken along. */
static void a_row_is_a_bucket_and_takes_nothing_along(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {RES_OK, ""};
    struct campaign_target target = {.id = 1, .name = "t", .facts = ""};
    static const char *const signatures[] = {
        "ulp FADD_CR AtomicFAddEXT f32 global", "ulp FADD_CR AtomicFAddEXT f32 global contended",
        "ulp MATH_ULP exp f32 private", "ulp MATH_ULP exp2 f32 private",
        "ulp MATH_ULP exp f64 private known:EXP_PAST"};
    struct campaign_finding f[ARRAY_N(signatures)];
    struct campaign c = {.n_targets = 1, .targets = &target, .n_findings = 5, .findings = f};
    arena_init(&a, (size_t)64 << 20);
    for (uint32_t i = 0; i < ARRAY_N(signatures); i++) {
        f[i] = (struct campaign_finding){.target_id = 1,
                                         .signature = signatures[i],
                                         .class = "legal",
                                         .verdict = "ulp",
                                         .clause = "FADD_CR",
                                         .n_in_bucket = i + 1};
    }
    struct expected_failures *k =
        read_list("t\t*\tulp FADD_CR AtomicFAddEXT f32 global contended\tFADD_CR\tone\n"
                  "t\t*\tknown EXP_PAST\tMATH_ULP\ttwo\n"
                  "\tulp MATH_ULP exp2 f32 private\n"
                  "t\t*\tc\tFADD_CR\tunused\n",
                  &a, &e);
    assert_non_null(k);
    assert_int_equal(campaign_group(&c, &a, &e), RES_OK);
    assert_int_equal(f[1].bucket, 0);
    assert_int_equal(expected_failures_mark(k, &c, &a, &e), RES_OK);
    assert_null(f[0].expected);
    assert_int_equal(f[0].bucket, 0);
    assert_int_equal(f[0].n_all, 1);
    assert_ptr_equal(f[1].expected, &k->rows[0]);
    assert_int_equal(f[1].bucket, 1);
    assert_null(f[2].expected);
    assert_ptr_equal(f[3].expected, &k->rows[1]);
    assert_ptr_equal(f[4].expected, &k->rows[1]);
    assert_int_equal(f[3].bucket, f[4].bucket);
    assert_int_equal(f[f[3].bucket].n_all, 9);
    assert_int_equal(c.n_rows, 3);
    assert_int_equal(c.rows[2].n_seen, 0);
    arena_free(&a);
}

/* A row is about each of its targets and their twins from source, in its versions alone. */
static void a_row_is_about_its_targets_and_versions(void **state)
{
    (void)state;
    static const struct {
        const char *versions, *facts;
        bool is_in;
    } rows[] = {
        {"*",              "",                                                        true },
        {"*",              "driver=Mesa 1.2\n",                                       true },
        {"22.3.6",         "api=vulkan\ndriver=Mesa 22.3.6 (LLVM 15.0.6)\nversion=9", true },
        {"22.3.6",         "driver=Mesa 22.3.7",                                      false},
        {"22.3.6",         "driver=Mesa 22.3.60",                                     false},
        {"22",             "driver=Mesa 22.3.7",                                      true },
        {"22.3.6..26.2",   "driver=26.2.6-1",                                         true },
        {"22.3.6..26.2",   "driver=26.10.0",                                          false},
        {"22.3.6..26.2",   "driver=22.3.5",                                           false},
        {"..25",           "driver=Mesa 25.0.7-2+deb13u1 (LLVM 19)",                  true },
        {"..25",           "driver=26.0",                                             false},
        {"25..",           "driver=24.9.9",                                           false},
        {"25..",           "driver=100.0",                                            true },
        {"2026.22.10.0.1", "driver=2026.22.10.0.01_160000",                           true },
        {"1.0",            "version=1.0",                                             false},
    };
    struct arena a;
    struct err e = {RES_OK, ""};
    arena_init(&a, (size_t)64 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct expected_failures *k =
            read_list(arena_printf(&a, "t,u-2\t%s\tx\tFADD_CR\tn\n", rows[i].versions), &a, &e);
        if (!k || expected_failures_is_about(&k->rows[0], "t", rows[i].facts) != rows[i].is_in) {
            fail_msg("\"%s\" of \"%s\": %s", rows[i].versions, rows[i].facts, e.text);
            return;
        }
        assert_true(expected_failures_is_about(&k->rows[0], "u-2-c", rows[i].facts) ==
                    rows[i].is_in);
        assert_false(expected_failures_is_about(&k->rows[0], "u", rows[i].facts));
        const char *const like = arena_printf(&a, "%s\ntarget.like=u-2\n", rows[i].facts);
        assert_true(expected_failures_is_about(&k->rows[0], "mine", like) == rows[i].is_in);
        assert_false(expected_failures_is_about(&k->rows[0], "mine", rows[i].facts));
        assert_false(expected_failures_is_about(&k->rows[0], "t,u-2", rows[i].facts));
    }
    arena_free(&a);
}

/* A row that did not fit would stand there without its text, and expect another finding. */
static void what_does_not_fit_is_told(void **state)
{
    (void)state;
    char path[] = "/tmp/test-known-XXXXXX";
    struct expected_failures k;
    struct err e;
    struct arena a;
    int const fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *const f = fdopen(fd, "w");
    assert_non_null(f);
    for (int i = 0; i < 1000; i++) {
        (void)fprintf(f, "target\t*\tulp FADD_CR AtomicFAddEXT f32 global %d\tFADD_CR\tnote\n", i);
    }
    assert_int_equal(fclose(f), 0);
    size_t whole = 0;
    arena_init(&a, 64 << 20);
    assert_int_equal(expected_failures_read(&k, path, "2026-01-01", &a, &e), RES_OK);
    assert_int_equal(k.n, 1000);
    whole = a.used_bytes;
    arena_free(&a);
    for (size_t limit = whole / 8; limit < whole; limit += whole / 8) {
        arena_init(&a, limit);
        assert_int_equal(expected_failures_read(&k, path, "2026-01-01", &a, &e), RES_NOMEM);
        assert_non_null(strstr(e.text, path));
        arena_free(&a);
    }
    (void)unlink(path);
}

static void today_is_a_day(void **state)
{
    (void)state;
    struct arena a;
    struct err e = {RES_OK, ""};
    char today[EXPECTED_DATE_BYTES];
    arena_init(&a, (size_t)64 << 20);
    expected_failures_get_today(today);
    assert_non_null(read_list(arena_printf(&a, "t\t*\tx\tFADD_CR\tn\t%s\n", today), &a, &e));
    assert_true(strcmp(today, TODAY) > 0);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_ends_after_its_last_day),
        cmocka_unit_test(what_is_no_row_is_told_with_its_line),
        cmocka_unit_test(the_first_row_that_lives_stands),
        cmocka_unit_test(a_crash_is_known_by_its_core),
        cmocka_unit_test(rows_that_are_checked_in_fit_any_phase),
        cmocka_unit_test(a_row_is_a_bucket_and_takes_nothing_along),
        cmocka_unit_test(a_row_is_about_its_targets_and_versions),
        cmocka_unit_test(what_does_not_fit_is_told),
        cmocka_unit_test(today_is_a_day),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
