/* reports/write/test_report_formats.c -- Markdown, SARIF and JUnit: each bucket once, hostile text as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "reports/model/test_sample.h"
#include "reports/model/test_utf8.h"
#include "reports/write/report.h"
#include "reports/write/test_formats.h"

enum {
    LOG_BYTES = 1 << 20
};

static const char *const hostile[] = {
    "<script>alert(1)</script>",
    "</failure></testcase><testcase name=\"x\">",
    "a ]]> b <![CDATA[ c --> d <!-- e",
    "\" message=\"x' type='",
    "&lt;&#x3c;&amp;",
    "\x1b[2J\x1b]0;owned\x07 \x08\x7f\x9b"
    "31m",
    "a\rb\nc\td\v\f\x01",
    "\xc0\xbcscript\xc0\xbe \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82",
    "\xef\xbf\xbe \xef\xbf\xbf no characters of XML",
    "safe\xe2\x80\xae"
    "exe.txt",
    "| a | b |\n# title\n```\n- item",
    "[x](javascript:alert(1)) ![y](http://z) <http://w> @all #1 !2 $3 %4",
    "`code` **bold** _it_ ~~no~~ :+1: www.x.y http://z",
    "%s%n%1000000d",
    "Gerät 装置 \xf0\x9f\x92\xa5",
};

static size_t count_lines_with(const char *text, const char *start)
{
    size_t n = strncmp(text, start, strlen(start)) == 0;
    for (const char *p = text; (p = strchr(p, '\n')) != NULL;) {
        p++;
        n += strncmp(p, start, strlen(start)) == 0;
    }
    return n;
}

static size_t count_char(const char *text, char c)
{
    size_t n = 0;
    for (; *text; text++) {
        n += *text == c;
    }
    return n;
}

/* The tags and attributes of XML alone. */
static char *keep_markup(const char *xml)
{
    char *const out = malloc(strlen(xml) + 1);
    size_t n = 0;
    int inside = 0, quoted = 0;
    assert_non_null(out);
    for (const char *p = xml; *p; p++) {
        inside |= *p == '<';
        quoted ^= inside && *p == '"';
        if (inside && (!quoted || *p == '"')) {
            out[n++] = *p;
        }
        inside &= quoted || *p != '>';
    }
    out[n] = '\0';
    return out;
}

/* With hostile text in every foreign field the XML has the same markup as with a plain word. */
static void hostile_text_leaves_the_xml_as_it_is(void **state)
{
    (void)state;
    struct formats_sample s;
    make_formats_sample(&s, "honest");
    char *const control = write_report(REPORT_JUNIT, &s.c);
    char *const markup = keep_markup(control);
    assert_true(count_lines_with(markup, "<?xml") == 1);
    for (size_t i = 0; i < ARRAY_N(hostile); i++) {
        make_formats_sample(&s, hostile[i]);
        char *const xml = write_report(REPORT_JUNIT, &s.c);
        char *const got = keep_markup(xml);
        assert_string_equal(got, markup);
        assert_printable(xml, hostile[i]);
        assert_null(strstr(xml, "]]>"));
        assert_null(strstr(xml, "\xef\xbf\xbe"));
        free(got);
        free(xml);
    }
    free(markup);
    free(control);
}

static void hostile_text_leaves_sarif_parseable(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_N(hostile); i++) {
        struct formats_sample s;
        json_error_t why;
        make_formats_sample(&s, hostile[i]);
        char *const text = write_report(REPORT_SARIF, &s.c);
        assert_printable(text, hostile[i]);
        json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
        if (!root) {
            fail_msg("hostile text %zu: %s at %d", i, why.text, why.position);
        }
        json_t *const run = json_array_get(json_object_get(root, "runs"), 0);
        assert_int_equal(json_array_size(json_object_get(run, "results")), N_BUCKETS + N_GONE);
        json_decref(root);
        free(text);
    }
}

/* Markdown without its fenced blocks: each ends with the fence that began it. */
static char *keep_outside_blocks(const char *text)
{
    char *const out = malloc(strlen(text) + 1);
    size_t n = 0, n_fence = 0;
    assert_non_null(out);
    for (const char *p = text; *p;) {
        size_t const n_line = strcspn(p, "\n") + (strchr(p, '\n') != NULL);
        size_t const n_ticks = strspn(p, "`");
        if (n_fence == 0 && n_ticks >= 3) {
            n_fence = n_ticks;
        } else if (n_fence > 0) {
            n_fence = n_ticks == n_fence && p[n_ticks] == '\n' ? 0 : n_fence;
        } else {
            memcpy(out + n, p, n_line);
            n += n_line;
        }
        p += n_line;
    }
    assert_int_equal(n_fence, 0);
    out[n] = '\0';
    return out;
}

/* Lines that begin with markup are ours: as many as without hostile text. */
static void hostile_text_leaves_markdown_as_it_is(void **state)
{
    (void)state;
    static const char *const starts[] = {"# ", "## ", "### ", "- ", "| ", "```", "<",
                                         "![", "[",   ">",    "=",  "\t", "    "};
    struct formats_sample s;
    make_formats_sample(&s, "honest");
    char *const text = write_report(REPORT_MARKDOWN, &s.c);
    char *const control = keep_outside_blocks(text);
    free(text);
    assert_true(count_lines_with(control, "### ") == N_BUGS);
    for (size_t i = 0; i < ARRAY_N(hostile); i++) {
        make_formats_sample(&s, hostile[i]);
        char *const page = write_report(REPORT_MARKDOWN, &s.c);
        char *const got = keep_outside_blocks(page);
        assert_printable(page, hostile[i]);
        assert_int_equal(count_char(got, '\n'), count_char(control, '\n'));
        assert_int_equal(count_char(got, '<'), 0);
        for (size_t k = 0; k < ARRAY_N(starts); k++) {
            if (count_lines_with(got, starts[k]) != count_lines_with(control, starts[k])) {
                fail_msg("hostile text %zu changes the lines that begin with \"%s\"", i, starts[k]);
            }
        }
        free(got);
        free(page);
    }
    free(control);
}

/* A log of 1 MiB: each format is written, and is bounded where it is shown. */
static void a_long_log_is_cut(void **state)
{
    (void)state;
    struct formats_sample s;
    char *const log = malloc(LOG_BYTES + 1);
    assert_non_null(log);
    for (size_t i = 0; i < LOG_BYTES; i++) {
        log[i] = "<x>&\n\x1b\xff]]>"[i % 10];
    }
    log[LOG_BYTES] = '\0';
    make_formats_sample(&s, "honest");
    for (int i = 0; i < N_BUCKETS; i++) {
        s.findings[i].log = log;
    }
    for (int k = REPORT_MARKDOWN; k <= REPORT_JUNIT; k++) {
        char *const text = write_report((enum report_format)k, &s.c);
        assert_printable(text, "a long log");
        assert_true(strlen(text) < LOG_BYTES);
        assert_int_equal(k == REPORT_JUNIT, strstr(text, "(cut)") != NULL);
        free(text);
    }
    free(log);
}

/* ---- what is said ---- */

static const json_t *find_result(const json_t *run, const char *core)
{
    size_t i = 0;
    json_t *x = NULL;
    json_array_foreach(json_object_get(run, "results"), i, x)
    {
        const char *const id = json_string_value(
            json_object_get(json_object_get(x, "partialFingerprints"), "halfulpBucket/v1"));
        assert_non_null(id);
        if (strcmp(id, core) == 0) {
            return x;
        }
    }
    fail_msg("no result %s", core);
    return NULL;
}

static const char *get_text(const json_t *o, const char *key)
{
    const char *const text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

/* Each bucket is a result of SARIF with its level, state, suppressions and rule. */
static void sarif_tells_each_bucket(void **state)
{
    (void)state;
    struct formats_sample s;
    make_formats_sample(&s, "honest");
    char *const text = write_report(REPORT_SARIF, &s.c);
    json_t *const root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const json_t *const run = json_array_get(json_object_get(root, "runs"), 0);
    const json_t *const steady = find_result(run, "t0 core 0");
    assert_string_equal(get_text(steady, "level"), "error");
    assert_string_equal(get_text(steady, "baselineState"), "new");
    assert_int_equal(json_integer_value(json_object_get(steady, "occurrenceCount")), 21);
    assert_int_equal(json_array_size(json_object_get(steady, "suppressions")), 0);
    assert_string_equal(get_text(json_object_get(steady, "properties"), "seenAgain"),
                        "10 of 10 runs in fresh workers, 9 of 9 on a loaded machine");
    assert_string_equal(get_text(find_result(run, "t0 core 2"), "level"), "warning"); /* flaky */
    assert_int_equal(
        json_array_size(json_object_get(find_result(run, "t1 core 3"), "suppressions")), 1);
    assert_string_equal(get_text(find_result(run, "t1 core 4"), "level"), "note");
    assert_string_equal(get_text(find_result(run, "t0 gone 0"), "baselineState"), "absent");
    assert_string_equal(get_text(find_result(run, "t0 gone 1"), "baselineState"), "unchanged");
    const json_t *const rules =
        json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "rules");
    size_t const rule = (size_t)json_integer_value(json_object_get(steady, "ruleIndex"));
    assert_string_equal(get_text(json_array_get(rules, rule), "id"), "FADD_CR");
    assert_string_equal(get_text(steady, "ruleId"), "FADD_CR");
    json_decref(root);
    free(text);
}

static void junit_counts_what_it_holds(void **state)
{
    (void)state;
    struct formats_sample s;
    make_formats_sample(&s, "honest");
    char *const text = write_report(REPORT_JUNIT, &s.c);
    assert_int_equal(count_text(text, "<testsuite "), 2);
    /* t0: one passed instruction, buckets 0 and 2, gone 0 to 2; t1: bucket 3 */
    assert_non_null(strstr(text, "tests=\"7\" failures=\"2\" errors=\"0\""));
    assert_int_equal(count_text(text, "<testcase "), 7);
    assert_int_equal(count_text(text, "<failure "), 2);
    assert_int_equal(count_text(text, "<skipped "), 3);
    assert_non_null(strstr(text, "<testcase name=\"FSub f32\" classname=\"t0\"/>"));
    assert_null(strstr(text, "name=\"FAdd f32\""));
    assert_non_null(strstr(text, "message=\"flaky: shown by 4 of 10"));
    assert_non_null(strstr(text, "message=\"suppressed: honest\""));
    assert_int_equal(count_char(text, '<'), count_char(text, '>'));
    free(text);
}

/* The comparison with an earlier campaign and the list of expected failures are in each format. */
static void the_baseline_and_the_list_are_in_every_format(void **state)
{
    (void)state;
    struct formats_sample s;
    make_formats_sample(&s, "honest");
    for (int k = 0; k < REPORT_FORMAT_N; k++) {
        char *const text = write_report((enum report_format)k, &s.c);
        if (k == REPORT_HTML || k == REPORT_TRUST) { /* the pages have tests of their own */
            free(text);
            continue;
        }
        assert_non_null(strstr(text, k == REPORT_JUNIT ? "new: honest" : "new"));
        assert_non_null(strstr(text, "still there"));
        if (k != REPORT_JUNIT) { /* there, a case that passed */
            assert_non_null(strstr(text, "1 new"));
            assert_non_null(strstr(text, "fixed"));
            assert_non_null(strstr(text, "unused"));
            assert_non_null(strstr(text, "expired, and found"));
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_text_leaves_the_xml_as_it_is),
        cmocka_unit_test(hostile_text_leaves_sarif_parseable),
        cmocka_unit_test(hostile_text_leaves_markdown_as_it_is),
        cmocka_unit_test(a_long_log_is_cut),
        cmocka_unit_test(sarif_tells_each_bucket),
        cmocka_unit_test(junit_counts_what_it_holds),
        cmocka_unit_test(the_baseline_and_the_list_are_in_every_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
