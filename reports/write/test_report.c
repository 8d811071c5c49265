/* reports/write/test_report.c -- a report shows what the campaign holds, and foreign text stays text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/printable.h"
#include "reports/model/test_sample.h"
#include "reports/model/test_utf8.h"
#include "reports/write/report.h"

enum {
    ARENA_BYTES = 16 << 20
};

static const char *const hostile[] = {
    "<script>alert(1)</script>",
    "</style><script src=//x></script>",
    "</pre></details></article><img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)\" x='",
    "'><svg/onload=alert(1)>",
    "--><!-- ]]> <![CDATA[",
    "&lt;script&gt;&#60;script&#x3e;",
    "{\"a\": [1, 2}, \\u0000 \\",
    "\x1b[2J\x1b]0;owned\x07 \x08\x7f\x9b"
    "31m",
    "a\rb\nc\td\v\f\x01",
    "\xc0\xbcscript\xc0\xbe over-long",
    "\xed\xa0\x80 surrogate \xf4\x90\x80\x80 too large \xf8\x88\x80\x80\x80",
    "\xe2\x82", /* cut in the middle */
    "\xc2\x9b"
    "31m C1 control",
    "safe\xe2\x80\xae"
    "exe.txt \xe2\x81\xa6 \xef\xbb\xbf", /* direction override, isolate, BOM */
    "%s%n%1000000d",
    "javascript:alert(1)",
    "Gerät 装置 \xf0\x9f\x92\xa5", /* honest: must stay as it is */
};

/* The two pages, one after the other. */
static char *write_pages(const struct campaign *c)
{
    char *const first = write_report(REPORT_HTML, c);
    char *const second = write_report(REPORT_TRUST, c);
    size_t const n = strlen(first) + strlen(second) + 1;
    char *const both = malloc(n);
    assert_non_null(both);
    (void)snprintf(both, n, "%s%s", first, second);
    free(first);
    free(second);
    return both;
}

/* What is left of a page without its text: tags with their attributes. */
static char *keep_tags(const char *page)
{
    char *const tags = malloc(strlen(page) + 1);
    assert_non_null(tags);
    size_t n = 0;
    int inside = 0;
    for (const char *p = page; *p; p++) {
        inside = *p == '<' ? 1 : inside;
        if (inside) {
            tags[n++] = *p;
        }
        inside = *p == '>' ? 0 : inside;
    }
    tags[n] = '\0';
    return tags;
}

/* With hostile text in every foreign field the page has the same tags as with a plain word. */
static void hostile_text_leaves_the_page_as_it_is(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s, "honest");
    char *const control = write_pages(&s.c);
    char *const tags = keep_tags(control);
    assert_non_null(strstr(control, "honest"));
    assert_int_equal(count_text(control, "<script"), 2); /* ours, one on each page */
    for (size_t i = 0; i < ARRAY_N(hostile); i++) {
        make_sample(&s, hostile[i]);
        char *const page = write_pages(&s.c);
        char *const got = keep_tags(page);
        assert_string_equal(got, tags);
        assert_int_equal(count_text(page, "<script"), 2);
        assert_printable(page, hostile[i]);
        free(got);
        free(page);
    }
    free(tags);
    free(control);
}

/* With hostile text in every foreign field the JSON is parsed, and gives the text in printed form. */
static void hostile_text_leaves_json_parseable(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(hostile); i++) {
        struct sample s;
        struct arena a;
        json_error_t why;
        make_sample(&s, hostile[i]);
        arena_init(&a, ARENA_BYTES);
        char *const text = write_report(REPORT_JSON, &s.c);
        assert_printable(text, hostile[i]);
        json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
        if (!root) {
            fail_msg("hostile text %zu: %s at %d", i, why.text, why.position);
        }
        json_t *const x = json_array_get(json_object_get(root, "findings"), 0);
        assert_string_equal(json_string_value(json_object_get(x, "verdict")), "ulp");
        assert_string_equal(json_string_value(json_object_get(x, "operands")),
                            printable_copy(&a, hostile[i]));
        json_decref(root);
        free(text);
        arena_free(&a);
    }
}

static size_t count_columns(const char *p)
{
    size_t n = 0;
    for (; *p && *p != '\n'; p++) {
        n += ((unsigned char)*p & 0xc0) != 0x80;
    }
    return n;
}

/* With hostile text in every foreign field no line of the text report is longer than 120 columns. */
static void hostile_text_stays_in_its_columns(void **state)
{
    (void)state;
    size_t n_lines = 0;
    for (size_t i = 0; i < ARRAY_N(hostile); i++) {
        struct sample s;
        make_sample(&s, hostile[i]);
        char *const text = write_report(REPORT_TEXT, &s.c);
        assert_printable(text, hostile[i]);
        for (const char *p = text; p; p = strchr(p, '\n')) {
            p += *p == '\n';
            if (count_columns(p) > 120) {
                fail_msg("hostile text %zu: a line of %zu columns: %.60s", i, count_columns(p), p);
            }
            n_lines++;
            if (!*p) {
                break;
            }
        }
        free(text);
    }
    assert_true(n_lines > 1000);
}

/* In those that tell all of a campaign; the others tell of its bugs: test_report_formats.c. */
static void every_number_is_in_every_format(void **state)
{
    (void)state;
    static const struct {
        const char *people, *program;
    } row[] = {
        {"18446744073709551615", "18446744073709551615"}, /* the seed */
        {"81,001",               "81001"               },
        {"82,003",               "82003"               },
        {"8,300,007",            "8300007"             },
        {"84,011",               "84011"               },
        {"85,009",               "85009"               },
        {"86,011",               "86011"               },
        {"43,013",               "43013"               },
        {"60,017",               "60017"               },
        {"80,021",               "80021"               },
        {"700003",               "700003"              },
        {"90,001",               "90001"               },
        {"770,001",              "770001"              },
        {"55,001",               "55001"               },
        {"55003",                "55003"               },
        {"99,991",               "99991"               },
        {"4,021",                "4021"                },
        {"80,777",               "80777"               },
        {"61,001",               "61001"               },
        {"62,003",               "62003"               },
        {"63,029",               "63029"               },
        {"64,007",               "64007"               },
        {"123.5",                "123.5"               },
        {"50.0%",                "0.500"               },
        {"10.0%",                "0.1"                 },
        {"nan-rule",             "nan-rule"            },
        {"rejected",             "rejected"            },
        {"not supported",        "not supported"       },
    };
    struct sample s;
    make_sample(&s, "honest");
    for (int k = 0; k <= REPORT_JSON; k++) {
        char *const text =
            k == REPORT_HTML ? write_pages(&s.c) : write_report((enum report_format)k, &s.c);
        for (size_t i = 0; i < ARRAY_N(row); i++) {
            const char *const want = k == REPORT_JSON ? row[i].program : row[i].people;
            if (!strstr(text, want)) {
                fail_msg("%s lacks %s", report_format_names[k], want);
            }
        }
        free(text);
    }
}

static void divergences_stand_apart_from_violations(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s, "honest");
    s.findings[0].verdict = "a kind of tomorrow"; /* never hidden among information */
    char *const text = write_report(REPORT_TEXT, &s.c);
    const char *const unknown = strstr(text, "a kind of tomorrow");
    const char *const violations = strstr(text, "\nViolations\n");
    const char *const divergences = strstr(text, "\nDivergences\n");
    assert_true(unknown && violations && divergences);
    assert_true(violations < divergences);
    assert_non_null(strstr(text, "\n#3 [violation]"));
    assert_non_null(strstr(text, "\n#5 [violation]"));
    assert_non_null(strstr(text, "\n#4 [divergence]"));
    free(text);
}

static void a_clause_comes_with_its_rule(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s, "FMIN_NAN");
    for (int k = 0; k <= REPORT_JSON; k++) {
        char *const text = write_report((enum report_format)k, &s.c);
        assert_non_null(strstr(text, "a number and a quiet NaN is the number"));
        assert_non_null(strstr(text, "SPV_EXT_shader_atomic_float_min_max"));
        free(text);
    }
}

/* A bug's rule, and what was found, have the words of its target's API; formats for people, that is. */
static void a_bug_has_the_words_of_its_api(void **state)
{
    (void)state;
    static const enum report_format formats[] = {REPORT_TEXT, REPORT_HTML};
    static const struct {
        const char *facts, *wanted[2], *other[2];
    } rows[] = {
        {"api=vulkan\n",
         {"An invocation of a subgroup", "an invocation executes every"},
         {"A work-item of", "a work-item executes"}    },
        {"api=opencl\n",
         {"A work-item of a sub-group", "a work-item executes every"},
         {"An invocation of", "an invocation executes"}},
    };
    for (size_t i = 0; i < ARRAY_N(rows) * ARRAY_N(formats); i++) {
        struct sample s;
        make_sample(&s, "EVERY_LANE");
        for (int k = 0; k < 2; k++) {
            s.targets[k].facts = rows[i % 2].facts;
        }
        for (int k = 0; k < 3; k++) {
            s.findings[k].text = "An invocation of a sub-group";
        }
        char *const text = write_report(formats[i / 2], &s.c);
        for (int k = 0; k < 2; k++) {
            assert_non_null(strstr(text, rows[i % 2].wanted[k]));
            assert_null(strstr(text, rows[i % 2].other[k]));
        }
        free(text);
    }
}

static void an_empty_campaign_says_so(void **state)
{
    (void)state;
    struct campaign_target target = {.id = 1, .name = "t"};
    struct campaign c = {0}; /* every string NULL, every count 0 */
    for (int k = 0; k < REPORT_TRUST; k++) {
        c.n_targets = 0;
        c.targets = NULL;
        char *text = write_report((enum report_format)k, &c);
        assert_non_null(strstr(text, "No target was tested"));
        free(text);
        c.n_targets = 1;
        c.targets = &target;
        text = write_report((enum report_format)k, &c);
        assert_non_null(strstr(text, "No case was run"));
        assert_null(strstr(text, "nan%"));
        free(text);
    }
}

/* The largest numbers that a journal can hold are shown in each format. */
static void huge_numbers_are_shown(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s, "honest");
    for (int i = 0; i < 2; i++) {
        struct campaign_target *const t = &s.targets[i];
        t->n_runs = t->n_skipped = t->n_judged = t->n_sharp = t->n_contended = UINT64_MAX;
        t->n_verdict[VERDICT_ULP] = t->n_verdict[VERDICT_CRASH] = UINT64_MAX;
        t->cases_per_s = 1.0e300 * 1.0e300;
    }
    s.findings[2].n_in_bucket = UINT64_MAX; /* of the violation */
    s.findings[0].id = INT64_MIN;
    s.findings[0].target_id = INT64_MAX; /* no such target */
    s.c.wall_ns = s.c.harness_cpu_ns = s.c.worker_cpu_ns = UINT64_MAX;
    for (int k = 0; k < REPORT_FORMAT_N; k++) {
        char *const text =
            k == REPORT_HTML ? write_pages(&s.c) : write_report((enum report_format)k, &s.c);
        static const char *const largest[REPORT_FORMAT_N] = {
            [REPORT_JSON] = "9223372036854775807",
            [REPORT_SARIF] = "9223372036854775807",
            [REPORT_JUNIT] = "18446744073709551615",
        };
        assert_non_null(strstr(text, largest[k] ? largest[k] : "18,446,744,073,709,551,615"));
        free(text);
    }
}

/* Tables of many targets with long names are broken so that no line is too long. */
static void many_targets_fit_the_columns(void **state)
{
    (void)state;
    enum {
        N = 40
    };
    struct sample s;
    struct campaign_target many[N];
    make_sample(&s, "a target with a name that is longer than any column may ever be");
    for (int i = 0; i < N; i++) {
        many[i] = s.targets[0];
        many[i].id = i + 1;
    }
    s.c.targets = many;
    s.c.n_targets = N;
    char *const text = write_report(REPORT_TEXT, &s.c);
    for (const char *p = text; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        assert_true(count_columns(p) <= 120);
        if (!*p) {
            break;
        }
    }
    free(text);
}

/* What a target lists and no case reached is shown as such, what it does not list as not supported. */
static void gaps_in_coverage_show(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s, "honest");
    s.targets[0].facts = "api=opencl\ncl.fatomic32=0x2\n";
    s.coverage[0] = (struct campaign_coverage){.target_id = 1,
                                               .op = "AtomicFAddEXT",
                                               .type = "f32",
                                               .storage = "global",
                                               .outcome = "run",
                                               .n = 4242};
    char *text = write_report(REPORT_TEXT, &s.c);
    assert_non_null(strstr(text, "4,242 (0.0%)"));
    assert_non_null(strstr(text, "not supported"));
    free(text);
    s.coverage[0].storage = "workgroup"; /* so the other one was not reached */
    text = write_report(REPORT_TRUST, &s.c);
    assert_non_null(strstr(text, ">not reached</td>"));
    free(text);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    struct sample s;
    make_sample(&s, "honest");
    for (int k = 0; k < REPORT_FORMAT_N; k++) {
        struct err e = {.text = ""};
        FILE *const f = fopen("/dev/full", "w");
        if (!f) {
            print_message("skip: no /dev/full here\n");
            skip();
            return;
        }
        assert_int_equal(report_write((enum report_format)k, &s.c, f, &e), RES_IO);
        assert_true(e.text[0] != '\0');
        (void)fclose(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_text_leaves_the_page_as_it_is),
        cmocka_unit_test(hostile_text_leaves_json_parseable),
        cmocka_unit_test(hostile_text_stays_in_its_columns),
        cmocka_unit_test(every_number_is_in_every_format),
        cmocka_unit_test(divergences_stand_apart_from_violations),
        cmocka_unit_test(a_clause_comes_with_its_rule),
        cmocka_unit_test(a_bug_has_the_words_of_its_api),
        cmocka_unit_test(an_empty_campaign_says_so),
        cmocka_unit_test(huge_numbers_are_shown),
        cmocka_unit_test(many_targets_fit_the_columns),
        cmocka_unit_test(gaps_in_coverage_show),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
