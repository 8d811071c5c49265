/* tests/fuzzers/target_html.c -- fuzz target: foreign text into a report of each format. */
#include <stdio.h>
#include <string.h>

#include "reports/write/report.h"
#include "tests/fuzzers/target.h"

enum {
    TARGET_MAX_BYTES = 4096,
    TARGET_ARENA_BYTES = 16 << 20
};

/* A report in that format, of a campaign that has `text` in every field that comes from elsewhere. Among the
 * facts it stands behind an API that has no needs, so that none are listed. To be freed. */
static char *write_report(enum report_format format, const char *text, struct arena *a)
{
    const char *const facts = arena_printf(a, "api=x\n%s", text);
    struct campaign_target target = {.id = 1, .name = text, .facts = facts, .n_runs = 1};
    struct campaign_finding finding = {.id = 1,
                                       .target_id = 1,
                                       .verdict = "ulp",
                                       .class = "legal",
                                       .core = text,
                                       .family = text,
                                       .clause = text,
                                       .signature = text,
                                       .op = text,
                                       .type = text,
                                       .storage = text,
                                       .permitted = text,
                                       .got = text,
                                       .operands = text,
                                       .text = text,
                                       .log = text,
                                       .instruction = text,
                                       .crash_signature = text,
                                       .replay = text};
    struct campaign_coverage coverage = {
        .target_id = 1, .op = text, .type = text, .storage = text, .outcome = "run", .n = 1};
    struct campaign_cross cross = {.op = text, .target_a = text, .target_b = text};
    struct campaign const c = {
        .plan = {.profile = text, .targets = text},
        .folder = text,
        .started = text,
        .generator = text,
        .mpfr_version = text,
        .n_targets = 1,
        .n_findings = 1,
        .n_coverage = 1,
        .n_cross = 1,
        .targets = &target,
        .findings = &finding,
        .coverage = &coverage,
        .cross = &cross
    };
    struct err e = {.text = ""};
    char *out = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&out, &n);
    target_require(f != NULL);
    target_require(report_write(format, &c, f, &e) == RES_OK);
    target_require(fclose(f) == 0);
    return out;
}

static size_t count_char(const char *s, char c)
{
    size_t n = 0;
    for (; *s; s++) {
        n += *s == c;
    }
    return n;
}

/* What a page with any foreign text has as many of as any other. */
struct marks {
    size_t n_tags, n_quotes;
};
static struct marks count_marks(const char *page)
{
    return (struct marks){count_char(page, '<'), count_char(page, '"')};
}

/* The bytes are text from elsewhere in a report. Whatever they are, they must add no tag and no quote to the
 * page, compared with a report that has "x" there, and no control character to any format. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static struct marks control; /* the same for all inputs */
    if (n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    struct arena a;
    arena_init(&a, TARGET_ARENA_BYTES);
    char *const text = arena_take(&a, n_bytes + 2);
    target_require(text != NULL);
    text[0] = 'x'; /* an empty text leaves its row out: never empty */
    memcpy(text + 1, data, n_bytes);
    if (control.n_tags == 0) {
        char *const page = write_report(REPORT_HTML, "x", &a);
        control = count_marks(page);
        free(page);
    }
    for (int k = 0; k < REPORT_FORMAT_N; k++) {
        char *const page = write_report((enum report_format)k, text, &a);
        for (const char *p = page; *p; p++) {
            unsigned char const c = (unsigned char)*p;
            target_require((c >= 0x20 || c == '\n') && c != 0x7f);
        }
        if (k == REPORT_HTML) {
            struct marks const marks = count_marks(page);
            target_require(marks.n_tags == control.n_tags && marks.n_quotes == control.n_quotes);
        }
        free(page);
    }
    arena_free(&a);
    return 0;
}
