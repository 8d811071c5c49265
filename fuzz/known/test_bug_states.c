/* fuzz/known/test_bug_states.c -- lists of how bugs stand: what a row does, and what is no row. */
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
#include "fuzz/known/bug_states.h"

struct rig {
    char path[64];
    struct arena a;
    struct bug_states states;
    struct err e;
};

static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    (void)snprintf(r->path, sizeof r->path, "/tmp/halfulp-states-%d.tsv", (int)getpid());
    arena_init(&r->a, 16 << 20);
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

static enum res read_rows(struct rig *r, const char *text)
{
    assert_int_equal(file_write(r->path, text, strlen(text), &r->e), RES_OK);
    return bug_states_read(&r->states, r->path, &r->a, &r->e);
}

static void a_wrong_row_is_told_with_what_would_be_right(void **state)
{
    struct rig *r = *state;
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"t\tulp\topen\n",                         ":1: 3 columns; target, signature, state and note"},
        {"# a comment\n\nt\tulp\topen\tn\tmore\n", ":3: 5 columns"                                   },
        {"t\tulp\tclosed\tn\n",                    ":1: state \"closed\": open, fixed in VERSION"    },
        {"t\tulp\topen now\tn\n",                  ":1: state \"open now\""                          },
        {"t\tulp\tfixed in\tn\n",                  ":1: state \"fixed in\""                          },
        {"t\tulp\tfixed in tomorrow\tn\n",         ":1: \"tomorrow\" is not a version"               },
        {"t\tulp\tfixed in 25.1-rc\tn\n",          ":1: \"25.1-rc\" is not a version"                },
        {"t\tulp\tduplicate of \tn\n",             ":1: state \"duplicate of \""                     },
        {"\tulp\topen\tn\n",                       ":1: no target"                                   },
        {"t\t\topen\tn\n",                         ":1: no signature"                                },
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_int_equal(read_rows(r, rows[i].text), RES_FORMAT);
        if (!strstr(r->e.text, rows[i].wanted) || strncmp(r->e.text, r->path, strlen(r->path))) {
            fail_msg("\"%s\": %s", rows[i].text, r->e.text);
        }
    }
    assert_int_equal(file_write(r->path, "t\tu\0p\topen\tn\n", 13, &r->e), RES_OK);
    assert_int_equal(bug_states_read(&r->states, r->path, &r->a, &r->e), RES_FORMAT);
    assert_non_null(strstr(r->e.text, ":1: holds a zero byte"));
}

/* A campaign of one bug, on a driver of version 25.0.7. */
struct one {
    struct campaign_target target;
    struct campaign_finding finding;
    struct campaign c;
};

static void make_one(struct one *x)
{
    *x = (struct one){
        .target = {.id = 1,          .name = "lavapipe", .facts = "driver=Mesa 25.0.7 (LLVM 15.0.6)\n"},
        .finding = { .id = 7,
                   .target_id = 1,
                   .verdict = "ulp",
                   .class = "legal",
                   .signature = "ulp FADD_CR FAdd f32 global special"}
    };
    x->c.n_targets = x->c.n_findings = 1;
    x->c.targets = &x->target;
    x->c.findings = &x->finding;
}

/* What each state makes of a bug that is met: new, set aside, or neither. */
static void a_state_says_whether_a_bug_is_new(void **state)
{
    struct rig *r = *state;
    static const struct {
        const char *row;
        int is_new, is_closed;
    } rows[] = {
        {"intel-cpu\tulp FADD_CR FAdd f32 global\topen\tn\n",           1, 0}, /* of another target */
        {"lavapipe\tulp FADD_CR FSub f32 global\topen\tn\n",            1, 0}, /* another bug */
        {"lavapipe\tulp FADD_CR FAdd f32 global\topen\tn\n",            0, 0},
        {"intel-cpu,lavapipe\tulp FADD_CR FAdd f32 global\topen\tn\n",  0, 0},
        {"lavapipe\tulp FADD_CR FAdd f32 global\tfixed in 25.1\tn\n",   0, 1}, /* not yet here */
        {"lavapipe\tulp FADD_CR FAdd f32 global\tfixed in 25.0.7\tn\n", 1, 0},
        {"lavapipe\tulp FADD_CR FAdd f32 global\tfixed in 24.3\tn\n",   1, 0},
        {"lavapipe\tulp FADD_CR FAdd f32 global\tduplicate of #7\tn\n", 0, 1},
        {"lavapipe\tulp FADD_CR FAdd f32 global\tnot seen\tn\n",        1, 0},
        {"lavapipe\tulp FADD_CR FAdd f32 global\tinvalid\tn\n",         0, 1},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct one x;
        make_one(&x);
        assert_int_equal(read_rows(r, rows[i].row), RES_OK);
        bug_states_mark(&r->states, &x.c);
        assert_int_equal(x.c.n_states, 1);
        if (campaign_is_new(&x.c, &x.finding) != rows[i].is_new ||
            campaign_is_closed(&x.finding) != rows[i].is_closed) {
            fail_msg("%s: is new: %d", rows[i].row, campaign_is_new(&x.c, &x.finding));
        }
        assert_int_equal(r->states.rows[0].n_seen, x.finding.state != NULL);
    }
}

/* A row that an earlier version wrote says `start` of each crash. */
static void a_state_of_any_phase_stands(void **state)
{
    struct rig *r = *state;
    static const struct {
        const char *signature;
        bool is_closed;
    } rows[] = {
        {"crash MUST_RUN run 11 a+f;b+g;c+h;d",   true },
        {"crash MUST_RUN build 11 a+f;b+g;c+h;d", true },
        {"crash MUST_RUN start 11 a+f;b+g;c+h;d", true },
        {"crash MUST_RUN build 6 a+f;b+g;c+h;d",  false},
        {"crash MUST_RUN build 11 a+f;b+g;c+i;d", false},
    };
    assert_int_equal(read_rows(r, "lavapipe\tcrash MUST_RUN start 11 a+f;b+g;c+h\tinvalid\tn\n"),
                     RES_OK);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct one x;
        make_one(&x);
        x.finding.verdict = "crash";
        x.finding.signature = rows[i].signature;
        bug_states_mark(&r->states, &x.c);
        assert_int_equal(campaign_is_closed(&x.finding), rows[i].is_closed);
    }
}

/* Nobody can tell that a driver without a version is older than the fix. */
static void without_a_version_what_is_fixed_is_back(void **state)
{
    struct rig *r = *state;
    struct one x;
    make_one(&x);
    x.target.facts = "driver=something\n";
    assert_int_equal(read_rows(r, "lavapipe\tulp FADD_CR FAdd f32 global\tfixed in 99\tn\n"),
                     RES_OK);
    bug_states_mark(&r->states, &x.c);
    assert_true(campaign_is_new(&x.c, &x.finding));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wrong_row_is_told_with_what_would_be_right, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_state_says_whether_a_bug_is_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_state_of_any_phase_stands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_version_what_is_fixed_is_back, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
