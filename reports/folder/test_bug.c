/* reports/folder/test_bug.c -- a bug's folder without a driver: host.c compiles for every kind of case, its
 * comparison is that of struct expect, report.md takes no foreign text as markup, case.amber is a
 * script of Amber. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/format.h"
#include "base/ops.h"
#include "oracle/tables/words.h"
#include "reports/bug/bug_facts.h"
#include "reports/bug/bug_ids.h"
#include "reports/bug/bug_operands.h"
#include "reports/bug/bug_order.h"
#include "reports/bug/bug_title.h"
#include "reports/folder/bug_amber.h"
#include "reports/folder/bug_document.h"
#include "reports/folder/bug_features.h"
#include "reports/folder/bug_folder.h"
#include "reports/folder/bug_host.h"
#include "reports/folder/bug_kernel.h"
#include "reports/folder/bug_report.h"
#include "reports/folder/test_amber.h"
#include "reports/model/markdown.h"

static const char hostile[] = "a<script>`x`|\"*/ ?\?/ \\ @user #12 !3 &lt; [l](u) www.x http://y\n"
                              "EXPECT\x1b[31m\xff$m$ %1 ~l :bug: __b__";

/* A bug with its own parts; text is in every foreign place. */
struct synthetic {
    struct testcase tc;
    struct observation ob;
    struct campaign_finding finding;
    struct campaign_triage triage;
    struct campaign_target target;
    struct expect expect[8];
    struct bug bug;
    unsigned char data[CASE_MAX_BUFS][64];
    char facts[512];
};

static const uint32_t module_words[] = {0x07230203, 0x10300, 0, 1, 0};

static const struct matrix_row matrix[] = {
    {"one",   "ulp", "",              7, 10, "Mesa 25.0.7"},
    {"one-2", "ok",  "",              0, 10, "Mesa 22.3.6"},
    {"one",   "ok",  "OPTIMIZER=off", 0, 3,  ""           }
};

/* A made-up bug of that kind, with `text` in every foreign field. */
static void make(struct synthetic *s, enum env env, enum verdict_kind kind, const char *text)
{
    memset(s, 0, sizeof *s);
    (void)snprintf(s->facts, sizeof s->facts, "device=d\nplatform=%.60s\n", text);
    s->tc = (struct testcase){
        .env = env,
        .profile = "atomics",
        .module = module_words,
        .n_words = ARRAY_N(module_words),
        .entry = "main_kernel",
        .build_options = env == ENV_CL ? "-cl-std=CL2.0" : "",
        .local = {4, 2, 1},
        .global = {8, 2, 3},
        .n_bufs = 2
    };
    for (uint32_t i = 0; i < CASE_MAX_BUFS; i++) {
        s->tc.bufs[i] = (struct buf){.n_bytes = 24, .data = s->data[i]};
        s->ob.out[i] = s->data[i];
        for (unsigned k = 0; k < sizeof s->data[i]; k++) {
            s->data[i][k] = (unsigned char)(16 * i + k);
        }
    }
    s->ob.n_bufs = 2;
    s->ob.log = s->ob.signature = text;
    s->ob.facts = s->facts;
    s->ob.guard_hits = kind == VERDICT_CORRUPT;
    s->triage = (struct campaign_triage){.n_runs = 10,
                                         .n_shown = 7,
                                         .n_loaded_runs = 11,
                                         .n_loaded_shown = 5,
                                         .is_flaky = 1,
                                         .n_before = 300,
                                         .n_after = 9,
                                         .smallest = text,
                                         .variant = text,
                                         .n_matrix = ARRAY_N(matrix),
                                         .matrix = matrix};
    s->finding = (struct campaign_finding){.verdict = verdict_rows[kind].name,
                                           .clause = text,
                                           .class = "legal",
                                           .signature = text,
                                           .op = text,
                                           .type = text,
                                           .storage = text,
                                           .permitted = text,
                                           .got = text,
                                           .operands = text,
                                           .text = text,
                                           .instruction = text,
                                           .log = text,
                                           .crash_signature = text,
                                           .replay = text,
                                           .n_in_bucket = 90001,
                                           .family = text,
                                           .triage = &s->triage};
    s->target = (struct campaign_target){.name = text, .facts = s->facts};
    s->bug = (struct bug){.finding = &s->finding,
                          .target = &s->target,
                          .tc = &s->tc,
                          .ob = &s->ob,
                          .expect = s->expect,
                          .disassembly = "OpCapability Shader\n",
                          .generator = text,
                          .clause_section = text,
                          .clause_rule = text};
}

/* What `put` writes, in `a`. */
static const char *print(void (*put)(const struct bug *, FILE *), const struct bug *b,
                         struct arena *a)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    assert_non_null(f);
    put(b, f);
    assert_int_equal(fclose(f), 0);
    const char *const out = arena_copy(a, text, n);
    free(text);
    assert_non_null(out);
    return out;
}

static int run_shell(const char *fmt, ...) PRINTF_LIKE(1, 2);
static int run_shell(const char *fmt, ...)
{
    char command[2048];
    va_list args;
    va_start(args, fmt);
    int const n = vsnprintf(command, sizeof command, fmt, args);
    va_end(args);
    assert_true(n > 0 && (size_t)n < sizeof command);
    int const status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void make_folder(char folder[256])
{
    const char *const tmp = getenv("TMPDIR");
    (void)snprintf(folder, 256, "%s/test-bug-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(const char *folder)
{
    assert_int_equal(run_shell("rm -rf '%s'", folder), 0);
}

/* ---- Markdown ---- */

static const char *mark(const char *text, char *out, size_t n_out)
{
    FILE *const f = fmemopen(out, n_out, "w");
    assert_non_null(f);
    markdown_put_text(text, f);
    (void)fputc('\0', f);
    (void)fclose(f);
    return out;
}

static void text_is_no_markup(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"plain-text, (1.5 = 3)",    "plain-text, (1.5 = 3)"                               },
        {"<b>&amp;",                 "&#60;b&#62;&#38;amp;"                                },
        {"`a` *b* _c_ |",            "\\`a\\` \\*b\\* \\_c\\_ \\|"                         },
        {"[l](u) ![i](u)",           "\\[l\\](u) !\\[i\\](u)"                              },
        {"@u #1 !2 $x$ %3 ~4 {+a+}", "&#64;u &#35;1 &#33;2 &#36;x&#36; &#37;3 ~4 \\{+a+\\}"},
        {"www.a.b http://c",         "www\\.a.b http\\://c"                                },
        {"a: b :c:",                 "a: b \\:c:"                                          },
        {"a_b 0x1:0x2 100% #, a&b",  "a_b 0x1:0x2 100% #, a&#38;b"                         },
        {"x\ny\x1b\xff",             "x\\\\x0ay\\\\x1b\\\\xff"                             },
        {NULL,                       ""                                                    },
    };
    char out[512];
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        assert_string_equal(mark(rows[i][0], out, sizeof out), rows[i][1]);
    }
}

static void block_ends_where_it_should(void **state)
{
    (void)state;
    char out[512] = "";
    FILE *f = fmemopen(out, sizeof out, "w");
    markdown_put_block("a\n```\n````b\x1b", 100, f);
    (void)fclose(f);
    assert_string_equal(out, "`````\na\n```\n````b\\x1b\n`````\n");
    memset(out, 0, sizeof out);
    f = fmemopen(out, sizeof out, "w");
    markdown_put_block("abcdef", 3, f);
    (void)fclose(f);
    assert_non_null(strstr(out, "```\nabc\n... (cut"));
}

/* The report has its sections in their order, and foreign text in it is no markup; with no word in question
 * the changed ones are shown. */
static void report_is_inert(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    static const char *const headings[] = {"# ",
                                           "## System information",
                                           "## Describe the issue",
                                           "### Expected and observed",
                                           "### Rule",
                                           "### How often",
                                           "7 of 10",
                                           "found the bug 90001 times",
                                           "### Steps to reproduce",
                                           "`make run DRIVER=FILE`",
                                           "`halfulp check .`",
                                           "### What makes it pass",
                                           "300 to 9",
                                           "## Regression",
                                           "The shader passes with `OPTIMIZER=off`.",
                                           "| one | Mesa 25.0.7 | this bug | 7 of 10 runs |",
                                           "## Attachments"};
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_VK, VERDICT_ULP, hostile);
    const char *const text = print(bug_put_report, &s.bug, &a);
    const char *at = text;
    for (size_t i = 0; i < ARRAY_N(headings); i++) {
        const char *const next = strstr(at, headings[i]);
        if (!next) {
            fail_msg("no \"%s\" after %.60s", headings[i], at);
        }
        at = next;
    }
    int is_code = 0; /* foreign text as it is stands within fences alone */
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        is_code ^= strncmp(line, "```", 3) == 0;
        size_t const n = strcspn(line, "\n");
        const char *const raw = strstr(line, "<script>");
        assert_true(is_code || !raw || raw >= line + n);
        assert_null(memchr(line, 0x1b, n));
    }
    assert_int_equal(is_code, 0);
    /* Where no word is in question, those that were changed are shown. */
    unsigned char changed[24];
    memcpy(changed, s.data[1], sizeof changed);
    store_le(changed + 8, 0x7fc00001, 4);
    s.ob.out[1] = changed;
    s.triage.n_matrix = 0;
    assert_non_null(
        strstr(print(bug_put_report, &s.bug, &a), "\n| 1 | 8 | 0x1b1a1918 | 0x7fc00001 |\n"));
    arena_free(&a);
}

/* A crash with other frames is no sign that the bug is gone, nor that it is there. */
static void another_crash_is_told_as_such(void **state)
{
    (void)state;
    static const struct matrix_row rows[] = {
        {"one",   "crash",        "",              0, 3, ""},
        {"one-2", "ulp",          "",              0, 3, ""},
        {"one-3", "inconclusive", "",              0, 1, ""},
        {"one",   "crash",        "OPTIMIZER=off", 0, 3, ""},
        {"one",   "crash",        "THREADS=1",     2, 3, ""}
    };
    static const char *const wanted[] = {
        ("The process died in 10 of 10 runs, each in a process of its own; it had exactly this "
         "stack "
         "in 0, and"),
        ("The bug is still there with `THREADS=1`.\nThe driver crashes elsewhere with "
         "`OPTIMIZER=off`.\n"),
        "| one |  | another crash | 0 of 3 runs |",
        "| one-2 |  | another bug (ulp) | 0 of 3 runs |",
        "| one-3 |  | inconclusive | 0 of 1 runs |",
    };
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_CL, VERDICT_CRASH, "");
    s.triage.n_shown = 0;
    s.triage.n_alike = s.triage.n_runs;
    s.triage.matrix = rows;
    s.triage.n_matrix = ARRAY_N(rows);
    const char *const text = print(bug_put_report, &s.bug, &a);
    for (size_t i = 0; i < ARRAY_N(wanted); i++) {
        if (!strstr(text, wanted[i])) {
            fail_msg("no \"%s\" in %s", wanted[i], text);
        }
    }
    arena_free(&a);
}

/* What the time did not reach is neither denied nor told. */
static void what_was_not_tried_is_no_fact(void **state)
{
    (void)state;
    static const struct matrix_row rows[] = {
        {"one",   "ulp",           "", 3, 3, ""},
        {"one-2", MATRIX_NO_TIME,  "", 0, 0, ""},
        {"one-3", "cannot run it", "", 0, 0, ""}
    };
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_CL, VERDICT_ULP, "");
    s.triage.is_cut = 1;
    s.triage.matrix = rows;
    s.triage.n_matrix = ARRAY_N(rows);
    const char *text = print(bug_put_report, &s.bug, &a);
    assert_non_null(strstr(text, "Not known: the time ended before all changes were tried."));
    assert_null(strstr(text, "No change"));
    assert_null(strstr(text, "passes with "));
    assert_null(strstr(text, "one-2"));
    assert_non_null(strstr(text, "Targets that cannot run the kernel: one-3."));
    assert_non_null(strstr(text, "There was no time for 1 more."));
    s.triage.matrix = &rows[1];
    s.triage.n_matrix = 1;
    text = print(bug_put_report, &s.bug, &a);
    assert_non_null(strstr(text, "Not known: the kernel was run on no other driver."));
    s.triage.is_cut = 0;
    s.triage.n_shown = s.triage.n_loaded_shown = 0;
    text = print(bug_put_report, &s.bug, &a);
    assert_non_null(strstr(text, "No change was tried, as the bug did not show again."));
    arena_free(&a);
}

/* A report is not ready while the bug is not looked into to the end or its kernel is not reduced; then it says what goes on. */
static void a_report_says_what_it_lacks(void **state)
{
    (void)state;
    static const struct {
        uint32_t n_before, n_shown;
        int is_cut;
        bool is_audit, has_triage;
        const char *lack, *command;
    } rows[] = {
        {9, 7, 0, false, true,  NULL,                                                        ""                         },
        {9, 7, 1, false, true,  "the time ended before all was looked into.",                "`halfulp report x`"       },
        {0, 7, 1, false, true,  "looked into, and the kernel is not reduced.",               "`halfulp report x`"       },
        {0, 7, 0, false, true,  "** the kernel is not reduced.",                             "`halfulp report x --redo`"},
        {0, 0, 0, false, true,  "the bug did not show again in 21 runs",
         "`halfulp report x --redo`"                                                                                    },
        {0, 0, 0, false, false, "the bug was not run again, and the kernel is not reduced.",
         "`halfulp report x`"                                                                                           },
        {0, 0, 0, true,  false, NULL,                                                        ""                         },
    };
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        make(&s, ENV_CL, VERDICT_ULP, "");
        s.bug.next = "halfulp report x";
        s.bug.figures = rows[i].is_audit ? "It is wrong by 2 ulp." : NULL;
        s.triage.n_before = rows[i].n_before;
        s.triage.n_shown = s.triage.n_loaded_shown = rows[i].n_shown;
        s.triage.is_cut = rows[i].is_cut;
        s.finding.triage = rows[i].has_triage ? &s.triage : NULL;
        const char *const text = print(bug_put_report, &s.bug, &a);
        const char *const line = strstr(text, "**Not ready to send:**");
        if (!rows[i].lack != !line ||
            (line && (!strstr(line, rows[i].lack) || !strstr(line, rows[i].command) ||
                      strstr(line, "**Summary:**") < line))) {
            fail_msg("row %zu: %.200s", i, text);
        }
        arena_reset(&a);
    }
    arena_free(&a);
}

/* The report shows the kernel's text: all of a short one, of a long one the part around the instruction. */
static void the_kernel_is_shown(void **state)
{
    (void)state;
    enum {
        N_LINES = 400
    };
    struct arena a;
    struct synthetic s;
    const char *text = "OpCapability Kernel\n%main = OpFunction %void None %f\n";
    arena_init(&a, (size_t)64 << 20);
    for (uint32_t i = 0; i < N_LINES; i++) {
        text = arena_printf(&a, "%s   %%sum_%" PRIu32 " = OpFAdd %%float %%in0 %%in0\n", text, i);
    }
    make(&s, ENV_CL, VERDICT_ULP, "");
    s.bug.text = text;
    s.bug.source = "kernel void k() {}";
    s.bug.source_language = "OpenCL C";
    s.finding.instruction = "%sum_200 = OpFAdd %float %in0 %in0";
    const char *shown = print(bug_put_kernel, &s.bug, &a);
    assert_non_null(strstr(shown, "kernel void k() {}"));
    assert_non_null(strstr(shown, "has all 402 lines"));
    assert_non_null(strstr(shown, "%sum_200 ="));
    assert_non_null(strstr(shown, "%sum_190 ="));
    assert_non_null(strstr(shown, "%sum_210 ="));
    assert_null(strstr(shown, "%sum_160 ="));
    assert_null(strstr(shown, "%sum_220 ="));
    s.finding.instruction = ""; /* not known: as of a crash */
    shown = print(bug_put_kernel, &s.bug, &a);
    assert_non_null(strstr(shown, "%main = OpFunction"));
    assert_non_null(strstr(shown, "%sum_50 ="));
    assert_null(strstr(shown, "%sum_100 ="));
    s.bug.text = "%a = OpFunction %void None %f\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n";
    shown = print(bug_put_kernel, &s.bug, &a);
    assert_non_null(strstr(shown, s.bug.text));
    assert_null(strstr(shown, "..."));
    arena_free(&a);
}

/* Which case is called valid: not one that breaks a rule. */
static void kernels_are_called_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *class, *want, *text;
    } rows[] = {
        {"legal",        "a valid OpenCL kernel",    ""                                    },
        {"unadvertised", "a valid OpenCL kernel",    "uses a feature that the device does "},
        {"illegal",      "an invalid OpenCL kernel", "breaks a rule of the specifications "}
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct arena a;
        struct synthetic s;
        arena_init(&a, (size_t)16 << 20);
        make(&s, ENV_CL, VERDICT_CRASH, "");
        s.finding.class = rows[i].class;
        const char *const text = print(bug_put_report, &s.bug, &a);
        assert_non_null(strstr(text, rows[i].want));
        assert_non_null(strstr(text, rows[i].text));
        arena_free(&a);
    }
}

/* ---- host.c ---- */

static const enum verdict_kind kinds[] = {VERDICT_ULP,         VERDICT_ATOMICITY, VERDICT_CORRUPT,
                                          VERDICT_CRASH,       VERDICT_HANG,      VERDICT_EXIT,
                                          VERDICT_DEVICE_LOST, VERDICT_REJECT};

static void check_compiles(struct synthetic *s, const char *folder, struct arena *a)
{
    struct err e = {0};
    if (bug_write(folder, &s->bug, a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    if (run_shell("cd '%s' && cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only host.c",
                  folder) != 0) {
        fail_msg("%s: host.c does not compile", s->finding.verdict);
    }
}

static void fill_expect(struct synthetic *s)
{
    s->expect[0] = (struct expect){.buf = 1, .byte = 4, .n_bytes = 4, .n = 1};
    s->expect[1] = (struct expect){.buf = 0,
                                   .byte = 8,
                                   .n_bytes = 8,
                                   .flags = EXPECT_FLOAT | EXPECT_QNAN,
                                   .fmt = FMT_F64,
                                   .n = 2};
    s->expect[1].r[0] = (struct expect_range){INT64_MIN, -5};
    s->expect[1].r[1] = (struct expect_range){3, INT64_MAX};
    s->expect[2] = (struct expect){
        .buf = 0, .byte = 2, .n_bytes = 2, .flags = EXPECT_FLOAT | EXPECT_SNAN, .fmt = FMT_F16};
    s->bug.n_expect = 3;
}

/* The host program of each kind of bug compiles for both APIs, with hostile text in the bug. */
static void every_host_compiles(void **state)
{
    (void)state;
    struct synthetic s;
    struct arena a;
    char folder[256];
    arena_init(&a, (size_t)16 << 20);
    make_folder(folder);
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        for (int env = 0; env < ENV_N; env++) {
            make(&s, (enum env)env, kinds[i], hostile);
            if (kinds[i] == VERDICT_ULP) {
                fill_expect(&s);
            }
            check_compiles(&s, folder, &a);
        }
    }
    arena_free(&a);
    remove_folder(folder);
}

/* With an argument by value, for each kind of bug; its bytes are set, and it is neither made memory nor read. */
static void hosts_set_values(void **state)
{
    (void)state;
    struct synthetic s;
    struct arena a;
    char folder[256];
    arena_init(&a, (size_t)16 << 20);
    make_folder(folder);
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        make(&s, ENV_CL, kinds[i], "");
        assert_null(strstr(print(bug_put_host, &s.bug, &a), "by_value")); /* as before */
        s.tc.bufs[1].kind = BUF_VALUE;
        s.tc.bufs[1].n_bytes = 2;
        check_compiles(&s, folder, &a);
        const char *const text = print(bug_put_host, &s.bug, &a);
        assert_non_null(strstr(text, "    {\"in-0.bin\", 24, 0},\n    {\"in-1.bin\", 2, 1},\n"));
        assert_non_null(strstr(text, "clSetKernelArg(kernel, i, buffers[i].n_bytes, content[i])"));
        arena_reset(&a);
    }
    arena_free(&a);
    remove_folder(folder);
}

static void fill_vulkan(struct synthetic *s, const char *api)
{
    (void)snprintf(s->facts, sizeof s->facts, "device=d\nvk.api=%s\n", api);
    s->ob.facts = s->target.facts = ""; /* nothing is known: all is enabled */
    if (strcmp(api, "0x10300") != 0) {
        s->ob.facts = s->facts;
    }
    s->tc.n_bufs = s->ob.n_bufs = 7;
    s->tc.bufs[2] = (struct buf){
        .kind = BUF_IMAGE2D_R32F, .width = 3, .height = 2, .n_bytes = 24, .data = s->data[2]};
    s->tc.bufs[3] = (struct buf){.kind = BUF_TEXEL_R32F, .n_bytes = 24, .data = s->data[3]};
    s->tc.bufs[4] = (struct buf){.kind = BUF_ADDRESS, .n_bytes = 24, .data = s->data[3]};
    s->tc.bufs[5] = (struct buf){.kind = BUF_CONSTANT, .n_bytes = 16, .set = 3, .data = s->data[3]};
    s->tc.bufs[6] = (struct buf){.kind = BUF_PUSH, .n_bytes = 8, .data = s->data[3]};
    s->tc.subgroup_size = 8;
    s->tc.full_subgroups = 1;
    for (int i = 0; i < NEED_N; i++) {
        if (cap_rows[i].envs & OP_VK) {
            needs_add(&s->tc.needs, (enum need_id)i);
        }
    }
}

/* Images, texels, sub-groups, and every feature and extension there is a need for. */
static void every_vulkan_need_compiles(void **state)
{
    (void)state;
    static const char *const apis[] = {"0x10100", "0x10300"};
    struct synthetic s;
    struct arena a;
    char folder[256];
    arena_init(&a, (size_t)16 << 20);
    make_folder(folder);
    for (size_t i = 0; i < ARRAY_N(apis); i++) {
        make(&s, ENV_VK, VERDICT_ATOMICITY, "x");
        fill_vulkan(&s, apis[i]);
        check_compiles(&s, folder, &a);
    }
    const char *const host = print(bug_put_host, &s.bug, &a);
    static const char *const wanted[] = {"VkPhysicalDeviceVulkan12Features",
                                         ".subgroupBroadcastDynamicId = VK_TRUE",
                                         ".shaderFloat16 = VK_TRUE",
                                         ".features.shaderInt64 = VK_TRUE",
                                         "\"VK_EXT_shader_atomic_float2\"",
                                         "\"VK_AMD_shader_ballot\"",
                                         "VK_FORMAT_R32_SFLOAT",
                                         "VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {3, 2, 1}, 1, 0",
                                         "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER",
                                         "enum { N_BUFFERS = 7, PUSH_BUFFER = 6, N_SETS = 4 };",
                                         "vkGetBufferDeviceAddress(device, &of) + start[i]",
                                         ".bufferDeviceAddress = VK_TRUE",
                                         "requiredSubgroupSize = SUBGROUP_SIZE",
                                         "REQUIRE_FULL_SUBGROUPS"};
    for (size_t i = 0; i < ARRAY_N(wanted); i++) {
        if (!strstr(host, wanted[i])) {
            fail_msg("no %s", wanted[i]);
        }
    }
    assert_null(strstr(host, "VkPhysicalDeviceShaderFloat16Int8Features")); /* VUID 02830 */
    make(&s, ENV_VK, VERDICT_ATOMICITY, "x");
    const char *const plain = print(bug_put_host, &s.bug, &a);
    assert_null(strstr(plain, "VkImage "));
    assert_null(strstr(plain, "VkBufferView"));
    assert_null(strstr(plain, "SUBGROUP"));
    assert_null(strstr(plain, "= VK_TRUE"));
    arena_free(&a);
    remove_folder(folder);
}

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;
    for (; *text; text++) {
        n += *text == '\n';
    }
    return n;
}

/* An ordinary case: as many words as are listed, a few buffers in two sets, push constants and three features. */
static void hosts_are_short(void **state)
{
    (void)state;
    enum {
        N_WORDS = 16,
        MAX_LINES = 350
    };
    struct expect words[N_WORDS];
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        for (int env = 0; env < ENV_N; env++) {
            make(&s, (enum env)env, kinds[i], "x");
            bool const is_vk = env == ENV_VK;
            s.tc.n_bufs = s.ob.n_bufs = 5;
            s.tc.bufs[2].set = 1;
            s.tc.bufs[4].kind = is_vk ? BUF_PUSH : BUF_VALUE;
            static const enum need_id needs[] = {NEED_VK_F16, NEED_VK_I64, NEED_VK_16BIT_STORAGE};
            for (size_t k = 0; is_vk && k < ARRAY_N(needs); k++) {
                needs_add(&s.tc.needs, needs[k]);
            }
            for (uint32_t k = 0; k < N_WORDS; k++) {
                words[k] = (struct expect){.buf = 1, .n_bytes = 4, .n = 1};
            }
            s.bug.expect = words;
            s.bug.n_expect = kinds[i] == VERDICT_ULP ? N_WORDS : 0;
            uint32_t const n = count_lines(print(bug_put_host, &s.bug, &a)) +
                               count_lines(print(bug_files[2].put, &s.bug, &a));
            if (n > MAX_LINES || n < MAX_LINES / 2) {
                fail_msg("%s, %s: %" PRIu32 " lines", env_names[env], s.finding.verdict, n);
            }
        }
    }
    assert_string_equal(bug_files[2].name, "expected.h");
    arena_free(&a);
}

/* Each feature that a need asks for can be enabled. */
static void every_feature_is_known(void **state)
{
    (void)state;
    unsigned n_checked = 0;
    for (int i = 0; i < NEED_N; i++) {
        for (const char *p = strstr(cap_rows[i].query, "vk.f."); p; p = strstr(p, "vk.f.")) {
            p += 5;
            if (!bug_find_feature(p, strcspn(p, " "))) {
                fail_msg("%s: %s", cap_rows[i].id, p);
            }
            n_checked++;
        }
    }
    assert_true(n_checked > 40);
}

/* ---- the comparison ---- */

/* The definition of struct expect, with base/format.h for the keys. */
static int is_permitted(const struct expect *x, uint64_t bits)
{
    const struct float_format *const f = &float_formats[x->fmt];
    int64_t key = (int64_t)bits;
    if (x->flags & EXPECT_FLOAT) {
        if (format_is_nan(f, bits)) {
            return (x->flags & (format_is_snan(f, bits) ? EXPECT_SNAN : EXPECT_QNAN)) != 0;
        }
        key = format_to_key(f, bits);
    }
    for (unsigned i = 0; i < x->n; i++) {
        if (x->r[i].lo <= key && key <= x->r[i].hi) {
            return 1;
        }
    }
    return 0;
}

static struct expect draw_expect(struct rng *r)
{
    struct expect x = {.n_bytes = (uint8_t)(1U << rng_below(r, 4)), .n = (uint8_t)rng_below(r, 4)};
    if (x.n_bytes > 1 && rng_below(r, 3) > 0) {
        x.fmt = x.n_bytes == 2 ? FMT_F16 : x.n_bytes == 4 ? FMT_F32 : FMT_F64;
        x.flags = (uint8_t)(EXPECT_FLOAT | rng_below(r, 4) << 1);
    }
    return x;
}

static uint64_t draw_bits(struct rng *r, const struct expect *x)
{
    uint64_t const mask = UINT64_MAX >> (64 - 8 * x->n_bytes);
    const struct float_format *const f = &float_formats[x->fmt];
    uint64_t const special[] = {
        0,          f->sign, f->exp,  f->exp | f->sign, f->exp | f->quiet,
        f->exp | 1, 1,       f->frac, f->exp - 1,       f->sign | f->exp | f->quiet | 1};
    uint64_t const v =
        rng_below(r, 2) ? special[rng_below(r, ARRAY_N(special))] : rng_next(r) >> rng_below(r, 64);
    return v & mask & (x->n_bytes == 8 && !(x->flags & EXPECT_FLOAT) ? mask >> 1 : mask);
}

/* A program around host.c asks its is_permitted for each word; its answers are those above. */
static void comparison_is_that_of_expect(void **state)
{
    (void)state;
    enum {
        N_ROUNDS = 12,
        N_BITS = 60
    };
    struct rng r = rng_seed(7);
    struct arena a;
    char folder[256], path[300];
    unsigned n_yes = 0;
    unsigned n_checked = 0;
    arena_init(&a, (size_t)16 << 20);
    make_folder(folder);
    (void)snprintf(path, sizeof path, "%s/ask.c", folder);
    for (int round = 0; round < N_ROUNDS; round++) {
        struct synthetic s;
        struct err e = {0};
        make(&s, ENV_CL, VERDICT_ULP, "x");
        FILE *const f = fopen(path, "w");
        assert_non_null(f);
        (void)fprintf(f, "#define main host_main\n#include \"host.c\"\n#undef main\n"
                         "int main(void)\n{\n    unsigned n = 0;\n");
        s.bug.n_expect = 8;
        for (unsigned i = 0; i < 8; i++) {
            struct expect *const x = &s.expect[i];
            *x = draw_expect(&r);
            for (unsigned k = 0; k < x->n; k++) {
                uint64_t const bits[2] = {draw_bits(&r, x), draw_bits(&r, x)};
                for (int m = 0; m < 2; m++) {
                    int64_t const key = x->flags & EXPECT_FLOAT
                                            ? format_to_key(&float_formats[x->fmt], bits[m])
                                            : (int64_t)bits[m];
                    *(m ? &x->r[k].hi : &x->r[k].lo) = key;
                }
            }
            for (unsigned k = 0; k < N_BITS; k++) {
                uint64_t const bits = draw_bits(&r, x);
                int const want = is_permitted(x, bits);
                (void)fprintf(f, "    n += is_permitted(&words[%u], UINT64_C(0x%llx)) != %d;\n", i,
                              (unsigned long long)bits, want);
                n_yes += (unsigned)want;
                n_checked++;
            }
        }
        (void)fprintf(f, "    return n > 0;\n}\n");
        assert_int_equal(fclose(f), 0);
        assert_int_equal(bug_write(folder, &s.bug, &a, &e), RES_OK);
        assert_int_equal(run_shell("cd '%s' && cc -std=c99 -o ask ask.c -lOpenCL && ./ask", folder),
                         0);
    }
    assert_true(n_yes > n_checked / 20 && n_yes < n_checked / 20 * 19);
    arena_free(&a);
    remove_folder(folder);
}

/* ---- outcomes ---- */

/* Compiles the program of the bug with a main that takes outcomes from files after-N.bin. */
static void prepare_outcomes(const struct synthetic *s, const char *folder, struct arena *a)
{
    static const char text[] =
        "#define main host_main\n#include \"host.c\"\n#undef main\n"
        "int main(void)\n{\n    for (unsigned i = 0; i < N_BUFFERS; i++) {\n"
        "        char name[32];\n        size_t n = buffers[i].n_bytes;\n"
        "        snprintf(name, sizeof name, \"after-%u.bin\", i);\n"
        "        result[i] = read_file(name, &n);\n    }\n"
        "    char c = compare();\n    return c == 'Y' ? 1 : c == 'N' ? 0 : 2;\n}\n";
    struct err e = {0};
    char path[300];
    if (bug_write(folder, &s->bug, a, &e) != RES_OK) {
        fail_msg("%s", e.text);
    }
    (void)snprintf(path, sizeof path, "%s/ask.c", folder);
    assert_int_equal(file_write(path, text, strlen(text), &e), RES_OK);
    assert_int_equal(run_shell("cd '%s' && cc -std=c99 -w -o ask ask.c -lOpenCL", folder), 0);
}

/* What the program says of these outcomes: 1 the bug is there, 0 it is not. */
static int ask_outcome(const struct synthetic *s, const char *folder)
{
    struct err e = {0};
    for (uint32_t i = 0; i < s->tc.n_bufs; i++) {
        char path[300];
        (void)snprintf(path, sizeof path, "%s/after-%u.bin", folder, i);
        assert_int_equal(file_write(path, s->ob.out[i], s->tc.bufs[i].n_bytes, &e), RES_OK);
    }
    return run_shell("cd '%s' && ./ask >/dev/null", folder);
}

enum {
    N_STEPS = 9,
    STEP_BYTES = 4
};

/* What the operation leaves, by its definition. */
static uint32_t step(const struct expect_step *s, uint32_t v)
{
    uint32_t const o = (uint32_t)s->operand;
    switch (s->op) {
    case RMW_LOAD:
        return v;
    case RMW_EXCHANGE:
        return o;
    case RMW_COMPARE_EXCHANGE:
        return v == (uint32_t)s->comparator ? o : v;
    case RMW_ADD:
        return v + o;
    case RMW_SUB:
        return v - o;
    case RMW_SMIN:
        return (int32_t)v < (int32_t)o ? v : o;
    case RMW_SMAX:
        return (int32_t)v > (int32_t)o ? v : o;
    case RMW_UMIN:
        return v < o ? v : o;
    case RMW_UMAX:
        return v > o ? v : o;
    case RMW_AND:
        return v & o;
    case RMW_OR:
        return v | o;
    case RMW_XOR:
        return v ^ o;
    }
    return v;
}

/* The operations in some order: what each finds, into buffer 0, and the final value, into buffer 1. */
static void run_steps(const struct expect_step *steps, struct rng *r, unsigned char *found,
                      unsigned char *final)
{
    bool is_done[N_STEPS] = {false};
    uint32_t v = 7;
    for (uint32_t n = 0; n < N_STEPS; n++) {
        uint32_t i = (uint32_t)rng_below(r, N_STEPS);
        while (is_done[i]) {
            i = (i + 1) % N_STEPS;
        }
        is_done[i] = true;
        store_le(found + steps[i].byte, v, STEP_BYTES);
        v = step(&steps[i], v);
    }
    store_le(final, v, STEP_BYTES);
}

/* Operations on a location: the program finds nothing wrong with what any order of them leaves, whatever was
 * recorded, and says that the bug is there exactly where the report has two facts that contradict each
 * other. */
static void operations_are_tested_and_not_bytes(void **state)
{
    (void)state;
    static const enum rmw_op ops[N_STEPS] = {
        RMW_EXCHANGE, RMW_COMPARE_EXCHANGE, RMW_ADD, RMW_SUB, RMW_SMIN, RMW_UMAX, RMW_XOR,
        RMW_LOAD,     RMW_EXCHANGE};
    struct arena a;
    struct synthetic s;
    struct rng r = rng_seed(11);
    struct expect_step steps[N_STEPS];
    unsigned char found[64] = {0}, final[24] = {0};
    char folder[256];
    unsigned n_wrong = 0;
    arena_init(&a, (size_t)16 << 20);
    make_folder(folder);
    make(&s, ENV_CL, VERDICT_ATOMICITY, "x");
    for (uint32_t i = 0; i < N_STEPS; i++) {
        steps[i] = (struct expect_step){.op = ops[i],
                                        .invocation = i,
                                        .byte = STEP_BYTES * i,
                                        .operand = rng_next(&r) >> 32,
                                        .comparator = 7};
    }
    struct expect_order const order = {.n_bytes = STEP_BYTES,
                                       .knows_final = 1,
                                       .buf = 1,
                                       .initial = 7,
                                       .n = N_STEPS,
                                       .step = steps};
    s.tc.bufs[0].n_bytes = sizeof found;
    s.ob.out[0] = found;
    s.ob.out[1] = final;
    s.bug.order = &order;
    run_steps(steps, &r, found, final);
    assert_string_equal(bug_describe_order(&order, &s.tc, &s.ob, &a, NULL), "");
    store_le(final, 0x12345678, STEP_BYTES); /* lost: what is recorded */
    assert_string_not_equal(bug_describe_order(&order, &s.tc, &s.ob, &a, NULL), "");
    assert_int_equal(bug_get_kind(&s.bug), BUG_ORDER);
    prepare_outcomes(&s, folder, &a);
    assert_int_equal(ask_outcome(&s, folder), 1);
    for (int round = 0; round < 40; round++) {
        run_steps(steps, &r, found, final);
        assert_int_equal(ask_outcome(&s, folder), 0);
        store_le(found + STEP_BYTES * rng_below(&r, N_STEPS), rng_below(&r, 2) ? 7 : 9, STEP_BYTES);
        int const has_facts = bug_describe_order(&order, &s.tc, &s.ob, &a, NULL)[0] != 0;
        assert_int_equal(ask_outcome(&s, folder), has_facts);
        n_wrong += (unsigned)has_facts;
    }
    assert_true(n_wrong > 20);
    arena_free(&a);
    remove_folder(folder);
}

/* Ids of sub-groups: other sub-groups than those recorded are right if they may be. */
static void ids_are_tested_and_not_bytes(void **state)
{
    (void)state;
    enum {
        N = 6
    };
    static const struct {
        uint32_t group[N], local[N], size[N];
        uint32_t required;
        int is_cl, is_wrong;
    } rows[] = {
        {{0, 0, 0, 0, 0, 0}, {0, 1, 2, 0, 1, 2}, {8, 8, 8, 8, 8, 8}, 0, 0, 1}, /* twice */
        {{0, 0, 0, 1, 1, 1}, {0, 1, 2, 0, 1, 2}, {8, 8, 8, 8, 8, 8}, 0, 0, 0},
        {{0, 0, 0, 0, 0, 0}, {5, 4, 3, 2, 1, 0}, {8, 8, 8, 8, 8, 8}, 0, 0, 0},
        {{0, 0, 0, 0, 0, 0}, {5, 4, 3, 2, 1, 0}, {5, 5, 5, 5, 5, 5}, 0, 0, 1}, /* not below */
        {{0, 0, 0, 1, 1, 1}, {0, 1, 2, 0, 1, 2}, {8, 8, 4, 8, 8, 8}, 0, 0, 1}, /* two sizes */
        {{0, 0, 0, 0, 1, 1}, {0, 1, 2, 3, 0, 1}, {4, 4, 4, 4, 2, 2}, 0, 1, 0},
        {{0, 0, 0, 0, 1, 1}, {0, 1, 2, 3, 0, 1}, {4, 4, 4, 4, 4, 4}, 0, 1, 1}, /* not the members */
        {{0, 0, 1, 1, 1, 1}, {0, 1, 0, 1, 2, 3}, {2, 2, 4, 4, 4, 4}, 0, 1, 1}, /* not the last */
        {{0, 0, 0, 1, 1, 1}, {0, 1, 2, 0, 1, 2}, {8, 8, 8, 8, 8, 8}, 4, 0, 1}, /* not as required */
    };
    struct arena a;
    struct synthetic s;
    struct expect_id id[N];
    unsigned char out[12 * N];
    char folder[256];
    arena_init(&a, (size_t)16 << 20);
    make_folder(folder);
    for (uint32_t i = 0; i < N; i++) {
        id[i] = (struct expect_id){
            .invocation = i, .byte = {4 * i, 4 * (N + i), 4 * (2 * N + i)}
        };
    }
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct expect_ids const ids = {
            .required = rows[i].required, .is_cl = (uint8_t)rows[i].is_cl, .n = N, .id = id};
        uint32_t group = 0;
        make(&s, ENV_CL, VERDICT_MASK, "x");
        s.tc.n_bufs = s.ob.n_bufs = 1;
        s.tc.bufs[0].n_bytes = sizeof out;
        s.ob.out[0] = out;
        s.bug.ids = &ids;
        for (uint32_t k = 0; k < N; k++) { /* what is recorded is wrong */
            store_le(out + id[k].byte[0], 0, 4);
            store_le(out + id[k].byte[1], 9, 4);
            store_le(out + id[k].byte[2], 8, 4);
        }
        assert_int_equal(bug_get_kind(&s.bug), BUG_IDS);
        prepare_outcomes(&s, folder, &a);
        assert_int_equal(ask_outcome(&s, folder), 1);
        for (uint32_t k = 0; k < N; k++) {
            store_le(out + id[k].byte[0], rows[i].group[k], 4);
            store_le(out + id[k].byte[1], rows[i].local[k], 4);
            store_le(out + id[k].byte[2], rows[i].size[k], 4);
        }
        int const has_facts = bug_describe_ids(&ids, &s.tc, &s.ob, &group, &a)[0] != 0;
        if (has_facts != rows[i].is_wrong || ask_outcome(&s, folder) != rows[i].is_wrong) {
            fail_msg("row %zu", i);
        }
    }
    arena_free(&a);
    remove_folder(folder);
}

/* Words: any permitted value is right, and none other; with bytes outside of the buffers the words count too. */
static void words_are_tested_and_not_bytes(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    unsigned char out[24] = {0};
    char folder[256];
    arena_init(&a, (size_t)16 << 20);
    make_folder(folder);
    make(&s, ENV_CL, VERDICT_MASK, "x");
    s.expect[0] = (struct expect){
        .buf = 1,
        .byte = 8,
        .n_bytes = 4,
        .flags = EXPECT_FLOAT | EXPECT_QNAN,
        .fmt = FMT_F32,
        .n = 1,
        .r[0] = {0x3f800000, 0x3f800002}
    };
    s.bug.n_expect = 1;
    s.ob.out[1] = out;
    prepare_outcomes(&s, folder, &a);
    static const struct {
        uint32_t bits;
        int is_wrong;
    } rows[] = {
        {0xa5a5a5a5, 1},
        {0x3f800000, 0},
        {0x3f800002, 0},
        {0x3f800003, 1},
        {0x7fc12345, 0},
        {0x7f812345, 1}
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        store_le(out + 8, rows[i].bits, 4);
        store_le(out + 16, rows[i].bits, 4); /* what is not in question */
        assert_int_equal(ask_outcome(&s, folder), rows[i].is_wrong);
    }
    s.finding.clause = "ND_RANGE";
    s.ob.guard_hits = 2;
    assert_int_equal(bug_get_kind(&s.bug), BUG_MARGINS);
    const char *const host = print(bug_put_host, &s.bug, &a);
    assert_non_null(strstr(host, "const struct word *w = &words[i];"));
    assert_non_null(strstr(host, "n_wrong += check_margins();"));
    check_compiles(&s, folder, &a);
    arena_free(&a);
    remove_folder(folder);
}

/* ---- titles ---- */

/* A bug's parts, and its title. */
struct title_row {
    const char *platform, *verdict, *clause, *op, *type, *storage;
    uint64_t operand, got, want;
    const char *title;
};
static const struct title_row title_rows[] = {
    {"llvmpipe",                    "ulp",       "MATH_EXACT",       "Frexp",               "f32", "-", 0x000fa55d, 0x000fa55d, 0x3f7a55d0,
     "llvmpipe: Frexp (f32) of a subnormal gives a wrong significand"                                                                                                                                     },
    {"llvmpipe",                    "ulp",       "MATH_EXACT",       "FrexpStruct",         "i32", "-", 0x000fa55d, 0xffffff82, 0xffffff7e,
     "llvmpipe: FrexpStruct gives a wrong exponent"                                                                                                                                                       },
    {"Intel(R) OpenCL",             "nan-rule",  "GROUP_MINMAX_NAN", "GroupNonUniformFMax", "f32",
     "subgroup-inclusive",                                                                              0,          0xffc00000, 0,
     "Intel OpenCL CPU: OpGroupNonUniformFMax (f32, sub-group inclusive scan) gives a NaN although "
     "a "
     "number takes part"                                                                                                                                                                                  },
    {"Portable Computing Language", "zero-sign", "ARITH_CR",         "FMul",                "f32", "-", 0x3f800000,
     0x80000000,                                                                                                                0,          "PoCL: OpFMul (f32) of 1 gives -0 instead of +0"              },
    {"SwiftShader driver",          "ulp",       "ARITH_CR",         "FAdd",                "f32", "-", 0x3f800000, 0x3f800001,
     0x3f800000,                                                                                                                            "SwiftShader: OpFAdd (f32) is not correctly rounded"          },
    {"SwiftShader driver",          "ulp",       "ARITH_CR",         "FAdd",                "f32", "-", 0x7f800000, 0x40800000,
     0x3f800000,                                                                                                                            "SwiftShader: OpFAdd (f32) of an infinity gives a wrong value"},
    {"radv",                        "ulp",       "MATH_ULP",         "exp",                 "f32", "-", 0x3f800000, 0x402df855, 0x402df854,
     "RADV: exp (f32) is less accurate than permitted"                                                                                                                                                    },
    {"llvmpipe",                    "nan-rule",  "ARITH_CR",         "FSub",                "f32", "-", 0x7f800000, 0x7f800000, 0x3f800000,
     "llvmpipe: OpFSub (f32) of an infinity gives inf instead of 1 or a NaN"                                                                                                                              },
    {"PoCL is none",                "ulp",       "MATH_SPECIAL",     "tanh",                "f32", "-", 0x7f800000, 0x3f7fffff, 0x3f800000,
     "PoCL is none: tanh (f32) of an infinity gives 0.99999994 instead of 1"                                                                                                                              },
    {"PoCL is none",                "ulp",       "MATH_SPECIAL",     "lgamma_r",            "i32", "-", 0,          1,          0,
     "PoCL is none: lgamma_r stores a wrong sign (signp)"                                                                                                                                                 },
    {"PoCL is none",                "ulp",       "COPY_EXACT",       "-",                   "i8",  "-", 0,          1,          0,
     "PoCL is none: a load of an i8 gives another value than was stored"                                                                                                                                  },
    {"anything",                    "mask",      "EVERY_LANE",       "-",                   "-",   "-", 0,          5,          6,
     "anything: work-item 31 does not store its result"                                                                                                                                                   },
};

/* What a work-item does not store is named by the instruction that stands there. */
static void check_lost_results(struct synthetic *s, struct arena *a)
{
    static const struct {
        const char *instruction, *title;
    } rows[] = {
        {"OpCopyMemorySized %346 %347 %ulong_4",
         "PoCL: work-item 31 does not store what OpCopyMemorySized copies"                                   },
        {"%233 = OpExtInst %v16double %45 mad %229 %230 %231",
         "PoCL: work-item 31 does not store the result of mad"                                               },
        {"%342 = OpConvertUToF %float %340",
         "PoCL: work-item 31 does not store the result of OpConvertUToF"                                     },
        {"OpStore %8 %9",                                      "PoCL: work-item 31 does not store its result"},
        {"%1 = OpExtInst %2",                                  "PoCL: work-item 31 does not store its result"},
        {"",                                                   "PoCL: work-item 31 does not store its result"},
    };
    struct bug_word const word = {.invocation = 31};
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        make(s, ENV_CL, VERDICT_MASK, "Portable Computing Language");
        s->finding.clause = "EVERY_LANE";
        s->finding.instruction = rows[i].instruction;
        s->expect[0] = (struct expect){.buf = 1, .n_bytes = 4, .n = 1};
        s->bug.n_expect = 1;
        s->bug.word = &word;
        assert_string_equal(bug_get_title(&s->bug, a), rows[i].title);
    }
}

/* A title ends in what would explain a wrong value, unless that does not explain all. */
static void check_causes(struct synthetic *s, struct arena *a)
{
#define KEPT  "a negation is kept once for all: it is another's"
#define TITLE "PoCL: OpFMul (f16) gives a wrong value"
    static const struct {
        const char *cause, *title, *sentence;
        bool is_whole;
    } rows[] = {
        {"as if KEPT at any instruction: " KEPT "; explains all 3 findings of 1 case",
         TITLE ", as if a negation is kept once for all",                                                                                   KEPT, true },
        {"as if KEPT at any instruction: " KEPT
         "; may explain all 3 findings of 1 case, but 2 values that it would have "
         "changed were right\nas if A at any instruction: b; explains all",       TITLE ", as if a negation is kept once for all", KEPT, false},
        {"as if KEPT at FMul f16: " KEPT "; explains all 3 findings of 1 case",
         TITLE ", as if a negation is kept once for all",                                                                                   KEPT, true },
        {"as if KEPT at FMul f16: " KEPT "; may explain all 3 findings of 1 case",         TITLE,                                           KEPT,
         false                                                                                                                                         },
        {"as if KEPT at any instruction: " KEPT "; does not explain all: 2 of 3 findings", TITLE,
         "",                                                                                                                                      false},
        {"as if KEPT at any instruction: " KEPT "; does not explain all: 2 of 3 findings\n"
         "as if OTHER at any instruction: b; explains all 3 findings of 1 case",  TITLE,                                           "",   false},
        {"",                                                                               TITLE,                                           "",   false},
        {NULL,                                                                             TITLE,                                           "",   false},
    };
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct bug_cause const cause = bug_find_cause(rows[i].cause, a);
        assert_string_equal(cause.sentence, rows[i].sentence);
        assert_int_equal(cause.is_whole, rows[i].is_whole);
        make(s, ENV_CL, VERDICT_ULP, "Portable Computing Language");
        s->finding.clause = "ARITH_CR";
        s->finding.op = "FMul";
        s->finding.type = "f16";
        s->finding.storage = "-";
        s->triage.cause = rows[i].cause;
        assert_string_equal(bug_get_title(&s->bug, a), rows[i].title);
    }
#undef KEPT
#undef TITLE
}

/* A class of operands is told if each wrong word and each finding has it in a float; of an atomic, whether memory holds it. */
static void operands_are_those_of_all(void **state)
{
    (void)state;
    enum {
        ONE = 0x3f800000,
        SUBNORMAL = 1,
        NOT_A_NUMBER = 0x7fc00000
    };
    static const struct {
        const char *op;
        enum val_type type[2]; /* of operand 1, by word */
        uint64_t operand[2][2];
        unsigned not_all;
        const char *what;
    } rows[] = {
        {"FMul",          {VT_NONE, VT_NONE}, {{ONE, 0}, {0, ONE}},         0,                   " with a zero as operand"        },
        {"FMul",          {VT_NONE, VT_NONE}, {{ONE, 0}, {ONE, ONE}},       0,                   ""                               },
        {"FMul",          {VT_NONE, VT_NONE}, {{ONE, 0}, {0, ONE}},         1U << FP_CLASS_ZERO, ""                               },
        {"FMul",
         {VT_NONE, VT_NONE},
         {{NOT_A_NUMBER, SUBNORMAL}, {SUBNORMAL, ONE}},
         0,                                                                                      " with a subnormal as operand"   },
        {"ldexp",         {VT_I32, VT_I32},   {{ONE, 0}, {ONE, SUBNORMAL}}, 0,                   ""                               },
        {"AtomicFAddEXT", {VT_NONE, VT_NONE}, {{0, ONE}, {0, ONE}},         0,                   ""                               },
        {"AtomicFAddEXT",
         {VT_NONE, VT_NONE},
         {{SUBNORMAL, 0}, {SUBNORMAL, 0}},
         0,                                                                                      " where memory holds a subnormal"},
        {"AtomicFAddEXT", {VT_NONE, VT_NONE}, {{ONE, 0}, {0, 0}},           0,                   " with a zero as operand"        },
    };
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct bug_word word[2];
        make(&s, ENV_CL, VERDICT_ULP, "-");
        for (int k = 0; k < 2; k++) {
            word[k] = (struct bug_word){
                .n_operands = 2, .operand_type = {VT_NONE, rows[i].type[k]}
            };
            memcpy(word[k].operand, rows[i].operand[k], sizeof rows[i].operand[k]);
        }
        s.finding.op = rows[i].op;
        s.finding.type = "f32";
        s.bug.n_expect = 2;
        s.bug.word = word;
        s.bug.not_all = rows[i].not_all;
        assert_string_equal(bug_describe_operands(&s.bug, &a), rows[i].what);
    }
    arena_free(&a);
}

/* What goes wrong before the accused instruction is accused in its place; a declaration that is ignored is named. */
static void titles_name_the_cause(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_CL, VERDICT_ZERO_SIGN, "llvmpipe");
    s.finding.clause = "NEG_EXACT";
    s.finding.op = "FNegate";
    s.finding.type = "f32";
    s.finding.storage = "-";
    s.finding.got = "";
    s.triage.cause = "";
    assert_string_equal(bug_get_title(&s.bug, &a),
                        "llvmpipe: OpFNegate (f32) gives a zero of the wrong sign");
    s.finding.verdict = "ulp";
    s.finding.text =
        "work-item 0: FNegate gave 0x1, permitted is {0x2}: what Bitcast gave before a "
        "barrier is another value after it";
    s.finding.op = "Bitcast";
    assert_string_equal(
        bug_get_title(&s.bug, &a),
        "llvmpipe: the value of OpBitcast (f32) before a barrier is another one after it");
    s.finding.verdict = "zero-sign";
    s.finding.text = "";
    s.finding.op = "FNegate";
    s.bug.declared = "SignedZeroInfNanPreserve 32";
    assert_string_equal(bug_get_title(&s.bug, &a),
                        "llvmpipe: OpFNegate (f32) gives a zero of the wrong sign, as if "
                        "SignedZeroInfNanPreserve 32 were not declared");
    s.bug.declared = "";
    struct campaign_finding first = s.finding;
    first.verdict = "ulp";
    first.clause = "CONVERT_CR";
    first.op = "ConvertSToF";
    s.bug.first = &first;
    assert_string_equal(bug_get_title(&s.bug, &a),
                        "llvmpipe: OpConvertSToF (f32) gives a wrong value");
    first.clause = "COPY_EXACT";
    first.op = "Load";
    first.type = "bool";
    assert_string_equal(bug_get_title(&s.bug, &a),
                        "llvmpipe: a load of a bool gives another value than was stored");
    arena_free(&a);
}

static void titles_say_what_is_wrong(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    for (size_t i = 0; i < ARRAY_N(title_rows); i++) {
        const struct title_row *const row = &title_rows[i];
        struct bug_word const word = {.invocation = 31, .n_operands = 1, .operand = {row->operand}};
        unsigned char out[24] = {0};
        make(&s, ENV_CL, VERDICT_ULP, row->platform);
        s.finding.verdict = row->verdict;
        s.finding.clause = row->clause;
        s.finding.op = row->op;
        s.finding.type = row->type;
        s.finding.storage = row->storage;
        s.expect[0] = (struct expect){.buf = 1, .n_bytes = 4, .n = 1};
        s.expect[0].r[0] = (struct expect_range){(int64_t)row->want, (int64_t)row->want};
        store_le(out, row->got, 4);
        s.ob.out[1] = out;
        s.bug.n_expect = 1;
        s.bug.word = &word;
        assert_string_equal(bug_get_title(&s.bug, &a), row->title);
    }
    check_lost_results(&s, &a);
    check_causes(&s, &a);
    make(&s, ENV_CL, VERDICT_NAN_RULE, "llvmpipe"); /* no number is permitted */
    s.finding.verdict = "nan-rule";
    s.finding.clause = "ARITH_CR";
    s.finding.op = "FSub";
    s.finding.type = "f32";
    s.finding.storage = "-";
    s.expect[0] = (struct expect){.buf = 1, .n_bytes = 4, .flags = EXPECT_FLOAT | EXPECT_QNAN};
    s.bug.n_expect = 1;
    assert_string_equal(bug_get_title(&s.bug, &a),
                        "llvmpipe: OpFSub (f32) gives a number where a NaN is required");
    make(&s, ENV_CL, VERDICT_CRASH, "llvmpipe");
    s.ob.status = RUN_CRASH;
    s.ob.driver_code = 6;
    s.ob.signature = "pass 'X86 DAG' \"LLVM ERROR: Cannot select:\" libLLVM.so+f;libLLVM.so:1+0x2";
    assert_string_equal(bug_get_title(&s.bug, &a),
                        "llvmpipe: SIGABRT in compiler pass 'X86 DAG': LLVM ERROR: Cannot select");
    make(&s, ENV_CL, VERDICT_REJECT, "rusticl");
    s.ob.status = RUN_REJECT;
    s.bug.reason = "symbol missing: atomic_add half global";
    assert_string_equal(bug_get_title(&s.bug, &a),
                        "rusticl: a valid kernel is refused: the built-in function atomic_add "
                        "(half, global) is missing");
    s.bug.reason = "symbol missing: relaxed math half";
    assert_string_equal(bug_get_title(&s.bug, &a),
                        "rusticl: a valid kernel is refused: built-in functions are missing: "
                        "relaxed math (half)");
    arena_free(&a);
}

/* The operand of a conversion has another type than its result, in the report and in the title. */
static void operands_have_their_own_types(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    struct bug_word word = {
        .n_operands = 1, .operand = {0x41dfffffffa00000}, .operand_type = {VT_F64}};
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_CL, VERDICT_ULP, "x");
    s.finding.verdict = "ulp";
    s.finding.clause = "CONVERT_CR";
    s.finding.op = "FConvert";
    s.finding.type = "f32";
    s.finding.storage = "-";
    s.bug.word = &word;
    s.bug.n_expect = 1;
    const char *text = print(bug_put_report, &s.bug, &a);
    assert_non_null(strstr(text, "0x41dfffffffa00000"));
    assert_non_null(strstr(text, "2147483646.5"));
    assert_null(strstr(bug_get_title(&s.bug, &a), "NaN"));
    word.operand[0] = 0x7ff8000000000000; /* a NaN of f64, whose low half is a zero of f32 */
    assert_non_null(strstr(bug_get_title(&s.bug, &a), "of a NaN"));
    word.operand_type[0] = VT_NONE; /* as a caller has it that knows none */
    word.operand[0] = 0x7fc00000;
    assert_non_null(strstr(bug_get_title(&s.bug, &a), "of a NaN"));
    arena_free(&a);
}

/* Where no sentence is known, documents are cited with title, version and section, and those of the other API are not. */
static void documents_are_in_full(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_CL, VERDICT_ULP, "x");
    s.bug.clause_section = "S 3.3.18 OpAtomicLoad; CE numerics; V env precision; C99 F.9; else";
    const char *const text = print(bug_put_sentences, &s.bug, &a);
    assert_non_null(strstr(text,
                           "- SPIR-V Specification, unified, 1.6 revision 6, July 2025, section "
                           "3.3.18 OpAtomicLoad, <https://"));
    assert_non_null(strstr(text, "- OpenCL SPIR-V Environment Specification, 3.1"));
    assert_non_null(strstr(text, "ISO/IEC 9899:1999, annex F"));
    assert_non_null(strstr(text, "- else\n"));
    assert_null(strstr(text, "Vulkan"));
    s.tc.env = ENV_VK;
    assert_non_null(strstr(print(bug_put_sentences, &s.bug, &a),
                           "appendix Vulkan Environment for SPIR-V precision"));
    arena_free(&a);
}

/* The sentence is that of the environment, the instruction and the type. */
static void sentences_are_quoted(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_VK, VERDICT_ULP, "x");
    s.finding.clause = "DIV_ULP";
    s.finding.op = "FDiv";
    s.finding.type = "f16";
    const char *text = print(bug_put_report, &s.bug, &a);
    assert_non_null(strstr(text, "> \"2.5 ULP for "));
    assert_non_null(strstr(text, "-- Vulkan Specification 1.4.360, Precision of Core SPIR-V "
                                 "Instructions, row OpFDiv ([link](https://registry.khronos.org/"
                                 "vulkan/specs/latest/html/"
                                 "vkspec.html#spirvenv-precision-core-table))\n\n"));
    assert_null(strstr(text, "OpenCL SPIR-V Environment"));
    s.tc.env = ENV_CL;
    text = print(bug_put_sentences, &s.bug, &a);
    assert_ptr_equal(strstr(text, "> \"&#60;= 1 ulp\" -- OpenCL SPIR"), text);
    assert_null(strstr(text, "Vulkan"));
    arena_free(&a);
}

/* A refusal says which instruction the module has and what the device lists, and quotes what its need rests on. */
static void a_refusal_names_what_is_listed(void **state)
{
    (void)state;
    static const uint32_t module[] = {0x07230203, 0x10300,      0,   1, 0, 2 << 16 | 17,
                                      6,          2 << 16 | 17, 6033};
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_CL, VERDICT_REJECT, "x");
    s.finding.clause = "MUST_ACCEPT";
    s.tc.module = module;
    s.tc.n_words = ARRAY_N(module);
    s.bug.disassembly = "OpCapability Kernel\n OpCapability AtomicFloat32AddEXT\n"
                        "%5 = OpIAdd %2 %3 %4\n %9 = OpAtomicFAddEXT %1 %6 %7 %8 %5\n";
    s.ob.facts = "cl.fatomic32=0x2\ncl.ext=cl_khr_fp16\n";
    memset(&s.tc.needs, 0, sizeof s.tc.needs);
    needs_add(&s.tc.needs, NEED_CL_F32_GLOBAL_ADD);
    needs_add(&s.tc.needs, NEED_CL_F16); /* reduced away: the module does not declare it */
    const char *const text = print(bug_put_report, &s.bug, &a);
    assert_non_null(strstr(text, "The module has OpAtomicFAddEXT. The device lists what the module "
                                 "needs:\n\n- capability AtomicFloat32AddEXT: "));
    assert_non_null(strstr(text, "CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT is 0x2, "
                                 "which includes CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT\n"));
    assert_null(strstr(text, "CL_DEVICE_EXTENSIONS lists"));
    assert_null(strstr(text, "cl_khr_fp16"));
    assert_non_null(strstr(text, "may be a pointer to the CrossWorkGroup Storage Class.\" -- "));
    assert_null(strstr(text, "Vulkan Specification"));
    arena_free(&a);
}

/* ---- Amber ---- */

/* What is written for Amber is a script by our reader of its language, for each kind of bug and for all kinds
 * of buffers. */
static void amber_is_a_script(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    struct amber_script script;
    arena_init(&a, (size_t)16 << 20);
    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        make(&s, ENV_VK, kinds[i], hostile);
        if (kinds[i] == VERDICT_ULP) {
            fill_expect(&s);
        }
        const char *const text = print(bug_put_amber, &s.bug, &a);
        if (!amber_read(text, &script)) {
            fail_msg("%s: %s in\n%s", s.finding.verdict, script.error, text);
        }
        /* One number, by EQ; several ranges of eight bytes in a buffer of units of two; any signalling NaN of two bytes, by both
         * ends and what it is not. */
        assert_int_equal(script.n_expects, kinds[i] == VERDICT_ULP ? 1 + 2 + 1 : 0);
        assert_string_equal(script.entry, "main_kernel");
    }
    make(&s, ENV_VK, VERDICT_ATOMICITY, "x");
    fill_vulkan(&s, "0x10300");
    static const uint32_t odd[] = {0x7fc00000, 0x80000000, 0xff800000, 1, 0x3f800000, 0};
    memcpy(s.data[2], odd, sizeof odd);
    const char *const text = print(bug_put_amber, &s.bug, &a);
    if (!amber_read(text, &script)) {
        fail_msg("%s in\n%s", script.error, text);
    }
    assert_int_equal(script.n_buffers, 7);
    assert_int_equal(script.required_size, 8);
    assert_true(script.n_features > 8 && script.n_extensions > 3);
    assert_non_null(strstr(text, " NaN -0.0 -3.5e+38 1.40129846e-45 1 0.0"));
    static const struct {
        enum buf_kind kind;
        uint32_t width, height;
        const char *words;
    } images[] = {
        {BUF_IMAGE1D_R32F, 6, 1, "DIM_1D WIDTH 6 DATA"                 },
        {BUF_IMAGE3D_R32F, 1, 2, "DIM_3D WIDTH 1 HEIGHT 2 DEPTH 3 DATA"},
        {BUF_ARRAY1D_R32F, 2, 1, "DIM_2D WIDTH 2 HEIGHT 3 DATA"        },
        {BUF_CUBE_R32F,    1, 1, "DIM_3D WIDTH 1 HEIGHT 1 DEPTH 6 DATA"},
    };
    for (size_t i = 0; i < ARRAY_N(images); i++) {
        s.tc.bufs[2].kind = images[i].kind;
        s.tc.bufs[2].width = images[i].width;
        s.tc.bufs[2].height = images[i].height;
        const char *const image = print(bug_put_amber, &s.bug, &a);
        assert_true(amber_read(image, &script));
        assert_non_null(strstr(image, images[i].words));
    }
    arena_free(&a);
}

/* One word of four bytes in a buffer of that kind, which holds `got` after the run. */
static const char *expect_one(struct synthetic *s, enum buf_kind kind, struct expect x,
                              uint64_t got, struct arena *a)
{
    struct amber_script script;
    make(s, ENV_VK, VERDICT_ULP, "x");
    s->tc.bufs[1].kind = kind;
    s->expect[0] = x;
    s->expect[0].buf = 1;
    s->expect[0].byte = 8;
    s->bug.n_expect = 1;
    store_le(s->data[1] + 8, got, x.n_bytes);
    const char *const text = print(bug_put_amber, &s->bug, a);
    if (!amber_read(text, &script)) {
        fail_msg("%s in\n%s", script.error, text);
    }
    return strstr(text, "RUN ");
}

/* EXPECT tells each word that it has words for: any range of bits, texels that are one number, and eight bytes. */
static void amber_tells_words(void **state)
{
    static const int64_t one = 0x3f800000;
    static const struct {
        enum buf_kind kind;
        struct expect x;
        uint64_t got;
        const char *want;
        bool tells;
    } rows[] = {
        {BUF_STORAGE,
         {.n_bytes = 4, .n = 1, .r = {{5, 9}}},
         12, "EXPECT buffer1 IDX 8 GE 5\nEXPECT buffer1 IDX 8 LE 9\n",
         true },
        {BUF_STORAGE,
         {.n_bytes = 4, .n = 1, .r = {{0, 9}}},
         12, "3\n\nEXPECT buffer1 IDX 8 LE 9\n",
         true },
        {BUF_STORAGE,
         {.n_bytes = 8, .n = 1, .r = {{-2, -2}}},
         7,  "EXPECT buffer1 IDX 8 EQ 18446744073709551614\n",
         true },
        {BUF_STORAGE,
         {.n_bytes = 4, .flags = EXPECT_FLOAT, .fmt = FMT_F32, .n = 1, .r = {{-1, 0}}},
         1,  "LE 2147483648\nEXPECT buffer1 IDX 8 NE 1\n",
         true },
        {BUF_STORAGE,
         {.n_bytes = 4,
          .flags = EXPECT_FLOAT | EXPECT_QNAN,
          .fmt = FMT_F32,
          .n = 1,
          .r = {{one, one}}},
         1,  "GE 1065353216\nEXPECT buffer1 IDX 8 NE 1\n",
         true },
        {BUF_TEXEL_R32F,
         {.n_bytes = 4, .flags = EXPECT_FLOAT, .fmt = FMT_F32, .n = 1, .r = {{one, one}}},
         1,  "EXPECT buffer1 IDX 8 GE 1\nEXPECT buffer1 IDX 8 LE 1\nEXPECT buffer1 IDX 8 NE NaN\n",
         true },
        {BUF_TEXEL_R32F,
         {.n_bytes = 4, .flags = EXPECT_FLOAT, .fmt = FMT_F32, .n = 1, .r = {{0, 0}}},
         1,  "see host.c",
         false},
        {BUF_TEXEL_R32UI,
         {.n_bytes = 4, .n = 1, .r = {{5, 5}}},
         1,  "EXPECT buffer1 IDX 8 EQ 5\n",
         true },
        {BUF_ADDRESS,
         {.n_bytes = 4, .n = 1, .r = {{5, 5}}},
         1,  "EXPECT buffer1 IDX 8 EQ 5\n",
         false},
    };
    (void)state;
    struct arena a;
    struct synthetic s;
    arena_init(&a, (size_t)16 << 20);
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        const char *const text = expect_one(&s, rows[i].kind, rows[i].x, rows[i].got, &a);
        assert_non_null(text);
        if (!strstr(text, rows[i].want) || bug_amber_tells(&s.bug) != rows[i].tells) {
            fail_msg("row %zu: %s", i, text);
        }
    }
    arena_free(&a);
}

/* The final value of a location, where the order of its operations does not matter. */
static void amber_tells_sums(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    struct expect_step steps[] = {
        {.op = RMW_ADD, .operand = 5},
        {.op = RMW_SUB, .operand = 2, .byte = 4},
        {.op = RMW_LOAD,             .byte = 8           }
    };
    struct expect_order const order = {
        .n_bytes = 4, .knows_final = 1, .buf = 1, .byte = 4, .initial = 7, .n = 3, .step = steps};
    uint64_t final = 0;
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_VK, VERDICT_ATOMICITY, "x");
    s.bug.order = &order;
    assert_int_equal(bug_get_kind(&s.bug), BUG_ORDER);
    assert_true(bug_amber_tells(&s.bug));
    assert_non_null(strstr(print(bug_put_amber, &s.bug, &a), "EXPECT buffer1 IDX 4 EQ 10\n"));
    store_le(s.data[1] + 4, 10, 4); /* right: it tells nothing */
    assert_false(bug_amber_tells(&s.bug));
    steps[1].op = RMW_UMAX;
    assert_false(bug_find_final(&order, &final));
    steps[1].op = RMW_EXCHANGE;
    assert_false(bug_find_final(&order, &final));
    arena_free(&a);
}

/* The check is one: what is no script is refused. */
static void amber_check_refuses(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"#!amber",          "#!ambre"         },
        {"DATA_TYPE uint32", "DATA_TYPE uint33"},
        {"IDX 4 EQ",         "IDX 5 EQ"        },
        {"IDX 4 EQ",         "IDX 400 EQ"      },
        {"EXPECT buffer1",   "EXPECT b"        },
        {"BINDING 1",        "BINDING"         },
        {"RUN pipeline 2",   "RUN pipeline"    },
        {"SPIRV-ASM",        "SPIRV"           },
        {"AS storage",       "AS stora"        },
        {"ATTACH shader",    "ATTACH"          },
        {"fence_timeout_ms", "fence"           },
    };
    struct arena a;
    struct synthetic s;
    struct amber_script script;
    arena_init(&a, (size_t)16 << 20);
    make(&s, ENV_VK, VERDICT_ULP, "x");
    fill_expect(&s);
    const char *const text = print(bug_put_amber, &s.bug, &a);
    assert_true(amber_read(text, &script));
    for (size_t i = 0; i < ARRAY_N(changes); i++) {
        const char *const at = strstr(text, changes[i][0]);
        assert_non_null(at);
        const char *const changed = arena_printf(&a, "%.*s%s%s", (int)(at - text), text,
                                                 changes[i][1], at + strlen(changes[i][0]));
        if (amber_read(changed, &script)) {
            fail_msg("\"%s\" for \"%s\" passes", changes[i][1], changes[i][0]);
        }
    }
    arena_free(&a);
}

static void what_cannot_be_told(void **state)
{
    (void)state;
    struct arena a;
    struct synthetic s;
    struct err e = {0};
    char folder[256];
    arena_init(&a, (size_t)1 << 20);
    make_folder(folder);
    make(&s, ENV_CL, VERDICT_ULP, "x");
    s.ob.n_bufs = 0; /* no outputs, no words */
    assert_int_equal(bug_write(folder, &s.bug, &a, &e), RES_USAGE);
    make(&s, ENV_CL, VERDICT_ULP, "x");
    assert_int_equal(bug_write("/nowhere/at/all", &s.bug, &a, &e), RES_IO);
    arena_free(&a);
    remove_folder(folder);
}

/* The document without its first line, blocks of code, code, quotations and addresses: what is left is ours. */
static const char *keep_ours(const char *text, struct arena *a)
{
    char *const out = arena_copy(a, text, strlen(text));
    size_t n = 0;
    bool is_code = false;
    for (const char *line = strchr(text, '\n'); line && *++line; line = strchr(line, '\n')) {
        bool const is_fence = strncmp(line, "```", 3) == 0;
        char end = '\0';
        is_code ^= is_fence;
        for (const char *p = line; !is_code && !is_fence && *p && *p != '\n'; p++) {
            bool const is_edge = end ? *p == end : strchr("`\"<", *p) != NULL;
            end = !is_edge ? end : end ? '\0' : *p == '<' ? '>' : *p;
            out[n++] = is_edge || end ? ' ' : *p;
        }
        out[n++] = '\n';
    }
    out[n] = '\0';
    return out;
}

/* Each environment's folder has its own words, in sentences that were written with those of either. */
static void words_are_those_of_the_environment(void **state)
{
    (void)state;
    static const char mixed[] = "an invocation and a work-item of a sub-group, a subgroup, a "
                                "workgroup and a work-group of a kernel and of a shader";
    static const enum verdict_kind all[] = {VERDICT_ULP,   VERDICT_ATOMICITY, VERDICT_MASK,
                                            VERDICT_CRASH, VERDICT_REJECT,    VERDICT_CORRUPT,
                                            VERDICT_HANG,  VERDICT_ORDER,     VERDICT_FLAKY};
    static void (*const put[])(const struct bug *, FILE *) = {bug_put_report, bug_put_host};
    for (size_t i = 0; i < ARRAY_N(all) * 2 * ENV_N; i++) {
        struct arena a;
        struct synthetic s;
        enum env const env = i % 2 ? ENV_VK : ENV_CL;
        arena_init(&a, (size_t)32 << 20);
        make(&s, env, all[i / 2 / ENV_N], "-");
        s.ob.signature = "";
        s.finding.text = s.bug.clause_rule = s.triage.variant = mixed;
        s.triage.cause = arena_printf(&a, "as if X at any f32: %s; explains all 1 findings", mixed);
        s.bug.source = "the kernel of an invocation in a shader";
        s.bug.source_language = "a language";
        if (i / 2 % ENV_N) {
            fill_expect(&s);
        }
        for (size_t k = 0; k < ARRAY_N(put); k++) {
            const char *const text = print(put[k], &s.bug, &a);
            const char *const ours = put[k] == bug_put_report ? keep_ours(text, &a) : text;
            const char *const other = words_find_other(env, ours);
            if (other) {
                fail_msg("%s: %.60s", env == ENV_CL ? "OpenCL" : "Vulkan", other);
            }
        }
        assert_null(words_find_other(env, bug_get_title(&s.bug, &a)));
        const char *const text = print(bug_put_report, &s.bug, &a);
        assert_non_null(strstr(text, s.bug.source)); /* code stays */
        arena_free(&a);
    }
}

/* Where a fault is planted in the driver, the program of the folder gives it what the driver was given. */
static void the_planted_module_is_run(void **state)
{
    (void)state;
    static const uint32_t planted[] = {0x07230203, 0x10300, 0, 2, 0};
    const unsigned char *bytes = NULL;
    size_t n = 0;
    struct arena a;
    struct synthetic s;
    struct err e = {0};
    char folder[256];
    arena_init(&a, (size_t)16 << 20);
    make_folder(folder);
    const char *const path = arena_printf(&a, "%s/planted.spv", folder);
    for (int env = 0; env < ENV_N; env++) {
        make(&s, (enum env)env, VERDICT_ULP, "x");
        fill_expect(&s);
        check_compiles(&s, folder, &a);
        assert_int_not_equal(access(path, F_OK), 0);
        assert_null(strstr(print(bug_put_host, &s.bug, &a), "planted.spv"));
        assert_null(strstr(print(bug_put_report, &s.bug, &a), "planted.spv"));
        s.bug.planted = planted;
        s.bug.n_planted = ARRAY_N(planted);
        check_compiles(&s, folder, &a);
        assert_int_equal(file_read(path, 1 << 20, &a, &bytes, &n, &e), RES_OK);
        assert_int_equal(n, sizeof planted);
        for (size_t i = 0; i < ARRAY_N(planted); i++) {
            assert_int_equal(load_le(bytes + 4 * i, 4), planted[i]);
        }
        const char *const host = print(bug_put_host, &s.bug, &a);
        assert_non_null(strstr(host, "getenv(\"PROGRAM\") : \"planted.spv\")\n"));
        assert_null(strstr(host, "\"module.spv\""));
        assert_non_null(strstr(print(bug_put_report, &s.bug, &a), "- `planted.spv`: "));
        assert_int_equal(unlink(path), 0);
    }
    arena_free(&a);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_planted_module_is_run),
        cmocka_unit_test(words_are_those_of_the_environment),
        cmocka_unit_test(text_is_no_markup),
        cmocka_unit_test(block_ends_where_it_should),
        cmocka_unit_test(report_is_inert),
        cmocka_unit_test(kernels_are_called_what_they_are),
        cmocka_unit_test(another_crash_is_told_as_such),
        cmocka_unit_test(what_was_not_tried_is_no_fact),
        cmocka_unit_test(every_host_compiles),
        cmocka_unit_test(hosts_set_values),
        cmocka_unit_test(every_vulkan_need_compiles),
        cmocka_unit_test(hosts_are_short),
        cmocka_unit_test(a_report_says_what_it_lacks),
        cmocka_unit_test(the_kernel_is_shown),
        cmocka_unit_test(every_feature_is_known),
        cmocka_unit_test(comparison_is_that_of_expect),
        cmocka_unit_test(operations_are_tested_and_not_bytes),
        cmocka_unit_test(ids_are_tested_and_not_bytes),
        cmocka_unit_test(words_are_tested_and_not_bytes),
        cmocka_unit_test(titles_say_what_is_wrong),
        cmocka_unit_test(operands_are_those_of_all),
        cmocka_unit_test(titles_name_the_cause),
        cmocka_unit_test(operands_have_their_own_types),
        cmocka_unit_test(documents_are_in_full),
        cmocka_unit_test(sentences_are_quoted),
        cmocka_unit_test(a_refusal_names_what_is_listed),
        cmocka_unit_test(amber_is_a_script),
        cmocka_unit_test(amber_tells_words),
        cmocka_unit_test(amber_tells_sums),
        cmocka_unit_test(amber_check_refuses),
        cmocka_unit_test(what_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
