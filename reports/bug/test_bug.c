/* reports/bug/test_bug.c -- a bug's folder without a driver: host.c compiles for every kind of case, its
 * comparison is that of struct expect, report.md takes no foreign text as markup, case.amber is a
 * script of Amber. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/format.h"
#include "base/ops.h"
#include "reports/bug/bug_amber.h"
#include "reports/bug/bug_features.h"
#include "reports/bug/bug_host.h"
#include "reports/bug/bug_report.h"
#include "reports/bug/test_amber.h"
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
        {"plain-text, (1.5 = 3)",    "plain-text, (1.5 = 3)"                                 },
        {"<b>&amp;",                 "&#60;b&#62;&#38;amp;"                                  },
        {"`a` *b* _c_ |",            "\\`a\\` \\*b\\* \\_c\\_ \\|"                           },
        {"[l](u) ![i](u)",           "\\[l\\](u) &#33;\\[i\\](u)"                            },
        {"@u #1 !2 $x$ %3 ~4 {+a+}", "&#64;u &#35;1 &#33;2 &#36;x&#36; &#37;3 \\~4 \\{+a+\\}"},
        {"www.a.b http://c",         "www\\.a.b http\\://c"                                  },
        {"a: b :c:",                 "a: b \\:c:"                                            },
        {"x\ny\x1b\xff",             "x\\\\x0ay\\\\x1b\\\\xff"                               },
        {NULL,                       ""                                                      },
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
                                           "### Actual",
                                           "### Expected",
                                           "### How often",
                                           "7 of 10",
                                           "### Steps to reproduce",
                                           "### The smallest change",
                                           "300 to 9",
                                           "## Regression",
                                           "It passes with `OPTIMIZER=off`.",
                                           "| one |  | ulp | 7 | 10 |",
                                           "| one | OPTIMIZER=off | ok | 0 | 3 |",
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

/* Which case is called valid: not one that breaks a rule. */
static void kernels_are_called_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *class, *want, *text;
    } rows[] = {
        {"legal",        "A valid OpenCL compute kernel",    ""                                    },
        {"unadvertised", "A valid OpenCL compute kernel",    "uses a feature that the device does "},
        {"illegal",      "An invalid OpenCL compute kernel", "breaks a rule of the specifications "}
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

static void fill_vulkan(struct synthetic *s, const char *api)
{
    (void)snprintf(s->facts, sizeof s->facts, "device=d\nvk.api=%s\n", api);
    s->ob.facts = s->target.facts = ""; /* nothing is known: all is enabled */
    if (strcmp(api, "0x10300") != 0) {
        s->ob.facts = s->facts;
    }
    s->tc.n_bufs = s->ob.n_bufs = 5;
    s->tc.bufs[2] = (struct buf){
        .kind = BUF_IMAGE2D_R32F, .width = 3, .height = 2, .n_bytes = 24, .data = s->data[2]};
    s->tc.bufs[3] = (struct buf){.kind = BUF_TEXEL_R32F, .n_bytes = 24, .data = s->data[3]};
    s->tc.bufs[4] = (struct buf){.kind = BUF_ADDRESS, .n_bytes = 24, .data = s->data[3]};
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
                                         "all->features.shaderInt64 = VK_TRUE",
                                         "\"VK_EXT_shader_atomic_float2\"",
                                         "\"VK_AMD_shader_ballot\"",
                                         "VK_FORMAT_R32_SFLOAT",
                                         "VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, {3, 2, 1}, 1, 0",
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
    assert_null(strstr(plain, "VK_TRUE;"));
    arena_free(&a);
    remove_folder(folder);
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
        assert_int_equal(script.n_expects, kinds[i] == VERDICT_ULP);
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
    assert_int_equal(script.n_buffers, 5);
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
        assert_non_null(strstr(host, "\n#define PROGRAM \"planted.spv\"\n"));
        assert_null(strstr(host, "module.spv"));
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
        cmocka_unit_test(text_is_no_markup),
        cmocka_unit_test(block_ends_where_it_should),
        cmocka_unit_test(report_is_inert),
        cmocka_unit_test(kernels_are_called_what_they_are),
        cmocka_unit_test(every_host_compiles),
        cmocka_unit_test(every_vulkan_need_compiles),
        cmocka_unit_test(every_feature_is_known),
        cmocka_unit_test(comparison_is_that_of_expect),
        cmocka_unit_test(amber_is_a_script),
        cmocka_unit_test(amber_check_refuses),
        cmocka_unit_test(what_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
