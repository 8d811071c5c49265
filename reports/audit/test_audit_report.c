/* reports/audit/test_audit_report.c -- an audit as a page and as a table; nothing foreign acts there. */
#include "base/file.h"
#include "reports/audit/audit_report.h"
#include "reports/audit/audit_tables.h"
#include "reports/audit/audit_view.h"
#include "reports/audit/audit_write.h"
#include "reports/audit/test_audit_sample.h"

enum {
    MAX_DEPTH = 64
};

/* --- the page --- */

static size_t count_char(const char *s, char c)
{
    size_t n = 0;
    for (; *s; s++) {
        n += *s == c;
    }
    return n;
}

/* Every tag is closed in its turn; each id once. */
static void assert_well_formed(struct arena *a, const char *page)
{
    const char *open[MAX_DEPTH];
    size_t depth = 0, n_tags = 0;
    for (const char *p = strchr(page, '<'); p; p = strchr(p, '<')) {
        const char *const end = strchr(p, '>');
        assert_non_null(end);
        int const is_close = p[1] == '/';
        const char *const name = p + 1 + is_close;
        const char *const tag = arena_printf(a, "%.*s", (int)strcspn(name, " \t\n/>"), name);
        int const is_single =
            end[-1] == '/' || strcmp(tag, "meta") == 0 || strcmp(tag, "!DOCTYPE") == 0;
        n_tags++;
        if (is_close) {
            if (depth == 0 || strcmp(open[depth - 1], tag) != 0) {
                fail_msg("</%s> closes <%s>", tag, depth ? open[depth - 1] : "");
            }
            depth--;
        } else if (!is_single) {
            assert_true(depth < MAX_DEPTH);
            open[depth++] = tag;
        }
        p = end;
    }
    assert_int_equal(depth, 0);
    assert_true(n_tags > 300);
    for (const char *p = strstr(page, " id=\""); p; p = strstr(p + 1, " id=\"")) {
        const char *const id = arena_printf(a, "%.*s\"", (int)strcspn(p + 5, "\""), p);
        const char *const whole = arena_printf(a, "%.*s\"", 5 + (int)strcspn(p + 5, "\""), p);
        assert_non_null(id);
        if (strstr(p + 1, whole)) {
            fail_msg("twice:%s", whole);
        }
    }
}

static const char *write_page(struct arena *a, const char *text)
{
    struct err e = {.text = ""};
    struct audit const x = make_audit(a, text);
    const char *const path = make_path(a, "html");
    enum res const r = audit_write(AUDIT_HTML, &x, path, &e);
    if (r != RES_OK) {
        fail_msg("%s", e.text);
    }
    return read_all(a, path);
}

static void a_page_holds_no_foreign_markup(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    const char *const page = write_page(&a, hostile);
    const char *const control = write_page(&a, "x");
    assert_no_controls(page, "page");
    assert_well_formed(&a, page);
    assert_int_equal(count_char(page, '<'), count_char(control, '<'));
    assert_int_equal(count_char(page, '"'), count_char(control, '"'));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "\xe2\x80\xae"));
    assert_non_null(strstr(page, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\\x1b[31m"));
    assert_non_null(strstr(page, "bytes are shown."));
    assert_true(strlen(page) < LOG_BYTES); /* the log was cut */
    arena_free(&a);
}

/* The page has the headline, the states and the numbers that its audit must give. */
static void a_page_shows_what_is_wrong(void **state)
{
    (void)state;
    static const char *const needles[] = {
        "2 of 9 forms are wrong on intel",
        "\xe2\x9c\x97 broken",
        "0x3f800000 (1)",
        "0xc0600000 (-3.5)",
        "+4.5",
        "4,294,967,296",
        "all 4,294,967,296 inputs",
        "max-error 0.25",
    };
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    const char *const page = write_page(&a, "intel");
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_N(needles); i++) {
        if (!strstr(page, needles[i])) {
            fail_msg("no \"%s\"", needles[i]);
        }
        n++;
    }
    assert_true(n > 5);
    arena_free(&a);
}

/* Where the full form of exp is nearest to its bound, of make_exp. */
static const char *name_attained(const struct audit *x, struct arena *a)
{
    const struct sweep_worst *const w = &x->rows[0].found[0].worst;
    assert_true(w->error > 0);
    return arena_printf(a, "%.4g of 3 ulp at 0x%08x (", w->error, (unsigned)w->arg[0]);
}

/* The input of the largest error / bound has a column of its own beside the largest errors, in the table of all forms and
 * in that of the row. */
static void a_page_tells_where_the_bound_is_nearest(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    struct audit const x = make_audit(&a, "intel");
    const char *const entry = name_attained(&x, &a);
    const char *const page = write_page(&a, "intel");
    const char *const first = strstr(page, entry);
    assert_non_null(first);
    assert_non_null(strstr(first + 1, entry));
    assert_non_null(strstr(page, "largest above at"));
    assert_non_null(strstr(page, "largest below at"));
    /* of a wrong form the table of wrong results says where */
    assert_null(strstr(page, "4.5 of 3 ulp at"));
    arena_free(&a);
}

/* Each row with results has its plots, with numbers that SVG takes, and the page is well-formed and inert
 * with hostile text in it. */
static void plots_stand_inside_the_page(void **state)
{
    (void)state;
    struct arena a;
    size_t n = 0;
    arena_init(&a, ARENA_BYTES);
    const char *const page = write_page(&a, hostile);
    for (const char *p = strstr(page, "<svg"); p; p = strstr(p + 1, "<svg")) {
        n++;
    }
    assert_int_equal(n, 8); /* two per row that has results */
    for (const char *p = strstr(page, " d=\""); p; p = strstr(p + 1, " d=\"")) {
        assert_int_equal(p[4 + strspn(p + 4, "MLHVh0123456789.- ")], '"'); /* no infinity, no NaN */
    }
    assert_non_null(strstr(page, ">2^64</text>"));
    assert_non_null(strstr(page, ">1/32</text>"));
    assert_non_null(strstr(page, "stroke=\"#2a9a57\"")); /* the third curve */
    assert_no_controls(page, "page");
    assert_well_formed(&a, page);
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "xlink:href"));
    assert_non_null(strstr(page, "The same errors everywhere: full, max-error 4"));
    assert_int_equal(access("x", F_OK), -1);
    const char *const folder = getenv("AUDIT_PAGE"); /* for looking at it */
    if (folder) {
        struct err e = {.text = ""};
        const char *const shown = write_page(&a, "intel-cpu");
        assert_int_equal(file_write(folder, shown, strlen(shown), &e), RES_OK);
    }
    arena_free(&a);
}

/* --- the terminal --- */

static const char *print_audit(struct arena *a, const struct audit *x)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    assert_non_null(f);
    audit_print(x, f);
    (void)fclose(f);
    const char *const copy = arena_copy(a, text, n);
    free(text);
    return copy;
}

/* No line of the text is longer than 120 columns, and what is wrong is told in it. */
static void the_table_fits_a_terminal(void **state)
{
    (void)state;
    struct arena a;
    size_t n_lines = 0;
    arena_init(&a, ARENA_BYTES);
    struct audit x = make_audit(&a, hostile);
    x.target = x.started = x.tool_version = x.mpfr = "short";
    x.rows[1].evaluator = "mpfr";
    const char *const text = print_audit(&a, &x);
    assert_no_controls(text, "table");
    for (const char *p = text; *p; p += strcspn(p, "\n") + 1) {
        if (strcspn(p, "\n") > 120) {
            fail_msg("%zu columns: %.*s", strcspn(p, "\n"), (int)strcspn(p, "\n"), p);
        }
        n_lines++;
    }
    assert_true(n_lines > 20);
    assert_non_null(strstr(text, "\nexp f32: all 4,294,967,296 inputs, 11.2 s"));
    assert_non_null(strstr(text, "BROKEN     3 "));
    assert_non_null(strstr(text, "max-error 0.25  refused    <script>"));
    assert_non_null(strstr(text, "INCOMPLETE: 3 of them"));
    assert_null(strstr(text, "halfulp halfulp"));
    /* the worst result with what it should have been */
    assert_non_null(strstr(text, "    outside the bound: 3 of "));
    assert_non_null(strstr(text, "\n      exp(0x3f800000 (1))\n      gave   0x40000000 (2)\n"
                                 "      exact  2.718281828459\n"
                                 "      error  +4.5 ulp, 1.5 times the bound of 3 ulp\n"));
    /* the kept form's input by its bound; that of the broken one is above */
    assert_non_null(
        strstr(text, arena_printf(&a, "\n    error / bound 0.25: %s", name_attained(&x, &a))));
    assert_null(strstr(text, "    error / bound 1.5"));
    assert_non_null(strstr(text, ", -1: 0x")); /* pown: the integer as such */
    const char *const folder = getenv("AUDIT_TEXT");
    if (folder) {
        struct err e = {.text = ""};
        assert_int_equal(file_write(folder, text, strlen(text), &e), RES_OK);
    }
    arena_free(&a);
}

/* The text of a rule stands once below its function; an error outside the bounded range has a line of its own; and the
 * inputs that a search tried beyond its plan are told. */
static void rules_and_other_ranges_are_told(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, ARENA_BYTES);
    struct audit_row row = {
        .func = FUNC_EXP,
        .fmt = FMT_F32,
        .depth = AUDIT_SEARCH,
        .n_inputs = 100,
        .n_done = 100,
        .n_forms = 2,
        .form = {{.name = "full"},                         {.name = "half"}},
        .bound = {{.has_bound = 1, .rule = "3 + 2|x| ulp"},
                 {.has_bound = 1, .rule = "3 + 2|x| ulp"}},
        .result = {{.n = 112, .n_numbers = 112}, {.n = 112, .n_numbers = 112}},
        .found = {{.kind = AUDIT_CASE_LARGEST, .outside = 1772}            }
    };
    struct audit const x = {.target = "t",
                            .started = "",
                            .tool_version = "",
                            .mpfr = "",
                            .facts = "",
                            .n_rows = 1,
                            .rows = &row};
    const char *const text = print_audit(&a, &x);
    const char *const rule = strstr(text, "  rule of full: 3 + 2|x| ulp\n");
    assert_non_null(rule);
    assert_null(strstr(rule + 1, "  rule of "));
    assert_non_null(strstr(text, "    outside the bounded range: 1772 ulp\n"));
    assert_non_null(strstr(text, "exp f32: search, 112 inputs, 12 of them near the largest error"));
    arena_free(&a);
}

/* An input that a search tried several times, or that is wrong in two forms alike, has one line. */
static void each_wrong_input_is_listed_once(void **state)
{
    (void)state;
    struct arena a;
    struct report_table t;
    arena_init(&a, ARENA_BYTES);
    struct audit_row row = {
        .func = FUNC_EXP,
        .fmt = FMT_F32,
        .n_forms = 2,
        .form = {{.name = "full"}, {.name = "half"}}
    };
    for (uint32_t i = 0; i < 2; i++) {
        row.result[i].n_broken = 3;
        for (uint32_t k = 0; k < 3; k++) {
            row.result[i].broken[k] = (struct sweep_worst){4.5, {0x3f800000}, 0x40000000};
        }
    }
    row.result[1].broken[2].arg[0] = 0x3f800001;
    assert_true(audit_table_examples(&t, &row, &a));
    assert_int_equal(t.n_rows, 2);
    assert_string_equal(table_get_row(&t, 0)->text, "full, half");
    assert_string_equal(table_get_row(&t, 1)->text, "half");
    arena_free(&a);
}

/* A form is kept only if its row is at its end, nothing skipped and nothing undecided; what the whole comes to. */
static void incomplete_is_not_kept(void **state)
{
    (void)state;
    struct audit_row row = {.func = FUNC_EXP,
                            .fmt = FMT_F16,
                            .depth = AUDIT_EXHAUSTIVE,
                            .n_inputs = 1 << 16,
                            .n_done = 1 << 16,
                            .n_forms = 1,
                            .bound = {{.has_bound = 1, .bound = {.ulp = 3}}},
                            .result = {{.n = 10, .n_numbers = 10}}};
    struct audit x = {.n_rows = 1, .rows = &row};
    assert_int_equal(audit_get_state(&row, 0), AUDIT_KEPT);
    assert_int_equal(audit_get_outcome(&x), AUDIT_ALL_KEPT);
    row.depth = AUDIT_SEARCH;
    assert_int_equal(audit_get_state(&row, 0), AUDIT_NONE_FOUND);
    assert_int_equal(audit_get_outcome(&x), AUDIT_ALL_KEPT);
    row.depth = AUDIT_EXHAUSTIVE;
    row.n_inputs = row.n_done = 1 << 15; /* half of a shard */
    assert_int_equal(audit_get_state(&row, 0), AUDIT_NONE_FOUND);
    row.n_inputs = row.n_done = 1 << 16;
    uint64_t *const counts[] = {&row.n_done, &row.n_skipped, &row.result[0].n_undecided};
    static const uint64_t fewer[] = {9, 1, 1};
    for (size_t i = 0; i < ARRAY_N(counts); i++) {
        uint64_t const before = *counts[i];
        *counts[i] = fewer[i];
        assert_int_equal(audit_get_state(&row, 0), AUDIT_INCOMPLETE);
        assert_int_equal(audit_get_outcome(&x), AUDIT_SOME_MISSING);
        row.result[0].n_broken = 1; /* found, whatever is missing */
        assert_int_equal(audit_get_state(&row, 0), AUDIT_BROKEN);
        assert_int_equal(audit_get_outcome(&x), AUDIT_SOME_WRONG);
        row.result[0].n_broken = 0;
        *counts[i] = before;
    }
    int *const ends[] = {&x.was_stopped, &x.was_spent};
    for (size_t i = 0; i < ARRAY_N(ends); i++) {
        *ends[i] = 1;
        assert_int_equal(audit_get_outcome(&x), AUDIT_SOME_MISSING);
        *ends[i] = 0;
    }
    row.result[0].n = 0; /* not run, and not refused */
    assert_int_equal(audit_get_state(&row, 0), AUDIT_EMPTY);
    assert_int_equal(audit_get_outcome(&x), AUDIT_SOME_MISSING);
    row.form[0].is_refused = 1;
    assert_int_equal(audit_get_outcome(&x), AUDIT_ALL_KEPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_and_other_ranges_are_told),
        cmocka_unit_test(each_wrong_input_is_listed_once),
        cmocka_unit_test(incomplete_is_not_kept),
        cmocka_unit_test(a_page_holds_no_foreign_markup),
        cmocka_unit_test(a_page_shows_what_is_wrong),
        cmocka_unit_test(a_page_tells_where_the_bound_is_nearest),
        cmocka_unit_test(plots_stand_inside_the_page),
        cmocka_unit_test(the_table_fits_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
