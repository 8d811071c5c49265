/* tests/fuzzers/target_baseline.c -- fuzz target: the report.json of an earlier campaign. */
#include <string.h>

#include "fuzz/triage/baseline.h"
#include "tests/fuzzers/target_folder.h"

enum {
    TARGET_ARENA_BYTES = 64 << 20,
    TARGET_MAX_BYTES = 1 << 16
};

/* Compare twice: with the campaign of today, and with one that found nothing. */

/* Compare a campaign of one finding, or of none, with the earlier report in the folder. Nothing runs here, so
 * each row that only the earlier report has (a `gone` one) must be complete and stay unknown, and none may be
 * the finding that the campaign has as well. */
static void compare(const struct target_folder *f, uint32_t n_findings, struct arena *a)
{
    static const char signature[] =
        "ulp FADD_CR AtomicFAddEXT f32 global contended normal,subnormal high";
    struct campaign_target target = {.id = 1, .name = "one", .facts = ""};
    struct campaign_finding finding = {.id = 1,
                                       .target_id = 1,
                                       .verdict = "ulp",
                                       .class = "legal",
                                       .clause = "FADD_CR",
                                       .signature = signature,
                                       .core = signature_parse(signature, a).core};
    struct campaign c = {
        .n_targets = 1, .n_findings = n_findings, .targets = &target, .findings = &finding};
    struct baseline_options const o = {.targets = NULL};
    struct err e = {.text = ""};
    const char *const path = arena_printf(a, "%s/report.json", f->path);
    if (!target_folder_is_ok(f, baseline_compare(&c, path, &o, a, &e), &e)) {
        return;
    }
    target_require(c.baseline == path);
    target_require(n_findings == 0 || finding.baseline == BASELINE_NEW ||
                   finding.baseline == BASELINE_THERE);
    for (uint32_t i = 0; i < c.n_gone; i++) {
        const struct campaign_gone *const g = &c.gone[i];
        target_require(g->target && g->verdict && g->clause && g->signature && g->core);
        target_require(g->family && g->why[0] && g->state == BASELINE_UNKNOWN);
        target_require(n_findings == 0 || strcmp(g->target, target.name) != 0 ||
                       strcmp(g->core, finding.core) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct target_folder f;
    struct arena a;
    if (n_bytes > TARGET_MAX_BYTES) {
        return 0;
    }
    arena_init(&a, TARGET_ARENA_BYTES);
    target_folder_make(&f);
    target_folder_put(&f, "report.json", data, n_bytes);
    compare(&f, 1, &a);
    compare(&f, 0, &a);
    target_folder_remove(&f);
    arena_free(&a);
    return 0;
}
