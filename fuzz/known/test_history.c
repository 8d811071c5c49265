/* fuzz/known/test_history.c -- bugs over nights: since when, how many, and a file that stays in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "fuzz/journal/campaign_standing.h"
#include "fuzz/known/history.h"

enum {
    N_BUGS = 2
};

struct rig {
    char path[64];
    struct arena a;
    struct err e;
    struct campaign_target target;
    struct campaign_finding finding[N_BUGS];
    struct campaign_gone gone;
    struct campaign c;
};

static int set_up(void **state)
{
    static const char *const cores[N_BUGS] = {"ulp A", "ulp B"};
    struct rig *r = calloc(1, sizeof *r);
    (void)snprintf(r->path, sizeof r->path, "/tmp/halfulp-history-%d.tsv", (int)getpid());
    arena_init(&r->a, 16 << 20);
    r->target = (struct campaign_target){.id = 1, .name = "one"};
    for (uint32_t i = 0; i < N_BUGS; i++) {
        r->finding[i] = (struct campaign_finding){.id = i + 1,
                                                  .target_id = 1,
                                                  .bucket = i,
                                                  .verdict = "ulp",
                                                  .class = "legal",
                                                  .core = cores[i],
                                                  .signature = cores[i],
                                                  .title = "a\ttitle\n"};
    }
    r->gone = (struct campaign_gone){.target = "one", .core = "ulp B", .state = BASELINE_FIXED};
    r->c = (struct campaign){.n_targets = 1, .targets = &r->target, .findings = r->finding};
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    (void)unlink(r->path);
    arena_free(&r->a);
    free(r);
    return 0;
}

/* A night with the first n bugs, B gone or not, as a report has it. */
static void run_night(struct rig *r, const char *name, uint32_t n, uint32_t n_gone)
{
    struct history h;
    r->c.started = name;
    r->c.n_findings = n;
    r->c.n_gone = n_gone;
    r->c.gone = &r->gone;
    assert_int_equal(history_read(&h, r->path, &r->a, &r->e), RES_OK);
    assert_int_equal(history_mark(&h, &r->c, &r->a, &r->e), RES_OK);
    assert_int_equal(history_write(&h, &r->c, &r->a, &r->e), RES_OK);
}

static void expect_night(const struct rig *r, uint32_t i, uint32_t n_new, uint32_t n_open,
                         uint32_t n_fixed)
{
    const struct campaign_night *const x = &r->c.nights[i];
    if (x->n_new != n_new || x->n_open != n_open || x->n_fixed != n_fixed) {
        fail_msg("night %s: %u new, %u open, %u fixed", x->name, (unsigned)x->n_new,
                 (unsigned)x->n_open, (unsigned)x->n_fixed);
    }
}

static void nights_are_counted(void **state)
{
    struct rig *r = *state;
    run_night(r, "2026-01-01", 0, 0); /* a night without a bug is one */
    run_night(r, "2026-01-02", 1, 0);
    assert_true(campaign_is_new(&r->c, &r->finding[0]));
    run_night(r, "2026-01-03", 2, 0);
    assert_int_equal(r->c.n_nights, 3);
    expect_night(r, 0, 0, 0, 0);
    expect_night(r, 1, 1, 1, 0);
    expect_night(r, 2, 1, 2, 0);
    assert_string_equal(r->finding[0].since, "2026-01-02");
    assert_string_equal(r->finding[1].since, "2026-01-03");
    assert_false(campaign_is_new(&r->c, &r->finding[0]));
    assert_true(campaign_is_new(&r->c, &r->finding[1]));
}

/* The night before lacks it: by the baseline alone it would be new. */
static void a_bug_of_an_earlier_night_is_not_new(void **state)
{
    struct rig *r = *state;
    run_night(r, "2026-01-01", 2, 0);
    run_night(r, "2026-01-02", 1, 0);
    r->finding[1].baseline = BASELINE_NEW;
    run_night(r, "2026-01-03", 2, 0);
    assert_false(campaign_is_new(&r->c, &r->finding[1]));
    assert_string_equal(r->finding[1].since, "2026-01-01");
}

/* Fixed and met again it is new, since then. */
static void a_bug_that_was_fixed_is_new_again(void **state)
{
    struct rig *r = *state;
    run_night(r, "2026-01-01", 2, 0);
    run_night(r, "2026-01-02", 1, 1);
    expect_night(r, 1, 0, 1, 1);
    run_night(r, "2026-01-03", 2, 0);
    assert_true(campaign_is_new(&r->c, &r->finding[1]));
    assert_string_equal(r->finding[1].since, "2026-01-03");
    expect_night(r, 2, 1, 2, 0);
}

/* A report that is made again takes the place of its night; an older one keeps its place. */
static void a_night_is_there_once(void **state)
{
    struct rig *r = *state;
    const unsigned char *text = NULL;
    size_t n = 0;
    run_night(r, "2026-01-02", 2, 0);
    run_night(r, "2026-01-02", 1, 0);
    run_night(r, "2026-01-01", 1, 0);
    assert_int_equal(r->c.n_nights, 1); /* what came later does not count */
    run_night(r, "2026-01-03", 1, 0);
    assert_int_equal(r->c.n_nights, 3);
    assert_string_equal(r->finding[0].since, "2026-01-01");
    assert_int_equal(file_read(r->path, 1 << 20, &r->a, &text, &n, &r->e), RES_OK);
    assert_string_equal(strchr((const char *)text, '\n') + 1,
                        "2026-01-01\tnight\t-\t-\t-\n"
                        "2026-01-01\tnew\tone\tulp A\ta\\x09title\\x0a\n"
                        "2026-01-02\tnight\t-\t-\t-\n"
                        "2026-01-02\tnew\tone\tulp A\ta\\x09title\\x0a\n"
                        "2026-01-03\tnight\t-\t-\t-\n"
                        "2026-01-03\topen\tone\tulp A\ta\\x09title\\x0a\n");
}

static void what_is_no_history_is_told(void **state)
{
    struct rig *r = *state;
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"2026-01-01\tnew\tone\tulp A\n",                                ":1: not a line of a history"},
        {"# x\n2026-01-01\tbroken\tone\tulp A\tt\n",                     ":2: not a line of a history"},
        {"2026-01-02\tnight\t-\t-\t-\n2026-01-01\tnew\tone\tulp A\tt\n",
         ":2: this night is earlier"                                                                  },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct history h;
        assert_int_equal(file_write(r->path, rows[i].text, strlen(rows[i].text), &r->e), RES_OK);
        assert_int_equal(history_read(&h, r->path, &r->a, &r->e), RES_FORMAT);
        assert_non_null(strstr(r->e.text, rows[i].wanted));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nights_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_bug_of_an_earlier_night_is_not_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_bug_that_was_fixed_is_new_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_night_is_there_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_history_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
