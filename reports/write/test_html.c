/* reports/write/test_html.c -- the page: bugs by bucket and family, what is cut, what may run and load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/model/test_sample.h"
#include "reports/write/page_text.h"
#include "reports/write/report.h"

enum {
    HUGE = 1 << 20,
    MAX_DEPTH = 64,
    MAX_TAG = 16
};

/* ---- markup ---- */

static int is_void(const char *tag)
{
    return strcmp(tag, "meta") == 0 || strcmp(tag, "!DOCTYPE") == 0 || strcmp(tag, "rect") == 0;
}

/* Every element is closed, in order; what is in <script> and <style> is no markup. */
static size_t assert_balanced(const char *page)
{
    char open[MAX_DEPTH][MAX_TAG];
    size_t depth = 0, n = 0;
    for (const char *p = page; (p = strchr(p, '<')) != NULL;) {
        int const is_end = p[1] == '/';
        char tag[MAX_TAG] = "";
        p += 1 + is_end;
        size_t const n_tag = strcspn(p, " >/");
        assert_true(n_tag > 0 && n_tag < MAX_TAG);
        memcpy(tag, p, n_tag);
        p = strchr(p, '>');
        assert_non_null(p);
        if (is_end) {
            if (depth == 0 || strcmp(open[depth - 1], tag) != 0) {
                fail_msg("</%s> closes <%s>", tag, depth ? open[depth - 1] : "nothing");
            }
            depth--;
        } else if (!is_void(tag)) {
            assert_true(depth < MAX_DEPTH);
            memcpy(open[depth++], tag, MAX_TAG);
            n++;
        }
        if (!is_end && (strcmp(tag, "script") == 0 || strcmp(tag, "style") == 0)) {
            p = strstr(p, strcmp(tag, "script") == 0 ? "</script>" : "</style>");
            assert_non_null(p);
        }
    }
    assert_int_equal(depth, 0);
    return n;
}

/* Where it is first. */
static size_t place_of(const char *page, const char *part)
{
    size_t n = 0;
    while (page[n] && strncmp(page + n, part, strlen(part)) != 0) {
        n++;
    }
    if (!page[n]) {
        fail_msg("the page lacks %s", part);
    }
    return n;
}

/* ---- a campaign with bugs ---- */

static const struct matrix_row matrix[] = {
    {"one",   "ulp",           "",              10, 10, "1.2"},
    {"two",   "ok",            "",              0,  10, "1.0"},
    {"three", "cannot run it", "",              0,  0,  ""   },
    {"one",   "ok",            "OPTIMIZER=off", 0,  3,  ""   }
};
static const struct campaign_triage solid = {
    .n_runs = 10,
    .n_shown = 10,
    .n_loaded_runs = 7,
    .n_loaded_shown = 7,
    .n_before = 151,
    .n_after = 14,
    .smallest = "spirv-reduce",
    .variant = "without the NoContraction",
    .n_matrix = ARRAY_N(matrix),
    .matrix = matrix,
};
static const struct campaign_triage shaky = {
    .n_runs = 10, .n_shown = 3, .is_flaky = 1, .smallest = "nobody", .variant = ""};

/* One bucket of two signatures, another one of the same family, one that is flaky. */
struct bugs {
    struct sample s;
    struct campaign_finding finding[4];
};

/* A campaign with three buckets on one target, two of them of one family, some with what triage found out. */
static void make_bugs(struct bugs *b)
{
    static const struct {
        const char *signature, *core, *family;
        uint32_t bucket;
        uint64_t n;
        const struct campaign_triage *triage;
    } rows[] = {
        {"ulp FADD_CR AtomicFAddEXT f32 global special", "c1", "fam add", 1, 5,    NULL  },
        {"ulp FADD_CR AtomicFAddEXT f32 global -",       "c1", "fam add", 1, 1200, &solid},
        {"ulp FADD_CR AtomicFAddEXT f64 global -",       "c2", "fam add", 2, 3,    NULL  },
        {"hang MUST_RUN run",                            "c3", "fam run", 3, 2,    &shaky},
    };
    make_sample(&b->s, "honest");
    for (uint32_t i = 0; i < ARRAY_N(rows); i++) {
        sample_fill_finding(&b->finding[i], 10 + i, i == 3 ? "hang" : "ulp", "honest");
        b->finding[i].target_id = 1;
        b->finding[i].class = "legal";
        b->finding[i].signature = rows[i].signature;
        b->finding[i].core = rows[i].core;
        b->finding[i].family = rows[i].family;
        b->finding[i].bucket = rows[i].bucket;
        b->finding[i].n_in_bucket = rows[i].n;
        b->finding[i].triage = rows[i].triage;
    }
    b->s.c.findings = b->finding;
    b->s.c.n_findings = ARRAY_N(rows);
}

static void bugs_stand_by_family_and_bucket(void **state)
{
    (void)state;
    struct bugs b;
    make_bugs(&b);
    char *const page = write_report(REPORT_HTML, &b.s.c);
    assert_true(assert_balanced(page) > 200);
    assert_non_null(strstr(page, ">3 new bugs (1 high, 2 medium).</h1>"));
    assert_int_equal(count_text(page, "<article"), 3);
    assert_int_equal(count_text(page, "<tr><th scope=\"row\">"), 3);
    assert_int_equal(count_text(page, "<summary>1 more signature of this bug</summary>"), 1);
    assert_non_null(strstr(page, ">1,205 findings</span>")); /* both signatures */
    /* the worst first, in the list and below it; more cases before fewer */
    static const char *const order[] = {"href=\"#finding-13\"",
                                        "href=\"#finding-11\"",
                                        "href=\"#finding-12\"",
                                        "<article class=\"bad\" id=\"finding-13\"",
                                        "<article class=\"bad\" id=\"finding-11\"",
                                        "id=\"finding-10\"",
                                        "<article class=\"bad\" id=\"finding-12\""};
    for (size_t i = 1; i < ARRAY_N(order); i++) {
        assert_true(place_of(page, order[i - 1]) < place_of(page, order[i]));
    }
    free(page);
}

/* The page shows of each bug what triage found out, and a link to its folder. */
static void a_bug_says_what_is_known_of_it(void **state)
{
    (void)state;
    struct bugs b;
    static const char *const wanted[] = {
        ">10 of 10 runs in fresh workers, 7 of 7 on a loaded machine</dd>",
        ">3 of 10 runs in fresh workers</dd>",
        ">from 151 to 14 instructions more than an empty shader has, by spirv-reduce</dd>",
        ">when run without the NoContraction</dd>",
        ">with none of the small changes that were tried</dd>",
        "data-label=\"how bad\">high: hangs</td>",
        "data-label=\"target\">honest</td>",
        "data-label=\"state\">new</td>",
        "data-label=\"seen in\">1,205 findings</td>",
        "data-label=\"reproduced in\">3 of 10 runs</td>",
        "data-label=\"reproduced in\">not run again yet</td>",
        "data-label=\"size\">14 instructions</td>",
        ("<th scope=\"row\" class=\"plain\">two</th><td class=\"plain\">1.0</td><td "
         "class=\"plain\"></td><td "
         "class=\"good\">ok</td>"
         "<td class=\"plain number\">0</td><td class=\"plain number\">10</td>"),
        "<td class=\"muted\">cannot run it</td>",
        "<a href=\"bugs/honest-c1-11/report.md\">bugs/honest-c1-11</a>",
    };
    make_bugs(&b);
    char *const page = write_report(REPORT_HTML, &b.s.c);
    for (size_t i = 0; i < ARRAY_N(wanted); i++) {
        (void)place_of(page, wanted[i]);
    }
    assert_int_equal(count_text(page, "/report.md"),
                     4); /* of what was looked into: in its row, and below */
    free(page);
}

/* The name of a folder is the one place where foreign text comes near an attribute. */
static void the_link_to_a_bug_is_plain(void **state)
{
    (void)state;
    struct bugs b;
    make_bugs(&b);
    b.s.targets[0].name = "../\"><script>alert(1)</script>\x1b[2J\xff é";
    b.finding[1].core = "' onclick=alert(1) //";
    char *const page = write_report(REPORT_HTML, &b.s.c);
    (void)assert_balanced(page);
    assert_int_equal(count_text(page, "<script"), 1);
    size_t n_links = 0;
    for (const char *p = page; (p = strstr(p, "href=\"bugs/")) != NULL; n_links++) {
        p += strlen("href=\"bugs/");
        p += strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789._-");
        assert_true(strncmp(p, "/report.md\">", 12) == 0 || strncmp(p, "/\">", 3) == 0);
    }
    assert_int_equal(n_links, 6); /* two folders: the row's two links, and the one below */
    free(page);
}

static void a_bucket_that_names_nothing_is_shown_all_the_same(void **state)
{
    (void)state;
    struct bugs b;
    make_bugs(&b);
    b.finding[0].bucket = UINT32_MAX; /* no such finding */
    b.finding[1].bucket = 2;
    b.finding[2].bucket = 1; /* which names another */
    b.finding[3].bucket = 0; /* of another target */
    b.finding[3].target_id = 2;
    char *const page = write_report(REPORT_HTML, &b.s.c);
    assert_int_equal(count_text(page, "<article"), 4);
    free(page);
}

/* ---- sizes ---- */

/* Texts of a megabyte are cut on the page, with a note, and the page stays whole. */
static void huge_texts_are_cut_with_a_note(void **state)
{
    (void)state;
    struct bugs b;
    char *const name = malloc(HUGE + 1);
    char *const log = malloc(HUGE + 1);
    assert_non_null(name);
    assert_non_null(log);
    memset(name, 'n', HUGE);
    for (size_t i = 0; i < HUGE; i++) {
        log[i] = "line <b> \x1b[31m\n"[i % 15]; /* 14 and the NUL, which is none */
        log[i] = log[i] ? log[i] : 'x';
    }
    name[HUGE] = log[HUGE] = '\0';
    make_bugs(&b);
    b.s.targets[0].name = name;
    b.finding[1].log = log;
    b.finding[1].operands = log;
    char *const page = write_report(REPORT_HTML, &b.s.c);
    (void)assert_balanced(page);
    assert_true(strlen(page) < HUGE);
    assert_non_null(strstr(page, "Cut: the first 65,536 of 1,048,576 bytes are shown"));
    assert_non_null(strstr(page, "nnn [cut: 1,048,576 bytes]</td>"));
    assert_non_null(strstr(page, "line &lt;b&gt; \\x1b[31m\n"));
    free(page);
    free(log);
    free(name);
}

/* ---- what the page may do ---- */

/* The policy names the script by its hash: another one, or this one changed, does not run. */
static void the_policy_names_the_script(void **state)
{
    (void)state;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char path[] = "/tmp/halfulp-script-XXXXXX";
    char command[128], hex[65] = "", want[65] = "";
    int const fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    (void)fputc('\n', f);
    for (const char *const *line = page_js; *line; line++) {
        (void)fprintf(f, "%s\n", *line);
    }
    (void)fclose(f);
    (void)snprintf(command, sizeof command, "sha256sum %s", path);
    f = popen(command, "r"); /* independent of us */
    assert_non_null(f);
    assert_int_equal(fread(hex, 1, 64, f), 64);
    (void)pclose(f);
    (void)unlink(path);
    uint32_t bits = 0, n_bits = 0, n = 0;
    for (const char *p = PAGE_JS_HASH; *p && *p != '='; p++) {
        const char *const digit = strchr(digits, *p);
        assert_non_null(digit);
        bits = bits << 6 | (uint32_t)(digit - digits);
        n_bits += 6;
        if (n_bits >= 8 && n < 64) {
            n_bits -= 8;
            (void)snprintf(want + n, 3, "%02x", (unsigned)(bits >> n_bits & 0xff));
            n += 2;
        }
    }
    assert_string_equal(want, hex); /* else: put the hash of the changed script there */
}

static void the_page_loads_nothing(void **state)
{
    (void)state;
    static const char *const loads[] = {"http:",  "https:", "src=",    "url(",     "@import",
                                        "<link",  "<img",   "<iframe", "<object",  "<embed",
                                        "fetch(", "eval(",  " style=", " onclick", "innerHTML"};
    struct bugs b;
    make_bugs(&b);
    for (int k = 0; k < 2; k++) {
        char *const page = write_report(k ? REPORT_TRUST : REPORT_HTML, &b.s.c);
        assert_non_null(strstr(page, "content=\"default-src 'none'; style-src 'unsafe-inline'; "
                                     "script-src 'sha256-"));
        for (size_t i = 0; i < ARRAY_N(loads); i++) {
            const char *const at = strstr(page, loads[i]);
            if (at) {
                fail_msg("%s in the page: %.60s", loads[i], at);
            }
        }
        free(page);
    }
}

/* ---- two pages, states, nights ---- */

/* The bugs are on the first page alone, what was run on the second; each leads to the other, and the table of all
 * findings to what tells of each. */
static void the_two_pages_name_each_other(void **state)
{
    (void)state;
    struct bugs b;
    make_bugs(&b);
    b.finding[2].verdict = "divergence";
    char *const first = write_report(REPORT_HTML, &b.s.c);
    char *const second = write_report(REPORT_TRUST, &b.s.c);
    assert_true(assert_balanced(second) > 200);
    assert_int_equal(count_text(first, "<a href=\"report-trust.html\">"), 1);
    assert_int_equal(count_text(second, "<a href=\"report.html\">"), 1);
    static const char *const trust[] = {
        "id=\"verdicts\"",   "id=\"coverage\"", "id=\"sharpness\"",  "id=\"budgets\"",
        "id=\"contention\"", "id=\"findings\"", "id=\"divergences\""};
    for (size_t i = 0; i < ARRAY_N(trust); i++) {
        (void)place_of(second, trust[i]);
        assert_null(strstr(first, trust[i]));
    }
    assert_int_equal(count_text(second, "<article"), 0);
    (void)place_of(second, "<a href=\"report.html#finding-11\">#11</a>");
    (void)place_of(first, "id=\"finding-11\"");
    (void)place_of(second, "<a href=\"#finding-12\">#12</a>");
    (void)place_of(second, "id=\"finding-12\"");
    free(second);
    free(first);
}

/* A title that is known stands in the row, the heading and the sentence of the worst. */
static void a_title_is_the_same_everywhere(void **state)
{
    (void)state;
    static const enum report_format formats[] = {REPORT_HTML, REPORT_TEXT, REPORT_MARKDOWN};
    struct bugs b;
    make_bugs(&b);
    b.finding[3].title = "driver: it hangs";
    b.finding[3].n_cases = 2;
    for (size_t i = 0; i < ARRAY_N(formats); i++) {
        char *const text = write_report(formats[i], &b.s.c);
        assert_non_null(strstr(text, "#13"));
        assert_int_equal(count_text(text, "driver: it hangs"), formats[i] == REPORT_TEXT ? 2 : 3);
        free(text);
    }
}

/* What people wrote down: open is no news, a state that sets aside folds the bug, and what is back is new. */
static void states_sort_the_bugs(void **state)
{
    (void)state;
    static const struct bug_state rows[] = {
        {"honest", "c1", "",     "issue 7",    BUG_STATE_OPEN,      1, 1},
        {"honest", "c2", "25.1", "merged",     BUG_STATE_FIXED,     2, 1},
        {"honest", "c3", "",     "long gone",  BUG_STATE_NOT_SEEN,  3, 1},
        {"honest", "c4", "c1",   "never here", BUG_STATE_DUPLICATE, 4, 0},
    };
    struct bugs b;
    make_bugs(&b);
    b.finding[1].state = &rows[0];
    b.finding[2].state = &rows[1];
    b.finding[3].state = &rows[2];
    b.finding[3].is_back = 1;
    b.s.c.states = "list.tsv";
    b.s.c.n_states = ARRAY_N(rows);
    b.s.c.state_rows = rows;
    char *const page = write_report(REPORT_HTML, &b.s.c);
    (void)assert_balanced(page);
    static const char *const wanted[] = {
        ">1 new bug, 1 open, 1 known.</h1>",
        "data-label=\"state\">back, was not seen any more</td>",
        "data-label=\"state\">open</td>",
        "data-label=\"state\">fixed in 25.1</td>",
        "<span class=\"remark\">issue 7</span>",
        "<summary>Known bugs, set aside: 1</summary>",
        "<dt>duplicate of c1</dt>",
        "list.tsv:4: honest: c4: never here",
    };
    for (size_t i = 0; i < ARRAY_N(wanted); i++) {
        (void)place_of(page, wanted[i]);
    }
    assert_int_equal(count_text(page, "<article"), 2);
    free(page);
    char *const text = write_report(REPORT_TEXT, &b.s.c);
    (void)place_of(text, "Known bugs, set aside\n");
    (void)place_of(text, "fixed in 25.1");
    free(text);
    char *const json = write_report(REPORT_JSON, &b.s.c);
    (void)place_of(json, "\"state\": \"back, was not seen any more\"");
    (void)place_of(json, "\"list\": \"aside\"");
    (void)place_of(json, "\"detail\": \"25.1\"");
    free(json);
}

/* A bar for all open bugs of a night and one for the new ones of it, by the highest; nothing of a single night. */
static void nights_are_drawn(void **state)
{
    (void)state;
    static const struct campaign_night nights[] = {
        {"2026-01-01 10:00:00 UTC", 4, 4, 0},
        {"2026-01-02 10:00:00 UTC", 0, 2, 1},
    };
    struct bugs b;
    make_bugs(&b);
    b.s.c.n_nights = ARRAY_N(nights);
    b.s.c.nights = nights;
    b.finding[1].since = nights[0].name;
    b.s.c.started = nights[1].name;
    char *page = write_report(REPORT_HTML, &b.s.c);
    (void)assert_balanced(page);
    (void)place_of(page,
                   "<g><title>2026-01-01 10:00:00 UTC: 4 new, 4 open, 0 fixed</title>"
                   "<rect class=\"open\" x=\"0.0%\" y=\"0\" width=\"6.0%\" height=\"72\"/>"
                   "<rect class=\"bad\" x=\"0.0%\" y=\"0\" width=\"6.0%\" height=\"72\"/></g>");
    (void)place_of(page, "<rect class=\"open\" x=\"8.3%\" y=\"36\" width=\"6.0%\" height=\"36\"/>"
                         "<rect class=\"bad\" x=\"8.3%\" y=\"72\" width=\"6.0%\" height=\"0\"/>");
    (void)place_of(page, "<text class=\"value first\" x=\"8.3%\" y=\"90\">01-02</text>");
    (void)place_of(page, "2 new bugs (1 high, 1 medium), 1 open."); /* the one of the first night */
    (void)place_of(page, "data-label=\"since\">2026-01-01</td>");
    free(page);
    char *const json = write_report(REPORT_JSON, &b.s.c);
    (void)place_of(json, "\"n_open\": 2");
    free(json);
    b.s.c.n_nights = 1;
    page = write_report(REPORT_HTML, &b.s.c);
    assert_null(strstr(page, "id=\"nights\""));
    free(page);
}

/* ---- the summary of a terminal ---- */

static char *write_summary(const struct campaign *c)
{
    char *text = NULL;
    size_t n = 0;
    struct err e = {.text = ""};
    FILE *const f = open_memstream(&text, &n);
    assert_non_null(f);
    assert_int_equal(report_write_summary(c, f, &e), RES_OK);
    (void)fclose(f);
    return text;
}

/* However many bugs there are and however long their titles: it fits a terminal, and counts what has no room. */
static void the_summary_fits_a_terminal(void **state)
{
    (void)state;
    enum {
        N = 60
    };
    struct sample s;
    struct campaign_finding many[N];
    static const char title[] = "driver: a title that is long enough to take two lines of the "
                                "text, as it tells all that went "
                                "wrong with an instruction, its type and its place in memory";
    make_sample(&s, "honest");
    for (uint32_t i = 0; i < N; i++) {
        sample_fill_finding(&many[i], i + 1, "ulp", "honest");
        many[i].target_id = 1;
        many[i].bucket = i;
        many[i].core = "core";
        many[i].title = i % 2 ? title : "driver: short";
    }
    s.c.findings = many;
    for (uint32_t n = 0; n <= N; n += 6) {
        s.c.n_findings = n;
        char *const text = write_summary(&s.c);
        size_t const n_lines = count_text(text, "\n");
        size_t const n_bugs =
            count_text(text, "driver: ") - (n > 0); /* the worst stands above, too */
        assert_true(n_lines > 1 && n_lines <= SUMMARY_LINES);
        assert_true(n == 0 || n_bugs >= 5);
        if (n_bugs < n) {
            char rest[64];
            (void)snprintf(rest, sizeof rest, "and %zu more, in the report\n", n - n_bugs);
            (void)place_of(text, rest);
        }
        free(text);
    }
}

/* What to do next is said with its command. */
static void the_summary_says_what_to_do(void **state)
{
    (void)state;
    struct bugs b;
    make_bugs(&b);
    b.s.c.folder = "a folder";
    char *text = write_summary(&b.s.c);
    (void)place_of(text, "3 new bugs (1 high, 2 medium).\n");
    (void)place_of(text, "1 of the new bugs is not looked into yet.");
    (void)place_of(text, "    halfulp report 'a folder'\n");
    free(text);
    b.finding[2].triage = &solid;
    text = write_summary(&b.s.c);
    (void)place_of(text, "    halfulp check 'a folder#13'\n");
    free(text);
    b.s.c.n_findings = 0;
    text = write_summary(&b.s.c);
    assert_null(strstr(text, "halfulp"));
    free(text);
}

static void plots_show_the_counts(void **state)
{
    (void)state;
    struct bugs b;
    make_bugs(&b);
    b.finding[1].clause = "FADD_CR";
    char *const page = write_report(REPORT_TRUST, &b.s.c);
    assert_int_equal(count_text(page, "<svg role=\"img\""), 3);
    assert_non_null(strstr(page, ">FADD_CR, honest</text><text class=\"value\" x=\"100%\" "
                                 "y=\"13\">1,200</text>"));
    assert_non_null(strstr(page, "<rect class=\"bad\" x=\"0\" y=\"19\" width=\"100.0%\""));
    assert_non_null(strstr(page, "<rect class=\"bad\" x=\"0\" y=\"53\" width=\"0.8%\"")); /* 10 */
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bugs_stand_by_family_and_bucket),
        cmocka_unit_test(a_bug_says_what_is_known_of_it),
        cmocka_unit_test(the_link_to_a_bug_is_plain),
        cmocka_unit_test(a_bucket_that_names_nothing_is_shown_all_the_same),
        cmocka_unit_test(huge_texts_are_cut_with_a_note),
        cmocka_unit_test(the_policy_names_the_script),
        cmocka_unit_test(the_page_loads_nothing),
        cmocka_unit_test(the_two_pages_name_each_other),
        cmocka_unit_test(a_title_is_the_same_everywhere),
        cmocka_unit_test(states_sort_the_bugs),
        cmocka_unit_test(nights_are_drawn),
        cmocka_unit_test(the_summary_fits_a_terminal),
        cmocka_unit_test(the_summary_says_what_to_do),
        cmocka_unit_test(plots_show_the_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
