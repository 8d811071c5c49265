/* fuzz/target_html.c -- fuzz target: foreign text into a report of each format. */
#include <stdio.h>
#include <string.h>

#include "fuzz/target.h"
#include "reports/report.h"

enum {
    TARGET_ARENA_BYTES = 16 << 20,
    REPORT_MAX_BYTES = 8 << 20
};

/* `text` in every foreign field; in facts behind an API without needs to list. */
static void write_report(enum report_format format, const char *text, struct arena *a, char *out)
{
    const char *const facts = arena_printf(a, "api=x\n%s", text);
    struct campaign_target target = {.id = 1, .name = text, .facts = facts, .n_runs = 1};
    struct campaign_finding finding = {.id = 1,
                                       .target_id = 1,
                                       .verdict = "ulp",
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
    FILE *const f = fmemopen(out, REPORT_MAX_BYTES, "w");
    target_require(f != NULL);
    target_require(report_write(format, &c, f, &e) == RES_OK);
    target_require(fclose(f) == 0);
}

static size_t count_char(const char *s, char c)
{
    size_t n = 0;
    for (; *s; s++) {
        n += *s == c;
    }
    return n;
}

/* Foreign text adds no tag, no quote of JSON and no control character, whatever it is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    if (n_bytes > 4096) {
        return 0;
    }
    struct arena a;
    arena_init(&a, TARGET_ARENA_BYTES + 2 * REPORT_MAX_BYTES);
    char *const text = arena_take(&a, n_bytes + 2);
    char *const page = arena_take(&a, REPORT_MAX_BYTES);
    char *const control = arena_take(&a, REPORT_MAX_BYTES);
    target_require(text && page && control);
    text[0] = 'x'; /* an empty text leaves its row out: never empty */
    memcpy(text + 1, data, n_bytes);
    for (int k = 0; k < REPORT_FORMAT_N; k++) {
        write_report((enum report_format)k, text, &a, page);
        write_report((enum report_format)k, "x", &a, control);
        for (const char *p = page; *p; p++) {
            unsigned char const c = (unsigned char)*p;
            target_require((c >= 0x20 || c == '\n') && c != 0x7f);
        }
        if (k == REPORT_HTML) {
            target_require(count_char(page, '<') == count_char(control, '<'));
            target_require(count_char(page, '"') == count_char(control, '"'));
        }
    }
    arena_free(&a);
    return 0;
}
