/* reports/write/test_formats.h -- for the tests: a campaign with each state that a bucket may be in. */
#pragma once

#include "reports/write/report.h"

enum {
    N_BUCKETS = 5, /* steady, flaky, suppressed, divergence, information */
    N_BUGS = 3,    /* of these: violations, expected or not */
    N_GONE = 3
};
struct formats_sample {
    struct campaign c;
    struct campaign_target targets[2];
    struct campaign_finding findings[N_BUCKETS + 1];
    struct campaign_triage triage[2];
    struct matrix_row matrix[1];
    struct campaign_coverage coverage[3];
    struct campaign_gone gone[N_GONE];
    struct expected_failure rows[3];
};

static inline void formats_fill_finding(struct formats_sample *s, int i, int target,
                                        const char *verdict, const char *core, const char *text)
{
    s->findings[i] = (struct campaign_finding){.id = i + 1,
                                               .target_id = target + 1,
                                               .verdict = verdict,
                                               .clause = "FADD_CR",
                                               .class = "legal",
                                               .signature = text,
                                               .op = "FAdd",
                                               .type = "f32",
                                               .storage = "global",
                                               .permitted = text,
                                               .got = text,
                                               .operands = text,
                                               .text = text,
                                               .instruction = text,
                                               .log = text,
                                               .crash_signature = text,
                                               .replay = text,
                                               .n_in_bucket = 20,
                                               .bucket = (uint32_t)i,
                                               .n_all = 20,
                                               .core = core,
                                               .family = text};
}

/* The foreign fields are `text`, but for what the tests look for. */
static inline void make_formats_sample(struct formats_sample *s, const char *text)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 2; i++) {
        s->targets[i] = (struct campaign_target){
            .id = i + 1, .name = i ? "t1" : "t0", .facts = text, .n_runs = 100};
        s->targets[i].n_verdict[VERDICT_ULP] = 3;
    }
    formats_fill_finding(s, 0, 0, "ulp", "core 0", text);
    formats_fill_finding(s, 1, 0, "ulp", "core 0", text);
    formats_fill_finding(s, 2, 0, "ulp", "core 2", text);
    formats_fill_finding(s, 3, 1, "ulp", "core 3", text);
    formats_fill_finding(s, 4, 1, "divergence", "core 4", text);
    formats_fill_finding(s, 5, 1, "inconclusive", "core 5", text);
    s->findings[1].bucket = 0;
    s->findings[1].n_in_bucket = 1;
    s->matrix[0] = (struct matrix_row){text, text, text, 3, 4, text};
    s->triage[0] = (struct campaign_triage){.n_runs = 10,
                                            .n_shown = 10,
                                            .n_loaded_runs = 9,
                                            .n_loaded_shown = 9,
                                            .smallest = text,
                                            .variant = text,
                                            .n_matrix = 1,
                                            .matrix = s->matrix};
    s->triage[1] = s->triage[0];
    s->triage[1].n_shown = 4;
    s->triage[1].is_flaky = 1;
    s->findings[0].triage = &s->triage[0];
    s->findings[2].triage = &s->triage[1];
    s->findings[0].baseline = s->findings[1].baseline = BASELINE_NEW;
    s->findings[2].baseline = s->findings[3].baseline = BASELINE_THERE;
    s->rows[0] = (struct expected_failure){"t1", "*", text, "FADD_CR", text, "", 1, 0, 1, 0, NULL};
    s->rows[1] = (struct expected_failure){"t1", "*", text, "FADD_CR", text, "", 2, 0, 0, 0, NULL};
    s->rows[2] =
        (struct expected_failure){"t0", "*", text, "FADD_CR", text, "2020-01-01", 3, 1, 1, 0, NULL};
    s->findings[3].expected = &s->rows[0];
    for (int i = 0; i < 3; i++) {
        s->coverage[i] = (struct campaign_coverage){.target_id = 1,
                                                    .op = i ? "FSub" : "FAdd",
                                                    .type = "f32",
                                                    .storage = i == 1 ? "global" : "private",
                                                    .outcome = "run",
                                                    .n = 5};
    }
    static const enum baseline_state state[N_GONE] = {BASELINE_FIXED, BASELINE_REMAINS,
                                                      BASELINE_FLAKY};
    static const char *const core[N_GONE] = {"gone 0", "gone 1", "gone 2"};
    for (int i = 0; i < N_GONE; i++) {
        s->gone[i] = (struct campaign_gone){.target = "t0",
                                            .verdict = "ulp",
                                            .clause = "FMUL_CR",
                                            .signature = text,
                                            .core = core[i],
                                            .family = text,
                                            .state = state[i],
                                            .n_runs = 10,
                                            .why = text};
    }
    s->c = (struct campaign){
        .plan = {.profile = text, .seed = 1, .targets = text},
        .folder = text,
        .started = text,
        .generator = text,
        .mpfr_version = text,
        .n_targets = 2,
        .targets = s->targets,
        .n_findings = N_BUCKETS + 1,
        .findings = s->findings,
        .n_coverage = 3,
        .coverage = s->coverage,
        .baseline = text,
        .n_gone = N_GONE,
        .gone = s->gone,
        .expected = text,
        .n_rows = 3,
        .rows = s->rows
    };
}
