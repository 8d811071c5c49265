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
    .variant = "passes without the NoContraction",
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
    assert_non_null(strstr(page, ">3 kinds of violation (1 flaky) in "));
    assert_int_equal(count_text(page, "<article"), 3);
    assert_int_equal(count_text(page, "<section class=\"family\">\n<h3>fam add "), 1);
    assert_int_equal(count_text(page, "<summary>1 more signature of this bug</summary>"), 1);
    assert_non_null(strstr(page, ">1,205 cases</span>")); /* both signatures */
    static const char *const order[] = {"f32 global</h4>", "global special</summary>",
                                        "id=\"flaky\"", "hang MUST_RUN run</h3>"};
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
        ">from 151 to 14 instructions beyond an empty kernel, by spirv-reduce</dd>",
        ">passes without the NoContraction</dd>",
        ">none was found</dd>",
        ("<th scope=\"row\" class=\"plain\">two</th><td class=\"plain\">1.0</td><td "
         "class=\"plain\"></td><td "
         "class=\"good\">ok</td>"
         "<td class=\"plain number\">0</td><td class=\"plain number\">10</td>"),
        "<td class=\"muted\">cannot run it</td>",
        "<a href=\"bugs/honest-c1-11/report.md\">bugs/honest-c1-11</a>",
        (">10/10</td><td class=\"plain number\">7/7</td><td class=\"plain number\">151</td>"
         "<td class=\"plain number\">14</td>"),
    };
    make_bugs(&b);
    char *const page = write_report(REPORT_HTML, &b.s.c);
    for (size_t i = 0; i < ARRAY_N(wanted); i++) {
        (void)place_of(page, wanted[i]);
    }
    assert_int_equal(count_text(page, "/report.md"), 2); /* of what was looked into */
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
    const char *const p = page + place_of(page, "href=\"bugs/") + strlen("href=\"bugs/");
    size_t const n = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789._-");
    assert_int_equal(strncmp(p + n, "/report.md\">", 12), 0);
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
    char *const page = write_report(REPORT_HTML, &b.s.c);
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

static void plots_show_the_counts(void **state)
{
    (void)state;
    struct bugs b;
    make_bugs(&b);
    b.finding[1].clause = "FADD_CR";
    char *const page = write_report(REPORT_HTML, &b.s.c);
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
        cmocka_unit_test(plots_show_the_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
